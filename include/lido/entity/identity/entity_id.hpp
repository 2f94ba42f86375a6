// The name of an entity: 1 to 63 bytes of UTF-8 without control characters, inside of the object.
//
//   0                                             63
//  +-----------------------------------------------+------+
//  | characters, then zeros                        | size |     64 bytes
//  +-----------------------------------------------+------+
//
// EI1. size <= 63, and every byte after the characters is zero: equal ids are equal bytes. Size 0 is "no id".
// EI2. The characters are valid UTF-8 without control characters, so that an id can stand in a log, a URL or a table as it is.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/meta/hash.hpp>
#include <lido/entity/schema/utf8.hpp>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <type_traits>

namespace lido {

/// Why a text is no id.
enum class id_fault : std::uint8_t {
    none,
    empty,
    too_long,
    not_text,           ///< not valid UTF-8
    control_character,  ///< a line feed, a NUL, an escape: U+0000 to U+001F and U+007F to U+009F
};

[[nodiscard]] constexpr const char* to_string(id_fault fault) noexcept {
    switch (fault) {
        case id_fault::none: return "nothing is wrong";
        case id_fault::empty: return "an id has at least one character";
        case id_fault::too_long: return "an id has at most 63 bytes";
        case id_fault::not_text: return "an id is valid UTF-8";
        case id_fault::control_character: return "an id has no control characters";
    }
    return "unknown";
}

namespace entity_detail {

/// Up to 63 bytes, from where 64 can be read. Without a call: ids are short, and are copied at both ends of a life.
LIDO_INLINE void copy_id_bytes(void* to, const void* from, std::size_t size) noexcept {
    auto* const out = static_cast<char*>(to);
    const auto* const in = static_cast<const char*>(from);
    // Two pieces that overlap.
    const auto both = [&]<std::size_t N>(std::integral_constant<std::size_t, N>) {
        char first[N];
        char last[N];
        std::memcpy(first, in, N);
        std::memcpy(last, in + size - N, N);
        std::memcpy(out, first, N);
        std::memcpy(out + size - N, last, N);
    };
    if (size >= 32) return both(std::integral_constant<std::size_t, 32>{});
    if (size >= 16) return both(std::integral_constant<std::size_t, 16>{});
    if (size >= 8) return both(std::integral_constant<std::size_t, 8>{});
    if (size >= 4) return both(std::integral_constant<std::size_t, 4>{});
    for (std::size_t i = 0; i < size; ++i) out[i] = in[i];
}

}  // namespace entity_detail

class entity_id {
public:
    static constexpr std::size_t max_size = 63;

    /// No id.
    constexpr entity_id() noexcept = default;

    /// Pre: check(characters) is id_fault::none.
    constexpr explicit entity_id(std::string_view characters) noexcept {
        [[maybe_unused]] const id_fault fault = assign(characters);
        LIDO_ASSERT(fault == id_fault::none, "entity_id: this is no id; ask entity_id::check() for the reason");
    }

    [[nodiscard]] static constexpr id_fault check(std::string_view characters) noexcept {
        if (characters.empty()) return id_fault::empty;
        if (characters.size() > max_size) return id_fault::too_long;
        for (std::size_t i = 0; i < characters.size();) {
            // Most are plain letters and digits.
            if (characters[i] >= 0x20 && characters[i] <= 0x7e) [[likely]] {
                ++i;
                continue;
            }
            const auto byte = static_cast<unsigned char>(characters[i]);
            if (byte < 0x20 || byte == 0x7f) return id_fault::control_character;
            const std::size_t length = entity_detail::character_length(characters.substr(i));
            if (length == 0) return id_fault::not_text;
            if (byte == 0xc2 && static_cast<unsigned char>(characters[i + 1]) < 0xa0)
                return id_fault::control_character;
            i += length;
        }
        return id_fault::none;
    }

    /// Nothing changes where something is wrong.
    constexpr id_fault assign(std::string_view characters) noexcept {
        const id_fault fault = check(characters);
        if (fault != id_fault::none) return fault;
        if (std::is_constant_evaluated()) {
            for (std::size_t i = 0; i < max_size; ++i) characters_[i] = i < characters.size() ? characters[i] : '\0';
        } else {
            std::memset(characters_, 0, max_size);
            std::memcpy(characters_, characters.data(), characters.size());
        }
        size_ = static_cast<std::uint8_t>(characters.size());
        return id_fault::none;
    }

    [[nodiscard]] constexpr std::string_view view() const noexcept { return {characters_, size()}; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_ <= max_size ? size_ : max_size; }
    [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
    /// Given by the stage, not by the program.
    [[nodiscard]] constexpr bool generated() const noexcept { return size_ != 0 && characters_[0] == '~'; }

    /// The digits at its end, one more. False, with nothing changed, where they have no room: 9, 99, or none at all.
    bool count_up() noexcept {
        std::size_t at = size_;
        while (at != 0 && characters_[at - 1] == '9') --at;
        if (at == 0 || characters_[at - 1] < '0' || characters_[at - 1] > '8') return false;
        ++characters_[at - 1];
        for (; at < size_; ++at) characters_[at] = '0';
        return true;
    }

    /// EI1 and EI2; true for no id.
    [[nodiscard]] constexpr bool well_formed() const noexcept {
        if (size_ > max_size) return false;
        for (std::size_t i = size_; i < max_size; ++i) {
            if (characters_[i] != '\0') return false;
        }
        return size_ == 0 || check(view()) == id_fault::none;
    }

    constexpr void hash(hasher& h) const { h.add(view()); }

    friend bool operator==(const entity_id& a, const entity_id& b) noexcept {
        return std::memcmp(&a, &b, sizeof(entity_id)) == 0;
    }
    friend bool operator==(const entity_id& a, std::string_view b) noexcept { return a.view() == b; }
    /// By bytes, which for UTF-8 is the order of code points.
    friend std::strong_ordering operator<=>(const entity_id& a, const entity_id& b) noexcept {
        return a.view() <=> b.view();
    }

private:
    char characters_[max_size] = {};
    std::uint8_t size_ = 0;
};
static_assert(sizeof(entity_id) == 64 && std::is_trivially_copyable_v<entity_id> &&
              std::has_unique_object_representations_v<entity_id>);

namespace entity_detail {

/// Of an id while the program runs; not written anywhere. Two words a step, each multiplied into 128 bits and folded: an id of 15 bytes
/// takes three multiplications.
[[nodiscard]] inline std::uint64_t quick_hash(std::string_view id) noexcept {
    const auto fold = [](std::uint64_t a, std::uint64_t b) noexcept {
#if defined(__SIZEOF_INT128__)
        __extension__ using wide = unsigned __int128;
        const wide product = static_cast<wide>(a) * b;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#else
        const std::uint64_t x = (a ^ (b >> 31)) * 0x9e3779b97f4a7c15u;
        return (x ^ (x >> 32)) * (b | 1);
#endif
    };
    const auto word = [](const char* from) noexcept {
        std::uint64_t w = 0;
        std::memcpy(&w, from, sizeof(w));
        return w;
    };
    constexpr std::uint64_t k1 = 0xbb721d6f4aa0d4efu;
    constexpr std::uint64_t k2 = 0x79c34101fd21da0bu;
    const char* p = id.data();
    std::size_t left = id.size();
    std::uint64_t h = k1 ^ left;
    for (; left > 16; left -= 16, p += 16) h = fold(word(p) ^ k1, word(p + 8) ^ h);
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    if (left >= 8) {
        a = word(p);
        b = word(p + left - 8);
    } else if (left >= 4) {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        std::memcpy(&first, p, 4);
        std::memcpy(&last, p + left - 4, 4);
        a = first;
        b = last;
    } else if (left != 0) {
        a = static_cast<unsigned char>(p[0]);
        b = static_cast<std::uint64_t>(static_cast<unsigned char>(p[left / 2])) << 8 |
            static_cast<unsigned char>(p[left - 1]);
    }
    return fold(fold(a ^ k1, b ^ h), k2);
}

}  // namespace entity_detail
}  // namespace lido

template <>
struct std::hash<lido::entity_id> {
    [[nodiscard]] std::size_t operator()(const lido::entity_id& id) const noexcept {
        return static_cast<std::size_t>(lido::entity_detail::quick_hash(id.view()));
    }
};
