// An object that a snapshot cannot copy, in a class whose ends wait: the snapshot remembers that it was there, and a restore leaves it where
// and as it is.
//
//   in its place     | object                 | there: yes |
//   in a snapshot    | (nothing)              | there: no  |
#pragma once

#include <lido/core/config.hpp>
#include <lido/core/delegate.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace lido::world_detail {

/// KO1. `object` exists exactly while there() says so. In a pool it always does: a restore that would need the object of a life that is
///      gone is refused before it begins.
template <class T>
struct kept_object {
    union {
        T object;
    };

    kept_object() noexcept(std::is_nothrow_default_constructible_v<T>)
        requires std::is_default_constructible_v<T>
        : object(), there_(true) {}
    explicit kept_object(const delegate<T()>& make) : object(make()), there_(true) {}

    /// What a snapshot makes.
    kept_object(const kept_object&) noexcept : there_(false) {}
    /// What a restore moves is what a snapshot made. An object in its place moves only where it can, and never of itself.
    kept_object(kept_object&& from) noexcept : there_(from.there_) {
        if (!there_) return;
        if constexpr (std::is_nothrow_move_constructible_v<T>) {
            std::construct_at(std::addressof(object), std::move(from.object));
        } else {
            there_ = false;
            LIDO_VERIFY(false, "an object that can neither be copied nor moved without throwing was to be moved");
        }
    }
    kept_object& operator=(const kept_object&) = delete;
    /// From a snapshot: the object stays.
    kept_object& operator=(kept_object&& from) noexcept {
        static_cast<void>(from);
        return *this;
    }
    ~kept_object() {
        if (there_) std::destroy_at(std::addressof(object));
    }

    [[nodiscard]] bool there() const noexcept { return there_; }

private:
    bool there_;
};

}  // namespace lido::world_detail
