// lido tests: layouts to try storages with, and what every storage must hold.
#pragma once

#include "lido/core/memory/storage.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

namespace lido::test {

/// `bytes` for every `slots` begun: {8, 64, ...} is one bit a slot in words.
struct array_spec {
    std::size_t bytes;
    std::size_t slots;
    std::size_t alignment;
    bool trims;
};

template <array_spec... Specs>
struct test_layout {
    static constexpr std::size_t arrays = sizeof...(Specs);
    static constexpr std::array<array_spec, arrays> specs{Specs...};

    static constexpr std::size_t bytes(std::size_t k, std::size_t slots) noexcept {
        return (slots + specs[k].slots - 1) / specs[k].slots * specs[k].bytes;
    }
    static constexpr std::size_t alignment(std::size_t k) noexcept { return specs[k].alignment; }
    static constexpr bool trims(std::size_t k) noexcept { return specs[k].trims; }
};

using one_byte = test_layout<array_spec{1, 1, 1, true}>;
using odd_sizes = test_layout<array_spec{3, 1, 1, true}, array_spec{7, 1, 1, false}, array_spec{24, 1, 8, true}>;
using slot_like = test_layout<array_spec{48, 1, 16, true}, array_spec{4, 1, 4, false}, array_spec{4, 1, 4, true},
                              array_spec{8, 64, 8, false}>;
using bits_first = test_layout<array_spec{8, 64, 8, false}, array_spec{8, 4096, 8, false}, array_spec{1, 1, 1, true}>;
using over_64 = test_layout<array_spec{4, 1, 4, false}, array_spec{64, 1, 64, true}>;
using over_128 = test_layout<array_spec{1, 1, 1, false}, array_spec{128, 1, 128, true}, array_spec{1, 1, 128, false}>;
using over_4096 = test_layout<array_spec{2, 1, 2, false}, array_spec{512, 8, 4096, true}, array_spec{4, 1, 4, false}>;
using over_a_page =
    test_layout<array_spec{4, 1, 4, false}, array_spec{64, 1, 65536, true}, array_spec{1, 1, 16384, false}>;
using with_empty = test_layout<array_spec{0, 1, 4096, true}, array_spec{12, 1, 4, true}, array_spec{0, 1, 1, false},
                               array_spec{8, 64, 8, false}, array_spec{0, 1, 8, false}>;
using all_empty = test_layout<array_spec{0, 1, 1, true}, array_spec{0, 1, 64, false}>;
using columns = test_layout<array_spec{4, 1, 64, true}, array_spec{4, 1, 64, true}, array_spec{4, 1, 64, true},
                            array_spec{4, 1, 64, true}, array_spec{4, 1, 64, true}, array_spec{4, 1, 64, true},
                            array_spec{4, 1, 64, true}, array_spec{4, 1, 64, true}, array_spec{4, 1, 4, false}>;
using keeps_all = test_layout<array_spec{16, 1, 16, false}, array_spec{8, 1, 8, false}>;

using all_layouts = ::testing::Types<one_byte, odd_sizes, slot_like, bits_first, over_64, over_128, over_4096,
                                     over_a_page, with_empty, all_empty, columns, keeps_all>;

template <class L, class M>
std::array<std::byte*, L::arrays> arrays_of(const M& memory) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return std::array<std::byte*, L::arrays>{memory.template array<K>()...};
    }(std::make_index_sequence<L::arrays>{});
}

/// What fill writes, a period of prime length, so that no shift by a power of two maps it onto itself.
inline constexpr std::size_t period = 1021;

inline const std::byte* period_of(std::size_t k, unsigned salt) {
    static const auto twice = [] {
        std::array<std::byte, 2 * period> bytes{};
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const std::size_t j = i % period;
            bytes[i] = static_cast<std::byte>(1 + j * 7 + j / 31 * 3);
        }
        return bytes;
    }();
    return twice.data() + (k * 37 + salt * 101) % period;
}

inline std::byte mark(std::size_t k, std::size_t i, unsigned salt) { return period_of(k, salt)[i % period]; }

/// Writes every byte that [0, slots) may touch, each array with its own marks.
template <class L, class M>
void fill(const M& memory, std::size_t slots, unsigned salt = 0) {
    const auto arrays = arrays_of<L>(memory);
    for (std::size_t k = 0; k < L::arrays; ++k) {
        const std::size_t bytes = L::bytes(k, slots);
        for (std::size_t i = 0; i < bytes; i += period) {
            std::memcpy(arrays[k] + i, period_of(k, salt), detail::smaller(period, bytes - i));
        }
    }
}

/// True when what fill wrote for [0, slots) is still there. Two arrays that overlap cannot both pass.
template <class L, class M>
::testing::AssertionResult holds_fill(const M& memory, std::size_t slots, unsigned salt = 0) {
    const auto arrays = arrays_of<L>(memory);
    for (std::size_t k = 0; k < L::arrays; ++k) {
        const std::size_t bytes = L::bytes(k, slots);
        for (std::size_t i = 0; i < bytes; i += period) {
            if (std::memcmp(arrays[k] + i, period_of(k, salt), detail::smaller(period, bytes - i)) != 0) {
                return ::testing::AssertionFailure()
                       << "array " << k << " lost a byte in " << i << " + " << period << " of " << slots << " slots";
            }
        }
    }
    return ::testing::AssertionSuccess();
}

/// True when bytes of slots [from, to) are zero in every array that must be.
template <class L, class M>
::testing::AssertionResult reads_zero(const M& memory, std::size_t from, std::size_t to) {
    const auto arrays = arrays_of<L>(memory);
    for (std::size_t k = 0; k < L::arrays; ++k) {
        if (L::trims(k)) {
            continue;
        }
        static constexpr std::array<std::byte, 4096> zeros{};
        const std::size_t end = L::bytes(k, to);
        for (std::size_t i = L::bytes(k, from); i < end; i += zeros.size()) {
            if (std::memcmp(arrays[k] + i, zeros.data(), detail::smaller(zeros.size(), end - i)) != 0) {
                return ::testing::AssertionFailure()
                       << "array " << k << " is not zero in " << i << " + " << zeros.size();
            }
        }
    }
    return ::testing::AssertionSuccess();
}

/// Alignment, no overlap, and null exactly for arrays without bytes.
template <class L, class M>
::testing::AssertionResult well_placed(const M& memory) {
    const auto arrays = arrays_of<L>(memory);
    for (std::size_t k = 0; k < L::arrays; ++k) {
        const std::size_t bytes = L::bytes(k, memory.max_slots());
        if ((arrays[k] == nullptr) != (bytes == 0)) {
            return ::testing::AssertionFailure() << "array " << k << " of " << bytes << " bytes is null or is not";
        }
        if (reinterpret_cast<std::uintptr_t>(arrays[k]) % L::alignment(k) != 0) {
            return ::testing::AssertionFailure() << "array " << k << " is not aligned to " << L::alignment(k);
        }
        for (std::size_t j = 0; j < k; ++j) {
            const std::size_t other = L::bytes(j, memory.max_slots());
            if (bytes != 0 && other != 0 && arrays[k] < arrays[j] + other && arrays[j] < arrays[k] + bytes) {
                return ::testing::AssertionFailure() << "arrays " << j << " and " << k << " overlap";
            }
        }
    }
    return ::testing::AssertionSuccess();
}

}  // namespace lido::test
