// What a program hears of the lives of a class whose type it does not know: `world.finished("rock")` and `world.begun("rock")`. The
// listeners stand in one list with those that know the type, and all are called in the order in which they came.
#pragma once

#include <lido/core/config.hpp>
#include <lido/world/any_object.hpp>
#include <lido/world/end_reason.hpp>
#include <lido/world/event.hpp>
#include <lido/world/life_listeners.hpp>
#include <lido/world/ref.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace lido {

namespace world_detail {

/// `f` can be called with (object, reference, more…), or with any of the last left out.
template <class F, class Object, class... More>
concept hears_lives = std::is_invocable_v<F&, Object, any_ref, More...> || std::is_invocable_v<F&, Object, any_ref> ||
                      std::is_invocable_v<F&, Object> || std::is_invocable_v<F&>;

/// Calls it with as much as it takes.
template <class F, class Object, class... More>
void tell_as_much(F& f, Object object, any_ref which, More... more) {
    static_assert(hears_lives<F, Object, More...>,
                  "lido: where the type is not known, what is called takes (lido::any_object, lido::any_ref, reason), "
                  "or the first two, the first, or nothing; of a const world a lido::const_any_object");
    if constexpr (std::is_invocable_v<F&, Object, any_ref, More...>) {
        static_cast<void>(f(object, which, more...));
    } else if constexpr (std::is_invocable_v<F&, Object, any_ref>) {
        static_cast<void>(f(object, which));
    } else if constexpr (std::is_invocable_v<F&, Object>) {
        static_cast<void>(f(object));
    } else if constexpr (std::is_invocable_v<F&>) {
        static_cast<void>(f());
    }
}

/// Of one life: a listener of its end, or a call that waits.
template <class F>
[[nodiscard]] life_call untyped_call(F&& f) {
    return [call = std::decay_t<F>(std::forward<F>(f))](any_object object, any_ref which, end_reason why) {
        tell_as_much(call, object, which, why);
    };
}

}  // namespace world_detail

/// `connect(f)` with `f(object, reference, more…)`, or any of the last left out. Not copied: it is one of the class's, and who connects to
/// a copy would hear nothing. Written once for all classes: what knows the type (life_event.hpp) is the callables.
template <class... More>
class any_life_event {
    using told = event<any_object, any_ref, More...>;

public:
    using any_listener = typename told::listener;

    any_life_event() = default;
    any_life_event(const any_life_event&) = delete;
    any_life_event& operator=(const any_life_event&) = delete;

    template <class F>
    connection connect(F&& f) {
        if constexpr (std::is_same_v<std::decay_t<F>, any_listener>) {
            return told_.connect(f);
        } else {
            return told_.connect(
                [call = std::decay_t<F>(std::forward<F>(f))](any_object object, any_ref which, More... more) {
                    world_detail::tell_as_much(call, object, which, more...);
                });
        }
    }
    /// False when it has left before.
    bool disconnect(connection who) noexcept { return told_.disconnect(who); }
    void disconnect_all() noexcept { told_.disconnect_all(); }
    /// All who listen, those that know the type, too.
    [[nodiscard]] std::size_t size() const noexcept { return told_.size(); }
    [[nodiscard]] LIDO_INLINE bool empty() const noexcept { return told_.empty(); }

    /// Calls every listener, in the order they came. Throws: what one throws; those after it are not called.
    void fire(any_object object, any_ref which, More... more) { told_.fire(object, which, more...); }

private:
    told told_;
};

}  // namespace lido
