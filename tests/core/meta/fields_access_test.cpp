// The promise: the fields are reached in order, by reference, with their declared types.
#include <lido/core/meta/fields.hpp>

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace meta_fields_access_test {

struct no_default {
    explicit no_default(int v) : value{v} {}
    int value;
};
struct mixed {
    int a;
    float b;
    std::string c;
    int d[2];
    std::array<char, 3> e;
    std::unique_ptr<int> f;
    const long g;
    no_default h;
};
struct none {};
struct counters {
    int hits;
    mutable int reads;
};

mixed make_mixed() {
    return mixed{1, 2.5F, "three", {4, 5}, {'x', 'y', 'z'}, std::make_unique<int>(6), 7, no_default{8}};
}

TEST(tie_fields, gives_references_to_the_members_themselves) {
    mixed m = make_mixed();
    auto tied = lido::tie_fields(m);
    EXPECT_EQ(&std::get<0>(tied), &m.a);
    EXPECT_EQ(&std::get<1>(tied), &m.b);
    EXPECT_EQ(&std::get<2>(tied), &m.c);
    EXPECT_EQ(&std::get<3>(tied), &m.d);
    EXPECT_EQ(&std::get<4>(tied), &m.e);
    EXPECT_EQ(&std::get<5>(tied), &m.f);
    EXPECT_EQ(&std::get<6>(tied), &m.g);
    EXPECT_EQ(&std::get<7>(tied), &m.h);
}

TEST(tie_fields, writes_through_to_the_object) {
    mixed m = make_mixed();
    std::get<2>(lido::tie_fields(m)) = "changed";
    EXPECT_EQ(m.c, "changed");
}

TEST(tie_fields, has_the_declared_types) {
    using expected = std::tuple<int&, float&, std::string&, int(&)[2], std::array<char, 3>&, std::unique_ptr<int>&,
                                const long&, no_default&>;
    EXPECT_TRUE((std::is_same_v<decltype(lido::tie_fields(std::declval<mixed&>())), expected>));
}

TEST(tie_fields, of_a_const_object_gives_references_to_const) {
    using tied = decltype(lido::tie_fields(std::declval<const counters&>()));
    EXPECT_TRUE((std::is_same_v<tied, std::tuple<const int&, int&>>)) << "mutable stays writable, all else does not";
}

TEST(tie_fields, of_an_empty_struct_is_an_empty_tuple) {
    none n;
    EXPECT_TRUE((std::is_same_v<decltype(lido::tie_fields(n)), std::tuple<>>));
}

template <class T>
concept can_tie_temporary = requires { lido::tie_fields(T{}); };

TEST(tie_fields, refuses_a_temporary_that_would_leave_dangling_references) {
    EXPECT_FALSE(can_tie_temporary<counters>);
}

TEST(tie_fields, works_in_constant_expressions) {
    struct point {
        int x, y;
    };
    constexpr int sum = [] {
        point p{1, 2};
        std::get<1>(lido::tie_fields(p)) = 40;
        return std::get<0>(lido::tie_fields(p)) + p.y;
    }();
    static_assert(sum == 41);
    EXPECT_EQ(sum, 41);
}

TEST(tie_fields, reaches_all_thirty_two_in_order) {
    struct wide {
        int a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7;
        int c0, c1, c2, c3, c4, c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7;
    };
    wide w{0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
           16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    int expected = 0;
    lido::for_each_field(w, [&](int field) { EXPECT_EQ(field, expected++); });
    EXPECT_EQ(expected, 32);
}

struct recorder {
    std::vector<const void*>& seen;
    template <class F>
    void operator()(F& field) const {
        seen.push_back(&field);
    }
};

TEST(for_each_field, visits_every_field_once_in_order_of_declaration) {
    mixed m = make_mixed();
    std::vector<const void*> seen;
    lido::for_each_field(m, recorder{seen});
    EXPECT_EQ(seen, (std::vector<const void*>{&m.a, &m.b, &m.c, &m.d, &m.e, &m.f, &m.g, &m.h}));
}

TEST(for_each_field, visits_a_const_object) {
    const mixed m = make_mixed();
    std::vector<const void*> seen;
    lido::for_each_field(m, recorder{seen});
    EXPECT_EQ(seen.size(), 8U);
    EXPECT_EQ(seen.front(), &m.a);
}

TEST(for_each_field, never_calls_for_an_empty_struct) {
    none n;
    int calls = 0;
    lido::for_each_field(n, [&](auto&) { ++calls; });
    EXPECT_EQ(calls, 0);
}

TEST(for_each_field, ignores_what_the_function_returns) {
    struct pair {
        int a, b;
    };
    pair p{1, 2};
    int sum = 0;
    lido::for_each_field(p, [&](int& f) -> int& { return sum += f, f; });
    EXPECT_EQ(sum, 3);
}

TEST(field_types, are_the_declared_types) {
    using types = lido::field_types<mixed>;
    EXPECT_EQ(std::tuple_size_v<types>, 8U);
    EXPECT_TRUE((std::is_same_v<lido::field_type<mixed, 0>, int>));
    EXPECT_TRUE((std::is_same_v<lido::field_type<mixed, 3>, int[2]>));
    EXPECT_TRUE((std::is_same_v<lido::field_type<mixed, 6>, const long>));
    EXPECT_TRUE((std::is_same_v<lido::field_type<mixed, 7>, no_default>));
    EXPECT_TRUE((std::is_same_v<lido::field_types<none>, std::tuple<>>));
}

}  // namespace meta_fields_access_test
