#include "slot_watch.hpp"

#include <algorithm>
#include <bit>

namespace lido::inspect {

void slot_watch::rest() noexcept {
    slots_.clear();
    slots_.shrink_to_fit();
    now_ = {};
    before_ = {};
    looks_ = 0;
}

void slot_watch::measured(std::uint64_t length) noexcept {
    // bit_width(length - 1) is the smallest k with length <= 2^k.
    const auto k = static_cast<std::size_t>(std::bit_width(length > 0 ? length - 1 : 0));
    ++lifetimes_.counts[std::min(k, lifetime_figures::edges)];
    ++lifetimes_.seen;
}

void slot_watch::ended(const known& life, std::uint64_t tick) noexcept {
    // A rewind sets the tick back; such a life has no length either.
    if (life.begin_known && tick >= life.since) {
        measured(tick - life.since);
    } else {
        ++lifetimes_.unmeasured;
    }
}

void slot_watch::compare(std::uint64_t tick) {
    const bool first = looks_ == 0;
    ++looks_;
    for (const slot_life life : now_) {
        if (life.slot >= slots_.size()) slots_.resize(std::max<std::size_t>(life.slot + 1, slots_.size() * 2));
        known& k = slots_[life.slot];
        const bool lived_before = k.seen != 0 && k.seen == looks_ - 1;
        if (life.generation == 0 || (lived_before && k.generation == life.generation)) {
            if (!lived_before) k.since = tick;
            k.generation = life.generation;
            k.seen = looks_;
            continue;
        }
        // Generations go up by two a life; what was between the last one seen here and this one nobody saw.
        if (lived_before) ended(k, tick);
        if (!first && (k.generation & life.generation & 1) != 0 && life.generation > k.generation + 2)
            lifetimes_.unmeasured += (life.generation - k.generation) / 2 - 1;
        k = {tick, looks_, life.generation, !first};
    }
    for (const slot_life life : before_) {
        const known& k = slots_[life.slot];
        if (life.generation != 0 && k.seen == looks_ - 1) ended(k, tick);
    }
    std::swap(now_, before_);
    tick_ = tick;
}

void slot_watch::draw(const map_request& wish, std::uint32_t slots, map_figures& out) const {
    out.slots = slots;
    out.by = wish.by;
    out.to = wish.to == 0 ? slots : std::min(wish.to, slots);
    out.from = std::min(wish.from, out.to);
    const std::uint32_t count = out.to - out.from;
    const std::uint32_t cells = std::clamp<std::uint32_t>(wish.cells, 1, most_cells);
    out.per_cell = std::max<std::uint32_t>(1, (count + cells - 1) / cells);
    out.cells.assign((count + out.per_cell - 1) / out.per_cell, 0);
    out.newest = 0;
    out.oldest = 0;
    const auto value_of = [&](slot_life life) -> std::uint64_t {
        if (wish.by == map_by::generation) return life.generation;
        const known& k = slots_[life.slot];
        return tick_ > k.since ? tick_ - k.since : 0;
    };
    bool any = false;
    for (const slot_life life : before_) {
        if (life.slot < out.from || life.slot >= out.to) continue;
        const std::uint64_t value = value_of(life);
        out.newest = any ? std::min(out.newest, value) : value;
        out.oldest = any ? std::max(out.oldest, value) : value;
        any = true;
    }
    const std::uint64_t range = out.oldest - out.newest;
    for (const slot_life life : before_) {
        if (life.slot < out.from || life.slot >= out.to) continue;
        const std::uint64_t above = value_of(life) - out.newest;
        const auto shade = static_cast<std::uint8_t>(1 + (range != 0 ? above * 254 / range : 0));
        std::uint8_t& cell = out.cells[(life.slot - out.from) / out.per_cell];
        cell = std::max(cell, shade);
    }
}

}  // namespace lido::inspect
