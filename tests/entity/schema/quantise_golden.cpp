// X26: what the wire has of numbers is the same for all time, with every compiler, optimised or not.
#include "entity/schema/fixtures.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace schema_quantise_golden {

using namespace lido::test::schema;

struct numbers {
    float fine = 0;
    double third = 0;
    std::int16_t whole = 0;
};
constexpr auto describe(lido::type<numbers>) {
    return lido::schema{1, lido::field<&numbers::fine>{.min = -1000, .max = 1000, .step = 0.01},
                        lido::field<&numbers::third>{.min = -1.0 / 3, .max = 7.7, .step = 1.0 / 3000},
                        lido::field<&numbers::whole>{.min = -300, .max = 300, .step = 7}};
}

/// Numbers all over the range, from a generator that is written down here.
std::uint64_t digest() {
    const auto& s = lido::schema_of<numbers>();
    lido::hasher h;
    std::uint64_t random = 1;
    for (int i = 0; i < 20000; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const double part = static_cast<double>(random >> 11) / 9007199254740992.0;
        numbers n;
        n.fine = static_cast<float>(part * 2000) - 1000;
        n.third = part * 8;
        n.whole = static_cast<std::int16_t>(static_cast<int>(random >> 33) % 301);
        for (const auto& f : s.fields()) {
            const std::uint64_t q = lido::class_schema::quantise(f, &n);
            lido::class_schema::unquantise(f, q, &n);
            h.add(q);
        }
        h.add(n.fine).add(n.third).add(n.whole);
    }
    return h.digest();
}

TEST(quantise_golden, X26_rounds_alike_everywhere) { EXPECT_EQ(digest(), 14828790490564668933u); }

TEST(quantise_golden, X26_fingerprints_are_the_same_for_all_time) {
    EXPECT_EQ(lido::schema_fingerprint<door>(), 3278770426087959761u);
    EXPECT_EQ(lido::schema_of<door>().fingerprint(), lido::schema_fingerprint<door>());
    EXPECT_EQ(lido::schema_fingerprint<numbers>(), 654962267244224239u);
}

TEST(quantise_golden, X26_hashes_are_the_same_for_all_time) {
    const auto& s = lido::schema_of<door>();
    const door d = other_door();
    EXPECT_EQ(s.hash(&d, s.all()), 7816187926967620682u);
    EXPECT_EQ(s.wire_hash(&d, s.all()), 16425330240177024493u);
}

}  // namespace schema_quantise_golden
