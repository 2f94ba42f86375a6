// Where a database is: a path, or the address of a PostgreSQL. And the two ways that commands open one.
#pragma once

#include <lido/store/database.hpp>

#include <memory>
#include <string>
#include <string_view>

#include "../base/output.hpp"

namespace lido::cli {

struct location {
    std::string text;   ///< as it was given
    std::string shown;  ///< for people: without a password
    bool is_address = false;
    std::string wrong;  ///< why it is none; empty when it is good

    /// Tells `speak` what of it must never be written.
    [[nodiscard]] static location of(std::string_view text, speaker& speak);
};

/// A database that is open. Null: it was said why.
using open_database = std::unique_ptr<store::database>;

/// To look: games may have it meanwhile.
[[nodiscard]] open_database open_to_read(const location& where, store::opened_database& found, const speaker& speak);
/// As the one writer. What is no store is refused and stays as it is; what is not there is made only where `make` says so.
[[nodiscard]] open_database open_to_write(const location& where, bool make, store::opened_database& found,
                                          const speaker& speak);
/// A file that is not there, or has nothing in it.
[[nodiscard]] bool is_nothing_yet(const location& where);

}  // namespace lido::cli
