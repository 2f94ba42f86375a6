// X26: text inside of an object: bounded, valid, and compared as it reads.
#include <lido/entity/schema/text.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace schema_text_test {

using lido::text;
using lido::entity_detail::character_length;
using lido::entity_detail::is_valid_text;

TEST(text_field, X26_is_made_of_a_literal_at_compile_time) {
    constexpr text<8> gate = "gate-1";
    static_assert(gate == "gate-1" && gate.size() == 6 && "gate-2" != gate && gate < text<4>("h"));
    static_assert(text<8>().empty() && text<8>("\xc3\xab").size() == 2);
    EXPECT_STREQ(gate.c_str(), "gate-1");
    static_assert(text<3>("abc").c_str()[3] == '\0', "ends where it is full, too");
}

TEST(text_field, X26_refuses_what_is_too_long_or_no_text_and_stays_as_it_was) {
    text<5> t = "abc";
    EXPECT_FALSE(t.assign("abcdef"));
    EXPECT_FALSE(t.assign(std::string_view("a\0b", 3)));
    EXPECT_FALSE(t.assign("\xff"));
    EXPECT_FALSE(t.append("def"));
    EXPECT_FALSE(t.append("\xc3"));
    EXPECT_EQ(t, "abc");
    EXPECT_TRUE(t.append("de"));
    EXPECT_EQ(t, "abcde");
    EXPECT_TRUE(t.assign(""));
    EXPECT_TRUE(t.empty());
}

TEST(text_field, X26_is_cut_between_characters) {
    text<5> t;
    EXPECT_FALSE(t.assign_cut("ab\xe2\x82\xac\xe2\x82\xac"));
    EXPECT_EQ(t, "ab\xe2\x82\xac");
    EXPECT_FALSE(t.assign_cut("a\xff z"));
    EXPECT_EQ(t, "a");
    EXPECT_TRUE(t.assign_cut("z"));
    EXPECT_EQ(t, "z");
}

TEST(text_field, X26_leaves_nothing_behind_of_what_it_held) {
    text<16> t = "0123456789abcdef";
    t = "x";
    text<16> fresh = "x";
    EXPECT_EQ(std::memcmp(&t, &fresh, sizeof(t)), 0);
    t.assign(t.view().substr(1));
    fresh.clear();
    EXPECT_EQ(std::memcmp(&t, &fresh, sizeof(t)), 0);
}

TEST(text_field, X26_may_be_assigned_a_part_of_itself) {
    text<16> t = "hello world";
    EXPECT_TRUE(t.assign(t.view().substr(6)));
    EXPECT_EQ(t, "world");
    EXPECT_TRUE(t.append(t.view()));
    EXPECT_EQ(t, "worldworld");
}

TEST(text_field, X26_is_compared_and_hashed_by_its_characters_whatever_its_room) {
    EXPECT_EQ(text<4>("ab"), text<300>("ab"));
    EXPECT_LT(text<4>("Z"), text<300>("\xc3\xab"));
    EXPECT_EQ(std::hash<text<4>>{}("ab"), std::hash<std::string_view>{}("ab"));
    EXPECT_EQ(lido::hash_value(text<4>("ab")), lido::hash_value(text<300>("ab")));
    std::unordered_set<text<8>> names{"a", "b", "a"};
    EXPECT_EQ(names.size(), 2u);
}

TEST(text_field, X26_knows_when_memory_was_written_over) {
    text<4> t = "ab";
    EXPECT_TRUE(t.well_formed());
    const auto with = [](std::size_t byte, char value) {
        text<4> broken = "ab";
        std::memcpy(reinterpret_cast<char*>(&broken) + byte, &value, 1);
        return broken;
    };
    EXPECT_FALSE(with(sizeof(t) - 1, 9).well_formed()) << "a size that it cannot have";
    EXPECT_LE(with(sizeof(t) - 1, 9).size(), 4u) << "and nobody reads past it";
    EXPECT_FALSE(with(3, 'x').well_formed()) << "behind the end";
    EXPECT_FALSE(with(0, '\0').well_formed());
    EXPECT_FALSE(with(1, '\xc3').well_formed());
}

/// The standard's table of well-formed sequences, written down once more.
bool by_the_table(unsigned a, unsigned b, unsigned c, unsigned d, std::size_t n) {
    const auto in = [](unsigned x, unsigned from, unsigned to) { return x >= from && x <= to; };
    const auto tail = [&in](unsigned x) { return in(x, 0x80, 0xbf); };
    switch (n) {
        case 1: return in(a, 0x01, 0x7f);
        case 2: return in(a, 0xc2, 0xdf) && tail(b);
        case 3:
            return ((a == 0xe0 && in(b, 0xa0, 0xbf)) || (in(a, 0xe1, 0xec) && tail(b)) ||
                    (a == 0xed && in(b, 0x80, 0x9f)) || (in(a, 0xee, 0xef) && tail(b))) &&
                   tail(c);
        default:
            return ((a == 0xf0 && in(b, 0x90, 0xbf)) || (in(a, 0xf1, 0xf3) && tail(b)) ||
                    (a == 0xf4 && in(b, 0x80, 0x8f))) &&
                   tail(c) && tail(d);
    }
}

TEST(text_field, X26_takes_exactly_the_characters_that_utf8_has) {
    const unsigned edges[] = {0x00, 0x01, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff};
    for (unsigned a = 0; a < 256; ++a) {
        for (const unsigned b : edges) {
            for (const unsigned c : edges) {
                for (const unsigned d : {0x41u, 0x80u, 0xbfu}) {
                    const char bytes[4] = {static_cast<char>(a), static_cast<char>(b), static_cast<char>(c),
                                           static_cast<char>(d)};
                    std::size_t expected = 0;
                    for (std::size_t n = 4; n >= 1; --n) {
                        if (by_the_table(a, b, c, d, n)) expected = n;
                    }
                    ASSERT_EQ(character_length({bytes, 4}), expected) << a << ' ' << b << ' ' << c << ' ' << d;
                    for (std::size_t cut = 0; cut < expected; ++cut) ASSERT_EQ(character_length({bytes, cut}), 0u);
                }
            }
        }
    }
}

TEST(text_field, X26_is_valid_only_as_a_whole) {
    EXPECT_TRUE(is_valid_text(""));
    EXPECT_TRUE(is_valid_text("a\xc3\xab\xe2\x82\xac\xf0\x9f\x9a\xaa"));
    EXPECT_FALSE(is_valid_text("ok\xf0\x9f\x9a"));
}

}  // namespace schema_text_test
