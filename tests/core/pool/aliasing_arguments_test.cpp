// Arguments that are parts of live objects of the same pool, which may be the one that is ended to make room: as with
// std::vector::push_back(v[0]), the newcomer is made from what the argument was when the call was made.
#include <lido/core/capped_list.hpp>
#include <lido/core/column_pool.hpp>
#include <lido/core/dense_pool.hpp>
#include <lido/core/flag_pool.hpp>
#include <lido/core/recycle_pool.hpp>
#include <lido/core/ring_pool.hpp>
#include <lido/core/slot_pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

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

/// Bytes alone, made from a view of others' bytes: it clears its own before it copies.
struct badge {
    explicit badge(std::string_view from) noexcept {
        for (std::size_t i = 0; i < from.size() && i < sizeof(letters); ++i) letters[i] = from[i];
    }
    [[nodiscard]] std::string_view text() const noexcept { return {letters, sizeof(letters)}; }
    char letters[8] = {};
};

TEST(aliasing_arguments, a_full_slot_pool_reads_a_view_into_the_object_that_it_ends) {
    slot_pool<badge, aged> pool(1, {.on_full = on_full::replace_oldest});
    const auto first = pool.acquire(std::string_view("eight888"));
    const auto copy = pool.acquire(pool.get(first)->text());
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->text(), "eight888");
}

TEST(aliasing_arguments, a_full_dense_pool_copies_the_object_that_it_ends) {
    dense_pool<name, aged> pool(2, {.on_full = on_full::replace_oldest});
    const auto first = pool.acquire(std::string(100, 'a'));
    const auto second = pool.acquire(std::string(100, 'b'));
    const auto copy = pool.acquire(*pool.get(first));
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->text, std::string(100, 'a'));
    // The last row moves into the hole: what is copied is what the argument was, not what lies there now.
    const auto next = pool.acquire(*pool.get(second));
    ASSERT_TRUE(next);
    EXPECT_EQ(next->text, std::string(100, 'b'));
    EXPECT_FALSE(pool.contains(second));
}

TEST(aliasing_arguments, a_full_dense_pool_copies_plain_objects_that_move_as_it_ends_another) {
    dense_pool<point, aged> pool(3, {.on_full = on_full::replace_oldest});
    static_cast<void>(pool.acquire(1, 1));
    static_cast<void>(pool.acquire(2, 2));
    const auto last = pool.acquire(3, 3);
    const auto copy = pool.acquire(*pool.get(last));
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->x, 3);
    EXPECT_EQ(pool.get(last)->x, 3);
    const point& old = *pool.get(last);
    const auto swapped = pool.acquire(old.y, copy->x);
    ASSERT_TRUE(swapped);
    EXPECT_EQ(swapped->x, 3);
    EXPECT_EQ(swapped->y, 3);
}

TEST(aliasing_arguments, a_full_column_pool_copies_the_row_and_the_fields_that_it_ends) {
    column_pool<name, aged> texts(2, {.on_full = on_full::replace_oldest});
    const auto first = texts.acquire(std::string(100, 'a'));
    const auto second = texts.acquire(std::string(100, 'b'));
    const auto copy = texts.acquire(texts.get(first)->get<&name::text>());
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->get<&name::text>(), std::string(100, 'a'));
    const auto whole = texts.acquire(name(*texts.get(second)));
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->get<&name::text>(), std::string(100, 'b'));
}

TEST(aliasing_arguments, a_full_column_pool_swaps_fields_of_the_row_that_it_ends) {
    column_pool<point, aged> pool(2, {.on_full = on_full::replace_oldest});
    const auto first = pool.acquire(1, 2);
    static_cast<void>(pool.acquire(3, 4));
    const auto swapped = pool.acquire(pool.get(first)->get<&point::y>(), pool.get(first)->get<&point::x>());
    ASSERT_TRUE(swapped);
    EXPECT_EQ(swapped->get<&point::x>(), 2);
    EXPECT_EQ(swapped->get<&point::y>(), 1);
}

TEST(aliasing_arguments, a_full_capped_list_copies_the_element_that_it_ends) {
    capped_list<name, 2, aged> list({.on_full = on_full::replace_oldest});
    static_cast<void>(list.push(std::string(100, 'a')));
    static_cast<void>(list.push(std::string(100, 'b')));
    const name* const copy = list.push(list[0]);
    ASSERT_NE(copy, nullptr);
    EXPECT_EQ(copy->text, std::string(100, 'a'));
    const name* const other = list.push(list[1].text);
    ASSERT_NE(other, nullptr);
    EXPECT_EQ(other->text, std::string(100, 'b'));
}

TEST(aliasing_arguments, a_full_ring_pool_copies_the_object_that_it_ends) {
    ring_pool<name> ring(2);
    const auto first = ring.acquire(std::string(100, 'a'));
    static_cast<void>(ring.acquire(std::string(100, 'b')));
    const auto copy = ring.acquire(*ring.get(first));
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->text, std::string(100, 'a'));
    EXPECT_FALSE(ring.contains(first));
}

template <class Pool>
void expect_many_copies_of_the_first(Pool& pool) {
    const auto first = pool.acquire(std::string(100, 'a'));
    while (pool.size() < 3) static_cast<void>(pool.acquire(std::string(100, 'b')));
    typename Pool::handle_type made[3];
    ASSERT_EQ(pool.acquire_n(made, *pool.get(first)), 3u);
    for (const auto h : made) EXPECT_EQ(pool.get(h)->text, std::string(100, 'a'));
}

TEST(aliasing_arguments, many_newcomers_to_a_full_dense_pool_are_all_made_from_an_object_that_goes) {
    dense_pool<name, aged> pool(3, {.on_full = on_full::replace_oldest});
    expect_many_copies_of_the_first(pool);
}

TEST(aliasing_arguments, many_newcomers_to_a_full_ring_pool_are_all_made_from_an_object_that_goes) {
    ring_pool<name> ring(3);
    expect_many_copies_of_the_first(ring);
}

TEST(aliasing_arguments, many_newcomers_to_a_full_recycle_pool_are_all_made_from_an_object_that_goes) {
    recycle_pool<label, aged> pool(3, {.on_full = on_full::replace_oldest});
    const auto first = pool.acquire(std::string(100, 'a'));
    while (pool.size() < 3) static_cast<void>(pool.acquire(std::string("b")));
    handle<label> made[3];
    ASSERT_EQ(pool.acquire_n(made, pool.get(first)->text), 3u);
    for (const auto h : made) EXPECT_EQ(pool.get(h)->text, std::string(100, 'a'));
}

TEST(aliasing_arguments, many_newcomers_to_a_full_column_pool_are_all_made_from_a_field_that_goes) {
    column_pool<name, aged> pool(3, {.on_full = on_full::replace_oldest});
    const auto first = pool.acquire(std::string(100, 'a'));
    while (pool.size() < 3) static_cast<void>(pool.acquire(std::string("b")));
    handle<name> made[3];
    ASSERT_EQ(pool.acquire_n(made, pool.get(first)->get<&name::text>()), 3u);
    for (const auto h : made) EXPECT_EQ(pool.get(h)->get<&name::text>(), std::string(100, 'a'));
}

/// Folds the newcomer into the object it was copied from.
struct joins_texts {
    template <class Existing>
    bool operator()(Existing&& existing, const name& newcomer) const {
        if constexpr (requires { existing.text; }) {
            existing.text += newcomer.text;
        } else {
            existing.template get<&name::text>() += newcomer.text;
        }
        return true;
    }
};

TEST(aliasing_arguments, a_newcomer_that_is_merged_into_its_own_original_is_a_copy) {
    const std::string twice(200, 'a');
    const joins_texts join;
    slot_pool<name> slots(1, {.on_full = on_full::merge, .merge = join});
    const auto in_slots = slots.acquire(std::string(100, 'a'));
    EXPECT_FALSE(slots.acquire(*slots.get(in_slots)));
    EXPECT_EQ(slots.get(in_slots)->text, twice);

    dense_pool<name> rows(1, {.on_full = on_full::merge, .merge = join});
    const auto in_rows = rows.acquire(std::string(100, 'a'));
    EXPECT_FALSE(rows.acquire(*rows.get(in_rows)));
    EXPECT_EQ(rows.get(in_rows)->text, twice);

    column_pool<name> columns(1, {.on_full = on_full::merge, .merge = join});
    const auto in_columns = columns.acquire(std::string(100, 'a'));
    EXPECT_FALSE(columns.acquire(columns.get(in_columns)->get<&name::text>()));
    EXPECT_EQ(columns.get(in_columns)->get<&name::text>(), twice);

    capped_list<name, 1> list({.on_full = on_full::merge, .merge = join});
    static_cast<void>(list.push(std::string(100, 'a')));
    EXPECT_EQ(list.push(list[0]), nullptr);
    EXPECT_EQ(list[0].text, twice);
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
