// pooled: a base for objects of a world that collide, are seen and tick while they are in use, and return themselves.
#pragma once

#include <lido/core/checks/place.hpp>
#include <lido/core/config.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/world/life.hpp>

#include <cstdint>

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

    /// For a class's own `save` and `load` for images: they call these first. Its life is no part of it, the world tells it anew.
    void save_pooled(image_writer& w) const {
        w.put(
            static_cast<std::uint8_t>((in_use_ ? 1 : 0) | (collides_ ? 2 : 0) | (visible_ ? 4 : 0) | (ticks_ ? 8 : 0)));
    }
    [[nodiscard]] bool load_pooled(image_reader& r) noexcept {
        const auto bits = r.take<std::uint8_t>();
        in_use_ = (bits & 1) != 0;
        collides_ = (bits & 2) != 0;
        visible_ = (bits & 4) != 0;
        ticks_ = (bits & 8) != 0;
        return r.ok() && bits < 16;
    }

    /// Called by the world as a life begins, and when one comes from an image, or a snapshot of another world.
    void set_life(life mine) noexcept { life_ = mine; }

private:
    life life_;
    bool in_use_ = false;
    bool collides_ = false;
    bool visible_ = false;
    bool ticks_ = false;
};

}  // namespace lido
