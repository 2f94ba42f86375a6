// stage: entities of a world. It creates and ends them, finds them by id, lets edits change them, and writes every change into one journal.
//
//   lido::world world;
//   lido::stage stage{world};
//   stage.add<door>("door", {.idle = 64, .history = 50});
//   auto gate = stage.create<door>({.id = "gate-1"});
//   auto change = stage.edit(gate.reference());
//   change->open = true;
//   if (!change.commit()) std::puts(change.why());
//   stage.tick();
//
// Rooms:
//   stage_base      all that needs no type                  stage (here)   creations and edits on top
//   entity_object   what there is of one entity             entity_class   what there is of a class
//   edit, commit    changes, all or none                    refusal        why not, in words
//   life_things     what goes with lives                    history        versions that were
//   signals         listeners, told by the journal          stage_rewind   save, restore, hash
#pragma once

#include <lido/core/checks/place.hpp>
#include <lido/core/config.hpp>
#include <lido/entity/stage/commit.hpp>
#include <lido/entity/stage/edit.hpp>
#include <lido/entity/stage/stage_base.hpp>
#include <lido/entity/stage/stage_rewind.hpp>
#include <lido/world/named_calls.hpp>
#include <lido/world/world.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lido {

/// Answers `add`: the class, or why there is none.
template <class T>
class added_entity_class {
public:
    added_entity_class(class_number number, std::string why) : number_(number), why_(std::move(why)) {}
    [[nodiscard]] explicit operator bool() const noexcept { return why_.empty(); }
    [[nodiscard]] class_number number() const noexcept { return number_; }
    [[nodiscard]] const char* why() const noexcept { return why_.c_str(); }

private:
    class_number number_;
    std::string why_;
};

/// Threads: a stage belongs to one thread at a time, as its world does.
/// Re-entrancy: hooks, listeners and calls that wait may create, edit, lock and end any entity, except from inside of `valid`, of on_end and
/// of what manage() calls: there everything is refused. tick(), confirm(), save and restore are refused from inside of all of them.
template <class World>
class basic_stage : public entity_detail::stage_base {
    using transform_type = typename World::transform_type;
    template <class T>
    using class_of_type = entity_detail::entity_class<T, transform_type>;
    using access = entity_detail::entity_access;

public:
    using world_type = World;
    using rewind_with = entity_detail::stage_rewind;

    /// Pre: the world outlives the stage, and has no other one.
    explicit basic_stage(World& lives_in, const stage_settings& settings = {})
        : stage_base(lives_in, settings), world_(lives_in) {
        LIDO_VERIFY(owning::access::attach(lives_in, this), "a world has one stage; this one has another already");
    }
    /// Ends every entity, as pool() and destroy() do.
    ~basic_stage() {
        going_ = true;
        for (auto& c : classes_) {
            if (c == nullptr) continue;
            world_.return_all(c->number());
        }
        world_.confirm_all();
        let_go((std::numeric_limits<std::uint64_t>::max)());
        for (auto& undo : disconnect_) undo.call(world_, undo.of);
        static_cast<void>(owning::access::attach(world_, nullptr));
    }

    [[nodiscard]] World& world() noexcept { return world_; }

    // --- classes -----------------------------------------------------------------------------------------------------------

    /// Makes T a class of entities, under a name that is the same on every machine. Refused, with the reason: a name that the world has,
    /// settings that no entity can have.
    template <class T>
    added_entity_class<T> add(std::string_view name, const entity_settings& settings = {}) {
        using object = entity_object<T>;
        static_cast<void>(schema_of<T>());
        class_settings of_world;
        of_world.prewarm = settings.prewarm;
        of_world.capacity = settings.capacity;
        of_world.on_full = settings.on_full;
        of_world.max_lifetime = settings.max_lifetime;
        of_world.roles = settings.roles;
        of_world.leaks = settings.leaks;
        of_world.idle_cap = (std::max)(settings.idle, settings.prewarm);
        of_world.reset_check = false;  // begin() sets every field (EO1)
        if (entity_detail::is_fresh<T>) of_world.idle_cap = settings.prewarm;
        const auto e = settings.on_full.at_the_end();
        if (e != on_full::ending::reject)
            return {0,
                    std::string(name) + ": entities are never replaced or merged; on_full may grow, and then reject"};
        const auto added = world_.template add<object>(name, of_world);
        if (!added.added) return {added.number, added.why.empty() ? "the world refused it" : added.why};
        auto* const pool = owning::access::pool_of<object>(world_, added.number);
        const bool changeable = settings.changed_by.allows(world_.as());
        if (classes_.size() <= added.number) {
            classes_.resize(std::size_t{added.number} + 1);
            signals_of_.resize(std::size_t{added.number} + 1);
        }
        auto made =
            std::make_unique<class_of_type<T>>(*this, *pool, added.number, std::string(name), settings, changeable);
        made->create = [](stage_base& stage, entity_detail::entity_class_base& of, const creation& how,
                          const void* data) -> created_entity {
            T first{};
            if (data != nullptr) std::memcpy(static_cast<void*>(&first), data, sizeof(T));
            const created<T> got = static_cast<basic_stage&>(stage).template create_in<T>(
                {}, static_cast<class_of_type<T>*>(&of), how, first, context_of<T>());
            if (!got) return got.facts();
            return any_entity_ref(got);
        };
        signals_of_[added.number] = std::make_unique<entity_signals>();
        class_of_type<T>* const c = made.get();
        classes_[added.number] = std::move(made);
        pool->tell_owner(c, [](void* of, object& o, std::uint64_t life, end_reason why) noexcept {
            static_cast<class_of_type<T>*>(of)->has_ended(o, life, why);
        });
        disconnect_.push_back({added.number, [](World& w, class_number of) {
                                   if (auto* const p = owning::access::pool_of<object>(w, of))
                                       p->tell_owner(nullptr, nullptr);
                               }});
        note_class_of(c->type_id(), *c);
        return {added.number, {}};
    }
    template <class T>
    added_entity_class<T> add(const entity_settings& settings = {}) {
        return add<T>(type_name<T>(), settings);
    }

    /// Of T, or of the class of that name. Null events where there is none: connect to nothing.
    template <class T>
    [[nodiscard]] entity_signals& signals() {
        const class_of_type<T>* const c = only_class<T>();
        LIDO_VERIFY(c != nullptr,
                    "signals() of a type that is no class of this stage, or several: add it, or name one");
        return *signals_of_[c->number()];
    }
    [[nodiscard]] entity_signals& signals(which_class of) {
        const class_info info = world_.class_of(of);
        LIDO_VERIFY(info && class_at(info.number) != nullptr, "signals() of a class that this stage does not have");
        return *signals_of_[info.number];
    }

    // --- creation ----------------------------------------------------------------------------------------------------------

    /// Begins a life: of an object of the class that was pooled last, or of a new one. The id is reserved before any code of the program
    /// runs; the data is validated; `on_begin` is called; then the entity is there, and `created` is in the journal.
    /// Throws: what `valid`, on_begin and constructors throw; nothing is left then. Complexity: O(1).
    template <class T>
    LIDO_ENTRY created<T> create(const creation& how = {}, const T& data = {}, context_of<T> context = {}) {
        return create_in<T>(place_of_caller(LIDO_CALLER), only_class<T>(), how, data, std::move(context));
    }
    /// The same in one of several classes of T.
    template <class T>
    LIDO_ENTRY created<T> create_in(which_class of, const creation& how = {}, const T& data = {},
                                    context_of<T> context = {}) {
        const class_info info = world_.class_of(of);
        return create_in<T>(place_of_caller(LIDO_CALLER), info ? typed<T>(info.number) : nullptr, how, data,
                            std::move(context));
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// Null when that life has ended, and while it is being created or loaded. O(1), no hashing.
    template <class T>
    [[nodiscard]] LIDO_INLINE const T* get(entity_ref<T> which) const noexcept {
        entity_object<T>* const o = look_object(which);
        return o != nullptr && access::head(*o).lives() ? &access::data(*o) : nullptr;
    }
    template <class T>
    [[nodiscard]] const T* get(const created<T>& which) const noexcept {
        return get(which.reference());
    }
    /// What the class keeps beside the data: the program's to change, and not part of commits.
    template <class T>
    [[nodiscard]] context_of<T>* context(entity_ref<T> which) noexcept {
        entity_object<T>* const o = look_object(which);
        return o != nullptr && access::head(*o).phase != entity_detail::life_phase::none ? &access::context(*o)
                                                                                         : nullptr;
    }

    /// For a field of another entity. Null for a life that has ended, and for one in a slot beyond 2^20 of its class, or a class beyond 4094.
    template <class T>
    [[nodiscard]] link<T> link_to(entity_ref<T> which) const noexcept {
        return lives(which) ? link<T>::from_bits(link_bits(which)) : link<T>();
    }
    /// Null when that life has ended.
    template <class T>
    [[nodiscard]] entity_ref<T> follow(link<T> to) const noexcept {
        const entity_ref<T> which = as<T>(linked(to.to_bits()));
        return lives(which) ? which : entity_ref<T>();
    }

    using stage_base::find;
    /// Null also when the entity of that id is of another type.
    template <class T>
    [[nodiscard]] entity_ref<T> find(std::string_view id) const noexcept {
        return as<T>(stage_base::find(id));
    }
    using stage_base::as;
    template <class T>
    [[nodiscard]] entity_ref<T> as(any_entity_ref which) const noexcept {
        const class_of_type<T>* const c = typed<T>(which.class_of());
        return c != nullptr && which ? c->reference(which.life()) : entity_ref<T>();
    }

    /// Calls `f(const T&, reference)` or `f(const T&)` for each that lives, in the order of their places. It may end any, and create.
    template <class T, class F>
    void for_each(F&& f) const {
        each_object<T>([&](entity_object<T>& o, entity_ref<T> which) {
            if constexpr (std::is_invocable_v<F&, const T&, entity_ref<T>>) {
                f(std::as_const(access::data(o)), which);
            } else {
                f(std::as_const(access::data(o)));
            }
        });
    }

    // --- edits -------------------------------------------------------------------------------------------------------------

    template <class... Ts>
        requires(sizeof...(Ts) > 0)
    [[nodiscard]] lido::edit<basic_stage, Ts...> edit(entity_ref<Ts>... which) noexcept {
        return {*this, which...};
    }
    /// Of what create() has just returned.
    template <class... Ts>
        requires(sizeof...(Ts) > 0)
    [[nodiscard]] lido::edit<basic_stage, Ts...> edit(const created<Ts>&... which) noexcept {
        return {*this, which.reference()...};
    }
    /// Of entities that are added one by one.
    [[nodiscard]] any_edit<basic_stage> edit() noexcept { return any_edit<basic_stage>(*this); }

    /// Calls `f(copy)` or `f(copy, reference)` for each T that lives, and commits the copy: the fast path for what moves each tick. Each is
    /// a commit of its own; one that is locked, invalid or changed by `f` itself is left as it is, and counted.
    template <class T, class F>
    each_result edit_each(F&& f) {
        each_result all;
        entity_detail::kept_facts why;
        each_object<T>([&](entity_object<T>& o, entity_ref<T> which, class_of_type<T>& c) {
            part_of<T> p;
            p.of = which;
            p.lock_number = 0;
            copy_out(p, c, o);
            const std::uint64_t epoch = this->epoch();
            if constexpr (std::is_invocable_v<F&, T&, entity_ref<T>>) {
                f(p.staged, which);
            } else {
                f(p.staged);
            }
            why.clear();
            switch (commit_parts(epoch, why, p)) {
                case entity_detail::commit_outcome::committed: ++all.changed; break;
                case entity_detail::commit_outcome::unchanged: ++all.unchanged; break;
                case entity_detail::commit_outcome::refused:
                    if (all.refused++ == 0) all.facts_ = why;
                    break;
            }
        });
        return all;
    }

    // --- calls that have a name, for after(): an image can hold them (world/named_calls.hpp) ---------------------------------------

    /// `f(reference)`, or `f(reference, const With&)` where calls are bound to something; it captures one pointer at most. Refused, with
    /// the reason: a name that is given already.
    template <class T, class With = void, class F>
    named_call_result name_call(std::string_view name, F&& f) {
        using object = entity_object<T>;
        if constexpr (std::is_void_v<With>) {
            return world_.template name_call<object>(
                name, [call = std::decay_t<F>(std::forward<F>(f))](const object&, ref<object> which) {
                    call(entity_ref<T>(which));
                });
        } else {
            return world_.template name_call<object, With>(
                name, [call = std::decay_t<F>(std::forward<F>(f))](const object&, ref<object> which, const With& with) {
                    call(entity_ref<T>(which), with);
                });
        }
    }

    // --- versions that were --------------------------------------------------------------------------------------------------

    /// How many commits of that life can be undone.
    template <class T>
    [[nodiscard]] std::size_t history_size(entity_ref<T> which) const noexcept {
        const class_of_type<T>* const c = typed<T>(which.class_of());
        return c != nullptr && lives(which) ? c->history().size(entity_detail::slot_of(which.life()), which.life()) : 0;
    }
    /// What it was at that version; nothing where that is not kept any more.
    template <class T>
    [[nodiscard]] const T* at_version(entity_ref<T> which, std::uint64_t version) const noexcept {
        entity_object<T>* const o = look_object(which);
        if (o == nullptr || !access::head(*o).lives()) return nullptr;
        if (access::head(*o).version == version) return &access::data(*o);
        if (version > access::head(*o).version) return nullptr;
        const entity_detail::class_history& past = typed<T>(which.class_of())->history();
        const std::uint32_t slot = entity_detail::slot_of(which.life());
        if (past.is_present(slot, which.life(), version)) return &access::data(*o);
        return static_cast<const T*>(past.at_version(slot, which.life(), version));
    }
    /// Commits the values of that version: a new version, with all that a commit checks.
    template <class T>
    stage_answer undo_to(entity_ref<T> which, std::uint64_t version, const entity_lock& lock = {}) {
        part_of<T> p;
        p.of = which;
        p.lock_number = lock.of == any_entity_ref(which) ? lock.number : 0;
        if (!load_part(p)) {
            entity_detail::refusal_facts why;
            static_cast<void>(may_change(which, why));
            return why;
        }
        const T* const then = at_version(which, version);
        if (then == nullptr) {
            return entity_detail::refusal_facts{
                .reason = stage_refusal::no_history, .id = info(which).id, .expected = version};
        }
        std::memcpy(static_cast<void*>(&p.staged), then, sizeof(T));
        entity_detail::kept_facts why;
        static_cast<void>(commit_parts(epoch(), why, p));
        return why.reason() == stage_refusal::none ? stage_answer() : stage_answer(*why);
    }

    // --- rewind (core/rewind/save.hpp): a stage is a part like any pool, and its world is in it ----------------------------------

    bool save(snapshot& to) const { return lido::save(to, *this); }
    restore_result restore(const snapshot& from) { return lido::restore(from, *this); }
    /// An image: bytes from which another process of the same build restores stage and world exactly (stage_image.hpp). Where that cannot
    /// be, the result and last_error() say whose fault it is. A restore is a reset: readers of the journal are told, open edits end,
    /// what belonged to lives of before is released, and persistent entities begin a new generation.
    [[nodiscard]] save_result save(std::vector<std::byte>& to) const { return lido::save(to, *this); }
    restore_result restore(std::span<const std::byte> image) { return lido::restore(image, *this); }
    [[nodiscard]] std::uint64_t state_hash() const { return lido::state_hash(*this); }

    // --- for edits ------------------------------------------------------------------------------------------------------------

    [[nodiscard]] std::uint64_t epoch() const noexcept { return restores_; }
    [[nodiscard]] entity_detail::edit_arena& arena() noexcept { return arena_; }

    /// What an edit knows of a T of this stage.
    template <class T>
    using part_of = entity_detail::typed_part<T, class_of_type<T>>;

    /// Copies what the entity is now. False, with a T{} as the copy, when it does not live.
    template <class P>
    LIDO_INLINE bool load_part(P& p) const noexcept {
        using T = typename P::type;
        class_of_type<T>* const c = typed<T>(p.of.class_of());
        entity_object<T>* const o = c != nullptr ? c->look_object(p.of.life()) : nullptr;
        if (o == nullptr || !access::head(*o).lives()) [[unlikely]] {
            p.lives = P::no_lives;
            p.version = 0;
            std::memcpy(static_cast<void*>(&p.staged), schema_of<T>().defaults(), sizeof(T));
            return false;
        }
        copy_out(p, *c, *o);
        return true;
    }
    template <class T>
    bool load_copy(entity_detail::edit_part& p, T& staged) const noexcept {
        entity_object<T>* const o = look_object(as<T>(p.of));
        if (o == nullptr || !access::head(*o).lives()) return false;
        p.version = access::head(*o).version;
        std::memcpy(static_cast<void*>(&staged), &access::data(*o), sizeof(T));
        return true;
    }

    template <class... Parts>
    [[nodiscard]] LIDO_INLINE entity_detail::commit_outcome commit_parts(std::uint64_t epoch,
                                                                         entity_detail::kept_facts& why,
                                                                         Parts&... parts);

    template <class Part>
    [[nodiscard]] entity_detail::commit_outcome commit_list(std::uint64_t epoch, entity_detail::refusal_facts& why,
                                                            Part* first);

private:
    friend entity_detail::stage_rewind;

    template <class P, class T>
    LIDO_INLINE void copy_out(P& p, class_of_type<T>& c, entity_object<T>& o) const noexcept {
        p.in = &c;
        p.object = &o;
        p.lives = lives_seen_ | c.never();
        p.version = access::head(o).version;
        std::memcpy(static_cast<void*>(&p.staged), &access::data(o), sizeof(T));
    }

    template <class T>
    [[nodiscard]] LIDO_INLINE class_of_type<T>* typed(class_number n) const noexcept {
        entity_detail::entity_class_base* const c = class_at(n);
        return c != nullptr && c->type_id() == type_id<T>() ? static_cast<class_of_type<T>*>(c) : nullptr;
    }
    template <class T>
    [[nodiscard]] class_of_type<T>* only_class() const noexcept {
        if (const auto& hint = class_of_[type_id<T>() % class_of_.size()]; hint.type == type_id<T>()) [[likely]]
            return static_cast<class_of_type<T>*>(hint.only);
        class_of_type<T>* found = nullptr;
        for (const auto& c : classes_) {
            if (c == nullptr || c->type_id() != type_id<T>()) continue;
            if (found != nullptr) return nullptr;
            found = static_cast<class_of_type<T>*>(c.get());
        }
        return found;
    }
    template <class T>
    [[nodiscard]] LIDO_INLINE entity_object<T>* look_object(entity_ref<T> which) const noexcept {
        class_of_type<T>* const c = typed<T>(which.class_of());
        return c != nullptr ? c->look_object(which.life()) : nullptr;
    }
    template <class T, class F>
    void each_object(F&& f) const {
        for (std::size_t n = 0; n < classes_.size(); ++n) {
            class_of_type<T>* const c = typed<T>(static_cast<class_number>(n));
            if (c == nullptr) continue;
            c->objects().for_each([&](entity_object<T>& o, ref<entity_object<T>> which) {
                if (!access::head(o).lives()) return;
                if constexpr (std::is_invocable_v<F&, entity_object<T>&, entity_ref<T>, class_of_type<T>&>) {
                    f(o, entity_ref<T>(which), *c);
                } else {
                    f(o, entity_ref<T>(which));
                }
            });
        }
    }

    template <class T>
    [[nodiscard]] created<T> create_in(source_place from, class_of_type<T>* c, const creation& how, const T& data,
                                       context_of<T>&& context);
    template <class T>
    [[nodiscard]] LIDO_COLD created<T> refuse_creation(const class_of_type<T>* c, const creation& how,
                                                       stage_refusal reason, const T& data);
    template <class T>
    LIDO_INLINE void begin_life(class_of_type<T>& c, entity_object<T>& o, std::uint64_t life, const creation& how,
                                const T& data, context_of<T>&& context, const entity_detail::entity_birth_facts& birth,
                                entity_detail::kept_facts& why);

    /// What a commit changes, found out by the check. By value: it is in registers.
    template <class P>
    struct found_change {
        typename P::steps::mask changed;
        std::uint32_t bytes;
        bool good;
    };
    template <class P>
    [[nodiscard]] LIDO_INLINE found_change<P> check_part(P& p, std::uint64_t epoch, entity_detail::kept_facts& why);
    template <class P>
    [[nodiscard]] LIDO_COLD found_change<P> check_slowly(P& p, std::uint64_t epoch, entity_detail::kept_facts& why);
    template <bool Only, class P>
    LIDO_INLINE void apply_part(P& p, const found_change<P>& found, entity_detail::journal_core::quick_commit& to);
    template <std::size_t... I, class... Parts>
    [[nodiscard]] LIDO_INLINE entity_detail::commit_outcome commit_each(std::index_sequence<I...>, std::uint64_t epoch,
                                                                        entity_detail::kept_facts& why,
                                                                        Parts&... parts);

    struct connected {
        class_number of;
        void (*call)(World&, class_number);
    };

    /// Classes of the world have other numbers after the restore of an image.
    void renumber_connections() noexcept {
        for (connected& c : disconnect_) {
            if (const auto* const of = class_at(c.of)) c.of = of->number_in_world();
        }
    }

    World& world_;
    std::vector<connected> disconnect_;
};

template <class World>
basic_stage(World&) -> basic_stage<World>;
template <class World>
basic_stage(World&, stage_settings) -> basic_stage<World>;

template <class Transform>
class basic_world;
using stage = basic_stage<basic_world<transform>>;

}  // namespace lido

#include <lido/entity/stage/stage_commits.hpp>
#include <lido/entity/stage/stage_creation.hpp>
