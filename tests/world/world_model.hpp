// A world in plain containers, slow and obvious: what the real one must agree with after every step.
//
// Objects act from inside their hooks, as a script tells them. Real and model act through the same script and write the same diary,
// so that order, and not only the outcome, is compared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lido_test::world_model {

/// What a hook, a listener or a waiting call does.
enum class act : std::uint8_t {
    nothing,
    end_self,
    end_oldest_imp,
    end_oldest_orb,
    spawn_imp,
    spawn_orb,
    end_all_orbs,
    destroy_self,
    destroy_oldest_orb,
    count
};

/// What an object does in its life.
struct script {
    act begin = act::nothing;    ///< in on_acquire
    act in_use = act::nothing;   ///< in set_in_use(true)
    act no_use = act::nothing;   ///< in set_in_use(false)
    act release = act::nothing;  ///< in on_release
};

/// bolt: grows, has a lifetime and no hooks. imp: grows, acts in every hook. orb: four at most, replaces the oldest, has a lifetime.
enum kind : unsigned { bolt, imp, orb, kinds };

struct rules {
    std::uint32_t cap;  ///< 0: grows
    std::uint64_t lifetime;
    bool hooks;
};
inline constexpr rules rules_of[kinds] = {{0, 9, false}, {0, 0, true}, {4, 70, true}};

struct counters {
    std::uint64_t spawned = 0, returned = 0, expired = 0, replaced = 0, refused = 0, stale_ends = 0, destroyed = 0;
    friend bool operator==(const counters&, const counters&) = default;
};

class model {
public:
    struct listener {
        std::uint32_t id;
        act does;
    };
    struct life {
        std::uint32_t serial;
        unsigned of;
        script does;
        bool active = true;
        bool for_good = false;
        unsigned hooks = 0;
        std::uint32_t place = 0;
        std::vector<listener> listeners;
        std::optional<std::uint64_t> due;
    };
    struct timer {
        std::uint64_t due;
        std::uint64_t order;
        std::uint32_t serial;
        std::uint32_t call;  ///< 0: a lifetime
        act does;
    };
    struct clock {
        std::uint64_t now = 0;
        std::uint32_t steps = 1, per = 1, rest = 0;
        bool paused = false;
    };

    std::vector<life> lives;  ///< in the order of their beginning
    std::vector<timer> timers[kinds];
    clock clocks[kinds];
    counters counts[kinds];
    std::vector<std::uint32_t> idle[kinds];
    std::vector<std::uint32_t> vacant[kinds];  ///< of objects that were destroyed
    std::uint32_t fresh[kinds] = {};
    bool making_room[kinds] = {};
    std::uint32_t last_serial = 0;
    std::uint64_t last_order = 0;
    std::vector<std::string> diary;

    /// The serial number, or 0 when it was refused.
    std::uint32_t spawn(unsigned of, script does) {
        if (rules_of[of].cap != 0 && count(of) >= rules_of[of].cap && !make_room(of)) {
            ++counts[of].refused;
            return 0;
        }
        const std::uint32_t serial = ++last_serial;
        lives.push_back({.serial = serial,
                         .of = of,
                         .does = does,
                         .hooks = 1,
                         .place = take_place(of),
                         .listeners = {},
                         .due = {}});
        ++counts[of].spawned;
        if (rules_of[of].lifetime != 0) set_lifetime(serial, rules_of[of].lifetime);
        if (rules_of[of].hooks) {
            note("begin", serial);
            run(does.begin, serial);
            note("in use", serial);
            run(does.in_use, serial);
        }
        find(serial)->hooks = 0;
        if (!find(serial)->active) finish(serial);
        return serial;
    }

    bool destroy(std::uint32_t serial, unsigned of) { return end(serial, of, true); }
    bool end(std::uint32_t serial, unsigned of, bool for_good = false) {
        if (serial == 0) return false;  // a null reference is nobody's
        life* const l = find(serial);
        if (l == nullptr || !l->active) {
            ++counts[of].stale_ends;
            return false;
        }
        l->active = false;
        l->for_good = for_good;
        if (l->hooks == 0) finish(serial);
        return true;
    }

    void end_all(unsigned of) {
        std::vector<std::uint32_t> all;
        for (const life& l : lives) {
            if (l.of == of) all.push_back(l.serial);
        }
        std::ranges::sort(all, {}, [&](std::uint32_t serial) { return find(serial)->place; });
        for (const std::uint32_t serial : all) {
            if (alive(serial)) end(serial, of);
        }
    }

    void tick() {
        for (unsigned of = 0; of < kinds; ++of) {
            clock& c = clocks[of];
            if (c.paused) continue;
            c.rest += c.steps;
            std::uint32_t steps = c.rest / c.per;
            c.rest %= c.per;
            for (; steps != 0; --steps) advance(of);
        }
    }

    bool set_lifetime(std::uint32_t serial, std::uint64_t in) {
        life* const l = find(serial);
        if (l == nullptr || !l->active) return false;
        forget_lifetime(*l);
        if (in == 0) return true;
        l->due = clocks[l->of].now + in;
        timers[l->of].push_back({*l->due, ++last_order, serial, 0, act::nothing});
        return true;
    }

    bool after(std::uint32_t serial, std::uint64_t in, std::uint32_t call, act does) {
        life* const l = find(serial);
        if (l == nullptr || !l->active) return false;
        timers[l->of].push_back({clocks[l->of].now + std::max<std::uint64_t>(in, 1), ++last_order, serial, call, does});
        return true;
    }
    bool cancel(std::uint32_t call) {
        for (auto& list : timers) {
            if (std::erase_if(list, [&](const timer& t) { return t.call == call; }) != 0) return true;
        }
        return false;
    }

    bool connect(std::uint32_t serial, std::uint32_t id, act does) {
        life* const l = find(serial);
        if (l == nullptr || !l->active) return false;
        l->listeners.push_back({id, does});
        return true;
    }
    bool disconnect(std::uint32_t id) {
        for (life& l : lives) {
            if (std::erase_if(l.listeners, [&](const listener& x) { return x.id == id; }) != 0) return true;
        }
        return false;
    }

    [[nodiscard]] bool alive(std::uint32_t serial) const {
        return std::ranges::any_of(lives, [&](const life& l) { return l.serial == serial && l.active; });
    }
    [[nodiscard]] std::uint32_t count(unsigned of) const {
        return static_cast<std::uint32_t>(std::ranges::count_if(lives, [&](const life& l) { return l.of == of; }));
    }
    /// The one that began first and is there still, ended or not; 0 for none.
    [[nodiscard]] std::uint32_t oldest(unsigned of) const {
        for (const life& l : lives) {
            if (l.of == of) return l.serial;
        }
        return 0;
    }
    [[nodiscard]] life* find(std::uint32_t serial) {
        for (life& l : lives) {
            if (l.serial == serial) return &l;
        }
        return nullptr;
    }
    [[nodiscard]] std::uint64_t left(std::uint32_t serial) {
        const life* const l = find(serial);
        return l != nullptr && l->due ? *l->due - clocks[l->of].now : 0;
    }

private:
    void note(const char* what, std::uint32_t serial) {
        diary.push_back(std::string(what) + " " + std::to_string(serial));
    }

    /// Last returned, first taken; else the lowest place without an object.
    std::uint32_t take_place(unsigned of) {
        if (idle[of].empty()) {
            const auto lowest = std::ranges::min_element(vacant[of]);
            if (lowest == vacant[of].end()) return fresh[of]++;
            const std::uint32_t place = *lowest;
            vacant[of].erase(lowest);
            return place;
        }
        const std::uint32_t place = idle[of].back();
        idle[of].pop_back();
        return place;
    }

    void run(act does, std::uint32_t self) {
        switch (does) {
            case act::nothing:
            case act::count: break;
            case act::end_self: end(self, find(self)->of); break;
            case act::end_oldest_imp: end(oldest(imp), imp); break;
            case act::end_oldest_orb: end(oldest(orb), orb); break;
            case act::spawn_imp: spawn(imp, {}); break;
            case act::spawn_orb: spawn(orb, {}); break;
            case act::end_all_orbs: end_all(orb); break;
            case act::destroy_self: destroy(self, find(self)->of); break;
            case act::destroy_oldest_orb: destroy(oldest(orb), orb); break;
        }
    }

    bool make_room(unsigned of) {
        if (making_room[of]) return false;
        making_room[of] = true;
        bool made = false;
        // The oldest that is inside none of its hooks: the others would go too late.
        const auto victim = std::find_if(lives.begin(), lives.end(),
                                         [&](const life& l) { return l.of == of && l.active && l.hooks == 0; });
        if (victim != lives.end() && end(victim->serial, of)) {
            ++counts[of].replaced;
            made = count(of) < rules_of[of].cap;
        }
        making_room[of] = false;
        return made;
    }

    void finish(std::uint32_t serial) {
        const unsigned of = find(serial)->of;
        const script does = find(serial)->does;
        forget_lifetime(*find(serial));
        find(serial)->hooks = 1;
        if (rules_of[of].hooks) {
            note("no use", serial);
            run(does.no_use, serial);
        }
        while (!find(serial)->listeners.empty()) {
            const listener l = find(serial)->listeners.front();
            find(serial)->listeners.erase(find(serial)->listeners.begin());
            note("told", l.id);
            run(l.does, serial);
        }
        note("finished", serial);
        if (rules_of[of].hooks) {
            note("release", serial);
            run(does.release, serial);
        }
        const bool for_good = find(serial)->for_good;
        (for_good ? vacant : idle)[of].push_back(find(serial)->place);
        if (for_good) ++counts[of].destroyed;
        std::erase_if(lives, [&](const life& l) { return l.serial == serial; });
        std::erase_if(timers[of], [&](const timer& t) { return t.serial == serial; });
        ++counts[of].returned;
    }

    void forget_lifetime(life& l) {
        if (!l.due) return;
        l.due.reset();
        std::erase_if(timers[l.of], [&](const timer& t) { return t.serial == l.serial && t.call == 0; });
    }

    void advance(unsigned of) {
        clocks[of].now += 1;
        for (;;) {
            auto next = timers[of].end();
            for (auto t = timers[of].begin(); t != timers[of].end(); ++t) {
                if (t->due == clocks[of].now && (next == timers[of].end() || t->order < next->order)) next = t;
            }
            if (next == timers[of].end()) return;
            const timer t = *next;
            timers[of].erase(next);
            life* const l = find(t.serial);
            if (l == nullptr || !l->active) continue;
            if (t.call == 0) {
                l->due.reset();
                ++counts[of].expired;
                end(t.serial, of);
            } else {
                note("call", t.call);
                ++l->hooks;
                run(t.does, t.serial);
                life* const after = find(t.serial);
                if (--after->hooks == 0 && !after->active) finish(t.serial);
            }
        }
    }
};

}  // namespace lido_test::world_model
