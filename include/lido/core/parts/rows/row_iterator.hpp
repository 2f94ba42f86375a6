// Iteration over the packed rows of a pool: plain pointers, or pointers that notice a change in builds with checks.
#pragma once

#include <lido/core/base/compat.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/base/iterators.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace lido::detail {

/// Stops the program when the pool has changed since begin(): a release moves an object that was not visited yet into a row that
/// was, or the other way round.
template <class Pool, class T>
class checked_row_iterator {
public:
    using value_type = std::remove_const_t<T>;
    using element_type = T;
    using reference = T&;
    using pointer = T*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;
    using iterator_concept = std::contiguous_iterator_tag;

    checked_row_iterator() noexcept = default;
    checked_row_iterator(Pool& pool, T* at) noexcept : at_(at), pool_(&pool), changes_(pool.changes()) {}

    [[nodiscard]] LIDO_ENTRY T& operator*() const noexcept { return *checked(LIDO_CALLER); }
    [[nodiscard]] LIDO_ENTRY T* operator->() const noexcept { return checked_or_end(LIDO_CALLER); }
    [[nodiscard]] T& operator[](difference_type n) const noexcept { return *(*this + n); }

    LIDO_ENTRY checked_row_iterator& operator+=(difference_type n) noexcept { return step(n, LIDO_CALLER); }
    LIDO_ENTRY checked_row_iterator& operator-=(difference_type n) noexcept { return step(-n, LIDO_CALLER); }
    LIDO_ENTRY checked_row_iterator& operator++() noexcept { return step(1, LIDO_CALLER); }
    LIDO_ENTRY checked_row_iterator& operator--() noexcept { return step(-1, LIDO_CALLER); }
    checked_row_iterator operator++(int) noexcept {
        checked_row_iterator before = *this;
        ++*this;
        return before;
    }
    checked_row_iterator operator--(int) noexcept {
        checked_row_iterator before = *this;
        --*this;
        return before;
    }
    friend checked_row_iterator operator+(checked_row_iterator i, difference_type n) noexcept { return i += n; }
    friend checked_row_iterator operator+(difference_type n, checked_row_iterator i) noexcept { return i += n; }
    friend checked_row_iterator operator-(checked_row_iterator i, difference_type n) noexcept { return i -= n; }
    friend difference_type operator-(const checked_row_iterator& a, const checked_row_iterator& b) noexcept {
        return a.at_ - b.at_;
    }
    friend bool operator==(const checked_row_iterator& a, const checked_row_iterator& b) noexcept {
        return a.at_ == b.at_;
    }
    friend auto operator<=>(const checked_row_iterator& a, const checked_row_iterator& b) noexcept {
        return a.at_ <=> b.at_;
    }

    /// For whoever goes on behalf of another.
    T* checked_or_end(const void* caller) const noexcept {
        if (pool_ == nullptr || pool_->changes() != changes_) [[unlikely]]
            stop("dense_pool changed during a forward iteration: walk backward() or use release_if", caller);
        return at_;
    }
    T* checked(const void* caller) const noexcept {
        checked_or_end(caller);
        if (at_ >= pool_->base() + pool_->size()) [[unlikely]]
            stop("a pool iterator was used past the end", caller);
        return at_;
    }
    checked_row_iterator& step(difference_type n, const void* caller) noexcept {
        checked_or_end(caller);
        at_ += n;
        return *this;
    }

private:
    LIDO_COLD void stop([[maybe_unused]] const char* what, [[maybe_unused]] const void* caller) const noexcept {
        LIDO_FATAL_BY(name_of(pool_), what, caller);
    }

    T* at_ = nullptr;
    Pool* pool_ = nullptr;
    std::uint64_t changes_ = 0;
};

template <class Pool, class T>
using row_iterator = std::conditional_t<checks, checked_row_iterator<Pool, T>, T*>;

template <class Pool, class T>
[[nodiscard]] row_iterator<Pool, T> row_begin([[maybe_unused]] Pool& pool, T* first) noexcept {
    if constexpr (checks) {
        return checked_row_iterator<Pool, T>(pool, first);
    } else {
        return first;
    }
}

template <class Pool, class T>
[[nodiscard]] row_iterator<Pool, T> row_end(Pool& pool, T* first) noexcept {
    return row_begin<Pool, T>(pool, first + pool.size());
}

/// From the last row down. The row is an index, so that it survives what a release of the current row does.
template <class Pool, class T>
class backward_iterator {
public:
    using value_type = T;
    using reference = T&;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;

    backward_iterator() noexcept = default;
    explicit backward_iterator(Pool* pool) noexcept : pool_(pool), left_(pool->size()) {}

    [[nodiscard]] LIDO_ENTRY T& operator*() const noexcept {
        LIDO_ASSERT_FROM(
            name_of(pool_), left_ != 0 && left_ <= pool_->size(),
            "dense_pool: more than the current object was released during a backward walk: use release_if");
        pool_->touch(left_ - 1);
        return pool_->base()[left_ - 1];
    }
    backward_iterator& operator++() noexcept {
        --left_;
        return *this;
    }
    void operator++(int) noexcept { --left_; }
    friend bool operator==(const backward_iterator& i, std::default_sentinel_t) noexcept { return i.left_ == 0; }

private:
    Pool* pool_ = nullptr;
    std::uint32_t left_ = 0;
};

template <class Pool, class T>
class backward_range {
public:
    explicit backward_range(Pool* pool) noexcept : pool_(pool) {}
    [[nodiscard]] auto begin() const noexcept { return backward_iterator<Pool, T>(pool_); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

private:
    Pool* pool_;
};

/// Handle and object, row by row.
template <class Pool, class T>
class row_range {
public:
    class iterator {
    public:
        using value_type = std::pair<typename Pool::handle_type, T&>;
        using reference = value_type;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;

        iterator() noexcept = default;
        explicit iterator(Pool* pool) noexcept : pool_(pool), at_(pool->begin()), end_(pool->end()) {}

        [[nodiscard]] LIDO_ENTRY value_type operator*() const noexcept {
            if constexpr (checks) static_cast<void>(at_.checked(LIDO_CALLER));
            T& object = *at_;
            return {pool_->handle_of_row(static_cast<std::uint32_t>(address_of(object) - pool_->base())), object};
        }
        LIDO_ENTRY iterator& operator++() noexcept {
            if constexpr (checks) static_cast<void>(at_.checked_or_end(LIDO_CALLER));
            ++at_;
            return *this;
        }
        void operator++(int) noexcept { ++at_; }
        friend bool operator==(const iterator& i, std::default_sentinel_t) noexcept { return i.at_ == i.end_; }

    private:
        Pool* pool_ = nullptr;
        row_iterator<Pool, T> at_{};
        row_iterator<Pool, T> end_{};
    };

    explicit row_range(Pool* pool) noexcept : pool_(pool) {}
    [[nodiscard]] iterator begin() const noexcept { return iterator(pool_); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

private:
    Pool* pool_;
};

}  // namespace lido::detail
