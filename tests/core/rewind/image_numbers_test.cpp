// Promise: what writes itself into an image puts whole numbers of any kind, and takes them back as they were.
#include <lido/core/rewind/image.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace rewind_image_numbers_test {

using namespace lido;

template <class N>
class image_numbers : public ::testing::Test {};
using numbers = ::testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, std::int8_t, std::int16_t,
                                 std::int32_t, std::int64_t, bool, char, char16_t, wchar_t, long, unsigned long long>;
TYPED_TEST_SUITE(image_numbers, numbers);

TYPED_TEST(image_numbers, come_back_as_they_were) {
    using limits = std::numeric_limits<TypeParam>;
    const TypeParam all[] = {limits::min(), limits::max(), TypeParam{0}, TypeParam{1}, static_cast<TypeParam>(-1)};
    std::vector<std::byte> bytes;
    image_writer w(bytes);
    for (const TypeParam n : all) {
        w.put(n);
    }
    ASSERT_EQ(bytes.size(), 5 * sizeof(TypeParam));
    w.patch(2 * sizeof(TypeParam), limits::max());
    image_reader r(bytes);
    EXPECT_EQ(r.take<TypeParam>(), limits::min());
    EXPECT_EQ(r.take<TypeParam>(), limits::max());
    EXPECT_EQ(r.take<TypeParam>(), limits::max());
    EXPECT_EQ(r.take<TypeParam>(), TypeParam{1});
    EXPECT_EQ(r.take<TypeParam>(), static_cast<TypeParam>(-1));
    EXPECT_TRUE(r.ok());
    EXPECT_EQ(r.take<TypeParam>(), TypeParam{0}) << "past the end";
    EXPECT_FALSE(r.ok());
}

TEST(image_numbers, lie_in_two_s_complement_the_lowest_byte_first) {
    std::vector<std::byte> bytes;
    image_writer w(bytes);
    w.put(std::int32_t{-2});
    w.put(std::int16_t{0x0102});
    w.put(true);
    w.put(std::uint32_t{0x01020304});
    constexpr unsigned char expected[] = {0xfe, 0xff, 0xff, 0xff, 2, 1, 1, 4, 3, 2, 1};
    ASSERT_EQ(bytes.size(), sizeof(expected));
    for (std::size_t i = 0; i < sizeof(expected); ++i) {
        EXPECT_EQ(std::to_integer<unsigned>(bytes[i]), expected[i]) << i;
    }
}

}  // namespace rewind_image_numbers_test
