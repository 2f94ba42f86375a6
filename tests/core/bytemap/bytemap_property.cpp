// S2.4: a bytemap_pool and a model of plain containers that walks slot by slot, as the document does: whatever is done to both, they
// agree.
#include <lido/core/bytemap_pool.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace bytemap_property {

using namespace lido;
using pool_type = bytemap_pool<std::uint32_t>;

/// The document's arrays and loops (old_pool.hpp has them alone), objects beside them, and what lido does where the document is odd:
/// docs/guide/bytemap_pool.md lists that.
struct model {
    explicit model(std::size_t count) : map(count, 0x80) {}
    std::vector<std::uint8_t> map;
    std::map<std::int32_t, std::uint32_t> objects;  // by slot
    std::int32_t first_free = -1;

    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(map.size()); }
    std::int32_t acquire(std::uint32_t value) {
        for (bool top_was_reached = false;;) {
            if (++first_free >= count()) {
                if (std::exchange(top_was_reached, true)) return -1;
                first_free = 0;
            }
            std::uint8_t& s = map[static_cast<std::size_t>(first_free)];
            if ((s & 0x80) == 0) continue;
            s = static_cast<std::uint8_t>(((s & 0x7f) + 1) % 128);
            objects[first_free] = value;
            return first_free << 8 | s;
        }
    }
    bool reserve(std::int32_t handle, std::uint32_t value) {
        const std::int32_t at = handle >> 8;
        if (handle < 0 || at >= count() || (handle & 0x80) != 0 || objects.contains(at)) return false;
        map[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(handle & 0x7f);
        objects[at] = value;
        first_free = objects.begin()->first;
        return true;
    }
    [[nodiscard]] const std::uint32_t* get(std::int32_t handle) const {
        const auto found = objects.find(handle >> 8);
        return found != objects.end() && map[static_cast<std::size_t>(handle >> 8)] == (handle & 0xff) ? &found->second
                                                                                                       : nullptr;
    }
    bool release(std::int32_t handle) {
        if (get(handle) == nullptr) return false;
        const std::int32_t at = handle >> 8;
        map[static_cast<std::size_t>(at)] |= 0x80;
        objects.erase(at);
        if (at < first_free) first_free = at;
        return true;
    }
    void clear() {
        for (auto& s : map) s = 0x80;
        objects.clear();
    }
};

void compare(pool_type& pool, const model& m) {
    RC_ASSERT(static_cast<bool>(pool.validate()));
    RC_ASSERT(pool.size() == m.objects.size());
    RC_ASSERT(pool.first_free() == m.first_free);
    RC_ASSERT(std::vector<std::uint8_t>(pool.byte_map().begin(), pool.byte_map().end()) == m.map);
    auto expected = m.objects.begin();
    for (auto [handle, object] : pool.each()) {
        RC_ASSERT(handle.index() == expected->first);
        RC_ASSERT(object == (expected++)->second);
    }
    RC_ASSERT(expected == m.objects.end());
}

RC_GTEST_PROP(bytemap_property, agrees_with_the_document_walked_slot_by_slot, ()) {
    const misuse_handler before = set_misuse_handler([](const misuse&) {});
    const auto slots = static_cast<std::uint32_t>(*rc::gen::inRange(1, 40));
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    pool_type pool(slots);
    model m(slots);
    std::vector<std::int32_t> known{-1, 0};
    std::vector<std::byte> image;
    snapshot memory;
    std::pair<model, model> saved{m, m};
    pool.save(image);
    RC_ASSERT(pool.save(memory));
    std::uint64_t random = seed | 1;
    const auto below = [&random](std::uint32_t n) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        return static_cast<std::uint32_t>((random >> 32) % n);
    };
    const std::uint32_t bias = 3 + below(8);
    for (int step = 0; step < 600; ++step) {
        const std::uint32_t roll = below(16);
        const std::uint32_t value = below(1u << 20);
        const std::int32_t some = known[below(static_cast<std::uint32_t>(known.size()))];
        if (roll < bias) {
            const std::int32_t h = m.acquire(value);
            RC_ASSERT(pool.acquire(value).handle().to_bits() == h);
            known.push_back(h);
        } else if (roll < 12) {
            RC_ASSERT(pool.release(pool_type::handle_type::from_bits(some)) == m.release(some));
        } else if (roll == 12) {
            const auto h = below(3) == 0 ? some : static_cast<std::int32_t>(below(slots + 1) << 8 | below(256));
            RC_ASSERT(static_cast<bool>(pool.reserve(pool_type::handle_type::from_bits(h), value)) ==
                      m.reserve(h, value));
            known.push_back(h);
        } else if (roll == 13) {
            const std::uint32_t part = below(5);
            pool.release_if([part](const std::uint32_t& v) { return v % 5 == part; });
            const auto objects = m.objects;
            for (const auto& [at, v] : objects) {
                if (v % 5 == part) m.release(at << 8 | m.map[static_cast<std::size_t>(at)]);
            }
        } else if (roll == 14) {
            switch (below(8)) {
                case 0: pool.clear(), m.clear(); break;
                case 1: pool.save(image), saved.first = m; break;
                case 2: RC_ASSERT(pool.save(memory)), saved.second = m; break;
                case 3: RC_ASSERT(static_cast<bool>(pool.restore(image))), m = saved.first; break;
                case 4: RC_ASSERT(static_cast<bool>(pool.restore(memory))), m = saved.second; break;
                case 5: {
                    std::vector<std::byte> map;
                    pool.save_map(map);
                    RC_ASSERT(static_cast<bool>(pool.load_map(map, [&](pool_type::handle_type h) {
                        RC_ASSERT(static_cast<bool>(pool.reserve(h, m.objects.at(h.index()))));
                    })));
                    break;
                }
                default: break;
            }
        } else {
            const std::uint32_t* const found = pool.at(some);
            const std::uint32_t* const expected = m.get(some);
            RC_ASSERT((found == nullptr) == (expected == nullptr));
            const bool same = found == nullptr || *found == *expected;
            RC_ASSERT(same);
        }
        if (step % 16 == 0) compare(pool, m);
    }
    compare(pool, m);
    set_misuse_handler(before);
}

}  // namespace bytemap_property
