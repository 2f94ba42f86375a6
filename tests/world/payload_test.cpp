// S4.10: a payload is any struct, checked by type; empty is fine; small ones need no heap.
#include <lido/world/payload.hpp>

#include "support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

namespace world_payload_test {

struct blast {
    float radius = 0;
    int team = 0;
};
struct blast2 {
    float radius = 0;
    int team = 0;
};
struct large {
    std::array<int, 100> values{};
};

TEST(a_payload, S4_10_is_found_by_its_own_type_only) {
    const lido::payload p = blast{3, 1};
    ASSERT_NE(p.get<blast>(), nullptr);
    EXPECT_EQ(p.get<blast>()->radius, 3);
    EXPECT_EQ(p.get<blast2>(), nullptr) << "the same bytes under another name";
    EXPECT_EQ(p.get<int>(), nullptr);
    EXPECT_FALSE(p.empty());
    EXPECT_NE(p.type_name().find("blast"), std::string::npos);
}

TEST(a_payload, S4_10_may_be_empty) {
    const lido::payload p;
    EXPECT_TRUE(p.empty());
    EXPECT_EQ(p.get<blast>(), nullptr);
    EXPECT_EQ(p.type_name(), "nothing");
}

TEST(a_payload, S4_10_of_up_to_64_bytes_needs_no_heap) {
    struct full {
        std::array<std::byte, 64> bytes{};
    };
    const lido::test::allocation_watch counted;
    lido::payload a = full{};
    lido::payload b = std::move(a);
    a = blast{1, 2};
    b = std::move(a);
    EXPECT_EQ(b.get<blast>()->team, 2);
    EXPECT_EQ(counted.allocations(), 0u);
}

TEST(a_payload, S4_10_that_is_larger_or_owns_memory_moves_and_ends_as_it_should) {
    lido::payload p = large{};
    const large* const at = p.get<large>();
    lido::payload q = std::move(p);
    EXPECT_TRUE(p.empty());  // NOLINT(bugprone-use-after-move): empty is what a moved one is
    EXPECT_EQ(q.get<large>(), at) << "only the pointer moved";
    const auto shared = std::make_shared<int>(1);
    q = std::shared_ptr<int>(shared);
    EXPECT_EQ(shared.use_count(), 2);
    lido::payload r = std::move(q);
    EXPECT_EQ(shared.use_count(), 2);
    r.reset();
    EXPECT_EQ(shared.use_count(), 1);
    r = std::string("a text that is too long to be inside of the string itself");
    EXPECT_EQ(r.get<std::string>()->size(), 57u);
}

}  // namespace world_payload_test
