// Keeps what was read of the modules that were asked about: their files, mapped, and their spans in order.
#pragma once

#include "byte_reader.hpp"
#include "line_program.hpp"
#include "loaded_module.hpp"

#include <lido/core/checks/line_finder.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lido::symbols {

/// A file as bytes; empty when it cannot be read. The caller unmaps it.
[[nodiscard]] byte_view map_file(const char* path) noexcept;
void unmap(byte_view bytes) noexcept;

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

    void open(const loaded_module& module) noexcept;
    void close() noexcept;

private:
    [[nodiscard]] bool add(const line_span& s) noexcept;
};

/// The modules that were looked into last.
class line_store {
public:
    void find(const loaded_module& module, std::uint64_t address, found_line& result) noexcept;

    /// Gives back all that is kept; the next lookup reads again.
    void forget() noexcept;

private:
    [[nodiscard]] const module_lines& lines_of(const loaded_module& module) noexcept;
    void lock() noexcept;
    void unlock() noexcept;

    std::atomic_flag locked_;
    unsigned next_ = 0;
    /// Modules; the program and a few libraries of a game. The one that was opened first makes room.
    module_lines modules_[8];
};

}  // namespace lido::symbols
