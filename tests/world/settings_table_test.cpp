// S4.1: what a file gave goes over what the program said, and nothing else does.
#include <lido/world/settings_table.hpp>

#include <gtest/gtest.h>

namespace world_settings_table_test {

using lido::class_settings;
using lido::settings_entry;
using lido::ticks;

void expect_equal(const class_settings& a, const class_settings& b) {
    EXPECT_EQ(a.prewarm, b.prewarm);
    EXPECT_EQ(a.max_lifetime, b.max_lifetime);
    EXPECT_EQ(a.roles, b.roles);
    EXPECT_EQ(a.capacity, b.capacity);
    EXPECT_EQ(a.on_full, b.on_full);
    EXPECT_EQ(a.headroom.above_percent, b.headroom.above_percent);
    EXPECT_EQ(a.headroom.priority, b.headroom.priority);
    EXPECT_EQ(a.idle_cap, b.idle_cap);
    EXPECT_EQ(a.trim, b.trim);
    EXPECT_EQ(a.reserve, b.reserve);
    EXPECT_EQ(a.leaks, b.leaks);
}

class_settings of_the_program() {
    return {.prewarm = 1,
            .max_lifetime = ticks{2},
            .roles = {.client = false},
            .capacity = 3,
            .on_full = lido::on_full::merge,
            .headroom = {80, 5},
            .idle_cap = 6,
            .reserve = 9,
            .trim = {ticks{7}, 8},
            .leaks = lido::leaks::allow};
}

settings_entry of_a_file() {
    settings_entry e;
    e.settings = {.prewarm = 11,
                  .max_lifetime = ticks{12},
                  .roles = {.dedicated_server = false},
                  .capacity = 13,
                  .on_full = lido::on_full::grow_to(14),
                  .headroom = {90, 15},
                  .idle_cap = 16,
                  .reserve = 19,
                  .trim = {ticks{17}, 18},
                  .leaks = lido::leaks::abort};
    return e;
}

TEST(overlaid_settings, S4_1_stay_as_they_are_where_the_file_gave_nothing) {
    class_settings s = of_the_program();
    overlay(s, of_a_file());
    expect_equal(s, of_the_program());
}

TEST(overlaid_settings, S4_1_become_those_of_the_file_where_it_gave_all) {
    class_settings s = of_the_program();
    settings_entry from = of_a_file();
    from.given = {true, true, true, true, true, true, true, true, true, true};
    overlay(s, from);
    expect_equal(s, from.settings);
}

TEST(overlaid_settings, S4_1_change_one_by_one) {
    const settings_entry from = of_a_file();
    const auto check = [&from](bool lido::settings_given::*given, auto member) {
        settings_entry one = from;
        one.given.*given = true;
        class_settings s = of_the_program();
        overlay(s, one);
        class_settings expected = of_the_program();
        expected.*member = from.settings.*member;
        expect_equal(s, expected);
    };
    using lido::settings_given;
    check(&settings_given::prewarm, &class_settings::prewarm);
    check(&settings_given::max_lifetime, &class_settings::max_lifetime);
    check(&settings_given::roles, &class_settings::roles);
    check(&settings_given::capacity, &class_settings::capacity);
    check(&settings_given::on_full, &class_settings::on_full);
    check(&settings_given::headroom, &class_settings::headroom);
    check(&settings_given::idle_cap, &class_settings::idle_cap);
    check(&settings_given::trim, &class_settings::trim);
    check(&settings_given::reserve, &class_settings::reserve);
    check(&settings_given::leaks, &class_settings::leaks);
}

}  // namespace world_settings_table_test
