// What a recycle_pool does to the object in a slot, and what it notes of it: begins a life of it, builds it, puts it to sleep,
// destroys it. What the hooks do there is in hooks.hpp.
//
// All of it keeps RC3 of recycle_pool.hpp (built bits are the slots in which an object exists), even when a hook throws.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
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
    template <class... Args, class Pool>
    LIDO_INLINE static typename Pool::value_type* begin(Pool& pool, std::uint32_t slot, Args&... args) {
        using T = typename Pool::value_type;
        open_again(pool.at(slot), sizeof(T));
        if constexpr (Pool::diary_type::kept && reset_checkable<T, Args...>) {
            if (reset_check<T, typename Pool::hooks_type, Args...>::due(pool.objects_))
                return begin_checked<Args...>(pool, slot, args...);
        }
        return begin_unchecked<Args...>(pool, slot, args...);
    }

    /// A new object in `slot`, whose life begins.
    template <class... Args, class Pool>
    static typename Pool::value_type* build(Pool& pool, std::uint32_t slot, Args&... args) {
        using T = typename Pool::value_type;
        open_up(pool.at(slot), sizeof(T));
        T* const object = pool.objects_.build(pool.inside_, pool.at(slot), std::forward<Args>(args)...);
        set(pool.built(), slot);
        ++pool.state_.created;
        ++pool.state_.first_lives;
        return object;
    }

    template <class Pool>
    static void destroy(Pool& pool, std::uint32_t slot) noexcept {
        using T = typename Pool::value_type;
        open_again(pool.at(slot), sizeof(T));
        pool.objects_.destroy(pool.inside_, *pool.at(slot));
        bury(pool.at(slot), sizeof(T));
        clear(pool.built(), slot);
        ++pool.state_.destroyed;
    }

    /// An object that waits is nobody's to touch either, where the settings say so.
    template <class Pool>
    static void put_to_sleep(Pool& pool, std::uint32_t slot) noexcept {
        if (pool.objects_.settings().poison_idle) close_off(pool.at(slot), sizeof(typename Pool::value_type));
    }

    /// The slot is not active: whatever it holds is nobody's.
    template <class Pool>
    static void sleep_or_close(Pool& pool, std::uint32_t slot) noexcept {
        if (test(pool.built(), slot)) {
            put_to_sleep(pool, slot);
        } else {
            slot_guard<typename Pool::value_type>::close(pool.values(), slot, slot + 1);
        }
    }

    /// After a restore, for which all slots were opened.
    template <class Pool>
    static void close_dead(Pool& pool) noexcept {
        if (!guarded()) return;
        for (std::uint32_t slot = 0; slot < pool.ready(); ++slot) {
            if (!test(pool.occupied(), slot)) sleep_or_close(pool, slot);
        }
    }

private:
    template <class... Args, class Pool>
    LIDO_INLINE static typename Pool::value_type* begin_unchecked(Pool& pool, std::uint32_t slot, Args&... args) {
        if constexpr (Pool::hooks_type::template survives<Args...>()) {
            return pool.objects_.begin(pool.inside_, pool.at(slot), std::forward<Args>(args)...);
        } else {
            typename Pool::value_type* object = nullptr;
            LIDO_TRY { object = pool.objects_.begin(pool.inside_, pool.at(slot), std::forward<Args>(args)...); }
            LIDO_CATCH_ALL {
                clear(pool.built(), slot);  // a trivial destructor need not run
                ++pool.state_.destroyed;
                LIDO_RETHROW;
            }
            return object;
        }
    }

    template <class... Args, class Pool>
    LIDO_NOINLINE static typename Pool::value_type* begin_checked(Pool& pool, std::uint32_t slot, Args&... args) {
        using T = typename Pool::value_type;
        // What the check itself throws is nobody's business: without it, this acquire would not have thrown.
        std::optional<reset_check<T, typename Pool::hooks_type, Args...>> check;
        LIDO_TRY { check.emplace(pool.objects_, args...); }
        LIDO_CATCH_ALL { check.reset(); }
        T* const object = begin_unchecked<Args...>(pool, slot, args...);
        text_line names;
        bool leaks = false;
        LIDO_TRY { leaks = check && check->leaks(*object, names); }
        LIDO_CATCH_ALL { leaks = false; }
        if (leaks) pool.diary_.tell_kept(pool.name(), slot, pool.generations()[slot] - 1u, names.text());
        return object;
    }
};

}  // namespace lido::detail
