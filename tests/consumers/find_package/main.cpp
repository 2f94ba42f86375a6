// What a user's first program does: a pool, a handle that outlives its object, a state that comes back.
#include <lido/core.hpp>

static_assert(LIDO_VERSION_MAJOR == PACKAGE_MAJOR && LIDO_VERSION_MINOR == PACKAGE_MINOR &&
              LIDO_VERSION_PATCH == PACKAGE_PATCH);

struct bullet {
    float x, y;
    int ticks_left;
};

int main() {
    lido::slot_pool<bullet> bullets{64};
    const lido::handle<bullet> h = bullets.acquire(1.f, 2.f, 3);
    lido::rewind<2> past;
    past.save(1, bullets);
    bullets.release(h);
    if (bullets.get(h) != nullptr) return 1;
    if (!past.restore(1, bullets)) return 2;
    return bullets.get(h) != nullptr && bullets.get(h)->ticks_left == 3 ? 0 : 3;
}
