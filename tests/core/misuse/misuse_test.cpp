// Misuse is told to one handler, with what and where; counted; and changes nothing.
#include <lido/core.hpp>

#include "core/misuse/misuse_log.hpp"
#include "support/failing_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace misuse_test {

using lido::misuse_kind;
using lido::on_full;
using lido::test::misuse_log;

template <class Pool>
class misuse_of : public ::testing::Test {};

using shapes =
    ::testing::Types<lido::flag_pool<int, 4>, lido::inline_slot_pool<int, 4>, lido::inline_dense_pool<int, 4>,
                     lido::inline_slot_pool<int, 4, lido::options{.order = lido::reuse::lowest}>,
                     lido::inline_dense_pool<int, 4, lido::options{.handle_bits = 32}>>;
TYPED_TEST_SUITE(misuse_of, shapes);

TYPED_TEST(misuse_of, a_second_release_is_told_as_double) {
    misuse_log log;
    TypeParam pool({.name = "bullets"});
    static_cast<void>(pool.acquire(1));
    const auto h = pool.acquire(2).handle();
    EXPECT_TRUE(pool.release(h));
    EXPECT_EQ(log.count(), 0u);
    EXPECT_FALSE(pool.release(h));
    const auto told = log.only();
    EXPECT_EQ(told.kind, misuse_kind::double_release);
    EXPECT_EQ(told.pool, "bullets");
    EXPECT_EQ(told.what, "the released handle's life has been released before");
    EXPECT_TRUE(told.names_slot);
    EXPECT_EQ(told.slot, h.index());
    EXPECT_EQ(told.generation, h.generation());
    EXPECT_EQ(told.slot_generation, h.generation() + 1);
    EXPECT_EQ(pool.stats().bad_releases, 1u);
    EXPECT_EQ(pool.size(), 1u);
    EXPECT_TRUE(pool.validate());
}

TYPED_TEST(misuse_of, a_release_of_an_earlier_life_is_told_as_stale) {
    misuse_log log;
    TypeParam pool({.name = "enemies"});
    const auto old = pool.acquire(1).handle();
    pool.release(old);
    const auto now = pool.acquire(2).handle();
    ASSERT_EQ(old.index(), now.index());
    EXPECT_FALSE(pool.release(old));
    auto told = log.only();
    EXPECT_EQ(told.kind, misuse_kind::stale_release);
    EXPECT_EQ(told.pool, "enemies");
    EXPECT_EQ(told.what, "the released handle's life ended earlier, and its slot has been used since");
    EXPECT_EQ(told.slot, old.index());
    EXPECT_EQ(told.generation, old.generation());
    EXPECT_EQ(told.slot_generation, now.generation());
    EXPECT_EQ(*pool.get(now), 2) << "the life that is there now is not harmed";

    pool.release(now);
    EXPECT_FALSE(pool.release(old));  // two lives ago, and the slot is free
    told = log.only();
    EXPECT_EQ(told.kind, misuse_kind::stale_release);
    EXPECT_EQ(told.slot_generation, now.generation() + 1);
    EXPECT_EQ(pool.stats().bad_releases, 2u);
    EXPECT_TRUE(pool.validate());
}

TYPED_TEST(misuse_of, a_handle_that_never_was_is_told_as_wild) {
    using H = typename TypeParam::handle_type;
    misuse_log log;
    TypeParam pool;
    static_cast<void>(pool.acquire(0));
    const auto h = pool.acquire(1).handle();
    const auto expect_wild = [&](H wild, std::uint32_t slot_generation) {
        EXPECT_FALSE(pool.release(wild));
        const auto told = log.only();
        EXPECT_EQ(told.kind, misuse_kind::wild_handle);
        EXPECT_EQ(told.pool, "pool");
        EXPECT_EQ(told.what, wild ? "the released handle never came from this pool"
                                  : "the released handle is null: its acquire was refused, or it was never set");
        EXPECT_TRUE(told.names_slot);
        EXPECT_EQ(told.slot, wild.index());
        EXPECT_EQ(told.generation, wild.generation());
        EXPECT_EQ(told.slot_generation, slot_generation);
    };
    expect_wild(H{}, h.generation());                                   // null, which looks at slot 0
    expect_wild(H::of(h.index(), h.generation() + 2), h.generation());  // a life to come
    expect_wild(H::of(h.index(), 0), h.generation());                   // even: no life
    expect_wild(H::of(3, 1), 0);                                        // a slot never used
    expect_wild(H::of(4, 1), 0);                                        // beyond the capacity
    expect_wild(H::of(H::max_slots, H::last_generation - 1), 0);
    pool.release(h);
    expect_wild(H::of(h.index(), h.generation() + 1), h.generation() + 1);  // even, as the free slot itself
    EXPECT_EQ(pool.stats().bad_releases, 7u);
    EXPECT_TRUE(pool.validate());
}

TYPED_TEST(misuse_of, an_object_from_elsewhere_is_told_as_foreign) {
    misuse_log log;
    TypeParam pool({.name = "mine"});
    TypeParam other;
    const int alone = 5;
    const auto made = pool.acquire(1);
    const auto expect_foreign = [&](const int& object) {
        EXPECT_FALSE(pool.release(object));
        const auto told = log.only();
        EXPECT_EQ(told.kind, misuse_kind::foreign_object);
        EXPECT_EQ(told.pool, "mine");
        EXPECT_EQ(told.what, "the released object is not a live element of this pool");
        EXPECT_FALSE(told.names_slot);
    };
    expect_foreign(alone);
    expect_foreign(*other.acquire(2));
    int* const dead = made.get();
    EXPECT_TRUE(pool.release(*dead));
    expect_foreign(*dead);  // an address of the pool where nothing lives
    EXPECT_EQ(pool.stats().bad_releases, 3u);
    EXPECT_EQ(other.size(), 1u);
}

TYPED_TEST(misuse_of, a_stale_try_get_is_quiet) {
    misuse_log log;
    TypeParam pool;
    const auto h = pool.acquire(1).handle();
    pool.release(h);
    EXPECT_EQ(pool.try_get(h), nullptr);
    EXPECT_EQ(std::as_const(pool).try_get(h), nullptr);
    EXPECT_FALSE(pool.contains(h));
    EXPECT_EQ(pool.get({}), nullptr);
    const int alone = 1;
    EXPECT_FALSE(pool.handle_of(alone));
    EXPECT_EQ(log.count(), 0u);
    EXPECT_EQ(pool.stats().bad_releases, 0u);
}

TYPED_TEST(misuse_of, bulk_release_tells_each_bad_handle_and_ends_the_good_ones) {
    using H = typename TypeParam::handle_type;
    misuse_log log;
    TypeParam pool;
    const H a = pool.acquire(1);
    const H b = pool.acquire(2);
    const std::vector<H> handles{a, H{}, b, a};
    EXPECT_EQ(pool.release_n(handles), 2u);
    EXPECT_EQ(log.count(misuse_kind::wild_handle), 1u);
    EXPECT_EQ(log.count(misuse_kind::double_release), 1u);
    EXPECT_EQ(pool.stats().bad_releases, 2u);
    EXPECT_TRUE(pool.empty());
}

TYPED_TEST(misuse_of, refusals_are_counted_and_not_told) {  // S3.5
    misuse_log log;
    TypeParam pool;
    for (int i = 0; i < 6; ++i) {
        static_cast<void>(pool.acquire(i));
    }
    EXPECT_EQ(pool.why_refused(), lido::refusal::full);
    EXPECT_EQ(pool.stats().refused, 2u);
    EXPECT_EQ(log.count(), 0u) << "a full pool is no misuse";
}

TYPED_TEST(misuse_of, settings_that_cannot_be_honoured_are_told_at_construction) {
    misuse_log log;
    const auto told_by = [&](typename TypeParam::settings_type settings) {
        settings.name = "odd";
        log.clear();
        const TypeParam pool(settings);
        const auto e = log.only();
        EXPECT_EQ(e.kind, misuse_kind::bad_setting);
        EXPECT_EQ(e.pool, "odd");
        EXPECT_FALSE(e.names_slot);
        return e.what;
    };
    EXPECT_EQ(told_by({.on_full = on_full::replace_oldest}),
              "replace_oldest needs options::tracks age or priority; a full pool rejects instead");
    EXPECT_EQ(told_by({.on_full = on_full::replace_lowest}),
              "replace_lowest needs options::tracks priority; a full pool rejects instead");
    EXPECT_EQ(told_by({.on_full = on_full::replace_if}),
              "replace_if needs settings.victim; a full pool rejects instead");
    EXPECT_EQ(told_by({.headroom = {.above_percent = 50, .priority = 1}}),
              "headroom needs options::headroom; none is kept");
    EXPECT_EQ(told_by({.on_full = on_full::grow()}),
              "this pool cannot grow: on_full goes to its ending at once; use reserved_storage");
    EXPECT_EQ(told_by({.on_full = on_full::grow_to(8)}),
              "this pool cannot grow: on_full goes to its ending at once; use reserved_storage");
}

TEST(misuse, a_pool_that_was_told_about_rejects_when_it_is_full) {
    misuse_log log;
    lido::inline_slot_pool<int, 2> pool({.on_full = on_full::replace_oldest});
    static_cast<void>(pool.acquire(1));
    static_cast<void>(pool.acquire(2));
    EXPECT_FALSE(pool.acquire(3));
    EXPECT_EQ(pool.why_refused(), lido::refusal::full);
}

TEST(misuse, without_generations_a_handle_means_what_lives_in_the_slot) {
    misuse_log log;
    lido::flag_pool<int, 4, lido::options{.generations = lido::generation_rule::none}> pool;
    const auto old = pool.acquire(1).handle();
    pool.release(old);
    EXPECT_FALSE(pool.release(old));
    EXPECT_EQ(log.only().kind, misuse_kind::double_release);
    static_cast<void>(pool.acquire(2));
    EXPECT_TRUE(pool.release(old)) << "documented: it no longer tells one life from the next";
    EXPECT_FALSE(pool.release(decltype(pool)::handle_type::of(0, 3)));
    EXPECT_EQ(log.only().kind, misuse_kind::wild_handle);
}

constexpr lido::options by_age{.tracks = lido::track::age};

template <class Pool>
void expect_reentrant_acquire_is_told() {
    misuse_log log;
    struct asks_again {
        Pool* pool = nullptr;
        bool refused = false;
        lido::refusal why = lido::refusal::none;
    } inner;
    Pool pool({.name = "busy", .on_full = on_full::replace_oldest, .on_evict = [&inner](auto, int&) {
                   inner.refused = !inner.pool->acquire(99);
                   inner.why = inner.pool->why_refused();
               }});
    inner.pool = &pool;
    static_cast<void>(pool.acquire(1));
    static_cast<void>(pool.acquire(2));
    EXPECT_TRUE(pool.acquire(3));
    EXPECT_TRUE(inner.refused);
    EXPECT_EQ(inner.why, lido::refusal::reentrant);
    const auto told = log.only();
    EXPECT_EQ(told.kind, misuse_kind::reentrant_call);
    EXPECT_EQ(told.pool, "busy");
    EXPECT_EQ(told.what, "an eviction or merge callback acquired from the pool that called it; refused");
    EXPECT_EQ(pool.stats().refused, 1u);
    EXPECT_EQ(pool.stats().replaced, 1u);
    EXPECT_TRUE(pool.validate());
}

TEST(misuse, an_acquire_from_an_eviction_callback_is_refused_and_told) {
    expect_reentrant_acquire_is_told<lido::inline_slot_pool<int, 2, by_age>>();
    expect_reentrant_acquire_is_told<lido::flag_pool<int, 2, by_age>>();
    expect_reentrant_acquire_is_told<lido::inline_dense_pool<int, 2, by_age>>();
}

template <class Pool>
void expect_lowered_capacity_is_told(std::uint32_t asked, std::uint32_t got) {
    misuse_log log;
    const Pool pool(asked, {.name = "wide"});
    const auto told = log.only();
    EXPECT_EQ(told.kind, misuse_kind::bad_setting);
    EXPECT_EQ(told.what, "the capacity is more than this pool type can have; it was lowered to that");
    EXPECT_EQ(pool.capacity(), got);
}

TEST(misuse, a_capacity_that_handles_or_rows_cannot_name_is_lowered_and_told) {
    constexpr lido::options narrow{.handle_bits = 32, .index_bits = 5};
    expect_lowered_capacity_is_told<lido::slot_pool<int, narrow, lido::heap_storage>>(32, 31);
    expect_lowered_capacity_is_told<lido::slot_pool<int, narrow>>(0xffffffffu, 31);
    expect_lowered_capacity_is_told<lido::dense_pool<int, narrow, lido::heap_storage>>(32, 31);
    expect_lowered_capacity_is_told<lido::dense_pool<int, lido::options{.max_rows = 10}>>(11, 10);
}

template <class Pool>
void expect_refused_memory_is_told() {
    lido::test::failing_memory::reset();
    misuse_log log;
    lido::test::failing_memory::refuse(1, lido::test::memory_failure::onwards);
    const Pool pool(1000, {.name = "hungry"});
    const auto told = log.only();
    EXPECT_EQ(told.kind, misuse_kind::no_memory);
    EXPECT_EQ(told.pool, "hungry");
    EXPECT_EQ(told.what, "the memory for the asked capacity could not be had; the pool has capacity 0");
    EXPECT_EQ(pool.capacity(), 0u);
    lido::test::failing_memory::refuse(0);
}

TEST(misuse, memory_refused_at_construction_is_told) {
    using heap = lido::basic_heap_storage<lido::test::failing_source<>>;
    using reserved = lido::basic_reserved_storage<lido::test::failing_pages<>>;
    expect_refused_memory_is_told<lido::slot_pool<int, lido::options{}, heap>>();
    expect_refused_memory_is_told<lido::slot_pool<int, lido::options{}, reserved>>();
    expect_refused_memory_is_told<lido::dense_pool<int, lido::options{}, heap>>();
    expect_refused_memory_is_told<lido::dense_pool<int, lido::options{}, reserved>>();
    expect_refused_memory_is_told<lido::basic_flag_pool<int, lido::options{}, heap>>();
}

TEST(misuse, a_lent_buffer_too_small_for_one_is_told) {
    misuse_log log;
    std::byte tiny[4];
    const lido::slot_pool<std::uint64_t, lido::options{}, lido::lent_storage> slots(std::span<std::byte>(tiny),
                                                                                    {.name = "s"});
    EXPECT_EQ(log.only().what, "the lent buffer is too small for one slot; the pool has capacity 0");
    const lido::dense_pool<std::uint64_t, lido::options{}, lido::lent_storage> rows(std::span<std::byte>(tiny),
                                                                                    {.name = "d"});
    EXPECT_EQ(log.only().what, "the lent buffer is too small for one row; the pool has capacity 0");
    EXPECT_EQ(slots.capacity(), 0u);
    EXPECT_EQ(rows.capacity(), 0u);
}

TEST(misuse, the_last_of_three_handlers_is_called_and_each_change_answers_the_one_before) {
    static int first_calls = 0;
    static int second_calls = 0;
    const lido::misuse_handler first = [](const lido::misuse&) { ++first_calls; };
    const lido::misuse_handler second = [](const lido::misuse&) { ++second_calls; };
    const lido::misuse_handler original = lido::set_misuse_handler(first);
    EXPECT_NE(original, nullptr);
    EXPECT_EQ(lido::set_misuse_handler(second), first);
    lido::flag_pool<int, 1> pool;
    EXPECT_FALSE(pool.release(lido::handle<int>{}));
    EXPECT_EQ(first_calls, 0);
    EXPECT_EQ(second_calls, 1);
    EXPECT_EQ(lido::set_misuse_handler(nullptr), second);
    const lido::misuse_handler printing = lido::set_misuse_handler(first);
    EXPECT_NE(printing, nullptr);
    EXPECT_NE(printing, second);
    EXPECT_EQ(lido::set_misuse_handler(original), first);
}

TEST(misuse, every_kind_has_words_of_its_own) {  // X25: and every refusal
    std::vector<std::string> seen;
    for (int k = 0; k <= static_cast<int>(misuse_kind::dropped); ++k) {
        const std::string text = lido::to_string(static_cast<misuse_kind>(k));
        EXPECT_NE(text, "misuse");
        EXPECT_EQ(std::count(seen.begin(), seen.end(), text), 0) << text;
        seen.push_back(text);
    }
    EXPECT_STREQ(lido::to_string(static_cast<misuse_kind>(200)), "misuse");
    lido::misuse of_a_layer{.kind = static_cast<misuse_kind>(200), .pool = "game", .what = "it went wrong"};
    EXPECT_STREQ(lido::to_string(of_a_layer), "misuse");
    of_a_layer.kind_name = "bad spell";
    EXPECT_STREQ(lido::to_string(of_a_layer), "bad spell");
    for (int r = 0; r <= static_cast<int>(lido::refusal::no_creator); ++r) {
        EXPECT_STRNE(lido::to_string(static_cast<lido::refusal>(r)), "unknown");
    }
}

}  // namespace misuse_test
