// pooled: a base for objects of a world that collide, are seen and tick while they are in use.
#pragma once

#include <concepts>
#include <utility>

namespace lido {

/// Hooks are found by name, without virtual functions: a class that has its own set_in_use calls its parent's first.
///
///     struct explosion : lido::pooled {
///         void set_in_use(bool in_use) {
///             pooled::set_in_use(in_use);
///             effect.play(in_use);
///         }
///     };
class pooled {
public:
    [[nodiscard]] bool in_use() const noexcept { return in_use_; }
    [[nodiscard]] bool collides() const noexcept { return collides_; }
    [[nodiscard]] bool visible() const noexcept { return visible_; }
    [[nodiscard]] bool ticks() const noexcept { return ticks_; }

    void set_collides(bool on) noexcept { collides_ = on; }
    void set_visible(bool on) noexcept { visible_ = on; }
    void set_ticks(bool on) noexcept { ticks_ = on; }

    void set_in_use(bool in_use) noexcept { in_use_ = collides_ = visible_ = ticks_ = in_use; }

private:
    bool in_use_ = false;
    bool collides_ = false;
    bool visible_ = false;
    bool ticks_ = false;
};

namespace detail {

template <class T>
concept has_set_in_use = requires(T& object) { object.set_in_use(true); };

/// T says which struct it takes: `using payload_type = blast;`.
template <class T>
concept names_payload = requires { typename T::payload_type; };

}  // namespace detail
}  // namespace lido
