// Promise (X18, D28, D29): a reader is given each entry once, in order, whatever happens in its function.
#include "entity/journal/journal_support.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace journal_reader_test {

using namespace lido;
using namespace lido::test;

TEST(journal_reader, begins_now_or_with_the_oldest_entry) {
    journal j;
    ASSERT_TRUE(update(j, "a"));
    journal_cursor now = j.open({.what = reads::everything});
    journal_cursor oldest = j.open({.what = reads::everything, .from = read_from::oldest});
    ASSERT_TRUE(update(j, "b"));
    EXPECT_EQ(read_all(now), "b");
    EXPECT_EQ(read_all(oldest), "a b");
    EXPECT_EQ(read_all(oldest), "");
}

TEST(journal_reader, reads_at_its_own_pace) {
    journal j;
    journal_cursor fast = j.open({.what = reads::everything});
    journal_cursor slow = j.open({.what = reads::everything});
    for (const char* s : {"a", "b", "c"}) {
        ASSERT_TRUE(update(j, s));
        EXPECT_EQ(read_all(fast), s);
    }
    EXPECT_EQ(slow.lag().entries, 3u);
    EXPECT_EQ(slow.lag().bytes, 3 * journal::bytes_of({4, 0, 0, 1}));
    EXPECT_EQ(slow.read([](const journal_entry&) {}, 2).entries, 2u);
    EXPECT_EQ(slow.next().value, 2u);
    EXPECT_EQ(read_all(slow), "c");
    EXPECT_EQ(slow.lag().entries, 0u);
}

TEST(journal_reader, stops_where_its_function_says_no_and_sees_that_entry_again) {
    journal j;
    journal_cursor c = j.open({.what = reads::everything});
    for (const char* s : {"a", "b", "c"}) ASSERT_TRUE(update(j, s));
    const read_result done = c.read([](const journal_entry& e) { return word_of(e) != "b"; });
    EXPECT_TRUE(done);
    EXPECT_EQ(done.entries, 1u);
    EXPECT_EQ(read_all(c), "b c");
}

TEST(journal_reader, looks_at_the_next_entry_and_passes_over_it) {
    journal j;
    journal_cursor c = j.open({.what = reads::everything});
    EXPECT_FALSE(c.peek());
    EXPECT_FALSE(c.skip());
    ASSERT_TRUE(update(j, "a"));
    ASSERT_TRUE(update(j, "b"));
    EXPECT_EQ(word_of(*c.peek()), "a");
    EXPECT_EQ(word_of(*c.peek()), "a");
    EXPECT_TRUE(c.skip());
    EXPECT_EQ(word_of(*c.peek()), "b");
    EXPECT_EQ(c.stats().read, 1u);
}

TEST(journal_reader, X18_D28_that_commits_sees_it_later_in_order) {
    journal j;
    journal_cursor c = j.open({.what = reads::everything});
    journal_cursor other = j.open({.what = reads::everything});
    ASSERT_TRUE(update(j, "a"));
    ASSERT_TRUE(update(j, "b"));
    std::string seen;
    const read_result done = c.read([&](const journal_entry& e) {
        seen += word_of(e);
        if (word_of(e) == "a") {
            EXPECT_TRUE(update(j, "A")) << "it happens at once";
            EXPECT_EQ(j.state().next.value, 3u);
            EXPECT_EQ(read_all(other), "a b A");
        }
    });
    EXPECT_EQ(done.entries, 2u);
    EXPECT_EQ(seen, "ab") << "what is appended meanwhile is for the next read";
    EXPECT_EQ(read_all(c), "A");
}

TEST(journal_reader, whose_function_reads_it_again_is_refused_in_words) {
    journal j;
    journal_cursor c = j.open({.what = reads::everything});
    ASSERT_TRUE(update(j, "a"));
    int calls = 0;
    EXPECT_TRUE(c.read([&](const journal_entry&) {
        ++calls;
        const read_result inner = c.read([&](const journal_entry&) { ++calls; });
        EXPECT_EQ(inner.state, reader_state::busy);
        EXPECT_STREQ(inner.why(),
                     "busy: a cursor cannot be read from inside of a read with it; read when that has returned");
        EXPECT_FALSE(c.skip());
        EXPECT_EQ(c.resume().refusal, journal_refusal::reading);
        EXPECT_EQ(word_of(*c.peek()), "a");
    }));
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(read_all(c), "");
}

TEST(journal_reader, that_throws_sees_the_same_entry_again_and_stays_sound) {
    journal j;
    journal_cursor c = j.open({.what = reads::everything});
    for (const char* s : {"a", "b", "c"}) ASSERT_TRUE(update(j, s));
    std::string seen;
    EXPECT_THROW(static_cast<void>(c.read([&](const journal_entry& e) {
                     if (word_of(e) == "b") throw std::runtime_error("b");
                     seen += word_of(e);
                 })),
                 std::runtime_error);
    EXPECT_EQ(seen, "a");
    EXPECT_EQ(c.next().value, 1u);
    EXPECT_TRUE(j.validate());
    EXPECT_TRUE(j.cut(j.position())) << "nobody is reading any more";
    EXPECT_EQ(read_all(c), "b c");
}

TEST(journal_reader, that_throws_in_a_notice_is_told_again) {
    journal j({.rollback = 4});
    journal_cursor c = j.open({.what = reads::everything});
    const journal_position start = j.position();
    ASSERT_TRUE(update(j, "a"));
    EXPECT_EQ(read_all(c), "a");
    ASSERT_TRUE(j.cut(start));
    EXPECT_THROW(static_cast<void>(c.read([](const journal_entry&) { throw 1; })), int);
    EXPECT_EQ(read_all(c), "cut 0");
    EXPECT_EQ(read_all(c), "");
}

TEST(journal_reader, closes_itself_or_others_from_inside) {
    journal j({.readers = 2});
    journal_cursor c = j.open({.what = reads::everything});
    std::optional<journal_cursor> other = j.open({.what = reads::everything});
    ASSERT_TRUE(update(j, "a"));
    ASSERT_TRUE(update(j, "b"));
    std::string seen;
    const read_result done = c.read([&](const journal_entry& e) {
        seen += word_of(e);
        other.reset();
        c.close();
        EXPECT_FALSE(c);
        EXPECT_TRUE(j.open()) << "the place of the other is free";
    });
    EXPECT_EQ(done.state, reader_state::closed);
    EXPECT_EQ(seen, "a");
    EXPECT_EQ(j.stats().readers, 0u);
    EXPECT_EQ(read_all(c), "[close]");
}

TEST(journal_reader, may_end_its_own_cursor_from_inside) {
    journal j({.readers = 1});
    auto c = std::make_unique<journal_cursor>(j.open({.what = reads::everything}));
    ASSERT_TRUE(update(j, "a"));
    EXPECT_EQ(c->read([&](const journal_entry&) { c.reset(); }).state, reader_state::closed);
    EXPECT_TRUE(j.open());
}

TEST(journal_reader, may_move_its_own_cursor_from_inside) {
    journal j;
    journal_cursor c = j.open({.what = reads::everything});
    journal_cursor to;
    ASSERT_TRUE(update(j, "a"));
    ASSERT_TRUE(update(j, "b"));
    EXPECT_EQ(c.read([&](const journal_entry&) {
                   if (!to) to = std::move(c);
               }).entries,
              2u);
    EXPECT_EQ(to.next().value, 2u);
    EXPECT_TRUE(to.resume());
}

TEST(journal_reader, opens_another_from_inside) {
    journal j;
    journal_cursor c = j.open({.what = reads::everything});
    journal_cursor late;
    ASSERT_TRUE(update(j, "a"));
    EXPECT_TRUE(
        c.read([&](const journal_entry&) { late = j.open({.what = reads::everything, .from = read_from::oldest}); }));
    EXPECT_EQ(read_all(late), "a");
}

TEST(journal_reader, too_many_are_refused) {
    journal j({.readers = 2});
    const journal_cursor a = j.open();
    journal_cursor b = j.open();
    EXPECT_TRUE(a && b);
    EXPECT_FALSE(j.open());
    b.close();
    EXPECT_TRUE(j.open());
}

TEST(journal_reader, that_is_closed_reads_nothing_and_says_so) {
    journal_cursor c;
    EXPECT_EQ(c.state(), reader_state::closed);
    EXPECT_EQ(c.read([](const journal_entry&) {}).state, reader_state::closed);
    EXPECT_EQ(c.read_commits([](const commit_group&) {}).state, reader_state::closed);
    EXPECT_FALSE(c.peek());
    EXPECT_FALSE(c.skip());
    EXPECT_EQ(c.resume().refusal, journal_refusal::closed);
    EXPECT_EQ(c.lag().entries, 0u);
    EXPECT_EQ(c.stats().state, reader_state::closed);
    c.close();
}

TEST(journal_reader, outlives_its_journal_closed) {
    journal_cursor c;
    {
        journal j;
        c = j.open();
        EXPECT_TRUE(c);
    }
    EXPECT_FALSE(c);
    EXPECT_EQ(c.read([](const journal_entry&) {}).state, reader_state::closed);
}

TEST(journal_reader, moves) {
    journal j;
    journal_cursor a = j.open({.name = "a", .what = reads::everything});
    ASSERT_TRUE(update(j, "x"));
    journal_cursor b = std::move(a);
    EXPECT_FALSE(a);  // NOLINT(bugprone-use-after-move): that is the test
    EXPECT_EQ(read_all(b), "x");
    journal_cursor c = j.open({.name = "c"});
    c = std::move(b);
    EXPECT_EQ(j.stats().readers, 1u);
    EXPECT_STREQ(c.stats().name, "a");
}

TEST(journal_reader, keeps_31_bytes_of_its_name) {
    journal j;
    const std::string name(50, 'n');
    const journal_cursor c = j.open({.name = name.c_str()});
    EXPECT_EQ(std::string(c.stats().name), std::string(31, 'n'));
    const journal_cursor none = j.open({.name = nullptr});
    EXPECT_STREQ(none.stats().name, "");
}

TEST(journal_reader, figures_tell_of_each) {
    journal j({.name = "match", .bytes = 5000, .readers = 3, .rollback = 2});
    journal_cursor net = j.open({.name = "net"});
    journal_cursor sound = j.open({.name = "sound", .what = reads::everything});
    ASSERT_TRUE(update_all(j, {"a", "b"}));
    read_all(sound);
    const journal_stats s = j.stats();
    EXPECT_STREQ(s.name, "match");
    EXPECT_EQ(s.capacity, 8192u) << "a power of two";
    EXPECT_EQ(s.entries, 2u);
    EXPECT_EQ(s.kept, 2u);
    EXPECT_EQ(s.commits, 1u);
    EXPECT_EQ(s.confirmed, 0u);
    EXPECT_EQ(s.open, s.used);
    EXPECT_EQ(s.peak_open, s.used);
    EXPECT_EQ(s.readers, 2u);
    EXPECT_EQ(s.max_readers, 3u);
    std::string line;
    j.for_each_reader([&](const reader_stats& r) {
        line += std::string(r.name) + " " + std::to_string(r.read) + " " + std::to_string(r.lag.entries) + ";";
    });
    EXPECT_EQ(line, "net 0 0;sound 2 0;");
}

TEST(journal_reader_death, the_end_of_the_journal_from_inside_of_a_read_stops_the_program) {
    const auto end_it = [] {
        auto j = std::make_unique<journal>();
        journal_cursor c = j->open({.what = reads::everything});
        static_cast<void>(update(*j, "a"));
        c.read([&](const journal_entry&) { j.reset(); });
    };
    EXPECT_DEATH(end_it(), "a journal ended while it was read or written");
}

}  // namespace journal_reader_test
