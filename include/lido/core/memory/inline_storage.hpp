// lido: slots inside the pool object itself. No allocation, ever: for statics, the stack, and members of other objects.
#pragma once

#include "lido/core/base/compat.hpp"
#include "lido/core/memory/layout.hpp"

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace lido {

/// Exactly N slots, all ready from the start. The memory neither moves nor is copied: the objects in it have addresses.
template <std::size_t N>
struct inline_storage {
    static_assert(N >= 1, "inline_storage<N>: N is the number of slots and must be at least 1");

    static constexpr std::size_t slots = N;

    /// One array of bytes, with the offsets known at compile time (slots = N, sizes from the layout):
    ///
    ///     this                                                                  sizeof
    ///       |values ..................|pad |generations ........|pad |bitmap ...|pad |
    ///       0                         offset[1]                 offset[2]
    ///
    /// The object is aligned as its strictest array. Empty arrays have no bytes and no say in the alignment.
    template <storage_layout L>
    class memory {
        static constexpr detail::placement<L> layout_ = detail::place<L>(N);
        static_assert(layout_.end != detail::too_big,
                      "inline_storage<N>: N slots need more bytes than can be addressed");

    public:
        static constexpr bool grows = false;
        static constexpr bool movable = false;
        static constexpr std::size_t fixed_slots = N;

        /// Zeroes the arrays that must read as zero, and only those: a pool on the stack does not pay for its empty
        /// values. In a constant expression all of it is zeroed, since a constinit object may have no indeterminate
        /// bytes; that costs no time (a static pool lies in .bss).
        constexpr memory() noexcept {
            if (std::is_constant_evaluated()) {
                raw_ = raw{};
            } else {
                // One byte always: GCC at -O1 warns of an object that nothing has written when it is passed on.
                raw_.bytes[layout_.end == 0 ? 0 : layout_.end - 1] = std::byte{0};
                for (std::size_t k = 0; k < L::arrays; ++k) {
                    if (!L::trims(k) && layout_.size[k] != 0) {
                        std::memset(raw_.bytes + layout_.offset[k], 0, layout_.size[k]);
                    }
                }
            }
        }

        memory(const memory&) = delete;
        memory& operator=(const memory&) = delete;
        ~memory() = default;

        [[nodiscard]] static constexpr std::size_t max_slots() noexcept { return N; }
        [[nodiscard]] static constexpr std::size_t ready() noexcept { return N; }
        [[nodiscard]] static constexpr std::size_t make_ready(std::size_t) noexcept { return N; }
        static constexpr std::size_t give_back(std::size_t) noexcept { return 0; }

        template <std::size_t K>
        [[nodiscard]] LIDO_INLINE std::byte* array() const noexcept {
            static_assert(K < L::arrays, "array<K>(): the layout has fewer arrays");
            if constexpr (layout_.size[K] == 0) {
                return nullptr;
            } else {
                // Constness is the pool's to keep, as with the storages that hold pointers.
                return detail::known_aligned<L::alignment(K)>(const_cast<std::byte*>(raw_.bytes) + layout_.offset[K]);
            }
        }

        [[nodiscard]] static constexpr std::size_t bytes() noexcept { return sizeof(raw); }
        [[nodiscard]] static constexpr std::size_t reserved_bytes() noexcept { return sizeof(raw); }

        /// Bytes of a buffer, aligned as this class is, that holds this many slots.
        [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t count) noexcept {
            return detail::place<L>(count).end;
        }

    private:
        struct raw {
            alignas(layout_.alignment) std::byte bytes[detail::larger(layout_.end, 1)];
        };
        static_assert(alignof(raw) == layout_.alignment);
        static_assert(sizeof(raw) == detail::align_up(detail::larger(layout_.end, 1), layout_.alignment));

        raw raw_;
    };
};

}  // namespace lido
