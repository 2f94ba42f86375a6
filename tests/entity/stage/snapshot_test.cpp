// X18
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>

#include "entity/stage/doors.hpp"

namespace stage_snapshot {

using namespace stage_tests;
using lido::ticks;

/// What a reader makes of entries: gold and version by id.
struct book {
    std::map<std::string, std::pair<std::int64_t, std::uint64_t>> all;
    std::map<std::uint64_t, std::string> ids;
    void take(const lido::journal_entry& e) {
        const std::string id = e.id.empty() ? ids[e.what.generation.value] : std::string(e.id);
        if (lido::is_end(e.kind())) {
            all.erase(id);
            return;
        }
        if (e.kind() != lido::change_kind::created && e.kind() != lido::change_kind::updated) return;
        ids[e.what.generation.value] = id;
        const std::size_t at = e.kind() == lido::change_kind::created ? lido::entity_bytes::head : 0;
        auto& [gold, version] = all[id];
        std::memcpy(&gold, e.after.data() + at, sizeof(gold));
        version = e.what.version.value;
    }
    friend bool operator==(const book& a, const book& b) { return a.all == b.all; }
};

TEST(stage_snapshot, of_confirmed_changes_is_what_a_reader_of_all_of_them_knows) {
    hall h(8);
    auto from_the_start = h.stage.changes().open();
    book known;
    const auto give = [&](lido::entity_ref<account> to, std::int64_t gold) {
        auto change = h.stage.edit(to);
        change->gold += gold;
        ASSERT_TRUE(change.commit());
    };
    const auto ann = h.stage.create<account>({.id = "ann"}, {.gold = 1});
    const auto bob = h.stage.create<account>({.id = "bob"}, {.gold = 2});
    h.stage.tick();
    give(ann, 10);
    h.stage.tick();
    h.stage.confirm(ticks{1});
    // Not confirmed:
    give(ann, 100);
    give(ann, 1000);
    h.stage.destroy(bob);
    h.stage.create<account>({.id = "bob"}, {.gold = 99});
    h.stage.create<account>({.id = "eve"});
    h.stage.set_owner(ann, {7});

    auto late = h.stage.changes().open();
    book snapshot;
    ASSERT_TRUE(h.stage.catch_up(late, [&](const lido::journal_entry& e) {
        EXPECT_EQ(e.kind(), lido::change_kind::created);
        snapshot.take(e);
    }));
    static_cast<void>(from_the_start.read([&](const lido::journal_entry& e) { known.take(e); }));
    EXPECT_EQ(snapshot, known);
    EXPECT_EQ(snapshot.all["ann"], (std::pair<std::int64_t, std::uint64_t>{11, 1}));
    EXPECT_EQ(snapshot.all["bob"].first, 2);

    h.stage.tick();
    h.stage.confirm(ticks{2});
    const auto both = [&](lido::journal_cursor& c, book& b) {
        static_cast<void>(c.read([&](const lido::journal_entry& e) {
            if (e.what.detail != lido::entity_bytes::owner_changed || e.kind() != lido::change_kind::updated) b.take(e);
        }));
    };
    both(from_the_start, known);
    both(late, snapshot);
    EXPECT_EQ(snapshot.all["ann"].first, 1111);
    EXPECT_EQ(snapshot, known);
}

TEST(stage_snapshot, lets_a_reader_that_fell_behind_go_on) {
    hall h(0, {.journal_bytes = 1024});
    auto slow = h.stage.changes().open({.what = lido::reads::everything});
    const auto ann = h.stage.create<account>({.id = "ann"});
    for (int i = 0; i < 50; ++i) {
        auto change = h.stage.edit(ann);
        change->gold += 1;
        ASSERT_TRUE(change.commit()) << change.why();
        h.stage.tick();
    }
    book known;
    static_cast<void>(slow.read([&](const lido::journal_entry& e) { known.take(e); }));
    EXPECT_EQ(slow.state(), lido::reader_state::behind);
    ASSERT_TRUE(h.stage.catch_up(slow, [&](const lido::journal_entry& e) { known.take(e); }));
    EXPECT_EQ(slow.state(), lido::reader_state::ready);
    EXPECT_EQ(known.all["ann"].first, 50);
}

}  // namespace stage_snapshot
