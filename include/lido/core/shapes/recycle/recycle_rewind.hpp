// Save, restore, image and hash of a recycle_pool.
//
// Section:  | state | generations | occupied | spare | spare | links | birth | priority | held | idle | active objects |
// Idle objects are not in it: only which slots are idle, in which order. Which objects exist (the built map) is the pool's own.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/parts/age_rewind.hpp>
#include <lido/core/parts/slots/slot_guard.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_part.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/core/rewind/staged.hpp>
#include <lido/core/shapes/recycle/recycle_layout.hpp>
#include <lido/core/shapes/recycle/recycle_objects.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace lido::detail {

struct recycle_rewind {
    template <class Pool>
    using element = typename Pool::value_type;
    template <class Pool>
    using state_of = typename Pool::state;

    static constexpr std::uint8_t shape_in_image = number_of(image_part::recycle_pool);

    /// Part 0 is the state, the others are the pool's arrays by number; the last one the active objects.
    template <class Pool>
    [[nodiscard]] static section_plan<recycle_arrays + 1> plan(const state_of<Pool>& st) noexcept {
        using T = element<Pool>;
        section_plan<recycle_arrays + 1> p;
        const std::size_t used = st.finder.used(0);
        p.add(at_values, sizeof(state_of<Pool>));
        for (std::size_t k = at_generations; k < recycle_arrays; ++k) {
            // Generations outlive the use of a slot, the other maps do not.
            const std::size_t n = k == at_generations ? st.known : k == at_idle ? st.idle : used;
            p.add(k, k == at_built ? 0 : Pool::layout::bytes(k, n));
        }
        p.add(recycle_arrays, std::size_t{st.size} * sizeof(T), alignof(T) > 16 ? alignof(T) : 16);
        return p;
    }

    /// Calls `f(slot)` for each set bit below `used`.
    template <class F>
    static void for_each_slot(const map_word* words, std::size_t used, F&& f) {
        for (std::size_t w = 0; w < words_for(used); ++w) {
            for (map_word left = words[w]; left != 0; left &= left - 1) f(w * 64 + lowest(left));
        }
    }

    // --- snapshot ----------------------------------------------------------------------------------------------------------

    template <class Pool>
    [[nodiscard]] static bool save(const Pool& pool, section& s) {
        using T = element<Pool>;
        require_snapshot_element<T>();
        if (pool.inside_ != 0) {
            pool.limits_.tell(misuse_kind::reentrant_call, saved_from_inside);
            return false;
        }
        const auto p = plan<Pool>(pool.state_);
        std::byte* const data = s.begin(p.total, alignof(T));
        if (data == nullptr) return false;
        copy_bytes(data, &pool.state_, sizeof(pool.state_));
        copy_arrays(pool, p, [data](std::size_t offset, std::byte* array, std::size_t n) {
            copy_bytes(data + offset, array, n);
        });
        std::byte* to = data + p.offset[recycle_arrays];
        if constexpr (is_bytes<T>) {
            for_each_slot(pool.occupied(), pool.used(), [&](std::size_t slot) {
                copy_bytes(to, pool.at(slot), sizeof(T));
                to += sizeof(T);
            });
        } else {
            std::size_t w = 0;
            map_word left = pool.size() != 0 ? pool.occupied()[0] : 0;
            copy_objects(s, reinterpret_cast<T*>(to), pool.size(), [&]() -> const T& {
                while (left == 0) left = pool.occupied()[++w];
                const std::size_t slot = w * 64 + lowest(left);
                left &= left - 1;
                return *pool.at(slot);
            });
        }
        s.seal(&section_kind<Pool>);
        return true;
    }

    template <class>
    using staged = staged_section;

    template <class Pool>
    [[nodiscard]] static restore_result stage(Pool& pool, const section& s, staged<Pool>& out) {
        using T = element<Pool>;
        require_snapshot_element<T>();
        if (s.kind() != &section_kind<Pool>)
            return {restore_error::other_parts, "the snapshot was saved from another pool type"};
        state_of<Pool> st;
        copy_bytes(&st, s.data(), sizeof(st));
        if (const restore_result r = fits(pool, st); !r) return r;
        return out.template take<T>(s, st.size);
    }

    template <class Pool>
    static void commit(Pool& pool, staged<Pool>& plan_) noexcept {
        using T = element<Pool>;
        const std::byte* const data = plan_.from->data();
        state_of<Pool> st;
        copy_bytes(&st, data, sizeof(st));
        const auto p = plan<Pool>(st);
        slot_guard<typename Pool::value_type>::open_as_is(pool.values(), 0, pool.ready());
        const std::size_t used = st.finder.used(0);
        const auto* const lives = reinterpret_cast<const typename Pool::generation*>(data + p.offset[at_generations]);
        const auto* const held = reinterpret_cast<const map_word*>(data + p.offset[at_held]);
        // A hook or destructor that acquires makes one more pass necessary.
        for (int pass = 0; end_undone(pool, st, lives) || destroy_unheld(pool, used, held); ++pass) {
            LIDO_VERIFY(pass < 1000, "an element keeps acquiring from the pool that is being restored");
        }
        // It was made ready before; a hook may have trimmed since.
        LIDO_VERIFY(pool.make_ready(st.known),
                    "a hook trimmed the pool that is being restored, and the memory is gone");
        slot_guard<typename Pool::value_type>::open_as_is(pool.values(), 0, pool.ready());

        const std::size_t used_before = pool.used();
        const std::size_t known_before = pool.state_.known;
        pool.state_ = st;
        copy_arrays(pool, p, [data](std::size_t offset, std::byte* array, std::size_t n) {
            copy_bytes(array, data + offset, n);
        });
        // What lay beyond the saved part is as it was before it was first used.
        clear_beyond<Pool, at_generations>(pool, st.known, known_before);
        clear_beyond<Pool, at_occupied>(pool, used, used_before);
        clear_beyond<Pool, at_spare_first>(pool, used, used_before);
        clear_beyond<Pool, at_spare_second>(pool, used, used_before);
        clear_beyond<Pool, at_held>(pool, used, used_before);
        if constexpr (is_bytes<T>) {
            const std::byte* from = data + p.offset[recycle_arrays];
            for_each_slot(pool.occupied(), used, [&](std::size_t slot) {
                std::memcpy(static_cast<void*>(pool.at(slot)), from, sizeof(T));
                set(pool.built(), slot);
                from += sizeof(T);
            });
        } else {
            T* from = static_cast<T*>(plan_.own.objects());
            for_each_slot(pool.occupied(), used, [&](std::size_t slot) { put(pool, slot, std::move(*from++)); });
        }
        pool.hollow_ = 0;
        for (std::uint32_t i = 0; i < st.idle; ++i) pool.hollow_ += test(pool.built(), pool.stack()[i]) ? 0u : 1u;
        recycle_objects::close_dead(pool);
        pool.diary_.restored(pool.ready(), [&pool](std::uint32_t slot) { return pool.generation_of(slot); });
        pool.leases_.drop_dead(pool);
    }

    // --- image -------------------------------------------------------------------------------------------------------------

    template <class Pool>
    static void write(const Pool& pool, image_writer& w) {
        using T = element<Pool>;
        require_image_element<T>();
        const auto& st = pool.state_;
        put_options<Pool>(w, shape_in_image);
        w.put(st.capacity);
        w.put(pool.used());
        w.put(st.known);
        w.put(st.peak);
        w.put(st.size);
        w.put(st.idle);
        w.put(st.acquired);
        for (const std::uint64_t n : {st.first_lives, st.created, st.destroyed, st.idle_overflow}) w.put(n);
        put_counters(w, st.counters);
        for (std::uint32_t s = 0; s < st.known; ++s) w.put(pool.generations()[s]);
        for (std::uint32_t i = 0; i < st.idle; ++i) w.put(pool.stack()[i]);
        if constexpr (Pool::pool_options.ages_by_setting) w.put(static_cast<std::uint8_t>(st.ages_kept ? 1 : 0));
        put_ages(w, st.ages, pool.aged());
        for_each_slot(pool.occupied(), pool.used(), [&](std::size_t slot) { put_element(w, *pool.at(slot)); });
    }

    /// Reads and checks everything into out.own, in the form that save() gives it.
    template <class Pool>
    [[nodiscard]] static restore_result read(Pool& pool, image_reader& r, staged<Pool>& out) {
        using T = element<Pool>;
        using generation = typename Pool::generation;
        require_image_element<T>();
        if (const restore_result other = same_options<Pool>(r, shape_in_image); !other) return other;

        state_of<Pool> st;
        st.capacity = r.take<std::uint32_t>();
        const auto used = r.take<std::uint32_t>();
        st.known = r.take<std::uint32_t>();
        st.peak = r.take<std::uint32_t>();
        st.size = r.take<std::uint32_t>();
        st.idle = r.take<std::uint32_t>();
        st.acquired = r.take<std::uint64_t>();
        for (std::uint64_t* n : {&st.first_lives, &st.created, &st.destroyed, &st.idle_overflow})
            *n = r.take<std::uint64_t>();
        take_counters(r, st.counters);
        if (!r.ok()) return {restore_error::truncated};
        st.finder.fresh = used;
        if (const restore_result large = in_bounds(pool, st); !large) return large;
        if (used > st.known) return {restore_error::inconsistent, "more slots are used than there are"};
        if (st.acquired > most_lives || st.size > st.acquired || st.first_lives > st.acquired ||
            st.peak > pool.max_capacity() || st.size > st.capacity || std::uint64_t{st.size} + st.idle > used) {
            return {restore_error::inconsistent, "the counts of lives do not add up"};
        }
        if (!r.has(st.known, sizeof(generation)) || !r.has(st.size, least_image_bytes<T>)) {
            return {restore_error::truncated};
        }

        // From here the image's own size bounds what is asked for.
        const auto p = plan<Pool>(st);
        std::byte* const data = out.own.begin(p.total, alignof(T));
        if (data == nullptr) return {restore_error::no_memory};
        zero_bytes(data, p.offset[recycle_arrays]);
        const auto array = [&]<class U>(std::size_t k, U*) { return reinterpret_cast<U*>(data + p.offset[k]); };
        auto* const occupied = array(at_occupied, static_cast<map_word*>(nullptr));
        typename Pool::maps_type m{array(at_held, static_cast<map_word*>(nullptr)),
                                   array(at_spare_first, static_cast<map_word*>(nullptr)),
                                   array(at_spare_second, static_cast<map_word*>(nullptr)),
                                   nullptr,
                                   nullptr,
                                   array(at_generations, static_cast<generation*>(nullptr)),
                                   Pool::handle_type::last_generation,
                                   true};
        const age_arrays aged{array(at_links, static_cast<age_links*>(nullptr)),
                              array(at_birth, static_cast<std::uint64_t*>(nullptr)),
                              array(at_priority, static_cast<std::uint8_t*>(nullptr))};
        if (const restore_result bad = read_lives<Pool>(r, st, used, m, occupied); !bad) return bad;
        if (const restore_result bad = read_idle(r, st, used, m, array(at_idle, static_cast<std::uint32_t*>(nullptr)));
            !bad)
            return bad;
        st.finder.rebuild(m);
        if constexpr (Pool::pool_options.ages_by_setting) {
            st.ages_kept = r.take<std::uint8_t>() != 0;
            if (st.ages_kept != pool.state_.ages_kept) return {restore_error::other_options};
        }
        const auto lives = [&](std::uint32_t s) { return s < used && test(occupied, s); };
        if (const restore_result bad = take_ages(r, st.ages, aged, pool.ageing() ? st.size : 0, lives); !bad)
            return bad;

        std::byte* to = data + p.offset[recycle_arrays];
        if constexpr (is_bytes<T>) {
            for (std::uint32_t i = 0; i < st.size; ++i, to += sizeof(T)) {
                if (take_element<T>(r, to)) continue;
                if (!r.ok()) return {restore_error::truncated};
                return {restore_error::inconsistent, "an element holds a value that its type does not have"};
            }
        } else {
            if (const restore_result bad = take_objects<T>(r, reinterpret_cast<T*>(to), st.size, out.own); !bad)
                return bad;
        }
        copy_bytes(data, &st, sizeof(st));
        out.own.seal(&section_kind<Pool>);
        out.from = &out.own;
        return fits(pool, st);
    }

    // --- hash --------------------------------------------------------------------------------------------------------------

    /// All that decides which handles come next, and the active objects; nothing of what idle objects hold.
    template <class Pool>
    static void hash(const Pool& pool, hasher& h) {
        const auto& st = pool.state_;
        h.add(std::uint64_t{st.capacity}).add(std::uint64_t{pool.used()}).add(std::uint64_t{st.known});
        for (std::uint32_t s = 0; s < st.known; ++s) h.add(std::uint64_t{pool.generations()[s]});
        h.add(std::uint64_t{st.idle});
        for (std::uint32_t i = 0; i < st.idle; ++i) h.add(std::uint64_t{pool.stack()[i]});
        hash_ages(h, st.ages, pool.aged());
        for_each_slot(pool.occupied(), pool.used(), [&](std::size_t slot) { hash_value_into(h, *pool.at(slot)); });
    }

private:
    template <class Pool>
    [[nodiscard]] static restore_result in_bounds(const Pool& pool, const state_of<Pool>& st) noexcept {
        if (st.capacity > pool.max_capacity() || st.known > pool.most_slots() ||
            st.finder.used(0) > (std::max)(st.capacity, pool.idle_slots_)) {
            return {restore_error::too_large};
        }
        return {};
    }

    template <class Pool>
    [[nodiscard]] static restore_result fits(Pool& pool, const state_of<Pool>& st) noexcept {
        if (pool.inside_ != 0) {
            pool.limits_.tell(misuse_kind::reentrant_call, restored_from_inside);
            return {restore_error::reentrant};
        }
        if (const restore_result large = in_bounds(pool, st); !large) return large;
        if (st.ages_kept != pool.state_.ages_kept)
            return {restore_error::other_options, "one of the two pools keeps ages and the other does not"};
        return {pool.make_ready(st.known) ? restore_error::none : restore_error::no_memory};
    }

    /// Every array but the elements and the built map.
    template <class Pool, class F>
    static void copy_arrays(const Pool& pool, const section_plan<recycle_arrays + 1>& p, F&& copy) noexcept {
        [&]<std::size_t... K>(std::index_sequence<K...>) {
            (copy(p.offset[K + 1], pool.memory_.template array<K + 1>(), p.bytes[K + 1]), ...);
        }(std::make_index_sequence<recycle_arrays - 1>{});
    }

    template <class Pool, std::size_t K>
    static void clear_beyond(Pool& pool, std::size_t now, std::size_t before) noexcept {
        const std::size_t from = Pool::layout::bytes(K, now);
        const std::size_t to = Pool::layout::bytes(K, before);
        if (to > from) zero_bytes(pool.memory_.template array<K>() + from, to - from);
    }

    /// The lives of now that the saved state does not have end as by release; their objects stay for the moment, and nobody gets
    /// them. A life is over before its hook runs, which may look at the others, end them and begin new ones. True when there was one.
    template <class Pool>
    [[nodiscard]] static bool end_undone(Pool& pool, const state_of<Pool>& st,
                                         const typename Pool::generation* generations) noexcept {
        bool any = false;
        for_each_slot(pool.occupied(), pool.used(), [&](std::size_t slot) {
            if (!test(pool.occupied(), slot)) return;
            if (slot < st.known && generations[slot] == pool.generations()[slot]) return;
            any = true;
            --pool.state_.size;
            if (pool.ageing()) pool.state_.ages.leave(pool.aged(), static_cast<std::uint32_t>(slot));
            ++pool.generations()[slot];
            clear(pool.occupied(), slot);
            pool.objects_.end(pool.inside_, *pool.at(slot));
        });
        return any;
    }

    /// The objects for which the saved state has no slot. Whoever is idle meanwhile is nobody's, so that a destructor which acquires
    /// gets a slot that is not looked at here. True when there was one.
    template <class Pool>
    [[nodiscard]] static bool destroy_unheld(Pool& pool, std::size_t used, const map_word* held) noexcept {
        bool any = false;
        pool.state_.idle = 0;
        pool.hollow_ = 0;
        for_each_slot(pool.built(), pool.used(), [&](std::size_t slot) {
            if (!test(pool.built(), slot) || test(pool.occupied(), slot)) return;
            if (slot < used && test(held, slot)) return;
            any = true;
            clear(pool.built(), slot);
            pool.objects_.destroy(pool.inside_, *pool.at(slot));
        });
        return any;
    }

    /// The saved object where one may exist already.
    template <class Pool>
    static void put(Pool& pool, std::size_t slot, element<Pool>&& from) noexcept {
        using T = element<Pool>;
        if (test(pool.built(), slot)) {
            if constexpr (std::is_nothrow_move_assignable_v<T>) {
                *pool.at(slot) = std::move(from);
                return;
            } else {
                pool.objects_.destroy(pool.inside_, *pool.at(slot));
            }
        }
        ::new (static_cast<void*>(pool.at(slot))) T(std::move(from));
        set(pool.built(), slot);
    }

    template <class Pool, class Maps>
    [[nodiscard]] static restore_result read_lives(image_reader& r, state_of<Pool>& st, std::uint32_t used,
                                                   const Maps& m, map_word* occupied) noexcept {
        std::uint64_t seen = 0;
        for (std::uint32_t s = 0; s < st.known; ++s) {
            const auto g = r.take<typename Pool::generation>();
            if (g > Pool::handle_type::last_generation)
                return {restore_error::inconsistent, "a generation is too large"};
            m.generations[s] = g;
            if (m.retired(s)) {
                if (Pool::pool_options.generations != generation_rule::retire) {
                    return {restore_error::inconsistent, "a slot is retired in a pool that retires none"};
                }
                ++st.retired;
            }
            if ((g & 1) == 0) continue;
            if (s >= used) return {restore_error::inconsistent, "an object lives outside of the used slots"};
            set(occupied, s);
            set(m.occupied, s);
            ++seen;
        }
        if (!r.ok()) return {restore_error::truncated};
        if (seen != st.size || seen + st.retired > st.capacity) {
            return {restore_error::inconsistent, "the counts of lives do not add up"};
        }
        return {};
    }

    /// Each idle slot once, and none that is active or retired.
    template <class State, class Maps>
    [[nodiscard]] static restore_result read_idle(image_reader& r, const State& st, std::uint32_t used, const Maps& m,
                                                  std::uint32_t* stack) noexcept {
        if (!r.has(st.idle, sizeof(std::uint32_t))) return {restore_error::truncated};
        for (std::uint32_t i = 0; i < st.idle; ++i) {
            const auto slot = r.take<std::uint32_t>();
            if (slot >= used || test(m.occupied, slot) || m.retired(slot)) {
                return {restore_error::inconsistent, "the idle slots name one that is not free"};
            }
            set(m.occupied, slot);
            stack[i] = slot;
        }
        return {};
    }
};

}  // namespace lido::detail
