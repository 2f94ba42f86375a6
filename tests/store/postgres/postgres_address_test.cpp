// S5.9: addresses of servers. A password in one is shown to nobody.
#include <gtest/gtest.h>
#include <lido/store/postgres_database.hpp>

#include <memory>
#include <string>

#include "postgres/postgres_address.hpp"
#include "store/postgres/postgres_case.hpp"

namespace store_postgres_address {

using namespace lido::store;
using lido::store_detail::postgres_address;
using lido::store_detail::read_address;

postgres_address read(const std::string& text) {
    postgres_address address;
    const db_answer answer = read_address(text, address);
    EXPECT_TRUE(answer) << answer.why();
    return address;
}
std::string refusal(const std::string& text) {
    postgres_address address;
    const db_answer answer = read_address(text, address);
    EXPECT_EQ(answer.fault(), db_fault::unusable) << text;
    return answer.why();
}

TEST(postgres_address, is_shown_without_user_and_password) {
    EXPECT_EQ(read("postgresql://ann:pw@db.example:5433/game").shown, "db.example:5433/game");
    EXPECT_EQ(read("postgresql://ann:pw@db.example/game?password=pw&sslmode=disable").shown, "db.example/game");
    EXPECT_EQ(read("host=/run/postgresql dbname=game password=pw").shown, "/run/postgresql/game");
    EXPECT_EQ(read("postgresql:///game").shown, "PostgreSQL/game");
}

TEST(postgres_address, with_several_hosts_gives_each_its_own_port) {
    const postgres_address two = read("postgresql://a:1,b:2/game");
    ASSERT_EQ(two.hosts.size(), 2u);
    EXPECT_EQ(two.shown, "a:1,b:2/game");
    EXPECT_NE(std::find(two.hosts[1].begin(), two.hosts[1].end(), std::pair<std::string, std::string>("port", "2")),
              two.hosts[1].end());
    EXPECT_EQ(read("host=a,b port=7").hosts[1].back().second, "7");
    EXPECT_NE(refusal("host=a,b port=1,2,3").find("more hosts"), std::string::npos);
}

TEST(postgres_address, whose_password_was_not_escaped_is_refused_without_a_piece_of_it) {
    // Each is split in the password, which would make the rest of it a host, a port or a database.
    for (const char* url :
         {"postgresql://u:sec@ret@host/db", "postgresql://u:sec/ret@host/db", "postgres://u:sec?ret@host/db",
          "postgresql://u@host/db?password=sec@ret", "postgresql://u:sec%ret@host/db", "host=h password=sec ret",
          "password='sec ret", "postgresql://u:p@[::1/secret"}) {
        const std::string why = refusal(url);
        EXPECT_EQ(why.find("sec"), std::string::npos) << why;
        EXPECT_EQ(why.find("ret"), std::string::npos) << why;
    }
    EXPECT_EQ(*read("postgresql://u:sec%40%2F%3Fret@host/db").find("password"), "sec@/?ret");
}

TEST(postgres_address, that_is_none_is_told_by_open_and_nothing_is_connected) {
    const auto db = make_postgres_database("postgresql://h:port/x y?nonsense=1");
    opened_database found;
    const db_answer opened = db->open(open_mode::write, found);
    EXPECT_EQ(opened.fault(), db_fault::unusable);
    EXPECT_NE(opened.why().find("postgresql://user@host"), std::string::npos) << opened.why();
    EXPECT_EQ(db->begin().fault(), db_fault::unusable);
}

TEST(postgres_address, of_a_host_that_is_not_there_says_so_and_may_be_tried_again) {
    const auto db = make_postgres_database("postgresql://u:secret@127.0.0.1:1/game");
    opened_database found;
    const db_answer opened = db->open(open_mode::write, found);
    EXPECT_EQ(opened.fault(), db_fault::again);
    EXPECT_NE(opened.why().find("127.0.0.1:1/game"), std::string::npos) << opened.why();
    EXPECT_EQ(opened.why().find("secret"), std::string::npos) << opened.why();
}

TEST(postgres_address, with_a_schema_that_cannot_be_one_is_refused) {
    for (const std::string& schema :
         {std::string(), std::string("pg_mine"), std::string(64, 's'), std::string("a\0b", 3)}) {
        const auto db = make_postgres_database("postgresql://u@127.0.0.1:1/game", {.schema = schema});
        opened_database found;
        const db_answer opened = db->open(open_mode::write, found);
        EXPECT_EQ(opened.fault(), db_fault::unusable);
        EXPECT_NE(opened.why().find("schema"), std::string::npos) << opened.why();
    }
}

class postgres_password : public store_tests::postgres_case {};

TEST_F(postgres_password, is_in_no_description_and_no_message) {
    const std::string secret = store_tests::postgres_server::password;
    auto db = writer();
    EXPECT_FALSE(has(db->describe(), secret)) << db->describe();
    EXPECT_TRUE(has(db->describe(), "PostgreSQL ")) << db->describe();
    EXPECT_TRUE(has(db->describe(), "/game, schema " + place->schema())) << db->describe();
    EXPECT_FALSE(has(db->backup("copy", {}).why(), secret));
    const auto second = place->connect();
    opened_database found;
    const db_answer refused = second->open(open_mode::write, found);
    EXPECT_FALSE(has(refused.why(), secret)) << refused.why();
    end_sessions();
    write_outcome outcome = write_outcome::written;
    EXPECT_FALSE(has(db->write(save("a", 1), outcome).why(), secret));
}

TEST_F(postgres_password, that_is_wrong_or_missing_is_told_without_it) {
    const std::string at = "127.0.0.1:" + std::to_string(place->server().port());
    opened_database found;
    const db_answer wrong =
        make_postgres_database("postgresql://lido:wr0ng@" + at + "/game")->open(open_mode::read, found);
    EXPECT_EQ(wrong.fault(), db_fault::again);
    EXPECT_TRUE(has(wrong.why(), "password")) << wrong.why();
    EXPECT_FALSE(has(wrong.why(), "wr0ng")) << wrong.why();
    const db_answer none =
        make_postgres_database("postgresql://lido@" + at + "/game?passfile=/nowhere")->open(open_mode::read, found);
    EXPECT_EQ(none.fault(), db_fault::again);
    EXPECT_TRUE(has(none.why(), "wants a password")) << none.why();
}

TEST_F(postgres_password, S5_9_the_next_host_of_the_address_is_tried_when_one_is_not_there) {
    const std::string port = std::to_string(place->server().port());
    const auto db = make_postgres_database("postgresql://lido:" + std::string(store_tests::postgres_server::password) +
                                               "@127.0.0.1:1,127.0.0.1:" + port + "/game",
                                           {.schema = place->schema()});
    opened_database found;
    const db_answer opened = db->open(open_mode::write, found);
    EXPECT_TRUE(opened) << opened.why();
}

}  // namespace store_postgres_address
