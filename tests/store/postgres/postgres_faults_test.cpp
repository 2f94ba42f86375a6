// S5.9: a server that ends, hangs, loses its connections or takes its time, in the middle of what a store does.
#include <gtest/gtest.h>
#include <libpq-fe.h>
#include <lido/store/database.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include "store/postgres/postgres_case.hpp"
#include "store/postgres/relay.hpp"

namespace store_postgres_faults {

using namespace lido::store;

class postgres_faults : public store_tests::postgres_case {
protected:
    /// In the middle of a transaction something happens: it is void, the store goes on, and the next one is there.
    void survives(const std::function<void()>& what) {
        auto db = writer();
        write_outcome outcome = write_outcome::taken;
        ASSERT_TRUE(db->begin());
        ASSERT_TRUE(db->write(save("a", 1), outcome));
        ASSERT_TRUE(db->put_position({epoch, 1, 1, 1}));
        ASSERT_TRUE(db->commit());
        ASSERT_TRUE(db->begin());
        ASSERT_TRUE(db->write(save("a", 2), outcome));
        what();
        const db_answer broken = db->write(save("b", 1), outcome);
        EXPECT_EQ(broken.fault(), db_fault::again) << broken.why();
        const db_answer still = db->write(save("b", 1), outcome);
        EXPECT_EQ(still.fault(), db_fault::again) << "part of a transaction that is void was written";
        EXPECT_EQ(db->commit().fault(), db_fault::again);
        db->rollback();
        until("the server is there again", [&] { return bool(db->begin()); });
        db->rollback();
        EXPECT_EQ(version_of(*db, "a"), 1u);
        EXPECT_EQ(data_of(*db, "b"), "no row");
        EXPECT_TRUE(put(*db, save("a", 2)));
        EXPECT_EQ(version_of(*db, "a"), 2u);
    }
    /// Calls interrupt() until the answer is there: whoever interrupts cannot know when the call has begun.
    db_answer interrupted(database& db, const std::function<db_answer()>& call) {
        std::atomic<bool> over{false};
        std::thread other([&] {
            while (!over.load()) {
                db.interrupt();
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
        });
        db_answer answer = call();
        over.store(true);
        other.join();
        return answer;
    }
};

TEST_F(postgres_faults, a_session_that_is_ended_voids_its_transaction_and_the_next_one_is_made_over_another) {
    survives([&] { end_sessions(); });
}

TEST_F(postgres_faults, a_child_of_the_server_that_is_killed_voids_what_was_not_committed) {
    survives([&] { place->server().kill_a_child(); });
}

TEST_F(postgres_faults, a_server_that_ends_at_once_and_is_started_again_has_what_it_acknowledged) {
    survives([&] {
        place->server().stop_immediately();
        place->server().start();
    });
}

TEST_F(postgres_faults, while_there_is_no_server_each_transaction_is_refused_and_may_be_tried_again) {
    auto db = writer();
    place->server().stop_immediately();
    for (int i = 0; i < 3; ++i) {
        const db_answer answer = db->begin();
        EXPECT_EQ(answer.fault(), db_fault::again);
        EXPECT_TRUE(has(answer.why(), "look whether it runs")) << answer.why();
    }
    place->server().start();
    EXPECT_TRUE(put(*db, save("a", 1)));
}

TEST_F(postgres_faults, a_session_that_ended_while_nothing_was_done_is_not_noticed_by_the_next_transaction) {
    auto db = writer();
    for (std::uint64_t i = 1; i < 4; ++i) {
        end_sessions();
        EXPECT_TRUE(put(*db, save("a", i)));
    }
}

TEST_F(postgres_faults, a_commit_whose_answer_is_lost_may_have_happened_and_is_asked_for_again) {
    store_tests::relay way(place->server().port());
    std::string url = place->server().url();
    const std::string port = std::to_string(place->server().port());
    url.replace(url.find(port), port.size(), std::to_string(way.port()));
    auto db = place->connect_by(url);
    opened_database found;
    ASSERT_TRUE(db->open(open_mode::write, found));
    epoch = found.epoch;
    write_outcome outcome = write_outcome::taken;
    for (std::uint64_t i = 1; i <= 3; ++i) {
        ASSERT_TRUE(db->begin());
        ASSERT_TRUE(db->write(save("a", i), outcome));
        ASSERT_TRUE(db->put_position({epoch, i, i, i}));
        way.lose_next_answer();
        const db_answer unknown = db->commit();
        EXPECT_EQ(unknown.fault(), db_fault::again) << unknown.why();
        EXPECT_EQ(place->run("SELECT version FROM entities"), std::to_string(i));
        EXPECT_TRUE(put(*db, save("a", i)));
    }
}

TEST_F(postgres_faults, a_server_that_hangs_is_given_up_and_used_again_when_it_goes_on) {
    place->options().call_timeout = 150;
    place->options().connect_timeout = 150;
    auto db = hurried_writer();
    until_in_transaction(*db, save("a", 2));
    place->server().freeze();
    const db_answer unknown = db->commit();
    const db_answer refused = db->begin();
    place->server().thaw();
    EXPECT_EQ(unknown.fault(), db_fault::again);
    EXPECT_TRUE(has(unknown.why(), "unknown")) << unknown.why();
    EXPECT_EQ(refused.fault(), db_fault::again);
    EXPECT_TRUE(has(refused.why(), "did not answer within 150 ms")) << refused.why();
    until("the server is used again", [&] { return bool(put(*db, save("a", 2))); });
    EXPECT_EQ(version_of(*db, "a"), 2u);
}

TEST_F(postgres_faults, a_host_that_takes_connections_and_says_nothing_does_not_hide_the_next_one) {
    place->options().connect_timeout = 150;
    store_tests::relay mute(place->server().port());
    mute.be_mute();
    std::string url = place->server().url();
    const std::string at = "127.0.0.1:" + std::to_string(place->server().port());
    url.replace(url.find(at), at.size(), "127.0.0.1:" + std::to_string(mute.port()) + "," + at);
    auto db = place->connect_by(url);
    opened_database found;
    until("the second host lets it in", [&] { return bool(db->open(open_mode::write, found)); });
}

TEST_F(postgres_faults, a_large_save_to_a_server_that_hangs_is_given_up) {
    place->options().call_timeout = 150;
    auto db = hurried_writer();
    const std::string data = R"({"t":")" + std::string(std::size_t{16} << 20, 'x') + "\"}";
    until_in_transaction(*db, save("small", 1));
    place->server().freeze();
    write_outcome outcome = write_outcome::taken;
    const db_answer answer = db->write(save("big", 1, data), outcome);
    place->server().thaw();
    EXPECT_EQ(answer.fault(), db_fault::again);
    EXPECT_TRUE(has(answer.why(), "does not take")) << answer.why();
    db->rollback();
    until("the server is used again", [&] { return bool(db->begin()); });
}

TEST_F(postgres_faults, a_statement_that_takes_too_long_is_ended_by_the_server_over_the_same_connection) {
    place->options().call_timeout = 200;
    auto db = hurried_writer();
    place->run(
        "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(600); RETURN new; END "
        "$$; "
        "CREATE TRIGGER slow BEFORE INSERT ON entities FOR EACH ROW EXECUTE FUNCTION slow()");
    until("the server ends it, and not the client that waits", [&] {
        const db_answer answer = put(*db, save("a", 1));
        EXPECT_EQ(answer.fault(), db_fault::again);
        return has(answer.why(), "call_timeout");
    });
    place->run("DROP TRIGGER slow ON entities");
    until("it is written", [&] { return bool(put(*db, save("a", 1))); });
}

TEST_F(postgres_faults, what_waits_can_be_interrupted_and_the_connection_stays) {
    place->options().wait_for_locks = 0;  // for ever
    place->options().call_timeout = 0;
    place->options().interrupt_timeout = 60000;
    auto db = writer();
    const std::string ours =
        "SELECT string_agg(pid::text, ',') FROM pg_stat_activity WHERE application_name LIKE 'lido%'";
    const std::string session = place->run(ours);
    PGconn* const person = PQconnectdb(place->server().url().c_str());
    PQclear(PQexec(person, ("BEGIN; LOCK TABLE \"" + place->schema() + "\".entities").c_str()));
    ASSERT_TRUE(db->begin());
    const db_answer answer = interrupted(*db, [&] {
        write_outcome outcome = write_outcome::taken;
        return db->write(save("a", 1), outcome);
    });
    EXPECT_EQ(answer.fault(), db_fault::again);
    EXPECT_TRUE(has(answer.why(), "interrupted")) << answer.why();
    PQfinish(person);
    db->rollback();
    // One that came too late, or too early, interrupts nothing.
    db->interrupt();
    EXPECT_TRUE(put(*db, save("a", 1)));
    EXPECT_EQ(place->run(ours), session);
}

TEST_F(postgres_faults, what_waits_for_a_server_that_hangs_can_be_interrupted) {
    place->options().call_timeout = 0;
    place->options().interrupt_timeout = 100;
    auto db = writer();
    ASSERT_TRUE(db->begin());
    place->server().freeze();
    const db_answer answer = interrupted(*db, [&] {
        write_outcome outcome = write_outcome::taken;
        return db->write(save("a", 1), outcome);
    });
    place->server().thaw();
    EXPECT_EQ(answer.fault(), db_fault::again);
    EXPECT_TRUE(has(answer.why(), "interrupted")) << answer.why();
    db->rollback();
    until("the server is used again", [&] { return bool(db->begin()); });
}

TEST_F(postgres_faults, a_commit_that_stops_waiting_for_its_standby_is_not_acknowledged) {
    auto& server = place->server();
    place->options().interrupt_timeout = 60000;
    auto db = writer();
    write_outcome outcome = write_outcome::taken;
    ASSERT_TRUE(db->begin());
    ASSERT_TRUE(db->write(save("a", 1), outcome));
    ASSERT_TRUE(db->put_position({epoch, 1, 1, 1}));
    server.sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    server.sql("SELECT pg_reload_conf()");
    until("the session waits for standbys", [&] { return server.sql("SHOW synchronous_standby_names") == "nobody"; });
    const db_answer answer = interrupted(*db, [&] { return db->commit(); });
    server.sql("ALTER SYSTEM RESET ALL");
    server.sql("SELECT pg_reload_conf()");
    until("no session waits for standbys", [&] { return server.sql("SHOW synchronous_standby_names").empty(); });
    EXPECT_EQ(answer.fault(), db_fault::again);
    EXPECT_TRUE(has(answer.why(), "not safe yet")) << answer.why();
    end_sessions();
    // It is there all the same: the server that is connected to again has what was unknown, and not less.
    EXPECT_TRUE(put(*db, save("a", 1)));
}

TEST_F(postgres_faults, a_server_that_does_not_have_what_it_acknowledged_is_not_written_to) {
    auto db = writer();
    write_outcome outcome = write_outcome::taken;
    for (std::uint64_t i = 1; i < 3; ++i) {
        ASSERT_TRUE(db->begin());
        ASSERT_TRUE(db->write(save("a", i), outcome));
        ASSERT_TRUE(db->put_position({epoch, i, i * 10, i}));
        ASSERT_TRUE(db->commit());
    }
    // As after a standby that was behind has taken over.
    place->run("UPDATE game SET tick = 1, commit = 10; UPDATE entities SET version = 1");
    end_sessions();
    const db_answer answer = db->begin();
    EXPECT_EQ(answer.fault(), db_fault::unusable);
    EXPECT_TRUE(has(answer.why(), "commit 10 of run 1, and 20 of run 1 was acknowledged")) << answer.why();
}

TEST_F(postgres_faults, statements_that_the_server_has_forgotten_are_told_to_it_again) {
    auto db = writer();
    ASSERT_TRUE(put(*db, save("a", 1)));
    // What a pooler does between two transactions of a session.
    place->run(
        "CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'DEALLOCATE ALL'; RETURN new; "
        "END "
        "$$; CREATE TRIGGER forget AFTER UPDATE ON game FOR EACH ROW EXECUTE FUNCTION forget()");
    ASSERT_TRUE(db->begin());
    ASSERT_TRUE(db->put_position({epoch, 1, 1, 1}));
    ASSERT_TRUE(db->commit());
    const db_answer answer = put(*db, save("a", 2));
    EXPECT_EQ(answer.fault(), db_fault::again);
    EXPECT_TRUE(has(answer.why(), "pooler")) << answer.why();
    EXPECT_TRUE(put(*db, save("a", 2)));
}

TEST_F(postgres_faults, S5_9_nothing_acknowledged_is_lost_and_no_half_of_a_transaction_is_seen_whatever_ends) {
    auto& server = place->server();
    auto db = writer();
    std::mt19937 random(11);
    std::uint64_t version = 0;
    std::uint64_t acknowledged = 0;
    int failures = 0;
    const auto save_both = [&] {
        write_outcome first = write_outcome::taken;
        write_outcome second = write_outcome::taken;
        ++version;
        if (db->begin() && db->write(save("ann", version), first) && db->write(save("bob", version), second) &&
            db->put_position({epoch, version, version, version}) && db->commit()) {
            EXPECT_EQ(first, write_outcome::written);
            EXPECT_EQ(second, write_outcome::written);
            acknowledged = version;
            return true;
        }
        ++failures;
        db->rollback();
        return false;
    };
    for (int round = 0; round < 9; ++round) {
        std::atomic<bool> over{false};
        const auto yields = static_cast<unsigned>(random() % 2000);
        std::thread fault([&, round] {
            for (unsigned i = 0; i < yields; ++i) std::this_thread::yield();
            if (round % 3 == 0) end_sessions();
            if (round % 3 == 1) server.kill_a_child();
            if (round % 3 == 2) server.stop_immediately();
            over.store(true);
        });
        while (!over.load()) save_both();
        fault.join();
        if (round % 3 == 2) {
            save_both();
            server.start();
        }
        until("the server is there again", [&] { return bool(db->begin()); });
        db->rollback();
        const std::uint64_t ann = version_of(*db, "ann");
        EXPECT_EQ(ann, version_of(*db, "bob"));
        EXPECT_GE(ann, acknowledged);
        EXPECT_LE(ann, version);
        stored_position where;
        ASSERT_TRUE(db->position(where));
        EXPECT_EQ(where.commit, ann);
        EXPECT_TRUE(save_both());
    }
    EXPECT_GT(failures, 0) << "nothing was ever in the way";
}

}  // namespace store_postgres_faults
