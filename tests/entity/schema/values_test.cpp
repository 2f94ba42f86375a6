// X26: raw bytes, bounded vectors and links as fields.
#include <lido/entity/schema/bounded_vector.hpp>
#include <lido/entity/schema/bytes.hpp>
#include <lido/entity/schema/link.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>

namespace schema_values_test {

using lido::bounded_vector;
using lido::bytes;

TEST(bytes_field, X26_hold_what_is_no_text_and_refuse_what_is_too_long) {
    bytes<4> b;
    const std::array<std::byte, 5> five{std::byte{0}, std::byte{255}, std::byte{0}, std::byte{1}, std::byte{2}};
    EXPECT_FALSE(b.assign(five));
    EXPECT_TRUE(b.empty());
    EXPECT_TRUE(b.assign(std::span(five).first(4)));
    EXPECT_EQ(b.size(), 4u);
    EXPECT_EQ(b.view()[1], std::byte{255});
    bytes<4> other;
    EXPECT_NE(b, other);
    EXPECT_NE(lido::hash_value(b), lido::hash_value(other));
    b.clear();
    EXPECT_EQ(b, other);
    EXPECT_EQ(std::memcmp(&b, &other, sizeof(b)), 0) << "nothing of what they held is left";
}

TEST(bytes_field, X26_know_when_memory_was_written_over) {
    bytes<4> b;
    std::memset(reinterpret_cast<char*>(&b) + sizeof(b) - 1, 9, 1);
    EXPECT_FALSE(b.well_formed());
    EXPECT_EQ(b.view().size(), 4u);
}

TEST(bounded_vector_field, X26_is_a_vector_that_says_when_it_is_full) {
    bounded_vector<int, 3> v;
    EXPECT_TRUE(v.push_back(1) && v.push_back(2) && v.push_back(3));
    EXPECT_FALSE(v.push_back(4));
    EXPECT_TRUE(v.full());
    v.erase(0);
    EXPECT_EQ(v[0], 2);
    EXPECT_EQ(v[1], 3);
    v.pop_back();
    EXPECT_EQ(v.size(), 1u);
    int sum = 0;
    for (const int i : v) sum += i;
    EXPECT_EQ(sum, 2);
    const std::array<int, 4> four{};
    EXPECT_FALSE(v.assign(four));
    EXPECT_FALSE(v.resize(4));
    EXPECT_EQ(v.size(), 1u) << "what is refused changes nothing";
}

TEST(bounded_vector_field, X26_forgets_what_is_removed) {
    struct cell {
        int secret = 7;
    };
    bounded_vector<cell, 4> v;
    for (int i = 0; i < 4; ++i) v.push_back({i + 100});
    v.erase(1);
    v.pop_back();
    v.resize(1);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(v.data()[i].secret, 7);
    v.clear();
    EXPECT_EQ(v.data()[0].secret, 7);
}

TEST(bounded_vector_field, X26_works_at_compile_time_and_is_compared_by_what_it_has) {
    constexpr auto made = [] {
        bounded_vector<int, 4> v;
        v.push_back(1);
        v.push_back(2);
        v.erase(0);
        return v;
    }();
    static_assert(made.size() == 1 && made[0] == 2);
    bounded_vector<int, 4> same;
    same.push_back(2);
    EXPECT_EQ(made, same);
    EXPECT_EQ(lido::hash_value(made), lido::hash_value(same));
    same.push_back(0);
    EXPECT_NE(made, same);
    EXPECT_NE(lido::hash_value(made), lido::hash_value(same));
}

TEST(bounded_vector_field, X26_may_take_its_own_elements) {
    bounded_vector<int, 4> v;
    v.push_back(5);
    v.push_back(v[0]);
    EXPECT_TRUE(v.assign(std::span<const int>(v.data() + 1, 1)));
    EXPECT_EQ(v.size(), 1u);
    EXPECT_EQ(v[0], 5);
}

TEST(bounded_vector_death, X26_stops_where_there_is_nothing_to_remove) {
    bounded_vector<int, 2> v;
    EXPECT_DEATH(v.pop_back(), "pop_back of an empty one");
    EXPECT_DEATH(v.erase(0), "an element that it does not have");
}

struct room;

TEST(link_field, X26_is_null_until_it_is_set_and_keeps_its_bits) {
    lido::link<room> none;
    EXPECT_FALSE(none);
    const auto to = lido::link<room>::from_bits(42);
    EXPECT_TRUE(to);
    EXPECT_EQ(to.to_bits(), 42u);
    EXPECT_NE(to, none);
    EXPECT_EQ(std::hash<lido::link<room>>{}(to), std::hash<lido::link<room>>{}(lido::link<room>::from_bits(42)));
    static_assert(!std::is_convertible_v<lido::link<room>, lido::link<int>>, "a link to another class is another type");
}

}  // namespace schema_values_test
