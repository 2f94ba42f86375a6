// Promise: a program and the shared libraries it loads are one program to lido, also where they hide their symbols: a type is the same
// type in each, and there is one misuse handler, one tick and one list of pools.
#include "core/plugin/plugin.hpp"

#include <lido/core/checks/place.hpp>

#include <gtest/gtest.h>

#include <string>

#include <dlfcn.h>

namespace lido::test::core_plugin_tests {

using core_plugin::bullet;
using core_plugin::bullets;
using core_plugin::offers;

[[nodiscard]] const offers* loaded(const char* path) {
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(library, nullptr) << dlerror();
    if (library == nullptr) return nullptr;
    void* const found = dlsym(library, "lido_test_plugin");
    EXPECT_NE(found, nullptr);
    return found != nullptr ? reinterpret_cast<const offers* (*)()>(found)() : nullptr;
}

std::string heard;
void hear(const misuse& m) { heard += std::string(to_string(m)) + " in " + m.pool + "; "; }

class two_libraries : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_NE(one, nullptr);
        ASSERT_NE(other, nullptr);
        ASSERT_NE(one->save, other->save) << "the two are one library";
        heard.clear();
        before = set_misuse_handler(&hear);
    }
    void TearDown() override { set_misuse_handler(before); }

    const offers* one = loaded(LIDO_CORE_PLUGIN_ONE);
    const offers* other = loaded(LIDO_CORE_PLUGIN_OTHER);
    misuse_handler before = nullptr;
};

TEST_F(two_libraries, restore_each_others_snapshots_and_the_programs) {
    bullets pool(8, {.leaks = leaks::allow});
    const auto h = pool.acquire(bullet{1, 2});
    for (const auto save : {one->save, other->save, +[](const bullets& from, snapshot& to) { return from.save(to); }}) {
        for (const auto restore : {one->restore, other->restore,
                                   +[](bullets& to, const snapshot& from) { return to.restore(from).error; }}) {
            snapshot then;
            ASSERT_TRUE(save(pool, then));
            pool.get(h)->x = 7;
            EXPECT_EQ(restore(pool, then), restore_error::none);
            EXPECT_EQ(pool.get(h)->x, 1);
        }
    }
}

TEST_F(two_libraries, refuse_snapshots_of_a_namesake_that_each_keeps_to_itself) {
    snapshot then;
    ASSERT_TRUE(one->save_private(then));
    EXPECT_EQ(one->restore_private(then), restore_error::none);
    EXPECT_NE(other->restore_private(then), restore_error::none);
    bullets pool(8);
    EXPECT_NE(pool.restore(then).error, restore_error::none);
}

TEST_F(two_libraries, tell_the_programs_misuse_handler) {
    EXPECT_EQ(one->handler(), &hear);
    EXPECT_EQ(other->handler(), &hear);
    forget_reports();
    one->misuse();
    other->misuse();
    EXPECT_EQ(heard, "wild handle in the library's; wild handle in the library's; ");
}

TEST_F(two_libraries, count_the_programs_ticks) {
    set_tick(41);
    EXPECT_EQ(one->tick(), 41u);
    EXPECT_EQ(other->tick(), 41u);
    set_tick(no_tick);
}

TEST_F(two_libraries, find_the_pool_of_the_program_that_a_handle_is_of) {
    if constexpr (!forensics) GTEST_SKIP() << "only a diary knows other pools";
    bullets ours(8, {.name = "ours", .leaks = leaks::allow});
    bullets theirs(8, {.name = "theirs"});
    const handle<bullet> h = ours.acquire();
    forget_reports();
    one->release_foreign(theirs, h);
    EXPECT_EQ(heard, "wrong pool in theirs; ");
}

}  // namespace lido::test::core_plugin_tests
