// Ends that wait until they are certain, for games that predict and roll back.
//
//   struct explosion {
//       static constexpr auto release = lido::on_confirm;
//       void on_release() noexcept { sound.stop(); }
//   };
//   lido::world world{lido::role::client, {.rollback = 8}};
//
//   tick        10          11          12                13 …            18
//   the life    ended       waits       waits             on_release      its slot may be used again
//                             \                           ^
//                              restore to 9: it lives,    confirm(10)
//                              the same object
//
// A life of such a class ends like any other: nobody finds it, set_in_use(false) and the listeners of its end are called. Only
// on_release, the destructor and the next use of the object wait, until confirm() says that no rollback will reach that tick, or until the
// rollback window has passed. A rollback before that brings back the same reference and the same object.
//
// When a slot may be used again depends on the tick alone, never on when confirm() was called: so two machines that confirm at different
// times give the same references.
#pragma once

#include <lido/world/ref.hpp>

#include <cstdint>
#include <type_traits>

namespace lido {

/// When on_release of a class runs: at the end of the life, or when that end is certain.
enum class release_time : std::uint8_t { at_the_end, on_confirm };

/// For `static constexpr auto release = lido::on_confirm;` in a class.
inline constexpr release_time on_confirm = release_time::on_confirm;

/// What a world is told when it is made.
struct world_settings {
    /// How many ticks a game may roll back: so long the slots of ended lives wait in classes that release on confirm.
    std::uint32_t rollback = 0;
};

/// Which birth a life is: the same reference with another key is another birth, which a replay has given the same place. Kept by classes
/// that release on confirm. Zero for all others.
struct spawn_key {
    std::uint64_t tick = 0;
    any_ref spawner = {};       ///< who was acting (world.acting, or whose waiting call it was); null: the game itself
    std::uint32_t ordinal = 0;  ///< 1 for its first of that class in that tick

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return ordinal != 0; }
    friend constexpr bool operator==(const spawn_key&, const spawn_key&) noexcept = default;
};

namespace world_detail {

template <class T>
concept names_release_time =
    requires { requires std::is_same_v<std::remove_cv_t<decltype(T::release)>, release_time>; };

template <class T>
[[nodiscard]] consteval bool waits_for_confirm() noexcept {
    if constexpr (names_release_time<T>) {
        return T::release == release_time::on_confirm;
    } else {
        return false;
    }
}

}  // namespace world_detail
}  // namespace lido
