// Bullets as entities, pooled at a high rate: few objects, many lives, and whatever comes late for a life that is over finds nothing.
// (S5.4: the token that guards a reused object is part of every reference, so nobody can forget to compare it.)
#include <lido/entity.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

int scene_parts = 0;  ///< what bullets hold in the scene: every one of them must be let go

struct bullet {
    std::int32_t x = 0;
    std::int32_t speed = 0;

    /// Beside the described fields: the trail that is drawn. An idle object keeps its memory and nothing else.
    struct trail {
        std::vector<std::int32_t> points;
        void reset() noexcept { points.clear(); }
    };
    using context_type = trail;
};
constexpr auto describe(lido::type<bullet>) {
    return lido::schema{1, lido::field<&bullet::x>{.min = 0, .max = 10'000}, lido::field<&bullet::speed>{.max = 100}};
}
void on_begin(const bullet& b, bullet::trail& t, const lido::entity_birth&) { t.points.push_back(b.x); }

using bullet_ref = lido::entity_ref<bullet>;

constexpr lido::ticks flight{20};

bullet_ref shoot(lido::stage& stage, std::int32_t speed, std::string_view id = {}) {
    const auto shot = stage.create<bullet>({.id = id}, {.speed = speed});
    if (!shot) {
        std::printf("refused: %s\n", shot.why());
        return {};
    }
    ++scene_parts;
    stage.manage(shot, [] { --scene_parts; });  // however this life ends
    // A timer is of this life: it cannot end the next one of the object.
    stage.after(shot, flight, [&stage](lido::any_entity_ref self) { stage.pool(self); });
    return shot;
}

}  // namespace

int main() {
    lido::world world;
    lido::stage stage{world};
    const auto bullets = stage.add<bullet>("bullet", {.idle = 64});

    // One object, two lives.
    const bullet_ref first = shoot(stage, 5, "bullet-1");
    const bullet* const object = stage.get(first);
    const auto impact = stage.guard(first, [](int damage) { std::printf("the first one did %d\n", damage); });
    auto late = impact;
    late(7);  // it flies
    stage.pool(first);
    stage.tick();
    const bullet_ref second = shoot(stage, 9, "bullet-2");
    std::printf("the same object: %s, speed %d, version %d, %u point of trail\n",
                stage.get(second) == object ? "yes" : "no", static_cast<int>(stage.get(second)->speed),
                static_cast<int>(stage.info(second).version),
                static_cast<unsigned>(stage.context(second)->points.size()));

    // What was kept of the first life. Each of these would hit the second one if it went by object, or by place.
    late(7);
    std::printf("get: %s\n", stage.get(first) == nullptr ? "nothing" : "something");
    auto edit = stage.edit(first);
    std::printf("edit: %s\n", edit.commit() ? "done" : edit.why());
    const auto end = stage.pool(first);
    std::printf("pool: %s\n", end ? "done" : end.why());
    std::printf("by name: %s\n", stage.find<bullet>("bullet-1") ? "there" : "nobody has that id");

    // A minute of fire at 60 ticks a second: three shots a tick, each 20 ticks in the air.
    std::uint64_t lives = 2;
    std::uint64_t refused = 0;
    std::array<bullet_ref, 64> kept{};  // as a homing radar keeps them: too long
    for (int tick = 0; tick < 3600; ++tick) {
        for (int n = 0; n < 3; ++n) {
            const bullet_ref b = shoot(stage, 1 + n);
            kept[lives++ % kept.size()] = b;
        }
        const auto moved = stage.edit_each<bullet>([](bullet& b) { b.x += b.speed; });
        refused += moved.refused;
        stage.tick();
    }
    // What ended in this tick is let go of as the next one begins: until then three parts are still in the scene.
    std::size_t alive = 0;
    for (const bullet_ref b : kept) alive += stage.lives(b) ? 1 : 0;
    const auto s = world.stats(bullets.number());
    std::printf("%u lives in %u objects, at most %u at once; commits refused: %u\n", static_cast<unsigned>(lives),
                static_cast<unsigned>(s.pool.created), static_cast<unsigned>(s.pool.peak),
                static_cast<unsigned>(refused));
    std::printf("of the last %u references %u find their bullet; parts in the scene: %d\n",
                static_cast<unsigned>(kept.size()), static_cast<unsigned>(alive), scene_parts);

    for (std::uint64_t t = 0; t <= flight.count; ++t) stage.tick();
    std::printf("when the air is clear: %u live, %u idle, parts in the scene: %d\n",
                static_cast<unsigned>(stage.size()), static_cast<unsigned>(world.stats(bullets.number()).pool.idle),
                scene_parts);
}

/* Output:
the first one did 7
the same object: yes, speed 9, version 0, 1 point of trail
get: nothing
edit: bullet: this life has ended
pool: bullet: this life has ended
by name: nobody has that id
10802 lives in 64 objects, at most 61 at once; commits refused: 0
of the last 64 references 57 find their bullet; parts in the scene: 60
when the air is clear: 0 live, 64 idle, parts in the scene: 0
*/
