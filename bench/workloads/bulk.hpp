// Many at once: bulk_acquire builds N objects from the same arguments, clear ends N objects. One operation is one object.
#pragma once

#include <bench/harness/meter.hpp>
#include <bench/workloads/contender.hpp>
#include <bench/workloads/spawn.hpp>

namespace bench {

template <class C>
concept clears = requires(C& c) { c.clear(); };

template <class C>
void end_all(population<C>& all) {
    if constexpr (clears<C>) {
        all.pool.clear();
    } else {
        // In the order of the spawns: what a user without a clear() writes.
        for (const auto& r : all.refs) all.pool.end(r);
    }
}

/// The same for what is not timed, with the memory kept: spawning into memory that the system has to give again is `grow`.
template <class C>
void end_all_keeping_memory(population<C>& all) {
    if constexpr (clears<C> && !requires { requires !C::clear_keeps_memory; }) {
        all.pool.clear();
    } else {
        for (std::size_t i = all.refs.size(); i-- != 0;) all.pool.end(all.refs[i]);
    }
}

template <class C>
void bulk_acquire(meter& m, std::size_t n) {
    population<C> all(n);
    all.fill(n);
    m.run(
        n, [&] { end_all_keeping_memory(all); },
        [&] {
            if constexpr (requires { all.pool.bulk(std::span<typename C::ref>(all.refs), 7u); }) {
                all.pool.bulk(std::span<typename C::ref>(all.refs), 7u);
            } else {
                for (auto& r : all.refs) r = all.pool.spawn(7u);
            }
        });
    if constexpr (requires { all.pool.size(); }) m.expect(all.pool.size() == n, "fewer objects than were asked for");
}

template <class C>
void clear_all(meter& m, std::size_t n) {
    population<C> all(n);
    all.refs.resize(n);
    m.run(
        n, [&] { spawn_all(all.pool, all.refs); }, [&] { end_all(all); });
    if constexpr (requires { all.pool.size(); }) m.expect(all.pool.size() == 0, "objects have survived a clear");
    all.refs.clear();
}

}  // namespace bench
