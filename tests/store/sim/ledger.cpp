#include "store/sim/ledger.hpp"

#include <algorithm>
#include <cstring>

namespace store_sim {

using store_tests::gate;
using store_tests::vault;

namespace {

[[noreturn]] void broken(const std::string& what) { throw broken_rule(what); }
void hold(bool rule, const std::string& what) {
    if (!rule) broken(what);
}
std::string words(stamp s) { return std::to_string(s.first) + "." + std::to_string(s.second); }

bool is_vault(std::string_view row) { return row.starts_with("vault/"); }

std::array<std::string, 3> fields_of(std::string_view row, const std::string& text) {
    const auto cut = [&](std::string_view from, std::string_view to) {
        const auto begin = text.find(from);
        const auto end = text.find(to, begin);
        hold(begin != std::string::npos && end != std::string::npos,
             std::string(row) + " holds what nobody wrote: " + text);
        return text.substr(begin + from.size(), end - begin - from.size());
    };
    if (is_vault(row)) return {cut("{\"gold\":", ",\"keeper\""), cut("\"keeper\":", "}"), ""};
    const std::string rest = cut("\"beside\":", "\n");
    return {cut("{\"open\":", ",\"guards\""), cut("\"guards\":", ",\"beside\""), rest.substr(0, rest.size() - 1)};
}

std::string print(std::string_view row, const std::array<std::string, 3>& f) {
    if (is_vault(row)) return "{\"gold\":" + f[0] + ",\"keeper\":" + f[1] + "}";
    return "{\"open\":" + f[0] + ",\"guards\":" + f[1] + ",\"beside\":" + f[2] + "}";
}

/// Whom a link names may have ended before the row was written: then it is null.
bool agrees(std::string_view row, const std::array<std::string, 3>& f, const std::string& text) {
    if (is_vault(row)) return text == print(row, f);
    for (unsigned without = 0; without < 4; ++without) {
        if (text == print(row, {f[0], (without & 1u) != 0 ? "null" : f[1], (without & 2u) != 0 ? "null" : f[2]}))
            return true;
    }
    return false;
}

}  // namespace

database_state look_into(lido::store::database& db) {
    database_state all;
    lido::store::opened_database found;
    if (const auto answer = db.open(lido::store::open_mode::read, found); !answer)
        broken("cannot be read: " + answer.why());
    all.epoch = found.epoch;
    lido::store::row_function each([&](const lido::store::stored_row& r) {
        const std::string name = std::string(r.of_class) + "/" + std::string(r.key);
        kept_row& k = all.found[name];
        k.erased = r.state == lido::store::row_state::erased;
        k.last = {r.generation, r.version};
        k.birth = r.birth;
        if (!k.erased) k.fields = fields_of(name, std::string(r.data) + "\n");
        if (!k.erased) all.text[name] = r.data;
        hold(r.epoch <= all.epoch, name + " has an epoch that was never given");
        return true;
    });
    if (const auto answer = db.position(all.where); !answer) broken("its position cannot be read: " + answer.why());
    lido::store::row_range range;
    range.erased_too = true;
    if (const auto answer = db.scan(range, each); !answer) broken("its rows cannot be read: " + answer.why());
    if (const auto answer = db.check([](std::string_view wrong) { broken("it is damaged: " + std::string(wrong)); });
        !answer)
        broken("it cannot be checked: " + answer.why());
    return all;
}

void ledger::begin(lido::stage& of, std::uint64_t run, const database_state& on) {
    stage_ = &of;
    run_ = run;
    cursor_ = of.changes().open({.name = "ledger"});
    hold(static_cast<bool>(cursor_), "the ledger has no cursor");
    now_ = on.found;
    behind_.erase(behind_.lower_bound(run), behind_.end());
    behind_[run];
    lives_.clear();
    links_.clear();
    ended_.clear();
    known_.clear();
    changed_.clear();
}

std::string ledger::link_text(const void* at) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, sizeof bits);
    if (bits == 0) return "null";
    const auto to = links_.find(bits);
    hold(to != links_.end(), "a link that nobody made is in the journal");
    const auto birth = lives_.find(to->second.second);
    hold(birth != lives_.end(), "a link names a life that never began");
    return "{\"id\":\"" + to->second.first + "\",\"generation\":" + std::to_string(birth->second.birth) + "}";
}

void ledger::created(const lido::journal_entry& e) {
    const bool of_vault = e.what.of_class == lido::class_id_of("vault");
    const std::string row = (of_vault ? "vault/" : "gate/") + std::string(e.id);
    const std::byte* const data = e.after.data() + lido::entity_bytes::head;
    std::array<std::string, 3> fields{};
    if (of_vault) {
        vault v;
        std::memcpy(&v, data, sizeof v);
        fields = {std::to_string(v.gold), "\"" + std::string(v.keeper.view()) + "\"", ""};
    } else {
        gate g;
        std::memcpy(&g, data, sizeof g);
        fields = {g.open ? "true" : "false", "null", "null"};
    }
    const std::uint64_t generation = e.what.generation.value;
    const auto there = now_.find(row);
    if (there != now_.end() && !there->second.erased) {
        ++figures_.loaded;
        hold(there->second.fields[0] == fields[0] && (!of_vault || there->second.fields[1] == fields[1]),
             row + " began with " + fields[0] + ", and its row has " + there->second.fields[0]);
        hold(there->second.last.first < generation, row + " began again under a generation that is not new");
        lives_[generation] = {row, there->second.birth};
        return;
    }
    const stamp last{generation, e.what.version.value};
    hold(there == now_.end() || there->second.last < last, row + " began again under a generation that is not new");
    lives_[generation] = {row, generation};
    now_[row] = {false, last, generation, fields};
    known_.insert({row, last});
    changed_.insert(row);
}

const ledger::life& ledger::life_of(const lido::journal_entry& e) const {
    const auto found = lives_.find(e.what.generation.value);
    hold(found != lives_.end(), "the journal tells of generation " + std::to_string(e.what.generation.value) +
                                    " at tick " + std::to_string(e.what.tick.count) + ", which never began");
    return found->second;
}

void ledger::updated(const lido::journal_entry& e) {
    const life& of = life_of(e);
    kept_row& r = now_.at(of.row);
    const bool of_vault = is_vault(of.row);
    const auto& schema = of_vault ? lido::schema_of<vault>() : lido::schema_of<gate>();
    const std::byte* from = e.after.data();
    e.changed.for_each([&](std::size_t i) {
        const lido::field_schema& f = schema.fields()[i];
        if (of_vault && f.offset == 0) {
            std::int64_t gold = 0;
            std::memcpy(&gold, from, sizeof gold);
            r.fields[0] = std::to_string(gold);
        } else if (of_vault) {
            lido::text<16> keeper;
            std::memcpy(&keeper, from, sizeof keeper);
            r.fields[1] = "\"" + std::string(keeper.view()) + "\"";
        } else if (f.offset == 0) {
            r.fields[0] = std::to_integer<int>(*from) != 0 ? "true" : "false";
        } else {
            r.fields[f.offset == offsetof(gate, guards) ? 1 : 2] = link_text(from);
        }
        from += f.size;
    });
    const stamp last{e.what.generation.value, e.what.version.value};
    hold(r.last < last, of.row + " was changed to a version that is not later");
    r.last = last;
    known_.insert({of.row, last});
    changed_.insert(of.row);
}

void ledger::read() {
    const auto got = cursor_.read([this](const lido::journal_entry& e) {
        if (lido::is_notice(e.kind())) return;
        const bool ours = e.what.of_class == lido::class_id_of("vault") || e.what.of_class == lido::class_id_of("gate");
        if (ours && e.kind() == lido::change_kind::created) created(e);
        if (ours && e.kind() == lido::change_kind::updated) updated(e);
        if (ours && e.kind() == lido::change_kind::erased) {
            const std::string& row = life_of(e).row;
            const stamp last{e.what.generation.value, e.what.version.value};
            now_[row] = {true, last, 0, {}};
            known_.insert({row, last});
            changed_.insert(row);
            ++figures_.erased;
        }
        ++figures_.commits;
        behind_[run_][e.what.commit.value] = now_;
    });
    hold(static_cast<bool>(got), "the ledger fell behind");
}

void ledger::told(const lido::store::save_event& e, bool good) {
    const std::string row = std::string(e.of_class) + "/" + std::string(e.key);
    const stamp which{e.generation, e.version};
    hold(known_.count({row, which}) != 0, row + " " + words(which) + " is told, and there was no such version");
    hold(ended_.count({row, which}) == 0, row + " " + words(which) + " ended twice");
    if (e.kept) {
        hold(!good, row + ": what is durable is told as waiting");
        ++figures_.kept;
        return;
    }
    ended_.insert({row, which});
    hold(good, row + " " + words(which) + " is lost: " + std::string(e.why));
    hold(e.end == lido::store::save_end::durable, row + " was superseded, and there is no other writer");
    stamp& last = acknowledged_[row];
    hold(last < which, row + " is told as durable in a version that is not later");
    last = which;
    ++figures_.acknowledged;
}

const rows& ledger::at(const lido::store::stored_position& where) const {
    static const rows none;
    const auto run = behind_.find(where.run);
    if (where.run == 0) return none;
    hold(run != behind_.end(), "the position is of run " + std::to_string(where.run) + ", which never was");
    const auto next = run->second.upper_bound(where.commit);
    hold(next != run->second.begin(), "the position is of a commit that never was");
    return std::prev(next)->second;
}

void ledger::compare(const rows& wanted, const database_state& now, const std::string& when) {
    for (const auto& [name, r] : wanted) {
        const auto there = now.found.find(name);
        hold(there != now.found.end(), when + ": " + name + " is missing");
        const kept_row& is = there->second;
        hold(is.last == r.last, when + ": " + name + " is " + words(is.last) + " and ought to be " + words(r.last));
        hold(is.erased == r.erased,
             when + ": " + name + " is " + (is.erased ? "erased" : "there") + " and ought not to be");
        if (is.erased) continue;
        hold(is.birth == r.birth, when + ": " + name + " was born as " + std::to_string(is.birth) +
                                      " and ought to be as " + std::to_string(r.birth));
        hold(agrees(name, r.fields, now.text.at(name)),
             when + ": " + name + " holds " + now.text.at(name) + " and ought to hold " + print(name, r.fields));
    }
    for (const auto& [name, r] : now.found)
        hold(wanted.count(name) != 0, when + ": " + name + " ought not to be there");
}

void ledger::check(const database_state& now, bool lost_power) {
    ++figures_.states;
    compare(at(now.where), now,
            "at run " + std::to_string(now.where.run) + ", commit " + std::to_string(now.where.commit));
    if (lost_power) {
        highest_.clear();
        acknowledged_.clear();
    }
    for (const auto& [name, r] : now.found) {
        hold(r.last >= highest_[name], name + " went back from " + words(highest_[name]) + " to " + words(r.last));
        highest_[name] = r.last;
    }
    for (const auto& [name, last] : acknowledged_) {
        const auto there = now.found.find(name);
        hold(there != now.found.end() && there->second.last >= last,
             name + " " + words(last) + " was told as durable and is not there");
    }
}

void ledger::check_all_saved(const database_state& now) {
    compare(now_, now, "when all is saved");
    for (const std::string& name : changed_) {
        hold(ended_.count({name, now_.at(name).last}) != 0,
             name + " " + words(now_.at(name).last) + " is saved, and that was never told");
    }
}

}  // namespace store_sim
