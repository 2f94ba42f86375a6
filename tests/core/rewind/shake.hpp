// Uses a pool whose past is unknown, and tells whether it behaves. For pools that were restored from bytes of strangers.
// No gtest, no exceptions: the fuzz target uses it too.
#pragma once

#include "core/property/pool_model.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lido::test {

/// Answers nullptr, or what went wrong. What lives is learnt from the pool itself; from there on every answer is known.
template <class Pool>
[[nodiscard]] const char* shake(Pool& pool, std::uint64_t seed, std::size_t operations) {
    using handle_type = typename Pool::handle_type;
    if (const verdict v = pool.validate(); !v) return v.broken;
    std::map<handle_type, int> live;
    for (const auto [h, object] : pool.each()) live[h] = object.read();
    if (live.size() != pool.size()) return "each() does not give every object once";

    dice d(seed);
    std::vector<handle_type> ended;
    const auto forget_evicted = [&] {
        for (auto at = live.begin(); at != live.end();) {
            if (pool.contains(at->first)) {
                ++at;
            } else {
                ended.push_back(at->first);
                at = live.erase(at);
            }
        }
    };
    const auto enter = [&](const auto& got, int value) {
        if (!got) return true;
        if (live.size() + 1 != pool.size()) forget_evicted();
        return live.insert({got.handle(), value}).second;
    };
    const auto pick = [&] {
        if (live.empty()) return handle_type{};
        auto at = live.begin();
        std::advance(at, d.below(static_cast<std::uint32_t>(live.size())));
        return at->first;
    };
    for (std::size_t i = 0; i < operations; ++i) {
        const std::uint32_t roll = d.below(32);
        const int value = static_cast<int>(d.below(1000));
        if (roll < 14) {
            if (!enter(pool.acquire_as({static_cast<std::uint8_t>(d.below(18))}, value), value))
                return "an object was given twice";
        } else if (roll < 24) {
            const handle_type h = pick();
            if (pool.release(h) != live.contains(h)) return "a live object was not released";
            live.erase(h);
            ended.push_back(h);
        } else if (roll < 26) {
            const auto h = handle_type::of(d.below(pool.max_capacity() + 1), 1 + 2 * d.below(4));
            if (!enter(pool.reserve(h, value), value)) return "reserve gave a live object again";
        } else if (roll == 26) {
            std::uint32_t expected = 0;
            for (auto at = live.begin(); at != live.end();) {
                if (at->second % 5 != 0) {
                    ++at;
                    continue;
                }
                at = live.erase(at);
                ++expected;
            }
            if (pool.release_if([](const auto& e) { return e.read() % 5 == 0; }) != expected)
                return "release_if ended others";
        } else if (roll == 27 && d.below(4) == 0) {
            pool.clear();
            live.clear();
        } else if (roll == 28) {
            static_cast<void>(pool.trim());
        } else if (!ended.empty()) {
            const handle_type h = ended[d.below(static_cast<std::uint32_t>(ended.size()))];
            if (pool.contains(h) != live.contains(h)) return "a handle that has ended is live again";
        }
        if (pool.size() != live.size()) return "the size is not the number of live objects";
        if (pool.size() > pool.capacity() || pool.capacity() > pool.max_capacity()) return "the capacity is wrong";
        const handle_type h = pick();
        if (h && (pool.get(h) == nullptr || pool.get(h)->read() != live[h])) return "an object has another value";
        if (i < 8 || i % 64 == 0) {
            if (const verdict v = pool.validate(); !v) return v.broken;
        }
    }
    for (const auto& [h, value] : live) {
        if (pool.get(h) == nullptr || pool.get(h)->read() != value) return "an object is lost";
    }
    if (const verdict v = pool.validate(); !v) return v.broken;

    std::vector<std::byte> image;
    pool.save(image);
    const std::uint64_t hash = pool.state_hash();
    if (!pool.restore(image)) return "the pool refuses its own image";
    return pool.state_hash() == hash ? nullptr : "the pool's own image is of another state";
}

}  // namespace lido::test
