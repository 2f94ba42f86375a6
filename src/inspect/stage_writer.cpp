#include "stage_writer.hpp"

#include "stage_jobs.hpp"

#include <algorithm>
#include <cstddef>

namespace lido::inspect {

namespace {

/// 64 bits that are no count: a reader's numbers may have 53.
[[nodiscard]] ordered_json owner_of(player who) { return who ? ordered_json(std::to_string(who.id)) : ordered_json(); }

[[nodiscard]] ordered_json of(const entity_row& row) {
    const entity_info& e = row.info;
    ordered_json lock;
    if (!e.locked_by.view().empty()) lock = {{"by", e.locked_by.view()}, {"until", e.locked_until.count}};
    return {{"id", e.id.view()},          {"class", row.of}, {"generation", e.generation}, {"version", e.version},
            {"owner", owner_of(e.owner)}, {"lock", lock},    {"persistent", e.persistent}, {"loading", row.loading}};
}

[[nodiscard]] ordered_json of(const entity_class_figures& c) {
    return {{"number", c.number},     {"name", c.name},   {"type", c.type},
            {"revision", c.revision}, {"live", c.live},   {"idle_cap", c.idle_cap},
            {"history", c.history},   {"fresh", c.fresh}, {"changeable", c.changeable}};
}

[[nodiscard]] ordered_json of(const reader_figures& r) {
    return {{"name", r.name},
            {"reads", r.what},
            {"state", r.state},
            {"lag", r.lag},
            {"lag_bytes", r.lag_bytes},
            {"read", r.read},
            {"fell_behind", r.fell_behind}};
}

[[nodiscard]] ordered_json of(const journal_stats& j, std::uint64_t first_open_tick) {
    return {{"capacity", j.capacity},
            {"used", j.used},
            {"open", j.open},
            {"peak_open", j.peak_open},
            {"entries", j.entries},
            {"kept", j.kept},
            {"confirmed", j.confirmed},
            {"commits", j.commits},
            {"dropped", j.dropped},
            {"refused", j.refused},
            {"cuts", j.cuts},
            {"resets", j.resets},
            {"readers", j.readers},
            {"max_readers", j.max_readers},
            {"first_open_tick", first_open_tick}};
}

[[nodiscard]] ordered_json of(const stage_figures& s) {
    ordered_json classes = ordered_json::array();
    for (const entity_class_figures& c : s.classes) classes.push_back(of(c));
    ordered_json readers = ordered_json::array();
    for (const reader_figures& r : s.readers) readers.push_back(of(r));
    return {{"id", s.id},
            {"name", s.name},
            {"role", s.role},
            {"now", s.now},
            {"entities", s.entities},
            {"births", s.births},
            {"managed", s.managed},
            {"managed_waiting", s.managed_waiting},
            {"listeners", s.listeners},
            {"commits_refused", s.commits_refused},
            {"idle_overflow", s.idle_overflow},
            {"journal", of(s.journal, s.first_open_tick)},
            {"classes", classes},
            {"readers", readers}};
}

/// With a sign where it is not all.
[[nodiscard]] std::string whole(const text_room& room, text_piece p) {
    std::string text(room.of(p));
    if (p.cut) text += "…";
    return text;
}

[[nodiscard]] ordered_json of(const text_room& room, const field_change& c) {
    return {{"field", whole(room, c.field)}, {"from", whole(room, c.from)}, {"to", whole(room, c.to)}};
}

[[nodiscard]] ordered_json changes_of(const text_room& room, const std::vector<field_change>& all, std::size_t from,
                                      std::size_t to) {
    ordered_json changes = ordered_json::array();
    for (; from < to; ++from) changes.push_back(of(room, all[from]));
    return changes;
}

}  // namespace

std::string text_of(const ordered_json& j) { return j.dump(-1, ' ', false, ordered_json::error_handler_t::replace); }

std::string write_stages(const moment& now) {
    ordered_json stages = ordered_json::array();
    for (const stage_figures& s : now.stages) stages.push_back(of(s));
    return text_of({{"tick", now.tick}, {"stages", stages}});
}

ordered_json sample_of(const stage_figures& s) {
    const journal_stats& j = s.journal;
    return ordered_json::array({s.id, s.now, s.entities, s.births, j.commits, j.entries, j.used, j.open, j.dropped,
                                j.refused, j.cuts, j.resets, s.commits_refused});
}

std::string list_job::text() const {
    ordered_json rows = ordered_json::array();
    for (const entity_row& row : rows_) rows.push_back(of(row));
    ordered_json next;
    if (!through_) next = std::to_string(at_.of) + "." + std::to_string(at_.slot);
    return text_of({{"stage", stage}, {"now", now_}, {"looked", looked_}, {"entities", rows}, {"next", next}});
}

std::string entity_job::text() const {
    if (!found_) return {};
    ordered_json fields = ordered_json::array();
    for (const field_row& f : fields_) {
        fields.push_back({{"name", whole(room_, f.name)},
                          {"is", whole(room_, f.is)},
                          {"value", whole(room_, f.value)},
                          {"sent", f.sent},
                          {"saved", f.saved}});
    }
    ordered_json history = ordered_json::array();
    std::size_t from = 0;
    for (const commit_row& c : commits_) {
        history.push_back({{"version", c.made.version},
                           {"tick", c.made.tick.count},
                           {"changes", changes_of(room_, changes_, from, c.changes)}});
        from = c.changes;
    }
    ordered_json j = of(row_);
    j["stage"] = stage;
    j["now"] = now_;
    j["class_name"] = whole(room_, class_);
    j["fields"] = fields;
    j["history_kept"] = history_;
    j["history"] = history;
    return text_of(j);
}

std::string journal_job::text() const {
    ordered_json entries = ordered_json::array();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const entry_row& row = rows_[i];
        const stamp& what = row.what;
        // An update has no id of its own, and its entity may be over: an entry of the same life says it then.
        std::string_view id = row.id.view();
        if (id.empty()) {
            const auto same = std::find_if(rows_.begin(), rows_.end(), [&what](const entry_row& other) {
                return other.what.generation == what.generation && other.what.local_class == what.local_class &&
                       !other.id.empty();
            });
            if (same != rows_.end()) id = same->id.view();
        }
        ordered_json e = {{"number", row.number},
                          {"tick", what.tick.count},
                          {"commit", what.commit.value},
                          {"last", row.last},
                          {"confirmed", row.number < stats_.confirmed},
                          {"kind", to_string(what.kind)},
                          {"id", id.empty() ? ordered_json() : ordered_json(id)},
                          {"class", what.local_class},
                          {"generation", what.generation.value},
                          {"version", what.version.value},
                          {"changes", changes_of(room_, changes_, i == 0 ? 0 : rows_[i - 1].changes, row.changes)}};
        if (row.note.size != 0) e["note"] = whole(room_, row.note);
        entries.push_back(std::move(e));
    }
    return text_of({{"stage", stage},
                    {"now", now_},
                    {"next", stats_.entries},
                    {"kept", stats_.kept},
                    {"confirmed", stats_.confirmed},
                    {"first_open_tick", first_open_tick_},
                    {"cuts", stats_.cuts},
                    {"resets", stats_.resets},
                    {"looked", looked_},
                    {"entries", entries}});
}

}  // namespace lido::inspect
