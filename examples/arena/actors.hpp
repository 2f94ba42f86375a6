// What lives in the arena's world: classes that are spawned and return by themselves (S4). How many and for how long is in pools.toml.
#pragma once

#include "objects.hpp"

#include <lido/core.hpp>
#include <lido/world/pooled.hpp>
#include <lido/world/world.hpp>

#include <cstdint>
#include <type_traits>

namespace arena {

/// Where something is spawned. The world places its objects by this, in whole numbers, as everything here.
struct spot {
    fixed x = 0, y = 0;
};
using scene_world = lido::basic_world<spot>;

/// Flies straight until its engine is lit, then follows an enemy. Ends when it hits one, leaves the field or has no fuel: its lifetime.
struct missile {
    struct launch {
        fixed vx = 0, vy = 0;
        lido::handle<enemy> target{};
    };
    using payload_type = launch;

    fixed x = 0, y = 0, vx = 0, vy = 0;
    std::uint32_t lit = 0;
    lido::handle<enemy> target{};  // a stale handle means: fly straight on

    void place(const spot& at) noexcept { x = at.x, y = at.y; }
    void on_acquire(const launch& with) noexcept {
        vx = with.vx, vy = with.vy;
        lit = 0;
        target = with.target;
    }
};
inline constexpr lido::ticks missile_ignition{12};

/// What reaches the player's ears and eyes and cannot be taken back, counted and not played. No part of the state: a rollback takes back
/// what the game computed, not what was heard.
struct audience {
    std::uint64_t sounds_started = 0;
    std::uint64_t sounds_stopped = 0;
    std::uint64_t sounds_taken_back = 0;  ///< begun in a past that never was
    std::uint64_t explosions_over = 0;
    std::uint64_t themes_started = 0;  ///< of bosses
    std::uint64_t themes_ended = 0;    ///< with the life of their boss, or because that never was
};

/// An effect that plays for some ticks and then returns itself: it derives from lido::pooled, and nobody else ends it. What it holds of the
/// outside is let go when its end is certain, once, however often its last ticks are played again.
class explosion : public lido::pooled {
public:
    static constexpr auto release = lido::on_confirm;

    struct blast {
        std::uint32_t radius = 8;  // pixels: how large it is drawn
        std::uint32_t ticks = 16;
        audience* seen_by = nullptr;
    };
    using payload_type = blast;

    void place(const spot& at) noexcept { at_ = at; }
    void on_acquire(const blast& with) noexcept { with_ = with; }
    void on_release(lido::end_reason why) noexcept {
        if (with_.seen_by != nullptr && why != lido::end_reason::undone) ++with_.seen_by->explosions_over;
    }
    void set_in_use(bool in_use) noexcept {
        pooled::set_in_use(in_use);
        played_ = 0;
    }

    /// One tick of the effect. At its end this life ends.
    void play() noexcept {
        if (++played_ >= with_.ticks) return_to_pool();
    }

    [[nodiscard]] const spot& at() const noexcept { return at_; }
    [[nodiscard]] bool throws_ember() const noexcept { return played_ % 4 == 0; }

    /// Its fields cannot be found behind a base, so it says itself what its state is.
    void hash(lido::hasher& h) const noexcept {
        for (const fixed v : {at_.x, at_.y}) h.add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(v)));
        for (const std::uint32_t v : {with_.radius, with_.ticks, played_}) h.add(std::uint64_t{v});
    }

private:
    spot at_;
    blast with_;
    std::uint32_t played_ = 0;
};
static_assert(std::is_trivially_copyable_v<explosion>, "saved as bytes, without memory of its own");

/// What an explosion is heard by: a voice of the mixer, until its time is over.
class sound {
public:
    static constexpr auto release = lido::on_confirm;
    struct play {
        audience* heard_by = nullptr;
    };
    using payload_type = play;

    void on_acquire(const play& with) noexcept {
        heard_by_ = with.heard_by;
        if (heard_by_ != nullptr) ++heard_by_->sounds_started;
    }
    void on_release(lido::end_reason why) noexcept {
        if (heard_by_ == nullptr) return;
        ++(why == lido::end_reason::undone ? heard_by_->sounds_taken_back : heard_by_->sounds_stopped);
    }
    /// Only heard: nothing that the game computes.
    void hash(lido::hasher&) const noexcept {}

private:
    audience* heard_by_ = nullptr;
};

/// Glows for a while: far more of them than were made ahead, now and then.
struct ember {
    struct thrown {
        fixed vx = 0, vy = 0;
    };
    using payload_type = thrown;
    /// Never replaced and never refused for others: their pool keeps no ages and no headroom.
    static constexpr lido::options pool_options{};

    fixed x = 0, y = 0, vx = 0, vy = 0;

    void place(const spot& at) noexcept { x = at.x, y = at.y; }
    void on_acquire(const thrown& with) noexcept { vx = with.vx, vy = with.vy; }
};

struct damage_text {
    struct hit {
        std::int32_t value = 0;
    };
    using payload_type = hit;

    fixed x = 0, y = 0;
    std::int32_t value = 0;

    void place(const spot& at) noexcept { x = at.x, y = at.y; }
    void on_acquire(const hit& with) noexcept { value = with.value; }
};

}  // namespace arena
