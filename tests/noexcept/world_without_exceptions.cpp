// A world in a program without exceptions and RTTI. Linked with core_without_exceptions.cpp, which runs it.
#include <cstdio>
#include <cstdlib>

[[noreturn]] void end_by_my_rule(const char* text) noexcept;
#define LIDO_FATAL(text) ::end_by_my_rule(text)

#include <lido/world.hpp>

namespace {

struct blast {
    int radius = 1;
};

struct bang : lido::pooled {
    using payload_type = blast;
    int radius = 0;
    void on_acquire(const blast& with) { radius = with.radius; }
    void on_release() noexcept { radius = 0; }
    void hash(lido::hasher& h) const { h.add(radius); }
};

}  // namespace

/// How many things went wrong.
int world_failures() {
    int failures = 0;
    const auto check = [&](bool held, const char* what) {
        if (held) return;
        std::fprintf(stderr, "world: failed: %s\n", what);
        ++failures;
    };
    lido::world world;
    check(static_cast<bool>(world.add<bang>("bang", {.prewarm = 4, .max_lifetime = lido::ticks{3}})), "add");
    int told = 0;
    world.finished<bang>().connect([&told](bang&, lido::ref<bang>) { ++told; });
    const lido::ref<bang> first = world.spawn<bang>({.x = 1}, blast{.radius = 7});
    check(world.get(first) != nullptr && world.get(first)->radius == 7, "the payload arrives");
    check(static_cast<bool>(world.spawn("bang")), "by name");
    lido::snapshot before;
    check(world.save(before), "save");
    const auto hash = world.state_hash();
    for (int i = 0; i < 3; ++i) world.tick();
    check(told == 2 && !world.lives(first), "lifetimes");
    check(static_cast<bool>(world.restore(before)) && world.state_hash() == hash && world.lives(first), "restore");
    check(world.end().active() == 2, "the end");
    return failures;
}
