// Promise: an element may define every operator as it likes: pools take addresses, compare and move elements by the language alone.
#include <lido/core/bytemap_pool.hpp>
#include <lido/core/capped_list.hpp>
#include <lido/core/column_pool.hpp>
#include <lido/core/dense_pool.hpp>
#include <lido/core/flag_pool.hpp>
#include <lido/core/merge_pass.hpp>
#include <lido/core/recycle_pool.hpp>
#include <lido/core/rewind/rewind.hpp>
#include <lido/core/ring_pool.hpp>
#include <lido/core/slot_pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace lido::test::pool_hostile_operators {

/// Nobody takes its address, compares it, or puts it behind a comma.
struct proud {
    proud() noexcept = default;
    explicit proud(int v) noexcept : value(v) {}
    int value = 0;

    void operator&() const = delete;
    template <class Other>
    friend void operator,(const proud&, Other&&) = delete;
    template <class Other>
    friend void operator,(Other&&, const proud&) = delete;
    friend bool operator==(const proud&, const proud&) = delete;
    static void* operator new(std::size_t) = delete;
    static void* operator new[](std::size_t) = delete;
    void hash(hasher& h) const { h.add(static_cast<std::uint64_t>(value)); }
};

struct proud_owner : proud {
    using proud::proud;
    proud_owner(proud_owner&& other) noexcept : proud(other.value) {}
    proud_owner(const proud_owner& other) noexcept : proud(other.value) {}
    proud_owner& operator=(const proud_owner&) = delete;
    ~proud_owner() { value = -1; }
    void save(image_writer& w) const { w.put(static_cast<std::uint32_t>(value)); }
    bool load(image_reader& r) {
        value = static_cast<int>(r.take<std::uint32_t>());
        return true;
    }
};

template <class Pool>
void expect_same_after_saves(Pool& pool) {
    snapshot then;
    std::vector<std::byte> image;
    const auto hash = pool.state_hash();
    ASSERT_TRUE(pool.save(then));
    pool.save(image);
    pool.clear();
    EXPECT_TRUE(pool.restore(then));
    EXPECT_EQ(pool.state_hash(), hash);
    pool.clear();
    EXPECT_TRUE(pool.restore(image));
    EXPECT_EQ(pool.state_hash(), hash);
    EXPECT_TRUE(pool.validate());
}

template <class Pool>
void live_in(Pool& pool) {
    const auto first = pool.acquire(1);
    ASSERT_TRUE(first);
    const typename Pool::handle_type h = first;
    EXPECT_EQ(pool.handle_of(*pool.get(h)), h);
    pool.acquire(2);
    pool.acquire(3);
    pool.acquire(4);
    int sum = pool.begin()->value - 1;
    for (auto& each : pool) sum += each.value;
    for (auto [handle, each] : pool.each()) sum += each.value;
    pool.for_each([&](auto& each) { sum += each.value; });
    EXPECT_EQ(sum, 3 * 10);
    EXPECT_EQ(pool.release_if([](auto& each) { return each.value == 2; }), 1u);
    EXPECT_TRUE(pool.release(*pool.get(h)));
    { const auto lease = pool.lease(5); }
    expect_same_after_saves(pool);
    pool.clear();
}

template <class T>
class every_shape_of : public testing::Test {};
using elements = testing::Types<proud, proud_owner>;
TYPED_TEST_SUITE(every_shape_of, elements);

TYPED_TEST(every_shape_of, elements_with_hostile_operators_works) {
    slot_pool<TypeParam> slots(8);
    live_in(slots);
    flag_pool<TypeParam, 8> flags;
    live_in(flags);
    dense_pool<TypeParam> rows(8);
    live_in(rows);
    ring_pool<TypeParam> ring(8);
    live_in(ring);
    bytemap_pool<TypeParam> bytes(8);
    live_in(bytes);
}

TYPED_TEST(every_shape_of, elements_with_hostile_operators_works_where_they_replace) {
    constexpr options aged{.tracks = track::age};
    slot_pool<TypeParam, aged> slots(1, {.on_full = on_full::replace_oldest, .leaks = leaks::allow});
    dense_pool<TypeParam, aged> rows(1, {.on_full = on_full::replace_oldest, .leaks = leaks::allow});
    slots.acquire(1);
    rows.acquire(1);
    EXPECT_EQ((*slots.acquire(2)).value, 2);
    EXPECT_EQ((*rows.acquire(2)).value, 2);
}

TYPED_TEST(every_shape_of, elements_with_hostile_operators_is_a_capped_list) {
    capped_list<TypeParam, 4, options{.tracks = track::age}> list({.on_full = on_full::replace_oldest});
    for (int i = 0; i < 6; ++i) ASSERT_NE(list.push(i), nullptr);
    EXPECT_TRUE(list.swap_remove(1));
    EXPECT_TRUE(list.release(list[0]));
    EXPECT_EQ(list.release_if([](TypeParam& each) { return each.value == 3; }), 1u);
    int sum = 0;
    for (auto& each : list) sum += each.value;
    for (auto& each : list.backward()) sum += each.value;
    EXPECT_EQ(list.size(), 1u);
    expect_same_after_saves(list);
    list.clear();
}

TEST(a_column_pool, has_fields_with_hostile_operators) {
    struct pair {
        proud a;
        proud_owner b;
    };
    column_pool<pair> pool(4, {.leaks = leaks::allow});
    const auto first = pool.acquire(proud(1), proud_owner(2));
    const handle<pair> h = first;
    pool.acquire(proud(3), proud_owner(4));
    EXPECT_EQ(pool.get(h)->get<&pair::b>().value, 2);
    EXPECT_EQ(pool.release_if<&pair::a>([](proud& each) { return each.value == 1; }), 1u);
    expect_same_after_saves(pool);
}

TEST(a_recycle_pool, has_objects_with_hostile_operators) {
    recycle_pool<proud> pool(4, {.leaks = leaks::allow});
    const handle<proud> h = pool.acquire();
    EXPECT_EQ(pool.handle_of(*pool.get(h)), h);
    EXPECT_TRUE(pool.release(*pool.get(h)));
    pool.acquire();
    expect_same_after_saves(pool);
}

}  // namespace lido::test::pool_hostile_operators
