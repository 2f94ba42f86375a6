// The rooms of the program, one by one: texts, JSON as it was written, lines of an export.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "cli/program.hpp"
#include "store/export_form.hpp"
#include "store/line_file.hpp"

namespace cli_parts {

using namespace lido::cli;
using cli_tests::folder;
using cli_tests::write_file;

TEST(cli_text, knows_utf8_from_what_is_none) {
    for (const char* const good : {"", "a", "é", "漢", "🚪", "\xed\x9f\xbf", "\xee\x80\x80", "\xf4\x8f\xbf\xbf"})
        EXPECT_TRUE(is_utf8(good)) << good;
    for (const char* const wrong : {"\xff", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xed\xa0\x80",
                                    "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xc3", "\xe2\x82", "\x80"})
        EXPECT_FALSE(is_utf8(wrong)) << printable(wrong);
}

TEST(cli_text, is_printed_so_that_it_can_be_read_back_and_harms_nobody) {
    EXPECT_EQ(shown("gate-1"), "gate-1");
    EXPECT_EQ(shown(""), "\"\"");
    EXPECT_EQ(shown("a \"b\"\\"), R"("a \"b\"\\")");
    EXPECT_EQ(shown("\x1b[2J\t\xc2\x9b\xff"), R"("\u{1b}[2J\t\u{9b}\xff")");
    EXPECT_EQ(printable("a b\r"), "a b\\u{d}");
    EXPECT_EQ(json_string("a\"\\\n\x01\xff\xe2\x80\xae"), "\"a\\\"\\\\\\n\\u0001\xef\xbf\xbd\\u202e\"");
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(cli_text, times_are_those_of_a_calendar_where_there_is_one) {
    EXPECT_EQ(time_text(0), "1970-01-01 00:00:00");
    EXPECT_EQ(time_text(-1), "1969-12-31 23:59:59");
    EXPECT_EQ(time_text(1700049600999), "2023-11-15 12:00:00");
    EXPECT_EQ(time_text(INT64_MAX), "9223372036854775807 ms");
    EXPECT_EQ(time_text(INT64_MIN), "-9223372036854775808 ms");
}

TEST(cli_json, keeps_what_was_written) {
    EXPECT_EQ(compact_json(" { \"a b\" : [ 1.50 , 1e400000 ] ,\n\"c\":\"\\\" : ,\" } "),
              R"({"a b":[1.50,1e400000],"c":"\" : ,"})");
    EXPECT_EQ(compact_json("\"\xc2\x9b\x7f\""), "\"\\u009b\\u007f\"");
    EXPECT_EQ(pretty_json(R"({"a":[1,{"b":[]}],"c":{}})"),
              "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}");
}

TEST(cli_json, members_are_found_whatever_stands_in_texts) {
    const auto members =
        json_members(R"( { "a,\"}" : "},{" , "b" : [ "]" , {"c":1} ] , "d":-1e5 , "\u0065" : null } )");
    ASSERT_EQ(members.size(), 4u);
    EXPECT_EQ(members[0].name, "a,\"}");
    EXPECT_EQ(members[0].value, "\"},{\"");
    EXPECT_EQ(members[1].value, R"([ "]" , {"c":1} ])");
    EXPECT_EQ(members[2].value, "-1e5");
    EXPECT_EQ(members[3].name, "e");
    EXPECT_EQ(members[3].value, "null");
    EXPECT_TRUE(json_members("{}").empty());
    EXPECT_EQ(json_elements(R"([ 1 , "a,b" , [2,3] ])").size(), 3u);
}

TEST(cli_json, that_is_wrong_or_too_deep_is_refused_with_a_reason) {
    for (const char* const wrong :
         {"", "{", "{\"a\":01}", "[1,]", "nul", "{\"a\":1}x", "\"\xff\"", "{'a':1}", "NaN", "1e999"}) {
        const json_fault fault = check_json(wrong);
        EXPECT_FALSE(fault.good) << wrong;
        EXPECT_FALSE(fault.what.empty()) << wrong;
        EXPECT_TRUE(is_utf8(fault.what)) << wrong;
    }
    EXPECT_TRUE(check_json(std::string(64, '[') + std::string(64, ']')).good);
    EXPECT_FALSE(check_json(std::string(65, '[') + std::string(65, ']')).good);
    EXPECT_FALSE(check_json(std::string(1000000, '[')).good);
}

TEST(cli_json, two_ways_to_write_one_value_are_the_same) {
    EXPECT_TRUE(same_json(R"({"a":1,"b":[2]})", R"({ "b":[2.0], "a":1e0 })"));
    EXPECT_TRUE(same_json("\"\\u00e9\"", "\"é\""));
    EXPECT_TRUE(same_json("-5", "-5.0"));
    EXPECT_FALSE(same_json("-1", "18446744073709551615"));
    EXPECT_FALSE(same_json("9007199254740993", "9007199254740992.0"));
    EXPECT_FALSE(same_json("[1,2]", "[2,1]"));
    EXPECT_FALSE(same_json(R"({"a":1})", R"({"b":1})"));
    EXPECT_FALSE(same_json("1", "true"));
    EXPECT_FALSE(same_json("null", "{}"));
}

const std::string good_row =
    R"({"class":"door","key":"k","state":"stored","epoch":1,"generation":2,"version":3,"birth":1,"revision":-1,"owner":18446744073709551615,"created":-5,"changed":6,"data":{"a":1}})";

std::string changed(const std::string& from, const std::string& to) {
    std::string text = good_row;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(cli_export_line, of_a_row_has_all_of_it) {
    const export_line line = read_line(good_row);
    ASSERT_EQ(line.kind, line_kind::row) << line.wrong;
    EXPECT_EQ(line.row.owner, 18446744073709551615u);
    EXPECT_EQ(line.row.revision, -1);
    EXPECT_EQ(line.row.created, -5);
    EXPECT_EQ(line.row.data, "{\"a\":1}");
}

struct wrong_line {
    const char* name;
    std::string line;
    const char* told;
};
class cli_export_line_that_is_wrong : public ::testing::TestWithParam<wrong_line> {};

TEST_P(cli_export_line_that_is_wrong, is_refused_with_the_reason) {
    const export_line line = read_line(GetParam().line);
    EXPECT_EQ(line.kind, line_kind::wrong);
    EXPECT_NE(line.wrong.find(GetParam().told), std::string::npos) << line.wrong;
}

INSTANTIATE_TEST_SUITE_P(
    cli, cli_export_line_that_is_wrong,
    ::testing::Values(
        wrong_line{"no_json", "{\"class\":", "it is no JSON"},
        wrong_line{"no_object", "[1]", "it is no JSON object: a line is {…}"},
        wrong_line{"two_objects", good_row + good_row, "it is no JSON"},
        wrong_line{"a_name_twice", changed("\"birth\"", "\"version\""), "version is there twice"},
        wrong_line{"a_name_that_is_not_there", changed("\"owner\"", "\"ownr\""), "\"owner\" is missing"},
        wrong_line{"one_name_too_many", changed("\"owner\"", "\"ownr\":1,\"owner\""),
                   "there is nothing named ownr in such a line; owner is meant?"},
        wrong_line{"an_empty_key", changed("\"k\"", "\"\""), "the key is empty"},
        wrong_line{"a_long_key", changed("\"k\"", "\"" + std::string(256, 'k') + "\""),
                   "the key has more than 255 bytes"},
        wrong_line{"a_control_character", changed("\"k\"", "\"a\\u0007\""), "the key has a control character"},
        wrong_line{"a_nul_in_the_key", changed("\"k\"", "\"a\\u0000\""), "the key has a control character"},
        wrong_line{"a_class_that_is_no_text", changed("\"door\"", "1"), "\"class\" is no text"},
        wrong_line{"a_number_as_text", changed("\"version\":3", "\"version\":\"3\""),
                   "\"version\" is \"\\\"3\\\"\"; write a whole number"},
        wrong_line{"a_number_with_a_point", changed("\"version\":3", "\"version\":3.0"),
                   "\"version\" is 3.0; write a whole number"},
        wrong_line{"a_number_of_64_bits", changed("\"epoch\":1", "\"epoch\":9223372036854775808"),
                   "write a whole number from 0 to 9223372036854775807"},
        wrong_line{"an_owner_of_65_bits", changed("18446744073709551615", "18446744073709551616"),
                   "write a whole number from 0 to 18446744073709551615"},
        wrong_line{"a_state_of_no_name", changed("\"stored\"", "\"saved\""), "write stored, erased or claimed"},
        wrong_line{"a_life_that_never_was", changed("\"generation\":2", "\"generation\":0"), "lives count from 1"},
        wrong_line{"a_birth_after_the_life", changed("\"birth\":1", "\"birth\":3"),
                   "the birth is greater than the generation"},
        wrong_line{"data_that_is_a_list", changed("{\"a\":1}", "[1]"), "\"data\" is no object"},
        wrong_line{"a_field_twice", changed("{\"a\":1}", "{\"a\":1,\"a\":2}"), "\"data\" has a twice"},
        wrong_line{"a_nul_in_the_data", changed("{\"a\":1}", "{\"a\":\"\\\\\\u0000\"}"), "its data has a NUL"},
        wrong_line{"a_tombstone_with_data", changed("\"stored\"", "\"erased\""), "a row that is erased has no data"},
        wrong_line{"a_later_form",
                   R"({"lido":"store export","form":2,"epoch":1,"run":1,"tick":1,"commit":1,"births":1})",
                   "it is an export of form 2"},
        wrong_line{"another_export", R"({"lido":"pools","form":1,"epoch":1,"run":1,"tick":1,"commit":1,"births":1})",
                   "it is no export of a store"},
        wrong_line{"a_note_of_another_form", R"({"note":"door","revision":1,"seen":1,"fields":{"hp":"health"}})",
                   "each field with its former names"},
        wrong_line{"an_end_of_something_else", R"({"end":"of the world"})", "it ends something else"}),
    [](const auto& of) { return std::string(of.param.name); });

TEST(cli_export_line, a_backslash_before_u0000_is_no_nul) {
    EXPECT_EQ(read_line(changed("{\"a\":1}", "{\"a\":\"\\\\u0000\"}")).kind, line_kind::row);
}

TEST(cli_line_file, reads_lines_of_any_length_and_the_last_one_without_an_end) {
    const folder where;
    const std::string nul("a\0b", 3);
    const std::vector<std::string> lines{
        "first", "", std::string(65535, 'x'), std::string(65536, 'y'), std::string(200000, 'z'), nul, "last"};
    std::string text;
    for (const std::string& l : lines) text += (text.empty() ? "" : "\n") + l;
    write_file(where.file("f"), text);
    line_file file;
    ASSERT_EQ(file.open(where.file("f")), "");
    for (int twice = 0; twice < 2; ++twice) {
        std::string_view line;
        for (const std::string& l : lines) {
            ASSERT_TRUE(file.next(line));
            EXPECT_EQ(line, l);
        }
        EXPECT_FALSE(file.next(line));
        EXPECT_EQ(file.wrong(), "");
        file.rewind();
    }
    EXPECT_NE(file.open(where.file("none")), "");
    EXPECT_NE(file.open(where.path()), "");
}

}  // namespace cli_parts
