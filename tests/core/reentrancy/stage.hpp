// A stage for one pool: a call is made on it from inside of one of its own calls, and afterwards the pool is compared with a plain
// set of numbers.
//
//   act(shape::slot_pool, element::owner, {event::destructor, during::clear}, call::acquire)
//       builds a slot_pool, clears it, acquires from inside of the destructor of one element, and says what came of it
//
// Nothing here relies on a sanitizer. What is built and ended is kept in a list beside the memory of the pool, so that an object
// which is ended twice, built on top of another or seen half-built is noticed in every build. Elements are three pages large, so
// that a trim takes the memory of an object away that the pool has forgotten.
#pragma once

#include <lido/core/bytemap_pool.hpp>
#include <lido/core/capped_list.hpp>
#include <lido/core/column_pool.hpp>
#include <lido/core/dense_pool.hpp>
#include <lido/core/flag_column_pool.hpp>
#include <lido/core/flag_pool.hpp>
#include <lido/core/misuse.hpp>
#include <lido/core/recycle_pool.hpp>
#include <lido/core/recycled_list.hpp>
#include <lido/core/ring_pool.hpp>
#include <lido/core/slot_pool.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

namespace lido::test::reentrancy {

// --- the axes of the matrix ------------------------------------------------------------------------------------------------

enum class shape {
    slot_pool,
    flag_pool,
    dense_pool,
    column_pool,
    flag_column_pool,
    recycle_pool,
    recycled_list,
    ring_pool,
    capped_list,
    bytemap_pool
};
inline constexpr int shapes = 10;

/// An owner's destructor must run exactly once, and it can be copied and moved. What is plain is bytes, and has no destructor.
enum class element { owner, plain };

enum class call { acquire, release, release_if, clear, iterate, save, restore, trim, move };
inline constexpr int calls = 9;

/// Where the call comes from, and what was asked of the pool when it came.
enum class event { constructor, destructor, moved, on_evict, merge, victim, predicate, on_acquire, on_release };
enum class during { acquire, replace, release, release_if, clear, restore };
struct place {
    event from;
    during in;
};

enum class outcome {
    right,    ///< allowed: the pool is sound and agrees with a plain count, every life began and ended once
    refused,  ///< the call was refused and told; the rest is as above
    stops,    ///< builds with checks stop with a message; the others do not look
    faulty,   ///< anything else: a crash, a broken invariant, an object that is ended twice, lost or seen half-built
    none,     ///< there is no such call or no such place
};

[[nodiscard]] inline const char* to_string(shape s) {
    constexpr const char* names[] = {"slot_pool",    "flag_pool",     "dense_pool", "column_pool", "flag_column_pool",
                                     "recycle_pool", "recycled_list", "ring_pool",  "capped_list", "bytemap_pool"};
    return names[static_cast<int>(s)];
}
[[nodiscard]] inline const char* to_string(element e) { return e == element::owner ? "owner" : "plain"; }
[[nodiscard]] inline const char* to_string(call c) {
    constexpr const char* names[] = {"acquire", "release", "release_if", "clear", "iterate",
                                     "save",    "restore", "trim",       "move"};
    return names[static_cast<int>(c)];
}
[[nodiscard]] inline const char* to_string(event e) {
    constexpr const char* names[] = {"constructor", "destructor", "move",       "on_evict",  "merge",
                                     "victim",      "predicate",  "on_acquire", "on_release"};
    return names[static_cast<int>(e)];
}
[[nodiscard]] inline const char* to_string(during d) {
    constexpr const char* names[] = {"acquire", "replace", "release", "release_if", "clear", "restore"};
    return names[static_cast<int>(d)];
}
[[nodiscard]] inline const char* to_string(outcome o) {
    constexpr const char* names[] = {"right", "refused", "stops", "faulty", "none"};
    return names[static_cast<int>(o)];
}

// --- what is known beside the pool -----------------------------------------------------------------------------------------

enum class life { half, whole, idle, ending, moved_from };
struct record {
    int id;
    life state;
};

/// One object as a pass shows it.
struct sight {
    const void* at;
    int id;
    bool whole;
};

class arena;

/// What elements and callbacks talk to. There is one at a time.
struct stage {
    arena* pool = nullptr;
    std::map<const void*, record> objects;  ///< owners, wherever they are
    std::uint64_t told = 0;                 ///< reports of re-entrant calls
    std::string other_report;
    std::string fault;  ///< the first thing that was wrong

    bool armed = false;
    event from{};
    int who = 0;
    call what{};
    bool made = false;     ///< the place was reached, and there is such a call
    bool refused = false;  ///< it was refused

    static constexpr int anyone = -1;

    void wrong(std::string what_is) {
        if (fault.empty()) fault = std::move(what_is);
    }
    /// Makes the call if this is where it was to come from.
    void reach(event at, int id);
};
inline stage* on_stage = nullptr;

// --- elements --------------------------------------------------------------------------------------------------------------

inline constexpr std::size_t three_pages = 12288;

class owner {
public:
    owner(int id) { build(id, life::whole); }  // NOLINT: a field of a struct is built from its argument
    owner(const owner& from) noexcept(false) {
        expect_whole(&from, "copied");
        begin(on_stage->objects[&from].id, life::whole);
        finish();
    }
    owner(owner&& from) noexcept { take(&from); }
    owner& operator=(const owner&) = delete;
    owner& operator=(owner&&) = delete;
    ~owner() { end(); }

    [[nodiscard]] bool intact() const { return head_ == mark && tail_ == mark; }

protected:
    struct sleeping {};
    explicit owner(sleeping) { build(stage::anyone, life::idle); }

    void set(int id, life state) { on_stage->objects[this] = {id, state}; }

private:
    static constexpr std::uint32_t mark = 0x600d600d;

    void build(int id, life then) {
        begin(id, life::half);
        on_stage->reach(event::constructor, id);
        const auto now = on_stage->objects.find(this);
        if (now == on_stage->objects.end() || now->second.state != life::half || now->second.id != id || head_ != mark)
            on_stage->wrong("the memory of an object was given away while it was being built");
        set(id, then);
        finish();
    }
    void begin(int id, life state) {
        if (!on_stage->objects.insert({this, {id, state}}).second) {
            on_stage->wrong("an object was built on top of another");
            set(id, state);
        }
        head_ = mark;
        tail_ = 0;
    }
    void finish() { tail_ = mark; }
    void take(owner* from);
    void end();
    static void expect_whole(const owner* from, const char* how) {
        const auto it = on_stage->objects.find(from);
        const bool whole =
            it != on_stage->objects.end() && (it->second.state == life::whole || it->second.state == life::idle);
        if (!whole) on_stage->wrong(std::string("an object that is not whole was ") + how);
    }

    std::uint32_t head_;
    std::byte room_[three_pages - 2 * sizeof(std::uint32_t)];
    std::uint32_t tail_;
};
static_assert(sizeof(owner) == three_pages && std::is_nothrow_move_constructible_v<owner>);

/// An owner for a recycle_pool.
class hooked : public owner {
public:
    hooked() : owner(sleeping{}) {}
    hooked(const hooked&) = default;
    hooked(hooked&&) = default;

    void on_acquire(int id) noexcept {
        on_stage->reach(event::on_acquire, id);
        set(id, life::whole);
    }
    void on_release() noexcept {
        const int id = on_stage->objects[this].id;
        if (on_stage->objects[this].state != life::whole) on_stage->wrong("a life ended that had ended");
        set(id, life::ending);
        on_stage->reach(event::on_release, id);
        set(id, life::idle);
    }
};

class plain {
public:
    plain() noexcept : plain(0) {}
    plain(int id) noexcept : id_(id), whole_(0) {  // NOLINT: a field of a struct is built from its argument
        on_stage->reach(event::constructor, id);
        if (id_ != id || whole_ != 0)
            on_stage->wrong("the memory of an object was given away while it was being built");
        tail_ = id;
        whole_ = 1;
    }
    [[nodiscard]] int id() const { return id_; }
    [[nodiscard]] bool intact() const { return whole_ == 1 && tail_ == id_; }

private:
    int id_;
    int whole_;
    std::byte room_[three_pages - 3 * sizeof(int)];
    int tail_;
};
static_assert(sizeof(plain) == three_pages && std::is_trivially_copyable_v<plain>);
static_assert(std::is_trivially_destructible_v<plain> && std::is_nothrow_constructible_v<plain, int>);

template <class Element>
struct in_columns {
    Element body;
};

[[nodiscard]] inline sight look(const owner& object) {
    const auto it = on_stage->objects.find(&object);
    if (it == on_stage->objects.end()) return {&object, stage::anyone, false};
    return {&object, it->second.id, it->second.state == life::whole && object.intact()};
}
[[nodiscard]] inline sight look(const plain& object) { return {&object, object.id(), object.intact()}; }
template <class Row>
    requires requires(const Row& row) { row.template get<0>(); }
[[nodiscard]] sight look(const Row& row) {
    return look(row.template get<0>());
}

// --- the play --------------------------------------------------------------------------------------------------------------

/// A pool of eight, the objects that should live in it, and what is done to both. The type of the pool is in `cast`, below.
class arena {
public:
    static constexpr int capacity = 8;
    static constexpr int newcomer = 100;  ///< acquired from outside
    static constexpr int inner = 200;     ///< acquired from inside
    static constexpr int chosen = 6;      ///< whom the merge and the victim callback accept
    static constexpr int dying = 4;       ///< whose end is watched; on a full pool it is the oldest, 0

    arena(element of, place at) : of_(of), at_(at) {}
    arena(const arena&) = delete;
    arena& operator=(const arena&) = delete;
    virtual ~arena() = default;

    void play(call what);

    // What elements and callbacks tell.
    [[nodiscard]] bool holds(const void* object) const {
        const auto at = reinterpret_cast<std::uintptr_t>(object);
        return at >= first_ && at < first_ + static_cast<std::uintptr_t>(capacity + spare_) * three_pages;
    }
    void call_from_inside(call what);
    void evicting(sight object) {
        if (!object.whole) wrong("on_evict was called with an object that is not whole");
        on_stage->reach(event::on_evict, object.id);
        model_.erase(object.id);
    }
    [[nodiscard]] bool merging(sight object) {
        if (object.id == chosen) on_stage->reach(event::merge, object.id);
        return object.id == chosen;
    }
    [[nodiscard]] bool giving_way(sight object) {
        if (object.id == chosen) on_stage->reach(event::victim, object.id);
        return object.id == chosen;
    }

protected:
    enum class way { range, each, for_each };

    void wrong(std::string what) { on_stage->wrong(std::move(what)); }
    [[nodiscard]] bool full_scene() const { return at_.in == during::replace; }
    [[nodiscard]] bool ends_objects() const { return at_.from == event::constructor || at_.from == event::destructor; }
    [[nodiscard]] lido::on_full rule() const {
        if (!full_scene()) return on_full::reject;
        if (at_.from == event::merge) return on_full::merge;
        return at_.from == event::victim ? on_full::replace_if : on_full::replace_oldest;
    }

    virtual bool do_acquire(int id) = 0;  ///< notes the handle
    virtual bool do_release(int id) = 0;
    virtual bool contains(int id) = 0;
    virtual sight find(int id) = 0;  ///< by handle; Pre: contains(id)
    virtual void do_release_if(const std::function<bool(int)>& gone) = 0;
    virtual void do_clear() = 0;
    virtual bool pass(way how, std::vector<sight>& seen) = 0;  ///< false where there is no such way
    virtual bool do_save(snapshot& to) = 0;
    virtual bool do_restore(const snapshot& from) = 0;
    virtual bool do_trim() = 0;  ///< false where there is no such call; so does do_move()
    virtual bool do_move() = 0;
    virtual void end() = 0;
    virtual bool merged_into(int id) = 0;
    [[nodiscard]] virtual verdict valid() = 0;
    [[nodiscard]] virtual std::uint32_t size() = 0;
    [[nodiscard]] virtual std::uint32_t idle() = 0;
    [[nodiscard]] virtual bool full() = 0;
    [[nodiscard]] virtual refusal why() = 0;

    std::uintptr_t first_ = 0;
    int spare_ = 0;             ///< slots beyond the capacity
    bool ring_ = false;         ///< leaves no holes, and takes no slot but the next
    bool repeats_ = false;      ///< handles come again after a clear
    std::set<int> handed_out_;  ///< ids whose handle is kept

private:
    bool acquire(int id) {
        if (!do_acquire(id)) return false;
        model_.insert(id);
        handed_out_.insert(id);
        if (clearing_) maybe_.insert(id);
        return true;
    }
    void release(int id) {
        model_.erase(id);
        if (!do_release(id)) wrong("the release of a live object was refused");
    }
    void clear() {
        model_.clear();
        if (repeats_) handed_out_.clear();
        do_clear();
    }
    bool restore(const snapshot& from, const std::set<int>& ids) {
        if (!do_restore(from)) return false;
        model_ = ids;
        handed_out_ = ids;  // what was handed out since may be handed out again
        return true;
    }

    [[nodiscard]] std::set<int> living() const {
        if (of_ == element::plain) return model_;
        std::set<int> ids;
        for (const auto& [at, object] : on_stage->objects) {
            if (holds(at) && object.state == life::whole) ids.insert(object.id);
        }
        if (!model_.contains(newcomer)) ids.erase(newcomer);  // built, and not yet acquired
        return ids;
    }
    void set_the_scene();
    void make_passes(const std::set<int>& expected);
    void inspect();
    void go_on();

    element of_;
    place at_;
    bool clearing_ = false;
    std::set<int> model_;
    std::set<int> maybe_;  ///< acquired while all were ended: they may have been ended too
    snapshot early_;
    snapshot then_;
    snapshot inside_;
    std::set<int> early_ids_;
    std::set<int> then_ids_;
    std::set<int> inside_ids_;
};

inline void stage::reach(event at, int id) {
    if (!armed || at != from || (who != anyone && id != who)) return;
    armed = false;
    made = true;
    pool->call_from_inside(what);
}

inline void owner::take(owner* from) {
    expect_whole(from, "moved");
    const record was = on_stage->objects[from];
    begin(was.id, life::half);
    if (on_stage->pool->holds(this) && on_stage->pool->holds(from)) {
        on_stage->reach(event::moved, was.id);
        expect_whole(from, "taken away while it was being moved");
    }
    on_stage->objects[from].state = life::moved_from;
    set(was.id, was.state);
    finish();
}

inline void owner::end() {
    auto& all = on_stage->objects;
    const auto it = all.find(this);
    if (it == all.end()) return on_stage->wrong("an object was ended that was not alive");
    if (it->second.state == life::half || it->second.state == life::ending) {
        return on_stage->wrong("an object was ended while it was being built or ended");
    }
    if (it->second.state != life::moved_from && on_stage->pool->holds(this)) {
        it->second.state = life::ending;
        on_stage->reach(event::destructor, it->second.id);
        const auto now = all.find(this);
        if (now == all.end() || now->second.state != life::ending)
            return on_stage->wrong("the memory of an object was given away while it was ending");
    }
    all.erase(this);
    head_ = tail_ = 0;
}

/// Six of eight: 0 2 3 4 5 7, with a hole in the middle where the shape has holes. Or all eight, 0 to 7.
inline void arena::set_the_scene() {
    const bool holes = !full_scene() && !ring_;
    for (int id = 0; id < capacity; ++id) {
        if (!full_scene() && ring_ && (id == 1 || id == 6)) continue;
        if (id == 3) {
            do_save(early_);
            early_ids_ = model_;
        }
        if (id == 7) {
            if (holes) release(6);
            do_save(then_);
            then_ids_ = model_;
        }
        if (!acquire(id)) wrong("the scene could not be set");
    }
    if (holes) release(1);
}

inline void arena::play(call what) {
    set_the_scene();
    stage& s = *on_stage;
    s.armed = true;
    s.from = at_.from;
    s.what = what;
    s.who = stage::anyone;
    if (at_.from == event::destructor || at_.from == event::on_release || at_.from == event::predicate) {
        s.who = full_scene() ? 0 : dying;
    }
    switch (at_.in) {
        case during::acquire:
        case during::replace: {
            const bool got = acquire(newcomer);
            const bool folds = at_.from == event::merge && s.made && s.fault.empty();
            if (folds && got) wrong("a newcomer that was folded lives all the same");
            if (folds && model_.contains(chosen) && !merged_into(chosen))
                wrong("merged_into() names another object than the one that took the newcomer");
            break;
        }
        case during::release: release(dying); break;
        case during::release_if:
            do_release_if([this](int id) {
                on_stage->reach(event::predicate, id);
                const bool gone = id == dying || id == 0;
                if (gone) model_.erase(id);
                return gone;
            });
            break;
        case during::clear:
            clearing_ = true;
            clear();
            clearing_ = false;
            break;
        case during::restore:
            if (!restore(early_, early_ids_)) wrong("the restore was refused");
            break;
    }
    s.armed = false;
    if (s.fault.empty()) inspect();
    if (s.fault.empty()) go_on();
}

inline void arena::call_from_inside(call what) {
    stage& s = *on_stage;
    switch (what) {
        case call::acquire: {
            const std::uint64_t told = s.told;
            if (acquire(inner)) break;
            s.refused = why() == refusal::reentrant && s.told > told;
            if (!s.refused) wrong(std::string("the acquire from inside got nothing: ") + to_string(why()));
            break;
        }
        case call::release: {
            int others = 0;
            for (const int id : {2, 5, 7}) {  // before and after the one that is dying
                if (!contains(id)) continue;
                release(id);
                ++others;
            }
            if (others == 0) wrong("there was no other object to release");
            break;
        }
        case call::release_if: do_release_if([this](int id) { return model_.erase(id), true; }); break;
        case call::clear: clear(); break;
        case call::iterate: make_passes(living()); break;
        case call::save: {
            const std::uint64_t told = s.told;
            inside_ids_ = living();
            if (do_save(inside_)) break;
            s.refused = s.told > told;
            if (!s.refused) wrong("the save from inside failed");
            break;
        }
        case call::restore: {
            const std::uint64_t told = s.told;
            if (restore(then_, then_ids_)) break;
            s.refused = s.told > told;
            if (!s.refused) wrong("the restore from inside failed");
            break;
        }
        case call::trim: s.made = do_trim(); break;
        case call::move: s.made = do_move(); break;
    }
}

inline void arena::make_passes(const std::set<int>& expected) {
    constexpr const char* names[] = {"range-for", "each()", "for_each()"};
    for (const way how : {way::range, way::each, way::for_each}) {
        const std::string name = names[static_cast<int>(how)];
        std::vector<sight> seen;
        if (!pass(how, seen)) continue;
        std::set<int> ids;
        for (const sight& object : seen) {
            if (!object.whole) wrong(name + " visits an object that is not whole");
            if (!ids.insert(object.id).second) wrong(name + " visits an object twice");
        }
        if (ids != expected) wrong(name + " visits others than those that live");
    }
}

/// From outside, where nothing is half-way.
inline void arena::inspect() {
    if (const verdict v = valid(); !v) return wrong(std::string("validate(): ") + v.broken);
    for (const int id : maybe_) {
        if (!contains(id)) model_.erase(id);
    }
    maybe_.clear();
    if (size() != model_.size()) return wrong("size() is not the number of objects that should live");
    make_passes(model_);
    std::set<const void*> places;
    for (const int id : model_) {
        if (!contains(id)) return wrong("the handle of a live object finds nothing");
        const sight object = find(id);
        if (object.id != id || !object.whole) return wrong("a handle finds another object than its own");
        if (!places.insert(object.at).second) return wrong("two owners of one slot");
    }
    for (const int id : handed_out_) {
        if (!model_.contains(id) && contains(id)) return wrong("the handle of an object that has ended finds one");
    }
    if (of_ == element::plain) return;
    std::uint32_t idle_objects = 0;
    for (const auto& [at, object] : on_stage->objects) {
        if (object.state == life::half || object.state == life::ending)
            return wrong("an object was left half-built or half-ended");
        if (holds(at)) idle_objects += object.state == life::idle ? 1u : 0u;
    }
    if (living() != model_) return wrong("an object was lost: it lives, and the pool does not know it");
    if (idle_objects != idle()) return wrong("idle() is not the number of objects that wait");
}

/// The pool is used further, to its end.
inline void arena::go_on() {
    stage& s = *on_stage;
    const auto sound = [&] {
        if (s.fault.empty()) inspect();
        return s.fault.empty();
    };
    if (inside_) {
        if (!restore(inside_, inside_ids_)) wrong("what was saved from inside cannot be restored");
        if (!sound()) return;
    }
    for (int id = 300; !full() && id < 300 + capacity; ++id) {
        if (!acquire(id)) wrong("an acquire is refused although the pool is not full");
    }
    if (!ring_ && size() != capacity) wrong("a slot was lost");
    if (!sound()) return;
    do_release_if([this](int id) { return id % 2 == 0 && model_.erase(id) != 0; });
    if (!sound()) return;
    if (!acquire(400)) wrong("an acquire is refused although the pool is not full");
    if (!sound()) return;
    clear();
    if (!sound()) return;
    end();
    early_ = snapshot{};
    then_ = snapshot{};
    inside_ = snapshot{};
    if (!s.objects.empty()) wrong("an object never ended");
    if (!s.other_report.empty()) wrong("a report that nobody expects: " + s.other_report);
}

// --- pools -----------------------------------------------------------------------------------------------------------------

template <class Pool>
class cast final : public arena {
    static constexpr bool has_handles = requires { typename Pool::handle_type; };
    struct no_handle {};
    template <class P, bool>
    struct handle_of_pool {
        using type = no_handle;
    };
    template <class P>
    struct handle_of_pool<P, true> {
        using type = typename P::handle_type;
    };
    using handle = typename handle_of_pool<Pool, has_handles>::type;

public:
    cast(element of, place at) : arena(of, at) {
        typename Pool::settings_type settings{};
        settings.name = "stage";
        settings.leaks = leaks::allow;
        settings.on_full = rule();
        settings.on_evict = [](auto, auto&& object) { on_stage->pool->evicting(look(object)); };
        settings.merge = [](auto&& existing, const auto&) { return on_stage->pool->merging(look(existing)); };
        settings.victim = [](const auto& object) { return on_stage->pool->giving_way(look(object)); };
        if constexpr (requires { settings.idle_cap; }) {
            if (ends_objects()) settings.idle_cap = 0;
        }
        ring_ = std::string(Pool::shape) == "ring_pool";
        repeats_ = std::string(Pool::shape) == "bytemap_pool";
        if (ring_) spare_ = 1;
        if (ring_ || repeats_) settings.on_full = on_full::reject;  // they have a rule of their own
        if (std::string(Pool::shape) == "recycled_list") settings.on_full = on_full::reject;
        if constexpr (std::is_constructible_v<Pool, std::uint32_t, typename Pool::settings_type>) {
            pool_ = std::make_unique<Pool>(static_cast<std::uint32_t>(capacity), settings);
        } else {
            pool_ = std::make_unique<Pool>(settings);
        }
    }

private:
    bool do_acquire(int id) override {
        Pool& pool = *pool_;
        sight made{};
        if constexpr (has_handles) {
            const auto got = pool.acquire(id);
            if (!got) return false;
            handles_[id] = got.handle();
            made = look(*got);
        } else if constexpr (requires { pool.push(id); }) {
            const auto* const got = pool.push(id);
            if (got == nullptr) return false;
            made = look(*got);
        } else {
            const auto* const got = pool.acquire(id);
            if (got == nullptr) return false;
            made = look(*got);
        }
        if (made.id != id || !made.whole) wrong("acquire returned another object than the one it built");
        if (first_ == 0) first_ = reinterpret_cast<std::uintptr_t>(made.at);
        return true;
    }
    bool do_release(int id) override {
        if constexpr (has_handles) {
            return pool_->release(handles_[id]);
        } else {
            for (auto& object : *pool_) {
                if (is(object, id)) return pool_->release(object);
            }
            return false;
        }
    }
    bool contains(int id) override {
        if constexpr (has_handles) {
            return pool_->contains(handles_[id]);
        } else {
            for (const auto& object : *pool_) {
                if (is(object, id)) return true;
            }
            return false;
        }
    }
    sight find(int id) override {
        if constexpr (has_handles) {
            return look(*pool_->try_get(handles_[id]));
        } else {
            for (const auto& object : *pool_) {
                if (is(object, id)) return look(object);
            }
            return {};
        }
    }
    void do_release_if(const std::function<bool(int)>& gone) override {
        pool_->release_if([&](const auto& object) {
            const sight seen = look(object);
            if (!seen.whole) on_stage->wrong("release_if asks about an object that is not whole");
            return gone(seen.id);
        });
    }
    void do_clear() override { pool_->clear(); }
    bool pass(way how, std::vector<sight>& seen) override {
        Pool& pool = *pool_;
        const auto note = [&seen](const auto& object) {
            if (seen.size() < 100) seen.push_back(look(object));
        };
        if (how == way::each) {
            if constexpr (has_handles) {
                for (auto [key, object] : pool.each()) {
                    const sight now = look(object);
                    if (now.whole && !(handles_[now.id] == key))
                        on_stage->wrong("each() gives an object with a handle of another");
                    seen.push_back(now);
                    if (seen.size() > 100) break;
                }
                return true;
            } else {
                return false;
            }
        }
        if (how == way::for_each) {
            pool.for_each(note);
        } else {
            for (auto&& object : pool) note(object);
        }
        return true;
    }
    bool do_save(snapshot& to) override { return pool_->save(to); }
    bool do_restore(const snapshot& from) override { return static_cast<bool>(pool_->restore(from)); }
    bool do_trim() override {
        if constexpr (requires(Pool& pool) { pool.trim(); }) {
            static_cast<void>(pool_->trim());
            return true;
        } else {
            return false;
        }
    }
    bool do_move() override {
        if constexpr (std::is_move_constructible_v<Pool>) {
            auto moved = std::make_unique<Pool>(std::move(*pool_));
            shell_ = std::exchange(pool_, std::move(moved));
            return true;
        } else {
            return false;
        }
    }
    void end() override {
        shell_.reset();
        pool_.reset();
    }
    bool merged_into(int id) override {
        if constexpr (has_handles && requires(Pool& pool) { pool.merged_into(); }) {
            return pool_->merged_into() == handles_[id];
        } else if constexpr (requires(Pool& pool) { pool.merged_into(); }) {
            return pool_->merged_into() < pool_->size() && look((*pool_)[pool_->merged_into()]).id == id;
        } else {
            return true;
        }
    }
    verdict valid() override { return pool_->validate(); }
    std::uint32_t size() override { return pool_->size(); }
    std::uint32_t idle() override {
        if constexpr (requires(Pool& pool) { pool.idle(); }) return pool_->idle();
        return 0;
    }
    bool full() override { return pool_->full(); }
    refusal why() override { return pool_->why_refused(); }

    template <class Object>
    static bool is(const Object& object, int id) {
        const sight seen = look(object);
        return seen.id == id && seen.whole;
    }

    std::unique_ptr<Pool> pool_;
    std::unique_ptr<Pool> shell_;  ///< what a move from inside has left
    std::map<int, handle> handles_;
};

inline constexpr options by_age{.tracks = track::age};

template <class Element>
[[nodiscard]] std::unique_ptr<arena> engage(shape of, element kind, place at) {
    using waking = std::conditional_t<std::is_same_v<Element, owner>, hooked, Element>;
    switch (of) {
        case shape::slot_pool: return std::make_unique<cast<slot_pool<Element, by_age>>>(kind, at);
        case shape::flag_pool: return std::make_unique<cast<basic_flag_pool<Element, by_age, heap_storage>>>(kind, at);
        case shape::dense_pool: return std::make_unique<cast<dense_pool<Element, by_age>>>(kind, at);
        case shape::column_pool: return std::make_unique<cast<column_pool<in_columns<Element>, by_age>>>(kind, at);
        case shape::flag_column_pool:
            return std::make_unique<cast<flag_column_pool<in_columns<Element>, by_age>>>(kind, at);
        case shape::recycle_pool: return std::make_unique<cast<recycle_pool<waking, by_age>>>(kind, at);
        case shape::recycled_list: return std::make_unique<cast<recycled_list<waking>>>(kind, at);
        case shape::ring_pool: return std::make_unique<cast<ring_pool<Element>>>(kind, at);
        case shape::capped_list: return std::make_unique<cast<capped_list<Element, arena::capacity, by_age>>>(kind, at);
        case shape::bytemap_pool: return std::make_unique<cast<bytemap_pool<Element>>>(kind, at);
    }
    return nullptr;
}

// --- what comes of it ------------------------------------------------------------------------------------------------------

struct result {
    outcome what = outcome::faulty;
    std::string text;        ///< what was wrong, or the message with which it stopped
    bool sanitizer = false;  ///< it was a sanitizer that found what was wrong
};

/// This process is there for one call, of which the worst is expected.
inline bool in_a_trial = false;
inline constexpr int first_status = 40;  ///< of such a process: the outcome comes on top
inline constexpr int sanitizer_status = 39;

[[noreturn]] inline void leave(const result& with) {
    std::fputs(with.text.c_str(), stderr);
    std::fflush(stderr);
    ::_exit(with.sanitizer ? sanitizer_status : first_status + static_cast<int>(with.what));
}

/// In a trial that is one fault among others: nobody reads the report, and writing it takes long.
inline void found_by_a_sanitizer() {
    if (in_a_trial) leave({outcome::faulty, "", true});
}

/// Sets the stage, makes the call and says what came of it. Whoever expects a crash takes try_out().
[[nodiscard]] inline result act(shape of, element kind, place at, call what) {
    stage now;
    on_stage = &now;
    const misuse_handler before = set_misuse_handler([](const misuse& m) {
        if (m.kind == misuse_kind::reentrant_call) {
            ++on_stage->told;
        } else {
            on_stage->other_report = m.what;
        }
    });
    {
        const std::unique_ptr<arena> pool =
            kind == element::owner ? engage<owner>(of, kind, at) : engage<plain>(of, kind, at);
        now.pool = pool.get();
        pool->play(what);
        // A pool that is broken need not come to its end.
        if (in_a_trial && !now.fault.empty()) leave({outcome::faulty, now.fault, false});
    }
    set_misuse_handler(before);
    on_stage = nullptr;
    if (!now.fault.empty()) return {outcome::faulty, now.fault, false};
    if (!now.made) return {outcome::none, "", false};
    return {now.refused ? outcome::refused : outcome::right, "", false};
}

struct ending {
    int status = -1;   ///< as waitpid() has it; -1 when there was no process
    std::string text;  ///< what it wrote to stderr
};

/// Runs `body`, which may crash, in a process of its own. Two seconds of its own time are the most it gets: it may be caught in
/// a loop.
template <class Body>
[[nodiscard]] ending in_a_process(Body&& body) {
    ending seen;
    int ends[2];
    if (::pipe(ends) != 0) return seen;
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDERR_FILENO);
        ::close(ends[0]);
        const rlimit no_core{0, 0};
        ::setrlimit(RLIMIT_CORE, &no_core);
        const itimerval two_seconds{{0, 0}, {2, 0}};
        ::setitimer(ITIMER_VIRTUAL, &two_seconds, nullptr);
        body();
        std::fflush(stderr);
        ::_exit(0);
    }
    ::close(ends[1]);
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof(buffer))) > 0;) {
        seen.text.append(buffer, static_cast<std::size_t>(n));
    }
    ::close(ends[0]);
    if (child > 0) ::waitpid(child, &seen.status, 0);
    return seen;
}

/// True for a message that says what was done, and not for one that merely follows from it.
[[nodiscard]] inline bool tells_of_it(const std::string& message) {
    for (const char* const words : {"changed the", "changed during", "ends the whole pool", "there is no such row",
                                    "was moved from inside", "is half-way"}) {
        if (message.find("lido: ") != std::string::npos && message.find(words) != std::string::npos) return true;
    }
    return false;
}

/// act() in a process of its own. none, with a text, when there was no process to be had.
[[nodiscard]] inline result try_out(shape of, element kind, place at, call what) {
    ending seen = in_a_process([&] {
        in_a_trial = true;
        for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) std::signal(signal, SIG_DFL);
        leave(act(of, kind, at, what));
    });
    if (seen.status == -1) return {outcome::none, "there was no process to try it in", false};
    if (WIFEXITED(seen.status)) {
        const int status = WEXITSTATUS(seen.status);
        if (status < first_status) return {outcome::faulty, seen.text, true};
        return {static_cast<outcome>(status - first_status), seen.text, false};
    }
    const int signal = WTERMSIG(seen.status);
    if (signal == SIGABRT && tells_of_it(seen.text)) return {outcome::stops, seen.text, false};
    return {outcome::faulty, seen.text + " signal " + std::to_string(signal), false};
}

}  // namespace lido::test::reentrancy
