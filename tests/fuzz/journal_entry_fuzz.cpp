// Fuzzes read_entry: bytes from strangers are entries that keep every rule of the journal and are written again as the same bytes, or are
// refused with one plain sentence.
//
// Input: forms, one after the other. tests/fuzz/corpus/journal_entry is made by make_journal_entry_corpus.cpp.
#include <lido/entity/journal.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

namespace lido::test {
namespace {

void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "journal_entry_fuzz: %s\n", what);
    std::abort();
}

[[nodiscard]] bool inside(const void* at, std::size_t size, std::span<const std::byte> all) {
    const auto* const first = static_cast<const std::byte*>(at);
    return size == 0 || (first >= all.data() && first + size <= all.data() + all.size());
}

void check(const journal_entry& e, std::span<const std::byte> form) {
    expect(wrong_shape(e.kind(), e.shape()) == nullptr, "a wrong shape");
    expect(static_cast<std::uint8_t>(e.kind()) >= 1 && static_cast<std::uint8_t>(e.kind()) < change_kinds,
           "a wrong kind");
    expect(inside(e.before.data(), e.before.size(), form) && inside(e.after.data(), e.after.size(), form) &&
               inside(e.id.data(), e.id.size(), form) &&
               inside(e.changed.bytes().data(), e.changed.bytes().size(), form),
           "it refers to bytes that are not its own");
    std::size_t changed = 0;
    e.changed.for_each([&](std::size_t field) {
        expect(field < e.changed.fields(), "a field that the class does not have");
        ++changed;
    });
    expect((changed != 0) == (e.kind() == change_kind::updated), "changed fields where there are none");
    for (const char c : e.id)
        expect(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f, "an id with control characters");
    std::vector<std::byte> again(form.size());
    expect(write_entry(e, again) == form.size() && std::ranges::equal(again, form), "another spelling");
}

/// What can be read can be written into a journal, too.
void keep(const journal_entry& e) {
    if (is_notice(e.kind())) return;
    journal j({.bytes = 1 << 16});
    journal_cursor c = j.open({.what = reads::everything});
    if (!j.append(e.what, e.before, e.after, e.id, e.changed)) return;  // too large for this one
    expect(static_cast<bool>(j.validate()), "a journal that is not sound");
    const auto kept = c.peek();
    expect(kept && kept->shape() == e.shape() && kept->what.generation == e.what.generation && kept->id == e.id,
           "another entry");
}

}  // namespace
}  // namespace lido::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lido;
    std::span<const std::byte> rest = std::as_bytes(std::span(data, size));
    while (!rest.empty()) {
        journal_entry e;
        const entry_form_result r = read_entry(rest, e);
        if (!r) {
            test::expect(std::strlen(r.why()) > 5 && std::strlen(r.why()) < 100, "no sentence");
            test::expect(r.incomplete == (r.wrong == nullptr), "neither wrong nor incomplete");
            break;
        }
        test::expect(r.bytes <= rest.size(), "more than there is");
        test::check(e, rest.first(r.bytes));
        test::keep(e);
        rest = rest.subspan(r.bytes);
    }
    return 0;
}
