// A shared library of a program, built with hidden visibility: it has its own copy of every template.
#include "world/plugin/plugin.hpp"

namespace plugin {
namespace {

/// Known to the plugin alone.
struct secret_thing {
    using payload_type = charge;
    int power = -1;
    void on_acquire(const charge& with) { power = with.power; }
};

int heard = 0;

}  // namespace

void add_classes(lido::world& world) {
    heard = 0;
    world.add<shared_thing>("shared", {.prewarm = 2});
    world.add<secret_thing>("secret", {.max_lifetime = lido::ticks{3}});
    world.finished<shared_thing>().connect([](shared_thing&, lido::ref<shared_thing>) { ++heard; });
}

lido::any_ref spawn_shared(lido::world& world, int power) { return world.spawn<shared_thing>({}, charge{power}); }
lido::any_ref spawn_secret(lido::world& world, int power) { return world.spawn<secret_thing>({}, charge{power}); }

int power_of(lido::world& world, lido::any_ref which) {
    if (const auto* shared = world.get(world.as<shared_thing>(which))) return shared->power;
    if (const auto* secret = world.get(world.as<secret_thing>(which))) return secret->power;
    return 0;
}

bool give_back(lido::world& world, lido::any_ref which) { return world.return_to_pool(which); }
int ends_heard() { return heard; }
std::uint64_t id_of_shared() { return lido::type_id<shared_thing>(); }

}  // namespace plugin
