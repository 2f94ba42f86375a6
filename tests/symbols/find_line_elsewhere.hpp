// lido tests: code in another file than the test that asks where it is.
#pragma once

#include <lido/core/config.hpp>

#include <cstdint>

namespace lido::test::elsewhere {

/// Where a call was, and the line that it stands in.
struct marked {
    std::uintptr_t address;
    unsigned line;
};

/// The address that it returns to.
LIDO_NOINLINE inline std::uintptr_t return_address() noexcept {
    return reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
}

/// Something to do after the call: the optimiser makes a jump of one that comes last, and then it has no place of its own.
inline marked after(std::uintptr_t address, unsigned line) noexcept {
    [[maybe_unused]] volatile unsigned kept = line;
    return {address, line};
}

template <class T>
LIDO_NOINLINE marked from_a_template(T) {
    const std::uintptr_t address = return_address();
    return after(address, __LINE__ - 1);
}

namespace inner {

LIDO_NOINLINE inline marked from_a_namespace() {
    const std::uintptr_t address = return_address();
    return after(address, __LINE__ - 1);
}

}  // namespace inner
}  // namespace lido::test::elsewhere
