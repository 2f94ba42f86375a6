// An acquire of a recycle_pool for which no idle object is at hand: one is built in a vacant slot, or another life makes room
// (recycle_replacing.hpp); and how a slot goes back whose life did not begin.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/parts/slots/slot_reserving.hpp>
#include <lido/core/shapes/recycle/recycle_objects.hpp>
#include <lido/core/shapes/recycle/recycle_replacing.hpp>

#include <algorithm>
#include <cstdint>

namespace lido::detail {

struct recycle_taking {
    /// An acquire with nothing idle, or of a full pool.
    template <class... Args, class Table>
    LIDO_NOINLINE static typename Table::acquired_type acquire(Table& table, request wish, Args&... args) {
        const typename Table::state before = table.now();
        if (table.full() && !table.grow()) return recycle_replacing::replace<Args...>(table, wish, args...);
        const bool was_idle = table.now().idle != 0;
        std::uint32_t slot = was_idle ? table.pop() : table.take_slot();
        // Objects that are being made hold slots and are not counted as taken: their constructors may have asked for this one.
        while (slot == no_slot && !table.memory_refused() && table.grow()) slot = table.take_slot();
        if (slot == no_slot) {
            table.go_back_to(before);
            return recycle_replacing::replace<Args...>(table, wish, args...);
        }
        const bool there = was_idle && test(table.built(), slot);
        if (!there && !table.hooks().template can_build<Args...>()) {
            if (was_idle) table.push(slot);
            table.go_back_to(before);
            return table.refuse(refusal::no_creator);
        }
        hold(table, slot, was_idle, there);
        const moment held(table);
        typename Table::value_type* object = nullptr;
        LIDO_TRY { object = recycle_objects::begin_or_build<Args...>(table, slot, there, args...); }
        LIDO_CATCH_ALL {
            const bool alone = held.is_now(table);
            recycle_objects::drop_back(table, slot, was_idle);
            if (alone) table.go_back_to(before);
            LIDO_RETHROW;
        }
        return recycle_objects::go_live_if_room(table, slot, object, wish);
    }

    /// Under a handle that was chosen elsewhere.
    template <class... Args, class Table>
    static typename Table::acquired_type reserve(Table& table, typename Table::handle_type handle, Args&... args) {
        std::uint32_t* const stack = table.stack();
        auto& idle = table.now().idle;
        std::uint32_t place = idle;  // where in the stack the slot is; past it when it is not
        slot_reserving<Table> reserving(table, handle);
        const std::uint32_t slot = reserving.slot();
        const refusal why = reserving.may([&](std::uint32_t wanted) {
            place = static_cast<std::uint32_t>(std::find(stack, stack + idle, wanted) - stack);
            return place != idle;
        });
        if (why != refusal::none) return table.refuse(why);
        const bool was_idle = place != idle;
        const bool there = was_idle && test(table.built(), slot);
        if (!there && !table.hooks().template can_build<Args...>()) return table.refuse(refusal::no_creator);

        reserving.claim(!was_idle);
        if (was_idle) {
            std::copy(stack + place + 1, stack + idle, stack + place);
            --idle;
        }
        hold(table, slot, was_idle, there);
        const moment held(table);
        typename Table::value_type* object = nullptr;
        LIDO_TRY { object = recycle_objects::begin_or_build<Args...>(table, slot, there, args...); }
        LIDO_CATCH_ALL {
            reserving.forget_life();
            const bool undone = held.is_now(table) && reserving.undo([&] {
                recycle_objects::sleep_or_close(table, slot);
                if (was_idle) {
                    std::copy_backward(stack + place, stack + idle, stack + idle + 1);
                    stack[place] = slot;
                    if (!test(table.built(), slot)) ++table.hollow();
                } else {
                    clear(table.held(), slot);
                }
            });
            if (!undone) recycle_objects::drop_back(table, slot, was_idle);
            LIDO_RETHROW;
        }
        if (!recycle_objects::has_room(table)) {
            reserving.forget_life();
            return recycle_objects::too_late(table, slot);
        }
        return recycle_objects::go_live(table, slot, object, request{});
    }

private:
    /// Tells whether code of the user that ran since has changed the pool: began or ended a life, or made or took objects that wait.
    struct moment {
        std::uint64_t changes;
        std::uint64_t created;
        std::uint32_t idle;

        template <class Table>
        explicit moment(const Table& table) noexcept
            : changes(table.changes()), created(table.now().created), idle(table.now().idle) {}
        template <class Table>
        [[nodiscard]] bool is_now(const Table& table) const noexcept {
            return changes == table.changes() && created == table.now().created && idle == table.now().idle;
        }
    };

    /// The slot, taken off the stack or out of the vacant ones, is about to begin a life.
    template <class Table>
    static void hold(Table& table, std::uint32_t slot, bool was_idle, bool there) noexcept {
        if (!was_idle) {
            set(table.held(), slot);
        } else if (!there) {
            --table.hollow();
        }
    }
};

}  // namespace lido::detail
