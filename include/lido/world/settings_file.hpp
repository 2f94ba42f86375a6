// Settings of a world's classes from one TOML file. Compiled: link lido::settings.
//
//     [class.explosion]                 # a name with colons or dots is quoted: [class."game::explosion"]
//     prewarm = 64                      # 0 to 2^24, as all counts of objects
//     max_lifetime = 120                # ticks, 0 to 2^40; 0: as long as it likes
//     roles = ["client", "standalone"]  # also "listen_server", "dedicated_server"
//     capacity = 64
//     on_full = "replace_oldest"        # or "reject", "grow", "replace_lowest", "replace_if", "merge"
//     grow_to = 256                     # first grows to that many, then on_full; at least 1
//     headroom = { above_percent = 90, priority = 4 }  # 1 to 100, 0 to 15
//     idle_cap = 100
//     trim = { after = 600, margin = 16 }              # ticks, objects
//     reserve = 1024                    # address space, so that the caps above can be raised while it runs
//     leaks = "allow"                   # or "report", "leave", "abort"
//
// Every key may be left out: what the program said stays. `grow_to` alone, and beside "grow", ends in "reject".
#pragma once

#include <lido/world/settings_table.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace lido {

/// A table, or why there is none. Nothing partial: with an error the table has no classes.
struct settings_result {
    settings_table table;

    /// One line, "pools.toml:12: explosion: prewarm is -3; it must be 0 to 16777216". Text from the file is shortened in it, and
    /// its control characters are spelled out. Of several mistakes it is the first in the file; where the file is not TOML, only
    /// that is said.
    std::string error;

    [[nodiscard]] explicit operator bool() const noexcept { return error.empty(); }
};

/// Reads a file of at most settings_limits::file_bytes.
/// Complexity: memory in proportion to the file, and a stack that does not depend on it. Time too, for a file with sense; one that
/// a stranger fills with tens of thousands of dotted keys takes seconds.
[[nodiscard]] settings_result read_settings(const std::filesystem::path& file);

/// The same from text; `source` is what messages call it.
[[nodiscard]] settings_result parse_settings(std::string_view text, std::string_view source);

}  // namespace lido
