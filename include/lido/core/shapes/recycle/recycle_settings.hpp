// How a recycle_pool behaves: the settings of every pool, the idle cap, and what to do with objects as they come and go.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/delegate.hpp>
#include <lido/core/base/options.hpp>

#include <array>
#include <cstdint>
#include <limits>

namespace lido {

/// All members have a default, so that a designated initialiser names only what differs. The first ones are those of every pool
/// (see pool_settings in options.hpp, which an aggregate cannot inherit without losing `{.name = …}`).
template <class T, class Handle, bool Confirms = false>
struct recycle_settings {
    static constexpr std::uint32_t no_idle_cap = (std::numeric_limits<std::uint32_t>::max)();

    const char* name = "pool";
    lido::on_full on_full = lido::on_full::reject;
    lido::headroom headroom = {};
    lido::leaks leaks = lido::leaks::report;
    std::uint16_t report_drops = 0;
    std::array<std::uint32_t, max_kinds> kind_caps = {};
    delegate<bool(const T&)> victim = {};
    delegate<bool(T& existing, const T& newcomer)> merge = {};
    delegate<void(Handle, T&)> on_evict = {};

    /// The most objects that wait. A release above it destroys its object. May be more than the capacity (which caps the active
    /// ones): the pool then has as many slots, so that a prewarm can fill them. By default every released object waits.
    std::uint32_t idle_cap = no_idle_cap;

    /// Address space for that many slots, where it is more than the capacity, on_full and idle_cap need: how far a pool that runs may
    /// be raised (recycle_pool::raise). Storage that cannot grow takes no notice of it.
    std::uint32_t reserve = 0;

    /// With options::ages_by_setting: whether the pool tracks. A pool that does not cannot replace the oldest or the lowest.
    bool keep_ages = true;

    /// Whether AddressSanitizer and Valgrind stop whoever touches an object that waits. Not for elements whose idle objects others
    /// still look at: members of a list, say.
    bool poison_idle = false;

    /// Whether builds with forensics compare recycled objects with fresh ones (checks/reset_check.hpp).
    bool reset_check = true;

    /// Makes a new object; without it, T's default constructor does. May throw: the acquire or prewarm that asked passes it on.
    delegate<T()> create = {};

    /// Called with each object whose life begins, after T's own on_acquire. May throw: no life begins then, except on a full pool
    /// that replaces, where the object that made room has ended already.
    delegate<void(T&)> get = {};

    /// Called with each object whose life ends, before T's own on_release. Must not throw.
    delegate<void(T&)> release = {};

    /// Called with each object that is about to be destroyed, dead or new. Must not throw.
    delegate<void(T&)> destroy = {};

    /// As in pool_settings.
    LIDO_NO_UNIQUE_ADDRESS detail::rollback_setting<Confirms> rollback = detail::default_rollback{};

    /// Those of every pool.
    [[nodiscard]] pool_settings<T, Handle> limits() const noexcept {
        return {.name = name,
                .on_full = on_full,
                .headroom = headroom,
                .leaks = leaks,
                .report_drops = report_drops,
                .kind_caps = kind_caps,
                .victim = victim,
                .merge = merge,
                .on_evict = on_evict};
    }
};

}  // namespace lido
