#include <bench/harness/patterns.hpp>

#include <bench/harness/meter.hpp>
#include <bench/harness/output.hpp>
#include <bench/harness/progress.hpp>
#include <bench/workloads/contender.hpp>
#include <bench/workloads/patterns.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

namespace bench {

namespace {

struct pattern_case {
    const pattern_entry* what;
    bool spawn;  ///< else a pass
    std::size_t percent;
    std::vector<double> figures;
};

/// At least one, so that there is something to replace; of 8 slots, 10 % is that one.
std::size_t live_of(std::size_t slots, std::size_t percent) {
    return std::max<std::size_t>(1, (slots * percent + 50) / 100);
}

std::string workload_of(const pattern_case& c) {
    return (c.spawn ? "spawn_at_" : "update_at_") + std::to_string(c.percent);
}

std::string label_of(const pattern_case& c) {
    return workload_of(c) + "/" + std::to_string(sizeof(bullet)) + "/" + std::to_string(c.what->slots) + "/" +
           to_string(c.what->name);
}

std::vector<pattern_case> chosen_cases(const run_options& options) {
    std::set<std::size_t> percents{10, 25, 50, 75, 90, 100};
    if (options.how_much == extent::quick) percents = {10, 50, 100};
    if (options.how_much == extent::tiny) percents = {10, 100};
    const std::set<std::size_t> tiny_sizes{8, 64, 512};
    const std::regex filter(options.filter);
    std::vector<pattern_case> all;
    for (const bool spawn : {true, false}) {
        for (const std::size_t percent : percents) {
            for (const pattern_entry& e : pattern_entries()) {
                if (options.how_much == extent::tiny && !tiny_sizes.contains(e.slots)) continue;
                pattern_case c{&e, spawn, percent, {}};
                if (options.filter.empty() || std::regex_search(label_of(c), filter)) all.push_back(std::move(c));
            }
        }
    }
    return all;
}

/// Every case once a repetition, in an order of its own, so that a slow second of the machine does not hit one contender alone.
void measure(std::vector<pattern_case>& cases, const run_options& options) {
    const auto repetitions = static_cast<std::size_t>(options.repetitions);
    progress shown(cases.size() * repetitions);
    random_engine random(7);
    for (std::size_t k = 0; k < repetitions; ++k) {
        for (const std::uint32_t i : shuffled(cases.size(), random)) {
            pattern_case& c = cases[i];
            shown.begin(label_of(c));
            meter m(meter::mode::time, options.budget, label_of(c));
            const auto body = c.spawn ? c.what->spawn : c.what->update;
            body(m, c.what->slots, live_of(c.what->slots, c.percent));
            c.figures.push_back(options.best ? least_of(m.samples()) : median_of(m.samples()));
        }
    }
    shown.end();
}

rows rows_of(const std::vector<pattern_case>& cases, bool best) {
    rows all;
    for (const pattern_case& c : cases) {
        row r;
        r.workload = workload_of(c);
        r.name = to_string(c.what->name);
        r.is = c.what->name.lido ? kind::lido : kind::limit;
        r.element = "plain";
        r.size = sizeof(bullet);
        r.n = c.what->slots;
        r.samples = c.figures;
        r.ns = median_of(c.figures, &r.spread);
        if (best) r.ns = least_of(c.figures);
        all.push_back(std::move(r));
    }
    return all;
}

pattern_table table_of(const std::vector<pattern_case>& cases, const rows& figures) {
    pattern_table table;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const pattern_case& c = cases[i];
        pattern_cell& cell = table.at(c.what->name, c.what->slots, c.percent);
        cell.live = live_of(c.what->slots, c.percent);
        (c.spawn ? cell.spawn : cell.update) = figures[i].ns;
        (c.spawn ? cell.spawn_spread : cell.update_spread) = figures[i].spread;
    }
    return table;
}

std::vector<pattern_name> names_in(const pattern_table& table) {
    std::vector<pattern_name> names;
    for (const bool lido : {true, false}) {
        for (const pattern is : {pattern::flag, pattern::free_list, pattern::compaction}) {
            if (table.has({is, lido})) names.push_back({is, lido});
        }
    }
    return names;
}

template <class Figure>
void print_block(const pattern_table& table, const char* heading, Figure figure) {
    std::printf("\n%s\n  live    %-18s", heading, "slots:");
    const auto sizes = table.sizes();
    for (const std::size_t slots : sizes) std::printf("%8zu", slots);
    std::printf("\n");
    for (const std::size_t percent : table.percents()) {
        bool first = true;
        for (const pattern_name name : names_in(table)) {
            if (first) {
                std::printf("%s %3zu %%  %-18s", name.lido ? ">" : " ", percent, to_string(name));
            } else {
                std::printf("%s        %-17s ", name.lido ? ">" : " ", to_string(name));
            }
            first = false;
            for (const std::size_t slots : sizes) {
                const double v = figure(table.get(name, slots, percent));
                if (std::isfinite(v)) {
                    std::printf(v < 10 ? "%8.2f" : v < 100 ? "%8.1f" : "%8.0f", v);
                } else {
                    std::printf("%8s", "-");
                }
            }
            std::printf("\n");
        }
    }
}

void print_patterns(const pattern_table& table) {
    std::printf(
        "\nThree patterns in arrays of 8 to 4096 slots of %zu bytes. > marks lido's shapes; by hand: a byte a slot, "
        "no\n"
        "handles, nothing checked. With 8 slots the occupancies are those of 1, 2, 4, 6, 7 and 8 objects.\n",
        sizeof(bullet));
    print_block(table, "spawn: ns a spawn and an end (a random one ends, then one is spawned; timed together)",
                [](const pattern_cell& c) { return c.spawn; });
    print_block(table, "update: ns a live object (the pool was full, random ones have ended)",
                [](const pattern_cell& c) { return c.update; });
    print_block(table, "update: ns a pass", [](const pattern_cell& c) { return c.pass(); });
    std::printf("\nCrossovers, from these figures (closer than %.0f %% counts as equal)\n", equal_within * 100);
    for (const std::string& line : crossovers(table)) std::printf("%s\n", line.c_str());
}

bool write_patterns_csv(const std::string& folder, const pattern_table& table) {
    std::ofstream out(folder + "/patterns.csv");
    out << "name,kind,slots,percent,live,spawn_ns,spawn_spread,update_ns_per_live,update_spread,pass_ns\n";
    const auto field = [&](double v) {
        char text[32] = "";  // empty: not measured
        if (std::isfinite(v)) std::snprintf(text, sizeof text, "%.6g", v);
        out << ',' << text;
    };
    for (const pattern_name name : names_in(table)) {
        for (const std::size_t slots : table.sizes()) {
            for (const std::size_t percent : table.percents()) {
                const pattern_cell& c = table.get(name, slots, percent);
                if (c.live == 0) continue;
                out << to_string(name) << ',' << to_string(name.lido ? kind::lido : kind::limit) << ',' << slots << ','
                    << percent << ',' << c.live;
                for (const double v : {c.spawn, c.spawn_spread, c.update, c.update_spread, c.pass()}) field(v);
                out << '\n';
            }
        }
    }
    out.flush();
    return out.good();
}

bool write_files(const run_options& options, const pattern_table& table, const rows& figures) {
    bool good = true;
    if (!options.results.empty()) {
        std::error_code failed;
        std::filesystem::create_directories(options.results, failed);
        good = write_patterns_csv(options.results, table) && draw_patterns(options.results, table);
        if (good) {
            std::printf("\nwritten: %s/patterns.csv and patterns.svg\n", options.results.c_str());
        } else {
            std::fprintf(stderr, "lido_bench: cannot write to %s\n", options.results.c_str());
        }
    }
    if (!options.json.empty() && !write_json(options.json, figures)) {
        std::fprintf(stderr, "lido_bench: cannot write %s\n", options.json.c_str());
        good = false;
    }
    return good;
}

}  // namespace

int run_patterns(const run_options& options) {
    std::vector<pattern_case> cases = chosen_cases(options);
    if (options.list) {
        for (const pattern_case& c : cases) std::printf("%s\n", label_of(c).c_str());
        return 0;
    }
    if (cases.empty()) {
        std::fprintf(stderr, "lido_bench: nothing was measured; the filter matches nothing\n");
        return 1;
    }
    print_machine();
    if (options.best) std::printf("figures     of the fastest round, not the median (--best)\n");
    std::fflush(stdout);
    measure(cases, options);
    const rows figures = rows_of(cases, options.best);
    const pattern_table table = table_of(cases, figures);
    print_patterns(table);
    bool good = write_files(options, table, figures);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (std::isfinite(figures[i].ns) && figures[i].ns > 0) continue;
        std::fprintf(stderr, "lido_bench: no figure for %s\n", label_of(cases[i]).c_str());
        good = false;
    }
    return good ? 0 : 1;
}

}  // namespace bench
