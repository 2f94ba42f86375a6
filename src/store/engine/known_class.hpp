// What the engine knows of a class of entities, and of each persistent life in it: where a link may lead, and the copy of the entity as it was
// confirmed last. By the slot that the stage has it in, so that an entry of the journal finds it without a search.
#pragma once

#include <lido/core/handle.hpp>
#include <lido/entity/identity/entity_id.hpp>
#include <lido/entity/identity/entity_ref.hpp>
#include <lido/entity/schema/class_schema.hpp>
#include <lido/world/class_id.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lido::store_detail {

inline constexpr std::uint32_t nowhere = 0xffffffffu;

/// The persistent life that is in a slot, or was in it last.
struct kept_life {
    std::uint64_t life = 0;
    std::uint64_t generation = 0;
    std::uint64_t version = 0;  ///< as confirmed
    std::uint64_t birth = 0;    ///< the generation of its first life: what stored links say
    std::uint64_t owner = 0;
    entity_id id;
    std::uint32_t row = nowhere;
    bool here = false;    ///< it has not ended
    bool failed = false;  ///< its last changes could not be written, and are not tried again
    bool seen = false;    ///< by the snapshot that is being taken
};

/// Which slot of its class a life is in.
[[nodiscard]] inline std::uint32_t slot_of(any_entity_ref which) noexcept {
    return handle<any_entity_ref>::from_bits(which.life()).index();
}

struct known_class {
    class_number number = 0;
    class_id id = 0;
    std::string name;
    const class_schema* schema = nullptr;
    field_set linked;  ///< saved fields with links
    bool has_links = false;
    bool all_known = false;   ///< each of its rows has a record in the row table
    std::uint32_t scans = 0;  ///< loads of many that are under way
    std::chrono::nanoseconds wait{0};
    std::vector<kept_life> lives;   ///< by slot
    std::vector<std::byte> copies;  ///< by slot

    bool noted = false;  ///< the writer's: the database knows this revision

    known_class(class_number n, std::string_view called, const class_schema& of, std::chrono::nanoseconds waits)
        : number(n), id(class_id_of(called)), name(called), schema(&of), wait(waits) {
        of.saved().for_each([&](std::size_t i) {
            if (of.fields()[i].links) linked.add(i);
        });
        has_links = !linked.empty();
    }

    [[nodiscard]] std::byte* copy_of(std::uint32_t slot) noexcept {
        return copies.data() + std::size_t{slot} * schema->size();
    }
    void make_room(std::uint32_t slot) {
        if (slot < lives.size()) return;
        const std::size_t count = std::max<std::size_t>(std::size_t{slot} + 1, lives.size() * 2);
        copies.resize(count * schema->size());
        lives.resize(count);
    }
    [[nodiscard]] kept_life* find(std::uint32_t slot, std::uint64_t generation) noexcept {
        if (slot >= lives.size()) return nullptr;
        kept_life& l = lives[slot];
        return l.here && l.generation == generation ? &l : nullptr;
    }
};

}  // namespace lido::store_detail
