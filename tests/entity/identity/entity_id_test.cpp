// S5.8
#include <lido/entity/identity/entity_id.hpp>
#include <lido/entity/identity/generated_id.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_set>

namespace identity_entity_id {

using lido::entity_id;
using lido::id_fault;

TEST(entity_id, keeps_its_characters) {
    const entity_id id("gate-1");
    EXPECT_EQ(id.view(), "gate-1");
    EXPECT_EQ(id, std::string_view("gate-1"));
    EXPECT_FALSE(id.empty());
    EXPECT_TRUE(id.well_formed());
}

TEST(entity_id, takes_63_bytes_and_no_more) {
    EXPECT_EQ(entity_id::check(std::string(63, 'x')), id_fault::none);
    EXPECT_EQ(entity_id::check(std::string(64, 'x')), id_fault::too_long);
    EXPECT_EQ(entity_id(std::string(63, 'x')).size(), 63u);
}

TEST(entity_id, is_not_empty) { EXPECT_EQ(entity_id::check(""), id_fault::empty); }

TEST(entity_id, takes_every_script) {
    EXPECT_EQ(entity_id::check("дверь"), id_fault::none);
    EXPECT_EQ(entity_id::check("門一"), id_fault::none);
    EXPECT_EQ(entity_id::check("🚪"), id_fault::none);
    EXPECT_EQ(entity_id::check("\xc2\xa0"), id_fault::none);  // the first character after the controls
}

TEST(entity_id, refuses_control_characters) {
    for (int c = 0; c < 0x20; ++c) {
        EXPECT_EQ(entity_id::check(std::string("a") + static_cast<char>(c)), id_fault::control_character) << c;
    }
    EXPECT_EQ(entity_id::check("a\x7f"), id_fault::control_character);
    EXPECT_EQ(entity_id::check("\xc2\x80"), id_fault::control_character);
    EXPECT_EQ(entity_id::check("\xc2\x9f"), id_fault::control_character);
}

TEST(entity_id, refuses_what_is_no_utf_8) {
    for (const char* const text :
         {"\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff", "a\xc3"}) {
        EXPECT_EQ(entity_id::check(text), id_fault::not_text) << text;
    }
}

TEST(entity_id, stays_as_it_is_when_an_assignment_is_refused) {
    entity_id id("gate-1");
    EXPECT_EQ(id.assign("a\nb"), id_fault::control_character);
    EXPECT_EQ(id.view(), "gate-1");
}

TEST(entity_id, leaves_nothing_of_a_longer_one) {
    entity_id id(std::string(40, 'x'));
    EXPECT_EQ(id.assign("y"), id_fault::none);
    EXPECT_EQ(id, entity_id("y"));
    EXPECT_TRUE(id.well_formed());
}

TEST(entity_id, says_in_words_what_is_wrong) {
    for (const auto fault : {id_fault::empty, id_fault::too_long, id_fault::not_text, id_fault::control_character}) {
        EXPECT_EQ(std::string_view(lido::to_string(fault)).substr(0, 5), "an id");
    }
}

TEST(entity_id, orders_by_bytes) {
    EXPECT_LT(entity_id("a"), entity_id("b"));
    EXPECT_LT(entity_id("a"), entity_id("aa"));
}

TEST(entity_id, generated_ones_have_run_and_counter) {
    const entity_id id = lido::entity_detail::make_generated_id(7, 42);
    EXPECT_EQ(id.view(), "~7.42");
    EXPECT_TRUE(id.generated());
    EXPECT_FALSE(entity_id("gate").generated());
    constexpr auto most = (std::numeric_limits<std::uint64_t>::max)();
    EXPECT_EQ(entity_id::check(lido::entity_detail::make_generated_id(most, most).view()), id_fault::none);
}

TEST(entity_id, generated_ones_one_after_another_are_as_if_each_were_made_by_itself) {
    lido::entity_detail::generated_ids ids(3);
    entity_id id;
    const auto is_right = [&](std::uint64_t counter) {
        ids.make(counter, id);
        EXPECT_EQ(id, lido::entity_detail::make_generated_id(3, counter)) << counter;
    };
    for (std::uint64_t i = 1; i < 1200; ++i) is_right(i);
    is_right(57);  // a rewind
    is_right(58);
    is_right((std::numeric_limits<std::uint64_t>::max)());
    is_right(0);
    is_right(1);
}

TEST(entity_id, bytes_of_every_length_are_copied_and_none_behind_them) {
    char from[64];
    for (std::size_t i = 0; i < sizeof(from); ++i) from[i] = static_cast<char>('A' + i % 26);
    for (std::size_t size = 0; size <= entity_id::max_size; ++size) {
        char to[65];
        std::fill(std::begin(to), std::end(to), '#');
        lido::entity_detail::copy_id_bytes(to, from, size);
        EXPECT_EQ(std::string_view(to, size), std::string_view(from, size));
        EXPECT_EQ(to[size], '#') << size;
    }
}

TEST(entity_id, hashes_of_similar_ids_differ) {
    std::unordered_set<std::uint64_t> seen;
    std::unordered_set<std::uint64_t> upper;
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t h = lido::entity_detail::quick_hash("door-" + std::to_string(i));
        seen.insert(h);
        upper.insert(h >> 32);
    }
    EXPECT_EQ(seen.size(), 20000u);
    EXPECT_GE(upper.size(), 19990u);
    for (std::size_t n = 1; n <= 63; ++n) seen.insert(lido::entity_detail::quick_hash(std::string(n, '\x20')));
    EXPECT_EQ(seen.size(), 20063u);
}

}  // namespace identity_entity_id
