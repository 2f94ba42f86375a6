// What acquire() returns: the handle and the object at once.
#pragma once

#include <lido/core/base/config.hpp>

namespace lido {

/// False when the pool refused. Converts to the handle; `->` and `*` reach the object.
/// For use right away: the object pointer inside is a plain one, which dangles once the object is released (or, in a dense pool,
/// moved). What is kept for later is the handle: `lido::handle<T> h = pool.acquire(…)`.
/// `Pointer` is what the pool gives for an object: T*, or something like it for the row of a column_pool.
template <class T, class Handle, class Pointer = T*>
class acquired {
public:
    using handle_type = Handle;

    constexpr acquired() noexcept = default;
    constexpr acquired(Pointer object, Handle handle) noexcept : object_(object), handle_(handle) {}

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return object_ != nullptr; }

    [[nodiscard]] constexpr operator Handle() const noexcept { return handle_; }
    [[nodiscard]] constexpr Handle handle() const noexcept { return handle_; }

    /// Null when the pool refused.
    [[nodiscard]] constexpr Pointer get() const noexcept { return object_; }

    /// Pre: not refused.
    [[nodiscard]] LIDO_ENTRY constexpr Pointer operator->() const noexcept {
        LIDO_ASSERT_NOT_NULL(refused, object_ != nullptr, "a refused acquire was used as an object: test it first");
        return object_;
    }

    /// Pre: not refused.
    [[nodiscard]] LIDO_ENTRY constexpr decltype(auto) operator*() const noexcept {
        LIDO_ASSERT_NOT_NULL(refused, object_ != nullptr, "a refused acquire was used as an object: test it first");
        return *object_;
    }

private:
    Pointer object_ = nullptr;
    Handle handle_{};
};

}  // namespace lido
