// One pool, one object, two lives of one slot: what a handle is.
#include <lido/core.hpp>

#include <cstdio>

namespace {

struct torch {
    int fuel;
};

/// What anyone who kept a handle does: asks for the object, and is told when it is no longer there.
void look(lido::slot_pool<torch>& torches, const char* name, lido::handle<torch> handle) {
    std::printf("%-6s slot %u, generation %u: ", name, static_cast<unsigned>(handle.index()),
                static_cast<unsigned>(handle.generation()));
    if (const torch* found = torches.try_get(handle)) {
        std::printf("fuel %d\n", found->fuel);
    } else {
        std::printf("gone\n");
    }
}

}  // namespace

int main() {
    lido::slot_pool<torch> torches{2};  // room for two; the pool takes memory as they are used

    const lido::handle<torch> first = torches.acquire(100);
    look(torches, "first", first);

    torches.release(first);
    look(torches, "first", first);

    // The slot is used again. The old handle does not become a handle of the new torch: the generation differs.
    const lido::handle<torch> second = torches.acquire(50);
    look(torches, "first", first);
    look(torches, "second", second);

    // A second release of the same life does nothing but answer false. The pool counts it, and tells the misuse handler;
    // here that one is quiet.
    lido::set_misuse_handler([](const lido::misuse&) {});
    std::printf("released twice: %s\n", torches.release(first) ? "yes" : "refused");

    // Room for two, and no more.
    torches.acquire(75);
    const auto third = torches.acquire(1);
    std::printf("a third torch: %s (%s)\n", third ? "lit" : "refused", to_string(torches.why_refused()));

    const lido::pool_stats stats = torches.stats();
    std::printf("%u live of %u, bad releases: %u\n", static_cast<unsigned>(stats.size),
                static_cast<unsigned>(stats.capacity), static_cast<unsigned>(stats.bad_releases));
}

/* Output:
first  slot 0, generation 1: fuel 100
first  slot 0, generation 1: gone
first  slot 0, generation 1: gone
second slot 0, generation 3: fuel 50
released twice: refused
a third torch: refused (full)
2 live of 2, bad releases: 1
*/
