// A database in memory, as database.hpp describes one, on a disk that outlives it; any call of it can be made to fail.
#pragma once

#include <lido/store/database.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace store_tests {

struct fake_row {
    lido::store::row_state state = lido::store::row_state::claimed;
    std::uint64_t epoch = 0, generation = 0, version = 0, birth = 0, owner = 0;
    std::int64_t revision = 0;
    std::string data;
    lido::store::wall_time created = 0, changed = 0;
    friend bool operator==(const fake_row&, const fake_row&) = default;
};
struct fake_tables {
    std::map<std::pair<std::string, std::string>, fake_row> rows;
    std::map<std::pair<std::string, std::int64_t>, std::string> classes;
    std::uint64_t epoch = 0;
    lido::store::stored_position position;
};

struct fake_disk {
    fake_tables tables;
    std::vector<fake_tables> history;  ///< behind each commit, where `keep_history`
    bool keep_history = false;

    std::uint64_t calls = 0;
    std::uint64_t fail_at = 0;  ///< this call fails, with `fault`; 0: none
    std::uint64_t fail_for = 1;
    lido::store::db_fault fault = lido::store::db_fault::again;
    bool down = false;            ///< all calls fail
    bool lies_at_commit = false;  ///< a commit that fails has happened
    std::string bad_key;          ///< this row can never be written
    std::string warning;          ///< of open()
    std::uint64_t writes = 0;
    std::uint64_t commits = 0;

    [[nodiscard]] const fake_row* row(const std::string& of_class, const std::string& key) const {
        const auto found = tables.rows.find({of_class, key});
        return found != tables.rows.end() ? &found->second : nullptr;
    }
    [[nodiscard]] std::string data(const std::string& of_class, const std::string& key) const {
        const fake_row* const r = row(of_class, key);
        return r != nullptr ? r->data : "no row";
    }
    void put(const std::string& of_class, const std::string& key, const std::string& data, std::int64_t revision = 1,
             std::uint64_t generation = 1, std::uint64_t version = 1) {
        fake_row r;
        r.state = lido::store::row_state::stored;
        r.generation = generation;
        r.birth = generation;
        r.version = version;
        r.revision = revision;
        r.data = data;
        tables.rows[{of_class, key}] = r;
        tables.position.births = std::max(tables.position.births, generation);
    }
};

class fake_database final : public lido::store::database {
    using answer = lido::store::db_answer;
    using fault = lido::store::db_fault;

public:
    explicit fake_database(fake_disk& disk) : disk_(disk) {}

    answer open(lido::store::open_mode how, lido::store::opened_database& found) override {
        if (const answer bad = call(); !bad) return bad;
        if (how == lido::store::open_mode::write) ++disk_.tables.epoch;
        epoch_ = found.epoch = disk_.tables.epoch;
        found.position = disk_.tables.position;
        if (!disk_.warning.empty()) found.warnings.push_back(disk_.warning);
        return {};
    }
    void close() noexcept override { open_ = false; }
    answer begin() override {
        if (const answer bad = call(); !bad) return bad;
        if (disk_.tables.epoch != epoch_) return {fault::lost, "another program has it"};
        now_ = disk_.tables;
        open_ = true;
        return {};
    }
    answer commit() override {
        const answer bad = call();
        if (!bad && !disk_.lies_at_commit) return bad;
        disk_.tables = now_;
        open_ = false;
        ++disk_.commits;
        if (disk_.keep_history) disk_.history.push_back(now_);
        return bad;
    }
    void rollback() noexcept override { open_ = false; }
    answer claim(std::string_view of_class, std::string_view key, std::uint64_t epoch, lido::store::wall_time now,
                 lido::store::row_sink& to) override {
        if (const answer bad = call(); !bad) return bad;
        auto& r = now_.rows[{std::string(of_class), std::string(key)}];
        if (r.created == 0) r.created = r.changed = now;
        if (r.epoch <= epoch) r.epoch = epoch;
        tell(of_class, key, r, to);
        return {};
    }
    answer write(const lido::store::row_write& w, lido::store::write_outcome& outcome) override {
        if (const answer bad = call(); !bad) return bad;
        ++disk_.writes;
        if (!disk_.bad_key.empty() && w.key == disk_.bad_key) return {fault::row, "this row is too odd"};
        const std::pair<std::string, std::string> key{w.of_class, w.key};
        fake_row& r = now_.rows[key];
        const bool ours =
            r.epoch == 0 || r.epoch == w.epoch || (w.by == lido::store::fence::database && r.epoch < w.epoch);
        outcome = lido::store::write_outcome::taken;
        if (!ours) return {};
        outcome = lido::store::write_outcome::superseded;
        if (std::pair(r.generation, r.version) > std::pair(w.generation, w.version)) return {};
        outcome = lido::store::write_outcome::written;
        r.epoch = w.epoch;
        r.birth = w.birth != 0 ? w.birth : r.state == lido::store::row_state::stored ? r.birth : w.generation;
        r.state = w.erased ? lido::store::row_state::erased : lido::store::row_state::stored;
        r.generation = w.generation;
        r.version = w.version;
        r.revision = w.revision;
        r.owner = w.owner;
        r.data = w.data;
        r.changed = w.now;
        return {};
    }
    answer put_position(const lido::store::stored_position& where) override {
        if (const answer bad = call(); !bad) return bad;
        const std::uint64_t births = std::max(now_.position.births, where.births);
        now_.position = where;
        now_.position.births = births;
        return {};
    }
    answer put_class(const lido::store::class_note& what) override {
        if (const answer bad = call(); !bad) return bad;
        now_.classes[{std::string(what.name), what.revision}] = what.fields;
        return {};
    }
    answer prune(lido::store::wall_time, std::uint64_t, std::uint64_t&) override { return {}; }
    answer position(lido::store::stored_position& where) override {
        where = disk_.tables.position;
        return {};
    }
    answer find(std::string_view, std::string_view, lido::store::row_sink&) override { return {}; }
    answer scan(const lido::store::row_range& which, lido::store::row_sink& to) override {
        if (const answer bad = call(); !bad) return bad;
        std::uint64_t told = 0;
        for (const auto& [key, r] : disk_.tables.rows) {
            if (!in(which, key, r) || key.second <= which.after_key) continue;
            if (told++ == which.limit || !tell(key.first, key.second, r, to)) break;
        }
        return {};
    }
    answer count(const lido::store::row_range& which, std::uint64_t& rows) override {
        if (const answer bad = call(); !bad) return bad;
        rows = 0;
        for (const auto& [key, r] : disk_.tables.rows) rows += in(which, key, r) ? 1u : 0u;
        return {};
    }
    answer classes(lido::store::class_sink&) override { return {}; }
    answer backup(std::string_view, const std::function<bool(std::uint64_t, std::uint64_t)>&) override {
        return {fault::unusable, "no"};
    }
    answer check(const std::function<void(std::string_view)>&) override { return {}; }
    [[nodiscard]] std::string describe() const override { return "a fake"; }

private:
    static bool in(const lido::store::row_range& which, const std::pair<std::string, std::string>& key,
                   const fake_row& r) {
        return key.first == which.of_class && key.second.starts_with(which.prefix) &&
               r.state == lido::store::row_state::stored;
    }
    static bool tell(std::string_view of_class, std::string_view key, const fake_row& r, lido::store::row_sink& to) {
        lido::store::stored_row s;
        s.of_class = of_class;
        s.key = key;
        s.state = r.state;
        s.epoch = r.epoch;
        s.generation = r.generation;
        s.version = r.version;
        s.birth = r.birth;
        s.revision = r.revision;
        s.owner = r.owner;
        s.data = r.data;
        return to.row(s);
    }
    answer call() {
        ++disk_.calls;
        if (disk_.down) return {fault::again, "the database is down"};
        if (disk_.fail_at == 0 || disk_.calls < disk_.fail_at || disk_.calls >= disk_.fail_at + disk_.fail_for)
            return {};
        return {disk_.fault, "call " + std::to_string(disk_.calls) + " was made to fail"};
    }

    fake_disk& disk_;
    fake_tables now_;
    std::uint64_t epoch_ = 0;
    bool open_ = false;
};

}  // namespace store_tests
