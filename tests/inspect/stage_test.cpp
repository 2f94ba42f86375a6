// X14: what readers are told of a stage is what it says of itself.
#include "stage_collector.hpp"
#include "stage_jobs.hpp"
#include "stage_rooms.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace lido::test {
namespace inspect_stage_test {

TEST(inspect_stage, is_told_as_it_says_itself) {
    shown_stage s(8);
    journal_cursor store = s.stage.changes().open({.name = "store"});
    const auto gate = s.stage.create<shown_door>({.id = "gate"}).reference();
    for (int i = 0; i < 3; ++i) {
        s.stage.tick();
        s.change(gate, [](shown_door& d) { d.hp = static_cast<std::uint16_t>(d.hp - 1); });
    }
    s.stage.manage(gate, [] {});
    s.program.collect();
    const json all = s.get("");
    ASSERT_EQ(all["stages"].size(), 1u);
    const json& hall = all["stages"][0];
    EXPECT_EQ(text_at(hall, "name"), "hall");
    EXPECT_EQ(text_at(hall, "role"), "standalone");
    EXPECT_EQ(number_at(hall, "now"), 3u);
    const stage_stats said = s.stage.stats();
    EXPECT_EQ(number_at(hall, "entities"), said.entities);
    EXPECT_EQ(number_at(hall, "births"), said.births);
    EXPECT_EQ(number_at(hall, "managed"), 1u);
    const journal_stats journal = s.stage.changes().stats();
    EXPECT_EQ(number_at(hall["journal"], "commits"), journal.commits);
    EXPECT_EQ(number_at(hall["journal"], "entries"), 4u);
    EXPECT_EQ(number_at(hall["journal"], "capacity"), journal.capacity);
    EXPECT_EQ(number_at(hall["journal"], "used"), journal.used);
    EXPECT_EQ(number_at(hall["journal"], "open"), journal.open);
    EXPECT_EQ(number_at(hall["journal"], "confirmed"), journal.confirmed);
    ASSERT_EQ(hall["classes"].size(), 2u);
    EXPECT_EQ(text_at(hall["classes"][0], "name"), "door");
    EXPECT_EQ(number_at(hall["classes"][0], "live"), 1u);
    EXPECT_EQ(number_at(hall["classes"][0], "history"), 5u);
    EXPECT_EQ(number_at(hall["classes"][1], "revision"), 3u);
    ASSERT_EQ(hall["readers"].size(), 2u);
    EXPECT_EQ(text_at(hall["readers"][0], "name"), "signals");
    EXPECT_EQ(text_at(hall["readers"][1], "name"), "store");
    EXPECT_EQ(text_at(hall["readers"][1], "reads"), "confirmed");
    EXPECT_EQ(text_at(hall["readers"][1], "state"), "ready");
}

TEST(inspect_stage, goes_with_the_stream_of_samples) {
    shown_stage s;
    static_cast<void>(s.stage.create<shown_door>({.id = "gate"}));
    s.program.collect();
    client c = s.program.open("/api/v1/stream");
    ASSERT_TRUE(play(s.program.look, s.program.tick, [&] {
        c.receive();
        return c.text.find("\"stages\":[[0,0,1,1,1,1,") != std::string::npos;
    })) << c.text;
}

TEST(inspect_stage, two_of_one_name_are_two_and_one_that_is_unwatched_is_gone) {
    shown_stage s;
    world other_world;
    lido::stage other(other_world);
    const watch_id watch = s.program.look.watch("hall", other);
    other.add<shown_account>("account");
    static_cast<void>(other.create<shown_account>({.id = "ann"}));
    EXPECT_EQ(text_at(s.get("")["stages"][1], "name"), "hall 2");
    EXPECT_EQ(s.get("/1/entities")["entities"].size(), 1u);
    EXPECT_EQ(s.get("/0/entities")["entities"].size(), 0u);
    s.program.look.unwatch(watch);
    EXPECT_EQ(s.get("")["stages"].size(), 1u);
    EXPECT_EQ(s.status("/1/entities"), 404);
    EXPECT_EQ(s.get("/0/entities")["entities"].size(), 0u);
}

/// A stage and what looks at it, without a server.
struct desk {
    shown_stage rooms;
    inspect::board board;
    inspect::stage_collector stages{board};

    desk() {
        rooms.fill(5'000);
        stages.add(1, "hall", inspect::stage_source_of(rooms.stage));
    }
    [[nodiscard]] std::shared_ptr<inspect::list_job> search(const std::string& text) {
        auto job = std::make_shared<inspect::list_job>(inspect::list_job::wish{.text = text});
        board.stage_jobs.push_back(job);
        stages.take_jobs();
        return job;
    }
    /// Its first slice.
    [[nodiscard]] bool begin(const inspect::stage_job& job, std::uint64_t now_ms) {
        const auto until = std::chrono::steady_clock::now() + patience;
        while (stages.busy() && job.state.load() == inspect::job_state::waiting &&
               std::chrono::steady_clock::now() < until)
            EXPECT_FALSE(stages.look(now_ms));
        return job.state.load() == inspect::job_state::taken;
    }
    /// Slices until one is done; what comes between two of them is a pause of at most a tenth of a second.
    [[nodiscard]] bool look_until_done(std::uint64_t now_ms) {
        const auto until = std::chrono::steady_clock::now() + patience;
        while (stages.busy() && std::chrono::steady_clock::now() < until) {
            if (stages.look(now_ms)) return true;
        }
        return false;
    }
};

TEST(inspect_stage, one_that_is_unwatched_while_somebody_looks_is_said_to_be_gone) {
    desk d;
    const auto job = d.search("nobody");
    EXPECT_FALSE(d.stages.look(1)) << "one slice of five";
    EXPECT_TRUE(d.stages.remove(1));
    ASSERT_TRUE(d.look_until_done(1));
    EXPECT_TRUE(job->gone);
    EXPECT_FALSE(d.stages.busy());
}

TEST(inspect_stage, a_look_ends_when_all_have_been_looked_at_or_after_a_second) {
    desk d;
    const auto whole = d.search("nobody");
    ASSERT_TRUE(d.look_until_done(1));
    EXPECT_NE(whole->text().find("\"looked\":5000,"), std::string::npos) << whole->text();
    const auto part = d.search("nobody");
    ASSERT_TRUE(d.begin(*part, 1));
    ASSERT_TRUE(d.look_until_done(1001));
    EXPECT_EQ(part->text().find("\"next\":null"), std::string::npos) << part->text();
}

TEST(inspect_stage, a_look_whose_reader_has_left_is_not_begun) {
    desk d;
    const auto job = d.search("nobody");
    ASSERT_TRUE(job->move(inspect::job_state::waiting, inspect::job_state::given_up));
    EXPECT_FALSE(d.stages.look(1));
    EXPECT_FALSE(d.stages.busy());
    EXPECT_NE(job->text().find("\"looked\":0,"), std::string::npos);
}

// --- the list --------------------------------------------------------------------------------------------------------------------

TEST(inspect_stage, its_entities_come_in_pages_and_each_of_them_once) {
    shown_stage s;
    for (int i = 0; i < 130; ++i) {
        static_cast<void>(s.stage.create<shown_door>({.id = "d" + std::to_string(i)}));
        static_cast<void>(s.stage.create<shown_account>({.id = "a" + std::to_string(i)}));
    }
    std::multiset<std::string> ids;
    std::string from;
    int pages = 0;
    for (; pages < 10; ++pages) {
        const json page = s.get("/0/entities?most=100" + from);
        EXPECT_LE(page["entities"].size(), 100u);
        for (const json& e : page["entities"]) ids.insert(text_at(e, "id"));
        if (page["next"].is_null()) break;
        from = "&from=" + text_at(page, "next");
    }
    EXPECT_EQ(pages, 2);
    EXPECT_EQ(ids.size(), 260u);
    EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), 260u);
}

TEST(inspect_stage, a_row_says_who_owns_locks_and_keeps_the_entity) {
    shown_stage s;
    // More than the 53 bits that a number of a page has.
    const player owner{0xffff'ffff'ffff'fff1};
    const auto gate = s.stage.create<shown_door>({.id = "gate", .owner = owner}).reference();
    s.change(gate, [](shown_door& d) { d.open = true; });
    ASSERT_TRUE(s.stage.lock(gate, "shop", ticks{9}));
    const json row = s.get("/0/entities")["entities"][0];
    EXPECT_EQ(text_at(row, "id"), "gate");
    EXPECT_EQ(number_at(row, "class"), gate.class_of());
    EXPECT_EQ(number_at(row, "generation"), s.stage.info(gate).generation);
    EXPECT_EQ(number_at(row, "version"), 1u);
    EXPECT_EQ(text_at(row, "owner"), "18446744073709551601");
    EXPECT_EQ(text_at(row["lock"], "by"), "shop");
    EXPECT_EQ(number_at(row["lock"], "until"), 9u);
    EXPECT_FALSE(row["persistent"].get<bool>());
    EXPECT_FALSE(row["loading"].get<bool>());
}

TEST(inspect_stage, a_search_finds_parts_of_ids_of_a_class_and_of_those_that_are_locked) {
    shown_stage s;
    const auto gate = s.stage.create<shown_door>({.id = "North-Gate"}).reference();
    static_cast<void>(s.stage.create<shown_door>({.id = "cellar"}));
    static_cast<void>(s.stage.create<shown_account>({.id = "gatekeeper"}));
    ASSERT_TRUE(s.stage.lock(gate, "shop", ticks{9}));
    const auto found = [&](const std::string& query) {
        std::vector<std::string> ids;
        const json answer = s.get("/0/entities?" + query);
        EXPECT_TRUE(answer["next"].is_null()) << query;
        for (const json& e : answer["entities"]) ids.push_back(text_at(e, "id"));
        return ids;
    };
    using names = std::vector<std::string>;
    const std::string doors = std::to_string(gate.class_of());
    const std::string accounts = std::to_string(s.stage.find("gatekeeper").class_of());
    EXPECT_EQ(found("text=gate"), (names{"North-Gate", "gatekeeper"}));
    EXPECT_EQ(found("text=NORTH"), names{"North-Gate"});
    EXPECT_EQ(found("text=nobody"), names{});
    EXPECT_EQ(found("class=" + doors), (names{"North-Gate", "cellar"}));
    EXPECT_EQ(found("class=" + accounts), names{"gatekeeper"});
    EXPECT_EQ(found("class=77"), names{});
    EXPECT_EQ(found("text=gate&class=" + doors), names{"North-Gate"});
    EXPECT_EQ(found("only=locked"), names{"North-Gate"});
    EXPECT_EQ(found("only=persistent"), names{});
    EXPECT_EQ(found("only=loading"), names{});
}

TEST(inspect_stage, a_large_one_is_searched_in_slices_of_a_thousand_places_a_tick) {
    shown_stage s;
    constexpr int many = 20'000;
    s.fill(many);
    ASSERT_TRUE(s.stage.create<shown_account>({.id = "the last"}));
    std::string from;
    std::uint64_t looked = 0;
    const std::uint64_t before = s.program.tick;
    for (int answers = 0; answers < 1000; ++answers) {
        const json page = s.get("/0/entities?text=last" + from);
        looked += number_at(page, "looked");
        if (!page["entities"].empty()) break;
        ASSERT_FALSE(page["next"].is_null()) << "it was not found";
        from = "&from=" + text_at(page, "next");
    }
    EXPECT_EQ(looked, many + 1u);
    EXPECT_GE(s.program.tick - before, many / 1024);
}

// --- one entity ------------------------------------------------------------------------------------------------------------------

TEST(inspect_stage, an_entity_shows_its_fields_by_their_schema) {
    shown_stage s;
    const auto hall = s.stage.create<shown_door>({.id = "hall"}).reference();
    static_cast<void>(s.stage.create<shown_door>(
        {.id = "gate"}, {.angle = 30.5f, .sign = {"Eingang für \"alle\""}, .behind = s.stage.link_to(hall)}));
    const json e = s.get("/0/entity?id=gate");
    EXPECT_EQ(text_at(e, "class_name"), "door");
    std::map<std::string, std::string> values;
    std::map<std::string, std::string> is;
    for (const json& f : e["fields"]) {
        values[text_at(f, "name")] = text_at(f, "value");
        is[text_at(f, "name")] = text_at(f, "is");
        EXPECT_TRUE(f["sent"].get<bool>());
    }
    EXPECT_EQ(values["open"], "false");
    EXPECT_EQ(values["angle"], "30.5");
    EXPECT_EQ(values["hp"], "100");
    EXPECT_EQ(values["sign"], "\"Eingang für \\\"alle\\\"\"");
    EXPECT_EQ(values["behind"],
              "{\"id\":\"hall\",\"generation\":" + std::to_string(s.stage.info(hall).generation) + "}");
    EXPECT_EQ(is["angle"], "angle f32 from 0 to 120");
}

TEST(inspect_stage, an_entity_shows_its_last_commits_from_and_to) {
    shown_stage s;
    const auto gate = s.stage.create<shown_door>({.id = "gate"}).reference();
    for (int i = 0; i < 7; ++i) {
        s.stage.tick();
        s.change(gate, [](shown_door& d) { d.hp = static_cast<std::uint16_t>(d.hp - 10); });
    }
    s.change(gate, [](shown_door& d) {
        d.open = true;
        d.angle = 90;
    });
    const json e = s.get("/0/entity?id=gate");
    EXPECT_EQ(number_at(e, "version"), 8u);
    EXPECT_EQ(number_at(e, "history_kept"), 5u);
    ASSERT_EQ(e["history"].size(), 5u);
    const json& last = e["history"][0];
    EXPECT_EQ(number_at(last, "version"), 8u);
    EXPECT_EQ(number_at(last, "tick"), 7u);
    ASSERT_EQ(last["changes"].size(), 2u);
    EXPECT_EQ(last["changes"][0].dump(), R"({"field":"open","from":"false","to":"true"})");
    EXPECT_EQ(last["changes"][1].dump(), R"({"field":"angle","from":"0","to":"90"})");
    EXPECT_EQ(e["history"][4]["changes"].dump(), R"([{"field":"hp","from":"70","to":"60"}])");
}

TEST(inspect_stage, values_that_are_too_long_are_cut_off_between_characters) {
    shown_stage s;
    std::string sign;
    while (sign.size() + 2 < 490) sign += "ü";
    shown_door with;
    with.sign.assign(sign);
    static_cast<void>(s.stage.create<shown_door>({.id = "gate"}, with));
    const json e = s.get("/0/entity?id=gate");
    const std::string value = text_at(e["fields"][3], "value");
    EXPECT_LT(value.size(), 420u);
    EXPECT_TRUE(value.ends_with("…")) << value;
    EXPECT_EQ(value.find("\xef\xbf\xbd"), std::string::npos) << "half a character";
    EXPECT_EQ(text_at(e["fields"][4], "value"), "null") << "what comes after it is whole";
}

TEST(inspect_stage, odd_names_are_text_and_found_by_it) {
    shown_stage s(0, "do\xffor\"<b>\\");
    const std::string odd = "../a\\b?c=1&d#%\"<script>'ü";
    static_cast<void>(s.stage.create<shown_door>({.id = odd}));
    EXPECT_EQ(text_at(s.get("/0/entities?text=" + escaped("<SCRIPT>'ü"))["entities"][0], "id"), odd);
    const json e = s.get("/0/entity?id=" + escaped(odd));
    EXPECT_EQ(text_at(e, "id"), odd);
    EXPECT_EQ(text_at(e, "class_name"), "do\xef\xbf\xbdor\"<b>\\");
}

TEST(inspect_stage, what_cannot_be_is_refused_in_words) {
    shown_stage s;
    const auto wrong = [&](const std::string& path, int status, const std::string& why) {
        const reply r = s.program.get("/api/v1/stages" + path);
        EXPECT_EQ(r.status, status) << path;
        EXPECT_EQ(r.error(), why) << path;
    };
    wrong("/0/entity", 400, "id must be there: 1 to 63 bytes of UTF-8 without control characters");
    wrong("/0/entity?id=%ff", 400, "id must be there: 1 to 63 bytes of UTF-8 without control characters");
    wrong("/0/entity?id=nobody", 404, "no entity of this stage has that id now");
    wrong("/0/entities?most=0", 400, "most is from 1 to 500");
    wrong("/0/entities?most=501", 400, "most is from 1 to 500");
    wrong("/0/entities?from=7", 400, "from is the next of an answer before");
    wrong("/0/entities?class=door", 400, "class is the number of a class");
    wrong("/0/entities?only=red", 400, "only is all, locked, persistent or loading");
    wrong("/0/entities?text=" + std::string(64, 'a'), 400, "text has at most 63 bytes, as an id has");
    wrong("/0/journal?most=x", 400, "most is from 1 to 500");
    wrong("/0/journal?generation=-1", 400, "generation is a whole number");
    wrong("/0", 404, "there is nothing at this address");
    wrong("/0/nothing", 404, "there is nothing at this address");
    wrong("/1/entities", 404, "there is no such stage");
    wrong("x", 404, "there is nothing at this address");
    // A place beyond all there is is the end of it.
    EXPECT_TRUE(s.get("/0/entities?from=4000000000.4000000000")["next"].is_null());
}

}  // namespace inspect_stage_test
}  // namespace lido::test
