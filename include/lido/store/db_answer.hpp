// What a database says to a call: done, or why not, and what follows from that.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace lido::store {

enum class db_fault : std::uint8_t {
    none,
    again,     ///< not now: the disk is full, somebody has a lock, the connection is down. The same may work later
    row,       ///< this row can never be written: it is too large, or has a text that the database does not take
    unusable,  ///< nothing can be done until somebody mends it: damaged, of another program, of a later version
    lost,      ///< another program has the database now: nothing more may be written by this one
};

[[nodiscard]] constexpr const char* to_string(db_fault fault) noexcept {
    switch (fault) {
        case db_fault::none: return "done";
        case db_fault::again: return "not now";
        case db_fault::row: return "this row cannot be written";
        case db_fault::unusable: return "the database is unusable";
        case db_fault::lost: return "another program has the database";
    }
    return "unknown";
}

/// True when it was done. Else the sentence says what is wrong and what to do about it.
class [[nodiscard]] db_answer {
public:
    db_answer() noexcept = default;
    db_answer(db_fault fault, std::string why) noexcept : why_(std::move(why)), fault_(fault) {}

    [[nodiscard]] explicit operator bool() const noexcept { return fault_ == db_fault::none; }
    [[nodiscard]] db_fault fault() const noexcept { return fault_; }
    [[nodiscard]] const std::string& why() const noexcept { return why_; }

private:
    std::string why_;
    db_fault fault_ = db_fault::none;
};

}  // namespace lido::store
