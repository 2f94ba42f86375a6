// How many requests each pool has dropped, and when that was told (drop_report.hpp).
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/checks/place.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lido::detail {

/// What was told of the drops of each pool, by its name. Beside the pools, because few report drops, and not part of a save.
class drop_counts {
public:
    struct due {
        std::uint64_t since = 0;  ///< 0: nothing is to be told
        std::uint64_t all = 0;
    };

    /// One more request was dropped by this pool.
    [[nodiscard]] due next(const char* pool, std::uint32_t ticks) noexcept {
        const std::uint64_t name = add_text(0xcbf29ce484222325u, pool);
        const std::uint64_t now = current_tick();
        const spin_lock lock(busy_);
        entry& e = find(name);
        ++e.all;
        ++e.since;
        if (!is_due(e, now, ticks)) return {};
        const due told{e.since, e.all};
        e.since = 0;
        e.tick = now;
        return told;
    }

    void clear() noexcept {
        const spin_lock lock(busy_);
        for (entry& e : entries_) e = {};
        others_ = {};
    }

private:
    struct entry {
        std::uint64_t name = 0;
        std::uint64_t all = 0;
        std::uint64_t since = 0;  ///< the latest report
        std::uint64_t tick = 0;   ///< of the latest report
    };
    static constexpr std::size_t most = 64;  // pools; what no longer fits is counted together

    [[nodiscard]] static bool is_due(const entry& e, std::uint64_t now, std::uint32_t ticks) noexcept {
        if (e.all == 1) return true;
        if (now == no_tick) {
            std::uint64_t n = e.all;
            while (n % 10 == 0) n /= 10;
            return n == 1;
        }
        return e.tick == no_tick || (now > e.tick ? now - e.tick : e.tick - now) >= ticks;
    }

    [[nodiscard]] entry& find(std::uint64_t name) noexcept {
        for (std::size_t i = name % most, tries = 0; tries < most; ++tries, i = (i + 1) % most) {
            entry& e = entries_[i];
            if (e.all == 0) e.name = name;
            if (e.name == name) return e;
        }
        return others_;
    }

    std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
    entry entries_[most] = {};
    entry others_ = {};
};
LIDO_SHARED inline constinit drop_counts all_drops{};

}  // namespace lido::detail
