// What becomes of a slot that has used up its generations: options::generations says.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/checks/misuse.hpp>

namespace lido::detail {

/// A slot is at its last generation. True when it may be used again all the same: `restart()` has then set its generation to 0. False
/// when it is retired, which the caller counts.
template <generation_rule Rule, class Limits, class Restart>
LIDO_COLD bool reuse_worn_slot([[maybe_unused]] const Limits& limits, [[maybe_unused]] Restart&& restart) noexcept {
    if constexpr (Rule == generation_rule::wrap) {
        restart();
        return true;
    } else if constexpr (Rule == generation_rule::abort) {
        limits.tell(misuse_kind::bad_setting, "a slot has used up its generations, and the pool's rule is to abort");
        LIDO_FATAL("a slot has used up its generations (generation_rule::abort)");
        return false;  // only where LIDO_FATAL was replaced by something that returns
    } else {
        return false;
    }
}

}  // namespace lido::detail
