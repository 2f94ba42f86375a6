// Promise (S3.1): a row reads, writes, swaps and destructures as a reference to the whole struct would.
#include "orb.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

namespace columns_row_test {

using namespace lido;
using namespace lido::test;

using orb_pool = column_pool<orb>;
using mixed_pool = column_pool<mixed>;

static_assert(lido::pool<orb_pool> && lido::pool<mixed_pool> && lido::pool<inline_column_pool<orb, 8>>);
static_assert(acquires<orb_pool, orb> && acquires<orb_pool, float, float> && !acquires<orb_pool, std::string>);
static_assert(std::random_access_iterator<orb_pool::iterator> && std::random_access_iterator<orb_pool::const_iterator>);
static_assert(std::ranges::random_access_range<orb_pool> && std::ranges::sized_range<const orb_pool>);
static_assert(std::permutable<orb_pool::iterator> && std::permutable<mixed_pool::iterator>);
static_assert(!std::permutable<orb_pool::const_iterator>);
static_assert(std::is_convertible_v<orb_pool::reference, orb_pool::const_reference>);
static_assert(!std::is_convertible_v<orb_pool::const_reference, orb_pool::reference>);
static_assert(!std::is_assignable_v<orb_pool::const_reference, orb>);
static_assert(std::is_same_v<std::tuple_element_t<4, orb_pool::reference>, std::int32_t&>);
static_assert(std::is_same_v<std::tuple_element_t<4, orb_pool::const_reference>, const std::int32_t&>);
static_assert(std::tuple_size_v<orb_pool::reference> == 11);
static_assert(sizeof(orb_pool::reference) <= 2 * sizeof(void*));

TEST(column_row, whole_structs_go_in_and_out) {
    mixed_pool pool(10);
    const mixed first = mixed_of(1);
    const auto a = pool.acquire(first);
    const auto b = pool.acquire(mixed_of(2));
    ASSERT_TRUE(a && b);
    EXPECT_EQ(mixed(*a), first);
    EXPECT_EQ(mixed(pool.row(1)), mixed_of(2));
    pool.row(0) = mixed_of(3);
    EXPECT_EQ(mixed(pool.row(a.handle())), mixed_of(3));
    const mixed kept = mixed_of(4);
    pool.row(0) = kept;
    EXPECT_EQ(mixed(pool.row(0)), kept);
    EXPECT_EQ(mixed(std::as_const(pool).row(1)), mixed_of(2)) << "the row beside it";
}

TEST(column_row, fields_are_acquired_in_order_and_the_rest_is_zero) {
    orb_pool pool(10);
    const auto made = pool.acquire(1.0f, 2.0f, 3.0f, 4.0f, 5);
    ASSERT_TRUE(made);
    EXPECT_EQ(orb(*made), (orb{1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(made->get<&orb::amount>(), 5);
}

TEST(column_row, destructuring_gives_references) {
    mixed_pool pool(10);
    pool.acquire(mixed_of(1));
    auto [kind, name, path, where, aliases, seen] = pool.row(0);
    static_assert(std::is_same_v<decltype(name), std::string&> && std::is_same_v<decltype(path), float(&)[3]>);
    name = "other";
    path[2] = 9;
    where.level = 77;
    aliases[1] = "b";
    EXPECT_EQ(pool.row(0).get<&mixed::name>(), "other");
    EXPECT_EQ(pool.column<&mixed::path>()[0][2], 9);
    EXPECT_EQ(pool.column<3>()[0].level, 77);
    EXPECT_EQ(pool.row(0).get<4>()[1], "b");
    const auto [ckind, cname, cpath, cwhere, caliases, cseen] = std::as_const(pool).row(0);
    static_assert(std::is_same_v<decltype(cname), const std::string&>);
    EXPECT_EQ(&cname, &name);
    EXPECT_EQ(ckind, kind);
    EXPECT_EQ(cseen, seen);
    EXPECT_EQ(&cpath, &path);
    EXPECT_EQ(&cwhere, &where);
    EXPECT_EQ(&caliases, &aliases);
}

TEST(column_row, assigning_a_row_copies_fields_and_copying_a_row_copies_the_reference) {
    mixed_pool pool(10);
    pool.acquire(mixed_of(1));
    pool.acquire(mixed_of(2));
    auto a = pool.row(0);
    const auto same = a;
    EXPECT_TRUE(same.same_row(a));
    a = pool.row(1);
    EXPECT_EQ(mixed(pool.row(0)), mixed_of(2));
    EXPECT_EQ(mixed(pool.row(1)), mixed_of(2)) << "copied, not moved";
    EXPECT_EQ(same.index(), 0u);
    same = std::as_const(pool).row(1);
    pool.row(1) = mixed_of(5);
    EXPECT_EQ(mixed(same), mixed_of(2));
    auto self = pool.row(1);
    self = pool.row(1);
    EXPECT_EQ(mixed(self), mixed_of(5));
}

TEST(column_row, swap_exchanges_every_field_and_leaves_handles_with_their_rows) {
    mixed_pool pool(10);
    const auto a = pool.acquire(mixed_of(1)).handle();
    const auto b = pool.acquire(mixed_of(2)).handle();
    swap(pool.row(0), pool.row(1));
    EXPECT_EQ(mixed(pool.row(a)), mixed_of(2));
    EXPECT_EQ(mixed(pool.row(b)), mixed_of(1));
    swap(pool.row(0), pool.row(0));
    EXPECT_EQ(mixed(pool.row(a)), mixed_of(2));
}

TEST(column_row, ranges_algorithms_take_rows) {
    mixed_pool pool(100);
    for (int i = 0; i < 60; ++i) pool.acquire(mixed_of(i * 37 % 60));
    std::ranges::sort(pool, [](const mixed& a, const mixed& b) { return a.path[0] < b.path[0]; });
    for (int i = 0; i < 60; ++i) ASSERT_EQ(mixed(pool.row(static_cast<std::uint32_t>(i))), mixed_of(i));
    std::ranges::reverse(pool);
    for (int i = 0; i < 60; ++i) ASSERT_EQ(mixed(pool.row(static_cast<std::uint32_t>(i))), mixed_of(59 - i));
    const auto found = std::ranges::find_if(pool, [](auto row) { return row.template get<&mixed::path>()[0] == 7.0f; });
    ASSERT_NE(found, pool.end());
    EXPECT_EQ(mixed(*found), mixed_of(7));
    EXPECT_EQ(found - pool.begin(), 52);
    EXPECT_EQ(found->get<&mixed::kind>(), 7);
    EXPECT_EQ(mixed(pool.begin()[59]), mixed_of(0));
    EXPECT_TRUE(valid(pool));
}

TEST(column_row, pointers_are_null_once_the_life_has_ended) {
    orb_pool pool(4);
    const auto h = pool.acquire(orb_of(1)).handle();
    orb_pool::pointer p = pool.get(h);
    orb_pool::const_pointer c = std::as_const(pool).get(h);
    ASSERT_TRUE(p && c);
    EXPECT_TRUE(p != nullptr && p == pool.get(h) && c == orb_pool::const_pointer(p));
    p->get<&orb::x>() = 4;
    EXPECT_EQ((*c).get<&orb::x>(), 4);
    pool.release(*p);
    p = pool.get(h);
    EXPECT_TRUE(!p && p == nullptr);
    EXPECT_FALSE(orb_pool::pointer());
    EXPECT_TRUE(std::as_const(pool).get(h) == nullptr);
}

TEST(column_row, a_lease_reaches_its_row) {
    orb_pool pool(4);
    {
        auto held = pool.lease(orb_of(1));
        ASSERT_TRUE(held);
        held->get<&orb::x>() = 3;
        EXPECT_EQ((*held).get<&orb::x>(), 3);
        EXPECT_EQ(held.get()->get<&orb::y>(), 1.25f);
    }
    EXPECT_TRUE(pool.empty());
}

struct wide {
    int f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
        f24, f25, f26, f27, f28, f29, f30, f31;
    friend bool operator==(const wide&, const wide&) = default;
};

TEST(column_row, a_struct_of_32_fields_is_split) {
    column_pool<wide> pool(100);
    static_assert(column_pool<wide>::columns == 32);
    const wide w{0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    pool.acquire(wide{});
    pool.acquire(w);
    EXPECT_EQ(pool.column<&wide::f31>()[1], 31);
    EXPECT_EQ(pool.column<23>()[1], 23);
    EXPECT_TRUE(pool.release(pool.row(0)));
    EXPECT_EQ(wide(pool.row(0)), w);
    EXPECT_TRUE(valid(pool));
}

}  // namespace columns_row_test
