// What a stage costs: `./dev bench stage`. Commits beside the least that can be done by hand, creations beside the world's spawn, ids beside a map of
// the standard library, and a tick with entities that do nothing. All take turns in one program.
#include "../world/bench.hpp"

#include <lido/entity.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace {

using world_bench::compare;
using world_bench::own_nanoseconds;
using world_bench::tiny;

struct mover {
    float x = 0, y = 0, yaw = 0;
    std::uint16_t hp = 100;
    std::uint16_t team = 0;
    std::uint32_t flags = 0;
};
constexpr auto describe(lido::type<mover>) {
    return lido::schema{1, lido::field<&mover::x>{.min = -4096, .max = 4096},
                        lido::field<&mover::y>{.min = -4096, .max = 4096},
                        lido::field<&mover::yaw>{.min = -7, .max = 7}};
}

/// By hand: a copy, range checks, a compare, a version, and 48 bytes and the values into a ring. No life is checked, no lock, no other edit.
struct by_hand {
    struct header {
        std::uint32_t size, kind;
        std::uint64_t tick, commit, entity, generation, version;
    };
    static_assert(sizeof(header) == 48);
    std::vector<mover> all;
    std::vector<std::uint64_t> versions;
    std::vector<std::byte> ring = std::vector<std::byte>(std::size_t{1} << 20);
    std::uint64_t end = 0;
    std::uint64_t commits = 0;

    LIDO_BENCH_APART bool commit(std::size_t i, const mover& staged) {
        mover& live = all[i];
        const auto in = [](float v, float low, float high) { return v >= low && v <= high; };
        if (!in(staged.x, -4096, 4096) || !in(staged.y, -4096, 4096) || !in(staged.yaw, -7, 7)) return false;
        float changed[6];
        std::uint32_t n = 0;
        const auto compare = [&](float was, float is) {
            if (was == is) return;
            changed[n++] = was;
            changed[n++] = is;
        };
        compare(live.x, staged.x);
        compare(live.y, staged.y);
        compare(live.yaw, staged.yaw);
        if (n == 0) return true;
        const auto size = static_cast<std::uint32_t>(sizeof(header) + n * sizeof(float));
        const header h{size, 2, 0, ++commits, i, 1, ++versions[i]};
        if ((end & (ring.size() - 1)) + size > ring.size()) end += ring.size() - (end & (ring.size() - 1));
        std::byte* const to = ring.data() + (end & (ring.size() - 1));
        std::memcpy(to, &h, sizeof(h));
        std::memcpy(to + sizeof(h), changed, n * sizeof(float));
        end += (size + 7) & ~7u;
        live = staged;
        return true;
    }
};

void commits() {
    constexpr std::size_t count = 1000;
    lido::world world;
    lido::stage stage{world};
    stage.add<mover>("mover");
    std::vector<lido::entity_ref<mover>> refs;
    by_hand hand;
    for (std::size_t i = 0; i < count; ++i) {
        refs.push_back(stage.create<mover>());
        hand.all.emplace_back();
        hand.versions.push_back(0);
    }
    float step = 0;
    const auto by_peer = [&] {
        step += 0.25f;
        if (step > 6) step = 0.25f;
        for (std::size_t i = 0; i < count; ++i) {
            mover staged = hand.all[i];
            staged.x = staged.y = staged.yaw = step;
            hand.commit(i, staged);
        }
    };
    float mine = 0;
    const auto next = [&] {
        mine += 0.25f;
        if (mine > 6) mine = 0.25f;
        stage.tick();
    };
    compare("commit of 3 fields", 2, count, by_peer, [&] {
        next();
        for (const auto ref : refs) {
            auto change = stage.edit(ref);
            change->x = change->y = change->yaw = mine;
            change.commit();
        }
    });
    compare("the same by edit_each", 2, count, by_peer, [&] {
        next();
        stage.edit_each<mover>([&](mover& m) { m.x = m.y = m.yaw = mine; });
    });
    compare("commit of 3 fields of 2 entities", 2, count, by_peer, [&] {
        next();
        for (std::size_t i = 0; i + 1 < count; i += 2) {
            auto change = stage.edit(refs[i], refs[i + 1]);
            for (const auto ref : {refs[i], refs[i + 1]}) change[ref].x = change[ref].y = change[ref].yaw = mine;
            change.commit();
        }
    });
}

struct plain {
    float x = 0, y = 0;
    void on_acquire() { x = y = 1; }
    void on_release() noexcept { x = 0; }
};

void lives() {
    constexpr std::size_t count = 512;
    lido::world world;
    world.add<plain>("plain", {.prewarm = count});
    lido::world staged;
    lido::stage stage{staged, {.ids = count}};
    stage.add<mover>("mover", {.idle = count, .prewarm = count, .capacity = 2 * count});
    std::vector<lido::ref<plain>> plains(count);
    std::vector<lido::entity_ref<mover>> movers(count);
    compare(
        "create + pool, beside spawn + return", 2, count,
        [&] {
            for (auto& p : plains) p = world.spawn<plain>();
            for (const auto p : plains) world.return_to_pool(p);
            world.tick();
        },
        [&] {
            for (auto& m : movers) m = stage.create<mover>();
            for (const auto m : movers) stage.pool(m);
            stage.tick();
        });
}

void ids() {
    constexpr std::size_t count = 20'000;
    lido::world world;
    lido::stage stage{world, {.journal_bytes = std::size_t{1} << 24, .ids = count}};
    stage.add<mover>("mover");
    std::unordered_map<std::string, lido::any_entity_ref> map;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) names.push_back("mover-" + std::to_string(i * 7919 % 100'003));
    for (const std::string& n : names) {
        const auto m = stage.create<mover>({.id = n});
        map[n] = m;
        if (map.size() % 1000 == 0) stage.tick();
    }
    std::uint64_t sum = 0;
    compare(
        "find by id, beside std::unordered_map", 1.3, count,
        [&] {
            for (const std::string& n : names) sum += map.find(n)->second.life();
        },
        [&] {
            for (const std::string& n : names) sum += stage.find(n).life();
        });
    if (sum == 42) std::puts("");
}

void idle() {
    lido::world few;
    lido::stage small{few};
    small.add<mover>("mover");
    lido::world many;
    lido::stage large{many, {.journal_bytes = std::size_t{1} << 26}};
    large.add<mover>("mover");
    const int count = tiny ? 1000 : 100'000;
    for (int i = 0; i < count; ++i) {
        static_cast<void>(large.create<mover>());
        if (i % 1000 == 0) large.tick();
    }
    small.create<mover>();
    large.tick();
    constexpr int ticks = 1000;
    const auto run = [](lido::stage& s) {
        return [&s] {
            for (int i = 0; i < ticks; ++i) s.tick();
        };
    };
    compare("a tick of 100 000 idle ones, beside 1", 1.5, ticks, run(small), run(large), 21);
}

}  // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) tiny = tiny || std::string_view(argv[i]) == "--tiny";
    std::printf("  ns each                                by hand    stage    ratio   bar\n");
    commits();
    lives();
    ids();
    idle();
}
