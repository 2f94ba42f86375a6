// Usage: check_report REPORT OUTPUT: the report is one well-formed page that loads nothing and says what the run has printed.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

int failures = 0;

void expect(bool holds, std::string_view what, std::string_view detail = "") {
    if (holds) return;
    std::fprintf(stderr, "report: %.*s %.*s\n", static_cast<int>(what.size()), what.data(),
                 static_cast<int>(std::min<std::size_t>(detail.size(), 200)), detail.data());
    ++failures;
}

[[nodiscard]] std::string read(const char* file) {
    std::ifstream in(file, std::ios::binary);
    expect(static_cast<bool>(in), "cannot read", file);
    return {std::istreambuf_iterator<char>(in), {}};
}

[[nodiscard]] bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; }

void check_text(std::string_view text) {
    for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
        const std::string_view entity = text.substr(at, text.substr(at).find(';') + 1);
        expect(entity == "&amp;" || entity == "&lt;" || entity == "&gt;" || entity == "&quot;" || entity == "&#39;",
               "a bare ampersand:", text.substr(at, 20));
    }
    expect(text.find('>') == std::string_view::npos, "a bare >:", text);
}

/// The inside of a tag, after its name: attributes with values in double quotes, each once.
void check_attributes(std::string_view rest) {
    std::vector<std::string_view> seen;
    while (!rest.empty()) {
        if (rest.front() == ' ') {
            rest.remove_prefix(1);
            continue;
        }
        std::size_t end = 0;
        while (end < rest.size() && is_name(rest[end])) ++end;
        const std::string_view name = rest.substr(0, end);
        const bool quoted = end != 0 && rest.substr(end, 2) == "=\"";
        const std::size_t close = quoted ? rest.find('"', end + 2) : std::string_view::npos;
        if (close == std::string_view::npos) return expect(false, "a wrong attribute:", rest);
        expect(std::find(seen.begin(), seen.end(), name) == seen.end(), "an attribute twice:", name);
        expect(name != "src" && name != "href" && name.substr(0, 2) != "on", "an attribute that loads or runs:", name);
        check_text(rest.substr(end + 2, close - end - 2));
        seen.push_back(name);
        rest.remove_prefix(close + 1);
    }
}

/// Every element that is begun is ended, in order. Answers the text of each row of a table, a space between cells.
[[nodiscard]] std::vector<std::string> check_elements(std::string_view page) {
    std::vector<std::string_view> open;
    std::vector<std::string> rows;
    while (true) {
        const std::size_t begin = page.find('<');
        const std::string_view text = page.substr(0, begin);
        if (open.empty() || open.back() != "style") check_text(text);
        if (!rows.empty()) rows.back() += text;
        if (begin == std::string_view::npos) break;
        const std::size_t end = page.find('>', begin);
        if (end == std::string_view::npos) {
            expect(false, "a tag without an end:", page.substr(begin));
            break;
        }
        std::string_view tag = page.substr(begin + 1, end - begin - 1);
        page.remove_prefix(end + 1);
        const bool ends = !tag.empty() && tag.front() == '/';
        const bool empty = !tag.empty() && tag.back() == '/';
        if (ends) tag.remove_prefix(1);
        if (empty) tag.remove_suffix(1);
        const std::string_view name = tag.substr(0, tag.find(' '));
        expect(!name.empty() && std::all_of(name.begin(), name.end(), is_name), "a wrong name of an element:", tag);
        if (ends) {
            expect(!open.empty() && open.back() == name, "ended out of order:", name);
            if (!open.empty()) open.pop_back();
            if (!rows.empty()) rows.back() += ' ';
        } else {
            check_attributes(tag.substr(name.size()));
            expect(name != "script" && name != "link" && name != "img" && name != "iframe",
                   "not self-contained:", name);
            if (name == "tr") rows.emplace_back();
            if (!empty) open.push_back(name);
        }
    }
    expect(open.empty(), "never ended:", open.empty() ? "" : open.back());
    return rows;
}

/// With one space wherever there are some.
[[nodiscard]] std::string squeezed(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c != ' ' && c != '\n') {
            out += c;
        } else if (!out.empty() && out.back() != ' ') {
            out += ' ';
        }
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

/// What stands between the first `before` and the next `after`.
[[nodiscard]] std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
    const std::size_t at = text.find(before);
    expect(at != std::string_view::npos, "not there:", before);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = text.substr(at + before.size());
    return rest.substr(0, rest.find(after));
}

/// `head`: the first line of a table that the run printed; it ends with an empty line or a colon.
void compare_rows(const std::vector<std::string>& rows, std::string_view output, std::string_view head) {
    std::string_view lines = output.substr(std::min(output.find(head), output.size()));
    int compared = 0;
    while (!lines.empty() && lines.front() != '\n') {
        const std::size_t end = std::min(lines.find('\n'), lines.size() - 1);
        const std::string wanted = squeezed(lines.substr(0, end));
        lines.remove_prefix(end + 1);
        const bool there = std::any_of(rows.begin(), rows.end(), [&](const std::string& r) {
            const std::string row = squeezed(r);
            return row == wanted || row.substr(0, wanted.size() + 1) == wanted + ' ';
        });
        expect(there, "no such row:", wanted);
        ++compared;
    }
    expect(compared >= 5, "no table in the output:", head);
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) return 2;
    const std::string page = read(arguments[1]);
    const std::string output = read(arguments[2]);
    constexpr std::string_view first = "<!DOCTYPE html>\n";
    expect(page.substr(0, first.size()) == first, "does not begin as a page");
    const std::vector<std::string> rows =
        check_elements(std::string_view(page).substr(std::min(first.size(), page.size())));
    for (const std::string_view word : {"http", "url(", "@import", "javascript:"}) {
        expect(page.find(word) == std::string::npos, "refers to something else by", word);
    }
    compare_rows(rows, output, "pool  ");
    compare_rows(rows, output, "class of the world");
    compare_rows(rows, output, "class of the stage");
    compare_rows(rows, output, "refused by the stage");
    const auto fact = [&](std::string_view name, std::string_view kind = "") {
        return between(page, "<dt>" + std::string(name) + "</dt><dd" + std::string(kind) + ">", "</dd>");
    };
    expect(fact("State hash", " class=\"hash\"") == between(output, "state hash ", " "), "another hash");
    expect(fact("Seed") == between(output, "(seed ", ","), "another seed");
    expect(fact("Rollbacks of 7 ticks") == between(output, "rollbacks of 7 ticks: ", ","), "other rollbacks");
    expect(fact("Inexact") == between(output, "inexact: ", "\n"), "other inexact ones");
    expect(fact("Gold") == between(output, "gold: ", ","), "other gold");
    expect(fact("Keys") == between(output, "keys: ", ";"), "other keys");
    for (const std::string_view line : {"vaults opened: ", "bosses: ", "themes of bosses: ", "journal: ", "gold: "}) {
        expect(between(page, "<li>" + std::string(line), "</li>") == between(output, std::string(line), "\n"),
               "said otherwise:", line);
    }
    expect(fact("Score") == between(output, "score ", ","), "another score");
    // A plot of each pool and each class, one of rollbacks and four of the stage: none is empty.
    std::size_t plots = 0;
    for (std::size_t at = page.find("<svg "); at != std::string::npos; at = page.find("<svg ", at + 1)) ++plots;
    expect(plots >= 1 + 12 * 2 + 4, "plots are missing");
    expect(page.find("d=\"\"/><path class=\"peak\"") == std::string::npos, "an empty plot");
    return failures == 0 ? 0 : 1;
}
