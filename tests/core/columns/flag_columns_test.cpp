// Promise (S1.1): in a flag column pool an object stays on its row for its whole life, the next takes the first free row, and
// passes see the rows that hold one. Bytes of rows that hold none may be read and written, and do no harm.
#include "core/rewind/image_map.hpp"
#include "orb.hpp"
#include "support/allocation_counter.hpp"

#include <lido/core/flag_column_pool.hpp>
#include <lido/core/pool.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace columns_flag_columns_test {

using namespace lido;
using namespace lido::test;

struct bullet {
    std::uint8_t x, y;
    std::int8_t vx, vy;

    friend bool operator==(const bullet&, const bullet&) = default;
};

constexpr options bare{.generations = generation_rule::none};
using bullets_of_old = inline_flag_column_pool<bullet, 16, bare>;

static_assert(pool<bullets_of_old> && acquires<bullets_of_old, bullet> &&
              acquires<bullets_of_old, std::uint8_t, std::uint8_t, std::int8_t, std::int8_t>);
static_assert(!std::is_move_constructible_v<bullets_of_old> && std::is_move_constructible_v<flag_column_pool<bullet>>);

bullet bullet_of(int i) {
    return {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(2 * i), static_cast<std::int8_t>(1),
            static_cast<std::int8_t>(-1)};
}

TEST(flag_columns, S1_1_a_spawn_takes_the_first_inactive_row_and_a_full_pool_refuses) {
    bullets_of_old bullets{{.leaks = leaks::allow}};
    for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(bullets.acquire(bullet_of(1)).handle().index(), i);
    EXPECT_FALSE(bullets.acquire(bullet_of(1)));
    EXPECT_EQ(bullets.why_refused(), refusal::full);
    EXPECT_EQ(bullets.size(), 16u);
    for (const std::uint32_t i : {11u, 3u, 7u}) EXPECT_TRUE(bullets.release(bullets.handle_of_row(i)));
    for (const std::uint32_t i : {3u, 7u, 11u}) EXPECT_EQ(bullets.acquire(bullet_of(1)).handle().index(), i);
}

TEST(flag_columns, S1_1_a_row_costs_its_fields_and_one_bit) {
    const bullets_of_old bullets;
    // 16 rows of four byte columns, and a word of 64 bits: the fifth byte of the document, its flag, is a bit.
    EXPECT_EQ(bullets.stats().bytes, 16u * 4 + 8 + 8);  // aligned to 16
    EXPECT_EQ(bullets.stats().bookkeeping_per_slot * 16, 8.0);
    const inline_flag_column_pool<bullet, 64, bare> word;
    EXPECT_EQ(word.stats().bookkeeping_per_slot, 1.0 / 8);
    const inline_flag_column_pool<bullet, 64, options{.handle_bits = 32}> short_handles;
    EXPECT_EQ(short_handles.stats().bookkeeping_per_slot, 2 + 1.0 / 8);
    const inline_flag_column_pool<bullet, 64> told_apart;
    EXPECT_EQ(told_apart.stats().bookkeeping_per_slot, 4 + 1.0 / 8);
}

TEST(flag_columns, rows_stay_where_they_are_when_others_end) {
    flag_column_pool<bullet> bullets(100, {.leaks = leaks::allow});
    std::vector<handle<bullet>> handles;
    for (int i = 0; i < 100; ++i) handles.push_back(bullets.acquire(bullet_of(i)));
    const std::uint8_t* const x = &bullets.row(70).get<&bullet::x>();
    for (std::size_t i = 0; i < 100; i += 2) EXPECT_EQ(bullets.release(handles[i]), true);
    EXPECT_EQ(bullets.release(handles[71]), true);
    EXPECT_FALSE(bullets.contains(handles[70]));
    for (std::size_t i = 1; i < 100; i += 2) {
        if (i == 71) continue;
        EXPECT_EQ(bullets.handle_of_row(static_cast<std::uint32_t>(i)), handles[i]);
        EXPECT_EQ(bullet(bullets.row(handles[i])), bullet_of(static_cast<int>(i)));
    }
    bullets.acquire(bullet_of(1));  // on row 0
    EXPECT_EQ(&bullets.column<&bullet::x>()[70], x);
    EXPECT_TRUE(valid(bullets));
}

TEST(flag_columns, a_stale_handle_finds_nothing_and_without_generations_it_finds_the_next_object) {
    flag_column_pool<bullet> told(4, {.leaks = leaks::allow});
    const auto first = told.acquire(bullet_of(1)).handle();
    EXPECT_TRUE(told.release(first));
    const auto second = told.acquire(bullet_of(2)).handle();
    EXPECT_EQ(first.index(), second.index());
    EXPECT_FALSE(told.get(first));
    EXPECT_TRUE(told.get(second));

    bullets_of_old bullets{{.leaks = leaks::allow}};
    const auto old = bullets.acquire(bullet_of(1)).handle();
    EXPECT_TRUE(bullets.release(old));
    EXPECT_FALSE(bullets.contains(old));
    EXPECT_EQ(bullets.acquire(bullet_of(2)).handle(), old);
    EXPECT_EQ(bullets.get(old)->get<&bullet::x>(), 2);
}

TEST(flag_columns, a_pass_over_columns_skips_rows_without_an_object_at_every_occupancy) {
    for (const std::uint32_t keep : {1u, 2u, 3u, 64u, 200u}) {
        flag_column_pool<bullet> bullets(200, {.leaks = leaks::allow});
        for (int i = 0; i < 200; ++i) bullets.acquire(bullet_of(i));
        std::uint32_t asked = 0;
        const auto gone = [&](std::uint8_t) { return asked++ % keep != 0; };
        bullets.release_if<&bullet::x>(gone);
        EXPECT_EQ(asked, 200u);
        std::vector<std::uint8_t> seen;
        bullets.for_each<&bullet::x, &bullet::vy>([&seen](std::uint8_t& x, std::int8_t vy) {
            seen.push_back(x);
            x = static_cast<std::uint8_t>(x + vy);
        });
        EXPECT_EQ(seen.size(), bullets.size());
        std::size_t at = 0;
        for (auto row : bullets) EXPECT_EQ(row.get<&bullet::x>(), static_cast<std::uint8_t>(seen[at++] - 1));
        std::size_t bits = 0;
        for (const std::uint64_t word : bullets.live_bits()) bits += static_cast<std::size_t>(std::popcount(word));
        EXPECT_EQ(bits, bullets.size());
        EXPECT_EQ(bullets.live_bits().size(), (bullets.used() + 63) / 64);
    }
}

TEST(flag_columns, a_full_word_is_visited_in_order) {
    flag_column_pool<bullet> bullets(130, {.leaks = leaks::allow});
    for (int i = 0; i < 130; ++i) bullets.acquire(bullet_of(i));
    int next = 0;
    std::as_const(bullets).for_each<&bullet::x>([&next](const std::uint8_t& x) { EXPECT_EQ(x, next++); });
    EXPECT_EQ(next, 130);
}

TEST(flag_columns, a_column_reaches_to_the_last_live_row_and_what_is_written_to_the_others_does_no_harm) {
    flag_column_pool<bullet> bullets(100, {.leaks = leaks::allow});
    EXPECT_TRUE(bullets.column<&bullet::x>().empty() && bullets.live_bits().empty());
    std::vector<handle<bullet>> handles;
    for (int i = 0; i < 90; ++i) handles.push_back(bullets.acquire(bullet_of(i)));
    for (std::size_t i = 70; i < 90; ++i) EXPECT_TRUE(bullets.release(handles[i]));
    for (std::size_t i = 10; i < 20; ++i) EXPECT_TRUE(bullets.release(handles[i]));
    EXPECT_EQ(bullets.used(), 70u);
    const std::uint64_t hash = bullets.state_hash();
    const auto column = bullets.column<&bullet::y>();
    ASSERT_EQ(column.size(), 70u);
    for (std::size_t i = 10; i < 20; ++i) column[i] = 99;
    EXPECT_EQ(bullets.state_hash(), hash) << "rows without an object are no part of the state";
    for (std::uint32_t i = 10; i < 20; ++i) {
        EXPECT_EQ(bullets.acquire(bullet_of(5)).handle().index(), i);
        EXPECT_EQ(bullets.row(i).get<&bullet::y>(), 10);
    }
}

TEST(flag_columns, rows_that_never_held_an_object_read_as_zero) {
    inline_flag_column_pool<bullet, 64> bullets{{.leaks = leaks::allow}};
    EXPECT_TRUE(bullets.reserve(handle<bullet>::of(40, 1), bullet_of(3)));
    for (const std::uint8_t x : bullets.column<&bullet::x>().first(40)) EXPECT_EQ(x, 0);
}

TEST(flag_columns, releasing_the_row_one_is_at_and_acquiring_are_allowed_while_iterating) {
    flag_column_pool<bullet> bullets(80, {.leaks = leaks::allow});
    for (int i = 0; i < 80; ++i) bullets.acquire(bullet_of(i));
    std::uint32_t visits = 0;
    for (auto [handle, row] : bullets.each()) {
        ++visits;
        if (row.get<&bullet::x>() % 2 == 0) {
            EXPECT_TRUE(bullets.release(handle));
        }
        if (visits == 40) bullets.acquire(bullet_of(101));
    }
    EXPECT_GE(visits, 80u);
    EXPECT_EQ(bullets.size(), 41u);
    EXPECT_TRUE(valid(bullets));
}

TEST(flag_columns, fields_that_own_memory_end_exactly_once) {
    struct voice {
        std::unique_ptr<int> samples;
        std::string name;
    };
    flag_column_pool<voice> voices(3, {.leaks = leaks::allow});
    const auto first = voices.acquire(std::make_unique<int>(7), std::string(100, 'a')).handle();
    voices.acquire(std::make_unique<int>(8), "b");
    EXPECT_TRUE(voices.release(first));
    EXPECT_TRUE(voices.acquire(std::make_unique<int>(9), "c"));
    int sum = 0;
    voices.for_each<&voice::samples>([&sum](const std::unique_ptr<int>& p) { sum += *p; });
    EXPECT_EQ(sum, 17);
    flag_column_pool<voice> moved(std::move(voices));
    EXPECT_EQ(moved.size(), 2u);
    EXPECT_EQ(voices.capacity(), 0u);  // NOLINT(bugprone-use-after-move): that is the promise
    EXPECT_TRUE(valid(moved) && valid(voices));
}

/// Its constructor acquires from the pool that it is built for.
struct parent {
    static inline std::function<void()> when_built;
    int id;
    parent(int i) : id(i) {  // NOLINT: implicit, for the braces of a struct
        if (const auto now = std::exchange(when_built, {})) now();
    }
};
struct family {
    parent head;
};

TEST(flag_columns, a_constructor_may_take_the_row_that_was_free) {
    flag_column_pool<family> families(2, {.leaks = leaks::allow});
    parent::when_built = [&families] { EXPECT_EQ(families.acquire(2).handle().index(), 0u); };
    EXPECT_EQ(families.acquire(1).handle().index(), 1u);
    EXPECT_EQ(families.row(0).get<0>().id, 2);
    EXPECT_EQ(families.row(1).get<0>().id, 1);

    families.clear();
    EXPECT_TRUE(families.acquire(3));
    parent::when_built = [&families] { EXPECT_TRUE(families.acquire(4)); };
    EXPECT_FALSE(families.acquire(5)) << "the last row went to the one that was built meanwhile";
    EXPECT_EQ(families.why_refused(), refusal::full);
    EXPECT_TRUE(valid(families));
}

TEST(flag_columns, an_inline_pool_allocates_nothing_and_one_on_the_heap_once) {
    const allocation_watch before;
    flag_column_pool<bullet, options{.tracks = track::priority}> heap(64, {.leaks = leaks::allow});
    EXPECT_EQ(before.allocations(), 1u);
    const allocation_watch watch;
    bullets_of_old bullets{{.leaks = leaks::allow}};
    for (int round = 0; round < 10; ++round) {
        while (bullets.acquire(bullet_of(round))) {
        }
        while (heap.acquire(bullet_of(round))) {
        }
        bullets.release_if<&bullet::x>([](std::uint8_t) { return true; });
        heap.clear();
    }
    EXPECT_TRUE(watch.quiet());
}

/// Plain bytes with something that not every byte may be.
struct sighted {
    std::int32_t number;
    bool seen;
};

/// Every byte of an image made another, and sealed again: refused with nothing changed, or a pool that works.
TEST(flag_columns, X1_hostile_images_are_refused_whole_or_restored_sound) {
    flag_column_pool<sighted, options{.tracks = track::priority}> one(12, {.leaks = leaks::allow});
    for (int i = 0; i < 9; ++i) one.acquire_as({.priority = static_cast<std::uint8_t>(i % 3)}, i, true);
    one.release_if<&sighted::number>([](std::int32_t n) { return n == 4 || n == 7; });
    std::vector<std::byte> sound;
    one.save(sound);
    std::vector<std::byte> now;
    int refused = 0;
    for (std::size_t at = 0; at < sound.size(); ++at) {
        for (const unsigned change : {0x01u, 0x80u, 0xffu}) {
            auto hostile = sound;
            hostile[at] ^= static_cast<std::byte>(change);
            if (at >= 24) seal(hostile);
            ASSERT_TRUE(one.restore(sound));
            if (one.restore(hostile)) {
                ASSERT_TRUE(one.validate()) << one.validate().broken << " after byte " << at;
                one.clear();
                ASSERT_TRUE(one.validate());
            } else {
                ++refused;
                one.save(now);
                ASSERT_EQ(now, sound) << "refused, and yet changed: byte " << at;
            }
        }
    }
    EXPECT_GT(refused, 100);
}

TEST(flag_columns, rows_that_hold_nothing_stop_builds_with_checks) {
    if (!checks) GTEST_SKIP() << "nobody looks in this build";
    bullets_of_old bullets{{.leaks = leaks::allow}};
    bullets.acquire(bullet_of(1));
    auto row = bullets.row(0);
    EXPECT_TRUE(bullets.release(row));
    EXPECT_DEATH(static_cast<void>(row.get<0>()), "without an object");
    EXPECT_DEATH(static_cast<void>(bullets.row(3)), "no object is on this row");
}

}  // namespace columns_flag_columns_test
