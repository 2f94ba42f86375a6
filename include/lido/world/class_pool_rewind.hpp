// Save, restore and hash of one class of a world.
//
//   sections   | objects | timers | listeners | the rest |
//   the rest   | built, by which class, running state | births of this tick (birth_count.hpp) | the wheel (wheel_rewind.hpp) |
//
// Births are there only where lives have a spawn_key.
//
// By which class: what objects know of their class (life.hpp) is copied with them. Where another class takes the state, one of a second
// world, each object is told anew.
#pragma once

#include <lido/core/meta/hash.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/world/class_changes.hpp>
#include <lido/world/hooks.hpp>
#include <lido/world/life.hpp>
#include <lido/world/life_listeners.hpp>
#include <lido/world/wheel_rewind.hpp>
#include <lido/world/world_record.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lido::world_detail {

struct class_pool_rewind {
    enum : std::size_t { at_objects, at_timers, at_listeners, at_rest };

    template <class State>
    struct header {
        State running;
        const life_owner* owner;
        std::uint64_t built;
    };

    template <class ObjectPool>
    struct staged {
        std::optional<staged_of<ObjectPool>> objects;
        std::optional<staged_of<world_wheel::node_pool>> timers;
        std::optional<staged_of<life_listeners::node_pool>> listeners;
        const section* rest = nullptr;
        bool built_for_it = false;  ///< the class was not built before: it is not again when the rest is refused
    };

    template <class Class>
    [[nodiscard]] static bool save(const Class& c, std::span<section> to) {
        using head = header<typename Class::running_state>;
        std::byte* data = to[at_rest].begin(sizeof(head) + birth_bytes(c) + wheel_rewind<world_wheel>::bytes(c.wheel_),
                                            alignof(head));
        if (data == nullptr) return false;
        const head h{c.state_, &c, c.built() ? 1u : 0u};
        copy_bytes(data, &h, sizeof(h));
        data += sizeof(h);
        if constexpr (Class::waits) c.births_.put(data);
        wheel_rewind<world_wheel>::put(data + birth_bytes(c), c.wheel_);
        to[at_rest].seal(&section_kind<head>);
        if (!c.built()) return true;
        if constexpr (world_savable<typename Class::object_type>) {
            return rewind_of<typename Class::pool_type>::save(*c.pool_, to[at_objects]) &&
                   rewind_of<world_wheel::node_pool>::save(c.wheel_.timers(), to[at_timers]) &&
                   rewind_of<life_listeners::node_pool>::save(c.listeners_.nodes(), to[at_listeners]);
        } else {
            return false;
        }
    }

    /// `saved_before_start`: no class was built then, and none will be. `may_build`: this role has the class.
    template <class Class>
    [[nodiscard]] static restore_result stage(Class& c, std::span<const section> from, bool saved_before_start,
                                              bool may_build) {
        using head = header<typename Class::running_state>;
        c.staged_.reset();
        if (from[at_rest].kind() != &section_kind<head>)
            return {restore_error::other_parts, "the snapshot was saved from other classes"};
        const auto h = read<head>(from[at_rest]);
        if (!h.built && c.built() && !saved_before_start)
            return {restore_error::other_parts,
                    "a class is built here that was not built where the snapshot was saved"};
        if (h.built && !c.built() && !may_build)
            return {restore_error::other_parts, "the snapshot has the state of a class that this role does not build"};
        auto& staged = c.staged_.emplace();
        staged.rest = &from[at_rest];
        if constexpr (Class::waits) {
            if (!c.births_.make_room(from[at_rest].data() + sizeof(head)))
                return {restore_error::no_memory, "there is no memory to count the births of this tick"};
        }
        if (!h.built) return {};
        if constexpr (world_savable<typename Class::object_type>) {
            if (!c.built()) {
                staged.built_for_it = true;
                const bool made = c.build();
                c.set_open(false);  // until all of the world is restored
                if (!made) return {restore_error::no_memory, "there is no memory to build a class of the snapshot"};
            }
            restore_result r =
                rewind_of<typename Class::pool_type>::stage(*c.pool_, from[at_objects], staged.objects.emplace());
            if (r) {
                r = rewind_of<world_wheel::node_pool>::stage(c.wheel_.timers(), from[at_timers],
                                                             staged.timers.emplace());
            }
            if (r) {
                r = rewind_of<life_listeners::node_pool>::stage(c.listeners_.nodes(), from[at_listeners],
                                                                staged.listeners.emplace());
            }
            return r;
        } else {
            return {restore_error::other_parts, "a class of the world cannot be saved"};
        }
    }

    /// Pre: stage() has said yes.
    template <class Class>
    static void commit(Class& c) noexcept {
        auto& staged = *c.staged_;
        if (!staged.objects) {  // not built then
            if (c.built()) c.unbuild();
            return;
        }
        if constexpr (world_savable<typename Class::object_type>) {
            rewind_of<typename Class::pool_type>::commit(*c.pool_, *staged.objects);
            tell_lives(c, read<header<typename Class::running_state>>(*staged.rest).owner);
            rewind_of<world_wheel::node_pool>::commit(c.wheel_.timers(), *staged.timers);
            rewind_of<life_listeners::node_pool>::commit(c.listeners_.nodes(), *staged.listeners);
            if (!c.shared_.names.empty()) {
                for (auto&& [which, node] : c.listeners_.nodes().each())
                    c.shared_.names.rebind(node.call, node.name, c.type_id());
            }
        }
    }

    /// Pre: commit() of every class of the world.
    template <class Class>
    static void settle(Class& c) noexcept {
        using head = header<typename Class::running_state>;
        auto& staged = *c.staged_;
        c.state_ = read<head>(*staged.rest).running;
        const std::byte* const data = staged.rest->data() + sizeof(head);
        if constexpr (Class::waits) c.births_.take(data);
        c.wheel_.state() = wheel_rewind<world_wheel>::take(data + birth_bytes(c));
        staged.built_for_it = false;
        c.staged_.reset();
        class_changes::uphold(c);
    }

    template <class Class>
    static void hash(const Class& c, hasher& h) {
        h.add(std::uint64_t{c.number()}).add(std::uint64_t{c.built() ? 1u : 0u});
        if (!c.built()) return;
        rewind_of<typename Class::pool_type>::hash(*c.pool_, h);
        const auto& clock = c.state_.clock;
        h.add(std::uint64_t{clock.scale().steps}).add(std::uint64_t{clock.scale().per});
        h.add(std::uint64_t{clock.rest()}).add(std::uint64_t{clock.paused() ? 1u : 0u});
        h.add(c.wheel_.now().count);
        c.wheel_.for_each(
            [&h](ticks due, const world_timer& timer) { h.add(due.count).add(timer.life).add(timer.call.to_bits()); });
        h.add(std::uint64_t{c.listeners_.size()});
        if constexpr (Class::waits) c.births_.hash(h);
    }

    /// What stage() made ready is not needed.
    template <class Class>
    static void unstage(Class& c) noexcept {
        if (c.staged_ && c.staged_->built_for_it) c.unbuild();
        c.staged_.reset();
    }

    template <class Class>
    [[nodiscard]] static std::size_t birth_bytes([[maybe_unused]] const Class& c) noexcept {
        if constexpr (Class::waits) {
            return c.births_.bytes();
        } else {
            return 0;
        }
    }

    /// A codec does not copy what an object knows of its life, and a copy of another class's object knows of that class.
    template <class Class>
    static void tell_lives([[maybe_unused]] Class& c, [[maybe_unused]] const life_owner* saved_by) noexcept {
        using object = typename Class::object_type;
        if constexpr (has_set_life<object>) {
            if (saved_by == &c && !saved_by_codec<object>) return;
            for (auto [which, r] : c.pool_->each())
                world_hooks<object>::tell_life(r.object(), life(c, which.to_bits()));
        }
    }

private:
    template <class Head>
    [[nodiscard]] static Head read(const section& s) noexcept {
        static_assert(std::is_trivially_copyable_v<Head>);
        Head h;
        copy_bytes(&h, s.data(), sizeof(h));
        return h;
    }
};

}  // namespace lido::world_detail
