// X1 S5.8: what cannot be written into an image of a stage, or restored from it, is refused in words that name it, and nothing changes.
#include <lido/core/rewind/save.hpp>
#include <lido/entity/stage/stage.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/misuse/misuse_log.hpp"
#include "core/rewind/image_map.hpp"

namespace stage_image_refusals {

using lido::restore_error;
using lido::ticks;
using bytes = std::vector<std::byte>;

struct gate {
    std::uint32_t open = 0;
    lido::link<gate> next;
    lido::text<8> sign;
};
constexpr auto describe(lido::type<gate>) { return lido::schema{1, lido::field<&gate::open>{.max = 90}}; }

struct thing {
    int* at = nullptr;
    std::int32_t n = 0;
};
constexpr auto describe(lido::type<thing>) {
    return lido::schema{1, lido::field<&thing::at>{.send = lido::seen::by_nobody, .save = false}};
}
struct held {
    std::vector<int> all;
};
struct holder {
    using context_type = held;
    std::int32_t n = 0;
};

/// The same name, and other fields.
namespace other {
struct gate {
    std::uint32_t open = 0;
    lido::link<gate> next;
    lido::text<9> sign;
};
constexpr auto describe(lido::type<gate>) { return lido::schema{1, lido::field<&gate::open>{.max = 90}}; }
}  // namespace other

struct slow_store final : lido::entity_store {
    load_answer load(const lido::load_request&) override { return {begins::loading, nullptr}; }
    bool settled(const lido::entity_id&, std::uint64_t, std::uint64_t) const noexcept override { return true; }
};

struct yard {
    lido::world world;
    lido::stage stage{world, {.journal_bytes = 4096}};  // thousands of them are made
    yard() { stage.add<gate>("gate", {.history = 4}); }

    void live() {
        const auto a = stage.create<gate>({.id = "a"}, {.open = 10});
        gate with;
        with.next = stage.link_to(a.reference());
        stage.create<gate>({.id = "b"}, with);
        stage.create<gate>();
        for (int i = 0; i < 3; ++i) {
            auto change = stage.edit(a);
            ++change->open;
            EXPECT_TRUE(change.commit());
        }
        stage.lock(a, "me", ticks{10});
        stage.tick();
    }
    std::string why_not_written() {
        bytes to;
        const lido::save_result done = stage.save(to);
        EXPECT_FALSE(done);
        EXPECT_TRUE(to.empty());
        EXPECT_EQ(stage.last_error(), done.what());
        return done.what();
    }
    bytes image() {
        bytes to;
        const lido::save_result done = stage.save(to);
        EXPECT_TRUE(done) << done.what();
        return to;
    }
    /// Nothing may change.
    std::string why_not_restored(const bytes& from, restore_error kind) {
        const std::uint64_t hash = stage.state_hash();
        const bytes before = image();
        const lido::restore_result r = stage.restore(from);
        EXPECT_FALSE(r);
        EXPECT_EQ(r.error, kind) << r.what();
        EXPECT_EQ(stage.state_hash(), hash);
        EXPECT_EQ(image(), before);
        EXPECT_EQ(stage.validate().broken, nullptr);
        return r.what();
    }
};

// --- write -----------------------------------------------------------------------------------------------------------------------

TEST(stage_image_refusals, names_the_entity_of_which_a_resource_is_kept) {
    yard y;
    y.live();
    ASSERT_TRUE(y.stage.manage(y.stage.find("a"), [] {}));
    EXPECT_EQ(
        y.why_not_written(),
        "\"a\" (gate): what manage() was given is code of this run and cannot be written into an image; a saved game "
        "leaves it out");
}

TEST(stage_image_refusals, names_a_resource_of_a_life_whose_end_is_not_certain) {
    lido::world world(lido::role::standalone, {.rollback = 4});
    lido::stage stage(world);
    stage.add<gate>("gate");
    const auto g = stage.create<gate>();
    ASSERT_TRUE(stage.manage(g, [] {}));
    ASSERT_TRUE(stage.destroy(g));
    bytes to;
    EXPECT_STREQ(
        stage.save(to).what(),
        "what manage() was given of a life whose end is not certain cannot be written into an image; confirm() that "
        "tick first");
    stage.tick();
    stage.confirm(ticks{0});
    EXPECT_TRUE(stage.save(to));
}

TEST(stage_image_refusals, names_the_entity_that_somebody_listens_to) {
    yard y;
    y.live();
    const auto who = y.stage.on_updated(y.stage.find("b"), [](const lido::entity_event&) {});
    EXPECT_EQ(y.why_not_written(),
              "\"b\" (gate): a listener of this life (on_updated, on_released) is code of this run and cannot be "
              "written into "
              "an image; a saved game leaves it out");
    y.stage.disconnect(who);
    y.stage.tick();
    y.stage.tick();
    EXPECT_FALSE(y.image().empty());
}

TEST(stage_image_refusals, asks_for_deliver_where_somebody_has_not_been_told) {
    yard y;
    y.live();
    y.stage.create<gate>();
    EXPECT_FALSE(y.image().empty()) << "nobody listens";
    y.stage.signals<gate>().created.connect([](const lido::entity_event&) {});
    EXPECT_EQ(
        y.why_not_written(),
        "what was committed since the last deliver() has not been told to listeners, and an image holds no entries; "
        "call deliver() or tick() before");
    y.stage.deliver();
    EXPECT_FALSE(y.image().empty());
}

TEST(stage_image_refusals, names_the_entity_that_is_loading) {
    slow_store store;
    yard y;
    y.stage.attach(&store);
    y.stage.create<gate>({.id = "far", .persistent = true});
    EXPECT_EQ(y.why_not_written(), "\"far\" (gate): its data is still being loaded; save when that is over");
}

TEST(stage_image_refusals, names_the_class_with_a_pointer_in_it) {
    yard y;
    y.stage.add<thing>("thing");
    EXPECT_EQ(
        y.why_not_written(),
        "thing: entities of this class cannot be written into an image: a field that is neither sent nor saved may "
        "hold a pointer, which means nothing in another process; keep it in the context");
}

TEST(stage_image_refusals, names_the_class_whose_context_cannot_be_written) {
    yard y;
    y.stage.add<holder>("holder");
    EXPECT_EQ(y.why_not_written(),
              "holder: entities of this class cannot be written into an image: its context is not plain bytes without "
              "pointers; give it `void save(lido::image_writer&) const` and `bool load(lido::image_reader&)`");
}

TEST(stage_image_refusals, names_a_waiting_call_without_a_name) {
    yard y;
    y.live();
    y.stage.after(y.stage.find("a"), ticks{5}, [] {});
    bytes to;
    EXPECT_STREQ(
        y.stage.save(to).what(),
        "gate: a waiting call without a name cannot be written into an image; give it one with name_call(), and "
        "start it with lido::named");
}

TEST(stage_image_refusals, of_a_world_that_has_a_stage_point_to_the_stage) {
    yard y;
    y.live();
    const bytes before = y.image();
    bytes to;
    constexpr const char* words =
        "the world has a stage, whose entities are in it: save and restore the stage, which does both";
    EXPECT_STREQ(y.world.save(to).what(), words);
    lido::world alone;
    ASSERT_TRUE(alone.save(to));
    EXPECT_STREQ(y.world.restore(to).what(), words);
    EXPECT_EQ(y.image(), before);
}

TEST(stage_image_refusals, come_from_inside_of_a_listener_and_of_a_reader) {
    const lido::test::misuse_log log;
    yard y;
    y.live();
    const bytes image = y.image();
    bytes to;
    y.stage.signals<gate>().created.connect([&](const lido::entity_event&) {
        EXPECT_FALSE(y.stage.save(to));
        EXPECT_FALSE(y.stage.restore(image));
    });
    auto reader = y.stage.changes().open();
    y.stage.create<gate>();
    y.stage.tick();
    EXPECT_EQ(log.count(), 2u);
    std::size_t entries = 0;
    static_cast<void>(reader.read([&](const lido::journal_entry&) {
        ++entries;
        EXPECT_FALSE(y.stage.restore(image));
    }));
    EXPECT_EQ(entries, 1u);
    EXPECT_EQ(log.count(), 3u);
}

// --- read ------------------------------------------------------------------------------------------------------------------------

TEST(stage_image_refusals, name_a_class_that_is_not_here) {
    yard to;
    to.live();
    bytes image;
    {
        lido::world w;
        lido::stage s(w);
        s.add<gate>("gate", {.history = 4});
        s.add<gate>("door\n");
        ASSERT_TRUE(s.save(image));
    }
    EXPECT_EQ(to.why_not_restored(image, restore_error::other_parts),
              "the image has the entities \"door?\", which this stage does not have; add the class before the restore");
}

TEST(stage_image_refusals, name_a_class_that_the_image_lacks) {
    yard from;
    from.live();
    yard to;
    to.stage.add<gate>("door");
    EXPECT_EQ(to.why_not_restored(from.image(), restore_error::other_parts),
              "this stage has the entities \"door\", which the image does not have");
}

TEST(stage_image_refusals, name_the_field_that_is_another_one_here) {
    yard to;
    to.live();
    lido::world w;
    lido::stage s(w);
    s.add<other::gate>("gate", {.history = 4});
    bytes image;
    ASSERT_TRUE(s.save(image));
    EXPECT_EQ(
        to.why_not_restored(image, restore_error::other_type),
        "gate.sign: this field is not in the image as it is in this build; what one build gives to another is a saved "
        "game");
}

TEST(stage_image_refusals, name_another_length_of_history) {
    yard to;
    to.live();
    lido::world w;
    lido::stage s(w);
    s.add<gate>("gate", {.history = 9});
    bytes image;
    ASSERT_TRUE(s.save(image));
    EXPECT_EQ(to.why_not_restored(image, restore_error::other_options),
              "gate: the image keeps the last 9 commits of each entity, and this stage 4");
}

TEST(stage_image_refusals, come_for_an_image_of_a_world_alone_and_of_a_pool) {
    yard to;
    to.live();
    lido::world w;
    bytes image;
    ASSERT_TRUE(w.save(image));
    EXPECT_EQ(to.why_not_restored(image, restore_error::other_shape), "saved from something else than a stage");
}

TEST(stage_image_refusals, come_for_an_image_that_was_cut_anywhere) {
    yard from;
    from.live();
    const bytes image = from.image();
    yard to;
    to.live();
    const std::uint64_t hash = to.stage.state_hash();
    for (std::size_t size = 0; size < image.size(); ++size) {
        bytes part(image.begin(), image.begin() + static_cast<std::ptrdiff_t>(size));
        ASSERT_FALSE(to.stage.restore(part)) << size;
        lido::test::seal(part);  // the checksum is right; what it covers ends too early
        const lido::restore_result r = to.stage.restore(part);
        ASSERT_FALSE(r) << size;
        ASSERT_STRNE(r.what(), "");
        ASSERT_EQ(to.stage.state_hash(), hash) << size;
    }
    EXPECT_EQ(to.stage.validate().broken, nullptr);
    EXPECT_EQ(to.world.validate().broken, nullptr);
}

TEST(stage_image_refusals, come_for_every_flipped_bit) {
    yard from;
    from.live();
    const bytes image = from.image();
    yard to;
    to.live();
    const std::uint64_t hash = to.stage.state_hash();
    for (std::size_t bit = 0; bit < image.size() * 8; ++bit) {
        bytes wrong = image;
        wrong[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
        ASSERT_FALSE(to.stage.restore(wrong)) << bit;
    }
    EXPECT_EQ(to.stage.state_hash(), hash);
}

TEST(stage_image_refusals, or_a_sound_stage_follow_from_every_flipped_bit_under_a_right_checksum) {
    yard from;
    from.live();
    const bytes image = from.image();
    std::size_t refused = 0;
    yard to;
    to.live();
    for (std::size_t bit = 0; bit < image.size() * 8; ++bit) {
        bytes wrong = image;
        wrong[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
        lido::test::seal(wrong);
        const std::uint64_t hash = to.stage.state_hash();
        const lido::restore_result r = to.stage.restore(wrong);
        if (!r) {
            ++refused;
            ASSERT_STRNE(r.what(), "");
            ASSERT_EQ(to.stage.state_hash(), hash) << bit;
            continue;
        }
        ASSERT_EQ(to.stage.validate().broken, nullptr) << bit;
        ASSERT_EQ(to.world.validate().broken, nullptr) << bit;
        to.stage.tick();
        ASSERT_TRUE(to.stage.create<gate>({.id = "new"})) << bit;  // gone with the next one
    }
    EXPECT_GT(refused, image.size() * 3) << "of " << image.size() * 8;
}

/// Where in an image these bytes are, once.
std::size_t place_of(const bytes& image, std::string_view text) {
    const std::string_view all(reinterpret_cast<const char*>(image.data()), image.size());
    const std::size_t at = all.find(text);
    EXPECT_NE(at, std::string_view::npos);
    EXPECT_EQ(all.find(text, at + 1), std::string_view::npos) << "once";
    return at;
}
struct a_written_head : testing::Test {
    yard from, to;
    bytes image;
    std::size_t head = 0;  ///< behind the id "a"
    void SetUp() override {
        from.live();
        to.live();
        image = from.image();
        head = place_of(image,
                        "\x01"
                        "a") +
               2;
    }
    void expect(std::size_t at, std::size_t width, std::uint64_t value, const char* words) {
        bytes wrong = image;
        lido::test::write_at(wrong, at, width, value);
        lido::test::seal(wrong);
        EXPECT_EQ(to.why_not_restored(wrong, restore_error::inconsistent), words);
    }
};

TEST_F(a_written_head, is_refused_with_a_generation_that_was_never_given) {
    expect(head, 8, 4, "\"a\" (gate): its numbers are above those of the stage");
}
TEST_F(a_written_head, is_refused_with_the_generation_of_another) {
    expect(head, 8, 2, "two entities of the image are of one generation");
}
TEST_F(a_written_head, is_refused_with_a_lock_that_was_never_given) {
    expect(head + 32, 8, 2, "\"a\" (gate): its numbers are above those of the stage");
}
TEST_F(a_written_head, is_refused_with_the_id_of_another) { expect(head - 1, 1, 'b', "an id is twice in the image"); }
TEST_F(a_written_head, is_refused_with_a_value_out_of_its_range) {
    const std::size_t open = place_of(image, "\x02me") + 3 + 1 + 4;
    const std::string words = "\"a\" (gate): open: " + std::string(lido::to_string(lido::field_fault::above_max));
    bool found = false;
    // Fields are in the order of their ids.
    for (std::size_t at = open; at < open + 16 && !found; ++at) {
        if (lido::test::read_at(image, at, 4) != 13) continue;
        found = true;
        expect(at, 4, 91, words.c_str());
    }
    EXPECT_TRUE(found);
}

}  // namespace stage_image_refusals
