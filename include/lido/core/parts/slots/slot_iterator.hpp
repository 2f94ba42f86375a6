// Iteration over the live slots of a slot_table, by the set bits of its occupancy map.
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

struct slot_gives_object {};
struct slot_gives_pair {};

/// Reads a word of occupancy once and walks its bits: releasing the object one is at is safe, and so is acquiring.
template <class Table, class T, class Gives>
class slot_iterator {
    using handle_type = typename Table::handle_type;
    static constexpr bool pairs = std::is_same_v<Gives, slot_gives_pair>;

public:
    using value_type = std::conditional_t<pairs, std::pair<handle_type, T&>, std::remove_const_t<T>>;
    using reference = std::conditional_t<pairs, std::pair<handle_type, T&>, T&>;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::conditional_t<pairs, std::input_iterator_tag, std::forward_iterator_tag>;

    slot_iterator() noexcept = default;
    slot_iterator(Table* table, std::size_t first_word) noexcept
        : table_(table), word_(first_word), words_(words_for(table->used())) {
        if (word_ < words_) left_ = table_->live_in(word_);
        skip_empty_words();
    }

    [[nodiscard]] LIDO_ENTRY reference operator*() const noexcept {
        const std::size_t slot = word_ * 64 + lowest(left_);
        LIDO_ASSERT_FROM(name_of(table_), left_ != 0, "a pool iterator was used past the end");
        LIDO_ASSERT_FROM(name_of(table_), test(table_->occupied(), slot),
                         "an object was released during iteration before it was visited: use release_if");
        if constexpr (!std::is_const_v<Table>) table_->touch(slot);
        if constexpr (pairs) {
            return reference(table_->handle_at(static_cast<std::uint32_t>(slot)), *table_->at(slot));
        } else {
            return *table_->at(slot);
        }
    }
    [[nodiscard]] T* operator->() const noexcept
        requires(!pairs)
    {
        return address_of(operator*());
    }

    slot_iterator& operator++() noexcept {
        left_ &= left_ - 1;
        skip_empty_words();
        return *this;
    }
    slot_iterator operator++(int) noexcept {
        slot_iterator before = *this;
        ++*this;
        return before;
    }

    friend bool operator==(const slot_iterator& a, const slot_iterator& b) noexcept {
        return a.word_ == b.word_ && a.left_ == b.left_;
    }
    friend bool operator==(const slot_iterator& a, std::default_sentinel_t) noexcept { return a.left_ == 0; }

private:
    void skip_empty_words() noexcept {
        while (left_ == 0 && ++word_ < words_) left_ = table_->live_in(word_);
    }

    Table* table_ = nullptr;
    std::size_t word_ = 0;
    std::size_t words_ = 0;
    map_word left_ = 0;
};

template <class Table, class T>
class slot_range {
public:
    explicit slot_range(Table* table) noexcept : table_(table) {}
    [[nodiscard]] auto begin() const noexcept { return slot_iterator<Table, T, slot_gives_pair>(table_, 0); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

private:
    Table* table_;
};

}  // namespace lido::detail
