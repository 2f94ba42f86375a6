// How many slots a pool is asked to have.
//
// A type of its own, because `slot_pool<T> pool(-1)` would turn into 4 294 967 295 slots without a word.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace lido {

/// Made from any number. One that is negative, or more than a pool can ever have, is not sensible: a pool that is asked for it has capacity
/// 0 and says so.
class slot_count {
public:
    template <class N>
        requires(std::is_convertible_v<const N&, std::uint32_t> && !std::is_same_v<N, slot_count>)
    constexpr slot_count(const N& slots) noexcept : sensible_(fits(slots)) {
        if (sensible_) slots_ = static_cast<std::uint32_t>(slots);
    }

    [[nodiscard]] constexpr bool sensible() const noexcept { return sensible_; }

    /// 0 where it is not sensible.
    [[nodiscard]] constexpr std::uint32_t slots() const noexcept { return slots_; }

private:
    template <class N>
    [[nodiscard]] static constexpr bool fits(const N& slots) noexcept {
        if constexpr (std::is_floating_point_v<N>) {
            return slots >= 0 && slots < static_cast<N>(4294967296.0);
        } else if constexpr (std::is_arithmetic_v<N>) {
            if constexpr (std::is_signed_v<N>) {
                if (slots < 0) return false;
            }
            return static_cast<std::make_unsigned_t<std::conditional_t<std::is_same_v<N, bool>, int, N>>>(slots) <=
                   (std::numeric_limits<std::uint32_t>::max)();
        } else {
            return fits(static_cast<std::uint32_t>(slots));
        }
    }

    std::uint32_t slots_ = 0;
    bool sensible_;
};

}  // namespace lido
