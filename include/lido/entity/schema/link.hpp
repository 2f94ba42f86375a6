// A field that names another entity. In memory it is 64 bits, which belong to the stage of its object: zero is null, all else only
// the stage can read. Where the object leaves the stage the bits mean nothing, so they are exchanged on the way: in a store a link
// is the id and the generation of its entity, on the wire the receiver's number of it.
#pragma once

#include <lido/core/meta/hash.hpp>

#include <compare>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>

namespace lido {

/// Pre: none; T may be incomplete, so that an entity can link to its own kind.
template <class T>
class link {
public:
    using target_type = T;

    constexpr link() noexcept = default;

    [[nodiscard]] static constexpr link from_bits(std::uint64_t bits) noexcept {
        link made;
        made.bits_ = bits;
        return made;
    }
    [[nodiscard]] constexpr std::uint64_t to_bits() const noexcept { return bits_; }

    /// False for null only. Whether the entity lives is the stage's to say.
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return bits_ != 0; }

    constexpr void hash(hasher& h) const { h.add(bits_); }

    friend constexpr auto operator<=>(link, link) noexcept = default;

private:
    std::uint64_t bits_ = 0;
};
static_assert(sizeof(link<int>) == 8 && std::is_trivially_copyable_v<link<int>>);

/// The same, for programs that say `using namespace lido`: <unistd.h> declares a function `link`.
template <class T>
using entity_link = link<T>;

/// What a link is outside of its stage.
struct link_name {
    std::string_view id;  ///< empty: null
    std::uint64_t generation = 0;
};

/// Exchanges the bits of links for names, and back, while objects are encoded and decoded. The stage has one.
class link_names {
public:
    /// False where the bits name nothing that this stage knows; the link is then written as null.
    [[nodiscard]] virtual bool name_of(std::uint64_t bits, link_name& name) const noexcept = 0;
    /// False where the name cannot be taken over, which refuses what is being decoded.
    [[nodiscard]] virtual bool find(const link_name& name, std::uint64_t& bits) noexcept = 0;

protected:
    ~link_names() = default;
};

}  // namespace lido

template <class T>
struct std::hash<lido::link<T>> {
    [[nodiscard]] std::size_t operator()(lido::link<T> l) const noexcept {
        return std::hash<std::uint64_t>{}(l.to_bits());
    }
};
