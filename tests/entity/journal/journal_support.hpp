// Small entries for tests of the journal, and what a reader was given as one line of text.
#pragma once

#include <lido/core/rewind/save.hpp>
#include <lido/entity/journal.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace lido::test {

inline std::span<const std::byte> bytes_of_text(std::string_view s) {
    return std::as_bytes(std::span(s.data(), s.size()));
}
inline std::string text_of_bytes(std::span<const std::byte> s) {
    return {reinterpret_cast<const char*>(s.data()), s.size()};
}

[[nodiscard]] inline stamp stamp_of(change_kind kind, std::uint32_t entity = 1) {
    stamp s;
    s.kind = kind;
    s.of_class = 77;
    s.local_class = 2;
    s.entity = {entity};
    s.generation = {entity + 100u};
    s.version = {1};
    return s;
}

/// Of one field of four, from `before` to `after`.
inline journal_answer update(journal& j, std::string_view after, std::string_view before = "") {
    const std::byte set{1};
    return j.append(stamp_of(change_kind::updated), bytes_of_text(before), bytes_of_text(after), {}, {&set, 4});
}

/// A commit of several updates.
inline journal_answer update_all(journal& j, std::initializer_list<std::string_view> all) {
    std::size_t bytes = 0;
    for (const std::string_view s : all) bytes += journal::bytes_of({4, 0, 0, static_cast<std::uint32_t>(s.size())});
    journal_reservation r = j.reserve(bytes);
    if (!r) return {r.why_refused()};
    for (const std::string_view s : all) {
        entry_room room = r.add(stamp_of(change_kind::updated), {4, 0, 0, static_cast<std::uint32_t>(s.size())});
        room.mark(0);
        if (!s.empty()) std::memcpy(room.after.data(), s.data(), s.size());
    }
    r.publish();
    return {};
}

/// The same update until there is no room for it, but not for ever. What a reader will be given of it.
inline std::string fill(journal& j, const std::string& text) {
    std::string all;
    for (int i = 0; i < 1000 && update(j, text); ++i) all += (i != 0 ? " " : "") + text;
    return all;
}

/// "a", or "cut 3" for a notice.
inline std::string word_of(const journal_entry& e) {
    if (is_notice(e.kind())) return std::string(to_string(e.kind())) + " " + std::to_string(e.what.tick.count);
    return text_of_bytes(e.after);
}

/// All that it is given now, with spaces between.
inline std::string read_all(journal_cursor& c) {
    std::string line;
    const read_result done = c.read([&](const journal_entry& e) { line += (line.empty() ? "" : " ") + word_of(e); });
    if (!done)
        line += (line.empty() ? "" : " ") + std::string("[") + std::string(to_string(done.state)).substr(0, 5) + "]";
    return line;
}

}  // namespace lido::test
