// What a bytemap_pool looks at before anything is built: the class that is to live in it, its settings, the number of its slots.
#pragma once

#include <lido/core/base/options.hpp>
#include <lido/core/base/slot_count.hpp>
#include <lido/core/checks/misuse.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace lido::detail {

struct bytemap_checks {
    /// An object of Derived in a slot of a pool of Base.
    template <class Derived, class Base, std::size_t SlotBytes, std::size_t Alignment>
    static consteval void require_fit() {
        static_assert(std::is_same_v<Derived, Base> || std::derived_from<Derived, Base>,
                      "lido: a bytemap_pool holds its base class and classes derived from it");
        static_assert(sizeof(Derived) <= SlotBytes,
                      "lido: this class is larger than the pool's slots: make SlotBytes the size of the largest class "
                      "that shall live in it");
        static_assert(alignof(Derived) <= Alignment,
                      "lido: this class is aligned more strictly than the pool's slots: make SlotBytes a multiple of "
                      "its alignment");
        static_assert(std::is_same_v<Derived, Base> || std::has_virtual_destructor_v<Base>,
                      "lido: objects of derived classes are ended through their base: give the base class a virtual "
                      "destructor");
        static_assert(std::is_nothrow_destructible_v<Derived>,
                      "lido: the element's destructor must not throw, or a release could leave a slot half ended");
    }

    /// Settings that this shape does not know are told once, here, and then not there.
    template <class Settings>
    [[nodiscard]] static Settings only_rejects(Settings settings) noexcept {
        if (settings.on_full != on_full::reject) {
            tell(settings.name, "a bytemap_pool can only reject when it is full, and does");
            settings.on_full = on_full::reject;
        }
        if (settings.headroom.priority != 0) {
            tell(settings.name, "a bytemap_pool serves all priorities alike: it keeps no headroom");
        }
        settings.headroom = {};
        if (settings.kind_caps != decltype(settings.kind_caps){}) {
            tell(settings.name, "a bytemap_pool serves all kinds alike: kind_caps are not kept");
            settings.kind_caps = {};
        }
        return settings;
    }

    /// Whether a pool can have so many slots; told when not.
    [[nodiscard]] static bool can_have(slot_count slots, std::size_t most, const char* pool) noexcept {
        if (slots.sensible() && slots.slots() >= 1 && slots.slots() <= most) return true;
        tell(pool, slots.sensible() && slots.slots() != 0
                       ? "the handles of a bytemap_pool name at most 2^23 slots; it has none now"
                       : "a bytemap_pool has at least one slot, and no more than a pool can have; it has none now");
        return false;
    }

private:
    static void tell(const char* pool, const char* what) noexcept {
        report_misuse({.kind = misuse_kind::bad_setting, .pool = pool, .what = what});
    }
};

}  // namespace lido::detail
