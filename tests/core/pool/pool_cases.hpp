// What the tests of pools share: one way to build any pool, a watch on misuse reports, and a few elements.
//
//   made_pool<Pool> made(100);                 // inline, heap, lent and reserved storage alike; lent: a misaligned buffer
//   Pool& pool = made.pool();
#pragma once

#include "support/elements.hpp"
#include "support/lifetime.hpp"

#include <lido/core/bytemap_pool.hpp>
#include <lido/core/checks/report.hpp>
#include <lido/core/column_pool.hpp>
#include <lido/core/dense_pool.hpp>
#include <lido/core/flag_column_pool.hpp>
#include <lido/core/flag_pool.hpp>
#include <lido/core/misuse.hpp>
#include <lido/core/pool.hpp>
#include <lido/core/recycle_pool.hpp>
#include <lido/core/ring_pool.hpp>
#include <lido/core/slot_pool.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace lido::test {

// --- misuse --------------------------------------------------------------------------------------------------------------

/// Takes the reports of pools while it lives, instead of the printing handler. One at a time, one thread.
class misuse_watch {
public:
    misuse_watch() : before_(set_misuse_handler(&note)) {
        log() = {};
        forget_reports();
    }
    misuse_watch(const misuse_watch&) = delete;
    misuse_watch& operator=(const misuse_watch&) = delete;
    ~misuse_watch() { set_misuse_handler(before_); }

    [[nodiscard]] std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (const std::uint64_t n : log().counts) sum += n;
        return sum;
    }
    [[nodiscard]] std::uint64_t count(misuse_kind kind) const {
        return log().counts.at(static_cast<std::size_t>(kind));
    }
    [[nodiscard]] const misuse& last() const { return log().last; }

    void forget() { log() = {}; }

private:
    struct records {
        std::array<std::uint64_t, static_cast<std::size_t>(misuse_kind::kept_field) + 1> counts{};
        misuse last{};
    };
    static records& log() {
        static records all;
        return all;
    }
    static void note(const misuse& m) {
        ++log().counts.at(static_cast<std::size_t>(m.kind));
        log().last = m;
        log().last.story = "";  // lives as long as this call
        forget_reports();       // the next one is told too, from wherever it comes
    }

    misuse_handler before_;
};

// --- building ------------------------------------------------------------------------------------------------------------

template <class Storage>
inline constexpr bool is_inline = false;
template <std::size_t N>
inline constexpr bool is_inline<inline_storage<N>> = true;

/// The template arguments of a pool.
template <class Pool>
struct pool_parts;
template <class T, options Options, class Storage, class Tag, class Finder>
struct pool_parts<basic_slot_pool<T, Options, Storage, Tag, Finder>> {
    using storage = Storage;
};
template <class T, options Options, class Storage, class Tag>
struct pool_parts<dense_pool<T, Options, Storage, Tag>> {
    using storage = Storage;
};
template <class T, options Options, class Storage, class Tag>
struct pool_parts<recycle_pool<T, Options, Storage, Tag>> {
    using storage = Storage;
};
template <class T, options Options, class Storage, class Tag>
struct pool_parts<column_pool<T, Options, Storage, Tag>> {
    using storage = Storage;
};
template <class T, options Options, class Storage, class Tag>
struct pool_parts<flag_column_pool<T, Options, Storage, Tag>> {
    using storage = Storage;
};
template <class T, options Options, class Storage, class Tag>
struct pool_parts<ring_pool<T, Options, Storage, Tag>> {
    using storage = Storage;
};
template <class Base, std::size_t SlotBytes, class Storage, class Tag>
struct pool_parts<bytemap_pool<Base, SlotBytes, Storage, Tag>> {
    using storage = Storage;
};
template <class Pool>
using storage_of = typename pool_parts<Pool>::storage;

/// A pool of at least `capacity` slots (inline: of its N) and what its storage needs. It does not move.
template <class Pool>
class made_pool {
public:
    using settings_type = typename Pool::settings_type;

    explicit made_pool(std::uint32_t capacity, settings_type settings = {})
        : buffer_(std::make_shared<std::vector<std::byte>>(buffer_bytes(capacity))),
          pool_(build(*buffer_, capacity, settings)) {}
    made_pool(const made_pool&) = delete;
    made_pool& operator=(const made_pool&) = delete;

    [[nodiscard]] Pool& pool() noexcept { return pool_; }

    /// What the pool was lent. Whoever moves it to a pool that lives longer keeps this as long.
    [[nodiscard]] std::shared_ptr<std::vector<std::byte>> buffer() const noexcept { return buffer_; }

private:
    static constexpr bool lent = std::is_same_v<storage_of<Pool>, lent_storage>;

    static std::size_t buffer_bytes([[maybe_unused]] std::uint32_t capacity) {
        if constexpr (lent) return Pool::bytes_for(capacity) + 1;
        return 0;
    }
    static Pool build(std::vector<std::byte>& buffer, [[maybe_unused]] std::uint32_t capacity, settings_type settings) {
        if constexpr (lent) {
            return Pool(std::span(buffer).subspan(1), settings);  // one byte in: no alignment to rely on
        } else if constexpr (is_inline<storage_of<Pool>>) {
            return Pool(settings);
        } else {
            return Pool(capacity, settings);
        }
    }

    std::shared_ptr<std::vector<std::byte>> buffer_;
    Pool pool_;
};

/// Fails with the broken invariant's name.
template <class Pool>
[[nodiscard]] ::testing::AssertionResult valid(const Pool& pool) {
    const verdict v = pool.validate();
    if (v) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << v.broken;
}

/// Acquires seeds `first`, `first` + 1, ... until the pool is full. A refused acquire ends it too, so that it is never endless.
template <class Pool>
std::vector<typename Pool::handle_type> fill(Pool& pool, int first = 0) {
    std::vector<typename Pool::handle_type> handles;
    while (!pool.full()) {
        const auto one = pool.acquire(first + static_cast<int>(handles.size()));
        if (!one) break;
        handles.push_back(one);
    }
    return handles;
}

/// A handle never names a later life of its slot. (A bytemap_pool, which has no options, has seeds: they come round.)
template <class Pool>
inline constexpr bool has_generations = [] {
    if constexpr (requires { Pool::pool_options; }) {
        return Pool::pool_options.generations != generation_rule::none;
    } else {
        return false;
    }
}();

// --- elements that only pool tests need ----------------------------------------------------------------------------------

/// Its constructor can throw, its move cannot: what a dense_pool allows, and what a slot_pool can replace.
class delicate : public tracked<tracked_policy{}, delicate> {
public:
    explicit delicate(int seed) noexcept(false) : tracked((step(), seed)) {}
    int read() const { return value(); }

    /// The next n constructions succeed and the one after throws, once.
    static void fail_after(std::size_t n) { countdown() = static_cast<std::ptrdiff_t>(n); }
    static void never_fail() { countdown() = -1; }

private:
    static std::ptrdiff_t& countdown() {
        static std::ptrdiff_t left = -1;
        return left;
    }
    static void step() {
        if (countdown() >= 0 && countdown()-- == 0) throw injected_failure{};
    }
};
static_assert(!std::is_nothrow_constructible_v<delicate, int> && std::is_nothrow_move_constructible_v<delicate>);

}  // namespace lido::test
