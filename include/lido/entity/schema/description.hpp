// What a user writes beside a plain struct, to say more of its fields than their types do:
//
//   constexpr auto describe(lido::type<door>) {
//       return lido::schema{3,                                                       // revision of the stored form
//           lido::field<&door::angle>{.min = 0, .max = 120, .step = 0.5f},
//           lido::field<&door::hp>{.max = 1000, .send = lido::seen::by_owner, .was = "health"},
//           lido::field<&door::at, &point::x>{.min = -512, .max = 512},              // a field of a nested struct
//           lido::field<&door::wear>{.send = lido::seen::by_nobody}};                // saved, not sent
//   }
//
// The function is found by its argument, so it stands in the namespace of the struct. It is optional, and so is every field in it: what is
// not named is sent to everyone and saved, without a range. A nested struct brings its own description; where an outer one says something
// else, the outer one counts.
#pragma once

#include <lido/core/meta/type_name.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace lido {

/// Stands for a type, as an argument.
template <class T>
struct type {};

/// To whom a field is sent.
enum class seen : std::uint8_t {
    by_everyone,
    by_owner,     ///< the player who owns the entity
    by_nobody,    ///< not sent
    by_callback,  ///< the program decides for each receiver
};

/// A number of a description, as it was written. What it means for a field is decided with the field's type.
class limit {
public:
    enum class kind : std::uint8_t { none, natural, negative, real };

    constexpr limit() noexcept = default;

    template <class N>
        requires(std::is_arithmetic_v<N> || std::is_enum_v<N>)
    constexpr limit(N number) noexcept {
        if constexpr (std::is_enum_v<N>) {
            *this = limit(static_cast<std::underlying_type_t<N>>(number));
            enum_ = type_id<N>();
        } else if constexpr (std::is_floating_point_v<N>) {
            kind_ = kind::real;
            real_ = static_cast<double>(number);
        } else {
            whole_ = static_cast<std::uint64_t>(number);
            kind_ = kind::natural;
            if constexpr (std::is_signed_v<N>) {
                if (number < 0) kind_ = kind::negative;
            }
        }
    }

    [[nodiscard]] constexpr bool given() const noexcept { return kind_ != kind::none; }
    [[nodiscard]] constexpr kind is() const noexcept { return kind_; }
    /// Of a whole number; a negative one as two's complement.
    [[nodiscard]] constexpr std::uint64_t whole() const noexcept { return whole_; }
    [[nodiscard]] constexpr double as_real() const noexcept {
        if (kind_ == kind::real) return real_;
        if (kind_ == kind::negative) return static_cast<double>(static_cast<std::int64_t>(whole_));
        return static_cast<double>(whole_);
    }
    /// The identity of the enum type whose value it is; 0 for a number.
    [[nodiscard]] constexpr std::uint64_t enum_id() const noexcept { return enum_; }

private:
    std::uint64_t whole_ = 0;
    double real_ = 0;
    std::uint64_t enum_ = 0;
    kind kind_ = kind::none;
};

namespace entity_detail {

/// An option that may be left out.
template <class T>
struct choice {
    T value{};
    bool given = false;

    constexpr choice() noexcept = default;
    constexpr choice(std::same_as<T> auto chosen) noexcept : value(chosen), given(true) {}
};

/// The most names that a field can have had before.
inline constexpr std::size_t max_former = 4;

/// `.was = "health"`, `.was = {"health", "hits"}`.
struct former {
    std::string_view names[max_former] = {};
    std::size_t count = 0;

    constexpr former() noexcept = default;
    template <std::convertible_to<std::string_view>... Names>
        requires(sizeof...(Names) > 0)
    constexpr former(const Names&... given) noexcept : names{std::string_view(given)...}, count(sizeof...(Names)) {
        static_assert(sizeof...(Names) <= max_former,
                      "lido: .was takes at most 4 former names; older ones go into `migrate`");
    }
};

}  // namespace entity_detail

/// What is said of one field. `Path` is a pointer to a member, or several that lead through nested structs to one.
template <auto... Path>
struct field {
    static_assert(sizeof...(Path) > 0, "lido: field<...> takes a pointer to a member: lido::field<&door::angle>");
    static_assert((std::is_member_object_pointer_v<decltype(Path)> && ...),
                  "lido: field<...> takes pointers to data members: lido::field<&door::angle>");

    limit min{};                         ///< the least value that a commit takes
    limit max{};                         ///< the greatest
    limit step{};                        ///< of real numbers: what the wire rounds to
    entity_detail::choice<seen> send{};  ///< to whom
    entity_detail::choice<bool> save{};  ///< whether a store keeps it
    entity_detail::former was{};         ///< what the field was called in earlier revisions
};

namespace entity_detail {

template <class F>
inline constexpr bool is_field = false;
template <auto... Path>
inline constexpr bool is_field<field<Path...>> = true;

}  // namespace entity_detail

/// The revision of the stored form, from 1 on, and the fields that have more to say than their type.
template <class... Fields>
struct schema {
    static_assert((entity_detail::is_field<Fields> && ...),
                  "lido: a schema takes its revision and then fields: lido::schema{1, lido::field<&door::angle>{…}}");

    std::int64_t revision;
    std::tuple<Fields...> fields;

    constexpr explicit schema(std::int64_t rev, const Fields&... all) noexcept : revision(rev), fields(all...) {}
};

namespace entity_detail {

template <class T>
concept described = requires { describe(type<T>{}); };

template <class T>
constexpr auto make_description() {
    if constexpr (described<T>) {
        return describe(type<T>{});
    } else {
        return schema<>{1};
    }
}

/// What is said of T; a schema of revision 1 without fields where nothing is.
template <class T>
inline constexpr auto description_of = make_description<T>();

template <class D>
inline constexpr bool is_schema = false;
template <class... Fields>
inline constexpr bool is_schema<schema<Fields...>> = true;

}  // namespace entity_detail
}  // namespace lido
