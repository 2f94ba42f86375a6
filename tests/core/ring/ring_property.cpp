// A ring_pool and a model: a list of (slot, handle, value) in the order of age, with the rule of the next slot spelled out.
#include <lido/core/ring_pool.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace ring_property {

using namespace lido;

template <class Pool>
struct ring_model {
    using handle_type = typename Pool::handle_type;
    struct life {
        handle_type handle;
        std::uint32_t value;
    };
    std::deque<life> lives;                      // the oldest first
    std::map<std::uint32_t, std::uint32_t> had;  // slot -> generation
    std::uint32_t capacity = 0;
    std::uint32_t next = 0;

    [[nodiscard]] bool worn(std::uint32_t s) {
        return Pool::pool_options.generations == generation_rule::retire && had[s] == handle_type::last_generation;
    }
    [[nodiscard]] std::uint32_t after(std::uint32_t s) {
        std::uint32_t at = s;
        do at = (at + 1) % (capacity + 1);
        while (worn(at) && at != s);
        return at;
    }
    void end(std::size_t i) {
        const bool newest = i + 1 == lives.size();
        std::uint32_t& g = had[lives[i].handle.index()];
        if (++g == handle_type::last_generation && Pool::pool_options.generations == generation_rule::wrap) g = 0;
        lives.erase(lives.begin() + static_cast<std::ptrdiff_t>(i));
        if (newest && !lives.empty()) next = after(lives.back().handle.index());
    }
    handle_type acquire(std::uint32_t value) {
        std::uint32_t usable = 0;
        for (std::uint32_t s = 0; s <= capacity; ++s) usable += worn(s) ? 0 : 1;
        if (usable <= 1) return {};
        const std::uint32_t slot = next;
        while (!lives.empty() && lives.front().handle.index() == after(slot)) end(0);
        const auto h = handle_type::of(slot, ++had[slot]);
        lives.push_back({h, value});
        next = after(slot);
        return h;
    }
    bool release(handle_type h) {
        for (std::size_t i = 0; i < lives.size(); ++i) {
            if (lives[i].handle == h) return end(i), true;
        }
        return false;
    }
};

template <class Pool>
void compare(Pool& pool, const ring_model<Pool>& m) {
    const verdict v = pool.validate();
    if (!v) RC_FAIL(v.broken);
    RC_ASSERT(pool.size() == m.lives.size());
    std::uint32_t i = 0;
    for (auto [handle, object] : pool.each()) {
        RC_ASSERT(handle == m.lives[i].handle);
        RC_ASSERT(object == m.lives[i].value);
        RC_ASSERT(pool.oldest(i) == &object);
        ++i;
    }
    RC_ASSERT(i == m.lives.size());
}

template <class Pool>
void agrees() {
    const misuse_handler before = set_misuse_handler([](const misuse&) {});
    const auto slots = static_cast<std::uint32_t>(*rc::gen::inRange(1, 150));
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    Pool pool(slots);
    ring_model<Pool> m;
    m.capacity = slots;
    std::vector<typename Pool::handle_type> known{{}};
    std::vector<std::byte> image;
    snapshot memory;
    pool.save(image);
    RC_ASSERT(pool.save(memory));
    auto by_image = m;
    auto by_memory = m;
    std::uint64_t random = seed | 1;
    const auto below = [&random](std::uint32_t n) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        return static_cast<std::uint32_t>((random >> 32) % n);
    };
    const std::uint32_t bias = 3 + below(8);
    for (int step = 0; step < 500; ++step) {
        const std::uint32_t roll = below(16);
        const std::uint32_t value = below(1u << 20);
        if (roll < bias) {
            const auto h = m.acquire(value);
            RC_ASSERT(pool.acquire(value).handle() == h);
            known.push_back(h);
        } else if (roll < 12) {
            const auto h =
                known[known.size() - 1 - below(static_cast<std::uint32_t>(known.size() < 60 ? known.size() : 60))];
            RC_ASSERT(pool.release(h) == m.release(h));
        } else if (roll == 12) {
            const std::uint32_t part = below(4);
            pool.release_if([part](const std::uint32_t& v) { return v % 4 == part; });
            for (std::size_t i = 0; i < m.lives.size();) {
                if (m.lives[i].value % 4 == part) {
                    m.end(i);
                } else {
                    ++i;
                }
            }
        } else if (roll == 13) {
            switch (below(6)) {
                case 0: pool.save(image), by_image = m; break;
                case 1: RC_ASSERT(pool.save(memory)), by_memory = m; break;
                case 2: RC_ASSERT(static_cast<bool>(pool.restore(image))), m = by_image; break;
                case 3: RC_ASSERT(static_cast<bool>(pool.restore(memory))), m = by_memory; break;
                case 4:
                    pool.clear();
                    while (!m.lives.empty()) m.end(0);
                    break;
                default: break;
            }
        }
        if (step % 8 == 0) compare(pool, m);
    }
    compare(pool, m);
    set_misuse_handler(before);
}

RC_GTEST_PROP(ring_property, agrees_with_a_list_in_the_order_of_age, ()) { agrees<ring_pool<std::uint32_t>>(); }
RC_GTEST_PROP(ring_property, agrees_where_slots_are_retired, ()) {
    agrees<ring_pool<std::uint32_t, options{.handle_bits = 32, .index_bits = 28}>>();
}
RC_GTEST_PROP(ring_property, agrees_where_generations_wrap, ()) {
    agrees<
        ring_pool<std::uint32_t, options{.handle_bits = 32, .index_bits = 29, .generations = generation_rule::wrap}>>();
}

}  // namespace ring_property
