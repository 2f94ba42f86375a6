// S1.7: what ./dev bench patterns says follows from the figures, whatever they are.
#include <bench/harness/crossovers.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

namespace {

using bench::pattern;
using bench::pattern_cell;
using bench::pattern_table;

int failures = 0;

void expect(bool condition, const char* what) {
    if (condition) return;
    std::printf("failed: %s\n", what);
    ++failures;
}

using cost = std::function<double(std::size_t slots, std::size_t percent)>;

/// Six sizes, four occupancies; the free list spawns in 5 ns, and a pass over it costs 1 ns an object.
pattern_table made_up(const cost& flag_spawn, const cost& packed_spawn, const cost& packed_update) {
    pattern_table table;
    for (const std::size_t slots : {8u, 16u, 32u, 64u, 128u, 256u}) {
        for (const std::size_t percent : {10u, 25u, 50u, 100u}) {
            const std::size_t live = std::max<std::size_t>(1, slots * percent / 100);
            table.at({pattern::flag, true}, slots, percent) = {live, flag_spawn(slots, percent), 1.0};
            table.at({pattern::free_list, true}, slots, percent) = {live, 5.0, 1.0};
            table.at({pattern::compaction, true}, slots, percent) = {live, packed_spawn(slots, percent),
                                                                     packed_update(slots, percent)};
        }
    }
    return table;
}

cost always(double ns) {
    return [ns](std::size_t, std::size_t) { return ns; };
}

bool says(const pattern_table& table, const std::string& line) {
    const auto lines = bench::crossovers(table);
    if (std::find(lines.begin(), lines.end(), "    " + line) != lines.end()) return true;
    std::printf("no line \"%s\" in:\n", line.c_str());
    for (const std::string& one : lines) std::printf("  |%s\n", one.c_str());
    return false;
}

void a_scan_that_grows_wins_up_to_where_it_costs_as_much() {
    const auto table =
        made_up([](std::size_t slots, std::size_t) { return static_cast<double>(slots) / 8; }, always(9), always(0.5));
    // 32 slots: 4 ns; 64: 8 ns.
    expect(says(table, "10 to 100 % live: up to 32 slots"), "the crossover by size");
    expect(says(table, "at best 0.20 times the cost, with 8 slots, 10 % live"), "the best of the scan");
}

void a_scan_that_grows_with_what_lives_crosses_elsewhere_at_each_occupancy() {
    const auto table =
        made_up([](std::size_t slots, std::size_t percent) { return static_cast<double>(slots * percent) / 400; },
                always(9), always(0.5));
    expect(says(table, "10 % live: up to 128 slots"), "3.2 ns at 128 slots, 6.4 at 256");
    expect(says(table, "25 % live: up to 64 slots"), "4 ns at 64 slots");
    expect(says(table, "50 % live: up to 32 slots"), "4 ns at 32 slots");
    expect(says(table, "100 % live: up to 16 slots"), "4 ns at 16 slots");
}

void figures_closer_than_the_noise_are_equal() {
    expect(says(made_up(always(5.2), always(9), always(0.5)), "10 to 100 % live: at every size measured"), "4 % more");
    expect(says(made_up(always(5.4), always(9), always(0.5)), "10 to 100 % live: at no size: no crossover"),
           "8 % more");
    expect(says(made_up(always(9), always(9), always(0.97)), "8 to 256 slots: at no occupancy: no crossover"),
           "3 % less");
    expect(says(made_up(always(9), always(9), always(0.9)), "8 to 256 slots: at every occupancy measured"),
           "10 % less");
}

void packed_objects_win_from_an_occupancy_down() {
    const auto table = made_up(always(9), always(9), [](std::size_t slots, std::size_t percent) {
        return percent <= (slots < 64 ? 25u : 50u) ? 0.5 : 1.0;
    });
    expect(says(table, "8 to 32 slots: from 25 % down"), "small ones");
    expect(says(table, "64 to 256 slots: from 50 % down"), "large ones");
}

void what_is_not_monotone_is_listed() {
    const auto spawn = [](std::size_t slots, std::size_t) { return slots == 16 || slots == 128 ? 4.0 : 9.0; };
    expect(says(made_up(spawn, always(9), always(0.5)), "10 to 100 % live: at 16 and 128 slots"), "two sizes");
    const auto large = [](std::size_t slots, std::size_t) { return slots >= 128 ? 4.0 : 9.0; };
    expect(says(made_up(large, always(9), always(0.5)), "10 to 100 % live: from 128 slots on"), "from a size on");
}

void what_packing_may_cost_is_weighed_against_what_a_pass_saves() {
    const pattern_cell list{100, 5.0, 1.0};
    expect(std::abs(bench::break_even({100, 9.0, 0.6}, list) - 10) < 1e-9, "40 ns saved, 4 ns dearer: 10 objects");
    expect(bench::break_even({100, 9.0, 0.98}, list) == 0, "nothing saved");
    expect(bench::break_even({100, 4.0, 1.2}, list) == 0, "a dearer pass");
    expect(std::isinf(bench::break_even({100, 5.1, 0.6}, list)), "not dearer");
    expect(std::isnan(bench::break_even({100, NAN, 0.6}, list)), "not measured");
    expect(says(made_up(always(9), always(9), always(0.6)),
                " 50 % live      10 %    10 %    10 %    10 %    10 %    10 %"),
           "the line of the table");
}

void what_was_not_measured_is_not_judged() {
    pattern_table table;
    expect(bench::crossovers(table).empty(), "an empty table says nothing");
    table.at({pattern::flag, true}, 8, 50) = {4, 1.0, NAN};
    expect(bench::crossovers(table).empty(), "one contender alone says nothing");
    table.at({pattern::free_list, true}, 16, 50) = {8, 1.0, NAN};
    expect(says(table, "50 % live: not measured"), "no size has both");
}

}  // namespace

int main() {
    a_scan_that_grows_wins_up_to_where_it_costs_as_much();
    a_scan_that_grows_with_what_lives_crosses_elsewhere_at_each_occupancy();
    figures_closer_than_the_noise_are_equal();
    packed_objects_win_from_an_occupancy_down();
    what_is_not_monotone_is_listed();
    what_packing_may_cost_is_weighed_against_what_a_pass_saves();
    what_was_not_measured_is_not_judged();
    if (failures == 0) std::printf("all hold\n");
    return failures == 0 ? 0 : 1;
}
