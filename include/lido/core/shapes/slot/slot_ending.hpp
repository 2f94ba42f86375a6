// The end of many objects of a slot pool at once: clear, trim, a restore, the end of the pool.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/slots/slot_guard.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lido::detail {

struct slot_ending {
    template <class Pool>
    static void clear(Pool& pool) noexcept {
        if constexpr (std::is_trivially_destructible_v<typename Pool::value_type>) {
            if (pool.inside_ == 0) return all_trivially(pool);
        }
        pool.for_each_live([&pool](std::uint32_t slot) { pool.end_life(slot); });
        if (!pool.empty()) return;      // a destructor acquired: those objects are new
        if (pool.inside_ != 0) return;  // called from a constructor or destructor: its slot is not free
        forget_order(pool);
    }

    /// For the end of the pool: lives end one by one, so that a destructor may still look at the others.
    template <class Pool>
    static void destroy_all(Pool& pool) noexcept {
        if constexpr (!std::is_trivially_destructible_v<typename Pool::value_type>) {
            for (int pass = 0; !pool.empty(); ++pass) {
                LIDO_VERIFY(pass < patience, "an element's destructor keeps acquiring from the pool that is ending");
                pool.for_each_live([&pool](std::uint32_t slot) { pool.end_life(slot); });
            }
        }
    }

    /// For a restore, which overwrites all bookkeeping: slots do not become free, wear out or get into the diary. A life is over
    /// before its destructor runs, which may look at the others, end them and begin new ones.
    template <class Pool>
    static void destroy_for_restore(Pool& pool) noexcept {
        if constexpr (!std::is_trivially_destructible_v<typename Pool::value_type>) {
            for (int pass = 0; !pool.empty(); ++pass) {
                LIDO_VERIFY(pass < patience,
                            "an element's destructor keeps acquiring from the pool that is being restored");
                pool.for_each_live(
                    [&pool](std::uint32_t slot) { pool.end_object(slot, pool.handle_at(slot).generation()); });
            }
        }
    }

    /// Free slots past the last live one are as if never used, but for their generations.
    template <class Pool>
    static std::size_t trim(Pool& pool) noexcept {
        // A constructor that throws is undone from a state that knows of no trim: the memory stays until the call has returned.
        if (pool.inside_ != 0) return 0;
        auto& st = pool.state_;
        std::uint32_t limit = 0;
        for (std::size_t w = words_for(pool.used()); w-- != 0 && limit == 0;) {
            const map_word live = pool.occupied()[w];
            if (live != 0) limit = static_cast<std::uint32_t>(w * 64 + highest(live) + 1);
        }
        st.finder.trim_to(pool.maps(), limit, st.capacity);
        if constexpr (Pool::delays)
            st.rest.drop_if(pool.ring(), pool.resting(), [limit](std::uint32_t s) { return s >= limit; });
        if (st.retired == 0) st.capacity = (std::max)(limit, (std::min)(st.capacity, pool.limits_.first_capacity()));
        return slot_guard<typename Pool::value_type>::give_back(pool.memory_, pool.ready_, limit);
    }

private:
    static constexpr int patience = 1000;  // passes; a destructor that acquires makes one more necessary

    template <class Pool>
    static void all_trivially(Pool& pool) noexcept {
        if constexpr (Pool::diary_type::kept || LIDO_POISON) {
            pool.for_each_live([&pool](std::uint32_t slot) {
                pool.diary_.end(slot, pool.handle_at(slot).generation());
                bury(pool.at(slot), sizeof(typename Pool::value_type));
            });
        }
        pool.state_.none_left();
        if constexpr (Pool::has_generations) {
            // Whole blocks of a constant length: a loop that both compilers turn into vector instructions at -O2.
            using generation = typename Pool::generation;
            constexpr auto last = static_cast<generation>(Pool::handle_type::last_generation);
            generation* g = pool.generations();
            generation worn = 0;
            std::uint32_t left = pool.used();
            for (; left >= 64; left -= 64, g += 64) {
                for (unsigned i = 0; i < 64; ++i) {
                    g[i] = static_cast<generation>((g[i] + 1u) & ~1u);
                    worn |= static_cast<generation>(g[i] == last);
                }
            }
            for (; left != 0; --left, ++g) {
                *g = static_cast<generation>((*g + 1u) & ~1u);
                worn |= static_cast<generation>(*g == last);
            }
            if (worn != 0) [[unlikely]]
                count_the_worn(pool);
        }
        for (std::size_t w = 0; w < words_for(pool.used()); ++w) {
            if constexpr (Pool::marks) pool.changed()[w] |= pool.occupied()[w];
            pool.occupied()[w] = 0;
        }
        forget_order(pool);
    }

    /// After a clear in which some slots reached their last generation (or had before).
    template <class Pool>
    LIDO_COLD static void count_the_worn(Pool& pool) noexcept {
        pool.state_.retired = 0;
        for (std::uint32_t s = 0; s < pool.state_.known; ++s) {
            if (pool.maps().retired(s)) static_cast<void>(pool.reuse_worn(s));
        }
    }

    /// No life is left: free slots are handed out from 0 again.
    template <class Pool>
    static void forget_order(Pool& pool) noexcept {
        auto& st = pool.state_;
        if constexpr (Pool::delays) st.rest.drop_if(pool.ring(), pool.resting(), [](std::uint32_t) { return true; });
        st.finder.reset(pool.maps(), st.capacity);
        st.ages.reset();
    }
};

}  // namespace lido::detail
