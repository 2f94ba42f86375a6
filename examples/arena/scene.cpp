// The arena's world: missiles, explosions and their sounds, embers and damage text. Spawned, and from then on nobody's business: each returns by itself.
#include "simulation.hpp"

#include <lido/world/settings_table.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

namespace arena {

namespace {

constexpr fixed most_speed = 1500;
constexpr std::int32_t missile_damage = 4;
constexpr lido::leaks at_the_end = lido::leaks::allow;  // the game ends in the midst of a fight

}  // namespace

/// What a class needs to be safe even with a file that says nothing of it; the file says the rest.
std::string simulation::set_up_scene(const lido::settings_table& pools) {
    scene_.add<missile>("missile", {.on_full = lido::on_full::reject, .leaks = at_the_end});
    scene_.add<explosion>("explosion", {.on_full = lido::on_full::reject, .leaks = at_the_end});
    scene_.add<ember>("ember",
                      {.max_lifetime = lido::ticks{50}, .on_full = lido::on_full::reject, .leaks = at_the_end});
    scene_.add<damage_text>("damage_text",
                            {.max_lifetime = lido::ticks{40}, .on_full = lido::on_full::reject, .leaks = at_the_end});
    scene_.add<sound>("sound",
                      {.max_lifetime = lido::ticks{30}, .on_full = lido::on_full::reject, .leaks = at_the_end});
    if (std::string problem = set_up_vaults(); !problem.empty()) return problem;
    const lido::configure_report report = scene_.configure(pools);
    if (!report) return report.error;
    if (!report.unused.empty()) return report.unused.front();  // no class comes later here: a slip in a name
    scene_.start();

    // However a missile ends, it ends in fire: by a hit, by the edge of the field, or because its time is over.
    scene_.finished<missile>().connect(
        [this](missile& m, lido::ref<missile>) { explode(m.x, m.y, {.radius = 6, .ticks = 10}); });
    return {};
}

void simulation::launch_missile(const missile::launch& with) {
    const auto launched = scene_.spawn<missile>({world_.ship_x, world_.ship_y}, with);
    if (!launched) return;  // none is left; the scene has counted it
    scene_.after(launched.reference(), missile_ignition, [](missile& m) { m.lit = 1; });
}

void simulation::update_missiles() {
    scene_.for_each<missile>([this](missile& m, lido::ref<missile> self) {
        if (m.lit != 0 && m.target) {
            if (const enemy* e = enemies_.try_get(m.target)) {
                // Turn a little towards it: whole numbers, no square root.
                m.vx += std::clamp((e->x - m.x) / 64, -40, 40);
                m.vy += std::clamp((e->y - m.y) / 64, -40, 40);
                m.vx = std::clamp(m.vx, -most_speed, most_speed);
                m.vy = std::clamp(m.vy, -most_speed, most_speed);
            } else {
                m.target = {};
                ++world_.targets_lost;
            }
        }
        m.x += m.vx;
        m.y += m.vy;
        if (const lido::handle<enemy> who = enemy_at(m.x, m.y)) {
            show_text(m.x, m.y, missile_damage);
            hurt(who, missile_damage);
            scene_.return_to_pool(self);
        } else if (outside(m.x, m.y)) {
            scene_.return_to_pool(self);
        }
    });
}

void simulation::explode(fixed x, fixed y, const explosion::blast& with) {
    scene_.spawn<explosion>({x, y}, explosion::blast{with.radius, with.ticks, &audience_});
    scene_.spawn<sound>({x, y}, sound::play{&audience_});
}

void simulation::throw_embers(fixed x, fixed y, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
        const unsigned d = world_.dice.below(turn);
        const fixed speed = 40 + static_cast<fixed>(world_.dice.below(300));
        scene_.spawn<ember>({x, y}, ember::thrown{along(direction_x(d), speed), along(direction_y(d), speed)});
    }
}

void simulation::update_scene() {
    scene_.for_each<explosion>([this](explosion& e) {
        if (e.throws_ember()) throw_embers(e.at().x, e.at().y, 1);
        e.play();  // and may have returned: nothing of it is touched from here
    });
    scene_.for_each<ember>([](ember& e) {
        e.x += e.vx;
        e.y += e.vy;
        e.vy += 3;
    });
    scene_.for_each<damage_text>([](damage_text& t) { t.y -= 128; });
    stage_.tick();  // of the scene, too: lifetimes run out, engines are lit, embers that were too many go
    // A message of another player comes at most that late: what ended before has ended.
    if (const std::uint64_t now = scene_.now().count; now > kept_ticks) scene_.confirm({now - kept_ticks});
    books_.read();
    if (keeps_ != nullptr) keeps_->tick();
}

void simulation::show_text(fixed x, fixed y, std::int32_t value) {
    scene_.spawn<damage_text>({x, y}, damage_text::hit{value});
}

/// As many of T as there may be, with timers in as many lists of the wheel as they can be in.
template <class T>
void simulation::fill_class() {
    constexpr std::uint32_t most_prepared = 4096;  // a file may let a class grow without end
    const std::uint32_t most = std::min(scene_.stats<T>().pool.max_capacity, most_prepared);
    for (std::uint32_t i = 0; i < most; ++i) {
        const auto made = scene_.spawn<T>();
        if (!made) return;
        const lido::ticks in{i < 64 ? i + 1 : (i - 62) * 64};
        scene_.set_lifetime(made, in);
        if constexpr (std::is_same_v<T, missile>) scene_.after(made.reference(), in, [] {});
    }
}

void simulation::fill_scene() {
    fill_class<missile>();
    fill_class<explosion>();
    fill_class<ember>();
    fill_class<damage_text>();
    fill_class<sound>();
}

}  // namespace arena
