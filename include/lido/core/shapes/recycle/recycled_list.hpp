// recycled_list: recycled objects, the active ones packed. An object keeps its address and what it owns from life to life; which of them are
// active is an array without holes, walked backward, from which the last one fills the place of one that ends. No handles.
//
//   order    | active: size()            | idle, the one released last first | no object there ...    |       4 bytes a slot
//            0                           size            size + idle                        capacity + idle_cap
//   place    | where in `order` slot 0 stands | slot 1 | ...                                                4 bytes a slot
//   values   | T | T | T | ...                                                                              they never move
//
// An acquire takes order[size], whichever it is: the object released last, or where there is none a slot for a new one. A release changes
// places with the last active one, and is then the first of the idle ones. So the stack of idle objects costs no array of its own.
//
// RL1. `order` holds every slot once, and place[order[i]] is i.
// RL2. Objects exist in the first size + idle slots of `order` and in no others.
// RL3. size <= capacity and idle <= idle_cap; there are capacity + idle_cap slots, so that both can be reached at one time.
//
// A shape of its own beside recycle_pool: docs/decisions/0023-packed-recycled-objects.md. Left out: handles and all that needs them, growth,
// replacement and merging (a full list drops), ages, and the reset check.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/construct.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/base/stats.hpp>
#include <lido/core/checks/diary.hpp>
#include <lido/core/checks/leak_check.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/memory/storage.hpp>
#include <lido/core/parts/exhaustion.hpp>
#include <lido/core/parts/half_way.hpp>
#include <lido/core/parts/slots/inner_calls.hpp>
#include <lido/core/parts/surface.hpp>
#include <lido/core/shapes/recycle/hooks.hpp>
#include <lido/core/shapes/recycle/recycle_settings.hpp>
#include <lido/core/shapes/recycle/recycled_list_rewind.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace lido {

namespace detail {

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

/// Over the active objects, in row order or, with `Back`, from the last row down. Holds a row, so that releasing the object one is at is safe on
/// the way back.
template <class List, class T, bool Back>
class recycled_list_iterator {
public:
    using value_type = std::remove_const_t<T>;
    using reference = T&;
    using pointer = T*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;

    recycled_list_iterator() noexcept = default;
    recycled_list_iterator(List* list, std::uint32_t left) noexcept : list_(list), left_(left) {}

    [[nodiscard]] T& operator*() const noexcept {
        LIDO_ASSERT(left_ != 0 && row() < list_->size(),
                    "recycled_list: more than the current object was released during a walk: walk backward()");
        return (*list_)[row()];
    }
    [[nodiscard]] T* operator->() const noexcept { return std::addressof(**this); }
    recycled_list_iterator& operator++() noexcept {
        --left_;
        return *this;
    }
    recycled_list_iterator operator++(int) noexcept {
        recycled_list_iterator before = *this;
        --left_;
        return before;
    }
    friend bool operator==(const recycled_list_iterator& a, const recycled_list_iterator& b) noexcept {
        return a.left_ == b.left_;
    }
    friend bool operator==(const recycled_list_iterator& i, std::default_sentinel_t) noexcept { return i.left_ == 0; }

private:
    [[nodiscard]] std::uint32_t row() const noexcept { return Back ? left_ - 1 : list_->size() - left_; }

    List* list_ = nullptr;
    std::uint32_t left_ = 0;
};

template <class List, class T>
class recycled_list_backward {
public:
    explicit recycled_list_backward(List* list) noexcept : list_(list) {}
    [[nodiscard]] auto begin() const noexcept { return recycled_list_iterator<List, T, true>(list_, list_->size()); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

private:
    List* list_;
};

}  // namespace detail

/// Threads: a list belongs to one thread at a time; const functions may run together while nobody changes it.
/// Re-entrancy: hooks, constructors and destructors may read the list. An acquire from inside is refused and reported; other changes stop.
template <class T, options Options = options{}, class Storage = heap_storage>
class recycled_list : public detail::holder_surface<recycled_list<T, Options, Storage>> {
    using surface = detail::holder_surface<recycled_list>;
    using layout = detail::recycled_list_layout<T>;
    using memory = typename Storage::template memory<layout>;
    using diary_type = detail::diary<Options.forensics>;
    using hooks_type = detail::recycle_hooks<T, std::uint32_t>;

    static_assert(!Options.forensics || forensics,
                  "lido: options::forensics needs a build with LIDO_FORENSICS, in which acquire and release are not "
                  "inlined: define it for this file");
    static_assert(detail::holdable<T>, "lido: a pool holds objects of a non-const, non-volatile, non-array type");
    static_assert(!Options.confirmed_ends,
                  "lido: recycled_list moves the last element into the hole that a removal leaves, so an ended one "
                  "cannot wait in its place: options::confirmed_ends needs slot_pool or recycle_pool");
    static_assert(std::is_nothrow_destructible_v<T>, "lido: the element's destructor must not throw");
    static_assert(
        memory::fixed_slots == 0 && requires(memory m) { m.open(std::size_t{}, std::size_t{}); },
        "lido: a recycled_list lies on the heap or in reserved address space");
    static_assert(
        Options.tracks == track::nothing && Options.order == reuse::recent && Options.reuse_delay == 0 &&
            !Options.mark_changes && !Options.ages_by_setting,
        "lido: a recycled_list drops when it is full and takes the object released last: it has no tracks, no "
        "reuse order, no reuse delay and no change marks");

public:
    using value_type = T;
    using settings_type = recycle_settings<T, std::uint32_t>;
    using size_type = std::uint32_t;
    using reference = T&;
    using const_reference = const T&;
    using iterator = detail::recycled_list_iterator<recycled_list, T, false>;
    using const_iterator = detail::recycled_list_iterator<const recycled_list, const T, false>;

    using rewind_with = detail::recycled_list_rewind;

    static constexpr options list_options = Options;
    static constexpr const char* shape = "recycled_list";
    static constexpr bool stable_addresses = true;

    /// At most `capacity` active objects and, beside them, settings.idle_cap idle ones: 0 keeps none, and without a say every object that
    /// was released waits. When the memory cannot be had, the capacity is 0, and the misuse handler has been told.
    explicit recycled_list(size_type capacity, settings_type settings = {})
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
        diary_.open(this->name(), nullptr);
    }
    recycled_list(const recycled_list&) = delete;
    recycled_list& operator=(const recycled_list&) = delete;
    /// Ends every object, or what settings.leaks says.
    ~recycled_list() {
        const bool ends = detail::check_leaks(diary_, settings_of_leaks(), size(), [this](auto&& f) {
            for (size_type row = 0; row < size(); ++row) f(order()[row], only_life);
        });
        if (!ends) return;
        clear();
        drop_idle();
    }

    // --- acquire and release -----------------------------------------------------------------------------------------------

    /// Begins a life: of the object released last, by its on_acquire(args…), or of a new one. It is the last row. nullptr when it was
    /// dropped: why_refused() tells. Throws: what making the object or a hook throws; the list is then as it was. O(1).
    template <class... Args>
        requires detail::recyclable<T, Args...>
    LIDO_ENTRY T* acquire(Args&&... args) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        return take(request{}, std::forward<Args>(args)...);
    }

    /// The same for a request that says how much it matters.
    template <class... Args>
        requires detail::recyclable<T, Args...>
    LIDO_ENTRY T* acquire_as(request wish, Args&&... args) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        return take(wish, std::forward<Args>(args)...);
    }

    /// Ends the life on this row; the last active object takes the row. False, counted and reported, when there is no such row.
    LIDO_ENTRY bool swap_remove(size_type row) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        expect_settled();
        if (row >= size()) [[unlikely]]
            return limits_.bad_release_of_object(diary_, state_.counters);
        end_row(row);
        return true;
    }

    /// Ends the life of an active object of this list. O(1).
    LIDO_ENTRY bool release(const T& object) noexcept {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        expect_settled();
        const std::uint32_t row = row_of(object);
        if (row == detail::no_slot) [[unlikely]]
            return limits_.bad_release_of_object(diary_, state_.counters);
        end_row(row);
        return true;
    }

    /// Ends every life that `gone(T&)` accepts. Visits each once, from the last row to the first, so that what moves into a hole has
    /// been visited. Pre: `gone` does not change the list.
    template <class Predicate>
    LIDO_ENTRY size_type release_if(Predicate gone) {
        [[maybe_unused]] const auto from = diary_.enter(LIDO_CALLER);
        expect_settled();
        size_type done = 0;
        for (size_type row = size(); row-- != 0;) {
            const std::uint64_t before = changes();
            const bool ends = gone(*at(row));
            LIDO_ASSERT(changes() == before, "release_if: the predicate changed the list");
            static_cast<void>(before);
            if (!ends || row >= size()) continue;
            end_row(row);
            ++done;
        }
        return done;
    }

    /// Ends every life; the objects wait, as many as may.
    void clear() noexcept {
        expect_settled();
        while (size() != 0) end_row(size() - 1);
    }

    // --- idle objects ------------------------------------------------------------------------------------------------------

    [[nodiscard]] size_type idle() const noexcept { return idle_; }
    [[nodiscard]] size_type idle_cap() const noexcept { return idle_cap_; }

    /// Makes objects until `count` wait, or as many as may. Returns how many it made. Throws: what making one throws.
    size_type prewarm(size_type count) {
        expect_settled();
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

    /// Destroys the objects that wait. Returns how many there were.
    size_type drop_idle() noexcept {
        expect_settled();
        const size_type all = idle_;
        while (idle_ != 0) destroy_last_idle();
        return all;
    }

    // --- looking -----------------------------------------------------------------------------------------------------------

    /// Pre: row < size().
    [[nodiscard]] T& operator[](size_type row) noexcept {
        LIDO_ASSERT(row < size(), "recycled_list: there is no such row");
        return *at(row);
    }
    [[nodiscard]] const T& operator[](size_type row) const noexcept {
        LIDO_ASSERT(row < size(), "recycled_list: there is no such row");
        return *at(row);
    }
    /// The row of an active object of this list now; bits::no_slot for any other object.
    [[nodiscard]] std::uint32_t row_of(const T& object) const noexcept {
        const auto first = reinterpret_cast<std::uintptr_t>(values());
        const auto here = reinterpret_cast<std::uintptr_t>(std::addressof(object));
        if (slots_ == 0 || here < first || (here - first) % sizeof(T) != 0 || (here - first) / sizeof(T) >= slots_)
            return detail::no_slot;
        const std::uint32_t row = place()[(here - first) / sizeof(T)];
        return row < size() ? row : detail::no_slot;
    }

    [[nodiscard]] size_type size() const noexcept { return state_.size; }
    [[nodiscard]] bool empty() const noexcept { return state_.size == 0; }
    [[nodiscard]] bool full() const noexcept { return state_.size >= capacity(); }
    [[nodiscard]] size_type capacity() const noexcept { return limits_.max_capacity(); }
    [[nodiscard]] size_type max_capacity() const noexcept { return limits_.max_capacity(); }
    [[nodiscard]] const settings_type& settings() const noexcept { return settings_; }

    // --- iteration, in row order -------------------------------------------------------------------------------------------
    //
    // While iterating forward the list must not change. To release the object one is at, walk backward(), or use release_if.

    [[nodiscard]] iterator begin() noexcept { return {this, size()}; }
    [[nodiscard]] iterator end() noexcept { return {this, 0}; }
    [[nodiscard]] const_iterator begin() const noexcept { return {this, size()}; }
    [[nodiscard]] const_iterator end() const noexcept { return {this, 0}; }

    /// From the last row to the first. Releasing the object one is at is allowed: the one that takes its row has been visited.
    /// Acquiring is allowed; what is acquired is not visited.
    [[nodiscard]] auto backward() noexcept { return detail::recycled_list_backward<recycled_list, T>(this); }

    /// Calls `f(object)` for each.
    template <class F>
    void for_each(F&& f) {
        for (T& object : *this) f(object);
    }
    template <class F>
    void for_each(F&& f) const {
        for (const T& object : *this) f(object);
    }

    [[nodiscard]] pool_stats stats() const noexcept {
        struct figures {
            size_type capacity, peak, retired;
            std::uint64_t acquired;
            const pool_counters& counters;
        };
        pool_stats s = detail::stats_of(shape, figures{capacity(), state_.peak, 0, state_.acquired, state_.counters},
                                        size(), capacity());
        s.idle = idle_;
        s.created = objects_.created;
        s.destroyed = objects_.destroyed;
        s.reused = objects_.reused;
        s.idle_overflow = objects_.idle_overflow;
        s.bytes = memory_.bytes();
        s.bookkeeping_per_slot = 2 * sizeof(std::uint32_t);
        return s;
    }

    /// Checks every numbered invariant. Complexity: O(slots).
    [[nodiscard]] verdict validate() const noexcept {
        for (std::uint32_t i = 0; i < slots_; ++i) {
            if (order()[i] >= slots_ || place()[order()[i]] != i) return {"RL1: order and place disagree"};
        }
        if (std::uint64_t{size()} + idle_ > slots_) return {"RL2: more objects than slots"};
        if (objects_.created - objects_.destroyed != size() + idle_) return {"RL2: an object was lost"};
        if (size() > capacity()) return {"RL3: more active objects than the capacity"};
        if (idle_ > idle_cap_) return {"RL3: more idle objects than may wait"};
        return {};
    }

private:
    // What the surface asks for (parts/surface.hpp).
    friend surface;
    [[nodiscard]] const auto& limits() const noexcept { return limits_; }

    friend struct detail::recycled_list_rewind;

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
    [[nodiscard]] LIDO_INLINE hooks_type hooks() const noexcept { return hooks_type(settings_); }
    [[nodiscard]] const auto& settings_of_leaks() const noexcept { return limits_.settings(); }

    using half_way = detail::half_way;
    void expect_settled() const noexcept {
        LIDO_VERIFY(!limits_.now().is(half_way::builds | half_way::ends),
                    "recycled_list: a hook, constructor or destructor changed the list that its object is of");
    }

    [[nodiscard]] T* values() const noexcept {
        return reinterpret_cast<T*>(memory_.template array<detail::list_values>());
    }
    [[nodiscard]] std::uint32_t* order() const noexcept {
        return reinterpret_cast<std::uint32_t*>(memory_.template array<detail::list_order>());
    }
    [[nodiscard]] std::uint32_t* place() const noexcept {
        return reinterpret_cast<std::uint32_t*>(memory_.template array<detail::list_place>());
    }
    [[nodiscard]] LIDO_INLINE T* at(std::uint32_t row) const noexcept { return values() + order()[row]; }
    [[nodiscard]] std::uint64_t changes() const noexcept { return state_.acquired * 2 - state_.size; }

    template <class... Args>
    T* take(request wish, Args&&... args) {
        if (limits_.now().is(half_way::builds | half_way::ends)) [[unlikely]]
            return refuse(refusal::reentrant);
        if (const refusal why = limits_.kept_from(wish, size()); why != refusal::none) [[unlikely]]
            return refuse(why);
        if (full()) [[unlikely]]
            return refuse(refusal::full);
        T* object = at(size());
        if (idle_ != 0) {
            object = wake(object, std::forward<Args>(args)...);
            --idle_;
            ++objects_.reused;
        } else {
            if (!hooks().template can_build<Args...>()) return refuse(refusal::no_creator);
            const half_way::scope now(limits_.now(), half_way::builds);
            object = hooks().build(inside_, object, std::forward<Args>(args)...);
            ++objects_.created;
        }
        diary_.begin(order()[size()], only_life);
        state_.peak = (std::max)(state_.peak, ++state_.size);
        ++state_.acquired;
        return object;
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

    LIDO_COLD T* refuse(refusal why) noexcept {
        limits_.refused(why, state_.counters);
        return nullptr;
    }

    state state_;
    size_type slots_ = 0;
    size_type idle_ = 0;
    size_type idle_cap_ = 0;
    detail::call_depth inside_ = 0;
    memory memory_;
    object_counters objects_;
    settings_type settings_;
    detail::exhaustion<T, std::uint32_t, Options> limits_;
    LIDO_NO_UNIQUE_ADDRESS diary_type diary_;
};

}  // namespace lido
