// What has a name in the arena, and a history: vaults with gold, the doors that lead to them, the purses of those who trade, the boss and its hoard.
// Entities of a stage over the arena's world: changed by edits alone, which happen whole or not at all. Gold and keys go from one to
// another, and there is never more or less of them.
#pragma once

#include "actors.hpp"
#include "objects.hpp"

#include <lido/entity/schema/description.hpp>
#include <lido/entity/schema/link.hpp>
#include <lido/entity/schema/text.hpp>
#include <lido/entity/stage/stage.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace arena {

inline constexpr std::array<std::string_view, 6> vault_ids{"vault-1", "vault-2", "vault-3",
                                                           "vault-4", "vault-5", "vault-6"};
inline constexpr std::array<std::string_view, 6> door_ids{"door-1", "door-2", "door-3", "door-4", "door-5", "door-6"};
inline constexpr std::array<std::string_view, 2> trader_ids{"ship", "wing"};
inline constexpr std::string_view boss_id = "boss";
inline constexpr std::string_view hoard_id = "hoard";

inline constexpr std::int64_t gold_of_a_vault = 2000;  // at the start
inline constexpr std::int32_t keys_of_a_vault = 2;
inline constexpr std::int32_t keys_of_a_trader = 3;
inline constexpr std::int64_t all_gold = gold_of_a_vault * vault_ids.size();
inline constexpr std::int32_t all_keys = keys_of_a_vault * vault_ids.size() + keys_of_a_trader * trader_ids.size();

inline constexpr std::int32_t plain_fee = 20;   // gold for a key
inline constexpr std::int32_t cursed_fee = 80;  // as long as a boss's curse is on the vault

struct vault {
    std::int64_t gold = 0;
    std::int32_t keys = 0;
    std::int32_t fee = plain_fee;
    bool cursed = false;
};
constexpr auto describe(lido::type<vault>) {
    return lido::schema{1, lido::field<&vault::gold>{.min = 0, .max = all_gold},
                        lido::field<&vault::keys>{.min = 0, .max = all_keys}};
}
inline bool valid(const vault& v) { return v.fee == (v.cursed ? cursed_fee : plain_fee); }

struct door {
    bool open = false;
    std::uint32_t openings = 0;
    lido::text<15> opened_by = {};
    lido::link<vault> leads_to = {};
};
constexpr auto describe(lido::type<door>) {
    return lido::schema{1, lido::field<&door::openings>{.send = lido::seen::by_nobody}};
}
/// Whoever has opened it is named as long as it is open.
inline bool valid(const door& d) { return d.open != d.opened_by.empty(); }

struct purse {
    std::int64_t gold = 0;
    std::int32_t keys = 0;
};
constexpr auto describe(lido::type<purse>) {
    return lido::schema{1, lido::field<&purse::gold>{.min = 0, .max = all_gold},
                        lido::field<&purse::keys>{.min = 0, .max = all_keys}};
}

/// The worse it is hurt, the worse it gets.
enum class boss_phase : std::uint8_t {
    calm,
    angry,   ///< locks a vault and lays a curse on it
    raging,  ///< takes half of what is in there
};

/// One at a time, and each object is one boss: never pooled. What it takes is in its hoard, a purse that is there before it and after it.
struct boss {
    static constexpr bool fresh = true;

    /// Beside what is described: its body among the enemies, and its lock on a vault.
    struct body {
        lido::handle<enemy> among_enemies{};
        lido::entity_lock guards{};
    };
    using context_type = body;

    std::int32_t health = 0;
    boss_phase phase = boss_phase::calm;
    std::uint32_t raids = 0;
};
inline constexpr std::int32_t boss_health = 200;

/// What it comes to when it is so much hurt.
[[nodiscard]] constexpr boss_phase phase_at(std::int32_t health) noexcept {
    return health > boss_health * 2 / 3 ? boss_phase::calm
           : health > boss_health / 3   ? boss_phase::angry
                                        : boss_phase::raging;
}
constexpr auto describe(lido::type<boss>) {
    return lido::schema{1, lido::field<&boss::health>{.min = 0, .max = boss_health},
                        lido::field<&boss::phase>{.max = boss_phase::raging}};
}
inline bool valid(const boss& b) { return b.phase <= phase_at(b.health); }

using scene_stage = lido::basic_stage<scene_world>;

inline constexpr std::size_t refusal_kinds = static_cast<std::size_t>(lido::stage_refusal::no_history) + 1;

/// What came of all the dealing: part of the state, so that a tick that is played again counts once.
struct dealings {
    random luck;                                         // dice of their own: who trades does not change the battle
    std::array<std::uint64_t, refusal_kinds> refused{};  // by lido::stage_refusal
    std::uint64_t opened = 0;                            // vaults
    std::uint64_t bought = 0;                            // keys
    std::uint64_t tried_again = 0;                       // deals that were done after a conflict
    std::uint64_t levelled = 0;                          // how often all vaults were made equal
    std::uint64_t bosses = 0;
    std::uint64_t slain = 0;
    std::uint64_t curses = 0;
    std::uint64_t raids = 0;
    std::uint64_t audits = 0;
    std::uint64_t undone = 0;  // curses, from the history of their vault
    std::uint64_t lifted = 0;  // curses, by hand: gold had moved since
};

/// What is neither in a pool nor on the stage, nor constant. Saved and restored with them.
struct world_state {
    random dice;
    std::uint64_t tick = 0;
    std::uint64_t score = 0;
    std::uint64_t hits_taken = 0;
    std::uint64_t targets_lost = 0;  // missiles whose enemy died first
    std::uint64_t xp = 0;
    std::uint64_t merged_on_screen = 0;
    std::uint64_t merged_off_screen = 0;
    fixed ship_x = from_pixels(field_width / 2);
    fixed ship_y = from_pixels(field_height - 30);
    dealings deals;
};

}  // namespace arena
