// The arena in real time, with the inspector to look into it and to play with.
#pragma once

#include "session.hpp"

#include <cstdint>
#include <string>

namespace arena {

struct serve_options {
    std::uint16_t port = 0;  // 0: the next free one
    std::string bind;        // empty: this machine only
    bool allow_remote = false;
    std::uint64_t seconds = 0;  // 0: until a signal
};

/// What the program ends with: 0 after a signal or the seconds, 2 when it cannot serve, which it says.
[[nodiscard]] int serve(session& s, const serve_options& options);

}  // namespace arena
