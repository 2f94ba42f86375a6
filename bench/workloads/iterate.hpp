// A pass that updates every live object, at several occupancies. One operation is one live object.
//
// N slots are filled, N objects are replaced at random (aged, as after a while of play), and random ones end until the wanted
// part is left. Packed contenders then have no holes, others do: that is the point.
#pragma once

#include <bench/harness/meter.hpp>
#include <bench/workloads/contender.hpp>

namespace bench {

template <class C>
void iterate(meter& m, std::size_t n, std::size_t percent) {
    random_engine random(4);
    population<C> all(n);
    all.fill(n);
    all.churn(n, random);
    all.thin(n * percent / 100, random);
    m.expect(all.agrees(), "a pass does not visit every object once");
    const std::size_t live = all.refs.size();
    m.run(live, [&] { all.for_each([](auto& e) { e.update(); }); });

    float sum = 0;
    all.for_each([&](auto& e) { sum += e.x; });
    benchmark::DoNotOptimize(sum);
}

}  // namespace bench
