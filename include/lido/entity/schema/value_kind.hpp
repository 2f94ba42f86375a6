// Which types a field can have, and what each of them is made of.
#pragma once

#include <lido/core/handle.hpp>
#include <lido/core/meta/fields.hpp>
#include <lido/entity/schema/bounded_vector.hpp>
#include <lido/entity/schema/bytes.hpp>
#include <lido/entity/schema/link.hpp>
#include <lido/entity/schema/text.hpp>
#include <lido/world/ref.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lido {

/// What a field is. Lists, arrays and optionals have elements, which are of any kind again.
enum class field_kind : std::uint8_t {
    flag,        ///< bool
    whole,       ///< an integer of 1 to 8 bytes
    real,        ///< float or double
    enumerated,  ///< an enum
    text,        ///< text<N>
    bytes,       ///< bytes<N>
    link,        ///< link<T>
    list,        ///< bounded_vector<T, N>
    array,       ///< std::array<T, N> or T[N]
    optional,    ///< std::optional<T>
    structure,   ///< a plain struct, as an element of one of these; as a field it is taken apart: "at.x"
    local,       ///< of any type: neither sent nor saved
};

namespace entity_detail {

/// Why a type is none that a sent or saved field can have.
enum class refusal : std::uint8_t {
    none,
    pointer,
    handle,
    string,
    standard_vector,
    long_double,
    character,
    not_trivially_copyable,
    no_default,
    not_plain,
};

template <class V>
struct value_shape {
    static constexpr bool known = false;
};
template <std::size_t N>
struct value_shape<text<N>> {
    static constexpr bool known = true;
    static constexpr field_kind kind = field_kind::text;
};
template <std::size_t N>
struct value_shape<bytes<N>> {
    static constexpr bool known = true;
    static constexpr field_kind kind = field_kind::bytes;
};
template <class T>
struct value_shape<link<T>> {
    static constexpr bool known = true;
    static constexpr field_kind kind = field_kind::link;
};
template <class T, std::size_t N>
struct value_shape<bounded_vector<T, N>> {
    static constexpr bool known = true;
    static constexpr field_kind kind = field_kind::list;
    static constexpr std::size_t count = N;
    using element = T;
};
template <class T, std::size_t N>
struct value_shape<std::array<T, N>> {
    static constexpr bool known = true;
    static constexpr field_kind kind = field_kind::array;
    static constexpr std::size_t count = N;
    using element = T;
};
template <class T, std::size_t N>
struct value_shape<T[N]> {
    static constexpr bool known = true;
    static constexpr field_kind kind = field_kind::array;
    static constexpr std::size_t count = N;
    using element = T;
};
template <class T>
struct value_shape<std::optional<T>> {
    static constexpr bool known = true;
    static constexpr field_kind kind = field_kind::optional;
    static constexpr std::size_t count = 1;
    using element = T;
};

template <class V>
inline constexpr bool is_handle = false;
template <class T, class Tag, class Bits, unsigned I>
inline constexpr bool is_handle<basic_handle<T, Tag, Bits, I>> = true;
template <class T>
inline constexpr bool is_handle<ref<T>> = true;
template <>
inline constexpr bool is_handle<any_ref> = true;

template <class V>
inline constexpr bool is_string = false;
template <class C, class Traits, class A>
inline constexpr bool is_string<std::basic_string<C, Traits, A>> = true;
template <class C, class Traits>
inline constexpr bool is_string<std::basic_string_view<C, Traits>> = true;

template <class V>
inline constexpr bool is_standard_vector = false;
template <class T, class A>
inline constexpr bool is_standard_vector<std::vector<T, A>> = true;

/// Taken apart into its fields. World's references are plain structs to the compiler, and are asked for first.
template <class V>
consteval bool judge_structure() {
    if constexpr (!std::is_class_v<V> || is_handle<V> || value_shape<V>::known || is_string<V> ||
                  is_standard_vector<V>) {
        return false;
    } else {
        return splittable<V>;
    }
}
template <class V>
inline constexpr bool is_structure = judge_structure<V>();

template <class V>
inline constexpr bool is_whole = std::is_integral_v<V> && sizeof(V) <= 8 && !std::is_same_v<V, bool> &&
                                 !std::is_same_v<V, char> && !std::is_same_v<V, wchar_t>;

template <class V>
consteval field_kind judge_kind() {
    if constexpr (std::is_same_v<V, bool>) {
        return field_kind::flag;
    } else if constexpr (is_whole<V>) {
        return field_kind::whole;
    } else if constexpr (std::is_same_v<V, float> || std::is_same_v<V, double>) {
        return field_kind::real;
    } else if constexpr (std::is_enum_v<V>) {
        return field_kind::enumerated;
    } else if constexpr (value_shape<V>::known) {
        return value_shape<V>::kind;
    } else if constexpr (is_structure<V>) {
        return field_kind::structure;
    } else {
        return field_kind::local;
    }
}

/// field_kind::local: not a type that can be sent or saved.
template <class V>
inline constexpr field_kind kind_of = judge_kind<V>();

template <class V>
inline constexpr bool has_elements =
    kind_of<V> == field_kind::list || kind_of<V> == field_kind::array || kind_of<V> == field_kind::optional;

/// There may be a link somewhere in it. A structure is split into its fields before that is asked.
template <class V>
consteval bool judge_links() {
    if constexpr (kind_of<V> == field_kind::link) {
        return true;
    } else if constexpr (has_elements<V>) {
        return judge_links<typename value_shape<V>::element>();
    } else {
        return kind_of<V> == field_kind::structure;
    }
}

template <class V>
consteval refusal judge_value() {
    if constexpr (std::is_pointer_v<V> || std::is_member_pointer_v<V> || std::is_null_pointer_v<V>) {
        return refusal::pointer;
    } else if constexpr (is_handle<V>) {
        return refusal::handle;
    } else if constexpr (is_string<V>) {
        return refusal::string;
    } else if constexpr (is_standard_vector<V>) {
        return refusal::standard_vector;
    } else if constexpr (std::is_same_v<V, long double>) {
        return refusal::long_double;
    } else if constexpr (std::is_same_v<V, char> || std::is_same_v<V, wchar_t>) {
        return refusal::character;
    } else if constexpr (kind_of<V> == field_kind::local) {
        return std::is_trivially_copyable_v<V> ? refusal::not_plain : refusal::not_trivially_copyable;
    } else if constexpr (has_elements<V>) {
        constexpr refusal inside = judge_value<typename value_shape<V>::element>();
        if constexpr (inside != refusal::none) {
            return inside;
        } else if constexpr (!std::is_trivially_copyable_v<V>) {
            return refusal::not_trivially_copyable;
        } else {
            return refusal::none;
        }
    } else if constexpr (kind_of<V> == field_kind::structure) {
        constexpr auto of_fields = []<std::size_t... I>(std::index_sequence<I...>) {
            refusal found = refusal::none;
            ((found = found == refusal::none ? judge_value<field_type<V, I>>() : found), ...);
            return found;
        }(std::make_index_sequence<field_count<V>()>{});
        if constexpr (of_fields != refusal::none) {
            return of_fields;
        } else if constexpr (!std::is_trivially_copyable_v<V>) {
            return refusal::not_trivially_copyable;
        } else if constexpr (!std::is_default_constructible_v<V>) {
            return refusal::no_default;
        } else {
            return refusal::none;
        }
    } else {
        return refusal::none;
    }
}

/// One assertion a reason, so that the compiler's message is the explanation. `Leaf` is there for what the compiler prints around it.
template <class V, class Leaf>
consteval bool require_value() {
    constexpr refusal r = judge_value<V>();
    static_assert(r != refusal::pointer,
                  "lido: a pointer cannot be sent or saved: it means nothing elsewhere. To name another entity take "
                  "lido::link<T>; a field that stays here says .send = lido::seen::by_nobody, .save = false");
    static_assert(
        r != refusal::handle,
        "lido: a handle or a ref cannot be sent or saved: it means nothing in another world. To name another "
        "entity take lido::link<T>; a field that stays here says .send = lido::seen::by_nobody, .save = false");
    static_assert(r != refusal::string,
                  "lido: a std::string or string_view cannot be a field of an entity: it owns memory, or points to it. "
                  "Take lido::text<N>, which has its characters inside, or lido::bytes<N> for what is no text");
    static_assert(r != refusal::standard_vector,
                  "lido: a std::vector cannot be a field of an entity: it owns memory. Take "
                  "lido::bounded_vector<T, N>, which has its elements inside");
    static_assert(r != refusal::long_double,
                  "lido: a long double cannot be sent or saved: its format differs between platforms; take a double");
    static_assert(r != refusal::character,
                  "lido: a char or wchar_t cannot be sent or saved: its sign or size differs between platforms; take "
                  "std::int8_t, std::uint8_t or char32_t, and lido::text<N> for text");
    static_assert(r != refusal::not_trivially_copyable,
                  "lido: a field of an entity is copied as bytes, so its type must be trivially copyable");
    static_assert(r != refusal::no_default,
                  "lido: a field of an entity begins as its default, so its type must have a default constructor");
    static_assert(
        r != refusal::not_plain,
        "lido: this is no type that can be sent or saved: it is no number, enum, text, bytes, link, optional, "
        "array or bounded_vector, and no plain struct (public members, at most 32, no base, no constructor)");
    return r == refusal::none;
}

/// The number inside of V that .min, .max and .step speak of: V itself, or what its elements are; void where there is none.
template <class V>
struct number_inside {
    using type = std::conditional_t<std::is_enum_v<V> || is_whole<V> || std::is_floating_point_v<V>, V, void>;
};
template <class V>
    requires has_elements<V>
struct number_inside<V> : number_inside<typename value_shape<V>::element> {};

template <class V>
using number_in = typename number_inside<V>::type;

template <class V>
struct integer_behind {
    using type = V;
};
template <class V>
    requires std::is_enum_v<V>
struct integer_behind<V> {
    using type = std::underlying_type_t<V>;
};
/// Of an enum its underlying type; of a number itself.
template <class V>
using integer_of = typename integer_behind<V>::type;

}  // namespace entity_detail
}  // namespace lido
