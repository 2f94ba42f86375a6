// X26: no question about an object asks for memory, the first use of its class included.
#include "entity/schema/fixtures.hpp"

#include "support/allocation_counter.hpp"

#include <gtest/gtest.h>

namespace schema_no_allocation_test {

using namespace lido::test::schema;

struct never_used_before {
    door d;
    int more = 0;
};

TEST(schema_no_allocation, X26_of_nothing_that_can_be_asked) {
    const lido::test::allocation_watch watch;
    const lido::class_schema& s = lido::schema_of<never_used_before>();
    never_used_before a, b;
    b.d = other_door();
    static std::byte bytes[4096];
    static char text[4096];
    bool good = !s.first_invalid(&b);
    const lido::field_set set = s.changed(&a, &b);
    good = good && !s.changed_on_wire(&a, &b).empty() && s.hash(&a, set) != s.hash(&b, set);
    lido::byte_writer to(bytes);
    s.encode(&b, set, to);
    lido::byte_reader from(to.written());
    s.decode(from, set, &a);
    good = good && from.done() && s.changed(&a, &b).empty();
    lido::text_writer json(text);
    s.store(&b, json);
    good = good && s.load(lido::record(json.written(), 1), &a);
    s.round_to_wire(&a);
    s.copy(&a, &b, set);
    s.scrub(&b);
    good = good && lido::class_schema::parse(*s.find("more"), "7", &b) && b.more == 7;
    lido::class_schema::spell(*s.find("d.chest"), json);
    EXPECT_TRUE(watch.quiet());
    EXPECT_TRUE(good);
}

}  // namespace schema_no_allocation_test
