// The program and its shared libraries, as they are loaded: which of them an address lies in.
#pragma once

#include "byte_reader.hpp"
#include "elf_image.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lido::symbols {

/// A program or library that is loaded.
struct loaded_module {
    std::uintptr_t bias = 0;  ///< what its addresses are above those in its file
    std::uint64_t identity = 0;
    bool is_program = false;  ///< the program itself, whose file the system knows even when it was moved or deleted
    bool found = false;
    char path[1024] = {};  ///< a longer one is cut, and then not found
};

/// The module that `address` lies in.
[[nodiscard]] loaded_module find_module(std::uintptr_t address) noexcept;

/// As much of a text as there is room for. Not strncpy: GCC warns of every text that may be cut.
inline void copy_text(const char* from, std::span<char> to) noexcept {
    std::size_t n = 0;
    for (; n + 1 < to.size() && from[n] != '\0'; ++n) to[n] = from[n];
    to[n] = '\0';
}

/// A number for what a module is: its table of segments, and its notes, which `content(segment)` gives. Not a strong hash: it
/// tells builds apart, not enemies.
template <class Content>
[[nodiscard]] std::uint64_t module_identity(byte_view segments, Content&& content) noexcept {
    constexpr bool wide = sizeof(void*) == 8;
    std::uint64_t hash = 0x9ae16a3b2f90404fU;
    const auto add = [&](byte_view bytes) noexcept {
        byte_reader r(bytes);
        while (r.any_left()) {
            hash = (hash ^ r.fixed(std::min<std::size_t>(8, r.left()))) * 0xc2b2ae3d27d4eb4fU;
            hash = std::rotl(hash, 29);
        }
    };
    add(segments);
    const auto inside = [](const elf_segment& a, const elf_segment& b) noexcept {
        return a.address >= b.address && a.file_bytes <= b.file_bytes &&
               a.address - b.address <= b.file_bytes - a.file_bytes;
    };
    for (std::size_t i = 0; i < segments.size(); i += elf_segment::bytes(wide)) {
        const elf_segment note = elf_segment::at(segments, i, wide);
        if (note.type != elf_segment::note) continue;
        for (std::size_t k = 0; k < segments.size(); k += elf_segment::bytes(wide)) {
            // Only what is loaded can be read in memory.
            const elf_segment load = elf_segment::at(segments, k, wide);
            if (load.type != elf_segment::load || !inside(note, load)) continue;
            add(content(note));
            break;
        }
    }
    return hash;
}

}  // namespace lido::symbols
