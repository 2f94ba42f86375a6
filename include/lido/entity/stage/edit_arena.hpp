// Memory for edits of a number of entities that is known only at run time: a fixed block, from which they take what they need. It is taken back
// when the last edit is closed.
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

    void open() noexcept { ++edits_; }
    void close() noexcept {
        if (--edits_ == 0) used_ = 0;
    }

    /// Null when there is no room. Pre: an edit is open; alignment is a power of two.
    [[nodiscard]] void* take(std::size_t bytes, std::size_t alignment) noexcept {
        if (block_ == nullptr) {
            block_.reset(new (std::nothrow) std::max_align_t[bytes_ / sizeof(std::max_align_t) + 1]);
            if (block_ == nullptr) return nullptr;
        }
        void* at = reinterpret_cast<std::byte*>(block_.get()) + used_;
        std::size_t left = bytes_ - used_;
        if (std::align(alignment, bytes, at, left) == nullptr) return nullptr;
        used_ = bytes_ - left + bytes;
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
