// Sprites for the graphics card: dense_pool keeps them in one piece, so that a frame's upload is one copy of its bytes.
// (S1.8: sprite upload.)
#include <lido/core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace {

/// What the shader reads, to the byte.
struct sprite {
    float x, y;
    std::uint16_t width, height;
    std::uint32_t colour;
};
static_assert(sizeof(sprite) == 16 && std::is_trivially_copyable_v<sprite>);

/// Stands for the buffer of a graphics card.
struct gpu_buffer {
    std::vector<std::byte> memory = std::vector<std::byte>(1024);
    std::size_t used = 0;
    int uploads = 0;

    void upload(std::span<const std::byte> bytes) {
        std::memcpy(memory.data(), bytes.data(), bytes.size());
        used = bytes.size();
        ++uploads;
    }
    sprite at(std::size_t i) const {
        sprite s;
        std::memcpy(&s, memory.data() + i * sizeof(sprite), sizeof(sprite));
        return s;
    }
};

}  // namespace

int main() {
    lido::dense_pool<sprite> sprites{64, {.leaks = lido::leaks::allow}};
    gpu_buffer gpu;

    std::vector<lido::handle<sprite>> owners;
    for (std::uint32_t i = 0; i < 5; ++i) {
        owners.push_back(
            sprites.acquire(static_cast<float>(i) * 10, 0.0f, std::uint16_t{8}, std::uint16_t{8}, 0xff000000u + i));
    }

    const lido::dense_pool<sprite>& ready = sprites;
    gpu.upload(std::as_bytes(ready.values()));
    std::printf("%u sprites: %u bytes in %d upload\n", static_cast<unsigned>(sprites.size()),
                static_cast<unsigned>(gpu.used), gpu.uploads);

    // One goes; the last takes its row, and there is still no gap. Handles follow, rows do not.
    sprites.release(owners[1]);
    sprites.get(owners[4])->y = 7;
    gpu.upload(std::as_bytes(ready.values()));
    std::printf("%u sprites: %u bytes\n", static_cast<unsigned>(sprites.size()), static_cast<unsigned>(gpu.used));
    for (std::size_t i = 0; i < sprites.size(); ++i) {
        const sprite s = gpu.at(i);
        std::printf("  row %u: x %.0f, y %.0f, colour %08x\n", static_cast<unsigned>(i), static_cast<double>(s.x),
                    static_cast<double>(s.y), static_cast<unsigned>(s.colour));
    }
}

/* Output:
5 sprites: 80 bytes in 1 upload
4 sprites: 64 bytes
  row 0: x 0, y 0, colour ff000000
  row 1: x 40, y 7, colour ff000004
  row 2: x 20, y 0, colour ff000002
  row 3: x 30, y 0, colour ff000003
*/
