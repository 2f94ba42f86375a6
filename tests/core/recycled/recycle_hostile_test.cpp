// Promise: whatever constructors, destructors and hooks do to the recycle_pool that they are called by, no more objects are active than its
// capacity, and every invariant holds.
#include "core/misuse/misuse_log.hpp"
#include "support/dose.hpp"

#include <lido/core/recycle_pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

namespace recycled_recycle_hostile_test {

using namespace lido;
using lido::test::misuse_log;

/// Calls, once, what it was told to: as it is made, begins a life, ends one, goes.
struct puppet {
    static inline std::function<void()> as_made, as_begun, as_ended, as_gone;
    static void run(std::function<void()>& once) {
        if (const auto now = std::exchange(once, {})) now();
    }
    static void calm() { as_made = as_begun = as_ended = as_gone = {}; }

    puppet() { run(as_made); }
    puppet(puppet&& other) noexcept : value(other.value) {}
    puppet(const puppet&) = delete;
    puppet& operator=(const puppet&) = delete;
    puppet& operator=(puppet&&) = delete;
    ~puppet() { run(as_gone); }
    void on_acquire(int v) {
        run(as_begun);
        value = v;
    }
    void on_release() noexcept { run(as_ended); }

    int value = 0;
};

using pool_type = recycle_pool<puppet>;

void expect_sound(const pool_type& pool, const char* after) {
    const verdict v = pool.validate();
    EXPECT_TRUE(v) << v.broken << " after " << after;
    EXPECT_LE(pool.size(), pool.capacity()) << after;
}

class a_hook : public ::testing::Test {
protected:
    void SetUp() override { puppet::calm(); }
    void TearDown() override { puppet::calm(); }
};

/// `room` objects less than the capacity live, and `waiting` wait.
void fill(pool_type& pool, std::uint32_t room, std::uint32_t waiting) {
    pool.prewarm(waiting);
    while (pool.size() + room < pool.capacity()) {
        ASSERT_TRUE(pool.acquire(0));
    }
    pool.prewarm(waiting);
}

TEST_F(a_hook, that_acquires_as_an_idle_object_begins_takes_the_last_room) {
    for (const bool grows : {false, true}) {
        pool_type pool(
            4, {.on_full = grows ? on_full::grow_to(5) : on_full::reject, .leaks = leaks::allow, .idle_cap = 8});
        fill(pool, 1, 3);
        puppet::as_begun = [&] { EXPECT_TRUE(pool.acquire(7)); };
        const auto late = pool.acquire(8);
        EXPECT_EQ(static_cast<bool>(late), grows);
        if (!grows) {
            EXPECT_EQ(pool.why_refused(), refusal::full);
        }
        expect_sound(pool, "an acquire from on_acquire");
        EXPECT_EQ(pool.size(), pool.capacity());
        EXPECT_EQ(pool.idle(), grows ? 1u : 2u) << "an object without a life waits for the next";
    }
}

TEST_F(a_hook, that_is_a_setting_and_acquires_takes_the_last_room) {
    struct plain {
        int value = 0;
    };
    using plain_pool = recycle_pool<plain>;
    static plain_pool* inner = nullptr;
    static bool again = false;
    plain_pool pool(4, {.leaks = leaks::allow, .idle_cap = 8, .get = [](plain&) {
                            if (std::exchange(again, false)) {
                                EXPECT_TRUE(inner->acquire());
                            }
                        }});
    inner = &pool;
    pool.prewarm(6);
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(pool.acquire());
    }
    again = true;
    EXPECT_FALSE(pool.acquire());
    EXPECT_EQ(pool.size(), 4u);
    EXPECT_TRUE(pool.validate());
}

TEST_F(a_hook, that_acquires_in_a_reserve_takes_the_last_room) {
    for (const bool waits : {false, true}) {
        for (const bool grows : {false, true}) {
            pool_type pool(
                4, {.on_full = grows ? on_full::grow_to(5) : on_full::reject, .leaks = leaks::allow, .idle_cap = 8});
            fill(pool, 1, waits ? 3 : 0);
            const auto chosen = pool_type::handle_type::of(3, 7);
            (waits ? puppet::as_begun : puppet::as_made) = [&] { EXPECT_TRUE(pool.acquire(7)); };
            const auto late = pool.reserve(chosen, 8);
            EXPECT_EQ(static_cast<bool>(late), grows);
            EXPECT_EQ(pool.contains(chosen), grows);
            expect_sound(pool, "an acquire in a reserve");
            if (!grows) {
                EXPECT_EQ(pool.why_refused(), refusal::full);
                // Nothing lived under that handle, so it may still be had.
                for (auto [h, object] : pool.each()) {
                    pool.release(h);
                    break;
                }
                EXPECT_TRUE(pool.reserve(chosen, 9)) << to_string(pool.why_refused());
                expect_sound(pool, "the second reserve");
            }
        }
    }
}

TEST_F(a_hook, that_acquires_as_an_idle_object_goes_for_one_that_is_adopted_takes_the_last_room) {
    pool_type pool(4, {.leaks = leaks::allow, .idle_cap = 8});
    fill(pool, 1, 5);
    ASSERT_EQ(pool.size() + pool.idle(), 8u) << "every slot holds an object, so one must go";
    puppet newcomer;
    puppet::as_gone = [&] { EXPECT_TRUE(pool.acquire(1)); };
    EXPECT_FALSE(pool.adopt_active(std::move(newcomer)));
    EXPECT_EQ(pool.why_refused(), refusal::full);
    EXPECT_EQ(pool.size(), 4u);
    expect_sound(pool, "adopt_active");
}

void expect_sound_after_a_throw(const char* what, const std::function<void(pool_type&)>& inside) {
    for (const bool grows : {false, true}) {
        for (const bool waits : {false, true}) {
            for (const bool reserves : {false, true}) {
                pool_type pool(4, {.on_full = grows ? on_full::grow_to(500) : on_full::reject,
                                   .leaks = leaks::allow,
                                   .idle_cap = 300});
                fill(pool, waits || !grows ? 1 : 0, 6);
                pool.release_if([left = 2](const puppet&) mutable { return left-- > 0; });
                if (!waits) {
                    static_cast<void>(pool.trim(0));
                }
                const auto throws = [&] {
                    inside(pool);
                    throw std::runtime_error("no");
                };
                (waits ? puppet::as_begun : puppet::as_made) = throws;
                const auto size = pool.size();
                if (reserves) {
                    EXPECT_THROW(pool.reserve(pool_type::handle_type::of(3, 9), 1), std::runtime_error) << what;
                } else {
                    EXPECT_THROW(static_cast<void>(pool.acquire(1)), std::runtime_error) << what;
                }
                puppet::calm();
                expect_sound(pool, what);
                EXPECT_EQ(pool.size(), size) << what;
                while (pool.acquire(1) && pool.size() < 300) {
                }
                expect_sound(pool, what);
            }
        }
    }
}

TEST_F(a_hook, that_changes_which_objects_wait_and_throws_has_broken_nothing) {
    expect_sound_after_a_throw("trim", [](pool_type& pool) { static_cast<void>(pool.trim()); });
    expect_sound_after_a_throw("trim to 1", [](pool_type& pool) { static_cast<void>(pool.trim(1)); });
    expect_sound_after_a_throw("prewarm", [](pool_type& pool) { pool.prewarm(9); });
    expect_sound_after_a_throw("adopt", [](pool_type& pool) { pool.adopt(puppet{}); });
    expect_sound_after_a_throw("prewarm and trim", [](pool_type& pool) {
        pool.prewarm(9);
        static_cast<void>(pool.trim());
    });
}

/// Does anything at all to its pool from anywhere.
class mischief {
public:
    mischief(std::uint32_t seed, pool_type::settings_type settings) : random_(seed), pool_(8, settings) {}
    mischief(const mischief&) = delete;
    mischief& operator=(const mischief&) = delete;
    ~mischief() { puppet::calm(); }

    void steps(int count) {
        for (int i = 0; i < count && !::testing::Test::HasFailure(); ++i) {
            set_traps();
            try {
                step();
            } catch (const std::runtime_error&) {
            }
            puppet::calm();
            expect_sound(pool_, last_);
        }
    }

private:
    [[nodiscard]] std::uint32_t any(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }

    void set_traps() {
        for (auto* const trap : {&puppet::as_made, &puppet::as_begun, &puppet::as_ended, &puppet::as_gone}) {
            *trap = {};
            if (any(3) != 0) continue;
            const bool throws = (trap == &puppet::as_made || trap == &puppet::as_begun) && any(2) == 0;
            *trap = [this, throws] {
                for (std::uint32_t n = any(3); n-- != 0;) {
                    step_inside();
                }
                if (throws) throw std::runtime_error("no");
            };
        }
    }
    /// What one hook does may not throw through a destructor.
    void step_inside() {
        try {
            step();
        } catch (const std::runtime_error&) {
        }
    }

    void step() {
        using handle = pool_type::handle_type;
        switch (any(10)) {
            case 0:
            case 1: note("acquire", [&] { keep(pool_.acquire_as({.priority = 3}, 1)); }); break;
            case 2: note("release", [&] { release_any(); }); break;
            case 3: note("reserve", [&] { keep(pool_.reserve(handle::of(any(20), any(9) * 2 + 1), 1)); }); break;
            case 4: note("prewarm", [&] { pool_.prewarm(any(12)); }); break;
            case 5: note("adopt", [&] { pool_.adopt(puppet{}); }); break;
            case 6: note("adopt_active", [&] { keep(pool_.adopt_active(puppet{})); }); break;
            case 7: note("trim", [&] { static_cast<void>(pool_.trim(any(6))); }); break;
            case 8: note("release", [&] { release_any(); }); break;
            default:
                if (any(8) == 0) note("clear", [&] { pool_.clear(); });
        }
    }
    template <class F>
    void note(const char* what, F&& f) {
        last_ = what;
        f();
    }
    void keep(const pool_type::acquired_type& got) {
        if (got) kept_.push_back(got.handle());
    }
    void release_any() {
        if (kept_.empty()) return;
        const std::size_t i = any(static_cast<std::uint32_t>(kept_.size()));
        const auto h = kept_[i];
        kept_[i] = kept_.back();
        kept_.pop_back();
        if (pool_.contains(h)) pool_.release(h);
    }

    std::mt19937 random_;
    pool_type pool_;
    std::vector<pool_type::handle_type> kept_;
    const char* last_ = "";
};

TEST_F(a_hook, that_does_anything_breaks_nothing) {
    const misuse_log log(false);
    for (std::uint32_t seed = 0; seed < lido::test::dose(50u) && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        mischief(seed, {.leaks = leaks::allow}).steps(200);
        mischief(seed, {.leaks = leaks::allow, .idle_cap = 3}).steps(200);
        mischief(seed, {.on_full = on_full::grow_to(100), .leaks = leaks::allow, .idle_cap = 12}).steps(200);
    }
}

}  // namespace recycled_recycle_hostile_test
