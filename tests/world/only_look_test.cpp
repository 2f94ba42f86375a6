// X2: hooks that run while a world is confirmed, restored or saved may only look: its own calls and the clocks of classes stay as they are.
#include <lido/core/rewind/save.hpp>
#include <lido/world/world.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

namespace world_only_look_test {

using lido::snapshot;
using lido::ticks;
using lido::test::misuse_log;

struct gate {
    int open = 0;
};

/// Asks something of its world when it is let go, and when it is copied.
struct meddler {
    static constexpr auto release = lido::on_confirm;
    static inline std::function<void()> ask;
    static inline bool in_copies = false;

    meddler() = default;
    meddler(const meddler&) {
        if (in_copies && ask) ask();
    }
    meddler(meddler&&) noexcept {}
    meddler& operator=(const meddler&) noexcept { return *this; }
    void on_release() noexcept {
        if (ask) ask();
    }
    void hash(lido::hasher&) const noexcept {}
};

enum class at { confirm, late_release, undo, copy };

class what_runs_meanwhile : public testing::Test {
public:  // for what a test asks for from inside of a hook
    lido::world world{lido::role::client, {.rollback = 3}};
    lido::waiting_call far_off;

protected:
    void TearDown() override {
        meddler::ask = nullptr;
        meddler::in_copies = false;
    }
    int called = 0;

    /// The state after an end that `ask` was told of.
    std::uint64_t run(at when, void (*ask)(what_runs_meanwhile&)) {
        world.add<gate>("gate", {.leaks = lido::leaks::allow});
        world.add<meddler>("meddler", {.leaks = lido::leaks::allow});
        world.name_call<lido::world>("ring", [](lido::world&) {});
        static_cast<void>(world.spawn<gate>());
        far_off = world.after(ticks{50}, [this] { ++called; });
        world.tick();
        snapshot past;
        EXPECT_TRUE(world.save(past));
        const auto it = world.spawn<meddler>();
        world.tick();
        meddler::ask = [this, ask] {
            ++asked;
            ask(*this);
        };
        switch (when) {
            case at::confirm:
                world.return_to_pool(it.reference());
                world.confirm(world.now());
                break;
            case at::late_release:
                world.return_to_pool(it.reference());
                for (int i = 0; i < 4; ++i) world.tick();
                break;
            case at::undo: EXPECT_TRUE(world.restore(past)); break;
            case at::copy: {
                meddler::in_copies = true;
                snapshot now;
                EXPECT_TRUE(world.save(now));
                break;
            }
        }
        meddler::ask = nullptr;
        EXPECT_GT(asked, 0);
        EXPECT_TRUE(world.validate());
        return world.state_hash();
    }
    int asked = 0;
};

using asks = void (*)(what_runs_meanwhile&);

class only_looks : public what_runs_meanwhile {
protected:
    void expect_refused(at when, asks what, const std::string& name) {
        struct other : what_runs_meanwhile {
            void TestBody() override {}
            std::uint64_t go(at w) {
                return run(w, [](what_runs_meanwhile&) {});
            }
        };
        const std::uint64_t untouched = other().go(when);
        misuse_log log;
        EXPECT_EQ(run(when, what), untouched);
        EXPECT_GT(log.count(lido::misuse_kind::reentrant_call), 0u);
        EXPECT_NE(world.last_error().find(name), std::string::npos) << world.last_error();
    }
    static void pauses(what_runs_meanwhile& t);
    static void slows(what_runs_meanwhile& t);
    static void starts(what_runs_meanwhile& t);
    static void starts_named(what_runs_meanwhile& t);
    static void cancels(what_runs_meanwhile& t);
};

void only_looks::pauses(what_runs_meanwhile& t) {
    t.world.pause<gate>();
    t.world.pause("gate");
}
void only_looks::slows(what_runs_meanwhile& t) {
    t.world.set_time_scale<gate>({1, 2});
    t.world.set_time_scale("gate", {1, 2});
}
void only_looks::starts(what_runs_meanwhile& t) {
    EXPECT_FALSE(static_cast<bool>(t.world.after(ticks{40}, [] {})));
}
void only_looks::starts_named(what_runs_meanwhile& t) {
    EXPECT_FALSE(static_cast<bool>(t.world.after(ticks{40}, lido::named{"ring"})));
}
void only_looks::cancels(what_runs_meanwhile& t) { EXPECT_FALSE(t.world.cancel(t.far_off)); }

TEST_F(only_looks, X2_a_confirmed_end_pauses_no_class) { expect_refused(at::confirm, &pauses, "pause()"); }
TEST_F(only_looks, X2_a_confirmed_end_scales_no_time) { expect_refused(at::confirm, &slows, "set_time_scale()"); }
TEST_F(only_looks, X2_a_confirmed_end_starts_no_call_of_the_world) { expect_refused(at::confirm, &starts, "after()"); }
TEST_F(only_looks, X2_a_confirmed_end_starts_no_call_by_name) { expect_refused(at::confirm, &starts_named, "after()"); }
TEST_F(only_looks, X2_a_confirmed_end_cancels_no_call_of_the_world) {
    expect_refused(at::confirm, &cancels, "cancel()");
}
TEST_F(only_looks, X2_an_end_that_the_window_has_passed_pauses_no_class) {
    expect_refused(at::late_release, &pauses, "pause()");
}
TEST_F(only_looks, X2_an_end_that_the_window_has_passed_starts_no_call) {
    expect_refused(at::late_release, &starts, "after()");
}
TEST_F(only_looks, X2_a_life_that_a_restore_undoes_pauses_no_class) { expect_refused(at::undo, &pauses, "pause()"); }
TEST_F(only_looks, X2_a_copy_for_a_snapshot_starts_no_call) { expect_refused(at::copy, &starts, "after()"); }
TEST_F(only_looks, X2_a_copy_for_a_snapshot_pauses_no_class) { expect_refused(at::copy, &pauses, "pause()"); }

/// Starts a call of its world as it begins.
struct herald {
    static inline lido::world* world = nullptr;
    static inline int told = 0;
    int value = 0;
    void on_acquire() {
        value = 1;
        world->after(ticks{1}, [] { ++told; });
    }
};

TEST(a_hook_that_starts_a_call_of_its_world, X2_starts_one_where_the_reset_check_runs_it_once_more) {
    lido::world w;
    herald::world = &w;
    herald::told = 0;
    w.add<herald>();
    for (int i = 0; i < 3; ++i) w.return_to_pool(w.spawn<herald>().reference());
    w.tick();
    EXPECT_EQ(herald::told, 3);
}

TEST(a_restore_to_before_what_is_certain, X2_names_the_call_of_a_world_that_gives_the_past_up) {
    lido::world w{lido::role::client, {.rollback = 3}};
    w.add<meddler>("meddler", {.leaks = lido::leaks::allow});
    const auto it = w.spawn<meddler>();
    snapshot past;
    ASSERT_TRUE(w.save(past));
    w.return_to_pool(it.reference());
    w.confirm(w.now());
    const lido::restore_result refused = w.restore(past);
    ASSERT_FALSE(refused);
    EXPECT_NE(std::string(refused.what()).find("confirm_all() of a world"), std::string::npos) << refused.what();
    w.confirm_all();
    EXPECT_TRUE(w.restore(past));
}

}  // namespace world_only_look_test
