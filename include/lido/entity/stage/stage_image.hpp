// A stage in an image: its world, its entities, and what it knows beside them.
//
//   | part, version | births, generated ids, locks | journal: tick, commit, next entry | number of classes | class | class | ... |
//   | the world (world/world_image.hpp), entities in it as entity_image.hpp says | history of a class | history of a class | ...
//
//   class     name | exact: commits that are kept, number of fields | name, fingerprint | name, fingerprint | ...
//   history   number of lives | life, number of commits | version, tick, struct before it | ... | life | ...
//
// Two forms. The exact one is for another process of the same build, which goes on as the first one would have. The lasting one is for saved
// games (lasting.hpp): without history and contexts, by the names of fields.
//
// What the bytes claim is checked where it can be: each entity by itself as it is read, then all of them together, and nothing has changed
// until the last byte was found good. A restore is a reset: what was restored has state, but no past that a reader of the journal could read.
//
// SI1. What is in the image lives afterwards; nothing else does. An id is there once, and no generation or lock is above the counters.
#pragma once

#include <lido/core/misuse.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/image_part.hpp>
#include <lido/core/rewind/part.hpp>
#include <lido/entity/stage/entity_image.hpp>
#include <lido/entity/stage/stage_base.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lido::entity_detail {

/// Everything of an image but its world, checked, with memory for the commit.
struct stage_plan {
    std::uint64_t births = 0;
    std::uint64_t generated = 0;
    std::uint64_t locks = 0;
    journal_state journal;
    std::size_t class_numbers = 0;
    std::vector<std::unique_ptr<entity_class_base>> classes;  ///< empty places, one a number
    std::vector<std::unique_ptr<entity_signals>> signals;
    std::vector<std::pair<entity_class_base*, class_history>> histories;
    bool any_persistent = false;
};

struct stage_image {
    static constexpr std::uint8_t version = 1;
    /// As world_image::lasting_version.
    static constexpr std::uint8_t lasting_version = 1;
    [[nodiscard]] static constexpr image_part part_of(bool lasting) noexcept {
        return lasting ? image_part::lasting_stage : image_part::stage;
    }

    // --- write -------------------------------------------------------------------------------------------------------------

    /// Empty, or why it cannot be written as it is now.
    [[nodiscard]] static std::string why_not(const stage_base& s, bool lasting) {
        std::string wrong;
        for (const auto& c : s.classes_) {
            if (c == nullptr || !wrong.empty()) continue;
            if (const char* const why = lasting ? nullptr : c->why_no_image(); why != nullptr)
                wrong = c->name() + ": entities of this class cannot be written into an image: " + why;
            c->each([&](entity_head& h, std::byte*, std::uint64_t) {
                if (wrong.empty() && !h.lives())
                    wrong = of(h, *c) + "its data is still being loaded; save when that is over";
            });
        }
        if (!wrong.empty() || lasting) return wrong;
        if (const any_entity_ref which = s.managed_.any_owner())
            return whose(s, which) +
                   "what manage() was given is code of this run and cannot be written into an image; a saved game "
                   "leaves it "
                   "out";
        if (s.managed_.waiting() != 0)
            return "what manage() was given of a life whose end is not certain cannot be written into an image; "
                   "confirm() "
                   "that tick first";
        if (const any_entity_ref which = s.listeners_.any_owner())
            return whose(s, which) +
                   "a listener of this life (on_updated, on_released) is code of this run and cannot be written into "
                   "an "
                   "image; a saved game leaves it out";
        if (untold(s))
            return "what was committed since the last deliver() has not been told to listeners, and an image holds no "
                   "entries; call deliver() or tick() before";
        return {};
    }

    /// Pre: why_not() has said nothing.
    static void write_head(const stage_base& s, image_writer& w) {
        w.put(number_of(part_of(w.lasting())));
        w.put(w.lasting() ? lasting_version : version);
        w.put(s.state_.births);
        w.put(s.state_.generated);
        w.put(s.state_.locks);
        const journal_state j = s.journal_.state();
        w.put(j.tick.count);
        w.put(j.commit.value);
        w.put(j.next.value);
        std::uint32_t count = 0;
        for (const auto& c : s.classes_) count += c != nullptr ? 1 : 0;
        w.put(count);
        for (const auto& c : s.classes_) {
            if (c == nullptr) continue;
            write_text(w, c->name());
            w.put(w.lasting() ? c->schema().revision() : std::int64_t{c->history().depth()});
            if (w.lasting()) continue;
            w.put(static_cast<std::uint32_t>(c->schema().fields().size()));
            for (const field_schema& f : c->schema().fields()) {
                write_text(w, f.name);
                w.put(f.fingerprint);
                w.put(f.kind == field_kind::local ? f.size : 0u);
            }
        }
    }
    static void write_histories(const stage_base& s, image_writer& w) {
        for (const auto& c : s.classes_) {
            if (c == nullptr || !c->history().kept()) continue;
            w.put(c->active());
            c->each([&](entity_head&, std::byte*, std::uint64_t life) {
                w.put(life);
                c->history().write(w, slot_of(life), life,
                                   [&](image_writer& to, const void* data) { c->write_data(to, data); });
            });
        }
    }

    // --- read --------------------------------------------------------------------------------------------------------------

    struct verdict_of_image {
        restore_error error = restore_error::none;
        std::string why;
        [[nodiscard]] explicit operator bool() const noexcept { return error == restore_error::none; }
    };

    /// A class as the image has it.
    struct written_class {
        entity_class_base* here = nullptr;  ///< null: left out
        std::int64_t number = 0;            ///< lasting: the revision; exact: commits that are kept
    };

    [[nodiscard]] static verdict_of_image read_head(stage_base& s, image_reader& r, stage_plan& plan,
                                                    std::vector<written_class>& classes) {
        const auto part = r.take<std::uint8_t>();
        const auto as_version = r.take<std::uint8_t>();
        plan.births = r.take<std::uint64_t>();
        plan.generated = r.take<std::uint64_t>();
        plan.locks = r.take<std::uint64_t>();
        plan.journal.tick.count = r.take<std::uint64_t>();
        plan.journal.commit.value = r.take<std::uint64_t>();
        plan.journal.next.value = r.take<std::uint64_t>();
        const auto count = r.take<std::uint32_t>();
        if (!r.ok()) return cut();
        if (part != number_of(part_of(r.lasting())))
            return {restore_error::other_shape, "saved from something else than a stage"};
        if (const std::uint8_t readable = r.lasting() ? lasting_version : version; as_version != readable)
            return {restore_error::other_version, "written by another version of lido::stage; it has version " +
                                                      std::to_string(as_version) + ", and this reads " +
                                                      std::to_string(readable)};
        for (const std::uint64_t n : {plan.births, plan.generated, plan.locks, plan.journal.tick.count,
                                      plan.journal.commit.value, plan.journal.next.value}) {
            if (n >= most_counted)
                return {restore_error::inconsistent, "the stage: a counter shows more than there can be"};
        }
        if (!r.has(count, 10)) return cut();
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::string name(read_text(r));
            written_class c;
            c.number = r.take<std::int64_t>();
            if (!r.ok()) return cut();
            for (const auto& known : s.classes_) {
                if (known != nullptr && known->name() == name) c.here = known.get();
            }
            for (const written_class& before : classes) {
                if (c.here != nullptr && before.here == c.here)
                    return {restore_error::inconsistent, "the class " + shown(name) + " is twice in the image"};
            }
            const bool left_out = c.here == nullptr && r.lasting() && notes_of(r).leave_out_classes;
            if (c.here == nullptr && (!left_out || s.world_base_.class_of(name)))
                return {restore_error::other_parts,
                        "the image has the entities " + shown(name) +
                            ", which this stage does not have; add the class before the restore"};
            if (!r.lasting()) {
                if (verdict_of_image bad = same_fields(*c.here, c.number, r); !bad) return bad;
            } else if (c.here != nullptr && c.number > c.here->schema().revision()) {
                return {restore_error::other_version, c.here->name() + ": " + to_string(load_fault::from_future)};
            } else if (c.number < 1) {
                return {restore_error::inconsistent, shown(name) + ": the image says a revision that there is not"};
            }
            classes.push_back(c);
        }
        for (const auto& known : s.classes_) {
            if (known == nullptr || r.lasting() || is_in(classes, *known)) continue;
            return {restore_error::other_parts,
                    "this stage has the entities " + shown(known->name()) + ", which the image does not have"};
        }
        return {};
    }

    /// When the world has been read, and before its lives are there. `number_of_class(class)` is its number then. Throws: what `valid` and `migrate` throw.
    template <class F>
    [[nodiscard]] static verdict_of_image read_entities(stage_base& s, image_reader& r, stage_plan& plan,
                                                        const std::vector<written_class>& classes,
                                                        std::uint64_t world_tick, F&& number_of_class) {
        if (plan.journal.tick.count > world_tick + 1)
            return {restore_error::inconsistent, "the journal is ahead of the world"};
        verdict_of_image so_far;
        names_in_image names;
        std::vector<std::uint64_t> generations;
        for (const auto& known : s.classes_) {
            if (known == nullptr) continue;
            const class_number number = number_of_class(*known);
            known->each_read([&](entity_head& h, std::byte*, std::uint64_t life) {
                if (!is_in(classes, *known) && so_far)
                    so_far = {restore_error::inconsistent, known->name() + ": the image has no entities of this class"};
                if (so_far && (h.generation > plan.births || h.lock_number > plan.locks))
                    so_far = {restore_error::inconsistent, of(h, *known) + "its numbers are above those of the stage"};
                known->make_room(slot_of(life));
                names.add(h, number, life);
                generations.push_back(h.generation);
                plan.any_persistent = plan.any_persistent || h.persistent;
            });
        }
        std::sort(generations.begin(), generations.end());
        if (so_far && std::adjacent_find(generations.begin(), generations.end()) != generations.end())
            so_far = {restore_error::inconsistent, "two entities of the image are of one generation"};
        if (so_far && !names.arrange()) so_far = {restore_error::inconsistent, "an id is twice in the image"};
        if (so_far && r.lasting()) so_far = read_stored(notes_of(r), classes, names);
        for (const written_class& c : classes) {
            if (c.here == nullptr) continue;
            c.here->each_read([&](entity_head& h, std::byte* data, std::uint64_t) {
                if (so_far) so_far = sound(*c.here, h, data);
            });
            if (!so_far || !c.here->history().kept()) continue;
            const class_schema& schema = c.here->schema();
            auto& history = plan.histories.emplace_back(
                c.here, class_history(c.here->history().depth(), schema.size(), schema.alignment()));
            if (r.lasting()) {
                c.here->each_read(
                    [&](entity_head&, std::byte*, std::uint64_t life) { history.second.begin(slot_of(life), life); });
            } else {
                so_far = read_history(*c.here, history.second, r);
            }
        }
        if (!so_far) return so_far;
        s.ids_.reserve(names.size());
        plan.classes.resize(plan.class_numbers);
        plan.signals.resize(plan.class_numbers);
        return {};
    }

    // --- commit: cannot fail -----------------------------------------------------------------------------------------------------

    /// Before the lives of the image are there.
    static void end_all(stage_base& s) noexcept {
        ++s.restores_;
        // Resources of lives that never were go before those lives do.
        s.managed_.restore({}, [](const stage_base::release_call& release) { release(); });
        s.listeners_.restore({}, [](const life_listener&) {});
        s.ids_.clear();
        for (const auto& c : s.classes_) {
            if (c != nullptr) c->undo_all();
        }
    }
    /// When they are.
    static void begin_all(stage_base& s, stage_plan& plan, reset_cause cause) noexcept {
        for (auto& c : s.classes_) {
            if (c == nullptr) continue;
            auto& signals = s.signals_of_[c->number()];
            c->take_number();
            plan.signals[c->number()] = std::move(signals);
            plan.classes[c->number()] = std::move(c);
        }
        s.classes_.swap(plan.classes);
        s.signals_of_.swap(plan.signals);
        for (auto& [c, history] : plan.histories) c->history() = std::move(history);
        const std::uint64_t known = (std::max)(s.state_.births, s.store_ != nullptr ? s.store_->births() : 0);
        // With a store, whoever is created later must be later than what is stored, too.
        s.state_.births = plan.any_persistent || s.store_ != nullptr ? (std::max)(plan.births, known) : plan.births;
        s.state_.generated = plan.generated;
        s.state_.locks = plan.locks;
        for (const auto& c : s.classes_) {
            if (c == nullptr) continue;
            c->forget_lives();
            c->each([&](entity_head& h, std::byte*, std::uint64_t life) {
                if (h.persistent) h.generation = ++s.state_.births;
                c->note_life(life, h.generation);
                h.id_tag = id_table::tag_of(h.id.view());
                static_cast<void>(s.ids_.find_or_put(h.id, h.id_tag, c->number(), life));
            });
        }
        static_cast<void>(s.journal_.reset(cause, plan.journal));
        s.state_.delivered = s.journal_.position();
        s.state_.lives = ++s.lives_seen_;
        static_cast<void>(s.signals_.resume());
    }

    [[nodiscard]] static verdict_of_image cut() {
        return {restore_error::truncated, to_string(restore_error::truncated)};
    }

private:
    [[nodiscard]] static entity_notes& notes_of(image_reader& r) noexcept {
        return *static_cast<entity_notes*>(r.notes());
    }
    /// Names from a stranger are shown without what a terminal would obey.
    [[nodiscard]] static std::string shown(std::string_view name) {
        std::string text = "\"";
        for (const char c : name.substr(0, 200)) text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
        return text + "\"";
    }
    [[nodiscard]] static std::string of(const entity_head& h, const entity_class_base& c) {
        return "\"" + std::string(h.id.view()) + "\" (" + c.name() + "): ";
    }
    [[nodiscard]] static std::string whose(const stage_base& s, any_entity_ref which) {
        const entity_head* const h = s.look(which).head;
        return h != nullptr ? of(*h, *s.class_at(which.class_of())) : std::string("of a life that has ended: ");
    }
    [[nodiscard]] static bool is_in(const std::vector<written_class>& all, const entity_class_base& c) noexcept {
        return std::any_of(all.begin(), all.end(), [&c](const written_class& w) { return w.here == &c; });
    }

    static void write_text(image_writer& w, std::string_view text) {
        w.put(static_cast<std::uint16_t>(text.size()));
        w.put_bytes(std::as_bytes(std::span<const char>(text)));
    }
    [[nodiscard]] static std::string_view read_text(image_reader& r) noexcept {
        const std::span<const std::byte> bytes = r.take_bytes(r.take<std::uint16_t>());
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

    /// Somebody would hear of something that was not told yet.
    [[nodiscard]] static bool untold(const stage_base& s) noexcept {
        if (s.settings_.signals != reads::everything || s.state_.delivered.next() == s.journal_.state().next)
            return false;
        for (const auto& e : s.signals_of_) {
            if (e != nullptr &&
                !(e->created.empty() && e->updated.empty() && e->released.empty() && e->destroyed.empty()))
                return true;
        }
        return false;
    }

    [[nodiscard]] static verdict_of_image same_fields(const entity_class_base& c, std::int64_t depth, image_reader& r) {
        const auto count = r.take<std::uint32_t>();
        if (!r.ok() || !r.has(count, 14)) return cut();
        const auto differ = [&c](std::string_view name) -> verdict_of_image {
            return {restore_error::other_type,
                    c.name() + "." + std::string(name) +
                        ": this field is not in the image as it is in this build; what one build "
                        "gives to another is a saved game"};
        };
        if (depth != c.history().depth())
            return {restore_error::other_options, c.name() + ": the image keeps the last " + std::to_string(depth) +
                                                      " commits of each entity, and this stage " +
                                                      std::to_string(c.history().depth())};
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::string_view name = read_text(r);
            const auto fingerprint = r.take<std::uint64_t>();
            const auto local_size = r.take<std::uint32_t>();
            if (!r.ok()) return cut();
            if (i >= c.schema().fields().size()) return differ("(more)");
            const field_schema& f = c.schema().fields()[i];
            if (f.name != name || f.fingerprint != fingerprint ||
                local_size != (f.kind == field_kind::local ? f.size : 0u))
                return differ(f.name);
        }
        if (count < c.schema().fields().size()) return differ(c.schema().fields()[count].name);
        return {};
    }

    /// Which life an id in the image is: what links in it are read by.
    class names_in_image final : public link_names {
    public:
        void add(const entity_head& h, class_number of, std::uint64_t life) {
            all_.push_back({h.id, h.generation, of, life});
        }
        /// False where an id is there twice.
        [[nodiscard]] bool arrange() {
            std::sort(all_.begin(), all_.end(), [](const name& a, const name& b) { return a.id < b.id; });
            return std::adjacent_find(all_.begin(), all_.end(),
                                      [](const name& a, const name& b) { return a.id == b.id; }) == all_.end();
        }
        [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

        [[nodiscard]] bool name_of(std::uint64_t, link_name&) const noexcept override { return false; }
        /// Null for who is not in the image: it was of a class that this build left out.
        [[nodiscard]] bool find(const link_name& wanted, std::uint64_t& bits) noexcept override {
            bits = 0;
            const auto at = std::lower_bound(all_.begin(), all_.end(), wanted.id,
                                             [](const name& n, std::string_view id) { return n.id.view() < id; });
            if (at != all_.end() && at->id == wanted.id && at->generation == wanted.generation)
                bits = stage_base::link_bits({at->of, at->life});
            return true;
        }

    private:
        struct name {
            entity_id id;
            std::uint64_t generation;
            class_number of;
            std::uint64_t life;
        };
        std::vector<name> all_;
    };

    [[nodiscard]] static verdict_of_image read_stored(const entity_notes& notes,
                                                      const std::vector<written_class>& classes,
                                                      names_in_image& names) {
        std::vector<const entity_notes::stored*> by_head;
        for (const auto& s : notes.all) by_head.push_back(&s);
        const auto before = [](const auto* a, const auto* b) { return std::less<>{}(a->head, b->head); };
        std::sort(by_head.begin(), by_head.end(), before);
        verdict_of_image so_far;
        for (const written_class& c : classes) {
            if (c.here == nullptr) continue;
            c.here->each_read([&](entity_head& h, std::byte* data, std::uint64_t) {
                if (!so_far) return;
                const entity_notes::stored wanted{&h, {}};
                const auto at = std::lower_bound(by_head.begin(), by_head.end(), &wanted, before);
                if (at == by_head.end() || (*at)->head != &h) {
                    so_far = {restore_error::inconsistent, of(h, *c.here) + "nothing is stored of it"};
                    return;
                }
                const load_result got = c.here->schema().load(record((*at)->text, c.number, &names), data);
                if (!got) so_far = {restore_error::inconsistent, of(h, *c.here) + in_words(got)};
            });
        }
        return so_far;
    }
    [[nodiscard]] static std::string in_words(const load_result& r) {
        std::string text = r.field != nullptr ? std::string(r.field->name) + ": " : std::string();
        text += r.fault == load_fault::invalid ? to_string(r.why) : to_string(r.fault);
        return text;
    }

    [[nodiscard]] static verdict_of_image sound(const entity_class_base& c, const entity_head& h, const void* data) {
        const finding found = c.schema().first_invalid(data);
        if (!found) return {};
        std::string text = of(h, c);
        if (found.field != nullptr) text += std::string(found.field->name) + ": ";
        return {restore_error::inconsistent, text + to_string(found.fault)};
    }

    [[nodiscard]] static verdict_of_image read_history(entity_class_base& c, class_history& history, image_reader& r) {
        const auto count = r.take<std::uint32_t>();
        std::uint32_t lives = 0;
        verdict_of_image so_far;
        c.each_read([&](entity_head& h, std::byte*, std::uint64_t life) {
            ++lives;
            if (!so_far) return;
            const auto which = r.take<std::uint64_t>();
            const bool read = r.ok() && which == life &&
                              history.read(r, slot_of(life), life, h.version, c.schema().defaults(),
                                           [&](image_reader& from, void* data) {
                                               return c.read_data(from, data) && !c.schema().first_invalid(data);
                                           });
            if (!read)
                so_far =
                    r.ok() ? verdict_of_image{restore_error::inconsistent, of(h, c) + "its history is none"} : cut();
        });
        if (so_far && (!r.ok() || count != lives))
            so_far = {restore_error::inconsistent, c.name() + ": its histories are not those of its lives"};
        return so_far;
    }
};

}  // namespace lido::entity_detail
