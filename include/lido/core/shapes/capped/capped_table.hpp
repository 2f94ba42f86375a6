// The rows of a capped list: elements, births, counts; drawn in capped_list.hpp, with the invariants CL1 to CL3.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/leak_check.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/parts/age_order.hpp>
#include <lido/core/parts/exhaustion.hpp>
#include <lido/core/parts/half_way.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace lido::detail {

/// What entry_checks says of a capped list.
struct capped_sentences {
    static constexpr const char* built = "capped_list: an element's constructor changed the list it is built in";
    static constexpr const char* ended = "capped_list: an element's move or destructor changed the list it lives in";
    static constexpr const char* read =
        "capped_list: an element's move or destructor went through the list while a row of it is half-way";
};

/// Births and priorities by row, where the options ask for them.
template <std::size_t N, track Tracks>
class row_ages {
public:
    [[nodiscard]] std::uint64_t* birth() noexcept { return birth_.data(); }
    [[nodiscard]] const std::uint64_t* birth() const noexcept { return birth_.data(); }
    [[nodiscard]] std::uint8_t* priority() noexcept { return priority_.data(); }
    [[nodiscard]] const std::uint8_t* priority() const noexcept { return priority_.data(); }

    void set(std::uint32_t row, std::uint64_t born, std::uint8_t rank) noexcept {
        if constexpr (Tracks != track::nothing) birth_[row] = born;
        if constexpr (Tracks == track::priority) priority_[row] = rank < max_priority ? rank : max_priority;
    }
    void move(std::uint32_t to, std::uint32_t from) noexcept {
        if constexpr (Tracks != track::nothing) birth_[to] = birth_[from];
        if constexpr (Tracks == track::priority) priority_[to] = priority_[from];
    }

    /// The row born first among those of at most `ceiling`, of the lowest rank there is if `by_rank`; no_slot when there is none.
    [[nodiscard]] std::uint32_t first_to_go(std::uint32_t size, bool by_rank, std::uint8_t ceiling) const noexcept {
        std::uint32_t found = no_slot;
        for (std::uint32_t row = 0; row < size; ++row) {
            if (by_rank && priority_[row] > ceiling) continue;
            if (found == no_slot || (by_rank && priority_[row] != priority_[found] ? priority_[row] < priority_[found]
                                                                                   : birth_[row] < birth_[found])) {
                found = row;
            }
        }
        return found;
    }

private:
    std::array<std::uint64_t, Tracks != track::nothing ? N : 0> birth_;
    std::array<std::uint8_t, Tracks == track::priority ? N : 0> priority_;
};

template <class T, std::size_t N, options Options>
class capped_table : public entry_checks<capped_table<T, N, Options>, capped_sentences> {
public:
    using value_type = T;
    using limits_type = exhaustion<T, std::uint32_t, Options>;
    using settings_type = typename limits_type::settings_type;
    using diary_type = diary<Options.forensics>;
    using size_type = std::uint32_t;

    static constexpr bool aged = Options.tracks != track::nothing;
    static constexpr bool ranked = Options.tracks == track::priority;
    static constexpr std::uint32_t cap = static_cast<std::uint32_t>(N);

    /// All that a save must bring back, beside the arrays. Trivially copyable.
    struct state {
        size_type size = 0;
        size_type peak = 0;
        std::uint64_t acquired = 0;  ///< lives begun, and the birth of the next
        pool_counters counters;
    };
    static_assert(std::is_trivially_copyable_v<state>);

    explicit capped_table(const settings_type& settings) noexcept : limits_(settings) {
        static_cast<void>(limits_.plan(cap, cap, false));
        limits_.begin();
        diary_.open(name(), nullptr);
        guard_rows(0, true);
    }

    /// Reports the elements that live as settings.leaks says. True when the end of the list is to end them.
    [[nodiscard]] bool check_leaks() const noexcept {
        return detail::check_leaks(diary_, limits_.settings(), size(), [this](auto&& f) {
            for (size_type row = 0; row < size(); ++row) f(row, only_life);
        });
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    [[nodiscard]] size_type size() const noexcept { return state_.size; }
    [[nodiscard]] bool full() const noexcept { return state_.size == cap; }

    /// Rises with every life that begins or ends.
    [[nodiscard]] std::uint64_t changes() const noexcept { return state_.acquired * 2 - state_.size; }

    [[nodiscard]] LIDO_INLINE limits_type& limits() noexcept { return limits_; }
    [[nodiscard]] LIDO_INLINE const limits_type& limits() const noexcept { return limits_; }
    [[nodiscard]] const settings_type& settings() const noexcept { return limits_.settings(); }
    [[nodiscard]] const char* name() const noexcept { return limits_.settings().name; }
    [[nodiscard]] pool_counters& counters() noexcept { return state_.counters; }
    [[nodiscard]] LIDO_INLINE diary_type& book() noexcept { return diary_; }
    [[nodiscard]] LIDO_INLINE const diary_type& book() const noexcept { return diary_; }
    [[nodiscard]] state& now() noexcept { return state_; }
    [[nodiscard]] const state& now() const noexcept { return state_; }
    [[nodiscard]] auto& ages() noexcept { return ages_; }
    [[nodiscard]] const auto& ages() const noexcept { return ages_; }

    [[nodiscard]] pool_stats stats(const char* shape) const noexcept {
        struct figures {
            size_type capacity, peak, retired;
            std::uint64_t acquired;
            const pool_counters& counters;
        };
        pool_stats s = stats_of(shape, figures{cap, state_.peak, 0, state_.acquired, state_.counters}, size(), cap);
        s.bytes = sizeof(bytes_) + (aged ? N * sizeof(std::uint64_t) : 0) + (ranked ? N : 0);
        s.bookkeeping_per_slot = (aged ? 8.0 : 0.0) + (ranked ? 1.0 : 0.0);
        return s;
    }

    /// CL1 to CL3: the first that does not hold, or null.
    [[nodiscard]] const char* broken() const noexcept {
        if (size() > cap || size() > state_.acquired) return "CL1: more elements than the cap or than were begun";
        for (size_type row = 0; row < size(); ++row) {
            if constexpr (aged) {
                if (ages_.birth()[row] >= state_.acquired) return "CL2: an element is not born yet";
                for (size_type other = 0; other < row; ++other) {
                    if (ages_.birth()[other] == ages_.birth()[row]) return "CL2: two elements of one birth";
                }
            }
            if constexpr (ranked) {
                if (ages_.priority()[row] > max_priority) return "CL3: a priority that is none";
            }
        }
        return nullptr;
    }

    // --- rows --------------------------------------------------------------------------------------------------------------

    [[nodiscard]] T* rows() noexcept { return reinterpret_cast<T*>(bytes_); }
    [[nodiscard]] const T* rows() const noexcept { return reinterpret_cast<const T*>(bytes_); }

    /// A restore from inside of a callback: the element that it was given is the one of the same birth, if the list keeps births.
    struct birth_of {
        bool known = false;
        std::uint64_t birth = 0;
    };
    [[nodiscard]] birth_of followed_birth() const noexcept {
        if constexpr (aged) {
            if (limits_.evicting() && limits_.followed() < size()) return {true, ages_.birth()[limits_.followed()]};
        }
        return {};
    }
    void follow_birth([[maybe_unused]] birth_of victim) noexcept {
        if (!limits_.evicting()) return;
        limits_.follow(no_slot);
        if constexpr (aged) {
            for (size_type row = 0; victim.known && row < size(); ++row) {
                if (ages_.birth()[row] == victim.birth) limits_.follow(row);
            }
        }
    }

    /// A callback that changes the list while it is asked has chosen nobody: the row may hold another element by now, or none.
    [[nodiscard]] std::uint32_t choose_victim(request wish) const {
        const std::uint64_t before = changes();
        const std::uint32_t victim = first_to_go(wish);
        return victim < size() && changes() == before ? victim : no_slot;
    }

    [[nodiscard]] std::uint32_t first_to_go(request wish) const {
        return limits_.victim(oldest_and_lowest{*this}, {}, wish, [this](const auto& accepts) {
            for (size_type row = 0; row < size(); ++row) {
                if (accepts(rows()[row])) return row;
            }
            return no_slot;
        });
    }

    // --- lives -------------------------------------------------------------------------------------------------------------

    template <class... Args>
    T* build(size_type row, request wish, Args&&... args) {
        T* object = nullptr;
        {
            const half_way::quick_scope now(limits_.now(), half_way::builds);
            open_up(rows() + row, sizeof(T));
            object = construct<T>(rows() + row, std::forward<Args>(args)...);
        }
        ages_.set(row, state_.acquired, wish.priority);
        ++state_.acquired;
        if (row == state_.size) ++state_.size;
        state_.peak = (std::max)(state_.peak, state_.size);
        diary_.begin(row, only_life);
        return object;
    }

    bool end_row(size_type row) noexcept {
        if (row >= size()) [[unlikely]] {
            ++state_.counters.bad_releases;
            diary_.tell_object({.kind = misuse_kind::wild_handle,
                                .pool = this->name(),
                                .what = "the list has no such row: it has fewer elements now",
                                .names_slot = true,
                                .slot = row},
                               no_slot, 0);
            return false;
        }
        const size_type last = size() - 1;
        {
            const half_way::quick_scope now(limits_.now(), half_way::ends | half_way::unreadable);
            destroy(rows() + row);
            if (row != last) {
                ::new (static_cast<void*>(rows() + row)) T(std::move(rows()[last]));
                destroy(rows() + last);
                ages_.move(row, last);
                diary_.move(row, last);
            }
        }
        bury(rows() + last, sizeof(T));
        state_.size = last;
        if (limits_.evicting()) [[unlikely]]
            limits_.follow(row, last);
        return true;
    }

    /// Closes or opens the memory of all rows from this one on.
    void guard_rows(size_type from, bool closed) noexcept {
        if (!guarded() || from >= cap) return;
        closed ? close_off(rows() + from, (cap - from) * sizeof(T)) : open_up(rows() + from, (cap - from) * sizeof(T));
    }

    /// The element on this row ends, and another is built there at once.
    void destroy_row(size_type row) noexcept {
        const half_way::quick_scope now(limits_.now(), half_way::ends | half_way::unreadable);
        destroy(rows() + row);
    }

    /// The last first, and each no longer counts when its destructor runs: what counts is whole at any time.
    void end_all() noexcept {
        const half_way::scope now(limits_.now(), half_way::ends);
        [[maybe_unused]] const size_type all = size();
        if constexpr (!std::is_trivially_destructible_v<T>) {
            while (state_.size != 0) destroy(rows() + --state_.size);
        }
        state_.size = 0;
        if (all != 0) bury(rows(), all * sizeof(T));
    }

private:
    /// Rows have no generations; the diary keeps one life of each.
    static constexpr std::uint32_t only_life = 1;

    /// What exhaustion asks when it looks for a victim.
    struct oldest_and_lowest {
        const capped_table& list;
        [[nodiscard]] std::uint32_t oldest(age_arrays) const noexcept {
            return list.ages_.first_to_go(list.size(), false, max_priority);
        }
        [[nodiscard]] std::uint32_t lowest(std::uint8_t ceiling) const noexcept {
            return list.ages_.first_to_go(list.size(), true, ceiling);
        }
    };

    state state_;
    LIDO_NO_UNIQUE_ADDRESS row_ages<N, Options.tracks> ages_;
    exhaustion<T, std::uint32_t, Options> limits_;
    alignas(T) std::byte bytes_[N * sizeof(T)];
    LIDO_NO_UNIQUE_ADDRESS diary_type diary_;
};

}  // namespace lido::detail
