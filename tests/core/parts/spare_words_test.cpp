// The two levels of marks against a std::set, from one slot to a million.
#include <lido/core/parts/slots/spare_words.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace parts_spare_words_test {

using lido::detail::map_word;
using lido::detail::spare_words;
using lido::detail::words_for;

class spare_words_of : public ::testing::TestWithParam<std::size_t> {
protected:
    struct marks {
        explicit marks(std::size_t n)
            : slots(n), first(spare_words::first_words(n)), second(spare_words::second_words(n)) {}
        spare_words view() { return {first.data(), second.data(), hint}; }

        std::size_t slots;
        std::vector<map_word> first;
        std::vector<map_word> second;
        std::uint32_t hint = 0;
    };

    static std::size_t lowest(const std::set<std::size_t>& model) {
        return model.empty() ? spare_words::none : *model.begin();
    }

    static void expect_levels_agree(const marks& m) {
        for (std::size_t j = 0; j < m.first.size(); ++j) {
            ASSERT_EQ(m.first[j] != 0, lido::detail::test(m.second.data(), j)) << "first[" << j << "]";
        }
        for (std::size_t k = 0; k < m.hint && k < m.second.size(); ++k) {
            ASSERT_EQ(m.second[k], 0u) << "below the hint";
        }
    }
};

TEST_P(spare_words_of, finds_the_lowest_mark_as_a_set_would) {
    marks m(GetParam());
    const std::size_t words = words_for(m.slots);
    std::set<std::size_t> model;
    std::uint64_t random = 42 + words;
    for (int step = 0; step < 20000; ++step) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const std::size_t w = (random >> 32) % words;
        switch (random >> 61) {
            case 0:
            case 1:
            case 2:
                m.view().mark(w);
                model.insert(w);
                break;
            case 3: {
                // what take does: the lowest goes
                const std::size_t at = m.view().lowest_marked(m.slots);
                ASSERT_EQ(at, lowest(model));
                if (at != spare_words::none) {
                    m.view().unmark(at);
                    model.erase(at);
                }
                break;
            }
            case 4:
            case 5:
                m.view().unmark(w);
                model.erase(w);
                break;
            case 6:
                if (step % 97 == 0) {
                    m.view().unmark_from(w, m.slots);
                    model.erase(model.lower_bound(w), model.end());
                }
                break;
            default: break;
        }
        ASSERT_EQ(m.view().lowest_marked(m.slots), lowest(model)) << "step " << step;
    }
    expect_levels_agree(m);
}

TEST_P(spare_words_of, drains_every_mark_once_in_rising_order) {
    marks m(GetParam());
    const std::size_t words = words_for(m.slots);
    for (std::size_t w = words; w-- != 0;) {
        m.view().mark(w);
    }
    for (std::size_t w = 0; w < words; ++w) {
        ASSERT_EQ(m.view().lowest_marked(m.slots), w);
        m.view().unmark(w);
    }
    EXPECT_EQ(m.view().lowest_marked(m.slots), spare_words::none);
    m.view().mark(0);
    EXPECT_EQ(m.view().lowest_marked(m.slots), 0u) << "the hint follows a lower mark";
    expect_levels_agree(m);
}

INSTANTIATE_TEST_SUITE_P(sizes, spare_words_of,
                         ::testing::Values(1, 64, 65, 4096, 4097, 262144, 262145, 262144 * 2 + 1, 1000000),
                         [](const auto& size) { return "slots_" + std::to_string(size.param); });

TEST(spare_words, take_a_sixty_third_of_a_bit_a_slot) {
    constexpr std::size_t million = 1000000;
    EXPECT_EQ(spare_words::first_words(million), 245u);
    EXPECT_EQ(spare_words::second_words(million), 4u);
    EXPECT_EQ(spare_words::first_words(0), 0u);
    EXPECT_EQ(spare_words::second_words(0), 0u);
}

}  // namespace parts_spare_words_test
