// The pool of the document that bytemap_pool follows, under the document's names and with its loops step by step: numbers only, no
// objects. It knows nothing of lido, and is slow on purpose. Tests compare every number of a bytemap_pool with it.
//
// One reading is chosen here. A search that meets the top a second time ends there, with first_free == count; the next one starts
// beyond the top, which counts as "count is reached" too, where the sentence read to the letter would walk out of the arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lido::test {

class old_pool {
public:
    static constexpr std::int32_t none = -1;

    explicit old_pool(std::int32_t count) { initialise(count); }

    void initialise(std::int32_t count) {
        byte_map_.assign(static_cast<std::size_t>(count), 0);
        count_ = count;
        first_free_ = -1;
        clear();
    }

    void clear() {
        for (std::uint8_t& s : byte_map_) s = 0x80;
    }

    void flush() {
        if (count_ == 0) return;
        byte_map_.clear();
        count_ = 0;
        first_free_ = 0;
    }

    /// New(): the slot, or none.
    std::int32_t take() {
        bool top_was_reached = false;
        for (;;) {
            ++first_free_;
            if (first_free_ >= count_) {
                if (top_was_reached) break;
                top_was_reached = true;
                first_free_ = 0;
            }
            if (is_free(first_free_)) {
                begin_life(first_free_);
                return first_free_;
            }
        }
        return none;
    }

    /// New(handle): the slot that it returns, which is the one at first_free.
    std::int32_t take(std::int32_t handle) {
        begin_life(handle >> 8);
        first_free_ = 0;
        while (is_free(first_free_)) ++first_free_;
        return first_free_;
    }

    /// Delete(object), by the object's slot.
    void remove(std::int32_t index) {
        state(index) |= 0x80;
        if (index < first_free_) first_free_ = index;
    }

    /// GetIndex(object), by the object's slot.
    [[nodiscard]] std::int32_t handle_of(std::int32_t index) const { return (index << 8) | state(index); }

    /// GetAt(handle): the slot, or none. The document compares the byte alone and looks at no bounds; callers give it an index that
    /// is one, and no number with the free flag.
    [[nodiscard]] std::int32_t find(std::int32_t handle) const {
        const std::int32_t index = handle >> 8;
        return state(index) == (handle & 0xff) ? index : none;
    }

    [[nodiscard]] bool is_free(std::int32_t index) const { return (state(index) & 0x80) != 0; }
    [[nodiscard]] std::int32_t seed(std::int32_t index) const { return state(index) & 0x7f; }
    [[nodiscard]] std::int32_t count() const { return count_; }
    [[nodiscard]] std::int32_t first_free() const { return first_free_; }
    [[nodiscard]] const std::vector<std::uint8_t>& byte_map() const { return byte_map_; }

private:
    [[nodiscard]] std::uint8_t& state(std::int32_t index) { return byte_map_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] std::uint8_t state(std::int32_t index) const { return byte_map_[static_cast<std::size_t>(index)]; }

    void begin_life(std::int32_t index) { state(index) = static_cast<std::uint8_t>((seed(index) + 1) % 128); }

    std::vector<std::uint8_t> byte_map_;
    std::int32_t count_ = 0;
    std::int32_t first_free_ = 0;
};

}  // namespace lido::test
