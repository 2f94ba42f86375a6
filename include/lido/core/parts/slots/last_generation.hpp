// What becomes of a slot of a slot_pool or recycle_pool whose generations are used up: options::generations says.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/checks/misuse.hpp>

#include <cstdint>

namespace lido::detail {

struct last_generation {
    /// The slot is at its last generation. True when it may be used again all the same.
    template <class Pool>
    LIDO_COLD static bool starts_over(Pool& pool, [[maybe_unused]] std::uint32_t slot) noexcept {
        constexpr generation_rule rule = Pool::pool_options.generations;
        if constexpr (rule == generation_rule::wrap) {
            pool.generations()[slot] = 0;
            return true;
        } else if constexpr (rule == generation_rule::abort) {
            pool.limits_.tell(misuse_kind::bad_setting,
                              "a slot has used up its generations, and the pool's rule is to abort");
            LIDO_FATAL("a slot has used up its generations (generation_rule::abort)");
            return false;  // only where LIDO_FATAL was replaced by something that returns
        } else {
            ++pool.state_.retired;
            return false;
        }
    }
};

}  // namespace lido::detail
