// What the rewind tests share: the pools they run over, and a script of plain operations that depends on nothing but a seed.
#pragma once

#include "core/property/configs.hpp"
#include "core/property/model_run.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lido::test {

/// A pool of a configuration, whichever way its storage wants it built.
template <class Config>
[[nodiscard]] std::unique_ptr<typename Config::pool> make_pool() {
    using pool_type = typename Config::pool;
    typename pool_type::settings_type settings{
        .on_full = Config::full,
        .headroom = Config::headroom,
        .victim = [](const typename pool_type::value_type& e) { return e.read() % 3 == 0; },
    };
    if constexpr (requires { pool_type(settings); }) {
        return std::make_unique<pool_type>(settings);
    } else {
        return std::make_unique<pool_type>(Config::capacity, settings);
    }
}

template <class Pool>
[[nodiscard]] std::vector<std::byte> image_of(const Pool& pool) {
    std::vector<std::byte> bytes;
    pool.save(bytes);
    return bytes;
}

/// Does `count` random operations and writes down all that came of them: handles, answers, values. Two pools in the same state
/// give the same trace for the same seed; handles are picked from the pool itself and from `known`, which it extends.
template <class Pool>
std::vector<std::uint64_t> random_trace(Pool& pool, std::uint64_t seed, std::size_t count,
                                        std::vector<typename Pool::handle_type>& known) {
    using handle_type = typename Pool::handle_type;
    operation_dice d(seed);
    std::vector<std::uint64_t> trace;
    const std::uint32_t bias = 3 + d.below(6);
    const auto note = [&](handle_type h) {
        trace.push_back(h.to_bits());
        if (h) known.push_back(h);
    };
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t roll = d.below(16);
        const int value = static_cast<int>(d.below(1u << 20));
        if (roll < bias) {
            note(pool.acquire_as({static_cast<std::uint8_t>(d.below(17))}, value));
        } else if (roll < 12) {
            if (known.empty()) continue;
            trace.push_back(pool.release(known[d.below(static_cast<std::uint32_t>(known.size()))]) ? 1 : 0);
        } else if (roll == 12) {
            const std::uint32_t slot = d.below(pool.max_capacity() + 1);
            note(pool.reserve(handle_type::of(slot, (1 + 2 * d.below(4)) & (handle_type::last_generation | 1)), value));
        } else if (roll == 13) {
            const int modulus = 2 + static_cast<int>(d.below(5));
            trace.push_back(pool.release_if([modulus](const auto& e) { return e.read() % modulus == 0; }));
        } else if (roll == 14) {
            std::vector<handle_type> out(d.below(6));
            trace.push_back(pool.acquire_n(out, value));
            for (const handle_type h : out) note(h);
        } else if (d.below(8) == 0) {
            if (d.below(4) == 0) {
                pool.clear();
            } else {
                static_cast<void>(pool.trim());
            }
        }
        trace.push_back(pool.size());
        trace.push_back(pool.capacity());
    }
    for (const auto& [h, object] : pool.each()) {
        trace.push_back(h.to_bits());
        trace.push_back(static_cast<std::uint64_t>(object.read()));
    }
    return trace;
}

/// Every configuration of the property tests.
using every_config =
    ::testing::Types<slot_recent, slot_lowest, slot_delay, slot_lowest_delay, slot_retiring, slot_lowest_retiring,
                     slot_wrapping, slot_oldest, slot_oldest_retiring, slot_lowest_priority, slot_grow_oldest,
                     slot_replace_if, slot_growing, slot_owner, flag_plain, flag_none, flag_priority, flag_none_age,
                     dense_packed, dense_plain, dense_short, dense_retiring, dense_wrapping, dense_oldest,
                     dense_priority, dense_owner>;

/// One of each shape.
using one_config_a_shape = ::testing::Types<slot_recent, slot_lowest, flag_plain, dense_packed, dense_plain>;

struct shape_and_name {
    template <class Config>
    static std::string GetName(int) {
        return std::string(Config::pool::shape) + "_" + Config::name;
    }
};

}  // namespace lido::test
