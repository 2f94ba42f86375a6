// X1, X19: the same script gives the same state of a ring_pool and of a capped_list, on every compiler and build type, for all time.
#include <lido/core/capped_list.hpp>
#include <lido/core/ring_pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lido::golden {

struct trace_point {
    float x;
    std::uint32_t owner;
};

namespace {

class dice {
public:
    std::uint32_t below(std::uint32_t n) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>((state_ >> 33) % n);
    }

private:
    std::uint64_t state_ = 42;
};

template <class Part>
void expect(const Part& part, std::uint64_t hash, std::size_t bytes, std::uint64_t checksum) {
    std::vector<std::byte> image;
    part.save(image);
    EXPECT_GT(part.size(), 3u) << "the script left nothing to compare";
    EXPECT_EQ(part.state_hash(), hash) << "0x" << std::hex << part.state_hash();
    EXPECT_EQ(image.size(), bytes);
    EXPECT_EQ(bytes_checksum(image), checksum) << "0x" << std::hex << bytes_checksum(image);
}

template <class Pool>
void play(Pool& pool) {
    dice d;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        pool.acquire(static_cast<float>(i) * 0.5f, i);
        if (d.below(3) == 0 && !pool.empty()) pool.release(*pool.oldest(d.below(pool.size())));
        if (d.below(50) == 0) pool.release_if([](const trace_point& p) { return p.owner % 3 == 0; });
    }
}

TEST(golden_ring, of_a_ring_pool) {
    ring_pool<trace_point> pool(100);
    play(pool);
    expect(pool, 0x4876f94db25553aU, 1202, 0x7bb63f6d0e276956U);
}
TEST(golden_ring, of_a_ring_pool_that_retires) {
    ring_pool<trace_point, options{.handle_bits = 32, .index_bits = 27}> pool(300);
    play(pool);
    expect(pool, 0x417679ee3db39c6aU, 2240, 0xd5c0e0a8e6d09ab1U);
}
TEST(golden_list, of_a_capped_list_that_replaces_the_lowest) {
    capped_list<trace_point, 15, options{.tracks = track::priority}> list({.on_full = on_full::replace_lowest});
    dice d;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        list.push_as({.priority = static_cast<std::uint8_t>(d.below(4))}, static_cast<float>(i) * 0.5f, i);
        if (d.below(4) == 0) list.swap_remove(d.below(list.size()));
    }
    expect(list, 0x8691ac676a78bdb0U, 385, 0x80700a98a6acca9dU);
}

}  // namespace
}  // namespace lido::golden
