// What a store's database ought to hold: a plain model, which reads the confirmed journal for itself and keeps the rows behind each commit, and
// what the store has told. It knows the structs of town.hpp and prints them by hand; nothing of the store's own is used.
//
//   - the rows that are stored are those behind the commit of the position that is stored, versions, births and tombstones included
//   - an entity that begins has what its row had
//   - what was told as durable is in every later state; no row goes back
//   - each copy ends once, and only what there was is told
#pragma once

#include <lido/entity/stage/stage.hpp>
#include <lido/store/database.hpp>
#include <lido/store/store_events.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/town.hpp"

namespace store_sim {

/// A rule does not hold: the sentence says which.
struct broken_rule : std::runtime_error {
    using std::runtime_error::runtime_error;
};

using stamp = std::pair<std::uint64_t, std::uint64_t>;

struct kept_row {
    bool erased = false;
    stamp last{};
    std::uint64_t birth = 0;
    std::array<std::string, 3> fields = {};  ///< as JSON
};
/// By "class/key".
using rows = std::map<std::string, kept_row>;

struct database_state {
    lido::store::stored_position where;
    std::uint64_t epoch = 0;
    std::map<std::string, kept_row> found;
    std::map<std::string, std::string> text;
};

class ledger {
public:
    /// A program begins, on what is stored. Later runs than that position's are void: a loss of power may undo what was not synced.
    void begin(lido::stage& of, std::uint64_t run, const database_state& on);
    /// To be called after each tick, before anything is told or looked at.
    void read();
    /// The program has ended.
    void end() { cursor_ = {}; }
    void link(std::uint64_t bits, std::string id, std::uint64_t generation) {
        links_[bits] = {std::move(id), generation};
    }
    void told(const lido::store::save_event& e, bool good);

    /// `lost_power` where commits that were not synced may be missing.
    void check(const database_state& now, bool lost_power);
    /// All that was confirmed is stored, and was told.
    void check_all_saved(const database_state& now);

    struct figures {
        std::uint64_t commits = 0, acknowledged = 0, states = 0, loaded = 0, kept = 0, erased = 0;
    };
    [[nodiscard]] const figures& stats() const noexcept { return figures_; }

private:
    struct life {
        std::string row;
        std::uint64_t birth = 0;
    };
    void created(const lido::journal_entry& e);
    void updated(const lido::journal_entry& e);
    [[nodiscard]] const life& life_of(const lido::journal_entry& e) const;
    [[nodiscard]] std::string link_text(const void* at) const;
    [[nodiscard]] const rows& at(const lido::store::stored_position& where) const;
    static void compare(const rows& wanted, const database_state& now, const std::string& when);

    lido::stage* stage_ = nullptr;
    lido::journal_cursor cursor_;
    std::uint64_t run_ = 0;
    rows now_;
    std::map<std::uint64_t, std::map<std::uint64_t, rows>> behind_;  ///< by run and commit
    std::map<std::uint64_t, life> lives_;                            ///< of this run, by generation
    std::map<std::uint64_t, std::pair<std::string, std::uint64_t>> links_;
    std::map<std::string, stamp> acknowledged_;
    std::map<std::string, stamp> highest_;
    std::set<std::pair<std::string, stamp>> ended_;
    std::set<std::pair<std::string, stamp>> known_;
    std::set<std::string> changed_;  ///< in this run
    figures figures_;
};

/// Reads what is stored, as another program would.
[[nodiscard]] database_state look_into(lido::store::database& db);

}  // namespace store_sim
