// What runs inside of a pool of slots: constructors and destructors of its elements, which may call the pool again.
//
// Meanwhile a slot is taken but holds no life: its object is half built, or ending. A pass, a save or a clear from inside must leave it
// alone. The pool counts how deep it is; while the count is 0, which is nearly always, nobody has to look at single slots.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/compat.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/parts/slots/slot_layout.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lido::detail {

/// Building or ending a T may run code of the user. Not so for aggregates of bytes: their fields are written, and nothing is called.
template <class T>
inline constexpr bool calls_out = !(std::is_scalar_v<T> || (std::is_aggregate_v<T> && std::is_trivially_copyable_v<T>));

/// How many calls run inside of one another. 16 bits fit in the padding of every pool; a stack of 8 MiB ends before they do.
using call_depth = std::uint16_t;

/// A call of the user's code, while it runs. Costs nothing where it `Counts` not.
template <bool Counts>
class counted_call {
public:
    explicit LIDO_INLINE counted_call(call_depth& depth) noexcept : depth_(depth) {
        if constexpr (Counts) ++depth_;
    }
    counted_call(const counted_call&) = delete;
    counted_call& operator=(const counted_call&) = delete;
    LIDO_INLINE ~counted_call() {
        if constexpr (Counts) --depth_;
    }

private:
    call_depth& depth_;
};

/// A constructor or destructor of an element.
template <class T>
using inner_call = counted_call<calls_out<T>>;

inline constexpr const char* restored_from_inside =
    "a pool was to be restored from inside of one of its own calls: from a constructor, destructor or hook; refused";
inline constexpr const char* saved_from_inside =
    "a pool was to be saved from inside of one of its own calls: from a constructor, destructor or hook; refused";
inline constexpr const char* moved_from_inside =
    "a pool was moved from inside of one of its own calls: from a constructor, destructor, hook or callback";

/// Of the slots `taken` in a word, those that hold a life.
template <class Generation>
[[nodiscard]] LIDO_COLD map_word with_lives(const Generation* word_generations, map_word taken) noexcept {
    map_word live = 0;
    for (map_word left = taken; left != 0; left &= left - 1) {
        const unsigned i = lowest(left);
        if ((word_generations[i] & 1u) != 0) live |= bit(i);
    }
    return live;
}

/// True when an argument lies in one of the slots of T: it may be a live element, or a part of one.
template <class T, class... Args>
[[nodiscard]] bool any_in_slots(std::byte* values, std::uint32_t slots, const Args&... args) noexcept {
    if (slots == 0) return false;
    const auto first = reinterpret_cast<std::uintptr_t>(values);
    const auto last = reinterpret_cast<std::uintptr_t>(slot_address<T>(values, slots - 1) + 1);
    [[maybe_unused]] const auto inside = [&](const void* at) {
        const auto address = reinterpret_cast<std::uintptr_t>(at);
        return address >= first && address < last;
    };
    return (inside(address_of(args)) || ...);
}

}  // namespace lido::detail
