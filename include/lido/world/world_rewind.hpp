// A world as a part of lido::save, lido::restore, lido::rewind and lido::state_hash.
//
//   section    | now, numbers given to classes, classes, how it started | number, ids of type and name of each class |
//   parts      four sections per class (class_pool_rewind.hpp), then two of the world's own calls (world_calls.hpp)
//
// A snapshot is of classes, not of one world: any world that has the same classes in the same order takes it, started or not. What was
// saved before the start is restored as a world that has not started.
//
// Images are in world_image.hpp; both end in the same commit.
#pragma once

#include <lido/core/meta/hash.hpp>
#include <lido/core/misuse.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/world/class_table.hpp>
#include <lido/world/world_calls.hpp>
#include <lido/world/world_class.hpp>
#include <lido/world/world_image.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lido::world_detail {

struct world_rewind {
    struct header {
        std::uint64_t now;
        std::uint64_t classes;  ///< numbers that were given
        std::uint64_t living;   ///< classes that are there
        std::uint32_t objects_a_tick;
        std::uint32_t rollback;
        std::uint64_t started;
    };
    struct class_id {
        std::uint64_t number = ~std::uint64_t{0};  ///< of none: behind all
        std::uint64_t type = 0;
        std::uint64_t name = 0;
    };
    [[nodiscard]] static class_id id_of(const world_class& c) noexcept {
        return {c.number(), c.type_id(), bytes_checksum(std::as_bytes(std::span<const char>(c.name())))};
    }

    /// Copies, codecs and hashes of objects are code of the program: meanwhile the world is busy, and nothing begins or ends in it.
    template <class World>
    class closed {
    public:
        explicit closed(const World& w) noexcept : closed_(w.shared_), classes_(w.classes_) {
            each([](world_class& c) { c.hold(); });
        }
        closed(const closed&) = delete;
        closed& operator=(const closed&) = delete;
        ~closed() {
            each([](world_class& c) { c.release_hold(); });
        }

    private:
        template <class F>
        void each(F&& f) const noexcept {
            for (world_class* const c : classes_.living()) f(*c);
        }

        closed_world closed_;
        const class_table& classes_;
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
        const closed<World> while_saving(w);
        const std::size_t living = classes.living().size();
        std::byte* data = s.begin(sizeof(header) + living * sizeof(class_id), alignof(header));
        if (data == nullptr) return false;
        const header h{w.shared_.now.count, classes.size(),     living,
                       w.objects_a_tick_,   w.shared_.rollback, w.started_ ? 1u : 0u};
        copy_bytes(data, &h, sizeof(h));
        data += sizeof(h);
        const std::span<section> parts = s.parts(living * world_class::sections + world_calls::sections);
        if (!w.calls_.save(parts.last(world_calls::sections))) return false;
        for (std::size_t i = 0; i < living; ++i, data += sizeof(class_id)) {
            const world_class* const c = classes.living()[i];
            const class_id id = id_of(*c);
            copy_bytes(data, &id, sizeof(id));
            if (c->built() && !c->savable()) {
                report_misuse(
                    {.kind = misuse_kind::bad_setting,
                     .pool = c->shown_name().c_str(),
                     .what = "this class cannot be saved: it is not copyable and has no `save` and `load`, or its "
                             "move constructor can throw"});
                return false;
            }
            if (!c->save(sections_of(parts, i))) return false;
        }
        s.seal(&section_kind<World>);
        return true;
    }

    /// The world is closed as long as it lives, and not only while it is staged: other parts are copied after this one, and committed after
    /// it, and their copies and hooks are code of the program, too.
    template <class World>
    struct staged {
        std::optional<closed<World>> meanwhile;  // first, so that the rest goes before it
        World* world = nullptr;
        header saved = {};
        std::optional<class_table::arrangement> numbers;  ///< of an image: its classes may have others here

        staged() = default;
        staged(const staged&) = delete;
        staged& operator=(const staged&) = delete;
        /// What was not committed is given up.
        ~staged() {
            if (world == nullptr) return;
            world->calls_.unstage();
            for (world_class* const c : world->classes_.living()) c->unstage();
        }
    };

    template <class World>
    [[nodiscard]] static restore_result stage(World& w, const section& s, staged<World>& out) {
        if (s.kind() != &section_kind<World>)
            return {restore_error::other_parts, "the snapshot was saved from another kind of world"};
        if (const restore_result inside = from_outside(w); !inside) return inside;
        const class_table& classes = w.classes_;
        header h{};
        copy_bytes(&h, s.data(), sizeof(h));
        if (h.classes > classes.size())
            return {restore_error::other_parts, "the snapshot has classes that were not added to this world"};
        if (h.classes != classes.size())
            return {restore_error::other_parts, "classes were added since the snapshot was saved"};
        if (h.rollback != w.shared_.rollback && w.shared_.waiting_classes != 0)
            return {restore_error::other_options, "the snapshot is of a world with another rollback window"};
        out.meanwhile.emplace(w);
        out.world = &w;
        out.saved = h;
        if (const restore_result r = w.calls_.stage(s.parts().last(world_calls::sections)); !r) return r;
        const std::span<world_class* const> living = classes.living();
        const std::byte* data = s.data() + sizeof(h);
        for (std::size_t i = 0; i < h.living || i < living.size(); ++i, data += sizeof(class_id)) {
            class_id saved;
            if (i < h.living) copy_bytes(&saved, data, sizeof(saved));
            const class_id here = i < living.size() ? id_of(*living[i]) : class_id{};
            if (const char* const other = differ(saved, here)) return {restore_error::other_parts, other};
            world_class& c = *living[i];
            const bool may_build = c.settings().roles.allows(w.role_);
            const restore_result r = c.stage(sections_of(s.parts(), i), h.started == 0, may_build);
            if (!r) return r;
        }
        return {};
    }

    template <class World>
    static void commit(World& w, staged<World>& from) noexcept {
        // Hooks of lives that are undone run here; whatever they ask of the world is refused.
        const closed_world while_restoring(w.shared_);
        from.meanwhile.reset();
        w.shared_.restoring = true;
        const auto for_all = [&w](auto&& f) {
            for (world_class* const c : w.classes_.living()) f(*c);
        };
        for_all([](world_class& c) {
            c.set_open(false);
            c.set_reachable(false);
            c.set_busy(true);
        });
        for_all([](world_class& c) { c.commit(); });
        if (from.numbers) {
            w.classes_.renumber(*from.numbers);
            for_all([](world_class& c) { c.tell_lives(); });
        }
        // All of them before the first is open: copies that were made ready are destroyed there.
        for_all([](world_class& c) { c.settle(); });
        for_all([](world_class& c) {
            c.set_busy(false);
            c.set_reachable(true);
            c.set_open(true);
        });
        w.calls_.commit(w.shared_.names);
        w.shared_.now = {from.saved.now};
        w.started_ = from.saved.started != 0;
        // A world that starts once more starts as it did before.
        if (from.saved.started != 0) w.objects_a_tick_ = from.saved.objects_a_tick;
        w.shared_.restoring = false;
        from.world = nullptr;
        from.meanwhile.emplace(w);
    }

    /// Into an image (world_image.hpp). What is refused stays in last_error().
    template <class World>
    [[nodiscard]] static save_result write(const World& w, image_writer& to) {
        if (w.layer_ != nullptr) return {of_a_stage};
        return write_owned(w, to);
    }
    /// By the layer that owns classes of it, too.
    template <class World>
    [[nodiscard]] static save_result write_owned(const World& w, image_writer& to) {
        if (w.busy()) {
            constexpr const char* what =
                "a world was written into an image from inside a hook, listener or timer; nothing was written";
            report_misuse({.kind = misuse_kind::reentrant_call, .pool = "world", .what = what});
            return {what};
        }
        const closed<World> while_writing(w);
        std::string wrong = world_image::write(w, to);
        if (wrong.empty()) return {};
        return {kept(w, std::move(wrong))};
    }

    template <class World>
    [[nodiscard]] static restore_result read(World& w, image_reader& from, staged<World>& out) {
        if (w.layer_ != nullptr) return {restore_error::other_parts, of_a_stage};
        return read_owned(w, from, out);
    }
    template <class World>
    [[nodiscard]] static restore_result read_owned(World& w, image_reader& from, staged<World>& out) {
        if (const restore_result inside = from_outside(w); !inside) return inside;
        out.meanwhile.emplace(w);
        out.world = &w;
        world_image::header h;
        std::vector<world_class*> numbers;
        image_verdict read = world_image::read(w, from, h, numbers);
        if (!read) return {read.error, kept(w, std::move(read.why))};
        out.saved = {h.now,      numbers.size(),     w.classes_.living().size(), h.objects_a_tick,
                     h.rollback, h.started ? 1u : 0u};
        out.numbers = w.classes_.arrange(std::move(numbers));
        return {};
    }

    template <class World>
    static void hash(const World& w, hasher& h) {
        if (w.shared_.restoring) {
            report_misuse({.kind = misuse_kind::reentrant_call,
                           .pool = "world",
                           .what = "a world was hashed from inside a hook that its own restore has called; nothing of "
                                   "it is in the hash"});
            return;
        }
        if (w.shared_.trial) w.shared_.asked = true;
        const closed<World> while_hashing(w);
        h.add(w.shared_.now.count);
        w.calls_.hash(h);
        for (const world_class* const c : w.classes_.living()) {
            if (c->built() && !c->hashable() && c->tell_unhashable()) {
                report_misuse(
                    {.kind = misuse_kind::bad_setting,
                     .pool = c->shown_name().c_str(),
                     .what = "this class cannot be hashed: its objects' fields are not in the hash; give it `void "
                             "hash(lido::hasher&) const`"});
            }
            c->hash(h);
        }
    }

private:
    static constexpr const char* of_a_stage =
        "the world has a stage, whose entities are in it: save and restore the stage, which does both";
    /// Not in last_error() alone: what was read goes before the caller has the result, and its destructors may go wrong, too.
    template <class World>
    [[nodiscard]] static const char* kept(const World& w, std::string why) {
        w.image_refusal_ = std::move(why);
        w.last_error_ = w.image_refusal_;
        return w.image_refusal_.c_str();
    }

    template <class World>
    [[nodiscard]] static restore_result from_outside(const World& w) {
        if (w.busy()) {
            constexpr const char* what =
                "a world cannot be restored from inside a hook, listener or timer, or while an object is made or "
                "destroyed";
            report_misuse({.kind = misuse_kind::reentrant_call, .pool = "world", .what = what});
            return {restore_error::other_parts, what};
        }
        return {};
    }

    /// Those of the class at that place among the ones that are there.
    template <class Section>
    [[nodiscard]] static std::span<Section> sections_of(std::span<Section> parts, std::size_t place) noexcept {
        return parts.subspan(place * world_class::sections, world_class::sections);
    }

    /// Why a class is not the one that was saved at its place, or null.
    [[nodiscard]] static const char* differ(const class_id& saved, const class_id& here) noexcept {
        if (saved.number < here.number) return "a class was removed since the snapshot was saved";
        if (saved.number > here.number) return "a class that the snapshot lacks was not removed from this world";
        if (saved.type != here.type) return "the classes of the snapshot have other types, or another order";
        if (saved.name != here.name) return "the classes of the snapshot have other names, or another order";
        return nullptr;
    }
};

}  // namespace lido::world_detail
