// The objects of one class of a world: where lives begin and end. Everything else of a world leads here.
//
//   spawn    take the object released last, or make one  ->  start its lifetime  ->  place, on_acquire, set_in_use(true)
//   end      cancel its lifetime  ->  set_in_use(false)  ->  `finished`  ->  on_release  ->  back to the pool
//
// WC1. end_life() is the one path out, whoever asks: the object, a reference, its timer, the class, the world. It runs once a life.
// WC2. While a hook of an object is on the stack, its record is not given to anyone: what asks for its end meanwhile marks it, and
//      the hook's caller ends it.
// WC3. A record's timer is in the wheel exactly while its life has a lifetime to run out.
// WC4. Every timer in the wheel is of a life that has not come to rest: calls that wait go with their life.
#pragma once

#include <lido/core/checks/place.hpp>
#include <lido/core/checks/report.hpp>
#include <lido/core/config.hpp>
#include <lido/core/memory/reserved_storage.hpp>
#include <lido/core/misuse.hpp>
#include <lido/core/options.hpp>
#include <lido/core/recycle_pool.hpp>
#include <lido/world/beginning.hpp>
#include <lido/world/birth_count.hpp>
#include <lido/world/class_changes.hpp>
#include <lido/world/class_check.hpp>
#include <lido/world/class_image.hpp>
#include <lido/world/class_pool_rewind.hpp>
#include <lido/world/class_room.hpp>
#include <lido/world/confirmed.hpp>
#include <lido/world/end_reason.hpp>
#include <lido/world/hooks.hpp>
#include <lido/world/life_event.hpp>
#include <lido/world/owned_class.hpp>
#include <lido/world/reset_trial.hpp>
#include <lido/world/settings_table.hpp>
#include <lido/world/spawned.hpp>
#include <lido/world/world_class.hpp>
#include <lido/world/world_misuse.hpp>
#include <lido/world/world_record.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace lido {

/// What the code of a program may add to the settings of a class.
template <class T>
struct class_code {
    /// Makes an object; without it, T's default constructor does.
    delegate<T()> create = {};
};

namespace world_detail {

/// What the pool of a class can be asked for by its settings: everything, at the price of a few tests. A class that needs less says
/// so: `static constexpr lido::options pool_options = {};` gives up replace_oldest, replace_lowest and headroom.
template <class T>
[[nodiscard]] consteval options world_options() {
    if constexpr (names_pool_options<T>) {
        options o = T::pool_options;
        o.confirmed_ends = waits_for_confirm<T>();
        return o;
    } else {
        return {.tracks = track::priority,
                .ages_by_setting = true,
                .headroom = true,
                .confirmed_ends = waits_for_confirm<T>()};
    }
}

/// Of a class whose lives have no spawn_key.
struct no_births {};

template <class T, class Transform>
class class_pool final : public placed_class<Transform> {
    using object_type = T;
    using record = world_record<T>;
    using hooks = world_hooks<T>;
    using pool_type = recycle_pool<record, world_options<T>(), lazy_reserved_storage>;
    using handle_type = typename pool_type::handle_type;
    static_assert(!merges<T> || !needs_its_own<T>(),
                  "lido: a class with `merge` offers a newcomer to others before it is known whether it stays, so its "
                  "payload must be one that can be copied");
    static_assert(sizeof(handle_type) == 8, "lido: the pool_options of a class of a world leave handle_bits at 64");
    /// Ends of lives wait until they are certain (confirmed.hpp).
    static constexpr bool waits = waits_for_confirm<T>();
    static_assert(!waits || std::is_trivially_copyable_v<T> || std::is_nothrow_move_assignable_v<T> || kept_in_place<T>,
                  "lido: a class that releases on confirm needs a noexcept move assignment, or must not be copyable: a "
                  "rollback brings "
                  "the same object back");

    using world_class::depth_;
    using world_class::idle_surplus_;
    using world_class::listeners_;
    using world_class::making_room_;
    using world_class::open_;
    using world_class::reachable_;
    using world_class::readable_;
    using world_class::settings_;
    using world_class::shared_;
    using world_class::state_;
    using world_class::takes_given_;
    using world_class::wheel_;

public:
    class_pool(world_shared& shared, class_number number, std::string name, const class_settings& settings,
               class_code<T> code)
        : placed_class<Transform>(shared, number, std::move(name), type_of<T>, settings), code_(code) {
        if constexpr (waits) ++shared.waiting_classes;
    }

    ~class_pool() override {
        if constexpr (waits) --shared_.waiting_classes;
        // The world has ended every life; what is left are idle objects.
        listeners_.clear();
    }

    // --- building ----------------------------------------------------------------------------------------------------------

    [[nodiscard]] std::string check(const class_settings& s) const override {
        constexpr options o = world_options<T>();
        return check_settings(s, {.merges = merges<T>,
                                  .says_replaceable = says_replaceable<T>,
                                  .makes_objects = std::is_default_constructible_v<record> || bool(code_.create),
                                  .waits = waits,
                                  .headroom = o.headroom,
                                  .tracks = o.tracks});
    }

    bool build() override {
        const class_room room = room_for(
            settings_,
            {.object = object_bytes(), .timer = world_wheel::timer_bytes(), .listener = life_listeners::node_bytes()});
        pool_.emplace(first_capacity(settings_), pool_settings_for(settings_, room));
        wheel_ = world_wheel(64, room.timers);
        listeners_ = life_listeners(room.listeners);
        reachable_ = readable_ = true;
        this->set_open(has_memory());
        return takes_given_;
    }
    [[nodiscard]] bool built() const noexcept override { return pool_.has_value(); }
    /// As before build(): lives are undone, and objects destroyed.
    void unbuild() noexcept {
        this->set_open(false);
        reachable_ = readable_ = false;
        pool_->clear();
        pool_.reset();
        // New ones, not empty ones: handles of timers begin anew, as they did in the first run.
        wheel_ = world_wheel(0, 0);
        listeners_ = life_listeners();
    }

    [[nodiscard]] world_class::running_room room() const noexcept override {
        return pool_ ? class_changes::room(*pool_) : world_class::running_room{};
    }
    void change(const class_settings& to) override {
        settings_ = to;
        if (pool_) class_changes::apply(*this);
    }

    std::uint32_t prewarm_some(std::uint32_t target, std::uint32_t& most) override {
        if (!pool_) return 0;
        const making_ahead guard(*this);
        return pool_->prewarm_slots(left_of(target), most);
    }

    // --- spawn -------------------------------------------------------------------------------------------------------------

    /// `begin(object)` places it and hands it what it was spawned with. Quiet: it was spawned with nothing.
    template <bool Quiet = false, class Begin>
    [[nodiscard]] LIDO_INLINE spawned<T> spawn(source_place from, request wish, Begin&& begin) {
        if (!open_) [[unlikely]]
            return refuse(why_closed());
        // Before anything else, and refused ones count: that one branch of time had no room changes the key of no later birth.
        const birth_record<T> birth = next_birth();
        typename pool_type::acquired_type got = take(from, wish);
        if (!got) [[unlikely]] {
            const refusal why = pool_->why_refused();
            if (why != refusal::full && why != refusal::no_memory) return refuse(refusal_of(why));
            if (making_room_) return refuse(spawn_refusal::making_room);
            if (grows_unbounded(settings_) && settings_.on_full.at_the_end() == on_full::ending::reject)
                return refuse_more(why);
            if (settings_.on_full.at_the_end() == on_full::ending::merge) {
                const spawned<T> folded = fold(from, why, begin);
                if (folded.why() == spawn_refusal::merged) return folded;
                // One that was offered the newcomer may have returned itself instead.
                if (folded.why() != spawn_refusal::no_creator && !pool_->full()) got = take(from, wish);
                if (!got) return refuse(folded.why());
            } else if constexpr (requires { begin.take(); }) {
                return replace_by_own<Quiet>(from, wish, birth, begin);
            } else if constexpr (requires { begin.owned(); }) {
                return replace<Quiet>(from, wish, birth, begin);
            } else {
                got = make_room(from, wish);
                if (!got) return refuse(refusal_of(pool_->why_refused()));
            }
        }
        return begin_life<Quiet>(from, got, birth, begin);
    }

    /// A life in exactly that slot and generation. Nobody makes room for it: who gave the reference decides who goes.
    template <bool Quiet = false, class Begin>
    [[nodiscard]] spawned<T> spawn_under(source_place from, handle_type life, Begin&& begin) {
        if (!takes_given_) return refuse(why_closed());
        const birth_record<T> birth = next_birth();
        typename pool_type::acquired_type got;
        {
            [[maybe_unused]] const blame them(from);
            got = pool_->reserve(life);
        }
        if (!got) return refuse(refusal_of(pool_->why_refused()));
        return begin_life<Quiet>(from, got, birth, begin);
    }
    [[nodiscard]] any_spawned spawn_any_under(std::uint64_t life, const Transform& where, given_payload with) override {
        if constexpr (owned_by_layer<T>) return refuse_as_owned(begun_past_stage);
        const spawned<T> got = begin_with(
            where, with, [&](auto&& begin) { return spawn_under(shared_.from, handle_type::from_bits(life), begin); });
        return {got.reference(), got.why()};
    }

    [[nodiscard]] any_spawned spawn_any(const Transform& where, given_payload with, request wish) override {
        if constexpr (owned_by_layer<T>) return refuse_as_owned(begun_past_stage);
        const spawned<T> got = begin_with(where, with, [&](auto&& begin) { return spawn(shared_.from, wish, begin); });
        return {got.reference(), got.why()};
    }
    [[nodiscard]] std::string_view takes() const noexcept override { return hooks::takes(); }
    [[nodiscard]] bool accepts(given_payload with) const noexcept override {
        return fits(with.shown) && (with.own != nullptr || hooks::accepts_shown(with.shown));
    }
    [[nodiscard]] bool fits(const payload& with) const noexcept override { return hooks::accepts(with); }

private:
    template <class F>
    [[nodiscard]] static spawned<T> begin_with(const Transform& where, given_payload with, F&& f) {
        if constexpr (takes_named_over<T>()) {
            if (with.own != nullptr) return f(moving_beginning<T, Transform, payload>{where, *with.own});
        }
        return f(beginning<T, Transform, payload>{where, with.shown});
    }

    [[nodiscard]] LIDO_INLINE birth_record<T> next_birth() {
        birth_record<T> birth;
        if constexpr (waits) birth.key = births_.next(shared_.now.count, shared_.acting);
        return birth;
    }

    /// What it is spawned with may be a part of the object that makes room: it is copied before that ends.
    template <bool Quiet, class Begin>
    LIDO_COLD spawned<T> replace(source_place from, request wish, const birth_record<T>& birth, const Begin& begin) {
        if (settings_.on_full.at_the_end() == on_full::ending::reject) return refuse(refusal_of(pool_->why_refused()));
        const auto own = begin.owned();
        const typename pool_type::acquired_type got = make_room(from, wish);
        if (!got) return refuse(refusal_of(pool_->why_refused()));
        return begin_life<Quiet>(from, got, birth, own);
    }

    /// The same for what is handed over. It is taken from the caller before the first life ends, and not before one is found: a spawn that
    /// is refused without an end leaves it where it is.
    template <bool Quiet, class Begin>
    LIDO_COLD spawned<T> replace_by_own(source_place from, request wish, const birth_record<T>& birth,
                                        const Begin& begin) {
        if (settings_.on_full.at_the_end() == on_full::ending::reject) return refuse(refusal_of(pool_->why_refused()));
        std::optional<decltype(begin.take())> own;  // gone with what is refused after an end that was in vain
        const typename pool_type::acquired_type got = make_room(from, wish, [&] {
            if (!own) own.emplace(begin.take());
        });
        if (!got) return refuse(refusal_of(pool_->why_refused()));
        return own ? begin_life<Quiet>(from, got, birth, *own) : begin_life<Quiet>(from, got, birth, begin);
    }

    template <bool Quiet, class Begin>
    [[nodiscard]] LIDO_INLINE spawned<T> begin_life(source_place from, const typename pool_type::acquired_type& got,
                                                    [[maybe_unused]] const birth_record<T>& birth, Begin& begin) {
        record& r = *got;
        const handle_type life = got.handle();
        if (settings_.max_lifetime.count != 0 && !this->start_lifetime(r, life.to_bits(), settings_.max_lifetime))
            [[unlikely]] {
            ++state_.counters.called_off;
            give_back(from, life);
            return refuse(spawn_refusal::no_memory);
        }
        state_.watch.see(pool_->size());
        r.life.begin();
        if constexpr (waits) r.key = birth.key;
        if constexpr (begins_unseen<T, Transform> && Quiet) {
            if (begun_.empty()) [[likely]]
                return {&r.object(), reference(life)};
        }
        r.life.entered();
        ++depth_;
        hooks::tell_life(r.object(), lido::life(*this, life.to_bits()));
        [[maybe_unused]] bool set_up = false;
        LIDO_TRY {
            if constexpr (requires { begin(r.object(), life); }) {
                begin(r.object(), life);
            } else {
                begin(r.object());
            }
            set_up = true;
            hooks::set_in_use(r.object(), true);
            if (!begun_.empty()) [[unlikely]]
                tell_begun(r, life);
        }
        LIDO_CATCH_ALL {
            call_off(from, r, life, set_up);
            LIDO_RETHROW;
        }
        --depth_;
        r.life.left();
        if (!r.life.active()) [[unlikely]] {
            end_late(from, r, life);
            return {spawn_refusal::ended_at_once, reference(life)};
        }
        // What was handed over is gone: no other object could begin with it.
        if constexpr (checks_resets && !begins_once<Begin>) {
            if (life.generation() > 1 && checks_resets_now_) check_reset(from, r, life, begin);
        }
        return {&r.object(), reference(life)};
    }

public:
    // --- the end of a life ---------------------------------------------------------------------------------------------------

    bool end(source_place from, std::uint64_t life, end_reason why) noexcept override {
        if constexpr (owned_by_layer<T>) {
            // What the world decides by itself (all lives of a class, of the world) is not refused.
            if (why == end_reason::reference || why == end_reason::itself)
                return static_cast<bool>(refuse_as_owned(ended_past_stage));
        }
        return end_one(from, handle_type::from_bits(life), why);
    }

    LIDO_INLINE bool end_one(source_place from, handle_type life, end_reason why) noexcept {
        record* const r = find(life);
        if (r == nullptr || !r->life.active_and_quiet()) [[unlikely]]
            return end_from_inside(r, life, why);
        static_cast<void>(r->life.end(why));
        end_life(from, *r, life);
        return true;
    }
    /// The same for the layer that has looked. Pre: r is find(life). Not for end_one(): not optimised, each call that is inlined into it
    /// would take stack, and ends may end others a thousand deep.
    LIDO_INLINE bool end_found(source_place from, record* r, handle_type life, end_reason why) noexcept
        requires owned_by_layer<T>
    {
        if (r == nullptr || !r->life.active_and_quiet()) [[unlikely]]
            return end_from_inside(r, life, why);
        static_cast<void>(r->life.end(why));
        end_life(from, *r, life);
        return true;
    }

    bool destroy(source_place from, std::uint64_t life) noexcept override {
        if constexpr (owned_by_layer<T>) return static_cast<bool>(refuse_as_owned(ended_past_stage));
        return destroy_one(from, handle_type::from_bits(life));
    }

    /// The same path, and the object is not kept.
    LIDO_COLD bool destroy_one(source_place from, handle_type life) noexcept {
        record* const r = find(life);
        if (r == nullptr || !r->life.active_and_quiet()) return end_from_inside(r, life, end_reason::destroyed);
        static_cast<void>(r->life.end(end_reason::destroyed));
        end_late(from, *r, life);
        return true;
    }

    // --- for the layer that owns the class (owned_class.hpp) ----------------------------------------------------------------

    /// From now on the layer hears of each end that it has not decided itself, before the listeners of `finished`; `call` null: no more.
    /// Not by `finished`: what a layer does is no wiring of the program, and an end that it has decided calls nobody.
    void tell_owner(void* to, void (*call)(void*, T&, std::uint64_t life, end_reason why) noexcept) noexcept
        requires owned_by_layer<T>
    {
        owner_ = {to, call};
    }

    /// Whether an object that ends now joins the idle ones.
    [[nodiscard]] bool idle_has_room() const noexcept
        requires(waits_for_confirm<T>())
    {
        return pool_ && pool_->idle_has_room();
    }

    // --- ends that wait (confirmed.hpp) --------------------------------------------------------------------------------------

    [[nodiscard]] bool waits_for_confirm() const noexcept override { return waits; }
    [[nodiscard]] bool owned() const noexcept override { return owned_by_layer<T>; }
    void begin_tick(ticks now) noexcept override {
        if constexpr (waits) {
            const counted inside(depth_);
            if (pool_) pool_->begin_tick(now.count);
        }
    }
    void confirm(ticks last) noexcept override {
        if constexpr (waits) {
            const counted inside(depth_);
            if (pool_) pool_->confirm(last.count);
        }
    }
    void let_all_go() noexcept override {
        if constexpr (waits) {
            const counted inside(depth_);
            if (pool_) pool_->forget_past();
        }
    }
    [[nodiscard]] bool end_waits([[maybe_unused]] std::uint64_t life) const noexcept override {
        if constexpr (waits) return readable_ && pool_->end_waits(handle_type::from_bits(life));
        return false;
    }
    [[nodiscard]] spawn_key key_of([[maybe_unused]] std::uint64_t life) const noexcept override {
        if constexpr (waits) {
            if (const record* const r = look(handle_type::from_bits(life))) return r->key;
        }
        return {};
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// Whether find() finds anybody: not in the middle of a save or restore.
    [[nodiscard]] LIDO_INLINE bool reachable() const noexcept { return reachable_; }
    [[nodiscard]] LIDO_INLINE record* find(handle_type life) noexcept {
        return reachable_ ? pool_->try_get(life) : unreached();
    }
    [[nodiscard]] LIDO_INLINE const record* find(handle_type life) const noexcept {
        return reachable_ ? pool_->try_get(life) : unreached();
    }
    /// For who only looks: a save lets them, where it lets nobody end or change a life.
    [[nodiscard]] LIDO_INLINE record* look(handle_type life) noexcept {
        return readable_ ? pool_->try_get(life) : unreached();
    }
    [[nodiscard]] LIDO_INLINE const record* look(handle_type life) const noexcept {
        return readable_ ? pool_->try_get(life) : unreached();
    }
    /// While it lives, and while listeners are told of its end.
    [[nodiscard]] T* get(handle_type life) noexcept {
        record* const r = look(life);
        return r != nullptr ? &r->object() : nullptr;
    }
    [[nodiscard]] world_class::found_life find_life(std::uint64_t life) noexcept override {
        return as_found(find(handle_type::from_bits(life)));
    }
    [[nodiscard]] world_class::found_life look_at(std::uint64_t life) noexcept override {
        return as_found(look(handle_type::from_bits(life)));
    }
    [[nodiscard]] ref<T> reference(handle_type life) const noexcept { return {this->number(), life}; }
    [[nodiscard]] ref<T> ref_of(const T& object) const noexcept {
        if (!pool_) return {};
        // By its address alone: a T elsewhere need not lie where a record could.
        const handle_type life = pool_->handle_at_address(std::addressof(object));
        return life ? reference(life) : ref<T>{};
    }
    [[nodiscard]] std::uint64_t life_at(const void* address) const noexcept override {
        return pool_ ? pool_->handle_at_address(address).to_bits() : 0;
    }
    void each_slot(void* to, void (*tell)(void*, std::uint32_t, std::uint32_t)) const override {
        if (!pool_) return;
        for (auto&& [life, r] : pool_->each()) tell(to, life.index(), life.generation());
    }
    [[nodiscard]] std::uint32_t active() const noexcept override { return pool_ ? pool_->size() : 0; }

    /// Calls `f(object)` or `f(object, reference)` for each active object, in the order of their places. It may end any object,
    /// which is then not visited, and spawn; what it spawns may or may not be visited.
    template <class F>
    void for_each(F&& f) {
        if (!readable_) return static_cast<void>(unreached());
        const counted inside(depth_);
        static_cast<void>(pool_->find_if([&](record& r, handle_type life) {
            if (!r.life.active()) return false;
            if constexpr (requires { f(r.object(), ref<T>{}); }) {
                f(r.object(), reference(life));
            } else {
                f(r.object());
            }
            return false;
        }));
    }

    void walk(void* to, void (*visit)(void*, any_object, any_ref)) override {
        for_each([&](T& object, ref<T> which) { visit(to, any_object::of(object), which); });
    }

    // --- listeners ---------------------------------------------------------------------------------------------------------

    /// Of every life of this class. How a program is wired, not state: a rewind leaves it.
    [[nodiscard]] life_event<T, end_reason>& finished() noexcept { return finished_; }
    /// Of every life that has begun: it is in use. One that its own hooks have ended, or that threw, is not told.
    [[nodiscard]] life_event<T>& begun() noexcept { return begun_; }
    [[nodiscard]] any_life_event<end_reason>& any_finished() noexcept override { return finished_; }
    [[nodiscard]] any_life_event<>& any_begun() noexcept override { return begun_; }

    // --- memory, figures -----------------------------------------------------------------------------------------------------

    std::size_t trim(std::uint32_t keep_idle) noexcept override {
        if (!reachable_) return 0;
        const counted inside(depth_);
        return pool_->trim(keep_idle);
    }

    void report_active() const noexcept override {
        if (pool_) pool_->report_active();
    }

    [[nodiscard]] class_stats stats() const noexcept override {
        class_stats s;
        s.name = this->name();
        s.type = this->type();
        s.built = built();
        if (pool_) s.pool = pool_->stats();
        s.counters = state_.counters;
        s.counters.spawned = s.pool.acquired - state_.counters.called_off;
        s.counters.returned = s.pool.released - state_.counters.called_off;
        s.timers = wheel_.size();
        s.listeners = listeners_.size();
        const std::uint32_t waiting = pool_ ? pool_->waiting() : 0;
        s.to_prewarm = left_of(state_.to_prewarm) > waiting ? left_of(state_.to_prewarm) - waiting : 0;
        s.paused = state_.clock.paused();
        s.scale = state_.clock.scale();
        return s;
    }

    [[nodiscard]] verdict validate() const noexcept override {
        if (!pool_) return {};
        if (const verdict v = pool_->validate(); !v) return v;
        if (const verdict v = wheel_.validate(); !v) return v;
        for (auto [life, r] : pool_->each()) {
            if (r.life.state() != life_state::active && depth_ == 0)
                return {"an object that lives in the pool is not active"};
            if (const world_timer* t = wheel_.find(r.lifetime);
                t != nullptr ? t->life != life.to_bits() : bool(r.lifetime))
                return {"WC3: the timer of a life is not that life's"};
        }
        bool outlived = false;
        wheel_.for_each([&](ticks, const world_timer& t) {
            outlived = outlived || !pool_->contains(handle_type::from_bits(t.life));
        });
        return {outlived ? "WC4: a timer has outlived its life" : nullptr};
    }

    // --- rewind --------------------------------------------------------------------------------------------------------------

    [[nodiscard]] bool savable() const noexcept override { return world_savable<T>; }
    [[nodiscard]] bool hashable() const noexcept override { return world_hashable<T>; }
    [[nodiscard]] bool save(std::span<section> to) const override { return class_pool_rewind::save(*this, to); }
    [[nodiscard]] restore_result stage(std::span<const section> from, bool saved_before_start,
                                       bool may_build) override {
        return class_pool_rewind::stage(*this, from, saved_before_start, may_build);
    }
    void commit() noexcept override { from_image_ ? class_image::commit(*this) : class_pool_rewind::commit(*this); }
    void settle() noexcept override { from_image_ ? class_image::settle(*this) : class_pool_rewind::settle(*this); }
    void unstage() noexcept override {
        class_image::unstage(*this);
        class_pool_rewind::unstage(*this);
    }
    void tell_lives() noexcept override {
        if (pool_) class_pool_rewind::tell_lives(*this, nullptr);
    }
    void hash(hasher& h) const override { class_pool_rewind::hash(*this, h); }
    [[nodiscard]] std::string find_names(written_names& names) const override {
        return class_image::find_names(*this, names);
    }
    void write(image_writer& w) const override { class_image::write(*this, w); }
    void read_nothing() override { class_image::read_nothing(*this); }
    /// For the layer that owns the class: calls f(handle, object) for each life that a restore from an image has made ready.
    template <class F>
    void for_each_read(F&& f) {
        class_image::for_each_read(*this, f);
    }
    [[nodiscard]] image_verdict read(image_reader& r, const image_of& image) override {
        return class_image::read(*this, r, image);
    }

private:
    friend struct class_image;
    friend struct class_pool_rewind;
    friend struct class_changes;

    /// One more while it lives, whatever is thrown meanwhile.
    class counted {
    public:
        explicit counted(std::uint32_t& count) noexcept : count_(count) { ++count_; }
        counted(const counted&) = delete;
        counted& operator=(const counted&) = delete;
        ~counted() { --count_; }

    private:
        std::uint32_t& count_;
    };

    /// Set while it lives, whatever is thrown meanwhile.
    class room_making {
    public:
        explicit room_making(bool& on) noexcept : on_(on) { on_ = true; }
        room_making(const room_making&) = delete;
        room_making& operator=(const room_making&) = delete;
        ~room_making() { on_ = false; }

    private:
        bool& on_;
    };

    /// Objects that are made at this depth of calls wait first: they are put out of use as they are made.
    class making_ahead {
    public:
        explicit making_ahead(class_pool& c) noexcept : c_(c), before_(std::exchange(c.ahead_at_, c.depth_)) {}
        making_ahead(const making_ahead&) = delete;
        making_ahead& operator=(const making_ahead&) = delete;
        ~making_ahead() { c_.ahead_at_ = before_; }

    private:
        class_pool& c_;
        std::uint32_t before_;
    };
    static constexpr std::uint32_t nowhere = (std::numeric_limits<std::uint32_t>::max)();

    /// How many shall be idle so that there are `objects`: those that a spawn has taken meanwhile are made, too.
    [[nodiscard]] std::uint32_t left_of(std::uint32_t objects) const noexcept {
        return objects > active() ? objects - active() : 0;
    }

    /// An object in its record, and its bookkeeping: 25 bytes, and what is padded.
    [[nodiscard]] static constexpr std::size_t object_bytes() noexcept {
        return sizeof(record) + sizeof(record) / 32 + 40;
    }
    [[nodiscard]] bool has_memory() const noexcept {
        return pool_->max_capacity() != 0 && wheel_.timers().max_capacity() != 0 &&
               listeners_.nodes().max_capacity() != 0;
    }

    [[nodiscard]] typename pool_type::settings_type pool_settings_for(const class_settings& s, const class_room& room) {
        typename pool_type::settings_type p;
        p.name = this->shown_name().c_str();
        // Who must go is ended by the class, in its own way, when the pool has said that it is full.
        p.on_full = class_changes::growth_of(s, room.objects);
        const on_full::ending e = s.on_full.at_the_end();
        p.keep_ages = !world_options<T>().ages_by_setting || class_changes::goes_by_age(e);
        p.headroom = s.headroom;
        p.leaks = s.leaks;
        p.idle_cap = s.idle_cap;
        p.reserve = room.objects;
        p.reset_check = false;
        if constexpr (waits) {
            // A restore to `rollback` ticks ago still finds its ends. The greatest window stays the greatest.
            p.rollback = shared_.rollback + (shared_.rollback != (std::numeric_limits<std::uint32_t>::max)() ? 1 : 0);
        }
        if constexpr (says_replaceable<T>)
            p.victim = [this](const record& r) { return ask_replaceable(const_cast<record&>(r)); };
        // Code of T that runs while an object is made is counted as its hooks are: the world does not change under it.
        constexpr bool made_by_code =
            std::default_initializable<T> && (!std::is_trivially_default_constructible_v<T> || has_set_in_use<T>);
        if (code_.create || made_by_code) {
            p.create = [this] {
                const bool ahead = depth_ == ahead_at_;
                const counted inside(depth_);
                if constexpr (made_by_code) {
                    if (!code_.create) return record(ahead);
                }
                return record(code_.create, ahead);
            };
        }
        p.destroy = [this](record& r) {
            if (!reachable_)
                r.life.undo();  // a restore builds what cannot be assigned over again, in the middle of its life
            r.life.destroy();
        };
        return p;
    }

    [[nodiscard]] LIDO_INLINE typename pool_type::acquired_type take(source_place from, request wish) {
        [[maybe_unused]] const blame them(from);
        return pool_->acquire_as(wish);
    }
    /// The object waits for its next life. One that may not is destroyed here.
    LIDO_INLINE_OPTIMISED void give_back(source_place from, handle_type life) noexcept {
        [[maybe_unused]] const blame them(from);
        if constexpr (std::is_trivially_destructible_v<T>) {
            pool_->release_told(life);
        } else {
            const counted inside(depth_);
            pool_->release_told(life);
        }
    }

    static constexpr const char* begun_past_stage =
        "the objects of this class are entities: create them by stage.create(), not by world.spawn()";
    static constexpr const char* ended_past_stage =
        "the objects of this class are entities: end them by stage.pool(), destroy() or erase(), not by their world";
    LIDO_COLD any_spawned refuse_as_owned(const char* what) const noexcept {
        report_misuse({.kind = world_misuse::owned_object,
                       .pool = this->shown_name().c_str(),
                       .what = what,
                       .kind_name = "owned object"});
        return {{}, spawn_refusal::owned};
    }
    LIDO_COLD spawned<T> refuse(spawn_refusal why) noexcept {
        this->count_refused();
        return why;
    }
    [[nodiscard]] static world_class::found_life as_found(record* r) noexcept {
        if (r == nullptr) return {};
        return {std::addressof(r->object()), r};
    }
    [[nodiscard]] LIDO_COLD record* unreached() const noexcept {
        this->note_asked();
        return nullptr;
    }

    /// A class that grows without a bound has all that it reserves.
    LIDO_COLD spawned<T> refuse_more(refusal why) noexcept {
        if (why == refusal::full) this->tell_no_room(world_class::no_more_objects);
        return refuse(spawn_refusal::no_memory);
    }

    /// Whether the layer that owns the class need not be told that this life has ended: it has said so itself, or is not there.
    [[nodiscard]] LIDO_INLINE bool owner_knows([[maybe_unused]] record& r) const noexcept {
        if constexpr (owned_by_layer<T>) {
            if (owner_.call == nullptr) return true;
            if constexpr (requires { r.object().is_ending(); }) return r.object().is_ending();
            return false;
        } else {
            return true;
        }
    }

    /// The path of WC1. Pre: the life is releasing, and none of its hooks is on the stack.
    LIDO_INLINE void end_life(source_place from, record& r, handle_type life) noexcept {
        if constexpr (!has_set_in_use<T> && (waits || !hears_of_its_end<T>)) {
            // Nothing runs out and nobody is to be told.
            if ((r.lifetime.to_bits() | r.finished.last.to_bits()) == 0 && finished_.empty() && owner_knows(r))
                [[likely]] {
                come_to_rest(r);
                give_back(from, life);
                return;
            }
        }
        tell_end(r, life);
        give_back(from, life);
    }
    /// All of it but where the object goes then.
    LIDO_INLINE_OPTIMISED void tell_end(record& r, handle_type life) noexcept {
        if (r.lifetime) wheel_.cancel(std::exchange(r.lifetime, {}));
        const end_reason why = r.life.why_ended();
        r.life.entered();
        ++depth_;
        hooks::set_in_use(r.object(), false);
        if constexpr (owned_by_layer<T>) {
            if (r.finished.last || !finished_.empty() || !owner_knows(r)) [[unlikely]]
                tell_finished(r, life, why);
        } else {
            if (r.finished.last || !finished_.empty()) [[unlikely]]
                tell_finished(r, life, why);
        }
        if constexpr (!waits) hooks::release(r.object(), why);
        --depth_;
        r.life.left();
        come_to_rest(r);
    }
    LIDO_INLINE static void come_to_rest(record& r) noexcept {
        if constexpr (waits) {
            r.life.wait();
        } else {
            r.life.rest();
        }
    }

    // Apart, so that the ends of lives to which nobody listens need no stack for it.
    LIDO_COLD void tell_begun(record& r, handle_type life) {
        if (r.life.active()) begun_.fire(r.object(), reference(life));
    }
    LIDO_COLD void tell_finished(record& r, handle_type life, end_reason why) noexcept {
        if (r.finished.last)
            listeners_.fire(r.finished, any_object::of(r.object()), reference(life), why, this->cancelling());
        if constexpr (owned_by_layer<T>) {
            if (!owner_knows(r)) owner_.call(owner_.to, r.object(), life.to_bits(), why);
        }
        if (!finished_.empty()) finished_.fire(r.object(), reference(life), why);
    }

    /// WC2: who called the hook goes on with it.
    LIDO_COLD bool end_from_inside(record* r, handle_type life, end_reason why) noexcept {
        if (r != nullptr && r->life.end(why)) return true;
        if (life && !this->in_trial()) ++state_.counters.stale_ends;  // null names no life of any class
        return false;
    }

    /// The path for a life that one of its own hooks has ended, and for one whose object is not kept.
    LIDO_COLD void end_late(source_place from, record& r, handle_type life) noexcept {
        const bool for_good = r.life.why_ended() == end_reason::destroyed;
        tell_end(r, life);
        if (!for_good) return give_back(from, life);
        ++state_.counters.destroyed;
        if constexpr (waits) {
            give_back(from, life);  // it may come back: the record says what becomes of it when it cannot any more
        } else {
            [[maybe_unused]] const blame them(from);
            const counted inside(depth_);
            pool_->discard_found(life);
        }
    }

    /// A hook threw as the life began: nobody has heard of it, so nobody is told. What on_acquire did is undone if it came to its end.
    LIDO_COLD void call_off(source_place from, record& r, handle_type life, bool set_up) noexcept {
        ++state_.counters.called_off;
        if (set_up) {
            hooks::set_in_use(r.object(), false);
            hooks::release(r.object(), end_reason::called_off);
        }
        --depth_;
        r.life.undo();
        wheel_.cancel(std::exchange(r.lifetime, {}));
        listeners_.drop_all(r.finished, this->cancelling());
        give_back(from, life);
    }

    /// noexcept: a call that throws would leave the others of its tick behind.
    void expire(const world_timer& timer) noexcept override {
        const auto life = handle_type::from_bits(timer.life);
        record* const r = find(life);
        LIDO_ASSERT(r != nullptr, "WC4: a timer has outlived its life");
        if (r == nullptr) return;
        const life_call call = timer.call ? listeners_.take(r->finished, timer.call) : life_call{};
        if (!r->life.active()) return;
        if (timer.call) {
            const acting_scope by(shared_, reference(life));
            r->life.entered();
            ++depth_;
            call(any_object::of(r->object()), reference(life), end_reason::itself);
            --depth_;
            r->life.left();
            if (!r->life.active()) end_late(shared_.from, *r, life);
            return;
        }
        r->lifetime = {};
        ++state_.counters.expired;
        end_one(shared_.from, life, end_reason::lifetime);
    }

    [[nodiscard]] spawn_refusal why_closed() const noexcept {
        // Also while a restore builds it.
        if (this->held() || (shared_.closed != 0 && (!pool_ || staged_ || from_image_)))
            return spawn_refusal::world_closed;
        if (!pool_) return spawn_refusal::not_in_this_role;
        if (takes_given_) return spawn_refusal::given_elsewhere;
        return has_memory() ? spawn_refusal::ending : spawn_refusal::no_memory;
    }

    /// Ends those whom on_full picks until one leaves its place: the first, unless its slot was at its last generation. Passed over
    /// are those inside one of their own hooks, whose end would come too late for this request. Null when nobody may be ended.
    LIDO_COLD typename pool_type::acquired_type make_room(source_place from, request wish) {
        return make_room(from, wish, [] {});
    }
    /// `before_an_end()` is called before each.
    template <class Before>
    typename pool_type::acquired_type make_room(source_place from, request wish, Before&& before_an_end) {
        typename pool_type::acquired_type got;
        const room_making guard(making_room_);
        while (!got) {
            const handle_type victim =
                pool_->victim_by(settings_.on_full, wish, [](const record& r) { return r.life.active_and_quiet(); });
            // replaceable() may have made room by itself.
            if (!pool_->full()) got = take(from, wish);
            if (got || !victim) break;
            before_an_end();
            if (!end_one(from, victim, end_reason::replaced)) break;
            ++state_.counters.replaced;
            got = take(from, wish);
        }
        return got;
    }

    /// Calls `f`, a hook of an active object that is asked about a newcomer. WC2: one that ends itself in it goes when it is done.
    template <class F>
    bool ask(source_place from, record& r, F&& f) {
        const handle_type life = pool_->handle_of(r);
        const counted inside(depth_);
        bool yes = false;
        r.life.entered();
        LIDO_TRY { yes = f(r.object()); }
        LIDO_CATCH_ALL {
            come_out(from, r, life);
            LIDO_RETHROW;
        }
        come_out(from, r, life);
        return yes;
    }
    void come_out(source_place from, record& r, handle_type life) noexcept {
        r.life.left();
        if (!r.life.active() && !r.life.in_hook()) end_late(from, r, life);
    }

    [[nodiscard]] bool ask_replaceable([[maybe_unused]] record& r) {
        if constexpr (says_replaceable<T>) {
            const handle_type life = pool_->handle_of(r);
            // One that returned itself meanwhile is nobody to be ended any more.
            return ask(shared_.from, r, [](const T& object) { return static_cast<bool>(object.replaceable()); }) &&
                   this->lives(life.to_bits());
        }
        return false;
    }

    /// on_full::merge: the newcomer is set up outside of the pool, in an object that never lives, and offered to each active one.
    /// Not counted as refused: the caller knows whether it is.
    template <class Begin>
    LIDO_COLD spawned<T> fold([[maybe_unused]] source_place from, refusal why, [[maybe_unused]] Begin& begin) {
        if constexpr (merges<T>) {
            if (newcomer_ == nullptr) newcomer_ = make_newcomer();
            if (newcomer_ == nullptr) return spawn_refusal::no_creator;
            const room_making guard(making_room_);
            const counted inside(depth_);
            if constexpr (requires { begin.shown(); }) {
                begin.shown()(*newcomer_);
            } else {
                begin(*newcomer_);
            }
            handle_type into;
            LIDO_TRY {
                static_cast<void>(pool_->find_if([&](record& r) {
                    if (!r.life.active()) return false;
                    const handle_type life = pool_->handle_of(r);
                    if (!ask(from, r, [&](T& object) { return static_cast<bool>(object.merge(*newcomer_)); }))
                        return false;
                    into = life;
                    return true;
                }));
            }
            LIDO_CATCH_ALL {
                hooks::release(*newcomer_, end_reason::called_off);
                LIDO_RETHROW;
            }
            hooks::release(*newcomer_, end_reason::called_off);
            if (into) {
                ++state_.counters.merged;
                return {spawn_refusal::merged, reference(into)};
            }
        }
        return refusal_of(why);
    }

    static constexpr bool checks_resets = resets<T> && pool_type::template compares_resets<T>;

    /// The object has just begun another life. In a frame of its own: it is rare, and large.
    template <class Begin>
    LIDO_NOINLINE void check_reset([[maybe_unused]] source_place from, record& r, handle_type life,
                                   Begin& begin) noexcept {
        if (!settings_.reset_check || !reports.resets.load(std::memory_order_relaxed)) return;
        if constexpr (!std::default_initializable<T>) {
            if (!code_.create) return;
        }
        const reset_trial trial(shared_);
        const counted inside(depth_);
        // What the check itself throws is nobody's business: without it, this spawn would not have thrown.
        LIDO_TRY {
            fresh_object<T> other(code_.create);
            hooks::tell_life(*other, lido::life(*this, life.to_bits()));
            begin(*other);
            hooks::set_in_use(*other, true);
            checks_resets_now_ = !trial.asked();
            if (checks_resets_now_) {
                [[maybe_unused]] const blame them(from);
                pool_->tell_kept(life, r.object(), *other);
            }
            hooks::set_in_use(*other, false);
            hooks::release(*other, end_reason::called_off);
        }
        LIDO_CATCH_ALL { checks_resets_now_ = false; }
    }

    [[nodiscard]] std::unique_ptr<T> make_newcomer() {
        const counted inside(depth_);
        if (code_.create) return std::unique_ptr<T>(new T(code_.create()));
        if constexpr (std::default_initializable<T>) return std::make_unique<T>();
        return nullptr;
    }

    [[nodiscard]] bool trim_towards(std::uint64_t keep) noexcept override {
        if (!pool_) return false;
        const std::uint32_t idle = pool_->waiting();  // not idle(): a replay must trim as the first run did
        const std::uint64_t have = std::uint64_t{idle} + pool_->size();
        if (have <= keep || idle == 0) return false;
        const auto surplus = static_cast<std::uint32_t>(std::min<std::uint64_t>(have - keep, idle));
        const std::uint32_t now = (std::min)(surplus, settings_.trim.most_a_tick);
        const counted inside(depth_);
        pool_->trim(idle - now);
        return now < surplus;
    }

    struct owner_call {
        void* to = nullptr;
        void (*call)(void*, T&, std::uint64_t, end_reason) noexcept = nullptr;
    };

    std::optional<pool_type> pool_;
    owner_call owner_;
    [[no_unique_address]] std::conditional_t<waits, birth_count, no_births> births_;
    std::uint32_t ahead_at_ = nowhere;
    bool reconfigured_ = false;      ///< while it ran
    bool checks_resets_now_ = true;  ///< until its hooks have asked something of the world during a check
    life_event<T, end_reason> finished_;
    life_event<T> begun_;
    class_code<T> code_;
    std::unique_ptr<T> newcomer_;  ///< for merges
    std::optional<class_pool_rewind::staged<pool_type>> staged_;
    std::optional<class_image::staged<pool_type>> from_image_;
};

}  // namespace world_detail
}  // namespace lido
