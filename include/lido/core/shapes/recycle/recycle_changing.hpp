// Settings of a recycle_pool that change while it runs. None of them is state: a rewind leaves them as they are.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>

#include <algorithm>
#include <cstdint>

namespace lido::detail {

struct recycle_changing {
    template <class Table>
    [[nodiscard]] static bool raise(Table& table, std::uint32_t first, on_full rule) noexcept {
        auto& limits = table.limits();
        first = (std::max)(first, limits.first_capacity());
        std::uint32_t most = (std::max)(first, limits.max_capacity());
        if (rule.cap() == on_full::unlimited) {
            most = table.reserved();
        } else if (rule.cap() != on_full::no_growth) {
            if (rule.cap() < most) return false;
            most = rule.cap();
        }
        if (first > most || most > table.reserved()) return false;
        limits.raise(first, most, rule);
        auto& capacity = table.now().capacity;
        capacity = (std::max)(capacity, first);
        return true;
    }

    template <class Table>
    [[nodiscard]] static bool set_idle_cap(Table& table, std::uint32_t cap) noexcept {
        constexpr std::uint32_t none = Table::settings_type::no_idle_cap;
        if (cap != none && cap > table.idle_cap()) {
            if (cap > table.reserved()) return false;
            table.reach(cap);
        }
        table.limits().changing().idle_cap = cap;
        return true;
    }

    template <class Table>
    static bool keep_ages(Table& table) noexcept {
        if constexpr (Table::tracks && Table::pool_options.ages_by_setting) {
            table.keep_ages_from_now();
        }
        return table.ageing();
    }
};

}  // namespace lido::detail
