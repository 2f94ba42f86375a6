// What a stage asks of a store. The store layer implements it; without one, persistent entities are refused.
//
// A stage and its store speak on the game's thread only. A store learns of changes from the journal; here is what the journal cannot say:
// whether a creation may begin, and whether everything of a life is written.
#pragma once

#include <lido/entity/identity/entity_id.hpp>
#include <lido/entity/identity/entity_ref.hpp>
#include <lido/entity/identity/player.hpp>
#include <lido/entity/stage/creation.hpp>

#include <cstdint>
#include <string_view>

namespace lido {

class class_schema;

/// A creation that asks for what is stored.
struct load_request {
    any_entity_ref of;
    const entity_id& id;
    std::string_view key;  ///< of the row
    std::string_view of_class;
    const class_schema& schema;
    std::uint64_t generation;
};

/// What was found.
struct loaded_entity {
    const void* data = nullptr;  ///< a struct of the class; null: the data of the creation counts
    std::uint64_t version = 0;
    std::uint64_t generation = 0;  ///< of the stored life: the new one gets a later one
    player owner = {};
};

class entity_store {
public:
    enum class begins : std::uint8_t {
        refused,
        loading,  ///< stage.finish_load() or refuse_load() comes later, from inside of a tick
        new_one,  ///< nothing is stored: it begins with the data of its creation
    };
    struct load_answer {
        begins how = begins::refused;
        const char* why = nullptr;  ///< of a refusal, a sentence that stays
    };

    /// Called when everything else of the creation is sure. The entity is loading from then on. May not call the stage.
    [[nodiscard]] virtual load_answer load(const load_request& request) = 0;
    /// Whether everything up to that version is written, or is sure to be without the entity.
    [[nodiscard]] virtual bool settled(const entity_id& id, std::uint64_t generation,
                                       std::uint64_t version) const noexcept = 0;

    /// The highest generation that it knows of. Persistent entities that come back with an image begin a later one, so that their saves win.
    [[nodiscard]] virtual std::uint64_t births() const noexcept { return 0; }

protected:
    ~entity_store() = default;
};

}  // namespace lido
