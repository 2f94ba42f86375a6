// Promise (X5, S2.8): a slot that is out of generations is retired, wraps or aborts, as chosen; under retire no two lives of a pool
// ever have the same handle; a reuse delay is kept to the slot and cut short only when nothing else is free.
#include "pool_cases.hpp"

#include <set>

namespace pool_generations_test {

using namespace lido;
using namespace lido::test;

// 4 bits of generation: a slot lives 7 times (1, 3, ..., 13).
constexpr std::uint32_t lives_a_slot = 7;
constexpr options tiny{.handle_bits = 32, .index_bits = 28};
constexpr options tiny_lowest{.handle_bits = 32, .index_bits = 28, .order = reuse::lowest};
constexpr options tiny_delay{.handle_bits = 32, .index_bits = 28, .reuse_delay = 3};
constexpr options tiny_age{.handle_bits = 32, .index_bits = 28, .tracks = track::age, .reuse_delay = 70};
constexpr options tiny_wrap{.handle_bits = 32, .index_bits = 28, .generations = generation_rule::wrap};
constexpr options tiny_wrap_delay{
    .handle_bits = 32, .index_bits = 28, .generations = generation_rule::wrap, .reuse_delay = 3};
constexpr options tiny_abort{.handle_bits = 32, .index_bits = 28, .generations = generation_rule::abort};
static_assert(handle32<int, void, 28>::last_generation == 2 * lives_a_slot);

constexpr std::uint32_t slots = 70;  // more than one word

template <class Pool>
class retiring : public ::testing::Test {
protected:
    retiring() : made_(slots) {}
    [[nodiscard]] Pool& pool() { return made_.pool(); }

    /// Every acquire goes through here: no handle is ever given twice.
    typename Pool::handle_type acquire() {
        const auto one = pool().acquire(static_cast<int>(given_.size()));
        if (!one) return {};
        EXPECT_TRUE(given_.insert(one.handle().to_bits()).second) << "a handle was given twice";
        EXPECT_EQ(one.handle().generation() % 2, 1u);
        return one;
    }
    void expect_worn_out() {
        EXPECT_TRUE(valid(pool()));
        EXPECT_TRUE(pool().empty());
        EXPECT_TRUE(pool().full());
        EXPECT_EQ(pool().stats().retired, slots);
        EXPECT_FALSE(pool().acquire(1));
        EXPECT_EQ(pool().why_refused(), lido::refusal::full);
        for (const std::uint32_t bits : given_) ASSERT_FALSE(pool().contains(Pool::handle_type::from_bits(bits)));
        pool().clear();
        static_cast<void>(pool().trim());
        EXPECT_EQ(pool().stats().retired, slots);
        EXPECT_FALSE(pool().acquire(1));
        EXPECT_FALSE(pool().reserve(Pool::handle_type::of(3, 13), 1));
        EXPECT_EQ(pool().why_refused(), lido::refusal::generation_passed);
        EXPECT_TRUE(valid(pool()));
    }

    lifetime_scope lives_;
    misuse_watch misuses_;
    made_pool<Pool> made_;
    std::set<std::uint32_t> given_;
};

using retiring_pools =
    ::testing::Types<flag_pool<trivial16, slots, tiny>, flag_pool<counting, slots, tiny>, slot_pool<trivial16, tiny>,
                     slot_pool<counting, tiny, heap_storage>, slot_pool<trivial16, tiny_lowest>,
                     slot_pool<counting, tiny_delay>, slot_pool<trivial16, tiny_age>, dense_pool<trivial16, tiny>,
                     dense_pool<counting, tiny_delay>, dense_pool<trivial16, tiny_age>>;
TYPED_TEST_SUITE(retiring, retiring_pools);

TYPED_TEST(retiring, one_slot_after_the_other_wears_out_and_is_counted) {
    std::uint32_t total = 0;
    while (const auto handle = this->acquire()) {
        ++total;
        ASSERT_TRUE(this->pool().release(handle));
        ASSERT_TRUE(valid(this->pool()));
        ASSERT_LE(total, lives_a_slot * slots);
    }
    EXPECT_EQ(total, lives_a_slot * slots);  // not one life was lost, and not one slot lived on
    this->expect_worn_out();
    EXPECT_EQ(this->misuses_.total(), 0u);
}

TYPED_TEST(retiring, no_two_acquires_ever_give_the_same_handle) {  // S2.8, exhaustively: until nothing is left
    std::vector<typename TypeParam::handle_type> live;
    std::uint32_t random = 7;
    const auto next = [&random] { return (random = random * 1664525u + 1013904223u) >> 8; };
    std::uint32_t worn = 0;
    for (std::uint32_t step = 0; this->given_.size() < lives_a_slot * slots; ++step) {
        ASSERT_LT(step, 100000u) << "it never wears out";
        if (next() % 2 == 0) {
            if (const auto handle = this->acquire()) live.push_back(handle);
        } else if (!live.empty()) {
            const std::size_t i = next() % live.size();
            ASSERT_TRUE(this->pool().release(live[i]));
            live[i] = live.back();
            live.pop_back();
        }
        if (step % 5 == 0) {
            ASSERT_TRUE(valid(this->pool())) << "after step " << step;
        }
        EXPECT_GE(this->pool().stats().retired, worn);
        worn = this->pool().stats().retired;
        EXPECT_EQ(this->pool().full(), live.size() + worn >= slots);
        EXPECT_EQ(this->pool().size(), live.size());
    }
    for (const auto handle : live) EXPECT_TRUE(this->pool().release(handle));
    this->expect_worn_out();
}

TYPED_TEST(retiring, clear_uses_up_a_generation_and_retires_at_the_last) {
    for (std::uint32_t round = 1; round <= lives_a_slot; ++round) {
        for (std::uint32_t i = 0; i < slots; ++i) ASSERT_TRUE(this->acquire()) << round;
        EXPECT_EQ(this->pool().stats().retired, 0u);
        this->pool().clear();
        ASSERT_TRUE(valid(this->pool())) << round;
    }
    this->expect_worn_out();
}

TYPED_TEST(retiring, clear_retires_only_the_slots_that_are_at_their_last) {
    // Half of the slots are at their last life, a quarter has retired before.
    std::vector<typename TypeParam::handle_type> live;
    for (std::uint32_t i = 0; i < slots; ++i) {
        const std::uint32_t life = i % 4 == 3 ? 1 : 13;
        const auto one = this->pool().reserve(TypeParam::handle_type::of(i, life), 1);
        ASSERT_TRUE(one);
        this->given_.insert(one.handle().to_bits());
        if (i % 4 == 2) {
            EXPECT_TRUE(this->pool().release(one.handle()));
        } else {
            live.push_back(one);
        }
    }
    EXPECT_TRUE(valid(this->pool()));
    const std::uint32_t before = this->pool().stats().retired;
    EXPECT_EQ(before, 17u);  // 2, 6, ..., 66
    this->pool().clear();
    ASSERT_TRUE(valid(this->pool()));
    EXPECT_EQ(this->pool().stats().retired, slots - 17u);  // all but 3, 7, ..., 67
    for (const auto handle : live) EXPECT_FALSE(this->pool().contains(handle));
    std::set<std::uint32_t> usable;
    while (const auto handle = this->acquire()) {
        EXPECT_EQ(handle.index() % 4, 3u);
        EXPECT_EQ(handle.generation(), 3u);
        usable.insert(handle.index());
    }
    EXPECT_EQ(usable.size(), 17u);
}

TEST(retiring_and_growing, every_slot_of_the_cap_lives_its_lives_and_no_more) {
    const auto wear = []<class Pool>(Pool&& pool) {
        std::set<std::uint32_t> given;
        std::vector<typename Pool::handle_type> live;
        std::uint32_t random = 99;
        const auto next = [&random] { return (random = random * 1664525u + 1013904223u) >> 8; };
        for (std::uint32_t step = 0; given.size() < lives_a_slot * 300; ++step) {
            ASSERT_LT(step, 200000u);
            if (next() % 16 < 9) {
                const auto one = pool.acquire(1);
                if (one) {
                    ASSERT_TRUE(given.insert(one.handle().to_bits()).second) << "a handle was given twice";
                    live.push_back(one);
                }
            } else if (!live.empty()) {
                const std::size_t i = next() % live.size();
                ASSERT_TRUE(pool.release(live[i]));
                live[i] = live.back();
                live.pop_back();
            }
            if (next() % 200 == 0) {
                pool.clear();
                live.clear();
            }
            if (next() % 50 == 0) static_cast<void>(pool.trim());
            if (step % 16 == 0) {
                ASSERT_TRUE(valid(pool)) << step;
            }
        }
        pool.clear();
        EXPECT_EQ(pool.stats().retired, 300u);
        EXPECT_FALSE(pool.acquire(1));
        EXPECT_TRUE(valid(pool));
    };
    wear(slot_pool<trivial16, tiny>(5, {.on_full = on_full::grow_to(300)}));
    wear(slot_pool<trivial16, tiny_lowest>(5, {.on_full = on_full::grow_to(300)}));
    wear(slot_pool<counting, tiny_delay>(5, {.on_full = on_full::grow_to(300)}));
    wear(dense_pool<trivial16, tiny>(5, {.on_full = on_full::grow_to(300)}));
    wear(dense_pool<counting, tiny_delay>(5, {.on_full = on_full::grow_to(300)}));
}

TEST(retiring_at_once, with_two_bits_of_generation_a_slot_lives_once) {
    constexpr options once{.handle_bits = 32, .index_bits = 30};
    const auto check = []<class Pool>(Pool&& pool) {
        const auto handles = fill(pool);
        EXPECT_EQ(handles.size(), slots);
        EXPECT_TRUE(pool.release(handles[3]));
        EXPECT_FALSE(pool.acquire(1));
        EXPECT_EQ(pool.stats().retired, 1u);
        pool.clear();
        EXPECT_EQ(pool.stats().retired, slots);
        EXPECT_TRUE(valid(pool));
    };
    check(slot_pool<trivial16, once>(slots));
    check(dense_pool<counting, once>(slots));
}

// --- wrap and abort ---------------------------------------------------------------------------------------------------------

template <class Pool>
class wrapping : public ::testing::Test {};
using wrapping_pools = ::testing::Types<flag_pool<counting, 3, tiny_wrap>, slot_pool<trivial16, tiny_wrap>,
                                        slot_pool<counting, tiny_wrap_delay>, dense_pool<trivial16, tiny_wrap>,
                                        dense_pool<counting, tiny_wrap_delay>>;
TYPED_TEST_SUITE(wrapping, wrapping_pools);

TYPED_TEST(wrapping, starts_over_and_an_old_handle_aliases) {
    made_pool<TypeParam> made(3);
    auto& pool = made.pool();
    std::vector<std::set<std::uint32_t>> lives(3);
    for (std::uint32_t i = 0; i < 4 * 3 * lives_a_slot; ++i) {
        const auto one = pool.acquire(1);
        ASSERT_TRUE(one) << i;
        EXPECT_EQ(one.handle().generation() % 2, 1u);
        lives[one.handle().index()].insert(one.handle().generation());
        ASSERT_TRUE(pool.release(one.handle()));
        ASSERT_TRUE(valid(pool)) << i;
    }
    EXPECT_EQ(pool.stats().retired, 0u);
    const std::set<std::uint32_t> all{1, 3, 5, 7, 9, 11, 13};
    bool turned = false;
    for (const auto& seen : lives) turned |= seen == all;
    EXPECT_TRUE(turned);
    EXPECT_FALSE(pool.full());
}

TYPED_TEST(wrapping, clear_starts_over_too) {
    made_pool<TypeParam> made(3);
    auto& pool = made.pool();
    const auto first = fill(pool);
    for (std::uint32_t round = 0; round < lives_a_slot; ++round) {
        EXPECT_EQ(pool.size(), 3u);
        pool.clear();
        ASSERT_TRUE(valid(pool));
        static_cast<void>(fill(pool));
    }
    for (const auto handle : first) EXPECT_TRUE(pool.contains(handle));  // what wrap means
    EXPECT_EQ(pool.stats().retired, 0u);
}

template <class Pool>
void wear_out(bool by_clear) {
    made_pool<Pool> made(1);
    for (std::uint32_t i = 0; i < lives_a_slot; ++i) {
        if (i + 1 == lives_a_slot) std::fputs("six lives went well\n", stderr);
        const auto one = made.pool().acquire(1);
        if (by_clear) {
            made.pool().clear();
        } else {
            made.pool().release(one.handle());
        }
    }
    std::exit(0);
}

TEST(aborting_death, ends_the_program_at_the_last_release_or_clear) {
    const char* const message = "six lives went well(.|\n)*a slot has used up its generations";
    EXPECT_DEATH((wear_out<slot_pool<trivial16, tiny_abort>>(false)), message);
    EXPECT_DEATH((wear_out<slot_pool<trivial16, tiny_abort>>(true)), message);
    EXPECT_DEATH((wear_out<slot_pool<counting, tiny_abort>>(true)), message);
    EXPECT_DEATH((wear_out<dense_pool<trivial16, tiny_abort>>(false)), message);
    EXPECT_DEATH((wear_out<dense_pool<trivial16, tiny_abort>>(true)), message);
    EXPECT_DEATH((wear_out<flag_pool<trivial16, 1, tiny_abort>>(false)), message);
}

// --- reuse delay ------------------------------------------------------------------------------------------------------------

constexpr std::uint32_t delay = 4;

template <class Pool>
class delaying : public ::testing::Test {};
using delaying_pools =
    ::testing::Types<slot_pool<trivial16, options{.reuse_delay = delay}>,
                     slot_pool<trivial16, options{.order = reuse::lowest, .reuse_delay = delay}, heap_storage>,
                     dense_pool<trivial16, options{.reuse_delay = delay}>,
                     dense_pool<counting, options{.reuse_delay = delay}, inline_storage<100>>>;
TYPED_TEST_SUITE(delaying, delaying_pools);

TYPED_TEST(delaying, a_slot_rests_until_exactly_that_many_others_were_released) {
    made_pool<TypeParam> made(100);
    auto& pool = made.pool();
    std::vector<typename TypeParam::handle_type> handles;
    for (int i = 0; i < 20; ++i) handles.push_back(pool.acquire(i));
    const std::uint32_t slot = handles[0].index();
    EXPECT_EQ(slot, 0u);  // so that in every order it would be the first to be used again
    EXPECT_TRUE(pool.release(handles[0]));
    for (std::uint32_t i = 1; i < delay; ++i) {
        EXPECT_NE(pool.acquire(50).handle().index(), slot);
        EXPECT_TRUE(pool.release(handles[i]));
        EXPECT_NE(pool.acquire(50).handle().index(), slot) << "after " << i << " others";
    }
    EXPECT_TRUE(pool.release(handles[delay]));
    EXPECT_EQ(pool.acquire(50).handle().index(), slot);
    EXPECT_EQ(pool.stats().rests_cut_short, 0u);
    EXPECT_TRUE(valid(pool));
}

TYPED_TEST(delaying, a_rest_is_cut_short_only_when_nothing_else_is_free) {
    made_pool<TypeParam> made(100);
    auto& pool = made.pool();
    const auto handles = fill(pool);
    for (const std::size_t i : {40u, 10u, 70u}) EXPECT_TRUE(pool.release(handles[i]));
    std::uint64_t cut = 0;
    for (const std::size_t i : {40u, 10u, 70u}) {  // the longest rested first
        EXPECT_EQ(pool.acquire(1).handle().index(), handles[i].index());
        EXPECT_EQ(pool.stats().rests_cut_short, ++cut);
        EXPECT_TRUE(valid(pool));
    }
    EXPECT_FALSE(pool.acquire(1));
}

TYPED_TEST(delaying, holds_through_ten_thousand_random_steps) {
    made_pool<TypeParam> made(100);
    auto& pool = made.pool();
    std::vector<typename TypeParam::handle_type> live;
    std::vector<std::uint64_t> released_at(pool.capacity(), 0);  // 0: never
    std::uint64_t releases = delay;
    std::uint64_t cut = 0;
    std::uint32_t random = 4711;
    const auto next = [&random] { return (random = random * 1664525u + 1013904223u) >> 8; };
    for (int step = 0; step < 10000; ++step) {
        const bool drift = step / 1000 % 2 == 0;  // towards full, then towards empty
        if (next() % 8 < (drift ? 5u : 3u)) {
            std::uint32_t rested = 0;  // free slots that need no rest any more
            for (const std::uint64_t at : released_at)
                rested += at != ~std::uint64_t{0} && releases - at >= delay ? 1u : 0u;
            const auto one = pool.acquire(step);
            if (!one) {
                ASSERT_EQ(live.size(), pool.capacity());
                continue;
            }
            const std::uint64_t since = releases - released_at[one.handle().index()];
            if (rested != 0) {
                ASSERT_GE(since, delay) << "slot " << one.handle().index() << " was used too early";
            } else {
                ++cut;
            }
            ASSERT_EQ(pool.stats().rests_cut_short, cut);
            released_at[one.handle().index()] = ~std::uint64_t{0};  // in use
            live.push_back(one);
        } else if (!live.empty()) {
            const std::size_t i = next() % live.size();
            released_at[live[i].index()] = ++releases;
            ASSERT_TRUE(pool.release(live[i]));
            live[i] = live.back();
            live.pop_back();
        }
        if (step % 10 == 0) {
            ASSERT_TRUE(valid(pool)) << "after step " << step;
        }
    }
    EXPECT_GT(cut, 10u) << "the pool was never short of rested slots: the test shows nothing";
}

}  // namespace pool_generations_test
