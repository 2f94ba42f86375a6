// S4.10: what a spawn hands to the object it begins: checked by type, empty is fine, and a wrong one takes no object.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"
#include "support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace world_spawn_payload_test {

using lido::payload;
using lido::spawn_refusal;
using lido::test::misuse_log;

struct blast {
    float radius = 1;
    int team = -1;
};
struct noise {
    int volume = 0;
};

struct explosion {
    using payload_type = blast;
    blast got;
    int calls = 0;
    void on_acquire(const blast& with) {
        got = with;
        ++calls;
    }
};

struct choosy {  ///< with and without
    using payload_type = blast;
    std::string heard;
    void on_acquire() { heard = "nothing"; }
    void on_acquire(const blast& with) { heard = "a blast of " + std::to_string(with.team); }
};

struct open_minded {
    std::string heard;
    void on_acquire(const payload& with) {
        heard = std::string(with.type_name());
        if (const auto* b = with.get<blast>()) heard = "a blast of " + std::to_string(b->team);
    }
};

struct deaf {
    int value = 0;
};

class a_spawn_with_a_payload : public testing::Test {
protected:
    a_spawn_with_a_payload() {
        world.add<explosion>("explosion");
        world.add<choosy>("choosy");
        world.add<open_minded>("open_minded");
        world.add<deaf>("deaf");
    }
    lido::world world;
};

TEST_F(a_spawn_with_a_payload, S4_10_hands_it_over_by_type) {
    const auto it = world.spawn<explosion>({}, blast{3, 2});
    ASSERT_TRUE(it);
    EXPECT_EQ(it->got.radius, 3);
    EXPECT_EQ(it->calls, 1);
    EXPECT_EQ(world.spawn<choosy>({}, blast{1, 7})->heard, "a blast of 7");
}

TEST_F(a_spawn_with_a_payload, S4_10_takes_one_that_is_checked_as_it_arrives) {
    EXPECT_EQ(world.spawn<explosion>({}, payload(blast{4, 5}))->got.team, 5);
    const auto it = world.spawn("explosion", {}, blast{6, 8});
    EXPECT_EQ(world.get(world.as<explosion>(it))->got.team, 8);
}

TEST_F(a_spawn_with_a_payload, S4_10_that_is_empty_gets_the_default_or_the_hook_without_one) {
    EXPECT_EQ(world.spawn<explosion>()->got.team, -1);
    EXPECT_EQ(world.spawn<explosion>({}, payload())->got.team, -1);
    EXPECT_EQ(world.get(world.as<explosion>(world.spawn("explosion")))->got.team, -1);
    EXPECT_EQ(world.spawn<choosy>()->heard, "nothing");
    EXPECT_EQ(world.spawn<choosy>({}, payload())->heard, "nothing");
    EXPECT_EQ(world.spawn<open_minded>()->heard, "nothing");
    EXPECT_TRUE(world.spawn<deaf>({}, payload()));
    EXPECT_TRUE(world.spawn("deaf"));
}

TEST_F(a_spawn_with_a_payload, S4_10_to_a_class_that_looks_itself_may_be_anything) {
    EXPECT_EQ(world.spawn<open_minded>({}, blast{1, 3})->heard, "a blast of 3");
    EXPECT_EQ(world.spawn<open_minded>({}, noise{})->heard, lido::type_name<noise>());
    EXPECT_EQ(world.get(world.as<open_minded>(world.spawn("open_minded", {}, 5)))->heard, "int");
}

TEST_F(a_spawn_with_a_payload, S4_10_of_a_wrong_type_is_refused_and_both_are_named) {
    misuse_log log;
    EXPECT_EQ(world.spawn<explosion>({}, payload(noise{})).why(), spawn_refusal::wrong_payload);
    EXPECT_EQ(world.last_error(),
              "explosion takes world_spawn_payload_test::blast, and was given world_spawn_payload_test::noise");
    const auto told = log.only();
    EXPECT_EQ(told.kind, lido::world_misuse::wrong_payload);
    EXPECT_EQ(told.pool, "explosion");
    EXPECT_EQ(told.what, world.last_error());
    EXPECT_EQ(world.spawn("choosy", {}, noise{}).why, spawn_refusal::wrong_payload);
    EXPECT_EQ(world.last_error(),
              "choosy takes world_spawn_payload_test::blast, and was given world_spawn_payload_test::noise");
    EXPECT_EQ(world.spawn("deaf", {}, noise{}).why, spawn_refusal::wrong_payload);
    EXPECT_EQ(world.last_error(), "deaf takes no payload, and was given world_spawn_payload_test::noise");
    EXPECT_EQ(world.spawn<deaf>({}, payload(1)).why(), spawn_refusal::wrong_payload);
    EXPECT_EQ(world.last_error(), "deaf takes no payload, and was given int");
}

TEST_F(a_spawn_with_a_payload, S4_10_of_a_wrong_type_takes_no_object_and_leaves_the_pool_as_it_was) {
    misuse_log log;
    const auto it = world.spawn<explosion>();
    world.return_to_pool(it.reference());
    const std::uint64_t before = world.state_hash();
    const auto stats = world.stats<explosion>();
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(world.spawn("explosion", {}, noise{}));
    EXPECT_EQ(world.state_hash(), before);
    EXPECT_EQ(world.stats<explosion>().pool.acquired, stats.pool.acquired);
    EXPECT_EQ(world.stats<explosion>().counters.refused, 10u);
    EXPECT_EQ(world.stats<explosion>().pool.created, 1u);
    EXPECT_EQ(world.stats<explosion>().pool.idle, 1u);
    EXPECT_TRUE(world.validate());
    EXPECT_TRUE(world.spawn("explosion", {}, blast{}));
}

struct wide {
    std::array<std::uint64_t, 40> words{};
};
struct takes_wide {
    using payload_type = wide;
    std::uint64_t last = 0;
    void on_acquire(const wide& with) { last = with.words[39]; }
};

TEST_F(a_spawn_with_a_payload, S4_10_of_more_than_64_bytes_is_handed_over_without_a_heap_where_the_type_is_known) {
    world.add<takes_wide>("takes_wide", {.prewarm = 4});
    world.start();
    wide big;
    big.words[39] = 77;
    const lido::test::allocation_watch counted;
    const auto it = world.spawn<takes_wide>({}, big);
    const std::size_t allocations = counted.allocations();
    EXPECT_EQ(allocations, 0u);
    EXPECT_EQ(it->last, 77u);
    const auto other = world.spawn("takes_wide", {}, big);
    EXPECT_EQ(world.get(world.as<takes_wide>(other))->last, 77u);
}

struct parcel {
    std::unique_ptr<int> content;
};
struct takes_parcel {
    using payload_type = parcel;
    int seen = 0;
    void on_acquire(const parcel& with) { seen = with.content ? *with.content : -1; }
};

TEST_F(a_spawn_with_a_payload, S4_10_may_be_of_a_type_that_can_only_move) {
    world.add<takes_parcel>("takes_parcel");
    EXPECT_EQ(world.spawn<takes_parcel>({}, parcel{std::make_unique<int>(4)})->seen, 4);
    EXPECT_EQ(world.spawn<takes_parcel>()->seen, -1);
    payload packed = parcel{std::make_unique<int>(5)};
    EXPECT_EQ(world.spawn<takes_parcel>({}, packed)->seen, 5);
    EXPECT_EQ(world.spawn<takes_parcel>({}, packed)->seen, 5) << "it is lent, not given";
    EXPECT_EQ(world.get(world.as<takes_parcel>(world.spawn("takes_parcel", {}, packed)))->seen, 5);
}

struct alignas(64) aligned {
    std::uint64_t value = 0;
};
struct takes_aligned {
    using payload_type = aligned;
    bool straight = false;
    void on_acquire(const aligned& with) {
        const volatile auto at = reinterpret_cast<std::uintptr_t>(&with);
        straight = at % 64 == 0 && with.value == 9;
    }
};

TEST_F(a_spawn_with_a_payload, S4_10_keeps_the_alignment_of_its_type) {
    world.add<takes_aligned>("takes_aligned");
    EXPECT_TRUE(world.spawn<takes_aligned>({}, aligned{9})->straight);
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(world.spawn<takes_aligned>({}, payload(aligned{9}))->straight);
    EXPECT_TRUE(world.get(world.as<takes_aligned>(world.spawn("takes_aligned", {}, aligned{9})))->straight);
}

}  // namespace world_spawn_payload_test
