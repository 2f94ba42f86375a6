#include <bench/harness/crossovers.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

namespace bench {

namespace {

/// Both must be figures.
bool clearly_less(double a, double b) { return a < b * (1 - equal_within); }
bool as_little(double a, double b) { return a * (1 - equal_within) <= b; }

/// "8, 64 and 512"; three and more that follow each other in `all` are "64 to 512".
std::string listed(const std::vector<std::size_t>& values, const std::vector<std::size_t>& all) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < values.size();) {
        auto at = std::find(all.begin(), all.end(), values[i]);
        std::size_t last = i;
        while (last + 1 < values.size() && ++at != all.end() && *at == values[last + 1]) ++last;
        if (last - i >= 2) {
            parts.push_back(std::to_string(values[i]) + " to " + std::to_string(values[last]));
            i = last + 1;
        } else {
            parts.push_back(std::to_string(values[i++]));
        }
    }
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i != 0) text += i + 1 == parts.size() ? " and " : ", ";
        text += parts[i];
    }
    return text;
}

std::string with(const char* words, std::size_t value) {
    char text[96];
    std::snprintf(text, sizeof text, words, value);
    return text;
}

/// "  10, 25 and 50 %: up to 256 slots": values with the same answer share a line.
void add_grouped(std::vector<std::string>& lines, const std::vector<std::size_t>& values,
                 const std::vector<std::string>& answers, const char* unit) {
    std::set<std::string> done;
    for (const std::string& answer : answers) {
        if (!done.insert(answer).second) continue;
        std::vector<std::size_t> same;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (answers[i] == answer) same.push_back(values[i]);
        }
        lines.push_back("    " + listed(same, values) + unit + ": " + answer);
    }
}

/// The best that the one which may lose has to show.
struct nearest {
    double ratio = std::numeric_limits<double>::infinity();
    std::size_t slots = 0;
    std::size_t percent = 0;

    void look(double r, std::size_t at_slots, std::size_t at_percent) {
        if (r < ratio) *this = {r, at_slots, at_percent};
    }
    void add_to(std::vector<std::string>& lines) const {
        if (!std::isfinite(ratio)) return;
        char text[96];
        std::snprintf(text, sizeof text, "    at best %.2f times the cost, with %zu slots, %zu %% live", ratio, slots,
                      percent);
        lines.emplace_back(text);
    }
};

void add_spawns(std::vector<std::string>& lines, const pattern_table& table, bool lido) {
    const auto sizes = table.sizes();
    const auto percents = table.percents();
    std::vector<std::string> answers;
    nearest least;
    for (const std::size_t percent : percents) {
        std::vector<std::size_t> known;
        std::vector<bool> holds;
        for (const std::size_t slots : sizes) {
            const double flag = table.get({pattern::flag, lido}, slots, percent).spawn;
            const double list = table.get({pattern::free_list, lido}, slots, percent).spawn;
            if (!std::isfinite(flag) || !std::isfinite(list)) continue;
            known.push_back(slots);
            holds.push_back(as_little(flag, list));
            least.look(flag / list, slots, percent);
        }
        answers.push_back(in_words(known, holds,
                                   {"at every size measured", "at no size: no crossover", "up to %zu slots",
                                    "from %zu slots on", "at %s slots"}));
    }
    lines.push_back(std::string("  ") + to_string(pattern_name{pattern::flag, lido}) + " spawns as fast as " +
                    to_string(pattern_name{pattern::free_list, lido}) + ", by occupancy:");
    add_grouped(lines, percents, answers, " % live");
    least.add_to(lines);
}

void add_updates(std::vector<std::string>& lines, const pattern_table& table, bool lido) {
    const auto sizes = table.sizes();
    const auto percents = table.percents();
    std::vector<std::string> answers;
    nearest least;
    for (const std::size_t slots : sizes) {
        std::vector<std::size_t> known;
        std::vector<bool> holds;
        for (const std::size_t percent : percents) {
            const double packed = table.get({pattern::compaction, lido}, slots, percent).update;
            const double flag = table.get({pattern::flag, lido}, slots, percent).update;
            if (!std::isfinite(packed) || !std::isfinite(flag)) continue;
            known.push_back(percent);
            holds.push_back(clearly_less(packed, flag));
            least.look(packed / flag, slots, percent);
        }
        answers.push_back(in_words(known, holds,
                                   {"at every occupancy measured", "at no occupancy: no crossover", "from %zu %% down",
                                    "from %zu %% up", "at %s %%"}));
    }
    lines.push_back(std::string("  ") + to_string(pattern_name{pattern::compaction, lido}) + " updates faster than " +
                    to_string(pattern_name{pattern::flag, lido}) + ", by size:");
    add_grouped(lines, sizes, answers, " slots");
    least.add_to(lines);
}

/// "34 of 100", or in words where there is no limit.
std::string replaced(double count, std::size_t live) {
    if (std::isnan(count)) return "-";
    if (std::isinf(count)) return "any";
    if (count <= 0) return "none";
    char text[32];
    const double part = count / static_cast<double>(live) * 100;
    std::snprintf(text, sizeof text, part < 10 ? "%.1f %%" : "%.0f %%", part);
    return text;
}

void add_break_even(std::vector<std::string>& lines, const pattern_table& table, pattern other, bool lido) {
    lines.push_back(std::string("  ") + to_string(pattern_name{pattern::compaction, lido}) +
                    " is cheaper in sum (spawns, ends and one pass) than " + to_string(pattern_name{other, lido}) +
                    " while fewer");
    lines.emplace_back("  than this part of the live objects is replaced from pass to pass:");
    std::string head = "    slots       ";
    const auto sizes = table.sizes();
    for (const std::size_t slots : sizes) {
        char text[16];
        std::snprintf(text, sizeof text, "%8zu", slots);
        head += text;
    }
    lines.push_back(head);
    for (const std::size_t percent : table.percents()) {
        char text[32];
        std::snprintf(text, sizeof text, "    %3zu %% live  ", percent);
        std::string line = text;
        for (const std::size_t slots : sizes) {
            const pattern_cell& packed = table.get({pattern::compaction, lido}, slots, percent);
            const double count = break_even(packed, table.get({other, lido}, slots, percent));
            std::snprintf(text, sizeof text, "%8s", replaced(count, packed.live).c_str());
            line += text;
        }
        lines.push_back(line);
    }
}

/// What the notation of the old table promises, from the smallest size to the largest.
void add_growth(std::vector<std::string>& lines, const pattern_table& table, bool lido) {
    const auto sizes = table.sizes();
    const auto percents = table.percents();
    if (sizes.size() < 2) return;
    for (const pattern is : {pattern::flag, pattern::free_list, pattern::compaction}) {
        const pattern_name name{is, lido};
        const pattern_cell& first = table.get(name, sizes.front(), percents.back());
        const pattern_cell& last = table.get(name, sizes.back(), percents.back());
        const pattern_cell& sparse = table.get(name, sizes.back(), percents.front());
        const double part = sparse.pass() / last.pass() * 100;
        if (!std::isfinite(last.spawn / first.spawn) || !std::isfinite(part)) continue;
        char text[200];
        std::snprintf(
            text, sizeof text,
            "    %-18s a spawn at %zu slots costs %.1f times that at %zu; a pass at %zu %% live, %.0f %% of one "
            "at %zu %%",
            to_string(name), sizes.back(), last.spawn / first.spawn, sizes.front(), percents.front(), part,
            percents.back());
        lines.emplace_back(text);
    }
}

}  // namespace

const char* to_string(pattern_name name) {
    switch (name.is) {
        case pattern::flag: return name.lido ? "flag_pool" : "flags by hand";
        case pattern::free_list: return name.lido ? "slot_pool" : "free list by hand";
        case pattern::compaction: return name.lido ? "dense_pool" : "packed by hand";
    }
    return "";
}

const pattern_cell& pattern_table::get(pattern_name name, std::size_t slots, std::size_t percent) const {
    static const pattern_cell nothing;
    const auto at = cells_.find({name, slots, percent});
    return at != cells_.end() ? at->second : nothing;
}

bool pattern_table::has(pattern_name name) const {
    return std::any_of(cells_.begin(), cells_.end(), [&](const auto& c) { return std::get<0>(c.first) == name; });
}

std::vector<std::size_t> pattern_table::sizes() const {
    std::set<std::size_t> all;
    for (const auto& [key, cell] : cells_) all.insert(std::get<1>(key));
    return {all.begin(), all.end()};
}

std::vector<std::size_t> pattern_table::percents() const {
    std::set<std::size_t> all;
    for (const auto& [key, cell] : cells_) all.insert(std::get<2>(key));
    return {all.begin(), all.end()};
}

std::string in_words(const std::vector<std::size_t>& values, const std::vector<bool>& holds, const run_words& words) {
    if (values.empty()) return "not measured";
    std::vector<std::size_t> where;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (holds[i]) where.push_back(values[i]);
    }
    if (where.empty()) return words.none;
    if (where.size() == values.size()) return words.all;
    if (where.back() == values[where.size() - 1]) return with(words.up_to, where.back());
    if (where.front() == values[values.size() - where.size()]) return with(words.from, where.front());
    char text[96];
    std::snprintf(text, sizeof text, words.some, listed(where, values).c_str());
    return text;
}

double break_even(const pattern_cell& packed, const pattern_cell& other) {
    const double dearer = packed.spawn - other.spawn;
    const double saved = other.pass() - packed.pass();
    if (!std::isfinite(dearer) || !std::isfinite(saved)) return std::numeric_limits<double>::quiet_NaN();
    if (!clearly_less(packed.pass(), other.pass())) return 0;
    if (!clearly_less(other.spawn, packed.spawn)) return std::numeric_limits<double>::infinity();
    return saved / dearer;
}

std::vector<std::string> crossovers(const pattern_table& table) {
    std::vector<std::string> lines;
    for (const bool lido : {true, false}) {
        const bool flag = table.has({pattern::flag, lido});
        const bool list = table.has({pattern::free_list, lido});
        const bool packed = table.has({pattern::compaction, lido});
        if (flag && list) add_spawns(lines, table, lido);
        if (flag && packed) add_updates(lines, table, lido);
        if (list && packed) add_break_even(lines, table, pattern::free_list, lido);
    }
    bool growth = false;
    for (const bool lido : {true, false}) {
        std::vector<std::string> more;
        add_growth(more, table, lido);
        if (more.empty()) continue;
        if (!growth) {
            lines.push_back("  how cost grows (spawns at " + std::to_string(table.percents().back()) + " % live):");
            growth = true;
        }
        lines.insert(lines.end(), more.begin(), more.end());
    }
    return lines;
}

}  // namespace bench
