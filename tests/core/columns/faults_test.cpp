// Promise: a field whose constructor or copy throws leaves the pool as it was, at whatever step it throws (S3.1).
#include "core/faults/fragile.hpp"
#include "orb.hpp"

#include <lido/core/rewind/save.hpp>

#include <functional>
#include <optional>

namespace columns_faults_test {

using namespace lido;
using namespace lido::test;

struct couple {
    fragile left;
    int between;
    fragile right[2];
};
static_assert(field_count<couple>() == 3);

couple couple_of(int seed) { return {fragile(seed), seed * 2, {fragile(seed + 1), fragile(seed + 2)}}; }

template <class Row>
int seed_of(const Row& row) {
    const auto& [left, between, right] = row;
    const int seed = left.read();
    return between == seed * 2 && right[0].read() == seed + 1 && right[1].read() == seed + 2 ? seed : torn;
}

using aged = column_pool<couple, options{.tracks = track::age}>;

/// Lets `act` fail at its first step, its second, ... until it succeeds; after each failure the pool must be as before.
void walk(aged& pool, const std::function<void()>& act) {
    const std::uint64_t before = pool.state_hash();
    const auto counted = pool.stats();
    const std::size_t live = fragile::live();
    std::size_t failures = 0;
    for (std::size_t nth = 1;; ++nth) {
        ASSERT_LT(nth, 10'000u);
        failure_plan::fail_at(nth);
        try {
            act();
            failure_plan::never();
            break;
        } catch (const injected_failure&) {
            ++failures;
        }
        failure_plan::never();
        ASSERT_EQ(pool.state_hash(), before) << "failed at step " << nth;
        ASSERT_EQ(pool.stats().acquired, counted.acquired);
        ASSERT_EQ(pool.stats().capacity, counted.capacity);
        ASSERT_EQ(fragile::live(), live) << "a field was lost or kept, at step " << nth;
        ASSERT_TRUE(valid(pool));
    }
    EXPECT_GT(failures, 0u) << "nothing was tried";
}

class column_faults : public ::testing::Test {
protected:
    column_faults() {
        for (int i = 0; i < 10; ++i) handles_.push_back(pool_.acquire(couple_of(i)));
    }
    lifetime_scope lives_;
    aged pool_{10, {.on_full = on_full::grow_to(20).then(on_full::replace_oldest)}};
    std::vector<aged::handle_type> handles_;
};

TEST_F(column_faults, acquire_by_copy) {
    const couple mine = couple_of(77);
    walk(pool_, [&] { ASSERT_TRUE(pool_.acquire(mine)); });  // grows, too
    EXPECT_EQ(pool_.size(), 11u);
    EXPECT_EQ(seed_of(pool_.row(10)), 77);
    EXPECT_EQ(seed_of(mine), 77);
}

TEST_F(column_faults, acquire_that_replaces) {
    while (!(pool_.size() == pool_.max_capacity())) pool_.acquire(couple_of(50));
    const couple mine = couple_of(77);
    walk(pool_, [&] { ASSERT_TRUE(pool_.acquire(mine)); });
    EXPECT_FALSE(pool_.contains(handles_[0]));
    EXPECT_EQ(pool_.size(), 20u);
}

TEST_F(column_faults, reserve_by_copy) {
    const couple mine = couple_of(77);
    const auto wanted = aged::handle_type::of(15, 5);
    walk(pool_, [&] { ASSERT_TRUE(pool_.reserve(wanted, mine)); });
    EXPECT_EQ(seed_of(pool_.row(wanted)), 77);
}

TEST_F(column_faults, acquire_n) {
    const couple mine = couple_of(77);
    std::vector<aged::handle_type> out(3);
    const std::size_t live = fragile::live();
    for (std::size_t nth = 1; nth <= 9; ++nth) {  // three fields a row
        failure_plan::fail_at(nth);
        EXPECT_THROW(pool_.acquire_n(out, mine), injected_failure);
        failure_plan::never();
        EXPECT_EQ(out, std::vector<aged::handle_type>(3));
        EXPECT_EQ(fragile::live(), live);
        EXPECT_EQ(pool_.size(), 10u);
        for (std::uint32_t i = 0; i < 10; ++i) ASSERT_EQ(seed_of(pool_.row(i)), static_cast<int>(i));
        EXPECT_TRUE(valid(pool_));
    }
    EXPECT_EQ(pool_.acquire_n(out, mine), 3u);
}

TEST_F(column_faults, row_assignment) {
    const couple mine = couple_of(77);
    walk(pool_, [&] { pool_.row(3) = mine; });
    EXPECT_EQ(seed_of(pool_.row(3)), 77);
    walk(pool_, [&] { pool_.row(4) = pool_.row(3); });
    EXPECT_EQ(seed_of(pool_.row(4)), 77);
}

TEST_F(column_faults, whole_struct_out_of_a_row) {
    walk(pool_, [&] {
        const couple whole = pool_.row(5);
        ASSERT_EQ(seed_of(whole), 5);
    });
}

TEST_F(column_faults, save_and_restore) {
    snapshot saved;
    walk(pool_, [&] { ASSERT_TRUE(pool_.save(saved)); });
    pool_.release(handles_[2]);
    pool_.acquire(couple_of(99));
    pool_.acquire(couple_of(98));
    walk(pool_, [&] { ASSERT_TRUE(pool_.restore(saved)); });
    for (int i = 0; i < 10; ++i) {
        ASSERT_EQ(seed_of(pool_.row(handles_[static_cast<std::size_t>(i)])), i);
    }
    EXPECT_TRUE(valid(pool_));
}

TEST_F(column_faults, moving_and_ending_the_pool_ends_every_field_once) {
    const std::size_t live = fragile::live();
    {
        std::optional<aged> other(std::move(pool_));
        EXPECT_EQ(fragile::live(), live);
        EXPECT_EQ(seed_of(other->row(handles_[7])), 7);
        EXPECT_EQ(pool_.capacity(), 0u);  // NOLINT(bugprone-use-after-move): stated
        EXPECT_TRUE(valid(*other) && valid(pool_));
        other->release_if([](auto row) { return seed_of(row) % 2 == 0; });
        EXPECT_EQ(fragile::live(), live / 2);
    }
    EXPECT_EQ(fragile::live(), 0u);
}

}  // namespace columns_faults_test
