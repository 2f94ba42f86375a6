// lido: the fields of a plain struct, found by the compiler. No macro, no tuple and no registration in the user's code.
//
//   struct orb { float x, y; int hp; };
//   field_count<orb>() == 3      field_index<&orb::hp>() == 2      field_name<orb, 2>() == "hp"
//   for_each_field(o, [](auto& f) { ... });      auto [x, y, hp] = tie_fields(o);
//
// How. The count is the longest list of initialisers the type accepts: "{}" takes exactly one member, be it an array or
// a nested struct, so T{{}, {}, {}} cannot be inflated by brace elision. Members that "{}" cannot make (no default
// constructor) are counted with a value that converts to anything; there C arrays do elide, so each position is probed
// for how many initialisers it swallows. A structured binding of that many names then reaches the members.
//
// What can be split: an aggregate class without bases, of at most 32 fields, none of them a reference or a bit-field.
// A nested struct, a C array and a std::array are one field each. An empty struct has no fields.
//
// Limits, all at compile time:
//   - a bit-field is refused in words on GCC and Clang 16; Clang 14 and 15 stop at "sizeof to bit-field" instead;
//   - an anonymous union or struct as a member is a compile error of the structured binding ("anonymous union member");
//   - a member that has no default AND a constructor template taking any type by value cannot be counted;
//   - beside a member without a default, C arrays may have 128 elements together (std::array has no such limit);
//   - an array of more than 3 elements without a default, that a default member initialiser makes, is overlooked, and
//     the structured binding then fails to compile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido {

/// The most fields a struct may have to be split. Each one costs a line in this header and nothing at run time.
inline constexpr std::size_t max_fields = 32;

namespace detail {

// Stands for a value of any type, in unevaluated code only. (It has a body because Clang instantiates the constexpr
// constructors that would call it.) "const volatile &&" makes the conversion the worse match
// against a member's own constructor template (std::optional, std::any), which would be ambiguous otherwise. Not to T:
// no type is a member of itself, and T{T} would be a copy.
template <class T>
struct any_value {
    template <class U>
        requires(!std::is_same_v<U, T>)
    operator U() const volatile&& noexcept {
        std::abort();
    }
};

// Convert to the bases of T only, so that T{any_base<T>{}} compiles when the first element of T is a base. Two of them,
// because a base with a constructor template competes with the conversion: with one of the two it is ambiguous.
template <class U, class T>
concept proper_base_of = std::is_base_of_v<U, T> && !std::is_same_v<U, T>;

template <class T>
struct any_base {
    template <proper_base_of<T> U>
    operator U() && noexcept;
};
template <class T>
struct any_base_const {
    template <proper_base_of<T> U>
    operator U() const& noexcept;
};
// Converts to nothing: what takes it takes everything, and says nothing about bases.
struct any_nothing {};

template <class T, std::size_t>
any_value<T> any_at() noexcept;

inline constexpr std::size_t uncounted = static_cast<std::size_t>(-1);

// clang-format off
#define LIDO_LIST_1(m) m(f0)
#define LIDO_LIST_2(m) LIDO_LIST_1(m), m(f1)
#define LIDO_LIST_3(m) LIDO_LIST_2(m), m(f2)
#define LIDO_LIST_4(m) LIDO_LIST_3(m), m(f3)
#define LIDO_LIST_5(m) LIDO_LIST_4(m), m(f4)
#define LIDO_LIST_6(m) LIDO_LIST_5(m), m(f5)
#define LIDO_LIST_7(m) LIDO_LIST_6(m), m(f6)
#define LIDO_LIST_8(m) LIDO_LIST_7(m), m(f7)
#define LIDO_LIST_9(m) LIDO_LIST_8(m), m(f8)
#define LIDO_LIST_10(m) LIDO_LIST_9(m), m(f9)
#define LIDO_LIST_11(m) LIDO_LIST_10(m), m(f10)
#define LIDO_LIST_12(m) LIDO_LIST_11(m), m(f11)
#define LIDO_LIST_13(m) LIDO_LIST_12(m), m(f12)
#define LIDO_LIST_14(m) LIDO_LIST_13(m), m(f13)
#define LIDO_LIST_15(m) LIDO_LIST_14(m), m(f14)
#define LIDO_LIST_16(m) LIDO_LIST_15(m), m(f15)
#define LIDO_LIST_17(m) LIDO_LIST_16(m), m(f16)
#define LIDO_LIST_18(m) LIDO_LIST_17(m), m(f17)
#define LIDO_LIST_19(m) LIDO_LIST_18(m), m(f18)
#define LIDO_LIST_20(m) LIDO_LIST_19(m), m(f19)
#define LIDO_LIST_21(m) LIDO_LIST_20(m), m(f20)
#define LIDO_LIST_22(m) LIDO_LIST_21(m), m(f21)
#define LIDO_LIST_23(m) LIDO_LIST_22(m), m(f22)
#define LIDO_LIST_24(m) LIDO_LIST_23(m), m(f23)
#define LIDO_LIST_25(m) LIDO_LIST_24(m), m(f24)
#define LIDO_LIST_26(m) LIDO_LIST_25(m), m(f25)
#define LIDO_LIST_27(m) LIDO_LIST_26(m), m(f26)
#define LIDO_LIST_28(m) LIDO_LIST_27(m), m(f27)
#define LIDO_LIST_29(m) LIDO_LIST_28(m), m(f28)
#define LIDO_LIST_30(m) LIDO_LIST_29(m), m(f29)
#define LIDO_LIST_31(m) LIDO_LIST_30(m), m(f30)
#define LIDO_LIST_32(m) LIDO_LIST_31(m), m(f31)
#define LIDO_LIST_33(m) LIDO_LIST_32(m), m(f32)
#define LIDO_FOR_EACH_COUNT(m) \
    m(1) m(2) m(3) m(4) m(5) m(6) m(7) m(8) \
    m(9) m(10) m(11) m(12) m(13) m(14) m(15) m(16) \
    m(17) m(18) m(19) m(20) m(21) m(22) m(23) m(24) \
    m(25) m(26) m(27) m(28) m(29) m(30) m(31) m(32)

#define LIDO_NAME(f) f
#define LIDO_BRACES(f) {}
// A requires-expression cannot name a structured binding in Clang before 16; there a bit-field is a plain error.
#if defined(__clang__) && __clang_major__ < 16
#define LIDO_INFO(f) field_info<decltype(f), sizeof(f) != 0>
#else
#define LIDO_INFO(f) field_info<decltype(f), requires { sizeof(f); }>
#endif
#define LIDO_BRACES_CASE(n) \
    else if constexpr (N == n) { return requires { T{LIDO_LIST_##n(LIDO_BRACES), any_at<T, K>()...}; }; }
#define LIDO_PROBE_CASE(n) \
    else if constexpr (N == n) { auto& [LIDO_LIST_##n(LIDO_NAME)] = t; return field_infos<LIDO_LIST_##n(LIDO_INFO)>{}; }
#define LIDO_TIE_CASE(n) \
    else if constexpr (N == n) { auto& [LIDO_LIST_##n(LIDO_NAME)] = t; return std::tie(LIDO_LIST_##n(LIDO_NAME)); }

// T{{} * N, any * K}
template <class T, std::size_t N, std::size_t... K>
consteval bool takes_braces(std::index_sequence<K...>) {
    if constexpr (N == 0) { return requires { T{any_at<T, K>()...}; }; }
    LIDO_FOR_EACH_COUNT(LIDO_BRACES_CASE)
    LIDO_BRACES_CASE(33)
}

template <class Type, bool Bindable>
struct field_info {
    using type = Type;
    static constexpr bool bindable = Bindable;
};

template <class... Infos>
struct field_infos {
    using types = std::tuple<typename Infos::type...>;
    static constexpr bool references = (std::is_reference_v<typename Infos::type> || ...);
    static constexpr bool bit_fields = !(Infos::bindable && ...);
};

// For its return type only: decltype of a structured binding is the member's declared type.
template <class T, std::size_t N>
auto probe_fields([[maybe_unused]] T& t) {
    if constexpr (N == 0) { return field_infos<>{}; }
    LIDO_FOR_EACH_COUNT(LIDO_PROBE_CASE)
}

template <std::size_t N, class T>
constexpr auto tie_counted([[maybe_unused]] T& t) noexcept {
    if constexpr (N == 0) { return std::tuple<>{}; }
    LIDO_FOR_EACH_COUNT(LIDO_TIE_CASE)
}

#undef LIDO_LIST_1
#undef LIDO_LIST_2
#undef LIDO_LIST_3
#undef LIDO_LIST_4
#undef LIDO_LIST_5
#undef LIDO_LIST_6
#undef LIDO_LIST_7
#undef LIDO_LIST_8
#undef LIDO_LIST_9
#undef LIDO_LIST_10
#undef LIDO_LIST_11
#undef LIDO_LIST_12
#undef LIDO_LIST_13
#undef LIDO_LIST_14
#undef LIDO_LIST_15
#undef LIDO_LIST_16
#undef LIDO_LIST_17
#undef LIDO_LIST_18
#undef LIDO_LIST_19
#undef LIDO_LIST_20
#undef LIDO_LIST_21
#undef LIDO_LIST_22
#undef LIDO_LIST_23
#undef LIDO_LIST_24
#undef LIDO_LIST_25
#undef LIDO_LIST_26
#undef LIDO_LIST_27
#undef LIDO_LIST_28
#undef LIDO_LIST_29
#undef LIDO_LIST_30
#undef LIDO_LIST_31
#undef LIDO_LIST_32
#undef LIDO_LIST_33
#undef LIDO_FOR_EACH_COUNT
#undef LIDO_NAME
#undef LIDO_BRACES
#undef LIDO_INFO
#undef LIDO_BRACES_CASE
#undef LIDO_PROBE_CASE
#undef LIDO_TIE_CASE
// clang-format on

template <class T, std::size_t N, std::size_t Any = 0>
inline constexpr bool braces_fit = takes_braces<T, N>(std::make_index_sequence<Any>{});

template <class T, std::size_t N = 0>
consteval std::size_t count_braces() {
    if constexpr (N <= max_fields) {
        if constexpr (braces_fit<T, N + 1>) {
            return count_braces<T, N + 1>();
        }
    }
    return N;
}

// The slow path, for members that "{}" cannot make. T{any * P, {any * J}, any * R}; "flat" counts initialisers after
// brace elision, so an array of three is three.
template <class T, std::size_t... P>
consteval bool takes_flat(std::index_sequence<P...>) {
    return requires { T{any_at<T, P>()...}; };
}

template <class T, std::size_t... P, std::size_t... J, std::size_t... R>
consteval bool takes_nested(std::index_sequence<P...>, std::index_sequence<J...>, std::index_sequence<R...>) {
    return requires { T{any_at<T, P>()..., {any_at<T, J>()...}, any_at<T, R>()...}; };
}

template <class T, std::size_t N>
inline constexpr bool flat_fits = takes_flat<T>(std::make_index_sequence<N>{});

template <class T, std::size_t P, std::size_t J, std::size_t R>
inline constexpr bool nested_fits =
    takes_nested<T>(std::make_index_sequence<P>{}, std::make_index_sequence<J>{}, std::make_index_sequence<R>{});

// The longest flat list. From the top, because shorter lists may fail in between: half an array without defaults does.
template <class T, std::size_t N>
consteval std::size_t count_flat() {
    if constexpr (flat_fits<T, N>) {
        return N;
    } else if constexpr (N == 0) {
        return uncounted;
    } else {
        return count_flat<T, N - 1>();
    }
}

// How many flat initialisers from position P on "{}" replaces: the first C that leaves exactly the rest; 0: none.
template <class T, std::size_t N, std::size_t P, std::size_t C = 1>
consteval std::size_t swallowed_by_empty() {
    if constexpr (P + C > N) {
        return 0;
    } else if constexpr (nested_fits<T, P, 0, N - P - C>) {
        return C;
    } else {
        return swallowed_by_empty<T, N, P, C + 1>();
    }
}

// The same for a member that "{}" cannot make: a class that takes J arguments (1), or an array of exactly J elements
// (J). Neither fits: a class that only a ready value can initialise, which is one field too.
template <class T, std::size_t N, std::size_t P, std::size_t J = 1>
consteval std::size_t swallowed_by_values() {
    if constexpr (P + J > N || nested_fits<T, P, J, N - P - 1>) {
        return 1;
    } else if constexpr (nested_fits<T, P, J, N - P - J>) {
        return J;
    } else {
        return swallowed_by_values<T, N, P, J + 1>();
    }
}

template <class T, std::size_t N, std::size_t P = 0>
consteval std::size_t count_positions() {
    if constexpr (P >= N) {
        return 0;
    } else {
        constexpr std::size_t by_empty = swallowed_by_empty<T, N, P>();
        if constexpr (by_empty != 0) {
            return 1 + count_positions<T, N, P + by_empty>();
        } else {
            return 1 + count_positions<T, N, P + swallowed_by_values<T, N, P>()>();
        }
    }
}

// A member needs a byte, but for [[no_unique_address]]: hence the margin. 129 bounds the work of the compiler.
template <class T>
inline constexpr std::size_t flat_limit = sizeof(T) + 16 < 129 ? sizeof(T) + 16 : 129;

// max_fields + 1 means "too many".
template <class T>
consteval std::size_t count_slowly() {
    constexpr std::size_t flat = count_flat<T, flat_limit<T>>();
    if constexpr (flat == uncounted || flat == flat_limit<T>) {
        return uncounted;  // at the limit there may be more, of which nothing is known
    } else {
        constexpr std::size_t n = count_positions<T, flat>();
        return n < max_fields + 1 ? n : max_fields + 1;
    }
}

template <class T>
consteval std::size_t count_fields() {
    if constexpr (braces_fit<T, 0>) {
        constexpr std::size_t n = count_braces<T>();
        // Complete unless a member with a default member initialiser, but no default of its own, stopped the count.
        if constexpr (n > max_fields || !(braces_fit<T, n, 1> || braces_fit<T, n, 2> || braces_fit<T, n, 3>)) {
            return n;
        } else {
            return count_slowly<T>();
        }
    } else {
        return count_slowly<T>();
    }
}

template <class T, std::size_t... R>
consteval bool takes_base(std::index_sequence<R...>) {
    constexpr bool nothing = requires { T{any_nothing{}, any_at<T, R>()...}; };
    constexpr bool base = requires { T{any_base<T>{}, any_at<T, R>()...}; };
    constexpr bool base_const = requires { T{any_base_const<T>{}, any_at<T, R>()...}; };
    return base != nothing || base_const != nothing;
}

template <class T>
consteval bool has_base() {
    if constexpr (braces_fit<T, 0>) {
        return takes_base<T>(std::index_sequence<>{});
    } else {
        constexpr std::size_t flat = count_flat<T, flat_limit<T>>();
        if constexpr (flat == uncounted || flat == 0) {
            return false;
        } else {
            return takes_base<T>(std::make_index_sequence<flat - 1>{});
        }
    }
}

enum class split {
    yes,
    not_a_class,
    not_an_aggregate,
    tuple_like,
    has_base,
    too_many,
    not_countable,
    reference,
    bit_field,
};

template <class T>
consteval split judge_split() {
    if constexpr (!std::is_class_v<T> || std::is_volatile_v<T>) {
        return split::not_a_class;
    } else if constexpr (!std::is_aggregate_v<T>) {
        return split::not_an_aggregate;
    } else if constexpr (requires { std::tuple_size<T>::value; }) {
        return split::tuple_like;
    } else if constexpr (has_base<T>()) {
        return split::has_base;
    } else {
        constexpr std::size_t n = count_fields<T>();
        if constexpr (n == uncounted) {
            return split::not_countable;
        } else if constexpr (n > max_fields) {
            return split::too_many;
        } else {
            using infos = decltype(probe_fields<T, n>(std::declval<T&>()));
            return infos::bit_fields ? split::bit_field : infos::references ? split::reference : split::yes;
        }
    }
}

template <class T>
inline constexpr split split_verdict = judge_split<std::remove_const_t<T>>();

// One assertion a reason, so that the compiler's message is the explanation.
template <class T>
consteval bool require_splittable() {
    constexpr split v = split_verdict<T>;
    static_assert(v != split::not_a_class,
                  "lido: the type cannot be split into fields because it is not a struct or class (or is volatile)");
    static_assert(v != split::not_an_aggregate,
                  "lido: the type cannot be split into fields because it is not a plain aggregate: it has a "
                  "constructor, a private member, a virtual function or a non-public base");
    static_assert(v != split::tuple_like,
                  "lido: the type cannot be split into fields because it is tuple-like (std::tuple_size is "
                  "specialised, as for std::array), so the language takes it apart by that protocol instead");
    static_assert(v != split::has_base,
                  "lido: the type cannot be split into fields because it has a base class; make the base a member");
    static_assert(v != split::too_many,
                  "lido: the type cannot be split into fields because it has more than 32 of them; group some into "
                  "a nested struct, which counts as one");
    static_assert(v != split::not_countable,
                  "lido: the type cannot be split into fields because they cannot be counted: it has a reference "
                  "member, a member that nothing can initialise, or more than 128 elements in C arrays beside a "
                  "member without a default (use std::array)");
    static_assert(v != split::reference,
                  "lido: the type cannot be split into fields because a member is a reference, which is no object");
    static_assert(v != split::bit_field,
                  "lido: the type cannot be split into fields because a member is a bit-field, which has no address");
    return v == split::yes;
}

// Storage in which no T is ever made: its members have addresses that the compiler can compare, and no code is run.
template <class T>
union ghost {
    char none;
    T object;
    constexpr ghost() noexcept : none{} {}
    constexpr ~ghost() {}
};

// Only addresses of it are used, and only while compiling. GCC would emit an inline variable into the program all the
// same, so there it is declared and never defined; Clang warns of that, but emits nothing for the inline variable.
#if defined(__GNUC__) && !defined(__clang__)
template <class T>
extern ghost<T> ghost_of;
#else
template <class T>
inline ghost<T> ghost_of{};
#endif

template <class Class, class Member>
Class class_of(Member Class::*) noexcept;

}  // namespace detail

/// A plain struct whose fields this header can reach: see the top of the file. Asking is never an error, but for the
/// limits listed there. Pre: T is complete.
template <class T>
concept splittable = detail::split_verdict<T> == detail::split::yes;

/// The number of fields of T.
template <class T>
consteval std::size_t field_count() {
    if constexpr (detail::require_splittable<T>()) {
        return detail::count_fields<std::remove_const_t<T>>();
    } else {
        return 0;
    }
}

/// A std::tuple of references to the fields, in order of declaration; references to const where `object` is const.
template <class T>
constexpr auto tie_fields(T& object) noexcept {
    return detail::tie_counted<field_count<T>()>(object);
}
template <class T>
void tie_fields(const T&& object) = delete;

/// Calls f(field) for every field, in order of declaration.
template <class T, class F>
constexpr void for_each_field(T& object, F&& f) {
    std::apply([&](auto&... field) { (static_cast<void>(f(field)), ...); }, tie_fields(object));
}
template <class T, class F>
void for_each_field(const T&& object, F&& f) = delete;

/// The declared types, as a std::tuple that is a list only: it may hold array types, of which no tuple can be made.
template <class T>
    requires splittable<T>
using field_types = typename decltype(detail::probe_fields<T, field_count<T>()>(std::declval<T&>()))::types;

template <class T, std::size_t I>
using field_type = std::tuple_element_t<I, field_types<T>>;

/// The position of a member: field_index<&orb::x>() == 0. Compares addresses of the same type, at compile time.
template <auto Member>
    requires std::is_member_object_pointer_v<decltype(Member)>
consteval std::size_t field_index() {
    using object = decltype(detail::class_of(Member));
    constexpr std::size_t count = field_count<object>();
    return []<std::size_t... I>(std::index_sequence<I...>) {
        std::size_t found = count;
        const auto compare = [&]<std::size_t At>() {
            auto* wanted = __builtin_addressof(detail::ghost_of<object>.object.*Member);
            auto* field = __builtin_addressof(std::get<At>(tie_fields(detail::ghost_of<object>.object)));
            if constexpr (std::is_same_v<decltype(wanted), decltype(field)>) {
                found = wanted == field ? At : found;
            }
        };
        (compare.template operator()<I>(), ...);
        return found;
    }(std::make_index_sequence<count>{});
}

namespace detail {

// A pointer inside a class, because Clang 14 takes no pointer to a subobject as a template argument of its own.
template <class Pointer>
struct boxed_pointer {
    Pointer pointer;
};
template <class Pointer>
boxed_pointer(Pointer) -> boxed_pointer<Pointer>;

template <boxed_pointer Box>
constexpr const char* raw_pointer_name() noexcept {
#if defined(_MSC_VER) && !defined(__clang__)
    return __FUNCSIG__;
#else
    return __PRETTY_FUNCTION__;
#endif
}

// The member's name is the last identifier of the address, in every spelling: "(& g<A>.ghost<A>::object.A::hp)}]",
// "{&ghost_of.object.hp}]".
consteval std::string_view last_identifier(std::string_view text) {
    const auto in_name = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
               static_cast<unsigned char>(c) >= 0x80;
    };
    std::size_t end = text.size();
    while (end > 0 && !in_name(text[end - 1])) {
        --end;
    }
    std::size_t begin = end;
    while (begin > 0 && in_name(text[begin - 1])) {
        --begin;
    }
    return text.substr(begin, end - begin);
}

template <class T>
consteval bool no_padding();

template <class T>
struct is_std_array : std::false_type {};
template <class T, std::size_t N>
struct is_std_array<std::array<T, N>> : std::true_type {};

template <class Types>
struct fields_without_padding;
template <class... F>
struct fields_without_padding<std::tuple<F...>> {
    static consteval std::size_t bytes() { return (std::size_t{0} + ... + sizeof(F)); }
    static consteval bool all() { return (no_padding<F>() && ...); }
};

template <class T>
consteval bool no_padding() {
    using type = std::remove_cv_t<T>;
    if constexpr (std::is_array_v<type>) {
        return no_padding<std::remove_all_extents_t<type>>();
    } else if constexpr (std::has_unique_object_representations_v<type>) {
        return true;
    } else if constexpr (std::is_same_v<type, float> || std::is_same_v<type, double>) {
        return true;  // not "unique" to the library, for -0 and NaN, but every bit is a value bit
    } else if constexpr (is_std_array<type>::value) {
        using element = typename type::value_type;
        return sizeof(type) == std::tuple_size_v<type> * sizeof(element) && no_padding<element>();
    } else if constexpr (splittable<type>) {
        using fields = fields_without_padding<field_types<type>>;
        return fields::bytes() == sizeof(type) && fields::all();
    } else {
        return false;
    }
}

}  // namespace detail

/// The name of field I of T, with static storage: field_name<orb, 0>() == "x".
template <class T, std::size_t I>
consteval std::string_view field_name() {
    using object = std::remove_const_t<T>;
    static_assert(I < field_count<object>(), "lido: field_name: the type has no field of that index");
    constexpr std::string_view text = detail::raw_pointer_name<detail::boxed_pointer{
        __builtin_addressof(std::get<I>(tie_fields(detail::ghost_of<object>.object)))}>();
    return detail::last_identifier(text);
}

/// Every byte of a T belongs to a value, so its bytes may be compared, hashed or sealed as they stand. bool and float
/// count as full; long double, std::nullptr_t, an empty struct and every type whose parts are not known do not.
template <class T>
consteval bool has_no_padding() {
    return detail::no_padding<T>();
}

}  // namespace lido
