// X6: places, ticks and the notes of lives, as the diary keeps them.
#include <lido/core/checks/life_notes.hpp>
#include <lido/core/checks/line_finder.hpp>
#include <lido/core/checks/place.hpp>
#include <lido/core/checks/report.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace checks_places_test {

using lido::detail::life_note;
using lido::detail::life_notes;
using lido::detail::text_line;

TEST(place, X6_told_places_are_one_for_one_file_and_line) {
    const lido::source_place a = lido::source_place::of({"a.cpp", 1});
    EXPECT_TRUE(a);
    EXPECT_EQ(a, lido::source_place::of({"a.cpp", 1}));
    EXPECT_NE(a, lido::source_place::of({"a.cpp", 2}));
    ASSERT_NE(a.told(), nullptr);
    EXPECT_STREQ(a.told()->file, "a.cpp");
    EXPECT_EQ(a.told()->line, 1u);
    EXPECT_FALSE(lido::source_place{});
    EXPECT_EQ(lido::source_place{}.told(), nullptr);
    int here = 0;
    EXPECT_EQ(lido::source_place::returning_to(&here).told(), nullptr);
}

TEST(place, X6_may_be_told_by_several_threads_at_once) {
    static const char* const files[] = {"one.cpp", "two.cpp", "three.cpp"};
    std::vector<std::vector<lido::source_place>> seen(4);
    std::vector<std::thread> threads;
    for (auto& mine : seen) {
        threads.emplace_back([&mine] {
            for (std::uint32_t line = 1; line <= 50; ++line) {
                for (const char* file : files) mine.push_back(lido::source_place::of({file, line}));
            }
        });
    }
    for (auto& t : threads) t.join();
    for (const auto& mine : seen) EXPECT_EQ(mine, seen[0]);
    std::set<std::uintptr_t> different;
    for (const auto p : seen[0]) different.insert(p.bits());
    EXPECT_EQ(different.size(), 150u);
}

std::string words(lido::source_place at) {
    text_line line;
    lido::detail::add_place(line, at);
    return line.text();
}

TEST(place, X6_is_worded_as_file_and_line_or_what_can_be_said) {
    EXPECT_EQ(words(lido::source_place::of({"src/game/weapons.cpp", 88})), "weapons.cpp:88");
    EXPECT_EQ(words({}), "an unknown place");
    EXPECT_EQ(words(lido::source_place::from_bits(0x123456)), "0x123456");
}

/// Asks for the words of a place in a program without lido::symbols.
class without_symbols {
public:
    without_symbols() : before_(lido::current_line_finder.exchange(nullptr)) { lido::detail::told_of_symbols = false; }
    without_symbols(const without_symbols&) = delete;
    without_symbols& operator=(const without_symbols&) = delete;
    ~without_symbols() {
        lido::current_line_finder = before_;
        lido::detail::told_of_symbols = false;
    }

private:
    lido::line_finder before_;
};

TEST(place, X6_is_an_address_without_symbols_and_the_first_one_says_what_to_do) {
    const without_symbols none;
    EXPECT_EQ(words(lido::source_place::of({"weapons.cpp", 88})), "weapons.cpp:88");
    EXPECT_EQ(words({}), "an unknown place");
    EXPECT_EQ(words(lido::source_place::from_bits(0x123456)), "0x123456 (link lido::symbols to see file and line)");
    EXPECT_EQ(words(lido::source_place::from_bits(0x123457)), "0x123457");
    lido::forget_reports();
    EXPECT_EQ(words(lido::source_place::from_bits(0x123456)), "0x123456") << "once in a program";
}

TEST(place, X6_is_worded_by_what_the_finder_knows_of_it) {
    const without_symbols none;
    lido::current_line_finder = [](std::uintptr_t address) noexcept {
        lido::found_line found{.known = address < 0x2000, .line = 88, .file = "src/weapons.cpp", .offset = 0x31f};
        if (address < 0x3000) std::snprintf(found.module, sizeof found.module, "game");
        return found;
    };
    EXPECT_EQ(words(lido::source_place::from_bits(0x1800)), "weapons.cpp:88");
    EXPECT_EQ(words(lido::source_place::from_bits(0x2800)), "game+0x31f");
    EXPECT_EQ(words(lido::source_place::from_bits(0x3800)), "0x3800");
}

TEST(last_part, is_the_name_without_folders) {
    EXPECT_STREQ(lido::last_part("/game/src/weapons.cpp"), "weapons.cpp");
    EXPECT_STREQ(lido::last_part("src/weapons.cpp"), "weapons.cpp");
    EXPECT_STREQ(lido::last_part("weapons.cpp"), "weapons.cpp");
    EXPECT_STREQ(lido::last_part("src/"), "");
    EXPECT_STREQ(lido::last_part(""), "");
}

TEST(ticks, X6_only_the_low_half_is_kept_and_the_latest_that_fits_is_told) {
    using lido::detail::whole_tick;
    lido::set_tick((std::uint64_t{3} << 32) + 10);
    EXPECT_EQ(whole_tick(10, true), (std::uint64_t{3} << 32) + 10);
    EXPECT_EQ(whole_tick(11, true), (std::uint64_t{2} << 32) + 11) << "not in the future";
    EXPECT_EQ(whole_tick(10, false), lido::no_tick);
    lido::set_tick(5);
    EXPECT_EQ(whole_tick(7, true), 7u) << "after a rewind the past may lie ahead";
    lido::set_tick(lido::no_tick);
    EXPECT_EQ(whole_tick(7, true), 7u);
}

TEST(a_text_line, cuts_what_does_not_fit) {
    text_line line;
    for (int i = 0; i < 1000; ++i) line.add("%d,", i);
    const std::string text = line.text();
    EXPECT_EQ(text.rfind("0,1,2,", 0), 0u);
    EXPECT_LT(text.size(), 1600u);
}

TEST(notes, X6_every_slot_has_two_of_its_own_wherever_it_is) {
    life_notes notes;
    EXPECT_EQ(notes.find(0), nullptr);
    EXPECT_EQ(notes.bytes(), 0u);
    const std::vector<std::uint32_t> slots{0, 1, 63, 64, 65, 191, 192, 447, 448, 100'000, 1'000'000};
    std::set<const life_note*> seen;
    for (const std::uint32_t s : slots) {
        life_note* const pair = notes.make(s);
        ASSERT_NE(pair, nullptr);
        EXPECT_EQ(pair[0].flags, 0u);
        EXPECT_EQ(pair[1].flags, 0u);
        pair[0].generation = s;
        pair[1].generation = s + 1;
        seen.insert(pair);
        seen.insert(pair + 1);
    }
    EXPECT_EQ(seen.size(), slots.size() * 2);
    for (const std::uint32_t s : slots) {
        ASSERT_NE(notes.find(s), nullptr);
        EXPECT_EQ(notes.find(s)[0].generation, s);
        EXPECT_EQ(notes.find(s)[1].generation, s + 1);
    }
    life_notes moved(std::move(notes));
    EXPECT_EQ(moved.find(448)->generation, 448u);
    EXPECT_EQ(notes.find(448), nullptr);  // NOLINT(bugprone-use-after-move): empty is what a moved one is
}

TEST(notes, X6_the_last_slot_there_can_be_is_within_the_chunks) {
    // Only its place is worked out: the chunk would be 128 GiB.
    const life_notes notes;
    EXPECT_EQ(notes.find(0xfffffffeu), nullptr);
}

TEST(report_counts, X6_tell_the_first_and_then_every_power_of_ten) {
    lido::detail::report_counts counts;
    const auto at = lido::source_place::from_bits(0x5000);
    std::vector<std::uint64_t> told;
    for (int i = 0; i < 1500; ++i) {
        if (const std::uint64_t n = counts.due(lido::misuse_kind::stale_get, at, "p"); n != 0) told.push_back(n);
    }
    EXPECT_EQ(told, (std::vector<std::uint64_t>{1, 10, 100, 1000}));
    EXPECT_EQ(counts.due(lido::misuse_kind::double_release, at, "p"), 1u);
    EXPECT_EQ(counts.due(lido::misuse_kind::stale_get, at, "q"), 1u);
    counts.clear();
    EXPECT_EQ(counts.due(lido::misuse_kind::stale_get, at, "p"), 1u);
}

TEST(report_counts, X6_more_places_than_fit_are_counted_together) {
    lido::detail::report_counts counts;
    unsigned told = 0;
    for (std::uintptr_t i = 0; i < 5000; ++i) {
        told += counts.due(lido::misuse_kind::stale_get, lido::source_place::from_bits(0x10000 + i), "p") != 0 ? 1 : 0;
    }
    EXPECT_GE(told, 512u);
    EXPECT_LT(told, 520u);
}

}  // namespace checks_places_test
