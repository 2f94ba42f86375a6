// Promise (S3.8, X3): every pool begins, finds and ends lives the same way, whatever its shape, storage, element and policy.
#include "conformance.hpp"

#include <set>

namespace pool_conformance_lives_test {

using namespace lido::test;
using lido::refusal;

TEST_P(conformance, acquire_builds_the_object_and_gives_handle_and_object_at_once) {
    const auto made = pool().acquire(41);
    ASSERT_TRUE(made);
    EXPECT_TRUE(valid(pool()));
    EXPECT_EQ(made.value, 41);
    EXPECT_NE(made.handle, pool().null());
    EXPECT_EQ(pool().generation(made.handle), 1u);
    EXPECT_LT(pool().index(made.handle), pool().capacity());
    EXPECT_EQ(pool().get(made.handle), made.object);
    EXPECT_EQ(pool().get_const(made.handle), made.object);
    EXPECT_TRUE(pool().contains(made.handle));
    EXPECT_EQ(pool().handle_of(made.object), made.handle);
    EXPECT_EQ(pool().size(), 1u);
    const auto urgent = pool().acquire_as(15, 42);
    ASSERT_TRUE(urgent);
    EXPECT_EQ(pool().read(urgent.handle), 42);
    EXPECT_EQ(pool().size(), 2u);
}

TEST_P(conformance, every_object_of_a_full_pool_has_its_own_handle_place_and_value) {
    const auto handles = fill();
    EXPECT_GE(pool().capacity(), case_slots);
    ASSERT_EQ(handles.size(), pool().capacity());
    std::set<const void*> places;
    std::set<std::uint32_t> indexes;
    for (const bits handle : handles) {
        const void* const object = pool().get(handle);
        ASSERT_NE(object, nullptr);
        EXPECT_EQ(pool().handle_of(object), handle);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(object) % pool().alignment(), 0u);
        places.insert(object);
        indexes.insert(pool().index(handle));
    }
    EXPECT_EQ(places.size(), handles.size());
    EXPECT_EQ(indexes.size(), handles.size());
    EXPECT_EQ(*indexes.rbegin(), pool().capacity() - 1);
    expect_only(handles);
}

TEST_P(conformance, size_full_and_empty_follow_every_step) {
    EXPECT_TRUE(pool().empty());
    EXPECT_FALSE(pool().full());
    EXPECT_EQ(pool().size(), 0u);
    std::vector<bits> handles;
    for (std::uint32_t i = 0; i < pool().capacity(); ++i) {
        EXPECT_FALSE(pool().full());
        handles.push_back(pool().acquire(static_cast<int>(i)).handle);
        EXPECT_EQ(pool().size(), i + 1);
        EXPECT_FALSE(pool().empty());
        ASSERT_TRUE(valid(pool()));
    }
    EXPECT_TRUE(pool().full());
    EXPECT_EQ(pool().max_capacity(), pool().capacity());
    for (std::uint32_t left = pool().capacity(); left != 0; --left) {
        EXPECT_TRUE(pool().release(handles[left - 1]));
        EXPECT_EQ(pool().size(), left - 1);
        EXPECT_FALSE(pool().full());
        ASSERT_TRUE(valid(pool()));
    }
    EXPECT_TRUE(pool().empty());
    EXPECT_EQ(misuses_.total(), 0u);
}

TEST_P(conformance, release_by_handle_or_by_reference_ends_one_life_and_leaves_the_others) {
    const auto handles = fill();
    const auto gone = [](std::size_t i) { return i % 3 != 1; };
    for (std::size_t i = 0; i < handles.size(); ++i) {
        if (!gone(i)) continue;
        if (i % 2 == 0) {
            EXPECT_TRUE(pool().release(handles[i]));
        } else {
            EXPECT_TRUE(pool().release_object(pool().get(handles[i])));
        }
        EXPECT_EQ(pool().get(handles[i]), nullptr);
        EXPECT_EQ(pool().get_const(handles[i]), nullptr);
        EXPECT_FALSE(pool().contains(handles[i]));
        ASSERT_TRUE(valid(pool()));
    }
    for (std::size_t i = 0; i < handles.size(); ++i) {
        if (!gone(i)) {
            ASSERT_EQ(pool().read(handles[i]), static_cast<int>(i));
        }
    }
    EXPECT_EQ(misuses_.total(), 0u);
    EXPECT_EQ(pool().stats().bad_releases, 0u);
}

TEST_P(conformance_refusing, a_full_pool_answers_null_and_says_why) {  // S1.6, X25
    EXPECT_EQ(pool().why_refused(), refusal::none);
    const auto handles = fill();
    for (std::uint64_t n = 1; n <= 3; ++n) {
        EXPECT_FALSE(pool().acquire(-1));
        EXPECT_EQ(pool().why_refused(), refusal::full);
        EXPECT_EQ(pool().stats().refused, n);
        expect_only(handles);
    }
    EXPECT_TRUE(pool().release(handles[50]));
    const auto again = pool().acquire(50);
    ASSERT_TRUE(again);
    EXPECT_EQ(pool().index(again.handle), pool().index(handles[50]));  // the only free one
    EXPECT_TRUE(pool().full());
    EXPECT_EQ(misuses_.total(), 0u);  // to be full is not misuse
}

TEST_P(conformance_replacing, a_full_pool_ends_the_oldest) {  // S3.3
    const auto handles = fill();
    for (std::size_t n = 1; n <= 3; ++n) {
        const auto made = pool().acquire(-1);
        ASSERT_TRUE(made);
        EXPECT_EQ(made.value, -1);
        EXPECT_EQ(pool().size(), pool().capacity());
        for (std::size_t i = 0; i < handles.size(); ++i) EXPECT_EQ(pool().contains(handles[i]), i >= n);
        EXPECT_EQ(pool().stats().replaced, n);
        ASSERT_TRUE(valid(pool()));
    }
    EXPECT_EQ(pool().why_refused(), refusal::none);
    EXPECT_EQ(pool().stats().refused, 0u);
    EXPECT_EQ(misuses_.total(), 0u);
}

TEST_P(conformance, no_handle_survives_clear) {
    auto old = fill();
    for (std::size_t i = 0; i < old.size(); i += 2) EXPECT_TRUE(pool().release(old[i]));
    for (int i = 0; i < 20; ++i) old.push_back(pool().acquire(i).handle);
    pool().clear();
    EXPECT_TRUE(valid(pool()));
    EXPECT_TRUE(pool().empty());
    if (!pool().keeps_objects()) {
        EXPECT_EQ(lives_.live(), 0);
    }
    for (const bits handle : old) ASSERT_FALSE(pool().contains(handle));
    const auto fresh = fill();
    EXPECT_EQ(fresh.size(), pool().capacity());
    expect_only(fresh);
    pool().clear();
    pool().clear();  // of an empty pool
    EXPECT_TRUE(pool().empty());
    EXPECT_EQ(misuses_.total(), 0u);
}

TEST_P(conformance_generations, no_life_after_a_clear_has_a_handle_from_before) {
    auto old = fill();
    pool().clear();
    for (int round = 0; round < 3; ++round) {
        const auto fresh = fill();
        EXPECT_EQ(fresh.size(), pool().capacity());
        expect_only(fresh);
        for (const bits handle : old) ASSERT_FALSE(pool().contains(handle));
        old.insert(old.end(), fresh.begin(), fresh.end());
        pool().clear();
        ASSERT_TRUE(valid(pool()));
    }
}

TEST_P(conformance_next_life, the_next_life_of_a_slot_has_another_handle) {
    const auto handles = fill();
    for (const std::size_t i : {std::size_t{0}, std::size_t{63}, std::size_t{64}, handles.size() - 1}) {
        EXPECT_TRUE(pool().release(handles[i]));
        const auto next = pool().acquire(7);
        ASSERT_TRUE(next);
        EXPECT_EQ(pool().index(next.handle), pool().index(handles[i]));
        EXPECT_EQ(pool().generation(next.handle), pool().next_life(pool().generation(handles[i])));
        EXPECT_EQ(pool().get(handles[i]), nullptr);
        EXPECT_EQ(pool().read(next.handle), 7);
    }
}

TEST_P(conformance, a_thousand_random_steps_keep_every_invariant) {
    std::vector<std::pair<bits, int>> live;
    std::uint32_t random = 12345;
    const auto next = [&random] { return (random = random * 1664525u + 1013904223u) >> 8; };
    for (int step = 0; step < 1000; ++step) {
        if (next() % 5 < 3 && !pool().full()) {
            const auto one = pool().acquire(step);
            ASSERT_TRUE(one);
            live.emplace_back(one.handle, step);
        } else if (!live.empty()) {
            const std::size_t i = next() % live.size();
            ASSERT_TRUE(pool().release(live[i].first));
            live[i] = live.back();
            live.pop_back();
        }
        ASSERT_TRUE(valid(pool())) << "after step " << step;
        ASSERT_EQ(pool().size(), live.size());
    }
    for (const auto& [handle, value] : live) ASSERT_EQ(pool().read(handle), value);
}

TEST_P(conformance_throwing, a_throwing_constructor_leaves_the_pool_as_it_was) {
    const auto kept = pool().acquire(0);
    pool().fail_after(0);
    const auto before = pool().stats();
    EXPECT_THROW(static_cast<void>(pool().acquire(1)), injected_failure);
    expect_only({kept.handle});
    EXPECT_EQ(pool().stats().acquired, before.acquired);
    EXPECT_EQ(pool().stats().refused, before.refused);
    // In a bulk the lives that it began end again.
    std::vector<bits> out(10);
    pool().fail_after(7);
    EXPECT_THROW(static_cast<void>(pool().acquire_n(out, 1)), injected_failure);
    EXPECT_EQ(out, std::vector<bits>(10, pool().null()));
    expect_only({kept.handle});
    EXPECT_EQ(fill(1).size() + 1, pool().capacity());
}

}  // namespace pool_conformance_lives_test
