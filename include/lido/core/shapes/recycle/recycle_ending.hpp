// The end of objects of a recycle_pool: those that may not wait, those that a trim lets go, and all at the end of the pool.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/slots/limbo.hpp>
#include <lido/core/shapes/recycle/recycle_objects.hpp>

#include <cstddef>
#include <cstdint>

namespace lido::detail {

struct recycle_ending {
    /// `life` is the slot's generation. Quiet: whoever ends it has called the hooks of its end.
    template <bool Quiet = false, class Table>
    LIDO_INLINE static void end_life(Table& table, std::uint32_t slot, std::uint32_t life) noexcept {
        table.book().end(slot, life);
        table.leave(slot, life);
        clear(table.occupied(), slot);
        if constexpr (Table::confirms) {
            limbo::wait(table, slot, !may_wait(*table.at(slot)));
            recycle_objects::put_to_sleep(table, slot);
            return;
        }
        if constexpr (!Quiet) table.hooks().end(table.inside(), *table.at(slot));
        // The generation is read again: that costs less than keeping `life` while the hooks run.
        const std::uint32_t free = Quiet ? life + 1 : table.generations()[slot];
        if (free == Table::handle_type::last_generation || table.now().idle >= table.idle_cap()) [[unlikely]] {
            if (!waits(table, slot)) return;
        }
        recycle_objects::put_to_sleep(table, slot);
        table.push(slot);
    }
    template <class Table>
    static void end_life(Table& table, std::uint32_t slot) noexcept {
        end_life(table, slot, table.generations()[slot]);
    }

    /// The same of an object that is not kept: its slot is vacant then.
    template <class Table>
    static void end_and_destroy(Table& table, std::uint32_t slot, std::uint32_t life) noexcept {
        table.book().end(slot, life);
        table.leave(slot, life);
        clear(table.occupied(), slot);
        table.hooks().end(table.inside(), *table.at(slot));
        const bool retired =
            table.generations()[slot] == Table::handle_type::last_generation && !table.reuse_worn(slot);
        recycle_objects::destroy(table, slot);
        clear(table.held(), slot);
        if (!retired) table.give(slot);
    }

    /// The same where the end does not wait to be confirmed: the pool is cleared or goes.
    template <class Table>
    static void end_for_good(Table& table, std::uint32_t slot) noexcept {
        if constexpr (Table::confirms) {
            const std::uint32_t life = table.generations()[slot];
            table.book().end(slot, life);
            table.leave(slot, life);
            clear(table.occupied(), slot);
            limbo::let_go<recycle_ending>(table, slot);
            const letting_go<Table> now(table);
            free(table, slot);
        } else {
            end_life(table, slot);
        }
    }

    // --- for slots/limbo.hpp -----------------------------------------------------------------------------------------------

    /// The object has ended, and stays constructed: it is idle once its slot is free.
    template <class Table>
    static void let_go(Table& table, std::uint32_t slot) noexcept {
        open_again(table.at(slot), sizeof(typename Table::value_type));
        table.hooks().end(table.inside(), *table.at(slot));
        recycle_objects::put_to_sleep(table, slot);
    }

    /// A restore may have brought the slot back without an object.
    template <class Table>
    static void free(Table& table, std::uint32_t slot, bool for_good = false) noexcept {
        const bool last = table.generations()[slot] == Table::handle_type::last_generation;
        if (for_good && !last) [[unlikely]]
            return vacate(table, slot);
        if ((last || table.now().idle >= table.idle_cap()) && !waits(table, slot)) return;
        table.push(slot);
        if (!test(table.built(), slot)) ++table.hollow();
    }

    /// The slot is out of generations, or as many objects wait as may. True when its object waits all the same.
    template <class Table>
    LIDO_COLD static bool waits(Table& table, std::uint32_t slot) noexcept {
        using generation = typename Table::generation;
        constexpr auto last = static_cast<generation>(Table::handle_type::last_generation);
        if (table.generations()[slot] == last && !table.reuse_worn(slot)) {
            destroy(table, slot);
            clear(table.held(), slot);
            return false;
        }
        if (table.keep_next() || table.now().idle < table.idle_cap()) return true;
        ++table.now().idle_overflow;
        vacate(table, slot);
        return false;
    }

    /// From the last slot to the first, so that the first is the next to be acquired. Hooks may begin and end other lives, except where
    /// ends are confirmed.
    template <class Table>
    static void end_all(Table& table) noexcept {
        if constexpr (Table::confirms) limbo::leave_all<recycle_ending>(table);
        for (std::size_t w = words_for(table.used()); w-- != 0;) {
            for (map_word left = table.occupied()[w]; left != 0;) {
                const unsigned top = highest(left);
                left &= ~bit(top);
                const auto slot = static_cast<std::uint32_t>(w * 64 + top);
                if (test(table.occupied(), slot)) end_for_good(table, slot);
            }
        }
    }

    /// Destroys the idle object on top; its slot is vacant then.
    template <class Table>
    static void vacate_top(Table& table) noexcept {
        const std::uint32_t slot = table.pop();
        if (test(table.built(), slot)) {
            recycle_objects::destroy(table, slot);
        } else {
            --table.hollow();
        }
        clear(table.held(), slot);
        table.give(slot);
    }

    /// For the end of the table.
    template <class Table>
    static void destroy_all(Table& table) noexcept {
        if (!table.hooks().ends_matter()) return;
        if constexpr (Table::confirms) limbo::leave_all<recycle_ending>(table);
        constexpr int patience = 1000;  // passes; a hook or destructor that acquires makes one more necessary
        for (int pass = 0; table.size() != 0 || table.now().idle != 0; ++pass) {
            LIDO_VERIFY(pass < patience, "an element keeps acquiring from the pool that is ending");
            end_all(table);
            while (table.now().idle != 0) vacate_top(table);
        }
    }

private:
    /// An object may say of itself that it has had its last life.
    template <class T>
    [[nodiscard]] LIDO_INLINE static bool may_wait([[maybe_unused]] const T& object) noexcept {
        if constexpr (says_whether_it_waits<T>) {
            return object_hooks<T>::waits_for_another_life(object);
        } else {
            return true;
        }
    }

    template <class Table>
    static void vacate(Table& table, std::uint32_t slot) noexcept {
        destroy(table, slot);
        clear(table.held(), slot);
        table.give(slot);
    }

    /// An end that has waited may have no object by now.
    template <class Table>
    LIDO_INLINE static void destroy(Table& table, std::uint32_t slot) noexcept {
        if constexpr (Table::confirms) {
            if (!test(table.built(), slot)) return;
        }
        recycle_objects::destroy(table, slot);
    }
};

}  // namespace lido::detail
