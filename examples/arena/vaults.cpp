// Doors, vaults and purses. Two traders open vaults with keys and buy keys with gold; both plan on what they see and are then told who was
// first. An auditor locks one vault after the other and lifts curses; now and then all vaults are made equal.
#include "simulation.hpp"

#include <cstdint>
#include <string_view>

namespace arena {

namespace {

constexpr std::uint64_t deal_period = 5;  // ticks
constexpr lido::ticks door_stays_open{45};
constexpr std::uint64_t audit_period = 97;  // ticks; each time another vault
constexpr lido::ticks audit_takes{20};
constexpr lido::ticks audit_locks{30};        // a little longer, in case it is late
constexpr std::uint64_t level_period = 1200;  // ticks

constexpr std::uint32_t kept_of_vaults = 32;  // commits, in the history of each
constexpr std::uint32_t kept_of_doors = 8;
constexpr std::uint32_t kept_of_purses = 8;
constexpr std::uint32_t kept_of_bosses = 8;
constexpr std::uint32_t most_bosses = 2;  // one, and one whose end is not certain

}  // namespace

/// What is wrong, in one line.
std::string simulation::set_up_vaults() {
    constexpr auto few = static_cast<std::uint32_t>(vault_ids.size());
    const auto doors = stage_.add<door>("door", {.history = kept_of_doors, .prewarm = few});
    const auto vaults = stage_.add<vault>("vault", {.history = kept_of_vaults, .prewarm = few});
    const auto purses = stage_.add<purse>("purse", {.history = kept_of_purses, .prewarm = trader_ids.size() + 1});
    const auto bosses = stage_.add<boss>("boss", {.history = kept_of_bosses, .prewarm = most_bosses});
    for (const char* why : {doors.why(), vaults.why(), purses.why(), bosses.why()}) {
        if (*why != '\0') return why;
    }
    stage_.signals<boss>().updated.connect([this](const lido::entity_event& e) {
        if (const auto phase = e.after<boss_phase>("phase")) enter(stage_.as<boss>(e.reference()), *phase);
    });
    return {};
}

/// What is kept is there already; all else begins.
std::string simulation::fill_vaults() {
    const bool kept = keeps_ != nullptr;
    std::string problem;
    const auto begin = [&]<class T>(lido::entity_ref<T>& at, std::string_view id, const T& data) {
        at = stage_.find<T>(id);
        if (at || !problem.empty()) return;
        const auto made = stage_.create<T>({.id = id, .persistent = kept}, data);
        if (!made) problem = made.why();
        at = made;
    };
    for (std::size_t i = 0; i < vault_ids.size(); ++i) {
        begin(vaults_[i], vault_ids[i], vault{.gold = gold_of_a_vault, .keys = keys_of_a_vault});
        if (!problem.empty()) return problem;
        // A door is shut when a game begins, so nobody keeps it.
        const auto d = stage_.create<door>({.id = door_ids[i]}, {.leads_to = stage_.link_to(vaults_[i])});
        if (!d) return d.why();
        doors_[i] = d;
    }
    for (std::size_t i = 0; i < trader_ids.size(); ++i) {
        begin(traders_[i], trader_ids[i], purse{.keys = keys_of_a_trader});
    }
    begin(hoard_, hoard_id, purse{});
    return problem;
}

/// Nothing is refused in silence.
void simulation::note(const lido::stage_answer& answer) {
    if (!answer) ++world_.deals.refused[static_cast<std::size_t>(answer.reason())];
}

void simulation::update_vaults() {
    if (world_.tick % deal_period == 0) deal();
    if (world_.tick % level_period == 0) level_vaults();
    if (world_.tick % audit_period == 0) audit(vaults_[world_.tick / audit_period % vaults_.size()]);
}

simulation::errand simulation::plan(std::size_t trader) {
    const lido::entity_ref<door> to = doors_[world_.deals.luck.below(static_cast<std::uint32_t>(doors_.size()))];
    return {trader_ids[trader], traders_[trader], to, stage_.follow(stage_.get(to)->leads_to)};
}

/// Both look at the same moment. When they meet at one vault, the second one is told that it has changed, and looks again.
void simulation::deal() {
    const errand ship = plan(0);
    const errand wing = plan(1);
    auto first = stage_.edit(ship.who, ship.through, ship.into);
    auto second = stage_.edit(wing.who, wing.through, wing.into);
    run(ship, first);
    run(wing, second);
}

/// A key, or the gold for one, goes from the purse to the vault, and the other way goes what it is worth; the door remembers. All of it or
/// nothing: who lacks the key or the gold is refused by the rules of the fields.
void simulation::run(const errand& e, trade& edit) {
    bool opens = false;
    const auto put = [&] {
        purse& from = edit[e.who];
        vault& to = edit[e.into];
        door& through = edit[e.through];
        opens = !through.open;
        if (opens) {
            --from.keys;
            ++to.keys;
            const std::int64_t found = to.gold / 4;
            to.gold -= found;
            from.gold += found;
            through.open = true;
            ++through.openings;
            static_cast<void>(through.opened_by.assign(e.name));
        } else {
            const std::int64_t price = to.fee + from.gold / 8;  // the rich pay more
            from.gold -= price;
            to.gold += price;
            ++from.keys;
            --to.keys;
        }
    };
    put();
    if (!edit.commit()) {
        note(edit);
        if (edit.reason() != lido::stage_refusal::conflict) return;
        edit.reload();
        put();
        if (!edit.commit()) return note(edit);
        ++world_.deals.tried_again;
    }
    ++(opens ? world_.deals.opened : world_.deals.bought);
    if (opens) stage_.after(e.through, door_stays_open, [this](lido::any_entity_ref d) { shut(stage_.as<door>(d)); });
}

void simulation::shut(lido::entity_ref<door> which) {
    auto change = stage_.edit(which);
    change->open = false;
    change->opened_by.clear();
    change.commit();
    note(change);
}

/// All vaults or none: one that is locked by somebody stops it.
void simulation::level_vaults() {
    auto change = stage_.edit();
    std::int64_t sum = 0;
    for (const lido::entity_ref<vault> v : vaults_) {
        if (const vault* const copy = change.add(v)) sum += copy->gold;
    }
    const auto count = static_cast<std::int64_t>(vaults_.size());
    for (std::size_t i = 0; i < vaults_.size(); ++i) {
        if (vault* const copy = change[vaults_[i]]) copy->gold = sum / count + (i == 0 ? sum % count : 0);
    }
    change.commit();
    note(change);
    if (change.changed()) ++world_.deals.levelled;
}

/// Nobody trades there until it is over.
void simulation::audit(lido::entity_ref<vault> which) {
    const lido::lock_result lock = stage_.lock(which, "audit", audit_locks);
    note(lock);
    if (!lock) return;
    ++world_.deals.audits;
    stage_.after(which, audit_takes, [this, mine = lock.lock()] { end_audit(mine); });
}

void simulation::end_audit(const lido::entity_lock& mine) {
    const auto which = stage_.as<vault>(mine.of);
    if (stage_.get(which)->cursed) lift_curse(which, mine);
    note(stage_.unlock(mine));
}

/// From the history, if no gold and no key has moved since: then what was is what should be. Else by hand.
void simulation::lift_curse(lido::entity_ref<vault> which, const lido::entity_lock& mine) {
    const vault now = *stage_.get(which);
    const std::uint64_t version = stage_.info(which).version;
    for (std::uint64_t back = 1; back <= stage_.history_size(which); ++back) {
        const vault* const was = stage_.at_version(which, version - back);
        if (was->cursed) continue;
        if (was->gold != now.gold || was->keys != now.keys) break;
        const lido::stage_answer undone = stage_.undo_to(which, version - back, mine);
        note(undone);
        if (undone) ++world_.deals.undone;
        return;
    }
    auto change = stage_.edit(which);
    change->cursed = false;
    change->fee = plain_fee;
    if (change.under(mine).commit()) ++world_.deals.lifted;
    note(change);
}

simulation::riches simulation::count_riches() const {
    riches sum;
    const auto add = [&sum](const auto& of) {
        sum.gold += of.gold;
        sum.keys += of.keys;
    };
    stage_.for_each<vault>(add);
    stage_.for_each<purse>(add);
    return sum;
}

/// As many bosses, calls that wait and things of lives as there can be, and the memory of the largest edit, for warm_up().
void simulation::fill_stage() {
    for (std::uint32_t i = 0; i < most_bosses; ++i) {
        const auto one = stage_.create<boss>({}, {.health = boss_health});
        static_cast<void>(stage_.manage(one, [] {}));
    }
    level_vaults();
    for (std::uint64_t in = 1; in <= 64; ++in) {
        for (const lido::entity_ref<door> d : doors_) stage_.after(d, lido::ticks{in}, [] {});
        for (const lido::entity_ref<vault> v : vaults_) stage_.after(v, lido::ticks{in}, [] {});
    }
}

}  // namespace arena
