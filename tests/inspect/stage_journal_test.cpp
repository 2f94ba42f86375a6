// X14: the end of a stage's journal, as readers of the inspector see it.
#include "stage_rooms.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lido::test {
namespace inspect_stage_journal_test {

using kinds = std::vector<std::string>;

[[nodiscard]] kinds kinds_of(const json& journal) {
    kinds all;
    for (const json& e : journal["entries"]) all.push_back(text_at(e, "kind"));
    return all;
}

TEST(inspect_stage_journal, shows_what_happened_the_latest_first) {
    shown_stage s;
    const auto gate = s.stage.create<shown_door>({.id = "gate"}).reference();
    s.stage.tick();
    s.change(gate, [](shown_door& d) {
        d.open = true;
        d.hp = 7;
    });
    const auto mine = s.stage.lock(gate, "shop", ticks{9});
    ASSERT_TRUE(mine);
    ASSERT_TRUE(s.stage.unlock(mine));
    ASSERT_TRUE(s.stage.set_owner(gate, {42}));
    s.stage.pool(gate);
    const json j = s.get("/0/journal");
    EXPECT_EQ(number_at(j, "next"), 6u);
    EXPECT_EQ(kinds_of(j), (kinds{"pooled", "updated", "unlocked", "locked", "updated", "created"}));
    const json& e = j["entries"];
    for (const json& entry : e) EXPECT_EQ(text_at(entry, "id"), "gate") << "an update of what is over, too";
    EXPECT_EQ(number_at(e[4], "number"), 1u);
    EXPECT_EQ(number_at(e[4], "tick"), 1u);
    EXPECT_EQ(number_at(e[4], "version"), 1u);
    EXPECT_EQ(e[4]["changes"].dump(),
              R"([{"field":"open","from":"false","to":"true"},{"field":"hp","from":"100","to":"7"}])");
    EXPECT_EQ(text_at(e[3], "note"), "shop");
    EXPECT_EQ(e[1]["changes"].dump(), R"([{"field":"owner","from":"null","to":"42"}])");
    EXPECT_EQ(text_at(e[0], "note"), "by its reference");
    EXPECT_FALSE(e[5].contains("note"));
}

TEST(inspect_stage_journal, shows_as_many_as_are_asked_for_and_those_of_one_life) {
    shown_stage s;
    const auto gate = s.stage.create<shown_door>({.id = "gate"}).reference();
    const auto other = s.stage.create<shown_door>({.id = "other"}).reference();
    for (int i = 0; i < 10; ++i) {
        s.change(other, [](shown_door& d) { d.open = !d.open; });
        if (i == 4) s.change(gate, [](shown_door& d) { d.hp = 1; });
    }
    EXPECT_EQ(s.get("/0/journal?most=3")["entries"].size(), 3u);
    const json mine = s.get("/0/journal?generation=" + std::to_string(s.stage.info(gate).generation));
    EXPECT_EQ(kinds_of(mine), (kinds{"updated", "created"}));
    EXPECT_EQ(number_at(mine, "looked"), 13u);
}

TEST(inspect_stage_journal, a_rewind_takes_entries_back_and_counts_as_a_cut) {
    shown_stage s(8);
    const auto gate = s.stage.create<shown_door>({.id = "gate"}).reference();
    s.stage.tick();
    snapshot before;
    ASSERT_TRUE(s.stage.save(before));
    s.stage.tick();
    s.change(gate, [](shown_door& d) { d.hp = 1; });
    EXPECT_EQ(kinds_of(s.get("/0/journal")), (kinds{"updated", "created"}));
    ASSERT_TRUE(s.stage.restore(before));
    const json j = s.get("/0/journal");
    EXPECT_EQ(kinds_of(j), kinds{"created"});
    EXPECT_EQ(number_at(j, "cuts"), 1u);
    EXPECT_EQ(number_at(j, "next"), 1u);
    const json e = s.get("/0/entity?id=gate");
    EXPECT_EQ(number_at(e, "version"), 0u);
    EXPECT_TRUE(e["history"].empty());
}

TEST(inspect_stage_journal, says_which_entries_are_confirmed) {
    shown_stage s(8);
    static_cast<void>(s.stage.create<shown_door>({.id = "gate"}));
    s.stage.tick();
    static_cast<void>(s.stage.create<shown_door>({.id = "next"}));
    ASSERT_TRUE(s.stage.changes().confirm({0}));
    const json j = s.get("/0/journal");
    EXPECT_EQ(number_at(j, "first_open_tick"), 1u);
    EXPECT_EQ(number_at(j, "confirmed"), 1u);
    EXPECT_FALSE(j["entries"][0]["confirmed"].get<bool>());
    EXPECT_TRUE(j["entries"][1]["confirmed"].get<bool>());
}

TEST(inspect_stage_journal, opens_no_reader_and_changes_nothing) {
    shown_stage s(8);
    const auto gate = s.stage.create<shown_door>({.id = "gate"}).reference();
    s.change(gate, [](shown_door& d) { d.hp = 1; });
    const std::uint64_t hash = s.stage.state_hash();
    const std::size_t readers = s.stage.changes().stats().readers;
    static_cast<void>(s.get("/0/journal"));
    static_cast<void>(s.get("/0/entities"));
    static_cast<void>(s.get("/0/entity?id=gate"));
    EXPECT_EQ(s.stage.state_hash(), hash);
    EXPECT_EQ(s.stage.changes().stats().readers, readers);
}

TEST(inspect_stage_journal, figures_go_to_prometheus) {
    shown_stage s(8);
    journal_cursor one = s.stage.changes().open({.name = "net", .what = reads::everything});
    journal_cursor two = s.stage.changes().open({.name = "net", .what = reads::everything});
    static_cast<void>(s.stage.create<shown_door>({.id = "gate"}));
    ASSERT_NE(s.stage.changes().stats().open, 0u);
    s.program.collect();
    const std::string text = s.program.get("/metrics").body;
    const auto says = [&](const std::string& line) {
        EXPECT_NE(text.find("\n" + line + "\n"), std::string::npos) << line << "\nis not in\n" << text;
    };
    says("lido_stage_entities{stage=\"hall\"} 1");
    says("lido_stage_births_total{stage=\"hall\"} 1");
    says("lido_stage_class_entities{stage=\"hall\",class=\"door\"} 1");
    says("lido_stage_class_entities{stage=\"hall\",class=\"account\"} 0");
    says("lido_journal_commits_total{stage=\"hall\"} 1");
    says("lido_journal_open_bytes{stage=\"hall\"} " + std::to_string(s.stage.changes().stats().open));
    says("lido_journal_reader_lag{stage=\"hall\",reader=\"net\"} 1");
    says("lido_journal_reader_lag{stage=\"hall\",reader=\"net 2\"} 1");
    EXPECT_TRUE(text.ends_with("\n# EOF\n"));
}

}  // namespace inspect_stage_journal_test
}  // namespace lido::test
