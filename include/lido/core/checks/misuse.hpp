// What a pool does when it is misused or refused memory: it counts, tells one replaceable handler, and stays intact.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/checks/place.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace lido {

/// What went wrong. The list is open: a layer above core adds kinds of its own, with numbers from first_of_layers on, and names them in
/// its reports (misuse::kind_name).
enum class misuse_kind : std::uint8_t {
    stale_release,   ///< the handle's life ended earlier and the slot has lived since
    double_release,  ///< the handle's life was the slot's last one, and it has been released already
    wild_handle,     ///< the handle never came from this pool
    foreign_object,  ///< the object is not a live element of this pool
    reentrant_call,  ///< an eviction callback asked the pool that called it for an object
    bad_setting,     ///< a setting that this pool type or storage cannot honour; `what` says what was done instead
    no_memory,       ///< the storage could not get the memory the pool was asked to have
    stale_get,       ///< with forensics: get() was asked for a life that has ended
    wrong_pool,      ///< with forensics: the handle is of another pool of the same type
    leak,            ///< a pool ended while objects of it were active
    kept_field,      ///< a recycled object has something of its last life after its reset
    dropped,         ///< no mistake: with settings.report_drops, requests were refused
    first_of_layers = 64,
};

[[nodiscard]] constexpr const char* to_string(misuse_kind kind) noexcept {
    switch (kind) {
        case misuse_kind::stale_release: return "stale release";
        case misuse_kind::double_release: return "double release";
        case misuse_kind::wild_handle: return "wild handle";
        case misuse_kind::foreign_object: return "foreign object";
        case misuse_kind::reentrant_call: return "re-entrant call";
        case misuse_kind::bad_setting: return "bad setting";
        case misuse_kind::no_memory: return "no memory";
        case misuse_kind::stale_get: return "stale get";
        case misuse_kind::wrong_pool: return "wrong pool";
        case misuse_kind::leak: return "leak";
        case misuse_kind::kept_field: return "kept field";
        case misuse_kind::dropped: return "dropped";
        case misuse_kind::first_of_layers: break;
    }
    return "misuse";
}

/// One report. The texts live as long as the call.
struct misuse {
    misuse_kind kind;
    const char* pool;         ///< the pool's name, or "pool"
    const char* what;         ///< one plain sentence: what happened, and what to do where that can be said
    bool names_slot = false;  ///< the three below are meaningful
    std::uint32_t slot = 0;
    std::uint32_t generation = 0;       ///< the handle's
    std::uint32_t slot_generation = 0;  ///< the slot's own now; 0 for a slot the pool never had

    const char* story = "";   ///< with forensics: all that is known, as one sentence with places and ticks; else empty
    std::uint64_t count = 1;  ///< how often this has come from this place
    source_place used = {};   ///< where the pool was misused; this and the next two are known only with forensics
    source_place acquired = {};  ///< where the life that the handle means began
    source_place released = {};  ///< and where it ended

    const char* kind_name = nullptr;  ///< of a kind that is not core's: its words

    bool end_waits = false;  ///< options::confirmed_ends: the life has ended, and its slot is not free yet
};

/// The kind in words.
[[nodiscard]] constexpr const char* to_string(const misuse& m) noexcept {
    return m.kind_name != nullptr ? m.kind_name : to_string(m.kind);
}

/// Threads: called on the thread that misused the pool, possibly from several at once for several pools.
using misuse_handler = void (*)(const misuse&);

namespace detail {

/// How often each cause was printed: a kind, in a pool, in words. By the texts and not by their addresses, which a program may use again.
/// Fixed in size: what no longer fits is counted together.
class print_counts {
public:
    /// The count of this cause, with this report.
    [[nodiscard]] std::uint64_t next(const misuse& m) noexcept {
        const std::uint64_t cause = hash_of(m);
        const spin_lock lock(busy_);
        for (std::size_t i = cause % most, tries = 0; tries < most; ++tries, i = (i + 1) % most) {
            if (entries_[i].count == 0) entries_[i].cause = cause;
            if (entries_[i].cause == cause) return ++entries_[i].count;
        }
        return ++others_;
    }

    void clear() noexcept {
        const spin_lock lock(busy_);
        for (entry& e : entries_) e = {};
        others_ = 0;
    }

private:
    struct entry {
        std::uint64_t cause = 0;
        std::uint64_t count = 0;
    };
    static constexpr std::size_t most = 128;  // causes: a program with more has been told enough

    [[nodiscard]] static std::uint64_t hash_of(const misuse& m) noexcept {
        return add_text(
                   add_text(add_text(static_cast<std::uint64_t>(m.kind) + 0xcbf29ce484222325u, m.kind_name), m.pool),
                   m.what) ^
               m.used.bits();
    }

    std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
    entry entries_[most] = {};
    std::uint64_t others_ = 0;
};

LIDO_SHARED inline constinit print_counts printed_reports{};

/// Prints the first reports of each cause and then ever fewer, so that a bug in a hot loop drowns neither the log nor other bugs.
inline void print_misuse(const misuse& m) {
    if (m.story[0] != '\0') {  // reported once per place already
        std::fprintf(stderr, "lido: %s: %s\n", m.pool, m.story);
        return;
    }
    const std::uint64_t n = printed_reports.next(m);
    constexpr std::uint64_t always = 16;  // reports of one cause; enough to see a pattern, few enough to read
    if (n > always && (n & (n - 1)) != 0) return;
    if (m.names_slot) {
        std::fprintf(stderr, "lido: %s: %s: %s (slot %lu, handle generation %lu, slot generation %lu)\n", m.pool,
                     to_string(m), m.what, static_cast<unsigned long>(m.slot), static_cast<unsigned long>(m.generation),
                     static_cast<unsigned long>(m.slot_generation));
    } else {
        std::fprintf(stderr, "lido: %s: %s: %s\n", m.pool, to_string(m), m.what);
    }
    if (n == always) {
        std::fprintf(stderr, "lido: %s: %s: %llu of these so far; from here only every power of two is printed\n",
                     m.pool, to_string(m), static_cast<unsigned long long>(n));
    }
}

LIDO_SHARED inline std::atomic<misuse_handler> the_misuse_handler{&print_misuse};

/// What is wrong with a handle that was released but names no life now.
LIDO_COLD inline misuse bad_release(const char* pool, std::uint32_t slot, std::uint32_t generation,
                                    std::uint32_t slot_generation) {
    misuse m{misuse_kind::wild_handle, pool, "the released handle never came from this pool", true, slot, generation,
             slot_generation};
    if ((generation & 1) != 0 && generation < slot_generation) {
        const bool last_life = slot_generation == generation + 1;
        m.kind = last_life ? misuse_kind::double_release : misuse_kind::stale_release;
        m.what = last_life ? "the released handle's life has been released before"
                           : "the released handle's life ended earlier, and its slot has been used since";
    }
    if (slot == 0 && generation == 0)
        m.what = "the released handle is null: its acquire was refused, or it was never set";
    return m;
}

/// The same where `end_waits`, perhaps, for the end to be confirmed.
LIDO_COLD inline misuse bad_release(const char* pool, std::uint32_t slot, std::uint32_t generation,
                                    std::uint32_t slot_generation, bool end_waits) {
    misuse m = bad_release(pool, slot, generation, slot_generation);
    m.end_waits = end_waits;
    if (end_waits)
        m.what = "the released handle's life has been released before; its object waits until that end is confirmed";
    return m;
}

}  // namespace detail

/// Replaces the handler for the whole program and returns the one before; nullptr brings back the printing one.
/// Threads: safe at any time.
inline misuse_handler set_misuse_handler(misuse_handler handler) noexcept {
    return detail::the_misuse_handler.exchange(handler != nullptr ? handler : &detail::print_misuse);
}
[[nodiscard]] inline misuse_handler current_misuse_handler() noexcept {
    return detail::the_misuse_handler.load(std::memory_order_acquire);
}

/// Hands a report to the handler: for pools, and for what is built on them.
LIDO_COLD inline void report_misuse(const misuse& m) { current_misuse_handler()(m); }

}  // namespace lido
