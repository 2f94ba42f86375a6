// What a handle is: bits, order, hash, types, and that any bits may be asked of any pool.
#include <lido/core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <tuple>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

namespace handle_test {

using lido::handle;
using lido::handle32;

struct bullet;  // incomplete: handles do not look inside
struct enemy;
struct red {};
struct blue {};

template <class H>
constexpr bool is_plain =
    std::is_trivially_copyable_v<H> && std::is_standard_layout_v<H> && std::is_nothrow_default_constructible_v<H> &&
    sizeof(H) == sizeof(typename H::bits_type) && alignof(H) == alignof(typename H::bits_type);

template <class A, class B>
constexpr bool strangers =
    !std::convertible_to<A, B> && !std::constructible_from<A, B> && !std::assignable_from<A&, B> &&
    !std::equality_comparable_with<A, B> && !requires(A a, B b) { a == b; } && !requires(A a, B b) { a < b; };

TEST(handle, is_a_trivially_copyable_number_in_size) {
    static_assert(is_plain<handle<bullet>> && is_plain<handle32<bullet>> && is_plain<handle32<bullet, red, 4>>);
    static_assert(sizeof(handle<bullet>) == 8 && sizeof(handle32<bullet>) == 4);
}

TEST(handle, is_typed_by_element_tag_and_split) {
    static_assert(strangers<handle<bullet>, handle<enemy>>);
    static_assert(strangers<handle<bullet>, handle<bullet, red>>);
    static_assert(strangers<handle<bullet, blue>, handle<bullet, red>>);
    static_assert(strangers<handle<bullet>, handle32<bullet>>);
    static_assert(strangers<handle32<bullet>, handle32<bullet, void, 16>>);
    static_assert(!strangers<handle<bullet>, handle<bullet>>, "the question can be answered with no");
    static_assert(std::same_as<handle<bullet, red>::value_type, bullet> &&
                  std::same_as<handle<bullet, red>::tag_type, red>);
}

TEST(handle, does_not_turn_into_numbers_by_itself) {
    static_assert(!std::convertible_to<handle<bullet>, std::uint64_t> && !std::convertible_to<handle<bullet>, bool>);
    static_assert(!std::constructible_from<handle<bullet>, std::uint64_t> &&
                  !std::constructible_from<handle<bullet>, int>);
}

TEST(handle, of_zero_bits_is_null) {
    constexpr handle<bullet> null;
    static_assert(!null && null.to_bits() == 0 && null.index() == 0 && null.generation() == 0);
    static_assert(null == handle<bullet>{} && null == handle<bullet>::from_bits(0));
    static_assert(handle<bullet>::of(0, 1) && handle<bullet>::of(1, 0), "only all bits zero is null");
    alignas(handle32<bullet>) std::byte zeros[sizeof(handle32<bullet>)] = {};
    handle32<bullet> from_zeros = handle32<bullet>::of(3, 3);
    std::copy(std::begin(zeros), std::end(zeros), reinterpret_cast<std::byte*>(&from_zeros));
    EXPECT_FALSE(from_zeros);
}

TEST(handle, can_be_used_in_constant_expressions) {
    constexpr auto a = handle<bullet>::of(12, 3);
    constexpr auto b = handle<bullet>::from_bits(a.to_bits());
    static_assert(a == b && a.index() == 12 && a.generation() == 3 && a.to_bits() == (std::uint64_t{12} << 32 | 3));
    static_assert(handle<bullet>::of(1, 9) < handle<bullet>::of(2, 1));
    constexpr std::array sorted = [] {
        std::array all{handle32<bullet>::of(2, 1), handle32<bullet>::of(1, 5), handle32<bullet>::of(1, 3),
                       handle32<bullet>{}};
        std::sort(all.begin(), all.end());
        return all;
    }();
    static_assert(!sorted[0] && sorted[1] == handle32<bullet>::of(1, 3) && sorted[3] == handle32<bullet>::of(2, 1));
}

template <class H>
std::vector<std::uint32_t> indexes() {
    return {0, 1, H::max_slots / 2, H::max_slots - 1, H::max_slots};
}
template <class H>
std::vector<std::uint32_t> generations() {
    return {0, 1, H::last_generation / 2, H::last_generation - 1, H::last_generation, H::last_generation + 1};
}

template <class H>
void expect_parts_round_trip() {
    for (const std::uint32_t index : indexes<H>()) {
        for (const std::uint32_t generation : generations<H>()) {
            const H h = H::of(index, generation);
            ASSERT_EQ(h.index(), index);
            ASSERT_EQ(h.generation(), generation);
            ASSERT_EQ(H::from_bits(h.to_bits()), h);
            ASSERT_EQ(static_cast<bool>(h), index != 0 || generation != 0);
        }
    }
}

template <class H>
void expect_bits_round_trip() {
    std::uint64_t random = 3;
    for (int i = 0; i < 2000; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const auto bits = static_cast<typename H::bits_type>(random ^ random >> 32);
        const H h = H::from_bits(bits);
        ASSERT_EQ(h.to_bits(), bits);
        ASSERT_EQ(H::of(h.index(), h.generation()), h);
        ASSERT_LE(h.index(), H::max_slots);
        ASSERT_LE(h.generation(), H::last_generation + 1);
    }
}

template <unsigned IndexBits>
void expect_split_holds() {
    using H = handle32<bullet, void, IndexBits>;
    static_assert(H::index_bits == IndexBits && H::generation_bits == 32 - IndexBits);
    static_assert(H::max_slots == (std::uint64_t{1} << IndexBits) - 1);
    static_assert(H::last_generation == (std::uint64_t{1} << (32 - IndexBits)) - 2);
    static_assert(H::last_generation % 2 == 0 && H::last_generation >= 2);
    static_assert(is_plain<H>);
    SCOPED_TRACE(IndexBits);
    expect_parts_round_trip<H>();
    expect_bits_round_trip<H>();
}

TEST(handle, keeps_its_parts_in_every_split_of_32_bits) {
    [&]<unsigned... I>(std::integer_sequence<unsigned, I...>) {
        (expect_split_holds<I + 4>(), ...);
    }(std::make_integer_sequence<unsigned, 27>{});  // 4 to 30
}

TEST(handle, keeps_its_parts_in_64_bits) {
    using H = handle<bullet>;
    static_assert(H::index_bits == 32 && H::generation_bits == 32);
    static_assert(H::max_slots == 0xffffffffu && H::last_generation == 0xfffffffeu);
    expect_parts_round_trip<H>();
    expect_bits_round_trip<H>();
}

TEST(handle, sorts_by_index_and_then_by_generation) {
    using H = handle32<bullet, void, 10>;
    std::vector<H> all;
    for (std::uint32_t index = 0; index < 40; ++index) {
        for (const std::uint32_t generation : {1u, 3u, 1000u, H::last_generation}) {
            all.push_back(H::of((index * 17) % 40, generation));
        }
    }
    std::sort(all.begin(), all.end());
    for (std::size_t i = 1; i < all.size(); ++i) {
        const auto key = [](H h) { return std::tuple(h.index(), h.generation()); };
        ASSERT_LT(key(all[i - 1]), key(all[i]));
        ASSERT_TRUE(all[i - 1] < all[i] && all[i] > all[i - 1] && all[i - 1] != all[i]);
    }
}

template <class H>
void expect_low_bits_are_spread(std::uint32_t step) {
    // 1024 handles as a pool gives them into the 1024 buckets of a table that masks. Random ones would fill 647.
    std::set<std::size_t> buckets;
    std::array<unsigned, 1024> load{};
    for (std::uint32_t i = 0; i < 1024; ++i) {
        const std::size_t bucket = std::hash<H>{}(H::of(i * step, 1)) & 1023;
        buckets.insert(bucket);
        ++load[bucket];
    }
    EXPECT_GE(buckets.size(), 550u) << "step " << step;
    EXPECT_LE(*std::max_element(load.begin(), load.end()), 12u) << "step " << step;
}

TEST(handle, hashes_spread_over_the_low_bits) {
    for (const std::uint32_t step : {1u, 2u, 3u, 64u}) {
        expect_low_bits_are_spread<handle<bullet>>(step);
        expect_low_bits_are_spread<handle32<bullet>>(step);
        expect_low_bits_are_spread<handle32<bullet, void, 30>>(step);
    }
}

TEST(handle, hashes_tell_the_lives_of_a_slot_apart) {
    std::set<std::size_t> hashes;
    for (std::uint32_t life = 1; life < 2000; life += 2) {
        hashes.insert(std::hash<handle<bullet>>{}(handle<bullet>::of(5, life)));
    }
    EXPECT_EQ(hashes.size(), 1000u);
}

TEST(handle, works_as_a_key_of_ordered_and_unordered_sets) {
    std::unordered_set<handle<bullet>> unordered;
    std::set<handle<bullet>> ordered;
    for (std::uint32_t i = 0; i < 100; ++i) {
        unordered.insert(handle<bullet>::of(i % 50, 1));
        ordered.insert(handle<bullet>::of(i % 50, 1));
    }
    EXPECT_EQ(unordered.size(), 50u);
    EXPECT_EQ(ordered.size(), 50u);
    EXPECT_TRUE(unordered.contains(handle<bullet>::of(49, 1)));
    EXPECT_FALSE(unordered.contains(handle<bullet>::of(49, 3)));
}

struct node {
    lido::handle<node> next;  // its own kind, incomplete here
    int value = 0;
};

TEST(handle, lets_elements_name_their_own_kind) {
    lido::flag_pool<node, 4> pool;
    const auto first = pool.acquire(node{{}, 1});
    const auto second = pool.acquire(node{first, 2});
    EXPECT_EQ(pool.get(second->next)->value, 1);
}

template <class Pool>
class handle_in : public ::testing::Test {};

constexpr lido::options short_handles{.handle_bits = 32};
using pools =
    ::testing::Types<lido::flag_pool<int, 70>, lido::inline_slot_pool<int, 70>, lido::inline_dense_pool<int, 70>,
                     lido::flag_pool<int, 70, lido::options{.generations = lido::generation_rule::none}>,
                     lido::inline_slot_pool<int, 70, short_handles>, lido::inline_dense_pool<int, 70, short_handles>>;
TYPED_TEST_SUITE(handle_in, pools);

TYPED_TEST(handle_in, a_live_handle_is_odd_and_names_its_object) {
    TypeParam pool;
    for (int i = 0; i < 70; ++i) {
        const auto made = pool.acquire(i);
        ASSERT_TRUE(made);
        EXPECT_EQ(made.handle().generation() % 2, 1u);
        EXPECT_TRUE(made.handle());
        EXPECT_EQ(pool.handle_of(*made), made.handle());
    }
}

TYPED_TEST(handle_in, any_bits_may_be_asked_about) {
    TypeParam pool;
    using H = typename TypeParam::handle_type;
    std::set<typename H::bits_type> live;
    std::vector<H> kept;
    for (int i = 0; i < 60; ++i) {
        kept.push_back(pool.acquire(i));
    }
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (i % 3 == 0) {
            pool.release(kept[i]);
        } else {
            live.insert(kept[i].to_bits());
        }
    }
    std::uint64_t random = 11;
    const auto ask = [&](typename H::bits_type bits) {
        const H h = H::from_bits(bits);
        ASSERT_EQ(pool.contains(h), live.contains(bits)) << "index " << h.index() << ", generation " << h.generation();
        ASSERT_EQ(pool.get(h) != nullptr, live.contains(bits));
        ASSERT_EQ(std::as_const(pool).get(h) != nullptr, live.contains(bits));
    };
    for (int i = 0; i < 20000; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        ask(static_cast<typename H::bits_type>(random ^ random >> 29));
        ask(H::of(static_cast<std::uint32_t>(random >> 40) % 80, static_cast<std::uint32_t>(random >> 60) % 6)
                .to_bits());
    }
    for (const std::uint32_t index : indexes<H>()) {
        for (const std::uint32_t generation : generations<H>()) {
            ask(H::of(index, generation).to_bits());
        }
    }
}

TYPED_TEST(handle_in, the_handles_of_another_pool_of_the_same_type_are_safe) {
    TypeParam ours;
    TypeParam theirs;
    std::vector<typename TypeParam::handle_type> foreign;
    for (int i = 0; i < 70; ++i) {
        foreign.push_back(theirs.acquire(1000 + i));
    }
    static_cast<void>(ours.acquire(1));
    static_cast<void>(ours.acquire(2));
    for (const auto h : foreign) {
        int* const found = ours.get(h);
        // The same slot and life in both: the one case that bits cannot tell. It is still our object.
        ASSERT_EQ(found != nullptr, h.index() < 2);
        if (found != nullptr) {
            ASSERT_LT(*found, 1000);
        }
    }
    EXPECT_EQ(ours.size(), 2u);
    EXPECT_TRUE(ours.validate());
}

}  // namespace handle_test
