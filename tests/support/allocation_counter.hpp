// lido tests: counts what goes through global operator new and delete. Link allocation_counter.cpp, which replaces
// them all.
//
//   lido::test::allocation_watch watch;
//   ...                                             // the code that must not allocate
//   EXPECT_EQ(watch.allocations(), 0u);             // read before anything that may allocate itself
#pragma once

#include <atomic>
#include <cstddef>

namespace lido::test {

/// Totals since the program started, of all threads.
struct allocation_totals {
    std::atomic<std::size_t> allocations{0};
    std::atomic<std::size_t> frees{0};  // of null are not counted
    std::atomic<std::size_t> bytes{0};  // as requested, never lowered
};

allocation_totals& global_allocations() noexcept;

/// The nth allocation from now that reports failure by std::bad_alloc does so, once; 1 is the next, 0 none. Of all threads together.
void refuse_allocation(std::size_t nth) noexcept;
/// It has done so since.
[[nodiscard]] bool allocation_was_refused() noexcept;

/// What happened since it was constructed.
class allocation_watch {
public:
    allocation_watch() noexcept
        : allocations_(global_allocations().allocations.load()),
          frees_(global_allocations().frees.load()),
          bytes_(global_allocations().bytes.load()) {}

    [[nodiscard]] std::size_t allocations() const noexcept {
        return global_allocations().allocations.load() - allocations_;
    }
    [[nodiscard]] std::size_t frees() const noexcept { return global_allocations().frees.load() - frees_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return global_allocations().bytes.load() - bytes_; }

    /// Neither allocated nor freed.
    [[nodiscard]] bool quiet() const noexcept { return allocations() == 0 && frees() == 0; }

private:
    std::size_t allocations_;
    std::size_t frees_;
    std::size_t bytes_;
};

}  // namespace lido::test
