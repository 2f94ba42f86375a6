// Does every operation to a pool and to its model (pool_model.hpp), and compares them.
#pragma once

#include "core/property/pool_model.hpp"
#include "core/property/pool_operations.hpp"

#include <lido/core/dense_pool.hpp>
#include <lido/core/flag_pool.hpp>
#include <lido/core/rewind/rewind.hpp>
#include <lido/core/slot_pool.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lido::test {

template <class Config>
class model_run {
public:
    using model = pool_model<Config>;
    using pool_type = typename Config::pool;
    using element = typename pool_type::value_type;
    using handle_type = typename pool_type::handle_type;
    static constexpr options opts = pool_type::pool_options;

    /// Checks of everything run after each `full_check_every` operations; cheap ones after each.
    explicit model_run(std::uint32_t full_check_every) : full_check_every_(full_check_every) {
        for (side& s : sides_) s.pool = make();
    }

    /// Does one operation to the pool and the model. False once they have disagreed; `error()` says how.
    bool step(const op& o) {
        ++steps_;
        apply(o);
        side& s = now();
        expect(s.pool->size() == s.m.size(), "size differs");
        expect(s.pool->capacity() == s.m.capacity, "capacity differs");
        expect(s.pool->full() == s.m.full(), "full() differs");
        expect(evicted_.empty(), "an object was ended that nothing asked for");
        for (int i = 0; i < 4 && !ever_.empty(); ++i) {
            const std::size_t at = (steps_ * 4 + static_cast<std::size_t>(i)) % ever_.size();
            check_handle(s, ever_[at]);
        }
        if (steps_ % full_check_every_ == 0) check_all();
        return error_.empty();
    }

    /// Compares everything. For the end of a run.
    bool check_all() {
        for (side& s : sides_) check_side(s);
        for (const handle_type h : ever_) check_handle(now(), h);
        return error_.empty();
    }

    [[nodiscard]] const std::string& error() const { return error_; }
    [[nodiscard]] std::size_t steps() const { return steps_; }
    [[nodiscard]] pool_type& pool() { return *now().pool; }

private:
    struct held_lease {
        std::size_t side;
        typename pool_type::lease_type lease;
        handle_type handle;
        bool attached;
    };

    // Two pools of the same type; images and snapshots go between them.
    struct side {
        std::unique_ptr<pool_type> pool;
        model m;
    };

    struct saved {
        snapshot state;
        std::vector<std::byte> image;
        model m;
        std::uint64_t hash = 0;
        bool filled = false;
    };

    static constexpr std::size_t ring_size = 8;

    std::unique_ptr<pool_type> make() {
        typename pool_type::settings_type settings{
            .on_full = Config::full,
            .headroom = Config::headroom,
            .victim = [](const element& e) { return model::may_end(e.read()); },
            .on_evict = [this](handle_type h, element&) { evicted_.push_back(h); },
        };
        if constexpr (requires { pool_type(settings); }) {
            return std::make_unique<pool_type>(settings);
        } else {
            return std::make_unique<pool_type>(Config::capacity, settings);
        }
    }

    side& now() { return sides_[active_]; }

    void expect(bool holds, const char* what) {
        if (!holds && error_.empty()) error_ = "at operation " + std::to_string(steps_) + ": " + what;
    }

    // --- comparing ---

    void check_handle(side& s, handle_type h) {
        const auto found = s.m.live.find(h);
        const element* const object = std::as_const(*s.pool).get(h);
        expect(s.pool->contains(h) == (found != s.m.live.end()), "contains() differs for a handle that was issued");
        expect((object != nullptr) == (found != s.m.live.end()), "get() differs for a handle that was issued");
        if (object != nullptr && found != s.m.live.end()) {
            expect(object->read() == found->second.value, "an object has another value");
            expect(s.pool->handle_of(*object) == h, "handle_of() is not the handle");
        }
    }

    void check_side(side& s) {
        const verdict v = s.pool->validate();
        expect(static_cast<bool>(v), v.broken);
        std::uint32_t seen = 0;
        handle_type before{};
        for (const auto [h, object] : std::as_const(*s.pool).each()) {
            const auto found = s.m.live.find(h);
            expect(found != s.m.live.end(), "each() gives a handle that is not live");
            if (found != s.m.live.end()) expect(object.read() == found->second.value, "each() gives another value");
            if (pool_type::stable_addresses) expect(seen == 0 || before < h, "each() is not in slot order");
            before = h;
            ++seen;
        }
        expect(seen == s.m.size(), "each() does not give every object once");
        seen = 0;
        std::as_const(*s.pool).for_each([&seen](const element&) { ++seen; });
        expect(seen == s.m.size(), "for_each() does not give every object once");

        const pool_stats st = s.pool->stats();
        expect(st.size == s.m.size() && st.capacity == s.m.capacity, "stats: size or capacity");
        expect(st.max_capacity == model::max_capacity(), "stats: max_capacity");
        expect(st.retired == s.m.retired, "stats: retired");
        expect(st.peak == s.m.peak, "stats: peak");
        expect(st.acquired == s.m.acquired && st.released == s.m.acquired - s.m.size(), "stats: lives");
        expect(st.refused == s.m.counters.refused, "stats: refused");
        expect(st.refused_headroom == s.m.counters.refused_headroom, "stats: refused_headroom");
        expect(st.replaced == s.m.counters.replaced, "stats: replaced");
        expect(st.grown == s.m.counters.grown, "stats: grown");
        expect(st.rests_cut_short == s.m.counters.rests_cut_short, "stats: rests_cut_short");
        expect(st.bad_releases == s.m.counters.bad_releases, "stats: bad_releases");
    }

    void check_leases() {
        for (const held_lease& l : leases_) {
            side& s = sides_[l.side];
            const bool lives = l.attached && s.m.live.contains(l.handle);
            expect(static_cast<bool>(l.lease) == lives, "a lease differs from its object");
            expect(l.lease.handle() == (l.attached ? l.handle : handle_type{}), "a lease has another handle");
        }
    }

    // --- acquiring ---

    /// Growth, refusal and evictions as the rules say; true when an object must come of it.
    bool expect_room(side& s, std::uint8_t priority, refusal& why) {
        model& m = s.m;
        if constexpr (opts.headroom) {
            const std::uint32_t gate = (model::max_capacity() * Config::headroom.above_percent + 99) / 100;
            if (m.size() >= gate && priority < Config::headroom.priority) {
                ++m.counters.refused;
                ++m.counters.refused_headroom;
                why = refusal::headroom;
                return false;
            }
        }
        if (!m.full()) return true;
        if (m.capacity < model::max_capacity()) {
            m.grow(0);
            return true;
        }
        while (m.full()) {
            const handle_type victim = m.victim(priority);
            if (!victim) {
                ++m.counters.refused;
                why = refusal::full;
                return false;
            }
            expect(!evicted_.empty() && evicted_.front() == victim, "another object was ended than the rule says");
            if (!evicted_.empty()) evicted_.pop_front();
            m.end_life(victim);
            ++m.counters.replaced;
        }
        return true;
    }

    void expect_new(side& s, handle_type h, int value, std::uint8_t priority) {
        model& m = s.m;
        const std::uint32_t slot = h.index();
        expect(slot < model::max_capacity(), "a handle names a slot that the pool cannot have");
        if (pool_type::stable_addresses) expect(slot < m.capacity, "a handle names a slot past the capacity");
        expect(h.generation() == (model::none ? 1 : m.generation_of(slot) + 1),
               "a generation is not the slot's next one");
        expect((h.generation() & 1) == 1, "a new handle has an even generation");
        expect(!m.live.contains(h), "one object was handed out twice");
        if (model::lowest) {
            std::uint32_t first = 0;
            while (!free_for_lowest(m, first)) ++first;
            // A slot that rests is taken only when no other is free; that is checked below.
            if (!m.rests(slot)) expect(slot == first, "the slot is not the lowest free one");
        }
        if (opts.reuse_delay != 0 && m.rests(slot)) {
            expect(m.size() + m.retired + m.resting.size() >= m.capacity,
                   "a rest was cut short though a slot was free");
            expect(m.resting.front() == slot, "the slot that was cut short is not the one that rested longest");
            std::erase(m.resting, slot);
            ++m.counters.rests_cut_short;
        }
        m.begin_life(h, value, priority);
        remember(h);
        check_handle(s, h);
    }

    [[nodiscard]] static bool free_for_lowest(const model& m, std::uint32_t slot) {
        if constexpr (model::none) return !m.live.contains(handle_type::of(slot, 1));
        const std::uint32_t g = m.generation_of(slot);
        return (g & 1) == 0 && g != handle_type::last_generation && !m.rests(slot);
    }

    void remember(handle_type h) {
        // After a rewind handles come again; one of each is enough.
        if (known_.insert({h, true}).second) ever_.push_back(h);
    }

    template <class F>
    void acquire_one(side& s, std::uint8_t priority, int value, F&& call) {
        evicted_.clear();
        const auto got = call(value);
        refusal why = refusal::none;
        const bool fits = expect_room(s, priority, why);
        expect(static_cast<bool>(got) == fits,
               fits ? "refused though there was room" : "given though there was no room");
        if (got && fits) {
            expect_new(s, got.handle(), value, priority);
            expect(got.get() == s.pool->get(got.handle()), "acquire gives another object than get()");
        } else if (!fits) {
            expect(s.pool->why_refused() == why, "another reason for the refusal");
            expect(!got.handle(), "a refused acquire has a handle");
        }
    }

    [[nodiscard]] int fresh_value() { return next_value_++; }

    [[nodiscard]] handle_type pick_live(side& s, std::uint32_t a) const {
        if (s.m.live.empty()) return {};
        auto at = s.m.live.begin();
        std::advance(at, a % s.m.live.size());
        return at->first;
    }

    void expect_release(side& s, handle_type h, bool answer) {
        const bool lived = s.m.live.contains(h);
        expect(answer == lived, lived ? "a live handle was not released" : "a dead handle was released");
        if (lived) {
            s.m.end_life(h);
        } else {
            ++s.m.counters.bad_releases;
        }
    }

    // --- the operations ---

    void apply(const op& o) {
        side& s = now();
        pool_type& p = *s.pool;
        switch (o.kind) {
            case op_kind::acquire: acquire_one(s, 0, fresh_value(), [&](int v) { return p.acquire(v); }); break;
            case op_kind::acquire_as: {
                const auto priority = static_cast<std::uint8_t>(o.a % 18);  // 16 and 17 are above the highest
                acquire_one(s, priority, fresh_value(), [&](int v) { return p.acquire_as({priority}, v); });
                break;
            }
            case op_kind::release_live: {
                const handle_type h = pick_live(s, o.a);
                expect_release(s, h, p.release(h));
                check_handle(s, h);
                break;
            }
            case op_kind::release_ended: {
                if (ever_.empty()) break;
                const handle_type h = ever_[o.a % ever_.size()];
                expect_release(s, h, p.release(h));
                expect_release(s, h, p.release(h));  // the second is a double release, whatever the first was
                break;
            }
            case op_kind::release_wild: {
                const handle_type h = wild(o);
                expect_release(s, h, p.release(h));
                break;
            }
            case op_kind::ask_wild: check_handle(s, wild(o)); break;
            case op_kind::release_object: {
                const handle_type h = pick_live(s, o.a);
                if (!h) break;
                expect_release(s, h, p.release(*p.get(h)));
                break;
            }
            case op_kind::release_foreign: {
                const element stranger(1);
                expect(!p.release(stranger), "an object of nobody was released");
                expect(!p.handle_of(stranger), "an object of nobody has a handle");
                ++s.m.counters.bad_releases;
                break;
            }
            case op_kind::release_if: release_if(s, o); break;
            case op_kind::acquire_n: acquire_n(s, o); break;
            case op_kind::release_n: release_n(s, o); break;
            case op_kind::reserve: reserve(s, o); break;
            case op_kind::clear:
                p.clear();
                s.m.clear();
                for (held_lease& l : leases_) l.attached = l.attached && l.side != active_;
                check_leases();
                break;
            case op_kind::trim:
                static_cast<void>(p.trim());
                s.m.trim();
                break;
            case op_kind::write: {
                const handle_type h = pick_live(s, o.a);
                if (!h) break;
                const int value = fresh_value();
                p.get(h)->write(value);
                s.m.live[h].value = value;
                break;
            }
            case op_kind::lease: take_lease(s); break;
            case op_kind::drop_lease: drop_lease(o); break;
            case op_kind::save: {
                saved& to = saves_[o.a % saves_.size()];
                expect(p.save(to.state), "a save was refused");
                to.m = s.m;
                to.hash = p.state_hash();
                to.filled = true;
                break;
            }
            case op_kind::restore: {
                const saved& from = saves_[o.a % saves_.size()];
                if (o.b % 4 == 0) active_ = 1 - active_;
                const restore_result r = now().pool->restore(from.state);
                expect(static_cast<bool>(r) == from.filled, r.what());
                if (from.filled) restored(from.m, from.hash);
                break;
            }
            case op_kind::save_image: {
                saved& to = images_[o.a % images_.size()];
                p.save(to.image);
                to.m = s.m;
                to.hash = p.state_hash();
                to.filled = true;
                break;
            }
            case op_kind::restore_image: {
                const saved& from = images_[o.a % images_.size()];
                if (o.b % 2 == 0) active_ = 1 - active_;
                const restore_result r = now().pool->restore(from.image);
                expect(static_cast<bool>(r) == from.filled, r.what());
                if (!from.filled) break;
                restored(from.m, from.hash);
                std::vector<std::byte> again;
                now().pool->save(again);
                expect(again == from.image, "the image of a restored pool is not the image it was restored from");
                break;
            }
            case op_kind::tick: tick(s); break;
            case op_kind::jump: jump(o); break;
            case op_kind::count: break;
        }
    }

    [[nodiscard]] static handle_type wild(const op& o) {
        using bits = typename handle_type::bits_type;
        if (o.a % 2 == 0) return handle_type::of(o.b % (model::max_capacity() + 4), (o.a >> 1) & 15);
        return handle_type::from_bits(static_cast<bits>(std::uint64_t{o.a} << 32 | o.b));
    }

    void release_if(side& s, const op& o) {
        const int modulus = 2 + static_cast<int>(o.a % 7);
        const int rest = static_cast<int>(o.b % static_cast<std::uint32_t>(modulus));
        std::vector<std::pair<handle_type, int>> visited;
        const std::uint32_t size_before = s.m.size();
        const std::uint32_t ended = s.pool->release_if([&](const element& e) {
            visited.emplace_back(s.pool->handle_of(e), e.read());
            return e.read() % modulus == rest;
        });
        expect(visited.size() == size_before, "release_if did not visit each object once");
        std::uint32_t expected = 0;
        for (const auto& [h, value] :
             visited) {  // in the order of the visit, which is the order in which slots came free
            expect(s.m.live.contains(h) && s.m.live[h].value == value,
                   "release_if visited something that does not live");
            if (value % modulus != rest || !s.m.live.contains(h)) continue;
            s.m.end_life(h);
            ++expected;
        }
        expect(ended == expected, "release_if answers another number");
    }

    void acquire_n(side& s, const op& o) {
        std::vector<handle_type> out(o.a % 24);
        // A pool that chooses whom it ends may end an object of this very call, whose handle is then given to nobody: the model could
        // not tell the slot's next life. So these come one by one; what acquire_n gives then has tests of its own (bulk_test.cpp).
        if (Config::full.at_the_end() == on_full::ending::replace_if &&
            s.m.size() + s.m.retired + out.size() > s.m.capacity) {
            for (std::size_t i = 0; i < out.size(); ++i)
                acquire_one(s, 0, fresh_value(), [&](int v) { return s.pool->acquire(v); });
            return;
        }
        const int value = fresh_value();
        evicted_.clear();
        const std::uint32_t got = s.pool->acquire_n(out, value);
        std::uint32_t expected = 0;
        refusal why = refusal::none;
        for (; expected < out.size() && expect_room(s, 0, why); ++expected) {
            const handle_type h = out[expected];
            expect(static_cast<bool>(h), "acquire_n left a null where there was room");
            if (!h) return;
            expect(s.pool->contains(h), "acquire_n gave a handle that does not live");
            expect_new(s, h, value, 0);
        }
        expect(got == expected, "acquire_n answers another number");
        for (std::size_t i = expected; i < out.size(); ++i)
            expect(!out[i], "acquire_n wrote a handle that it did not acquire");
    }

    void release_n(side& s, const op& o) {
        std::vector<handle_type> some;
        for (std::uint32_t i = 0; i < o.b % 12; ++i) {
            // live ones, the same twice, and stale ones
            some.push_back(i % 3 != 2 || ever_.empty() ? pick_live(s, o.a + i * 7 / 2)
                                                       : ever_[(o.a + i) % ever_.size()]);
        }
        const std::uint32_t got = s.pool->release_n(some);
        std::uint32_t expected = 0;
        for (const handle_type h : some) {
            const bool lived = s.m.live.contains(h);
            expected += lived ? 1 : 0;
            expect_release(s, h, lived);
        }
        expect(got == expected, "release_n answers another number");
    }

    void reserve(side& s, const op& o) {
        model& m = s.m;
        const std::uint32_t slot = o.a % (model::max_capacity() + 2);
        std::uint32_t life = o.b % 4 == 0 ? o.b >> 2 & 7 : m.generation_of(slot) + 1 + (o.b >> 2 & 3);
        if (o.b % 16 == 1) life = handle_type::last_generation - 1;
        life &= handle_type::last_generation + 1;  // what fits a handle
        const handle_type h = handle_type::of(slot, life);
        const int value = fresh_value();
        evicted_.clear();
        const auto got = s.pool->reserve(h, value);

        refusal why = refusal::none;
        const bool in_range = model::none ? life == 1 : (life & 1) != 0 && life < handle_type::last_generation;
        const std::uint32_t had = model::none ? (m.live.contains(h) ? 1 : 0) : m.generation_of(slot);
        const bool grows = slot >= m.capacity || (model::dense && m.full());
        if (!in_range || slot >= model::max_capacity()) {
            why = refusal::out_of_range;
        } else if ((had & 1) != 0) {
            why = refusal::slot_taken;
        } else if (!model::none && had >= life) {
            why = refusal::generation_passed;
        } else if (model::dense && grows && m.size() + m.retired >= model::max_capacity()) {
            why = refusal::full;
        }
        expect(static_cast<bool>(got) == (why == refusal::none), "reserve was refused, or not, against the rules");
        if (!got || why != refusal::none) {
            expect(s.pool->why_refused() == why, "reserve has another reason for the refusal");
            ++m.counters.refused;
            return;
        }
        expect(got.handle() == h, "reserve gave another handle than it was asked for");
        const std::uint32_t capacity_before = m.capacity;
        if (grows) {
            m.grow(std::uint64_t{slot} + 1);
            if (m.capacity == capacity_before) --m.counters.grown;
        }
        std::erase(m.resting, slot);
        m.begin_life(h, value, 0);
        remember(h);
        check_handle(s, h);
    }

    void take_lease(side& s) {
        evicted_.clear();
        const int value = fresh_value();
        auto lease = s.pool->lease(value);
        refusal why = refusal::none;
        const bool fits = expect_room(s, 0, why);
        expect(static_cast<bool>(lease) == fits, "a lease was refused, or not, against the rules");
        if (!lease || !fits) return;
        const handle_type h = lease.handle();
        expect_new(s, h, value, 0);
        leases_.push_back({active_, std::move(lease), h, true});
        check_leases();
    }

    void drop_lease(const op& o) {
        if (leases_.empty()) return;
        auto at = leases_.begin();
        std::advance(at, o.a % leases_.size());
        side& s = sides_[at->side];
        const handle_type h = at->handle;
        const bool lived = at->attached && s.m.live.contains(h);
        if (o.b % 4 == 0) {
            expect(at->lease.keep() == (at->attached ? h : handle_type{}), "keep() gives another handle");
            leases_.erase(at);
        } else {
            leases_.erase(at);
            if (lived) s.m.end_life(h);
        }
        check_handle(s, h);
        check_leases();
    }

    // --- rewinding ---

    void restored(const model& to, std::uint64_t hash) {
        side& s = now();
        // A life that had ended may come back; its lease does not.
        for (held_lease& l : leases_) {
            if (l.side == active_ && !s.m.live.contains(l.handle)) l.attached = false;
        }
        s.m = to;
        expect(s.pool->state_hash() == hash, "the state hash after a restore is not the saved one");
        for (held_lease& l : leases_) {
            if (l.side == active_ && !s.m.live.contains(l.handle)) l.attached = false;
        }
        check_leases();
    }

    void tick(side& s) {
        ++tick_;
        beat_ += fresh_value();
        expect(ring_.save(tick_, *s.pool, beat_), "a tick was not kept");
        ticks_.erase(ticks_.lower_bound(tick_), ticks_.end());
        if (tick_ >= ring_size) ticks_.erase(ticks_.begin(), ticks_.upper_bound(tick_ - ring_size));
        ticks_[tick_] = {s.m, s.pool->state_hash(), beat_};
        check_ring();
    }

    void jump(const op& o) {
        const std::uint64_t newest = ticks_.empty() ? 0 : ticks_.rbegin()->first;
        const std::uint64_t to = newest - std::min<std::uint64_t>(newest, o.a % (ring_size + 2));
        const auto found = ticks_.find(to);
        const restore_result r = ring_.restore(to, *now().pool, beat_);
        expect(static_cast<bool>(r) == (found != ticks_.end()), "a jump was refused, or not, against the rules");
        if (found == ticks_.end()) {
            expect(r.error == restore_error::not_kept, "another reason for a tick that is not kept");
            return;
        }
        restored(found->second.m, found->second.hash);
        expect(beat_ == found->second.beat, "a plain struct beside the pool was not restored");
        tick_ = to;
        check_ring();
    }

    void check_ring() {
        for (std::uint64_t t = tick_ > ring_size + 2 ? tick_ - ring_size - 2 : 0; t < tick_ + ring_size + 2; ++t) {
            expect(ring_.has(t) == ticks_.contains(t), "the ring keeps other ticks");
        }
        if (ticks_.empty()) return;
        expect(ring_.oldest() == ticks_.begin()->first, "the oldest kept tick differs");
        expect(ring_.newest() == ticks_.rbegin()->first, "the newest kept tick differs");
    }

    struct kept_tick {
        model m;
        std::uint64_t hash = 0;
        std::int64_t beat = 0;
    };

    std::uint32_t full_check_every_;
    std::string error_;
    std::size_t steps_ = 0;
    std::size_t active_ = 0;
    int next_value_ = 1;
    std::deque<handle_type> evicted_;
    std::array<side, 2> sides_;
    std::vector<handle_type> ever_;
    std::map<handle_type, bool> known_;
    std::array<saved, 3> saves_;
    std::array<saved, 2> images_;
    rewind<ring_size> ring_;
    std::uint64_t tick_ = 0;
    std::int64_t beat_ = 0;
    std::map<std::uint64_t, kept_tick> ticks_;
    std::list<held_lease> leases_;  // last: leases end before the pools do
};

}  // namespace lido::test
