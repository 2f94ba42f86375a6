// S5.9: what jsonb does to data, and what of it a store gets back.
#include <gtest/gtest.h>
#include <lido/store/database.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "store/postgres/postgres_case.hpp"
#include "support/dose.hpp"

namespace store_postgres_data {

using namespace lido::store;

class postgres_data : public store_tests::postgres_case {
protected:
    void SetUp() override {
        postgres_case::SetUp();
        if (place != nullptr) db = writer();
    }
    std::string kept(std::string_view data) {
        const db_answer answer = put(*db, save("a", ++version, data));
        EXPECT_TRUE(answer) << answer.why();
        return data_of(*db, "a");
    }
    std::string refused(std::string_view data) {
        const db_answer answer = put(*db, save("a", ++version, data));
        EXPECT_EQ(answer.fault(), db_fault::row) << data.substr(0, 80) << ": " << answer.why();
        // The next one is not the worse for it.
        EXPECT_TRUE(put(*db, save("b", version)));
        return answer.why();
    }
    std::unique_ptr<database> db;
    std::uint64_t version = 0;
};

/// The numbers of a JSON text, in order.
std::vector<std::string> numbers_in(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t at = text.find('['); at < text.size();) {
        at = text.find_first_of("-0123456789", at);
        if (at == std::string::npos) break;
        const std::size_t end = text.find_first_of(",] ", at);
        all.push_back(text.substr(at, end - at));
        at = end;
    }
    return all;
}

TEST_F(postgres_data, every_double_comes_back_as_the_same_bits) {
    std::mt19937_64 random(7);
    std::vector<double> sent{0.0,
                             -0.0,
                             5e-324,
                             -5e-324,
                             std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::lowest(),
                             std::numeric_limits<double>::min(),
                             0.1,
                             1.0 / 3.0,
                             1e22,
                             1e23,
                             9007199254740993.0};
    for (int i = 0; i < lido::test::dose(2000); ++i) {
        const std::uint64_t bits = random();
        double d = 0;
        std::memcpy(&d, &bits, sizeof(d));
        if (std::isfinite(d)) sent.push_back(d);
    }
    std::string data = R"({"all":[)";
    for (const double d : sent) {
        char digits[40];
        if (data.back() != '[') data += ',';
        data.append(digits, std::to_chars(digits, digits + sizeof(digits), d).ptr);
    }
    // Once as it is, with a -0 in it, and once without, as jsonb alone keeps it.
    for (const std::string& text :
         {data + "]}", std::string(R"({"all":[)") + data.substr(data.find("5e-324")) + "]}"}) {
        const std::size_t skipped = text.size() == data.size() + 2 ? 0 : 2;
        const std::vector<std::string> back = numbers_in(kept(text));
        ASSERT_EQ(back.size(), sent.size() - skipped);
        for (std::size_t i = 0; i < back.size(); ++i) {
            double d = 1;
            std::from_chars(back[i].data(), back[i].data() + back[i].size(), d);
            EXPECT_EQ(std::memcmp(&d, &sent[i + skipped], sizeof(d)), 0) << back[i] << " was " << sent[i + skipped];
        }
    }
}

TEST_F(postgres_data, whole_numbers_of_64_bits_come_back_with_all_their_digits) {
    const std::string back = kept(R"({"all":[-9223372036854775808,9223372036854775807,18446744073709551615,-1,0]})");
    EXPECT_EQ(numbers_in(back), (std::vector<std::string>{"-9223372036854775808", "9223372036854775807",
                                                          "18446744073709551615", "-1", "0"}));
}

TEST_F(postgres_data, a_negative_zero_survives_and_what_a_person_writes_over_it_counts) {
    EXPECT_EQ(kept(R"({"angle":-0,"hp":3})"), R"({"angle":-0,"hp":3})");
    EXPECT_EQ(place->run("SELECT data->>'hp' FROM entities WHERE key = 'a'"), "3");
    place->run(R"(UPDATE entities SET data = jsonb_set(data, '{hp}', '4') WHERE key = 'a')");
    EXPECT_EQ(data_of(*db, "a"), R"({"hp": 4, "angle": 0})");
    EXPECT_EQ(kept(R"({"angle":1})"), R"({"angle": 1})");
    EXPECT_EQ(place->run("SELECT exact IS NULL FROM entities WHERE key = 'a'"), "t");
}

TEST_F(postgres_data, texts_come_back_character_by_character) {
    EXPECT_EQ(kept(R"({"t":"\u00e9 \" \\ \n \t \u0001 \ud83d\udeaa 漢 '; DROP TABLE entities; --"})"),
              "{\"t\": \"é \\\" \\\\ \\n \\t \\u0001 🚪 漢 '; DROP TABLE entities; --\"}");
}

TEST_F(postgres_data, what_cannot_be_kept_is_refused_for_this_row_in_words) {
    EXPECT_TRUE(has(refused(R"({"t":"a\u0000b"})"), "NUL"));
    EXPECT_TRUE(has(refused(R"({"hp":1,"hp":2})"), "twice"));
    EXPECT_TRUE(has(refused(R"({"t":"\ud800"})"), "no JSON"));
    EXPECT_TRUE(has(refused(R"({"hp":1)"), "no JSON"));
    EXPECT_TRUE(has(refused(R"({"hp":NaN})"), "no JSON"));
    EXPECT_TRUE(has(refused(R"({"hp":1e400000})"), "no JSON"));
    EXPECT_TRUE(has(refused(R"([1])"), "no JSON object"));
    EXPECT_TRUE(has(refused("null"), "no JSON object"));
    EXPECT_TRUE(has(refused(R"({"a":)" + std::string(1u << 20, '[')), "nested deeper"));
    place->run("ALTER TABLE entities ADD CONSTRAINT house_rule CHECK (data->>'hp' <> '13')");
    EXPECT_TRUE(has(refused(R"({"hp":13})"), "house_rule"));
}

TEST_F(postgres_data, keys_and_ranges_that_are_no_text_find_nothing_and_break_no_transaction) {
    ASSERT_TRUE(put(*db, save("a", 1)));
    ASSERT_TRUE(db->begin());
    for (const std::string& key : {std::string("\xff"), std::string("a\0", 2), std::string("\xc3"), std::string()}) {
        int told = 0;
        row_function to([&](const stored_row&) { return ++told != 0; });
        EXPECT_TRUE(db->find("door", key, to));
        EXPECT_EQ(told, 0);
        if (key.empty()) continue;
        EXPECT_FALSE(db->scan({.prefix = key}, to));
        std::uint64_t rows = 0;
        EXPECT_FALSE(db->count({.after_class = "door", .after_key = key}, rows));
        EXPECT_FALSE(db->put_class({"door", 1, key, 0}));
    }
    write_outcome outcome = write_outcome::taken;
    EXPECT_TRUE(db->write(save("a", 2), outcome));
    EXPECT_TRUE(db->commit());
    EXPECT_EQ(version_of(*db, "a"), 2u);
}

TEST_F(postgres_data, a_prefix_finds_keys_that_go_on_with_the_largest_character) {
    const std::string largest = "\xf4\x8f\xbf\xbf";
    std::string longest = "a";
    while (longest.size() + 4 <= 255) longest += largest;
    for (const std::string& key : {std::string("a"), "a" + largest, longest, std::string("b"), std::string("`")})
        ASSERT_TRUE(put(*db, save(key, 1)));
    std::uint64_t rows = 0;
    ASSERT_TRUE(db->count({.prefix = "a"}, rows));
    EXPECT_EQ(rows, 3u);
}

TEST_F(postgres_data, many_rows_are_read_in_one_scan_and_are_those_of_one_moment) {
    ASSERT_TRUE(db->begin());
    write_outcome outcome = write_outcome::taken;
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(db->write(save("k" + std::to_string(i), 1), outcome));
    ASSERT_TRUE(db->commit());
    int told = 0;
    row_function to([&](const stored_row& r) {
        // While it is read somebody else removes what comes later.
        if (++told == 1) place->run("DELETE FROM entities WHERE key > '" + std::string(r.key) + "'");
        return true;
    });
    ASSERT_TRUE(db->scan({.limit = ~std::uint64_t{0}}, to));
    EXPECT_EQ(told, 1000);
}

TEST_F(postgres_data, a_scan_in_a_transaction_sees_what_the_transaction_has_written) {
    ASSERT_TRUE(db->begin());
    write_outcome outcome = write_outcome::taken;
    ASSERT_TRUE(db->write(save("a", 1), outcome));
    for (int i = 0; i < 2; ++i) {
        int told = 0;
        row_function to([&](const stored_row&) { return ++told < 1; });
        ASSERT_TRUE(db->scan({}, to));
        EXPECT_EQ(told, 1);
    }
    std::uint64_t rows = 0;
    ASSERT_TRUE(db->count({}, rows));
    EXPECT_EQ(rows, 1u);
    ASSERT_TRUE(db->commit());
}

TEST_F(postgres_data, check_tells_of_rows_that_somebody_has_spoilt) {
    ASSERT_TRUE(put(*db, save("good", 1)));
    ASSERT_TRUE(put(*db, save("bad", 1)));
    place->run(
        "ALTER TABLE entities DROP CONSTRAINT data_is_an_object; UPDATE entities SET data = '[]' WHERE key = 'bad'");
    std::vector<std::string> said;
    ASSERT_TRUE(db->check([&](std::string_view what) { said.emplace_back(what); }));
    EXPECT_EQ(said, (std::vector<std::string>{"door bad: its data is no JSON object"}));
}

TEST_F(postgres_data, a_backup_is_refused_with_what_makes_one) {
    const db_answer answer = db->backup("world.dump", {});
    EXPECT_EQ(answer.fault(), db_fault::row);
    EXPECT_TRUE(has(answer.why(), "pg_dump --format=custom --schema=" + place->schema() + " --file=world.dump"))
        << answer.why();
}

}  // namespace store_postgres_data
