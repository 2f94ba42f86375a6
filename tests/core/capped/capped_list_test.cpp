// Promise (S3.3, S3.4): the length is the cap, removal is a swap with the last, a backward walk that removes as it goes visits every
// element once; and a full list drops, replaces or merges as it was told.
#include "core/misuse/misuse_log.hpp"
#include "core/rewind/image_map.hpp"
#include "support/allocation_counter.hpp"
#include "support/elements.hpp"

#include <lido/core/capped_list.hpp>
#include <lido/core/pool.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace capped_list_test {

using namespace lido;
using namespace lido::test;

constexpr options with_age{.tracks = track::age};
constexpr options with_priority{.tracks = track::priority};
static_assert(holder<capped_list<int, 15>> && holder<capped_list<string_owner, 4, with_priority>>);

/// Its constructor throws on request, its move never.
class delicate_like {
public:
    explicit delicate_like(int seed) : body_((fail_now() ? throw injected_failure{} : 0, seed)) {}
    [[nodiscard]] int read() const { return body_.read(); }
    static inline bool fail_next = false;

private:
    [[nodiscard]] static bool fail_now() { return std::exchange(fail_next, false); }
    counting body_;
};

template <class List>
[[nodiscard]] std::vector<int> sorted(const List& list) {
    EXPECT_TRUE(list.validate()) << list.validate().broken;
    std::vector<int> all(list.begin(), list.end());
    std::sort(all.begin(), all.end());
    return all;
}

TEST(capped_list, pushes_until_the_cap_and_counts_what_is_dropped) {  // S3.3
    capped_list<int, 60> list;
    for (int i = 0; i < 100; ++i) EXPECT_EQ(list.push(i) != nullptr, i < 60);
    EXPECT_EQ(list.size(), 60u);
    EXPECT_TRUE(list.full());
    EXPECT_EQ(list.dropped(), 40u);
    EXPECT_EQ(list.why_refused(), refusal::full);
    EXPECT_EQ(list.stats().peak, 60u);
    EXPECT_EQ(list.values().size(), 60u);
    EXPECT_EQ(list.values()[59], 59);
}

TEST(capped_list, swap_remove_moves_the_last_into_the_hole) {  // S3.4
    lifetime_scope lives;
    misuse_log log;
    capped_list<counting, 4> list;
    for (int i = 0; i < 4; ++i) list.push(i);
    EXPECT_TRUE(list.swap_remove(1));
    EXPECT_EQ(list[1].read(), 3);
    EXPECT_TRUE(list.swap_remove(2));
    EXPECT_TRUE(list.release(list[0]));
    EXPECT_EQ(list[0].read(), 3);
    EXPECT_EQ(lives.live(), 1);
    EXPECT_FALSE(list.swap_remove(1));
    const counting alone(1);
    EXPECT_FALSE(list.release(alone));
    EXPECT_EQ(list.stats().bad_releases, 2u);
    EXPECT_EQ(log.count(), 2u);
    list.clear();
    EXPECT_TRUE(list.empty());
}

TEST(capped_list, a_backward_walk_that_removes_visits_every_element_once) {  // S3.4: every set of removals
    for (unsigned gone = 0; gone < 1u << 8; ++gone) {
        capped_list<int, 8> list;
        for (int i = 0; i < 8; ++i) list.push(i);
        std::multiset<int> seen;
        std::uint32_t row = list.size();
        for (const int& v : list.backward()) {
            seen.insert(v);
            --row;
            ASSERT_EQ(&v, &list[row]);
            if ((gone >> v & 1) != 0) list.swap_remove(row);
        }
        ASSERT_EQ(seen, (std::multiset{0, 1, 2, 3, 4, 5, 6, 7}));
        capped_list<int, 8> other;
        for (int i = 0; i < 8; ++i) other.push(i);
        const auto done = other.release_if([gone](const int& v) { return (gone >> v & 1) != 0; });
        ASSERT_EQ(done + other.size(), 8u);
        ASSERT_EQ(sorted(list), sorted(other));
    }
}

TEST(capped_list, replaces_the_oldest_whatever_was_removed_before) {
    struct {
        std::vector<int> gone;
    } w;
    capped_list<int, 4, with_age> list(
        {.on_full = on_full::replace_oldest, .on_evict = [&w](std::uint32_t, int& v) { w.gone.push_back(v); }});
    for (int i = 0; i < 4; ++i) list.push(i);
    list.swap_remove(1);  // 3 takes the row of 1
    for (int i = 4; i < 9; ++i) EXPECT_NE(list.push(i), nullptr);
    EXPECT_EQ(w.gone, (std::vector{0, 2, 3, 4}));
    EXPECT_EQ(sorted(list), (std::vector{5, 6, 7, 8}));
    EXPECT_EQ(list.stats().replaced, 4u);
    EXPECT_EQ(list.dropped(), 0u);
}

TEST(capped_list, replaces_the_oldest_of_the_lowest_priority_not_above_the_newcomers) {
    capped_list<int, 3, with_priority> list({.on_full = on_full::replace_lowest});
    list.push_as({.priority = 5}, 0);
    list.push_as({.priority = 2}, 1);
    list.push_as({.priority = 2}, 2);
    EXPECT_EQ(list.push_as({.priority = 1}, 3), nullptr);
    EXPECT_NE(list.push_as({.priority = 2}, 4), nullptr);
    EXPECT_EQ(sorted(list), (std::vector{0, 2, 4}));
    list.push_as({.priority = 9}, 5);
    list.push_as({.priority = 200}, 6);
    EXPECT_EQ(sorted(list), (std::vector{0, 5, 6}));
    list.push_as({.priority = 15}, 7);
    EXPECT_EQ(sorted(list), (std::vector{5, 6, 7}));
    EXPECT_EQ(list.dropped(), 1u);
}

TEST(capped_list, replaces_by_a_rule_merges_and_keeps_headroom) {
    capped_list<int, 3> chosen({.on_full = on_full::replace_if, .victim = [](const int& v) { return v == 1; }});
    for (int i = 0; i < 5; ++i) chosen.push(i);
    EXPECT_EQ(sorted(chosen), (std::vector{0, 2, 3}));
    EXPECT_EQ(chosen.dropped(), 1u);
    capped_list<int, 2> merging({.on_full = on_full::merge, .merge = [](int& a, const int& b) {
                                     if (a % 2 != b % 2) return false;
                                     a += b;
                                     return true;
                                 }});
    merging.push(2);
    merging.push(3);
    EXPECT_EQ(merging.push(5), nullptr);
    EXPECT_EQ(merging.why_refused(), refusal::merged);
    EXPECT_EQ(merging.merged_into(), 1u);
    EXPECT_EQ(sorted(merging), (std::vector{2, 8}));
    EXPECT_EQ(merging.stats().merged, 1u);
    capped_list<int, 10, options{.headroom = true, .kinds = 2}> kept(
        {.headroom = {.above_percent = 80, .priority = 3}, .kind_caps = {0, 4}});
    for (int i = 0; i < 20; ++i) kept.push_as({.kind = static_cast<std::uint8_t>(i < 10 ? 1 : 0)}, i);
    EXPECT_EQ(kept.size(), 8u);
    EXPECT_EQ(kept.stats().refused_kind_cap, 6u);
    EXPECT_EQ(kept.stats().refused_headroom, 6u);
    EXPECT_NE(kept.push_as({.priority = 3}, 1), nullptr);
}

TEST(capped_list, settings_that_it_cannot_honour_are_said) {
    misuse_log log;
    const capped_list<int, 2> grows({.on_full = on_full::grow_to(5)});
    EXPECT_EQ(log.only().kind, misuse_kind::bad_setting);
    const capped_list<int, 2> ageless({.on_full = on_full::replace_oldest});
    EXPECT_EQ(log.only().kind, misuse_kind::bad_setting);
}

TEST(capped_list, a_callback_may_remove_the_victim_itself_and_a_throwing_constructor_ends_nobody) {
    lifetime_scope lives;
    struct {
        capped_list<delicate_like, 2, with_age>* list;
    } w{};
    capped_list<delicate_like, 2, with_age> list(
        {.on_full = on_full::replace_oldest, .on_evict = [&w](std::uint32_t row, delicate_like& v) {
             if (v.read() == 0) w.list->swap_remove(row);
         }});
    w.list = &list;
    list.push(0);
    list.push(1);
    delicate_like::fail_next = true;
    EXPECT_THROW(list.push(2), injected_failure);
    EXPECT_EQ(list.size(), 2u);
    EXPECT_EQ(list[0].read() + list[1].read(), 1);
    EXPECT_EQ(list.stats().acquired, 2u);
    EXPECT_NE(list.push(3), nullptr);
    EXPECT_NE(list.push(4), nullptr);
    EXPECT_EQ(list[0].read() + list[1].read(), 7);
    EXPECT_TRUE(list.validate());
}

TEST(capped_list, save_and_restore_bring_back_exactly_the_state_and_hostile_images_do_not) {
    using list_type = capped_list<int, 6, with_priority>;
    const allocation_watch watch;
    list_type list({.on_full = on_full::replace_lowest});
    for (int i = 0; i < 20; ++i) list.push_as({.priority = static_cast<std::uint8_t>(i % 4)}, i);
    list.release_if([](const int& v) { return v % 5 == 0; });
    EXPECT_TRUE(watch.quiet());
    std::vector<std::byte> image;
    list.save(image);
    snapshot saved;
    ASSERT_TRUE(list.save(saved));
    const std::uint64_t hash = list.state_hash();
    const auto play = [&list] {
        for (int i = 0; i < 9; ++i) list.push_as({.priority = static_cast<std::uint8_t>(i % 3)}, 50 + i);
        return std::vector<int>(list.begin(), list.end());
    };
    const auto first = play();
    ASSERT_TRUE(list.restore(saved));
    EXPECT_EQ(list.state_hash(), hash);
    EXPECT_EQ(play(), first);
    ASSERT_TRUE(list.restore(image));
    EXPECT_EQ(list.state_hash(), hash);
    EXPECT_EQ(play(), first);
    std::vector<std::byte> before;
    list.save(before);
    const auto now = [&list] {
        std::vector<std::byte> bytes;
        list.save(bytes);
        return bytes;
    };
    for (std::size_t n = 0; n < image.size(); ++n) {
        std::vector<std::byte> cut(image.begin(), image.begin() + static_cast<std::ptrdiff_t>(n));
        seal(cut);
        ASSERT_FALSE(list.restore(cut)) << n;
        ASSERT_EQ(now(), before);
    }
    int accepted = 0;
    for (std::size_t bit = 0; bit < image.size() * 8; ++bit) {
        auto flipped = image;
        flipped[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
        seal(flipped);
        if (list.restore(flipped)) {
            ++accepted;
            ASSERT_TRUE(list.validate()) << bit;
            play();
            ASSERT_TRUE(list.validate()) << bit;
            ASSERT_TRUE(list.restore(before));
        }
        ASSERT_EQ(now(), before) << bit;
    }
    EXPECT_GT(accepted, 100);
    capped_list<int, 2, with_priority> small;
    EXPECT_EQ(small.restore(image).error, restore_error::too_large);
}

}  // namespace capped_list_test
