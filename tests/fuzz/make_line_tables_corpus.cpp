// Makes tests/fuzz/corpus/line_tables: line tables of every version and the files around them, made by hand. Run by hand, when
// line_tables_fuzz.cpp reads its input otherwise:
//
//   g++ -std=c++20 -Iinclude -Itests -Isrc/symbols tests/fuzz/make_line_tables_corpus.cpp -o /tmp/make
//   /tmp/make tests/fuzz/corpus/line_tables
//
// The inputs gcc_* and clang_* are not made here: they are the sections of lines of a library of two functions, one of them a
// template, as compiler and linker made them.
#include "symbols/made_lines.hpp"

#include <cstdio>
#include <fstream>
#include <string>

namespace lido::test {
namespace {

void put(const std::string& path, unsigned kind, const made_bytes& bytes) {
    std::ofstream out(path, std::ios::binary);
    out.put(static_cast<char>(kind));
    for (const std::byte b : bytes) out.put(static_cast<char>(b));
}

made_bytes parts(const made_tables& t) {
    byte_writer w;
    w.fixed(t.lines.size(), 2).fixed(t.line_strings.size(), 2).add(t.lines).add(t.line_strings).add(t.strings);
    return w.bytes;
}

made_unit unit_of(unsigned version, name_form form) {
    made_unit unit;
    unit.version = version;
    unit.form = form;
    unit.has_checksums = form == name_form::strp;
    unit.folders = {"/made", "parts", "/usr/include"};
    unit.files.emplace_back("third.hpp", 2);
    made_program& p = unit.program;
    p.set_file(1).set_address(0x1000).row(0, 9).op(5, 7).op(6).op(60).op(200).op(8).op(61);
    p.set_file(2).row(12, -5).op(9).fixed(9, 2);
    p.copy();
    p.u8(0).uleb(2).u8(4).uleb(3);  // discriminator
    p.op(7).op(10).op(11).op(12, 1).op(33).advance_pc(16).end_sequence();
    p.set_address(0).row(0, 1).row(0x2000, 1).advance_pc(8).end_sequence();
    if (version < 5) {
        byte_writer entry;
        entry.u8(3).text("fourth.cpp").uleb(1).uleb(0).uleb(0);
        p.u8(0).uleb(entry.bytes.size()).add(entry.bytes);
        p.set_file(4);
    }
    p.set_address(0x3000).row(0, 99).advance_pc(8).end_sequence();
    return unit;
}

}  // namespace
}  // namespace lido::test

int main(int argc, char** argv) {
    using namespace lido::test;
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s <folder>\n", argv[0]);
        return 2;
    }
    const std::string folder = std::string(argv[1]) + "/";
    made_tables all;
    for (const unsigned version : {2u, 3u, 4u, 5u}) {
        for (const name_form form : {name_form::string, name_form::strp, name_form::line_strp}) {
            if (version < 5 && form != name_form::string) continue;
            const made_unit unit = unit_of(version, form);
            made_tables one;
            one.add(unit);
            all.add(unit);
            put(folder + "tables_v" + std::to_string(version) + "_" + std::to_string(static_cast<int>(form)), 1,
                parts(one));
        }
    }
    made_unit wide_unit = unit_of(5, name_form::line_strp);
    wide_unit.is_dwarf64 = true;
    made_unit stepped = unit_of(4, name_form::string);
    stepped.step = 4;
    stepped.opcode_base = 10;
    made_unit strange = unit_of(3, name_form::string);
    strange.opcode_base = 17;
    strange.operand_counts.insert(strange.operand_counts.end(), {1, 0, 2, 3});
    made_tables odd;
    odd.lines.resize(8);
    odd.add(wide_unit).add(stepped).add(strange);
    put(folder + "tables_odd", 1, parts(odd));
    for (const bool wide : {false, true}) {
        put(folder + (wide ? "file_64" : "file_32"), 0,
            made_elf({{".text", made_bytes(16), 0x1000, 6},
                      {".debug_line", all.lines},
                      {".debug_line_str", all.line_strings},
                      {".debug_str", all.strings}},
                     wide, {{1, 0, 0x1000, 16, 16}, {4, 0, 0x1000, 8, 8}}));
    }
    return 0;
}
