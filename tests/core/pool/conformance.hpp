// The conformance suite (S3.8, X3): one set of tests, `TEST_P(conformance, ...)`, over every shape x storage x element x policy.
//
//   conformance_<promise>_test.cpp   the tests, written once against pool_under_test
//   conformance_<shape>_test.cpp     the pools of one shape that they run over
//
// Tests that need what not every pool has (generations, reserve, a refusal when full, an element that throws) stand in suites of
// their own, derived from it, which are instantiated over the pools of that quality only: see `pool_case`. What a shape has, but in
// its own numbers (a seed instead of a generation), the adapter tells.
//
// A pool stands behind plain virtual calls here, with handles as bits and objects as addresses and values. So each pool type is
// compiled once. (Rejected: TYPED_TEST_SUITE, where every test is compiled for every pool: 30 s and 1.2 GB a file.) The calls
// name every function of the common surface, const ones too; what a type promises at compile time is in contract_test.cpp.
#pragma once

#include "pool_cases.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lido::test {

class pool_under_test {
public:
    using bits = std::uint64_t;
    using seen = std::function<void(bits handle, const void* object, int value)>;

    /// What acquire() gave: no object when refused, and then the handle is null.
    struct given {
        bits handle = 0;
        const void* object = nullptr;
        int value = torn;
        explicit operator bool() const { return object != nullptr; }
    };

    enum class way { range_for, range_for_const, each, each_const, for_each, for_each_const };
    static constexpr std::array ways{way::range_for,  way::range_for_const, way::each,
                                     way::each_const, way::for_each,        way::for_each_const};

    pool_under_test() = default;
    pool_under_test(const pool_under_test&) = delete;
    pool_under_test& operator=(const pool_under_test&) = delete;
    virtual ~pool_under_test() = default;

    // what it is
    [[nodiscard]] virtual const char* shape() const = 0;
    [[nodiscard]] virtual bool generations() const = 0;
    [[nodiscard]] virtual bool tells_lives() const = 0;
    [[nodiscard]] virtual bool keeps_objects() const = 0;  // they wait, constructed, when their life has ended
    [[nodiscard]] virtual std::size_t alignment() const = 0;
    [[nodiscard]] virtual std::uint32_t last_generation() const = 0;
    [[nodiscard]] virtual std::uint32_t max_index() const = 0;
    [[nodiscard]] virtual bits of(std::uint32_t index, std::uint32_t generation) const = 0;
    [[nodiscard]] virtual bits from_bits(std::uint64_t random) const = 0;
    [[nodiscard]] virtual std::uint32_t index(bits handle) const = 0;
    [[nodiscard]] virtual std::uint32_t generation(bits handle) const = 0;
    [[nodiscard]] virtual bits null() const = 0;

    // what its generations mean, by the shape
    [[nodiscard]] virtual std::uint32_t when_ended(std::uint32_t life) const = 0;  // of the slot, as reports tell it
    [[nodiscard]] virtual std::uint32_t next_life(std::uint32_t life) const = 0;
    /// How a release of a handle that was never issued is reported.
    [[nodiscard]] virtual misuse_kind told_of_stranger(bits handle) const = 0;
    /// How a release of an object in a slot where nothing lives is reported.
    [[nodiscard]] virtual misuse_kind told_of_empty_place() const = 0;

    // the common surface
    virtual given acquire(int seed) = 0;
    virtual given acquire_as(std::uint8_t priority, int seed) = 0;
    virtual given reserve(bits handle, int seed) = 0;
    virtual std::uint32_t acquire_n(std::span<bits> out, int seed) = 0;
    virtual bool release(bits handle) = 0;
    virtual bool release_object(const void* object) = 0;
    virtual std::uint32_t release_n(std::span<const bits> handles) = 0;
    virtual std::uint32_t release_if(const std::function<bool(int)>& gone) = 0;
    virtual void clear() = 0;
    [[nodiscard]] virtual const void* get(bits handle) = 0;
    [[nodiscard]] virtual const void* get_const(bits handle) const = 0;
    [[nodiscard]] virtual bool contains(bits handle) const = 0;
    [[nodiscard]] virtual bits handle_of(const void* object) const = 0;
    [[nodiscard]] virtual int read(bits handle) = 0;  // torn when not found
    virtual void visit(way how, const seen& f) = 0;
    [[nodiscard]] virtual std::uint32_t size() const = 0;
    [[nodiscard]] virtual std::uint32_t capacity() const = 0;
    [[nodiscard]] virtual std::uint32_t max_capacity() const = 0;
    [[nodiscard]] virtual bool full() const = 0;
    [[nodiscard]] virtual bool empty() const = 0;
    [[nodiscard]] virtual lido::refusal why_refused() const = 0;
    [[nodiscard]] virtual pool_stats stats() const = 0;
    [[nodiscard]] virtual verdict validate() const = 0;
    virtual std::size_t trim() = 0;

    // leases, in numbered places
    static constexpr std::size_t places = 4;
    virtual void lease(std::size_t at, int seed) = 0;
    virtual void end_lease(std::size_t at) = 0;  // end of its scope
    virtual void move_lease(std::size_t from,
                            std::size_t to) = 0;  // by construction into an empty place, else by assignment
    virtual bits keep_lease(std::size_t at) = 0;
    virtual void reset_lease(std::size_t at) = 0;
    [[nodiscard]] virtual bool lease_holds(std::size_t at) const = 0;
    [[nodiscard]] virtual bits lease_handle(std::size_t at) const = 0;
    [[nodiscard]] virtual const void* lease_object(std::size_t at) const = 0;

    // moving and ending: all calls above go to one of two pools
    virtual void make_second() = 0;            // a second pool of the same size
    virtual void use(std::size_t which) = 0;   // 0: the first, 1: the second
    virtual void move_construct_second() = 0;  // from the first
    virtual void move_assign(std::size_t to) = 0;
    virtual void swap_pools() = 0;
    virtual void end_pool() = 0;  // both; nothing else may be called then but the leases

    /// An object outside of every pool.
    virtual void with_object_of_elsewhere(const std::function<void(const void*)>& f) = 0;

    /// The next n constructions succeed, then one throws. Only for elements that can.
    virtual void fail_after(std::size_t n) = 0;
};

/// How the suite sees an object that a pool gives: where it lies and what it holds.
template <class Pool>
struct object_face {
    using T = typename Pool::value_type;
    static const void* place(const T& object) { return &object; }
    static const void* place(const T* object) { return object; }
    static int read(const T& object) { return object.read(); }
    static const T& at(const Pool&, const void* place) { return *static_cast<const T*>(place); }
};

/// A row lies where its first field does. A place that is none of the pool's is no row of it.
template <class T, options Options, class Storage, class Tag>
struct object_face<column_pool<T, Options, Storage, Tag>> {
    using pool = column_pool<T, Options, Storage, Tag>;
    using row = typename pool::const_reference;
    static const void* place(row object) { return &object.template get<0>(); }
    static const void* place(typename pool::const_pointer object) { return object ? place(*object) : nullptr; }
    static int read(row object) { return T::read(object); }
    static row at(const pool& from, const void* place) {
        const auto first = reinterpret_cast<std::uintptr_t>(from.template column<0>().data());
        const auto at = reinterpret_cast<std::uintptr_t>(place);
        const std::size_t size = sizeof(from.template column<0>()[0]);
        if (first == 0 || at < first || at >= first + from.capacity() * size) return {nullptr, 0};
        return {&from, static_cast<std::uint32_t>((at - first) / size)};
    }
};

/// Where the first row lies is known from one that lives.
template <class T, options Options, class Storage, class Tag>
struct object_face<flag_column_pool<T, Options, Storage, Tag>> {
    using pool = flag_column_pool<T, Options, Storage, Tag>;
    using row = typename pool::const_reference;
    static const void* place(row object) { return &object.template get<0>(); }
    static const void* place(typename pool::const_pointer object) { return object ? place(*object) : nullptr; }
    static int read(row object) { return T::read(object); }
    static row at(const pool& from, const void* place) {
        for (row live : from) {  // NOLINT(performance-for-range-copy): a row is a reference
            const std::size_t size = sizeof(live.template get<0>());
            const auto first = reinterpret_cast<std::uintptr_t>(&live.template get<0>()) - live.index() * size;
            const auto at = reinterpret_cast<std::uintptr_t>(place);
            if (at < first || at >= first + from.capacity() * size) break;
            return {&from, static_cast<std::uint32_t>((at - first) / size)};
        }
        return {nullptr, 0};
    }
};

/// What a handle's second number means. Generations: odd for a life, even for none.
template <class Handle>
struct life_face {
    static constexpr std::uint32_t last = Handle::last_generation;
    static constexpr misuse_kind empty_place = misuse_kind::foreign_object;
    static std::uint32_t life(Handle handle) { return handle.generation(); }
    static std::uint32_t when_ended(std::uint32_t life) { return life + 1; }
    static std::uint32_t next(std::uint32_t life) { return life + 2; }
    static misuse_kind stranger(Handle, std::uint32_t) { return misuse_kind::wild_handle; }
};

/// Seeds: all 128 name lives, so one that was not issued cannot be told from one of long ago.
template <class T, class Tag>
struct life_face<bytemap_handle<T, Tag>> {
    using handle = bytemap_handle<T, Tag>;
    static constexpr std::uint32_t last = 127;
    static constexpr misuse_kind empty_place = misuse_kind::double_release;
    static std::uint32_t life(handle h) { return h.seed(); }
    static std::uint32_t when_ended(std::uint32_t life) { return life; }
    static std::uint32_t next(std::uint32_t life) { return (life + 1) % 128; }
    static misuse_kind stranger(handle h, std::uint32_t capacity) {
        const bool slot = h.index() >= 0 && static_cast<std::uint32_t>(h.index()) < capacity;
        return slot && h.state() == h.seed() ? misuse_kind::stale_release : misuse_kind::wild_handle;
    }
};

/// A handle says which of the lives in its slot it means.
template <class Pool>
inline constexpr bool tells_lives_apart = has_generations<Pool>;
template <class Base, std::size_t SlotBytes, class Storage, class Tag>
inline constexpr bool tells_lives_apart<bytemap_pool<Base, SlotBytes, Storage, Tag>> = true;

/// Handles chosen elsewhere.
template <class Pool>
concept reserving = requires(Pool& pool, typename Pool::handle_type handle) { pool.reserve(handle, 1); };

template <class Pool>
class pool_adapter final : public pool_under_test {
    using T = typename Pool::value_type;
    using face = object_face<Pool>;
    using reference = typename Pool::reference;
    using const_reference = typename Pool::const_reference;
    using handle_type = typename Pool::handle_type;
    using lease_type = typename Pool::lease_type;
    using raw = std::make_unsigned_t<typename handle_type::bits_type>;
    using lives = life_face<handle_type>;

    static_assert(lido::pool<Pool> && (acquires<Pool, int> || !reserving<Pool>));

public:
    explicit pool_adapter(std::uint32_t slots) : slots_(slots), first_(std::make_unique<made_pool<Pool>>(slots)) {
        buffers_[0] = first_->buffer();
        use(0);
    }

    const char* shape() const override { return Pool::shape; }
    bool generations() const override { return has_generations<Pool>; }
    bool tells_lives() const override { return tells_lives_apart<Pool>; }
    bool keeps_objects() const override {
        return requires { pool_->idle(); };
    }
    std::size_t alignment() const override { return alignof(T); }
    std::uint32_t last_generation() const override { return lives::last; }
    std::uint32_t max_index() const override { return handle_type::max_slots; }
    bits of(std::uint32_t index, std::uint32_t generation) const override {
        return plain(handle_type::of(index, generation));
    }
    bits from_bits(std::uint64_t random) const override { return static_cast<raw>(random); }
    std::uint32_t index(bits handle) const override { return static_cast<std::uint32_t>(typed(handle).index()); }
    std::uint32_t generation(bits handle) const override { return lives::life(typed(handle)); }
    bits null() const override { return plain(handle_type{}); }
    std::uint32_t when_ended(std::uint32_t life) const override { return lives::when_ended(life); }
    std::uint32_t next_life(std::uint32_t life) const override { return lives::next(life); }
    misuse_kind told_of_stranger(bits handle) const override { return lives::stranger(typed(handle), capacity()); }
    misuse_kind told_of_empty_place() const override { return lives::empty_place; }

    given acquire(int seed) override { return told(pool_->acquire(seed)); }
    given acquire_as(std::uint8_t priority, int seed) override {
        return told(pool_->acquire_as({.priority = priority}, seed));
    }
    given reserve([[maybe_unused]] bits handle, [[maybe_unused]] int seed) override {
        if constexpr (reserving<Pool>) {
            return told(pool_->reserve(typed(handle), seed));
        } else {
            ADD_FAILURE() << "this shape does not reserve";
            return {null(), nullptr, torn};
        }
    }
    std::uint32_t acquire_n(std::span<bits> out, int seed) override {
        std::vector<handle_type> handles(out.size(), handle_type::of(1, 1));
        const auto copy = [&] {
            for (std::size_t i = 0; i < out.size(); ++i) out[i] = plain(handles[i]);
        };
        std::uint32_t done = 0;
        try {
            done = pool_->acquire_n(handles, seed);
        } catch (...) {
            copy();
            throw;
        }
        copy();
        return done;
    }
    bool release(bits handle) override { return pool_->release(typed(handle)); }
    bool release_object(const void* object) override { return pool_->release(face::at(*pool_, object)); }
    std::uint32_t release_n(std::span<const bits> handles) override {
        std::vector<handle_type> all;
        for (const bits handle : handles) all.push_back(typed(handle));
        return pool_->release_n(all);
    }
    std::uint32_t release_if(const std::function<bool(int)>& gone) override {
        return pool_->release_if([&gone](const_reference object) { return gone(face::read(object)); });
    }
    void clear() override { pool_->clear(); }
    const void* get(bits handle) override { return face::place(pool_->get(typed(handle))); }
    const void* get_const(bits handle) const override { return face::place(std::as_const(*pool_).get(typed(handle))); }
    bool contains(bits handle) const override { return pool_->contains(typed(handle)); }
    bits handle_of(const void* object) const override { return plain(pool_->handle_of(face::at(*pool_, object))); }
    int read(bits handle) override {
        const auto object = pool_->get(typed(handle));
        return object != nullptr ? face::read(*object) : torn;
    }
    void visit(way how, const seen& f) override {
        const Pool& fixed = *pool_;
        const auto alone = [&](const_reference object) {
            f(plain(pool_->handle_of(object)), face::place(object), face::read(object));
        };
        switch (how) {
            case way::range_for:
                for (reference object : *pool_) alone(object);  // NOLINT(performance-for-range-copy): a row, perhaps
                break;
            case way::range_for_const:
                for (const_reference object : fixed) alone(object);  // NOLINT(performance-for-range-copy)
                break;
            case way::each:
                for (auto [handle, object] : pool_->each()) f(plain(handle), face::place(object), face::read(object));
                break;
            case way::each_const:
                for (auto [handle, object] : fixed.each()) f(plain(handle), face::place(object), face::read(object));
                break;
            case way::for_each: pool_->for_each([&](reference object) { alone(object); }); break;
            case way::for_each_const: fixed.for_each([&](const_reference object) { alone(object); }); break;
        }
    }
    std::uint32_t size() const override { return pool_->size(); }
    std::uint32_t capacity() const override { return pool_->capacity(); }
    std::uint32_t max_capacity() const override { return pool_->max_capacity(); }
    bool full() const override { return pool_->full(); }
    bool empty() const override { return pool_->empty(); }
    lido::refusal why_refused() const override { return pool_->why_refused(); }
    pool_stats stats() const override { return pool_->stats(); }
    verdict validate() const override { return pool_->validate(); }
    std::size_t trim() override { return pool_->trim(); }

    void lease(std::size_t at, int seed) override { leases_.at(at).emplace(pool_->lease(seed)); }
    void end_lease(std::size_t at) override { leases_.at(at).reset(); }
    void move_lease(std::size_t from, std::size_t to) override {
        if (leases_.at(to)) {
            *leases_.at(to) = std::move(*leases_.at(from));
        } else {
            leases_.at(to).emplace(std::move(*leases_.at(from)));
        }
    }
    bits keep_lease(std::size_t at) override { return plain(leases_.at(at)->keep()); }
    void reset_lease(std::size_t at) override { leases_.at(at)->reset(); }
    bool lease_holds(std::size_t at) const override { return static_cast<bool>(*leases_.at(at)); }
    bits lease_handle(std::size_t at) const override { return plain(leases_.at(at)->handle()); }
    const void* lease_object(std::size_t at) const override { return face::place(leases_.at(at)->get()); }

    void make_second() override {
        second_ = std::make_unique<made_pool<Pool>>(slots_);
        buffers_[1] = second_->buffer();
    }
    void use(std::size_t which) override {
        pool_ = which == 0 ? &first_->pool() : second_ ? &second_->pool() : &*moved_;
    }
    void move_construct_second() override {
        if constexpr (std::is_move_constructible_v<Pool>) moved_.emplace(std::move(first_->pool()));
    }
    void move_assign([[maybe_unused]] std::size_t to) override {
        if constexpr (std::is_move_constructible_v<Pool>) {
            use(1 - to);
            Pool& from = *pool_;
            use(to);
            *pool_ = std::move(from);
        }
    }
    void swap_pools() override {
        if constexpr (std::is_move_constructible_v<Pool>) std::swap(first_->pool(), second_->pool());
    }
    void end_pool() override {
        pool_ = nullptr;
        moved_.reset();
        second_.reset();
        first_.reset();
    }

    void with_object_of_elsewhere(const std::function<void(const void*)>& f) override {
        const T alone{5};
        f(&alone);
        EXPECT_EQ(alone.read(), 5);
    }
    void fail_after([[maybe_unused]] std::size_t n) override {
        if constexpr (requires { T::fail_after(n); }) {
            T::fail_after(n);
        } else {
            ADD_FAILURE() << "this element cannot throw on request";
        }
    }

private:
    static handle_type typed(bits handle) {
        return handle_type::from_bits(static_cast<typename handle_type::bits_type>(static_cast<raw>(handle)));
    }
    static bits plain(handle_type handle) { return static_cast<raw>(handle.to_bits()); }
    static given told(const typename Pool::acquired_type& made) {
        if (!made) {
            EXPECT_TRUE(made.get() == nullptr && !made.handle()) << "a refused acquire gives neither object nor handle";
            return {plain({}), nullptr, torn};
        }
        const handle_type converted = made;
        EXPECT_TRUE(converted == made.handle() && face::place(*made) == face::place(made.get()));
        return {plain(made.handle()), face::place(made.get()), face::read(*made)};
    }

    std::uint32_t slots_;
    std::array<std::shared_ptr<std::vector<std::byte>>, 2> buffers_;  // pools swap them, so they outlive both
    std::unique_ptr<made_pool<Pool>> first_;
    std::unique_ptr<made_pool<Pool>> second_;
    std::optional<Pool> moved_;  // what the first was moved to
    Pool* pool_ = nullptr;
    std::array<std::optional<lease_type>, places> leases_;
};

/// More than one word of the maps, and not a whole number of them.
inline constexpr std::uint32_t case_slots = 100;

/// A pool to test, and its qualities.
struct pool_case {
    std::string name;
    std::unique_ptr<pool_under_test> (*make)();
    bool generations;  // false: a handle may name a later life in its slot
    bool tells_lives;  // false: it means whatever lives in its slot now
    bool refuses;      // a full pool; false: it ends the oldest
    bool replaces;     // the other way round
    bool reserves;     // builds under handles chosen elsewhere
    bool odd_lives;    // generations of lives are odd
    bool movable;      // false: inline storage
    bool throws;       // the element throws on request
};

template <class Pool>
inline constexpr bool always_replaces = false;
template <class T, options Options, class Storage, class Tag>
inline constexpr bool always_replaces<ring_pool<T, Options, Storage, Tag>> = true;

template <class Pool>
[[nodiscard]] pool_case a_case(const char* name) {
    constexpr bool throws = requires { Pool::value_type::fail_after(0); };
    return {
        .name = name,
        .make = []() -> std::unique_ptr<pool_under_test> { return std::make_unique<pool_adapter<Pool>>(case_slots); },
        .generations = has_generations<Pool>,
        .tells_lives = tells_lives_apart<Pool>,
        .refuses = !always_replaces<Pool>,
        .replaces = always_replaces<Pool>,
        .reserves = reserving<Pool>,
        .odd_lives = requires {Pool::handle_type::last_generation;
}
, .movable = std::is_move_constructible_v<Pool>, .throws = throws,
};  // namespace lido::test
}

/// Those that have all these qualities.
template <class... Qualities>
[[nodiscard]] std::vector<pool_case> those(const std::vector<pool_case>& all, Qualities... qualities) {
    std::vector<pool_case> some;
    for (const pool_case& one : all) {
        if (((one.*qualities) && ...)) some.push_back(one);
    }
    return some;
}

/// For INSTANTIATE_TEST_SUITE_P: the name of a case, and not its bytes in the failure's text.
struct case_name {
    std::string operator()(const ::testing::TestParamInfo<pool_case>& info) const { return info.param.name; }
};
inline void PrintTo(const pool_case& one, std::ostream* out) { *out << one.name; }

/// A pool of case_slots, reports caught, every element's life accounted for, and the pool valid at the end.
class conformance : public ::testing::TestWithParam<pool_case> {
protected:
    using bits = pool_under_test::bits;

    conformance() : pool_(GetParam().make()) {}
    void TearDown() override {
        if (!ended_) {
            EXPECT_TRUE(valid(*pool_));
        }
    }

    [[nodiscard]] pool_under_test& pool() { return *pool_; }
    [[nodiscard]] std::vector<bits> fill(int first = 0) {
        std::vector<bits> handles;
        while (!pool_->full()) {
            const auto one = pool_->acquire(first + static_cast<int>(handles.size()));
            if (!one) break;
            handles.push_back(one.handle);
        }
        return handles;
    }
    void end_pool() {
        ended_ = true;
        pool_->end_pool();
    }
    /// The i-th of these handles still names the object made from seed i, and there are no others.
    void expect_only(const std::vector<bits>& handles, int first = 0) {
        EXPECT_EQ(pool_->size(), handles.size());
        for (std::size_t i = 0; i < handles.size(); ++i) {
            ASSERT_EQ(pool_->read(handles[i]), first + static_cast<int>(i));
        }
        EXPECT_TRUE(valid(*pool_));
    }

    // --- for reserve() ---

    /// A later life where handles tell one from another; else the only one there is.
    [[nodiscard]] std::uint32_t life(std::uint32_t wanted) const { return pool_->tells_lives() ? wanted : 1; }

    void expect_reserve_refused(bits handle, lido::refusal why) {
        const auto before = pool_->stats();
        EXPECT_FALSE(pool_->reserve(handle, -1));
        EXPECT_EQ(pool_->why_refused(), why) << to_string(pool_->why_refused());
        EXPECT_EQ(pool_->stats().refused, before.refused + 1);
        EXPECT_EQ(pool_->stats().acquired, before.acquired);
        EXPECT_EQ(pool_->size(), before.size);
        EXPECT_EQ(pool_->capacity(), before.capacity);
        EXPECT_TRUE(valid(*pool_));
    }

    /// Fills the pool, in which `live` are, and checks that each slot is in use exactly once.
    void expect_fills_without_twins(std::vector<bits> live) {
        const auto rest = fill(1000);
        live.insert(live.end(), rest.begin(), rest.end());
        std::set<std::uint32_t> slots;
        for (const bits handle : live) {
            EXPECT_TRUE(pool_->contains(handle));
            EXPECT_TRUE(slots.insert(pool_->index(handle)).second)
                << "slot " << pool_->index(handle) << " was given twice";
        }
        EXPECT_EQ(slots.size(), pool_->capacity());
        EXPECT_EQ(pool_->size(), pool_->capacity());
        EXPECT_TRUE(valid(*pool_));
    }

    [[nodiscard]] std::vector<bits> live_handles() {
        std::vector<bits> live;
        pool_->visit(pool_under_test::way::each, [&](bits handle, const void*, int) { live.push_back(handle); });
        return live;
    }

    lifetime_scope lives_;
    misuse_watch misuses_;

private:
    std::unique_ptr<pool_under_test> pool_;
    bool ended_ = false;
};

/// The tests that need what not every pool has. A list of pools none of which has it gives no tests.
class conformance_generations : public conformance {};
class conformance_told_lives : public conformance {};
class conformance_next_life : public conformance {};
class conformance_refusing : public conformance {};
class conformance_replacing : public conformance {};
class conformance_moving : public conformance {};
class conformance_throwing : public conformance {};
class conformance_reserving : public conformance {};
class conformance_reserving_generations : public conformance {};
class conformance_reserving_odd_lives : public conformance {};
class conformance_reserving_moving : public conformance {};
class conformance_reserving_throwing : public conformance {};

#define LIDO_TEST_THOSE(prefix, list, suite, ...) \
    INSTANTIATE_TEST_SUITE_P(prefix, suite, ::testing::ValuesIn(those(list, __VA_ARGS__)), case_name{})

/// All of them over one list of pools, under one name.
#define LIDO_TEST_POOLS(prefix, list)                                                                                \
    INSTANTIATE_TEST_SUITE_P(prefix, conformance, ::testing::ValuesIn(list), case_name{});                           \
    LIDO_TEST_THOSE(prefix, list, conformance_generations, &pool_case::generations);                                 \
    LIDO_TEST_THOSE(prefix, list, conformance_told_lives, &pool_case::tells_lives);                                  \
    LIDO_TEST_THOSE(prefix, list, conformance_next_life, &pool_case::tells_lives, &pool_case::refuses);              \
    LIDO_TEST_THOSE(prefix, list, conformance_refusing, &pool_case::refuses);                                        \
    LIDO_TEST_THOSE(prefix, list, conformance_replacing, &pool_case::replaces);                                      \
    LIDO_TEST_THOSE(prefix, list, conformance_moving, &pool_case::movable);                                          \
    LIDO_TEST_THOSE(prefix, list, conformance_throwing, &pool_case::throws);                                         \
    LIDO_TEST_THOSE(prefix, list, conformance_reserving, &pool_case::reserves);                                      \
    LIDO_TEST_THOSE(prefix, list, conformance_reserving_generations, &pool_case::reserves, &pool_case::generations); \
    LIDO_TEST_THOSE(prefix, list, conformance_reserving_odd_lives, &pool_case::reserves, &pool_case::odd_lives);     \
    LIDO_TEST_THOSE(prefix, list, conformance_reserving_moving, &pool_case::reserves, &pool_case::movable);          \
    LIDO_TEST_THOSE(prefix, list, conformance_reserving_throwing, &pool_case::reserves, &pool_case::throws)

}  // namespace lido::test
