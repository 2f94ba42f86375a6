// Runs DWARF line programs, versions 2 to 5: which line of which file each instruction was made from.
//
//   .debug_line   | unit | unit | ...              one for each file that was compiled
//   unit          | length | version | ... | names of folders and files | program |
//   program       | sequence | sequence | ...      one for each run of code, such as a template's instance
//   sequence      | opcodes, each changing address, file and line; some add a row | end |
//   row           address, file and line; it covers the addresses up to the next row's
//
// Programs can only be run from the start of a sequence, and what they cover is known only once they ran. So all of them are run
// once, which leaves line_spans: places from which a program can be run on, a few kilobytes apart.
//
//   line_span     | low 8 | high 8 | unit 4 | program 4 | file 4 | line 4 |
//
// L1. low < high. The first row is (low, file, line); the opcodes at `program` go on from there and reach `high`.
// L2. A sequence that starts outside the code is left out: a linker gives functions that it discards the address 0 or ~0, and
//     they would hide the real ones.
// L3. After sort_spans() no two have the same low. Where there were two, the one from the front of the file stays: of the copies
//     of a template that is the one that was linked. (Linkers point the tables of the other copies at it.)
// L4. Time is linear in the bytes, but for the sort: an opcode takes a byte, and units do not overlap.
// L5. A unit that cannot be read is skipped by its length; where the length is wrong too, the rest is.
//
// Left out: columns, is_stmt, blocks, views and instruction sets, which no report shows; and op_index, which only machines with
// several operations in an instruction have.
#pragma once

#include "byte_reader.hpp"
#include "elf_image.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lido::symbols {

/// The sections that hold lines and the texts that they name. The last two may be empty.
struct line_tables {
    byte_view lines;         ///< .debug_line
    byte_view line_strings;  ///< .debug_line_str
    byte_view strings;       ///< .debug_str
};

struct line_span {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint32_t unit = 0;     ///< offset into .debug_line
    std::uint32_t program = 0;  ///< offset into .debug_line
    std::uint32_t file = 0;
    std::uint32_t line = 0;
};
static_assert(sizeof(line_span) == 32);

struct line_row {
    std::uint32_t file = 0;
    std::uint32_t line = 0;
};

/// The header of a unit, as far as programs need it; the names are read by line_files.hpp.
struct line_unit {
    byte_view bytes;          ///< .debug_line up to the end of the unit, so that all offsets are those of the section
    std::uint64_t start = 0;  ///< of the unit
    std::uint64_t names = 0;  ///< folders and files
    std::uint64_t program = 0;
    std::uint64_t next = 0;  ///< the unit after it; not above `start` when there is no telling
    const std::byte* operand_counts = nullptr;
    unsigned offset_size = 4;
    unsigned version = 0;
    unsigned step = 1;  ///< bytes that all instructions are multiples of
    unsigned line_range = 1;
    unsigned opcode_base = 1;
    int line_base = 0;
    bool usable = false;

    line_unit() noexcept = default;
    line_unit(byte_view lines, std::uint64_t offset) noexcept : start(offset) {
        byte_reader r(lines);
        r.seek(offset);
        std::uint64_t length = r.fixed(4);
        if (length >= 0xfffffff0) {  // the mark of 64-bit DWARF, or reserved
            if (length != 0xffffffff) return;
            offset_size = 8;
            length = r.fixed(8);
        }
        if (!r.ok() || length > r.left()) return;
        next = r.at() + length;
        bytes = lines.first(static_cast<std::size_t>(next));
        usable = read_header(r.at());
    }

private:
    [[nodiscard]] bool read_header(std::uint64_t from) noexcept {
        byte_reader r(bytes);
        r.seek(from);
        version = static_cast<unsigned>(r.fixed(2));
        if (version < 2 || version > 5) return false;
        if (version == 5) r.skip(2);  // sizes of addresses and of segment selectors: set_address brings its own
        const std::uint64_t header_bytes = r.fixed(offset_size);
        if (header_bytes > r.left()) return false;
        program = r.at() + header_bytes;
        step = r.byte();
        if (version >= 4) r.skip(1);  // operations in an instruction
        r.skip(1);                    // is_stmt at the start
        const int base = r.byte();
        line_base = base < 128 ? base : base - 256;
        line_range = r.byte();
        opcode_base = r.byte();
        if (!r.ok() || line_range == 0 || opcode_base == 0 || opcode_base - 1 > r.left()) return false;
        operand_counts = bytes.data() + r.at();
        r.skip(opcode_base - 1);
        names = r.at();
        return names <= program;
    }
};

/// Runs the program of a unit, row by row.
class line_machine {
public:
    explicit line_machine(const line_unit& unit) noexcept : unit_(unit), reader_(unit.bytes) {
        reader_.seek(unit.program);
    }

    /// Goes on from the first row of a span.
    void resume(const line_span& from) noexcept {
        reader_.seek(from.program);
        address_ = from.low;
        row_ = {from.file, from.line};
        ends_ = false;
    }

    /// Runs to the next row; false when there is none. Of a row that ends a sequence only the address means something.
    [[nodiscard]] bool next() noexcept {
        if (ends_) {  // every sequence begins from nothing
            address_ = 0;
            row_ = {1, 1};
            ends_ = false;
        }
        while (reader_.any_left()) {
            const unsigned opcode = reader_.byte();
            if (opcode >= unit_.opcode_base) {
                const unsigned code = opcode - unit_.opcode_base;
                address_ += static_cast<std::uint64_t>(code / unit_.line_range) * unit_.step;
                row_.line += static_cast<std::uint32_t>(unit_.line_base + static_cast<int>(code % unit_.line_range));
                return true;
            }
            switch (opcode) {
                case 0:
                    if (extended()) return true;
                    break;
                case 1: return true;                                                     // copy
                case 2: address_ += reader_.uleb() * unit_.step; break;                  // advance_pc
                case 3: row_.line += static_cast<std::uint32_t>(reader_.sleb()); break;  // advance_line
                case 4: row_.file = static_cast<std::uint32_t>(reader_.uleb()); break;   // set_file
                case 5: static_cast<void>(reader_.uleb()); break;                        // set_column
                case 6:                                                                  // negate_stmt
                case 7: break;                                                           // set_basic_block
                case 8: address_ += (255 - unit_.opcode_base) / unit_.line_range * unit_.step; break;  // const_add_pc
                case 9: address_ += reader_.fixed(2); break;        // fixed_advance_pc
                case 10:                                            // set_prologue_end
                case 11: break;                                     // set_epilogue_begin
                case 12: static_cast<void>(reader_.uleb()); break;  // set_isa
                default:  // one that a later version may add: the header says how many operands to pass over
                    for (auto n = static_cast<unsigned>(unit_.operand_counts[opcode - 1]); n != 0; --n)
                        static_cast<void>(reader_.uleb());
            }
        }
        return false;
    }

    /// The offset of the opcode after the row.
    [[nodiscard]] std::uint32_t at() const noexcept { return static_cast<std::uint32_t>(reader_.at()); }
    [[nodiscard]] std::uint64_t address() const noexcept { return address_; }
    [[nodiscard]] line_row row() const noexcept { return row_; }
    [[nodiscard]] bool ends() const noexcept { return ends_; }

    /// Offset of the n-th file that the program itself has defined so far, counted from 1; 0 when it was not asked for before the
    /// run, or not met.
    void watch_for_file(std::uint64_t n) noexcept { wanted_file_ = n; }
    [[nodiscard]] std::uint64_t watched_file() const noexcept { return found_file_; }

private:
    /// True for the end of a sequence.
    [[nodiscard]] bool extended() noexcept {
        const std::uint64_t length = reader_.uleb();
        if (length == 0 || length > reader_.left()) {
            reader_.fail();
            return false;
        }
        const std::uint64_t end = reader_.at() + length;
        const unsigned opcode = reader_.byte();
        if (opcode == 1) {
            ends_ = true;
        } else if (opcode == 2 && length <= 9) {
            address_ = reader_.fixed(static_cast<std::size_t>(length - 1));
        } else if (opcode == 3 && wanted_file_ != 0 && --wanted_file_ == 0) {
            found_file_ = reader_.at();
        }
        reader_.seek(end);
        return ends_;
    }

    const line_unit& unit_;
    byte_reader reader_;
    std::uint64_t address_ = 0;
    std::uint64_t wanted_file_ = 0;
    std::uint64_t found_file_ = 0;
    line_row row_;
    bool ends_ = true;
};

/// Bytes of program from one span to the next, which is what a lookup reads at most, besides the names. In a program with 21 MB of
/// lines it makes 6 % more spans than there are sequences, and lookups ten times as fast as without (11 against 112 us at -O0);
/// 4096 saves 4 % of the spans and takes 17 us.
inline constexpr std::uint32_t span_stride = 1024;

/// Calls `sink(span)` for each span whose sequence starts in `code`, in the order of the file, until it returns false.
template <class Sink>
void scan_lines(const line_tables& tables, code_range code, Sink&& sink) {
    // Spans count in 32 bits; lines past 4 GiB are not found.
    const byte_view lines = tables.lines.first(std::min<std::size_t>(tables.lines.size(), 0xffffffff));
    for (std::uint64_t at = 0; at < lines.size();) {
        const line_unit unit(lines, at);
        if (unit.next <= at) return;
        at = unit.next;
        if (!unit.usable) continue;
        line_machine machine(unit);
        line_span open;
        bool is_open = false;
        bool wanted = false;
        while (machine.next()) {
            const std::uint64_t address = machine.address();
            if (!is_open) {
                if (machine.ends()) continue;
                wanted = code.holds(address);
            } else {
                const bool far = machine.at() - open.program >= span_stride;
                if (!machine.ends() && !far) continue;
                open.high = address;
                if (wanted && open.low < open.high && !sink(static_cast<const line_span&>(open))) return;
            }
            is_open = !machine.ends();
            open = {address,           0, static_cast<std::uint32_t>(unit.start), machine.at(), machine.row().file,
                    machine.row().line};
        }
    }
}

/// Puts spans in order of their addresses and drops copies; returns how many are left.
inline std::size_t sort_spans(std::span<line_span> spans) noexcept {
    line_span* const begin = spans.data();
    line_span* const end = begin + spans.size();
    std::sort(begin, end, [](const line_span& a, const line_span& b) {
        return a.low != b.low ? a.low < b.low : a.program < b.program;
    });
    return static_cast<std::size_t>(
        std::unique(begin, end, [](const line_span& a, const line_span& b) { return a.low == b.low; }) - begin);
}

/// The span that covers `address`, or null. Pre: sorted.
[[nodiscard]] inline const line_span* find_span(std::span<const line_span> spans, std::uint64_t address) noexcept {
    std::size_t low = 0;
    std::size_t count = spans.size();
    while (count != 0) {
        const std::size_t half = count / 2;
        const bool after = spans[low + half].low <= address;
        low = after ? low + half + 1 : low;
        count = after ? count - half - 1 : half;
    }
    if (low == 0 || spans[low - 1].high <= address) return nullptr;
    return &spans[low - 1];
}

/// The row that covers `address`. Pre: `from` covers it, and came from these lines.
/// Several rows may have one address; the last is the one that covers something.
[[nodiscard]] inline line_row row_at(const line_unit& unit, const line_span& from, std::uint64_t address) noexcept {
    line_row row{from.file, from.line};
    if (!unit.usable) return {};
    line_machine machine(unit);
    machine.resume(from);
    while (machine.next() && machine.address() <= address) row = machine.row();
    return row;
}

}  // namespace lido::symbols
