// How idle objects of a recycle_pool come to be without a life, and go: prewarm, adopt, trim. What each promises is said where
// recycle_pool.hpp declares it.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/shapes/recycle/recycle_ending.hpp>
#include <lido/core/shapes/recycle/recycle_objects.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace lido::detail {

struct recycle_idle {
    /// Makes objects until `target` wait, while `go_on()`. Returns how many are left to make.
    template <class Table, class GoOn>
    static std::uint32_t make_while(Table& table, std::uint32_t target, GoOn& go_on) {
        if (limbo::forbids_change(table)) return 0;
        if (!table.hooks().can_create()) {
            table.limits().tell(misuse_kind::bad_setting,
                                "prewarm needs settings.create or a default constructor; nothing was made");
            return 0;
        }
        auto& idle = table.now().idle;
        // First those whose slots wait already: a restore has brought them back without an object.
        for (std::uint32_t i = idle; table.hollow() != 0 && i-- != 0 && i < idle;) {
            const std::uint32_t slot = table.stack()[i];
            if (test(table.built(), slot)) continue;
            if (!go_on()) return left_to(table, target);
            make_waiting(table, i);
        }
        while (left_to(table, target) != 0) {
            if (!go_on()) return left_to(table, target);
            if (!make_one_more(table)) return 0;
        }
        return 0;
    }

    /// The same for slots that wait, with an object or without one. Counts `most` down.
    template <class Table>
    static std::uint32_t extend(Table& table, std::uint32_t target, std::uint32_t& most) {
        if (!table.hooks().can_create()) return 0;
        while (const std::uint32_t left = left_to(table, target, table.now().idle)) {
            if (most == 0) return left;
            --most;
            if (!make_one_more(table)) return 0;
        }
        return 0;
    }

    template <class Table>
    static bool adopt(Table& table, typename Table::value_type&& object) noexcept {
        if (limbo::forbids_change(table) || table.now().idle >= table.idle_cap()) return false;
        const std::uint32_t slot = table.take_slot();
        if (slot == no_slot) return false;
        place(table, slot, std::move(object));
        recycle_objects::put_to_sleep(table, slot);
        table.push(slot);
        return true;
    }

    template <class Table>
    static typename Table::acquired_type adopt_active(Table& table, typename Table::value_type&& object,
                                                      request wish) noexcept {
        if constexpr (Table::confirms) {
            if (table.limbo().letting_go) return table.refuse_while_letting_go();
        }
        if (const refusal why = table.limits().kept_from(wish, table.size()); why != refusal::none)
            return table.refuse(why);
        if (table.full() && !table.grow()) return table.refuse(refusal::full);
        std::uint32_t slot = table.take_slot();
        if (slot == no_slot) {
            // Every slot holds an object: the newcomer takes the place of an idle one.
            if (table.now().idle == 0) return table.refuse(refusal::no_memory);
            slot = table.pop();
            if (test(table.built(), slot)) {
                recycle_objects::destroy(table, slot);
            } else {
                --table.hollow();
            }
            // Its destructor may have taken what room there was.
            if (table.full() && !table.grow()) {
                clear(table.held(), slot);
                table.put_back(slot);
                return table.refuse(refusal::full);
            }
        }
        place(table, slot, std::move(object));
        ++table.now().first_lives;
        return recycle_objects::go_live(table, slot, table.at(slot), wish);
    }

    template <class Table>
    static std::size_t trim(Table& table, std::uint32_t keep) noexcept {
        // A constructor or hook that throws is undone from a state that knows of no trim.
        if (table.inside() != 0) return 0;
        auto& st = table.now();
        if (st.idle > keep) {
            // The ones to go come on top and are popped, so that a destructor that acquires or releases meets a sound stack.
            std::rotate(table.stack(), table.stack() + (st.idle - keep), table.stack() + st.idle);
            while (st.idle > keep) recycle_ending::vacate_top(table);
        }
        return table.trim();
    }

private:
    /// The object of the slot at that place of the stack. It is no slot to be taken meanwhile: its constructor may acquire.
    template <class Table>
    static void make_waiting(Table& table, std::uint32_t place) {
        auto& idle = table.now().idle;
        const std::uint32_t slot = table.stack()[place];
        std::swap(table.stack()[place], table.stack()[idle - 1]);
        --idle;
        --table.hollow();
        const std::uint64_t before = table.changes();
        const auto put_back = [&] {
            table.push(slot);
            if (table.changes() == before && idle > place) std::swap(table.stack()[place], table.stack()[idle - 1]);
        };
        LIDO_TRY { make(table, slot); }
        LIDO_CATCH_ALL {
            put_back();
            ++table.hollow();
            LIDO_RETHROW;
        }
        put_back();
    }

    /// False when there is no slot for it.
    template <class Table>
    static bool make_one_more(Table& table) {
        const std::uint32_t slot = table.take_slot();
        if (slot == no_slot) return false;
        set(table.held(), slot);
        LIDO_TRY { make(table, slot); }
        LIDO_CATCH_ALL {
            recycle_objects::drop_back(table, slot, false);
            LIDO_RETHROW;
        }
        recycle_objects::wait_or_go(table, slot);
        return true;
    }

    template <class Table>
    static void make(Table& table, std::uint32_t slot) {
        open_up(table.at(slot), sizeof(typename Table::value_type));
        static_cast<void>(table.hooks().create(table.inside(), table.at(slot)));
        set(table.built(), slot);
        ++table.now().created;
        recycle_objects::put_to_sleep(table, slot);
    }

    template <class Table>
    static void place(Table& table, std::uint32_t slot, typename Table::value_type&& object) noexcept {
        set(table.held(), slot);
        open_up(table.at(slot), sizeof(typename Table::value_type));
        ::new (static_cast<void*>(table.at(slot))) typename Table::value_type(std::move(object));
        set(table.built(), slot);
        ++table.now().created;
    }

    /// How many objects a prewarm to `target` has still to make.
    template <class Table>
    [[nodiscard]] static std::uint32_t left_to(const Table& table, std::uint32_t target, std::uint32_t have) noexcept {
        target = (std::min)({target, table.idle_cap(), table.slots() - (std::min)(table.slots(), table.used_up())});
        return target > have ? target - have : 0;
    }
    template <class Table>
    [[nodiscard]] static std::uint32_t left_to(const Table& table, std::uint32_t target) noexcept {
        return left_to(table, target, table.idle());
    }
};

}  // namespace lido::detail
