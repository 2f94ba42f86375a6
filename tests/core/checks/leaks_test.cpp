// X9: a pool that ends with active objects says how many and where they were acquired; what then happens to them is chosen.
#include <lido/core.hpp>

#include "support/reporting.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

namespace checks_leaks_test {

using lido::leaks;
using lido::misuse_kind;
using lido::test::reporting;

struct mine {
    int value = 0;
    int* ended = nullptr;

    mine(int v, int* count) noexcept : value(v), ended(count) {}
    mine(mine&& other) noexcept : value(other.value), ended(std::exchange(other.ended, nullptr)) {}
    mine& operator=(mine&& other) noexcept {
        value = other.value;
        ended = std::exchange(other.ended, nullptr);
        return *this;
    }
    ~mine() {
        if (ended != nullptr) ++*ended;
    }
};

/// The shapes that take a settings struct and a capacity of eight.
template <class Pool>
class pool_end : public ::testing::Test {
protected:
    std::optional<Pool> pool;
    int ended = 0;

    void begin(leaks rule) {
        if constexpr (requires { Pool(8u, {.name = "ending", .leaks = rule}); }) {
            pool.emplace(8u, typename Pool::settings_type{.name = "ending", .leaks = rule});
        } else {
            pool.emplace(typename Pool::settings_type{.name = "ending", .leaks = rule});
        }
    }
    void add(int value) {
        if constexpr (requires { pool->push(value, &ended); }) {
            pool->push(value, &ended);
        } else {
            static_cast<void>(pool->acquire(value, &ended));
        }
    }
};

using shapes = ::testing::Types<lido::slot_pool<mine>, lido::flag_pool<mine, 8>, lido::dense_pool<mine>,
                                lido::ring_pool<mine>, lido::bytemap_pool<mine>, lido::capped_list<mine, 8>,
                                lido::slot_pool<mine, lido::options{.forensics = false}>>;
TYPED_TEST_SUITE(pool_end, shapes);

TYPED_TEST(pool_end, X9_objects_left_behind_are_destroyed_by_default) {
    reporting on;
    this->begin(leaks::report);
    for (int i = 0; i < 3; ++i) this->add(i);
    this->pool.reset();
    EXPECT_EQ(this->ended, 3);
}

TYPED_TEST(pool_end, X9_allowed_ones_are_destroyed_without_a_word) {
    reporting on;
    this->begin(leaks::allow);
    for (int i = 0; i < 3; ++i) this->add(i);
    this->pool.reset();
    EXPECT_EQ(this->ended, 3);
    EXPECT_EQ(on.log.count(), 0u);
}

TYPED_TEST(pool_end, X9_ones_that_shall_be_left_are_not_destroyed) {
    reporting on;
    this->begin(leaks::leave);
    for (int i = 0; i < 3; ++i) this->add(i);
    this->pool.reset();
    EXPECT_EQ(this->ended, 0);
}

TYPED_TEST(pool_end, X9_an_empty_pool_ends_quietly_whatever_the_rule) {
    reporting on;
    for (const leaks rule : {leaks::report, leaks::allow, leaks::leave, leaks::abort}) {
        this->begin(rule);
        this->add(1);
        this->pool->clear();
        this->pool.reset();
    }
    EXPECT_EQ(on.log.count(), 0u);
    EXPECT_EQ(this->ended, 4);
}

TYPED_TEST(pool_end, X9_the_program_can_be_told_to_end) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    this->begin(leaks::abort);
    this->add(1);
    EXPECT_DEATH(this->pool.reset(), "still active when .*pool ended \\(leaks::abort\\)");
    this->pool->clear();
}

#if LIDO_FORENSICS

TEST(leak_report, X9_counts_the_objects_and_groups_them_by_place) {
    reporting on;
    int many = 0;
    int one = 0;
    {
        lido::slot_pool<int> pool(32, {.name = "bullets"});
        for (int i = 0; i < 5; ++i) static_cast<void>(pool.acquire(i));
        many = __LINE__ - 1;
        static_cast<void>(pool.acquire(7));
        one = __LINE__ - 1;
        const auto gone = pool.acquire(8);
        pool.release(gone);
    }
    const auto told = on.log.only();
    EXPECT_EQ(told.kind, misuse_kind::leak);
    EXPECT_EQ(told.pool, "bullets");
    EXPECT_EQ(told.story,
              "6 objects were still active when the pool ended: 5 from " + LIDO_AT(many) + ", 1 from " + LIDO_AT(one));
}

TEST(leak_report, X9_every_shape_makes_one) {
    const auto check = [](auto&& make, auto&& add) {
        reporting on;
        {
            auto pool = make();
            add(pool);
        }
        const auto told = on.log.only();
        EXPECT_EQ(told.kind, misuse_kind::leak);
        EXPECT_THAT(told.story, ::testing::MatchesRegex(
                                    "1 object was still active when the pool ended: 1 from leaks_test.cpp:[0-9]+"));
    };
    struct plain {
        int value;
    };
    const auto acquire = [](auto& pool) { static_cast<void>(pool.acquire(1)); };
    check([] { return lido::slot_pool<plain>(8); }, acquire);
    check([] { return lido::flag_pool<plain, 8>(); }, acquire);
    check([] { return lido::dense_pool<plain>(8); }, acquire);
    check([] { return lido::column_pool<plain>(8); }, acquire);
    check([] { return lido::flag_column_pool<plain>(8); }, acquire);
    check([] { return lido::recycle_pool<plain>(8); }, acquire);
    check([] { return lido::ring_pool<plain>(8); }, acquire);
    check([] { return lido::bytemap_pool<plain>(8); }, acquire);
    check([] { return lido::capped_list<plain, 8>(); }, [](auto& list) { list.push(1); });
}

TEST(leak_report, X9_a_list_remembers_the_place_of_an_element_that_moved_into_a_hole) {
    reporting on;
    int kept = 0;
    {
        lido::capped_list<int, 8> list;
        list.push(1);
        list.push(2);
        list.push(3);
        kept = __LINE__ - 1;
        list.swap_remove(0);
        list.swap_remove(1);
    }
    EXPECT_EQ(on.story(), "1 object was still active when the pool ended: 1 from " + LIDO_AT(kept));
}

TEST(leak_report, X9_a_pool_that_is_assigned_over_ends_too) {
    reporting on;
    lido::slot_pool<int> first(8, {.name = "first"});
    static_cast<void>(first.acquire(1));
    first = lido::slot_pool<int>(8, {.name = "second"});
    EXPECT_EQ(on.log.only().pool, "first");
}

TEST(leak_report, X9_many_places_are_told_together) {
    reporting on;
    {
        lido::slot_pool<int> pool(64);
        for (std::uint32_t i = 1; i <= 20; ++i) {
            const lido::blame line(lido::caller{"level.cpp", i});
            static_cast<void>(pool.acquire(0));
        }
    }
    EXPECT_THAT(on.story(), ::testing::EndsWith("1 from level.cpp:16, 4 from other places"));
}

TEST(leak_report, X9_what_one_line_acquires_is_told_once_wherever_its_code_lies) {
    reporting on;
    int line = 0;
    {
        lido::slot_pool<int> pool(8);
        // clang-format off
        line = __LINE__; static_cast<void>(pool.acquire(1)); static_cast<void>(pool.acquire(2)); static_cast<void>(pool.acquire(3));
        // clang-format on
    }
    EXPECT_THAT(on.story(), ::testing::EndsWith("ended: 3 from " + LIDO_AT(line)));
}

TEST(leak_report, X9_can_be_switched_off_for_the_whole_program) {
    reporting on;
    lido::reports.leaks = false;
    {
        lido::slot_pool<int> pool(8);
        static_cast<void>(pool.acquire(1));
    }
    EXPECT_EQ(on.log.count(), 0u);
}

#endif

}  // namespace checks_leaks_test
