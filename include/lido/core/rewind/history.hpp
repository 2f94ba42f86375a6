// history<N, Parts...>: the last N saved ticks, where a save costs in proportion to what changed since the one before.
//
//   shadow      a copy of each pool as of the tick it stands at
//   steps       one between two neighbouring ticks: what the changed indexes held on the other side
//
//      tick 7 ----- tick 8 ----- tick 9            save:     read the pool's change marks; put what the shadow held there into a
//              step 8       step 9                           new step, and what the pool holds into the shadow
//                             ^ shadow             restore:  swap steps with the shadow until it stands at the tick, marking
//                                                            what they touch; copy what is marked into the pool
//
// Swapping a step turns "back" into "forward", so one can walk both ways over the kept ticks.
//
// HI1. Everything in a pool that is not marked is equal to the shadow.
// HI2. steps_[k] leads from tick k-1 of the ring to tick k; the oldest tick has none.
//
// Rejected: copying only changed blocks of 64 elements. At one change in a hundred, spread at random, every second block holds
// one. Rejected: page protection. A fault costs more than saving a page.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/compat.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/checks/place.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/rewind/image.hpp>
#include <lido/core/rewind/marks.hpp>
#include <lido/core/rewind/save.hpp>
#include <lido/core/rewind/section.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace lido {
namespace detail {

#if defined(__GNUC__) || defined(__clang__)
#define LIDO_PREFETCH(address) __builtin_prefetch(address)
#else
#define LIDO_PREFETCH(address) static_cast<void>(address)
#endif

/// The kept states of one pool. `At` is the pool's rewind_with::changes<Pool>: where its arrays are.
template <class Pool>
class pool_history {
    using at = typename Pool::rewind_with::template changes<Pool>;
    using element = typename Pool::value_type;
    static constexpr std::size_t columns = at::column_count;

    static_assert(Pool::pool_options.mark_changes,
                  "lido: history needs pools with options::mark_changes; rewind<N> takes any pool");
    static_assert(is_bytes<element>,
                  "lido: history needs trivially copyable elements; rewind<N> takes any copyable one");

public:
    /// What one step holds: for each index the bytes of every column and of the value, and the state that has no index.
    struct step {
        std::vector<std::uint32_t> indexes;
        std::vector<std::byte> bytes;
        std::vector<std::byte> whole;
    };

    /// The pool's marks say what differs from the shadow.
    [[nodiscard]] bool continues(const Pool& pool) const noexcept {
        return owner_.history == this && at::owner(pool) == owner_;
    }

    /// The kept states are this pool's: it has the marks of this history, or it stands where the saved pool stood (a restore in
    /// another way takes the marks away).
    [[nodiscard]] bool is_of(const Pool& pool) const noexcept {
        return continues(pool) || saved_from_ == address_of(pool);
    }

    /// Starts afresh with the pool as it is.
    void start(Pool& pool) {
        const std::size_t known = at::known(pool);
        forget_indexes();
        reach(known);
        const auto from = at::columns(pool);
        for (std::size_t c = 0; c < columns; ++c) copy_bytes(shadow_[c].data(), from[c].base, known * from[c].stride);
        for (std::size_t i = 0; i < known; ++i) {
            if (at::holds_value(pool, i)) {
                copy_bytes(values_.data() + i * sizeof(element), at::value(pool, i), sizeof(element));
            }
        }
        at::put_whole(pool, whole_);
        clear_marks(pool);
        limit_ = pool.capacity();
        own(pool);
    }

    /// Fills `to` with what leads back, and brings the shadow to the pool as it is.
    void advance(Pool& pool, step& to) {
        reach(at::known(pool));
        check_unmarked(pool);
        collect(pool, to.indexes);
        std::size_t each = sizeof(element);
        const auto from = at::columns(pool);
        for (const change_column& c : from) each += c.stride;
        to.bytes.resize(to.indexes.size() * each);
        std::byte* out = to.bytes.data();
        const std::size_t count = to.indexes.size();
        for (std::size_t n = 0; n < count; ++n) {
            // The indexes are scattered: ask for the lines a few steps ahead, or every one of them is waited for.
            if (n + ahead < count) {
                LIDO_PREFETCH(at::value(pool, to.indexes[n + ahead]));
                LIDO_PREFETCH(values_.data() + to.indexes[n + ahead] * sizeof(element));
            }
            const std::size_t i = to.indexes[n];
            for (std::size_t c = 0; c < columns; ++c) {
                out = move_in(out, shadow_[c].data() + i * from[c].stride, from[c].base + i * from[c].stride,
                              from[c].stride);
            }
            std::byte* const shadow = values_.data() + i * sizeof(element);
            if (at::holds_value(pool, i)) {
                out = move_in(out, shadow, at::value(pool, i), sizeof(element));
            } else {
                copy_bytes(out, shadow, sizeof(element));
                out += sizeof(element);
            }
        }
        to.whole.swap(whole_);
        at::put_whole(pool, whole_);
        clear_marks(pool);
        limit_ = std::max<std::size_t>(limit_, pool.capacity());
        saved_from_ = address_of(pool);  // it may have been moved
    }

    /// Swaps the shadow with a step, so that it stands on the step's other side, and marks what that touches.
    void swap(Pool& pool, step& with) noexcept {
        std::byte* bytes = with.bytes.data();
        const auto live = at::columns(pool);
        for (const std::uint32_t i : with.indexes) {
            set(at::marks(pool), i);
            for (std::size_t c = 0; c < columns; ++c) {
                std::swap_ranges(bytes, bytes + live[c].stride, shadow_[c].data() + i * live[c].stride);
                bytes += live[c].stride;
            }
            std::swap_ranges(bytes, bytes + sizeof(element), values_.data() + i * sizeof(element));
            bytes += sizeof(element);
        }
        with.whole.swap(whole_);
    }

    /// Memory and limits for the state that the shadow will have after the given steps are there.
    [[nodiscard]] restore_result fits(Pool& pool) const noexcept {
        if (!is_of(pool)) return {restore_error::other_parts, "the history was saved from another pool"};
        if (reached() > pool.max_capacity() || limit_ > pool.max_capacity()) return {restore_error::too_large};
        return at::fits(pool, reached());
    }

    /// Copies what is marked from the shadow into the pool.
    void give_back(Pool& pool) noexcept {
        const std::size_t kept = reached();
        const std::size_t all = std::max<std::size_t>(kept, at::known(pool));
        if (!continues(pool)) {
            for (std::size_t i = 0; i < all; ++i) set(at::marks(pool), i);
        }
        const auto to = at::columns(pool);
        const std::size_t words = words_for(all);
        const auto finish = at::begin_restore(pool, whole_);
        for (std::size_t w = 0; w < words; ++w) {
            for (map_word left = at::marks(pool)[w]; left != 0; left &= left - 1) {
                const std::size_t i = w * 64 + lowest(left);
                if (i < kept) {
                    for (std::size_t c = 0; c < columns; ++c) {
                        std::memcpy(to[c].base + i * to[c].stride, shadow_[c].data() + i * to[c].stride, to[c].stride);
                    }
                } else {
                    for (std::size_t c = 0; c < columns; ++c)
                        std::memset(to[c].base + i * to[c].stride, 0, to[c].stride);
                }
                at::index_restored(pool, i);
                if (i < kept && at::holds_value(pool, i)) {
                    std::memcpy(at::value(pool, i), values_.data() + i * sizeof(element), sizeof(element));
                }
            }
            at::marks(pool)[w] = 0;
        }
        at::end_restore(pool, finish);
        own(pool);
    }

private:
    static constexpr std::size_t ahead =
        12;  // indexes; 8 to 16 measured alike, none at all was 1.6 x slower at 100 k x 64 B

    /// Indexes that the shadow has: as many as the pool knew at most, so that never more than fit are given back.
    [[nodiscard]] std::size_t reached() const noexcept { return values_.size() / sizeof(element); }

    void reach(std::size_t known) {
        if (reached() >= known) return;
        for (std::size_t c = 0; c < columns; ++c) extend(shadow_[c], known * at::strides()[c]);
        extend(values_, known * sizeof(element));
    }

    /// Doubles the memory, so that a pool that grows by a word a tick does not copy its shadow each time.
    static void extend(std::vector<std::byte>& bytes, std::size_t to) {
        if (bytes.capacity() < to) bytes.reserve((std::max)(to, 2 * bytes.capacity()));
        bytes.resize(to);
    }

    /// Keeps the memory. Entries of an earlier, longer state must not be given back as if they were of this one.
    void forget_indexes() noexcept {
        for (auto& column : shadow_) column.clear();
        values_.clear();
    }

    /// From here on the marks of this pool, and of no other, say what differs from the shadow.
    void own(Pool& pool) noexcept {
        owner_ = {this, marks_owner_id::next()};
        saved_from_ = address_of(pool);
        at::own(pool, owner_);
    }

    static std::byte* move_in(std::byte* out, std::byte* shadow, const std::byte* pool, std::size_t bytes) noexcept {
        std::memcpy(out, shadow, bytes);
        std::memcpy(shadow, pool, bytes);
        return out + bytes;
    }

    static void collect(const Pool& pool, std::vector<std::uint32_t>& indexes) {
        indexes.clear();
        const map_word* const marks = at::marks(pool);
        for (std::size_t w = 0; w < words_for(at::known(pool)); ++w) {
            for (map_word left = marks[w]; left != 0; left &= left - 1) {
                indexes.push_back(static_cast<std::uint32_t>(w * 64 + lowest(left)));
            }
        }
    }

    static void clear_marks(Pool& pool) noexcept {
        zero_bytes(at::marks(pool), words_for(at::known(pool)) * sizeof(map_word));
    }

    /// HI1, in builds with checks: a pointer kept from before the latest save was written through.
    void check_unmarked([[maybe_unused]] const Pool& pool) const noexcept {
        if constexpr (checks) {
            for (std::size_t i = 0; i < at::known(pool); ++i) {
                const bool same =
                    test(at::marks(pool), i) || !at::holds_value(pool, i) ||
                    std::memcmp(at::value(pool, i), values_.data() + i * sizeof(element), sizeof(element)) == 0;
                LIDO_ASSERT(
                    same,
                    "history: an object was changed through a pointer from before the latest save: get() it again");
                static_cast<void>(same);
            }
        }
    }

    std::array<std::vector<std::byte>, columns> shadow_;
    std::vector<std::byte> values_;
    std::vector<std::byte> whole_;
    marks_owner_id owner_;
    const Pool* saved_from_ = nullptr;  // compared only
    std::size_t limit_ = 0;             // the most slots that any kept state may use
};

/// A plain struct beside the pools: small enough to be kept whole.
template <class T>
class plain_history {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>,
                  "lido: only pools and trivially copyable objects (no pointers) can be kept in a history");

public:
    struct step {
        alignas(T) std::byte bytes[sizeof(T)];
    };

    [[nodiscard]] bool continues(const T&) const noexcept { return true; }
    void start(const T& object) noexcept { std::memcpy(shadow_, address_of(object), sizeof(T)); }
    void advance(const T& object, step& to) noexcept {
        std::memcpy(to.bytes, shadow_, sizeof(T));
        start(object);
    }
    void swap(const T&, step& with) noexcept { std::swap_ranges(shadow_, shadow_ + sizeof(T), with.bytes); }
    [[nodiscard]] restore_result fits(const T&) const noexcept { return {}; }
    void give_back(T& object) noexcept { std::memcpy(address_of(object), shadow_, sizeof(T)); }

private:
    alignas(T) std::byte shadow_[sizeof(T)] = {};
};

template <class P>
struct history_for {
    using type = plain_history<P>;
};
template <class P>
    requires requires { typename P::rewind_with; }
struct history_for<P> {
    using type = pool_history<P>;
};

}  // namespace detail

/// Keeps the last N saved ticks of the parts: pools with options::mark_changes, and plain structs. Ticks rise from save to save.
/// A pool's marks serve one history at a time; when another has saved it since, or it was restored in another way, the next save
/// starts afresh with that tick alone. So does the save of another pool; kept ticks are given back only to the pool that they were
/// saved from, and a restore into another one is refused (restore_error::other_parts).
/// After a save, objects are reached anew (get, iteration): a write through an older pointer is not seen (builds with checks stop).
/// Threads: as the pools.
template <std::size_t N, class... Parts>
class history {
    static_assert(N >= 1, "lido: history<N> keeps at least one tick");

public:
    using tick_type = std::uint64_t;

    history() = default;
    history(const history&) = delete;  // the pools know this object by its address
    history& operator=(const history&) = delete;

    /// Saves the parts as of `tick`. Ticks at and after it are dropped: they belong to a future that is being replaced.
    /// Complexity: O(changed since the latest save) and one bit for each slot. Throws: std::bad_alloc while its memory grows; the
    /// history is then empty.
    void save(tick_type tick, Parts&... parts) {
        if constexpr (forensics) set_tick(tick);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            const bool goes_on =
                count_ != 0 && ticks_[place(at_)] < tick && (std::get<I>(kept_).continues(parts) && ...);
            const std::size_t keep = goes_on ? at_ + 1 : 0;
            count_ = 0;  // nothing is kept if what follows throws
            if (!goes_on) {
                (std::get<I>(kept_).start(parts), ...);
                first_ = at_ = 0;
                ticks_[0] = tick;
                count_ = 1;
                return;
            }
            std::size_t next = keep;
            if (next == N) {
                first_ = place(1);
                --next;
            }
            (std::get<I>(kept_).advance(parts, std::get<I>(steps_[place(next)])), ...);
            ticks_[place(next)] = tick;
            at_ = next;
            count_ = next + 1;
        }(std::index_sequence_for<Parts...>{});
    }

    /// Brings back the state of a kept tick, exactly. Later ticks stay until the next save, so one can go forward again.
    /// Complexity: O(changed between then and now).
    restore_result restore(tick_type tick, Parts&... parts) {
        const std::optional<std::size_t> to = find(tick);
        if (!to) return {restore_error::not_kept};
        restore_result result;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            static_cast<void>(((result = std::get<I>(kept_).fits(parts), result.error == restore_error::none) && ...));
            if (!result) return;
            for (; at_ > *to; --at_) (std::get<I>(kept_).swap(parts, std::get<I>(steps_[place(at_)])), ...);
            while (at_ < *to) {
                ++at_;
                (std::get<I>(kept_).swap(parts, std::get<I>(steps_[place(at_)])), ...);
            }
            (std::get<I>(kept_).give_back(parts), ...);
        }(std::index_sequence_for<Parts...>{});
        return result;
    }

    [[nodiscard]] bool has(tick_type tick) const noexcept { return find(tick).has_value(); }
    [[nodiscard]] std::optional<tick_type> oldest() const noexcept {
        return count_ != 0 ? std::optional<tick_type>(ticks_[place(0)]) : std::nullopt;
    }
    [[nodiscard]] std::optional<tick_type> newest() const noexcept {
        return count_ != 0 ? std::optional<tick_type>(ticks_[place(count_ - 1)]) : std::nullopt;
    }

    /// Forgets every tick, keeps the memory.
    void clear() noexcept { count_ = 0; }

private:
    using steps = std::tuple<typename detail::history_for<Parts>::type::step...>;

    [[nodiscard]] std::size_t place(std::size_t n) const noexcept { return (first_ + n) % N; }

    [[nodiscard]] std::optional<std::size_t> find(tick_type tick) const noexcept {
        for (std::size_t n = 0; n < count_; ++n) {
            if (ticks_[place(n)] == tick) return n;
        }
        return std::nullopt;
    }

    std::tuple<typename detail::history_for<Parts>::type...> kept_;
    std::array<steps, N> steps_;
    std::array<tick_type, N> ticks_{};
    std::size_t first_ = 0;  // place of the oldest kept tick
    std::size_t count_ = 0;  // kept ticks
    std::size_t at_ = 0;     // which of them the shadow stands at
};

}  // namespace lido
