// What throws leaves the pool as it was. Every operation that runs code of the element is failed at its 1st, 2nd, ... step until
// it completes, beside a twin that never tried; a walk in which nothing failed is a failed test.
#include <lido/core.hpp>

#include "core/faults/fragile.hpp"
#include "core/misuse/misuse_log.hpp"
#include "support/elements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace faults_exception_safety_test {

using lido::on_full;
using lido::options;
using lido::test::failure_plan;
using lido::test::fragile;
using lido::test::injected_failure;
using lido::test::lifetime_scope;

constexpr std::uint32_t slots = 300;  // five words of the maps, the last one partial

/// A pool of `slots` slots on whatever its storage needs.
template <class Pool>
class held {
public:
    using settings = typename Pool::settings_type;
    explicit held(settings s = {}) : pool(make(buffer_, s)) {}

private:
    static Pool make([[maybe_unused]] std::vector<std::byte>& buffer, settings s) {
        if constexpr (std::is_constructible_v<Pool, std::uint32_t, settings>) {
            return Pool(slots, s);
        } else if constexpr (std::is_constructible_v<Pool, std::span<std::byte>, settings>) {
            buffer.resize(Pool::bytes_for(slots));
            return Pool(std::span<std::byte>(buffer), s);
        } else {
            return Pool(s);
        }
    }
    std::vector<std::byte> buffer_;

public:
    Pool pool;
};

/// What a pool has been through before it is tried: handles of all lives, dead ones too.
template <class Pool>
using handles = std::vector<typename Pool::handle_type>;

template <class Pool>
void acquire_some(Pool& pool, handles<Pool>& all, int n) {
    for (int i = 0; i < n; ++i) {
        const auto made = pool.acquire(static_cast<int>(all.size()));
        ASSERT_TRUE(made);
        all.push_back(made);
    }
}

constexpr int histories = 7;
const char* const history_names[histories] = {
    "new", "one word taken", "in the second word", "holes", "many holes", "the cache is used up", "cleared"};

template <class Pool>
handles<Pool> live_through(Pool& pool, int history) {
    handles<Pool> all;
    const auto release_every = [&](std::size_t step, std::size_t from) {
        for (std::size_t i = from; i < all.size(); i += step) {
            pool.release(all[i]);
        }
    };
    switch (history) {
        case 0: break;
        case 1: acquire_some(pool, all, 64); break;
        case 2: acquire_some(pool, all, 70); break;
        case 3:
            acquire_some(pool, all, 100);
            release_every(9, 4);
            break;
        case 4:
            acquire_some(pool, all, 250);
            release_every(2, 0);
            break;
        case 5:  // what is released last is used up: the next slot comes from the maps
            acquire_some(pool, all, 256);
            release_every(2, 1);
            acquire_some(pool, all, 64);
            break;
        default:
            acquire_some(pool, all, 150);
            pool.clear();
            acquire_some(pool, all, 20);
            release_every(3, 150);
            break;
    }
    return all;
}

/// The same lives, and whole.
template <class Pool>
void expect_same_lives(Pool& tried, Pool& twin, const handles<Pool>& all) {
    ASSERT_EQ(tried.size(), twin.size());
    ASSERT_EQ(tried.capacity(), twin.capacity());
    ASSERT_EQ(tried.stats().released, twin.stats().released);
    ASSERT_EQ(tried.stats().replaced, twin.stats().replaced);
    ASSERT_EQ(tried.stats().bad_releases, twin.stats().bad_releases);
    for (const auto h : all) {
        ASSERT_EQ(tried.contains(h), twin.contains(h));
        if (twin.contains(h)) {
            ASSERT_EQ(tried.get(h)->read(), twin.get(h)->read());
        }
    }
    const char* broken = tried.validate().broken;
    ASSERT_EQ(broken, nullptr) << broken;
}

/// The next 200 acquires give the same handles (or are refused alike).
template <class Pool>
void expect_same_order(Pool& tried, Pool& twin) {
    for (int i = 0; i < 200; ++i) {
        const auto a = tried.acquire(i).handle();
        const auto b = twin.acquire(i).handle();
        ASSERT_EQ(a, b) << "acquire " << i << ": slot " << a.index() << " instead of " << b.index();
    }
    const char* broken = tried.validate().broken;
    ASSERT_EQ(broken, nullptr) << broken;
}

/// Runs `attempt(pool, handles)` with its nth step failing, n = 1, 2, ..., and `after(tried, twin, handles)` on each that failed.
template <class Pool, class Prepare, class Attempt, class After>
void walk(typename Pool::settings_type settings, Prepare&& prepare, Attempt&& attempt, After&& after) {
    for (std::size_t n = 1; n < 1000; ++n) {
        SCOPED_TRACE(::testing::Message() << "failing step " << n);
        const lifetime_scope whole;
        held<Pool> tried(settings);
        held<Pool> twin(settings);
        const handles<Pool> all = prepare(tried.pool);
        static_cast<void>(prepare(twin.pool));
        const std::size_t live = fragile::live();
        failure_plan::fail_at(n);
        bool threw = false;
        try {
            attempt(tried.pool, all);
        } catch (const injected_failure&) {
            threw = true;
        }
        failure_plan::never();
        if (!threw) {
            ASSERT_GT(n, 1u) << "nothing ever failed";
            return;
        }
        ASSERT_EQ(fragile::live(), live) << "something was leaked or ended";
        after(tried.pool, twin.pool, all);
        if (::testing::Test::HasFatalFailure()) {
            return;
        }
    }
    FAIL() << "the operation never completed";
}

template <class Pool, class Attempt>
void walk_histories(Attempt&& attempt) {
    for (int history = 0; history < histories; ++history) {
        SCOPED_TRACE(history_names[history]);
        walk<Pool>(
            {}, [history](Pool& pool) { return live_through(pool, history); }, attempt,
            [](Pool& tried, Pool& twin, const handles<Pool>& all) {
                expect_same_lives(tried, twin, all);
                expect_same_order(tried, twin);
            });
        if (::testing::Test::HasFatalFailure()) {
            return;
        }
    }
}

constexpr options lowest{.order = lido::reuse::lowest};
constexpr options rests{.reuse_delay = 10};
constexpr options narrow{.handle_bits = 32, .index_bits = 16};
constexpr options none{.generations = lido::generation_rule::none};

template <class Pool>
class exception_safety : public ::testing::Test {};

using pools =
    ::testing::Types<lido::inline_slot_pool<fragile, slots>, lido::slot_pool<fragile, options{}, lido::heap_storage>,
                     lido::slot_pool<fragile, options{}, lido::lent_storage>, lido::slot_pool<fragile>,
                     lido::inline_slot_pool<fragile, slots, lowest>, lido::slot_pool<fragile, lowest>,
                     lido::inline_slot_pool<fragile, slots, rests>, lido::inline_slot_pool<fragile, slots, narrow>,
                     lido::flag_pool<fragile, slots>, lido::flag_pool<fragile, slots, none>,
                     lido::inline_dense_pool<fragile, slots>, lido::dense_pool<fragile, options{}, lido::heap_storage>,
                     lido::dense_pool<fragile, options{}, lido::lent_storage>, lido::dense_pool<fragile>,
                     lido::inline_dense_pool<fragile, slots, rests>, lido::inline_dense_pool<fragile, slots, narrow>>;
TYPED_TEST_SUITE(exception_safety, pools);

TYPED_TEST(exception_safety, an_acquire_that_throws_leaves_lives_and_order) {
    walk_histories<TypeParam>([](TypeParam& pool, const auto&) { static_cast<void>(pool.acquire(1)); });
}

TYPED_TEST(exception_safety, an_acquire_that_throws_again_and_again_leaves_lives_and_order) {
    walk_histories<TypeParam>([](TypeParam& pool, const auto&) {
        const std::size_t planned = failure_plan::suspend();
        for (int i = 0; i < 150; ++i) {
            failure_plan::fail_at(1);
            EXPECT_THROW(static_cast<void>(pool.acquire(1)), injected_failure);
        }
        failure_plan::fail_at(planned);
        static_cast<void>(pool.acquire(1));
    });
}

TYPED_TEST(exception_safety, an_acquire_with_a_priority_that_throws_leaves_lives_and_order) {
    walk_histories<TypeParam>(
        [](TypeParam& pool, const auto&) { static_cast<void>(pool.acquire_as({.priority = 4}, 1)); });
}

TYPED_TEST(exception_safety, a_lease_that_throws_leaves_lives_and_order) {
    walk_histories<TypeParam>([](TypeParam& pool, const auto&) { const auto lease = pool.lease(1); });
}

TYPED_TEST(exception_safety, a_reserve_of_a_fresh_slot_that_throws_leaves_lives_and_order) {
    using H = typename TypeParam::handle_type;
    for (const std::uint32_t slot : {256u, 270u, slots - 1}) {
        SCOPED_TRACE(slot);
        walk_histories<TypeParam>([slot](TypeParam& pool, const auto&) {
            const auto made = pool.reserve(H::of(slot, 1), 1);
            EXPECT_TRUE(made) << to_string(pool.why_refused());
        });
    }
}

TYPED_TEST(exception_safety, a_reserve_of_a_used_slot_that_throws_leaves_lives_and_order) {
    // The slot of every fifth dead handle, a life further; resting slots have a test of their own.
    using H = typename TypeParam::handle_type;
    if constexpr (TypeParam::pool_options.reuse_delay == 0) {
        constexpr bool generations = TypeParam::pool_options.generations != lido::generation_rule::none;
        for (const int history : {3, 4, 5}) {
            SCOPED_TRACE(history_names[history]);
            held<TypeParam> sample;
            const auto all = live_through(sample.pool, history);
            int tried_slots = 0;
            for (std::size_t i = 0; i < all.size(); ++i) {
                const bool in_use = std::any_of(all.begin(), all.end(), [&](H h) {
                    return h.index() == all[i].index() && sample.pool.contains(h);
                });
                if (in_use || i % 5 != 0) {
                    continue;
                }
                ++tried_slots;
                const H wanted = H::of(all[i].index(), generations ? all[i].generation() + 6 : 1);
                walk<TypeParam>(
                    {}, [history](TypeParam& pool) { return live_through(pool, history); },
                    [wanted](TypeParam& pool, const auto&) { EXPECT_TRUE(pool.reserve(wanted, 1)); },
                    [wanted](TypeParam& tried, TypeParam& twin, const auto& lives) {
                        EXPECT_FALSE(tried.contains(wanted) && generations);
                        expect_same_lives(tried, twin, lives);
                        expect_same_order(tried, twin);
                    });
                if (this->HasFatalFailure()) {
                    return;
                }
            }
            EXPECT_GT(tried_slots, 0);
        }
    }
}

TYPED_TEST(exception_safety, an_acquire_n_that_throws_has_ended_what_it_began) {
    // Promised: the lives that the call began have ended and `out` holds nulls. The order of free slots is not.
    using H = typename TypeParam::handle_type;
    for (const int history : {0, 3, 4, 6}) {
        SCOPED_TRACE(history_names[history]);
        handles<TypeParam> out(20);
        walk<TypeParam>(
            {}, [history](TypeParam& pool) { return live_through(pool, history); },
            [&out](TypeParam& pool, const auto&) {
                std::fill(out.begin(), out.end(), H::of(7, 7));
                EXPECT_EQ(pool.acquire_n(out, 5), out.size());
            },
            [&out](TypeParam& tried, TypeParam& twin, const handles<TypeParam>& all) {
                for (const H h : out) {
                    ASSERT_FALSE(h);
                }
                ASSERT_EQ(tried.size(), twin.size());
                ASSERT_EQ(tried.stats().bad_releases, 0u);
                for (const H h : all) {
                    ASSERT_EQ(tried.contains(h), twin.contains(h));
                }
                ASSERT_TRUE(tried.validate()) << tried.validate().broken;
                std::uint32_t more = 0;
                while (tried.acquire(1)) {
                    ++more;
                }
                ASSERT_EQ(more, slots - twin.size()) << "no slot was lost";
            });
        if (this->HasFatalFailure()) {
            return;
        }
    }
}

TYPED_TEST(exception_safety, a_release_if_whose_predicate_throws_has_ended_what_it_accepted_before) {
    for (const int history : {2, 4}) {
        for (std::size_t n = 1;; ++n) {
            const lifetime_scope whole;
            held<TypeParam> h;
            const auto all = live_through(h.pool, history);
            const std::uint32_t before = h.pool.size();
            std::set<int> accepted;
            std::size_t visits = 0;
            failure_plan::fail_at(n);
            bool threw = false;
            try {
                static_cast<void>(h.pool.release_if([&](const fragile& each) {
                    ++visits;
                    failure_plan::step();
                    if (each.read() % 3 != 0) {
                        return false;
                    }
                    accepted.insert(each.read());
                    return true;
                }));
            } catch (const injected_failure&) {
                threw = true;
            }
            failure_plan::never();
            ASSERT_TRUE(h.pool.validate()) << h.pool.validate().broken;
            ASSERT_EQ(h.pool.size(), before - accepted.size());
            h.pool.for_each([&](const fragile& each) { ASSERT_FALSE(accepted.contains(each.read())); });
            if (!threw) {
                ASSERT_EQ(visits, before);
                ASSERT_EQ(n, before + 1u) << "each visit has failed once";
                break;
            }
            ASSERT_EQ(visits, n);
        }
    }
}

TYPED_TEST(exception_safety, a_save_that_throws_leaves_the_pool_and_an_empty_snapshot) {
    walk<TypeParam>(
        {}, [](TypeParam& pool) { return live_through(pool, 3); },
        [](TypeParam& pool, const auto&) {
            lido::snapshot to;
            try {
                EXPECT_TRUE(pool.save(to));
            } catch (...) {
                EXPECT_FALSE(to);
                EXPECT_FALSE(pool.restore(to));
                throw;
            }
        },
        [](TypeParam& tried, TypeParam& twin, const handles<TypeParam>& all) {
            expect_same_lives(tried, twin, all);
            ASSERT_EQ(tried.state_hash(), twin.state_hash());
            expect_same_order(tried, twin);
        });
}

TYPED_TEST(exception_safety, a_restore_that_throws_changes_nothing) {
    walk<TypeParam>(
        {}, [](TypeParam& pool) { return live_through(pool, 4); },
        [](TypeParam& pool, const auto&) {
            const std::size_t planned = failure_plan::suspend();
            held<TypeParam> other;
            static_cast<void>(live_through(other.pool, 3));
            lido::snapshot from;
            ASSERT_TRUE(other.pool.save(from));
            failure_plan::fail_at(planned);
            EXPECT_TRUE(pool.restore(from));
            EXPECT_EQ(pool.state_hash(), other.pool.state_hash());
        },
        [](TypeParam& tried, TypeParam& twin, const handles<TypeParam>& all) {
            expect_same_lives(tried, twin, all);
            ASSERT_EQ(tried.state_hash(), twin.state_hash());
            expect_same_order(tried, twin);
        });
}

// --- replacing -------------------------------------------------------------------------------------------------------------

constexpr options by_age{.tracks = lido::track::age};
constexpr options by_priority{.tracks = lido::track::priority};

template <class Pool>
class exception_safety_when_full : public ::testing::Test {
protected:
    static inline int announced = 0;

    static handles<Pool> fill(Pool& pool) {
        handles<Pool> all;
        for (std::uint32_t i = 0; i < slots; ++i) {
            all.push_back(pool.acquire_as({.priority = static_cast<std::uint8_t>(i % 5)}, static_cast<int>(i)));
        }
        for (std::size_t i = 0; i < 40; ++i) {  // neither the ages nor the rows are in slot order
            pool.release(all[i * 7]);
            all.push_back(pool.acquire_as({.priority = static_cast<std::uint8_t>(i % 3)}, static_cast<int>(1000 + i)));
        }
        EXPECT_TRUE(pool.full());
        return all;
    }

    static void walk_mode(on_full mode) {
        const typename Pool::settings_type settings{.on_full = mode,
                                                    .victim = [](const fragile& f) { return f.read() % 11 == 5; },
                                                    .on_evict = [](auto, fragile&) { ++announced; }};
        walk<Pool>(
            settings, fill,
            [](Pool& pool, const auto&) {
                announced = 0;
                EXPECT_TRUE(pool.acquire_as({.priority = 2}, 11 * 7 + 5)) << to_string(pool.why_refused());
                EXPECT_EQ(announced, 1);
            },
            [](Pool& tried, Pool& twin, const handles<Pool>& all) {
                EXPECT_EQ(announced, 0) << "nobody's end was announced for nothing";
                expect_same_lives(tried, twin, all);
                ASSERT_EQ(tried.state_hash(), twin.state_hash());
                expect_same_order(tried, twin);
            });
    }
};

using full_pools = ::testing::Types<
    lido::inline_slot_pool<fragile, slots, by_priority>, lido::flag_pool<fragile, slots, by_priority>,
    lido::inline_dense_pool<fragile, slots, by_priority>,
    lido::slot_pool<fragile, options{.tracks = lido::track::priority, .order = lido::reuse::lowest}>,
    lido::slot_pool<fragile, options{.tracks = lido::track::priority, .reuse_delay = 7}, lido::heap_storage>,
    lido::dense_pool<fragile, options{.tracks = lido::track::priority, .reuse_delay = 7}>>;
TYPED_TEST_SUITE(exception_safety_when_full, full_pools);

TYPED_TEST(exception_safety_when_full, replace_oldest_ends_nobody_for_a_constructor_that_throws) {
    this->walk_mode(on_full::replace_oldest);
}
TYPED_TEST(exception_safety_when_full, replace_lowest_ends_nobody_for_a_constructor_that_throws) {
    this->walk_mode(on_full::replace_lowest);
}
TYPED_TEST(exception_safety_when_full, replace_if_ends_nobody_for_a_constructor_that_throws) {
    this->walk_mode(on_full::replace_if);
}

TYPED_TEST(exception_safety_when_full, a_refused_acquire_builds_nothing) {
    held<TypeParam> h;
    const auto all = this->fill(h.pool);
    failure_plan::fail_at(1);
    EXPECT_FALSE(h.pool.acquire(1)) << "a constructor that never runs cannot throw";
    failure_plan::never();
    EXPECT_EQ(h.pool.why_refused(), lido::refusal::full);
}

// The callbacks must not throw (options.hpp). Where acquire() itself may throw, one that does all the same harms nobody.
TYPED_TEST(exception_safety_when_full, callbacks_that_throw_although_they_must_not_end_nobody) {
    for (const bool by_victim : {false, true}) {
        walk<TypeParam>(
            {.on_full = by_victim ? on_full::replace_if : on_full::replace_oldest,
             .victim =
                 [](const fragile& f) {
                     failure_plan::step();
                     return f.read() == 12;
                 },
             .on_evict = [](auto, fragile&) { failure_plan::step(); }},
            this->fill, [](TypeParam& pool, const auto&) { static_cast<void>(pool.acquire(12)); },
            [](TypeParam& tried, TypeParam& twin, const handles<TypeParam>& all) {
                expect_same_lives(tried, twin, all);
                // not left in the state "evicting", in which an acquire is refused
                ASSERT_TRUE(tried.acquire(12));
                ASSERT_TRUE(twin.acquire(12));
                expect_same_order(tried, twin);
            });
    }
}

template <class Pool>
void expect_replacing_is_refused() {
    const lifetime_scope whole;
    int announced = 0;
    for (const on_full mode : {on_full::replace_oldest, on_full::replace_lowest, on_full::replace_if}) {
        Pool pool({.on_full = mode,
                   .victim = [](const auto&) { return true; },
                   .on_evict = [&announced](auto, auto&) { ++announced; }});
        std::vector<typename Pool::handle_type> all;
        for (int i = 0; i < 8; ++i) {
            all.push_back(pool.acquire(i));
        }
        EXPECT_FALSE(pool.acquire_as({.priority = 9}, 1));
        EXPECT_EQ(pool.why_refused(), lido::refusal::cannot_replace);
        EXPECT_EQ(pool.stats().refused, 1u);
        EXPECT_EQ(pool.stats().replaced, 0u);
        EXPECT_EQ(announced, 0);
        for (const auto h : all) {
            EXPECT_TRUE(pool.contains(h));
        }
        pool.release(all[3]);
        EXPECT_TRUE(pool.acquire(3)) << "a free slot needs no replacing";
        EXPECT_TRUE(pool.validate());
    }
}

class immovable_and_throwing {
public:
    explicit immovable_and_throwing(int value) : body_(value) {}
    immovable_and_throwing(const immovable_and_throwing&) = delete;
    immovable_and_throwing& operator=(const immovable_and_throwing&) = delete;

private:
    lido::test::tracked_copyable body_;
};

TEST(exception_safety_of_replacing, is_refused_where_an_object_might_be_ended_for_nothing) {
    expect_replacing_is_refused<lido::inline_slot_pool<lido::test::throwing, 8, by_priority>>();
    expect_replacing_is_refused<lido::flag_pool<lido::test::throwing, 8, by_priority>>();
    expect_replacing_is_refused<lido::inline_slot_pool<immovable_and_throwing, 8, by_priority>>();
}

TEST(exception_safety_of_replacing, works_for_immovable_elements_whose_constructor_cannot_throw) {
    lido::inline_slot_pool<lido::test::immovable, 4, by_age> pool({.on_full = on_full::replace_oldest});
    const auto first = pool.acquire(0).handle();
    for (int i = 1; i < 4; ++i) {
        static_cast<void>(pool.acquire(i));
    }
    const auto made = pool.acquire(4);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->read(), 4);
    EXPECT_FALSE(pool.contains(first));
}

TEST(exception_safety_of_replacing, acquire_n_that_throws_does_not_release_twice_what_it_replaced_itself) {
    // Six into four: the first two of the call are replaced by its last two.
    lido::test::misuse_log log;
    for (std::size_t n = 1; n <= 6; ++n) {
        lido::inline_slot_pool<fragile, 4, by_age> slot({.on_full = on_full::replace_oldest});
        lido::inline_dense_pool<fragile, 4, by_age> dense({.on_full = on_full::replace_oldest});
        const auto expect_quiet = [n, &log](auto& pool) {
            std::vector<typename std::remove_reference_t<decltype(pool)>::handle_type> out(6);
            failure_plan::fail_at(n);
            EXPECT_THROW(static_cast<void>(pool.acquire_n(out, 1)), injected_failure);
            failure_plan::never();
            EXPECT_TRUE(pool.empty());
            EXPECT_EQ(pool.stats().bad_releases, 0u) << "constructor " << n;
            EXPECT_EQ(log.count(), 0u) << "constructor " << n;
            log.clear();
        };
        expect_quiet(slot);
        expect_quiet(dense);
    }
}

// --- nested constructors ---------------------------------------------------------------------------------------------------

/// Acquires its child from the pool that it is being built in.
template <template <class> class Pool>
struct parent {
    using pool_type = Pool<parent>;

    parent(pool_type& p, int depth);
    parent(const parent&) = delete;
    parent& operator=(const parent&) = delete;
    ~parent();

    pool_type& pool;
    lido::test::tracked_copyable body;
    lido::handle<parent> child;
};

template <template <class> class Pool>
parent<Pool>::parent(pool_type& p, int depth) : pool(p), body(depth) {
    failure_plan::step();
    if (depth == 0) {
        return;
    }
    child = pool.acquire(pool, depth - 1);
    try {
        failure_plan::step();
    } catch (...) {
        pool.release(child);
        throw;
    }
}
template <template <class> class Pool>
parent<Pool>::~parent() {
    if (pool.contains(child)) {
        pool.release(child);
    }
}

template <class T>
using nest_recent = lido::basic_slot_pool<T, options{}, lido::inline_storage<100>, void, lido::detail::recent_first>;
template <class T>
using nest_lowest = lido::basic_slot_pool<T, lowest, lido::inline_storage<100>, void, lido::detail::lowest_first>;
template <class T>
using nest_flag = lido::basic_slot_pool<T, options{}, lido::inline_storage<100>, void, lido::detail::flag_scan>;

template <template <class> class Pool>
void expect_nested_failures_lose_nothing() {
    for (const int before : {0, 60, 62, 90}) {
        for (std::size_t n = 1;; ++n) {
            SCOPED_TRACE(::testing::Message() << before << " before, failing step " << n);
            const lifetime_scope whole;
            typename parent<Pool>::pool_type pool;
            std::vector<lido::handle<parent<Pool>>> all;
            for (int i = 0; i < before; ++i) {
                all.push_back(pool.acquire(pool, 0));
            }
            const auto size = pool.size();
            failure_plan::fail_at(n);
            bool threw = false;
            try {
                EXPECT_TRUE(pool.acquire(pool, 4));
            } catch (const injected_failure&) {
                threw = true;
            }
            failure_plan::never();
            ASSERT_TRUE(pool.validate()) << pool.validate().broken;
            if (!threw) {
                ASSERT_EQ(n, 5u + 4u + 1u);
                ASSERT_EQ(pool.size(), size + 5);
                break;
            }
            ASSERT_EQ(pool.size(), size);
            ASSERT_EQ(whole.live(), before);
            for (const auto h : all) {
                ASSERT_TRUE(pool.contains(h));
            }
            std::set<std::uint32_t> given;
            while (const auto made = pool.acquire(pool, 0)) {
                ASSERT_TRUE(given.insert(made.handle().index()).second) << "a slot was handed out twice";
            }
            ASSERT_EQ(given.size(), 100u - static_cast<std::size_t>(before)) << "a slot was lost";
        }
    }
}

TEST(nested_constructors, that_throw_lose_no_slot_of_a_slot_pool) {
    expect_nested_failures_lose_nothing<nest_recent>();
}
TEST(nested_constructors, that_throw_lose_no_slot_of_a_pool_that_fills_from_the_front) {
    expect_nested_failures_lose_nothing<nest_lowest>();
}
TEST(nested_constructors, that_throw_lose_no_slot_of_a_flag_pool) { expect_nested_failures_lose_nothing<nest_flag>(); }

}  // namespace faults_exception_safety_test
