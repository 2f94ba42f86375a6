// What the benchmarks store. Every element has the fields of a moving thing, a constructor that writes all of its bytes, and the
// same three uses: update() for a pass, tag for a lookup, link() for a chain of lookups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace bench {

/// One sixtieth of a second: what a pass moves by.
inline constexpr float step = 1.0f / 60.0f;

/// The two numbers that every element carries. As one 64-bit value they hold the reference to the next element of a chain.
struct numbers {
    std::uint32_t age;  ///< passes it has seen
    std::uint32_t tag;  ///< frame workloads: the age at which it ends; others: any number, for checksums

    [[nodiscard]] std::uint64_t link() const noexcept {
        std::uint64_t bits = 0;
        std::memcpy(&bits, this, sizeof bits);
        return bits;
    }
    void set_link(std::uint64_t bits) noexcept { std::memcpy(this, &bits, sizeof bits); }
};
static_assert(sizeof(numbers) == 8);

/// 16 bytes: one coordinate.
struct small_element {
    float x, vx;
    numbers is;

    explicit small_element(std::uint32_t tag) noexcept : x(static_cast<float>(tag)), vx(1.0f), is{0, tag} {}
    void update() noexcept {
        x += vx * step;
        ++is.age;
    }
};

/// Two coordinates, and fields that a pass does not touch (colour, health, target, …), which a new life still has to write.
template <std::size_t Size>
struct wide_element {
    float x, y, vx, vy;
    numbers is;
    float others[(Size - 24) / sizeof(float)];

    explicit wide_element(std::uint32_t tag) noexcept
        : x(static_cast<float>(tag)), y(1.0f), vx(1.0f), vy(0.5f), is{0, tag}, others{} {}
    void update() noexcept {
        x += vx * step;
        y += vy * step;
        ++is.age;
    }
};

/// Owns memory: the string does not fit its inline buffer, so each life allocates and frees once, in every contender from glibc.
struct owning_element {
    float x, vx;
    numbers is;
    std::string name;

    explicit owning_element(std::uint32_t tag)
        : x(static_cast<float>(tag)), vx(1.0f), is{0, tag}, name("a name of thirty-two characters.") {}
    void update() noexcept {
        x += vx * step;
        ++is.age;
    }
};

using medium_element = wide_element<64>;
using large_element = wide_element<256>;
static_assert(sizeof(small_element) == 16 && sizeof(medium_element) == 64 && sizeof(large_element) == 256);
static_assert(std::is_trivially_copyable_v<medium_element> && std::is_trivially_destructible_v<medium_element>);

}  // namespace bench
