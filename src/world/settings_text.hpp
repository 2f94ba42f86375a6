// Text that strangers wrote: is it UTF-8, is it deep, how is it shown in a message, which word did they mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lido::world_detail {

/// The line, from 1, of the first bytes that are not UTF-8; 0 when all are.
[[nodiscard]] std::uint32_t line_that_is_not_utf8(std::string_view text) noexcept;

/// The line, from 1, of the first with more than `most` dots (neighbours count once) that is not a comment; 0 when there is none.
[[nodiscard]] std::uint32_t line_with_too_many_dots(std::string_view text, std::size_t most) noexcept;

// toml++ 3.3 asks of characters outside of texts and comments whether they are blanks, and for most of U+00A0 to U+FEFF the answer
// is undefined behaviour. So it never sees those: they are moved up to the last plane of Unicode, where nothing is assigned, and
// back again in what it gives. To refuse them instead would refuse comments in most languages.

/// The line, from 1, of the first character that is in that plane already, or of an escape \U0010…; 0 when there is none.
[[nodiscard]] std::uint32_t line_that_uses_the_last_plane(std::string_view text) noexcept;

/// U+0080 to U+FEFF become U+100080 to U+10FEFF; as many characters as before. Pre: `text` is UTF-8 and does not use the plane.
[[nodiscard]] std::string moved_up(std::string_view text);

/// The same back. Bytes that are not UTF-8 stay.
[[nodiscard]] std::string moved_back(std::string_view text);

/// The same in toml++'s words, which spell some characters out.
[[nodiscard]] std::string reason_moved_back(std::string_view reason);

/// A line, from 1, without the blanks around it; nothing when there are fewer.
[[nodiscard]] std::string_view line_of(std::string_view text, std::uint32_t number) noexcept;

/// `text` on one line: what a terminal would act on, no-break spaces, and what is not UTF-8 are spelled out. Cut after some `most` bytes.
[[nodiscard]] std::string shown(std::string_view text, std::size_t most);
[[nodiscard]] inline std::string shown(std::string_view text) { return shown(text, 60); }

/// The word that differs least from `typed`, or none when every one differs in more than a third of its letters.
[[nodiscard]] std::string_view nearest(std::string_view typed, std::span<const std::string_view> words);

/// "a, b or c"
[[nodiscard]] std::string listed(std::span<const std::string_view> words, std::string_view last);

}  // namespace lido::world_detail
