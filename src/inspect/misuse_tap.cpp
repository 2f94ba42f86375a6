#include "misuse_tap.hpp"

#include <lido/core/misuse.hpp>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <mutex>

namespace lido::inspect {

namespace {

struct tap_state {
    std::mutex mutex;
    bool taken = false;
    bool open = false;  ///< somebody reads the notes
    std::array<misuse_note, 64> ring;
    std::size_t first = 0;
    std::size_t size = 0;
    std::atomic<bool> any{false};
    std::atomic<misuse_handler> before{nullptr};
};

/// Never destroyed: a pool that is a global may report after main().
[[nodiscard]] tap_state& state() {
    static tap_state* const s = new tap_state;
    return *s;
}

[[nodiscard]] std::uint64_t add_text(std::uint64_t hash, const char* text) noexcept {
    for (; *text != '\0'; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
    return (hash ^ 0xff) * 0x100000001b3u;  // "a" and "b" are not "ab" and ""
}

[[nodiscard]] std::uint64_t cause_of(const misuse& m) noexcept {
    return add_text(add_text(add_text(0xcbf29ce484222325u, m.pool), to_string(m)), m.what) ^ m.used.bits();
}

void keep(tap_state& s, const misuse& m) noexcept {
    const std::uint64_t cause = cause_of(m);
    const std::lock_guard lock(s.mutex);
    if (!s.open) return;
    std::size_t i = 0;
    while (i < s.size && s.ring[(s.first + i) % s.ring.size()].cause != cause) ++i;
    const bool known = i < s.size;
    if (!known) {
        // A full ring loses the oldest.
        if (s.size == s.ring.size()) {
            s.first = (s.first + 1) % s.ring.size();
            --s.size;
        }
        i = s.size++;
    }
    misuse_note& n = s.ring[(s.first + i) % s.ring.size()];
    n.cause = cause;
    std::snprintf(n.pool.data(), n.pool.size(), "%s", m.pool);
    if (m.story[0] != '\0') {
        std::snprintf(n.text.data(), n.text.size(), "%s: %s", m.pool, m.story);
    } else if (m.names_slot) {
        std::snprintf(n.text.data(), n.text.size(), "%s: %s: %s (slot %lu, handle generation %lu, slot generation %lu)",
                      m.pool, to_string(m), m.what, static_cast<unsigned long>(m.slot),
                      static_cast<unsigned long>(m.generation), static_cast<unsigned long>(m.slot_generation));
    } else {
        std::snprintf(n.text.data(), n.text.size(), "%s: %s: %s", m.pool, to_string(m), m.what);
    }
    // With a story a report says how often this has come so far; without, each one is told.
    n.so_far = m.story[0] != '\0';
    n.count = known && !n.so_far ? n.count + m.count : m.count;
    s.any.store(true, std::memory_order_relaxed);
}

void tapped(const misuse& m) {
    tap_state& s = state();
    keep(s, m);
    const misuse_handler before = s.before.load(std::memory_order_acquire);
    if (before != nullptr) before(m);
}

}  // namespace

misuse_tap::misuse_tap() {
    tap_state& s = state();
    {
        const std::lock_guard lock(s.mutex);
        if (s.taken) return;
        s.taken = true;
        s.open = true;
        s.first = 0;
        s.size = 0;
    }
    owner_ = true;
    // What comes between the two lines is kept and not passed on: set `before` first to what it is about to be.
    s.before.store(current_misuse_handler(), std::memory_order_release);
    const misuse_handler before = set_misuse_handler(&tapped);
    if (before != &tapped) s.before.store(before, std::memory_order_release);
}

misuse_tap::~misuse_tap() {
    if (!owner_) return;
    tap_state& s = state();
    const misuse_handler was = set_misuse_handler(s.before.load(std::memory_order_acquire));
    // Somebody chained behind us and will call us on: theirs stays, and passes through here to the one from before.
    if (was != &tapped) set_misuse_handler(was);
    const std::lock_guard lock(s.mutex);
    s.open = false;
    // While a foreign handler may still call tapped(), nobody may take the tap: `before` must stay.
    s.taken = was != &tapped;
}

void misuse_tap::drain(std::vector<misuse_note>& out) {
    if (!owner_) return;
    tap_state& s = state();
    if (!s.any.load(std::memory_order_relaxed)) return;
    const std::unique_lock lock(s.mutex, std::try_to_lock);
    if (!lock) return;
    for (; s.size != 0; --s.size) {
        out.push_back(s.ring[s.first]);
        s.first = (s.first + 1) % s.ring.size();
    }
    s.any.store(false, std::memory_order_relaxed);
}

}  // namespace lido::inspect
