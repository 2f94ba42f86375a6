// A world that plays beside the model (world_model.hpp): the same steps in both, compared after each one.
#pragma once

#include <lido/world/world.hpp>
#include <world/world_model.hpp>

#include <rapidcheck.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lido_test::world_model {

using lido::ticks;

struct real;
inline real* playing = nullptr;  ///< whom hooks act on; null while a restore runs

struct a_bolt {
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
using an_imp = actor<imp>;
using an_orb = actor<orb>;

/// The world under test, with the same words as the model.
struct real {
    std::map<std::uint32_t, lido::any_ref> refs;  ///< of every life that was begun, in this past
    std::map<std::uint32_t, lido::life_connection> connections;
    std::map<std::uint32_t, lido::waiting_call> calls;
    std::uint32_t last_serial = 0;
    std::vector<std::string> diary;
    /// What a listener or a waiting call does; bound to it, so that an image may hold it.
    struct told {
        std::uint32_t id;
        act does;
        bool call;
        std::uint16_t unused = 0;
    };
    std::uint32_t last_told = 0;
    bool by_name;
    lido::world world;  ///< last, so that its end finds the others

    /// `order`: in which the classes are added, 0 to 5. `named`: listeners and calls have a name, so that an image may hold them.
    explicit real(unsigned order = 0, bool named = false) : by_name(named) {
        playing = this;
        static constexpr kind orders[6][kinds] = {{bolt, imp, orb}, {orb, imp, bolt}, {imp, orb, bolt},
                                                  {orb, bolt, imp}, {bolt, orb, imp}, {imp, bolt, orb}};
        for (const kind k : orders[order]) add(k);
        const auto tells = [this](auto& o, const told& with) { tell(o, with); };
        static_cast<void>(world.name_call<an_imp, told>("imp tells", tells));
        static_cast<void>(world.name_call<an_orb, told>("orb tells", tells));
        world.start();
        diary.clear();  // objects made ahead begin out of use
    }
    ~real() { playing = nullptr; }
    real(const real&) = delete;
    real& operator=(const real&) = delete;

    void add(kind k) {
        if (k == bolt) {
            world.add<a_bolt>("bolt", {.max_lifetime = ticks{rules_of[bolt].lifetime}, .leaks = lido::leaks::allow});
            world.finished<a_bolt>().connect([this](a_bolt& b, lido::ref<a_bolt>) { note("finished", b.serial); });
        } else if (k == imp) {
            world.add<an_imp>("imp", {.prewarm = 2, .leaks = lido::leaks::allow});
            world.finished<an_imp>().connect([this](an_imp& b, lido::ref<an_imp>) { note("finished", b.serial); });
        } else {
            world.add<an_orb>("orb", {.max_lifetime = ticks{rules_of[orb].lifetime},
                                      .capacity = rules_of[orb].cap,
                                      .on_full = lido::on_full::replace_oldest,
                                      .leaks = lido::leaks::allow});
            world.finished<an_orb>().connect([this](an_orb& b, lido::ref<an_orb>) { note("finished", b.serial); });
        }
    }

    void note(const char* what, std::uint32_t serial) {
        diary.push_back(std::string(what) + " " + std::to_string(serial));
    }

    std::uint32_t spawn(unsigned of, script does) {
        const std::uint32_t before = last_serial;
        lido::spawn_refusal why = lido::spawn_refusal::none;
        std::uint32_t serial = 0;
        if (of == bolt) {
            const auto got = world.spawn<a_bolt>({}, last_serial + 1);
            why = got.why();
            if (got) refs[serial = ++last_serial] = got;
        } else {
            // By name and by type are one path; both are walked.
            const auto got =
                of == imp ? world.spawn("imp", {}, does) : lido::any_spawned(any(world.spawn<an_orb>({}, does)));
            why = got.why();
            if (why == lido::spawn_refusal::none || why == lido::spawn_refusal::ended_at_once) serial = before + 1;
        }
        return serial;
    }

    static lido::any_spawned any(const lido::spawned<an_orb>& got) { return {got.reference(), got.why()}; }

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
            case act::end_oldest_imp: world.return_to_pool(oldest<an_imp>()); break;
            case act::end_oldest_orb: world.return_to_pool(oldest<an_orb>()); break;
            case act::destroy_self: world.destroy(self); break;
            case act::destroy_oldest_orb: world.destroy(oldest<an_orb>()); break;
            case act::spawn_imp: spawn(imp, {}); break;
            case act::spawn_orb: spawn(orb, {}); break;
            case act::end_all_orbs: world.return_all<an_orb>(); break;
        }
    }

    /// The lowest serial that the pool still holds, ended or not.
    template <class T>
    lido::any_ref oldest() {
        const unsigned of = std::is_same_v<T, an_imp> ? imp : orb;
        for (const auto& [serial, which] : refs) {
            const lido::ref<T> typed = world.as<T>(which);
            if (typed && world.get(typed) != nullptr) return which;
        }
        return {of, 0};
    }

    template <class T>
    void tell(T& object, const told& who) {
        note(who.call ? "call" : "told", who.id);
        run(who.does, object.self);
    }

    // With its type, without it, and by a name are one path; all are walked.
    template <class T>
    bool connect(lido::ref<T> which, told as) {
        if (by_name) {
            connections[as.id] = world.on_finished(which, lido::named{name_of<T>, as});
        } else if (as.id % 2 == 0) {
            connections[as.id] = world.on_finished(which, [this, as](T& o) { tell(o, as); });
        } else {
            connections[as.id] =
                world.on_finished(lido::any_ref(which), [this, as](lido::any_object o) { tell(*o.as<T>(), as); });
        }
        return static_cast<bool>(connections[as.id]);
    }
    template <class T>
    bool after(lido::ref<T> which, std::uint64_t in, told as) {
        if (by_name) {
            calls[as.id] = world.after(which, ticks{in}, lido::named{name_of<T>, as});
        } else if (as.id % 2 == 0) {
            calls[as.id] = world.after(which, ticks{in}, [this, as](T& o) { tell(o, as); });
        } else {
            calls[as.id] =
                world.after(lido::any_ref(which), ticks{in}, [this, as](lido::any_object o) { tell(*o.as<T>(), as); });
        }
        return static_cast<bool>(calls[as.id]);
    }
    template <class T>
    static constexpr const char* name_of = std::is_same_v<T, an_imp> ? "imp tells" : "orb tells";

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

inline rc::Gen<std::vector<step>> any_steps() {
    const auto byte = rc::gen::arbitrary<std::uint8_t>();
    return rc::gen::scale(
        4.0, rc::gen::container<std::vector<step>>(rc::gen::construct<step>(byte, byte, byte, byte, byte, byte)));
}

inline act act_of(std::uint8_t byte) {
    // Half of them do nothing, or every step would be an avalanche.
    return byte < 128 ? act::nothing : static_cast<act>(byte % static_cast<unsigned>(act::count));
}

/// A run of both, compared after each step.
class run {
public:
    std::unique_ptr<real> r;
    model m;
    std::uint64_t operations = 0;

    explicit run(unsigned order = 0, bool named = false) : r(std::make_unique<real>(order, named)) {}

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
                const std::uint32_t got = r->spawn(of, does);
                RC_ASSERT((got != 0) == (expected != 0));
                break;
            }
            case 5: {
                const auto found = r->refs.find(serial);
                if (found == r->refs.end()) break;
                RC_ASSERT(r->destroy(serial) == m.destroy(serial, found->second.class_of()));
                break;
            }
            case 6: {
                const auto found = r->refs.find(serial);
                if (found == r->refs.end()) break;
                RC_ASSERT(r->end(serial, found->second.class_of()) == m.end(serial, found->second.class_of()));
                break;
            }
            case 7:
            case 8:
                r->world.tick();
                m.tick();
                break;
            case 9: connect(serial, act_of(s.b)); break;
            case 10: after(serial, s.c % 80, act_of(s.b)); break;
            case 11: {
                const std::uint32_t id = s.a;
                if (const auto c = r->connections.find(id); c != r->connections.end())
                    RC_ASSERT(r->world.disconnect(c->second) == m.disconnect(id));
                if (const auto c = r->calls.find(id); c != r->calls.end())
                    RC_ASSERT(r->world.cancel(c->second) == m.cancel(id));
                break;
            }
            case 12: {
                const auto found = r->refs.find(serial);
                if (found == r->refs.end()) break;
                RC_ASSERT(r->world.set_lifetime(found->second, ticks{s.b % 100u}) ==
                          m.set_lifetime(serial, s.b % 100u));
                break;
            }
            case 13: set_time(of, s.b); break;
            case 14:
                if (s.b < 128) {
                    m.end_all(orb);
                    r->world.return_all<an_orb>();
                } else {
                    r->world.trim<a_bolt>(s.c % 4);
                    r->world.trim<an_imp>(s.c % 4);
                }
                break;
            case 15:
                if (r->by_name && s.b % 4 == 1) {
                    move_to_another_process(s.c % 6);
                } else if (s.b % 2 == 0) {
                    save();
                } else {
                    restore(r->by_name && s.c % 2 == 0);
                }
                break;
        }
    }

    void compare() {
        RC_ASSERT(r->diary == m.diary);
        RC_ASSERT(r->last_serial == m.last_serial);
        for (unsigned of = 0; of < kinds; ++of) {
            RC_ASSERT(r->world.stats(of).pool.size == m.count(of));
            RC_ASSERT((r->counts(of) == m.counts[of]));
        }
        for (const auto& [serial, which] : r->refs) {
            RC_ASSERT(r->world.lives(which) == m.alive(serial));
            RC_ASSERT(r->world.lifetime_left(which).count == m.left(serial));
        }
        RC_ASSERT(r->world.active<an_imp>() == m.count(imp));
        std::as_const(r->world).for_each<an_imp>([&](const an_imp& i) { RC_ASSERT(m.alive(i.serial)); });
        std::uint32_t orbs = 0;
        r->world.for_each("orb", [&](lido::any_object o, lido::any_ref which) {
            RC_ASSERT(m.alive(o.as<an_orb>()->serial) && o.as<an_orb>()->self == which);
            ++orbs;
        });
        RC_ASSERT(orbs == r->world.active<an_orb>());
        const lido::verdict sound = r->world.validate();
        RC_ASSERT(static_cast<bool>(sound));
        r->diary.clear();
        m.diary.clear();
    }

    /// What was played goes on in a world of its own, with its classes added in another order; the first is gone.
    void move_to_another_process(unsigned order) {
        std::vector<std::byte> image;
        const lido::save_result written = r->world.save(image);
        RC_ASSERT(static_cast<bool>(written));
        const std::uint64_t hash = r->world.state_hash();
        auto other = std::make_unique<real>(order, true);
        playing = nullptr;
        const lido::restore_result done = other->world.restore(image);
        RC_ASSERT(static_cast<bool>(done));
        RC_ASSERT(other->world.state_hash() == hash);
        std::vector<std::byte> again;
        RC_ASSERT(static_cast<bool>(other->world.save(again)));
        RC_ASSERT((again == image));
        other->refs = std::move(r->refs);
        other->connections = std::move(r->connections);
        other->calls = std::move(r->calls);
        other->last_serial = r->last_serial;
        other->last_told = r->last_told;
        r = std::move(other);
        playing = r.get();
    }

private:
    template <class F>
    void with_typed(std::uint32_t serial, F&& f) {
        const auto found = r->refs.find(serial);
        if (found == r->refs.end()) return;
        if (const auto i = r->world.as<an_imp>(found->second)) f(i);
        if (const auto o = r->world.as<an_orb>(found->second)) f(o);
    }

    void connect(std::uint32_t serial, act does) {
        with_typed(serial, [&](auto which) {
            const std::uint32_t id = ++r->last_told;
            RC_ASSERT(r->connect(which, {id, does, false}) == m.connect(serial, id, does));
        });
    }
    void after(std::uint32_t serial, std::uint64_t in, act does) {
        with_typed(serial, [&](auto which) {
            const std::uint32_t id = ++r->last_told;
            RC_ASSERT(r->after(which, in, {id, does, true}) == m.after(serial, in, id, does));
        });
    }

    void set_time(unsigned of, std::uint8_t how) {
        static constexpr const char* names[kinds] = {"bolt", "imp", "orb"};
        static constexpr lido::time_scale scales[] = {{1, 1}, {1, 3}, {2, 1}, {3, 2}, {0, 1}};
        if (how < 100) {
            r->world.pause(names[of], how % 2 != 0);
            m.clocks[of].paused = how % 2 != 0;
        } else {
            const lido::time_scale scale = scales[how % std::size(scales)];
            r->world.set_time_scale(names[of], scale);
            auto& c = m.clocks[of];
            c.steps = scale.steps;
            c.per = scale.per;
            c.rest %= c.per;
        }
    }

    void save() {
        RC_ASSERT(r->world.save(saved_));
        if (r->by_name) RC_ASSERT(static_cast<bool>(r->world.save(saved_image_)));
        saved_model_ = m;
        saved_refs_ = r->refs;
        saved_connections_ = r->connections;
        saved_calls_ = r->calls;
        saved_hash_ = r->world.state_hash();
    }

    void restore(bool by_image) {
        if (!saved_) return;
        playing = nullptr;  // what undone lives do while they are undone is not theirs to do
        const lido::restore_result done = by_image ? r->world.restore(saved_image_) : r->world.restore(saved_);
        playing = r.get();
        RC_ASSERT(static_cast<bool>(done));
        m = saved_model_;
        r->refs = saved_refs_;
        r->connections = saved_connections_;
        r->calls = saved_calls_;
        r->last_serial = m.last_serial;
        RC_ASSERT(r->world.state_hash() == saved_hash_);
    }

    lido::snapshot saved_;
    std::vector<std::byte> saved_image_;
    model saved_model_;
    std::map<std::uint32_t, lido::any_ref> saved_refs_;
    std::map<std::uint32_t, lido::life_connection> saved_connections_;
    std::map<std::uint32_t, lido::waiting_call> saved_calls_;
    std::uint64_t saved_hash_ = 0;
};

}  // namespace lido_test::world_model
