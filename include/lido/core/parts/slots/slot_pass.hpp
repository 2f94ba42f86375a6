// The pass over the objects of a slot_pool or recycle_pool, in slot order.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/parts/slots/slot_layout.hpp>

#include <cstddef>
#include <type_traits>

namespace lido::detail {

/// Calls `f(object)` for each live slot, with a plain loop over words whose 64 slots are all live. `used()` is asked again for each word,
/// because `f` may acquire. `Object` is T or const T. `live(word)` returns the slots of a word to visit.
template <class Object, class Used, class Live, class F>
LIDO_INLINE void visit_slots(std::byte* values, [[maybe_unused]] const map_word* occupied, Used&& used, Live&& live,
                             F& f) {
    for (std::size_t w = 0; w < words_for(used()); ++w) {
        map_word left = live(w);
        if (left == full_word) {
            Object* const first = slot_address<std::remove_const_t<Object>>(values, w * 64);
            for (std::size_t i = 0; i < 64; ++i) {
                LIDO_ASSERT(test(occupied, w * 64 + i), "for_each: an object not yet visited was released");
                f(first[i]);
            }
            continue;
        }
        for (; left != 0; left &= left - 1) {
            const std::size_t slot = w * 64 + lowest(left);
            LIDO_ASSERT(test(occupied, slot), "for_each: an object not yet visited was released");
            Object& object = *slot_address<std::remove_const_t<Object>>(values, slot);
            f(object);
        }
    }
}

}  // namespace lido::detail
