// The lifecycle of a pooled object, one machine for every layer above core.
//
//              begin              end                  rest
//     idle ----------> active ----------> releasing ----------> idle
//      |                                      |
//      +-------------- destroy ---------------+------> destroying ----> gone
//
// C1. An object is given to a newcomer only when idle, and is idle only when none of its hooks is on the stack: an object that
//     returns itself from inside a hook is releasing until that hook has come back.
#pragma once

#include <lido/core/config.hpp>

#include <cstdint>

namespace lido {

enum class life_state : std::uint8_t {
    idle,        ///< waits for its next life
    active,      ///< lives
    releasing,   ///< its life has ended; hooks and listeners are being told
    destroying,  ///< there will be no next life
};

[[nodiscard]] constexpr const char* to_string(life_state s) noexcept {
    switch (s) {
        case life_state::idle: return "idle";
        case life_state::active: return "active";
        case life_state::releasing: return "releasing";
        case life_state::destroying: return "destroying";
    }
    return "unknown";
}

class lifecycle {
public:
    [[nodiscard]] constexpr life_state state() const noexcept { return state_; }
    [[nodiscard]] constexpr bool active() const noexcept { return state_ == life_state::active; }

    void begin() noexcept {
        LIDO_ASSERT(state_ == life_state::idle && hooks_ == 0, "lifecycle: only an idle object begins a life");
        state_ = life_state::active;
    }

    /// True for who ends it; false when it has been ended before.
    [[nodiscard]] bool end() noexcept {
        if (state_ != life_state::active) return false;
        state_ = life_state::releasing;
        return true;
    }

    void rest() noexcept {
        LIDO_ASSERT(state_ == life_state::releasing && hooks_ == 0, "lifecycle: only what is releasing comes to rest");
        state_ = life_state::idle;
    }

    void destroy() noexcept {
        LIDO_ASSERT(state_ != life_state::active && hooks_ == 0, "lifecycle: an active object was destroyed");
        state_ = life_state::destroying;
    }

    /// The life never was: a rewind has undone it, or a hook threw as it began.
    void undo() noexcept {
        state_ = life_state::idle;
        hooks_ = 0;
    }

    /// A hook of the object is on the stack from here to the matching left().
    void entered() noexcept { ++hooks_; }
    void left() noexcept { --hooks_; }
    [[nodiscard]] constexpr bool in_hook() const noexcept { return hooks_ != 0; }

private:
    life_state state_ = life_state::idle;
    std::uint16_t hooks_ = 0;
};

}  // namespace lido
