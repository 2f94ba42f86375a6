// What a program hears of the lives of a class: `finished` and `begun`. Who listens takes as much of it as it wants.
#pragma once

#include <lido/world/any_life_event.hpp>
#include <lido/world/any_object.hpp>
#include <lido/world/end_reason.hpp>
#include <lido/world/event.hpp>
#include <lido/world/ref.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace lido {

/// `connect(f)` with `f(object, reference, more…)`, or any of the last left out. Not copied: it is one of the class's, and who connects to
/// a copy would hear nothing.
template <class T, class... More>
class life_event : public event<T&, ref<T>, More...>, public any_life_event<More...> {
    using all = event<T&, ref<T>, More...>;
    using untyped = any_life_event<More...>;

public:
    using listener = typename all::listener;
    using all::connect;
    using all::empty;
    using all::size;

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

    /// False when it has left before.
    bool disconnect(connection who) noexcept {
        std::erase_if(of_any_, [who](const auto& kept) { return kept->who == who; });
        return all::disconnect(who);
    }
    void disconnect_all() noexcept {
        of_any_.clear();
        all::disconnect_all();
    }

private:
    /// A listener that does not know the type. In the list stands a pointer to it, because two delegates of one size do not fit into
    /// each other.
    struct kept_listener {
        typename untyped::any_listener call;
        connection who;
    };

    connection connect_any(const typename untyped::any_listener& call) override {
        of_any_.push_back(std::make_unique<kept_listener>(kept_listener{call, {}}));
        LIDO_TRY {
            return of_any_.back()->who =
                       all::connect([kept = of_any_.back().get()](T& object, ref<T> which, More... more) {
                           const auto told = kept->call;  // a copy: it may disconnect itself
                           told(any_object::of(object), which, more...);
                       });
        }
        LIDO_CATCH_ALL {
            of_any_.pop_back();
            LIDO_RETHROW;
        }
        return {};
    }
    bool disconnect_any(connection who) noexcept override { return disconnect(who); }
    [[nodiscard]] std::size_t count() const noexcept override { return all::size(); }

    std::vector<std::unique_ptr<kept_listener>> of_any_;
};

}  // namespace lido
