// How a life begins: where, and with what.
#pragma once

#include <lido/core/config.hpp>
#include <lido/world/hooks.hpp>
#include <lido/world/payload.hpp>

#include <type_traits>
#include <utility>

namespace lido::world_detail {

/// Spawned with nothing.
struct no_payload {};

template <class T, class Transform, class P>
struct beginning {
    const Transform& where;
    const P& with;

    void operator()(T& object) const { begin(object, where, with); }

    /// The same with copies of both, as far as they can be copied.
    [[nodiscard]] auto owned() const {
        struct copies {
            Transform where;
            std::conditional_t<std::is_copy_constructible_v<P>, P, const P&> with;
            void operator()(T& object) const { begin(object, where, with); }
        };
        return copies{where, with};
    }

    static void begin(T& object, const Transform& where, [[maybe_unused]] const P& with) {
        world_hooks<T>::place(object, where);
        if constexpr (std::is_same_v<P, no_payload>) {
            world_hooks<T>::acquire(object);
        } else {
            world_hooks<T>::acquire(object, with);
        }
    }
};

/// With a payload of its own, for one life.
template <class T, class Transform, class P>
struct owning_beginning {
    static constexpr bool hands_over = true;
    Transform where;
    P with;

    void operator()(T& object) {
        world_hooks<T>::place(object, where);
        world_hooks<T>::acquire_own(object, std::move(with));
    }
};

/// With a payload that is handed over: it is moved once, into the object that begins its life. Until then it is the caller's.
template <class T, class Transform, class P>
struct moving_beginning {
    static constexpr bool hands_over = true;
    const Transform& where;
    P& with;

    void operator()(T& object) const {
        world_hooks<T>::place(object, where);
        world_hooks<T>::acquire_own(object, std::move(with));
    }

    /// The same, moved away from where an object might end that holds it.
    [[nodiscard]] owning_beginning<T, Transform, P> take() const { return {where, std::move(with)}; }

    /// For a newcomer that is only offered to others.
    [[nodiscard]] auto shown() const {
        if constexpr (std::is_same_v<P, payload>) {
            return beginning<T, Transform, P>{where, with};
        } else {
            return owning_beginning<T, Transform, P>{where, P(std::as_const(with))};
        }
    }
};

/// An argument of a spawn that was given as `std::move(payload)`.
template <class P>
struct handed_over {
    P& it;
};
template <class P>
inline constexpr bool is_handed_over = false;
template <class P>
inline constexpr bool is_handed_over<handed_over<P>> = true;

/// A payload that is handed over to whom takes payloads over, and shown to others.
template <class T>
[[nodiscard]] LIDO_INLINE decltype(auto) given_to(payload& with) noexcept {
    if constexpr (takes_over<T, payload>) {
        return handed_over<payload>{with};
    } else {
        return static_cast<const payload&>(with);
    }
}

template <class T, class Transform, class P>
[[nodiscard]] LIDO_INLINE beginning<T, Transform, P> begin_of(const Transform& where, const P& with) noexcept {
    return {where, with};
}
template <class T, class Transform, class P>
[[nodiscard]] LIDO_INLINE moving_beginning<T, Transform, P> begin_of(const Transform& where,
                                                                     const handed_over<P>& with) noexcept {
    return {where, with.it};
}

/// It can begin one life only.
template <class Begin>
inline constexpr bool begins_once = requires { Begin::hands_over; };

/// A payload whose type is looked at while the program runs: shown, or handed over.
struct given_payload {
    const payload& shown;
    payload* own = nullptr;

    given_payload(const payload& with) noexcept : shown(with) {}
    given_payload(handed_over<payload> with) noexcept : shown(with.it), own(&with.it) {}
};

}  // namespace lido::world_detail
