// lido: compile-time configuration. Everything here can be set before the first include or on the command line.
//
//   LIDO_CHECKS            1 adds the debug tier of checks; default: 1 unless NDEBUG is defined.
//   LIDO_FORENSICS         1 lets pools remember where and when lives began and ended, for reports; default: as LIDO_CHECKS.
//   LIDO_POISON            1 marks dead slots for AddressSanitizer and Valgrind, and fills them; default: 1 with LIDO_CHECKS or
//                          under AddressSanitizer. See checks/poison.hpp.
//   LIDO_FATAL(text)       what a broken precondition does; default: print and abort.
//
// Assert tiers: LIDO_VERIFY always runs, LIDO_ASSERT only with LIDO_CHECKS, and every pool has an O(n) validate().
// Conditions have no side effects, so a build without checks behaves the same.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define LIDO_VERSION_MAJOR 0
#define LIDO_VERSION_MINOR 4
#define LIDO_VERSION_PATCH 0

#ifndef LIDO_CHECKS
#ifdef NDEBUG
#define LIDO_CHECKS 0
#else
#define LIDO_CHECKS 1
#endif
#endif

#ifndef LIDO_FORENSICS
#define LIDO_FORENSICS LIDO_CHECKS
#endif

#if defined(__SANITIZE_ADDRESS__)
#define LIDO_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIDO_ASAN 1
#endif
#endif
#ifndef LIDO_ASAN
#define LIDO_ASAN 0
#endif

#ifndef LIDO_POISON
#define LIDO_POISON (LIDO_CHECKS || LIDO_ASAN)
#endif

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define LIDO_HAS_EXCEPTIONS 1
#define LIDO_TRY try
#define LIDO_CATCH_ALL catch (...)
#define LIDO_RETHROW throw
#else
// Without exceptions nothing can be caught; the handlers are still compiled, so they cannot rot.
#define LIDO_HAS_EXCEPTIONS 0
#define LIDO_TRY if constexpr (true)
#define LIDO_CATCH_ALL else
#define LIDO_RETHROW static_cast<void>(0)
#endif

#if defined(__GNUC__) || defined(__clang__)
#define LIDO_COLD __attribute__((cold, noinline))
#define LIDO_NOINLINE __attribute__((noinline))
#define LIDO_INLINE inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define LIDO_COLD __declspec(noinline)
#define LIDO_NOINLINE __declspec(noinline)
#define LIDO_INLINE __forceinline
#else
#define LIDO_COLD
#define LIDO_NOINLINE
#define LIDO_INLINE inline
#endif

// As LIDO_INLINE where the build is optimised. In others each local of what is inlined has room of its own in the caller's frame, which is
// too much for what calls itself through code of the program.
#if defined(__GNUC__) && !defined(__OPTIMIZE__)
#define LIDO_INLINE_OPTIMISED inline
#else
#define LIDO_INLINE_OPTIMISED LIDO_INLINE
#endif

// What a program has once, its shared libraries included, whatever they hide (-fvisibility=hidden). A library that is loaded with dlopen
// finds it in the program if that exports its symbols (-rdynamic, CMake's ENABLE_EXPORTS); a Windows DLL has its own.
#if (defined(__GNUC__) || defined(__clang__)) && !defined(_WIN32)
#define LIDO_SHARED __attribute__((visibility("default")))
#else
#define LIDO_SHARED
#endif

// The functions that a user calls and a report names the place of. With forensics they are never inlined, so that the address
// they return to lies in the user's function; that is LIDO_CALLER. Without, LIDO_ENTRY is nothing and the quick ones are inlined.
#if LIDO_FORENSICS
#define LIDO_ENTRY LIDO_NOINLINE
#define LIDO_QUICK_ENTRY LIDO_NOINLINE
#if defined(__wasm__)
// WebAssembly code cannot read its return address: the builtin is an error, or with Emscripten a call that fails to link.
#define LIDO_CALLER nullptr
#elif defined(__GNUC__) || defined(__clang__)
#define LIDO_CALLER __builtin_extract_return_addr(__builtin_return_address(0))
#elif defined(_MSC_VER)
#include <intrin.h>
#define LIDO_CALLER _ReturnAddress()
#else
#define LIDO_CALLER nullptr
#endif
#else
#define LIDO_ENTRY
#define LIDO_QUICK_ENTRY LIDO_INLINE
#define LIDO_CALLER nullptr
#endif

/// What the optimiser may take for granted. Pre: the condition holds.
#if defined(__GNUC__) || defined(__clang__)
#define LIDO_ASSUME(condition) ((condition) ? static_cast<void>(0) : __builtin_unreachable())
#elif defined(_MSC_VER)
#define LIDO_ASSUME(condition) __assume(condition)
#else
#define LIDO_ASSUME(condition) static_cast<void>(0)
#endif

#if defined(_MSC_VER)
#define LIDO_NO_UNIQUE_ADDRESS [[msvc::no_unique_address]]
#else
#define LIDO_NO_UNIQUE_ADDRESS [[no_unique_address]]
#endif

namespace lido {

/// True when the debug tier of checks is compiled in.
inline constexpr bool checks = LIDO_CHECKS != 0;

/// True when pools keep a diary unless their options say no (checks/diary.hpp).
inline constexpr bool forensics = LIDO_FORENSICS != 0;

/// True when this build can throw and catch.
inline constexpr bool has_exceptions = LIDO_HAS_EXCEPTIONS != 0;

namespace detail {

/// Where a null came from that was used as an object.
enum class used_null : std::uint8_t { no, refused, looked_up };

/// A broken precondition, and what is known of it where it was found.
struct broken_promise {
    const char* what;
    const char* pool;    ///< its name; null where it is not known
    const void* caller;  ///< the code that broke it; null where it is not known
    used_null of = used_null::no;
};

/// Prints " …" after the words: the pool and the place in the user's code. False when nothing is known. Set by pools that keep a diary
/// (checks/blame_report.hpp); null in programs without one.
using promise_teller = bool (*)(const broken_promise&) noexcept;
LIDO_SHARED inline constinit std::atomic<promise_teller> tell_promise{nullptr};

/// For what may have lost its pool.
template <class Pool>
[[nodiscard]] const char* name_of(const Pool* pool) noexcept {
    return pool != nullptr ? pool->name() : nullptr;
}

[[noreturn]] LIDO_COLD inline void fatal(const broken_promise& broken, const char* file, int line) noexcept {
    std::fprintf(stderr, "lido: %s", broken.what);
    const promise_teller tell = tell_promise.load(std::memory_order_acquire);
    if (tell == nullptr || !tell(broken)) {
        if (broken.pool != nullptr) std::fprintf(stderr, "; pool \"%s\"", broken.pool);
        std::fprintf(stderr, " (%s:%d)", file, line);
    }
    std::fprintf(stderr, "\n");
    std::fflush(stderr);
    std::abort();
}

}  // namespace detail
}  // namespace lido

// The second is for functions that users call from outside of a call on the pool: it knows the pool, and in functions that are not inlined
// (LIDO_ENTRY) the line of the user's code.
#ifndef LIDO_FATAL
#define LIDO_FATAL(text) ::lido::detail::fatal({(text), nullptr, nullptr}, __FILE__, __LINE__)
#define LIDO_FATAL_FROM(pool_name, text) ::lido::detail::fatal({(text), (pool_name), LIDO_CALLER}, __FILE__, __LINE__)
#define LIDO_FATAL_BY(pool_name, text, caller) \
    ::lido::detail::fatal({(text), (pool_name), (caller)}, __FILE__, __LINE__)
#define LIDO_FATAL_NULL(from, text) \
    ::lido::detail::fatal({(text), nullptr, LIDO_CALLER, ::lido::detail::used_null::from}, __FILE__, __LINE__)
#else
#define LIDO_FATAL_FROM(pool_name, text) LIDO_FATAL(text)
#define LIDO_FATAL_BY(pool_name, text, caller) LIDO_FATAL(text)
#define LIDO_FATAL_NULL(from, text) LIDO_FATAL(text)
#endif

/// Holds in every build: the cost of the check is small against what it guards.
#define LIDO_VERIFY(condition, text) (static_cast<bool>(condition) ? static_cast<void>(0) : LIDO_FATAL(text))

#define LIDO_VERIFY_FROM(pool_name, condition, text) \
    (static_cast<bool>(condition) ? static_cast<void>(0) : LIDO_FATAL_FROM(pool_name, text))

/// Holds in builds with checks; elsewhere the condition is not evaluated.
#if LIDO_CHECKS
#define LIDO_ASSERT(condition, text) LIDO_VERIFY(condition, text)
#define LIDO_ASSERT_FROM(pool_name, condition, text) LIDO_VERIFY_FROM(pool_name, condition, text)
#define LIDO_ASSERT_NOT_NULL(from, condition, text) \
    (static_cast<bool>(condition) ? static_cast<void>(0) : LIDO_FATAL_NULL(from, text))
#else
#define LIDO_ASSERT(condition, text) static_cast<void>(0)
#define LIDO_ASSERT_FROM(pool_name, condition, text) static_cast<void>(0)
#define LIDO_ASSERT_NOT_NULL(from, condition, text) static_cast<void>(0)
#endif
