// Promise: opening an open storage, or with more slots than the maximum, is caught in builds with checks.
#include "test_layouts.hpp"

#include <gtest/gtest.h>

namespace memory_precondition_test {

using namespace lido::test;

class memory_precondition_death : public ::testing::Test {
protected:
    void SetUp() override {
        if (!lido::checks) {
            GTEST_SKIP() << "built without checks";
        }
    }
};

template <class M>
void open_twice(bool (*open)(M&)) {
    M memory;
    if (open(memory)) {
        static_cast<void>(open(memory));
    }
}

TEST_F(memory_precondition_death, opening_heap_storage_twice) {
    using memory = lido::heap_storage::memory<slot_like>;
    EXPECT_DEATH(open_twice<memory>([](memory& m) { return m.open(5, 5); }), "heap_storage: opened twice");
}

TEST_F(memory_precondition_death, opening_lent_storage_twice) {
    using memory = lido::lent_storage::memory<slot_like>;
    static std::byte buffer[4096];
    EXPECT_DEATH(open_twice<memory>([](memory& m) { return m.open(buffer, 5); }), "lent_storage: opened twice");
}

TEST_F(memory_precondition_death, opening_reserved_storage_twice) {
    using memory = lido::reserved_storage::memory<slot_like>;
    EXPECT_DEATH(open_twice<memory>([](memory& m) { return m.open(0, 5); }), "reserved_storage: opened twice");
}

TEST_F(memory_precondition_death, more_slots_than_the_maximum) {
    lido::heap_storage::memory<slot_like> heap;
    EXPECT_DEATH(static_cast<void>(heap.open(6, 5)), "heap_storage: more slots than max_slots");
    lido::reserved_storage::memory<slot_like> reserved;
    EXPECT_DEATH(static_cast<void>(reserved.open(6, 5)), "reserved_storage: more slots than max_slots");
}

TEST(memory_precondition, no_slots_at_all_open_and_hold_nothing) {
    lido::heap_storage::memory<slot_like> heap;
    lido::reserved_storage::memory<slot_like> reserved;
    EXPECT_TRUE(heap.open(0, 0));
    EXPECT_TRUE(reserved.open(0, 0));
    EXPECT_EQ(heap.bytes() + reserved.bytes() + reserved.reserved_bytes(), 0u);
    EXPECT_EQ(heap.max_slots() + reserved.max_slots() + reserved.make_ready(5), 0u);
}

}  // namespace memory_precondition_test
