// The promise of tests/support/lifetime.hpp: a broken lifetime fails the test, and a sound one never does. The other
// tests rest on it, so every kind of damage is done here on purpose.
#include "support/lifetime.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

// GCC tells of AddressSanitizer only; lido's presets switch UndefinedBehaviorSanitizer on together with it.
#if defined(__SANITIZE_ADDRESS__)
#define LIDO_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define LIDO_TEST_SANITIZED 1
#endif
#endif
#ifndef LIDO_TEST_SANITIZED
#define LIDO_TEST_SANITIZED 0
#endif

namespace meta_lifetime_test {

using lido::test::fail_on;
using lido::test::lifetime_counts;
using lido::test::lifetime_scope;
using lido::test::tracked;
using lido::test::tracked_aligned128;
using lido::test::tracked_aligned64;
using lido::test::tracked_copyable;
using lido::test::tracked_immovable;
using lido::test::tracked_move_only;
using lido::test::tracked_no_default;
using lido::test::tracked_policy;
using lido::test::tracked_throwing;

// Types of this file only, so that its counters begin at nothing.
using subject = tracked<tracked_policy{}, struct lifetime_test_tag>;
using fragile = tracked<tracked_policy{.may_throw = true}, struct lifetime_test_tag>;

// Raw storage that a test can abuse. The object in it is not ended by anyone else.
template <class T>
struct storage {
    alignas(T) unsigned char bytes[sizeof(T)] = {};
    T* get() { return std::launder(reinterpret_cast<T*>(bytes)); }
    template <class... Args>
    T* make(Args&&... args) {
        return ::new (static_cast<void*>(bytes)) T(std::forward<Args>(args)...);
    }
};

class lifetime : public ::testing::Test {
protected:
    void SetUp() override { subject::reset_counts(); }
};

TEST_F(lifetime, counts_each_kind_of_construction_and_assignment) {
    {
        subject a;
        subject b{2};
        subject c{b};
        subject d{std::move(b)};
        a = c;
        a = std::move(c);
        EXPECT_EQ(subject::counts().live, 4U);
        EXPECT_EQ(a.value(), 2);
        EXPECT_EQ(d.value(), 2);
    }
    lifetime_counts expected;
    expected.default_constructed = 1;
    expected.value_constructed = 1;
    expected.copy_constructed = 1;
    expected.move_constructed = 1;
    expected.copy_assigned = 1;
    expected.move_assigned = 1;
    expected.destroyed = 4;
    expected.live = 0;
    expected.max_live = 4;
    EXPECT_EQ(subject::counts(), expected);
    EXPECT_EQ(expected.constructed(), 4U);
    EXPECT_EQ(expected.copies(), 2U);
    EXPECT_EQ(expected.moves(), 2U);
}

TEST_F(lifetime, remembers_the_most_that_lived_at_once) {
    { std::vector<subject> many(5); }
    { std::vector<subject> few(2); }
    EXPECT_EQ(subject::counts().max_live, 5U);
    EXPECT_EQ(subject::counts().live, 0U);
}

TEST_F(lifetime, keeps_live_objects_counted_over_a_reset) {
    const subject a{1};
    subject::reset_counts();
    EXPECT_EQ(subject::counts().live, 1U);
    EXPECT_EQ(subject::counts().constructed(), 0U);
}

TEST_F(lifetime, counts_each_type_apart) {
    using other = tracked<tracked_policy{}, struct other_tag>;
    const other a{1};
    EXPECT_EQ(subject::counts().constructed(), 0U);
    EXPECT_EQ(other::counts().live, 1U);
}

TEST_F(lifetime, is_sound_in_containers_that_move_their_elements) {
    const lifetime_scope scope;
    std::vector<subject> values;
    for (int i = 0; i < 100; ++i) {
        values.emplace_back(i);  // NOLINT(performance-inefficient-vector-operation): growth is the test
    }
    values.erase(values.begin() + 10, values.begin() + 20);
    EXPECT_EQ(values[10].value(), 20);
    EXPECT_EQ(scope.live(), 90);
}

TEST_F(lifetime, notices_the_use_of_a_dead_object) {
    static storage<subject> place;
    place.make(1)->~subject();
    EXPECT_FALSE(place.get()->intact());
    EXPECT_NONFATAL_FAILURE(static_cast<void>(place.get()->value()), "read that is dead");
    EXPECT_NONFATAL_FAILURE(place.get()->set(2), "written that is dead");
    EXPECT_NONFATAL_FAILURE({ const subject copy(*place.get()); }, "copied from that is dead");
}

TEST_F(lifetime, notices_an_object_that_is_destroyed_twice) {
    static storage<subject> place;
    place.make(1)->~subject();
    EXPECT_NONFATAL_FAILURE(place.get()->~subject(), "destroyed that is dead");
    EXPECT_EQ(subject::counts().destroyed, 1U) << "the second destruction is reported and not counted";
}

TEST_F(lifetime, notices_the_use_of_an_object_that_was_never_constructed) {
    static storage<subject> place;
    EXPECT_NONFATAL_FAILURE(static_cast<void>(place.get()->value()), "never constructed");
    EXPECT_NONFATAL_FAILURE(place.get()->~subject(), "destroyed that is never constructed");
    EXPECT_EQ(subject::counts().destroyed, 0U);
}

TEST_F(lifetime, notices_an_assignment_to_raw_memory) {
    static storage<subject> place;
    static const subject source{1};
    EXPECT_NONFATAL_FAILURE(*place.get() = source, "assigned to that is never constructed");
}

TEST_F(lifetime, notices_an_object_whose_bytes_were_copied) {
    static storage<subject> from;
    static storage<subject> to;
    from.make(1);
    std::memcpy(to.bytes, from.bytes, sizeof to.bytes);
    EXPECT_NONFATAL_FAILURE(static_cast<void>(to.get()->value()), "copied or moved as bytes");
    from.get()->~subject();
}

// The bytes of an object, kept and put back after its death, look alive; only the registry knows better.
TEST_F(lifetime, notices_an_object_whose_bytes_were_brought_back) {
    static storage<subject> place;
    unsigned char saved[sizeof(subject)];
    place.make(1);
    std::memcpy(saved, place.bytes, sizeof saved);
    place.get()->~subject();
    std::memcpy(place.bytes, saved, sizeof saved);
    EXPECT_NONFATAL_FAILURE(static_cast<void>(place.get()->value()), "not in the registry");
}

TEST_F(lifetime, notices_a_construction_on_top_of_a_live_object) {
    static storage<subject> place;
    place.make(1);
    EXPECT_NONFATAL_FAILURE(place.make(2), "on top of a live one");
    place.get()->~subject();
    subject::reset_counts();
}

TEST_F(lifetime, notices_the_reading_of_an_object_that_was_moved_from) {
    static subject from{1};
    const subject to{std::move(from)};
    EXPECT_TRUE(from.moved_from());  // NOLINT(bugprone-use-after-move): reading it is the test
    EXPECT_FALSE(to.moved_from());
    EXPECT_NONFATAL_FAILURE(static_cast<void>(from.value()), "moved from is read");
    from.set(3);
    EXPECT_EQ(from.value(), 3);
    from = subject{4};
    EXPECT_EQ(from.value(), 4);
}

TEST_F(lifetime, survives_a_self_move) {
    subject a{5};
    subject& same = a;
    a = std::move(same);
    EXPECT_EQ(a.value(), 5);
}

#if !LIDO_TEST_SANITIZED  // a sanitizer stops at the placement new, and rightly
TEST_F(lifetime, notices_a_misaligned_address) {
    alignas(64) static unsigned char bytes[128 + 32];
    static tracked_aligned64* object = nullptr;
    EXPECT_NONFATAL_FAILURE(object = ::new (static_cast<void*>(bytes + 32)) tracked_aligned64(1), "misaligned");
    object->~tracked_aligned64();
}
#endif

TEST(lifetime_scope, fails_when_an_object_outlives_it) {
    static std::unique_ptr<subject> survivor;
    EXPECT_NONFATAL_FAILURE(
        {
            const lifetime_scope scope;
            survivor = std::make_unique<subject>(1);
        },
        "outlive");
    survivor.reset();
}

TEST(lifetime_scope, fails_when_an_object_dies_before_its_end) {
    static std::unique_ptr<subject> victim = std::make_unique<subject>(1);
    EXPECT_NONFATAL_FAILURE(
        {
            const lifetime_scope scope;
            victim.reset();
        },
        "died before");
}

TEST(lifetime_scope, passes_when_all_is_as_before) {
    const subject before{1};
    const lifetime_scope scope;
    {
        const subject inside{2};
        EXPECT_EQ(scope.live(), 1);
    }
    EXPECT_EQ(scope.live(), 0);
}

TEST(tracked_variants, allow_what_their_policy_says) {
    EXPECT_TRUE(std::is_copy_constructible_v<tracked_copyable> && std::is_copy_assignable_v<tracked_copyable>);
    EXPECT_TRUE(std::is_nothrow_move_constructible_v<tracked_copyable>);
    EXPECT_TRUE(std::is_default_constructible_v<tracked_copyable>);

    EXPECT_FALSE(std::is_copy_constructible_v<tracked_move_only> || std::is_copy_assignable_v<tracked_move_only>);
    EXPECT_TRUE(std::is_move_constructible_v<tracked_move_only> && std::is_move_assignable_v<tracked_move_only>);

    EXPECT_FALSE(std::is_copy_constructible_v<tracked_immovable> || std::is_copy_assignable_v<tracked_immovable>);
    EXPECT_FALSE(std::is_move_constructible_v<tracked_immovable> || std::is_move_assignable_v<tracked_immovable>);

    EXPECT_FALSE(std::is_default_constructible_v<tracked_no_default>);
    EXPECT_FALSE(std::is_nothrow_move_constructible_v<tracked_throwing>);
    EXPECT_FALSE((std::is_nothrow_constructible_v<tracked_throwing, int>));
    EXPECT_FALSE((std::is_convertible_v<int, tracked_copyable>)) << "explicit";
    EXPECT_FALSE(std::is_trivially_copyable_v<tracked_copyable>);
}

TEST(tracked_variants, are_aligned_as_they_say) {
    EXPECT_EQ(alignof(tracked_aligned64), 64U);
    EXPECT_EQ(alignof(tracked_aligned128), 128U);
    const tracked_aligned64 a{1};
    const auto b = std::make_unique<tracked_aligned128>(2);
    EXPECT_EQ(a.value() + b->value(), 3);
}

TEST(tracked_variants, compare_by_value) {
    EXPECT_EQ(tracked_copyable{1}, tracked_copyable{1});
    EXPECT_LT(tracked_copyable{1}, tracked_copyable{2});
}

#if LIDO_HAS_EXCEPTIONS

using lido::test::injected_failure;

class injected_failures : public ::testing::Test {
protected:
    void SetUp() override { fired_before_ = fragile::failures_fired(); }
    void TearDown() override { fragile::never_fail(); }
    std::size_t fired() const { return fragile::failures_fired() - fired_before_; }

private:
    std::size_t fired_before_ = 0;
    lifetime_scope scope_;
};

TEST_F(injected_failures, never_happen_unless_asked_for) {
    std::vector<fragile> values(10);
    values.resize(100);
    EXPECT_EQ(fired(), 0U);
}

TEST_F(injected_failures, let_n_operations_pass_and_stop_the_next) {
    fragile::fail_after(2);
    const fragile a{1};
    EXPECT_NO_THROW(fragile{a});
    EXPECT_THROW(fragile{3}, injected_failure);
    EXPECT_EQ(fired(), 1U);
}

TEST_F(injected_failures, happen_once) {
    fragile::fail_after(0);
    EXPECT_THROW(fragile{1}, injected_failure);
    EXPECT_NO_THROW(fragile{1});
    EXPECT_EQ(fired(), 1U);
}

TEST_F(injected_failures, choose_their_operations) {
    fragile::fail_after(0, fail_on::copy);
    fragile a{1};
    fragile b{std::move(a)};
    EXPECT_THROW(fragile{b}, injected_failure);

    fragile::fail_after(0, fail_on::move);
    const fragile c{b};
    EXPECT_THROW(fragile{std::move(b)}, injected_failure);

    fragile::fail_after(0, fail_on::construct);
    EXPECT_NO_THROW(fragile{c});
    EXPECT_THROW(fragile{}, injected_failure);

    fragile::fail_after(0, fail_on::copy | fail_on::move);
    fragile e{5};
    EXPECT_THROW(e = c, injected_failure);
    EXPECT_EQ(e.value(), 5) << "a failed assignment changes nothing";
    EXPECT_EQ(fired(), 4U);
}

TEST_F(injected_failures, leave_the_source_of_a_failed_move_as_it_was) {
    fragile a{1};
    fragile::fail_after(0, fail_on::move);
    EXPECT_THROW(fragile{std::move(a)}, injected_failure);
    EXPECT_EQ(a.value(), 1);  // NOLINT(bugprone-use-after-move): reading it is the test
}

TEST_F(injected_failures, count_no_object_that_was_not_made) {
    const std::size_t live = fragile::counts().live;
    fragile::fail_after(0);
    EXPECT_THROW(fragile{1}, injected_failure);
    EXPECT_EQ(fragile::counts().live, live);
}

TEST_F(injected_failures, can_be_walked_through_an_operation_to_its_end) {
    std::size_t failures = 0;
    for (std::size_t n = 0;; ++n) {
        fragile::never_fail();
        std::vector<fragile> values(4);
        fragile::fail_after(n);
        try {
            values.reserve(100);
            break;
        } catch (const injected_failure&) {
            ++failures;
            EXPECT_EQ(values.size(), 4U);
        }
    }
    EXPECT_EQ(failures, 4U) << "one for each element that reserve() copies";
}

TEST_F(injected_failures, can_be_called_off) {
    fragile::fail_after(0);
    fragile::never_fail();
    EXPECT_NO_THROW(fragile{1});
    EXPECT_EQ(fired(), 0U);
}

#endif

}  // namespace meta_lifetime_test
