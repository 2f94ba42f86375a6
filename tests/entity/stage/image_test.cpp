// X1 S5.8: an image of a stage restores it exactly in another process, which may have added its classes in another order.
#include <lido/core/rewind/save.hpp>
#include <lido/entity/schema/bounded_vector.hpp>
#include <lido/entity/stage/stage.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/misuse/misuse_log.hpp"

namespace stage_image {

using lido::ticks;
using lines = std::vector<std::string>;
using bytes = std::vector<std::byte>;

struct room {
    std::uint8_t lamps = 0;
};
enum class mood : std::uint8_t { calm, angry };

struct keeper {
    std::int32_t hp = 10;
    double weight = 0;
    bool awake = false;
    mood now = mood::calm;
    lido::text<12> title;
    lido::link<keeper> boss;
    lido::link<room> in;
    std::optional<std::uint16_t> wage;
    std::array<std::int16_t, 3> at = {};
    lido::bounded_vector<std::uint32_t, 4> keys;
    lido::ref<room> seen;  ///< neither sent nor saved
};
constexpr auto describe(lido::type<keeper>) {
    return lido::schema{1, lido::field<&keeper::hp>{.max = 100},
                        lido::field<&keeper::seen>{.send = lido::seen::by_nobody, .save = false}};
}
inline bool valid(const keeper& k) { return k.hp != 13; }

inline lines heard;
struct satchel {
    std::vector<std::uint32_t> things;
    void save(lido::image_writer& w) const {
        w.put(static_cast<std::uint32_t>(things.size()));
        for (const std::uint32_t t : things) w.put(t);
    }
    [[nodiscard]] bool load(lido::image_reader& r) {
        const auto count = r.take<std::uint32_t>();
        if (!r.has(count, sizeof(std::uint32_t))) return false;
        for (std::uint32_t i = 0; i < count; ++i) things.push_back(r.take<std::uint32_t>());
        return true;
    }
};
struct thief {
    using context_type = satchel;
    std::int32_t speed = 0;
};
inline void on_begin(const thief&, satchel&, const lido::entity_birth& birth) {
    heard.push_back("begin " + std::string(birth.id.view()));
}
inline void on_end(const thief& t, satchel&, lido::entity_end how) noexcept {
    heard.push_back("end " + std::to_string(t.speed) + " " + lido::to_string(how));
}

struct stone {
    std::uint32_t weight = 1;
    void on_acquire() { weight = 1; }
};

struct place {
    lido::world world;
    lido::stage stage;

    explicit place(bool turned = false, std::uint32_t rollback = 0)
        : world(lido::role::standalone, {.rollback = rollback}), stage(world) {
        heard.clear();
        if (turned) {
            world.add<stone>("stone", {.leaks = lido::leaks::allow});
            stage.add<thief>("thief", {.idle = 4});
        }
        stage.add<keeper>("keeper", {.history = 3});
        if (!turned) stage.add<thief>("thief", {.idle = 4});
        stage.add<room>("room");
        if (!turned) world.add<stone>("stone", {.leaks = lido::leaks::allow});
        static_cast<void>(stage.name_call<keeper>("rest", [this](lido::entity_ref<keeper> who) {
            auto change = stage.edit(who);
            change->hp = 99;
            EXPECT_TRUE(change.commit()) << change.why();
        }));
    }

    lido::entity_ref<keeper> keeper_of(const char* id) const { return stage.find<keeper>(id); }
    void hurt(lido::entity_ref<keeper> who, std::int32_t by) {
        auto change = stage.edit(who);
        change->hp -= by;
        ASSERT_TRUE(change.commit()) << change.why();
    }

    /// Something of everything.
    void live() {
        const auto hall = stage.create<room>({.id = "hall"}, {.lamps = 3}).reference();
        const auto bo = stage.create<keeper>({.id = "bo", .owner = {7}, .version = 20}).reference();
        const auto gone = stage.create<thief>({}, {.speed = 1}).reference();
        const auto thief_now = stage.create<thief>({.id = "jack"}, {.speed = 2}).reference();
        stage.context(thief_now)->things = {4, 5};
        keeper k;
        k.weight = -0.1;
        k.awake = true;
        k.now = mood::angry;
        ASSERT_TRUE(k.title.assign("κεφ"));
        k.boss = stage.link_to(bo);
        k.in = stage.link_to(hall);
        k.wage = 512;
        k.at = {1, -2, 3};
        ASSERT_TRUE(k.keys.push_back(9));
        k.seen = lido::ref<room>();
        const auto al = stage.create<keeper>({.id = "al"}, k).reference();
        stage.tick();
        for (int i = 1; i < 5; ++i) hurt(al, i);
        ASSERT_TRUE(stage.pool(gone));
        ASSERT_TRUE(stage.lock(bo, "an editor", ticks{40}));
        ASSERT_TRUE(stage.after(al, ticks{3}, lido::named{"rest"}));
        ASSERT_TRUE(world.spawn<stone>());
        stage.tick();
    }
    bytes image() {
        bytes to;
        const lido::save_result done = stage.save(to);
        EXPECT_TRUE(done) << done.what();
        return to;
    }
    void expect_sound() const {
        EXPECT_EQ(stage.validate().broken, nullptr);
        EXPECT_EQ(world.validate().broken, nullptr);
        EXPECT_EQ(stage.changes().validate().broken, nullptr);
    }
};

TEST(stage_image, restores_everything_where_classes_were_added_in_another_order) {
    place from;
    from.live();
    place to(true);
    const lido::restore_result done = to.stage.restore(from.image());
    ASSERT_TRUE(done) << done.what();
    to.expect_sound();
    EXPECT_EQ(to.stage.state_hash(), from.stage.state_hash());
    EXPECT_EQ(to.stage.size(), 4u);
    EXPECT_EQ(to.stage.now(), from.stage.now());
    const auto al = to.keeper_of("al");
    const keeper* const k = to.stage.get(al);
    ASSERT_NE(k, nullptr);
    EXPECT_EQ(k->hp, 0);
    EXPECT_EQ(k->weight, -0.1);
    EXPECT_TRUE(k->awake);
    EXPECT_EQ(k->now, mood::angry);
    EXPECT_EQ(k->title.view(), "κεφ");
    EXPECT_EQ(k->wage, 512);
    EXPECT_EQ(k->at, (std::array<std::int16_t, 3>{1, -2, 3}));
    ASSERT_EQ(k->keys.size(), 1u);
    EXPECT_EQ(k->keys.data()[0], 9u);
    const lido::entity_info bo = to.stage.info(to.keeper_of("bo"));
    EXPECT_EQ(bo.owner, lido::player{7});
    EXPECT_EQ(bo.version, 20u);
    EXPECT_EQ(bo.generation, from.stage.info(from.keeper_of("bo")).generation);
    EXPECT_EQ(bo.locked_by.view(), "an editor");
    EXPECT_EQ(to.stage.context(to.stage.find<thief>("jack"))->things, (std::vector<std::uint32_t>{4, 5}));
    EXPECT_EQ(to.image(), from.image());
}

TEST(stage_image, has_links_that_lead_to_the_same_entities) {
    place from;
    from.live();
    place to(true);
    ASSERT_TRUE(to.stage.restore(from.image()));
    const keeper& k = *to.stage.get(to.keeper_of("al"));
    EXPECT_EQ(to.stage.follow(k.boss), to.keeper_of("bo"));
    EXPECT_EQ(to.stage.follow(k.in), to.stage.find<room>("hall"));
}

TEST(stage_image, has_the_history_of_each_life) {
    place from;
    from.live();
    place to(true);
    ASSERT_TRUE(to.stage.restore(from.image()));
    const auto al = to.keeper_of("al");
    ASSERT_EQ(to.stage.history_size(al), 3u);
    EXPECT_EQ(to.stage.at_version(al, 1)->hp, 9);
    EXPECT_EQ(to.stage.at_version(al, 1)->title.view(), "κεφ");
    ASSERT_TRUE(to.stage.undo_to(al, 2));
    EXPECT_EQ(to.stage.get(al)->hp, 7);
}

TEST(stage_image, has_calls_that_wait_under_a_name) {
    place from;
    from.live();
    place to(true);
    ASSERT_TRUE(to.stage.restore(from.image()));
    for (int i = 0; i < 3; ++i) to.stage.tick();
    EXPECT_EQ(to.stage.get(to.keeper_of("al"))->hp, 99);
}

TEST(stage_image, goes_on_as_the_first_one_does) {
    place from;
    from.live();
    place to(true);
    ASSERT_TRUE(to.stage.restore(from.image()));
    const auto run = [](place& p) {
        lines ids;
        for (int i = 0; i < 20; ++i) {
            const auto made = p.stage.create<thief>({}, {.speed = i});
            ids.push_back(std::string(p.stage.info(made).id.view()));
            if (i % 3 == 0) EXPECT_TRUE(p.stage.destroy(made));
            if (i % 4 == 0) p.stage.lock(made, "me", ticks{2});
            p.stage.tick();
        }
        return ids;
    };
    EXPECT_EQ(run(from), run(to));
    EXPECT_EQ(to.stage.state_hash(), from.stage.state_hash());
    to.expect_sound();
}

TEST(stage_image, takes_the_place_of_what_was_there) {
    place from;
    from.live();
    place to(true);
    int released = 0;
    const auto old = to.stage.create<thief>({.id = "old"}, {.speed = 70});
    ASSERT_TRUE(to.stage.manage(old, [&released] { ++released; }));
    ASSERT_TRUE(to.stage.on_updated(old, [](const lido::entity_event&) { FAIL() << "of a life that never was"; }));
    to.stage.create<thief>({.id = "jack"}, {.speed = 71});
    to.stage.tick();
    heard.clear();
    ASSERT_TRUE(to.stage.restore(from.image()));
    EXPECT_EQ(heard, (lines{"end 70 undone by a restore", "end 71 undone by a restore"}));
    EXPECT_EQ(released, 1);
    EXPECT_EQ(to.stage.stats().listeners, 0u);
    EXPECT_FALSE(to.stage.find("old"));
    EXPECT_FALSE(to.stage.lives(old));
    EXPECT_EQ(to.stage.get(to.stage.find<thief>("jack"))->speed, 2);
    to.expect_sound();
}

TEST(stage_image, is_a_reset_of_which_each_reader_is_told) {
    place from;
    from.live();
    place to(true);
    auto all = to.stage.changes().open({.what = lido::reads::everything});
    auto sure = to.stage.changes().open({.what = lido::reads::confirmed});
    to.stage.create<room>({.id = "not read"});
    ASSERT_TRUE(to.stage.restore(from.image()));
    for (auto* const reader : {&all, &sure}) {
        lines kinds;
        const auto got =
            reader->read([&](const lido::journal_entry& e) { kinds.push_back(lido::to_string(e.kind())); });
        EXPECT_EQ(kinds, (lines{"reset"}));
        EXPECT_EQ(got.state, lido::reader_state::reset);
        lines ids;
        ASSERT_TRUE(to.stage.catch_up(*reader, [&](const lido::journal_entry& e) { ids.emplace_back(e.id); }));
        EXPECT_EQ(ids.size(), to.stage.size());
        to.stage.create<room>();
        to.stage.tick();
        std::size_t entries = 0;
        static_cast<void>(reader->read([&](const lido::journal_entry&) { ++entries; }));
        EXPECT_EQ(entries, 1u);
    }
}

TEST(stage_image, leaves_the_signals_of_classes_as_the_program_wired_them) {
    place from;
    from.live();
    place to(true);
    lines told;
    to.stage.signals<room>().created.connect([&](const lido::entity_event& e) { told.emplace_back(e.id()); });
    to.stage.create<room>({.id = "before"});
    ASSERT_TRUE(to.stage.restore(from.image()));
    to.stage.create<room>({.id = "after"});
    to.stage.deliver();
    EXPECT_EQ(told, (lines{"after"}));
    ASSERT_TRUE(to.stage.destroy(to.stage.find("after")));
    EXPECT_FALSE(to.stage.find("after"));
}

TEST(stage_image, ends_open_edits) {
    place from;
    from.live();
    auto change = from.stage.edit(from.keeper_of("al"));
    change->hp = 50;
    const bytes image = from.image();
    ASSERT_TRUE(from.stage.restore(image));
    EXPECT_FALSE(change.commit());
    EXPECT_EQ(change.reason(), lido::stage_refusal::rewound);
}

TEST(stage_image, is_behind_every_snapshot_that_was_saved_before) {
    place from(false, 4);
    from.live();
    lido::snapshot before;
    ASSERT_TRUE(from.stage.save(before));
    bytes image = from.image();
    ASSERT_TRUE(from.stage.restore(image));
    EXPECT_FALSE(from.stage.restore(before));
    lido::snapshot after;
    ASSERT_TRUE(from.stage.save(after));
    from.stage.create<room>();
    from.stage.tick();
    EXPECT_TRUE(from.stage.restore(after));
    from.expect_sound();
}

TEST(stage_image, of_a_world_that_has_not_started_is_restored_as_such) {
    place from;
    place to(true);
    to.live();
    const lido::restore_result done = to.stage.restore(from.image());
    ASSERT_TRUE(done) << done.what();
    EXPECT_FALSE(to.world.started());
    EXPECT_EQ(to.stage.size(), 0u);
    to.expect_sound();
    to.live();
    EXPECT_EQ(to.stage.size(), 4u);
}

TEST(stage_image, has_ends_that_wait_for_confirm) {
    place from(false, 8);
    from.live();
    ASSERT_TRUE(from.stage.destroy(from.stage.find("hall")));
    place to(true, 8);
    ASSERT_TRUE(to.stage.restore(from.image()));
    EXPECT_EQ(to.stage.state_hash(), from.stage.state_hash());
    for (place* const p : {&from, &to}) {
        for (int i = 0; i < 4; ++i) {
            p->stage.create<room>();
            p->stage.tick();
        }
        p->stage.confirm(ticks{5});
    }
    EXPECT_EQ(to.stage.state_hash(), from.stage.state_hash());
    to.expect_sound();
}

struct some_store final : lido::entity_store {
    std::uint64_t highest = 0;
    begins how = begins::new_one;
    load_answer load(const lido::load_request&) override { return {how, nullptr}; }
    bool settled(const lido::entity_id&, std::uint64_t, std::uint64_t) const noexcept override { return true; }
    std::uint64_t births() const noexcept override { return highest; }
};

TEST(stage_image, begins_a_later_generation_of_each_persistent_entity_so_that_its_saves_win) {
    some_store store;
    place from;
    from.stage.attach(&store);
    from.live();
    ASSERT_TRUE(from.stage.create<room>({.id = "vault", .persistent = true}));
    const std::uint64_t then = from.stage.info(from.stage.find("vault")).generation;
    const std::uint64_t hall = from.stage.info(from.stage.find("hall")).generation;
    const bytes image = from.image();
    // What this process saved since must not win.
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(from.stage.destroy(from.stage.create<room>()));
    ASSERT_TRUE(from.stage.restore(image));
    EXPECT_GT(from.stage.info(from.stage.find("vault")).generation, then + 30);
    EXPECT_EQ(from.stage.info(from.stage.find("hall")).generation, hall);
    // Nor what another process has saved.
    store.highest = 5000;
    place to(true);
    to.stage.attach(&store);
    ASSERT_TRUE(to.stage.restore(image));
    EXPECT_EQ(to.stage.info(to.stage.find("vault")).generation, 5001u);
    EXPECT_EQ(to.stage.info(to.stage.find("vault")).persistent, true);
    EXPECT_EQ(to.stage.stats().births, 5001u);
    to.expect_sound();
}

TEST(stage_image, calls_neither_on_begin_nor_on_end_for_who_is_in_it) {
    place from;
    from.live();
    place to(true);
    heard.clear();
    ASSERT_TRUE(to.stage.restore(from.image()));
    EXPECT_TRUE(heard.empty());
    ASSERT_TRUE(to.stage.destroy(to.stage.find("jack")));
    to.stage.tick();
    to.stage.tick();
    EXPECT_EQ(heard, (lines{"end 2 destroyed"}));
}

TEST(stage_image, allocates_ids_and_slots_so_that_look_ups_work_at_once) {
    place from;
    std::vector<std::string> ids;
    for (int i = 0; i < 500; ++i) ids.push_back("r" + std::to_string(i));
    for (const std::string& id : ids) ASSERT_TRUE(from.stage.create<room>({.id = id}));
    place to(true);
    ASSERT_TRUE(to.stage.restore(from.image()));
    for (const std::string& id : ids) EXPECT_TRUE(to.stage.lives(to.stage.find(id)));
    to.expect_sound();
}

}  // namespace stage_image
