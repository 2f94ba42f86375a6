// Promise (X4, X12): growth doubles up to its cap and moves nothing, headroom keeps the last part for requests that matter, and
// memory that the system refuses is a clean failure of that one acquire.
#include "pool_cases.hpp"

#include "support/failing_memory.hpp"

#include <vector>

namespace pool_growth_test {

using namespace lido;
using namespace lido::test;

constexpr options by_age{.tracks = track::age};
constexpr options kept{.tracks = track::priority, .headroom = true};

template <class Pool>
class pool_growth : public ::testing::Test {
protected:
    misuse_watch misuses_;
};
using growing_pools = ::testing::Types<
    slot_pool<trivial16, by_age>, slot_pool<trivial16, options{.tracks = track::age, .order = reuse::lowest}>,
    slot_pool<trivial256, options{.tracks = track::age, .reuse_delay = 4}>, dense_pool<trivial16, by_age>,
    dense_pool<counting, options{.tracks = track::age, .reuse_delay = 4}>>;
TYPED_TEST_SUITE(pool_growth, growing_pools);

TYPED_TEST(pool_growth, doubles_the_capacity_until_the_cap_and_then_rejects) {
    TypeParam pool(10, {.on_full = on_full::grow_to(1000)});
    EXPECT_EQ(pool.capacity(), 10u);
    EXPECT_EQ(pool.max_capacity(), 1000u);
    std::vector<std::uint32_t> capacities;
    std::vector<typename TypeParam::handle_type> handles;
    for (int i = 0; i < 1000; ++i) {
        const auto one = pool.acquire(i);
        ASSERT_TRUE(one) << i;
        handles.push_back(one);
        if (capacities.empty() || capacities.back() != pool.capacity()) capacities.push_back(pool.capacity());
        ASSERT_LT(one.handle().index(), pool.capacity());
    }
    EXPECT_EQ(capacities, (std::vector<std::uint32_t>{10, 64, 128, 256, 512, 1000}));
    EXPECT_EQ(pool.stats().grown, 5u);
    EXPECT_TRUE(pool.full());
    EXPECT_FALSE(pool.acquire(-1));
    EXPECT_EQ(pool.why_refused(), lido::refusal::full);
    for (std::size_t i = 0; i < handles.size(); ++i) ASSERT_EQ(pool.get(handles[i])->read(), static_cast<int>(i));
    EXPECT_TRUE(valid(pool));
    EXPECT_EQ(this->misuses_.total(), 0u);
}

TYPED_TEST(pool_growth, comes_before_the_ending_that_follows_it) {
    TypeParam pool(2, {.on_full = on_full::grow_to(100).then(on_full::replace_oldest)});
    std::vector<typename TypeParam::handle_type> handles;
    for (int i = 0; i < 130; ++i) handles.push_back(pool.acquire(i));
    EXPECT_EQ(pool.size(), 100u);
    EXPECT_EQ(pool.stats().replaced, 30u);
    EXPECT_EQ(pool.stats().grown, 2u);
    EXPECT_EQ(pool.stats().refused, 0u);
    for (std::size_t i = 0; i < handles.size(); ++i) EXPECT_EQ(pool.contains(handles[i]), i >= 30);
    EXPECT_TRUE(valid(pool));
}

TYPED_TEST(pool_growth, starts_from_nothing_and_needs_no_cap) {
    TypeParam pool(0, {.on_full = on_full::grow()});
    EXPECT_EQ(pool.capacity(), 0u);
    EXPECT_TRUE(pool.full());
    EXPECT_GT(pool.max_capacity(), 1000000u);
    for (int i = 0; i < 5000; ++i) ASSERT_TRUE(pool.acquire(i));
    EXPECT_EQ(pool.size(), 5000u);
    EXPECT_EQ(pool.capacity(), 8192u);
    EXPECT_TRUE(valid(pool));
}

TYPED_TEST(pool_growth, a_cap_below_the_capacity_changes_nothing) {
    TypeParam pool(50, {.on_full = on_full::grow_to(20)});
    EXPECT_EQ(pool.capacity(), 50u);
    EXPECT_EQ(pool.max_capacity(), 50u);
    EXPECT_EQ(fill(pool).size(), 50u);
    EXPECT_FALSE(pool.acquire(1));
    EXPECT_EQ(pool.stats().grown, 0u);
}

TYPED_TEST(pool_growth, reserve_grows_to_the_slot_that_it_needs) {
    using handle_type = typename TypeParam::handle_type;
    TypeParam pool(10, {.on_full = on_full::grow_to(1000)});
    const auto made = pool.reserve(handle_type::of(300, 7), 1);
    ASSERT_TRUE(made);
    EXPECT_EQ(made.handle(), handle_type::of(300, 7));
    EXPECT_EQ(pool.capacity(), 512u);
    EXPECT_EQ(pool.stats().grown, 1u);
    EXPECT_FALSE(pool.reserve(handle_type::of(1000, 1), 1));
    EXPECT_EQ(pool.why_refused(), lido::refusal::out_of_range);
    EXPECT_TRUE(valid(pool));
    std::vector<bool> taken(1000);
    taken[300] = true;
    for (int i = 0; i < 999; ++i) {
        const auto one = pool.acquire(i);
        ASSERT_TRUE(one);
        ASSERT_FALSE(taken[one.handle().index()]) << "slot " << one.handle().index() << " was given twice";
        taken[one.handle().index()] = true;
    }
    EXPECT_FALSE(pool.acquire(1));
    EXPECT_TRUE(valid(pool));
}

TYPED_TEST(pool_growth, can_be_taken_back_by_trim_and_done_again) {
    TypeParam pool(10, {.on_full = on_full::grow_to(5000)});
    std::vector<typename TypeParam::handle_type> old;
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 5000; ++i) old.push_back(pool.acquire(i));
        EXPECT_EQ(pool.capacity(), 5000u);
        pool.clear();
        static_cast<void>(pool.trim());
        EXPECT_EQ(pool.capacity(), 10u);
        EXPECT_TRUE(valid(pool));
        for (const auto handle : old) ASSERT_FALSE(pool.contains(handle));
    }
    EXPECT_EQ(pool.stats().acquired, 15000u);
    EXPECT_GE(pool.stats().grown, 3u);
}

// --- headroom ---------------------------------------------------------------------------------------------------------------

template <class Pool>
class headroom_kept : public ::testing::Test {};
using kept_pools =
    ::testing::Types<slot_pool<trivial16, kept>, dense_pool<trivial16, kept>, flag_pool<trivial16, 10, kept>>;
TYPED_TEST_SUITE(headroom_kept, kept_pools);

TYPED_TEST(headroom_kept, the_last_fifth_goes_to_requests_of_the_asked_priority) {  // S3.5, X4, X25
    made_pool<TypeParam> made(10, {.headroom = {.above_percent = 80, .priority = 3}});
    auto& pool = made.pool();
    for (int i = 0; i < 8; ++i) EXPECT_TRUE(pool.acquire(i)) << i;
    for (const std::uint8_t low : {std::uint8_t{0}, std::uint8_t{2}}) {
        EXPECT_FALSE(pool.acquire_as({.priority = low}, 9));
        EXPECT_EQ(pool.why_refused(), lido::refusal::headroom);
    }
    EXPECT_EQ(pool.stats().refused, 2u);
    EXPECT_EQ(pool.stats().refused_headroom, 2u);
    EXPECT_EQ(pool.size(), 8u);
    EXPECT_TRUE(pool.acquire_as({.priority = 3}, 9));
    const auto last = pool.acquire_as({.priority = 15}, 9);
    EXPECT_TRUE(last);
    EXPECT_FALSE(pool.acquire_as({.priority = 15}, 9));
    EXPECT_EQ(pool.why_refused(), lido::refusal::full);
    EXPECT_EQ(pool.stats().refused_headroom, 2u);
    // One slot below the line an ordinary request is welcome again.
    EXPECT_TRUE(pool.release(last.handle()));
    EXPECT_FALSE(pool.acquire(1));
    EXPECT_EQ(pool.release_if([n = 0](const trivial16&) mutable { return n++ < 2; }), 2u);
    EXPECT_TRUE(pool.acquire(1));
    EXPECT_FALSE(pool.acquire(1));
    EXPECT_TRUE(valid(pool));
}

/// The length at which the gate closes: `length >= cap * 0.8`, as an engine that is known for it writes it.
std::uint32_t gate_of(std::uint32_t cap) {
    std::uint32_t length = 0;
    while (!(static_cast<double>(length) >= static_cast<double>(cap) * 0.8)) ++length;
    return length;
}

TEST(headroom_gate, S3_5_closes_where_length_reaches_cap_times_0_8_for_every_cap_from_1_to_1000) {
    using limits = detail::exhaustion<int, handle<int>, kept>;
    for (std::uint32_t cap = 1; cap <= 1000; ++cap) {
        limits of({.headroom = {.above_percent = 80, .priority = 1}});
        static_cast<void>(of.plan(cap, cap, false));
        of.begin();
        const std::uint32_t gate = gate_of(cap);
        ASSERT_EQ(of.kept_from({}, gate), lido::refusal::headroom) << cap;
        ASSERT_EQ(of.kept_from({}, gate - 1), lido::refusal::none) << cap << ": refused a slot too early";
        ASSERT_EQ(of.kept_from({.priority = 1}, cap), lido::refusal::none) << cap;
    }
    for (std::uint32_t cap = 1; cap <= 30; ++cap) {
        slot_pool<trivial16, kept, heap_storage> pool(cap, {.headroom = {.above_percent = 80, .priority = 1}});
        while (pool.acquire(1)) {
        }
        ASSERT_EQ(pool.size(), gate_of(cap)) << "of " << cap;
        while (pool.acquire_as({.priority = 1}, 1)) {
        }
        ASSERT_EQ(pool.size(), cap);
        pool.clear();
    }
}

TEST(headroom_growing, counts_from_what_growth_may_reach) {
    const auto check = []<class Pool>(Pool&& pool) {
        for (int i = 0; i < 80; ++i) ASSERT_TRUE(pool.acquire(i)) << i;
        EXPECT_FALSE(pool.acquire(80));
        EXPECT_EQ(pool.why_refused(), lido::refusal::headroom);
        for (int i = 0; i < 20; ++i) ASSERT_TRUE(pool.acquire_as({.priority = 1}, i)) << i;
        EXPECT_EQ(pool.capacity(), 100u);
        EXPECT_TRUE(valid(pool));
    };
    check(slot_pool<trivial16, kept>(
        10, {.on_full = on_full::grow_to(100), .headroom = {.above_percent = 80, .priority = 1}}));
    check(dense_pool<trivial16, kept>(
        10, {.on_full = on_full::grow_to(100), .headroom = {.above_percent = 80, .priority = 1}}));
}

TEST(headroom_replacing, a_request_below_it_ends_nobody) {
    slot_pool<trivial16, kept> pool(
        10, {.on_full = on_full::replace_oldest, .headroom = {.above_percent = 80, .priority = 2}});
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(pool.acquire_as({.priority = 2}, i));
    EXPECT_FALSE(pool.acquire(10));
    EXPECT_EQ(pool.why_refused(), lido::refusal::headroom);
    EXPECT_EQ(pool.stats().replaced, 0u);
    EXPECT_TRUE(pool.acquire_as({.priority = 2}, 10));
    EXPECT_EQ(pool.stats().replaced, 1u);
}

// --- memory that is refused -------------------------------------------------------------------------------------------------

using refusing_pages = basic_reserved_storage<failing_pages<>>;
using refusing_heap = basic_heap_storage<failing_source<>>;

template <class Pool>
class refused_pool_memory : public ::testing::Test {
protected:
    refused_pool_memory() { failing_memory::reset(); }
    void TearDown() override {
        failing_memory::refuse(0);
        EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
    }
    lifetime_scope lives_;
    misuse_watch misuses_;
};
using refused_pools =
    ::testing::Types<slot_pool<trivial256, options{}, refusing_pages>,
                     slot_pool<counting, options{.tracks = track::priority, .order = reuse::lowest}, refusing_pages>,
                     slot_pool<trivial64, options{.reuse_delay = 5}, refusing_pages>,
                     dense_pool<trivial256, options{}, refusing_pages>,
                     dense_pool<counting, options{.tracks = track::priority, .reuse_delay = 5}, refusing_pages>>;
TYPED_TEST_SUITE(refused_pool_memory, refused_pools);

TYPED_TEST(refused_pool_memory, is_a_clean_failure_of_that_acquire_wherever_it_strikes) {
    constexpr int many = 20000;
    std::size_t refusals = 0;
    for (std::size_t nth = 1; nth < 1000; ++nth) {
        TypeParam pool(10, {.on_full = on_full::grow_to(many)});
        ASSERT_EQ(pool.capacity(), 10u);
        failing_memory::refuse(nth, lido::test::memory_failure::onwards);
        std::vector<typename TypeParam::handle_type> handles;
        for (int i = 0; i < many; ++i) {
            const auto capacity = pool.capacity();
            const auto one = pool.acquire(i);
            if (!one) {
                ASSERT_EQ(pool.capacity(), capacity) << "what was refused is no capacity";
                break;
            }
            handles.push_back(one);
        }
        if (failing_memory::refused() == 0) break;
        ++refusals;
        ASSERT_LT(handles.size(), static_cast<std::size_t>(many));
        // Refused, said why, and nothing was lost: again and again.
        for (std::uint64_t n = 1; n <= 3; ++n) {
            EXPECT_FALSE(pool.acquire(-1));
            EXPECT_EQ(pool.why_refused(), lido::refusal::no_memory);
            EXPECT_EQ(pool.stats().refused_no_memory, n + 1);
            EXPECT_EQ(pool.stats().refused, n + 1);
        }
        ASSERT_TRUE(valid(pool));
        ASSERT_EQ(pool.size(), handles.size());
        for (std::size_t i = 0; i < handles.size(); i += 97)
            ASSERT_EQ(pool.get(handles[i])->read(), static_cast<int>(i));
        // A free slot needs no memory.
        if (!handles.empty()) {
            EXPECT_TRUE(pool.release(handles.back()));
            const auto again = pool.acquire(static_cast<int>(handles.size()) - 1);
            ASSERT_TRUE(again);
            handles.back() = again;
        }
        // And once the system gives again, so does the pool.
        failing_memory::refuse(0);
        while (handles.size() < static_cast<std::size_t>(many)) {
            const auto one = pool.acquire(static_cast<int>(handles.size()));
            ASSERT_TRUE(one) << handles.size();
            handles.push_back(one);
        }
        ASSERT_TRUE(valid(pool));
        std::vector<bool> taken(many);
        for (std::size_t i = 0; i < handles.size(); ++i) {
            ASSERT_FALSE(taken[handles[i].index()]) << "slot " << handles[i].index() << " was given twice";
            taken[handles[i].index()] = true;
            ASSERT_EQ(pool.get(handles[i])->read(), static_cast<int>(i));
        }
    }
    EXPECT_GE(refusals, 3u) << "a walk that refused nothing shows nothing";
}

TYPED_TEST(refused_pool_memory, for_reserve_leaves_capacity_and_order_alone) {
    using handle_type = typename TypeParam::handle_type;
    TypeParam pool(10, {.on_full = on_full::grow_to(100000)});
    const auto first = pool.acquire(1);
    failing_memory::refuse(1, lido::test::memory_failure::onwards);
    EXPECT_FALSE(pool.reserve(handle_type::of(90000, 3), 2));
    EXPECT_EQ(pool.why_refused(), lido::refusal::no_memory);
    EXPECT_EQ(pool.capacity(), 10u);
    EXPECT_EQ(pool.stats().grown, 0u);
    EXPECT_TRUE(pool.contains(first));
    EXPECT_TRUE(valid(pool));
    failing_memory::refuse(0);
    EXPECT_TRUE(pool.reserve(handle_type::of(90000, 3), 2));
    EXPECT_TRUE(valid(pool));
}

TYPED_TEST(refused_pool_memory, at_construction_leaves_a_pool_of_capacity_0_that_says_so) {
    const std::size_t refused = refuse_each_call(lido::test::memory_failure::once, [this] {
        this->misuses_.forget();
        TypeParam pool(10, {.name = "poor", .on_full = on_full::grow_to(100000)});
        if (failing_memory::refused() == 0) {
            EXPECT_TRUE(pool.acquire(1));
            return;
        }
        EXPECT_EQ(this->misuses_.count(misuse_kind::no_memory), 1u);
        EXPECT_STREQ(this->misuses_.last().pool, "poor");
        EXPECT_EQ(pool.capacity(), 0u);
        EXPECT_EQ(pool.max_capacity(), 0u);
        EXPECT_FALSE(pool.acquire(1));
        EXPECT_FALSE(pool.contains(TypeParam::handle_type::of(0, 1)));
        EXPECT_EQ(pool.begin() == pool.end(), true);
        pool.clear();
        EXPECT_EQ(pool.trim(), 0u);
        EXPECT_TRUE(valid(pool));
    });
    EXPECT_GE(refused, 1u);
}

TEST(refused_heap, leaves_a_pool_of_capacity_0_that_says_so) {
    failing_memory::reset();
    const misuse_watch misuses;
    const auto check = [&misuses]<class Pool>(std::type_identity<Pool>, std::uint64_t reports) {
        failing_memory::refuse(1);
        Pool pool(100);
        EXPECT_EQ(misuses.count(misuse_kind::no_memory), reports);
        EXPECT_EQ(pool.capacity(), 0u);
        EXPECT_FALSE(pool.acquire(1));
        EXPECT_TRUE(valid(pool));
        pool = Pool(100);  // the next one is given memory
        EXPECT_EQ(fill(pool).size(), 100u);
    };
    check(std::type_identity<slot_pool<trivial16, options{}, refusing_heap>>{}, 1);
    check(std::type_identity<dense_pool<trivial16, options{}, refusing_heap>>{}, 2);
    check(std::type_identity<basic_flag_pool<trivial16, options{}, refusing_heap>>{}, 3);
    EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
}

TEST(refused_lent, a_buffer_too_small_for_one_slot_leaves_a_pool_of_capacity_0) {
    const misuse_watch misuses;
    std::byte buffer[16];
    slot_pool<trivial64, options{}, lent_storage> slot(buffer);
    dense_pool<trivial64, options{}, lent_storage> dense(std::span<std::byte>{});
    EXPECT_EQ(misuses.count(misuse_kind::no_memory), 2u);
    EXPECT_EQ(slot.capacity() + dense.capacity(), 0u);
    EXPECT_FALSE(slot.acquire(1));
    EXPECT_FALSE(dense.acquire(1));
    EXPECT_TRUE(valid(slot));
    EXPECT_TRUE(valid(dense));
}

}  // namespace pool_growth_test
