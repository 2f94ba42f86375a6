// Four bugs that hide in pools, and what a debug build says of each: who acquired, who released, when, and who lives there now.
//
// The reports are switched on here whatever the build is; lines need -g and lido::symbols, which this program links.
#define LIDO_FORENSICS 1
#include <lido/core.hpp>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

namespace {

struct bullet {
    int damage = 0;
};

struct enemy {
    int health = 100;
    int armour = 0;
    std::vector<int> path;

    void on_acquire(int h) {
        health = h;
        path.clear();  // the memory stays; the armour should not have
    }
};

using bullet_pool = lido::slot_pool<bullet>;

/// Functions that wrap a pool hand on who called them; else every report would name this line.
lido::handle<bullet> fire(bullet_pool& bullets, int damage, lido::caller at = lido::caller::here()) {
    const lido::blame them(at);
    return bullets.acquire(damage);
}

void print(const lido::misuse& m) { std::printf("%s: %s\n", m.pool, m.story); }

}  // namespace

int main() {
    lido::set_misuse_handler(&print);
    std::optional<bullet_pool> bullets(std::in_place, 64, bullet_pool::settings_type{.name = "bullets"});

    // 1. A drone hunts a bullet that is gone, and whose slot has a new life.
    lido::set_tick(100);
    const lido::handle<bullet> shot = fire(*bullets, 10);
    lido::set_tick(130);
    bullets->release(shot);
    const lido::handle<bullet> next = fire(*bullets, 20);
    lido::set_tick(131);
    for (int i = 0; i < 20; ++i) {
        if (bullets->get(shot) != nullptr) return 1;  // told the first and the tenth time
    }
    if (bullets->try_get(shot) != nullptr) return 1;  // the same question where the answer may be no: not told

    // 2. Two systems believe that they own a bullet, and both end it.
    bullets->release(next);
    bullets->release(next);

    // 3. A recycled object begins its next life with something of the last.
    lido::recycle_pool<enemy> enemies(8, {.name = "enemies"});
    auto grunt = enemies.acquire(100);
    grunt->armour = 3;
    enemies.release(grunt);
    enemies.release(enemies.acquire(100));

    // 4. The level ends, and some bullets do not.
    for (int i = 0; i < 3; ++i) static_cast<void>(fire(*bullets, i));
    static_cast<void>(fire(*bullets, 99));
    bullets.reset();
}

/* Output:
bullets: handle {slot 0, gen 1} is stale: acquired 14_find_the_bug.cpp:47 tick 100, released 14_find_the_bug.cpp:49 tick 130; slot now holds gen 3 from 14_find_the_bug.cpp:50; used 14_find_the_bug.cpp:53 tick 131
bullets: handle {slot 0, gen 1} is stale: acquired 14_find_the_bug.cpp:47 tick 100, released 14_find_the_bug.cpp:49 tick 130; slot now holds gen 3 from 14_find_the_bug.cpp:50; used 14_find_the_bug.cpp:53 tick 131 (10 times)
bullets: handle {slot 0, gen 3} is released twice: acquired 14_find_the_bug.cpp:50 tick 130, released 14_find_the_bug.cpp:58 tick 131; again 14_find_the_bug.cpp:59 tick 131
enemies: the object of slot 0 was recycled and not reset: armour (3, fresh 0); reset it in on_acquire, or name it in kept_fields; last life: acquired 14_find_the_bug.cpp:63 tick 131, released 14_find_the_bug.cpp:65 tick 131; acquired 14_find_the_bug.cpp:66 tick 131
bullets: 4 objects were still active when the pool ended: 3 from 14_find_the_bug.cpp:69, 1 from 14_find_the_bug.cpp:70
*/
