// S4.1, X11: a class reserves address space for what its settings need, in few mappings, and says which setting reserves more.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

#if defined(__linux__)
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace world_room_test {

using lido::on_full;
using lido::spawn_refusal;
using lido::ticks;
using lido::test::misuse_log;

struct plain {
    static constexpr lido::options pool_options = {.forensics = false};
    std::uint32_t value = 0;
};
struct large {
    static constexpr lido::options pool_options = {.forensics = false};
    large() noexcept {}  // its pages stay untouched
    char bytes[1 << 20];
};

constexpr std::size_t mib = std::size_t{1} << 20;

#if defined(__linux__)
[[nodiscard]] std::size_t mappings() {
    std::ifstream file("/proc/self/maps");
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line);) ++lines;
    return lines;
}
[[nodiscard]] std::size_t address_space() {
    std::ifstream file("/proc/self/statm");
    std::size_t pages = 0;
    file >> pages;
    return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST(classes, X11_by_the_thousand_fit_the_mappings_of_a_process) {
    lido::world world;
    const std::size_t before = mappings();
    const std::size_t space_before = address_space();
    for (int i = 0; i < 3000; ++i) world.add<plain>("class " + std::to_string(i), {.prewarm = 2});
    world.start();
    EXPECT_TRUE(world.spawn("class 0"));
    for (lido::class_number n = 0; n < 3000; ++n) {
        const lido::any_ref it = world.spawn(world.stats(n).name);
        ASSERT_TRUE(world.lives(it)) << n;
        ASSERT_TRUE(world.set_lifetime(it, ticks{10}));
        ASSERT_TRUE(world.after(world.as<plain>(it), ticks{5}, [] {}));
    }
    for (int i = 0; i < 10; ++i) world.tick();
    EXPECT_EQ(world.stats("class 2999").counters.expired, 1u);
    EXPECT_LT(mappings() - before, 3000u * 4);
    EXPECT_LE(address_space() - space_before, 3000 * 65 * mib);
    static_cast<void>(world.end());
}

TEST(a_class, S4_1_that_says_nothing_reserves_64_mib) {
    lido::world world;
    world.add<plain>("plain");
    world.add<large>("large");
    world.start();
    const std::size_t before = address_space();
    world.add<plain>("another");
    EXPECT_LE(address_space() - before, 64 * mib);
    EXPECT_GT(address_space() - before, 32 * mib);
    const std::size_t then = address_space();
    world.add<large>("another large");
    EXPECT_LE(address_space() - then, 66 * mib);
}

TEST(a_class, S4_1_reserves_what_its_settings_need) {
    lido::world world;
    world.start();
    const std::size_t before = address_space();
    world.add<large>("few", {.on_full = on_full::grow_to(4)});
    EXPECT_LE(address_space() - before, 22 * mib) << "four objects, and room for calls and listeners";
    const std::size_t then = address_space();
    world.add<large>("many", {.on_full = on_full::grow_to(1000)});
    EXPECT_GE(address_space() - then, 1000 * mib);
}

/// Of a child process, so that the limit is its own.
[[noreturn]] void build_under_a_limit(std::size_t bytes, int classes) {
    const rlimit limit{bytes + address_space(), bytes + address_space()};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(2);
    lido::world world;
    for (int i = 0; i < classes; ++i) world.add<plain>("class " + std::to_string(i), {.prewarm = 8});
    for (const lido::skipped_class& s : world.start().skipped)
        std::fprintf(stderr, "%s: %s\n", s.name.c_str(), s.why.c_str());
    int spawned = 0;
    for (lido::class_number n = 0; n < world.class_count(); ++n) spawned += world.spawn(world.stats(n).name) ? 1 : 0;
    static_cast<void>(world.end());
    ::_exit(spawned == classes ? 0 : 1);
}

TEST(a_limit_of_address_space, S4_2_of_4_gib_is_enough_for_twenty_classes) {
    EXPECT_EXIT(build_under_a_limit(4096 * mib, 20), testing::ExitedWithCode(0), "");
}

TEST(a_limit_of_address_space, S4_2_that_is_too_low_skips_classes_and_names_what_reserves_less) {
    EXPECT_EXIT(build_under_a_limit(256 * mib, 20), testing::ExitedWithCode(1),
                "class 19: there is no memory for its pool; a smaller prewarm reserves less");
}
#endif

TEST(a_class, S4_4_that_has_all_it_reserved_refuses_and_names_the_setting_that_reserves_more) {
    lido::world world;
    misuse_log log;
    world.add<large>("large", {.leaks = lido::leaks::allow});
    lido::spawned<large> got = world.spawn<large>();
    std::uint32_t count = 0;
    for (; got; got = world.spawn<large>()) ASSERT_LT(++count, 1000u);
    EXPECT_GE(count, 40u);
    EXPECT_EQ(got.why(), spawn_refusal::no_memory);
    const auto told = log.only();
    EXPECT_EQ(told.kind, lido::misuse_kind::no_memory);
    EXPECT_EQ(told.pool, "large");
    EXPECT_NE(told.what.find("grow_to(n)"), std::string::npos) << told.what;
    world.return_all();
    EXPECT_TRUE(world.spawn<large>());
    EXPECT_TRUE(world.validate());
    world.end();
}

TEST(a_class, S4_1_that_begins_larger_than_it_would_reserve_may_still_double) {
    lido::world world;
    world.add<large>("large", {.capacity = 100, .leaks = lido::leaks::allow});
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(world.spawn<large>()) << i;
}

static_assert(lido::world_detail::what_reserves({}) == nullptr);

}  // namespace world_room_test
