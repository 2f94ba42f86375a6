// Arguments that are parts of live objects of the same pool, which may be the one that is ended to make room: as with
// std::vector::push_back(v[0]), the newcomer is made from what the argument was when the call was made.
#include <lido/core/flag_pool.hpp>
#include <lido/core/recycle_pool.hpp>
#include <lido/core/slot_pool.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace lido::test::pool_aliasing_arguments {

constexpr options aged{.tracks = track::age};

struct point {
    int x = 0;
    int y = 0;
};

struct name {
    std::string text;
};

/// Has no constructor that throws, and cannot be moved.
struct pinned {
    explicit pinned(const int& from) noexcept : value(from) {}
    pinned(const pinned&) = delete;
    pinned& operator=(const pinned&) = delete;
    int value;
};

TEST(aliasing_arguments, a_full_slot_pool_copies_the_plain_object_that_it_ends) {
    slot_pool<point, aged> pool(2, {.on_full = on_full::replace_oldest});
    const auto first = pool.acquire(point{1, 2});
    static_cast<void>(pool.acquire(point{3, 4}));
    const auto copy = pool.acquire(*pool.get(first));
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->x, 1);
    EXPECT_EQ(copy->y, 2);
    EXPECT_FALSE(pool.contains(first));
}

TEST(aliasing_arguments, a_full_slot_pool_takes_fields_of_the_object_that_it_ends) {
    slot_pool<point, aged> pool(1, {.on_full = on_full::replace_oldest});
    const auto first = pool.acquire(7, 8);
    const point& old = *pool.get(first);
    const auto swapped = pool.acquire(old.y, old.x);
    ASSERT_TRUE(swapped);
    EXPECT_EQ(swapped->x, 8);
    EXPECT_EQ(swapped->y, 7);
}

TEST(aliasing_arguments, a_full_slot_pool_shares_what_the_object_that_it_ends_owns) {
    slot_pool<std::shared_ptr<int>, aged> pool(1, {.on_full = on_full::replace_oldest});
    const auto first = pool.acquire(std::make_shared<int>(42));
    const auto copy = pool.acquire(*pool.get(first));
    ASSERT_TRUE(copy);
    EXPECT_EQ(**copy, 42);
    EXPECT_EQ(copy->use_count(), 1);
}

TEST(aliasing_arguments, a_full_flag_pool_copies_the_text_of_the_object_that_it_ends) {
    flag_pool<name, 2, aged> pool({.on_full = on_full::replace_oldest});
    const auto first = pool.acquire(std::string(100, 'a'));
    static_cast<void>(pool.acquire(std::string("b")));
    const auto copy = pool.acquire(pool.get(first)->text);
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->text, std::string(100, 'a'));
}

TEST(aliasing_arguments, an_object_that_cannot_be_moved_is_refused_instead_of_made_from_a_dead_one) {
    slot_pool<pinned, aged> pool(1, {.on_full = on_full::replace_oldest});
    const auto first = pool.acquire(5);
    EXPECT_FALSE(pool.acquire(pool.get(first)->value));
    EXPECT_EQ(pool.why_refused(), refusal::cannot_replace);
    EXPECT_TRUE(pool.contains(first));
    EXPECT_TRUE(pool.acquire(6));
}

/// on_acquire gets its text from the caller.
struct label {
    std::string text;
    void on_acquire(const std::string& from) noexcept { text.assign(from); }
    void on_release() noexcept { text.clear(); }
};

TEST(aliasing_arguments, a_full_recycle_pool_resets_an_object_from_its_own_last_life) {
    recycle_pool<label, aged> pool(2, {.on_full = on_full::replace_oldest});
    const auto first = pool.acquire(std::string(100, 'a'));
    static_cast<void>(pool.acquire(std::string("b")));
    const auto copy = pool.acquire(pool.get(first)->text);
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->text, std::string(100, 'a'));
}

TEST(aliasing_arguments, a_full_recycle_pool_of_plain_objects_copies_the_one_that_it_ends) {
    recycle_pool<point, aged> pool(2, {.on_full = on_full::replace_oldest});
    const auto first = pool.acquire(point{1, 2});
    static_cast<void>(pool.acquire(point{3, 4}));
    const auto copy = pool.acquire(*pool.get(first));
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->x, 1);
    EXPECT_EQ(copy->y, 2);
}

TEST(aliasing_arguments, many_newcomers_are_all_made_from_the_object_that_the_first_of_them_ends) {
    slot_pool<name, aged> pool(3, {.on_full = on_full::replace_oldest});
    const auto first = pool.acquire(std::string(100, 'a'));
    static_cast<void>(pool.acquire(std::string("b")));
    static_cast<void>(pool.acquire(std::string("c")));
    handle<name> made[2];
    ASSERT_EQ(pool.acquire_n(made, pool.get(first)->text), 2u);
    for (const auto h : made) EXPECT_EQ(pool.get(h)->text, std::string(100, 'a'));
}

TEST(acquire_n_on_a_full_pool_that_replaces, gives_no_more_handles_than_there_are_lives) {
    slot_pool<point, aged> pool(4, {.on_full = on_full::replace_oldest});
    handle<point> made[10];
    EXPECT_EQ(pool.acquire_n(made, 1, 2), 4u);
    EXPECT_EQ(pool.size(), 4u);
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(pool.contains(made[i]), i < 4) << i;
}

TEST(acquire_n_on_a_full_pool_that_replaces, gives_only_handles_of_those_that_a_later_one_did_not_replace) {
    // The rule always ends the object in the lowest slot: after the first, newcomers end one another.
    slot_pool<point> pool(3, {.on_full = on_full::replace_if, .victim = [](const point&) { return true; }});
    while (pool.acquire(0, 0) && pool.size() < 3) {
    }
    handle<point> made[3];
    EXPECT_EQ(pool.acquire_n(made, 1, 2), 1u);
    EXPECT_TRUE(pool.contains(made[0]));
    EXPECT_FALSE(made[1]);
    EXPECT_FALSE(made[2]);
}

}  // namespace lido::test::pool_aliasing_arguments
