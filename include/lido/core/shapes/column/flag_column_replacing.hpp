// What a full flag column pool does with a newcomer: fold it into a live row, or end one to make room.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/parts/half_way.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace lido::detail {

struct flag_column_replacing {
    /// The newcomer is built before anything is ended, so that a throwing constructor costs nobody's life and arguments may be fields of
    /// the victim. `at(row)` is the object, `make()` builds the newcomer, `begin(newcomer)` its life on a free row.
    template <class Table, class At, class Make, class Begin>
    LIDO_COLD static auto replace(Table& table, request wish, At&& at, Make&& make, Begin&& begin) {
        using T = typename Table::value_type;
        using acquired_type = std::invoke_result_t<Begin&, T&&>;
        const auto refuse = [&table](refusal why) {
            table.limits().refused(why, table.counters());
            return acquired_type{};
        };
        if (table.limits().evicting()) return refuse(refusal::reentrant);
        if (table.limits().merges()) return folds(table, at, make()) ? acquired_type{} : refuse(refusal::full);
        const std::uint64_t before = table.changes();
        if (choose_victim(table, wish, at) == no_slot && table.changes() == before) return refuse(refusal::full);
        T fresh = make();
        if (!make_room_by_ending(table, wish, at)) return refuse(refusal::full);
        return begin(std::move(fresh));
    }

private:
    /// A callback that changes the pool while it is asked has chosen nobody: the row may hold another object by now.
    template <class Table, class At>
    [[nodiscard]] static std::uint32_t choose_victim(Table& table, request wish, At& at) {
        const half_way::scope asking(table.limits().now(), half_way::asks);
        return table.limits().victim(table.now().ages, table.aged(), wish, [&](const auto& accepts) {
            const std::uint64_t before = table.changes();
            std::uint32_t found = no_slot;
            table.for_each_live([&](std::uint32_t row) {
                if (found != no_slot || table.changes() != before) return;
                if (accepts(at(row))) found = row;
            });
            return table.changes() == before ? found : no_slot;
        });
    }

    /// Ends victims until a row is free: one, unless it was at its last generation. A callback that acquires what it has just
    /// released keeps it, and this request is refused.
    template <class Table, class At>
    [[nodiscard]] static bool make_room_by_ending(Table& table, request wish, At& at) {
        while (table.full()) {
            const std::uint32_t victim = choose_victim(table, wish, at);
            if (victim == no_slot) return false;
            const std::uint64_t begun = table.now().acquired;
            const auto handle = table.handle_at(victim);
            table.limits().announce(handle, at(victim));
            if (table.contains(handle)) table.end_life(victim);
            ++table.counters().replaced;
            if (table.now().acquired != begun) return false;
        }
        return true;
    }

    /// Offers the newcomer to each live row, in order, until the user's rule has folded it into one.
    template <class Table, class At>
    [[nodiscard]] static bool folds(Table& table, At& at, const typename Table::value_type& newcomer) {
        for (std::uint32_t row = 0; row < table.capacity(); ++row) {
            if (!table.has_row(row)) continue;
            const auto existing = table.handle_at(row);
            if (!table.limits().folds(at(row), newcomer)) continue;
            table.limits().merged(existing, table.counters());
            return true;
        }
        return false;
    }
};

}  // namespace lido::detail
