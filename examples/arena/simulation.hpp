// The game: a ship, waves of enemies, far too many bullets, and what they leave. One step is one tick; the same seed gives the same game
// anywhere. What it does is one file a system: ship.cpp, enemies.cpp, bullets.cpp, shots.cpp, orbs.cpp, effects.cpp, remains.cpp,
// scene.cpp, crowds.cpp; and on
// the stage vaults.cpp, boss.cpp.
#pragma once

#include "actors.hpp"
#include "books.hpp"
#include "crowd.hpp"
#include "keeper.hpp"
#include "objects.hpp"
#include "pace.hpp"
#include "vaults.hpp"

#include <lido/core.hpp>
#include <lido/world/settings_table.hpp>
#include <lido/world/world.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

namespace arena {

class simulation {
public:
    static constexpr std::size_t kept_ticks = 8;

    /// `pools`: what a file said of the scene's classes. `reach`: how many ticks restore_from() may go back. Changes of entities stay open
    /// as long, and nobody who cannot take them back is told of them. `keeps`: null, or who keeps the vaults from run to run.
    simulation(std::uint64_t seed, const lido::settings_table& pools, const pace& play = overload_play,
               std::uint32_t reach = kept_ticks, keeper* keeps = nullptr);
    simulation(const simulation&) = delete;
    simulation& operator=(const simulation&) = delete;
    ~simulation();

    /// What is wrong with the settings, in one line; empty when the game can begin.
    [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

    void step();

    /// Remembers this tick for rewind_to().
    void save();

    /// Back to a tick of the last `kept_ticks`. False when it is not kept.
    [[nodiscard]] bool rewind_to(std::uint64_t tick);

    /// The same, kept by whom it concerns. False when there is no memory for it, or nothing to restore; when it is further back than
    /// `reach`; and when it is of a branch of time that was left by going back to before it.
    [[nodiscard]] bool save_to(lido::snapshot& state) const;
    [[nodiscard]] bool restore_from(const lido::snapshot& state);

    /// No rollback will come any more: what has ended is let go.
    void confirm_all() noexcept;

    /// More of something than its pool has room for, between two ticks.
    void overload(crowd what);

    [[nodiscard]] std::uint64_t hash() const;

    /// The first pool that is broken, if one is; or gold or keys that came from nowhere, or went there.
    [[nodiscard]] lido::verdict validate() const;

    [[nodiscard]] const pace& play() const noexcept { return pace_; }
    [[nodiscard]] const world_state& world() const noexcept { return world_; }
    [[nodiscard]] const bullet_pool& bullets() const noexcept { return bullets_; }
    [[nodiscard]] const enemy_pool& enemies() const noexcept { return enemies_; }
    [[nodiscard]] const glitter_pool& glitter() const noexcept { return glitter_; }
    [[nodiscard]] const shot_pool& shots() const noexcept { return shots_; }
    [[nodiscard]] const orb_pool& orbs() const noexcept { return orbs_; }
    [[nodiscard]] const particle_pool& particles() const noexcept { return particles_; }
    [[nodiscard]] const debris_list& debris() const noexcept { return debris_; }
    [[nodiscard]] const number_list& numbers() const noexcept { return numbers_; }
    [[nodiscard]] const audience& heard() const noexcept { return audience_; }
    [[nodiscard]] const scene_world& scene() const noexcept { return scene_; }
    /// To look at its objects, which only a world that may be changed lets one do.
    [[nodiscard]] scene_world& scene() noexcept { return scene_; }
    [[nodiscard]] const scene_stage& stage() const noexcept { return stage_; }
    [[nodiscard]] scene_stage& stage() noexcept { return stage_; }
    [[nodiscard]] const books& kept_books() const noexcept { return books_; }

    /// In all vaults and purses. Always the same: all_gold, all_keys.
    struct riches {
        std::int64_t gold = 0;
        std::int64_t keys = 0;
    };
    [[nodiscard]] riches count_riches() const;

private:
    /// All that is saved, restored and hashed. The scene is in its stage.
    [[nodiscard]] auto parts() noexcept {
        return std::tie(bullets_, enemies_, glitter_, shots_, orbs_, particles_, debris_, numbers_, stage_, world_);
    }
    [[nodiscard]] auto parts() const noexcept {
        return std::tie(bullets_, enemies_, glitter_, shots_, orbs_, particles_, debris_, numbers_, stage_, world_);
    }

    void reseed(std::uint64_t seed);
    void warm_up();
    void fill_up();

    // ship.cpp
    void move_ship();
    void fire_ship();
    void hit_ship();

    // enemies.cpp
    void spawn_wave();
    void update_enemies();
    void fire(const enemy& from);
    void map_enemies();
    [[nodiscard]] lido::handle<enemy> enemy_at(fixed x, fixed y, const shot* not_again = nullptr) const;
    void hurt(lido::handle<enemy> who, std::int32_t damage);
    void end(enemy& e);

    // bullets.cpp
    void update_bullets();
    void hit_enemies();

    // shots.cpp
    void fire_cannon();
    void update_shots();
    void split(const shot& from);

    // orbs.cpp
    void drop_orbs(fixed x, fixed y, std::uint32_t count, std::int32_t amount);
    void update_orbs();
    void pull_orbs();
    void collect_orbs();
    void merge_orbs();

    // effects.cpp
    void burst(fixed x, fixed y, std::uint32_t count, std::uint32_t colour);
    void update_glitter();
    void puff(particle_kind kind, fixed x, fixed y, std::uint32_t count);
    void update_particles();

    // remains.cpp
    void shatter(const enemy& e);
    void show_damage(fixed x, fixed y, std::int32_t damage);
    void update_remains();

    // vaults.cpp
    struct errand {
        std::string_view name;
        lido::entity_ref<purse> who;
        lido::entity_ref<door> through;
        lido::entity_ref<vault> into;
    };
    using trade = lido::edit<scene_stage, purse, door, vault>;
    [[nodiscard]] std::string set_up_vaults();
    [[nodiscard]] std::string fill_vaults();
    void fill_stage();
    void note(const lido::stage_answer& answer);
    void update_vaults();
    [[nodiscard]] errand plan(std::size_t trader);
    void deal();
    void run(const errand& e, trade& edit);
    void shut(lido::entity_ref<door> which);
    void level_vaults();
    void audit(lido::entity_ref<vault> which);
    void end_audit(const lido::entity_lock& mine);
    void lift_curse(lido::entity_ref<vault> which, const lido::entity_lock& mine);

    // boss.cpp
    void begin_boss();
    void update_boss();
    void slay_boss(const enemy& body);
    void end_boss(bool slain, lido::entity_ref<boss> which);
    void enter(lido::entity_ref<boss> which, boss_phase into);
    [[nodiscard]] std::size_t lucky_vault();

    // crowds.cpp
    [[nodiscard]] spot somewhere();

    // scene.cpp
    [[nodiscard]] std::string set_up_scene(const lido::settings_table& pools);
    void launch_missile(const missile::launch& with);
    void update_missiles();
    void explode(fixed x, fixed y, const explosion::blast& with);
    void throw_embers(fixed x, fixed y, std::uint32_t count);
    void show_text(fixed x, fixed y, std::int32_t value);
    void update_scene();
    template <class T>
    void fill_class();
    void fill_scene();

    pace pace_;  // what the player chose: not part of the state
    bullet_pool bullets_;
    enemy_pool enemies_;
    glitter_pool glitter_;
    shot_pool shots_;
    orb_pool orbs_;
    particle_pool particles_;
    debris_list debris_;
    number_list numbers_;
    audience audience_;
    scene_world scene_{lido::role::standalone, {.rollback = kept_ticks}};
    scene_stage stage_;
    books books_{stage_};
    keeper* keeps_;
    // None of these ever ends.
    std::array<lido::entity_ref<vault>, vault_ids.size()> vaults_;
    std::array<lido::entity_ref<door>, door_ids.size()> doors_;
    std::array<lido::entity_ref<purse>, trader_ids.size()> traders_;
    lido::entity_ref<purse> hoard_;
    world_state world_;
    std::string problem_;
    lido::rewind<kept_ticks> past_;
    lido::merge_pass merging_{most_orbs};  // keeps nothing from tick to tick

    // A grid of who is where, rebuilt every tick, so it is not part of the state.
    static constexpr int cell = 16;  // pixels
    static constexpr std::size_t columns = field_width / cell;
    static constexpr std::size_t rows = (field_height + cell - 1) / cell;
    struct cell_list {
        std::uint32_t count = 0;
        std::array<lido::handle<enemy>, 8> who{};
    };
    std::array<cell_list, columns * rows> grid_{};
};

}  // namespace arena
