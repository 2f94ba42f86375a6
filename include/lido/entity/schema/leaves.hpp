// A struct as the list of its leaves: its fields, where a nested plain struct is replaced by its own fields, and so on down.
//
//   struct point { float x, y; };
//   struct door { bool open; point at; };        leaves: open, at.x, at.y
#pragma once

#include <lido/core/config.hpp>
#include <lido/entity/schema/value_kind.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido::entity_detail {

template <std::size_t... Path>
struct path_in {};

template <class Root, std::size_t First, std::size_t... Rest>
struct member_at {
    using type = typename member_at<field_type<Root, First>, Rest...>::type;
};
template <class Root, std::size_t First>
struct member_at<Root, First> {
    using type = field_type<Root, First>;
};

template <std::size_t First, std::size_t... Rest, class Object>
[[nodiscard]] constexpr auto& member_of(Object& object) noexcept {
    if constexpr (sizeof...(Rest) == 0) {
        return std::get<First>(tie_fields(object));
    } else {
        return member_of<Rest...>(std::get<First>(tie_fields(object)));
    }
}

/// One leaf of Root: where it is, and its type.
template <class Root, std::size_t... Path>
struct leaf {
    using root = Root;
    using value = typename member_at<Root, Path...>::type;
    using path = path_in<Path...>;

    [[nodiscard]] static constexpr value& get(Root& object) noexcept { return member_of<Path...>(object); }
    [[nodiscard]] static constexpr const value& get(const Root& object) noexcept { return member_of<Path...>(object); }
};

template <class... Leaves>
struct leaf_pack {
    static constexpr std::size_t count = sizeof...(Leaves);
    template <std::size_t I>
    using at = std::tuple_element_t<I, std::tuple<Leaves...>>;
};

template <class... A, class... B>
constexpr leaf_pack<A..., B...> operator+(leaf_pack<A...>, leaf_pack<B...>) noexcept {
    return {};
}

template <class Root, class Here, std::size_t... Path>
constexpr auto collect_leaves() noexcept;

template <class Root, class V, std::size_t... Path>
constexpr auto collect_member() noexcept {
    if constexpr (is_structure<V>) {
        return collect_leaves<Root, V, Path...>();
    } else {
        return leaf_pack<leaf<Root, Path...>>{};
    }
}

template <class Root, class Here, std::size_t... Path>
constexpr auto collect_leaves() noexcept {
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return (leaf_pack<>{} + ... + collect_member<Root, field_type<Here, I>, Path..., I>());
    }(std::make_index_sequence<field_count<Here>()>{});
}

template <class T>
using leaves_of = decltype(collect_leaves<T, T>());

// In frames of the caller: a commit goes through the leaves of its struct three times.
template <class F, class... L, std::size_t... I>
LIDO_INLINE constexpr void call_for_each(F& f, leaf_pack<L...>, std::index_sequence<I...>) {
    (f.template operator()<L, I>(), ...);
}
template <class F, class... L, std::size_t... I>
LIDO_INLINE constexpr bool call_until(F& f, leaf_pack<L...>, std::index_sequence<I...>) {
    return (f.template operator()<L, I>() || ...);
}

/// Calls f.template operator()<Leaf, I>() for every leaf of T, in order of declaration.
template <class T, class F>
LIDO_INLINE constexpr void for_each_leaf(F&& f) {
    call_for_each(f, leaves_of<T>{}, std::make_index_sequence<leaves_of<T>::count>{});
}

/// The same until f returns true; returns whether it did.
template <class T, class F>
LIDO_INLINE constexpr bool any_leaf(F&& f) {
    return call_until(f, leaves_of<T>{}, std::make_index_sequence<leaves_of<T>::count>{});
}

}  // namespace lido::entity_detail
