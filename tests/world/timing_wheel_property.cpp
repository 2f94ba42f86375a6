// X11: timers in ticks, against a plain list of (tick, value) in the order in which they were started.
#include <lido/world/timing_wheel.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace world_timing_wheel_property {

using lido::ticks;
using wheel = lido::timing_wheel<std::uint32_t>;

struct model {
    struct entry {
        std::uint64_t due;
        std::uint32_t value;
    };
    std::uint64_t now = 0;
    std::vector<entry> all;

    [[nodiscard]] std::vector<std::uint32_t> advance() {
        ++now;
        std::vector<std::uint32_t> due;
        for (const entry& e : all) {
            if (e.due == now) due.push_back(e.value);
        }
        std::erase_if(all, [this](const entry& e) { return e.due == now; });
        return due;
    }
};

/// Delays that reach every level, and the edges between them.
rc::Gen<std::uint64_t> any_delay() {
    return rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(0, 70), rc::gen::inRange<std::uint64_t>(60, 5000),
                          rc::gen::inRange<std::uint64_t>(4000, 300000));
}

RC_GTEST_PROP(timing_wheel, X11_expires_what_a_plain_list_does_and_survives_rewinds, ()) {
    wheel w;
    model m;
    std::vector<std::pair<wheel::timer, std::uint32_t>> started;
    lido::snapshot saved;
    model saved_model;
    bool has_saved = false;
    std::uint32_t next = 0;
    const int steps = *rc::gen::inRange(1, 200);
    for (int i = 0; i < steps; ++i) {
        const int what = *rc::gen::inRange(0, 100);
        if (what < 45) {
            const std::uint64_t delay = *any_delay();
            started.emplace_back(w.start(ticks{delay}, next), next);
            m.all.push_back({m.now + std::max<std::uint64_t>(delay, 1), next++});
        } else if (what < 60 && !started.empty()) {
            const auto [t, value] = *rc::gen::elementOf(started);
            const auto found =
                std::find_if(m.all.begin(), m.all.end(), [v = value](const auto& e) { return e.value == v; });
            const std::uint32_t* const held = w.find(t);
            const bool there = held != nullptr && *held == value;
            RC_ASSERT(there == (found != m.all.end()));
            if (!there) continue;
            RC_ASSERT(w.left(t).count == found->due - m.now);
            RC_ASSERT(w.cancel(t));
            RC_ASSERT(!w.cancel(t));
            m.all.erase(found);
        } else if (what < 64) {
            RC_ASSERT(lido::save(saved, w.timers(), w.state()));
            saved_model = m;
            has_saved = true;
        } else if (what < 68) {
            if (!has_saved) continue;
            RC_ASSERT(static_cast<bool>(lido::restore(saved, w.timers(), w.state())));
            m = saved_model;
        } else {
            const int count = *rc::gen::inRange(1, what < 95 ? 100 : 9000);
            for (int k = 0; k < count; ++k) {
                std::vector<std::uint32_t> fired;
                const auto answered = w.advance([&](wheel::timer, std::uint32_t v) { fired.push_back(v); });
                RC_ASSERT(answered == fired.size());
                RC_ASSERT(fired == m.advance());  // in the order in which they were started, too
            }
        }
        RC_ASSERT(w.size() == m.all.size());
        RC_ASSERT(w.now().count == m.now);
        const lido::verdict v = w.validate();
        if (!v) RC_FAIL(v.broken);
    }
}

RC_GTEST_PROP(timing_wheel, X11_what_follows_a_rewind_is_what_followed_before_in_the_same_order, ()) {
    wheel w;
    const auto delays = *rc::gen::container<std::vector<std::uint64_t>>(any_delay());
    std::uint32_t v = 0;
    for (const std::uint64_t d : delays) static_cast<void>(w.start(ticks{d}, v++));
    for (int i = 0; i < *rc::gen::inRange(0, 3000); ++i) static_cast<void>(w.advance([](auto, auto) {}));
    lido::snapshot then;
    RC_ASSERT(lido::save(then, w.timers(), w.state()));
    const auto run = [&] {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> seen;
        for (int i = 0; i < 5000; ++i) {
            static_cast<void>(w.advance([&](wheel::timer t, std::uint32_t value) {
                seen.emplace_back(t.to_bits(), value);
                if (value % 3 == 0) static_cast<void>(w.start(ticks{value % 200}, value + 1));
            }));
        }
        return seen;
    };
    const auto first = run();
    RC_ASSERT(static_cast<bool>(lido::restore(then, w.timers(), w.state())));
    RC_ASSERT(run() == first);
}

}  // namespace world_timing_wheel_property
