// What a world reports beside what its pools do: 64 to 79 of the kinds of misuse.
#pragma once

#include <lido/core/misuse.hpp>

namespace lido::world_misuse {

inline constexpr misuse_kind unknown_class{64};  ///< a world was asked for a class that it does not have
inline constexpr misuse_kind wrong_payload{65};  ///< an object was to be handed something of another type than it takes
inline constexpr misuse_kind unknown_call{66};   ///< a call was named that the world does not have, or not for that
inline constexpr misuse_kind ambiguous_class{67};  ///< a call that is about one class named a type that several have

inline constexpr misuse_kind owned_object{66};  ///< an entity was to be begun or ended by its world, past its stage

static_assert(unknown_class >= misuse_kind::first_of_layers);

}  // namespace lido::world_misuse
