// Fuzzes what the schema reads from outside: text, stored forms of any revision, one field's text, bytes. Everything is refused, or is an
// object that is written and read again as the same. Row X26.
//
// Input: one byte that says what follows (t: characters of a text, r: a record, its revision in the second byte, f: the number of a field
// and its text, b: encoded fields), then that. tests/fuzz/corpus/schema is written by hand, one idea a file.
#include "entity/schema/fixtures.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

namespace lido::test {
namespace {

using schema::door;

void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "schema_fuzz: %s\n", what);
    std::abort();
}

const class_schema& doors() { return schema_of<door>(); }

/// What was read must be something that can be written, in both forms, and read again.
void check_object(const door& d) {
    static char text_room[8192];
    text_writer text(text_room);
    doors().store(&d, text);
    expect(text.ok(), "the text of an object is longer than it can be");
    const record again(text.written(), doors().revision());
    expect(again.fault() == record_fault::none, "what was stored is no record");
    door back;
    const load_result loaded = doors().load(again, &back);
    expect(loaded || loaded.fault == load_fault::invalid, "what was stored does not load");
    expect((doors().changed(&d, &back) & doors().saved()).empty(), "what was loaded is another object");

    static std::byte room[8192];
    expect(doors().most_bytes(doors().all()) <= sizeof(room), "room");
    byte_writer bytes(room);
    doors().encode(&d, doors().all(), bytes);
    expect(bytes.ok(), "most_bytes is not the most");
    byte_reader from(bytes.written());
    door decoded;
    doors().decode(from, doors().all(), &decoded);
    expect(from.done() && doors().changed(&d, &decoded).empty(), "bytes make another object");
}

void check_text(std::string_view in) {
    lido::text<48> t, cut;
    const bool taken = t.assign(in);
    expect(t.well_formed(), "a text that is not well formed");
    expect(taken ? t.view() == in : t.empty(), "a refusal that changes the text");
    expect(cut.assign_cut(in) == taken, "assign and assign_cut disagree");
    expect(cut.well_formed() && in.starts_with(cut.view()), "a cut text that is another");
    expect(taken || cut.size() + 4 > cut.max_size || entity_detail::character_length(in.substr(cut.size())) == 0,
           "a text that is cut too early");
}

void check_record(std::string_view in, std::int64_t revision) {
    door d;
    const load_result r = doors().load(record(in, revision), &d);
    expect(r.fault != load_fault::from_future || revision > doors().revision(), "the future");
    if (!r) return;
    expect(!doors().first_invalid(&d), "an invalid object was loaded");
    check_object(d);
}

void check_field(std::size_t number, std::string_view in) {
    const field_schema& f = doors().fields()[number % doors().fields().size()];
    door d = schema::other_door();
    const door before = d;
    const bool taken = class_schema::parse(f, in, &d);
    expect(doors().changed(&d, &before).size() <= (taken ? 1u : 0u), "more than the field has changed");
    // Infinity and NaN cannot be written down, so what was parsed is finite.
    if (taken) check_object(d);
}

void check_bytes(std::span<const std::byte> in) {
    door d;
    byte_reader from(in);
    doors().decode(from, doors().all(), &d);
    if (!from.ok() || doors().first_invalid(&d)) return;
    check_object(d);
}

}  // namespace
}  // namespace lido::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lido::test;
    if (size < 2) return 0;
    const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0]) {
        case 't': check_text(rest); break;
        case 'r': check_record(rest.substr(1), rest[0]); break;
        case 'f': check_field(data[1], rest.substr(1)); break;
        case 'b': check_bytes(std::as_bytes(std::span(data + 1, size - 1))); break;
        default: break;
    }
    return 0;
}
