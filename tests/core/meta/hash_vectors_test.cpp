// The promise: hashes and checksums are frozen. The numbers come from an implementation of their own, in another
// language. A change here breaks every save, trace and replay that holds one: do not adapt the numbers to the code.
#include <lido/core/meta/hash.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace meta_hash_vectors_test {

using lido::bytes_checksum;
using lido::hash_value;
using lido::hasher;

std::vector<std::byte> pattern(std::size_t size) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) {
        bytes[i] = static_cast<std::byte>((i * 37 + 11) & 255U);
    }
    return bytes;
}

TEST(hash_vectors, of_the_checksum) {
    struct vector {
        std::size_t size;
        std::uint64_t sum;
    };
    constexpr vector vectors[] = {
        {0, 0x3c06b1b2d54b7199U},  {1, 0x5d8474e05d9e78c7U},  {7, 0x441a1fdd5d9dae6eU},   {8, 0x7bb0f6033ed166fdU},
        {9, 0x726daffd0a32193dU},  {31, 0x5a875ac5f49d4628U}, {32, 0x5147b4f63c7b8509U},  {33, 0xd6b401c16f70a52dU},
        {63, 0xc86f530cdd9ccc36U}, {64, 0x058a73d732bf29d3U}, {100, 0xbcab4e72815ee393U}, {1000, 0x6cc2a0e7ee1f3bb0U},
    };
    for (const vector& v : vectors) {
        EXPECT_EQ(bytes_checksum(pattern(v.size)), v.sum) << v.size << " bytes";
    }
}

TEST(hash_vectors, of_words) {
    EXPECT_EQ(hasher{}.digest(), 0xe1703a679d9ae499U);
    EXPECT_EQ(hasher{}.add(std::uint64_t{0}).digest(), 0x23767b588544f33dU);
    EXPECT_EQ(hasher{}.add(std::uint64_t{1}).digest(), 0x8329190b0ad1416fU);
    EXPECT_EQ(hasher{}.add(std::uint64_t{0}).add(std::uint32_t{0}).digest(), 0x08d3c77d42cd8852U);
    EXPECT_EQ(hasher{}.add(std::uint64_t{1}).add(std::uint32_t{2}).digest(), 0x7aa5f1a8f1936403U);
    EXPECT_EQ(hasher{7}.digest(), 0x79ea4b835a201160U);
    EXPECT_EQ(hasher{7}.add(std::uint64_t{1}).digest(), 0x9ffc4af0e311abf6U);
}

TEST(hash_vectors, of_numbers) {
    EXPECT_EQ(hash_value(-1), 0xe1e292ffa46c279eU);
    EXPECT_EQ(hash_value(~std::uint64_t{0}), 0xe1e292ffa46c279eU);
    EXPECT_EQ(hash_value(1.5F), 0xaaafa7dc8ac81e2cU);
    EXPECT_EQ(hash_value(-2.25), 0xae9ba838558e79e3U);
    EXPECT_EQ(hash_value('\xff'), 0xbfad2b9c4427db4fU) << "plain char is signed on some machines, unsigned on others";
    EXPECT_EQ(hash_value(true), 0x8329190b0ad1416fU);
}

TEST(hash_vectors, of_text_and_optionals) {
    EXPECT_EQ(hash_value(std::string{"lido"}), 0x127e4269b6a248afU);
    EXPECT_EQ(hash_value(std::string_view{""}), 0x8de4ab4617040a09U);
    EXPECT_EQ(hash_value(std::u16string{u"a\u20ac"}), 0x06cf3dd4090c84a1U);
    EXPECT_EQ(hasher{}.add_bytes(std::as_bytes(std::span{"lido", 4})).digest(), 0x87b54e2a1fd0e190U);
    EXPECT_EQ(hash_value(std::optional<int>{5}), 0x0a59c637d77e663cU);
    EXPECT_EQ(hash_value(std::optional<int>{}), 0x23767b588544f33dU);
}

enum class mood : std::int8_t { calm = 3 };
struct part {
    float x;
    float y;
};
struct whole {
    part where;
    std::int8_t step;
    mood now;
    bool seen;
    char tag[4];
    std::vector<std::uint16_t> list;
    std::optional<double> none;
};

TEST(hash_vectors, of_a_struct_of_many_kinds) {
    const whole w{{1.0F, -0.0F}, -7, mood::calm, true, {'a', 'b', 0, 0}, {10, 20}, {}};
    EXPECT_EQ(hash_value(w), 0x2ed200bd8a5621c0U);
}

}  // namespace meta_hash_vectors_test
