// Particles that own a trail, as an arcade engine keeps them: at most 400 fly, packed in an array that is walked backward, and up to 600 more
// wait on a stack with the memory of their trails. Sparks and smoke are refused from 80 % on, so that what matters still fits.
// (S3.2, S3.4, S3.5.)
#include <lido/core.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

enum class kind : std::uint8_t { smoke, spark, exhaust };

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

using particle_list = lido::recycled_list<particle, lido::options{.headroom = true}>;

/// `length >= cap * 0.8` refuses sparks and smoke; the others matter more.
constexpr lido::request priority_of(kind k) { return {.priority = static_cast<std::uint8_t>(k == kind::exhaust)}; }

int emit(particle_list& list, kind k, int count, int ticks) {
    int made = 0;
    for (int i = 0; i < count; ++i) made += list.acquire_as(priority_of(k), k, ticks) != nullptr ? 1 : 0;
    return made;
}

/// From the last to the first: the one that takes the place of one that ends has been visited.
void tick(particle_list& list) {
    for (particle& p : list.backward()) {
        p.trail.push_back(1.0f);
        if (--p.ttl <= 0) list.release(p);
    }
}

void show(const char* when, const particle_list& list) {
    std::printf("%s: %u fly, %u wait\n", when, static_cast<unsigned>(list.size()), static_cast<unsigned>(list.idle()));
}

}  // namespace

int main() {
    particle_list list{400,
                       {.name = "particles",
                        .headroom = {.above_percent = 80, .priority = 1},
                        .leaks = lido::leaks::allow,
                        .idle_cap = 600}};
    list.prewarm(600);  // while a level loads
    show("loaded", list);

    std::printf("sparks %d of 200\n", emit(list, kind::spark, 200, 2));
    std::printf("smoke %d of 200\n", emit(list, kind::smoke, 200, 4));
    std::printf("sparks %d of 50: %s\n", emit(list, kind::spark, 50, 2), to_string(list.why_refused()));
    std::printf("exhaust %d of 100\n", emit(list, kind::exhaust, 100, 3));
    list.prewarm(600);
    show("both caps reached", list);

    for (int t = 1; t <= 4; ++t) {
        tick(list);
        std::printf("tick %d: %u fly, %u wait\n", t, static_cast<unsigned>(list.size()),
                    static_cast<unsigned>(list.idle()));
    }

    // The next one has flown before: its trail is empty, and has room.
    const particle* const again = list.acquire(kind::smoke, 1);
    std::printf("trail of %d, room for some: %s\n", static_cast<int>(again->trail.size()),
                again->trail.capacity() >= 2 ? "yes" : "no");

    const lido::pool_stats s = list.stats();
    std::printf("created %d, reused %d, destroyed %d, refused %d\n", static_cast<int>(s.created),
                static_cast<int>(s.reused), static_cast<int>(s.destroyed), static_cast<int>(s.refused));
}

/* Output:
loaded: 0 fly, 600 wait
sparks 200 of 200
smoke 120 of 200
sparks 0 of 50: headroom is kept for higher priorities
exhaust 80 of 100
both caps reached: 400 fly, 600 wait
tick 1: 400 fly, 600 wait
tick 2: 200 fly, 600 wait
tick 3: 120 fly, 600 wait
tick 4: 0 fly, 600 wait
trail of 0, room for some: yes
created 1000, reused 401, destroyed 400, refused 150
*/
