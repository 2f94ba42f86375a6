// Finds the sections and segments of an ELF file, the form of programs and libraries on Linux.
//
//   file    | header | segments: what is loaded where | ... | contents of sections | ... | sections: what lies where |
//                 \______ offset, size and number of both tables ______________________________/
//
// Offsets of the fields that are read, in bytes:
//
//                64 bits   32 bits                         64 bits   32 bits                         64 bits   32 bits
//   header       64        52           section            64        40           segment            56        32
//     segments   32        28             name              0         0             type              0         0
//     sections   40        32             type              4         4             offset            8         4
//     size of    54        42             flags             8         8             address          16         8
//     one, and                            address          16        12             bytes in file    32        16
//     number,                             offset           24        16             bytes in memory  40        20
//     of both                             size             32        20
//     names      62        50             link             40        24
//
// E1. What is given out lies inside the file, whatever the file says.
// E2. A search looks at each section once.
// E3. Compressed sections, and those without bytes in the file, are not found: what they hold cannot be read as it is.
#pragma once

#include "byte_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lido::symbols {

/// Addresses low <= a < high, as the file counts them, before it is loaded.
struct code_range {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    [[nodiscard]] bool holds(std::uint64_t address) const noexcept { return low <= address && address < high; }
};

struct elf_section {
    std::uint32_t name = 0;  ///< offset into the section of names
    std::uint32_t type = 0;
    std::uint32_t link = 0;
    std::uint64_t flags = 0;
    std::uint64_t address = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;

    static constexpr std::uint32_t without_bytes = 8;
    static constexpr std::uint64_t loaded = 0x2, code = 0x4, compressed = 0x800;
};

struct elf_segment {
    std::uint32_t type = 0;
    std::uint64_t offset = 0;
    std::uint64_t address = 0;
    std::uint64_t file_bytes = 0;
    std::uint64_t memory_bytes = 0;

    static constexpr std::uint32_t load = 1, note = 4;

    [[nodiscard]] static constexpr std::size_t bytes(bool wide) noexcept { return wide ? 56 : 32; }

    /// The one that starts at `from`: tables of segments lie in files, and in memory for what is loaded.
    [[nodiscard]] static elf_segment at(byte_view table, std::uint64_t from, bool wide) noexcept {
        byte_reader r(part_of(table, from, bytes(wide)));
        const std::size_t word = wide ? 8 : 4;
        elf_segment s;
        s.type = static_cast<std::uint32_t>(r.fixed(4));
        if (wide) r.skip(4);
        s.offset = r.fixed(word);
        s.address = r.fixed(word);
        r.skip(word);
        s.file_bytes = r.fixed(word);
        s.memory_bytes = r.fixed(word);
        return r.ok() ? s : elf_segment{};
    }
};

class elf_image {
public:
    explicit elf_image(byte_view file) noexcept : file_(file) {
        byte_reader r(file);
        // Magic number, then: 1 for 32 bits or 2 for 64, and 1 for little-endian.
        if (r.fixed(4) != 0x464c457f) return;
        const std::uint8_t bits = r.byte();
        if ((bits != 1 && bits != 2) || r.byte() != 1) return;
        wide_ = bits == 2;
        const std::size_t word = wide_ ? 8 : 4;
        r.seek(wide_ ? 32 : 28);
        segments_ = r.fixed(word);
        sections_ = r.fixed(word);
        r.seek(wide_ ? 54 : 42);
        const std::uint64_t segment_size = r.fixed(2);
        segment_count_ = r.fixed(2);
        const std::uint64_t section_size = r.fixed(2);
        section_count_ = r.fixed(2);
        std::uint64_t names = r.fixed(2);
        valid_ = r.ok();
        if (!valid_ || segment_size != elf_segment::bytes(wide_)) segment_count_ = 0;
        if (!valid_ || section_size != section_bytes() || sections_ == 0) {
            section_count_ = 0;
            return;
        }
        // More sections than 16 bits can count: the first one, which is no section, says how many.
        const elf_section first = section(0);
        if (section_count_ == 0) section_count_ = first.size;
        if (names == 0xffff) names = first.link;
        const std::uint64_t fit = sections_ < file.size() ? (file.size() - sections_) / section_bytes() : 0;
        if (section_count_ > fit) section_count_ = fit;
        if (names < section_count_) names_ = content(section(names));
    }

    [[nodiscard]] bool valid() const noexcept { return valid_; }
    [[nodiscard]] bool wide() const noexcept { return wide_; }
    [[nodiscard]] std::uint64_t section_count() const noexcept { return section_count_; }

    /// The table of segments; empty when it does not lie inside the file.
    [[nodiscard]] byte_view segments() const noexcept {
        return part_of(file_, segments_, segment_count_ * elf_segment::bytes(wide_));
    }

    /// All zero for one that is not there.
    [[nodiscard]] elf_section section(std::uint64_t index) const noexcept {
        byte_reader r(file_);
        const std::size_t word = wide_ ? 8 : 4;
        r.seek(sections_);
        r.skip(index <= file_.size() ? index * section_bytes() : ~std::uint64_t{0});
        elf_section s;
        s.name = static_cast<std::uint32_t>(r.fixed(4));
        s.type = static_cast<std::uint32_t>(r.fixed(4));
        s.flags = r.fixed(word);
        s.address = r.fixed(word);
        s.offset = r.fixed(word);
        s.size = r.fixed(word);
        s.link = static_cast<std::uint32_t>(r.fixed(4));
        return r.ok() ? s : elf_section{};
    }

    /// The bytes of a section as they are in the file; empty where E3 says so.
    [[nodiscard]] byte_view content(const elf_section& s) const noexcept {
        if (s.type == elf_section::without_bytes || (s.flags & elf_section::compressed) != 0) return {};
        return part_of(file_, s.offset, s.size);
    }

    /// The first section of that name; empty when there is none.
    [[nodiscard]] byte_view find(std::string_view name) const noexcept {
        for (std::uint64_t i = 1; i < section_count_; ++i) {
            const elf_section s = section(i);
            // Compared and not measured first: a table of names without zeros would be read anew for each section.
            const byte_view own = part_of(names_, s.name, name.size() + 1);
            if (!own.empty() && std::memcmp(own.data(), name.data(), name.size()) == 0 && own.back() == std::byte{0})
                return content(s);
        }
        return {};
    }

    /// From the first byte of code to the last. Without sections of code: every address but 0, where no code lies, and ~0.
    [[nodiscard]] code_range code() const noexcept {
        code_range range{~std::uint64_t{0}, 0};
        for (std::uint64_t i = 1; i < section_count_; ++i) {
            const elf_section s = section(i);
            constexpr std::uint64_t wanted = elf_section::loaded | elf_section::code;
            if ((s.flags & wanted) != wanted || s.size == 0) continue;
            if (s.address < range.low) range.low = s.address;
            if (s.address + s.size > range.high) range.high = s.address + s.size;
        }
        return range.low < range.high ? range : code_range{1, ~std::uint64_t{0}};
    }

private:
    [[nodiscard]] std::size_t section_bytes() const noexcept { return wide_ ? 64 : 40; }

    byte_view file_;
    byte_view names_;
    std::uint64_t segments_ = 0;
    std::uint64_t sections_ = 0;
    std::uint64_t segment_count_ = 0;
    std::uint64_t section_count_ = 0;
    bool wide_ = false;
    bool valid_ = false;
};

}  // namespace lido::symbols
