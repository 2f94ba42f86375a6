// How idle objects of a recycle_pool come to be without a life, and go: prewarm, adopt, trim. What each promises is said where
// recycle_pool.hpp declares it.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/slots/slot_guard.hpp>
#include <lido/core/shapes/recycle/recycle_ending.hpp>
#include <lido/core/shapes/recycle/recycle_objects.hpp>
#include <lido/core/shapes/recycle/recycle_taking.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace lido::detail {

struct recycle_idle {
    /// Makes objects until `target` wait, while `go_on()`. Returns how many are left to make.
    template <class Pool, class GoOn>
    static std::uint32_t make_while(Pool& pool, std::uint32_t target, GoOn& go_on) {
        if (!pool.objects_.can_create()) {
            pool.limits_.tell(misuse_kind::bad_setting,
                              "prewarm needs settings.create or a default constructor; nothing was made");
            return 0;
        }
        auto& idle = pool.state_.idle;
        // First those whose slots wait already: a restore has brought them back without an object.
        for (std::uint32_t i = idle; pool.hollow_ != 0 && i-- != 0 && i < idle;) {
            const std::uint32_t slot = pool.stack()[i];
            if (test(pool.built(), slot)) continue;
            if (!go_on()) return left_to(pool, target);
            make_waiting(pool, i);
        }
        while (left_to(pool, target) != 0) {
            if (!go_on()) return left_to(pool, target);
            const std::uint32_t slot = recycle_taking::vacant(pool);
            if (slot == no_slot) return 0;
            set(pool.held(), slot);
            LIDO_TRY { make(pool, slot); }
            LIDO_CATCH_ALL {
                recycle_taking::drop_back(pool, slot, false);
                LIDO_RETHROW;
            }
            pool.stack()[idle++] = slot;
        }
        return 0;
    }

    template <class Pool>
    static bool adopt(Pool& pool, typename Pool::value_type&& object) noexcept {
        if (pool.state_.idle >= pool.idle_cap()) return false;
        const std::uint32_t slot = recycle_taking::vacant(pool);
        if (slot == no_slot) return false;
        place(pool, slot, std::move(object));
        recycle_objects::put_to_sleep(pool, slot);
        pool.stack()[pool.state_.idle++] = slot;
        return true;
    }

    template <class Pool>
    static typename Pool::acquired_type adopt_active(Pool& pool, typename Pool::value_type&& object,
                                                     request wish) noexcept {
        if (const refusal why = pool.limits_.kept_from(wish, pool.size()); why != refusal::none)
            return pool.refuse(why);
        if (pool.full() && !pool.grow()) return pool.refuse(refusal::full);
        std::uint32_t slot = recycle_taking::vacant(pool);
        if (slot == no_slot) {
            // Every slot holds an object: the newcomer takes the place of an idle one.
            if (pool.state_.idle == 0) return pool.refuse(refusal::no_memory);
            slot = pool.stack()[--pool.state_.idle];
            if (test(pool.built(), slot)) {
                recycle_objects::destroy(pool, slot);
            } else {
                --pool.hollow_;
            }
        }
        place(pool, slot, std::move(object));
        ++pool.state_.first_lives;
        return pool.go_live(slot, pool.at(slot), wish);
    }

    template <class Pool>
    static std::size_t trim(Pool& pool, std::uint32_t keep) noexcept {
        auto& st = pool.state_;
        if (st.idle > keep) {
            // The ones to go come on top and are popped, so that a destructor that acquires or releases meets a sound stack.
            std::rotate(pool.stack(), pool.stack() + (st.idle - keep), pool.stack() + st.idle);
            while (st.idle > keep) recycle_ending::vacate_top(pool);
        }
        std::uint32_t limit = 0;
        for (std::size_t w = words_for(pool.used()); w-- != 0 && limit == 0;) {
            if (pool.held()[w] != 0) limit = static_cast<std::uint32_t>(w * 64 + highest(pool.held()[w]) + 1);
        }
        st.finder.trim_to(pool.maps(), limit, 0);
        if (st.retired == 0) {
            const std::uint32_t first = (std::min)(st.capacity, pool.limits_.first_capacity());
            st.capacity = (std::max)({first, pool.size(), limit > pool.idle_slots_ ? limit : 0});
        }
        return slot_guard<typename Pool::value_type>::give_back(pool.memory_, pool.ready_, limit);
    }

private:
    /// The object of the slot at that place of the stack. It is no slot to be taken meanwhile: its constructor may acquire.
    template <class Pool>
    static void make_waiting(Pool& pool, std::uint32_t place) {
        auto& idle = pool.state_.idle;
        const std::uint32_t slot = pool.stack()[place];
        std::swap(pool.stack()[place], pool.stack()[idle - 1]);
        --idle;
        --pool.hollow_;
        const std::uint64_t before = pool.changes();
        const auto put_back = [&] {
            pool.stack()[idle++] = slot;
            if (pool.changes() == before && idle > place) std::swap(pool.stack()[place], pool.stack()[idle - 1]);
        };
        LIDO_TRY { make(pool, slot); }
        LIDO_CATCH_ALL {
            put_back();
            ++pool.hollow_;
            LIDO_RETHROW;
        }
        put_back();
    }

    template <class Pool>
    static void make(Pool& pool, std::uint32_t slot) {
        open_up(pool.at(slot), sizeof(typename Pool::value_type));
        static_cast<void>(pool.objects_.create(pool.inside_, pool.at(slot)));
        set(pool.built(), slot);
        ++pool.state_.created;
        recycle_objects::put_to_sleep(pool, slot);
    }

    template <class Pool>
    static void place(Pool& pool, std::uint32_t slot, typename Pool::value_type&& object) noexcept {
        set(pool.held(), slot);
        open_up(pool.at(slot), sizeof(typename Pool::value_type));
        ::new (static_cast<void*>(pool.at(slot))) typename Pool::value_type(std::move(object));
        set(pool.built(), slot);
        ++pool.state_.created;
    }

    /// How many objects a prewarm to `target` has still to make.
    template <class Pool>
    [[nodiscard]] static std::uint32_t left_to(const Pool& pool, std::uint32_t target) noexcept {
        target = (std::min)({target, pool.idle_cap(), pool.slots() - (std::min)(pool.slots(), pool.taken())});
        return target > pool.idle() ? target - pool.idle() : 0;
    }
};

}  // namespace lido::detail
