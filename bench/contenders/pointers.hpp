// Peers that hand out memory: a reference is a pointer, and whoever wants to walk keeps a vector of them.
//
//   struct heap {
//       explicit heap(std::size_t capacity, std::size_t size);      size of one object
//       void* take(std::size_t size);
//       void give(void*, std::size_t size);
//   };
#pragma once

#include <bench/workloads/all.hpp>

#include <new>

namespace bench {

template <class T, class Heap>
struct pointers {
    using element = T;
    using ref = T*;
    static constexpr bool owns = false;
    static constexpr bool checks = false;
    static constexpr bool clear_keeps_memory = false;

    Heap heap;

    explicit pointers(std::size_t n) : heap(n, sizeof(T)) {}

    ref spawn(std::uint32_t tag) { return ::new (heap.take(sizeof(T))) T(tag); }
    void end(ref p) {
        p->~T();
        heap.give(p, sizeof(T));
    }
    T* get(ref p) { return p; }
    [[nodiscard]] std::uint64_t to_bits(ref p) const { return reinterpret_cast<std::uintptr_t>(p); }
    T* get_bits(std::uint64_t bits) { return reinterpret_cast<T*>(static_cast<std::uintptr_t>(bits)); }

    /// Where a heap can drop everything at once and nothing has to be destroyed first.
    void clear()
        requires(std::is_trivially_destructible_v<T> && requires(Heap h) { h.drop_all(); })
    {
        heap.drop_all();
    }
};

/// Lookups through pointers are the same load whoever gave the memory: one of the family stands for all of them.
constexpr bool is_lookup(std::string_view workload) { return workload.starts_with("get_"); }

}  // namespace bench
