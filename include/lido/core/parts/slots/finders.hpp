// Three ways to find the next free slot. Each is the state (saved with the pool) and the algorithm over the pool's maps.
//
//                     take                               give                     extra a slot      used by
//   recent_first      pop a cache of 64; refill it       push; spill half when    spare_words       slot_pool, reuse::recent
//                     from the map in address order      the cache is full
//   lowest_first      lowest marked word, lowest bit     mark the word            spare_words       slot_pool, reuse::lowest
//   flag_scan         first word with a clear bit        nothing                  none              flag_pool
//
// Common rules:
// FI1. A slot that take() gave is not given again until give() or put_back(), however deeply calls nest: the pool sets its
//      occupancy bit at once, before the element is constructed, and clears it after the element is destroyed.
// FI2. A retired slot (generation == last) is never given.
// FI3. fresh: slots at and above it are free and queued nowhere; they are used when nothing below is free, lowest first.
// FI4. recent_first: a free slot below fresh is in the cache, or resting, or retired, or in a marked word.
// FI5. What is given depends on the calls alone, never on page sizes or addresses: the same calls give the same slots.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/parts/slots/rest_queue.hpp>
#include <lido/core/parts/slots/spare_words.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace lido::detail {

/// The pool's maps as a finder sees them. Generation is the stored type, or void-like char when there are none.
template <class Generation>
struct slot_maps {
    map_word* occupied;
    map_word* spare_first;
    map_word* spare_second;
    map_word* resting;        ///< null without reuse delay
    std::uint32_t* ring;      ///< null without reuse delay
    Generation* generations;  ///< null without generations
    std::uint32_t last;       ///< the generation of a retired slot
    bool any_retired;         ///< false: no slot needs to be asked
    std::uint32_t* cache =
        nullptr;  ///< the finder's list of free slots: recent_first's cache, last_first's stack; else null

    [[nodiscard]] bool retired(std::size_t slot) const noexcept {
        return generations != nullptr && generations[slot] == static_cast<Generation>(last);
    }

    /// The slots of word `w` below `limit` that are free and usable now.
    [[nodiscard]] map_word usable(std::size_t w, std::size_t limit) const noexcept {
        map_word free = ~occupied[w] & below(w, limit);
        if (resting != nullptr) free &= ~resting[w];
        return free;
    }
};

/// Room for a finder's cache.
template <std::uint32_t Slots>
struct cache_room {
    std::uint32_t slots[Slots] = {};
};
template <>
struct cache_room<0> {};

// ---------------------------------------------------------------------------------------------------------------------------

struct recent_first {
    /// Entries; one cache refill is one word of the map, so this is the word size. 256 bytes, four lines, of which churn
    /// touches the top one. Where they lie: slot_layout.hpp.
    static constexpr std::uint32_t cache_size = 64;
    static constexpr bool uses_spare_words = true;

    std::uint32_t cached = 0;
    std::uint32_t fresh = 0;
    std::uint32_t hint = 0;

    [[nodiscard]] std::uint32_t used(std::uint32_t) const noexcept { return fresh; }

    [[nodiscard]] bool fresh_left(std::uint32_t capacity) const noexcept { return fresh < capacity; }

    /// The slots that must be ready for take_fresh() to be called: a whole word, whatever the page size (FI5).
    [[nodiscard]] std::uint32_t fresh_need(std::uint32_t capacity) const noexcept {
        const std::uint64_t end = (std::uint64_t{fresh} | 63) + 1;
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(end, capacity));
    }

    /// The fast path: one compare, one load.
    [[nodiscard]] bool quick() const noexcept { return cached != 0; }
    /// Pre: quick().
    [[nodiscard]] LIDO_INLINE std::uint32_t take_quick(const std::uint32_t* cache) noexcept { return cache[--cached]; }

    /// All free slots of the next word at once, for many at a time; none when it has more of them than `most` or there is no such
    /// word. Pre: !quick(); slots below fresh_need(capacity) are ready where fresh < capacity.
    template <class Maps>
    [[nodiscard]] map_word take_word(const Maps& m, std::uint32_t capacity, std::uint32_t most,
                                     std::size_t& w) noexcept {
        spare_words spare{m.spare_first, m.spare_second, hint};
        w = spare.lowest_marked(fresh);
        const bool known = w != spare_words::none;
        if (!known && fresh >= capacity) return 0;
        if (!known) w = fresh >> 6;
        const map_word batch = usable_now(m, w, known ? m.usable(w, fresh) : fresh_batch(capacity));
        if (static_cast<std::uint32_t>(std::popcount(batch)) > most) return 0;
        if (known) {
            spare.unmark(w);
        } else {
            fresh = fresh_need(capacity);
        }
        return batch;
    }

    template <class Maps>
    [[nodiscard]] std::uint32_t take_known(const Maps& m) noexcept {
        spare_words spare{m.spare_first, m.spare_second, hint};
        for (;;) {
            const std::size_t w = spare.lowest_marked(fresh);
            if (w == spare_words::none) return no_slot;
            spare.unmark(w);
            load(m, w, m.usable(w, fresh));
            if (cached != 0) return m.cache[--cached];
        }
    }

    /// Pre: slots below fresh_need(capacity) are ready, and fresh < capacity.
    template <class Maps>
    [[nodiscard]] std::uint32_t take_fresh(const Maps& m, std::uint32_t capacity) noexcept {
        const std::size_t w = fresh >> 6;
        const map_word batch = fresh_batch(capacity);
        fresh = fresh_need(capacity);
        load(m, w, batch);
        return quick() ? take_quick(m.cache) : no_slot;  // all of them are retired: the caller asks for the next word
    }

    /// The fast path of give(): false when the cache is full.
    [[nodiscard]] LIDO_INLINE bool give_quick(std::uint32_t* cache, std::uint32_t slot) noexcept {
        if (cached == cache_size) return false;
        cache[cached++] = slot;
        return true;
    }

    template <class Maps>
    void give(const Maps& m, std::uint32_t slot) noexcept {
        if (cached == cache_size) spill(m);
        m.cache[cached++] = slot;
    }

    /// Undoes the latest take.
    template <class Maps>
    void put_back(const Maps& m, std::uint32_t slot) noexcept {
        give(m, slot);
    }

    /// Makes `slot`, which is free, no longer given by take. Pre: slots up to it are ready.
    template <class Maps>
    void remove(const Maps& m, std::uint32_t slot) noexcept {
        if (slot >= fresh) {
            spare_words spare{m.spare_first, m.spare_second, hint};
            for (std::size_t w = fresh >> 6; fresh < slot && w <= (slot - 1) >> 6; ++w) spare.mark(w);
            fresh = slot + 1;
            return;
        }
        std::uint32_t* const end = m.cache + cached;
        std::uint32_t* const at = std::find(m.cache, end, slot);
        if (at == end) return;  // in a marked word: its occupancy bit will keep it out
        std::copy(at + 1, end, at);
        --cached;
    }

    /// Forgets the slots at and above `limit`, which are all free.
    template <class Maps>
    void trim_to(const Maps& m, std::uint32_t limit, std::uint32_t) noexcept {
        if (limit >= fresh) return;
        spare_words{m.spare_first, m.spare_second, hint}.unmark_from(words_for(limit), fresh);
        cached = static_cast<std::uint32_t>(
            std::remove_if(m.cache, m.cache + cached, [limit](std::uint32_t s) { return s >= limit; }) - m.cache);
        fresh = limit;
    }

    /// Every slot is free: hand out from 0 again.
    template <class Maps>
    void reset(const Maps& m, std::uint32_t) noexcept {
        spare_words{m.spare_first, m.spare_second, hint}.unmark_from(0, fresh);
        cached = 0;
        fresh = 0;
        hint = 0;
    }

    /// Marks what FI4 asks for, from the maps and the cache. For a loader and an undo; marks too many only cost a look.
    template <class Maps>
    void rebuild(const Maps& m) noexcept {
        spare_words spare{m.spare_first, m.spare_second, hint};
        hint = 0;
        for (std::size_t w = 0; w < words_for(fresh); ++w) {
            for (map_word free = queued_nowhere(m, w); free != 0; free &= free - 1) {
                if (m.retired(w * 64 + lowest(free))) continue;
                spare.mark(w);
                break;
            }
        }
    }

    template <class Maps>
    [[nodiscard]] const char* validate(const Maps& m, std::uint32_t capacity) const noexcept {
        if (fresh > capacity) return "FI3: fresh is past the capacity";
        if (cached > cache_size) return "FI4: the cache holds more than it can";
        for (std::uint32_t i = 0; i < cached; ++i) {
            const std::uint32_t s = m.cache[i];
            if (s >= fresh) return "FI3: the cache holds a slot that was never used";
            if ((m.usable(s >> 6, fresh) & bit(s)) == 0) return "FI1: the cache holds a slot that is taken or resting";
            if (m.retired(s)) return "FI2: the cache holds a retired slot";
            if (std::find(m.cache, m.cache + i, s) != m.cache + i) return "FI1: the cache holds a slot twice";
        }
        for (std::size_t w = 0; w < words_for(fresh); ++w) {
            if (test(m.spare_first, w)) continue;
            for (map_word free = queued_nowhere(m, w); free != 0; free &= free - 1) {
                if (!m.retired(w * 64 + lowest(free))) return "FI4: a free slot is queued nowhere";
            }
        }
        for (std::size_t j = 0; j < spare_words::first_words(fresh); ++j) {
            if ((m.spare_first[j] != 0) != test(m.spare_second, j)) return "FI4: the two levels of marks disagree";
            if (m.spare_first[j] != 0 && (j >> 6) < hint) return "FI4: a mark lies below the hint";
        }
        return nullptr;
    }

private:
    template <class Maps>
    [[nodiscard]] map_word queued_nowhere(const Maps& m, std::size_t w) const noexcept {
        map_word free = m.usable(w, fresh);
        for (std::uint32_t i = 0; i < cached; ++i) {
            if (m.cache[i] >> 6 == w) free &= ~bit(m.cache[i]);
        }
        return free;
    }

    /// The fresh slots of the word that `fresh` lies in.
    [[nodiscard]] map_word fresh_batch(std::uint32_t capacity) const noexcept {
        const std::size_t w = fresh >> 6;
        return below(w, fresh_need(capacity)) & ~below(w, fresh);
    }

    /// Those of `free`, in word `w`, that are not retired (FI2).
    template <class Maps>
    [[nodiscard]] static map_word usable_now(const Maps& m, std::size_t w, map_word free) noexcept {
        if (m.any_retired) [[unlikely]] {
            for (map_word left = free; left != 0; left &= left - 1) {
                if (m.retired(w * 64 + lowest(left))) free &= ~bit(lowest(left));
            }
        }
        return free;
    }

    /// Pre: the cache is empty. Queues the slots of one word so that the lowest is given first.
    template <class Maps>
    void load(const Maps& m, std::size_t w, map_word free) noexcept {
        const auto base = static_cast<std::uint32_t>(w * 64);
        free = usable_now(m, w, free);
        if (free == full_word) {
            for (std::uint32_t i = 0; i < 64; ++i) m.cache[i] = base + 63 - i;
            cached = 64;
            return;
        }
        std::uint32_t at = static_cast<std::uint32_t>(std::popcount(free));
        cached = at;
        for (; free != 0; free &= free - 1) m.cache[--at] = base + lowest(free);
    }

    /// The half that was released longest ago goes back to the map. Half rather than one, so that a long run of releases pays
    /// for it once in 32.
    template <class Maps>
    LIDO_NOINLINE void spill(const Maps& m) noexcept {
        constexpr std::uint32_t half = cache_size / 2;
        spare_words spare{m.spare_first, m.spare_second, hint};
        for (std::uint32_t i = 0; i < half; ++i) {
            if (!test(m.spare_first, m.cache[i] >> 6)) spare.mark(m.cache[i] >> 6);
        }
        std::copy(m.cache + half, m.cache + cache_size, m.cache);
        cached = half;
    }
};

// ---------------------------------------------------------------------------------------------------------------------------

struct lowest_first {
    static constexpr std::uint32_t cache_size = 0;
    static constexpr bool uses_spare_words = true;

    std::uint32_t fresh = 0;
    std::uint32_t hint = 0;

    [[nodiscard]] std::uint32_t used(std::uint32_t) const noexcept { return fresh; }
    [[nodiscard]] bool fresh_left(std::uint32_t capacity) const noexcept { return fresh < capacity; }
    [[nodiscard]] std::uint32_t fresh_need(std::uint32_t) const noexcept { return fresh + 1; }
    [[nodiscard]] static constexpr bool quick() noexcept { return false; }
    [[nodiscard]] static constexpr std::uint32_t take_quick(const std::uint32_t*) noexcept { return no_slot; }
    [[nodiscard]] bool give_quick(const std::uint32_t*, std::uint32_t) noexcept { return false; }

    template <class Maps>
    [[nodiscard]] std::uint32_t take_known(const Maps& m) noexcept {
        spare_words spare{m.spare_first, m.spare_second, hint};
        for (;;) {
            const std::size_t w = spare.lowest_marked(fresh);
            if (w == spare_words::none) return no_slot;
            map_word free = m.usable(w, fresh);
            while (free != 0 && m.retired(w * 64 + lowest(free))) free &= free - 1;
            if ((free & (free - 1)) == 0) spare.unmark(w);  // none or the last one of this word
            if (free != 0) return static_cast<std::uint32_t>(w * 64 + lowest(free));
        }
    }

    template <class Maps>
    [[nodiscard]] std::uint32_t take_fresh(const Maps& m, std::uint32_t) noexcept {
        const std::uint32_t slot = fresh++;
        return m.retired(slot) ? no_slot : slot;
    }

    template <class Maps>
    void give(const Maps& m, std::uint32_t slot) noexcept {
        spare_words{m.spare_first, m.spare_second, hint}.mark(slot >> 6);
    }

    template <class Maps>
    void put_back(const Maps& m, std::uint32_t slot) noexcept {
        give(m, slot);
    }

    template <class Maps>
    void remove(const Maps& m, std::uint32_t slot) noexcept {
        if (slot < fresh) return;
        spare_words spare{m.spare_first, m.spare_second, hint};
        for (std::size_t w = fresh >> 6; fresh < slot && w <= (slot - 1) >> 6; ++w) spare.mark(w);
        fresh = slot + 1;
    }

    template <class Maps>
    void trim_to(const Maps& m, std::uint32_t limit, std::uint32_t) noexcept {
        if (limit >= fresh) return;
        spare_words{m.spare_first, m.spare_second, hint}.unmark_from(words_for(limit), fresh);
        fresh = limit;
    }

    template <class Maps>
    void reset(const Maps& m, std::uint32_t) noexcept {
        trim_to(m, 0, 0);
        hint = 0;
    }

    template <class Maps>
    void rebuild(const Maps& m) noexcept {
        spare_words spare{m.spare_first, m.spare_second, hint};
        hint = 0;
        for (std::size_t w = 0; w < words_for(fresh); ++w) {
            if (m.usable(w, fresh) != 0) spare.mark(w);
        }
    }

    template <class Maps>
    [[nodiscard]] const char* validate(const Maps& m, std::uint32_t capacity) const noexcept {
        if (fresh > capacity) return "FI3: fresh is past the capacity";
        for (std::size_t w = 0; w < words_for(fresh); ++w) {
            if (test(m.spare_first, w)) continue;
            for (map_word free = m.usable(w, fresh); free != 0; free &= free - 1) {
                if (!m.retired(w * 64 + lowest(free))) return "FI4: a free slot lies in an unmarked word";
            }
        }
        return nullptr;
    }
};

// ---------------------------------------------------------------------------------------------------------------------------

struct flag_scan {
    static constexpr std::uint32_t cache_size = 0;
    static constexpr bool uses_spare_words = false;

    [[nodiscard]] std::uint32_t used(std::uint32_t capacity) const noexcept { return capacity; }
    [[nodiscard]] bool fresh_left(std::uint32_t) const noexcept { return true; }
    [[nodiscard]] std::uint32_t fresh_need(std::uint32_t capacity) const noexcept { return capacity; }
    [[nodiscard]] static constexpr bool quick() noexcept { return false; }
    [[nodiscard]] static constexpr std::uint32_t take_quick(const std::uint32_t*) noexcept { return no_slot; }
    [[nodiscard]] bool give_quick(const std::uint32_t*, std::uint32_t) noexcept { return true; }

    template <class Maps>
    [[nodiscard]] std::uint32_t take_known(const Maps&) noexcept {
        return no_slot;
    }

    /// A scan of the whole map, 64 slots a step; all slots are ready from the start.
    template <class Maps>
    [[nodiscard]] std::uint32_t take_fresh(const Maps& m, std::uint32_t capacity) noexcept {
        for (std::size_t w = 0; w < words_for(capacity); ++w) {
            for (map_word free = m.usable(w, capacity); free != 0; free &= free - 1) {
                const std::size_t slot = w * 64 + lowest(free);
                if (!m.retired(slot)) return static_cast<std::uint32_t>(slot);
            }
        }
        return no_slot;
    }

    template <class Maps>
    void give(const Maps&, std::uint32_t) noexcept {}
    template <class Maps>
    void put_back(const Maps&, std::uint32_t) noexcept {}
    template <class Maps>
    void remove(const Maps&, std::uint32_t) noexcept {}
    template <class Maps>
    void trim_to(const Maps&, std::uint32_t, std::uint32_t) noexcept {}
    template <class Maps>
    void reset(const Maps&, std::uint32_t) noexcept {}
    template <class Maps>
    void rebuild(const Maps&) noexcept {}
    template <class Maps>
    [[nodiscard]] const char* validate(const Maps&, std::uint32_t) const noexcept {
        return nullptr;
    }
};

}  // namespace lido::detail
