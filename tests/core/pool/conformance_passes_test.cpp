// Promise (S3.4, S3.8): every pass over a pool visits each live object once; bulk operations, statistics and trim say what they
// did.
#include "conformance.hpp"

#include <algorithm>
#include <map>

namespace pool_conformance_passes_test {

using namespace lido::test;

TEST_P(conformance, every_way_to_iterate_visits_each_live_object_once_with_its_handle) {
    for (const auto how : pool_under_test::ways) {
        pool().visit(how, [](bits, const void*, int) { FAIL() << "an empty pool has nothing to visit"; });
    }
    auto handles = fill();
    std::map<bits, int> expected;
    for (std::size_t i = 0; i < handles.size(); ++i) expected[handles[i]] = static_cast<int>(i);
    const auto check = [&] {
        for (const auto how : pool_under_test::ways) {
            auto left = expected;
            pool().visit(how, [&](bits handle, const void* object, int value) {
                ASSERT_TRUE(left.contains(handle)) << "visited twice, or not live";
                EXPECT_EQ(left[handle], value);
                EXPECT_EQ(pool().get(handle), object);
                left.erase(handle);
            });
            EXPECT_TRUE(left.empty()) << left.size() << " were not visited";
        }
    };
    check();
    for (std::size_t i = 0; i < handles.size(); ++i) {
        if (i % 7 == 3 || (i >= 20 && i < 70)) continue;
        EXPECT_TRUE(pool().release(handles[i]));
        expected.erase(handles[i]);
    }
    check();
    pool().clear();
    expected.clear();
    check();
}

TEST_P(conformance, release_if_asks_each_object_once_and_ends_exactly_the_chosen) {
    const auto handles = fill();
    const auto gone = [](int value) { return value % 3 == 0 || (value >= 60 && value < 70); };
    std::vector<int> asked;
    const std::uint32_t done = pool().release_if([&](int value) {
        asked.push_back(value);
        return gone(value);
    });
    EXPECT_TRUE(valid(pool()));
    std::sort(asked.begin(), asked.end());
    ASSERT_EQ(asked.size(), handles.size());
    std::uint32_t expected = 0;
    for (std::size_t i = 0; i < handles.size(); ++i) {
        const int value = static_cast<int>(i);
        EXPECT_EQ(asked[i], value);
        EXPECT_EQ(pool().contains(handles[i]), !gone(value));
        if (gone(value)) {
            ++expected;
        } else {
            EXPECT_EQ(pool().read(handles[i]), value);
        }
    }
    EXPECT_EQ(done, expected);
    EXPECT_EQ(pool().size(), handles.size() - expected);
    EXPECT_EQ(pool().release_if([](int) { return false; }), 0u);
    EXPECT_EQ(pool().release_if([](int) { return true; }), handles.size() - expected);
    EXPECT_TRUE(pool().empty());
    if (!pool().keeps_objects()) {
        EXPECT_EQ(lives_.live(), 0);
    }
    EXPECT_EQ(pool().release_if([](int) { return true; }), 0u);
    EXPECT_EQ(fill().size(), pool().capacity());
}

TEST_P(conformance_refusing, acquire_n_gives_what_fits_and_nulls_for_the_rest) {
    std::vector<bits> some(10);
    EXPECT_EQ(pool().acquire_n(some, 7), 10u);
    for (const bits handle : some) EXPECT_EQ(pool().read(handle), 7);
    const std::uint32_t room = pool().capacity() - 10;
    std::vector<bits> many(room + 5, 1);
    EXPECT_EQ(pool().acquire_n(many, 8), room);
    EXPECT_TRUE(pool().full());
    for (std::size_t i = 0; i < many.size(); ++i) EXPECT_EQ(pool().read(many[i]), i < room ? 8 : torn);
    EXPECT_TRUE(std::all_of(many.begin() + room, many.end(), [this](bits handle) { return handle == pool().null(); }));
    EXPECT_EQ(pool().acquire_n(some, 9), 0u);
    EXPECT_EQ(pool().why_refused(), lido::refusal::full);
    EXPECT_EQ(pool().acquire_n({}, 9), 0u);
    EXPECT_TRUE(valid(pool()));
}

TEST_P(conformance_replacing, acquire_n_of_more_than_the_capacity_ends_the_first_of_them_again) {
    std::vector<bits> some(10);
    EXPECT_EQ(pool().acquire_n(some, 7), 10u);
    for (const bits handle : some) EXPECT_EQ(pool().read(handle), 7);
    std::vector<bits> many(pool().capacity() + 5);
    EXPECT_EQ(pool().acquire_n(many, 8), pool().capacity()) << "those that live";
    EXPECT_TRUE(pool().full());
    for (const bits handle : some) EXPECT_FALSE(pool().contains(handle));
    for (std::size_t i = 0; i < many.size(); ++i) EXPECT_EQ(pool().read(many[i]), i < pool().capacity() ? 8 : torn);
    EXPECT_EQ(pool().stats().replaced, 15u);
    EXPECT_EQ(pool().acquire_n({}, 9), 0u);
    EXPECT_TRUE(valid(pool()));
}

TEST_P(conformance, release_n_ends_those_that_live_and_reports_the_others) {
    auto handles = fill();
    std::vector<bits> list(handles.begin(), handles.begin() + 40);
    list.push_back(handles[3]);  // twice
    list.push_back(pool().null());
    EXPECT_EQ(pool().release_n(list), 40u);
    EXPECT_EQ(pool().stats().bad_releases, 2u);
    EXPECT_EQ(misuses_.total(), 2u);
    EXPECT_EQ(pool().size(), handles.size() - 40);
    for (std::size_t i = 0; i < handles.size(); ++i) EXPECT_EQ(pool().contains(handles[i]), i >= 40);
    EXPECT_EQ(pool().release_n({}), 0u);
}

TEST_P(conformance, stats_count_everything) {
    const auto none = pool().stats();
    EXPECT_STREQ(none.shape, pool().shape());
    EXPECT_EQ(none.acquired + none.released + none.refused + none.peak + none.size + none.bad_releases, 0u);
    EXPECT_EQ(none.capacity, pool().capacity());
    EXPECT_EQ(none.max_capacity, pool().max_capacity());
    std::vector<bits> handles;
    for (int i = 0; i < 10; ++i) handles.push_back(pool().acquire(i).handle);
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(pool().release(handles[static_cast<std::size_t>(i)]));
    EXPECT_FALSE(pool().release(handles[0]));
    auto now = pool().stats();
    EXPECT_EQ(now.size, 6u);
    EXPECT_EQ(now.peak, 10u);
    EXPECT_EQ(now.acquired, 10u);
    EXPECT_EQ(now.released, 4u);
    EXPECT_EQ(now.bad_releases, 1u);
    const auto rest = fill();
    now = pool().stats();
    EXPECT_EQ(now.peak, pool().capacity());
    EXPECT_EQ(now.acquired, 10 + rest.size());
    EXPECT_EQ(now.refused, 0u);
    pool().clear();
    now = pool().stats();
    EXPECT_EQ(now.size, 0u);
    EXPECT_EQ(now.peak, pool().capacity());
    EXPECT_EQ(now.released, now.acquired);
    EXPECT_EQ(now.replaced + now.grown + now.retired + now.refused_headroom + now.refused_no_memory, 0u);
    EXPECT_GT(now.bytes, 0u);
    EXPECT_GT(now.bookkeeping_per_slot, 0.0);
}

TEST_P(conformance_refusing, stats_count_refusals) {
    const auto handles = fill();
    EXPECT_FALSE(pool().acquire(1));
    EXPECT_FALSE(pool().acquire_as(0, 1));
    const auto now = pool().stats();
    EXPECT_EQ(now.refused, 2u);
    EXPECT_EQ(now.acquired, handles.size());
    EXPECT_EQ(now.size, handles.size());
    EXPECT_EQ(now.replaced + now.refused_headroom + now.refused_no_memory, 0u);
}

TEST_P(conformance, trim_keeps_every_object_handle_and_stale_handle) {
    auto handles = fill();
    std::vector<bits> dead(handles.begin() + 30, handles.end());
    handles.resize(30);
    std::map<bits, const void*> places;
    EXPECT_EQ(pool().release_n(dead), dead.size());
    for (const bits handle : handles) places[handle] = pool().get(handle);
    static_cast<void>(pool().trim());
    expect_only(handles);
    for (const auto& [handle, place] : places) EXPECT_EQ(pool().get(handle), place);
    for (const bits handle : dead) EXPECT_FALSE(pool().contains(handle));
    EXPECT_EQ(pool().capacity(), pool().stats().max_capacity);
    const auto again = fill(30);
    EXPECT_EQ(again.size() + 30, pool().capacity());
    if (pool().generations()) {
        for (const bits handle : dead) EXPECT_FALSE(pool().contains(handle));
    }
    pool().clear();
    static_cast<void>(pool().trim());
    EXPECT_TRUE(valid(pool()));
    EXPECT_EQ(fill().size(), pool().capacity());
}

}  // namespace pool_conformance_passes_test
