// Wrong descriptions, told by the compiler in words. The names of struct and field stand in the lines around the message:
// require_entry<door, lido::field<&door::angle>>.
#pragma once

#include <lido/entity/schema/field_names.hpp>
#include <lido/entity/schema/limits.hpp>

#include <cstddef>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido {

/// The most fields of one class, those of nested structs counted one by one.
inline constexpr std::size_t max_class_fields = 256;

namespace entity_detail {

enum class range_verdict : std::uint8_t {
    good,
    of_a_struct,
    of_no_number,
    does_not_fit,
    not_of_the_enum,
    step_of_an_enum,
    step_not_whole,
    not_finite,
    step_not_positive,
    min_above_max,
    step_without_range,
    step_above_range,
    step_too_fine,
};

/// Two units in the last place at the end of the range that is farther from zero: there a finer step would be rounded away.
template <class N>
[[nodiscard]] constexpr double finest_step(double low, double high) noexcept {
    const double a = low < 0 ? -low : low;
    const double b = high < 0 ? -high : high;
    return 2 * (a > b ? a : b) * static_cast<double>(std::numeric_limits<N>::epsilon());
}

template <class N>
[[nodiscard]] constexpr range_verdict judge_real_range(const leaf_options& o) noexcept {
    for (const limit* l : {&o.min, &o.max, &o.step}) {
        if (l->enum_id() != 0) return range_verdict::not_of_the_enum;
        if (!is_finite(l->as_real()) || !is_finite(static_cast<N>(l->as_real()))) return range_verdict::not_finite;
    }
    const double low = static_cast<double>(limit_as<N>(o.min));
    const double high = static_cast<double>(limit_as<N>(o.max));
    if (o.min.given() && o.max.given() && low > high) return range_verdict::min_above_max;
    if (!o.step.given()) return range_verdict::good;
    const double step = o.step.as_real();
    if (!(step > 0)) return range_verdict::step_not_positive;
    if (!o.min.given() || !o.max.given()) return range_verdict::step_without_range;
    if (!is_finite(high - low) || step > high - low) return range_verdict::step_above_range;
    return step < finest_step<N>(low, high) ? range_verdict::step_too_fine : range_verdict::good;
}

template <class N>
[[nodiscard]] constexpr range_verdict judge_whole_range(const leaf_options& o) noexcept {
    using integer = integer_of<N>;
    for (const limit* l : {&o.min, &o.max}) {
        if (l->given() && l->enum_id() != (std::is_enum_v<N> ? type_id<N>() : 0)) return range_verdict::not_of_the_enum;
        if (!fits_integer<integer>(*l)) return range_verdict::does_not_fit;
    }
    if (o.step.given()) {
        if (std::is_enum_v<N>) return range_verdict::step_of_an_enum;
        if (o.step.enum_id() != 0 || o.step.is() == limit::kind::real) return range_verdict::step_not_whole;
        if (o.step.is() == limit::kind::negative || o.step.whole() == 0) return range_verdict::step_not_positive;
    }
    const integer low = o.min.given() ? limit_as<integer>(o.min) : (std::numeric_limits<integer>::min)();
    const integer high = o.max.given() ? limit_as<integer>(o.max) : (std::numeric_limits<integer>::max)();
    if (low > high) return range_verdict::min_above_max;
    return o.step.given() && o.step.whole() > to_word(high) - to_word(low) ? range_verdict::step_above_range
                                                                           : range_verdict::good;
}

template <class V>
[[nodiscard]] constexpr range_verdict judge_range(const leaf_options& o) noexcept {
    if (!o.has_range()) return range_verdict::good;
    if constexpr (is_structure<V>) {
        return range_verdict::of_a_struct;
    } else if constexpr (std::is_void_v<number_in<V>>) {
        return range_verdict::of_no_number;
    } else if constexpr (std::is_floating_point_v<number_in<V>>) {
        return judge_real_range<number_in<V>>(o);
    } else {
        return judge_whole_range<number_in<V>>(o);
    }
}

/// A name that a field could have: `.was` is compared with names, so anything else is a slip.
[[nodiscard]] constexpr bool could_be_a_name(std::string_view name) noexcept {
    if (name.empty() || name.size() > longest_name || name.front() == '.' || name.back() == '.') return false;
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
                            static_cast<unsigned char>(c) >= 0x80;
        if (!letter && !(c >= '0' && c <= '9') && c != '.') return false;
    }
    return true;
}

[[nodiscard]] constexpr bool could_be_names(const former& was) noexcept {
    for (std::size_t i = 0; i < was.count; ++i) {
        if (!could_be_a_name(was.names[i])) return false;
    }
    return true;
}

template <class S, class Path>
struct member_on;
template <class S, std::size_t... Path>
struct member_on<S, path_in<Path...>> {
    using type = typename member_at<S, Path...>::type;
};

template <class Entry>
consteval auto path_of_entry() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return path_in<Entry::indexes()[I]...>{};
    }(std::make_index_sequence<Entry::length>{});
}

template <class S, std::size_t E>
consteval bool said_before() {
    return []<std::size_t... Before>(std::index_sequence<Before...>) {
        return (std::is_same_v<entry_at<S, Before>, entry_at<S, E>> || ...);
    }(std::make_index_sequence<E>{});
}

template <range_verdict V>
consteval bool require_range() {
    static_assert(V != range_verdict::of_a_struct,
                  "lido: .min, .max and .step were given for a whole struct: say them of its numbers, as in "
                  "lido::field<&door::at, &point::x>{.min = …}, or in the description of the struct");
    static_assert(V != range_verdict::of_no_number,
                  "lido: .min, .max and .step are for numbers and enums: this field has none in it");
    static_assert(V != range_verdict::does_not_fit,
                  "lido: .min or .max is not a number that the type of this field can have");
    static_assert(V != range_verdict::not_of_the_enum,
                  "lido: .min and .max of an enum are values of that enum, and those of a number are numbers");
    static_assert(V != range_verdict::step_of_an_enum, "lido: an enum has no .step");
    static_assert(V != range_verdict::step_not_whole, "lido: the .step of whole numbers is a whole number");
    static_assert(V != range_verdict::not_finite,
                  "lido: .min, .max and .step are finite numbers, in the range of the field's type");
    static_assert(V != range_verdict::step_not_positive, "lido: .step is above zero");
    static_assert(V != range_verdict::min_above_max, "lido: .min is above .max: no value could ever be committed");
    static_assert(V != range_verdict::step_without_range,
                  "lido: the .step of a real number needs .min and .max, or nobody knows how many bits it takes");
    static_assert(V != range_verdict::step_above_range, "lido: .step is greater than the whole range");
    static_assert(V != range_verdict::step_too_fine,
                  "lido: .step is finer than the numbers of this type are near .min or .max: take a double, a smaller "
                  "range or a greater step");
    return V == range_verdict::good;
}

template <class S, class Field, std::size_t E>
consteval bool require_entry() {
    using its = entry_at<S, E>;
    static_assert(its::template leads_from<S>(),
                  "lido: the description of a struct names a member that is not its own. A field of a nested struct is "
                  "named by its path: lido::field<&door::at, &point::x>; elements of arrays, lists and optionals are "
                  "described with their own type");
    if constexpr (its::template leads_from<S>()) {
        static_assert(!said_before<S, E>(), "lido: a field is described twice");
        using path = decltype(path_of_entry<its>());
        using V = typename member_on<S, path>::type;
        constexpr leaf_options own = its::options(std::get<E>(description_of<S>.fields));
        static_assert(could_be_names(std::get<E>(description_of<S>.fields).was),
                      "lido: .was is the name that a field had: letters, digits and _, with dots between structs, and "
                      "at most 127 bytes");
        if constexpr (is_structure<V>) {
            return require_range<judge_range<V>(own)>();
        } else if constexpr (own.has_range()) {
            return require_range<judge_range<V>(make_options<S>(path{}))>();
        }
    }
    return true;
}

template <class S>
consteval bool require_description() {
    using description = std::remove_const_t<decltype(description_of<S>)>;
    static_assert(is_schema<description>, "lido: describe(lido::type<T>) returns a lido::schema{revision, fields…}");
    if constexpr (is_schema<description>) {
        static_assert(description_of<S>.revision >= 1 && description_of<S>.revision <= 1000,
                      "lido: the revision of a schema is a number from 1 to 1000");
        return []<std::size_t... E>(std::index_sequence<E...>) {
            return (require_entry<S, std::remove_cvref_t<std::tuple_element_t<E, decltype(description_of<S>.fields)>>,
                                  E>() &&
                    ...);
        }(std::make_index_sequence<entries_of<S>>{});
    }
    return false;
}

/// The descriptions of the structs that V is made of, at any depth.
template <class V>
consteval bool require_descriptions() {
    if constexpr (is_structure<V>) {
        if constexpr (require_description<V>()) {
            return []<std::size_t... I>(std::index_sequence<I...>) {
                return (require_descriptions<field_type<V, I>>() && ...);
            }(std::make_index_sequence<field_count<V>()>{});
        } else {
            return false;
        }
    } else if constexpr (has_elements<V>) {
        return require_descriptions<typename value_shape<V>::element>();
    } else {
        return true;
    }
}

/// Local fields may be anything that can be compared.
template <class Leaf>
consteval bool require_leaf() {
    static_assert(!name_list_of<Leaf>.too_long,
                  "lido: the name of a field, with those of the structs that it is in, is longer than 127 bytes");
    static_assert(!name_list_of<Leaf>.too_many,
                  "lido: a field has more than 8 names, with all that it and the structs that it is in were called: "
                  "leave the oldest to `migrate`");
    using V = typename Leaf::value;
    if constexpr (options_of<Leaf>.is_local() && kind_of<V> == field_kind::local) {
        static_assert(std::is_trivially_copyable_v<V>,
                      "lido: a field of an entity is copied as bytes, so its type must be trivially copyable, even "
                      "where it is neither sent nor saved");
        return std::is_trivially_copyable_v<V>;
    } else {
        return require_value<V, Leaf>();
    }
}

enum class names_verdict : std::uint8_t { good, one_id, was_is_living, was_twice };

/// Living names first, then former ones. Small enough for every pair to be compared.
[[nodiscard]] constexpr names_verdict judge_names(const field_id* ids, std::size_t living, std::size_t all) noexcept {
    for (std::size_t i = 0; i < all; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (ids[i] != ids[j]) continue;
            return i < living   ? names_verdict::one_id
                   : j < living ? names_verdict::was_is_living
                                : names_verdict::was_twice;
        }
    }
    return names_verdict::good;
}

template <class T>
constexpr names_verdict judge_class_names() {
    constexpr std::size_t living = leaves_of<T>::count;
    std::array<field_id, living * most_names + 1> ids{};
    std::size_t count = 0;
    for_each_leaf<T>([&]<class L, std::size_t>() { ids[count++] = leaf_names<L>::id; });
    for_each_leaf<T>([&]<class L, std::size_t>() {
        for (std::size_t i = 1; i < leaf_names<L>::count; ++i) ids[count++] = field_id_of(leaf_names<L>::all[i]);
    });
    return judge_names(ids.data(), living, count);
}

/// Everything that is asked of the struct of an entity class.
template <class T>
consteval bool require_schema() {
    if constexpr (!is_structure<T>) {
        static_assert(
            is_structure<T>,
            "lido: the fields of an entity are those of a plain struct: public members, at most 32 of them in "
            "one struct (a nested struct counts as one), no base class (make it a member), no constructor");
        static_cast<void>(field_count<T>());  // which says what it is
        return false;
    } else if constexpr (require_descriptions<T>()) {
        static_assert(leaves_of<T>::count <= max_class_fields,
                      "lido: a class has at most 256 fields, those of nested structs counted one by one");
        constexpr bool good_leaves = []<class... L>(leaf_pack<L...>) {
            return (require_leaf<L>() && ...);
        }(leaves_of<T>{});
        if constexpr (good_leaves) {
            constexpr names_verdict names = judge_class_names<T>();
            static_assert(names != names_verdict::one_id,
                          "lido: two fields of a class have names with one id: rename one of them (with .was)");
            static_assert(names != names_verdict::was_is_living,
                          "lido: .was is the name of a field that the class still has");
            static_assert(names != names_verdict::was_twice, "lido: two fields say that they had one name (.was)");
            static_assert(std::is_trivially_copyable_v<T>,
                          "lido: the fields of an entity are copied as bytes, so the struct must be trivially "
                          "copyable: it has a copy or move operation or a destructor of its own");
            static_assert(std::is_default_constructible_v<T>,
                          "lido: an entity begins as T{}, so the struct must have a default");
            return names == names_verdict::good && std::is_trivially_copyable_v<T>;
        }
    }
    return false;
}

}  // namespace entity_detail
}  // namespace lido
