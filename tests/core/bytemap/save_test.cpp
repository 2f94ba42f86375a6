// Promise (S2.10, X1): handles of an old save resolve after its byte map was loaded; whatever the bytes, they are either a state of
// this pool or refused with nothing changed.
#include "core/rewind/image_map.hpp"
#include "support/allocation_counter.hpp"
#include "support/elements.hpp"

#include <lido/core/bytemap_pool.hpp>
#include <lido/core/rewind/rewind.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bytemap_save_test {

using namespace lido;
using namespace lido::test;

using numbers = bytemap_pool<int>;
using bytes = std::vector<std::byte>;

/// Slots 0 .. 9, of which some live, with different seeds.
void live_in(numbers& pool) {
    std::vector<numbers::handle_type> all(10);
    for (int round = 0; round < 3; ++round) {
        pool.acquire_n(all, round);
        pool.release_if([&](const int& v) { return (&v - pool.slot(0)) % 3 == round; });
        for (int i = 0; i < round; ++i) pool.acquire(40 + i);
        if (round != 2) pool.release_if([](const int&) { return true; });
    }
}

[[nodiscard]] bytes image_of(const numbers& pool) {
    bytes to;
    pool.save(to);
    return to;
}

TEST(bytemap_map, handles_of_a_save_resolve_in_a_pool_that_loaded_its_map) {
    numbers old(10);
    live_in(old);
    bytes map;
    old.save_map(map);
    ASSERT_EQ(map.size(), 8u + 10u);

    numbers now(10);
    now.acquire(1);  // ends
    const auto done = now.load_map(map, [&](numbers::handle_type h) { EXPECT_TRUE(now.reserve(h, *old.get(h))); });
    ASSERT_TRUE(done) << done.what();
    EXPECT_EQ(now.size(), old.size());
    EXPECT_EQ(now.first_free(), old.first_free());
    for (auto [handle, object] : old.each()) {
        ASSERT_NE(now.get(handle), nullptr);
        EXPECT_EQ(*now.get(handle), object);
    }
    EXPECT_TRUE(std::equal(now.byte_map().begin(), now.byte_map().end(), old.byte_map().begin()));
    while (!old.full()) EXPECT_EQ(now.acquire(0).handle(), old.acquire(0).handle());  // and so do the next ones
    EXPECT_TRUE(now.validate());
}

TEST(bytemap_map, the_two_fields_of_an_old_save_are_taken_as_they_are) {
    numbers pool(4);
    const std::array<std::uint8_t, 4> states{0x05, 0xff, 0x00, 0x80};
    ASSERT_TRUE(pool.load_map(states, 4, [&](numbers::handle_type h) { pool.reserve(h, h.index()); }));
    EXPECT_EQ(*pool.at(0x0005), 0);
    EXPECT_EQ(*pool.at(0x0200), 2);
    EXPECT_EQ(pool.first_free(), 4);                        // where the old search stops when it has found nothing
    EXPECT_EQ(pool.acquire(1).handle().to_bits(), 0x0100);  // seed 127 goes on with 0
    EXPECT_EQ(pool.acquire(1).handle().to_bits(), 0x0301);
    EXPECT_TRUE(pool.validate());
}

TEST(bytemap_map, an_object_that_is_not_made_again_leaves_its_slot_free) {
    numbers pool(2);
    ASSERT_TRUE(pool.load_map(std::array<std::uint8_t, 2>{3, 4}, -1, [&](numbers::handle_type h) {
        if (h.index() == 1) pool.reserve(h, 1);
    }));
    EXPECT_EQ(pool.at(3), nullptr);
    EXPECT_EQ(pool.size(), 1u);
    EXPECT_EQ(pool.acquire(1).handle().to_bits(), 4) << "its seed was kept";
}

TEST(bytemap_map, a_map_of_another_count_or_with_no_sense_is_refused_and_changes_nothing) {
    numbers pool(10);
    live_in(pool);
    const bytes before = image_of(pool);
    bytes map;
    pool.save_map(map);
    const auto refused = [&](const bytes& m) {
        const auto r = pool.load_map(m, [](numbers::handle_type) { FAIL(); });
        return !r && image_of(pool) == before;
    };
    for (std::size_t n = 0; n < map.size(); ++n)
        EXPECT_TRUE(refused(bytes(map.begin(), map.begin() + static_cast<std::ptrdiff_t>(n)))) << n;
    bytes longer = map;
    longer.push_back({});
    EXPECT_TRUE(refused(longer));
    for (const std::uint64_t count : {0u, 9u, 11u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
        bytes m = map;
        write_at(m, 0, 4, count);
        EXPECT_TRUE(refused(m)) << count;
    }
    for (const std::uint64_t first : {0xfffffffeu, 11u, 0x7fffffffu, 0x80000000u}) {
        bytes m = map;
        write_at(m, 4, 4, first);
        EXPECT_TRUE(refused(m)) << first;
    }
    for (const std::uint32_t count : {0u, 9u, 11u}) {
        const std::vector<std::uint8_t> states(count);
        EXPECT_FALSE(pool.load_map(states, -1, [](numbers::handle_type) { FAIL(); }));
        EXPECT_EQ(image_of(pool), before);
    }
}

TEST(bytemap_map, every_state_byte_is_a_state) {
    numbers pool(256);
    std::vector<std::uint8_t> states(256);
    for (std::size_t i = 0; i < 256; ++i) states[i] = static_cast<std::uint8_t>(i);
    ASSERT_TRUE(pool.load_map(states, -1, [&](numbers::handle_type h) { EXPECT_TRUE(pool.reserve(h, 1)); }));
    EXPECT_EQ(pool.size(), 128u);
    EXPECT_TRUE(std::equal(states.begin(), states.end(), pool.byte_map().begin()));
    EXPECT_TRUE(pool.validate());
}

// --- lido's own rewind ------------------------------------------------------------------------------------------------------

TEST(bytemap_rewind, after_a_restore_the_same_operations_give_the_same_handles) {
    numbers pool(10);
    live_in(pool);
    snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    const bytes image = image_of(pool);
    const std::uint64_t hash = pool.state_hash();
    const auto play = [&] {
        std::vector<std::int32_t> trace;
        for (int i = 0; i < 200; ++i) {
            trace.push_back(pool.acquire(i).handle().to_bits());
            if (i % 3 == 0)
                trace.push_back(
                    static_cast<std::int32_t>(pool.release_if([i](const int& v) { return v % 7 == i % 7; })));
        }
        return trace;
    };
    const auto first = play();
    EXPECT_NE(pool.state_hash(), hash);
    ASSERT_TRUE(pool.restore(saved));
    EXPECT_EQ(pool.state_hash(), hash);
    EXPECT_EQ(image_of(pool), image);
    EXPECT_EQ(play(), first);
    ASSERT_TRUE(pool.restore(image));
    EXPECT_EQ(pool.state_hash(), hash);
    EXPECT_EQ(play(), first);
    numbers other(10);
    ASSERT_TRUE(other.restore(image));
    EXPECT_EQ(other.state_hash(), hash);
    numbers smaller(9);
    EXPECT_EQ(smaller.restore(image).error, restore_error::other_options);
    EXPECT_EQ(smaller.restore(saved).error, restore_error::other_options);
}

TEST(bytemap_rewind, owners_are_copied_and_leases_of_undone_lives_become_empty) {
    lifetime_scope lives;
    bytemap_pool<string_owner, 128> pool(5);
    const auto kept = pool.acquire(1).handle();
    auto lease = pool.lease(2);
    snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    pool.release(kept);
    auto undone = pool.lease(3);
    ASSERT_TRUE(pool.restore(saved));
    EXPECT_EQ(pool.get(kept)->read(), 1);
    EXPECT_EQ(lease->read(), 2);
    EXPECT_FALSE(undone) << "its life is not in the saved state";
    EXPECT_TRUE(pool.validate());
}

TEST(bytemap_rewind, damaged_images_are_refused_and_change_nothing) {
    numbers source(10);
    live_in(source);
    const bytes image = image_of(source);
    numbers target(10);
    target.acquire(5);
    const bytes before = image_of(target);
    for (std::size_t n = 0; n < image.size(); ++n) {
        bytes cut(image.begin(), image.begin() + static_cast<std::ptrdiff_t>(n));
        EXPECT_FALSE(target.restore(cut));
        seal(cut);
        EXPECT_FALSE(target.restore(cut)) << n;
        ASSERT_EQ(image_of(target), before);
    }
    int accepted = 0;
    for (std::size_t bit = 0; bit < image.size() * 8; ++bit) {
        bytes flipped = image;
        flipped[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
        EXPECT_TRUE(bit < 192 || target.restore(flipped).error == restore_error::damaged);
        seal(flipped);
        if (const auto r = target.restore(flipped); r) {
            ++accepted;
            ASSERT_TRUE(target.validate()) << target.validate().broken;
            for (int i = 0; i < 20; ++i) target.acquire(i);
            target.release_if([](const int& v) { return v % 2 == 0; });
            ASSERT_TRUE(target.validate());
            ASSERT_TRUE(target.restore(before));
        } else {
            ASSERT_NE(*r.what(), '\0');
        }
        ASSERT_EQ(image_of(target), before) << bit;
    }
    EXPECT_GT(accepted, 100) << "seeds, counters and values of the elements may be anything";
}

TEST(bytemap_rewind, nothing_allocates_in_the_steady_state) {
    numbers pool(100);
    lido::rewind<2> past;
    for (std::uint64_t t = 0; t < 4; ++t) past.save(t, pool);
    for (int i = 0; i < 100; ++i) pool.acquire(i);
    for (std::uint64_t t = 4; t < 8; ++t) past.save(t, pool);
    const allocation_watch watch;
    for (std::uint64_t t = 8; t < 40; ++t) {
        past.save(t, pool);
        pool.release_if([t](const int& v) { return v % 3 == static_cast<int>(t % 3); });
        for (int i = 0; i < 10; ++i) pool.acquire(i);
        const auto lease = pool.lease(4);
        if (t % 5 == 0 && !past.restore(t - 1, pool)) std::abort();
    }
    EXPECT_TRUE(watch.quiet());
    inline_bytemap_pool<int, 8> in_place;
    in_place.acquire(1);
    EXPECT_TRUE(watch.quiet());
}

}  // namespace bytemap_save_test
