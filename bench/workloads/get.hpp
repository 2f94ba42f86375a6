// Lookups through references, in random order. One operation is one lookup and the read of one field.
#pragma once

#include <bench/harness/meter.hpp>
#include <bench/workloads/contender.hpp>

namespace bench {

/// A full population that has aged, its list in random order.
template <class C>
void make_scattered(population<C>& all, std::size_t n, random_engine& random) {
    all.fill(n);
    all.churn(n, random);
    const std::vector<std::uint32_t> order = shuffled(n, random);
    std::vector<typename C::ref> refs;
    refs.reserve(n);
    for (const std::uint32_t i : order) refs.push_back(all.refs[i]);
    all.refs = std::move(refs);
}

/// Independent lookups of living objects; the sum of an integer, because a sum of floats would wait for each addition.
template <class C>
void get_hit(meter& m, std::size_t n) {
    random_engine random(5);
    population<C> all(n);
    make_scattered(all, n, random);
    std::size_t found = 0;
    for (const auto& r : all.refs) found += all.pool.get(r) != nullptr ? 1u : 0u;
    m.expect(found == n, "a lookup of a living object found nothing");
    m.run(n, [&] {
        std::uint64_t sum = 0;
        for (const auto& r : all.refs) {
            const auto* const e = all.pool.get(r);
            if constexpr (C::checks) {
                if (e == nullptr) continue;
            }
            sum += e->is.tag;
        }
        benchmark::DoNotOptimize(sum);
    });
}

/// Each object holds the reference of the next, so that a lookup cannot begin before the one before has ended.
template <class C>
void get_chain(meter& m, std::size_t n) {
    random_engine random(6);
    population<C> all(n);
    make_scattered(all, n, random);
    for (std::size_t i = 0; i < n; ++i) {
        all.pool.get(all.refs[i])->is.set_link(all.pool.to_bits(all.refs[(i + 1) % n]));
    }
    const std::uint64_t first = all.pool.to_bits(all.refs[0]);
    std::uint64_t at = first;
    m.run(n, [&] {
        for (std::size_t i = 0; i < n; ++i) {
            const auto* const e = all.pool.get_bits(at);
            if constexpr (C::checks) {
                if (e == nullptr) break;
            }
            at = e->is.link();
        }
        benchmark::DoNotOptimize(at);
    });
    m.expect(at == first, "the chain does not close");
}

/// Every reference is to a life that has ended; its place is in use again.
template <class C>
void get_stale(meter& m, std::size_t n) {
    random_engine random(7);
    population<C> all(n);
    make_scattered(all, n, random);
    const std::vector<typename C::ref> stale = all.refs;
    all.drain();
    all.fill(n);
    m.expect(all.agrees(), "not as many objects live as were spawned");
    std::uint64_t found = 0;
    m.run(n, [&] {
        std::uint64_t sum = 0;
        for (const auto& r : stale) {
            if (const auto* e = all.pool.get(r)) sum += e->is.tag + 1;
        }
        benchmark::DoNotOptimize(sum);
        found += sum;
    });
    m.expect(found == 0, "a reference to an ended life found something");
}

}  // namespace bench
