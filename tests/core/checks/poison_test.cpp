// X7: dead slots are poisoned under AddressSanitizer; elsewhere they are filled. (Valgrind: tests/valgrind.)
#include <lido/core.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#if LIDO_POISON && LIDO_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace checks_poison_test {

struct spark {
    std::uint64_t a = 1;
    std::uint64_t b = 2;
};

#if LIDO_POISON && LIDO_ASAN

[[nodiscard]] bool poisoned(const void* at) { return __asan_address_is_poisoned(at) != 0; }

/// All shapes whose objects stay where they are.
template <class Pool>
class poison : public ::testing::Test {
protected:
    Pool pool = [] {
        if constexpr (requires { Pool(100u); }) {
            return Pool(100u);
        } else {
            return Pool();
        }
    }();
};

using shapes =
    ::testing::Types<lido::slot_pool<spark>, lido::flag_pool<spark, 100>, lido::ring_pool<spark>,
                     lido::bytemap_pool<spark>, lido::inline_slot_pool<spark, 100>,
                     lido::slot_pool<spark, lido::options{}, lido::heap_storage>,
                     lido::slot_pool<spark, lido::options{.forensics = false}>, lido::inline_ring_pool<spark, 100>>;
TYPED_TEST_SUITE(poison, shapes);

TYPED_TEST(poison, X7_a_pointer_kept_past_release_is_poisoned_until_the_slot_lives_again) {
    const auto one = this->pool.acquire();
    spark* const kept = &*one;
    EXPECT_FALSE(poisoned(kept));
    this->pool.release(one);
    EXPECT_TRUE(poisoned(kept));
    EXPECT_TRUE(poisoned(&kept->b));
    for (int i = 0; i < 101 && poisoned(kept); ++i) static_cast<void>(this->pool.acquire());
    EXPECT_FALSE(poisoned(kept));
    this->pool.clear();
    EXPECT_TRUE(poisoned(kept));
}

TYPED_TEST(poison, X7_slots_that_never_lived_are_poisoned) {
    const spark* const first = &*this->pool.acquire();
    EXPECT_FALSE(poisoned(first));
    EXPECT_TRUE(poisoned(first + 1));
    EXPECT_TRUE(poisoned(first + 70));
}

TYPED_TEST(poison, X7_a_restore_opens_what_lives_again_and_closes_what_does_not) {
    const auto one = this->pool.acquire();
    const spark* const a = &*one;
    lido::snapshot then;
    ASSERT_TRUE(this->pool.save(then));
    const spark* const b = &*this->pool.acquire();
    this->pool.release(one);
    ASSERT_TRUE(this->pool.restore(then));
    EXPECT_FALSE(poisoned(a));
    EXPECT_TRUE(poisoned(b));
    EXPECT_EQ(a->b, 2u);
}

TYPED_TEST(poison, X7_a_use_after_release_stops_the_program) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto one = this->pool.acquire();
    volatile spark* const kept = &*one;
    this->pool.release(one);
    EXPECT_DEATH(static_cast<void>(kept->a), "use-after-poison");
    EXPECT_DEATH(kept->b = 1, "use-after-poison");
}

TEST(poison_of_packed_rows, X7_rows_past_the_last_live_one_are_poisoned) {
    lido::dense_pool<spark> pool(100);
    static_cast<void>(pool.acquire());
    const auto last = pool.acquire();
    const spark* const kept = &*last;
    EXPECT_FALSE(poisoned(kept));
    EXPECT_TRUE(poisoned(kept + 1));
    pool.release(last);
    EXPECT_TRUE(poisoned(kept));
    EXPECT_FALSE(poisoned(kept - 1));
    pool.clear();
    EXPECT_TRUE(poisoned(kept - 1));
}

TEST(poison_of_packed_rows, X7_a_list_poisons_what_it_does_not_hold) {
    lido::capped_list<spark, 10> list;
    const spark* const first = list.push();
    EXPECT_TRUE(poisoned(first + 1));
    list.push();
    EXPECT_FALSE(poisoned(first + 1));
    list.swap_remove(0);
    EXPECT_TRUE(poisoned(first + 1));
    list.clear();
    EXPECT_TRUE(poisoned(first));
}

TEST(poison_of_columns, X7_columns_are_poisoned_from_a_line_after_the_last_row) {
    lido::column_pool<spark> pool(1000);
    for (int i = 0; i < 100; ++i) static_cast<void>(pool.acquire());
    const std::uint64_t* const column = pool.column<&spark::a>().data();
    EXPECT_FALSE(poisoned(column + 99));
    EXPECT_FALSE(poisoned(column + 107)) << "passes may touch 64 bytes more";
    EXPECT_TRUE(poisoned(column + 108));
    pool.release_if([](auto row) { return row.index() >= 50; });
    EXPECT_EQ(pool.size(), 50u);
    EXPECT_TRUE(poisoned(column + 99)) << "a reference to a row that is gone";
    EXPECT_FALSE(poisoned(column + 57));
    EXPECT_TRUE(poisoned(column + 58));
}

TEST(poison_of_recycled, X7_idle_objects_are_poisoned_where_that_is_asked_for) {
    struct owner {
        std::vector<int> memory;
        void on_acquire() noexcept { memory.clear(); }
    };
    for (const bool asked : {false, true}) {
        lido::recycle_pool<owner> pool(10, {.poison_idle = asked});
        pool.prewarm(2);
        auto one = pool.acquire();
        one->memory.assign(100, 1);
        const owner* const kept = &*one;
        pool.release(one);
        EXPECT_EQ(poisoned(kept), asked);
        EXPECT_TRUE(poisoned(kept + 5)) << "a slot without an object";
        one = pool.acquire();
        ASSERT_EQ(&*one, kept);
        EXPECT_FALSE(poisoned(kept));
        EXPECT_GE(one->memory.capacity(), 100u);
        lido::snapshot then;
        ASSERT_TRUE(pool.save(then));
        pool.release(one);
        ASSERT_TRUE(pool.restore(then));
        EXPECT_FALSE(poisoned(kept));
        pool.clear();
        pool.trim();
        EXPECT_TRUE(poisoned(kept));
    }
}

TEST(poison_and_quarantine, X7_a_reuse_delay_keeps_a_dead_slot_poisoned_for_that_many_releases) {
    lido::slot_pool<spark, lido::options{.reuse_delay = 16}> pool(100);
    const auto one = pool.acquire();
    const spark* const kept = &*one;
    pool.release(one);
    for (int i = 0; i < 16; ++i) {
        EXPECT_TRUE(poisoned(kept)) << i;
        pool.release(pool.acquire());
    }
    for (int i = 0; i < 100 && poisoned(kept); ++i) static_cast<void>(pool.acquire());
    EXPECT_FALSE(poisoned(kept));
}

TEST(poison_and_memory, X7_memory_goes_back_without_a_mark) {
    alignas(64) static std::byte buffer[64 * 64];
    {
        lido::slot_pool<spark, lido::options{}, lido::lent_storage> pool{std::span<std::byte>(buffer)};
        static_cast<void>(pool.acquire());
        EXPECT_NE(__asan_region_is_poisoned(buffer, sizeof(buffer)), nullptr);
    }
    EXPECT_EQ(__asan_region_is_poisoned(buffer, sizeof(buffer)), nullptr);
    alignas(lido::inline_slot_pool<spark, 8>) std::byte room[sizeof(lido::inline_slot_pool<spark, 8>)];
    auto* const inside = ::new (static_cast<void*>(room)) lido::inline_slot_pool<spark, 8>;
    EXPECT_NE(__asan_region_is_poisoned(room, sizeof(room)), nullptr);
    std::destroy_at(inside);
    EXPECT_EQ(__asan_region_is_poisoned(room, sizeof(room)), nullptr);
}

TEST(poison_and_memory, X7_growth_and_trim_keep_the_marks_right) {
    lido::slot_pool<spark> pool(16, {.on_full = lido::on_full::grow_to(100000)});
    std::vector<lido::handle<spark>> handles;
    for (int i = 0; i < 50000; ++i) handles.push_back(pool.acquire());
    const spark* const high = pool.get(handles[40000]);
    EXPECT_FALSE(poisoned(high));
    for (std::size_t i = 10; i < handles.size(); ++i) pool.release(handles[i]);
    EXPECT_TRUE(poisoned(high));
    EXPECT_GT(pool.trim(), 0u);
    for (std::size_t i = 10; i < handles.size(); ++i) handles[i] = pool.acquire();
    for (const auto h : handles) EXPECT_FALSE(poisoned(pool.get(h)));
    EXPECT_TRUE(pool.validate());
}

#elif LIDO_POISON

TEST(dead_fill, X7_without_a_sanitizer_a_dead_object_is_filled_with_a_pattern) {
    const auto check = [](auto&& pool) {
        const auto one = pool.acquire();
        const auto* const bytes = reinterpret_cast<const volatile unsigned char*>(&*one);
        pool.release(one);
        for (std::size_t i = 0; i < sizeof(spark); ++i) ASSERT_EQ(bytes[i], 0xdd) << i;
    };
    check(lido::slot_pool<spark>(4));
    check(lido::flag_pool<spark, 4>());
    check(lido::dense_pool<spark>(4));
    check(lido::ring_pool<spark>(4));
    check(lido::bytemap_pool<spark>(4));
    check(lido::recycle_pool<spark>(4, {.idle_cap = 0}));
}

TEST(dead_fill, X7_a_clear_fills_them_all) {
    lido::slot_pool<spark> pool(100);
    const auto* const bytes = reinterpret_cast<const volatile unsigned char*>(&*pool.acquire());
    for (int i = 0; i < 70; ++i) static_cast<void>(pool.acquire());
    pool.clear();
    for (std::size_t i = 0; i < 70 * sizeof(spark); ++i) ASSERT_EQ(bytes[i], 0xdd) << i;
}

TEST(dead_fill, X7_columns_are_filled_field_by_field) {
    lido::column_pool<spark> pool(4);
    static_cast<void>(pool.acquire());
    const auto* const column = reinterpret_cast<const volatile unsigned char*>(pool.column<&spark::a>().data());
    pool.clear();
    for (std::size_t i = 0; i < sizeof(std::uint64_t); ++i) ASSERT_EQ(column[i], 0xdd) << i;
}

#endif

}  // namespace checks_poison_test
