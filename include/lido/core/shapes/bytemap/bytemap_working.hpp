// The objects of a bytemap_pool whose constructors or destructors run right now.
#pragma once

#include <cstdint>

namespace lido::detail {

/// An object that is being built or ended: its slot is busy, and must not be released from inside. They are a list on the stack, the
/// innermost on top.
class bytemap_working {
public:
    bytemap_working(const bytemap_working*& top, std::uint32_t slot) noexcept : top_(top), outer_(top), slot_(slot) {
        top = this;
    }
    bytemap_working(const bytemap_working&) = delete;
    bytemap_working& operator=(const bytemap_working&) = delete;
    ~bytemap_working() { top_ = outer_; }

    [[nodiscard]] bool on(std::uint32_t slot) const noexcept {
        return slot_ == slot || (outer_ != nullptr && outer_->on(slot));
    }
    [[nodiscard]] std::uint32_t count() const noexcept { return 1 + (outer_ != nullptr ? outer_->count() : 0); }

private:
    const bytemap_working*& top_;
    const bytemap_working* outer_;
    std::uint32_t slot_;
};

}  // namespace lido::detail
