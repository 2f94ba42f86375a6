// Rewind: back to a kept tick, and the same steps give the same handles and the same state. Then the state as bytes.
#include <lido/core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

struct enemy {
    std::uint32_t hp;
    std::uint32_t x;
};

/// What is not in a pool and yet decides what happens next is saved beside the pools.
struct dice {
    std::uint32_t state = 7;
    std::uint32_t roll(std::uint32_t sides) {
        state = state * 1664525u + 1013904223u;
        return (state >> 16) % sides;
    }
};

/// One tick of a game. Answers the handle of the enemy that it spawned.
lido::handle<enemy> step(lido::slot_pool<enemy>& enemies, dice& d) {
    enemies.release_if([&d](enemy& e) {
        e.x += d.roll(10);
        e.hp -= 1;
        return e.hp == 0;
    });
    return enemies.acquire(1 + d.roll(4), 0u);
}

}  // namespace

int main() {
    lido::slot_pool<enemy> enemies{16, {.leaks = lido::leaks::allow}};
    dice d;
    lido::rewind<8> past;  // the last 8 ticks
    std::vector<lido::handle<enemy>> spawned;

    for (std::uint64_t tick = 0; tick < 12; ++tick) {
        past.save(tick, enemies, d);
        spawned.push_back(step(enemies, d));
    }
    const std::uint64_t end = lido::state_hash(enemies, d);
    std::printf("kept ticks: %d to %d\n", static_cast<int>(*past.oldest()), static_cast<int>(*past.newest()));

    // Five ticks back, and forth again.
    if (const auto back = past.restore(7, enemies, d); !back) return 1;
    std::printf("after the restore, the spawn of tick 8 %s\n", enemies.contains(spawned[8]) ? "lives" : "is not known");
    bool same = true;
    for (std::size_t tick = 7; tick < 12; ++tick) same = step(enemies, d) == spawned[tick] && same;
    std::printf("same handles: %s, same state: %s\n", same ? "yes" : "no",
                lido::state_hash(enemies, d) == end ? "yes" : "no");
    std::printf("tick 2: %s\n", past.restore(2, enemies, d).what());

    // An image is for outside: a file, a network. Another pool, of the same type, takes it over.
    std::vector<std::byte> image;
    lido::save(image, enemies, d);
    lido::slot_pool<enemy> copy{16, {.leaks = lido::leaks::allow}};
    dice copy_of_d;
    const auto taken = lido::restore(image, copy, copy_of_d);
    std::printf("image: %s, same state: %s\n", taken.what(), lido::state_hash(copy, copy_of_d) == end ? "yes" : "no");

    // Bytes from outside may be wrong. They are refused, and nothing has changed.
    image[image.size() / 2] ^= std::byte{0x10};
    std::printf("one bit flipped: %s\n", lido::restore(image, copy, copy_of_d).what());
    image.resize(image.size() / 2);
    std::printf("cut in half: %s\n", lido::restore(image, copy, copy_of_d).what());
    std::printf("still the same state: %s\n", lido::state_hash(copy, copy_of_d) == end ? "yes" : "no");
}

/* Output:
kept ticks: 4 to 11
after the restore, the spawn of tick 8 is not known
same handles: yes, same state: yes
tick 2: that tick is not kept
image: restored, same state: yes
one bit flipped: the checksum does not match: the bytes are damaged
cut in half: the bytes end too early
still the same state: yes
*/
