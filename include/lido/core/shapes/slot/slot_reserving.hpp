// A life in a slot pool under a handle that was chosen elsewhere. What it promises is said where slot_pool.hpp declares reserve().
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/shapes/slot/slot_taking.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace lido::detail {

struct slot_reserving {
    template <class Pool, class... Args>
    static typename Pool::acquired_type reserve(Pool& pool, typename Pool::handle_type handle, Args&&... args) {
        using handle_type = typename Pool::handle_type;
        using generation = typename Pool::generation;
        auto& st = pool.state_;
        const std::uint32_t slot = handle.index();
        const std::uint32_t life = handle.generation();
        if ((life & 1) == 0 || slot >= pool.limits_.max_capacity() ||
            (Pool::has_generations ? life > handle_type::last_generation : life != 1)) {
            return pool.refuse(refusal::out_of_range);
        }
        if (slot < pool.ready() && test(pool.occupied(), slot)) return pool.refuse(refusal::slot_taken);
        if constexpr (Pool::has_generations) {
            if (slot < st.known && pool.generations()[slot] >= life) return pool.refuse(refusal::generation_passed);
        }
        std::uint32_t capacity = st.capacity;
        if (slot >= capacity) {
            if (!pool.limits_.grows_from(capacity)) return pool.refuse(refusal::out_of_range);
            capacity = pool.limits_.grown(capacity, std::uint64_t{slot} + 1);
        }
        const std::uint64_t word_end = (std::uint64_t{slot} | 63) + 1;
        if (!pool.make_ready(static_cast<std::uint32_t>(std::min<std::uint64_t>(capacity, word_end)))) {
            return pool.refuse(refusal::no_memory);
        }

        [[maybe_unused]] const typename Pool::state before = st;
        [[maybe_unused]] const generation life_before =
            Pool::has_generations ? pool.generations()[slot] : generation{0};
        st.counters.grown += capacity != st.capacity ? 1u : 0u;
        st.capacity = capacity;
        st.finder.remove(pool.maps(), slot);
        [[maybe_unused]] const std::uint32_t place = st.rest.take_out(pool.ring(), pool.resting(), slot);
        st.known = (std::max)(st.known, pool.used());
        if constexpr (Pool::has_generations) pool.generations()[slot] = static_cast<generation>(life - 1);
        if constexpr (nothrow_constructible<typename Pool::value_type, Args...>()) {
            return pool.build(slot, request{}, std::forward<Args>(args)...);
        } else {
            typename Pool::acquired_type result;
            LIDO_TRY { result = pool.build(slot, request{}, std::forward<Args>(args)...); }
            LIDO_CATCH_ALL {
                // build() has made the slot free again; if the constructor did nothing else here, all is as it was.
                if constexpr (Pool::has_generations) pool.generations()[slot] = life_before;
                if (pool.changes() == before.changes()) {
                    if (st.rest.count != before.rest.count) st.rest.put_in(pool.ring(), pool.resting(), slot, place);
                    if constexpr (requires { st.finder.removed_at; })
                        st.finder.take_back(pool.maps(), before.finder.count);
                    slot_taking::go_back_to(pool, before);
                }
                LIDO_RETHROW;
            }
            return result;
        }
    }
};

}  // namespace lido::detail
