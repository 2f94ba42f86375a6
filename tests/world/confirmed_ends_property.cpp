// X2: random spawns, ends, confirms and rollbacks of 1 to 8 ticks, against a model of twenty lines: on_release runs exactly once for each life
// that is over for certain, and never for one that came back. A second world that confirms later stays equal.
#include <lido/core/rewind/save.hpp>
#include <lido/world/world.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace world_confirmed_ends_property {

using lido::ref;
using lido::ticks;
using counts = std::map<std::uint32_t, int>;

constexpr std::uint32_t window = 8;

/// State, and owns memory: a restore brings its value back.
struct copied {
    static constexpr auto release = lido::on_confirm;
    using payload_type = std::pair<std::uint32_t, counts*>;
    std::uint32_t serial = 0;
    counts* released = nullptr;
    std::string text;
    void on_acquire(const payload_type& with) {
        serial = with.first;
        released = with.second;
        text = "a text that is too long for the inside of a string, of " + std::to_string(serial);
    }
    [[nodiscard]] bool whole() const {
        return text == "a text that is too long for the inside of a string, of " + std::to_string(serial);
    }
    void on_release() noexcept { ++(*released)[serial]; }
    void hash(lido::hasher& h) const noexcept { h.add(std::uint64_t{serial}); }
};

/// Owns memory that nobody can copy: a restore leaves it.
struct kept {
    static constexpr auto release = lido::on_confirm;
    using payload_type = copied::payload_type;
    std::uint32_t serial = 0;
    counts* released = nullptr;
    std::unique_ptr<std::uint32_t> own;
    void on_acquire(const payload_type& with) {
        serial = with.first;
        released = with.second;
        own = std::make_unique<std::uint32_t>(serial);
    }
    [[nodiscard]] bool whole() const { return own != nullptr && *own == serial; }
    void on_release() noexcept {
        own.reset();
        ++(*released)[serial];
    }
    void hash(lido::hasher& h) const noexcept { h.add(std::uint64_t{serial}); }
};

/// What must be so.
template <class T>
struct model {
    struct end {
        std::uint32_t serial;
        std::uint64_t tick;
    };
    struct state {
        std::map<std::uint32_t, ref<T>> active;
        std::vector<end> waiting;
        std::uint64_t now = 0;
    };
    state at;
    counts released;

    void finish(std::uint32_t serial) {
        at.waiting.push_back({serial, at.now});
        at.active.erase(serial);
    }
    void release_if(auto&& certain) {
        for (const end& e : at.waiting) {
            if (!released.contains(e.serial) && certain(e)) ++released[e.serial];
        }
    }
    void tick() {
        ++at.now;
        release_if([&](const end& e) { return e.tick + window < at.now; });
        std::erase_if(at.waiting, [&](const end& e) { return e.tick + window < at.now; });
    }
    void confirm(std::uint64_t last) {
        release_if([&](const end& e) { return e.tick <= last; });
    }
    /// Whoever lives there must still be there.
    [[nodiscard]] bool may_restore(const state& to) const {
        return std::ranges::none_of(to.active, [&](const auto& it) { return released.contains(it.first); });
    }
    void restore(const state& to) {
        const auto known = [&](std::uint32_t serial) {
            return to.active.contains(serial) ||
                   std::ranges::any_of(to.waiting, [&](const end& e) { return e.serial == serial; });
        };
        for (const auto& [serial, which] : at.active) {
            if (!known(serial)) ++released[serial];
        }
        for (const end& e : at.waiting) {
            if (!released.contains(e.serial) && !known(e.serial)) ++released[e.serial];
        }
        at = to;
    }
};

template <class T>
struct machine {
    counts released;
    std::map<std::uint32_t, T*> address;
    lido::world world{lido::role::client, {.rollback = window}};
    std::deque<lido::snapshot> past;

    machine() { world.add<T>("it", {.leaks = lido::leaks::allow}); }
    ref<T> spawn(std::uint32_t serial) {
        const auto got = world.spawn<T>({}, typename T::payload_type{serial, &released});
        RC_ASSERT(static_cast<bool>(got));
        address[serial] = got.get();
        return got;
    }
};

template <class T>
void play() {
    model<T> m;
    machine<T> early, late;
    std::deque<typename model<T>::state> past;
    std::uint32_t serials = 0;
    std::uint64_t confirmed_late = 0;
    const auto save = [&] {
        for (machine<T>* it : {&early, &late}) RC_ASSERT(it->world.save(it->past.emplace_back()));
        past.push_back(m.at);
        if (past.size() <= window + 2) return;
        past.pop_front();
        early.past.pop_front();
        late.past.pop_front();
    };
    save();
    const int steps = *rc::gen::inRange(20, 160);
    for (int step = 0; step < steps; ++step) {
        const auto what = *rc::gen::inRange(0, 12);
        if (what < 4) {
            const std::uint32_t serial = ++serials;
            const ref<T> first = early.spawn(serial);
            RC_ASSERT(late.spawn(serial) == first);
            m.at.active[serial] = first;
        } else if (what < 7) {
            if (m.at.active.empty()) continue;
            const auto who =
                std::next(m.at.active.begin(), *rc::gen::inRange<long>(0, static_cast<long>(m.at.active.size())));
            const ref<T> which = who->second;
            RC_ASSERT(early.world.return_to_pool(which));
            RC_ASSERT(late.world.return_to_pool(which));
            RC_ASSERT(!early.world.return_to_pool(which));
            m.finish(who->first);
        } else if (what < 10) {
            early.world.tick();
            late.world.tick();
            m.tick();
            save();
        } else if (what == 10) {
            const std::uint64_t last =
                m.at.now - std::min<std::uint64_t>(m.at.now, *rc::gen::inRange<std::uint64_t>(0, 5));
            m.confirm(last);
            early.world.confirm({last});
            confirmed_late = std::max(confirmed_late, last);
            if (*rc::gen::inRange(0, 3) == 0)
                late.world.confirm({confirmed_late - std::min<std::uint64_t>(confirmed_late, 2)});
        } else {
            const std::size_t back = *rc::gen::inRange<std::size_t>(1, window + 2);
            if (back >= past.size()) continue;
            const std::size_t to = past.size() - 1 - back;
            const bool may = m.may_restore(past[to]);
            RC_ASSERT(static_cast<bool>(early.world.restore(early.past[to])) == may);
            if (!may) continue;
            RC_ASSERT(static_cast<bool>(late.world.restore(late.past[to])));
            m.restore(past[to]);
            confirmed_late = 0;
            past.resize(to + 1);
            early.past.resize(to + 1);
            late.past.resize(to + 1);
        }
        RC_ASSERT(early.released == m.released);
        RC_ASSERT(early.world.state_hash() == late.world.state_hash());
        RC_ASSERT(early.world.template active<T>() == m.at.active.size());
        for (const auto& [serial, which] : m.at.active) {
            for (machine<T>* it : {&early, &late}) {
                T* const object = it->world.get(which);
                RC_ASSERT(object != nullptr);
                RC_ASSERT(object == it->address[serial]);
                RC_ASSERT(object->serial == serial);
                RC_ASSERT(object->whole());
            }
        }
        RC_ASSERT(static_cast<bool>(early.world.validate()));
    }
    m.release_if([](const auto&) { return true; });
    early.world.confirm_all();
    late.world.confirm_all();
    RC_ASSERT(early.released == m.released);
    RC_ASSERT(late.released == m.released);
    for (const auto& [serial, times] : m.released) RC_ASSERT(times == 1);
}

RC_GTEST_PROP(confirmed_ends, X2_objects_that_are_copied_are_released_once, ()) { play<copied>(); }
RC_GTEST_PROP(confirmed_ends, X2_objects_that_are_kept_are_released_once, ()) { play<kept>(); }

}  // namespace world_confirmed_ends_property
