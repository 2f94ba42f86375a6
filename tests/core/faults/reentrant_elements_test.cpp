// Elements that acquire and release in the pool they live in: from the constructor while replacing, and from the destructor.
#include <lido/core.hpp>

#include "core/faults/fragile.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace faults_reentrant_elements_test {

using lido::on_full;
using lido::options;

constexpr options by_age{.tracks = lido::track::age};

// A constructor may acquire from and release to the pool it lives in, also while it is to replace another: what was to be ended
// before it ran may be gone, or be its own child, after it.
struct releases_another;
using selfish_pool =
    lido::basic_slot_pool<releases_another, by_age, lido::inline_storage<3>, void, lido::detail::recent_first>;
struct releases_another {
    releases_another(selfish_pool* p, lido::handle<releases_another> gone, bool acquires = false);
    releases_another(releases_another&&) noexcept = default;
    lido::test::tracked_copyable body{1};
    lido::handle<releases_another> child;
};
releases_another::releases_another(selfish_pool* p, lido::handle<releases_another> gone, bool acquires) {
    if (p != nullptr && gone) {
        p->release(gone);
    }
    if (p != nullptr && acquires) {
        child = p->acquire(nullptr, lido::handle<releases_another>{});
    }
}

TEST(a_constructor_that_changes_the_pool_it_replaces_in,
     does_not_announce_an_object_that_the_constructor_has_released) {
    int dead = 0;
    selfish_pool pool({.on_full = on_full::replace_oldest,
                       .on_evict = [&dead](auto, releases_another& each) { dead += each.body.intact() ? 0 : 1; }});
    const auto oldest = pool.acquire(nullptr, lido::handle<releases_another>{}).handle();
    while (!pool.full()) {
        static_cast<void>(pool.acquire(nullptr, lido::handle<releases_another>{}));
    }
    EXPECT_TRUE(pool.acquire(&pool, oldest));
    EXPECT_EQ(dead, 0) << "on_evict was called with a destroyed object";
    EXPECT_EQ(pool.stats().replaced, 0u) << "there was a free slot: nothing had to go";
}

TEST(a_constructor_that_changes_the_pool_it_replaces_in,
     does_not_end_the_object_that_the_constructor_has_just_acquired) {
    selfish_pool pool({.on_full = on_full::replace_oldest});
    while (!pool.full()) {
        static_cast<void>(pool.acquire(nullptr, lido::handle<releases_another>{}));
    }
    const auto made = pool.acquire(&pool, lido::handle<releases_another>{}, true);
    ASSERT_TRUE(made);
    EXPECT_TRUE(pool.contains(made->child)) << "the newest object was ended by replace_oldest";
}

// A destructor may release others: a whole chain ends with its first.
struct owner;
using family = lido::basic_slot_pool<owner, options{}, lido::inline_storage<10>, void, lido::detail::recent_first>;
struct owner {
    owner(family* p, lido::handle<owner> c) : pool(p), child(c) {}
    owner(const owner&) = default;
    owner(owner&& other) noexcept
        : pool(other.pool), child(std::exchange(other.child, {})), body(std::move(other.body)) {}
    ~owner();
    family* pool;
    lido::handle<owner> child;
    lido::test::tracked_copyable body{1};
};
owner::~owner() {
    if (pool != nullptr && pool->contains(child)) {
        pool->release(child);
    }
}
void raise(family& pool, int n) {
    std::vector<lido::handle<owner>> all;
    for (int i = 0; i < n; ++i) {
        all.push_back(pool.acquire(&pool, lido::handle<owner>{}));
    }
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
        pool.get(all[i])->child = all[i + 1];
    }
}
TEST(a_destructor_that_releases_others, ends_each_once_at_clear) {
    const lido::test::lifetime_scope scope;
    family pool;
    raise(pool, 6);
    pool.clear();
    EXPECT_TRUE(pool.empty());
    EXPECT_TRUE(pool.validate());
}
TEST(a_destructor_that_releases_others, ends_each_once_at_release_if) {
    const lido::test::lifetime_scope scope;
    family pool;
    raise(pool, 6);
    EXPECT_LE(pool.release_if([](const owner&) { return true; }), 6u);
    EXPECT_TRUE(pool.empty());
    EXPECT_TRUE(pool.validate());
}
TEST(a_destructor_that_releases_others, ends_each_once_at_the_end_of_the_pool) {
    const lido::test::lifetime_scope scope;
    family pool;
    raise(pool, 6);
}
TEST(a_destructor_that_releases_others, ends_each_once_at_a_restore) {
    const lido::test::lifetime_scope scope;
    family pool;
    lido::snapshot empty;
    ASSERT_TRUE(pool.save(empty));
    raise(pool, 6);
    ASSERT_TRUE(pool.restore(empty));
    EXPECT_TRUE(pool.empty());
    EXPECT_TRUE(pool.validate());
}

TEST(a_destructor_that_releases_others, ends_each_once_at_a_restore_when_their_slots_are_lower) {
    const lido::test::lifetime_scope scope;
    family pool;
    lido::snapshot empty;
    ASSERT_TRUE(pool.save(empty));
    lido::handle<owner> last;
    for (int i = 0; i < 6; ++i) last = pool.acquire(&pool, last);
    ASSERT_TRUE(pool.restore(empty));
    EXPECT_TRUE(pool.empty());
    EXPECT_TRUE(pool.validate());
}

}  // namespace faults_reentrant_elements_test
