// Text that strangers wrote: is it UTF-8, is it deep, how is it shown in a message, which word did they mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lido::detail {

/// The line, from 1, of the first bytes that are not UTF-8; 0 when all are.
[[nodiscard]] std::uint32_t line_that_is_not_utf8(std::string_view text) noexcept;

/// The line, from 1, of the first with more than `most` dots (neighbours count once) that is not a comment; 0 when there is none.
[[nodiscard]] std::uint32_t line_with_too_many_dots(std::string_view text, std::size_t most) noexcept;

/// A line, from 1, without the blanks around it; nothing when there are fewer.
[[nodiscard]] std::string_view line_of(std::string_view text, std::uint32_t number) noexcept;

/// `text` on one line: what a terminal would act on, and what is not UTF-8, is spelled out. Cut after some `most` bytes.
[[nodiscard]] std::string shown(std::string_view text, std::size_t most);
[[nodiscard]] inline std::string shown(std::string_view text) { return shown(text, 60); }

/// The word that differs least from `typed`, or none when every one differs in more than a third of its letters.
[[nodiscard]] std::string_view nearest(std::string_view typed, std::span<const std::string_view> words);

/// "a, b or c"
[[nodiscard]] std::string listed(std::span<const std::string_view> words, std::string_view last);

}  // namespace lido::detail
