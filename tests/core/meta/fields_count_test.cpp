// The promise: a plain struct has as many fields as it declares, whatever their types.
#include <lido/core/meta/fields.hpp>

#include <gtest/gtest.h>

#include <any>
#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace meta_fields_count_test {

using lido::field_count;

struct no_default {
    explicit no_default(int) {}
};
struct no_default_two {
    no_default_two(int, int) {}
};
struct explicit_default {
    explicit explicit_default() = default;
    explicit explicit_default(int) {}
};
struct pinned {
    explicit pinned(int) {}
    pinned(const pinned&) = delete;
    pinned& operator=(const pinned&) = delete;
};
struct nested {
    int x, y;
};
struct nested_no_default {
    no_default x, y;
};
struct hollow {};

struct none {};
struct one {
    int a;
};
struct three {
    int a;
    double b;
    char c;
};

TEST(field_count, of_an_empty_struct_is_zero) { EXPECT_EQ(field_count<none>(), 0U); }

TEST(field_count, counts_scalars) {
    EXPECT_EQ(field_count<one>(), 1U);
    EXPECT_EQ(field_count<three>(), 3U);
}

TEST(field_count, ignores_const) { EXPECT_EQ(field_count<const three>(), 3U); }

struct with_extras {
    using type = int;
    static constexpr int constant = 4;
    int a;
    int sum() const { return a + b + constant; }
    int b;
};

TEST(field_count, ignores_static_members_functions_and_nested_types) { EXPECT_EQ(field_count<with_extras>(), 2U); }

struct arrays {
    int a[3];
    int b;
    char c[2][4];
};
struct only_array {
    int a[7];
};
struct long_array {
    char text[4096];
    int length;
};
struct std_arrays {
    std::array<int, 3> a;
    int b;
    std::array<nested, 2> c;
};

TEST(field_count, takes_a_c_array_as_one) {
    EXPECT_EQ(field_count<arrays>(), 3U);
    EXPECT_EQ(field_count<only_array>(), 1U);
    EXPECT_EQ(field_count<long_array>(), 2U);
}

TEST(field_count, takes_a_std_array_as_one) { EXPECT_EQ(field_count<std_arrays>(), 3U); }

struct nests {
    nested a;
    int b;
    nested c[2];
    hollow d;
};
struct only_nest {
    nested a;
};
struct deep_nest {
    only_nest a;
    only_array b;
};

TEST(field_count, takes_a_nested_struct_as_one) {
    EXPECT_EQ(field_count<nests>(), 4U);
    EXPECT_EQ(field_count<only_nest>(), 1U);
    EXPECT_EQ(field_count<deep_nest>(), 2U);
}

struct defaults {
    int a = 1;
    nested b = {2, 3};
    int c[2] = {4, 5};
};
struct const_members {
    const int a;
    const nested b;
    const int c[2];
};

TEST(field_count, counts_members_with_initialisers) { EXPECT_EQ(field_count<defaults>(), 3U); }
TEST(field_count, counts_const_members) { EXPECT_EQ(field_count<const_members>(), 3U); }

struct standard_library {
    std::string a;
    std::vector<int> b;
    std::optional<int> c;
    std::any d;
    std::function<void()> e;
    std::variant<int, std::string> f;
    std::tuple<int, int> g;
    std::pair<int, int> h;
    std::map<int, int> i;
    std::string_view j;
};
struct move_only_members {
    std::unique_ptr<int> a;
    int b;
    std::unique_ptr<int[]> c;
};
struct immovable_members {
    std::mutex a;
    std::atomic<int> b;
    pinned c;
};

TEST(field_count, counts_members_of_the_standard_library) { EXPECT_EQ(field_count<standard_library>(), 10U); }
TEST(field_count, counts_move_only_members) { EXPECT_EQ(field_count<move_only_members>(), 3U); }
TEST(field_count, counts_immovable_members) { EXPECT_EQ(field_count<immovable_members>(), 3U); }

// Beside a member without a default nothing can be left out of the list, and the slow path does the counting.
struct undefaulted_first {
    no_default a;
    int b;
    int c;
};
struct undefaulted_last {
    int a;
    int b;
    no_default c;
};
struct undefaulted_all {
    no_default a;
    no_default_two b;
    const no_default c;
};
struct undefaulted_and_arrays {
    int a[3];
    no_default b;
    int c[2];
    int d;
};
struct undefaulted_arrays {
    int a;
    no_default b[3];
    no_default_two c[2];
    int d;
};
struct undefaulted_nests {
    nested a;
    nested_no_default b;
    nested_no_default c[2];
    int d;
};
struct undefaulted_library {
    std::string a;
    std::optional<no_default> b;
    std::any c;
    std::vector<int> d;
    no_default e;
    std::unique_ptr<int> f;
    char g[4];
};
// Their constructor takes anything, and so competes with the value that stands for anything.
struct takes_anything {
    template <class T>
    takes_anything(T&&) {}  // NOLINT(bugprone-forwarding-reference-overload): the point of it
};
struct takes_any_const {
    template <class T>
    takes_any_const(const T&) {}
};
struct greedy_members {
    takes_anything a;
    int b;
    takes_any_const c;
};
struct explicit_defaults {
    explicit_default a;
    int b[2];
    explicit_default c[2];
};

TEST(field_count, counts_members_without_a_default) {
    EXPECT_EQ(field_count<undefaulted_first>(), 3U);
    EXPECT_EQ(field_count<undefaulted_last>(), 3U);
    EXPECT_EQ(field_count<undefaulted_all>(), 3U);
}

TEST(field_count, takes_arrays_beside_them_as_one) { EXPECT_EQ(field_count<undefaulted_and_arrays>(), 4U); }
TEST(field_count, takes_arrays_of_them_as_one) { EXPECT_EQ(field_count<undefaulted_arrays>(), 4U); }
TEST(field_count, takes_structs_of_them_as_one) { EXPECT_EQ(field_count<undefaulted_nests>(), 4U); }
TEST(field_count, counts_library_members_beside_them) { EXPECT_EQ(field_count<undefaulted_library>(), 7U); }
TEST(field_count, counts_members_that_can_be_made_from_anything) { EXPECT_EQ(field_count<greedy_members>(), 3U); }
TEST(field_count, counts_members_with_an_explicit_default) { EXPECT_EQ(field_count<explicit_defaults>(), 3U); }

// T{} compiles, but "{}" in the place of the member does not.
struct undefaulted_but_initialised {
    int a;
    no_default b = no_default{1};
    int c;
};
struct undefaulted_array_initialised {
    int a;
    no_default b[3] = {no_default{1}, no_default{2}, no_default{3}};
    int c;
};

TEST(field_count, does_not_stop_at_a_member_that_only_its_initialiser_can_make) {
    EXPECT_EQ(field_count<undefaulted_but_initialised>(), 3U);
    EXPECT_EQ(field_count<undefaulted_array_initialised>(), 3U);
}

struct thirty_two {
    int a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7;
    int c0, c1, c2, c3, c4, c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7;
};
struct thirty_two_wide {
    int a0[9], a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7;
    nested c0, c1, c2, c3, c4, c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7[3];
};
struct thirty_two_undefaulted {
    no_default a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7;
    no_default c0, c1, c2, c3, c4, c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7;
};

TEST(field_count, goes_up_to_thirty_two) {
    EXPECT_EQ(field_count<thirty_two>(), 32U);
    EXPECT_EQ(field_count<thirty_two_wide>(), 32U);
    EXPECT_EQ(field_count<thirty_two_undefaulted>(), 32U);
    EXPECT_EQ(lido::max_fields, 32U);
}

struct squeezed {
    [[no_unique_address]] hollow a;
    int b;
    [[no_unique_address]] none c;
};

TEST(field_count, counts_members_without_an_address_of_their_own) { EXPECT_EQ(field_count<squeezed>(), 3U); }

}  // namespace meta_fields_count_test
