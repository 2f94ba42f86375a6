// X6: a stale handle names the slot, where and when its object was acquired and released, and what lives there now.
#include <lido/core.hpp>

#include "support/reporting.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#if LIDO_FORENSICS

namespace checks_forensics_test {

using lido::misuse_kind;
using lido::test::reporting;
using ::testing::HasSubstr;

// Each on a line of its own, and never inlined, so that a report can name them.
template <class Pool>
[[gnu::noinline]] typename Pool::handle_type fire(Pool& pool, int value) {
    const typename Pool::handle_type handle = pool.acquire(value);
    return handle;
}
constexpr int fire_line = __LINE__ - 3;

template <class Pool, class Handle>
[[gnu::noinline]] bool hit(Pool& pool, Handle handle) {
    const bool ended = pool.release(handle);
    return ended;
}
constexpr int hit_line = __LINE__ - 3;

template <class Pool, class Handle>
[[gnu::noinline]] bool look(Pool& pool, Handle handle) {
    const bool found = pool.get(handle) != nullptr;
    return found;
}
constexpr int look_line = __LINE__ - 3;

struct shell {
    int value;
};

template <class Pool>
class forensics : public ::testing::Test {};

using shapes =
    ::testing::Types<lido::slot_pool<shell>, lido::flag_pool<shell, 8>, lido::dense_pool<shell>,
                     lido::column_pool<shell>, lido::flag_column_pool<shell>, lido::inline_slot_pool<shell, 8>,
                     lido::slot_pool<shell, lido::options{.handle_bits = 32}>,
                     lido::slot_pool<shell, lido::options{.order = lido::reuse::lowest}>,
                     lido::dense_pool<shell, lido::options{.tracks = lido::track::priority}>>;
TYPED_TEST_SUITE(forensics, shapes);

template <class Pool>
Pool named(const char* name) {
    if constexpr (requires { Pool(8u, {.name = name}); }) {
        return Pool(8u, {.name = name});
    } else {
        return Pool({.name = name});
    }
}

std::string slot_and_gen(auto handle) {
    return "{slot " + std::to_string(handle.index()) + ", gen " + std::to_string(handle.generation()) + "}";
}

TYPED_TEST(forensics, X6_a_stale_get_tells_the_whole_story_of_the_slot) {
    reporting on;
    TypeParam bullets = named<TypeParam>("bullets");
    lido::set_tick(3990);
    const auto old = fire(bullets, 1);
    lido::set_tick(4021);
    ASSERT_TRUE(hit(bullets, old));
    EXPECT_EQ(on.log.count(), 0u);
    const auto now = fire(bullets, 2);
    ASSERT_EQ(now.index(), old.index());
    lido::set_tick(4090);

    EXPECT_FALSE(look(bullets, old));

    const auto told = on.log.only();
    EXPECT_EQ(told.kind, misuse_kind::stale_get);
    EXPECT_EQ(told.pool, "bullets");
    EXPECT_EQ(told.slot, old.index());
    EXPECT_EQ(told.generation, old.generation());
    EXPECT_EQ(told.slot_generation, now.generation());
    EXPECT_EQ(told.story, "handle " + slot_and_gen(old) + " is stale: acquired " + LIDO_AT(fire_line) +
                              " tick 3990, released " + LIDO_AT(hit_line) + " tick 4021; slot now holds gen " +
                              std::to_string(now.generation()) + " from " + LIDO_AT(fire_line) + "; used " +
                              LIDO_AT(look_line) + " tick 4090");
    EXPECT_EQ(bullets.stats().bad_releases, 0u) << "looking is no release";
}

TYPED_TEST(forensics, X6_a_stale_get_of_a_free_slot_says_that_it_is_free) {
    reporting on;
    TypeParam bullets = named<TypeParam>("bullets");
    const auto old = fire(bullets, 1);
    hit(bullets, old);
    EXPECT_FALSE(look(std::as_const(bullets), old)) << "a const pool tells too";
    EXPECT_EQ(on.story(), "handle " + slot_and_gen(old) + " is stale: acquired " + LIDO_AT(fire_line) + ", released " +
                              LIDO_AT(hit_line) + "; the slot is free now; used " + LIDO_AT(look_line))
        << "without ticks, when nobody told one";
}

TYPED_TEST(forensics, X6_a_double_release_is_not_blamed_on_another_pool_that_has_the_same_handle) {
    reporting on;
    TypeParam bullets = named<TypeParam>("bullets");
    TypeParam rockets = named<TypeParam>("rockets");
    const auto b = fire(bullets, 1);
    const auto r = fire(rockets, 2);
    ASSERT_EQ(b, r) << "two pools give the same numbers";
    lido::set_tick(7);
    hit(bullets, b);
    lido::set_tick(9);
    EXPECT_FALSE(hit(bullets, b));
    const auto told = on.log.only();
    EXPECT_EQ(told.kind, misuse_kind::double_release);
    EXPECT_EQ(told.story, "handle " + slot_and_gen(b) + " is released twice: acquired " + LIDO_AT(fire_line) +
                              ", released " + LIDO_AT(hit_line) + " tick 7; again " + LIDO_AT(hit_line) + " tick 9");
    EXPECT_FALSE(look(bullets, b));
    EXPECT_EQ(on.log.only().kind, misuse_kind::stale_get);
    hit(rockets, r);
}

TYPED_TEST(forensics, a_life_older_than_the_diary_is_not_blamed_on_another_pool) {
    reporting on;
    TypeParam bullets = named<TypeParam>("bullets");
    TypeParam rockets = named<TypeParam>("rockets");
    const auto old = fire(bullets, 1);
    hit(bullets, old);
    for (int i = 0; i < 4; ++i) hit(bullets, fire(bullets, i));
    const auto r = fire(rockets, 2);
    ASSERT_EQ(old, r);
    EXPECT_FALSE(hit(bullets, old));
    EXPECT_EQ(on.log.only().kind, misuse_kind::stale_release);
    hit(rockets, r);
}

TYPED_TEST(forensics, a_handle_of_a_life_that_a_restore_undid_is_said_to_be_that) {
    reporting on;
    TypeParam bullets = named<TypeParam>("bullets");
    TypeParam rockets = named<TypeParam>("rockets");
    lido::snapshot before;
    ASSERT_TRUE(bullets.save(before));
    const auto b = fire(bullets, 1);
    const auto r = fire(rockets, 1);
    ASSERT_EQ(b, r);
    ASSERT_TRUE(bullets.restore(before));
    EXPECT_FALSE(hit(bullets, b));
    EXPECT_EQ(on.story(), "handle " + slot_and_gen(b) + " is of a life that a restore undid: acquired " +
                              LIDO_AT(fire_line) + "; released " + LIDO_AT(hit_line));
    hit(rockets, r);
}

TYPED_TEST(forensics, X6_a_double_release_names_both_places) {
    reporting on;
    TypeParam bullets = named<TypeParam>("bullets");
    const auto h = fire(bullets, 1);
    lido::set_tick(7);
    hit(bullets, h);
    lido::set_tick(9);
    const bool again = bullets.release(h);
    const int line = __LINE__ - 1;
    EXPECT_FALSE(again);
    const auto told = on.log.only();
    EXPECT_EQ(told.kind, misuse_kind::double_release);
    EXPECT_EQ(told.story, "handle " + slot_and_gen(h) + " is released twice: acquired " + LIDO_AT(fire_line) +
                              ", released " + LIDO_AT(hit_line) + " tick 7; again " + LIDO_AT(line) + " tick 9");
    EXPECT_EQ(bullets.stats().bad_releases, 1u);
}

TYPED_TEST(forensics, X6_a_stale_release_names_who_lives_there_now) {
    reporting on;
    TypeParam bullets = named<TypeParam>("bullets");
    const auto old = fire(bullets, 1);
    hit(bullets, old);
    const auto now = fire(bullets, 2);
    EXPECT_FALSE(hit(bullets, old));
    const auto told = on.log.only();
    EXPECT_EQ(told.kind, misuse_kind::stale_release);
    EXPECT_THAT(told.story, HasSubstr("slot now holds gen " + std::to_string(now.generation()) + " from " +
                                      LIDO_AT(fire_line) + "; released " + LIDO_AT(hit_line)));
    EXPECT_TRUE(bullets.contains(now));
}

TYPED_TEST(forensics, X6_a_wild_handle_is_told_with_the_place_that_used_it) {
    reporting on;
    TypeParam bullets = named<TypeParam>("bullets");
    static_cast<void>(fire(bullets, 1));
    using H = typename TypeParam::handle_type;
    EXPECT_FALSE(hit(bullets, H::of(5, 9)));
    auto told = on.log.only();
    EXPECT_EQ(told.kind, misuse_kind::wild_handle);
    EXPECT_EQ(told.story, "handle {slot 5, gen 9} never came from this pool; released " + LIDO_AT(hit_line));
    EXPECT_FALSE(look(bullets, H::of(5, 9)));
    told = on.log.only();
    EXPECT_EQ(told.kind, misuse_kind::wild_handle);
    EXPECT_THAT(told.story, HasSubstr("used " + LIDO_AT(look_line)));
    EXPECT_FALSE(hit(bullets, H{}));
    EXPECT_EQ(on.story(), "the released handle is null: its acquire was refused, or it was never set; released " +
                              LIDO_AT(hit_line));
}

TYPED_TEST(forensics, X6_a_handle_of_another_pool_of_the_type_names_that_pool) {
    reporting on;
    TypeParam mine = named<TypeParam>("mine");
    TypeParam theirs = named<TypeParam>("theirs");
    static_cast<void>(fire(theirs, 1));
    const auto h = fire(theirs, 2);
    EXPECT_FALSE(hit(mine, h));
    const auto told = on.log.only();
    EXPECT_EQ(told.kind, misuse_kind::wrong_pool);
    EXPECT_EQ(told.pool, "mine");
    EXPECT_EQ(told.story, "handle " + slot_and_gen(h) + " is of another pool, \"theirs\": acquired " +
                              LIDO_AT(fire_line) + "; released " + LIDO_AT(hit_line));
    EXPECT_TRUE(theirs.contains(h));
    EXPECT_FALSE(look(mine, h));
    EXPECT_EQ(on.log.only().kind, misuse_kind::wrong_pool);
}

TYPED_TEST(forensics, X6_a_null_handle_and_try_get_are_quiet) {
    reporting on;
    TypeParam bullets = named<TypeParam>("bullets");
    const auto old = fire(bullets, 1);
    hit(bullets, old);
    EXPECT_FALSE(bullets.try_get(old));
    EXPECT_FALSE(std::as_const(bullets).try_get(old));
    EXPECT_FALSE(bullets.contains(old));
    EXPECT_FALSE(bullets.get({}));
    EXPECT_EQ(on.log.count(), 0u);
    lido::reports.stale_gets = false;
    EXPECT_FALSE(look(bullets, old));
    EXPECT_EQ(on.log.count(), 0u) << "switched off for the whole program";
}

TYPED_TEST(forensics, X6_a_place_is_told_once_and_then_at_powers_of_ten_with_a_count) {
    reporting on;
    TypeParam bullets = named<TypeParam>("bullets");
    const auto old = fire(bullets, 1);
    hit(bullets, old);
    for (int i = 0; i < 150; ++i) static_cast<void>(look(bullets, old));
    EXPECT_EQ(on.log.count(), 3u) << "the 1st, the 10th and the 100th";
    EXPECT_FALSE(hit(bullets, old));
    EXPECT_EQ(on.log.count(), 4u) << "another kind, another count";
    EXPECT_FALSE(bullets.get(old));
    EXPECT_EQ(on.log.count(), 5u) << "another place, another count";
}

TYPED_TEST(forensics, X6_a_line_is_told_once_wherever_its_code_lies) {
    reporting on;
    TypeParam bullets = named<TypeParam>("bullets");
    const auto old = fire(bullets, 1);
    hit(bullets, old);
    // clang-format off
    static_cast<void>(bullets.get(old)); static_cast<void>(bullets.get(old)); static_cast<void>(bullets.get(old));
    // clang-format on
    EXPECT_EQ(on.log.count(), 1u) << "three addresses of one line";
}

TYPED_TEST(forensics, X6_the_diary_moves_with_the_pool) {
    if constexpr (std::is_move_constructible_v<TypeParam> && requires { TypeParam(8u); }) {
        reporting on;
        TypeParam first = named<TypeParam>("bullets");
        const auto h = fire(first, 1);
        TypeParam second(std::move(first));
        hit(second, h);
        EXPECT_FALSE(hit(second, h));
        EXPECT_THAT(on.story(), HasSubstr("acquired " + LIDO_AT(fire_line) + ", released " + LIDO_AT(hit_line)));
    }
}

TYPED_TEST(forensics, X6_a_rewind_does_not_make_the_diary_lie) {
    reporting on;
    TypeParam bullets = named<TypeParam>("bullets");
    TypeParam others = named<TypeParam>("others");
    lido::snapshot then;
    const auto kept = fire(bullets, 1);
    ASSERT_TRUE(bullets.save(then));
    const auto undone = fire(bullets, 2);
    hit(bullets, kept);
    ASSERT_TRUE(bullets.restore(then));

    EXPECT_FALSE(hit(others, undone));
    EXPECT_EQ(on.log.only().kind, misuse_kind::wild_handle) << "a life that was undone is no life of that pool";
    EXPECT_FALSE(hit(others, kept));
    EXPECT_EQ(on.log.only().kind, misuse_kind::wrong_pool) << "a life that came back is";
    EXPECT_TRUE(hit(bullets, kept));
    EXPECT_FALSE(hit(bullets, kept));
    EXPECT_THAT(on.story(), HasSubstr("acquired " + LIDO_AT(fire_line)));
}

TYPED_TEST(forensics, X6_bulk_calls_are_told_by_the_place_of_the_call) {
    reporting on;
    TypeParam bullets = named<TypeParam>("bullets");
    using H = typename TypeParam::handle_type;
    std::vector<H> handles(3);
    bullets.acquire_n(handles, 1);
    const int acquired = __LINE__ - 1;
    bullets.release_n(handles);
    const int released = __LINE__ - 1;
    EXPECT_FALSE(hit(bullets, handles[2]));
    EXPECT_THAT(on.story(), HasSubstr("acquired " + LIDO_AT(acquired) + ", released " + LIDO_AT(released)));

    const auto h = fire(bullets, 4);
    bullets.release_if([](auto&&) { return true; });
    const int swept = __LINE__ - 1;
    EXPECT_FALSE(hit(bullets, h));
    EXPECT_THAT(on.story(), HasSubstr("released " + LIDO_AT(swept)));

    const auto last = fire(bullets, 5);
    bullets.clear();
    const int cleared = __LINE__ - 1;
    EXPECT_FALSE(hit(bullets, last));
    EXPECT_THAT(on.story(), HasSubstr("released " + LIDO_AT(cleared)));
}

TYPED_TEST(forensics, X6_a_lease_is_told_by_the_end_of_its_scope) {
    reporting on;
    TypeParam bullets = named<TypeParam>("bullets");
    typename TypeParam::handle_type h;
    int acquired = 0;
    int released = 0;
    {
        auto lease = bullets.lease(1);
        acquired = __LINE__ - 1;
        h = lease.handle();
        released = __LINE__ + 1;
    }
    EXPECT_FALSE(hit(bullets, h));
    EXPECT_THAT(on.story(), HasSubstr("acquired " + LIDO_AT(acquired) + ", released " + LIDO_AT(released)));
}

template <class Pool>
typename Pool::handle_type wrapped(Pool& pool, int value, lido::caller at = lido::caller::here()) {
    const lido::blame them(at);
    return pool.acquire(value);
}

TYPED_TEST(forensics, X6_a_wrapper_can_blame_its_caller) {
    reporting on;
    TypeParam bullets = named<TypeParam>("bullets");
    const auto h = wrapped(bullets, 1);
    const int line = __LINE__ - 1;
    hit(bullets, h);
    EXPECT_FALSE(look(bullets, h));
    EXPECT_THAT(on.story(), HasSubstr("acquired " + LIDO_AT(line) + ", released " + LIDO_AT(hit_line)));
    const auto plain = fire(bullets, 2);
    hit(bullets, plain);
    EXPECT_FALSE(look(bullets, plain));
    EXPECT_THAT(on.story(), HasSubstr("acquired " + LIDO_AT(fire_line))) << "the blame ended with its scope";
}

// --- what only some shapes have ----------------------------------------------------------------------------------------------

TEST(forensics_of_objects, X6_an_object_released_twice_by_reference_is_told_with_its_last_life) {
    const auto check = [](auto&& pool) {
        reporting on;
        auto* const object = &*pool.acquire(1);
        const int acquired = __LINE__ - 1;
        pool.release(*object);
        const int released = __LINE__ - 1;
        EXPECT_FALSE(pool.release(*object));
        const int again = __LINE__ - 1;
        const auto told = on.log.only();
        EXPECT_EQ(told.kind, misuse_kind::foreign_object);
        EXPECT_EQ(told.story, "the released object's life in slot 0 has ended: acquired " + LIDO_AT(acquired) +
                                  ", released " + LIDO_AT(released) + "; released " + LIDO_AT(again));
    };
    check(lido::slot_pool<shell>(4));
    check(lido::flag_pool<shell, 4>());
    check(lido::ring_pool<shell>(4));
    check(lido::recycle_pool<shell>(4));
}

TEST(forensics_of_objects, X6_an_object_from_elsewhere_is_told_with_the_place) {
    reporting on;
    lido::slot_pool<shell> pool(4, {.name = "mine"});
    const shell alone{1};
    EXPECT_FALSE(pool.release(alone));
    EXPECT_EQ(on.story(), "the released object is not a live element of this pool; released " + LIDO_AT(__LINE__ - 1));
}

TEST(forensics_of_rings, X6_an_object_that_the_ring_replaced_was_ended_by_the_acquire_that_came_round) {
    reporting on;
    lido::ring_pool<shell> decals(2, {.name = "decals"});
    const auto first = fire(decals, 1);
    static_cast<void>(fire(decals, 2));
    const lido::handle<shell> third = decals.acquire(3);
    const int line = __LINE__ - 1;
    EXPECT_FALSE(look(decals, first));
    EXPECT_THAT(on.story(), HasSubstr("acquired " + LIDO_AT(fire_line) + ", released " + LIDO_AT(line)));
    EXPECT_TRUE(decals.contains(third));
}

TEST(forensics_of_recycled, X6_a_recycled_object_tells_of_its_last_life) {
    reporting on;
    lido::recycle_pool<shell> pool(4, {.name = "recycled"});
    const auto h = fire(pool, 1);
    hit(pool, h);
    const auto now = fire(pool, 2);
    ASSERT_EQ(h.index(), now.index());
    EXPECT_FALSE(look(pool, h));
    EXPECT_THAT(on.story(), HasSubstr("is stale: acquired " + LIDO_AT(fire_line) + ", released " + LIDO_AT(hit_line) +
                                      "; slot now holds gen 3 from " + LIDO_AT(fire_line)));
}

TEST(forensics_of_bytemaps, X6_seeds_take_the_place_of_generations) {
    reporting on;
    lido::bytemap_pool<shell> pool(1, {.name = "peds"});
    const auto h = fire(pool, 1);
    hit(pool, h);
    const auto now = fire(pool, 2);
    EXPECT_FALSE(look(pool, h));
    const std::string seed = std::to_string(h.seed());
    const std::string seed_now = std::to_string(now.seed());
    EXPECT_EQ(on.story(), "handle {slot 0, gen " + seed + "} is stale: acquired " + LIDO_AT(fire_line) + ", released " +
                              LIDO_AT(hit_line) + "; slot now holds gen " + seed_now + " from " + LIDO_AT(fire_line) +
                              "; used " + LIDO_AT(look_line));
    EXPECT_EQ(pool.at(h.to_bits()), nullptr) << "scripts hold stale handles all the time";
    EXPECT_EQ(on.log.count(), 0u);
    hit(pool, now);
    EXPECT_FALSE(hit(pool, now));
    EXPECT_THAT(on.story(), HasSubstr("is released twice"));
}

TEST(forensics_of_lists, X6_a_row_that_is_not_there_is_told_with_the_place) {
    reporting on;
    lido::capped_list<shell, 4> list({.name = "debris"});
    list.push(1);
    EXPECT_FALSE(list.swap_remove(3));
    const int line = __LINE__ - 1;
    const auto told = on.log.only();
    EXPECT_EQ(told.kind, misuse_kind::wild_handle);
    EXPECT_EQ(told.story, "the list has no such row: it has fewer elements now; released " + LIDO_AT(line));
}

TEST(forensics_of_passes, X6_what_a_merge_pass_folds_was_ended_by_the_call_of_the_pass) {
    reporting on;
    lido::dense_pool<shell> shells(4, {.name = "shells", .leaks = lido::leaks::allow});
    static_cast<void>(fire(shells, 1));
    const auto folded = fire(shells, 2);
    lido::merge_pass pass(4);
    const auto where = [](const shell&) { return std::pair(0, 0); };
    const auto rule = [](shell& into, const shell& from) { return into.value += from.value, true; };
    EXPECT_EQ(pass.run(shells, 1, where, rule), 1u);
    const int line = __LINE__ - 1;
    EXPECT_FALSE(look(shells, folded));
    EXPECT_THAT(on.story(), HasSubstr("acquired " + LIDO_AT(fire_line) + ", released " + LIDO_AT(line)));
}

TEST(forensics_and_options, X6_a_pool_may_go_without_a_diary) {
    reporting on;
    lido::slot_pool<shell, lido::options{.forensics = false}> pool(4, {.name = "plain"});
    const auto h = fire(pool, 1);
    hit(pool, h);
    EXPECT_FALSE(look(pool, h));
    EXPECT_EQ(on.log.count(), 0u);
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(hit(pool, h));
    EXPECT_EQ(on.log.count(), 3u) << "told each time, in the words of a build without forensics";
    EXPECT_LT(sizeof(pool), sizeof(lido::slot_pool<shell>));
}

TEST(forensics_and_threads, X6_pools_of_other_threads_are_not_looked_into) {
    reporting on;
    lido::slot_pool<shell> mine(4, {.name = "mine"});
    lido::slot_pool<shell> theirs(4, {.name = "theirs"});
    lido::handle<shell> h;
    std::thread([&] { h = fire(theirs, 1); }).join();
    EXPECT_FALSE(hit(mine, h));
    EXPECT_EQ(on.log.only().kind, misuse_kind::wild_handle);
}

TEST(forensics_and_ticks, X6_a_rewind_tells_the_tick_as_it_saves) {
    reporting on;
    lido::slot_pool<shell> pool(4);
    lido::rewind<4> past;
    past.save(41, pool);
    EXPECT_EQ(lido::current_tick(), 41u);
    constexpr std::uint64_t late = (std::uint64_t{5} << 32) + 3;
    lido::set_tick(late - 5);
    const auto h = fire(pool, 1);
    lido::set_tick(late);
    hit(pool, h);
    EXPECT_FALSE(look(pool, h));
    EXPECT_THAT(on.story(), HasSubstr("tick " + std::to_string(late - 5) + ", released"))
        << "only the low half is kept, and the whole is told";
}

}  // namespace checks_forensics_test

#endif
