// The promise: the hash depends on every bit of every item and on their order, and spreads over all its bits.
#include <lido/core/meta/hash.hpp>

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace meta_hasher_test {

using lido::hasher;

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span{text.data(), text.size()});
}

TEST(hasher, gives_the_same_digest_for_the_same_items) {
    EXPECT_EQ(hasher{}.add(std::uint64_t{1}).add(std::uint64_t{2}).digest(),
              hasher{}.add(std::uint64_t{1}).add(std::uint64_t{2}).digest());
}

TEST(hasher, depends_on_the_order_of_items) {
    EXPECT_NE(hasher{}.add(1).add(2).digest(), hasher{}.add(2).add(1).digest());
}

TEST(hasher, notices_items_that_are_zero) {
    std::set<std::uint64_t> digests;
    hasher h;
    for (int i = 0; i < 1000; ++i) {
        EXPECT_TRUE(digests.insert(h.digest()).second) << "after " << i << " zeros";
        h.add(std::uint64_t{0});
    }
}

TEST(hasher, can_be_read_at_any_time_and_goes_on) {
    hasher read_between, read_at_the_end;
    read_between.add(1);
    const std::uint64_t early = read_between.digest();
    EXPECT_EQ(read_between.digest(), early);
    read_between.add(2);
    read_at_the_end.add(1).add(2);
    EXPECT_EQ(read_between.digest(), read_at_the_end.digest());
    EXPECT_NE(read_between.digest(), early);
}

TEST(hasher, depends_on_the_seed) {
    EXPECT_NE(hasher{1}.digest(), hasher{2}.digest());
    EXPECT_NE(hasher{0}.digest(), hasher{}.digest());
}

TEST(hasher, takes_a_number_by_value_and_not_by_size) {
    const std::uint64_t expected = hasher{}.add(std::uint64_t{77}).digest();
    EXPECT_EQ(hasher{}.add(std::uint32_t{77}).digest(), expected);
    EXPECT_EQ(hasher{}.add(77).digest(), expected);
    EXPECT_EQ(hasher{}.add(77LL).digest(), expected);
    EXPECT_EQ(hasher{}.add(77ULL).digest(), expected);
    EXPECT_EQ(hasher{}.add(short{77}).digest(), expected);
}

TEST(hasher, depends_on_how_bytes_were_chunked) {
    const std::set<std::uint64_t> digests{
        hasher{}.add_bytes(bytes_of("abc")).digest(),
        hasher{}.add_bytes(bytes_of("ab")).add_bytes(bytes_of("c")).digest(),
        hasher{}.add_bytes(bytes_of("a")).add_bytes(bytes_of("bc")).digest(),
        hasher{}.add_bytes(bytes_of("abc")).add_bytes(bytes_of("")).digest(),
        hasher{}.add_bytes(bytes_of("")).add_bytes(bytes_of("abc")).digest(),
    };
    EXPECT_EQ(digests.size(), 5U);
}

TEST(hasher, works_in_constant_expressions) {
    static_assert(hasher{}.add(std::uint64_t{1}).digest() != hasher{}.add(std::uint64_t{2}).digest());
    constexpr std::uint64_t compiled = hasher{3}.add(std::uint64_t{4}).add(std::uint32_t{5}).digest();
    EXPECT_EQ(compiled, hasher{3}.add(std::uint64_t{4}).add(std::uint32_t{5}).digest());
}

TEST(hasher, does_not_collide_on_small_numbers) {
    std::set<std::uint64_t> digests;
    for (std::uint64_t a = 0; a < 300; ++a) {
        for (std::uint64_t b = 0; b < 300; ++b) {
            digests.insert(hasher{}.add(a).add(b).digest());
        }
    }
    EXPECT_EQ(digests.size(), 90000U);
}

// Flips every bit of every word of `words` and counts how often each bit of the digest changes.
template <class Digest>
void expect_avalanche(std::size_t words, Digest digest) {
    constexpr int rounds = 1500;
    std::mt19937_64 random{20240607};
    for (std::size_t flipped = 0; flipped < words * 64; ++flipped) {
        std::array<int, 64> changes{};
        for (int round = 0; round < rounds; ++round) {
            std::vector<std::uint64_t> input(words);
            for (std::uint64_t& word : input) {
                word = random();
            }
            const std::uint64_t before = digest(input);
            input[flipped / 64] ^= std::uint64_t{1} << (flipped % 64);
            const std::uint64_t difference = before ^ digest(input);
            for (std::size_t bit = 0; bit < 64; ++bit) {
                changes[bit] += static_cast<int>((difference >> bit) & 1U);
            }
        }
        for (std::size_t bit = 0; bit < 64; ++bit) {
            ASSERT_GT(changes[bit], rounds * 35 / 100) << "input bit " << flipped << ", output bit " << bit;
            ASSERT_LT(changes[bit], rounds * 65 / 100) << "input bit " << flipped << ", output bit " << bit;
        }
    }
}

std::uint64_t digest_of_items(const std::vector<std::uint64_t>& input) {
    hasher h;
    for (std::uint64_t word : input) {
        h.add(word);
    }
    return h.digest();
}

TEST(hasher, spreads_every_bit_of_the_only_item) { expect_avalanche(1, digest_of_items); }
TEST(hasher, spreads_every_bit_of_each_of_three_items) { expect_avalanche(3, digest_of_items); }

// Five words: four go through the lanes and one through the tail.
TEST(hasher, spreads_every_bit_of_bytes) {
    expect_avalanche(5, [](const std::vector<std::uint64_t>& input) {
        return hasher{}.add_bytes(std::as_bytes(std::span{input})).digest();
    });
}

// The items that games hash are small numbers, not random words.
TEST(hasher, spreads_small_numbers_over_the_low_bits) {
    std::array<int, 256> buckets{};
    for (std::uint64_t i = 0; i < 256 * 64; ++i) {
        ++buckets[hasher{}.add(i).digest() & 255U];
    }
    for (int count : buckets) {
        EXPECT_GT(count, 64 - 45);  // 8 is one standard deviation
        EXPECT_LT(count, 64 + 45);
    }
}

}  // namespace meta_hasher_test
