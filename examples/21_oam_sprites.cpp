// The sprite memory (OAM) of an 8-bit console: 64 entries of four bytes. The active sprites are packed at the front, so a frame uploads the
// first `num_active_sprites` x 4 bytes in one piece and no more. (S1.3, S1.8: sprite upload.)
#include <lido/core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>

namespace {

/// One entry, in the order in which the picture unit reads it.
struct sprite {
    std::uint8_t y, tile, attributes, x;
};
static_assert(sizeof(sprite) == 4);

constexpr std::uint32_t num_sprites = 64;
using sprite_pool = lido::inline_dense_pool<sprite, num_sprites>;

/// What is not below the picture is shown. An upload leaves the entries behind it as they are.
struct picture_unit {
    static constexpr std::uint8_t below = 0xff;
    std::array<std::uint8_t, num_sprites * 4> oam{};

    void dma(std::span<const std::byte> from) { std::memcpy(oam.data(), from.data(), from.size()); }
    void hide(std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) oam[i * 4] = below;
    }
    [[nodiscard]] unsigned shown() const {
        unsigned count = 0;
        for (std::size_t i = 0; i < num_sprites; ++i) count += oam[i * 4] < 240 ? 1u : 0u;
        return count;
    }
    void show(std::size_t entry) const {
        std::printf("  entry %u: tile %u at %u,%u\n", static_cast<unsigned>(entry), unsigned{oam[entry * 4 + 1]},
                    unsigned{oam[entry * 4 + 3]}, unsigned{oam[entry * 4]});
    }
};

/// A frame: upload what is active, hide what was there in the last frame and is no more.
std::size_t upload(const sprite_pool& sprites, picture_unit& to, std::size_t shown_before) {
    const std::span<const std::byte> active = std::as_bytes(sprites.values());  // sprites.size() * 4 bytes, no copy
    to.dma(active);
    to.hide(sprites.size(), shown_before);
    std::printf("%u active sprites: %u of %u bytes uploaded, %u shown\n", static_cast<unsigned>(sprites.size()),
                static_cast<unsigned>(active.size()), static_cast<unsigned>(num_sprites * 4), to.shown());
    return sprites.size();
}

}  // namespace

int main() {
    sprite_pool sprites{{.name = "sprites", .leaks = lido::leaks::allow}};
    picture_unit picture;
    picture.hide(0, num_sprites);

    std::array<lido::handle<sprite>, 6> mine{};
    for (std::uint8_t i = 0; i < 6; ++i) {
        mine[i] = sprites.acquire(sprite{static_cast<std::uint8_t>(16 * i), static_cast<std::uint8_t>(10 + i), 0,
                                         static_cast<std::uint8_t>(8 * i)});
    }
    std::size_t shown = upload(sprites, picture, 0);

    // One ends: the last active one takes its entry, and the count is one less. A handle follows its sprite; an entry's number would not.
    sprites.release(mine[1]);
    sprites.get(mine[5])->x = 100;
    shown = upload(sprites, picture, shown);
    picture.show(1);

    // All 64, and one too many.
    while (sprites.acquire(sprite{120, 1, 0, 0})) {
    }
    upload(sprites, picture, shown);
    std::printf("the 65th: %s\n", to_string(sprites.why_refused()));
}

/* Output:
6 active sprites: 24 of 256 bytes uploaded, 6 shown
5 active sprites: 20 of 256 bytes uploaded, 5 shown
  entry 1: tile 15 at 100,80
64 active sprites: 256 of 256 bytes uploaded, 64 shown
the 65th: full
*/
