// The elements that the conformance suite runs every pool over. Each is constructible from one int, whatever else it
// is, and gives that int back; one that was torn (partly copied, overwritten, misaligned) gives `torn` instead.
//
//   element            bytes  copy  move  trivial  constructor throws
//   trivial16             16   x     x      x
//   trivial64             64   x     x      x
//   trivial256           256   x     x      x
//   over_aligned64        64   x     x      x       (aligned to 64)
//   string_owner               x     x              x (allocates)
//   move_only                        x              x (allocates)
//   immovable
//   throwing                   x     x              x (on request: throwing::fail_after)
//   counting                   x     x                (counts and checks its own lifetime)
#pragma once

#include "support/lifetime.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>

namespace lido::test {

/// What read() gives for an element whose parts do not belong together.
inline constexpr int torn = INT_MIN;

namespace element_detail {

// Each word holds the seed in a different way, so that a word of another element or of an earlier life stands out.
constexpr std::uint32_t trivial_word(int seed, std::size_t i) noexcept {
    return static_cast<std::uint32_t>(seed) ^ (static_cast<std::uint32_t>(i) * 0x9e3779b9U);
}

template <std::size_t Bytes>
class trivial_element {
public:
    trivial_element() = default;
    constexpr explicit trivial_element(int seed) noexcept {
        for (std::size_t i = 0; i < count; ++i) {
            words_[i] = trivial_word(seed, i);
        }
    }
    constexpr int read() const noexcept {
        const int seed = static_cast<int>(words_[0]);
        for (std::size_t i = 1; i < count; ++i) {
            if (words_[i] != trivial_word(seed, i)) {
                return torn;
            }
        }
        return seed;
    }

private:
    static constexpr std::size_t count = Bytes / sizeof(std::uint32_t);
    std::uint32_t words_[count];
};

}  // namespace element_detail

class trivial16 : public element_detail::trivial_element<16> {
public:
    using trivial_element::trivial_element;
};
class trivial64 : public element_detail::trivial_element<64> {
public:
    using trivial_element::trivial_element;
};
class trivial256 : public element_detail::trivial_element<256> {
public:
    using trivial_element::trivial_element;
};
static_assert(sizeof(trivial16) == 16 && sizeof(trivial64) == 64 && sizeof(trivial256) == 256);
static_assert(std::is_trivial_v<trivial16> && std::is_trivial_v<trivial64> && std::is_trivial_v<trivial256>);

class alignas(64) over_aligned64 {
public:
    over_aligned64() = default;
    explicit over_aligned64(int seed) noexcept : body_{seed} {}
    int read() const noexcept {
        // Volatile, because the optimiser takes the alignment of `this` for granted.
        const volatile std::uintptr_t address = reinterpret_cast<std::uintptr_t>(this);
        return address % 64 == 0 ? body_.read() : torn;
    }

private:
    element_detail::trivial_element<64> body_;
};
static_assert(sizeof(over_aligned64) == 64);
static_assert(alignof(over_aligned64) == 64);

/// Longer than any small-string buffer, so that it owns memory and a leak or a double free is seen.
class string_owner {
public:
    explicit string_owner(int seed) : text_(40, '0'), seed_{seed} { text_ += std::to_string(seed); }
    int read() const { return text_ == std::string(40, '0') + std::to_string(seed_) ? seed_ : torn; }

private:
    std::string text_;
    int seed_;
};

class move_only {
public:
    explicit move_only(int seed) : owned_{std::make_unique<int>(seed)} {}
    int read() const noexcept { return owned_ ? *owned_ : torn; }

private:
    std::unique_ptr<int> owned_;
};

/// Knows where it was made, so that even moving its bytes is seen.
class immovable {
public:
    explicit immovable(int seed) noexcept : self_{this}, seed_{seed} {}
    immovable(const immovable&) = delete;
    immovable& operator=(const immovable&) = delete;
    ~immovable() { self_ = nullptr; }
    int read() const noexcept { return self_ == this ? seed_ : torn; }

private:
    const immovable* volatile self_;
    int seed_;
};

class throwing : public tracked<tracked_policy{.may_throw = true}, throwing> {
public:
    using tracked::tracked;
    int read() const { return value(); }
};

class counting : public tracked<tracked_policy{}, counting> {
public:
    using tracked::tracked;
    int read() const { return value(); }
};

/// One face for all elements.
template <class E>
struct element_traits {
    static_assert(std::is_constructible_v<E, int> && !std::is_convertible_v<int, E>);

    static constexpr bool movable = std::is_move_constructible_v<E> && std::is_move_assignable_v<E>;
    static constexpr bool copyable = std::is_copy_constructible_v<E> && std::is_copy_assignable_v<E>;
    static constexpr bool trivially_copyable = std::is_trivially_copyable_v<E>;
    static constexpr bool nothrow_construct = std::is_nothrow_constructible_v<E, int>;

    static std::tuple<int> make_args(int seed) noexcept { return {seed}; }
    static int read(const E& element) { return element.read(); }
};

/// For TYPED_TEST_SUITE.
using all_elements = ::testing::Types<trivial16, trivial64, trivial256, over_aligned64, string_owner, move_only,
                                      immovable, throwing, counting>;

}  // namespace lido::test
