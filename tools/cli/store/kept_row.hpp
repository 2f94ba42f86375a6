// A row that outlives the call that told of it, and what classes were.
#pragma once

#include <lido/store/database.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lido::cli {

struct kept_row {
    std::string of_class;
    std::string key;
    store::row_state state = store::row_state::stored;
    std::uint64_t epoch = 0;
    std::uint64_t generation = 0;
    std::uint64_t version = 0;
    std::uint64_t birth = 0;
    std::int64_t revision = 0;
    std::uint64_t owner = 0;
    std::string data;
    store::wall_time created = 0;
    store::wall_time changed = 0;

    kept_row() = default;
    explicit kept_row(const store::stored_row& r)
        : of_class(r.of_class),
          key(r.key),
          state(r.state),
          epoch(r.epoch),
          generation(r.generation),
          version(r.version),
          birth(r.birth),
          revision(r.revision),
          owner(r.owner),
          data(r.data),
          created(r.created),
          changed(r.changed) {}

    [[nodiscard]] std::pair<std::string_view, std::string_view> name() const noexcept { return {of_class, key}; }
    friend bool operator==(const kept_row&, const kept_row&) = default;
};

/// A class as one revision of it was.
struct kept_note {
    std::string name;
    std::int64_t revision = 1;
    std::string fields;
    store::wall_time seen = 0;
    friend bool operator==(const kept_note&, const kept_note&) = default;
};

/// The fields of a note, and the former names of each; empty where the note cannot be read.
using note_fields = std::map<std::string, std::vector<std::string>, std::less<>>;
/// False where it is no object of lists of names.
[[nodiscard]] bool read_note(std::string_view fields, note_fields& to);

[[nodiscard]] store::db_answer read_notes(store::database& db, std::vector<kept_note>& to);
/// "hp (was health), open"
[[nodiscard]] std::string note_text(const note_fields& fields);

/// How many rows of a class are in which state.
struct class_counts {
    std::string name;
    std::uint64_t stored = 0;
    std::uint64_t claimed = 0;
    std::uint64_t erased = 0;
};
/// Of all classes that have rows, or a note, in order. Finds each by one search, however many rows it has, and counts them.
[[nodiscard]] store::db_answer read_counts(store::database& db, const std::vector<kept_note>& notes,
                                           std::vector<class_counts>& to);

}  // namespace lido::cli
