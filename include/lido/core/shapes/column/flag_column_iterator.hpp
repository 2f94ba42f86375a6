// Iteration over the live rows of a flag column pool, by the set bits of its map.
#pragma once

#include <lido/core/base/bits.hpp>
#include <lido/core/base/config.hpp>
#include <lido/core/shapes/column/column_fields.hpp>
#include <lido/core/shapes/column/column_row.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

namespace lido::detail {

/// Reads a word of the map once and walks its bits: releasing the object one is at is safe, and so is acquiring. Gives rows, or with
/// `Pairs` a handle and a row.
template <class Pool, class T, bool Pairs>
class flag_column_iterator {
    using row_type = column_row<Pool, T>;
    using pair_type = std::pair<typename Pool::handle_type, row_type>;

public:
    using value_type = std::conditional_t<Pairs, pair_type, T>;
    using reference = std::conditional_t<Pairs, pair_type, row_type>;
    using pointer = column_pointer<Pool, T>;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using iterator_concept = std::forward_iterator_tag;

    flag_column_iterator() noexcept = default;
    explicit flag_column_iterator(Pool* pool) noexcept : pool_(pool), words_(pool->live_bits().size()) {
        if (words_ != 0) left_ = pool_->live_bits()[0];
        skip_empty_words();
    }

    [[nodiscard]] reference operator*() const noexcept {
        LIDO_ASSERT(left_ != 0, "a pool iterator was used past the end");
        const auto row = static_cast<std::uint32_t>(word_ * 64 + lowest(left_));
        LIDO_ASSERT(row_door::table(*pool_).has_row(row),
                    "an object was released during iteration before it was visited: use release_if");
        if constexpr (Pairs) {
            return {row_door::table(*pool_).handle_at(row), row_type(pool_, row)};
        } else {
            return {pool_, row};
        }
    }
    [[nodiscard]] pointer operator->() const noexcept
        requires(!Pairs)
    {
        return pointer(**this);
    }

    flag_column_iterator& operator++() noexcept {
        left_ &= left_ - 1;
        skip_empty_words();
        return *this;
    }
    flag_column_iterator operator++(int) noexcept {
        flag_column_iterator before = *this;
        ++*this;
        return before;
    }

    friend bool operator==(const flag_column_iterator& a, const flag_column_iterator& b) noexcept {
        return a.left_ == b.left_ && (a.left_ == 0 || a.word_ == b.word_);
    }
    friend bool operator==(const flag_column_iterator& a, std::default_sentinel_t) noexcept { return a.left_ == 0; }

private:
    void skip_empty_words() noexcept {
        while (left_ == 0 && ++word_ < words_) left_ = row_door::table(*pool_).map_word_at(word_);
    }

    Pool* pool_ = nullptr;
    std::size_t word_ = 0;
    std::size_t words_ = 0;
    map_word left_ = 0;
};

template <class Pool, class T>
class flag_column_each {
public:
    explicit flag_column_each(Pool* pool) noexcept : pool_(pool) {}
    [[nodiscard]] auto begin() const noexcept { return flag_column_iterator<Pool, T, true>(pool_); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

private:
    Pool* pool_;
};

}  // namespace lido::detail
