#include <bench/harness/output.hpp>

#include <bench/harness/machine.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

namespace bench {

namespace {

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out + "\"";
}

std::string number(double v) {
    if (!std::isfinite(v)) return "null";
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", v);
    return text;
}

/// Three significant digits, and no more than the eye needs.
std::string figure(double v) {
    char text[32];
    const int decimals = v < 0.1 ? 5 : v < 1 ? 3 : v < 10 ? 2 : v < 100 ? 1 : 0;
    std::snprintf(text, sizeof text, "%.*f", decimals, v);
    return text;
}

std::string ratio(double v, double to) {
    if (!(to > 0) || !std::isfinite(v)) return "-";
    char text[32];
    std::snprintf(text, sizeof text, v / to < 10 ? "%.2f" : "%.0f", v / to);
    return text;
}

double best(const rows& all, kind is) {
    double least = 0;
    for (const row& r : all) {
        if (r.is == is && std::isfinite(r.ns) && (least == 0 || r.ns < least)) least = r.ns;
    }
    return least;
}

std::string element_text(const row& r) {
    return r.element == "string" ? "element with a string, " + std::to_string(r.size) + " B"
                                 : std::to_string(r.size) + " B";
}

void print_table(const rows& table) {
    const row& head = table.front();
    std::printf("\n%s, %s, N = %s: %s\n", head.workload.c_str(), element_text(head).c_str(),
                short_count(head.n).c_str(), operation_of(head.workload).c_str());
    std::printf("  %-26s %-6s %9s %7s %9s %9s\n", "", "", "figure", "spread", "x peer", "x limit");
    rows sorted = table;
    std::stable_sort(sorted.begin(), sorted.end(), [](const row& a, const row& b) { return a.ns < b.ns; });
    const double peer = best(table, kind::peer);
    const double limit = best(table, kind::limit);
    for (const row& r : sorted) {
        const bool lost = r.is == kind::lido && peer > 0 && r.ns > peer;
        std::printf("%s %-26s %-6s %9s %6.0f%% %9s %9s%s\n", r.is == kind::lido ? ">" : " ", r.name.c_str(),
                    to_string(r.is), figure(r.ns).c_str(), r.spread * 100, ratio(r.ns, peer).c_str(),
                    ratio(r.ns, limit).c_str(), lost ? "  loses to a peer" : "");
    }
}

}  // namespace

void print_machine() {
    for (const auto& [name, value] : describe_machine()) std::printf("%-11s %s\n", name.c_str(), value.c_str());
}

void print_tables(const rows& all) {
    for (std::size_t first = 0; first < all.size();) {
        std::size_t last = first;
        while (last < all.size() && all[last].workload == all[first].workload && all[last].size == all[first].size &&
               all[last].n == all[first].n) {
            ++last;
        }
        print_table(
            rows(all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(last)));
        first = last;
    }
}

bool write_json(const std::string& file, const rows& all, const std::string& unit) {
    std::ofstream out(file);
    out << "{\n  \"machine\": {\n";
    const auto machine = describe_machine();
    for (std::size_t i = 0; i < machine.size(); ++i) {
        out << "    " << quoted(machine[i].first) << ": " << quoted(machine[i].second)
            << (i + 1 < machine.size() ? ",\n" : "\n");
    }
    out << "  },\n  \"rows\": [\n";
    for (std::size_t i = 0; i < all.size(); ++i) {
        const row& r = all[i];
        out << "    {\"workload\": " << quoted(r.workload) << ", \"size\": " << r.size << ", \"n\": " << r.n
            << ", \"name\": " << quoted(r.name) << ", \"kind\": " << quoted(to_string(r.is))
            << ", \"ns\": " << number(r.ns) << ", \"spread\": " << number(r.spread)
            << ", \"element\": " << quoted(r.element)
            << ", \"unit\": " << quoted(r.workload == "memory" ? "bytes" : unit) << "}"
            << (i + 1 < all.size() ? ",\n" : "\n");
    }
    out << "  ]\n}\n";
    out.flush();
    return out.good();
}

bool write_csv(const std::string& folder, const rows& all) {
    std::map<std::string, std::ostringstream> files;
    for (const row& r : all) {
        std::ostringstream& out = files[r.workload];
        if (out.str().empty())
            out << "workload,element,size,n,name,kind," << (r.workload == "memory" ? "bytes" : "ns") << ",spread\n";
        out << r.workload << ',' << r.element << ',' << r.size << ',' << r.n << ",\"" << r.name << "\","
            << to_string(r.is) << ',' << number(r.ns) << ',' << number(r.spread) << '\n';
    }
    bool good = true;
    for (const auto& [workload, text] : files) {
        std::ofstream out(folder + "/" + workload + ".csv");
        out << text.str();
        out.flush();
        good = good && out.good();
    }
    return good;
}

}  // namespace bench
