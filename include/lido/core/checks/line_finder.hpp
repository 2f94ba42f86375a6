// Who knows the file and line of an address: lido::symbols, in programs that link it.
//
// Reading line tables takes a reader of ELF and DWARF, which only reports need. Core does not hold it, so that nobody's files have
// to parse it; core asks through one pointer, and lido::symbols sets that pointer before main() (src/symbols/registration.cpp).
#pragma once

#include <lido/core/base/config.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>

namespace lido {

struct found_line {
    bool known = false;
    unsigned line = 0;
    char file[232] = {};    ///< the path as the compiler was given it; of one that is too long, the end
    char module[120] = {};  ///< base name of the program or library
    /// Of the call in the module, as `addr2line -e module` takes it: one less than the return address.
    std::uintptr_t offset = 0;
};

/// Finds the line of the call that returns to an address. Threads: called from any number at once.
using line_finder = found_line (*)(std::uintptr_t return_address) noexcept;

/// Null without lido::symbols. Threads: may be set at any time.
LIDO_SHARED inline constinit std::atomic<line_finder> current_line_finder{nullptr};

/// The name of a file without its folders.
[[nodiscard]] inline const char* last_part(const char* path) noexcept {
    const char* const slash = std::strrchr(path, '/');
    return slash != nullptr ? slash + 1 : path;
}

}  // namespace lido
