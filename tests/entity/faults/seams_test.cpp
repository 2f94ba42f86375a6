// S5.11: faults at the seams of the stage: numbers at their ends, calls from inside of hooks, structs that are aligned, owners in a history
#include <lido/core/rewind/save.hpp>
#include <lido/entity/stage/lasting.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "entity/stage/doors.hpp"

namespace faults_seams {

using namespace stage_tests;
using lido::stage_refusal;
using lido::ticks;

/// What is misused here on purpose is not printed.
class quiet {
public:
    quiet() = default;
    quiet(const quiet&) = delete;
    quiet& operator=(const quiet&) = delete;
    ~quiet() { lido::set_misuse_handler(before_); }

private:
    lido::misuse_handler before_ = lido::set_misuse_handler([](const lido::misuse&) {});
};

constexpr std::uint64_t end_of_numbers = (std::numeric_limits<std::uint64_t>::max)();

struct alignas(64) block {
    float values[4] = {};
    std::int32_t number = 0;
};
bool is_aligned(const void* at) { return reinterpret_cast<std::uintptr_t>(at) % alignof(block) == 0; }

struct caller {
    std::int32_t number = 0;
};
inline std::function<void()> in_begin;
void on_begin(const caller&, const lido::entity_birth&) {
    if (const auto call = std::exchange(in_begin, nullptr)) call();
}

TEST(faults, a_lock_that_is_longer_than_time_is_in_force_until_its_end) {
    hall h;
    h.stage.tick();
    h.stage.tick();
    const auto gate = h.stage.create<door>({.id = "gate"});
    const auto mine = h.stage.lock(gate, "shop", ticks{end_of_numbers});
    ASSERT_TRUE(mine) << mine.why();
    EXPECT_TRUE(h.stage.holds(mine));
    auto change = h.stage.edit(gate);
    change->hp = 1;
    EXPECT_FALSE(change.commit());
    EXPECT_EQ(change.reason(), stage_refusal::locked);
    const auto longer = h.stage.lock_again(mine, "shop", ticks{end_of_numbers - 1});
    ASSERT_TRUE(longer) << longer.why();
    EXPECT_TRUE(h.stage.holds(longer));
}

TEST(faults, a_generation_after_which_there_would_be_no_other_is_refused) {
    hall h;
    const auto last = h.stage.create<door>({.id = "gate", .generation = end_of_numbers});
    EXPECT_FALSE(last);
    EXPECT_EQ(last.reason(), stage_refusal::too_high);
    const auto high = h.stage.create<door>({.id = "gate", .generation = (std::uint64_t{1} << 63) - 1});
    ASSERT_TRUE(high) << high.why();
    const auto next = h.stage.create<door>({.id = "door"});
    EXPECT_FALSE(next);
    EXPECT_EQ(next.reason(), stage_refusal::too_high) << "a generation was given again";
}

TEST(faults, a_version_that_would_wrap_is_refused) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate", .version = end_of_numbers});
    EXPECT_FALSE(gate);
    EXPECT_EQ(gate.reason(), stage_refusal::too_high);
    EXPECT_FALSE(h.stage.find("gate"));
}

TEST(faults, a_tick_that_is_asked_for_in_a_hook_moves_neither_world_nor_journal) {
    const quiet expected;
    hall h;
    h.stage.add<caller>("caller");
    h.stage.tick();
    in_begin = [&h] { h.stage.tick(); };
    const auto c = h.stage.create<caller>();
    EXPECT_EQ(h.stage.changes().tick(), h.stage.now());
    h.stage.after(c, ticks{1}, [stage = &h.stage] { stage->tick(); });
    h.stage.tick();
    EXPECT_EQ(h.stage.now(), ticks{2});
    EXPECT_EQ(h.stage.changes().tick(), h.stage.now());
}

TEST(faults, what_is_confirmed_in_a_hook_or_listener_stays_open) {
    const quiet expected;
    hall h(8);
    h.stage.add<caller>("caller");
    h.stage.tick();
    int released = 0;
    const auto gate = h.stage.create<door>({.id = "gate"});
    h.stage.manage(gate, [to = &released] { ++*to; });
    h.stage.destroy(gate);
    h.stage.tick();
    in_begin = [&h] { h.stage.confirm(h.stage.now()); };
    const auto c = h.stage.create<caller>();
    EXPECT_EQ(released, 0) << "a hook";
    h.stage.after(c, ticks{1}, [stage = &h.stage] { stage->confirm(stage->now()); });
    h.stage.tick();
    EXPECT_EQ(released, 0) << "a call that waited";
    h.stage.signals<caller>().updated.connect([&h](const lido::entity_event&) { h.stage.confirm(h.stage.now()); });
    auto change = h.stage.edit(c);
    change->number = 1;
    ASSERT_TRUE(change.commit());
    h.stage.deliver();
    EXPECT_EQ(released, 0) << "a listener";
    h.stage.confirm(h.stage.now());
    EXPECT_EQ(released, 1);
}

TEST(faults, a_load_that_is_asked_for_in_a_hook_of_a_load_is_refused) {
    const quiet expected;
    hall h;
    h.stage.add<caller>("caller");
    ASSERT_TRUE(h.stage.create<caller>({.id = "ann"}));
    h.stage.deliver();
    std::vector<std::byte> game;
    lido::lasting all(h.stage);
    ASSERT_TRUE(lido::save(game, std::as_const(all)));
    bool restored = true;
    bool saved = true;
    in_begin = [&] {
        lido::lasting again(h.stage);
        restored = static_cast<bool>(lido::restore(std::span<const std::byte>(game), again));
        lido::snapshot now;
        saved = h.stage.save(now);
        h.stage.tick();
    };
    ASSERT_TRUE(lido::restore(std::span<const std::byte>(game), all));
    all.settle();
    EXPECT_FALSE(in_begin) << "its on_begin was not called";
    EXPECT_FALSE(restored);
    EXPECT_FALSE(saved);
    EXPECT_EQ(h.stage.now(), ticks{0});
    EXPECT_TRUE(h.stage.find("ann"));
}

TEST(faults, copies_of_structs_that_are_aligned_lie_where_they_may) {
    hall h;
    h.stage.add<block>("block", {.history = 3});
    h.stage.add<account>("account-2");
    const auto a = h.stage.create<block>();
    const auto b = h.stage.create<block>();
    for (int i = 1; i <= 5; ++i) {
        auto change = h.stage.edit();
        block* const first = change.add(a.reference());
        block* const second = change.add(b.reference());
        ASSERT_NE(second, nullptr) << change.why();
        EXPECT_TRUE(is_aligned(first) && is_aligned(second));
        first->number = second->number = i;
        ASSERT_TRUE(change.commit()) << change.why();
    }
    for (const auto which : {a.reference(), b.reference()}) {
        for (std::uint64_t v = 2; v <= 5; ++v) {
            const block* const then = h.stage.at_version(which, v);
            ASSERT_NE(then, nullptr) << v;
            EXPECT_TRUE(is_aligned(then)) << v;
            EXPECT_EQ(then->number, static_cast<std::int32_t>(v));
        }
    }
}

TEST(faults, an_edit_that_stays_open_does_not_keep_the_memory_of_those_after_it) {
    hall h(0, {.edit_bytes = 1024});
    const auto ann = h.stage.create<account>({.id = "ann"});
    const auto bob = h.stage.create<account>({.id = "bob"});
    auto open = h.stage.edit();
    account* const kept = open.add(ann.reference());
    ASSERT_NE(kept, nullptr);
    kept->gold = 77;
    for (int i = 1; i <= 100; ++i) {
        auto change = h.stage.edit();
        account* const a = change.add(bob.reference());
        ASSERT_NE(a, nullptr) << i << ": the arena is full";
        ASSERT_NE(a, kept);
        a->gold = i;
        ASSERT_TRUE(change.commit()) << change.why();
    }
    EXPECT_EQ(kept->gold, 77);
    ASSERT_TRUE(open.commit()) << open.why();
    EXPECT_EQ(h.stage.get(ann)->gold, 77);
    EXPECT_EQ(h.stage.get(bob)->gold, 100);
}

TEST(faults, a_change_of_the_owner_hides_no_version_of_the_history) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate"});
    const auto set_hp = [&](std::uint16_t hp) {
        auto change = h.stage.edit(gate);
        change->hp = hp;
        ASSERT_TRUE(change.commit()) << change.why();
    };
    set_hp(1);
    ASSERT_TRUE(h.stage.set_owner(gate, lido::player{7}));  // version 2
    ASSERT_NE(h.stage.at_version(gate.reference(), 1), nullptr);
    EXPECT_EQ(h.stage.at_version(gate.reference(), 1)->hp, 1);
    set_hp(3);
    const int hp_of[] = {100, 1, 1, 3};
    for (std::uint64_t version = 0; version < 4; ++version) {
        const door* const then = h.stage.at_version(gate.reference(), version);
        ASSERT_NE(then, nullptr) << version;
        EXPECT_EQ(then->hp, hp_of[version]) << version;
    }
    EXPECT_EQ(h.stage.at_version(gate.reference(), 4), nullptr);
    const auto back = h.stage.undo_to(gate.reference(), 1);
    EXPECT_TRUE(back) << back.why();
    EXPECT_EQ(h.stage.get(gate)->hp, 1);
}

}  // namespace faults_seams
