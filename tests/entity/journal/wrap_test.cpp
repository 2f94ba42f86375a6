// Promise: entries lie in one piece and come out as they went in, wherever the ring comes round.
#include "entity/journal/journal_model.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace journal_wrap_test {

using namespace lido;
using namespace lido::test;

TEST(journal_wrap, entries_of_every_size_wrap_at_every_offset) {
    // Commits of one size march round the ring in steps that reach every 8-byte place of it as their beginning, and so as its end.
    entry_maker make(7);
    for (std::uint32_t size = 0; size < 140; size += 7) {
        journal j({.bytes = 1024});
        journal_cursor c = j.open({.what = reads::everything});
        for (std::uint64_t t = 1; t < 140; ++t) {
            plain_entry e;
            e.what.kind = change_kind::created;
            e.id = "x";
            e.after = make.text(t % 13 == 0 ? size + 8 : size);
            ASSERT_TRUE(write(j, {e}));
            ASSERT_TRUE(c.read([&](const journal_entry& seen) {
                EXPECT_EQ(text_of(seen.after), e.after);
                EXPECT_EQ(seen.id, "x");
            }));
            ASSERT_TRUE(j.begin_tick({t}));
        }
        ASSERT_TRUE(j.validate()) << j.validate().broken;
    }
}

TEST(journal_wrap, commits_are_in_one_piece_at_the_end_of_the_memory) {
    entry_maker make(3);
    journal j({.bytes = 1024});
    journal_cursor c = j.open({.what = reads::everything});
    for (std::uint64_t t = 1; t < 300; ++t) {
        std::vector<plain_entry> entries;
        for (std::uint32_t n = 1 + make.below(4); n != 0; --n) entries.push_back(make.any(20));
        if (bytes_of(entries) > 512) continue;
        ASSERT_TRUE(write(j, entries));
        const std::byte* behind = nullptr;
        ASSERT_TRUE(c.read([&](const journal_entry& e) {
            const auto* const at = reinterpret_cast<const std::byte*>(e.id.data());
            if (!e.first) {
                EXPECT_GT(at, behind);
            }
            behind = at;
        }));
        ASSERT_TRUE(j.begin_tick({t}));
        ASSERT_TRUE(j.validate()) << j.validate().broken;
    }
}

TEST(journal_wrap, the_largest_commit_fits_a_confirmed_journal_wherever_it_ends) {
    for (std::uint32_t before = 0; before < 20; ++before) {
        journal j({.bytes = 1024});
        entry_maker make(before);
        for (std::uint32_t i = 0; i < before; ++i) {
            ASSERT_TRUE(write(j, {make.any(30)}));
            ASSERT_TRUE(j.begin_tick({i + 1}));
        }
        EXPECT_TRUE(j.reserve(512));
    }
}

TEST(journal_wrap, a_cut_to_before_a_pad_uses_its_room_again) {
    journal j({.bytes = 1024, .rollback = 9});
    plain_entry small;
    small.what.kind = change_kind::created;
    small.id = "x";
    small.after = std::string(55, 's');  // 120 bytes
    for (int i = 0; i < 7; ++i) ASSERT_TRUE(write(j, {small}));
    ASSERT_TRUE(j.begin_tick({1}));
    ASSERT_TRUE(j.confirm({0}));
    const journal_position end = j.position();
    plain_entry large = small;
    large.after = std::string(200, 'l');
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(write(j, {large})) << "behind a pad";
        ASSERT_TRUE(j.validate()) << j.validate().broken;
        ASSERT_TRUE(j.cut(end));
        ASSERT_TRUE(j.validate()) << j.validate().broken;
    }
    ASSERT_TRUE(write(j, {small}));
    ASSERT_TRUE(j.validate()) << j.validate().broken;
    EXPECT_EQ(j.state().next.value, 8u);
}

}  // namespace journal_wrap_test
