// Promise (X3): any bits may be asked of any pool. What names no life is not found, its release is refused, counted and
// reported, and nothing changes.
#include "conformance.hpp"

#include "support/dose.hpp"

#include <algorithm>

namespace pool_conformance_bad_handles_test {

using namespace lido::test;
using lido::misuse_kind;

TEST_P(conformance, a_double_release_is_refused_counted_and_reported) {  // X6
    auto handles = fill();
    const bits dead = handles.back();
    handles.pop_back();
    EXPECT_TRUE(pool().release(dead));
    for (std::uint64_t n = 1; n <= 2; ++n) {
        EXPECT_FALSE(pool().release(dead));
        EXPECT_EQ(pool().stats().bad_releases, n);
        EXPECT_EQ(misuses_.count(misuse_kind::double_release), n);
    }
    EXPECT_EQ(misuses_.total(), 2u);
    const lido::misuse report = misuses_.last();
    EXPECT_STREQ(report.pool, "pool");
    EXPECT_TRUE(report.names_slot);
    EXPECT_EQ(report.slot, pool().index(dead));
    EXPECT_EQ(report.generation, pool().generation(dead));
    EXPECT_EQ(report.slot_generation, pool().when_ended(pool().generation(dead)));
    expect_only(handles);
    EXPECT_EQ(pool().stats().released, 1u);
}

TEST_P(conformance_next_life, a_stale_get_is_quiet_and_a_stale_release_leaves_the_new_life_alone) {
    auto handles = fill();
    const bits stale = handles[70];
    EXPECT_TRUE(pool().release(stale));
    handles[70] = pool().acquire(70).handle;
    ASSERT_EQ(pool().index(handles[70]), pool().index(stale));
    EXPECT_EQ(pool().get(stale), nullptr);
    EXPECT_EQ(misuses_.total(), 0u);
    EXPECT_FALSE(pool().release(stale));
    EXPECT_EQ(misuses_.count(misuse_kind::stale_release), 1u);
    EXPECT_EQ(misuses_.total(), 1u);
    EXPECT_EQ(misuses_.last().slot_generation, pool().next_life(pool().generation(stale)));
    EXPECT_EQ(pool().stats().bad_releases, 1u);
    expect_only(handles);
}

TEST_P(conformance, wild_bits_are_never_found_and_never_released) {
    const auto handles = fill();
    auto known = handles;
    std::sort(known.begin(), known.end());
    std::uint64_t random = 0x9e3779b97f4a7c15u;
    std::uint64_t asked = 0;
    std::uint64_t released = 0;
    std::uint64_t wild = 0;
    for (std::uint32_t i = 0; i < dose(110000u); ++i) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        bits handle = pool().from_bits(random);
        // Purely random bits rarely meet a slot that exists: every third names one, every third a slot just past the end.
        const std::uint32_t index = pool().index(handle);
        const std::uint32_t life = pool().generation(handle);
        if (i % 3 == 1) handle = pool().of(index % pool().capacity(), i % 2 == 0 ? life : life % 8);
        if (i % 3 == 2) handle = pool().of(pool().capacity() + index % 100, life % 4);
        if (std::binary_search(known.begin(), known.end(), handle)) continue;
        ++asked;
        ASSERT_FALSE(pool().contains(handle)) << handle;
        ASSERT_EQ(pool().get(handle), nullptr) << handle;
        // A report that is worded in full takes some thirty microseconds: with forensics not every one of them is asked for.
        if (lido::forensics && i % 20 != 0) continue;
        ++released;
        wild += pool().told_of_stranger(handle) == misuse_kind::wild_handle ? 1u : 0u;
        ASSERT_FALSE(pool().release(handle)) << handle;
    }
    EXPECT_GE(asked, dose(100000u));
    EXPECT_GE(released, dose(5000u));
    EXPECT_EQ(pool().stats().bad_releases, released);
    EXPECT_GE(wild, released / 3);
    EXPECT_EQ(misuses_.count(misuse_kind::wild_handle), wild);
    EXPECT_EQ(misuses_.count(misuse_kind::stale_release), released - wild);
    expect_only(handles);
}

TEST_P(conformance, an_empty_and_a_cleared_pool_find_nothing) {
    const auto ask = [this] {
        for (std::uint32_t slot = 0; slot < case_slots + 50; ++slot) {
            for (std::uint32_t life = 0; life < 6; ++life) {
                const bits handle = pool().of(slot, life);
                ASSERT_FALSE(pool().contains(handle)) << slot << ", " << life;
                ASSERT_FALSE(pool().release(handle)) << slot << ", " << life;
            }
        }
        const bits all_ones = pool().from_bits(~std::uint64_t{0});
        EXPECT_FALSE(pool().contains(all_ones));
        EXPECT_FALSE(pool().release(all_ones));
        EXPECT_TRUE(pool().empty());
        EXPECT_TRUE(valid(pool()));
    };
    ask();
    EXPECT_EQ(fill().size(), pool().capacity());
    pool().clear();
    ask();
    EXPECT_EQ(fill().size(), pool().capacity());
}

TEST_P(conformance, null_and_generations_that_were_not_issued_are_never_found) {
    auto handles = fill();
    EXPECT_TRUE(pool().release(handles.back()));  // where generations are odd, its slot holds 2 now, and no life
    handles.pop_back();
    EXPECT_FALSE(pool().contains(pool().null()));
    EXPECT_EQ(pool().get(pool().null()), nullptr);
    EXPECT_FALSE(pool().release(pool().null()));
    std::uint64_t refused = 1;
    std::uint64_t wild = 1;
    for (std::uint32_t slot = 0; slot < pool().capacity(); ++slot) {
        for (const std::uint32_t life : {0u, 2u, 4u, pool().last_generation()}) {
            const bits handle = pool().of(slot, life);
            ASSERT_FALSE(pool().contains(handle)) << slot << ", " << life;
            ASSERT_EQ(pool().get(handle), nullptr);
            ASSERT_FALSE(pool().release(handle));
            ++refused;
            wild += pool().told_of_stranger(handle) == misuse_kind::wild_handle ? 1u : 0u;
        }
    }
    EXPECT_EQ(pool().stats().bad_releases, refused);
    EXPECT_EQ(misuses_.count(misuse_kind::wild_handle), wild);
    EXPECT_EQ(misuses_.count(misuse_kind::stale_release), refused - wild);
    expect_only(handles);
}

TEST_P(conformance, an_object_of_elsewhere_has_no_handle_and_is_not_released) {
    const auto handles = fill();
    pool().make_second();
    pool().use(1);
    std::vector<const void*> foreign;
    for (const bits handle : fill()) foreign.push_back(pool().get(handle));
    pool().use(0);
    const auto refuse = [this](const void* object) {
        EXPECT_EQ(pool().handle_of(object), pool().null());
        EXPECT_FALSE(pool().release_object(object));
    };
    for (const void* const object : foreign) refuse(object);
    pool().with_object_of_elsewhere(refuse);
    EXPECT_EQ(pool().stats().bad_releases, foreign.size() + 1);
    EXPECT_EQ(misuses_.count(misuse_kind::foreign_object), foreign.size() + 1);
    expect_only(handles);
    pool().use(1);
    EXPECT_EQ(pool().size(), foreign.size());
    EXPECT_TRUE(valid(pool()));
}

TEST_P(conformance, a_place_where_no_object_lives_now_has_no_handle) {
    auto handles = fill();
    // The last one's, because in every shape no other object takes its place.
    const void* const place = pool().get(handles.back());
    EXPECT_TRUE(pool().release_object(place));
    handles.pop_back();
    EXPECT_EQ(pool().handle_of(place), pool().null());
    EXPECT_FALSE(pool().release_object(place));
    EXPECT_EQ(misuses_.count(pool().told_of_empty_place()), 1u);
    expect_only(handles);
}

TEST_P(conformance_generations, the_handle_of_a_later_life_in_another_pool_is_refused) {
    const auto handles = fill();
    pool().make_second();
    pool().use(1);
    EXPECT_FALSE(fill().empty());
    pool().clear();
    const auto foreign = fill();
    pool().use(0);
    for (const bits handle : foreign) {
        EXPECT_FALSE(pool().contains(handle));
        EXPECT_FALSE(pool().release(handle));
    }
    // With forensics the pool that it came from is found.
    const misuse_kind kind = lido::forensics ? misuse_kind::wrong_pool : misuse_kind::wild_handle;
    EXPECT_EQ(misuses_.count(kind), foreign.size());
    expect_only(handles);
}

}  // namespace pool_conformance_bad_handles_test
