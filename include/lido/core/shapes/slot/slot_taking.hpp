// How an acquire of a slot pool comes to a slot when the quick path has none: from the maps, by use of fresh slots, by growth; and
// how a slot is given back whose object was not built.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/shapes/slot/slot_replacing.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace lido::detail {

struct slot_taking {
    /// An acquire for which the quick path has no slot.
    template <class Pool, class... Args>
    LIDO_NOINLINE static typename Pool::acquired_type acquire(Pool& pool, request wish, Args&&... args) noexcept(
        nothrow_constructible<typename Pool::value_type, Args...>()) {
        if constexpr (nothrow_constructible<typename Pool::value_type, Args...>()) {
            const std::uint32_t slot = any(pool);
            if (slot == no_slot) [[unlikely]]
                return slot_replacing::replace(pool, wish, std::forward<Args>(args)...);
            return pool.build(slot, wish, std::forward<Args>(args)...);
        } else {
            const typename Pool::state before = pool.state_;
            const std::uint32_t slot = any(pool);
            if (slot == no_slot) [[unlikely]]
                return slot_replacing::replace(pool, wish, std::forward<Args>(args)...);
            typename Pool::acquired_type result;
            LIDO_TRY { result = pool.build(slot, wish, std::forward<Args>(args)...); }
            LIDO_CATCH_ALL {
                if (pool.changes() == before.changes()) forget(pool, before, slot);
                LIDO_RETHROW;
            }
            return result;
        }
    }

    /// The order of free slots, the delay queue and the capacity are those of `before`; the maps beside them are already.
    template <class Pool>
    static void go_back_to(Pool& pool, const typename Pool::state& before) noexcept {
        pool_counters counters = pool.state_.counters;
        counters.grown = before.counters.grown;
        counters.rests_cut_short = before.counters.rests_cut_short;
        pool.state_ = before;
        pool.state_.counters = counters;
        pool.state_.finder.rebuild(pool.maps());
    }

private:
    /// Undoes a take, when a constructor has thrown and nothing else has happened since.
    template <class Pool>
    LIDO_COLD static void forget(Pool& pool, const typename Pool::state& before, std::uint32_t slot) noexcept {
        if constexpr (Pool::delays) {
            if (before.rest.count > pool.state_.rest.count) set(pool.resting(), slot);  // still at the head of the ring
        }
        go_back_to(pool, before);
    }

    template <class Pool>
    [[nodiscard]] static std::uint32_t any(Pool& pool) noexcept {
        const std::uint32_t slot = pool.take_slow();
        return slot != no_slot ? slot : by_growth(pool);
    }

    template <class Pool>
    [[nodiscard]] static std::uint32_t by_growth(Pool& pool) noexcept {
        auto& st = pool.state_;
        if (!pool.limits_.grows_from(st.capacity)) return no_slot;
        const std::uint32_t before = st.capacity;
        st.capacity = pool.limits_.grown(st.capacity, 0);
        const std::uint32_t slot = pool.take_slow();
        if (slot != no_slot) {
            ++st.counters.grown;
        } else {
            st.capacity = (std::max)(before, pool.used());
        }
        return slot;
    }
};

}  // namespace lido::detail
