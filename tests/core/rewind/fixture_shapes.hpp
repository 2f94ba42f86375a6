// What the fixtures are made of: every shape of pool, and a script that calls all that a user can call.
//
// Nothing here may change: what was written with it is kept. A new shape or call goes into a new header, for fixtures of its own.
#pragma once

#include <lido/core/bytemap_pool.hpp>
#include <lido/core/capped_list.hpp>
#include <lido/core/column_pool.hpp>
#include <lido/core/dense_pool.hpp>
#include <lido/core/flag_pool.hpp>
#include <lido/core/meta/hash.hpp>
#include <lido/core/recycle_pool.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/core/ring_pool.hpp>
#include <lido/core/slot_pool.hpp>

#include "support/fixtures.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

/// Not in an unnamed namespace: the names of the elements are part of the images.
namespace lido::fixtures {

struct shot {
    float x;
    float y;
    std::int16_t dx;
    std::int16_t dy;
    std::uint32_t owner;
};
static_assert(sizeof(shot) == 16, "no padding, so that an image has no byte that nobody wrote");

/// Owns memory, and writes itself.
struct ember {
    shot body{};
    std::vector<std::uint32_t> trail;

    void on_acquire(const shot& from) {
        body = from;
        trail.assign(from.owner % 4, from.owner);
    }
    void save(image_writer& w) const {
        w.put(static_cast<std::uint32_t>(static_cast<std::int32_t>(body.x * 4)));
        w.put(static_cast<std::uint32_t>(static_cast<std::int32_t>(body.y * 4)));
        w.put(static_cast<std::uint16_t>(body.dx));
        w.put(body.owner);
        w.put(static_cast<std::uint32_t>(trail.size()));
        for (const std::uint32_t t : trail) w.put(t);
    }
    bool load(image_reader& r) {
        body.x = static_cast<float>(static_cast<std::int32_t>(r.take<std::uint32_t>())) / 4;
        body.y = static_cast<float>(static_cast<std::int32_t>(r.take<std::uint32_t>())) / 4;
        body.dx = static_cast<std::int16_t>(r.take<std::uint16_t>());
        body.dy = -3;
        body.owner = r.take<std::uint32_t>();
        const auto count = r.take<std::uint32_t>();
        if (!r.has(count, sizeof(std::uint32_t))) return false;
        for (std::uint32_t i = 0; i < count; ++i) trail.push_back(r.take<std::uint32_t>());
        return true;
    }
};

/// A plain struct beside the pools.
struct weather {
    std::uint64_t random;
    double wind;
};

/// A family of classes, of which a bytemap_pool saves only the map.
struct creature {
    explicit creature(std::uint32_t number) : age(number) {}
    virtual ~creature() = default;
    std::uint32_t age;
};
struct wolf : creature {
    using creature::creature;
    std::uint32_t hunger = 7;
};

using test::dice;

inline std::uint32_t owner_of(const shot& s) { return s.owner; }
inline std::uint32_t owner_of(const ember& e) { return e.body.owner; }
template <class Pool>
std::uint32_t owner_of(const column_row<Pool, shot>& row) {
    return row.template get<&shot::owner>();
}

// Quarters and halves, so that every sum is exact.
inline void move_on(shot& s) { s.y += 0.5f; }
inline void move_on(ember& e) {
    e.body.y += 0.5f;
    e.trail.push_back(e.body.owner);
    if (e.trail.size() > 6) e.trail.clear();
}
template <class Pool>
void move_on(const column_row<Pool, shot>& row) {
    row.template get<&shot::y>() += 0.5f;
}

/// A pool, or several, that a script plays with. Type-erased, so that tests are compiled once.
class actor {
public:
    actor() = default;
    actor(const actor&) = delete;
    actor& operator=(const actor&) = delete;
    virtual ~actor() = default;

    /// Asks no full pool for an object: for pools whose state a refusal changes, which it did not in 0.1.0.
    bool full_pools_are_left_alone = false;

    /// One call or a few, as the dice say.
    virtual void step(dice& d) = 0;
    /// Knows what lives now and nothing else, as after a restore, and has answered nothing yet.
    virtual void begin_anew() = 0;

    [[nodiscard]] virtual std::vector<std::byte> image() const = 0;
    [[nodiscard]] virtual restore_result restore(std::span<const std::byte> image) = 0;
    [[nodiscard]] virtual std::uint64_t state_hash() const = 0;
    [[nodiscard]] virtual verdict validate() const = 0;
    [[nodiscard]] virtual pool_stats stats() const = 0;
    /// All that the calls since the beginning have answered, as one number.
    [[nodiscard]] virtual std::uint64_t answers() const = 0;
};

inline shot make_shot(dice& d) {
    const std::uint32_t a = d.next();  // a line each: arguments have no order
    const std::uint32_t b = d.next();
    return {static_cast<float>(a % 1000) * 0.25f, -1.5f, static_cast<std::int16_t>(a % 512), -3, b};
}

inline request make_request(dice& d) {
    const auto priority = static_cast<std::uint8_t>(d.below(5));
    const auto kind = static_cast<std::uint8_t>(d.below(3));
    return {.priority = priority, .kind = kind};
}

/// The figures that do not depend on the build.
inline void add_stats(hasher& h, const pool_stats& s) {
    h.add(s.size).add(s.capacity).add(s.max_capacity).add(s.peak).add(s.retired).add(s.acquired).add(s.released);
    h.add(s.refused).add(s.refused_headroom).add(s.refused_kind_cap).add(s.refused_no_memory).add(s.merged);
    h.add(s.replaced).add(s.grown).add(s.rests_cut_short).add(s.bad_releases);
}

/// The script for every pool with handles. Some of the handles that it keeps are stale: that is part of it.
template <class Pool>
class pool_actor : public actor {
public:
    using handle_type = typename Pool::handle_type;
    using settings_type = typename Pool::settings_type;

    /// `size` is the capacity, or nothing for a pool that lies in itself.
    template <class... Size>
    explicit pool_actor(settings_type settings, Size... size) : pool(size..., told(settings)) {}

    void step(dice& d) override {
        const std::uint32_t roll = d.below(32);
        if (roll < 14) {
            const request wish = make_request(d);
            const shot s = make_shot(d);
            note(left_alone() ? handle_type{} : pool.acquire_as(wish, s).handle());
        } else if (roll < 22) {
            if (!known_.empty()) answers_.add(pool.release(some(d, d.below(4) != 0)));
        } else if (roll == 22) {
            if (known_.empty()) return;
            if (const auto object = pool.try_get(some(d, false))) answers_.add(pool.release(*object));
        } else if (roll == 23) {
            if (known_.empty()) return;
            if (const auto object = pool.try_get(some(d, false))) move_on(*object);
        } else if (roll == 24) {
            several(d);
        } else if (roll == 25) {
            pool.for_each([this](auto&& object) {
                move_on(object);
                answers_.add(owner_of(object));
            });
        } else if (roll == 26) {
            const std::uint32_t part = d.below(16);
            answers_.add(pool.release_if([part](const auto& object) { return owner_of(object) % 16 == part; }));
        } else if (roll == 27) {
            reserve(d);
        } else if (roll == 28) {
            lease(d);
        } else if (roll == 29) {
            walk_back(d);
        } else if (roll == 30) {
            idle_objects(d);
        } else {
            const std::uint32_t rare = d.below(32);
            if (rare == 0) pool.clear();
            if (rare < 8) static_cast<void>(pool.trim());  // the bytes depend on the machine's pages
            add_stats(answers_, pool.stats());
        }
    }

    void begin_anew() override {
        answers_ = hasher();
        known_.clear();
        for (auto&& [handle, object] : pool.each()) known_.push_back(handle);
    }

    [[nodiscard]] std::vector<std::byte> image() const override {
        std::vector<std::byte> bytes;
        pool.save(bytes);
        return bytes;
    }
    [[nodiscard]] restore_result restore(std::span<const std::byte> image) override { return pool.restore(image); }
    [[nodiscard]] std::uint64_t state_hash() const override { return pool.state_hash(); }
    [[nodiscard]] verdict validate() const override { return pool.validate(); }
    [[nodiscard]] pool_stats stats() const override { return pool.stats(); }
    [[nodiscard]] std::uint64_t answers() const override { return answers_.digest(); }

private:
    /// Whom a full pool ends is an answer, too.
    settings_type told(settings_type settings) {
        settings.on_evict = [this](handle_type handle, typename Pool::reference object) {
            answers_.add(handle.to_bits()).add(owner_of(object));
        };
        return settings;
    }

    void note(handle_type handle) {
        answers_.add(handle.to_bits());
        if (handle) return keep(handle);
        answers_.add(static_cast<std::uint32_t>(pool.why_refused()));
        if constexpr (requires { pool.merged_into(); }) {
            if (pool.why_refused() == refusal::merged) answers_.add(pool.merged_into().to_bits());
        }
    }

    /// Stale handles are forgotten before they are most of what is known.
    void keep(handle_type handle) {
        known_.push_back(handle);
        if (known_.size() > 2 * std::size_t{pool.size()} + 32)
            std::erase_if(known_, [this](handle_type h) { return !pool.contains(h); });
    }

    /// One of the known handles. Those that are not forgotten are stale when they come again.
    handle_type some(dice& d, bool forget) {
        const std::size_t at = d.below(static_cast<std::uint32_t>(known_.size()));
        const handle_type handle = known_[at];
        if (forget) {
            known_[at] = known_.back();
            known_.pop_back();
        }
        return handle;
    }

    /// As acquire_n of 0.1.0, which gave the handles of newcomers, too, that a later one had replaced.
    template <class Value>
    std::uint32_t acquire_n_as_then(std::span<handle_type> out, const Value& value) {
        if (full_pools_are_left_alone)
            out = out.first((std::min)(out.size(), std::size_t{pool.capacity() - pool.size()}));
        if (!lido::detail::replaces(pool)) return pool.acquire_n(out, value);
        std::uint32_t done = 0;
        for (; done < out.size(); ++done) {
            const auto one = pool.acquire(value);
            if (!one) break;
            out[done] = one;
        }
        return done;
    }

    void several(dice& d) {
        if (d.below(2) == 0) {
            std::array<handle_type, 7> made{};
            const std::uint32_t count = d.below(7) + 1;
            answers_.add(acquire_n_as_then(std::span(made).first(count), make_shot(d)));
            for (const handle_type handle : made) {
                answers_.add(handle.to_bits());
                if (handle) keep(handle);
            }
        } else if (!known_.empty()) {
            std::array<handle_type, 3> ended{};
            for (handle_type& handle : ended) handle = some(d, false);
            answers_.add(pool.release_n(std::span<const handle_type>(ended)));
        }
    }

    void reserve([[maybe_unused]] dice& d) {
        if constexpr (requires(handle_type h, shot s) { pool.reserve(h, s); }) {
            if (known_.empty()) return;
            const handle_type last = some(d, false);
            const std::uint32_t later = d.below(3);
            const shot s = make_shot(d);
            handle_type asked;
            if constexpr (requires { handle_type::generation_bits; }) {
                const std::uint64_t mask = (std::uint64_t{1} << handle_type::generation_bits) - 1;
                const std::uint64_t generation = (std::uint64_t{last.generation()} + 2 * later) & mask;
                asked = handle_type::of(last.index(), static_cast<std::uint32_t>(generation));
            } else {
                asked = handle_type::of(static_cast<std::uint32_t>(last.index()), (last.seed() + later) % 128);
            }
            note(pool.reserve(asked, s).handle());
        }
    }

    [[nodiscard]] bool left_alone() const { return full_pools_are_left_alone && pool.size() == pool.capacity(); }

    void lease(dice& d) {
        if (left_alone()) return static_cast<void>(make_shot(d));
        auto held = pool.lease(make_shot(d));
        answers_.add(held.handle().to_bits());
        if (held && d.below(2) == 0) keep(held.keep());
    }

    void walk_back([[maybe_unused]] dice& d) {
        if constexpr (requires { pool.backward(); }) {
            const std::uint32_t part = d.below(16);
            for (auto&& object : pool.backward()) {
                answers_.add(owner_of(object));
                if (owner_of(object) % 16 == part) answers_.add(pool.release(object));
            }
        }
        if constexpr (requires { pool.row(0u); }) {
            if (pool.size() >= 2) swap(pool.row(0u), pool.row(pool.size() - 1));
        }
    }

    void idle_objects([[maybe_unused]] dice& d) {
        if constexpr (requires { pool.prewarm(1u); }) {
            const std::uint32_t what = d.below(4);
            const std::uint32_t count = d.below(12);
            ember fresh;
            fresh.on_acquire(make_shot(d));
            if (what == 0) pool.prewarm(pool.waiting() + count);
            if (what == 1) static_cast<void>(pool.trim(count));
            if (what == 2) answers_.add(pool.adopt(std::move(fresh)));
            if (what == 3) note(pool.adopt_active(std::move(fresh)).handle());
            answers_.add(pool.waiting());
        }
    }

    hasher answers_;
    std::vector<handle_type> known_;

public:
    Pool pool;  // the last: it tells the others of its evictions
};

/// A capped_list has no handles: it goes by rows.
template <class List>
class list_actor : public actor {
public:
    explicit list_actor(typename List::settings_type settings) : list(told(settings)) {}

    void step(dice& d) override {
        const std::uint32_t roll = d.below(16);
        if (roll < 10) {
            const request wish = make_request(d);
            const shot* const made = list.push_as(wish, make_shot(d));
            answers_.add(made != nullptr ? static_cast<std::uint32_t>(made - list.data()) + 1 : 0u);
            if (made == nullptr) answers_.add(static_cast<std::uint32_t>(list.why_refused()));
        } else if (roll < 13) {
            answers_.add(list.swap_remove(d.below(list.capacity())));
        } else if (roll == 13) {
            const std::uint32_t part = d.below(4);
            answers_.add(list.release_if([part](const shot& s) { return s.owner % 4 == part; }));
        } else if (roll == 14) {
            for (shot& s : list.backward()) {
                move_on(s);
                answers_.add(s.owner);
                if (s.owner % 16 == 0) answers_.add(list.release(s));
            }
        } else {
            if (d.below(16) == 0) list.clear();
            add_stats(answers_, list.stats());
        }
    }
    void begin_anew() override { answers_ = hasher(); }

    [[nodiscard]] std::vector<std::byte> image() const override {
        std::vector<std::byte> bytes;
        list.save(bytes);
        return bytes;
    }
    [[nodiscard]] restore_result restore(std::span<const std::byte> image) override { return list.restore(image); }
    [[nodiscard]] std::uint64_t state_hash() const override { return list.state_hash(); }
    [[nodiscard]] verdict validate() const override { return list.validate(); }
    [[nodiscard]] pool_stats stats() const override { return list.stats(); }
    [[nodiscard]] std::uint64_t answers() const override { return answers_.digest(); }

private:
    typename List::settings_type told(typename List::settings_type settings) {
        settings.on_evict = [this](std::uint32_t row, shot& s) { answers_.add(row).add(s.owner); };
        return settings;
    }

    hasher answers_;

public:
    List list;
};

/// The map that a bytemap_pool of many classes saves: objects are made anew under their handles.
class map_actor : public actor {
public:
    using pool_type = bytemap_pool<creature, 32>;
    using handle_type = pool_type::handle_type;

    explicit map_actor(std::uint32_t slots) : pool(slots) {}

    void step(dice& d) override {
        const std::uint32_t roll = d.below(16);
        if (roll < 7) {
            const std::uint32_t age = d.next();
            if (full_pools_are_left_alone && pool.size() == pool.capacity()) return;
            const handle_type made = age % 2 == 0 ? pool.acquire(age).handle() : pool.acquire<wolf>(age).handle();
            answers_.add(made.to_bits());
            if (made) known_.push_back(made);
        } else if (roll < 14) {
            if (known_.empty()) return;
            const std::size_t at = d.below(static_cast<std::uint32_t>(known_.size()));
            answers_.add(pool.release(known_[at]));
            if (d.below(4) != 0) known_.erase(known_.begin() + static_cast<std::ptrdiff_t>(at));
        } else if (roll == 14) {
            const std::uint32_t slot = d.below(pool.capacity());
            const std::uint32_t seed = d.below(128);
            const handle_type made = pool.reserve(handle_type::of(slot, seed), d.next()).handle();
            answers_.add(made.to_bits());
            if (made) known_.push_back(made);
        } else if (d.below(16) == 0) {
            answers_.add(pool.release_if([this](const creature& c) { return pool.index_of(c) % 3 == 0; }));
        }
    }
    void begin_anew() override {
        answers_ = hasher();
        known_.clear();
        for (auto&& [handle, object] : pool.each()) known_.push_back(handle);
    }

    [[nodiscard]] std::vector<std::byte> image() const override {
        std::vector<std::byte> bytes;
        pool.save_map(bytes);
        return bytes;
    }
    [[nodiscard]] restore_result restore(std::span<const std::byte> image) override {
        return pool.load_map(image, [this](handle_type handle) { static_cast<void>(pool.reserve(handle, 0u)); });
    }
    [[nodiscard]] std::uint64_t state_hash() const override { return bytes_checksum(image()); }
    [[nodiscard]] verdict validate() const override { return pool.validate(); }
    [[nodiscard]] pool_stats stats() const override { return pool.stats(); }
    [[nodiscard]] std::uint64_t answers() const override { return answers_.digest(); }

private:
    hasher answers_;
    std::vector<handle_type> known_;

public:
    pool_type pool;
};

// --- the shapes: options that are part of an image, each at least once --------------------------------------------------------------

using slot_plain = slot_pool<shot>;
using slot_kept_for_some = slot_pool<shot, options{.handle_bits = 32, .headroom = true, .kinds = 3}>;
using slot_ranked = slot_pool<shot, options{.tracks = track::priority}>;
using slot_resting =
    slot_pool<shot, options{.handle_bits = 32, .index_bits = 26, .tracks = track::age, .reuse_delay = 12}>;
using slot_lowest = slot_pool<shot, options{.handle_bits = 32, .order = reuse::lowest}>;
using slot_wrapping =
    slot_pool<shot, options{.handle_bits = 32, .index_bits = 26, .generations = generation_rule::wrap}>;
using slot_marked = slot_pool<shot, options{.tracks = track::age, .mark_changes = true}>;
using flag_plain = flag_pool<shot, 150>;
using flag_bare = flag_pool<shot, 150, options{.generations = generation_rule::none}>;
using dense_plain = dense_pool<shot>;
using dense_wide = dense_pool<shot, options{.tracks = track::age, .max_rows = 1u << 22}>;
using dense_resting = dense_pool<shot, options{.handle_bits = 32, .index_bits = 26, .reuse_delay = 12}>;
using dense_marked = dense_pool<shot, options{.mark_changes = true}>;
using column_plain = column_pool<shot>;
using column_ranked =
    column_pool<shot, options{.handle_bits = 32, .index_bits = 26, .tracks = track::priority, .reuse_delay = 7}>;
using recycle_plain = recycle_pool<ember>;
using recycle_ranked = recycle_pool<ember, options{.handle_bits = 32, .index_bits = 26, .tracks = track::priority}>;
using ring_plain = ring_pool<shot>;
using ring_worn = ring_pool<shot, options{.handle_bits = 32, .index_bits = 27}>;
using list_plain = capped_list<shot, 60>;
using list_ranked = capped_list<shot, 15, options{.tracks = track::priority}>;
using bytemap_plain = bytemap_pool<shot>;

/// Several pools and a plain struct in one image.
class group_actor : public actor {
public:
    group_actor() : slots_({}, 50u), rows_({.on_full = on_full::grow_to(80)}, 20u), ring_({}, 30u), list_({}) {}

    void step(dice& d) override {
        const std::uint32_t which = d.below(4);
        if (which == 0) slots_.step(d);
        if (which == 1) rows_.step(d);
        if (which == 2) ring_.step(d);
        if (which == 3) list_.step(d);
        sky_.random = sky_.random * 3 + d.next();
        sky_.wind += 0.125;
    }
    void begin_anew() override {
        slots_.begin_anew();
        rows_.begin_anew();
        ring_.begin_anew();
        list_.begin_anew();
    }

    [[nodiscard]] std::vector<std::byte> image() const override {
        std::vector<std::byte> bytes;
        save(bytes, slots_.pool, rows_.pool, ring_.pool, list_.list, sky_);
        return bytes;
    }
    [[nodiscard]] restore_result restore(std::span<const std::byte> image) override {
        return lido::restore(image, slots_.pool, rows_.pool, ring_.pool, list_.list, sky_);
    }
    [[nodiscard]] std::uint64_t state_hash() const override {
        return lido::state_hash(slots_.pool, rows_.pool, ring_.pool, list_.list, sky_);
    }
    [[nodiscard]] verdict validate() const override {
        if (const verdict v = slots_.validate(); !v) return v;
        if (const verdict v = rows_.validate(); !v) return v;
        if (const verdict v = ring_.validate(); !v) return v;
        return list_.validate();
    }
    [[nodiscard]] pool_stats stats() const override { return slots_.stats(); }  // of the first will do
    [[nodiscard]] std::uint64_t answers() const override {
        hasher h;
        h.add(slots_.answers()).add(rows_.answers()).add(ring_.answers()).add(list_.answers());
        return h.digest();
    }

private:
    pool_actor<slot_plain> slots_;
    pool_actor<dense_plain> rows_;
    pool_actor<ring_plain> ring_;
    list_actor<list_plain> list_;
    weather sky_{0x1234567890abcdefU, -0.125};
};

/// A shape under the name of its file. `times` is 1 for an image and more for a long run, in which slots must not wear out.
struct fixture {
    const char* name;
    std::unique_ptr<actor> (*make)(std::uint32_t times);
};

template <class Pool>
std::unique_ptr<actor> pool_of(typename Pool::settings_type settings, auto... size) {
    return std::make_unique<pool_actor<Pool>>(settings, size...);
}

/// Folds into what has the same owner, modulo 4.
inline bool fold(shot& existing, const shot& newcomer) {
    if (existing.owner % 4 != newcomer.owner % 4) return false;
    existing.y += 1;
    return true;
}

inline constexpr fixture all_fixtures[] = {
    {"slot_pool", [](std::uint32_t) { return pool_of<slot_plain>({}, 200u); }},
    {"slot_pool_merge",
     [](std::uint32_t) { return pool_of<slot_plain>({.on_full = on_full::merge, .merge = &fold}, 40u); }},
    {"slot_pool_headroom_kinds",
     [](std::uint32_t) {
         return pool_of<slot_kept_for_some>({.on_full = on_full::grow_to(120),
                                             .headroom = {.above_percent = 50, .priority = 3},
                                             .kind_caps = {0, 55, 40}},
                                            50u);
     }},
    {"slot_pool_priority",
     [](std::uint32_t) {
         return pool_of<slot_ranked>({.on_full = on_full::grow_to(100).then(on_full::replace_lowest)}, 10u);
     }},
    {"slot_pool_delay",
     [](std::uint32_t times) { return pool_of<slot_resting>({.on_full = on_full::replace_oldest}, 60u * times); }},
    {"slot_pool_lowest", [](std::uint32_t) { return pool_of<slot_lowest>({}, 130u); }},
    {"slot_pool_wrap", [](std::uint32_t) { return pool_of<slot_wrapping>({}, 25u); }},
    {"slot_pool_marked",
     [](std::uint32_t) { return pool_of<slot_marked>({.on_full = on_full::replace_oldest}, 100u); }},
    {"flag_pool", [](std::uint32_t) { return pool_of<flag_plain>({}); }},
    {"flag_pool_bare", [](std::uint32_t) { return pool_of<flag_bare>({}); }},
    {"dense_pool",
     [](std::uint32_t) {
         return pool_of<dense_plain>(
             {.on_full = on_full::replace_if, .victim = [](const shot& s) { return s.owner % 3 == 0; }}, 50u);
     }},
    {"dense_pool_wide",
     [](std::uint32_t) {
         return pool_of<dense_wide>({.on_full = on_full::grow_to(70).then(on_full::replace_oldest)}, 10u);
     }},
    {"dense_pool_delay", [](std::uint32_t times) { return pool_of<dense_resting>({}, 60u * times); }},
    {"dense_pool_marked", [](std::uint32_t) { return pool_of<dense_marked>({}, 70u); }},
    {"column_pool", [](std::uint32_t) { return pool_of<column_plain>({}, 70u); }},
    {"column_pool_priority",
     [](std::uint32_t times) {
         return pool_of<column_ranked>({.on_full = on_full::grow_to(65 * times).then(on_full::replace_lowest)},
                                       40u * times);
     }},
    {"recycle_pool", [](std::uint32_t) { return pool_of<recycle_plain>({.idle_cap = 12}, 60u); }},
    {"recycle_pool_priority",
     [](std::uint32_t times) {
         return pool_of<recycle_ranked>(
             {.on_full = on_full::grow_to(110 * times).then(on_full::replace_lowest), .idle_cap = 30}, 40u * times);
     }},
    {"ring_pool", [](std::uint32_t) { return pool_of<ring_plain>({}, 100u); }},
    {"ring_pool_worn", [](std::uint32_t times) { return pool_of<ring_worn>({}, 106u * times); }},
    {"capped_list",
     [](std::uint32_t) -> std::unique_ptr<actor> {
         using settings = list_plain::settings_type;
         return std::make_unique<list_actor<list_plain>>(settings{});
     }},
    {"capped_list_priority",
     [](std::uint32_t) -> std::unique_ptr<actor> {
         using settings = list_ranked::settings_type;
         return std::make_unique<list_actor<list_ranked>>(settings{.on_full = on_full::replace_lowest});
     }},
    {"bytemap_pool", [](std::uint32_t) { return pool_of<bytemap_plain>({}, 100u); }},
    {"bytemap_pool_map", [](std::uint32_t) -> std::unique_ptr<actor> { return std::make_unique<map_actor>(100u); }},
    {"several_pools", [](std::uint32_t) -> std::unique_ptr<actor> { return std::make_unique<group_actor>(); }},
};

}  // namespace lido::fixtures
