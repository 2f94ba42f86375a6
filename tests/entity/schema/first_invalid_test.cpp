// X26: the first value that breaks its rules is found, and which rule; then the user's own is asked.
#include "entity/schema/fixtures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string_view>

namespace schema_first_invalid_test {

using namespace lido::test::schema;
using lido::field_fault;

struct expected {
    std::string_view field;
    field_fault fault;
};

template <class T>
void expect(const T& object, expected wanted) {
    const lido::finding found = lido::schema_of<T>().first_invalid(&object);
    EXPECT_EQ(found.fault, wanted.fault) << to_string(found.fault);
    EXPECT_EQ(found.field != nullptr ? found.field->name : std::string_view(), wanted.field);
    EXPECT_EQ(lido::first_fault(object).fault, wanted.fault) << "the typed question has the same answer";
}

TEST(first_invalid, X26_finds_nothing_in_what_is_as_described) {
    expect(door(), {"", field_fault::none});
    expect(other_door(), {"", field_fault::none});
    EXPECT_FALSE(lido::schema_of<door>().first_invalid(lido::schema_of<door>().defaults()));
}

TEST(first_invalid, X26_takes_both_ends_of_a_range_and_nothing_beyond) {
    door d;
    for (const float good : {0.0f, -0.0f, 120.0f}) {
        d.angle = good;
        expect(d, {"", field_fault::none});
    }
    d.angle = std::nextafter(120.0f, 200.0f);
    expect(d, {"angle", field_fault::above_max});
    d.angle = std::nextafter(0.0f, -1.0f);
    expect(d, {"angle", field_fault::below_min});
    d.angle = 0;
    d.hp = 1001;
    expect(d, {"hp", field_fault::above_max});
}

TEST(first_invalid, X26_refuses_nan_and_infinity_with_or_without_a_range) {
    using real = std::numeric_limits<double>;
    for (const double bad : {real::quiet_NaN(), real::infinity(), -real::infinity()}) {
        door d;
        d.angle = static_cast<float>(bad);
        expect(d, {"angle", field_fault::not_finite});
        d.angle = 0;
        d.hinge[2] = bad;
        expect(d, {"hinge", field_fault::not_finite});
    }
}

TEST(first_invalid, X26_looks_into_enums_optionals_lists_and_nested_structs) {
    door d;
    d.temper = static_cast<mood>(3);
    expect(d, {"temper", field_fault::above_max});
    d = {};
    d.code = 10000;
    expect(d, {"code", field_fault::above_max});
    d.code = -1;
    expect(d, {"code", field_fault::below_min});
    d = {};
    d.chest.push_back({1, 1});
    d.chest.push_back({1, 100});
    expect(d, {"chest", field_fault::above_max});
    d = {};
    d.at.y = -1;
    expect(d, {"at.y", field_fault::below_min});
    d = {};
    d.at.x = -1;
    expect(d, {"", field_fault::none});
}

TEST(first_invalid, X26_names_the_first_in_order_of_declaration) {
    door d;
    d.at.x = 1000;
    d.hp = 2000;
    expect(d, {"hp", field_fault::above_max});
}

TEST(first_invalid, X26_sees_what_was_written_over) {
    door d;
    const unsigned char two = 2;
    std::memcpy(&d.open, &two, 1);
    EXPECT_EQ(lido::schema_of<door>().first_invalid(&d).fault, field_fault::not_a_flag);
    d = {};
    std::memset(reinterpret_cast<char*>(&d.keeper), 0xff, 1);
    expect(d, {"keeper", field_fault::not_text});
    d = {};
    std::memset(reinterpret_cast<char*>(&d.chest) + 4 * sizeof(item), 5, 1);
    expect(d, {"chest", field_fault::broken});
    d = {};
    std::memset(reinterpret_cast<char*>(&d.seal) + sizeof(d.seal) - 1, 9, 1);
    expect(d, {"seal", field_fault::broken});
}

TEST(first_invalid, X26_asks_valid_once_the_fields_are_good_by_themselves) {
    door d;
    d.open = true;
    d.hp = 0;
    expect(d, {"", field_fault::refused});
    d.angle = 121;
    expect(d, {"angle", field_fault::above_max});
}

struct moody {
    int level = 0;
};
inline int asked = 0;
inline bool valid(const moody& m) {
    ++asked;
    if (m.level == 13) throw std::runtime_error("thirteen");
    return true;
}

TEST(first_invalid, X26_lets_what_valid_throws_out) {
    moody m{13};
    asked = 0;
    EXPECT_THROW(static_cast<void>(lido::schema_of<moody>().first_invalid(&m)), std::runtime_error);
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(m.level, 13);
}

struct short_range {
    float tenth = 0;
    std::int64_t far = 0;
    std::uint64_t high = 0;
};
constexpr auto describe(lido::type<short_range>) {
    return lido::schema{
        1, lido::field<&short_range::tenth>{.min = -0.1, .max = 0.1},
        lido::field<&short_range::far>{.min = std::numeric_limits<std::int64_t>::min() + 1, .max = -1},
        lido::field<&short_range::high>{.min = 1, .max = std::numeric_limits<std::uint64_t>::max() - 1}};
}

TEST(first_invalid, X26_rounds_a_limit_to_the_type_of_its_field) {
    short_range r;
    r.tenth = 0.1f;
    r.far = -1;
    r.high = 1;
    expect(r, {"", field_fault::none});
    r.tenth = std::nextafter(0.1f, 1.0f);
    expect(r, {"tenth", field_fault::above_max});
}

TEST(first_invalid, X26_compares_whole_numbers_in_all_their_64_bits) {
    short_range r;
    r.far = std::numeric_limits<std::int64_t>::min();
    expect(r, {"far", field_fault::below_min});
    r.far = 0;
    expect(r, {"far", field_fault::above_max});
    r.far = -5;
    r.high = std::numeric_limits<std::uint64_t>::max();
    expect(r, {"high", field_fault::above_max});
    r.high = 0;
    expect(r, {"high", field_fault::below_min});
}

TEST(first_invalid, X26_works_at_compile_time) {
    struct plain {
        int a = 3;
        float b = 1;
    };
    static_assert(lido::first_fault(plain{}).fault == field_fault::none);
    static_assert(lido::first_fault(plain{1, std::numeric_limits<float>::infinity()}).field == 1);
    EXPECT_STREQ(to_string(field_fault::above_max), "the value is above its maximum");
}

}  // namespace schema_first_invalid_test
