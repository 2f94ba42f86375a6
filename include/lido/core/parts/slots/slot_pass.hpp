// The pass over the objects of a slot_pool or recycle_pool, in slot order.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>

#include <cstddef>
#include <type_traits>

namespace lido::detail {

struct slot_pass {
    /// Calls `f(object)` for each, with a plain loop over words whose 64 slots are all live.
    template <class Pool, class F>
    static void visit(Pool& pool, F& f) {
        for (std::size_t w = 0; w < words_for(pool.used()); ++w) {
            map_word left = pool.occupied()[w];
            if constexpr (Pool::pool_options.mark_changes && !std::is_const_v<Pool>) pool.changed()[w] |= left;
            if (left == full_word) {
                auto* const first = pool.at(w * 64);
                for (std::size_t i = 0; i < 64; ++i) {
                    LIDO_ASSERT(test(pool.occupied(), w * 64 + i), "for_each: an object not yet visited was released");
                    f(first[i]);
                }
                continue;
            }
            for (; left != 0; left &= left - 1) {
                const std::size_t slot = w * 64 + lowest(left);
                LIDO_ASSERT(test(pool.occupied(), slot), "for_each: an object not yet visited was released");
                f(*pool.at(slot));
            }
        }
    }
};

}  // namespace lido::detail
