// Every precondition that a user of the pools can break ends the program with its own words.
//
// Those of the storages themselves ("opened twice", ...) are in core/memory/precondition_test.cpp: no pool reaches them.
#include <lido/core.hpp>

#include "core/misuse/misuse_log.hpp"
#include "support/check_death.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace misuse_death_test {

using lido::generation_rule;
using lido::on_full;

// The slow style: the child starts anew, so threads and what other tests did do not matter.
class dies : public ::testing::Test {
protected:
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(dies, when_a_refused_acquire_is_used_as_an_object) {
    lido::flag_pool<std::vector<int>, 1> pool;
    static_cast<void>(pool.acquire());
    const auto refused = pool.acquire();
    ASSERT_FALSE(refused);
    EXPECT_CHECK_DEATH(static_cast<void>(*refused), "lido: a refused acquire was used as an object: test it first");
    EXPECT_CHECK_DEATH(static_cast<void>(refused->size()),
                       "lido: a refused acquire was used as an object: test it first");
}

TEST_F(dies, when_an_empty_lease_is_used_as_an_object) {
    lido::flag_pool<int, 1> pool;
    auto lease = pool.lease(1);
    ASSERT_EQ(*lease, 1);
    lease.reset();
    EXPECT_CHECK_DEATH(static_cast<void>(*lease), "lido: an empty lease was used as an object: test it first");
    EXPECT_CHECK_DEATH(static_cast<void>(lease.operator->()), "lido: an empty lease was used as an object");
}

TEST_F(dies, when_a_lease_is_used_whose_object_was_released_another_way) {
    lido::inline_dense_pool<int, 1> pool;
    auto lease = pool.lease(1);
    pool.clear();
    EXPECT_CHECK_DEATH(static_cast<void>(*lease), "lido: an empty lease was used as an object");
}

TEST_F(dies, when_an_empty_delegate_is_called) {
    const lido::delegate<int()> none;
    EXPECT_CHECK_DEATH(static_cast<void>(none()), "lido: an empty delegate was called");
}

template <class Pool>
void expect_death_past_the_end() {
    Pool pool;
    static_cast<void>(pool.acquire(1));
    auto at = pool.begin();
    ++at;
    EXPECT_CHECK_DEATH(static_cast<void>(*at), "lido: a pool iterator was used past the end");
}

TEST_F(dies, when_an_iterator_of_a_flag_pool_is_used_past_the_end) {
    expect_death_past_the_end<lido::flag_pool<int, 70>>();
}
TEST_F(dies, when_an_iterator_of_a_slot_pool_is_used_past_the_end) {
    expect_death_past_the_end<lido::inline_slot_pool<int, 70>>();
}
TEST_F(dies, when_an_iterator_of_a_dense_pool_is_used_past_the_end) {
    expect_death_past_the_end<lido::inline_dense_pool<int, 70>>();
}

TEST_F(dies, when_a_walk_with_handles_is_used_past_the_end) {
    lido::inline_slot_pool<int, 4> slots;
    lido::inline_dense_pool<int, 4> rows;
    EXPECT_CHECK_DEATH(static_cast<void>(*slots.each().begin()), "lido: a pool iterator was used past the end");
    EXPECT_CHECK_DEATH(static_cast<void>(*rows.each().begin()), "lido: a pool iterator was used past the end");
}

TEST_F(dies, when_a_slot_pool_releases_what_the_walk_has_not_visited) {
    lido::inline_slot_pool<int, 70> pool;
    std::vector<lido::handle<int>> all;
    for (int i = 0; i < 3; ++i) {
        all.push_back(pool.acquire(i));
    }
    const auto walk = [&] {
        for (int& each : pool) {
            if (each == 0) {
                pool.release(all[1]);
            }
        }
    };
    EXPECT_CHECK_DEATH(walk(), "lido: an object was released during iteration before it was visited: use release_if");
    const auto walk_with_handles = [&] {
        for (auto [handle, each] : pool.each()) {
            if (each == 0) {
                pool.release(all[1]);
            }
        }
    };
    EXPECT_CHECK_DEATH(walk_with_handles(), "lido: an object was released during iteration before it was visited");
}

TEST_F(dies, when_for_each_of_a_slot_pool_releases_what_it_has_not_visited) {
    // Both loops: the one over a word that is full, and the one over single bits.
    lido::inline_slot_pool<int, 70> pool;
    std::vector<lido::handle<int>> all;
    for (int i = 0; i < 70; ++i) {
        all.push_back(pool.acquire(i));
    }
    const auto release_ahead = [&](int at) {
        pool.for_each([&](int& each) {
            if (each == at) {
                pool.release(all[static_cast<std::size_t>(at) + 1]);
            }
        });
    };
    EXPECT_CHECK_DEATH(release_ahead(0), "lido: for_each: an object not yet visited was released");
    EXPECT_CHECK_DEATH(release_ahead(66), "lido: for_each: an object not yet visited was released");
}

TEST_F(dies, when_a_dense_pool_changes_during_a_forward_walk) {
    lido::inline_dense_pool<int, 8> pool;
    for (int i = 0; i < 4; ++i) {
        static_cast<void>(pool.acquire(i));
    }
    const auto releases = [&] {
        for (int& each : pool) {
            pool.release(each);
        }
    };
    const auto acquires = [&] {
        for (int& each : pool) {
            static_cast<void>(each);
            static_cast<void>(pool.acquire(9));
        }
    };
    const auto with_handles = [&] {
        for (auto [handle, each] : pool.each()) {
            pool.release(handle);
        }
    };
    const auto for_each = [&] { pool.for_each([&](int& each) { pool.release(each); }); };
    constexpr const char* words =
        "lido: dense_pool changed during a forward iteration: walk backward\\(\\) or use release_if";
    EXPECT_CHECK_DEATH(releases(), words);
    EXPECT_CHECK_DEATH(acquires(), words);
    EXPECT_CHECK_DEATH(with_handles(), words);
    EXPECT_CHECK_DEATH(for_each(), words);
}

TEST_F(dies, when_a_backward_walk_releases_more_than_the_current_object) {
    lido::inline_dense_pool<int, 8> pool;
    for (int i = 0; i < 4; ++i) {
        static_cast<void>(pool.acquire(i));
    }
    const auto walk = [&] {
        for (int& each : pool.backward()) {
            static_cast<void>(each);
            pool.clear();
        }
    };
    EXPECT_CHECK_DEATH(
        walk(), "lido: dense_pool: more than the current object was released during a backward walk: use release_if");
}

template <class Pool>
void expect_death_by_predicate() {
    Pool pool;
    const auto a = pool.acquire(1).handle();
    static_cast<void>(pool.acquire(2));
    EXPECT_CHECK_DEATH(static_cast<void>(pool.release_if([&](const int&) {
                           pool.release(a);
                           return false;
                       })),
                       "lido: release_if: the predicate changed the pool");
    EXPECT_CHECK_DEATH(static_cast<void>(pool.release_if([&](const int&) { return !pool.acquire(3); })),
                       "lido: release_if: the predicate changed the pool");
}

TEST_F(dies, when_the_predicate_of_release_if_changes_a_flag_pool) {
    expect_death_by_predicate<lido::flag_pool<int, 4>>();
}
TEST_F(dies, when_the_predicate_of_release_if_changes_a_slot_pool) {
    expect_death_by_predicate<lido::inline_slot_pool<int, 4>>();
}
TEST_F(dies, when_the_predicate_of_release_if_changes_a_dense_pool) {
    expect_death_by_predicate<lido::inline_dense_pool<int, 4>>();
}

TEST_F(dies, when_the_handle_of_a_row_is_asked_that_is_not_there) {
    lido::inline_dense_pool<int, 4> pool;
    static_cast<void>(pool.acquire(1));
    EXPECT_CHECK_DEATH(static_cast<void>(pool.handle_of_row(1)), "lido: handle_of_row: there is no such row");
}

/// An element that can call back, at one of the moments that dense_pool forbids.
struct meddler {
    enum class at : std::uint8_t { never, construction, move, destruction };
    using pool_type = lido::dense_pool<meddler, lido::options{}, lido::inline_storage<8>>;

    explicit meddler(pool_type* p = nullptr, at w = at::never) noexcept;
    meddler(meddler&& other) noexcept;
    ~meddler();

    pool_type* pool;
    at when;
};

meddler::meddler(pool_type* p, at w) noexcept : pool(p), when(w) {
    if (when == at::construction) {
        static_cast<void>(pool->acquire());
    }
}
meddler::meddler(meddler&& other) noexcept : pool(other.pool), when(std::exchange(other.when, at::never)) {
    if (when == at::move) {
        static_cast<void>(pool->acquire());
    }
}
meddler::~meddler() {
    if (when == at::destruction) {
        static_cast<void>(pool->acquire());
    }
}

TEST_F(dies, when_an_elements_constructor_changes_the_dense_pool_it_is_built_in) {
    meddler::pool_type pool;
    EXPECT_CHECK_DEATH(static_cast<void>(pool.acquire(&pool, meddler::at::construction)),
                       "lido: dense_pool: an element's constructor changed the pool it is built in");
}

TEST_F(dies, when_an_elements_move_changes_the_dense_pool_it_lives_in) {
    meddler::pool_type pool;
    const auto first = pool.acquire().handle();
    static_cast<void>(pool.acquire(&pool, meddler::at::move));
    EXPECT_CHECK_DEATH(pool.release(first),
                       "lido: dense_pool: an element's move or destructor changed the pool it lives in");
}

TEST_F(dies, when_an_elements_destructor_changes_the_dense_pool_it_lives_in) {
    meddler::pool_type pool;
    const auto made = pool.acquire(&pool, meddler::at::destruction);
    EXPECT_CHECK_DEATH(pool.release(made),
                       "lido: dense_pool: an element's move or destructor changed the pool it lives in");
    made->when = meddler::at::never;
}

constexpr lido::options by_age{.tracks = lido::track::age};

struct changes_its_pool;
using packed = lido::dense_pool<changes_its_pool, by_age, lido::inline_storage<3>>;
struct changes_its_pool {
    changes_its_pool(packed* p, lido::handle<changes_its_pool> gone);
};
changes_its_pool::changes_its_pool(packed* p, lido::handle<changes_its_pool> gone) {
    if (p != nullptr) {
        p->release(gone);
    }
}
TEST_F(dies, when_an_elements_constructor_changes_the_dense_pool_it_replaces_in) {
    packed pool({.on_full = on_full::replace_oldest});
    const auto oldest = pool.acquire(nullptr, lido::handle<changes_its_pool>{}).handle();
    while (!pool.full()) {
        static_cast<void>(pool.acquire(nullptr, lido::handle<changes_its_pool>{}));
    }
    EXPECT_CHECK_DEATH(static_cast<void>(pool.acquire(&pool, oldest)),
                       "an element's constructor changed the pool it is built in");
}

// The abort rule holds in every build.
template <class Pool>
void expect_death_at_the_last_generation(bool by_clear) {
    const auto wear_out = [by_clear] {
        Pool pool({.name = "worn"});
        for (std::uint32_t life = 0; life < Pool::handle_type::last_generation / 2; ++life) {
            const auto made = pool.acquire();
            if (by_clear) {
                pool.clear();
            } else {
                pool.release(made);
            }
        }
    };
    EXPECT_DEATH(wear_out(),
                 "lido: worn: bad setting: a slot has used up its generations, and the pool's rule is to abort\n"
                 "lido: a slot has used up its generations \\(generation_rule::abort\\)");
}

constexpr lido::options aborts{.handle_bits = 32, .index_bits = 28, .generations = generation_rule::abort};  // 7 lives

TEST_F(dies, when_a_flag_pool_with_the_abort_rule_wears_a_slot_out) {
    expect_death_at_the_last_generation<lido::flag_pool<int, 1, aborts>>(false);
    expect_death_at_the_last_generation<lido::flag_pool<int, 1, aborts>>(true);
}
TEST_F(dies, when_a_slot_pool_with_the_abort_rule_wears_a_slot_out) {
    expect_death_at_the_last_generation<lido::inline_slot_pool<int, 1, aborts>>(false);
    expect_death_at_the_last_generation<lido::inline_slot_pool<int, 1, aborts>>(true);
    expect_death_at_the_last_generation<lido::inline_slot_pool<std::vector<int>, 1, aborts>>(true);
}
TEST_F(dies, when_a_dense_pool_with_the_abort_rule_wears_a_slot_out) {
    expect_death_at_the_last_generation<lido::inline_dense_pool<int, 1, aborts>>(false);
    expect_death_at_the_last_generation<lido::inline_dense_pool<int, 1, aborts>>(true);
}

TEST(abort_rule, lets_every_life_but_the_last_pass) {
    lido::inline_slot_pool<int, 1, aborts> pool;
    for (std::uint32_t life = 0; life + 1 < decltype(pool)::handle_type::last_generation / 2; ++life) {
        pool.release(pool.acquire(1));
    }
    EXPECT_TRUE(pool.acquire(1)) << "the last life may begin";
    EXPECT_TRUE(pool.validate());
}

/// Leaves a new object behind when it ends.
struct phoenix {
    using pool_type =
        lido::basic_slot_pool<phoenix, lido::options{}, lido::inline_storage<8>, void, lido::detail::recent_first>;
    phoenix(pool_type* p, const bool* on) noexcept : pool(p), rises(on) {}
    phoenix(const phoenix&) = delete;
    phoenix& operator=(const phoenix&) = delete;
    ~phoenix();
    pool_type* pool;
    const bool* rises;
};
phoenix::~phoenix() {
    if (*rises) {
        static_cast<void>(pool->acquire(pool, rises));
    }
}

TEST_F(dies, when_a_destructor_keeps_acquiring_from_the_pool_that_ends) {
    bool rises = false;
    std::optional<phoenix::pool_type> pool(std::in_place);
    static_cast<void>(pool->acquire(&*pool, &rises));
    const auto end = [&] {
        rises = true;
        pool.reset();
    };
    EXPECT_DEATH(end(), "lido: an element's destructor keeps acquiring from the pool that is ending");
}

TEST_F(dies, when_a_pointer_from_before_a_save_is_written_through_unseen_by_the_history) {
    lido::inline_slot_pool<int, 8, lido::options{.mark_changes = true}> pool;
    lido::history<4, decltype(pool)> ticks;
    int* const kept = pool.acquire(1).get();
    ticks.save(1, pool);
    *kept = 2;
    EXPECT_CHECK_DEATH(
        ticks.save(2, pool),
        "lido: history: an object was changed through a pointer from before the latest save: get\\(\\) it again");
}

TEST_F(dies, saying_where_in_the_library_it_noticed) {
    lido::inline_dense_pool<int, 4> pool;
    EXPECT_CHECK_DEATH(static_cast<void>(pool.handle_of_row(0)), "row_table\\.hpp:[0-9]+\\)");
}

#if LIDO_HAS_EXCEPTIONS
// acquire() is noexcept for elements whose constructor is: a callback that throws ends the program instead of the pool's order.
TEST_F(dies, when_a_callback_throws_inside_an_acquire_that_is_noexcept) {
    lido::inline_slot_pool<int, 1, by_age> slots(
        {.on_full = on_full::replace_oldest, .on_evict = [](auto, int&) { throw 1; }});
    lido::inline_dense_pool<int, 1> rows(
        {.on_full = on_full::replace_if, .victim = [](const int&) -> bool { throw 1; }});
    static_cast<void>(slots.acquire(1));
    static_cast<void>(rows.acquire(1));
    static_assert(noexcept(slots.acquire(2))&& noexcept(rows.acquire(2)));
    EXPECT_DEATH(static_cast<void>(slots.acquire(2)), "terminate");
    EXPECT_DEATH(static_cast<void>(rows.acquire(2)), "terminate");
}
#endif

}  // namespace misuse_death_test
