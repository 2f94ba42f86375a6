// What a program hears of the lives of a class: `finished` and `begun`. Who listens takes as much of it as it wants.
#pragma once

#include <lido/core/delegate.hpp>
#include <lido/world/any_life_event.hpp>
#include <lido/world/any_object.hpp>
#include <lido/world/event.hpp>
#include <lido/world/ref.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace lido {

/// `connect(f)` with `f(object, reference, more…)`, or any of the last left out, by the object's own type.
template <class T, class... More>
class life_event : public any_life_event<More...> {
    using all = any_life_event<More...>;

public:
    /// For those who keep one before they connect it. A lambda that is connected right away may capture 32 bytes, as in any event.
    using listener = delegate<void(T&, ref<T>, More...), 24>;

    /// Pre: `f` is no empty delegate.
    template <class F>
        requires(std::is_invocable_v<const std::decay_t<F>&, T&, ref<T>, More...> ||
                 std::is_invocable_v<const std::decay_t<F>&, T&, ref<T>> ||
                 std::is_invocable_v<const std::decay_t<F>&, T&> || std::is_invocable_v<const std::decay_t<F>&>)
    connection connect(F&& f) {
        using held = std::decay_t<F>;
        if constexpr (std::is_constructible_v<bool, const held&>) {
            LIDO_ASSERT(static_cast<bool>(f), "event: an empty delegate cannot listen");
        }
        return all::connect(
            typename all::any_listener([call = held(std::forward<F>(f))](any_object it, [[maybe_unused]] any_ref which,
                                                                         [[maybe_unused]] More... more) {
                [[maybe_unused]] T& object = *static_cast<T*>(it.address());
                if constexpr (std::is_invocable_v<const held&, T&, ref<T>, More...>) {
                    static_cast<void>(call(object, typed(which), more...));
                } else if constexpr (std::is_invocable_v<const held&, T&, ref<T>>) {
                    static_cast<void>(call(object, typed(which)));
                } else if constexpr (std::is_invocable_v<const held&, T&>) {
                    static_cast<void>(call(object));
                } else {
                    static_cast<void>(call());
                }
            }));
    }

    void fire(T& object, ref<T> which, More... more) { all::fire(any_object::of(object), which, more...); }

private:
    [[nodiscard]] static ref<T> typed(any_ref which) noexcept {
        return {which.class_of(), ref<T>::handle_type::from_bits(which.life())};
    }
};

}  // namespace lido
