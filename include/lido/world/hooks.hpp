// What a world calls of a class, all of it found by name and none of it required.
//
//   a life begins   place(transform)            or a member `transform` that takes it; neither: it has no place
//                   on_acquire(payload)         set it up, from what spawn handed over: see below
//                   set_in_use(true)            it is part of the game from here
//   a life ends     set_in_use(false)
//                   (listeners of `finished` are told)
//                   on_release()                noexcept: let go of what it held; on_release(end_reason) is told why
//
// Payloads. A class that says `using payload_type = blast;` takes a blast in on_acquire(const blast&). Spawned without one, it gets
// on_acquire() if it has that, else a default blast. A class with on_acquire(const lido::payload&) looks into it itself. Others take
// none. One that takes it by value or as `blast&&` (`lido::payload`, `lido::payload&&`) takes it over: what a spawn moves in is moved
// once, into that call.
#pragma once

#include <lido/core/config.hpp>
#include <lido/core/meta/object_hooks.hpp>
#include <lido/core/options.hpp>
#include <lido/world/life.hpp>
#include <lido/world/payload.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

namespace lido::world_detail {

template <class T>
concept names_payload = requires { typename T::payload_type; };

template <class T>
concept looks_into_payloads = !names_payload<T> && begins_by_hook<T, const payload&>;
template <class T>
concept takes_payloads_over = !names_payload<T> && !looks_into_payloads<T> && begins_by_hook<T, payload>;
template <class T>
concept opens_payloads = looks_into_payloads<T> || takes_payloads_over<T>;

template <class T>
concept begins_alone = begins_by_hook<T>;

template <class T, class P>
concept begins_with = begins_by_hook<T, const P&>;

/// What spawn<T>(where, P) accepts without a look at run time.
template <class T, class P>
concept takes_payload = (opens_payloads<T> && std::copy_constructible<P>) || begins_with<T, P>;

template <class T, class P>
concept begins_with_own = begins_by_hook<T, P>;

/// How a member function takes a P, of whatever class, returning whatever.
template <class P>
struct taken_as {
    template <class C, class R>
    static void value(R (C::*)(P));
    template <class C, class R>
    static void rvalue(R (C::*)(P&&));
};
template <class T, class P>
concept asks_for_its_own =
    requires { taken_as<P>::value(&T::on_acquire); } || requires { taken_as<P>::rvalue(&T::on_acquire); };

/// What spawn<T>(where, std::move(P)) moves. What is trivially copyable is not moved where it can be copied: it is the same, and the
/// caller's may be read again (reset_trial.hpp).
template <class T, class P>
concept moves_in =
    begins_with_own<T, P> && (!begins_with<T, P> || (!std::is_trivially_copyable_v<P> && asks_for_its_own<T, P>));

/// Of the struct that it names, for a payload whose type is looked at while the program runs.
template <class T>
[[nodiscard]] consteval bool takes_named_over() noexcept {
    if constexpr (names_payload<T>) {
        return moves_in<T, typename T::payload_type>;
    } else {
        return takes_payloads_over<T>;
    }
}

template <class T>
concept has_set_in_use = requires(T& object) { object.set_in_use(true); };

template <class T>
concept ends_with_reason = requires(T& object, end_reason why) { object.on_release(why); };
template <class T>
concept hears_of_its_end = ends_with_reason<T> || ends_by_hook<T>;

template <class T>
concept has_set_life = requires(T& object, life mine) { object.set_life(mine); };

/// For on_full::merge and on_full::replace_if, which ask the class itself.
template <class T>
concept merges = requires(T& existing, const T& newcomer) {
    { existing.merge(newcomer) } -> std::convertible_to<bool>;
};
template <class T>
concept says_replaceable = requires(const T& object) {
    { object.replaceable() } -> std::convertible_to<bool>;
};

template <class T>
concept names_pool_options = requires {
    { T::pool_options } -> std::convertible_to<options>;
};

template <class T, class Transform>
concept takes_place = requires(T& object, const Transform& where) { object.place(where); } ||
                      requires(T& object, const Transform& where) { object.transform = where; };

/// A life begins without a call of the class: nothing of it can be on the stack, and nothing throws.
template <class T, class Transform>
concept begins_unseen = !takes_place<T, Transform> && !begins_alone<T> && !names_payload<T> && !opens_payloads<T> &&
                        !has_set_in_use<T> && !has_set_life<T>;

/// What spawn<T>(where, std::move(P)) hands over, be it in a lido::payload.
template <class T, class P>
concept takes_over =
    std::is_object_v<P> && !std::is_const_v<P> &&
    (std::same_as<P, payload> ? takes_named_over<T>()
                              : takes_payloads_over<T> || (looks_into_payloads<T> && !std::copy_constructible<P>) ||
                                    (!opens_payloads<T> && moves_in<T, P>));

/// What it takes cannot be copied: it is handed over, or there is none.
template <class T>
[[nodiscard]] consteval bool needs_its_own() noexcept {
    if constexpr (names_payload<T>) {
        return !begins_with<T, typename T::payload_type> && !std::copy_constructible<typename T::payload_type>;
    } else {
        return takes_payloads_over<T>;
    }
}

template <class T>
struct world_hooks {
    template <class Transform>
    static void place([[maybe_unused]] T& object, [[maybe_unused]] const Transform& where) {
        if constexpr (requires { object.place(where); }) {
            object.place(where);
        } else if constexpr (requires { object.transform = where; }) {
            object.transform = where;
        }
    }

    /// The name of the struct it takes; empty when it takes none; "any" when it looks into payloads itself.
    [[nodiscard]] static constexpr std::string_view takes() noexcept {
        if constexpr (names_payload<T>) {
            return type_name<typename T::payload_type>();
        } else {
            return opens_payloads<T> ? "any" : "";
        }
    }

    [[nodiscard]] static bool accepts([[maybe_unused]] const payload& with) noexcept {
        if constexpr (names_payload<T>) {
            return with.empty() || with.get<typename T::payload_type>() != nullptr;
        } else {
            return opens_payloads<T> || with.empty();
        }
    }
    /// One that is not handed over, but only shown. Pre: accepts(with).
    [[nodiscard]] static bool accepts_shown([[maybe_unused]] const payload& with) noexcept {
        return !needs_its_own<T>() || with.empty();
    }

    static void acquire([[maybe_unused]] T& object) {
        if constexpr (begins_alone<T>) {
            object_hooks<T>::begin(object);
        } else if constexpr (opens_payloads<T>) {
            object_hooks<T>::begin(object, payload());
        } else if constexpr (names_payload<T>) {
            static_assert(std::default_initializable<typename T::payload_type>,
                          "lido: a spawn without a payload needs on_acquire(), or a payload_type with a default");
            object_hooks<T>::begin(object, typename T::payload_type{});
        }
    }

    template <class P>
        requires(!std::same_as<P, payload>)
    static void acquire(T& object, const P& with) {
        if constexpr (opens_payloads<T>) {
            object_hooks<T>::begin(object, payload(with));
        } else {
            object_hooks<T>::begin(object, with);
        }
    }

    /// Pre: accepts(with), accepts_shown(with).
    static void acquire(T& object, const payload& with) {
        if constexpr (looks_into_payloads<T>) {
            object_hooks<T>::begin(object, with);
        } else {
            if constexpr (names_payload<T>) {
                using named = typename T::payload_type;
                if constexpr (!needs_its_own<T>()) {
                    if (const auto* value = with.get<named>()) return acquire_copy(object, *value);
                }
            }
            acquire(object);
        }
    }

    template <class P>
    static void acquire_copy(T& object, const P& with) {
        if constexpr (begins_with<T, P>) {
            object_hooks<T>::begin(object, with);
        } else {
            object_hooks<T>::begin(object, P(with));
        }
    }

    /// What was handed over. Pre: takes_over<T, P>.
    template <class P>
        requires(!std::same_as<P, payload>)
    static void acquire_own(T& object, P&& with) {
        if constexpr (opens_payloads<T>) {
            object_hooks<T>::begin(object, payload(std::move(with)));
        } else {
            object_hooks<T>::begin(object, std::move(with));
        }
    }
    /// Pre: accepts(with), takes_named_over<T>().
    static void acquire_own(T& object, payload&& with) {
        if constexpr (takes_payloads_over<T>) {
            object_hooks<T>::begin(object, std::move(with));
        } else {
            if (auto* const value = with.get<typename T::payload_type>())
                return static_cast<void>(object_hooks<T>::begin(object, std::move(*value)));
            acquire(object);
        }
    }

    static void set_in_use([[maybe_unused]] T& object, [[maybe_unused]] bool in_use) {
        if constexpr (has_set_in_use<T>) object.set_in_use(in_use);
    }

    static void release([[maybe_unused]] T& object, [[maybe_unused]] end_reason why) noexcept {
        if constexpr (ends_with_reason<T>) {
            static_assert(noexcept(object.on_release(why)),
                          "lido: on_release() must be noexcept: the end of a life cannot fail, and neither can the end "
                          "of a pool or "
                          "a world");
            object.on_release(why);
        } else if constexpr (ends_by_hook<T>) {
            check_ends<T>();
            object_hooks<T>::end(object);
        }
    }

    static void tell_life([[maybe_unused]] T& object, [[maybe_unused]] life mine) noexcept {
        if constexpr (has_set_life<T>) object.set_life(mine);
    }
};

}  // namespace lido::world_detail
