// Bugs that other pools, slot maps and registries have shipped, as tests over every shape they apply to. Rows X1, X3, X4, X5.
#include "core/rewind/image_map.hpp"
#include "core/rewind/rewind_support.hpp"
#include "support/elements.hpp"

#include <algorithm>
#include <set>

namespace lido::test {
namespace peers_peer_bugs_test {

template <class Config>
class peer_bug : public ::testing::Test {
protected:
    using pool_type = typename Config::pool;
    using handle_type = typename pool_type::handle_type;
    static constexpr bool has_generations = pool_type::pool_options.generations != generation_rule::none;

    /// Every slot can be had once, and no object twice.
    void expect_whole(pool_type& pool) {
        ASSERT_EQ(pool.validate().broken, nullptr);
        std::set<std::uint32_t> slots;
        std::set<const void*> places;
        pool.clear();
        for (std::uint32_t i = 0; i < pool.max_capacity(); ++i) {
            const auto got = pool.acquire(static_cast<int>(i));
            ASSERT_TRUE(got) << "a slot is lost after " << i;
            ASSERT_TRUE(slots.insert(got.handle().index()).second) << "a slot was given twice";
            if (pool_type::stable_addresses) {
                ASSERT_TRUE(places.insert(got.get()).second) << "an object was given twice";
            }
        }
        EXPECT_FALSE(pool.acquire(0));
        ASSERT_EQ(pool.validate().broken, nullptr);
    }

    quiet_misuse quiet_;
};

template <class Pool, std::uint32_t Capacity = 100, std::uint32_t Cap = 0>
struct peer_config : pool_config {
    using pool = Pool;
    static constexpr std::uint32_t capacity = Capacity;
    static constexpr on_full full = Cap == 0 ? on_full::reject : on_full::grow_to(Cap);
};
struct recent : peer_config<slot_pool<cell>> {
    static constexpr const char* name = "recent";
};
struct lowest : peer_config<slot_pool<cell, with(options{}, reuse::lowest)>> {
    static constexpr const char* name = "lowest";
};
struct rests : peer_config<slot_pool<cell, resting({}, 8), heap_storage>> {
    static constexpr const char* name = "rests";
};
struct flagged : peer_config<flag_pool<cell, 100>> {
    static constexpr const char* name = "generations";
};
struct bare : peer_config<flag_pool<cell, 100, with(options{}, generation_rule::none)>> {
    static constexpr const char* name = "no_generations";
};
struct packed : peer_config<dense_pool<cell>> {
    static constexpr const char* name = "packed";
};
struct plain : peer_config<dense_pool<cell, of_rows(1u << 21)>> {
    static constexpr const char* name = "plain";
};
struct row_rests : peer_config<dense_pool<cell, resting(options{.handle_bits = 32}, 8), heap_storage>> {
    static constexpr const char* name = "rests_32_bit";
};
using peer_configs = ::testing::Types<recent, lowest, rests, flagged, bare, packed, plain, row_rests>;
TYPED_TEST_SUITE(peer_bug, peer_configs, shape_and_name);

// In the field: a registry let callers put an object under an id of their choice but left the slot's own counter where it was.
// After that object was released, the next ordinary insert into the slot counted up from the old value and gave out the very id
// again, so that ids kept by others pointed at a stranger.
TYPED_TEST(peer_bug, a_reserved_id_is_never_issued_again) {
    if (!TestFixture::has_generations) return;  // one bit a slot cannot tell lives apart, and says so
    const auto pool = make_pool<TypeParam>();
    using handle = typename TestFixture::handle_type;
    std::set<handle> issued;
    for (const std::uint32_t slot : {0u, 1u, 50u, 99u}) {
        const handle chosen = handle::of(slot, 5);
        const auto got = pool->reserve(chosen, 1);
        ASSERT_TRUE(got);
        ASSERT_EQ(got.handle(), chosen);
        issued.insert(chosen);
        ASSERT_TRUE(pool->release(chosen));
        EXPECT_FALSE(pool->reserve(chosen, 2)) << "a life is lived once";
        EXPECT_EQ(pool->why_refused(), refusal::generation_passed);
        EXPECT_FALSE(pool->reserve(handle::of(slot, 3), 2)) << "nor is an earlier one";
    }
    for (int round = 0; round < 6; ++round) {
        for (int i = 0; i < 100; ++i) {
            const auto got = pool->acquire(i);
            ASSERT_TRUE(got);
            ASSERT_TRUE(issued.insert(got.handle()).second) << "a handle was issued twice";
        }
        pool->clear();
    }
}

// In the field: putting an object under a chosen id took a slot out of the middle of the linked free list, and the code only knew
// how to unlink its head. The list lost its tail, or came to hold a live slot.
TYPED_TEST(peer_bug, a_reserve_in_the_middle_of_the_free_order_leaves_it_whole) {
    for (const std::uint32_t pattern : {0u, 1u, 2u, 3u}) {
        const auto pool = make_pool<TypeParam>();
        using handle = typename TestFixture::handle_type;
        std::vector<handle> all;
        for (int i = 0; i < 90; ++i) all.push_back(pool->acquire(i).handle());
        // free slots in a scattered order: some in the cache, some spilled, some resting, some never used
        for (std::uint32_t i = 0; i < 90; ++i) {
            if ((i * 7 + pattern) % 4 == 0) continue;
            ASSERT_TRUE(pool->release(all[(i * 37) % 90]));
        }
        std::set<handle> reserved;
        for (std::uint32_t slot = pattern; slot < 100; slot += 3) {
            const std::uint32_t life = TestFixture::has_generations ? 9 : 1;
            const auto got = pool->reserve(handle::of(slot, life), 1000 + static_cast<int>(slot));
            if (!got) {
                EXPECT_EQ(pool->why_refused(), refusal::slot_taken);
                continue;
            }
            reserved.insert(got.handle());
            ASSERT_EQ(pool->validate().broken, nullptr) << slot;
        }
        ASSERT_FALSE(reserved.empty());
        while (const auto got = pool->acquire(1))
            ASSERT_FALSE(reserved.contains(got.handle())) << "a reserved slot was given again";
        EXPECT_EQ(pool->size(), 100u) << "a slot is lost";
        for (const handle h : reserved) {
            ASSERT_NE(pool->get(h), nullptr);
            EXPECT_EQ(pool->get(h)->read(), 1000 + static_cast<int>(h.index()));
        }
        this->expect_whole(*pool);
    }
}

// In the field: clear() rebuilt the free list and left the generations alone, so that every handle from before it was valid again
// as soon as its slot was filled.
TYPED_TEST(peer_bug, clear_ends_every_life) {
    if (!TestFixture::has_generations) return;
    const auto pool = make_pool<TypeParam>();
    std::vector<typename TestFixture::handle_type> before;
    for (int round = 0; round < 4; ++round) {
        for (int i = 0; i < 100; ++i) before.push_back(pool->acquire(i).handle());
        pool->clear();
        EXPECT_TRUE(pool->empty());
        for (const auto h : before) ASSERT_FALSE(pool->contains(h));
    }
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(pool->acquire(i));
    for (const auto h : before) ASSERT_EQ(pool->get(h), nullptr) << "a handle from before the clear works again";
    this->expect_whole(*pool);
}

// In the field: a loader read "next free" from the file and indexed with it. An edited save wrote outside of the arrays.
TYPED_TEST(peer_bug, a_loader_trusts_no_index) {
    const auto pool = make_pool<TypeParam>();
    std::vector<typename TestFixture::handle_type> all;
    for (int i = 0; i < 20; ++i) all.push_back(pool->acquire(i).handle());
    for (std::size_t i = 0; i < 20; i += 2) ASSERT_TRUE(pool->release(all[i]));
    const image_bytes image = image_of(*pool);
    const std::uint64_t hash = pool->state_hash();
    const image_map<typename TestFixture::pool_type> map(image);
    std::size_t tried = 0;
    for (const field& f : map.fields) {
        const bool index = f.name == "cache" || f.name == "rest" || f.name == "slot_of_row";
        const bool count =
            f.name == "cached" || f.name == "resting" || f.name == "known" || f.name == "used" || f.name == "capacity";
        if (!index && !count) continue;
        for (const std::uint64_t hostile : {101u, 1u << 16, 1u << 20, 0x7fffffffu, 0xffffffffu}) {
            image_bytes bad = image;
            write_at(bad, f.at, f.width, hostile);
            seal(bad);
            const restore_result r = pool->restore(bad);
            ASSERT_FALSE(r) << f.name << ' ' << f.index << " = " << hostile;
            ASSERT_EQ(pool->state_hash(), hash);
            ++tried;
        }
    }
    EXPECT_GT(tried, 15u);
    this->expect_whole(*pool);
}

// --- growth ---------------------------------------------------------------------------------------------------------

template <class Config>
class peer_growth_bug : public peer_bug<Config> {};
struct recent_grows : peer_config<slot_pool<cell>, 4, 3000> {
    static constexpr const char* name = "recent";
};
struct lowest_grows : peer_config<slot_pool<cell, with(options{}, reuse::lowest)>, 4, 3000> {
    static constexpr const char* name = "lowest";
};
struct rests_grows : peer_config<slot_pool<cell, resting({}, 8)>, 4, 3000> {
    static constexpr const char* name = "rests";
};
struct packed_grows : peer_config<dense_pool<cell>, 4, 3000> {
    static constexpr const char* name = "packed";
};
struct plain_grows : peer_config<dense_pool<cell, of_rows(1u << 21)>, 4, 3000> {
    static constexpr const char* name = "plain";
};
using growth_configs = ::testing::Types<recent_grows, lowest_grows, rests_grows, packed_grows, plain_grows>;
TYPED_TEST_SUITE(peer_growth_bug, growth_configs, shape_and_name);

// In the field: when a pool grew while its last free object had just been taken, the new block was linked in front of a free list
// whose head was still the taken object, which was then handed out a second time.
TYPED_TEST(peer_growth_bug, growth_hands_no_object_out_twice) {
    const auto pool = make_pool<TypeParam>();
    using handle = typename TestFixture::handle_type;
    std::set<handle> live;
    std::vector<handle> order;
    const auto take = [&](int value) {
        const auto got = pool->acquire(value);
        ASSERT_TRUE(got);
        ASSERT_TRUE(live.insert(got.handle()).second) << "given twice at " << value;
        order.push_back(got.handle());
    };
    std::uint32_t grown = 0;
    for (int i = 0; pool->size() < 2900; ++i) {
        const std::uint32_t before = pool->capacity();
        take(i);
        if (pool->capacity() == before) continue;
        ++grown;
        // around the edge: release the one that made it grow, and an old one; take both again
        for (const std::size_t at : {order.size() - 1, order.size() / 2}) {
            const handle h = order[at];
            if (live.erase(h) == 0) continue;
            ASSERT_TRUE(pool->release(h));
        }
        take(i);
        take(i);
        ASSERT_EQ(pool->size(), live.size());
        ASSERT_EQ(pool->validate().broken, nullptr);
    }
    EXPECT_GE(grown, 5u);
    for (const handle h : live) ASSERT_TRUE(pool->contains(h));
    this->expect_whole(*pool);
}

// In the field: purging a pool gave its memory back but left the counter of blocks where it was, so that the next growth was by
// the size of the largest block there had ever been, or was refused as past the limit.
TYPED_TEST(peer_growth_bug, clear_and_trim_reset_growth) {
    const auto pool = make_pool<TypeParam>();
    for (int round = 0; round < 5; ++round) {
        std::vector<std::uint32_t> steps;
        for (int i = 0; i < 3000; ++i) {
            ASSERT_TRUE(pool->acquire(i)) << "round " << round;
            if (steps.empty() || steps.back() != pool->capacity()) steps.push_back(pool->capacity());
        }
        EXPECT_EQ(steps, (std::vector<std::uint32_t>{4, 64, 128, 256, 512, 1024, 2048, 3000})) << "round " << round;
        EXPECT_FALSE(pool->acquire(0)) << "the cap holds in every round";
        pool->clear();
        static_cast<void>(pool->trim());
        EXPECT_EQ(pool->capacity(), 4u);
        ASSERT_EQ(pool->validate().broken, nullptr);
    }
}

// --- throwing constructors ------------------------------------------------------------------------------------------

template <class Config>
class peer_throwing_bug : public ::testing::Test {};
struct recent_throws : peer_config<slot_pool<throwing>> {
    static constexpr const char* name = "recent";
};
struct lowest_throws : peer_config<slot_pool<throwing, with(options{}, reuse::lowest)>> {
    static constexpr const char* name = "lowest";
};
struct rests_throws : peer_config<slot_pool<throwing, resting({}, 8)>> {
    static constexpr const char* name = "rests";
};
struct flagged_throws : peer_config<flag_pool<throwing, 100>> {
    static constexpr const char* name = "generations";
};
struct bare_throws : peer_config<flag_pool<throwing, 100, with(options{}, generation_rule::none)>> {
    static constexpr const char* name = "no_generations";
};
/// dense_pool moves its elements, which must not throw.
class throws_when_made {
public:
    explicit throws_when_made(int v) : inner_(v) {}
    throws_when_made(throws_when_made&& other) noexcept : inner_(other.inner_.value()) {}
    throws_when_made& operator=(throws_when_made&&) = delete;
    ~throws_when_made() = default;
    [[nodiscard]] int read() const { return inner_.read(); }
    static void fail_after(std::size_t n, fail_on where) { throwing::fail_after(n, where); }
    static void never_fail() { throwing::never_fail(); }

private:
    throwing inner_;
};
struct packed_throws : peer_config<dense_pool<throws_when_made>> {
    static constexpr const char* name = "packed";
};
struct row_rests_throws : peer_config<dense_pool<throws_when_made, resting(options{.handle_bits = 32}, 8)>> {
    static constexpr const char* name = "rests";
};
using throwing_configs = ::testing::Types<recent_throws, lowest_throws, rests_throws, flagged_throws, bare_throws,
                                          packed_throws, row_rests_throws>;
TYPED_TEST_SUITE(peer_throwing_bug, throwing_configs, shape_and_name);

// In the field: the slot was taken off the free list before the element was built, and nobody put it back when the constructor
// threw. After as many failures as there were slots the pool was full of nothing.
TYPED_TEST(peer_throwing_bug, a_throwing_constructor_leaks_no_slot) {
    const lifetime_scope scope;
    const auto pool = make_pool<TypeParam>();
    using element = typename TypeParam::pool::value_type;
    using handle_type = typename TypeParam::pool::handle_type;
    std::size_t thrown = 0;
    const auto fail = [&](auto&& call) {
        element::fail_after(0, fail_on::construct);
        try {
            call();
        } catch (const injected_failure&) {
            ++thrown;
        }
        element::never_fail();
        ASSERT_EQ(pool->validate().broken, nullptr);
    };
    for (int round = 0; round < 3; ++round) {
        std::vector<handle_type> all;
        for (int i = 0; i < 100; ++i) {
            const std::uint32_t size = pool->size();
            fail([&] { static_cast<void>(pool->acquire(i)); });
            const std::uint32_t free_slot = 99 - static_cast<std::uint32_t>(i) / 2;
            fail([&] { static_cast<void>(pool->reserve(handle_type::of(free_slot, 1), i)); });
            ASSERT_EQ(pool->size(), size);
            const auto got = pool->acquire(i);
            ASSERT_TRUE(got) << "slots were lost by failures: only " << i << " are left";
            all.push_back(got.handle());
        }
        ASSERT_FALSE(pool->acquire(0));
        for (std::size_t i = 0; i < all.size(); ++i) {
            ASSERT_NE(pool->get(all[i]), nullptr);
            ASSERT_EQ(pool->get(all[i])->read(), static_cast<int>(i));
        }
        for (std::size_t i = 0; i < all.size(); ++i) ASSERT_TRUE(pool->release(all[(i * 37) % 100]));
    }
    EXPECT_GE(thrown, 300u) << "nothing threw, so nothing is shown";
    EXPECT_EQ(scope.live(), 0);
}

}  // namespace peers_peer_bugs_test
}  // namespace lido::test
