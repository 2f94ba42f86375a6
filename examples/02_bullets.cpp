// Bullets in a slot_pool: spawn, step, remove the spent ones; a handle that outlives its target; a full pool.
// (S1.8: bullets.)
#include <lido/core.hpp>

#include <cstdio>

namespace {

struct target {
    int x;
    int hits = 0;
};

struct bullet {
    int x;
    int speed;
    int ttl;                          // ticks left
    lido::handle<target> aimed_at{};  // 8 bytes; a pointer would dangle once the target has gone
};

lido::slot_pool<target> targets{8, {.name = "targets", .leaks = lido::leaks::allow}};

lido::slot_pool<bullet> bullets{5, {.name = "bullets"}};

void step() {
    for (bullet& b : bullets) {
        b.x += b.speed;
        --b.ttl;
        target* const t = targets.try_get(b.aimed_at);  // nullptr once that target has gone
        if (t == nullptr) {
            std::printf("a bullet at %d has lost its target\n", b.x);
        } else if (b.x >= t->x) {
            ++t->hits;
            b.ttl = 0;
        }
    }
    // Ends every spent bullet, in one pass that visits each once.
    bullets.release_if([](const bullet& b) { return b.ttl <= 0; });
}

}  // namespace

int main() {
    const lido::handle<target> barrel = targets.acquire(30);
    const lido::handle<target> crate = targets.acquire(60);

    // Six shots into a pool of five: one is dropped, and counted.
    for (int i = 0; i < 6; ++i) {
        const auto shot = bullets.acquire(0, 16 - 2 * i, 5, i % 2 == 0 ? barrel : crate);
        if (shot) {
            std::printf("shot %d: slot %u, speed %d\n", i, static_cast<unsigned>(shot.handle().index()), shot->speed);
        } else {
            std::printf("shot %d: %s\n", i, to_string(bullets.why_refused()));
        }
    }

    for (int tick = 1; tick <= 5; ++tick) {
        step();
        std::printf("tick %d: %u bullets", tick, static_cast<unsigned>(bullets.size()));
        if (const target* t = targets.try_get(barrel); t != nullptr && t->hits >= 2) {
            targets.release(barrel);  // one bullet still aims at it
            std::printf(", the barrel is gone");
        }
        std::printf("\n");
    }

    const lido::pool_stats s = bullets.stats();
    std::printf("crate hits: %d, barrel: %s\n", targets.get(crate)->hits, targets.contains(barrel) ? "there" : "gone");
    std::printf("%s: %u acquired, %u dropped, peak %u of %u\n", bullets.name(), static_cast<unsigned>(s.acquired),
                static_cast<unsigned>(s.refused), static_cast<unsigned>(s.peak), static_cast<unsigned>(s.capacity));
}

/* Output:
shot 0: slot 0, speed 16
shot 1: slot 1, speed 14
shot 2: slot 2, speed 12
shot 3: slot 3, speed 10
shot 4: slot 4, speed 8
shot 5: full
tick 1: 5 bullets
tick 2: 4 bullets
tick 3: 3 bullets, the barrel is gone
a bullet at 32 has lost its target
tick 4: 3 bullets
a bullet at 40 has lost its target
tick 5: 0 bullets
crate hits: 1, barrel: gone
bullets: 5 acquired, 1 dropped, peak 5 of 5
*/
