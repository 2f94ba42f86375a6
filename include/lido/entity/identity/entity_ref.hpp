// References to entities: which class of which stage, and which life. Good for ever: one whose life has ended finds nothing and does nothing.
// They do not hash and do not name: what outlives the program is the id.
#pragma once

#include <lido/world/ref.hpp>

#include <compare>
#include <cstdint>
#include <functional>

namespace lido {

template <class T>
class entity_object;

/// A reference that does not say of what type. Zero is null.
class any_entity_ref {
public:
    constexpr any_entity_ref() noexcept = default;
    constexpr any_entity_ref(class_number of, std::uint64_t life) noexcept : life_(life), class_(of) {}

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return life_ != 0; }
    [[nodiscard]] constexpr class_number class_of() const noexcept { return class_; }
    [[nodiscard]] constexpr std::uint64_t life() const noexcept { return life_; }
    /// The same life, as its world names it: to be looked at, listened to or waited for there.
    [[nodiscard]] constexpr any_ref in_world() const noexcept { return {class_, life_}; }

    friend constexpr auto operator<=>(any_entity_ref, any_entity_ref) noexcept = default;

private:
    std::uint64_t life_ = 0;
    class_number class_ = 0;
};

/// The same for a T.
template <class T>
class entity_ref {
public:
    using entity_type = T;
    using world_ref = ref<entity_object<T>>;

    constexpr entity_ref() noexcept = default;
    constexpr explicit entity_ref(world_ref which) noexcept : which_(which) {}

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return static_cast<bool>(which_); }
    [[nodiscard]] constexpr operator any_entity_ref() const noexcept { return {class_of(), life()}; }
    [[nodiscard]] constexpr class_number class_of() const noexcept { return which_.class_of(); }
    [[nodiscard]] constexpr std::uint64_t life() const noexcept { return which_.life().to_bits(); }
    [[nodiscard]] constexpr world_ref in_world() const noexcept { return which_; }

    friend constexpr auto operator<=>(entity_ref, entity_ref) noexcept = default;

private:
    world_ref which_;
};

}  // namespace lido

template <>
struct std::hash<lido::any_entity_ref> {
    [[nodiscard]] std::size_t operator()(lido::any_entity_ref r) const noexcept {
        return std::hash<lido::any_ref>{}(r.in_world());
    }
};
template <class T>
struct std::hash<lido::entity_ref<T>> {
    [[nodiscard]] std::size_t operator()(lido::entity_ref<T> r) const noexcept {
        return std::hash<lido::any_entity_ref>{}(r);
    }
};
