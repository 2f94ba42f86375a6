// Whether two pieces of a program mean the same type, when one of them may be a shared library.
//
// Within one library the address of a type's identity is enough. Two libraries each have one of their own where symbols are hidden
// (-fvisibility=hidden, a Windows DLL), so then the names and sizes are compared. Types that belong to one file (an unnamed namespace, a
// lambda) may have a namesake in the other library: for them only the address counts. Clang does not print that a type is local to a
// function, so such types of one name and size in two libraries are taken for one another there.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/meta/type_name.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace lido::detail {

struct type_identity {
    const char* signature;  ///< the compiler's own, with the type's name in it
    std::size_t bytes;
    std::size_t alignment;
    std::size_t element_bytes;  ///< of what it holds; 0 when it holds nothing
};

template <class T>
[[nodiscard]] consteval std::size_t element_bytes_of() noexcept {
    if constexpr (requires { sizeof(typename T::value_type); }) {
        return sizeof(typename T::value_type);
    } else {
        return 0;
    }
}

template <class T>
inline constexpr type_identity identity_of{raw_signature<T>(), sizeof(T), alignof(T), element_bytes_of<T>()};

/// Which handles a pool gives: what they name may be incomplete.
template <class Handle>
inline constexpr type_identity handle_identity{raw_signature<Handle>(), sizeof(Handle), alignof(Handle), 0};

[[nodiscard]] LIDO_COLD inline bool same_signature(const type_identity& a, const type_identity& b) noexcept {
    if (a.bytes != b.bytes || a.alignment != b.alignment || a.element_bytes != b.element_bytes) return false;
    if (std::strcmp(a.signature, b.signature) != 0) return false;
    for (const char* const of_one_file : {"anonymous", "unnamed", "lambda", ")::"}) {
        if (std::strstr(a.signature, of_one_file) != nullptr) return false;
    }
    return true;
}

/// Null is the identity of nothing, and nothing is only itself.
[[nodiscard]] inline bool same_type(const type_identity* a, const type_identity* b) noexcept {
    return a == b || (a != nullptr && b != nullptr && same_signature(*a, *b));
}

}  // namespace lido::detail
