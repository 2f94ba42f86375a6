// X8: a build with forensics compares a recycled object with a fresh one and names what has leaked from the last life.
#include <lido/core.hpp>

#include "support/reporting.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#if LIDO_FORENSICS

namespace checks_reset_check_test {

using lido::misuse_kind;
using lido::test::reporting;
using ::testing::HasSubstr;

struct vec2 {
    float x = 0;
    float y = 0;
};

struct enemy {
    int hp = 100;
    vec2 at;
    std::vector<int> path;
    std::string name;
    bool boss = false;

    void on_acquire(int health) {
        hp = health;
        path.clear();
    }
};

/// What the report says between "not reset: " and the advice.
std::string leaked(const std::string& story) {
    const std::string begin = "not reset: ";
    const auto from = story.find(begin);
    if (from == std::string::npos) return "(no such report) " + story;
    return story.substr(from + begin.size(), story.find("; reset it") - from - begin.size());
}

TEST(reset_check, X8_names_each_field_that_was_not_reset_with_its_values) {
    reporting on;
    lido::recycle_pool<enemy> pool(4, {.name = "enemies"});
    auto first = pool.acquire(50);
    const int acquired = __LINE__ - 1;
    EXPECT_EQ(on.log.count(), 0u) << "a new object has nothing to leak";
    first->hp = 1;
    first->at.y = 7;
    first->path = {1, 2, 3};
    first->name = "Bob";
    first->boss = true;
    pool.release(first);
    const int released = __LINE__ - 1;
    const auto second = pool.acquire(60);
    const int again = __LINE__ - 1;
    ASSERT_EQ(second->hp, 60);
    const auto told = on.log.only();
    EXPECT_EQ(told.kind, misuse_kind::kept_field);
    EXPECT_EQ(told.pool, "enemies");
    EXPECT_EQ(
        told.story,
        "the object of slot 0 was recycled and not reset: at.y (7, fresh 0), name, boss (1, fresh 0); reset it in "
        "on_acquire, or name it in kept_fields; last life: acquired " +
            LIDO_AT(acquired) + ", released " + LIDO_AT(released) + "; acquired " + LIDO_AT(again));
}

TEST(reset_check, X8_is_quiet_when_everything_was_reset_and_capacity_kept) {
    reporting on;
    struct trail {
        std::vector<int> points;
        int hp = 1;
        void on_acquire(int h) {
            points.clear();
            hp = h;
        }
    };
    lido::recycle_pool<trail> pool(4);
    for (int i = 0; i < 5; ++i) {
        auto one = pool.acquire(i);
        one->points.assign(100, i);
        pool.release(one);
    }
    EXPECT_EQ(pool.stats().reused, 4u);
    EXPECT_EQ(on.log.count(), 0u);
}

struct counted {
    int id = 0;
    std::unique_ptr<int> buffer;
    int hits = 0;
    using kept_fields = lido::kept<&counted::id, &counted::buffer>;
    void on_acquire() {}
};

TEST(reset_check, X8_fields_can_be_declared_as_kept_on_purpose) {
    reporting on;
    lido::recycle_pool<counted> pool(4);
    auto one = pool.acquire();
    one->id = 5;
    one->buffer = std::make_unique<int>(1);
    one->hits = 3;
    pool.release(one);
    static_cast<void>(pool.acquire());
    EXPECT_EQ(leaked(on.story()), "hits (3, fresh 0)");
}

TEST(reset_check, X8_a_reset_on_release_counts_as_one) {
    reporting on;
    struct spark {
        int heat = 0;
        int left = 9;
        void on_release() noexcept { heat = 0; }
    };
    lido::recycle_pool<spark> pool(4);
    auto one = pool.acquire();
    one->heat = 4;
    one->left = 4;
    pool.release(one);
    static_cast<void>(pool.acquire());
    EXPECT_EQ(leaked(on.story()), "left (4, fresh 9)");
}

TEST(reset_check, X8_an_object_that_only_the_get_of_the_settings_resets_is_reset) {
    reporting on;
    struct spark {
        int heat = 0;
        int left = 9;
    };
    const auto again = [](lido::recycle_pool<spark>& pool) {
        auto one = pool.acquire();
        one->heat = 4;
        one->left = 4;
        pool.release(one);
        static_cast<void>(pool.release(pool.acquire()));
    };
    lido::recycle_pool<spark> whole(4, {.get = [](spark& s) { s = {}; }});
    again(whole);
    EXPECT_EQ(on.log.count(), 0u);
    lido::recycle_pool<spark> half(4, {.get = [](spark& s) { s.left = 9; }});
    again(half);
    EXPECT_EQ(leaked(on.story()), "heat (4, fresh 0)");
}

TEST(reset_check, X8_callbacks_of_the_settings_are_resets_too) {
    reporting on;
    struct spark {
        int heat = 0;
        int left = 9;
        std::string why;
    };
    lido::recycle_pool<spark> pool(4, {.get = [](spark& s) { s.left = 5; }, .release = [](spark& s) { s.heat = 0; }});
    auto one = pool.acquire();
    one->heat = 4;
    one->left = 4;
    pool.release(one);
    auto two = pool.acquire();
    EXPECT_EQ(on.log.count(), 0u);
    two->why = "rain";
    pool.release(two);
    static_cast<void>(pool.acquire());
    EXPECT_EQ(leaked(on.story()), "why");
}

TEST(reset_check, X8_an_object_that_is_taken_as_it_was_left_is_not_compared) {
    reporting on;
    struct plain {
        std::string text;
    };
    lido::recycle_pool<plain> pool(4);
    auto one = pool.acquire();
    one->text = "left";
    pool.release(one);
    static_cast<void>(pool.acquire());
    EXPECT_EQ(on.log.count(), 0u);
}

class secretive {
public:
    explicit secretive(int start = 1) : a_(start) {}
    void on_acquire() { a_ = 1; }
    void spoil() {
        a_ = 5;
        b_ = 0x01010101;
    }

private:
    int a_;
    char pad_ = 0;
    std::uint32_t b_ = 0;
};

TEST(reset_check, X8_a_class_that_cannot_be_taken_apart_is_told_by_bytes) {
    reporting on;
    lido::recycle_pool<secretive> pool(4);
    auto one = pool.acquire();
    one->spoil();
    pool.release(one);
    static_cast<void>(pool.acquire());
    EXPECT_EQ(leaked(on.story()), "bytes 8 to 11") << "padding is told apart from what leaked";
}

class keeper {
public:
    using kept_fields = lido::kept<>;
    void on_acquire() {}
    void spoil() { owned_.push_back(1); }

private:
    std::vector<int> owned_;
};
class good_keeper {
    std::vector<int> owned_;
    int hp_ = 1;

public:
    using kept_fields = lido::kept<&good_keeper::owned_>;
    void on_acquire() { owned_.clear(); }
    void spoil(bool all) {
        owned_.push_back(1);
        if (all) hp_ = 2;
    }
};
class silent_keeper {
public:
    void on_acquire() {}
    void spoil() { owned_.push_back(1); }

private:
    std::vector<int> owned_;
};

TEST(reset_check, X8_a_class_that_owns_memory_is_compared_once_it_says_what_it_keeps) {
    reporting on;
    lido::recycle_pool<keeper> keepers(4);
    auto one = keepers.acquire();
    one->spoil();
    keepers.release(one);
    static_cast<void>(keepers.acquire());
    EXPECT_THAT(leaked(on.story()), HasSubstr("byte"));

    lido::recycle_pool<good_keeper> good(4);
    auto two = good.acquire();
    two->spoil(false);
    good.release(two);
    two = good.acquire();
    EXPECT_EQ(on.log.count(), 0u);
    two->spoil(true);
    good.release(two);
    static_cast<void>(good.acquire());
    EXPECT_THAT(leaked(on.story()), HasSubstr("byte"));

    lido::recycle_pool<silent_keeper> silent(4);
    auto three = silent.acquire();
    three->spoil();
    silent.release(three);
    static_cast<void>(silent.acquire());
    EXPECT_EQ(on.log.count(), 0u) << "its kept buffer cannot be told from a leak";
}

struct odd {
    float angle = std::numeric_limits<float>::quiet_NaN();
    std::array<vec2, 2> corners{};
    vec2 raw[2] = {};
    std::vector<vec2> uncompared;
    std::optional<int> maybe;
    std::pair<int, vec2> both{};
    void on_acquire() {}
};

TEST(reset_check, X8_values_that_are_not_equal_to_themselves_or_have_no_equality_are_no_false_alarm) {
    reporting on;
    lido::recycle_pool<odd> pool(4);
    pool.release(pool.acquire());
    pool.release(pool.acquire());
    EXPECT_EQ(on.log.count(), 0u);
    auto one = pool.acquire();
    one->raw[1].y = 1;
    one->maybe = 3;
    one->uncompared.resize(2);
    pool.release(one);
    static_cast<void>(pool.acquire());
    EXPECT_EQ(leaked(on.story()), "raw, maybe") << "vec2 has no ==, so what holds it is not compared";
}

struct movable {
    std::string text;
    void on_acquire(std::string t) { text = std::move(t); }
};
struct only_moved {
    std::unique_ptr<int> value;
    int left = 0;
    void on_acquire(std::unique_ptr<int> v) { value = std::move(v); }
};

TEST(reset_check, X8_arguments_are_copied_before_the_reset_and_left_alone) {
    reporting on;
    lido::recycle_pool<movable> pool(4);
    pool.release(pool.acquire(std::string("first")));
    std::string mine = "a text that is long enough to be on the heap";
    const auto moved = pool.acquire(std::move(mine));
    EXPECT_EQ(moved->text, "a text that is long enough to be on the heap");
    EXPECT_EQ(on.log.count(), 0u);

    lido::recycle_pool<only_moved> unique(4);
    auto one = unique.acquire(std::make_unique<int>(1));
    one->left = 1;
    unique.release(one);
    EXPECT_EQ(*unique.acquire(std::make_unique<int>(2))->value, 2);
    EXPECT_EQ(on.log.count(), 0u) << "arguments that cannot be copied cannot be used twice";
}

struct hooks_seen {
    static inline int begun = 0;
    static inline int ended = 0;
    static inline int alive = 0;
    int junk = 0;

    hooks_seen() { ++alive; }
    hooks_seen(const hooks_seen&) = delete;
    hooks_seen& operator=(const hooks_seen&) = delete;
    ~hooks_seen() { --alive; }
    void on_acquire() { ++begun; }
    void on_release() noexcept { ++ended; }
};

TEST(reset_check, X8_what_is_built_to_compare_with_ends_as_it_began) {
    hooks_seen::begun = hooks_seen::ended = hooks_seen::alive = 0;
    {
        reporting on;
        lido::recycle_pool<hooks_seen> pool(4);
        pool.release(pool.acquire());
        pool.release(pool.acquire());
        EXPECT_EQ(hooks_seen::begun, hooks_seen::ended);
        EXPECT_EQ(hooks_seen::alive, 1);
    }
    EXPECT_EQ(hooks_seen::alive, 0);
}

TEST(reset_check, X8_can_be_turned_off_for_a_pool_and_for_the_program) {
    reporting on;
    lido::recycle_pool<enemy> pool(4, {.reset_check = false});
    const auto cycle = [](auto& of) {
        auto one = of.acquire(1);
        one->boss = true;
        of.release(one);
        static_cast<void>(of.acquire(1));
    };
    cycle(pool);
    EXPECT_EQ(on.log.count(), 0u);
    lido::recycle_pool<enemy> other(4);
    lido::reports.resets = false;
    cycle(other);
    EXPECT_EQ(on.log.count(), 0u);
}

#if LIDO_HAS_EXCEPTIONS
struct thrower {
    static inline int until = 0;
    int value = 0;
    void on_acquire() {
        if (until != 0 && --until == 0) throw std::runtime_error("no");
    }
};

TEST(reset_check, X8_a_fresh_object_that_cannot_be_built_costs_the_check_and_not_the_acquire) {
    reporting on;
    lido::recycle_pool<thrower> pool(4);
    pool.release(pool.acquire());
    thrower::until = 2;  // the recycled one passes, the fresh one does not
    EXPECT_TRUE(pool.acquire());
    EXPECT_EQ(thrower::until, 0);
    EXPECT_EQ(pool.size(), 1u);
    EXPECT_TRUE(pool.validate());
    EXPECT_EQ(on.log.count(), 0u);
}
#endif

}  // namespace checks_reset_check_test

#endif
