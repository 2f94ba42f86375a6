// Who reads a pool's change marks. Marks are cleared by the history that saves them, so they can serve one history at a time.
#pragma once

namespace lido::detail {

template <bool Marks>
struct marks_owner {
    const void* history = nullptr;

    /// The whole content was replaced: the next save of any history starts afresh.
    void forget() noexcept { history = nullptr; }
};

template <>
struct marks_owner<false> {
    void forget() noexcept {}
};

}  // namespace lido::detail
