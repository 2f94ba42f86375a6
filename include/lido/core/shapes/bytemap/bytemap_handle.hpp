// The handle of a bytemap_pool: the number that scripts and saves of old engines hold, bit for bit.
//
//    31                              8 7 6         0
//   +---------------------------------+-+-----------+
//   |              index              |0|   seed    |      a signed 32-bit number; bit 7 is the free flag of the state byte,
//   +---------------------------------+-+-----------+      never set in the handle of a living object
//
// Null is -1 and not 0: zero is a handle that lives, that of slot 0 in each 128th of its lives.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

namespace lido {

template <class T, class Tag = void>
class bytemap_handle {
public:
    using value_type = T;
    using tag_type = Tag;
    using bits_type = std::int32_t;

    static constexpr unsigned seed_bits = 7;
    static constexpr std::uint32_t max_slots = std::uint32_t{1}
                                               << 23;  ///< what a signed 32-bit number leaves the index

    constexpr bytemap_handle() noexcept = default;

    /// Pre: index < max_slots, seed < 128.
    [[nodiscard]] static constexpr bytemap_handle of(std::uint32_t index, std::uint32_t seed) noexcept {
        return from_bits(static_cast<std::int32_t>(index << 8 | seed));
    }

    /// Any number makes a handle that is safe to ask about.
    [[nodiscard]] static constexpr bytemap_handle from_bits(std::int32_t number) noexcept {
        bytemap_handle h;
        h.number_ = number;
        return h;
    }

    [[nodiscard]] constexpr std::int32_t to_bits() const noexcept { return number_; }

    /// Negative in a negative handle, which names nothing.
    [[nodiscard]] constexpr std::int32_t index() const noexcept { return number_ >> 8; }
    [[nodiscard]] constexpr std::uint8_t state() const noexcept { return static_cast<std::uint8_t>(number_ & 0xff); }
    [[nodiscard]] constexpr std::uint8_t seed() const noexcept { return static_cast<std::uint8_t>(number_ & 0x7f); }

    /// False for negative numbers, null among them.
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return number_ >= 0; }

    template <class Hasher>
    constexpr void hash(Hasher& h) const noexcept {
        h.add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(number_)));
    }

    friend constexpr auto operator<=>(bytemap_handle,
                                      bytemap_handle) noexcept = default;  // NOLINT(modernize-use-nullptr)

private:
    std::int32_t number_ = -1;
};

static_assert(sizeof(bytemap_handle<int>) == 4 && std::is_trivially_copyable_v<bytemap_handle<int>>);

}  // namespace lido

template <class T, class Tag>
struct std::hash<lido::bytemap_handle<T, Tag>> {
    [[nodiscard]] std::size_t operator()(lido::bytemap_handle<T, Tag> h) const noexcept {
        std::uint64_t x = static_cast<std::uint32_t>(h.to_bits());
        x *=
            0x9e3779b97f4a7c15u;  // seeds and indexes are small: without mixing, tables that mask low bits would collide
        return static_cast<std::size_t>(x ^ (x >> 32));
    }
};
