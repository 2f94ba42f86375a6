// What a saved game has of a stage, or of a world alone: an image that later builds read, too.
//
//   lido::lasting game{stage};
//   std::vector<std::byte> bytes;
//   lido::save(bytes, game, rng);
//   …
//   if (const auto done = lido::restore(bytes, game, rng); !done) std::puts(done.what());
//   game.settle();
//
// Entities are in it by the names of their fields, and are migrated as a store migrates them. Objects of other classes are their bytes, or
// what their save() writes; where the fields of such a class are others in this build, its setting changed_layout decides. What is code of the
// running program is left out: contexts (on_begin makes them anew), resources, listeners of single lives, history.
#pragma once

#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/part.hpp>
#include <lido/entity/stage/stage.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace lido {

/// How a saved game is read.
struct load_rules {
    /// Without the objects of classes that this build does not have any more. False: such a game is refused.
    bool leave_out_classes = false;
};

namespace entity_detail {
struct lasting_rewind;
}

/// A part for lido::save() and lido::restore(). Pre: what it is of outlives it.
template <class Of>
class lasting {
public:
    using rewind_with = entity_detail::lasting_rewind;

    explicit lasting(Of& of, const load_rules& rules = {}) noexcept : of_(of) {
        notes_.lasting = true;
        notes_.leave_out_classes = rules.leave_out_classes;
    }

    /// After a restore that has succeeded, and before the next tick: objects of which nothing could be read end, classes that the game did
    /// not have are built, and on_begin is called for each entity. Throws: the first of what hooks throw, when all have been called.
    void settle();

    /// Classes that the saved game has, and this build does not.
    [[nodiscard]] const std::vector<std::string>& left_out() const noexcept { return notes_.left_out; }
    /// Classes of the world whose objects were dropped, because they have other fields in this build.
    [[nodiscard]] const std::vector<std::string>& dropped() const noexcept { return notes_.dropped; }

private:
    friend struct entity_detail::lasting_rewind;
    static constexpr bool is_stage = requires { typename Of::world_type; };

    Of& of_;
    entity_detail::entity_notes notes_;
};

namespace entity_detail {

/// The part itself, with notes on the way.
struct lasting_rewind {
    template <class Part>
    struct part_of;
    template <class Of>
    struct part_of<lasting<Of>> {
        using type = Of;
    };
    template <class Part>
    struct staged : staged_of<typename part_of<Part>::type> {};

    template <class Of>
    [[nodiscard]] static save_result write(const lasting<Of>& part, image_writer& w) {
        entity_notes notes;
        notes.lasting = true;
        if constexpr (lasting<Of>::is_stage) notes.names = &part.of_;
        w.set_notes(&notes);
        const save_result done = rewind_of<Of>::write(part.of_, w);
        w.set_notes(nullptr);
        return done;
    }
    template <class Of>
    [[nodiscard]] static restore_result read(lasting<Of>& part, image_reader& r, staged<lasting<Of>>& out) {
        part.notes_.forget();
        part.notes_.all.clear();
        r.set_notes(&part.notes_);
        const restore_result done = rewind_of<Of>::read(part.of_, r, out);
        r.set_notes(nullptr);
        part.notes_.all.clear();
        return done;
    }
    template <class Of>
    static void commit(lasting<Of>& part, staged<lasting<Of>>& from) noexcept {
        rewind_of<Of>::commit(part.of_, from);
    }
    template <class Of>
    static void hash(const lasting<Of>& part, hasher& h) {
        rewind_of<Of>::hash(part.of_, h);
    }

    /// Entities begin in this program.
    static void begin_entities(stage_base& s) {
        std::vector<any_entity_ref> all;
        for (const auto& c : s.classes_) {
            if (c == nullptr) continue;
            c->each([&](entity_head&, std::byte*, std::uint64_t life) { all.emplace_back(c->number(), life); });
        }
        const stage_base::inside_hook meanwhile(s);
        first_exception thrown;
        for (const any_entity_ref which : all) {
            if (s.lives(which)) thrown.keep([&] { s.class_at(which.class_of())->tell_begin(which.life()); });
        }
        thrown.pass_on();
    }
};

}  // namespace entity_detail

template <class Of>
void lasting<Of>::settle() {
    if constexpr (is_stage) {
        owning::access::settle_lasting(of_.world(), notes_);
        entity_detail::lasting_rewind::begin_entities(of_);
    } else {
        owning::access::settle_lasting(of_, notes_);
    }
}

}  // namespace lido
