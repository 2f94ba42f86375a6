// The concept that every shape models. No base class: a function over any pool is a template over this.
#pragma once

#include <lido/core/base/acquired.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/stats.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace lido {

/// What holds a bounded number of objects, with or without handles: every shape, capped_list included.
/// `reference` is what one gets for an object: T&, or a row of a column_pool.
template <class P>
concept holder = requires(P& p, const P& c) {
    typename P::value_type;
    typename P::reference;
    typename P::const_reference;
    { P::shape } -> std::convertible_to<const char*>;
    { P::stable_addresses } -> std::convertible_to<bool>;
    {
        p.release_if([](typename P::const_reference) { return true; })
    } -> std::same_as<std::uint32_t>;
    {
        p.for_each([](typename P::reference) {})
    };
    { p.begin() != p.end() } -> std::convertible_to<bool>;
    { p.clear() };
    { c.size() } -> std::same_as<std::uint32_t>;
    { c.capacity() } -> std::same_as<std::uint32_t>;
    { c.full() } -> std::same_as<bool>;
    { c.empty() } -> std::same_as<bool>;
    { c.why_refused() } -> std::same_as<refusal>;
    { c.stats() } -> std::same_as<pool_stats>;
    { c.validate() } -> std::same_as<verdict>;
};

/// A holder whose objects have handles. `pointer` is what a handle gives: T*, or something like it for a row; false once the life
/// has ended. acquire() and reserve() depend on the element's constructors, so they are asked for with `acquires<P, Args...>`.
template <class P>
concept pool = holder<P> && requires(P& p, const P& c, typename P::handle_type handle, typename P::reference object,
                                     std::span<const typename P::handle_type> handles) {
    typename P::handle_type;
    typename P::acquired_type;
    typename P::settings_type;
    { p.get(handle) } -> std::same_as<typename P::pointer>;
    { c.get(handle) } -> std::same_as<typename P::const_pointer>;
    { p.try_get(handle) } -> std::same_as<typename P::pointer>;
    { c.try_get(handle) } -> std::same_as<typename P::const_pointer>;
    { c.contains(handle) } -> std::same_as<bool>;
    { c.handle_of(object) } -> std::same_as<typename P::handle_type>;
    { p.release(handle) } -> std::same_as<bool>;
    { p.release(object) } -> std::same_as<bool>;
    { p.release_n(handles) } -> std::same_as<std::uint32_t>;
    { p.each().begin() != p.each().end() } -> std::convertible_to<bool>;
    { c.max_capacity() } -> std::same_as<std::uint32_t>;
    { p.trim() } -> std::same_as<std::size_t>;
};

/// The pool builds an element from these arguments.
template <class P, class... Args>
concept acquires = pool<P> && requires(P& p, typename P::handle_type handle, Args&&... args) {
    { p.acquire(std::forward<Args>(args)...) } -> std::same_as<typename P::acquired_type>;
    { p.acquire_as(request{}, std::forward<Args>(args)...) } -> std::same_as<typename P::acquired_type>;
    { p.reserve(handle, std::forward<Args>(args)...) } -> std::same_as<typename P::acquired_type>;
};

}  // namespace lido
