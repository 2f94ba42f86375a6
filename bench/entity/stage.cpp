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
#include <array>
#include <charconv>
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
/// bytes in all, made for these three fields and no others. No life is looked up, no lock, no reader can fall behind, nothing is taken back.
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

/// The same with entries that somebody else could read: a header of 48 bytes, then the values of the fields that changed, before and after,
/// in one ring with all other entries.
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
    compare("a commit of 3 fields, with its edit", 2, movers, with_headers, [&] { s.one_by_one(); });
    compare("the same by edit_each", 2, movers, with_headers, [&] { s.each(); });
    compare("an entity of an edit of two", 2, movers, with_headers, [&] { s.pairs(); });
    compare("an entity of an edit of ten, by add()", 0, movers, with_headers, [&] { s.tens(); });
    compare("one with its edit, by hand 48 bytes in all", 2, movers, hand, [&] { s.one_by_one(); });
    compare("by edit_each, by hand 48 bytes in all", 2, movers, hand, [&] { s.each(); });
    std::uint64_t heard = 0;
    s.stage.signals<mover>().updated.connect([&heard](const lido::entity_event& e) { heard += e.version(); });
    compare("one with its edit, and a listener", 0, movers, with_headers, [&] { s.one_by_one(); });
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

/// What a creation and an end cannot do without, by hand: a slot from a stack, an id that is made, entered and taken out again, the data and a
/// head set and scrubbed, and two entries in a ring, each with a header of 64 bytes, the whole data and the id. Nothing is checked, nothing
/// has a class, no hook may throw in the middle, and no rollback brings anything back.
struct lives_by_hand {
    using key = std::array<char, 16>;
    struct hash_of_key {
        std::size_t operator()(const key& k) const { return lido::entity_detail::quick_hash({k.data(), 16}); }
    };
    struct object {
        mover data;
        char id[64];
        std::uint64_t rest[(sizeof(lido::entity_object<mover>) - sizeof(mover)) / 8 - 8];
    };
    struct header {
        std::uint64_t words[8];
    };
#if LIDO_BENCH_HAS_FLAT_MAP
    boost::unordered_flat_map<key, std::uint64_t, hash_of_key> ids;
#else
    std::unordered_map<key, std::uint64_t, hash_of_key> ids;
#endif
    std::vector<object> all;
    std::vector<std::uint32_t> free, ended;
    std::vector<std::byte> ring = std::vector<std::byte>(std::size_t{1} << 20);
    std::uint64_t end = 0, births = 0, commits = 0;

    explicit lives_by_hand(std::size_t count) : all(count) {
        ids.reserve(count);
        ended.reserve(count);
        for (std::size_t i = count; i-- != 0;) free.push_back(static_cast<std::uint32_t>(i));
    }
    LIDO_INLINE void write(std::uint64_t kind, std::uint32_t slot) {
        const object& o = all[slot];
        const std::size_t most = sizeof(header) + 16 + sizeof(mover) + 16;
        if ((end & (ring.size() - 1)) + most > ring.size()) end += ring.size() - (end & (ring.size() - 1));
        std::byte* to = ring.data() + (end & (ring.size() - 1));
        const auto put = [&to](const auto& value) {
            std::memcpy(to, &value, sizeof(value));
            to += sizeof(value);
        };
        put(kind), put(std::uint64_t{slot}), put(births), put(++commits), put(o.rest[0]), put(o.rest[1]);
        put(std::uint64_t{7}), put(std::uint64_t{9}), put(o.rest[2]), put(std::uint64_t{slot});
        put(o.data);
        std::memcpy(to, o.id, 16);
        end += (most + 7) & ~std::size_t{7};
    }
    LIDO_INLINE std::uint32_t create(const key& id) {
        const std::uint32_t slot = free.back();
        free.pop_back();
        ids.emplace(id, slot);
        object& o = all[slot];
        o.data = {};
        std::memset(o.rest, 0, sizeof(o.rest));
        std::memcpy(o.id, id.data(), id.size());
        o.rest[0] = ++births;
        write(1, slot);
        return slot;
    }
    LIDO_INLINE std::uint32_t create() {
        key id{'~', '1', '.'};
        std::to_chars(id.data() + 3, id.data() + 16, births + 1);
        return create(id);
    }
    LIDO_INLINE void pool(std::uint32_t slot) {
        object& o = all[slot];
        ++o.rest[1];
        write(2, slot);
        key id;
        std::memcpy(id.data(), o.id, 16);
        ids.erase(id);
        ended.push_back(slot);
    }
    void tick() {
        for (const std::uint32_t slot : ended) {
            all[slot].data = {};
            std::memset(all[slot].id, 0, sizeof(object) - sizeof(mover));
            free.push_back(slot);
        }
        ended.clear();
    }
};

/// Which of so many go in the next rounds, in no order: the same for all contenders.
class random_places {
public:
    explicit random_places(std::size_t among) : among_(among) {}
    LIDO_INLINE std::size_t next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<std::size_t>(state_ % among_);
    }

private:
    std::size_t among_;
    std::uint64_t state_ = 88172645463325252u;
};

constexpr std::uint32_t lives_a_round = 512;
constexpr std::uint32_t crowd = 10'000;

/// `begin()` and `end(who)` of a contender: all at once, the last ended first used again; or one by one in a crowd.
template <class Who, class Begin, class End, class Tick>
struct life_churn {
    Begin begin;
    End end;
    Tick tick;
    std::vector<Who> all = std::vector<Who>(lives_a_round);
    random_places places{crowd};

    LIDO_BENCH_APART void in_turn() {
        for (auto& who : all) who = begin();
        for (const auto& who : all) end(who);
        tick();
    }
    void gather() {
        all.resize(tiny ? lives_a_round : crowd);
        places = random_places(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i] = begin();
            if (i % lives_a_round == 0) tick();
        }
        tick();
    }
    LIDO_BENCH_APART void at_random() {
        for (std::size_t i = 0; i < lives_a_round; ++i) {
            Who& who = all[places.next()];
            end(who);
            who = begin();
        }
        tick();
    }
};
template <class Who, class Begin, class End, class Tick>
[[nodiscard]] life_churn<Who, Begin, End, Tick> churn_of(Begin begin, End end, Tick tick) {
    return {begin, end, tick};
}

template <class T>
struct plain_world {
    lido::world world;

    explicit plain_world(std::uint32_t room) { world.add<T>("plain", {.prewarm = room, .idle_cap = room}); }
    auto churn() {
        return churn_of<lido::ref<T>>([this] { return world.spawn<T>().reference(); },
                                      [this](lido::ref<T> p) { world.return_to_pool(p); }, [this] { world.tick(); });
    }
};
struct staged_world {
    using ref = lido::entity_ref<mover>;
    lido::world world;
    lido::stage stage;
    std::vector<std::string> names;
    std::size_t next = 0;

    explicit staged_world(std::uint32_t room) : stage(world, {.ids = room}) {
        stage.add<mover>("mover", {.idle = room, .prewarm = room, .capacity = 2 * room});
        for (std::size_t i = 0; i < std::size_t{2} * room; ++i)
            names.push_back("mover-" + std::to_string(i * 7919 % 100'003));
    }
    /// One that nobody has: in a crowd an id is in use for long.
    LIDO_INLINE ref create_named() {
        for (;;) {
            const std::string& name = names[next];
            next = next + 1 == names.size() ? 0 : next + 1;
            if (const auto m = stage.create<mover>({.id = name})) return m;
        }
    }
    auto churn() {
        return churn_of<ref>([this]() -> ref { return stage.create<mover>(); }, [this](ref m) { stage.pool(m); },
                             [this] { stage.tick(); });
    }
    auto named_churn() {
        return churn_of<ref>([this] { return create_named(); }, [this](ref m) { stage.pool(m); },
                             [this] { stage.tick(); });
    }
};
auto churn_by_hand(lives_by_hand& hand) {
    return churn_of<std::uint32_t>([&hand] { return hand.create(); }, [&hand](std::uint32_t s) { hand.pool(s); },
                                   [&hand] { hand.tick(); });
}

/// The last ended is the first used again: everything is at hand.
void lives_in_turn() {
    constexpr std::uint32_t room = lives_a_round;
    plain_world<plain> at_once(room);
    plain_world<plain_that_waits> that_waits(room);
    staged_world staged(room);
    staged_world of_names(room);
    lives_by_hand hand(room);
    auto small = at_once.churn();
    auto waiting = that_waits.churn();
    auto generated = staged.churn();
    auto named = of_names.named_churn();
    auto by_hand = churn_by_hand(hand);
    const auto rounds = [](auto& churn) { return [&churn] { churn.in_turn(); }; };
    compare("create + pool, beside spawn + return", 2, room, rounds(waiting), rounds(generated));
    compare("the same with ids of the program's", 2, room, rounds(waiting), rounds(named));
    compare("the limit by hand, beside spawn + return", 0, room, rounds(waiting), rounds(by_hand));
    compare("create + pool, beside the limit by hand", 0, room, rounds(by_hand), rounds(generated));
    compare("beside a small one that ends at once", 0, room, rounds(small), rounds(generated));
}

/// In a crowd of 10 000, at random: most of it comes from far caches.
void lives_in_a_crowd() {
    plain_world<plain_that_waits> that_waits(2 * crowd);
    staged_world staged(2 * crowd);
    staged_world of_names(2 * crowd);
    lives_by_hand hand(2 * crowd);
    auto waiting = that_waits.churn();
    auto generated = staged.churn();
    auto named = of_names.named_churn();
    auto by_hand = churn_by_hand(hand);
    waiting.gather();
    generated.gather();
    named.gather();
    by_hand.gather();
    const auto steps = [](auto& churn) { return [&churn] { churn.at_random(); }; };
    compare("the same among 10 000, at random", 2, lives_a_round, steps(waiting), steps(generated));
    compare("and with ids of the program's", 2, lives_a_round, steps(waiting), steps(named));
    compare("among 10 000, the limit by hand", 0, lives_a_round, steps(waiting), steps(by_hand));
    compare("among 10 000, beside the limit by hand", 0, lives_a_round, steps(by_hand), steps(generated));
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
    lives_in_turn();
    lives_in_a_crowd();
    ids();
    idle();
    memory();
}
