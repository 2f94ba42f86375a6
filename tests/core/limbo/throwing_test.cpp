// X2: what throws where ends wait: a constructor, on_acquire, and the copies that a restore makes. Nothing is lost, and nothing is let go.
#include "core/limbo/sirens.hpp"

#include <lido/core/recycle_pool.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/core/slot_pool.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>

namespace limbo_throwing_test {

using lido::test::confirmed;

int copies_left = -1;  // -1: as many as are wanted
int ended = 0;

struct brittle {
    int id = 0;
    bool tells = false;

    brittle() = default;
    explicit brittle(int number) : id(number), tells(true) {
        if (number < 0) throw std::runtime_error("refused");
    }
    brittle(const brittle& other) : id(other.id) {
        if (copies_left == 0) throw std::runtime_error("no copies left");
        if (copies_left > 0) --copies_left;
    }
    brittle(brittle&& other) noexcept : id(other.id) {}
    brittle& operator=(const brittle& other) = delete;
    brittle& operator=(brittle&& other) noexcept {
        id = other.id;
        return *this;
    }
    ~brittle() { ended += tells ? 1 : 0; }
    void hash(lido::hasher& h) const { h.add(static_cast<std::uint64_t>(id)); }
};

struct brittle_siren : brittle {
    void on_acquire(int number) {
        if (number < 0) throw std::runtime_error("refused");
        id = number;
    }
    void on_release() noexcept { ++ended; }
};

template <class Pool>
class throwing_where_ends_wait : public ::testing::Test {
protected:
    throwing_where_ends_wait() {
        copies_left = -1;
        ended = 0;
    }
    Pool made{4, {.leaks = lido::leaks::allow}};
};
using pools = ::testing::Types<lido::slot_pool<brittle, confirmed>, lido::recycle_pool<brittle_siren, confirmed>>;
TYPED_TEST_SUITE(throwing_where_ends_wait, pools);

TYPED_TEST(throwing_where_ends_wait, X2_an_acquire_that_throws_leaves_what_waits_alone) {
    auto& pool = this->made;
    pool.release(pool.acquire(1));
    const auto hash = pool.state_hash();
    EXPECT_THROW(static_cast<void>(pool.acquire(-1)), std::runtime_error);
    EXPECT_EQ(pool.state_hash(), hash);
    EXPECT_EQ(pool.waiting_ends(), 1u);
    EXPECT_EQ(ended, 0);
    EXPECT_TRUE(pool.validate());
    EXPECT_EQ(pool.confirm(0), 1u);
    EXPECT_EQ(ended, 1);
}

TYPED_TEST(throwing_where_ends_wait, X2_a_restore_that_cannot_copy_changes_nothing) {
    auto& pool = this->made;
    const auto one = pool.acquire(1).handle();
    const auto two = pool.acquire(2).handle();
    lido::snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    pool.release(one);
    const auto hash = pool.state_hash();
    for (int copies = 0; copies < 2; ++copies) {
        copies_left = copies;
        EXPECT_THROW(static_cast<void>(pool.restore(saved)), std::runtime_error);
        EXPECT_EQ(pool.state_hash(), hash);
        EXPECT_TRUE(pool.end_waits(one));
        EXPECT_TRUE(pool.validate());
    }
    copies_left = -1;
    EXPECT_EQ(ended, 0);
    ASSERT_TRUE(pool.restore(saved));
    EXPECT_TRUE(pool.contains(one));
    EXPECT_TRUE(pool.contains(two));
    EXPECT_EQ(ended, 0);
}

}  // namespace limbo_throwing_test
