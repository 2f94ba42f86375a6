// The last entries, for tools.
#include <gtest/gtest.h>

#include <string>

#include "entity/journal/journal_support.hpp"

namespace journal_look_back {

using namespace lido::test;

std::string last(const lido::journal& j, std::uint64_t most) {
    std::string all;
    j.look_back(most, [&](const lido::journal_entry& e) {
        all += std::to_string(e.number.value) + ":" + text_of_bytes(e.after) + " ";
    });
    return all;
}

TEST(journal_look_back, gives_the_latest_first_and_no_more_than_asked_for) {
    lido::journal j({.bytes = 4096});
    EXPECT_EQ(last(j, 5), "");
    for (const char* text : {"a", "b", "c"}) ASSERT_TRUE(update(j, text));
    EXPECT_EQ(last(j, 0), "");
    EXPECT_EQ(last(j, 2), "2:c 1:b ");
    EXPECT_EQ(last(j, 100), "2:c 1:b 0:a ");
}

TEST(journal_look_back, ends_with_the_oldest_that_is_kept) {
    lido::journal j({.bytes = 4096});
    std::uint64_t tick = 0;
    for (int i = 0; i < 500; ++i) {
        ASSERT_TRUE(update(j, std::to_string(i)));
        ASSERT_TRUE(j.begin_tick({++tick}));
    }
    const lido::journal_stats s = j.stats();
    ASSERT_LT(s.kept, 500u);
    std::uint64_t seen = 0;
    j.look_back(1000, [&](const lido::journal_entry& e) {
        EXPECT_EQ(e.number.value, s.entries - 1 - seen);
        EXPECT_EQ(text_of_bytes(e.after), std::to_string(e.number.value));
        ++seen;
    });
    EXPECT_EQ(seen, s.kept);
}

TEST(journal_look_back, does_not_show_what_was_cut_or_dropped_by_a_reset) {
    lido::journal j({.bytes = 4096, .rollback = 4});
    ASSERT_TRUE(update(j, "a"));
    const lido::journal_position here = j.position();
    ASSERT_TRUE(update(j, "b"));
    ASSERT_TRUE(j.cut(here));
    EXPECT_EQ(last(j, 9), "0:a ");
    ASSERT_TRUE(update(j, "c"));
    EXPECT_EQ(last(j, 9), "1:c 0:a ");
    ASSERT_TRUE(j.reset(lido::reset_cause::loaded, j.state()));
    EXPECT_EQ(last(j, 9), "");
}

}  // namespace journal_look_back
