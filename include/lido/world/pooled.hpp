// pooled: a base for objects of a world that collide, are seen and tick while they are in use, and return themselves.
#pragma once

#include <lido/core/checks/place.hpp>
#include <lido/core/config.hpp>
#include <lido/world/life.hpp>

namespace lido {

/// Hooks are found by name, without virtual functions: a class that has its own set_in_use calls its parent's first.
///
///     struct explosion : lido::pooled {
///         void set_in_use(bool in_use) {
///             pooled::set_in_use(in_use);
///             effect.play(in_use);
///         }
///     };
///
/// A class that derives from it is hashed and written by functions of its own: the fields of a class with a base cannot be found.
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

    /// Ends this life, as its timer or its world would. False when it has ended already.
    LIDO_ENTRY bool return_to_pool() const noexcept {
        [[maybe_unused]] const blame them(place_of_caller(LIDO_CALLER));
        return life_.end();
    }

    /// The same, and this object is destroyed instead of being kept for another life. From inside one of its own hooks it goes when that
    /// has come back; otherwise `this` is gone when it returns.
    LIDO_ENTRY bool destroy() const noexcept {
        [[maybe_unused]] const blame them(place_of_caller(LIDO_CALLER));
        return life(life_).destroy();
    }

    /// What to refer to this life by.
    [[nodiscard]] any_ref self() const noexcept { return life_.reference(); }

    /// Called by the world as a life begins, and when one comes from a snapshot of another world.
    void set_life(life mine) noexcept { life_ = mine; }

private:
    life life_;
    bool in_use_ = false;
    bool collides_ = false;
    bool visible_ = false;
    bool ticks_ = false;
};

}  // namespace lido
