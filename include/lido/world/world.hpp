// world: pools by class. A program says once what it spawns and how many; from then on it spawns, and things return by themselves.
//
//   lido::world world{lido::role::client};
//   world.add<explosion>("explosion", {.prewarm = 64, .max_lifetime = lido::ticks{120}});
//   auto boom = world.spawn<explosion>(where, blast{.radius = 3});
//   world.tick();                                                     // lifetimes run, the start goes on, idle surplus goes
//
// Rooms:
//   class_pool       lives of one class: spawn, end           world_class     the same without its type
//   class_table      classes by number, type and name         configure       settings from a file
//   hooks            what is called of a class                lifecycle       idle, active, releasing, destroying
//   timing_wheel     lifetimes and calls                      world_rewind    save, restore, hash
#pragma once

#include <lido/core/checks/place.hpp>
#include <lido/core/config.hpp>
#include <lido/core/meta/type_name.hpp>
#include <lido/core/misuse.hpp>
#include <lido/core/options.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/core/stats.hpp>
#include <lido/world/class_id.hpp>
#include <lido/world/class_pool.hpp>
#include <lido/world/class_room.hpp>
#include <lido/world/class_settings.hpp>
#include <lido/world/class_table.hpp>
#include <lido/world/configure.hpp>
#include <lido/world/end_reason.hpp>
#include <lido/world/event.hpp>
#include <lido/world/hook_names.hpp>
#include <lido/world/hooks.hpp>
#include <lido/world/life_event.hpp>
#include <lido/world/life_listeners.hpp>
#include <lido/world/payload.hpp>
#include <lido/world/pooled.hpp>
#include <lido/world/ref.hpp>
#include <lido/world/settings_table.hpp>
#include <lido/world/spawned.hpp>
#include <lido/world/ticks.hpp>
#include <lido/world/transform.hpp>
#include <lido/world/world_calls.hpp>
#include <lido/world/world_misuse.hpp>
#include <lido/world/world_reports.hpp>
#include <lido/world/world_rewind.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace lido {

/// Names one waiting call, of one class or of the world. Zero names none.
struct waiting_call {
    static constexpr class_number of_world = 0xffffffff;
    class_number of = 0;
    std::uint64_t timer = 0;
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return timer != 0; }
    friend constexpr bool operator==(waiting_call, waiting_call) noexcept = default;
};

struct start_options {
    /// How many objects are made a tick, so that a start is not felt. 0: all of them at once.
    std::uint32_t objects_a_tick = 0;
};

/// Threads: a world belongs to one thread at a time.
/// Re-entrancy: hooks, listeners and waiting calls may spawn, return any object (themselves, too), connect, disconnect and start
/// calls. An object that is returned from inside one of its own hooks or waiting calls is releasing from then on, and goes back when
/// that has come back: it is never given to a newcomer before. Constructors and destructors of objects may spawn and return others.
/// Refused from inside all of them, and from inside for_each(): tick(), remove(), end(), save and restore. Hooks and listeners that run
/// at the end of a life, and waiting calls, must not throw.
template <class Transform = transform>
class basic_world {
public:
    using transform_type = Transform;
    using rewind_with = world_detail::world_rewind;

    explicit basic_world(role as = role::standalone) : role_(as) { shared_.classes = &classes_; }
    basic_world(const basic_world&) = delete;
    basic_world& operator=(const basic_world&) = delete;

    /// Ends every life, with its hooks. What was still active is reported as each class's settings.leaks says: call end() before
    /// where that is as it should be.
    ~basic_world() {
        for (class_number n = 0; n < classes_.size(); ++n) {
            if (world_detail::world_class* const c = classes_.by_number(n)) c->report_active();
        }
        static_cast<void>(end_everything());
    }

    [[nodiscard]] role as() const noexcept { return role_; }

    // --- classes -----------------------------------------------------------------------------------------------------------

    /// Makes T a class of this world, under a name that settings files and spawns use. One type may be several classes; spawn<T>
    /// means the first. Before the start it is built by start(); later at once, if this role may.
    /// Refused, with the reason: a name that is there, settings that T cannot have.
    /// Throws: what T's constructor throws in a prewarm; the class is not added then.
    template <class T>
    added_class add(std::string_view name, const class_settings& settings = {}, class_code<T> code = {}) {
        static_assert(std::is_object_v<T> && !std::is_const_v<T> && !std::is_volatile_v<T> && !std::is_array_v<T>,
                      "lido: a class of a world is a non-const, non-volatile object type");
        world_detail::check_hook_names<T, Transform>();
        if (name.empty()) return {0, false, "a class needs a name"};
        if (shared_.busy != 0)
            return {0, false, "the world is being saved, restored, hashed or ended; add classes before or after that"};
        if (world_detail::world_class* const there = classes_.by_id(class_id_of(name)); there != nullptr) {
            if (there->name() == name)
                return {there->number(), false, "there is a class " + world_detail::printable(name) + " already"};
            // One in 10^19 for two names; in images and messages they would be taken for one another.
            return {0, false,
                    world_detail::printable(name) + " and " + world_detail::printable(there->name()) +
                        " have the same class_id; give one of them another name"};
        }
        const class_number number = classes_.size();
        auto made = std::make_unique<world_detail::class_pool<T, Transform>>(shared_, number, std::string(name),
                                                                             settings, code);
        if (std::string wrong = made->check(settings); !wrong.empty())
            return {0, false, world_detail::printable(name) + ": " + wrong};
        classes_.add(std::move(made));
        added_class answer{number, true, {}};
        if (!started_) return answer;
        world_detail::world_class& c = *classes_.by_number(number);
        LIDO_TRY {
            answer.why = build(c);
            make_ahead(c);
        }
        LIDO_CATCH_ALL {
            c.set_open(false);
            c.end_all(end_reason::its_class);
            const world_detail::busy_world while_destroying(shared_);
            classes_.take_back(number);
            LIDO_RETHROW;
        }
        return answer;
    }

    /// The same under the name of the type.
    template <class T>
    added_class add(const class_settings& settings = {}) {
        return add<T>(type_name<T>(), settings);
    }

    /// Takes over what a settings file gave (settings_file.hpp reads one). Before the start all of it; later what can change, and
    /// the report says what cannot. When anything in it is wrong, nothing is applied.
    configure_report configure(const settings_table& table) {
        return world_detail::configure(classes_, table, started_);
    }

    /// Builds every class that this role may have, and makes the objects they ask for ahead. A world that was not started starts by
    /// itself with its first spawn or tick.
    /// Throws: the first of what constructors throw, when everything else is done. The next tick asks for the missing objects again.
    start_report start(start_options how = {}) {
        start_report report;
        if (started_) return report;
        build_all(how, report);
        kept_exception first;
        for_each_class([&](world_detail::world_class& c) { first.keep([&] { make_ahead(c); }); });
        first.pass_on();
        report.objects_left = progress().wanted - progress().made;
        return report;
    }
    [[nodiscard]] bool started() const noexcept { return started_; }

    /// Objects that the start asked for, and those of them that are made.
    [[nodiscard]] start_progress progress() const noexcept {
        start_progress p;
        for (class_number n = 0; n < classes_.size(); ++n) {
            const world_detail::world_class* const c = classes_.by_number(n);
            if (c == nullptr || !c->built()) continue;
            const std::uint32_t left = c->stats().to_prewarm;
            p.wanted += c->settings().prewarm;
            p.made += c->settings().prewarm > left ? c->settings().prewarm - left : 0;
        }
        return p;
    }

    /// Ends a class: its objects return, with their hooks, and are destroyed. References to them do nothing from then on.
    template <class T>
    end_report remove() {
        return remove(classes_.by_type(type_id<T>()), type_name<T>());
    }
    end_report remove(std::string_view name) { return remove(classes_.by_name(name), name); }

    /// Ends the world: everything returns, with its hooks, and every class is removed. Returns what was still active.
    end_report end() {
        if (busy()) {
            tell_reentrant("end() was called from inside a hook, listener or timer: call it between ticks");
            return {.classes = {}, .refused = true};
        }
        return end_everything();
    }

    // --- spawn -------------------------------------------------------------------------------------------------------------

    /// Takes the idle object that returned last, or makes one, or does what on_full says. No object: why() tells.
    /// Throws: what T's constructor or one of its hooks throws; the object is idle again then, or gone.
    /// Complexity: O(1). Invalidates: nothing.
    template <class T>
    LIDO_QUICK_ENTRY spawned<T> spawn(const Transform& where = {}) {
        return spawn_here<T>(place_of_caller(LIDO_CALLER), {}, where, nothing{});
    }

    /// The same with a payload: what T::payload_type says, checked at compile time; or a lido::payload, checked as it arrives.
    template <class T, class P>
    LIDO_QUICK_ENTRY spawned<T> spawn(const Transform& where, const P& with) {
        return spawn_here<T>(place_of_caller(LIDO_CALLER), {}, where, with);
    }

    /// The same for a request that says how much it matters.
    template <class T>
    LIDO_QUICK_ENTRY spawned<T> spawn_as(request wish, const Transform& where = {}) {
        return spawn_here<T>(place_of_caller(LIDO_CALLER), wish, where, nothing{});
    }
    template <class T, class P>
    LIDO_QUICK_ENTRY spawned<T> spawn_as(request wish, const Transform& where, const P& with) {
        return spawn_here<T>(place_of_caller(LIDO_CALLER), wish, where, with);
    }

    /// The same by the name of the class.
    LIDO_ENTRY any_spawned spawn(std::string_view name, const Transform& where = {}, const payload& with = {},
                                 request wish = {}) {
        const caller_scope scope(shared_, place_of_caller(LIDO_CALLER));
        if (!started_) [[unlikely]]
            start_late();
        world_detail::placed_class<Transform>* const c = placed(classes_.by_name(name));
        if (c == nullptr) return {{}, no_class(name)};
        if (!c->accepts(with)) return {{}, wrong_payload(*c, with)};
        return c->spawn_any(where, with, wish);
    }

    // --- return ------------------------------------------------------------------------------------------------------------

    /// Ends that life. False when it has ended before: a stale reference does nothing.
    template <class T>
    LIDO_QUICK_ENTRY bool return_to_pool(ref<T> which) noexcept {
        world_detail::class_pool<T, Transform>* const c = class_of(which);
        return c != nullptr && c->end_one(place_of_caller(LIDO_CALLER), which.life(), end_reason::reference);
    }
    LIDO_ENTRY bool return_to_pool(any_ref which) noexcept {
        world_detail::world_class* const c = classes_.by_number(which.class_of());
        return c != nullptr && c->end(place_of_caller(LIDO_CALLER), which.life(), end_reason::reference);
    }

    /// The same for an object of this world, by its own type. A base of it is no class of this world, which is reported.
    template <class T>
        requires(!std::convertible_to<const T&, any_ref>)
    LIDO_ENTRY bool return_to_pool(const T& object) noexcept {
        const ref<T> which = ref_of(object);
        world_detail::class_pool<T, Transform>* const c = class_of(which);
        if (c == nullptr) [[unlikely]] {
            if (!has<T>()) no_class_of(type_name<T>(), std::addressof(object));
            return false;
        }
        return c->end_one(place_of_caller(LIDO_CALLER), which.life(), end_reason::reference);
    }

    /// Ends every object of a class that is active now. Returns how many.
    template <class T>
    LIDO_ENTRY std::uint32_t return_all() {
        const caller_scope scope(shared_, place_of_caller(LIDO_CALLER));
        std::uint32_t count = 0;
        for (class_number n = 0; n < classes_.size(); ++n) {
            world_detail::world_class* const c = classes_.by_number(n);
            if (c != nullptr && c->type_id() == type_id<T>()) count += c->end_all(end_reason::its_class);
        }
        return count;
    }
    LIDO_ENTRY std::uint32_t return_all(std::string_view name) {
        const caller_scope scope(shared_, place_of_caller(LIDO_CALLER));
        world_detail::world_class* const c = classes_.by_name(name);
        return c != nullptr ? c->end_all(end_reason::its_class) : 0;
    }
    LIDO_ENTRY std::uint32_t return_all() {
        const caller_scope scope(shared_, place_of_caller(LIDO_CALLER));
        std::uint32_t count = 0;
        for (class_number n = 0; n < classes_.size(); ++n) {
            if (world_detail::world_class* const c = classes_.by_number(n)) count += c->end_all(end_reason::its_world);
        }
        return count;
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// The object, while it lives and while the listeners of its end are told; else null.
    template <class T>
    [[nodiscard]] T* get(ref<T> which) noexcept {
        world_detail::class_pool<T, Transform>* const c = class_of(which);
        return c != nullptr ? c->get(which.life()) : nullptr;
    }
    template <class T>
    [[nodiscard]] const T* get(ref<T> which) const noexcept {
        return const_cast<basic_world*>(this)->get(which);
    }

    /// The same reference with its type; null when it is of another.
    template <class T>
    [[nodiscard]] ref<T> as(any_ref which) const noexcept {
        const world_detail::world_class* const c = classes_.by_number(which.class_of());
        if (c == nullptr || c->type_id() != type_id<T>()) return {};
        return {which.class_of(), ref<T>::handle_type::from_bits(which.life())};
    }

    [[nodiscard]] bool lives(any_ref which) const noexcept { return state(which) == life_state::active; }
    /// idle for a life that has ended.
    [[nodiscard]] life_state state(any_ref which) const noexcept {
        const world_detail::world_class* const c = classes_.by_number(which.class_of());
        return c != nullptr ? c->state_of(which.life()) : life_state::idle;
    }

    /// The reference to the life of an active object of this world; null for any other object.
    template <class T>
    [[nodiscard]] ref<T> ref_of(const T& object) const noexcept {
        for (class_number n = 0; n < classes_.size(); ++n) {
            const world_detail::world_class* const c = classes_.by_number(n);
            if (c == nullptr || c->type_id() != type_id<T>()) continue;
            if (const ref<T> found = static_cast<const world_detail::class_pool<T, Transform>*>(c)->ref_of(object))
                return found;
        }
        return {};
    }

    /// Calls `f(object)` or `f(object, reference)` for each active T, class by class. It may return any object, which is then not
    /// visited, and spawn.
    template <class T, class F>
    void for_each(F&& f) {
        for (class_number n = 0; n < classes_.size(); ++n) {
            world_detail::world_class* const c = classes_.by_number(n);
            if (c == nullptr || c->type_id() != type_id<T>()) continue;
            static_cast<world_detail::class_pool<T, Transform>*>(c)->for_each(f);
        }
    }

    template <class T>
    [[nodiscard]] std::uint32_t active() const noexcept {
        std::uint32_t count = 0;
        for (class_number n = 0; n < classes_.size(); ++n) {
            const world_detail::world_class* const c = classes_.by_number(n);
            if (c != nullptr && c->type_id() == type_id<T>()) count += c->active();
        }
        return count;
    }

    template <class T>
    [[nodiscard]] class_stats stats() const noexcept {
        return stats_of(classes_.by_type(type_id<T>()));
    }
    /// Whether T is a class of this world, or there is one of that name, built or not.
    template <class T>
    [[nodiscard]] bool has() const noexcept {
        return classes_.by_type(type_id<T>()) != nullptr;
    }
    [[nodiscard]] bool has(std::string_view name) const noexcept { return classes_.by_name(name) != nullptr; }

    [[nodiscard]] class_stats stats(std::string_view name) const noexcept { return stats_of(classes_.by_name(name)); }
    [[nodiscard]] class_stats stats(class_number n) const noexcept { return stats_of(classes_.by_number(n)); }
    /// One past the highest class number: for loops over stats(n), where a removed class has no name.
    [[nodiscard]] class_number class_count() const noexcept { return classes_.size(); }

    /// Calls `f(slot, generation)` for each life of a class, in slot order: for tools that show slots. It must not change the world.
    template <class F>
    void for_each_slot(class_number n, F&& f) const {
        const world_detail::world_class* const c = classes_.by_number(n);
        if (c == nullptr) return;
        using function = std::remove_reference_t<F>;
        c->each_slot(const_cast<std::remove_const_t<function>*>(std::addressof(f)),
                     [](void* to, std::uint32_t slot, std::uint32_t generation) {
                         (*static_cast<function*>(to))(slot, generation);
                     });
    }

    /// What went wrong with the latest call that said so: one sentence, which names what there is.
    [[nodiscard]] const std::string& last_error() const noexcept { return last_error_; }

    // --- lives, told -----------------------------------------------------------------------------------------------------------

    /// The end of every life of a class: `world.finished<T>().connect(f)` with `f(object, reference, why)`, or less of it; by its name
    /// where T has several. Wiring of the program: no part of a rewind. Where this world has no such class, that is reported, and who
    /// connects is called by nobody: ask has<T>() before.
    template <class T>
    [[nodiscard]] life_event<T, end_reason>& finished() noexcept {
        return finished_of<T>(classes_.by_type(type_id<T>()), type_name<T>());
    }
    template <class T>
    [[nodiscard]] life_event<T, end_reason>& finished(std::string_view name) noexcept {
        return finished_of<T>(classes_.by_name(name), name);
    }

    /// The same for lives that have begun: `f(object, reference)`, once it is in use. What its own hooks ended before is not told.
    /// A listener that throws calls the life off, as a hook that throws does.
    template <class T>
    [[nodiscard]] life_event<T>& begun() noexcept {
        return begun_of<T>(classes_.by_type(type_id<T>()), type_name<T>());
    }
    template <class T>
    [[nodiscard]] life_event<T>& begun(std::string_view name) noexcept {
        return begun_of<T>(classes_.by_name(name), name);
    }

    /// Calls `f(object, reference, why)`, or less of it, when that life ends, once. A lambda that captures up to 32 bytes.
    /// Part of a rewind, as the life is. Null when the life has ended already: nobody will be called.
    template <class T, class F>
    life_connection on_finished(ref<T> which, F&& f) {
        world_detail::class_pool<T, Transform>* const c = class_of(which);
        return c != nullptr ? c->connect(which.life().to_bits(), call_with<T>(std::forward<F>(f))) : life_connection{};
    }
    bool disconnect(life_connection which) noexcept {
        world_detail::world_class* const c = classes_.by_number(which.of);
        return c != nullptr && which && c->disconnect(which.listener);
    }

    // --- time --------------------------------------------------------------------------------------------------------------

    [[nodiscard]] ticks now() const noexcept { return shared_.now; }

    /// One tick on. The world's own calls first; then class by class in the order of their numbers: lifetimes run out and calls are made, idle surplus goes, a sliced
    /// start goes on. Complexity: O(classes + what is due); a timer of more than 64 ticks is handled once more on its way.
    /// Throws: the first of what constructors throw where a start goes on, when the whole tick is done.
    LIDO_ENTRY void tick() {
        if (busy()) {
            tell_reentrant("tick() was called from inside a hook, listener or timer; it did nothing");
            return;
        }
        const caller_scope scope(shared_, place_of_caller(LIDO_CALLER));
        if (!started_) [[unlikely]]
            start_late();
        ++shared_.now.count;
        if constexpr (forensics) set_tick(shared_.now.count);
        calls_.tick();
        std::uint32_t budget = objects_a_tick_;
        kept_exception first;
        for_each_class([&](world_detail::world_class& c) {
            if (!c.built()) return;
            first.keep([&] { go_on_making(c, budget); });
            c.tick();
        });
        first.pass_on();
    }

    /// How long that life may last from now, in ticks of its class; 0: for ever. Instead of what the settings gave it.
    bool set_lifetime(any_ref which, ticks from_now) {
        world_detail::world_class* const c = classes_.by_number(which.class_of());
        return c != nullptr && c->set_lifetime(which.life(), from_now);
    }
    /// 0 for a life without an end to come.
    [[nodiscard]] ticks lifetime_left(any_ref which) const noexcept {
        const world_detail::world_class* const c = classes_.by_number(which.class_of());
        return c != nullptr ? c->lifetime_left(which.life()) : ticks{};
    }

    /// Calls `f(object, reference)`, `f(object)` or `f()` after so many ticks of its class, if that life still lives then.
    template <class T, class F>
    waiting_call after(ref<T> which, ticks in, F&& f) {
        world_detail::class_pool<T, Transform>* const c = class_of(which);
        if (c == nullptr || !c->lives(which.life().to_bits())) return {};
        return {which.class_of(), c->call_after(which.life().to_bits(), in, call_with<T>(std::forward<F>(f)))};
    }
    /// Calls `f()` after so many ticks of the world, whatever lives then. Null, and told, when there is no room for it.
    template <class F>
        requires(std::is_invocable_v<const std::decay_t<F>&>)
    waiting_call after(ticks in, F&& f) {
        const std::uint64_t timer = calls_.start(in, std::forward<F>(f));
        if (timer != 0) return {waiting_call::of_world, timer};
        report_misuse({.kind = misuse_kind::no_memory,
                       .pool = "world",
                       .what = "there is no room for a call that waits; nothing will be called"});
        return {};
    }
    /// False when it was made or cancelled before.
    bool cancel(waiting_call which) noexcept {
        if (which.of == waiting_call::of_world) return calls_.cancel(which.timer);
        world_detail::world_class* const c = classes_.by_number(which.of);
        return c != nullptr && c->cancel_call(which.timer);
    }

    /// Lifetimes and calls of a class stand still.
    template <class T>
    void pause(bool on = true) noexcept {
        for_each_class(type_id<T>(), [on](world_detail::world_class& c) { c.clock().pause(on); });
    }
    void pause(std::string_view name, bool on = true) noexcept {
        if (world_detail::world_class* const c = classes_.by_name(name)) c->clock().pause(on);
    }

    /// `{1, 4}`: a quarter of the world's speed. Pre: scale.per is not 0.
    template <class T>
    void set_time_scale(time_scale scale) noexcept {
        for_each_class(type_id<T>(), [scale](world_detail::world_class& c) { c.clock().set_scale(scale); });
    }
    void set_time_scale(std::string_view name, time_scale scale) noexcept {
        if (world_detail::world_class* const c = classes_.by_name(name)) c->clock().set_scale(scale);
    }

    // --- memory ------------------------------------------------------------------------------------------------------------

    /// Destroys idle objects of T but `keep_idle`, and gives pages back. Returns their bytes. settings.trim does it by itself.
    template <class T>
    std::size_t trim(std::uint32_t keep_idle = 0) noexcept {
        std::size_t bytes = 0;
        for_each_class(type_id<T>(), [&](world_detail::world_class& c) { bytes += c.trim(keep_idle); });
        return bytes;
    }
    std::size_t trim(std::string_view name, std::uint32_t keep_idle = 0) noexcept {
        world_detail::world_class* const c = classes_.by_name(name);
        return c != nullptr ? c->trim(keep_idle) : 0;
    }

    // --- rewind (core/rewind/save.hpp): a world is a part like any pool ------------------------------------------------------
    //
    // State is: active objects, their timers, listeners and waiting calls, the order of idle ones, clocks and counters. A life that
    // a restore undoes is told set_in_use(false) and on_release(); one that it brings back is as it was. Any world that has the same
    // classes in the same order takes the snapshot; its objects are told their lives anew (set_life).

    bool save(snapshot& to) const { return lido::save(to, *this); }
    restore_result restore(const snapshot& from) { return lido::restore(from, *this); }
    [[nodiscard]] std::uint64_t state_hash() const { return lido::state_hash(*this); }

    /// Checks the invariants of every class. Complexity: O(slots). Pre: not called from inside a hook.
    [[nodiscard]] verdict validate() const noexcept {
        if (const verdict v = calls_.validate(); !v) return v;
        for (class_number n = 0; n < classes_.size(); ++n) {
            const world_detail::world_class* const c = classes_.by_number(n);
            if (c == nullptr) continue;
            if (const verdict v = c->validate(); !v) return v;
        }
        return {};
    }

private:
    friend struct world_detail::world_rewind;

    using nothing = world_detail::no_payload;

    /// Who called, for ends and spawns that are not handed it.
    class caller_scope {
    public:
        caller_scope(world_detail::world_shared& shared, source_place from) noexcept
            : shared_(shared), before_(std::exchange(shared.from, from)) {}
        caller_scope(const caller_scope&) = delete;
        caller_scope& operator=(const caller_scope&) = delete;
        ~caller_scope() { shared_.from = before_; }

    private:
        world_detail::world_shared& shared_;
        source_place before_;
    };

    [[nodiscard]] static world_detail::placed_class<Transform>* placed(world_detail::world_class* c) noexcept {
        return static_cast<world_detail::placed_class<Transform>*>(c);
    }

    template <class T>
    [[nodiscard]] LIDO_INLINE world_detail::class_pool<T, Transform>* class_of(ref<T> which) const noexcept {
        world_detail::world_class* const c = classes_.by_number(which.class_of());
        if (c == nullptr || c->type_id() != type_id<T>()) [[unlikely]]
            return nullptr;
        return static_cast<world_detail::class_pool<T, Transform>*>(c);
    }

    template <class T>
    [[nodiscard]] life_event<T, end_reason>& finished_of(world_detail::world_class* c, std::string_view name) noexcept {
        if (c != nullptr && c->type_id() == type_id<T>())
            return static_cast<world_detail::class_pool<T, Transform>*>(c)->finished();
        tell_no_event<T>(c, name);
        static thread_local life_event<T, end_reason> of_nobody;
        of_nobody.disconnect_all();
        return of_nobody;
    }
    template <class T>
    [[nodiscard]] life_event<T>& begun_of(world_detail::world_class* c, std::string_view name) noexcept {
        if (c != nullptr && c->type_id() == type_id<T>())
            return static_cast<world_detail::class_pool<T, Transform>*>(c)->begun();
        tell_no_event<T>(c, name);
        static thread_local life_event<T> of_nobody;
        of_nobody.disconnect_all();
        return of_nobody;
    }
    template <class T>
    void tell_no_event(world_detail::world_class* c, std::string_view name) noexcept {
        if (c == nullptr) {
            static_cast<void>(no_class(name));
        } else {
            unknown_class("the class " + c->shown_name() + " is of the type " + std::string(c->type()) + ", not " +
                          std::string(type_name<T>()));
        }
    }

    /// A hook, listener or waiting call of any class is on the stack.
    [[nodiscard]] bool busy() const noexcept {
        if (shared_.busy != 0 || calls_.busy()) return true;
        for (class_number n = 0; n < classes_.size(); ++n) {
            const world_detail::world_class* const c = classes_.by_number(n);
            if (c != nullptr && c->busy()) return true;
        }
        return false;
    }

    /// Those that are added meanwhile, too.
    template <class F>
    void for_each_class(F&& f) {
        for (class_number n = 0; n < classes_.size(); ++n) {
            if (world_detail::world_class* const c = classes_.by_number(n)) f(*c);
        }
    }
    template <class F>
    void for_each_class(std::uint64_t type, F&& f) noexcept {
        for (class_number n = 0; n < classes_.size(); ++n) {
            world_detail::world_class* const c = classes_.by_number(n);
            if (c != nullptr && c->type_id() == type) f(*c);
        }
    }

    template <class T, class P>
    [[nodiscard]] LIDO_INLINE spawned<T> spawn_here(source_place from, request wish, const Transform& where,
                                                    [[maybe_unused]] const P& with) {
        auto* const c = static_cast<world_detail::class_pool<T, Transform>*>(classes_.by_type(type_id<T>()));
        if (c == nullptr) [[unlikely]]
            return no_class(type_name<T>());
        if (!c->open() && !started_) [[unlikely]]
            start_late();
        if constexpr (std::same_as<P, payload>) {
            if (!c->accepts(with)) [[unlikely]]
                return wrong_payload(*c, with);
        } else {
            static_assert(std::same_as<P, nothing> || world_detail::takes_payload<T, P>,
                          "lido: this class does not take that payload: give it `using payload_type = …;` and "
                          "`void on_acquire(const payload_type&)`");
        }
        return c->template spawn<std::same_as<P, nothing>>(from, wish,
                                                           world_detail::beginning<T, Transform, P>{where, with});
    }

    template <class T, class F>
    [[nodiscard]] static world_detail::life_call call_with(F&& f) {
        using held = std::decay_t<F>;
        return [call = held(std::forward<F>(f))](void* object, [[maybe_unused]] any_ref which,
                                                 [[maybe_unused]] end_reason why) {
            [[maybe_unused]] T& it = *static_cast<T*>(object);
            if constexpr (std::invocable<const held&, T&, ref<T>, end_reason>) {
                call(it, ref<T>(which.class_of(), ref<T>::handle_type::from_bits(which.life())), why);
            } else if constexpr (std::invocable<const held&, T&, ref<T>>) {
                call(it, ref<T>(which.class_of(), ref<T>::handle_type::from_bits(which.life())));
            } else if constexpr (std::invocable<const held&, T&>) {
                call(it);
            } else {
                call();
            }
        };
    }

    /// What constructors of one class throw must not keep others from their turn: it is passed on at the end.
    class kept_exception {
    public:
        template <class F>
        void keep(F&& f) {
            LIDO_TRY { f(); }
            LIDO_CATCH_ALL {
                if (first_ == nullptr) first_ = std::current_exception();
            }
        }
        void pass_on() {
            if (first_ != nullptr) std::rethrow_exception(first_);
        }

    private:
        std::exception_ptr first_;
    };

    /// The start of a world that was asked to spawn or tick. What a constructor throws in it is thrown again by the next tick, which
    /// asks for the object again: a spawn throws for its own class only.
    LIDO_COLD void start_late() {
        start_report report;
        build_all({.objects_a_tick = objects_a_tick_}, report);
        kept_exception left_to_the_tick;
        for_each_class([&](world_detail::world_class& c) { left_to_the_tick.keep([&] { make_ahead(c); }); });
    }

    /// The pools of all classes, before any object is made: constructors may spawn objects of any class.
    void build_all(start_options how, start_report& report) {
        started_ = true;
        objects_a_tick_ = how.objects_a_tick;
        for_each_class([&](world_detail::world_class& c) {
            if (std::string why = build(c); why.empty()) {
                report.built.push_back(c.name());
            } else {
                report.skipped.push_back({c.name(), std::move(why)});
            }
        });
    }

    /// Builds a class that this role may have. Empty, or why not.
    [[nodiscard]] std::string build(world_detail::world_class& c) {
        if (!c.settings().roles.allows(role_))
            return "its settings do not let a " + std::string(to_string(role_)) + " build it";
        if (!c.build()) {
            const char* const by = world_detail::what_reserves(c.settings());
            return "there is no memory for its pool" + (by == nullptr
                                                            ? std::string("; a grow_to reserves less")
                                                            : "; a smaller " + std::string(by) + " reserves less");
        }
        c.ask_prewarm(c.settings().prewarm);
        return {};
    }

    /// Objects that a start makes at once.
    void make_ahead(world_detail::world_class& c) {
        if (objects_a_tick_ == 0 && c.built()) c.go_on_prewarming(everything);
    }

    /// Takes what it makes from the budget.
    void go_on_making(world_detail::world_class& c, std::uint32_t& budget) {
        if (objects_a_tick_ == 0) {
            c.go_on_prewarming(everything);  // a file that was read again may ask for more
            return;
        }
        if (budget == 0) return;
        const std::uint32_t all = std::exchange(budget, 0);  // spent, should a constructor throw
        const std::uint64_t before = c.stats().pool.created;
        c.go_on_prewarming(all);
        const std::uint64_t made = c.stats().pool.created - before;
        if (made < all) budget = all - static_cast<std::uint32_t>(made);
    }

    end_report remove(world_detail::world_class* c, std::string_view name) {
        if (busy()) {
            tell_reentrant("remove() was called from inside a hook, listener or timer: call it between ticks");
            return {.classes = {}, .refused = true};
        }
        end_report report;
        if (c == nullptr) {
            static_cast<void>(no_class(name));
            return report;
        }
        if (c->active() != 0) report.classes.push_back({c->name(), c->active()});
        c->set_open(false);
        c->end_all(end_reason::its_class);
        const world_detail::busy_world while_destroying(shared_);
        classes_.remove(c->number());
        return report;
    }

    end_report end_everything() {
        end_report report;
        for (class_number n = 0; n < classes_.size(); ++n) {
            world_detail::world_class* const c = classes_.by_number(n);
            if (c == nullptr) continue;
            c->set_open(false);
            if (c->active() != 0) report.classes.push_back({c->name(), c->active()});
        }
        // All lives first, then all classes: a listener may look at objects of other classes.
        for (class_number n = 0; n < classes_.size(); ++n) {
            if (world_detail::world_class* const c = classes_.by_number(n)) c->end_all(end_reason::its_world);
        }
        for (class_number n = 0; n < classes_.size(); ++n) {
            const world_detail::busy_world while_destroying(shared_);
            if (classes_.by_number(n) != nullptr) classes_.remove(n);
        }
        calls_.clear();
        return report;
    }

    [[nodiscard]] static class_stats stats_of(const world_detail::world_class* c) noexcept {
        return c != nullptr ? c->stats() : class_stats{};
    }

    LIDO_COLD spawn_refusal no_class(std::string_view name) {
        unknown_class("there is no class " + world_detail::printable(name) +
                      " in this world; add it first. There are: " + classes_.names());
        return spawn_refusal::no_class;
    }
    LIDO_COLD void unknown_class(std::string what) {
        last_error_ = std::move(what);
        report_misuse({.kind = world_misuse::unknown_class,
                       .pool = "world",
                       .what = last_error_.c_str(),
                       .kind_name = "unknown class"});
    }

    /// An object was to be returned by a type that no class has.
    LIDO_COLD void no_class_of(std::string_view type, const void* object) noexcept {
        std::string what = std::string(type) + " is no class of this world";
        for_each_class([&](const world_detail::world_class& c) {
            if (c.has_object_at(object)) what += "; the object is a " + std::string(c.type());
        });
        unknown_class(what + "; return an object by its own type, or by its reference");
    }

    LIDO_COLD spawn_refusal wrong_payload(world_detail::placed_class<Transform>& c, const payload& with) {
        c.count_refused();
        const std::string_view takes = c.takes();
        last_error_ = c.shown_name() + (takes.empty() ? " takes no payload" : " takes " + std::string(takes)) +
                      ", and was given " + std::string(with.type_name());
        report_misuse({.kind = world_misuse::wrong_payload,
                       .pool = c.shown_name().c_str(),
                       .what = last_error_.c_str(),
                       .kind_name = "wrong payload"});
        return spawn_refusal::wrong_payload;
    }

    LIDO_COLD void tell_reentrant(const char* what) {
        last_error_ = what;
        report_misuse({.kind = misuse_kind::reentrant_call, .pool = "world", .what = what});
    }

    static constexpr std::uint32_t everything = (std::numeric_limits<std::uint32_t>::max)();

    world_detail::class_table classes_;
    world_detail::world_shared shared_;
    world_detail::world_calls calls_;
    std::uint32_t objects_a_tick_ = 0;
    role role_;
    bool started_ = false;
    std::string last_error_;
};

using world = basic_world<transform>;

}  // namespace lido
