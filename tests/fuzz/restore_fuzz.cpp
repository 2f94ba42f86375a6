// Fuzzes restore() of images: bytes from a stranger are refused with nothing changed, or give a pool that works. Row X1.
//
// Input: byte 0 chooses the pool (low 4 bits) and the mode (high 4 bits), the rest is the image.
//   mode 0      as it is
//   mode 1      sealed first: size and checksum made right, so that the fuzzer gets past them
//   mode 2..15  a sound image of a lived-in pool, on which the bytes act as (place, value) pairs; sealed
// tests/fuzz/make_restore_corpus.cpp makes the corpus.
#include "core/property/configs.hpp"
#include "core/rewind/image_map.hpp"
#include "core/rewind/shake.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

namespace lido::test {
namespace {

/// An aggregate, so that its bools can be found and checked.
struct toggles {
    std::int32_t number;
    bool odd = true;
    bool both[2] = {true, false};
    [[nodiscard]] int read() const noexcept { return number; }
};

[[noreturn]] void stop(const char* pool, const char* what) {
    std::fprintf(stderr, "restore_fuzz: %s: %s\n", pool, what);
    std::abort();
}

template <class Pool>
void live_in(Pool& pool) {
    using handle_type = typename Pool::handle_type;
    std::vector<handle_type> all;
    if constexpr (Pool::pool_options.generations == generation_rule::retire) {
        static_cast<void>(pool.release(pool.reserve(handle_type::of(3, handle_type::last_generation - 1), 7).handle()));
    }
    for (int i = 0; i < 9; ++i) all.push_back(pool.acquire_as({static_cast<std::uint8_t>(i % 3)}, 100 + i).handle());
    for (const std::size_t i : {1u, 6u, 4u}) static_cast<void>(pool.release(all[i]));
}

template <class Pool>
void attack(unsigned mode, std::span<const std::uint8_t> input) {
    // Silent: a refused release is expected here.
    static_cast<void>(set_misuse_handler([](const misuse&) {}));
    const auto make = [] {
        typename Pool::settings_type settings{.on_full = Pool::can_grow ? on_full::grow_to(200) : on_full::reject};
        if constexpr (std::is_constructible_v<Pool, std::uint32_t>) {
            return Pool(12, settings);
        } else {
            return Pool(settings);
        }
    };
    Pool pool = make();
    live_in(pool);
    std::vector<std::byte> before;
    pool.save(before);
    const std::uint64_t hash = pool.state_hash();

    std::vector<std::byte> image;
    if (mode < 2) {
        for (const std::uint8_t b : input) image.push_back(static_cast<std::byte>(b));
    } else {
        image = before;
        for (std::size_t i = 0; i + 2 < input.size(); i += 3) {
            const std::size_t at = static_cast<std::size_t>(input[i] | input[i + 1] << 8) % image.size();
            image[at] = static_cast<std::byte>(input[i + 2]);
        }
    }
    if (mode != 0) seal(image);

    const restore_result r = pool.restore(image);
    if (!r) {
        if (r.what() == nullptr || *r.what() == '\0') stop(Pool::shape, "refused without a reason");
        std::vector<std::byte> after;
        pool.save(after);
        if (after != before || pool.state_hash() != hash) stop(Pool::shape, "refused, and yet changed");
    } else {
        std::vector<std::byte> after;
        pool.save(after);
        Pool twin = make();
        if (!twin.restore(after)) stop(Pool::shape, "a restored pool's image is refused");
        if (twin.state_hash() != pool.state_hash()) stop(Pool::shape, "a restored pool's image is of another state");
    }
    if (const char* const wrong = shake(pool, hash, 80)) stop(Pool::shape, wrong);
}

}  // namespace
}  // namespace lido::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lido;
    using namespace lido::test;
    if (size == 0) return 0;
    const unsigned mode = data[0] >> 4;
    const std::span<const std::uint8_t> rest(data + 1, size - 1);
    switch (data[0] & 15) {
        case 0: attack<slot_pool<cell, options{}, heap_storage>>(mode, rest); break;
        case 1: attack<slot_pool<cell, with(options{}, reuse::lowest)>>(mode, rest); break;
        case 2: attack<slot_pool<toggles, resting(short_lived, 4), heap_storage>>(mode, rest); break;
        case 3: attack<slot_pool<cell, with(short_lived, track::age), heap_storage>>(mode, rest); break;
        case 4: attack<slot_pool<owner, with(options{}, track::priority)>>(mode, rest); break;
        case 5: attack<flag_pool<cell, 12>>(mode, rest); break;
        case 6: attack<flag_pool<toggles, 12, with(options{}, generation_rule::none)>>(mode, rest); break;
        case 7: attack<flag_pool<owner, 12, with(short_lived, track::priority)>>(mode, rest); break;
        case 8: attack<dense_pool<cell, options{}, heap_storage>>(mode, rest); break;
        case 9: attack<dense_pool<toggles, of_rows(1u << 21)>>(mode, rest); break;
        case 10: attack<dense_pool<cell, resting(short_lived, 4), heap_storage>>(mode, rest); break;
        case 11: attack<dense_pool<owner, with(options{}, track::priority)>>(mode, rest); break;
        case 12: attack<dense_pool<cell, with(short_lived, generation_rule::wrap), heap_storage>>(mode, rest); break;
        case 13: attack<slot_pool<cell, with(short_lived, generation_rule::wrap), heap_storage>>(mode, rest); break;
        default: break;
    }
    return 0;
}
