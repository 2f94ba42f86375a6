// Promise: a lease releases its object once, whatever happens to lease, object or pool first; a pool that moves keeps its objects,
// handles and leases.
#include "conformance.hpp"

#include <map>

namespace pool_conformance_owners_test {

using namespace lido::test;

TEST_P(conformance, a_lease_releases_at_the_end_of_its_scope) {
    pool().lease(0, 5);
    EXPECT_TRUE(pool().lease_holds(0));
    const bits handle = pool().lease_handle(0);
    EXPECT_EQ(pool().read(handle), 5);
    EXPECT_EQ(pool().lease_object(0), pool().get(handle));
    pool().lease(1, 6);
    const bits other = pool().lease_handle(1);
    pool().end_lease(0);
    EXPECT_FALSE(pool().contains(handle));
    EXPECT_EQ(pool().size(), 1u);
    pool().reset_lease(1);  // now, and not again at the end of the scope
    EXPECT_FALSE(pool().lease_holds(1));
    EXPECT_EQ(pool().lease_handle(1), pool().null());
    EXPECT_FALSE(pool().contains(other));
    const auto next = pool().acquire(7);
    pool().reset_lease(1);
    pool().end_lease(1);
    EXPECT_TRUE(pool().contains(next.handle));
    EXPECT_EQ(pool().size(), 1u);
    EXPECT_EQ(misuses_.total(), 0u);
}

TEST_P(conformance, a_lease_that_moves_leaves_an_empty_one_behind) {
    pool().lease(0, 5);
    const bits handle = pool().lease_handle(0);
    pool().move_lease(0, 1);  // by construction
    EXPECT_FALSE(pool().lease_holds(0));
    EXPECT_EQ(pool().lease_handle(0), pool().null());
    EXPECT_EQ(pool().lease_object(0), nullptr);
    EXPECT_EQ(pool().lease_handle(1), handle);
    pool().end_lease(0);
    EXPECT_TRUE(pool().contains(handle));
    pool().lease(2, 6);
    const bits replaced = pool().lease_handle(2);
    pool().move_lease(1, 2);  // by assignment: what it held before ends
    EXPECT_FALSE(pool().contains(replaced));
    EXPECT_EQ(pool().lease_handle(2), handle);
    pool().move_lease(2, 2);  // onto itself
    EXPECT_EQ(pool().lease_handle(2), handle);
    EXPECT_EQ(pool().read(handle), 5);
    pool().end_lease(1);
    EXPECT_TRUE(pool().contains(handle));
    pool().end_lease(2);
    EXPECT_TRUE(pool().empty());
    EXPECT_EQ(misuses_.total(), 0u);
}

TEST_P(conformance, a_kept_object_outlives_its_lease) {
    pool().lease(0, 5);
    const bits handle = pool().keep_lease(0);
    EXPECT_FALSE(pool().lease_holds(0));
    pool().end_lease(0);
    EXPECT_EQ(pool().read(handle), 5);
    EXPECT_TRUE(pool().release(handle));
    EXPECT_EQ(misuses_.total(), 0u);
}

TEST_P(conformance, a_lease_is_quiet_about_an_object_that_was_released_another_way) {
    pool().lease(0, 5);
    pool().lease(1, 6);
    EXPECT_TRUE(pool().release(pool().lease_handle(0)));
    EXPECT_FALSE(pool().lease_holds(0));
    EXPECT_EQ(pool().lease_object(0), nullptr);
    EXPECT_TRUE(pool().lease_holds(1));
    pool().end_lease(0);
    EXPECT_EQ(pool().release_if([](int) { return true; }), 1u);
    pool().end_lease(1);
    EXPECT_TRUE(pool().empty());
    EXPECT_EQ(misuses_.total(), 0u);
}

TEST_P(conformance_told_lives, the_next_life_in_a_slot_is_not_the_leases) {
    pool().lease(0, 7);
    EXPECT_TRUE(pool().release(pool().lease_handle(0)));
    const auto handles = fill();
    EXPECT_EQ(handles.size(), pool().capacity());
    EXPECT_FALSE(pool().lease_holds(0));
    pool().end_lease(0);
    expect_only(handles);
    EXPECT_EQ(misuses_.total(), 0u);
}

TEST_P(conformance, clear_empties_every_lease) {
    for (std::size_t i = 0; i < 3; ++i) pool().lease(i, 1);
    pool().clear();
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_FALSE(pool().lease_holds(i));
        EXPECT_EQ(pool().lease_handle(i), pool().null());
    }
    const auto handles = fill();
    for (std::size_t i = 0; i < 3; ++i) pool().end_lease(i);
    expect_only(handles);
    EXPECT_EQ(misuses_.total(), 0u);
}

TEST_P(conformance_replacing, a_lease_of_the_oldest_is_empty_once_it_was_replaced) {
    pool().lease(0, 1);
    EXPECT_EQ(fill().size() + 1, pool().capacity());
    pool().lease(1, 2);
    EXPECT_FALSE(pool().lease_holds(0));
    EXPECT_TRUE(pool().lease_holds(1));
    pool().end_lease(0);
    EXPECT_EQ(pool().size(), pool().capacity());
    pool().end_lease(1);
    EXPECT_EQ(pool().size(), pool().capacity() - 1);
    EXPECT_EQ(misuses_.total(), 0u);
}

TEST_P(conformance_refusing, a_full_pool_gives_an_empty_lease) {
    const auto handles = fill();
    pool().lease(0, 1);
    EXPECT_FALSE(pool().lease_holds(0));
    EXPECT_EQ(pool().lease_handle(0), pool().null());
    pool().end_lease(0);
    expect_only(handles);
}

TEST_P(conformance, a_pool_that_ends_first_ends_every_object_and_empties_its_leases) {
    EXPECT_FALSE(fill().empty());
    EXPECT_EQ(pool().release_if([](int value) { return value < 4; }), 4u);
    for (std::size_t i = 0; i < 4; ++i) pool().lease(i, 1);
    pool().move_lease(1, 3);
    end_pool();
    EXPECT_EQ(lives_.live(), 0);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_FALSE(pool().lease_holds(i));
        pool().reset_lease(i);
        pool().end_lease(i);
    }
    EXPECT_EQ(misuses_.total(), 0u);
}

TEST_P(conformance_moving, a_moved_pool_takes_objects_handles_and_leases_along) {
    auto handles = fill();
    EXPECT_TRUE(pool().release(handles.back()));
    handles.pop_back();
    pool().lease(0, static_cast<int>(handles.size()));
    handles.push_back(pool().lease_handle(0));
    std::map<bits, const void*> places;
    for (const bits handle : handles) places[handle] = pool().get(handle);
    const auto before = pool().stats();

    pool().move_construct_second();
    EXPECT_EQ(pool().size(), 0u);  // the first, from which it was moved
    EXPECT_EQ(pool().capacity(), 0u);
    EXPECT_EQ(pool().max_capacity(), 0u);
    EXPECT_TRUE(valid(pool()));
    EXPECT_FALSE(pool().acquire(1));
    EXPECT_EQ(pool().why_refused(), lido::refusal::full);
    EXPECT_FALSE(pool().contains(handles[0]));
    EXPECT_FALSE(pool().release(handles[0]));
    pool().clear();
    EXPECT_EQ(pool().trim(), 0u);
    EXPECT_TRUE(valid(pool()));

    pool().use(1);
    expect_only(handles);
    for (const auto& [handle, place] : places) EXPECT_EQ(pool().get(handle), place);  // no object moved
    EXPECT_EQ(pool().capacity(), before.capacity);
    EXPECT_EQ(pool().stats().acquired, before.acquired);
    EXPECT_EQ(pool().lease_object(0), pool().get(handles.back()));
    pool().end_lease(0);
    EXPECT_EQ(pool().size(), handles.size() - 1);
    EXPECT_TRUE(pool().acquire(5));
    EXPECT_TRUE(pool().full());
    EXPECT_TRUE(valid(pool()));

    pool().move_assign(0);  // and back
    EXPECT_TRUE(pool().full());
    EXPECT_EQ(pool().read(handles[0]), 0);
    pool().use(1);
    EXPECT_EQ(pool().capacity(), 0u);
    pool().use(0);
}

TEST_P(conformance_reserving_moving, a_pool_that_was_moved_from_reserves_nothing) {
    pool().move_construct_second();
    expect_reserve_refused(pool().of(0, 1), lido::refusal::out_of_range);
    pool().use(1);
    EXPECT_TRUE(pool().reserve(pool().of(0, 1), 1));
}

TEST_P(conformance_moving, a_pool_that_is_assigned_to_ends_its_own_objects) {
    EXPECT_FALSE(fill().empty());
    pool().clear();
    const auto lost = fill();
    EXPECT_TRUE(pool().release(lost[3]));
    pool().lease(0, 1);
    pool().make_second();
    pool().use(1);
    const auto kept = fill(500);
    pool().move_assign(0);
    expect_only(kept, 500);
    EXPECT_FALSE(pool().lease_holds(0));
    if (pool().generations()) {
        EXPECT_FALSE(pool().contains(lost[0]));
    }
    pool().end_lease(0);
    expect_only(kept, 500);
}

TEST_P(conformance_moving, two_pools_can_be_swapped) {
    const auto here = fill();
    pool().make_second();
    pool().use(1);
    pool().lease(0, 500);
    pool().swap_pools();
    expect_only(here);
    pool().use(0);
    EXPECT_EQ(pool().size(), 1u);
    EXPECT_EQ(pool().lease_object(0), pool().get(pool().lease_handle(0)));
    pool().end_lease(0);
    EXPECT_TRUE(pool().empty());
}

}  // namespace pool_conformance_owners_test
