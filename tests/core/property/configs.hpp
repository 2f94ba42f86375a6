// The pools that the model runs over: every shape, and every option that changes which handle comes next.
#pragma once

#include "core/property/model_run.hpp"

#include <cstdint>

namespace lido::test {

// 4 generation bits: a slot has 7 lives and is then retired (or starts over).
inline constexpr options short_lived{.handle_bits = 32, .index_bits = 28};

inline constexpr options with(options o, track t) {
    o.tracks = t;
    return o;
}
inline constexpr options with(options o, reuse r) {
    o.order = r;
    return o;
}
inline constexpr options with(options o, generation_rule g) {
    o.generations = g;
    return o;
}
inline constexpr options resting(options o, std::uint32_t delay) {
    o.reuse_delay = delay;
    return o;
}
inline constexpr options with_headroom(options o) {
    o.headroom = true;
    return o;
}
inline constexpr options of_rows(std::uint32_t rows) {
    options o;
    o.max_rows = rows;
    return o;
}

// --- slot_pool ---

struct slot_recent : pool_config {
    static constexpr const char* name = "recent";
    using pool = slot_pool<cell>;
    static constexpr std::uint32_t capacity = 150;  // three words: the cache of 64 refills and spills
};
struct slot_lowest : pool_config {
    static constexpr const char* name = "lowest";
    using pool = slot_pool<cell, with(options{}, reuse::lowest)>;
    static constexpr std::uint32_t capacity = 150;
};
struct slot_last : pool_config {
    static constexpr const char* name = "last";
    using pool = slot_pool<cell, with(options{}, reuse::last)>;
    static constexpr std::uint32_t capacity = 150;
};
struct slot_last_retiring : pool_config {
    static constexpr const char* name = "last_retiring";
    using pool = slot_pool<cell, resting(with(short_lived, reuse::last), 3), heap_storage>;
    static constexpr std::uint32_t capacity = 70;
};
struct slot_delay : pool_config {
    static constexpr const char* name = "delay";
    using pool = slot_pool<cell, resting({}, 10), heap_storage>;
    static constexpr std::uint32_t capacity = 70;
};
struct slot_lowest_delay : pool_config {
    static constexpr const char* name = "lowest_delay";
    using pool = slot_pool<cell, resting(with(options{}, reuse::lowest), 7)>;
    static constexpr std::uint32_t capacity = 40;
};
struct slot_retiring : pool_config {
    static constexpr const char* name = "retiring";
    using pool = slot_pool<cell, short_lived>;
    static constexpr std::uint32_t capacity = 70;
};
struct slot_lowest_retiring : pool_config {
    static constexpr const char* name = "lowest_retiring";
    using pool = slot_pool<cell, resting(with(short_lived, reuse::lowest), 3), heap_storage>;
    static constexpr std::uint32_t capacity = 70;
};
struct slot_wrapping : pool_config {
    static constexpr const char* name = "wrapping";
    using pool = inline_slot_pool<cell, 20, with(short_lived, generation_rule::wrap)>;
    static constexpr std::uint32_t capacity = 20;
};
struct slot_oldest : pool_config {
    static constexpr const char* name = "replace_oldest";
    using pool = slot_pool<cell, resting(with(options{}, track::age), 5)>;
    static constexpr std::uint32_t capacity = 48;
    static constexpr on_full full = on_full::replace_oldest;
};
struct slot_oldest_retiring : pool_config {
    static constexpr const char* name = "replace_oldest_retiring";
    using pool = slot_pool<cell, with(short_lived, track::age)>;
    static constexpr std::uint32_t capacity = 66;
    static constexpr on_full full = on_full::replace_oldest;
};
struct slot_lowest_priority : pool_config {
    static constexpr const char* name = "replace_lowest_headroom";
    using pool = slot_pool<cell, with_headroom(with(options{}, track::priority))>;
    static constexpr std::uint32_t capacity = 40;
    static constexpr on_full full = on_full::replace_lowest;
    static constexpr lido::headroom headroom = {.above_percent = 80, .priority = 2};
};
struct slot_grow_oldest : pool_config {
    static constexpr const char* name = "grow_then_replace_oldest";
    using pool = slot_pool<owner, with(options{}, track::priority)>;
    static constexpr std::uint32_t capacity = 10;
    static constexpr on_full full = on_full::grow_to(90).then(on_full::replace_oldest);
};
struct slot_replace_if : pool_config {
    static constexpr const char* name = "replace_if";
    using pool = slot_pool<cell, options{.handle_bits = 32}>;
    static constexpr std::uint32_t capacity = 30;
    static constexpr on_full full = on_full::replace_if;
};
struct slot_growing : pool_config {
    static constexpr const char* name = "growing";
    using pool = slot_pool<cell, with(options{}, reuse::lowest)>;
    static constexpr std::uint32_t capacity = 3;
    static constexpr on_full full = on_full::grow_to(200);
};
struct slot_owner : pool_config {
    static constexpr const char* name = "owner_growing";
    using pool = slot_pool<owner>;
    static constexpr std::uint32_t capacity = 20;
    static constexpr on_full full = on_full::grow_to(150);
};

// --- flag_pool ---

struct flag_plain : pool_config {
    static constexpr const char* name = "plain";
    using pool = flag_pool<cell, 70>;
    static constexpr std::uint32_t capacity = 70;
};
struct flag_none : pool_config {
    static constexpr const char* name = "no_generations";
    using pool = flag_pool<cell, 70, with(options{}, generation_rule::none)>;
    static constexpr std::uint32_t capacity = 70;
};
struct flag_priority : pool_config {
    static constexpr const char* name = "replace_lowest_retiring";
    using pool = flag_pool<cell, 66, with(short_lived, track::priority)>;
    static constexpr std::uint32_t capacity = 66;
    static constexpr on_full full = on_full::replace_lowest;
};
struct flag_none_age : pool_config {
    static constexpr const char* name = "no_generations_replace_oldest";
    using pool = flag_pool<owner, 24, with(with(options{}, generation_rule::none), track::age)>;
    static constexpr std::uint32_t capacity = 24;
    static constexpr on_full full = on_full::replace_oldest;
};

// --- dense_pool ---

struct dense_packed : pool_config {
    static constexpr const char* name = "packed";
    using pool = dense_pool<cell>;
    static constexpr std::uint32_t capacity = 150;
};
struct dense_plain : pool_config {
    static constexpr const char* name = "plain_growing";
    using pool = dense_pool<cell, of_rows(std::uint32_t{1} << 21)>;
    static constexpr std::uint32_t capacity = 5;
    static constexpr on_full full = on_full::grow_to(200);
};
struct dense_short : pool_config {
    static constexpr const char* name = "32_bit";
    using pool = dense_pool<cell, options{.handle_bits = 32}, heap_storage>;
    static constexpr std::uint32_t capacity = 70;
};
struct dense_retiring : pool_config {
    static constexpr const char* name = "retiring_delay";
    using pool = dense_pool<cell, resting(short_lived, 6)>;
    static constexpr std::uint32_t capacity = 60;
};
struct dense_wrapping : pool_config {
    static constexpr const char* name = "wrapping";
    using pool = inline_dense_pool<cell, 20, with(short_lived, generation_rule::wrap)>;
    static constexpr std::uint32_t capacity = 20;
};
struct dense_oldest : pool_config {
    static constexpr const char* name = "replace_oldest_retiring";
    using pool = dense_pool<cell, with(short_lived, track::age)>;
    static constexpr std::uint32_t capacity = 60;
    static constexpr on_full full = on_full::replace_oldest;
};
struct dense_priority : pool_config {
    static constexpr const char* name = "replace_lowest_delay";
    using pool = dense_pool<cell, resting(with(options{}, track::priority), 5)>;
    static constexpr std::uint32_t capacity = 40;
    static constexpr on_full full = on_full::replace_lowest;
};
struct dense_owner : pool_config {
    static constexpr const char* name = "owner_grow_then_replace_oldest";
    using pool = dense_pool<owner, with(options{}, track::priority)>;
    static constexpr std::uint32_t capacity = 10;
    static constexpr on_full full = on_full::grow_to(90).then(on_full::replace_oldest);
};

}  // namespace lido::test
