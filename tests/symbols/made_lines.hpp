// lido tests: line tables and ELF files made by hand, byte by byte, so that the answers are known without a compiler.
#pragma once

#include "elf_image.hpp"
#include "line_files.hpp"
#include "line_program.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lido::test {

using made_bytes = std::vector<std::byte>;

class byte_writer {
public:
    made_bytes bytes;

    byte_writer& fixed(std::uint64_t value, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(i < 8 ? value >> (8 * i) : 0));
        return *this;
    }
    byte_writer& u8(std::uint64_t value) { return fixed(value, 1); }
    byte_writer& uleb(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) u8((value & 0x7f) | 0x80);
        return u8(value);
    }
    byte_writer& sleb(std::int64_t value) {
        for (; value < -64 || value > 63; value >>= 7) u8((static_cast<std::uint64_t>(value) & 0x7f) | 0x80);
        return u8(static_cast<std::uint64_t>(value) & 0x7f);
    }
    byte_writer& text(std::string_view letters) {
        for (const char c : letters) u8(static_cast<unsigned char>(c));
        return u8(0);
    }
    byte_writer& add(const made_bytes& more) {
        bytes.insert(bytes.end(), more.begin(), more.end());
        return *this;
    }
};

/// Opcodes, named as in the standard.
class made_program : public byte_writer {
public:
    made_program& set_address(std::uint64_t address, std::size_t size = 8) {
        u8(0).uleb(size + 1).u8(2).fixed(address, size);
        return *this;
    }
    made_program& end_sequence() {
        u8(0).uleb(1).u8(1);
        return *this;
    }
    made_program& copy() { return op(1); }
    made_program& advance_pc(std::uint64_t steps) { return op(2, steps); }
    made_program& advance_line(std::int64_t lines) {
        u8(3).sleb(lines);
        return *this;
    }
    made_program& set_file(std::uint64_t file) { return op(4, file); }
    made_program& op(unsigned opcode) {
        u8(opcode);
        return *this;
    }
    made_program& op(unsigned opcode, std::uint64_t operand) {
        u8(opcode).uleb(operand);
        return *this;
    }
    /// Moves on and adds a row.
    made_program& row(std::uint64_t steps, std::int64_t lines) {
        if (steps != 0) advance_pc(steps);
        if (lines != 0) advance_line(lines);
        return copy();
    }
};

/// How version 5 writes a name.
enum class name_form : std::uint8_t { string = 0x08, strp = 0x0e, line_strp = 0x1f };

struct made_unit {
    unsigned version = 5;
    bool is_dwarf64 = false;
    unsigned step = 1;
    int line_base = -5;
    unsigned line_range = 14;
    unsigned opcode_base = 13;
    std::vector<unsigned> operand_counts{0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    std::vector<std::string> folders{"/made"};  ///< the first is the compiler's own
    std::vector<std::pair<std::string, unsigned>> files{{"first.cpp", 0}, {"second.hpp", 1}};  ///< with folders
    name_form form = name_form::line_strp;
    bool has_checksums = false;
    made_program program;
};

/// Files count from 1 up to version 4, and from 0 in version 5.
[[nodiscard]] inline unsigned first_file(unsigned version) { return version < 5 ? 1 : 0; }

/// first.cpp: 0x1000 line 10, 0x1004 line 12; second.hpp: 0x1010 line 7; up to 0x1020. Then a second sequence.
[[nodiscard]] inline made_unit plain_unit(unsigned version) {
    made_unit unit;
    unit.version = version;
    unit.folders = {"/made", "parts"};
    const unsigned file = first_file(version);
    unit.program.set_file(file).set_address(0x1000).row(0, 9).row(4, 2);
    unit.program.set_file(file + 1).row(12, -5).advance_pc(16).end_sequence();
    unit.program.set_file(file).set_address(0x3000).row(0, 99).advance_pc(8).end_sequence();
    return unit;
}

/// The sections of a program with these units.
struct made_tables {
    made_bytes lines;
    made_bytes line_strings;
    made_bytes strings;

    [[nodiscard]] symbols::line_tables view() const { return {lines, line_strings, strings}; }

    made_tables& add(const made_unit& unit) {
        const std::size_t offset_size = unit.is_dwarf64 ? 8 : 4;
        byte_writer rest;  // from the smallest step on
        rest.u8(unit.step);
        if (unit.version >= 4) rest.u8(1);
        rest.u8(1).u8(static_cast<std::uint8_t>(unit.line_base)).u8(unit.line_range).u8(unit.opcode_base);
        for (unsigned i = 0; i + 1 < unit.opcode_base; ++i)
            rest.u8(i < unit.operand_counts.size() ? unit.operand_counts[i] : 0);
        if (unit.version < 5) {
            for (std::size_t i = 1; i < unit.folders.size(); ++i) rest.text(unit.folders[i]);
            rest.u8(0);
            for (const auto& [name, folder] : unit.files) rest.text(name).uleb(folder).uleb(0).uleb(0);
            rest.u8(0);
        } else {
            const unsigned form = static_cast<unsigned>(unit.form);
            rest.u8(1).uleb(1).uleb(form).uleb(unit.folders.size());
            for (const std::string& folder : unit.folders) put_name(rest, unit, offset_size, folder);
            rest.u8(unit.has_checksums ? 3 : 2).uleb(1).uleb(form).uleb(2).uleb(0x0f);
            if (unit.has_checksums) rest.uleb(5).uleb(0x1e);
            rest.uleb(unit.files.size());
            for (const auto& [name, folder] : unit.files) {
                put_name(rest, unit, offset_size, name);
                rest.uleb(folder);
                if (unit.has_checksums) rest.fixed(0x1122334455667788, 16);
            }
        }
        byte_writer all;
        all.fixed(unit.version, 2);
        if (unit.version >= 5) all.u8(8).u8(0);
        all.fixed(rest.bytes.size(), offset_size).add(rest.bytes).add(unit.program.bytes);
        byte_writer out;
        if (unit.is_dwarf64) out.fixed(0xffffffff, 4);
        out.fixed(all.bytes.size(), offset_size).add(all.bytes);
        lines.insert(lines.end(), out.bytes.begin(), out.bytes.end());
        return *this;
    }

private:
    void put_name(byte_writer& out, const made_unit& unit, std::size_t offset_size, const std::string& name) {
        if (unit.form == name_form::string) {
            out.text(name);
            return;
        }
        made_bytes& section = unit.form == name_form::strp ? strings : line_strings;
        out.fixed(section.size(), offset_size);
        byte_writer letters;
        letters.text(name);
        section.insert(section.end(), letters.bytes.begin(), letters.bytes.end());
    }
};

struct made_section {
    std::string name;
    made_bytes content;
    std::uint64_t address = 0;
    std::uint64_t flags = 0;
    unsigned type = 1;
};

/// An ELF file: header, segments, contents, names, sections.
[[nodiscard]] inline made_bytes made_elf(std::vector<made_section> sections, bool wide = true,
                                         const std::vector<symbols::elf_segment>& segments = {}) {
    const std::size_t word = wide ? 8 : 4;
    const std::size_t header = wide ? 64 : 52;
    const std::size_t segment_bytes = symbols::elf_segment::bytes(wide);
    sections.insert(sections.begin(), made_section{"", {}, 0, 0, 0});
    byte_writer names;
    std::vector<std::size_t> name_offsets;
    sections.push_back({".shstrtab", {}, 0, 0, 3});
    for (const made_section& s : sections) {
        name_offsets.push_back(names.bytes.size());
        names.text(s.name);
    }
    sections.back().content = names.bytes;

    byte_writer body;
    for (const symbols::elf_segment& s : segments) {
        body.fixed(s.type, 4);
        if (wide) body.fixed(4, 4);
        body.fixed(s.offset, word).fixed(s.address, word).fixed(s.address, word);
        body.fixed(s.file_bytes, word).fixed(s.memory_bytes, word);
        if (!wide) body.fixed(4, 4);
        body.fixed(1, word);
    }
    std::vector<std::size_t> offsets;
    for (const made_section& s : sections) {
        offsets.push_back(header + body.bytes.size());
        body.add(s.content);
    }
    const std::size_t table = header + body.bytes.size();
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const made_section& s = sections[i];
        body.fixed(name_offsets[i], 4).fixed(s.type, 4).fixed(s.flags, word).fixed(s.address, word);
        body.fixed(offsets[i], word)
            .fixed(s.content.size(), word)
            .fixed(0, 4)
            .fixed(0, 4)
            .fixed(1, word)
            .fixed(0, word);
    }
    byte_writer file;
    file.fixed(0x464c457f, 4).u8(wide ? 2 : 1).u8(1).u8(1).fixed(0, 9);
    file.fixed(3, 2).fixed(wide ? 62 : 3, 2).fixed(1, 4).fixed(0, word);
    file.fixed(segments.empty() ? 0 : header, word).fixed(table, word).fixed(0, 4).fixed(header, 2);
    file.fixed(segment_bytes, 2).fixed(segments.size(), 2);
    file.fixed(wide ? 64 : 40, 2).fixed(sections.size(), 2).fixed(sections.size() - 1, 2);
    return file.add(body.bytes).bytes;
}

inline constexpr symbols::code_range any_code{1, ~std::uint64_t{0}};

[[nodiscard]] inline std::vector<symbols::line_span> spans_of(const symbols::line_tables& tables,
                                                              symbols::code_range code = any_code) {
    std::vector<symbols::line_span> spans;
    symbols::scan_lines(tables, code, [&](const symbols::line_span& s) {
        spans.push_back(s);
        return true;
    });
    spans.resize(symbols::sort_spans(spans));
    return spans;
}

/// "file:line" for an address, or "?".
[[nodiscard]] inline std::string place_in(const symbols::line_tables& tables, std::span<const symbols::line_span> spans,
                                          std::uint64_t address) {
    const symbols::line_span* const span = symbols::find_span(spans, address);
    if (span == nullptr) return "?";
    const symbols::line_unit unit(tables.lines, span->unit);
    const symbols::line_row row = symbols::row_at(unit, *span, address);
    char path[100];
    symbols::write_path(symbols::line_names(tables, unit).find(row.file), path);
    return std::string(path) + ":" + std::to_string(row.line);
}

[[nodiscard]] inline std::string place_of(const symbols::line_tables& tables, std::uint64_t address,
                                          symbols::code_range code = any_code) {
    return place_in(tables, spans_of(tables, code), address);
}

}  // namespace lido::test
