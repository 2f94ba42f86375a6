#include "json_text.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "text.hpp"

namespace lido::cli {

using nlohmann::json;

namespace {

/// Reads without making anything, and counts how deep it is.
struct reader final : nlohmann::json_sax<json> {
    json_fault fault;
    std::size_t depth = 0;

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool key(string_t&) override { return true; }
    bool deeper() {
        if (++depth <= deepest_json) return true;
        fault = {false, 0, "its values are nested more than 64 deep"};
        return false;
    }
    bool start_object(std::size_t) override { return deeper(); }
    bool start_array(std::size_t) override { return deeper(); }
    bool end_object() override {
        --depth;
        return true;
    }
    bool end_array() override {
        --depth;
        return true;
    }
    bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& why) override {
        // "[json.exception.…] parse error at line 1, column 7: syntax error while parsing … - what is wrong; last read: …"
        std::string_view what = why.what();
        if (const auto dash = what.find(" - "); dash != std::string_view::npos) what.remove_prefix(dash + 3);
        if (const auto more = what.find("; last read"); more != std::string_view::npos) what = what.substr(0, more);
        if (const auto bracket = what.find("] "); bracket != std::string_view::npos) what.remove_prefix(bracket + 2);
        fault = {false, position, printable(what)};
        if (!token.empty() && token != "<uninitialized>")
            fault.what += ", at " + shown(std::string_view(token).substr(0, 40));
        return false;
    }
};

bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::size_t skip_space(std::string_view text, std::size_t at) noexcept {
    while (at < text.size() && is_space(text[at])) ++at;
    return at;
}

/// Behind the string that begins there.
std::size_t behind_string(std::string_view text, std::size_t at) noexcept {
    ++at;
    while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
    return std::min(at + 1, text.size());
}

/// Behind the value that begins there.
std::size_t behind_value(std::string_view text, std::size_t at) noexcept {
    std::size_t depth = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '"') {
            at = behind_string(text, at);
            if (depth == 0) return at;
            continue;
        }
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') {
            if (depth == 0) return at;
            if (--depth == 0) return at + 1;
        }
        if (depth == 0 && (c == ',' || c == ':' || is_space(c))) return at;
        ++at;
    }
    return at;
}

bool same_number(const json& a, const json& b) {
    const bool real_a = a.is_number_float();
    const bool real_b = b.is_number_float();
    if (real_a && real_b) return a.get<double>() == b.get<double>();
    if (!real_a && !real_b) return a.type() == b.type() && a == b;  // what has a minus is of another type
    // Only where a real number says exactly which whole one it is.
    const double real = real_a ? a.get<double>() : b.get<double>();
    const json& whole = real_a ? b : a;
    if (!(real > -9007199254740992.0 && real < 9007199254740992.0)) return false;
    const auto same = static_cast<std::int64_t>(real);
    return static_cast<double>(same) == real &&
           (same < 0 ? whole.is_number_integer() && !whole.is_number_unsigned() && whole.get<std::int64_t>() == same
                     : whole.is_number_unsigned() && whole.get<std::uint64_t>() == static_cast<std::uint64_t>(same));
}

bool same_value(const json& a, const json& b) {
    if (a.is_number() && b.is_number()) return same_number(a, b);
    if (a.type() != b.type() || a.size() != b.size()) return false;
    if (!a.is_structured()) return a == b;
    for (auto of_a = a.begin(), of_b = b.begin(); of_a != a.end(); ++of_a, ++of_b) {
        if (a.is_object() && of_a.key() != of_b.key()) return false;
        if (!same_value(*of_a, *of_b)) return false;
    }
    return true;
}

}  // namespace

json_fault check_json(std::string_view text) {
    reader r;
    if (json::sax_parse(text.begin(), text.end(), &r) && r.fault.good) return {};
    if (r.fault.good) r.fault = {false, 0, "it cannot be read"};
    return r.fault;
}

bool is_json_object(std::string_view text) noexcept {
    const std::size_t at = skip_space(text, 0);
    return at < text.size() && text[at] == '{';
}

std::string json_string_value(std::string_view text) {
    const json value = json::parse(text.begin(), text.end(), nullptr, false);
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::vector<json_member> json_members(std::string_view object) {
    std::vector<json_member> all;
    std::size_t at = skip_space(object, 0);
    if (at >= object.size() || object[at] != '{') return all;
    at = skip_space(object, at + 1);
    while (at < object.size() && object[at] == '"') {
        const std::size_t name_end = behind_string(object, at);
        json_member m{json_string_value(object.substr(at, name_end - at)), {}};
        at = skip_space(object, skip_space(object, name_end) + 1);
        const std::size_t value_end = behind_value(object, at);
        m.value = object.substr(at, value_end - at);
        all.push_back(std::move(m));
        at = skip_space(object, skip_space(object, value_end) + 1);
    }
    return all;
}

std::vector<std::string_view> json_elements(std::string_view array) {
    std::vector<std::string_view> all;
    std::size_t at = skip_space(array, 0);
    if (at >= array.size() || array[at] != '[') return all;
    at = skip_space(array, at + 1);
    while (at < array.size() && array[at] != ']') {
        const std::size_t end = behind_value(array, at);
        all.push_back(array.substr(at, end - at));
        at = skip_space(array, end);
        if (at < array.size() && array[at] == ',') at = skip_space(array, at + 1);
    }
    return all;
}

std::string name_twice(const std::vector<json_member>& members) {
    std::vector<std::string_view> names;
    names.reserve(members.size());
    for (const json_member& m : members) names.push_back(m.name);
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    return twice == names.end() ? std::string() : std::string(*twice);
}

namespace {

/// What stands in a string, with escapes for what a terminal would obey.
void put_string(std::string_view with_quotes, std::string& out) {
    for (std::size_t at = 0; at < with_quotes.size();) {
        char32_t code = 0;
        const std::size_t length = std::max<std::size_t>(character_at(with_quotes, at, code), 1);
        const std::string_view as_it_is = with_quotes.substr(at, length);
        if (length > 1 && is_control(code)) {
            const std::string escaped = json_string(as_it_is);
            out += std::string_view(escaped).substr(1, escaped.size() - 2);
        } else if (code == 0x7f) {
            out += "\\u007f";
        } else {
            out += as_it_is;
        }
        at += length;
    }
}

}  // namespace

std::string compact_json(std::string_view good) {
    std::string out;
    out.reserve(good.size());
    for (std::size_t at = 0; at < good.size();) {
        if (good[at] == '"') {
            const std::size_t end = behind_string(good, at);
            put_string(good.substr(at, end - at), out);
            at = end;
        } else {
            if (!is_space(good[at])) out += good[at];
            ++at;
        }
    }
    return out;
}

std::string pretty_json(std::string_view good) {
    const std::string compact = compact_json(good);
    std::string out;
    std::size_t depth = 0;
    const auto new_line = [&] { out += "\n" + std::string(2 * depth, ' '); };
    for (std::size_t at = 0; at < compact.size();) {
        const char c = compact[at];
        if (c == '"') {
            const std::size_t end = behind_string(compact, at);
            out += std::string_view(compact).substr(at, end - at);
            at = end;
            continue;
        }
        const bool opens = c == '{' || c == '[';
        if (opens && at + 1 < compact.size() && (compact[at + 1] == '}' || compact[at + 1] == ']')) {
            out += compact.substr(at, 2);
            at += 2;
            continue;
        }
        if (c == '}' || c == ']') {
            --depth;
            new_line();
        }
        out += c;
        if (opens) ++depth;
        if (opens || c == ',') new_line();
        if (c == ':') out += ' ';
        ++at;
    }
    return out;
}

bool same_json(std::string_view a, std::string_view b) {
    if (a == b) return true;
    if (!check_json(a).good || !check_json(b).good) return false;
    return same_value(json::parse(a.begin(), a.end(), nullptr, false), json::parse(b.begin(), b.end(), nullptr, false));
}

}  // namespace lido::cli
