// lido: slots in reserved address space that is committed as the pool grows. Growth moves nothing; trimming gives
// pages back.
#pragma once

#include "lido/core/base/compat.hpp"
#include "lido/core/memory/layout.hpp"
#include "lido/core/memory/pages.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace lido {

/// Addresses for max_slots are reserved at once, memory is taken for the slots in use.
template <page_source Pages>
struct basic_reserved_storage {
    /// One reservation. Arrays that stay small share the head, which is committed when it opens; each larger array has
    /// whole pages of its own, committed from the front:
    ///
    ///     base, aligned to the page and to the strictest array                                     base + reserved
    ///       |head: small arrays, 64-aligned |lead|values ..... committed |  not yet  |lead|links .... |  not yet  |
    ///       |<--------- head bytes -------->|<----- committed[k] ------->|           |
    ///       page                            page                         page        page
    ///
    /// lead: where in its first page an array starts, see detail::stagger. 64: a cache line, so that no two arrays
    /// share one.
    ///
    /// Invariants, of an open memory:
    ///   1. committed[k] is a multiple of the page, at most what max_slots need, and 0 for small arrays.
    ///   2. bytes(k, ready) lie in committed pages for every k, and ready is the largest such count up to max_slots.
    ///   3. Outside head and committed[k] nothing is committed: bytes() is exact.
    template <storage_layout L>
    class memory {
    public:
        static constexpr bool grows = true;
        static constexpr bool movable = true;
        static constexpr std::size_t fixed_slots = 0;

        /// A growing array commits as much again as it has, within these bounds (bytes). Committed pages cost nothing
        /// but the system's promise until they are touched, so doubling is cheap: 64 KiB to 64 MiB is 10 calls. The
        /// upper bound keeps that promise within 64 MiB an array of the need; at that size a call costs less than
        /// touching its pages by far.
        static constexpr std::size_t least_step = detail::small_array;
        static constexpr std::size_t most_step = std::size_t{64} * 1024 * 1024;

        memory() = default;
        memory(memory&& other) noexcept : state_(std::exchange(other.state_, state{})) {}
        memory& operator=(memory&& other) noexcept {
            if (this != &other) {
                close();
                state_ = std::exchange(other.state_, state{});
            }
            return *this;
        }
        ~memory() { close(); }

        /// Reserves max_slots and makes at least `slots` ready. False when refused or when the size cannot be had: it
        /// stays closed and holds nothing. Pre: closed; slots <= max_slots.
        [[nodiscard]] LIDO_COLD bool open(std::size_t slots, std::size_t max_slots) noexcept {
            LIDO_ASSERT(state_.block == nullptr && state_.max_slots == 0, "reserved_storage: opened twice");
            LIDO_ASSERT(slots <= max_slots, "reserved_storage: more slots than max_slots");
            if (slots > max_slots) {
                return false;
            }
            plan p;
            if (!p.make(max_slots)) {
                return false;
            }
            if (p.total != 0) {
                state_.block = static_cast<std::byte*>(Pages::reserve(p.total));
                if (state_.block == nullptr) {
                    return false;
                }
                state_.reserved = p.total;
                std::byte* const base = state_.block + misalignment(state_.block, p.alignment);
                for (std::size_t k = 0; k < L::arrays; ++k) {
                    if (p.used[k]) {
                        state_.arrays[k] = base + p.offset[k];
                    }
                }
                if (p.head != 0 && !Pages::commit(base, p.head)) {
                    close();
                    return false;
                }
                state_.head = p.head;
            }
            state_.max_slots = max_slots;
            if (!commit_for(slots, false)) {
                close();
                return false;
            }
            state_.ready = committed_slots();
            return true;
        }

        [[nodiscard]] std::size_t max_slots() const noexcept { return state_.max_slots; }

        /// Slots [0, ready) of every array may be touched.
        [[nodiscard]] std::size_t ready() const noexcept { return state_.ready; }

        /// Makes at least this many slots ready (at most max_slots) and returns ready(). When the system refuses a
        /// generous step, the exact need is asked for; when it refuses that too, everything is as before. Complexity:
        /// amortised constant a slot; a system call for each large array that grows. Invalidates: nothing.
        [[nodiscard]] LIDO_COLD std::size_t make_ready(std::size_t slots) noexcept {
            slots = detail::smaller(slots, state_.max_slots);
            if (slots > state_.ready && (commit_for(slots, true) || commit_for(slots, false))) {
                state_.ready = committed_slots();
            }
            return state_.ready;
        }

        /// Returns the whole pages past `slots` of the arrays that trim. ready() falls to what is left, never below
        /// `slots`. Returns the bytes given back. Invalidates: the content of slots from `slots` on, in the arrays
        /// that trim.
        LIDO_COLD std::size_t give_back(std::size_t slots) noexcept {
            std::size_t given = 0;
            if constexpr (Pages::on_demand) {
                if (slots >= state_.ready) {
                    return 0;
                }
                for (std::size_t k = 0; k < L::arrays; ++k) {
                    if (!L::trims(k) || !is_large(k)) {
                        continue;
                    }
                    const std::size_t keep = committed_need(k, slots);
                    if (keep < state_.committed[k]) {
                        Pages::decommit(region(k) + keep, state_.committed[k] - keep);
                        given += state_.committed[k] - keep;
                        state_.committed[k] = keep;
                    }
                }
                if (given != 0) {
                    state_.ready = committed_slots();
                }
            }
            return given;
        }

        template <std::size_t K>
        [[nodiscard]] LIDO_INLINE std::byte* array() const noexcept {
            static_assert(K < L::arrays, "array<K>(): the layout has fewer arrays");
            return detail::known_aligned<L::alignment(K)>(state_.arrays[K]);
        }

        /// Bytes of memory that it holds: the committed pages, touched or not.
        [[nodiscard]] std::size_t bytes() const noexcept {
            if constexpr (!Pages::on_demand) {
                return state_.reserved;
            }
            std::size_t sum = state_.head;
            for (const std::size_t committed : state_.committed) {
                sum += committed;
            }
            return sum;
        }

        /// Bytes of address space.
        [[nodiscard]] std::size_t reserved_bytes() const noexcept { return state_.reserved; }

    private:
        struct state {
            std::byte* arrays[L::arrays] = {};
            std::size_t max_slots = 0;
            std::size_t ready = 0;
            std::size_t committed[L::arrays] = {};
            std::byte* block = nullptr;
            std::size_t reserved = 0;
            std::size_t head = 0;
        };

        // Where everything goes, from base. make() returns false when the sum cannot be had.
        struct plan {
            std::size_t offset[L::arrays] = {};
            bool used[L::arrays] = {};
            std::size_t head = 0;
            std::size_t alignment = 1;
            std::size_t total = 0;

            bool make(std::size_t max_slots) noexcept {
                static_assert(detail::alignments_are_powers_of_two<L>(),
                              "layout: every alignment(k) must be a power of two");
                constexpr std::size_t line = 64;
                const std::size_t page = Pages::page_size();
                std::size_t end = 0;
                for (std::size_t k = 0; k < L::arrays; ++k) {
                    const std::size_t bytes = detail::checked_bytes<L>(k, max_slots);
                    if (bytes == detail::too_big) {
                        return false;
                    }
                    if (bytes == 0 || bytes > detail::small_array) {
                        continue;
                    }
                    if (!put(k, detail::align_up(end, detail::larger(line, L::alignment(k))), bytes, end)) {
                        return false;
                    }
                }
                head = end = detail::align_up(end, page);
                std::size_t lead = 0;
                for (std::size_t k = 0; k < L::arrays; ++k) {
                    const std::size_t bytes = L::bytes(k, max_slots);
                    if (bytes <= detail::small_array) {
                        continue;
                    }
                    // A start inside the page is of no use to an array that wants more than its line's alignment.
                    const std::size_t inside = L::alignment(k) > line ? 0 : lead;
                    if (!put(k, detail::align_up(end, detail::larger(page, L::alignment(k))) + inside, bytes, end)) {
                        return false;
                    }
                    end = detail::align_up(end, page);
                    lead = (lead + detail::stagger) % page;
                }
                // The reservation is page aligned; what is stricter needs room to move into place.
                total = end + (alignment > page ? alignment - page : 0);
                return total <= detail::most_bytes;
            }

            bool put(std::size_t k, std::size_t at, std::size_t bytes, std::size_t& end) noexcept {
                offset[k] = at;
                used[k] = true;
                alignment = detail::larger(alignment, L::alignment(k));
                end = at + bytes;
                return end <= detail::most_bytes;
            }
        };

        // Bytes from `at` up to the next multiple of `alignment`.
        static std::size_t misalignment(const std::byte* at, std::size_t alignment) noexcept {
            const std::size_t past = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(at) & (alignment - 1));
            return past == 0 ? 0 : alignment - past;
        }

        bool is_large(std::size_t k) const noexcept { return L::bytes(k, state_.max_slots) > detail::small_array; }

        // How far into its first page array k starts. Pre: is_large(k).
        std::size_t lead(std::size_t k) const noexcept {
            return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(state_.arrays[k]) &
                                            (Pages::page_size() - 1));
        }

        // The first page of array k. Pre: is_large(k).
        std::byte* region(std::size_t k) const noexcept { return state_.arrays[k] - lead(k); }

        // What committed[k] must be for that many slots. Pre: is_large(k); slots <= max_slots.
        std::size_t committed_need(std::size_t k, std::size_t slots) const noexcept {
            const std::size_t bytes = L::bytes(k, slots);
            return bytes == 0 ? 0 : detail::align_up(lead(k) + bytes, Pages::page_size());
        }

        // Commits what that many slots need, or more if generous. All or nothing: a refusal half-way gives back what
        // this call took, since the system is short of memory just then and the next try may need it for another
        // array.
        bool commit_for(std::size_t slots, bool generous) noexcept {
            std::size_t before[L::arrays];
            for (std::size_t k = 0; k < L::arrays; ++k) {
                before[k] = state_.committed[k];
            }
            for (std::size_t k = 0; k < L::arrays; ++k) {
                if (!is_large(k)) {
                    continue;
                }
                std::size_t to = committed_need(k, slots);
                if (to <= before[k]) {
                    continue;
                }
                if (generous) {
                    const std::size_t step = detail::smaller(detail::larger(before[k], least_step), most_step);
                    const std::size_t all = committed_need(k, state_.max_slots);
                    to = detail::smaller(detail::larger(to, detail::align_up(before[k] + step, Pages::page_size())),
                                         all);
                }
                if (!Pages::commit(region(k) + before[k], to - before[k])) {
                    for (std::size_t undo = 0; undo < k; ++undo) {
                        if (state_.committed[undo] == before[undo]) {
                            continue;
                        }
                        Pages::decommit(region(undo) + before[undo], state_.committed[undo] - before[undo]);
                        state_.committed[undo] = before[undo];
                    }
                    return false;
                }
                state_.committed[k] = to;
            }
            return true;
        }

        // Invariant 2: the most slots that every array has pages for. Pre: those of 0 slots are committed.
        std::size_t committed_slots() const noexcept {
            std::size_t slots = state_.max_slots;
            for (std::size_t k = 0; k < L::arrays; ++k) {
                if (!is_large(k) || state_.committed[k] == committed_need(k, state_.max_slots)) {
                    continue;
                }
                const std::size_t room = state_.committed[k] == 0 ? 0 : state_.committed[k] - lead(k);
                slots = detail::slots_within<L>(k, room, 0, slots);
            }
            return slots;
        }

        void close() noexcept {
            if (state_.block != nullptr) {
                Pages::release(state_.block, state_.reserved);
            }
            state_ = state{};
        }

        state state_;
    };
};

using reserved_storage = basic_reserved_storage<os_pages>;

/// The same in pages of 2 MiB, for pools of many megabytes (see huge_pages).
using huge_reserved_storage = basic_reserved_storage<huge_pages>;

/// The same in one mapping a pool, for programs of thousands of pools (see posix_lazy_pages).
using lazy_reserved_storage = basic_reserved_storage<lazy_pages>;

}  // namespace lido
