// What the descriptions of a struct and of the structs inside of it say of one leaf, put together: the outermost one that says something
// counts, and at one level the longest path.
#pragma once

#include <lido/entity/schema/description.hpp>
#include <lido/entity/schema/leaves.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

namespace lido::entity_detail {

template <class Class, class Member>
Class class_of_member(Member Class::*) noexcept;
template <class Class, class Member>
Member type_of_member(Member Class::*) noexcept;
template <class Class, class Member, std::size_t N>
auto type_of_member(Member (Class::*)[N]) noexcept -> std::array<Member, N>;

/// One entry of a description, without its types.
struct leaf_options {
    limit min, max, step;
    choice<seen> send;
    choice<bool> save;

    /// Fills in what is not said yet.
    constexpr void add(const leaf_options& from) noexcept {
        if (!min.given()) min = from.min;
        if (!max.given()) max = from.max;
        if (!step.given()) step = from.step;
        if (!send.given) send = from.send;
        if (!save.given) save = from.save;
    }

    [[nodiscard]] constexpr seen sent_to() const noexcept { return send.given ? send.value : seen::by_everyone; }
    [[nodiscard]] constexpr bool saved() const noexcept { return save.given ? save.value : true; }
    [[nodiscard]] constexpr bool is_local() const noexcept { return sent_to() == seen::by_nobody && !saved(); }
    [[nodiscard]] constexpr bool has_range() const noexcept { return min.given() || max.given() || step.given(); }
};

template <class F>
struct entry;
template <auto... Path>
struct entry<field<Path...>> {
    static constexpr std::size_t length = sizeof...(Path);

    /// Each member belongs to the struct that the path has led to.
    template <class S>
    [[nodiscard]] static consteval bool leads_from() {
        return leads<S, Path...>();
    }

    /// Pre: leads_from<S>() for the S whose description it is in.
    [[nodiscard]] static consteval std::array<std::size_t, length> indexes() { return {field_index<Path>()...}; }

    [[nodiscard]] static constexpr leaf_options options(const field<Path...>& f) noexcept {
        return {f.min, f.max, f.step, f.send, f.save};
    }

private:
    template <class S, auto First, auto... Rest>
    [[nodiscard]] static consteval bool leads() {
        if constexpr (!std::is_same_v<decltype(class_of_member(First)), S> || !is_structure<S>) {
            return false;
        } else if constexpr (sizeof...(Rest) > 0) {
            return leads<decltype(type_of_member(First)), Rest...>();
        } else {
            return true;
        }
    }
};

template <class S>
inline constexpr std::size_t entries_of = std::tuple_size_v<decltype(description_of<S>.fields)>;

template <class S, std::size_t E>
using entry_at = entry<std::remove_cvref_t<std::tuple_element_t<E, decltype(description_of<S>.fields)>>>;

/// Whether the entry's path is the beginning of `Path`, of exactly `Length`.
template <class Entry, std::size_t Length, std::size_t... Path>
consteval bool begins_with() {
    if constexpr (Entry::length != Length || Length > sizeof...(Path)) {
        return false;
    } else {
        constexpr std::array<std::size_t, sizeof...(Path)> path{Path...};
        constexpr auto own = Entry::indexes();
        for (std::size_t i = 0; i < Length; ++i) {
            if (own[i] != path[i]) return false;
        }
        return true;
    }
}

template <class S, std::size_t Length, std::size_t... Path>
constexpr void add_options_of_length(leaf_options& to) {
    [&]<std::size_t... E>(std::index_sequence<E...>) {
        [[maybe_unused]] const auto look = [&]<std::size_t At>() {
            if constexpr (begins_with<entry_at<S, At>, Length, Path...>()) {
                to.add(entry_at<S, At>::options(std::get<At>(description_of<S>.fields)));
            }
        };
        (look.template operator()<E>(), ...);
    }(std::make_index_sequence<entries_of<S>>{});
}

template <class S, std::size_t First, std::size_t... Rest>
constexpr leaf_options make_options(path_in<First, Rest...>) {
    leaf_options found;
    [&]<std::size_t... Shorter>(std::index_sequence<Shorter...>) {
        (add_options_of_length<S, sizeof...(Rest) + 1 - Shorter, First, Rest...>(found), ...);
    }(std::make_index_sequence<sizeof...(Rest) + 1>{});
    if constexpr (sizeof...(Rest) > 0) {
        found.add(make_options<field_type<S, First>>(path_in<Rest...>{}));
    }
    return found;
}

/// All that is said of a leaf.
template <class Leaf>
inline constexpr leaf_options options_of = make_options<typename Leaf::root>(typename Leaf::path{});

}  // namespace lido::entity_detail
