// Says which class of a world is meant: by its number, its name or its key. What is known of a class without its type.
#pragma once

#include <lido/world/class_id.hpp>
#include <lido/world/class_key.hpp>
#include <lido/world/ref.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace lido {

/// A parameter: made from a number, a name or a key. It does not copy the name.
class which_class {
public:
    /// A template, so that a 0 is a number and no null pointer.
    template <class N>
        requires(std::is_integral_v<N> || std::is_enum_v<N>) && std::convertible_to<N, class_number>
    constexpr which_class(N number) noexcept : number_(static_cast<class_number>(number)) {}
    template <class S>
        requires std::convertible_to<const S&, std::string_view>
    constexpr which_class(const S& name) noexcept : name_(name), by_name_(true) {}

    template <class T>
    constexpr which_class(class_key<T> key) noexcept : number_(key.number()) {}

    [[nodiscard]] constexpr bool by_name() const noexcept { return by_name_; }
    [[nodiscard]] constexpr std::string_view name() const noexcept { return name_; }
    [[nodiscard]] constexpr class_number number() const noexcept { return number_; }

private:
    std::string_view name_;
    class_number number_ = 0;
    bool by_name_ = false;
};

/// A class of a world, told apart from all others. The text is the world's, and goes with the class.
struct class_info {
    class_number number = 0;
    class_id id = 0;  ///< the same on every machine (class_id.hpp)
    std::string_view name;
    std::string_view type;
    std::uint64_t type_id = 0;

    /// False when there is no such class.
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return id != 0; }
};

}  // namespace lido
