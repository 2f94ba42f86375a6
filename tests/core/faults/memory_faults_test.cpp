// Memory refused at every step: that acquire fails cleanly, nothing is lost, and the pool works again when memory is back.
#include <lido/core.hpp>

#include "core/misuse/misuse_log.hpp"
#include "support/elements.hpp"
#include "support/failing_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace faults_memory_faults_test {

using lido::misuse_kind;
using lido::on_full;
using lido::options;
using lido::test::failing_memory;
using lido::test::misuse_log;
using refuse = lido::test::memory_failure;

/// Large enough that pools of thousands take many pages.
class block : public lido::test::trivial256 {
public:
    using trivial256::trivial256;
    void hash(lido::hasher& h) const { h.add(static_cast<std::uint64_t>(read())); }
};
static_assert(std::is_trivially_copyable_v<block> && sizeof(block) == 256);

using failing_heap = lido::basic_heap_storage<lido::test::failing_source<>>;
using failing_reserved = lido::basic_reserved_storage<lido::test::failing_pages<>>;

/// Every call, on a pool that got no memory.
template <class Pool>
void expect_harmless(Pool& pool) {
    using H = typename Pool::handle_type;
    EXPECT_EQ(pool.capacity(), 0u);
    EXPECT_EQ(pool.max_capacity(), 0u);
    EXPECT_EQ(pool.size(), 0u);
    EXPECT_TRUE(pool.empty());
    EXPECT_TRUE(pool.full());
    EXPECT_FALSE(pool.acquire(1));
    EXPECT_NE(pool.why_refused(), lido::refusal::none);
    EXPECT_FALSE(pool.acquire_as({.priority = 15}, 1));
    EXPECT_FALSE(pool.lease(1));
    std::uint64_t refused = 4;  // three above, one below
    if constexpr (requires { pool.reserve(H{}, 1); }) {
        EXPECT_FALSE(pool.reserve(H::of(0, 1), 1));
        EXPECT_EQ(pool.why_refused(), lido::refusal::out_of_range);
        ++refused;
    }
    std::vector<H> out(3, H::of(1, 1));
    EXPECT_EQ(pool.acquire_n(out, 1), 0u);
    EXPECT_FALSE(out[0]);
    EXPECT_EQ(pool.stats().refused, refused);
    for (const H h : {H{}, H::of(0, 1), H::of(77, 3), H::of(H::max_slots, 1)}) {
        EXPECT_FALSE(pool.contains(h));
        EXPECT_EQ(pool.get(h), nullptr);
        EXPECT_FALSE(pool.release(h));
    }
    const typename Pool::value_type alone(4);
    EXPECT_FALSE(pool.handle_of(alone));
    EXPECT_FALSE(pool.release(alone));
    EXPECT_EQ(pool.stats().bad_releases, 5u);
    EXPECT_EQ(pool.release_if([](const auto&) { return true; }), 0u);
    int visits = 0;
    pool.for_each([&](auto&) { ++visits; });
    for (auto& each : pool) {
        static_cast<void>(each);
        ++visits;
    }
    for (auto&& each : pool.each()) {
        static_cast<void>(each);
        ++visits;
    }
    EXPECT_EQ(visits, 0);
    pool.clear();
    EXPECT_EQ(pool.trim(), 0u);
    const char* broken = pool.validate().broken;
    EXPECT_EQ(broken, nullptr) << broken;
    lido::snapshot s;
    EXPECT_TRUE(pool.save(s));
    EXPECT_TRUE(pool.restore(s));
    std::vector<std::byte> image;
    pool.save(image);
    EXPECT_TRUE(pool.restore(image)) << pool.restore(image).what();
    Pool moved(std::move(pool));
    EXPECT_FALSE(moved.acquire(1));
    EXPECT_TRUE(moved.validate());
}

template <class Pool>
class memory_faults : public ::testing::Test {
protected:
    void SetUp() override { failing_memory::reset(); }
    void TearDown() override {
        EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
        failing_memory::reset();
    }
};

constexpr options no_delay{.tracks = lido::track::priority, .headroom = true};
constexpr options all_options{.tracks = lido::track::priority, .reuse_delay = 20, .headroom = true};

using pools = ::testing::Types<
    lido::slot_pool<block, options{}, failing_heap>, lido::slot_pool<block, options{}, failing_reserved>,
    lido::slot_pool<block, options{.order = lido::reuse::lowest}, failing_reserved>,
    lido::slot_pool<block, all_options, failing_reserved>, lido::basic_flag_pool<block, options{}, failing_heap>,
    lido::dense_pool<block, options{}, failing_heap>, lido::dense_pool<block, options{}, failing_reserved>,
    lido::dense_pool<block, all_options, failing_reserved>, lido::recycle_pool<block, options{}, failing_heap>,
    lido::recycle_pool<block, no_delay, failing_reserved>, lido::ring_pool<block, options{}, failing_heap>,
    lido::ring_pool<block, options{}, failing_reserved>, lido::bytemap_pool<block, 0, failing_heap>,
    lido::bytemap_pool<block, 0, failing_reserved>>;
TYPED_TEST_SUITE(memory_faults, pools);

TYPED_TEST(memory_faults, a_construction_without_memory_is_told_and_harmless) {
    misuse_log log;
    const std::size_t refused = refuse_each_call(refuse::once, [&] {
        log.clear();
        TypeParam pool(20000, {.name = "p"});
        if (failing_memory::refused() == 0) {
            EXPECT_EQ(pool.capacity(), 20000u);
            EXPECT_EQ(log.count(), 0u);
            return;
        }
        EXPECT_EQ(log.count(misuse_kind::no_memory), 1u);
        EXPECT_EQ(log.count(), 1u);
        failing_memory::refuse(0);
        expect_harmless(pool);
        failing_memory::refuse(1, refuse::once);  // so that the walk sees that something was refused
        static_cast<void>(TypeParam(1));
    });
    EXPECT_GT(refused, 0u);
}

TYPED_TEST(memory_faults, a_pool_of_no_slots_is_harmless_and_told_only_where_the_document_has_none) {
    misuse_log log;
    TypeParam pool(0);
    // bytemap_pool: a count is what Initialise is asked for, and of none it refuses that (S2.2).
    const bool is_refused = std::string_view(TypeParam::shape) == "bytemap_pool";
    EXPECT_EQ(log.count(), is_refused ? 1u : 0u);
    expect_harmless(pool);
}

// --- growing ---------------------------------------------------------------------------------------------------------------

template <class Pool>
class memory_faults_while_growing : public memory_faults<Pool> {
protected:
    using handle = typename Pool::handle_type;
    static constexpr std::uint32_t most = 20000;

    static typename Pool::settings_type growing() { return {.name = "p", .on_full = on_full::grow_to(most)}; }

    struct lives {
        std::vector<handle> handles;
        std::uint64_t refused = 0;
    };

    /// Acquires; a refusal is checked for cleanness, and `is_back` then brings memory back and the same acquire is made again.
    template <class IsBack>
    static void acquire(Pool& pool, lives& l, IsBack&& is_back) {
        const int value = static_cast<int>(l.handles.size());
        const auto stats = pool.stats();
        auto made = pool.acquire(value);
        if (!made) {
            ++l.refused;
            ASSERT_EQ(pool.why_refused(), lido::refusal::no_memory);
            ASSERT_EQ(pool.stats().refused, stats.refused + 1);
            ASSERT_EQ(pool.stats().refused_no_memory, stats.refused_no_memory + 1);
            ASSERT_EQ(pool.stats().grown, stats.grown);
            ASSERT_EQ(pool.size(), stats.size);
            ASSERT_EQ(pool.capacity(), stats.capacity);
            ASSERT_EQ(pool.validate().broken, nullptr) << pool.validate().broken;
            ASSERT_FALSE(pool.acquire(value)) << "still none";
            is_back();
            made = pool.acquire(value);
            ASSERT_TRUE(made) << "memory is back: " << to_string(pool.why_refused());
        }
        l.handles.push_back(made);
    }

    static void expect_whole(Pool& pool, const lives& l) {
        ASSERT_EQ(pool.size(), l.handles.size());
        for (std::size_t i = 0; i < l.handles.size(); ++i) {
            const auto* object = pool.get(l.handles[i]);
            ASSERT_NE(object, nullptr);
            ASSERT_EQ(object->read(), static_cast<int>(i));
        }
        ASSERT_EQ(pool.validate().broken, nullptr) << pool.validate().broken;
    }
};

using growing_pools = ::testing::Types<
    lido::slot_pool<block, options{}, failing_reserved>,
    lido::slot_pool<block, options{.order = lido::reuse::lowest}, failing_reserved>,
    lido::slot_pool<block, all_options, failing_reserved>, lido::dense_pool<block, options{}, failing_reserved>,
    lido::dense_pool<block, all_options, failing_reserved>, lido::recycle_pool<block, options{}, failing_reserved>,
    lido::recycle_pool<block, no_delay, failing_reserved>>;
TYPED_TEST_SUITE(memory_faults_while_growing, growing_pools);

TYPED_TEST(memory_faults_while_growing, each_refused_step_of_filling_up_is_a_clean_refusal_and_nothing_is_lost) {
    // What a pool with all the memory it wants gives: the same handles, in the same order.
    std::vector<typename TypeParam::handle_type> expected;
    {
        TypeParam calm(64, this->growing());
        while (const auto made = calm.acquire(1)) {
            expected.push_back(made);
        }
        ASSERT_EQ(expected.size(), this->most);
    }
    std::uint64_t refused_acquires = 0;
    std::size_t steps = 0;
    for (;; ++steps) {
        ASSERT_LT(steps, 200u);
        failing_memory::refuse(0);
        TypeParam pool(64, this->growing());
        typename TestFixture::lives l;
        failing_memory::refuse(steps + 1, refuse::onwards);
        while (l.handles.size() < this->most) {
            this->acquire(pool, l, [] { failing_memory::refuse(0); });
            if (this->HasFatalFailure()) {
                return;
            }
        }
        ASSERT_EQ(l.handles, expected) << "step " << steps;
        if (l.refused == 0) {
            break;
        }
        refused_acquires += l.refused;
        this->expect_whole(pool, l);
        ASSERT_FALSE(pool.acquire(0));
        ASSERT_EQ(pool.why_refused(), lido::refusal::full) << "the reason is of the last refusal";
        if (this->HasFatalFailure()) {
            return;
        }
    }
    EXPECT_GT(steps, 3u);
    EXPECT_GE(refused_acquires, steps) << "a walk that refused nothing shows nothing";
}

TYPED_TEST(memory_faults_while_growing, a_single_refused_step_is_made_up_for_by_asking_for_less) {
    const std::size_t refused = refuse_each_call(refuse::once, [&] {
        misuse_log log;
        TypeParam pool(64, this->growing());
        if (pool.capacity() == 0) {
            return;  // the construction itself, see above
        }
        for (std::uint32_t i = 0; i < 3000; ++i) {
            ASSERT_TRUE(pool.acquire(static_cast<int>(i)));
        }
        ASSERT_TRUE(pool.validate());
    });
    EXPECT_GT(refused, 3u);
}

TYPED_TEST(memory_faults_while_growing, a_system_that_runs_out_gives_what_it_has_and_no_more) {
    TypeParam pool(64, this->growing());
    typename TestFixture::lives l;
    failing_memory::limit_bytes(failing_memory::held_bytes() + 2 * 1024 * 1024);
    while (const auto made = pool.acquire(static_cast<int>(l.handles.size()))) {
        l.handles.push_back(made);
    }
    EXPECT_EQ(pool.why_refused(), lido::refusal::no_memory);
    EXPECT_GT(l.handles.size(), 1000u);
    EXPECT_LT(l.handles.size(), this->most);
    this->expect_whole(pool, l);
    // A release makes room without memory.
    pool.release(l.handles[500]);
    const auto again = pool.acquire(500);
    ASSERT_TRUE(again);
    l.handles[500] = again;
    this->expect_whole(pool, l);
    failing_memory::limit_bytes(SIZE_MAX);
    while (const auto made = pool.acquire(static_cast<int>(l.handles.size()))) {
        l.handles.push_back(made);
    }
    EXPECT_EQ(l.handles.size(), this->most);
    this->expect_whole(pool, l);
}

TYPED_TEST(memory_faults_while_growing, a_reserve_far_ahead_without_memory_changes_nothing) {
    using H = typename TypeParam::handle_type;
    TypeParam pool(64, this->growing());
    typename TestFixture::lives l;
    for (int i = 0; i < 40; ++i) {
        l.handles.push_back(pool.acquire(i));
    }
    const H far = H::of(15000, 9);
    const auto hash = pool.state_hash();
    std::size_t refused = 0;
    for (std::size_t nth = 1;; ++nth) {
        failing_memory::refuse(nth, refuse::onwards);
        const auto before = pool.stats();
        const auto made = pool.reserve(far, 40);
        const bool was_refused = failing_memory::refused() != 0;
        failing_memory::refuse(0);
        if (made) {
            ASSERT_FALSE(was_refused);
            ASSERT_EQ(made.handle(), far);
            l.handles.push_back(far);
            break;
        }
        ++refused;
        ASSERT_TRUE(was_refused);
        ASSERT_EQ(pool.why_refused(), lido::refusal::no_memory);
        ASSERT_EQ(pool.stats().refused_no_memory, before.refused_no_memory + 1);
        ASSERT_EQ(pool.capacity(), before.capacity);
        ASSERT_EQ(pool.stats().grown, before.grown);
        ASSERT_FALSE(pool.contains(far));
        ASSERT_EQ(pool.state_hash(), hash);
        this->expect_whole(pool, l);
        if (this->HasFatalFailure()) {
            return;
        }
    }
    EXPECT_GT(refused, 0u);
    this->expect_whole(pool, l);
}

TYPED_TEST(memory_faults_while_growing, an_acquire_after_a_trim_asks_anew_and_may_be_refused) {
    TypeParam pool(64, this->growing());
    typename TestFixture::lives l;
    for (int i = 0; i < 10000; ++i) {
        l.handles.push_back(pool.acquire(i));
    }
    const std::vector<typename TypeParam::handle_type> stale(l.handles.begin() + 100, l.handles.end());
    for (const auto h : stale) {
        pool.release(h);
    }
    l.handles.resize(100);
    ASSERT_GT(pool.trim(), 1000u * 256u);
    this->expect_whole(pool, l);
    failing_memory::refuse(1, refuse::onwards);
    while (l.handles.size() < 5000 && l.refused == 0) {
        this->acquire(pool, l, [] { failing_memory::refuse(0); });
        if (this->HasFatalFailure()) {
            return;
        }
    }
    EXPECT_EQ(l.refused, 1u) << "a walk that refused nothing shows nothing";
    for (int i = 0; i < 3000; ++i) {
        this->acquire(pool, l, [] {});
    }
    this->expect_whole(pool, l);
    for (const auto h : stale) {
        ASSERT_FALSE(pool.contains(h) && std::find(l.handles.begin(), l.handles.end(), h) == l.handles.end())
            << "a stale handle came back to life";
    }
}

TYPED_TEST(memory_faults_while_growing, a_restore_without_memory_changes_nothing) {
    TypeParam large(64, this->growing());
    typename TestFixture::lives big;
    for (int i = 0; i < 9000; ++i) {
        big.handles.push_back(large.acquire(i));
    }
    lido::snapshot shot;
    ASSERT_TRUE(large.save(shot));
    std::vector<std::byte> image;
    large.save(image);
    for (const bool by_image : {false, true}) {
        TypeParam small(64, this->growing());
        typename TestFixture::lives l;
        for (int i = 0; i < 30; ++i) {
            l.handles.push_back(small.acquire(i));
        }
        std::uint64_t hash = small.state_hash();
        const auto restore = [&] { return by_image ? small.restore(image) : small.restore(shot); };
        std::size_t refused = 0;
        for (std::size_t nth = 1;; ++nth) {
            failing_memory::refuse(nth, refuse::onwards);
            const auto result = restore();
            const bool was_refused = failing_memory::refused() != 0;
            failing_memory::refuse(0);
            if (result) {
                ASSERT_FALSE(was_refused);
                break;
            }
            ++refused;
            ASSERT_EQ(result.error, lido::restore_error::no_memory);
            ASSERT_EQ(small.state_hash(), hash);
            this->expect_whole(small, l);
            const auto next = small.acquire(30);
            ASSERT_TRUE(next);
            ASSERT_TRUE(small.release(next));
            if (this->HasFatalFailure()) {
                return;
            }
            l.handles.clear();
            small.clear();
            for (int i = 0; i < 30; ++i) {
                l.handles.push_back(small.acquire(i));
            }
            hash = small.state_hash();
        }
        EXPECT_GT(refused, 0u);
        EXPECT_EQ(small.state_hash(), large.state_hash());
        this->expect_whole(small, big);
    }
}

TYPED_TEST(memory_faults_while_growing, a_refusal_falls_back_to_the_ending_of_on_full) {
    if constexpr (TypeParam::pool_options.tracks != lido::track::nothing) {
        auto settings = this->growing();
        settings.on_full = on_full::grow_to(this->most).then(on_full::replace_oldest);
        TypeParam pool(64, settings);
        for (int i = 0; i < 64; ++i) {
            ASSERT_TRUE(pool.acquire(i));
        }
        failing_memory::refuse(1, refuse::onwards);
        std::uint32_t made = 0;
        while (pool.stats().replaced == 0) {
            ASSERT_TRUE(pool.acquire(static_cast<int>(made)));
            ASSERT_LT(++made, this->most);
        }
        EXPECT_EQ(pool.stats().refused, 0u);
        EXPECT_TRUE(pool.validate());
        failing_memory::refuse(0);
        const auto size = pool.size();
        ASSERT_TRUE(pool.acquire(1));
        EXPECT_EQ(pool.size(), size + 1) << "grows again now that memory is back";
    }
}

// (slot | 63) + 1 is 2^32 here: in 32 bits that is no memory at all, which every system grants.
TEST(memory_faults_at_the_last_slots, a_reserve_without_memory_is_refused) {
    failing_memory::reset();
    {
        lido::slot_pool<char, options{}, failing_reserved> pool(0xffffffffu);
        ASSERT_EQ(pool.capacity(), 0xffffffffu);
        failing_memory::limit_bytes(failing_memory::held_bytes() + 1024 * 1024);
        EXPECT_FALSE(pool.reserve(lido::handle<char>::of(0xfffffff0u, 1), 'x'));
        EXPECT_EQ(pool.why_refused(), lido::refusal::no_memory);
        EXPECT_TRUE(pool.acquire('y'));
        EXPECT_TRUE(pool.validate());
    }
    EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
    failing_memory::reset();
}

// Objects made ahead need memory too.
TEST(memory_faults_of_idle_objects, a_prewarm_makes_what_there_is_memory_for_and_goes_on_when_it_is_back) {
    failing_memory::reset();
    {
        lido::recycle_pool<block, options{}, failing_reserved> pool(20000);
        failing_memory::limit_bytes(failing_memory::held_bytes() + 1024 * 1024);
        const auto made = pool.prewarm(20000);
        EXPECT_GT(made, 100u);
        EXPECT_LT(made, 20000u);
        EXPECT_EQ(pool.idle(), made);
        EXPECT_EQ(pool.stats().created, made);
        EXPECT_FALSE(pool.adopt(block(1)));
        EXPECT_EQ(pool.idle(), made);
        EXPECT_EQ(pool.validate().broken, nullptr) << pool.validate().broken;
        for (std::uint32_t i = 0; i < made; ++i) ASSERT_TRUE(pool.acquire(static_cast<int>(i))) << "it waits already";
        EXPECT_FALSE(pool.acquire(1));
        EXPECT_EQ(pool.why_refused(), lido::refusal::no_memory);
        EXPECT_FALSE(pool.adopt_active(block(1)));
        EXPECT_EQ(pool.why_refused(), lido::refusal::no_memory);
        EXPECT_EQ(pool.size(), made);
        EXPECT_EQ(pool.validate().broken, nullptr) << pool.validate().broken;
        failing_memory::limit_bytes(SIZE_MAX);
        EXPECT_TRUE(pool.adopt_active(block(1)));
        EXPECT_EQ(pool.prewarm(20000), 20000u - made - 1);
        EXPECT_EQ(pool.validate().broken, nullptr) << pool.validate().broken;
    }
    EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
    failing_memory::reset();
}

// A heap pool asks once: what it has it keeps.
TEST(memory_faults_of_the_heap, nothing_is_asked_for_after_construction) {
    failing_memory::reset();
    {
        lido::slot_pool<block, options{}, failing_heap> pool(5000);
        failing_memory::refuse(1, refuse::onwards);
        while (pool.acquire(1)) {
        }
        EXPECT_EQ(pool.size(), 5000u);
        EXPECT_EQ(failing_memory::calls(), 0u);
        EXPECT_EQ(pool.why_refused(), lido::refusal::full);
    }
    EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
    failing_memory::reset();
}

}  // namespace faults_memory_faults_test
