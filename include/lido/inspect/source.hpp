// What the inspector asks of a pool, a world, a stage or a store, with the type taken off. The only templates of the layer: they hand figures on and
// keep nothing.
#pragma once

#include <lido/core/pool.hpp>
#include <lido/core/stats.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Of the layer of entities, which only those include who have a stage to show.
namespace lido {
class any_entity_ref;
class entity_look;
class journal;
class link_names;
struct entity_class_info;
struct entity_info;
struct entity_place;
struct journal_entry;
struct stage_stats;
}  // namespace lido

namespace lido::inspect {

/// A slot that holds a life now, and which. Generation 0: this shape does not tell lives apart. Odd: generations go up by two a life.
/// Even: two lives of a slot have different ones, mostly.
struct slot_life {
    std::uint32_t slot;
    std::uint32_t generation;
};

/// What a class of a world counts, as it is collected, kept and written.
struct class_numbers {
    bool built = false;
    bool paused = false;
    std::uint32_t timers = 0;
    std::uint32_t listeners = 0;
    std::uint32_t to_prewarm = 0;
    std::uint32_t scale_steps = 1;
    std::uint32_t scale_per = 1;
    std::uint64_t spawned = 0;
    std::uint64_t returned = 0;
    std::uint64_t expired = 0;
    std::uint64_t destroyed = 0;  ///< for good
    std::uint64_t replaced = 0;
    std::uint64_t refused = 0;
    std::uint64_t stale_ends = 0;
};

/// Figures of a class of a world. In `pool`, refused, replaced and merged are the world's. The texts live as long as the world does not change its classes.
struct watched_class : class_numbers {
    std::string_view name;  ///< empty: the class was removed
    std::string_view type;
    pool_stats pool;
};

/// Pre of every call: the pool is alive, and nobody changes it meanwhile.
struct pool_source {
    const void* pool = nullptr;
    pool_stats (*stats)(const void*) noexcept = nullptr;
    /// Appends the live slots.
    void (*look)(const void*, std::vector<slot_life>&) = nullptr;
};

struct world_source {
    const void* world = nullptr;
    const char* role = "";
    std::uint64_t (*now)(const void*) noexcept = nullptr;
    std::uint32_t (*classes)(const void*) noexcept = nullptr;
    watched_class (*figures)(const void*, std::uint32_t) noexcept = nullptr;
    /// Appends the live slots of a class.
    void (*look)(const void*, std::uint32_t, std::vector<slot_life>&) = nullptr;
};

/// Nothing here changes the stage. Pre of every call: it is alive, and nobody changes it meanwhile.
struct stage_source {
    const void* stage = nullptr;
    const link_names* links = nullptr;
    const char* role = "";
    std::uint64_t (*now)(const void*) noexcept = nullptr;
    stage_stats (*stats)(const void*) noexcept = nullptr;
    const journal& (*changes)(const void*) noexcept = nullptr;
    /// Every class has a number below this one.
    std::uint32_t (*classes)(const void*) noexcept = nullptr;
    entity_class_info (*class_info)(const void*, std::uint32_t) noexcept = nullptr;
    entity_look (*find)(const void*, std::string_view) noexcept = nullptr;
    /// Who an entry of the journal speaks of; false where that life is over.
    entity_info (*whose)(const void*, const journal_entry&) noexcept = nullptr;
    /// Calls f(to, look) for who lives in the next places; f returns whether to go on. Moves `at` to where to go on.
    void (*walk)(const void*, entity_place* at, std::uint32_t places, void* to,
                 bool (*f)(void*, const entity_look&)) = nullptr;
    bool (*is_through)(const void*, const entity_place&) noexcept = nullptr;
};

/// What a store counts, as it is collected, kept and written.
struct store_numbers {
    bool ready = false;
    std::uint64_t run = 0;
    std::uint64_t entities = 0;
    std::uint64_t pending = 0;
    std::uint64_t loading = 0;
    std::uint64_t bytes_held = 0;
    std::uint64_t durable_tick = 0;
    std::uint64_t durable_commit = 0;
    std::uint64_t confirmed_tick = 0;
    std::uint64_t confirmed_commit = 0;
    std::uint64_t saves = 0;
    std::uint64_t coalesced = 0;
    std::uint64_t superseded = 0;
    std::uint64_t failed = 0;
    std::uint64_t loads = 0;
    std::uint64_t loads_refused = 0;
    std::uint64_t transactions = 0;
    std::uint64_t retries = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t snapshots = 0;
    std::uint64_t creations_refused = 0;
};

/// Nothing here changes the store, or waits for its database. Pre of every call: it is alive, and nobody else calls it meanwhile.
struct store_source {
    const void* store = nullptr;
    store_numbers (*numbers)(const void*) noexcept = nullptr;
    /// What the database is, for people.
    const std::string& (*describe)(const void*) noexcept = nullptr;
    /// What is wrong, in words; empty where nothing is.
    std::string (*trouble)(const void*) = nullptr;
};

/// Said by what it can do, so that this layer needs no database.
template <class S>
concept watchable_store = requires(const S& s) {
    s.stats().durable.tick;
    s.stats().pending;
    s.run();
    { s.describe() } -> std::same_as<const std::string&>;
    { s.trouble() } -> std::same_as<std::string>;
    static_cast<bool>(s);
};

template <class S>
concept watchable_stage = requires(const S& s, const journal_entry& e) {
    s.class_info_of(s.class_limit()).schema;
    s.look_at(s.find(std::string_view())).info();
    s.changes().stats();
    s.whose(e);
    to_string(s.as());
};

template <class W>
concept watchable_world = requires(const W& w) {
    { w.class_count() } -> std::convertible_to<std::uint32_t>;
    w.stats(w.class_count()).pool;
    w.now().count;
    to_string(w.as());
};

template <class P>
concept watchable_pool = requires(const P& p) {
    { p.stats() } -> std::same_as<pool_stats>;
};

template <class Handle>
[[nodiscard]] slot_life slot_of(const Handle& handle) noexcept {
    if constexpr (requires { handle.generation(); }) {
        return {static_cast<std::uint32_t>(handle.index()), static_cast<std::uint32_t>(handle.generation())};
    } else {
        return {static_cast<std::uint32_t>(handle.index()), 2 * static_cast<std::uint32_t>(handle.seed()) + 2};
    }
}

template <class Pool>
[[nodiscard]] pool_source source_of(const Pool& pool) noexcept {
    pool_source s;
    s.pool = &pool;
    s.stats = [](const void* p) noexcept { return static_cast<const Pool*>(p)->stats(); };
    if constexpr (requires { pool.each(); }) {
        s.look = [](const void* p, std::vector<slot_life>& out) {
            for (auto&& [handle, object] : static_cast<const Pool*>(p)->each()) out.push_back(slot_of(handle));
        };
    } else {
        // Rows of a list: which are there, and not which life is in them, because elements move.
        s.look = [](const void* p, std::vector<slot_life>& out) {
            const std::uint32_t size = static_cast<const Pool*>(p)->size();
            for (std::uint32_t row = 0; row < size; ++row) out.push_back({row, 0});
        };
    }
    return s;
}

template <class World>
[[nodiscard]] world_source world_source_of(const World& world) noexcept {
    world_source s;
    s.world = &world;
    s.role = to_string(world.as());
    s.now = [](const void* w) noexcept { return static_cast<const World*>(w)->now().count; };
    s.classes = [](const void* w) noexcept {
        return static_cast<std::uint32_t>(static_cast<const World*>(w)->class_count());
    };
    s.figures = [](const void* w, std::uint32_t n) noexcept {
        const World& from = *static_cast<const World*>(w);
        const auto c = from.stats(static_cast<decltype(from.class_count())>(n));
        watched_class f;
        f.name = c.name;
        f.type = c.type;
        f.built = c.built;
        f.paused = c.paused;
        f.timers = c.timers;
        f.listeners = c.listeners;
        f.to_prewarm = c.to_prewarm;
        f.scale_steps = c.scale.steps;
        f.scale_per = c.scale.per;
        f.spawned = c.counters.spawned;
        f.returned = c.counters.returned;
        f.expired = c.counters.expired;
        f.destroyed = c.counters.destroyed;
        f.replaced = c.counters.replaced;
        f.refused = c.counters.refused;
        f.stale_ends = c.counters.stale_ends;
        f.pool = c.pool;
        // The pool of a class refuses, and the world then makes room, merges, or passes the refusal on: what became of the request only
        // the world knows.
        f.pool.refused = c.counters.refused;
        f.pool.replaced = c.counters.replaced;
        f.pool.merged = c.counters.merged;
        return f;
    };
    s.look = [](const void* w, std::uint32_t n, std::vector<slot_life>& out) {
        const World& from = *static_cast<const World*>(w);
        from.for_each_slot(static_cast<decltype(from.class_count())>(n),
                           [&out](std::uint32_t slot, std::uint32_t generation) {
                               out.push_back({slot, generation});
                           });
    };
    return s;
}

template <class Stage>
[[nodiscard]] stage_source stage_source_of(const Stage& stage) noexcept {
    stage_source s;
    s.stage = &stage;
    s.links = &stage;
    s.role = to_string(stage.as());
    s.now = [](const void* from) noexcept { return static_cast<const Stage*>(from)->now().count; };
    s.stats = [](const void* from) noexcept { return static_cast<const Stage*>(from)->stats(); };
    s.changes = [](const void* from) noexcept -> const journal& { return static_cast<const Stage*>(from)->changes(); };
    s.classes = [](const void* from) noexcept {
        return static_cast<std::uint32_t>(static_cast<const Stage*>(from)->class_limit());
    };
    s.class_info = [](const void* from, std::uint32_t n) noexcept {
        const Stage& of = *static_cast<const Stage*>(from);
        return of.class_info_of(static_cast<decltype(of.class_limit())>(n));
    };
    s.find = [](const void* from, std::string_view id) noexcept {
        const Stage& in = *static_cast<const Stage*>(from);
        return in.look_at(in.find(id));
    };
    s.whose = [](const void* from, const journal_entry& e) noexcept {
        const Stage& in = *static_cast<const Stage*>(from);
        return in.info(in.whose(e));
    };
    s.walk = [](const void* from, entity_place* at, std::uint32_t places, void* to,
                bool (*f)(void*, const entity_look&)) {
        *at = static_cast<const Stage*>(from)->look_through(*at, places, [&](const auto& e) { return f(to, e); });
    };
    s.is_through = [](const void* from, const entity_place& at) noexcept {
        return static_cast<const Stage*>(from)->is_through(at);
    };
    return s;
}

template <class Store>
[[nodiscard]] store_source store_source_of(const Store& store) noexcept {
    store_source s;
    s.store = &store;
    s.numbers = [](const void* from) noexcept {
        const Store& of = *static_cast<const Store*>(from);
        const auto said = of.stats();
        store_numbers n;
        n.ready = static_cast<bool>(of);
        n.run = of.run();
        n.entities = said.entities;
        n.pending = said.pending;
        n.loading = said.loading;
        n.bytes_held = said.bytes_held;
        n.durable_tick = said.durable.tick;
        n.durable_commit = said.durable.commit;
        n.confirmed_tick = said.confirmed.tick;
        n.confirmed_commit = said.confirmed.commit;
        n.saves = said.saves;
        n.coalesced = said.coalesced;
        n.superseded = said.superseded;
        n.failed = said.failed;
        n.loads = said.loads;
        n.loads_refused = said.loads_refused;
        n.transactions = said.transactions;
        n.retries = said.retries;
        n.bytes_written = said.bytes_written;
        n.snapshots = said.snapshots;
        n.creations_refused = said.creations_refused;
        return n;
    };
    s.describe = [](const void* from) noexcept -> const std::string& {
        return static_cast<const Store*>(from)->describe();
    };
    s.trouble = [](const void* from) { return static_cast<const Store*>(from)->trouble(); };
    return s;
}

}  // namespace lido::inspect
