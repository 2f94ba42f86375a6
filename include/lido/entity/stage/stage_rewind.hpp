// A stage as a part of lido::save, lido::restore, lido::rewind and lido::state_hash: its world, and what it knows beside that.
//
//   section    | which stage, running state, marks of what belongs to lives, position of the journal | class numbers with history |
//   parts      | the world | history of a class | history of a class | ...
//
// Images are in stage_image.hpp.
//
// A snapshot is of one stage: resources and listeners of lives cannot be copied, so only the stage that has them can bring them back. A restore
// ends open edits. Ids are looked up anew where lives have begun or ended since.
#pragma once

#include <lido/core/meta/hash.hpp>
#include <lido/core/misuse.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/part.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/entity/stage/stage_base.hpp>
#include <lido/entity/stage/stage_image.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lido::entity_detail {

struct stage_rewind {
    struct header {
        const stage_base* saved_by;
        stage_base::running_state running;
        life_things<stage_base::release_call>::mark managed;
        life_things<life_listener>::mark listeners;
        journal_position position;
        std::uint64_t classes;
    };
    static_assert(std::is_trivially_copyable_v<header>);

    template <class Stage>
    struct staged {
        std::optional<staged_of<typename Stage::world_type>> world;
        const section* from = nullptr;
        stage_plan plan;  ///< of an image
    };

    template <class Stage>
    [[nodiscard]] static bool save(const Stage& s, section& to) {
        if (s.closed_ != 0 || s.delivering_) {
            stage_base::tell_reentrant("a stage was saved from inside a listener, hook or save; nothing was saved");
            return false;
        }
        const stage_base::closed_stage meanwhile(s);
        std::byte* const data = to.begin(sizeof(header), alignof(header));
        if (data == nullptr) return false;
        const header h{&s, s.state_, s.managed_.now(), s.listeners_.now(), s.journal_.position(), s.classes_.size()};
        copy_bytes(data, &h, sizeof(h));
        const std::span<section> parts = to.parts(1 + s.classes_.size());
        if (!rewind_of<typename Stage::world_type>::save(s.world_, parts[0])) return false;
        for (std::size_t n = 0; n < s.classes_.size(); ++n) {
            if (s.classes_[n] == nullptr || !s.classes_[n]->history().kept()) continue;
            if (!s.classes_[n]->history().save(parts[n + 1])) return false;
        }
        to.seal(&section_kind<Stage>);
        return true;
    }

    template <class Stage>
    [[nodiscard]] static restore_result stage(Stage& s, const section& from, staged<Stage>& out) {
        if (from.kind() != &section_kind<Stage>)
            return {restore_error::other_parts,
                    "the snapshot was saved from something else than a stage of this world"};
        if (s.closed_ != 0 || s.delivering_) {
            constexpr const char* what = "a stage cannot be restored from inside a listener, hook or save";
            stage_base::tell_reentrant(what);
            return {restore_error::other_parts, what};
        }
        const header h = read(from);
        if (h.saved_by != &s)
            return {restore_error::other_parts,
                    "the snapshot is of another stage; resources and listeners of its lives are there, not here"};
        if (h.classes != s.classes_.size())
            return {restore_error::other_parts, "classes of entities were added since the snapshot was saved"};
        if (!s.managed_.can_restore(h.managed) || !s.listeners_.can_restore(h.listeners))
            return {
                restore_error::other_parts,
                "what belonged to lives of the snapshot has been let go: their ends were confirmed, or another branch "
                "of time was taken since; restore a later one"};
        if (const journal_answer can = s.journal_.can_cut(h.position); !can)
            return {restore_error::other_parts, can.why()};
        out.from = &from;
        return rewind_of<typename Stage::world_type>::stage(s.world_, from.parts()[0], out.world.emplace());
    }

    template <class Stage>
    static void commit(Stage& s, staged<Stage>& plan) noexcept {
        const stage_base::closed_stage meanwhile(s);
        if (plan.from == nullptr) {
            stage_image::end_all(s);
            rewind_of<typename Stage::world_type>::commit(s.world_, *plan.world);
            s.renumber_connections();
            stage_image::begin_all(s, plan.plan, reset_cause::loaded);
            return;
        }
        const header h = read(*plan.from);
        ++s.restores_;
        ++s.lives_seen_;  // what an edit has found does not hold any more
        // Resources of lives that never were go before those lives do.
        s.managed_.restore(h.managed, [](const stage_base::release_call& release) { release(); });
        s.listeners_.restore(h.listeners, [](const life_listener&) {});
        rewind_of<typename Stage::world_type>::commit(s.world_, *plan.world);
        for (std::size_t n = 0; n < s.classes_.size(); ++n) {
            if (s.classes_[n] == nullptr || !s.classes_[n]->history().kept()) continue;
            s.classes_[n]->history().restore(plan.from->parts()[n + 1]);
        }
        static_cast<void>(s.journal_.cut(h.position));
        if (s.settings_.signals == reads::everything) static_cast<void>(s.signals_.resume(h.running.delivered));
        const bool same_lives = h.running.lives == s.state_.lives;
        s.state_ = h.running;
        if (!same_lives) s.collect_ids();
        ++s.lives_seen_;  // nor does what was found meanwhile
    }

    // --- images ---------------------------------------------------------------------------------------------------------------

    /// What is refused stays in last_error() of the stage.
    template <class Stage>
    [[nodiscard]] static save_result write(const Stage& s, image_writer& to) {
        if (s.closed_ != 0 || s.delivering_) {
            constexpr const char* what =
                "a stage was written into an image from inside a listener, hook or save; nothing was written";
            stage_base::tell_reentrant(what);
            return {what};
        }
        const stage_base::closed_stage meanwhile(s);
        if (std::string wrong = stage_image::why_not(s, to.lasting()); !wrong.empty()) {
            s.last_error_ = std::move(wrong);
            return {s.last_error_.c_str()};
        }
        stage_image::write_head(s, to);
        const save_result world = rewind_of<typename Stage::world_type>::write_owned(s.world_, to);
        if (!world) return world;
        if (!to.lasting()) stage_image::write_histories(s, to);
        return {};
    }

    template <class Stage>
    [[nodiscard]] static restore_result read(Stage& s, image_reader& from, staged<Stage>& out) {
        if (s.closed_ != 0 || s.delivering_ || !s.journal_.can_cut(s.journal_.position())) {
            constexpr const char* what =
                "a stage cannot be restored from inside a listener, hook or save, nor from inside of a reader";
            stage_base::tell_reentrant(what);
            return {restore_error::reentrant, what};
        }
        const stage_base::closed_stage meanwhile(s);
        const auto refuse = [&s](stage_image::verdict_of_image&& bad) -> restore_result {
            s.last_error_ = std::move(bad.why);
            return {bad.error, s.last_error_.c_str()};
        };
        std::vector<stage_image::written_class> classes;
        if (auto bad = stage_image::read_head(s, from, out.plan, classes); !bad) return refuse(std::move(bad));
        auto& world = out.world.emplace();
        if (const restore_result bad = rewind_of<typename Stage::world_type>::read_owned(s.world_, from, world); !bad)
            return bad;
        const auto& numbers = world.numbers->by_number;
        out.plan.class_numbers = numbers.size();
        const auto number_of_class = [&numbers](const entity_class_base& c) {
            std::size_t n = 0;
            while (n < numbers.size() && (numbers[n] == nullptr || numbers[n]->name() != c.name())) ++n;
            return static_cast<class_number>(n);
        };
        if (auto bad = stage_image::read_entities(s, from, out.plan, classes, world.saved.now, number_of_class); !bad)
            return refuse(std::move(bad));
        return {};
    }

    template <class Stage>
    static void hash(const Stage& s, hasher& h) {
        const stage_base::closed_stage meanwhile(s);
        rewind_of<typename Stage::world_type>::hash(s.world_, h);
        s.journal_.hash(h);
        h.add(s.state_.births).add(s.state_.generated).add(s.state_.locks);
    }

private:
    [[nodiscard]] static header read(const section& from) noexcept {
        header h;
        copy_bytes(&h, from.data(), sizeof(h));
        return h;
    }
};

}  // namespace lido::entity_detail
