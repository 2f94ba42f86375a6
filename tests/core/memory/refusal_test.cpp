// Promise: memory that is refused, at whatever step, is a clean failure: nothing lost, nothing leaked, and it works
// later.
#include "support/failing_memory.hpp"
#include "test_layouts.hpp"

#include <gtest/gtest.h>

namespace memory_refusal_test {

using namespace lido::test;

constexpr std::size_t slots = 100000;

template <class L>
constexpr bool needs_memory = lido::detail::place<L>(slots).end != 0;

template <class L>
constexpr bool has_large_array = [] {
    for (std::size_t k = 0; k < L::arrays; ++k) {
        if (L::bytes(k, slots) > lido::detail::small_array) {
            return true;
        }
    }
    return false;
}();

template <class L, class Pages = demand_pages>
using failing_reserved = typename lido::basic_reserved_storage<failing_pages<Pages>>::template memory<L>;

template <class L>
class refused_memory : public ::testing::Test {
protected:
    void SetUp() override { failing_memory::reset(); }
    void TearDown() override {
        EXPECT_TRUE(failing_memory::balanced()) << failing_memory::report();
        failing_memory::reset();
    }
};
TYPED_TEST_SUITE(refused_memory, all_layouts);

TYPED_TEST(refused_memory, leaves_heap_storage_closed_and_able_to_open_later) {
    typename lido::basic_heap_storage<failing_source<>>::template memory<TypeParam> memory;
    const std::size_t refused = refuse_each_call(memory_failure::once, [&] {
        const bool opened = memory.open(slots, slots);
        ASSERT_EQ(opened, failing_memory::refused() == 0);
        ASSERT_EQ(memory.max_slots(), opened ? slots : 0);
        ASSERT_EQ(memory.bytes(), failing_memory::held_bytes());
    });
    EXPECT_EQ(refused, needs_memory<TypeParam> ? 1u : 0u);
    EXPECT_EQ(memory.max_slots(), slots) << "the last try opened it";
}

template <class L, class Pages>
void open_is_all_or_nothing() {
    failing_reserved<L, Pages> memory;
    const std::size_t refused = refuse_each_call(memory_failure::once, [&] {
        const bool opened = memory.open(slots / 2, slots);
        ASSERT_EQ(opened, failing_memory::refused() == 0)
            << "opening asks for the exact need, so every refusal is final";
        if (opened) {
            return;
        }
        ASSERT_EQ(memory.max_slots(), 0u);
        ASSERT_EQ(memory.ready(), 0u);
        ASSERT_EQ(memory.bytes(), 0u);
        ASSERT_EQ(memory.reserved_bytes(), 0u);
        for (const std::byte* array : arrays_of<L>(memory)) {
            ASSERT_EQ(array, nullptr);
        }
        ASSERT_EQ(failing_memory::live(), 0u);
    });
    if (needs_memory<L>) {
        EXPECT_GE(refused, 2u) << "reserve and at least one commit can be refused";
    }
    EXPECT_EQ(memory.max_slots(), slots) << "the last try opened it";
}

TYPED_TEST(refused_memory, leaves_reserved_storage_closed_and_able_to_open_later) {
    open_is_all_or_nothing<TypeParam, demand_pages>();
}

TYPED_TEST(refused_memory, leaves_portable_reserved_storage_closed_and_able_to_open_later) {
    open_is_all_or_nothing<TypeParam, lido::portable_pages>();
}

// Grows from little to everything with the nth call refused. One that is refused once must still succeed, by asking
// for the exact need; one that is refused from then on must leave things as they were.
template <class L>
void growth_is_all_or_nothing(std::size_t from, std::size_t to, memory_failure how) {
    std::size_t runs_refused = 0;
    for (std::size_t nth = 1;; ++nth) {
        ASSERT_LT(nth, 1000u);
        failing_reserved<L> memory;
        ASSERT_TRUE(memory.open(from, slots));
        const std::size_t ready = memory.ready();
        const std::size_t bytes = memory.bytes();
        fill<L>(memory, ready);
        failing_memory::refuse(nth, how);
        const std::size_t now = memory.make_ready(to);
        const std::size_t refused = failing_memory::refused();
        failing_memory::refuse(0);

        ASSERT_EQ(memory.ready(), now);
        ASSERT_EQ(memory.bytes(), failing_memory::held_bytes());
        ASSERT_TRUE(holds_fill<L>(memory, ready));
        if (refused == 1) {
            ASSERT_GE(now, to) << "a generous step that is refused once is retried with the exact need";
        } else if (refused > 1) {
            ASSERT_EQ(now, ready);
            ASSERT_EQ(memory.bytes(), bytes);
            ASSERT_GE(memory.make_ready(to), to) << "it works once there is memory again";
        }
        fill<L>(memory, memory.ready());
        ASSERT_TRUE(holds_fill<L>(memory, memory.ready()));
        if (refused == 0) {
            break;
        }
        ++runs_refused;
    }
    if (has_large_array<L>) {
        EXPECT_GT(runs_refused, 0u) << "nothing was refused, so nothing was shown";
    }
}

TYPED_TEST(refused_memory, is_retried_with_the_exact_need) {
    growth_is_all_or_nothing<TypeParam>(0, slots / 3, memory_failure::once);
    growth_is_all_or_nothing<TypeParam>(slots / 10, slots / 2, memory_failure::once);
}

TYPED_TEST(refused_memory, leaves_ready_slots_and_their_content_as_they_were) {
    growth_is_all_or_nothing<TypeParam>(0, slots / 3, memory_failure::onwards);
    growth_is_all_or_nothing<TypeParam>(slots / 10, slots, memory_failure::onwards);
}

TYPED_TEST(refused_memory, of_a_system_that_runs_out_stops_growth_where_it_is) {
    using L = TypeParam;
    if (!has_large_array<L>) {
        return;
    }
    failing_reserved<L> memory;
    ASSERT_TRUE(memory.open(0, slots));
    // Half of what all slots need: growth slot by slot gets close to it, but not past.
    const std::size_t limit = memory.bytes() + (memory.reserved_bytes() - memory.bytes()) / 2;
    failing_memory::limit_bytes(limit);
    std::size_t ready = memory.ready();
    fill<L>(memory, ready);
    while (memory.make_ready(ready + 1) > ready) {
        ASSERT_TRUE(holds_fill<L>(memory, ready));
        ready = memory.ready();
        ASSERT_LT(ready, slots);
        fill<L>(memory, ready);
    }
    EXPECT_EQ(memory.ready(), ready);
    EXPECT_TRUE(holds_fill<L>(memory, ready));
    EXPECT_LE(failing_memory::held_bytes(), limit);
    EXPECT_EQ(failing_memory::held_bytes(), memory.bytes());
    // Exact needs are whole pages, so what is left over is less than a page for each array.
    EXPECT_GT(failing_memory::held_bytes() + L::arrays * 3 * failing_pages<>::page_size(), limit);
    failing_memory::limit_bytes(SIZE_MAX);
    EXPECT_EQ(memory.make_ready(slots), slots);
    EXPECT_TRUE(holds_fill<L>(memory, ready));
}

}  // namespace memory_refusal_test
