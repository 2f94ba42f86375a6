// What is called of an object as its lives begin and end: found by name, in one place, for pools and worlds alike.
//
//   a life begins              on_acquire(args…)        sets the object up
//   it ends                    on_release()             noexcept: lets go of what it held
//   its end is taken back      on_end_undone()          noexcept: with options::confirmed_ends, by a restore
//   … and comes again          on_end_again()           noexcept: by a restore of a later moment, in which it has ended and waits
//   … and is certain           waits_for_another_life() const noexcept: false destroys the object, and it does not join the idle ones
//
// None is required. A type that cannot be changed, such as one of another library, gets its hooks from outside:
//
//   template <>
//   struct lido::object_hooks<their::emitter> {
//       static void begin(their::emitter& e) { e.start(); }
//       static void end(their::emitter& e) noexcept { e.stop(); }
//   };
//
// A layer that keeps objects in records of its own does the same for its record.
#pragma once

#include <lido/core/base/config.hpp>

#include <concepts>
#include <utility>

namespace lido {

template <class T>
struct object_hooks {
    template <class... Args>
        requires requires(T& it, Args&&... args) { it.on_acquire(std::forward<Args>(args)...); }
    LIDO_INLINE static void begin(T& object,
                                  Args&&... args) noexcept(noexcept(object.on_acquire(std::forward<Args>(args)...))) {
        object.on_acquire(std::forward<Args>(args)...);
    }

    LIDO_INLINE static void end(T& object) noexcept(noexcept(object.on_release()))
        requires requires(T& it) { it.on_release(); }
    {
        object.on_release();
    }

    LIDO_INLINE static void end_undone(T& object) noexcept(noexcept(object.on_end_undone()))
        requires requires(T& it) { it.on_end_undone(); }
    {
        object.on_end_undone();
    }

    LIDO_INLINE static void end_again(T& object) noexcept(noexcept(object.on_end_again()))
        requires requires(T& it) { it.on_end_again(); }
    {
        object.on_end_again();
    }

    [[nodiscard]] LIDO_INLINE static bool waits_for_another_life(const T& object) noexcept
        requires requires(const T& it) {
            { it.waits_for_another_life() } noexcept -> std::same_as<bool>;
        }
    {
        return object.waits_for_another_life();
    }
};

/// A life of a T is begun with these arguments by a hook.
template <class T, class... Args>
concept begins_by_hook =
    requires(T& object, Args&&... args) { object_hooks<T>::begin(object, std::forward<Args>(args)...); };

template <class T>
concept ends_by_hook = requires(T& object) { object_hooks<T>::end(object); };

template <class T>
concept hears_of_undone_ends = requires(T& object) { object_hooks<T>::end_undone(object); };

template <class T>
concept hears_of_ends_again = requires(T& object) { object_hooks<T>::end_again(object); };

template <class T>
concept says_whether_it_waits = requires(const T& object) {
    { object_hooks<T>::waits_for_another_life(object) } noexcept -> std::same_as<bool>;
};

/// A save holds nothing of it, because it cannot be copied: a restore brings it back where its end waits, and from nowhere else.
template <class T>
concept only_comes_back = requires { requires object_hooks<T>::only_comes_back; };

/// Stops the compiler where the end of a life could fail.
template <class T>
consteval void check_ends() {
    if constexpr (ends_by_hook<T>) {
        static_assert(
            noexcept(object_hooks<T>::end(std::declval<T&>())),
            "lido: on_release() must be noexcept: the end of a life cannot fail, and neither can the end of a "
            "pool or a world");
    }
    if constexpr (hears_of_undone_ends<T>) {
        static_assert(noexcept(object_hooks<T>::end_undone(std::declval<T&>())),
                      "lido: on_end_undone() must be noexcept: it runs in a restore");
    }
    if constexpr (hears_of_ends_again<T>) {
        static_assert(noexcept(object_hooks<T>::end_again(std::declval<T&>())),
                      "lido: on_end_again() must be noexcept: it runs in a restore");
    }
}

}  // namespace lido
