// Pickups in a slot_pool: a quest keeps a handle, somebody else takes the pickup, and the quest finds out without being told.
// (S1.8: pickups.)
#include <lido/core.hpp>

#include <cstdio>

namespace {

struct pickup {
    const char* what;
    int x;
};

}  // namespace

int main() {
    lido::slot_pool<pickup> pickups{64, {.leaks = lido::leaks::allow}};
    const lido::handle<pickup> key = pickups.acquire("key", 10);
    pickups.acquire("coin", 20);
    pickups.acquire("coin", 30);

    // The player stands at 10 and takes what lies there.
    constexpr int player = 10;
    const unsigned taken = pickups.release_if([](const pickup& p) { return p.x == player; });
    std::printf("took %u, %u are left\n", taken, static_cast<unsigned>(pickups.size()));

    // The slot has a new owner; the old handle does not reach it.
    const lido::handle<pickup> heart = pickups.acquire("heart", 40);
    std::printf("same slot: %s\n", heart.index() == key.index() ? "yes" : "no");
    std::printf("the key is %s\n", pickups.contains(key) ? "still there" : "gone");
    for (const pickup& p : pickups) std::printf("%s at %d\n", p.what, p.x);
}

/* Output:
took 1, 2 are left
same slot: yes
the key is gone
heart at 40
coin at 20
coin at 30
*/
