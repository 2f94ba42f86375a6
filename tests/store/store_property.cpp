// S5.9: what a store keeps, against a model that reads the journal for itself: after a crash at any moment, and after any failure of the
// database, there is exactly what the game had at the position that is stored, nothing that was told as durable is missing, and versions never
// go back. What is loaded again is exactly that.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <support/dose.hpp>

#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "store/town.hpp"

namespace store_property {

using namespace store_tests;

using rows = std::map<std::string, std::int64_t>;
using stamp = std::pair<std::uint64_t, std::uint64_t>;

/// Who reads the confirmed journal and keeps what the rows ought to be, behind each commit.
class book {
public:
    book(lido::stage& of, rows begin) : stage_(of), now_(std::move(begin)), base_(now_) {
        cursor_ = stage_.changes().open({.name = "book"});
    }
    void read() {
        const auto got = cursor_.read([this](const lido::journal_entry& e) {
            if (e.what.of_class != lido::class_id_of("vault")) return;
            const auto gold_in = [](std::span<const std::byte> whole) {
                vault v;
                std::memcpy(&v, whole.data() + lido::entity_bytes::head, sizeof(v));
                return v.gold;
            };
            if (e.kind() == lido::change_kind::created) {
                ids_[e.what.generation.value] = e.id;
                now_[std::string(e.id)] = gold_in(e.after);
            } else if (e.kind() == lido::change_kind::updated) {
                std::int64_t gold = 0;
                std::memcpy(&gold, e.after.data(), sizeof(gold));
                now_[ids_.at(e.what.generation.value)] = gold;
            } else if (e.kind() == lido::change_kind::erased) {
                now_.erase(std::string(e.id));
            }
            behind_[e.what.commit.value] = now_;
        });
        RC_ASSERT(static_cast<bool>(got));
    }
    [[nodiscard]] const rows& at(std::uint64_t commit) const {
        const auto next = behind_.upper_bound(commit);
        return next == behind_.begin() ? base_ : std::prev(next)->second;
    }

private:
    lido::stage& stage_;
    lido::journal_cursor cursor_;
    rows now_;
    rows base_;
    std::map<std::uint64_t, rows> behind_;
    std::map<std::uint64_t, std::string> ids_;
};

rows stored_in(const fake_disk& disk) {
    rows all;
    for (const auto& [key, r] : disk.tables.rows) {
        if (r.state == lido::store::row_state::stored) all[key.second] = std::stoll(r.data.substr(8));
    }
    return all;
}

struct step {
    std::uint8_t what;
    std::uint8_t a;
    std::uint8_t b;
};

/// One run of a program on this disk, to a crash.
void run(fake_disk& disk, const std::vector<step>& steps, std::uint32_t rollback, std::map<std::string, stamp>& highest,
         std::map<std::string, stamp>& acknowledged, bool load_first) {
    town t(disk,
           {.wait = 100ms,
            .retry = {.first = 10ms, .longest = 200ms, .give_up = rollback != 0 ? 0ms : 700ms},
            .flush_at_end = 0ms},
           rollback);
    RC_ASSERT(static_cast<bool>(*t.store));
    const rows base = stored_in(disk);
    book truth(t.stage, base);
    const auto check = [&] {
        truth.read();
        for (const told_save& s : std::exchange(t.saved, {})) {
            stamp& last = acknowledged[s.key];
            last = std::max(last, stamp(s.generation, s.version));
        }
        for (const auto& [key, r] : disk.tables.rows) {
            const stamp now(r.generation, r.version);
            RC_ASSERT(now >= highest[key.second]);
            highest[key.second] = now;
            RC_ASSERT(now >= acknowledged[key.second]);
        }
        const auto& where = disk.tables.position;
        RC_ASSERT(stored_in(disk) == (where.run == t.store->run() ? truth.at(where.commit) : base));
        const auto v = t.store->validate();
        if (!v) RC_FAIL(v.broken);
    };
    if (load_first) {
        static_cast<void>(t.store->load_all<vault>());
        for (int i = 0; i < 4; ++i) {
            t.tick();
            t.work();
        }
    }
    lido::snapshot past;
    std::uint64_t past_tick = 0;
    bool saved = false;
    for (const step& s : steps) {
        const std::string id = "v" + std::to_string(s.a % 5);
        const auto who = t.stage.find<vault>(id);
        const auto other = t.stage.find<vault>("v" + std::to_string(s.b % 5));
        switch (s.what % 14) {
            case 0:
            case 1: static_cast<void>(t.stage.create<vault>({.id = id, .persistent = true}, {.gold = s.b % 50})); break;
            case 2:
            case 3: static_cast<void>(t.pay(who, 1 + s.b % 20)); break;
            case 4: static_cast<void>(t.move(who, other, s.b % 10)); break;
            case 5:
                if (s.b % 3 == 0)
                    static_cast<void>(t.stage.destroy(who));
                else if (s.b % 3 == 1)
                    static_cast<void>(t.stage.pool(who));
                else
                    static_cast<void>(t.stage.erase(who));
                break;
            case 6:
            case 7: t.tick(); break;
            case 8: static_cast<void>(t.store->step()); break;
            case 9: t.work(); break;
            case 10:
                if (s.b % 2 == 0)
                    t.store->hurry();
                else
                    static_cast<void>(t.store->flush());
                break;
            case 11:
                disk.fail_at = disk.calls + 1 + s.a % 8;
                disk.fail_for = 1 + s.b % 12;
                disk.lies_at_commit = s.b % 2 == 0;
                break;
            case 12: t.now += std::chrono::milliseconds(s.b * 4); break;
            case 13:
                if (rollback == 0) break;
                if (!saved || t.stage.now().count - past_tick > rollback - 1) {
                    saved = t.stage.save(past);
                    past_tick = t.stage.now().count;
                } else {
                    saved = false;
                    static_cast<void>(t.stage.restore(past));
                }
                break;
        }
        check();
    }
    // The crash: nothing more reaches the disk.
    disk.down = true;
    disk.lies_at_commit = false;
    t.store.reset();
    disk.down = false;
    disk.fail_at = 0;
}

void several_runs(std::uint32_t rollback) {
    fake_disk disk;
    std::map<std::string, stamp> highest, acknowledged;
    for (int n = 0; n < 3; ++n) {
        // Steps from a seed and their number: generated one by one they would cost more than what they do.
        std::mt19937 any(*rc::gen::arbitrary<std::uint32_t>());
        std::vector<step> steps(static_cast<std::size_t>(*rc::gen::inRange(1, lido::test::dose(600))));
        for (step& s : steps) {
            const auto bits = any();
            s = {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8),
                 static_cast<std::uint8_t>(bits >> 16)};
        }
        run(disk, steps, rollback, highest, acknowledged, n == 1);
    }
    // What is there can be loaded, all of it, and is what is stored.
    town t(disk);
    const auto done = t.store->wait(t.store->load_all<vault>());
    RC_ASSERT(done.done && done.refused == 0);
    rows loaded;
    t.stage.for_each<vault>([&](const vault& v, lido::entity_ref<vault> which) {
        loaded[std::string(t.stage.info(which).id.view())] = v.gold;
    });
    RC_ASSERT(loaded == stored_in(disk));
}

RC_GTEST_PROP(store_property, S5_9_a_crash_leaves_what_the_game_had_and_nothing_acknowledged_is_missing, ()) {
    several_runs(0);
}
RC_GTEST_PROP(store_property, S5_9_the_same_with_rollback, ()) { several_runs(4); }

}  // namespace store_property
