#include "find_line.hpp"

#include "loaded_module.hpp"

#include <unistd.h>

namespace lido::symbols {

constinit line_store lines_of_program;

found_line find_line(std::uintptr_t return_address) noexcept {
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

}  // namespace lido::symbols
