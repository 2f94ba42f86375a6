// Memory that holds no object now: nobody but the pool may touch it, and here that is said to whoever can enforce it.
//
//   AddressSanitizer    the bytes are poisoned: an access through a pointer kept past release stops the program
//   Valgrind            the bytes are marked as not accessible (where its header is found at build time)
//   neither             the bytes are filled with 0xdd, which as a float, an index or a pointer is visibly wrong
//
// A poisoned byte stays poisoned when its memory goes back to the system or the stack, so a pool opens all it had before it ends.
// LIDO_POISON 0 turns all of it off. Files of one program that share a pool type must agree on it, and on AddressSanitizer.
#pragma once

#include <lido/core/base/config.hpp>

#include <cstddef>
#include <cstring>

#if LIDO_POISON && LIDO_ASAN
#include <sanitizer/asan_interface.h>
#define LIDO_VALGRIND 0
#elif LIDO_POISON && !defined(LIDO_VALGRIND) && defined(__has_include)
#if __has_include(<valgrind/memcheck.h>)
#define LIDO_VALGRIND 1
#endif
#endif
#ifndef LIDO_VALGRIND
#define LIDO_VALGRIND 0
#endif
#if LIDO_VALGRIND
#include <valgrind/memcheck.h>
#endif

namespace lido::detail {

/// What dead bytes are filled with.
inline constexpr unsigned char dead_byte = 0xdd;

/// True when somebody enforces what close_off says, so that even the pool's own copies must keep away from dead slots.
[[nodiscard]] LIDO_INLINE bool guarded() noexcept {
#if LIDO_POISON && LIDO_ASAN
    return true;
#elif LIDO_VALGRIND
    static const bool running = RUNNING_ON_VALGRIND != 0;
    return running;
#else
    return false;
#endif
}

/// No object is here.
LIDO_INLINE void close_off([[maybe_unused]] const void* at, [[maybe_unused]] std::size_t bytes) noexcept {
#if LIDO_POISON && LIDO_ASAN
    ASAN_POISON_MEMORY_REGION(at, bytes);
#elif LIDO_VALGRIND
    if (guarded()) static_cast<void>(VALGRIND_MAKE_MEM_NOACCESS(at, bytes));
#endif
}

/// An object is about to be here, or the memory goes back to where it came from.
LIDO_INLINE void open_up([[maybe_unused]] const void* at, [[maybe_unused]] std::size_t bytes) noexcept {
#if LIDO_POISON && LIDO_ASAN
    ASAN_UNPOISON_MEMORY_REGION(at, bytes);
#elif LIDO_VALGRIND
    if (guarded()) static_cast<void>(VALGRIND_MAKE_MEM_UNDEFINED(at, bytes));
#endif
}

/// The same for an object that slept here, whose content is as it was.
LIDO_INLINE void open_again([[maybe_unused]] const void* at, [[maybe_unused]] std::size_t bytes) noexcept {
#if LIDO_POISON && LIDO_ASAN
    ASAN_UNPOISON_MEMORY_REGION(at, bytes);
#elif LIDO_VALGRIND
    if (guarded()) static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(at, bytes));
#endif
}

/// The object that was here has ended.
LIDO_INLINE void bury([[maybe_unused]] void* at, [[maybe_unused]] std::size_t bytes) noexcept {
#if LIDO_POISON
    if constexpr (!LIDO_ASAN) std::memset(at, dead_byte, bytes);
    close_off(at, bytes);
#endif
}

}  // namespace lido::detail
