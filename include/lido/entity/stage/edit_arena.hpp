// Memory for edits of a number of entities that is known only at run time: a fixed block, from which they take what they need. It is taken back
// when an edit is closed that took the last of it, or no edit is open.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace lido::entity_detail {

class edit_arena {
public:
    /// Memory is taken with the first edit that asks.
    explicit edit_arena(std::size_t bytes) noexcept : bytes_(bytes) {}
    edit_arena(const edit_arena&) = delete;
    edit_arena& operator=(const edit_arena&) = delete;

    /// What one edit has taken.
    struct share {
        std::size_t from = 0;   ///< before it took anything
        std::size_t to = 0;     ///< behind what it took last
        std::size_t bytes = 0;  ///< that are its own
    };

    void open() noexcept { ++edits_; }
    void close(const share& of) noexcept {
        if (--edits_ == 0) {
            used_ = 0;
        } else if (of.bytes != 0 && used_ == of.to && of.to - of.from == of.bytes) {
            // Nobody else has taken any since: an edit that stays open does not keep the memory of those after it.
            used_ = of.from;
        }
    }

    /// Null when there is no room. Pre: an edit is open; alignment is a power of two.
    [[nodiscard]] void* take(share& of, std::size_t bytes, std::size_t alignment) noexcept {
        if (block_ == nullptr) {
            block_.reset(new (std::nothrow) std::max_align_t[bytes_ / sizeof(std::max_align_t) + 1]);
            if (block_ == nullptr) return nullptr;
        }
        void* at = reinterpret_cast<std::byte*>(block_.get()) + used_;
        std::size_t left = bytes_ - used_;
        if (std::align(alignment, bytes, at, left) == nullptr) return nullptr;
        if (of.bytes == 0) of.from = used_;
        of.bytes += bytes_ - left + bytes - used_;
        of.to = used_ = bytes_ - left + bytes;
        return at;
    }

    [[nodiscard]] std::size_t open_edits() const noexcept { return edits_; }

private:
    std::unique_ptr<std::max_align_t[]> block_;
    std::size_t bytes_;
    std::size_t used_ = 0;
    std::size_t edits_ = 0;
};

}  // namespace lido::entity_detail
