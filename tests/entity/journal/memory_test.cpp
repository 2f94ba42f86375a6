// Promise: a journal takes its memory once; nothing it does afterwards allocates.
#include "entity/journal/journal_support.hpp"

#include "support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#if defined(__linux__)
#include <sys/resource.h>
#endif

namespace journal_memory_test {

using namespace lido;
using namespace lido::test;

TEST(journal_memory, nothing_allocates_after_the_beginning) {
    const allocation_watch making;
    journal j({.bytes = 4096, .readers = 4, .rollback = 3});
    EXPECT_EQ(making.allocations(), 1u);
    const allocation_watch watch;
    journal_cursor all = j.open({.what = reads::everything, .tell_confirmed = true});
    journal_cursor sure = j.open();
    std::uint64_t read = 0;
    for (std::uint64_t t = 1; t < 100; ++t) {
        static_cast<void>(j.begin_tick({t}));
        const journal_position here = j.position();
        for (int i = 0; i < 6; ++i) static_cast<void>(update(j, "after", "before"));
        static_cast<void>(update_all(j, {"a", "b"}));
        static_cast<void>(all.read([&](const journal_entry&) { ++read; }));
        if (t % 5 == 0) static_cast<void>(j.cut(here));
        if (t > 3) static_cast<void>(j.confirm({t - 3}));
        static_cast<void>(sure.read_commits([&](const commit_group& g) { read += g.size(); }));
        j.undo([&](const journal_entry&) { ++read; });
        static_cast<void>(all.resume());
    }
    static_cast<void>(j.reset(reset_cause::loaded, {}));
    const journal_cursor more = j.open();
    EXPECT_TRUE(watch.quiet());
    EXPECT_GT(read, 1000u);
    EXPECT_GT(j.stats().dropped, 100u);
    EXPECT_TRUE(j.validate());
}

TEST(journal_memory, sizes_are_made_powers_of_two_within_bounds) {
    EXPECT_EQ(journal({.bytes = 0}).stats().capacity, 1024u);
    EXPECT_EQ(journal({.bytes = 1025}).stats().capacity, 2048u);
    EXPECT_EQ(journal({.bytes = 65536}).stats().capacity, 65536u);
    EXPECT_EQ(journal({.readers = 0}).stats().max_readers, 0u);
    EXPECT_FALSE(journal({.readers = 0}).open());
}

#if defined(__linux__) && !LIDO_ASAN  // AddressSanitizer needs all addresses for itself
TEST(journal_memory_death, without_memory_every_commit_is_refused_and_nothing_else_happens) {
    EXPECT_EXIT(
        {
            rlimit little{};
            getrlimit(RLIMIT_AS, &little);
            little.rlim_cur = std::size_t{512} << 20;
            setrlimit(RLIMIT_AS, &little);
            journal j({.bytes = std::size_t{1} << 30});
            journal_cursor c = j.open();
            const journal_answer refused = update(j, "x");
            const bool as_it_should = refused.refusal == journal_refusal::no_memory && !c && j.begin_tick({1}) &&
                                      j.cut(j.position()) && j.reset(reset_cause::loaded, {}) && j.validate() &&
                                      j.stats().capacity == 0 && j.stats().refused == 1;
            std::exit(as_it_should ? 0 : 1);
        },
        ::testing::ExitedWithCode(0), "journal: no memory: there was no memory for the journal");
}
#endif

}  // namespace journal_memory_test
