// store: entities that outlive the program. It reads the journal of a stage, keeps one copy of each persistent entity as it was confirmed
// last, and hands what changed to a writer, which takes the database from one confirmed position to a later one.
//
//   lido::store::sqlite store{stage, "world.db"};
//   if (!store) return std::puts(store.why()), 1;
//   auto gate = stage.create<door>({.id = "gate-1", .persistent = true});     // loading; there after a tick or two
//   …
//   stage.tick();
//   store.tick();                                                             // takes what was confirmed; never waits for the disk
//
//   game's thread                                                             writer
//   ┌───────────────┐ confirmed  ┌───────────────┐ first change ┌───────────┐ swap ┌───────────┐ rows, position ┌──────────┐
//   │ journal       │ ─────────> │ copy of each  │ ───────────> │ batch     │ ───> │ batch     │ ─────────────> │ database │
//   └───────────────┘  entries   │ entity        │  one a row   │ (filling) │      │ (written) │  1 transaction └──────────┘
//                                └───────────────┘              └───────────┘ <─── └───────────┘
//                     saved, failed: told in tick()                          results
//
// KS1. A row is in the filling batch at most once, and in the written one at most once: its last version there.
// KS2. A batch is all that changed between two confirmed positions, and is written in one transaction with the later one. What cannot be
//      written is left out together with all that is tied to it by a commit, and told.
// KS3. Every copy that is handed to the writer ends exactly once: durable, superseded, failed, taken.
// KS4. A row is read before an entity of it is there, and not while a change of it is not durable. A row that could not be read, or made
//      into an entity, is never written: nobody has it.
// KS5. An entity that was loaded is not in a batch before its first change.
// KS6. The database, while it is open, is called by one thread: the writer, or whoever calls step().
// KS7. The game's thread waits for the writer in flush(), wait() and at the end only. The lock between them is held for swaps.
#pragma once

#include <lido/entity/schema/schema_of.hpp>
#include <lido/entity/stage/stage_base.hpp>
#include <lido/store/database.hpp>
#include <lido/store/sqlite_database.hpp>
#include <lido/store/store_events.hpp>
#include <lido/store/store_options.hpp>
#include <lido/store/store_stats.hpp>
#include <lido/world/event.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace lido::store_detail {
class engine;
}  // namespace lido::store_detail

namespace lido::store {

/// Threads: the stage's. `valid` and `migrate` of loaded classes are called on the writer's; they look at nothing but what they are given.
class store {
public:
    /// Opens the database, which may take as long as its timeouts; false where that failed. The stage continues from what is stored:
    /// generations and ids that it gives out are new to the database.
    /// Pre: the stage outlives it, and has no other.
    store(any_stage& stage, std::unique_ptr<database> db, const store_options& options = {});
    store(const store&) = delete;
    store& operator=(const store&) = delete;
    /// Flushes for at most options.flush_at_end, and says what was not saved.
    ~store();

    /// It has its database, and nothing has happened that ends its work for good. Else persistent creations are refused.
    [[nodiscard]] explicit operator bool() const noexcept;
    /// A sentence; "ready" where it is.
    [[nodiscard]] const char* why() const noexcept;
    /// What the database says as long as it does not take what waits, or has ended; empty where all is well. A store that is ready tries again.
    [[nodiscard]] std::string trouble() const;
    /// For people: "SQLite 3.40.1, world.db".
    [[nodiscard]] const std::string& describe() const noexcept;
    /// How often this database was opened for writing: the run.
    [[nodiscard]] std::uint64_t run() const noexcept;

    /// Call it after each stage.tick(). Takes what was confirmed, finishes loads, tells what became of saves. Never waits for the database.
    /// Throws: what listeners throw, and on_begin of loaded entities.
    void tick();

    /// How long changes of a class may wait, from the next one on. Changes that are written take all others along, so this is a limit and
    /// not an appointment.
    void set_wait(std::string_view of_class, std::chrono::milliseconds wait);

    /// Writes all that is confirmed now, and waits for it. Of a stage without rollback that is all that was committed.
    flush_result flush(std::chrono::milliseconds limit = std::chrono::seconds{5});
    /// The same without waiting: what is confirmed is written at once, and not after the wait of its class.
    void hurry();

    /// Whether all changes of that life, the last ones too, are durable. True for one that was loaded and not changed.
    [[nodiscard]] bool is_saved(any_entity_ref which) const noexcept;

    // --- loads of many -----------------------------------------------------------------------------------------------------

    /// Makes entities of all rows of a class (empty: of all classes of the stage) whose key begins so; their ids are their keys. Links
    /// among what is being loaded are kept, whatever the order. Where all rows of a class were asked for, persistent creations of other ids begin at once from then on, without a look.
    load_ticket load_all(std::string_view of_class, std::string_view prefix = {});
    /// Of every class of T.
    template <class T>
    load_ticket load_all(std::string_view prefix = {}) {
        return load_all(&schema_of<T>(), prefix);
    }
    [[nodiscard]] load_progress progress(load_ticket of) const;
    /// Goes on with it alone until it is done: before a game begins.
    load_progress wait(load_ticket for_it, std::chrono::milliseconds limit = std::chrono::minutes{10});
    /// The same for entities that are loading one by one. False where some still are.
    bool wait_for_loads(std::chrono::milliseconds limit = std::chrono::seconds{10});

    // --- what is told, in tick(), flush() and wait() --------------------------------------------------------------------------

    event<const save_event&> saved;    ///< durable, or superseded
    event<const save_event&> failed;   ///< failed, or taken
    event<const load_event&> refused;  ///< a row that did not become an entity

    [[nodiscard]] store_stats stats() const noexcept;
    /// KS1, KS5 and the tables that they rest on. Complexity: O(entities).
    [[nodiscard]] verdict validate() const;

    // --- for simulators: options.by = runner::step ------------------------------------------------------------------------------

    /// What the writer does next: a transaction, or a page of a load. False where there is nothing to do now.
    bool step();
    /// When there will be: the clock's time of the next attempt; max() where only tick() can bring work.
    [[nodiscard]] std::chrono::nanoseconds next_step() const noexcept;

private:
    load_ticket load_all(const class_schema* of, std::string_view prefix);

    std::unique_ptr<store_detail::engine> engine_;
};

/// A store in one file. The file is made where there is none; its folder has to be there.
class sqlite : public store {
public:
    sqlite(any_stage& stage, std::string path, const store_options& options = {}, const sqlite_options& file = {})
        : store(stage, make_sqlite_database(std::move(path), file), options) {}
};

}  // namespace lido::store
