// Uses a pool whose past is unknown, and tells whether it behaves. For pools that were restored from bytes of strangers.
// No gtest, no exceptions: the fuzz target uses it too.
#pragma once

#include "core/property/model_run.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lido::test {

/// What an object holds; a row of columns is asked through its struct.
template <class Pool>
[[nodiscard]] int value_in(typename Pool::const_reference object) {
    if constexpr (requires { object.read(); }) {
        return object.read();
    } else {
        return Pool::value_type::read(object);
    }
}

/// Answers nullptr, or what went wrong. What lives is learnt from the pool itself; from there on every answer is known.
template <class Pool>
    requires requires { typename Pool::handle_type; }
[[nodiscard]] const char* shake(Pool& pool, std::uint64_t seed, std::size_t operations) {
    using handle_type = typename Pool::handle_type;
    if (const verdict v = pool.validate(); !v) return v.broken;
    std::map<handle_type, int> live;
    for (const auto [h, object] : pool.each()) live[h] = value_in<Pool>(object);
    if (live.size() != pool.size()) return "each() does not give every object once";

    operation_dice d(seed);
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
    const auto holds = [&](handle_type h, int value) {
        const auto object = pool.get(h);
        return object != nullptr && value_in<Pool>(*object) == value;
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
            if constexpr (requires { pool.reserve(h, value); }) {
                if (!enter(pool.reserve(h, value), value)) return "reserve gave a live object again";
            } else if (pool.contains(h) != live.contains(h)) {
                return "a handle that nobody holds is live";
            }
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
            if (pool.release_if([](typename Pool::const_reference e) { return value_in<Pool>(e) % 5 == 0; }) !=
                expected)
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
        if (h && !holds(h, live[h])) return "an object has another value";
        if (i < 8 || i % 64 == 0) {
            if (const verdict v = pool.validate(); !v) return v.broken;
        }
    }
    for (const auto& [h, value] : live) {
        if (!holds(h, value)) return "an object is lost";
    }
    if (const verdict v = pool.validate(); !v) return v.broken;

    std::vector<std::byte> image;
    pool.save(image);
    const std::uint64_t hash = pool.state_hash();
    if (!pool.restore(image)) return "the pool refuses its own image";
    return pool.state_hash() == hash ? nullptr : "the pool's own image is of another state";
}

/// The same for a list without handles: every value is known by its row.
template <class List>
    requires(!requires { typename List::handle_type; })
[[nodiscard]] const char* shake(List& list, std::uint64_t seed, std::size_t operations) {
    if (const verdict v = list.validate(); !v) return v.broken;
    std::vector<int> rows;
    for (const auto& object : list) rows.push_back(value_in<List>(object));
    if (rows.size() != list.size()) return "a pass does not give every element once";

    operation_dice d(seed);
    const auto remove = [&rows](std::size_t row) {
        rows[row] = rows.back();
        rows.pop_back();
    };
    for (std::size_t i = 0; i < operations; ++i) {
        const std::uint32_t roll = d.below(16);
        const int value = static_cast<int>(d.below(1000));
        if (roll < 9) {
            const auto* const made = list.push_as({static_cast<std::uint8_t>(d.below(18))}, value);
            if (made == nullptr) {
                if (rows.size() != list.capacity()) return "a push was dropped though there was room";
            } else if (const auto row = static_cast<std::size_t>(made - list.data()); row < rows.size()) {
                if (rows.size() != list.capacity()) return "a push replaced an element though there was room";
                rows[row] = value;
            } else {
                rows.push_back(value);
            }
        } else if (roll < 14) {
            const std::uint32_t row = d.below(list.capacity() + 1);
            if (list.swap_remove(row) != (row < rows.size())) return "a row was not removed, or one that is not there";
            if (row < rows.size()) remove(row);
        } else if (roll == 14) {
            static_cast<void>(list.release_if([](const auto& e) { return value_in<List>(e) % 5 == 0; }));
            for (std::size_t row = rows.size(); row-- != 0;) {
                if (rows[row] % 5 == 0) remove(row);
            }
        } else if (d.below(4) == 0) {
            list.clear();
            rows.clear();
        }
        if (list.size() != rows.size()) return "the size is not the number of elements";
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (value_in<List>(list.values()[row]) != rows[row]) return "an element has another value";
        }
        if (const verdict v = list.validate(); !v) return v.broken;
    }
    std::vector<std::byte> image;
    list.save(image);
    const std::uint64_t hash = list.state_hash();
    if (!list.restore(image)) return "the list refuses its own image";
    return list.state_hash() == hash ? nullptr : "the list's own image is of another state";
}

}  // namespace lido::test
