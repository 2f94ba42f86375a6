// The slots of a recycled list: objects, the order of those that are active and idle, counts; drawn in recycled_list.hpp, with the
// invariants RL1 to RL3.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/leak_check.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/parts/exhaustion.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/slots/inner_calls.hpp>
#include <lido/core/shapes/recycle/hooks.hpp>
#include <lido/core/shapes/recycle/recycle_settings.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace lido::detail {

enum : std::size_t { list_values, list_order, list_place, list_arrays };

template <class T>
struct recycled_list_layout {
    static constexpr std::size_t arrays = list_arrays;
    [[nodiscard]] static constexpr std::size_t bytes(std::size_t k, std::size_t slots) noexcept {
        return slots * (k == list_values ? sizeof(T) : sizeof(std::uint32_t));
    }
    [[nodiscard]] static constexpr std::size_t alignment(std::size_t k) noexcept {
        return k == list_values ? alignof(T) : alignof(std::uint32_t);
    }
    [[nodiscard]] static constexpr bool trims(std::size_t k) noexcept { return k == list_values; }
};

template <class T, options Options, class Storage>
class recycled_table {
    using hooks_type = recycle_hooks<T, std::uint32_t>;

public:
    using value_type = T;
    using memory = typename Storage::template memory<recycled_list_layout<T>>;
    using limits_type = exhaustion<T, std::uint32_t, Options>;
    using settings_type = recycle_settings<T, std::uint32_t>;
    using diary_type = diary<Options.forensics>;
    using size_type = std::uint32_t;

    static constexpr size_type most_slots = std::uint32_t{1}
                                            << 30;  // of each kind: both together are numbers of 32 bits
    static constexpr std::uint32_t only_life = 1;   // the diary's: slots have no generations here

    /// All that a save must bring back, beside the active objects. Trivially copyable.
    struct state {
        size_type size = 0;
        size_type peak = 0;
        std::uint64_t acquired = 0;
        pool_counters counters;
    };
    static_assert(std::is_trivially_copyable_v<state>);

    /// What this run has done to objects; a restore does not undo it.
    struct object_counters {
        std::uint64_t created = 0;
        std::uint64_t destroyed = 0;
        std::uint64_t reused = 0;
        std::uint64_t idle_overflow = 0;
    };

    recycled_table(size_type capacity, const settings_type& settings)
        : settings_(settings), limits_(limits_of(settings)) {
        const size_type waiting = settings.idle_cap != settings_type::no_idle_cap ? settings.idle_cap : 0;
        const size_type most = limits_.plan(capacity, most_slots, false);
        slots_ = most + (std::min)(waiting, most_slots);
        idle_cap_ = settings.idle_cap != settings_type::no_idle_cap ? slots_ - most : most;
        if (!memory_.open(slots_, slots_)) {
            limits_.fail("the memory for the asked capacity could not be had; the list has capacity 0");
            slots_ = idle_cap_ = 0;
        }
        for (std::uint32_t s = 0; s < slots_; ++s) order()[s] = place()[s] = s;
        limits_.begin();
        diary_.open(name(), nullptr);
    }

    /// Reports the active objects as settings.leaks says. True when the end of the list is to end them.
    [[nodiscard]] bool check_leaks() const noexcept {
        return detail::check_leaks(diary_, limits_.settings(), size(), [this](auto&& f) {
            for (size_type row = 0; row < size(); ++row) f(order()[row], only_life);
        });
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    [[nodiscard]] size_type size() const noexcept { return state_.size; }
    [[nodiscard]] size_type capacity() const noexcept { return limits_.max_capacity(); }
    [[nodiscard]] bool full() const noexcept { return state_.size >= capacity(); }
    [[nodiscard]] size_type idle() const noexcept { return idle_; }
    [[nodiscard]] size_type idle_cap() const noexcept { return idle_cap_; }

    [[nodiscard]] LIDO_INLINE limits_type& limits() noexcept { return limits_; }
    [[nodiscard]] LIDO_INLINE const limits_type& limits() const noexcept { return limits_; }
    [[nodiscard]] const settings_type& settings() const noexcept { return settings_; }
    [[nodiscard]] const char* name() const noexcept { return limits_.settings().name; }
    [[nodiscard]] pool_counters& counters() noexcept { return state_.counters; }
    [[nodiscard]] LIDO_INLINE diary_type& book() noexcept { return diary_; }
    [[nodiscard]] LIDO_INLINE const diary_type& book() const noexcept { return diary_; }
    [[nodiscard]] state& now() noexcept { return state_; }
    [[nodiscard]] const state& now() const noexcept { return state_; }
    [[nodiscard]] LIDO_INLINE hooks_type hooks() const noexcept { return hooks_type(settings_); }

    [[nodiscard]] pool_stats stats(const char* shape) const noexcept {
        struct figures {
            size_type capacity, peak, retired;
            std::uint64_t acquired;
            const pool_counters& counters;
        };
        pool_stats s =
            stats_of(shape, figures{capacity(), state_.peak, 0, state_.acquired, state_.counters}, size(), capacity());
        s.idle = idle_;
        s.created = objects_.created;
        s.destroyed = objects_.destroyed;
        s.reused = objects_.reused;
        s.idle_overflow = objects_.idle_overflow;
        s.bytes = memory_.bytes();
        s.bookkeeping_per_slot = 2 * sizeof(std::uint32_t);
        return s;
    }

    /// RL1 to RL3: the first that does not hold, or null.
    [[nodiscard]] const char* broken() const noexcept {
        for (std::uint32_t i = 0; i < slots_; ++i) {
            if (order()[i] >= slots_ || place()[order()[i]] != i) return "RL1: order and place disagree";
        }
        if (std::uint64_t{size()} + idle_ > slots_) return "RL2: more objects than slots";
        if (objects_.created - objects_.destroyed != size() + idle_) return "RL2: an object was lost";
        if (size() > capacity()) return "RL3: more active objects than the capacity";
        if (idle_ > idle_cap_) return "RL3: more idle objects than may wait";
        return nullptr;
    }

    void expect_settled() const noexcept {
        LIDO_VERIFY(!limits_.now().is(half_way::builds | half_way::ends),
                    "recycled_list: a hook, constructor or destructor changed the list that its object is of");
    }

    // --- rows and slots ----------------------------------------------------------------------------------------------------

    [[nodiscard]] T* values() const noexcept { return reinterpret_cast<T*>(memory_.template array<list_values>()); }
    [[nodiscard]] std::uint32_t* order() const noexcept {
        return reinterpret_cast<std::uint32_t*>(memory_.template array<list_order>());
    }
    [[nodiscard]] std::uint32_t* place() const noexcept {
        return reinterpret_cast<std::uint32_t*>(memory_.template array<list_place>());
    }
    [[nodiscard]] LIDO_INLINE T* at(std::uint32_t row) const noexcept { return values() + order()[row]; }

    /// Rises with every life that begins or ends.
    [[nodiscard]] std::uint64_t changes() const noexcept { return state_.acquired * 2 - state_.size; }

    /// The row of an active object of this list now, or no_slot.
    [[nodiscard]] std::uint32_t row_of(const T& object) const noexcept {
        const auto first = reinterpret_cast<std::uintptr_t>(values());
        const auto here = reinterpret_cast<std::uintptr_t>(std::addressof(object));
        if (slots_ == 0 || here < first || (here - first) % sizeof(T) != 0 || (here - first) / sizeof(T) >= slots_)
            return no_slot;
        const std::uint32_t row = place()[(here - first) / sizeof(T)];
        return row < size() ? row : no_slot;
    }

    // --- lives -------------------------------------------------------------------------------------------------------------

    /// Begins a life on the row behind the last active one: of the idle object there, or of a new one; null where nothing says how to make
    /// one. Pre: not full. Throws: what making the object or a hook throws; the list is then as it was.
    template <class... Args>
    T* begin(Args&&... args) {
        T* object = at(size());
        if (idle_ != 0) {
            object = wake(object, std::forward<Args>(args)...);
            --idle_;
            ++objects_.reused;
        } else {
            if (!hooks().template can_build<Args...>()) return nullptr;
            const half_way::scope now(limits_.now(), half_way::builds);
            object = hooks().build(inside_, object, std::forward<Args>(args)...);
            ++objects_.created;
        }
        diary_.begin(order()[size()], only_life);
        state_.peak = (std::max)(state_.peak, ++state_.size);
        ++state_.acquired;
        return object;
    }

    /// The object is the last active one, or becomes it, and no longer counts when its hooks run; then it is the first that waits. One too
    /// many: the one that has waited longest goes.
    void end_row(std::uint32_t row) noexcept {
        const half_way::scope now(limits_.now(), half_way::ends);
        change_places(row, size() - 1);
        --state_.size;
        hooks().end(inside_, *at(size()));
        ++idle_;
        if (idle_ > idle_cap_) [[unlikely]] {
            destroy_last_idle();
            ++objects_.idle_overflow;
        }
    }

    void destroy_last_idle() noexcept {
        const half_way::scope now(limits_.now(), half_way::ends);
        hooks().destroy(inside_, *at(size() + idle_ - 1));
        --idle_;
        ++objects_.destroyed;
    }

    void change_places(std::uint32_t a, std::uint32_t b) noexcept {
        std::swap(order()[a], order()[b]);
        place()[order()[a]] = a;
        place()[order()[b]] = b;
    }

    /// Makes objects until `count` wait, or as many as may. Returns how many it made. Throws: what making one throws.
    size_type prewarm(size_type count) {
        if (!hooks().can_create()) return 0;
        const size_type most = (std::min)({count, idle_cap_, slots_ - size()});
        size_type made = 0;
        for (; idle_ < most; ++made) {
            const half_way::scope now(limits_.now(), half_way::builds);
            hooks().create(inside_, at(size() + idle_));
            ++idle_;
            ++objects_.created;
        }
        return made;
    }

    /// A saved object is about to be built on this row, where the first `there` rows hold idle ones.
    void make_way(std::uint32_t row, std::uint32_t there) noexcept {
        if (row < there) {
            hooks().destroy(inside_, *at(row));
            ++objects_.destroyed;
        }
    }
    /// It is built, and its life goes on.
    void take_back(std::uint32_t row) noexcept {
        ++objects_.created;
        diary_.begin(order()[row], only_life);
    }
    /// All of them are; of the `there` idle ones these are left.
    void taken_back(std::uint32_t there) noexcept { idle_ = there > size() ? there - size() : 0; }

    void drop_idle() noexcept {
        while (idle_ != 0) destroy_last_idle();
    }

private:
    /// What a list can honour; the rest is told.
    [[nodiscard]] static pool_settings<T, std::uint32_t> limits_of(const settings_type& settings) noexcept {
        auto l = settings.limits();
        if (l.on_full != on_full::reject || settings.poison_idle) {
            report_misuse({.kind = misuse_kind::bad_setting,
                           .pool = settings.name,
                           .what = "a recycled_list drops when it is full and leaves idle objects open: on_full and "
                                   "poison_idle need recycle_pool"});
            l.on_full = on_full::reject;
        }
        return l;
    }

    /// The idle object whose life begins. When that throws, it waits on, or is gone where it was built over.
    template <class... Args>
    T* wake(T* object, Args&&... args) {
        const half_way::scope now(limits_.now(), half_way::builds);
        if constexpr (hooks_type::template survives<Args...>()) {
            return hooks().begin(inside_, object, std::forward<Args>(args)...);
        } else {
            T* begun = nullptr;
            LIDO_TRY { begun = hooks().begin(inside_, object, std::forward<Args>(args)...); }
            LIDO_CATCH_ALL {
                change_places(size(), size() + idle_ - 1);
                --idle_;
                ++objects_.destroyed;
                LIDO_RETHROW;
            }
            return begun;
        }
    }

    state state_;
    size_type slots_ = 0;
    size_type idle_ = 0;
    size_type idle_cap_ = 0;
    call_depth inside_ = 0;
    memory memory_;
    object_counters objects_;
    settings_type settings_;
    exhaustion<T, std::uint32_t, Options> limits_;
    LIDO_NO_UNIQUE_ADDRESS diary_type diary_;
};

}  // namespace lido::detail
