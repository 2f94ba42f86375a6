// The entries of one commit, as readers of whole commits see them.
#pragma once

#include <lido/entity/journal/record.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace lido {

/// For each entry of a commit in order: a range of journal_entry. Or one notice of the journal (is_notice). Valid until the reader's
/// function returns.
class commit_group {
public:
    class iterator {
    public:
        using value_type = journal_entry;
        using difference_type = std::ptrdiff_t;
        using reference = journal_entry;
        using iterator_concept = std::input_iterator_tag;

        iterator() noexcept = default;
        [[nodiscard]] journal_entry operator*() const noexcept {
            return at_ != nullptr ? entity_detail::entry_of(at_, {number_}) : *notice_;
        }
        iterator& operator++() noexcept {
            if (at_ != nullptr) {
                const entity_detail::record_start start = entity_detail::start_of(at_);
                const bool last = (start.id_and_flags & entity_detail::record_header::last) != 0;
                at_ = last ? nullptr : at_ + entity_detail::whole_words(start.size);
                ++number_;
            }
            notice_ = nullptr;
            return *this;
        }
        iterator operator++(int) noexcept {
            const iterator before = *this;
            ++*this;
            return before;
        }
        [[nodiscard]] friend bool operator==(const iterator& i, std::default_sentinel_t) noexcept {
            return i.at_ == nullptr && i.notice_ == nullptr;
        }

    private:
        friend class commit_group;
        const std::byte* at_ = nullptr;
        const journal_entry* notice_ = nullptr;
        std::uint64_t number_ = 0;
    };

    /// Pre: a record of the ring, in front of the others of its commit.
    commit_group(const std::byte* first, entry_number number) noexcept {
        begin_.at_ = first;
        begin_.number_ = number.value;
    }
    /// Pre: the notice outlives this.
    explicit commit_group(const journal_entry& notice) noexcept { begin_.notice_ = &notice; }

    [[nodiscard]] iterator begin() const noexcept { return begin_; }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }
    [[nodiscard]] journal_entry front() const noexcept { return *begin_; }

    /// Complexity: O(entries).
    [[nodiscard]] std::size_t size() const noexcept {
        std::size_t sum = 0;
        for (iterator i = begin_; i != end(); ++i) ++sum;
        return sum;
    }

private:
    iterator begin_;
};

}  // namespace lido
