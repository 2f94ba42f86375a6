#include "metrics_writer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lido::inspect {

namespace {

/// Bytes of the UTF-8 character that `text` begins with; 0 where it begins with none.
[[nodiscard]] std::size_t character(std::string_view text) {
    const auto at = [&text](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
    const unsigned char first = at(0);
    const std::size_t bytes = first < 0x80   ? 1
                              : first < 0xc2 ? 0
                              : first < 0xe0 ? 2
                              : first < 0xf0 ? 3
                              : first < 0xf5 ? 4
                                             : 0;
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((at(i) & 0xc0) != 0x80) return 0;
    }
    const bool overlong = (first == 0xe0 && at(1) < 0xa0) || (first == 0xf0 && at(1) < 0x90);
    const bool no_character = (first == 0xed && at(1) >= 0xa0) || (first == 0xf4 && at(1) >= 0x90);
    return overlong || no_character ? 0 : bytes;
}

/// Backslash, quote and new line are escaped in a label. What is no text is spelled out as \xNN: a reader refuses all figures for one
/// bad byte, and two names must stay two.
[[nodiscard]] std::string label(std::string_view text) {
    constexpr const char* digits = "0123456789abcdef";
    std::string out;
    while (!text.empty()) {
        const char c = text.front();
        const std::size_t bytes = character(text);
        if (c == '\n') {
            out += "\\n";
        } else if (bytes == 0 || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            const auto byte = static_cast<unsigned char>(c);
            out += {'\\', '\\', 'x', digits[byte >> 4], digits[byte & 15]};
        } else {
            if (c == '\\' || c == '"') out.push_back('\\');
            out.append(text.substr(0, bytes));
        }
        text.remove_prefix(bytes == 0 ? 1 : bytes);
    }
    return out;
}

struct family {
    std::string_view name;
    bool counter;
    std::string_view help;
    std::uint64_t (*value)(const pool_stats&);
};

constexpr std::array families = {
    family{"lido_pool_live", false, "Objects that live.", [](const pool_stats& s) -> std::uint64_t { return s.size; }},
    family{"lido_pool_peak", false, "The most objects that lived at once.",
           [](const pool_stats& s) -> std::uint64_t { return s.peak; }},
    family{"lido_pool_capacity", false, "Slots that there are now.",
           [](const pool_stats& s) -> std::uint64_t { return s.capacity; }},
    family{"lido_pool_max_capacity", false, "Slots that growth may reach.",
           [](const pool_stats& s) -> std::uint64_t { return s.max_capacity; }},
    family{"lido_pool_idle", false, "Built objects that wait.",
           [](const pool_stats& s) -> std::uint64_t { return s.idle; }},
    family{"lido_pool_waiting_ends", false, "Objects whose end waits to be confirmed.",
           [](const pool_stats& s) -> std::uint64_t { return s.waiting_ends; }},
    family{"lido_pool_retired", false, "Slots that are out of generations.",
           [](const pool_stats& s) -> std::uint64_t { return s.retired; }},
    family{"lido_pool_bytes", false, "Memory that the pool holds.",
           [](const pool_stats& s) -> std::uint64_t { return s.bytes; }},
    family{"lido_pool_acquired", true, "Lives begun.", [](const pool_stats& s) { return s.acquired; }},
    family{"lido_pool_released", true, "Lives ended.", [](const pool_stats& s) { return s.released; }},
    family{"lido_pool_refused", true, "Requests without an object.", [](const pool_stats& s) { return s.refused; }},
    family{"lido_pool_replaced", true, "Lives ended to make room.", [](const pool_stats& s) { return s.replaced; }},
    family{"lido_pool_merged", true, "Newcomers folded into a live object.",
           [](const pool_stats& s) { return s.merged; }},
    family{"lido_pool_grown", true, "Times that the capacity was raised.", [](const pool_stats& s) { return s.grown; }},
    family{"lido_pool_bad_releases", true, "Stale, double, wild and foreign releases.",
           [](const pool_stats& s) { return s.bad_releases; }},
};

struct stage_family {
    std::string_view name;
    bool counter;
    std::string_view help;
    std::uint64_t (*value)(const stage_figures&);
};

constexpr std::array stage_families = {
    stage_family{"lido_stage_entities", false, "Entities that live.",
                 [](const stage_figures& s) { return s.entities; }},
    stage_family{"lido_stage_managed", false, "Resources that belong to lives.",
                 [](const stage_figures& s) { return s.managed; }},
    stage_family{"lido_stage_managed_waiting", false, "Resources of lives whose end is not certain.",
                 [](const stage_figures& s) { return s.managed_waiting; }},
    stage_family{"lido_stage_listeners", false, "Listeners of single lives.",
                 [](const stage_figures& s) { return s.listeners; }},
    stage_family{"lido_stage_births", true, "Lives begun.", [](const stage_figures& s) { return s.births; }},
    stage_family{"lido_stage_commits_refused", true, "Commits that were refused.",
                 [](const stage_figures& s) { return s.commits_refused; }},
    stage_family{"lido_stage_idle_overflow", true, "Entities that were to be pooled and were destroyed.",
                 [](const stage_figures& s) { return s.idle_overflow; }},
    stage_family{"lido_journal_capacity_bytes", false, "Memory for entries.",
                 [](const stage_figures& s) { return s.journal.capacity; }},
    stage_family{"lido_journal_used_bytes", false, "Memory that has entries.",
                 [](const stage_figures& s) { return s.journal.used; }},
    stage_family{"lido_journal_open_bytes", false, "Memory of entries that are not confirmed.",
                 [](const stage_figures& s) { return s.journal.open; }},
    stage_family{"lido_journal_peak_open_bytes", false, "The most memory of entries that were not confirmed.",
                 [](const stage_figures& s) { return s.journal.peak_open; }},
    stage_family{"lido_journal_kept", false, "Entries that are kept.",
                 [](const stage_figures& s) { return s.journal.kept; }},
    stage_family{"lido_journal_readers", false, "Readers.",
                 [](const stage_figures& s) -> std::uint64_t { return s.journal.readers; }},
    stage_family{"lido_journal_commits", true, "Commits.", [](const stage_figures& s) { return s.journal.commits; }},
    stage_family{"lido_journal_entries", true, "Entries.", [](const stage_figures& s) { return s.journal.entries; }},
    stage_family{"lido_journal_confirmed", true, "Entries that are confirmed.",
                 [](const stage_figures& s) { return s.journal.confirmed; }},
    stage_family{"lido_journal_dropped", true, "Entries dropped to make room.",
                 [](const stage_figures& s) { return s.journal.dropped; }},
    stage_family{"lido_journal_refused", true, "Commits that found no room.",
                 [](const stage_figures& s) { return s.journal.refused; }},
    stage_family{"lido_journal_cuts", true, "Rewinds that took entries back.",
                 [](const stage_figures& s) { return s.journal.cuts; }},
    stage_family{"lido_journal_resets", true, "Times that all entries went.",
                 [](const stage_figures& s) { return s.journal.resets; }},
};

struct reader_family {
    std::string_view name;
    bool counter;
    std::string_view help;
    std::uint64_t (*value)(const reader_figures&);
};

constexpr std::array reader_families = {
    reader_family{"lido_journal_reader_lag", false, "Entries that a reader has not read.",
                  [](const reader_figures& r) { return r.lag; }},
    reader_family{"lido_journal_reader_lag_bytes", false, "Bytes of these.",
                  [](const reader_figures& r) { return r.lag_bytes; }},
    reader_family{"lido_journal_reader_read", true, "Entries that a reader was given.",
                  [](const reader_figures& r) { return r.read; }},
    reader_family{"lido_journal_reader_fell_behind", true, "Times that entries were dropped before they were read.",
                  [](const reader_figures& r) { return r.fell_behind; }},
};

struct store_family {
    std::string_view name;
    bool counter;
    std::string_view help;
    std::uint64_t (*value)(const store_figures&);
};

constexpr std::array store_families = {
    store_family{"lido_store_ready", false, "1: it saves; 0: its work has ended, or has not begun.",
                 [](const store_figures& s) -> std::uint64_t { return s.ready ? 1 : 0; }},
    store_family{"lido_store_retrying", false, "1: the database does not take what waits.",
                 [](const store_figures& s) -> std::uint64_t { return s.state() == store_state::retrying ? 1 : 0; }},
    store_family{"lido_store_entities", false, "Persistent entities whose creation is confirmed.",
                 [](const store_figures& s) { return s.entities; }},
    store_family{"lido_store_pending", false, "Entities with changes that are not durable.",
                 [](const store_figures& s) { return s.pending; }},
    store_family{"lido_store_loading", false, "Rows that are asked for.",
                 [](const store_figures& s) { return s.loading; }},
    store_family{"lido_store_held_bytes", false, "Memory for copies of entities.",
                 [](const store_figures& s) { return s.bytes_held; }},
    store_family{"lido_store_durable_tick", false, "The last tick that the database has.",
                 [](const store_figures& s) { return s.durable_tick; }},
    store_family{"lido_store_confirmed_tick", false, "The last tick that the store has seen.",
                 [](const store_figures& s) { return s.confirmed_tick; }},
    store_family{"lido_store_saves", true, "Saves that became durable.",
                 [](const store_figures& s) { return s.saves; }},
    store_family{"lido_store_coalesced", true, "Changes that went with a save of another one.",
                 [](const store_figures& s) { return s.coalesced; }},
    store_family{"lido_store_superseded", true, "Saves of rows that the database had newer.",
                 [](const store_figures& s) { return s.superseded; }},
    store_family{"lido_store_failed", true, "Saves that did not become durable.",
                 [](const store_figures& s) { return s.failed; }},
    store_family{"lido_store_loads", true, "Rows that became entities.",
                 [](const store_figures& s) { return s.loads; }},
    store_family{"lido_store_loads_refused", true, "Rows that did not become entities.",
                 [](const store_figures& s) { return s.loads_refused; }},
    store_family{"lido_store_transactions", true, "Transactions.",
                 [](const store_figures& s) { return s.transactions; }},
    store_family{"lido_store_retries", true, "Times that the database said not now.",
                 [](const store_figures& s) { return s.retries; }},
    store_family{"lido_store_written_bytes", true, "Data of rows that was written.",
                 [](const store_figures& s) { return s.bytes_written; }},
    store_family{"lido_store_snapshots", true, "Times that all entities were looked at anew.",
                 [](const store_figures& s) { return s.snapshots; }},
    store_family{"lido_store_creations_refused", true, "Creations refused because too much was pending.",
                 [](const store_figures& s) { return s.creations_refused; }},
};

void write_head(std::string& out, std::string_view name, bool counter, std::string_view help) {
    out.append("# TYPE ").append(name).append(counter ? " counter\n" : " gauge\n");
    out.append("# HELP ").append(name).append(" ").append(help).append("\n");
}

/// One sample. `labels` is what follows the name of the stage.
void write_stage_line(std::string& out, std::string_view name, bool counter, const stage_figures& s,
                      const std::string& labels, std::uint64_t value) {
    out.append(name).append(counter ? "_total" : "").append("{stage=\"").append(label(s.name)).append("\"");
    out.append(labels).append("} ").append(std::to_string(value)).append("\n");
}

void write_stages(std::string& out, const std::vector<stage_figures>& stages) {
    for (const stage_family& f : stage_families) {
        write_head(out, f.name, f.counter, f.help);
        for (const stage_figures& s : stages) write_stage_line(out, f.name, f.counter, s, {}, f.value(s));
    }
    write_head(out, "lido_stage_class_entities", false, "Entities of a class that live.");
    for (const stage_figures& s : stages) {
        for (const entity_class_figures& c : s.classes)
            write_stage_line(out, "lido_stage_class_entities", false, s, ",class=\"" + label(c.name) + "\"", c.live);
    }
    for (const reader_family& f : reader_families) {
        write_head(out, f.name, f.counter, f.help);
        for (const stage_figures& s : stages) {
            for (std::size_t i = 0; i < s.readers.size(); ++i) {
                // Of several that have one name, all but the first are told by their place.
                const reader_figures& r = s.readers[i];
                const std::string name = r.unique ? r.name : r.name + " " + std::to_string(i);
                write_stage_line(out, f.name, f.counter, s, ",reader=\"" + label(name) + "\"", f.value(r));
            }
        }
    }
}

void write_stores(std::string& out, const std::vector<store_figures>& stores) {
    for (const store_family& f : store_families) {
        write_head(out, f.name, f.counter, f.help);
        for (const store_figures& s : stores) {
            out.append(f.name).append(f.counter ? "_total" : "").append("{store=\"").append(label(s.name));
            out.append("\"} ").append(std::to_string(f.value(s))).append("\n");
        }
    }
}

}  // namespace

std::string write_metrics(const moment& now) {
    std::string out;
    for (const family& f : families) {
        write_head(out, f.name, f.counter, f.help);
        for (const pool_figures& p : now.pools) {
            if (p.gone) continue;
            out.append(f.name).append(f.counter ? "_total" : "");
            out.append("{pool=\"")
                .append(label(p.name))
                .append("\",shape=\"")
                .append(label(p.stats.shape))
                .append("\"} ");
            out.append(std::to_string(f.value(p.stats))).append("\n");
        }
    }
    if (!now.stages.empty()) write_stages(out, now.stages);
    if (!now.stores.empty()) write_stores(out, now.stores);
    out += "# EOF\n";
    return out;
}

}  // namespace lido::inspect
