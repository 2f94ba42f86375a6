// Promise: the live state, with the entries that are not confirmed undone, is the confirmed state: what a snapshot for net or store is made of.
#include "entity/journal/journal_support.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace journal_undo_test {

using namespace lido;
using namespace lido::test;

using state = std::map<std::uint32_t, std::string>;  // entity to what it holds

/// A game of created, updated and ended entities.
struct game {
    journal j{{.rollback = 4}};
    state live;
    std::mt19937 random{5};

    void step() {
        const auto id = static_cast<std::uint32_t>(random() % 6);
        const std::string now = std::to_string(random() % 1000);
        const auto it = live.find(id);
        if (it == live.end()) {
            ASSERT_TRUE(j.append(stamp_of(change_kind::created, id), {}, bytes_of_text(now), "e" + std::to_string(id)));
            live[id] = now;
        } else if (random() % 3 == 0) {
            ASSERT_TRUE(
                j.append(stamp_of(change_kind::pooled, id), bytes_of_text(it->second), {}, "e" + std::to_string(id)));
            live.erase(it);
        } else {
            const std::byte set{1};
            ASSERT_TRUE(j.append(stamp_of(change_kind::updated, id), bytes_of_text(it->second), bytes_of_text(now), {},
                                 {&set, 1}));
            it->second = now;
        }
    }

    [[nodiscard]] state confirmed() {
        state s = live;
        j.undo([&](const journal_entry& e) {
            if (e.kind() == change_kind::created) {
                s.erase(e.what.entity.value);
            } else {
                s[e.what.entity.value] = text_of_bytes(e.before);
            }
        });
        return s;
    }
};

/// Plays entries forward, as a mirror would.
void apply(state& s, const journal_entry& e) {
    if (is_end(e.kind())) {
        s.erase(e.what.entity.value);
    } else {
        s[e.what.entity.value] = text_of_bytes(e.after);
    }
}

TEST(journal_undo, D31_gives_the_confirmed_state_that_a_reader_of_confirmed_entries_has) {
    game g;
    journal_cursor c = g.j.open();
    state mirror;
    for (std::uint64_t t = 1; t < 200; ++t) {
        for (int i = 0; i < 3; ++i) g.step();
        ASSERT_TRUE(g.j.begin_tick({t}));
        if (t >= 4) {
            ASSERT_TRUE(g.j.confirm({t - 3}));
        }
        EXPECT_TRUE(c.read([&](const journal_entry& e) { apply(mirror, e); }));
        ASSERT_EQ(g.confirmed(), mirror) << t;
    }
}

TEST(journal_undo, a_snapshot_and_what_follows_it_are_the_whole_stream) {
    game g;
    for (std::uint64_t t = 1; t < 30; ++t) {
        for (int i = 0; i < 3; ++i) g.step();
        ASSERT_TRUE(g.j.begin_tick({t}));
        if (t >= 4) {
            ASSERT_TRUE(g.j.confirm({t - 3}));
        }
    }
    journal_cursor late = g.j.open();
    ASSERT_TRUE(late.resume(late.snapshot_position()));
    state mirror = g.confirmed();
    ASSERT_TRUE(g.j.begin_tick({40}));
    ASSERT_TRUE(g.j.confirm({39}));
    EXPECT_TRUE(late.read([&](const journal_entry& e) { apply(mirror, e); }));
    EXPECT_EQ(mirror, g.live);
}

TEST(journal_undo, of_a_confirmed_journal_calls_nobody) {
    game g;
    g.step();
    ASSERT_TRUE(g.j.begin_tick({1}));
    ASSERT_TRUE(g.j.confirm({0}));
    g.j.undo([](const journal_entry&) { ADD_FAILURE(); });
}

TEST(journal_undo, may_throw_and_may_commit) {
    game g;
    g.step();
    g.step();
    EXPECT_THROW(g.j.undo([](const journal_entry&) { throw 1; }), int);
    int calls = 0;
    g.j.undo([&](const journal_entry&) {
        ++calls;
        EXPECT_TRUE(update(g.j, "x"));
        EXPECT_EQ(g.j.cut(g.j.position()).refusal, journal_refusal::reading);
    });
    EXPECT_EQ(calls, 2);
    EXPECT_TRUE(g.j.cut(g.j.position()));
}

TEST(journal_undo, holds_what_it_walks_over_though_it_is_confirmed_and_room_is_needed) {
    journal j({.bytes = 1024, .rollback = 1});
    fill(j, "x");
    const std::uint64_t entries = j.state().next.value;
    ASSERT_TRUE(j.begin_tick({1}));
    std::uint64_t walked = 0;
    j.undo([&](const journal_entry& e) {
        EXPECT_TRUE(j.confirm({0}));
        EXPECT_EQ(update(j, "y").refusal, journal_refusal::held_by_reader);
        EXPECT_EQ(word_of(e), "x");
        ++walked;
    });
    EXPECT_EQ(walked, entries);
    EXPECT_TRUE(update(j, "y"));
}

}  // namespace journal_undo_test
