// A callable of at most two pointers, or of `Room` bytes, held by value: no heap, no virtual call, trivially copyable.
//
// std::function may allocate and is not trivially copyable; a bare function pointer cannot carry the `this` that callbacks
// need. Two pointers hold a capture of an object and one more, which is what pool callbacks use.
#pragma once

#include <lido/core/base/config.hpp>

#include <concepts>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace lido {

template <class Signature, std::size_t Room = 2 * sizeof(void*)>
class delegate;

namespace detail {

/// Callables that may hold nothing. (Not members of delegate: GCC before 14 takes no specialization of a variable in a class.)
template <class F>
inline constexpr bool may_be_empty = std::is_pointer_v<F>;
template <class Signature, std::size_t Room>
inline constexpr bool may_be_empty<delegate<Signature, Room>> = true;

}  // namespace detail

template <class Result, std::size_t Room, class... Args>
class delegate<Result(Args...), Room> {
    static_assert(Room >= 2 * sizeof(void*), "lido: a delegate has room for two pointers at least");

public:
    constexpr delegate() noexcept = default;
    constexpr delegate(std::nullptr_t) noexcept {}

    /// Holds a copy of `f`: a function pointer, or a lambda that captures up to two pointers' worth (`Room` bytes) of trivially
    /// copyable things (references to larger state count as one). Made from an empty delegate or a null pointer it is empty.
    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, delegate> &&
                 std::is_invocable_r_v<Result, const std::decay_t<F>&, Args...>)
    delegate(F&& f) noexcept {  // NOLINT(bugprone-forwarding-reference-overload): constrained above
        using held = std::decay_t<F>;
        static_assert(sizeof(held) <= Room || Room != 2 * sizeof(void*),
                      "lido: this callable captures more than two pointers: capture one pointer to a struct instead");
        static_assert(sizeof(held) <= Room || Room != 32,
                      "lido: this callable captures more than 32 bytes: capture one pointer to a struct instead");
        static_assert(sizeof(held) <= Room && alignof(held) <= alignof(void*),
                      "lido: this callable captures too much: capture one pointer to a struct instead");
        static_assert(std::is_trivially_copyable_v<held>,
                      "lido: this callable captures something that is not trivially copyable: capture a pointer to it");
        if constexpr (detail::may_be_empty<held>) {
            const held given(f);
            if (!given) return;
        }
        ::new (static_cast<void*>(room_)) held(std::forward<F>(f));
        call_ = [](const void* room, Args... args) -> Result {
            if constexpr (std::is_void_v<Result>) {
                static_cast<void>((*static_cast<const held*>(room))(std::forward<Args>(args)...));
            } else {
                return (*static_cast<const held*>(room))(std::forward<Args>(args)...);
            }
        };
    }

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return call_ != nullptr; }

    /// Pre: not empty.
    Result operator()(Args... args) const {
        LIDO_ASSERT(call_ != nullptr, "an empty delegate was called");
        return call_(room_, std::forward<Args>(args)...);
    }

    /// What it holds. Pre: it was made from an F.
    template <class F>
    [[nodiscard]] const F& held_as() const noexcept {
        static_assert(sizeof(F) <= Room);
        LIDO_ASSERT(call_ != nullptr, "an empty delegate holds nothing");
        return *std::launder(reinterpret_cast<const F*>(room_));
    }

private:
    Result (*call_)(const void*, Args...) = nullptr;
    alignas(void*) std::byte room_[Room] = {};
};

}  // namespace lido
