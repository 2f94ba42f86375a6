// Promise (S3.8, X3): whatever holds a bounded number of objects, with handles or without, fills to its cap, visits, ends, counts and
// turns back the same way. One suite over all ten shapes; what needs handles is in the conformance suite.
#include "pool_cases.hpp"

#include <lido/core/capped_list.hpp>
#include <lido/core/recycled_list.hpp>
#include <lido/core/rewind/image.hpp>

#include <algorithm>
#include <numeric>

namespace pool_holder_test {

using namespace lido;
using namespace lido::test;

constexpr std::uint32_t cap = 70;  // more than one word of the maps

/// Its life is watched, it is copied one by one and writes itself into images; an idle one begins anew.
class watched : public tracked<tracked_policy{}, watched> {
public:
    watched(int seed = 0) noexcept : tracked(seed) {}  // NOLINT: implicit, for the braces of a struct
    void on_acquire(int seed) noexcept { set(seed); }
    [[nodiscard]] int read() const { return value(); }
    void hash(hasher& h) const { h.add(static_cast<std::uint64_t>(value())); }
    void save(image_writer& w) const { w.put(static_cast<std::uint32_t>(value())); }
    bool load(image_reader& r) {
        set(static_cast<int>(r.take<std::uint32_t>()));
        return r.ok();
    }
};

/// Plain bytes.
struct plain {
    std::int32_t number;
    std::uint32_t check = ~static_cast<std::uint32_t>(number);
    [[nodiscard]] int read() const { return check == ~static_cast<std::uint32_t>(number) ? number : torn; }
};

/// In columns. The second tells when two fields of different objects came together.
struct apart {
    watched whole;
    std::uint8_t low = static_cast<std::uint8_t>(whole.read());
    template <class Row>
    static int read(const Row& row) {
        const auto& [whole, low] = row;
        return low == static_cast<std::uint8_t>(whole.read()) ? whole.read() : torn;
    }
};

template <class Holder>
[[nodiscard]] int value_of(typename Holder::const_reference object) {
    if constexpr (requires { object.read(); }) {
        return object.read();
    } else {
        return apart::read(object);
    }
}

/// acquire, or push where there are no handles. False when it was refused.
template <class Holder>
bool add(Holder& holder, int seed) {
    if constexpr (requires { holder.push(seed); }) {
        const auto* const made = holder.push(seed);
        return made != nullptr && made->read() == seed;
    } else {
        const auto made = holder.acquire(seed);
        return made && value_of<Holder>(*made) == seed;
    }
}

template <class Holder>
class holders : public ::testing::Test {
protected:
    static_assert(holder<Holder>);

    void TearDown() override { EXPECT_EQ(misuses_.total(), 0u); }

    [[nodiscard]] static std::unique_ptr<Holder> make() {
        if constexpr (std::is_constructible_v<Holder, std::uint32_t>) {
            return std::make_unique<Holder>(cap);
        } else {
            return std::make_unique<Holder>();
        }
    }
    static void fill(Holder& to, int count = static_cast<int>(cap)) {
        for (int i = 0; i < count; ++i) ASSERT_TRUE(add(to, i)) << i;
    }
    /// What lives, in ascending order; every way to visit agrees.
    [[nodiscard]] static std::vector<int> values(Holder& of) {
        std::vector<int> all;
        std::vector<int> others;
        of.for_each([&](typename Holder::reference object) { all.push_back(value_of<Holder>(object)); });
        std::as_const(of).for_each(
            [&](typename Holder::const_reference object) { others.push_back(value_of<Holder>(object)); });
        EXPECT_EQ(all, others) << "for_each of a const holder visits in the same order";
        others.clear();
        // NOLINTNEXTLINE(performance-for-range-copy): a row is a reference
        for (typename Holder::reference object : of) others.push_back(value_of<Holder>(object));
        EXPECT_EQ(all, others) << "so does a range-for";
        EXPECT_EQ(all.size(), of.size());
        EXPECT_TRUE(valid(of));
        std::sort(all.begin(), all.end());
        return all;
    }
    [[nodiscard]] static std::vector<int> counted(int from, int to) {
        std::vector<int> all(static_cast<std::size_t>(to - from));
        std::iota(all.begin(), all.end(), from);
        return all;
    }

private:
    lifetime_scope lives_;
    misuse_watch misuses_;
};

using all_shapes =
    ::testing::Types<flag_pool<watched, cap>, slot_pool<watched>, slot_pool<plain, options{.order = reuse::lowest}>,
                     dense_pool<watched>, dense_pool<plain, options{.handle_bits = 32}, heap_storage>,
                     column_pool<apart>, flag_column_pool<apart>, recycle_pool<watched>,
                     recycle_pool<plain, options{.tracks = track::age}>, recycled_list<watched>, recycled_list<plain>,
                     ring_pool<watched>, inline_ring_pool<plain, cap>, capped_list<watched, cap>,
                     capped_list<plain, cap, options{.tracks = track::priority}>, bytemap_pool<watched>,
                     inline_bytemap_pool<plain, cap>>;

struct shape_name {
    template <class Holder>
    static std::string GetName(int number) {
        return std::string(Holder::shape) + "_" + std::to_string(number);
    }
};
TYPED_TEST_SUITE(holders, all_shapes, shape_name);

TYPED_TEST(holders, size_full_and_empty_follow_every_step_to_the_cap) {
    const auto one = this->make();
    EXPECT_EQ(one->capacity(), cap);
    EXPECT_TRUE(one->empty());
    for (std::uint32_t i = 0; i < cap; ++i) {
        EXPECT_FALSE(one->full());
        EXPECT_EQ(one->size(), i);
        ASSERT_TRUE(add(*one, static_cast<int>(i)));
        EXPECT_FALSE(one->empty());
        ASSERT_TRUE(valid(*one));
    }
    EXPECT_EQ(one->size(), cap);
    EXPECT_TRUE(one->full());
    EXPECT_EQ(one->why_refused(), refusal::none);
    EXPECT_EQ(this->values(*one), this->counted(0, cap));
}

TYPED_TEST(holders, one_past_the_cap_is_refused_or_ends_the_oldest_and_is_counted) {
    const auto one = this->make();
    this->fill(*one);
    const bool taken = add(*one, static_cast<int>(cap));
    const pool_stats now = one->stats();
    EXPECT_EQ(taken, std::string(TypeParam::shape) == "ring_pool") << "only a ring takes a newcomer unasked";
    EXPECT_EQ(now.replaced, taken ? 1u : 0u);
    EXPECT_EQ(now.refused, taken ? 0u : 1u);
    EXPECT_EQ(one->why_refused(), taken ? refusal::none : refusal::full);
    EXPECT_EQ(one->size(), cap);
    EXPECT_TRUE(one->full());
    EXPECT_EQ(this->values(*one), taken ? this->counted(1, cap + 1) : this->counted(0, cap));
}

TYPED_TEST(holders, release_if_asks_each_once_and_ends_exactly_the_chosen) {
    const auto one = this->make();
    this->fill(*one);
    const auto gone = [](int value) { return value % 3 == 1 || (value > 20 && value < 40) || value == 0; };
    std::vector<int> asked;
    std::vector<int> left;
    for (const int i : this->counted(0, cap)) {
        if (!gone(i)) left.push_back(i);
    }
    EXPECT_EQ(one->release_if([&](typename TypeParam::const_reference object) {
        asked.push_back(value_of<TypeParam>(object));
        return gone(asked.back());
    }),
              cap - left.size());
    std::sort(asked.begin(), asked.end());
    EXPECT_EQ(asked, this->counted(0, cap));
    EXPECT_EQ(this->values(*one), left);
    EXPECT_EQ(one->release_if([](typename TypeParam::const_reference) { return false; }), 0u);
    EXPECT_EQ(one->release_if([](typename TypeParam::const_reference) { return true; }), left.size());
    EXPECT_TRUE(one->empty());
    this->fill(*one);
    EXPECT_EQ(this->values(*one), this->counted(0, cap));
}

TYPED_TEST(holders, clear_ends_all_and_the_whole_cap_is_there_again) {
    const auto one = this->make();
    one->clear();  // of nothing
    for (int round = 0; round < 3; ++round) {
        this->fill(*one);
        one->clear();
        EXPECT_TRUE(one->empty());
        EXPECT_FALSE(one->full());
        EXPECT_TRUE(this->values(*one).empty());
    }
    this->fill(*one);
    EXPECT_EQ(this->values(*one), this->counted(0, cap));
}

TYPED_TEST(holders, stats_count_lives) {
    const auto one = this->make();
    const pool_stats none = one->stats();
    EXPECT_STREQ(none.shape, TypeParam::shape);
    EXPECT_EQ(none.capacity, cap);
    EXPECT_EQ(none.max_capacity, cap);
    EXPECT_EQ(none.size + none.peak + none.acquired + none.released + none.refused + none.bad_releases, 0u);
    this->fill(*one, 30);
    EXPECT_EQ(one->release_if(
                  [](typename TypeParam::const_reference object) { return value_of<TypeParam>(object) % 3 == 0; }),
              10u);
    this->fill(*one, 5);
    const pool_stats now = one->stats();
    EXPECT_EQ(now.size, 25u);
    EXPECT_EQ(now.peak, 30u);
    EXPECT_EQ(now.acquired, 35u);
    EXPECT_EQ(now.released, 10u);
    EXPECT_EQ(now.refused + now.replaced + now.merged + now.grown + now.retired, 0u);
    EXPECT_GT(now.bytes, 0u);
    one->clear();
    EXPECT_EQ(one->stats().released, 35u);
    EXPECT_EQ(one->stats().peak, 30u);
}

/// Lives that come and go by a rule; what is left depends on all that decides what happens next.
template <class Holder>
std::vector<int> play(Holder& holder, int from) {
    for (int i = 0; i < 40; ++i) {
        static_cast<void>(add(holder, from + i));
        if (i % 4 == 3) {
            static_cast<void>(holder.release_if(
                [i](typename Holder::const_reference object) { return value_of<Holder>(object) % 7 == i % 7; }));
        }
    }
    std::vector<int> order;
    holder.for_each([&](typename Holder::const_reference object) { order.push_back(value_of<Holder>(object)); });
    return order;
}

TYPED_TEST(holders, a_restore_brings_back_the_state_and_what_comes_after_it) {  // X1
    const auto one = this->make();
    static_cast<void>(play(*one, 0));
    const std::uint64_t then = one->state_hash();
    const std::vector<int> lived = this->values(*one);
    const pool_stats counted_then = one->stats();
    snapshot saved;
    std::vector<std::byte> image;
    ASSERT_TRUE(one->save(saved));
    one->save(image);
    EXPECT_EQ(one->state_hash(), then) << "a save changes nothing";

    const auto after = play(*one, 1000);
    const std::uint64_t now = one->state_hash();
    EXPECT_NE(now, then);
    for (int round = 0; round < 2; ++round) {
        ASSERT_TRUE(round == 0 ? one->restore(saved) : one->restore(image));
        EXPECT_EQ(one->state_hash(), then);
        EXPECT_EQ(this->values(*one), lived);
        EXPECT_EQ(one->stats().acquired, counted_then.acquired);
        EXPECT_EQ(one->stats().peak, counted_then.peak);
        EXPECT_EQ(play(*one, 1000), after);
        EXPECT_EQ(one->state_hash(), now);
    }
    const auto twin = this->make();
    ASSERT_TRUE(twin->restore(image));
    EXPECT_EQ(twin->state_hash(), then);
    EXPECT_EQ(play(*twin, 1000), after);
    std::vector<std::byte> again;
    ASSERT_TRUE(twin->restore(saved));
    twin->save(again);
    EXPECT_EQ(again, image);
}

TYPED_TEST(holders, an_image_that_is_cut_short_or_damaged_is_refused_and_changes_nothing) {
    const auto one = this->make();
    static_cast<void>(play(*one, 0));
    std::vector<std::byte> image;
    one->save(image);
    static_cast<void>(play(*one, 1000));
    const std::uint64_t now = one->state_hash();
    const std::vector<int> lived = this->values(*one);
    for (std::size_t length = 0; length < image.size(); length += length < 64 ? 1 : 13) {
        ASSERT_FALSE(one->restore(std::span<const std::byte>(image).first(length))) << length;
    }
    for (std::size_t at = 0; at < image.size(); at += 11) {
        auto damaged = image;
        damaged[at] ^= std::byte{0x10};
        ASSERT_FALSE(one->restore(damaged)) << at;
    }
    EXPECT_EQ(one->state_hash(), now);
    EXPECT_EQ(this->values(*one), lived);
}

}  // namespace pool_holder_test
