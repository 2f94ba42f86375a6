// patterns.svg: three panels of a spawn over the size of the pool, three of a pass over its occupancy. Lines of one colour are one
// pattern: unbroken is lido's shape, dashed the same by hand.
#include <bench/harness/drawing.hpp>
#include <bench/harness/patterns.hpp>

#include <algorithm>
#include <cmath>

namespace bench {

namespace {

constexpr double panel_width = 300, panel_height = 230, margin_left = 56, gap = 30;
constexpr double first_top = 96, second_top = first_top + panel_height + 92;
constexpr double step = panel_width + margin_left + gap;

struct point {
    double x, y;
};

struct series {
    pattern_name name;
    std::vector<point> points;
};

const char* colour_of(pattern is) {
    switch (is) {
        case pattern::flag: return "#d9822b";
        case pattern::free_list: return "#0b7a75";
        case pattern::compaction: return "#5b4ba0";
    }
    return "black";
}

const char* dashes_of(pattern_name name) { return name.lido ? "" : "stroke-dasharray=\"5 4\""; }

constexpr pattern_name all_names[] = {{pattern::flag, false}, {pattern::free_list, false}, {pattern::compaction, false},
                                      {pattern::flag, true},  {pattern::free_list, true},  {pattern::compaction, true}};

/// Up to three of them: the first, the middle and the last, or what `wanted` names.
std::vector<std::size_t> three_of(const std::vector<std::size_t>& there, std::initializer_list<std::size_t> wanted) {
    std::vector<std::size_t> out;
    for (const std::size_t w : wanted) {
        if (std::find(there.begin(), there.end(), w) != there.end()) out.push_back(w);
    }
    if (out.size() == wanted.size() || there.size() <= 3) return out.size() == wanted.size() ? out : there;
    return {there.front(), there[there.size() / 2], there.back()};
}

struct axis {
    double low, high;  ///< of y, as powers of ten
};

/// One scale for the panels of a row, so that they can be compared.
axis axis_of(const std::vector<std::vector<series>>& panels) {
    double least = 1e300, most = 0;
    for (const auto& panel : panels) {
        for (const series& s : panel) {
            for (const point& p : s.points) {
                least = std::min(least, p.y);
                most = std::max(most, p.y);
            }
        }
    }
    if (!(most > 0)) return {0, 1};
    // Thirds of a decade (1, 2, 5, 10) are fine enough for the ends.
    const auto down = [](double v) { return std::floor(std::log10(v) * 3 + 1e-6) / 3; };
    const auto up = [](double v) { return std::ceil(std::log10(v) * 3 - 1e-6) / 3; };
    axis a{down(least), up(most)};
    if (a.high - a.low < 1.0 / 3) a.high = a.low + 1.0 / 3;
    return a;
}

void draw_panel(drawing& d, double left, double top, const std::string& heading, const std::vector<series>& lines,
                axis y, double x_low, double x_high, const std::vector<std::pair<double, std::string>>& ticks) {
    const auto x_of = [&](double x) {
        return left + (x_high > x_low ? (x - x_low) / (x_high - x_low) : 0.5) * panel_width;
    };
    const auto y_of = [&](double v) {
        return top + panel_height - (std::log10(v) - y.low) / (y.high - y.low) * panel_height;
    };
    d.text(left, top - 10, heading, "start", "font-weight=\"bold\"");
    for (double decade = std::floor(y.low); decade <= y.high; decade += 1) {
        for (const double digit : {1.0, 2.0, 5.0}) {
            const double v = digit * std::pow(10, decade);
            if (std::log10(v) < y.low - 1e-6 || std::log10(v) > y.high + 1e-6) continue;
            d.line(left, y_of(v), left + panel_width, y_of(v), digit == 1.0 ? "#ccd1d5" : "#eceef0");
            char text[16];
            std::snprintf(text, sizeof text, "%g", v);
            d.text(left - 6, y_of(v) + 4, text, "end", "fill=\"#777\"");
        }
    }
    for (const auto& [x, text] : ticks) {
        d.line(x_of(x), top, x_of(x), top + panel_height, "#eceef0");
        d.text(x_of(x), top + panel_height + 16, text, "middle", "fill=\"#777\" font-size=\"11\"");
    }
    for (const series& s : lines) {
        const char* const colour = colour_of(s.name.is);
        for (std::size_t i = 0; i < s.points.size(); ++i) {
            const double px = x_of(s.points[i].x), py = y_of(s.points[i].y);
            if (i != 0)
                d.line(x_of(s.points[i - 1].x), y_of(s.points[i - 1].y), px, py, colour, s.name.lido ? 2.2 : 1.3,
                       dashes_of(s.name));
            if (s.name.lido) d.dot(px, py, colour);
        }
    }
}

template <class Keys, class X, class Y>
std::vector<series> lines_of(const Keys& keys, X x, Y y) {
    std::vector<series> lines;
    for (const pattern_name name : all_names) {
        series s{name, {}};
        for (const std::size_t key : keys) {
            const double v = y(name, key);
            if (std::isfinite(v) && v > 0) s.points.push_back({x(key), v});
        }
        if (!s.points.empty()) lines.push_back(std::move(s));
    }
    return lines;
}

}  // namespace

bool draw_patterns(const std::string& folder, const pattern_table& table) {
    const auto sizes = table.sizes();
    const auto percents = table.percents();
    drawing d(3 * step + 10, second_top + panel_height + 50);
    d.text(10, 24, "Active flag, free list, packed objects: what a spawn and a pass cost", "start",
           "font-size=\"16\" font-weight=\"bold\"");
    double x = 10;
    for (const pattern_name name :
         {pattern_name{pattern::flag, true}, pattern_name{pattern::free_list, true},
          pattern_name{pattern::compaction, true}, pattern_name{pattern::flag, false},
          pattern_name{pattern::free_list, false}, pattern_name{pattern::compaction, false}}) {
        d.line(x, 44, x + 26, 44, colour_of(name.is), name.lido ? 2.2 : 1.3, dashes_of(name));
        if (name.lido) d.dot(x + 13, 44, colour_of(name.is));
        d.text(x + 32, 48, to_string(name));
        x += name.lido ? 122 : 150;
    }
    d.text(x + 6, 48, "lower is better; logarithmic", "start", "fill=\"#777\"");

    const auto log2 = [](std::size_t n) { return std::log2(static_cast<double>(n)); };
    const auto plain = [](std::size_t n) { return static_cast<double>(n); };

    const auto at_percents = three_of(percents, {10, 50, 100});
    std::vector<std::vector<series>> panels;
    panels.reserve(3);
    for (const std::size_t percent : at_percents) {
        panels.push_back(lines_of(
            sizes, log2, [&](pattern_name name, std::size_t slots) { return table.get(name, slots, percent).spawn; }));
    }
    std::vector<std::pair<double, std::string>> ticks;
    ticks.reserve(std::max(sizes.size(), percents.size()));
    for (const std::size_t slots : sizes) ticks.emplace_back(log2(slots), std::to_string(slots));
    axis y = axis_of(panels);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        draw_panel(d, margin_left + static_cast<double>(i) * step, first_top,
                   "spawn and end, ns, at " + std::to_string(at_percents[i]) + " % live", panels[i], y,
                   log2(sizes.front()), log2(sizes.back()), ticks);
        d.text(margin_left + static_cast<double>(i) * step + panel_width / 2, first_top + panel_height + 33, "slots",
               "middle", "fill=\"#777\"");
    }

    const auto at_sizes = three_of(sizes, {16, 256, 4096});
    panels.clear();
    for (const std::size_t slots : at_sizes) {
        panels.push_back(lines_of(percents, plain, [&](pattern_name name, std::size_t percent) {
            return table.get(name, slots, percent).update;
        }));
    }
    ticks.clear();
    for (const std::size_t percent : percents) ticks.emplace_back(plain(percent), std::to_string(percent));
    y = axis_of(panels);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        draw_panel(d, margin_left + static_cast<double>(i) * step, second_top,
                   "update, ns a live object, " + std::to_string(at_sizes[i]) + " slots", panels[i], y,
                   plain(percents.front()), plain(percents.back()), ticks);
        d.text(margin_left + static_cast<double>(i) * step + panel_width / 2, second_top + panel_height + 33,
               "live, % of the slots", "middle", "fill=\"#777\"");
    }
    return d.write(folder + "/patterns.svg");
}

}  // namespace bench
