// X11, S4.3–S4.9: a world against a plain model (world_model.hpp, modelled_world.hpp): random spawns, returns, timers, listeners, pauses,
// rewinds, and objects that spawn and end each other from inside every hook.
#include <lido/core/rewind/rewind.hpp>
#include <lido/world/world.hpp>
#include <world/modelled_world.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <vector>

namespace world_property {

using namespace lido_test::world_model;

RC_GTEST_PROP(world, X11_does_what_a_plain_model_does, ()) {
    const std::vector<step> steps = *any_steps();
    run both;
    for (const step& s : steps) {
        both.take(s);
        both.compare();
    }
}

/// X11: the determinism test of core: from a restored state the same steps give the same states, handle by handle.
RC_GTEST_PROP(world, X11_replays_exactly_from_any_tick, ()) {
    const std::vector<step> before = *any_steps();
    const std::vector<step> after = *any_steps();
    const auto plays = [](const step& s) { return s.what % 16 != 15; };
    run both;
    for (const step& s : before) {
        if (plays(s)) both.take(s);
    }
    both.compare();
    lido::rewind<4> past;
    RC_ASSERT(past.save(7, both.r->world));
    const model at_save = both.m;
    const auto refs = both.r->refs;
    const auto connections = both.r->connections;
    const auto calls = both.r->calls;
    const auto told = both.r->last_told;
    std::vector<std::uint64_t> hashes[2];
    std::vector<lido::any_ref> handles[2];
    for (int pass = 0; pass < 2; ++pass) {
        for (const step& s : after) {
            if (!plays(s)) continue;
            both.take(s);
            both.compare();
            hashes[pass].push_back(both.r->world.state_hash());
        }
        for (const auto& [serial, which] : both.r->refs) handles[pass].push_back(which);
        playing = nullptr;
        RC_ASSERT(static_cast<bool>(past.restore(7, both.r->world)));
        playing = both.r.get();
        both.m = at_save;
        both.r->refs = refs;
        both.r->connections = connections;
        both.r->calls = calls;
        both.r->last_told = told;
        both.r->last_serial = both.m.last_serial;
    }
    RC_ASSERT(hashes[0] == hashes[1]);
    RC_ASSERT((handles[0] == handles[1]));
}

}  // namespace world_property
