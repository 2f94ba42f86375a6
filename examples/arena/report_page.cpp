#include "report_page.hpp"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <system_error>
#include <vector>

namespace arena {

namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --paper: #fbfaf7; --card: #ffffff; --ink: #1c1e21; --soft: #62676f; --line: #dcdad3;
  --live: #2563a8; --peak: #b4590f; --room: #8b8f96; --churn: #1a7f6b; --dropped: #c02c3c; --replaced: #b4780f; --merged: #7a4bb5; }
@media (prefers-color-scheme: dark) { :root { --paper: #14161a; --card: #1c1f25; --ink: #e8e6e1; --soft: #9aa0a9; --line: #343943;
  --live: #6aa9ec; --peak: #ee9d55; --room: #767c86; --churn: #4fc3a8; --dropped: #f2707d; --replaced: #e3b04b; --merged: #b691ea; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1680px; margin: 0 auto; padding: clamp(14px, 3vw, 40px); }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .7rem; } h3 { font-size: 1rem; margin: 0; }
p { margin: 0; } .soft, small { color: var(--soft); font-weight: normal; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 10px; margin: 1.2rem 0 0; }
dl div { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 8px 12px; min-width: 0; }
dl .wide { grid-column: span 2; }
dt { color: var(--soft); font-size: .82rem; } dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.hash { font-family: ui-monospace, monospace; } .bad { color: var(--dropped); font-weight: 600; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: 6px 12px; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child, .t, th.t { text-align: left; } tbody tr:last-child > * { border-bottom: 0; }
thead th { color: var(--soft); font-size: .82rem; font-weight: normal; } tbody th { font-weight: 600; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 350px), 1fr)); gap: 14px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px 14px; min-width: 0; }
.all { grid-column: 1 / -1; }
.key { display: flex; flex-wrap: wrap; gap: 0 14px; font-size: .82rem; color: var(--soft); margin-top: 8px; }
.key b { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums; }
.key i { display: inline-block; width: 12px; height: 3px; margin-right: 5px; vertical-align: middle; background: currentColor; }
.plot { position: relative; margin-top: 2px; border-bottom: 1px solid var(--line); }
.plot span { position: absolute; left: 0; top: 0; font-size: .72rem; line-height: 1; color: var(--soft); background: var(--card); padding: 1px 4px 1px 0; }
svg { display: block; width: 100%; height: 54px; } .tall svg { height: 110px; } .strip svg { height: 26px; }
path { fill: none; stroke-width: 1.4; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.axis { display: flex; justify-content: space-between; font-size: .72rem; color: var(--soft); }
.live { stroke: var(--live); color: var(--live); } .live.area { fill: var(--live); fill-opacity: .18; }
.peak { stroke: var(--peak); color: var(--peak); } .room { stroke: var(--room); color: var(--room); stroke-dasharray: 5 4; }
.churn { stroke: var(--churn); color: var(--churn); } .churn.area { fill: var(--churn); fill-opacity: .18; }
.dropped { stroke: var(--dropped); color: var(--dropped); } .replaced { stroke: var(--replaced); color: var(--replaced); }
.merged { stroke: var(--merged); color: var(--merged); }
.dropped.area { fill: var(--dropped); fill-opacity: .18; } .merged.area { fill: var(--merged); fill-opacity: .18; }
.some { display: flex; flex-wrap: wrap; gap: 14px 28px; margin-top: 14px; align-items: flex-start; } .some .scroll { flex: 0 1 380px; }
.some ul { flex: 1 1 380px; margin: 6px 0; padding-left: 18px; font-variant-numeric: tabular-nums; }
@media print { .card, dl div, tr { break-inside: avoid; } }
)";

// Plots are 1000 by 100; the browser stretches them, and text stands outside so that it keeps its size.
constexpr std::uint64_t plot_width = 1000;
constexpr std::uint64_t plot_height = 100;

/// Names of files are bytes; a page is not. Overlong forms and halves of pairs pass, which no browser minds.
[[nodiscard]] bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto lead = static_cast<unsigned char>(text[i]);
        if (lead < 0x80) continue;
        std::size_t more = lead >= 0xf0 && lead < 0xf5   ? 3
                           : lead >= 0xe0 && lead < 0xf0 ? 2
                           : lead >= 0xc2 && lead < 0xe0 ? 1
                                                         : 0;
        if (more == 0) return false;
        for (; more != 0; --more) {
            if (++i == text.size() || (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return false;
        }
    }
    return true;
}

void put(std::string& out, std::string_view text) { out += text; }
void put(std::string& out, std::uint64_t number) { out += std::to_string(number); }
void put(std::string& out, int number) { out += std::to_string(number); }
template <class... More>
    requires(sizeof...(More) > 1)
void put(std::string& out, const More&... more) {
    (put(out, more), ...);
}

[[nodiscard]] std::string decimals(double number, int places) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*f", places, number);
    return text;
}

/// A value of every sample, of one pool.
using line = std::vector<std::uint64_t>;

template <class F>
[[nodiscard]] line line_of(const recorder& records, F&& value) {
    line l;
    for (std::size_t i = 0; i < records.size(); ++i) l.push_back(value(records[i]));
    return l;
}

/// How a counter went up, a second of play.
template <class F>
[[nodiscard]] line rate_of(const recorder& records, F&& counter) {
    line l;
    std::uint64_t tick = 0;
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const std::uint64_t now = counter(records[i]);
        const std::uint64_t took = std::max<std::uint64_t>(1, records[i].tick - tick);
        // A rollback may have set a counter back, never by much.
        l.push_back((now > before ? now - before : 0) * ticks_a_second / took);
        before = now;
        tick = records[i].tick;
    }
    return l;
}

[[nodiscard]] std::uint64_t most_of(const line& l) { return l.empty() ? 0 : *std::max_element(l.begin(), l.end()); }

class plot {
public:
    plot(std::string& out, const recorder& records, std::uint64_t top, std::string_view kind, std::string_view label)
        : out_(out), records_(records), top_(std::max<std::uint64_t>(1, top)) {
        put(out_, "<div class=\"plot ", kind, "\"><span>", top_, "</span><svg viewBox=\"0 0 ", plot_width, " ",
            plot_height, "\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"", escaped(label), "\">");
    }
    plot(const plot&) = delete;
    plot& operator=(const plot&) = delete;
    ~plot() { out_ += "</svg></div>\n"; }

    void draw(std::string_view kind, const line& values, bool area = false) {
        put(out_, "<path class=\"", kind, area ? " area" : "", "\" d=\"");
        if (area) put(out_, "M", x(0), " ", plot_height);
        for (std::size_t i = 0; i < values.size(); ++i) {
            put(out_, i == 0 && !area ? "M" : "L", x(i), " ");
            y(values[i]);
        }
        if (area && !values.empty()) put(out_, "L", x(values.size() - 1), " ", plot_height, "Z");
        out_ += "\"/>";
    }

private:
    [[nodiscard]] std::uint64_t x(std::size_t i) const {
        return records_.size() == 0 ? 0 : records_[i].tick * plot_width / records_.ticks();
    }
    /// In tenths: a pixel on a tall screen.
    void y(std::uint64_t value) {
        const std::uint64_t tenths = plot_height * 10 - std::min(value, top_) * plot_height * 10 / top_;
        put(out_, tenths / 10);
        if (tenths % 10 != 0) put(out_, ".", tenths % 10);
    }

    std::string& out_;
    const recorder& records_;
    std::uint64_t top_;
};

void key(std::string& out, std::string_view kind, std::string_view name, std::uint64_t number, std::string_view unit) {
    put(out, "<span><i class=\"", kind, "\"></i>", name, " <b>", number, "</b>", unit, "</span>");
}

void axis(std::string& out, const recorder& records) {
    put(out, "<div class=\"axis\"><span>tick 0</span><span>", records.ticks(), "</span></div>\n");
}

/// One pool: live objects, churn, and what did not get a place of its own.
void card(std::string& out, const recorder& records, std::size_t which, std::string_view name, std::string_view shape) {
    const auto of = [which](const sample& s) -> const figures& { return s.of[which]; };
    const figures last = records.size() == 0 ? figures{} : of(records[records.size() - 1]);
    const line live = line_of(records, [of](const sample& s) { return of(s).live; });
    const line room = line_of(records, [of](const sample& s) { return of(s).capacity; });
    const line peak = line_of(records, [of](const sample& s) { return of(s).peak; });
    const line churn = rate_of(records, [of](const sample& s) { return of(s).acquired; });
    const line dropped = rate_of(records, [of](const sample& s) { return of(s).dropped; });
    const line replaced = rate_of(records, [of](const sample& s) { return of(s).replaced; });
    const line merged = rate_of(records, [of](const sample& s) { return of(s).merged; });

    const std::string safe = escaped(name);
    put(out, "<section class=\"card\"><h3>", safe, " <small>", escaped(shape), "</small></h3>\n<p class=\"key\">");
    key(out, "live", "most at once", most_of(live), "");
    key(out, "peak", "peak", last.peak, "");
    key(out, "room", most_of(room) == last.capacity ? "capacity" : "capacity at most", most_of(room), "");
    out += "</p>\n";
    {
        plot p(out, records, std::max({most_of(room), most_of(peak), most_of(live)}), "tall",
               "Live objects of " + std::string(name) + ", with capacity and peak");
        p.draw("live", live, true);
        p.draw("room", room);
        p.draw("peak", peak);
    }
    out += "<p class=\"key\">";
    key(out, "churn", "new a second, at most", most_of(churn), "");
    out += "</p>\n";
    plot(out, records, most_of(churn), "", "New objects a second of " + std::string(name)).draw("churn", churn, true);
    out += "<p class=\"key\">";
    const std::uint64_t most = std::max({most_of(dropped), most_of(replaced), most_of(merged)});
    if (last.dropped == 0 && last.replaced == 0 && last.merged == 0) {
        out += "<span>nothing dropped, replaced or merged</span></p>\n";
    } else {
        if (last.dropped != 0) key(out, "dropped", "dropped", last.dropped, "");
        if (last.replaced != 0) key(out, "replaced", "replaced", last.replaced, "");
        if (last.merged != 0) key(out, "merged", "merged", last.merged, "");
        out += "</p>\n";
        plot p(out, records, most, "", "Dropped, replaced and merged a second, of " + std::string(name));
        if (last.dropped != 0) p.draw("dropped", dropped);
        if (last.replaced != 0) p.draw("replaced", replaced);
        if (last.merged != 0) p.draw("merged", merged);
    }
    axis(out, records);
    out += "</section>\n";
}

void fact(std::string& out, std::string_view name, std::string_view value, std::string_view kind = "") {
    put(out, "<div", kind == "hash" ? " class=\"wide\"" : "", "><dt>", name, "</dt><dd");
    if (!kind.empty()) put(out, " class=\"", kind, "\"");
    put(out, ">", escaped(value), "</dd></div>\n");
}

void facts(std::string& out, const simulation& game, const outcome& run) {
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016" PRIx64, run.hash);
    const world_state& w = game.world();
    out += "<dl>\n";
    fact(out, "State hash", hash, "hash");
    fact(out, "Play", game.play().name);
    fact(out, "Seed", std::to_string(run.seed));
    fact(out, "Ticks", std::to_string(run.ticks));
    fact(out, "Rollbacks of " + std::to_string(run.rollback_depth) + " ticks", std::to_string(run.rollbacks));
    fact(out, "Inexact", std::to_string(run.inexact), run.inexact == 0 ? "" : "bad");
    fact(out, "Time", decimals(run.seconds, 1) + " s");
    fact(out, "Ticks a second", decimals(run.seconds > 0 ? static_cast<double>(run.ticks) / run.seconds : 0, 0));
    fact(out, "Score", std::to_string(w.score));
    fact(out, "Hits taken", std::to_string(w.hits_taken));
    fact(out, "Missiles whose target died first", std::to_string(w.targets_lost));
    fact(out, "Experience", std::to_string(w.xp));
    const auto sum = game.count_riches();
    fact(out, "Gold", std::to_string(sum.gold), sum.gold == all_gold ? "" : "bad");
    fact(out, "Keys", std::to_string(sum.keys), sum.keys == all_keys ? "" : "bad");
    fact(out, "Settings", run.settings);
    out += "</dl>\n";
}

void begin_table(std::string& out, std::string_view label, std::initializer_list<std::string_view> heads) {
    put(out, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"", label, "\"><table><thead><tr>");
    for (const std::string_view head : heads)
        put(out, head == "shape" ? "<th scope=\"col\" class=\"t\">" : "<th scope=\"col\">", head, "</th>");
    out += "</tr></thead><tbody>\n";
}

void cells(std::string& out, std::initializer_list<std::uint64_t> numbers) {
    for (const std::uint64_t n : numbers) put(out, "<td>", n, "</td>");
}

void tables(std::string& out, const simulation& game) {
    out += "<h2>Pools</h2>\n";
    begin_table(out, "Pools",
                {"pool", "shape", "capacity", "peak", "acquired", "dropped", "replaced", "merged", "bytes a slot"});
    for (const pool_row& r : pool_rows(game)) {
        put(out, "<tr><th scope=\"row\">", escaped(r.name), "</th><td class=\"t\">", escaped(r.shape), "</td>");
        cells(out, {r.capacity, r.peak, r.acquired, r.dropped, r.replaced, r.merged});
        put(out, "<td>", decimals(r.bytes_a_slot, 2), "</td></tr>\n");
    }
    out += "</tbody></table></div>\n<h2>Classes of the world</h2>\n";
    begin_table(out, "Classes of the world",
                {"class of the world", "live", "peak", "wait", "capacity", "grown", "spawned", "expired", "replaced",
                 "refused"});
    for (const lido::class_stats& s : class_rows(game)) {
        put(out, "<tr><th scope=\"row\">", escaped(s.name), "</th>");
        cells(out, {s.pool.size, s.pool.peak, s.pool.idle, s.pool.capacity, s.pool.grown, s.counters.spawned,
                    s.counters.expired, s.counters.replaced, s.counters.refused});
        out += "</tr>\n";
    }
    out += "</tbody></table></div>\n<h2>Entities of the stage</h2>\n";
    begin_table(out, "Entities of the stage",
                {"class of the stage", "live", "peak", "wait", "lives", "commits", "ends", "locks", "history"});
    for (const entity_row& r : entity_rows(game)) {
        put(out, "<tr><th scope=\"row\">", escaped(r.name), "</th>");
        cells(out, {r.live, r.peak, r.wait, r.lives, r.commits, r.ends, r.locks, r.history});
        out += "</tr>\n";
    }
    out += "</tbody></table></div>\n<div class=\"some\">";
    begin_table(out, "Refused by the stage", {"refused by the stage", "times"});
    for (const refusal_row& r : refusal_rows(game)) {
        put(out, "<tr><th scope=\"row\">", escaped(r.reason), "</th>");
        cells(out, {r.times});
        out += "</tr>\n";
    }
    out += "</tbody></table></div><ul>\n";
    for (const std::string& said : stage_lines(game)) put(out, "<li>", escaped(said), "</li>\n");
    out += "</ul></div>\n";
}

/// A stroke for every sample that has some.
void marks(std::string& out, const recorder& records, const line& counts) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] != 0) put(out, "M", records[i].tick * plot_width / records.ticks(), " 0v", plot_height);
    }
}

void rollbacks(std::string& out, const outcome& run, const recorder& records) {
    const line all = line_of(records, [](const sample& s) { return s.rollbacks; });
    out += "<section class=\"card all\"><h3>Rollbacks <small>played again and compared</small></h3>\n<p class=\"key\">";
    key(out, "live", "in all", run.rollbacks, "");
    key(out, "dropped", "inexact", run.inexact, "");
    out += "</p>\n";
    {
        plot p(out, records, most_of(all), "strip", "Rollbacks over the run");
        put(out, "<path class=\"live\" d=\"");
        marks(out, records, all);
        put(out, "\"/><path class=\"dropped\" d=\"");
        marks(out, records, line_of(records, [](const sample& s) { return s.inexact; }));
        out += "\"/>";
    }
    axis(out, records);
    out += "</section>\n";
}

/// Entities, commits and refusals of the stage, and how full its journal is.
void stage_card(std::string& out, const recorder& records, const simulation& game) {
    const auto one = [&](std::string_view kind, std::string_view name, std::string_view label, const line& values,
                         std::string_view size) {
        out += "<p class=\"key\">";
        key(out, kind, name, most_of(values), "");
        out += "</p>\n";
        plot(out, records, most_of(values), size, label).draw(kind, values, true);
    };
    out += "<section class=\"card\"><h3>stage <small>entities and their journal</small></h3>\n";
    one("live", "entities, at most", "Entities of the stage",
        line_of(records, [](const sample& s) { return s.stage.entities; }), "tall");
    one("churn", "commits a second, at most", "Commits a second",
        rate_of(records, [](const sample& s) { return s.stage.commits; }), "");
    one("dropped", "refused a second, at most", "Refused a second",
        rate_of(records, [](const sample& s) { return s.stage.refused; }), "");
    one("merged", "bytes of the journal not confirmed, at most", "Bytes of the journal that are not confirmed",
        line_of(records, [](const sample& s) { return s.stage.open_bytes; }), "");
    put(out, "<p class=\"key\"><span>of ", game.stage().changes().stats().capacity, " bytes</span></p>\n");
    axis(out, records);
    out += "</section>\n";
}

}  // namespace

std::string escaped(std::string_view text) {
    const bool readable = is_utf8(text);
    std::string out;
    for (char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !readable)) c = '?';
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            default: out += c;
        }
    }
    return out;
}

std::string report_page(const simulation& game, const outcome& run, const recorder& records) {
    std::string out;
    out.reserve(512 * 1024);
    put(out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>The arena, seed ",
        run.seed, "</title>\n<style>", style, "</style></head>\n<body><main>\n<h1>The arena</h1>\n<p class=\"soft\">",
        "A game without a screen, played on lido's pools. The same seed gives the same hash on every machine.</p>\n");
    facts(out, game, run);
    tables(out, game);
    put(out, "<h2>Over the run</h2>\n<p class=\"soft\">", records.size(),
        " samples; live objects are the most between two of them; ", ticks_a_second,
        " ticks are a second of play.</p>\n<div class=\"cards\" style=\"margin-top: .7rem\">\n");
    rollbacks(out, run, records);
    std::size_t which = 0;
    for (const pool_row& r : pool_rows(game)) card(out, records, which++, r.name, r.shape);
    for (const lido::class_stats& s : class_rows(game)) {
        if (which < series_count) card(out, records, which++, s.name, "class of the world");
    }
    stage_card(out, records, game);
    out += "</div>\n</main></body></html>\n";
    return out;
}

std::string report_problem(const std::string& file) {
    if (file.empty()) return {};
    std::error_code error;
    const bool was_there = std::filesystem::exists(file, error);
    // To append changes nothing of what is there.
    std::FILE* const f = std::fopen(file.c_str(), "ab");
    if (f == nullptr) return "cannot write the report to " + file + ": " + std::strerror(errno);
    std::fclose(f);
    if (!was_there) std::filesystem::remove(file, error);
    return {};
}

bool write_report(const std::string& file, std::string_view page) {
    std::FILE* const f = std::fopen(file.c_str(), "wb");
    if (f == nullptr) return false;
    const bool written = std::fwrite(page.data(), 1, page.size(), f) == page.size();
    return std::fclose(f) == 0 && written;
}

}  // namespace arena
