// X26: the stored form, JSON, which people can read; and what is read from it.
#include "entity/schema/fixtures.hpp"
#include "entity/schema/links.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace schema_stored_test {

using namespace lido::test::schema;
using lido::load_fault;

const lido::class_schema& doors() { return lido::schema_of<door>(); }

std::string stored(const door& d, const lido::link_names* links = nullptr) {
    std::vector<char> room(4096);
    lido::text_writer to(room, links);
    doors().store(&d, to);
    EXPECT_TRUE(to.ok());
    return std::string(to.written());
}

TEST(stored_form, X26_is_what_people_can_read) {
    EXPECT_EQ(
        stored(door()),
        R"({"open":false,"angle":0,"hp":100,"keeper":"","leads_to":null,"wear":0,"at.x":0,"at.y":0,"temper":0,"code":null,)"
        R"("hinge":[0,0,0],"chest":[],"built":-1})");
    EXPECT_EQ(
        stored(other_door()),
        R"({"open":true,"angle":33.5,"hp":7,"keeper":"Zoë","leads_to":21474836483,"wear":12,"at.x":1.5,"at.y":2.25,)"
        R"("temper":1,"code":4711,"hinge":[0.1,-0,1e+300],"chest":[{"kind":3,"count":9},{"kind":4,"count":1}],)"
        R"("built":-9000000000000000000})");
}

TEST(stored_form, X26_makes_the_same_object_again) {
    const std::string text = stored(other_door());
    door back;
    EXPECT_TRUE(doors().load(lido::record(text, 3), &back));
    const door d = other_door();
    const auto differs = doors().changed(&d, &back);
    EXPECT_EQ(differs, doors().all() - doors().saved()) << "all but what is not saved, which is a default again";
    EXPECT_TRUE(back.seal.empty());
}

struct extremes {
    float f = 0;
    double d = 0;
    std::int64_t low = 0;
    std::uint64_t high = 0;
    std::optional<lido::link<room>> way;
    std::optional<std::optional<bool>> maybe;
};

template <class T>
std::string stored_any(const T& object) {
    std::vector<char> room(4096);
    lido::text_writer to(room);
    lido::schema_of<T>().store(&object, to);
    EXPECT_TRUE(to.ok());
    return std::string(to.written());
}

TEST(stored_form, X26_keeps_every_bit_of_a_number_and_every_kind_of_nothing) {
    const auto& s = lido::schema_of<extremes>();
    for (const float f :
         {0.1f, -0.0f, std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::max(), 16777217.0f}) {
        for (const double d : {0.1, 1.0 / 3, std::numeric_limits<double>::min(), -std::numeric_limits<double>::max(),
                               9007199254740993.0}) {
            for (int nothing = 0; nothing < 3; ++nothing) {
                extremes e{f,  d, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::uint64_t>::max(),
                           {}, {}};
                if (nothing == 1) e.way = lido::link<room>();
                if (nothing == 2) e.way = lido::link<room>::from_bits(5);
                if (nothing == 1) e.maybe = std::optional<bool>();
                if (nothing == 2) e.maybe = std::optional<bool>(true);
                extremes back;
                const std::string text = stored_any(e);
                ASSERT_TRUE(s.load(lido::record(text, 1), &back)) << text;
                ASSERT_TRUE(s.changed(&e, &back).empty()) << text;
            }
        }
    }
}

TEST(stored_form, X26_escapes_what_json_does_not_take) {
    door d;
    d.keeper = "\"\\\n\x7f";
    const std::string text = stored(d);
    EXPECT_NE(text.find(R"("keeper":"\"\\\u000a\u007f")"), std::string::npos) << text;
    door back;
    EXPECT_TRUE(doors().load(lido::record(text, 3), &back));
    EXPECT_EQ(back.keeper, d.keeper);
}

TEST(stored_form, X26_has_names_for_links) {
    link_table table;
    table.entries = {{"hall \"1\"", 7}};
    door d;
    d.leads_to = lido::link<room>::from_bits(1);
    const std::string text = stored(d, &table);
    EXPECT_NE(text.find(R"("leads_to":{"id":"hall \"1\"","generation":7})"), std::string::npos) << text;
    door back;
    EXPECT_TRUE(doors().load(lido::record(text, 3, &table), &back));
    EXPECT_EQ(back.leads_to, d.leads_to);
    table.entries[0].generation = 8;
    const auto result = doors().load(lido::record(text, 3, &table), &back);
    EXPECT_EQ(result.fault, load_fault::does_not_fit);
    EXPECT_EQ(result.field->name, "leads_to");
}

// --- one field, for tools -------------------------------------------------------------------------------------------------

bool parses(std::string_view field, std::string_view text, door& d) {
    return lido::class_schema::parse(*doors().find(field), text, &d);
}

TEST(text_of_a_field, X26_is_read_into_it) {
    door d;
    EXPECT_TRUE(parses("hp", " 12 ", d));
    EXPECT_EQ(d.hp, 12);
    EXPECT_TRUE(parses("hp", "3.0", d));
    EXPECT_EQ(d.hp, 3);
    EXPECT_TRUE(parses("hp", "1e2", d));
    EXPECT_EQ(d.hp, 100);
    EXPECT_TRUE(parses("hp", "true", d));
    EXPECT_EQ(d.hp, 1);
    EXPECT_TRUE(parses("open", "true", d));
    EXPECT_TRUE(d.open);
    EXPECT_TRUE(parses("keeper", R"("\u00eb\ud83d\udeaa\t")", d));
    EXPECT_EQ(d.keeper, "\xc3\xab\xf0\x9f\x9a\xaa\t");
    EXPECT_TRUE(parses("code", "null", d) && !d.code);
    EXPECT_TRUE(parses("code", "7", d) && d.code == 7);
    EXPECT_TRUE(parses("seal", R"("00ff")", d));
    EXPECT_EQ(d.seal.size(), 2u);
    EXPECT_TRUE(parses("chest", R"([{"count":2, "unknown":[1,{"a":"]"}], "kind":9}, {}])", d));
    ASSERT_EQ(d.chest.size(), 2u);
    EXPECT_EQ(d.chest[0].kind, 9);
    EXPECT_EQ(d.chest[1].count, 1) << "what is missing is a default";
    EXPECT_TRUE(parses("chest", R"([{"amount":5}])", d));
    EXPECT_EQ(d.chest[0].count, 5) << "former names of elements, too";
    EXPECT_TRUE(parses("hinge", "[1,2]", d));
    EXPECT_EQ(d.hinge[1], 2.0) << "an array that has grown since";
}

TEST(text_of_a_field, X26_that_it_cannot_have_is_refused_and_changes_nothing) {
    const std::pair<std::string_view, std::string_view> wrong[] = {
        {"hp", "65536"},
        {"hp", "-1"},
        {"hp", "1.5"},
        {"hp", "\"1\""},
        {"hp", ""},
        {"hp", "1 2"},
        {"hp", "null"},
        {"hp", "01"},
        {"hp", "+1"},
        {"hp", "1e999"},
        {"hp", "0x10"},
        {"hp", "1."},
        {"hp", "."},
        {"open", "2"},
        {"open", "yes"},
        {"angle", "NaN"},
        {"angle", "1e39"},
        {"angle", "inf"},
        {"angle", "[]"},
        {"keeper", "12"},
        {"keeper", "\"a"},
        {"keeper", R"("\u0000")"},
        {"keeper", R"("\ud800")"},
        {"keeper", R"("\ud800\u0041")"},
        {"keeper", R"("\x")"},
        {"keeper", "\"\xff\""},
        {"keeper", "\"a\nb\""},
        {"keeper", R"("12345678901234567")"},
        {"code", "[]"},
        {"seal", R"("0")"},
        {"seal", R"("0g")"},
        {"seal", R"("001122334455667788")"},
        {"chest", "[{}"},
        {"chest", "[{},{},{},{},{}]"},
        {"chest", R"([{"kind":1,})"},
        {"chest", "[{},]"},
        {"chest", R"([{"kind":-1}])"},
        {"hinge", "[1,2,3,4]"},
        {"hinge", "1"},
        {"leads_to", "-1"},
        {"temper", "256"},
        {"built", "9223372036854775808"},
        {"built", "1e19"},
    };
    for (const auto& [field, text] : wrong) {
        door d = other_door();
        EXPECT_FALSE(parses(field, text, d)) << field << ' ' << text;
        const door before = other_door();
        EXPECT_TRUE(doors().changed(&before, &d).empty()) << field << ' ' << text;
    }
}

TEST(text_of_a_field, X26_is_cut_where_there_is_no_room_for_it) {
    const door d = other_door();
    for (std::size_t room = 0; room < 6; ++room) {
        std::vector<char> memory(room);
        lido::text_writer to(memory);
        lido::class_schema::print(*doors().find("keeper"), &d, to);
        EXPECT_FALSE(to.ok());
        EXPECT_EQ(to.written(), std::string_view("\"Zo\xc3\xab\"").substr(0, room));
    }
}

TEST(text_of_a_field, X26_shows_what_is_no_text_as_replacement_characters) {
    door d;
    d.keeper = "ab";
    std::memset(reinterpret_cast<char*>(&d.keeper), 0xff, 1);
    char memory[40];
    lido::text_writer to(memory);
    lido::class_schema::print(*doors().find("keeper"), &d, to);
    EXPECT_EQ(to.written(), R"("\ufffdb")");
}

}  // namespace schema_stored_test
