// Promise (S3.4): every shape has one safe way to remove while iterating, in which each element is visited exactly once, and builds
// with checks stop at the unsafe ones.
#include "pool_cases.hpp"

#include <cstdlib>
#include <map>
#include <utility>

namespace pool_iteration_test {

using namespace lido;
using namespace lido::test;

using seen_once = std::map<int, int>;

/// Values 0 .. n-1 were seen once each; whatever else was seen is new.
void expect_each_once(const seen_once& seen, int n) {
    for (int value = 0; value < n; ++value) {
        const auto at = seen.find(value);
        ASSERT_TRUE(at != seen.end()) << value << " was not visited";
        EXPECT_EQ(at->second, 1) << value;
    }
}

// Which of the objects go: none, all, some, and runs over the ends of words.
const std::vector<bool (*)(int)> choices{
    [](int) { return false; },
    [](int) { return true; },
    [](int v) { return v % 2 == 0; },
    [](int v) { return v % 3 != 1; },
    [](int v) { return v >= 60 && v < 70; },
    [](int v) { return v == 0 || v == 299; },
};

template <class Pool>
class removing : public ::testing::Test {
protected:
    static constexpr int n = 300;

    /// `pass(pool, visit)` calls visit(object) for each object, which answers whether the pass shall release it.
    template <class Pass>
    void expect_exactly_once(Pass pass) {
        for (const auto gone : choices) {
            made_pool<Pool> made(400);
            auto& pool = made.pool();
            std::vector<typename Pool::handle_type> handles;
            for (int i = 0; i < n; ++i) handles.push_back(pool.acquire(i));
            seen_once seen;
            pass(pool, [&](const auto& object) {
                ++seen[object.read()];
                return gone(object.read());
            });
            expect_each_once(seen, n);
            EXPECT_EQ(seen.size(), static_cast<std::size_t>(n));
            for (int i = 0; i < n; ++i) EXPECT_EQ(pool.contains(handles[static_cast<std::size_t>(i)]), !gone(i));
            EXPECT_TRUE(valid(pool));
        }
    }
};

template <class Pool>
class removing_from_slots : public removing<Pool> {};
using slot_shapes =
    ::testing::Types<slot_pool<counting>, slot_pool<trivial16, options{.order = reuse::lowest}>,
                     slot_pool<trivial256, options{.tracks = track::age, .reuse_delay = 9}, heap_storage>,
                     flag_pool<counting, 400>>;
TYPED_TEST_SUITE(removing_from_slots, slot_shapes);

TYPED_TEST(removing_from_slots, the_current_object_in_any_forward_pass) {
    this->expect_exactly_once([](auto& pool, auto visit) {
        for (auto& object : pool) {
            if (visit(object)) pool.release(object);
        }
    });
    this->expect_exactly_once([](auto& pool, auto visit) {
        for (auto [handle, object] : pool.each()) {
            if (visit(object)) pool.release(handle);
        }
    });
    this->expect_exactly_once([](auto& pool, auto visit) {
        pool.for_each([&](auto& object) {
            if (visit(object)) pool.release(object);
        });
    });
    this->expect_exactly_once(
        [](auto& pool, auto visit) { pool.release_if([&](const auto& object) { return visit(object); }); });
}

TYPED_TEST(removing_from_slots, passes_go_over_whole_words_of_slots_in_which_nothing_lives) {
    made_pool<TypeParam> made(400);
    auto& pool = made.pool();
    for (int i = 0; i < 400; ++i) ASSERT_TRUE(pool.acquire(i));
    const auto stays = [](int slot) { return slot == 70 || slot == 300; };  // in words 1 and 4 of 7
    pool.release_if([&](const auto& object) { return !stays(object.read()); });
    const std::vector<int> expected{70, 300};
    std::vector<int> seen;
    for (auto& object : pool) seen.push_back(object.read());
    EXPECT_EQ(seen, expected);
    seen.clear();
    for (auto [handle, object] : pool.each()) seen.push_back(static_cast<int>(handle.index()));
    EXPECT_EQ(seen, expected);
    seen.clear();
    for (const auto& object : std::as_const(pool)) seen.push_back(object.read());
    EXPECT_EQ(seen, expected);
}

TYPED_TEST(removing_from_slots, while_others_are_acquired) {
    made_pool<TypeParam> made(400);
    auto& pool = made.pool();
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(pool.acquire(i));
    seen_once seen;
    int fresh = 1000;
    for (auto& object : pool) {
        const int value = object.read();
        ++seen[value];
        if (value >= 1000) continue;
        if (value % 2 == 0) {
            EXPECT_TRUE(pool.release(object));
        }
        if (value % 3 == 0) {
            EXPECT_TRUE(pool.acquire(fresh++));
        }
    }
    expect_each_once(seen, 300);
    for (const auto& [value, times] : seen) EXPECT_EQ(times, 1) << value;  // new ones once or not at all
    EXPECT_TRUE(valid(pool));
}

template <class Pool>
class removing_from_rows : public removing<Pool> {};
using row_shapes =
    ::testing::Types<dense_pool<counting>, dense_pool<trivial64, options{.max_rows = 1u << 21}, heap_storage>,
                     dense_pool<trivial16, options{.tracks = track::age, .reuse_delay = 9}>>;
TYPED_TEST_SUITE(removing_from_rows, row_shapes);

TYPED_TEST(removing_from_rows, the_current_object_in_a_backward_walk) {
    this->expect_exactly_once([](auto& pool, auto visit) {
        for (auto& object : pool.backward()) {
            if (visit(object)) pool.release(object);
        }
    });
    this->expect_exactly_once(
        [](auto& pool, auto visit) { pool.release_if([&](const auto& object) { return visit(object); }); });
}

TYPED_TEST(removing_from_rows, in_a_backward_walk_new_objects_are_not_visited) {
    TypeParam pool(400);
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(pool.acquire(i));
    seen_once seen;
    for (auto& object : pool.backward()) {
        const int value = object.read();
        ++seen[value];
        if (value % 2 == 0) {
            ASSERT_TRUE(pool.acquire(1000 + value));  // behind the walk
        }
    }
    expect_each_once(seen, 200);
    EXPECT_EQ(seen.size(), 200u);
    EXPECT_EQ(pool.size(), 300u);
}

// --- misuse that builds with checks stop at ---------------------------------------------------------------------------------

class iteration_death : public ::testing::Test {
protected:
    void SetUp() override {
        if (!checks) GTEST_SKIP() << "built without checks";
    }
};

TEST_F(iteration_death, a_forward_pass_over_rows_that_releases) {
    dense_pool<trivial16> pool(10);
    static_cast<void>(fill(pool));
    EXPECT_DEATH(for (auto& object : pool) pool.release(object), "changed during a forward iteration: walk backward");
    EXPECT_DEATH(for (auto [handle, object] : pool.each()) pool.release(handle), "changed during a forward iteration");
    EXPECT_DEATH(pool.for_each([&](trivial16& object) { pool.release(object); }), "changed during a forward iteration");
    EXPECT_DEATH(
        for (auto& object
             : pool) {
            pool.release(object);
            pool.acquire(object.read());
        },
        "changed during a forward iteration");
}

TEST_F(iteration_death, a_backward_walk_that_releases_more_than_the_current_object) {
    dense_pool<trivial16> pool(10);
    static_cast<void>(fill(pool));
    EXPECT_DEATH(
        for (auto& object
             : pool.backward()) {
            pool.release(object);
            pool.release(pool.data()[0]);
        },
        "more than the current object was released");
}

TEST_F(iteration_death, a_pass_over_slots_that_releases_a_later_object) {
    slot_pool<trivial16> pool(100);
    const auto handles = fill(pool);
    EXPECT_DEATH(for (auto& object
                      : pool) if (object.read() == 3) pool.release(handles[50]),
                 "released during iteration before it was visited");
    EXPECT_DEATH(for (auto [handle, object]
                      : pool.each()) if (object.read() == 3) pool.release(handles[50]),
                 "released during iteration before it was visited");
    EXPECT_DEATH(pool.for_each([&](trivial16& object) {
        if (object.read() == 3) pool.release(handles[50]);
    }),
                 "for_each: an object not yet visited was released");
    EXPECT_TRUE(pool.release(handles[60]));  // the loop over words that are not full
    EXPECT_DEATH(pool.for_each([&](trivial16& object) {
        if (object.read() == 3) pool.release(handles[50]);
    }),
                 "for_each: an object not yet visited was released");
}

template <class Pool>
void change_in_predicate(bool acquires) {
    made_pool<Pool> made(100);
    const auto first = made.pool().acquire(1).handle();
    static_cast<void>(made.pool().acquire(2));
    made.pool().release_if([&](const auto&) {
        if (acquires) {
            made.pool().acquire(3);
        } else {
            made.pool().release(first);
        }
        return false;
    });
}

TEST_F(iteration_death, a_release_if_predicate_that_changes_the_pool) {
    const char* const message = "release_if: the predicate changed the pool";
    EXPECT_DEATH((change_in_predicate<slot_pool<trivial16>>(true)), message);
    EXPECT_DEATH((change_in_predicate<slot_pool<counting>>(false)), message);
    EXPECT_DEATH((change_in_predicate<dense_pool<trivial16>>(true)), message);
    EXPECT_DEATH((change_in_predicate<dense_pool<trivial16>>(false)), message);
    EXPECT_DEATH((change_in_predicate<flag_pool<trivial16, 100>>(true)), message);
}

/// Changes the pool it lives in from its constructor (1) or destructor (2).
struct meddler {
    using pool_type = dense_pool<meddler>;
    pool_type* pool;
    int what;

    meddler(pool_type* where, int kind) : pool(where), what(kind) {
        if (what == 1) pool->acquire(pool, 0);
    }
    meddler(meddler&& other) noexcept : pool(other.pool), what(std::exchange(other.what, 0)) {}
    meddler& operator=(meddler&&) = delete;
    ~meddler() {
        if (what == 2) pool->acquire(pool, 0);
    }
};

TEST_F(iteration_death, an_element_of_rows_whose_constructor_or_destructor_changes_its_pool) {
    EXPECT_DEATH(
        {
            meddler::pool_type pool(10);
            pool.acquire(&pool, 1);
        },
        "an element's constructor changed the pool");
    EXPECT_DEATH(
        {
            meddler::pool_type pool(10);
            pool.release(pool.acquire(&pool, 2).handle());
        },
        "an element's move or destructor changed the pool");
    EXPECT_DEATH(
        {
            meddler::pool_type pool(10);
            pool.acquire(&pool, 2);
            pool.clear();
        },
        "an element's move or destructor changed the pool");
    EXPECT_DEATH(
        {
            meddler::pool_type pool(10);
            pool.acquire(&pool, 2);
        },
        "an element's move or destructor changed the pool");
}

TEST_F(iteration_death, what_was_refused_ended_or_passed_is_not_an_object) {
    slot_pool<trivial16> slot(1);
    dense_pool<trivial16> dense(1);
    static_cast<void>(slot.acquire(1));
    EXPECT_DEATH(static_cast<void>(slot.acquire(2)->read()), "a refused acquire was used as an object");
    EXPECT_DEATH(static_cast<void>((*slot.acquire(2)).read()), "a refused acquire was used as an object");
    EXPECT_DEATH(static_cast<void>(slot.lease(2)->read()), "an empty lease was used as an object");
    EXPECT_DEATH(static_cast<void>((*++slot.begin()).read()), "a pool iterator was used past the end");
    EXPECT_DEATH(static_cast<void>((*dense.begin()).read()), "a pool iterator was used past the end");
    EXPECT_DEATH(static_cast<void>(dense.handle_of_row(0)), "there is no such row");
}

}  // namespace pool_iteration_test
