// The key of a class of a world: which class, and of what type. Where several classes have one type it says which is meant.
//
//   const auto red = world.add<spark>("spark.red").key();
//   world.spawn(red, where);
#pragma once

#include <lido/world/ref.hpp>
#include <lido/world/world_reports.hpp>

#include <compare>
#include <string>
#include <utility>

namespace lido {

/// Good as long as the class is there; then it names none. Of worlds that add the same classes in the same order, all take it.
template <class T>
class class_key {
public:
    constexpr class_key() noexcept = default;
    constexpr explicit class_key(class_number of) noexcept : number_(of) {}

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return number_ != none; }
    [[nodiscard]] constexpr class_number number() const noexcept { return number_; }

    friend constexpr auto operator<=>(class_key, class_key) noexcept = default;

private:
    static constexpr class_number none = 0xffffffff;

    class_number number_ = none;
};

/// What world.add<T>() returns: the answer, and the key.
template <class T>
struct added_class_of : added_class {
    added_class_of(class_number of, bool is_new, std::string why_not, class_key<T> found)
        : added_class{of, is_new, std::move(why_not)}, key_(found) {}

    /// Null when there is no class of that name and type. One that was there before has its key, too.
    [[nodiscard]] class_key<T> key() const noexcept { return key_; }

private:
    class_key<T> key_;
};

}  // namespace lido
