// Which fields of two objects differ, by name where the type can be taken apart, by byte where it cannot.
//
//   a struct with public fields     field by field, nested structs too: "hp", "pos.x"; containers by what they hold, so kept
//                                   capacity is no difference
//   any other class                 bytes, against two fresh objects built on memory filled with 0 and with 1 bits: bytes in which
//                                   those two differ are padding or addresses, and mean nothing
#pragma once

#include <lido/core/base/compat.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/iterators.hpp>
#include <lido/core/checks/report.hpp>
#include <lido/core/meta/fields.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido {

/// Fields that stay as they are from one life to the next, on purpose. Named inside the element:
///     using kept_fields = lido::kept<&trail::points, &trail::id>;
template <auto... Members>
struct kept {
    static_assert((std::is_member_object_pointer_v<decltype(Members)> && ...),
                  "lido: kept<...> takes pointers to data members: kept<&trail::points>");
};

namespace detail {

template <class T>
struct kept_of {
    using type = kept<>;
};
template <class T>
    requires requires { typename T::kept_fields; }
struct kept_of<T> {
    using type = typename T::kept_fields;
};

// --- whether == of a type compiles, all the way down ------------------------------------------------------------------------
//
// operator== of a container is declared for any element and fails inside; so the elements are asked first.

template <class T>
consteval bool equal_compiles();

template <class T>
consteval bool parts_equal_compile() {
    if constexpr (requires {
                      typename T::value_type;
                      std::begin(std::declval<const T&>());
                  }) {
        if constexpr (std::same_as<typename T::value_type, T>) return false;
        return equal_compiles<typename T::value_type>();
    } else if constexpr (requires { std::tuple_size<T>::value; }) {
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (equal_compiles<std::remove_cv_t<std::tuple_element_t<I, T>>>() && ...);
        }(std::make_index_sequence<std::tuple_size_v<T>>{});
    } else {
        return true;
    }
}

template <class T>
consteval bool equal_compiles() {
    if constexpr (std::is_array_v<T>) {
        return false;
    } else if constexpr (!parts_equal_compile<T>()) {
        return false;
    } else {
        return requires(const T& a, const T& b) { static_cast<bool>(a == b); };
    }
}

/// The names of the fields that differ, as they are found.
class difference {
public:
    explicit difference(text_line& to) noexcept : to_(to) {}

    /// `prefix` is the path of the struct that holds the fields: "" or "pos.".
    template <class T>
    void fields(const T& now, const T& fresh, std::string_view prefix) noexcept {
        compare_fields<T>(now, fresh, prefix, std::make_index_sequence<field_count<T>()>{});
    }

    /// Bytes [from, to).
    void bytes(std::size_t from, std::size_t to) noexcept {
        begin();
        // Not %zu, which older C libraries of Windows print as it stands.
        const auto first = static_cast<unsigned long long>(from);
        if (to - from == 1) {
            to_.add("byte %llu", first);
        } else {
            to_.add("bytes %llu to %llu", first, static_cast<unsigned long long>(to - 1));
        }
    }

    [[nodiscard]] unsigned count() const noexcept { return count_; }

private:
    static constexpr unsigned most_named = 8;

    void begin() noexcept {
        if (count_++ != 0 && count_ <= most_named) to_.add(", ");
    }

    template <class T, std::size_t... I>
    void compare_fields(const T& now, const T& fresh, [[maybe_unused]] std::string_view prefix,
                        std::index_sequence<I...>) noexcept {
        [[maybe_unused]] const auto a = tie_fields(now);
        [[maybe_unused]] const auto b = tie_fields(fresh);
        (compare_field<T, I>(std::get<I>(a), std::get<I>(b), prefix), ...);
    }

    template <class T, std::size_t I, class F>
    void compare_field(const F& now, const F& fresh, std::string_view prefix) noexcept {
        if (keeps<T, I>(typename kept_of<T>::type{})) return;
        constexpr std::string_view name = field_name<T, I>();
        if constexpr (!equal_compiles<F>() && splittable<F>) {
            char path[128];
            std::snprintf(path, sizeof(path), "%.*s%.*s.", static_cast<int>(prefix.size()), prefix.data(),
                          static_cast<int>(name.size()), name.data());
            fields(now, fresh, path);
        } else {
            if (same(now, fresh)) return;
            begin();
            if (count_ > most_named) return;
            to_.add("%.*s%.*s", static_cast<int>(prefix.size()), prefix.data(), static_cast<int>(name.size()),
                    name.data());
            if constexpr (std::is_arithmetic_v<F>) {
                to_.add(" (%g, fresh %g)", static_cast<double>(now), static_cast<double>(fresh));
            }
        }
    }

    template <class T, std::size_t I, auto... Members>
    [[nodiscard]] static consteval bool keeps(kept<Members...>) {
        return ((field_index<Members>() == I) || ...);
    }

    /// Types that cannot be compared count as the same.
    template <class F>
    [[nodiscard]] static bool same(const F& a, const F& b) noexcept {
        if constexpr (std::is_array_v<F>) {
            for (std::size_t i = 0; i < std::extent_v<F>; ++i) {
                if (!same(a[i], b[i])) return false;
            }
            return true;
        } else {
            if constexpr (std::is_trivially_copyable_v<F>) {
                // Also what is not equal to itself, such as a NaN. Bytes that differ prove nothing yet.
                // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
                if (std::memcmp(address_of(a), address_of(b), sizeof(F)) == 0) return true;
            }
            if constexpr (equal_compiles<F>()) {
                return static_cast<bool>(a == b);
            } else if constexpr (splittable<F>) {
                return same_fields(a, b, std::make_index_sequence<field_count<F>()>{});
            } else if constexpr (std::is_trivially_copyable_v<F> && has_no_padding<F>()) {
                return false;
            } else {
                return true;
            }
        }
    }

    template <class F, std::size_t... I>
    [[nodiscard]] static bool same_fields(const F& a, const F& b, std::index_sequence<I...>) noexcept {
        const auto x = tie_fields(a);
        const auto y = tie_fields(b);
        return (same(std::get<I>(x), std::get<I>(y)) && ...);
    }

    text_line& to_;
    unsigned count_ = 0;
};

/// Which bytes of an object are declared as kept.
template <class T, auto... Members>
void mark_kept([[maybe_unused]] const T& object, [[maybe_unused]] bool* marked, kept<Members...>) noexcept {
    const auto mark = [&](const auto& member) {
        const auto at = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(address_of(member)) -
                                                 reinterpret_cast<const std::byte*>(address_of(object)));
        for (std::size_t i = 0; i < sizeof(member); ++i) marked[at + i] = true;
    };
    static_cast<void>(mark);
    (mark(object.*Members), ...);
}

}  // namespace detail
}  // namespace lido
