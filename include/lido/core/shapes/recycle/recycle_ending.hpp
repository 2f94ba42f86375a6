// The end of objects of a recycle_pool: those that may not wait, those that a trim lets go, and all at the end of the pool.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/shapes/recycle/recycle_objects.hpp>

#include <cstddef>
#include <cstdint>

namespace lido::detail {

struct recycle_ending {
    /// The slot is out of generations, or as many objects wait as may. True when its object waits all the same.
    template <class Pool>
    LIDO_COLD static bool waits(Pool& pool, std::uint32_t slot) noexcept {
        using generation = typename Pool::generation;
        constexpr auto last = static_cast<generation>(Pool::handle_type::last_generation);
        if (pool.generations()[slot] == last && !pool.reuse_worn(slot)) {
            recycle_objects::destroy(pool, slot);
            clear(pool.held(), slot);
            return false;
        }
        if (pool.keep_next_ || pool.state_.idle < pool.idle_cap()) return true;
        ++pool.state_.idle_overflow;
        recycle_objects::destroy(pool, slot);
        clear(pool.held(), slot);
        pool.state_.finder.give(pool.maps(), slot);
        return false;
    }

    /// From the last slot to the first, so that the first is the next to be acquired. Hooks may begin and end other lives.
    template <class Pool>
    static void end_all(Pool& pool) noexcept {
        for (std::size_t w = words_for(pool.used()); w-- != 0;) {
            for (map_word left = pool.occupied()[w]; left != 0;) {
                const unsigned top = highest(left);
                left &= ~bit(top);
                const auto slot = static_cast<std::uint32_t>(w * 64 + top);
                if (test(pool.occupied(), slot)) pool.end_life(slot, pool.generations()[slot]);
            }
        }
    }

    /// Destroys the idle object on top; its slot is vacant then.
    template <class Pool>
    static void vacate_top(Pool& pool) noexcept {
        const std::uint32_t slot = pool.stack()[--pool.state_.idle];
        if (test(pool.built(), slot)) {
            recycle_objects::destroy(pool, slot);
        } else {
            --pool.hollow_;
        }
        clear(pool.held(), slot);
        pool.state_.finder.give(pool.maps(), slot);
    }

    /// For the end of the pool.
    template <class Pool>
    static void destroy_all(Pool& pool) noexcept {
        if (!pool.objects_.ends_matter()) return;
        constexpr int patience = 1000;  // passes; a hook or destructor that acquires makes one more necessary
        for (int pass = 0; !pool.empty() || pool.state_.idle != 0; ++pass) {
            LIDO_VERIFY(pass < patience, "an element keeps acquiring from the pool that is ending");
            end_all(pool);
            while (pool.state_.idle != 0) vacate_top(pool);
        }
    }
};

}  // namespace lido::detail
