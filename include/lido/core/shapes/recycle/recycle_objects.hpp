// What a recycle_pool does to the object in a slot, and what it notes of it: begins a life of it, builds it, puts it to sleep,
// destroys it. What the hooks do there is in hooks.hpp.
//
// All of it keeps RC3 of recycle_pool.hpp (built bits are the slots in which an object exists), even when a hook throws.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/checks/report.hpp>
#include <lido/core/parts/slots/slot_guard.hpp>
#include <lido/core/shapes/recycle/hooks.hpp>
#include <lido/core/shapes/recycle/reset_check.hpp>

#include <cstdint>
#include <optional>
#include <utility>

namespace lido::detail {

struct recycle_objects {
    /// Begins a life of the object in `slot`. When it throws, the object is there still, or its built bit is not.
    template <class... Args, class Table>
    LIDO_INLINE static typename Table::value_type* begin(Table& table, std::uint32_t slot, Args&... args) {
        using T = typename Table::value_type;
        open_again(table.at(slot), sizeof(T));
        if constexpr (Table::diary_type::kept && reset_checkable<T, Args...>) {
            if (reset_check<T, typename Table::hooks_type, Args...>::due(table.hooks()))
                return begin_checked<Args...>(table, slot, args...);
        }
        return begin_unchecked<Args...>(table, slot, args...);
    }

    /// A new object in `slot`, whose life begins.
    template <class... Args, class Table>
    static typename Table::value_type* build(Table& table, std::uint32_t slot, Args&... args) {
        using T = typename Table::value_type;
        open_up(table.at(slot), sizeof(T));
        T* const object = table.hooks().build(table.inside(), table.at(slot), std::forward<Args>(args)...);
        set(table.built(), slot);
        ++table.now().created;
        ++table.now().first_lives;
        return object;
    }

    template <class... Args, class Table>
    static typename Table::value_type* begin_or_build(Table& table, std::uint32_t slot, bool there, Args&... args) {
        return there ? begin<Args...>(table, slot, args...) : build<Args...>(table, slot, args...);
    }

    /// The life of the object in `slot` has begun: it counts.
    template <class Table>
    LIDO_INLINE static typename Table::acquired_type go_live(Table& table, std::uint32_t slot,
                                                             typename Table::value_type* object,
                                                             request wish) noexcept {
        const std::uint32_t life = table.next_life(slot);
        set(table.occupied(), slot);
        table.go_live(slot, life, wish);
        return {object, Table::handle_type::of(slot, life)};
    }

    /// The same after code of the user has set the object up, which may have taken what room there was.
    template <class Table>
    LIDO_NOINLINE static typename Table::acquired_type go_live_if_room(Table& table, std::uint32_t slot,
                                                                       typename Table::value_type* object,
                                                                       request wish) noexcept {
        return has_room(table) ? go_live(table, slot, object, wish) : too_late(table, slot);
    }
    template <class Table>
    [[nodiscard]] static bool has_room(Table& table) noexcept {
        return !table.full() || table.grow();
    }

    /// The object is there, and there is no room left for its life: it waits for the next one.
    template <class Table>
    LIDO_COLD static typename Table::acquired_type too_late(Table& table, std::uint32_t slot) noexcept {
        table.hooks().end(table.inside(), *table.at(slot));
        wait_or_go(table, slot);
        return table.refuse(refusal::full);
    }

    /// The object in `slot`, which is on no stack, joins those that wait, or is destroyed where as many wait as may.
    template <class Table>
    LIDO_COLD static void wait_or_go(Table& table, std::uint32_t slot) noexcept {
        if (table.now().idle >= table.idle_cap()) {
            destroy(table, slot);
            clear(table.held(), slot);
            table.put_back(slot);
        } else {
            put_to_sleep(table, slot);
            table.push(slot);
        }
    }

    /// A slot that was taken for a life which did not begin.
    template <class Table>
    LIDO_COLD static void drop_back(Table& table, std::uint32_t slot, bool was_idle) noexcept {
        sleep_or_close(table, slot);
        if (was_idle) {
            table.push(slot);
            if (!test(table.built(), slot)) ++table.hollow();
        } else {
            clear(table.held(), slot);
            table.put_back(slot);
        }
    }

    /// A life of an idle object that is there. `slot` has just been popped.
    template <class... Args, class Table>
    LIDO_INLINE static typename Table::acquired_type wake(Table& table, std::uint32_t slot, request wish,
                                                          Args&... args) {
        typename Table::value_type* object = nullptr;
        LIDO_TRY { object = begin<Args...>(table, slot, args...); }
        LIDO_CATCH_ALL {
            drop_back(table, slot, true);
            LIDO_RETHROW;
        }
        if (table.hooks().template calls_out_to_begin<Args...>() && table.full()) [[unlikely]]
            return go_live_if_room(table, slot, object, wish);
        return go_live(table, slot, object, wish);
    }

    template <class Table>
    static void destroy(Table& table, std::uint32_t slot) noexcept {
        using T = typename Table::value_type;
        open_again(table.at(slot), sizeof(T));
        table.hooks().destroy(table.inside(), *table.at(slot));
        bury(table.at(slot), sizeof(T));
        clear(table.built(), slot);
        ++table.now().destroyed;
    }

    /// An object that waits is nobody's to touch either, where the settings say so.
    template <class Table>
    static void put_to_sleep(Table& table, std::uint32_t slot) noexcept {
        if (table.settings().poison_idle) close_off(table.at(slot), sizeof(typename Table::value_type));
    }

    /// The slot is not active: whatever it holds is nobody's.
    template <class Table>
    static void sleep_or_close(Table& table, std::uint32_t slot) noexcept {
        if (test(table.built(), slot)) {
            put_to_sleep(table, slot);
        } else {
            slot_guard<typename Table::value_type>::close(table.values(), slot, slot + 1);
        }
    }

    /// After a restore, for which all slots were opened.
    template <class Table>
    static void close_dead(Table& table) noexcept {
        if (!guarded()) return;
        for (std::uint32_t slot = 0; slot < table.ready(); ++slot) {
            if (!test(table.occupied(), slot)) sleep_or_close(table, slot);
        }
    }

private:
    template <class... Args, class Table>
    LIDO_INLINE static typename Table::value_type* begin_unchecked(Table& table, std::uint32_t slot, Args&... args) {
        if constexpr (Table::hooks_type::template survives<Args...>()) {
            return table.hooks().begin(table.inside(), table.at(slot), std::forward<Args>(args)...);
        } else {
            typename Table::value_type* object = nullptr;
            LIDO_TRY { object = table.hooks().begin(table.inside(), table.at(slot), std::forward<Args>(args)...); }
            LIDO_CATCH_ALL {
                clear(table.built(), slot);  // a trivial destructor need not run
                ++table.now().destroyed;
                LIDO_RETHROW;
            }
            return object;
        }
    }

    template <class... Args, class Table>
    LIDO_NOINLINE static typename Table::value_type* begin_checked(Table& table, std::uint32_t slot, Args&... args) {
        using T = typename Table::value_type;
        // What the check itself throws is nobody's business: without it, this acquire would not have thrown.
        std::optional<reset_check<T, typename Table::hooks_type, Args...>> check;
        LIDO_TRY { check.emplace(table.hooks(), args...); }
        LIDO_CATCH_ALL { check.reset(); }
        T* const object = begin_unchecked<Args...>(table, slot, args...);
        text_line names;
        bool leaks = false;
        LIDO_TRY { leaks = check && check->leaks(*object, names); }
        LIDO_CATCH_ALL { leaks = false; }
        if (leaks) table.book().tell_kept(table.settings().name, slot, table.generations()[slot] - 1u, names.text());
        return object;
    }
};

}  // namespace lido::detail
