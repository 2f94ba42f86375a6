// Save, restore, image and hash of a slot pool.
//
// Section:  | state | generations | occupied | spare | spare | resting | ring | links | birth | priority | elements |
// Elements that are plain bytes are copied by runs of words in which anything lives, dead slots between them included: one memcpy
// a run costs less than picking the live ones. Other elements are copied one by one, live ones only.
#pragma once

#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/age_rewind.hpp>
#include <lido/core/parts/slots/finders.hpp>
#include <lido/core/parts/slots/slot_guard.hpp>
#include <lido/core/parts/slots/slot_layout.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/history.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_part.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/core/rewind/staged.hpp>
#include <lido/core/shapes/slot/slot_ending.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace lido::detail {

struct slot_rewind {
    template <class Pool>
    using element = typename Pool::value_type;
    template <class Pool>
    using state_of = typename Pool::state;

    template <class Pool>
    static constexpr std::uint8_t shape_in_image =
        number_of(Pool::scans ? image_part::flag_pool : image_part::slot_pool);

    /// Part 0 is the state, the others are the pool's arrays by number; part at_values + slot_arrays the elements.
    template <class Pool>
    [[nodiscard]] static section_plan<slot_arrays + 1> plan(const state_of<Pool>& st,
                                                            std::size_t element_bytes) noexcept {
        using layout = typename Pool::layout;
        section_plan<slot_arrays + 1> p;
        const std::size_t used = st.finder.used(st.capacity);
        p.add(at_values, sizeof(state_of<Pool>));
        for (std::size_t k = at_generations; k < slot_arrays; ++k) {
            const bool by_known = k == at_generations;  // generations outlive the use of a slot, the other maps do not
            p.add(k, k == at_changed ? 0 : layout::bytes(k, by_known ? st.known : used));
        }
        p.add(slot_arrays, element_bytes, alignof(element<Pool>) > 16 ? alignof(element<Pool>) : 16);
        return p;
    }

    /// The live slots of each word: of a pool, in which some may be half built or ending, and of a map.
    template <class Pool>
    [[nodiscard]] static auto live_of(const Pool& pool) noexcept {
        return [&pool](std::size_t w) { return pool.live_in(w); };
    }
    [[nodiscard]] static auto words_of(const map_word* occupied) noexcept {
        return [occupied](std::size_t w) { return occupied[w]; };
    }

    /// Calls `f(offset, bytes)` for each stretch of the values in which something lives.
    template <class T, class Live, class F>
    static void for_each_run(Live&& live, std::size_t used, F&& f) {
        const std::size_t words = words_for(used);
        for (std::size_t w = 0; w < words;) {
            if (live(w) == 0) {
                ++w;
                continue;
            }
            const std::size_t first = w;
            while (w < words && live(w) != 0) ++w;
            const std::size_t end =
                w == words ? (words - 1) * block_bytes<T> + (used - (words - 1) * 64) * sizeof(T) : w * block_bytes<T>;
            f(first * block_bytes<T>, end - first * block_bytes<T>);
        }
    }

    template <class Live, class F>
    static void for_each_slot(Live&& live, std::size_t used, F&& f) {
        for (std::size_t w = 0; w < words_for(used); ++w) {
            for (map_word left = live(w); left != 0; left &= left - 1) f(w * 64 + lowest(left));
        }
    }

    // --- snapshot ----------------------------------------------------------------------------------------------------------

    template <class Pool>
    [[nodiscard]] static bool save(const Pool& pool, section& s) {
        using T = element<Pool>;
        require_snapshot_element<T>();
        const std::size_t used = pool.used();
        std::size_t bytes = 0;
        if constexpr (is_bytes<T>) {
            for_each_run<T>(live_of(pool), used, [&](std::size_t, std::size_t n) { bytes += n; });
        } else {
            bytes = pool.size() * sizeof(T);
        }
        const auto p = plan<Pool>(pool.state_, bytes);
        std::byte* const data = s.begin(p.total, alignof(T));
        if (data == nullptr) return false;
        copy_bytes(data, &pool.state_, sizeof(pool.state_));
        copy_arrays(pool, p, [data](std::size_t offset, std::byte* array, std::size_t n) {
            copy_bytes(data + offset, array, n);
        });

        if (pool.inside_ != 0) [[unlikely]]
            free_the_unfinished(pool, data, p);

        std::byte* to = data + p.offset[slot_arrays];
        if constexpr (is_bytes<T>) {
            for_each_run<T>(live_of(pool), used, [&](std::size_t offset, std::size_t n) {
                if (guarded()) {
                    copy_live(pool, to, offset, n);
                } else {
                    copy_bytes(to, pool.values() + offset, n);
                }
                to += n;
            });
        } else {
            std::size_t w = 0;
            map_word left = pool.size() != 0 ? pool.live_in(0) : 0;
            copy_objects(s, reinterpret_cast<T*>(to), pool.size(), [&]() -> const T& {
                while (left == 0) left = pool.live_in(++w);
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
        return out.template take<T>(s, st.size());
    }

    template <class Pool>
    static void commit(Pool& pool, staged<Pool>& plan_) noexcept {
        using T = element<Pool>;
        slot_ending::destroy_for_restore(pool);
        state_of<Pool> st;
        copy_bytes(&st, plan_.from->data(), sizeof(st));
        // It was made ready before; a destructor may have trimmed since.
        LIDO_VERIFY(pool.make_ready(st.known),
                    "a destructor trimmed the pool that is being restored, and the memory is gone");
        slot_guard<typename Pool::value_type>::open_as_is(pool.values(), 0, pool.ready());
        const std::size_t used_before = pool.used();
        const std::size_t known_before = pool.state_.known;
        const std::byte* const data = plan_.from->data();
        copy_bytes(&pool.state_, data, sizeof(pool.state_));
        const std::size_t used = pool.used();
        const auto p = plan<Pool>(pool.state_, 0);
        copy_arrays(pool, p, [data](std::size_t offset, std::byte* array, std::size_t n) {
            copy_bytes(array, data + offset, n);
        });
        // What lay beyond the saved part is as it was before it was first used.
        clear_beyond<Pool, at_generations>(pool, pool.state_.known, known_before);
        clear_beyond<Pool, at_occupied>(pool, used, used_before);
        clear_beyond<Pool, at_spare_first>(pool, used, used_before);
        clear_beyond<Pool, at_spare_second>(pool, used, used_before);
        clear_beyond<Pool, at_resting>(pool, used, used_before);
        if constexpr (is_bytes<T>) {
            const std::byte* from = data + p.offset[slot_arrays];
            for_each_run<T>(live_of(pool), used, [&](std::size_t offset, std::size_t n) {
                copy_bytes(pool.values() + offset, from, n);
                from += n;
            });
        } else {
            T* from = static_cast<T*>(plan_.own.objects());
            for_each_slot(live_of(pool), used,
                          [&](std::size_t slot) { ::new (static_cast<void*>(pool.at(slot))) T(std::move(*from++)); });
        }
        pool.marked_for_.forget();
        restored(pool);
    }

    // --- image -------------------------------------------------------------------------------------------------------------

    template <class Pool>
    static void write(const Pool& pool, image_writer& w) {
        using T = element<Pool>;
        require_image_element<T>();
        const auto& st = pool.state_;
        put_options<Pool>(w, shape_in_image<Pool>);
        w.put(st.capacity);
        w.put(pool.used());
        w.put(st.known);
        w.put(st.peak);
        w.put(st.acquired);
        w.put(st.released());
        put_counters(w, st.counters);
        if constexpr (Pool::has_generations) {
            for (std::uint32_t s = 0; s < st.known; ++s) w.put(pool.generations()[s]);
        } else {
            for (std::size_t i = 0; i < words_for(pool.used()); ++i) w.put(pool.occupied()[i]);
        }
        if constexpr (is_recent<Pool>) {
            w.put(st.finder.cached);
            for (std::uint32_t i = 0; i < st.finder.cached; ++i) w.put(st.finder.cache[i]);
        }
        if constexpr (is_stack<Pool>) {
            w.put(st.finder.count);
            for (std::uint32_t i = 0; i < st.finder.count; ++i) w.put(pool.maps().stack[i]);
        }
        w.put(std::uint32_t{st.rest.count});
        st.rest.walk(pool.ring(), [&w](std::uint32_t slot) { w.put(slot); });
        put_ages(w, st.ages, pool.aged());
        for_each_slot(live_of(pool), pool.used(), [&](std::size_t slot) { put_element(w, *pool.at(slot)); });
    }

    /// Reads and checks everything into out.own, in the form that save() gives it.
    template <class Pool>
    [[nodiscard]] static restore_result read(Pool& pool, image_reader& r, staged<Pool>& out) {
        using T = element<Pool>;
        using generation = typename Pool::generation;
        require_image_element<T>();
        if (const restore_result other = same_options<Pool>(r, shape_in_image<Pool>); !other) return other;

        state_of<Pool> st;
        st.capacity = r.take<std::uint32_t>();
        const auto used = r.take<std::uint32_t>();
        st.known = r.take<std::uint32_t>();
        st.peak = r.take<std::uint32_t>();
        st.acquired = r.take<std::uint64_t>();
        const auto released = r.take<std::uint64_t>();
        take_counters(r, st.counters);
        if (!r.ok()) return {restore_error::truncated};
        if (st.capacity > pool.max_capacity() || st.known > pool.max_capacity()) return {restore_error::too_large};
        if (used > st.capacity || used > st.known)
            return {restore_error::inconsistent, "more slots are used than there are"};
        if (st.acquired > most_lives || st.peak > pool.max_capacity() || released > st.acquired ||
            st.acquired - released > used || st.acquired - released > st.peak) {
            return {restore_error::inconsistent, "the counts of lives do not add up"};
        }
        if constexpr (Pool::scans) {
            if (used != st.capacity || st.known != st.capacity || used != pool.capacity())
                return {restore_error::too_large};
        } else {
            st.finder.fresh = used;
        }
        const auto live = static_cast<std::uint32_t>(st.acquired - released);
        st.slack = st.peak - live;
        const std::size_t map_bytes = Pool::has_generations ? sizeof(generation) : 0;
        if (!r.has(st.known, map_bytes) || !r.has(live, least_image_bytes<T>)) return {restore_error::truncated};

        // From here the image's own size bounds what is asked for.
        const std::size_t element_bytes = is_bytes<T> ? lived_words<Pool>(r, used) * block_bytes<T> : live * sizeof(T);
        const auto p = plan<Pool>(st, element_bytes);
        std::byte* const data = out.own.begin(p.total, alignof(T));
        if (data == nullptr) return {restore_error::no_memory};
        zero_bytes(data, p.offset[slot_arrays]);
        const auto array = [&]<class U>(std::size_t k, U*) { return reinterpret_cast<U*>(data + p.offset[k]); };
        typename Pool::maps_type m{
            array(at_occupied, static_cast<map_word*>(nullptr)),
            array(at_spare_first, static_cast<map_word*>(nullptr)),
            array(at_spare_second, static_cast<map_word*>(nullptr)),
            Pool::delays ? array(at_resting, static_cast<map_word*>(nullptr)) : nullptr,
            Pool::delays ? array(at_ring, static_cast<std::uint32_t*>(nullptr)) : nullptr,
            Pool::has_generations ? array(at_generations, static_cast<generation*>(nullptr)) : nullptr,
            Pool::handle_type::last_generation,
            true,
            is_stack<Pool> ? array(at_ring, static_cast<std::uint32_t*>(nullptr)) + Pool::pool_options.reuse_delay
                           : nullptr};
        const age_arrays aged{array(at_links, static_cast<age_links*>(nullptr)),
                              array(at_birth, static_cast<std::uint64_t*>(nullptr)),
                              array(at_priority, static_cast<std::uint8_t*>(nullptr))};

        if (const restore_result bad = read_lives<Pool>(r, st, used, live, m); !bad) return bad;
        if (const restore_result bad = read_order<Pool>(r, st, used, live, m, aged); !bad) return bad;
        if (const restore_result bad =
                read_elements<Pool>(r, used, live, m.occupied, data + p.offset[slot_arrays], out.own);
            !bad)
            return bad;
        copy_bytes(data, &st, sizeof(st));
        out.own.seal(&section_kind<Pool>);
        out.from = &out.own;
        return fits(pool, st);
    }

    // --- hash --------------------------------------------------------------------------------------------------------------

    /// All that decides what happens next, and nothing that does not (no counters, no dead bytes, no addresses).
    template <class Pool>
    static void hash(const Pool& pool, hasher& h) {
        const auto& st = pool.state_;
        h.add(std::uint64_t{st.capacity}).add(std::uint64_t{pool.used()}).add(std::uint64_t{st.known});
        if constexpr (Pool::has_generations) {
            for (std::uint32_t s = 0; s < st.known; ++s) h.add(std::uint64_t{pool.generations()[s]});
        } else {
            for (std::size_t w = 0; w < words_for(pool.used()); ++w) h.add(pool.occupied()[w]);
        }
        if constexpr (is_recent<Pool>) {
            h.add(std::uint64_t{st.finder.cached});
            for (std::uint32_t i = 0; i < st.finder.cached; ++i) h.add(std::uint64_t{st.finder.cache[i]});
        }
        if constexpr (is_stack<Pool>) {
            h.add(std::uint64_t{st.finder.count});
            for (std::uint32_t i = 0; i < st.finder.count; ++i) h.add(std::uint64_t{pool.maps().stack[i]});
        }
        st.rest.walk(pool.ring(), [&h](std::uint32_t slot) { h.add(std::uint64_t{slot}); });
        hash_ages(h, st.ages, pool.aged());
        for_each_slot(live_of(pool), pool.used(), [&](std::size_t slot) { hash_value_into(h, *pool.at(slot)); });
    }

    // --- history -----------------------------------------------------------------------------------------------------------

    /// Where a history finds what one index holds, and what has no index.
    template <class Pool>
    struct changes {
        using T = element<Pool>;
        static constexpr bool aged = Pool::tracks;
        static constexpr bool ranked = Pool::pool_options.tracks == track::priority;
        static constexpr std::size_t column_count = 1 + (aged ? 1 : 0) + (ranked ? 2 : 0);

        [[nodiscard]] static constexpr std::array<std::size_t, column_count> strides() noexcept {
            if constexpr (ranked) {
                return {sizeof(typename Pool::generation), sizeof(age_links), sizeof(std::uint64_t),
                        sizeof(std::uint8_t)};
            } else if constexpr (aged) {
                return {sizeof(typename Pool::generation), sizeof(age_links)};
            } else {
                return {sizeof(typename Pool::generation)};
            }
        }

        [[nodiscard]] static std::array<change_column, column_count> columns(const Pool& pool) noexcept {
            constexpr std::size_t numbers[] = {at_generations, at_links, at_birth, at_priority};
            std::array<change_column, column_count> all{};
            [&]<std::size_t... C>(std::index_sequence<C...>) {
                ((all[C] = {pool.memory_.template array<numbers[C]>(), strides()[C]}), ...);
            }(std::make_index_sequence<column_count>{});
            return all;
        }

        [[nodiscard]] static marks_owner_id owner(const Pool& pool) noexcept { return pool.marked_for_.history; }
        static void own(Pool& pool, marks_owner_id history) noexcept { pool.marked_for_.history = history; }
        [[nodiscard]] static map_word* marks(const Pool& pool) noexcept { return pool.changed(); }
        [[nodiscard]] static std::size_t known(const Pool& pool) noexcept { return pool.state_.known; }
        [[nodiscard]] static std::byte* value(const Pool& pool, std::size_t i) noexcept {
            return reinterpret_cast<std::byte*>(slot_address<T>(pool.values(), i));
        }
        [[nodiscard]] static bool holds_value(const Pool& pool, std::size_t i) noexcept {
            return i < pool.used() && (pool.live_in(i / 64) & bit(static_cast<unsigned>(i % 64))) != 0;
        }

        /// The state and the arrays that are small or not by index. Occupancy follows from the generations.
        static void put_whole(const Pool& pool, std::vector<std::byte>& to) {
            const auto p = whole_plan(pool.state_);
            to.resize(p.total);
            copy_bytes(to.data(), &pool.state_, sizeof(pool.state_));
            copy_arrays(pool, p, [&to](std::size_t offset, std::byte* array, std::size_t n) {
                copy_bytes(to.data() + offset, array, n);
            });
            if (pool.inside_ != 0) pool.limits_.tell(misuse_kind::reentrant_call, saved_from_inside);
        }

        [[nodiscard]] static restore_result fits(Pool& pool, std::size_t reach) noexcept {
            if (pool.inside_ != 0) {
                pool.limits_.tell(misuse_kind::reentrant_call, restored_from_inside);
                return {restore_error::reentrant};
            }
            const std::size_t need = std::min<std::size_t>(reach, pool.max_capacity());
            return {pool.make_ready(static_cast<std::uint32_t>(need)) ? restore_error::none : restore_error::no_memory};
        }

        [[nodiscard]] static std::size_t begin_restore(Pool& pool, const std::vector<std::byte>& from) noexcept {
            const std::size_t used_before = pool.used();
            slot_guard<typename Pool::value_type>::open_as_is(pool.values(), 0, pool.ready());
            copy_bytes(&pool.state_, from.data(), sizeof(pool.state_));
            copy_arrays(pool, whole_plan(pool.state_), [&from](std::size_t offset, std::byte* array, std::size_t n) {
                copy_bytes(array, from.data() + offset, n);
            });
            clear_beyond<Pool, at_spare_first>(pool, pool.used(), used_before);
            clear_beyond<Pool, at_spare_second>(pool, pool.used(), used_before);
            clear_beyond<Pool, at_resting>(pool, pool.used(), used_before);
            return used_before;
        }
        static void index_restored(Pool& pool, std::size_t i) noexcept {
            if ((pool.generations()[i] & 1) != 0) {
                set(pool.occupied(), i);
            } else {
                clear(pool.occupied(), i);
            }
        }
        static void end_restore(Pool& pool, std::size_t) noexcept { restored(pool); }

    private:
        [[nodiscard]] static section_plan<slot_arrays + 1> whole_plan(const state_of<Pool>& st) noexcept {
            section_plan<slot_arrays + 1> p;
            p.add(at_values, sizeof(state_of<Pool>));
            const std::size_t used = st.finder.used(st.capacity);
            for (const std::size_t k : {at_spare_first, at_spare_second, at_resting, at_ring}) {
                p.add(k, Pool::layout::bytes(k, used));
            }
            return p;
        }
    };

private:
    /// What is beside the state follows it.
    template <class Pool>
    static void restored(Pool& pool) noexcept {
        slot_guard<typename Pool::value_type>::close_dead(pool.values(), pool.occupied(), pool.ready());
        pool.diary_.restored(pool.ready(), [&pool](std::uint32_t slot) { return pool.generation_of(slot); });
        pool.leases_.drop_dead(pool);
    }

    /// A save from inside of a constructor or destructor: in what is saved, the slots of objects that are half built or ending are
    /// free. `data` holds copies of the state and the arrays.
    template <class Pool>
    LIDO_COLD static void free_the_unfinished(const Pool& pool, std::byte* data,
                                              const section_plan<slot_arrays + 1>& p) noexcept {
        const auto array = [&](std::size_t k) { return reinterpret_cast<map_word*>(data + p.offset[k]); };
        state_of<Pool> st = pool.state_;
        auto maps = pool.maps();
        maps.occupied = array(at_occupied);
        maps.spare_first = array(at_spare_first);
        maps.spare_second = array(at_spare_second);
        if constexpr (is_stack<Pool>)
            maps.stack = reinterpret_cast<std::uint32_t*>(data + p.offset[at_ring]) + Pool::pool_options.reuse_delay;
        if constexpr (Pool::has_generations) {
            maps.generations = reinterpret_cast<typename Pool::generation*>(data + p.offset[at_generations]);
        }
        for (std::size_t w = 0; w < words_for(pool.used()); ++w) {
            for (map_word left = maps.occupied[w] & ~pool.live_in(w); left != 0; left &= left - 1) {
                const std::size_t slot = w * 64 + lowest(left);
                clear(maps.occupied, slot);
                if (!maps.retired(slot)) continue;
                // Its last life is ending, and what becomes of the slot is not decided yet.
                if (Pool::pool_options.generations == generation_rule::retire) {
                    ++st.retired;
                } else {
                    maps.generations[slot] = 0;
                }
            }
        }
        st.finder.rebuild(maps);
        copy_bytes(data, &st, sizeof(st));
    }

    /// A run without its dead slots, which must not even be read.
    template <class Pool>
    static void copy_live(const Pool& pool, std::byte* to, std::size_t offset, std::size_t bytes) noexcept {
        using T = element<Pool>;
        for_each_slot(live_of(pool), pool.used(), [&](std::size_t slot) {
            const auto* const from = reinterpret_cast<const std::byte*>(pool.at(slot));
            const auto at = static_cast<std::size_t>(from - pool.values());
            if (at >= offset && at < offset + bytes) copy_bytes(to + (at - offset), from, sizeof(T));
        });
    }

    template <class Pool>
    static constexpr bool is_recent = requires(const Pool& p) { p.state_.finder.cached; };
    template <class Pool>
    static constexpr bool is_stack = Pool::pool_options.order == reuse::last;

    template <class Pool>
    [[nodiscard]] static restore_result fits(Pool& pool, const state_of<Pool>& st) noexcept {
        if (pool.inside_ != 0) {
            pool.limits_.tell(misuse_kind::reentrant_call, restored_from_inside);
            return {restore_error::reentrant};
        }
        if (st.capacity > pool.max_capacity() || st.known > pool.max_capacity()) return {restore_error::too_large};
        if (Pool::scans && st.capacity != pool.capacity()) return {restore_error::too_large};
        if (!pool.make_ready(st.known)) return {restore_error::no_memory};
        return {};
    }

    template <class Pool, class F>
    static void copy_arrays(const Pool& pool, const section_plan<slot_arrays + 1>& p, F&& copy) noexcept {
        [&]<std::size_t... K>(std::index_sequence<K...>) {
            (copy(p.offset[K + 1], pool.memory_.template array<K + 1>(), p.bytes[K + 1]), ...);
        }(std::make_index_sequence<slot_arrays - 1>{});
    }

    template <class Pool, std::size_t K>
    static void clear_beyond(Pool& pool, std::size_t now, std::size_t before) noexcept {
        using layout = typename Pool::layout;
        const std::size_t from = layout::bytes(K, now);
        const std::size_t to = layout::bytes(K, before);
        if (to > from) zero_bytes(pool.memory_.template array<K>() + from, to - from);
    }

    /// How many words of slots have anything alive, looked up ahead of reading them.
    template <class Pool>
    [[nodiscard]] static std::size_t lived_words(image_reader ahead, std::uint32_t used) noexcept {
        std::size_t count = 0;
        for (std::size_t w = 0; w < words_for(used); ++w) {
            map_word lives = 0;
            if constexpr (Pool::has_generations) {
                for (std::size_t s = w * 64; s < used && s < (w + 1) * 64; ++s)
                    lives |= ahead.take<typename Pool::generation>() & 1u;
            } else {
                lives = ahead.take<map_word>();
            }
            count += lives != 0 ? 1 : 0;
        }
        return count;
    }

    template <class Pool, class Maps>
    [[nodiscard]] static restore_result read_lives(image_reader& r, state_of<Pool>& st, std::uint32_t used,
                                                   std::uint32_t live, const Maps& m) noexcept {
        std::uint64_t seen = 0;
        if constexpr (Pool::has_generations) {
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
                set(m.occupied, s);
                ++seen;
            }
        } else {
            for (std::size_t w = 0; w < words_for(used); ++w) {
                m.occupied[w] = r.take<map_word>();
                if ((m.occupied[w] & ~below(w, used)) != 0) {
                    return {restore_error::inconsistent, "an object lives outside of the used slots"};
                }
                seen += static_cast<std::uint64_t>(std::popcount(m.occupied[w]));
            }
        }
        if (!r.ok()) return {restore_error::truncated};
        if (seen != live) return {restore_error::inconsistent, "the counts of lives do not add up"};
        return {};
    }

    template <class Pool, class Maps>
    [[nodiscard]] static restore_result read_order(image_reader& r, state_of<Pool>& st, std::uint32_t used,
                                                   std::uint32_t live, const Maps& m, age_arrays aged) noexcept {
        constexpr restore_result wrong{restore_error::inconsistent,
                                       "the order of free slots names a slot that is not free"};
        const auto is_free = [&](std::uint32_t s) {
            return s < used && (m.usable(s >> 6, used) & bit(s)) != 0 && !m.retired(s);
        };
        std::uint32_t cached = 0;
        if constexpr (is_recent<Pool>) {
            cached = r.take<std::uint32_t>();
            if (cached > recent_first::cache_size) return wrong;
            for (std::uint32_t i = 0; i < cached; ++i) {
                const auto slot = r.take<std::uint32_t>();
                if (!is_free(slot)) return wrong;
                for (std::uint32_t j = 0; j < i; ++j) {
                    if (st.finder.cache[j] == slot) return wrong;
                }
                st.finder.cache[i] = slot;
            }
            st.finder.cached = cached;
        }
        if constexpr (is_stack<Pool>) {
            const auto count = r.take<std::uint32_t>();
            if (count > used - live) return wrong;
            for (std::uint32_t i = 0; i < count; ++i) {
                const auto slot = r.take<std::uint32_t>();
                if (!is_free(slot)) return wrong;
                // Taken while the list is read, so that none comes twice and none rests as well.
                set(m.occupied, slot);
                st.finder.give(m, slot);
            }
        }
        const auto resting = r.take<std::uint32_t>();
        if (resting > Pool::pool_options.reuse_delay) return wrong;
        if constexpr (Pool::delays) {
            for (std::uint32_t i = 0; i < resting; ++i) {
                const auto slot = r.take<std::uint32_t>();
                if (!is_free(slot)) return wrong;
                if constexpr (is_recent<Pool>) {
                    for (std::uint32_t j = 0; j < cached; ++j) {
                        if (st.finder.cache[j] == slot) return wrong;
                    }
                }
                static_cast<void>(st.rest.push(m.ring, m.resting, slot));
            }
        }
        if constexpr (is_stack<Pool>) {
            for (std::uint32_t i = 0; i < st.finder.count; ++i) clear(m.occupied, m.stack[i]);
        }
        st.finder.rebuild(m);
        if (!r.ok()) return {restore_error::truncated};
        return take_ages(r, st.ages, aged, live, [&](std::uint32_t s) { return s < used && test(m.occupied, s); });
    }

    template <class Pool>
    [[nodiscard]] static restore_result read_elements(image_reader& r, std::uint32_t used, std::uint32_t live,
                                                      const map_word* occupied, std::byte* to, section& own) {
        using T = element<Pool>;
        if constexpr (is_bytes<T>) {
            // Elements go where save() would have copied them: runs of words, one after the other.
            bool sound = true;
            std::byte* run = to;
            for_each_run<T>(words_of(occupied), used, [&](std::size_t offset, std::size_t n) {
                zero_bytes(run, n);
                const std::size_t first = offset / block_bytes<T>;
                for (std::size_t w = first; w < words_for(used) && w * block_bytes<T> < offset + n; ++w) {
                    for (map_word left = occupied[w]; left != 0 && sound; left &= left - 1) {
                        sound = take_element<T>(r, run + (w - first) * block_bytes<T> + lowest(left) * sizeof(T));
                    }
                }
                run += n;
            });
            static_cast<void>(live);
            static_cast<void>(own);
            if (!r.ok()) return {restore_error::truncated};
            if (!sound) return {restore_error::inconsistent, "an element holds a value that its type does not have"};
            return {};
        } else {
            return take_objects<T>(r, reinterpret_cast<T*>(to), live, own);
        }
    }
};

}  // namespace lido::detail
