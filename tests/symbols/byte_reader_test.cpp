// Promise: a part of some bytes lies inside of them or is empty, whatever numbers a file claims.
#include "byte_reader.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace lido::test::symbols_byte_reader {

using symbols::byte_view;
using symbols::part_of;

TEST(part_of_bytes, is_what_lies_inside) {
    const std::array<std::byte, 10> bytes{};
    EXPECT_EQ(part_of(bytes, 3, 4).data(), bytes.data() + 3);
    EXPECT_EQ(part_of(bytes, 3, 4).size(), 4u);
    EXPECT_EQ(part_of(bytes, 0, 10).size(), 10u);
    EXPECT_EQ(part_of(bytes, 10, 0).size(), 0u);
}

TEST(part_of_bytes, is_empty_where_it_would_reach_out_of_them) {
    const std::array<std::byte, 10> bytes{};
    EXPECT_TRUE(part_of(bytes, 3, 8).empty());
    EXPECT_TRUE(part_of(bytes, 11, 0).empty());
    EXPECT_TRUE(part_of(byte_view{}, 0, 1).empty());
}

TEST(part_of_bytes, is_empty_where_start_and_size_add_up_to_more_than_64_bits) {
    const std::array<std::byte, 10> bytes{};
    constexpr std::uint64_t all = ~std::uint64_t{0};
    EXPECT_TRUE(part_of(bytes, 4, all).empty());
    EXPECT_TRUE(part_of(bytes, 4, all - 3).empty()) << "4 and that are 0";
    EXPECT_TRUE(part_of(bytes, all, 4).empty());
    EXPECT_TRUE(part_of(bytes, all, all).empty());
}

}  // namespace lido::test::symbols_byte_reader
