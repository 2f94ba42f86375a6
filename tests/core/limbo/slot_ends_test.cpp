// X2: an end in a slot_pool with confirmed_ends waits: the destructor runs when it is confirmed, and not before; what comes back keeps
// its address.
#include "core/limbo/sirens.hpp"

#include <lido/core/rewind/save.hpp>
#include <lido/core/slot_pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace limbo_slot_ends_test {

using lido::test::confirmed;
using ids = std::vector<int>;

ids freed;

/// Owns memory; tells its end. What it was moved or copied from tells nothing.
struct voice {
    int id = 0;
    std::string text;
    bool tells = false;

    explicit voice(int number) : id(number), text(50, 'a'), tells(true) {}
    voice(const voice& other) : id(other.id), text(other.text) {}
    voice(voice&& other) noexcept : id(other.id), text(std::move(other.text)) {}
    voice& operator=(const voice& other) {
        id = other.id;
        text = other.text;
        return *this;
    }
    voice& operator=(voice&& other) noexcept {
        id = other.id;
        text = std::move(other.text);
        return *this;
    }
    ~voice() {
        if (tells) freed.push_back(id);
    }
};

template <class Storage>
class confirmed_ends_of_slots : public ::testing::Test {
protected:
    confirmed_ends_of_slots() {
        freed.clear();
        made.begin_tick(1);
    }
    lido::slot_pool<voice, confirmed, Storage> made{4, {.leaks = lido::leaks::allow, .rollback = 3}};
};
using storages = ::testing::Types<lido::heap_storage, lido::reserved_storage>;
TYPED_TEST_SUITE(confirmed_ends_of_slots, storages);

TYPED_TEST(confirmed_ends_of_slots, X2_a_destructor_runs_once_when_the_end_is_confirmed) {
    auto& pool = this->made;
    const auto one = pool.acquire(1).handle();
    ASSERT_TRUE(pool.release(one));
    EXPECT_FALSE(pool.contains(one));
    EXPECT_TRUE(pool.empty());
    EXPECT_TRUE(pool.end_waits(one));
    EXPECT_EQ(freed, ids{});
    EXPECT_EQ(pool.confirm(1), 1u);
    EXPECT_EQ(freed, ids{1});
    EXPECT_EQ(pool.confirm(1), 0u);
    ASSERT_TRUE(pool.begin_tick(4));
    EXPECT_EQ(freed, ids{1});
    EXPECT_FALSE(pool.end_waits(one));
    EXPECT_TRUE(pool.validate());
}

TYPED_TEST(confirmed_ends_of_slots, X2_a_restore_brings_back_the_same_object_under_the_same_handle) {
    auto& pool = this->made;
    const auto one = pool.acquire(1);
    const voice* const object = one.get();
    const auto handle = one.handle();
    lido::snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    pool.get(handle)->text = "changed";
    ASSERT_TRUE(pool.release(handle));
    ASSERT_TRUE(pool.acquire(2));
    ASSERT_TRUE(pool.begin_tick(3));
    ASSERT_TRUE(pool.restore(saved));
    EXPECT_EQ(freed, ids{2});
    ASSERT_EQ(pool.get(handle), object);
    EXPECT_EQ(object->text, std::string(50, 'a'));
    EXPECT_TRUE(pool.validate());
    ASSERT_TRUE(pool.release(handle));
    EXPECT_EQ(pool.confirm(1), 1u);
    EXPECT_EQ(freed, (ids{2, 1}));
}

TYPED_TEST(confirmed_ends_of_slots, X2_slots_are_free_in_the_order_of_the_ends_and_no_sooner) {
    auto& pool = this->made;
    lido::handle<voice> h[4];
    for (int i = 0; i < 4; ++i) h[i] = pool.acquire(i).handle();
    for (const int i : {2, 0, 3, 1}) pool.release(h[i]);
    pool.confirm(1);
    EXPECT_TRUE(pool.full());
    EXPECT_FALSE(pool.acquire(9));
    ASSERT_TRUE(pool.begin_tick(3));
    EXPECT_FALSE(pool.acquire(9));
    ASSERT_TRUE(pool.begin_tick(4));
    // The one that was free last comes first, as after a release.
    for (const int i : {1, 3, 0, 2}) EXPECT_EQ(pool.acquire(9).handle().index(), h[i].index());
    EXPECT_TRUE(pool.validate());
}

TYPED_TEST(confirmed_ends_of_slots, X2_a_clear_and_the_end_of_the_pool_let_everything_go) {
    {
        auto pool = std::make_unique<std::remove_reference_t<decltype(this->made)>>(4);
        pool->release(pool->acquire(1));
        ASSERT_TRUE(pool->acquire(2));
        pool->clear();
        EXPECT_EQ(freed, (ids{1, 2}));
        EXPECT_EQ(pool->waiting_ends(), 0u);
        EXPECT_EQ(pool->acquire(3).handle().index(), 0u);
        EXPECT_TRUE(pool->validate());
        pool->clear();
        pool->release(pool->acquire(4));
    }
    EXPECT_EQ(freed, (ids{1, 2, 3, 4}));
}

TYPED_TEST(confirmed_ends_of_slots, X2_a_pool_that_moves_takes_what_waits_with_it) {
    auto& pool = this->made;
    const auto one = pool.acquire(1).handle();
    lido::snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    pool.release(one);
    auto moved = std::move(pool);
    EXPECT_EQ(freed, ids{});
    EXPECT_TRUE(moved.end_waits(one));
    ASSERT_TRUE(moved.restore(saved));
    EXPECT_TRUE(moved.contains(one));
    moved.release(one);
    EXPECT_EQ(moved.confirm(1), 1u);
    EXPECT_EQ(freed, ids{1});
    EXPECT_TRUE(moved.validate());
}

TYPED_TEST(confirmed_ends_of_slots, X2_a_slot_at_its_last_generation_retires_when_its_end_is_out_of_reach) {
    constexpr lido::options worn{.handle_bits = 32, .index_bits = 28, .confirmed_ends = true};
    lido::slot_pool<voice, worn, TypeParam> pool{1, {.leaks = lido::leaks::allow, .rollback = 1}};
    std::uint64_t tick = 0;
    lido::snapshot before_the_last;
    for (int life = 0; life < 7; ++life) {
        const auto one = pool.acquire(life);
        ASSERT_TRUE(one) << life;
        ASSERT_TRUE(pool.save(before_the_last));
        pool.release(one);
        EXPECT_EQ(pool.stats().retired, 0u);
        EXPECT_TRUE(pool.validate());
        if (life == 6) {
            // It comes back even so.
            ASSERT_TRUE(pool.restore(before_the_last));
            EXPECT_EQ(pool.size(), 1u);
            EXPECT_TRUE(pool.validate());
            pool.release_if([](const voice&) { return true; });
        }
        ASSERT_TRUE(pool.begin_tick(++tick));
    }
    EXPECT_EQ(pool.stats().retired, 1u);
    EXPECT_FALSE(pool.acquire(9));
    EXPECT_TRUE(pool.validate());
}

TEST(confirmed_ends_inside_of_an_object, X2_wait_in_the_same_way) {
    freed.clear();
    lido::inline_slot_pool<voice, 3, confirmed> pool{{.leaks = lido::leaks::allow}};
    const auto one = pool.acquire(1).handle();
    lido::snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    pool.release(one);
    ASSERT_TRUE(pool.restore(saved));
    EXPECT_TRUE(pool.contains(one));
    EXPECT_EQ(freed, ids{});
    EXPECT_TRUE(pool.validate());
}

}  // namespace limbo_slot_ends_test
