// `lido store diff`: rows that came, went and changed, between stores and exports.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/program.hpp"
#include "cli/small_store.hpp"

namespace cli_diff {

using namespace cli_tests;
using nlohmann::json;

/// The second store, with something of each kind changed.
struct two_stores {
    small_store a;
    small_store b;
    two_stores() {
        b.begin();
        b.save("door", "gate-1", 7, 13, 3, R"({"open":false,"keeper":"Bob","hp":100,"wear":[1,{"x":2}]})", 5,
               noon + 5000);
        b.erase("door", "gate-2", 8, 2);
        b.save("door", "gate-3", 10, 0, 3, "{}", 10);
        b.commit();
    }
};

TEST(cli_diff, names_what_was_added_removed_and_changed_field_by_field) {
    two_stores s;
    EXPECT_EQ(output_of({"store", "diff", s.a.file(), s.b.file()}, 1), R"(~ door gate-1
    keeper: "Ann" -> "Bob"
    wear: nothing -> [1,{"x":2}]
- door gate-2
+ door gate-3
1 added, 1 removed, 1 changed
)");
}

TEST(cli_diff, of_a_store_with_itself_finds_nothing) {
    small_store s;
    EXPECT_EQ(output_of({"store", "diff", s.file(), s.file()}), "no differences\n");
}

TEST(cli_diff, passes_over_stamps_unless_asked) {
    small_store a;
    small_store b;
    b.begin();
    b.save("door", "gate-1", 7, 13, 3, R"({"hp":100.0,"keeper":"Ann","open":false})", 5, noon + 5000);
    b.commit();
    EXPECT_EQ(output_of({"store", "diff", a.file(), b.file()}), "no differences\n");
    EXPECT_EQ(output_of({"store", "diff", a.file(), b.file(), "--stamps"}, 1), R"(~ door gate-1
    (version): 12 -> 13
    (changed): 1700049600000 -> 1700049605000
0 added, 0 removed, 1 changed
)");
}

TEST(cli_diff, with_stamps_a_tombstone_is_a_row) {
    two_stores s;
    const std::string text = output_of({"store", "diff", s.a.file(), s.b.file(), "--stamps"}, 1);
    EXPECT_NE(text.find("~ door gate-2\n    (state): \"stored\" -> \"erased\"\n"), std::string::npos) << text;
}

TEST(cli_diff, compares_a_store_with_an_export_in_whatever_order_its_lines_are) {
    two_stores s;
    ASSERT_EQ(output_of({"store", "export", s.b.file(), "--to", s.b.file("b.jsonl")}).empty(), false);
    EXPECT_EQ(output_of({"store", "diff", s.b.file(), s.b.file("b.jsonl"), "--stamps"}), "no differences\n");
    std::string text = read_file(s.b.file("b.jsonl"));
    const std::size_t row = text.find("{\"class\":\"vault\",\"key\":\"north\"");
    const std::string line = text.substr(row, text.find('\n', row) + 1 - row);
    text = line + with(text, line, "");
    write_file(s.b.file("b.jsonl"), text);
    EXPECT_EQ(output_of({"store", "diff", s.a.file(), s.b.file("b.jsonl")}, 1),
              output_of({"store", "diff", s.a.file(), s.b.file()}, 1));
    write_file(s.b.file("b.jsonl"), text + line);
    expect_refused({"store", "diff", s.a.file(), s.b.file("b.jsonl")}, 3, "vault north is there twice");
    write_file(s.b.file("b.jsonl"), text + "{\"class\":1}\n");
    expect_refused({"store", "diff", s.a.file(), s.b.file("b.jsonl")}, 3, "b.jsonl:11: \"class\" is no text");
}

TEST(cli_diff, of_large_stores_finds_the_one_row) {
    small_store a;
    small_store b;
    a.fill(3000);
    b.fill(3000);
    b.sql("UPDATE entities SET data = json_set(data, '$.hp', 7) WHERE key = 'k001234'");
    b.sql("DELETE FROM entities WHERE key = 'k003000'");
    EXPECT_EQ(output_of({"store", "diff", a.file(), b.file()}, 1),
              "~ door k001234\n    hp: 1234 -> 7\n- door k003000\n0 added, 1 removed, 1 changed\n");
    EXPECT_EQ(output_of({"store", "diff", a.file(), b.file(), "--class", "door", "--prefix", "k0012"}, 1),
              "~ door k001234\n    hp: 1234 -> 7\n0 added, 0 removed, 1 changed\n");
}

TEST(cli_diff, tells_apart_what_a_double_cannot) {
    small_store a;
    small_store b;
    for (small_store* const s : {&a, &b}) {
        s->begin();
        s->save("n", "n", 1, 1, 1,
                s == &a ? R"({"a":9007199254740993,"b":-1,"c":1,"d":1e2})"
                        : R"({"a":9007199254740992.0,"b":18446744073709551615,"c":1.0,"d":100})",
                1);
        s->commit();
    }
    EXPECT_EQ(output_of({"store", "diff", a.file(), b.file()}, 1),
              "~ n n\n    a: 9007199254740993 -> 9007199254740992.0\n    b: -1 -> 18446744073709551615\n0 added, 0 "
              "removed, 1 changed\n");
}

TEST(cli_diff, of_damaged_data_compares_it_as_a_whole) {
    small_store a;
    small_store b;
    b.sql("UPDATE entities SET data = '{\"hp\":' WHERE key = 'gate-1'");
    EXPECT_NE(output_of({"store", "diff", a.file(), b.file()}, 1).find("(data): \"{\\\"hp\\\":100,"),
              std::string::npos);
}

TEST(cli_diff, for_scripts_is_one_object) {
    two_stores s;
    const json read = json::parse(output_of({"store", "diff", s.a.file(), s.b.file(), "--json"}, 1));
    EXPECT_EQ(read["added"], 1);
    EXPECT_EQ(read["removed"], 1);
    EXPECT_EQ(read["changed"], 1);
    EXPECT_EQ(read["differences"][0], json::parse(R"({"class":"door","key":"gate-1","what":"changed",
        "fields":[{"field":"keeper","from":"Ann","to":"Bob"},{"field":"wear","to":[1,{"x":2}]}]})"));
    EXPECT_EQ(read["differences"][1]["what"], "removed");
    EXPECT_EQ(json::parse(output_of({"store", "diff", s.a.file(), s.a.file(), "--json"}))["differences"].size(), 0u);
}

}  // namespace cli_diff
