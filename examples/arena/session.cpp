#include "session.hpp"

#include <algorithm>

namespace arena {

session::session(std::uint64_t seed, const lido::settings_table& pools, const pace& play)
    : pools_(pools), pace_(play), seed_(seed) {
    game_.emplace(seed, pools_, pace_, static_cast<std::uint32_t>(records));
    if (problem().empty()) begin();
}

void session::begin() {
    for (kept& k : kept_) k.state.clear();
    waiting_ = {};
    oldest_ = newest_ = at();
    checked_ = 0;
    exact_ = true;
    owed_ = 0;
    hash_ = game_->hash();
    record_of(at()) = {hash_, {}};
    keep();
}

void session::restart(std::uint64_t seed) {
    // The game before may have gone on for hours, and nobody keeps changes of entities that long.
    game_.emplace(seed, pools_, pace_, static_cast<std::uint32_t>(records));
    seed_ = seed;
    begin();
}

/// Without memory for it there is no snapshot, and seek() begins at the one before.
void session::keep() {
    kept& k = kept_of(at());
    k.tick = at();
    static_cast<void>(game_->save_to(k.state));
}

void session::compare(std::uint64_t hash) {
    ++checked_;
    exact_ = exact_ && hash_ == hash;
}

void session::play() {
    const std::uint64_t tick = at() + 1;
    const bool again = tick <= newest_;
    record& r = record_of(tick);
    if (!again) r.given = waiting_;
    waiting_ = {};
    for (std::size_t kind = 0; kind < crowd_kinds; ++kind) {
        for (std::uint8_t i = 0; i < r.given[kind]; ++i) game_->overload(static_cast<crowd>(kind));
    }
    game_->step();
    hash_ = game_->hash();
    if (again) {
        compare(r.hash);
    } else {
        r.hash = hash_;
        newest_ = tick;
        if (newest_ - oldest_ > reach) oldest_ = newest_ - reach;
    }
    if (tick % snapshot_every == 0) keep();
}

bool session::seek(std::uint64_t tick) {
    if (tick < oldest_ || tick > newest_) return false;
    const std::uint64_t first = oldest_ - oldest_ % snapshot_every;
    for (std::uint64_t from = tick - tick % snapshot_every;; from -= snapshot_every) {
        const kept& k = kept_of(from);
        if (k.state && k.tick == from && game_->restore_from(k.state)) break;
        if (from == first) return false;
    }
    waiting_ = {};
    owed_ = 0;
    hash_ = game_->hash();
    compare(record_of(at()).hash);
    while (at() < tick) play();
    return true;
}

void session::burst(crowd what) {
    newest_ = at();
    std::uint8_t& count = waiting_[static_cast<std::size_t>(what)];
    if (count < 8) ++count;  // more is no more of an overload, only slower
}

bool session::set_speed(unsigned quarters) noexcept {
    constexpr std::array<unsigned, 6> speeds{1, 2, 4, 8, 16, 32};
    if (std::find(speeds.begin(), speeds.end(), quarters) == speeds.end()) return false;
    speed_ = quarters;
    return true;
}

unsigned session::due() noexcept {
    if (paused_) return 0;
    owed_ += speed_;
    const unsigned ticks = owed_ / 4;
    owed_ %= 4;
    return ticks;
}

std::size_t session::bytes() const noexcept {
    std::size_t sum = 0;
    for (const kept& k : kept_) sum += k.state.bytes();
    return sum;
}

}  // namespace arena
