// An acquire of a slot_pool for which no slot is at hand: one is searched for, or made free by ending another life, or nobody's is
// touched because the newcomer lives on in another object. Then the life begins there (slot_lives.hpp).
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/parts/slots/inner_calls.hpp>
#include <lido/core/parts/slots/slot_replacing.hpp>
#include <lido/core/parts/slots/slot_reserving.hpp>
#include <lido/core/shapes/slot/slot_lives.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace lido::detail {

struct slot_taking {
    /// An acquire for which the quick path has no slot.
    template <class Table, class... Args>
    LIDO_NOINLINE static typename Table::acquired_type acquire(Table& table, request wish, Args&&... args) noexcept(
        nothrow_constructible<typename Table::value_type, Args...>()) {
        if constexpr (nothrow_constructible<typename Table::value_type, Args...>()) {
            const std::uint32_t slot = table.find_slot();
            if (slot == no_slot) [[unlikely]]
                return replace(table, wish, std::forward<Args>(args)...);
            return slot_lives::begin(table, slot, wish, std::forward<Args>(args)...);
        } else {
            const typename Table::state before = table.now();
            const std::uint32_t slot = table.find_slot();
            if (slot == no_slot) [[unlikely]]
                return replace(table, wish, std::forward<Args>(args)...);
            typename Table::acquired_type result;
            LIDO_TRY { result = slot_lives::begin(table, slot, wish, std::forward<Args>(args)...); }
            LIDO_CATCH_ALL {
                if (table.changes() == before.changes()) {
                    if (before.rest.count > table.now().rest.count)
                        set(table.resting(), slot);  // still first in the ring
                    table.go_back_to(before);
                }
                LIDO_RETHROW;
            }
            return result;
        }
    }

    /// Under a handle that was chosen elsewhere.
    template <class Table, class... Args>
    static typename Table::acquired_type reserve(Table& table, typename Table::handle_type handle, Args&&... args) {
        if constexpr (Table::confirms) {
            if (table.limbo().letting_go) return table.refuse_while_letting_go();
        }
        slot_reserving<Table> reserving(table, handle);
        const refusal why = reserving.may([](std::uint32_t) { return false; });
        if (why != refusal::none) return table.refuse(why);
        reserving.claim(true);
        if constexpr (nothrow_constructible<typename Table::value_type, Args...>()) {
            return slot_lives::begin(table, reserving.slot(), request{}, std::forward<Args>(args)...);
        } else {
            typename Table::acquired_type result;
            LIDO_TRY { result = slot_lives::begin(table, reserving.slot(), request{}, std::forward<Args>(args)...); }
            LIDO_CATCH_ALL {
                reserving.undo([] {});
                LIDO_RETHROW;
            }
            return result;
        }
    }

private:
    /// Ends another object to make room, where on_full says so.
    template <class Table, class... Args>
    LIDO_COLD static typename Table::acquired_type replace(Table& table, request wish, Args&&... args) {
        using T = typename Table::value_type;
        if (table.limits().evicting()) return table.refuse(refusal::reentrant);
        const refusal why = table.full_or_no_memory();
        if (table.limits().merges()) return slot_replacing::fold(table, make<T>(std::forward<Args>(args)...), why);
        // An end that can be taken back makes no room.
        if constexpr (Table::confirms) return table.refuse(why);
        if (slot_replacing::choose_victim(table, wish) == no_slot) return table.refuse(why);
        if constexpr (!can_replace<T, Args...>) {
            return table.refuse(refusal::cannot_replace);
        } else {
            if constexpr (nothrow_constructible<T, Args...>() && (std::is_trivially_destructible_v<T> || !moves<T>)) {
                // The arguments must outlive the victim: `acquire(*pool.get(h))`. A victim without a destructor takes nothing with
                // it but its own bytes, which an argument may lie in or, if it can point at all, point into.
                if ((!moves<T> || (is_only_itself<T, Args> && ...)) &&
                    !any_in_slots<T>(table.values(), table.ready(), args...)) {
                    const std::uint32_t slot = by_ending(table, wish);
                    if (slot == no_slot) return table.refuse(refusal::full);
                    return slot_lives::begin(table, slot, wish, std::forward<Args>(args)...);
                }
            }
            return build_first(table, wish, std::forward<Args>(args)...);
        }
    }

    template <class T>
    static constexpr bool moves = std::is_nothrow_move_constructible_v<T>;

    /// A number, or a T whose bytes are copied: what is made of it does not depend on anything that it points at.
    template <class T, class Arg, class Value = std::remove_cvref_t<Arg>>
    static constexpr bool is_only_itself =
        std::is_arithmetic_v<Value> || std::is_enum_v<Value> || (std::is_same_v<Value, T> && is_bytes<T>);

    /// Built before anything is ended, so that a throwing constructor costs nobody's life, and the arguments may be parts of the
    /// victim.
    template <class Table, class... Args>
    static typename Table::acquired_type build_first(Table& table, request wish, Args&&... args) {
        using T = typename Table::value_type;
        if constexpr (!moves<T>) {
            return table.refuse(refusal::cannot_replace);
        } else {
            auto built = make<T>(std::forward<Args>(args)...);
            const std::uint32_t slot = by_ending(table, wish);
            if (slot == no_slot) return table.refuse(refusal::full);
            return slot_lives::begin(table, slot, wish, std::move(built));
        }
    }

    template <class Table>
    [[nodiscard]] static std::uint32_t by_ending(Table& table, request wish) {
        const auto take = [&] { return table.quick() ? table.take_quick() : table.take_slot(); };
        return slot_replacing::take_by_ending(table, wish, take, [&](std::uint32_t victim, auto handle) {
            table.limits().announce(handle, *table.at(victim));
            if (table.contains(handle)) slot_lives::end(table, victim);
        });
    }
};

}  // namespace lido::detail
