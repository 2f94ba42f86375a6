// The way from a pool to its table and its leases, for what saves and restores it.
#pragma once

namespace lido::detail {

/// A pool opens to it the_table() and, where it gives leases, leases().
struct rewind_door {
    template <class Pool>
    [[nodiscard]] static auto& table(Pool& pool) noexcept {
        return pool.the_table();
    }
    /// Pre: nothing is restored yet. A lease of a life that has ended is empty for good: the life may come back, and is then nobody's.
    template <class Pool>
    static void begins(Pool& pool) noexcept {
        pool.leases().drop_dead(pool);
    }
    /// The lives are those of another moment, in any of the first `slots` slots.
    template <class Pool, class Slots>
    static void restored(Pool& pool, Slots slots) noexcept {
        auto& t = pool.the_table();
        t.book().restored(slots, [&t](Slots slot) { return t.generation_of(slot); });
        pool.leases().drop_dead(pool);
    }
    template <class Pool>
    static void restored(Pool& pool) noexcept {
        restored(pool, pool.the_table().ready());
    }
};

}  // namespace lido::detail
