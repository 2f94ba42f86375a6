// What options.hpp promises of on_evict, in every shape that replaces: the object is alive, its handle names it, it may be released, an
// acquire from inside is refused, and one that has made its own room has it: the outer acquire is refused instead.
#include <lido/core/capped_list.hpp>
#include <lido/core/column_pool.hpp>
#include <lido/core/dense_pool.hpp>
#include <lido/core/flag_pool.hpp>
#include <lido/core/recycle_pool.hpp>
#include <lido/core/ring_pool.hpp>
#include <lido/core/slot_pool.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lido::test::pool_on_evict {

struct spark {
    int id = 0;
};

template <class Object>
int id_of(Object&& object) {
    if constexpr (requires { object.id; }) {
        return object.id;
    } else {
        return object.template get<0>();
    }
}

/// The calls in the words that a list and a pool share.
template <class Pool>
struct words {
    static bool add(Pool& pool, int id) {
        if constexpr (requires { pool.push(id); }) {
            return pool.push(id) != nullptr;
        } else {
            return static_cast<bool>(pool.acquire(spark{id}));
        }
    }
    template <class Handle>
    static bool end(Pool& pool, Handle handle) {
        if constexpr (requires { pool.swap_remove(handle); }) {
            return pool.swap_remove(handle);
        } else {
            return pool.release(handle);
        }
    }
    template <class Handle>
    static int named(Pool& pool, Handle handle) {
        if constexpr (requires { pool.swap_remove(handle); }) {
            return id_of(pool[handle]);
        } else {
            return id_of(*pool.get(handle));
        }
    }
    static std::vector<int> all(Pool& pool) {
        std::vector<int> ids;
        pool.for_each([&](auto&& each) { ids.push_back(id_of(each)); });
        std::sort(ids.begin(), ids.end());
        return ids;
    }
};

enum class act { reads, releases_it, releases_another, acquires, makes_room_and_acquires };

template <class Pool>
struct stage {
    Pool* pool = nullptr;
    act what = act::reads;
    std::vector<int> told;
    bool inner = false;

    template <class Handle, class Ref>
    void operator()(Handle handle, Ref&& victim) {
        told.push_back(id_of(victim));
        EXPECT_EQ(words<Pool>::named(*pool, handle), id_of(victim));
        switch (what) {
            case act::reads: break;
            case act::releases_it: EXPECT_TRUE(words<Pool>::end(*pool, handle)); break;
            case act::releases_another:
                EXPECT_EQ(pool->release_if([&](auto&& each) { return id_of(each) == 2; }), 1u);
                break;
            case act::acquires: inner = words<Pool>::add(*pool, 100); break;
            case act::makes_room_and_acquires:
                EXPECT_EQ(pool->release_if([&](auto&& each) { return id_of(each) == 2; }), 1u);
                inner = words<Pool>::add(*pool, 100);
                break;
        }
    }
};

template <class Pool>
struct scene {
    stage<Pool> on;
    typename Pool::settings_type settings() {
        typename Pool::settings_type s;
        s.on_full = on_full::replace_oldest;
        s.leaks = leaks::allow;
        s.on_evict = [this](auto handle, auto&& victim) { on(handle, victim); };
        return s;
    }
};

template <class Pool>
class on_evict_of : public testing::Test {
protected:
    /// Three live, 0 is the oldest; then 3 comes.
    void run(act what) {
        scene_.on.what = what;
        if constexpr (requires { Pool(3, scene_.settings()); }) {
            play(Pool(3, scene_.settings()));
        } else {
            play(Pool(scene_.settings()));
        }
    }
    void play(Pool&& pool) {
        scene_.on.pool = &pool;
        for (int id = 0; id < 3; ++id) ASSERT_TRUE(words<Pool>::add(pool, id));
        outer = words<Pool>::add(pool, 3);
        why = pool.why_refused();
        live = words<Pool>::all(pool);
        EXPECT_TRUE(pool.validate());
        EXPECT_EQ(told(), std::vector<int>{0});
    }
    [[nodiscard]] const std::vector<int>& told() const { return scene_.on.told; }
    [[nodiscard]] bool inner() const { return scene_.on.inner; }
    static constexpr bool ring = std::string_view(Pool::shape) == "ring_pool";

    misuse_log log;
    bool outer = false;
    refusal why = refusal::none;
    std::vector<int> live;

private:
    scene<Pool> scene_;
};

constexpr options aged{.tracks = track::age};
using pools =
    testing::Types<slot_pool<spark, aged>, flag_pool<spark, 3, aged>, dense_pool<spark, aged>, column_pool<spark, aged>,
                   recycle_pool<spark, aged>, ring_pool<spark>, capped_list<spark, 3, aged>>;
TYPED_TEST_SUITE(on_evict_of, pools);

TYPED_TEST(on_evict_of, a_full_pool_is_told_of_the_oldest_while_it_lives) {
    this->run(act::reads);
    EXPECT_TRUE(this->outer);
    EXPECT_EQ(this->live, (std::vector<int>{1, 2, 3}));
}

TYPED_TEST(on_evict_of, a_full_pool_may_release_the_object_it_was_given) {
    this->run(act::releases_it);
    EXPECT_TRUE(this->outer);
    EXPECT_EQ(this->live, (std::vector<int>{1, 2, 3}));
}

TYPED_TEST(on_evict_of, a_full_pool_may_release_another_and_the_chosen_one_ends_too) {
    this->run(act::releases_another);
    EXPECT_TRUE(this->outer);
    EXPECT_EQ(this->live, (std::vector<int>{1, 3}));
}

TYPED_TEST(on_evict_of, a_full_pool_is_refused_an_acquire) {
    this->run(act::acquires);
    EXPECT_FALSE(this->inner());
    EXPECT_EQ(this->why, refusal::reentrant);
    EXPECT_EQ(this->log.count(misuse_kind::reentrant_call), 1u);
    EXPECT_TRUE(this->outer);
    EXPECT_EQ(this->live, (std::vector<int>{1, 2, 3}));
}

TYPED_TEST(on_evict_of, a_full_pool_keeps_what_it_acquires_in_room_that_it_has_made_and_the_outer_acquire_is_refused) {
    this->run(act::makes_room_and_acquires);
    if (this->ring) {  // the next slot of a ring is taken by the outer newcomer already
        EXPECT_FALSE(this->inner());
        EXPECT_TRUE(this->outer);
        EXPECT_EQ(this->live, (std::vector<int>{1, 3}));
        return;
    }
    EXPECT_TRUE(this->inner());
    EXPECT_FALSE(this->outer);
    EXPECT_EQ(this->why, refusal::full);
    EXPECT_EQ(this->live, (std::vector<int>{1, 100}));
}

}  // namespace lido::test::pool_on_evict
