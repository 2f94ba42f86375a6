// X1 for merge_pass: what a pass over scattered floats leaves is the same on every compiler and build type; see
// rewind/determinism_golden.cpp for what a change here means.
#include "merging.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace lido::golden {

/// Not in an anonymous namespace: its name is part of the hash.
struct ember {
    float x, y;
    std::int32_t amount;
    std::int32_t kind;
};

namespace {

TEST(merge_golden, passes_over_floats_that_are_no_round_numbers) {
    column_pool<ember> pool(4000);
    merge_pass pass(4000);
    test::dice d{5};
    std::uint32_t folded = 0;
    for (int round = 0; round < 8; ++round) {
        while (!pool.full()) {
            const float x = static_cast<float>(d.below(1u << 30)) * 7.7e-7f;
            const float y = static_cast<float>(d.below(1u << 30)) * 6.1e-7f;
            pool.acquire(ember{x, y, 1, static_cast<std::int32_t>(d.below(3))});
        }
        folded += pass.run(pool, 9.3f, test::where, test::same_kind_up_to_9);
    }
    EXPECT_EQ(folded, 1925u);
    EXPECT_EQ(pool.state_hash(), 6116747723046071129u);
}

}  // namespace
}  // namespace lido::golden
