// Iteration over slots whose order the pool itself knows: round a ring, or by a byte map.
//
// The pool returns `first_live()`, `last_live()`, `live_after(slot, stop)` and, where it can be walked back, `live_before`: slots,
// or no_slot. `stop` is taken when the pass begins, so that a pass ends although the pool goes on.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/compat.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/iterators.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace lido::detail {

/// Holds a slot, not a pointer: releasing the object one is at is safe, and so is acquiring.
template <class Pool, class T, bool Pairs, bool Back = false>
class place_iterator {
    using handle_type = typename Pool::handle_type;

public:
    using value_type = std::conditional_t<Pairs, std::pair<handle_type, T&>, std::remove_const_t<T>>;
    using reference = std::conditional_t<Pairs, std::pair<handle_type, T&>, T&>;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::conditional_t<Pairs, std::input_iterator_tag, std::forward_iterator_tag>;

    place_iterator() noexcept = default;
    explicit place_iterator(Pool* pool) noexcept
        : pool_(pool),
          slot_(Back ? pool->last_live() : pool->first_live()),
          stop_(Back ? pool->first_live() : pool->last_live()) {}

    [[nodiscard]] LIDO_ENTRY reference operator*() const noexcept {
        LIDO_ASSERT_FROM(name_of(pool_), slot_ != no_slot, "a pool iterator was used past the end");
        LIDO_ASSERT_FROM(name_of(pool_), pool_->lives_at(slot_),
                         "an object was released during iteration before it was visited");
        if constexpr (Pairs) {
            return reference(pool_->handle_at(slot_), *pool_->object_at(slot_));
        } else {
            return *pool_->object_at(slot_);
        }
    }
    [[nodiscard]] T* operator->() const noexcept
        requires(!Pairs)
    {
        return address_of(operator*());
    }

    LIDO_ENTRY place_iterator& operator++() noexcept {
        LIDO_ASSERT_FROM(name_of(pool_), slot_ != no_slot, "a pool iterator was moved past the end");
        if constexpr (Back) {
            slot_ = pool_->live_before(slot_, stop_);
        } else {
            slot_ = pool_->live_after(slot_, stop_);
        }
        return *this;
    }
    place_iterator operator++(int) noexcept {
        place_iterator before = *this;
        ++*this;
        return before;
    }

    friend bool operator==(const place_iterator& a, const place_iterator& b) noexcept { return a.slot_ == b.slot_; }
    friend bool operator==(const place_iterator& a, std::default_sentinel_t) noexcept { return a.slot_ == no_slot; }

private:
    Pool* pool_ = nullptr;
    std::uint32_t slot_ = no_slot;
    std::uint32_t stop_ = no_slot;
};

template <class Pool, class T, bool Pairs, bool Back = false>
class place_range {
public:
    explicit place_range(Pool* pool) noexcept : pool_(pool) {}
    [[nodiscard]] auto begin() const noexcept { return place_iterator<Pool, T, Pairs, Back>(pool_); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

private:
    Pool* pool_;
};

}  // namespace lido::detail
