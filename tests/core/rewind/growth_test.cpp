// X1, X12: growth and trim between save and restore. Capacity goes back with the rest, and memory is there when it is needed.
#include "core/rewind/rewind_support.hpp"

namespace lido::test {
namespace rewind_growth_test {

template <class Pool>
struct growing : pool_config {
    static constexpr const char* name = "growing";
    using pool = Pool;
    static constexpr std::uint32_t capacity = 16;
    static constexpr on_full full =
        on_full::grow_to(20'000);  // 160 kB of cells: several pages, so that trim has some to give
};
struct recent : growing<slot_pool<cell>> {};
struct lowest : growing<slot_pool<cell, with(options{}, reuse::lowest)>> {
    static constexpr const char* name = "lowest_growing";
};
struct last : growing<slot_pool<cell, with(options{}, reuse::last)>> {
    static constexpr const char* name = "last_growing";
};
struct aged : growing<slot_pool<owner, with(options{}, track::priority)>> {
    static constexpr const char* name = "owner_growing";
};
struct packed : growing<dense_pool<cell>> {};
struct plain : growing<dense_pool<owner, of_rows(1u << 21)>> {
    static constexpr const char* name = "owner_growing";
};

template <class Config>
class rewind_and_growth : public ::testing::Test {
protected:
    void fill(std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) ASSERT_TRUE(pool_->acquire(static_cast<int>(i)));
    }
    std::unique_ptr<typename Config::pool> pool_ = make_pool<Config>();
    snapshot saved_;
};
using growing_configs = ::testing::Types<recent, lowest, last, aged, packed, plain>;
TYPED_TEST_SUITE(rewind_and_growth, growing_configs, shape_and_name);

TYPED_TEST(rewind_and_growth, capacity_goes_back) {
    this->fill(10);
    const std::uint64_t hash = this->pool_->state_hash();
    ASSERT_TRUE(this->pool_->save(this->saved_));
    this->fill(5000);
    ASSERT_GT(this->pool_->capacity(), 5000u);
    ASSERT_TRUE(this->pool_->restore(this->saved_));
    EXPECT_EQ(this->pool_->capacity(), 16u);
    EXPECT_EQ(this->pool_->size(), 10u);
    EXPECT_EQ(this->pool_->state_hash(), hash);
    EXPECT_EQ(this->pool_->stats().grown, 0u);
    EXPECT_EQ(this->pool_->validate().broken, nullptr);
    this->fill(7);
    EXPECT_EQ(this->pool_->capacity(), 64u) << "it grows again as it did the first time";
}

TYPED_TEST(rewind_and_growth, a_state_that_was_trimmed_away_since_comes_back) {
    this->fill(9000);
    const std::uint64_t hash = this->pool_->state_hash();
    const std::uint32_t capacity = this->pool_->capacity();
    ASSERT_TRUE(this->pool_->save(this->saved_));
    this->pool_->clear();
    EXPECT_GT(this->pool_->trim(), 0u) << "nothing was given back, so nothing is shown";
    EXPECT_EQ(this->pool_->capacity(), 16u);
    ASSERT_TRUE(this->pool_->restore(this->saved_));
    EXPECT_EQ(this->pool_->state_hash(), hash);
    EXPECT_EQ(this->pool_->capacity(), capacity);
    EXPECT_EQ(this->pool_->validate().broken, nullptr);
    std::uint64_t sum = 0;
    this->pool_->for_each([&sum](const auto& e) { sum += static_cast<std::uint64_t>(e.read()); });
    EXPECT_EQ(sum, 9000u * 8999u / 2);
}

TYPED_TEST(rewind_and_growth, a_trimmed_state_comes_back_over_a_grown_one) {
    this->fill(6000);
    std::uint32_t left = 0;
    this->pool_->release_if([&left](const auto&) { return ++left > 20; });
    static_cast<void>(this->pool_->trim());
    const std::uint64_t hash = this->pool_->state_hash();
    ASSERT_TRUE(this->pool_->save(this->saved_));
    this->fill(12000);
    ASSERT_TRUE(this->pool_->restore(this->saved_));
    EXPECT_EQ(this->pool_->state_hash(), hash);
    EXPECT_EQ(this->pool_->validate().broken, nullptr);
    this->fill(12000);
    EXPECT_EQ(this->pool_->validate().broken, nullptr);
}

TYPED_TEST(rewind_and_growth, a_stale_handle_stays_stale_across_trim_and_restore) {
    this->fill(3000);
    std::vector<typename TypeParam::pool::handle_type> stale;
    for (const auto& [h, object] : this->pool_->each()) stale.push_back(h);
    this->pool_->clear();
    static_cast<void>(this->pool_->trim());
    ASSERT_TRUE(this->pool_->save(this->saved_));
    this->fill(3000);
    ASSERT_TRUE(this->pool_->restore(this->saved_));
    this->fill(3000);
    for (const auto h : stale) ASSERT_FALSE(this->pool_->contains(h));
}

TYPED_TEST(rewind_and_growth, a_large_image_into_a_small_pool_of_the_same_maximum_grows_it) {
    this->fill(7000);
    const auto image = image_of(*this->pool_);
    const auto other = make_pool<TypeParam>();
    const restore_result r = other->restore(image);
    ASSERT_TRUE(r) << r.what();
    EXPECT_EQ(other->state_hash(), this->pool_->state_hash());
    EXPECT_EQ(other->capacity(), this->pool_->capacity());
}

TEST(rewind_of_another_capacity, reason_is_given_by_a_flag_pool) {  // X1
    constexpr std::string_view reason =
        "saved from a flag_pool of another capacity: it takes a save of as many slots as it has";
    using any_pool = basic_flag_pool<int, options{}, heap_storage>;
    flag_pool<int, 4> four;
    four.acquire(1);
    const auto image = image_of(four);
    any_pool small(4);
    snapshot saved;
    ASSERT_TRUE(small.save(saved));

    flag_pool<int, 9> nine;
    flag_pool<int, 3> three;
    any_pool larger(9);
    any_pool smaller(3);
    const restore_result all[] = {nine.restore(image),    three.restore(image),  larger.restore(image),
                                  smaller.restore(image), larger.restore(saved), smaller.restore(saved)};
    for (const restore_result& r : all) {
        EXPECT_EQ(r.error, restore_error::too_large);
        EXPECT_EQ(r.what(), reason);
    }
    flag_pool<int, 4> same;
    EXPECT_TRUE(same.restore(image));
    EXPECT_EQ(same.size(), 1u);
}

}  // namespace rewind_growth_test
}  // namespace lido::test
