// Catches hooks that the world would never call: a name with a slip in it, a hook that is private, parameters that nobody hands over.
//
// Hooks are found by name and none is required, so what is not found is taken for absent. Whether a class has a member of a name, whoever
// may call it and whatever it takes, is told by a class derived from it and from one that has that name: there the name is ambiguous.
// That needs a class that is not final; of a final one only public members are seen.
//
// A class that has such names and means something else by them says `static constexpr bool hooks_as_meant = true;`.
#pragma once

#include <lido/world/hooks.hpp>

#include <type_traits>

namespace lido::world_detail {

template <class T>
concept takes_part_in_names = std::is_class_v<T> && !requires { requires T::hooks_as_meant; };

// What is nearly the name of a hook, and the hook.
#define LIDO_WORLD_NEAR_HOOKS(do_)                                                                                  \
    do_(on_aquire, on_acquire) do_(on_accquire, on_acquire) do_(on_acquired, on_acquire) do_(onAcquire, on_acquire) \
        do_(OnAcquire, on_acquire) do_(on_realease, on_release) do_(on_relase, on_release)                          \
            do_(on_released, on_release) do_(onRelease, on_release) do_(OnRelease, on_release)                      \
                do_(set_inuse, set_in_use) do_(set_in_used, set_in_use) do_(setInUse, set_in_use)                   \
                    do_(SetInUse, set_in_use) do_(setLife, set_life) do_(replacable, replaceable)                   \
                        do_(is_replaceable, replaceable)
#define LIDO_WORLD_HOOKS(do_) \
    do_(on_acquire, on_acquire) do_(on_release, on_release) do_(set_in_use, set_in_use) do_(set_life, set_life)

/// All of the names.
struct hook_names {
#define LIDO_WORLD_NAME(x, hook) int x;
    LIDO_WORLD_NEAR_HOOKS(LIDO_WORLD_NAME) LIDO_WORLD_HOOKS(LIDO_WORLD_NAME)
#undef LIDO_WORLD_NAME
};
template <class T>
struct with_hook_names : T, hook_names {};

// One function template a name: has_member_x<T>().
#define LIDO_WORLD_NAME(x, hook)                             \
    template <class T>                                       \
    [[nodiscard]] consteval bool has_member_##x() noexcept { \
        if constexpr (std::is_final_v<T>) {                  \
            return requires { &T::x; };                      \
        } else {                                             \
            return !requires { &with_hook_names<T>::x; };    \
        }                                                    \
    }
LIDO_WORLD_NEAR_HOOKS(LIDO_WORLD_NAME)
LIDO_WORLD_HOOKS(LIDO_WORLD_NAME)
#undef LIDO_WORLD_NAME
#undef LIDO_WORLD_HOOKS

/// on_acquire can be called: without anything, with what the class says it takes, or with something that a spawn may bring.
template <class T>
[[nodiscard]] consteval bool on_acquire_is_called() noexcept {
    if constexpr (names_payload<T>) {
        return begins_with<T, typename T::payload_type> || begins_with_own<T, typename T::payload_type>;
    } else {
        return begins_alone<T> || opens_payloads<T> || requires { &T::on_acquire; };
    }
}

/// Stops the compiler with the name that is wrong.
template <class T, class Transform>
consteval void check_hook_names() {
    if constexpr (takes_part_in_names<T>) {
#define LIDO_WORLD_NEAR_CHECK(x, hook)                                                                       \
    static_assert(!has_member_##x<T>(),                                                                      \
                  "lido: this class has a member `" #x "`, which the world never calls: the hook is `" #hook \
                  "`. If something else is meant: static constexpr bool hooks_as_meant = true");
        LIDO_WORLD_NEAR_HOOKS(LIDO_WORLD_NEAR_CHECK)
#undef LIDO_WORLD_NEAR_CHECK
        static_assert(!has_member_on_acquire<T>() || on_acquire_is_called<T>(),
                      "lido: the world cannot call this class's `on_acquire`: make it public, and let it take nothing, "
                      "`const payload_type&` or `const lido::payload&`, or one of these by value");
        static_assert(!has_member_on_release<T>() || hears_of_its_end<T>,
                      "lido: the world cannot call this class's `on_release`: make it public, `void on_release() "
                      "noexcept`");
        static_assert(!has_member_set_in_use<T>() || has_set_in_use<T>,
                      "lido: the world cannot call this class's `set_in_use`: make it public, `void set_in_use(bool)`");
        static_assert(!has_member_set_life<T>() || has_set_life<T>,
                      "lido: the world cannot call this class's `set_life`: make it public, `void "
                      "set_life(lido::life)`");
        // `place` is a common name: only one that would take a transform, were it not const, is taken for a slip.
        static_assert(
            requires(T& object, const Transform& where) { object.place(where); } ||
                !requires(T& object, Transform& where) { object.place(where); },
            "lido: the world cannot call this class's `place`: it hands over a const transform, so take `const "
            "transform&`");
    }
}
#undef LIDO_WORLD_NEAR_HOOKS

}  // namespace lido::world_detail
