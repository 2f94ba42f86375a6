// The promise of tests/support/elements.hpp: every element comes from one int, gives it back, and says so when it is
// torn; and its traits say what it is.
#include "support/elements.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace meta_elements_test {

using namespace lido::test;  // NOLINT: all of it is under test

template <class E>
class every_element : public ::testing::Test {};
TYPED_TEST_SUITE(every_element, all_elements);

TYPED_TEST(every_element, gives_back_the_seed_it_was_made_with) {
    const lifetime_scope scope;
    for (int seed : {0, 1, -1, 42, 1000000, INT_MAX, INT_MIN + 1}) {
        const auto element = std::make_from_tuple<std::unique_ptr<TypeParam>>(
            std::tuple{new TypeParam(std::get<0>(element_traits<TypeParam>::make_args(seed)))});
        EXPECT_EQ(element_traits<TypeParam>::read(*element), seed);
    }
}

TYPED_TEST(every_element, keeps_the_seed_when_copied_or_moved) {
    const lifetime_scope scope;
    using traits = element_traits<TypeParam>;
    if constexpr (traits::copyable) {
        const TypeParam original(7);
        TypeParam copy(original);
        EXPECT_EQ(traits::read(copy), 7);
        EXPECT_EQ(traits::read(original), 7);
        const TypeParam other(8);
        copy = other;
        EXPECT_EQ(traits::read(copy), 8);
    }
    if constexpr (traits::movable) {
        TypeParam original(7);
        TypeParam moved(std::move(original));
        EXPECT_EQ(traits::read(moved), 7);
        TypeParam other(8);
        moved = std::move(other);
        EXPECT_EQ(traits::read(moved), 8);
    }
    if constexpr (!traits::copyable && !traits::movable) {
        EXPECT_TRUE((std::is_same_v<TypeParam, immovable>));
    }
}

struct facts {
    bool movable, copyable, trivially_copyable, nothrow_construct;
    friend bool operator==(const facts&, const facts&) = default;
};

template <class E>
constexpr facts facts_of{element_traits<E>::movable, element_traits<E>::copyable, element_traits<E>::trivially_copyable,
                         element_traits<E>::nothrow_construct};

TEST(element_traits, say_what_each_element_is) {
    EXPECT_EQ(facts_of<trivial16>, (facts{true, true, true, true}));
    EXPECT_EQ(facts_of<trivial64>, (facts{true, true, true, true}));
    EXPECT_EQ(facts_of<trivial256>, (facts{true, true, true, true}));
    EXPECT_EQ(facts_of<over_aligned64>, (facts{true, true, true, true}));
    EXPECT_EQ(facts_of<string_owner>, (facts{true, true, false, false}));
    EXPECT_EQ(facts_of<move_only>, (facts{true, false, false, false}));
    EXPECT_EQ(facts_of<immovable>, (facts{false, false, false, true}));
    EXPECT_EQ(facts_of<throwing>, (facts{true, true, false, false}));
    EXPECT_EQ(facts_of<counting>, (facts{true, true, false, true}));
}

template <class E>
void expect_torn_at_every_byte() {
    for (std::size_t at = 0; at < sizeof(E); ++at) {
        E element(0x01234567);
        unsigned char bytes[sizeof(E)];
        std::memcpy(bytes, &element, sizeof bytes);
        bytes[at] = static_cast<unsigned char>(bytes[at] ^ 0x40U);
        std::memcpy(static_cast<void*>(&element), bytes, sizeof bytes);
        EXPECT_EQ(element.read(), torn) << "byte " << at;
    }
}

TEST(trivial_elements, notice_a_change_of_any_byte) {
    expect_torn_at_every_byte<trivial16>();
    expect_torn_at_every_byte<trivial64>();
    expect_torn_at_every_byte<trivial256>();
    expect_torn_at_every_byte<over_aligned64>();
}

TEST(trivial_elements, notice_halves_of_two_seeds) {
    trivial64 a(1);
    const trivial64 b(2);
    std::memcpy(static_cast<void*>(&a), &b, sizeof a / 2);
    EXPECT_EQ(a.read(), torn);
}

TEST(move_only_element, is_torn_once_moved_from) {
    move_only a(1);
    const move_only b(std::move(a));
    EXPECT_EQ(a.read(), torn);  // NOLINT: reading it is the test
    EXPECT_EQ(b.read(), 1);
}

TEST(immovable_element, notices_that_its_bytes_were_moved) {
    const immovable a(1);
    alignas(immovable) unsigned char bytes[sizeof(immovable)];
    std::memcpy(bytes, static_cast<const void*>(&a), sizeof bytes);
    EXPECT_EQ(std::launder(reinterpret_cast<const immovable*>(bytes))->read(), torn);
}

TEST(counting_element, counts_apart_from_the_throwing_one) {
    const std::size_t before = throwing::counts().constructed();
    const counting a(1);
    EXPECT_EQ(throwing::counts().constructed(), before);
    EXPECT_GE(counting::counts().live, 1U);
}

#if LIDO_HAS_EXCEPTIONS
TEST(throwing_element, throws_on_request) {
    throwing::fail_after(1);
    const throwing a(1);
    EXPECT_THROW(throwing(2), injected_failure);
    throwing::never_fail();
}
#endif

}  // namespace meta_elements_test
