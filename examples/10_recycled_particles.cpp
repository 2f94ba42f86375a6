// Particles that own a trail: at most 400 fly, up to 600 wait with the memory of their trails, and sparks may not crowd out smoke.
// (S3.2, S3.5.)
#include <lido/core.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

enum class kind : std::uint8_t { smoke, spark };

struct particle {
    kind is = kind::smoke;
    int ttl = 0;
    std::vector<float> trail;

    // Every life begins here, of new particles and of those that waited. What it does not set is what the last life left.
    void on_acquire(kind k, int ticks) noexcept {
        is = k;
        ttl = ticks;
        trail.clear();  // keeps its memory
    }
};

// Two kinds of request, so that each can have a cap of its own.
using particle_pool = lido::recycle_pool<particle, lido::options{.kinds = 2}>;

int emit(particle_pool& pool, kind k, int count, int ticks) {
    int made = 0;
    for (int i = 0; i < count; ++i) {
        if (pool.acquire_as({.kind = static_cast<std::uint8_t>(k)}, k, ticks)) ++made;
    }
    return made;
}

void tick(particle_pool& pool) {
    for (particle& p : pool) {
        p.trail.push_back(1.0f);
        --p.ttl;
    }
    pool.release_if([](const particle& p) { return p.ttl <= 0; });
}

}  // namespace

int main() {
    // 0: no cap of its own. Sparks are refused once 300 particles fly.
    particle_pool pool{400, {.name = "particles", .leaks = lido::leaks::allow, .kind_caps = {0, 300}, .idle_cap = 600}};

    // While a level loads, a hundred a frame.
    int frames = 1;
    while (pool.prewarm_some(600, 100) != 0) ++frames;
    std::printf("prewarmed %u in %d frames\n", static_cast<unsigned>(pool.idle()), frames);

    std::printf("sparks %d of 350\n", emit(pool, kind::spark, 350, 2));
    std::printf("smoke %d of 150\n", emit(pool, kind::smoke, 150, 4));
    for (int t = 1; t <= 4; ++t) {
        tick(pool);
        std::printf("tick %d: %u fly, %u wait\n", t, static_cast<unsigned>(pool.size()),
                    static_cast<unsigned>(pool.idle()));
    }

    // The next one has flown before: its trail is empty, and has room.
    const auto again = pool.acquire(kind::smoke, 1);
    std::printf("trail of %d, room for some: %s\n", static_cast<int>(again->trail.size()),
                again->trail.capacity() >= 2 ? "yes" : "no");

    const lido::pool_stats s = pool.stats();
    std::printf("created %d, reused %d, destroyed %d, refused %d\n", static_cast<int>(s.created),
                static_cast<int>(s.reused), static_cast<int>(s.destroyed), static_cast<int>(s.refused));
}

/* Output:
prewarmed 600 in 6 frames
sparks 300 of 350
smoke 100 of 150
tick 1: 400 fly, 200 wait
tick 2: 100 fly, 500 wait
tick 3: 100 fly, 500 wait
tick 4: 0 fly, 600 wait
trail of 0, room for some: yes
created 600, reused 401, destroyed 0, refused 100
*/
