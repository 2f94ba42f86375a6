// Books of the vaults, kept by reading the stage's journal and nothing else: what the entities have must be what the books say.
#pragma once

#include "vaults.hpp"

#include <lido/entity/journal.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace arena {

/// Reads confirmed changes only, so no rollback ever takes back what it wrote. Allocates nothing in the game.
class books {
public:
    static constexpr std::size_t classes = 4;

    /// Of one class of entities.
    struct counts {
        std::uint64_t created = 0;
        std::uint64_t commits = 0;  // of which each entity in them is one
        std::uint64_t ended = 0;
        std::uint64_t locks = 0;
    };

    /// Everything that is written into the journal from here on.
    explicit books(scene_stage& of);

    void read();

    [[nodiscard]] const counts& of_class(lido::class_number n) const noexcept { return counts_[n % counts_.size()]; }
    [[nodiscard]] std::uint64_t commits() const noexcept { return commits_; }

    /// Null, or what is wrong. Compares with what the stage tells a reader that comes now: for the end of a run, because that
    /// takes memory.
    [[nodiscard]] const char* compare() const;

private:
    static constexpr std::size_t slots = 64;
    using accounts = std::array<std::array<std::int64_t, slots>, 16>;  // gold by class and slot

    void write(const lido::journal_entry& e);
    [[nodiscard]] static std::int64_t* account(accounts& all, const lido::stamp& of) noexcept;

    scene_stage& stage_;
    lido::journal_cursor cursor_;
    accounts gold_{};
    std::array<counts, 16> counts_{};  // by number of the class
    std::uint64_t commits_ = 0;
    std::int64_t moved_ = 0;  // by the entries of the commit that is being read
    bool closed_ = true;      // the commit has changed what there was, and created nothing
    const char* wrong_ = nullptr;
};

}  // namespace arena
