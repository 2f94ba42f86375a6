// Does an object of a class begin its next life as a fresh one would? In builds with forensics one is made beside the world, and begins
// the same life: the hooks that set the object up are called for it, too. The fields that differ then have leaked from the last life.
//
// Meanwhile the world is closed: what the fresh object's hooks ask of it is refused. The two may differ for that alone, so nothing is
// reported then, and the class is not checked again.
//
// Compared are classes whose fields can be told apart (structs without bases or private members) and that have something to reset with:
// on_acquire, set_in_use or on_release.
#pragma once

#include <lido/core/delegate.hpp>
#include <lido/world/class_table.hpp>
#include <lido/world/hooks.hpp>
#include <lido/world/world_class.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace lido::world_detail {

/// What a reset could be forgotten in.
template <class T>
concept resets = begins_alone<T> || names_payload<T> || opens_payloads<T> || has_set_in_use<T> || ends_by_hook<T>;

/// The world is closed while it lives.
class reset_trial {
public:
    explicit reset_trial(world_shared& shared) noexcept : shared_(shared), classes_(shared.classes->size()) {
        shared_.trial = true;
        shared_.asked = false;
        switch_all(false);
    }
    reset_trial(const reset_trial&) = delete;
    reset_trial& operator=(const reset_trial&) = delete;
    ~reset_trial() {
        switch_all(true);
        shared_.trial = false;
    }

    /// Something was asked of the world.
    [[nodiscard]] bool asked() const noexcept { return shared_.asked; }

private:
    void switch_all(bool on) noexcept {
        for (class_number n = 0; n < classes_; ++n) {
            if (world_class* const c = shared_.classes->by_number(n)) c->set_in_trial(!on);
        }
    }

    world_shared& shared_;
    class_number classes_;  ///< a hook may add more
};

/// A fresh object, outside of every pool. Large ones are not on the stack.
template <class T>
class fresh_object {
    static constexpr bool is_large = sizeof(T) > 4096;
    struct room {
        alignas(T) std::byte bytes[sizeof(T)];
    };

public:
    explicit fresh_object(const delegate<T()>& make) {
        if constexpr (is_large) room_.reset(new room);
        void* place = nullptr;
        if constexpr (is_large) {
            place = room_->bytes;
        } else {
            place = room_.bytes;
        }
        if constexpr (std::default_initializable<T>) {
            object_ = make ? ::new (place) T(make()) : ::new (place) T{};
        } else {
            object_ = ::new (place) T(make());
        }
    }
    fresh_object(const fresh_object&) = delete;
    fresh_object& operator=(const fresh_object&) = delete;
    ~fresh_object() { std::destroy_at(object_); }

    [[nodiscard]] T& operator*() noexcept { return *object_; }

private:
    std::conditional_t<is_large, std::unique_ptr<room>, room> room_;
    T* object_ = nullptr;
};

}  // namespace lido::world_detail
