// Promise: a ring_pool never refuses while it has slots, ends the oldest, keeps addresses, and goes from the oldest to the newest past
// any holes.
#include "core/misuse/misuse_log.hpp"
#include "core/rewind/image_map.hpp"
#include "support/allocation_counter.hpp"
#include "support/elements.hpp"

#include <lido/core/pool.hpp>
#include <lido/core/rewind/rewind.hpp>
#include <lido/core/ring_pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ring_test {

using namespace lido;
using namespace lido::test;

using ring = ring_pool<int>;
using bytes = std::vector<std::byte>;
static_assert(pool<ring> && pool<inline_ring_pool<int, 4>> && pool<ring_pool<int, options{}, lent_storage>> &&
              pool<ring_pool<int, options{}, reserved_storage>>);

template <class Pool>
[[nodiscard]] std::vector<int> values(const Pool& pool) {
    std::vector<int> all;
    for (const int& v : pool) all.push_back(v);
    std::vector<int> back;
    for (const int& v : pool.backward()) back.insert(back.begin(), v);
    EXPECT_EQ(back, all);
    for (std::uint32_t i = 0; i < pool.size(); ++i) {
        EXPECT_EQ(*pool.oldest(i), all[i]);
        EXPECT_EQ(*pool.newest(pool.size() - 1 - i), all[i]);
    }
    EXPECT_EQ(pool.oldest(pool.size()), nullptr);
    EXPECT_EQ(pool.newest(pool.size()), nullptr);
    EXPECT_TRUE(pool.validate()) << pool.validate().broken;
    return all;
}

[[nodiscard]] bytes image_of(const ring& pool) {
    bytes to;
    pool.save(to);
    return to;
}

TEST(ring, a_closed_ring_ends_the_oldest_and_its_handle_goes_stale) {
    ring pool(3);
    std::vector<ring::handle_type> h;
    for (int i = 0; i < 3; ++i) h.push_back(pool.acquire(i));
    EXPECT_TRUE(pool.full());
    EXPECT_EQ(values(pool), (std::vector{0, 1, 2}));
    const int* const second = pool.get(h[1]);
    for (int i = 3; i < 30; ++i) {
        h.push_back(pool.acquire(i));
        EXPECT_EQ(values(pool), (std::vector{i - 2, i - 1, i}));
        EXPECT_EQ(pool.get(h[static_cast<std::size_t>(i - 3)]), nullptr);
        EXPECT_TRUE(i != 3 || pool.get(h[1]) == second);
    }
    EXPECT_EQ(pool.stats().replaced, 27u);
    EXPECT_EQ(pool.stats().refused, 0u);
    EXPECT_EQ(pool.stats().peak, 3u);
}

TEST(ring, a_hole_in_the_middle_is_skipped_and_used_when_the_ring_comes_round) {
    ring pool(4);
    std::vector<ring::handle_type> h;
    for (int i = 0; i < 4; ++i) h.push_back(pool.acquire(i));
    EXPECT_TRUE(pool.release(h[1]));
    EXPECT_EQ(values(pool), (std::vector{0, 2, 3}));
    EXPECT_TRUE(pool.full()) << "the hole is not at an end";
    pool.acquire(4);
    EXPECT_EQ(values(pool), (std::vector{2, 3, 4}));
    EXPECT_FALSE(pool.full());
    pool.acquire(5);
    EXPECT_EQ(values(pool), (std::vector{2, 3, 4, 5}));
    pool.acquire(6);
    EXPECT_EQ(values(pool), (std::vector{3, 4, 5, 6}));
}

TEST(ring, holes_at_the_ends_close_at_once) {
    ring pool(4);
    std::vector<ring::handle_type> h;
    for (int i = 0; i < 4; ++i) h.push_back(pool.acquire(i));
    EXPECT_TRUE(pool.release(h[2]));
    EXPECT_TRUE(pool.release(h[3]));  // the newest, and the hole before it
    EXPECT_EQ(values(pool), (std::vector{0, 1}));
    pool.acquire(4);
    pool.acquire(5);
    EXPECT_EQ(values(pool), (std::vector{0, 1, 4, 5})) << "nobody ended while slots were free";
    EXPECT_TRUE(pool.release(*pool.oldest()));
    EXPECT_FALSE(pool.full());
    EXPECT_EQ(pool.release_if([](const int&) { return true; }), 3u);
    EXPECT_TRUE(pool.empty());
    EXPECT_EQ(pool.oldest(), nullptr);
    EXPECT_EQ(values(pool), std::vector<int>{});
    pool.acquire(9);
    EXPECT_EQ(values(pool), std::vector{9});
}

TEST(ring, on_evict_sees_the_object_alive_and_may_release_it_but_not_acquire) {
    struct watch {
        ring* pool = nullptr;
        std::vector<int> seen;
    } w;
    misuse_log log;
    ring pool(2, {.on_evict = [&w](ring::handle_type h, int& v) {
                  EXPECT_EQ(w.pool->get(h), &v);
                  EXPECT_FALSE(w.pool->acquire(100));
                  EXPECT_EQ(w.pool->why_refused(), refusal::reentrant);
                  w.seen.push_back(v);
                  if (v % 2 == 0) w.pool->release(h);
              }});
    w.pool = &pool;
    for (int i = 0; i < 6; ++i) pool.acquire(i);
    EXPECT_EQ(w.seen, (std::vector{0, 1, 2, 3}));
    EXPECT_EQ(values(pool), (std::vector{4, 5}));
    EXPECT_EQ(log.count(misuse_kind::reentrant_call), 4u);
    EXPECT_EQ(log.count(), 4u);
}

TEST(ring, a_throwing_constructor_ends_nobody) {
    lifetime_scope lives;
    ring_pool<throwing> pool(2);
    const auto a = pool.acquire(1).handle();
    const auto b = pool.acquire(2).handle();
    throwing::fail_after(0);
    EXPECT_THROW(pool.acquire(3), injected_failure);
    EXPECT_EQ(pool.get(a)->read(), 1);
    EXPECT_EQ(pool.get(b)->read(), 2);
    EXPECT_TRUE(pool.validate());
    EXPECT_EQ(pool.stats().acquired, 2u);
    ring_pool<immovable> fixed(2);  // no type needs to be moved
    for (int i = 0; i < 5; ++i) fixed.acquire(i);
    EXPECT_EQ(fixed.oldest()->read(), 3);
}

TEST(ring, releases_of_what_does_not_live_are_refused_counted_and_reported) {
    misuse_log log;
    ring pool(2);
    const auto a = pool.acquire(1).handle();
    pool.acquire(2);
    pool.acquire(3);
    EXPECT_FALSE(pool.release(a));
    EXPECT_EQ(log.only().kind, misuse_kind::double_release);
    pool.acquire(4);
    EXPECT_FALSE(pool.release(ring::handle_type::from_bits(~std::uint64_t{0})));
    EXPECT_EQ(log.only().kind, misuse_kind::wild_handle);
    const int alone = 1;
    EXPECT_FALSE(pool.release(alone));
    EXPECT_EQ(log.only().kind, misuse_kind::foreign_object);
    EXPECT_FALSE(pool.handle_of(alone));
    EXPECT_EQ(pool.stats().bad_releases, 3u);
    for (std::uint32_t slot = 0; slot < 6; ++slot) {
        for (std::uint32_t life = 0; life < 6; life += 2)
            EXPECT_FALSE(pool.contains(ring::handle_type::of(slot, life)));
    }
}

TEST(ring, a_ring_of_few_generations_retires_its_slots_one_by_one) {
    constexpr options few{.handle_bits = 32, .index_bits = 29};  // generations 1, 3, 5
    ring_pool<int, few> pool(3);
    int begun = 0;
    std::vector<ring_pool<int, few>::handle_type> all;
    while (const auto made = pool.acquire(begun)) {
        ++begun;
        for (const auto old : all) EXPECT_NE(old, made.handle());
        all.push_back(made);
        ASSERT_TRUE(pool.validate()) << pool.validate().broken;
        ASSERT_EQ(*pool.newest(), begun - 1);
        if (begun % 4 == 0) pool.release(*pool.newest());
        ASSERT_TRUE(pool.validate()) << pool.validate().broken;
        ASSERT_LT(begun, 100);
    }
    EXPECT_EQ(pool.why_refused(), refusal::full);
    EXPECT_GE(pool.stats().retired, 3u);
    EXPECT_GE(begun, 9);
    constexpr options wraps{.handle_bits = 32, .index_bits = 29, .generations = generation_rule::wrap};
    ring_pool<int, wraps> round(3);
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(round.acquire(i));
    EXPECT_EQ(values(round), (std::vector{997, 998, 999}));
}

TEST(ring, other_endings_than_replace_oldest_are_said) {
    misuse_log log;
    const ring silent(2, {.on_full = on_full::replace_oldest});
    EXPECT_EQ(log.count(), 0u);
    const ring said(2, {.on_full = on_full::grow_to(10)});
    EXPECT_EQ(log.only().kind, misuse_kind::bad_setting);
}

TEST(ring, a_moved_pool_takes_objects_and_leases_along_and_a_replaced_lease_is_quiet) {
    lifetime_scope lives;
    misuse_log log;
    ring_pool<counting> first(2);
    auto lease = first.lease(1);
    const auto* const place = lease.get();
    ring_pool<counting> second(std::move(first));
    EXPECT_EQ(lease.get(), place);
    EXPECT_FALSE(first.acquire(1));  // NOLINT(bugprone-use-after-move): what it promises
    EXPECT_TRUE(first.validate());
    EXPECT_TRUE(first.full());
    second.acquire(2);
    second.acquire(3);
    EXPECT_FALSE(lease);
    lease.reset();
    EXPECT_EQ(second.size(), 2u);
    second.clear();
    EXPECT_EQ(lives.live(), 0);
    EXPECT_EQ(log.count(), 0u);
}

TEST(ring, inline_and_lent_rings_have_the_capacity_they_were_given_and_never_allocate) {
    using lent = ring_pool<over_aligned64, options{}, lent_storage>;
    bytes buffer(lent::bytes_for(10) + 1);
    const allocation_watch watch;
    lent pool{std::span(buffer).subspan(1)};
    inline_ring_pool<int, 5> in_place;
    for (int i = 0; i < 40; ++i) {
        pool.acquire(i);
        in_place.acquire(i);
    }
    EXPECT_TRUE(watch.quiet());
    EXPECT_EQ(pool.capacity(), 10u);
    EXPECT_EQ(pool.size(), 10u);
    EXPECT_EQ(in_place.capacity(), 5u);
    EXPECT_EQ(values(in_place), (std::vector{35, 36, 37, 38, 39}));
    for (const auto& each : pool) EXPECT_NE(each.read(), torn);
}

// --- rewind -----------------------------------------------------------------------------------------------------------------

void live_in(ring& pool) {
    for (int i = 0; i < 9; ++i) pool.acquire(i);
    pool.release_if([](const int& v) { return v == 5 || v == 6; });
}

TEST(ring_rewind, after_a_restore_the_same_operations_give_the_same_handles) {
    ring pool(6);
    live_in(pool);
    snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    const bytes image = image_of(pool);
    const std::uint64_t hash = pool.state_hash();
    const auto play = [&] {
        std::vector<std::uint64_t> trace;
        for (int i = 0; i < 100; ++i) {
            trace.push_back(pool.acquire(i).handle().to_bits());
            if (i % 3 == 0) trace.push_back(pool.release_if([i](const int& v) { return v % 5 == i % 5; }));
        }
        return trace;
    };
    const auto first = play();
    for (const bool by_image : {false, true}) {
        ASSERT_TRUE(by_image ? pool.restore(image) : pool.restore(saved));
        EXPECT_EQ(pool.state_hash(), hash);
        EXPECT_EQ(image_of(pool), image);
        EXPECT_EQ(values(pool), (std::vector{3, 4, 7, 8}));
        EXPECT_EQ(play(), first);
    }
    ring other(7);
    EXPECT_EQ(other.restore(image).error, restore_error::other_options);
    EXPECT_EQ(other.restore(saved).error, restore_error::other_options);
}

TEST(ring_rewind, owners_are_copied_and_leases_of_undone_lives_become_empty) {
    lifetime_scope lives;
    ring_pool<string_owner> pool(8);
    auto kept = pool.lease(1);
    snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    auto undone = pool.lease(2);
    for (int i = 0; i < 5; ++i) pool.acquire(i);
    ASSERT_TRUE(pool.restore(saved));
    EXPECT_EQ(kept->read(), 1);
    EXPECT_FALSE(undone);
    EXPECT_EQ(pool.size(), 1u);
    EXPECT_TRUE(pool.validate());
}

TEST(ring_rewind, damaged_images_are_refused_or_sound) {
    ring source(6);
    live_in(source);
    const bytes image = image_of(source);
    ring target(6);
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
    int refused = 0;
    for (std::size_t bit = 0; bit < image.size() * 8; ++bit) {
        bytes flipped = image;
        flipped[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
        seal(flipped);
        if (const auto r = target.restore(flipped); r) {
            ++accepted;
            ASSERT_TRUE(target.validate()) << bit << target.validate().broken;
            for (int i = 0; i < 20; ++i) target.acquire(i);
            target.release_if([](const int& v) { return v % 3 == 0; });
            ASSERT_TRUE(target.validate()) << bit << target.validate().broken;
            ASSERT_TRUE(target.restore(before));
        } else {
            ++refused;
        }
        ASSERT_EQ(image_of(target), before) << bit;
    }
    EXPECT_GT(accepted, 100);
    EXPECT_GT(refused, 200);
    for (std::size_t at = 24; at + 4 <= image.size(); ++at) {  // every field as large as can be
        bytes huge = image;
        write_at(huge, at, 4, 0xffffffffu);
        seal(huge);
        if (target.restore(huge)) {
            ASSERT_TRUE(target.validate()) << at;
            ASSERT_TRUE(target.restore(before));
        }
        ASSERT_EQ(image_of(target), before) << at;
    }
}

TEST(ring_rewind, nothing_allocates_in_the_steady_state) {
    ring pool(50);
    lido::rewind<2> past;
    for (int i = 0; i < 50; ++i) pool.acquire(i);
    for (std::uint64_t t = 0; t < 4; ++t) past.save(t, pool);
    const allocation_watch watch;
    for (std::uint64_t t = 4; t < 40; ++t) {
        past.save(t, pool);
        for (int i = 0; i < 20; ++i) pool.acquire(i);
        pool.release_if([t](const int& v) { return v % 7 == static_cast<int>(t % 7); });
        const auto lease = pool.lease(3);
        if (t % 5 == 0 && !past.restore(t - 1, pool)) std::abort();
    }
    EXPECT_TRUE(watch.quiet());
}

}  // namespace ring_test
