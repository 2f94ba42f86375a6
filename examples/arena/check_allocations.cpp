// S3.9, S3.7: the document's five pools with its capacities and rules; S4.11: the three demos of the world. Ten thousand ticks of the arena, each saved and some rolled back and played again, allocate nothing after the start; and saves
// and rollbacks change nothing in the game.
#include "recorder.hpp"
#include "simulation.hpp"

#include "support/allocation_counter.hpp"

#include <lido/world/settings_file.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace {

constexpr std::uint64_t ticks = 10'000;
constexpr std::uint64_t seed = 7;

int failures = 0;

void expect(bool holds, const char* what, std::size_t number) {
    if (holds) return;
    std::fprintf(stderr, "arena: %s: %llu\n", what, static_cast<unsigned long long>(number));
    ++failures;
}

void play(arena::simulation& game, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        game.step();
        game.save();
        if (game.world().tick % 64 != 0) continue;
        const std::uint64_t now = game.world().tick;
        if (!game.rewind_to(now - 7)) ++failures;
        while (game.world().tick < now) {
            game.step();
            game.save();
        }
    }
}

}  // namespace

int main() {
    const lido::test::allocation_watch all;
    const lido::settings_result pools = lido::read_settings(ARENA_POOLS);
    arena::simulation game(seed, pools.table);
    arena::simulation plain(seed, pools.table);
    if (!pools || !game.problem().empty()) {
        std::fprintf(stderr, "arena: %s%s\n", pools.error.c_str(), game.problem().c_str());
        return 1;
    }
    expect(all.allocations() != 0, "the counter counts nothing, not even the start", all.allocations());

    arena::recorder records(ticks);
    const lido::test::allocation_watch watch;
    constexpr std::uint64_t beside = 2000;
    for (std::uint64_t i = 0; i < beside; ++i) plain.step();
    play(game, beside);
    expect(game.hash() == plain.hash(), "saves and rollbacks changed the game; tick", game.world().tick);
    for (std::uint64_t i = beside; i < ticks; ++i) {
        play(game, 1);
        records.watch(game);
    }
    expect(watch.quiet(), "allocations in ten thousand ticks with saves and rollbacks", watch.allocations());

    // That was a game in which every pool was used to its end, or the count would say little.
    for (const lido::pool_stats& s : {game.glitter().stats(), game.shots().stats(), game.orbs().stats(),
                                      game.debris().stats(), game.numbers().stats()}) {
        expect(s.peak == s.capacity, s.shape, s.peak);
    }
    const auto of = [&game](const char* name) { return game.scene().stats(name); };
    for (const char* name : {"missile", "damage_text"}) {
        const lido::class_stats s = of(name);
        expect(s.pool.peak == s.pool.capacity, name, s.pool.peak);
    }
    expect(of("missile").counters.expired != 0, "missiles without fuel", 0);
    expect(of("explosion").counters.expired == 0, "explosions that forgot to return", of("explosion").counters.expired);
    expect(of("explosion").counters.refused != 0, "explosions that found no place beside those that wait", 0);
    expect(of("damage_text").counters.replaced != 0, "texts that made room", 0);
    expect(of("ember").pool.grown != 0, "embers beyond what was made ahead", 0);
    const lido::pool_stats embers = of("ember").pool;
    expect(embers.size + embers.idle < embers.peak, "embers given up after the fight; there are", embers.idle);
    expect(game.particles().stats().refused_headroom != 0, "particles kept from the last fifth", 0);
    expect(game.shots().stats().refused_kind_cap != 0, "player bullets at the cap of their kind", 0);
    expect(game.orbs().stats().merged != 0, "orbs merged on a full pool", 0);
    expect(game.world().merged_on_screen != 0, "orbs merged on screen", 0);
    expect(game.world().merged_off_screen != 0, "orbs merged off screen", 0);
    const arena::dealings& deals = game.world().deals;
    const auto refused = [&deals](lido::stage_refusal why) { return deals.refused[static_cast<std::size_t>(why)]; };
    using enum lido::stage_refusal;
    for (const auto why : {invalid, conflict, locked, lock_lost}) {
        expect(refused(why) != 0, "the stage never refused for this reason", static_cast<std::size_t>(why));
    }
    expect(deals.tried_again != 0 && deals.levelled != 0, "deals after a conflict, and vaults made equal", 0);
    expect(deals.raids != 0 && deals.undone != 0 && deals.lifted != 0, "curses that an audit found, of all kinds", 0);
    game.confirm_all();
    const char* const books = game.kept_books().compare();
    expect(books == nullptr, books != nullptr ? books : "", 0);
    const lido::verdict sound = game.validate();
    expect(static_cast<bool>(sound), sound ? "" : sound.broken, 0);
    return failures == 0 ? 0 : 1;
}
