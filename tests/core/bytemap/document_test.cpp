// Promise (S2.1 .. S2.7, S2.9): bytemap_pool does what the document of the old pools says, number for number, and the sound thing
// where the document does not.
#include "core/misuse/misuse_log.hpp"
#include "support/elements.hpp"

#include <lido/core/bytemap_pool.hpp>
#include <lido/core/pool.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace bytemap_document_test {

using namespace lido;
using namespace lido::test;

using numbers = bytemap_pool<int>;
static_assert(pool<numbers> && acquires<numbers, int>);
static_assert(pool<inline_bytemap_pool<int, 4>> && pool<bytemap_pool<int, 4, lent_storage>>);

[[nodiscard]] std::int32_t number(const numbers::acquired_type& made) { return made.handle().to_bits(); }

TEST(bytemap_document, a_handle_is_the_index_shifted_by_8_and_the_state_byte) {  // S2.1
    numbers pool(300);
    EXPECT_EQ(number(pool.acquire(10)), 0 << 8 | 1);  // the seed is advanced before it is used
    EXPECT_EQ(number(pool.acquire(11)), 1 << 8 | 1);
    for (int i = 2; i < 300; ++i) EXPECT_EQ(number(pool.acquire(i)), i << 8 | 1);
    const auto last = numbers::handle_type::from_bits(299 << 8 | 1);
    EXPECT_EQ(last.index(), 299);
    EXPECT_EQ(last.state(), 1);
    EXPECT_EQ(pool.byte_map()[299], 1);
    EXPECT_EQ(numbers::handle_type{}.to_bits(), -1);
    EXPECT_FALSE(numbers::handle_type{});
    static_assert(numbers::max_slots == 1u << 23);
    EXPECT_EQ(numbers::handle_type::of(numbers::max_slots - 1, 127).to_bits(),
              std::numeric_limits<std::int32_t>::max() - 128);
}

TEST(bytemap_document, initialise_frees_every_slot_with_seed_0) {  // S2.2
    numbers pool;
    EXPECT_EQ(pool.capacity(), 0u);
    EXPECT_FALSE(pool.acquire(1));
    ASSERT_TRUE(pool.initialise(5));
    EXPECT_EQ(pool.capacity(), 5u);
    EXPECT_EQ(pool.first_free(), -1);
    for (const std::uint8_t s : pool.byte_map()) EXPECT_EQ(s, 0x80);
    EXPECT_TRUE(pool.validate());
}

TEST(bytemap_document, initialise_of_no_slots_is_refused_and_said) {
    misuse_log log;
    numbers pool(3);
    for (const std::int32_t count : {0, -1, std::numeric_limits<std::int32_t>::min()}) {
        EXPECT_FALSE(pool.initialise(count));
        EXPECT_EQ(pool.capacity(), 0u);
        EXPECT_EQ(log.only().kind, misuse_kind::bad_setting);
    }
}

TEST(bytemap_document, initialise_of_more_slots_than_handles_name_is_refused_and_said) {
    misuse_log log;
    bytemap_pool<char> pool(3);
    inline_bytemap_pool<char, 3> in_place;
    constexpr auto most = static_cast<std::int32_t>(bytemap_pool<char>::max_slots);
    for (const std::int32_t count : {most + 1, std::numeric_limits<std::int32_t>::max()}) {
        EXPECT_FALSE(pool.initialise(count));
        EXPECT_EQ(pool.capacity(), 0u);
        EXPECT_FALSE(pool.acquire('x'));
        EXPECT_EQ(log.only().kind, misuse_kind::bad_setting);
        EXPECT_FALSE(in_place.initialise(count));
        EXPECT_EQ(in_place.capacity(), 0u);
        EXPECT_EQ(log.only().kind, misuse_kind::bad_setting);
    }
    EXPECT_TRUE(pool.initialise(most));
    EXPECT_EQ(pool.capacity(), bytemap_pool<char>::max_slots);
    EXPECT_EQ(pool.first_free(), -1);
    EXPECT_TRUE(pool.validate());
}

TEST(bytemap_document, a_constructor_with_a_count_refuses_what_initialise_refuses) {  // S2.2
    misuse_log log;
    constexpr std::uint32_t most = bytemap_pool<char>::max_slots;
    for (const std::uint32_t count : {0u, most + 1, std::numeric_limits<std::uint32_t>::max()}) {
        bytemap_pool<char> pool(count, {.name = "named"});
        EXPECT_EQ(pool.capacity(), 0u);
        EXPECT_FALSE(pool.acquire('x'));
        const auto told = log.only();
        EXPECT_EQ(told.kind, misuse_kind::bad_setting);
        EXPECT_EQ(told.pool, "named");
        EXPECT_TRUE(pool.validate());
        EXPECT_TRUE(pool.initialise(2));
        EXPECT_TRUE(pool.acquire('x'));
    }
    const bytemap_pool<char> all(most);
    EXPECT_EQ(all.capacity(), most);
    const bytemap_pool<char> later;
    EXPECT_EQ(log.count(), 0u) << "a pool without a count waits for initialise";
}

TEST(bytemap_document, clear_zeroes_seeds_and_leaves_first_free) {  // S2.2
    lifetime_scope lives;
    bytemap_pool<counting> pool(4);
    for (int i = 0; i < 3; ++i) pool.acquire(i);
    pool.clear();
    EXPECT_EQ(lives.live(), 0);
    EXPECT_TRUE(pool.empty());
    EXPECT_EQ(pool.first_free(), 2);
    for (const std::uint8_t s : pool.byte_map()) EXPECT_EQ(s, 0x80);
    EXPECT_EQ(pool.acquire(7).handle().to_bits(), 3 << 8 | 1);
    EXPECT_TRUE(pool.validate());
}

TEST(bytemap_document, flush_twice_is_harmless) {  // S2.2
    lifetime_scope lives;
    bytemap_pool<counting> pool(4);
    const auto kept = pool.acquire(1).handle();
    auto lease = pool.lease(2);
    for (int i = 0; i < 2; ++i) {
        pool.flush();
        EXPECT_EQ(pool.capacity(), 0u);
        EXPECT_EQ(pool.first_free(), 0);
        EXPECT_EQ(pool.size(), 0u);
        EXPECT_EQ(lives.live(), 0);
        EXPECT_EQ(pool.get(kept), nullptr);
        EXPECT_EQ(pool.stats().bytes, 0u);
        EXPECT_TRUE(pool.validate());
    }
    EXPECT_FALSE(lease);
    ASSERT_TRUE(pool.initialise(2));
    EXPECT_EQ(pool.acquire(1).handle().to_bits(), 1);
}

TEST(bytemap_document, an_inline_pool_can_be_flushed_and_initialised_smaller) {
    misuse_log log;
    inline_bytemap_pool<int, 4> pool;
    EXPECT_EQ(pool.capacity(), 4u);
    pool.flush();
    EXPECT_TRUE(pool.initialise(3));
    EXPECT_EQ(pool.capacity(), 3u);
    EXPECT_FALSE(pool.initialise(5));
    EXPECT_EQ(pool.capacity(), 0u);
    EXPECT_EQ(log.only().kind, misuse_kind::bad_setting);
}

TEST(bytemap_document, any_index_handle_or_pointer_of_elsewhere_finds_nothing) {  // S2.3
    numbers pool(4);
    numbers other(4);
    const auto a = pool.acquire(10);
    const auto foreign = other.acquire(20);
    const int alone = 30;
    EXPECT_EQ(pool.slot(0), a.get());
    EXPECT_EQ(pool.at(1), a.get());
    EXPECT_EQ(pool.index_of(*a), 0);
    EXPECT_EQ(pool.handle_of(*a), a.handle());
    constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
    constexpr auto highest = std::numeric_limits<std::int32_t>::max();
    for (const std::int32_t i : {-1, 1, 3, 4, 5, 1000, lowest, highest}) EXPECT_EQ(pool.slot(i), nullptr) << i;
    for (std::int32_t low = -70000; low < 70000; ++low) {
        ASSERT_TRUE(low == 1 || pool.at(low) == nullptr) << low;
    }
    for (const std::int32_t h : {lowest, lowest + 1, highest, highest - 1}) EXPECT_EQ(pool.at(h), nullptr);
    EXPECT_EQ(pool.index_of(*foreign), -1);
    EXPECT_EQ(pool.index_of(alone), -1);
    EXPECT_EQ(pool.handle_of(alone).to_bits(), -1);
    EXPECT_EQ(pool.index_of(*(a.get() + 1)), -1) << "a slot in which nothing lives";
}

TEST(bytemap_document, a_handle_with_the_free_flag_does_not_find_a_free_slot) {  // S2.3; the document's GetAt would
    numbers pool(2);
    const auto a = pool.acquire(1);
    EXPECT_TRUE(pool.release(a.handle()));
    EXPECT_EQ(pool.byte_map()[0], 0x81);
    EXPECT_EQ(pool.at(0x81), nullptr);
    EXPECT_FALSE(pool.contains(numbers::handle_type::from_bits(0x81)));
    EXPECT_EQ(pool.at(0x180), nullptr) << "slot 1 was never used: its byte is 0x80";
}

TEST(bytemap_document, new_is_next_fit_after_first_free_and_wraps_once) {  // S2.4
    numbers pool(4);
    std::array<numbers::handle_type, 4> h{};
    for (auto& each : h) each = pool.acquire(0);
    EXPECT_EQ(pool.first_free(), 3);
    EXPECT_FALSE(pool.acquire(0));
    EXPECT_EQ(pool.why_refused(), refusal::full);
    EXPECT_EQ(pool.first_free(), 4) << "the search moves it, and one that finds nothing ends at the top";
    EXPECT_FALSE(pool.acquire(0));
    EXPECT_EQ(pool.first_free(), 4) << "and so does the next";
    EXPECT_EQ(pool.stats().refused, 2u);
    EXPECT_TRUE(pool.validate());
    EXPECT_TRUE(pool.release(h[2]));
    EXPECT_EQ(pool.first_free(), 2);
    EXPECT_TRUE(pool.release(h[0]));
    EXPECT_EQ(pool.first_free(), 0);
    EXPECT_TRUE(pool.release(h[3]));
    EXPECT_EQ(pool.first_free(), 0) << "lowered, never raised";
    EXPECT_EQ(number(pool.acquire(0)), 2 << 8 | 2);  // after slot 0
    EXPECT_EQ(number(pool.acquire(0)), 3 << 8 | 2);
    EXPECT_EQ(number(pool.acquire(0)), 0 << 8 | 2);  // round the end
    EXPECT_TRUE(pool.full());
}

TEST(bytemap_document, a_new_that_finds_nothing_lets_the_last_slot_lower_first_free) {  // S2.4, S2.6
    numbers pool(4);
    std::array<numbers::handle_type, 4> h{};
    const auto refuse = [&](int which) {
        EXPECT_EQ(pool.acquire_n(h, 0), 4u);
        if (which == 0) {
            EXPECT_FALSE(pool.acquire(0));
        }
        if (which == 1) {
            EXPECT_FALSE(pool.acquire_as({}, 0));
        }
        if (which == 2) {
            EXPECT_FALSE(pool.lease(0));
        }
        std::array<numbers::handle_type, 2> more{};
        if (which == 3) {
            EXPECT_EQ(pool.acquire_n(more, 0), 0u);
        }
    };
    for (int which = 0; which < 4; ++which) {
        ASSERT_TRUE(pool.initialise(4));
        refuse(which);
        EXPECT_EQ(pool.first_free(), 4) << which;
        EXPECT_TRUE(pool.release(h[3]));
        EXPECT_EQ(pool.first_free(), 3) << which;
        EXPECT_TRUE(pool.release(h[1]));
        EXPECT_EQ(pool.first_free(), 1) << which;
        EXPECT_EQ(number(pool.acquire(0)), 3 << 8 | 2) << which;
    }
    ASSERT_TRUE(pool.initialise(4));
    refuse(0);
    std::vector<std::byte> image;
    pool.save(image);
    numbers again(4);
    ASSERT_TRUE(again.restore(image)) << "a save of a pool that has just refused";
    EXPECT_EQ(again.first_free(), 4);
    EXPECT_EQ(again.state_hash(), pool.state_hash());
}

TEST(bytemap_document, a_reservation_that_is_refused_leaves_first_free) {  // S2.5: the document knows no such thing
    numbers pool(2);
    const auto a = pool.acquire(1).handle();
    EXPECT_FALSE(pool.reserve(a, 2));
    EXPECT_FALSE(pool.reserve(numbers::handle_type{}, 2));
    EXPECT_EQ(pool.first_free(), 0);
}

TEST(bytemap_document, the_seed_is_advanced_modulo_128) {  // S2.4
    numbers pool(1);
    for (int life = 1; life <= 300; ++life) {
        const auto made = pool.acquire(life);
        ASSERT_EQ(number(made), life % 128);
        ASSERT_EQ(pool.at(life % 128), made.get());  // handle 0 lives too
        ASSERT_TRUE(pool.release(*made));
        ASSERT_EQ(pool.byte_map()[0], 0x80 | life % 128);
    }
}

TEST(bytemap_document, every_free_slot_is_found_wherever_the_search_starts) {  // S2.4: the walk in steps of eight
    constexpr std::uint32_t slots = 45;
    for (std::uint32_t hole = 0; hole < slots; ++hole) {
        for (std::uint32_t start = 0; start < slots; start += 3) {
            numbers pool(slots);
            std::vector<numbers::handle_type> all(slots);
            ASSERT_EQ(pool.acquire_n(all, 1), slots);
            ASSERT_TRUE(pool.release(all[start]));
            const auto at = static_cast<std::int32_t>(pool.acquire(1).handle().index());
            ASSERT_EQ(at, static_cast<std::int32_t>(start));
            if (hole == start) continue;
            ASSERT_TRUE(pool.release(all[hole]));
            ASSERT_EQ(pool.acquire(2).handle().index(), static_cast<std::int32_t>(hole));
        }
    }
}

TEST(bytemap_document, new_of_a_handle_reserves_exactly_that_slot_and_seed) {  // S2.5
    numbers pool(8);
    const auto wanted = numbers::handle_type::of(5, 99);
    const auto made = pool.reserve(wanted, 7);
    ASSERT_TRUE(made);
    EXPECT_EQ(made.handle(), wanted);
    EXPECT_EQ(pool.get(wanted), made.get());
    EXPECT_EQ(pool.index_of(*made), 5);
    EXPECT_EQ(*pool.at(5 << 8 | 99), 7);
    EXPECT_EQ(pool.first_free(), 5) << "the lowest slot that is taken";
    ASSERT_TRUE(pool.reserve(numbers::handle_type::of(7, 0), 8));
    EXPECT_EQ(pool.first_free(), 5);
    ASSERT_TRUE(pool.reserve(numbers::handle_type::of(2, 127), 9));
    EXPECT_EQ(pool.first_free(), 2);
    EXPECT_EQ(number(pool.acquire(1)), 3 << 8 | 1);
    EXPECT_TRUE(pool.validate());
}

TEST(bytemap_document, a_reservation_of_a_taken_slot_or_of_no_handle_is_refused) {  // S2.5
    numbers pool(4);
    const auto a = pool.acquire(1);
    EXPECT_FALSE(pool.reserve(numbers::handle_type::of(0, 5), 2));
    EXPECT_EQ(pool.why_refused(), refusal::slot_taken);
    EXPECT_EQ(*pool.get(a), 1);
    for (const std::int32_t bad : {-1, 4 << 8 | 1, 1 << 8 | 0x81, std::numeric_limits<std::int32_t>::min()}) {
        EXPECT_FALSE(pool.reserve(numbers::handle_type::from_bits(bad), 2)) << bad;
        EXPECT_EQ(pool.why_refused(), refusal::out_of_range);
    }
    EXPECT_EQ(pool.size(), 1u);
    EXPECT_EQ(pool.first_free(), 0);
}

TEST(bytemap_document, deleting_twice_or_what_is_not_in_the_pool_is_refused_counted_and_reported) {  // S2.6
    misuse_log log;
    numbers pool(4, {.name = "peds"});
    const auto a = pool.acquire(1);
    const auto stale = a.handle();
    int& object = *a;
    EXPECT_TRUE(pool.release(object));
    EXPECT_FALSE(pool.release(object));
    const auto twice = log.only();
    EXPECT_EQ(twice.kind, misuse_kind::double_release);
    EXPECT_EQ(twice.pool, "peds");
    EXPECT_EQ(twice.slot, 0u);
    EXPECT_EQ(twice.generation, 1u);
    EXPECT_FALSE(pool.release(stale));
    EXPECT_EQ(log.only().kind, misuse_kind::double_release);
    const int alone = 3;
    EXPECT_FALSE(pool.release(alone));
    EXPECT_EQ(log.only().kind, misuse_kind::foreign_object);
    pool.reserve(numbers::handle_type::of(0, 2), 5);
    EXPECT_FALSE(pool.release(stale));
    EXPECT_EQ(log.only().kind, misuse_kind::stale_release);
    for (const std::int32_t wild : {-1, 4 << 8 | 1, 0x82}) {
        EXPECT_FALSE(pool.release(numbers::handle_type::from_bits(wild)));
        EXPECT_EQ(log.only().kind, misuse_kind::wild_handle);
    }
    EXPECT_EQ(pool.stats().bad_releases, 7u);
    EXPECT_EQ(pool.size(), 1u);
    EXPECT_TRUE(pool.validate());
}

TEST(bytemap_document, other_endings_than_reject_are_said_and_not_done) {
    misuse_log log;
    for (const on_full wish : {on_full::replace_oldest, on_full::replace_if, on_full::merge, on_full::grow_to(9)}) {
        numbers pool(1, {.on_full = wish});
        EXPECT_EQ(log.only().kind, misuse_kind::bad_setting);
        EXPECT_TRUE(pool.acquire(1));
        EXPECT_FALSE(pool.acquire(2));
        EXPECT_EQ(pool.why_refused(), refusal::full);
    }
}

TEST(bytemap_document, traversal_meets_every_live_object_once_with_its_handle) {  // S2.9
    numbers pool(70);
    std::vector<numbers::handle_type> all(70);
    ASSERT_EQ(pool.acquire_n(all, 0), 70u);
    int n = 0;
    for (int& object : pool) object = n++;
    EXPECT_EQ(n, 70);
    EXPECT_EQ(pool.release_if([](const int& v) { return v % 3 != 0; }), 46u);
    std::vector<int> seen;
    for (auto [handle, object] : pool.each()) {
        EXPECT_EQ(handle, all[static_cast<std::size_t>(object)]);
        seen.push_back(object);
        EXPECT_TRUE(object % 2 != 0 || pool.release(handle));  // the one we are at
    }
    EXPECT_EQ(seen.size(), 24u);
    seen.clear();
    std::as_const(pool).for_each([&](const int& v) { seen.push_back(v); });
    EXPECT_EQ(seen, (std::vector<int>{3, 9, 15, 21, 27, 33, 39, 45, 51, 57, 63, 69}));
    EXPECT_TRUE(pool.validate());
}

// --- S2.7: a base class and what derives from it ----------------------------------------------------------------------------

struct vehicle {
    explicit vehicle(int w) : wheels(w) { ++alive; }
    vehicle(const vehicle&) = delete;
    vehicle& operator=(const vehicle&) = delete;
    virtual ~vehicle() { --alive; }
    [[nodiscard]] virtual std::string name() const { return "vehicle"; }
    int wheels;
    static inline int alive = 0;
};
struct bike : vehicle {
    bike() : vehicle(2) {}
    [[nodiscard]] std::string name() const override { return "bike"; }
};
struct truck : vehicle {
    explicit truck(std::string what) : vehicle(6), load(std::move(what)) {}
    [[nodiscard]] std::string name() const override { return "truck of " + load; }
    std::string load;
    double weight[4] = {};
};

TEST(bytemap_derived, slots_hold_the_base_class_and_its_derived_classes) {
    {
        bytemap_pool<vehicle, sizeof(truck)> pool(3);
        const auto plain = pool.acquire(4);
        const auto small = pool.acquire<bike>();
        const auto large = pool.acquire<truck>("apples, in a text that does not fit a small buffer");
        static_assert(std::is_same_v<decltype(large.get()), truck*>);
        EXPECT_EQ(plain->name(), "vehicle");
        EXPECT_EQ(pool.get(small)->name(), "bike");
        EXPECT_EQ(pool.get(large)->name(), "truck of apples, in a text that does not fit a small buffer");
        EXPECT_EQ(pool.handle_of(*large).to_bits(), 2 << 8 | 1);
        EXPECT_EQ(pool.index_of(*small), 1);
        const auto address = [](const vehicle* v) { return reinterpret_cast<std::uintptr_t>(v); };
        EXPECT_EQ(address(large.get()) - address(small.get()), sizeof(truck));
        EXPECT_TRUE(pool.release(*large));
        EXPECT_EQ(vehicle::alive, 2);
        EXPECT_TRUE(pool.reserve<bike>(bytemap_pool<vehicle, sizeof(truck)>::handle_type::of(2, 9)));
        EXPECT_EQ(pool.at(2 << 8 | 9)->wheels, 2);
        const auto lease = pool.lease<truck>("full");
        EXPECT_FALSE(lease);
    }
    EXPECT_EQ(vehicle::alive, 0);
}

/// Acquires another of its kind while it is built, asks for itself, and tries to end itself while it ends.
struct nested {
    using pool_type = bytemap_pool<nested>;
    explicit nested(pool_type& p, int more, bool fails = false) : pool(p) {
        EXPECT_EQ(p.index_of(*this), static_cast<std::int32_t>(p.handle_of(*this).index()));
        EXPECT_FALSE(p.release(*this)) << "it is being built";
        EXPECT_TRUE(more == 0 || p.acquire(p, more - 1));
        if (fails) throw injected_failure{};
    }
    ~nested() {
        EXPECT_TRUE(pool.contains(pool.handle_of(*this)));
        EXPECT_FALSE(pool.release(*this)) << "it is being ended";
    }
    pool_type& pool;
};

TEST(bytemap_derived, constructors_and_destructors_may_use_their_pool_but_not_end_themselves) {
    misuse_log log;
    nested::pool_type pool(5);
    const auto made = pool.acquire(pool, 2);
    EXPECT_EQ(made.handle().to_bits(), 1);
    EXPECT_EQ(pool.size(), 3u);
    EXPECT_EQ(log.count(misuse_kind::double_release), 3u);
    EXPECT_TRUE(pool.release(made.handle()));
    EXPECT_EQ(log.count(misuse_kind::double_release), 4u);
    EXPECT_EQ(pool.size(), 2u);
    EXPECT_THROW(pool.acquire(pool, 0, true), injected_failure);
    EXPECT_EQ(pool.size(), 2u);
    EXPECT_TRUE(pool.validate());
}

TEST(bytemap_derived, a_throwing_constructor_leaves_the_pool_as_it_was) {
    lifetime_scope lives;
    misuse_log log;
    bytemap_pool<throwing> pool(4);
    const auto kept = pool.acquire(1).handle();
    const std::vector<std::uint8_t> map(pool.byte_map().begin(), pool.byte_map().end());
    throwing::fail_after(0);
    EXPECT_THROW(pool.acquire(2), injected_failure);
    throwing::fail_after(0);
    EXPECT_THROW(pool.reserve(bytemap_pool<throwing>::handle_type::of(3, 7), 2), injected_failure);
    EXPECT_EQ(std::vector<std::uint8_t>(pool.byte_map().begin(), pool.byte_map().end()), map);
    EXPECT_EQ(pool.first_free(), 0);
    EXPECT_EQ(pool.size(), 1u);
    EXPECT_EQ(pool.stats().acquired, 1u);
    std::vector<bytemap_pool<throwing>::handle_type> out(3);
    throwing::fail_after(2);
    EXPECT_THROW(pool.acquire_n(out, 1), injected_failure);
    EXPECT_EQ(pool.size(), 1u);
    EXPECT_EQ(out, std::vector<bytemap_pool<throwing>::handle_type>(3));
    EXPECT_EQ(pool.get(kept)->read(), 1);
    EXPECT_TRUE(pool.validate());
}

TEST(bytemap_storage, a_moved_pool_takes_objects_handles_and_leases_along) {
    lifetime_scope lives;
    bytemap_pool<counting> first(3);
    const auto h = first.acquire(7).handle();
    const auto* const place = first.get(h);
    auto lease = first.lease(8);
    bytemap_pool<counting> second(std::move(first));
    EXPECT_EQ(first.capacity(), 0u);  // NOLINT(bugprone-use-after-move): what it promises
    EXPECT_FALSE(first.acquire(1));
    EXPECT_TRUE(first.validate());
    EXPECT_EQ(second.get(h), place);
    EXPECT_EQ(lease->read(), 8);
    lease.reset();
    EXPECT_EQ(second.size(), 1u);
    first = std::move(second);
    EXPECT_EQ(first.get(h)->read(), 7);
}

TEST(bytemap_storage, a_lent_buffer_holds_what_bytes_for_says_wherever_it_starts) {
    using lent = bytemap_pool<over_aligned64, 128, lent_storage>;
    std::vector<std::byte> buffer(lent::bytes_for(10) + 1);
    lent pool{std::span(buffer).subspan(1)};
    EXPECT_EQ(pool.capacity(), 10u);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(pool.acquire(i)->read(), i);
    EXPECT_TRUE(pool.full());
    misuse_log log;
    lent none{std::span(buffer).first(20)};
    EXPECT_EQ(none.capacity(), 0u);
    EXPECT_EQ(log.only().kind, misuse_kind::no_memory);
}

}  // namespace bytemap_document_test
