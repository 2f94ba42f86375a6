// What a stage costs: `./dev bench stage`. Commits beside the least that can be done by hand, creations beside the world's spawn, ids beside maps,
// a tick with entities that do nothing, and memory. All take turns in one program.
#include "../world/bench.hpp"

#include <lido/entity.hpp>

#if __has_include(<boost/unordered/unordered_flat_map.hpp>)
#include <boost/unordered/unordered_flat_map.hpp>
#define LIDO_BENCH_HAS_FLAT_MAP 1
#else
#define LIDO_BENCH_HAS_FLAT_MAP 0
#endif

#include <algorithm>
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

/// By hand, as short as it can be said: a copy, range checks, the version that the copy was taken at, which fields differ, and an entry of 48
/// bytes with what was and what is. No life is looked up, no lock, no reader can fall behind, nothing is taken back.
struct by_hand {
    struct entry {
        std::uint32_t entity, changed;
        std::uint64_t version, tick;
        float was[3], is[3];
    };
    static_assert(sizeof(entry) == 48);
    std::vector<mover> all;
    std::vector<std::uint64_t> versions;
    std::vector<entry> ring = std::vector<entry>(std::size_t{1} << 14);
    std::uint64_t end = 0;
    std::uint64_t tick = 0;

    [[nodiscard]] static bool in(float v, float low, float high) { return v >= low && v <= high; }
    [[nodiscard]] static bool valid(const mover& m) {
        return in(m.x, -4096, 4096) && in(m.y, -4096, 4096) && in(m.yaw, -7, 7);
    }
    [[nodiscard]] static std::uint32_t differing(const mover& a, const mover& b) {
        return unsigned{a.x != b.x} | unsigned{a.y != b.y} << 1 | unsigned{a.yaw != b.yaw} << 2 |
               unsigned{a.hp != b.hp} << 3 | unsigned{a.team != b.team} << 4 | unsigned{a.flags != b.flags} << 5;
    }
    LIDO_INLINE bool commit(std::size_t i, const mover& staged, std::uint64_t seen) {
        mover& live = all[i];
        if (versions[i] != seen || !valid(staged)) return false;
        const std::uint32_t changed = differing(live, staged);
        if (changed == 0) return true;
        ring[end++ & (ring.size() - 1)] = {
            static_cast<std::uint32_t>(i),   changed, ++versions[i], tick, {live.x, live.y, live.yaw},
            {staged.x, staged.y, staged.yaw}};
        live = staged;
        return true;
    }
};

/// The same with entries that somebody else could read: a header of 48 bytes, then the fields that changed, in one ring with all others.
struct by_hand_with_headers {
    struct header {
        std::uint32_t size, changed;
        std::uint64_t tick, commit, entity, generation, version;
    };
    static_assert(sizeof(header) == 48);
    std::vector<mover> all;
    std::vector<std::uint64_t> versions;
    std::vector<std::byte> ring = std::vector<std::byte>(std::size_t{1} << 20);
    std::uint64_t end = 0;
    std::uint64_t tick = 0;
    std::uint64_t commits = 0;

    LIDO_INLINE bool commit(std::size_t i, const mover& staged, std::uint64_t seen) {
        mover& live = all[i];
        if (versions[i] != seen || !by_hand::valid(staged)) return false;
        const std::uint32_t changed = by_hand::differing(live, staged);
        if (changed == 0) return true;
        const std::size_t most = sizeof(header) + 2 * sizeof(mover);
        if ((end & (ring.size() - 1)) + most > ring.size()) end += ring.size() - (end & (ring.size() - 1));
        // Word by word into the ring: a header that is made beside it and copied there waits for its own stores.
        std::byte* to = ring.data() + (end & (ring.size() - 1));
        std::byte* const first = to;
        const auto put = [&to](const auto& value) {
            std::memcpy(to, &value, sizeof(value));
            to += sizeof(value);
        };
        to += sizeof(std::uint32_t);
        put(changed);
        put(tick);
        put(++commits);
        put(std::uint64_t{i});
        put(std::uint64_t{1});
        put(++versions[i]);
        const auto values = [&](auto mover::*field, unsigned bit) {
            if ((changed >> bit & 1) == 0) return;
            put(live.*field);
            put(staged.*field);
        };
        values(&mover::x, 0);
        values(&mover::y, 1);
        values(&mover::yaw, 2);
        values(&mover::hp, 3);
        values(&mover::team, 4);
        values(&mover::flags, 5);
        const auto size = static_cast<std::uint32_t>(to - first);
        std::memcpy(first, &size, sizeof(size));
        end += (size + 7) & ~7u;
        live = staged;
        return true;
    }
};

constexpr std::size_t movers = 1000;

/// Between the opening of an edit and its commit is the program's code, of which the compiler knows nothing on either side. Without this it
/// sees, by hand, that fields which were not set cannot differ, that the version cannot have changed, and that what is in range for one entity
/// is so for all: then what is done by hand is none of what it is compared for.
template <class V>
LIDO_INLINE void unseen(V& value) {
    asm volatile("" : "+m"(value));
}

template <class Hand>
struct hand_commits {
    Hand hand;
    float step = 0;

    hand_commits() {
        hand.all.resize(movers);
        hand.versions.resize(movers);
    }
    LIDO_BENCH_APART void operator()() {
        step = step < 6 ? step + 0.25f : 0.25f;
        ++hand.tick;
        for (std::size_t i = 0; i < movers; ++i) {
            std::uint64_t seen = hand.versions[i];
            mover staged = hand.all[i];
            staged.x = staged.y = staged.yaw = step;
            unseen(staged);
            unseen(seen);
            hand.commit(i, staged, seen);
        }
    }
};

/// A stage of them, and a step for each round: the tick that confirms the round before is part of each.
struct stage_commits {
    lido::world world;
    lido::stage stage{world};
    std::vector<lido::entity_ref<mover>> refs;
    float step = 0;

    stage_commits() {
        stage.add<mover>("mover");
        for (std::size_t i = 0; i < movers; ++i) refs.push_back(stage.create<mover>());
    }
    void next() {
        step = step < 6 ? step + 0.25f : 0.25f;
        stage.tick();
    }
    LIDO_INLINE void set(mover& m) const {
        m.x = m.y = m.yaw = step;
        unseen(m);
    }

    LIDO_BENCH_APART void one_by_one() {
        next();
        for (const auto ref : refs) {
            auto change = stage.edit(ref);
            set(*change);
            change.commit();
        }
    }
    LIDO_BENCH_APART void each() {
        next();
        stage.edit_each<mover>([this](mover& m) { set(m); });
    }
    LIDO_BENCH_APART void pairs() {
        next();
        for (std::size_t i = 0; i + 1 < movers; i += 2) {
            auto change = stage.edit(refs[i], refs[i + 1]);
            set(change[refs[i]]);
            set(change[refs[i + 1]]);
            change.commit();
        }
    }
    LIDO_BENCH_APART void tens() {
        next();
        for (std::size_t i = 0; i + 9 < movers; i += 10) {
            auto change = stage.edit();
            for (std::size_t k = i; k < i + 10; ++k) set(*change.add(refs[k]));
            change.commit();
        }
    }
};

void commits() {
    hand_commits<by_hand> hand;
    hand_commits<by_hand_with_headers> with_headers;
    stage_commits s;
    compare("a commit of 3 fields, with its edit", 2, movers, hand, [&] { s.one_by_one(); });
    compare("the same by edit_each", 2, movers, hand, [&] { s.each(); });
    compare("an entity of an edit of two", 2, movers, hand, [&] { s.pairs(); });
    compare("an entity of an edit of ten, by add()", 0, movers, hand, [&] { s.tens(); });
    compare("by hand with headers: one, with its edit", 0, movers, with_headers, [&] { s.one_by_one(); });
    compare("by hand with headers: by edit_each", 0, movers, with_headers, [&] { s.each(); });
    std::uint64_t heard = 0;
    s.stage.signals<mover>().updated.connect([&heard](const lido::entity_event& e) { heard += e.version(); });
    compare("one with its edit, and a listener", 0, movers, hand, [&] { s.one_by_one(); });
    if (heard == 0) std::puts("nothing was heard: the figures say nothing");
}

void rate() {
    stage_commits s;
    double best = 1e30;
    for (int i = 0; i < (tiny ? 1 : 61); ++i) best = std::min(best, own_nanoseconds([&] { s.one_by_one(); }) / movers);
    std::printf("  %-44s %8.1f million a second", "commits of 3 fields, one core", 1e3 / best);
    std::printf("     5.0 %s\n", 1e3 / best >= 5 ? "met" : "MISSED");
}

/// What the world itself does for the same fields, with ends that are over at once.
struct plain : mover {
    void on_acquire() { x = 0; }
    void on_release() noexcept { x = 0; }
};
/// The same in an object as large as an entity, whose ends wait until they are certain, as those of entities do.
struct plain_that_waits : mover {
    static constexpr auto release = lido::on_confirm;
    static constexpr lido::options pool_options = {};
    std::byte head[sizeof(lido::entity_object<mover>) - sizeof(mover)];
    void on_acquire() {
        static_cast<mover&>(*this) = {};
        std::memset(head, 1, sizeof(head));
    }
    void on_release() noexcept {
        static_cast<mover&>(*this) = {};
        std::memset(head, 0, sizeof(head));
    }
};
static_assert(sizeof(plain_that_waits) == sizeof(lido::entity_object<mover>));

template <class T>
struct world_lives {
    static constexpr std::size_t count = 512;
    lido::world world;
    std::vector<lido::ref<T>> all = std::vector<lido::ref<T>>(count);

    world_lives() { world.add<T>("plain", {.prewarm = count, .idle_cap = count}); }
    LIDO_BENCH_APART void operator()() {
        for (auto& p : all) p = world.spawn<T>();
        for (const auto p : all) world.return_to_pool(p);
        world.tick();
    }
};

void lives() {
    constexpr std::size_t count = world_lives<plain>::count;
    world_lives<plain> world;
    world_lives<plain_that_waits> waiting;
    lido::world staged;
    lido::stage stage{staged, {.ids = count}};
    stage.add<mover>("mover", {.idle = count, .prewarm = count, .capacity = 2 * count});
    std::vector<lido::entity_ref<mover>> all(count);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) names.push_back("mover-" + std::to_string(i * 7919 % 100'003));
    const auto end_all = [&] {
        for (const auto m : all) stage.pool(m);
        stage.tick();
    };
    const auto generated = [&] {
        for (auto& m : all) m = stage.create<mover>();
        end_all();
    };
    const auto named = [&] {
        for (std::size_t i = 0; i < count; ++i) all[i] = stage.create<mover>({.id = names[i]});
        end_all();
    };
    compare("create + pool, beside spawn + return", 2, count, world, generated);
    compare("the same beside ends that wait", 2, count, waiting, generated);
    compare("the same with ids of the program's", 0, count, waiting, named);
}

void ids() {
    constexpr std::size_t count = 20'000;
    lido::world world;
    lido::stage stage{world, {.journal_bytes = std::size_t{1} << 24, .ids = count}};
    stage.add<mover>("mover");
    std::unordered_map<std::string, lido::any_entity_ref> map;
#if LIDO_BENCH_HAS_FLAT_MAP
    boost::unordered_flat_map<std::string, lido::any_entity_ref> flat;
#endif
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) names.push_back("mover-" + std::to_string(i * 7919 % 100'003));
    for (const std::string& n : names) {
        const auto m = stage.create<mover>({.id = n});
        map[n] = m;
#if LIDO_BENCH_HAS_FLAT_MAP
        flat[n] = m;
#endif
        if (map.size() % 1000 == 0) stage.tick();
    }
    std::uint64_t sum = 0;
    const auto find_all = [&] {
        for (const std::string& n : names) sum += stage.find(n).life();
    };
    compare(
        "find by id, beside std::unordered_map", 1.3, count,
        [&] {
            for (const std::string& n : names) sum += map.find(n)->second.life();
        },
        find_all);
#if LIDO_BENCH_HAS_FLAT_MAP
    compare(
        "the same beside boost::unordered_flat_map", 1.3, count,
        [&] {
            for (const std::string& n : names) sum += flat.find(n)->second.life();
        },
        find_all);
#else
    std::puts("  boost::unordered_flat_map: this machine's Boost has none; it comes with 1.81");
#endif
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

/// Pages that the program has in memory, in bytes; 0 where the system does not tell.
[[nodiscard]] std::size_t resident() {
    std::size_t pages = 0;
    if (std::FILE* const f = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(f, "%*u %zu", &pages) != 1) pages = 0;
        std::fclose(f);
    }
    return pages * 4096;
}

void memory() {
    const std::size_t count = tiny ? 1000 : 100'000;
    lido::world world;
    lido::stage stage{world, {.journal_bytes = std::size_t{1} << 16, .ids = count}};
    stage.add<mover>("mover");
    const std::size_t before = resident();
    for (std::size_t i = 0; i < count; ++i) {
        static_cast<void>(stage.create<mover>());
        if (i % 100 == 0) stage.tick();
    }
    const double each = static_cast<double>(resident() - before) / static_cast<double>(count);
    std::printf("  bytes in memory for each of %zu entities: %.0f, of which data %zu, head %zu\n", count, each,
                sizeof(mover), sizeof(lido::entity_object<mover>) - sizeof(mover));
}

}  // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) tiny = tiny || std::string_view(argv[i]) == "--tiny";
    world_bench::name_width = 44;
    std::printf("  %-44s %8s %8s %8s   bar\n", "ns each", "by hand", "stage", "ratio");
    commits();
    rate();
    lives();
    ids();
    idle();
    memory();
}
