#include <bench/harness/svg.hpp>

#include <bench/harness/drawing.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace bench {

namespace {

constexpr double bar_step = 20;     // pixels, from one bar to the next
constexpr double name_width = 190;  // for the contenders' names
constexpr double bar_width = 330;   // the longest bar
constexpr double panel_width = name_width + bar_width + 90;

const char* colour_of(kind k) {
    switch (k) {
        case kind::lido: return "#0b7a75";
        case kind::peer: return "#b0b7bf";
        case kind::limit: return "#d9a441";
    }
    return "black";
}

/// Bars of one N, sorted; logarithmic where the longest would hide the shortest.
void draw_panel(drawing& d, double left, double top, rows panel) {
    std::stable_sort(panel.begin(), panel.end(), [](const row& a, const row& b) { return a.ns < b.ns; });
    const double least = panel.front().ns;
    const double most = panel.back().ns;
    const bool logarithmic = most > 20 * least;
    const double from = logarithmic ? std::pow(10, std::floor(std::log10(least) - 0.01)) : 0;
    const auto length = [&](double v) {
        return logarithmic ? std::log(v / from) / std::log(most / from) * bar_width : v / most * bar_width;
    };
    const double bottom = top + 26 + bar_step * static_cast<double>(panel.size());
    d.text(left, top + 12, "N = " + short_count(panel.front().n) + (logarithmic ? "  (logarithmic scale)" : ""),
           "start", "font-weight=\"bold\"");
    if (logarithmic) {
        for (double tick = from; tick <= most; tick *= 10) {
            const double x = left + name_width + length(tick);
            d.line(x, top + 20, x, bottom, "#e3e6e8");
            d.text(x, bottom + 12, plot_figure(tick), "middle", "fill=\"#777\" font-size=\"10\"");
        }
    }
    double y = top + 24;
    for (const row& r : panel) {
        d.text(left + name_width - 6, y + 12, r.name, "end", r.is == kind::lido ? "font-weight=\"bold\"" : "");
        const double width = std::max(1.0, length(r.ns));
        d.bar(left + name_width, y, width, bar_step - 5, colour_of(r.is));
        // The quartiles, as a thin line over the end of the bar.
        const double low = std::max(length(std::max(r.ns * (1 - r.spread / 2), from + 1e-12)), 0.0);
        d.line(left + name_width + low, y + 7.5, left + name_width + length(r.ns * (1 + r.spread / 2)), y + 7.5,
               "#333");
        d.text(left + name_width + width + 6, y + 12, plot_figure(r.ns));
        y += bar_step;
    }
}

bool write_bars(const std::string& folder, const std::string& workload, const rows& all) {
    // 64-byte elements where there are any.
    std::map<std::size_t, rows> by_count;
    const bool medium =
        std::any_of(all.begin(), all.end(), [&](const row& r) { return r.workload == workload && r.size == 64; });
    for (const row& r : all) {
        if (r.workload == workload && (r.size == 64 || !medium) && r.ns > 0 && std::isfinite(r.ns))
            by_count[r.n].push_back(r);
    }
    std::erase_if(by_count, [](const auto& panel) { return panel.second.size() < 2; });
    if (by_count.empty()) return true;
    std::size_t most = 0;
    for (const auto& [n, panel] : by_count) most = std::max(most, panel.size());
    drawing d(panel_width * static_cast<double>(by_count.size()) + 20, 100 + bar_step * static_cast<double>(most));
    const rows& first = by_count.begin()->second;
    d.text(10, 22,
           workload + ": " + operation_of(workload) + ", elements of " + std::to_string(first.front().size) + " bytes",
           "start", "font-size=\"16\" font-weight=\"bold\"");
    double x = 14;
    for (const kind k : {kind::lido, kind::peer, kind::limit}) {
        d.bar(x, 34, 10, 10, colour_of(k));
        d.text(x + 14, 43, to_string(k));
        x += 70;
    }
    d.text(x, 43, "shorter is better; the thin line spans the quartiles", "start", "fill=\"#777\"");
    double left = 10;
    for (const auto& [n, panel] : by_count) {
        draw_panel(d, left, 56, panel);
        left += panel_width;
    }
    return d.write(folder + "/" + workload + ".svg");
}

/// Cost over N, both axes logarithmic, a panel a workload.
bool write_scaling(const std::string& folder, const rows& all) {
    const char* const workloads[] = {"churn", "get_hit", "iterate100"};
    const std::map<std::string, const char*> colours{
        {"slot_pool", "#0b7a75"}, {"dense_pool", "#5b4ba0"}, {"raw LIFO", "#d9a441"}, {"raw array", "#d9a441"}};
    constexpr double width = 330, height = 260, left_margin = 50, top = 60;
    drawing d(3 * (width + left_margin + 30), height + top + 60);
    d.text(10, 22, "Cost an operation over N, elements of 64 bytes, ns (both axes logarithmic)", "start",
           "font-size=\"16\" font-weight=\"bold\"");
    double left = left_margin;
    bool any = false;
    for (const char* workload : workloads) {
        std::map<std::string, std::map<std::size_t, double>> lines;
        double least = 1e300, most = 0;
        for (const row& r : all) {
            if (r.workload != workload || r.size != 64 || colours.count(r.name) == 0 || !(r.ns > 0)) continue;
            lines[r.name][r.n] = r.ns;
            least = std::min(least, r.ns);
            most = std::max(most, r.ns);
        }
        std::erase_if(lines, [](const auto& one) { return one.second.size() < 2; });
        if (!lines.empty()) {
            any = true;
            const double low = std::floor(std::log10(least)), high = std::ceil(std::log10(most) + 1e-9);
            const auto x_of = [&](double n) { return left + (std::log10(n) - 3) / 4 * width; };
            const auto y_of = [&](double ns) { return top + height - (std::log10(ns) - low) / (high - low) * height; };
            d.text(left, top - 10, workload, "start", "font-weight=\"bold\"");
            for (double e = low; e <= high; e += 1) {
                d.line(left, y_of(std::pow(10, e)), left + width, y_of(std::pow(10, e)), "#e3e6e8");
                d.text(left - 5, y_of(std::pow(10, e)) + 4, plot_figure(std::pow(10, e)), "end", "fill=\"#777\"");
            }
            for (const double n : {1e3, 1e4, 1e5, 1e6, 1e7}) {
                d.line(x_of(n), top, x_of(n), top + height, "#e3e6e8");
                d.text(x_of(n), top + height + 15, short_count(static_cast<std::size_t>(n)), "middle", "fill=\"#777\"");
            }
            double label = top + 14;
            for (const auto& [name, points] : lines) {
                const char* const colour = colours.at(name);
                double px = 0, py = 0;
                for (const auto& [n, ns] : points) {
                    const double x = x_of(static_cast<double>(n)), y = y_of(ns);
                    if (px != 0) d.line(px, py, x, y, colour, 2);
                    d.dot(x, y, colour);
                    px = x;
                    py = y;
                }
                d.line(left + 8, label - 4, left + 24, label - 4, colour, 2);
                d.text(left + 28, label, name);
                label += 16;
            }
        }
        left += width + left_margin + 30;
    }
    return !any || d.write(folder + "/scaling.svg");
}

}  // namespace

bool write_plots(const std::string& folder, const rows& all) {
    std::set<std::string> workloads;
    for (const row& r : all) workloads.insert(r.workload);
    bool good = write_scaling(folder, all);
    for (const std::string& workload : workloads) good = write_bars(folder, workload, all) && good;
    return good;
}

}  // namespace bench
