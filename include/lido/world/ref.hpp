// References to objects of a world: which class, and which life of which object. Good for ever: one whose life has ended finds
// nothing and does nothing.
#pragma once

#include <lido/core/handle.hpp>

#include <compare>
#include <cstdint>
#include <functional>

namespace lido {

namespace world_detail {
template <class T>
struct world_record;
}

/// The number of a class in its world. Numbers are given in the order in which classes were added, and not again.
using class_number = std::uint32_t;

template <class T>
class ref;

/// A reference that does not say of what type. Zero is null.
class any_ref {
public:
    constexpr any_ref() noexcept = default;
    constexpr any_ref(class_number of, std::uint64_t life) noexcept : life_(life), class_(of) {}

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return life_ != 0; }
    [[nodiscard]] constexpr class_number class_of() const noexcept { return class_; }
    [[nodiscard]] constexpr std::uint64_t life() const noexcept { return life_; }

    /// So that objects which hold references have a state hash.
    template <class Hasher>
    constexpr void hash(Hasher& h) const noexcept {
        h.add(life_).add(std::uint64_t{class_});
    }

    friend constexpr bool operator==(any_ref a, any_ref b) noexcept {
        return a.life_ == b.life_ && a.class_ == b.class_;
    }
    friend constexpr std::strong_ordering operator<=>(any_ref a, any_ref b) noexcept {
        return a.life_ != b.life_ ? a.life_ <=> b.life_ : a.class_ <=> b.class_;
    }

private:
    std::uint64_t life_ = 0;
    class_number class_ = 0;
    [[maybe_unused]] std::uint32_t zero_ = 0;  ///< no padding: objects that hold references are written as their bytes
};

/// The same for a T, which may be incomplete: objects can refer to others of their kind.
template <class T>
class ref {
public:
    using handle_type = handle<world_detail::world_record<T>>;

    constexpr ref() noexcept = default;
    constexpr ref(class_number of, handle_type life) noexcept : life_(life.to_bits()), class_(of) {}

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return life_ != 0; }
    [[nodiscard]] constexpr operator any_ref() const noexcept { return {class_, life_}; }
    [[nodiscard]] constexpr class_number class_of() const noexcept { return class_; }
    [[nodiscard]] constexpr handle_type life() const noexcept { return handle_type::from_bits(life_); }

    /// So that objects which hold references have a state hash.
    template <class Hasher>
    constexpr void hash(Hasher& h) const noexcept {
        h.add(life_).add(std::uint64_t{class_});
    }

    friend constexpr bool operator==(ref a, ref b) noexcept { return any_ref(a) == any_ref(b); }
    friend constexpr std::strong_ordering operator<=>(ref a, ref b) noexcept { return any_ref(a) <=> any_ref(b); }

private:
    // Bits and no handle: to compare handles, compilers look into the record of a T that need not be complete yet.
    std::uint64_t life_ = 0;
    class_number class_ = 0;
    [[maybe_unused]] std::uint32_t zero_ = 0;  ///< as in any_ref
};

}  // namespace lido

template <>
struct std::hash<lido::any_ref> {
    [[nodiscard]] std::size_t operator()(lido::any_ref r) const noexcept {
        return std::hash<std::uint64_t>{}(r.life() * 0x9e3779b97f4a7c15u + r.class_of());
    }
};

template <class T>
struct std::hash<lido::ref<T>> {
    [[nodiscard]] std::size_t operator()(lido::ref<T> r) const noexcept { return std::hash<lido::any_ref>{}(r); }
};
