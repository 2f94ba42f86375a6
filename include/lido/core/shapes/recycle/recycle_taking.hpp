// How an acquire of a recycle_pool comes to a slot when no idle object is there to be taken: a vacant slot, one past those in use,
// growth; and how a slot goes back whose life did not begin.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/shapes/recycle/recycle_objects.hpp>
#include <lido/core/shapes/recycle/recycle_replacing.hpp>

#include <algorithm>
#include <cstdint>

namespace lido::detail {

struct recycle_taking {
    /// An acquire with nothing idle, or of a full pool.
    template <class... Args, class Pool>
    LIDO_NOINLINE static typename Pool::acquired_type acquire(Pool& pool, request wish, Args&... args) {
        auto& st = pool.state_;
        const typename Pool::state before = st;
        if (pool.full() && !pool.grow()) return recycle_replacing::replace<Args...>(pool, wish, args...);
        const bool was_idle = st.idle != 0;
        std::uint32_t slot = was_idle ? pool.stack()[--st.idle] : vacant(pool);
        // Objects that are being made hold slots and are not counted as taken: their constructors may have asked for this one.
        while (slot == no_slot && !pool.memory_refused_ && pool.grow()) slot = vacant(pool);
        if (slot == no_slot) {
            go_back_to(pool, before);
            return recycle_replacing::replace<Args...>(pool, wish, args...);
        }
        const bool there = was_idle && test(pool.built(), slot);
        if (!there && !pool.objects_.template can_build<Args...>()) {
            if (was_idle) pool.stack()[st.idle++] = slot;
            go_back_to(pool, before);
            return pool.refuse(refusal::no_creator);
        }
        if (was_idle) {
            if (!there) --pool.hollow_;
        } else {
            set(pool.held(), slot);
        }
        typename Pool::value_type* object = nullptr;
        LIDO_TRY {
            object = there ? recycle_objects::begin<Args...>(pool, slot, args...)
                           : recycle_objects::build<Args...>(pool, slot, args...);
        }
        LIDO_CATCH_ALL {
            const bool alone = pool.changes() == before.changes();
            drop_back(pool, slot, was_idle);
            if (alone) go_back_to(pool, before);
            LIDO_RETHROW;
        }
        // Its constructor or hook may have taken what room there was, or trimmed it away.
        if (pool.full() && !pool.grow()) return too_late(pool, slot);
        return pool.go_live(slot, object, wish);
    }

    /// The object is there, and there is no room left for its life: it waits for the next one.
    template <class Pool>
    LIDO_COLD static typename Pool::acquired_type too_late(Pool& pool, std::uint32_t slot) noexcept {
        pool.objects_.end(pool.inside_, *pool.at(slot));
        if (pool.state_.idle >= pool.idle_cap()) {
            recycle_objects::destroy(pool, slot);
            clear(pool.held(), slot);
            pool.state_.finder.give(pool.maps(), slot);
        } else {
            recycle_objects::put_to_sleep(pool, slot);
            pool.stack()[pool.state_.idle++] = slot;
        }
        return pool.refuse(refusal::full);
    }

    /// The lowest slot that holds nothing, or no_slot.
    template <class Pool>
    [[nodiscard]] static std::uint32_t vacant(Pool& pool) noexcept {
        auto& st = pool.state_;
        std::uint32_t slot = st.finder.take_known(pool.maps());
        pool.memory_refused_ = false;
        while (slot == no_slot && st.finder.fresh_left(pool.slots())) {
            if (!pool.make_ready(st.finder.fresh_need(pool.slots()))) {
                pool.memory_refused_ = true;
                break;
            }
            slot = st.finder.take_fresh(pool.maps(), pool.slots());
            st.known = (std::max)(st.known, pool.used());
        }
        return slot;
    }

    /// A slot that was taken for a life which did not begin.
    template <class Pool>
    LIDO_COLD static void drop_back(Pool& pool, std::uint32_t slot, bool was_idle) noexcept {
        recycle_objects::sleep_or_close(pool, slot);
        if (was_idle) {
            pool.stack()[pool.state_.idle++] = slot;
            if (!test(pool.built(), slot)) ++pool.hollow_;
        } else {
            clear(pool.held(), slot);
            pool.state_.finder.put_back(pool.maps(), slot);
        }
    }

    /// Undoes what a failed acquire did to the order and the capacity; the maps beside them are as they were.
    template <class Pool>
    static void go_back_to(Pool& pool, const typename Pool::state& before) noexcept {
        const typename Pool::state now = pool.state_;
        auto& st = pool.state_;
        st = before;
        st.counters = now.counters;
        st.counters.grown = before.counters.grown;
        st.created = now.created;
        st.destroyed = now.destroyed;
        st.finder.rebuild(pool.maps());
    }
};

}  // namespace lido::detail
