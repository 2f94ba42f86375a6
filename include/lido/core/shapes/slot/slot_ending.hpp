// The end of many objects of a slot_pool at once: clear, a restore, the end of the pool.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/slots/limbo.hpp>
#include <lido/core/shapes/slot/slot_lives.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lido::detail {

struct slot_ending {
    template <class Table>
    static void clear(Table& table) noexcept {
        if constexpr (Table::confirms) {
            end_all_for_good(table);
        } else {
            if constexpr (std::is_trivially_destructible_v<typename Table::value_type>) {
                if (table.inside() == 0) return all_trivially(table);
            }
            table.for_each_live([&table](std::uint32_t slot) { slot_lives::end(table, slot); });
        }
        if (table.size() != 0) return;    // a destructor acquired: those objects are new
        if (table.inside() != 0) return;  // called from a constructor or destructor: its slot is not free
        forget_order(table);
    }

    /// For the end of the pool: lives end one by one, so that a destructor may still look at the others.
    template <class Table>
    static void destroy_all(Table& table) noexcept {
        if constexpr (!std::is_trivially_destructible_v<typename Table::value_type>) {
            for (int pass = 0; table.size() != 0; ++pass) {
                LIDO_VERIFY(pass < patience, "an element's destructor keeps acquiring from the pool that is ending");
                if constexpr (Table::confirms) {
                    end_all_for_good(table);
                } else {
                    table.for_each_live([&table](std::uint32_t slot) { slot_lives::end(table, slot); });
                }
            }
            if constexpr (Table::confirms) limbo::leave_all<slot_lives>(table);
        }
    }

    /// For a restore, which overwrites all bookkeeping: slots do not become free, wear out or get into the diary. A life is over
    /// before its destructor runs, which may look at the others, end them and begin new ones.
    template <class Table>
    static void destroy_for_restore(Table& table) noexcept {
        if constexpr (!std::is_trivially_destructible_v<typename Table::value_type>) {
            for (int pass = 0; table.size() != 0; ++pass) {
                LIDO_VERIFY(pass < patience,
                            "an element's destructor keeps acquiring from the pool that is being restored");
                table.for_each_live([&table](std::uint32_t slot) {
                    slot_lives::end_object(table, slot, table.handle_at(slot).generation());
                });
            }
        }
    }

private:
    /// Those that wait first.
    template <class Table>
    static void end_all_for_good(Table& table) noexcept {
        limbo::leave_all<slot_lives>(table);
        table.for_each_live([&table](std::uint32_t slot) { slot_lives::end_for_good(table, slot); });
    }

    static constexpr int patience = 1000;  // passes; a destructor that acquires makes one more necessary

    template <class Table>
    static void all_trivially(Table& table) noexcept {
        if constexpr (Table::diary_type::kept || LIDO_POISON) {
            table.for_each_live([&table](std::uint32_t slot) {
                table.book().end(slot, table.handle_at(slot).generation());
                bury(table.at(slot), sizeof(typename Table::value_type));
            });
        }
        table.now().none_left();
        if constexpr (Table::has_generations) {
            // Whole blocks of a constant length: a loop that both compilers turn into vector instructions at -O2.
            using generation = typename Table::generation;
            constexpr auto last = static_cast<generation>(Table::handle_type::last_generation);
            generation* g = table.generations();
            generation worn = 0;
            std::uint32_t left = table.used();
            for (; left >= 64; left -= 64, g += 64) {
                for (unsigned i = 0; i < 64; ++i) {
                    g[i] = static_cast<generation>((g[i] + 1u) & ~1u);
                    worn |= static_cast<generation>(g[i] == last);
                }
            }
            for (; left != 0; --left, ++g) {
                *g = static_cast<generation>((*g + 1u) & ~1u);
                worn |= static_cast<generation>(*g == last);
            }
            if (worn != 0) [[unlikely]]
                count_the_worn(table);
        }
        for (std::size_t w = 0; w < words_for(table.used()); ++w) {
            if constexpr (Table::marks) table.changed()[w] |= table.occupied()[w];
            table.occupied()[w] = 0;
        }
        forget_order(table);
    }

    /// After a clear in which some slots reached their last generation (or had before).
    template <class Table>
    LIDO_COLD static void count_the_worn(Table& table) noexcept {
        table.now().retired = 0;
        for (std::uint32_t s = 0; s < table.now().known; ++s) {
            if (table.maps().retired(s)) static_cast<void>(table.reuse_worn(s));
        }
    }

    /// No life is left: free slots are handed out from 0 again.
    template <class Table>
    static void forget_order(Table& table) noexcept {
        auto& st = table.now();
        if constexpr (Table::delays) st.rest.drop_if(table.ring(), table.resting(), [](std::uint32_t) { return true; });
        st.finder.reset(table.maps(), st.capacity);
        st.ages.reset();
    }
};

}  // namespace lido::detail
