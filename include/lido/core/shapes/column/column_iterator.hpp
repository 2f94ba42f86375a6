// Iteration over the rows of a column pool. A row's number and not an address, since the fields lie apart.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/shapes/column/column_fields.hpp>
#include <lido/core/shapes/column/column_row.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace lido::detail {

/// What a checked iterator remembers of the pool; nothing in builds without checks.
template <bool Checks>
struct change_stamp {
    std::uint64_t changes = 0;

    template <class Pool>
    void take(const Pool& pool) noexcept {
        row_door::table(pool).expect_readable();
        changes = row_door::table(pool).changes();
    }
    template <class Pool>
    void check(const Pool* pool, [[maybe_unused]] const void* caller) const noexcept {
        if (pool == nullptr || row_door::table(*pool).changes() != changes) [[unlikely]]
            LIDO_FATAL_BY(name_of(pool),
                          "column_pool changed during a forward iteration: walk backward() or use release_if", caller);
    }
};
template <>
struct change_stamp<false> {
    template <class Pool>
    void take(const Pool&) noexcept {}
    template <class Pool>
    void check(const Pool*, const void*) const noexcept {}
};

/// Random access. An input iterator to the old algorithms, because `*` gives no true reference; std::ranges takes it for what it
/// is. In builds with checks it stops the program when the pool has changed since begin().
template <class Pool, class T>
class column_iterator {
public:
    using value_type = T;
    using reference = column_row<Pool, T>;
    using pointer = column_pointer<Pool, T>;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using iterator_concept = std::random_access_iterator_tag;

    column_iterator() noexcept = default;
    column_iterator(Pool* pool, std::uint32_t row) noexcept : pool_(pool), row_(row) { stamp_.take(*pool); }

    [[nodiscard]] LIDO_ENTRY reference operator*() const noexcept {
        stamp_.check(pool_, LIDO_CALLER);
        LIDO_ASSERT_FROM(name_of(pool_), row_ < static_cast<difference_type>(pool_->size()),
                         "a pool iterator was used past the end");
        return {pool_, static_cast<std::uint32_t>(row_)};
    }
    [[nodiscard]] pointer operator->() const noexcept { return pointer(**this); }
    [[nodiscard]] reference operator[](difference_type n) const noexcept { return *(*this + n); }

    LIDO_ENTRY column_iterator& operator+=(difference_type n) noexcept { return step(n, LIDO_CALLER); }
    LIDO_ENTRY column_iterator& operator-=(difference_type n) noexcept { return step(-n, LIDO_CALLER); }
    LIDO_ENTRY column_iterator& operator++() noexcept { return step(1, LIDO_CALLER); }
    LIDO_ENTRY column_iterator& operator--() noexcept { return step(-1, LIDO_CALLER); }
    column_iterator operator++(int) noexcept {
        column_iterator before = *this;
        ++*this;
        return before;
    }
    column_iterator operator--(int) noexcept {
        column_iterator before = *this;
        --*this;
        return before;
    }
    friend column_iterator operator+(column_iterator i, difference_type n) noexcept { return i += n; }
    friend column_iterator operator+(difference_type n, column_iterator i) noexcept { return i += n; }
    friend column_iterator operator-(column_iterator i, difference_type n) noexcept { return i -= n; }
    friend difference_type operator-(const column_iterator& a, const column_iterator& b) noexcept {
        return a.row_ - b.row_;
    }
    friend bool operator==(const column_iterator& a, const column_iterator& b) noexcept { return a.row_ == b.row_; }
    friend auto operator<=>(const column_iterator& a, const column_iterator& b) noexcept { return a.row_ <=> b.row_; }

private:
    LIDO_INLINE column_iterator& step(difference_type n, const void* caller) noexcept {
        stamp_.check(pool_, caller);
        row_ += n;
        return *this;
    }

    Pool* pool_ = nullptr;
    difference_type row_ = 0;
    LIDO_NO_UNIQUE_ADDRESS change_stamp<checks> stamp_;
};

/// From the last row down: releasing the row one is at brings in one that has been visited.
template <class Pool, class T>
class column_backward {
public:
    class iterator {
    public:
        using value_type = T;
        using reference = column_row<Pool, T>;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;

        iterator() noexcept = default;
        explicit iterator(Pool* pool) noexcept : pool_(pool), left_(pool->size()) {}

        [[nodiscard]] LIDO_ENTRY reference operator*() const noexcept {
            LIDO_ASSERT_FROM(
                name_of(pool_), left_ != 0 && left_ <= pool_->size(),
                "column_pool: more than the current object was released during a backward walk: use release_if");
            return {pool_, left_ - 1};
        }
        iterator& operator++() noexcept {
            --left_;
            return *this;
        }
        void operator++(int) noexcept { --left_; }
        friend bool operator==(const iterator& i, std::default_sentinel_t) noexcept { return i.left_ == 0; }

    private:
        Pool* pool_ = nullptr;
        std::uint32_t left_ = 0;
    };

    explicit column_backward(Pool* pool) noexcept : pool_(pool) {}
    [[nodiscard]] iterator begin() const noexcept { return iterator(pool_); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

private:
    Pool* pool_;
};

/// Handle and row, one after the other.
template <class Pool, class T>
class column_each {
public:
    class iterator {
    public:
        using value_type = std::pair<typename Pool::handle_type, column_row<Pool, T>>;
        using reference = value_type;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;

        iterator() noexcept = default;
        explicit iterator(Pool* pool) noexcept : pool_(pool), at_(pool, 0), end_(pool, pool->size()) {}

        [[nodiscard]] value_type operator*() const noexcept {
            const column_row<Pool, T> row = *at_;
            return {pool_->handle_of_row(row.index()), row};
        }
        iterator& operator++() noexcept {
            ++at_;
            return *this;
        }
        void operator++(int) noexcept { ++at_; }
        friend bool operator==(const iterator& i, std::default_sentinel_t) noexcept { return i.at_ == i.end_; }

    private:
        Pool* pool_ = nullptr;
        column_iterator<Pool, T> at_{};
        column_iterator<Pool, T> end_{};
    };

    explicit column_each(Pool* pool) noexcept : pool_(pool) {}
    [[nodiscard]] iterator begin() const noexcept { return iterator(pool_); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

private:
    Pool* pool_;
};

}  // namespace lido::detail
