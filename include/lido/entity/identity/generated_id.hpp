// Ids for entities that nobody names: `~run.counter`. Deterministic: the same run and the same count give the same id on every machine and
// after every rewind.
#pragma once

#include <lido/entity/identity/entity_id.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lido::entity_detail {

/// At most 42 bytes.
[[nodiscard]] inline entity_id make_generated_id(std::uint64_t run, std::uint64_t counter) noexcept {
    char text[1 + 20 + 1 + 20];
    text[0] = '~';
    char* at = std::to_chars(text + 1, text + 21, run).ptr;
    *at++ = '.';
    at = std::to_chars(at, at + 20, counter).ptr;
    return entity_id(std::string_view(text, static_cast<std::size_t>(at - text)));
}

}  // namespace lido::entity_detail
