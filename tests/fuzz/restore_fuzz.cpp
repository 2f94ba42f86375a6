// Fuzzes restore() of images: bytes from a stranger are refused with nothing changed, or give a pool that works. Row X1.
//
// Input: byte 0 chooses the pool (its place in `targets`; past them, a byte map for load_map), byte 1 the mode, the rest is the
// image.
//   mode 0      as it is
//   mode 1      sealed first: size and checksum made right, so that the fuzzer gets past them
//   mode 2..    a sound image of a lived-in pool, on which the bytes act as (place, value) pairs; sealed
// tests/fuzz/make_restore_corpus.cpp makes the corpus.
#include "core/property/configs.hpp"
#include "core/rewind/image_map.hpp"
#include "core/rewind/shake.hpp"

#include <lido/core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <tuple>
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

/// An idle one begins anew.
class renewed_owner : public owner {
public:
    using owner::owner;
    void on_acquire(int v) noexcept { write(v); }
};

/// In columns; bytes of strangers may bring fields together that never were, so nothing is checked across them.
struct toggled_columns {
    std::int32_t number;
    bool odd = true;
    std::uint16_t path[3] = {1, 2, 3};
    template <class Row>
    [[nodiscard]] static int read(const Row& row) noexcept {
        const auto& [number, odd, path] = row;
        return number;
    }
};
struct owning_columns {
    std::int32_t number;
    owner whole{5};
    template <class Row>
    [[nodiscard]] static int read(const Row& row) noexcept {
        const auto& [number, whole] = row;
        return number;
    }
};

// --- the pools -----------------------------------------------------------------------------------------------------------

template <class Pool>
struct target {
    using pool = Pool;
    const char* name;
};

/// New ones at the end: the corpus names them by number.
constexpr std::tuple targets{
    target<slot_pool<cell, options{}, heap_storage>>{"slot_recent"},
    target<slot_pool<cell, with(options{}, reuse::lowest)>>{"slot_lowest"},
    target<slot_pool<toggles, resting(short_lived, 4), heap_storage>>{"slot_resting"},
    target<slot_pool<cell, with(short_lived, track::age), heap_storage>>{"slot_aged"},
    target<slot_pool<owner, with(options{}, track::priority)>>{"slot_ranked"},
    target<flag_pool<cell, 12>>{"flag"},
    target<flag_pool<toggles, 12, with(options{}, generation_rule::none)>>{"flag_bare"},
    target<flag_pool<owner, 12, with(short_lived, track::priority)>>{"flag_ranked"},
    target<dense_pool<cell, options{}, heap_storage>>{"dense_packed"},
    target<dense_pool<toggles, of_rows(1u << 21)>>{"dense_plain"},
    target<dense_pool<cell, resting(short_lived, 4), heap_storage>>{"dense_resting"},
    target<dense_pool<owner, with(options{}, track::priority)>>{"dense_ranked"},
    target<dense_pool<cell, with(short_lived, generation_rule::wrap), heap_storage>>{"dense_wrapping"},
    target<slot_pool<cell, with(short_lived, generation_rule::wrap), heap_storage>>{"slot_wrapping"},
    target<column_pool<toggled_columns, resting(short_lived, 4), heap_storage>>{"column_resting"},
    target<column_pool<owning_columns, with(options{}, track::priority)>>{"column_ranked"},
    target<recycle_pool<cell, short_lived, heap_storage>>{"recycle_short"},
    target<recycle_pool<renewed_owner, with(options{}, track::priority)>>{"recycle_ranked"},
    target<ring_pool<toggles, short_lived>>{"ring_short"},
    target<ring_pool<owner, with(short_lived, generation_rule::wrap)>>{"ring_wrapping"},
    target<capped_list<toggles, 12, with(options{}, track::age)>>{"capped_aged"},
    target<capped_list<owner, 12, with(options{}, track::priority)>>{"capped_ranked"},
    target<bytemap_pool<cell>>{"bytemap"},
    target<inline_bytemap_pool<owner, 12>>{"bytemap_owner"},
    target<inline_flag_column_pool<toggled_columns, 12, with(options{}, generation_rule::none)>>{"flag_column_bare"},
    target<flag_column_pool<owning_columns, with(short_lived, track::priority)>>{"flag_column_ranked"},
};
constexpr std::size_t target_count = std::tuple_size_v<decltype(targets)>;
constexpr std::size_t map_target = target_count;

[[noreturn]] void stop(const char* pool, const char* what) {
    std::fprintf(stderr, "restore_fuzz: %s: %s\n", pool, what);
    std::abort();
}

template <class Pool>
[[nodiscard]] Pool make_target() {
    typename Pool::settings_type settings;
    if constexpr (requires { Pool::can_grow; }) {
        if (Pool::can_grow) settings.on_full = on_full::grow_to(200);
    } else {
        settings.on_full = on_full::replace_oldest;
    }
    if constexpr (std::is_constructible_v<Pool, std::uint32_t>) {
        return Pool(12, settings);
    } else {
        return Pool(settings);
    }
}

/// Objects, holes, and where slots wear out one that has.
template <class Pool>
void live_in(Pool& pool) {
    if constexpr (requires { pool.push(1); }) {
        for (int i = 0; i < 14; ++i) static_cast<void>(pool.push_as({static_cast<std::uint8_t>(i % 3)}, 100 + i));
        for (const std::uint32_t row : {1u, 6u, 4u}) static_cast<void>(pool.swap_remove(row));
    } else {
        using handle_type = typename Pool::handle_type;
        std::vector<handle_type> all;
        if constexpr (!requires { pool.reserve(handle_type{}, 7); }) {
            for (int i = 0; i < 80; ++i) static_cast<void>(pool.release(pool.acquire(i).handle()));
        } else if constexpr (!requires { Pool::pool_options; }) {
            static_cast<void>(pool.release(pool.reserve(handle_type::of(3, 127), 7).handle()));
        } else if constexpr (Pool::pool_options.generations == generation_rule::retire) {
            static_cast<void>(
                pool.release(pool.reserve(handle_type::of(3, handle_type::last_generation - 1), 7).handle()));
        }
        for (int i = 0; i < 9; ++i)
            all.push_back(pool.acquire_as({static_cast<std::uint8_t>(i % 3)}, 100 + i).handle());
        for (const std::size_t i : {1u, 6u, 4u}) static_cast<void>(pool.release(all[i]));
    }
}

// --- attacks -------------------------------------------------------------------------------------------------------------

[[nodiscard]] std::vector<std::byte> bytes_of(std::span<const std::uint8_t> input) {
    std::vector<std::byte> bytes;
    for (const std::uint8_t b : input) bytes.push_back(static_cast<std::byte>(b));
    return bytes;
}

/// (place, place, value) triples on what is sound.
void patch(std::vector<std::byte>& sound, std::span<const std::uint8_t> input) {
    for (std::size_t i = 0; i + 2 < input.size(); i += 3) {
        const std::size_t at = static_cast<std::size_t>(input[i] | input[i + 1] << 8) % sound.size();
        sound[at] = static_cast<std::byte>(input[i + 2]);
    }
}

template <class Pool>
void attack(unsigned mode, std::span<const std::uint8_t> input) {
    Pool pool = make_target<Pool>();
    live_in(pool);
    std::vector<std::byte> before;
    pool.save(before);
    const std::uint64_t hash = pool.state_hash();

    std::vector<std::byte> image;
    if (mode < 2) {
        image = bytes_of(input);
    } else {
        image = before;
        patch(image, input);
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
        Pool twin = make_target<Pool>();
        if (!twin.restore(after)) stop(Pool::shape, "a restored pool's image is refused");
        if (twin.state_hash() != pool.state_hash()) stop(Pool::shape, "a restored pool's image is of another state");
    }
    if (const char* const wrong = shake(pool, hash, 80)) stop(Pool::shape, wrong);
}

/// The byte map of an old save. The remaker is as careless as scripts are: it leaves objects out, and makes others in between.
void attack_map(unsigned mode, std::span<const std::uint8_t> input) {
    using pool_type = bytemap_pool<cell>;
    pool_type pool(12);
    live_in(pool);
    std::vector<std::byte> before;
    pool.save(before);
    std::vector<std::byte> map;
    pool.save_map(map);
    if (mode < 2) {
        map = bytes_of(input);
    } else {
        patch(map, input);
    }
    const bool careless = mode % 2 != 0;
    std::uint32_t asked = 0;
    std::vector<pool_type::handle_type> made;
    const restore_result r = pool.load_map(map, [&](pool_type::handle_type handle) {
        ++asked;
        if (careless && handle.seed() % 5 == 0) return;
        if (careless && handle.seed() % 7 == 0) static_cast<void>(pool.acquire(1));
        if (pool.reserve(handle, handle.index())) made.push_back(handle);
    });
    std::vector<std::byte> after;
    if (!r) {
        pool.save(after);
        if (asked != 0 || after != before) stop("load_map", "refused, and yet changed");
    } else {
        for (const auto handle : made) {
            if (!pool.contains(handle) || pool.get(handle)->read() != handle.index())
                stop("load_map", "an object that was made anew is lost");
        }
        pool.save_map(after);
        if (!careless && after != map) stop("load_map", "a map that was loaded is saved as another");
    }
    if (const char* const wrong = shake(pool, asked, 80)) stop("load_map", wrong);
}

template <std::size_t... I>
void attack_by_number(std::size_t number, unsigned mode, std::span<const std::uint8_t> rest,
                      std::index_sequence<I...>) {
    static_cast<void>((
        (number == I ? (attack<typename std::tuple_element_t<I, decltype(targets)>::pool>(mode, rest), true) : false) ||
        ...));
}

}  // namespace
}  // namespace lido::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lido;
    using namespace lido::test;
    if (size < 2) return 0;
    // Silent: a refused release is expected here.
    static_cast<void>(set_misuse_handler([](const misuse&) {}));
    const std::size_t number = data[0] % (target_count + 1);
    const std::span<const std::uint8_t> rest(data + 2, size - 2);
    if (number == map_target) {
        attack_map(data[1], rest);
    } else {
        attack_by_number(number, data[1], rest, std::make_index_sequence<target_count>{});
    }
    return 0;
}
