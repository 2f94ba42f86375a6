// A file that is built without forensics, in a program whose other files have them: its pools are other types, and neither side
// changes what the other does. (The other tests of this folder are that other side.)
#define LIDO_FORENSICS 0
#include <lido/core.hpp>

#include "support/reporting.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace {

using lido::test::reporting;

struct mark {
    int value = 0;
};

static_assert(std::is_same_v<lido::slot_pool<mark>, lido::slot_pool<mark, lido::options{.forensics = false}>>);
static_assert(sizeof(lido::bytemap_pool<mark>) == sizeof(lido::bytemap_pool<mark, 0, lido::heap_storage, void, false>));

template <class Pool>
void expect_plain_reports(Pool&& pool) {
    reporting on;
    const typename std::remove_cvref_t<Pool>::handle_type h = pool.acquire();
    pool.release(h);
    EXPECT_FALSE(pool.get(h));
    EXPECT_EQ(on.log.count(), 0u) << "a stale get is quiet";
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(pool.release(h));
    EXPECT_EQ(on.log.count(lido::misuse_kind::double_release), 3u) << "told each time";
    EXPECT_EQ(on.log.count(), 3u);
}

TEST(without_forensics, X6_a_file_that_chose_none_has_none) {
    expect_plain_reports(lido::slot_pool<mark>(4));
    expect_plain_reports(lido::flag_pool<mark, 4>());
    expect_plain_reports(lido::dense_pool<mark>(4));
    expect_plain_reports(lido::column_pool<mark>(4));
    expect_plain_reports(lido::flag_column_pool<mark>(4));
    expect_plain_reports(lido::recycle_pool<mark>(4));
    expect_plain_reports(lido::ring_pool<mark>(4));
    expect_plain_reports(lido::bytemap_pool<mark>(4));
}

TEST(without_forensics, X6_blame_and_leases_leave_the_other_files_alone) {
    reporting on;
    lido::slot_pool<mark> pool(4);
    const lido::blame nobody(lido::caller::here());
    { const auto lease = pool.lease(); }
    EXPECT_FALSE(lido::detail::blamed_place) << "what the others read is not written here";
    static_cast<void>(pool.acquire());
    EXPECT_EQ(on.log.count(), 0u);
}

TEST(without_forensics, X9_a_pool_that_ends_with_active_objects_says_nothing) {
    reporting on;
    {
        lido::slot_pool<mark> pool(4);
        static_cast<void>(pool.acquire());
    }
    EXPECT_EQ(on.log.count(), 0u);
}

}  // namespace
