// The sizes of pools without forensics: what is not chosen has no bytes. (64-bit systems.)
#include <lido/core.hpp>

#include <gtest/gtest.h>

#include <cstddef>

namespace {

using namespace lido;

struct body {
    float x, y, vx, vy;
};

constexpr options plain{.forensics = false};
constexpr options aged{.tracks = track::age, .forensics = false};
constexpr options ranked{.tracks = track::priority, .forensics = false};

template <class Pool>
void expect_size(std::size_t before) {
    EXPECT_EQ(sizeof(Pool), before);
}

TEST(sizes, X6_a_pool_without_forensics_is_as_small_as_it_was) {
    if constexpr (sizeof(void*) != 8) GTEST_SKIP() << "the figures are those of 64-bit systems";
    expect_size<slot_pool<body, plain>>(408);
    expect_size<slot_pool<body, aged>>(472);
    expect_size<slot_pool<body, ranked>>(624);
    expect_size<slot_pool<body, plain, heap_storage>>(360);
    expect_size<slot_pool<body, plain, lent_storage>>(608);
    expect_size<inline_slot_pool<body, 64, plain>>(1872);
    expect_size<flag_pool<body, 64, plain>>(1584);
    expect_size<dense_pool<body, plain>>(456);
    expect_size<inline_dense_pool<body, 64, plain>>(1872);
    expect_size<column_pool<body, plain>>(520);
    expect_size<recycle_pool<body, plain>>(712);  // 704 before settings.reserve, which lets a running pool be raised
    expect_size<ring_pool<body, plain>>(328);
    expect_size<capped_list<body, 64, plain>>(1272);
    expect_size<bytemap_pool<body, 0, heap_storage, void, false>>(320);
    expect_size<slot_pool<body, plain>::lease_type>(40);
}

}  // namespace
