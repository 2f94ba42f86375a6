// An object of a world where its type is not known: an address and what type is there. For use right away, as the object itself is; what
// is kept for later is the reference.
#pragma once

#include <lido/core/meta/type_name.hpp>
#include <lido/world/owned_class.hpp>

#include <cstdint>
#include <memory>
#include <string_view>

namespace lido {

namespace world_detail {

/// What is known of a C++ type while the program runs.
struct object_type {
    std::string_view name;
    std::uint64_t id;
};
template <class T>
inline constexpr object_type type_of{type_name<T>(), type_id<T>()};

/// The type of nothing.
inline constexpr object_type no_type{{}, 0};

}  // namespace world_detail

/// An object that may be looked at.
class const_any_object {
public:
    constexpr const_any_object() noexcept = default;
    constexpr const_any_object(const void* address, const world_detail::object_type& type) noexcept
        : address_(address), type_(&type) {}

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return address_ != nullptr; }
    [[nodiscard]] constexpr const void* address() const noexcept { return address_; }
    /// "" for no object.
    [[nodiscard]] constexpr std::string_view type() const noexcept { return type_->name; }
    [[nodiscard]] constexpr std::uint64_t type_id() const noexcept { return type_->id; }

    /// Null when it is no T: a base of its type is another type.
    template <class T>
    [[nodiscard]] const T* as() const noexcept {
        return type_->id == lido::type_id<T>() ? static_cast<const T*>(address_) : nullptr;
    }

private:
    const void* address_ = nullptr;
    const world_detail::object_type* type_ = &world_detail::no_type;
};

/// One that may be changed.
class any_object {
public:
    constexpr any_object() noexcept = default;
    constexpr any_object(void* address, const world_detail::object_type& type) noexcept
        : address_(address), type_(&type) {}
    template <class T>
    [[nodiscard]] static any_object of(T& object) noexcept {
        return {std::addressof(object), world_detail::type_of<T>};
    }

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return address_ != nullptr; }
    [[nodiscard]] constexpr operator const_any_object() const noexcept { return {address_, *type_}; }
    [[nodiscard]] constexpr void* address() const noexcept { return address_; }
    /// "" for no object.
    [[nodiscard]] constexpr std::string_view type() const noexcept { return type_->name; }
    [[nodiscard]] constexpr std::uint64_t type_id() const noexcept { return type_->id; }

    /// Null when it is no T: a base of its type is another type.
    template <class T>
    [[nodiscard]] world_detail::handed_out<T>* as() const noexcept {
        return type_->id == lido::type_id<T>() ? static_cast<T*>(address_) : nullptr;
    }

private:
    void* address_ = nullptr;
    const world_detail::object_type* type_ = &world_detail::no_type;
};

}  // namespace lido
