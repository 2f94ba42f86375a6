// Promise (X4, S1.6): what a pool does when every slot is taken is a value: reject, grow to a cap, replace the oldest, the lowest
// priority or the first that a predicate accepts. Whatever was refused, replaced or grown is counted.
#include "pool_cases.hpp"

#include <algorithm>
#include <string_view>

namespace pool_exhaustion_test {

using namespace lido;
using namespace lido::test;

constexpr std::uint32_t slots = 8;
constexpr options ranked{.tracks = track::priority};
constexpr options by_age{.tracks = track::age};
constexpr options ranked_lowest{.tracks = track::priority, .order = reuse::lowest};
constexpr options ranked_delay{.tracks = track::priority, .reuse_delay = 3};

template <class Pool>
class exhaustion : public ::testing::Test {
protected:
    using handle_type = typename Pool::handle_type;

    struct eviction {
        handle_type handle;
        int value;
    };

    /// A full pool with seeds 0, 1, ...; seed i has priority `priorities[i]` (0 when there are fewer).
    made_pool<Pool>& make(typename Pool::settings_type settings, std::vector<int> priorities = {}) {
        settings.on_evict = [this](handle_type handle, counting& object) {
            EXPECT_EQ(pool().get(handle), &object);  // alive, and found by its handle
            evicted_.push_back({handle, object.read()});
        };
        made_ = std::make_unique<made_pool<Pool>>(slots, settings);
        for (std::uint32_t i = 0; i < slots; ++i) {
            const int priority = i < priorities.size() ? priorities[i] : 0;
            handles_.push_back(acquire(priority, static_cast<int>(i)));
        }
        return *made_;
    }
    [[nodiscard]] Pool& pool() { return made_->pool(); }
    handle_type acquire(int priority, int seed) {
        return pool().acquire_as({.priority = static_cast<std::uint8_t>(priority)}, seed);
    }
    /// The values that were evicted so far.
    [[nodiscard]] std::vector<int> gone() const {
        std::vector<int> values;
        for (const eviction& e : evicted_) values.push_back(e.value);
        return values;
    }
    void TearDown() override {
        if (made_) {
            EXPECT_TRUE(valid(pool()));
        }
    }

    lifetime_scope lives_;
    misuse_watch misuses_;
    std::vector<eviction> evicted_;
    std::vector<handle_type> handles_;
    std::unique_ptr<made_pool<Pool>> made_;
};

using all_shapes = ::testing::Types<flag_pool<counting, slots, ranked>, slot_pool<counting, ranked>,
                                    slot_pool<counting, ranked_lowest, heap_storage>,
                                    slot_pool<counting, ranked_delay, inline_storage<slots>>,
                                    dense_pool<counting, ranked>, dense_pool<counting, ranked_delay, heap_storage>>;
TYPED_TEST_SUITE(exhaustion, all_shapes);

TYPED_TEST(exhaustion, reject_answers_null_and_counts) {
    this->make({.on_full = on_full::reject});
    EXPECT_FALSE(this->acquire(15, 99));
    EXPECT_EQ(this->pool().why_refused(), lido::refusal::full);
    EXPECT_EQ(this->pool().stats().refused, 1u);
    EXPECT_EQ(this->pool().stats().replaced, 0u);
    EXPECT_TRUE(this->evicted_.empty());
}

TYPED_TEST(exhaustion, replace_oldest_ends_objects_in_the_order_of_their_acquire) {
    this->make({.on_full = on_full::replace_oldest}, {9, 0, 9, 0, 9, 0, 9, 0});  // priorities do not matter
    for (int i = 0; i < 24; ++i) {
        const auto handle = this->acquire(0, 8 + i);
        ASSERT_TRUE(handle);
        ASSERT_EQ(this->gone().back(), i);
        ASSERT_TRUE(valid(this->pool()));
        this->handles_.push_back(handle);
    }
    EXPECT_EQ(this->evicted_.size(), 24u);
    for (std::size_t i = 0; i < this->handles_.size(); ++i)
        EXPECT_EQ(this->pool().contains(this->handles_[i]), i >= 24);
    for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(this->evicted_[i].handle, this->handles_[i]);
    const pool_stats s = this->pool().stats();
    EXPECT_EQ(s.replaced, 24u);
    EXPECT_EQ(s.refused, 0u);
    EXPECT_EQ(s.size, slots);
    EXPECT_EQ(s.released, 24u);
}

TYPED_TEST(exhaustion, replace_oldest_knows_what_was_released_meanwhile) {
    this->make({.on_full = on_full::replace_oldest});
    for (const std::size_t i : {0u, 3u, 7u}) EXPECT_TRUE(this->pool().release(this->handles_[i]));
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(this->acquire(0, 100 + i));
    EXPECT_TRUE(this->evicted_.empty());
    for (int i = 0; i < 8; ++i) EXPECT_TRUE(this->acquire(0, 200 + i));
    EXPECT_EQ(this->gone(), (std::vector{1, 2, 4, 5, 6, 100, 101, 102}));
}

TYPED_TEST(exhaustion, replace_lowest_takes_the_lowest_priority_and_of_those_the_oldest) {
    this->make({.on_full = on_full::replace_lowest}, {5, 2, 15, 2, 0, 5, 0, 2});
    for (int i = 0; i < 8; ++i) EXPECT_TRUE(this->acquire(15, 100 + i));
    EXPECT_EQ(this->gone(), (std::vector{4, 6, 1, 3, 7, 0, 5, 2}));
    EXPECT_EQ(this->pool().stats().replaced, 8u);
}

TYPED_TEST(exhaustion, replace_lowest_refuses_a_request_below_everything_that_lives) {
    this->make({.on_full = on_full::replace_lowest}, {4, 4, 4, 4, 4, 4, 4, 4});
    EXPECT_FALSE(this->acquire(3, 100));
    EXPECT_EQ(this->pool().why_refused(), lido::refusal::full);
    EXPECT_FALSE(this->acquire(0, 100));
    EXPECT_EQ(this->pool().stats().refused, 2u);
    EXPECT_TRUE(this->evicted_.empty());
    EXPECT_TRUE(this->acquire(4, 100));  // an equal one goes through
    EXPECT_EQ(this->gone(), std::vector{0});
}

TYPED_TEST(exhaustion, priorities_above_the_highest_count_as_the_highest) {
    this->make({.on_full = on_full::replace_lowest}, {200, 15, 16, 255, 15, 15, 15, 15});
    EXPECT_FALSE(this->acquire(14, 100));
    EXPECT_TRUE(this->acquire(255, 101));
    EXPECT_TRUE(this->acquire(15, 102));
    EXPECT_TRUE(this->acquire(16, 103));
    EXPECT_EQ(this->gone(), (std::vector{0, 1, 2}));
}

TYPED_TEST(exhaustion, each_of_the_sixteen_priorities_is_a_level_of_its_own) {
    for (int level = 1; level <= max_priority; ++level) {
        this->handles_.clear();
        this->evicted_.clear();
        const auto p = static_cast<int>(level);
        this->make({.on_full = on_full::replace_lowest}, {p, p, p, p - 1, p, p, p, p});
        EXPECT_FALSE(level >= 2 && this->acquire(level - 2, 100));
        EXPECT_TRUE(this->acquire(level - 1, 101)) << level;
        EXPECT_EQ(this->gone(), std::vector{3}) << level;
    }
}

TYPED_TEST(exhaustion, replace_if_takes_the_first_in_iteration_order_that_is_accepted) {
    static int wanted;
    wanted = 0;
    this->make(
        {.on_full = on_full::replace_if, .victim = [](const counting& object) { return object.read() % 4 == wanted; }});
    wanted = 2;
    int first = -1;
    for (const counting& object : this->pool()) {
        if (object.read() % 4 == 2) {
            first = object.read();
            break;
        }
    }
    EXPECT_TRUE(this->acquire(0, 100));
    EXPECT_EQ(this->gone(), std::vector{first});
    EXPECT_TRUE(this->acquire(0, 100));
    EXPECT_EQ(this->gone(), (std::vector{2, 6}));
    wanted = 5;  // nobody
    EXPECT_FALSE(this->acquire(15, 100));
    EXPECT_EQ(this->pool().why_refused(), lido::refusal::full);
    EXPECT_EQ(this->pool().stats().refused, 1u);
    EXPECT_EQ(this->pool().stats().replaced, 2u);
}

TYPED_TEST(exhaustion, the_callback_may_release_the_victim_itself) {
    struct context {
        TypeParam* pool = nullptr;
        int released = 0;
    };
    static context c;
    c = {};
    typename TypeParam::settings_type settings{.on_full = on_full::replace_oldest};
    settings.on_evict = [](auto handle, counting&) { c.released += c.pool->release(handle) ? 1 : 0; };
    made_pool<TypeParam> made(slots, settings);
    c.pool = &made.pool();
    for (int i = 0; i < 20; ++i) {
        EXPECT_TRUE(made.pool().acquire(i));
        EXPECT_TRUE(valid(made.pool()));
    }
    EXPECT_EQ(c.released, 12);
    EXPECT_EQ(made.pool().stats().replaced, 12u);
    EXPECT_EQ(made.pool().stats().bad_releases, 0u);
    EXPECT_EQ(made.pool().size(), slots);
    EXPECT_EQ(this->misuses_.total(), 0u);
}

TYPED_TEST(exhaustion, an_acquire_from_inside_the_callback_is_refused_and_reported) {
    struct context {
        TypeParam* pool = nullptr;
        int refused = 0;
        lido::refusal why = lido::refusal::none;
    };
    static context c;
    c = {};
    typename TypeParam::settings_type settings{.name = "bullets", .on_full = on_full::replace_oldest};
    settings.on_evict = [](auto, counting&) {
        c.refused += c.pool->acquire(1000) ? 0 : 1;
        c.why = c.pool->why_refused();
    };
    made_pool<TypeParam> made(slots, settings);
    c.pool = &made.pool();
    for (int i = 0; i < 9; ++i) EXPECT_TRUE(made.pool().acquire(i));
    EXPECT_EQ(c.refused, 1);
    EXPECT_EQ(c.why, lido::refusal::reentrant);
    EXPECT_EQ(made.pool().stats().refused, 1u);
    EXPECT_EQ(made.pool().stats().replaced, 1u);
    EXPECT_EQ(this->misuses_.count(misuse_kind::reentrant_call), 1u);
    EXPECT_STREQ(this->misuses_.last().pool, "bullets");
    std::vector<int> values;
    for (const counting& object : made.pool()) values.push_back(object.read());
    std::sort(values.begin(), values.end());
    EXPECT_EQ(values, (std::vector{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_TRUE(valid(made.pool()));
}

TYPED_TEST(exhaustion, a_callback_that_released_the_victim_gets_its_room_and_the_outer_acquire_is_refused) {
    struct context {
        TypeParam* pool = nullptr;
        int calls = 0;
        typename TypeParam::handle_type got{};
    };
    static context c;
    c = {};
    typename TypeParam::settings_type settings{.on_full = on_full::replace_oldest};
    settings.on_evict = [](auto handle, counting&) {
        if (++c.calls > 3) return;  // so that a pool that goes on and on fails instead of hanging
        EXPECT_TRUE(c.pool->release(handle));
        c.got = c.pool->acquire(1000);
    };
    made_pool<TypeParam> made(slots, settings);
    c.pool = &made.pool();
    const auto handles = fill(made.pool());
    EXPECT_FALSE(made.pool().acquire(99));
    EXPECT_EQ(made.pool().why_refused(), lido::refusal::full);
    EXPECT_EQ(c.calls, 1);
    ASSERT_TRUE(made.pool().contains(c.got));
    EXPECT_EQ(made.pool().get(c.got)->read(), 1000);
    for (std::size_t i = 0; i < handles.size(); ++i) EXPECT_EQ(made.pool().contains(handles[i]), i != 0);
    EXPECT_EQ(made.pool().stats().replaced, 1u);
    EXPECT_TRUE(valid(made.pool()));
}

// --- what a pool type cannot honour -----------------------------------------------------------------------------------------

class bad_setting : public ::testing::Test {
protected:
    template <class Pool>
    void expect_rejects(typename Pool::settings_type settings, std::string_view what) {
        misuses_.forget();
        made_pool<Pool> made(slots, settings);
        EXPECT_EQ(misuses_.count(misuse_kind::bad_setting), 1u) << what;
        EXPECT_NE(std::string_view(misuses_.last().what).find(what), std::string_view::npos) << misuses_.last().what;
        EXPECT_STREQ(misuses_.last().pool, "named");
        EXPECT_EQ(fill(made.pool()).size(), slots);
        EXPECT_FALSE(made.pool().acquire_as({.priority = 15}, 9));
        EXPECT_EQ(made.pool().why_refused(), lido::refusal::full);
        EXPECT_EQ(made.pool().stats().replaced + made.pool().stats().grown, 0u);
    }
    misuse_watch misuses_;
};

template <options Options>
using inline_slots = slot_pool<counting, Options, inline_storage<slots>>;

TEST_F(bad_setting, replacing_without_the_tracking_it_needs_is_reported_and_rejects) {
    expect_rejects<inline_slots<options{}>>({.name = "named", .on_full = on_full::replace_oldest},
                                            "replace_oldest needs");
    expect_rejects<inline_slots<options{}>>({.name = "named", .on_full = on_full::replace_lowest},
                                            "replace_lowest needs");
    expect_rejects<inline_slots<by_age>>({.name = "named", .on_full = on_full::replace_lowest}, "replace_lowest needs");
    expect_rejects<inline_slots<ranked>>({.name = "named", .on_full = on_full::replace_if},
                                         "replace_if needs settings.victim");
    expect_rejects<dense_pool<counting>>({.name = "named", .on_full = on_full::replace_oldest}, "replace_oldest needs");
    expect_rejects<flag_pool<counting, slots>>({.name = "named", .on_full = on_full::replace_oldest},
                                               "replace_oldest needs");
}

TEST_F(bad_setting, growth_on_a_fixed_storage_is_reported_and_goes_to_the_ending) {
    expect_rejects<inline_slots<options{}>>({.name = "named", .on_full = on_full::grow()}, "cannot grow");
    expect_rejects<slot_pool<counting, options{}, heap_storage>>({.name = "named", .on_full = on_full::grow_to(100)},
                                                                 "cannot grow");
    expect_rejects<basic_flag_pool<counting, options{}, reserved_storage>>(
        {.name = "named", .on_full = on_full::grow()}, "cannot grow");
    expect_rejects<dense_pool<counting, options{}, heap_storage>>({.name = "named", .on_full = on_full::grow()},
                                                                  "cannot grow");
    misuses_.forget();
    inline_slots<by_age> pool({.on_full = on_full::grow().then(on_full::replace_oldest)});
    EXPECT_EQ(misuses_.total(), 1u);
    static_cast<void>(fill(pool));
    EXPECT_TRUE(pool.acquire(9));
    EXPECT_EQ(pool.stats().replaced, 1u);
}

TEST_F(bad_setting, headroom_without_its_option_is_reported_and_none_is_kept) {
    expect_rejects<inline_slots<options{}>>({.name = "named", .headroom = {.above_percent = 50, .priority = 3}},
                                            "headroom needs options::headroom");
}

TEST_F(bad_setting, headroom_of_a_growth_without_end_is_reported) {
    const slot_pool<counting, options{.headroom = true}> pool(
        slots, {.name = "named", .on_full = on_full::grow(), .headroom = {.above_percent = 80, .priority = 1}});
    EXPECT_EQ(misuses_.count(misuse_kind::bad_setting), 1u);
    EXPECT_NE(std::string_view(misuses_.last().what).find("use grow_to"), std::string_view::npos)
        << misuses_.last().what;
}

TEST_F(bad_setting, a_capacity_that_handles_cannot_name_is_lowered) {
    using tiny = slot_pool<trivial16, options{.handle_bits = 32, .index_bits = 10}, heap_storage>;
    tiny pool(5000, {.name = "named"});
    EXPECT_EQ(misuses_.count(misuse_kind::bad_setting), 1u);
    EXPECT_EQ(pool.capacity(), 1023u);
    EXPECT_EQ(fill(pool).size(), 1023u);
    dense_pool<trivial16, options{.max_rows = 300}> rows(301);
    EXPECT_EQ(rows.capacity(), 300u);
    EXPECT_EQ(misuses_.count(misuse_kind::bad_setting), 2u);
}

// --- replacing with elements that throw -------------------------------------------------------------------------------------

template <class Pool>
class replacing_throwers : public ::testing::Test {};
using thrower_pools =
    ::testing::Types<slot_pool<delicate, by_age>, flag_pool<delicate, slots, by_age>, dense_pool<delicate, by_age>>;
TYPED_TEST_SUITE(replacing_throwers, thrower_pools);

TYPED_TEST(replacing_throwers, a_constructor_that_throws_costs_nobodys_life) {
    const lifetime_scope lives;
    made_pool<TypeParam> made(slots, {.on_full = on_full::replace_oldest, .on_evict = [](auto, delicate& object) {
                                          EXPECT_EQ(object.read(), 0) << "only the second acquire may end an object";
                                      }});
    auto& pool = made.pool();
    const auto handles = fill(pool);
    delicate::fail_after(0);
    EXPECT_THROW(static_cast<void>(pool.acquire(9)), injected_failure);
    for (const auto handle : handles) EXPECT_TRUE(pool.contains(handle));
    EXPECT_EQ(pool.stats().replaced, 0u);
    EXPECT_TRUE(valid(pool));
    const auto made_now = pool.acquire(10);
    ASSERT_TRUE(made_now);
    EXPECT_EQ(made_now->read(), 10);
    EXPECT_FALSE(pool.contains(handles[0]));
    EXPECT_EQ(pool.stats().replaced, 1u);
    EXPECT_TRUE(valid(pool));
}

TEST(replacing, an_element_that_can_throw_both_ways_is_refused) {
    slot_pool<throwing, by_age> pool(slots, {.on_full = on_full::replace_oldest});
    const auto handles = fill(pool);
    EXPECT_FALSE(pool.acquire(9));
    EXPECT_EQ(pool.why_refused(), lido::refusal::cannot_replace);
    EXPECT_EQ(pool.stats().refused, 1u);
    EXPECT_EQ(pool.stats().replaced, 0u);
    for (const auto handle : handles) EXPECT_TRUE(pool.contains(handle));
    EXPECT_TRUE(valid(pool));
}

TEST(replacing, an_immovable_element_is_built_where_the_other_ended) {
    slot_pool<immovable, by_age> pool(slots, {.on_full = on_full::replace_oldest});
    const auto handles = fill(pool);
    const immovable* const place = pool.get(handles[0]);
    const auto made = pool.acquire(9);
    ASSERT_TRUE(made);
    EXPECT_EQ(made.get(), place);
    EXPECT_EQ(made->read(), 9);
}

TEST(replacing, takes_the_next_victim_when_the_first_ones_slot_is_out_of_generations) {      // X5
    constexpr options two_lives{.handle_bits = 32, .index_bits = 29, .tracks = track::age};  // generations 1, 3, 5
    const auto wear = []<class Pool>(Pool& pool) {
        static_cast<void>(fill(pool));
        for (int i = 0; i < 8; ++i) EXPECT_TRUE(pool.acquire(i));  // second lives
        for (int i = 0; i < 8; ++i) EXPECT_TRUE(pool.acquire(i));  // third and last lives
        EXPECT_EQ(pool.stats().replaced, 16u);
        EXPECT_EQ(pool.stats().retired, 0u);
        // Every slot that ends now is worn: all eight go, one after the other, and then there is none.
        EXPECT_FALSE(pool.acquire(99));
        EXPECT_EQ(pool.why_refused(), lido::refusal::full);
        EXPECT_EQ(pool.stats().retired, slots);
        EXPECT_EQ(pool.stats().replaced, 24u);
        EXPECT_TRUE(valid(pool));
    };
    slot_pool<counting, two_lives> slot(slots, {.on_full = on_full::replace_oldest});
    wear(slot);
    dense_pool<counting, two_lives> dense(slots, {.on_full = on_full::replace_oldest});
    wear(dense);
}

}  // namespace pool_exhaustion_test
