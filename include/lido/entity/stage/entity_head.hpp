// What a stage knows of one entity beside its data.
#pragma once

#include <lido/entity/identity/entity_id.hpp>
#include <lido/entity/identity/player.hpp>
#include <lido/entity/schema/text.hpp>

#include <cstdint>
#include <type_traits>

namespace lido {

/// How a life ended, for `on_end`.
enum class entity_end : std::uint8_t {
    none,
    pooled,      ///< the object waits for its next life
    destroyed,   ///< it does not
    erased,      ///< nor is anything of it kept in a store
    undone,      ///< a restore went back to before it began
    called_off,  ///< it never began: a hook threw, or there was no room
};

[[nodiscard]] constexpr const char* to_string(entity_end how) noexcept {
    switch (how) {
        case entity_end::none: return "not at all";
        case entity_end::pooled: return "pooled";
        case entity_end::destroyed: return "destroyed";
        case entity_end::erased: return "erased";
        case entity_end::undone: return "undone by a restore";
        case entity_end::called_off: return "called off before it began";
    }
    return "unknown";
}

/// Names who holds a lock.
using lock_name = text<23>;

namespace entity_detail {

enum class life_phase : std::uint8_t { none, beginning, loading, living, ending, called_off };

struct entity_head {
    entity_id id;
    std::uint64_t generation = 0;
    std::uint64_t version = 0;
    player owner;
    std::uint64_t lock_until = 0;  ///< the first tick without it; 0: there is no lock
    std::uint64_t lock_number = 0;
    lock_name lock_by;
    life_phase phase = life_phase::none;
    entity_end end = entity_end::none;
    bool persistent = false;
    std::uint32_t id_tag = 0;  ///< id_table::tag_of its id: it is hashed once a life

    [[nodiscard]] bool lives() const noexcept { return phase == life_phase::living; }
    [[nodiscard]] bool locked_at(std::uint64_t tick) const noexcept { return lock_until > tick; }
};
static_assert(std::is_trivially_copyable_v<entity_head>);

}  // namespace entity_detail
}  // namespace lido
