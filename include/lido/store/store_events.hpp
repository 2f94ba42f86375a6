// What a store tells a game, on the game's thread, in tick() and flush().
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace lido::store {

/// How a request to save ended. Every copy that is handed to the writer ends exactly once.
enum class save_end : std::uint8_t {
    durable,     ///< it is in the database, as far as its sync level says
    superseded,  ///< a later version is
    failed,      ///< it is not, and why() says why
    taken,       ///< it is not: another writer has the row
};

[[nodiscard]] constexpr const char* to_string(save_end end) noexcept {
    switch (end) {
        case save_end::durable: return "durable";
        case save_end::superseded: return "superseded";
        case save_end::failed: return "failed";
        case save_end::taken: return "taken by another writer";
    }
    return "unknown";
}

/// Views are valid during the call.
struct save_event {
    std::string_view of_class;
    std::string_view key;
    std::uint64_t generation = 0;
    std::uint64_t version = 0;  ///< and all before it
    save_end end = save_end::durable;
    bool erased = false;  ///< what was saved is that it is no more
    bool kept = false;    ///< failed, and tried again with what comes next
    std::string_view why = {};
};

/// A row that did not become an entity. It is as it was, and nothing is written over it.
struct load_event {
    std::string_view of_class;
    std::string_view key;
    std::string_view why;
};

/// One load of many rows. Zero is none.
struct load_ticket {
    std::uint32_t number = 0;
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return number != 0; }
    friend constexpr bool operator==(load_ticket, load_ticket) noexcept = default;
};

struct load_progress {
    bool done = false;
    std::uint64_t read = 0;     ///< rows
    std::uint64_t of = 0;       ///< of so many; 0 while that is not known
    std::uint64_t made = 0;     ///< entities that are there
    std::uint64_t refused = 0;  ///< rows that are none: store.refused tells each
    std::uint64_t there = 0;    ///< rows whose entity was there before
    std::string why = {};       ///< of a load that was given up as a whole

    /// It is done, and whole.
    [[nodiscard]] explicit operator bool() const noexcept { return done && why.empty() && refused == 0; }
};

/// True when everything that was confirmed is durable.
class [[nodiscard]] flush_result {
public:
    flush_result() noexcept = default;
    flush_result(std::size_t left, std::string why) noexcept : why_(std::move(why)), left_(left) {}
    [[nodiscard]] explicit operator bool() const noexcept { return why_.empty(); }
    /// Entities whose last changes are not durable.
    [[nodiscard]] std::size_t left() const noexcept { return left_; }
    [[nodiscard]] const char* why() const noexcept { return why_.empty() ? "done" : why_.c_str(); }

private:
    std::string why_;
    std::size_t left_ = 0;
};

}  // namespace lido::store
