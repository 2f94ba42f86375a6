// The table of a recycle_pool: a slot_table (parts/slots/slot_table.hpp), and which slots hold objects that wait.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/parts/slots/slot_table.hpp>
#include <lido/core/shapes/recycle/hooks.hpp>
#include <lido/core/shapes/recycle/recycle_layout.hpp>
#include <lido/core/shapes/recycle/recycle_settings.hpp>
#include <lido/core/shapes/recycle/recycle_state.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace lido::detail {

template <class T, options Options, class Storage, class Tag>
class recycle_table
    : public slot_table<
          T, recycle_layout<T, Options, Tag>, Options, Storage, recycle_state<Options>,
          recycle_settings<T, typename recycle_layout<T, Options, Tag>::handle_type, Options.confirmed_ends>> {
    using base = typename recycle_table::slot_table;

public:
    using typename base::settings_type;
    using typename base::size_type;
    using hooks_type = recycle_hooks<T, typename base::handle_type, Options.confirmed_ends>;

    using base::base;

    /// Has slots for settings.idle_cap objects, too, where that is given.
    void open(slot_count capacity) noexcept {
        const size_type cap = this->settings().idle_cap;
        base::open(capacity, cap != settings_type::no_idle_cap ? (std::min)(cap, base::handle_type::max_slots) : 0,
                   this->settings().reserve);
        note_ages();
    }
    void open(std::span<std::byte> buffer) noexcept {
        base::open(buffer);
        note_ages();
    }
    void open_inside() noexcept {
        base::open_inside();
        note_ages();
    }

    void steal(recycle_table& other) noexcept {
        base::steal(other);
        hollow_ = std::exchange(other.hollow_, 0);
        aged_late_ = std::exchange(other.aged_late_, false);
    }

    [[nodiscard]] LIDO_INLINE hooks_type hooks() const noexcept { return hooks_type(this->settings()); }

    [[nodiscard]] map_word* held() const noexcept { return this->taken(); }
    [[nodiscard]] map_word* built() const noexcept { return this->template array<map_word, at_built>(); }

    // --- idle objects ------------------------------------------------------------------------------------------------------

    [[nodiscard]] LIDO_INLINE std::uint32_t* stack() const noexcept {
        return this->template array<std::uint32_t, at_idle>();
    }
    LIDO_INLINE void push(std::uint32_t slot) noexcept { stack()[this->now().idle++] = slot; }
    [[nodiscard]] LIDO_INLINE std::uint32_t pop() noexcept { return stack()[--this->now().idle]; }

    /// True when the slot on top of the stack may begin a life at once: its object is there, and the pool is not full.
    [[nodiscard]] LIDO_INLINE bool quick() const noexcept {
        return this->now().idle != 0 && hollow_ == 0 && !this->full();
    }

    /// Objects that wait, and how many may.
    [[nodiscard]] size_type idle() const noexcept { return this->now().idle - hollow_; }
    [[nodiscard]] LIDO_INLINE size_type idle_cap() const noexcept { return this->settings().idle_cap; }

    /// Idle slots without an object.
    [[nodiscard]] LIDO_INLINE size_type& hollow() noexcept { return hollow_; }
    [[nodiscard]] size_type hollow() const noexcept { return hollow_; }

    /// The idle cap is not asked: a replacement is under way.
    [[nodiscard]] bool& keep_next() noexcept { return keep_next_; }

    // --- ages that are kept only from some time on ---------------------------------------------------------------------------

    /// Those that live already come before all that follow, in the order of their slots, at priority 0.
    void keep_ages_from_now() noexcept {
        if (this->ageing()) return;
        this->limits().changing().keep_ages = true;
        aged_late_ = true;
        age_those_that_live();
    }
    /// A state from before that time has come back.
    void age_those_that_live() noexcept {
        auto& st = this->now();
        st.ages_kept = true;
        st.ages.reset();
        this->for_each_live([&](std::uint32_t slot) { st.ages.enter(this->aged(), slot, 0); });
    }
    /// Whether the state can be that of this table as far as ages go.
    [[nodiscard]] bool ages_fit(const typename base::state& st) const noexcept {
        return st.ages_kept == this->now().ages_kept || (aged_late_ && !st.ages_kept);
    }

private:
    void note_ages() noexcept { this->now().ages_kept = base::pool_options.ages_by_setting && this->ageing(); }

    size_type hollow_ = 0;
    bool keep_next_ = false;
    bool aged_late_ = false;  ///< there are saves from when it kept no ages
};

}  // namespace lido::detail
