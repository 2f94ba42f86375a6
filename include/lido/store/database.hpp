// What a store asks of a database. SQLite and PostgreSQL are two of it; a test may put its own faults in front of either.
//
// One thread calls it, the store's writer, one call at a time; interrupt() alone may come from another. Nothing throws but std::bad_alloc.
//
//   open ──> begin ──> write, write, … ──> put_position ──> commit      a save
//        ──> begin ──> claim, claim, … ──> commit                       loads by name
//        ──> scan, scan, …                                              loads of many, and tools
//
// KD1. After a call that fails inside of a transaction the writer calls rollback() and begins anew: a backend may leave the transaction in
//      whatever state it is.
// KD2. What commit() said is done survives a crash of the program, and, as far as `sync_level` says, of the machine. A commit that was not
//      answered may have happened: asking again does no harm, because the same generation and version is `written`.
// KD3. begin() is refused as `lost` once another program has opened the database for writing. A connection that went down is made again by
//      begin(), which then compares the epoch as ever.
// KD4. A row is written only by who has it (fence), and only by a later life, or a later version of the same life.
#pragma once

#include <lido/store/db_answer.hpp>
#include <lido/store/row.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lido::store {

enum class open_mode : std::uint8_t {
    read,  ///< tools that look: nothing changes, no epoch is raised, others may write meanwhile
    write,  ///< the one writer: refused while another has it. Makes the database where there is none, and raises its epoch
};

/// What was found.
struct opened_database {
    std::uint64_t epoch = 0;   ///< how often it has been opened for writing, this time included
    stored_position position;  ///< of the last transaction that had one; all 0 where there is none
    bool made = false;         ///< there was none
    /// What may lose what was acknowledged, a sentence each: for the program's log. describe() has them in short.
    std::vector<std::string> warnings = {};
};

/// Calls `f` for each row. For a call: row_function each([&](const stored_row& r) { …; return true; }); db.scan(range, each);
template <class F>
class row_function final : public row_sink {
public:
    explicit row_function(F f) : f_(std::move(f)) {}
    bool row(const stored_row& found) override { return f_(found); }

private:
    F f_;
};
template <class F>
class class_function final : public class_sink {
public:
    explicit class_function(F f) : f_(std::move(f)) {}
    bool note(const class_note& found) override { return f_(found); }

private:
    F f_;
};

class database {
public:
    virtual ~database() = default;

    /// Once before all else; again after close(). A refusal as `unusable` says what the file or server is and what to do; as `again`, who
    /// has it.
    virtual db_answer open(open_mode how, opened_database& found) = 0;
    /// Gives it up. What was not committed is void.
    virtual void close() noexcept = 0;

    /// A transaction. Compares the epoch: `lost` where it is not ours any more.
    virtual db_answer begin() = 0;
    /// Durable when this says so.
    virtual db_answer commit() = 0;
    virtual void rollback() noexcept = 0;

    // --- in a transaction --------------------------------------------------------------------------------------------------

    /// Raises the row's epoch and reads it, in one statement; where there is none it makes one that is `claimed`. `to` is told of the row as
    /// it is then. A row whose epoch is greater is told as it is, with that epoch: another writer has it, and nothing has changed.
    virtual db_answer claim(std::string_view of_class, std::string_view key, std::uint64_t epoch, wall_time now,
                            row_sink& to) = 0;
    /// Makes the row, or writes it where KD4 lets it. `row` where it can never be written.
    virtual db_answer write(const row_write& what, write_outcome& outcome) = 0;
    /// Which also keeps the greatest `births`.
    virtual db_answer put_position(const stored_position& where) = 0;
    /// Kept beside those of other revisions of the class; of the same revision the last one counts, `seen` the first.
    virtual db_answer put_class(const class_note& what) = 0;
    /// Removes tombstones that were made before then, and rows that were claimed before then and never saved. At most `limit` rows.
    virtual db_answer prune(wall_time before, std::uint64_t limit, std::uint64_t& removed) = 0;

    // --- at any time between open() and close() ------------------------------------------------------------------------------

    virtual db_answer position(stored_position& where) = 0;
    /// A row that is there is told as it is; nothing where there is none.
    virtual db_answer find(std::string_view of_class, std::string_view key, row_sink& to) = 0;
    virtual db_answer scan(const row_range& which, row_sink& to) = 0;
    /// How many a scan without limit would tell.
    virtual db_answer count(const row_range& which, std::uint64_t& rows) = 0;
    /// By name and revision.
    virtual db_answer classes(class_sink& to) = 0;
    /// A copy that is whole, while others write. `progress(done, of)` is called now and then; false gives it up. A file that is there is
    /// refused. What cannot be copied this way says by what else.
    virtual db_answer backup(std::string_view to,
                             const std::function<bool(std::uint64_t, std::uint64_t)>& progress) = 0;
    /// Looks at all of it. `to` is told what is wrong, a sentence each.
    virtual db_answer check(const std::function<void(std::string_view)>& to) = 0;

    /// From any thread: what is under way may give up, as `again`.
    virtual void interrupt() noexcept {}

    /// For people: "SQLite 3.40.1, /srv/world.db". Without passwords.
    [[nodiscard]] virtual std::string describe() const = 0;
};

}  // namespace lido::store
