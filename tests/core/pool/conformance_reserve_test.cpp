// Promise: reserve(handle) builds an object under exactly that handle or says why not, no old handle ever aliases the new life, and
// the normal order goes on with no slot handed out twice.
//
// Two bugs that peers have shipped stand here: an explicit-id insert that did not advance the slot's counter, so that a stale id
// aliased, and an insert in the middle of the free list that broke it.
#include "conformance.hpp"

namespace pool_conformance_reserve_test {

using namespace lido::test;
using lido::refusal;

TEST_P(conformance_reserving, reserve_gives_exactly_the_handle_that_was_asked_for) {
    std::vector<bits> live;
    for (const std::uint32_t slot : {70u, 3u, 0u, 99u, 64u, 63u, 71u}) {
        const bits handle = pool().of(slot, life(5));
        const auto made = pool().reserve(handle, static_cast<int>(slot));
        ASSERT_TRUE(made) << slot << ": " << to_string(pool().why_refused());
        EXPECT_EQ(made.handle, handle);
        EXPECT_EQ(made.value, static_cast<int>(slot));
        EXPECT_EQ(pool().get(handle), made.object);
        EXPECT_EQ(pool().handle_of(made.object), handle);
        ASSERT_TRUE(valid(pool())) << slot;
        live.push_back(handle);
    }
    EXPECT_EQ(pool().size(), 7u);
    EXPECT_EQ(pool().stats().acquired, 7u);
    for (const bits handle : live) EXPECT_EQ(pool().read(handle), static_cast<int>(pool().index(handle)));
    expect_fills_without_twins(live);
}

TEST_P(conformance_reserving, reserve_refuses_a_slot_that_is_taken) {
    const auto handles = fill();
    for (const std::size_t i : {std::size_t{0}, std::size_t{64}, handles.size() - 1}) {
        expect_reserve_refused(handles[i], refusal::slot_taken);
        expect_reserve_refused(pool().of(pool().index(handles[i]), life(7)), refusal::slot_taken);
    }
    expect_only(handles);
}

TEST_P(conformance_reserving_generations, reserve_refuses_a_generation_that_the_slot_has_had) {
    auto handles = fill();
    EXPECT_TRUE(pool().release(handles[10]));
    expect_reserve_refused(handles[10], refusal::generation_passed);
    EXPECT_TRUE(pool().release(handles[11]));
    ASSERT_TRUE(pool().reserve(pool().of(pool().index(handles[11]), 9), 1));
    EXPECT_TRUE(pool().release(pool().of(pool().index(handles[11]), 9)));
    for (const std::uint32_t passed : {1u, 3u, 5u, 7u, 9u}) {
        expect_reserve_refused(pool().of(pool().index(handles[11]), passed), refusal::generation_passed);
    }
    // Also after a clear, and after a trim that forgot the slot's place.
    pool().clear();
    static_cast<void>(pool().trim());
    for (const bits handle : handles) expect_reserve_refused(handle, refusal::generation_passed);
    EXPECT_TRUE(pool().reserve(pool().of(pool().index(handles[11]), 11), 1));
}

TEST_P(conformance_reserving, reserve_refuses_what_names_no_slot) {
    expect_reserve_refused(pool().null(), refusal::out_of_range);
    expect_reserve_refused(pool().of(5, pool().last_generation() + 1), refusal::out_of_range);  // past what is issued
    expect_reserve_refused(pool().of(pool().max_capacity(), 1), refusal::out_of_range);
    expect_reserve_refused(pool().of(pool().max_index(), 1), refusal::out_of_range);
    expect_reserve_refused(pool().from_bits(~std::uint64_t{0}), refusal::out_of_range);
    EXPECT_TRUE(pool().empty());
    expect_fills_without_twins({});
}

TEST_P(conformance_reserving_odd_lives, reserve_refuses_a_generation_that_names_no_life) {
    expect_reserve_refused(0, refusal::out_of_range);
    expect_reserve_refused(pool().of(5, 0), refusal::out_of_range);
    expect_reserve_refused(pool().of(5, 2), refusal::out_of_range);
    expect_reserve_refused(pool().of(5, pool().last_generation()), refusal::out_of_range);
    if (!pool().generations()) expect_reserve_refused(pool().of(5, 3), refusal::out_of_range);
    EXPECT_TRUE(pool().empty());
    expect_fills_without_twins({});
}

TEST_P(conformance_reserving_generations, reserve_no_old_handle_aliases_and_the_next_life_comes_after_it) {
    const auto first = pool().acquire(1);
    const std::uint32_t slot = pool().index(first.handle);
    EXPECT_TRUE(pool().release(first.handle));
    ASSERT_TRUE(pool().reserve(pool().of(slot, 9), 2));
    for (const std::uint32_t old : {1u, 3u, 5u, 7u, 11u}) EXPECT_FALSE(pool().contains(pool().of(slot, old)));
    EXPECT_TRUE(pool().release(pool().of(slot, 9)));
    EXPECT_EQ(pool().get(first.handle), nullptr);
    bool seen = false;
    for (const bits handle : fill()) {
        if (pool().index(handle) != slot) continue;
        seen = true;
        EXPECT_EQ(pool().generation(handle), 11u);
    }
    EXPECT_TRUE(seen);
}

TEST_P(conformance_reserving, reserve_takes_slots_out_of_the_middle_of_the_free_ones) {
    auto handles = fill();
    std::vector<bits> live;
    std::vector<std::uint32_t> freed;
    for (std::size_t i = 0; i < handles.size(); ++i) {  // scattered, so that caches spill and words are half free
        const std::size_t at = i * 37 % handles.size();
        if (at % 5 == 0) {
            live.push_back(handles[at]);
        } else {
            EXPECT_TRUE(pool().release(handles[at]));
            freed.push_back(pool().index(handles[at]));
        }
    }
    for (std::size_t i = 0; i < freed.size(); i += 3) {
        const bits handle = pool().of(freed[i], life(3));
        ASSERT_TRUE(pool().reserve(handle, 1)) << to_string(pool().why_refused());
        ASSERT_TRUE(valid(pool())) << i;
        live.push_back(handle);
        if (i % 2 == 0) {
            const auto one = pool().acquire(2);
            ASSERT_TRUE(one);
            ASSERT_TRUE(valid(pool())) << i;
            // The next in the list may just have been given by acquire.
            for (std::size_t k = i + 1; k < freed.size(); ++k) {
                if (freed[k] != pool().index(one.handle)) continue;
                freed.erase(freed.begin() + static_cast<std::ptrdiff_t>(k));
                break;
            }
            live.push_back(one.handle);
        }
    }
    expect_fills_without_twins(live);
}

TEST_P(conformance_reserving, reserve_after_clear_and_trim_every_slot_can_be_had_again) {
    EXPECT_EQ(fill().size(), pool().capacity());
    pool().clear();
    static_cast<void>(pool().trim());
    std::vector<bits> live;
    for (const std::uint32_t slot : {80u, 20u, 65u}) {
        const bits handle = pool().of(slot, life(3));
        ASSERT_TRUE(pool().reserve(handle, 1)) << to_string(pool().why_refused());
        ASSERT_TRUE(valid(pool()));
        live.push_back(handle);
    }
    expect_fills_without_twins(live);
    EXPECT_EQ(pool().release_n(live), 3u);
    expect_fills_without_twins(live_handles());
}

TEST_P(conformance_reserving_throwing, reserve_of_a_throwing_constructor_changes_nothing) {
    pool().fail_after(0);
    EXPECT_THROW(static_cast<void>(pool().reserve(pool().of(40, 3), 1)), injected_failure);
    EXPECT_TRUE(pool().empty());
    EXPECT_FALSE(pool().contains(pool().of(40, 3)));
    EXPECT_TRUE(valid(pool()));
    EXPECT_EQ(pool().index(pool().acquire(1).handle), 0u);  // the order is as it was
    ASSERT_TRUE(pool().reserve(pool().of(40, 3), 1));       // and so is the generation
    expect_fills_without_twins(live_handles());
}

}  // namespace pool_conformance_reserve_test
