// What a full slot pool does with a newcomer: fold it into a live object, or end one to make room.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/parts/slots/inner_calls.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace lido::detail {

struct slot_replacing {
    /// Ends another object to make room, where on_full says so.
    template <class Pool, class... Args>
    LIDO_COLD static typename Pool::acquired_type replace(Pool& pool, request wish, Args&&... args) {
        using T = typename Pool::value_type;
        if (pool.limits_.evicting()) return pool.refuse(refusal::reentrant);
        if (pool.limits_.merges()) return fold(pool, make<T>(std::forward<Args>(args)...));
        if (choose_victim(pool, wish) == no_slot) return pool.refuse(why(pool));
        if constexpr (!can_replace<T, Args...>) {
            return pool.refuse(refusal::cannot_replace);
        } else {
            if constexpr (nothrow_constructible<T, Args...>() && (std::is_trivially_destructible_v<T> || !moves<T>)) {
                // The arguments must outlive the victim: `acquire(*pool.get(h))`. A victim without a destructor takes nothing with
                // it but its own bytes, which an argument may lie in or, if it can point at all, point into.
                if ((!moves<T> || (is_only_itself<T, Args> && ...)) &&
                    !any_in_slots<T>(pool.values(), pool.ready(), args...)) {
                    const std::uint32_t slot = take_by_ending(pool, wish);
                    if (slot == no_slot) return pool.refuse(refusal::full);
                    return pool.build(slot, wish, std::forward<Args>(args)...);
                }
            }
            return build_first(pool, wish, std::forward<Args>(args)...);
        }
    }

private:
    template <class T>
    static constexpr bool moves = std::is_nothrow_move_constructible_v<T>;

    /// A number, or a T whose bytes are copied: what is made of it does not depend on anything that it points at.
    template <class T, class Arg, class Value = std::remove_cvref_t<Arg>>
    static constexpr bool is_only_itself =
        std::is_arithmetic_v<Value> || std::is_enum_v<Value> || (std::is_same_v<Value, T> && is_bytes<T>);

    /// Built before anything is ended, so that a throwing constructor costs nobody's life, and the arguments may be parts of the
    /// victim.
    template <class Pool, class... Args>
    static typename Pool::acquired_type build_first(Pool& pool, request wish, Args&&... args) {
        using T = typename Pool::value_type;
        if constexpr (!moves<T>) {
            return pool.refuse(refusal::cannot_replace);
        } else {
            auto built = make<T>(std::forward<Args>(args)...);
            const std::uint32_t slot = take_by_ending(pool, wish);
            if (slot == no_slot) return pool.refuse(refusal::full);
            return pool.build(slot, wish, std::move(built));
        }
    }

    template <class Pool>
    [[nodiscard]] static refusal why(const Pool& pool) noexcept {
        return pool.memory_refused_ ? refusal::no_memory : refusal::full;
    }

    /// The first live slot, in slot order, whose object `accepts`; no_slot when there is none.
    template <class Pool, class Accepts>
    [[nodiscard]] static std::uint32_t first_live(Pool& pool, Accepts&& accepts) {
        for (std::size_t w = 0; w < words_for(pool.used()); ++w) {
            for (map_word left = pool.occupied()[w]; left != 0; left &= left - 1) {
                const auto slot = static_cast<std::uint32_t>(w * 64 + lowest(left));
                if (pool.contains(pool.handle_at(slot)) && accepts(*pool.at(slot))) return slot;
            }
        }
        return no_slot;
    }

    /// Offers the newcomer to each live object until the user's rule has folded it into one.
    template <class Pool>
    static typename Pool::acquired_type fold(Pool& pool, const typename Pool::value_type& newcomer) {
        const std::uint32_t slot =
            first_live(pool, [&](auto& existing) { return pool.limits_.folds(existing, newcomer); });
        if (slot == no_slot) return pool.refuse(why(pool));
        pool.touch(slot);
        pool.limits_.merged(pool.handle_at(slot), pool.state_.counters);
        return {};
    }

    template <class Pool>
    [[nodiscard]] static std::uint32_t choose_victim(const Pool& pool, request wish) {
        return pool.limits_.victim(pool.state_.ages, pool.aged(), wish,
                                   [&pool](const auto& accepts) { return first_live(pool, accepts); });
    }

    /// Ends victims until a slot is free: one, unless its slot was at its last generation. A callback that acquires what it has
    /// just released keeps it, and this request is refused.
    template <class Pool>
    [[nodiscard]] static std::uint32_t take_by_ending(Pool& pool, request wish) {
        for (;;) {
            auto& finder = pool.state_.finder;
            const std::uint32_t slot = finder.quick() ? finder.take_quick() : pool.take_slow();
            if (slot != no_slot) return slot;
            const std::uint32_t victim = choose_victim(pool, wish);
            if (victim == no_slot) return no_slot;
            const std::uint64_t begun = pool.state_.acquired;
            const auto handle = pool.handle_at(victim);
            pool.limits_.announce(handle, *pool.at(victim));
            if (pool.contains(handle)) pool.end_life(victim);
            ++pool.state_.counters.replaced;
            if (pool.state_.acquired != begun) return no_slot;
        }
    }
};

}  // namespace lido::detail
