// The lifecycle of a pooled object, one machine for every layer above core.
//
//              begin              end                  rest
//     idle ----------> active ----------> releasing ----------> idle
//      |                 ^                    |  |                ^
//      |                 +---- waiting <------+  |                |     a class that releases on confirm: a restore brings the life
//      |                          +--------------|----------------+     back, or its end is certain (confirmed.hpp)
//      +-------------- destroy ------------------+---> destroying ----> gone
//
// WL1. An object is given to a newcomer only when idle, and is idle only when none of its hooks is on the stack: an object that
//      returns itself from inside a hook is releasing until that hook has come back.
#pragma once

#include <lido/core/config.hpp>
#include <lido/world/end_reason.hpp>

#include <cstdint>

namespace lido {

enum class life_state : std::uint8_t {
    idle,        ///< waits for its next life
    active,      ///< lives
    releasing,   ///< its life has ended; hooks and listeners are being told
    destroying,  ///< there will be no next life
    waiting,     ///< its life has ended; on_release waits until that is certain
};

[[nodiscard]] constexpr const char* to_string(life_state s) noexcept {
    switch (s) {
        case life_state::idle: return "idle";
        case life_state::active: return "active";
        case life_state::releasing: return "releasing";
        case life_state::destroying: return "destroying";
        case life_state::waiting: return "waiting";
    }
    return "unknown";
}

class lifecycle {
public:
    [[nodiscard]] constexpr life_state state() const noexcept { return static_cast<life_state>(bits_ & state_bits); }
    [[nodiscard]] constexpr bool active() const noexcept { return state() == life_state::active; }
    /// Active, and none of its hooks is on the stack.
    [[nodiscard]] constexpr bool active_and_quiet() const noexcept { return bits_ == of(life_state::active); }

    void begin() noexcept {
        LIDO_ASSERT(bits_ == of(life_state::idle), "lifecycle: only an idle object begins a life");
        bits_ = of(life_state::active);
    }

    /// True for the caller that ends it; false when it has been ended before.
    [[nodiscard]] bool end(end_reason why = end_reason::itself) noexcept {
        if (!active()) return false;
        bits_ += of(life_state::releasing) - of(life_state::active) + static_cast<std::uint32_t>(why) * one_reason;
        return true;
    }
    /// Pre: it is releasing, or waits.
    [[nodiscard]] constexpr end_reason why_ended() const noexcept {
        return static_cast<end_reason>(bits_ / one_reason % (one_hook / one_reason));
    }

    void rest() noexcept {
        LIDO_ASSERT(state() == life_state::releasing && !in_hook(), "lifecycle: only what is releasing comes to rest");
        bits_ = of(life_state::idle);
    }

    /// The end is not certain. why_ended() stays.
    void wait() noexcept {
        LIDO_ASSERT(state() == life_state::releasing && !in_hook(), "lifecycle: only what is releasing may wait");
        bits_ += of(life_state::waiting) - of(life_state::releasing);
    }
    /// Now it is.
    void let_go() noexcept {
        LIDO_ASSERT(state() == life_state::waiting, "lifecycle: only what waits is let go");
        bits_ = of(life_state::idle);
    }

    void destroy() noexcept {
        LIDO_ASSERT(!active() && !in_hook(), "lifecycle: an active object was destroyed");
        bits_ = of(life_state::destroying);
    }

    /// The life never was: a rewind has undone it, or a hook threw as it began.
    void undo() noexcept { bits_ = of(life_state::idle); }

    /// A hook of the object is on the stack from here to the matching left().
    void entered() noexcept { bits_ += one_hook; }
    void left() noexcept { bits_ -= one_hook; }
    [[nodiscard]] constexpr bool in_hook() const noexcept { return bits_ >= one_hook; }

private:
    // One word for all, so that the beginning of a life is one store:  | hooks on the stack | why it ended, 8 | state, 8 |
    static constexpr std::uint32_t state_bits = 0xff;
    static constexpr std::uint32_t one_reason = 0x100;
    static constexpr std::uint32_t one_hook = 0x10000;
    [[nodiscard]] static constexpr std::uint32_t of(life_state s) noexcept { return static_cast<std::uint32_t>(s); }

    std::uint32_t bits_ = of(life_state::idle);
};

}  // namespace lido
