// S5.3
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "entity/stage/doors.hpp"

namespace stage_creation {

using namespace stage_tests;

TEST(stage_creation, gives_a_reference_that_finds_the_entity) {
    hall h;
    const auto gate = h.stage.create<door>({.id = "gate-1"}, {.angle = 30});
    ASSERT_TRUE(gate) << gate.why();
    EXPECT_EQ(gate->angle, 30);
    EXPECT_EQ(h.stage.get(gate)->angle, 30);
    EXPECT_EQ(h.stage.find("gate-1"), lido::any_entity_ref(gate));
    EXPECT_EQ(h.stage.find<door>("gate-1"), gate.reference());
    EXPECT_FALSE(h.stage.find<account>("gate-1"));
    EXPECT_TRUE(h.stage.lives(gate));
    EXPECT_EQ(h.stage.info(gate).generation, 1u);
    EXPECT_EQ(h.stage.info(gate).version, 0u);
}

TEST(stage_creation, makes_ids_that_are_the_same_in_every_run) {
    hall h;
    EXPECT_EQ(h.stage.info(h.stage.create<door>()).id.view(), "~1.1");
    EXPECT_EQ(h.stage.info(h.stage.create<account>()).id.view(), "~1.2");
}

TEST(stage_creation, refuses_an_id_that_is_taken_by_any_class) {
    hall h;
    ASSERT_TRUE(h.stage.create<door>({.id = "gate-1"}));
    const auto other = h.stage.create<account>({.id = "gate-1"});
    EXPECT_FALSE(other);
    EXPECT_EQ(other.reason(), lido::stage_refusal::id_taken);
    EXPECT_STREQ(other.why(), "\"gate-1\" (account): an entity has this id; end it first, or find() it");
}

TEST(stage_creation, refuses_what_is_no_id_and_what_begins_like_a_generated_one) {
    hall h;
    EXPECT_EQ(h.stage.create<door>({.id = "a\nb"}).reason(), lido::stage_refusal::bad_id);
    EXPECT_STREQ(h.stage.create<door>({.id = "a\nb"}).why(), "door: an id has no control characters");
    EXPECT_EQ(h.stage.create<door>({.id = "~1.1"}).reason(), lido::stage_refusal::reserved_id);
}

TEST(stage_creation, refuses_a_class_that_was_not_added) {
    hall h;
    struct stranger {
        int x = 0;
    };
    const auto none = h.stage.create<stranger>();
    EXPECT_EQ(none.reason(), lido::stage_refusal::no_class);
    EXPECT_FALSE(none);
}

TEST(stage_creation, a_type_of_two_classes_is_told_which) {
    hall h;
    ASSERT_TRUE(h.stage.add<door>("gate"));
    EXPECT_EQ(h.stage.create<door>().reason(), lido::stage_refusal::no_class);
    const auto gate = h.stage.create_in<door>("gate", {.id = "g"});
    ASSERT_TRUE(gate) << gate.why();
    EXPECT_EQ(h.world.class_of(gate.reference().in_world()).name, "gate");
}

TEST(stage_creation, begins_with_the_version_and_the_generation_that_are_given) {
    hall h;
    const auto gate = h.stage.create<door>({.version = 41, .generation = 1000});
    EXPECT_EQ(h.stage.info(gate).version, 41u);
    EXPECT_EQ(h.stage.info(gate).generation, 1000u);
    EXPECT_EQ(h.stage.info(h.stage.create<door>()).generation, 1001u);
    const auto old = h.stage.create<door>({.id = "late", .generation = 1000});
    EXPECT_STREQ(old.why(), "\"late\" (door): generation 1000 has been; the next one is above 1001");
}

TEST(stage_creation, is_refused_where_the_role_only_mirrors) {
    hall h(lido::role::client);
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    EXPECT_EQ(gate.reason(), lido::stage_refusal::not_here);
    EXPECT_EQ(h.stage.size(), 0u);
    ASSERT_TRUE(h.stage.add<door>("predicted", {.changed_by = {}}));
    EXPECT_TRUE(h.stage.create_in<door>("predicted"));
}

TEST(stage_creation, leaves_nothing_when_the_hook_throws_and_the_id_is_free) {
    hall h;
    bullet_throws = true;
    EXPECT_THROW(h.stage.create<bullet>({.id = "b"}), int);
    bullet_throws = false;
    EXPECT_FALSE(h.stage.find("b"));
    EXPECT_EQ(h.stage.size(), 0u);
    EXPECT_EQ(h.stage.changes().stats().entries, 0u);
    EXPECT_TRUE(h.stage.create<bullet>({.id = "b"}));
    EXPECT_TRUE(h.stage.validate());
}

TEST(stage_creation, a_class_that_throws_anew_throws_again_from_an_idle_object) {
    hall h;
    const auto first = h.stage.create<bullet>({.id = "b"});
    h.stage.pool(first);
    h.stage.tick();
    bullet_throws = true;
    EXPECT_THROW(h.stage.create<bullet>({.id = "b"}), int);
    bullet_throws = false;
    EXPECT_FALSE(h.stage.find("b"));
}

TEST(stage_creation, is_called_off_when_the_journal_is_full) {
    hall h(8, {.journal_bytes = 1024});
    std::size_t made = 0;
    lido::stage_refusal why = lido::stage_refusal::none;
    for (int i = 0; i < 100; ++i) {
        const auto d = h.stage.create<door>();
        if (d) {
            ++made;
            continue;
        }
        why = d.reason();
        break;
    }
    EXPECT_EQ(why, lido::stage_refusal::journal);
    EXPECT_EQ(h.stage.size(), made);
    EXPECT_TRUE(h.stage.validate());
    h.stage.tick();
    h.stage.confirm(lido::ticks{0});
    EXPECT_TRUE(h.stage.create<door>());
}

TEST(stage_creation, a_world_without_room_is_a_reason_in_words) {
    lido::world world;
    lido::stage stage{world};
    ASSERT_TRUE(stage.add<door>("door", {.capacity = 1, .on_full = lido::on_full::reject}));
    ASSERT_TRUE(stage.create<door>({.id = "a"}));
    const auto b = stage.create<door>({.id = "b"});
    EXPECT_EQ(b.reason(), lido::stage_refusal::spawn_refused);
    EXPECT_STREQ(b.why(), "\"b\" (door): there is no object for it: full");
    EXPECT_FALSE(stage.find("b"));
}

TEST(stage_creation, classes_that_replace_are_refused) {
    lido::world world;
    lido::stage stage{world};
    const auto added = stage.add<door>("door", {.on_full = lido::on_full::replace_oldest});
    EXPECT_FALSE(added);
    EXPECT_STREQ(added.why(), "door: entities are never replaced or merged; on_full may grow, and then reject");
    EXPECT_FALSE(stage.add<door>("crate", {.on_full = lido::on_full::merge}));
}

struct handle_of_a_door {
    lido::link<door> of;
};

TEST(stage_creation, a_link_is_followed_to_its_entity_and_to_nobody_after_it) {
    hall h;
    h.stage.add<handle_of_a_door>("handle");
    const auto gate = h.stage.create<door>({.id = "gate-1"});
    const auto knob = h.stage.create<handle_of_a_door>({}, {.of = h.stage.link_to(gate.reference())});
    EXPECT_EQ(h.stage.follow(h.stage.get(knob)->of), gate.reference());
    lido::link_name name;
    ASSERT_TRUE(h.stage.name_of(knob->of.to_bits(), name));
    EXPECT_EQ(name.id, "gate-1");
    std::uint64_t bits = 0;
    ASSERT_TRUE(static_cast<lido::link_names&>(h.stage).find(name, bits));
    EXPECT_EQ(bits, knob->of.to_bits());
    h.stage.pool(gate);
    h.stage.tick();
    h.stage.create<door>({.id = "gate-1"});
    EXPECT_FALSE(h.stage.follow(h.stage.get(knob)->of));
    EXPECT_FALSE(h.stage.name_of(knob->of.to_bits(), name));
    EXPECT_FALSE(h.stage.follow(lido::link<door>()));
}

}  // namespace stage_creation
