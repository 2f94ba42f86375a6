// A save game: a world becomes bytes, and another run of the program, which adds its classes in another order, goes on from them.
#include <lido/world/world.hpp>

#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

namespace {

struct gate {
    bool open = true;
    void on_acquire() { open = true; }
};

/// Refers to another object: the reference means the same after a load.
struct guard {
    int health = 10;
    lido::ref<gate> watches;
    void on_acquire() { *this = guard(); }
};

struct blow {
    int by = 0;
};

/// What every run does before it plays or loads. Calls that may be waiting in a save game have names.
void set_up(lido::world& world, bool guards_first) {
    if (guards_first) world.add<guard>("guard", {.leaks = lido::leaks::allow});
    world.add<gate>("gate", {.leaks = lido::leaks::allow});
    if (!guards_first) world.add<guard>("guard", {.leaks = lido::leaks::allow});
    const bool named = world.name_call<gate>("close", [](gate& g) { g.open = false; }) &&
                       world.name_call<guard, blow>("hit", [](guard& g, const blow& b) { g.health -= b.by; });
    if (!named) std::puts("a name is taken");
}

void show(const lido::world& world, lido::ref<guard> who) {
    const guard* const g = world.get(who);
    std::printf("  tick %llu: the guard has %d, its gate is %s\n", static_cast<unsigned long long>(world.now().count),
                g->health, world.get(g->watches)->open ? "open" : "closed");
}

}  // namespace

int main() {
    std::vector<std::byte> file;  // what a program writes to a disk
    lido::ref<guard> who;

    std::puts("the first run");
    {
        lido::world world;
        set_up(world, true);
        const auto door = world.spawn<gate>();
        who = world.spawn<guard>();
        world.get(who)->watches = door;
        world.after(door, lido::ticks{3}, lido::named{"close"});
        world.after(who, lido::ticks{2}, lido::named{"hit", blow{.by = 4}});
        world.tick();
        show(world, who);

        const auto unnamed = world.after(who, lido::ticks{9}, [](guard& g) { g.health = 0; });
        if (const lido::save_result saved = world.save(file); !saved) std::printf("  not saved: %s\n", saved.what());
        world.cancel(unnamed);
        if (world.save(file)) std::printf("  saved\n");
    }

    std::puts("another run");
    lido::world world;
    set_up(world, false);
    if (const lido::restore_result loaded = world.restore(file); !loaded) {
        std::printf("  not loaded: %s\n", loaded.what());
        return 1;
    }
    show(world, who);
    world.tick();
    show(world, who);
    world.tick();
    show(world, who);

    std::puts("a file that was cut");
    const lido::restore_result cut = world.restore(std::span(file).first(file.size() / 2));
    std::printf("  not loaded: %s\n", cut.what());
    show(world, who);
}

/* Output:
the first run
  tick 1: the guard has 10, its gate is open
  not saved: guard: a waiting call without a name cannot be written into an image; give it one with name_call(), and start it with lido::named
  saved
another run
  tick 1: the guard has 10, its gate is open
  tick 2: the guard has 6, its gate is open
  tick 3: the guard has 6, its gate is closed
a file that was cut
  not loaded: the bytes end too early
  tick 3: the guard has 6, its gate is closed
*/
