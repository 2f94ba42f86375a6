// Promise (S1.1, S1.2, S1.3, X12): where each shape puts objects. slot_pool and flag_pool never move one, whatever grows, trims or is
// released; slot_pool reuses the slot released last, flag_pool the lowest; dense_pool packs [0, size).
#include "pool_cases.hpp"

#include <algorithm>
#include <map>
#include <random>

namespace pool_stability_test {

using namespace lido;
using namespace lido::test;

// --- addresses --------------------------------------------------------------------------------------------------------------

template <class Pool>
class stable_addresses : public ::testing::Test {};
using stable_pools =
    ::testing::Types<slot_pool<immovable>, slot_pool<trivial256>, slot_pool<immovable, options{.order = reuse::lowest}>,
                     slot_pool<counting, options{.reuse_delay = 20}>>;
TYPED_TEST_SUITE(stable_addresses, stable_pools);

TYPED_TEST(stable_addresses, no_object_moves_through_growth_trim_and_releases) {
    TypeParam pool(64, {.on_full = on_full::grow_to(100000)});
    std::map<std::uint64_t, std::pair<const void*, int>> live;
    std::mt19937 random(1);  // NOLINT: the same every run
    const auto check = [&] {
        for (const auto& [bits, expected] : live) {
            const auto* const object = pool.get(TypeParam::handle_type::from_bits(bits));
            ASSERT_EQ(object, expected.first);
            ASSERT_EQ(object->read(), expected.second);
        }
    };
    std::uint32_t largest = 0;
    for (int wave = 0; wave < 6; ++wave) {
        const int many = wave % 2 == 0 ? 6000 : 500;
        for (int i = 0; i < many; ++i) {
            const auto one = pool.acquire(wave * 10000 + i);
            ASSERT_TRUE(one);
            live[one.handle().to_bits()] = {one.get(), wave * 10000 + i};
        }
        largest = std::max(largest, pool.capacity());
        check();
        for (auto at = live.begin(); at != live.end();) {
            if (random() % 8 == 0) {
                ++at;
                continue;
            }
            ASSERT_TRUE(pool.release(TypeParam::handle_type::from_bits(at->first)));
            at = live.erase(at);
        }
        check();
        static_cast<void>(pool.trim());
        ASSERT_TRUE(valid(pool));
        check();
    }
    EXPECT_GE(largest, 8192u) << "it never grew: the test shows nothing";
}

TEST(stable_addresses_of_flags, no_object_moves_through_releases) {
    flag_pool<immovable, 200> pool;
    std::map<std::uint64_t, const void*> live;
    for (int round = 0; round < 10; ++round) {
        while (!pool.full()) {
            const auto one = pool.acquire(round);
            live[one.handle().to_bits()] = one.get();
        }
        for (const auto& [bits, place] : live) ASSERT_EQ(pool.get(handle<immovable>::from_bits(bits)), place);
        for (auto at = live.begin(); at != live.end();) {
            const auto handle = lido::handle<immovable>::from_bits(at->first);
            if ((handle.index() * 7 + static_cast<std::uint32_t>(round)) % 3 == 0) {
                ++at;
                continue;
            }
            ASSERT_TRUE(pool.release(handle));
            at = live.erase(at);
        }
    }
}

// --- slot_pool: the order of reuse ------------------------------------------------------------------------------------------

TEST(slot_reuse, the_last_released_is_the_first_reused) {  // S1.2
    slot_pool<trivial16> pool(1000);
    const auto handles = fill(pool);
    std::vector<std::uint32_t> released;
    for (const std::size_t i : {500u, 3u, 999u, 64u, 63u, 128u, 0u, 700u}) {
        EXPECT_TRUE(pool.release(handles[i]));
        released.push_back(handles[i].index());
    }
    for (; !released.empty(); released.pop_back()) EXPECT_EQ(pool.acquire(1).handle().index(), released.back());
    // And in turns.
    for (const std::size_t i : {10u, 20u, 30u}) {
        EXPECT_TRUE(pool.release(pool.handle_of(*pool.get(handles[i]))));
        EXPECT_EQ(pool.acquire(1).handle().index(), handles[i].index());
    }
}

TEST(slot_reuse, with_the_order_last_a_burst_of_any_length_comes_back_last_released_first) {  // S1.2
    slot_pool<trivial16, options{.order = reuse::last}> pool(4096);
    auto handles = fill(pool);
    std::shuffle(handles.begin(), handles.end(), std::mt19937(5));  // NOLINT: the same every run
    for (const auto handle : handles) EXPECT_TRUE(pool.release(handle));
    for (std::size_t i = handles.size(); i-- != 0;) ASSERT_EQ(pool.acquire(1).handle().index(), handles[i].index());
    EXPECT_TRUE(pool.full());
    EXPECT_TRUE(pool.validate());
}

TEST(slot_reuse, a_pool_that_was_never_used_gives_slots_in_order) {
    slot_pool<trivial16> pool(300);
    for (std::uint32_t i = 0; i < 300; ++i) EXPECT_EQ(pool.acquire(1).handle().index(), i);
}

TEST(slot_reuse, after_a_burst_of_releases_slots_come_back_in_address_order) {
    slot_pool<trivial16> pool(4096);
    auto handles = fill(pool);
    std::shuffle(handles.begin(), handles.end(), std::mt19937(5));  // NOLINT: the same every run
    for (const auto handle : handles) EXPECT_TRUE(pool.release(handle));
    std::vector<std::uint32_t> given;
    while (!pool.full()) given.push_back(pool.acquire(1).handle().index());
    // The youngest releases are warm and come first, last released first; they are at most 64.
    std::size_t warm = 0;
    while (warm < given.size() && given[warm] == handles[handles.size() - 1 - warm].index()) ++warm;
    EXPECT_GE(warm, 32u);
    EXPECT_LE(warm, 64u);
    EXPECT_TRUE(std::is_sorted(given.begin() + static_cast<std::ptrdiff_t>(warm), given.end()));
}

TEST(slot_reuse, lowest_always_takes_the_lowest_free_slot) {
    slot_pool<trivial16, options{.order = reuse::lowest}> pool(500);
    std::vector<bool> taken(500);
    std::mt19937 random(9);  // NOLINT: the same every run
    for (int step = 0; step < 5000; ++step) {
        if (random() % 16 < 9 && !pool.full()) {
            const auto expected =
                static_cast<std::uint32_t>(std::find(taken.begin(), taken.end(), false) - taken.begin());
            ASSERT_EQ(pool.acquire(1).handle().index(), expected);
            taken[expected] = true;
        } else if (!pool.empty()) {
            const std::uint32_t n = static_cast<std::uint32_t>(random()) % pool.size();
            auto at = pool.begin();
            std::advance(at, n);
            const auto handle = pool.handle_of(*at);
            taken[handle.index()] = false;
            ASSERT_TRUE(pool.release(handle));
        }
    }
}

TEST(flag_reuse, takes_the_lowest_free_slot_and_skips_the_inactive_in_a_pass) {  // S1.1
    flag_pool<trivial16, 150> pool;
    auto handles = fill(pool);
    for (std::uint32_t i = 0; i < 150; ++i) EXPECT_EQ(handles[i].index(), i);
    for (const std::size_t i : {130u, 2u, 64u, 63u, 149u, 0u}) EXPECT_TRUE(pool.release(handles[i]));
    std::vector<int> seen;
    for (const trivial16& object : pool) seen.push_back(object.read());
    EXPECT_EQ(seen.size(), 144u);
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    for (const std::uint32_t i : {0u, 2u, 63u, 64u, 130u, 149u}) EXPECT_EQ(pool.acquire(1).handle().index(), i);
    EXPECT_FALSE(pool.acquire(1));
}

TEST(slot_order, passes_go_in_address_order) {
    slot_pool<trivial256> pool(1000);
    const auto handles = fill(pool);
    for (std::size_t i = 0; i < handles.size(); i += 3) EXPECT_TRUE(pool.release(handles[i]));
    const trivial256* before = nullptr;
    for (const trivial256& object : pool) {
        EXPECT_LT(before, &object);
        before = &object;
    }
}

// --- dense_pool -------------------------------------------------------------------------------------------------------------

template <class Pool>
class packed : public ::testing::Test {};
using packed_pools =
    ::testing::Types<dense_pool<trivial16>, dense_pool<counting>, dense_pool<trivial64, options{.max_rows = 1u << 21}>,
                     dense_pool<counting, options{.reuse_delay = 7}>,
                     dense_pool<trivial16, options{.handle_bits = 32}, heap_storage>>;
TYPED_TEST_SUITE(packed, packed_pools);

TYPED_TEST(packed, live_objects_are_one_span_and_release_moves_the_last_into_the_hole) {  // S1.3
    TypeParam pool(300);
    std::vector<typename TypeParam::handle_type> rows;  // the model: who sits where
    std::map<std::uint64_t, int> values;
    std::mt19937 random(3);  // NOLINT: the same every run
    const auto* const base = pool.data();
    for (int step = 0; step < 3000; ++step) {
        if (random() % 16 < 9 && !pool.full()) {
            const auto one = pool.acquire(step);
            ASSERT_EQ(one.get(), base + rows.size());
            rows.push_back(one);
            values[one.handle().to_bits()] = step;
        } else if (!rows.empty()) {
            const std::size_t i = random() % rows.size();
            ASSERT_TRUE(random() % 2 == 0 ? pool.release(rows[i]) : pool.release(pool.data()[i]));
            rows[i] = rows.back();
            rows.pop_back();
        }
        ASSERT_EQ(pool.values().data(), base);
        ASSERT_EQ(pool.values().size(), rows.size());
        if (step % 7 != 0) continue;
        for (std::uint32_t i = 0; i < rows.size(); ++i) {
            ASSERT_EQ(pool.get(rows[i]), base + i);
            ASSERT_EQ(pool.handle_of_row(i), rows[i]);
            ASSERT_EQ(base[i].read(), values[rows[i].to_bits()]);
        }
    }
}

TEST(packed_cost, release_moves_one_object_at_most) {
    dense_pool<counting> pool(100);
    const auto handles = fill(pool);
    counting::reset_counts();
    EXPECT_TRUE(pool.release(handles[10]));
    EXPECT_EQ(counting::counts().moves(), 1u);
    EXPECT_EQ(counting::counts().destroyed, 2u);  // the released one, and the shell it was moved from
    counting::reset_counts();
    EXPECT_TRUE(pool.release(handles[98]));  // the last row now
    EXPECT_EQ(counting::counts().moves(), 0u);
    EXPECT_EQ(counting::counts().copies(), 0u);
    EXPECT_EQ(counting::counts().destroyed, 1u);
}

TEST(packed_growth, rows_stay_where_they_are_when_the_pool_grows_and_trims) {
    dense_pool<trivial256> pool(10, {.on_full = on_full::grow_to(100000)});
    const auto* const base = pool.data();
    std::vector<handle<trivial256>> handles;
    for (int i = 0; i < 20000; ++i) handles.push_back(pool.acquire(i));
    EXPECT_EQ(pool.data(), base);
    while (pool.size() > 100) EXPECT_TRUE(pool.release(pool.data()[pool.size() - 1]));
    EXPECT_GT(pool.trim(), 0u);
    EXPECT_EQ(pool.data(), base);
    for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(base[i].read(), static_cast<int>(i));
}

// --- trim -------------------------------------------------------------------------------------------------------------------

template <class Pool>
class trimming : public ::testing::Test {};
using trimmed_pools = ::testing::Types<slot_pool<trivial256>, slot_pool<trivial256, options{.order = reuse::lowest}>,
                                       slot_pool<trivial256, options{.reuse_delay = 100}>, dense_pool<trivial256>,
                                       dense_pool<trivial256, options{.reuse_delay = 100}>>;
TYPED_TEST_SUITE(trimming, trimmed_pools);

TYPED_TEST(trimming, gives_back_the_pages_past_the_last_object_and_no_stale_handle_comes_to_life) {  // X12
    TypeParam pool(100, {.on_full = on_full::grow_to(50000)});
    std::vector<typename TypeParam::handle_type> handles;
    for (int i = 0; i < 20000; ++i) handles.push_back(pool.acquire(i));
    const std::size_t before = pool.stats().bytes;
    for (std::size_t i = 50; i < handles.size(); ++i) EXPECT_TRUE(pool.release(handles[i]));
    const std::size_t given = pool.trim();
    EXPECT_GT(given, 19000u * sizeof(trivial256));
    EXPECT_EQ(pool.stats().bytes, before - given);
    EXPECT_EQ(pool.capacity(), 100u);
    EXPECT_TRUE(valid(pool));
    EXPECT_EQ(pool.trim(), 0u);
    for (std::size_t i = 50; i < handles.size(); ++i) ASSERT_FALSE(pool.contains(handles[i]));
    for (int i = 50; i < 20000; ++i) ASSERT_TRUE(pool.acquire(i));
    for (std::size_t i = 50; i < handles.size(); ++i) ASSERT_FALSE(pool.contains(handles[i]));
    for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(pool.get(handles[i])->read(), static_cast<int>(i));
    EXPECT_TRUE(valid(pool));
}

TYPED_TEST(trimming, leaves_slots_known_to_the_reports) {
    const misuse_watch misuses;
    TypeParam pool(10000);
    const auto handles = fill(pool);
    EXPECT_EQ(pool.release_n(handles), handles.size());
    EXPECT_GT(pool.trim(), 0u);
    EXPECT_FALSE(pool.release(handles[9000]));
    EXPECT_EQ(misuses.count(misuse_kind::double_release), 1u);
    EXPECT_EQ(misuses.last().slot_generation, 2u);
}

}  // namespace pool_stability_test
