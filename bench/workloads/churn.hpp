// Steady churn: a random one ends and a new one is spawned. One operation is both.
//
// Between the two stands a barrier for the compiler (no instruction): without it, what ends and what is spawned are one expression
// to it, and a stack of indices becomes no stack at all. In a program, other code stands there.
#pragma once

#include <bench/harness/meter.hpp>
#include <bench/workloads/contender.hpp>

namespace bench {

/// What is timed, over a population that has been set up.
template <class C>
void replace_random(meter& m, population<C>& all, random_engine& random) {
    // Drawn beforehand, so that drawing is not measured; as many as there are objects, so that all of them take part.
    const std::size_t live = all.refs.size();
    std::vector<std::uint32_t> which(std::max<std::size_t>(live, 4096));
    for (std::uint32_t& w : which) w = below(random, live);

    const std::size_t round = std::min<std::size_t>(which.size(), 65536);
    std::size_t next = 0;
    m.run(round, [&] {
        if (next + round > which.size()) next = 0;
        const std::uint32_t* const from = which.data() + next;
        for (std::size_t k = 0; k < round; ++k) {
            const std::uint32_t i = from[k];
            if constexpr (positional<C>) {
                all.pool.end_at(i);
                benchmark::ClobberMemory();
                benchmark::DoNotOptimize(all.pool.spawn(i));
            } else {
                all.pool.end(all.refs[i]);
                benchmark::ClobberMemory();
                all.refs[i] = all.pool.spawn(i);
            }
        }
        next += round;
    });
    m.expect(all.agrees(), "churn has changed how many objects live");
}

template <class C>
void churn(meter& m, std::size_t n) {
    random_engine random(3);
    population<C> all(n);
    all.fill(n);
    all.churn(n, random);
    m.expect(all.agrees(), "not as many objects live as were spawned");
    replace_random(m, all, random);
}

}  // namespace bench
