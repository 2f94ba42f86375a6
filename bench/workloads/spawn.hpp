// Spawn all and end all: lifo, fifo, random. Respawn after a scattered end of all. Growth from nothing.
// One operation is one spawn and one end; in respawn and grow, one spawn.
#pragma once

#include <bench/harness/meter.hpp>
#include <bench/workloads/contender.hpp>
#include <bench/workloads/memory.hpp>

#include <optional>

namespace bench {

template <class C>
void spawn_all(C& pool, std::vector<typename C::ref>& refs) {
    const std::size_t n = refs.size();
    for (std::size_t i = 0; i < n; ++i) refs[i] = pool.spawn(static_cast<std::uint32_t>(i));
}

/// After each end stands a barrier for the compiler (no instruction). Without it Clang turns the ends of a raw stack into one
/// vectorised copy of the list of references, which is no longer N ends.
inline void one_by_one() { benchmark::ClobberMemory(); }

template <class C>
void lifo(meter& m, std::size_t n) {
    C pool(n);
    std::vector<typename C::ref> refs(n);
    m.run(n, [&] {
        spawn_all(pool, refs);
        for (std::size_t i = n; i-- != 0;) {
            if constexpr (positional<C>) {
                pool.end_at(i);
            } else {
                pool.end(refs[i]);
            }
            one_by_one();
        }
    });
}

/// Not for positional contenders: ending the first again and again is not what their users do.
template <class C>
void fifo(meter& m, std::size_t n) {
    C pool(n);
    std::vector<typename C::ref> refs(n);
    m.run(n, [&] {
        spawn_all(pool, refs);
        for (std::size_t i = 0; i < n; ++i) {
            pool.end(refs[i]);
            one_by_one();
        }
    });
}

/// Ends everything in an order drawn once. Positional contenders get positions drawn among those that are left.
template <class C>
class scattered_end {
public:
    scattered_end(std::size_t n, random_engine& random) {
        if constexpr (positional<C>) {
            order_.resize(n);
            for (std::size_t i = 0; i < n; ++i) order_[i] = below(random, n - i);
        } else {
            order_ = shuffled(n, random);
        }
    }

    void operator()(C& pool, [[maybe_unused]] const std::vector<typename C::ref>& refs) const {
        for (const std::uint32_t i : order_) {
            if constexpr (positional<C>) {
                pool.end_at(i);
            } else {
                pool.end(refs[i]);
            }
            one_by_one();
        }
    }

private:
    std::vector<std::uint32_t> order_;
};

template <class C>
void random_order(meter& m, std::size_t n) {
    random_engine random(1);
    C pool(n);
    std::vector<typename C::ref> refs(n);
    const scattered_end<C> end_all(n, random);
    m.run(n, [&] {
        spawn_all(pool, refs);
        end_all(pool, refs);
    });
}

/// Only the spawns are timed. What is timed includes storing the n references, also for the limit.
template <class C>
void respawn(meter& m, std::size_t n) {
    random_engine random(2);
    population<C> all(n);
    all.fill(n);
    m.expect(all.agrees(), "not as many objects live as were spawned");
    const scattered_end<C> end_all(n, random);
    m.run(
        n, [&] { end_all(all.pool, all.refs); }, [&] { spawn_all(all.pool, all.refs); });
    m.expect(all.agrees(), "not as many objects live as were spawned");
}

/// From an empty contender with nothing reserved to n objects, cold: heaps have given back what earlier
/// workloads left in them, and the system's page faults are part of it. The list of
/// references has its memory beforehand. The end of the objects is not timed.
template <class C>
void grow(meter& m, std::size_t n) {
    std::vector<typename C::ref> refs(n);
    std::optional<C> pool;
    give_back_memory();
    m.run_once(n, [&] {
        if constexpr (std::is_constructible_v<C, growing>) {
            pool.emplace(growing{});
        } else {
            pool.emplace(n);
        }
        spawn_all(*pool, refs);
    });
    if constexpr (requires { pool->size(); }) m.expect(pool->size() == n, "not as many objects live as were spawned");
    if constexpr (!C::owns) {
        for (const auto& r : refs) pool->end(r);
    }
}

}  // namespace bench
