// S4.1: every mistake in a file of settings is one message that says where, what, and what would be right; word for word.
#include <lido/world/settings_file.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace world_settings_file_mistakes_test {

using lido::parse_settings;
using lido::settings_result;

struct mistake {
    std::string_view text;
    std::string_view message;  ///< without the source
};

/// All of `mistakes`, below a header that makes the first line of each the second of the file.
template <std::size_t N>
void expect_in_a_class(const mistake (&mistakes)[N]) {
    for (const mistake& m : mistakes) {
        const settings_result r = parse_settings("[class.a]\n" + std::string(m.text), "pools.toml");
        EXPECT_EQ(r.error, "pools.toml:" + std::string(m.message)) << m.text;
        EXPECT_TRUE(r.table.classes.empty()) << m.text;
    }
}

template <std::size_t N>
void expect_in_a_file(const mistake (&mistakes)[N]) {
    for (const mistake& m : mistakes) {
        const settings_result r = parse_settings(m.text, "pools.toml");
        EXPECT_EQ(r.error, "pools.toml:" + std::string(m.message)) << m.text;
        EXPECT_TRUE(r.table.classes.empty()) << m.text;
    }
}

TEST(a_mistake, S4_1_in_a_number_names_its_range) {
    expect_in_a_class({
        {"prewarm = -3", "2: a: prewarm is -3; it must be 0 to 16777216"},
        {"prewarm = 16777217", "2: a: prewarm is 16777217; it must be 0 to 16777216"},
        {"prewarm = 9223372036854775807", "2: a: prewarm is 9223372036854775807; it must be 0 to 16777216"},
        {"prewarm = -9223372036854775808", "2: a: prewarm is -9223372036854775808; it must be 0 to 16777216"},
        {"prewarm = 64.0", "2: a: prewarm is a floating-point number; it must be a whole number, 0 to 16777216"},
        {"prewarm = nan", "2: a: prewarm is a floating-point number; it must be a whole number, 0 to 16777216"},
        {"prewarm = \"64\"", "2: a: prewarm is text; it must be a whole number, 0 to 16777216"},
        {"prewarm = true", "2: a: prewarm is true or false; it must be a whole number, 0 to 16777216"},
        {"prewarm = [64]", "2: a: prewarm is a list; it must be a whole number, 0 to 16777216"},
        {"prewarm = {}", "2: a: prewarm is a table; it must be a whole number, 0 to 16777216"},
        {"prewarm = 2001-01-01", "2: a: prewarm is a date or time; it must be a whole number, 0 to 16777216"},
        {"max_lifetime = 1099511627777", "2: a: max_lifetime is 1099511627777; it must be 0 to 1099511627776"},
        {"max_lifetime = '2 s'", "2: a: max_lifetime is text; it must be a whole number, 0 to 1099511627776"},
        {"capacity = -1", "2: a: capacity is -1; it must be 0 to 16777216"},
        {"grow_to = 0", "2: a: grow_to is 0; it must be 1 to 16777216"},
        {"grow_to = 16777217", "2: a: grow_to is 16777217; it must be 1 to 16777216"},
        {"idle_cap = 4294967295", "2: a: idle_cap is 4294967295; it must be 0 to 16777216"},
    });
}

TEST(a_mistake, S4_1_in_a_word_lists_the_right_ones) {
    expect_in_a_class({
        {"on_full = 'groww'",
         "2: a: on_full is \"groww\"; it must be reject, grow, replace_oldest, replace_lowest, replace_if or merge"},
        {"on_full = ''",
         "2: a: on_full is \"\"; it must be reject, grow, replace_oldest, replace_lowest, replace_if or merge"},
        {"on_full = 7",
         "2: a: on_full is a whole number; it must be reject, grow, replace_oldest, replace_lowest, replace_if or "
         "merge"},
        {"roles = ['server']",
         "2: a: roles has \"server\"; a role is standalone, client, listen_server or dedicated_server"},
        {"roles = ['client',\n  'Client']",
         "3: a: roles has \"Client\"; a role is standalone, client, listen_server or dedicated_server"},
        {"roles = [1]",
         "2: a: roles has a whole number; a role is standalone, client, listen_server or dedicated_server"},
        {"roles = ['client',\n'client']", "3: a: roles has \"client\" twice; once is enough"},
        {"roles = []",
         "2: a: roles is empty; it must be a list of standalone, client, listen_server and dedicated_server, one at "
         "least"},
        {"roles = 'client'",
         "2: a: roles is text; it must be a list of standalone, client, listen_server and dedicated_server, one at "
         "least"},
    });
}

TEST(a_mistake, S4_1_in_a_group_names_the_part) {
    expect_in_a_class({
        {"headroom = 90", "2: a: headroom is a whole number; it must be a table of above_percent and priority"},
        {"headroom = {}", "2: a: headroom has no above_percent"},
        {"headroom = { above_percent = 90 }", "2: a: headroom has no priority"},
        {"headroom = { above_percent = 0, priority = 1 }", "2: a: headroom.above_percent is 0; it must be 1 to 100"},
        {"headroom = { above_percent = 101, priority = 1 }",
         "2: a: headroom.above_percent is 101; it must be 1 to 100"},
        {"headroom = { above_percent = 90, priority = 16 }", "2: a: headroom.priority is 16; it must be 0 to 15"},
        {"headroom = { above_percnt = 90, priority = 1 }",
         "2: a: headroom.above_percnt is not a setting; did you mean above_percent?"},
        {"headroom = { above_percent = 90, priority = 1, x = 1 }",
         "2: a: headroom.x is not a setting; there are above_percent and priority"},
        {"reserve = -1", "2: a: reserve is -1; it must be 0 to 16777216"},
        {"leaks = \"ignore\"", "2: a: leaks is \"ignore\"; it must be report, allow, leave or abort"},
        {"leaks = true", "2: a: leaks is true or false; it must be report, allow, leave or abort"},
        {"trim = 600", "2: a: trim is a whole number; it must be a table of after and margin"},
        {"trim = { margin = 16 }", "2: a: trim has no after"},
        {"trim = { after = -1 }", "2: a: trim.after is -1; it must be 0 to 1099511627776"},
        {"trim = { after = 1.5 }",
         "2: a: trim.after is a floating-point number; it must be a whole number, 0 to 1099511627776"},
        {"trim = { after = 1, margin = -1 }", "2: a: trim.margin is -1; it must be 0 to 16777216"},
        {"[class.a.trim]\nafter = 1\nmargn = 1", "4: a: trim.margn is not a setting; did you mean margin?"},
    });
}

TEST(a_mistake, S4_1_in_a_key_suggests_the_nearest) {
    expect_in_a_class({
        {"prewram = 64", "2: a: prewram is not a setting; did you mean prewarm?"},
        {"Prewarm = 64", "2: a: Prewarm is not a setting; did you mean prewarm?"},
        {"maxlifetime = 1", "2: a: maxlifetime is not a setting; did you mean max_lifetime?"},
        {"role = []", "2: a: role is not a setting; did you mean roles?"},
        {"cap = 1",
         "2: a: cap is not a setting; a class has prewarm, max_lifetime, roles, capacity, on_full, grow_to, headroom, "
         "idle_cap, trim, reserve and leaks"},
        {"'' = 1",
         "2: a:  is not a setting; a class has prewarm, max_lifetime, roles, capacity, on_full, grow_to, headroom, "
         "idle_cap, trim, reserve and leaks"},
        {"[class.a.blast]", "2: a: blast is not a setting; a name with dots is quoted: [class.\"a.blast\"]"},
    });
}

TEST(a_mistake, S4_1_that_one_key_makes_of_another_names_both) {
    expect_in_a_class({
        {"capacity = 64\ngrow_to = 63", "3: a: grow_to is 63 and capacity 64; it must not be below it"},
        {"grow_to = 63\nprewarm = 64", "2: a: grow_to is 63 and prewarm 64; it must not be below it"},
        {"prewarm = 64\nidle_cap = 63", "2: a: prewarm is 64 and idle_cap 63; as many must be allowed to wait"},
        {"capacity = 32\nprewarm = 64",
         "3: a: prewarm is 64 and capacity 32; for more than can be active, give an idle_cap of 64 or more"},
    });
}

TEST(a_mistake, S4_1_outside_of_classes_is_one_too) {
    expect_in_a_file({
        {"clas = 1", "1: clas is not known; a file has tables [class.<name>] (did you mean class?)"},
        {"[world]\nx = 1", "1: world is not known; a file has tables [class.<name>]"},
        {"class = 3", "1: class is a whole number; a class is a table: [class.<name>]"},
        {"[[class]]", "1: class is a list; a class is a table: [class.<name>]"},
        {"[class]\nspark = 3", "2: class.spark is a whole number; a class is a table: [class.spark]"},
        {"[[class.\"a b\"]]", "1: class.\"a b\" is a list; a class is a table: [class.\"a b\"]"},
        {"[class.\"\"]", "1: a class has an empty name; it must be the name that the program adds it by"},
    });
}

TEST(a_mistake, S4_1_that_comes_first_is_the_one_that_is_told) {
    expect_in_a_file({
        {"[class.b]\nprewarm = -1\n[class.a]\nprewarm = -2", "2: b: prewarm is -1; it must be 0 to 16777216"},
        {"[class.a]\nidle_cap = -1\ncapacity = -2", "2: a: idle_cap is -1; it must be 0 to 16777216"},
        {"[class.a]\n[zoo]\n[class.b]\nprewarm = -1", "2: zoo is not known; a file has tables [class.<name>]"},
        {"[class.a]\ngrow_to = 1\ncapacity = 2\n[class.b]\nx = 1",
         "2: a: grow_to is 1 and capacity 2; it must not be below it"},
        {"[class.a]\nx = 1\n[class.b", "3:9: not TOML: encountered end-of-file (in a table header)"},
    });
}

TEST(a_mistake, S4_1_of_saying_a_thing_twice_names_it) {
    expect_in_a_file({
        {"[class.a]\nprewarm = 1\nprewarm = 2", "3: prewarm is given twice"},
        {"[class.a]\n\n[class.a]", "3: class.a is given twice"},
        {"[class.a]\n[class.\"a\"]", "2: given twice: [class.\"a\"]"},
        {"[class.a]\ntrim.after = 1\n trim = {} # again\r\n", "3: trim is given twice"},
        {"[class.a]\nprewarm = 1\n\t'prewarm' = 2 \r\n", "3: given twice: 'prewarm' = 2"},
        {"[class.a]\ntrim = { after = 1 }\ntrim.margin = 2", "3: given twice: trim.margin = 2"},
        {"[class.a]\ntrim = { after = 1 }\n[class.a.trim]", "3: class.a.trim is given twice"},
        {"[class.a]\ntrim = { after = 1, after = 2 }", "2: after is given twice"},
        {"class.a = 3\n[class.a]", "2: class.a is given twice"},
    });
}

TEST(a_mistake, S4_1_of_form_says_where_the_file_is_not_toml) {
    expect_in_a_file({
        {"[class.a", "1:9: not TOML: encountered end-of-file (in a table header)"},
        {"[class.a\n]", "1:9: not TOML: expected ']', saw '\\n' (in a table header)"},
        {"[class.game::explosion]", "1:12: not TOML: expected ']', saw ':' (in a table header)"},
        {"[class.a]\nprewarm 64", "2:9: not TOML: expected '=', saw '6' (in a key-value pair)"},
        {"[class.a]\nprewarm =\n", "2:10: not TOML: expected value, saw '\\n' (in a key-value pair)"},
        {"[class.a]\ntrim = {after = 1,}",
         "2:19: not TOML: expected key-value pair, saw closing '}' (dangling comma) (in an inline table)"},
        {"[class.a]\non_full = grow", "2:11: not TOML: could not determine value type (in a value)"},
        {"[class.a]\nprewarm = 99999999999999999999",
         "2:31: not TOML: '99999999999999999999' is not representable in 64 bits (in a decimal integer)"},
    });
}

TEST(a_hostile_file, S4_1_is_refused_before_it_costs_stack_or_memory) {
    const auto repeated = [](std::string_view part, int times) {
        std::string out;
        for (int i = 0; i < times; ++i) out += part;
        return out;
    };
    const std::string deep = "1: values inside values inside values, more than 16 of them; settings need three";
    const std::string dots = "1: more than 32 dots on a line; a key of settings has four parts at most";
    EXPECT_EQ(parse_settings("x = " + repeated("[", 10'000), "t").error, "t:" + deep);
    EXPECT_EQ(parse_settings("x = " + repeated("{a=", 10'000), "t").error, "t:" + deep);
    EXPECT_EQ(parse_settings(repeated("[", 10'000), "t").error,
              "t:1:3: not TOML: expected bare key starting character or string delimiter, saw '[' (in a key)");
    EXPECT_EQ(parse_settings("a" + repeated(".a", 500'000) + "=1", "t").error, "t:" + dots);
    EXPECT_EQ(parse_settings("[a" + repeated(" . a", 200'000) + "]", "t").error, "t:" + dots);
    // As deep as the two bounds let it be, line by line.
    const std::string key = "a" + repeated(".a", 32);
    const auto nested = [&](int times) {
        return repeated(key + " = [\n{", times) + key + " = 1" + repeated("}]", times);
    };
    EXPECT_EQ(parse_settings(nested(7), "t").error, "t:1: a is not known; a file has tables [class.<name>]");
    EXPECT_EQ(parse_settings(nested(8), "t").error, "t:9" + deep.substr(1));
}

TEST(a_hostile_file, S4_1_may_have_dots_where_they_name_nothing) {
    const std::string ruler(100, '.');
    EXPECT_EQ(
        parse_settings("# " + ruler + "\n  # a.b.c" + std::string(300, '.') + "\n[class.a] # " + ruler, "t").error, "");
    std::string sentence = "#";
    for (int i = 0; i < 40; ++i) sentence += " So.";
    EXPECT_EQ(parse_settings(sentence, "t").error, "");
}

TEST(a_hostile_file, S4_1_cannot_write_to_the_terminal) {
    const std::string_view escape = "[class.\"\\u001b[2J\\n\"]\nx = 1";
    EXPECT_EQ(parse_settings(escape, "t").error.substr(0, 25), "t:2: \\u001B[2J\\u000A: x i");
    EXPECT_EQ(parse_settings("[class.\"\\u202e\"]\nroles = ['\\u0085']", "a\nb\xff").error,
              "a\\u000Ab\\xFF:2: \\u202E: roles has \"\\u0085\"; a role is standalone, client, listen_server or "
              "dedicated_server");
    EXPECT_EQ(parse_settings("[class.a]\n" + std::string(100, 'x') + " = 1", "t").error,
              "t:2: a: " + std::string(60, 'x') +
                  "... is not a setting; a class has prewarm, max_lifetime, roles, capacity, on_full, grow_to, "
                  "headroom, idle_cap, trim, reserve and leaks");
    // What is text stays text, wherever it is.
    EXPECT_EQ(parse_settings("[class.\"Gr\xc3\xb6\xc3\x9f"
                             "e\"]\nprewarm = -1",
                             "t")
                  .error,
              "t:2: Gr\xc3\xb6\xc3\x9f"
              "e: prewarm is -1; it must be 0 to 16777216");
}

TEST(other_alphabets, S4_1_may_be_used_where_toml_lets_them) {
    const settings_result r = parse_settings(
        "# \xc2\xa7 \xd0\x96 \xe2\x80\xa8 \xef\xbb\xbf\n"
        "[class.\"\xd0\x96\xe7\x88\x86\xf0\x9f\x92\xa5\"]\nprewarm = 1 # "
        "\xe7\x88\x86\n[class.'\\u00e9']\n[class.\"\\u00e9\"]\n[class.\"\\u005cU0010\"]",
        "t");
    ASSERT_TRUE(r) << r.error;
    ASSERT_EQ(r.table.classes.size(), 4u);
    EXPECT_EQ(r.table.classes[3].name, "\\U0010");
    EXPECT_EQ(r.table.classes[0].name, "\xd0\x96\xe7\x88\x86\xf0\x9f\x92\xa5");
    EXPECT_EQ(r.table.classes[1].name, "\\u00e9");
    EXPECT_EQ(r.table.classes[2].name, "\xc3\xa9");
    expect_in_a_file({
        {"[class.a]\n\xc2\xa7 = 1",
         "2:1: not TOML: expected keys, tables, whitespace or comments, saw '\xc2\xa7' (in a root table)"},
        {"[class.a]\nprewarm\xc2\xa0= 1", "2:8: not TOML: expected '=', saw '\\u00A0' (in a key-value pair)"},
        {"[class.\xd0\x96]",
         "1:8: not TOML: expected bare key starting character or string delimiter, saw '\xd0\x96' (in a key)"},
        {"\n[class.a]\non_full = \"\"\"\\\n\xc2\xa7\"\"\"",
         "3: a: on_full is \"\xc2\xa7\"; it must be reject, grow, replace_oldest, replace_lowest, replace_if or merge"},
        {"\r\xd1\x9f", "1:2: not TOML: expected '\\n' after '\\r', saw '\\u045F' (in a root table)"},
        {"\n# \xf4\x80\x80\x80", "2: a character of private use, U+100000 or above; leave it out"},
        {"\n\n[class.\"\\U00100041\"]", "3: a character of private use, U+100000 or above; leave it out"},
    });
}

TEST(a_file_in_another_encoding, S4_1_is_refused_with_the_line) {
    const std::string expected = "t:2: not UTF-8; settings are saved as UTF-8 text";
    for (const std::string_view bad : {"\xff", "\x80", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                       "\xe2\x82", "\xf8\x88\x80\x80\x80", "\xe0\x80\x80", "\xf0\x80\x80\x80"})
        EXPECT_EQ(parse_settings("# one\n# two " + std::string(bad), "t").error, expected);
    EXPECT_EQ(parse_settings("# \xf3\xbf\xbf\xbf \xee\x80\x80 \xed\x9f\xbf \xc2\x80", "t").error, "");
    EXPECT_EQ(parse_settings(std::string_view("[\0c]", 4), "t").error.substr(0, 4), "t:1:");
}

}  // namespace world_settings_file_mistakes_test
