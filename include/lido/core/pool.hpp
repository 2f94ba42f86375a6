// The concept that every shape models. No base class: a function over any pool is a template over this.
#pragma once

#include <lido/core/acquired.hpp>
#include <lido/core/options.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/core/stats.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace lido {

/// acquire() and reserve() depend on the element's constructors, so they are asked for with `acquires<P, Args...>`.
template <class P>
concept pool = requires(P& p, const P& c, typename P::handle_type handle, typename P::value_type& object,
                        std::span<const typename P::handle_type> handles, snapshot& s, std::vector<std::byte>& bytes) {
    typename P::value_type;
    typename P::handle_type;
    typename P::acquired_type;
    typename P::settings_type;
    { P::shape } -> std::convertible_to<const char*>;
    { P::stable_addresses } -> std::convertible_to<bool>;
    { p.get(handle) } -> std::same_as<typename P::value_type*>;
    { c.get(handle) } -> std::same_as<const typename P::value_type*>;
    { c.contains(handle) } -> std::same_as<bool>;
    { c.handle_of(object) } -> std::same_as<typename P::handle_type>;
    { p.release(handle) } -> std::same_as<bool>;
    { p.release(object) } -> std::same_as<bool>;
    { p.release_n(handles) } -> std::same_as<std::uint32_t>;
    {
        p.release_if([](const typename P::value_type&) { return true; })
    } -> std::same_as<std::uint32_t>;
    {
        p.for_each([](typename P::value_type&) {})
    };
    { p.begin() != p.end() } -> std::convertible_to<bool>;
    { p.each().begin() != p.each().end() } -> std::convertible_to<bool>;
    { p.clear() };
    { c.size() } -> std::same_as<std::uint32_t>;
    { c.capacity() } -> std::same_as<std::uint32_t>;
    { c.max_capacity() } -> std::same_as<std::uint32_t>;
    { c.full() } -> std::same_as<bool>;
    { c.empty() } -> std::same_as<bool>;
    { c.why_refused() } -> std::same_as<refusal>;
    { p.trim() } -> std::same_as<std::size_t>;
    { c.stats() } -> std::same_as<pool_stats>;
    { c.validate() } -> std::same_as<verdict>;
};

/// The pool builds an element from these arguments.
template <class P, class... Args>
concept acquires = pool<P> && requires(P& p, typename P::handle_type handle, Args&&... args) {
    { p.acquire(std::forward<Args>(args)...) } -> std::same_as<typename P::acquired_type>;
    { p.acquire_as(request{}, std::forward<Args>(args)...) } -> std::same_as<typename P::acquired_type>;
    { p.reserve(handle, std::forward<Args>(args)...) } -> std::same_as<typename P::acquired_type>;
};

}  // namespace lido
