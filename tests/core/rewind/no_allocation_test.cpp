// X1: a ring of snapshots stops allocating once it is warm.
#include "core/rewind/rewind_support.hpp"
#include "support/allocation_counter.hpp"

namespace lido::test {
namespace rewind_no_allocation_test {

/// Not plain bytes, and yet without memory of its own: what is counted is the ring's.
class heavy {
public:
    explicit heavy(int v) noexcept : value_(v) {}
    heavy(const heavy& other) noexcept : value_(other.value_) {}
    heavy(heavy&& other) noexcept : value_(other.value_) {}
    heavy& operator=(const heavy&) = delete;
    heavy& operator=(heavy&&) = delete;
    ~heavy() { value_ = -1; }
    [[nodiscard]] int read() const noexcept { return value_; }

private:
    int value_;
};

template <class Pool>
struct counted : pool_config {
    static constexpr const char* name = "counted";
    using pool = Pool;
    static constexpr std::uint32_t capacity = 200;
};
struct slots : counted<slot_pool<cell, with(options{}, track::priority)>> {};
struct lowest : counted<slot_pool<cell, resting(with(options{}, reuse::lowest), 6)>> {
    static constexpr const char* name = "lowest_counted";
};
struct slots_heavy : counted<slot_pool<heavy>> {
    static constexpr const char* name = "heavy_counted";
};
struct flags : counted<basic_flag_pool<cell, options{}, inline_storage<200>>> {};
struct rows : counted<dense_pool<cell, with(options{}, track::age)>> {};
struct rows_heavy : counted<dense_pool<heavy, options{.handle_bits = 32}>> {
    static constexpr const char* name = "heavy_counted";
};

template <class Config>
class warm_ring : public ::testing::Test {
protected:
    static constexpr std::size_t ticks = 8;
    struct beat {
        std::uint64_t n;
    };

    warm_ring() {
        // Warm: every place of the ring has seen the largest state there can be.
        for (std::uint32_t i = 0; i < Config::capacity; ++i) static_cast<void>(pool_->acquire(static_cast<int>(i)));
        for (tick_ = 0; tick_ < ticks; ++tick_) warm_ = ring_.save(tick_, *pool_, beat_) && warm_;
    }

    void change() {
        const int rest = static_cast<int>(tick_ % 3);
        pool_->release_if([rest](const auto& e) { return e.read() % 3 == rest; });
        for (int i = 0; i < 40; ++i) static_cast<void>(pool_->acquire(i));
        ++beat_.n;
    }

    std::unique_ptr<typename Config::pool> pool_ = make_pool<Config>();
    rewind<ticks> ring_;
    std::uint64_t tick_ = 0;
    beat beat_{0};
    bool warm_ = true;
};
using counted_configs = ::testing::Types<slots, lowest, slots_heavy, flags, rows, rows_heavy>;
TYPED_TEST_SUITE(warm_ring, counted_configs, shape_and_name);

TYPED_TEST(warm_ring, saves_without_allocating) {
    ASSERT_TRUE(this->warm_);
    bool kept = true;
    const allocation_watch watch;
    for (int i = 0; i < 100; ++i) {
        this->change();
        kept = this->ring_.save(this->tick_++, *this->pool_, this->beat_) && kept;
    }
    EXPECT_TRUE(watch.quiet()) << watch.allocations() << " allocations";
    EXPECT_TRUE(kept);
}

TYPED_TEST(warm_ring, restores_plain_elements_without_allocating) {
    // Other elements are copied aside first, for the strong guarantee.
    if (!std::is_trivially_copyable_v<typename TypeParam::pool::value_type>) return;
    bool restored = true;
    const allocation_watch watch;
    for (int i = 0; i < 100; ++i) {
        this->change();
        this->change();
        restored =
            this->ring_.restore(static_cast<std::uint64_t>(i) % this->ticks, *this->pool_, this->beat_) && restored;
    }
    EXPECT_TRUE(watch.quiet()) << watch.allocations() << " allocations";
    EXPECT_TRUE(restored);
}

TYPED_TEST(warm_ring, hashes_without_allocating) {
    if constexpr (std::is_trivially_copyable_v<typename TypeParam::pool::value_type>) {
        const allocation_watch watch;
        const std::uint64_t hash = state_hash(*this->pool_, this->beat_);
        EXPECT_TRUE(watch.quiet());
        EXPECT_NE(hash, 0u);
    }
}

TEST(allocation_watch, sees_that_a_cold_ring_allocates) {
    const auto pool = make_pool<slots>();
    rewind<2> ring;
    const allocation_watch watch;
    const bool kept = ring.save(1, *pool);
    EXPECT_GT(watch.allocations(), 0u) << "the counter counts nothing, so a quiet ring shows nothing";
    EXPECT_TRUE(kept);
}

}  // namespace rewind_no_allocation_test
}  // namespace lido::test
