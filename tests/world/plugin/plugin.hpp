// What a program and its plugin both know: one type, one payload, and the functions of the plugin.
#pragma once

#include <lido/world/world.hpp>

#include <cstdint>

#if defined(_WIN32)
#define LIDO_TEST_EXPORT __declspec(dllexport)
#else
#define LIDO_TEST_EXPORT __attribute__((visibility("default")))
#endif

namespace plugin {

struct charge {
    int power = 0;
};

/// Known to both sides.
struct shared_thing : lido::pooled {
    using payload_type = charge;
    int power = 0;
    void on_acquire(const charge& with) { power = with.power; }
};

LIDO_TEST_EXPORT void add_classes(lido::world& world);
LIDO_TEST_EXPORT lido::any_ref spawn_shared(lido::world& world, int power);
LIDO_TEST_EXPORT lido::any_ref spawn_secret(lido::world& world, int power);
LIDO_TEST_EXPORT int power_of(lido::world& world, lido::any_ref which);
LIDO_TEST_EXPORT bool give_back(lido::world& world, lido::any_ref which);
LIDO_TEST_EXPORT int ends_heard();
LIDO_TEST_EXPORT std::uint64_t id_of_shared();

}  // namespace plugin
