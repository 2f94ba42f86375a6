// What a slot_pool or recycle_pool says of handles and objects that it was handed wrongly.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/parts/slots/slot_layout.hpp>

#include <cstdint>
#include <memory>

namespace lido::detail {

struct slot_telling {
    /// False, so that release() can end in it.
    template <class Pool>
    LIDO_COLD static bool bad_release(Pool& pool, const typename Pool::value_type& object) noexcept {
        const std::uint32_t slot = slot_of_address(pool.values(), std::addressof(object), pool.used());
        return pool.limits_.bad_release_of_object(pool.diary_, pool.state_.counters, slot,
                                                  slot != no_slot ? pool.generation_of(slot) - 1 : 0);
    }

    template <class Pool>
    LIDO_INLINE static void if_stale(const Pool& pool, bool found, typename Pool::handle_type handle,
                                     const void* caller) noexcept {
        if (found || !handle) return;
        pool.diary_.tell_stale_get(
            detail::bad_release(pool.name(), handle.index(), handle.generation(), pool.generation_of(handle.index())),
            caller);
    }
};

}  // namespace lido::detail
