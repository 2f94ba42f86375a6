#include <lido/world/settings_file.hpp>

#include "settings_reader.hpp"
#include "settings_text.hpp"
#include "tomlpp.hpp"

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

namespace lido {
namespace {

using world_detail::shown;

/// The most dots on a line. A key such as class."game::explosion".trim.after has three, and a comment behind it may have some.
/// toml++ makes a table for every part of a key and destroys them recursively: half a million parts, which fit in a file of 1 MB,
/// would overflow the stack.
constexpr std::size_t most_dots = 32;

settings_result failed(std::string_view source, const std::string& what) {
    // A source may be a path that is long for good reasons; it is only made printable.
    return {.table = {}, .error = shown(source, static_cast<std::size_t>(-1)) + ":" + what};
}

settings_result too_large(std::string_view source) {
    return failed(source, " is larger than " + std::to_string(settings_limits::file_bytes) +
                              " bytes; this cannot be a file of settings");
}

/// toml++'s own words, without its "Error while parsing <what>: " in front: that goes to the end.
std::string not_toml(const world_detail::tomlpp::parse_error& error, std::string_view text) {
    const world_detail::tomlpp::source_position at = error.source().begin;
    const std::string line = std::to_string(at.line);
    std::string_view reason = error.description();
    std::string inside;
    constexpr std::string_view opening = "Error while parsing ";
    if (reason.starts_with(opening)) {
        const std::size_t colon = reason.find(": ");
        if (colon != std::string_view::npos && colon > opening.size()) {
            const std::string_view what = reason.substr(opening.size(), colon - opening.size());
            const bool vowel = std::string_view("aeiou").find(what.front()) != std::string_view::npos;
            inside = (vowel ? " (in an " : " (in a ") + std::string(what) + ")";
            reason.remove_prefix(colon + 2);
        }
    }
    constexpr std::string_view twice = "cannot redefine existing ";
    if (reason.starts_with(twice)) {
        const std::size_t first = reason.find('\'');
        const std::size_t last = reason.rfind('\'');
        if (first >= last) return line + ": given twice: " + shown(world_detail::line_of(text, at.line));
        const std::string_view name = reason.substr(first + 1, last - first - 1);
        // Of quoted keys toml++ 3.3 repeats a part. And no column: it is that of what follows the key.
        if (name.find_first_of("'\"") != std::string_view::npos)
            return line + ": given twice: " + shown(world_detail::line_of(text, at.line));
        return line + ": " + shown(world_detail::moved_back(name)) + " is given twice";
    }
    if (reason.starts_with("exceeded maximum nested value depth"))
        return line + ": values inside values inside values, more than " + std::to_string(TOML_MAX_NESTED_VALUES) +
               " of them; settings need three";
    return line + ":" + std::to_string(at.column) +
           ": not TOML: " + shown(world_detail::reason_moved_back(reason), 160) + inside;
}

}  // namespace

settings_result parse_settings(std::string_view text, std::string_view source) {
    if (text.size() > settings_limits::file_bytes) return too_large(source);
    if (const std::uint32_t line = world_detail::line_that_is_not_utf8(text); line != 0)
        return failed(source, std::to_string(line) + ": not UTF-8; settings are saved as UTF-8 text");
    if (const std::uint32_t line = world_detail::line_with_too_many_dots(text, most_dots); line != 0)
        return failed(source, std::to_string(line) + ": more than " + std::to_string(most_dots) +
                                  " dots on a line; a key of settings has four parts at most");
    if (const std::uint32_t line = world_detail::line_that_uses_the_last_plane(text); line != 0)
        return failed(source, std::to_string(line) + ": a character of private use, U+100000 or above; leave it out");
    // The mark of UTF-8 that some editors put in front.
    const std::string safe = world_detail::moved_up(text.substr(text.starts_with("\xef\xbb\xbf") ? 3 : 0));
    const world_detail::tomlpp::parse_result file = world_detail::tomlpp::parse(safe);
    if (!file) return failed(source, not_toml(file.error(), text));
    world_detail::settings_reader reader(file.table());
    if (!reader.mistake().empty()) return failed(source, reader.mistake());
    return {.table = {.source = std::string(source), .classes = std::move(reader.classes())}, .error = {}};
}

settings_result read_settings(const std::filesystem::path& file) {
    const std::string source = file.string();
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(file, error);
    if (status.type() == std::filesystem::file_type::not_found) return failed(source, " there is no such file");
    if (error) return failed(source, " cannot be read: " + error.message());
    if (std::filesystem::is_directory(status)) return failed(source, " this is a folder; give the file in it");
    // A pipe or a device could keep the program waiting, or never end.
    if (!std::filesystem::is_regular_file(status)) return failed(source, " this is not a regular file");

    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    // One byte more than allowed: the size on disk may be anything by now, so it is not asked.
    std::string text(stream ? settings_limits::file_bytes + 1 : 0, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!stream.is_open() || stream.bad())
        return failed(source, " cannot be read: " + std::generic_category().message(errno));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return parse_settings(text, source);
}

}  // namespace lido
