// A set of the fields of one class, by their numbers. A value of 32 bytes: no memory is asked for.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/entity/schema/field_check.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace lido {

class field_set {
public:
    static constexpr std::size_t max_size = max_class_fields;

    constexpr field_set() noexcept = default;

    /// Fields 0 to count - 1. Pre: count <= max_size.
    [[nodiscard]] static constexpr field_set first(std::size_t count) noexcept {
        field_set made;
        for (std::size_t w = 0; w < words; ++w) made.words_[w] = bits::below(w, count);
        return made;
    }

    /// Pre of all three: field < max_size.
    constexpr void add(std::size_t field) noexcept { bits::set(words_.data(), field); }
    constexpr void remove(std::size_t field) noexcept { bits::clear(words_.data(), field); }
    [[nodiscard]] constexpr bool has(std::size_t field) const noexcept { return bits::test(words_.data(), field); }

    [[nodiscard]] constexpr bool empty() const noexcept { return (words_[0] | words_[1] | words_[2] | words_[3]) == 0; }
    [[nodiscard]] constexpr std::size_t size() const noexcept {
        std::size_t sum = 0;
        for (const std::uint64_t w : words_) sum += static_cast<std::size_t>(std::popcount(w));
        return sum;
    }

    /// Calls f(number) for each, in order.
    template <class F>
    constexpr void for_each(F&& f) const {
        for (std::size_t w = 0; w < words; ++w) {
            for (std::uint64_t left = words_[w]; left != 0; left &= left - 1) f(w * 64 + bits::lowest(left));
        }
    }

    friend constexpr field_set operator&(const field_set& a, const field_set& b) noexcept {
        field_set made;
        for (std::size_t w = 0; w < words; ++w) made.words_[w] = a.words_[w] & b.words_[w];
        return made;
    }
    friend constexpr field_set operator|(const field_set& a, const field_set& b) noexcept {
        field_set made;
        for (std::size_t w = 0; w < words; ++w) made.words_[w] = a.words_[w] | b.words_[w];
        return made;
    }
    /// Those of a that are not in b.
    friend constexpr field_set operator-(const field_set& a, const field_set& b) noexcept {
        field_set made;
        for (std::size_t w = 0; w < words; ++w) made.words_[w] = a.words_[w] & ~b.words_[w];
        return made;
    }
    friend constexpr bool operator==(const field_set&, const field_set&) noexcept = default;

private:
    static constexpr std::size_t words = max_size / 64;
    static_assert(words == 4);

    std::array<bits::map_word, words> words_{};
};
static_assert(sizeof(field_set) == 32);

}  // namespace lido
