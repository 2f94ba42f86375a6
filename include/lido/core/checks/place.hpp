// Where in the program, and when, something was asked of a pool.
//
// A place is recorded on every acquire and release of a build with LIDO_FORENSICS, so it is one word and costs one load: the
// address that the call returns to. It becomes file and line only when a report is made, by lido::symbols (checks/line_finder.hpp).
// Functions that wrap a pool hand their caller's place on with `blame`, as file and line, which needs no debug information.
#pragma once

#include <lido/core/base/config.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace lido {

namespace detail {

/// Held for a few instructions, and only while a report or a new place is written down: not worth <mutex>.
class spin_lock {
public:
    explicit spin_lock(std::atomic_flag& flag) noexcept : flag_(flag) {
        while (flag_.test_and_set(std::memory_order_acquire)) {
        }
    }
    spin_lock(const spin_lock&) = delete;
    spin_lock& operator=(const spin_lock&) = delete;
    ~spin_lock() { flag_.clear(std::memory_order_release); }

private:
    std::atomic_flag& flag_;
};

/// FNV-1a over one text more; null is an empty one.
[[nodiscard]] constexpr std::uint64_t add_text(std::uint64_t hash, const char* text) noexcept {
    for (; text != nullptr && *text != '\0'; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
    return (hash ^ 0xff) * 0x100000001b3u;  // "a" and "b" are not "ab" and ""
}

/// Places given as file and line. A program has few of them, so they are found one after the other; the ones after the last are
/// not told apart. Never freed: a place is good for ever.
struct told_places {
    static constexpr std::size_t most = 1024;

    struct entry {
        const char* file = nullptr;
        std::uint32_t line = 0;
    };

    entry entries[most];
    std::atomic<std::size_t> count{0};
    std::atomic_flag busy = ATOMIC_FLAG_INIT;

    /// 1 for the first. Safe from any thread.
    [[nodiscard]] std::size_t number_of(const char* file, std::uint32_t line) noexcept {
        const spin_lock lock(busy);
        const std::size_t n = count.load(std::memory_order_relaxed);
        for (std::size_t i = 0; i < n; ++i) {
            if (entries[i].file == file && entries[i].line == line) return i + 1;
        }
        if (n == most) return most;
        entries[n] = {file, line};
        count.store(n + 1, std::memory_order_release);
        return n + 1;
    }
};

LIDO_SHARED inline constinit told_places all_told_places{};

}  // namespace detail

/// Where a function was called, when it takes this as its last parameter: `void fire(vec2 from, lido::caller at = lido::caller::here())`.
/// As std::source_location, which Clang 14 does not have.
struct caller {
    const char* file;
    std::uint32_t line;

    [[nodiscard]] static constexpr caller here(const char* file = __builtin_FILE(),
                                               std::uint32_t line = __builtin_LINE()) noexcept {
        return {file, line};
    }
};

/// PL1. 0 is unknown; up to told_places::most the number of a told place; anything else is a return address: no code lies in the
///      first pages.
class source_place {
public:
    constexpr source_place() noexcept = default;

    [[nodiscard]] static source_place returning_to(const void* address) noexcept {
        source_place p;
        p.bits_ = reinterpret_cast<std::uintptr_t>(address);
        return p;
    }
    [[nodiscard]] static source_place of(caller at) noexcept {
        return from_bits(detail::all_told_places.number_of(at.file, at.line));
    }
    [[nodiscard]] static constexpr source_place from_bits(std::uintptr_t bits) noexcept {
        source_place p;
        p.bits_ = bits;
        return p;
    }

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return bits_ != 0; }
    [[nodiscard]] constexpr std::uintptr_t bits() const noexcept { return bits_; }

    /// File and line, where the place was told as such; else null.
    [[nodiscard]] const detail::told_places::entry* told() const noexcept {
        if (bits_ == 0 || bits_ > detail::told_places::most) return nullptr;
        return &detail::all_told_places.entries[bits_ - 1];
    }

    friend constexpr bool operator==(source_place, source_place) noexcept = default;

private:
    std::uintptr_t bits_ = 0;
};

/// No tick has been told, or none was at that time.
inline constexpr std::uint64_t no_tick = ~std::uint64_t{0};

namespace detail {

LIDO_SHARED inline constinit thread_local source_place blamed_place{};
LIDO_SHARED inline constinit std::atomic<std::uint64_t> tick_now{no_tick};

}  // namespace detail

/// Tells lido which tick it is, so that reports can say when. Once a tick; lido::rewind and lido::history do it as they save.
/// Threads: safe; one tick for the whole program.
inline void set_tick(std::uint64_t tick) noexcept { detail::tick_now.store(tick, std::memory_order_relaxed); }
[[nodiscard]] inline std::uint64_t current_tick() noexcept { return detail::tick_now.load(std::memory_order_relaxed); }

namespace detail {

/// The innermost call on a pool that keeps a diary, while it lasts.
struct pool_call {
    const char* pool;
    source_place at;
};
LIDO_SHARED inline constinit thread_local const pool_call* current_call = nullptr;

/// An acquire that was refused.
struct refused_call {
    char pool[48];
    const char* why;
    source_place at;
    std::uint64_t tick;
};
LIDO_SHARED inline constinit thread_local refused_call last_refusal{};

LIDO_COLD inline void note_refusal(refused_call& to, const char* pool, const char* why, source_place at) noexcept {
    std::snprintf(to.pool, sizeof(to.pool), "%s", pool);
    to.why = why;
    to.at = at;
    to.tick = current_tick();
}

}  // namespace detail

/// The place that is blamed already, or the caller's: for functions that end in those of a pool. Pass LIDO_CALLER.
template <bool On = forensics>
[[nodiscard]] source_place place_of_caller([[maybe_unused]] const void* caller) noexcept {
    if constexpr (!On) return {};
    return detail::blamed_place ? detail::blamed_place : source_place::returning_to(caller);
}

/// While it lives, what this thread asks of any pool counts as asked from `at`: for functions that wrap a pool.
///
///     handle fire(vec2 from, lido::caller at = lido::caller::here()) {
///         const lido::blame them(at);
///         return bullets.acquire(from);
///     }
///
/// Costs nothing without LIDO_FORENSICS. (A template, as pools are by their options: files built with and without do not share it.)
template <bool On>
class basic_blame {
public:
    explicit basic_blame([[maybe_unused]] caller at) noexcept {
        if constexpr (On) set(source_place::of(at));
    }
    explicit basic_blame([[maybe_unused]] source_place at) noexcept {
        if constexpr (On) set(at);
    }
    basic_blame(const basic_blame&) = delete;
    basic_blame& operator=(const basic_blame&) = delete;
    ~basic_blame() {
        if constexpr (On) detail::blamed_place = before_;
    }

private:
    void set(source_place at) noexcept {
        before_ = detail::blamed_place;
        detail::blamed_place = at;
    }

    source_place before_;
};
using blame = basic_blame<forensics>;

}  // namespace lido
