// The way from a pool to its table and its leases, for what saves and restores it.
#pragma once

namespace lido::detail {

struct rewind_door {
    template <class Pool>
    [[nodiscard]] static auto& table(Pool& pool) noexcept {
        return pool.table_;
    }
    /// Pre: nothing is restored yet. A lease of a life that has ended is empty for good: the life may come back, and is then nobody's.
    template <class Pool>
    static void begins(Pool& pool) noexcept {
        pool.leases_.drop_dead(pool);
    }
    /// The lives are those of another moment, in any of the first `slots` slots.
    template <class Pool, class Slots>
    static void restored(Pool& pool, Slots slots) noexcept {
        auto& t = pool.table_;
        t.book().restored(slots, [&t](Slots slot) { return t.generation_of(slot); });
        pool.leases_.drop_dead(pool);
    }
    template <class Pool>
    static void restored(Pool& pool) noexcept {
        restored(pool, pool.table_.ready());
    }
};

}  // namespace lido::detail
