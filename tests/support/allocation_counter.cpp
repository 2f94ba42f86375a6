// lido tests: every form of global operator new and delete, counted and forwarded to malloc, aligned_alloc and free,
// so that AddressSanitizer still sees each block.
#include "support/allocation_counter.hpp"

#include "lido/core/config.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

// Tests ask for absurd sizes on purpose; AddressSanitizer must answer null as the C library does, not end the program.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() { return "allocator_may_return_null=1"; }

namespace lido::test {

allocation_totals& global_allocations() noexcept {
    static constinit allocation_totals totals;
    return totals;
}

}  // namespace lido::test

namespace {

constinit std::atomic<std::size_t> until_refusal{0};
constinit std::atomic<bool> refused{false};

bool may_allocate() noexcept {
    if (until_refusal.load(std::memory_order_relaxed) == 0) [[likely]]
        return true;
    if (until_refusal.fetch_sub(1, std::memory_order_relaxed) != 1) return true;
    refused = true;
    return false;
}

}  // namespace

void lido::test::refuse_allocation(std::size_t nth) noexcept {
    until_refusal = nth;
    refused = false;
}
bool lido::test::allocation_was_refused() noexcept { return refused; }

namespace {

void* counted(void* block, std::size_t bytes) noexcept {
    if (block != nullptr) {
        auto& totals = lido::test::global_allocations();
        totals.allocations.fetch_add(1, std::memory_order_relaxed);
        totals.bytes.fetch_add(bytes, std::memory_order_relaxed);
    }
    return block;
}

void* allocate(std::size_t bytes) noexcept { return counted(std::malloc(bytes == 0 ? 1 : bytes), bytes); }

void* allocate(std::size_t bytes, std::align_val_t alignment) noexcept {
    const auto align =
        static_cast<std::size_t>(alignment) < sizeof(void*) ? sizeof(void*) : static_cast<std::size_t>(alignment);
    if (bytes > SIZE_MAX - align) {
        return nullptr;
    }
    // aligned_alloc wants a multiple of the alignment.
    const std::size_t rounded = bytes == 0 ? align : (bytes + align - 1) & ~(align - 1);
    return counted(std::aligned_alloc(align, rounded), bytes);
}

void deallocate(void* block) noexcept {
    if (block == nullptr) {
        return;
    }
    lido::test::global_allocations().frees.fetch_add(1, std::memory_order_relaxed);
    std::free(block);
}

void* or_throw(void* block) {
    if (block == nullptr) {
#if LIDO_HAS_EXCEPTIONS
        throw std::bad_alloc{};
#else
        std::abort();
#endif
    }
    return block;
}

}  // namespace

void* operator new(std::size_t n) { return or_throw(may_allocate() ? allocate(n) : nullptr); }
void* operator new[](std::size_t n) { return or_throw(may_allocate() ? allocate(n) : nullptr); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate(n); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate(n); }
void* operator new(std::size_t n, std::align_val_t a) { return or_throw(may_allocate() ? allocate(n, a) : nullptr); }
void* operator new[](std::size_t n, std::align_val_t a) { return or_throw(may_allocate() ? allocate(n, a) : nullptr); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { return allocate(n, a); }
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { return allocate(n, a); }

void operator delete(void* p) noexcept { deallocate(p); }
void operator delete[](void* p) noexcept { deallocate(p); }
void operator delete(void* p, std::size_t) noexcept { deallocate(p); }
void operator delete[](void* p, std::size_t) noexcept { deallocate(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { deallocate(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { deallocate(p); }
void operator delete(void* p, std::align_val_t) noexcept { deallocate(p); }
void operator delete[](void* p, std::align_val_t) noexcept { deallocate(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { deallocate(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { deallocate(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { deallocate(p); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { deallocate(p); }
