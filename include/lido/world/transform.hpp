// A place in space, for worlds that bring none of their own.
#pragma once

namespace lido {

/// What `lido::world` places objects by. A program with its own: `lido::basic_world<my::transform>`.
struct transform {
    float x = 0, y = 0, z = 0;
    float qx = 0, qy = 0, qz = 0, qw = 1;  ///< the rotation, as a quaternion
    float scale = 1;

    friend constexpr bool operator==(const transform&, const transform&) noexcept = default;
};

}  // namespace lido
