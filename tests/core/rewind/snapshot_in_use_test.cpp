// Promise: a snapshot that is being written or read is not overwritten by what elements do meanwhile.
#include <lido/core/rewind/rewind.hpp>
#include <lido/core/slot_pool.hpp>

#include "core/misuse/misuse_log.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace lido::test::rewind_snapshot_in_use {

/// What an element's copy or destructor does, once.
struct deed {
    void (*what)(void*) = nullptr;
    void* with = nullptr;
    void happen() {
        if (auto* const now = std::exchange(what, nullptr)) now(with);
    }
};
deed at_copy;
deed at_end;

struct meddler {
    int value = 0;
    explicit meddler(int v) noexcept : value(v) {}
    meddler(const meddler& other) : value(other.value) { at_copy.happen(); }
    meddler(meddler&& other) noexcept : value(other.value) {}
    meddler& operator=(const meddler&) = delete;
    ~meddler() { at_end.happen(); }
};

struct stage {
    slot_pool<meddler> pool{64, {.leaks = leaks::allow}};
    slot_pool<meddler> other{64, {.leaks = leaks::allow}};
    snapshot then;
    bool refused = false;

    stage() {
        for (int i = 0; i < 20; ++i) pool.acquire(i);
        for (int i = 0; i < 3; ++i) other.acquire(100 + i);
    }
    static void overwrite(void* self) {
        auto& s = *static_cast<stage*>(self);
        s.refused = !s.other.save(s.then);
    }
    static void empty(void* self) { static_cast<stage*>(self)->then.clear(); }
};

TEST(a_snapshot, is_not_overwritten_by_a_destructor_that_runs_in_a_restore_from_it) {
    const misuse_log log;
    stage s;
    ASSERT_TRUE(s.pool.save(s.then));
    const auto hash = [&] {
        int sum = 0;
        for (const auto& each : s.pool) sum += each.value;
        return sum;
    };
    const int before = hash();
    at_end = {&stage::overwrite, &s};
    EXPECT_TRUE(s.pool.restore(s.then));
    EXPECT_TRUE(s.refused);
    EXPECT_EQ(hash(), before);
    EXPECT_EQ(log.count(misuse_kind::reentrant_call), 1u);
    at_end = {&stage::empty, &s};
    EXPECT_TRUE(s.pool.restore(s.then));
    EXPECT_EQ(hash(), before);
    EXPECT_TRUE(s.then);
}

TEST(a_snapshot, is_of_what_the_pool_is_after_the_destructors_of_what_it_held_before) {
    stage s;
    ASSERT_TRUE(s.pool.save(s.then));
    at_end = {[](void* self) {
                  auto& pool = static_cast<stage*>(self)->pool;
                  for (int i = 0; i < 40; ++i) pool.acquire(1000 + i);
              },
              &s};
    ASSERT_TRUE(s.pool.save(s.then));
    EXPECT_EQ(s.pool.size(), 60u);
    s.pool.clear();
    EXPECT_TRUE(s.pool.restore(s.then));
    EXPECT_EQ(s.pool.size(), 60u);
    EXPECT_TRUE(s.pool.validate());
}

TEST(a_snapshot, is_not_overwritten_by_a_copy_that_runs_in_a_save_to_it) {
    const misuse_log log;
    stage s;
    at_copy = {&stage::overwrite, &s};
    EXPECT_TRUE(s.pool.save(s.then));
    EXPECT_TRUE(s.refused);
    s.pool.clear();
    EXPECT_TRUE(s.pool.restore(s.then));
    EXPECT_EQ(s.pool.size(), 20u);
    EXPECT_EQ(log.count(misuse_kind::reentrant_call), 1u);
}

}  // namespace lido::test::rewind_snapshot_in_use
