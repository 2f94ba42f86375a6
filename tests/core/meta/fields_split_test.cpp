// The promise: what cannot be split is refused by the concept, never miscounted.
#include <lido/core/meta/fields.hpp>

#include <gtest/gtest.h>

#include <any>
#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

namespace meta_fields_split_test {

using lido::splittable;
using lido::detail::split;
using lido::detail::split_verdict;

struct no_default {
    explicit no_default(int) {}
};
struct plain {
    int a;
    std::string b;
    std::unique_ptr<int> c;
};
struct empty {};

TEST(splittable, holds_for_plain_aggregates) {
    EXPECT_TRUE(splittable<plain>);
    EXPECT_TRUE(splittable<const plain>);
    EXPECT_TRUE(splittable<empty>);
}

TEST(splittable, refuses_what_is_no_class) {
    union either {
        int a;
        float b;
    };
    EXPECT_EQ(split_verdict<int>, split::not_a_class);
    EXPECT_EQ(split_verdict<int*>, split::not_a_class);
    EXPECT_EQ(split_verdict<int[3]>, split::not_a_class);
    EXPECT_EQ(split_verdict<plain&>, split::not_a_class);
    EXPECT_EQ(split_verdict<void>, split::not_a_class);
    EXPECT_EQ(split_verdict<either>, split::not_a_class);
    EXPECT_EQ(split_verdict<volatile plain>, split::not_a_class);
    EXPECT_FALSE(splittable<int>);
}

struct with_constructor {
    explicit with_constructor(int v) : a{v} {}
    int a;
};
class with_private {
    [[maybe_unused]] int a_ = 0;
};
struct with_virtual {
    virtual int f() { return a; }
    virtual ~with_virtual() = default;
    int a = 0;
};

TEST(splittable, refuses_classes_that_are_no_aggregates) {
    EXPECT_EQ(split_verdict<with_constructor>, split::not_an_aggregate);
    EXPECT_EQ(split_verdict<with_private>, split::not_an_aggregate);
    EXPECT_EQ(split_verdict<with_virtual>, split::not_an_aggregate);
    EXPECT_EQ(split_verdict<std::string>, split::not_an_aggregate);
    EXPECT_FALSE(splittable<std::string>);
}

TEST(splittable, refuses_types_that_the_language_takes_apart_as_tuples) {
    EXPECT_EQ((split_verdict<std::array<int, 3>>), split::tuple_like);
    EXPECT_FALSE((splittable<std::array<int, 1>>)) << "one element and one member: the counts agree, the types do not";
}

struct base {
    int a;
};
struct empty_base {};
struct based : base {
    int b;
};
struct based_on_empty : empty_base {
    int b;
};
struct only_based : base {};
struct based_and_undefaulted : base {
    no_default b;
};
struct based_twice : base, empty_base {
    int b;
};
struct takes_anything {
    takes_anything() = default;
    template <class T>
    takes_anything(T&&) {}  // NOLINT(bugprone-forwarding-reference-overload): the point of it
};
struct takes_any_const {
    template <class T>
    takes_any_const(const T&) {}
};
struct based_on_anything : takes_anything {
    int b;
};
struct based_on_any_const : takes_any_const {
    int b;
};
struct holds_a_base {
    base a;
    int b;
};
struct holds_any_first {
    std::any a;
    int b;
};
struct holds_anything_first {
    takes_anything a;
    int b;
};
struct holds_any_const_first {
    takes_any_const a;
    int b;
};

TEST(splittable, refuses_bases) {
    EXPECT_EQ(split_verdict<based>, split::has_base);
    EXPECT_EQ(split_verdict<based_on_empty>, split::has_base);
    EXPECT_EQ(split_verdict<only_based>, split::has_base);
    EXPECT_EQ(split_verdict<based_and_undefaulted>, split::has_base);
    EXPECT_EQ(split_verdict<based_twice>, split::has_base);
    EXPECT_FALSE(splittable<based>);
}

TEST(splittable, refuses_bases_that_can_be_made_from_anything) {
    EXPECT_EQ(split_verdict<based_on_anything>, split::has_base);
    EXPECT_EQ(split_verdict<based_on_any_const>, split::has_base);
}

TEST(splittable, takes_a_member_of_class_type_for_no_base) { EXPECT_TRUE(splittable<holds_a_base>); }

TEST(splittable, takes_a_first_member_that_can_be_made_from_anything_for_no_base) {
    EXPECT_TRUE(splittable<holds_any_first>);
    EXPECT_TRUE(splittable<holds_anything_first>);
    EXPECT_TRUE(splittable<holds_any_const_first>);
}

struct thirty_three {
    int a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7;
    int c0, c1, c2, c3, c4, c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7;
    int e0;
};
struct forty {
    int a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7;
    int c0, c1, c2, c3, c4, c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7;
    int e0, e1, e2, e3, e4, e5, e6, e7;
};
struct thirty_three_undefaulted {
    no_default a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7;
    no_default c0, c1, c2, c3, c4, c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7;
    no_default e0;
};

TEST(splittable, refuses_more_than_thirty_two_fields) {
    EXPECT_EQ(split_verdict<thirty_three>, split::too_many);
    EXPECT_EQ(split_verdict<forty>, split::too_many);
    EXPECT_EQ(split_verdict<thirty_three_undefaulted>, split::too_many);
    EXPECT_FALSE(splittable<thirty_three>);
}

struct with_reference {
    int& a;
    int b;
};
struct with_const_reference {
    int a;
    const int& b;
};
struct with_rvalue_reference {
    int a;
    int&& b;
};
struct with_late_reference {
    int a[3];
    std::string b;
    std::string& c;
};

TEST(splittable, refuses_reference_members) {
    EXPECT_FALSE(splittable<with_reference>);
    EXPECT_FALSE(splittable<with_const_reference>);
    EXPECT_FALSE(splittable<with_rvalue_reference>);
    EXPECT_FALSE(splittable<with_late_reference>);
}

struct with_bit_field {
    int a;
    unsigned b : 3;
};
struct with_const_bit_field {
    const unsigned a : 3;
    int b;
};
struct with_unnamed_bit_field {
    unsigned a;
    unsigned : 3;
    unsigned b;
};

#if !defined(__clang__) || __clang_major__ >= 16
TEST(splittable, refuses_bit_fields) {
    EXPECT_EQ(split_verdict<with_bit_field>, split::bit_field);
    EXPECT_EQ(split_verdict<with_const_bit_field>, split::bit_field);
}
#endif

TEST(splittable, takes_an_unnamed_bit_field_for_no_member) {
    EXPECT_TRUE(splittable<with_unnamed_bit_field>);
    EXPECT_EQ(lido::field_count<with_unnamed_bit_field>(), 2U);
}

struct many_elements {
    no_default a;
    char b[126];
    int c;
};
struct too_many_elements {
    no_default a;
    char b[127];
    int c;
};

TEST(splittable, refuses_what_it_cannot_count) {
    EXPECT_EQ(split_verdict<too_many_elements>, split::not_countable);
    EXPECT_TRUE(splittable<many_elements>);
    EXPECT_EQ(lido::field_count<many_elements>(), 3U);
}

}  // namespace meta_fields_split_test
