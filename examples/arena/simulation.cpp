#include "simulation.hpp"

#include <cstdint>
#include <tuple>

namespace arena {

namespace {

constexpr std::uint32_t most_bullets = 4096;
constexpr std::uint32_t most_glitter = 512;

/// On a full pool an orb is not lost: the first that is not flying to the ship takes it up.
bool take_up(const orb_pool::reference& existing, const orb& fresh) {
    if ((existing.get<&orb::flags>() & orb_pulled) != 0) return false;
    existing.get<&orb::amount>() += fresh.amount;
    return true;
}

}  // namespace

simulation::simulation(std::uint64_t seed, const lido::settings_table& pools, const pace& play, std::uint32_t reach,
                       keeper* keeps)
    : pace_(play),
      bullets_(most_bullets,
               {.name = "bullets", .headroom = {.above_percent = 80, .priority = 4}, .leaks = lido::leaks::allow}),
      enemies_({.name = "enemies", .headroom = {.above_percent = 89, .priority = 1}, .leaks = lido::leaks::allow}),
      glitter_(most_glitter,
               {.name = "glitter", .on_full = lido::on_full::replace_oldest, .leaks = lido::leaks::allow}),
      shots_(most_shots, {.name = "player bullets",
                          .leaks = lido::leaks::allow,
                          .kind_caps = {most_shells, most_shots},
                          .idle_cap = most_shots}),
      orbs_(most_orbs,
            {.name = "xp orbs", .on_full = lido::on_full::merge, .leaks = lido::leaks::allow, .merge = &take_up}),
      particles_(most_particles, {.name = "particles",
                                  .headroom = {.above_percent = 80, .priority = particle_that_matters},
                                  .leaks = lido::leaks::allow,
                                  .idle_cap = idle_particles}),
      debris_({.name = "death debris", .leaks = lido::leaks::allow}),
      numbers_({.name = "damage numbers", .leaks = lido::leaks::allow}),
      stage_(scene_, {.rollback = reach}),
      keeps_(keeps) {
    problem_ = set_up_scene(pools);
    if (problem_.empty() && keeps_ != nullptr) problem_ = keeps_->open(stage_);
    if (problem_.empty()) problem_ = fill_vaults();
    if (!problem_.empty()) return;
    shots_.prewarm(most_shots);
    particles_.prewarm(idle_particles);
    reseed(seed);
    warm_up();
}

simulation::~simulation() {
    if (keeps_ != nullptr) keeps_->close();  // it lets go of the stage before that ends
}

void simulation::reseed(std::uint64_t seed) {
    world_.dice.state = seed * 2 + 1;  // never zero, which would stay zero
    world_.deals.luck.state = seed * 2 + 3;
    for (int i = 0; i < 16; ++i) {
        static_cast<void>(world_.dice.next());
        static_cast<void>(world_.deals.luck.next());
    }
}

/// Saves the fullest state there can be into every place of the ring, and goes back to the start: all memory that ticks and their saves
/// will ever need is taken here, while the game loads.
void simulation::warm_up() {
    std::apply(
        [this](auto&... part) {
            lido::snapshot start;
            if (!lido::save(start, part...)) return;
            fill_up();
            for (std::uint64_t i = 0; i < kept_ticks; ++i) static_cast<void>(past_.save(i, part...));
            static_cast<void>(lido::restore(start, part...));
            past_.clear();
        },
        parts());
    audience_ = {};
}

void simulation::fill_up() {
    fill_stage();
    constexpr lido::request important{.priority = lido::max_priority, .kind = splinter_kind};
    while (bullets_.acquire_as(important, 0, 0, 0, 0, 1u, 0u)) {
    }
    while (enemies_.acquire_as(important, 0, 0, 0, 0, 1, 1u, 0u, 0u, 0u)) {
    }
    while (!glitter_.full()) glitter_.acquire(0, 0, 0, 0, 1u, 0u);
    while (shots_.acquire_as(important, 0, 0, 0, 0, 1u, 1u)) {
    }
    while (!orbs_.full()) orbs_.acquire(orb{});
    while (particles_.acquire_as(important, particle_kind::star, 0, 0, 0, 0, 1u)) {
    }
    while (debris_.push(0, 0, 0, 0, 0u, 1u) != nullptr) {
    }
    while (numbers_.push(0, 0, 0, 1u) != nullptr) {
    }
    fill_scene();
}

void simulation::step() {
    ++world_.tick;
    move_ship();
    spawn_wave();
    update_enemies();
    fire_ship();
    fire_cannon();
    update_bullets();
    map_enemies();
    hit_enemies();
    update_missiles();
    update_shots();
    hit_ship();
    update_orbs();
    update_glitter();
    update_particles();
    update_remains();
    update_boss();
    update_vaults();
    update_scene();
}

void simulation::save() {
    std::apply([this](const auto&... part) { static_cast<void>(past_.save(world_.tick, part...)); }, parts());
}

bool simulation::rewind_to(std::uint64_t tick) {
    return std::apply([this, tick](auto&... part) { return static_cast<bool>(past_.restore(tick, part...)); }, parts());
}

void simulation::confirm_all() noexcept {
    stage_.confirm(stage_.now());
    scene_.confirm_all();
    books_.read();
}

bool simulation::save_to(lido::snapshot& state) const {
    return std::apply([&state](const auto&... part) { return lido::save(state, part...); }, parts());
}

bool simulation::restore_from(const lido::snapshot& state) {
    scene_.confirm_all();  // further back than a rollback: that past is over
    return std::apply([&state](auto&... part) { return static_cast<bool>(lido::restore(state, part...)); }, parts());
}

std::uint64_t simulation::hash() const {
    return std::apply([](const auto&... part) { return lido::state_hash(part...); }, parts());
}

lido::verdict simulation::validate() const {
    for (const lido::verdict v : {bullets_.validate(), enemies_.validate(), glitter_.validate(), shots_.validate(),
                                  orbs_.validate(), particles_.validate(), debris_.validate(), numbers_.validate(),
                                  scene_.validate(), stage_.validate(), stage_.changes().validate()}) {
        if (!v) return v;
    }
    const riches sum = count_riches();
    if (sum.gold != all_gold) return {"the gold of vaults and purses is not what it was"};
    if (sum.keys != all_keys) return {"the keys of vaults and purses are not what they were"};
    return {};
}

}  // namespace arena
