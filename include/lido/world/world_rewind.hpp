// A world as a part of lido::save, lido::restore, lido::rewind and lido::state_hash.
//
//   section    | now, number of classes | id of each class's type, 0 for a removed one |
//   parts      four sections a class (class_pool_rewind.hpp)
//
// Snapshots only: listeners and calls that wait are code, which an image cannot hold.
#pragma once

#include <lido/core/meta/hash.hpp>
#include <lido/core/misuse.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/world/class_table.hpp>
#include <lido/world/world_class.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace lido::world_detail {

struct world_rewind {
    struct header {
        std::uint64_t now;
        std::uint64_t classes;
    };

    template <class World>
    [[nodiscard]] static bool save(const World& w, section& s) {
        const class_table& classes = w.classes_;
        if (w.busy()) {
            report_misuse({.kind = misuse_kind::reentrant_call,
                           .pool = "world",
                           .what = "a world was saved from inside a hook, listener or timer; nothing was saved"});
            return false;
        }
        std::byte* data = s.begin(sizeof(header) + classes.size() * sizeof(std::uint64_t), alignof(header));
        if (data == nullptr) return false;
        const header h{w.shared_.now.count, classes.size()};
        copy_bytes(data, &h, sizeof(h));
        data += sizeof(h);
        const std::span<section> parts = s.parts(classes.size() * world_class::sections);
        for (class_number n = 0; n < classes.size(); ++n, data += sizeof(std::uint64_t)) {
            const world_class* const c = classes.by_number(n);
            const std::uint64_t id = c != nullptr ? c->type_id() : 0;
            copy_bytes(data, &id, sizeof(id));
            if (c == nullptr) continue;
            if (c->built() && !c->savable()) {
                report_misuse(
                    {.kind = misuse_kind::bad_setting,
                     .pool = c->name().c_str(),
                     .what = "this class cannot be saved: it is not copyable and has no `save` and `load`, or its "
                             "move constructor can throw"});
                return false;
            }
            if (!c->save(parts.subspan(n * world_class::sections, world_class::sections))) return false;
        }
        s.seal(&section_kind<World>);
        return true;
    }

    template <class World>
    struct staged {
        World* world = nullptr;
        std::uint64_t now = 0;

        staged() = default;
        staged(const staged&) = delete;
        staged& operator=(const staged&) = delete;
        /// What was not committed is given up.
        ~staged() {
            if (world == nullptr) return;
            for (class_number n = 0; n < world->classes_.size(); ++n) {
                if (world_class* const c = world->classes_.by_number(n)) c->unstage();
            }
        }
    };

    template <class World>
    [[nodiscard]] static restore_result stage(World& w, const section& s, staged<World>& out) {
        if (s.kind() != &section_kind<World>)
            return {restore_error::other_parts, "the snapshot was saved from another kind of world"};
        if (w.busy())
            return {restore_error::other_parts, "a world cannot be restored from inside a hook, listener or timer"};
        const class_table& classes = w.classes_;
        header h;
        copy_bytes(&h, s.data(), sizeof(h));
        if (h.classes != classes.size())
            return {restore_error::other_parts, "classes were added since the snapshot was saved"};
        out.world = &w;
        out.now = h.now;
        const std::byte* data = s.data() + sizeof(h);
        for (class_number n = 0; n < classes.size(); ++n, data += sizeof(std::uint64_t)) {
            world_class* const c = classes.by_number(n);
            std::uint64_t id = 0;
            copy_bytes(&id, data, sizeof(id));
            if ((c != nullptr ? c->type_id() : 0) != id)
                return {restore_error::other_parts, "a class was removed since the snapshot was saved"};
            if (c == nullptr) continue;
            const restore_result r = c->stage(s.parts().subspan(n * world_class::sections, world_class::sections));
            if (!r) return r;
        }
        return {};
    }

    template <class World>
    static void commit(World& w, staged<World>& from) noexcept {
        // Hooks of lives that are undone run here; whatever they ask of the world is refused.
        const class_number classes = w.classes_.size();
        const auto for_all = [&w, classes](auto&& f) {
            for (class_number n = 0; n < classes; ++n) {
                if (world_class* const c = w.classes_.by_number(n)) f(*c);
            }
        };
        for_all([](world_class& c) {
            c.set_open(false);
            c.set_reachable(false);
            c.set_busy(true);
        });
        for_all([](world_class& c) { c.commit(); });
        for_all([](world_class& c) {
            c.settle();
            c.set_busy(false);
            c.set_reachable(true);
            c.set_open(true);
        });
        w.shared_.now = {from.now};
        from.world = nullptr;
    }

    template <class World, class To>
    static void write(const World&, To&) {
        static_assert(sizeof(World) == 0,
                      "lido: a world has no image: its listeners and waiting calls are code. Save it into a "
                      "lido::snapshot, or write the pools you need");
    }

    template <class World>
    static void hash(const World& w, hasher& h) {
        h.add(w.shared_.now.count);
        for (class_number n = 0; n < w.classes_.size(); ++n) {
            const world_class* const c = w.classes_.by_number(n);
            if (c == nullptr) continue;
            if (c->built() && !c->hashable()) {
                report_misuse(
                    {.kind = misuse_kind::bad_setting,
                     .pool = c->name().c_str(),
                     .what = "this class cannot be hashed: its objects' fields are not in the hash; give it `void "
                             "hash(lido::hasher&) const`"});
            }
            c->hash(h);
        }
    }
};

}  // namespace lido::world_detail
