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

/// The same one after another: the next text is the last one with its digits counted up. It is made when the last one has been given, so that
/// nobody copies what has just been written in one byte.
class generated_ids {
public:
    explicit generated_ids(std::uint64_t run) noexcept : run_(run) {}

    /// Complexity: amortised O(1) where `counter` is one more than at the last call.
    LIDO_INLINE void make(std::uint64_t counter, entity_id& into) noexcept {
        if (counter != ready_ || counter == 0) [[unlikely]]
            text_ = make_generated_id(run_, counter);
        into = text_;
        ready_ = text_.count_up() ? counter + 1 : 0;
    }

private:
    std::uint64_t run_;
    std::uint64_t ready_ = 0;  ///< whose text that is; 0: nobody's
    entity_id text_;
};

}  // namespace lido::entity_detail
