// The numbers of the parts of an image: what a part's bytes begin with.
//
// Images outlive programs, so a number is never given to anything else, and one that is no longer written stays in the list.
#pragma once

#include <cstdint>

namespace lido {

enum class image_part : std::uint8_t {
    plain = 0,
    slot_pool = 1,
    flag_pool = 2,
    dense_pool = 3,
    column_pool = 4,
    recycle_pool = 5,
    capped_list = 6,
    ring_pool = 7,
    bytemap_pool = 8,
    flag_column_pool = 9,
    recycled_list = 10,
    confirmed_recycle_pool = 11,  ///< with options::confirmed_ends; so is the next
    confirmed_slot_pool = 12,
    world = 13,
    stage = 14,
    lasting_world = 15,  ///< with what a later build needs to read it; so is the next
    lasting_stage = 16,
    // The next of lido's own is 17.
    first_of_programs = 128,  ///< this and those above are never lido's: for parts that a program defines
};

[[nodiscard]] constexpr std::uint8_t number_of(image_part part) noexcept { return static_cast<std::uint8_t>(part); }

}  // namespace lido
