// What a full pool of slots does with a newcomer: folds it into a live object, or ends one to make room.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/options.hpp>

#include <cstdint>

namespace lido::detail {

struct slot_replacing {
    /// Whom the rule ends for this request; no_slot for nobody.
    template <class Table>
    [[nodiscard]] static std::uint32_t choose_victim(const Table& table, request wish, on_full rule) {
        return table.limits().victim_by(rule, table.now().ages, table.aged(), wish,
                                        [&table](const auto& accepts) { return table.first_live(accepts); });
    }
    template <class Table>
    [[nodiscard]] static std::uint32_t choose_victim(const Table& table, request wish) {
        return choose_victim(table, wish, table.settings().on_full);
    }

    /// The same among those that `may(object)` lets go. Complexity: O(live objects) when it keeps the first choice.
    template <class Table, class May>
    [[nodiscard]] static std::uint32_t choose_victim_among(const Table& table, request wish, on_full rule, May&& may) {
        using ending = on_full::ending;
        const ending by = rule.at_the_end();
        if (by == ending::replace_if) {
            const auto& victim = table.settings().victim;
            if (!victim) return no_slot;
            return table.first_live([&](const auto& each) { return may(each) && victim(each); });
        }
        const std::uint32_t first = choose_victim(table, wish, rule);
        if (first == no_slot || may(*table.at(first))) return first;
        std::uint32_t best = no_slot;
        table.now().ages.walk(table.aged(), [&](std::uint32_t slot, unsigned level) {
            if (!may(*table.at(slot))) return;
            if (by == ending::replace_lowest) {
                if (best == no_slot && level <= wish.priority)
                    best = slot;  // levels rise, and within one the oldest is first
            } else if (best == no_slot) {
                best = slot;
            } else if constexpr (Table::pool_options.tracks == track::priority) {
                if (table.aged().birth[slot] < table.aged().birth[best]) best = slot;
            }
        });
        return best;
    }

    /// Offers the newcomer to each live object until the user's rule has folded it into one; refuses it for `why` when there is none.
    template <class Table>
    static typename Table::acquired_type fold(Table& table, const typename Table::value_type& newcomer, refusal why) {
        const std::uint32_t into =
            table.first_live([&](auto& existing) { return table.limits().folds(existing, newcomer); });
        if (into == no_slot) return table.refuse(why);
        table.touch(into);
        table.limits().merged(table.handle_at(into), table.now().counters);
        return {};
    }

    /// Ends victims until `take()` has a slot, which it returns, or no_slot: one, unless its slot was at its last generation.
    /// `end(slot, handle)` tells the user (announce) and ends the life if it is still there. A callback that acquires what it has just
    /// released keeps it, and this request gets nothing.
    template <class Table, class Take, class End>
    [[nodiscard]] static std::uint32_t take_by_ending(Table& table, request wish, Take&& take, End&& end) {
        for (;;) {
            const std::uint32_t slot = take();
            if (slot != no_slot) return slot;
            const std::uint32_t victim = choose_victim(table, wish);
            if (victim == no_slot) return no_slot;
            const std::uint64_t begun = table.now().acquired;
            end(victim, table.handle_at(victim));
            ++table.now().counters.replaced;
            if (table.now().acquired != begun) return no_slot;
        }
    }
};

}  // namespace lido::detail
