// Promise (X6): of an address that a program's line tables cover, the file and the line are found, whatever the version of the
// tables; of any other, and of damaged tables, nothing is said.
#include "symbols/made_lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace lido::test {
namespace symbols_line_program_test {

class line_program : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(version, line_program, ::testing::Values(2u, 3u, 4u, 5u));

TEST_P(line_program, X6_names_the_row_that_covers_an_address) {
    made_tables tables;
    tables.add(plain_unit(GetParam()));
    const auto t = tables.view();
    EXPECT_EQ(place_of(t, 0x0fff), "?");
    EXPECT_EQ(place_of(t, 0x1000), "first.cpp:10");
    EXPECT_EQ(place_of(t, 0x1003), "first.cpp:10");
    EXPECT_EQ(place_of(t, 0x1004), "first.cpp:12");
    EXPECT_EQ(place_of(t, 0x100f), "first.cpp:12");
    EXPECT_EQ(place_of(t, 0x1010), "parts/second.hpp:7");
    EXPECT_EQ(place_of(t, 0x101f), "parts/second.hpp:7");
    EXPECT_EQ(place_of(t, 0x1020), "?") << "the end of a sequence is the first address after it";
    EXPECT_EQ(place_of(t, 0x2fff), "?");
    EXPECT_EQ(place_of(t, 0x3007), "first.cpp:100");
    EXPECT_EQ(place_of(t, 0x3008), "?");
}

TEST_P(line_program, runs_special_opcodes_by_the_formula_of_the_header) {
    made_unit unit;
    unit.version = GetParam();
    unit.step = 4;
    unit.line_base = -3;
    unit.line_range = 6;
    unit.opcode_base = 10;
    const auto special = [&](unsigned steps, int lines) { return static_cast<unsigned>(lines + 3) + 6 * steps + 10; };
    const unsigned file = first_file(GetParam());
    unit.program.set_file(file).set_address(0x1000).advance_line(49);
    unit.program.op(special(0, 0)).op(special(2, 2)).op(special(3, -3));
    unit.program.op(8).op(special(0, 1));  // const_add_pc: (255 - 10) / 6 = 40 steps of 4 bytes
    unit.program.op(9).fixed(0x102, 2);    // fixed_advance_pc: bytes, not steps
    unit.program.copy().advance_pc(1).end_sequence();
    made_tables tables;
    tables.add(unit);
    const auto t = tables.view();
    EXPECT_EQ(place_of(t, 0x1000), "first.cpp:50");
    EXPECT_EQ(place_of(t, 0x1007), "first.cpp:50");
    EXPECT_EQ(place_of(t, 0x1008), "first.cpp:52");
    EXPECT_EQ(place_of(t, 0x1014), "first.cpp:49");
    EXPECT_EQ(place_of(t, 0x1014 + 159), "first.cpp:49");
    EXPECT_EQ(place_of(t, 0x1014 + 160), "first.cpp:50");
    EXPECT_EQ(place_of(t, 0x1014 + 160 + 0x102 + 3), "first.cpp:50");
    EXPECT_EQ(place_of(t, 0x1014 + 160 + 0x102 + 4), "?");
}

TEST_P(line_program, passes_over_what_a_report_does_not_show) {
    made_unit unit = plain_unit(GetParam());
    made_program noisy;
    noisy.op(5, 301).op(6).op(7).op(10).op(11).op(12, 203);   // column, statement, block, prologue, epilogue, machine
    noisy.u8(0).uleb(3).u8(4).uleb(300);                      // discriminator
    noisy.u8(0).uleb(6).u8(0x80).fixed(0x01010101, 4).u8(1);  // one of a vendor, whose operand looks like opcodes
    noisy.add(unit.program.bytes);
    unit.program = noisy;
    made_tables tables;
    tables.add(unit);
    EXPECT_EQ(place_of(tables.view(), 0x1004), "first.cpp:12");
}

TEST_P(line_program, passes_over_standard_opcodes_of_later_versions_by_their_operand_counts) {
    made_unit unit = plain_unit(GetParam());
    unit.opcode_base = 16;
    unit.operand_counts.insert(unit.operand_counts.end(), {2, 0, 1});
    made_program program;
    program.u8(13).uleb(1).uleb(70000);
    program.u8(14);
    program.u8(15).uleb(1);
    program.add(unit.program.bytes);
    unit.program = program;
    made_tables tables;
    tables.add(unit);
    EXPECT_EQ(place_of(tables.view(), 0x1010), "parts/second.hpp:7");
}

TEST_P(line_program, takes_opcodes_that_the_header_does_not_count_as_standard_for_special) {
    made_unit unit;
    unit.version = GetParam();
    unit.opcode_base = 5;  // so 5 is no longer set_column
    unit.program.set_file(first_file(GetParam())).set_address(0x1000).row(0, 19);
    unit.program.op(5 + 14 * 2 + 6).advance_pc(4).end_sequence();  // 2 bytes on, 1 line on
    made_tables tables;
    tables.add(unit);
    EXPECT_EQ(place_of(tables.view(), 0x1001), "first.cpp:20");
    EXPECT_EQ(place_of(tables.view(), 0x1002), "first.cpp:21");
}

TEST_P(line_program, of_rows_with_one_address_the_last_covers_it) {
    made_unit unit;
    unit.version = GetParam();
    unit.program.set_file(first_file(GetParam())).set_address(0x1000).row(0, 4).row(0, 1).row(0, 1);
    unit.program.row(8, 1).row(0, 10).advance_pc(8).end_sequence();
    made_tables tables;
    tables.add(unit);
    EXPECT_EQ(place_of(tables.view(), 0x1000), "first.cpp:7");
    EXPECT_EQ(place_of(tables.view(), 0x1008), "first.cpp:18");
}

TEST_P(line_program, functions_that_the_linker_discarded_do_not_hide_others) {
    made_unit unit = plain_unit(GetParam());
    made_program program;
    const unsigned file = first_file(GetParam());
    // At 0, long enough to reach over the real ones, and with enough rows to be divided there; and at the highest address, as
    // other linkers have it.
    program.set_file(file).set_address(0).row(0, 300);
    for (int i = 0; i < 6000; ++i) program.row(4, i % 2 == 0 ? 1 : -1);
    program.end_sequence();
    program.set_file(file).set_address(0).row(0, 400).row(0x100, 1).row(0x1002, 1).advance_pc(0x4000).end_sequence();
    program.set_file(file).set_address(~std::uint64_t{0}).row(0, 500).row(0x1008, 1).advance_pc(0x4000).end_sequence();
    program.add(unit.program.bytes);
    program.set_file(file).set_address(0x4000).row(0, 199).advance_pc(0x1000).end_sequence();
    unit.program = program;
    made_tables tables;
    tables.add(unit);
    const auto t = tables.view();
    const auto spans = spans_of(t);
    EXPECT_EQ(place_in(t, spans, 0x800), "?");
    EXPECT_EQ(place_in(t, spans, 0x1004), "first.cpp:12");
    EXPECT_EQ(place_in(t, spans, 0x1011), "parts/second.hpp:7");
    EXPECT_EQ(place_in(t, spans, 0x2000), "?");
    for (std::uint64_t a = 0x4000; a < 0x5000; ++a) ASSERT_EQ(place_in(t, spans, a), "first.cpp:200");
    EXPECT_EQ(place_of(t, 0x800, {0, 0x5000}), "first.cpp:301") << "unless code does start at 0";
}

TEST_P(line_program, of_copies_of_a_function_the_first_in_the_file_counts) {
    made_unit first = plain_unit(GetParam());
    made_unit second = plain_unit(GetParam());
    second.files[0].first = "copy.cpp";
    made_tables tables;
    tables.add(first).add(second).add(second);
    EXPECT_EQ(place_of(tables.view(), 0x1000), "first.cpp:10");
    EXPECT_EQ(place_of(tables.view(), 0x3000), "first.cpp:100");
    EXPECT_EQ(spans_of(tables.view()).size(), 2u);
}

TEST_P(line_program, reads_64_bit_tables) {
    made_unit unit = plain_unit(GetParam());
    unit.is_dwarf64 = true;
    made_tables tables;
    tables.add(unit).add(plain_unit(GetParam()));
    EXPECT_EQ(place_of(tables.view(), 0x1010), "parts/second.hpp:7");
    EXPECT_EQ(place_of(tables.view(), 0x3000), "first.cpp:100");
}

TEST_P(line_program, reads_addresses_of_four_bytes) {
    made_unit unit;
    unit.version = GetParam();
    unit.program.set_file(first_file(GetParam())).set_address(0x8048000, 4).row(0, 2).advance_pc(4).end_sequence();
    made_tables tables;
    tables.add(unit);
    EXPECT_EQ(place_of(tables.view(), 0x8048003), "first.cpp:3");
}

TEST_P(line_program, goes_on_after_a_unit_that_it_cannot_read) {
    for (const unsigned bad : {0u, 1u, 6u, 0xffffu}) {
        made_unit strange = plain_unit(GetParam());
        strange.version = bad;
        made_tables tables;
        tables.add(strange).add(plain_unit(GetParam()));
        EXPECT_EQ(place_of(tables.view(), 0x1004), "first.cpp:12") << "after version " << bad;
    }
    made_unit undivided = plain_unit(GetParam());
    undivided.line_range = 0;
    undivided.program.op(100);
    made_tables tables;
    tables.add(undivided).add(plain_unit(GetParam()));
    EXPECT_EQ(spans_of(tables.view()).size(), 2u);
    EXPECT_EQ(place_of(tables.view(), 0x1004), "first.cpp:12");
}

TEST_P(line_program, passes_over_zeros_between_units) {
    made_tables tables;
    tables.lines.resize(12);
    tables.add(plain_unit(GetParam()));
    EXPECT_EQ(place_of(tables.view(), 0x1004), "first.cpp:12");
}

TEST_P(line_program, drops_a_sequence_without_an_end) {
    made_unit unit;
    unit.version = GetParam();
    unit.program.set_file(first_file(GetParam())).set_address(0x1000).row(0, 9).row(4, 2);
    made_tables tables;
    tables.add(unit);
    EXPECT_EQ(place_of(tables.view(), 0x1000), "?");
}

TEST_P(line_program, a_row_of_a_file_that_is_not_there_has_no_name) {
    made_unit unit;
    unit.version = GetParam();
    unit.program.set_file(99).set_address(0x1000).row(0, 9).advance_pc(4).end_sequence();
    made_tables tables;
    tables.add(unit);
    EXPECT_EQ(place_of(tables.view(), 0x1000), ":10");
}

// The spans of a long sequence are only where to begin: the answers are those of the whole.
TEST_P(line_program, gives_the_same_answers_wherever_a_long_program_is_divided) {
    std::mt19937 random(GetParam());
    made_unit unit;
    unit.version = GetParam();
    const unsigned file = first_file(GetParam());
    struct place {
        std::uint64_t address;
        std::string text;
    };
    std::vector<place> expected;
    std::uint64_t address = 0x1000;
    std::int64_t line = 1;
    unit.program.set_file(file).set_address(address);
    for (int i = 0; i < 6000; ++i) {
        const std::uint64_t steps = random() % 4 == 0 ? 0 : random() % 40;
        const std::int64_t to = 1 + static_cast<std::int64_t>(random() % 500);
        const bool second = random() % 5 == 0;
        unit.program.set_file(second ? file + 1 : file);
        unit.program.row(i == 0 ? 0 : steps, to - line);
        address += i == 0 ? 0 : steps;
        line = to;
        if (!expected.empty() && expected.back().address == address) expected.pop_back();
        expected.push_back({address, (second ? "/made/second.hpp:" : "first.cpp:") + std::to_string(line)});
    }
    unit.folders = {"/made", "/made"};
    unit.program.advance_pc(5).end_sequence();
    made_tables tables;
    tables.add(unit);
    const auto t = tables.view();
    const auto spans = spans_of(t);
    ASSERT_GT(spans.size(), 10u) << "nothing was divided";
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(place_in(t, spans, expected[i].address), expected[i].text) << "row " << i;
        const std::uint64_t last = i + 1 < expected.size() ? expected[i + 1].address - 1 : address + 4;
        ASSERT_EQ(place_in(t, spans, last), expected[i].text) << "last address of row " << i;
    }
}

TEST_P(line_program, an_opcode_that_claims_to_be_longer_than_all_there_is_ends_the_unit) {
    made_unit unit = plain_unit(GetParam());
    made_tables tables;
    tables.add(unit);
    const std::size_t whole = spans_of(tables.view()).size();
    // As long as makes the sum of place and length come out before the place.
    for (std::uint64_t back = 1; back < 40; ++back) {
        made_unit longer = unit;
        longer.program.u8(0).uleb(~std::uint64_t{0} - back);
        longer.program.set_address(0x5000).row(0, 1).advance_pc(4).end_sequence();
        made_tables more;
        more.add(longer);
        EXPECT_EQ(spans_of(more.view()).size(), whole);
    }
}

// --- strangers ---------------------------------------------------------------------------------------------------------------

/// Looks up whatever there is, in copies of exactly the right size, so that a read past an end is seen.
void look_everywhere(const made_bytes& lines, const made_tables& tables) {
    const auto copy = std::make_unique<std::byte[]>(lines.size());
    std::copy(lines.begin(), lines.end(), copy.get());
    const symbols::line_tables t{{copy.get(), lines.size()}, tables.line_strings, tables.strings};
    std::size_t count = 0;
    symbols::scan_lines(t, {0, ~std::uint64_t{0}}, [&](const symbols::line_span& s) {
        EXPECT_LT(s.low, s.high);
        const symbols::line_unit unit(t.lines, s.unit);
        EXPECT_TRUE(unit.usable);
        for (const std::uint64_t address : {s.low, s.low + (s.high - s.low) / 2, s.high - 1}) {
            const symbols::line_row row = symbols::row_at(unit, s, address);
            char path[20];
            symbols::write_path(symbols::line_names(t, unit).find(row.file), path);
        }
        return ++count < 1000;
    });
}

TEST_P(line_program, tables_that_end_anywhere_are_safe_to_read) {
    made_unit unit = plain_unit(GetParam());
    unit.has_checksums = true;
    unit.form = name_form::string;
    made_tables tables;
    tables.add(unit);
    for (std::size_t size = 0; size <= tables.lines.size(); ++size) {
        made_bytes cut(tables.lines.begin(), tables.lines.begin() + static_cast<std::ptrdiff_t>(size));
        look_everywhere(cut, tables);
        if (size < 4) continue;
        // with a length that fits what is left
        for (std::size_t i = 0; i < 4; ++i) cut[i] = static_cast<std::byte>((size - 4) >> (8 * i));
        look_everywhere(cut, tables);
    }
}

TEST_P(line_program, tables_with_any_byte_changed_are_safe_to_read) {
    for (const name_form form : {name_form::string, name_form::line_strp}) {
        made_unit unit = plain_unit(GetParam());
        unit.form = form;
        made_tables tables;
        tables.add(unit).add(plain_unit(2));
        for (std::size_t i = 0; i < tables.lines.size(); ++i) {
            made_bytes changed = tables.lines;
            for (const unsigned value :
                 {0u, 1u, 2u, 3u, 4u, 5u, 6u, 8u, 9u, 14u, 31u, 64u, 127u, 128u, 200u, 254u, 255u}) {
                changed[i] = static_cast<std::byte>(value);
                look_everywhere(changed, tables);
            }
        }
    }
}

TEST(line_program_bytes, numbers_of_any_length_are_read_to_their_end) {
    byte_writer w;
    w.uleb(0).uleb(127).uleb(128).uleb(~std::uint64_t{0}).sleb(-1).sleb(63).sleb(-64).sleb(INT64_MIN);
    for (int i = 0; i < 30; ++i) w.u8(0x80);
    w.u8(1).u8(42);
    symbols::byte_reader r(w.bytes);
    EXPECT_EQ(r.uleb(), 0u);
    EXPECT_EQ(r.uleb(), 127u);
    EXPECT_EQ(r.uleb(), 128u);
    EXPECT_EQ(r.uleb(), ~std::uint64_t{0});
    EXPECT_EQ(r.sleb(), -1);
    EXPECT_EQ(r.sleb(), 63);
    EXPECT_EQ(r.sleb(), -64);
    EXPECT_EQ(r.sleb(), INT64_MIN);
    EXPECT_EQ(r.uleb(), 0u) << "bits past the 64th are dropped";
    EXPECT_EQ(r.byte(), 42u);
    EXPECT_TRUE(r.ok());
    EXPECT_EQ(r.uleb(), 0u);
    EXPECT_FALSE(r.ok());
}

}  // namespace symbols_line_program_test
}  // namespace lido::test
