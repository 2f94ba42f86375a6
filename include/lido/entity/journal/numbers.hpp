// The numbers that a change is stamped with. Each has a type of its own, so that two of them cannot change places unseen.
#pragma once

#include <compare>
#include <cstdint>

namespace lido {

/// Which life of an id: greater for each life, with gaps; 0 is none.
struct generation_number {
    std::uint64_t value = 0;
    friend constexpr auto operator<=>(generation_number, generation_number) noexcept = default;
};

/// How many commits a life has had, from the first that it was given.
struct version_number {
    std::uint64_t value = 0;
    friend constexpr auto operator<=>(version_number, version_number) noexcept = default;
};

/// Which commit of a stage; all changes of one commit have the same. The first is 1.
struct commit_number {
    std::uint64_t value = 0;
    friend constexpr auto operator<=>(commit_number, commit_number) noexcept = default;
};

/// Where an entity is in its stage: small, used again after its end, and of no meaning anywhere else. With a generation it names a life.
struct entity_number {
    std::uint32_t value = 0;
    friend constexpr auto operator<=>(entity_number, entity_number) noexcept = default;
};

/// Which entry of a journal, counted from 0. A cut gives the numbers of what it drops to the entries that follow it.
struct entry_number {
    std::uint64_t value = 0;
    friend constexpr auto operator<=>(entry_number, entry_number) noexcept = default;
};

}  // namespace lido
