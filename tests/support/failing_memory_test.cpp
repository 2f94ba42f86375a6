// Promise: the instruments that other tests rely on notice what they are there to notice.
#include "support/failing_memory.hpp"
#include "support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <new>

namespace support_failing_memory_test {

using namespace lido::test;
using pages = failing_pages<>;
using source = failing_source<>;

class failing_memory_tool : public ::testing::Test {
protected:
    void SetUp() override { failing_memory::reset(); }
    void TearDown() override { failing_memory::reset(); }
    std::size_t page_ = pages::page_size();
};

TEST_F(failing_memory_tool, refuses_the_nth_call_once_or_from_then_on) {
    const auto pattern = [](memory_failure how) {
        failing_memory::refuse(2, how);
        std::string text;
        for (int i = 0; i < 4; ++i) {
            void* at = source::allocate(8, 8);
            text += at == nullptr ? '-' : '+';
            if (at != nullptr) {
                source::release(at, 8, 8);
            }
        }
        return text;
    };
    EXPECT_EQ(pattern(memory_failure::once), "+-++");
    EXPECT_EQ(pattern(memory_failure::onwards), "+---");
    EXPECT_TRUE(failing_memory::balanced());
}

TEST_F(failing_memory_tool, walks_until_nothing_is_refused) {
    std::size_t runs = 0;
    const auto three_calls = [&] {
        ++runs;
        for (int i = 0; i < 3; ++i) {
            if (void* at = source::allocate(8, 8)) {
                source::release(at, 8, 8);
            }
        }
    };
    EXPECT_EQ(refuse_each_call(memory_failure::once, three_calls), 3u);
    EXPECT_EQ(runs, 4u);
    EXPECT_EQ(refuse_each_call(memory_failure::once, [] {}), 0u) << "a vacuous walk says so";
}

TEST_F(failing_memory_tool, notices_what_is_not_released) {
    void* at = source::allocate(8, 8);
    EXPECT_FALSE(failing_memory::balanced());
    source::release(at, 8, 8);
    EXPECT_TRUE(failing_memory::balanced());
    void* space = pages::reserve(4 * page_);
    EXPECT_FALSE(failing_memory::balanced());
    pages::release(space, 4 * page_);
    EXPECT_TRUE(failing_memory::balanced());
}

TEST_F(failing_memory_tool, notices_a_release_with_another_size) {
    source::release(source::allocate(8, 8), 16, 8);
    EXPECT_EQ(failing_memory::errors(), 1u);
    EXPECT_FALSE(failing_memory::balanced());
}

TEST_F(failing_memory_tool, notices_pages_committed_twice_or_given_back_uncommitted) {
    auto* space = static_cast<std::byte*>(pages::reserve(4 * page_));
    EXPECT_TRUE(pages::commit(space, 2 * page_));
    EXPECT_EQ(failing_memory::held_bytes(), 2 * page_);
    EXPECT_EQ(failing_memory::errors(), 0u);
    EXPECT_TRUE(pages::commit(space + page_, page_));
    EXPECT_EQ(failing_memory::errors(), 1u);
    pages::decommit(space + 3 * page_, page_);
    EXPECT_EQ(failing_memory::errors(), 2u);
    EXPECT_FALSE(pages::commit(space + 3 * page_, 2 * page_)) << "past the end";
    EXPECT_EQ(failing_memory::errors(), 3u);
    pages::release(space, 4 * page_);
}

TEST_F(failing_memory_tool, refuses_what_would_pass_the_limit) {
    failing_memory::limit_bytes(3 * page_);
    auto* space = static_cast<std::byte*>(pages::reserve(4 * page_));
    EXPECT_TRUE(pages::commit(space, 2 * page_));
    EXPECT_FALSE(pages::commit(space + 2 * page_, 2 * page_));
    EXPECT_TRUE(pages::commit(space + 2 * page_, page_));
    pages::release(space, 4 * page_);
    EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
}

struct alignas(256) wide {
    char bytes[256];
};

TEST(allocation_counter_tool, counts_every_form_of_new_and_delete) {
    const allocation_watch watch;
    // Called by name: a new-expression that is not needed may be left out by the compiler.
    void* blocks[] = {::operator new(10),
                      ::operator new[](10),
                      ::operator new(10, std::nothrow),
                      ::operator new[](10, std::nothrow),
                      ::operator new(10, std::align_val_t{256}),
                      ::operator new[](10, std::align_val_t{256}),
                      ::operator new(10, std::align_val_t{256}, std::nothrow),
                      ::operator new[](10, std::align_val_t{256}, std::nothrow)};
    const std::size_t allocations = watch.allocations();
    const std::size_t bytes = watch.bytes();
    const bool quiet = watch.quiet();
    bool aligned = true;
    for (int i = 4; i < 8; ++i) {
        aligned = aligned && reinterpret_cast<std::uintptr_t>(blocks[i]) % 256 == 0;
    }
    ::operator delete(blocks[0]);
    ::operator delete[](blocks[1]);
    ::operator delete(blocks[2], std::nothrow);
    ::operator delete[](blocks[3], std::nothrow);
    ::operator delete(blocks[4], std::align_val_t{256});
    ::operator delete[](blocks[5], std::align_val_t{256});
    ::operator delete(blocks[6], std::align_val_t{256}, std::nothrow);
    ::operator delete[](blocks[7], std::align_val_t{256}, std::nothrow);
    ::operator delete(nullptr);
    const std::size_t frees = watch.frees();
    EXPECT_EQ(allocations, 8u);
    EXPECT_EQ(bytes, 80u);
    EXPECT_EQ(frees, 8u);
    EXPECT_FALSE(quiet);
    EXPECT_TRUE(aligned);
}

TEST(allocation_counter_tool, sees_the_allocations_of_standard_containers) {
    const allocation_watch watch;
    {
        // Seen by the compiler as used, or it may leave both out.
        const auto object = std::make_unique<wide>();
        const std::vector<int> numbers(100);
        const void* volatile used = object.get();
        used = numbers.data();
        static_cast<void>(used);
        const std::size_t now = watch.allocations();
        EXPECT_EQ(now, 2u);
    }
    const std::size_t allocations = watch.allocations();
    const std::size_t frees = watch.frees();
    EXPECT_EQ(allocations, frees);
}

}  // namespace support_failing_memory_test
