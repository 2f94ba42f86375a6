// How much address space a class of a world reserves: what its settings need, and no more than `unsaid` where they do not say.
//
//   | objects, with their bookkeeping | timers: a lifetime each, and calls | listeners |        three pools of lazy_reserved_storage
//
// Address space is bounded: a process has 2 to 4 GiB of it with 32-bit addresses, what `ulimit -v` leaves elsewhere, and some 65 000
// mappings. Rejected: a table of blocks, which grows without a reservation, and which every get() would have to read.
#pragma once

#include <lido/core/options.hpp>
#include <lido/world/class_settings.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace lido::world_detail {

/// Numbers of slots.
struct class_room {
    std::uint32_t objects = 0;
    std::uint32_t timers = 0;
    std::uint32_t listeners = 0;
};

/// What an object, a timer and a listener take, in bytes.
struct class_room_sizes {
    std::size_t object;
    std::size_t timer;
    std::size_t listener;
};

/// A class whose settings name no bound.
inline constexpr std::uint64_t unsaid = std::uint64_t{sizeof(void*) == 8 ? 64 : 8} << 20;

/// Objects that are there from the start.
[[nodiscard]] constexpr std::uint32_t first_capacity(const class_settings& s) noexcept {
    return (std::max)({s.capacity, s.prewarm, 1u});
}

/// Whether a class grows without a bound of its own: as far as it reserves.
[[nodiscard]] constexpr bool grows_unbounded(const class_settings& s) noexcept {
    return s.on_full.cap() == on_full::unlimited;
}

[[nodiscard]] constexpr class_room room_for(const class_settings& s, class_room_sizes of) noexcept {
    const std::uint64_t most = std::uint64_t{1} << 31;
    const auto count = [=](std::uint64_t n) { return static_cast<std::uint32_t>((std::min)(n, most)); };
    const std::uint64_t spare = unsaid / 8;  // for calls that wait, and again for listeners: no setting bounds them
    std::uint64_t objects = first_capacity(s);
    if (grows_unbounded(s)) {
        // Each with a timer and a listener, as far as these are more than the spare ones. A class that begins larger may still double.
        const std::uint64_t fit = (std::min)((unsaid - 2 * spare) / (of.object + of.timer),
                                             (unsaid - spare) / (of.object + of.timer + of.listener));
        objects = (std::max)(objects > 1 ? objects * 2 : objects, fit);
    } else if (s.on_full.cap() != on_full::no_growth) {
        objects = (std::max)(objects, std::uint64_t{s.on_full.cap()});
    }
    objects = (std::max)(objects, std::uint64_t{s.reserve});
    const std::uint64_t calls = spare / of.timer;
    const std::uint64_t more_calls = grows_unbounded(s) ? calls : (std::max)(objects, calls);
    return {count(objects), count(objects + more_calls), count((std::max)(objects, spare / of.listener))};
}

/// The setting that makes a class reserve as much as it does; null for one whose settings say nothing.
[[nodiscard]] constexpr const char* what_reserves(const class_settings& s) noexcept {
    const std::uint32_t first = first_capacity(s);
    const std::uint32_t cap = s.on_full.cap();
    const std::uint32_t grown = cap == on_full::no_growth || cap == on_full::unlimited ? 0 : cap;
    const std::uint32_t idle = s.idle_cap == class_settings::no_cap ? 0 : s.idle_cap;
    if (s.reserve > grown && s.reserve > first && s.reserve > idle) return "reserve";
    if (idle > grown && idle > first) return "idle_cap";
    if (grown >= first && grown != 0) return "grow_to";
    if (first > 1) return s.prewarm > s.capacity ? "prewarm" : "capacity";
    return nullptr;
}

}  // namespace lido::world_detail
