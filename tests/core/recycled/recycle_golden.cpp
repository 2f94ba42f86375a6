// X1, X19, S3.2: the same script gives the same handles, state hash and image of a recycle_pool on every compiler and build type. See
// rewind/determinism_golden.cpp for what a difference means.
#include <lido/core/recycle_pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lido::golden {

/// Not in an anonymous namespace: its name is part of the image.
struct ember {
    std::uint32_t id = 0;
    std::vector<std::uint32_t> trail;

    void on_acquire(std::uint32_t number) {
        id = number;
        trail.clear();
    }
    void save(image_writer& w) const {
        w.put(id);
        w.put(static_cast<std::uint32_t>(trail.size()));
        for (const std::uint32_t t : trail) w.put(t);
    }
    bool load(image_reader& r) {
        id = r.take<std::uint32_t>();
        const auto count = r.take<std::uint32_t>();
        if (!r.has(count, sizeof(std::uint32_t))) return false;
        for (std::uint32_t i = 0; i < count; ++i) trail.push_back(r.take<std::uint32_t>());
        return true;
    }
};

namespace {

template <class Pool>
std::uint64_t play(Pool& pool) {
    std::uint64_t random = 7;
    const auto next = [&random] {
        random = random * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>(random >> 33);
    };
    hasher seen;
    std::vector<typename Pool::handle_type> known;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        const std::uint32_t roll = next() % 16;
        if (roll < 8) {
            const request wish{static_cast<std::uint8_t>(next() % 5)};
            const auto made = pool.acquire_as(wish, i);
            seen.add(made.handle().to_bits());
            if (made) {
                made->trail.push_back(next());
                known.push_back(made.handle());
            }
        } else if (roll < 14) {
            if (known.empty()) continue;
            const std::size_t at = next() % known.size();
            if (pool.contains(known[at])) pool.release(known[at]);
            known[at] = known.back();
            known.pop_back();
        } else if (roll == 14) {
            pool.prewarm(next() % 20);
        } else {
            static_cast<void>(pool.trim(next() % 10));
        }
    }
    seen.add(pool.state_hash());
    return seen.digest();
}

template <class Pool>
std::uint64_t image_sum(const Pool& pool) {
    std::vector<std::byte> image;
    pool.save(image);
    return bytes_checksum(image);
}

TEST(recycle_golden, handles_state_and_image_are_those_of_all_time) {
    recycle_pool<ember> plain{40, {.idle_cap = 12}};
    EXPECT_EQ(play(plain), 11916915608312678268u);
    EXPECT_EQ(image_sum(plain), 15937734617626549905u);
    recycle_pool<ember, options{.handle_bits = 32, .index_bits = 26, .tracks = track::priority}> ranked{
        40, {.on_full = on_full::grow_to(70).then(on_full::replace_lowest), .idle_cap = 30}};
    EXPECT_EQ(play(ranked), 12689716152611639304u);
    EXPECT_EQ(image_sum(ranked), 14130685174755547958u);
}

}  // namespace
}  // namespace lido::golden
