// S5.9: what is tied by a commit is written together or not at all.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "store/town.hpp"

namespace store_ties {

using namespace store_tests;
using lido::store::save_end;

struct three : town {
    explicit three(fake_disk& on, lido::store::store_options options = {}) : town(on, options) {
        a = open_vault("a", 100);
        b = open_vault("b", 100);
        c = open_vault("c", 100);
        saved.clear();
    }
    lido::entity_ref<vault> a, b, c;
};

TEST(store_ties, a_row_that_can_never_be_written_fails_with_its_partners_and_the_rest_goes_on) {
    fake_disk disk;
    three t(disk);
    const std::string before = disk.data("vault", "b");
    disk.bad_key = "a";
    ASSERT_TRUE(t.move(t.a, t.b, 10));
    ASSERT_TRUE(t.pay(t.c, 1));
    ASSERT_TRUE(t.store->flush());
    EXPECT_EQ(disk.data("vault", "b"), before);
    EXPECT_EQ(disk.data("vault", "c"), R"({"gold":101,"keeper":""})");
    ASSERT_EQ(t.failed.size(), 2u);
    EXPECT_EQ(t.failed[0].key, "a");
    EXPECT_EQ(t.failed[0].why, "this row is too odd");
    EXPECT_EQ(t.failed[1].key, "b");
    EXPECT_EQ(t.failed[1].why,
              "it is tied by a commit to \"a\" (vault), which could not be written: this row is too odd");
    EXPECT_FALSE(t.store->is_saved(t.a));
    EXPECT_FALSE(t.store->is_saved(t.b));
    EXPECT_TRUE(t.store->is_saved(t.c));
    ASSERT_EQ(t.saved.size(), 1u);
    disk.bad_key.clear();
    ASSERT_TRUE(t.move(t.b, t.a, 1));
    ASSERT_TRUE(t.store->flush());
    EXPECT_EQ(disk.data("vault", "a"), R"({"gold":91,"keeper":""})");
    EXPECT_EQ(disk.data("vault", "b"), R"({"gold":109,"keeper":""})");
}

TEST(store_ties, ties_go_on_from_one_commit_to_the_next) {
    fake_disk disk;
    three t(disk);
    disk.bad_key = "c";
    ASSERT_TRUE(t.move(t.a, t.b, 10));
    t.tick();
    ASSERT_TRUE(t.move(t.b, t.c, 10));
    ASSERT_TRUE(t.store->flush());
    EXPECT_EQ(t.failed.size(), 3u);
    EXPECT_EQ(disk.data("vault", "a"), R"({"gold":100,"keeper":""})");
}

TEST(store_ties, commits_of_one_entity_each_are_not_tied) {
    fake_disk disk;
    three t(disk);
    disk.bad_key = "c";
    for (const auto v : {t.a, t.b, t.c}) ASSERT_TRUE(t.pay(v, 1));
    ASSERT_TRUE(t.store->flush());
    EXPECT_EQ(t.failed.size(), 1u);
    EXPECT_EQ(t.saved.size(), 2u);
}

TEST(store_ties, a_row_that_another_writer_has_is_a_failure_of_its_own_kind) {
    fake_disk disk;
    three t(disk);
    disk.tables.rows.at({"vault", "b"}).epoch = 99;
    ASSERT_TRUE(t.move(t.a, t.b, 10));
    ASSERT_TRUE(t.store->flush());
    ASSERT_EQ(t.failed.size(), 2u);
    std::set<save_end> ends;
    for (const auto& f : t.failed) {
        EXPECT_EQ(f.end, f.key == "b" ? save_end::taken : save_end::failed);
    }
    EXPECT_EQ(disk.data("vault", "a"), R"({"gold":100,"keeper":""})");
}

TEST(store_ties, a_later_version_in_the_database_is_not_written_over) {
    fake_disk disk;
    three t(disk);
    disk.tables.rows.at({"vault", "a"}).generation = 5000;
    ASSERT_TRUE(t.pay(t.a, 1));
    ASSERT_TRUE(t.store->flush());
    ASSERT_EQ(t.saved.size(), 1u);
    EXPECT_EQ(t.saved[0].end, save_end::superseded);
    EXPECT_EQ(disk.data("vault", "a"), R"({"gold":100,"keeper":""})");
}

TEST(store_ties, what_was_given_up_is_told_once_and_written_whole_when_the_database_is_back) {
    fake_disk disk;
    disk.keep_history = true;
    three t(disk, {.wait = 0ms, .retry = {.first = 10ms, .longest = 100ms, .give_up = 300ms}});
    disk.history.clear();
    disk.down = true;
    ASSERT_TRUE(t.move(t.a, t.b, 10));
    ASSERT_TRUE(t.pay(t.c, 1));
    ASSERT_TRUE(t.stage.destroy(t.c));
    for (int i = 0; i < 12 && t.failed.empty(); ++i) {
        t.tick();
        t.work();
    }
    ASSERT_EQ(t.failed.size(), 3u);
    for (const auto& f : t.failed) {
        EXPECT_TRUE(f.kept);
        EXPECT_EQ(f.why, "the database is down");
    }
    ASSERT_TRUE(t.move(t.a, t.b, 10));
    disk.down = false;
    t.now += 1s;
    t.settle();
    EXPECT_EQ(disk.data("vault", "a"), R"({"gold":80,"keeper":""})");
    EXPECT_EQ(disk.data("vault", "b"), R"({"gold":120,"keeper":""})");
    EXPECT_EQ(disk.data("vault", "c"), R"({"gold":101,"keeper":""})") << "its entity has ended meanwhile";
    ASSERT_FALSE(disk.history.empty());
    for (const fake_tables& f : disk.history) {
        const auto gold = [&](const char* key) { return std::stoi(f.rows.at({"vault", key}).data.substr(8)); };
        EXPECT_EQ(gold("a") + gold("b"), 200) << "no half of a commit";
    }
    EXPECT_TRUE(t.store->validate()) << t.store->validate().broken;
}

TEST(store_ties, ties_of_what_was_given_up_hold_when_it_is_tried_again) {
    fake_disk disk;
    three t(disk, {.wait = 0ms, .retry = {.first = 10ms, .longest = 100ms, .give_up = 300ms}});
    disk.down = true;
    ASSERT_TRUE(t.move(t.a, t.b, 10));
    for (int i = 0; i < 12 && t.failed.empty(); ++i) {
        t.tick();
        t.work();
    }
    ASSERT_EQ(t.failed.size(), 2u);
    t.failed.clear();
    disk.down = false;
    disk.bad_key = "a";
    t.now += 1s;
    t.settle();
    EXPECT_EQ(t.failed.size(), 2u);
    EXPECT_EQ(disk.data("vault", "b"), R"({"gold":100,"keeper":""})");
}

}  // namespace store_ties
