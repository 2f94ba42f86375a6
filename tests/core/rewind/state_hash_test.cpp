// X1: a state hash detects a desync: equal for equal states, different after any single change, blind to what does not matter.
#include "core/rewind/rewind_support.hpp"
#include "support/elements.hpp"

#include <cstring>

namespace lido::test {
namespace rewind_state_hash_test {

template <class Config>
class hash_of_a_state : public ::testing::Test {
protected:
    using pool_type = typename Config::pool;
    using handle_type = typename pool_type::handle_type;

    /// The same script each time, so that two of them are in the same state.
    [[nodiscard]] static std::unique_ptr<pool_type> scripted() {
        auto pool = make_pool<Config>();
        std::vector<handle_type> known;
        static_cast<void>(random_trace(*pool, 11, 150, known));
        pool->clear();
        for (int i = 0; i < 12; ++i) static_cast<void>(pool->acquire_as({static_cast<std::uint8_t>(i % 4)}, i + 1));
        std::vector<handle_type> all;
        for (const auto& [h, object] : pool->each()) all.push_back(h);
        for (const std::size_t i : {2u, 9u, 5u}) static_cast<void>(pool->release(all[i]));
        return pool;
    }
    quiet_misuse quiet_;
};
TYPED_TEST_SUITE(hash_of_a_state, every_config, shape_and_name);

TYPED_TEST(hash_of_a_state, is_equal_for_equal_states) {
    const auto a = this->scripted();
    const auto b = this->scripted();
    EXPECT_EQ(a->state_hash(), b->state_hash());
    EXPECT_EQ(state_hash(*a, *b), state_hash(*b, *a));
}

TYPED_TEST(hash_of_a_state, does_not_change_by_looking) {
    const auto pool = this->scripted();
    const std::uint64_t hash = pool->state_hash();
    snapshot saved;
    ASSERT_TRUE(pool->save(saved));
    static_cast<void>(image_of(*pool));
    static_cast<void>(pool->stats());
    static_cast<void>(pool->get(TestFixture::handle_type::from_bits(12345)));
    static_cast<void>(pool->release(TestFixture::handle_type::from_bits(0)));  // counted, and no part of the state
    EXPECT_EQ(pool->state_hash(), hash);
}

TYPED_TEST(hash_of_a_state, changes_with_any_value) {
    const auto pool = this->scripted();
    std::vector<typename TestFixture::handle_type> all;
    for (const auto& [h, object] : pool->each()) all.push_back(h);
    ASSERT_FALSE(all.empty());
    const std::uint64_t hash = pool->state_hash();
    for (const auto h : all) {
        const int was = pool->get(h)->read();
        for (const int change : {1, 2, 1 << 30}) {
            pool->get(h)->write(was ^ change);
            EXPECT_NE(pool->state_hash(), hash);
        }
        pool->get(h)->write(was);
        EXPECT_EQ(pool->state_hash(), hash);
    }
}

TYPED_TEST(hash_of_a_state, changes_when_a_slot_has_had_one_life_more) {
    if (TypeParam::pool::pool_options.generations == generation_rule::none) return;  // lives are not counted
    const auto pool = this->scripted();
    const std::uint64_t hash = pool->state_hash();
    const auto one_more = pool->acquire(1);
    ASSERT_TRUE(one_more);
    ASSERT_TRUE(pool->release(one_more.handle()));
    EXPECT_NE(pool->state_hash(), hash);
}

TYPED_TEST(hash_of_a_state, changes_with_each_acquire_release_and_growth) {
    const auto pool = this->scripted();
    std::uint64_t before = pool->state_hash();
    const auto differs = [&] {
        const std::uint64_t now = pool->state_hash();
        const bool changed = now != before;
        before = now;
        return changed;
    };
    const auto made = pool->acquire_as({15}, 77);
    ASSERT_TRUE(made);
    EXPECT_TRUE(differs());
    ASSERT_TRUE(pool->release(made.handle()));
    EXPECT_TRUE(differs());
    pool->clear();
    EXPECT_TRUE(differs());
}

// --- one promise each -----------------------------------------------------------------------------------------------

template <class Pool>
void differs_by_free_order() {
    Pool a(8);
    Pool b(8);
    std::vector<typename Pool::handle_type> ha;
    std::vector<typename Pool::handle_type> hb;
    for (int i = 0; i < 8; ++i) {
        ha.push_back(a.acquire(i).handle());
        hb.push_back(b.acquire(i).handle());
    }
    // the last ones, so that the rows of a dense pool stay the same
    a.release(ha[7]);
    a.release(ha[6]);
    b.release(hb[6]);
    EXPECT_NE(a.state_hash(), b.state_hash());
    b.release(hb[7]);
    ASSERT_EQ(a.size(), b.size());
    EXPECT_NE(a.state_hash(), b.state_hash()) << "the next handle differs, so the hash must";
    EXPECT_NE(a.acquire(1).handle(), b.acquire(1).handle());
}

TEST(state_hash_of, the_free_order_of_a_slot_pool) { differs_by_free_order<slot_pool<cell>>(); }
TEST(state_hash_of, the_free_order_of_a_dense_pool) { differs_by_free_order<dense_pool<cell>>(); }
TEST(state_hash_of, the_resting_order_of_a_slot_pool) { differs_by_free_order<slot_pool<cell, resting({}, 9)>>(); }

template <class Pool>
void differs_by_age() {
    // The same objects in the same slots, of the same generation; only which is older differs.
    Pool a(2, {.on_full = on_full::replace_oldest});
    Pool b(2, {.on_full = on_full::replace_oldest});
    for (Pool* p : {&a, &b}) {
        static_cast<void>(p->acquire(1));
        static_cast<void>(p->acquire(2));
        p->clear();
    }
    using handle_type = typename Pool::handle_type;
    ASSERT_TRUE(a.reserve(handle_type::of(0, 3), 1));
    ASSERT_TRUE(a.reserve(handle_type::of(1, 3), 2));
    ASSERT_TRUE(b.reserve(handle_type::of(1, 3), 2));
    ASSERT_TRUE(b.reserve(handle_type::of(0, 3), 1));
    EXPECT_NE(a.state_hash(), b.state_hash());
    EXPECT_NE(a.acquire(3).handle(), b.acquire(3).handle()) << "another object goes, so it is another state";
}

TEST(state_hash_of, the_ages_of_a_slot_pool) { differs_by_age<slot_pool<cell, with(options{}, track::age)>>(); }

/// A release moves the last row into the hole, so here two ways lead to the same rows with the ages the other way round.
TEST(state_hash_of, the_ages_of_a_dense_pool) {
    using pool_type = dense_pool<cell, with(options{}, track::age)>;
    using handle_type = pool_type::handle_type;
    pool_type a(3, {.on_full = on_full::replace_oldest});
    const auto gone = a.acquire(0).handle();
    ASSERT_TRUE(a.acquire(1));
    ASSERT_TRUE(a.acquire(2));
    ASSERT_TRUE(a.release(gone));  // rows: 2, 1; the older is 1
    pool_type b(3, {.on_full = on_full::replace_oldest});
    ASSERT_TRUE(b.release(b.acquire(0).handle()));
    ASSERT_TRUE(b.reserve(handle_type::of(2, 1), 2));
    ASSERT_TRUE(b.reserve(handle_type::of(1, 1), 1));  // rows: 2, 1; the older is 2
    ASSERT_TRUE(a.handle_of_row(0) == b.handle_of_row(0) && a.handle_of_row(1) == b.handle_of_row(1));
    EXPECT_NE(a.state_hash(), b.state_hash());
    ASSERT_EQ(a.acquire(3).handle(), b.acquire(3).handle());
    EXPECT_NE(a.acquire(4).handle(), b.acquire(4).handle()) << "another object goes, so it was another state";
}
TEST(state_hash_of, the_ages_of_a_flag_pool) {
    differs_by_age<basic_flag_pool<cell, with(options{}, track::age), heap_storage>>();
}

TEST(state_hash_of, the_priorities) {
    slot_pool<cell, with(options{}, track::priority)> a(4);
    slot_pool<cell, with(options{}, track::priority)> b(4);
    ASSERT_TRUE(a.acquire_as({1}, 5));
    ASSERT_TRUE(b.acquire_as({2}, 5));
    EXPECT_NE(a.state_hash(), b.state_hash());
}

// replace_oldest over track::priority decides by it, whatever the levels.
template <class Pool>
void ages_across_priorities_count() {
    Pool a(2, {.on_full = on_full::replace_oldest});
    Pool b(2, {.on_full = on_full::replace_oldest});
    auto first = a.acquire_as({0}, 1).handle();
    ASSERT_TRUE(a.acquire_as({1}, 2));
    ASSERT_TRUE(a.release(first));
    ASSERT_TRUE(a.acquire_as({0}, 3));  // now the younger one
    first = b.acquire_as({0}, 1).handle();
    ASSERT_TRUE(b.release(first));
    ASSERT_TRUE(b.acquire_as({0}, 3));  // now the older one
    ASSERT_TRUE(b.acquire_as({1}, 2));
    EXPECT_NE(a.state_hash(), b.state_hash());
    EXPECT_NE(a.acquire(9).handle(), b.acquire(9).handle()) << "the two states behave differently";
}

TEST(state_hash_of, ages_across_priorities_of_a_slot_pool) {
    ages_across_priorities_count<slot_pool<cell, with(options{}, track::priority)>>();
}
TEST(state_hash_of, ages_across_priorities_of_a_flag_pool) {
    ages_across_priorities_count<basic_flag_pool<cell, with(options{}, track::priority), heap_storage>>();
}

class fragile : public throwing {
public:
    using throwing::throwing;
    void hash(hasher& h) const { h.add(static_cast<std::uint64_t>(read())); }
};

template <class Pool>
void a_reserve_that_throws_changes_nothing() {
    Pool pool(64, {.on_full = on_full::grow_to(1000)});
    for (int i = 0; i < 65; ++i) ASSERT_TRUE(pool.acquire(i));
    const std::uint64_t hash = pool.state_hash();
    fragile::fail_after(0, fail_on::construct);
    EXPECT_THROW(static_cast<void>(pool.reserve(Pool::handle_type::of(300, 1), 1)), injected_failure);
    fragile::never_fail();
    EXPECT_EQ(pool.state_hash(), hash);
}

TEST(state_hash_of, a_reserve_that_throws_changes_nothing) {
    a_reserve_that_throws_changes_nothing<slot_pool<fragile>>();
}
TEST(state_hash_of, a_reserve_that_throws_changes_nothing_with_lowest_reuse) {
    a_reserve_that_throws_changes_nothing<slot_pool<fragile, with(options{}, reuse::lowest)>>();
}

struct padded {
    char letter;
    std::uint64_t number;
    char tail;
};
static_assert(sizeof(padded) == 24, "it has padding in the middle and at the end");

template <class Pool>
void padding_does_not_matter() {
    Pool a(4);
    Pool b(4);
    int fill = 0x11;
    for (Pool* p : {&a, &b}) {
        const auto got = p->acquire(padded{'x', 5, 'y'});
        ASSERT_TRUE(got);
        std::memset(static_cast<void*>(got.get()), fill, sizeof(padded));
        got->letter = 'x';
        got->number = 5;
        got->tail = 'y';
        fill = 0xee;
    }
    EXPECT_EQ(a.state_hash(), b.state_hash());
    EXPECT_EQ(image_of(a), image_of(b)) << "and no byte of it gets into an image";
    b.for_each([](padded& p) { p.tail = 'z'; });
    EXPECT_NE(a.state_hash(), b.state_hash());
}

TEST(state_hash_of, a_slot_pool_is_blind_to_padding) { padding_does_not_matter<slot_pool<padded>>(); }
TEST(state_hash_of, a_dense_pool_is_blind_to_padding) { padding_does_not_matter<dense_pool<padded>>(); }

template <class Pool>
void dead_bytes_do_not_matter() {
    Pool a(8);
    Pool b(8);
    int value = 5;
    for (Pool* p : {&a, &b}) {
        static_cast<void>(p->acquire(1));
        const auto dies = p->acquire(value);
        ASSERT_TRUE(p->release(dies.handle()));
        value = 999;
    }
    EXPECT_EQ(a.state_hash(), b.state_hash());
    EXPECT_EQ(image_of(a), image_of(b)) << "and no byte of the dead gets into an image";
}

TEST(state_hash_of, a_slot_pool_is_blind_to_dead_slots) { dead_bytes_do_not_matter<slot_pool<cell>>(); }
TEST(state_hash_of, a_flag_pool_is_blind_to_dead_slots) {
    dead_bytes_do_not_matter<basic_flag_pool<cell, options{}, heap_storage>>();
}
TEST(state_hash_of, a_dense_pool_is_blind_to_dead_rows) { dead_bytes_do_not_matter<dense_pool<cell>>(); }

TEST(state_hash_of, a_plain_struct_is_blind_to_padding_too) {
    padded a;
    padded b;
    std::memset(static_cast<void*>(&a), 0x33, sizeof a);
    std::memset(static_cast<void*>(&b), 0x44, sizeof b);
    a.letter = b.letter = 'q';
    a.number = b.number = 7;
    a.tail = b.tail = 'r';
    EXPECT_EQ(state_hash(a), state_hash(b));
    b.number = 8;
    EXPECT_NE(state_hash(a), state_hash(b));
}

}  // namespace rewind_state_hash_test
}  // namespace lido::test
