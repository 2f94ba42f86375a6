// A pass over one field of every object: where rows waste the cache line. One operation is one live object.
#pragma once

#include <bench/harness/meter.hpp>
#include <bench/workloads/contender.hpp>

namespace bench {

template <class C>
void columns(meter& m, std::size_t n) {
    population<C> all(n);
    all.fill(n);
    m.expect(all.agrees(), "a pass does not visit every object once");
    const auto sum = [&] {
        double x = 0;
        all.for_each([&](auto& e) { x += e.x; });
        return x;
    };
    const double before = sum();
    m.run(n, [&] { all.pool.move_x(); });
    m.expect(sum() > before, "the pass has not moved anything");
}

}  // namespace bench
