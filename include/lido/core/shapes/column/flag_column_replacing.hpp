// What a full flag column pool does with a newcomer: fold it into a live row, or end one to make room.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/parts/half_way.hpp>

#include <cstdint>
#include <utility>

namespace lido::detail {

struct flag_column_replacing {
    /// Ends another object to make room, where on_full says so. The newcomer is built before anything is ended, so that a throwing
    /// constructor costs nobody's life and arguments may be fields of the victim.
    template <class Pool, class... Args>
    LIDO_COLD static typename Pool::acquired_type replace(Pool& pool, request wish, Args&&... args) {
        using T = typename Pool::value_type;
        if (pool.limits_.evicting()) return pool.refuse(refusal::reentrant);
        if (pool.limits_.merges()) return fold(pool, make<T>(std::forward<Args>(args)...));
        const std::uint64_t before = pool.changes();
        if (choose_victim(pool, wish) == no_slot && pool.changes() == before) return pool.refuse(refusal::full);
        T fresh = make<T>(std::forward<Args>(args)...);
        if (!make_room_by_ending(pool, wish)) return pool.refuse(refusal::full);
        return pool.settle_anywhere(wish, std::move(fresh));
    }

private:
    /// A callback that changes the pool while it is asked has chosen nobody: the row may hold another object by now.
    template <class Pool>
    [[nodiscard]] static std::uint32_t choose_victim(Pool& pool, request wish) {
        using const_reference = typename Pool::const_reference;
        const half_way::scope asking(pool.limits_.now(), half_way::asks);
        return pool.limits_.victim(pool.state_.ages, pool.aged(), wish, [&pool](const auto& accepts) {
            const std::uint64_t before = pool.changes();
            std::uint32_t found = no_slot;
            pool.for_each_live([&](std::uint32_t row) {
                if (found != no_slot || pool.changes() != before) return;
                if (accepts(const_reference(&pool, row))) found = row;
            });
            return pool.changes() == before ? found : no_slot;
        });
    }

    /// Ends victims until a row is free: one, unless it was at its last generation. A callback that acquires what it has just
    /// released keeps it, and this request is refused.
    template <class Pool>
    [[nodiscard]] static bool make_room_by_ending(Pool& pool, request wish) {
        using reference = typename Pool::reference;
        while (pool.full()) {
            const std::uint32_t victim = choose_victim(pool, wish);
            if (victim == no_slot) return false;
            const std::uint64_t begun = pool.state_.acquired;
            const auto handle = pool.handle_at(victim);
            pool.limits_.announce(handle, reference(&pool, victim));
            if (pool.contains(handle)) pool.end_life(victim);
            ++pool.state_.counters.replaced;
            if (pool.state_.acquired != begun) return false;
        }
        return true;
    }

    /// Offers the newcomer to each live row, in order, until the user's rule has folded it into one.
    template <class Pool>
    static typename Pool::acquired_type fold(Pool& pool, const typename Pool::value_type& newcomer) {
        using reference = typename Pool::reference;
        for (std::uint32_t row = 0; row < pool.capacity(); ++row) {
            if (!pool.has_row(row)) continue;
            const auto existing = pool.handle_at(row);
            if (!pool.limits_.folds(reference(&pool, row), newcomer)) continue;
            pool.limits_.merged(existing, pool.state_.counters);
            return {};
        }
        return pool.refuse(refusal::full);
    }
};

}  // namespace lido::detail
