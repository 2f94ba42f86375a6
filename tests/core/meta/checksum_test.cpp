// The promise: a sealed image that was damaged does not pass.
#include <lido/core/meta/hash.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace meta_checksum_test {

using lido::bytes_checksum;
using bytes = std::vector<std::byte>;

// Images as they occur: random, all zero, all one bits.
std::vector<bytes> images(std::size_t size) {
    std::mt19937 random{static_cast<unsigned>(size) + 1};
    bytes noise(size);
    for (std::byte& b : noise) {
        b = static_cast<std::byte>(random() & 255U);
    }
    return {noise, bytes(size, std::byte{0}), bytes(size, std::byte{255})};
}

void flip(bytes& image, std::size_t bit) { image[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8)); }

TEST(checksum, notices_every_single_bit_flip) {
    for (std::size_t size = 1; size <= 200; ++size) {
        for (bytes& image : images(size)) {
            const std::uint64_t sealed = bytes_checksum(image);
            for (std::size_t bit = 0; bit < size * 8; ++bit) {
                flip(image, bit);
                ASSERT_NE(bytes_checksum(image), sealed) << size << " bytes, bit " << bit;
                flip(image, bit);
            }
            ASSERT_EQ(bytes_checksum(image), sealed) << "every flip was undone";
        }
    }
}

// Two flips could cancel inside a lane; 104 bytes give each lane three words and leave a tail.
TEST(checksum, notices_every_pair_of_bit_flips) {
    for (bytes& image : images(104)) {
        const std::uint64_t sealed = bytes_checksum(image);
        for (std::size_t first = 0; first < image.size() * 8; ++first) {
            flip(image, first);
            for (std::size_t second = first + 1; second < image.size() * 8; ++second) {
                flip(image, second);
                ASSERT_NE(bytes_checksum(image), sealed) << "bits " << first << " and " << second;
                flip(image, second);
            }
            flip(image, first);
        }
    }
}

TEST(checksum, notices_every_truncation_and_extension) {
    for (const bytes& image : images(300)) {
        std::unordered_set<std::uint64_t> sums;
        for (std::size_t size = 0; size <= image.size(); ++size) {
            EXPECT_TRUE(sums.insert(bytes_checksum(std::span{image}.first(size))).second) << size << " bytes";
        }
    }
}

TEST(checksum, notices_bytes_cut_from_the_front) {
    for (const bytes& image : images(100)) {
        const std::uint64_t sealed = bytes_checksum(image);
        for (std::size_t cut = 1; cut <= image.size(); ++cut) {
            EXPECT_NE(bytes_checksum(std::span{image}.subspan(cut)), sealed) << cut << " bytes";
        }
    }
}

// Words trade places between lanes, between steps of a lane, and with the tail.
TEST(checksum, notices_words_that_change_places) {
    bytes image = images(136)[0];
    const std::uint64_t sealed = bytes_checksum(image);
    const auto swap_words = [&](std::size_t a, std::size_t b) {
        for (std::size_t i = 0; i < 8; ++i) {
            std::swap(image[a * 8 + i], image[b * 8 + i]);
        }
    };
    for (std::size_t a = 0; a < 17; ++a) {
        for (std::size_t b = a + 1; b < 17; ++b) {
            swap_words(a, b);
            EXPECT_NE(bytes_checksum(image), sealed) << "words " << a << " and " << b;
            swap_words(a, b);
        }
    }
    EXPECT_EQ(bytes_checksum(image), sealed);
}

TEST(checksum, notices_every_change_of_one_byte) {
    for (std::size_t size : {1U, 8U, 13U, 32U, 45U, 77U}) {
        bytes image = images(size)[0];
        for (std::size_t at = 0; at < size; ++at) {
            std::unordered_set<std::uint64_t> sums;
            for (unsigned value = 0; value < 256; ++value) {
                image[at] = static_cast<std::byte>(value);
                sums.insert(bytes_checksum(image));
            }
            ASSERT_EQ(sums.size(), 256U) << "byte " << at << " of " << size;
        }
    }
}

TEST(checksum, does_not_depend_on_where_the_bytes_lie) {
    const bytes image = images(100)[0];
    const std::uint64_t sealed = bytes_checksum(image);
    for (std::size_t offset = 0; offset < 16; ++offset) {
        bytes shifted(offset, std::byte{0xee});
        shifted.insert(shifted.end(), image.begin(), image.end());
        EXPECT_EQ(bytes_checksum(std::span{shifted}.subspan(offset)), sealed) << "offset " << offset;
    }
}

TEST(checksum, takes_no_bytes_at_all) {
    EXPECT_EQ(bytes_checksum({}), bytes_checksum(std::span<const std::byte>{}));
    EXPECT_NE(bytes_checksum({}), bytes_checksum(bytes(1)));
}

// The byte-by-byte reading that big-endian machines and the compiler use, against the one of this machine.
template <std::size_t N>
constexpr auto counted = [] {
    std::array<std::byte, N> image{};
    for (std::size_t i = 0; i < N; ++i) {
        image[i] = static_cast<std::byte>(i * 7 + 1);
    }
    return image;
}();

TEST(checksum, is_the_same_when_compiled_and_when_run) {
    constexpr std::uint64_t compiled_short = bytes_checksum(counted<13>);
    constexpr std::uint64_t compiled_long = bytes_checksum(counted<109>);
    const auto short_image = counted<13>;
    const auto long_image = counted<109>;
    EXPECT_EQ(bytes_checksum(short_image), compiled_short);
    EXPECT_EQ(bytes_checksum(long_image), compiled_long);
}

}  // namespace meta_checksum_test
