// X26: fields as bytes: little endian, without padding, within bounds, and nothing but what a writer writes is read.
#include "entity/schema/fixtures.hpp"
#include "entity/schema/links.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace schema_bytes_test {

using namespace lido::test::schema;

const lido::class_schema& doors() { return lido::schema_of<door>(); }

std::vector<std::byte> encoded(const door& d, const lido::field_set& which) {
    std::vector<std::byte> room(doors().most_bytes(which));
    lido::byte_writer to(room);
    doors().encode(&d, which, to);
    EXPECT_TRUE(to.ok()) << "most_bytes is enough";
    return {to.written().begin(), to.written().end()};
}

lido::field_set only(std::string_view name) {
    lido::field_set set;
    set.add(doors().find(name)->number);
    return set;
}

std::string hex(std::span<const std::byte> bytes) {
    std::string text;
    for (const std::byte b : bytes) {
        text += "0123456789abcdef"[static_cast<unsigned>(b) >> 4];
        text += "0123456789abcdef"[static_cast<unsigned>(b) & 15];
    }
    return text;
}

TEST(field_bytes, X26_are_little_endian_and_without_padding) {
    const door d = other_door();
    EXPECT_EQ(hex(encoded(d, only("open"))), "01");
    EXPECT_EQ(hex(encoded(d, only("hp"))), "0700");
    EXPECT_EQ(hex(encoded(d, only("angle"))), "00000642");
    EXPECT_EQ(hex(encoded(d, only("keeper"))), "045a6fc3ab");
    EXPECT_EQ(hex(encoded(d, only("leads_to"))), "0300000005000000");
    EXPECT_EQ(hex(encoded(d, only("code"))), "0167120000");
    EXPECT_EQ(hex(encoded(door(), only("code"))), "00");
    EXPECT_EQ(hex(encoded(d, only("chest"))).size(), 2u + 2 * 6);
    EXPECT_EQ(hex(encoded(d, only("seal"))), "030100ff");
    EXPECT_EQ(hex(encoded(d, only("built"))), "00007c1daf931983");
}

TEST(field_bytes, X26_come_in_the_order_of_ids) {
    const door d = other_door();
    std::vector<std::byte> expected;
    for (const auto i : doors().by_id()) {
        lido::field_set one;
        one.add(i);
        for (const std::byte b : encoded(d, one)) expected.push_back(b);
    }
    EXPECT_EQ(encoded(d, doors().all()), expected);
}

TEST(field_bytes, X26_make_the_same_object_again) {
    const auto bytes = encoded(other_door(), doors().all());
    door back;
    lido::byte_reader from(bytes);
    doors().decode(from, doors().all(), &back);
    EXPECT_TRUE(from.done());
    const door d = other_door();
    EXPECT_TRUE(doors().changed(&d, &back).empty());
}

TEST(field_bytes, X26_that_end_too_soon_are_refused_wherever_they_end) {
    const auto bytes = encoded(other_door(), doors().all());
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        door back;
        lido::byte_reader from{std::span(bytes).first(cut)};
        doors().decode(from, doors().all(), &back);
        ASSERT_FALSE(from.ok()) << cut;
    }
}

TEST(field_bytes, X26_are_not_written_past_the_room_there_is) {
    const auto whole = encoded(other_door(), doors().all());
    for (std::size_t room = 0; room < whole.size(); ++room) {
        std::vector<std::byte> memory(room);
        lido::byte_writer to(memory);
        const door d = other_door();
        doors().encode(&d, doors().all(), to);
        ASSERT_FALSE(to.ok()) << room;
        ASSERT_TRUE(to.written().empty());
    }
}

bool takes(std::string_view field, std::vector<unsigned> bytes) {
    std::vector<std::byte> made;
    for (const unsigned b : bytes) made.push_back(static_cast<std::byte>(b));
    door back;
    lido::byte_reader from(made);
    doors().decode(from, only(field), &back);
    return from.done();
}

TEST(field_bytes, X26_that_no_writer_writes_are_refused) {
    EXPECT_TRUE(takes("open", {1}));
    EXPECT_FALSE(takes("open", {2}));
    EXPECT_FALSE(takes("code", {2, 0, 0, 0, 0}));
    EXPECT_FALSE(
        takes("keeper", {17, 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a'}));
    EXPECT_FALSE(takes("keeper", {1, 0xff}));
    EXPECT_FALSE(takes("keeper", {1, 0}));
    EXPECT_TRUE(takes("keeper", {1, 'z'}));
    EXPECT_FALSE(takes("chest", {5}));
    EXPECT_FALSE(takes("chest", {255, 1, 1, 1}));
    EXPECT_FALSE(takes("seal", {9, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(field_bytes, X26_have_names_for_links_where_there_are_some) {
    link_table table;
    table.entries = {{"hall", 7},
                     {"k\xc3\xbc"
                      "che",
                      9}};
    door d;
    d.leads_to = lido::link<room>::from_bits(2);
    std::byte memory[100];
    lido::byte_writer to(memory, &table);
    doors().encode(&d, only("leads_to"), to);
    EXPECT_EQ(hex(to.written()), "066bc3bc6368650900000000000000");
    table.entries.insert(table.entries.begin(), {"cellar", 1});  // another stage: other bits
    door back;
    lido::byte_reader from(to.written(), &table);
    doors().decode(from, only("leads_to"), &back);
    EXPECT_TRUE(from.done());
    EXPECT_EQ(back.leads_to.to_bits(), 3u);
    table.entries.pop_back();
    lido::byte_reader nobody(to.written(), &table);
    doors().decode(nobody, only("leads_to"), &back);
    EXPECT_FALSE(nobody.ok()) << "a name that the stage does not take";
    lido::byte_writer null(memory, &table);
    back.leads_to = {};
    doors().encode(&back, only("leads_to"), null);
    EXPECT_EQ(hex(null.written()), "00");
}

TEST(field_bytes, X26_write_links_that_nobody_knows_as_null) {
    link_table table;
    door d;
    d.leads_to = lido::link<room>::from_bits(99);
    std::byte memory[100];
    lido::byte_writer to(memory, &table);
    doors().encode(&d, only("leads_to"), to);
    EXPECT_EQ(hex(to.written()), "00");
}

}  // namespace schema_bytes_test
