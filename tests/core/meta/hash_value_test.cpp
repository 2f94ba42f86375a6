// The promise: equal values hash equally, padding never enters, and what has no stable value is refused.
#include <lido/core/meta/hash.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace meta_hash_value_test {

using lido::hash_value;
using lido::hashable_state;

enum class state : std::uint8_t { idle, busy };
enum old_state : int { old_idle = 7 };

TEST(hash_value, tells_values_apart) {
    EXPECT_NE(hash_value(1), hash_value(2));
    EXPECT_NE(hash_value(-1), hash_value(1));
    EXPECT_NE(hash_value(true), hash_value(false));
    EXPECT_NE(hash_value('a'), hash_value('b'));
    EXPECT_NE(hash_value(state::idle), hash_value(state::busy));
}

TEST(hash_value, takes_enums_by_their_number) {
    EXPECT_EQ(hash_value(state::busy), hash_value(1));
    EXPECT_EQ(hash_value(old_idle), hash_value(7));
    EXPECT_EQ(hash_value(std::byte{9}), hash_value(9));
}

TEST(hash_value, takes_floats_by_bit_pattern) {
    EXPECT_NE(hash_value(0.0F), hash_value(-0.0F));
    EXPECT_NE(hash_value(0.0), hash_value(-0.0));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(hash_value(nan), hash_value(nan));
    EXPECT_NE(hash_value(1.0F), hash_value(1.0));
}

// The layout: one byte, three of padding, four of value.
struct holed {
    std::uint8_t small;
    std::uint32_t large;
};
static_assert(sizeof(holed) == 8);

TEST(hash_value, never_reads_padding) {
    alignas(holed) unsigned char storage[2][sizeof(holed)];
    std::memset(storage[0], 0x00, sizeof(holed));
    std::memset(storage[1], 0xff, sizeof(holed));
    holed* a = reinterpret_cast<holed*>(storage[0]);
    holed* b = reinterpret_cast<holed*>(storage[1]);
    for (holed* h : {a, b}) {
        h->small = 1;
        h->large = 2;
    }
    ASSERT_NE(std::memcmp(storage[0], storage[1], sizeof(holed)), 0) << "the padding must differ for this to mean much";
    EXPECT_EQ(hash_value(*a), hash_value(*b));
    b->large = 3;
    EXPECT_NE(hash_value(*a), hash_value(*b));
}

struct inner {
    int a;
    float b;
};
struct outer {
    inner first;
    int list[3];
    std::array<inner, 2> pair;
    std::string name;
    const int fixed;
};

TEST(hash_value, notices_a_change_of_any_field) {
    const auto make = [] { return outer{{1, 2.0F}, {3, 4, 5}, {{{6, 7.0F}, {8, 9.0F}}}, "ten", 11}; };
    const std::uint64_t original = hash_value(make());
    EXPECT_EQ(hash_value(make()), original);

    outer o = make();
    o.first.b = 2.5F;
    EXPECT_NE(hash_value(o), original);
    o.first.b = 2.0F;
    o.list[2] = 6;
    EXPECT_NE(hash_value(o), original);
    o.list[2] = 5;
    o.pair[1].a = 0;
    EXPECT_NE(hash_value(o), original);
    o.pair[1].a = 8;
    o.name = "Ten";
    EXPECT_NE(hash_value(o), original);
    o.name = "ten";
    EXPECT_EQ(hash_value(o), original) << "every change was undone";
}

TEST(hash_value, tells_swapped_fields_apart) { EXPECT_NE(hash_value(inner{1, 0.0F}), hash_value(inner{0, 1.0F})); }

TEST(hash_value, includes_lengths_that_vary) {
    using lists = std::pair<std::vector<int>, std::vector<int>>;
    EXPECT_NE(hash_value(lists{{1}, {2, 3}}), hash_value(lists{{1, 2}, {3}}));
    using texts = std::pair<std::string, std::string>;
    EXPECT_NE(hash_value(texts{"ab", "c"}), hash_value(texts{"a", "bc"}));
    EXPECT_NE(hash_value(std::string{}), hash_value(std::string(1, '\0')));
    EXPECT_NE(hash_value(std::vector<int>{}), hash_value(std::vector<int>{0}));
}

TEST(hash_value, hashes_text_alike_whoever_owns_it) {
    EXPECT_EQ(hash_value(std::string{"moon"}), hash_value(std::string_view{"moon"}));
    EXPECT_NE(hash_value(std::string{"moon"}), hash_value(std::string{"noon"}));
    const std::string long_text(1000, 'x');
    std::string changed = long_text;
    changed[777] = 'y';
    EXPECT_NE(hash_value(long_text), hash_value(changed));
}

TEST(hash_value, tells_an_empty_optional_from_one_that_holds_a_zero) {
    EXPECT_NE(hash_value(std::optional<int>{}), hash_value(std::optional<int>{0}));
    EXPECT_NE(hash_value(std::optional<int>{1}), hash_value(std::optional<int>{2}));
    using both = std::vector<std::optional<int>>;
    EXPECT_NE(hash_value(both{1, std::nullopt}), hash_value(both{std::nullopt, 1}));
}

TEST(hash_value, takes_vectors_of_bool) {
    EXPECT_NE(hash_value(std::vector<bool>{true, false}), hash_value(std::vector<bool>{false, true}));
    EXPECT_EQ(hash_value(std::vector<bool>{true, false}), hash_value(std::vector<bool>{true, false}));
}

TEST(hash_value, takes_tuples_in_order) {
    EXPECT_EQ(hash_value(std::tuple{1, 2.0F}), hash_value(inner{1, 2.0F}));
    EXPECT_NE(hash_value(std::tuple{1, 2}), hash_value(std::tuple{2, 1}));
}

TEST(hash_value, takes_arrays_of_arrays) {
    const int a[2][2] = {{1, 2}, {3, 4}};
    const int b[2][2] = {{1, 2}, {3, 5}};
    EXPECT_NE(hash_value(a), hash_value(b));
    EXPECT_EQ(hash_value(a), hash_value(std::array<int, 4>{1, 2, 3, 4}));
}

struct with_cache {
    int value;
    int cache;
    void hash(lido::hasher& h) const { h.add(value); }
};
struct holds_custom {
    with_cache a;
    int b;
};

TEST(hash_value, lets_a_member_function_win_over_the_fields) {
    EXPECT_EQ(hash_value(with_cache{1, 2}), hash_value(with_cache{1, 3}));
    EXPECT_NE(hash_value(with_cache{1, 2}), hash_value(with_cache{2, 2}));
    EXPECT_EQ(hash_value(holds_custom{{1, 2}, 3}), hash_value(holds_custom{{1, 9}, 3}));
}

class account {
public:
    account(int id, std::string owner) : id_{id}, owner_{std::move(owner)} {}
    void hash(lido::hasher& h) const { h.add(id_).add(owner_); }

private:
    int id_;
    std::string owner_;
};

TEST(hash_value, reaches_private_members_through_a_member_function) {
    EXPECT_EQ(hash_value(account{1, "a"}), hash_value(account{1, "a"}));
    EXPECT_NE(hash_value(account{1, "a"}), hash_value(account{1, "b"}));
}

struct tree {
    int value;
    std::vector<tree> children;
};

TEST(hash_value, follows_types_that_contain_themselves) {
    EXPECT_TRUE(hashable_state<tree>);
    const tree a{1, {{2, {}}, {3, {}}}};
    const tree b{1, {{2, {{3, {}}}}}};
    EXPECT_NE(hash_value(a), hash_value(b));
    EXPECT_EQ(hash_value(a), hash_value(tree{1, {{2, {}}, {3, {}}}}));
}

TEST(hash_value, works_in_constant_expressions) {
    static_assert(hash_value(inner{1, 2.0F}) != hash_value(inner{1, 3.0F}));
    constexpr std::string_view text = "a text longer than thirty-two bytes, for the lanes";
    constexpr std::uint64_t compiled = hash_value(text);
    EXPECT_EQ(compiled, hash_value(std::string{text}));
}

struct with_pointer {
    int a;
    int* b;
};
struct recursive_pointer {
    std::vector<recursive_pointer> next;
    const char* name;
};
struct wrong_hash_member {
    explicit wrong_hash_member(int) {}
    int hash(lido::hasher&) const { return 0; }
};

TEST(hashable_state, refuses_pointers_however_deep) {
    EXPECT_FALSE(hashable_state<int*>);
    EXPECT_FALSE(hashable_state<const char*>);
    EXPECT_FALSE(hashable_state<std::nullptr_t>);
    EXPECT_FALSE(hashable_state<int inner::*>);
    EXPECT_FALSE(hashable_state<with_pointer>);
    EXPECT_FALSE(hashable_state<with_pointer[2]>);
    EXPECT_FALSE(hashable_state<std::vector<std::optional<with_pointer>>>);
    EXPECT_FALSE((hashable_state<std::tuple<int, int*>>));
    EXPECT_FALSE(hashable_state<recursive_pointer>);
}

TEST(hashable_state, refuses_what_has_no_stable_value) {
    EXPECT_FALSE(hashable_state<long double>);
    EXPECT_FALSE(hashable_state<std::unique_ptr<int>>);
    EXPECT_FALSE((hashable_state<std::map<int, int>>));
    EXPECT_FALSE(hashable_state<wrong_hash_member>);
    EXPECT_FALSE(hashable_state<void>);
}

TEST(hashable_state, holds_for_what_hash_value_takes) {
    EXPECT_TRUE(hashable_state<int>);
    EXPECT_TRUE(hashable_state<const int&>);
    EXPECT_TRUE(hashable_state<outer>);
    EXPECT_TRUE(hashable_state<holds_custom>);
    EXPECT_TRUE(hashable_state<account>);
    EXPECT_TRUE((hashable_state<std::tuple<int, std::string, std::optional<inner>>>));
    EXPECT_TRUE(hashable_state<std::vector<bool>>);
}

}  // namespace meta_hash_value_test
