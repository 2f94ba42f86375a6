// What a stage does without knowing the type of an entity: ids, ends, locks, owners, what belongs to lives, time. stage.hpp puts creations
// and edits on top.
#pragma once

#include <lido/core/checks/place.hpp>
#include <lido/core/config.hpp>
#include <lido/core/misuse.hpp>
#include <lido/entity/identity/entity_ref.hpp>
#include <lido/entity/identity/generated_id.hpp>
#include <lido/entity/identity/id_table.hpp>
#include <lido/entity/identity/player.hpp>
#include <lido/entity/journal/journal.hpp>
#include <lido/entity/schema/link.hpp>
#include <lido/entity/stage/commit.hpp>
#include <lido/entity/stage/creation.hpp>
#include <lido/entity/stage/edit_arena.hpp>
#include <lido/entity/stage/entity_class.hpp>
#include <lido/entity/stage/entity_look.hpp>
#include <lido/entity/stage/entity_settings.hpp>
#include <lido/entity/stage/entity_store.hpp>
#include <lido/entity/stage/life_things.hpp>
#include <lido/entity/stage/signals.hpp>
#include <lido/world/named_calls.hpp>
#include <lido/world/world_base.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lido {

struct stage_stats {
    std::size_t entities = 0;         ///< that live
    std::uint64_t births = 0;         ///< the highest generation that was given
    std::size_t managed = 0;          ///< resources of lives
    std::size_t managed_waiting = 0;  ///< of lives whose end is not certain
    std::size_t listeners = 0;        ///< of single lives
    std::uint64_t commits_refused = 0;
    std::uint64_t idle_overflow = 0;  ///< entities that were to be pooled and were destroyed
};

namespace entity_detail {

struct stage_rewind;
struct stage_image;
struct lasting_rewind;

class stage_base : public owning::layer, public link_names {
public:
    stage_base(const stage_base&) = delete;
    stage_base& operator=(const stage_base&) = delete;

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// Null when nobody has that id, and while it is just being created. Complexity: O(1), a hash look-up.
    [[nodiscard]] any_entity_ref find(std::string_view id) const noexcept {
        const id_table::entry* const e = ids_.find(id);
        return e != nullptr && e->life != 0 ? any_entity_ref(e->of, e->life) : any_entity_ref();
    }
    [[nodiscard]] bool lives(any_entity_ref which) const noexcept {
        const entity_head* const h = look(which).head;
        return h != nullptr && h->lives();
    }
    /// False when that life has ended.
    [[nodiscard]] entity_info info(any_entity_ref which) const noexcept {
        const entity_head* const h = look(which).head;
        return h != nullptr && shown(*h) ? info_of(*h) : entity_info{};
    }
    [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }

    [[nodiscard]] role as() const noexcept { return world_base_.as(); }
    [[nodiscard]] ticks now() const noexcept { return world_base_.now(); }
    /// How many ticks stay open: the world's, or more (stage_settings::rollback).
    [[nodiscard]] ticks rollback() const noexcept {
        return {(std::max)(world_base_.rollback().count, std::uint64_t{settings_.rollback})};
    }

    /// Every change, for readers: stage.changes().open(…). Only the stage writes.
    [[nodiscard]] journal& changes() noexcept { return journal_; }
    [[nodiscard]] const journal& changes() const noexcept { return journal_; }

    [[nodiscard]] stage_stats stats() const noexcept {
        return {ids_.size(),       state_.births,    managed_.size(), managed_.waiting(),
                listeners_.size(), commits_refused_, idle_overflow_};
    }

    // --- looking without types, for tools (entity_look.hpp) ------------------------------------------------------------------

    /// Every class has a number below this one; some numbers have none.
    [[nodiscard]] class_number class_limit() const noexcept { return static_cast<class_number>(classes_.size()); }
    /// False where the stage has no class of that number.
    [[nodiscard]] entity_class_info class_info_of(class_number n) const noexcept {
        const entity_class_base* const c = class_at(n);
        if (c == nullptr) return {};
        return {c->number(),          c->id(),    c->name(),      &c->schema(), c->active(), c->settings().idle,
                c->history().depth(), c->fresh(), c->changeable()};
    }
    [[nodiscard]] entity_look look_at(any_entity_ref which) const noexcept {
        const entity_class_base::found e = look(which);
        if (e.head == nullptr || !shown(*e.head)) return {};
        return {*class_at(which.class_of()), which, info_of(*e.head), e.data, e.head->phase == life_phase::loading};
    }
    /// Calls f(entity_look) for each entity in the next places, at most so many, in the order of classes and slots. f may return a bool:
    /// false stops behind that entity. Returns where to go on. f may not change the stage. Complexity: O(places).
    template <class F>
    entity_place look_through(entity_place from, std::uint32_t places, F&& f) const;
    [[nodiscard]] bool is_through(entity_place at) const noexcept { return at.of >= classes_.size(); }
    /// Whose entry it is. Null where the slot has had other lives since an update; ends and creations say it themselves.
    [[nodiscard]] any_entity_ref whose(const journal_entry& e) const noexcept {
        const entity_class_base* const c = is_notice(e.kind()) ? nullptr : class_at(e.what.local_class);
        return c != nullptr && c->id() == e.what.of_class ? life_in(*c, e) : any_entity_ref();
    }

    // --- the end of a life -------------------------------------------------------------------------------------------------

    /// Ends that life; the object waits for another one. When as many wait as may, or another owner of the end says so, it is destroyed:
    /// the result says which. Refused, with nothing changed: a life that has ended, one that somebody else has locked, a class that is
    /// fresh, a role that may not.
    LIDO_ENTRY end_result pool(any_entity_ref which, const end_options& how = {}) {
        return end_entity(place_of_caller(LIDO_CALLER), which, entity_end::pooled, how);
    }
    /// Ends that life; the object does not come back. A stored row stays.
    LIDO_ENTRY end_result destroy(any_entity_ref which, const end_options& how = {}) {
        return end_entity(place_of_caller(LIDO_CALLER), which, entity_end::destroyed, how);
    }
    /// The same, and a stored row goes, too.
    LIDO_ENTRY end_result erase(any_entity_ref which, const end_options& how = {}) {
        return end_entity(place_of_caller(LIDO_CALLER), which, entity_end::erased, how);
    }
    /// Ends whoever has that id now: for consoles and tools. Who means one life keeps its reference.
    LIDO_ENTRY end_result end_whoever_is(std::string_view id, entity_end how = entity_end::destroyed,
                                         const end_options& options = {}) {
        const any_entity_ref which = find(id);
        if (!which) {
            refusal_facts f{.reason = stage_refusal::ended};
            static_cast<void>(f.id.assign(id));
            return f;
        }
        return end_entity(place_of_caller(LIDO_CALLER), which, how, options);
    }

    /// What the class says (settings.owner_leaves) of each entity of that player. Returns how many.
    LIDO_ENTRY std::size_t owner_left(player who) { return end_owned(place_of_caller(LIDO_CALLER), who); }

    /// A commit of its own: version + 1.
    stage_answer set_owner(any_entity_ref which, player owner) {
        refusal_facts why;
        entity_class_base* const c = may_change(which, why);
        if (c == nullptr) return why;
        entity_head& h = *c->find(which.life()).head;
        if (h.owner == owner) return {};
        const entry_shape shape{field_count(*c), 0, entity_bytes::owner, entity_bytes::owner};
        journal_reservation r = reserve(journal::bytes_of(shape));
        if (!r) return journal_full(why, r);
        ++h.version;
        stamp what = stamp_of(*c, change_kind::updated, which.life(), h);
        what.detail = entity_bytes::owner_changed;
        const entry_room room = r.add(what, shape);
        std::memcpy(room.before.data(), &h.owner.id, entity_bytes::owner);
        std::memcpy(room.after.data(), &owner.id, entity_bytes::owner);
        h.owner = owner;
        r.publish();
        return {};
    }

    // --- locks: advisory, named, and over after so many ticks ------------------------------------------------------------------

    /// From now on only edits and ends under this lock change the entity. `who`: 1 to 23 bytes of UTF-8, for those who are refused.
    /// The holder who asks again prolongs it: lock_again().
    lock_result lock(any_entity_ref which, std::string_view who, ticks how_long) {
        return take_lock(which, who, how_long, {});
    }
    lock_result lock_again(const entity_lock& mine, std::string_view who, ticks how_long) {
        return take_lock(mine.of, who, how_long, mine);
    }
    stage_answer unlock(const entity_lock& mine) {
        refusal_facts why;
        entity_class_base* const c = may_change(mine.of, why);
        if (c == nullptr) return why;
        entity_head& h = *c->find(mine.of.life()).head;
        if (!holds(h, mine)) {
            why.reason = stage_refusal::not_locked;
            return why;
        }
        if (!append_lock(*c, change_kind::unlocked, mine.of, h, h.lock_by, why)) return why;
        h.lock_until = h.lock_number = 0;
        h.lock_by = {};
        return {};
    }
    /// Whether that lock is in force.
    [[nodiscard]] bool holds(const entity_lock& mine) const noexcept {
        const entity_head* const h = look(mine.of).head;
        return h != nullptr && holds(*h, mine);
    }

    // --- what belongs to a life ------------------------------------------------------------------------------------------------

    /// Calls `release()` once when that life is over for certain, however it ends; several, the last given first. A lambda of up to 32
    /// bytes that is trivially copyable and does not throw. Refused for a life that has ended: release it yourself then.
    template <class F>
        requires std::is_invocable_v<const std::decay_t<F>&>
    stage_answer manage(any_entity_ref which, F&& release) {
        refusal_facts why;
        if (!belongs(which, why)) return why;
        managed_.add(which, release_call(std::forward<F>(release)));
        return {};
    }

    /// `f(event)` when deliver() tells of an update of that life, and goes with it.
    template <class F>
    entity_connection on_updated(any_entity_ref which, F&& f) {
        return listen(which, {entity_call(std::forward<F>(f)), listens_to::updates});
    }
    /// `f(event)` when deliver() tells that it is over; event.kind() says how.
    template <class F>
    entity_connection on_released(any_entity_ref which, F&& f) {
        return listen(which, {entity_call(std::forward<F>(f)), listens_to::end});
    }
    /// False when it has gone.
    bool disconnect(entity_connection who) noexcept { return listeners_.end_one(who.serial, now().count); }

    /// Wraps `f` so that it does nothing once that life has ended: for whatever calls late.
    template <class F>
    [[nodiscard]] auto guard(any_entity_ref which, F&& f) const {
        return [this, which, call = std::decay_t<F>(std::forward<F>(f))](auto&&... args) mutable {
            if (lives(which)) static_cast<void>(call(std::forward<decltype(args)>(args)...));
        };
    }

    /// Calls `f(reference)` or `f()` after so many ticks, if that life still lives then. Part of a rewind.
    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, named>)
    waiting_call after(any_entity_ref which, ticks in, F&& f) {
        return world_base_.after(which.in_world(), in,
                                 [call = std::decay_t<F>(std::forward<F>(f))](any_object, any_ref life) {
                                     if constexpr (std::is_invocable_v<const std::decay_t<F>&, any_entity_ref>) {
                                         call(any_entity_ref(life.class_of(), life.life()));
                                     } else {
                                         call();
                                     }
                                 });
    }
    /// A call that was given a name: stage.name_call<door>("close", f). An image can hold it.
    waiting_call after(any_entity_ref which, ticks in, const named& call) {
        return world_base_.after(which.in_world(), in, call);
    }
    bool cancel(waiting_call which) noexcept { return world_base_.cancel(which); }

    // --- time --------------------------------------------------------------------------------------------------------------

    /// One tick of the world and of the stage: lifetimes and calls first, then what was committed is told to listeners.
    /// Throws: the first of what listeners throw, when all have been told.
    LIDO_ENTRY void tick() {
        // Asked before the journal begins its tick: a world that is inside one of its hooks would not follow.
        if (closed_ != 0 || delivering_ || owning::access::busy(world_base_)) {
            tell_reentrant("tick() was called from inside a listener, hook or save of the stage; it did nothing");
            return;
        }
        const ticks before = now();
        begin_tick({before.count + 1});
        world_base_.tick();
        deliver();
        if (const std::uint64_t window = rollback().count; window != 0 && now().count > window)
            static_cast<void>(journal_.confirm({now().count - window - 1}));
    }

    /// Tells listeners what was committed since the last time, what they commit included. Does nothing from inside of itself: what
    /// listeners commit is told after what is being told.
    void deliver() {
        if (delivering_ || closed_ != 0) return;
        delivering_ = true;
        first_exception thrown;
        LIDO_TRY {
            for (bool more = nobody_listens() ? !signals_.skip_all() : true; more;) {
                const read_result got = signals_.read([&](const journal_entry& e) { tell(e, thrown); });
                more = got.entries != 0;
                if (got.state != reader_state::ready) more = static_cast<bool>(signals_.resume());
            }
        }
        LIDO_CATCH_ALL {
            delivering_ = false;
            LIDO_RETHROW;
        }
        delivering_ = false;
        state_.delivered = journal_.position();
        thrown.pass_on();
    }

    /// No rollback will reach that tick any more: ends are final, resources of ended lives are released, readers of confirmed changes
    /// see them. World and journal together.
    void confirm(ticks last) noexcept {
        if (closed_ != 0 || delivering_ || owning::access::busy(world_base_)) {
            tell_reentrant(
                "confirm() was called from inside a listener, hook, check or save of the stage; nothing was confirmed");
            return;
        }
        sync_tick();
        let_go(last.count);
        {
            const closed_stage meanwhile(*this);
            world_base_.confirm(last);
        }
        if (journal_.tick().count != 0)
            static_cast<void>(journal_.confirm({(std::min)(last.count, journal_.tick().count - 1)}));
    }

    // --- links: fields that name an entity (schema/link.hpp) ---------------------------------------------------------------------

    /// Exchanges the bits of links for ids, for whoever encodes entities: false for the link of a life that has ended.
    [[nodiscard]] bool name_of(std::uint64_t bits, link_name& name) const noexcept override {
        const entity_head* const h = look(linked(bits)).head;
        if (h == nullptr || !h->lives()) return false;
        name = {h->id.view(), h->generation};
        return true;
    }
    /// A link to whoever has that id now, if it is that life.
    [[nodiscard]] bool find(const link_name& name, std::uint64_t& bits) noexcept override {
        const any_entity_ref which = find(name.id);
        const entity_head* const h = look(which).head;
        if (h == nullptr || h->generation != name.generation) return false;
        bits = link_bits(which);
        return bits != 0;
    }

    // --- a store -----------------------------------------------------------------------------------------------------------

    /// Null: none. Pre: it outlives the stage, or is taken away before.
    void attach(entity_store* store) noexcept { store_ = store; }
    [[nodiscard]] const entity_store* attached() const noexcept { return store_; }

    /// For the store: an entity that was loading is there from now on, with what was found; `created` is in the journal. Refused, with the
    /// entity still loading: data that breaks the rules of the schema. Throws: what on_begin throws; the creation is called off then.
    stage_answer finish_load(any_entity_ref which, const loaded_entity& with);
    /// It will not be there: `load_refused` is in the journal, with the reason, and the id is free.
    stage_answer refuse_load(any_entity_ref which, std::string_view reason);
    /// A creation in the class of that number: for whoever knows no types. `data` is a struct of the class, or null.
    created_entity create_in_class(class_number of, const creation& how, const void* data = nullptr) {
        entity_class_base* const c = class_at(of);
        if (c == nullptr) return refusal_facts{.reason = stage_refusal::no_class};
        return c->create(*this, *c, how, data);
    }
    /// What was before this stage: generations and generated ids that it gives from now on are others.
    void continue_from(std::uint64_t births, std::uint64_t run) noexcept {
        state_.births = (std::max)(state_.births, births);
        settings_.run = (std::max)(settings_.run, run);
        generated_ = generated_ids(settings_.run);
    }
    /// In a stage without rollback: what was committed so far is confirmed, though the tick is not over. For stores that are to write all
    /// there is; a restore of what was saved in this tick is refused then. False in others.
    bool confirm_so_far() noexcept { return journal_.confirm_so_far(); }
    /// Whom the bits of a link name in this stage, whether it lives or not.
    [[nodiscard]] static any_entity_ref target_of(std::uint64_t bits) noexcept { return linked(bits); }

    /// Tells a reader that fell behind all that there is, as `created` entries, and lets it go on from there: f(entry).
    /// Throws: std::bad_alloc, and what f throws.
    template <class F>
    journal_answer catch_up(journal_cursor& reader, F&& f);

    /// Why an image was not written or restored last. Empty: none was refused.
    [[nodiscard]] const std::string& last_error() const noexcept { return last_error_; }

    [[nodiscard]] verdict validate() const noexcept {
        if (const verdict v = ids_.validate(); !v) return v;
        if (const verdict v = managed_.validate(); !v) return v;
        if (const verdict v = listeners_.validate(); !v) return v;
        const char* broken = nullptr;
        ids_.for_each([&](const id_table::entry& e) {
            const entity_head* const h = look({e.of, e.life}).head;
            if (e.life != 0 && (h == nullptr || h->id != *e.id)) broken = "an id names a life that has ended";
        });
        return {broken};
    }

protected:
    friend struct stage_rewind;
    template <class, class>
    friend class entity_class;
    friend struct stage_image;
    friend struct lasting_rewind;
    using release_call = delegate<void(), 32>;

    /// Trivially copyable: saved as bytes.
    struct running_state {
        std::uint64_t births = 0;     ///< the highest generation given
        std::uint64_t generated = 0;  ///< ids
        std::uint64_t locks = 0;
        std::uint64_t lives = 0;     ///< which lives there are: another number, others
        journal_position delivered;  ///< up to where signals have been told
    };

    /// Generations and versions are numbers that databases have, too.
    static constexpr std::uint64_t last_generation = (std::uint64_t{1} << 63) - 1;

    class closed_stage {
    public:
        explicit closed_stage(const stage_base& s) noexcept : stage_(s) { ++stage_.closed_; }
        closed_stage(const closed_stage&) = delete;
        closed_stage& operator=(const closed_stage&) = delete;
        ~closed_stage() { --stage_.closed_; }

    private:
        const stage_base& stage_;
    };

    /// A hook that is called by no world: it may do what a listener may.
    class inside_hook {
    public:
        explicit inside_hook(stage_base& s) noexcept : stage_(s), before_(std::exchange(s.delivering_, true)) {}
        inside_hook(const inside_hook&) = delete;
        inside_hook& operator=(const inside_hook&) = delete;
        ~inside_hook() { stage_.delivering_ = before_; }

    private:
        stage_base& stage_;
        bool before_;
    };

    stage_base(world_base& world, const stage_settings& settings)
        : settings_(settings),
          world_base_(world),
          journal_({.name = "stage",
                    .bytes = settings.journal_bytes,
                    .readers = settings.journal_readers + 1,
                    .rollback = static_cast<std::uint32_t>(rollback().count)}),
          arena_(settings.edit_bytes),
          generated_(settings.run) {
        ids_.reserve(settings.ids);
        signals_ = journal_.open({.name = "signals", .what = settings.signals});
        state_.delivered = journal_.position();
    }
    ~stage_base() = default;

    // | class + 1, 12 bits | slot, 20 bits | generation of the slot, 32 bits |      what does not fit has no link
    [[nodiscard]] static std::uint64_t link_bits(any_entity_ref which) noexcept {
        const std::uint32_t slot = slot_of(which.life());
        if (!which || which.class_of() >= 0xfff || slot >= (1u << 20)) return 0;
        return (std::uint64_t{which.class_of()} + 1) << 52 | std::uint64_t{slot} << 32 | (which.life() & 0xffffffffu);
    }
    [[nodiscard]] static any_entity_ref linked(std::uint64_t bits) noexcept {
        if (bits >> 52 == 0) return {};
        return {static_cast<class_number>((bits >> 52) - 1), (bits >> 32 & 0xfffffu) << 32 | (bits & 0xffffffffu)};
    }

    [[nodiscard]] entity_class_base* class_at(class_number n) const noexcept {
        return n < classes_.size() ? classes_[n].get() : nullptr;
    }
    [[nodiscard]] entity_class_base::found look(any_entity_ref which) const noexcept {
        entity_class_base* const c = class_at(which.class_of());
        return c != nullptr && which ? c->look(which.life()) : entity_class_base::found{};
    }
    void note_class_of(std::uint64_t type, entity_class_base& c) noexcept {
        class_hint& hint = class_of_[type % class_of_.size()];
        if (hint.type == type) {
            hint.only = nullptr;
        } else if (hint.type == 0) {
            hint = {type, &c};
        }
    }
    /// It is found by its id.
    [[nodiscard]] static bool shown(const entity_head& h) noexcept {
        return h.lives() || h.phase == life_phase::loading;
    }
    [[nodiscard]] entity_info info_of(const entity_head& h) const noexcept {
        const bool locked = h.locked_at(now().count);
        return {h.id,
                h.generation,
                h.version,
                h.owner,
                h.persistent,
                locked ? h.lock_by : lock_name{},
                locked ? ticks{h.lock_until} : ticks{}};
    }

    // --- the one place where it is decided whether something may be changed -----------------------------------------------------

    /// The class when that life may be changed now, by this role; else null with the reason. Locks and versions are the caller's.
    [[nodiscard]] entity_class_base* may_change(any_entity_ref which, refusal_facts& why) const noexcept {
        entity_class_base* const c = class_at(which.class_of());
        if (closed_ != 0) {
            why.reason = stage_refusal::busy;
            return nullptr;
        }
        const entity_head* const h = c != nullptr && which ? c->find(which.life()).head : nullptr;
        why.reason = h == nullptr ? stage_refusal::ended : why_closed(*h);
        if (c != nullptr) why.of_class = c->name();
        if (why.reason == stage_refusal::none && !c->changeable()) why.reason = stage_refusal::not_here;
        if (h != nullptr) why.id = h->id;
        return why.reason == stage_refusal::none ? c : nullptr;
    }
    [[nodiscard]] static stage_refusal why_closed(const entity_head& h) noexcept {
        switch (h.phase) {
            case life_phase::living: return stage_refusal::none;
            case life_phase::loading: return stage_refusal::loading;
            case life_phase::beginning: return stage_refusal::beginning;
            default: return stage_refusal::ended;
        }
    }
    [[nodiscard]] bool holds(const entity_head& h, const entity_lock& mine) const noexcept {
        return mine && h.locked_at(now().count) && h.lock_number == mine.number;
    }
    /// Nobody else has it, and a lock that is shown is in force.
    [[nodiscard]] bool lock_lets(const entity_head& h, std::uint64_t lock_number, refusal_facts& why) const noexcept {
        const bool locked = h.locked_at(now().count);
        if (lock_number != 0) {
            if (locked && h.lock_number == lock_number) return true;
            why.reason = stage_refusal::lock_lost;
            return false;
        }
        if (!locked) return true;
        why.reason = stage_refusal::locked;
        why.who = h.lock_by;
        why.found = h.lock_until;
        return false;
    }
    /// Something may be given to that life: it lives, begins or is loading.
    [[nodiscard]] bool belongs(any_entity_ref which, refusal_facts& why) const noexcept {
        const entity_head* const h = look(which).head;
        why.reason = closed_ != 0 ? stage_refusal::busy : stage_refusal::none;
        if (why.reason == stage_refusal::none && (h == nullptr || h->phase == life_phase::none ||
                                                  h->phase == life_phase::ending || h->phase == life_phase::called_off))
            why.reason = stage_refusal::ended;
        if (h != nullptr) why.id = h->id;
        return why.reason == stage_refusal::none;
    }

    /// Of a commit as a whole, or by the journal: no entity is to blame.
    LIDO_COLD commit_outcome refuse_commit(kept_facts& facts, stage_refusal reason,
                                           journal_refusal of_journal = journal_refusal::none) noexcept {
        refusal_facts& why = facts.begin();
        why.reason = reason;
        why.journal_wrong = of_journal;
        ++commits_refused_;
        return commit_outcome::refused;
    }
    LIDO_COLD commit_outcome refuse_twice(kept_facts& facts, any_entity_ref which) noexcept {
        refusal_facts& why = facts.begin();
        static_cast<void>(may_change(which, why));
        why.reason = stage_refusal::twice;
        ++commits_refused_;
        return commit_outcome::refused;
    }
    /// The first that is among those before it; null where they are all different.
    template <class... Refs>
    [[nodiscard]] LIDO_INLINE static any_entity_ref first_twice(const Refs&... refs) noexcept {
        const any_entity_ref all[] = {refs...};
        for (std::size_t i = 1; i < sizeof...(Refs); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                if (all[i] == all[k]) [[unlikely]]
                    return all[i];
            }
        }
        return {};
    }

    // --- the journal --------------------------------------------------------------------------------------------------------------

    void begin_tick(ticks tick) noexcept {
        if (tick <= journal_.tick()) return;
        static_cast<void>(journal_.begin_tick(tick));
        // As in the world: what is out of reach of every rollback is over.
        const std::uint64_t window = rollback().count + 1;
        if (tick.count >= window) let_go(tick.count - window);
    }
    /// A world that was ticked by itself.
    LIDO_INLINE void sync_tick() noexcept {
        if (journal_.tick() < world_base_.now()) [[unlikely]]
            begin_tick(world_base_.now());
    }
    [[nodiscard]] LIDO_INLINE journal_reservation reserve(std::size_t bytes) noexcept {
        sync_tick();
        return journal_.reserve(bytes);
    }
    [[nodiscard]] refusal_facts& journal_full(refusal_facts& why, const journal_reservation& r) noexcept {
        why.reason = stage_refusal::journal;
        why.journal_wrong = r.why_refused();
        return why;
    }
    [[nodiscard]] static std::uint16_t field_count(const entity_class_base& c) noexcept {
        return static_cast<std::uint16_t>(c.schema().fields().size());
    }
    [[nodiscard]] LIDO_INLINE static stamp stamp_of(const entity_class_base& c, change_kind kind, std::uint64_t life,
                                                    const entity_head& h) noexcept {
        stamp s;
        s.kind = kind;
        s.local_class = c.number();
        s.of_class = c.id();
        s.entity = {slot_of(life)};
        s.generation = {h.generation};
        s.version = {h.version};
        return s;
    }
    [[nodiscard]] static std::uint32_t whole_size(const entity_class_base& c) noexcept {
        return static_cast<std::uint32_t>(entity_bytes::head + c.schema().size());
    }
    static void put_whole(std::span<std::byte> to, const entity_class_base& c, const entity_head& h, std::uint64_t life,
                          const void* data) noexcept {
        std::memcpy(to.data(), &h.owner.id, sizeof(h.owner.id));
        std::memcpy(to.data() + entity_bytes::owner, &life, sizeof(life));
        std::memcpy(to.data() + entity_bytes::head, data, c.schema().size());
    }
    [[nodiscard]] static entry_shape end_shape(const entity_class_base& c, const entity_head& h) noexcept {
        return {0, static_cast<std::uint8_t>(h.id.size()), whole_size(c), 0};
    }

    /// The same to bytes of a record. Returns what is behind it.
    LIDO_INLINE static std::byte* put_entity(std::byte* to, const entity_head& h, std::uint64_t life, const void* data,
                                             std::size_t size) noexcept {
        std::memcpy(to, &h.owner.id, sizeof(h.owner.id));
        std::memcpy(to + entity_bytes::owner, &life, sizeof(life));
        std::memcpy(to + entity_bytes::head, data, size);
        return to + entity_bytes::head + size;
    }

    static void put_created(journal_reservation& r, const entry_shape& shape, const entity_class_base& c,
                            const entity_head& h, std::uint64_t life, const void* data) noexcept {
        stamp what = stamp_of(c, change_kind::created, life, h);
        what.detail = h.persistent ? entity_bytes::persistent : 0;
        const entry_room room = r.add(what, shape);
        put_whole(room.after, c, h, life, data);
        std::memcpy(room.id.data(), h.id.view().data(), room.id.size());
    }
    /// A creation that was refused when its object was there.
    LIDO_COLD void give_up(entity_class_base& c, entity_head& h, any_entity_ref which, kept_facts& facts,
                           stage_refusal reason, journal_refusal of_journal = journal_refusal::none,
                           const char* store_says = nullptr) noexcept {
        refusal_facts& why = facts.begin();
        why.reason = reason;
        why.journal_wrong = of_journal;
        why.store_says = store_says;
        call_off(c, h, which);
    }
    /// The store is asked: it loads, or there is nothing to load, or the life is called off.
    [[nodiscard]] LIDO_COLD bool begin_load(entity_class_base& c, entity_head& h, any_entity_ref self,
                                            const creation& how, kept_facts& facts) {
        entity_store::load_answer answer;
        {
            const closed_stage meanwhile(*this);
            answer =
                store_->load({self, h.id, how.key.empty() ? h.id.view() : how.key, c.name(), c.schema(), h.generation});
        }
        if (answer.how == entity_store::begins::refused) {
            give_up(c, h, self, facts, stage_refusal::store_refused, journal_refusal::none, answer.why);
            return false;
        }
        if (answer.how == entity_store::begins::loading) h.phase = life_phase::loading;
        return true;
    }
    /// A life that nobody has heard of ends without a word.
    void call_off(entity_class_base& c, entity_head& h, any_entity_ref which) noexcept;

    // --- ends -----------------------------------------------------------------------------------------------------------------------

    [[nodiscard]] LIDO_INLINE static change_kind kind_of_end(entity_end how) noexcept {
        return how == entity_end::pooled   ? change_kind::pooled
               : how == entity_end::erased ? change_kind::erased
                                           : change_kind::destroyed;
    }
    [[nodiscard]] LIDO_INLINE static end_outcome outcome_of(entity_end how) noexcept {
        return how == entity_end::pooled   ? end_outcome::pooled
               : how == entity_end::erased ? end_outcome::erased
                                           : end_outcome::destroyed;
    }
    [[nodiscard]] end_result end_entity(source_place from, any_entity_ref which, entity_end how,
                                        const end_options& options);
    [[nodiscard]] end_result end_slowly(source_place from, any_entity_ref which, entity_end how,
                                        const end_options& options);
    [[nodiscard]] end_result no_room_for_end(any_entity_ref which) noexcept;
    /// The entry of the end. False, with nothing changed, when the journal refuses.
    [[nodiscard]] bool announce_end(entity_class_base& c, const entity_class_base::found& e, std::uint64_t life,
                                    entity_end how, end_reason why, refusal_facts& facts) noexcept;
    /// From here on nobody finds it.
    LIDO_INLINE void leave(entity_head& h, any_entity_ref which, entity_end how) noexcept {
        h.phase = life_phase::ending;
        h.end = how;
        h.lock_until = 0;
        static_cast<void>(ids_.erase(h.id_tag, &h.id, which.class_of(), which.life()));
        managed_.end_life(which, now().count);
        state_.lives = ++lives_seen_;
    }
    /// The world has ended a life, for whatever reason; it may have been asked to by end_entity().
    void life_ended(entity_class_base& c, entity_head& h, std::byte* data, std::uint64_t life, end_reason why) noexcept;

    void let_go(std::uint64_t last_tick) noexcept {
        const auto drop = [](const life_listener&) {};
        listeners_.let_go(last_tick, drop);
        if (managed_.waiting() == 0) return;
        const closed_stage meanwhile(*this);
        managed_.let_go(last_tick, [](const release_call& release) { release(); });
    }

    // --- the rest -------------------------------------------------------------------------------------------------------------------

    [[nodiscard]] std::vector<any_entity_ref> owned_by(player who) const;
    std::size_t end_owned(source_place from, player who);
    [[nodiscard]] entity_lock lock_of(any_entity_ref which) const noexcept {
        const entity_head* const h = look(which).head;
        return h != nullptr && h->locked_at(now().count) ? entity_lock{which, h->lock_number} : entity_lock{};
    }
    [[nodiscard]] lock_result take_lock(any_entity_ref which, std::string_view who, ticks how_long,
                                        const entity_lock& mine);
    [[nodiscard]] bool append_lock(entity_class_base& c, change_kind kind, any_entity_ref which, const entity_head& h,
                                   const lock_name& who, refusal_facts& why) noexcept;
    [[nodiscard]] entity_connection listen(any_entity_ref which, const life_listener& who) {
        refusal_facts why;
        return belongs(which, why) ? entity_connection{listeners_.add(which, who)} : entity_connection{};
    }
    void tell(const journal_entry& e, first_exception& thrown);
    /// To no class, and to no life.
    [[nodiscard]] bool nobody_listens() const noexcept {
        if (listeners_.size() != 0) return false;
        for (const auto& of_class : signals_of_) {
            if (of_class != nullptr && !of_class->empty()) return false;
        }
        return true;
    }
    /// Whose entry it is; null where the slot has had other lives since an update.
    [[nodiscard]] static any_entity_ref life_in(const entity_class_base& c, const journal_entry& e) noexcept;
    /// All ids anew, from the lives that there are. Throws: std::bad_alloc, where there are more than ever before.
    void collect_ids() noexcept;

    /// The classes are going with their world.
    void world_ends() noexcept override {
        ++lives_seen_;
        managed_.let_go((std::numeric_limits<std::uint64_t>::max)(), [](const release_call& release) { release(); });
        ids_.clear();
        class_of_ = {};
        for (auto& c : classes_) c.reset();
    }

    LIDO_COLD static void tell_reentrant(const char* what) noexcept {
        report_misuse({.kind = misuse_kind::reentrant_call, .pool = "stage", .what = what});
    }

    stage_settings settings_;
    world_base& world_base_;
    std::vector<std::unique_ptr<entity_class_base>> classes_;  ///< by number
    std::vector<std::unique_ptr<entity_signals>> signals_of_;  ///< the same
    id_table ids_;
    running_state state_;
    journal journal_;
    journal_cursor signals_;
    life_things<release_call> managed_;
    life_things<life_listener> listeners_;
    edit_arena arena_;
    generated_ids generated_;
    /// By type, where there is one class of it: not looked for among all at each creation.
    struct class_hint {
        std::uint64_t type = 0;
        entity_class_base* only = nullptr;  ///< null: there are several
    };
    std::array<class_hint, 32> class_of_;
    entity_store* store_ = nullptr;
    mutable std::uint32_t closed_ = 0;  ///< saves, restores, checks and releases on the stack
    bool delivering_ = false;           ///< a listener is on the stack, or a hook that the stage calls by itself
    bool going_ = false;                ///< nobody is there to be told
    // No state: what has been, whatever was taken back since.
    std::uint64_t lives_seen_ = 0;
    std::uint64_t restores_ = 0;
    std::uint64_t commits_refused_ = 0;
    std::uint64_t idle_overflow_ = 0;
    mutable std::string last_error_;
};

}  // namespace entity_detail

/// A stage of any world, for code that knows no types.
using any_stage = entity_detail::stage_base;

}  // namespace lido

#include <lido/entity/stage/stage_ends.hpp>
#include <lido/entity/stage/stage_loading.hpp>
#include <lido/entity/stage/stage_snapshot.hpp>
