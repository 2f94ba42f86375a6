// What a contender is: a class template over the element that offers what it can do. A workload asks for what it needs, and a
// contender that lacks it is not in that workload.
//
//   template <class T> struct my_pool {
//       using element = T;
//       using ref = ...;                          what a user keeps of an object: a handle, a pointer, an iterator, an index
//       explicit my_pool(std::size_t capacity);   capacity reserved, where that can be done
//       explicit my_pool(growing);                nothing reserved                                    (grow)
//       ref spawn(std::uint32_t tag);             a T(tag)
//       void end(ref);                            or, where objects have positions and no references:
//       void end_at(std::size_t position);        moves the last one into the hole
//       T* get(ref);                              null when the life has ended, if it can tell
//       static constexpr bool owns;               whether its destructor ends the objects that live
//       static constexpr bool checks;             whether get() can tell                              (get_stale)
//       std::uint64_t to_bits(ref);  T* get_bits(std::uint64_t);                                      (get_chain)
//       template <class F> void for_each(F);      without it, users keep a vector of refs and walk that
//                                                 f gets a T&, or something with its update() and its x
//       void move_x();                            one field of each                                   (columns)
//       std::size_t size();                       lets the workloads check that N objects live
//       void bulk(std::span<ref>, tag);           (bulk_acquire; without it, a loop over spawn)
//       void clear();                             (clear; without it, a loop over end)
//       static constexpr bool clear_keeps_memory; false: what is spawned after a clear() needs memory from the system
//       void save(); void restore();              (save, restore)
//       void save_changed();                      (save_1pct; without it, save())
//       static constexpr bool in(std::string_view workload);              leaves workloads out
//       static constexpr std::size_t most(std::string_view workload);     the largest N that makes sense; least() likewise
//   };
#pragma once

#include <bench/elements.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace bench {

struct growing {};

template <class C>
concept spawns = requires(C& c) {
    { c.spawn(std::uint32_t{}) } -> std::same_as<typename C::ref>;
};
template <class C>
concept positional = requires(C& c) { c.end_at(std::size_t{}); };
template <class C>
concept ends = positional<C> || requires(C& c, typename C::ref r) { c.end(r); };
template <class C>
concept looks_up = requires(C& c, typename C::ref r) { c.get(r); };
template <class C>
concept walks = requires(C& c) { c.for_each([](auto&) {}); };
template <class C>
concept saves = requires(C& c) {
    c.save();
    c.restore();
};

using random_engine = std::mt19937;

[[nodiscard]] inline std::uint32_t below(random_engine& random, std::size_t limit) {
    // Good enough and the same on every library: std::uniform_int_distribution is not.
    return static_cast<std::uint32_t>((std::uint64_t{random()} * limit) >> 32);
}

/// The numbers 0..n-1 in random order.
[[nodiscard]] inline std::vector<std::uint32_t> shuffled(std::size_t n, random_engine& random) {
    std::vector<std::uint32_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<std::uint32_t>(i);
    for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[below(random, i)]);
    return order;
}

/// A population: a contender, and the references that its user keeps.
template <class C>
struct population {
    using ref = typename C::ref;
    using element = typename C::element;

    C pool;
    std::vector<ref> refs;

    explicit population(std::size_t capacity) : pool(capacity) { refs.reserve(capacity); }
    population(const population&) = delete;
    population& operator=(const population&) = delete;

    /// Ends what lives, where the contender does not own its objects and would leak them.
    ~population() {
        if constexpr (!C::owns) drain();
    }

    void fill(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) refs.push_back(pool.spawn(static_cast<std::uint32_t>(i)));
    }

    /// Ends the i-th of the user's list, and closes the gap in it.
    void end(std::size_t i) {
        if constexpr (positional<C>) {
            pool.end_at(i);
        } else {
            pool.end(refs[i]);
            refs[i] = refs.back();
        }
        refs.pop_back();
    }

    /// Replaces `n` random ones, one after the other: memory is then no longer in the order of the list.
    void churn(std::size_t n, random_engine& random) {
        for (std::size_t k = 0; k < n; ++k) {
            end(below(random, refs.size()));
            refs.push_back(pool.spawn(static_cast<std::uint32_t>(k)));
        }
    }

    /// Ends random ones until `n` are left.
    void thin(std::size_t n, random_engine& random) {
        while (refs.size() > n) end(below(random, refs.size()));
    }

    void drain() {
        while (!refs.empty()) end(refs.size() - 1);
    }

    template <class F>
    void for_each(F&& f) {
        if constexpr (walks<C>) {
            pool.for_each(f);
        } else {
            for (const ref& r : refs) f(*pool.get(r));
        }
    }

    /// Whether as many live as the list says; true where the contender cannot tell.
    [[nodiscard]] bool agrees() {
        std::size_t seen = 0;
        for_each([&](auto&) { ++seen; });
        if (seen != refs.size()) return false;
        if constexpr (requires { pool.size(); }) return pool.size() == refs.size();
        return true;
    }
};

}  // namespace bench
