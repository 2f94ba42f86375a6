// The sixteen bullets of an 8-bit shooter: parallel arrays with an active flag. A bullet keeps its index for its whole life, the next takes
// the first inactive one, and each array is read by itself. (S1.1.)
#include <lido/core.hpp>

#include <cstdint>
#include <cstdio>

namespace {

constexpr std::uint32_t num_bullets = 16;

/// bullet_x, bullet_y, bullet_vx, bullet_vy: `.res NUM_BULLETS` each. bullet_active is the pool's.
struct bullet {
    std::uint8_t x, y;
    std::int8_t vx, vy;
};

/// As there: an index and no more, so an index that is kept too long means the next bullet. Without the option a handle costs four bytes
/// a slot and never does.
constexpr lido::options as_there{.generations = lido::generation_rule::none};
using bullet_pool = lido::inline_flag_column_pool<bullet, num_bullets, as_there>;

std::uint8_t moved(std::uint8_t at, std::int8_t by) { return static_cast<std::uint8_t>(at + by); }

/// update_bullets: advance what is active, then `lda #0 : sta bullet_active,y` for what left the screen.
void update_bullets(bullet_pool& bullets) {
    bullets.for_each<&bullet::x, &bullet::vx>([](std::uint8_t& x, std::int8_t vx) { x = moved(x, vx); });
    bullets.for_each<&bullet::y, &bullet::vy>([](std::uint8_t& y, std::int8_t vy) { y = moved(y, vy); });
    bullets.release_if<&bullet::y>([](std::uint8_t y) { return y >= 240; });
}

void show(const bullet_pool& bullets) {
    for (std::uint32_t slot = 0; slot < num_bullets; ++slot) std::printf("%c", bullets.lives(slot) ? '1' : '0');
    std::printf("  %u active, passes look at %u slots\n", static_cast<unsigned>(bullets.size()),
                static_cast<unsigned>(bullets.used()));
}

}  // namespace

int main() {
    bullet_pool bullets{{.name = "bullets", .leaks = lido::leaks::allow}};

    // spawn_bullet: y = slot index, or carry set.
    for (int i = 0; i < 17; ++i) {
        const auto shot = bullets.acquire(static_cast<std::uint8_t>(10 * i), static_cast<std::uint8_t>(200 + i),
                                          std::int8_t{2}, static_cast<std::int8_t>(i % 3 == 0 ? 20 : -4));
        if (i == 5) std::printf("bullet 5 is in slot %u\n", static_cast<unsigned>(shot.handle().index()));
        if (!shot) std::printf("bullet %d: %s\n", i, to_string(bullets.why_refused()));
    }
    show(bullets);
    for (int frame = 0; frame < 2; ++frame) update_bullets(bullets);
    show(bullets);

    // The next one lands in the first free slot; nobody has moved.
    const auto next = bullets.acquire(std::uint8_t{1}, std::uint8_t{100}, std::int8_t{0}, std::int8_t{-1});
    std::printf("the next is in slot %u, slot 5 is at x %u\n", static_cast<unsigned>(next.handle().index()),
                static_cast<unsigned>(bullets.row(5).get<&bullet::x>()));

    // An array is an array: here by index with the flag, as the old loop does it.
    const auto x = bullets.column<&bullet::x>();
    unsigned sum = 0;
    for (std::uint32_t slot = 0; slot < x.size(); ++slot) sum += bullets.lives(slot) ? x[slot] : 0u;
    std::printf("sum of x: %u\n", sum);

    // There a slot is five bytes: four fields and a flag of eight bits. Here it is four and one bit, in words of 64.
    const double flags = bullets.stats().bookkeeping_per_slot * num_bullets;
    const auto fields = static_cast<unsigned>(num_bullets * sizeof(bullet));
    std::printf("%u bytes of fields and %.0f of flags; by hand %u and %u\n", fields, flags, fields,
                static_cast<unsigned>(num_bullets));
    using word_full = lido::inline_flag_column_pool<bullet, 64, as_there>;
    std::printf("64 slots: %.3f bytes of bookkeeping a slot\n", word_full{}.stats().bookkeeping_per_slot);
}

/* Output:
bullet 5 is in slot 5
bullet 16: full
1111111111111111  16 active, passes look at 16 slots
0110110110110110  10 active, passes look at 15 slots
the next is in slot 0, slot 5 is at x 54
sum of x: 791
64 bytes of fields and 8 of flags; by hand 64 and 16
64 slots: 0.125 bytes of bookkeeping a slot
*/
