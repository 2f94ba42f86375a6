// Both layouts of the row map at their limits, against a plain struct.
#include <lido/core/handle.hpp>
#include <lido/core/parts/rows/row_map.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace parts_row_map_test {

using lido::detail::packed_rows;
using lido::detail::plain_rows;

/// The map over memory of its own, beside the plain truth.
template <class Map>
struct fixture {
    struct truth {
        std::uint32_t generation = 0;
        std::uint32_t row = 0;
        std::uint32_t slot_of_row = 0;
    };

    explicit fixture(std::size_t n) : words(n), backs(n), model(n), map{{words.data(), backs.data()}} {}

    void link(std::uint32_t row, std::uint32_t slot) {
        map.link(row, slot);
        model[slot].row = row;
        model[row].slot_of_row = slot;
    }
    void set_generation(std::uint32_t slot, std::uint32_t life) {
        map.set_generation(slot, life);
        model[slot].generation = life;
    }
    void add_to_generation(std::uint32_t slot) {
        map.add_to_generation(slot);
        ++model[slot].generation;
    }
    ::testing::AssertionResult same(std::uint32_t i) const {
        if (map.generation(i) != model[i].generation) {
            return ::testing::AssertionFailure()
                   << "generation of slot " << i << " is " << map.generation(i) << ", not " << model[i].generation;
        }
        if (map.row(i) != model[i].row || map.slot(i) != model[i].slot_of_row) {
            return ::testing::AssertionFailure() << "slot or row " << i << " is linked elsewhere";
        }
        const auto entry = map.entry(i);
        if (Map::generation_in(entry) != model[i].generation || Map::row_in(entry) != model[i].row) {
            return ::testing::AssertionFailure() << "the entry of slot " << i << " says something else";
        }
        return ::testing::AssertionSuccess();
    }

    std::vector<typename Map::word_type> words;
    std::vector<typename Map::back_type> backs;
    std::vector<truth> model;
    Map map;
};

template <class Map, std::uint32_t LastGeneration>
struct layout {
    using map = Map;
    static constexpr std::uint32_t last = LastGeneration;
};

template <class L>
class row_map : public ::testing::Test {};

using layouts = ::testing::Types<layout<packed_rows, 0xfffffffeu>, layout<plain_rows<std::uint64_t, 32>, 0xfffffffeu>,
                                 layout<plain_rows<std::uint32_t, 12>, 0xffeu>>;
TYPED_TEST_SUITE(row_map, layouts);

TYPED_TEST(row_map, holds_the_largest_slot_row_and_generation) {
    constexpr std::uint32_t rows = (std::uint32_t{1} << 20) - (TypeParam::map::max_rows < (1u << 20) ? 1 : 0);
    constexpr std::uint32_t top = rows - 1;
    fixture<typename TypeParam::map> f(rows);
    for (const std::uint32_t slot : {0u, 1u, 4095u, 4096u, top - 1, top}) {
        for (const std::uint32_t row :
             {0u, 1u, 4095u, 4096u, top - 1, top, 0u, top, 1u << 19, 4096u, 2u}) {  // all bits go up and down
            f.link(row, slot);
            f.set_generation(slot, TypeParam::last);
            ASSERT_EQ(f.map.slot(row), slot);
            ASSERT_EQ(f.map.row(slot), row);
            ASSERT_EQ(f.map.generation(slot), TypeParam::last);
            f.set_generation(slot, TypeParam::last - 1);
            f.add_to_generation(slot);
            ASSERT_TRUE(f.same(slot));
            ASSERT_TRUE(f.same(row));
        }
    }
}

TYPED_TEST(row_map, a_change_of_one_part_leaves_the_others) {
    constexpr std::uint32_t n = 5000;
    fixture<typename TypeParam::map> f(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        f.link(i, i);
    }
    std::uint64_t random = 5;
    for (int step = 0; step < 20000; ++step) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const auto a = static_cast<std::uint32_t>((random >> 20) % n);
        const auto b = static_cast<std::uint32_t>((random >> 40) % n);
        switch (random >> 62) {
            case 0: {
                const std::uint32_t slot_a = f.map.slot(a);
                const std::uint32_t slot_b = f.map.slot(b);
                lido::detail::swap_rows(f.map, a, b);
                f.model[slot_b].row = a;
                f.model[slot_a].row = b;
                f.model[a].slot_of_row = slot_b;
                f.model[b].slot_of_row = slot_a;
                break;
            }
            case 1:
                f.set_generation(a, static_cast<std::uint32_t>(random >> 30) % (TypeParam::last + std::uint64_t{1}));
                break;
            default:
                if (f.model[a].generation < TypeParam::last) {
                    f.add_to_generation(a);
                }
        }
        ASSERT_TRUE(f.same(a)) << "step " << step;
        ASSERT_TRUE(f.same(b)) << "step " << step;
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        ASSERT_TRUE(f.same(i));
        ASSERT_EQ(f.map.slot(f.map.row(i)), i) << "RM1";
    }
}

TYPED_TEST(row_map, end_all_ends_lives_and_counts_the_worn) {
    constexpr std::uint32_t n = 100;
    fixture<typename TypeParam::map> f(n);
    std::uint32_t worn = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
        f.link(n - 1 - i, i);
        f.set_generation(i, i % 10 == 0 ? TypeParam::last - 1 : i % 10 == 1 ? TypeParam::last : i);
        worn += i % 10 <= 1 ? 1u : 0u;
    }
    f.set_generation(n - 1, 7);  // not known: stays as it is
    const std::uint32_t counted = f.map.end_all(n - 1, TypeParam::last);
    EXPECT_EQ(counted, worn);
    for (std::uint32_t i = 0; i < n - 1; ++i) {
        f.model[i].generation += f.model[i].generation & 1;
        ASSERT_TRUE(f.same(i));
    }
    ASSERT_TRUE(f.same(n - 1));
}

TEST(row_map_choice, follows_the_handle_and_the_number_of_rows) {
    using lido::detail::row_map_for;
    static_assert(std::is_same_v<row_map_for<lido::handle<int>, 1u << 20>, packed_rows>);
    static_assert(std::is_same_v<row_map_for<lido::handle<int>, (1u << 20) + 1>, plain_rows<std::uint64_t, 32>>);
    static_assert(std::is_same_v<row_map_for<lido::handle32<int>, 1u << 20>, plain_rows<std::uint32_t, 12>>);
    static_assert(plain_rows<std::uint32_t, 12>::max_rows == (1u << 20) - 1);
    static_assert(plain_rows<std::uint64_t, 32>::max_rows == 0xffffffffu);
    static_assert(sizeof(packed_rows::word_type) + sizeof(packed_rows::back_type) == 9);
}

}  // namespace parts_row_map_test
