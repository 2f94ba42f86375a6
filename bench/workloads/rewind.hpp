// Save and restore of N live objects, into memory that is there already. One operation is one live object.
#pragma once

#include <bench/harness/meter.hpp>
#include <bench/workloads/contender.hpp>

namespace bench {

template <class C>
void save(meter& m, std::size_t n) {
    population<C> all(n);
    all.fill(n);
    m.run(n, [&] { all.pool.save(); });
}

template <class C>
void restore(meter& m, std::size_t n) {
    population<C> all(n);
    all.fill(n);
    all.pool.save();
    m.run(n, [&] { all.pool.restore(); });
    m.expect(all.agrees(), "a restore has changed how many objects live");
}

/// A save after a change of one object in a hundred, scattered. Contenders that can save only what changed have save_changed();
/// the others save everything.
template <class C>
void save_1pct(meter& m, std::size_t n) {
    random_engine random(9);
    population<C> all(n);
    all.fill(n);
    all.pool.save();
    const std::size_t changed = std::max<std::size_t>(1, n / 100);
    m.run(
        n,
        [&] {
            for (std::size_t k = 0; k < changed; ++k) all.pool.get(all.refs[below(random, n)])->update();
        },
        [&] {
            if constexpr (requires { all.pool.save_changed(); }) {
                all.pool.save_changed();
            } else {
                all.pool.save();
            }
        });
}

}  // namespace bench
