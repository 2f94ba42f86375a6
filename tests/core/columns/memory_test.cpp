// Promise: memory refused for any column at any step of growth is a clean refusal; no column is ahead of the others.
#include "orb.hpp"
#include "support/failing_memory.hpp"

#include <lido/core/rewind/save.hpp>

namespace columns_memory_test {

using namespace lido;
using namespace lido::test;

using failing_reserved = basic_reserved_storage<failing_pages<>>;
using failing_heap = basic_heap_storage<failing_source<>>;
using growing = column_pool<orb, options{.tracks = track::age}, failing_reserved>;

constexpr int most = 60'000;

TEST(column_memory, a_refused_step_of_growth_loses_nothing_and_works_when_memory_is_back) {
    std::size_t refused_steps = 0;
    for (std::size_t nth = 1;; ++nth) {
        ASSERT_LT(nth, 500u);
        failing_memory::reset();
        const std::size_t before = refused_steps;
        {
            growing pool(64, {.on_full = on_full::grow_to(most)});
            failing_memory::refuse(nth, lido::test::memory_failure::onwards);
            int made = 0;
            while (made < most) {
                if (pool.acquire(orb_of(made))) {
                    ++made;
                    continue;
                }
                ASSERT_EQ(pool.why_refused(), lido::refusal::no_memory);
                ASSERT_EQ(pool.size(), static_cast<std::uint32_t>(made));
                ASSERT_TRUE(valid(pool));
                ++refused_steps;
                failing_memory::refuse(0);
            }
            EXPECT_EQ(pool.size(), static_cast<std::uint32_t>(most));
            EXPECT_EQ(orb(pool.row(most - 1)), orb_of(most - 1));
            EXPECT_EQ(orb(pool.row(0)), orb_of(0));
            EXPECT_TRUE(valid(pool));
        }
        ASSERT_TRUE(failing_memory::balanced()) << failing_memory::report();
        if (refused_steps == before) break;  // it grew in fewer steps than that
    }
    EXPECT_GT(refused_steps, 20u) << "eleven columns and the map grow in steps";
    failing_memory::reset();
}

TEST(column_memory, a_restore_without_memory_changes_nothing) {
    failing_memory::reset();
    {
        growing big(64, {.on_full = on_full::grow_to(most)});
        for (int i = 0; i < 40'000; ++i) ASSERT_TRUE(big.acquire(orb_of(i)));
        snapshot saved;
        ASSERT_TRUE(big.save(saved));
        growing pool(64, {.on_full = on_full::grow_to(most)});
        for (int i = 0; i < 10; ++i) pool.acquire(orb_of(i));
        const std::uint64_t before = pool.state_hash();
        failing_memory::refuse(1, lido::test::memory_failure::onwards);
        EXPECT_EQ(pool.restore(saved).error, restore_error::no_memory);
        EXPECT_EQ(pool.state_hash(), before);
        EXPECT_TRUE(valid(pool));
        failing_memory::refuse(0);
        EXPECT_TRUE(pool.restore(saved));
        EXPECT_EQ(pool.state_hash(), big.state_hash());
    }
    EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
    failing_memory::reset();
}

TEST(column_memory, a_pool_without_memory_is_harmless) {
    const misuse_watch watch;
    failing_memory::reset();
    failing_memory::refuse(1, lido::test::memory_failure::onwards);
    {
        column_pool<mixed, options{}, failing_heap> pool(100);
        EXPECT_EQ(watch.count(misuse_kind::no_memory), 1u);
        EXPECT_EQ(pool.capacity(), 0u);
        EXPECT_FALSE(pool.acquire(mixed_of(1)));
        EXPECT_TRUE(pool.column<&mixed::name>().empty());
        EXPECT_EQ(pool.begin(), pool.end());
        pool.for_each<&mixed::name>([](const std::string&) { FAIL(); });
        EXPECT_EQ(pool.chunk_count(8), 0u);
        pool.clear();
        EXPECT_EQ(pool.trim(), 0u);
        snapshot saved;
        EXPECT_TRUE(pool.save(saved));
        EXPECT_TRUE(pool.restore(saved));
        EXPECT_TRUE(valid(pool));
    }
    EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
    failing_memory::reset();
}

// --- fields that reach into their own pool ---

struct meddler {
    static inline inline_column_pool<struct meddled, 4>* pool = nullptr;
    meddler() = default;
    explicit meddler(int) noexcept;
};
struct meddled {
    meddler m;
    int n;
};
meddler::meddler(int) noexcept {
    if (pool != nullptr) pool->acquire();
}

TEST(column_pool_death, a_constructor_that_changes_its_pool_stops_the_program) {
    ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    if constexpr (!checks) GTEST_SKIP() << "only builds with checks notice";
    inline_column_pool<meddled, 4> pool;
    meddler::pool = &pool;
    struct late {
        operator meddler() const noexcept { return meddler(1); }
    };
    EXPECT_DEATH(pool.acquire(late{}, 1), "constructor changed the pool");
    meddler::pool = nullptr;
}

}  // namespace columns_memory_test
