// The promise: has_no_padding is true only where every byte is part of a value.
#include <lido/core/meta/fields.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace meta_padding_test {

using lido::has_no_padding;

enum class colour : std::uint8_t { red };

struct tight {
    std::uint32_t a;
    float b;
    double c;
};
struct holed {
    std::uint8_t a;
    std::uint32_t b;
};
struct trailing {
    std::uint32_t a;
    float f;
    std::uint8_t b;
};
struct nested_tight {
    tight a;
    std::array<float, 2> b;
    colour c[8];
};
// The sum of sizes is right here: the hole is inside the member.
struct nested_holed {
    holed a;
    float b;
};
struct array_holed {
    holed a[2];
    float b;
};
struct std_array_holed {
    std::array<holed, 2> a;
    float b;
};
struct alignas(16) over_aligned {
    float a;
};
struct empty {};
struct owns {
    std::string a;
};
class opaque {
public:
    explicit opaque(std::uint32_t v) : bits_{v} {}
    std::uint32_t bits() const { return bits_; }

private:
    std::uint32_t bits_;
};
class opaque_holed {
public:
    std::uint32_t bits() const { return bits_ + small_; }

private:
    std::uint32_t bits_ = 0;
    std::uint8_t small_ = 0;
};

TEST(has_no_padding, holds_for_scalars) {
    EXPECT_TRUE(has_no_padding<int>());
    EXPECT_TRUE(has_no_padding<bool>());
    EXPECT_TRUE(has_no_padding<float>());
    EXPECT_TRUE(has_no_padding<double>());
    EXPECT_TRUE(has_no_padding<colour>());
    EXPECT_TRUE(has_no_padding<void*>());
    EXPECT_TRUE(has_no_padding<const int>());
}

TEST(has_no_padding, is_false_for_scalars_with_unused_bytes) {
    EXPECT_FALSE(has_no_padding<std::nullptr_t>());
    EXPECT_FALSE(has_no_padding<long double>());
}

TEST(has_no_padding, sums_the_fields) {
    EXPECT_TRUE(has_no_padding<tight>());
    EXPECT_TRUE(has_no_padding<const tight>());
    EXPECT_FALSE(has_no_padding<holed>());
    EXPECT_FALSE(has_no_padding<trailing>());
    EXPECT_FALSE(has_no_padding<over_aligned>());
}

TEST(has_no_padding, looks_inside_members) {
    EXPECT_TRUE(has_no_padding<nested_tight>());
    EXPECT_FALSE(has_no_padding<nested_holed>());
    EXPECT_FALSE(has_no_padding<array_holed>());
    EXPECT_FALSE(has_no_padding<std_array_holed>());
}

TEST(has_no_padding, looks_inside_arrays) {
    EXPECT_TRUE((has_no_padding<float[3][2]>()));
    EXPECT_FALSE(has_no_padding<holed[3]>());
    EXPECT_TRUE((has_no_padding<std::array<float, 3>>()));
    EXPECT_FALSE((has_no_padding<std::array<holed, 3>>()));
}

TEST(has_no_padding, asks_the_compiler_about_opaque_classes) {
    EXPECT_TRUE(has_no_padding<opaque>());
    EXPECT_FALSE(has_no_padding<opaque_holed>());
}

TEST(has_no_padding, is_false_where_the_parts_are_unknown) {
    EXPECT_FALSE(has_no_padding<std::string>());
    EXPECT_FALSE(has_no_padding<owns>());
}

TEST(has_no_padding, is_false_for_an_empty_struct_whose_one_byte_means_nothing) {
    EXPECT_FALSE(has_no_padding<empty>());
}

}  // namespace meta_padding_test
