// What a database keeps of entities: one row a class and key. docs/protocol/store.md has the tables.
//
//   claimed   a writer has asked for it, and nothing was ever saved: no data
//   stored    the data of the life that was saved last
//   erased    the entity was erased: a tombstone, which only `prune` removes
//
// Texts are views: of a row that is written they are the caller's, of one that is read they hold until the sink returns.
#pragma once

#include <cstdint>
#include <string_view>

namespace lido::store {

/// Milliseconds since 1970, UTC: what people read, and `prune` goes by. Nothing is ordered by it.
using wall_time = std::int64_t;

enum class row_state : std::uint8_t { claimed, stored, erased };

[[nodiscard]] constexpr const char* to_string(row_state state) noexcept {
    switch (state) {
        case row_state::claimed: return "claimed";
        case row_state::stored: return "stored";
        case row_state::erased: return "erased";
    }
    return "unknown";
}

struct stored_row {
    std::string_view of_class;
    std::string_view key;
    row_state state = row_state::claimed;
    std::uint64_t epoch = 0;       ///< of the writer who has it
    std::uint64_t generation = 0;  ///< of the life that was saved, or erased
    std::uint64_t version = 0;     ///< of that life
    std::uint64_t birth = 0;  ///< the generation of its first life since there was none, or a tombstone: what links say
    std::int64_t revision = 0;  ///< of the stored form
    std::uint64_t owner = 0;
    std::string_view data;  ///< a JSON object
    wall_time created = 0;  ///< when there was first a row
    wall_time changed = 0;  ///< when it was written last
};

/// By what a writer knows that nobody else writes a row.
enum class fence : std::uint8_t {
    row,       ///< it has claimed the row: the row's epoch is exactly its own
    database,  ///< it has the whole database: the row's epoch is not greater than its own
};

struct row_write {
    std::string_view of_class;
    std::string_view key;
    std::uint64_t epoch = 0;  ///< the writer's; the row has it from then on
    fence by = fence::row;
    std::uint64_t generation = 0;
    std::uint64_t version = 0;
    std::uint64_t birth =
        0;  ///< 0: as the row has it, and where it has none (no row, a claim, a tombstone) the generation
    std::int64_t revision = 0;
    std::uint64_t owner = 0;
    std::string_view data;  ///< a JSON object; of a tombstone nothing
    bool erased = false;    ///< a tombstone
    wall_time now = 0;
};

enum class write_outcome : std::uint8_t {
    written,     ///< it is there, or was: what has the same generation and version is the same save, asked for again
    superseded,  ///< a later generation or version is stored, and stays
    taken,       ///< another writer has the row: its epoch is greater, or it is not the one that claimed it
};

[[nodiscard]] constexpr const char* to_string(write_outcome outcome) noexcept {
    switch (outcome) {
        case write_outcome::written: return "written";
        case write_outcome::superseded: return "superseded by a later save";
        case write_outcome::taken: return "another writer has it";
    }
    return "unknown";
}

/// Where in a game the database is: every change up to there is in it, and none that came later.
struct stored_position {
    std::uint64_t run = 0;     ///< the epoch under which it was written
    std::uint64_t tick = 0;    ///< the last one that is in it whole, or in part
    std::uint64_t commit = 0;  ///< the last one that is in it
    std::uint64_t births = 0;  ///< the highest generation that any entity of the game has had

    friend constexpr bool operator==(const stored_position&, const stored_position&) noexcept = default;
};

/// What a class looked like in some revision, so that tools can read its rows without the program.
struct class_note {
    std::string_view name;
    std::int64_t revision = 1;
    std::string_view fields;  ///< JSON: {"hp":["health"],"open":[]}: each saved field with its former names
    wall_time seen = 0;       ///< when a program wrote this revision first
};

/// Is given rows one by one. False ends the scan.
class row_sink {
public:
    virtual bool row(const stored_row& found) = 0;

protected:
    ~row_sink() = default;
};
class class_sink {
public:
    virtual bool note(const class_note& found) = 0;

protected:
    ~class_sink() = default;
};

/// Which rows, in order of class and key (by bytes), so many at a time. For the next part: `after` what the last one had.
struct row_range {
    std::string_view of_class = {};  ///< empty: all classes
    std::string_view prefix = {};    ///< of keys
    std::string_view after_class = {};
    std::string_view after_key = {};  ///< empty: from the first one
    std::uint64_t limit = 1024;       ///< at most
    bool claimed_too = false;         ///< rows that were never saved
    bool erased_too = false;          ///< tombstones
};

}  // namespace lido::store
