// Promise (S1.5, S3.7): inline and lent storage never allocate; heap storage allocates once, reserved storage not from
// the heap.
#include "support/allocation_counter.hpp"
#include "support/failing_memory.hpp"
#include "test_layouts.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <utility>

namespace memory_no_allocation_test {

using namespace lido::test;

// 3.6 MB, constant-initialised: in .bss and usable before main.
constinit lido::inline_storage<65536>::memory<slot_like> in_static;
constinit lido::inline_storage<16>::memory<over_128> aligned_in_static;
constinit lido::inline_storage<16>::memory<all_empty> empty_in_static;

TEST(no_allocation, S1_5_by_inline_storage_in_a_static) {
    const allocation_watch watch;
    const bool zero = reads_zero<slot_like>(in_static, 0, 65536);
    fill<slot_like>(in_static, 65536);
    const bool held = holds_fill<slot_like>(in_static, 65536);
    const bool placed = well_placed<slot_like>(in_static) && well_placed<over_128>(aligned_in_static);
    const bool quiet = watch.quiet();
    EXPECT_TRUE(zero);
    EXPECT_TRUE(held);
    EXPECT_TRUE(placed);
    EXPECT_TRUE(quiet);
    EXPECT_EQ(empty_in_static.array<0>(), nullptr);
}

TEST(no_allocation, S1_5_by_inline_storage_on_the_stack) {
    const allocation_watch watch;
    lido::inline_storage<500>::memory<slot_like> memory;
    fill<slot_like>(memory, 500);
    const bool held = holds_fill<slot_like>(memory, 500);
    const bool quiet = watch.quiet();
    EXPECT_TRUE(held);
    EXPECT_TRUE(quiet);
}

TEST(no_allocation, S1_5_by_lent_storage) {
    static std::byte buffer[100000];
    const allocation_watch watch;
    bool held = true;
    {
        lido::lent_storage::memory<slot_like> memory;
        held = held && memory.open(buffer, SIZE_MAX) && memory.make_ready(5) != 0;
        fill<slot_like>(memory, memory.ready());
        lido::lent_storage::memory<slot_like> moved(std::move(memory));
        held = held && holds_fill<slot_like>(moved, moved.ready());
    }
    const bool quiet = watch.quiet();
    EXPECT_TRUE(held);
    EXPECT_TRUE(quiet);
}

TEST(no_allocation, S3_7_by_heap_storage_but_the_one_at_open) {
    const allocation_watch watch;
    {
        lido::heap_storage::memory<slot_like> memory;
        const std::size_t closed = watch.allocations();
        const bool opened = memory.open(1000, 1000);
        const std::size_t after_open = watch.allocations();
        const std::size_t bytes = watch.bytes();
        fill<slot_like>(memory, 1000);
        lido::heap_storage::memory<slot_like> moved(std::move(memory));
        const std::size_t after_use = watch.allocations();
        EXPECT_TRUE(opened);
        EXPECT_EQ(closed, 0u);
        EXPECT_EQ(after_open, 1u);
        EXPECT_EQ(after_use, 1u);
        EXPECT_EQ(bytes, moved.bytes());
    }
    const std::size_t frees = watch.frees();
    EXPECT_EQ(frees, 1u);
}

TEST(no_allocation, S3_7_by_reserved_storage_while_it_grows_and_shrinks) {
    if (!lido::os_pages::on_demand) {
        GTEST_SKIP() << "portable pages come from the heap";
    }
    const allocation_watch watch;
    std::size_t ready = 0;
    {
        lido::reserved_storage::memory<slot_like> memory;
        ready = memory.open(1, 200000) ? memory.make_ready(200000) : 0;
        memory.give_back(100);
        ready = memory.make_ready(200000);
    }
    const bool quiet = watch.quiet();
    EXPECT_EQ(ready, 200000u);
    EXPECT_TRUE(quiet);
}

TEST(no_allocation, S3_7_by_portable_pages_but_the_one_at_open) {
    const allocation_watch watch;
    {
        lido::basic_reserved_storage<lido::portable_pages>::memory<slot_like> memory;
        const bool opened = memory.open(1, 200000);
        const std::size_t ready = memory.make_ready(200000);
        memory.give_back(100);
        const std::size_t allocations = watch.allocations();
        EXPECT_TRUE(opened);
        EXPECT_EQ(ready, 200000u);
        EXPECT_EQ(allocations, 1u);
    }
    const std::size_t frees = watch.frees();
    EXPECT_EQ(frees, 1u);
}

}  // namespace memory_no_allocation_test
