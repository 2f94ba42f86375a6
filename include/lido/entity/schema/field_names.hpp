// The names of leaves: what each is called now, "at.x", and what it was called in earlier revisions, by `.was` of the field itself and of
// the structs that it is in. Ids are made of names alone; the order of declaration is nobody's business.
#pragma once

#include <lido/entity/schema/field_options.hpp>
#include <lido/world/class_id.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace lido {

/// The identity of a field by its name: the same on every machine and in every order of declaration. Written into files and messages.
using field_id = std::uint64_t;
[[nodiscard]] constexpr field_id field_id_of(std::string_view name) noexcept { return class_id_of(name); }

namespace entity_detail {

inline constexpr std::size_t longest_name = 127;  // bytes, dots included
inline constexpr std::size_t most_names = 8;  // the living one and those before it; `.was` of nested structs multiply

/// Names while they are put together, at compile time only.
struct name_list {
    struct name {
        char text[longest_name + 1] = {};
        std::size_t size = 0;

        [[nodiscard]] constexpr std::string_view view() const noexcept { return {text, size}; }
    };
    name names[most_names] = {};
    std::size_t count = 0;
    bool too_many = false;
    bool too_long = false;

    constexpr void add(std::string_view first, std::string_view rest) noexcept {
        const std::size_t size = first.size() + (rest.empty() ? 0 : 1 + rest.size());
        if (size > longest_name) {
            too_long = true;
        } else if (count == most_names) {
            too_many = true;
        } else {
            name& made = names[count++];
            for (const char c : first) made.text[made.size++] = c;
            if (!rest.empty()) made.text[made.size++] = '.';
            for (const char c : rest) made.text[made.size++] = c;
        }
    }

    constexpr void add_each(std::string_view first, const name_list& rest) noexcept {
        for (std::size_t i = 0; i < rest.count; ++i) add(first, rest.names[i].view());
        too_many = too_many || rest.too_many;
        too_long = too_long || rest.too_long;
    }
};

template <class S, std::size_t First, std::size_t... Rest>
constexpr name_list make_names(path_in<First, Rest...>);

/// The path without its first `Drop` steps, from the struct that they lead to.
template <std::size_t Drop, class S, std::size_t First, std::size_t... Rest>
constexpr name_list names_after(path_in<First, Rest...> path) {
    if constexpr (Drop == 0) {
        return make_names<S>(path);
    } else if constexpr (sizeof...(Rest) == 0) {
        name_list end;
        end.count = 1;  // one empty name: nothing is left to be said
        return end;
    } else {
        return names_after<Drop - 1, field_type<S, First>>(path_in<Rest...>{});
    }
}

template <class S, std::size_t First, std::size_t... Rest>
constexpr name_list make_names(path_in<First, Rest...> path) {
    name_list all;
    all.add_each(field_name<S, First>(), names_after<1, S>(path));
    [&]<std::size_t... E>(std::index_sequence<E...>) {
        [[maybe_unused]] const auto look = [&]<std::size_t At>() {
            using its = entry_at<S, At>;
            if constexpr (begins_with<its, its::length, First, Rest...>()) {
                constexpr former was = std::get<At>(description_of<S>.fields).was;
                for (std::size_t i = 0; i < was.count; ++i) {
                    all.add_each(was.names[i], names_after<its::length, S>(path));
                }
            }
        };
        (look.template operator()<E>(), ...);
    }(std::make_index_sequence<entries_of<S>>{});
    return all;
}

template <class Leaf>
inline constexpr name_list name_list_of = make_names<typename Leaf::root>(typename Leaf::path{});

/// The names of a leaf as the program carries them: their characters and nothing more.
template <class Leaf>
struct leaf_names {
    static constexpr std::size_t count = name_list_of<Leaf>.count;

private:
    static constexpr std::size_t total = [] {
        std::size_t sum = 0;
        for (std::size_t i = 0; i < count; ++i) sum += name_list_of<Leaf>.names[i].size;
        return sum;
    }();
    static constexpr std::array<char, total + 1> characters = [] {
        std::array<char, total + 1> joined{};
        std::size_t at = 0;
        for (std::size_t i = 0; i < count; ++i) {
            for (const char c : name_list_of<Leaf>.names[i].view()) joined[at++] = c;
        }
        return joined;
    }();

public:
    /// The living name first.
    static constexpr std::array<std::string_view, count> all = [] {
        std::array<std::string_view, count> views{};
        std::size_t at = 0;
        for (std::size_t i = 0; i < count; ++i) {
            views[i] = std::string_view(characters.data() + at, name_list_of<Leaf>.names[i].size);
            at += views[i].size();
        }
        return views;
    }();
    static constexpr std::string_view name = all[0];
    static constexpr field_id id = field_id_of(name);
};

/// The leaves of T in the order of their ids, which is the same wherever the names are.
template <class T>
inline constexpr auto leaves_by_id = [] {
    constexpr std::size_t count = leaves_of<T>::count;
    std::array<std::uint16_t, count> order{};
    std::array<field_id, count> ids{};
    for_each_leaf<T>([&]<class L, std::size_t I>() {
        order[I] = static_cast<std::uint16_t>(I);
        ids[I] = leaf_names<L>::id;
    });
    for (std::size_t i = 1; i < count; ++i) {  // at most 256, at compile time
        for (std::size_t j = i; j > 0 && ids[order[j]] < ids[order[j - 1]]; --j) {
            const auto moved = order[j];
            order[j] = order[j - 1];
            order[j - 1] = moved;
        }
    }
    return order;
}();

/// As for_each_leaf, in order of ids.
template <class T, class F>
constexpr void for_each_leaf_by_id(F&& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (f.template operator()<typename leaves_of<T>::template at<leaves_by_id<T>[I]>, leaves_by_id<T>[I]>(), ...);
    }(std::make_index_sequence<leaves_of<T>::count>{});
}

}  // namespace entity_detail
}  // namespace lido
