// The boss: an enemy among the others, and an entity with phases. Its body is fought with as any; the entity follows it, and what a phase
// brings is said by the stage's signals.
#include "simulation.hpp"

#include <algorithm>
#include <cstdint>

namespace arena {

namespace {

constexpr lido::ticks guard_lasts{240};

}  // namespace

/// There is one at a time. Without a place on the field for its body it does not come.
void simulation::begin_boss() {
    const auto one = stage_.create<boss>({.id = boss_id}, {.health = boss_health});
    note(one);
    if (!one) return;
    const lido::handle<enemy> body = enemies_.acquire_as({.priority = 1}, from_pixels(field_width / 2),
                                                         from_pixels(-10), 64, 60, boss_health, 20u, 0u, 0u, boss_kind);
    if (!body) {
        note(stage_.destroy(one));
        return;
    }
    stage_.context(one.reference())->among_enemies = body;
    ++world_.deals.bosses;
    // What is heard of it ends with it, however that comes about, and once.
    ++audience_.themes_started;
    note(stage_.manage(one, [heard = &audience_] { ++heard->themes_ended; }));
}

void simulation::update_boss() {
    stage_.edit_each<boss>([this](boss& b, lido::entity_ref<boss> which) {
        const enemy* const body = enemies_.try_get(stage_.context(which)->among_enemies);
        if (body != nullptr) b.health = body->health;
        // One step at a time, however hard it was hit.
        if (b.phase < phase_at(b.health)) b.phase = static_cast<boss_phase>(static_cast<std::uint8_t>(b.phase) + 1);
    });
    stage_.for_each<boss>([this](const boss& b, lido::entity_ref<boss> which) {
        if (enemies_.try_get(stage_.context(which)->among_enemies) == nullptr) end_boss(b.health == 0, which);
    });
}

/// Its body was killed: said at once, because afterwards nobody can tell that from one that has left.
void simulation::slay_boss(const enemy& body) {
    const auto which = stage_.find<boss>(boss_id);
    if (!which || enemies_.try_get(stage_.context(which)->among_enemies) != &body) return;
    auto change = stage_.edit(which);
    change->health = 0;
    if (change.commit()) ++world_.deals.slain;
    note(change);
}

/// What it has taken goes to the ship that has slain it, or to a vault when it fled. It is not gone before that is done.
void simulation::end_boss(bool slain, lido::entity_ref<boss> which) {
    const auto give = [&](auto to) {
        auto edit = stage_.edit(hoard_, to);
        const std::int64_t all = edit[hoard_].gold;
        edit[hoard_].gold -= all;
        edit[to].gold += all;
        edit.commit();
        note(edit);
        return static_cast<bool>(edit);
    };
    if (!(slain ? give(traders_[0]) : give(vaults_[lucky_vault()]))) return;  // locked, say: in the next tick again
    const lido::entity_lock guards = stage_.context(which)->guards;
    note(stage_.destroy(which));
    if (!guards) return;
    if (stage_.holds(guards)) note(stage_.unlock(guards));
    audit(stage_.as<vault>(guards.of));
}

std::size_t simulation::lucky_vault() { return world_.deals.luck.below(static_cast<std::uint32_t>(vaults_.size())); }

/// Told by the stage, behind the commit.
void simulation::enter(lido::entity_ref<boss> which, boss_phase into) {
    if (!stage_.lives(which)) return;
    lido::entity_lock& guards = stage_.context(which)->guards;
    if (into == boss_phase::angry) {
        const lido::entity_ref<vault> at = vaults_[lucky_vault()];
        const lido::lock_result lock = stage_.lock(at, boss_id, guard_lasts);
        note(lock);
        if (!lock) return;  // an auditor is there
        guards = lock;
        // An auditor waits outside: when the lock is over, nobody is there before him.
        stage_.after(at, guard_lasts, [this](lido::any_entity_ref v) { audit(stage_.as<vault>(v)); });
        auto curse = stage_.edit(at);
        curse->cursed = true;
        curse->fee = cursed_fee;
        if (curse.under(guards).commit()) ++world_.deals.curses;
        note(curse);
    } else if (into == boss_phase::raging && guards) {
        const auto at = stage_.as<vault>(guards.of);
        auto raid = stage_.edit(which, at, hoard_);
        const std::int64_t half = raid[at].gold / 2;
        raid[at].gold -= half;
        raid[hoard_].gold += half;
        ++raid[which].raids;
        if (raid.under(guards).commit()) ++world_.deals.raids;
        note(raid);
    }
}

}  // namespace arena
