// X1, X2: an image of a pool whose ends wait, damaged and sealed again: refused with nothing changed, or restored and sound.
#include "core/limbo/sirens.hpp"
#include "core/rewind/image_map.hpp"

#include <lido/core/recycle_pool.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/core/slot_pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace limbo_hostile_image_test {

using lido::test::image_bytes;

struct cell {
    std::uint32_t value = 0;
    std::uint32_t more = 0;
};
constexpr lido::options worn{.handle_bits = 32, .index_bits = 28, .confirmed_ends = true};
constexpr lido::options wrapping{
    .handle_bits = 32, .index_bits = 28, .generations = lido::generation_rule::wrap, .confirmed_ends = true};
constexpr lido::options ordered{.tracks = lido::track::age, .order = lido::reuse::last, .confirmed_ends = true};

template <class Pool>
class hostile_ends : public ::testing::Test {
protected:
    hostile_ends() { live_in(pool); }

    /// Live, waiting (let go and not) and idle or free slots, two of them at their last generation.
    static void live_in(Pool& pool) {
        using handle = typename Pool::handle_type;
        pool.begin_tick(3);
        std::vector<handle> all;
        for (std::uint32_t i = 0; i < 7; ++i) all.push_back(pool.acquire(i).handle());
        pool.release(all[2]);
        pool.begin_tick(5);
        if constexpr (handle::generation_bits < 32) {
            for (const std::uint32_t slot : {8u, 9u})
                pool.release(pool.reserve(handle::of(slot, handle::last_generation - 1), 70u).handle());
        }
        pool.release(all[4]);
        pool.release(all[1]);
        pool.confirm(3);
        pool.begin_tick(8);
        pool.release(all[6]);
    }

    [[nodiscard]] image_bytes image_of() const {
        image_bytes image;
        pool.save(image);
        return image;
    }

    void expect_refused_or_sound(const image_bytes& image, std::size_t at) {
        Pool other{10, {.leaks = lido::leaks::allow, .rollback = 4}};
        live_in(other);
        const auto hash = other.state_hash();
        const auto result = other.restore(image);
        if (!result) {
            EXPECT_EQ(other.state_hash(), hash) << at;
            ++refused;
        } else {
            ++taken;
        }
        const auto sound = other.validate();
        ASSERT_TRUE(sound) << at << ": " << sound.broken;
        other.confirm(~std::uint64_t{0});
        other.begin_tick(~std::uint64_t{0});
        while (other.acquire(5u)) continue;
        other.clear();
        const auto still = other.validate();
        ASSERT_TRUE(still) << at << ": " << still.broken;
    }

    Pool pool{10, {.leaks = lido::leaks::allow, .rollback = 4}};
    int refused = 0;
    int taken = 0;
};
using pools = ::testing::Types<lido::slot_pool<cell, lido::test::confirmed, lido::heap_storage>,
                               lido::slot_pool<cell, worn, lido::heap_storage>,
                               lido::slot_pool<cell, ordered, lido::heap_storage>,
                               lido::recycle_pool<cell, lido::test::confirmed, lido::heap_storage>,
                               lido::recycle_pool<cell, wrapping, lido::heap_storage>>;
TYPED_TEST_SUITE(hostile_ends, pools);

TYPED_TEST(hostile_ends, X1_in_an_image_that_is_not_damaged_come_back) {
    const auto image = this->image_of();
    TypeParam other{10, {.leaks = lido::leaks::allow, .rollback = 4}};
    ASSERT_TRUE(other.restore(image));
    EXPECT_EQ(other.state_hash(), this->pool.state_hash());
    EXPECT_EQ(other.waiting_ends(), this->pool.waiting_ends());
    EXPECT_EQ(other.tick(), 8u);
    EXPECT_TRUE(other.validate());
    // Each goes on as the other does.
    for (const std::uint64_t tick : {9u, 12u, 13u}) {
        other.begin_tick(tick);
        this->pool.begin_tick(tick);
        EXPECT_EQ(other.acquire(1u).handle(), this->pool.acquire(1u).handle());
        EXPECT_EQ(other.state_hash(), this->pool.state_hash());
    }
}

TYPED_TEST(hostile_ends, X1_with_any_byte_changed_and_sealed_are_refused_or_sound) {
    const auto image = this->image_of();
    for (std::size_t at = 24; at < image.size(); ++at) {
        for (const unsigned value : {0u, 1u, 9u, 0xffu}) {
            auto bad = image;
            bad[at] = static_cast<std::byte>(value);
            lido::test::seal(bad);
            this->expect_refused_or_sound(bad, at);
        }
    }
    EXPECT_GT(this->refused, 0);
    EXPECT_GT(this->taken, 0);
}

TYPED_TEST(hostile_ends, X1_cut_short_anywhere_are_refused) {
    const auto image = this->image_of();
    for (std::size_t bytes = 24; bytes < image.size(); ++bytes) {
        auto bad = image;
        bad.resize(bytes);
        lido::test::seal(bad);
        this->expect_refused_or_sound(bad, bytes);
    }
    EXPECT_EQ(this->taken, 0);
}

TYPED_TEST(hostile_ends, X1_of_a_pool_without_confirmed_ends_are_refused) {
    lido::slot_pool<cell> slots{10};
    lido::recycle_pool<cell> recycled{10};
    image_bytes image;
    slots.save(image);
    EXPECT_EQ(this->pool.restore(image).error, lido::restore_error::other_shape);
    recycled.save(image);
    EXPECT_EQ(this->pool.restore(image).error, lido::restore_error::other_shape);
    EXPECT_EQ(slots.restore(this->image_of()).error, lido::restore_error::other_shape);
}

}  // namespace limbo_hostile_image_test
