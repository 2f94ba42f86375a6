// The twenty mistakes of docs/guide/mistakes.md, by their numbers: each is caught in the mode that promises it.
//
//   always      a result, a counter and a report in every build
//   checks      the program stops, in builds with LIDO_CHECKS
//   forensics   a report with places, in builds with LIDO_FORENSICS
//   poison      the program stops under AddressSanitizer (and Valgrind: tests/valgrind)
#include <lido/core.hpp>

#include "support/check_death.hpp"
#include "support/reporting.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace checks_mistakes_test {

using lido::misuse_kind;
using lido::test::reporting;
using ::testing::HasSubstr;

struct bullet {
    int x = 0;
    int ttl = 0;
};

class mistakes : public ::testing::Test {
protected:
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

    reporting on;
    lido::slot_pool<bullet> bullets{16, {.name = "bullets"}};

    /// The only report; its story in builds that tell one.
    void expect_told(misuse_kind kind, [[maybe_unused]] const std::string& story) {
        const auto told = on.log.only();
        EXPECT_EQ(told.kind, kind) << told.what;
        if constexpr (lido::forensics) {
            EXPECT_THAT(told.story, HasSubstr(story));
        }
    }
};

// Dead slots are closed only where somebody enforces it; the same mistakes under Valgrind are in tests/valgrind.
#if LIDO_POISON && LIDO_ASAN
#define EXPECT_POISONED(statement) EXPECT_DEATH(statement, "use-after-poison")
#else
#define EXPECT_POISONED(statement) \
    if (false) {                   \
        statement;                 \
    } else                         \
        GTEST_SKIP() << "needs AddressSanitizer"
#endif

// --- always ------------------------------------------------------------------------------------------------------------------

TEST_F(mistakes, m01_a_handle_is_released_twice) {
    const lido::handle<bullet> h = bullets.acquire();
    bullets.release(h);
    EXPECT_FALSE(bullets.release(h));
    EXPECT_EQ(bullets.stats().bad_releases, 1u);
    expect_told(misuse_kind::double_release, "is released twice: acquired mistakes_test.cpp:");
}

TEST_F(mistakes, m02_a_handle_is_released_after_its_slot_has_been_used_again) {
    const lido::handle<bullet> h = bullets.acquire();
    bullets.release(h);
    const lido::handle<bullet> other = bullets.acquire();
    EXPECT_FALSE(bullets.release(h));
    EXPECT_TRUE(bullets.contains(other)) << "the innocent one lives";
    expect_told(misuse_kind::stale_release, "slot now holds gen 3 from mistakes_test.cpp:");
}

TEST_F(mistakes, m03_a_null_handle_is_released) {
    const lido::handle<bullet> never_set;
    EXPECT_FALSE(bullets.release(never_set));
    expect_told(misuse_kind::wild_handle, "the released handle is null");
}

TEST_F(mistakes, m04_a_handle_is_made_of_bits_that_the_pool_never_gave) {
    const auto wild = lido::handle<bullet>::from_bits(0xdeadbeefdeadbeefu);
    EXPECT_EQ(bullets.try_get(wild), nullptr);
    EXPECT_FALSE(bullets.release(wild));
    expect_told(misuse_kind::wild_handle, "never came from this pool; released mistakes_test.cpp:");
}

TEST_F(mistakes, m05_an_object_from_elsewhere_is_released) {
    const bullet on_the_stack;
    EXPECT_FALSE(bullets.release(on_the_stack));
    expect_told(misuse_kind::foreign_object, "the released object is not a live element of this pool");
}

TEST_F(mistakes, m06_an_eviction_callback_acquires) {
    using pool_type = lido::slot_pool<bullet, lido::options{.tracks = lido::track::age}>;
    std::optional<pool_type> pool;
    pool.emplace(1,
                 pool_type::settings_type{.on_full = lido::on_full::replace_oldest,
                                          .leaks = lido::leaks::allow,
                                          .on_evict = [&pool](auto, bullet&) { static_cast<void>(pool->acquire()); }});
    static_cast<void>(pool->acquire());
    EXPECT_TRUE(pool->acquire());
    EXPECT_EQ(pool->stats().refused, 1u);
    expect_told(misuse_kind::reentrant_call, "");
}

TEST_F(mistakes, m07_a_setting_is_one_that_the_pool_cannot_honour) {
    const lido::slot_pool<bullet> pool(4, {.on_full = lido::on_full::replace_oldest});
    const auto told = on.log.only();
    EXPECT_EQ(told.kind, misuse_kind::bad_setting);
    EXPECT_THAT(told.what, HasSubstr("needs options::tracks"));
}

// --- forensics -----------------------------------------------------------------------------------------------------------------

#if LIDO_FORENSICS

TEST_F(mistakes, m08_a_handle_is_looked_up_after_its_life) {
    const lido::handle<bullet> h = bullets.acquire();
    bullets.release(h);
    EXPECT_EQ(bullets.get(h), nullptr);
    expect_told(misuse_kind::stale_get, "is stale: acquired mistakes_test.cpp:");
}

TEST_F(mistakes, m09_a_handle_goes_to_the_wrong_pool) {
    lido::slot_pool<bullet> rockets(16, {.name = "rockets", .leaks = lido::leaks::allow});
    static_cast<void>(rockets.acquire());
    const lido::handle<bullet> h = rockets.acquire();
    EXPECT_FALSE(bullets.release(h));
    expect_told(misuse_kind::wrong_pool, "is of another pool, \"rockets\"");
}

TEST_F(mistakes, m10_an_object_is_released_by_reference_after_its_life) {
    bullet& b = *bullets.acquire();
    bullets.release(b);
    EXPECT_FALSE(bullets.release(b));
    expect_told(misuse_kind::foreign_object, "the released object's life in slot 0 has ended");
}

struct enemy {
    int hp = 100;
    std::vector<int> path;
    void on_acquire() { hp = 100; }
};

TEST_F(mistakes, m11_a_recycled_object_keeps_a_field_of_its_last_life) {
    lido::recycle_pool<enemy> enemies(4, {.name = "enemies", .leaks = lido::leaks::allow});
    auto first = enemies.acquire();
    first->path.push_back(1);
    enemies.release(first);
    static_cast<void>(enemies.acquire());
    expect_told(misuse_kind::kept_field, "was recycled and not reset: path");
}

TEST_F(mistakes, m12_objects_are_still_active_when_their_pool_ends) {
    {
        lido::slot_pool<bullet> level(4, {.name = "level"});
        static_cast<void>(level.acquire());
    }
    expect_told(misuse_kind::leak, "1 object was still active when the pool ended: 1 from mistakes_test.cpp:");
}

#endif

// --- checks ----------------------------------------------------------------------------------------------------------------------

TEST_F(mistakes, m13_a_refused_acquire_is_used_as_an_object) {
    lido::flag_pool<bullet, 1> voices({.leaks = lido::leaks::allow});
    static_cast<void>(voices.acquire());
    EXPECT_CHECK_DEATH(voices.acquire()->x = 1, "a refused acquire was used as an object: test it first");
}

TEST_F(mistakes, m14_a_lease_is_used_after_its_object_was_released_another_way) {
    auto lease = bullets.lease();
    bullets.clear();
    EXPECT_CHECK_DEATH(lease->x = 1, "an empty lease was used as an object: test it first");
}

TEST_F(mistakes, m15_another_object_is_released_during_a_pass) {
    const lido::handle<bullet> first = bullets.acquire();
    const lido::handle<bullet> second = bullets.acquire();
    static_cast<void>(first);
    EXPECT_CHECK_DEATH(bullets.for_each([&](bullet&) { bullets.release(second); }),
                       "an object not yet visited was released");
    bullets.clear();
}

TEST_F(mistakes, m16_a_dense_pool_changes_during_a_forward_pass) {
    lido::dense_pool<bullet> sparks(16, {.leaks = lido::leaks::allow});
    for (int i = 0; i < 3; ++i) static_cast<void>(sparks.acquire());
    EXPECT_CHECK_DEATH(
        for (bullet& b
             : sparks) { sparks.release(b); },
        "lido: ");
}

TEST_F(mistakes, m17_the_predicate_of_release_if_changes_the_pool) {
    static_cast<void>(bullets.acquire());
    EXPECT_CHECK_DEATH(bullets.release_if([&](const bullet&) { return static_cast<bool>(bullets.acquire()); }),
                       "release_if: the predicate changed the pool");
    bullets.clear();
}

// --- poison ------------------------------------------------------------------------------------------------------------------------

TEST_F(mistakes, m18_a_pointer_is_kept_past_the_release_of_its_object) {
    const auto one = bullets.acquire();
    volatile bullet* const kept = &*one;
    bullets.release(one);
    EXPECT_POISONED(static_cast<void>(kept->x));
}

TEST_F(mistakes, m19_a_pointer_into_a_dense_pool_is_kept_while_its_row_goes) {
    lido::dense_pool<bullet> sparks(16, {.leaks = lido::leaks::allow});
    const lido::handle<bullet> first = sparks.acquire();
    volatile bullet* const kept = &*sparks.acquire();
    sparks.release(first);  // the object at `kept` has moved to row 0
    EXPECT_POISONED(kept->ttl = 1);
}

TEST_F(mistakes, m20_an_idle_object_of_a_recycle_pool_is_touched) {
    lido::recycle_pool<bullet> pool(4, {.poison_idle = true});
    const auto one = pool.acquire();
    volatile bullet* const kept = &*one;
    pool.release(one);
    EXPECT_POISONED(kept->x = 1);
}

}  // namespace checks_mistakes_test
