// Settings that change while a class of a world runs (configure.hpp says which may): what of them its pool must be told.
//
// Settings are no state. A restore leaves them; what it brings back from before a change is brought up to them again, the same way each
// time, so that a replay goes on exactly from any tick that was saved.
#pragma once

#include <lido/core/config.hpp>
#include <lido/core/options.hpp>
#include <lido/world/class_room.hpp>
#include <lido/world/class_settings.hpp>
#include <lido/world/world_class.hpp>

#include <cstdint>

namespace lido::world_detail {

struct class_changes {
    /// What the pool does when it is full. Who must go then is ended by the class, in its own way.
    [[nodiscard]] static on_full growth_of(const class_settings& s, std::uint32_t reserved) noexcept {
        return grows_unbounded(s) ? on_full::grow_to(reserved) : s.on_full.then(on_full::reject);
    }
    [[nodiscard]] static bool goes_by_age(on_full::ending e) noexcept {
        return e == on_full::ending::replace_oldest || e == on_full::ending::replace_lowest;
    }

    template <class Pool>
    [[nodiscard]] static world_class::running_room room(const Pool& pool) noexcept {
        return {pool.first_capacity(), pool.max_capacity(), pool.reserved()};
    }

    /// The pool of a class goes by the settings that the class has now.
    template <class Class>
    static void apply(Class& c) {
        const class_settings& s = c.settings_;
        auto& pool = *c.pool_;
        if (goes_by_age(s.on_full.at_the_end())) static_cast<void>(pool.keep_ages());
        pool.set_headroom(s.headroom);
        pool.set_leaks(s.leaks);
        c.reconfigured_ = true;
        uphold(c);
    }

    /// After apply() and after each restore.
    template <class Class>
    static void uphold(Class& c) {
        const class_settings& s = c.settings_;
        if (!c.pool_ || !c.reconfigured_) return;
        auto& pool = *c.pool_;
        if (pool.max_capacity() == 0) return;  // there was no memory for it
        const bool raised = pool.raise(first_capacity(s), growth_of(s, pool.reserved()));
        const bool capped = pool.set_idle_cap(s.idle_cap);
        LIDO_ASSERT(raised && capped, "configure() has let a number through that the class has no address space for");
        static_cast<void>(raised && capped);
        c.idle_surplus_ = pool.waiting() > s.idle_cap;
        // Objects that were asked for after the tick that a restore has brought back are asked for again.
        if (c.state_.asked < s.prewarm) c.ask_prewarm(s.prewarm);
    }
};

}  // namespace lido::world_detail
