// What a session looks like now, as the JSON text that the inspector's page draws.
#pragma once

#include "session.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace arena {

/// Keeps its memory from frame to frame.
class frame_writer {
public:
    /// {"tick":…,"hash":"…",…,"groups":[{"kind":"bullet","points":"…"},…],…}: points are 16-bit numbers, little-endian, x and y in
    /// pixels, in base64.
    /// Invalidates: the text of the call before.
    [[nodiscard]] std::string_view write(session& s);

private:
    void begin_group(std::string_view kind);
    void point(fixed x, fixed y);
    void end_group();
    void groups(simulation& game);

    std::string text_;
    std::string points_;  // bytes
};

/// "0.25" … "8".
[[nodiscard]] std::string_view speed_text(unsigned quarters) noexcept;

}  // namespace arena
