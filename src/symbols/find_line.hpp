// From a return address to `file:line`, in the process itself: for reports of builds with checks ("acquired weapons.cpp:88").
//
//   address -> module that is loaded there -> its file, mapped -> .debug_line -> spans (line_program.hpp) -> file and line
//
// The first lookup in a module runs through all of its lines: 10 MB of .debug_line take 0.06 s optimised and 0.16 s not, on the
// 2-core virtual machine it was written on. What it learns is kept, and the next ones take some 10 and 20 microseconds. So a
// report of hundreds of places reads the file once. Kept are the mapped file and 32 bytes for some 200 bytes of lines.
//
// A call that is the last thing a function does may become a jump at -O2; its return address is then the caller's caller.
// Not known, with module and offset set: no -g, stripped, compressed (-gz), or in a file of its own. Elsewhere than on Linux with
// little-endian ELF nothing is known.
//
// P1. No operator new and no malloc: memory comes from mmap. Nothing is thrown.
// P2. Lines are read only from a file that is what was loaded: same segments, same notes. One that was built anew since is not
//     believed, wrong lines being worse than none. (The build id is a note; linked without one, only the layout tells.)
// P3. What is kept of a module is not used for another that was loaded in its place: P2 is checked for each lookup.
// P4. Threads: any number at once; one at a time does the work. Not for signal handlers.
// P5. What is kept is not given back at exit: reports are made until the last destructor has run.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/checks/byte_reader.hpp>
#include <lido/core/checks/elf_image.hpp>
#include <lido/core/checks/line_files.hpp>
#include <lido/core/checks/line_program.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#if defined(__linux__) && defined(__ELF__)
#define LIDO_FINDS_LINES 1
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

// Declared and not included: <link.h> brings some 3000 macros with it, ET_NONE and PF_R among them, which games have as names.
// In the C library itself since glibc 2.2.4, so it needs no -ldl, which dladdr() did before 2.34.
struct dl_phdr_info;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-decls"  // for who does include <link.h>
extern "C" int dl_iterate_phdr(int (*callback)(struct dl_phdr_info*, std::size_t, void*), void* data);
#pragma GCC diagnostic pop
#else
#define LIDO_FINDS_LINES 0
#endif

namespace lido::detail {

struct found_line {
    bool known = false;
    unsigned line = 0;
    char file[232] = {};    ///< the path as the compiler was given it; of one that is too long, the end
    char module[120] = {};  ///< base name of the program or library
    /// Of the call in the module, as `addr2line -e module` takes it: one less than the return address.
    std::uintptr_t offset = 0;
};

/// As much of a text as there is room for. Not strncpy: GCC warns of every text that may be cut.
inline void copy_text(const char* from, std::span<char> to) noexcept {
    std::size_t n = 0;
    for (; n + 1 < to.size() && from[n] != '\0'; ++n) to[n] = from[n];
    to[n] = '\0';
}

/// The name of a file without its folders.
[[nodiscard]] inline const char* last_part(const char* path) noexcept {
    const char* const slash = std::strrchr(path, '/');
    return slash != nullptr ? slash + 1 : path;
}

#if LIDO_FINDS_LINES

/// A program or library that is loaded.
struct loaded_module {
    std::uintptr_t bias = 0;  ///< what its addresses are above those in its file
    std::uint64_t identity = 0;
    bool is_program = false;  ///< the program itself, whose file the system knows even when it was moved or deleted
    bool found = false;
    char path[1024] = {};  ///< a longer one is cut, and then not found
};

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

/// The module that `address` lies in.
[[nodiscard]] inline loaded_module find_module(std::uintptr_t address) noexcept {
    // The first fields of dl_phdr_info, which are the same in every C library.
    struct module_info {
        std::uintptr_t bias;
        const char* name;
        const std::byte* segments;
        std::uint16_t segment_count;
    };
    struct search {
        std::uintptr_t address;
        loaded_module result;
        bool is_first;
    } all{address, {}, true};
    const auto look = [](dl_phdr_info* info, std::size_t size, void* data) noexcept -> int {
        search& state = *static_cast<search*>(data);
        module_info module{};
        if (size < sizeof module) return 1;
        std::memcpy(&module, info, sizeof module);
        const bool is_program = state.is_first;
        state.is_first = false;
        constexpr bool wide = sizeof(void*) == 8;
        const byte_view segments(module.segments, std::size_t{module.segment_count} * elf_segment::bytes(wide));
        for (std::size_t i = 0; i < segments.size(); i += elf_segment::bytes(wide)) {
            const elf_segment load = elf_segment::at(segments, i, wide);
            const std::uintptr_t distance = state.address - module.bias - static_cast<std::uintptr_t>(load.address);
            if (load.type != elf_segment::load || distance >= load.memory_bytes) continue;
            loaded_module& result = state.result;
            result.found = true;
            result.is_program = is_program;
            result.bias = module.bias;
            result.identity = module_identity(segments, [&](const elf_segment& s) noexcept {
                const std::uintptr_t at = module.bias + static_cast<std::uintptr_t>(s.address);
                return byte_view(reinterpret_cast<const std::byte*>(at), static_cast<std::size_t>(s.file_bytes));
            });
            if (module.name != nullptr) copy_text(module.name, result.path);
            return 1;
        }
        return 0;
    };
    dl_iterate_phdr(look, &all);
    return all.result;
}

/// A file as bytes; empty when it cannot be read. The caller unmaps it.
[[nodiscard]] inline byte_view map_file(const char* path) noexcept {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    byte_view bytes;
    const ::off_t end = ::lseek(file, 0, SEEK_END);
    if (end > 0 && static_cast<std::uint64_t>(end) <= SIZE_MAX) {
        const auto size = static_cast<std::size_t>(end);
        void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (at != MAP_FAILED) bytes = {static_cast<const std::byte*>(at), size};
    }
    ::close(file);
    return bytes;
}

inline void unmap(byte_view bytes) noexcept {
    if (!bytes.empty()) ::munmap(const_cast<std::byte*>(bytes.data()), bytes.size());
}

/// What is kept of one module. Without lines it is kept too, so that its file is not opened again and again.
struct module_lines {
    /// Spans; 128 MiB of them, as 400 MB of .debug_line give (10000 a megabyte before copies are dropped). Past them lines are
    /// not known.
    static constexpr std::size_t most_spans = std::size_t{1} << 22;

    std::uintptr_t bias = 0;
    std::uint64_t identity = 0;
    byte_view file;
    line_tables tables;
    line_span* spans = nullptr;
    std::size_t span_count = 0;
    std::size_t span_room = 0;
    bool used = false;

    void open(const loaded_module& module) noexcept {
        used = true;
        bias = module.bias;
        identity = module.identity;
        file = map_file(module.is_program ? "/proc/self/exe" : module.path);
        const elf_image image(file);
        if (!image.valid() || image.wide() != (sizeof(void*) == 8)) return;
        const std::uint64_t own = module_identity(
            image.segments(), [&](const elf_segment& s) noexcept { return part_of(file, s.offset, s.file_bytes); });
        if (own != identity) return;
        tables = {image.find(".debug_line"), image.find(".debug_line_str"), image.find(".debug_str")};
        scan_lines(tables, image.code(), [this](const line_span& s) noexcept { return add(s); });
        span_count = sort_spans({spans, span_count});
    }

    void close() noexcept {
        unmap(file);
        if (spans != nullptr) ::munmap(spans, span_room * sizeof(line_span));
        *this = {};
    }

private:
    [[nodiscard]] bool add(const line_span& s) noexcept {
        if (span_count == span_room) {
            const std::size_t room = span_room == 0 ? 4096 : span_room * 2;
            if (room > most_spans) return false;
            // Moving pages is what the system does without copying, so growth costs nothing.
            void* const at = spans == nullptr ? ::mmap(nullptr, room * sizeof(line_span), PROT_READ | PROT_WRITE,
                                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                              : ::mremap(spans, span_room * sizeof(line_span), room * sizeof(line_span),
                                                         MREMAP_MAYMOVE);
            if (at == MAP_FAILED) return false;
            spans = static_cast<line_span*>(at);
            span_room = room;
        }
        spans[span_count++] = s;
        return true;
    }
};

/// The modules that were looked into last.
class line_store {
public:
    void find(const loaded_module& module, std::uint64_t address, found_line& result) noexcept {
        lock();
        const module_lines& lines = lines_of(module);
        if (const line_span* const span = find_span({lines.spans, lines.span_count}, address)) {
            const line_unit unit(lines.tables.lines, span->unit);
            const line_row row = row_at(unit, *span, address);
            const line_file file = line_names(lines.tables, unit).find(row.file);
            // Line 0 is the compiler's word for code that comes from no line, or from several.
            if (row.line != 0 && !file.name.empty()) {
                write_path(file, result.file);
                result.line = row.line;
                result.known = true;
            }
        }
        unlock();
    }

    /// Gives back all that is kept; the next lookup reads again.
    void forget() noexcept {
        lock();
        for (module_lines& m : modules_) m.close();
        unlock();
    }

private:
    [[nodiscard]] const module_lines& lines_of(const loaded_module& module) noexcept {
        for (const module_lines& m : modules_)
            if (m.used && m.bias == module.bias && m.identity == module.identity) return m;
        module_lines& m = modules_[next_];
        next_ = (next_ + 1) % (sizeof modules_ / sizeof modules_[0]);
        m.close();
        m.open(module);
        return m;
    }

    void lock() noexcept {
        while (locked_.test_and_set(std::memory_order_acquire)) locked_.wait(true, std::memory_order_relaxed);
    }
    void unlock() noexcept {
        locked_.clear(std::memory_order_release);
        locked_.notify_one();
    }

    std::atomic_flag locked_;
    unsigned next_ = 0;
    /// Modules; the program and a few libraries of a game. The one that was opened first makes room.
    module_lines modules_[8];
};

inline constinit line_store lines_of_program;

/// The line of the call that returns to `return_address`.
[[nodiscard]] inline found_line find_line(std::uintptr_t return_address) noexcept {
    found_line result;
    if (return_address == 0) return result;
    // One less: the instruction after a call may belong to another line, or to another function.
    const std::uintptr_t address = return_address - 1;
    loaded_module module = find_module(address);
    if (!module.found) return result;
    result.offset = address - module.bias;
    lines_of_program.find(module, result.offset, result);
    if (module.is_program) {
        const ::ssize_t length = ::readlink("/proc/self/exe", module.path, sizeof module.path - 1);
        module.path[length > 0 ? length : 0] = '\0';
    }
    copy_text(last_part(module.path), result.module);
    return result;
}

#else

[[nodiscard]] inline found_line find_line(std::uintptr_t) noexcept { return {}; }

#endif

}  // namespace lido::detail
