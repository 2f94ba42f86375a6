// A handle names one life of one slot: "the third object that lived in slot 12", never "whatever is in slot 12 now".
//
//   handle<T>      63            32 31             0          handle32<T>   31      12 11      0
//                 +----------------+----------------+                      +----------+--------+
//                 |     index      |   generation   |                      |  index   |  gen.  |   (split is a choice)
//                 +----------------+----------------+                      +----------+--------+
//
// HA1. All bits zero is the null handle.
// HA2. A live slot's generation is odd and a free one's is even, so a handle with an even generation names no life.
// HA3. The index is in the high bits, so that sorted handles visit memory in order. (With the generation first they would
//      sort by how often a slot was used, which tells nobody anything.)
#pragma once

#include <lido/core/base/config.hpp>

#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>  // std::hash, which <functional> has with much else
#include <type_traits>

namespace lido {

/// Index plus generation, typed by the element and a tag, so that the handle of another pool does not compile.
/// `T` may be incomplete: an element can hold handles to its own kind.
template <class T, class Tag = void, std::unsigned_integral Bits = std::uint64_t, unsigned IndexBits = 32>
class basic_handle {
    static_assert(std::same_as<Bits, std::uint32_t> || std::same_as<Bits, std::uint64_t>,
                  "lido: a handle is 32 or 64 bits wide");
    static_assert(IndexBits >= 1 && IndexBits <= 32, "lido: a handle's index takes 1 to 32 bits");
    static_assert(std::numeric_limits<Bits>::digits - static_cast<int>(IndexBits) >= 2,
                  "lido: a handle needs at least 2 generation bits: take fewer index bits");
    static_assert(std::numeric_limits<Bits>::digits - static_cast<int>(IndexBits) <= 32,
                  "lido: a handle's generation takes at most 32 bits: take more index bits");

public:
    using value_type = T;
    using tag_type = Tag;
    using bits_type = Bits;

    static constexpr unsigned index_bits = IndexBits;
    static constexpr unsigned generation_bits = static_cast<unsigned>(std::numeric_limits<Bits>::digits) - IndexBits;

    /// The largest number of slots that handles of this split can name.
    static constexpr std::uint32_t max_slots = static_cast<std::uint32_t>(((std::uint64_t{1} << IndexBits) - 1));

    /// The even generation at which a slot has no lives left. The odd one after it is never issued, so that adding one to a
    /// generation never overflows.
    static constexpr std::uint32_t last_generation =
        static_cast<std::uint32_t>(((std::uint64_t{1} << generation_bits) - 2));

    constexpr basic_handle() noexcept = default;

    /// The handle of the given life. Pre: both parts fit the split.
    [[nodiscard]] static constexpr basic_handle of(std::uint32_t index, std::uint32_t generation) noexcept {
        basic_handle h;
        h.bits_ = static_cast<Bits>(static_cast<Bits>(index) << generation_bits | static_cast<Bits>(generation));
        return h;
    }

    /// Any bits make a handle that is safe to ask any pool about; bits that name no life are simply not found.
    [[nodiscard]] static constexpr basic_handle from_bits(Bits bits) noexcept {
        basic_handle h;
        h.bits_ = bits;
        return h;
    }

    [[nodiscard]] constexpr Bits to_bits() const noexcept { return bits_; }
    [[nodiscard]] constexpr std::uint32_t index() const noexcept {
        return static_cast<std::uint32_t>(bits_ >> generation_bits);
    }
    [[nodiscard]] constexpr std::uint32_t generation() const noexcept {
        return static_cast<std::uint32_t>(bits_ & ((Bits{1} << generation_bits) - 1));
    }

    /// False for the null handle only. Whether the life still lives is the pool's to say.
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return bits_ != 0; }

    /// So that elements which hold handles have a state hash.
    template <class Hasher>
    constexpr void hash(Hasher& h) const noexcept {
        h.add(std::uint64_t{bits_});
    }

    /// By index, then by generation.
    friend constexpr auto operator<=>(basic_handle, basic_handle) noexcept = default;  // NOLINT(modernize-use-nullptr)

private:
    Bits bits_ = 0;
};

/// 64 bits: up to 2^32 - 1 slots, 2^31 - 1 lives each.
template <class T, class Tag = void>
using handle = basic_handle<T, Tag, std::uint64_t, 32>;

/// 32 bits; by default 2^20 - 1 slots, 2047 lives each. Half the memory where handles are stored by the million.
template <class T, class Tag = void, unsigned IndexBits = 20>
using handle32 = basic_handle<T, Tag, std::uint32_t, IndexBits>;

static_assert(sizeof(handle<int>) == 8 && sizeof(handle32<int>) == 4);
static_assert(std::is_trivially_copyable_v<handle<int>>);

}  // namespace lido

template <class T, class Tag, class Bits, unsigned IndexBits>
struct std::hash<lido::basic_handle<T, Tag, Bits, IndexBits>> {
    [[nodiscard]] std::size_t operator()(lido::basic_handle<T, Tag, Bits, IndexBits> h) const noexcept {
        // Indexes are small and generations mostly equal: without mixing, tables that mask low bits would collide.
        std::uint64_t x = h.to_bits();
        x = (x ^ (x >> 32)) * 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 29)) *
            0xbf58476d1ce4e5b9u;  // a second round: indexes in strides of 256 or 1000 still collided after one
        return static_cast<std::size_t>(x ^ (x >> 32));
    }
};
