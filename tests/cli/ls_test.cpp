// `lido store ls` and `show`: what is in a store, on a screen and for scripts.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "cli/small_store.hpp"

namespace cli_ls {

using namespace cli_tests;
using nlohmann::json;

TEST(cli_ls, lists_the_classes_and_then_the_rows_with_data) {
    small_store s;
    EXPECT_EQ(output_of({"store", "ls", s.file()}), R"(class  revisions  stored  claimed  erased
door   2, 3            2        0       0
vault  1               1        1       1

class  key     state   epoch  generation  version  revision  changed (UTC)        bytes
door   gate-1  stored      1           7       12         3  2023-11-15 12:00:00     38
door   gate-2  stored      1           8        1         2  2023-11-15 12:00:00     36
vault  north   stored      1           3        2         1  2023-11-15 12:00:00     29
)");
}

TEST(cli_ls, shows_claims_and_tombstones_when_asked) {
    small_store s;
    EXPECT_EQ(output_of({"store", "ls", s.file(), "--class", "vault", "--claims", "--tombstones"}),
              R"(class  key    state    epoch  generation  version  revision  changed (UTC)        bytes
vault  asked  claimed      1           0        0         0  2023-11-15 12:00:00      0
vault  gone   erased       1           9        3         1  2023-11-15 12:00:00      0
vault  north  stored       1           3        2         1  2023-11-15 12:00:00     29
)");
}

TEST(cli_ls, takes_only_rows_of_a_class_or_a_prefix) {
    small_store s;
    const std::string some = output_of({"store", "ls", s.file(), "--prefix=gate-2"});
    EXPECT_NE(some.find("gate-2"), std::string::npos);
    EXPECT_EQ(some.find("gate-1"), std::string::npos);
    EXPECT_EQ(some.find("revisions"), std::string::npos) << "who asks for some rows has seen the classes";
    EXPECT_EQ(output_of({"store", "ls", s.file(), "--class", "room"}), "no such rows\n");
}

TEST(cli_ls, can_show_the_classes_alone) {
    small_store s;
    EXPECT_EQ(output_of({"store", "ls", s.file(), "--classes"}), R"(class  revisions  stored  claimed  erased
door   2, 3            2        0       0
vault  1               1        1       1
)");
}

TEST(cli_ls, knows_classes_that_no_program_has_noted) {
    small_store s;
    s.begin();
    s.save("aaa", "x", 1, 1, 1, "{}", 1);
    s.save("zzz", "x", 1, 1, 1, "{}", 1);
    s.commit();
    // Behind every key that a store writes: a search for the next class must not find this one for ever.
    s.sql("INSERT INTO entities VALUES ('aaa', CAST(x'ffff' AS TEXT), 1, 1, 1, 1, 1, 0, '{}', 0, 0, NULL)");
    const std::string text = output_of({"store", "ls", s.file(), "--classes"});
    EXPECT_NE(text.find("aaa    no note"), std::string::npos) << text;
    EXPECT_NE(text.find("zzz    no note"), std::string::npos) << text;
}

TEST(cli_ls, goes_page_by_page_and_says_how) {
    small_store s;
    EXPECT_EQ(output_of({"store", "ls", s.file(), "--class", "door", "--limit", "1"}),
              R"(class  key     state   epoch  generation  version  revision  changed (UTC)        bytes
door   gate-1  stored      1           7       12         3  2023-11-15 12:00:00     38
there are more: go on with --after gate-1, or take --all
)");
    EXPECT_EQ(output_of({"store", "ls", s.file(), "--class", "door", "--limit", "1", "--after", "gate-1"}),
              R"(class  key     state   epoch  generation  version  revision  changed (UTC)        bytes
door   gate-2  stored      1           8        1         2  2023-11-15 12:00:00     36
)");
    const std::string all = output_of({"store", "ls", s.file(), "--limit", "2"});
    EXPECT_NE(all.find("--after-class door --after gate-2"), std::string::npos) << all;
}

TEST(cli_ls, pages_for_scripts_give_every_row_once) {
    small_store s;
    s.fill(2500);
    std::vector<std::string> command{"store", "ls", s.file(), "--json"};
    std::size_t rows = 0;
    std::string last;
    for (int page = 0; page < 10; ++page) {
        const json read = json::parse(output_of(command));
        for (const json& r : read["rows"]) {
            const std::string name = r["class"].get<std::string>() + " " + r["key"].get<std::string>();
            EXPECT_LT(last, name);
            last = name;
            ++rows;
        }
        if (read["next"].is_null()) break;
        command = {"store",         "ls",
                   s.file(),        "--json",
                   "--after-class", read["next"]["class"].get<std::string>(),
                   "--after",       read["next"]["key"].get<std::string>()};
    }
    EXPECT_EQ(rows, 2503u);
    EXPECT_EQ(json::parse(output_of({"store", "ls", s.file(), "--json", "--all"}))["rows"].size(), 2503u);
}

TEST(cli_ls, for_scripts_is_one_object) {
    small_store s;
    const json read = json::parse(output_of({"store", "ls", s.file(), "--json", "--tombstones"}));
    EXPECT_EQ(read["store"], s.file());
    EXPECT_EQ(read["epoch"], 1);
    EXPECT_EQ(read["position"], json::parse(R"({"run":1,"tick":100,"commit":7,"births":12})"));
    EXPECT_EQ(read["classes"][1],
              json::parse(R"({"class":"vault","revisions":[1],"stored":1,"claimed":1,"erased":1})"));
    EXPECT_EQ(read["rows"].size(), 4u);
    EXPECT_EQ(
        read["rows"][0],
        json::parse(R"({"class":"door","key":"gate-1","state":"stored","epoch":1,"generation":7,"version":12,"birth":5,
        "revision":3,"owner":0,"created":1700049600000,"changed":1700049600000,"bytes":38})"));
    EXPECT_EQ(read["rows"][2]["state"], "erased");
    EXPECT_TRUE(read["next"].is_null());
    EXPECT_FALSE(json::parse(output_of({"store", "ls", s.file(), "--json", "--classes"})).contains("rows"));
}

TEST(cli_ls, of_a_store_without_rows_says_so) {
    const folder where;
    const auto db = lido::store::make_sqlite_database(where.file("new.db"));
    lido::store::opened_database found;
    ASSERT_TRUE(db->open(lido::store::open_mode::write, found));
    EXPECT_EQ(output_of({"store", "ls", where.file("new.db")}), "no classes and no rows\n");
    EXPECT_TRUE(json::parse(output_of({"store", "ls", where.file("new.db"), "--json"}))["rows"].empty());
}

TEST(cli_ls, names_that_a_terminal_would_obey_or_nobody_could_read_back_are_quoted) {
    small_store s;
    s.begin();
    s.save("odd", "a b", 1, 1, 1, "{}", 1);
    s.save("odd", "say \"hi\"", 1, 1, 1, "{}", 1);
    s.save("odd", "\xe2\x80\xaeturned", 1, 1, 1, "{}", 1);
    s.save("odd", "Tür-漢", 1, 1, 1, "{}", 1);
    s.commit();
    // What no store writes, and a person with a shell can.
    s.sql(
        "INSERT INTO entities VALUES ('odd', 'red' || char(27) || '[31m' || char(10), 1, 1, 1, 1, 1, 0, '{}', 0, 0, "
        "NULL)");
    s.sql("INSERT INTO entities VALUES ('odd', CAST(x'66ff' AS TEXT), 1, 1, 1, 1, 1, 0, '{}', 0, 0, NULL)");
    const std::string text = output_of({"store", "ls", s.file(), "--class", "odd"});
    for (const char* const name :
         {R"("a b")", R"("say \"hi\"")", R"("\u{202e}turned")", " Tür-漢 ", R"("red\u{1b}[31m\n")", R"("f\xff")"})
        EXPECT_NE(text.find(name), std::string::npos) << name << " in\n" << text;
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    const json read = json::parse(output_of({"store", "ls", s.file(), "--class", "odd", "--json"}));
    EXPECT_EQ(read["rows"].size(), 6u);
}

TEST(cli_show, prints_a_row_with_its_data_and_its_class) {
    small_store s;
    EXPECT_EQ(output_of({"store", "show", s.file(), "door", "gate-1"}), R"(door gate-1
  state       stored
  epoch       1
  generation  7, first life 5
  version     12
  revision    3
  owner       nobody
  created     2023-11-15 12:00:00 UTC
  changed     2023-11-15 12:00:00 UTC
{
  "hp": 100,
  "keeper": "Ann",
  "open": false
}
class door, revision 3, first seen 2023-11-15 12:00:01 UTC
  hp (was health), keeper, open
)");
}

TEST(cli_show, of_an_earlier_revision_has_the_note_of_that_and_of_the_newest) {
    small_store s;
    const std::string text = output_of({"store", "show", s.file(), "door", "gate-2"});
    const auto old_note = text.find("class door, revision 2");
    const auto new_note = text.find("class door, revision 3");
    EXPECT_NE(old_note, std::string::npos) << text;
    EXPECT_NE(new_note, std::string::npos) << text;
    EXPECT_LT(old_note, new_note);
}

TEST(cli_show, leaves_the_digits_of_numbers_as_they_are) {
    small_store s;
    s.begin();
    s.save("n", "n", 1, 1, 1,
           R"({"big":18446744073709551615,"long":0.10000000000000000555,"huge":123456789012345678901234567890})", 1);
    s.commit();
    const std::string text = output_of({"store", "show", s.file(), "n", "n"});
    for (const char* const number :
         {"18446744073709551615", "0.10000000000000000555", "123456789012345678901234567890"})
        EXPECT_NE(text.find(number), std::string::npos) << text;
}

TEST(cli_show, of_a_tombstone_and_a_claim_has_no_data) {
    small_store s;
    const std::string gone = output_of({"store", "show", s.file(), "vault", "gone"});
    EXPECT_NE(gone.find("state       erased"), std::string::npos) << gone;
    EXPECT_EQ(gone.find('{'), std::string::npos) << gone;
    EXPECT_NE(output_of({"store", "show", s.file(), "vault", "asked"}).find("state       claimed"), std::string::npos);
}

TEST(cli_show, of_damaged_data_says_what_is_wrong_and_prints_it_without_harm) {
    small_store s;
    s.sql("UPDATE entities SET data = '{\"hp\":' || char(27) || '[2J' WHERE key = 'gate-1'");
    const std::string text = output_of({"store", "show", s.file(), "door", "gate-1"});
    EXPECT_NE(text.find("its data is no JSON ("), std::string::npos) << text;
    EXPECT_NE(text.find("{\"hp\":\\u{1b}[2J"), std::string::npos) << text;
    EXPECT_TRUE(json::parse(output_of({"store", "show", s.file(), "door", "gate-1", "--json"})).contains("broken"));
}

TEST(cli_show, for_scripts_is_one_object_with_data_and_notes) {
    small_store s;
    const json read = json::parse(output_of({"store", "show", s.file(), "door", "gate-2", "--json"}));
    EXPECT_EQ(read["data"], json::parse(R"({"health":0.1,"open":true,"angle":9})"));
    EXPECT_EQ(read["notes"].size(), 2u);
    EXPECT_EQ(read["notes"][1]["fields"]["hp"][0], "health");
    EXPECT_EQ(read["birth"], 8);
}

TEST(cli_show, a_row_that_is_not_there_is_refused_by_name) {
    small_store s;
    expect_refused({"store", "show", s.file(), "door", "gate-9"}, 3,
                   "has no row door gate-9; lido store ls lists those that it has");
}

TEST(cli_show, a_key_with_a_dash_stands_behind_two_dashes) {
    small_store s;
    s.begin();
    s.save("door", "--json", 1, 1, 1, "{}", 1);
    s.commit();
    EXPECT_EQ(output_of({"store", "show", s.file(), "--", "door", "--json"}).substr(0, 11), "door --json");
}

}  // namespace cli_ls
