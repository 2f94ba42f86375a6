// Promise (S3.1, and rewind): a saved column pool comes back exactly, from memory and from bytes, and bytes from outside are refused
// whole or taken whole.
#include "core/rewind/image_map.hpp"
#include "orb.hpp"

#include <lido/core/rewind/rewind.hpp>

#include <cstring>
#include <string>
#include <vector>

namespace lido::test::images {

/// A field that writes itself.
struct tag_text {
    std::string text;

    void save(image_writer& w) const {
        w.put(static_cast<std::uint8_t>(text.size()));
        w.put_bytes(std::as_bytes(std::span(text)));
    }
    bool load(image_reader& r) {
        const auto bytes = r.take_bytes(r.take<std::uint8_t>());
        text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return text.find('!') == std::string::npos;
    }
    friend bool operator==(const tag_text&, const tag_text&) = default;
};

struct tagged {
    std::int32_t number;
    tag_text tag;
    bool lit;
    place where;
    friend bool operator==(const tagged&, const tagged&) = default;
};

/// A struct that writes itself as a whole.
struct own_codec {
    std::int32_t number;
    std::string text;

    void save(image_writer& w) const { w.put(static_cast<std::uint32_t>(number)); }
    bool load(image_reader& r) {
        number = static_cast<std::int32_t>(r.take<std::uint32_t>());
        text = std::to_string(number);
        return number >= 0;
    }
    void hash(hasher& h) const { h.add(std::uint64_t{7}).add(static_cast<std::uint64_t>(number)); }
};

struct alpha {
    float a;
    std::int32_t b;
};
namespace other {
struct alpha {
    std::int32_t a;
    float b;
};
}  // namespace other

namespace columns_rewind_test {

constexpr options tracked_delay{.tracks = track::priority, .reuse_delay = 5};

template <class Pool, class Make>
void shake(Pool& pool, Make&& make, std::uint32_t seed, int steps) {
    std::vector<typename Pool::handle_type> known;
    for (int i = 0; i < steps; ++i) {
        seed = seed * 1664525u + 1013904223u;
        if ((seed >> 8) % 5 < 3) {
            if (const auto one = pool.acquire_as({.priority = static_cast<std::uint8_t>(seed >> 28)}, make(i))) {
                known.push_back(one.handle());
            }
        } else if (!known.empty()) {
            const std::size_t at = (seed >> 9) % known.size();
            pool.release(known[at]);
            known[at] = known.back();
            known.pop_back();
        }
    }
}

TEST(column_rewind, a_restore_gives_the_saved_state_and_the_same_handles_after_it) {
    column_pool<mixed, tracked_delay> pool(40);
    shake(pool, mixed_of, 1, 200);
    const std::uint64_t then = pool.state_hash();
    snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    shake(pool, mixed_of, 2, 150);
    const std::uint64_t later = pool.state_hash();
    EXPECT_NE(then, later);
    for (int round = 0; round < 3; ++round) {
        ASSERT_TRUE(pool.restore(saved));
        EXPECT_EQ(pool.state_hash(), then);
        EXPECT_TRUE(valid(pool));
        shake(pool, mixed_of, 2, 150);
        EXPECT_EQ(pool.state_hash(), later);
    }
}

TEST(column_rewind, the_hash_sees_every_field) {
    column_pool<mixed> pool(4);
    pool.acquire(mixed_of(1));
    std::vector<std::uint64_t> seen{pool.state_hash()};
    const auto differs = [&] {
        const std::uint64_t now = pool.state_hash();
        EXPECT_EQ(std::count(seen.begin(), seen.end(), now), 0);
        seen.push_back(now);
    };
    auto [kind, name, path, where, aliases, lit] = pool.row(0);
    ++kind, differs();
    name += "x", differs();
    path[2] += 1, differs();
    where.level += 1, differs();
    aliases[1] += "y", differs();
    lit = !lit, differs();
}

TEST(column_rewind, a_ring_of_ticks_is_exact_and_stops_allocating) {
    column_pool<orb> pool(max_orbs);
    rewind<4> past;
    std::vector<std::uint64_t> hashes;
    for (std::uint64_t tick = 0; tick < 10; ++tick) {
        hashes.push_back(pool.state_hash());
        past.save(tick, pool);
        shake(pool, orb_of, static_cast<std::uint32_t>(tick), 100);
    }
    for (std::uint64_t tick = 9; tick >= 6; --tick) {
        ASSERT_TRUE(past.restore(tick, pool));
        EXPECT_EQ(pool.state_hash(), hashes[tick]);
    }
    EXPECT_FALSE(past.restore(5, pool));
}

TEST(column_rewind, a_snapshot_of_a_grown_pool_restores_into_a_fresh_one) {
    column_pool<mixed> grown(2, {.on_full = on_full::grow_to(3000)});
    for (int i = 0; i < 2500; ++i) grown.acquire(mixed_of(i));
    snapshot saved;
    ASSERT_TRUE(grown.save(saved));
    column_pool<mixed> fresh(2, {.on_full = on_full::grow_to(3000)});
    ASSERT_TRUE(fresh.restore(saved));
    EXPECT_EQ(fresh.state_hash(), grown.state_hash());
    EXPECT_EQ(mixed(fresh.row(2499)), mixed_of(2499));
    column_pool<mixed> small(100);
    small.acquire(mixed_of(1));
    EXPECT_EQ(small.restore(saved).error, restore_error::too_large);
    EXPECT_EQ(small.size(), 1u);
    column_pool<orb> other(3000);
    EXPECT_EQ(other.restore(saved).error, restore_error::other_parts);
}

TEST(column_rewind, a_lease_that_a_restore_undoes_becomes_empty) {
    column_pool<orb> pool(4);
    snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    auto held = pool.lease(orb_of(1));
    ASSERT_TRUE(pool.restore(saved));
    EXPECT_FALSE(held);
    EXPECT_TRUE(pool.empty());
}

// --- images ---

tagged tagged_of(int seed) {
    return {seed, {"tag " + std::to_string(seed)}, seed % 3 == 0, {seed * 0.5, static_cast<std::uint8_t>(seed)}};
}

TEST(column_image, every_kind_of_field_comes_back) {
    column_pool<tagged, tracked_delay> pool(40);
    shake(pool, tagged_of, 3, 200);
    std::vector<std::byte> image;
    pool.save(image);
    column_pool<tagged, tracked_delay> copy(40);
    shake(copy, tagged_of, 9, 50);
    ASSERT_TRUE(copy.restore(image));
    EXPECT_EQ(copy.size(), pool.size());
    for (std::uint32_t i = 0; i < pool.size(); ++i) {
        EXPECT_EQ(tagged(copy.row(i)), tagged(pool.row(i)));
        EXPECT_EQ(copy.handle_of_row(i), pool.handle_of_row(i));
    }
    std::vector<std::byte> again;
    copy.save(again);
    EXPECT_EQ(again, image) << "padding or garbage in the image";
    shake(pool, tagged_of, 4, 100);
    shake(copy, tagged_of, 4, 100);
    for (std::uint32_t i = 0; i < pool.size(); ++i) EXPECT_EQ(copy.handle_of_row(i), pool.handle_of_row(i));
}

TEST(column_image, a_struct_with_a_codec_writes_itself) {
    column_pool<own_codec> pool(10);
    for (int i = 0; i < 6; ++i) pool.acquire(i * 2, "x");
    std::vector<std::byte> image;
    pool.save(image);
    column_pool<own_codec> copy(10);
    ASSERT_TRUE(copy.restore(image));
    ASSERT_EQ(copy.size(), 6u);
    EXPECT_EQ(copy.row(5).get<&own_codec::text>(), "10");
    EXPECT_EQ(copy.state_hash(), pool.state_hash());
    pool.row(3).get<&own_codec::number>() = -1;
    pool.save(image);
    EXPECT_EQ(copy.restore(image).error, restore_error::inconsistent);
    EXPECT_EQ(copy.row(3).get<&own_codec::number>(), 6);
}

TEST(column_image, other_shapes_types_and_options_are_refused) {
    column_pool<alpha> pool(10);
    pool.acquire(1.0f, 2);
    std::vector<std::byte> image;
    pool.save(image);
    column_pool<other::alpha> fields(10);
    EXPECT_EQ(fields.restore(image).error, restore_error::other_type);
    dense_pool<alpha> rows(10);
    EXPECT_EQ(rows.restore(image).error, restore_error::other_shape);
    column_pool<alpha, options{.tracks = track::age}> aged(10);
    EXPECT_EQ(aged.restore(image).error, restore_error::other_options);
    std::vector<std::byte> dense_image;
    rows.save(dense_image);
    EXPECT_EQ(pool.restore(dense_image).error, restore_error::other_shape);
    EXPECT_EQ(pool.size(), 1u);
}

TEST(column_image, one_saved_with_other_fields_under_the_same_name_is_refused) {
    column_pool<alpha> pool(10);
    pool.acquire(1.0f, 2);
    std::vector<std::byte> image;
    pool.save(image);
    // Header, options and element type; then the number of fields, and of each its size, form and type.
    constexpr std::size_t fields = 24 + 1 + 5 + 4 + 16;
    ASSERT_EQ(image[fields], std::byte{2});
    for (const std::size_t at : {fields, fields + 4, fields + 4 + 8, fields + 4 + 16 + 15}) {
        std::vector<std::byte> other = image;
        other[at] ^= std::byte{1};
        seal(other);
        const restore_result r = pool.restore(other);
        EXPECT_EQ(r.error, restore_error::other_type) << at;
        EXPECT_STREQ(r.what(), "the fields of the struct are others than were saved") << at;
    }
    EXPECT_TRUE(pool.restore(image));
}

/// Restores `bytes` into a pool that holds something; refused must mean unchanged, taken must mean sound.
template <class Pool>
bool survives(Pool& pool, const std::vector<std::byte>& bytes) {
    const std::uint64_t before = pool.state_hash();
    const restore_result r = pool.restore(bytes);
    if (!r) {
        EXPECT_EQ(pool.state_hash(), before) << "refused, yet changed: " << r.what();
    }
    EXPECT_TRUE(valid(pool));
    return static_cast<bool>(r);
}

TEST(column_image, cut_at_every_byte_it_is_refused) {
    column_pool<tagged, tracked_delay> pool(12);
    shake(pool, tagged_of, 5, 40);
    std::vector<std::byte> image;
    pool.save(image);
    shake(pool, tagged_of, 6, 10);
    for (std::size_t n = 0; n < image.size(); ++n) {
        std::vector<std::byte> cut(image.begin(), image.begin() + static_cast<std::ptrdiff_t>(n));
        ASSERT_FALSE(survives(pool, cut)) << n;
        if (n > 24) {
            seal(cut);
            ASSERT_FALSE(survives(pool, cut)) << "sealed, " << n;
        }
    }
    EXPECT_TRUE(survives(pool, image));
}

TEST(column_image, with_any_bit_flipped_and_sealed_again_it_is_refused_or_sound) {
    column_pool<tagged, tracked_delay> pool(12);
    shake(pool, tagged_of, 5, 40);
    std::vector<std::byte> image;
    pool.save(image);
    std::size_t refused = 0;
    for (std::size_t bit = 0; bit < image.size() * 8; ++bit) {
        std::vector<std::byte> bad = image;
        bad[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
        ASSERT_FALSE(survives(pool, bad)) << "the checksum does not see bit " << bit;
        if (bit < 24 * 8) continue;
        seal(bad);
        if (!survives(pool, bad)) {
            ++refused;
        } else {
            ASSERT_TRUE(pool.restore(image));
        }
    }
    EXPECT_GT(refused, 100u);
}

TEST(column_image, hostile_counts_and_bools_are_refused_without_memory_for_them) {
    column_pool<alpha> small(12);
    for (int i = 0; i < 8; ++i) small.acquire(1.0f, i);
    std::vector<std::byte> image;
    small.save(image);
    // Every 4 bytes in turn claim the most there can be.
    for (std::size_t at = 24; at + 4 <= image.size(); ++at) {
        for (const int fill : {0xff, 0x7f}) {
            std::vector<std::byte> bad = image;
            std::memset(bad.data() + at, fill, 4);
            seal(bad);
            static_cast<void>(survives(small, bad));
            ASSERT_TRUE(small.restore(image));
        }
    }
    struct flag {
        bool on;
    };
    column_pool<flag> flags(4);
    flags.acquire(true);
    flags.save(image);
    image.back() = std::byte{2};
    seal(image);
    EXPECT_EQ(flags.restore(image).error, restore_error::inconsistent);
    EXPECT_TRUE(flags.row(0).get<&flag::on>());
}

}  // namespace columns_rewind_test
}  // namespace lido::test::images
