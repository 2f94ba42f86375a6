// Who reads a pool's change marks. Marks are cleared by the history that saves them, so they can serve one history at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lido::detail {

/// An array of a pool with one entry an index, for a history of the pool.
struct change_column {
    std::byte* base;
    std::size_t stride;
};

/// One history of one pool, from a whole copy on. The address alone would not do: a history that copies another pool has the same
/// one, and so may a history that was made after the first was gone.
struct marks_owner_id {
    const void* history = nullptr;
    std::uint64_t number = 0;

    friend bool operator==(const marks_owner_id&, const marks_owner_id&) = default;

    [[nodiscard]] static std::uint64_t next() noexcept {
        static std::atomic<std::uint64_t> latest{0};
        return latest.fetch_add(1, std::memory_order_relaxed) + 1;
    }
};

template <bool Marks>
struct marks_owner {
    marks_owner_id history;

    /// The whole content was replaced: the next save of any history starts afresh.
    void forget() noexcept { history = {}; }
};

template <>
struct marks_owner<false> {
    void forget() noexcept {}
};

}  // namespace lido::detail
