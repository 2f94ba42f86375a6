// X1: a copy that throws during save or restore leaves pools as they were and loses no object. Every copy fails once.
#include "core/rewind/rewind_support.hpp"
#include "support/lifetime.hpp"

#include <lido/core/bytemap_pool.hpp>
#include <lido/core/capped_list.hpp>
#include <lido/core/ring_pool.hpp>

namespace lido::test {
namespace rewind_throwing_copy_test {

/// Copying may throw; moving may not, which restore and dense_pool ask for.
class fragile {
public:
    explicit fragile(int v) : inner_(v) {}
    fragile(const fragile& other) : inner_(other.inner_) {}
    fragile(fragile&& other) noexcept : inner_(other.inner_.value()) {}  // built anew: moving must not count as a copy
    fragile& operator=(const fragile&) = delete;
    fragile& operator=(fragile&&) = delete;
    ~fragile() = default;
    [[nodiscard]] int read() const { return inner_.value(); }
    void hash(hasher& h) const { h.add(static_cast<std::uint64_t>(inner_.value())); }

    struct tag {};
    using inner = tracked<tracked_policy{.may_throw = true}, tag>;

private:
    inner inner_;
};

struct slot_fragile : pool_config {
    static constexpr const char* name = "fragile";
    using pool = slot_pool<fragile, options{.tracks = track::age}>;
    static constexpr std::uint32_t capacity = 100;
};
struct lowest_fragile : pool_config {
    static constexpr const char* name = "lowest_fragile";
    using pool = slot_pool<fragile, with(options{}, reuse::lowest)>;
    static constexpr std::uint32_t capacity = 100;
};
struct flag_fragile : pool_config {
    static constexpr const char* name = "fragile";
    using pool = flag_pool<fragile, 100>;
    [[maybe_unused]] static constexpr std::uint32_t capacity = 100;
};
struct dense_fragile : pool_config {
    static constexpr const char* name = "fragile";
    using pool = dense_pool<fragile, resting({}, 3)>;
    static constexpr std::uint32_t capacity = 100;
};

struct ring_fragile : pool_config {
    static constexpr const char* name = "fragile";
    using pool = ring_pool<fragile>;
    static constexpr std::uint32_t capacity = 30;  // fewer than are made, so that some were replaced
};
struct capped_fragile : pool_config {
    static constexpr const char* name = "fragile";
    using pool = capped_list<fragile, 100, options{.tracks = track::priority}>;
    [[maybe_unused]] static constexpr std::uint32_t capacity = 100;
};
struct bytemap_fragile : pool_config {
    static constexpr const char* name = "fragile";
    using pool = inline_bytemap_pool<fragile, 100>;
    [[maybe_unused]] static constexpr std::uint32_t capacity = 100;
};

template <class Config>
class throwing_copy : public ::testing::Test {
protected:
    void fill(typename Config::pool& pool, int from) {
        pool.release_if([](const fragile& f) { return f.read() % 3 == 0; });
        for (int i = 0; i < 20; ++i) {
            if constexpr (requires { pool.push(i); }) {
                ASSERT_NE(pool.push(from + i), nullptr);
            } else {
                ASSERT_TRUE(pool.acquire(from + i));
            }
        }
    }

    /// Runs `call` with its first, second, … copy failing, until it completes. `unchanged` is asked after every failure.
    template <class Call, class Unchanged>
    void walk(Call call, Unchanged unchanged, std::size_t expected_copies) {
        std::size_t failures = 0;
        for (bool completed = false; !completed; ++failures) {
            ASSERT_LE(failures, expected_copies) << "more copies than objects";
            fragile::inner::fail_after(failures, fail_on::copy);
            try {
                call();
                completed = true;
            } catch (const injected_failure&) {
                unchanged();
            }
            fragile::inner::never_fail();
            if (::testing::Test::HasFatalFailure()) return;
        }
        EXPECT_EQ(failures, expected_copies + 1) << "each copy fails once, and a run that never failed shows nothing";
    }
};
using fragile_configs = ::testing::Types<slot_fragile, lowest_fragile, flag_fragile, dense_fragile, ring_fragile,
                                         capped_fragile, bytemap_fragile>;
TYPED_TEST_SUITE(throwing_copy, fragile_configs, shape_and_name);

TYPED_TEST(throwing_copy, in_save_leaves_the_pool_as_it_was_and_the_snapshot_empty) {
    const lifetime_scope scope;
    const auto pool = make_pool<TypeParam>();
    this->fill(*pool, 100);
    this->fill(*pool, 200);
    const std::uint64_t hash = pool->state_hash();
    const auto live = fragile::inner::counts().live;
    snapshot saved;
    ASSERT_TRUE(pool->save(saved));
    this->walk([&] { ASSERT_TRUE(pool->save(saved)); },
               [&] {
                   EXPECT_FALSE(saved) << "an old state must not pass for the new one";
                   EXPECT_EQ(pool->restore(saved).error, restore_error::not_kept);
                   EXPECT_EQ(pool->state_hash(), hash);
                   EXPECT_EQ(pool->validate().broken, nullptr);
                   EXPECT_EQ(fragile::inner::counts().live, live) << "copies were left behind";
               },
               pool->size());
    EXPECT_TRUE(pool->restore(saved));
    EXPECT_EQ(pool->state_hash(), hash);
}

TYPED_TEST(throwing_copy, in_restore_leaves_the_pool_as_it_was) {
    const lifetime_scope scope;
    const auto pool = make_pool<TypeParam>();
    this->fill(*pool, 100);
    this->fill(*pool, 200);
    const std::uint64_t then = pool->state_hash();
    const std::uint32_t saved_size = pool->size();
    snapshot saved;
    ASSERT_TRUE(pool->save(saved));
    this->fill(*pool, 300);
    const std::uint64_t now = pool->state_hash();
    const auto live = fragile::inner::counts().live;
    this->walk([&] { ASSERT_TRUE(pool->restore(saved)); },
               [&] {
                   EXPECT_EQ(pool->state_hash(), now);
                   EXPECT_EQ(pool->validate().broken, nullptr);
                   EXPECT_EQ(fragile::inner::counts().live, live);
               },
               saved_size);
    EXPECT_EQ(pool->state_hash(), then);
}

TYPED_TEST(throwing_copy, in_the_second_pool_of_a_set_leaves_the_first_as_it_was) {
    const lifetime_scope scope;
    const auto first = make_pool<TypeParam>();
    const auto second = make_pool<TypeParam>();
    this->fill(*first, 100);
    this->fill(*second, 200);
    const std::uint64_t then = state_hash(*first, *second);
    snapshot saved;
    ASSERT_TRUE(save(saved, *first, *second));
    const std::uint32_t copies = first->size() + second->size();
    this->fill(*first, 300);
    this->fill(*second, 400);
    const std::uint64_t now = state_hash(*first, *second);
    this->walk([&] { ASSERT_TRUE(restore(saved, *first, *second)); },
               [&] { EXPECT_EQ(state_hash(*first, *second), now); }, copies);
    EXPECT_EQ(state_hash(*first, *second), then);
}

TYPED_TEST(throwing_copy, in_a_ring_loses_the_tick_and_nothing_else) {
    const lifetime_scope scope;
    const auto pool = make_pool<TypeParam>();
    rewind<4> ring;
    this->fill(*pool, 100);
    const std::uint64_t then = pool->state_hash();
    ASSERT_TRUE(ring.save(1, *pool));
    this->fill(*pool, 200);
    const std::uint64_t now = pool->state_hash();
    this->walk([&] { ASSERT_TRUE(ring.save(2, *pool)); },
               [&] {
                   EXPECT_FALSE(ring.has(2));
                   EXPECT_TRUE(ring.has(1));
                   EXPECT_EQ(pool->state_hash(), now);
               },
               pool->size());
    ASSERT_TRUE(ring.restore(1, *pool));
    EXPECT_EQ(pool->state_hash(), then);
    ASSERT_TRUE(ring.restore(2, *pool));
    EXPECT_EQ(pool->state_hash(), now);
}

}  // namespace rewind_throwing_copy_test
}  // namespace lido::test
