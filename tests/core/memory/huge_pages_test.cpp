// The storage in pages of 2 MiB: the same promises as reserved_storage, whether or not the system has such pages to give.
#include <lido/core.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace memory_huge_pages_test {

using namespace lido;

constexpr std::size_t two_mib = std::size_t{2} * 1024 * 1024;

struct big {
    std::uint64_t words[32];
    explicit big(std::uint64_t n) : words{n} {}
};

using pool_type = slot_pool<big, options{}, huge_reserved_storage>;

TEST(huge_pages, reservations_are_aligned_and_usable) {
    for (const std::size_t bytes : {two_mib, 3 * two_mib, 64 * two_mib}) {
        auto* const at = static_cast<std::byte*>(huge_pages::reserve(bytes));
        ASSERT_NE(at, nullptr);
        if constexpr (huge_pages::on_demand) {
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at) % huge_pages::page_size(), 0u);
        }
        ASSERT_TRUE(huge_pages::commit(at, bytes));
        EXPECT_EQ(at[0], std::byte{0});
        at[0] = at[bytes - 1] = std::byte{1};
        huge_pages::decommit(at, bytes);
        ASSERT_TRUE(huge_pages::commit(at, bytes));
        if constexpr (huge_pages::on_demand) {
            EXPECT_EQ(at[0], std::byte{0}) << "what was given back comes back empty";
        }
        huge_pages::release(at, bytes);
    }
}

TEST(huge_pages, what_cannot_be_had_is_refused) {
    EXPECT_EQ(huge_pages::reserve(SIZE_MAX / 2 / two_mib * two_mib), nullptr);
}

TEST(huge_pages, a_pool_grows_and_trims_without_moving_anything) {
    pool_type pool(64, {.on_full = on_full::grow_to(60'000)});
    std::vector<handle<big>> handles;
    std::vector<const big*> at;
    for (std::uint64_t i = 0; i < 60'000; ++i) {
        const auto one = pool.acquire(i);
        ASSERT_TRUE(one);
        handles.push_back(one);
        at.push_back(one.get());
    }
    for (std::uint64_t i = 0; i < handles.size(); ++i) {
        ASSERT_EQ(pool.get(handles[i]), at[i]);
        ASSERT_EQ(at[i]->words[0], i);
    }
    ASSERT_TRUE(pool.validate());
    for (std::size_t i = 100; i < handles.size(); ++i) ASSERT_TRUE(pool.release(handles[i]));
    if constexpr (huge_pages::on_demand) {
        EXPECT_GE(pool.trim(), 4 * two_mib);
        EXPECT_EQ(pool.stats().bytes % huge_pages::page_size(), 0u);
    }
    EXPECT_EQ(pool.get(handles[100]), nullptr);
    EXPECT_EQ(pool.get(handles[99]), at[99]);
    EXPECT_TRUE(pool.acquire(std::uint64_t{7}));
    EXPECT_TRUE(pool.validate());
}

}  // namespace memory_huge_pages_test
