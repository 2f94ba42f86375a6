// `lido store migrate --dry-run`, `check` and `prune`: what is to be seen of rows without the program that wrote them.
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/program.hpp"
#include "cli/small_store.hpp"

namespace cli_migrate_check {

using namespace cli_tests;
using nlohmann::json;

TEST(cli_migrate, says_for_each_revision_what_is_renamed_added_and_known_no_more) {
    small_store s;
    s.begin();
    s.save("door", "gate-3", 9, 0, 2, R"({"hp":1,"health":2,"open":true})", 9);
    s.save("door", "gate-4", 10, 0, 4, "{}", 10);
    s.save("lamp", "l", 11, 0, 1, "{}", 11);
    s.commit();
    EXPECT_EQ(output_of({"store", "migrate", "--dry-run", s.file()}, 1), R"(door: the newest revision is 3
  revision 2: 2 rows, for example gate-2
    health -> hp: renamed (1 row)
    + keeper: added, its default
    - health: passed over; hp is there, too, or another of its former names (1 row)
    - angle: nobody knows it any more (1 row)
  revision 3: 1 row, as they are
  revision 4: 1 row, of a later revision: refused until the program that wrote them runs, for example gate-4
lamp: no program has noted what it is
  revision 1: 1 row, for example l
vault: the newest revision is 1
  revision 1: 1 row, as they are
what a migrate function of the program does with these rows is not to be seen from here; it runs when they are loaded
)");
}

TEST(cli_migrate, tells_of_a_rename_that_the_newest_revision_has_forgotten) {
    small_store s;
    s.begin();
    s.note("door", 4, R"({"life":["hp"],"keeper":[],"open":[]})", noon);
    s.commit();
    const std::string text = output_of({"store", "migrate", "--dry-run", s.file(), "--class", "door"}, 1);
    EXPECT_NE(text.find("    hp -> life: renamed\n"), std::string::npos) << text;
    EXPECT_NE(
        text.find(
            "    - health: nobody knows it any more; it was renamed to life once, whose .was does not say so now\n"),
        std::string::npos)
        << text;
}

TEST(cli_migrate, has_nothing_to_say_where_all_is_of_the_newest_form) {
    small_store s;
    EXPECT_EQ(output_of({"store", "migrate", "--dry-run", s.file(), "--class", "vault"}),
              "vault: the newest revision is 1\n  revision 1: 1 row, as they are\n");
}

TEST(cli_migrate, goes_row_by_row_when_asked) {
    small_store s;
    EXPECT_EQ(output_of({"store", "migrate", "--dry-run", "--rows", s.file(), "--class", "door"}, 1).substr(0, 129),
              "door gate-2, revision 2: health -> hp: renamed; + keeper: added, its default; - angle: nobody knows it "
              "any more\n"
              "door: the newest ");
}

TEST(cli_migrate, for_scripts_is_one_object) {
    small_store s;
    const json read = json::parse(output_of({"store", "migrate", "--dry-run", s.file(), "--json"}, 1));
    EXPECT_EQ(read["rows"], 3);
    EXPECT_EQ(read["different"], 1);
    EXPECT_EQ(read["groups"][0]["fields"][0], json::parse(R"({"what":"renamed","field":"health","to":"hp","rows":1})"));
    EXPECT_EQ(read["groups"][1]["as_they_are"], 1);
}

TEST(cli_migrate, changes_nothing) {
    small_store s;
    const std::string before = output_of({"store", "export", s.file(), "--claims"});
    output_of({"store", "migrate", "--dry-run", s.file()}, 1);
    EXPECT_EQ(output_of({"store", "export", s.file(), "--claims"}), before);
}

TEST(cli_check, of_a_store_in_order_says_so_while_a_game_has_it) {
    small_store s;
    EXPECT_EQ(output_of({"store", "check", s.file()}), "in order: 5 rows, claims and tombstones included\n");
    EXPECT_EQ(json::parse(output_of({"store", "check", s.file(), "--json"})),
              json::parse(R"({"damage":[],"rows":5,"whole":true})"));
}

struct damage {
    const char* name;
    const char* sql;
    const char* told;
};
class cli_check_damage : public ::testing::TestWithParam<damage> {};

TEST_P(cli_check_damage, is_told_once_with_its_row) {
    small_store s;
    s.sql(GetParam().sql);
    const std::string text = output_of({"store", "check", s.file()}, 1);
    EXPECT_EQ(text.rfind(std::string(GetParam().told), 0), 0u) << text;
    EXPECT_NE(text.find("\n1 fault in "), std::string::npos) << text;
    const json read = json::parse(output_of({"store", "check", s.file(), "--json"}, 1));
    EXPECT_EQ(read["damage"].size(), 1u);
    EXPECT_EQ(read["whole"], false);
}

INSTANTIATE_TEST_SUITE_P(
    cli, cli_check_damage,
    ::testing::Values(damage{"no_json", "UPDATE entities SET data = '{\"hp\":' WHERE key = 'gate-1'",
                             "door gate-1: its data is no JSON: "},
                      damage{"no_object", "UPDATE entities SET data = '[1]' WHERE key = 'gate-1'",
                             "door gate-1: its data is no JSON object\n"},
                      damage{"a_field_twice", "UPDATE entities SET data = '{\"a\":1,\"a\":2}' WHERE key = 'gate-1'",
                             "door gate-1: its data has a twice\n"},
                      damage{"no_life", "UPDATE entities SET generation = 0, birth = 0 WHERE key = 'gone'",
                             "vault gone: it was erased, and had no life"},
                      damage{"a_first_life_after_the_last", "UPDATE entities SET birth = 8 WHERE key = 'gate-1'",
                             "door gate-1: its first life, 8, is later than its last, 7"},
                      damage{"a_claim_with_a_life", "UPDATE entities SET generation = 3 WHERE key = 'asked'",
                             "vault asked: it was never saved, and has generation 3"},
                      damage{"below_zero", "UPDATE entities SET version = -1 WHERE key = 'gate-1'",
                             "door gate-1: its version is below 0\n"},
                      damage{"a_later_epoch", "UPDATE entities SET epoch = 5 WHERE key = 'gate-1'",
                             "door gate-1: its epoch is 5, and the store was opened for writing 1 time:"},
                      damage{"more_lives_than_births", "UPDATE entities SET generation = 13 WHERE key = 'gate-1'",
                             "door gate-1: its generation is 13, and the store knows of 12 births:"},
                      damage{"a_key_that_is_no_text",
                             "UPDATE entities SET key = CAST(x'6bff' AS TEXT) WHERE key = 'gate-1'",
                             "door \"k\\xff\": its key is not valid UTF-8\n"},
                      damage{"a_control_character", "UPDATE entities SET key = 'a' || char(7) WHERE key = 'gate-1'",
                             "door \"a\\u{7}\": its key has a control character\n"},
                      damage{"an_empty_class", "UPDATE entities SET class = '' WHERE key = 'gate-1'",
                             "\"\" gate-1: its class is empty\n"},
                      damage{"a_note_of_another_form", "UPDATE classes SET fields = '{\"hp\":1}' WHERE revision = 3",
                             "the note of class door, revision 3, cannot be read\n"}),
    [](const auto& of) { return std::string(of.param.name); });

TEST(cli_check, tells_of_pages_that_cannot_be_read) {
    small_store s;
    s.fill(5000);
    const std::string file = s.closed();
    std::string bytes = read_file(file);
    ASSERT_GT(bytes.size(), std::size_t{200000});
    for (std::size_t at = bytes.size() / 2; at < bytes.size() / 2 + 20000; ++at) bytes[at] = '\x5a';
    write_file(file, bytes);
    const outcome o = run({"store", "check", file});
    EXPECT_EQ(o.exit, 1) << o.out << o.err;
    EXPECT_NE(o.out.find("Before anything else: lido store backup"), std::string::npos) << o.out;
    const outcome listed = run({"store", "ls", file, "--all"});
    EXPECT_EQ(listed.exit, 3);
    EXPECT_TRUE(listed.says("the file is damaged; take the last backup")) << listed.err;
}

std::int64_t days_ago(int days) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
               .count() -
           std::int64_t{86400000} * days;
}

TEST(cli_prune, counts_and_removes_old_tombstones_and_claims_and_nothing_else) {
    small_store s;
    s.begin();
    s.erase("door", "young", 9, 1, days_ago(29));
    s.erase("door", "old", 9, 1, days_ago(31));
    s.commit();
    const std::string file = s.closed();
    const std::string before = output_of({"store", "export", file, "--claims"});
    EXPECT_EQ(output_of({"store", "prune", file, "--older", "30d", "--dry-run"}),
              "older than 30d: 2 tombstones, 1 row that nobody saved\nnothing was removed: --dry-run\n");
    EXPECT_EQ(output_of({"store", "export", file, "--claims"}), before);
    EXPECT_EQ(output_of({"store", "prune", file, "--older", "30d"}),
              "older than 30d: 2 tombstones, 1 row that nobody saved\nremoved: 3 rows\n");
    const std::string after = output_of({"store", "export", file, "--claims"});
    EXPECT_NE(after.find("young"), std::string::npos);
    EXPECT_NE(after.find("gate-1"), std::string::npos);
    EXPECT_EQ(after.find("\"old\""), std::string::npos);
    EXPECT_EQ(after.find("asked"), std::string::npos);
    EXPECT_EQ(json::parse(output_of({"store", "prune", file, "--older", "0s", "--json"})),
              json::parse(R"({"tombstones":1,"claims":0,"removed":1})"));
}

TEST(cli_prune, takes_many_in_several_transactions) {
    small_store s;
    s.fill(12000);
    s.sql("UPDATE entities SET data = NULL, erased = 1000 WHERE key LIKE 'k%'");
    EXPECT_EQ(output_of({"store", "prune", s.closed(), "--older", "30d"}),
              "older than 30d: 12,001 tombstones, 1 row that nobody saved\nremoved: 12,002 rows\n");
}

}  // namespace cli_migrate_check
