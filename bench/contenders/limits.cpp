// What the machine allows: no handles, no checks, no holes.
#include <bench/workloads/all.hpp>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace {

struct free_deleter {
    void operator()(void* p) const { std::free(p); }
};

/// Uninitialised memory that starts on a cache line, as lido's arrays do.
std::unique_ptr<std::byte, free_deleter> take_memory(std::size_t bytes) {
    return std::unique_ptr<std::byte, free_deleter>(
        static_cast<std::byte*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64)));
}

/// An array and a stack of the indices that are free.
template <class T>
struct raw_lifo {
    using element = T;
    using ref = std::uint32_t;
    static constexpr bool owns = false;
    static constexpr bool checks = false;
    static constexpr bool in(std::string_view w) {
        return w == "lifo" || w == "fifo" || w == "random" || w == "churn" || w == "acquire" || w == "release";
    }

    std::unique_ptr<std::byte, free_deleter> memory;
    T* objects;
    std::vector<std::uint32_t> free;
    std::size_t top;

    explicit raw_lifo(std::size_t n)
        : memory(take_memory(n * sizeof(T))), objects(reinterpret_cast<T*>(memory.get())), free(n), top(n) {
        for (std::size_t i = 0; i < n; ++i) free[i] = static_cast<std::uint32_t>(n - 1 - i);
    }

    ref spawn(std::uint32_t tag) {
        const std::uint32_t i = free[--top];
        ::new (static_cast<void*>(objects + i)) T(tag);
        return i;
    }
    void end(ref i) {
        objects[i].~T();
        free[top++] = i;
    }
    T* get(ref i) { return objects + i; }
};

/// An array and a count; the last one moves into the hole. `Pad` bytes are left free after every 64 elements.
template <class T, std::size_t Pad>
struct raw_packed {
    using element = T;
    using ref = std::uint32_t;
    static constexpr bool owns = true;
    static constexpr bool checks = false;

    std::unique_ptr<std::byte, free_deleter> memory;
    std::size_t count = 0;

    explicit raw_packed(std::size_t n) : memory(take_memory(n * sizeof(T) + (n / 64 + 1) * Pad)) {}
    raw_packed(const raw_packed&) = delete;
    raw_packed& operator=(const raw_packed&) = delete;
    ~raw_packed() {
        while (count != 0) address(--count)->~T();
    }

    [[nodiscard]] T* address(std::size_t i) const {
        return reinterpret_cast<T*>(memory.get() + i * sizeof(T) + (Pad != 0 ? i / 64 * Pad : 0));
    }

    ref spawn(std::uint32_t tag) {
        ::new (static_cast<void*>(address(count))) T(tag);
        return static_cast<ref>(count++);
    }
    void end_at(std::size_t i) {
        --count;
        if (i != count) *address(i) = std::move(*address(count));
        address(count)->~T();
    }
    T& at(std::size_t i) { return *address(i); }
    T* get(ref i) { return address(i); }
    [[nodiscard]] std::uint64_t to_bits(ref i) const { return i; }
    T* get_bits(std::uint64_t bits) { return address(static_cast<std::uint32_t>(bits)); }
    template <class F>
    void for_each(F&& f) {
        if constexpr (Pad == 0) {
            T* const first = address(0);
            for (std::size_t i = 0; i < count; ++i) f(first[i]);
        } else {
            for (std::size_t block = 0; block < count; block += 64) {
                T* const first = address(block);
                const std::size_t in_block = std::min<std::size_t>(64, count - block);
                for (std::size_t i = 0; i < in_block; ++i) f(first[i]);
            }
        }
    }
    [[nodiscard]] std::size_t size() const { return count; }
};

template <class T>
struct raw_array : raw_packed<T, 0> {
    using raw_packed<T, 0>::raw_packed;
    static constexpr bool in(std::string_view w) {
        return w.starts_with("iterate") || w.starts_with("get_") || w == "memory" || w == "columns";
    }
    void move_x() {
        T* const first = this->address(0);
        for (std::size_t i = 0; i < this->count; ++i) first[i].x += bench::step;
    }
};

/// One cache line of shift after every 64 elements: elements of 256 bytes then use all sets of the cache.
template <class T>
struct coloured_array : raw_packed<T, 64> {
    using raw_packed<T, 64>::raw_packed;
    static constexpr bool fits = sizeof(T) == 256;
    static constexpr bool in(std::string_view w) { return w.starts_with("iterate") || w.starts_with("get_"); }
};

/// The frame as one writes it by hand.
template <class T>
struct raw_loop : raw_packed<T, 0> {
    using raw_packed<T, 0>::raw_packed;
    static constexpr bool in(std::string_view w) { return w.starts_with("frame"); }
};

/// One object after the other, with its index noted. In `grow`, memory for all of them is there (but cold).
template <class T>
struct sequential_write : raw_packed<T, 0> {
    using raw_packed<T, 0>::raw_packed;
    static constexpr bool in(std::string_view w) { return w == "respawn" || w == "grow"; }
};

/// Copies the live bytes and nothing else.
template <class T>
struct copied_bytes : raw_packed<T, 0> {
    static constexpr bool fits = std::is_trivially_copyable_v<T>;
    static constexpr bool in(std::string_view w) { return w == "save" || w == "restore" || w == "save_1pct"; }

    std::unique_ptr<std::byte, free_deleter> saved;

    explicit copied_bytes(std::size_t n) : raw_packed<T, 0>(n), saved(take_memory(n * sizeof(T))) {}
    void save() { std::memcpy(saved.get(), this->memory.get(), this->count * sizeof(T)); }
    void restore() { std::memcpy(this->memory.get(), saved.get(), this->count * sizeof(T)); }
};

const bool added = bench::add<raw_lifo>("raw LIFO", bench::kind::limit) &&
                   bench::add<raw_array>("raw array", bench::kind::limit) &&
                   bench::add<coloured_array>("raw array/coloured", bench::kind::limit) &&
                   bench::add<raw_loop>("raw loop", bench::kind::limit) &&
                   bench::add<sequential_write>("sequential write", bench::kind::limit) &&
                   bench::add<copied_bytes>("memcpy", bench::kind::limit);

}  // namespace
