// The order of ages in an image and in a state hash.
#pragma once

#include <lido/core/base/options.hpp>
#include <lido/core/meta/hash.hpp>
#include <lido/core/parts/age_order.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>

#include <cstdint>

namespace lido::detail {

template <track Tracks>
void hash_ages(hasher& h, const age_order<Tracks>& ages, age_arrays a) {
    ages.walk(a, [&](std::uint32_t slot, unsigned level) {
        h.add(std::uint64_t{slot} << 8 | level);
        if constexpr (Tracks == track::priority) h.add(a.birth[slot]);  // replace_oldest compares them across levels
    });
}

template <track Tracks>
void put_ages(image_writer& w, const age_order<Tracks>& ages, age_arrays a) {
    if constexpr (Tracks != track::nothing) {
        w.put(ages.births);
        ages.walk(a, [&](std::uint32_t slot, unsigned level) {
            w.put(slot);
            if constexpr (Tracks == track::priority) {
                w.put(static_cast<std::uint8_t>(level));
                w.put(a.birth[slot]);
            }
        });
    }
}

/// Rebuilds the order of `live` slots; `lives(slot)` says which may be in it.
template <track Tracks, class Lives>
[[nodiscard]] restore_result take_ages(image_reader& r, age_order<Tracks>& ages, age_arrays a, std::uint32_t live,
                                       Lives&& lives) noexcept {
    if constexpr (Tracks != track::nothing) {
        constexpr restore_result wrong{restore_error::inconsistent, "the order of ages is not one of the live objects"};
        const auto births = r.take<std::uint64_t>();
        if (births > most_lives) return wrong;
        if (!r.has(live, sizeof(std::uint32_t))) return {restore_error::truncated};
        unsigned level = 0;
        for (std::uint32_t i = 0; i < live; ++i) {
            const auto slot = r.take<std::uint32_t>();
            if (!lives(slot)) return wrong;
            if constexpr (Tracks == track::priority) {
                const auto at = r.take<std::uint8_t>();
                const auto birth = r.take<std::uint64_t>();
                if (at > max_priority || at < level) return wrong;
                level = at;
                a.priority[slot] = at;
                a.birth[slot] = birth;
            }
            ages.append(a, slot, level);
        }
        ages.births = births;
        if (!r.ok()) return {restore_error::truncated};
        // Whether each slot came once, the links agree and births rise: all that the pool itself relies on.
        if (ages.validate(a, live, lives) != nullptr) return wrong;
    }
    return {};
}

}  // namespace lido::detail
