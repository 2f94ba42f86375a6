// X1: an image from outside is validated before anything changes. Whatever the bytes: refused with a reason and the pool bit for
// bit as before, or accepted and the pool sound. The checksum only finds accidents, so most tests here seal the damage.
#include "core/rewind/image_map.hpp"
#include "core/rewind/rewind_support.hpp"
#include "core/rewind/shake.hpp"

namespace lido::test {
namespace rewind_hostile_image_test {

#define LIDO_HOSTILE(id, ...)                                          \
    struct id : pool_config {                                          \
        static constexpr const char* name = #id;                       \
        using pool = __VA_ARGS__;                                      \
        [[maybe_unused]] static constexpr std::uint32_t capacity = 14; \
    }
LIDO_HOSTILE(recent, slot_pool<cell, options{}, heap_storage>);
LIDO_HOSTILE(lowest, slot_pool<cell, with(options{}, reuse::lowest), heap_storage>);
LIDO_HOSTILE(rests, slot_pool<cell, resting({}, 4), heap_storage>);
LIDO_HOSTILE(last, slot_pool<cell, with(options{}, reuse::last), heap_storage>);
LIDO_HOSTILE(last_rests, slot_pool<cell, resting(with(options{}, reuse::last), 4), heap_storage>);
LIDO_HOSTILE(lowest_rests, slot_pool<cell, resting(with(options{}, reuse::lowest), 4), heap_storage>);
LIDO_HOSTILE(retires, slot_pool<cell, short_lived, heap_storage>);
LIDO_HOSTILE(wraps, slot_pool<cell, with(short_lived, generation_rule::wrap), heap_storage>);
LIDO_HOSTILE(aged, slot_pool<cell, with(options{}, track::age), heap_storage>);
LIDO_HOSTILE(ranked, slot_pool<cell, with(short_lived, track::priority), heap_storage>);
LIDO_HOSTILE(owners, slot_pool<owner, options{}, heap_storage>);
LIDO_HOSTILE(flagged, flag_pool<cell, 14>);
LIDO_HOSTILE(flagged_bare, flag_pool<cell, 14, with(options{}, generation_rule::none)>);
LIDO_HOSTILE(flagged_ranked, flag_pool<owner, 14, with(options{}, track::priority)>);
LIDO_HOSTILE(packed, dense_pool<cell, options{}, heap_storage>);
LIDO_HOSTILE(plain, dense_pool<cell, of_rows(1u << 21), heap_storage>);
LIDO_HOSTILE(row_rests, dense_pool<cell, resting(short_lived, 4), heap_storage>);
LIDO_HOSTILE(row_wraps, dense_pool<cell, with(short_lived, generation_rule::wrap), heap_storage>);
LIDO_HOSTILE(row_ranked, dense_pool<cell, with(options{}, track::priority), heap_storage>);
LIDO_HOSTILE(row_owners, dense_pool<owner, with(options{}, track::age), heap_storage>);
#undef LIDO_HOSTILE

using hostile_configs = ::testing::Types<recent, lowest, last, rests, lowest_rests, last_rests, retires, wraps, aged,
                                         ranked, owners, flagged, flagged_bare, flagged_ranked, packed, plain,
                                         row_rests, row_wraps, row_ranked, row_owners>;

/// A state with a bit of everything: live, free, resting and retired slots, several priorities.
template <class Config>
[[nodiscard]] std::unique_ptr<typename Config::pool> lived_in() {
    auto pool = make_pool<Config>();
    using handle_type = typename Config::pool::handle_type;
    if constexpr (Config::pool::pool_options.generations == generation_rule::retire) {
        for (const std::uint32_t slot : {3u, 9u}) {  // two slots at their last life
            static_cast<void>(
                pool->release(pool->reserve(handle_type::of(slot, handle_type::last_generation - 1), 7).handle()));
        }
    }
    std::vector<handle_type> all;
    for (int i = 0; i < 11; ++i)
        all.push_back(pool->acquire_as({static_cast<std::uint8_t>(i % 3 * 4)}, 100 + i).handle());
    for (const std::size_t i : {1u, 8u, 2u, 6u}) static_cast<void>(pool->release(all[i]));
    all.push_back(pool->acquire(200).handle());
    return pool;
}

template <class Config>
class hostile_image : public ::testing::Test {
protected:
    using pool_type = typename Config::pool;
    using map_type = image_map<pool_type>;

    hostile_image()
        : source_(lived_in<Config>()), image_(image_of(*source_)), map_(image_), target_(make_pool<Config>()) {
        for (int i = 0; i < 5; ++i) static_cast<void>(target_->acquire(i));
        remember();
    }

    void remember() {
        hash_ = target_->state_hash();
        before_ = image_of(*target_);
    }

    [[nodiscard]] bool untouched() const { return target_->state_hash() == hash_ && image_of(*target_) == before_; }

    /// Refused, with a reason, and nothing changed.
    [[nodiscard]] ::testing::AssertionResult refused(const image_bytes& image) {
        const restore_result r = target_->restore(image);
        if (r) return ::testing::AssertionFailure() << "was accepted";
        if (r.what() == nullptr || *r.what() == '\0') return ::testing::AssertionFailure() << "no reason was given";
        if (!untouched()) return ::testing::AssertionFailure() << "the pool was changed, though it said: " << r.what();
        error_ = r.error;
        return ::testing::AssertionSuccess();
    }

    /// Refused as above, or accepted and sound under `operations` more.
    [[nodiscard]] ::testing::AssertionResult survived(const image_bytes& image, std::uint64_t seed,
                                                      std::size_t operations) {
        const restore_result r = target_->restore(image);
        if (!r) {
            ++refusals_;
            if (!untouched())
                return ::testing::AssertionFailure() << "the pool was changed, though it said: " << r.what();
            return ::testing::AssertionSuccess();
        }
        ++accepted_;
        const char* const wrong = shake(*target_, seed, operations);
        if (wrong != nullptr) return ::testing::AssertionFailure() << "accepted, and then: " << wrong;
        if (!target_->restore(before_) || !untouched()) return ::testing::AssertionFailure() << "could not go back";
        return ::testing::AssertionSuccess();
    }

    /// The sound image with one field changed, sealed.
    [[nodiscard]] image_bytes with_field(std::string_view name, std::uint64_t value, std::size_t index = 0) const {
        image_bytes image = image_;
        const field* const f = map_.find(name, index);
        EXPECT_NE(f, nullptr) << name;
        if (f != nullptr) write_at(image, f->at, f->width, value);
        seal(image);
        return image;
    }

    [[nodiscard]] std::uint64_t value(std::string_view name, std::size_t index = 0) const {
        return map_.value(image_, name, index);
    }

    quiet_misuse quiet_;
    std::unique_ptr<pool_type> source_;
    image_bytes image_;
    map_type map_;
    std::unique_ptr<pool_type> target_;
    std::uint64_t hash_ = 0;
    image_bytes before_;
    restore_error error_ = restore_error::none;
    std::size_t refusals_ = 0;
    std::size_t accepted_ = 0;
};
TYPED_TEST_SUITE(hostile_image, hostile_configs, shape_and_name);

template <class Config>
class hostile_images_of_rows : public hostile_image<Config> {};
using hostile_rows = ::testing::Types<packed, plain, row_rests, row_wraps, row_ranked, row_owners>;
TYPED_TEST_SUITE(hostile_images_of_rows, hostile_rows, shape_and_name);

template <class Config>
class hostile_images_of_ages : public hostile_image<Config> {};
using hostile_ages = ::testing::Types<aged, ranked, flagged_ranked, row_ranked, row_owners>;
TYPED_TEST_SUITE(hostile_images_of_ages, hostile_ages, shape_and_name);

template <class Config>
class hostile_images_of_priorities : public hostile_image<Config> {};
using hostile_priorities = ::testing::Types<ranked, flagged_ranked, row_ranked>;
TYPED_TEST_SUITE(hostile_images_of_priorities, hostile_priorities, shape_and_name);

TYPED_TEST(hostile_image, is_accepted_when_nothing_was_damaged) {
    ASSERT_EQ(this->value("capacity"), 14u) << "the map of the image is wrong";
    ASSERT_EQ(this->map_.live, this->source_->size());
    ASSERT_EQ(this->map_.elements + this->map_.live * this->map_.element_width, this->image_.size());
    image_bytes again = this->image_;
    seal(again);
    ASSERT_EQ(again, this->image_) << "the test seals in another way than the writer";
    const restore_result r = this->target_->restore(this->image_);
    ASSERT_TRUE(r) << r.what();
    EXPECT_EQ(shake(*this->target_, 1, 1000), nullptr);
}

TYPED_TEST(hostile_image, truncated_at_any_length_is_refused) {
    for (std::size_t length = 0; length < this->image_.size(); ++length) {
        image_bytes cut(this->image_.begin(), this->image_.begin() + static_cast<std::ptrdiff_t>(length));
        ASSERT_TRUE(this->refused(cut)) << length;
        ASSERT_EQ(this->error_, restore_error::truncated) << length;
        seal(cut);
        ASSERT_TRUE(this->refused(cut)) << length << ", sealed";
    }
}

TYPED_TEST(hostile_image, with_any_bit_flipped_is_refused) {
    for (std::size_t bit = 0; bit < this->image_.size() * 8; ++bit) {
        image_bytes flipped = this->image_;
        flipped[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
        ASSERT_TRUE(this->refused(flipped)) << "bit " << bit % 8 << " of byte " << bit / 8;
    }
}

TYPED_TEST(hostile_image, with_any_bit_flipped_and_sealed_is_refused_or_sound) {
    for (std::size_t bit = 24 * 8; bit < this->image_.size() * 8; ++bit) {
        image_bytes flipped = this->image_;
        flipped[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
        seal(flipped);
        ASSERT_TRUE(this->survived(flipped, bit, 12)) << "bit " << bit % 8 << " of byte " << bit / 8;
    }
    EXPECT_GT(this->refusals_, 100u);
    EXPECT_GT(this->accepted_, 100u) << "flips of counters and values are no contradiction";
}

TYPED_TEST(hostile_image, with_any_byte_set_to_all_ones_or_zero_and_sealed_is_refused_or_sound) {
    for (std::size_t at = 24; at < this->image_.size(); ++at) {
        for (const unsigned value : {0x00u, 0xffu, 0x01u, 0x80u}) {
            image_bytes changed = this->image_;
            changed[at] = static_cast<std::byte>(value);
            seal(changed);
            ASSERT_TRUE(this->survived(changed, at, 12)) << "byte " << at << " = " << value;
        }
    }
}

TYPED_TEST(hostile_image, with_another_header_is_refused_for_that_reason) {
    const auto with_header = [this](std::size_t at, std::size_t width, std::uint64_t value) {
        image_bytes image = this->image_;
        write_at(image, at, width, value);
        return image;
    };
    ASSERT_TRUE(this->refused(with_header(0, 4, 0x6f64696d)));
    EXPECT_EQ(this->error_, restore_error::not_an_image);
    ASSERT_TRUE(this->refused(with_header(4, 2, image_version + 1)));
    EXPECT_EQ(this->error_, restore_error::other_version);
    ASSERT_TRUE(this->refused(with_header(4, 2, 0)));
    EXPECT_EQ(this->error_, restore_error::other_version);
    for (const std::uint64_t parts : {0u, 2u, 0xffffu}) {
        ASSERT_TRUE(this->refused(with_header(6, 2, parts)));
        EXPECT_EQ(this->error_, restore_error::other_parts);
    }
    ASSERT_TRUE(this->refused(with_header(8, 8, ~std::uint64_t{0})));
    EXPECT_EQ(this->error_, restore_error::truncated);
    ASSERT_TRUE(this->refused(with_header(8, 8, 24)));
    EXPECT_EQ(this->error_, restore_error::damaged);
    ASSERT_TRUE(this->refused(with_header(16, 8, 0)));
    EXPECT_EQ(this->error_, restore_error::damaged);
    ASSERT_TRUE(this->refused(image_bytes(24)));
    EXPECT_EQ(this->error_, restore_error::not_an_image);
}

TYPED_TEST(hostile_image, of_another_shape_type_or_options_is_refused_for_that_reason) {
    for (const std::uint64_t shape : {0u, 1u, 2u, 3u, 4u, 255u}) {
        if (shape == this->value("shape")) continue;
        ASSERT_TRUE(this->refused(this->with_field("shape", shape)));
        EXPECT_EQ(this->error_, restore_error::other_shape) << shape;
    }
    for (const char* const name : {"element_codec", "element_type"}) {
        ASSERT_TRUE(this->refused(this->with_field(name, this->value(name) ^ 1)));
        EXPECT_EQ(this->error_, restore_error::other_type) << name;
    }
    if (this->value("element_codec") == 0) {
        ASSERT_TRUE(this->refused(this->with_field("element_size", this->value("element_size") + 4)));
        EXPECT_EQ(this->error_, restore_error::other_type);
    }
    for (const char* const name : {"handle_bits", "index_bits", "generations", "tracks", "order", "reuse_delay"}) {
        ASSERT_TRUE(this->refused(this->with_field(name, this->value(name) ^ 1)));
        EXPECT_EQ(this->error_, restore_error::other_options) << name;
    }
}

TYPED_TEST(hostile_image, with_trailing_bytes_is_refused) {
    for (const std::size_t more : {1u, 4u, 8u, 100u}) {
        image_bytes longer = this->image_;
        longer.resize(longer.size() + more);
        ASSERT_TRUE(this->refused(longer));
        EXPECT_EQ(this->error_, restore_error::damaged);
        seal(longer);
        ASSERT_TRUE(this->refused(longer)) << "sealed";
        EXPECT_EQ(this->error_, restore_error::inconsistent);
    }
}

TYPED_TEST(hostile_image, with_hostile_counts_is_refused) {
    for (const char* const name : {"capacity", "used", "known", "retired", "cached", "resting"}) {
        if (this->map_.find(name) == nullptr) continue;
        for (const std::uint64_t hostile :
             {0xffffffffu, 0xfffffffeu, 0x80000000u, 0x7fffffffu, 0x01000000u, 1000u, 100u, 65u, 15u}) {
            ASSERT_TRUE(this->refused(this->with_field(name, hostile))) << name << " = " << hostile;
        }
    }
    if (this->map_.find("released") != nullptr) {
        for (const std::uint64_t hostile : {std::uint64_t{0}, this->value("acquired") + 1, ~std::uint64_t{0}}) {
            ASSERT_TRUE(this->refused(this->with_field("released", hostile))) << hostile;
        }
    }
    ASSERT_TRUE(this->refused(this->with_field("acquired", 0)));
}

TYPED_TEST(hostile_image, of_a_larger_pool_is_refused) {
    using other_pool = typename TypeParam::pool;
    if constexpr (std::is_constructible_v<other_pool, std::uint32_t>) {
        other_pool larger(20);
        ASSERT_TRUE(this->refused(image_of(larger)));
        EXPECT_EQ(this->error_, restore_error::too_large);
    }
}

TYPED_TEST(hostile_image, whose_free_order_names_a_live_retired_or_far_slot_or_one_twice_is_refused) {
    using fields = typename TestFixture::map_type;
    std::size_t shown = 0;
    for (const char* const name : {"cache", "rest"}) {
        const std::size_t count = this->map_.count(name);
        if (count == 0) continue;
        ASSERT_GE(count, 2u) << "the scene is too small";
        std::vector<std::uint64_t> bad = {14, 15, 63, 64, 0xffffffffu, 0x80000000u};
        for (const auto& [h, object] : this->source_->each()) bad.push_back(h.index());
        if (fields::opts.generations == generation_rule::retire) bad.insert(bad.end(), {3, 9});  // retired
        for (std::size_t i = 0; i < count; ++i) {
            for (const std::uint64_t slot : bad) {
                ASSERT_TRUE(this->refused(this->with_field(name, slot, i))) << name << ' ' << i << " = " << slot;
                ++shown;
            }
            const std::size_t other = (i + 1) % count;
            ASSERT_TRUE(this->refused(this->with_field(name, this->value(name, other), i))) << name << " twice";
        }
    }
    if (this->map_.count("cache") != 0 && this->map_.count("rest") != 0) {
        ASSERT_TRUE(this->refused(this->with_field("rest", this->value("cache")))) << "a slot that rests and is cached";
        ASSERT_TRUE(this->refused(this->with_field("cache", this->value("rest")))) << "a slot that is cached and rests";
    }
    if (fields::recent || fields::opts.reuse_delay != 0) {
        EXPECT_GT(shown, 0u);
    }
}

TYPED_TEST(hostile_image, with_a_generation_of_the_wrong_parity_or_too_large_is_refused) {
    using fields = typename TestFixture::map_type;
    using handle_type = typename TypeParam::pool::handle_type;
    const char* const name = fields::dense ? "generation_of_row" : "generation";
    if (fields::opts.generations == generation_rule::none) {
        const std::uint64_t bits = this->value("occupied");
        for (unsigned bit = 0; bit < 64; ++bit) {
            ASSERT_TRUE(this->refused(this->with_field("occupied", bits ^ (std::uint64_t{1} << bit)))) << bit;
        }
        return;
    }
    const std::size_t count = this->map_.count(name);
    ASSERT_GE(count, 12u);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t was = this->value(name, i);
        ASSERT_TRUE(this->refused(this->with_field(name, was ^ 1, i))) << "parity of " << i;
        ASSERT_TRUE(this->refused(this->with_field(name, std::uint64_t{handle_type::last_generation} + 1, i)))
            << "too large, " << i;
        if (handle_type::generation_bits < 16) {
            ASSERT_TRUE(this->refused(this->with_field(name, std::uint64_t{handle_type::last_generation} + 2, i))) << i;
            ASSERT_TRUE(this->refused(this->with_field(name, 0xffff, i))) << i;
        }
    }
}

TYPED_TEST(hostile_image, with_a_slot_retired_where_none_may_be_is_refused) {
    using fields = typename TestFixture::map_type;
    using handle_type = typename TypeParam::pool::handle_type;
    const std::uint64_t last = handle_type::last_generation;
    if (fields::dense) {
        const std::uint64_t retired = this->value("retired");
        const bool retires = fields::opts.generations == generation_rule::retire;
        ASSERT_EQ(retired, retires ? 2u : 0u) << "the scene";
        ASSERT_TRUE(this->refused(this->with_field("retired", retired + 1)));
        if (retires) {
            ASSERT_TRUE(this->refused(this->with_field("retired", retired - 1)));
        }
        for (std::size_t row = 0; row < this->map_.count("generation_of_row"); ++row) {
            if (this->value("generation_of_row", row) == last) continue;
            ASSERT_TRUE(this->refused(this->with_field("generation_of_row", last, row))) << row;
        }
        return;
    }
    for (std::size_t slot = 0; slot < this->map_.count("generation"); ++slot) {
        const bool wraps = fields::opts.generations == generation_rule::wrap;
        bool cached = false;
        for (std::size_t i = 0; i < this->map_.count("cache"); ++i) cached |= this->value("cache", i) == slot;
        for (std::size_t i = 0; i < this->map_.count("rest"); ++i) cached |= this->value("rest", i) == slot;
        const bool live = (this->value("generation", slot) & 1) != 0;
        if (wraps || cached || live) {
            ASSERT_TRUE(this->refused(this->with_field("generation", last, slot))) << slot;
        }
    }
}

TYPED_TEST(hostile_images_of_rows, that_are_no_permutation_are_refused) {
    const std::size_t rows = this->map_.count("slot_of_row");
    ASSERT_GE(rows, 12u);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < rows; ++j) {
            if (i == j) continue;
            ASSERT_TRUE(this->refused(this->with_field("slot_of_row", this->value("slot_of_row", j), i)))
                << i << " as " << j;
        }
        for (const std::uint64_t far :
             {std::uint64_t{rows}, std::uint64_t{14}, std::uint64_t{1} << 20, std::uint64_t{0xffffffff}}) {
            ASSERT_TRUE(this->refused(this->with_field("slot_of_row", far, i))) << i;
        }
    }
}

TYPED_TEST(hostile_images_of_ages, that_name_a_slot_twice_or_a_dead_one_are_refused) {
    const std::size_t count = this->map_.count("age");
    ASSERT_EQ(count, this->source_->size());
    std::vector<std::uint64_t> live;
    for (const auto& [h, object] : this->source_->each()) live.push_back(h.index());
    for (std::size_t i = 0; i < count; ++i) {
        for (const std::uint64_t slot :
             {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u, 13u, 14u, 64u, 0xfffffffeu, 0xffffffffu}) {
            if (slot == this->value("age", i)) continue;  // any other is dead, not there, or in the order already
            ASSERT_TRUE(this->refused(this->with_field("age", slot, i))) << i << " = " << slot;
        }
    }
    // all the same: a list of one that claims to be longer, or a cycle, depending on the reader
    image_bytes same = this->image_;
    for (std::size_t i = 0; i < count; ++i) write_at(same, this->map_.find("age", i)->at, 4, live.front());
    seal(same);
    EXPECT_TRUE(this->refused(same));
}

TYPED_TEST(hostile_images_of_priorities, and_births_out_of_order_are_refused) {
    const std::size_t count = this->map_.count("age");
    for (std::size_t i = 0; i < count; ++i) {
        for (const std::uint64_t level : {16u, 17u, 128u, 255u}) {
            ASSERT_TRUE(this->refused(this->with_field("priority", level, i))) << i << " = " << level;
        }
        ASSERT_TRUE(this->refused(this->with_field("birth", this->value("births"), i))) << "born in the future, " << i;
        ASSERT_TRUE(this->refused(this->with_field("birth", ~std::uint64_t{0}, i))) << i;
        if (i + 1 < count && this->value("priority", i) == this->value("priority", i + 1)) {
            ASSERT_TRUE(this->refused(this->with_field("birth", this->value("birth", i + 1), i))) << "twins, " << i;
        }
        if (i + 1 < count && this->value("priority", i + 1) != 15) {
            ASSERT_TRUE(this->refused(this->with_field("priority", 15, i))) << "levels fall after " << i;
        }
    }
    ASSERT_TRUE(this->refused(this->with_field("births", 0)));
}

TYPED_TEST(hostile_image, mutated_at_random_is_refused_or_sound) {
    constexpr std::size_t images = 1200;  // of 18 pools: more than 20 000 in all
    constexpr std::size_t long_checks = 3;
    static_assert(images * 18 >= 20'000);
    operation_dice d(2024);
    for (std::size_t i = 0; i < images; ++i) {
        image_bytes image = this->image_;
        mutate_fields<typename TypeParam::pool>(image, d);
        if (d.below(8) == 0) image.resize(d.below(static_cast<std::uint32_t>(image.size()) + 40));
        seal(image);
        ASSERT_TRUE(this->survived(image, i, this->accepted_ < long_checks ? 1000 : 8)) << "image " << i;
    }
    EXPECT_EQ(this->refusals_ + this->accepted_, images);
    EXPECT_GT(this->refusals_, images / 4) << "the mutations are too tame to show anything";
    EXPECT_GT(this->accepted_, long_checks) << "the mutations are too wild to get past the first checks";
}

// --- counters that run for 64 bits ------------------------------------------------------------------------------------

template <class Pool>
image_bytes with_counter(Pool& pool, std::string_view name, std::uint64_t value) {
    static_cast<void>(pool.acquire_as({1}, 1));
    image_bytes image = image_of(pool);
    const image_map<Pool> map(image);
    write_at(image, map.find(name)->at, 8, value);
    if (name == "acquired" && map.find("released") != nullptr)
        write_at(image, map.find("released")->at, 8, value - pool.size());
    seal(image);
    return image;
}

/// Refused, or a pool that behaves: from the next acquire on, not only after the counters are around.
template <class Pool>
void survives(std::string_view name) {
    Pool pool(8);
    if (!pool.restore(with_counter(pool, name, ~std::uint64_t{0}))) return;
    ASSERT_TRUE(pool.acquire(2));
    EXPECT_EQ(pool.validate().broken, nullptr) << name;
    const restore_result own = pool.restore(image_of(pool));
    EXPECT_TRUE(own) << "its own image: " << own.what();
    EXPECT_EQ(shake(pool, 1, 100), nullptr) << name;
}

// Births that wrapped would make the youngest the oldest.
TEST(hostile_counter, births_of_a_slot_pool) { survives<slot_pool<cell, with(options{}, track::priority)>>("births"); }
TEST(hostile_counter, births_of_a_dense_pool) {
    survives<dense_pool<cell, with(options{}, track::priority)>>("births");
}

// Lives that wrapped would make the pool refuse its own image.
TEST(hostile_counter, lives_of_a_slot_pool) { survives<slot_pool<cell>>("acquired"); }
TEST(hostile_counter, lives_of_a_dense_pool) { survives<dense_pool<cell>>("acquired"); }

// --- elements -------------------------------------------------------------------------------------------------------

struct switches {
    bool on;
    std::uint8_t level;
    bool both[2];
    struct {
        bool deep;
        std::int8_t x;
    } inner;
    std::uint16_t rest;
};
static_assert(sizeof(switches) == 8);

template <class Pool>
void a_bool_that_is_seven_is_refused() {
    Pool pool(4);
    ASSERT_TRUE(pool.acquire(switches{true, 9, {false, true}, {true, 1}, 2}));
    const image_bytes image = image_of(pool);
    const std::uint64_t hash = pool.state_hash();
    const std::size_t at = image.size() - sizeof(switches);
    for (std::size_t i = 0; i < sizeof(switches); ++i) {
        for (const unsigned value : {2u, 7u, 255u}) {
            image_bytes bad = image;
            bad[at + i] = static_cast<std::byte>(value);
            seal(bad);
            const restore_result r = pool.restore(bad);
            const bool holds_bool = i == 0 || i == 2 || i == 3 || i == 4;
            EXPECT_EQ(static_cast<bool>(r), !holds_bool) << "byte " << i << " = " << value;
            if (holds_bool) {
                EXPECT_EQ(r.error, restore_error::inconsistent);
                EXPECT_EQ(pool.state_hash(), hash);
            }
            ASSERT_TRUE(pool.restore(image));
        }
    }
}

TEST(hostile_image_element, a_bool_that_is_seven_is_refused_by_a_slot_pool) {
    a_bool_that_is_seven_is_refused<slot_pool<switches>>();
}
TEST(hostile_image_element, a_bool_that_is_seven_is_refused_by_a_dense_pool) {
    a_bool_that_is_seven_is_refused<dense_pool<switches>>();
}

TEST(hostile_image_element, a_bool_that_is_seven_is_refused_in_a_plain_struct) {
    switches part{true, 9, {false, true}, {true, 1}, 2};
    image_bytes image;
    save(image, part);
    image[image.size() - sizeof(switches)] = std::byte{7};
    seal(image);
    EXPECT_EQ(restore(image, part).error, restore_error::inconsistent);
    EXPECT_EQ(part.level, 9);
}

struct switches_with_a_base : switches {
    std::array<bool, 3> more;
    std::int8_t last;
};

TEST(hostile_image_element, a_bool_that_is_seven_is_refused_in_an_array_and_in_a_base) {
    static_assert(sizeof(switches_with_a_base) == 12);
    slot_pool<switches_with_a_base> pool(2);
    ASSERT_TRUE(pool.acquire(switches_with_a_base{{true, 9, {false, true}, {true, 1}, 2}, {true, false, true}, 3}));
    const image_bytes image = image_of(pool);
    for (std::size_t i = 0; i < sizeof(switches_with_a_base); ++i) {
        image_bytes bad = image;
        bad[image.size() - sizeof(switches_with_a_base) + i] = std::byte{7};
        seal(bad);
        const bool holds_bool = i == 0 || i == 2 || i == 3 || i == 4 || (i >= 8 && i < 11);
        EXPECT_EQ(pool.restore(bad).error, holds_bool ? restore_error::inconsistent : restore_error::none) << i;
    }
}

/// Refuses negative numbers, which is what owner::load answers false for.
template <class Pool>
void an_element_that_refuses_what_it_reads_refuses_the_image() {
    Pool pool(8);
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(pool.acquire(i));
    const image_bytes image = image_of(pool);
    const image_map<Pool> map(image);
    ASSERT_EQ(map.count("element"), 5u);
    pool.clear();
    ASSERT_TRUE(pool.acquire(77));
    const std::uint64_t hash = pool.state_hash();
    for (std::size_t i = 0; i < 5; ++i) {
        image_bytes bad = image;
        write_at(bad, map.find("element", i)->at, 4, 0xfffffff0u);
        seal(bad);
        const restore_result r = pool.restore(bad);
        EXPECT_EQ(r.error, restore_error::inconsistent) << i;
        EXPECT_EQ(pool.state_hash(), hash);
    }
    ASSERT_TRUE(pool.restore(image));
    EXPECT_EQ(pool.size(), 5u);
}

TEST(hostile_image_element, a_codec_that_refuses_leaves_a_slot_pool_as_it_was) {
    an_element_that_refuses_what_it_reads_refuses_the_image<slot_pool<owner>>();
}
TEST(hostile_image_element, a_codec_that_refuses_leaves_a_flag_pool_as_it_was) {
    an_element_that_refuses_what_it_reads_refuses_the_image<basic_flag_pool<owner, options{}, heap_storage>>();
}
TEST(hostile_image_element, a_codec_that_refuses_leaves_a_dense_pool_as_it_was) {
    an_element_that_refuses_what_it_reads_refuses_the_image<dense_pool<owner>>();
}

/// Reads one byte more than it wrote: the image must not end where it should.
struct greedy {
    greedy() = default;
    explicit greedy(int v) : value(static_cast<std::uint8_t>(v)) {}
    void save(image_writer& w) const { w.put(value); }
    bool load(image_reader& r) {
        value = r.take<std::uint8_t>();
        static_cast<void>(r.take<std::uint8_t>());
        return true;
    }
    void hash(hasher& h) const { h.add(std::uint64_t{value}); }
    std::uint8_t value = 0;
    std::vector<int> makes_it_non_trivial = {};
};
struct modest : greedy {
    using greedy::greedy;
    bool load(image_reader&) { return true; }  // reads nothing: bytes are left over
};

TEST(hostile_image_element, a_codec_that_reads_too_much_or_too_little_is_refused) {
    slot_pool<greedy> greed(4);
    slot_pool<modest> modesty(4);
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(greed.acquire(i));
        ASSERT_TRUE(modesty.acquire(i));
    }
    const std::uint64_t hash = state_hash(greed, modesty);
    EXPECT_EQ(greed.restore(image_of(greed)).error, restore_error::truncated);
    EXPECT_EQ(modesty.restore(image_of(modesty)).error, restore_error::inconsistent);
    EXPECT_EQ(state_hash(greed, modesty), hash);
}

#if LIDO_HAS_EXCEPTIONS
struct explosive {
    explosive() = default;
    explicit explosive(int v) : value(std::to_string(v) + std::string(40, 'x')) {}
    void save(image_writer& w) const { w.put(static_cast<std::uint8_t>(value.size())); }
    bool load(image_reader& r) {
        value.assign(r.take<std::uint8_t>(), 'y');
        if (left-- == 0) throw 1;
        return true;
    }
    void hash(hasher& h) const { hash_value_into(h, value); }
    std::string value;
    static inline int left = 0;
};

template <class Pool>
void a_load_that_throws_changes_nothing() {
    Pool pool(8);
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(pool.acquire(i));
    const image_bytes image = image_of(pool);
    pool.clear();
    ASSERT_TRUE(pool.acquire(9));
    const std::uint64_t hash = pool.state_hash();
    int failures = 0;
    for (bool completed = false; !completed; ++failures) {
        explosive::left = failures;
        try {
            ASSERT_TRUE(pool.restore(image));
            completed = true;
        } catch (int) {
            EXPECT_EQ(pool.state_hash(), hash);
        }
    }
    EXPECT_EQ(failures, 5) << "each of four loads throws once";
}

TEST(hostile_image_element, a_load_that_throws_leaves_a_slot_pool_as_it_was) {
    a_load_that_throws_changes_nothing<slot_pool<explosive>>();
}
TEST(hostile_image_element, a_load_that_throws_leaves_a_dense_pool_as_it_was) {
    a_load_that_throws_changes_nothing<dense_pool<explosive>>();
}
#endif

TEST(hostile_image_element, an_image_of_another_element_type_of_the_same_size_is_refused) {
    struct other {
        std::int32_t value;
        std::uint32_t check;
    };
    slot_pool<cell> cells(4);
    slot_pool<other> others(4);
    ASSERT_TRUE(cells.acquire(1));
    static_assert(sizeof(cell) == sizeof(other));
    EXPECT_EQ(others.restore(image_of(cells)).error, restore_error::other_type);
}

}  // namespace rewind_hostile_image_test
}  // namespace lido::test
