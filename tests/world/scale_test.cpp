// X11: a world of 64 classes and a million active objects: everything adds up, and ends.
#include <lido/world/world.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace world_scale_test {

using lido::ticks;

/// A number in the template makes eight types of one struct; each is eight classes.
template <std::uint32_t N>
struct numbered {
    static constexpr lido::options pool_options = {.forensics = false};
    std::uint32_t value = N;
};

constexpr std::uint32_t types = 8;
constexpr std::uint32_t classes = 64;
constexpr std::uint32_t each = 15'625;

template <std::uint32_t... N>
void fill(lido::world& world, std::vector<lido::any_ref>& all, std::integer_sequence<std::uint32_t, N...>) {
    for (std::uint32_t i = 0; i < classes; i += types) {
        (world.add<numbered<N>>("class " + std::to_string(i + N), {.leaks = lido::leaks::allow}), ...);
    }
    world.start();
    for (std::uint32_t c = 0; c < classes; ++c) {
        const std::string name = "class " + std::to_string(c);
        for (std::uint32_t i = 0; i < each; ++i) all.push_back(world.spawn(name));
    }
}

TEST(scale, X11_a_million_objects_of_64_classes) {
    lido::world world;
    std::vector<lido::any_ref> all;
    all.reserve(classes * each);
    fill(world, all, std::make_integer_sequence<std::uint32_t, types>{});
    ASSERT_EQ(all.size(), 1'000'000u);
    EXPECT_EQ(world.class_count(), classes);
    EXPECT_EQ(world.active<numbered<7>>(), 8 * each);

    // One in a hundred has a lifetime, spread over more than one turn of the wheel's first two levels.
    std::uint32_t timed = 0;
    for (std::uint32_t i = 0; i < all.size(); i += 100, ++timed) {
        ASSERT_TRUE(world.set_lifetime(all[i], ticks{1 + i % 5000}));
    }
    std::uint64_t expired = 0;
    for (int i = 0; i < 5000; ++i) world.tick();
    for (lido::class_number n = 0; n < classes; ++n) expired += world.stats(n).counters.expired;
    EXPECT_EQ(expired, timed);
    for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(world.lives(all[i]), i % 100 != 0);
    EXPECT_EQ(world.end().active(), all.size() - timed);
    EXPECT_FALSE(world.lives(all[1]));
}

}  // namespace world_scale_test
