// The bit words under every map, against plain arithmetic.
#include <lido/core/base/bits.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace parts_bits_test {

namespace bits = lido::detail;

TEST(bits, words_for_rounds_up_to_whole_words) {
    static_assert(bits::words_for(0) == 0);
    static_assert(bits::words_for(1) == 1 && bits::words_for(63) == 1 && bits::words_for(64) == 1);
    static_assert(bits::words_for(65) == 2 && bits::words_for(128) == 2 && bits::words_for(129) == 3);
    static_assert(bits::words_for(std::size_t{0xffffffff}) == std::size_t{1} << 26);
}

TEST(bits, below_has_exactly_the_bits_under_the_limit) {
    for (std::size_t limit = 0; limit <= 200; ++limit) {
        for (std::size_t w = 0; w < 4; ++w) {
            bits::map_word expected = 0;
            for (std::size_t i = 0; i < 64; ++i) {
                if (w * 64 + i < limit) {
                    expected |= std::uint64_t{1} << i;
                }
            }
            ASSERT_EQ(bits::below(w, limit), expected) << "word " << w << ", limit " << limit;
        }
    }
}

TEST(bits, set_clear_and_test_touch_one_bit_only) {
    std::vector<bits::map_word> words(4, 0);
    std::set<std::size_t> model;
    std::uint64_t random = 1;
    for (int step = 0; step < 4000; ++step) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const std::size_t i = (random >> 33) % 256;
        if ((random >> 60 & 1) != 0) {
            bits::set(words.data(), i);
            model.insert(i);
        } else {
            bits::clear(words.data(), i);
            model.erase(i);
        }
        if (step % 50 != 0) {
            continue;
        }
        for (std::size_t k = 0; k < 256; ++k) {
            ASSERT_EQ(bits::test(words.data(), k), model.contains(k)) << "bit " << k << " at step " << step;
        }
    }
}

TEST(bits, lowest_and_highest_name_the_outer_bits_of_a_word) {
    for (unsigned a = 0; a < 64; ++a) {
        for (unsigned b = a; b < 64; ++b) {
            const bits::map_word word = bits::bit(a) | bits::bit(b);
            ASSERT_EQ(bits::lowest(word), a);
            ASSERT_EQ(bits::highest(word), b);
        }
    }
    EXPECT_EQ(bits::lowest(bits::full_word), 0u);
    EXPECT_EQ(bits::highest(bits::full_word), 63u);
}

}  // namespace parts_bits_test
