// S5.8
#include <lido/entity/identity/id_table.hpp>

#include <gtest/gtest.h>

#include "support/allocation_counter.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <string>

namespace identity_id_table {

using lido::entity_id;
using lido::entity_detail::id_table;

struct ids {
    std::deque<entity_id> kept;  // does not move them
    const entity_id& operator()(const std::string& text) { return kept.emplace_back(text); }
};

TEST(id_table, finds_what_was_put) {
    ids make;
    id_table table;
    table.put(make("gate-1"), 3, 17);
    ASSERT_NE(table.find("gate-1"), nullptr);
    EXPECT_EQ(table.find("gate-1")->of, 3u);
    EXPECT_EQ(table.find("gate-1")->life, 17u);
    EXPECT_EQ(table.find("gate-2"), nullptr);
    EXPECT_TRUE(table.validate());
}

TEST(id_table, erases_only_the_life_that_is_meant) {
    ids make;
    id_table table;
    table.put(make("gate-1"), 3, 19);
    EXPECT_FALSE(table.erase("gate-1", 3, 17));  // the end of an earlier life comes late
    EXPECT_FALSE(table.erase("gate-1", 4, 19));
    EXPECT_NE(table.find("gate-1"), nullptr);
    EXPECT_TRUE(table.erase("gate-1", 3, 19));
    EXPECT_EQ(table.find("gate-1"), nullptr);
    EXPECT_EQ(table.size(), 0u);
}

TEST(id_table, a_reserved_id_is_settled_by_its_life) {
    ids make;
    id_table table;
    const entity_id reserved("gate-1");
    table.put(reserved, 3, 0);
    EXPECT_EQ(table.find("gate-1")->life, 0u);
    const entity_id& in_place = make("gate-1");
    table.settle(in_place, 3, 21);
    EXPECT_EQ(table.find("gate-1")->life, 21u);
    EXPECT_EQ(table.find("gate-1")->id, &in_place);
}

TEST(id_table, finds_or_puts_in_one_look) {
    ids make;
    id_table table;
    table.reserve(2);
    const entity_id& gate = make("gate-1");
    EXPECT_EQ(table.find_or_put(gate, id_table::tag_of("gate-1"), 3, 17), nullptr);
    EXPECT_EQ(table.size(), 1u);
    const auto* const there = table.find_or_put(make("gate-1"), id_table::tag_of("gate-1"), 4, 18);
    ASSERT_NE(there, nullptr);
    EXPECT_EQ(there->life, 17u);
    EXPECT_EQ(table.size(), 1u);
    EXPECT_TRUE(table.validate());
}

TEST(id_table, settles_and_erases_by_where_the_id_lies) {
    ids make;
    id_table table;
    const entity_id reserved("gate-1");
    const std::uint32_t tag = id_table::tag_of("gate-1");
    static_cast<void>(table.find_or_put(reserved, tag, 3, 0));
    const entity_id& in_place = make("gate-1");
    table.settle(tag, &reserved, &in_place, 3, 21);
    EXPECT_EQ(table.find("gate-1")->life, 21u);
    EXPECT_EQ(table.find("gate-1")->id, &in_place);
    EXPECT_FALSE(table.erase(tag, &reserved, 3, 21));
    EXPECT_FALSE(table.erase(tag, &in_place, 3, 19));
    EXPECT_TRUE(table.erase(tag, &in_place, 3, 21));
    EXPECT_EQ(table.find("gate-1"), nullptr);
    EXPECT_EQ(table.size(), 0u);
    EXPECT_TRUE(table.validate());
}

TEST(id_table, is_as_a_map_through_many_puts_and_erases) {
    ids make;
    id_table table;
    std::map<std::string, std::uint64_t> plain;
    std::mt19937 random(7);
    for (int step = 0; step < 20000; ++step) {
        const std::string id = "e" + std::to_string(random() % 300);
        if (plain.contains(id)) {
            ASSERT_TRUE(table.erase(id, 1, plain[id]));
            plain.erase(id);
        } else {
            table.reserve(table.size() + 1);
            table.put(make(id), 1, static_cast<std::uint64_t>(step) + 1);
            plain[id] = static_cast<std::uint64_t>(step) + 1;
        }
        if (step % 500 == 0) {
            ASSERT_TRUE(table.validate()) << table.validate().broken;
        }
    }
    EXPECT_EQ(table.size(), plain.size());
    for (int i = 0; i < 300; ++i) {
        const std::string id = "e" + std::to_string(i);
        const auto* const found = table.find(id);
        ASSERT_EQ(found != nullptr, plain.contains(id));
        if (found != nullptr) {
            EXPECT_EQ(found->life, plain[id]);
        }
    }
}

TEST(id_table, allocates_nothing_once_there_is_room) {
    ids make;
    id_table table;
    table.reserve(1000);
    for (int i = 0; i < 2000; ++i) static_cast<void>(make("e" + std::to_string(i)));
    const lido::test::allocation_watch watch;
    for (int round = 0; round < 2; ++round) {
        for (std::size_t i = 0; i < 1000; ++i) table.put(make.kept[i], 1, i + 1);
        for (std::size_t i = 0; i < 1000; ++i) table.erase(make.kept[i].view(), 1, i + 1);
    }
    EXPECT_TRUE(watch.quiet());
}

}  // namespace identity_id_table
