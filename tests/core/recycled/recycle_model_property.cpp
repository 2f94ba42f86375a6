// recycle_pool against two models: the one of every shape (X1, X3, X4), and one that also knows the idle stack, its cap and the lowest
// vacant slot, so that it foretells every handle (S3.2).
#include "core/property/model_property.hpp"

#include <lido/core/recycle_pool.hpp>

#include <map>
#include <set>
#include <vector>

namespace lido::test {

/// Owns memory and says how it begins anew.
class renewed_owner : public owner {
public:
    using owner::owner;
    void on_acquire(int v) noexcept { write(v); }
};

struct recycle_cells : pool_config {
    static constexpr const char* name = "cells";
    using pool = recycle_pool<cell>;
    static constexpr std::uint32_t capacity = 150;
};
struct recycle_owners : pool_config {
    static constexpr const char* name = "owners_growing";
    using pool = recycle_pool<renewed_owner>;
    static constexpr std::uint32_t capacity = 20;
    static constexpr on_full full = on_full::grow_to(150);
};
struct recycle_retiring : pool_config {
    static constexpr const char* name = "retiring";
    using pool = recycle_pool<renewed_owner, short_lived, heap_storage>;
    static constexpr std::uint32_t capacity = 70;
};
struct recycle_wrapping : pool_config {
    static constexpr const char* name = "wrapping";
    using pool = inline_recycle_pool<cell, 20, with(short_lived, generation_rule::wrap)>;
    static constexpr std::uint32_t capacity = 20;
};
struct recycle_oldest_retiring : pool_config {
    static constexpr const char* name = "replace_oldest_retiring";
    using pool = recycle_pool<renewed_owner, with(short_lived, track::age)>;
    static constexpr std::uint32_t capacity = 66;
    static constexpr on_full full = on_full::replace_oldest;
};
struct recycle_lowest : pool_config {
    static constexpr const char* name = "replace_lowest_headroom";
    using pool = recycle_pool<cell, with_headroom(with(options{}, track::priority))>;
    static constexpr std::uint32_t capacity = 40;
    static constexpr on_full full = on_full::replace_lowest;
    static constexpr lido::headroom headroom = {.above_percent = 80, .priority = 2};
};
struct recycle_grow_oldest : pool_config {
    static constexpr const char* name = "grow_then_replace_oldest";
    using pool = recycle_pool<renewed_owner, with(options{}, track::priority)>;
    static constexpr std::uint32_t capacity = 10;
    static constexpr on_full full = on_full::grow_to(90).then(on_full::replace_oldest);
};
struct recycle_replace_if : pool_config {
    static constexpr const char* name = "replace_if";
    using pool = recycle_pool<renewed_owner, options{.handle_bits = 32}>;
    static constexpr std::uint32_t capacity = 30;
    static constexpr on_full full = on_full::replace_if;
};

using recycle_configs =
    ::testing::Types<recycle_cells, recycle_owners, recycle_retiring, recycle_wrapping, recycle_oldest_retiring,
                     recycle_lowest, recycle_grow_oldest, recycle_replace_if>;
INSTANTIATE_TYPED_TEST_SUITE_P(recycle_pool, against_the_model, recycle_configs, config_name);

namespace recycle_model_property {

using pool_type = recycle_pool<renewed_owner, with(short_lived, track::nothing)>;
using handle_type = pool_type::handle_type;

constexpr std::uint32_t active_cap = 8;
constexpr std::uint32_t idle_cap = 12;

/// All that decides what comes next, as plainly as it can be said.
struct idle_model {
    std::map<handle_type, int> live;
    std::map<std::uint32_t, std::uint32_t> generation;
    std::vector<std::uint32_t> idle;
    std::set<std::uint32_t> retired;

    [[nodiscard]] bool full() const { return live.size() + retired.size() >= active_cap; }
    [[nodiscard]] bool vacant(std::uint32_t slot) const {
        if (retired.contains(slot) || std::find(idle.begin(), idle.end(), slot) != idle.end()) return false;
        return std::none_of(live.begin(), live.end(), [slot](const auto& l) { return l.first.index() == slot; });
    }
    [[nodiscard]] std::uint32_t lowest_vacant() const {
        for (std::uint32_t s = 0; s < idle_cap; ++s) {
            if (vacant(s)) return s;
        }
        return idle_cap;
    }
    handle_type begin(std::uint32_t slot, int value) {
        const auto h = handle_type::of(slot, ++generation[slot]);
        live[h] = value;
        return h;
    }
    handle_type acquire(int value) {
        if (full()) return {};
        if (idle.empty()) return begin(lowest_vacant(), value);
        const std::uint32_t slot = idle.back();
        idle.pop_back();
        return begin(slot, value);
    }
    void release(handle_type h) {
        live.erase(h);
        if (++generation[h.index()] == handle_type::last_generation) {
            retired.insert(h.index());
        } else if (idle.size() < idle_cap) {
            idle.push_back(h.index());
        }
    }
    void prewarm(std::uint32_t target) {
        while (idle.size() < std::min<std::size_t>(target, idle_cap - live.size() - retired.size()))
            idle.push_back(lowest_vacant());
    }
    void trim(std::uint32_t keep) {
        if (idle.size() > keep) idle.erase(idle.begin(), idle.end() - keep);
    }
};

RC_GTEST_PROP(recycle_pool_idle, every_handle_is_foretold_also_after_a_restore, ()) {
    const quiet_misuse quiet;
    pool_type pool{active_cap, {.idle_cap = idle_cap}};
    pool_type other{active_cap, {.idle_cap = idle_cap}};
    idle_model model;
    struct {
        snapshot state;
        std::vector<std::byte> image;
        idle_model model;
        std::uint64_t hash = 0;
    } saved;
    pool.save(saved.state);
    pool.save(saved.image);
    saved.hash = pool.state_hash();
    operation_dice d(*rc::gen::arbitrary<std::uint64_t>());
    const auto pick = [&] {
        auto at = model.live.begin();
        std::advance(at, d.below(static_cast<std::uint32_t>(model.live.size())));
        return at->first;
    };
    for (int step = 0; step < 400; ++step) {
        const std::uint32_t roll = d.below(20);
        if (roll < 8) {
            const handle_type got = pool.acquire(step);
            RC_ASSERT(got == model.acquire(step));
        } else if (roll < 14) {
            if (model.live.empty()) continue;
            const handle_type h = pick();
            RC_ASSERT(pool.release(h));
            model.release(h);
        } else if (roll == 14) {
            const std::uint32_t target = d.below(16);
            pool.prewarm(target);
            model.prewarm(target);
        } else if (roll == 15) {
            const std::uint32_t keep = d.below(6);
            static_cast<void>(pool.trim(keep));
            model.trim(keep);
            RC_ASSERT(pool.idle() <= keep);
        } else if (roll == 16) {
            const std::uint32_t slot = model.lowest_vacant();
            const bool fits = slot < idle_cap && model.idle.size() < idle_cap;
            RC_ASSERT(pool.adopt(renewed_owner(1)) == fits);
            if (fits) model.idle.push_back(slot);
        } else if (roll == 17) {
            const auto h = handle_type::of(d.below(idle_cap), 1 + 2 * d.below(7));
            const bool fits = !model.full() && model.generation[h.index()] < h.generation() &&
                              std::none_of(model.live.begin(), model.live.end(),
                                           [h](const auto& l) { return l.first.index() == h.index(); });
            RC_ASSERT(static_cast<bool>(pool.reserve(h, step)) == fits);
            if (fits) {
                std::erase(model.idle, h.index());
                model.generation[h.index()] = h.generation() - 1;
                model.begin(h.index(), step);
            }
        } else if (roll == 18) {
            RC_ASSERT(pool.save(saved.state));
            pool.save(saved.image);
            saved.model = model;
            saved.hash = pool.state_hash();
        } else {
            // Into the same pool or into another with a past of its own, from a snapshot or an image.
            if (d.below(3) == 0) std::swap(pool, other);
            const auto back = d.below(2) == 0 ? pool.restore(saved.state) : pool.restore(saved.image);
            RC_ASSERT(static_cast<bool>(back));
            model = saved.model;
            RC_ASSERT(pool.state_hash() == saved.hash);
        }
        const verdict v = pool.validate();
        if (!v) RC_FAIL(v.broken);
        RC_ASSERT(pool.size() == model.live.size());
        RC_ASSERT(pool.idle() <= model.idle.size());
        for (const auto& [h, value] : model.live) {
            RC_ASSERT(pool.get(h) != nullptr);
            RC_ASSERT(pool.get(h)->read() == value);
        }
    }
}

}  // namespace recycle_model_property
}  // namespace lido::test
