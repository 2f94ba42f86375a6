// Save, restore, image and hash of a slot_pool: what parts/slots/slot_table_rewind.hpp says, and the objects.
//
// Elements that are plain bytes are copied by runs of words in which anything lives, dead slots between them included: one memcpy
// a run costs less than picking the live ones. Other elements are copied one by one, live ones only.
#pragma once

#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/slots/finders.hpp>
#include <lido/core/parts/slots/limbo_rewind.hpp>
#include <lido/core/parts/slots/slot_guard.hpp>
#include <lido/core/parts/slots/slot_layout.hpp>
#include <lido/core/parts/slots/slot_table_rewind.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_part.hpp>
#include <lido/core/rewind/marks.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/core/shapes/slot/slot_ending.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace lido::detail {

struct slot_rewind : slot_table_rewind {
    template <class Pool>
    static constexpr std::uint8_t shape_in_image =
        number_of(table_of<Pool>::scans      ? image_part::flag_pool
                  : table_of<Pool>::confirms ? image_part::confirmed_slot_pool
                                             : image_part::slot_pool);

    // --- snapshot ----------------------------------------------------------------------------------------------------------

    template <class Pool>
    [[nodiscard]] static bool save(const Pool& pool, section& s) {
        using T = typename Pool::value_type;
        require_snapshot_element<T>();
        const auto& table = rewind_door::table(pool);
        if constexpr (table_of<Pool>::confirms) {
            if (table.inside() != 0) {
                table.limits().tell(misuse_kind::reentrant_call, saved_from_inside);
                return false;
            }
        }
        std::size_t bytes = 0;
        if constexpr (is_bytes<T>) {
            for_each_run<T>(live_of(table), table.used(), [&](std::size_t, std::size_t n) { bytes += n; });
        } else {
            bytes = table.size() * sizeof(T);
        }
        const auto p = plan<table_of<Pool>>(table.now(), bytes);
        std::byte* const data = s.begin(p.total, alignof(T));
        if (data == nullptr) return false;
        save_table(table, data, p);
        if (table.inside() != 0) [[unlikely]]
            free_the_unfinished(table, data, p);

        std::byte* to = data + p.offset[table_of<Pool>::layout::arrays];
        if constexpr (is_bytes<T>) {
            for_each_run<T>(live_of(table), table.used(), [&](std::size_t offset, std::size_t n) {
                if (guarded()) {
                    copy_live(table, to, offset, n);
                } else {
                    copy_bytes(to, table.values() + offset, n);
                }
                to += n;
            });
        } else {
            save_objects(table, s, to);
        }
        s.seal(&section_kind<Pool>);
        return true;
    }

    template <class Pool>
    [[nodiscard]] static restore_result stage(Pool& pool, const section& s, staged<Pool>& out) {
        return stage_table<Pool>(s, out, [&](const auto& st) {
            const restore_result room = fits(rewind_door::table(pool), st);
            if constexpr (table_of<Pool>::confirms) {
                if (room) {
                    return limbo_rewind::can_come_back<false>(
                        rewind_door::table(pool), limbo_in<table_of<Pool>>(s.data(), st, plan<table_of<Pool>>(st, 0)));
                }
            }
            return room;
        });
    }

    template <class Pool>
    static void commit(Pool& pool, staged<Pool>& plan_) noexcept {
        using T = typename Pool::value_type;
        auto& table = rewind_door::table(pool);
        rewind_door::begins(pool);
        const auto st = state_in<table_of<Pool>>(*plan_.from);
        const auto p = plan<table_of<Pool>>(st, 0);
        [[maybe_unused]] std::uint64_t past = 0;
        if constexpr (table_of<Pool>::confirms) {
            past = table.now().limbo.past;
            limbo_rewind::end_unknown<slot_lives>(table, limbo_in<table_of<Pool>>(plan_.from->data(), st, p));
        } else {
            slot_ending::destroy_for_restore(table);
        }
        // It was made ready before; a destructor may have trimmed since.
        LIDO_VERIFY(table.make_ready(st.known),
                    "a destructor trimmed the pool that is being restored, and the memory is gone");
        slot_guard<T>::open_as_is(table.values(), 0, table.ready());
        load_table(table, plan_.from->data(), p,
                   [](std::size_t k) { return !(table_of<Pool>::confirms && k == table_of<Pool>::layout::at_owed); });
        if constexpr (is_bytes<T>) {
            const std::byte* from = plan_.from->data() + p.offset[table_of<Pool>::layout::arrays];
            for_each_run<T>(live_of(table), table.used(), [&](std::size_t offset, std::size_t n) {
                copy_bytes(table.values() + offset, from, n);
                from += n;
            });
        } else {
            T* from = static_cast<T*>(plan_.own.objects());
            for_each_slot(live_of(table), table.used(),
                          [&](std::size_t slot) { put(table, slot, std::move(*from++)); });
        }
        if constexpr (table_of<Pool>::confirms) limbo_rewind::restored(table, past);
        table.marked_for().forget();
        restored(pool);
    }

    // --- image -------------------------------------------------------------------------------------------------------------

    template <class Pool>
    static void write(const Pool& pool, image_writer& w) {
        require_image_element<typename Pool::value_type>();
        const auto& table = rewind_door::table(pool);
        const auto& st = table.now();
        put_options<Pool>(w, shape_in_image<Pool>);
        w.put(st.capacity);
        w.put(table.used());
        w.put(st.known);
        w.put(st.peak);
        w.put(st.acquired);
        w.put(st.released());
        put_counters(w, st.counters);
        if constexpr (table_of<Pool>::confirms) limbo_rewind::put_counts(w, table);
        if constexpr (table_of<Pool>::has_generations) {
            put_generations(w, table);
        } else {
            for (std::size_t i = 0; i < words_for(table.used()); ++i) w.put(table.occupied()[i]);
        }
        if constexpr (table_of<Pool>::confirms) limbo_rewind::put_ends(w, table);
        if constexpr (is_recent<table_of<Pool>>) {
            w.put(st.finder.cached);
            for (std::uint32_t i = 0; i < st.finder.cached; ++i) w.put(table.cache()[i]);
        }
        if constexpr (is_stack<table_of<Pool>>) {
            w.put(st.finder.count);
            for (std::uint32_t i = 0; i < st.finder.count; ++i) w.put(table.cache()[i]);
        }
        w.put(std::uint32_t{st.rest.count});
        st.rest.walk(table.ring(), [&w](std::uint32_t slot) { w.put(slot); });
        put_lives(w, table);
    }

    /// Reads and checks everything into out.own, in the form that save() gives it.
    template <class Pool>
    [[nodiscard]] static restore_result read(Pool& pool, image_reader& r, staged<Pool>& out) {
        using T = typename Pool::value_type;
        using table_type = table_of<Pool>;
        require_image_element<T>();
        if (const restore_result other = same_options<Pool>(r, shape_in_image<Pool>); !other) return other;

        auto& table = rewind_door::table(pool);
        state_of<Pool> st;
        st.capacity = r.take<std::uint32_t>();
        const auto used = r.take<std::uint32_t>();
        st.known = r.take<std::uint32_t>();
        st.peak = r.take<std::uint32_t>();
        st.acquired = r.take<std::uint64_t>();
        const auto released = r.take<std::uint64_t>();
        take_counters(r, st.counters);
        if (!r.ok()) return {restore_error::truncated};
        if (table_type::scans && st.capacity != table.capacity()) return other_capacity;
        if (st.capacity > table.max_capacity() || st.known > table.max_capacity()) return {restore_error::too_large};
        if (used > st.capacity || used > st.known)
            return {restore_error::inconsistent, "more slots are used than there are"};
        if (st.acquired > most_lives || st.peak > table.max_capacity() || released > st.acquired ||
            st.acquired - released > used || st.acquired - released > st.peak) {
            return {restore_error::inconsistent, "the counts of lives do not add up"};
        }
        if constexpr (table_type::scans) {
            if (used != st.capacity || st.known != st.capacity)
                return {restore_error::inconsistent, "a flag_pool uses all of its slots, and these are not all"};
        } else {
            st.finder.fresh = used;
        }
        const auto live = static_cast<std::uint32_t>(st.acquired - released);
        st.slack = st.peak - live;
        if constexpr (table_type::confirms) {
            if (const restore_result bad = limbo_rewind::take_counts(r, st, used); !bad) return bad;
        }
        const std::size_t map_bytes = table_type::has_generations ? sizeof(typename table_type::generation) : 0;
        if (!r.has(st.known, map_bytes) || !r.has(live, least_image_bytes<T>)) return {restore_error::truncated};

        // From here the image's own size bounds what is asked for.
        const std::size_t element_bytes =
            is_bytes<T> ? lived_words<table_type>(r, used) * block_bytes<T> : live * sizeof(T);
        const auto p = plan<table_type>(st, element_bytes);
        std::byte* const data = out.own.begin(p.total, alignof(T));
        if (data == nullptr) return {restore_error::no_memory};
        std::byte* const elements = data + p.offset[table_type::layout::arrays];
        zero_bytes(data, static_cast<std::size_t>(elements - data));
        const arrays_in<table_type> in{data, p, st};
        if (const restore_result bad = read_lives(r, st, used, live, in); !bad) return bad;
        if constexpr (table_type::confirms) {
            copy_bytes(in.words(table_type::layout::at_taken), in.words(at_occupied),
                       words_for(used) * sizeof(map_word));
            if (const restore_result bad =
                    limbo_rewind::take_ends<table_type>(r, st, used, in, in.words(table_type::layout::at_taken));
                !bad)
                return bad;
        }
        if (const restore_result bad = read_order(r, st, used, live, in); !bad) return bad;
        if (const restore_result bad = read_elements<T>(r, used, live, in.words(at_occupied), elements, out.own); !bad)
            return bad;
        copy_bytes(data, &st, sizeof(st));
        out.own.seal(&section_kind<Pool>);
        out.from = &out.own;
        return fits(table, st);
    }

    // --- hash --------------------------------------------------------------------------------------------------------------

    /// All that decides what happens next, and nothing that does not (no counters, no dead bytes, no addresses).
    template <class Pool>
    static void hash(const Pool& pool, hasher& h) {
        const auto& table = rewind_door::table(pool);
        const auto& st = table.now();
        hash_slots(h, table);
        if constexpr (table_of<Pool>::confirms) limbo_rewind::hash(h, table);
        if constexpr (is_recent<table_of<Pool>>) {
            h.add(std::uint64_t{st.finder.cached});
            for (std::uint32_t i = 0; i < st.finder.cached; ++i) h.add(std::uint64_t{table.cache()[i]});
        }
        if constexpr (is_stack<table_of<Pool>>) {
            h.add(std::uint64_t{st.finder.count});
            for (std::uint32_t i = 0; i < st.finder.count; ++i) h.add(std::uint64_t{table.cache()[i]});
        }
        st.rest.walk(table.ring(), [&h](std::uint32_t slot) { h.add(std::uint64_t{slot}); });
        hash_lives(h, table);
    }

    // --- history -----------------------------------------------------------------------------------------------------------

    /// Where a history finds what one index holds, and what has no index.
    template <class Pool>
    struct changes {
        using T = typename Pool::value_type;
        using table_type = table_of<Pool>;
        static constexpr bool aged = table_type::tracks;
        static constexpr bool ranked = Pool::pool_options.tracks == track::priority;
        static constexpr std::size_t column_count = 1 + (aged ? 1 : 0) + (ranked ? 2 : 0);

        [[nodiscard]] static constexpr std::array<std::size_t, column_count> strides() noexcept {
            constexpr std::size_t generation = sizeof(typename table_type::generation);
            if constexpr (ranked) {
                return {generation, sizeof(age_links), sizeof(std::uint64_t), sizeof(std::uint8_t)};
            } else if constexpr (aged) {
                return {generation, sizeof(age_links)};
            } else {
                return {generation};
            }
        }

        [[nodiscard]] static std::array<change_column, column_count> columns(const Pool& pool) noexcept {
            constexpr std::size_t numbers[] = {at_generations, at_links, at_birth, at_priority};
            std::array<change_column, column_count> all{};
            [&]<std::size_t... C>(std::index_sequence<C...>) {
                ((all[C] = {of(pool).template array<numbers[C]>(), strides()[C]}), ...);
            }(std::make_index_sequence<column_count>{});
            return all;
        }

        [[nodiscard]] static marks_owner_id owner(const Pool& pool) noexcept { return of(pool).marked_for().history; }
        static void own(Pool& pool, marks_owner_id history) noexcept { of(pool).marked_for().history = history; }
        [[nodiscard]] static map_word* marks(const Pool& pool) noexcept { return of(pool).changed(); }
        [[nodiscard]] static std::size_t known(const Pool& pool) noexcept { return of(pool).now().known; }
        [[nodiscard]] static std::byte* value(const Pool& pool, std::size_t i) noexcept {
            return reinterpret_cast<std::byte*>(slot_address<T>(of(pool).values(), i));
        }
        [[nodiscard]] static bool holds_value(const Pool& pool, std::size_t i) noexcept {
            return i < of(pool).used() && (of(pool).live_in(i / 64) & bit(static_cast<unsigned>(i % 64))) != 0;
        }

        /// The state and the arrays that are small or not by index. Occupancy follows from the generations; the cache before it does not.
        static void put_whole(const Pool& pool, std::vector<std::byte>& to) {
            const auto& table = of(pool);
            const auto p = whole_plan(table.now());
            to.resize(p.total);
            save_table(table, to.data(), p);
            if (table.inside() != 0) table.limits().tell(misuse_kind::reentrant_call, saved_from_inside);
        }

        [[nodiscard]] static restore_result fits(Pool& pool, std::size_t reach) noexcept {
            auto& table = of(pool);
            if (const restore_result inside = from_outside(table); !inside) return inside;
            const std::size_t need = std::min<std::size_t>(reach, table.max_capacity());
            return {table.make_ready(static_cast<std::uint32_t>(need)) ? restore_error::none
                                                                       : restore_error::no_memory};
        }

        [[nodiscard]] static std::size_t begin_restore(Pool& pool, const std::vector<std::byte>& from) noexcept {
            auto& table = of(pool);
            rewind_door::begins(pool);
            const std::size_t used_before = table.used();
            slot_guard<T>::open_as_is(table.values(), 0, table.ready());
            typename table_type::state st;
            copy_bytes(&st, from.data(), sizeof(st));
            load_table(table, from.data(), whole_plan(st), [](std::size_t k) { return in_whole(k); });
            return used_before;
        }
        static void index_restored(Pool& pool, std::size_t i) noexcept {
            auto& table = of(pool);
            if ((table.generations()[i] & 1) != 0) {
                set(table.occupied(), i);
            } else {
                clear(table.occupied(), i);
            }
        }
        static void end_restore(Pool& pool, std::size_t) noexcept { restored(pool); }

    private:
        [[nodiscard]] static auto& of(Pool& pool) noexcept { return rewind_door::table(pool); }
        [[nodiscard]] static const auto& of(const Pool& pool) noexcept { return rewind_door::table(pool); }

        [[nodiscard]] static plan_of<table_type> whole_plan(const typename table_type::state& st) noexcept {
            plan_of<table_type> p;
            p.add(at_values, sizeof(st));
            for (std::size_t k = at_generations; k < table_type::layout::arrays; ++k) {
                const std::size_t bytes = table_type::layout::saved_bytes(k, st);
                p.add(k, k == at_occupied ? (std::min)(bytes, table_type::layout::cache_bytes)
                         : in_whole(k)    ? bytes
                                          : 0);
            }
            return p;
        }
        [[nodiscard]] static constexpr bool in_whole(std::size_t k) noexcept {
            return (k >= at_occupied && k <= at_ring);
        }
    };

private:
    /// The saved object, where none is, or the one that a save of before its end brings back.
    template <class Table, class T = typename Table::value_type>
    static void put(Table& table, std::size_t slot, T&& from) noexcept {
        if constexpr (Table::confirms) {
            static_assert(std::is_nothrow_move_assignable_v<T>,
                          "lido: with options::confirmed_ends a restore brings back the same object, whose value is "
                          "moved onto it: make the element's move assignment noexcept");
            if (table.owed()[slot] != 0) {
                *table.at(slot) = std::move(from);
                return;
            }
        }
        ::new (static_cast<void*>(table.at(slot))) T(std::move(from));
    }

    /// What is beside the state follows it.
    template <class Pool>
    static void restored(Pool& pool) noexcept {
        const auto& table = rewind_door::table(pool);
        slot_guard<typename Pool::value_type>::close_dead(table.values(), table.occupied(), table.ready());
        rewind_door::restored(pool);
    }

    template <class Table>
    static constexpr bool is_recent = requires(const Table& t) { t.now().finder.cached; };
    template <class Table>
    static constexpr bool is_stack = Table::layout::has_stack;

    static constexpr restore_result other_capacity{
        restore_error::too_large,
        "saved from a flag_pool of another capacity: it takes a save of as many slots as it has"};

    template <class Table>
    [[nodiscard]] static restore_result fits(Table& table, const typename Table::state& st) noexcept {
        if (const restore_result inside = from_outside(table); !inside) return inside;
        if (Table::scans && st.capacity != table.capacity()) return other_capacity;
        return has_room(table, st, table.max_capacity());
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

    /// A save from inside of a constructor or destructor: in what is saved, the slots of objects that are half built or ending are
    /// free. `data` has copies of the state and the arrays.
    template <class Table>
    LIDO_COLD static void free_the_unfinished(const Table& table, std::byte* data, const plan_of<Table>& p) noexcept {
        typename Table::state st = table.now();
        auto maps = arrays_in<Table>{data, p, st}.maps();
        maps.any_retired = st.retired != 0;
        for (std::size_t w = 0; w < words_for(table.used()); ++w) {
            for (map_word left = maps.occupied[w] & ~table.live_in(w); left != 0; left &= left - 1) {
                const std::size_t slot = w * 64 + lowest(left);
                clear(maps.occupied, slot);
                if (!maps.retired(slot)) continue;
                // Its last life is ending, and what becomes of the slot is not decided yet.
                if (Table::pool_options.generations == generation_rule::retire) {
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
    template <class Table>
    static void copy_live(const Table& table, std::byte* to, std::size_t offset, std::size_t bytes) noexcept {
        for_each_slot(live_of(table), table.used(), [&](std::size_t slot) {
            const auto* const from = reinterpret_cast<const std::byte*>(table.at(slot));
            const auto at = static_cast<std::size_t>(from - table.values());
            if (at >= offset && at < offset + bytes) copy_bytes(to + (at - offset), from, sizeof(*table.at(slot)));
        });
    }

    /// How many words of slots have anything alive, looked up ahead of reading them.
    template <class Table>
    [[nodiscard]] static std::size_t lived_words(image_reader ahead, std::uint32_t used) noexcept {
        std::size_t count = 0;
        for (std::size_t w = 0; w < words_for(used); ++w) {
            map_word lives = 0;
            if constexpr (Table::has_generations) {
                for (std::size_t s = w * 64; s < used && s < (w + 1) * 64; ++s)
                    lives |= ahead.take<typename Table::generation>() & 1u;
            } else {
                lives = ahead.take<map_word>();
            }
            count += lives != 0 ? 1 : 0;
        }
        return count;
    }

    template <class Table>
    [[nodiscard]] static restore_result read_lives(image_reader& r, typename Table::state& st, std::uint32_t used,
                                                   std::uint32_t live, const arrays_in<Table>& in) noexcept {
        std::uint64_t seen = 0;
        if constexpr (Table::has_generations) {
            if (const restore_result bad = take_generations<Table>(r, st, used, in, seen); !bad) return bad;
        } else {
            map_word* const occupied = in.words(at_occupied);
            for (std::size_t w = 0; w < words_for(used); ++w) {
                occupied[w] = r.take<map_word>();
                if ((occupied[w] & ~below(w, used)) != 0) {
                    return {restore_error::inconsistent, "an object lives outside of the used slots"};
                }
                seen += static_cast<std::uint64_t>(std::popcount(occupied[w]));
            }
        }
        if (!r.ok()) return {restore_error::truncated};
        if (seen != live) return {restore_error::inconsistent, "the counts of lives do not add up"};
        return {};
    }

    template <class Table>
    [[nodiscard]] static restore_result read_order(image_reader& r, typename Table::state& st, std::uint32_t used,
                                                   std::uint32_t live, const arrays_in<Table>& in) noexcept {
        constexpr restore_result wrong{restore_error::inconsistent,
                                       "the order of free slots names a slot that is not free"};
        const auto m = in.maps();
        const auto is_free = [&](std::uint32_t s) {
            return s < used && (m.usable(s >> 6, used) & bit(s)) != 0 && !m.retired(s);
        };
        std::uint32_t cached = 0;
        if constexpr (is_recent<Table>) {
            cached = r.take<std::uint32_t>();
            if (cached > recent_first::cache_size) return wrong;
            for (std::uint32_t i = 0; i < cached; ++i) {
                const auto slot = r.take<std::uint32_t>();
                if (!is_free(slot)) return wrong;
                for (std::uint32_t j = 0; j < i; ++j) {
                    if (m.cache[j] == slot) return wrong;
                }
                m.cache[i] = slot;
            }
            st.finder.cached = cached;
        }
        if constexpr (is_stack<Table>) {
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
        if (resting > Table::pool_options.reuse_delay) return wrong;
        if constexpr (Table::delays) {
            for (std::uint32_t i = 0; i < resting; ++i) {
                const auto slot = r.take<std::uint32_t>();
                if (!is_free(slot)) return wrong;
                if constexpr (is_recent<Table>) {
                    for (std::uint32_t j = 0; j < cached; ++j) {
                        if (m.cache[j] == slot) return wrong;
                    }
                }
                static_cast<void>(st.rest.push(m.ring, m.resting, slot));
            }
        }
        if constexpr (is_stack<Table>) {
            for (std::uint32_t i = 0; i < st.finder.count; ++i) clear(m.occupied, m.cache[i]);
        }
        st.finder.rebuild(m);
        if (!r.ok()) return {restore_error::truncated};
        const auto lives = [&](std::uint32_t s) { return s < used && test(in.words(at_occupied), s); };
        return take_ages(r, st.ages, in.aged(), live, lives);
    }

    template <class T>
    [[nodiscard]] static restore_result read_elements(image_reader& r, [[maybe_unused]] std::uint32_t used,
                                                      [[maybe_unused]] std::uint32_t live,
                                                      [[maybe_unused]] const map_word* occupied, std::byte* to,
                                                      [[maybe_unused]] section& own) {
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
            if (!r.ok()) return {restore_error::truncated};
            if (!sound) return {restore_error::inconsistent, "an element holds a value that its type does not have"};
            return {};
        } else {
            return take_objects<T>(r, reinterpret_cast<T*>(to), live, own);
        }
    }
};

}  // namespace lido::detail
