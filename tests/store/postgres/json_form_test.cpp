// S5.9: what is known of a JSON text before jsonb has it.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "postgres/json_form.hpp"

namespace store_postgres_json_form {

using lido::store_detail::json_form_of;

bool needs_text(std::string_view json) {
    const auto form = json_form_of(json);
    EXPECT_EQ(form.refused, "") << json;
    return form.needs_text;
}
std::string refused(std::string_view json) { return json_form_of(json).refused; }

TEST(json_form, a_negative_zero_in_any_spelling_needs_the_text_and_no_other_number_does) {
    for (const char* json : {R"({"a":-0})", R"({"a":-0.0})", R"([1,-0e5])", R"({"a":{"b":[-0.000E+2]}})"})
        EXPECT_TRUE(needs_text(json)) << json;
    for (const char* json : {R"({"a":0,"b":-1,"c":-0.5,"d":1e-0,"e":-10,"f":"-0","-0":1,"g":5e-324})", "{}", "[]"})
        EXPECT_FALSE(needs_text(json)) << json;
}

TEST(json_form, a_name_that_is_twice_in_one_object_is_refused_however_it_is_spelled) {
    for (const char* json :
         {R"({"a":1,"a":2})", R"({"a":1,"\u0061":2})", R"({"x":{"b":1,"c":{},"b":[]}})", R"([{"é":1,"\u00e9":2}])",
          R"({"\ud83d\udeaa":1,"🚪":2})", R"({"\"":1,"\u0022":2})", R"({"":1,"z":3,"":2})", R"({"\n":1,"\u000A":2})"}) {
        EXPECT_NE(refused(json).find("twice"), std::string::npos) << json << ": " << refused(json);
    }
}

TEST(json_form, a_name_may_be_again_in_another_object_and_as_a_text) {
    for (const char* json : {R"({"a":{"a":{"a":"a"}},"b":["a","a",{"a":1},{"a":1}]})", R"([{"a":1},{"a":1}])",
                             R"({"a":"a","b":"a","\\u0061":"x"})"})
        EXPECT_EQ(refused(json), "") << json;
}

TEST(json_form, a_nul_is_refused_and_what_only_looks_like_one_is_not) {
    EXPECT_NE(refused(R"({"t":"a\u0000b"})").find("NUL"), std::string::npos);
    EXPECT_NE(refused(R"({"\u0000":1})").find("NUL"), std::string::npos);
    EXPECT_EQ(refused(R"({"t":"\\u0000"})"), "");
    EXPECT_NE(refused(R"({"t":"\\\u0000"})").find("NUL"), std::string::npos);
}

TEST(json_form, digits_that_would_fill_the_memory_are_refused) {
    std::string many = "[0";
    for (int i = 0; i < 300; ++i) many += ",1e99999999";
    EXPECT_NE(refused(many + "]").find("exponents"), std::string::npos);
    std::string usual = "[0";
    for (int i = 0; i < 10000; ++i) usual += ",1e300";
    EXPECT_EQ(refused(usual + "]"), "");
}

TEST(json_form, what_is_no_json_is_left_to_the_server_and_read_within_its_bounds) {
    const std::string whole = R"({"a":"\ud83d\u00e9\\","b":[-0,{"c":1e5}],"\u00e9":{}})";
    for (std::size_t n = 0; n <= whole.size(); ++n) {
        const std::string part = whole.substr(0, n);  // on the heap, where a sanitizer sees its end
        EXPECT_EQ(refused(part), "") << part;
    }
    for (const char* odd :
         {"}", "]]]", "{\"a\"", "\"\\", "\"\\u", "{{{{", "-", "e", ",,,", "{\"a\":1]}", "\"\\ud800\\u"})
        EXPECT_EQ(refused(odd), "") << odd;
}

}  // namespace store_postgres_json_form
