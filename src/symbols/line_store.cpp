#include "line_store.hpp"

#include "elf_image.hpp"
#include "line_files.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace lido::symbols {

byte_view map_file(const char* path) noexcept {
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

void unmap(byte_view bytes) noexcept {
    if (!bytes.empty()) ::munmap(const_cast<std::byte*>(bytes.data()), bytes.size());
}

// --- one module -------------------------------------------------------------------------------------------------------------

void module_lines::open(const loaded_module& module) noexcept {
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

void module_lines::close() noexcept {
    unmap(file);
    if (spans != nullptr) ::munmap(spans, span_room * sizeof(line_span));
    *this = {};
}

bool module_lines::add(const line_span& s) noexcept {
    if (span_count == span_room) {
        const std::size_t room = span_room == 0 ? 4096 : span_room * 2;
        if (room > most_spans) return false;
        // Moving pages is what the system does without copying, so growth costs nothing.
        void* const at =
            spans == nullptr
                ? ::mmap(nullptr, room * sizeof(line_span), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                : ::mremap(spans, span_room * sizeof(line_span), room * sizeof(line_span), MREMAP_MAYMOVE);
        if (at == MAP_FAILED) return false;
        spans = static_cast<line_span*>(at);
        span_room = room;
    }
    spans[span_count++] = s;
    return true;
}

// --- all of them ------------------------------------------------------------------------------------------------------------

void line_store::find(const loaded_module& module, std::uint64_t address, found_line& result) noexcept {
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

void line_store::forget() noexcept {
    lock();
    for (module_lines& m : modules_) m.close();
    unlock();
}

const module_lines& line_store::lines_of(const loaded_module& module) noexcept {
    for (const module_lines& m : modules_)
        if (m.used && m.bias == module.bias && m.identity == module.identity) return m;
    module_lines& m = modules_[next_];
    next_ = (next_ + 1) % (sizeof modules_ / sizeof modules_[0]);
    m.close();
    m.open(module);
    return m;
}

void line_store::lock() noexcept {
    while (locked_.test_and_set(std::memory_order_acquire)) locked_.wait(true, std::memory_order_relaxed);
}

void line_store::unlock() noexcept {
    locked_.clear(std::memory_order_release);
    locked_.notify_one();
}

}  // namespace lido::symbols
