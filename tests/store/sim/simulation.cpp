#include "store/sim/simulation.hpp"

#include <lido/store/sqlite_database.hpp>
#include <lido/store/store.hpp>

#include <algorithm>
#include <deque>
#include <memory>

#include "sim/loop.hpp"
#include "store/faulty_disk.hpp"

namespace store_sim {

using namespace std::chrono_literals;
using lido_sim::chance;
using lido_sim::nanoseconds;
using lido_sim::never;
using store_tests::disk_call;
using store_tests::faulty_disk;
using store_tests::gate;
using store_tests::only;
using store_tests::vault;

namespace {

constexpr std::size_t ids = 6;
constexpr const char* file = "world.db";

/// What one disk goes through.
struct universe {
    explicit universe(const setting& s) : how(s), any(s.seed), disk(any.below(~std::uint64_t{0})), clock(any, 1s) {
        sync = any.one_in(4) ? lido::store::sync_level::normal : lido::store::sync_level::full;
        if (s.lies_about_syncs) sync = lido::store::sync_level::full;
        disk.lies_about_syncs = s.lies_about_syncs;
    }
    void say(const std::string& what) {
        trace.push_back(std::to_string(clock.now().count() / 1000000) + " ms: " + what);
        if (trace.size() > 80) trace.pop_front();
    }
    void look(const std::string& when) {
        const faulty_disk::calm calm(disk);
        const auto db = lido::store::make_sqlite_database(file, {.vfs = disk.vfs()});
        // Nobody has played yet: the file is not there, or only a writer can mend what its making left behind.
        lido::store::opened_database found;
        const auto opened = db->open(lido::store::open_mode::read, found);
        if (!opened && !was_there) return;
        if (!opened && lost_power && sync != lido::store::sync_level::full &&
            opened.fault() == lido::store::db_fault::unusable) {
            // Nothing had been synced, not even the tables.
            was_there = lost_power = false;
            book.check({}, true);
            return;
        }
        const database_state now = look_into(*db);
        say(when + ": run " + std::to_string(now.where.run) + ", commit " + std::to_string(now.where.commit));
        book.check(now, lost_power && sync != lido::store::sync_level::full);
        lost_power = false;
    }
    database_state state() {
        const faulty_disk::calm calm(disk);
        const auto db = lido::store::make_sqlite_database(file, {.vfs = disk.vfs()});
        return look_into(*db);
    }

    setting how;
    outcome told;
    chance any;
    faulty_disk disk;
    lido_sim::loop clock;
    lido::store::sync_level sync;
    ledger book;
    std::deque<std::string> trace;
    bool was_there = false;
    bool lost_power = false;
};

/// One program, from its start to its end.
class program {
public:
    program(universe& u, std::uint32_t rollback)
        : u_(u),
          rollback_(rollback),
          world_(lido::role::standalone, {.rollback = rollback}),
          stage_(world_, {.journal_bytes = std::size_t{1} << 20}) {
        stage_.add<vault>("vault");
        stage_.add<gate>("gate");
        lido::store::store_options o;
        o.by = lido::store::runner::step;
        o.wait = std::chrono::milliseconds(u.any.below(4) * 150);
        o.retry = {.first = 20ms, .longest = 400ms, .give_up = std::chrono::milliseconds(u.any.one_in(2) ? 600 : 0)};
        o.flush_at_end = 0ms;
        o.rows_a_tick = 1 + static_cast<std::uint32_t>(u.any.below(8));
        o.clock = [this] { return u_.clock.now(); };
        o.wall_clock = [this] { return u_.clock.now().count() / 1000000; };
        o.say = [this](std::string_view what) { u_.say(std::string(what)); };
        store_ = std::make_unique<lido::store::store>(
            stage_, lido::store::make_sqlite_database(file, {.sync = u.sync, .vfs = u.disk.vfs()}), o);
        if (!*store_) return;
        store_->saved.connect([this](const lido::store::save_event& e) { told(e, true); });
        store_->failed.connect([this](const lido::store::save_event& e) { told(e, false); });
        store_->refused.connect([this](const lido::store::load_event& e) {
            ++u_.told.loads_refused;
            u_.say("refused " + std::string(e.key) + ": " + std::string(e.why));
        });
        u_.was_there = true;
        u_.book.begin(stage_, store_->run(), u.state());
        if (u.any.one_in(3)) {
            static_cast<void>(store_->load_all<vault>(u.any.one_in(2) ? "v1" : ""));
            ++u_.told.bulk_loads;
        }
    }
    ~program() {
        u_.told.retries += store_->stats().retries;
        store_.reset();
        u_.book.end();
    }
    program(const program&) = delete;
    program& operator=(const program&) = delete;

    lido::store::store& store() { return *store_; }

    void play() {
        for (std::uint64_t n = u_.any.below(5); n-- > 0;) act();
        stage_.tick();
        u_.book.read();
        store_->tick();
        sound();
    }
    void sound() {
        if (const auto v = store_->validate(); !v) throw broken_rule(v.broken);
        if (!*store_ && !u_.disk.ended()) throw broken_rule(std::string("the store gave up: ") + store_->why());
    }
    /// All that is confirmed gets to the disk, in its own time.
    void finish() {
        if (rollback_ != 0) stage_.confirm(stage_.now());
        for (int n = 0; n < 400 && !u_.disk.ended(); ++n) {
            stage_.tick();
            if (rollback_ != 0) stage_.confirm(stage_.now());
            u_.book.read();
            if (const auto done = store_->flush(0ms); done) {
                ++u_.told.flushes;
                u_.book.read();
                if (!u_.disk.ended()) u_.book.check_all_saved(u_.state());
                return;
            }
            static_cast<void>(u_.clock.run(u_.clock.now() + 50ms, [&] { return u_.disk.ended(); }));
        }
        if (!u_.disk.ended()) throw broken_rule("what is confirmed is not saved after 20 seconds without a fault");
    }

private:
    void told(const lido::store::save_event& e, bool good) {
        u_.book.read();
        u_.say(std::string(good     ? "saved "
                           : e.kept ? "waits "
                                    : "failed ") +
               std::string(e.key) + " " + std::to_string(e.generation) + "." + std::to_string(e.version));
        u_.book.told(e, good);
    }
    std::string id(char of) { return of + std::to_string(u_.any.below(ids)); }
    lido::entity_ref<vault> a_vault() { return stage_.find<vault>(id('v')); }
    lido::entity_ref<gate> a_gate() { return stage_.find<gate>(id('g')); }

    void act() {
        const auto gold = static_cast<std::int64_t>(u_.any.below(30));
        switch (u_.any.below(16)) {
            case 0:
            case 1: static_cast<void>(stage_.create<vault>({.id = id('v'), .persistent = true}, {.gold = gold})); break;
            case 2: static_cast<void>(stage_.create<gate>({.id = id('g'), .persistent = true})); break;
            case 3:
            case 4:
            case 5: {
                auto e = stage_.edit(a_vault());
                if (!e) break;
                e->gold += gold;
                static_cast<void>(e.commit());
                break;
            }
            case 6:
            case 7:
            case 8: trade(gold); break;
            case 9: guard(); break;
            case 10: end(a_vault()); break;
            case 11: end(a_gate()); break;
            case 12: {
                auto e = stage_.edit(a_vault());
                if (!e) break;
                e->keeper = gold % 2 == 0 ? "ann" : "bob";
                static_cast<void>(e.commit());
                break;
            }
            case 13: rewind(); break;
            case 14:
                if (u_.any.one_in(3)) store_->hurry();
                break;
            default:
                if (rollback_ != 0 && u_.any.one_in(2) && stage_.now().count > 2)
                    stage_.confirm({stage_.now().count - 2});
        }
    }
    void trade(std::int64_t gold) {
        const auto from = a_vault();
        const auto to = a_vault();
        const auto door = a_gate();
        if (!stage_.lives(from) || !stage_.lives(to) || from == to) return;
        if (stage_.lives(door)) {
            auto e = stage_.edit(from, to, door);
            e[from].gold -= gold;
            e[to].gold += gold;
            e[door].open = !e[door].open;
            if (e.commit()) ++u_.told.trades;
            return;
        }
        auto e = stage_.edit(from, to);
        e[from].gold -= gold;
        e[to].gold += gold;
        if (e.commit()) ++u_.told.trades;
    }
    void guard() {
        const auto door = a_gate();
        const auto whom = a_vault();
        auto e = stage_.edit(door);
        if (!e) return;
        if (stage_.lives(whom) && !stage_.look_at(whom).loading()) {
            const auto link = stage_.link_to(whom);
            std::uint64_t bits = 0;
            static_assert(sizeof link == sizeof bits);
            std::memcpy(&bits, &link, sizeof bits);
            const auto info = stage_.info(whom);
            u_.book.link(bits, std::string(info.id.view()), info.generation);
            e->guards = link;
        } else {
            e->guards = {};
        }
        static_cast<void>(e.commit());
    }
    template <class T>
    void end(lido::entity_ref<T> who) {
        switch (u_.any.below(3)) {
            case 0: static_cast<void>(stage_.destroy(who)); break;
            case 1: static_cast<void>(stage_.pool(who)); break;
            default: static_cast<void>(stage_.erase(who)); break;
        }
    }
    void rewind() {
        if (rollback_ == 0) return;
        if (!saved_ || stage_.now().count - past_tick_ >= rollback_) {
            saved_ = stage_.save(past_);
            past_tick_ = stage_.now().count;
            return;
        }
        saved_ = false;
        // What was confirmed meanwhile is not taken back.
        if (stage_.changes().first_open_tick().count > past_tick_ + 1) return;
        if (stage_.restore(past_)) {
            ++u_.told.rewinds;
            u_.say("rewound to tick " + std::to_string(past_tick_));
        }
    }

    universe& u_;
    std::uint32_t rollback_;
    lido::world world_;
    lido::stage stage_;
    std::unique_ptr<lido::store::store> store_;
    lido::snapshot past_;
    std::uint64_t past_tick_ = 0;
    bool saved_ = false;
};

class game final : public lido_sim::actor {
public:
    explicit game(program& p) : program_(p) {}
    nanoseconds next(nanoseconds) override { return at_; }
    void act(nanoseconds now) override {
        at_ = now + 50ms;
        program_.play();
    }
    void stop() { at_ = never; }

private:
    program& program_;
    nanoseconds at_{0};
};

class writer final : public lido_sim::actor {
public:
    writer(universe& u, program& p) : u_(u), program_(p) {}
    nanoseconds next(nanoseconds now) override {
        const nanoseconds ready = program_.store().next_step();
        if (ready == never) return at_ = never;
        if (at_ == never)
            at_ = std::max(now, ready) + std::chrono::milliseconds(u_.any.one_in(60) ? 2500 : u_.any.below(12));
        return at_;
    }
    void act(nanoseconds) override {
        at_ = never;
        static_cast<void>(program_.store().step());
    }

private:
    universe& u_;
    program& program_;
    nanoseconds at_ = never;
};

class fate final : public lido_sim::actor {
public:
    fate(universe& u, bool may_forget)
        : u_(u), may_forget_(may_forget), at_(u.clock.now() + std::chrono::milliseconds(u.any.below(1000))) {}
    nanoseconds next(nanoseconds) override { return at_; }
    void act(nanoseconds now) override {
        at_ = now + std::chrono::milliseconds(u_.any.below(3000));
        faulty_disk::fault f;
        f.in = 1 + u_.any.below(20);
        f.calls = 1 + (u_.any.one_in(3) ? u_.any.below(30) : u_.any.below(3));
        f.full = u_.any.one_in(2);
        if (u_.any.one_in(2)) f.of = only(static_cast<disk_call>(u_.any.below(9)));
        u_.disk.forgets_after_a_failed_sync = may_forget_ && u_.any.one_in(2);
        u_.disk.fail(f);
        u_.say("faults from call " + std::to_string(f.in) + " on, of kinds " + std::to_string(f.of));
    }

private:
    universe& u_;
    bool may_forget_;
    nanoseconds at_;
};

class reader final : public lido_sim::actor {
public:
    explicit reader(universe& u) : u_(u), at_(u.clock.now() + 400ms) {}
    nanoseconds next(nanoseconds) override { return at_; }
    void act(nanoseconds now) override {
        at_ = now + std::chrono::milliseconds(300 + u_.any.below(1500));
        u_.look("read");
    }

private:
    universe& u_;
    nanoseconds at_;
};

void run_program(universe& u) {
    u.disk.start();
    lido_sim::loop& clock = u.clock;
    const bool killed = !u.how.quiet && !u.any.one_in(4);
    const bool by_power = u.any.one_in(2);
    if (killed) u.disk.end_in(1 + u.any.below(u.any.one_in(3) ? 60 : 2500), by_power);
    program p(u, u.any.one_in(2) ? 0 : 2 + static_cast<std::uint32_t>(u.any.below(5)));
    u.say("a program starts: " + std::string(p.store().why()));
    if (!p.store()) {
        if (!u.disk.ended()) throw broken_rule(std::string("it does not start: ") + p.store().why());
        ++u.told.starts_refused;
    } else {
        game g(p);
        writer w(u, p);
        // A system that forgets what it could not sync, and still shows it to the next program, is more than SQLite can bear
        // (docs/guide/store.md, limits).
        fate f(u, !killed || by_power);
        reader r(u);
        lido_sim::loop::part parts(clock);
        parts.add(g);
        parts.add(w);
        if (!u.how.quiet) parts.add(f);
        parts.add(r);
        const auto over = [&] { return u.disk.ended(); };
        if (!clock.run(clock.now() + std::chrono::milliseconds(500 + u.any.below(u.how.seconds * 1000)), over)) {
            if (killed) {
                by_power ? u.disk.cut_power() : u.disk.kill();
            } else {
                // The end that a game has on good days.
                u.disk.end_in(0, false);
                u.disk.fail({});
                g.stop();
                parts.remove(f);
                p.finish();
                ++u.told.whole_ends;
            }
        }
    }
    if (u.disk.ended()) {
        ++(by_power ? u.told.power_cuts : u.told.kills);
        u.lost_power = u.lost_power || by_power;
        u.say(by_power ? "the power is cut" : "the program is killed");
    }
}

}  // namespace

void outcome::add(const outcome& o) {
    book.commits += o.book.commits;
    book.acknowledged += o.book.acknowledged;
    book.states += o.book.states;
    book.loaded += o.book.loaded;
    book.kept += o.book.kept;
    book.erased += o.book.erased;
    acts += o.acts;
    kills += o.kills;
    power_cuts += o.power_cuts;
    failed_calls += o.failed_calls;
    sectors_lost += o.sectors_lost;
    retries += o.retries;
    rewinds += o.rewinds;
    flushes += o.flushes;
    whole_ends += o.whole_ends;
    trades += o.trades;
    loads_refused += o.loads_refused;
    bulk_loads += o.bulk_loads;
    starts_refused += o.starts_refused;
}

outcome simulate(const setting& how) {
    universe u(how);
    try {
        for (std::uint32_t n = 0; n < how.programs; ++n) {
            run_program(u);
            u.disk.start();
            u.look("after its end");
        }
    } catch (const std::exception& e) {
        u.told.wrong = e.what();
    }
    u.told.trace.assign(u.trace.begin(), u.trace.end());
    u.told.book = u.book.stats();
    u.told.acts = u.clock.acts();
    u.told.failed_calls = u.disk.stats().failed;
    u.told.sectors_lost = u.disk.stats().sectors_lost;
    return u.told;
}

std::string how_to_repeat(const setting& how, const outcome& what) {
    std::string all = "seed " + std::to_string(how.seed) + ": " + what.wrong +
                      "\nagain: LIDO_SIM_SEED=" + std::to_string(how.seed) +
                      " lido_store_tests --gtest_filter='store_sim.*'\nwhat happened last:\n";
    for (const std::string& line : what.trace) all += "  " + line + "\n";
    return all;
}

}  // namespace store_sim
