// `lido store export` and `import`: out as text, and back.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "cli/small_store.hpp"

namespace cli_import {

using namespace cli_tests;
using nlohmann::json;

std::string exported(const std::string& file) { return output_of({"store", "export", file, "--claims"}); }

TEST(cli_export, writes_a_line_per_row_between_a_first_and_a_last_one) {
    small_store s;
    EXPECT_EQ(output_of({"store", "export", s.file()}),
              R"({"lido":"store export","form":1,"epoch":1,"run":1,"tick":100,"commit":7,"births":12}
{"note":"door","revision":2,"seen":1700049600000,"fields":{"health":[],"open":[],"angle":[]}}
{"note":"door","revision":3,"seen":1700049601000,"fields":{"hp":["health"],"keeper":[],"open":[]}}
{"note":"vault","revision":1,"seen":1700049600000,"fields":{"gold":[]}}
{"class":"door","key":"gate-1","state":"stored","epoch":1,"generation":7,"version":12,"birth":5,"revision":3,"owner":0,"created":1700049600000,"changed":1700049600000,"data":{"hp":100,"keeper":"Ann","open":false}}
{"class":"door","key":"gate-2","state":"stored","epoch":1,"generation":8,"version":1,"birth":8,"revision":2,"owner":0,"created":1700049600000,"changed":1700049600000,"data":{"health":0.1,"open":true,"angle":9}}
{"class":"vault","key":"gone","state":"erased","epoch":1,"generation":9,"version":3,"birth":9,"revision":1,"owner":0,"created":1700049600000,"changed":1700049600000}
{"class":"vault","key":"north","state":"stored","epoch":1,"generation":3,"version":2,"birth":3,"revision":1,"owner":0,"created":1700049600000,"changed":1700049600000,"data":{"gold":18446744073709551615}}
{"end":"store export"}
)");
    const std::string fewer =
        output_of({"store", "export", s.file(), "--no-tombstones", "--class", "vault", "--claims"});
    EXPECT_EQ(fewer.find("gone"), std::string::npos);
    EXPECT_EQ(fewer.find("door"), std::string::npos);
    EXPECT_NE(fewer.find("asked"), std::string::npos);
}

TEST(cli_export, into_a_file_never_takes_the_place_of_another) {
    small_store s;
    const std::string to = s.file("out.jsonl");
    EXPECT_EQ(output_of({"store", "export", s.file(), "--to", to}), to + ": 4 rows of " + s.file() + "\n");
    EXPECT_EQ(read_file(to), output_of({"store", "export", s.file()}));
    EXPECT_FALSE(exists(to + ".part"));
    expect_refused({"store", "export", s.file(), "--to", to}, 3,
                   "there is a file of that name; give another, or remove it first");
    expect_refused({"store", "export", s.file(), "--to", s.file("no/such/folder")}, 3,
                   "it cannot be made (No such file or directory)");
    EXPECT_EQ(json::parse(output_of({"store", "export", s.file(), "--to", s.file("2"), "--json"}))["rows"], 4);
}

TEST(cli_export, of_damaged_data_is_a_line_that_somebody_has_to_repair) {
    small_store s;
    s.sql("UPDATE entities SET data = '{\"hp\":100,}' WHERE key = 'gate-1'");
    const outcome o = run({"store", "export", s.file()});
    EXPECT_EQ(o.exit, 1);
    EXPECT_TRUE(o.says("door gate-1: its data is no JSON object; it is in the export as \"broken\"")) << o.err;
    EXPECT_NE(o.out.find(R"("broken":"{\"hp\":100,}")"), std::string::npos) << o.out;
    write_file(s.file("x.jsonl"), o.out);
    const outcome back = run({"store", "import", s.file("new.db"), s.file("x.jsonl"), "--create"});
    EXPECT_EQ(back.exit, 3);
    EXPECT_TRUE(
        back.says("x.jsonl:5: its data was no JSON object when it was exported: write what it should be as "
                  "\"data\":{…}, and take \"broken\" away"))
        << back.err;
    // The way out of it that the guide describes.
    write_file(s.file("x.jsonl"), with(o.out, R"("broken":"{\"hp\":100,}")", R"("data":{"hp":100})"));
    EXPECT_EQ(output_of({"store", "import", s.closed(), s.file("x.jsonl"), "--replace"}),
              s.file("x.jsonl") + ": 4 rows: 1 replaced, 3 the same already\n");
    EXPECT_EQ(output_of({"store", "check", s.file()}), "in order: 5 rows, claims and tombstones included\n");
}

TEST(cli_import, of_a_whole_export_makes_the_same_store) {
    small_store s;
    s.fill(1500);
    write_file(s.file("x.jsonl"), exported(s.file()));
    const std::string copy = s.file("copy.db");
    EXPECT_EQ(output_of({"store", "import", copy, s.file("x.jsonl"), "--create"}),
              s.file("x.jsonl") + ": 1,505 rows: 1,505 new\n");
    EXPECT_EQ(exported(copy), exported(s.file()));
    EXPECT_EQ(output_of({"store", "diff", s.file(), copy, "--stamps"}), "no differences\n");
    EXPECT_EQ(output_of({"store", "check", copy}), "in order: 1,505 rows, claims and tombstones included\n");
    EXPECT_EQ(output_of({"store", "import", copy, s.file("x.jsonl")}),
              s.file("x.jsonl") + ": 1,505 rows: 1,505 the same already\n");
}

TEST(cli_import, brings_odd_names_and_texts_back_exactly) {
    small_store s;
    s.begin();
    const std::vector<std::string> odd{"a b",
                                       "q\"uote'",
                                       "back\\slash",
                                       "Tür-漢-🚪",
                                       "\xe2\x80\xae",
                                       "%s%n",
                                       "'; DROP TABLE entities; --",
                                       std::string(255, 'k')};
    for (const std::string& key : odd)
        s.save(odd[3], key, 1, 1, 1, "{\n \"t\" : \"line\\nend \xc2\x85 \\u0007\" ,\t\"n\":1.50}", 1);
    s.commit();
    write_file(s.file("x.jsonl"), exported(s.file()));
    output_of({"store", "import", s.file("copy.db"), s.file("x.jsonl"), "--create"});
    EXPECT_EQ(exported(s.file("copy.db")), exported(s.file()));
    for (const std::string& key : odd) {
        const json read = json::parse(output_of({"store", "show", s.file("copy.db"), odd[3], key, "--json"}));
        EXPECT_EQ(read["key"], key);
        EXPECT_EQ(read["data"]["t"], "line\nend \xc2\x85 \x07");
    }
}

TEST(cli_import, an_edited_row_wins_only_when_that_is_said_and_then_by_a_later_version) {
    small_store s;
    write_file(s.file("x.jsonl"), with(exported(s.closed()), "\"hp\":100", "\"hp\":55"));
    const std::string before = exported(s.file());
    const std::vector<std::string> command{"store", "import", s.file(), s.file("x.jsonl")};
    const outcome refused = run(command);
    EXPECT_EQ(refused.exit, 3);
    EXPECT_EQ(
        with(refused.err, s.path() + "/", ""),
        R"(lido store import: x.jsonl:5: door gate-1: the store has another of this stamp (generation 7, version 12)
lido store import: 1 row of the store would be written over; --replace lets the file win, --keep the store; nothing was changed
)");
    EXPECT_EQ(output_of({"store", "import", s.file(), s.file("x.jsonl"), "--keep"}),
              s.file("x.jsonl") + ": 5 rows: 1 kept as the store has them, 4 the same already\n");
    EXPECT_EQ(output_of({"store", "diff", s.file(), s.file("x.jsonl")}, 1),
              "~ door gate-1\n    hp: 100 -> 55\n0 added, 0 removed, 1 changed\n");
    EXPECT_EQ(output_of({"store", "import", s.file(), s.file("x.jsonl"), "--replace"}),
              s.file("x.jsonl") + ": 5 rows: 1 replaced, 4 the same already\n");
    const json row = json::parse(output_of({"store", "show", s.file(), "door", "gate-1", "--json"}));
    EXPECT_EQ(row["data"]["hp"], 55);
    EXPECT_EQ(row["generation"], 7);
    EXPECT_EQ(row["version"], 13);
    EXPECT_EQ(row["birth"], 5);
    EXPECT_EQ(row["created"], noon);
    EXPECT_GT(row["changed"], noon);
}

TEST(cli_import, of_an_older_export_says_that_the_store_is_later) {
    small_store s;
    write_file(s.file("x.jsonl"), exported(s.file()));
    s.begin();
    s.save("door", "gate-1", 9, 4, 3, R"({"hp":1,"keeper":"","open":true})", 5);
    s.commit();
    s.closed();
    const outcome refused = run({"store", "import", s.file(), s.file("x.jsonl")});
    EXPECT_EQ(refused.exit, 3);
    EXPECT_TRUE(refused.says("the store has another of a later stamp (generation 9, version 4)")) << refused.err;
    output_of({"store", "import", s.file(), s.file("x.jsonl"), "--replace"});
    const json row = json::parse(output_of({"store", "show", s.file(), "door", "gate-1", "--json"}));
    EXPECT_EQ(row["data"]["hp"], 100);
    EXPECT_EQ(row["generation"], 9);
    EXPECT_EQ(row["version"], 5);
}

TEST(cli_import, of_a_later_row_needs_no_word) {
    small_store s;
    write_file(s.file("x.jsonl"), with(exported(s.closed()), "\"version\":12,", "\"version\":20,"));
    EXPECT_EQ(output_of({"store", "import", s.file(), s.file("x.jsonl")}),
              s.file("x.jsonl") + ": 5 rows: 1 later than the store's, 4 the same already\n");
    EXPECT_EQ(json::parse(output_of({"store", "show", s.file(), "door", "gate-1", "--json"}))["version"], 20);
}

TEST(cli_import, brings_an_erased_row_back_and_erases_one) {
    small_store s;
    write_file(s.file("x.jsonl"), exported(s.file()));
    s.begin();
    s.erase("door", "gate-1", 7, 13);
    s.commit();
    s.closed();
    output_of({"store", "import", s.file(), s.file("x.jsonl"), "--replace"});
    json row = json::parse(output_of({"store", "show", s.file(), "door", "gate-1", "--json"}));
    EXPECT_EQ(row["state"], "stored");
    EXPECT_EQ(row["version"], 14);
    EXPECT_EQ(row["birth"], 5);
    write_file(
        s.file("y.jsonl"),
        R"({"class":"door","key":"gate-1","state":"erased","epoch":1,"generation":7,"version":15,"birth":5,"revision":3,"owner":0,"created":0,"changed":0})");
    output_of({"store", "import", s.file(), s.file("y.jsonl"), "--part"});
    row = json::parse(output_of({"store", "show", s.file(), "door", "gate-1", "--json"}));
    EXPECT_EQ(row["state"], "erased");
}

TEST(cli_import, raises_the_births_of_the_store_above_every_generation) {
    small_store s;
    write_file(
        s.file("x.jsonl"),
        R"({"class":"door","key":"new","state":"stored","epoch":1,"generation":700,"version":0,"birth":700,"revision":3,"owner":0,"created":0,"changed":0,"data":{}})");
    output_of({"store", "import", s.closed(), s.file("x.jsonl"), "--part"});
    const json position = json::parse(output_of({"store", "ls", s.file(), "--json"}))["position"];
    EXPECT_EQ(position, json::parse(R"({"run":1,"tick":100,"commit":7,"births":700})"));
}

TEST(cli_import, tried_out_says_the_same_and_changes_nothing) {
    small_store s;
    write_file(s.file("x.jsonl"), with(exported(s.file()), "\"hp\":100", "\"hp\":55"));
    const std::string before = exported(s.file());
    // A game may have it.
    EXPECT_EQ(output_of({"store", "import", s.file(), s.file("x.jsonl"), "--replace", "--dry-run"}),
              s.file("x.jsonl") + ": 5 rows: 1 replaced, 4 the same already; nothing was changed: --dry-run\n");
    EXPECT_EQ(run({"store", "import", s.file(), s.file("x.jsonl"), "--dry-run"}).exit, 3);
    EXPECT_EQ(exported(s.file()), before);
    EXPECT_EQ(json::parse(output_of(
                  {"store", "import", s.file("new.db"), s.file("x.jsonl"), "--create", "--dry-run", "--json"})),
              json::parse(R"({"rows":5,"new":5,"later":0,"replaced":0,"kept":0,"same":0,"written":false})"));
    EXPECT_FALSE(exists(s.file("new.db")));
    EXPECT_FALSE(exists(s.file("new.db-lock")));
}

TEST(cli_import, reads_standard_input) {
    small_store s;
    const outcome o = run({"store", "import", s.file("copy.db"), "-", "--create"}, {.input = exported(s.file())});
    EXPECT_EQ(o.out, "standard input: 5 rows: 5 new\n") << o.err;
    const outcome wrong = run({"store", "import", s.file("copy.db"), "-"}, {.input = "{}\n"});
    EXPECT_TRUE(wrong.says("standard input:1: \"class\" is missing")) << wrong.err;
}

TEST(cli_import, takes_what_editors_of_other_systems_make_of_a_file) {
    small_store s;
    write_file(s.file("x.jsonl"), "\xef\xbb\xbf" + with(exported(s.file()), "\n", "\r\n") + "\r\n  \r\n");
    EXPECT_EQ(output_of({"store", "import", s.file("copy.db"), s.file("x.jsonl"), "--create"}),
              s.file("x.jsonl") + ": 5 rows: 5 new\n");
}

TEST(cli_import, of_a_file_with_a_wrong_line_changes_nothing_and_names_every_line) {
    small_store s;
    const std::string before = exported(s.closed());
    std::string text = with(before, "\"key\":\"gate-2\"", "\"key\":\"gate-1\"");
    text = with(text, "\"generation\":3,", "\"generation\":-3,");
    text = with(text, "{\"end\"", "{\"lido\":1}\n{\"class\":\"new\n{\"end\"");
    write_file(s.file("x.jsonl"), text);
    const outcome o = run({"store", "import", s.file(), s.file("x.jsonl"), "--replace"});
    EXPECT_EQ(o.exit, 3);
    EXPECT_EQ(with(o.err, s.path() + "/", ""),
              R"(lido store import: x.jsonl:6: door gate-1 is there already, in line 5; leave one out
lido store import: x.jsonl:9: "generation" is -3; write a whole number from 0 to 9223372036854775807
lido store import: x.jsonl:10: "lido" is no text
lido store import: x.jsonl:11: it is no JSON: invalid string: missing closing quote, at "\"new" (column 14)
lido store import: 4 lines are wrong; nothing was changed
)");
    EXPECT_EQ(exported(s.file()), before);
}

TEST(cli_import, of_a_file_that_was_cut_off_changes_nothing_unless_that_is_said) {
    small_store s;
    const std::string all = exported(s.closed());
    const std::string cut = all.substr(0, all.find("{\"class\":\"vault\""));
    write_file(s.file("x.jsonl"), cut);
    const outcome o = run({"store", "import", s.file("copy.db"), s.file("x.jsonl"), "--create"});
    EXPECT_EQ(o.exit, 3);
    EXPECT_TRUE(
        o.says("x.jsonl:7: the export's last line, {\"end\":\"store export\"}, is missing: the file was cut off"))
        << o.err;
    EXPECT_FALSE(exists(s.file("copy.db")));
    EXPECT_EQ(output_of({"store", "import", s.file("copy.db"), s.file("x.jsonl"), "--create", "--part"}),
              s.file("x.jsonl") + ": 2 rows: 2 new\n");
    for (const char* const text : {"", "\n\n"}) {
        write_file(s.file("x.jsonl"), text);
        EXPECT_TRUE(run({"store", "import", s.file(), s.file("x.jsonl")}).says("there is nothing in it"));
    }
    write_file(s.file("x.jsonl"), all + all);
    EXPECT_TRUE(run({"store", "import", s.file(), s.file("x.jsonl")})
                    .says("x.jsonl:11: it stands behind the last line of the export"));
    write_file(s.file("x.jsonl"), all.substr(all.find('\n') + 1));
    EXPECT_TRUE(run({"store", "import", s.file(), s.file("x.jsonl")}).says("x.jsonl:1: the export's first line"));
}

TEST(cli_import, in_batches_keeps_what_was_committed_before) {
    small_store s;
    s.fill(100);
    write_file(s.file("x.jsonl"), exported(s.file()));
    EXPECT_EQ(output_of({"store", "import", s.file("copy.db"), s.file("x.jsonl"), "--create", "--batch", "7"}),
              s.file("x.jsonl") + ": 105 rows: 105 new\n");
    EXPECT_EQ(exported(s.file("copy.db")), exported(s.file()));
    // Rows of vault come last: one that the store has otherwise stops it when those of door are committed.
    write_file(s.file("x.jsonl"), with(exported(s.file()), "18446744073709551615", "2"));
    output_of({"store", "import", s.file("third.db"), s.file("x.jsonl"), "--create"});
    store_tests::run_sql(s.file("third.db"), "DELETE FROM entities WHERE class = 'door'");
    write_file(s.file("x.jsonl"), exported(s.file()));
    const outcome o = run({"store", "import", s.file("third.db"), s.file("x.jsonl"), "--batch", "10"});
    EXPECT_EQ(o.exit, 3);
    EXPECT_TRUE(o.says("100 rows were committed before, and stay")) << o.err;
    const json read = json::parse(output_of({"store", "ls", s.file("third.db"), "--json", "--class", "door"}));
    EXPECT_EQ(read["rows"].size(), 100u);
    EXPECT_EQ(output_of({"store", "check", s.file("third.db")}).rfind("in order", 0), 0u);
}

TEST(cli_import, adds_notes_that_the_store_does_not_have_and_changes_none) {
    small_store s;
    write_file(s.file("x.jsonl"), R"({"note":"door","revision":3,"seen":5,"fields":{"other":[]}}
{"note":"lamp","revision":1,"seen":6,"fields":{"on":[]}}
)");
    output_of({"store", "import", s.closed(), s.file("x.jsonl"), "--part"});
    const std::string text = output_of({"store", "export", s.file()});
    EXPECT_NE(text.find(R"({"note":"door","revision":3,"seen":1700049601000,"fields":{"hp":["health"])"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(R"({"note":"lamp","revision":1,"seen":6,"fields":{"on":[]}})"), std::string::npos) << text;
}

TEST(cli_import, a_row_of_another_server_is_not_written_over) {
    small_store s;
    write_file(s.file("x.jsonl"), with(exported(s.closed()), "\"version\":12,", "\"version\":20,"));
    s.sql("UPDATE entities SET epoch = 900 WHERE key = 'gate-1'");
    const std::string before = exported(s.file());
    const outcome o = run({"store", "import", s.file(), s.file("x.jsonl")});
    EXPECT_EQ(o.exit, 3);
    EXPECT_TRUE(o.says("x.jsonl:5: door gate-1: another writer has it; end the program that has it")) << o.err;
    EXPECT_TRUE(o.says("nothing was changed")) << o.err;
    EXPECT_EQ(with(exported(s.file()), "\"epoch\":2,\"run\"", "\"epoch\":1,\"run\""), before);
}

}  // namespace cli_import
