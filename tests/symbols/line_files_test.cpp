// Promise (X6, with line_program_test.cpp): files have the names that the compiler was given, however its tables write them.
#include "symbols/made_lines.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace lido::test {
namespace symbols_line_files_test {

TEST(line_files, X6_version_5_names_are_found_in_every_form) {
    for (const name_form form : {name_form::string, name_form::strp, name_form::line_strp}) {
        for (const bool checksums : {false, true}) {
            made_unit unit = plain_unit(5);
            unit.form = form;
            unit.has_checksums = checksums;
            made_tables tables;
            tables.add(made_unit{}).add(unit);
            EXPECT_EQ(place_of(tables.view(), 0x1010), "parts/second.hpp:7") << static_cast<int>(form);
        }
    }
}

/// A unit of version 5 whose files are described by `files`, from the number of parts on.
made_tables with_files(const byte_writer& files) {
    byte_writer rest;
    rest.u8(1).u8(1).u8(1).u8(0xfb).u8(14).u8(1);
    rest.u8(1).uleb(1).uleb(0x08).uleb(1).text("/made");
    rest.add(files.bytes);
    byte_writer all;
    all.fixed(5, 2).u8(8).u8(0).fixed(rest.bytes.size(), 4).add(rest.bytes);
    // With an opcode_base of 1 every opcode but the extended ones is special: a row 8 lines on, then one 4 bytes on.
    made_program body;
    body.set_address(0x1000).op(1 + 5 + 8).op(1 + 5 + 14 * 4).end_sequence();
    all.add(body.bytes);
    made_tables tables;
    byte_writer out;
    out.fixed(all.bytes.size(), 4).add(all.bytes);
    tables.lines = out.bytes;
    return tables;
}

TEST(line_files, entries_may_have_parts_that_nobody_asked_for) {
    byte_writer files;
    // path, folder (data2), time (data8), size (data4), a checksum, a block of a vendor, and a number of one byte
    files.u8(7).uleb(1).uleb(0x08).uleb(2).uleb(0x05).uleb(3).uleb(0x07).uleb(4).uleb(0x06).uleb(5).uleb(0x1e);
    files.uleb(0x2001).uleb(0x09).uleb(0x2002).uleb(0x0b);
    files.uleb(2);
    for (const char* const name : {"zero.cpp", "one.cpp"})
        files.text(name).fixed(0, 2).fixed(1, 8).fixed(2, 4).fixed(3, 16).uleb(3).fixed(0x010203, 3).u8(9);
    EXPECT_EQ(place_of(with_files(files).view(), 0x1000), "one.cpp:9");
}

TEST(line_files, a_form_that_is_not_known_leaves_the_file_without_a_name) {
    byte_writer files;
    files.u8(2).uleb(1).uleb(0x08).uleb(2).uleb(0x7777).uleb(2).text("zero.cpp").text("one.cpp");
    EXPECT_EQ(place_of(with_files(files).view(), 0x1000), ":9");
}

TEST(line_files, entries_made_of_nothing_are_not_counted_through) {
    byte_writer files;
    files.u8(0).uleb(~std::uint64_t{0});
    EXPECT_EQ(place_of(with_files(files).view(), 0x1000), ":9");
    byte_writer more;  // and neither are more entries than there are bytes
    more.u8(1).uleb(3).uleb(0x0b).uleb(~std::uint64_t{0});
    EXPECT_EQ(place_of(with_files(more).view(), 0x1000), ":9");
}

TEST(line_files, a_program_may_define_files_itself) {
    for (const unsigned version : {2u, 3u, 4u}) {
        made_unit unit;
        unit.version = version;
        unit.folders = {"/made", "parts"};
        const auto define = [&](const char* name, unsigned folder) {
            byte_writer entry;
            entry.u8(3).text(name).uleb(folder).uleb(0).uleb(0);
            unit.program.u8(0).uleb(entry.bytes.size()).add(entry.bytes);
        };
        define("third.cpp", 0);
        unit.program.set_file(4).set_address(0x1000).row(0, 9).advance_pc(4).end_sequence();
        define("fourth.cpp", 1);
        unit.program.set_file(3).set_address(0x2000).row(0, 1).advance_pc(4).end_sequence();
        made_tables tables;
        tables.add(unit);
        EXPECT_EQ(place_of(tables.view(), 0x1000), "parts/fourth.cpp:10");
        EXPECT_EQ(place_of(tables.view(), 0x2000), "third.cpp:2");
    }
}

std::string path_of(std::string_view folder, std::string_view name, std::size_t room) {
    std::vector<char> out(room, '#');
    symbols::write_path({folder, name}, out);
    return out.data();
}

TEST(line_files, a_path_is_folder_and_name) {
    EXPECT_EQ(path_of("src/ai", "brain.cpp", 100), "src/ai/brain.cpp");
    EXPECT_EQ(path_of("src/ai/", "brain.cpp", 100), "src/ai/brain.cpp");
    EXPECT_EQ(path_of("src", "/whole/brain.cpp", 100), "/whole/brain.cpp");
    EXPECT_EQ(path_of("", "brain.cpp", 100), "brain.cpp");
    EXPECT_EQ(path_of("src", "", 100), "");
}

TEST(line_files, a_path_that_is_too_long_loses_folders_from_its_front) {
    EXPECT_EQ(path_of("/home/me/src", "brain.cpp", 23), "/home/me/src/brain.cpp") << "22 letters and the zero";
    EXPECT_EQ(path_of("/home/me/src", "brain.cpp", 22), "me/src/brain.cpp") << "what is cut is cut at a folder";
    EXPECT_EQ(path_of("/home/me/src", "brain.cpp", 14), "brain.cpp");
    EXPECT_EQ(path_of("/home/me/src", "brain.cpp", 10), "brain.cpp");
    EXPECT_EQ(path_of("/home/me/src", "brain.cpp", 8), "ain.cpp");
    EXPECT_EQ(path_of("/home/me/src", "brain.cpp", 1), "");
}

}  // namespace symbols_line_files_test
}  // namespace lido::test
