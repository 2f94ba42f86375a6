// What a world does without knowing a C++ type: start, tick, objects and lives by their references, classes by number or name, time,
// figures, settings, the end. world.hpp puts the typed calls on top.
#pragma once
#include <lido/core/checks/place.hpp>
#include <lido/core/config.hpp>
#include <lido/core/meta/type_name.hpp>
#include <lido/core/misuse.hpp>
#include <lido/core/stats.hpp>
#include <lido/world/any_life_event.hpp>
#include <lido/world/any_object.hpp>
#include <lido/world/class_id.hpp>
#include <lido/world/class_key.hpp>
#include <lido/world/class_room.hpp>
#include <lido/world/class_settings.hpp>
#include <lido/world/class_table.hpp>
#include <lido/world/configure.hpp>
#include <lido/world/confirmed.hpp>
#include <lido/world/end_reason.hpp>
#include <lido/world/kept_settings.hpp>
#include <lido/world/life_event.hpp>
#include <lido/world/life_listeners.hpp>
#include <lido/world/named_calls.hpp>
#include <lido/world/owned_class.hpp>
#include <lido/world/ref.hpp>
#include <lido/world/settings_table.hpp>
#include <lido/world/spawned.hpp>
#include <lido/world/ticks.hpp>
#include <lido/world/which_class.hpp>
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
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

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

/// Threads and re-entrancy: as basic_world says (world.hpp).
class world_base {
public:
    world_base(const world_base&) = delete;
    world_base& operator=(const world_base&) = delete;

    [[nodiscard]] role as() const noexcept { return role_; }

    // --- classes -----------------------------------------------------------------------------------------------------------

    /// Takes over what a settings file gave (settings_file.hpp reads one), over what the code said. Before the start all of it; later
    /// what can change, and the report says what cannot, and why. When anything in it is wrong, nothing is applied. What it says of
    /// classes that are not there waits for them to be added. Refused from inside a hook, listener or timer.
    configure_report configure(const settings_table& table) {
        if (busy()) {
            tell_reentrant("configure() was called from inside a hook, listener or timer: call it between ticks");
            return {.error = last_error_, .applied = {}, .cannot = {}, .unused = {}};
        }
        configure_report out = world_detail::configure(classes_, table, started_, true);
        if (out) kept_settings_.keep(table, classes_);
        return out;
    }

    /// What configure() would report, without a change.
    [[nodiscard]] configure_report check_settings(const settings_table& table) const {
        return world_detail::configure(classes_, table, started_, false);
    }

    /// A line for each class that a table named and that was never added: a slip in the name, often.
    [[nodiscard]] std::vector<std::string> unused_settings() const { return kept_settings_.unused(classes_); }

    /// Builds every class that this role may have, and makes the objects they ask for ahead. A world that was not started starts by
    /// itself with its first spawn or tick.
    /// Throws: the first of what constructors throw, when everything else is done. The next tick asks for the missing objects again.
    start_report start(start_options how = {}) {
        start_report report;
        if (started_ || stays("start()")) return report;
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
        for (const world_detail::world_class* const c : classes_.living()) {
            if (!c->built()) continue;
            const std::uint32_t left = c->stats().to_prewarm;
            p.wanted += c->settings().prewarm;
            p.made += c->settings().prewarm > left ? c->settings().prewarm - left : 0;
        }
        return p;
    }

    /// Ends a class, or all classes of T: their objects return, with their hooks, and are destroyed. References to them do nothing from then
    /// on.
    template <class T>
    end_report remove() {
        std::vector<world_detail::world_class*> all;
        for_each_class(type_id<T>(), [&all](world_detail::world_class& c) { all.push_back(&c); });
        return remove(all, type_name<T>());
    }
    end_report remove(which_class of) {
        world_detail::world_class* const c = class_at(of);
        return remove({&c, c != nullptr ? 1u : 0u}, of);
    }

    /// Ends the world: everything returns, with its hooks, and every class is removed. Returns what was still active.
    end_report end() {
        if (busy()) {
            tell_reentrant("end() was called from inside a hook, listener or timer: call it between ticks");
            return {.classes = {}, .refused = true};
        }
        return end_everything();
    }

    // --- return ------------------------------------------------------------------------------------------------------------

    /// Ends that life. False when it has ended before: a stale reference does nothing.
    LIDO_ENTRY bool return_to_pool(any_ref which) noexcept {
        world_detail::world_class* const c = classes_.by_number(which.class_of());
        return c != nullptr && c->end(place_of_caller(LIDO_CALLER), which.life(), end_reason::reference);
    }

    LIDO_ENTRY bool return_to_pool(const_any_object object) noexcept {
        const any_ref which = ref_of(object.address());
        world_detail::world_class* const c = classes_.by_number(which.class_of());
        return which && c->end(place_of_caller(LIDO_CALLER), which.life(), end_reason::reference);
    }

    /// Ends that life as return_to_pool() does, and its object is not kept for another life: it is destroyed, with all it owns. From inside one
    /// of its own hooks that is when the hook has come back. False when the life has ended before.
    LIDO_ENTRY bool destroy(any_ref which) noexcept {
        world_detail::world_class* const c = classes_.by_number(which.class_of());
        return c != nullptr && c->destroy(place_of_caller(LIDO_CALLER), which.life());
    }
    LIDO_ENTRY bool destroy(const_any_object object) noexcept {
        const any_ref which = ref_of(object.address());
        world_detail::world_class* const c = classes_.by_number(which.class_of());
        return which && c->destroy(place_of_caller(LIDO_CALLER), which.life());
    }

    /// Ends every object of a class that is active now. Returns how many.
    template <class T>
    LIDO_ENTRY std::uint32_t return_all() {
        const caller_scope scope(shared_, place_of_caller(LIDO_CALLER));
        std::uint32_t count = 0;
        for_each_class(type_id<T>(),
                       [&count](world_detail::world_class& c) { count += c.end_all(end_reason::its_class); });
        return count;
    }
    LIDO_ENTRY std::uint32_t return_all(which_class of) {
        const caller_scope scope(shared_, place_of_caller(LIDO_CALLER));
        world_detail::world_class* const c = class_at(of);
        return c != nullptr ? c->end_all(end_reason::its_class) : 0;
    }
    LIDO_ENTRY std::uint32_t return_all() {
        const caller_scope scope(shared_, place_of_caller(LIDO_CALLER));
        std::uint32_t count = 0;
        for_each_class([&count](world_detail::world_class& c) { count += c.end_all(end_reason::its_world); });
        return count;
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

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

    /// The object, while it lives and while the listeners of its end are told; else none.
    [[nodiscard]] any_object get(any_ref which) noexcept {
        world_detail::world_class* const c = classes_.by_number(which.class_of());
        return c != nullptr ? c->object(which.life()) : any_object();
    }
    [[nodiscard]] const_any_object get(any_ref which) const noexcept {
        return const_cast<world_base*>(this)->get(which);
    }

    /// The reference to the life of the active object at that address; null for any other. Complexity: O(classes).
    [[nodiscard]] any_ref ref_of(const void* object) const noexcept {
        for (const world_detail::world_class* const c : classes_.living()) {
            if (const std::uint64_t life = c->life_at(object)) return {c->number(), life};
        }
        return {};
    }

    /// Calls `f(object, reference)`, `f(object)` or `f()` for each active object of a class, where `object` is a lido::any_object. It may
    /// return any object, which is then not visited, and spawn. Nothing for a class that is not there.
    template <class F>
    void for_each(which_class of, F&& f) {
        walk(of, [&f](any_object object, any_ref which) { world_detail::tell_as_much(f, object, which); });
    }
    /// The same with a lido::const_any_object.
    template <class F>
    void for_each(which_class of, F&& f) const {
        const_cast<world_base*>(this)->walk(
            of, [&f](const_any_object object, any_ref which) { world_detail::tell_as_much(f, object, which); });
    }

    /// What is known of a class without its type; false when it is not there.
    [[nodiscard]] class_info class_of(which_class of) const noexcept { return info_of(class_at(of)); }
    /// Of the class whose life it is, or was.
    [[nodiscard]] class_info class_of(any_ref which) const noexcept {
        return which ? info_of(classes_.by_number(which.class_of())) : class_info{};
    }

    [[nodiscard]] std::uint32_t active(which_class of) const noexcept {
        const world_detail::world_class* const c = class_at(of);
        return c != nullptr ? c->active() : 0;
    }
    template <class T>
    [[nodiscard]] std::uint32_t active() const noexcept {
        std::uint32_t count = 0;
        for (const world_detail::world_class* const c : classes_.living()) {
            if (c->type_id() == type_id<T>()) count += c->active();
        }
        return count;
    }

    template <class T>
    [[nodiscard]] class_stats stats() const noexcept {
        const std::uint64_t type = type_id<T>();
        if (classes_.first_of_type(type) == nullptr) return {};
        return stats_of(only<T>());
    }
    /// The key of the class of that name or number; null when there is none, and when it is of another type.
    template <class T>
    [[nodiscard]] class_key<T> key(which_class of) const noexcept {
        return key_of<T>(class_at(of));
    }
    /// Of the class of type T. Null, and reported, when there is none, or there are several.
    template <class T>
    [[nodiscard]] class_key<T> key() const noexcept {
        return key_of<T>(only<T>());
    }

    /// Whether T is a class of this world, or there is one of that name or number, built or not.
    template <class T>
    [[nodiscard]] bool has() const noexcept {
        return classes_.first_of_type(type_id<T>()) != nullptr;
    }
    [[nodiscard]] bool has(which_class of) const noexcept { return class_at(of) != nullptr; }

    [[nodiscard]] class_stats stats(which_class of) const noexcept { return stats_of(class_at(of)); }
    /// Of the class whose life it is, or was.
    [[nodiscard]] class_stats stats(any_ref which) const noexcept {
        return which ? stats_of(classes_.by_number(which.class_of())) : class_stats{};
    }
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

    /// The end of every life of a class: `world.finished("rock").connect(f)` with `f(object, reference, why)`, or less of it, where `object`
    /// is a lido::any_object. Otherwise as finished<T>().
    [[nodiscard]] any_life_event<end_reason>& finished(which_class of) noexcept {
        if (in_trial()) return of_nobody<end_reason>();
        if (world_detail::world_class* const c = class_at(of)) return c->any_finished();
        static_cast<void>(no_class(of));
        return of_nobody<end_reason>();
    }
    /// The same for lives that have begun: `f(object, reference)`.
    [[nodiscard]] any_life_event<>& begun(which_class of) noexcept {
        if (in_trial()) return of_nobody<>();
        if (world_detail::world_class* const c = class_at(of)) return c->any_begun();
        static_cast<void>(no_class(of));
        return of_nobody<>();
    }

    /// Calls `f(object, reference, why)`, or less of it, when that life ends, once, where `object` is a lido::any_object. Otherwise as
    /// on_finished of a ref<T>.
    template <world_detail::unnamed_call F>
    life_connection on_finished(any_ref which, F&& f) {
        world_detail::world_class* const c = classes_.by_number(which.class_of());
        return c != nullptr ? c->connect(which.life(), world_detail::untyped_call(std::forward<F>(f)))
                            : life_connection{};
    }

    /// Nobody is called any more. False when the life has ended, or nobody listened.
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
        if (shared_.waiting_classes != 0) let_go([&](world_detail::world_class& c) { c.begin_tick(shared_.now); });
        calls_.tick(this);
        std::uint32_t budget = objects_a_tick_;
        kept_exception first;
        for_each_class([&](world_detail::world_class& c) {
            if (!c.built()) return;
            first.keep([&] { go_on_making(c, budget); });
            c.tick();
        });
        first.pass_on();
    }

    // --- ends that wait until they are certain (confirmed.hpp) ----------------------------------------------------------------

    /// Ticks that a game may roll back.
    [[nodiscard]] ticks rollback() const noexcept { return {shared_.rollback}; }

    /// No rollback will reach that tick any more: lives of classes that release on confirm, and that ended in it or before, are released.
    /// Hooks that run meanwhile may look at the world and change nothing of it: on another machine they run at another time.
    /// Not state: two machines that confirm at different times have equal hashes and give equal references.
    void confirm(ticks last) noexcept {
        if (busy()) {
            tell_reentrant("confirm() was called from inside a hook, listener or timer; nothing was confirmed");
            return;
        }
        let_go([last](world_detail::world_class& c) { c.confirm(last); });
    }

    /// Everything that waits is released, as if the whole past were certain: before a restore that goes back further than
    /// the rollback window, such as a loaded game.
    void confirm_all() noexcept {
        if (busy()) {
            tell_reentrant("confirm_all() was called from inside a hook, listener or timer; nothing was confirmed");
            return;
        }
        let_go([](world_detail::world_class& c) { c.let_all_go(); });
    }

    /// Which birth that life is; zero where its class does not release on confirm, and for a life that has ended.
    [[nodiscard]] spawn_key key_of(any_ref which) const noexcept {
        const world_detail::world_class* const c = classes_.by_number(which.class_of());
        return c != nullptr ? c->key_of(which.life()) : spawn_key{};
    }

    /// While the result lives, what is spawned has `who` as its spawner in its spawn_key. Waiting calls of a life do that by themselves;
    /// what a hook spawns is of whoever spawned its object.
    [[nodiscard]] world_detail::acting_scope acting(any_ref who) noexcept {
        return world_detail::acting_scope(shared_, who);
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

    /// Calls `f()` after so many ticks of the world, whatever lives then. Null, and told, when there is no room for it.
    template <class F>
        requires(std::is_invocable_v<const std::decay_t<F>&>)
    waiting_call after(ticks in, F&& f) {
        using held = std::decay_t<F>;
        static_assert(sizeof(held) <= 32,
                      "lido: this callable captures more than 32 bytes: capture one pointer to a struct instead");
        if (stays("after()")) return {};
        return waits_or_told(calls_.start(in, [call = held(std::forward<F>(f))](void*) { call(); }));
    }
    /// Calls `f(object, reference)`, `f(object)` or `f()` after so many ticks of its class, if that life still lives then, where `object` is
    /// a lido::any_object.
    template <world_detail::unnamed_call F>
    waiting_call after(any_ref which, ticks in, F&& f) {
        world_detail::world_class* const c = classes_.by_number(which.class_of());
        if (c == nullptr || !c->lives(which.life())) return {};
        return {which.class_of(), c->call_after(which.life(), in, world_detail::untyped_call(std::forward<F>(f)))};
    }

    // --- calls that have a name: they wait and listen as any, and an image of the world can hold them (named_calls.hpp) -----------

    /// Gives a name to a call of lives of an `Of`, or, where Of is the world's own type, of the world itself: `f(object, reference, why)`
    /// or `f(world)`, or fewer of these. Where it is bound to something, that comes last: name_call<door, push>("push", f) with
    /// `f(door&, const push&)`. It captures one pointer or reference at most.
    /// Refused, with the reason: a name that is given already.
    template <class Of, class With = void, class F>
    named_call_result name_call(std::string_view name, F&& f) {
        using held = std::decay_t<F>;
        std::string why;
        if constexpr (std::is_void_v<With>) {
            why = shared_.names.add(world_detail::make_named_call<Of, held>(name, held(std::forward<F>(f))));
        } else {
            why = shared_.names.add(world_detail::make_named_call<Of, held, With>(name, held(std::forward<F>(f))));
        }
        return {why.empty(), std::move(why)};
    }

    /// The same as with a lambda, by the call's name. Null, and told, when there is no such call, or it is of another type or bound to
    /// another.
    life_connection on_finished(any_ref which, const named& call) {
        world_detail::world_class* const c = classes_.by_number(which.class_of());
        if (c == nullptr || !which) return {};
        const world_detail::named_call* const found = call_named(call, c);
        return found != nullptr ? c->connect(which.life(), found->bound_to(call.data().data()), found->id)
                                : life_connection{};
    }
    waiting_call after(any_ref which, ticks in, const named& call) {
        world_detail::world_class* const c = classes_.by_number(which.class_of());
        if (c == nullptr || !which) return {};
        const world_detail::named_call* const found = call_named(call, c);
        if (found == nullptr || !c->lives(which.life())) return {};
        return {which.class_of(), c->call_after(which.life(), in, found->bound_to(call.data().data()), found->id)};
    }
    waiting_call after(ticks in, const named& call) {
        const world_detail::named_call* const found = call_named(call, nullptr);
        if (found == nullptr || stays("after()")) return {};
        return waits_or_told(calls_.start(in, found->bound_to(call.data().data()), found->id));
    }

    /// False when it was made or cancelled before.
    bool cancel(waiting_call which) noexcept {
        if (which.of == waiting_call::of_world) return !stays("cancel()") && calls_.cancel(which.timer);
        world_detail::world_class* const c = classes_.by_number(which.of);
        return c != nullptr && c->cancel_call(which.timer);
    }

    /// Lifetimes and calls of a class stand still.
    template <class T>
    void pause(bool on = true) noexcept {
        if (stays("pause()")) return;
        for_each_class(type_id<T>(), [on](world_detail::world_class& c) { c.clock().pause(on); });
    }
    void pause(which_class of, bool on = true) noexcept {
        if (stays("pause()")) return;
        if (world_detail::world_class* const c = class_at(of)) c->clock().pause(on);
    }

    /// `{1, 4}`: a quarter of the world's speed. Pre: scale.per is not 0.
    template <class T>
    void set_time_scale(time_scale scale) noexcept {
        if (stays("set_time_scale()")) return;
        for_each_class(type_id<T>(), [scale](world_detail::world_class& c) { c.clock().set_scale(scale); });
    }
    void set_time_scale(which_class of, time_scale scale) noexcept {
        if (stays("set_time_scale()")) return;
        if (world_detail::world_class* const c = class_at(of)) c->clock().set_scale(scale);
    }

    // --- memory ------------------------------------------------------------------------------------------------------------

    /// Destroys idle objects of T but `keep_idle`, and gives pages back. Returns their bytes. settings.trim does it by itself.
    template <class T>
    std::size_t trim(std::uint32_t keep_idle = 0) noexcept {
        std::size_t bytes = 0;
        for_each_class(type_id<T>(), [&](world_detail::world_class& c) { bytes += c.trim(keep_idle); });
        return bytes;
    }
    std::size_t trim(which_class of, std::uint32_t keep_idle = 0) noexcept {
        world_detail::world_class* const c = class_at(of);
        return c != nullptr ? c->trim(keep_idle) : 0;
    }

    /// Checks the invariants of every class. Complexity: O(slots). Pre: not called from inside a hook.
    [[nodiscard]] verdict validate() const noexcept {
        if (const verdict v = calls_.validate(); !v) return v;
        for (const world_detail::world_class* const c : classes_.living()) {
            if (const verdict v = c->validate(); !v) return v;
        }
        return {};
    }

protected:
    friend struct world_detail::world_rewind;
    friend struct world_detail::world_image;
    friend struct owning::access;

    world_base(role as, world_settings how) : role_(as) {
        shared_.classes = &classes_;
        shared_.rollback = how.rollback;
    }

    /// Ends every life, with its hooks. What was still active is reported as each class's settings.leaks says: call end() before
    /// where that is as it should be.
    ~world_base() {
        for_each_class([](const world_detail::world_class& c) { c.report_active(); });
        static_cast<void>(end_everything());
    }

    /// Hooks that run in `f` find the world as a save leaves it: to be looked at.
    template <class F>
    void let_go(F&& f) noexcept {
        const world_detail::world_rewind::closed<world_base> meanwhile(*this);
        for_each_class(f);
    }
    void let_go_of(world_detail::world_class& c) noexcept {
        const world_detail::world_rewind::closed<world_base> meanwhile(*this);
        c.let_all_go();
    }

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

    [[nodiscard]] world_detail::world_class* class_at(which_class of) const noexcept {
        return of.by_name() ? classes_.by_name(of.name()) : classes_.by_number(of.number());
    }
    [[nodiscard]] static class_info info_of(const world_detail::world_class* c) noexcept {
        if (c == nullptr) return {};
        return {c->number(), class_id_of(c->name()), c->name(), c->type(), c->type_id()};
    }

    template <class F>
    void walk(which_class of, F&& f) {
        world_detail::world_class* const c = class_at(of);
        if (c == nullptr) return;
        using function = std::remove_reference_t<F>;
        c->walk(std::addressof(f),
                [](void* to, any_object object, any_ref which) { (*static_cast<function*>(to))(object, which); });
    }

    /// Hooks of an object that is made for a reset check ask.
    [[nodiscard]] bool in_trial() const noexcept {
        if (shared_.trial) shared_.asked = true;
        return shared_.trial;
    }
    /// For who connects to a class that is not there, and for a fresh object that is made for a reset check: its connection would be a second.
    template <class... More>
    [[nodiscard]] static any_life_event<More...>& of_nobody() noexcept {
        static thread_local any_life_event<More...> event;
        event.disconnect_all();
        return event;
    }

    /// Null, and told, when it is not there, or is of another type.
    [[nodiscard]] world_detail::world_class* class_at(which_class of, const world_detail::object_type& type) const {
        world_detail::world_class* const c = class_at(of);
        if (c == nullptr) {
            static_cast<void>(no_class(of));
        } else if (c->type_id() != type.id) {
            unknown_class("the class " + c->shown_name() + " is of the type " + std::string(c->type()) + ", not " +
                          std::string(type.name));
            return nullptr;
        }
        return c;
    }
    /// The class of type T. Null, and told, when there is none, or there are several.
    template <class T>
    [[nodiscard]] world_detail::world_class* only() const {
        world_detail::world_class* const c = classes_.only_of_type(type_id<T>());
        if (c == nullptr) static_cast<void>(no_only_class(world_detail::type_of<T>));
        return c;
    }
    template <class T>
    [[nodiscard]] static class_key<T> key_of(const world_detail::world_class* c) noexcept {
        return c != nullptr && c->type_id() == type_id<T>() ? class_key<T>(c->number()) : class_key<T>();
    }

    /// A hook, listener or waiting call of any class is on the stack.
    [[nodiscard]] bool busy() const noexcept {
        if (shared_.busy != 0 || calls_.busy()) return true;
        for (const world_detail::world_class* const c : classes_.living()) {
            if (c->busy()) return true;
        }
        return false;
    }

    /// Those that are added meanwhile, too. None is removed meanwhile but one of these whose add has failed.
    template <class F>
    void for_each_class(F&& f) {
        for (std::size_t i = 0; i < classes_.living().size(); ++i) f(*classes_.living()[i]);
    }
    template <class F>
    void for_each_class(std::uint64_t type, F&& f) {
        for_each_class([type, &f](world_detail::world_class& c) {
            if (c.type_id() == type) f(c);
        });
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
        if (shared_.closed != 0)
            return;  // by a copy or a hook in a restore: what it asked for is refused as the world's other classes do
        start_report report;
        build_all({.objects_a_tick = objects_a_tick_}, report);
        kept_exception left_to_the_tick;
        for_each_class([&](world_detail::world_class& c) { left_to_the_tick.keep([&] { make_ahead(c); }); });
    }

    /// What is left to do after the restore of an image that is older than the program. Throws: what constructors and hooks throw.
    void settle_lasting(const owning::lasting_notes& notes) {
        for (const std::string& name : notes.dropped) static_cast<void>(return_all(which_class(name)));
        for (const std::string& name : notes.fresh) {
            world_detail::world_class* const c = classes_.by_name(name);
            if (!started_ || c == nullptr || c->built()) continue;
            if (build(*c).empty()) make_ahead(*c);
        }
    }

    /// The pools of all classes, before any object is made: constructors may spawn objects of any class. Throws: std::bad_alloc; the world has
    /// not started then, and the next start builds those that are left.
    void build_all(start_options how, start_report& report) {
        objects_a_tick_ = how.objects_a_tick;
        for_each_class([&](world_detail::world_class& c) {
            if (std::string why = c.built() ? std::string() : build(c); why.empty()) {
                report.built.push_back(c.name());
            } else {
                report.skipped.push_back({c.name(), std::move(why)});
            }
        });
        started_ = true;
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
        // Ends in a class that was added in this tick are of this tick, and not of the first.
        if (c.waits_for_confirm()) c.begin_tick(shared_.now);
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
        budget = c.go_on_prewarming(all);
    }

    /// All lives first, as at the end of the world. `of` is for who asks for none.
    end_report remove(std::span<world_detail::world_class* const> all, which_class of) {
        if (busy()) {
            tell_reentrant("remove() was called from inside a hook, listener or timer: call it between ticks");
            return {.classes = {}, .refused = true};
        }
        end_report report;
        if (all.empty()) static_cast<void>(no_class(of));
        for (world_detail::world_class* const c : all) {
            if (!c->owned() || layer_ == nullptr) continue;
            tell_reentrant("remove() was asked for a class of entities; they go with their stage");
            return {.classes = {}, .refused = true};
        }
        for (world_detail::world_class* const c : all) {
            if (c->active() != 0) report.classes.push_back({c->name(), c->active()});
            c->set_open(false);
        }
        for (world_detail::world_class* const c : all) c->end_all(end_reason::its_class);
        for (world_detail::world_class* const c : all) {
            if (c->waits_for_confirm()) let_go_of(*c);
        }
        const world_detail::busy_world while_destroying(shared_);
        for (world_detail::world_class* const c : all) classes_.remove(c->number());
        return report;
    }

    end_report end_everything() {
        end_report report;
        for (world_detail::world_class* const c : classes_.living()) {
            c->set_open(false);
            if (c->active() != 0) report.classes.push_back({c->name(), c->active()});
        }
        // All lives first, then all classes: a listener may look at objects of other classes. None is added any more, whose lives
        // would go without their hooks.
        const world_detail::busy_world while_ending(shared_);
        for_each_class([](world_detail::world_class& c) { c.end_all(end_reason::its_world); });
        if (shared_.waiting_classes != 0) let_go([](world_detail::world_class& c) { c.let_all_go(); });
        if (layer_ != nullptr) std::exchange(layer_, nullptr)->world_ends();
        while (!classes_.living().empty()) classes_.remove(classes_.living().front()->number());
        calls_.clear();
        return report;
    }

    [[nodiscard]] static class_stats stats_of(const world_detail::world_class* c) noexcept {
        return c != nullptr ? c->stats() : class_stats{};
    }

    LIDO_COLD spawn_refusal no_class(which_class of) const {
        unknown_class("there is no class " +
                      (of.by_name() ? world_detail::printable(of.name()) : "number " + std::to_string(of.number())) +
                      " in this world; add it first. There are: " + classes_.names());
        return spawn_refusal::no_class;
    }
    LIDO_COLD spawn_refusal no_class_numbered(class_number n) {
        const world_detail::world_class* const c = classes_.by_number(n);
        unknown_class("a life was to begin under a reference to class number " + std::to_string(n) +
                      (c != nullptr ? ", which is " + c->shown_name() + ", of the type " + std::string(c->type())
                                    : ", which this world does not have") +
                      "; make references with the number that add() returned");
        return spawn_refusal::no_class;
    }
    /// A call that is about one class of a type was asked of a type that has none, or several.
    LIDO_COLD spawn_refusal no_only_class(const world_detail::object_type& type) const {
        if (classes_.first_of_type(type.id) == nullptr) return no_class(type.name);
        last_error_ = std::string(type.name) + " is the type of the classes " + classes_.names_of_type(type.id) +
                      "; say which, by its name or by the key that add() returned";
        report_misuse({.kind = world_misuse::ambiguous_class,
                       .pool = "world",
                       .what = last_error_.c_str(),
                       .kind_name = "ambiguous class"});
        return spawn_refusal::ambiguous_class;
    }
    LIDO_COLD void unknown_class(std::string what) const {
        last_error_ = std::move(what);
        report_misuse({.kind = world_misuse::unknown_class,
                       .pool = "world",
                       .what = last_error_.c_str(),
                       .kind_name = "unknown class"});
    }

    /// The settings of a class that is being added. What is wrong with those that were kept for it is told, and none of them applied.
    [[nodiscard]] std::string take_kept_settings(world_detail::world_class& c) {
        class_settings settings = c.settings();
        std::string wrong = kept_settings_.overlay_onto(c, settings);
        if (wrong.empty()) {
            c.set_settings(settings);
            return wrong;
        }
        last_error_ = wrong + "; nothing that was kept for the class is applied";
        report_misuse({.kind = misuse_kind::bad_setting, .pool = c.shown_name().c_str(), .what = last_error_.c_str()});
        return last_error_;
    }

    /// An object was to be returned by a type that no class has.
    LIDO_COLD void no_class_of(std::string_view type, const void* object) noexcept {
        std::string what = std::string(type) + " is no class of this world";
        for_each_class([&](const world_detail::world_class& c) {
            if (c.life_at(object) != 0) what += "; the object is a " + std::string(c.type());
        });
        unknown_class(what + "; return an object by its own type, or by its reference");
    }

    [[nodiscard]] waiting_call waits_or_told(std::uint64_t timer) {
        if (timer != 0) return {waiting_call::of_world, timer};
        report_misuse({.kind = misuse_kind::no_memory,
                       .pool = "world",
                       .what = "there is no room for a call that waits; nothing will be called"});
        return {};
    }

    /// The call, for a life of that class, or, null, for the world. Null, and told, when it cannot be.
    [[nodiscard]] const world_detail::named_call* call_named(const named& call, const world_detail::world_class* of) {
        const world_detail::named_call* const found = shared_.names.find(call.name());
        if (found != nullptr && found->of_type == (of != nullptr ? of->type_id() : 0) &&
            found->bound_type == call.bound_type()) [[likely]]
            return found;
        no_call(call, found, of);
        return nullptr;
    }
    LIDO_COLD void no_call(const named& call, const world_detail::named_call* found,
                           const world_detail::world_class* of) {
        const std::string name = world_detail::printable(call.name());
        if (found == nullptr) {
            last_error_ = "there is no call " + name + " in this world; give it that name with name_call() first";
        } else if (found->of_type != (of != nullptr ? of->type_id() : 0)) {
            last_error_ = "the call " + name + " is of " +
                          (found->of_world() ? std::string("the world") : std::string(found->type_name)) +
                          ", and was to be called for " + (of != nullptr ? "a life of " + shown(*of) : "the world");
        } else {
            last_error_ = "the call " + name +
                          " is bound to another type, or to nothing; lido::named{name, what} binds "
                          "what name_call<class, type of what>() says";
        }
        report_misuse({.kind = world_misuse::unknown_call,
                       .pool = "world",
                       .what = last_error_.c_str(),
                       .kind_name = "unknown call"});
    }
    [[nodiscard]] static std::string shown(const world_detail::world_class& c) {
        return c.shown_name() + ", which is of the type " + std::string(c.type());
    }

    /// What is asked of the world itself, and of clocks, while what runs may only look: it is told so. Hooks that run once more for the
    /// reset check (reset_trial.hpp) are refused, too, and nothing is said.
    [[nodiscard]] bool stays(const char* asked) noexcept {
        if (shared_.closed == 0 && !shared_.trial) [[likely]]
            return false;
        return tell_closed(asked);
    }
    LIDO_COLD bool tell_closed(const char* asked) {
        if (shared_.trial) {
            shared_.asked = true;
            return true;
        }
        last_error_ = std::string(asked) +
                      " was called while the world is saved, restored, hashed or confirmed; it did nothing: call it "
                      "before or after that";
        report_misuse({.kind = misuse_kind::reentrant_call, .pool = "world", .what = last_error_.c_str()});
        return true;
    }
    LIDO_COLD void tell_reentrant(const char* what) {
        last_error_ = what;
        report_misuse({.kind = misuse_kind::reentrant_call, .pool = "world", .what = what});
    }

    static constexpr std::uint32_t everything = (std::numeric_limits<std::uint32_t>::max)();

    world_detail::class_table classes_;
    world_detail::world_shared shared_;
    world_detail::world_calls calls_;
    world_detail::kept_settings kept_settings_;
    owning::layer* layer_ = nullptr;
    std::uint32_t objects_a_tick_ = 0;
    role role_;
    bool started_ = false;
    mutable std::string last_error_;
    mutable std::string image_refusal_;  ///< the results of saves and restores point at it
};

}  // namespace lido
