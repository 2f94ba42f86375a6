// S4.10: payloads that are handed over: moved once, into the life that begins, and left with the caller when none does.
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace world_moved_payload_test {

using lido::payload;
using lido::spawn_refusal;
using lido::test::misuse_log;

/// Can only be moved.
struct cargo {
    std::unique_ptr<int> load;
    explicit operator bool() const { return load != nullptr; }
};
cargo of(int what) { return {std::make_unique<int>(what)}; }

/// Takes it by value.
struct ship {
    using payload_type = cargo;
    cargo hold;
    int in_use = 0;
    void on_acquire() { hold = {}; }
    void on_acquire(cargo with) { hold = std::move(with); }
    void on_release() noexcept { hold = {}; }
};
/// By an rvalue, without a name for it.
struct truck {
    cargo bed;
    void on_acquire(cargo&& with) { bed = std::move(with); }
};
/// Copyable, and counts its copies.
struct script {
    static inline int copies = 0;
    std::string text;
    script() = default;
    explicit script(std::string t) : text(std::move(t)) {}
    script(const script& other) : text(other.text) { ++copies; }
    script(script&&) noexcept = default;
    script& operator=(const script&) = default;
    script& operator=(script&&) noexcept = default;
    ~script() = default;
};
struct actor {
    using payload_type = script;
    script role;
    void on_acquire(script with) { role = std::move(with); }
};
struct reader {
    using payload_type = script;
    std::string heard;
    void on_acquire(const script& with) { heard = with.text; }
};
/// Takes anything over.
struct warehouse {
    cargo kept;
    std::string other;
    void on_acquire(payload with) {
        other = std::string(with.type_name());
        if (auto* const c = with.get<cargo>()) kept = std::move(*c);
    }
};
/// Only looks.
struct customs {
    int seen = 0;
    void on_acquire(const payload& with) {
        const auto* const c = with.get<cargo>();
        seen = c != nullptr && c->load ? *c->load : -1;
    }
};

struct a_payload_that_is_handed_over : testing::Test {
    a_payload_that_is_handed_over() { script::copies = 0; }
    lido::world world;
};

TEST_F(a_payload_that_is_handed_over, S4_10_is_moved_into_the_life_that_begins) {
    world.add<ship>("ship");
    world.add<truck>("truck");
    cargo mine = of(3);
    const auto one = world.spawn<ship>({}, std::move(mine));
    EXPECT_EQ(*one->hold.load, 3);
    EXPECT_FALSE(mine) << "it is the ship's now";
    EXPECT_EQ(*world.spawn<ship>({}, of(4))->hold.load, 4);
    EXPECT_EQ(*world.spawn<truck>({}, of(5))->bed.load, 5);
    EXPECT_EQ(*world.spawn_as<ship>({.priority = 2}, {}, of(6))->hold.load, 6);
    EXPECT_EQ(*world.spawn(world.key<ship>(), {}, of(7))->hold.load, 7);
    EXPECT_EQ(*world.spawn_as(world.key<truck>(), {.priority = 1}, {}, of(8))->bed.load, 8);
    EXPECT_FALSE(world.spawn<ship>()->hold) << "spawned with nothing";
    world.end();
}

TEST_F(a_payload_that_is_handed_over, S4_10_is_not_copied_and_one_that_is_lent_is) {
    world.add<actor>("actor", {.leaks = lido::leaks::allow});
    world.add<reader>("reader", {.leaks = lido::leaks::allow});
    script mine("a long line that no short string has room for");
    const std::string text = mine.text;
    EXPECT_EQ(world.spawn<actor>({}, mine)->role.text, text);
    EXPECT_EQ(std::exchange(script::copies, 0), 1);
    EXPECT_EQ(mine.text, text);
    EXPECT_EQ(world.spawn<reader>({}, std::move(mine))->heard, text);
    EXPECT_EQ(mine.text, text) << "who only looks takes nothing";
    EXPECT_EQ(world.spawn<actor>({}, std::move(mine))->role.text, text);
    EXPECT_EQ(script::copies, 0);
    EXPECT_EQ(mine.text, "");
}

TEST_F(a_payload_that_is_handed_over, S4_10_comes_by_name_in_a_payload) {
    world.add<ship>("ship", {.leaks = lido::leaks::allow});
    world.add<actor>("actor", {.leaks = lido::leaks::allow});
    world.add<warehouse>("warehouse", {.leaks = lido::leaks::allow});
    world.add<customs>("customs", {.leaks = lido::leaks::allow});
    const auto spawn = [&](const char* name, cargo with) {
        return world.get(world.spawn(name, {}, std::move(with)).reference());
    };
    EXPECT_EQ(*spawn("ship", of(1)).as<ship>()->hold.load, 1);
    EXPECT_EQ(*spawn("warehouse", of(2)).as<warehouse>()->kept.load, 2);
    EXPECT_EQ(spawn("customs", of(3)).as<customs>()->seen, 3);
    EXPECT_EQ(*world.spawn<warehouse>({}, of(4))->kept.load, 4);
    EXPECT_EQ(world.spawn<customs>({}, of(5))->seen, 5);
    EXPECT_EQ(world.spawn<warehouse>()->other, "nothing");
    payload packed = of(6);
    EXPECT_EQ(*world.spawn<ship>({}, std::move(packed))->hold.load, 6);
    EXPECT_EQ(*world.spawn(world.key<ship>(), {}, payload(of(7)))->hold.load, 7);
    EXPECT_EQ(world.spawn(world.key<customs>(), {}, payload(of(8)))->seen, 8);
    packed = script("words");
    EXPECT_EQ(world.spawn<actor>({}, packed)->role.text, "words") << "lent, and copied";
    EXPECT_EQ(world.get(world.spawn("actor", {}, std::move(packed)).reference()).as<actor>()->role.text, "words");
    EXPECT_EQ(packed.get<script>()->text, "");
}

TEST_F(a_payload_that_is_handed_over, S4_10_begins_a_life_under_a_given_reference) {
    const auto key =
        world.add<ship>("ship", {.leaks = lido::leaks::allow, .references = lido::references::given}).key();
    world.start();
    const auto reference = [&](std::uint32_t slot) {
        return lido::ref<ship>(key.number(), lido::ref<ship>::handle_type::of(slot, 1));
    };
    EXPECT_EQ(*world.spawn_under(reference(3), {}, of(1))->hold.load, 1);
    cargo mine = of(2);
    EXPECT_EQ(world.spawn_under(reference(3), {}, std::move(mine)).why(), spawn_refusal::slot_taken);
    EXPECT_TRUE(mine);
    payload packed = std::move(mine);
    const lido::any_spawned any = world.spawn_under(lido::any_ref(reference(4)), {}, std::move(packed));
    EXPECT_EQ(*world.get(any.reference()).as<ship>()->hold.load, 2);
}

TEST_F(a_payload_that_is_handed_over, S4_10_stays_with_the_caller_when_the_spawn_is_refused) {
    world.add<ship>("ship", {.capacity = 1, .on_full = lido::on_full::reject, .leaks = lido::leaks::allow});
    static_cast<void>(world.spawn<ship>({}, of(1)));
    cargo mine = of(2);
    EXPECT_EQ(world.spawn<ship>({}, std::move(mine)).why(), spawn_refusal::full);
    ASSERT_TRUE(mine);
    payload packed = std::move(mine);
    EXPECT_EQ(world.spawn("ship", {}, std::move(packed)).why(), spawn_refusal::full);
    ASSERT_NE(packed.get<cargo>(), nullptr);
    EXPECT_EQ(*packed.get<cargo>()->load, 2);
    const misuse_log quiet;
    EXPECT_EQ(world.spawn("boat", {}, std::move(packed)).why(), spawn_refusal::no_class);
    EXPECT_EQ(*packed.get<cargo>()->load, 2);
    mine = of(3);
    world.add<ship>("another");
    EXPECT_EQ(world.spawn<ship>({}, std::move(mine)).why(), spawn_refusal::ambiguous_class);
    EXPECT_TRUE(mine);
}

TEST_F(a_payload_that_is_handed_over, S4_10_is_refused_where_it_is_only_shown) {
    misuse_log log;
    world.add<ship>("ship");
    world.add<warehouse>("warehouse");
    const payload shown = of(1);
    EXPECT_EQ(world.spawn("ship", {}, shown).why(), spawn_refusal::wrong_payload);
    const auto told = log.only();
    EXPECT_EQ(told.kind, lido::world_misuse::wrong_payload);
    EXPECT_EQ(told.what, "ship takes its " + std::string(lido::type_name<cargo>()) +
                             " over, and was only shown one: hand it over with std::move");
    EXPECT_EQ(world.spawn("warehouse", {}, shown).why(), spawn_refusal::wrong_payload);
    EXPECT_EQ(world.spawn<ship>({}, shown).why(), spawn_refusal::wrong_payload);
    EXPECT_EQ(*shown.get<cargo>()->load, 1);
    EXPECT_EQ(world.spawn("ship", {}, payload(3)).why(), spawn_refusal::wrong_payload);
    EXPECT_NE(world.last_error().find("and was given int"), std::string::npos) << world.last_error();
    EXPECT_EQ(world.stats<ship>().counters.refused, 3u);
}

TEST_F(a_payload_that_is_handed_over, S4_10_survives_the_object_that_makes_room_for_it) {
    world.add<ship>("ship", {.capacity = 1, .on_full = lido::on_full::replace_oldest, .leaks = lido::leaks::allow});
    const auto first = world.spawn<ship>({}, of(1));
    // A part of the one that goes: its on_release() lets go of it.
    const auto second = world.spawn<ship>({}, std::move(first->hold));
    ASSERT_TRUE(second);
    ASSERT_TRUE(second->hold);
    EXPECT_EQ(*second->hold.load, 1);
    EXPECT_EQ(world.stats<ship>().counters.replaced, 1u);
}

/// Nobody may be replaced while they say so.
struct guarded {
    using payload_type = cargo;
    cargo hold;
    static inline bool may_go = false;
    void on_acquire(cargo with) { hold = std::move(with); }
    [[nodiscard]] bool replaceable() const { return may_go; }
};

TEST_F(a_payload_that_is_handed_over, S4_10_is_not_touched_where_nobody_may_make_room) {
    guarded::may_go = false;
    world.add<guarded>("guarded", {.capacity = 2, .on_full = lido::on_full::replace_if, .leaks = lido::leaks::allow});
    static_cast<void>(world.spawn<guarded>({}, of(1)));
    static_cast<void>(world.spawn<guarded>({}, of(2)));
    cargo mine = of(3);
    EXPECT_EQ(world.spawn<guarded>({}, std::move(mine)).why(), spawn_refusal::full);
    ASSERT_TRUE(mine);
    guarded::may_go = true;
    EXPECT_EQ(*world.spawn<guarded>({}, std::move(mine))->hold.load, 3);
    EXPECT_FALSE(mine);
}

/// Folds what fits together.
struct heap {
    using payload_type = std::vector<int>;
    std::vector<int> things;
    void on_acquire(std::vector<int> with) { things = std::move(with); }
    bool merge(const heap& newcomer) {
        if (newcomer.things.size() > 2) return false;
        things.insert(things.end(), newcomer.things.begin(), newcomer.things.end());
        return true;
    }
};

TEST_F(a_payload_that_is_handed_over, S4_10_is_copied_for_a_newcomer_that_is_offered_to_others) {
    world.add<heap>("heap", {.capacity = 1, .on_full = lido::on_full::merge, .leaks = lido::leaks::allow});
    const auto one = world.spawn<heap>({}, std::vector{1});
    std::vector<int> small{2, 3};
    EXPECT_EQ(world.spawn<heap>({}, std::move(small)).why(), spawn_refusal::merged);
    EXPECT_EQ(one->things, (std::vector{1, 2, 3}));
    EXPECT_EQ(small.size(), 2u) << "no life began with it";
    std::vector<int> large{4, 5, 6};
    EXPECT_EQ(world.spawn<heap>({}, std::move(large)).why(), spawn_refusal::full);
    EXPECT_EQ(large.size(), 3u);
    payload packed = std::move(large);
    EXPECT_EQ(world.spawn("heap", {}, std::move(packed)).why(), spawn_refusal::full);
    EXPECT_EQ(packed.get<std::vector<int>>()->size(), 3u);
    world.return_to_pool(one);
    EXPECT_EQ(world.get(world.spawn("heap", {}, std::move(packed)).reference()).as<heap>()->things.size(), 3u);
}

#if LIDO_HAS_EXCEPTIONS
/// Throws before it takes it.
struct picky {
    using payload_type = cargo;
    cargo hold;
    void place(const lido::transform& where) const {
        if (where.x < 0) throw std::runtime_error("no such place");
    }
    void on_acquire(cargo&& with) {
        if (*with.load == 13) throw std::runtime_error("bad luck");
        hold = std::move(with);
    }
};

TEST_F(a_payload_that_is_handed_over, S4_10_is_where_the_hook_left_it_when_that_throws) {
    world.add<picky>("picky");
    cargo mine = of(13);
    EXPECT_THROW(static_cast<void>(world.spawn<picky>({}, std::move(mine))), std::runtime_error);
    EXPECT_TRUE(mine);
    mine = of(1);
    EXPECT_THROW(static_cast<void>(world.spawn<picky>({.x = -1}, std::move(mine))), std::runtime_error);
    EXPECT_TRUE(mine);
    EXPECT_EQ(*world.spawn<picky>({}, std::move(mine))->hold.load, 1);
    world.end();
}
#endif

}  // namespace world_moved_payload_test
