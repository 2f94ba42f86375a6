// The promise: a pointer to a member names its field, and a field knows its name, both while compiling.
#include <lido/core/meta/fields.hpp>

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

// In a named namespace too, because compilers spell the two differently.
namespace lido::test_index {

struct orb {
    float x, y;
    int hp;
};
template <class T>
struct generic {
    T first;
    T second;
};

}  // namespace lido::test_index

namespace meta_fields_index_test {

using lido::field_index;
using lido::field_name;
using lido::test_index::generic;
using lido::test_index::orb;

struct no_default {
    explicit no_default(int) {}
};
struct empty_a {};
struct empty_b {};
struct mixed {
    std::string name;
    int numbers[3];
    std::unique_ptr<int> owner;
    const int fixed;
    no_default needy;
    std::array<int, 2> pair;
    mutable int touched;
    orb inner;
};
struct squeezed {
    [[no_unique_address]] empty_a a;
    [[no_unique_address]] empty_b b;
    int c;
};
struct odd_names {
    int _leading;
    int trailing_;
    int value;
    int object;
    int x1;
};

TEST(field_index, is_the_position_of_the_member) {
    EXPECT_EQ(field_index<&orb::x>(), 0U);
    EXPECT_EQ(field_index<&orb::y>(), 1U);
    EXPECT_EQ(field_index<&orb::hp>(), 2U);
}

TEST(field_index, is_a_constant) {
    static_assert(field_index<&orb::hp>() == 2);
    static_assert(field_index<&mixed::owner>() == 2);
}

TEST(field_index, works_for_members_that_are_never_constructed) {
    EXPECT_EQ(field_index<&mixed::name>(), 0U);
    EXPECT_EQ(field_index<&mixed::numbers>(), 1U);
    EXPECT_EQ(field_index<&mixed::owner>(), 2U);
    EXPECT_EQ(field_index<&mixed::fixed>(), 3U);
    EXPECT_EQ(field_index<&mixed::needy>(), 4U);
    EXPECT_EQ(field_index<&mixed::pair>(), 5U);
    EXPECT_EQ(field_index<&mixed::touched>(), 6U);
    EXPECT_EQ(field_index<&mixed::inner>(), 7U);
}

TEST(field_index, tells_members_apart_that_share_an_address) {
    EXPECT_EQ(field_index<&squeezed::a>(), 0U);
    EXPECT_EQ(field_index<&squeezed::b>(), 1U);
    EXPECT_EQ(field_index<&squeezed::c>(), 2U);
}

TEST(field_index, works_for_templates) {
    EXPECT_EQ(field_index<&generic<double>::second>(), 1U);
    EXPECT_EQ(field_index<&generic<std::string>::second>(), 1U);
}

TEST(field_name, is_the_name_in_the_source) {
    EXPECT_EQ((field_name<orb, 0>()), "x");
    EXPECT_EQ((field_name<orb, 1>()), "y");
    EXPECT_EQ((field_name<orb, 2>()), "hp");
    EXPECT_EQ((field_name<const orb, 2>()), "hp");
}

TEST(field_name, works_for_every_kind_of_member) {
    EXPECT_EQ((field_name<mixed, 0>()), "name");
    EXPECT_EQ((field_name<mixed, 1>()), "numbers");
    EXPECT_EQ((field_name<mixed, 2>()), "owner");
    EXPECT_EQ((field_name<mixed, 3>()), "fixed");
    EXPECT_EQ((field_name<mixed, 4>()), "needy");
    EXPECT_EQ((field_name<mixed, 5>()), "pair");
    EXPECT_EQ((field_name<mixed, 6>()), "touched");
    EXPECT_EQ((field_name<mixed, 7>()), "inner");
}

TEST(field_name, works_for_templates) {
    EXPECT_EQ((field_name<generic<int>, 1>()), "second");
    EXPECT_EQ((field_name<generic<std::string>, 0>()), "first");
}

TEST(field_name, is_exact_for_names_that_resemble_the_machinery) {
    EXPECT_EQ((field_name<odd_names, 0>()), "_leading");
    EXPECT_EQ((field_name<odd_names, 1>()), "trailing_");
    EXPECT_EQ((field_name<odd_names, 2>()), "value");
    EXPECT_EQ((field_name<odd_names, 3>()), "object");
    EXPECT_EQ((field_name<odd_names, 4>()), "x1");
}

TEST(field_name, and_index_agree) {
    static_assert(field_name<mixed, field_index<&mixed::touched>()>() == "touched");
    static_assert(field_name<squeezed, field_index<&squeezed::c>()>() == "c");
}

}  // namespace meta_fields_index_test
