// How a report of a build with forensics is worded, and how often it is made.
//
//   bullets: handle {slot 12, gen 3} is stale: acquired weapons.cpp:88 tick 3990, released collision.cpp:41 tick 4021; slot now
//   holds gen 5 from weapons.cpp:88; used homing.cpp:17 tick 4090
//
// A mistake in a loop is one mistake: each kind is told once for each place it comes from, and then at the 10th, 100th, ... time.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/checks/drop_counts.hpp>
#include <lido/core/checks/life_notes.hpp>
#include <lido/core/checks/line_finder.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/place.hpp>

#include <atomic>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace lido {

/// Which reports a build with LIDO_FORENSICS makes, for the whole program. Threads: may be set at any time.
struct report_switches {
    std::atomic<bool> stale_gets{true};  ///< get() of a life that has ended; try_get() never reports
    std::atomic<bool> leaks{true};       ///< objects that are active when their pool ends
    std::atomic<bool> null_uses{
        true};  ///< a crash after get() of a null handle: which pool and acquire that was (null_use.hpp)
    std::atomic<bool> resets{true};  ///< whether recycled objects are compared with fresh ones
};
LIDO_SHARED inline constinit report_switches reports{};

namespace detail {

/// A line of text on the stack. What does not fit is cut.
class text_line {
public:
#if defined(__GNUC__) || defined(__clang__)
    __attribute__((format(printf, 2, 3)))
#endif
    void
    add(const char* format, ...) noexcept {
        va_list values;
        va_start(values, format);
        const int n = std::vsnprintf(text_ + length_, sizeof(text_) - length_, format, values);
        va_end(values);
        if (n > 0) length_ += static_cast<std::size_t>(n);
        if (length_ >= sizeof(text_)) length_ = sizeof(text_) - 1;
    }
    [[nodiscard]] const char* text() const noexcept { return text_; }
    [[nodiscard]] bool room_for(std::size_t bytes) const noexcept { return length_ + bytes < sizeof(text_); }

private:
    char text_[1536] = {};
    std::size_t length_ = 0;
};

/// Whether a report of this program has said how to get lines.
LIDO_SHARED inline constinit std::atomic<bool> told_of_symbols{false};

/// What can be said of an address where nobody knows lines. The first one says how that can be changed.
LIDO_COLD inline void add_address(text_line& to, std::uintptr_t address) noexcept {
    to.add("0x%llx", static_cast<unsigned long long>(address));
#if defined(__linux__)  // elsewhere there is no lido::symbols yet
    if (!told_of_symbols.exchange(true, std::memory_order_relaxed))
        to.add(" (link lido::symbols to see file and line)");
#endif
}

/// `weapons.cpp:88`; without line tables `game+0x4a31f`, and without lido::symbols the address.
LIDO_COLD inline void add_place(text_line& to, source_place at) noexcept {
    if (!at) return to.add("an unknown place");
    if (const auto* told = at.told(); told != nullptr) {
        return to.add("%s:%lu", last_part(told->file), static_cast<unsigned long>(told->line));
    }
    const line_finder find_line = current_line_finder.load(std::memory_order_acquire);
    if (find_line == nullptr) return add_address(to, at.bits());
    const found_line found = find_line(at.bits());
    if (found.known) {
        to.add("%s:%u", last_part(found.file), found.line);
    } else if (found.module[0] != '\0') {
        to.add("%s+0x%llx", found.module, static_cast<unsigned long long>(found.offset));
    } else {
        to.add("0x%llx", static_cast<unsigned long long>(at.bits()));
    }
}

/// Equal for places of one file and line, which may be many addresses: two calls on one line, a template, a function that was inlined.
/// Where nobody knows lines, the address. Asks line tables, so once for each address.
[[nodiscard]] LIDO_COLD inline std::uint64_t line_of(source_place at) noexcept {
    if (!at) return 0;
    const auto of = [](const char* file, std::uint64_t line) {
        return add_text(line * 0x9e3779b97f4a7c15u ^ 0xcbf29ce484222325u, file);
    };
    if (const auto* told = at.told(); told != nullptr) return of(told->file, told->line);
    const line_finder find_line = current_line_finder.load(std::memory_order_acquire);
    if (find_line == nullptr) return at.bits();
    const found_line found = find_line(at.bits());
    return found.known ? of(found.file, found.line) : at.bits();
}

inline void add_tick(text_line& to, std::uint64_t tick) noexcept {
    if (tick != no_tick) to.add(" tick %llu", static_cast<unsigned long long>(tick));
}

/// The whole tick of a note that kept its low half: the latest one that is not in the future.
[[nodiscard]] inline std::uint64_t whole_tick(std::uint32_t low, bool known) noexcept {
    if (!known) return no_tick;
    constexpr std::uint64_t turn = std::uint64_t{1} << 32;
    const std::uint64_t now = current_tick();
    if (now == no_tick) return low;
    const std::uint64_t tick = (now & ~(turn - 1)) | low;
    return tick > now && tick >= turn ? tick - turn : tick;
}

/// How often each kind of misuse has come from each line. Fixed in size: what no longer fits is counted together.
class report_counts {
public:
    /// The count, with this one; 0 when it need not be told again.
    [[nodiscard]] std::uint64_t due(misuse_kind kind, source_place at, const char* pool) noexcept {
        const spin_lock lock(busy_);
        entry* const e = find(kind, at, pool);
        const std::uint64_t n = ++e->count;
        std::uint64_t told = n;
        while (told % 10 == 0) told /= 10;
        return told == 1 ? n : 0;
    }

    void clear() noexcept {
        const spin_lock lock(busy_);
        for (entry& e : entries_) e = {};
    }

private:
    struct entry {
        std::uintptr_t at = 0;
        const char* pool = nullptr;
        misuse_kind kind = {};
        bool taken = false;
        std::uint64_t line = 0;      ///< line_of(at)
        entry* counts_in = nullptr;  ///< the first of this line
        std::uint64_t count = 0;
    };
    static constexpr std::size_t most = 512;

    [[nodiscard]] entry* find(misuse_kind kind, source_place at, const char* pool) noexcept {
        std::size_t i = (at.bits() * 0x9e3779b97f4a7c15u >> 20) % most;
        for (std::size_t tries = 0; tries < most; ++tries, i = (i + 1) % most) {
            entry& e = entries_[i];
            if (!e.taken) take(e, kind, at, pool);
            if (e.at == at.bits() && e.pool == pool && e.kind == kind) return e.counts_in;
        }
        return &others_;
    }

    LIDO_COLD void take(entry& e, misuse_kind kind, source_place at, const char* pool) noexcept {
        const std::uint64_t line = line_of(at);
        entry* first = &e;
        for (entry& other : entries_) {
            if (other.taken && other.line == line && other.pool == pool && other.kind == kind) {
                first = other.counts_in;
                break;
            }
        }
        e = {at.bits(), pool, kind, true, line, first, 0};
    }

    std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
    entry entries_[most] = {};
    entry others_ = {};
};

LIDO_SHARED inline constinit report_counts all_report_counts{};

/// " from a, released b" of what a note knows.
LIDO_COLD inline void add_note(text_line& to, const life_note& note) noexcept {
    to.add(": acquired ");
    add_place(to, source_place::from_bits(note.acquired));
    add_tick(to, whole_tick(note.acquired_tick, (note.flags & life_note::begun_has_tick) != 0));
    if ((note.flags & life_note::ended) == 0) return;
    to.add(", released ");
    add_place(to, source_place::from_bits(note.released));
    add_tick(to, whole_tick(note.released_tick, (note.flags & life_note::ended_has_tick) != 0));
}

/// The end of every story: who did it, when, and how often.
LIDO_COLD inline void add_use(text_line& to, const char* verb, source_place at, std::uint64_t count) noexcept {
    to.add("; %s ", verb);
    add_place(to, at);
    add_tick(to, current_tick());
    if (count > 1) to.add(" (%llu times)", static_cast<unsigned long long>(count));
}

}  // namespace detail

/// Forgets how often each report was made: the next of each is told again. For a new level, or a new test.
inline void forget_reports() noexcept {
    detail::all_report_counts.clear();
    detail::printed_reports.clear();
    detail::all_drops.clear();
}

}  // namespace lido
