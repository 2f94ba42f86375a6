// Makes tests/fuzz/corpus/journal_entry: a form of every kind, several in a row, and some that are spoilt. Run by hand, when the form
// changes:
//
//   g++ -std=c++20 -Iinclude tests/fuzz/make_journal_entry_corpus.cpp -o /tmp/make
//   /tmp/make tests/fuzz/corpus/journal_entry
#include <lido/entity/journal.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lido::test {
namespace {

using form = std::vector<std::byte>;

void put(const std::string& folder, const std::string& name, const form& bytes) {
    std::ofstream out(folder + "/" + name, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

[[nodiscard]] form form_of(const journal_entry& e) {
    form bytes(entry_form_bytes(e.shape()));
    bytes.resize(write_entry(e, bytes));
    return bytes;
}

[[nodiscard]] form sample(change_kind kind) {
    static const std::array<std::byte, 2> set{std::byte{5}, std::byte{2}};
    constexpr std::string_view was = "as it was", is = "as it is now";
    journal_entry e;
    e.what.kind = kind;
    e.first = e.last = true;
    e.number = {41};
    e.what.tick = {7};
    if (is_notice(kind)) {
        if (kind == change_kind::reset) e.what.detail = static_cast<std::uint8_t>(reset_cause::loaded);
        return form_of(e);
    }
    e.what.of_class = class_id_of("door");
    e.what.entity = {3};
    e.what.generation = {12};
    e.what.version = {5};
    e.what.commit = {20};
    if (kind == change_kind::updated) e.changed = {set.data(), 10};
    if (kind == change_kind::updated || is_end(kind)) e.before = std::as_bytes(std::span(was));
    if (!is_end(kind)) e.after = std::as_bytes(std::span(is));
    if (kind != change_kind::updated && kind != change_kind::locked && kind != change_kind::unlocked) e.id = "gate-1";
    return form_of(e);
}

}  // namespace
}  // namespace lido::test

int main(int argc, char** argv) {
    using namespace lido;
    using namespace lido::test;
    if (argc != 2) return 2;
    const std::string folder = argv[1];
    form all;
    for (std::uint8_t k = 1; k < change_kinds; ++k) {
        const form one = sample(static_cast<change_kind>(k));
        std::string name = to_string(static_cast<change_kind>(k));
        for (char& c : name) c = c == ' ' ? '_' : c;
        put(folder, name, one);
        all.insert(all.end(), one.begin(), one.end());
    }
    put(folder, "all_kinds", all);
    form spoilt = sample(change_kind::updated);
    spoilt[4] = std::byte{0xff};
    put(folder, "wrong_size", spoilt);
    spoilt = sample(change_kind::updated);
    spoilt[73] = std::byte{0xff};
    put(folder, "strange_fields", spoilt);
    spoilt = sample(change_kind::created);
    spoilt.resize(spoilt.size() - 3);
    put(folder, "cut_short", spoilt);
    spoilt = sample(change_kind::created);
    spoilt.back() = std::byte{0xff};
    put(folder, "id_not_utf8", spoilt);
    return 0;
}
