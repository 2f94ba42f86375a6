// X1: what cannot be written or restored is refused in a sentence that names it, and nothing has changed.
#include <lido/core/rewind/save.hpp>
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"
#include "core/rewind/image_map.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace world_image_refusals {

struct door {
    std::uint32_t open = 1;
    void on_acquire() { open = 1; }
};
struct spike {
    std::uint32_t sharp = 1;
};
struct knob {
    int* turned = nullptr;
    void hash(lido::hasher& h) const { h.add(std::uint32_t{1}); }
};
struct key {
    explicit key(std::uint32_t n) noexcept : teeth(n) {}
    std::uint32_t teeth;
};
struct shift {
    std::int32_t by = 0;
};
struct flagged {
    bool on = false;
    std::uint8_t more = 0;
};

struct flare {
    static constexpr auto release = lido::on_confirm;
    std::uint32_t heat = 0;
};

struct an_image : testing::Test {
    lido::world world;
    std::vector<std::byte> bytes;

    an_image() { add_to(world); }

    static void add_to(lido::world& w) { w.add<door>("door", {.leaks = lido::leaks::allow}); }

    std::string why_not_written() {
        const lido::save_result r = world.save(bytes);
        EXPECT_FALSE(r);
        EXPECT_TRUE(bytes.empty());
        EXPECT_EQ(world.last_error(), r.what());
        return r.what();
    }
    /// Of `world`'s image in another world, which must not change.
    std::string why_not_restored(lido::world& other, lido::restore_error kind) {
        const lido::save_result written = world.save(bytes);
        EXPECT_TRUE(written) << written.what();
        return why_not_restored_from(bytes, other, kind);
    }
    static std::string why_not_restored_from(const std::vector<std::byte>& image, lido::world& other,
                                             lido::restore_error kind) {
        const std::uint64_t before = other.state_hash();
        const bool started = other.started();
        const lido::restore_result r = other.restore(image);
        EXPECT_FALSE(r);
        EXPECT_EQ(r.error, kind) << to_string(r.error);
        EXPECT_EQ(other.state_hash(), before);
        EXPECT_EQ(other.started(), started);
        EXPECT_TRUE(other.validate());
        return r.what();
    }
};

using write = an_image;
using restore = an_image;

TEST_F(write, is_refused_for_a_waiting_call_without_a_name) {
    world.after(world.spawn<door>().reference(), lido::ticks{5}, [](door& d) { d.open = 0; });
    EXPECT_EQ(why_not_written(),
              "door: a waiting call without a name cannot be written into an image; give it one with name_call(), and "
              "start it with lido::named");
}

TEST_F(write, is_refused_for_a_listener_of_a_life_without_a_name) {
    world.on_finished(world.spawn<door>().reference(), [] {});
    EXPECT_EQ(why_not_written(),
              "door: a listener of a life without a name cannot be written into an image; give it one with "
              "name_call(), and start it with lido::named");
}

TEST_F(write, is_refused_for_a_call_of_the_world_without_a_name) {
    world.after(lido::ticks{5}, [] {});
    EXPECT_EQ(why_not_written(),
              "the world: a waiting call without a name cannot be written into an image; give it one with name_call(), "
              "and start it with lido::named");
}

TEST_F(write, works_again_once_such_a_call_is_over) {
    const auto call = world.after(lido::ticks{5}, [] {});
    EXPECT_FALSE(world.save(bytes));
    world.cancel(call);
    EXPECT_TRUE(world.save(bytes));
}

TEST_F(write, is_refused_for_a_name_that_another_world_gave) {
    lido::world other;
    add_to(other);
    ASSERT_TRUE(other.name_call<door>("close", [](door& d) { d.open = 0; }));
    other.on_finished(other.spawn<door>(), lido::named{"close"});
    lido::snapshot s;
    ASSERT_TRUE(other.save(s));
    ASSERT_TRUE(world.restore(s));
    EXPECT_EQ(why_not_written(),
              "door: a listener of a life has a name that was given in another world; give it the same name here with "
              "name_call()");
}

TEST_F(write, is_refused_for_a_class_with_pointers) {
    world.add<knob>("knob");
    world.start();
    EXPECT_EQ(
        why_not_written(),
        "knob: this class cannot be written into an image: its objects are not plain bytes without pointers; give "
        "it `void save(lido::image_writer&) const` and `bool load(lido::image_reader&)`, and a move constructor "
        "that is noexcept");
}

TEST_F(write, is_refused_for_a_class_without_a_default_constructor) {
    world.add<key>("key", {}, {.create = [] { return key(3); }});
    world.start();
    EXPECT_EQ(why_not_written(),
              "key: this class cannot be written into an image: what an image holds is read into an object that was "
              "just made; give the class a default constructor");
}

TEST_F(write, is_refused_from_inside_of_a_hook_and_told) {
    const lido::test::misuse_log told(false);
    bool refused = false;
    world.finished<door>().connect([this, &refused] { refused = !world.save(bytes); });
    world.return_to_pool(world.spawn<door>().reference());
    EXPECT_TRUE(refused);
    EXPECT_EQ(told.count(lido::misuse_kind::reentrant_call), 1u);
}

TEST_F(restore, is_refused_when_the_world_lacks_a_class) {
    lido::world other;
    EXPECT_EQ(why_not_restored(other, lido::restore_error::other_parts),
              "the image has the class door, which this world does not have; add it before the restore. There are: "
              "none");
}

TEST_F(restore, is_refused_when_the_world_has_another_class) {
    lido::world other;
    add_to(other);
    other.add<spike>("spike");
    EXPECT_EQ(why_not_restored(other, lido::restore_error::other_parts),
              "this world has the class spike, which the image does not have; the world that is restored has the same "
              "classes as the one that was written");
}

TEST_F(restore, is_refused_when_a_class_has_another_type) {
    world.start();
    lido::world other;
    other.add<spike>("door");
    other.start();
    EXPECT_EQ(why_not_restored(other, lido::restore_error::other_type),
              "door: saved from a pool of another element type");
}

TEST_F(restore, is_refused_when_objects_have_another_size) {
    world.add<shift>("thing");
    world.start();
    lido::world other;
    add_to(other);
    other.add<flagged>("thing");
    other.start();
    EXPECT_EQ(why_not_restored(other, lido::restore_error::other_type),
              "thing: its objects have another size, form or order of bytes in the image than here");
}

TEST_F(restore, is_refused_when_a_name_is_not_known_here) {
    ASSERT_TRUE(world.name_call<door>("close", [](door& d) { d.open = 0; }));
    world.on_finished(world.spawn<door>(), lido::named{"close"});
    lido::world other;
    add_to(other);
    EXPECT_EQ(why_not_restored(other, lido::restore_error::other_parts),
              "the image has the call close, which this world does not know; give it that name with name_call() before "
              "the restore");
}

TEST_F(restore, is_refused_when_a_name_is_bound_to_something_else_here) {
    ASSERT_TRUE((world.name_call<door, shift>("move", [](door&, const shift&) {})));
    world.on_finished(world.spawn<door>(), lido::named{"move", shift{1}});
    lido::world other;
    add_to(other);
    ASSERT_TRUE(other.name_call<door>("move", [](door&) {}));
    EXPECT_EQ(why_not_restored(other, lido::restore_error::other_type),
              "the call move is bound to another type here than in the image");
}

TEST_F(restore, is_refused_when_a_name_is_of_something_else_here) {
    ASSERT_TRUE(world.name_call<door>("close", [](door&) {}));
    world.on_finished(world.spawn<door>(), lido::named{"close"});
    lido::world other;
    add_to(other);
    ASSERT_TRUE(other.name_call<lido::world>("close", [] {}));
    EXPECT_EQ(why_not_restored(other, lido::restore_error::other_type),
              "door: the call close is of the world here, and the image calls it for something else");
}

TEST_F(restore, is_refused_when_what_a_call_is_bound_to_is_no_value_of_its_type) {
    const auto nothing = [](door&, const flagged&) {};
    ASSERT_TRUE((world.name_call<door, flagged>("set", nothing)));
    world.on_finished(world.spawn<door>(), lido::named{"set", flagged{true, 0xab}});
    ASSERT_TRUE(world.save(bytes));
    // The bool before the byte that was looked for becomes 2.
    for (std::size_t i = 24; i + 1 < bytes.size(); ++i) {
        if (bytes[i] == std::byte{1} && bytes[i + 1] == std::byte{0xab}) bytes[i] = std::byte{2};
    }
    lido::test::seal(bytes);
    lido::world other;
    add_to(other);
    ASSERT_TRUE((other.name_call<door, flagged>("set", nothing)));
    EXPECT_EQ(why_not_restored_from(bytes, other, lido::restore_error::inconsistent),
              "door: the call set is bound to a value that its type does not have");
}

TEST_F(restore, is_refused_when_this_role_does_not_build_a_class) {
    world.start();
    lido::world other(lido::role::client);
    other.add<door>("door", {.roles = {.client = false}});
    EXPECT_EQ(why_not_restored(other, lido::restore_error::other_parts),
              "door is built in the image, and this role does not build it");
}

TEST_F(restore, is_refused_when_a_class_is_built_here_and_was_not_there) {
    lido::world there(lido::role::client);
    there.add<door>("door", {.roles = {.client = false}});
    there.start();
    ASSERT_TRUE(there.save(bytes));
    world.start();
    EXPECT_EQ(why_not_restored_from(bytes, world, lido::restore_error::other_parts),
              "door is built here, and was not where the image was written");
}

TEST_F(restore, is_refused_when_the_class_may_hold_fewer_here) {
    for (int i = 0; i < 50; ++i) static_cast<void>(world.spawn<door>());
    lido::world other;
    other.add<door>("door", {.capacity = 10, .on_full = lido::on_full::reject});
    EXPECT_EQ(why_not_restored(other, lido::restore_error::too_large), "door: more than this pool may hold");
}

TEST_F(restore, is_refused_when_the_rollback_windows_differ) {
    lido::world four(lido::role::standalone, {.rollback = 4});
    lido::world eight(lido::role::standalone, {.rollback = 8});
    four.add<flare>("flare");
    eight.add<flare>("flare");
    eight.start();
    ASSERT_TRUE(four.save(bytes));
    EXPECT_EQ(why_not_restored_from(bytes, eight, lido::restore_error::other_options),
              "written by a world with a rollback window of 4 ticks, and this one has 8");
}

TEST_F(restore, is_refused_for_what_is_no_world) {
    lido::slot_pool<door> pool{4};
    pool.save(bytes);
    EXPECT_EQ(why_not_restored_from(bytes, world, lido::restore_error::other_shape),
              "saved from something else than a world");
}

TEST_F(restore, is_refused_for_another_version_of_the_part) {
    ASSERT_TRUE(world.save(bytes));
    bytes[25] = std::byte{77};
    lido::test::seal(bytes);
    EXPECT_EQ(why_not_restored_from(bytes, world, lido::restore_error::other_version),
              "written by another version of lido::world; it has version 77, and this reads 1");
}

TEST_F(restore, is_refused_from_inside_of_a_hook_and_told) {
    const lido::test::misuse_log told(false);
    ASSERT_TRUE(world.save(bytes));
    bool refused = false;
    world.finished<door>().connect([this, &refused] { refused = !world.restore(bytes); });
    world.return_to_pool(world.spawn<door>().reference());
    EXPECT_TRUE(refused);
    EXPECT_EQ(told.count(lido::misuse_kind::reentrant_call), 1u);
}

TEST_F(restore, that_fails_in_a_later_class_leaves_an_earlier_one_unbuilt) {
    world.add<spike>("spike");
    for (int i = 0; i < 50; ++i) static_cast<void>(world.spawn<spike>());
    static_cast<void>(world.spawn<door>());
    lido::world other;
    add_to(other);
    other.add<spike>("spike", {.capacity = 10, .on_full = lido::on_full::reject});
    EXPECT_EQ(why_not_restored(other, lido::restore_error::too_large), "spike: more than this pool may hold");
    EXPECT_FALSE(other.stats("door").built);
    EXPECT_TRUE(other.spawn<door>());
}

TEST_F(restore, is_refused_for_every_length_that_is_cut_off) {
    ASSERT_TRUE(world.name_call<door>("close", [](door& d) { d.open = 0; }));
    for (int i = 0; i < 3; ++i) {
        const lido::ref<door> d = world.spawn<door>();
        world.after(d, lido::ticks{10}, lido::named{"close"});
        world.set_lifetime(d, lido::ticks{20});
    }
    ASSERT_TRUE(world.save(bytes));
    const std::uint64_t before = world.state_hash();
    for (std::size_t length = 0; length < bytes.size(); length += length < 200 ? 1 : 7) {
        std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
        if (length >= 24) lido::test::seal(cut);
        ASSERT_FALSE(world.restore(cut)) << length;
        ASSERT_EQ(world.state_hash(), before) << length;
    }
    EXPECT_TRUE(world.restore(bytes));
}

/// Whatever byte is changed, the image is refused and nothing changes, or it is the image of a world that works.
TEST_F(restore, X1_with_any_byte_changed_and_sealed_is_refused_or_sound) {
    ASSERT_TRUE(world.name_call<door>("close", [](door& d) { d.open = 0; }));
    ASSERT_TRUE(world.name_call<lido::world>("round", [] {}));
    for (int i = 0; i < 5; ++i) {
        const lido::ref<door> d = world.spawn<door>();
        world.after(d, lido::ticks{static_cast<std::uint64_t>(i * 40 + 1)}, lido::named{"close"});
        world.on_finished(d, lido::named{"close"});
        if (i % 2 == 0) world.set_lifetime(d, lido::ticks{2000});
        if (i == 3) world.return_to_pool(d);
        world.tick();
    }
    world.after(lido::ticks{9}, lido::named{"round"});
    ASSERT_TRUE(world.save(bytes));
    std::uint64_t before = world.state_hash();
    std::uint32_t random = 5;
    std::size_t taken = 0;
    for (std::size_t at = 24; at < bytes.size(); at += 3) {
        std::vector<std::byte> hostile = bytes;
        random = random * 1664525u + 1013904223u;
        hostile[at] ^= static_cast<std::byte>(random >> 24 | (random >> 16 & 0xff) << (at % 2));
        lido::test::seal(hostile);
        if (!world.restore(hostile)) {
            ASSERT_EQ(world.state_hash(), before) << "byte " << at;
            continue;
        }
        ++taken;
        ASSERT_TRUE(world.validate()) << "byte " << at << ": " << world.validate().broken;
        for (int i = 0; i < 3; ++i) world.tick();
        static_cast<void>(world.spawn<door>());
        ASSERT_TRUE(world.validate()) << "byte " << at << ": " << world.validate().broken;
        world.return_all();
        ASSERT_TRUE(world.restore(bytes));
        ASSERT_EQ(world.state_hash(), before);
    }
    EXPECT_GT(taken, 10u);  // counters, fields of objects, due ticks within one list
    EXPECT_LT(taken, bytes.size() / 2);
}

}  // namespace world_image_refusals
