// What a full recycle_pool does with a newcomer: fold it into an active object, or end one whose object then begins anew.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/slots/inner_calls.hpp>
#include <lido/core/shapes/recycle/hooks.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido::detail {

struct recycle_replacing {
    /// Ends another object to make room, where on_full says so. Its object is the one that begins anew, whatever the idle cap.
    template <class... Args, class Pool>
    LIDO_COLD static typename Pool::acquired_type replace(Pool& pool, request wish, Args&... args) {
        using T = typename Pool::value_type;
        using hooks = recycle_hooks<T, typename Pool::handle_type>;
        if (pool.limits_.evicting()) return pool.refuse(refusal::reentrant);
        const refusal why = pool.memory_refused_ && !pool.full() ? refusal::no_memory : refusal::full;
        pool.memory_refused_ = false;
        if (pool.limits_.merges()) {
            if (!pool.objects_.template can_build<Args...>()) return pool.refuse(refusal::no_creator);
            const typename hooks::visitor newcomer(pool.objects_, std::forward<Args>(args)...);
            return fold(pool, *newcomer, why);
        }
        if (choose_victim(pool, wish, pool.settings().on_full) == no_slot) return pool.refuse(why);
        if constexpr (hooks::template begins_quietly<Args...>()) {
            if (any_in_slots<T>(pool.values(), pool.ready(), args...)) return from_copies<Args...>(pool, wish, args...);
            return end_and_wake<Args...>(pool, wish, args...);
        } else if constexpr (std::is_nothrow_swappable_v<T>) {
            // Set up before anything is ended, so that a hook that throws costs nobody's life; then the two change places.
            if (!pool.objects_.template can_build<Args...>()) return pool.refuse(refusal::no_creator);
            typename hooks::visitor newcomer(pool.objects_, std::forward<Args>(args)...);
            const std::uint32_t slot = take_by_ending(pool, wish);
            if (slot == no_slot) return pool.refuse(refusal::full);
            open_again(pool.at(slot), sizeof(T));
            using std::swap;
            swap(*pool.at(slot), *newcomer);
            return pool.go_live(slot, pool.at(slot), wish);
        } else {
            return pool.refuse(refusal::cannot_replace);
        }
    }

    /// The first active slot, in slot order, whose object `accepts` says yes to; no_slot when there is none. A callback may end
    /// objects that were not asked about yet.
    template <class Pool, class Accepts>
    [[nodiscard]] static std::uint32_t first_active(Pool& pool, Accepts&& accepts) {
        for (std::size_t w = 0; w < words_for(pool.used()); ++w) {
            for (map_word left = pool.occupied()[w]; left != 0; left &= left - 1) {
                const auto slot = static_cast<std::uint32_t>(w * 64 + lowest(left));
                if (test(pool.occupied(), slot) && accepts(*pool.at(slot))) return slot;
            }
        }
        return no_slot;
    }

    /// Whom the rule ends for this request; no_slot for nobody.
    template <class Pool>
    [[nodiscard]] static std::uint32_t choose_victim(const Pool& pool, request wish, on_full rule) {
        return pool.limits_.victim_by(rule, pool.state_.ages, pool.aged(), wish,
                                      [&pool](const auto& accepts) { return first_active(pool, accepts); });
    }

    /// The same among those that `may(object)` lets go. Complexity: O(active objects) when it keeps the first choice.
    template <class Pool, class May>
    [[nodiscard]] static std::uint32_t choose_victim_among(const Pool& pool, request wish, on_full rule, May&& may) {
        using ending = on_full::ending;
        const ending by = rule.at_the_end();
        if (by == ending::replace_if) {
            const auto& victim = pool.settings().victim;
            if (!victim) return no_slot;
            return first_active(pool, [&](const auto& each) { return may(each) && victim(each); });
        }
        const std::uint32_t first = choose_victim(pool, wish, rule);
        if (first == no_slot || may(*pool.at(first))) return first;
        std::uint32_t best = no_slot;
        pool.state_.ages.walk(pool.aged(), [&](std::uint32_t slot, unsigned level) {
            if (!may(*pool.at(slot))) return;
            if (by == ending::replace_lowest) {
                if (best == no_slot && level <= wish.priority)
                    best = slot;  // levels rise, and within one the oldest is first
            } else if (best == no_slot) {
                best = slot;
            } else if constexpr (Pool::pool_options.tracks == track::priority) {
                if (pool.aged().birth[slot] < pool.aged().birth[best]) best = slot;
            }
        });
        return best;
    }

private:
    template <class... Args, class Pool>
    static typename Pool::acquired_type end_and_wake(Pool& pool, request wish, Args&... args) {
        const std::uint32_t slot = take_by_ending(pool, wish);
        if (slot == no_slot) return pool.refuse(refusal::full);
        return pool.wake(slot, wish, std::forward<Args>(args)...);
    }

    /// For arguments that are parts of active objects, as in `acquire(pool.get(h)->name)`: the victim's on_release may reset them.
    template <class... Args, class Pool>
    static typename Pool::acquired_type from_copies(Pool& pool, request wish, Args&... args) {
        if constexpr ((std::is_copy_constructible_v<std::remove_cvref_t<Args>> && ...)) {
            std::tuple<std::remove_cvref_t<Args>...> copies(std::as_const(args)...);
            return std::apply([&](auto&... each) { return end_and_wake<Args...>(pool, wish, each...); }, copies);
        } else {
            return pool.refuse(refusal::cannot_replace);
        }
    }

    /// Offers the newcomer to each active object until the user's rule has folded it into one.
    template <class Pool>
    static typename Pool::acquired_type fold(Pool& pool, const typename Pool::value_type& newcomer, refusal why) {
        const std::uint32_t into = first_active(pool, [&](auto& each) { return pool.limits_.folds(each, newcomer); });
        if (into == no_slot) return pool.refuse(why);
        pool.limits_.merged(pool.handle_at(into), pool.state_.counters);
        return {};
    }

    /// Ends victims until one leaves its object to be taken: the first, unless its slot was at its last generation. A callback that
    /// acquires what it has just released keeps it, and this request is refused.
    template <class Pool>
    [[nodiscard]] static std::uint32_t take_by_ending(Pool& pool, request wish) {
        for (;;) {
            const std::uint32_t victim = choose_victim(pool, wish, pool.settings().on_full);
            if (victim == no_slot) return no_slot;
            const std::uint64_t begun = pool.state_.acquired;
            const auto handle = pool.handle_at(victim);
            pool.keep_next_ = true;
            pool.limits_.announce(handle, *pool.at(victim));
            if (pool.contains(handle)) pool.end_life(victim, handle.generation());
            pool.keep_next_ = false;
            ++pool.state_.counters.replaced;
            if (pool.state_.acquired != begun) return no_slot;
            if (pool.state_.idle != 0 && test(pool.built(), pool.stack()[pool.state_.idle - 1]) && !pool.full())
                return pool.stack()[--pool.state_.idle];
        }
    }
};

}  // namespace lido::detail
