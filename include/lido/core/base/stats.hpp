// What a pool counts. All of it is part of a save: after a restore the figures are those of the restored moment.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lido {

struct pool_stats {
    const char* shape = "";  ///< "slot_pool", "dense_pool", …
    std::uint32_t size = 0;
    std::uint32_t capacity = 0;
    std::uint32_t max_capacity = 0;  ///< what growth may reach
    std::uint32_t peak = 0;
    std::uint32_t retired = 0;            ///< slots out of generations
    std::uint64_t acquired = 0;           ///< lives begun
    std::uint64_t released = 0;           ///< lives ended, whichever way
    std::uint64_t refused = 0;            ///< acquires that returned null, for any reason
    std::uint64_t refused_headroom = 0;   ///< of these: for headroom
    std::uint64_t refused_kind_cap = 0;   ///< of these: for the cap of their kind
    std::uint64_t refused_no_memory = 0;  ///< of these: for lack of memory
    std::uint64_t merged = 0;           ///< newcomers folded into a live object, on a full pool; not among the refused
    std::uint64_t replaced = 0;         ///< lives ended to make room
    std::uint64_t grown = 0;            ///< times the capacity was raised
    std::uint64_t rests_cut_short = 0;  ///< slots reused before their delay was over
    std::uint64_t bad_releases = 0;     ///< stale, double, wild and foreign releases
    std::uint32_t idle = 0;             ///< recycle_pool: objects that wait; this and the next four are 0 elsewhere
    std::uint64_t created = 0;          ///< objects constructed
    std::uint64_t destroyed = 0;        ///< objects destroyed
    std::uint64_t reused = 0;           ///< lives begun by an object that was there already
    std::uint64_t idle_overflow = 0;    ///< of the destroyed: released while as many waited as may
    std::uint32_t waiting_ends = 0;     ///< with options::confirmed_ends: ended, and their slots not free yet
    std::size_t bytes = 0;              ///< memory held now, elements and bookkeeping, without the pool object
    double bookkeeping_per_slot = 0;    ///< bytes beside the element, a slot
};

/// The counters that a pool keeps for itself, beside its sizes.
struct pool_counters {
    std::uint64_t refused = 0;
    std::uint64_t refused_headroom = 0;
    std::uint64_t refused_kind_cap = 0;
    std::uint64_t refused_no_memory = 0;
    std::uint64_t merged = 0;
    std::uint64_t replaced = 0;
    std::uint64_t grown = 0;
    std::uint64_t rests_cut_short = 0;
    std::uint64_t bad_releases = 0;
};

/// The answer of validate(): empty when every invariant holds, else which one does not.
struct verdict {
    const char* broken = nullptr;
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return broken == nullptr; }
};

namespace detail {

/// The figures that every shape keeps the same way in its state.
template <class State>
[[nodiscard]] pool_stats stats_of(const char* shape, const State& state, std::uint32_t size,
                                  std::uint32_t max_capacity) noexcept {
    pool_stats s;
    s.shape = shape;
    s.size = size;
    s.capacity = state.capacity;
    s.max_capacity = max_capacity;
    s.peak = state.peak > size ? state.peak : size;
    s.retired = state.retired;
    s.acquired = state.acquired;
    s.released = state.acquired - size;
    s.refused = state.counters.refused;
    s.refused_headroom = state.counters.refused_headroom;
    s.refused_kind_cap = state.counters.refused_kind_cap;
    s.refused_no_memory = state.counters.refused_no_memory;
    s.merged = state.counters.merged;
    s.replaced = state.counters.replaced;
    s.grown = state.counters.grown;
    s.rests_cut_short = state.counters.rests_cut_short;
    s.bad_releases = state.counters.bad_releases;
    return s;
}

}  // namespace detail
}  // namespace lido
