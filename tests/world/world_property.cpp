// X11, S4.3–S4.9: a world against a plain model (world_model.hpp): random spawns, returns, timers, listeners, pauses, rewinds, and
// objects that spawn and end each other from inside every hook.
#include <lido/core/rewind/rewind.hpp>
#include <lido/world/world.hpp>
#include <world/world_model.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace world_property {

using lido::ticks;
using lido_test::world_model::act;
using lido_test::world_model::counters;
using lido_test::world_model::kinds;
using lido_test::world_model::model;
using lido_test::world_model::rules_of;
using lido_test::world_model::script;
namespace wm = lido_test::world_model;

struct real;
real* playing = nullptr;  ///< whom hooks act on; null while a restore runs

struct bolt {
    using payload_type = std::uint32_t;
    std::uint32_t serial = 0;
    void on_acquire(const std::uint32_t& as) { serial = as; }
};

/// Both kinds with hooks do the same; they differ in their settings.
template <unsigned Kind>
struct actor {
    using payload_type = script;
    std::uint32_t serial = 0;
    lido::any_ref self = {};
    script does = {};

    void set_life(lido::life mine) noexcept { self = mine.reference(); }
    void on_acquire(const script& with);
    void set_in_use(bool on);
    void on_release() noexcept;
    void hash(lido::hasher& h) const { h.add(std::uint64_t{serial}).add(self.life()); }
};
using imp = actor<wm::imp>;
using orb = actor<wm::orb>;

/// The world under test, with the same words as the model.
struct real {
    std::map<std::uint32_t, lido::any_ref> refs;  ///< of every life that was begun, in this past
    std::map<std::uint32_t, lido::life_connection> connections;
    std::map<std::uint32_t, lido::waiting_call> calls;
    std::uint32_t last_serial = 0;
    std::vector<std::string> diary;
    struct told {
        std::uint32_t id;
        act does;
        const char* what;
    };
    std::vector<told> told_by;  ///< by id; grows only
    lido::world world;          ///< last, so that its end finds the others

    real() {
        playing = this;
        world.add<bolt>("bolt", {.max_lifetime = ticks{rules_of[wm::bolt].lifetime}, .leaks = lido::leaks::allow});
        world.add<imp>("imp", {.prewarm = 2, .leaks = lido::leaks::allow});
        world.add<orb>("orb", {.max_lifetime = ticks{rules_of[wm::orb].lifetime},
                               .capacity = rules_of[wm::orb].cap,
                               .on_full = lido::on_full::replace_oldest,
                               .leaks = lido::leaks::allow});
        world.finished<bolt>().connect([this](bolt& b, lido::ref<bolt>) { note("finished", b.serial); });
        world.finished<imp>().connect([this](imp& b, lido::ref<imp>) { note("finished", b.serial); });
        world.finished<orb>().connect([this](orb& b, lido::ref<orb>) { note("finished", b.serial); });
        world.start();
        diary.clear();  // objects made ahead begin out of use
    }
    ~real() { playing = nullptr; }
    real(const real&) = delete;
    real& operator=(const real&) = delete;

    void note(const char* what, std::uint32_t serial) {
        diary.push_back(std::string(what) + " " + std::to_string(serial));
    }

    std::uint32_t spawn(unsigned of, script does) {
        const std::uint32_t before = last_serial;
        lido::spawn_refusal why = lido::spawn_refusal::none;
        std::uint32_t serial = 0;
        if (of == wm::bolt) {
            const auto got = world.spawn<bolt>({}, last_serial + 1);
            why = got.why();
            if (got) refs[serial = ++last_serial] = got;
        } else {
            // By name and by type are one path; both are walked.
            const auto got =
                of == wm::imp ? world.spawn("imp", {}, does) : lido::any_spawned(any(world.spawn<orb>({}, does)));
            why = got.why();
            if (why == lido::spawn_refusal::none || why == lido::spawn_refusal::ended_at_once) serial = before + 1;
        }
        return serial;
    }

    static lido::any_spawned any(const lido::spawned<orb>& got) { return {got.reference(), got.why()}; }

    bool end(std::uint32_t serial, unsigned of) {
        const auto found = refs.find(serial);
        // A serial that never was is a null reference of that class.
        return world.return_to_pool(found != refs.end() ? found->second : lido::any_ref(of, 0));
    }
    bool destroy(std::uint32_t serial) { return world.destroy(refs.at(serial)); }

    void run(act does, lido::any_ref self) {
        switch (does) {
            case act::nothing:
            case act::count: break;
            case act::end_self: world.return_to_pool(self); break;
            case act::end_oldest_imp: world.return_to_pool(oldest<imp>()); break;
            case act::end_oldest_orb: world.return_to_pool(oldest<orb>()); break;
            case act::destroy_self: world.destroy(self); break;
            case act::destroy_oldest_orb: world.destroy(oldest<orb>()); break;
            case act::spawn_imp: spawn(wm::imp, {}); break;
            case act::spawn_orb: spawn(wm::orb, {}); break;
            case act::end_all_orbs: world.return_all<orb>(); break;
        }
    }

    /// The lowest serial that the pool still holds, ended or not.
    template <class T>
    lido::any_ref oldest() {
        const unsigned of = std::is_same_v<T, imp> ? wm::imp : wm::orb;
        for (const auto& [serial, which] : refs) {
            const lido::ref<T> typed = world.as<T>(which);
            if (typed && world.get(typed) != nullptr) return which;
        }
        return {of, 0};
    }

    template <class T>
    void tell(T& object, const told& who) {
        note(who.what, who.id);
        run(who.does, object.self);
    }

    template <class T>
    bool connect(lido::ref<T> which, std::uint32_t id) {
        // With its type and without it are one path; both are walked.
        connections[id] = id % 2 == 0 ? world.on_finished(which, [this, id](T& o) { tell(o, told_by[id]); })
                                      : world.on_finished(lido::any_ref(which), [this, id](lido::any_object o) {
                                            tell(*o.as<T>(), told_by[id]);
                                        });
        return static_cast<bool>(connections[id]);
    }
    template <class T>
    bool after(lido::ref<T> which, std::uint64_t in, std::uint32_t id) {
        calls[id] = id % 2 == 0 ? world.after(which, ticks{in}, [this, id](T& o) { tell(o, told_by[id]); })
                                : world.after(lido::any_ref(which), ticks{in},
                                              [this, id](lido::any_object o) { tell(*o.as<T>(), told_by[id]); });
        return static_cast<bool>(calls[id]);
    }

    [[nodiscard]] counters counts(unsigned of) const {
        const auto c = world.stats(of).counters;
        return {c.spawned, c.returned, c.expired, c.replaced, c.refused, c.stale_ends, c.destroyed};
    }
};

template <unsigned Kind>
void actor<Kind>::on_acquire(const script& with) {
    does = with;
    if (playing == nullptr) return;
    // A refused spawn takes no number, so the number is taken here.
    serial = ++playing->last_serial;
    playing->refs[serial] = self;
    playing->note("begin", serial);
    playing->run(does.begin, self);
}
template <unsigned Kind>
void actor<Kind>::set_in_use(bool on) {
    if (playing == nullptr) return;
    playing->note(on ? "in use" : "no use", serial);
    playing->run(on ? does.in_use : does.no_use, self);
}
template <unsigned Kind>
void actor<Kind>::on_release() noexcept {
    if (playing == nullptr) return;
    playing->note("release", serial);
    playing->run(does.release, self);
}

struct step {
    std::uint8_t what, a, b, c, d, e;
};

rc::Gen<std::vector<step>> any_steps() {
    const auto byte = rc::gen::arbitrary<std::uint8_t>();
    return rc::gen::scale(
        4.0, rc::gen::container<std::vector<step>>(rc::gen::construct<step>(byte, byte, byte, byte, byte, byte)));
}

act act_of(std::uint8_t byte) {
    // Half of them do nothing, or every step would be an avalanche.
    return byte < 128 ? act::nothing : static_cast<act>(byte % static_cast<unsigned>(act::count));
}

/// A run of both, compared after each step.
class run {
public:
    real r;
    model m;
    std::uint64_t operations = 0;

    void take(const step& s) {
        ++operations;
        const std::uint32_t serial = m.last_serial == 0 ? 0 : m.last_serial - s.a % std::min(m.last_serial, 12u);
        const unsigned of = s.a % kinds;
        switch (s.what % 16) {
            case 0:
            case 1:
            case 2:
            case 3:
            case 4: {
                const script does{act_of(s.b), act_of(s.c), act_of(s.d), act_of(s.e)};
                const std::uint32_t expected = m.spawn(of, does);
                const std::uint32_t got = r.spawn(of, does);
                RC_ASSERT((got != 0) == (expected != 0));
                break;
            }
            case 5: {
                const auto found = r.refs.find(serial);
                if (found == r.refs.end()) break;
                RC_ASSERT(r.destroy(serial) == m.destroy(serial, found->second.class_of()));
                break;
            }
            case 6: {
                const auto found = r.refs.find(serial);
                if (found == r.refs.end()) break;
                RC_ASSERT(r.end(serial, found->second.class_of()) == m.end(serial, found->second.class_of()));
                break;
            }
            case 7:
            case 8:
                r.world.tick();
                m.tick();
                break;
            case 9: connect(serial, act_of(s.b)); break;
            case 10: after(serial, s.c % 80, act_of(s.b)); break;
            case 11: {
                const std::uint32_t id = s.a;
                if (const auto c = r.connections.find(id); c != r.connections.end())
                    RC_ASSERT(r.world.disconnect(c->second) == m.disconnect(id));
                if (const auto c = r.calls.find(id); c != r.calls.end())
                    RC_ASSERT(r.world.cancel(c->second) == m.cancel(id));
                break;
            }
            case 12: {
                const auto found = r.refs.find(serial);
                if (found == r.refs.end()) break;
                RC_ASSERT(r.world.set_lifetime(found->second, ticks{s.b % 100u}) == m.set_lifetime(serial, s.b % 100u));
                break;
            }
            case 13: set_time(of, s.b); break;
            case 14:
                if (s.b < 128) {
                    m.end_all(wm::orb);
                    r.world.return_all<orb>();
                } else {
                    r.world.trim<bolt>(s.c % 4);
                    r.world.trim<imp>(s.c % 4);
                }
                break;
            case 15:
                if (s.b % 2 == 0) {
                    save();
                } else {
                    restore();
                }
                break;
        }
    }

    void compare() {
        RC_ASSERT(r.diary == m.diary);
        RC_ASSERT(r.last_serial == m.last_serial);
        for (unsigned of = 0; of < kinds; ++of) {
            RC_ASSERT(r.world.stats(of).pool.size == m.count(of));
            RC_ASSERT((r.counts(of) == m.counts[of]));
        }
        for (const auto& [serial, which] : r.refs) {
            RC_ASSERT(r.world.lives(which) == m.alive(serial));
            RC_ASSERT(r.world.lifetime_left(which).count == m.left(serial));
        }
        RC_ASSERT(r.world.active<imp>() == m.count(wm::imp));
        std::as_const(r.world).for_each<imp>([&](const imp& i) { RC_ASSERT(m.alive(i.serial)); });
        std::uint32_t orbs = 0;
        r.world.for_each("orb", [&](lido::any_object o, lido::any_ref which) {
            RC_ASSERT(m.alive(o.as<orb>()->serial) && o.as<orb>()->self == which);
            ++orbs;
        });
        RC_ASSERT(orbs == r.world.active<orb>());
        const lido::verdict sound = r.world.validate();
        RC_ASSERT(static_cast<bool>(sound));
        r.diary.clear();
        m.diary.clear();
    }

private:
    template <class F>
    void with_typed(std::uint32_t serial, F&& f) {
        const auto found = r.refs.find(serial);
        if (found == r.refs.end()) return;
        if (const auto i = r.world.as<imp>(found->second)) f(i);
        if (const auto o = r.world.as<orb>(found->second)) f(o);
    }

    void connect(std::uint32_t serial, act does) {
        with_typed(serial, [&](auto which) {
            const std::uint32_t id = name("told", does);
            RC_ASSERT(r.connect(which, id) == m.connect(serial, id, does));
        });
    }
    void after(std::uint32_t serial, std::uint64_t in, act does) {
        with_typed(serial, [&](auto which) {
            const std::uint32_t id = name("call", does);
            RC_ASSERT(r.after(which, in, id) == m.after(serial, in, id, does));
        });
    }
    std::uint32_t name(const char* what, act does) {
        if (r.told_by.empty()) r.told_by.push_back({0, act::nothing, ""});
        const auto id = static_cast<std::uint32_t>(r.told_by.size());
        r.told_by.push_back({id, does, what});
        return id;
    }

    void set_time(unsigned of, std::uint8_t how) {
        static constexpr const char* names[kinds] = {"bolt", "imp", "orb"};
        static constexpr lido::time_scale scales[] = {{1, 1}, {1, 3}, {2, 1}, {3, 2}, {0, 1}};
        if (how < 100) {
            r.world.pause(names[of], how % 2 != 0);
            m.clocks[of].paused = how % 2 != 0;
        } else {
            const lido::time_scale scale = scales[how % std::size(scales)];
            r.world.set_time_scale(names[of], scale);
            auto& c = m.clocks[of];
            c.steps = scale.steps;
            c.per = scale.per;
            c.rest %= c.per;
        }
    }

    void save() {
        RC_ASSERT(r.world.save(saved_));
        saved_model_ = m;
        saved_refs_ = r.refs;
        saved_connections_ = r.connections;
        saved_calls_ = r.calls;
        saved_hash_ = r.world.state_hash();
    }

    void restore() {
        if (!saved_) return;
        playing = nullptr;  // what undone lives do while they are undone is not theirs to do
        const lido::restore_result done = r.world.restore(saved_);
        playing = &r;
        RC_ASSERT(static_cast<bool>(done));
        m = saved_model_;
        r.refs = saved_refs_;
        r.connections = saved_connections_;
        r.calls = saved_calls_;
        r.last_serial = m.last_serial;
        RC_ASSERT(r.world.state_hash() == saved_hash_);
    }

    lido::snapshot saved_;
    model saved_model_;
    std::map<std::uint32_t, lido::any_ref> saved_refs_;
    std::map<std::uint32_t, lido::life_connection> saved_connections_;
    std::map<std::uint32_t, lido::waiting_call> saved_calls_;
    std::uint64_t saved_hash_ = 0;
};

RC_GTEST_PROP(world, X11_does_what_a_plain_model_does, ()) {
    const std::vector<step> steps = *any_steps();
    run both;
    for (const step& s : steps) {
        both.take(s);
        both.compare();
    }
}

/// X11: the determinism test of core: from a restored state the same steps give the same states, handle by handle.
RC_GTEST_PROP(world, X11_replays_exactly_from_any_tick, ()) {
    const std::vector<step> before = *any_steps();
    const std::vector<step> after = *any_steps();
    const auto plays = [](const step& s) { return s.what % 16 != 15; };
    run both;
    for (const step& s : before) {
        if (plays(s)) both.take(s);
    }
    both.compare();
    lido::rewind<4> past;
    RC_ASSERT(past.save(7, both.r.world));
    const model at_save = both.m;
    const auto refs = both.r.refs;
    const auto connections = both.r.connections;
    const auto calls = both.r.calls;
    const auto told = both.r.told_by;
    std::vector<std::uint64_t> hashes[2];
    std::vector<lido::any_ref> handles[2];
    for (int pass = 0; pass < 2; ++pass) {
        for (const step& s : after) {
            if (!plays(s)) continue;
            both.take(s);
            both.compare();
            hashes[pass].push_back(both.r.world.state_hash());
        }
        for (const auto& [serial, which] : both.r.refs) handles[pass].push_back(which);
        playing = nullptr;
        RC_ASSERT(static_cast<bool>(past.restore(7, both.r.world)));
        playing = &both.r;
        both.m = at_save;
        both.r.refs = refs;
        both.r.connections = connections;
        both.r.calls = calls;
        both.r.told_by = told;
        both.r.last_serial = both.m.last_serial;
    }
    RC_ASSERT(hashes[0] == hashes[1]);
    RC_ASSERT((handles[0] == handles[1]));
}

}  // namespace world_property
