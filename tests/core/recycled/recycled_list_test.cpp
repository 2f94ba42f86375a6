// Promise (S3.2, S3.4): a recycled_list keeps active objects packed and released ones on a stack; both caps are reached at one time, a walk backward
// visits each object once, and an object keeps its address and what it owns.
#include "core/misuse/misuse_log.hpp"
#include "core/rewind/image_map.hpp"
#include "support/elements.hpp"
#include "support/lifetime.hpp"

#include <lido/core/pool.hpp>
#include <lido/core/recycled_list.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace recycled_recycled_list_test {

using namespace lido;
using namespace lido::test;

struct particle {
    int id = 0;
    int ttl = 0;
    std::vector<int> trail;

    void on_acquire(int number, int ticks) noexcept {
        id = number;
        ttl = ticks;
        trail.clear();
    }
};
using particles = recycled_list<particle, options{.headroom = true}>;
static_assert(holder<particles>);

[[nodiscard]] std::vector<int> ids(const particles& list) {
    std::vector<int> all;
    for (const particle& p : list) all.push_back(p.id);
    return all;
}

TEST(recycled_list, S3_2_400_fly_while_600_wait) {
    particles list(400, {.leaks = leaks::allow, .idle_cap = 600});
    EXPECT_EQ(list.prewarm(1000), 600u);
    for (int i = 0; i < 400; ++i) ASSERT_NE(list.acquire(i, 9), nullptr);
    EXPECT_EQ(list.prewarm(600), 400u);
    EXPECT_EQ(list.size(), 400u);
    EXPECT_EQ(list.idle(), 600u);
    EXPECT_TRUE(list.full());
    EXPECT_EQ(list.acquire(400, 9), nullptr);
    EXPECT_EQ(list.why_refused(), refusal::full);
    EXPECT_TRUE(list.validate());
    // All of them end: 600 wait, and those that were one too many are destroyed.
    list.clear();
    EXPECT_EQ(list.idle(), 600u);
    EXPECT_EQ(list.stats().idle_overflow, 400u);
    EXPECT_EQ(list.stats().created, 1000u);
    EXPECT_EQ(list.stats().destroyed, 400u);
    EXPECT_TRUE(list.validate());
}

TEST(recycled_list, the_last_active_one_takes_the_place_of_the_one_that_ends_and_nobody_moves) {
    particles list(8, {.leaks = leaks::allow});
    std::vector<particle*> at;
    for (int i = 0; i < 5; ++i) at.push_back(list.acquire(i, 1));
    EXPECT_EQ(ids(list), (std::vector{0, 1, 2, 3, 4}));
    EXPECT_TRUE(list.release(*at[1]));
    EXPECT_EQ(ids(list), (std::vector{0, 4, 2, 3}));
    EXPECT_EQ(&list[1], at[4]);
    EXPECT_EQ(list.row_of(*at[4]), 1u);
    EXPECT_EQ(list.row_of(*at[1]), bits::no_slot);
    EXPECT_TRUE(list.swap_remove(0));
    EXPECT_EQ(ids(list), (std::vector{3, 4, 2}));
    EXPECT_TRUE(list.validate());
}

TEST(recycled_list, the_object_released_last_begins_the_next_life_with_the_memory_it_owned) {
    particles list(8, {.leaks = leaks::allow});
    std::vector<particle*> at;
    for (int i = 0; i < 4; ++i) at.push_back(list.acquire(i, 1));
    at[2]->trail.assign(100, 7);
    const int* const memory = at[2]->trail.data();
    list.release(*at[0]);
    list.release(*at[2]);
    particle* const again = list.acquire(9, 1);
    EXPECT_EQ(again, at[2]);
    EXPECT_TRUE(again->trail.empty());
    EXPECT_EQ((again->trail.push_back(1), again->trail.data()), memory);
    EXPECT_EQ(list.acquire(10, 1), at[0]);
    EXPECT_EQ(list.stats().created, 4u);
    EXPECT_EQ(list.stats().reused, 2u);
}

TEST(recycled_list, S3_4_a_backward_walk_that_releases_visits_each_once) {
    particles list(400, {.leaks = leaks::allow, .idle_cap = 600});
    for (int i = 0; i < 400; ++i) list.acquire(i, i % 3);
    std::vector<int> seen;
    for (particle& p : list.backward()) {
        seen.push_back(p.id);
        if (p.ttl == 0) list.release(p);
        if (p.id == 200) list.acquire(1000, 1);
    }
    ASSERT_EQ(seen.size(), 400u) << "the newcomer is not visited";
    for (int i = 0; i < 400; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], 399 - i);
    EXPECT_EQ(list.size(), 400u - 134 + 1);
    for (const particle& p : list) EXPECT_NE(p.ttl, 0);
    EXPECT_EQ(list.release_if([](const particle& p) { return p.ttl == 1; }), 134u);
    EXPECT_TRUE(list.validate());
}

TEST(recycled_list, S3_5_sparks_and_smoke_are_gated_at_four_fifths_of_what_may_fly_not_of_all_slots) {
    particles list(400, {.headroom = {.above_percent = 80, .priority = 1}, .leaks = leaks::allow, .idle_cap = 600});
    while (list.acquire(1, 1) != nullptr) {
    }
    EXPECT_EQ(list.size(), 320u);
    EXPECT_EQ(list.why_refused(), refusal::headroom);
    while (list.acquire_as({.priority = 1}, 2, 1) != nullptr) {
    }
    EXPECT_EQ(list.size(), 400u);
    EXPECT_EQ(list.stats().refused, 2u);
}

TEST(recycled_list, S3_5_bullets_have_a_hard_cap_of_80_and_sub_bullets_one_of_100) {
    recycled_list<particle, options{.kinds = 2}> bullets(100, {.leaks = leaks::allow, .kind_caps = {80, 100}});
    while (bullets.acquire(1, 1) != nullptr) {
    }
    EXPECT_EQ(bullets.size(), 80u);
    EXPECT_EQ(bullets.why_refused(), refusal::kind_cap);
    while (bullets.acquire_as({.kind = 1}, 1, 1) != nullptr) {
    }
    EXPECT_EQ(bullets.size(), 100u);
}

TEST(recycled_list, with_idle_cap_0_every_end_destroys_and_without_a_say_every_object_waits) {
    const lifetime_scope lives;
    {
        recycled_list<counting> none(3, {.leaks = leaks::allow, .idle_cap = 0, .create = [] { return counting(1); }});
        counting* const one = none.acquire();
        none.acquire();
        EXPECT_EQ(none.prewarm(3), 0u);
        none.release(*one);
        EXPECT_EQ(none.idle(), 0u);
        EXPECT_EQ(lives.live(), 1);
        recycled_list<counting> every(3, {.leaks = leaks::allow, .create = [] { return counting(1); }});
        for (int i = 0; i < 3; ++i) every.acquire();
        every.clear();
        EXPECT_EQ(every.idle(), 3u);
        EXPECT_EQ(every.drop_idle(), 3u);
        EXPECT_TRUE(none.validate() && every.validate());
    }
    EXPECT_EQ(lives.live(), 0);
}

TEST(recycled_list, a_release_of_what_is_not_active_is_refused_and_told) {
    misuse_log log;
    particles list(4, {.leaks = leaks::allow});
    particle* const one = list.acquire(1, 1);
    const particle stranger;
    EXPECT_TRUE(list.release(*one));
    EXPECT_FALSE(list.release(*one));
    EXPECT_FALSE(list.release(stranger));
    EXPECT_FALSE(list.swap_remove(0));
    EXPECT_EQ(list.stats().bad_releases, 3u);
    EXPECT_GE(log.count(), 1u);
    EXPECT_TRUE(list.validate());
}

TEST(recycled_list, settings_that_it_cannot_honour_are_told) {
    misuse_log log;
    const particles list(4, {.on_full = on_full::replace_oldest});
    EXPECT_EQ(log.only().kind, misuse_kind::bad_setting);
}

TEST(recycled_list, keeps_its_settings_when_those_that_it_was_made_from_are_gone) {
    using settings_type = particles::settings_type;
    auto given = std::make_unique<settings_type>();
    int begun = 0;
    given->leaks = leaks::allow;
    given->get = [&begun](particle&) { ++begun; };
    auto list = std::make_unique<particles>(4, *given);
    given.reset();
    EXPECT_TRUE(list->settings().get);
    EXPECT_FALSE(list->settings().create);
    EXPECT_NE(list->acquire(1, 1), nullptr);
    EXPECT_EQ(begun, 1);
}

/// Writes over what earlier calls have left on the stack.
LIDO_NOINLINE int clobber_the_stack() {
    volatile unsigned char bytes[16384];
    for (volatile unsigned char& b : bytes) b = 0x5a;
    return bytes[77];
}

TEST(recycled_list, keeps_the_settings_that_it_was_made_with) {
    const auto made = [] {
        particles::settings_type settings{.name = "glitter", .leaks = leaks::allow, .idle_cap = 3};
        settings.get = [](particle& p) { p.ttl += 100; };
        return std::make_unique<particles>(4, settings);
    };
    const auto list = made();
    ASSERT_EQ(clobber_the_stack(), 0x5a);
    ASSERT_EQ(list->settings().idle_cap, 3u);
    EXPECT_STREQ(list->settings().name, "glitter");
    for (int i = 0; i < 4; ++i) {
        const particle* const p = list->acquire(i, 5);
        ASSERT_NE(p, nullptr);
        EXPECT_EQ(p->ttl, 105);
    }
}

/// Throws when it is told to, or calls.
struct moody {
    static inline std::function<void()> on_next;
    int value = 0;
    std::shared_ptr<int> owns;
    void on_acquire(int v) {
        if (const auto now = std::exchange(on_next, {})) now();
        value = v;
    }
};

TEST(recycled_list, a_hook_that_throws_leaves_the_list_as_it_was) {
    recycled_list<moody> list(4, {.leaks = leaks::allow});
    for (const int waiting : {0, 1}) {
        moody::on_next = [] { throw std::runtime_error("no"); };
        EXPECT_THROW(list.acquire(1), std::runtime_error);
        EXPECT_EQ(list.size(), 0u);
        EXPECT_EQ(list.idle(), static_cast<std::uint32_t>(waiting));
        EXPECT_TRUE(list.validate());
        if (waiting == 0) list.release(*list.acquire(5));
    }
}

TEST(recycled_list, an_acquire_from_a_hook_is_refused_and_told) {
    misuse_log log;
    recycled_list<moody> list(4, {.leaks = leaks::allow});
    moody::on_next = [&list] { EXPECT_EQ(list.acquire(2), nullptr); };
    EXPECT_NE(list.acquire(1), nullptr);
    EXPECT_EQ(log.only().kind, misuse_kind::reentrant_call);
    EXPECT_EQ(list.size(), 1u);
    EXPECT_TRUE(list.validate());
}

TEST(recycled_list, any_other_change_from_a_hook_stops) {
    recycled_list<moody> list(4, {.leaks = leaks::allow});
    list.acquire(1);
    moody::on_next = [&list] { list.clear(); };
    EXPECT_DEATH(list.acquire(2), "changed the list that its object is of");
    moody::on_next = nullptr;
}

TEST(recycled_list, X1_a_restore_brings_back_the_active_objects_in_their_order_and_undone_lives_wait) {
    particles list(10, {.leaks = leaks::allow, .idle_cap = 5});
    for (int i = 0; i < 6; ++i) list.acquire(i, i)->trail.assign(3, i);
    list.swap_remove(2);
    const auto then = ids(list);
    const auto hash_of = [&list] {
        hasher h;
        for (const particle& p : list) h.add(static_cast<std::uint64_t>(p.id));
        return h.digest();
    };
    const std::uint64_t hash = hash_of();
    snapshot saved;
    ASSERT_TRUE(list.save(saved));
    list.clear();
    for (int i = 0; i < 10; ++i) list.acquire(100 + i, 1);
    ASSERT_TRUE(list.restore(saved));
    EXPECT_EQ(ids(list), then);
    EXPECT_EQ(hash_of(), hash);
    EXPECT_EQ(list[0].trail, (std::vector{0, 0, 0}));
    EXPECT_LE(list.idle(), 5u);
    EXPECT_TRUE(list.validate());
    particles smaller(3, {.leaks = leaks::allow});
    EXPECT_FALSE(smaller.restore(saved));
}

/// Plain bytes with something that not every byte may be.
struct sighted {
    std::int32_t number;
    bool seen;
};

/// Every byte of an image made another, and sealed again: refused with nothing changed, or a list that works.
TEST(recycled_list, X1_hostile_images_are_refused_whole_or_restored_sound) {
    recycled_list<sighted> one(12, {.leaks = leaks::allow, .idle_cap = 4});
    for (int i = 0; i < 9; ++i) one.acquire(i, true);
    one.swap_remove(3);
    std::vector<std::byte> sound;
    one.save(sound);
    std::vector<std::byte> now;
    int refused = 0;
    for (std::size_t at = 0; at < sound.size(); ++at) {
        for (const unsigned change : {0x01u, 0x80u, 0xffu}) {
            auto hostile = sound;
            hostile[at] ^= static_cast<std::byte>(change);
            if (at >= 24) seal(hostile);
            ASSERT_TRUE(one.restore(sound));
            if (one.restore(hostile)) {
                ASSERT_TRUE(one.validate()) << one.validate().broken << " after byte " << at;
                one.clear();
                ASSERT_TRUE(one.validate());
            } else {
                ++refused;
                one.save(now);
                ASSERT_EQ(now, sound) << "refused, and yet changed: byte " << at;
            }
        }
    }
    EXPECT_GT(refused, 100);
}

// --- against a plain model ---------------------------------------------------------------------------------------------------

/// The engine's own way, by hand: an array of the active, and a stack of at most POOL_MAX that wait.
struct by_hand {
    std::size_t most, pool_max;
    std::vector<int> active;
    std::size_t waiting = 0;

    bool spawn(int id) {
        if (active.size() >= most) return false;
        if (waiting != 0) --waiting;
        active.push_back(id);
        return true;
    }
    void swap_remove(std::size_t i) {
        active[i] = active.back();
        active.pop_back();
        if (waiting < pool_max) ++waiting;
    }
};

TEST(recycled_list, is_the_arrays_by_hand_over_10_000_operations) {
    particles list(40, {.leaks = leaks::allow, .idle_cap = 13});
    by_hand model{40, 13, {}};
    std::uint64_t state = 5;
    const auto next = [&state](std::uint32_t n) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>((state >> 33) % n);
    };
    snapshot saved;
    by_hand then = model;
    for (int i = 0; i < 10'000; ++i) {
        const std::uint32_t what = next(100);
        if (what < 52) {
            const particle* const made = list.acquire(i, 1);
            ASSERT_EQ(made != nullptr, model.spawn(i));
        } else if (what < 96) {
            if (model.active.empty()) continue;
            const std::uint32_t row = next(list.size());
            model.swap_remove(row);
            ASSERT_TRUE(what % 2 == 0 ? list.swap_remove(row) : list.release(list[row]));
        } else if (what < 98) {
            const auto gone = [part = 2 + next(5)](int id) { return static_cast<std::uint32_t>(id) % part == 0; };
            for (std::size_t row = model.active.size(); row-- != 0;) {
                if (gone(model.active[row])) model.swap_remove(row);
            }
            list.release_if([&](const particle& p) { return gone(p.id); });
        } else if (what == 98) {
            ASSERT_TRUE(list.save(saved));
            then = model;
        } else if (saved) {
            ASSERT_TRUE(list.restore(saved));
            model = then;
            model.waiting = list.idle();  // a cache, no state
        }
        ASSERT_EQ(ids(list), model.active);
        ASSERT_EQ(list.idle(), model.waiting);
        if (i % 64 == 0) {
            ASSERT_TRUE(list.validate());
        }
    }
    EXPECT_TRUE(list.validate());
}

}  // namespace recycled_recycled_list_test
