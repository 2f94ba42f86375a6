// At most N raw bytes inside of an object: what is no text. Exactly N bytes are a std::array<std::byte, N>.
//
//   bytes<6>     0                   6    7
//               +---------------------+----+
//               |  bytes, then zeros  |size|     size: one byte up to bytes<255>, two above
//               +---------------------+----+
//
// EB1. size <= N, and every byte after the last is zero: equal values are equal bytes.
#pragma once

#include <lido/core/meta/hash.hpp>
#include <lido/entity/schema/text.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace lido {

template <std::size_t N>
class bytes {
    static_assert(N >= 1 && N <= 65535, "lido: bytes<N> holds 1 to 65535 bytes");

public:
    static constexpr std::size_t max_size = N;

    constexpr bytes() noexcept = default;

    /// False, and nothing changes, where they are more than N.
    constexpr bool assign(std::span<const std::byte> from) noexcept {
        if (from.size() > N) return false;
        const std::size_t count = from.size();
        for (std::size_t i = 0; i < count; ++i) data_[i] = from[i];
        for (std::size_t i = count; i < room; ++i) data_[i] = std::byte{0};
        size_ = static_cast<size_type>(count);
        return true;
    }

    constexpr void clear() noexcept { assign({}); }

    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_ <= N ? size_ : N; }
    [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] constexpr std::span<const std::byte> view() const noexcept { return {data_, size()}; }

    /// EB1.
    [[nodiscard]] constexpr bool well_formed() const noexcept {
        if (size_ > N) return false;
        for (std::size_t i = size_; i < room; ++i) {
            if (data_[i] != std::byte{0}) return false;
        }
        return true;
    }

    constexpr void hash(hasher& h) const { h.add_bytes(view()); }

    friend constexpr bool operator==(const bytes& a, const bytes& b) noexcept {
        if (a.size() != b.size()) return false;
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (a.data_[i] != b.data_[i]) return false;
        }
        return true;
    }

private:
    using size_type = entity_detail::count_type<N>;
    static constexpr std::size_t room = (N + sizeof(size_type) - 1) / sizeof(size_type) * sizeof(size_type);

    std::byte data_[room] = {};
    size_type size_ = 0;
};
static_assert(sizeof(bytes<6>) == 7 && std::has_unique_object_representations_v<bytes<300>>);

}  // namespace lido
