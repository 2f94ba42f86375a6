// What a full pool of rows does with a newcomer: folds it into a live object, or ends one to make room.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace lido::detail {

struct row_replacing {
    /// What is built is built before anything is ended: a throwing constructor costs nobody's life, and its arguments may be parts of
    /// the object that goes. What the pool does to objects comes in as calls:
    ///
    ///   at(row)             the object
    ///   make()              the newcomer, beside the pool
    ///   begin(newcomer)     its life on the row behind the last one, which is free then
    ///   end(slot, row)      ends that life
    template <class Table, class At, class Make, class Begin, class End>
    LIDO_COLD static auto replace(Table& table, request wish, At&& at, Make&& make, Begin&& begin, End&& end) {
        using acquired_type = std::invoke_result_t<Begin&, typename Table::value_type&>;
        const auto refuse = [&table](refusal why) {
            table.limits().refused(why, table.counters());
            return acquired_type{};
        };
        if (table.limits().evicting()) return refuse(refusal::reentrant);
        if (table.limits().merges()) {
            return folds(table, at, make()) ? acquired_type{} : refuse(table.full_or_no_memory());
        }
        const auto first_match = [&table, &at](const auto& accepts) {
            for (std::uint32_t row = 0; row < table.size(); ++row) {
                if (accepts(at(row))) return row;
            }
            return no_slot;
        };
        const std::uint64_t before = table.changes();
        const bool found = table.choose_victim(wish, first_match) != no_slot;
        if (!found && table.changes() == before) return refuse(table.full_or_no_memory());
        typename Table::value_type newcomer = make();
        const bool ended = table.make_room_by_ending(wish, first_match, [&](typename Table::handle_type victim) {
            table.limits().announce(victim, at(table.row_of(victim)));
            if (table.contains(victim)) end(victim.index(), table.row_of(victim));
        });
        return ended ? begin(newcomer) : refuse(refusal::full);
    }

private:
    /// Offers the newcomer to each live object, in the order of rows, until the user's rule has folded it into one.
    template <class Table, class At>
    [[nodiscard]] static bool folds(Table& table, At& at, const typename Table::value_type& newcomer) {
        for (std::uint32_t row = 0; row < table.size(); ++row) {
            const auto existing = table.handle_of_row(row);  // the rule may release others, which moves it
            if (!table.limits().folds(at(row), newcomer)) continue;
            if (const std::uint32_t now = table.row_of(existing); now != no_slot) table.touch(now);
            table.limits().merged(existing, table.counters());
            return true;
        }
        return false;
    }
};

}  // namespace lido::detail
