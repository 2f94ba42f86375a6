// A class of a world without its C++ type: what the world does to all of them alike, and the parts that need no type.
//
//   world_class            name, settings, timers, listeners, clock
//     placed_class<Tr>     spawn by name: where is a Tr
//       class_pool<T, Tr>  the objects (class_pool.hpp)
#pragma once

#include <lido/core/checks/place.hpp>
#include <lido/core/config.hpp>
#include <lido/core/meta/hash.hpp>
#include <lido/core/misuse.hpp>
#include <lido/core/options.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/section.hpp>
#include <lido/core/stats.hpp>
#include <lido/world/any_life_event.hpp>
#include <lido/world/any_object.hpp>
#include <lido/world/beginning.hpp>
#include <lido/world/class_clock.hpp>
#include <lido/world/class_id.hpp>
#include <lido/world/class_settings.hpp>
#include <lido/world/confirmed.hpp>
#include <lido/world/life.hpp>
#include <lido/world/life_listeners.hpp>
#include <lido/world/named_calls.hpp>
#include <lido/world/payload.hpp>
#include <lido/world/spawned.hpp>
#include <lido/world/trim_watch.hpp>
#include <lido/world/world_record.hpp>
#include <lido/world/world_reports.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lido {

/// What a class counts beside its pool. Part of a rewind.
struct class_counters {
    std::uint64_t spawned = 0;
    std::uint64_t returned = 0;   ///< lives ended, whichever way
    std::uint64_t expired = 0;    ///< of these: by their lifetime
    std::uint64_t replaced = 0;   ///< of these: to make room
    std::uint64_t destroyed = 0;  ///< of these: for good, by destroy()
    std::uint64_t refused = 0;    ///< spawns without an object, for any reason but a merge
    std::uint64_t merged = 0;
    std::uint64_t stale_ends = 0;  ///< ends asked for lives that had ended: they did nothing
    std::uint64_t called_off = 0;  ///< lives that a hook which threw, or a lack of memory, kept from beginning
};

/// All that can be asked of a class by number or name.
struct class_stats {
    std::string_view name;
    std::string_view type;
    bool built = false;
    pool_stats pool;
    class_counters counters;
    std::uint32_t timers = 0;      ///< lifetimes and calls that are waiting
    std::uint32_t listeners = 0;   ///< of single lives
    std::uint32_t to_prewarm = 0;  ///< objects that a sliced start has still to make
    bool paused = false;
    time_scale scale = {};
};

namespace world_detail {

class class_table;
class written_names;
struct image_of;
struct image_verdict;

/// What all classes of a world share.
struct world_shared {
    ticks now = {};
    source_place from = {};  ///< who called the world, where that is not handed down
    const class_table* classes = nullptr;
    named_calls names;
    /// Code of the program may run of which no class knows: copies of objects, and objects of a class that is gone from the table.
    mutable std::uint32_t busy = 0;
    /// What runs may only look: it is saved, restored, hashed or confirmed.
    mutable std::uint32_t closed = 0;
    any_ref acting;                     ///< whose spawns these are (spawn_key)
    std::uint32_t rollback = 0;         ///< ticks that a game may roll back
    std::uint32_t waiting_classes = 0;  ///< that release on confirm
    bool trial = false;          ///< hooks of an object outside of the world run: they are told no (reset_trial.hpp)
    mutable bool asked = false;  ///< and they have asked
    bool restoring = false;      ///< objects of now go, and those of a save come
};

/// Spawns are of that life while it lives.
class acting_scope {
public:
    acting_scope(world_shared& shared, any_ref who) noexcept
        : shared_(shared), before_(std::exchange(shared.acting, who)) {}
    acting_scope(const acting_scope&) = delete;
    acting_scope& operator=(const acting_scope&) = delete;
    ~acting_scope() { shared_.acting = before_; }

private:
    world_shared& shared_;
    any_ref before_;
};

/// The world is busy while it lives.
class busy_world {
public:
    explicit busy_world(const world_shared& shared) noexcept : shared_(shared) { ++shared_.busy; }
    busy_world(const busy_world&) = delete;
    busy_world& operator=(const busy_world&) = delete;
    ~busy_world() { --shared_.busy; }

private:
    const world_shared& shared_;
};

/// The world is busy while it lives, and what is the world's own, or of a class's clock, stays as it is.
class closed_world {
public:
    explicit closed_world(const world_shared& shared) noexcept : busy_(shared), shared_(shared) { ++shared_.closed; }
    closed_world(const closed_world&) = delete;
    closed_world& operator=(const closed_world&) = delete;
    ~closed_world() { --shared_.closed; }

private:
    busy_world busy_;
    const world_shared& shared_;
};

class world_class : public life_owner {
public:
    /// Trivially copyable: saved as bytes.
    struct running_state {
        class_clock clock;
        trim_watch watch;
        class_counters counters;
        std::uint32_t to_prewarm = 0;  ///< objects that should wait, of a start that is under way; 0: none is
        std::uint32_t asked = 0;       ///< the latest such number
    };

    virtual ~world_class() = default;

    [[nodiscard]] class_number number() const noexcept final { return number_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// For messages.
    [[nodiscard]] const std::string& shown_name() const noexcept { return shown_name_; }
    [[nodiscard]] const object_type& what() const noexcept { return type_; }
    [[nodiscard]] std::string_view type() const noexcept { return type_.name; }
    [[nodiscard]] std::uint64_t type_id() const noexcept { return type_id_; }
    [[nodiscard]] const class_settings& settings() const noexcept { return settings_; }
    [[nodiscard]] class_clock& clock() noexcept { return state_.clock; }
    [[nodiscard]] const class_clock& clock() const noexcept { return state_.clock; }

    // --- building ----------------------------------------------------------------------------------------------------------

    /// Empty when a class of this type can have these settings; else one sentence.
    [[nodiscard]] virtual std::string check(const class_settings& settings) const = 0;
    /// Makes the pool, without objects. False when there is no memory for it.
    virtual bool build() = 0;
    [[nodiscard]] virtual bool built() const noexcept = 0;
    /// Pre: not built.
    void set_settings(const class_settings& settings) noexcept { settings_ = settings; }
    /// Those of a class that may be built already. Pre: configure() has found nothing against them.
    virtual void change(const class_settings& to) = 0;
    /// Numbers of objects: at once, at the most, and that there is address space for. Zeros for a class that is not built.
    struct running_room {
        std::uint32_t first = 0;
        std::uint32_t most = 0;
        std::uint32_t reserved = 0;
    };
    [[nodiscard]] virtual running_room room() const noexcept = 0;

    /// Makes up to `most` of the objects that are asked for ahead, and counts it down. Returns how many are left.
    virtual std::uint32_t prewarm_some(std::uint32_t target, std::uint32_t& most) = 0;
    void ask_prewarm(std::uint32_t target) noexcept { state_.to_prewarm = state_.asked = target; }
    /// Goes on with what was asked for; returns how many more could have been made.
    std::uint32_t go_on_prewarming(std::uint32_t most) {
        if (state_.to_prewarm != 0 && prewarm_some(state_.to_prewarm, most) == 0) state_.to_prewarm = 0;
        return most;
    }

    // --- lives, by their bits ------------------------------------------------------------------------------------------------

    /// The object of a life, and what is kept of it. Nulls for a life that has ended.
    struct found_life {
        void* object = nullptr;
        life_record* record = nullptr;
    };
    /// To end or change it: nothing is found in the middle of a save or restore.
    [[nodiscard]] virtual found_life find_life(std::uint64_t life) noexcept = 0;
    /// To look at it: a save allows that.
    [[nodiscard]] virtual found_life look_at(std::uint64_t life) noexcept = 0;

    /// For who only looks; false when the life has ended.
    [[nodiscard]] any_object object(std::uint64_t life) noexcept {
        void* const there = look_at(life).object;
        return there != nullptr ? any_object(there, type_) : any_object();
    }
    [[nodiscard]] life_state state_of(std::uint64_t life) const noexcept {
        const life_record* const r = const_cast<world_class*>(this)->look_at(life).record;
        if (r != nullptr) return r->life.state();
        return end_waits(life) ? life_state::waiting : life_state::idle;
    }
    [[nodiscard]] bool lives(std::uint64_t life) const noexcept final { return state_of(life) == life_state::active; }
    bool set_lifetime(std::uint64_t life, ticks from_now) {
        life_record* const r = find_life(life).record;
        if (r == nullptr || !r->life.active()) return false;
        wheel_.cancel(std::exchange(r->lifetime, {}));
        if (from_now.count == 0 || start_lifetime(*r, life, from_now)) return true;
        tell_no_room("there is no room for the timer of a lifetime; the life has none");
        return false;
    }
    [[nodiscard]] ticks lifetime_left(std::uint64_t life) const noexcept {
        const life_record* const r = const_cast<world_class*>(this)->look_at(life).record;
        return r != nullptr ? wheel_.left(r->lifetime) : ticks{};
    }
    [[nodiscard]] life_connection connect(std::uint64_t life, const life_call& call, class_id name = 0) {
        life_listeners::list* const of = listened(life);
        if (of == nullptr) return {};
        const life_listeners::node_handle added = listeners_.connect(*of, life, call, name);
        if (!added) tell_no_room("there is no room for a listener of a life; nobody will be called at its end");
        return {number_, added.to_bits()};
    }
    bool disconnect(std::uint64_t listener) noexcept {
        const auto which = life_listeners::node_handle::from_bits(listener);
        life_record* const r = find_life(listeners_.life_of(which)).record;
        if (r == nullptr) return false;
        listeners_.drop(r->finished, which);
        return true;
    }
    [[nodiscard]] virtual std::uint32_t active() const noexcept = 0;
    /// Tells the slot and generation of every life, in slot order: for tools that show slots.
    virtual void each_slot(void* to, void (*tell)(void*, std::uint32_t slot, std::uint32_t generation)) const = 0;
    /// Ends those that are active now; not those that listeners spawn meanwhile. Returns how many it ended.
    std::uint32_t end_all(end_reason why) {
        if (!reachable_) note_asked();
        if (!reachable_ || active() == 0) return 0;
        std::vector<std::uint64_t> all = std::exchange(scratch_, {});
        all.clear();
        each_slot(&all, [](void* to, std::uint32_t slot, std::uint32_t generation) {
            static_cast<std::vector<std::uint64_t>*>(to)->push_back(life_bits::of(slot, generation).to_bits());
        });
        std::uint32_t count = 0;
        for (const std::uint64_t life : all) {
            if (state_of(life) == life_state::active && end(shared_.from, life, why)) ++count;
        }
        scratch_ = std::move(all);
        return count;
    }
    /// The life of the active object at that address; 0 when none is there.
    [[nodiscard]] virtual std::uint64_t life_at(const void* address) const noexcept = 0;

    /// Calls `visit(to, object, reference)` for each active object, as class_pool::for_each does.
    virtual void walk(void* to, void (*visit)(void* to, any_object object, any_ref which)) = 0;
    [[nodiscard]] virtual any_life_event<end_reason>& any_finished() noexcept = 0;
    [[nodiscard]] virtual any_life_event<>& any_begun() noexcept = 0;

    /// A call for a life that lives. Null for one that does not, and, told, when there is no room for it.
    [[nodiscard]] std::uint64_t call_after(std::uint64_t life, ticks in, const life_call& call, class_id name = 0) {
        life_listeners::list* const of = listened(life);
        if (of == nullptr) return 0;
        const life_listeners::node_handle kept = listeners_.connect(*of, life, call, name);
        const world_wheel::timer timer = kept ? wheel_.start(in, life, kept) : world_wheel::timer{};
        if (timer) {
            listeners_.wait_for(kept, timer.to_bits());
        } else {
            if (kept) listeners_.drop(*of, kept);
            tell_no_room("there is no room for a call that waits; nothing will be called");
        }
        return timer.to_bits();
    }
    bool cancel_call(std::uint64_t bits) noexcept {
        if (!reachable_) {
            note_asked();
            return false;
        }
        const auto timer = world_wheel::timer::from_bits(bits);
        const world_timer* const found = wheel_.find(timer);
        if (found == nullptr || !found->call) return false;
        listeners_.drop(*list_of(found->life), found->call);
        return wheel_.cancel(timer);
    }

    // --- time --------------------------------------------------------------------------------------------------------------

    /// A tick of the world.
    void tick() {
        for (std::uint32_t steps = state_.clock.advance(); steps != 0 && !state_.clock.paused(); --steps) {
            wheel_.advance([this](world_wheel::timer, const world_timer& timer) { expire(timer); });
        }
        if (idle_surplus_) [[unlikely]]
            idle_surplus_ = trim_towards(std::uint64_t{active()} + settings_.idle_cap);
        const std::uint64_t keep = state_.watch.tick(active(), settings_.trim);
        // What was asked for ahead, and what a start is still making, is not surplus.
        if (keep != trim_watch::no_limit && state_.to_prewarm == 0)
            static_cast<void>(trim_towards((std::max)(keep, std::uint64_t{settings_.prewarm})));
    }

    virtual std::size_t trim(std::uint32_t keep_idle) noexcept = 0;

    // --- ends that wait until they are certain (confirmed.hpp) ----------------------------------------------------------------

    [[nodiscard]] virtual bool waits_for_confirm() const noexcept = 0;
    virtual void begin_tick(ticks now) noexcept = 0;
    virtual void confirm(ticks last) noexcept = 0;
    virtual void let_all_go() noexcept = 0;
    /// Its slot is not free yet, because a rollback may reach its end.
    [[nodiscard]] virtual bool end_waits(std::uint64_t life) const noexcept = 0;
    /// Its objects are a layer's above the world (owned_class.hpp).
    [[nodiscard]] virtual bool owned() const noexcept = 0;
    /// Zero for a life that is gone, and where ends do not wait.
    [[nodiscard]] virtual spawn_key key_of(std::uint64_t life) const noexcept = 0;

    // --- the end -----------------------------------------------------------------------------------------------------------

    /// Spawns are refused from here, or taken again.
    void set_open(bool on) noexcept {
        takes_given_ = on && built();
        open_ = takes_given_ && settings_.references == references::own;
    }
    [[nodiscard]] bool open() const noexcept { return open_; }
    /// A spawn that the world itself refused.
    void count_refused() noexcept {
        if (!in_trial()) ++state_.counters.refused;
    }
    /// Nothing of it is found, and nothing spawned, as long as it is.
    void set_in_trial(bool on) noexcept {
        if (on) {
            hold();
            readable_ = false;
        } else {
            release_hold();
        }
    }
    /// Nothing begins or ends here until as many release_hold(), whatever copies and codecs of objects ask for; lives may be looked at. One
    /// inside another: the hash of an object may ask for that of its world.
    void hold() noexcept {
        if (holds_++ != 0) return;
        was_open_ = takes_given_;
        was_reachable_ = reachable_;
        open_ = takes_given_ = reachable_ = false;
    }
    void release_hold() noexcept {
        if (--holds_ != 0) return;
        set_open(was_open_);
        reachable_ = readable_ = was_reachable_;
    }
    /// One of its hooks, listeners or waiting calls is on the stack.
    [[nodiscard]] bool busy() const noexcept { return depth_ != 0; }
    /// As if one were.
    void set_busy(bool on) noexcept { depth_ += on ? 1 : ~std::uint32_t{0}; }
    virtual void report_active() const noexcept = 0;

    [[nodiscard]] virtual class_stats stats() const noexcept = 0;
    [[nodiscard]] virtual verdict validate() const noexcept = 0;

    // --- rewind (world_rewind.hpp): a class fills `sections` sections ---------------------------------------------------------

    static constexpr std::size_t sections = 4;
    [[nodiscard]] virtual bool savable() const noexcept = 0;
    [[nodiscard]] virtual bool hashable() const noexcept = 0;
    [[nodiscard]] virtual bool save(std::span<section> to) const = 0;
    /// `saved_before_start`: of a world that had built nothing. `may_build`: this role has the class, if it is not built.
    [[nodiscard]] virtual restore_result stage(std::span<const section> from, bool saved_before_start,
                                               bool may_build) = 0;
    /// The objects first, in all classes: hooks of undone lives run there, and whatever they change is set right by settle().
    virtual void commit() noexcept = 0;
    virtual void settle() noexcept = 0;
    /// Nobody finds its lives, or they are found again.
    void set_reachable(bool on) noexcept { reachable_ = readable_ = on && built(); }
    /// What stage() or read() made ready is not needed.
    virtual void unstage() noexcept = 0;
    /// Objects learn of their class anew: they came from an image, which knows no class but by name.
    virtual void tell_lives() noexcept = 0;
    virtual void hash(hasher& h) const = 0;

    // --- image (world_image.hpp) ------------------------------------------------------------------------------------------------

    /// Empty, or why the class cannot be written as it is now. Notes the names of its calls.
    [[nodiscard]] virtual std::string find_names(written_names& names) const = 0;
    virtual void write(image_writer& w) const = 0;
    /// As stage(), from bytes that may be hostile; commit() and settle() follow.
    [[nodiscard]] virtual image_verdict read(image_reader& r, const image_of& image) = 0;
    /// The same where the image has no such class: commit() leaves it as it was before build().
    virtual void read_nothing() = 0;
    void set_number(class_number n) noexcept { number_ = n; }

    /// True once: that its objects are not in the hash is told once.
    [[nodiscard]] bool tell_unhashable() const noexcept { return !std::exchange(told_unhashable_, true); }

protected:
    world_class(world_shared& shared, class_number number, std::string name, const object_type& type,
                const class_settings& settings)
        : number_(number),
          type_id_(type.id),
          settings_(settings),
          shared_(shared),
          name_(std::move(name)),
          shown_name_(printable(name_)),
          type_(type) {}

    /// Open, but for what runs right now: hold().
    [[nodiscard]] bool held() const noexcept { return holds_ != 0 && was_open_; }
    virtual void expire(const world_timer& timer) noexcept = 0;
    /// Of a life that has not come to rest. Null for others.
    [[nodiscard]] life_listeners::list* list_of(std::uint64_t life) noexcept {
        life_record* const r = find_life(life).record;
        return r != nullptr ? &r->finished : nullptr;
    }
    /// The same for one that is active.
    [[nodiscard]] life_listeners::list* listened(std::uint64_t life) noexcept {
        return state_of(life) == life_state::active ? list_of(life) : nullptr;
    }
    [[nodiscard]] bool start_lifetime(life_record& r, std::uint64_t life, ticks from_now) {
        r.lifetime = wheel_.start(from_now, life, life_listeners::node_handle{});
        return static_cast<bool>(r.lifetime);
    }
    /// Something was asked of a class that is closed.
    LIDO_COLD void note_asked() const noexcept {
        if (shared_.trial) shared_.asked = true;
    }
    /// During a trial what is asked of the world is refused and not counted.
    [[nodiscard]] bool in_trial() const noexcept {
        note_asked();
        return shared_.trial;
    }
    /// Drops what waits for a timer.
    [[nodiscard]] auto cancelling() noexcept {
        return [this](std::uint64_t timer) noexcept { wheel_.cancel(world_wheel::timer::from_bits(timer)); };
    }
    static constexpr const char* no_more_objects =
        "the class has as many objects as it reserved address space for; on_full = grow_to(n) reserves it for n, a "
        "capacity for twice as many";
    LIDO_COLD void tell_no_room(const char* what) const noexcept {
        report_misuse({.kind = misuse_kind::no_memory, .pool = shown_name_.c_str(), .what = what});
    }
    /// As many as one tick may. True while there are more than `keep`, active and idle, and some of them could go.
    virtual bool trim_towards(std::uint64_t keep) noexcept = 0;

    // What a spawn touches comes first.
    bool open_ = false;       ///< built, not being ended, and its references are its own
    bool reachable_ = false;  ///< built, and not in the middle of a save or restore
    bool readable_ = false;   ///< built, and not in the middle of a restore
    bool making_room_ = false;
    bool takes_given_ = false;   ///< built, and not being ended: lives may begin under given references
    bool idle_surplus_ = false;  ///< more wait than may: an idle_cap was lowered
    bool was_open_ = false;      ///< before the first hold()
    bool was_reachable_ = false;
    mutable bool told_unhashable_ = false;
    std::uint32_t depth_ = 0;  ///< hooks, listeners and waiting calls of this class on the stack
    std::uint32_t holds_ = 0;  ///< hold() without its release_hold()

private:
    class_number number_;
    std::uint64_t type_id_;

protected:
    class_settings settings_;
    running_state state_;
    world_shared& shared_;
    world_wheel wheel_{0, 0};  // until the class is built
    life_listeners listeners_;

private:
    /// Every class's handles have the same bits.
    using life_bits = life_listeners::node_handle;

    std::vector<std::uint64_t> scratch_;  ///< for end_all
    std::string name_;
    std::string shown_name_;
    const object_type& type_;
};

template <class Transform>
class placed_class : public world_class {
public:
    [[nodiscard]] virtual any_spawned spawn_any(const Transform& where, given_payload with, request wish) = 0;
    [[nodiscard]] virtual any_spawned spawn_any_under(std::uint64_t life, const Transform& where,
                                                      given_payload with) = 0;
    [[nodiscard]] virtual bool accepts(given_payload with) const noexcept = 0;
    /// By its type alone.
    [[nodiscard]] virtual bool fits(const payload& with) const noexcept = 0;
    /// The struct that it takes: "" for none, "any" for a class that looks itself.
    [[nodiscard]] virtual std::string_view takes() const noexcept = 0;

protected:
    using world_class::world_class;
};

}  // namespace world_detail
}  // namespace lido
