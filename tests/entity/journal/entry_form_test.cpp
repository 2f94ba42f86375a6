// Promise: an entry has one form in bytes, the same everywhere; what is read from a stranger's bytes is an entry, or is refused in words.
#include "entity/journal/journal_model.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace journal_entry_form_test {

using namespace lido;
using namespace lido::test;

using form = std::vector<std::byte>;

[[nodiscard]] form form_of(const journal_entry& e) {
    form bytes(entry_form_bytes(e.shape()));
    EXPECT_EQ(write_entry(e, bytes), bytes.size());
    return bytes;
}

/// An update of field 1 of 10, with every number set.
struct sample {
    std::array<std::byte, 2> set{std::byte{2}, std::byte{0}};
    std::array<std::byte, 1> before{std::byte{0xaa}};
    std::array<std::byte, 2> after{std::byte{0xbb}, std::byte{0xcc}};
    journal_entry entry;

    sample() {
        entry.what.kind = change_kind::updated;
        entry.what.detail = 5;
        entry.what.of_class = 0x1112131415161718u;
        entry.what.entity = {0x61626364};
        entry.what.generation = {0x2122232425262728u};
        entry.what.version = {0x3132333435363738u};
        entry.what.tick = {0x4142434445464748u};
        entry.what.commit = {0x5152535455565758u};
        entry.number = {0x7172737475767778u};
        entry.first = true;
        entry.changed = {set.data(), 10};
        entry.before = before;
        entry.after = after;
    }
};

[[nodiscard]] std::string hex(const form& bytes) {
    std::string s;
    for (const std::byte b : bytes) {
        constexpr const char* digits = "0123456789abcdef";
        s += digits[std::to_integer<unsigned>(b) >> 4];
        s += digits[std::to_integer<unsigned>(b) & 15];
    }
    return s;
}

TEST(entry_form, is_the_same_bytes_for_all_time) {
    EXPECT_EQ(hex(form_of(sample().entry)),
              "01020105"
              "4d000000"
              "7877767574737271"
              "4847464544434241"
              "5857565554535251"
              "1817161514131211"
              "2827262524232221"
              "3837363534333231"
              "64636261"
              "0a00"
              "00"
              "00"
              "01000000"
              "02000000"
              "0200"
              "aa"
              "bbcc");
}

TEST(entry_form, of_a_creation_is_what_the_guide_shows) {
    journal j;
    journal_cursor c = j.open({.what = reads::everything});
    ASSERT_TRUE(j.begin_tick({120}));
    stamp s;
    s.kind = change_kind::created;
    s.of_class = class_id_of("door");
    s.entity = {4};
    s.generation = {9};
    s.version = {1};
    ASSERT_TRUE(j.append(s, {}, std::as_bytes(std::span("\x01\x64", 2)), "gate-1"));
    EXPECT_EQ(hex(form_of(*c.peek())),
              "01010300"
              "50000000"
              "0000000000000000"
              "7800000000000000"
              "0100000000000000" +
                  hex([] {
                      form id(8);
                      for (std::size_t i = 0; i < 8; ++i)
                          id[i] = static_cast<std::byte>(class_id_of("door") >> (8 * i));
                      return id;
                  }()) +
                  "0900000000000000"
                  "0100000000000000"
                  "04000000"
                  "0000"
                  "06"
                  "00"
                  "00000000"
                  "02000000"
                  "0164"
                  "676174652d31");
}

TEST(entry_form, gives_every_entry_back) {
    entry_maker make(11);
    journal j({.bytes = 1 << 16, .rollback = 1});
    journal_cursor c = j.open({.what = reads::everything});
    for (int i = 0; i < 200; ++i) {
        plain_entry e = make.any();
        e.id = e.id.empty() ? "" : std::string(e.id.size(), 'i');
        if (e.fields != 0 && e.changed.empty()) e.changed.push_back(e.fields - 1u);
        ASSERT_TRUE(write(j, {e}));
    }
    form all;
    std::vector<plain_entry> written;
    ASSERT_TRUE(c.read([&](const journal_entry& e) {
        const form one = form_of(e);
        all.insert(all.end(), one.begin(), one.end());
        written.push_back(copy_of(e));
        written.back().what.local_class = 0;
    }));
    std::span<const std::byte> rest = all;
    for (const plain_entry& expected : written) {
        journal_entry e;
        const entry_form_result r = read_entry(rest, e);
        ASSERT_TRUE(r) << r.why();
        ASSERT_EQ(copy_of(e), expected);
        rest = rest.subspan(r.bytes);
    }
    EXPECT_TRUE(rest.empty());
}

TEST(entry_form, gives_notices_back) {
    for (const change_kind kind : {change_kind::cut, change_kind::confirmed, change_kind::reset}) {
        journal_entry e;
        e.what.kind = kind;
        e.what.tick = {7};
        e.number = {3};
        e.first = e.last = true;
        if (kind == change_kind::reset) e.what.detail = static_cast<std::uint8_t>(reset_cause::restored);
        const form bytes = form_of(e);
        journal_entry read;
        ASSERT_TRUE(read_entry(bytes, read));
        EXPECT_EQ(copy_of(read), copy_of(e));
    }
}

TEST(entry_form, that_is_cut_short_says_that_it_is_not_complete) {
    const form bytes = form_of(sample().entry);
    for (std::size_t n = 0; n < bytes.size(); ++n) {
        journal_entry e;
        const entry_form_result r = read_entry(std::span(bytes).first(n), e);
        EXPECT_FALSE(r) << n;
        EXPECT_TRUE(r.incomplete) << n;
        EXPECT_STREQ(r.why(), "the bytes end before the entry does");
    }
}

TEST(entry_form, does_not_write_where_there_is_no_room) {
    const sample s;
    form bytes(entry_form_bytes(s.entry.shape()) - 1);
    EXPECT_EQ(write_entry(s.entry, bytes), 0u);
    EXPECT_EQ(write_entry(s.entry, {}), 0u);
}

TEST(entry_form, of_garbage_is_refused_in_words) {
    struct wrong {
        const char* why;
        std::function<void(form&)> spoil;
    };
    const auto byte = [](std::size_t at, unsigned value) {
        return [=](form& b) { b[at] = static_cast<std::byte>(value); };
    };
    const auto zero = [](std::size_t at, std::size_t count) {
        return [=](form& b) { std::fill_n(b.begin() + static_cast<std::ptrdiff_t>(at), count, std::byte{0}); };
    };
    for (const wrong& w : std::vector<wrong>{
             {"an entry of another form: this program reads form 1", byte(0, 2)},
             {"an entry of a kind that this program does not know", byte(1, 0)},
             {"an entry of a kind that this program does not know", byte(1, change_kinds)},
             {"bits that mean nothing are set", byte(2, 4)},
             {"bits that mean nothing are set", byte(63, 1)},
             {"the size is not that of what the entry carries", byte(4, 76)},
             {"the size is not that of what the entry carries", byte(7, 255)},
             {"no commit", zero(24, 8)},
             {"no class", zero(32, 8)},
             {"an update without a set of changed fields", zero(60, 2)},
             {"an update with an id", byte(62, 1)},
             {"an id has 63 bytes at most", byte(62, 64)},
             {"an entry carries 16 MiB at most of what was and of what is", byte(67, 1)},
             {"an entry carries 16 MiB at most of what was and of what is", byte(71, 255)},
             {"an update that changes no field", zero(72, 2)},
             {"a changed field that the class does not have", byte(73, 4)},
         }) {
        form bytes = form_of(sample().entry);
        w.spoil(bytes);
        journal_entry e;
        e.number = {123};
        const entry_form_result r = read_entry(bytes, e);
        EXPECT_FALSE(r) << w.why;
        EXPECT_FALSE(r.incomplete) << w.why;
        EXPECT_STREQ(r.why(), w.why);
        EXPECT_EQ(e.number.value, 123u) << "nothing was changed";
    }
}

TEST(entry_form, with_an_id_that_no_stage_gives_is_refused) {
    for (const char* id : {"a\nb", "a\x7f", "\xff", "\xed\xa0\x80"}) {
        journal_entry e;
        e.what.kind = change_kind::created;
        e.what.of_class = 1;
        e.what.commit = {1};
        e.id = id;
        const form bytes = form_of(e);
        journal_entry read;
        EXPECT_STREQ(read_entry(bytes, read).why(), "an id that is not text, or has control characters");
    }
}

TEST(entry_form, of_a_notice_says_nothing_of_an_entity) {
    journal_entry e;
    e.what.kind = change_kind::reset;
    e.what.detail = 1;
    e.first = e.last = true;
    journal_entry read;
    ASSERT_TRUE(read_entry(form_of(e), read));
    const auto why = [&](auto&& change) {
        journal_entry spoilt = e;
        change(spoilt);
        const form bytes = form_of(spoilt);
        return std::string(read_entry(bytes, read).why());
    };
    EXPECT_EQ(why([](journal_entry& n) { n.what.generation = {1}; }), "a notice of the journal is of no entity");
    EXPECT_EQ(why([](journal_entry& n) { n.what.commit = {1}; }), "a notice of the journal is of no entity");
    EXPECT_EQ(why([](journal_entry& n) { n.last = false; }), "a notice of the journal is a commit of its own");
    EXPECT_EQ(why([](journal_entry& n) { n.what.detail = 9; }), "a reset of an unknown cause");
    EXPECT_EQ(why([](journal_entry& n) { n.what.kind = change_kind::cut; }), "a detail where none belongs");
}

}  // namespace journal_entry_form_test
