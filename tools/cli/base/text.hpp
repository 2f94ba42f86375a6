// Texts of strangers, made fit to be printed: nothing that a terminal would obey reaches it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lido::cli {

/// Bytes of the UTF-8 character that begins at `at`, and which; 0 where none does.
[[nodiscard]] std::size_t character_at(std::string_view text, std::size_t at, char32_t& code) noexcept;
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;
/// Control characters, and those that turn the direction of what follows or break lines.
[[nodiscard]] bool is_control(char32_t code) noexcept;

/// What is wrong with the class or key of a row, in words; null where nothing is. As the store has it.
[[nodiscard]] const char* wrong_name(std::string_view name) noexcept;

/// In a sentence: control characters and what is no UTF-8 become \u{1b} and \xff; all else stays.
[[nodiscard]] std::string printable(std::string_view text);
/// A class or key: as it is where that can be read back, else in double quotes with escapes.
[[nodiscard]] std::string shown(std::string_view name);
/// A JSON string, quotes included. What is no UTF-8 becomes U+FFFD.
[[nodiscard]] std::string json_string(std::string_view text);

/// 1234567 as "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t number);
/// "1 row", "2 rows".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view one, std::string_view many);
/// Milliseconds since 1970 as "2026-11-19 21:10:28"; years that no calendar has as the number.
[[nodiscard]] std::string time_text(std::int64_t milliseconds);

/// The name that was meant, if one is close enough; else empty.
[[nodiscard]] std::string_view nearest(std::string_view wrong, const std::vector<std::string_view>& names);

/// Lines of columns, two spaces apart. The first line is the heading.
class text_table {
public:
    /// `right` has an 'r' for each column of numbers: "llr".
    explicit text_table(std::string_view right) : right_(right) {}
    void line(std::vector<std::string> cells) { lines_.push_back(std::move(cells)); }
    [[nodiscard]] std::string text(std::string_view indent = {}) const;

private:
    std::string right_;
    std::vector<std::vector<std::string>> lines_;
};

}  // namespace lido::cli
