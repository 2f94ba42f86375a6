// How the object of a life comes into its slot of a slot_pool, and how it ends there.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/slots/inner_calls.hpp>
#include <lido/core/parts/slots/limbo.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace lido::detail {

struct slot_lives {
    /// A life in `slot`, which the table has given. Throws what the constructor throws; the slot is then free.
    template <class Table, class... Args>
    LIDO_INLINE static typename Table::acquired_type begin(Table& table, std::uint32_t slot, request wish,
                                                           Args&&... args) {
        using T = typename Table::value_type;
        T* object = table.at(slot);
        open_up(object, sizeof(T));
        set(table.taken(), slot);
        const std::uint32_t life = table.next_life(slot);
        if constexpr (nothrow_constructible<T, Args...>()) {
            const inner_call<T> building(table.inside());
            object = construct<T>(object, std::forward<Args>(args)...);
        } else {
            LIDO_TRY {
                const inner_call<T> building(table.inside());
                object = construct<T>(object, std::forward<Args>(args)...);
            }
            LIDO_CATCH_ALL {
                bury(object, sizeof(T));
                clear(table.taken(), slot);
                table.put_back(slot);
                LIDO_RETHROW;
            }
        }
        if constexpr (Table::confirms) set(table.occupied(), slot);
        table.go_live(slot, life, wish);
        LIDO_ASSUME(object != nullptr);
        return {object, Table::handle_type::of(slot, life)};
    }

    /// `life` is the slot's generation, which the caller has just compared: not loaded again.
    /// True, always, so that release() can end in it.
    template <class Table>
    LIDO_INLINE static bool end(Table& table, std::uint32_t slot, std::uint32_t life) noexcept {
        table.book().end(slot, life);
        if constexpr (Table::confirms) {
            leave_to_wait(table, slot, life);
            limbo::wait(table, slot);
            return true;
        }
        end_object(table, slot, life);
        if (table.wore_out(slot, life)) [[unlikely]]
            return true;
        return table.give(slot);
    }
    template <class Table>
    static void end(Table& table, std::uint32_t slot) noexcept {
        end(table, slot, table.handle_at(slot).generation());
    }

    /// The life is over, and the slot is nobody's: not free before it is given to the table.
    template <class Table>
    LIDO_INLINE static void end_object(Table& table, std::uint32_t slot, std::uint32_t life) noexcept {
        table.leave(slot, life);
        clear_object(table, slot);
        clear(table.occupied(), slot);
    }

    // --- with options::confirmed_ends (slots/limbo.hpp) --------------------------------------------------------------------

    /// The life is over, and its object stays as it is.
    template <class Table>
    LIDO_INLINE static void leave_to_wait(Table& table, std::uint32_t slot, std::uint32_t life) noexcept {
        table.leave(slot, life);
        clear(table.occupied(), slot);
        close_off(table.at(slot), sizeof(typename Table::value_type));
    }
    template <class Table>
    static void let_go(Table& table, std::uint32_t slot) noexcept {
        open_again(table.at(slot), sizeof(typename Table::value_type));
        clear_object(table, slot);
    }
    /// Its object is gone, so there is none that could wait for another life.
    template <class Table>
    static void free(Table& table, std::uint32_t slot, [[maybe_unused]] bool for_good) noexcept {
        clear(table.taken(), slot);
        if (table.generations()[slot] == Table::handle_type::last_generation && !table.reuse_worn(slot)) return;
        table.give(slot);
    }
    /// An end that does not wait to be confirmed: the pool is cleared or goes.
    template <class Table>
    static void end_for_good(Table& table, std::uint32_t slot) noexcept {
        const std::uint32_t life = table.handle_at(slot).generation();
        table.book().end(slot, life);
        leave_to_wait(table, slot, life);
        limbo::let_go<slot_lives>(table, slot);
        free(table, slot, true);
    }

private:
    template <class Table>
    LIDO_INLINE static void clear_object(Table& table, std::uint32_t slot) noexcept {
        using T = typename Table::value_type;
        if constexpr (!std::is_trivially_destructible_v<T>) {
            const inner_call<T> ending(table.inside());
            destroy(table.at(slot));
        }
        bury(table.at(slot), sizeof(T));
    }
};

}  // namespace lido::detail
