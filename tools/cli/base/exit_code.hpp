// What a command returns to the shell. docs/guide/cli.md has the same list.
#pragma once

namespace lido::cli {

inline constexpr int exit_ok = 0;
inline constexpr int exit_found =
    1;  ///< it ran, and there is something to look at: differences, damage, rows of an older form
inline constexpr int exit_usage = 2;          ///< the command line makes no sense
inline constexpr int exit_cannot = 3;         ///< it makes sense, and cannot be done
inline constexpr int exit_interrupted = 130;  ///< somebody pressed Ctrl-C; as shells count it

}  // namespace lido::cli
