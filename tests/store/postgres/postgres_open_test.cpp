// S5.9: what may be found where a store should be, and what a server may lose.
#include <gtest/gtest.h>
#include <lido/store/database.hpp>

#include <memory>
#include <string>

#include "postgres/postgres_errors.hpp"
#include "store/postgres/postgres_case.hpp"

namespace store_postgres_open {

using namespace lido::store;

class postgres_open : public store_tests::postgres_case {
protected:
    db_answer opened(open_mode how) {
        const auto db = place->connect();
        return db->open(how, found);
    }
    std::string all_warnings() const {
        std::string all;
        for (const std::string& w : found.warnings) all += w + "\n";
        return all;
    }
    opened_database found;
};

TEST_F(postgres_open, for_reading_finds_no_store_and_makes_none) {
    const db_answer answer = opened(open_mode::read);
    EXPECT_EQ(answer.fault(), db_fault::unusable);
    EXPECT_TRUE(has(answer.why(), "no store")) << answer.why();
    EXPECT_EQ(place->server().sql("SELECT count(*) FROM pg_namespace WHERE nspname = '" + place->schema() + "'"), "0");
}

TEST_F(postgres_open, leaves_the_schema_of_another_program_alone) {
    place->server().sql("CREATE SCHEMA " + place->schema() + " CREATE TABLE game (score int)");
    for (const open_mode how : {open_mode::read, open_mode::write}) {
        const db_answer answer = opened(how);
        EXPECT_EQ(answer.fault(), db_fault::unusable);
        EXPECT_TRUE(has(answer.why(), "another program")) << answer.why();
    }
    EXPECT_EQ(
        place->run("SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('" + place->schema() + "')"),
        "1");
}

TEST_F(postgres_open, refuses_what_a_later_version_has_written_and_changes_nothing) {
    writer();
    place->run("UPDATE game SET form = 2");
    const db_answer answer = opened(open_mode::write);
    EXPECT_EQ(answer.fault(), db_fault::unusable);
    EXPECT_TRUE(has(answer.why(), "later version")) << answer.why();
    EXPECT_EQ(place->run("SELECT epoch FROM game"), "1");
}

TEST_F(postgres_open, refuses_a_database_that_is_not_in_utf_8) {
    place->server().sql("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    const auto db = place->connect_by(place->server().url("latin"));
    const db_answer answer = db->open(open_mode::write, found);
    EXPECT_EQ(answer.fault(), db_fault::unusable);
    EXPECT_TRUE(has(answer.why(), "UTF-8")) << answer.why();
    place->server().sql("DROP DATABASE latin WITH (FORCE)");
}

TEST_F(postgres_open, without_the_right_to_make_a_schema_says_so_and_works_in_one_that_was_made_for_it) {
    place->server().sql("CREATE ROLE guest LOGIN PASSWORD 'guest'");
    const std::string url = "postgresql://guest:guest@127.0.0.1:" + std::to_string(place->server().port()) + "/game";
    const auto db = place->connect_by(url);
    const db_answer answer = db->open(open_mode::write, found);
    EXPECT_EQ(answer.fault(), db_fault::again);
    EXPECT_TRUE(has(answer.why(), "grant")) << answer.why();
    place->server().sql("CREATE SCHEMA " + place->schema() + " AUTHORIZATION guest");
    const db_answer granted = db->open(open_mode::write, found);
    EXPECT_TRUE(granted) << granted.why();
    db->close();
    place->server().sql("DROP OWNED BY guest; DROP ROLE guest");
}

TEST_F(postgres_open, on_a_server_that_only_reads_is_refused_for_writing) {
    writer();
    const auto db = place->connect_by(place->server().url() + "?options=-cdefault_transaction_read_only%3Don");
    const db_answer answer = db->open(open_mode::write, found);
    EXPECT_EQ(answer.fault(), db_fault::again);
    EXPECT_TRUE(has(answer.why(), "only reads")) << answer.why();
    EXPECT_TRUE(db->open(open_mode::read, found));
}

TEST_F(postgres_open, for_reading_can_change_nothing) {
    writer();
    const auto db = place->connect();
    ASSERT_TRUE(db->open(open_mode::read, found));
    EXPECT_EQ(db->begin().fault(), db_fault::unusable);
    write_outcome outcome = write_outcome::written;
    EXPECT_FALSE(db->write(save("a", 1), outcome));
    EXPECT_FALSE(db->put_position({1, 1, 1, 1}));
    EXPECT_FALSE(db->commit());
}

TEST_F(postgres_open, reads_go_on_after_the_connection_was_lost) {
    auto first = writer();
    ASSERT_TRUE(put(*first, save("a", 3)));
    const auto db = place->connect();
    ASSERT_TRUE(db->open(open_mode::read, found));
    end_sessions();
    row_function to([](const stored_row&) { return true; });
    EXPECT_EQ(db->find("door", "a", to).fault(), db_fault::again);
    EXPECT_EQ(version_of(*db, "a"), 3u);
}

TEST_F(postgres_open, warns_of_settings_that_lose_what_was_acknowledged) {
    auto& server = place->server();
    const auto reload = [&](const char* sql) {
        server.sql(sql);
        const std::string before = server.sql("SELECT pg_conf_load_time()");
        server.sql("SELECT pg_reload_conf()");
        until("the server has read its settings", [&] { return server.sql("SELECT pg_conf_load_time()") != before; });
    };
    reload("ALTER SYSTEM SET full_page_writes = off");
    writer(found);
    EXPECT_TRUE(has(all_warnings(), "fsync is off")) << all_warnings();
    EXPECT_TRUE(has(all_warnings(), "full_page_writes is off")) << all_warnings();
    reload("ALTER SYSTEM RESET full_page_writes");
    reload("ALTER SYSTEM SET fsync = on");
    auto db = writer(found);
    EXPECT_EQ(all_warnings(), "");
    EXPECT_FALSE(has(db->describe(), "off")) << db->describe();
    db->close();
    place->run("ALTER TABLE entities SET UNLOGGED");
    db = place->connect_by(server.url() + "?options=-csynchronous_commit%3Doff");
    ASSERT_TRUE(db->open(open_mode::write, found));
    EXPECT_TRUE(has(all_warnings(), "synchronous_commit is off")) << all_warnings();
    EXPECT_TRUE(has(all_warnings(), "UNLOGGED (entities)")) << all_warnings();
    EXPECT_TRUE(has(db->describe(), "synchronous_commit is off")) << db->describe();
    db->close();
    reload("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    db = place->connect_by(server.url() + "?options=-csynchronous_commit%3Dlocal");
    ASSERT_TRUE(db->open(open_mode::write, found));
    EXPECT_TRUE(has(all_warnings(), "synchronous_commit is local")) << all_warnings();
    reload("ALTER SYSTEM RESET ALL");
}

TEST(postgres_errors, say_whether_the_same_may_work_later) {
    using lido::store_detail::postgres_meaning_of;
    const auto fault = [](const char* state) { return postgres_meaning_of(state).fault; };
    for (const char* state : {"08006", "57P01", "57P03", "57014", "53100", "53200", "53300", "55P03", "40001", "40P01",
                              "25006", "25P02", "25P03", "42501", "58030", "26000"})
        EXPECT_EQ(fault(state), db_fault::again) << state;
    for (const char* state : {"22P02", "22P05", "22021", "22003", "23514", "54000", "54001", "P0001"})
        EXPECT_EQ(fault(state), db_fault::row) << state;
    for (const char* state : {"42P01", "42703", "3F000", "XX001", "XX002", "XX000", "0A000", ""})
        EXPECT_EQ(fault(state), db_fault::unusable) << state;
}

}  // namespace store_postgres_open
