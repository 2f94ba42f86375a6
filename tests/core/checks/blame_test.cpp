// Promise: what stops a program names the pool and the line of the user's code that broke the rule; a refused acquire that is used, right
// away or by way of its handle, is named with the refusal.
#include <lido/core/capped_list.hpp>
#include <lido/core/column_pool.hpp>
#include <lido/core/dense_pool.hpp>
#include <lido/core/ring_pool.hpp>
#include <lido/core/slot_pool.hpp>

#include "support/check_death.hpp"

#include <gtest/gtest.h>

#include <string>

namespace lido::test::checks_blame {

struct point {
    int x = 0;
    int y = 0;
};

#define HERE ("blame_test\\.cpp:" + std::to_string(__LINE__))

class a_stop : public ::testing::Test {
protected:
    void SetUp() override {
        GTEST_FLAG_SET(death_test_style, "fast");
        if constexpr (!forensics) GTEST_SKIP() << "lines of the user's code are known with forensics";
    }
};

TEST_F(a_stop, over_a_refused_acquire_names_the_pool_the_refusal_and_both_lines) {
    slot_pool<point> pool(1, {.name = "bullets", .leaks = leaks::allow});
    static_cast<void>(pool.acquire());
    const auto refused = pool.acquire();
    EXPECT_CHECK_DEATH(refused->x = 1, "pool \"bullets\" refused at blame_test\\.cpp:[0-9]+: full; used at " + HERE);
    EXPECT_CHECK_DEATH((*refused).x = 1, "pool \"bullets\" refused at blame_test\\.cpp:[0-9]+: full; used at " + HERE);
}

/// The crash itself is what is under test.
__attribute__((no_sanitize("undefined"))) void use(slot_pool<point>& pool, handle<point> kept) {
    pool.get(kept)->x = 1;
}

TEST_F(a_stop, over_the_handle_of_a_refused_acquire_names_the_pool_the_refusal_and_both_lines) {
    slot_pool<point> pool(1, {.name = "bullets", .leaks = leaks::allow});
    static_cast<void>(pool.acquire());
    const handle<point> kept = pool.acquire();
    const std::string line = std::to_string(__LINE__ - 1);
    EXPECT_DEATH(
        use(pool, kept),
        "the handle is null; pool \"bullets\", looked up at blame_test\\.cpp:[0-9]+; pool \"bullets\" refused at "
        "blame_test\\.cpp:" +
            line + ": full");
}

TEST_F(a_stop, over_a_handle_that_was_never_set_says_so) {
    slot_pool<point> pool(1, {.name = "rockets"});
    EXPECT_DEATH(use(pool, {}),
                 "the handle is null; pool \"rockets\", looked up at blame_test\\.cpp:[0-9]+; it was never set");
}

TEST_F(a_stop, over_a_null_row_names_the_pool_the_refusal_and_the_lines) {
    column_pool<point> pool(1, {.name = "orbs", .leaks = leaks::allow});
    static_cast<void>(pool.acquire());
    const handle<point> kept = pool.acquire();
    EXPECT_CHECK_DEATH(pool.get(kept)->get<0>() = 1,
                       "pool \"orbs\", looked up at blame_test\\.cpp:[0-9]+; pool \"orbs\" refused at "
                       "blame_test\\.cpp:[0-9]+: full; used at blame_test\\.cpp:[0-9]+");
}

TEST_F(a_stop, in_a_pass_names_the_pool_and_the_line) {
    slot_pool<point> slots(1, {.name = "slots", .leaks = leaks::allow});
    dense_pool<point> rows(2, {.name = "rows", .leaks = leaks::allow});
    column_pool<point> columns(1, {.name = "columns", .leaks = leaks::allow});
    ring_pool<point> ring(1, {.name = "ring", .leaks = leaks::allow});
    static_cast<void>(rows.acquire());
    EXPECT_CHECK_DEATH(static_cast<void>(*slots.begin()), "past the end; pool \"slots\", from " + HERE);
    EXPECT_CHECK_DEATH(static_cast<void>(*rows.end()), "past the end; pool \"rows\", from " + HERE);
    EXPECT_CHECK_DEATH(static_cast<void>(*columns.begin()), "past the end; pool \"columns\", from " + HERE);
    EXPECT_CHECK_DEATH(static_cast<void>(*ring.begin()), "past the end; pool \"ring\", from " + HERE);
    EXPECT_CHECK_DEATH(for (auto [h, object]
                            : rows.each()) rows.release(h);
                       , "changed during a forward iteration.*; pool \"rows\", from blame_test\\.cpp:[0-9]+");
}

TEST_F(a_stop, in_a_call_names_the_pool_and_the_line_of_the_call) {
    dense_pool<point> rows(2, {.name = "rows", .leaks = leaks::allow});
    static_cast<void>(rows.acquire());
    EXPECT_CHECK_DEATH(static_cast<void>(rows.release_if([&](point&) {
                           rows.clear();
                           return false;
                       })),
                       "the predicate changed the pool; pool \"rows\", from blame_test\\.cpp:[0-9]+");
}

TEST_F(a_stop, over_what_is_not_there_names_the_pool_and_the_line) {
    slot_pool<point> slots(1, {.name = "slots"});
    column_pool<point> columns(1, {.name = "columns"});
    capped_list<point, 2> list({.name = "debris"});
    EXPECT_CHECK_DEATH(static_cast<void>(slots.get_found({})), "pool \"slots\", from " + HERE);
    EXPECT_CHECK_DEATH(static_cast<void>(columns.row(0u)), "pool \"columns\", from " + HERE);
    EXPECT_CHECK_DEATH(static_cast<void>(columns.row(handle<point>{})), "pool \"columns\", from " + HERE);
    EXPECT_CHECK_DEATH(static_cast<void>(list[1]), "pool \"debris\", from " + HERE);
}

TEST_F(a_stop, over_a_lease_whose_object_has_gone_names_the_pool_and_the_line) {
    slot_pool<point> slots(1, {.name = "slots"});
    auto lease = slots.lease();
    slots.release(lease.handle());
    EXPECT_CHECK_DEATH(lease->x = 1, "an empty lease was used as an object: test it first; .*from " + HERE);
    EXPECT_CHECK_DEATH((*lease).x = 1, "an empty lease was used as an object: test it first; .*from " + HERE);
}

#undef HERE

}  // namespace lido::test::checks_blame
