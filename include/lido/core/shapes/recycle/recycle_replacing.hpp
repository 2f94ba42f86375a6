// What a full recycle_pool does with a newcomer: fold it into an active object, or end one whose object then begins anew. Whom it ends is
// chosen in parts/slots/slot_replacing.hpp.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/slots/inner_calls.hpp>
#include <lido/core/parts/slots/slot_replacing.hpp>
#include <lido/core/shapes/recycle/hooks.hpp>
#include <lido/core/shapes/recycle/recycle_ending.hpp>
#include <lido/core/shapes/recycle/recycle_objects.hpp>

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido::detail {

struct recycle_replacing {
    /// Ends another object to make room, where on_full says so. Its object is the one that begins anew, whatever the idle cap.
    template <class... Args, class Table>
    LIDO_COLD static typename Table::acquired_type replace(Table& table, request wish, Args&... args) {
        using T = typename Table::value_type;
        using hooks_type = typename Table::hooks_type;
        if (table.limits().evicting()) return table.refuse(refusal::reentrant);
        const refusal why = table.full() ? refusal::full : table.full_or_no_memory();
        const hooks_type hooks = table.hooks();
        if (table.limits().merges()) {
            if (!hooks.template can_build<Args...>()) return table.refuse(refusal::no_creator);
            const typename hooks_type::visitor newcomer(hooks, std::forward<Args>(args)...);
            return slot_replacing::fold(table, *newcomer, why);
        }
        // An end that can be taken back makes no room.
        if constexpr (Table::confirms) return table.refuse(why);
        if (slot_replacing::choose_victim(table, wish) == no_slot) return table.refuse(why);
        if constexpr (hooks_type::template begins_quietly<Args...>()) {
            if (any_in_slots<T>(table.values(), table.ready(), args...))
                return from_copies<Args...>(table, wish, args...);
            return end_and_wake<Args...>(table, wish, args...);
        } else if constexpr (std::is_nothrow_swappable_v<T>) {
            // Set up before anything is ended, so that a hook that throws costs nobody's life; then the two change places.
            if (!hooks.template can_build<Args...>()) return table.refuse(refusal::no_creator);
            typename hooks_type::visitor newcomer(hooks, std::forward<Args>(args)...);
            const std::uint32_t slot = by_ending(table, wish);
            if (slot == no_slot) return table.refuse(refusal::full);
            open_again(table.at(slot), sizeof(T));
            using std::swap;
            swap(*table.at(slot), *newcomer);
            return recycle_objects::go_live(table, slot, table.at(slot), wish);
        } else {
            return table.refuse(refusal::cannot_replace);
        }
    }

private:
    template <class... Args, class Table>
    static typename Table::acquired_type end_and_wake(Table& table, request wish, Args&... args) {
        const std::uint32_t slot = by_ending(table, wish);
        if (slot == no_slot) return table.refuse(refusal::full);
        return recycle_objects::wake<Args...>(table, slot, wish, args...);
    }

    /// For arguments that are parts of active objects, as in `acquire(pool.get(h)->name)`: the victim's on_release may reset them.
    template <class... Args, class Table>
    static typename Table::acquired_type from_copies(Table& table, request wish, Args&... args) {
        if constexpr ((std::is_copy_constructible_v<std::remove_cvref_t<Args>> && ...)) {
            std::tuple<std::remove_cvref_t<Args>...> copies(std::as_const(args)...);
            return std::apply([&](auto&... each) { return end_and_wake<Args...>(table, wish, each...); }, copies);
        } else {
            return table.refuse(refusal::cannot_replace);
        }
    }

    /// The slot of an object that waits because another life has ended.
    template <class Table>
    [[nodiscard]] static std::uint32_t by_ending(Table& table, request wish) {
        const auto take = [&]() -> std::uint32_t {
            const bool there = table.now().idle != 0 && test(table.built(), table.stack()[table.now().idle - 1]);
            return there && !table.full() ? table.pop() : no_slot;
        };
        return slot_replacing::take_by_ending(table, wish, take, [&](std::uint32_t victim, auto handle) {
            table.keep_next() = true;
            table.limits().announce(handle, *table.at(victim));
            if (table.contains(handle)) recycle_ending::end_life(table, victim, handle.generation());
            table.keep_next() = false;
        });
    }
};

}  // namespace lido::detail
