#include "loaded_module.hpp"

#include <link.h>

namespace lido::symbols {

namespace {

struct search {
    std::uintptr_t address;
    loaded_module result;
    bool is_first;  ///< the program itself is listed first
};

/// Whether the search is over: 1 or 0, as dl_iterate_phdr() wants it.
int look_into(dl_phdr_info* info, std::size_t, void* data) noexcept {
    search& state = *static_cast<search*>(data);
    const bool is_program = state.is_first;
    state.is_first = false;
    constexpr bool wide = sizeof(void*) == 8;
    static_assert(sizeof(*info->dlpi_phdr) == elf_segment::bytes(wide));
    const byte_view segments(reinterpret_cast<const std::byte*>(info->dlpi_phdr),
                             std::size_t{info->dlpi_phnum} * elf_segment::bytes(wide));
    const std::uintptr_t bias = info->dlpi_addr;
    for (std::size_t i = 0; i < segments.size(); i += elf_segment::bytes(wide)) {
        const elf_segment load = elf_segment::at(segments, i, wide);
        const std::uintptr_t distance = state.address - bias - static_cast<std::uintptr_t>(load.address);
        if (load.type != elf_segment::load || distance >= load.memory_bytes) continue;
        loaded_module& result = state.result;
        result.found = true;
        result.is_program = is_program;
        result.bias = bias;
        result.identity = module_identity(segments, [&](const elf_segment& s) noexcept {
            const std::uintptr_t at = bias + static_cast<std::uintptr_t>(s.address);
            return byte_view(reinterpret_cast<const std::byte*>(at), static_cast<std::size_t>(s.file_bytes));
        });
        if (info->dlpi_name != nullptr) copy_text(info->dlpi_name, result.path);
        return 1;
    }
    return 0;
}

}  // namespace

// dl_iterate_phdr() and not dladdr(), which needed -ldl before glibc 2.34.
loaded_module find_module(std::uintptr_t address) noexcept {
    search all{address, {}, true};
    dl_iterate_phdr(&look_into, &all);
    return all.result;
}

}  // namespace lido::symbols
