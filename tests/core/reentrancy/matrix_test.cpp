// Promise: whatever is called on a pool from inside of one of its own calls (an element's constructor, destructor or move, a
// callback, a hook), it is done and right, or refused and told. What is not so yet is in the table as a known fault, and has to be
// one still.
#include "core/reentrancy/matrix.hpp"
#include "core/reentrancy/stage.hpp"

#include <lido/core/config.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

// Sanitizers call these before they write a report.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" void __asan_on_error();
extern "C" void __asan_on_error() { lido::test::reentrancy::found_by_a_sanitizer(); }
extern "C" void __ubsan_on_report();
extern "C" void __ubsan_on_report() { lido::test::reentrancy::found_by_a_sanitizer(); }
// NOLINTEND(bugprone-reserved-identifier)

namespace reentrancy_matrix_test {

using namespace lido::test::reentrancy;
using expected::absent;
using expected::known_fault;
using expected::row;
using expected::shows;

constexpr bool poisoned = LIDO_ASAN && LIDO_POISON;
#ifdef __OPTIMIZE__
constexpr bool optimised = true;
#else
constexpr bool optimised = false;
#endif

std::array<std::string, calls> cells_of(const row& of) {
    std::array<std::string, calls> cells;
    std::istringstream from(of.cells);
    for (std::string& cell : cells) from >> cell;
    return cells;
}

const known_fault* fault_of(const std::string& cell) {
    for (const known_fault& one : expected::faults) {
        if (cell == one.code) return &one;
    }
    return nullptr;
}

std::string name_of(const row& of) {
    return std::string(to_string(of.of)) + "_of_" + to_string(of.kind) + "s_from_" + to_string(of.from) + "_in_" +
           to_string(of.in);
}

class reentrancy_matrix : public testing::TestWithParam<row> {
protected:
    static result try_out_here(call what) {
        const row& of = GetParam();
        return try_out(of.of, of.kind, {of.from, of.in}, what);
    }
    static void expect_stop(call what) {
        const result seen = try_out_here(what);
        // A sanitizer may come first.
        if (seen.sanitizer) return;
        EXPECT_STREQ(to_string(seen.what), to_string(outcome::stops)) << seen.text;
    }
    static void expect_fault(call what, const known_fault& known) {
        const result seen = try_out_here(what);
        EXPECT_STREQ(to_string(seen.what), to_string(outcome::faulty))
            << "this is no longer so: \"" << known.sentence << "\"\n"
            << "Write what is so into matrix.hpp and into docs/guide/reentrancy.md. " << seen.text;
    }
};

/// What a cell asks for in this build; `faulty` where its fault shows, `none` for nothing at all.
outcome demanded(const std::string& cell) {
    if (cell == "ok") return outcome::right;
    if (cell == "told") return outcome::refused;
    if (cell == "stop") return lido::checks ? outcome::stops : outcome::none;
    const known_fault* const known = fault_of(cell);
    if (known == nullptr) return outcome::none;
    switch (known->where) {
        case shows::always: return outcome::faulty;
        case shows::crashes_before_the_check: return lido::checks && !LIDO_ASAN ? outcome::faulty : outcome::none;
        case shows::under_asan: return poisoned ? outcome::faulty : outcome::right;
        case shows::unoptimised: return optimised ? outcome::none : outcome::faulty;
    }
    return outcome::none;
}

TEST_P(reentrancy_matrix, what_is_allowed_is_right_and_what_is_refused_is_told) {
    const row& of = GetParam();
    const auto cells = cells_of(of);
    // All in one process, which leaves this one small: the other test starts many of it.
    const ending seen = in_a_process([&] {
        for (int i = 0; i < calls; ++i) {
            const std::string& cell = cells.at(static_cast<std::size_t>(i));
            const outcome wanted = demanded(cell);
            if (wanted != outcome::right && wanted != outcome::refused && cell != "none") continue;
            const result got = act(of.of, of.kind, {of.from, of.in}, static_cast<call>(i));
            if (got.what == wanted) continue;
            std::fprintf(stderr, "%s is %s and not %s: %s\n", to_string(static_cast<call>(i)), to_string(got.what),
                         to_string(wanted), got.text.c_str());
        }
    });
    EXPECT_EQ(seen.status, 0) << seen.text;
    EXPECT_EQ(seen.text, "");
}

TEST_P(reentrancy_matrix, what_is_not_allowed_stops_and_known_faults_are_faults_still) {
    const auto cells = cells_of(GetParam());
    for (int i = 0; i < calls; ++i) {
        const auto what = static_cast<call>(i);
        const std::string& cell = cells.at(static_cast<std::size_t>(i));
        SCOPED_TRACE(name_of(GetParam()) + ": " + to_string(what));
        if (demanded(cell) == outcome::stops) expect_stop(what);
        if (demanded(cell) == outcome::faulty) expect_fault(what, *fault_of(cell));
    }
}

INSTANTIATE_TEST_SUITE_P(rows, reentrancy_matrix, testing::ValuesIn(expected::matrix),
                         [](const testing::TestParamInfo<row>& of) { return name_of(of.param); });

TEST(the_table_of_the_matrix, has_every_place_of_every_shape_once_or_says_why_there_is_none) {
    std::set<std::tuple<shape, element, event, during>> rows;
    for (const row& of : expected::matrix) {
        EXPECT_TRUE(rows.insert({of.of, of.kind, of.from, of.in}).second) << name_of(of) << " is there twice";
    }
    for (int s = 0; s < shapes; ++s) {
        for (const element kind : {element::owner, element::plain}) {
            for (const place at : expected::places) {
                const auto of = static_cast<shape>(s);
                const bool there = rows.erase({of, kind, at.from, at.in}) == 1;
                EXPECT_EQ(there, absent(of, kind, at, call::iterate) == nullptr)
                    << name_of({of, kind, at.from, at.in, ""});
            }
        }
    }
    EXPECT_TRUE(rows.empty()) << "there is a row for a place that is not in the list of places";
}

TEST(the_table_of_the_matrix, says_none_where_there_is_no_such_call_and_nowhere_else) {
    for (const row& of : expected::matrix) {
        const auto cells = cells_of(of);
        for (int i = 0; i < calls; ++i) {
            const bool none = absent(of.of, of.kind, {of.from, of.in}, static_cast<call>(i)) != nullptr;
            EXPECT_EQ(cells.at(static_cast<std::size_t>(i)) == "none", none) << name_of(of) << ", call " << i;
        }
    }
}

TEST(the_table_of_the_matrix, leaves_out_only_places_that_are_never_reached) {
    const ending seen = in_a_process([] {
        for (int s = 0; s < shapes; ++s) {
            for (const element kind : {element::owner, element::plain}) {
                for (const place at : expected::places) {
                    const auto of = static_cast<shape>(s);
                    if (absent(of, kind, at, call::iterate) == nullptr) continue;
                    const result got = act(of, kind, at, call::iterate);
                    if (got.what == outcome::none) continue;
                    std::fprintf(stderr, "%s is %s: %s\n", name_of({of, kind, at.from, at.in, ""}).c_str(),
                                 to_string(got.what), got.text.c_str());
                }
            }
        }
    });
    EXPECT_EQ(seen.status, 0);
    EXPECT_EQ(seen.text, "");
}

TEST(the_table_of_the_matrix, has_no_cell_that_means_nothing_and_no_fault_that_no_cell_has) {
    std::set<std::string> used;
    for (const row& of : expected::matrix) {
        for (const std::string& cell : cells_of(of)) {
            used.insert(cell);
            const bool plain_word = cell == "ok" || cell == "told" || cell == "stop" || cell == "none";
            EXPECT_TRUE(plain_word || fault_of(cell) != nullptr) << name_of(of) << ": " << cell;
        }
    }
    for (const known_fault& one : expected::faults) EXPECT_TRUE(used.contains(one.code)) << one.sentence;
}

}  // namespace reentrancy_matrix_test
