// Promise (S1.4, S3.1): one aligned, padded array a field; packed rows in every column; passes and chunks over chosen columns.
#include "orb.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>
#include <vector>

namespace columns_test {

using namespace lido;
using namespace lido::test;

template <class Pool>
class column_storage : public ::testing::Test {};
using storages = ::testing::Types<column_pool<mixed>, column_pool<mixed, options{}, heap_storage>,
                                  column_pool<mixed, options{}, lent_storage>, inline_column_pool<mixed, 100>>;
TYPED_TEST_SUITE(column_storage, storages);

template <class Span>
std::uintptr_t start(const Span& column) {
    return reinterpret_cast<std::uintptr_t>(column.data());
}

TYPED_TEST(column_storage, columns_are_aligned_apart_and_padded_by_a_line) {
    made_pool<TypeParam> made(100);
    auto& pool = made.pool();
    fill_with_mixed(pool, 100);
    ASSERT_EQ(pool.size(), 100u);
    std::vector<std::pair<std::uintptr_t, std::uintptr_t>> ranges;
    const auto look = [&](auto column) {
        EXPECT_EQ(start(column) % 64, 0u);
        EXPECT_EQ(column.size(), 100u);
        ranges.emplace_back(start(column), start(column) + column.size_bytes() + 64);
    };
    look(pool.template column<0>());
    look(pool.template column<1>());
    look(pool.template column<2>());
    look(pool.template column<3>());
    look(pool.template column<4>());
    look(pool.template column<5>());
    std::sort(ranges.begin(), ranges.end());
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        EXPECT_LE(ranges[i - 1].second, ranges[i].first) << "a vector past the end of a column reaches the next";
    }
    // Written whole vectors past the end: no row, no handle and no other column notices. (Sanitizers watch the last one.)
    std::memset(pool.template column<0>().data() + 100, 0xee, 64);
    std::memset(pool.template column<2>().data() + 100, 0xee, 64);
    std::memset(pool.template column<5>().data() + 100, 0xee, 64);
    EXPECT_TRUE(valid(pool));
    for (std::uint32_t i = 0; i < 100; ++i) ASSERT_EQ(mixed(pool.row(i)), mixed_of(static_cast<int>(i)));
}

TYPED_TEST(column_storage, release_moves_the_last_row_into_the_hole_in_every_column) {
    made_pool<TypeParam> made(100);
    auto& pool = made.pool();
    const auto handles = fill_with_mixed(pool, 5);
    EXPECT_TRUE(pool.release(handles[1]));
    EXPECT_EQ(mixed(pool.row(1)), mixed_of(4));
    EXPECT_EQ(mixed(pool.row(handles[4])), mixed_of(4));
    EXPECT_TRUE(pool.release(handles[3]));  // the last row now
    EXPECT_EQ(pool.size(), 3u);
    const int left[] = {0, 4, 2};
    for (std::uint32_t i = 0; i < 3; ++i) {
        EXPECT_EQ(mixed(pool.row(i)), mixed_of(left[i]));
        EXPECT_EQ(pool.template column<&mixed::name>()[i], mixed_of(left[i]).name);
        EXPECT_EQ(pool.handle_of_row(i), handles[static_cast<std::size_t>(left[i])]);
    }
    EXPECT_TRUE(valid(pool));
}

TEST(column_pool, growth_moves_no_row) {
    column_pool<mixed> pool(4, {.on_full = on_full::grow_to(20000)});
    std::vector<column_pool<mixed>::handle_type> handles;
    handles.push_back(pool.acquire(mixed_of(0)));
    const auto* const first_name = &pool.column<&mixed::name>()[0];
    const auto* const first_flag = &pool.column<&mixed::seen>()[0];
    for (int i = 1; i < 20000; ++i) handles.push_back(pool.acquire(mixed_of(i)));
    EXPECT_EQ(pool.capacity(), 20000u);
    EXPECT_GT(pool.stats().grown, 5u);
    EXPECT_EQ(&pool.column<&mixed::name>()[0], first_name);
    EXPECT_EQ(&pool.column<&mixed::seen>()[0], first_flag);
    for (int i = 0; i < 20000; i += 777) {
        EXPECT_EQ(mixed(pool.row(handles[static_cast<std::size_t>(i)])), mixed_of(i));
    }
    EXPECT_FALSE(pool.acquire(mixed_of(1)));
    // The line past the last row that is ready is committed in every column.
    std::memset(pool.column<&mixed::seen>().data() + pool.size(), 0, 64);
    std::memset(pool.column<&mixed::path>().data() + pool.size(), 0, 64);
    EXPECT_TRUE(valid(pool));
}

TEST(column_pool, trim_gives_pages_of_every_column_back_and_growth_returns) {
    column_pool<orb> pool(100, {.on_full = on_full::grow_to(200'000)});
    for (int i = 0; i < 150'000; ++i) ASSERT_TRUE(pool.acquire(orb_of(i)));
    const std::size_t before = pool.stats().bytes;
    pool.release_if<&orb::amount>([](std::int32_t amount) { return amount >= 3 * 1000; });
    EXPECT_EQ(pool.size(), 1000u);
    EXPECT_GT(pool.trim(), before / 2);
    EXPECT_EQ(pool.capacity(), 1000u);
    for (std::uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(orb(pool.row(i)), orb_of(static_cast<int>(i)));
    for (int i = 0; i < 100'000; ++i) ASSERT_TRUE(pool.acquire(orb_of(i)));
    EXPECT_EQ(orb(pool.row(100'999)), orb_of(99'999));
    EXPECT_TRUE(valid(pool));
    EXPECT_TRUE(pool.prepare(200'000));
    EXPECT_FALSE(pool.prepare(200'001));
}

TEST(column_pool, for_each_over_columns_visits_each_row_once_whatever_the_size) {
    column_pool<orb> pool(1000);
    for (int n = 0; n <= 200; ++n) {
        std::set<std::int32_t> seen;
        pool.for_each<&orb::amount, &orb::flags, &orb::x>([&](std::int32_t& amount, std::uint8_t& flags, float x) {
            EXPECT_EQ(amount, static_cast<std::int32_t>(x) * 3);
            seen.insert(amount);
            ++flags;
        });
        ASSERT_EQ(seen.size(), pool.size());
        int index = 0;
        std::as_const(pool).for_each<&orb::flags>([&](const std::uint8_t& flags) {
            EXPECT_EQ(flags, static_cast<std::uint8_t>(index * 7 + 1 + (n - index)));
            ++index;
        });
        ASSERT_EQ(index, n);
        pool.acquire(orb_of(n));
    }
}

TEST(column_pool, for_each_keeps_the_state_of_its_function) {
    column_pool<orb> pool(100);
    for (int i = 1; i <= 100; ++i) pool.acquire(orb_of(i));
    struct adder {
        std::int64_t sum = 0;
        void operator()(std::int32_t amount) { sum += amount; }
    } sum;
    pool.for_each<&orb::amount>(sum);
    EXPECT_EQ(sum.sum, 3 * 5050);
}

TEST(column_pool, chunks_cover_every_row_once_and_start_on_lines_of_every_column) {
    column_pool<orb> pool(1000);
    EXPECT_EQ(pool.rows_a_line, 64u);  // of the one-byte flags
    EXPECT_EQ(column_pool<mixed>::rows_a_line, 64u);
    struct floats {
        float a, b;
    };
    EXPECT_EQ(column_pool<floats>::rows_a_line, 16u);
    struct odd {
        float a[3];
        double b;
    };
    EXPECT_EQ(column_pool<odd>::rows_a_line, 16u);  // 12 bytes: 16 rows are three lines

    pool.for_each_chunk(10, [](column_pool<orb>::chunk_type) { FAIL() << "an empty pool has no chunk"; });
    EXPECT_EQ(pool.chunk_count(10), 0u);
    for (int i = 0; i < 700; ++i) pool.acquire(orb_of(i));
    for (const std::uint32_t asked : {0u, 1u, 64u, 65u, 128u, 699u, 700u, 701u, 100'000u, 0xffffffffu}) {
        std::uint32_t next = 0;
        std::uint32_t count = 0;
        pool.for_each_chunk(asked, [&](column_pool<orb>::chunk_type chunk) {
            EXPECT_EQ(chunk.first, next);
            EXPECT_GT(chunk.size, 0u);
            EXPECT_EQ(start(chunk.column<&orb::flags>()) % 64, 0u);
            EXPECT_EQ(start(chunk.column<&orb::x>()) % 64, 0u);
            EXPECT_EQ(chunk.column<&orb::x>().size(), chunk.size);
            EXPECT_EQ(chunk.column<0>().data(), pool.column<0>().data() + chunk.first);
            EXPECT_EQ(chunk.row(0).get<&orb::x>(), static_cast<float>(chunk.first));
            chunk.for_each<&orb::magnet_time>([](float& t) { t += 1.0f; });
            next += chunk.size;
            ++count;
        });
        EXPECT_EQ(next, 700u);
        EXPECT_EQ(count, pool.chunk_count(asked));
        EXPECT_EQ(std::as_const(pool).chunk(asked, count - 1).first + pool.chunk(asked, count - 1).size, 700u);
    }
    EXPECT_EQ(pool.row(699).get<&orb::magnet_time>(), orb_of(699).magnet_time + 10.0f);
    EXPECT_EQ(pool.row(0).get<&orb::magnet_time>(), orb_of(0).magnet_time + 10.0f);
}

TEST(column_pool, backward_walk_may_release_the_row_it_is_at) {
    column_pool<orb> pool(100);
    for (int i = 0; i < 100; ++i) pool.acquire(orb_of(i));
    std::set<std::int32_t> seen;
    for (auto row : pool.backward()) {
        EXPECT_TRUE(seen.insert(row.get<&orb::amount>()).second) << "visited twice";
        if (row.get<&orb::amount>() % 2 == 0) pool.release(row);
    }
    EXPECT_EQ(seen.size(), 100u);
    EXPECT_EQ(pool.size(), 50u);
    for (auto row : pool) EXPECT_EQ(row.get<&orb::amount>() % 2, 1);
    EXPECT_TRUE(valid(pool));
}

TEST(column_pool, rows_of_another_pool_and_past_the_end_are_no_rows_of_this_one) {
    const misuse_watch watch;
    column_pool<orb> pool(4);
    column_pool<orb> other(4);
    pool.acquire(orb_of(1));
    other.acquire(orb_of(2));
    EXPECT_FALSE(pool.release(other.row(0)));
    EXPECT_FALSE(pool.handle_of(other.row(0)));
    EXPECT_FALSE(pool.release(column_pool<orb>::const_reference(&pool, 1)));
    EXPECT_FALSE(pool.handle_of(column_pool<orb>::const_reference(&pool, 1)));
    EXPECT_FALSE(pool.handle_of(column_pool<orb>::const_reference(nullptr, 0)));
    EXPECT_EQ(watch.count(misuse_kind::foreign_object), 2u);
    EXPECT_EQ(pool.stats().bad_releases, 2u);
    EXPECT_EQ(pool.size(), 1u);
}

TEST(column_pool, bookkeeping_is_that_of_dense_pool) {
    EXPECT_EQ(column_pool<orb>(1024).stats().bookkeeping_per_slot, dense_pool<orb>(1024).stats().bookkeeping_per_slot);
    EXPECT_EQ(column_pool<orb>(1024).stats().bookkeeping_per_slot, 9.0);
}

TEST(column_pool_death, a_stale_row_a_changed_pool_and_a_dead_handle_stop_the_program) {
    ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    column_pool<orb> pool(4);
    const auto h = pool.acquire(orb_of(1)).handle();
    const auto row = pool.row(0);
    pool.release(h);
    EXPECT_DEATH(static_cast<void>(pool.row(h)), "its life has ended");
    if constexpr (checks) {
        EXPECT_DEATH(static_cast<void>(row.get<0>()), "a row was used past the last one");
        EXPECT_DEATH(static_cast<void>(pool.row(0)), "there is no such row");
        EXPECT_DEATH(static_cast<void>(pool.chunk(16, 0)), "there is no such chunk");
        EXPECT_DEATH(static_cast<void>(*pool.get(h)), "a null row was used");
        EXPECT_DEATH(
            {
                pool.acquire(orb_of(1));
                pool.acquire(orb_of(2));
                for (auto one : pool) pool.release(one);
            },
            "changed during a forward iteration");
    }
}

}  // namespace columns_test
