// X2: what the hook or destructor of an end may do to its pool. It runs when a machine hears of a confirmation, and that differs from
// machine to machine: so it may look, and every change is refused in words.
#include "core/limbo/sirens.hpp"
#include "core/misuse/misuse_log.hpp"

#include <lido/core/recycle_pool.hpp>
#include <lido/core/slot_pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace limbo_reentrancy_test {

using lido::test::confirmed;

/// What the hook or destructor of object 1 does.
std::function<void()> at_the_end;
std::function<void()> at_the_beginning;

struct hooked {
    int id = 0;
    void on_acquire(int number) {
        id = number;
        if (at_the_beginning) std::exchange(at_the_beginning, nullptr)();
    }
    void on_release() noexcept {
        if (id == 1 && at_the_end) std::exchange(at_the_end, nullptr)();
    }
};

struct destroyed {
    int id = 0;
    explicit destroyed(int number) : id(number) {
        if (at_the_beginning) std::exchange(at_the_beginning, nullptr)();
    }
    destroyed(const destroyed&) = default;
    destroyed(destroyed&& other) noexcept : id(std::exchange(other.id, 0)) {}
    destroyed& operator=(const destroyed&) = default;
    destroyed& operator=(destroyed&&) noexcept = default;
    void hash(lido::hasher& h) const { h.add(static_cast<std::uint64_t>(id)); }
    ~destroyed() {
        if (id == 1 && at_the_end) std::exchange(at_the_end, nullptr)();
    }
};

template <class Pool>
class the_hook_of_an_end : public ::testing::Test {
protected:
    the_hook_of_an_end() {
        at_the_end = nullptr;
        at_the_beginning = nullptr;
        pool.begin_tick(1);
        first = pool.acquire(1).handle();
        second = pool.acquire(2).handle();
        pool.release(first);
    }
    ~the_hook_of_an_end() override {
        at_the_end = nullptr;
        at_the_beginning = nullptr;
    }

    /// confirm(), in whose hook `call` is made: it must be refused and told, and nothing but the end may have happened.
    template <class Call>
    void expect_refused(Call&& call) {
        const lido::test::misuse_log log;
        const auto hash = pool.state_hash();
        bool made = false;
        at_the_end = [&] {
            made = true;
            call();
        };
        EXPECT_EQ(pool.confirm(1), 1u);
        EXPECT_TRUE(made);
        EXPECT_EQ(pool.state_hash(), hash);
        EXPECT_GE(log.count(lido::misuse_kind::reentrant_call), 1u);
        EXPECT_EQ(log.count(), log.count(lido::misuse_kind::reentrant_call));
        EXPECT_TRUE(pool.contains(second));
        EXPECT_TRUE(pool.validate());
        // Afterwards the pool works as before.
        EXPECT_TRUE(pool.acquire(3));
    }

    Pool pool{8, {.leaks = lido::leaks::allow}};
    typename Pool::handle_type first;
    typename Pool::handle_type second;
};
using pools = ::testing::Types<lido::recycle_pool<hooked, confirmed>, lido::slot_pool<destroyed, confirmed>>;
TYPED_TEST_SUITE(the_hook_of_an_end, pools);

TYPED_TEST(the_hook_of_an_end, X2_may_look) {
    bool right = false;
    at_the_end = [&] {
        std::size_t seen = 0;
        for (const auto& each : this->pool) seen += each.id == 2 ? 1u : 0u;
        right = seen == 1 && !this->pool.contains(this->first) && this->pool.end_waits(this->first) &&
                this->pool.get(this->second)->id == 2 && this->pool.waiting_ends() == 1;
    };
    EXPECT_EQ(this->pool.confirm(1), 1u);
    EXPECT_TRUE(right);
}

TYPED_TEST(the_hook_of_an_end, X2_is_refused_an_acquire) {
    this->expect_refused([this] {
        EXPECT_FALSE(this->pool.acquire(9));
        EXPECT_EQ(this->pool.why_refused(), lido::refusal::reentrant);
    });
}

TYPED_TEST(the_hook_of_an_end, X2_is_refused_a_reserve) {
    using handle = typename TypeParam::handle_type;
    this->expect_refused([this] { EXPECT_FALSE(this->pool.reserve(handle::of(6, 1), 9)); });
}

TYPED_TEST(the_hook_of_an_end, X2_is_refused_a_release) {
    this->expect_refused([this] { EXPECT_FALSE(this->pool.release(this->second)); });
}

TYPED_TEST(the_hook_of_an_end, X2_is_refused_a_release_if) {
    this->expect_refused([this] { EXPECT_EQ(this->pool.release_if([](const auto&) { return true; }), 0u); });
}

TYPED_TEST(the_hook_of_an_end, X2_is_refused_a_clear) {
    this->expect_refused([this] { this->pool.clear(); });
}

TYPED_TEST(the_hook_of_an_end, X2_is_refused_a_tick_a_confirm_and_a_forgotten_past) {
    this->expect_refused([this] {
        EXPECT_FALSE(this->pool.begin_tick(30));
        EXPECT_EQ(this->pool.confirm(30), 0u);
        this->pool.forget_past();
    });
}

TYPED_TEST(the_hook_of_an_end, X2_is_refused_a_save_and_a_restore) {
    lido::snapshot saved;
    ASSERT_TRUE(this->pool.save(saved));
    this->expect_refused([&] {
        lido::snapshot other;
        EXPECT_FALSE(this->pool.save(other));
        EXPECT_EQ(this->pool.restore(saved).error, lido::restore_error::reentrant);
    });
}

TYPED_TEST(the_hook_of_an_end, X2_gives_back_no_memory) {
    at_the_end = [this] { EXPECT_EQ(this->pool.trim(), 0u); };
    EXPECT_EQ(this->pool.confirm(1), 1u);
    EXPECT_TRUE(this->pool.validate());
}

TYPED_TEST(the_hook_of_an_end, X2_is_refused_changes_wherever_it_runs) {
    // When a slot is due.
    {
        const lido::test::misuse_log log;
        at_the_end = [this] { EXPECT_FALSE(this->pool.release(this->second)); };
        EXPECT_TRUE(this->pool.begin_tick(9));
        EXPECT_EQ(log.count(lido::misuse_kind::reentrant_call), 1u);
        EXPECT_TRUE(this->pool.contains(this->second));
    }
    // In a restore that undoes a life.
    lido::snapshot saved;
    ASSERT_TRUE(this->pool.save(saved));
    ASSERT_TRUE(this->pool.acquire(1));
    {
        const lido::test::misuse_log log;
        at_the_end = [this] { EXPECT_FALSE(this->pool.acquire(9)); };
        ASSERT_TRUE(this->pool.restore(saved));
        EXPECT_EQ(log.count(lido::misuse_kind::reentrant_call), 1u);
    }
    EXPECT_TRUE(this->pool.validate());
    EXPECT_EQ(this->pool.size(), 1u);
    // In a clear.
    ASSERT_TRUE(this->pool.acquire(1));
    {
        const lido::test::misuse_log log;
        at_the_end = [this] { EXPECT_FALSE(this->pool.acquire(9)); };
        this->pool.clear();
        EXPECT_EQ(log.count(lido::misuse_kind::reentrant_call), 1u);
    }
    EXPECT_TRUE(this->pool.empty());
    EXPECT_TRUE(this->pool.validate());
}

TYPED_TEST(the_hook_of_an_end, X2_may_change_another_pool) {
    TypeParam other{4, {.leaks = lido::leaks::allow}};
    at_the_end = [&] { EXPECT_TRUE(other.acquire(7)); };
    EXPECT_EQ(this->pool.confirm(1), 1u);
    EXPECT_EQ(other.size(), 1u);
}

TYPED_TEST(the_hook_of_an_end, X2_of_one_part_of_a_restore_may_let_go_what_another_part_needs) {
    TypeParam other{4, {.leaks = lido::leaks::allow}};
    other.begin_tick(1);
    const auto needed = other.acquire(5).handle();
    lido::snapshot both;
    ASSERT_TRUE(lido::save(both, this->pool, other));
    ASSERT_TRUE(this->pool.acquire(1));
    other.release(needed);
    at_the_end = [&] { EXPECT_EQ(other.confirm(1), 1u); };
    ASSERT_TRUE(lido::restore(both, this->pool, other));
    ASSERT_TRUE(other.contains(needed));
    EXPECT_EQ(other.get(needed)->id, 5);
    EXPECT_TRUE(other.validate());
}

TYPED_TEST(the_hook_of_an_end, X2_may_not_tick_from_a_beginning_either_and_may_release) {
    const lido::test::misuse_log log;
    at_the_beginning = [this] {
        EXPECT_FALSE(this->pool.begin_tick(20));
        EXPECT_EQ(this->pool.confirm(20), 0u);
        EXPECT_TRUE(this->pool.release(this->second));
    };
    EXPECT_TRUE(this->pool.acquire(3));
    EXPECT_EQ(log.count(lido::misuse_kind::reentrant_call), 2u);
    EXPECT_EQ(this->pool.waiting_ends(), 2u);
    EXPECT_TRUE(this->pool.validate());
}

}  // namespace limbo_reentrancy_test
