// What a spawn hands to the object it begins: any struct, or nothing, checked by type on arrival.
//
//   | type name | id | ops | 64 bytes, or a pointer to more |        no heap for structs of up to 64 bytes
//
// WP1. Without `ops_` it is empty and has no type.
// WP2. The value is inside the payload if `fits<P>`, else on the heap.
#pragma once

#include <lido/core/config.hpp>
#include <lido/core/meta/type_name.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

namespace lido {

/// Types are told apart by name (meta/type_name.hpp), which is the same in every shared library of a program.
class payload {
public:
    /// Bytes that need no heap. Spawn parameters of the games looked at are 8 to 48: a place, a direction, a team, a few scalars.
    static constexpr std::size_t inside = 64;

    template <class P>
    static constexpr bool fits =  // NOLINTNEXTLINE(misc-redundant-expression): not for every P
        sizeof(P) <= inside && alignof(P) <= alignof(std::max_align_t) && std::is_nothrow_move_constructible_v<P>;

    payload() noexcept : ops_(nullptr) {}

    /// Throws: what copying the value throws, and std::bad_alloc for one that does not fit.
    template <class P>
        requires(!std::same_as<std::remove_cvref_t<P>, payload>)
    payload(P&& value)  // NOLINT(bugprone-forwarding-reference-overload): constrained above
        : ops_(&ops_of<std::remove_cvref_t<P>>) {
        using held = std::remove_cvref_t<P>;
        if constexpr (fits<held>) {
            ::new (static_cast<void*>(room_)) held(std::forward<P>(value));
        } else {
            void* const more = new held(std::forward<P>(value));
            ::new (static_cast<void*>(room_)) void*(more);
        }
    }

    payload(payload&& other) noexcept : ops_(nullptr) { take(other); }
    payload& operator=(payload&& other) noexcept {
        if (this != &other) {
            reset();
            take(other);
        }
        return *this;
    }
    ~payload() { reset(); }

    [[nodiscard]] bool empty() const noexcept { return ops_ == nullptr; }
    [[nodiscard]] std::string_view type_name() const noexcept { return ops_ != nullptr ? ops_->name : "nothing"; }
    [[nodiscard]] std::uint64_t type_id() const noexcept { return ops_ != nullptr ? ops_->id : 0; }

    /// The value if it is a P, else null.
    template <class P>
    [[nodiscard]] const P* get() const noexcept {
        if (ops_ == nullptr || ops_->id != lido::type_id<P>() || ops_->name != lido::type_name<P>()) return nullptr;
        return static_cast<const P*>(ops_->address(room_));
    }

    /// To move it out. Empty is what is reset(), not what was moved from.
    template <class P>
    [[nodiscard]] P* get() noexcept {
        return const_cast<P*>(static_cast<const payload*>(this)->get<P>());
    }

    void reset() noexcept {
        if (ops_ == nullptr) return;
        std::exchange(ops_, nullptr)->end(room_);
    }

private:
    struct ops {
        std::string_view name;
        std::uint64_t id;
        const void* (*address)(const std::byte* room) noexcept;
        void (*move)(std::byte* to, std::byte* from) noexcept;  ///< nothing is left in `from`
        void (*end)(std::byte* room) noexcept;
    };

    template <class P>
    [[nodiscard]] static P* object(std::byte* room) noexcept {
        if constexpr (fits<P>) {
            return std::launder(reinterpret_cast<P*>(room));
        } else {
            return static_cast<P*>(*std::launder(reinterpret_cast<void**>(room)));
        }
    }

    template <class P>
    static constexpr ops ops_of{
        lido::type_name<P>(), lido::type_id<P>(),
        [](const std::byte* room) noexcept -> const void* { return object<P>(const_cast<std::byte*>(room)); },
        [](std::byte* to, std::byte* from) noexcept {
            if constexpr (fits<P>) {
                ::new (static_cast<void*>(to)) P(std::move(*object<P>(from)));
                std::destroy_at(object<P>(from));
            } else {
                ::new (static_cast<void*>(to)) void*(object<P>(from));
            }
        },
        [](std::byte* room) noexcept {
            if constexpr (fits<P>) {
                std::destroy_at(object<P>(room));
            } else {
                delete object<P>(room);
            }
        }};

    void take(payload& other) noexcept {
        if (other.ops_ == nullptr) return;
        other.ops_->move(room_, other.room_);
        ops_ = std::exchange(other.ops_, nullptr);
    }

    const ops* ops_;
    alignas(std::max_align_t) std::byte room_[inside];
};

}  // namespace lido
