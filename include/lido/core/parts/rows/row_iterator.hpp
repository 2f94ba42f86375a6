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
template <class Table, class T>
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
    checked_row_iterator(Table& table, T* at) noexcept : at_(at), table_(&table), changes_(table.changes()) {}

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
        if (table_ == nullptr || table_->changes() != changes_) [[unlikely]]
            stop("dense_pool changed during a forward iteration: walk backward() or use release_if", caller);
        return at_;
    }
    T* checked(const void* caller) const noexcept {
        checked_or_end(caller);
        if (at_ >= table_->values() + table_->size()) [[unlikely]]
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
        LIDO_FATAL_BY(name_of(table_), what, caller);
    }

    T* at_ = nullptr;
    Table* table_ = nullptr;
    std::uint64_t changes_ = 0;
};

/// The objects of a table for a pass over them: with mark_changes, each may be changed by it.
template <class Table>
[[nodiscard]] auto* rows_to_visit(Table& table) noexcept {
    table.expect_readable();
    if constexpr (!std::is_const_v<Table>) table.touch_all();
    return static_cast<
        std::conditional_t<std::is_const_v<Table>, const typename Table::value_type, typename Table::value_type>*>(
        table.values());
}

template <class Table, class T>
using row_iterator = std::conditional_t<checks, checked_row_iterator<Table, T>, T*>;

template <class Table, class T>
[[nodiscard]] row_iterator<Table, T> row_begin([[maybe_unused]] Table& table, T* first) noexcept {
    if constexpr (checks) {
        return checked_row_iterator<Table, T>(table, first);
    } else {
        return first;
    }
}

template <class Table, class T>
[[nodiscard]] row_iterator<Table, T> row_end(Table& table, T* first) noexcept {
    return row_begin<Table, T>(table, first + table.size());
}

/// From the last row down. The row is an index, so that it survives what a release of the current row does.
template <class Table, class T>
class backward_iterator {
public:
    using value_type = T;
    using reference = T&;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;

    backward_iterator() noexcept = default;
    explicit backward_iterator(Table* table) noexcept : table_(table), left_(table->size()) {}

    [[nodiscard]] LIDO_ENTRY T& operator*() const noexcept {
        LIDO_ASSERT_FROM(
            name_of(table_), left_ != 0 && left_ <= table_->size(),
            "dense_pool: more than the current object was released during a backward walk: use release_if");
        table_->touch(left_ - 1);
        return table_->values()[left_ - 1];
    }
    backward_iterator& operator++() noexcept {
        --left_;
        return *this;
    }
    void operator++(int) noexcept { --left_; }
    friend bool operator==(const backward_iterator& i, std::default_sentinel_t) noexcept { return i.left_ == 0; }

private:
    Table* table_ = nullptr;
    std::uint32_t left_ = 0;
};

template <class Table, class T>
class backward_range {
public:
    explicit backward_range(Table* table) noexcept : table_(table) {}
    [[nodiscard]] auto begin() const noexcept { return backward_iterator<Table, T>(table_); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

private:
    Table* table_;
};

/// Handle and object, row by row.
template <class Table, class T>
class row_range {
public:
    class iterator {
    public:
        using value_type = std::pair<typename Table::handle_type, T&>;
        using reference = value_type;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;

        iterator() noexcept = default;
        explicit iterator(Table* table) noexcept
            : table_(table),
              at_(row_begin(*table, rows_to_visit(*table))),
              end_(row_end(*table, rows_to_visit(*table))) {}

        [[nodiscard]] LIDO_ENTRY value_type operator*() const noexcept {
            if constexpr (checks) static_cast<void>(at_.checked(LIDO_CALLER));
            T& object = *at_;
            return {table_->handle_of_row(static_cast<std::uint32_t>(address_of(object) - table_->values())), object};
        }
        LIDO_ENTRY iterator& operator++() noexcept {
            if constexpr (checks) static_cast<void>(at_.checked_or_end(LIDO_CALLER));
            ++at_;
            return *this;
        }
        void operator++(int) noexcept { ++at_; }
        friend bool operator==(const iterator& i, std::default_sentinel_t) noexcept { return i.at_ == i.end_; }

    private:
        Table* table_ = nullptr;
        row_iterator<Table, T> at_{};
        row_iterator<Table, T> end_{};
    };

    explicit row_range(Table* table) noexcept : table_(table) {}
    [[nodiscard]] iterator begin() const noexcept { return iterator(table_); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

private:
    Table* table_;
};

}  // namespace lido::detail
