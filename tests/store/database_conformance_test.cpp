// S5.9: what a store relies on of any database (database.hpp, KD1 to KD4). Another kind of database is one more line at the end.
#include <gtest/gtest.h>
#include <lido/store/database.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/place.hpp"
#include "store/sqlite_place.hpp"
#if defined(LIDO_STORE_POSTGRES)
#include "store/postgres/postgres_place.hpp"
#endif

namespace store_database_conformance {

using namespace lido::store;
using store_tests::database_kind;

/// A row with texts of its own.
struct kept_row {
    std::string of_class, key, data;
    stored_row numbers;
    explicit kept_row(const stored_row& r) : of_class(r.of_class), key(r.key), data(r.data), numbers(r) {
        numbers.of_class = numbers.key = numbers.data = {};
    }
};

class database_conformance : public ::testing::TestWithParam<database_kind> {
protected:
    void SetUp() override {
        place = GetParam().make();
        if (place == nullptr) GTEST_SKIP() << GetParam().missing;
        db = place->connect();
        const db_answer opened = db->open(open_mode::write, found);
        ASSERT_TRUE(opened) << opened.why();
    }

    [[nodiscard]] row_write save(std::string_view key, std::uint64_t generation, std::uint64_t version,
                                 std::string_view data = R"({"hp":1})") const {
        row_write w;
        w.of_class = "door";
        w.key = key;
        w.epoch = found.epoch;
        w.by = fence::database;
        w.generation = generation;
        w.version = version;
        w.revision = 3;
        w.data = data;
        w.now = 1000;
        return w;
    }
    write_outcome put(const row_write& w) {
        write_outcome outcome = write_outcome::taken;
        EXPECT_TRUE(db->begin());
        const db_answer wrote = db->write(w, outcome);
        EXPECT_TRUE(wrote) << wrote.why();
        EXPECT_TRUE(db->commit());
        return outcome;
    }
    /// What the answer to a write that must fail is.
    db_answer refused(const row_write& w) {
        write_outcome outcome = write_outcome::written;
        EXPECT_TRUE(db->begin());
        db_answer wrote = db->write(w, outcome);
        db->rollback();
        return wrote;
    }
    std::vector<kept_row> rows(const row_range& which) {
        std::vector<kept_row> all;
        row_function each([&](const stored_row& r) {
            all.emplace_back(r);
            return true;
        });
        const db_answer scanned = db->scan(which, each);
        EXPECT_TRUE(scanned) << scanned.why();
        return all;
    }
    std::vector<std::string> keys(const row_range& which) {
        std::vector<std::string> all;
        for (const kept_row& r : rows(which)) all.push_back(r.of_class + "/" + r.key);
        return all;
    }
    std::vector<kept_row> claim(std::string_view key, std::uint64_t epoch) {
        std::vector<kept_row> all;
        row_function each([&](const stored_row& r) {
            all.emplace_back(r);
            return true;
        });
        EXPECT_TRUE(db->begin());
        const db_answer claimed = db->claim("door", key, epoch, 500, each);
        EXPECT_TRUE(claimed) << claimed.why();
        EXPECT_TRUE(db->commit());
        return all;
    }
    void reopen() {
        db->close();
        db = place->connect();
        const db_answer opened = db->open(open_mode::write, found);
        ASSERT_TRUE(opened) << opened.why();
    }

    std::unique_ptr<store_tests::database_place> place;
    std::unique_ptr<database> db;
    opened_database found;
};

TEST_P(database_conformance, the_first_to_open_it_makes_it_and_each_opening_for_writing_raises_the_epoch) {
    EXPECT_TRUE(found.made);
    EXPECT_EQ(found.epoch, 1u);
    EXPECT_EQ(found.position, stored_position{});
    reopen();
    EXPECT_FALSE(found.made);
    EXPECT_EQ(found.epoch, 2u);
}

TEST_P(database_conformance, who_only_reads_raises_nothing_and_may_look_while_another_writes) {
    put(save("gate", 1, 1));
    const auto reader = place->connect();
    opened_database seen;
    ASSERT_TRUE(reader->open(open_mode::read, seen));
    EXPECT_EQ(seen.epoch, 1u);
    std::uint64_t count = 0;
    ASSERT_TRUE(reader->count({}, count));
    EXPECT_EQ(count, 1u);
    EXPECT_EQ(put(save("gate", 1, 2)), write_outcome::written);
    std::uint64_t version = 0;
    row_function each([&](const stored_row& r) {
        version = r.version;
        return true;
    });
    ASSERT_TRUE(reader->find("door", "gate", each));
    EXPECT_EQ(version, 2u);
}

TEST_P(database_conformance, a_second_writer_is_refused_in_words_while_the_first_lives) {
    const auto second = place->connect();
    opened_database seen;
    const db_answer refused = second->open(open_mode::write, seen);
    EXPECT_EQ(refused.fault(), db_fault::again);
    EXPECT_NE(refused.why().find("another program"), std::string::npos) << refused.why();
    db->close();
    EXPECT_TRUE(second->open(open_mode::write, seen));
    EXPECT_EQ(seen.epoch, 2u);
}

TEST_P(database_conformance, a_row_is_read_as_it_was_written) {
    row_write w = save("gate-1", 7, 12, R"({"angle":1.5,"keeper":"Ann \"O'Hara\" \\ 漢"})");
    w.owner = 0xfedcba9876543210u;
    put(w);
    reopen();
    const auto all = rows({});
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].of_class, "door");
    EXPECT_EQ(all[0].key, "gate-1");
    // A database may keep JSON in a form of its own; what it says is the same.
    EXPECT_NE(all[0].data.find("1.5"), std::string::npos) << all[0].data;
    EXPECT_NE(all[0].data.find(R"(Ann \"O'Hara\" \\ 漢)"), std::string::npos) << all[0].data;
    const stored_row& n = all[0].numbers;
    EXPECT_EQ(n.state, row_state::stored);
    EXPECT_EQ(n.epoch, 1u);
    EXPECT_EQ(n.generation, 7u);
    EXPECT_EQ(n.version, 12u);
    EXPECT_EQ(n.revision, 3);
    EXPECT_EQ(n.owner, 0xfedcba9876543210u);
    EXPECT_EQ(n.created, 1000);
    EXPECT_EQ(n.changed, 1000);
}

TEST_P(database_conformance, numbers_of_64_bits_and_the_shortest_floats_survive) {
    put(save("n", 1, 1,
             R"({"least":-9223372036854775808,"most":18446744073709551615,"third":0.3333333333333333,"tiny":5e-324})"));
    const std::string data = rows({})[0].data;
    EXPECT_NE(data.find("-9223372036854775808"), std::string::npos) << data;
    EXPECT_NE(data.find("18446744073709551615"), std::string::npos) << data;
    EXPECT_NE(data.find("0.3333333333333333"), std::string::npos) << data;
}

TEST_P(database_conformance, only_a_later_life_or_a_later_version_of_the_same_life_is_written) {
    EXPECT_EQ(put(save("a", 5, 3)), write_outcome::written);
    EXPECT_EQ(put(save("a", 5, 2)), write_outcome::superseded);
    EXPECT_EQ(put(save("a", 4, 900)), write_outcome::superseded);
    EXPECT_EQ(rows({})[0].numbers.version, 3u);
    EXPECT_EQ(put(save("a", 5, 4)), write_outcome::written);
    EXPECT_EQ(put(save("a", 6, 0)), write_outcome::written);
    EXPECT_EQ(rows({})[0].numbers.generation, 6u);
    EXPECT_EQ(rows({})[0].numbers.version, 0u);
}

TEST_P(database_conformance, a_save_that_is_asked_for_again_is_written) {
    EXPECT_EQ(put(save("a", 5, 3)), write_outcome::written);
    EXPECT_EQ(put(save("a", 5, 3)), write_outcome::written);
}

TEST_P(database_conformance, a_claim_raises_the_epoch_and_reads_the_row_in_one_step) {
    put(save("a", 5, 3));
    const auto read = claim("a", 40);
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(read[0].numbers.epoch, 40u);
    EXPECT_EQ(read[0].numbers.generation, 5u);
    EXPECT_EQ(read[0].numbers.state, row_state::stored);
    EXPECT_EQ(rows({})[0].numbers.epoch, 40u);
}

TEST_P(database_conformance, a_claim_of_what_is_not_there_makes_an_empty_row_that_scans_pass_over) {
    const auto read = claim("new", 3);
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(read[0].numbers.state, row_state::claimed);
    EXPECT_EQ(read[0].numbers.generation, 0u);
    EXPECT_TRUE(rows({}).empty());
    EXPECT_EQ(rows({.claimed_too = true}).size(), 1u);
    row_write w = save("new", 1, 0);
    w.epoch = 3;
    w.by = fence::row;
    EXPECT_EQ(put(w), write_outcome::written);
    EXPECT_EQ(rows({}).size(), 1u);
}

TEST_P(database_conformance, a_claim_below_the_epoch_of_the_row_changes_nothing_and_tells_whose_it_is) {
    claim("a", 9);
    const auto read = claim("a", 8);
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(read[0].numbers.epoch, 9u);
    EXPECT_EQ(claim("a", 9).size(), 1u);
}

TEST_P(database_conformance,
       D38_the_late_write_of_a_writer_who_lost_the_row_is_taken_even_when_its_version_is_greater) {
    claim("a", 5);
    row_write w = save("a", 1, 1);
    w.by = fence::row;
    w.epoch = 5;
    EXPECT_EQ(put(w), write_outcome::written);
    claim("a", 6);  // another holder, who has read version 1
    w.version = 99;
    EXPECT_EQ(put(w), write_outcome::taken);
    w.epoch = 6;
    w.version = 2;
    EXPECT_EQ(put(w), write_outcome::written);
    EXPECT_EQ(rows({})[0].numbers.version, 2u);
}

TEST_P(database_conformance, a_greater_epoch_without_a_claim_does_not_let_a_row_be_written) {
    claim("a", 5);
    row_write w = save("a", 1, 1);
    w.by = fence::row;
    w.epoch = 6;  // has not read what 5 may have saved
    EXPECT_EQ(put(w), write_outcome::taken);
}

TEST_P(database_conformance, who_has_the_whole_database_writes_rows_of_earlier_epochs_and_no_later_ones) {
    claim("a", 5);
    row_write w = save("a", 1, 1);
    w.epoch = 6;
    EXPECT_EQ(put(w), write_outcome::written);
    w.epoch = 5;
    w.version = 2;
    EXPECT_EQ(put(w), write_outcome::taken);
}

TEST_P(database_conformance, an_erased_row_is_a_tombstone_that_a_later_life_replaces_and_an_earlier_one_does_not) {
    put(save("a", 5, 3));
    row_write w = save("a", 5, 4, "");
    w.erased = true;
    w.now = 2000;
    EXPECT_EQ(put(w), write_outcome::written);
    EXPECT_TRUE(rows({}).empty());
    const auto dead = rows({.erased_too = true});
    ASSERT_EQ(dead.size(), 1u);
    EXPECT_EQ(dead[0].numbers.state, row_state::erased);
    EXPECT_EQ(dead[0].numbers.generation, 5u);
    EXPECT_EQ(dead[0].numbers.changed, 2000);
    EXPECT_EQ(put(save("a", 5, 3)), write_outcome::superseded);
    EXPECT_EQ(put(save("a", 6, 0)), write_outcome::written);
    EXPECT_EQ(rows({}).size(), 1u);
}

TEST_P(database_conformance, the_birth_of_a_row_stays_from_life_to_life_and_begins_anew_behind_a_tombstone) {
    const auto birth = [&] { return rows({.erased_too = true}).at(0).numbers.birth; };
    put(save("a", 5, 3));
    EXPECT_EQ(birth(), 5u);
    put(save("a", 7, 0));
    EXPECT_EQ(birth(), 5u);
    row_write w = save("a", 7, 1);
    w.birth = 6;
    put(w);
    EXPECT_EQ(birth(), 6u);
    w = save("a", 7, 2, "");
    w.erased = true;
    put(w);
    put(save("a", 9, 0));
    EXPECT_EQ(birth(), 9u);
    claim("b", found.epoch);
    put(save("b", 11, 0));
    EXPECT_EQ(rows({}).at(1).numbers.birth, 11u);
}

TEST_P(database_conformance, prune_removes_tombstones_and_unused_claims_older_than_that_and_nothing_else) {
    put(save("kept", 1, 1));
    for (const char* key : {"old", "older", "young"}) {
        row_write w = save(key, 1, 2, "");
        w.erased = true;
        w.now = key[0] == 'y' ? 5000 : 2000;
        put(w);
    }
    claim("asked", 1);  // at 500
    std::uint64_t removed = 0;
    ASSERT_TRUE(db->begin());
    ASSERT_TRUE(db->prune(3000, 2, removed));
    EXPECT_EQ(removed, 2u);
    ASSERT_TRUE(db->prune(3000, 100, removed));
    EXPECT_EQ(removed, 1u);
    ASSERT_TRUE(db->commit());
    EXPECT_EQ(keys({.claimed_too = true, .erased_too = true}), (std::vector<std::string>{"door/kept", "door/young"}));
}

TEST_P(database_conformance, what_was_not_committed_is_not_there) {
    put(save("a", 1, 1));
    write_outcome outcome = write_outcome::taken;
    ASSERT_TRUE(db->begin());
    ASSERT_TRUE(db->write(save("a", 1, 2), outcome));
    ASSERT_TRUE(db->write(save("b", 1, 1), outcome));
    ASSERT_TRUE(db->put_position({1, 2, 3, 4}));
    db->rollback();
    EXPECT_EQ(keys({}), (std::vector<std::string>{"door/a"}));
    EXPECT_EQ(rows({})[0].numbers.version, 1u);
    stored_position where;
    ASSERT_TRUE(db->position(where));
    EXPECT_EQ(where, stored_position{});
    ASSERT_TRUE(db->begin());
    ASSERT_TRUE(db->write(save("b", 1, 1), outcome));
    reopen();  // in the middle of it
    EXPECT_EQ(keys({}), (std::vector<std::string>{"door/a"}));
}

TEST_P(database_conformance, the_position_is_part_of_the_transaction_and_births_never_go_back) {
    ASSERT_TRUE(db->begin());
    ASSERT_TRUE(db->put_position({1, 20, 300, 4000}));
    ASSERT_TRUE(db->commit());
    ASSERT_TRUE(db->begin());
    ASSERT_TRUE(db->put_position({1, 21, 310, 3000}));
    ASSERT_TRUE(db->commit());
    reopen();
    EXPECT_EQ(found.position, (stored_position{1, 21, 310, 4000}));
}

TEST_P(database_conformance, D38_a_writer_who_was_overtaken_is_told_at_his_next_transaction_and_writes_nothing) {
    put(save("a", 1, 1));
    place->overtake();
    const db_answer answer = db->begin();
    EXPECT_EQ(answer.fault(), db_fault::lost);
    EXPECT_NE(answer.why().find("another program"), std::string::npos) << answer.why();
    db->rollback();
    EXPECT_EQ(rows({})[0].numbers.version, 1u);
}

TEST_P(database_conformance, scans_go_in_order_of_bytes_class_by_class_and_page_by_page) {
    const auto add = [&](const char* of_class, const char* key) {
        row_write w = save(key, 1, 1);
        w.of_class = of_class;
        put(w);
    };
    for (const char* key : {"b", "a", "B", "a-2", "a-10", "é", "a_"}) add("door", key);
    add("account", "z");
    add("vault", "a-1");
    EXPECT_EQ(keys({}), (std::vector<std::string>{"account/z", "door/B", "door/a", "door/a-10", "door/a-2", "door/a_",
                                                  "door/b", "door/é", "vault/a-1"}));
    EXPECT_EQ(keys({.of_class = "door", .prefix = "a-"}), (std::vector<std::string>{"door/a-10", "door/a-2"}));
    EXPECT_EQ(keys({.prefix = "a-"}), (std::vector<std::string>{"door/a-10", "door/a-2", "vault/a-1"}));
    EXPECT_EQ(keys({.of_class = "doo"}), (std::vector<std::string>{}));
    std::uint64_t count = 0;
    ASSERT_TRUE(db->count({.of_class = "door", .prefix = "a"}, count));
    EXPECT_EQ(count, 4u);

    for (const bool one_class : {false, true}) {
        std::vector<std::string> paged;
        std::string after_class, after_key;
        for (;;) {
            row_range range{.of_class = one_class ? "door" : "", .limit = 2};
            range.after_class = after_class;
            range.after_key = after_key;
            const auto page = rows(range);
            EXPECT_LE(page.size(), 2u);
            if (page.empty()) break;
            for (const kept_row& r : page) paged.push_back(r.of_class + "/" + r.key);
            after_class = page.back().of_class;
            after_key = page.back().key;
        }
        EXPECT_EQ(paged, keys({.of_class = one_class ? "door" : ""}));
    }
}

TEST_P(database_conformance, a_sink_that_has_enough_ends_the_scan) {
    for (const char* key : {"a", "b", "c"}) put(save(key, 1, 1));
    int told = 0;
    row_function each([&](const stored_row&) { return ++told < 2; });
    ASSERT_TRUE(db->scan({}, each));
    EXPECT_EQ(told, 2);
    EXPECT_EQ(put(save("d", 1, 1)), write_outcome::written);
}

TEST_P(database_conformance, keys_with_quotes_wildcards_and_every_character_that_is_allowed_are_only_keys) {
    const std::vector<std::string> odd{
        "'; DROP TABLE entities; --", "\"", "%", "_", "\\", "a b", "漢字", "\xf0\x9f\x9a\xaa", std::string(255, 'k')};
    for (const std::string& key : odd) EXPECT_EQ(put(save(key, 1, 1)), write_outcome::written) << key;
    EXPECT_EQ(rows({}).size(), odd.size());
    for (const std::string& key : odd) {
        EXPECT_EQ(rows({.of_class = "door", .prefix = key}).size(), 1u) << key;
        EXPECT_EQ(claim(key, found.epoch).at(0).key, key);
    }
}

TEST_P(database_conformance, a_row_that_can_never_be_written_is_refused_for_itself_with_the_reason) {
    const std::string nul("a\0b", 3);
    for (const std::string& key : {std::string(), nul, std::string("\xff"), std::string("\xed\xa0\x80"),
                                   std::string("a\nb"), std::string("\xc2\x85"), std::string(256, 'k')}) {
        const db_answer answer = refused(save(key, 1, 1));
        EXPECT_EQ(answer.fault(), db_fault::row) << key << ": " << answer.why();
        EXPECT_FALSE(answer.why().empty());
    }
    EXPECT_EQ(refused(save("a", 1, 1, "{\"t\":\"\xff\"}")).fault(), db_fault::row);
    EXPECT_EQ(refused(save("a", 1, 1, std::string_view("{\"t\":\"\0\"}", 9))).fault(), db_fault::row);
    EXPECT_EQ(refused(save("a", 1, 1, "")).fault(), db_fault::row);
    EXPECT_EQ(refused(save("a", std::uint64_t{1} << 63, 1)).fault(), db_fault::row);
    EXPECT_EQ(put(save("a", 1, 1)), write_outcome::written);
}

TEST_P(database_conformance, a_megabyte_of_data_is_a_row_like_any_other) {
    const std::string data = R"({"t":")" + std::string(std::size_t{1} << 20, 'x') + "\"}";
    EXPECT_EQ(put(save("big", 1, 1, data)), write_outcome::written);
    EXPECT_GE(rows({})[0].data.size(), data.size());
}

TEST_P(database_conformance, what_classes_were_is_kept_for_each_revision) {
    ASSERT_TRUE(db->begin());
    ASSERT_TRUE(db->put_class({"door", 2, R"({"hp":[]})", 100}));
    ASSERT_TRUE(db->put_class({"door", 3, R"({"health":["hp"]})", 200}));
    ASSERT_TRUE(db->put_class({"account", 1, R"({"gold":[]})", 300}));
    ASSERT_TRUE(db->put_class({"door", 3, R"({"health":["hp"],"open":[]})", 900}));
    ASSERT_TRUE(db->commit());
    reopen();
    std::vector<std::string> all;
    class_function each([&](const class_note& n) {
        all.push_back(std::string(n.name) + " " + std::to_string(n.revision) + " " + std::to_string(n.seen) +
                      (n.fields.find("open") != std::string_view::npos ? " open" : ""));
        return true;
    });
    ASSERT_TRUE(db->classes(each));
    EXPECT_EQ(all, (std::vector<std::string>{"account 1 300", "door 2 100", "door 3 200 open"}));
}

TEST_P(database_conformance, a_backup_is_whole_and_never_in_the_place_of_another_file) {
    for (int i = 0; i < 50; ++i) put(save("k" + std::to_string(i), 1, 1));
    const std::string copy = place->spare_file();
    const db_answer answer = db->backup(copy, [](std::uint64_t done, std::uint64_t of) { return done <= of; });
    auto other = place->connect_to(copy);
    if (other == nullptr) {
        EXPECT_FALSE(answer);
        EXPECT_FALSE(answer.why().empty());
        return;
    }
    ASSERT_TRUE(answer) << answer.why();
    EXPECT_FALSE(db->backup(copy, {}));
    put(save("later", 1, 1));
    opened_database seen;
    ASSERT_TRUE(other->open(open_mode::read, seen));
    std::uint64_t count = 0;
    ASSERT_TRUE(other->count({}, count));
    EXPECT_EQ(count, 50u);
    EXPECT_EQ(seen.epoch, 1u);
}

TEST_P(database_conformance, a_database_that_is_in_order_has_nothing_to_report) {
    put(save("a", 1, 1));
    int said = 0;
    ASSERT_TRUE(db->check([&](std::string_view) { ++said; }));
    EXPECT_EQ(said, 0);
    EXPECT_FALSE(db->describe().empty());
}

INSTANTIATE_TEST_SUITE_P(sqlite, database_conformance,
                         ::testing::Values(database_kind{"sqlite", &store_tests::make_sqlite_place}),
                         [](const auto& of) { return std::string(of.param.name); });

#if defined(LIDO_STORE_POSTGRES)
INSTANTIATE_TEST_SUITE_P(postgres, database_conformance,
                         ::testing::Values(database_kind{"postgres", &store_tests::make_postgres_place,
                                                         store_tests::postgres_server::why_not()}),
                         [](const auto& of) { return std::string(of.param.name); });
#endif

}  // namespace store_database_conformance
