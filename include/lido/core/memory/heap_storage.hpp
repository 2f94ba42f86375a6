// lido: slots in one block of the heap, allocated once.
#pragma once

#include "lido/core/base/compat.hpp"
#include "lido/core/memory/layout.hpp"

#include <concepts>
#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

namespace lido {

/// Where heap storage gets its block: static functions, so that tests and engines can put their own in.
template <class S>
concept block_source = requires(void* at, std::size_t bytes, std::size_t alignment) {
    { S::allocate(bytes, alignment) } noexcept -> std::same_as<void*>;
    { S::release(at, bytes, alignment) } noexcept;
};

struct heap_source {
    /// Null when there is no memory.
    static void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
        return ::operator new(bytes, std::align_val_t{alignment}, std::nothrow);
    }

    static void release(void* at, std::size_t, std::size_t alignment) noexcept {
        ::operator delete(at, std::align_val_t{alignment});
    }
};

/// All slots in one allocation, ready from the start. Moving it moves pointers only.
template <block_source Source>
struct basic_heap_storage {
    /// The block, as detail::place draws it, with `stagger` bytes left after each large array:
    ///
    ///     block                                                      block + bytes
    ///       |values ........|stagger|generations ....|pad |bitmap ...|
    ///       arrays[0]               arrays[1]             arrays[2]
    template <storage_layout L>
    class memory {
    public:
        static constexpr bool grows = false;
        static constexpr bool movable = true;
        static constexpr std::size_t fixed_slots = 0;

        memory() = default;
        memory(memory&& other) noexcept : state_(std::exchange(other.state_, state{})) {}
        memory& operator=(memory&& other) noexcept {
            if (this != &other) {
                close();
                state_ = std::exchange(other.state_, state{});
            }
            return *this;
        }
        ~memory() { close(); }

        /// Allocates max_slots. False when refused or when the size cannot be had: it stays closed.
        /// Pre: closed; slots <= max_slots, all of which become ready.
        [[nodiscard]] LIDO_COLD bool open(std::size_t slots, std::size_t max_slots) noexcept {
            LIDO_ASSERT(state_.block == nullptr && state_.max_slots == 0, "heap_storage: opened twice");
            LIDO_ASSERT(slots <= max_slots, "heap_storage: more slots than max_slots");
            if (slots > max_slots) {
                return false;
            }
            const detail::placement<L> p = detail::place<L>(max_slots, 0, detail::stagger);
            if (p.end == detail::too_big) {
                return false;
            }
            state opened;
            opened.max_slots = max_slots;
            if (p.end != 0) {
                opened.block = static_cast<std::byte*>(Source::allocate(p.end, p.alignment));
                if (opened.block == nullptr) {
                    return false;
                }
                opened.bytes = p.end;
                opened.alignment = p.alignment;
            }
            for (std::size_t k = 0; k < L::arrays; ++k) {
                if (p.size[k] == 0) {
                    continue;
                }
                opened.arrays[k] = opened.block + p.offset[k];
                if (!L::trims(k)) {
                    std::memset(opened.arrays[k], 0, p.size[k]);
                }
            }
            state_ = opened;
            return true;
        }

        [[nodiscard]] std::size_t max_slots() const noexcept { return state_.max_slots; }
        [[nodiscard]] std::size_t ready() const noexcept { return state_.max_slots; }
        [[nodiscard]] std::size_t make_ready(std::size_t) noexcept { return state_.max_slots; }
        std::size_t give_back(std::size_t) noexcept { return 0; }

        template <std::size_t K>
        [[nodiscard]] LIDO_INLINE std::byte* array() const noexcept {
            static_assert(K < L::arrays, "array<K>(): the layout has fewer arrays");
            return detail::known_aligned<L::alignment(K)>(state_.arrays[K]);
        }

        [[nodiscard]] std::size_t bytes() const noexcept { return state_.bytes; }
        [[nodiscard]] std::size_t reserved_bytes() const noexcept { return state_.bytes; }

        /// Bytes that open(n, n) would allocate; SIZE_MAX when it cannot.
        [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t slots) noexcept {
            return detail::place<L>(slots, 0, detail::stagger).end;
        }

    private:
        struct state {
            std::byte* arrays[L::arrays] = {};
            std::size_t max_slots = 0;
            std::byte* block = nullptr;
            std::size_t bytes = 0;
            std::size_t alignment = 0;
        };

        void close() noexcept {
            if (state_.block != nullptr) {
                Source::release(state_.block, state_.bytes, state_.alignment);
            }
            state_ = state{};
        }

        state state_;
    };
};

using heap_storage = basic_heap_storage<heap_source>;

}  // namespace lido
