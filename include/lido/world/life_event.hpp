// What a program hears of the lives of a class: `finished` and `spawned`. Who listens takes as much of it as it wants.
#pragma once

#include <lido/world/end_reason.hpp>
#include <lido/world/event.hpp>
#include <lido/world/ref.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace lido {

/// `connect(f)` with `f(object, reference, more…)`, or any of the last left out.
template <class T, class... More>
class life_event : public event<T&, ref<T>, More...> {
    using all = event<T&, ref<T>, More...>;

public:
    using listener = typename all::listener;
    using all::connect;

    template <class F>
        requires(!std::is_invocable_v<const std::decay_t<F>&, T&, ref<T>, More...> &&
                 (std::is_invocable_v<const std::decay_t<F>&, T&, ref<T>> ||
                  std::is_invocable_v<const std::decay_t<F>&, T&> || std::is_invocable_v<const std::decay_t<F>&>))
    connection connect(F&& f) {
        using held = std::decay_t<F>;
        return all::connect([call = held(std::forward<F>(f))](T& object, ref<T> which, More...) {
            if constexpr (std::is_invocable_v<const held&, T&, ref<T>>) {
                call(object, which);
            } else if constexpr (std::is_invocable_v<const held&, T&>) {
                call(object);
            } else {
                call();
            }
        });
    }
};

}  // namespace lido
