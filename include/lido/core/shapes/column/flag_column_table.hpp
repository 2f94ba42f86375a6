// The bookkeeping of a flag column pool: memory, generations, which rows hold an object, ages, counts; drawn in flag_column_pool.hpp.
//
// A life begins:  free_row()  ->  settle(row, ...): the fields onto the row, then the life counts
// A life ends:    end_life(row)
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/slot_count.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/leak_check.hpp>
#include <lido/core/checks/poison.hpp>
#include <lido/core/meta/fields.hpp>
#include <lido/core/parts/age_order.hpp>
#include <lido/core/parts/exhaustion.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/opening.hpp>
#include <lido/core/parts/slots/finders.hpp>
#include <lido/core/parts/worn_slot.hpp>
#include <lido/core/shapes/column/column_fields.hpp>
#include <lido/core/shapes/column/field_steps.hpp>
#include <lido/core/shapes/column/flag_column_layout.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lido::detail {

/// What entry_checks says of a flag column pool. A constructor may do what it likes: what it builds is not in the pool yet.
struct flag_column_sentences {
    static constexpr const char* built = "flag_column_pool: a field's move or destructor changed the pool it lives in";
    static constexpr const char* ended = built;
    static constexpr const char* read =
        "flag_column_pool: a field's move or destructor went through the pool while a row of it is half-way";
    static constexpr const char* moved = "flag_column_pool: the pool was moved from inside of its own callback";
};

template <class T, class Layout, options Options, class Storage, class Ref, class ConstRef>
class flag_column_table
    : public entry_checks<flag_column_table<T, Layout, Options, Storage, Ref, ConstRef>, flag_column_sentences> {
public:
    using value_type = T;
    using layout = Layout;
    using memory = typename Storage::template memory<Layout>;
    using handle_type = typename Layout::handle_type;
    using generation = typename Layout::generation;
    using maps_type = slot_maps<generation>;
    using limits_type = exhaustion<T, handle_type, Options, Ref, ConstRef>;
    using settings_type = typename limits_type::settings_type;
    using diary_type = diary<Options.forensics>;
    using size_type = std::uint32_t;

    static constexpr options pool_options = Options;
    static constexpr bool has_generations = Layout::has_generations;
    static constexpr bool tracks = Options.tracks != track::nothing;
    static constexpr bool plain = fields_without_objects<field_types<T>>::all;

    /// All that a save must bring back, beside the arrays. Trivially copyable.
    struct state {
        size_type size = 0;
        size_type capacity = 0;
        size_type retired = 0;
        size_type peak = 0;
        std::uint64_t acquired = 0;
        LIDO_NO_UNIQUE_ADDRESS age_order<Options.tracks> ages;
        pool_counters counters;
    };
    static_assert(std::is_trivially_copyable_v<state>);

    // --- building ----------------------------------------------------------------------------------------------------------

    explicit flag_column_table(const settings_type& settings) noexcept : limits_(settings) {}

    void open(slot_count capacity) noexcept {
        open_memory(memory_, limits_, capacity, layout::max_rows, false);
        start();
    }
    void open_inside() noexcept {
        static_assert(memory::fixed_slots <= layout::max_rows,
                      "lido: the handle's index bits cannot name that many rows");
        detail::open_inside<memory>(limits_, layout::max_rows);
        start();
    }
    void open(std::span<std::byte> buffer) noexcept {
        open_lent(memory_, limits_, buffer, layout::max_rows,
                  "the lent buffer is too small for one row; the pool has capacity 0");
        start();
    }

    /// Takes all of `other`, which has capacity 0 then. Pre: no object lives here.
    void steal(flag_column_table& other) noexcept {
        other.expect_unmoved();
        memory_ = std::move(other.memory_);
        state_ = std::exchange(other.state_, state{});
        limits_ = other.limits_;
        other.limits_.close();
        diary_.take(other.diary_);
    }

    /// Reports the objects that live as settings.leaks says. True when the end of the pool is to end them.
    [[nodiscard]] bool check_leaks() const noexcept {
        return detail::check_leaks(diary_, limits_.settings(), size(), [this](auto&& f) {
            for_each_live([&](std::uint32_t row) { f(row, handle_at(row).generation()); });
        });
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    [[nodiscard]] size_type size() const noexcept { return state_.size; }
    [[nodiscard]] size_type capacity() const noexcept { return state_.capacity; }
    [[nodiscard]] size_type max_capacity() const noexcept { return state_.capacity; }
    [[nodiscard]] bool full() const noexcept { return state_.size + state_.retired >= state_.capacity; }

    /// Rises with every life that begins or ends.
    [[nodiscard]] std::uint64_t changes() const noexcept { return state_.acquired * 2 - state_.size; }

    /// Rows up to the last that holds an object.
    [[nodiscard]] size_type used() const noexcept {
        for (std::size_t w = words_for(capacity()); w-- != 0;) {
            if (occupied()[w] != 0) return static_cast<size_type>(w * 64 + highest(occupied()[w]) + 1);
        }
        return 0;
    }
    [[nodiscard]] LIDO_INLINE bool contains(handle_type handle) const noexcept {
        const std::uint32_t row = handle.index();
        const std::uint32_t life = handle.generation();
        if constexpr (has_generations) {
            // an even generation names no life, though a free row may hold it
            return row < capacity() && generations()[row] == life && (life & 1) != 0;
        } else {
            return row < capacity() && life == 1 && test(occupied(), row);
        }
    }
    [[nodiscard]] LIDO_INLINE bool has_row(std::uint32_t row) const noexcept {
        return row < capacity() && test(occupied(), row);
    }
    /// For a pass that began when the map had more words: none is there after a move.
    [[nodiscard]] map_word map_word_at(std::size_t word) const noexcept {
        return word < words_for(capacity()) ? occupied()[word] : 0;
    }
    [[nodiscard]] LIDO_INLINE handle_type handle_at(std::uint32_t row) const noexcept {
        if constexpr (has_generations) {
            return handle_type::of(row, generations()[row]);
        } else {
            return handle_type::of(row, 1);
        }
    }
    /// The generation of a row now; 0 of one that is not there.
    [[nodiscard]] std::uint32_t generation_of(std::uint32_t row) const noexcept {
        if (row >= capacity()) return 0;
        if constexpr (has_generations) return generations()[row];
        return test(occupied(), row) ? 1 : 2;
    }

    /// Calls `f(row)` for each live row. `f` may end lives, the current and others.
    template <class F>
    void for_each_live(F&& f) const {
        for (std::size_t w = 0; w < words_for(capacity()); ++w) {
            for (map_word left = occupied()[w]; left != 0; left &= left - 1) {
                const auto row = static_cast<std::uint32_t>(w * 64 + lowest(left));
                if (has_row(row)) f(row);
            }
        }
    }

    [[nodiscard]] LIDO_INLINE limits_type& limits() noexcept { return limits_; }
    [[nodiscard]] LIDO_INLINE const limits_type& limits() const noexcept { return limits_; }
    [[nodiscard]] const settings_type& settings() const noexcept { return limits_.settings(); }
    [[nodiscard]] const char* name() const noexcept { return limits_.settings().name; }
    [[nodiscard]] pool_counters& counters() noexcept { return state_.counters; }
    [[nodiscard]] LIDO_INLINE diary_type& book() noexcept { return diary_; }
    [[nodiscard]] LIDO_INLINE const diary_type& book() const noexcept { return diary_; }
    [[nodiscard]] state& now() noexcept { return state_; }
    [[nodiscard]] const state& now() const noexcept { return state_; }

    [[nodiscard]] pool_stats stats(const char* shape) const noexcept {
        pool_stats s = stats_of(shape, state_, size(), capacity());
        s.bytes = memory_.bytes();
        s.bookkeeping_per_slot = layout::bookkeeping(capacity());
        return s;
    }

    // --- arrays ------------------------------------------------------------------------------------------------------------

    template <std::size_t K>
    [[nodiscard]] LIDO_INLINE std::byte* array() const noexcept {
        return memory_.template array<K>();
    }
    template <class U, std::size_t K>
    [[nodiscard]] LIDO_INLINE U* array() const noexcept {
        return reinterpret_cast<U*>(array<K>());
    }
    [[nodiscard]] LIDO_INLINE generation* generations() const noexcept { return array<generation, flag_generations>(); }
    [[nodiscard]] LIDO_INLINE map_word* occupied() const noexcept { return array<map_word, flag_occupied>(); }
    [[nodiscard]] age_arrays aged() const noexcept {
        return {array<age_links, flag_links>(), array<std::uint64_t, flag_birth>(),
                array<std::uint8_t, flag_priority>()};
    }
    /// As a finder sees them.
    [[nodiscard]] maps_type maps() const noexcept {
        return {occupied(),
                nullptr,
                nullptr,
                nullptr,
                nullptr,
                has_generations ? generations() : nullptr,
                handle_type::last_generation,
                state_.retired != 0};
    }

    /// Fields that are objects are closed on rows without one, or opened again for whoever gets the memory. Plain bytes are open on every row.
    void guard_rows([[maybe_unused]] bool closed) noexcept {
        if constexpr (!plain) {
            if (!guarded()) return;
            each_object_field([&]<std::size_t I>() {
                for (std::uint32_t row = 0; row < capacity(); ++row) {
                    if (has_row(row)) continue;
                    closed ? close_off(column_of<I>(*this) + row, sizeof(field_type<T, I>))
                           : open_up(column_of<I>(*this) + row, sizeof(field_type<T, I>));
                }
            });
        }
    }

    /// The pool has ended: its memory is anybody's.
    void unguard() noexcept { guard_rows(false); }

    // --- lives -------------------------------------------------------------------------------------------------------------

    [[nodiscard]] std::uint32_t free_row() const noexcept { return flag_scan{}.take_fresh(maps(), capacity()); }

    /// Onto a free row. Plain structs are copied, others moved.
    template <class Whole>
    LIDO_INLINE handle_type settle(std::uint32_t row, [[maybe_unused]] request wish, Whole&& whole) noexcept {
        set(occupied(), row);
        {
            const half_way::quick_scope now(limits_.now(), half_way::builds | half_way::unreadable);
            auto fields = tie_fields(whole);
            each_field<T>([&]<std::size_t I>() {
                auto* const to = column_of<I>(*this) + row;
                if constexpr (plain) {
                    copy_field(to, std::addressof(std::as_const(std::get<I>(fields))));
                } else {
                    if constexpr (!is_bytes<field_type<T, I>>) open_up(to, sizeof(*to));
                    move_field(to, std::addressof(std::get<I>(fields)));
                }
            });
        }
        if constexpr (has_generations) ++generations()[row];
        ++state_.acquired;
        state_.peak = (std::max)(state_.peak, ++state_.size);
        if constexpr (tracks) state_.ages.enter(aged(), row, wish.priority);
        const handle_type handle = handle_at(row);
        diary_.begin(row, handle.generation());
        return handle;
    }

    /// Whether a life may begin under exactly this handle.
    [[nodiscard]] refusal claimable(handle_type handle) const noexcept {
        const std::uint32_t row = handle.index();
        const std::uint32_t life = handle.generation();
        if ((life & 1) == 0 || row >= capacity() ||
            (has_generations ? life > handle_type::last_generation : life != 1)) {
            return refusal::out_of_range;
        }
        if (test(occupied(), row)) return refusal::slot_taken;
        if constexpr (has_generations) {
            if (generations()[row] >= life) return refusal::generation_passed;
        }
        return refusal::none;
    }
    /// The next life on the handle's row is the one that it names. Pre: claimable() said so.
    void claim([[maybe_unused]] handle_type handle) noexcept {
        if constexpr (has_generations) generations()[handle.index()] = static_cast<generation>(handle.generation() - 1);
    }

    LIDO_INLINE void end_life(std::uint32_t row) noexcept {
        diary_.end(row, handle_at(row).generation());
        end_object(row);
        if constexpr (has_generations) {
            if (generations()[row] == handle_type::last_generation) [[unlikely]]
                wear_out(row);
        }
    }

    /// For a restore and for the end of the pool.
    void destroy_all() noexcept {
        if constexpr (!plain) for_each_live([this](std::uint32_t row) { end_object(row); });
    }

private:
    void start() noexcept {
        state_.capacity = limits_.first_capacity();
        limits_.begin();
        diary_.open(name(), &handle_kind<handle_type>, has_generations ? 1 : 0);
        guard_rows(true);
    }

    template <class F>
    static LIDO_INLINE void each_object_field(F&& f) {
        each_field<T>([&]<std::size_t I>() {
            if constexpr (!is_bytes<field_type<T, I>>) f.template operator()<I>();
        });
    }

    /// The life is over before its fields end, and the row is free after.
    LIDO_INLINE void end_object(std::uint32_t row) noexcept {
        --state_.size;
        if constexpr (tracks) state_.ages.leave(aged(), row);
        if constexpr (has_generations) ++generations()[row];
        if constexpr (!plain) {
            const half_way::quick_scope now(limits_.now(), half_way::ends | half_way::unreadable);
            each_object_field([&]<std::size_t I>() {
                end_field(column_of<I>(*this) + row);
                bury(column_of<I>(*this) + row, sizeof(field_type<T, I>));
            });
        }
        clear(occupied(), row);
    }

    void wear_out(std::uint32_t row) noexcept {
        if (!reuse_worn_slot<Options.generations>(limits_, [&] { generations()[row] = 0; })) ++state_.retired;
    }

    state state_;
    memory memory_;
    limits_type limits_;
    LIDO_NO_UNIQUE_ADDRESS diary_type diary_;
};

}  // namespace lido::detail
