// Promise (S3.1, S1.5): the columns are allocated once; the steady state allocates nothing.
#include "orb.hpp"
#include "support/allocation_counter.hpp"

#include <lido/core/rewind/save.hpp>

#include <vector>

namespace columns_no_allocation_test {

using namespace lido;
using namespace lido::test;

template <class Pool>
void live_and_die(Pool& pool, std::vector<typename Pool::handle_type>& handles) {
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 200; ++i) handles.push_back(pool.acquire(orb_of(i)));
        pool.template for_each<&orb::x, &orb::vx>([](float& x, float vx) { x += vx; });
        for (auto row : pool) row.template get<&orb::life>() -= 1.0f;
        for (std::size_t i = 0; i < handles.size(); i += 2) pool.release(handles[i]);
        pool.for_each_chunk(64, [](auto chunk) { static_cast<void>(chunk.template column<&orb::x>()); });
        pool.release_if([](auto row) { return row.template get<&orb::amount>() % 4 == 1; });
        { const auto held = pool.lease(orb_of(1)); }
        pool.clear();
        handles.clear();
    }
}

TEST(column_no_allocation, a_pool_on_the_heap_allocates_once_and_an_inline_one_never) {
    std::vector<column_pool<orb>::handle_type> handles;
    handles.reserve(1000);
    const allocation_watch before;
    column_pool<orb, options{.tracks = track::priority, .reuse_delay = 8}, heap_storage> pool(max_orbs);
    EXPECT_EQ(before.allocations(), 1u);
    const allocation_watch watch;
    live_and_die(pool, handles);
    EXPECT_TRUE(watch.quiet());
    static inline_column_pool<orb, 256> inside;
    live_and_die(inside, handles);
    column_pool<orb> reserved(max_orbs);
    live_and_die(reserved, handles);
    EXPECT_TRUE(watch.quiet());
}

TEST(column_no_allocation, save_and_restore_into_memory_that_is_there) {
    column_pool<orb> pool(max_orbs);
    for (int i = 0; i < 1000; ++i) pool.acquire(orb_of(i));
    snapshot saved;
    ASSERT_TRUE(pool.save(saved));
    const allocation_watch watch;
    for (int i = 0; i < 10; ++i) {
        ASSERT_TRUE(pool.save(saved));
        ASSERT_TRUE(pool.restore(saved));
    }
    EXPECT_TRUE(watch.quiet());
}

}  // namespace columns_no_allocation_test
