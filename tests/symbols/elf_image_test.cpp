// Promise (X6, with line_program_test.cpp): sections are found in files of either word size, and a file that lies about what lies
// where is told nothing from outside itself.
#include "symbols/made_lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace lido::test {
namespace symbols_elf_image_test {

using symbols::byte_view;
using symbols::elf_image;
using symbols::elf_section;

made_bytes letters(std::string_view text) {
    byte_writer w;
    w.text(text);
    w.bytes.pop_back();
    return w.bytes;
}

std::string as_text(byte_view bytes) {
    std::string text;
    for (const std::byte b : bytes) text.push_back(static_cast<char>(b));
    return text;
}

constexpr std::uint64_t code_flags = elf_section::loaded | elf_section::code;

std::vector<made_section> some_sections() {
    return {{".text", letters("code"), 0x2000, code_flags},
            {".debug_line_str", letters("names"), 0, 0},
            {".debug_line", letters("lines"), 0, 0},
            {".fini", letters("end"), 0x3000, code_flags}};
}

class an_elf_image : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(bits_64, an_elf_image, ::testing::Bool());

TEST_P(an_elf_image, X6_finds_sections_by_their_whole_name) {
    const made_bytes file = made_elf(some_sections(), GetParam());
    const elf_image image(file);
    ASSERT_TRUE(image.valid());
    EXPECT_EQ(image.wide(), GetParam());
    EXPECT_EQ(image.section_count(), 6u);
    EXPECT_EQ(as_text(image.find(".debug_line")), "lines") << "and not .debug_line_str, which comes before it";
    EXPECT_EQ(as_text(image.find(".debug_line_str")), "names");
    EXPECT_EQ(as_text(image.find(".text")), "code");
    EXPECT_TRUE(image.find(".debug_lin").empty());
    EXPECT_TRUE(image.find(".debug_str").empty());
    EXPECT_TRUE(image.find("").empty()) << "the first section is none";
}

TEST_P(an_elf_image, code_reaches_from_the_first_section_of_code_to_the_last) {
    const made_bytes file = made_elf(some_sections(), GetParam());
    const symbols::code_range code = elf_image(file).code();
    EXPECT_EQ(code.low, 0x2000u);
    EXPECT_EQ(code.high, 0x3003u);
    EXPECT_FALSE(code.holds(0));
    EXPECT_FALSE(code.holds(0x3003));
}

TEST_P(an_elf_image, without_sections_of_code_only_the_addresses_of_discarded_code_are_none) {
    const made_bytes file = made_elf({{".data", letters("data"), 0x2000, elf_section::loaded}}, GetParam());
    const symbols::code_range code = elf_image(file).code();
    EXPECT_FALSE(code.holds(0));
    EXPECT_TRUE(code.holds(1));
    EXPECT_FALSE(code.holds(~std::uint64_t{0}));
}

TEST_P(an_elf_image, code_of_an_object_file_may_start_at_0) {
    const made_bytes file = made_elf({{".text", letters("code"), 0, code_flags}}, GetParam());
    EXPECT_TRUE(elf_image(file).code().holds(0));
}

TEST_P(an_elf_image, compressed_sections_and_those_without_bytes_are_not_found) {
    const made_bytes file = made_elf(
        {{".debug_line", letters("packed"), 0, elf_section::compressed}, {".debug_str", letters("none"), 0, 0, 8}},
        GetParam());
    EXPECT_TRUE(elf_image(file).find(".debug_line").empty());
    EXPECT_TRUE(elf_image(file).find(".debug_str").empty());
}

TEST_P(an_elf_image, gives_the_table_of_segments) {
    const symbols::elf_segment load{symbols::elf_segment::load, 0x10, 0x1000, 0x20, 0x30};
    const symbols::elf_segment note{symbols::elf_segment::note, 0x11, 0x1001, 0x8, 0x8};
    made_bytes file = made_elf(some_sections(), GetParam(), {load, note});
    const byte_view table = elf_image(file).segments();
    const std::size_t one = symbols::elf_segment::bytes(GetParam());
    ASSERT_EQ(table.size(), 2 * one);
    const auto second = symbols::elf_segment::at(table, one, GetParam());
    EXPECT_EQ(second.type, note.type);
    EXPECT_EQ(second.offset, note.offset);
    EXPECT_EQ(second.address, note.address);
    EXPECT_EQ(second.file_bytes, note.file_bytes);
    EXPECT_EQ(symbols::elf_segment::at(table, 0, GetParam()).memory_bytes, 0x30u);
    EXPECT_EQ(symbols::elf_segment::at(table, one + 1, GetParam()).type, 0u) << "one that is not all there";

    file[GetParam() ? 54 : 42] = std::byte{8};
    EXPECT_TRUE(elf_image(file).segments().empty()) << "segments of a size that is not known";
}

TEST_P(an_elf_image, more_sections_than_16_bits_count_are_counted_by_the_first) {
    made_bytes file = made_elf(some_sections(), GetParam());
    const std::size_t word = GetParam() ? 8 : 4;
    const std::size_t counts = GetParam() ? 60 : 48;
    const std::size_t table = file.size() - 6 * (GetParam() ? 64 : 40);
    const auto put = [&](std::size_t at, std::uint64_t value, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) file[at + i] = static_cast<std::byte>(value >> (8 * i));
    };
    put(counts, 0, 2);
    put(counts + 2, 0xffff, 2);
    put(table + (GetParam() ? 32 : 20), 6, word);  // size: how many there are
    put(table + (GetParam() ? 40 : 24), 5, 4);     // link: which one has the names
    EXPECT_EQ(elf_image(file).section_count(), 6u);
    EXPECT_EQ(as_text(elf_image(file).find(".debug_line")), "lines");
}

TEST(an_elf_image, files_of_another_kind_have_nothing) {
    for (const made_bytes& file : {made_bytes{}, letters("\x7f"), letters("MZ and so on"),
                                   letters("\x7f"
                                           "ELF\2\1")}) {
        const elf_image image(file);
        EXPECT_FALSE(image.valid());
        EXPECT_TRUE(image.find(".text").empty());
        EXPECT_TRUE(image.segments().empty());
    }
    made_bytes big_endian = made_elf(some_sections());
    big_endian[5] = std::byte{2};
    EXPECT_FALSE(elf_image(big_endian).valid());
    made_bytes other_width = made_elf(some_sections());
    other_width[4] = std::byte{3};
    EXPECT_FALSE(elf_image(other_width).valid());
}

/// Whatever is found lies inside; read in a copy of exactly this size, so that a step outside is seen.
void look_everywhere(const made_bytes& file) {
    const auto copy = std::make_unique<std::byte[]>(file.size());
    std::copy(file.begin(), file.end(), copy.get());
    const elf_image image(byte_view(copy.get(), file.size()));
    unsigned sum = 0;
    const auto touch = [&](byte_view part) {
        for (const std::byte b : part) sum += static_cast<unsigned>(b);
    };
    for (const char* const name : {".debug_line", ".debug_line_str", ".text", ".none"}) touch(image.find(name));
    touch(image.segments());
    const symbols::code_range code = image.code();
    EXPECT_LT(code.low, code.high);
    EXPECT_LE(image.section_count(), file.size());
}

TEST_P(an_elf_image, files_that_end_anywhere_are_safe_to_read) {
    const made_bytes file = made_elf(some_sections(), GetParam(), {{1, 0, 0, 64, 64}});
    for (std::size_t size = 0; size <= file.size(); ++size)
        look_everywhere({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)});
}

TEST_P(an_elf_image, files_with_any_byte_changed_are_safe_to_read) {
    const made_bytes file = made_elf(some_sections(), GetParam(), {{1, 0, 0, 64, 64}});
    for (std::size_t i = 0; i < file.size(); ++i) {
        made_bytes changed = file;
        for (const unsigned value : {0u, 1u, 2u, 0x3fu, 0x40u, 0x7fu, 0x80u, 0xfeu, 0xffu}) {
            changed[i] = static_cast<std::byte>(value);
            look_everywhere(changed);
        }
    }
}

}  // namespace symbols_elf_image_test
}  // namespace lido::test
