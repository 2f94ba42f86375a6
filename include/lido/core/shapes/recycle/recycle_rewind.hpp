// Save, restore, image and hash of a recycle_pool: what parts/slots/slot_table_rewind.hpp says, and the active objects.
//
// Idle objects are not in it: only which slots are idle, in which order. Which objects exist (the built map) is the pool's own.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/parts/slots/inner_calls.hpp>
#include <lido/core/parts/slots/limbo_rewind.hpp>
#include <lido/core/parts/slots/slot_guard.hpp>
#include <lido/core/parts/slots/slot_table_rewind.hpp>
#include <lido/core/rewind/elements.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_part.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/core/shapes/recycle/recycle_ending.hpp>
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

struct recycle_rewind : slot_table_rewind {
    template <class Pool>
    static constexpr std::uint8_t shape_in_image =
        number_of(Pool::pool_options.confirmed_ends ? image_part::confirmed_recycle_pool : image_part::recycle_pool);

    // --- snapshot ----------------------------------------------------------------------------------------------------------

    template <class Pool>
    [[nodiscard]] static bool save(const Pool& pool, section& s) {
        using T = typename Pool::value_type;
        require_snapshot_element<T>();
        const auto& table = rewind_door::table(pool);
        if (table.inside() != 0) {
            table.limits().tell(misuse_kind::reentrant_call, saved_from_inside);
            return false;
        }
        const auto p = plan<table_of<Pool>>(table.now(), table.size() * sizeof(T));
        std::byte* const data = s.begin(p.total, alignof(T));
        if (data == nullptr) return false;
        save_table(table, data, p);
        std::byte* to = data + p.offset[table_of<Pool>::layout::arrays];
        if constexpr (is_bytes<T>) {
            for_each_slot(live_of(table), table.used(), [&](std::size_t slot) {
                copy_bytes(to, table.at(slot), sizeof(T));
                to += sizeof(T);
            });
        } else {
            save_objects(table, s, to);
        }
        s.seal(&section_kind<Pool>);
        return true;
    }

    template <class Pool>
    [[nodiscard]] static restore_result stage(Pool& pool, const section& s, staged<Pool>& out) {
        using T = typename Pool::value_type;
        return stage_table<Pool>(s, out, [&](const auto& st) {
            const auto& table = rewind_door::table(pool);
            const restore_result room = fits(rewind_door::table(pool), st);
            if constexpr (table_of<Pool>::confirms) {
                if (room)
                    return limbo_rewind::can_come_back<only_comes_back<T>>(
                        table, limbo_in<table_of<Pool>>(s.data(), st, plan<table_of<Pool>>(st, 0)));
            }
            return room;
        });
    }

    template <class Pool>
    static void commit(Pool& pool, staged<Pool>& plan_) noexcept {
        using T = typename Pool::value_type;
        auto& table = rewind_door::table(pool);
        rewind_door::begins(pool);
        const std::byte* const data = plan_.from->data();
        const auto st = state_in<table_of<Pool>>(*plan_.from);
        const auto p = plan<table_of<Pool>>(st, 0);
        slot_guard<T>::open_as_is(table.values(), 0, table.ready());
        const std::size_t used = st.finder.used(0);
        const auto* const lives =
            reinterpret_cast<const typename table_of<Pool>::generation*>(data + p.offset[at_generations]);
        const auto* const held = reinterpret_cast<const map_word*>(data + p.offset[at_held]);
        const letting_go<table_of<Pool>> now(table);
        [[maybe_unused]] std::uint64_t past = 0;
        if constexpr (table_of<Pool>::confirms) {
            past = table.now().limbo.past;
            limbo_rewind::end_unknown<recycle_ending>(table, limbo_in<table_of<Pool>>(data, st, p));
            if constexpr (hears_of_undone_ends<T>) {
                limbo_rewind::for_each_undone_end(
                    table, limbo_in<table_of<Pool>>(data, st, p),
                    [&table](std::uint32_t slot) { table.hooks().end_undone(table.inside(), *table.at(slot)); });
            }
        }
        // A hook or destructor that acquires makes one more pass necessary.
        for (int pass = 0; end_undone(table, st, lives) || destroy_unheld(table, used, held); ++pass) {
            LIDO_VERIFY(pass < 1000, "an element keeps acquiring from the pool that is being restored");
        }
        // It was made ready before; a hook may have trimmed since.
        LIDO_VERIFY(table.make_ready(st.known),
                    "a hook trimmed the pool that is being restored, and the memory is gone");
        slot_guard<T>::open_as_is(table.values(), 0, table.ready());
        load_table(table, data, p, [](std::size_t k) {
            return k != at_built && !(table_of<Pool>::confirms && k == table_of<Pool>::layout::at_owed);
        });
        if constexpr (is_bytes<T>) {
            const std::byte* from = data + p.offset[table_of<Pool>::layout::arrays];
            for_each_slot(live_of(table), used, [&](std::size_t slot) {
                std::memcpy(static_cast<void*>(table.at(slot)), from, sizeof(T));
                set(table.built(), slot);
                from += sizeof(T);
            });
        } else {
            T* from = static_cast<T*>(plan_.own.objects());
            for_each_slot(live_of(table), used, [&](std::size_t slot) { put(table, slot, std::move(*from++)); });
        }
        if (table.ageing() && Pool::pool_options.ages_by_setting && !st.ages_kept) table.age_those_that_live();
        table.hollow() = 0;
        for (std::uint32_t i = 0; i < st.idle; ++i) table.hollow() += test(table.built(), table.stack()[i]) ? 0u : 1u;
        if constexpr (table_of<Pool>::confirms) limbo_rewind::restored(table, past);
        recycle_objects::close_dead(table);
        rewind_door::restored(pool);
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
        w.put(st.live);
        w.put(st.idle);
        w.put(st.acquired);
        for (const std::uint64_t n : {st.first_lives, st.created, st.destroyed, st.idle_overflow}) w.put(n);
        put_counters(w, st.counters);
        if constexpr (table_of<Pool>::confirms) limbo_rewind::put_counts(w, table);
        put_generations(w, table);
        if constexpr (table_of<Pool>::confirms) limbo_rewind::put_ends(w, table);
        for (std::uint32_t i = 0; i < st.idle; ++i) w.put(table.stack()[i]);
        if constexpr (Pool::pool_options.ages_by_setting) w.put(static_cast<std::uint8_t>(st.ages_kept ? 1 : 0));
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
        st.live = r.take<std::uint32_t>();
        st.idle = r.take<std::uint32_t>();
        st.acquired = r.take<std::uint64_t>();
        for (std::uint64_t* n : {&st.first_lives, &st.created, &st.destroyed, &st.idle_overflow})
            *n = r.take<std::uint64_t>();
        take_counters(r, st.counters);
        if (!r.ok()) return {restore_error::truncated};
        st.finder.fresh = used;
        if (const restore_result large = in_bounds(table, st); !large) return large;
        if (used > st.known) return {restore_error::inconsistent, "more slots are used than there are"};
        if (st.acquired > most_lives || st.live > st.acquired || st.first_lives > st.acquired ||
            st.peak > table.max_capacity() || st.live > st.capacity || std::uint64_t{st.live} + st.idle > used) {
            return {restore_error::inconsistent, "the counts of lives do not add up"};
        }
        if constexpr (table_type::confirms) {
            if (const restore_result bad = limbo_rewind::take_counts(r, st, used); !bad) return bad;
        }
        if (!r.has(st.known, sizeof(typename table_type::generation)) || !r.has(st.live, least_image_bytes<T>)) {
            return {restore_error::truncated};
        }

        // From here the image's own size bounds what is asked for.
        const auto p = plan<table_type>(st, std::size_t{st.live} * sizeof(T));
        std::byte* const data = out.own.begin(p.total, alignof(T));
        if (data == nullptr) return {restore_error::no_memory};
        zero_bytes(data, p.offset[table_of<Pool>::layout::arrays]);
        const arrays_in<table_type> in{data, p, st};
        if (const restore_result bad = read_lives(r, st, used, in); !bad) return bad;
        if constexpr (table_of<Pool>::confirms) {
            if (const restore_result bad = limbo_rewind::take_ends<table_type>(r, st, used, in, in.words(at_held));
                !bad)
                return bad;
        }
        if (const restore_result bad = read_idle(r, st, used, in); !bad) return bad;
        st.finder.rebuild(in.maps());
        if constexpr (Pool::pool_options.ages_by_setting) {
            st.ages_kept = r.take<std::uint8_t>() != 0;
            if (!table.ages_fit(st)) return {restore_error::other_options};
        }
        const bool aged = Pool::pool_options.ages_by_setting ? st.ages_kept : table.ageing();
        const auto lives = [&](std::uint32_t s) { return s < used && test(in.words(at_occupied), s); };
        if (const restore_result bad = take_ages(r, st.ages, in.aged(), aged ? st.live : 0, lives); !bad) return bad;

        std::byte* to = data + p.offset[table_of<Pool>::layout::arrays];
        if constexpr (is_bytes<T>) {
            for (std::uint32_t i = 0; i < st.live; ++i, to += sizeof(T)) {
                if (take_element<T>(r, to)) continue;
                if (!r.ok()) return {restore_error::truncated};
                return {restore_error::inconsistent, "an element holds a value that its type does not have"};
            }
        } else {
            if (const restore_result bad = take_objects<T>(r, reinterpret_cast<T*>(to), st.live, out.own); !bad)
                return bad;
        }
        copy_bytes(data, &st, sizeof(st));
        out.own.seal(&section_kind<Pool>);
        out.from = &out.own;
        return fits(table, st);
    }

    /// Whether that life is among what a read or stage has made ready: for who restores something else beside the pool that names lives.
    template <class Pool>
    [[nodiscard]] static bool lives_in(const staged<Pool>& from, typename Pool::handle_type life) noexcept {
        using generation = typename table_of<Pool>::generation;
        const auto st = state_in<table_of<Pool>>(*from.from);
        const auto p = plan<table_of<Pool>>(st, 0);
        const auto* const lives = reinterpret_cast<const generation*>(from.from->data() + p.offset[at_generations]);
        return (life.generation() & 1) != 0 && life.index() < st.known && lives[life.index()] == life.generation();
    }

    /// The tick that ends of a pool which confirms them are in, of what a read has made ready.
    template <class Pool>
    [[nodiscard]] static std::uint64_t tick_in(const staged<Pool>& from) noexcept
        requires(table_of<Pool>::confirms)
    {
        return state_in<table_of<Pool>>(*from.from).limbo.tick;
    }

    /// Calls f(handle, element) for each life that a read has made ready, in the order of slots. Pre: it has said yes.
    template <class Pool, class F>
    static void for_each_staged(staged<Pool>& from, F&& f) {
        using T = typename Pool::value_type;
        using handle_type = typename Pool::handle_type;
        using generation = typename table_of<Pool>::generation;
        const auto st = state_in<table_of<Pool>>(*from.from);
        const auto p = plan<table_of<Pool>>(st, 0);
        const auto* const lives = reinterpret_cast<const generation*>(from.from->data() + p.offset[at_generations]);
        T* element = nullptr;
        if constexpr (is_bytes<T>) {
            element = std::launder(reinterpret_cast<T*>(from.own.data() + p.offset[table_of<Pool>::layout::arrays]));
        } else {
            element = static_cast<T*>(from.own.objects());
        }
        for (std::uint32_t slot = 0; slot < st.known; ++slot) {
            if ((lives[slot] & 1) != 0) f(handle_type::of(slot, lives[slot]), *element++);
        }
    }

    // --- hash --------------------------------------------------------------------------------------------------------------

    /// All that decides which handles come next, and the active objects; nothing of what idle objects hold.
    template <class Pool>
    static void hash(const Pool& pool, hasher& h) {
        const auto& table = rewind_door::table(pool);
        hash_slots(h, table);
        if constexpr (table_of<Pool>::confirms) limbo_rewind::hash(h, table);
        h.add(std::uint64_t{table.now().idle});
        for (std::uint32_t i = 0; i < table.now().idle; ++i) h.add(std::uint64_t{table.stack()[i]});
        hash_lives(h, table);
    }

private:
    template <class Table>
    [[nodiscard]] static restore_result in_bounds(const Table& table, const typename Table::state& st) noexcept {
        if (st.capacity > table.max_capacity() || st.known > table.most_slots() ||
            st.finder.used(0) > (std::max)(st.capacity, table.at_least())) {
            return {restore_error::too_large};
        }
        return {};
    }

    template <class Table>
    [[nodiscard]] static restore_result fits(Table& table, const typename Table::state& st) noexcept {
        if (const restore_result inside = from_outside(table); !inside) return inside;
        if (const restore_result large = in_bounds(table, st); !large) return large;
        if (!table.ages_fit(st))
            return {restore_error::other_options, "one of the two pools keeps ages and the other does not"};
        return has_room(table, st, table.most_slots());
    }

    /// The lives of now that the saved state does not have end as by release; their objects stay for the moment, and nobody gets
    /// them. A life is over before its hook runs, which may look at the others, end them and begin new ones. True when there was one.
    template <class Table>
    [[nodiscard]] static bool end_undone(Table& table, const typename Table::state& st,
                                         const typename Table::generation* generations) noexcept {
        bool any = false;
        table.for_each_live([&](std::uint32_t slot) {
            if (slot < st.known && generations[slot] == table.generations()[slot]) return;
            any = true;
            table.leave(slot, table.generations()[slot]);
            clear(table.occupied(), slot);
            if constexpr (Table::confirms) {
                // What the saved moment does not know has ended by now (limbo_rewind::end_unknown): this life is over there, and waits.
                if constexpr (hears_of_ends_again<typename Table::value_type>)
                    table.hooks().end_again(table.inside(), *table.at(slot));
            } else {
                table.hooks().end(table.inside(), *table.at(slot));
            }
        });
        return any;
    }

    /// The objects for which the saved state has no slot. Whoever is idle meanwhile is nobody's, so that a destructor which acquires
    /// gets a slot that is not looked at here. True when there was one.
    template <class Table>
    [[nodiscard]] static bool destroy_unheld(Table& table, std::size_t used, const map_word* held) noexcept {
        bool any = false;
        table.now().idle = 0;
        table.hollow() = 0;
        for_each_slot(words_of(table.built()), table.used(), [&](std::size_t slot) {
            if (!test(table.built(), slot) || test(table.occupied(), slot)) return;
            if (slot < used && test(held, slot)) return;
            any = true;
            clear(table.built(), slot);
            table.hooks().destroy(table.inside(), *table.at(slot));
        });
        return any;
    }

    /// The saved object where one may exist already.
    template <class Table>
    static void put(Table& table, std::size_t slot, typename Table::value_type&& from) noexcept {
        using T = typename Table::value_type;
        if (test(table.built(), slot)) {
            static_assert(!Table::confirms || std::is_nothrow_move_assignable_v<T>,
                          "lido: with options::confirmed_ends a restore brings back the same object, whose value is "
                          "moved onto it: make the element's move assignment noexcept");
            if constexpr (std::is_nothrow_move_assignable_v<T>) {
                *table.at(slot) = std::move(from);
                return;
            } else {
                table.hooks().destroy(table.inside(), *table.at(slot));
            }
        }
        ::new (static_cast<void*>(table.at(slot))) T(std::move(from));
        set(table.built(), slot);
    }

    /// What is active is held.
    template <class Table>
    [[nodiscard]] static restore_result read_lives(image_reader& r, typename Table::state& st, std::uint32_t used,
                                                   const arrays_in<Table>& in) noexcept {
        std::uint64_t seen = 0;
        if (const restore_result bad = take_generations<Table>(r, st, used, in, seen); !bad) return bad;
        if (!r.ok()) return {restore_error::truncated};
        if (seen != st.live || seen + st.retired > st.capacity) {
            return {restore_error::inconsistent, "the counts of lives do not add up"};
        }
        copy_bytes(in.words(at_held), in.words(at_occupied), words_for(used) * sizeof(map_word));
        return {};
    }

    /// Each idle slot once, and none that is active or retired.
    template <class Table>
    [[nodiscard]] static restore_result read_idle(image_reader& r, const typename Table::state& st, std::uint32_t used,
                                                  const arrays_in<Table>& in) noexcept {
        if (!r.has(st.idle, sizeof(std::uint32_t))) return {restore_error::truncated};
        map_word* const held = in.words(at_held);
        for (std::uint32_t i = 0; i < st.idle; ++i) {
            const auto slot = r.take<std::uint32_t>();
            if (slot >= used || test(held, slot) || in.maps().retired(slot)) {
                return {restore_error::inconsistent, "the idle slots name one that is not free"};
            }
            set(held, slot);
            in.template array<std::uint32_t>(at_idle)[i] = slot;
        }
        return {};
    }
};

}  // namespace lido::detail
