// A plain model of a pool. Rows X1, X3, X4, X5.
//
// The model is a std::map of live handles and what else the rules fix: the generation of every slot, births and priorities, the
// order in which slots rest, capacity and counters. It knows nothing of words, caches or rows. It does not know which free slot a
// pool takes next, except where the rules say so (lowest index; rests cut short only when nothing else is free), so it learns the
// slot from the pool and checks that the slot was free and that the generation is the one after the slot's last.
#pragma once

#include "core/property/pool_operations.hpp"

#include <lido/core/options.hpp>
#include <lido/core/stats.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <string_view>
#include <utility>

namespace lido::test {

/// What a configuration must say: `using pool`, `capacity`, `full` (the on_full setting); see defaults.
struct pool_config {
    static constexpr std::uint32_t capacity = 0;
    static constexpr on_full full = on_full::reject;
    static constexpr lido::headroom headroom = {};
};

template <class Config>
class pool_model {
public:
    using pool_type = typename Config::pool;
    using handle_type = typename pool_type::handle_type;
    static constexpr options opts = pool_type::pool_options;
    static constexpr bool dense = !pool_type::stable_addresses;
    static constexpr bool flags = std::string_view(pool_type::shape) == "flag_pool";
    static constexpr bool lowest = flags || (!dense && opts.order == reuse::lowest);
    static constexpr bool none = opts.generations == generation_rule::none;

    struct life {
        int value = 0;
        std::uint64_t birth = 0;
        std::uint8_t priority = 0;
    };

    std::map<handle_type, life> live;
    std::map<std::uint32_t, std::uint32_t> generation;  // of every slot that was ever used
    std::deque<std::uint32_t> resting;                  // longest first
    std::uint64_t births = 0;
    std::uint32_t capacity = Config::capacity;
    std::uint32_t retired = 0;
    std::uint32_t peak = 0;
    std::uint64_t acquired = 0;
    pool_counters counters;

    static constexpr std::uint32_t max_capacity() {
        return std::max(Config::capacity, Config::full.cap() == on_full::no_growth ? 0 : Config::full.cap());
    }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(live.size()); }
    [[nodiscard]] bool full() const { return size() + retired >= capacity; }
    [[nodiscard]] std::uint32_t generation_of(std::uint32_t slot) const {
        const auto found = generation.find(slot);
        return found == generation.end() ? 0 : found->second;
    }
    [[nodiscard]] bool rests(std::uint32_t slot) const {
        return std::find(resting.begin(), resting.end(), slot) != resting.end();
    }

    void grow(std::uint64_t need) {
        std::uint64_t to = std::max<std::uint64_t>(64, std::uint64_t{capacity} * 2);
        while (to < need) to *= 2;
        capacity = static_cast<std::uint32_t>(std::min<std::uint64_t>(to, max_capacity()));
        ++counters.grown;
    }

    void begin_life(handle_type h, int value, std::uint8_t priority) {
        generation[h.index()] = h.generation();
        live[h] = {value, births++, std::min(priority, max_priority)};
        ++acquired;
        peak = std::max(peak, size());
    }

    void end_life(handle_type h) {
        live.erase(h);
        if constexpr (none) return;
        std::uint32_t& life_now = generation[h.index()];
        ++life_now;
        if (life_now == handle_type::last_generation) {
            if (opts.generations == generation_rule::retire) {
                ++retired;
                return;
            }
            life_now = 0;
        }
        if constexpr (opts.reuse_delay != 0) {
            resting.push_back(h.index());
            if (resting.size() > opts.reuse_delay) resting.pop_front();
        }
    }

    void clear() {
        while (!live.empty()) end_life(live.begin()->first);
        resting.clear();
    }

    void trim() {
        if constexpr (flags) return;
        const std::uint32_t limit = dense || live.empty() ? size() : live.rbegin()->first.index() + 1;
        if (!dense) std::erase_if(resting, [limit](std::uint32_t s) { return s >= limit; });
        if (retired == 0) capacity = std::max(limit, std::min(capacity, Config::capacity));
    }

    /// The life that on_full ends for a request, or null.
    [[nodiscard]] handle_type victim(std::uint8_t priority) const {
        using ending = on_full::ending;
        constexpr ending how = Config::full.at_the_end();
        const std::pair<const handle_type, life>* best = nullptr;
        for (const auto& each : live) {
            const life& l = each.second;
            if (how == ending::replace_oldest && (best == nullptr || l.birth < best->second.birth)) best = &each;
            if (how == ending::replace_lowest && l.priority <= priority &&
                (best == nullptr || l.priority < best->second.priority ||
                 (l.priority == best->second.priority && l.birth < best->second.birth))) {
                best = &each;
            }
            if (how == ending::replace_if && best == nullptr && may_end(l.value)) best = &each;
        }
        return best != nullptr ? best->first : handle_type{};
    }
    [[nodiscard]] static bool may_end(int value) { return value % 3 == 0; }
};

}  // namespace lido::test
