// world: pools by class. A program says once what it spawns and how many; from then on it spawns, and things return by themselves.
//
//   lido::world world{lido::role::client};
//   world.add<explosion>("explosion", {.prewarm = 64, .max_lifetime = lido::ticks{120}});
//   auto boom = world.spawn<explosion>(where, blast{.radius = 3});
//   world.tick();                                                     // lifetimes run, the start goes on, idle surplus goes
//
// Rooms:
//   world_base       all that needs no type                   world (here)    the typed calls on top
//   class_pool       lives of one class: spawn, end           world_class     the same without its type
//   class_table      classes by number, type and name         configure       settings from a file
//   hooks            what is called of a class                lifecycle       idle, active, releasing, destroying
//   timing_wheel     lifetimes and calls                      world_rewind    save, restore, hash
//   confirmed        ends that wait until they are certain    birth_count     which birth a life is
#pragma once

#include <lido/core/checks/place.hpp>
#include <lido/core/config.hpp>
#include <lido/core/meta/type_name.hpp>
#include <lido/core/misuse.hpp>
#include <lido/core/options.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/core/stats.hpp>
#include <lido/world/any_life_event.hpp>
#include <lido/world/any_object.hpp>
#include <lido/world/beginning.hpp>
#include <lido/world/class_id.hpp>
#include <lido/world/class_key.hpp>
#include <lido/world/class_pool.hpp>
#include <lido/world/class_room.hpp>
#include <lido/world/class_settings.hpp>
#include <lido/world/class_table.hpp>
#include <lido/world/configure.hpp>
#include <lido/world/confirmed.hpp>
#include <lido/world/end_reason.hpp>
#include <lido/world/event.hpp>
#include <lido/world/hook_names.hpp>
#include <lido/world/hooks.hpp>
#include <lido/world/life_event.hpp>
#include <lido/world/life_listeners.hpp>
#include <lido/world/owned_class.hpp>
#include <lido/world/payload.hpp>
#include <lido/world/pooled.hpp>
#include <lido/world/ref.hpp>
#include <lido/world/settings_table.hpp>
#include <lido/world/spawned.hpp>
#include <lido/world/ticks.hpp>
#include <lido/world/transform.hpp>
#include <lido/world/which_class.hpp>
#include <lido/world/world_base.hpp>
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

/// Threads: a world belongs to one thread at a time.
/// Re-entrancy: hooks, listeners and waiting calls may spawn, return any object (themselves, too), connect, disconnect and start
/// calls. An object that is returned from inside one of its own hooks or waiting calls is releasing from then on, and goes back when
/// that has come back: it is never given to a newcomer before. Constructors and destructors of objects may spawn and return others.
/// Refused from inside all of them, and from inside for_each(): tick(), remove(), end(), save and restore. Hooks and listeners that run
/// at the end of a life, and waiting calls, must not throw.
template <class Transform = transform>
class basic_world : public world_base {
public:
    using transform_type = Transform;
    using rewind_with = world_detail::world_rewind;

    explicit basic_world(role as = role::standalone, world_settings how = {}) : world_base(as, how) {}

    using world_base::after;
    using world_base::begun;
    using world_base::destroy;
    using world_base::finished;
    using world_base::for_each;
    using world_base::get;
    using world_base::on_finished;
    using world_base::ref_of;
    using world_base::return_to_pool;

    // --- classes -----------------------------------------------------------------------------------------------------------

    /// Makes T a class of this world, under a name that settings files and spawns use. One type may be several classes. Then `<T>` means
    /// all of them, and a call that can only be about one (spawn, stats, finished, begun) is told which: by the name, or by the key that
    /// the answer has. Before the start it is built by start(); later at once, if this role may. What configure() was given for that
    /// name goes over the settings; when T cannot have that, it is added with the settings alone, and `why` says so.
    /// Refused, with the reason: a name that is there, settings that T cannot have.
    /// Throws: what T's constructor throws in a prewarm; the class is not added then.
    template <class T>
    added_class_of<T> add(std::string_view name, const class_settings& settings = {}, class_code<T> code = {}) {
        static_assert(std::is_object_v<T> && !std::is_const_v<T> && !std::is_volatile_v<T> && !std::is_array_v<T>,
                      "lido: a class of a world is a non-const, non-volatile object type");
        world_detail::check_hook_names<T, Transform>();
        const auto refused = [](std::string why) { return added_class_of<T>{0, false, std::move(why), {}}; };
        if (name.empty()) return refused("a class needs a name");
        if (shared_.busy != 0)
            return refused("the world is being saved, restored, hashed or ended; add classes before or after that");
        if (world_detail::world_class* const there = classes_.by_id(class_id_of(name)); there != nullptr) {
            if (there->name() == name)
                return {there->number(), false, "there is a class " + world_detail::printable(name) + " already",
                        key_of<T>(there)};
            // One in 10^19 for two names; in images and messages they would be taken for one another.
            return refused(world_detail::printable(name) + " and " + world_detail::printable(there->name()) +
                           " have the same class_id; give one of them another name");
        }
        const class_number number = classes_.size();
        auto made = std::make_unique<world_detail::class_pool<T, Transform>>(shared_, number, std::string(name),
                                                                             settings, code);
        if (std::string wrong = made->check(settings); !wrong.empty())
            return refused(world_detail::printable(name) + ": " + wrong);
        added_class_of<T> answer{number, true, take_kept_settings(*made), class_key<T>(number)};
        classes_.add(std::move(made));
        if (!started_) return answer;
        world_detail::world_class& c = *classes_.by_number(number);
        LIDO_TRY {
            if (std::string why = build(c); !why.empty()) answer.why = std::move(why);
            make_ahead(c);
        }
        LIDO_CATCH_ALL {
            c.set_open(false);
            c.end_all(end_reason::its_class);
            if (c.waits_for_confirm()) let_go_of(c);
            const world_detail::busy_world while_destroying(shared_);
            classes_.take_back(number);
            LIDO_RETHROW;
        }
        return answer;
    }

    /// The same under the name of the type.
    template <class T>
    added_class_of<T> add(const class_settings& settings = {}) {
        return add<T>(type_name<T>(), settings);
    }

    // --- spawn -------------------------------------------------------------------------------------------------------------

    /// Takes the idle object that returned last, or makes one, or does what on_full says. No object: why() tells. Of a type that several
    /// classes have it says which: spawn(key, where).
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

    /// The same with a payload that is handed over: a class that takes its payload by value, or as `payload_type&&`, gets the caller's, which is
    /// moved once, as the life begins. A spawn that is refused leaves it with the caller, unless a life ended for it in vain.
    template <class T, class P>
        requires world_detail::takes_over<T, P>
    LIDO_QUICK_ENTRY spawned<T> spawn(const Transform& where, P&& with) {
        return spawn_here<T>(place_of_caller(LIDO_CALLER), {}, where, world_detail::handed_over<P>{with});
    }

    /// The same of a class whose key is given. A class that was removed is told as one that is not there.
    template <class T>
    LIDO_QUICK_ENTRY spawned<T> spawn(class_key<T> of, const Transform& where = {}) {
        return spawn_in(of, place_of_caller(LIDO_CALLER), {}, where, nothing{});
    }
    template <class T, class P>
    LIDO_QUICK_ENTRY spawned<T> spawn(class_key<T> of, const Transform& where, const P& with) {
        return spawn_in(of, place_of_caller(LIDO_CALLER), {}, where, with);
    }
    template <class T, class P>
        requires world_detail::takes_over<T, P>
    LIDO_QUICK_ENTRY spawned<T> spawn(class_key<T> of, const Transform& where, P&& with) {
        return spawn_in(of, place_of_caller(LIDO_CALLER), {}, where, world_detail::handed_over<P>{with});
    }
    template <class T>
    LIDO_ENTRY spawned<T> spawn(class_key<T> of, const Transform& where, payload&& with) {
        return spawn_in(of, place_of_caller(LIDO_CALLER), {}, where, world_detail::given_to<T>(with));
    }
    template <class T>
    LIDO_QUICK_ENTRY spawned<T> spawn_as(class_key<T> of, request wish, const Transform& where = {}) {
        return spawn_in(of, place_of_caller(LIDO_CALLER), wish, where, nothing{});
    }
    template <class T, class P>
    LIDO_QUICK_ENTRY spawned<T> spawn_as(class_key<T> of, request wish, const Transform& where, const P& with) {
        return spawn_in(of, place_of_caller(LIDO_CALLER), wish, where, with);
    }
    template <class T, class P>
        requires world_detail::takes_over<T, P>
    LIDO_QUICK_ENTRY spawned<T> spawn_as(class_key<T> of, request wish, const Transform& where, P&& with) {
        return spawn_in(of, place_of_caller(LIDO_CALLER), wish, where, world_detail::handed_over<P>{with});
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
    template <class T, class P>
        requires world_detail::takes_over<T, P>
    LIDO_QUICK_ENTRY spawned<T> spawn_as(request wish, const Transform& where, P&& with) {
        return spawn_here<T>(place_of_caller(LIDO_CALLER), wish, where, world_detail::handed_over<P>{with});
    }

    /// The same by the name or number of the class. A payload that is handed over is empty, or moved from, once a life has begun with it.
    LIDO_ENTRY any_spawned spawn(which_class of, const Transform& where = {}, const payload& with = {},
                                 request wish = {}) {
        return spawn_any(place_of_caller(LIDO_CALLER), of, where, with, wish);
    }
    LIDO_ENTRY any_spawned spawn(which_class of, const Transform& where, payload&& with, request wish = {}) {
        return spawn_any(place_of_caller(LIDO_CALLER), of, where, world_detail::handed_over<payload>{with}, wish);
    }

    /// Begins a life under exactly this reference, for references that somebody else chooses: a server, a replay. Refused while the slot
    /// is another's (slot_taken), when it has had that life or a later one (generation_passed), and when the class cannot have it
    /// (out_of_range, full). Nobody is replaced for it. A class that never chooses by itself says settings.references = given.
    /// Throws: as spawn(); that reference is passed then. Complexity: O(idle objects).
    template <class T>
    LIDO_ENTRY spawned<T> spawn_under(ref<T> which, const Transform& where = {}) {
        return spawn_here_under(place_of_caller(LIDO_CALLER), which, where, nothing{});
    }
    template <class T, class P>
    LIDO_ENTRY spawned<T> spawn_under(ref<T> which, const Transform& where, const P& with) {
        return spawn_here_under(place_of_caller(LIDO_CALLER), which, where, with);
    }
    template <class T, class P>
        requires world_detail::takes_over<T, P>
    LIDO_ENTRY spawned<T> spawn_under(ref<T> which, const Transform& where, P&& with) {
        return spawn_here_under(place_of_caller(LIDO_CALLER), which, where, world_detail::handed_over<P>{with});
    }
    template <class T>
    LIDO_ENTRY spawned<T> spawn_under(ref<T> which, const Transform& where, payload&& with) {
        return spawn_here_under(place_of_caller(LIDO_CALLER), which, where, world_detail::given_to<T>(with));
    }
    LIDO_ENTRY any_spawned spawn_under(any_ref which, const Transform& where = {}, const payload& with = {}) {
        return spawn_any_under(place_of_caller(LIDO_CALLER), which, where, with);
    }
    LIDO_ENTRY any_spawned spawn_under(any_ref which, const Transform& where, payload&& with) {
        return spawn_any_under(place_of_caller(LIDO_CALLER), which, where, world_detail::handed_over<payload>{with});
    }

    // --- return ------------------------------------------------------------------------------------------------------------

    /// Ends that life. False when it has ended before: a stale reference does nothing.
    template <class T>
    LIDO_QUICK_ENTRY bool return_to_pool(ref<T> which) noexcept {
        require_own<T>();
        world_detail::class_pool<T, Transform>* const c = pool_of(which);
        return c != nullptr && c->end_one(place_of_caller(LIDO_CALLER), which.life(), end_reason::reference);
    }

    /// The same for an object of this world, by its own type. A base of it is no class of this world, which is reported.
    template <class T>
        requires(!std::convertible_to<const T&, any_ref> && !std::convertible_to<const T&, const_any_object>)
    LIDO_ENTRY bool return_to_pool(const T& object) noexcept {
        require_own<T>();
        const ref<T> which = ref_of(object);
        world_detail::class_pool<T, Transform>* const c = pool_of(which);
        if (c == nullptr) [[unlikely]] {
            if (!has<T>()) no_class_of(type_name<T>(), std::addressof(object));
            return false;
        }
        return c->end_one(place_of_caller(LIDO_CALLER), which.life(), end_reason::reference);
    }

    /// Ends that life as return_to_pool() does, and its object is not kept for another life: it is destroyed, with all it owns. From inside one
    /// of its own hooks that is when the hook has come back. False when the life has ended before.
    template <class T>
    LIDO_QUICK_ENTRY bool destroy(ref<T> which) noexcept {
        require_own<T>();
        world_detail::class_pool<T, Transform>* const c = pool_of(which);
        return c != nullptr && c->destroy_one(place_of_caller(LIDO_CALLER), which.life());
    }
    template <class T>
        requires(!std::convertible_to<const T&, any_ref> && !std::convertible_to<const T&, const_any_object>)
    LIDO_ENTRY bool destroy(const T& object) noexcept {
        require_own<T>();
        const ref<T> which = ref_of(object);
        world_detail::class_pool<T, Transform>* const c = pool_of(which);
        if (c == nullptr) [[unlikely]] {
            if (!has<T>()) no_class_of(type_name<T>(), std::addressof(object));
            return false;
        }
        return c->destroy_one(place_of_caller(LIDO_CALLER), which.life());
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// The object, while it lives and while the listeners of its end are told; else null.
    template <class T>
    [[nodiscard]] world_detail::handed_out<T>* get(ref<T> which) noexcept {
        world_detail::class_pool<T, Transform>* const c = pool_of(which);
        return c != nullptr ? c->get(which.life()) : nullptr;
    }
    template <class T>
    [[nodiscard]] const T* get(ref<T> which) const noexcept {
        return const_cast<basic_world*>(this)->get(which);
    }
    template <class T>
    [[nodiscard]] world_detail::handed_out<T>* get(const spawned<T>& which) noexcept {
        return get(which.reference());
    }
    template <class T>
    [[nodiscard]] const T* get(const spawned<T>& which) const noexcept {
        return get(which.reference());
    }

    /// The reference to the life of an active object of this world; null for any other object.
    template <class T>
        requires(!std::is_pointer_v<T>)
    [[nodiscard]] ref<T> ref_of(const T& object) const noexcept {
        for (const world_detail::world_class* const c : classes_.living()) {
            if (c->type_id() != type_id<T>()) continue;
            if (const ref<T> found = static_cast<const world_detail::class_pool<T, Transform>*>(c)->ref_of(object))
                return found;
        }
        return {};
    }

    /// Calls `f(object)` or `f(object, reference)` for each active T, class by class. It may return any object, which is then not
    /// visited, and spawn.
    template <class T, class F>
    void for_each(F&& f) {
        for_each_class(type_id<T>(), [&f](world_detail::world_class& c) {
            each_in(static_cast<world_detail::class_pool<T, Transform>&>(c), f);
        });
    }
    /// Of one class. Nothing for one that was removed.
    template <class T, class F>
    void for_each(class_key<T> of, F&& f) {
        if (world_detail::class_pool<T, Transform>* const c = pool_at<T>(of.number())) each_in(*c, f);
    }
    /// The same with `const T&`.
    template <class T, class F>
    void for_each(F&& f) const {
        const_cast<basic_world*>(this)->template for_each<T>(only_looking<T>(f));
    }
    template <class T, class F>
    void for_each(class_key<T> of, F&& f) const {
        const_cast<basic_world*>(this)->for_each(of, only_looking<T>(f));
    }

    // --- lives, told -----------------------------------------------------------------------------------------------------------

    /// The end of every life of a class: `world.finished<T>().connect(f)` with `f(object, reference, why)`, or less of it; by its key or
    /// name where T has several. Wiring of the program: no part of a rewind. Where this world has no such class, that is reported, and who
    /// connects is called by nobody: ask has<T>() before.
    template <class T>
    [[nodiscard]] life_event<T, end_reason>& finished() noexcept {
        return finished_of<T>(only<T>());
    }
    template <class T>
    [[nodiscard]] life_event<T, end_reason>& finished(which_class of) noexcept {
        return finished_of<T>(class_at(of, world_detail::type_of<T>));
    }
    template <class T>
    [[nodiscard]] life_event<T, end_reason>& finished(class_key<T> of) noexcept {
        return finished<T>(which_class(of));
    }

    /// The same for lives that have begun: `f(object, reference)`, once it is in use. What its own hooks ended before is not told.
    /// A listener that throws calls the life off, as a hook that throws does.
    template <class T>
    [[nodiscard]] life_event<T>& begun() noexcept {
        return begun_of<T>(only<T>());
    }
    template <class T>
    [[nodiscard]] life_event<T>& begun(which_class of) noexcept {
        return begun_of<T>(class_at(of, world_detail::type_of<T>));
    }
    template <class T>
    [[nodiscard]] life_event<T>& begun(class_key<T> of) noexcept {
        return begun<T>(which_class(of));
    }

    /// Calls `f(object, reference, why)`, or less of it, when that life ends, once. A lambda that captures up to 32 bytes.
    /// Part of a rewind, as the life is. Null when the life has ended already: nobody will be called.
    template <class T, world_detail::unnamed_call F>
    life_connection on_finished(ref<T> which, F&& f) {
        world_detail::class_pool<T, Transform>* const c = pool_of(which);
        return c != nullptr ? c->connect(which.life().to_bits(), call_with<T>(std::forward<F>(f))) : life_connection{};
    }

    template <class T, class F>
    life_connection on_finished(const spawned<T>& which, F&& f) {
        return on_finished(which.reference(), std::forward<F>(f));
    }

    /// Calls `f(object, reference)`, `f(object)` or `f()` after so many ticks of its class, if that life still lives then.
    template <class T, world_detail::unnamed_call F>
    waiting_call after(ref<T> which, ticks in, F&& f) {
        world_detail::class_pool<T, Transform>* const c = pool_of(which);
        if (c == nullptr || !c->lives(which.life().to_bits())) return {};
        return {which.class_of(), c->call_after(which.life().to_bits(), in, call_with<T>(std::forward<F>(f)))};
    }

    template <class T, class F>
    waiting_call after(const spawned<T>& which, ticks in, F&& f) {
        return after(which.reference(), in, std::forward<F>(f));
    }

    // --- rewind (core/rewind/save.hpp): a world is a part like any pool ------------------------------------------------------
    //
    // State is: active objects, their timers, listeners and waiting calls, the order of idle ones, clocks and counters. A life that
    // a restore undoes is told set_in_use(false) and on_release(); one that it brings back is as it was. Any world that has the same
    // classes in the same order takes the snapshot; its objects are told their lives anew (set_life).

    //
    // An image holds the same for another process (world_image.hpp): calls and listeners of lives that have a name, and classes by theirs.
    // Class numbers are the image's after a restore. What is refused, and why, is in the result and in last_error().

    bool save(snapshot& to) const { return lido::save(to, *this); }
    [[nodiscard]] save_result save(std::vector<std::byte>& to) const { return lido::save(to, *this); }
    restore_result restore(std::span<const std::byte> image) { return lido::restore(image, *this); }
    restore_result restore(const snapshot& from) { return lido::restore(from, *this); }
    [[nodiscard]] std::uint64_t state_hash() const { return lido::state_hash(*this); }

private:
    friend struct world_detail::world_rewind;
    friend struct owning::access;
    friend struct world_detail::world_image;

    using nothing = world_detail::no_payload;

    /// Entities are shown, and not handed out.
    template <class T, class F>
    static void each_in(world_detail::class_pool<T, Transform>& c, F& f) {
        if constexpr (world_detail::owned_by_layer<T>) {
            c.for_each(only_looking<T>(f));
        } else {
            c.for_each(f);
        }
    }
    /// One sentence instead of what the compiler would say of a const object.
    template <class T>
    static constexpr void require_own() noexcept {
        static_assert(!world_detail::owned_by_layer<T>,
                      "lido: the objects of this class are entities: create, end and watch them by their stage, not by "
                      "the world");
    }
    template <class T>
    [[nodiscard]] world_detail::class_pool<T, Transform>* owned_pool(class_number of) noexcept {
        world_detail::world_class* const c = classes_.by_number(of);
        return c != nullptr && c->type_id() == type_id<T>() ? static_cast<world_detail::class_pool<T, Transform>*>(c)
                                                            : nullptr;
    }
    void start_for_layer() {
        if (!started_) start_late();
    }

    [[nodiscard]] static world_detail::placed_class<Transform>* placed(world_detail::world_class* c) noexcept {
        return static_cast<world_detail::placed_class<Transform>*>(c);
    }

    template <class T>
    [[nodiscard]] LIDO_INLINE world_detail::class_pool<T, Transform>* pool_of(ref<T> which) const noexcept {
        return pool_at<T>(which.class_of());
    }
    template <class T>
    [[nodiscard]] LIDO_INLINE world_detail::class_pool<T, Transform>* pool_at(class_number of) const noexcept {
        world_detail::world_class* const c = classes_.by_number(of);
        if (c == nullptr || c->type_id() != type_id<T>()) [[unlikely]]
            return nullptr;
        return static_cast<world_detail::class_pool<T, Transform>*>(c);
    }

    /// `c` is of that type, or null: that has been told.
    template <class T>
    [[nodiscard]] life_event<T, end_reason>& finished_of(world_detail::world_class* c) noexcept {
        require_own<T>();
        if (c != nullptr && !in_trial()) return static_cast<world_detail::class_pool<T, Transform>*>(c)->finished();
        static thread_local life_event<T, end_reason> of_nobody;
        of_nobody.disconnect_all();
        return of_nobody;
    }
    /// `c` is of that type, or null: that has been told.
    template <class T>
    [[nodiscard]] life_event<T>& begun_of(world_detail::world_class* c) noexcept {
        require_own<T>();
        if (c != nullptr && !in_trial()) return static_cast<world_detail::class_pool<T, Transform>*>(c)->begun();
        static thread_local life_event<T> of_nobody;
        of_nobody.disconnect_all();
        return of_nobody;
    }

    template <class T, class P>
    [[nodiscard]] LIDO_INLINE spawned<T> spawn_here(source_place from, request wish, const Transform& where,
                                                    const P& with) {
        auto* const c = static_cast<world_detail::class_pool<T, Transform>*>(classes_.only_of_type(type_id<T>()));
        if (c == nullptr) [[unlikely]]
            return no_only_class(world_detail::type_of<T>);
        return spawn_in(*c, from, wish, where, with);
    }
    template <class T, class P>
    [[nodiscard]] LIDO_INLINE spawned<T> spawn_in(class_key<T> of, source_place from, request wish,
                                                  const Transform& where, const P& with) {
        world_detail::class_pool<T, Transform>* const c = pool_at<T>(of.number());
        if (c == nullptr) [[unlikely]]
            return no_class(of);
        return spawn_in(*c, from, wish, where, with);
    }
    template <class T, class P>
    [[nodiscard]] LIDO_INLINE spawned<T> spawn_in(world_detail::class_pool<T, Transform>& c, source_place from,
                                                  request wish, const Transform& where,
                                                  [[maybe_unused]] const P& with) {
        require_own<T>();
        if (!c.open() && !started_) [[unlikely]]
            start_late();
        check_payload<T, P>();
        if constexpr (std::convertible_to<const P&, world_detail::given_payload>) {
            if (!c.accepts(with)) [[unlikely]]
                return wrong_payload(c, with);
        }
        return c.template spawn<std::same_as<P, nothing>>(from, wish, world_detail::begin_of<T>(where, with));
    }

    template <class T, class P>
    static consteval void check_payload() noexcept {
        if constexpr (!std::same_as<P, nothing> && !std::same_as<P, payload> && !world_detail::is_handed_over<P>) {
            static_assert(world_detail::takes_payload<T, P> || !world_detail::takes_over<T, P>,
                          "lido: this class takes its payload over: hand it over with std::move(payload)");
            static_assert(world_detail::takes_payload<T, P> || world_detail::takes_over<T, P>,
                          "lido: this class does not take that payload: give it `using payload_type = …;` and "
                          "`void on_acquire(const payload_type&)`");
        }
    }

    [[nodiscard]] any_spawned spawn_any(source_place from, which_class of, const Transform& where,
                                        world_detail::given_payload with, request wish) {
        const caller_scope scope(shared_, from);
        if (!started_) [[unlikely]]
            start_late();
        world_detail::placed_class<Transform>* const c = placed(class_at(of));
        if (c == nullptr) return {{}, no_class(of)};
        if (!c->accepts(with)) return {{}, wrong_payload(*c, with)};
        return c->spawn_any(where, with, wish);
    }
    [[nodiscard]] any_spawned spawn_any_under(source_place from, any_ref which, const Transform& where,
                                              world_detail::given_payload with) {
        const caller_scope scope(shared_, from);
        if (!started_) [[unlikely]]
            start_late();
        world_detail::placed_class<Transform>* const c = placed(classes_.by_number(which.class_of()));
        if (c == nullptr) return {{}, no_class_numbered(which.class_of())};
        if (!c->accepts(with)) return {{}, wrong_payload(*c, with)};
        return c->spawn_any_under(which.life(), where, with);
    }

    template <class T, class P>
    [[nodiscard]] spawned<T> spawn_here_under(source_place from, ref<T> which, const Transform& where,
                                              [[maybe_unused]] const P& with) {
        require_own<T>();
        if (!started_) [[unlikely]]
            start_late();
        world_detail::class_pool<T, Transform>* const c = pool_of(which);
        if (c == nullptr) [[unlikely]]
            return no_class_numbered(which.class_of());
        check_payload<T, P>();
        if constexpr (std::convertible_to<const P&, world_detail::given_payload>) {
            if (!c->accepts(with)) return wrong_payload(*c, with);
        }
        return c->template spawn_under<std::same_as<P, nothing>>(from, which.life(),
                                                                 world_detail::begin_of<T>(where, with));
    }

    template <class T, class F>
    [[nodiscard]] static auto only_looking(F& f) noexcept {
        return [&f](const T& object, [[maybe_unused]] ref<T> which) {
            if constexpr (std::invocable<F&, const T&, ref<T>>) {
                f(object, which);
            } else {
                f(object);
            }
        };
    }

    template <class T, class F>
    [[nodiscard]] static world_detail::life_call call_with(F&& f) {
        using held = std::decay_t<F>;
        return [call = held(std::forward<F>(f))](any_object object, [[maybe_unused]] any_ref which,
                                                 [[maybe_unused]] end_reason why) {
            [[maybe_unused]] T& it = *static_cast<T*>(object.address());
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

    LIDO_COLD spawn_refusal wrong_payload(world_detail::placed_class<Transform>& c, world_detail::given_payload with) {
        c.count_refused();
        const std::string_view takes = c.takes();
        if (c.fits(with.shown)) {
            last_error_ = c.shown_name() + " takes its " + std::string(takes) +
                          " over, and was only shown one: hand it over with std::move";
        } else {
            last_error_ = c.shown_name() + (takes.empty() ? " takes no payload" : " takes " + std::string(takes)) +
                          ", and was given " + std::string(with.shown.type_name());
        }
        report_misuse({.kind = world_misuse::wrong_payload,
                       .pool = c.shown_name().c_str(),
                       .what = last_error_.c_str(),
                       .kind_name = "wrong payload"});
        return spawn_refusal::wrong_payload;
    }
};

using world = basic_world<transform>;

}  // namespace lido
