// Text of at most N bytes inside of an object, for fields that are compared, sent and saved.
//
//   text<16>     0                         17    18
//               +---------------------------+----+
//               |  characters, then zeros   |size|     size: one byte up to text<255>, two above
//               +---------------------------+----+
//
// ET1. size <= N, and every byte after the characters is zero: equal texts are equal bytes, and c_str() always ends.
// ET2. The characters are valid UTF-8 without NUL. Every function here keeps that; what memory or a cast put there is found by a commit.
#pragma once

#include <lido/core/meta/hash.hpp>
#include <lido/entity/schema/utf8.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>

namespace lido {

namespace entity_detail {

// Not constexpr: a literal that comes here in a constant expression stops the compiler, which prints this name.
inline void the_literal_is_not_valid_utf8() noexcept {}

/// The smallest type that counts to N.
template <std::size_t N>
using count_type =
    std::conditional_t<(N <= 255), std::uint8_t, std::conditional_t<(N <= 65535), std::uint16_t, std::uint32_t>>;

}  // namespace entity_detail

template <std::size_t N>
class text {
    static_assert(N >= 1 && N <= 65535, "lido: a text holds 1 to 65535 bytes");

public:
    /// In bytes. A character of UTF-8 has one to four.
    static constexpr std::size_t max_size = N;

    constexpr text() noexcept = default;

    /// From a literal, up to its first NUL. One that is too long does not compile.
    template <std::size_t M>
    constexpr text(const char (&literal)[M]) noexcept {
        static_assert(M <= N + 1, "lido: the literal is longer than this text can hold");
        std::size_t length = 0;
        while (length < M && literal[length] != '\0') ++length;
        const std::string_view characters(literal, length);
        if (!entity_detail::is_valid_text(characters)) entity_detail::the_literal_is_not_valid_utf8();
        put(characters.substr(0, entity_detail::valid_prefix(characters, N)));
    }

    /// False, and nothing changes, where it is longer than N bytes, not valid UTF-8, or has a NUL in it.
    constexpr bool assign(std::string_view characters) noexcept {
        if (characters.size() > N || !entity_detail::is_valid_text(characters)) return false;
        put(characters);
        return true;
    }

    /// As many whole characters as fit, up to the first that is not valid. Returns whether that was all of it.
    constexpr bool assign_cut(std::string_view characters) noexcept {
        const std::size_t length = entity_detail::valid_prefix(characters, N);
        put(characters.substr(0, length));
        return length == characters.size();
    }

    /// False, and nothing changes, where the two together do not fit or `characters` are not valid.
    constexpr bool append(std::string_view characters) noexcept {
        if (characters.size() > N - size() || !entity_detail::is_valid_text(characters)) return false;
        const std::size_t before = size();
        const std::size_t more = characters.size();
        for (std::size_t i = 0; i < more; ++i) chars_[before + i] = characters[i];
        size_ = static_cast<size_type>(before + more);
        return true;
    }

    constexpr void clear() noexcept { put({}); }

    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_ <= N ? size_ : N; }
    [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] constexpr const char* c_str() const noexcept { return chars_; }
    [[nodiscard]] constexpr std::string_view view() const noexcept { return {chars_, size()}; }
    [[nodiscard]] constexpr operator std::string_view() const noexcept { return view(); }

    /// ET1 and ET2.
    [[nodiscard]] constexpr bool well_formed() const noexcept {
        if (size_ > N) return false;
        for (std::size_t i = size_; i < room; ++i) {
            if (chars_[i] != '\0') return false;
        }
        return entity_detail::is_valid_text(view());
    }

    constexpr void hash(hasher& h) const { h.add(view()); }

private:
    using size_type = entity_detail::count_type<N>;
    // With the NUL; rounded up, so that no byte of the whole is padding.
    static constexpr std::size_t room = (N + sizeof(size_type)) / sizeof(size_type) * sizeof(size_type);

    // May be a part of itself, which is copied forward.
    constexpr void put(std::string_view characters) noexcept {
        const std::size_t length = characters.size();
        for (std::size_t i = 0; i < length; ++i) chars_[i] = characters[i];
        for (std::size_t i = length; i < room; ++i) chars_[i] = '\0';
        size_ = static_cast<size_type>(length);
    }

    char chars_[room] = {};
    size_type size_ = 0;
};
static_assert(sizeof(text<16>) == 18 && sizeof(text<256>) == 260 && std::is_trivially_copyable_v<text<16>>);
static_assert(std::has_unique_object_representations_v<text<16>> &&
              std::has_unique_object_representations_v<text<256>>);

template <std::size_t N, std::size_t M>
[[nodiscard]] constexpr bool operator==(const text<N>& a, const text<M>& b) noexcept {
    return a.view() == b.view();
}
template <std::size_t N>
[[nodiscard]] constexpr bool operator==(const text<N>& a, std::string_view b) noexcept {
    return a.view() == b;
}
/// By bytes, which for UTF-8 is the order of code points.
template <std::size_t N, std::size_t M>
[[nodiscard]] constexpr std::strong_ordering operator<=>(const text<N>& a, const text<M>& b) noexcept {
    return a.view() <=> b.view();
}
template <std::size_t N>
[[nodiscard]] constexpr std::strong_ordering operator<=>(const text<N>& a, std::string_view b) noexcept {
    return a.view() <=> b;
}

}  // namespace lido

template <std::size_t N>
struct std::hash<lido::text<N>> {
    [[nodiscard]] std::size_t operator()(const lido::text<N>& t) const noexcept {
        return std::hash<std::string_view>{}(t.view());
    }
};
