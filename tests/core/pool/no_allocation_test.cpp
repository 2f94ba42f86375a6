// Promise (S1.5, S3.7): pools on inline and lent storage never allocate, and no pool does in its steady state.
#include "pool_cases.hpp"

#include "support/allocation_counter.hpp"
#include "support/dose.hpp"
#include "support/failing_memory.hpp"

#include <lido/core/capped_list.hpp>

#include <utility>

namespace pool_no_allocation_test {

using namespace lido;
using namespace lido::test;

// Elements that do not allocate themselves.
constexpr std::uint32_t slots = 200;
constexpr options everything{.tracks = track::priority, .reuse_delay = 9, .headroom = true};
constexpr options recycling{.tracks = track::priority, .headroom = true};

/// Every operation there is, `steps` times, with on_full at work. Answers a sum, so that nothing is optimised away.
template <class Pool>
std::uint64_t churn(Pool& pool, int steps) {
    typename Pool::handle_type ring[64] = {};
    std::uint32_t random = 1;
    std::uint64_t sum = 0;
    for (int i = 0; i < steps; ++i) {
        random = random * 1664525u + 1013904223u;
        auto& place = ring[random >> 8 & 63];
        if (pool.contains(place)) {
            pool.release(place);
        } else {
            place = pool.acquire_as({.priority = static_cast<std::uint8_t>(random >> 20 & 15)}, i);
        }
        sum += pool.get(place) != nullptr ? 1 : 0;
        if (i % 64 == 0) {
            const auto lease = pool.lease(i);
            for (const auto& object : pool) sum += static_cast<std::uint64_t>(object.read());
            for (auto [handle, object] : pool.each()) sum += static_cast<std::uint64_t>(handle.index());
        }
        if (i % 512 == 1) {
            typename Pool::handle_type many[40];
            sum += pool.acquire_n(many, i);
            sum += pool.release_n(many);
            sum += pool.release_if([i](const auto& object) { return object.read() % 5 == i % 5; });
            for (int k = 0; k < 300; ++k) sum += pool.acquire(k) ? 1 : 0;  // past full
            sum += pool.validate() ? 1 : 0;
            sum += pool.stats().refused;
        }
        if (i % 4096 == 2) {
            pool.clear();
            const auto life = static_cast<std::uint32_t>(i);
            if constexpr (requires { Pool::handle_type::seed_bits; }) {
                sum += pool.reserve(Pool::handle_type::of(17, life % 128), i) ? 1 : 0;
            } else if constexpr (requires { pool.reserve(place, i); }) {
                sum += pool.reserve(Pool::handle_type::of(17, 1000001u + life * 2), i) ? 1 : 0;
            }
        }
        if constexpr (requires { pool.prewarm(1); }) {
            if (i % 1000 == 3) {
                sum += pool.prewarm(20);
                sum += pool.adopt(typename Pool::value_type(i)) ? 1 : 0;
            }
        }
    }
    return sum;
}

/// The same for a list without handles.
template <class List>
std::uint64_t churn_list(List& list, int steps) {
    std::uint32_t random = 1;
    std::uint64_t sum = 0;
    for (int i = 0; i < steps; ++i) {
        random = random * 1664525u + 1013904223u;
        if ((random >> 8) % 5 < 3) {
            sum += list.push_as({.priority = static_cast<std::uint8_t>(random >> 20 & 15)}, i) != nullptr ? 1 : 0;
        } else if (!list.empty()) {
            sum += list.swap_remove((random >> 8) % list.size()) ? 1 : 0;
        }
        if (i % 512 == 1) {
            for (int k = 0; k < 300; ++k) sum += list.push(k) != nullptr ? 1 : 0;  // past full
            sum += list.release_if([i](const auto& object) { return object.read() % 5 == i % 5; });
            for (const auto& object : list) sum += static_cast<std::uint64_t>(object.read());
            sum += list.validate() ? 1 : 0;
            sum += list.stats().refused;
        }
        if (i % 4096 == 2) list.clear();
    }
    return sum;
}

template <class Pool>
using settings_of = typename Pool::settings_type;

template <class Pool>
[[nodiscard]] settings_of<Pool> replacing() {
    return {.on_full = on_full::replace_lowest, .on_evict = [](auto, auto&) {}};
}

#define EXPECT_NO_ALLOCATION(watch)       \
    EXPECT_EQ((watch).allocations(), 0u); \
    EXPECT_EQ((watch).frees(), 0u)

TEST(pool_no_allocation, the_watch_sees_an_allocation) {  // or the tests below show nothing
    const allocation_watch watch;
    slot_pool<trivial16, options{}, heap_storage> pool(10);
    EXPECT_EQ(watch.allocations(), 1u);
}

TEST(pool_no_allocation, a_pool_on_the_stack_never_allocates) {  // S1.5
    const misuse_watch misuses;                                  // release_n meets handles that an eviction ended
    std::uint64_t sum = 0;
    const allocation_watch watch;
    {
        inline_slot_pool<trivial16, slots, everything> slot(
            replacing<inline_slot_pool<trivial16, slots, everything>>());
        sum += churn(slot, dose(100000));
        inline_dense_pool<trivial64, slots, everything> dense(
            replacing<inline_dense_pool<trivial64, slots, everything>>());
        sum += churn(dense, dose(100000));
        flag_pool<over_aligned64, slots, options{.tracks = track::priority}> flag(
            replacing<flag_pool<over_aligned64, slots, options{.tracks = track::priority}>>());
        sum += churn(flag, dose(20000));
        inline_ring_pool<trivial64, slots> ring({.on_evict = [](auto, auto&) {}});
        sum += churn(ring, dose(100000));
        inline_bytemap_pool<trivial64, slots> bytes;
        sum += churn(bytes, dose(100000));
        using idle_pool = inline_recycle_pool<trivial64, slots, recycling>;
        idle_pool idle({.on_full = on_full::replace_lowest, .on_evict = [](auto, auto&) {}});
        sum += churn(idle, dose(100000));
        EXPECT_GT(ring.stats().replaced + idle.stats().replaced, 100u);
        EXPECT_GT(idle.stats().reused, 100u);
        EXPECT_GT(bytes.stats().refused, 100u);
        capped_list<trivial64, 60, recycling> list({.on_full = on_full::replace_lowest});
        sum += churn_list(list, dose(20000));
        capped_list<trivial16, 15> small(
            {.on_full = on_full::merge, .merge = [](auto&, const auto& newcomer) { return newcomer.read() % 2 == 0; }});
        sum += churn_list(small, dose(20000));
        EXPECT_GT(list.stats().replaced, 100u);
        EXPECT_GT(small.stats().merged, 100u);
    }
    EXPECT_NO_ALLOCATION(watch);
    EXPECT_GT(sum, 0u);
}

TEST(pool_no_allocation, a_static_pool_never_allocates) {
    const misuse_watch misuses;
    const allocation_watch watch;
    static inline_slot_pool<trivial64, slots> slot;
    static inline_dense_pool<trivial16, slots> dense;
    static flag_pool<trivial16, slots> flag;
    const std::uint64_t sum = churn(slot, dose(30000)) + churn(dense, dose(30000)) + churn(flag, dose(30000));
    slot.clear();
    dense.clear();
    flag.clear();
    EXPECT_NO_ALLOCATION(watch);
    EXPECT_GT(sum, 0u);
}

TEST(pool_no_allocation, a_pool_on_a_lent_buffer_never_allocates) {
    alignas(64) static std::byte buffer[64 * 1024];
    const misuse_watch misuses;  // release_n meets handles that an eviction ended
    std::uint64_t sum = 0;
    const allocation_watch watch;
    {
        using pool = slot_pool<trivial64, everything, lent_storage>;
        pool slot(buffer, replacing<pool>());
        sum += churn(slot, dose(100000));
        pool moved = std::move(slot);
        sum += churn(moved, dose(1000));
    }
    {
        using pool = dense_pool<trivial64, everything, lent_storage>;
        pool dense(buffer, replacing<pool>());
        sum += churn(dense, dose(100000));
        pool moved = std::move(dense);
        sum += churn(moved, dose(1000));
    }
    {
        basic_flag_pool<trivial16, options{}, lent_storage> flag(std::span<std::byte>(buffer).first(4000));
        sum += churn(flag, dose(20000));
    }
    {
        using pool = ring_pool<trivial64, options{}, lent_storage>;
        pool ring(buffer);
        sum += churn(ring, dose(20000));
        pool moved = std::move(ring);
        sum += churn(moved, dose(1000));
    }
    {
        using pool = bytemap_pool<trivial64, 0, lent_storage>;
        pool bytes(buffer);
        sum += churn(bytes, dose(20000));
        pool moved = std::move(bytes);
        sum += churn(moved, dose(1000));
    }
    {
        using pool = recycle_pool<trivial64, recycling, lent_storage>;
        pool idle(buffer, {.on_full = on_full::replace_lowest});
        sum += churn(idle, dose(20000));
        pool moved = std::move(idle);
        sum += churn(moved, dose(1000));
    }
    EXPECT_NO_ALLOCATION(watch);
    EXPECT_GT(sum, 0u);
}

// --- steady state (S3.7) ----------------------------------------------------------------------------------------------------

TEST(pool_no_allocation, heap_storage_allocates_once_and_frees_once) {
    const misuse_watch misuses;
    const allocation_watch whole;
    {
        slot_pool<trivial64, everything, heap_storage> slot(slots);
        dense_pool<trivial64, everything, heap_storage> dense(slots);
        basic_flag_pool<trivial64, options{}, heap_storage> flag(slots);
        ring_pool<trivial64> ring(slots);
        bytemap_pool<trivial64> bytes(slots);
        recycle_pool<trivial64, recycling, heap_storage> idle(slots);
        EXPECT_EQ(whole.allocations(), 6u);
        const allocation_watch watch;
        const std::uint64_t sum = churn(slot, dose(100000)) + churn(dense, dose(100000)) + churn(flag, dose(20000)) +
                                  churn(ring, dose(100000)) + churn(bytes, dose(100000)) + churn(idle, dose(100000));
        EXPECT_NO_ALLOCATION(watch);
        EXPECT_GT(sum, 0u);
    }
    EXPECT_EQ(whole.allocations(), 6u);
    EXPECT_EQ(whole.frees(), 6u);
}

template <class Pool>
class steady_state : public ::testing::Test {};
using watched = basic_reserved_storage<failing_pages<>>;
using steady_pools =
    ::testing::Types<slot_pool<trivial256, options{}, watched>, slot_pool<trivial256, everything, watched>,
                     slot_pool<trivial64, options{.order = reuse::lowest}, watched>,
                     dense_pool<trivial256, options{}, watched>, dense_pool<trivial256, everything, watched>,
                     recycle_pool<trivial256, options{}, watched>, recycle_pool<trivial256, recycling, watched>>;
TYPED_TEST_SUITE(steady_state, steady_pools);

TYPED_TEST(steady_state, a_grown_pool_asks_the_system_for_nothing_in_a_hundred_thousand_steps) {
    failing_memory::reset();
    {
        const misuse_watch misuses;
        TypeParam pool(10, {.on_full = on_full::grow_to(5000)});
        while (pool.size() < 5000) ASSERT_TRUE(pool.acquire(1));
        pool.clear();
        const std::size_t calls = failing_memory::calls();
        EXPECT_GT(calls, 3u) << "it never committed: the test shows nothing";
        const allocation_watch watch;
        const std::uint64_t sum = churn(pool, dose(100000));
        EXPECT_NO_ALLOCATION(watch);
        EXPECT_EQ(failing_memory::calls(), calls);
        EXPECT_EQ(failing_memory::decommits(), 0u);
        EXPECT_GT(sum, 0u);
        EXPECT_TRUE(valid(pool));
    }
    EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
}

TYPED_TEST(steady_state, a_prepared_pool_asks_the_system_for_nothing_from_its_first_acquire_on) {
    failing_memory::reset();
    {
        TypeParam pool(10, {.on_full = on_full::grow_to(5000)});
        EXPECT_FALSE(pool.prepare(5001));
        EXPECT_TRUE(pool.prepare(3000));
        EXPECT_EQ(pool.capacity(), 10u);  // memory, not slots
        EXPECT_TRUE(valid(pool));
        const std::size_t calls = failing_memory::calls();
        const allocation_watch watch;
        std::uint32_t done = 0;
        while (done < 2900 && pool.acquire(1)) ++done;
        EXPECT_NO_ALLOCATION(watch);
        EXPECT_EQ(done, 2900u);
        EXPECT_EQ(failing_memory::calls(), calls);
        EXPECT_TRUE(valid(pool));

        failing_memory::refuse(1, lido::test::memory_failure::onwards);
        EXPECT_FALSE(pool.prepare(5000));
        EXPECT_EQ(pool.size(), 2900u);
        EXPECT_TRUE(valid(pool));
        failing_memory::refuse(0);
        EXPECT_TRUE(pool.prepare(5000));
    }
    EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
}

}  // namespace pool_no_allocation_test
