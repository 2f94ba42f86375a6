// Fuzzes the reader of settings files: text from strangers gives a table within the bounds, or one printable line. Row S4.1.
//
// Input: the text of the file. tests/fuzz/corpus/settings is written by hand, one idea a file.
#include <lido/world/settings_file.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

namespace lido::test {
namespace {

void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "settings_fuzz: %s\n", what);
    std::abort();
}

void check_message(const settings_result& r, std::string_view source) {
    expect(r.table.classes.empty() && r.table.source.empty(), "an error with a table");
    expect(r.error.starts_with(std::string(source) + ":"), "an error that does not name its source");
    expect(r.error.size() < 600, "an error that is too long to read");
    expect(std::none_of(r.error.begin(), r.error.end(), [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; }),
           "an error with control characters");
    // Also that it is UTF-8: as a comment it would be refused otherwise.
    expect(parse_settings("# " + r.error, source).error.empty(), "an error that is not UTF-8");
}

void check_entry(const settings_entry& e, std::uint32_t lines) {
    const class_settings& s = e.settings;
    const settings_given& g = e.given;
    const auto is_line = [lines](bool given, std::uint32_t line) {
        return given ? line >= 1 && line <= lines : line == 0;
    };
    expect(!e.name.empty(), "a class without a name");
    expect(is_line(true, e.line), "a class on no line");
    expect(s.prewarm <= settings_limits::objects, "prewarm");
    expect(s.max_lifetime.count <= settings_limits::ticks, "max_lifetime");
    expect(s.roles.standalone || s.roles.client || s.roles.listen_server || s.roles.dedicated_server, "roles");
    expect(s.capacity <= settings_limits::objects, "capacity");
    expect(s.on_full.cap() <= settings_limits::objects || s.on_full.cap() == on_full::unlimited, "on_full");
    expect(s.headroom.above_percent >= 1 && s.headroom.above_percent <= 100, "headroom.above_percent");
    expect(s.headroom.priority <= max_priority, "headroom.priority");
    expect(g.idle_cap ? s.idle_cap <= settings_limits::objects : s.idle_cap == class_settings::no_cap, "idle_cap");
    expect(s.trim.after.count <= settings_limits::ticks && s.trim.margin <= settings_limits::objects, "trim");
    expect(s.reserve <= settings_limits::objects, "reserve");
    expect(is_line(g.prewarm, e.lines.prewarm) && is_line(g.max_lifetime, e.lines.max_lifetime) &&
               is_line(g.roles, e.lines.roles) && is_line(g.capacity, e.lines.capacity) &&
               is_line(g.on_full, e.lines.on_full) && is_line(g.headroom, e.lines.headroom) &&
               is_line(g.idle_cap, e.lines.idle_cap) && is_line(g.trim, e.lines.trim) &&
               is_line(g.reserve, e.lines.reserve) && is_line(g.leaks, e.lines.leaks),
           "a setting on no line");
    expect(!g.prewarm || !g.idle_cap || s.prewarm <= s.idle_cap, "more prewarmed than may wait");
    expect(!g.capacity || s.on_full.cap() == on_full::no_growth || s.on_full.cap() >= s.capacity, "grows to less");
}

void check_table(const settings_result& r, std::string_view source, std::string_view text) {
    expect(r.table.source == source, "a table of another source");
    const auto lines = static_cast<std::uint32_t>(1 + std::count(text.begin(), text.end(), '\n'));
    std::set<std::string_view> names;
    std::uint32_t last = 0;
    for (const settings_entry& e : r.table.classes) {
        check_entry(e, lines);
        expect(e.line >= last, "classes out of order");
        last = e.line;
        expect(names.insert(e.name).second, "a class twice");
        // What was not given must not reach the program's own.
        class_settings own{.prewarm = 77, .capacity = 78, .idle_cap = 79};
        overlay(own, e);
        expect(own.prewarm == (e.given.prewarm ? e.settings.prewarm : 77), "overlay: prewarm");
        expect(own.capacity == (e.given.capacity ? e.settings.capacity : 78), "overlay: capacity");
        expect(own.idle_cap == (e.given.idle_cap ? e.settings.idle_cap : 79), "overlay: idle_cap");
    }
}

}  // namespace
}  // namespace lido::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lido::test;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    constexpr std::string_view source = "pools.toml";
    const lido::settings_result r = lido::parse_settings(text, source);
    if (r)
        check_table(r, source, text);
    else
        check_message(r, source);
    return 0;
}
