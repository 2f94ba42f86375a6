// X1: a set of several pools and plain structs is restored as a whole, or not at all.
#include "core/rewind/rewind_support.hpp"

namespace lido::test {
namespace rewind_all_or_none_test {

struct random_state {
    std::uint64_t word;
    std::int32_t score;
    std::int32_t lives;
};

class rewind_all_or_none : public ::testing::Test {
protected:
    [[nodiscard]] std::uint64_t hash() const { return state_hash(slots, flags, rows, game); }

    void change(int by) {
        slots.release_if([](const cell& c) { return c.read() % 2 == 0; });
        for (int i = 0; i < 5; ++i) {
            ASSERT_TRUE(slots.acquire(by + i));
            ASSERT_TRUE(flags.acquire(by + i));
            ASSERT_TRUE(rows.acquire(by + i));
        }
        game.word += static_cast<std::uint64_t>(by);
        game.score -= by;
    }

    slot_pool<cell> slots{32};
    flag_pool<cell, 32> flags;
    dense_pool<owner> rows{32};
    random_state game{1, 2, 3};
};

TEST_F(rewind_all_or_none, a_snapshot_of_a_set_brings_back_all_of_it) {
    change(10);
    const std::uint64_t then = hash();
    snapshot saved;
    ASSERT_TRUE(save(saved, slots, flags, rows, game));
    change(20);
    ASSERT_NE(hash(), then);
    ASSERT_TRUE(restore(saved, slots, flags, rows, game));
    EXPECT_EQ(hash(), then);
    EXPECT_EQ(game.score, -8);
}

TEST_F(rewind_all_or_none, an_image_of_a_set_brings_back_all_of_it) {
    change(10);
    const std::uint64_t then = hash();
    std::vector<std::byte> image;
    save(image, slots, flags, rows, game);
    change(20);
    const restore_result r = restore(image, slots, flags, rows, game);
    ASSERT_TRUE(r) << r.what();
    EXPECT_EQ(hash(), then);
}

TEST_F(rewind_all_or_none, a_ring_of_a_set_brings_back_all_of_it) {
    rewind<4> ring;
    change(10);
    const std::uint64_t then = hash();
    ASSERT_TRUE(ring.save(1, slots, flags, rows, game));
    change(20);
    ASSERT_TRUE(ring.save(2, slots, flags, rows, game));
    ASSERT_TRUE(ring.restore(1, slots, flags, rows, game));
    EXPECT_EQ(hash(), then);
}

TEST_F(rewind_all_or_none, when_the_last_part_does_not_fit_nothing_changes) {
    change(10);
    snapshot saved;
    std::vector<std::byte> image;
    dense_pool<owner> large(64);
    for (int i = 0; i < 40; ++i) ASSERT_TRUE(large.acquire(i));
    ASSERT_TRUE(save(saved, slots, flags, game, large));
    save(image, slots, flags, game, large);
    change(20);
    const std::uint64_t now = hash();
    EXPECT_EQ(restore(saved, slots, flags, game, rows).error, restore_error::too_large);
    EXPECT_EQ(hash(), now);
    EXPECT_EQ(restore(image, slots, flags, game, rows).error, restore_error::too_large);
    EXPECT_EQ(hash(), now);
}

TEST_F(rewind_all_or_none, another_set_of_parts_is_refused_and_nothing_changes) {
    change(10);
    snapshot saved;
    std::vector<std::byte> image;
    ASSERT_TRUE(save(saved, slots, flags));
    save(image, slots, flags);
    const std::uint64_t now = hash();
    EXPECT_EQ(restore(saved, slots).error, restore_error::other_parts) << "fewer";
    EXPECT_EQ(restore(saved, slots, flags, game).error, restore_error::other_parts) << "more";
    EXPECT_EQ(restore(saved, slots, rows).error, restore_error::other_parts) << "another pool type";
    EXPECT_EQ(restore(saved, flags, slots).error, restore_error::other_parts) << "another order";
    EXPECT_EQ(restore(saved, slots, game).error, restore_error::other_parts) << "a struct for a pool";
    EXPECT_EQ(restore(image, slots).error, restore_error::other_parts);
    EXPECT_EQ(restore(image, slots, flags, game).error, restore_error::other_parts);
    EXPECT_EQ(restore(image, flags, slots).error, restore_error::other_shape);
    EXPECT_EQ(restore(image, slots, game).error, restore_error::other_shape);
    EXPECT_EQ(restore(snapshot{}, slots).error, restore_error::not_kept) << "an empty snapshot";
    EXPECT_EQ(hash(), now);
}

TEST_F(rewind_all_or_none, a_snapshot_that_was_cleared_is_empty) {
    snapshot saved;
    EXPECT_FALSE(saved);
    ASSERT_TRUE(save(saved, slots));
    EXPECT_TRUE(saved);
    EXPECT_GT(saved.bytes(), 0u);
    saved.clear();
    EXPECT_FALSE(saved);
    EXPECT_EQ(saved.bytes(), 0u);
    EXPECT_EQ(restore(saved, slots).error, restore_error::not_kept);
}

}  // namespace rewind_all_or_none_test
}  // namespace lido::test
