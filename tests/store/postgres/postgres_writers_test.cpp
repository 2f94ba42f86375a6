// S5.9: one writer for a store on a server. D38: who is late, or was overtaken, writes nothing.
#include <gtest/gtest.h>
#include <libpq-fe.h>
#include <unistd.h>
#include <lido/store/database.hpp>

#include <cstdint>
#include <memory>
#include <string>

#include "store/postgres/postgres_case.hpp"
#include "store/postgres/relay.hpp"

namespace store_postgres_writers {

using namespace lido::store;

class postgres_writers : public store_tests::postgres_case {};

TEST_F(postgres_writers, the_second_is_told_who_has_it) {
    auto first = writer();
    auto second = place->connect();
    opened_database found;
    const db_answer refused = second->open(open_mode::write, found);
    EXPECT_EQ(refused.fault(), db_fault::again);
    EXPECT_TRUE(has(refused.why(), "lido, process " + std::to_string(::getpid()))) << refused.why();
    EXPECT_TRUE(has(refused.why(), "schema " + place->schema())) << refused.why();
    EXPECT_TRUE(put(*first, save("a", 1)));
}

TEST_F(postgres_writers, two_stores_of_one_database_are_not_in_each_others_way) {
    auto first = writer();
    store_tests::postgres_place other(place->server());
    auto second = other.connect();
    opened_database found;
    ASSERT_TRUE(second->open(open_mode::write, found));
    EXPECT_TRUE(put(*first, save("a", 1)));
    EXPECT_EQ(data_of(*second, "a"), "no row");
}

TEST_F(postgres_writers, D38_who_lost_the_connection_to_a_successor_writes_nothing_more) {
    auto first = writer();
    write_outcome outcome = write_outcome::taken;
    ASSERT_TRUE(put(*first, save("a", 1)));
    ASSERT_TRUE(first->begin());
    ASSERT_TRUE(first->write(save("a", 9), outcome));
    end_sessions();
    opened_database found;
    auto second = writer(found);
    EXPECT_EQ(found.epoch, 2u);
    // What was not committed holds no lock, and is not there.
    EXPECT_EQ(version_of(*second, "a"), 1u);
    row_write w = save("a", 2);
    w.epoch = found.epoch;
    ASSERT_TRUE(put(*second, w));
    EXPECT_EQ(first->commit().fault(), db_fault::again);
    const db_answer late = first->begin();
    EXPECT_EQ(late.fault(), db_fault::lost);
    EXPECT_TRUE(has(late.why(), "another program")) << late.why();
    EXPECT_EQ(version_of(*second, "a"), 2u);
}

TEST_F(postgres_writers, D38_a_successor_waits_for_the_transaction_that_is_open_and_the_next_one_is_refused) {
    auto first = writer();
    write_outcome outcome = write_outcome::taken;
    ASSERT_TRUE(first->begin());
    ASSERT_TRUE(first->write(save("a", 1), outcome));
    // As if the advisory lock had been lost: nobody raises the epoch between the comparison and the commit.
    EXPECT_EQ(place->run("SELECT count(*) FROM (SELECT 1 FROM game FOR UPDATE SKIP LOCKED) free"), "0");
    EXPECT_TRUE(first->commit());
    place->overtake();
    EXPECT_EQ(first->begin().fault(), db_fault::lost);
}

TEST_F(postgres_writers, who_stops_in_the_middle_of_a_transaction_does_not_keep_the_store_for_ever) {
    place->options().call_timeout = 250;
    auto first = hurried_writer();
    until_in_transaction(*first, save("a", 1));
    auto second = place->connect();
    opened_database found;
    until("the server gives up the one that says nothing", [&] { return bool(second->open(open_mode::write, found)); });
    EXPECT_EQ(first->commit().fault(), db_fault::again);
    until("the first is told", [&] { return first->begin().fault() == db_fault::lost; });
    EXPECT_EQ(place->run("SELECT count(*) FROM entities"), "0");
}

TEST_F(postgres_writers, a_connection_that_only_the_server_believes_in_does_not_lock_its_own_program_out) {
    store_tests::relay way(place->server().port());
    std::string url = place->server().url();
    url.replace(url.find(std::to_string(place->server().port())), std::to_string(place->server().port()).size(),
                std::to_string(way.port()));
    auto db = place->connect_by(url);
    opened_database found;
    ASSERT_TRUE(db->open(open_mode::write, found));
    epoch = found.epoch;
    ASSERT_TRUE(put(*db, save("a", 1)));
    write_outcome outcome = write_outcome::taken;
    ASSERT_TRUE(db->begin());
    ASSERT_TRUE(db->write(save("a", 2), outcome));
    way.lose_next_answer();
    EXPECT_EQ(db->commit().fault(), db_fault::again);
    ASSERT_TRUE(way.has_lost());
    EXPECT_NE(place->run("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"), "0");
    const db_answer begun = db->begin();
    ASSERT_TRUE(begun) << begun.why();
    // It had happened; to ask again does no harm.
    outcome = write_outcome::taken;
    ASSERT_TRUE(db->write(save("a", 2), outcome));
    EXPECT_EQ(outcome, write_outcome::written);
    EXPECT_TRUE(db->commit());
    EXPECT_EQ(version_of(*db, "a"), 2u);
}

TEST_F(postgres_writers, a_lock_of_a_person_with_psql_is_waited_for_and_then_told) {
    place->options().wait_for_locks = 30;
    auto db = writer();
    ASSERT_TRUE(put(*db, save("a", 1)));
    // A transaction that stays open: one of the store's own kind, over the same tables.
    PGconn* const person = PQconnectdb(place->server().url().c_str());
    PQclear(PQexec(person, ("BEGIN; LOCK TABLE \"" + place->schema() + "\".entities").c_str()));
    ASSERT_EQ(PQtransactionStatus(person), PQTRANS_INTRANS);
    const db_answer refused = put(*db, save("a", 2));
    EXPECT_EQ(refused.fault(), db_fault::again);
    EXPECT_TRUE(has(refused.why(), "lock")) << refused.why();
    PQfinish(person);
    EXPECT_TRUE(put(*db, save("a", 2)));
}

}  // namespace store_postgres_writers
