// A session: paused, stepped, rewound and played on, and every tick that is played again has the hash that it had. S5.5, X17: vaults come back
// with their history, and gold that an edit makes or loses is noticed.
#include "session.hpp"

#include <lido/world/settings_file.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using arena::crowd;
using arena::session;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t stride = 37;  // not all of them: a sanitizer makes ticks thirty times as long
#else
constexpr std::uint64_t stride = 1;
#endif
constexpr std::size_t most_bytes = std::size_t{48} << 20;

int failures = 0;

void expect(bool holds, const char* what, std::uint64_t number = 0) {
    if (holds) return;
    std::fprintf(stderr, "session: %s: %" PRIu64 "\n", what, number);
    ++failures;
}

[[nodiscard]] const lido::settings_result& pools() {
    static const lido::settings_result read = lido::read_settings(ARENA_POOLS);
    return read;
}

[[nodiscard]] std::unique_ptr<session> fresh(std::uint64_t seed) {
    return std::make_unique<session>(seed, pools().table);
}

/// Plays on and answers the hash of each tick, from the one it is at.
[[nodiscard]] std::vector<std::uint64_t> play(session& s, std::uint64_t ticks) {
    std::vector<std::uint64_t> hashes{s.hash()};
    for (std::uint64_t i = 0; i < ticks; ++i) {
        s.play();
        hashes.push_back(s.hash());
    }
    return hashes;
}

/// As the arena without a session plays, so that hashes are those of `arena --ticks`.
[[nodiscard]] std::uint64_t plain_hash(std::uint64_t seed, std::uint64_t ticks) {
    arena::simulation game(seed, pools().table);
    for (std::uint64_t i = 0; i < ticks; ++i) game.step();
    return game.hash();
}

void any_of_the_last_600_ticks_is_restored_and_played_on() {
    const auto s = fresh(7);
    std::vector<std::uint64_t> hashes = play(*s, 300);
    s->burst(crowd::embers);  // so that a class has grown on the way, and shrinks
    for (const std::uint64_t h : play(*s, 965)) hashes.push_back(h);
    hashes.erase(hashes.begin() + 301);  // tick 300 twice
    expect(s->newest() == 1265 && s->oldest() == 665, "the oldest tick", s->oldest());
    expect(!s->seek(664) && !s->seek(1266) && s->at() == 1265, "went to a tick that is not kept", s->at());
    for (std::uint64_t back = 0; back <= 600; back += stride) {
        const std::uint64_t tick = 1265 - back;
        expect(s->seek(tick) && s->at() == tick, "a tick is not restored", tick);
        expect(s->hash() == hashes[tick] && s->game().hash() == hashes[tick], "another state", tick);
    }
    expect(s->seek(665), "the oldest of all");
    const std::uint64_t checked = s->checked();
    const std::vector<std::uint64_t> again = play(*s, 600);
    expect(std::equal(again.begin(), again.end(), hashes.begin() + 665), "another game from the oldest tick on");
    expect(s->checked() == checked + 600 && s->exact(), "ticks checked", s->checked());
    static_cast<void>(play(*s, 5));
    expect(s->newest() == 1270 && s->oldest() == 670, "goes on after a replay", s->newest());
    expect(static_cast<bool>(s->game().validate()), "a pool is broken");
}

void bursts_are_repeated() {
    const std::uint64_t quiet = plain_hash(3, 96);
    for (std::size_t kind = 0; kind < arena::crowd_kinds; ++kind) {
        const auto s = fresh(3);
        static_cast<void>(play(*s, 95));
        s->burst(static_cast<crowd>(kind));
        const std::vector<std::uint64_t> hashes = play(*s, 30);
        expect(hashes[1] != quiet, "a burst changes nothing", kind);
        expect(s->seek(92), "before the burst", kind);
        const std::vector<std::uint64_t> again = play(*s, 33);
        expect(std::equal(hashes.begin(), hashes.end(), again.begin() + 3), "another burst", kind);
        expect(s->exact(), "not exact", kind);
    }
}

void a_burst_overloads_the_pool_that_was_chosen() {
    const auto used_up = [](crowd what) {
        const auto s = fresh(11);
        static_cast<void>(play(*s, 20));
        s->burst(what);
        s->play();
        const arena::simulation& g = s->game();
        const auto full = [](const lido::pool_stats& p) { return p.refused + p.replaced + p.merged != 0; };
        switch (what) {
            case crowd::bullets: return full(g.bullets().stats());
            case crowd::enemies: return full(g.enemies().stats());
            case crowd::glitter: return full(g.glitter().stats());
            case crowd::player_bullets: return full(g.shots().stats());
            case crowd::orbs: return full(g.orbs().stats());
            case crowd::particles: return full(g.particles().stats());
            case crowd::debris: return full(g.debris().stats());
            case crowd::numbers: return full(g.numbers().stats());
            case crowd::missiles: return g.scene().stats("missile").counters.refused != 0;
            case crowd::explosions: return g.scene().stats("explosion").counters.refused != 0;
            case crowd::embers: return g.scene().stats("ember").counters.refused != 0;
            case crowd::texts: return g.scene().stats("damage_text").counters.replaced != 0;
        }
        return false;
    };
    for (std::size_t kind = 0; kind < arena::crowd_kinds; ++kind) {
        expect(used_up(static_cast<crowd>(kind)), "not overloaded", kind);
        expect(arena::crowd_named(arena::crowd_names[kind]) == static_cast<crowd>(kind), "its name", kind);
    }
    expect(!arena::crowd_named("ghosts"), "ghosts");
}

void pause_and_step_are_exact() {
    const auto s = fresh(5);
    static_cast<void>(play(*s, 33));
    s->pause(true);
    for (int i = 0; i < 100; ++i) expect(s->due() == 0, "ticks while paused");
    expect(s->at() == 33, "moved while paused", s->at());
    for (int i = 0; i < 7; ++i) s->play();
    expect(s->at() == 40 && s->hash() == plain_hash(5, 40), "another game by steps", s->at());
    s->pause(false);
    expect(s->due() == 1, "goes on");
}

void speeds_make_ticks_of_sixtieths_of_a_second() {
    const auto s = fresh(5);
    for (const auto& [quarters, ticks] :
         {std::pair{1u, 15u}, {2u, 30u}, {4u, 60u}, {8u, 120u}, {16u, 240u}, {32u, 480u}}) {
        expect(s->set_speed(quarters), "a speed", quarters);
        unsigned sum = 0;
        for (int i = 0; i < 60; ++i) sum += s->due();
        expect(sum == ticks, "ticks a second", sum);
    }
    expect(!s->set_speed(0) && !s->set_speed(3) && !s->set_speed(64) && s->speed() == 32, "a wrong speed", s->speed());
}

void a_new_future_replaces_the_old_one() {
    const auto s = fresh(7);
    const std::vector<std::uint64_t> old = play(*s, 150);
    expect(s->seek(100), "back");
    s->burst(crowd::orbs);
    expect(s->newest() == 100 && s->at() == 100, "the old future is still there", s->newest());
    const std::vector<std::uint64_t> fresh_future = play(*s, 80);
    expect(fresh_future[1] != old[101], "the same future");
    expect(s->newest() == 180 && s->oldest() == 0, "its end", s->newest());
    for (const std::uint64_t tick : {179u, 150u, 101u, 100u, 99u, 3u}) {
        expect(s->seek(tick), "a tick of it", tick);
        expect(s->hash() == (tick <= 100 ? old[tick] : fresh_future[tick - 100]), "of the wrong future", tick);
    }
    expect(s->exact(), "not exact");
    // One that waits is dropped with its moment.
    expect(s->seek(180), "its newest");
    s->burst(crowd::enemies);
    expect(s->seek(170), "away from it");
    const std::vector<std::uint64_t> again = play(*s, 10);
    expect(again.back() == fresh_future.back(), "a burst that was left behind");
    expect(s->exact(), "not exact");
}

void a_new_game_is_like_a_new_session() {
    const auto s = fresh(7);
    static_cast<void>(play(*s, 400));
    s->burst(crowd::embers);
    s->burst(crowd::bullets);
    static_cast<void>(play(*s, 20));
    s->restart(9);
    expect(s->at() == 0 && s->newest() == 0 && s->oldest() == 0 && s->seed() == 9, "from the start", s->at());
    expect(!s->seek(1), "a tick of the game before");
    const auto other = fresh(9);
    expect(play(*s, 200) == play(*other, 200), "another game than that of a new session");
    expect(s->hash() == plain_hash(9, 200), "another game than that of arena --seed 9");
    expect(s->game().bullets().stats().acquired == other->game().bullets().stats().acquired,
           "counters of the game before");
}

/// What the hash of a state does not say: the versions that were.
struct vault_past {
    std::uint64_t version;
    std::vector<std::int64_t> fields;  // of every version that is kept

    friend bool operator==(const vault_past&, const vault_past&) = default;
};

[[nodiscard]] std::vector<vault_past> past_of_vaults(const session& s) {
    const arena::scene_stage& stage = s.game().stage();
    std::vector<vault_past> all;
    stage.for_each<arena::vault>([&](const arena::vault&, lido::entity_ref<arena::vault> which) {
        all.push_back({stage.info(which).version, {}});
        vault_past& p = all.back();
        for (std::uint64_t back = 0; back <= stage.history_size(which); ++back) {
            const arena::vault& was = *stage.at_version(which, p.version - back);
            p.fields.insert(p.fields.end(), {was.gold, was.keys, was.fee, was.cursed ? 1 : 0});
        }
    });
    return all;
}

void vaults_come_back_with_their_history() {
    const auto s = fresh(7);
    std::vector<std::vector<vault_past>> pasts;
    for (std::uint64_t i = 0; i <= 1300; ++i) {
        if (i != 0) s->play();
        pasts.push_back(past_of_vaults(*s));
    }
    expect(pasts[1300].size() == 6 && pasts[1300][0].fields.size() > 8 * 4, "no history to speak of",
           pasts[1300].size());
    expect(pasts[700] != pasts[1300], "nothing happened in 600 ticks");
    expect(s->seek(701), "back");
    expect(past_of_vaults(*s) == pasts[701], "another past at once", 701);
    while (s->at() < 1300) {
        s->play();
        expect(past_of_vaults(*s) == pasts[s->at()], "another past", s->at());
    }
    expect(s->seek(1111) && past_of_vaults(*s) == pasts[1111], "another past", 1111);
    expect(s->seek(1290) && past_of_vaults(*s) == pasts[1290], "another past, forward", 1290);
    expect(s->exact() && static_cast<bool>(s->game().validate()), "not exact");
}

void an_edit_does_not_outlive_the_time_that_it_was_opened_in() {
    const auto s = fresh(7);
    static_cast<void>(play(*s, 40));
    arena::scene_stage& stage = s->game().stage();
    auto edit = stage.edit(stage.find<arena::purse>("ship"));
    expect(s->seek(35), "back");
    edit->gold += 1;
    expect(!edit.commit() && edit.reason() == lido::stage_refusal::rewound, "it was committed",
           static_cast<std::uint64_t>(edit.reason()));
}

void gold_that_comes_from_nowhere_is_noticed() {
    for (const bool made : {false, true}) {
        arena::simulation game(7, pools().table);
        for (int i = 0; i < 30; ++i) game.step();
        arena::scene_stage& stage = game.stage();
        const auto ship = stage.find<arena::purse>("ship");
        const auto vault = stage.find<arena::vault>("vault-2");
        auto edit = stage.edit(ship, vault);
        edit[vault].gold += 5;
        if (!made) edit[ship].gold -= 5;
        expect(edit.commit(), edit.why());
        for (int i = 0; i < 20; ++i) game.step();
        game.confirm_all();
        expect(static_cast<bool>(game.validate()) != made, "the sum", made ? 1 : 0);
        expect((game.kept_books().compare() == nullptr) != made, "the books", made ? 1 : 0);
    }
}

void what_is_not_exact_is_noticed() {
    const auto s = fresh(7);
    static_cast<void>(play(*s, 60));
    expect(s->seek(40), "back");
    s->game().overload(crowd::glitter);  // behind the session's back: no input, so no part of the replay
    static_cast<void>(play(*s, 5));
    expect(!s->exact(), "a change was not noticed");
    s->restart(7);
    expect(s->exact() && s->checked() == 0, "still of the game before");
}

void memory_is_bounded() {
    const auto s = fresh(7);
    std::size_t most = 0;
    for (std::uint64_t i = 0; i < 1300; ++i) {
        for (const crowd what : {crowd::bullets, crowd::orbs, crowd::embers}) {
            if (i % 100 == 0) s->burst(what);
        }
        s->play();
        if (i % 100 == 0) most = std::max(most, s->bytes());
    }
    expect(most > (std::size_t{1} << 20) && most <= most_bytes, "bytes of snapshots", most);
    const lido::journal_stats journal = s->game().stage().changes().stats();
    expect(journal.peak_open != 0 && journal.peak_open < journal.capacity / 2, "bytes of open changes",
           journal.peak_open);
    std::printf("snapshots of 600 ticks: %.1f MB\n", static_cast<double>(most) / 1e6);
}

}  // namespace

int main() {
    if (!pools() || !fresh(1)->problem().empty()) {
        std::fprintf(stderr, "session: %s\n", pools().error.c_str());
        return 1;
    }
    any_of_the_last_600_ticks_is_restored_and_played_on();
    bursts_are_repeated();
    a_burst_overloads_the_pool_that_was_chosen();
    pause_and_step_are_exact();
    speeds_make_ticks_of_sixtieths_of_a_second();
    a_new_future_replaces_the_old_one();
    a_new_game_is_like_a_new_session();
    vaults_come_back_with_their_history();
    an_edit_does_not_outlive_the_time_that_it_was_opened_in();
    gold_that_comes_from_nowhere_is_noticed();
    what_is_not_exact_is_noticed();
    memory_is_bounded();
    return failures == 0 ? 0 : 1;
}
