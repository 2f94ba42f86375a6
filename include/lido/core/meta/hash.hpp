// lido: a 64-bit hash of values for state comparison, and a checksum of bytes for save images.
//
// Results depend on the values alone: they are the same on every compiler, build type, word size and byte order, and
// are part of the save and trace formats (tests/core/meta/hash_vectors_test.cpp freezes them). NOT cryptographic: who
// chooses the input can choose the output, so it guards against accidents and desyncs, not against people.
//
// Chunking matters: each add() is one item and add_bytes() carries its length, so {"ab", "c"} and {"a", "bc"} differ.
#pragma once

#include <lido/core/base/compat.hpp>
#include <lido/core/meta/fields.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace lido {

class hasher;

namespace detail {

// Odd, so that multiplying by them loses nothing; drawn at random with 28 to 36 bits set. Changing one breaks every
// stored hash and checksum.
inline constexpr std::uint64_t hash_k1 = 0xbb721d6f4aa0d4efU;
inline constexpr std::uint64_t hash_k2 = 0x79c34101fd21da0bU;
inline constexpr std::uint64_t hash_step = 0x04e293c13ba95167U;
inline constexpr std::uint64_t lane_in = 0xf5e3901d176fa8dbU;
inline constexpr std::uint64_t lane_out = 0x1143104bb63e57ddU;
inline constexpr std::uint64_t lane_start[4] = {0x2ea73c6efbc8c2d5U, 0xb1e8dd352ecd263bU, 0xbd96add1fd04359bU,
                                                0x9d43cd515b7d662fU};

// One word into the state. One-to-one in `state` for a fixed word and in `word` for a fixed state, so two inputs that
// differ in one word never meet. The added step keeps a run of zeros from standing still. Two multiplications in a row:
// about 12 cycles a word, 6 ns a field on the 2-core virtual machine it was written on.
constexpr std::uint64_t absorb(std::uint64_t state, std::uint64_t word) noexcept {
    std::uint64_t x = (state ^ word) * hash_k1;
    x = (x ^ (x >> 32)) * hash_k2;
    return (x ^ (x >> 29)) + hash_step;
}

constexpr std::uint64_t finish(std::uint64_t x) noexcept {
    x = (x ^ (x >> 32)) * hash_k2;
    x = (x ^ (x >> 29)) * hash_k1;
    return x ^ (x >> 32);
}

// One-to-one in both, like absorb(), and cheaper. The word is multiplied before it meets the lane: with a bare xor, a
// flip of bit 63 and one of the bit it rotates to, a word later, would cancel for certain.
constexpr std::uint64_t absorb_lane(std::uint64_t lane, std::uint64_t word) noexcept {
    return std::rotl(lane ^ (word * lane_in), 29) * lane_out;
}

// The first n <= 8 bytes as a little-endian number.
template <class Byte>
constexpr std::uint64_t load_part(const Byte* p, std::size_t n) noexcept {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < n; ++i) {
        word |= static_cast<std::uint64_t>(static_cast<unsigned char>(p[i])) << (8 * i);
    }
    return word;
}

template <class Byte>
constexpr std::uint64_t load_word(const Byte* p) noexcept {
    if constexpr (std::endian::native == std::endian::little) {
        if (!std::is_constant_evaluated()) {
            std::uint64_t word = 0;
            std::memcpy(&word, p, sizeof word);
            return word;
        }
    }
    return load_part(p, 8);
}

template <class Byte>
constexpr std::uint64_t checksum(const Byte* p, std::size_t size) noexcept {
    static_assert(sizeof(Byte) == 1);
    // The length goes first, so the zeros that fill up the last word are never taken for data.
    std::uint64_t h = absorb(hash_step, size);
    std::size_t left = size;
    if (left >= 32) {
        std::uint64_t a = lane_start[0], b = lane_start[1], c = lane_start[2], d = lane_start[3];
        for (; left >= 32; left -= 32, p += 32) {
            a = absorb_lane(a, load_word(p));
            b = absorb_lane(b, load_word(p + 8));
            c = absorb_lane(c, load_word(p + 16));
            d = absorb_lane(d, load_word(p + 24));
        }
        h = absorb(absorb(absorb(absorb(h, a), b), c), d);
    }
    for (; left >= 8; left -= 8, p += 8) {
        h = absorb(h, load_word(p));
    }
    if (left != 0) {
        h = absorb(h, load_part(p, left));
    }
    return finish(h);
}

}  // namespace detail

/// A checksum that seals bytes: four lanes, 32 bytes a step, 7 GB/s on the machine named above. A change confined to
/// one aligned 8-byte word (every single-bit flip) always changes it; any other change, and a truncation, goes unseen
/// once in 2^64.
constexpr std::uint64_t bytes_checksum(std::span<const std::byte> bytes) noexcept {
    return detail::checksum(bytes.data(), bytes.size());
}

// --- what can be hashed ---------------------------------------------------------------------------------------------

namespace detail {

template <class T>
concept has_hash_member = requires(const T& value, hasher& h) {
    { value.hash(h) } -> std::same_as<void>;
};

template <class>
struct hash_shape {
    static constexpr bool sequence = false, text = false, optional = false, tuple = false;
};
template <class T, std::size_t N>
struct hash_shape<std::array<T, N>> : hash_shape<void> {};
template <class T, class A>
struct hash_shape<std::vector<T, A>> : hash_shape<void> {
    static constexpr bool sequence = true;
};
template <class C, class Traits, class A>
struct hash_shape<std::basic_string<C, Traits, A>> : hash_shape<void> {
    static constexpr bool text = true;
};
template <class C, class Traits>
struct hash_shape<std::basic_string_view<C, Traits>> : hash_shape<void> {
    static constexpr bool text = true;
};
template <class T>
struct hash_shape<std::optional<T>> : hash_shape<void> {
    static constexpr bool optional = true;
};
template <class T, class U>
struct hash_shape<std::pair<T, U>> : hash_shape<void> {
    static constexpr bool tuple = true;
    using types = std::tuple<T, U>;
};
template <class... T>
struct hash_shape<std::tuple<T...>> : hash_shape<void> {
    static constexpr bool tuple = true;
    using types = std::tuple<T...>;
};

enum class hash_kind {
    member,
    integer,
    floating,
    enumeration,
    array,
    std_array,
    text,
    sequence,
    optional,
    tuple,
    aggregate,
    pointer,
    long_double,
    unknown,
};

// Decides once for the concept and for the function, so that they cannot disagree.
template <class T>
consteval hash_kind judge_hash() {
    if constexpr (std::is_class_v<T> && has_hash_member<T>) {
        return hash_kind::member;
    } else if constexpr (std::is_integral_v<T>) {
        return sizeof(T) <= 8 ? hash_kind::integer : hash_kind::unknown;
    } else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
        static_assert(std::numeric_limits<T>::is_iec559, "lido: floats are hashed by their IEC 60559 bit pattern");
        return hash_kind::floating;
    } else if constexpr (std::is_same_v<T, long double>) {
        return hash_kind::long_double;
    } else if constexpr (std::is_enum_v<T>) {
        return hash_kind::enumeration;
    } else if constexpr (std::is_pointer_v<T> || std::is_member_pointer_v<T> || std::is_null_pointer_v<T>) {
        return hash_kind::pointer;
    } else if constexpr (std::is_bounded_array_v<T>) {
        return hash_kind::array;
    } else if constexpr (is_std_array<T>::value) {
        return hash_kind::std_array;
    } else if constexpr (hash_shape<T>::text) {
        return hash_kind::text;
    } else if constexpr (hash_shape<T>::sequence) {
        return hash_kind::sequence;
    } else if constexpr (hash_shape<T>::optional) {
        return hash_kind::optional;
    } else if constexpr (hash_shape<T>::tuple) {
        return hash_kind::tuple;
    } else if constexpr (splittable<T>) {
        return hash_kind::aggregate;
    } else {
        return hash_kind::unknown;
    }
}

template <class T>
inline constexpr hash_kind hash_kind_of = judge_hash<T>();

template <class... T>
struct type_pack {};

// `Seen` holds the types that are being decided: a node that owns a vector of nodes is as hashable as its other parts.
template <class T, class... Seen>
consteval bool can_hash(type_pack<Seen...>);

template <class... Parts, class Seen>
consteval bool can_hash_all(std::tuple<Parts...>*, [[maybe_unused]] Seen seen) {
    return (can_hash<std::remove_cvref_t<Parts>>(seen) && ...);
}

template <class T, class... Seen>
consteval bool can_hash(type_pack<Seen...>) {
    constexpr type_pack<T, Seen...> seen;
    if constexpr ((std::is_same_v<T, Seen> || ...)) {
        return true;
    } else {
        constexpr hash_kind kind = hash_kind_of<T>;
        if constexpr (kind == hash_kind::array) {
            return can_hash<std::remove_cv_t<std::remove_all_extents_t<T>>>(seen);
        } else if constexpr (kind == hash_kind::std_array || kind == hash_kind::sequence ||
                             kind == hash_kind::optional) {
            return can_hash<std::remove_cv_t<typename T::value_type>>(seen);
        } else if constexpr (kind == hash_kind::tuple) {
            return can_hash_all(static_cast<typename hash_shape<T>::types*>(nullptr), seen);
        } else if constexpr (kind == hash_kind::aggregate) {
            return can_hash_all(static_cast<field_types<T>*>(nullptr), seen);
        } else {
            return kind != hash_kind::pointer && kind != hash_kind::long_double && kind != hash_kind::unknown;
        }
    }
}

}  // namespace detail

/// T has a value that hash_value_into() can reach, down to its last part.
template <class T>
concept hashable_state = detail::can_hash<std::remove_cvref_t<T>>(detail::type_pack<>{});

template <class T>
constexpr void hash_value_into(hasher& h, const T& value);

/// A streaming hash: add() items in order, read digest() at any time.
///
///   offset 0   state   8 bytes; everything seen so far
class hasher {
public:
    constexpr hasher() noexcept = default;
    /// As if the seed were the first item: hashers of different seeds disagree on every input.
    constexpr explicit hasher(std::uint64_t seed) noexcept : state_{detail::absorb(detail::hash_k1, seed)} {}

    constexpr hasher& add(std::uint64_t value) noexcept {
        state_ = detail::absorb(state_, value);
        return *this;
    }

    /// The same as add(std::uint64_t) of the same value: a field may be widened without a change of hash.
    constexpr hasher& add(std::uint32_t value) noexcept { return add(std::uint64_t{value}); }

    /// Any value that hash_value_into() takes, so that a member `hash` reads h.add(a_).add(b_).
    template <class T>
    constexpr hasher& add(const T& value) {
        hash_value_into(*this, value);
        return *this;
    }

    /// The bytes and their number, as one item.
    constexpr hasher& add_bytes(std::span<const std::byte> bytes) noexcept { return add(bytes_checksum(bytes)); }

    constexpr std::uint64_t digest() const noexcept { return detail::finish(state_); }

private:
    std::uint64_t state_ = detail::hash_k1;
};
static_assert(sizeof(hasher) == 8);

namespace detail {

// By value, not by size: `long`, wchar_t and the sign of plain char differ between platforms, and the hash must not.
template <class I>
constexpr std::uint64_t widen(I value) noexcept {
    if constexpr (std::is_same_v<I, bool>) {
        return value ? 1 : 0;
    } else if constexpr (std::is_same_v<I, char>) {
        return static_cast<unsigned char>(value);
    } else if constexpr (std::is_same_v<I, wchar_t>) {
        return static_cast<std::uint32_t>(value);
    } else if constexpr (std::is_signed_v<I>) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    } else {
        return static_cast<std::uint64_t>(value);
    }
}

template <class T>
inline constexpr bool is_hash_byte =
    sizeof(T) == 1 && !std::is_same_v<T, bool> && (std::is_integral_v<T> || std::is_same_v<T, std::byte>);

// Bytes go through the lanes as one item; everything else one element at a time, so that padding never enters.
template <class T>
constexpr void hash_elements(hasher& h, const T* first, std::size_t count) {
    if constexpr (is_hash_byte<std::remove_cv_t<T>>) {
        h.add(checksum(first, count));
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            hash_value_into(h, first[i]);
        }
    }
}

}  // namespace detail

/// Adds a value: its member `void hash(lido::hasher&) const` where it has one; numbers and enums by value, floats by
/// bit pattern (so -0 is not 0, and a NaN equals itself); arrays, vectors, strings, optionals, pairs and tuples by what
/// they hold; a splittable struct field by field. Lengths that can vary are part of the hash; fixed ones are not.
template <class T>
constexpr void hash_value_into(hasher& h, const T& value) {
    using type = std::remove_cv_t<T>;
    using detail::hash_kind;
    constexpr hash_kind kind = detail::hash_kind_of<type>;
    static_assert(kind != hash_kind::pointer,
                  "lido: a pointer cannot be hashed: a pointer's value differs from run to run; give the type that "
                  "holds it a member `void hash(lido::hasher&) const` that hashes what the pointer stands for, or "
                  "store a handle instead");
    static_assert(kind != hash_kind::long_double,
                  "lido: a long double cannot be hashed: its format and its padding differ between platforms; store "
                  "a double, or give the type that holds it a member `void hash(lido::hasher&) const`");
    static_assert(kind != hash_kind::unknown,
                  "lido: the type cannot be hashed: it is no number, enum, array, string, vector, optional, pair, "
                  "tuple or splittable struct; give it a member `void hash(lido::hasher&) const`");
    if constexpr (kind == hash_kind::member) {
        value.hash(h);
    } else if constexpr (kind == hash_kind::integer) {
        h.add(detail::widen<type>(value));
    } else if constexpr (kind == hash_kind::floating) {
        if constexpr (sizeof(type) == 4) {
            h.add(detail::bits_as<std::uint32_t>(value));
        } else {
            h.add(detail::bits_as<std::uint64_t>(value));
        }
    } else if constexpr (kind == hash_kind::enumeration) {
        using number = std::underlying_type_t<type>;
        h.add(detail::widen<number>(static_cast<number>(value)));
    } else if constexpr (kind == hash_kind::array) {
        detail::hash_elements(h, value, std::extent_v<type>);
    } else if constexpr (kind == hash_kind::std_array) {
        detail::hash_elements(h, value.data(), value.size());
    } else if constexpr (kind == hash_kind::text) {
        h.add(static_cast<std::uint64_t>(value.size()));
        detail::hash_elements(h, value.data(), value.size());
    } else if constexpr (kind == hash_kind::sequence) {
        h.add(static_cast<std::uint64_t>(value.size()));
        if constexpr (std::is_same_v<typename type::value_type, bool>) {
            for (const bool bit : value) {
                h.add(std::uint64_t{bit});
            }
        } else {
            detail::hash_elements(h, value.data(), value.size());
        }
    } else if constexpr (kind == hash_kind::optional) {
        h.add(std::uint64_t{value.has_value()});
        if (value.has_value()) {
            hash_value_into(h, *value);
        }
    } else if constexpr (kind == hash_kind::tuple) {
        std::apply([&](const auto&... part) { (hash_value_into(h, part), ...); }, value);
    } else if constexpr (kind == hash_kind::aggregate) {
        for_each_field(value, [&](const auto& field) { hash_value_into(h, field); });
    }
}

/// The hash of one value.
template <class T>
constexpr std::uint64_t hash_value(const T& value) {
    hasher h;
    hash_value_into(h, value);
    return h.digest();
}

}  // namespace lido
