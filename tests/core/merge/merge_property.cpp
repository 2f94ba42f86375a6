// Promise (S3.6): a pass does exactly what the plain double loop does, in every row and every handle, for any crowd, radius, rule and
// part of the pool.
#include "merging.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lido::test {
namespace merge_property {

template <class N, class Radius>
struct plain_near {
    Radius radius;
    bool operator()(const mote_of<N>& a, const mote_of<N>& b) const {
        // Quarters and whole numbers below 2^20: all of this is exact in doubles.
        const double dx = static_cast<double>(a.x) - static_cast<double>(b.x);
        const double dy = static_cast<double>(a.y) - static_cast<double>(b.y);
        return dx * dx + dy * dy <= static_cast<double>(radius) * static_cast<double>(radius);
    }
};

template <class Pool, class Radius, class Rule>
void compare(Pool& pool, merge_pass& pass, Radius radius, Rule rule, int kinds) {
    using N = decltype(Pool::value_type::x);
    const auto takes_part = [kinds](const auto& m) { return kind_in(m) < kinds; };
    auto model = rows_of(pool);
    const auto before = model;
    const std::uint32_t wanted =
        plain_pass<N>(model, pass.max_objects(), plain_near<N, Radius>{radius}, rule, takes_part);
    RC_ASSERT(pass.run(pool, radius, where, rule, takes_part) == wanted);
    const auto got = rows_of(pool);
    RC_ASSERT(got.size() == model.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        RC_ASSERT(got[i].handle == model[i].handle);
        RC_ASSERT(got[i].value == model[i].value);
    }
    std::size_t alive = 0;
    for (const auto& old : before) {
        alive +=
            pool.contains(Pool::handle_type::from_bits(static_cast<typename Pool::handle_type::bits_type>(old.handle)))
                ? 1u
                : 0u;
    }
    RC_ASSERT(alive == got.size());
    RC_ASSERT(pool.validate().broken == nullptr);
    const std::uint64_t n = pass.last().took_part;
    RC_ASSERT(pass.last().pairs <= n * n / 2);
    RC_ASSERT(pass.last().asked <= pass.last().pairs);
}

template <class Pool, class Radius>
void check() {
    using N = decltype(Pool::value_type::x);
    EXPECT_TRUE(rc::check("a pass is the plain loop", [](std::uint64_t seed) {
        dice d{seed * 2 + 1};
        Pool pool(300);
        merge_pass pass(d.below(4) == 0 ? 1 + d.below(60) : 300);
        for (int round = 0; round < 6; ++round) {
            const std::uint32_t side = 1 + d.below(d.below(3) == 0 ? 1000000 : 400);
            const auto middle = static_cast<N>(d.below(2) == 0 ? 0 : d.below(100000));
            while (pool.size() < 280 && d.below(150) != 0) {
                const auto at = [&] {
                    const auto whole =
                        static_cast<N>(static_cast<std::int32_t>(d.below(side)) - static_cast<std::int32_t>(side / 2));
                    return std::is_floating_point_v<N> ? whole / 4 + middle : whole + middle;
                };
                const N x = at();
                const N y = at();
                pool.acquire(
                    mote_of<N>{x, y, static_cast<std::int32_t>(1 + d.below(4)), static_cast<std::int32_t>(d.below(3))});
            }
            const auto radius = static_cast<Radius>(1 + d.below(d.below(2) == 0 ? 12 : side));
            const int kinds = static_cast<int>(1 + d.below(3));
            if (d.below(2) == 0) {
                compare(pool, pass, radius, add_up, kinds);
            } else {
                compare(pool, pass, radius, same_kind_up_to_9, kinds);
            }
        }
    }));
}

TEST(merge_is_the_plain_loop, floats_in_objects) { check<dense_pool<mote>, float>(); }
TEST(merge_is_the_plain_loop, floats_in_columns) { check<column_pool<mote>, float>(); }
TEST(merge_is_the_plain_loop, whole_numbers_in_objects) { check<dense_pool<whole_mote>, int>(); }
TEST(merge_is_the_plain_loop, whole_numbers_in_columns) {
    check<column_pool<whole_mote, options{.handle_bits = 32}>, std::int64_t>();
}
TEST(merge_is_the_plain_loop, doubles_with_change_marks) {
    check<dense_pool<mote_of<double>, options{.mark_changes = true}>, double>();
}

}  // namespace merge_property
}  // namespace lido::test
