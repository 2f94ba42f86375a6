// X26: a struct and what is said of it become fields with names, ids, ranges and who sees them.
#include "entity/schema/fixtures.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace schema_description_test {

using namespace lido::test::schema;
using lido::field_kind;
using lido::seen;

const lido::class_schema& doors() { return lido::schema_of<door>(); }

const lido::field_schema& named(std::string_view name) {
    const lido::field_schema* const found = doors().find(name);
    EXPECT_NE(found, nullptr) << name;
    return found != nullptr ? *found : doors().fields()[0];
}

TEST(description, X26_names_every_field_and_those_of_nested_structs_with_a_dot) {
    std::string names;
    for (const auto& f : doors().fields()) names += std::string(f.name) + " ";
    EXPECT_EQ(names, "open angle hp keeper leads_to wear at.x at.y temper code hinge chest seal built ");
    EXPECT_EQ(doors().revision(), 3);
    EXPECT_EQ(doors().size(), sizeof(door));
}

TEST(description, X26_finds_fields_where_the_compiler_put_them) {
    const door d = other_door();
    const auto at = [&d](std::string_view name) { return named(name).in(&d); };
    EXPECT_EQ(at("open"), &d.open);
    EXPECT_EQ(at("at.y"), &d.at.y);
    EXPECT_EQ(at("chest"), &d.chest);
    EXPECT_EQ(at("built"), &d.built);
    EXPECT_EQ(named("hinge").size, sizeof(d.hinge));
}

TEST(description, X26_knows_fields_by_ids_of_their_names_and_by_nothing_else) {
    for (const auto& f : doors().fields()) {
        EXPECT_EQ(f.id, lido::field_id_of(f.name));
        EXPECT_EQ(doors().find(f.id), &f);
        EXPECT_EQ(f.number, static_cast<std::size_t>(&f - doors().fields().data()));
    }
    EXPECT_EQ(doors().find("health"), nullptr) << "a former name is no name";
    EXPECT_EQ(doors().find("at"), nullptr);
    lido::field_id last = 0;
    for (const auto i : doors().by_id()) {
        EXPECT_GT(doors().fields()[i].id, last);
        last = doors().fields()[i].id;
    }
}

TEST(description, X26_gives_ids_that_are_the_same_for_all_time) {
    static_assert(lido::field_id_of("hp") == lido::class_id_of("hp"));
    EXPECT_EQ(lido::field_id_of("door"), 0x48c6ff5f3754114du);
}

TEST(description, X26_says_who_sees_a_field_and_whether_it_is_saved) {
    EXPECT_EQ(named("open").send, seen::by_everyone);
    EXPECT_EQ(named("hp").send, seen::by_owner);
    EXPECT_EQ(named("wear").send, seen::by_nobody);
    EXPECT_EQ(named("seal").send, seen::by_callback);
    EXPECT_TRUE(named("wear").save);
    EXPECT_FALSE(named("seal").save);
    EXPECT_FALSE(doors().sent().has(named("wear").number));
    EXPECT_FALSE(doors().saved().has(named("seal").number));
    EXPECT_EQ(doors().sent().size(), 13u);
    EXPECT_EQ(doors().all().size(), 14u);
}

TEST(description, X26_knows_what_each_field_is) {
    const field_kind kinds[] = {field_kind::flag,       field_kind::real,     field_kind::whole, field_kind::text,
                                field_kind::link,       field_kind::whole,    field_kind::real,  field_kind::real,
                                field_kind::enumerated, field_kind::optional, field_kind::array, field_kind::list,
                                field_kind::bytes,      field_kind::whole};
    for (const auto& f : doors().fields()) EXPECT_EQ(f.kind, kinds[f.number]) << f.name;
}

TEST(description, X26_counts_the_bits_of_numbers_on_the_wire) {
    EXPECT_EQ(named("open").range.bits, 1);
    EXPECT_EQ(named("angle").range.bits, 8) << "241 values";
    EXPECT_EQ(named("hp").range.bits, 10);
    EXPECT_EQ(named("wear").range.bits, 32);
    EXPECT_EQ(named("at.x").range.bits, 10) << "of the nested struct's own description: 513 values";
    EXPECT_EQ(named("at.y").range.bits, 9) << "the outer one has another minimum: 257 values";
    EXPECT_EQ(named("temper").range.bits, 2);
    EXPECT_EQ(named("code").range.bits, 14);
    EXPECT_EQ(named("hinge").range.bits, 64);
    EXPECT_EQ(named("keeper").range.bits, 0);
    EXPECT_EQ(named("built").range.bits, 64);
}

TEST(description, X26_is_spelled_in_words_for_who_has_another) {
    const auto spelled = [](std::string_view name) {
        char room[200];
        lido::text_writer to(room);
        lido::class_schema::spell(named(name), to);
        return std::string(to.written());
    };
    EXPECT_EQ(spelled("open"), "open bool");
    EXPECT_EQ(spelled("angle"), "angle f32 from 0 to 120 in steps of 0.5");
    EXPECT_EQ(spelled("hp"), "hp u16 to 1000");
    EXPECT_EQ(spelled("built"), "built i64");
    EXPECT_EQ(spelled("temper"), "temper enum u8 from 0 to 2");
    EXPECT_EQ(spelled("code"), "code optional i32 from 0 to 9999");
    EXPECT_EQ(spelled("hinge"), "hinge array of 3 f64");
    EXPECT_EQ(spelled("chest"), "chest list of up to 4 {kind u16, count i8 from 0 to 99}");
    EXPECT_EQ(spelled("keeper"), "keeper text of up to 16 bytes");
    EXPECT_EQ(spelled("seal"), "seal up to 8 bytes");
    EXPECT_EQ(spelled("leads_to"), "leads_to link");
}

struct bare {
    int a = 1;
    float b = 2;
};

TEST(description, X26_may_be_missing) {
    const auto& s = lido::schema_of<bare>();
    EXPECT_EQ(s.revision(), 1);
    EXPECT_EQ(s.fields().size(), 2u);
    EXPECT_EQ(s.sent(), s.all());
    EXPECT_EQ(s.saved(), s.all());
    EXPECT_FALSE(s.fields()[0].range.has_min);
}

struct nothing {};

TEST(description, X26_of_a_struct_without_fields_is_empty) {
    const auto& s = lido::schema_of<nothing>();
    EXPECT_TRUE(s.fields().empty());
    EXPECT_EQ(s.find("x"), nullptr);
    nothing a;
    EXPECT_TRUE(s.changed(&a, &a).empty());
    EXPECT_FALSE(s.first_invalid(&a));
}

// --- nesting --------------------------------------------------------------------------------------------------------------

struct inner {
    int left = 0;
    int right = 0;
};
constexpr auto describe(lido::type<inner>) {
    return lido::schema{1, lido::field<&inner::left>{.min = 0, .max = 7, .was = "l"},
                        lido::field<&inner::right>{.send = seen::by_owner, .save = false}};
}
struct middle {
    inner one;
    inner two;
};
constexpr auto describe(lido::type<middle>) {
    return lido::schema{1, lido::field<&middle::two, &inner::left>{.max = 15}};
}
struct outer {
    middle m;
    inner alone;
};
constexpr auto describe(lido::type<outer>) {
    return lido::schema{1, lido::field<&outer::m>{.send = seen::by_nobody, .was = "old"},
                        lido::field<&outer::m, &middle::two, &inner::left>{.min = 8, .was = "top"},
                        lido::field<&outer::m, &middle::two>{.send = seen::by_callback, .was = "old.second"}};
}

TEST(description, X26_of_an_outer_struct_counts_before_that_of_an_inner_one) {
    const auto& s = lido::schema_of<outer>();
    const auto& f = *s.find("m.two.left");
    EXPECT_EQ(f.range.min, 8u) << "from the outermost";
    EXPECT_EQ(f.range.max, 15u) << "from the middle";
    EXPECT_EQ(f.send, seen::by_callback) << "the longer path of one description";
    EXPECT_EQ(s.find("m.one.left")->range.max, 7u) << "from the innermost";
    EXPECT_EQ(s.find("m.one.right")->send, seen::by_nobody);
    EXPECT_FALSE(s.find("m.one.right")->save);
    EXPECT_EQ(s.find("alone.right")->send, seen::by_owner);
}

TEST(description, X26_multiplies_the_former_names_of_nested_structs) {
    const auto names = [](std::string_view name) {
        std::vector<std::string_view> all;
        for (const auto n : lido::schema_of<outer>().find(name)->names) all.push_back(n);
        return all;
    };
    EXPECT_EQ(names("alone.left"), (std::vector<std::string_view>{"alone.left", "alone.l"}));
    EXPECT_EQ(names("m.one.left"),
              (std::vector<std::string_view>{"m.one.left", "m.one.l", "old.one.left", "old.one.l"}));
    EXPECT_EQ(names("m.two.left"), (std::vector<std::string_view>{"m.two.left", "m.two.l", "old.two.left", "old.two.l",
                                                                  "top", "old.second.left", "old.second.l"}));
}

struct eight {
    int a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
};
struct sixty_four {
    eight a, b, c, d, e, f, g, h;
};
struct many {
    sixty_four a, b, c, d;
};

TEST(description, X26_of_256_fields_in_nested_structs_works) {
    const auto& s = lido::schema_of<many>();
    ASSERT_EQ(s.fields().size(), lido::max_class_fields);
    EXPECT_EQ(s.fields()[255].name, "d.h.h");
    many a, b;
    b.d.h.h = 1;
    b.a.a.a = 1;
    const auto set = s.changed(&a, &b);
    EXPECT_EQ(set.size(), 2u);
    EXPECT_TRUE(set.has(255) && set.has(0));
}

struct local_things {
    int told = 0;
    void* buffer = nullptr;
    lido::handle<int> inside;
};
constexpr auto describe(lido::type<local_things>) {
    return lido::schema{1, lido::field<&local_things::buffer>{.send = seen::by_nobody, .save = false},
                        lido::field<&local_things::inside>{.send = seen::by_nobody, .save = false}};
}

TEST(description, X26_lets_fields_be_of_any_type_that_are_neither_sent_nor_saved) {
    const auto& s = lido::schema_of<local_things>();
    EXPECT_EQ(s.find("buffer")->kind, field_kind::local);
    local_things a, b;
    b.buffer = &a;
    const auto set = s.changed(&a, &b);
    EXPECT_EQ(set.size(), 1u);
    EXPECT_FALSE(s.first_invalid(&b));
    s.copy(&a, &b, set);
    EXPECT_EQ(a.buffer, &a);
    EXPECT_EQ(s.hash(&a, s.all()), s.hash(&b, s.all()));
}

// A description inside of its struct, for those who like it there.
struct with_friend {
    int level = 0;
    friend constexpr auto describe(lido::type<with_friend>) {
        return lido::schema{2, lido::field<&with_friend::level>{.max = 3}};
    }
};

TEST(description, X26_may_be_a_friend_inside_of_the_struct) {
    EXPECT_EQ(lido::schema_of<with_friend>().revision(), 2);
    EXPECT_EQ(lido::schema_of<with_friend>().fields()[0].range.max, 3u);
}

}  // namespace schema_description_test
