// rewind<N>: the last N saved ticks of a set of pools, in a ring of snapshots that stops allocating once it is warm.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/checks/place.hpp>
#include <lido/core/rewind/save.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace lido {

/// Keeps tick t at place t % N.
/// RW1. Kept ticks are within N of the newest; a save drops the ticks at and after its own, for they belong to a future that is
///      being replaced.
template <std::size_t N>
class rewind {
    static_assert(N >= 1, "lido: rewind<N> keeps at least one tick");

public:
    using tick_type = std::uint64_t;

    /// Saves the parts as of `tick`. False when there is no memory for it: the tick is then not kept.
    template <class... Parts>
    bool save(tick_type tick, const Parts&... parts) {
        if constexpr (forensics) set_tick(tick);
        for (entry& e : ring_) {
            if (e.kept && (e.tick >= tick || tick - e.tick >= N)) e.kept = false;
        }
        entry& e = ring_[tick % N];
        e.tick = tick;
        e.kept = false;
        e.kept = lido::save(e.state, parts...);
        return e.kept;
    }

    /// Brings back the state of `tick`, exactly. Later kept ticks stay until the next save, so one can go forward again.
    template <class... Parts>
    restore_result restore(tick_type tick, Parts&... parts) const {
        const entry& e = ring_[tick % N];
        if (!e.kept || e.tick != tick) return {restore_error::not_kept};
        return lido::restore(e.state, parts...);
    }

    [[nodiscard]] bool has(tick_type tick) const noexcept {
        const entry& e = ring_[tick % N];
        return e.kept && e.state && e.tick == tick;
    }

    [[nodiscard]] std::optional<tick_type> oldest() const noexcept {
        return best([](tick_type a, tick_type b) { return a < b; });
    }
    [[nodiscard]] std::optional<tick_type> newest() const noexcept {
        return best([](tick_type a, tick_type b) { return a > b; });
    }

    /// Forgets every tick, keeps the memory.
    void clear() noexcept {
        for (entry& e : ring_) {
            e.kept = false;
            e.state.clear();
        }
    }

    /// Bytes that the kept ticks take.
    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t sum = 0;
        for (const entry& e : ring_) sum += e.kept ? e.state.bytes() : 0;
        return sum;
    }

private:
    struct entry {
        tick_type tick = 0;
        bool kept = false;
        snapshot state;
    };

    template <class Better>
    [[nodiscard]] std::optional<tick_type> best(Better better) const noexcept {
        std::optional<tick_type> found;
        for (const entry& e : ring_) {
            if (e.kept && e.state && (!found || better(e.tick, *found))) found = e.tick;
        }
        return found;
    }

    std::array<entry, N> ring_;
};

/// The same under a name that <cstdio> does not have: for programs that say `using namespace lido`.
template <std::size_t N>
using rewind_buffer = rewind<N>;

}  // namespace lido
