// Fuzzes what finds lines: ELF files and line tables from strangers give an answer or none, in time linear in their size. Row X6.
//
// Input: byte 0 chooses what the rest is.
//   even   an ELF file
//   odd    two lengths of two bytes, then .debug_line, .debug_line_str and .debug_str; the last gets what is left
// tests/fuzz/make_line_tables_corpus.cpp makes the corpus.
#include "elf_image.hpp"
#include "line_files.hpp"
#include "line_program.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

namespace lido::test {
namespace {

using namespace lido::symbols;

void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "line_tables_fuzz: %s\n", what);
    std::abort();
}

/// A copy of its own on the heap: AddressSanitizer then sees a step from one section into the next.
class apart {
public:
    explicit apart(byte_view bytes) : copy_(bytes.begin(), bytes.end()) { copy_.shrink_to_fit(); }
    [[nodiscard]] byte_view view() const { return copy_; }

private:
    std::vector<std::byte> copy_;
};

void look_up(const line_tables& tables, code_range code) {
    std::vector<line_span> spans;
    std::uint64_t last_program = 0;
    scan_lines(tables, code, [&](const line_span& s) {
        expect(s.low < s.high, "L1: a span is empty");
        expect(s.program <= tables.lines.size() && s.unit < s.program, "L1: a span lies outside its unit");
        expect(s.program >= last_program, "L4: a program was run twice");
        last_program = s.program;
        spans.push_back(s);
        return true;
    });
    expect(spans.size() <= tables.lines.size(), "more spans than bytes");
    spans.resize(sort_spans(spans));
    std::size_t looked = 0;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const line_span& s = spans[i];
        expect(i == 0 || spans[i - 1].low < s.low, "L3: spans are out of order");
        expect(find_span(spans, s.low) == &s, "a span is not found by its first address");
        if (++looked > 16) continue;  // a lookup is linear in its unit: all of them would not be
        const line_unit unit(tables.lines, s.unit);
        expect(unit.usable, "a span of a unit that cannot be read");
        const line_names names(tables, unit);
        for (const std::uint64_t address : {s.low, s.low + (s.high - s.low) / 2, s.high - 1}) {
            const line_row row = row_at(unit, s, address);
            for (const std::size_t room : {std::size_t{1}, std::size_t{9}, std::size_t{232}}) {
                std::vector<char> path(room, '#');
                write_path(names.find(row.file), path);
                expect(std::memchr(path.data(), 0, room) != nullptr, "a path without an end");
            }
        }
        static_cast<void>(names.find(0));
        static_cast<void>(names.find(~std::uint64_t{0}));
    }
    static_cast<void>(find_span(spans, 0));
    static_cast<void>(find_span(spans, ~std::uint64_t{0}));
}

void look_into(byte_view file) {
    const elf_image image(file);
    const byte_view segments = image.segments();
    for (std::size_t i = 0; i < segments.size(); i += elf_segment::bytes(image.wide()))
        static_cast<void>(elf_segment::at(segments, i, image.wide()));
    const apart lines(image.find(".debug_line"));
    const apart line_strings(image.find(".debug_line_str"));
    const apart strings(image.find(".debug_str"));
    const code_range code = image.code();
    expect(code.low < code.high, "code of no length");
    look_up({lines.view(), line_strings.view(), strings.view()}, code);
}

}  // namespace
}  // namespace lido::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lido::test;
    if (size == 0) return 0;
    const lido::symbols::byte_view rest = std::as_bytes(std::span(data, size)).subspan(1);
    if (data[0] % 2 == 0) {
        const apart file(rest);
        look_into(file.view());
        return 0;
    }
    lido::symbols::byte_reader lengths(rest);
    const std::uint64_t first = lengths.fixed(2);
    const std::uint64_t second = lengths.fixed(2);
    if (!lengths.ok() || first > rest.size() - 4 || second > rest.size() - 4 - first) return 0;
    const apart lines(rest.subspan(4, static_cast<std::size_t>(first)));
    const apart line_strings(rest.subspan(static_cast<std::size_t>(4 + first), static_cast<std::size_t>(second)));
    const apart strings(rest.subspan(static_cast<std::size_t>(4 + first + second)));
    look_up({lines.view(), line_strings.view(), strings.view()}, {1, ~std::uint64_t{0}});
    return 0;
}
