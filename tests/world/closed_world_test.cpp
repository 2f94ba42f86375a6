// X1, X2: a world is closed while code of the program runs in its save, restore, hash or end, and is open again afterwards, as it was.
#include <lido/core/rewind/save.hpp>
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace world_closed_world_test {

using lido::misuse_kind;
using lido::snapshot;
using lido::spawn_refusal;
using lido::ticks;
using lido::test::misuse_log;

struct bystander {
    int n = 0;
};

/// Asks something of a world where code of a class runs.
struct asking {
    static inline std::function<void()> in_hash, in_copy, in_set_life, in_release;
    static void reset() { in_hash = in_copy = in_set_life = in_release = nullptr; }
    static void ask(const std::function<void()>& f) {
        if (f) f();
    }

    asking() = default;
    asking(const asking&) { ask(in_copy); }
    asking(asking&&) noexcept {}
    asking& operator=(const asking&) noexcept { return *this; }
    void set_life(lido::life) { ask(in_set_life); }
    void on_release() noexcept { ask(in_release); }
    void hash(lido::hasher& h) const {
        h.add(std::uint64_t{1});
        ask(in_hash);
    }
};

struct waiting : asking {
    static constexpr auto release = lido::on_confirm;
    void hash(lido::hasher&) const {}
};

/// Is compared with a fresh object where forensics are on, and hashes its world meanwhile.
struct compared {
    static inline const lido::world* in = nullptr;
    int n = 0;
    void on_acquire() {
        n = 1;
        if (in != nullptr) static_cast<void>(in->state_hash());
    }
};

class a_closed_world : public testing::Test {
protected:
    a_closed_world() {
        asking::reset();
        add_to(world);
    }
    ~a_closed_world() override {
        asking::reset();
        compared::in = nullptr;
    }
    static void add_to(lido::world& w) {
        w.add<asking>("asking", {.leaks = lido::leaks::allow});
        w.add<bystander>("bystander", {.leaks = lido::leaks::allow});
        w.add<waiting>("waiting", {.leaks = lido::leaks::allow});
        w.add<compared>("compared", {.leaks = lido::leaks::allow});
    }
    void expect_open(lido::world& w) {
        const lido::verdict v = w.validate();
        EXPECT_TRUE(v) << v.broken;
        const auto one = w.spawn<asking>();
        const auto other = w.spawn("bystander");
        EXPECT_TRUE(one) << to_string(one.why());
        EXPECT_TRUE(other) << to_string(other.why);
        EXPECT_TRUE(w.return_to_pool(one.reference()));
        EXPECT_TRUE(w.return_to_pool(other.which));
    }
    lido::world world{lido::role::standalone, {.rollback = 2}};
};

TEST_F(a_closed_world, X1_may_be_hashed_from_inside_its_own_hash_and_is_open_again) {
    const auto kept = world.spawn<asking>();
    const std::uint64_t quiet = world.state_hash();
    std::uint64_t inner = 0;
    asking::in_hash = [&] {
        asking::in_hash = nullptr;
        inner = world.state_hash();
    };
    EXPECT_EQ(world.state_hash(), quiet);
    EXPECT_EQ(inner, quiet);
    EXPECT_TRUE(world.return_to_pool(kept.reference()));
    expect_open(world);
}

TEST_F(a_closed_world, X1_may_be_hashed_by_copies_of_its_objects_and_is_open_again) {
    static_cast<void>(world.spawn<asking>());
    const std::uint64_t quiet = world.state_hash();
    std::uint64_t inner = 0;
    asking::in_copy = [&] { inner = world.state_hash(); };
    snapshot then;
    ASSERT_TRUE(world.save(then));
    EXPECT_EQ(inner, quiet);
    expect_open(world);
    inner = 0;
    ASSERT_TRUE(world.restore(then));
    EXPECT_NE(inner, 0u);
    asking::in_copy = nullptr;
    EXPECT_EQ(world.state_hash(), quiet);
    expect_open(world);
}

TEST_F(a_closed_world, X2_may_be_hashed_by_what_is_let_go_and_is_open_again) {
    world.return_to_pool(world.spawn<waiting>().reference());
    std::uint64_t inner = 0;
    asking::in_release = [&] { inner = world.state_hash(); };
    world.confirm_all();
    EXPECT_NE(inner, 0u);
    asking::in_release = nullptr;
    expect_open(world);
}

TEST_F(a_closed_world, X8_may_be_hashed_in_a_reset_check_and_is_open_again) {
    world.return_to_pool(world.spawn<compared>().reference());
    compared::in = &world;
    EXPECT_TRUE(world.spawn<compared>());
    compared::in = nullptr;
    expect_open(world);
}

TEST_F(a_closed_world, X1_has_no_hash_while_it_is_half_restored_and_says_so) {
    snapshot then;
    ASSERT_TRUE(world.save(then));
    static_cast<void>(world.spawn<asking>());
    misuse_log log;
    std::uint64_t inner = 0;
    asking::in_release = [&] { inner = world.state_hash(); };
    ASSERT_TRUE(world.restore(then));
    EXPECT_EQ(inner, lido::hasher().digest());
    EXPECT_EQ(log.only().what,
              "a world was hashed from inside a hook that its own restore has called; nothing of it is in the hash");
    asking::in_release = nullptr;
    expect_open(world);
}

TEST_F(a_closed_world, X1_that_has_not_started_is_not_started_by_what_a_restore_copies) {
    for (int i = 0; i < 3; ++i) static_cast<void>(world.spawn<asking>());
    snapshot then;
    ASSERT_TRUE(world.save(then));
    lido::world late{lido::role::standalone, {.rollback = 2}};
    add_to(late);
    misuse_log log;
    int asked = 0;
    asking::in_copy = asking::in_set_life = [&] {
        ++asked;
        EXPECT_EQ(late.spawn<bystander>().why(), spawn_refusal::world_closed);
        EXPECT_EQ(late.spawn("asking").why, spawn_refusal::world_closed);
        EXPECT_TRUE(late.start().built.empty());
    };
    ASSERT_TRUE(late.restore(then));
    asking::reset();
    EXPECT_EQ(asked, 6) << "three copies, and three lives of another world";
    EXPECT_EQ(log.count(misuse_kind::reentrant_call), 6u) << "each start()";
    EXPECT_EQ(late.active<asking>(), 3u);
    EXPECT_EQ(late.active<bystander>(), 0u);
    EXPECT_EQ(late.state_hash(), world.state_hash());
    expect_open(late);
}

TEST_F(a_closed_world, X1_stays_as_it_is_while_parts_after_it_are_copied) {
    lido::world after{lido::role::standalone, {.rollback = 2}};
    add_to(after);
    static_cast<void>(after.spawn<asking>());
    const auto kept = world.spawn<bystander>();
    snapshot then, alone;
    ASSERT_TRUE(lido::save(then, world, after));
    ASSERT_TRUE(world.save(alone));
    const std::uint64_t saved = world.state_hash();
    misuse_log log;
    int asked = 0;
    asking::in_copy = [&] {
        ++asked;
        EXPECT_FALSE(world.add<bystander>("late"));
        EXPECT_TRUE(world.remove<bystander>().refused);
        EXPECT_EQ(world.spawn<bystander>().why(), spawn_refusal::world_closed);
        EXPECT_FALSE(world.return_to_pool(kept.reference()));
        EXPECT_FALSE(world.restore(alone));
        world.tick();
    };
    ASSERT_TRUE(lido::restore(then, world, after));
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(world.state_hash(), saved);
    asking::reset();
    EXPECT_TRUE(world.lives(kept));
    expect_open(world);
    expect_open(after);
}

TEST_F(a_closed_world, X1_stays_as_it_was_restored_while_lives_of_parts_after_it_are_undone) {
    lido::world after{lido::role::standalone, {.rollback = 2}};
    add_to(after);
    snapshot then;
    ASSERT_TRUE(lido::save(then, world, after));
    const std::uint64_t saved = world.state_hash();
    static_cast<void>(after.spawn<asking>());
    int asked = 0;
    asking::in_release = [&] {
        ++asked;
        EXPECT_EQ(world.spawn<bystander>().why(), spawn_refusal::world_closed);
    };
    ASSERT_TRUE(lido::restore(then, world, after));
    asking::reset();
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(world.state_hash(), saved);
    expect_open(world);
    expect_open(after);
}

TEST_F(a_closed_world, X1_is_open_again_when_a_part_after_it_is_refused) {
    lido::world after;
    snapshot then;
    ASSERT_TRUE(lido::save(then, world, after));
    after.add<bystander>("late");
    EXPECT_FALSE(lido::restore(then, world, after));
    expect_open(world);
}

/// Asks for what is refused when it is destroyed.
struct late_asker {
    static inline std::function<void()> in_destructor;
    late_asker() = default;
    late_asker(const late_asker&) = default;
    late_asker(late_asker&&) noexcept = default;
    late_asker& operator=(const late_asker&) = default;
    late_asker& operator=(late_asker&&) noexcept = default;
    ~late_asker() {
        if (in_destructor) in_destructor();
    }
    void save(lido::image_writer& w) const { w.put(std::uint32_t{7}); }
    [[nodiscard]] bool load(lido::image_reader& r) { return r.take<std::uint32_t>() == 7; }
};

TEST(a_refused_image, X1_says_why_whatever_the_destructors_of_what_was_read_ask_for) {
    lido::world writer;
    writer.add<late_asker>("asker", {.leaks = lido::leaks::allow});
    writer.add<bystander>("a class of another game", {.leaks = lido::leaks::allow});
    static_cast<void>(writer.spawn<late_asker>());
    std::vector<std::byte> bytes;
    ASSERT_TRUE(writer.save(bytes));
    lido::world reader;
    reader.add<late_asker>("asker");
    misuse_log log;
    int asked = 0;
    late_asker::in_destructor = [&] {
        ++asked;
        reader.pause<late_asker>();
    };
    const lido::restore_result read = reader.restore(bytes);
    late_asker::in_destructor = nullptr;
    EXPECT_GE(asked, 1);
    EXPECT_EQ(std::string(read.what()),
              "the image has the class a class of another game, which this world does not have; add it before the "
              "restore. There are: asker");
}

TEST_F(a_closed_world, S4_7_says_how_long_a_life_has_left) {
    const auto one = world.spawn<asking>();
    world.set_lifetime(one, ticks{9});
    std::uint64_t left = 0;
    asking::in_hash = [&] { left = world.lifetime_left(one).count; };
    static_cast<void>(world.state_hash());
    EXPECT_EQ(left, 9u);
}

TEST_F(a_closed_world, S4_12_that_is_ending_takes_no_class_whose_lives_would_go_unheard) {
    static_cast<void>(world.spawn<asking>());
    bool asked = false;
    asking::in_release = [&] {
        asked = true;
        const auto late = world.add<bystander>("late");
        EXPECT_FALSE(late);
        EXPECT_EQ(late.why, "the world is being saved, restored, hashed or ended; add classes before or after that");
    };
    static_cast<void>(world.end());
    EXPECT_TRUE(asked);
    asking::reset();
    EXPECT_TRUE(world.add<bystander>("late"));
}

}  // namespace world_closed_world_test
