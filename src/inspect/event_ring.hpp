// The last 512 events, numbered from 0 on.
#pragma once

#include "figures.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lido::inspect {

class event_ring {
public:
    static constexpr std::size_t most = 512;

    event_ring() {
        // So that counting events allocates nothing; reports of misuse are longer.
        for (event& e : ring_) e.text.reserve(64);
    }

    void add(std::uint64_t tick, std::int64_t pool, event_kind kind, std::uint64_t count, std::string_view text) {
        event& e = ring_[next_ % most];
        e.number = next_++;
        e.tick = tick;
        e.pool = pool;
        e.kind = kind;
        e.count = count;
        e.text.assign(text);  // the string of the event that it replaces has room, mostly
    }

    /// The number that the next event will have.
    [[nodiscard]] std::uint64_t next() const noexcept { return next_; }

    /// Events from number `from` on.
    [[nodiscard]] event_list since(std::uint64_t from) const {
        event_list list;
        list.next = next_;
        const std::uint64_t first = next_ > most ? next_ - most : 0;
        if (from < first) list.dropped = first - from;
        for (std::uint64_t n = std::max(first, from); n < next_; ++n) list.events.push_back(ring_[n % most]);
        return list;
    }

private:
    std::array<event, most> ring_;
    std::uint64_t next_ = 0;
};

}  // namespace lido::inspect
