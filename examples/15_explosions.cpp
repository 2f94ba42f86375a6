// An explosion that returns itself when its effect ends (S4.11). Gameplay spawns it and forgets it; nobody keeps a list, and nobody
// polls. The class derives from lido::pooled and calls its parent first.
#include <lido/core/delegate.hpp>
#include <lido/world/pooled.hpp>
#include <lido/world/world.hpp>

#include <cstdio>

namespace {

/// Stands for the particle system of an engine: it plays for some frames and tells when it has come to its end.
class particle_effect {
public:
    lido::delegate<void()> on_finished;

    void play(int frames) { left_ = frames; }
    void stop() { left_ = 0; }
    void step() {
        if (left_ != 0 && --left_ == 0) on_finished();
    }

private:
    int left_ = 0;
};

/// What a spawn hands over.
struct blast {
    int radius = 1;
    int frames = 2;
};

class explosion : public lido::pooled {
public:
    using payload_type = blast;

    void place(const lido::transform& where) { x_ = where.x; }
    void on_acquire(const blast& with) { with_ = with; }
    void set_in_use(bool in_use) {
        pooled::set_in_use(in_use);  // first: seen, solid and ticking, or none of it
        if (in_use) {
            effect_.on_finished = [this] { return_to_pool(); };
            effect_.play(with_.frames);
        } else {
            effect_.stop();
        }
    }

    void step() { effect_.step(); }
    [[nodiscard]] int radius() const { return with_.radius; }
    [[nodiscard]] double x() const { return static_cast<double>(x_); }

private:
    particle_effect effect_;
    blast with_;
    float x_ = 0;
};

}  // namespace

int main() {
    lido::world world;
    world.add<explosion>("explosion", {.prewarm = 4});
    world.finished<explosion>().connect([](explosion& e, lido::ref<explosion>) {
        std::printf("  the one at %.0f has ended%s\n", e.x(), e.visible() ? "" : " and is not seen any more");
    });
    world.start();

    lido::ref<explosion> first;
    for (int tick = 1; tick <= 5; ++tick) {
        std::printf("tick %d\n", tick);
        if (tick == 1) {
            first = world.spawn<explosion>({.x = 10}, blast{.radius = 3, .frames = 3});
            world.spawn<explosion>({.x = 20});  // without a payload: a blast of the usual kind
        }
        if (tick == 4) {
            const auto again = world.spawn<explosion>({.x = 30}, blast{.radius = 8, .frames = 2});
            std::printf("  a new one, radius %d; the first is %s\n", again->radius(),
                        world.lives(first) ? "still there" : "gone, whoever has its object now");
        }
        world.for_each<explosion>([](explosion& e) { e.step(); });  // may return the one it is at
        world.tick();
    }

    const lido::class_stats s = world.stats<explosion>();
    std::printf("%u lives, %u objects made, %u active\n", static_cast<unsigned>(s.counters.spawned),
                static_cast<unsigned>(s.pool.created), static_cast<unsigned>(s.pool.size));
}

/* Output:
tick 1
tick 2
  the one at 20 has ended and is not seen any more
tick 3
  the one at 10 has ended and is not seen any more
tick 4
  a new one, radius 8; the first is gone, whoever has its object now
tick 5
  the one at 30 has ended and is not seen any more
3 lives, 4 objects made, 0 active
*/
