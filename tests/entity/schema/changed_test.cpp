// X26: which fields differ, by value; copying, scrubbing, hashing and rounding by field.
#include "entity/schema/fixtures.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <new>
#include <string>

namespace schema_changed_test {

using namespace lido::test::schema;

std::string differing(const door& a, const door& b) {
    const auto& s = lido::schema_of<door>();
    const lido::field_set set = s.changed(&a, &b);
    EXPECT_EQ(set, s.changed(&b, &a));
    EXPECT_EQ(set, lido::differing_fields(a, b)) << "the typed question has the same answer";
    std::string names;
    set.for_each([&](std::size_t i) { names += std::string(s.fields()[i].name) + " "; });
    return names;
}

TEST(changed, X26_names_every_field_that_differs_and_no_other) {
    EXPECT_EQ(differing(door(), door()), "");
    EXPECT_EQ(differing(door(), other_door()),
              "open angle hp keeper leads_to wear at.x at.y temper code hinge chest seal built ");
    door d = other_door();
    d.hp = 8;
    d.at.y = 3;
    EXPECT_EQ(differing(d, other_door()), "hp at.y ");
}

TEST(changed, X26_does_not_look_at_padding_or_at_what_is_not_used) {
    alignas(door) std::byte zeros[sizeof(door)];
    alignas(door) std::byte ones[sizeof(door)];
    std::memset(zeros, 0, sizeof(zeros));
    std::memset(ones, 255, sizeof(ones));
    const door* const a = new (zeros) door(other_door());
    const door* const b = new (ones) door(other_door());
    EXPECT_EQ(differing(*a, *b), "");

    door c, d;
    c.code = 5;
    c.code.reset();
    c.chest.push_back({9, 9});
    c.chest.pop_back();
    EXPECT_EQ(differing(c, d), "");
    EXPECT_EQ(lido::schema_of<door>().hash(&c, lido::schema_of<door>().all()),
              lido::schema_of<door>().hash(&d, lido::schema_of<door>().all()));
}

TEST(changed, X26_compares_real_numbers_by_their_bits) {
    door a, b;
    a.hinge[0] = 0.0;
    b.hinge[0] = -0.0;
    EXPECT_EQ(differing(a, b), "hinge ") << "memory and store keep what was written";
    a.hinge[0] = b.hinge[0] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(differing(a, b), "") << "a NaN is itself, so that nothing changes for ever";
}

// D27: that a field was cleared is a change like any other.
TEST(changed, X26_a_cleared_optional_is_a_change) {
    door a, b;
    a.code = 0;
    EXPECT_EQ(differing(a, b), "code ");
    b.code = 0;
    EXPECT_EQ(differing(a, b), "");
    a.code.reset();
    EXPECT_EQ(differing(a, b), "code ");
}

TEST(changed_on_wire, X26_does_not_see_less_than_a_step_or_what_is_not_sent) {
    const auto& s = lido::schema_of<door>();
    door a, b;
    b.angle = 0.2f;
    b.wear = 9;
    EXPECT_EQ(s.changed(&a, &b).size(), 2u);
    EXPECT_TRUE(s.changed_on_wire(&a, &b).empty());
    EXPECT_EQ(s.wire_hash(&a, s.all()), s.wire_hash(&b, s.all()));
    EXPECT_NE(s.hash(&a, s.all()), s.hash(&b, s.all()));
    b.angle = 0.25f;
    EXPECT_EQ(s.changed_on_wire(&a, &b).size(), 1u);
    EXPECT_NE(s.wire_hash(&a, s.all()), s.wire_hash(&b, s.all()));
}

TEST(changed_on_wire, X26_looks_into_lists_optionals_and_arrays) {
    const auto& s = lido::schema_of<door>();
    const door a = other_door();
    door b = a;
    b.chest[1].count = 2;
    b.code.reset();
    b.hinge[1] = 0.0;
    b.keeper = "x";
    EXPECT_EQ(s.changed_on_wire(&a, &b).size(), 4u);
    b = a;
    EXPECT_TRUE(s.changed_on_wire(&a, &b).empty());
}

TEST(round_to_wire, X26_makes_what_arrives_and_only_of_what_is_sent) {
    const auto& s = lido::schema_of<door>();
    door d = other_door();
    d.angle = 33.3f;
    d.at.x = 1.3f;
    d.hinge[0] = 0.1;
    const door before = d;
    s.round_to_wire(&d);
    EXPECT_EQ(d.angle, 33.5f);
    EXPECT_EQ(d.at.x, 1.25f);
    EXPECT_EQ(d.hinge[0], 0.1);
    EXPECT_EQ(d.wear, before.wear);
    EXPECT_TRUE(s.changed_on_wire(&before, &d).empty()) << "and nobody at the other end can tell";
    const door once = d;
    s.round_to_wire(&d);
    EXPECT_TRUE(s.changed(&once, &d).empty());
}

TEST(copying, X26_takes_the_named_fields_and_no_other) {
    const auto& s = lido::schema_of<door>();
    const door from = other_door();
    for (const auto& f : s.fields()) {
        door to;
        lido::field_set one;
        one.add(f.number);
        s.copy(&to, &from, one);
        EXPECT_EQ(s.changed(lido::schema_of<door>().defaults(), &to), one) << f.name;
        EXPECT_FALSE(s.changed(&from, &to).has(f.number)) << f.name;
    }
}

// D4: a scrubbed object keeps nothing of its life, padding included.
TEST(scrubbing, X26_leaves_the_bytes_of_a_default_object) {
    const auto& s = lido::schema_of<door>();
    alignas(door) std::byte memory[sizeof(door)];
    std::memset(memory, 0xa5, sizeof(memory));
    door* const d = new (memory) door(other_door());
    s.scrub(d);
    EXPECT_TRUE(s.changed(d, s.defaults()).empty());
    EXPECT_EQ(d->hp, 100);
    EXPECT_EQ(d->built, -1);
    EXPECT_EQ(std::memcmp(static_cast<const void*>(d), s.defaults(), sizeof(door)), 0);
}

TEST(hashing, X26_depends_on_values_and_names_and_the_chosen_fields) {
    const auto& s = lido::schema_of<door>();
    const door a = other_door();
    for (const auto& f : s.fields()) {
        door b = a;
        lido::field_set one;
        one.add(f.number);
        s.copy(&b, s.defaults(), one);
        EXPECT_NE(s.hash(&a, s.all()), s.hash(&b, s.all())) << f.name;
        EXPECT_EQ(s.hash(&a, s.all() - one), s.hash(&b, s.all() - one)) << f.name;
    }
}

TEST(field_set_of, X26_is_a_set) {
    lido::field_set a = lido::field_set::first(70);
    EXPECT_EQ(a.size(), 70u);
    EXPECT_TRUE(a.has(69) && !a.has(70));
    a.remove(3);
    a.add(255);
    std::size_t last = 0, count = 0;
    a.for_each([&](std::size_t i) {
        EXPECT_TRUE(count == 0 || i > last);
        EXPECT_NE(i, 3u);
        last = i;
        ++count;
    });
    EXPECT_EQ(last, 255u);
    EXPECT_EQ(count, 70u);
    EXPECT_EQ((a - a).empty(), true);
    EXPECT_EQ((a & lido::field_set::first(2)).size(), 2u);
    EXPECT_EQ((a | lido::field_set::first(256)).size(), 256u);
    static_assert(lido::field_set::first(256).size() == lido::field_set::max_size);
}

}  // namespace schema_changed_test
