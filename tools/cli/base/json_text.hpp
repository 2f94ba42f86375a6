// JSON as it was written. Data of a row is never taken apart and put together again: a number keeps its digits, however many it has.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lido::cli {

/// Values in one another; what the store reads has few, and what is deeper is refused before anything recursive sees it.
inline constexpr std::size_t deepest_json = 64;

/// Whether a text is one JSON value, and what is wrong with it.
struct json_fault {
    bool good = true;
    std::size_t column = 0;  ///< of the first byte that cannot be, from 1
    std::string what;
};
[[nodiscard]] json_fault check_json(std::string_view text);

struct json_member {
    std::string name;
    std::string_view value;  ///< as it is written
};
/// Of an object that check_json found good; empty for any other value.
[[nodiscard]] std::vector<json_member> json_members(std::string_view object);
/// Whether a text that check_json found good is an object.
[[nodiscard]] bool is_json_object(std::string_view text) noexcept;
/// The name that an object has twice; empty where none is.
[[nodiscard]] std::string name_twice(const std::vector<json_member>& members);
/// The text of a string that is good JSON.
[[nodiscard]] std::string json_string_value(std::string_view text);
[[nodiscard]] std::vector<std::string_view> json_elements(std::string_view array);

/// Without spaces and line ends between the values; control characters that are allowed in strings are escaped, too.
[[nodiscard]] std::string compact_json(std::string_view good);
/// With a line for each member of the outer object, and of what is in it.
[[nodiscard]] std::string pretty_json(std::string_view good);
/// The same value, whatever the order of members, spaces, and ways to write a number.
[[nodiscard]] bool same_json(std::string_view a, std::string_view b);

}  // namespace lido::cli
