// X26: an older stored form becomes an object of today: added, dropped, widened and renamed fields by themselves, the rest by `migrate`.
#include "entity/schema/fixtures.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace schema_load_test {

using namespace lido::test::schema;
using lido::load_fault;
using lido::record;

const lido::class_schema& doors() { return lido::schema_of<door>(); }

TEST(loading, X26_gives_defaults_to_added_fields_and_passes_over_dropped_ones) {
    door d = other_door();
    EXPECT_TRUE(doors().load(record(R"({"hp":5,"locked":true,"nails":[1,{"a":[]}]})", 2), &d));
    EXPECT_EQ(d.hp, 5);
    EXPECT_EQ(d.built, -1);
    EXPECT_FALSE(d.open) << "nothing of what was in the object before";
    EXPECT_TRUE(d.chest.empty());
}

TEST(loading, X26_takes_renamed_fields_by_their_former_names_and_the_living_name_first) {
    door d;
    EXPECT_TRUE(doors().load(record(R"({"health":9})", 1), &d));
    EXPECT_EQ(d.hp, 9);
    EXPECT_TRUE(doors().load(record(R"({"health":9,"hp":8})", 1), &d));
    EXPECT_EQ(d.hp, 8);
}

TEST(loading, X26_widens_values_by_itself) {
    door d;
    EXPECT_TRUE(doors().load(record(R"({"angle":7,"code":3,"hinge":[1],"open":1,"built":3.0,"wear":true})", 2), &d));
    EXPECT_EQ(d.angle, 7.0f);
    EXPECT_EQ(d.code, 3);
    EXPECT_EQ(d.hinge[0], 1.0);
    EXPECT_TRUE(d.open);
    EXPECT_EQ(d.built, 3);
    EXPECT_EQ(d.wear, 1u);
}

void refused(std::string_view text, std::int64_t revision, load_fault fault, std::string_view field = {}) {
    door d;
    const auto result = doors().load(record(text, revision), &d);
    EXPECT_EQ(result.fault, fault) << text << ": " << to_string(result.fault);
    EXPECT_EQ(result.field != nullptr ? result.field->name : std::string_view(), field) << text;
}

// D36: what could not be loaded is told, so that nobody saves over it.
TEST(loading, X26_refuses_what_does_not_fit_and_names_the_field) {
    refused(R"({"hp":70000})", 3, load_fault::does_not_fit, "hp");
    refused(R"({"health":"full"})", 1, load_fault::does_not_fit, "hp");
    refused(R"({"keeper":"a name that is too long"})", 3, load_fault::does_not_fit, "keeper");
    refused(R"({"at.x":null})", 3, load_fault::does_not_fit, "at.x");
}

TEST(loading, X26_refuses_values_out_of_range_and_fields_that_do_not_go_together) {
    refused(R"({"hp":1001})", 3, load_fault::invalid, "hp");
    refused(R"({"open":true,"hp":0})", 3, load_fault::invalid);
    door d;
    EXPECT_EQ(doors().load(record(R"({"hp":1001})", 3), &d).why, lido::field_fault::above_max);
}

TEST(loading, X26_refuses_the_future) {
    refused("{}", 4, load_fault::from_future);
    refused("{}", 0, load_fault::not_a_record);
    refused("{}", -1, load_fault::not_a_record);
}

TEST(loading, X26_refuses_what_is_no_record) {
    for (const std::string_view text :
         {"", " ", "[]", "null", "{", "}", "{}x", "{\"hp\":1", "{\"hp\":1,}", "{\"hp\" 1}", "{hp:1}", "{\"hp\":}",
          "{\"hp\":1 \"a\":2}", "{\"hp\":1,\"hp\":2}", "{\"a\":tru}", "{\"a\":\"\\q\"}", "{\"a\":01}", "{\"a\":[1}"}) {
        refused(text, 3, load_fault::not_a_record);
    }
    std::string deep = "{\"a\":" + std::string(10000, '[') + std::string(10000, ']') + "}";
    refused(deep, 3, load_fault::not_a_record);
    deep = "{\"a\":" + std::string(64, '[') + std::string(64, ']') + "}";
    door d;
    EXPECT_TRUE(doors().load(record(deep, 3), &d));
}

TEST(loading, X26_takes_as_many_names_as_a_record_has_room_for) {
    std::string text = "{\"hp\":3";
    for (std::size_t i = 1; i < record::max_names; ++i) text += ",\"n" + std::to_string(i) + "\":0";
    door d;
    EXPECT_TRUE(doors().load(record(text + "}", 3), &d));
    EXPECT_EQ(record(text + ",\"more\":0}", 3).fault(), lido::record_fault::too_many);
    refused(text + ",\"more\":0}", 3, load_fault::not_a_record);
}

// --- migrate --------------------------------------------------------------------------------------------------------------

struct vault {
    double gold = 0;      // revision 1 had "silver", in hundredths; 2 had "gold" as a text
    lido::text<8> owner;  // revision 3 had "owner_id", a number
    int level = 1;
};
constexpr auto describe(lido::type<vault>) { return lido::schema{4, lido::field<&vault::gold>{.min = 0, .max = 1e9}}; }
inline std::string called;
inline void migrate(lido::from_revision<1>, const record& old, vault& now) {
    called += "1";
    now.gold = old.number("silver") / 100;
}
inline void migrate(lido::from_revision<2>, const record& old, vault& now) {
    called += "2";
    lido::text<16> gold;
    if (old.take("gold", gold)) now.gold = gold == "much" ? 1e6 : 0;
}
inline void migrate(lido::from_revision<3>, const record& old, vault& now) {
    called += "3";
    if (const auto id = old.whole("owner_id"); id == 13)
        throw std::runtime_error("nobody");
    else if (id != 0)
        now.owner = "someone";
}

vault load_vault(std::string_view text, std::int64_t revision, load_fault fault = load_fault::none) {
    vault v;
    called.clear();
    const auto result = lido::schema_of<vault>().load(record(text, revision), &v);
    EXPECT_EQ(result.fault, fault) << to_string(result.fault);
    return v;
}

TEST(migrating, X26_calls_the_chain_from_the_stored_revision_on) {
    EXPECT_EQ(load_vault(R"({"silver":250,"owner_id":4})", 1).gold, 2.5);
    EXPECT_EQ(called, "123");
    EXPECT_EQ(load_vault(R"({"gold":"much"})", 2).gold, 1e6);
    EXPECT_EQ(called, "23");
    EXPECT_EQ(load_vault(R"({"gold":7,"owner_id":4})", 3).owner, "someone");
    EXPECT_EQ(called, "3");
    EXPECT_EQ(load_vault(R"({"gold":7})", 4).gold, 7.0);
    EXPECT_EQ(called, "");
}

TEST(migrating, X26_settles_what_did_not_fit_only_if_it_took_the_value) {
    load_vault(R"({"gold":"much"})", 2);
    load_vault(R"({"gold":"much"})", 3, load_fault::does_not_fit);
    load_vault(R"({"gold":[]})", 2, load_fault::does_not_fit);
    load_vault(R"({"gold":"much"})", 4, load_fault::does_not_fit);
}

TEST(migrating, X26_of_one_load_settles_nothing_for_the_next) {
    const record r(R"({"gold":"much"})", 2);
    vault v;
    EXPECT_EQ(r.get<lido::text<8>>("gold"), "much") << "what somebody else takes is not taken by `migrate`";
    const record same_text(R"({"gold":"much"})", 4);
    EXPECT_EQ(same_text.get<lido::text<8>>("gold"), "much");
    EXPECT_EQ(lido::schema_of<vault>().load(same_text, &v).fault, load_fault::does_not_fit);
    EXPECT_TRUE(lido::schema_of<vault>().load(r, &v));
    EXPECT_TRUE(lido::schema_of<vault>().load(r, &v));
}

TEST(migrating, X26_is_checked_like_any_other_value) {
    load_vault(R"({"silver":-5})", 1, load_fault::invalid);
    EXPECT_THROW(load_vault(R"({"owner_id":13})", 3), std::runtime_error);
}

TEST(records, X26_give_values_or_what_the_caller_has_instead) {
    const record r(R"({"n":-2.5,"i":9007199254740993,"b":true,"t":"hi","list":[1,2],"null":null})", 2);
    EXPECT_EQ(r.revision(), 2);
    EXPECT_EQ(r.size(), 6u);
    EXPECT_TRUE(r.has("null") && !r.has("x") && !r.has(""));
    EXPECT_EQ(r.number("n"), -2.5);
    EXPECT_EQ(r.number("x", 7), 7.0);
    EXPECT_EQ(r.number("t", 8), 8.0);
    EXPECT_EQ(r.whole("i"), 9007199254740993);
    EXPECT_EQ(r.whole("n", 3), 3);
    EXPECT_TRUE(r.flag("b"));
    EXPECT_EQ(r.get<lido::text<4>>("t"), "hi");
    EXPECT_EQ(r.get<lido::text<1>>("t", "-"), "-");
    EXPECT_EQ((r.get<lido::bounded_vector<int, 3>>("list")).size(), 2u);
    EXPECT_EQ(r.raw("list"), "[1,2]");
    EXPECT_EQ(r.raw("x"), "");
    EXPECT_TRUE(r.taken("t"));
    EXPECT_FALSE(r.taken("null"));
}

}  // namespace schema_load_test
