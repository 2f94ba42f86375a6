// S2.2 .. S2.6: whatever is called, a bytemap_pool and the document's own loops (old_pool.hpp) come to the same numbers: the handle,
// first_free and the state byte after each call, the whole map now and then. 10^7 calls where it is optimised, fewer elsewhere. Pools
// are full and nearly full for most of it, for there the old search is odd.
#include "core/bytemap/old_pool.hpp"
#include "support/dose.hpp"

#include <lido/core/bytemap_pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace {

using namespace lido;
using test::old_pool;
using pool_type = bytemap_pool<std::uint32_t>;
using handle_type = pool_type::handle_type;

constexpr std::uint64_t calls_of_all = test::dose(checks ? 1'000'000u : 10'000'000u);

class both_pools {
public:
    explicit both_pools(std::int32_t count)
        : here_(static_cast<std::uint32_t>(count)), there_(count), random_(static_cast<std::uint64_t>(count)) {}

    /// `of_16`: how many of 16 calls are New().
    void call(std::uint32_t of_16) {
        const std::uint32_t roll = below(16);
        if (roll < of_16) return acquire();
        if (below(16) == 0) return reserve();
        if (below(20'000) == 0) return clear();
        if (below(50'000) == 0) return flush();
        if (roll % 4 == 3) return look();
        release();
    }

    void compare_maps() {
        const auto map = here_.byte_map();
        const std::vector<std::uint8_t> mine(map.begin(), map.end());
        EXPECT_EQ(mine, there_.byte_map());
        EXPECT_TRUE(here_.validate());
        EXPECT_EQ(here_.size(), live_.size());
        for (const std::int32_t slot : live_) {
            EXPECT_EQ(here_.handle_of(*here_.slot(slot)).to_bits(), there_.handle_of(slot));
        }
    }

    [[nodiscard]] std::uint64_t differences() const { return differences_; }
    [[nodiscard]] std::uint64_t failures_of_new() const { return failures_; }

private:
    std::uint32_t below(std::uint32_t n) {
        random_ = random_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>((random_ >> 33) % n);
    }
    std::int32_t any_slot() { return static_cast<std::int32_t>(below(static_cast<std::uint32_t>(there_.count()))); }

    void expect(bool holds) { differences_ += holds ? 0u : 1u; }
    void expect_same(std::int32_t slot) {
        expect(here_.first_free() == there_.first_free());
        const auto at = static_cast<std::size_t>(slot);
        if (slot >= 0) expect(here_.byte_map()[at] == there_.byte_map()[at]);
    }

    void acquire() {
        const std::int32_t slot = there_.take();
        const auto made = here_.acquire(0u);
        expect(made.handle().to_bits() == (slot == old_pool::none ? -1 : there_.handle_of(slot)));
        expect_same(slot);
        if (slot != old_pool::none) live_.push_back(slot);
        failures_ += slot == old_pool::none ? 1u : 0u;
    }

    /// Under the one handle to which the document, that looks at nothing but the index, gives the same seed. The slot is free, for
    /// here another is refused.
    void reserve() {
        const std::int32_t slot = any_slot();
        if (!there_.is_free(slot)) return;
        const std::int32_t handle = slot << 8 | (there_.seed(slot) + 1) % 128;
        const std::int32_t lowest = there_.take(handle);
        expect(here_.reserve(handle_type::from_bits(handle), 0u).handle().to_bits() == handle);
        expect(here_.first_free() == lowest);
        expect_same(slot);
        live_.push_back(slot);
    }

    void release() {
        if (live_.empty()) return;
        const std::uint32_t which = below(static_cast<std::uint32_t>(live_.size()));
        const std::int32_t slot = live_[which];
        live_[which] = live_.back();
        live_.pop_back();
        const bool by_object = below(2) == 0;
        expect(by_object ? here_.release(*here_.slot(slot))
                         : here_.release(handle_type::from_bits(there_.handle_of(slot))));
        there_.remove(slot);
        expect_same(slot);
    }

    void look() {
        const std::int32_t number = any_slot() << 8 | static_cast<std::int32_t>(below(128));
        const std::uint32_t* const found = here_.at(number);
        expect((found != nullptr ? here_.index_of(*found) : old_pool::none) == there_.find(number));
    }

    void clear() {
        here_.clear();
        there_.clear();
        live_.clear();
        expect_same(old_pool::none);
    }

    void flush() {
        const std::int32_t count = there_.count();
        here_.flush();
        there_.flush();
        expect_same(old_pool::none);
        expect(here_.initialise(count));
        there_.initialise(count);
        live_.clear();
        expect_same(old_pool::none);
    }

    pool_type here_;
    old_pool there_;
    std::vector<std::int32_t> live_;  // slots
    std::uint64_t random_;
    std::uint64_t differences_ = 0;
    std::uint64_t failures_ = 0;
};

TEST(bytemap_and_the_old_pool, give_the_same_numbers_for_the_same_calls) {
    constexpr std::int32_t counts[] = {1, 2, 7, 8, 9, 31, 64, 140, 140, 500};
    constexpr std::uint32_t of_16[] = {14, 15, 9, 12, 8, 13, 4};  // mostly full, full, about half, ...
    constexpr std::uint64_t between = 2000;
    for (const std::int32_t count : counts) {
        both_pools pools(count);
        for (std::uint64_t n = 0; n < calls_of_all / std::size(counts); n += between) {
            const std::uint32_t share = of_16[n / between % std::size(of_16)];
            for (std::uint64_t i = 0; i < between; ++i) pools.call(share);
            pools.compare_maps();
            ASSERT_EQ(pools.differences(), 0u)
                << "a pool of " << count << ", after at most " << n + between << " calls";
        }
        EXPECT_GT(pools.failures_of_new(), calls_of_all / 1000) << "the pool was hardly ever full";
    }
}

}  // namespace
