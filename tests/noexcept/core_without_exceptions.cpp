// The whole core, and a world, in a program without exceptions, RTTI and GoogleTest: every shape on every storage, exhaustion, rewind, images.
// It also replaces LIDO_FATAL, which has to be the same in all files of a program: this group is the one where that can be.
// (A second file in this folder has to define it the same way.)
#include <cstdio>
#include <cstdlib>

[[noreturn]] void end_by_my_rule(const char* text) noexcept;
int world_failures();   // world_without_exceptions.cpp
int entity_failures();  // entity_without_exceptions.cpp

[[noreturn]] void end_by_my_rule(const char* text) noexcept {
    std::fprintf(stderr, "my rule: %s\n", text);
    std::fflush(stderr);
    std::_Exit(77);
}
#define LIDO_FATAL(text) ::end_by_my_rule(text)

#include <lido/core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#if defined(__unix__)
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace {

int failures = 0;

#define CHECK(condition)                                                                 \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
            ++failures;                                                                  \
        }                                                                                \
    } while (false)

using lido::on_full;
using lido::options;

constexpr std::uint32_t slots = 100;

struct plain {
    std::uint32_t id = 0;
    float x = 0;
};

/// Owns memory, may be copied, writes itself into images: the elements that are not plain bytes.
struct named {
    std::string name;
    explicit named(std::uint32_t id = 0) : name("element number " + std::to_string(id)) {}
    void on_acquire(std::uint32_t id) { *this = named(id); }  // of an idle one of a recycle_pool

    void save(lido::image_writer& w) const {
        w.put(static_cast<std::uint32_t>(name.size()));
        w.put_bytes(std::as_bytes(std::span<const char>(name)));
    }
    bool load(lido::image_reader& r) {
        const auto size = r.take<std::uint32_t>();
        const auto bytes = r.take_bytes(size);
        name.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return r.ok();
    }
    void hash(lido::hasher& h) const {
        for (const char c : name) h.add(static_cast<std::uint64_t>(c));
    }
};

std::uint32_t read(const plain& p) { return p.id; }
std::uint32_t read(const named& n) {
    return static_cast<std::uint32_t>(std::strtoul(n.name.c_str() + 15, nullptr, 10));
}

/// A later life in the same slot, under a handle chosen elsewhere.
template <class Pool>
typename Pool::handle_type later(typename Pool::handle_type handle) {
    using H = typename Pool::handle_type;
    if constexpr (requires { handle.seed(); }) {
        return H::of(static_cast<std::uint32_t>(handle.index()), handle.seed() + 8u);
    } else {
        return H::of(handle.index(),
                     handle.generation() + (Pool::pool_options.generations == lido::generation_rule::none ? 0 : 8));
    }
}

/// acquire, get, release, iterate, lease, reserve, bulk: what every shape with handles has. (A ring does not reserve.)
template <class Pool>
void use(Pool& pool) {
    using H = typename Pool::handle_type;
    CHECK(pool.capacity() >= slots && pool.empty());
    std::vector<H> all;
    for (std::uint32_t i = 0; i < slots; ++i) {
        const auto made = pool.acquire(i);
        CHECK(made && read(*made) == i && pool.handle_of(*made) == made.handle());
        all.push_back(made);
    }
    CHECK(pool.size() == slots && pool.validate());
    std::uint32_t visits = 0;
    for (auto& each : pool) visits += read(each) < slots ? 1u : 0u;
    for (auto&& [handle, each] : pool.each()) visits += pool.get(handle) == &each ? 1u : 0u;
    pool.for_each([&](const auto&) { ++visits; });
    CHECK(visits == 3 * slots);
    CHECK(pool.release_if([](const auto& each) { return read(each) % 2 == 0; }) == slots / 2);
    for (std::uint32_t i = 0; i < slots; ++i) CHECK((pool.get(all[i]) != nullptr) == (i % 2 != 0));
    CHECK(pool.validate());
    {
        const auto lease = pool.lease(7u);
        CHECK(lease && read(*lease) == 7 && pool.size() == slots / 2 + 1);
    }
    CHECK(pool.size() == slots / 2);
    const H chosen = later<Pool>(all[4]);
    if constexpr (requires { pool.reserve(chosen, 44u); }) {
        CHECK(pool.reserve(chosen, 44u));
        CHECK(pool.contains(chosen) && read(*pool.get(chosen)) == 44);
        CHECK(!pool.reserve(chosen, 44u) && pool.why_refused() == lido::refusal::slot_taken);
    } else {
        CHECK(!pool.contains(chosen));
    }
    std::vector<H> more(10);
    CHECK(pool.acquire_n(more, 5u) == 10 && pool.release_n(more) == 10);
    CHECK(!pool.release(more[0]) && pool.stats().bad_releases == 1);
    pool.clear();
    CHECK(pool.empty() && !pool.contains(chosen) && pool.validate());
}

/// Snapshot, image, rewind: back to the same state, and the same handles after it.
template <class Pool>
void turn_back(Pool& pool) {
    using H = typename Pool::handle_type;
    const auto step = [&pool](std::uint32_t seed) {
        std::vector<H> made;
        for (std::uint32_t i = 0; i < 12; ++i) made.push_back(pool.acquire(seed + i));
        for (std::uint32_t i = 0; i < 12; i += 3) pool.release(made[i]);
        return made;
    };
    pool.clear();
    static_cast<void>(step(0));
    const std::uint64_t hash = pool.state_hash();
    lido::snapshot shot;
    std::vector<std::byte> image;
    CHECK(pool.save(shot));
    pool.save(image);
    const auto first = step(100);
    CHECK(pool.state_hash() != hash);
    CHECK(pool.restore(shot) && pool.state_hash() == hash && pool.validate());
    CHECK(step(100) == first);
    CHECK(pool.restore(image) && pool.state_hash() == hash && pool.validate());
    CHECK(step(100) == first);

    const std::uint64_t now = pool.state_hash();
    for (std::size_t cut = 0; cut < image.size(); cut += 7) {
        CHECK(!pool.restore(std::span<const std::byte>(image).first(cut)));
    }
    auto damaged = image;
    damaged[damaged.size() / 2] ^= std::byte{1};
    CHECK(pool.restore(damaged).error == lido::restore_error::damaged);
    CHECK(pool.state_hash() == now);

    lido::rewind<4> ticks;
    std::uint64_t hashes[6] = {};
    std::uint32_t score = 0;
    pool.clear();
    for (std::uint32_t tick = 0; tick < 6; ++tick) {
        score = tick * 10;
        hashes[tick] = pool.state_hash();
        CHECK(ticks.save(tick, pool, score));
        static_cast<void>(pool.acquire(tick));
    }
    CHECK(!ticks.restore(1, pool, score));
    CHECK(ticks.restore(3, pool, score) && score == 30 && pool.state_hash() == hashes[3]);
}

template <class Pool>
void use_and_turn_back(Pool& pool) {
    use(pool);
    turn_back(pool);
}

template <class T>
void every_shape_and_storage() {
    {
        lido::flag_pool<T, slots> pool;
        use_and_turn_back(pool);
    }
    {
        lido::inline_slot_pool<T, slots> pool;
        use_and_turn_back(pool);
    }
    {
        lido::inline_dense_pool<T, slots> pool;
        use_and_turn_back(pool);
    }
    {
        lido::slot_pool<T, options{.handle_bits = 32, .order = lido::reuse::lowest}, lido::heap_storage> pool(slots);
        use_and_turn_back(pool);
    }
    {
        lido::dense_pool<T, options{.handle_bits = 32}, lido::heap_storage> pool(slots);
        use_and_turn_back(pool);
    }
    {
        using slot = lido::slot_pool<T, options{.reuse_delay = 3}, lido::lent_storage>;
        using dense = lido::dense_pool<T, options{.reuse_delay = 3}, lido::lent_storage>;
        std::vector<std::byte> a(slot::bytes_for(slots));
        std::vector<std::byte> b(dense::bytes_for(slots));
        slot in_a{std::span<std::byte>(a)};
        dense in_b{std::span<std::byte>(b)};
        use_and_turn_back(in_a);
        use_and_turn_back(in_b);
    }
    {
        lido::slot_pool<T, options{.tracks = lido::track::priority}> slot(slots, {.on_full = on_full::grow_to(5000)});
        lido::dense_pool<T, options{.tracks = lido::track::priority}> dense(slots, {.on_full = on_full::grow_to(5000)});
        use_and_turn_back(slot);
        use_and_turn_back(dense);
        const auto grow = [](auto& pool) {
            pool.clear();
            std::uint32_t made = 0;
            while (pool.acquire(made)) ++made;
            CHECK(made == 5000 && pool.why_refused() == lido::refusal::full && pool.stats().grown != 0);
            pool.clear();
            static_cast<void>(pool.trim());
            CHECK(pool.capacity() == slots && pool.validate());
            auto moved = std::move(pool);
            CHECK(moved.acquire(1u) && pool.capacity() == 0);
        };
        grow(slot);
        grow(dense);
    }
    {
        lido::recycle_pool<T, options{.tracks = lido::track::age}> pool(slots, {.on_full = on_full::grow_to(5000)});
        use_and_turn_back(pool);
        lido::inline_recycle_pool<T, slots> in_place;
        use_and_turn_back(in_place);
    }
    {
        lido::inline_ring_pool<T, slots> in_place;
        use_and_turn_back(in_place);
        lido::ring_pool<T, options{.handle_bits = 32}> pool(slots);
        use_and_turn_back(pool);
    }
    {
        lido::inline_bytemap_pool<T, slots> in_place;
        use_and_turn_back(in_place);
        lido::bytemap_pool<T, sizeof(T) * 2> pool(slots);
        use_and_turn_back(pool);
    }
}

template <class Pool>
void run_out() {
    static std::uint32_t evicted = 0;
    const auto fill = [](Pool& pool) {
        for (std::uint32_t i = 0; i < 4; ++i) CHECK(pool.acquire_as({.priority = static_cast<std::uint8_t>(3 - i)}, i));
    };
    const auto settings = [](on_full mode) {
        return typename Pool::settings_type{.on_full = mode,
                                            .victim = [](const auto& each) { return read(each) == 1; },
                                            .on_evict = [](auto, auto& each) { evicted = read(each); }};
    };
    {
        Pool pool(settings(on_full::reject));
        fill(pool);
        CHECK(!pool.acquire(9u) && pool.why_refused() == lido::refusal::full && pool.stats().refused == 1);
    }
    {
        Pool pool(settings(on_full::replace_oldest));
        fill(pool);
        CHECK(pool.acquire(9u) && evicted == 0 && pool.stats().replaced == 1);
    }
    {
        Pool pool(settings(on_full::replace_lowest));
        fill(pool);
        CHECK(pool.acquire_as({.priority = 2}, 9u) && evicted == 3);
    }
    {
        Pool pool(settings(on_full::replace_if));
        fill(pool);
        CHECK(pool.acquire(9u) && evicted == 1);
        CHECK(!pool.acquire(9u) && pool.why_refused() == lido::refusal::full);
    }
    {
        auto kept = settings(on_full::reject);
        kept.headroom = {.above_percent = 50, .priority = 5};
        Pool pool(kept);
        CHECK(pool.acquire(1u) && pool.acquire(2u) && !pool.acquire(3u));
        CHECK(pool.why_refused() == lido::refusal::headroom && pool.acquire_as({.priority = 5}, 3u));
    }
}

template <class Pool>
void wear_out() {
    Pool pool;
    std::uint32_t lives = 0;
    while (const auto made = pool.acquire(1u)) {
        ++lives;
        pool.release(made);
    }
    CHECK(lives == 4 * 7 && pool.stats().retired == 4 && pool.full() && pool.validate());
}

void misuse_is_told() {
    static int told = 0;
    const auto before = lido::set_misuse_handler([](const lido::misuse& m) {
        told += m.kind == lido::misuse_kind::double_release && std::strcmp(m.pool, "bullets") == 0 ? 1 : 100;
    });
    lido::flag_pool<plain, 4> pool({.name = "bullets"});
    const auto made = pool.acquire(1u);
    pool.release(made);
    CHECK(!pool.release(made) && told == 1);
    lido::set_misuse_handler(before);
}

/// What a broken precondition does here is ours to say: it prints our words and exits with 77.
void fatal_is_replaced() {
#if defined(__unix__)
    int ends[2];
    CHECK(::pipe(ends) == 0);
    std::fflush(stderr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDERR_FILENO);
        lido::set_misuse_handler([](const lido::misuse&) {});
        lido::flag_pool<plain, 1,
                        options{.handle_bits = 32, .index_bits = 30, .generations = lido::generation_rule::abort}>
            pool;
        pool.release(pool.acquire(1u));
        ::_exit(0);
    }
    ::close(ends[1]);
    char text[200] = {};
    CHECK(::read(ends[0], text, sizeof text - 1) > 0);
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 77);
    CHECK(std::strcmp(text, "my rule: a slot has used up its generations (generation_rule::abort)\n") == 0);
#endif
}

/// A closed ring ends the oldest.
void go_round() {
    static std::uint32_t evicted = 0;
    lido::inline_ring_pool<named, 4> pool({.on_evict = [](auto, auto& each) { evicted = read(each); }});
    const auto first = pool.acquire(1u).handle();
    for (std::uint32_t i = 2; i < 6; ++i) CHECK(pool.acquire(i));
    CHECK(!pool.contains(first) && evicted == 1 && pool.size() == 4 && pool.stats().replaced == 1);
    CHECK(read(*pool.oldest()) == 2 && read(*pool.newest()) == 5 && pool.validate());
}

/// Objects that wait, made ahead and given back.
void wait_and_come_back() {
    lido::recycle_pool<named> pool(slots, {.idle_cap = 10});
    CHECK(pool.prewarm(8) == 8 && pool.idle() == 8);
    CHECK(pool.adopt(named(77)) && read(*pool.acquire(5u)) == 5 && pool.stats().reused == 1);
    CHECK(pool.adopt_active(named(78)) && pool.size() == 2);
    pool.clear();
    CHECK(pool.empty() && pool.idle() == 10);
    static_cast<void>(pool.trim(3));
    CHECK(pool.idle() == 3 && pool.validate());
}

template <class T>
void fill_a_list() {
    lido::capped_list<T, 6, options{.tracks = lido::track::priority}> list({.on_full = on_full::replace_lowest});
    for (std::uint32_t i = 0; i < 9; ++i) CHECK(list.push_as({.priority = static_cast<std::uint8_t>(i)}, i));
    CHECK(list.push(9u) == nullptr && list.why_refused() == lido::refusal::full && list.dropped() == 1);
    CHECK(list.full() && list.stats().replaced == 3 && list.validate());
    lido::snapshot saved;
    std::vector<std::byte> image;
    CHECK(list.save(saved));
    list.save(image);
    const std::uint64_t then = list.state_hash();
    CHECK(list.release_if([](const T& each) { return read(each) % 2 == 0; }) == 3 && list.size() == 3);
    CHECK(list.swap_remove(0) && !list.swap_remove(5) && list.release(list[0]) && list.size() == 1);
    CHECK(list.state_hash() != then && list.restore(saved) && list.state_hash() == then);
    list.clear();
    CHECK(list.empty() && list.restore(image) && list.state_hash() == then && list.validate());
    image.resize(image.size() - 1);
    CHECK(!list.restore(image) && list.state_hash() == then);
}

struct thing {
    explicit thing(std::uint32_t n) : number(n) {}
    thing(const thing&) = delete;
    thing& operator=(const thing&) = delete;
    virtual ~thing() = default;
    [[nodiscard]] virtual std::uint32_t wheels() const { return 0; }
    std::uint32_t number;
};
struct car final : thing {
    using thing::thing;
    [[nodiscard]] std::uint32_t wheels() const override { return 4; }
    double speed = 0;
};

/// Derived classes in one pool, and the map of an old save.
void hold_a_family() {
    lido::bytemap_pool<thing, 64> pool(10);
    const auto one = pool.acquire<car>(1u).handle();
    const auto two = pool.acquire(2u).handle();
    CHECK(pool.get(one)->wheels() == 4 && pool.get(two)->wheels() == 0);
    std::vector<std::byte> map;
    pool.save_map(map);
    pool.clear();
    CHECK(pool.load_map(map, [&](auto handle) { static_cast<void>(pool.reserve<car>(handle, 3u)); }));
    CHECK(pool.size() == 2 && pool.get(two)->wheels() == 4 && pool.validate());
    map.pop_back();
    CHECK(!pool.load_map(map, [](auto) {}) && pool.size() == 2);
    pool.flush();
    CHECK(pool.capacity() == 0 && !pool.acquire(1u) && pool.initialise(3) && pool.acquire(1u));
}

struct plain_columns {
    int a;
    unsigned b;
};
struct columns {
    float x, v;
    std::string name;
    int path[3];
};

void take_a_struct_apart() {
    lido::column_pool<columns> pool(slots, {.on_full = on_full::grow_to(5000)});
    const auto first = pool.acquire(columns{1, 2, "first", {1, 2, 3}}).handle();
    for (int i = 0; i < 1000; ++i) CHECK(pool.acquire(static_cast<float>(i), 1.0f));
    lido::snapshot saved;
    CHECK(pool.save(saved));
    const std::uint64_t then = pool.state_hash();
    pool.for_each<&columns::x, &columns::v>([](float& x, float v) { x += v; });
    pool.row(first) = columns{9, 9, "nine", {}};
    CHECK(pool.release_if<&columns::x>([](float x) { return x > 500; }) == 500);
    CHECK(pool.restore(saved));
    CHECK(pool.state_hash() == then && pool.validate());
    const columns whole = pool.row(first);
    CHECK(whole.name == "first" && whole.path[2] == 3);
    lido::flag_column_pool<columns> rows(70);
    const auto kept = rows.acquire(columns{1, 2, "kept", {1, 2, 3}}).handle();
    for (int i = 0; i < 60; ++i) CHECK(rows.acquire(static_cast<float>(i), 1.0f));
    CHECK(rows.save(saved));
    CHECK(rows.release_if<&columns::x>([](float x) { return x > 10; }) == 49);
    CHECK(rows.restore(saved) && rows.size() == 61 && rows.row(kept).get<&columns::name>() == "kept" &&
          rows.validate());
    lido::inline_column_pool<plain_columns, 20> inside;
    CHECK(inside.acquire(1, 2u));
    std::vector<std::byte> image;
    inside.save(image);
    inside.clear();
    CHECK(inside.restore(image) && inside.row(0).get<1>() == 2u);
    image.resize(image.size() - 1);
    CHECK(!inside.restore(image));
}

struct recycled {
    std::string name;
    void on_acquire(const char* text) { name = text; }
};

/// Ends that are taken back, and ends that are confirmed.
template <class Pool>
void wait_to_be_confirmed() {
    Pool pool(slots, {.leaks = lido::leaks::allow, .rollback = 3});
    lido::snapshot saved;
    CHECK(pool.begin_tick(1));
    const auto one = pool.acquire(1u).handle();
    CHECK(pool.save(saved));
    CHECK(pool.release(one) && pool.end_waits(one) && pool.waiting_ends() == 1);
    CHECK(pool.restore(saved) && pool.contains(one) && pool.validate());
    CHECK(pool.release(one) && pool.confirm(1) == 1);
    CHECK(pool.restore(saved).error == lido::restore_error::let_go);
    pool.forget_past();
    CHECK(pool.restore(saved) && pool.contains(one));
    CHECK(pool.begin_tick(9) && pool.validate());
}

void keep_packed() {
    lido::recycled_list<recycled> list(4, {.leaks = lido::leaks::allow, .idle_cap = 6});
    CHECK(list.prewarm(10) == 6);
    for (int i = 0; i < 4; ++i) CHECK(list.acquire("one") != nullptr);
    CHECK(list.acquire("five") == nullptr && list.why_refused() == lido::refusal::full);
    for (recycled& each : list.backward()) CHECK(list.release(each));
    CHECK(list.empty() && list.idle() == 6 && list.validate());
}

}  // namespace

int main() {
    lido::set_misuse_handler([](const lido::misuse&) {});  // the double releases below are on purpose
    every_shape_and_storage<plain>();
    every_shape_and_storage<named>();
    take_a_struct_apart();
    keep_packed();
    constexpr options confirmed{.confirmed_ends = true};
    wait_to_be_confirmed<lido::slot_pool<plain, confirmed>>();
    wait_to_be_confirmed<lido::slot_pool<named, confirmed, lido::heap_storage>>();
    wait_to_be_confirmed<lido::recycle_pool<named, confirmed>>();
    go_round();
    wait_and_come_back();
    fill_a_list<plain>();
    fill_a_list<named>();
    hold_a_family();
    failures += world_failures();
    failures += entity_failures();
    constexpr options choosy{.tracks = lido::track::priority, .headroom = true};
    run_out<lido::flag_pool<plain, 4, choosy>>();
    run_out<lido::inline_slot_pool<plain, 4, choosy>>();
    run_out<lido::inline_dense_pool<plain, 4, choosy>>();
    run_out<lido::inline_slot_pool<named, 4, choosy>>();
    run_out<lido::inline_dense_pool<named, 4, choosy>>();
    run_out<lido::inline_recycle_pool<plain, 4, choosy>>();
    run_out<lido::inline_recycle_pool<named, 4, choosy>>();
    constexpr options short_lived{.handle_bits = 32, .index_bits = 28};
    wear_out<lido::flag_pool<plain, 4, short_lived>>();
    wear_out<lido::inline_slot_pool<plain, 4, short_lived>>();
    wear_out<lido::inline_dense_pool<plain, 4, short_lived>>();
    wear_out<lido::inline_recycle_pool<plain, 4, short_lived>>();
    {
        using bare = lido::flag_pool<plain, slots, options{.generations = lido::generation_rule::none}>;
        bare pool;
        std::uint32_t made = 0;
        while (pool.acquire(made)) ++made;
        CHECK(made == slots && pool.validate());
    }
    misuse_is_told();
    fatal_is_replaced();
    if (failures != 0) std::fprintf(stderr, "%d checks failed\n", failures);
    return failures == 0 ? 0 : 1;
}
