// Promise (X1, S3.2): a restore brings back the active objects, every generation and the order of idle slots, and neither makes nor
// needs idle objects; whatever bytes it is given, it takes them whole or changes nothing.
#include "core/property/configs.hpp"
#include "core/rewind/image_map.hpp"
#include "core/rewind/rewind_support.hpp"
#include "core/rewind/shake.hpp"
#include "support/lifetime.hpp"

#include <lido/core/recycle_pool.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lido::test {
namespace recycle_rewind_test {

class renewed_owner : public owner {
public:
    using owner::owner;
    void on_acquire(int v) noexcept { write(v); }
};

struct counted {
    static inline int begun = 0;
    static inline int ended = 0;
    int id = 0;
    std::vector<int> owned;
    void on_acquire(int number) {
        id = number;
        owned.clear();
        ++begun;
    }
    void on_release() noexcept {
        id = -1;
        ++ended;
    }
    void hash(hasher& h) const { h.add(static_cast<std::uint64_t>(id)); }
};

TEST(recycle_rewind, after_a_restore_the_same_calls_give_the_same_handles) {
    recycle_pool<counted> pool{6, {.idle_cap = 8}};
    std::vector<handle<counted>> all(6);
    pool.acquire_n(all, 1);
    for (const std::size_t i : {4u, 1u, 3u}) pool.release(all[i]);
    static_cast<void>(pool.prewarm(5));
    snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    const std::uint64_t hash = pool.state_hash();
    const auto play = [&] {
        std::vector<handle<counted>> got;
        for (int i = 0; i < 5; ++i) {
            got.push_back(pool.acquire(i));
            if (i % 2 == 1) pool.release(got[static_cast<std::size_t>(i) - 1]);
        }
        return got;
    };
    const auto first = play();
    for (int round = 0; round < 3; ++round) {
        if (round == 1) static_cast<void>(pool.trim());  // the idle objects are gone, their order is not
        if (round == 2) pool.clear();
        ASSERT_TRUE(pool.restore(saved));
        EXPECT_EQ(pool.state_hash(), hash);
        EXPECT_TRUE(pool.validate());
        EXPECT_EQ(play(), first);
    }
}

TEST(recycle_rewind, a_restore_keeps_idle_objects_and_makes_none) {
    recycle_pool<counted> pool{4};
    std::vector<handle<counted>> all(4);
    pool.acquire_n(all, 1);
    for (counted& c : pool) c.owned.reserve(100);
    pool.release(all[2]);
    pool.release(all[3]);
    snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    const auto again = pool.acquire(5);
    ASSERT_TRUE(pool.restore(saved));
    EXPECT_EQ(pool.idle(), 2u);
    EXPECT_FALSE(pool.contains(again));
    EXPECT_EQ(pool.acquire(6)->owned.capacity(), 100u);  // the same object, with its memory
    static_cast<void>(pool.restore(saved));
    static_cast<void>(pool.trim());
    const auto created = pool.stats().created;
    ASSERT_TRUE(pool.restore(saved));
    EXPECT_EQ(pool.idle(), 0u);  // two slots are idle, no object is there
    EXPECT_EQ(pool.stats().created, created);
    EXPECT_EQ(pool.prewarm(2), 2u);
    EXPECT_EQ(pool.acquire(7).handle(), handle<counted>::of(all[3].index(), 3));
}

TEST(recycle_rewind, undone_lives_end_with_their_hooks_and_those_that_come_back_get_none) {
    recycle_pool<counted> pool{4};
    const auto kept = pool.acquire(1);
    const auto ended = pool.acquire(2);
    snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    pool.release(ended);
    const auto undone = pool.acquire(3);  // the same slot, another life
    const auto extra = pool.acquire(4);
    kept->id = 10;
    counted::begun = counted::ended = 0;
    ASSERT_TRUE(pool.restore(saved));
    EXPECT_EQ(counted::ended, 2);  // undone and extra; kept is the same life
    EXPECT_EQ(counted::begun, 0);
    EXPECT_EQ(pool.get(kept)->id, 1);
    EXPECT_EQ(pool.get(ended)->id, 2);
    EXPECT_FALSE(pool.contains(undone) || pool.contains(extra));
    EXPECT_EQ(pool.stats().idle, 0u);
    EXPECT_TRUE(pool.validate());
}

TEST(recycle_rewind, what_idle_objects_hold_is_not_in_the_hash) {
    recycle_pool<counted> a{4};
    recycle_pool<counted> b{4};
    for (auto* pool : {&a, &b}) pool->release(pool->acquire(1));
    EXPECT_EQ(a.state_hash(), b.state_hash());
    const auto one = b.acquire(1);
    EXPECT_NE(a.state_hash(), b.state_hash());
    const auto other = a.acquire(1);
    other->owned.push_back(5);
    EXPECT_EQ(a.state_hash(), b.state_hash());  // by its hash(), only the id counts
    other->id = 2;
    EXPECT_NE(a.state_hash(), b.state_hash());
    static_cast<void>(one);
}

TEST(recycle_rewind, a_lease_whose_life_was_undone_is_empty) {
    recycle_pool<counted> pool{4};
    snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    const auto lease = pool.lease(1);
    ASSERT_TRUE(pool.restore(saved));
    EXPECT_FALSE(lease);
}

class fragile_copy : public tracked<tracked_policy{}, fragile_copy> {
public:
    using tracked::tracked;
    fragile_copy(const fragile_copy& other) noexcept(false) : tracked(other) {
        if (countdown >= 0 && countdown-- == 0) throw injected_failure{};
    }
    fragile_copy(fragile_copy&&) noexcept = default;
    fragile_copy& operator=(const fragile_copy&) = delete;
    fragile_copy& operator=(fragile_copy&&) noexcept = default;
    ~fragile_copy() = default;
    void on_acquire(int seed) noexcept { set(seed); }
    void hash(hasher& h) const { h.add(static_cast<std::uint64_t>(value())); }
    static inline int countdown = -1;
};

TEST(recycle_rewind, a_copy_that_throws_at_any_step_changes_nothing) {
    const lifetime_scope lives;
    recycle_pool<fragile_copy> pool{6};
    for (int i = 0; i < 4; ++i) static_cast<void>(pool.acquire(i));
    snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    pool.release(pool.begin().operator*());
    static_cast<void>(pool.acquire(9));
    static_cast<void>(pool.acquire(10));
    const std::uint64_t hash = pool.state_hash();
    int thrown = 0;
    for (fragile_copy::countdown = 0;; fragile_copy::countdown = ++thrown) {
        bool done = false;
        try {
            done = static_cast<bool>(pool.restore(saved));
        } catch (const injected_failure&) {
            EXPECT_EQ(pool.state_hash(), hash);
            EXPECT_TRUE(pool.validate());
            continue;
        }
        EXPECT_TRUE(done);
        break;
    }
    fragile_copy::countdown = -1;
    EXPECT_EQ(thrown, 4);
    EXPECT_EQ(pool.size(), 4u);
}

// --- hostile images ---------------------------------------------------------------------------------------------------------

template <class Pool>
class hostile_recycle : public ::testing::Test {
protected:
    hostile_recycle() {
        using handle_type = typename Pool::handle_type;
        for (const std::uint32_t slot : {3u, 7u}) {
            static_cast<void>(
                source_.release(source_.reserve(handle_type::of(slot, handle_type::last_generation - 1), 7).handle()));
        }
        std::vector<handle_type> all;
        for (int i = 0; i < 8; ++i) all.push_back(source_.acquire_as({static_cast<std::uint8_t>(i % 3)}, 100 + i));
        for (const std::size_t i : {1u, 6u, 2u}) source_.release(all[i]);
        source_.save(image_);
        for (int i = 0; i < 5; ++i) static_cast<void>(target_.acquire(i));
        target_.save(before_);
        hash_ = target_.state_hash();
    }

    /// Refused with a reason and nothing changed, or taken and sound.
    void survive(const std::vector<std::byte>& image, std::uint64_t seed) {
        const restore_result r = target_.restore(image);
        if (!r) {
            ++refused_;
            ASSERT_NE(std::string(r.what()), "");
            ASSERT_EQ(target_.state_hash(), hash_) << r.what();
            return;
        }
        ++taken_;
        const char* const wrong = shake(target_, seed, 60);
        ASSERT_EQ(wrong, nullptr) << wrong;
        ASSERT_TRUE(target_.restore(before_));
        ASSERT_EQ(target_.state_hash(), hash_);
    }

    quiet_misuse quiet_;
    Pool source_{14};
    Pool target_{14};
    std::vector<std::byte> image_;
    std::vector<std::byte> before_;
    std::uint64_t hash_ = 0;
    int refused_ = 0;
    int taken_ = 0;
};

using hostile_pools = ::testing::Types<recycle_pool<cell, short_lived, heap_storage>,
                                       recycle_pool<renewed_owner, with(short_lived, track::priority), heap_storage>>;
TYPED_TEST_SUITE(hostile_recycle, hostile_pools);

TYPED_TEST(hostile_recycle, an_image_cut_anywhere_is_refused) {
    for (std::size_t n = 0; n < this->image_.size(); ++n) {
        std::vector<std::byte> cut(this->image_.begin(), this->image_.begin() + static_cast<std::ptrdiff_t>(n));
        this->survive(cut, n);
        if (n >= 24) {
            seal(cut);
            this->survive(cut, n);
        }
    }
    EXPECT_EQ(this->taken_, 0);
}

TYPED_TEST(hostile_recycle, every_flipped_bit_is_refused_or_harmless) {
    for (std::size_t bit = 24 * 8; bit < this->image_.size() * 8; ++bit) {
        auto image = this->image_;
        image[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
        seal(image);
        this->survive(image, bit);
    }
    EXPECT_GT(this->refused_, 100);
    EXPECT_GT(this->taken_, 10);  // counters and values mean what they say
}

TYPED_TEST(hostile_recycle, hostile_numbers_anywhere_are_refused_or_harmless) {
    for (std::size_t at = 24; at + 4 <= this->image_.size(); ++at) {
        for (const std::uint32_t value : {0u, 1u, 2u, 13u, 14u, 15u, 0x7fffffffu, 0xfffffffeu, 0xffffffffu}) {
            auto image = this->image_;
            for (std::size_t i = 0; i < 4; ++i) image[at + i] = static_cast<std::byte>(value >> (8 * i) & 0xff);
            seal(image);
            this->survive(image, at);
        }
    }
    EXPECT_GT(this->refused_, 100);
}

TYPED_TEST(hostile_recycle, an_image_of_a_larger_pool_is_refused) {
    TypeParam larger{30};
    for (int i = 0; i < 20; ++i) static_cast<void>(larger.acquire(i));
    std::vector<std::byte> image;
    larger.save(image);
    const restore_result r = this->target_.restore(image);
    EXPECT_EQ(r.error, restore_error::too_large);
    EXPECT_EQ(this->target_.state_hash(), this->hash_);
}

}  // namespace recycle_rewind_test
}  // namespace lido::test
