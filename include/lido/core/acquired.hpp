// What acquire() answers: the handle and the object at once.
#pragma once

#include <lido/core/config.hpp>

namespace lido {

/// False when the pool refused. Converts to the handle; `->` and `*` reach the object.
/// Invalidates: the object pointer lives as long as the pool's own pointers do (see the shape); the handle never dangles.
template <class T, class Handle>
class acquired {
public:
    using handle_type = Handle;

    constexpr acquired() noexcept = default;
    constexpr acquired(T* object, Handle handle) noexcept : object_(object), handle_(handle) {}

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return object_ != nullptr; }

    [[nodiscard]] constexpr operator Handle() const noexcept { return handle_; }
    [[nodiscard]] constexpr Handle handle() const noexcept { return handle_; }

    /// Null when the pool refused.
    [[nodiscard]] constexpr T* get() const noexcept { return object_; }

    /// Pre: not refused.
    [[nodiscard]] constexpr T* operator->() const noexcept {
        LIDO_ASSERT(object_ != nullptr, "a refused acquire was used as an object: test it first");
        return object_;
    }

    /// Pre: not refused.
    [[nodiscard]] constexpr T& operator*() const noexcept {
        LIDO_ASSERT(object_ != nullptr, "a refused acquire was used as an object: test it first");
        return *object_;
    }

private:
    T* object_ = nullptr;
    Handle handle_{};
};

}  // namespace lido
