// A slot for a life under a handle that was chosen elsewhere. What reserve() promises is said where the pools declare it.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/options.hpp>

#include <algorithm>
#include <cstdint>

namespace lido::detail {

/// reserve() of one handle, in steps: ask may(), take the slot with claim(), build; undo() where building threw.
template <class Table>
class slot_reserving {
    using generation = typename Table::generation;
    using handle_type = typename Table::handle_type;
    static constexpr std::size_t cache_size = Table::layout::cache_bytes / sizeof(std::uint32_t);

public:
    slot_reserving(Table& table, handle_type handle) noexcept
        : table_(table), slot_(handle.index()), life_(handle.generation()), capacity_(table.capacity()) {}

    [[nodiscard]] std::uint32_t slot() const noexcept { return slot_; }

    /// Whether the life may begin; gets the memory. `waits(slot)`: nothing lives in a slot that is taken.
    template <class Waits>
    [[nodiscard]] refusal may(Waits&& waits) noexcept {
        if ((life_ & 1) == 0 || slot_ >= table_.most_slots() ||
            (Table::has_generations ? life_ > handle_type::last_generation : life_ != 1)) {
            return refusal::out_of_range;
        }
        if (slot_ < table_.ready() && test(table_.taken(), slot_) && !waits(slot_)) return refusal::slot_taken;
        if constexpr (Table::has_generations) {
            if (slot_ < table_.now().known && table_.generations()[slot_] >= life_) return refusal::generation_passed;
        }
        if (slot_ >= (std::max)(capacity_, table_.at_least())) {
            if (!table_.limits().grows_from(capacity_)) return refusal::out_of_range;
            capacity_ = table_.limits().grown(capacity_, std::uint64_t{slot_} + 1);
        }
        if (table_.used_up() >= capacity_) {
            if (!table_.limits().grows_from(capacity_)) return refusal::full;
            capacity_ = table_.limits().grown(capacity_, 0);
        }
        const std::uint64_t word_end = (std::uint64_t{slot_} | 63) + 1;
        const std::uint64_t need = std::min<std::uint64_t>((std::max)(capacity_, table_.at_least()), word_end);
        return table_.make_ready(static_cast<std::uint32_t>(need)) ? refusal::none : refusal::no_memory;
    }

    /// The slot is taken, one generation before the life. `free`: nobody else's, so the search for slots must not give it.
    void claim(bool free) noexcept {
        auto& st = table_.now();
        before_ = st;
        if constexpr (cache_size != 0) std::copy_n(table_.cache(), st.finder.cached, cache_before_);
        if constexpr (Table::has_generations) life_before_ = table_.generations()[slot_];
        table_.grow_to(capacity_);
        if (free) {
            st.finder.remove(table_.maps(), slot_);
            place_ = st.rest.take_out(table_.ring(), table_.resting(), slot_);
            st.known = (std::max)(st.known, table_.used());
        }
        if constexpr (Table::has_generations) table_.generations()[slot_] = static_cast<generation>(life_ - 1);
    }

    /// The slot has the generation that it had before claim().
    void forget_life() noexcept {
        if constexpr (Table::has_generations) table_.generations()[slot_] = life_before_;
    }

    /// No life began. When nothing else began or ended since claim(), all is then as it was, and `first()` has done its part of that;
    /// otherwise false.
    template <class First>
    bool undo(First&& first) noexcept {
        forget_life();
        if (table_.changes() != before_.changes()) return false;
        first();
        auto& st = table_.now();
        if (st.rest.count != before_.rest.count) st.rest.put_in(table_.ring(), table_.resting(), slot_, place_);
        if constexpr (cache_size != 0) std::copy_n(cache_before_, before_.finder.cached, table_.cache());
        if constexpr (requires { st.finder.removed_at; }) st.finder.take_back(table_.maps(), before_.finder.count);
        table_.go_back_to(before_);
        return true;
    }

private:
    Table& table_;
    std::uint32_t slot_;
    std::uint32_t life_;
    std::uint32_t capacity_;
    std::uint32_t place_ = 0;
    generation life_before_{};
    typename Table::state before_;
    std::uint32_t cache_before_[cache_size != 0 ? cache_size : 1];
};

}  // namespace lido::detail
