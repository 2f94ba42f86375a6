// Why a life ended.
#pragma once

#include <cstdint>

namespace lido {

enum class end_reason : std::uint8_t {
    itself,     ///< the object: return_to_pool() of lido::pooled, life::end()
    reference,  ///< somebody who had its reference, or the object
    lifetime,   ///< its time was over
    replaced,   ///< it made room for a newcomer
    its_class,  ///< return_all of its class, or the class was removed
    its_world,  ///< return_all of the world, or the world has ended
    undone,     ///< a restore went back to before it began; listeners are not told
    called_off,  ///< it never began: a hook threw, or a newcomer was offered to others (on_full::merge); listeners are not told
    destroyed,  ///< world.destroy, life::destroy(): its object is not kept for another life
};

[[nodiscard]] constexpr const char* to_string(end_reason why) noexcept {
    switch (why) {
        case end_reason::itself: return "by itself";
        case end_reason::reference: return "by its reference";
        case end_reason::lifetime: return "its lifetime was over";
        case end_reason::replaced: return "replaced by a newcomer";
        case end_reason::its_class: return "with all of its class";
        case end_reason::its_world: return "with all of its world";
        case end_reason::undone: return "undone by a restore";
        case end_reason::destroyed: return "for good";
        case end_reason::called_off: return "called off before it began";
    }
    return "unknown";
}

}  // namespace lido
