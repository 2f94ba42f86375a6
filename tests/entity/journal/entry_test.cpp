// Promise: an entry says who changed, when, in which commit, and carries what was and what is.
#include "entity/journal/journal_support.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <type_traits>
#include <vector>

namespace journal_entry_test {

using namespace lido;
using namespace lido::test;

TEST(journal_entry, says_what_happened_to_whom_and_when) {
    journal j;
    journal_cursor c = j.open({.what = reads::everything});
    ASSERT_TRUE(j.begin_tick({9}));
    stamp s = stamp_of(change_kind::created, 5);
    s.detail = 250;
    s.version = {7};
    s.tick = {1000};  // the journal's to say
    s.commit = {1000};
    ASSERT_TRUE(j.append(s, {}, bytes_of_text("whole"), "gate-1"));
    const auto e = c.peek();
    ASSERT_TRUE(e);
    EXPECT_EQ(e->kind(), change_kind::created);
    EXPECT_EQ(e->what.detail, 250);
    EXPECT_EQ(e->what.local_class, 2u);
    EXPECT_EQ(e->what.of_class, 77u);
    EXPECT_EQ(e->what.entity.value, 5u);
    EXPECT_EQ(e->what.generation.value, 105u);
    EXPECT_EQ(e->what.version.value, 7u);
    EXPECT_EQ(e->what.tick, ticks{9});
    EXPECT_EQ(e->what.commit.value, 1u);
    EXPECT_EQ(e->number.value, 0u);
    EXPECT_TRUE(e->first && e->last);
    EXPECT_EQ(e->id, "gate-1");
    EXPECT_EQ(text_of_bytes(e->after), "whole");
    EXPECT_TRUE(e->before.empty());
    EXPECT_EQ(e->changed.fields(), 0);
}

TEST(journal_entry, of_an_update_has_the_changed_fields_with_their_old_and_new_bytes) {
    journal j;
    journal_cursor c = j.open({.what = reads::everything});
    const std::array<std::byte, 9> set{std::byte{1}, {}, {}, {}, {}, {}, {}, {}, std::byte{64}};
    ASSERT_TRUE(
        j.append(stamp_of(change_kind::updated), bytes_of_text("old"), bytes_of_text("newer"), {}, {set.data(), 71}));
    const auto e = c.peek();
    ASSERT_TRUE(e);
    EXPECT_EQ(text_of_bytes(e->before), "old");
    EXPECT_EQ(text_of_bytes(e->after), "newer");
    EXPECT_EQ(e->changed.fields(), 71);
    EXPECT_EQ(e->changed.size(), 2u);
    EXPECT_TRUE(e->changed.has(0) && e->changed.has(70));
    EXPECT_FALSE(e->changed.has(1) || e->changed.has(71) || e->changed.has(5000));
    std::vector<std::size_t> fields;
    e->changed.for_each([&](std::size_t f) { fields.push_back(f); });
    EXPECT_EQ(fields, (std::vector<std::size_t>{0, 70}));
}

TEST(journal_entry, of_an_end_has_the_whole_entity_as_it_was) {
    journal j;
    journal_cursor c = j.open({.what = reads::everything});
    for (const change_kind kind : {change_kind::pooled, change_kind::destroyed, change_kind::erased}) {
        EXPECT_TRUE(is_end(kind));
        ASSERT_TRUE(j.append(stamp_of(kind), bytes_of_text("last fields"), {}, "x"));
        EXPECT_EQ(text_of_bytes(c.peek()->before), "last fields");
        EXPECT_TRUE(c.skip());
    }
    EXPECT_FALSE(is_end(change_kind::updated));
}

TEST(journal_entry, takes_its_header_and_what_it_carries_in_whole_words) {
    EXPECT_EQ(journal::bytes_of({}), 64u);
    EXPECT_EQ(journal::bytes_of({6, 0, 12, 12}), 96u);
    EXPECT_EQ(journal::bytes_of({64, 0, 0, 1}), 80u);
    EXPECT_EQ(journal::bytes_of({65, 0, 0, 1}), 88u);
    EXPECT_EQ(journal::bytes_of({0, 63, 0, 1}), 128u);
}

TEST(journal_entry, numbers_of_different_kinds_do_not_change_places) {
    static_assert(!std::is_convertible_v<generation_number, version_number>);  // D43
    static_assert(!std::is_convertible_v<std::uint64_t, commit_number>);
    static_assert(!std::is_convertible_v<entry_number, commit_number>);
    static_assert(!std::is_convertible_v<entity_number, generation_number>);
    EXPECT_LT((generation_number{1}), (generation_number{2}));
}

TEST(journal_entry, of_a_wrong_shape_is_told_in_words) {
    EXPECT_EQ(wrong_shape(change_kind::updated, {4, 0, 1, 1}), nullptr);
    EXPECT_EQ(wrong_shape(change_kind::created, {0, 1, 0, 0}), nullptr);
    EXPECT_EQ(wrong_shape(change_kind::locked, {0, 0, 0, 3}), nullptr);
    EXPECT_EQ(wrong_shape(change_kind::cut, {}), nullptr);
    EXPECT_STREQ(wrong_shape(change_kind::updated, {0, 0, 1, 1}), "an update without a set of changed fields");
    EXPECT_STREQ(wrong_shape(change_kind::updated, {4, 1, 1, 1}), "an update with an id");
    EXPECT_STREQ(wrong_shape(change_kind::created, {4, 1, 0, 1}), "a set of changed fields in what is no update");
    EXPECT_STREQ(wrong_shape(change_kind::created, {0, 0, 0, 1}), "no id where one belongs");
    EXPECT_STREQ(wrong_shape(change_kind::created, {0, 1, 1, 1}), "bytes of what was in a beginning");
    EXPECT_STREQ(wrong_shape(change_kind::pooled, {0, 1, 1, 1}), "bytes of what is in an end");
    EXPECT_STREQ(wrong_shape(change_kind::locked, {0, 1, 0, 1}), "an id where none belongs");
    EXPECT_STREQ(wrong_shape(change_kind::locked, {0, 0, 1, 1}), "bytes of what was in a lock");
    EXPECT_STREQ(wrong_shape(change_kind::reset, {0, 0, 0, 1}), "bytes in a notice of the journal");
    EXPECT_STREQ(wrong_shape(change_kind::created, {0, 64, 0, 1}), "an id has 63 bytes at most");
    EXPECT_STREQ(wrong_shape(change_kind::created, {0, 1, 0, 1u << 24}),
                 "an entry carries 16 MiB at most of what was and of what is");
}

TEST(journal_entry, every_kind_and_cause_has_words) {
    for (std::uint8_t k = 1; k < change_kinds; ++k) EXPECT_STRNE(to_string(static_cast<change_kind>(k)), "unknown");
    EXPECT_STREQ(to_string(static_cast<change_kind>(change_kinds)), "unknown");
    EXPECT_STREQ(to_string(reset_cause::loaded), "a game was loaded");
    for (int r = 0; r <= static_cast<int>(journal_refusal::closed); ++r)
        EXPECT_STRNE(to_string(static_cast<journal_refusal>(r)), "refused");
}

}  // namespace journal_entry_test
