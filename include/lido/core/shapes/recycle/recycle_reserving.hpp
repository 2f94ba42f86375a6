// A life in a recycle_pool under a handle that was chosen elsewhere. What it promises is said where recycle_pool.hpp declares
// reserve().
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/shapes/recycle/recycle_objects.hpp>
#include <lido/core/shapes/recycle/recycle_taking.hpp>

#include <algorithm>
#include <cstdint>

namespace lido::detail {

struct recycle_reserving {
    template <class... Args, class Pool>
    static typename Pool::acquired_type reserve(Pool& pool, typename Pool::handle_type handle, Args&... args) {
        using generation = typename Pool::generation;
        auto& st = pool.state_;
        const std::uint32_t slot = handle.index();
        const std::uint32_t life = handle.generation();
        if ((life & 1) == 0 || life > Pool::handle_type::last_generation || slot >= pool.most_slots()) {
            return pool.refuse(refusal::out_of_range);
        }
        std::uint32_t place = st.idle;  // where in the stack the slot is; past it when it is not
        if (slot < pool.used() && test(pool.held(), slot)) {
            while (place != 0 && pool.stack()[place - 1] != slot) --place;
            if (place == 0) return pool.refuse(refusal::slot_taken);
            --place;
        }
        if (slot < st.known && pool.generations()[slot] >= life) return pool.refuse(refusal::generation_passed);
        std::uint32_t capacity = st.capacity;
        if (slot >= pool.slots()) {
            if (!pool.limits_.grows_from(capacity)) return pool.refuse(refusal::out_of_range);
            capacity = pool.limits_.grown(capacity, std::uint64_t{slot} + 1);
        }
        if (pool.taken() >= capacity) {
            if (!pool.limits_.grows_from(capacity)) return pool.refuse(refusal::full);
            capacity = pool.limits_.grown(capacity, 0);
        }
        if (!pool.make_ready(slot + 1)) return pool.refuse(refusal::no_memory);
        const bool was_idle = place != st.idle;
        const bool there = was_idle && test(pool.built(), slot);
        if (!there && !pool.objects_.template can_build<Args...>()) return pool.refuse(refusal::no_creator);

        const typename Pool::state before = st;
        const generation life_before = pool.generations()[slot];
        st.counters.grown += capacity != st.capacity ? 1u : 0u;
        st.capacity = capacity;
        if (was_idle) {
            std::copy(pool.stack() + place + 1, pool.stack() + st.idle, pool.stack() + place);
            --st.idle;
            if (!there) --pool.hollow_;
        } else {
            st.finder.remove(pool.maps(), slot);
            st.known = (std::max)(st.known, pool.used());
            set(pool.held(), slot);
        }
        pool.generations()[slot] = static_cast<generation>(life - 1);
        typename Pool::value_type* object = nullptr;
        LIDO_TRY {
            object = there ? recycle_objects::begin<Args...>(pool, slot, args...)
                           : recycle_objects::build<Args...>(pool, slot, args...);
        }
        LIDO_CATCH_ALL {
            pool.generations()[slot] = life_before;
            recycle_objects::sleep_or_close(pool, slot);
            if (pool.changes() != before.changes()) {
                recycle_taking::drop_back(pool, slot, was_idle);
            } else {
                if (was_idle) {
                    std::copy_backward(pool.stack() + place, pool.stack() + st.idle, pool.stack() + st.idle + 1);
                    pool.stack()[place] = slot;
                    if (!test(pool.built(), slot)) ++pool.hollow_;
                } else {
                    clear(pool.held(), slot);
                }
                recycle_taking::go_back_to(pool, before);
            }
            LIDO_RETHROW;
        }
        return pool.go_live(slot, object, request{});
    }
};

}  // namespace lido::detail
