// How a life begins: where, and with what.
#pragma once

#include <lido/world/hooks.hpp>

#include <type_traits>

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

}  // namespace lido::world_detail
