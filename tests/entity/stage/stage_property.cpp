// S5.5 S5.6 S5.11 X17 X18: random creations, edits of several entities, locks, ends, timers, resources, rewinds and confirms, with a listener that
// creates, against a plain model. Every cursor sees one stream without a gap.
#include <lido/core/rewind/save.hpp>
#include <lido/entity/stage/stage.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "entity/stage/stage_model.hpp"
#include "support/dose.hpp"

namespace stage_property {

using lido::ticks;
using stage_tests::model_entry;
using stage_tests::stage_model;

constexpr std::uint32_t window = 4;

struct purse {
    std::int64_t gold = 0;
};
constexpr auto describe(lido::type<purse>) { return lido::schema{1, lido::field<&purse::gold>{.min = 0}}; }

struct table {
    std::vector<int> released;  ///< before the stage, whose end releases
    lido::world world{lido::role::standalone, {.rollback = window}};
    lido::stage stage{world, {.journal_bytes = std::size_t{1} << 18}};
    stage_model model;
    std::vector<lido::entity_ref<purse>> refs;  ///< by key
    int resources = 0;

    lido::journal_cursor eager;
    lido::journal_cursor sure;
    std::vector<model_entry> seen;
    std::vector<model_entry> certain;

    struct open_edit {
        std::unique_ptr<lido::any_edit<lido::stage>> real;
        std::vector<std::pair<int, std::int64_t>> gold;
        std::map<int, std::uint64_t> versions;
        std::uint64_t lock = 0;
    };
    std::vector<open_edit> edits;
    struct past {
        std::unique_ptr<lido::snapshot> real;
        stage_model model;
        std::vector<lido::entity_ref<purse>> refs;
    };
    std::vector<past> pasts;
    std::map<std::uint64_t, lido::entity_lock> locks;  ///< by number

    table() {
        stage.add<purse>("purse", {.idle = 3, .history = stage_model::history});
        stage.signals<purse>().updated.connect([this](const lido::entity_event& e) {
            if (const auto gold = e.after<std::int64_t>("gold"); gold && *gold % 7 == 0)
                refs.push_back(stage.create<purse>({}, {.gold = 1}));
        });
        eager = stage.changes().open({.what = lido::reads::everything});
        sure = stage.changes().open({.what = lido::reads::confirmed});
    }

    [[nodiscard]] static model_entry entry_of(const lido::journal_entry& e) {
        model_entry m{lido::to_string(e.kind()), e.what.generation.value, e.what.version.value, e.what.tick.count, 0};
        const auto whole =
            e.kind() == lido::change_kind::updated || e.kind() == lido::change_kind::created ? e.after : e.before;
        const std::size_t at = e.kind() == lido::change_kind::updated ? 0 : lido::entity_bytes::head;
        if (whole.size() >= at + sizeof(m.gold)) std::memcpy(&m.gold, whole.data() + at, sizeof(m.gold));
        return m;
    }
    [[nodiscard]] static bool same(const model_entry& real, const model_entry& plain) {
        return real.kind == plain.kind && real.generation == plain.generation && real.version == plain.version &&
               real.tick == plain.tick && (real.gold == plain.gold || plain.kind == "locked");
    }

    void read(std::uint64_t most) {
        static_cast<void>(eager.read(
            [this](const lido::journal_entry& e) {
                if (e.kind() == lido::change_kind::cut) {
                    seen.resize(e.number.value);
                    return;
                }
                RC_ASSERT(e.number.value == seen.size());
                seen.push_back(entry_of(e));
            },
            most));
        static_cast<void>(sure.read([this](const lido::journal_entry& e) {
            RC_ASSERT(e.number.value == certain.size());
            certain.push_back(entry_of(e));
        }));
        RC_ASSERT(eager.state() == lido::reader_state::ready);
        // What the eager one has not been told of yet may be of a branch that was cut.
        if (most == lido::journal_cursor::no_limit) {
            RC_ASSERT(seen.size() == model.journal.size());
            for (std::size_t i = 0; i < seen.size(); ++i) RC_ASSERT(same(seen[i], model.journal[i]));
        }
        for (std::size_t i = 0; i < certain.size(); ++i) {
            RC_ASSERT(same(certain[i], model.journal[i]));
            RC_ASSERT(certain[i].tick < model.confirmed_before);
        }
    }

    void check() {
        RC_ASSERT(stage.size() == model.living.size());
        RC_ASSERT(static_cast<int>(refs.size()) == model.next_key);
        for (int key = 0; key < static_cast<int>(refs.size()); ++key) {
            const auto ref = refs[static_cast<std::size_t>(key)];
            const auto it = model.living.find(key);
            RC_ASSERT(stage.lives(ref) == (it != model.living.end()));
            if (it == model.living.end()) {
                RC_ASSERT(stage.get(ref) == nullptr);
                continue;
            }
            const auto& plain = it->second;
            const lido::entity_info now = stage.info(ref);
            RC_ASSERT(now.id.view() == plain.id);
            RC_ASSERT(now.generation == plain.generation);
            RC_ASSERT(now.version == plain.version);
            RC_ASSERT(now.owner.id == plain.owner);
            RC_ASSERT(now.locked_by.empty() == !model.locked(plain));
            RC_ASSERT(stage.get(ref)->gold == plain.gold);
            RC_ASSERT(stage.find(plain.id) == lido::any_entity_ref(ref));
            RC_ASSERT(stage.history_size(ref) == plain.past.size());
            for (const auto& [version, gold] : plain.past) {
                RC_ASSERT(stage.at_version(ref, version) != nullptr);
                RC_ASSERT(stage.at_version(ref, version)->gold == gold);
            }
        }
        RC_ASSERT(released == model.released);
        RC_ASSERT(stage.validate().broken == nullptr);
    }

    [[nodiscard]] int any_key() const {
        return refs.empty() ? -1 : *rc::gen::inRange(0, static_cast<int>(refs.size()));
    }
    [[nodiscard]] std::uint64_t any_lock() const {
        if (locks.empty() || *rc::gen::inRange(0, 3) != 0) return 0;
        return *rc::gen::inRange<std::uint64_t>(1, model.locks + 2);
    }

    void step() {
        const int what = *rc::gen::inRange(0, 100);
        const int key = any_key();
        const auto ref = key >= 0 ? refs[static_cast<std::size_t>(key)] : lido::entity_ref<purse>();
        if (what < 18 || key < 0) {
            const std::string id = *rc::gen::inRange(0, 2) == 0 ? "" : "p" + std::to_string(*rc::gen::inRange(0, 6));
            const auto gold = *rc::gen::inRange<std::int64_t>(-1, 20);
            const auto owner = *rc::gen::inRange<std::uint64_t>(0, 3);
            const auto made = stage.create<purse>({.id = id, .owner = {owner}}, {.gold = gold});
            RC_ASSERT(static_cast<bool>(made) == model.create(id, owner, gold));
            if (made) refs.push_back(made);
        } else if (what < 30) {
            const std::uint64_t number = any_lock();
            const lido::entity_lock lock = number != 0 ? lido::entity_lock{ref, number} : lido::entity_lock{};
            const bool pools = what < 24;
            const auto ended = pools ? stage.pool(ref, {.under = lock}) : stage.destroy(ref, {.under = lock});
            const char* const kind = ended == lido::end_outcome::pooled ? "pooled" : "destroyed";
            RC_ASSERT((ended.outcome() != lido::end_outcome::refused) == model.end(key, kind, number));
        } else if (what < 42) {
            open_edit e;
            e.real = std::make_unique<lido::any_edit<lido::stage>>(stage);
            const int count = *rc::gen::inRange(1, 4);
            for (int i = 0; i < count; ++i) {
                const int k = any_key();
                if (!model.living.contains(k) || e.versions.contains(k)) continue;
                auto* const copy = e.real->add(refs[static_cast<std::size_t>(k)]);
                RC_ASSERT(copy != nullptr);
                copy->gold += *rc::gen::inRange<std::int64_t>(-6, 8);
                e.gold.emplace_back(k, copy->gold);
                e.versions[k] = model.living[k].version;
            }
            edits.push_back(std::move(e));
            if (edits.size() > 4) edits.erase(edits.begin());
        } else if (what < 58) {
            if (edits.empty()) return;
            const auto at = *rc::gen::inRange<std::size_t>(0, edits.size());
            open_edit e = std::move(edits[at]);
            edits.erase(edits.begin() + static_cast<std::ptrdiff_t>(at));
            const bool done = e.real->commit();
            RC_ASSERT(done == model.commit(e.gold, e.versions, 0));
        } else if (what < 63) {
            const auto lock = stage.lock(ref, "somebody", ticks{3});
            const std::uint64_t plain = model.lock(key, 3);
            RC_ASSERT(lock.lock().number == plain);
            if (plain != 0) locks[plain] = lock;
        } else if (what < 70) {
            const int resource = ++resources;
            auto* const to = &released;
            const auto taken = stage.manage(ref, [to, resource] { to->push_back(resource); });
            RC_ASSERT(static_cast<bool>(taken) == model.living.contains(key));
            if (taken) model.living[key].managed.push_back(resource);
        } else if (what < 74) {
            const auto in = *rc::gen::inRange<std::uint64_t>(1, 4);
            const auto it = model.living.find(key);
            if (it == model.living.end() || it->second.timer) return;
            for (const auto& [other, e] : model.living) {
                if (e.timer == model.now + in) return;
            }
            lido::stage* const s = &stage;
            stage.after(ref, ticks{in}, [s](lido::any_entity_ref self) { static_cast<void>(s->destroy(self)); });
            it->second.timer = model.now + in;
        } else if (what < 78) {
            stage.deliver();
            model.deliver();
        } else if (what < 88) {
            stage.tick();
            model.tick(window);
            model.deliver();
        } else if (what < 91) {
            if (model.now == 0) return;
            const auto last = *rc::gen::inRange<std::uint64_t>(0, model.now);
            stage.confirm(ticks{last});
            model.confirm(last);
        } else if (what < 95) {
            past p{std::make_unique<lido::snapshot>(), model, refs};
            RC_ASSERT(stage.save(*p.real));
            pasts.push_back(std::move(p));
        } else {
            while (!pasts.empty() && *rc::gen::inRange(0, 2) == 0) pasts.pop_back();
            if (pasts.empty() || pasts.back().model.now < model.confirmed_before) return;
            const lido::restore_result r = stage.restore(*pasts.back().real);
            RC_ASSERT(static_cast<bool>(r));
            model.restore(pasts.back().model);
            refs = pasts.back().refs;
            for (open_edit& e : edits) {
                RC_ASSERT(!e.real->commit());
                RC_ASSERT(e.real->reason() == lido::stage_refusal::rewound);
            }
            edits.clear();
        }
    }
};

RC_GTEST_PROP(stage_property, is_as_a_plain_model_through_everything, ()) {
    table t;
    const int steps = *rc::gen::inRange(1, lido::test::dose(400));
    for (int i = 0; i < steps; ++i) {
        t.step();
        t.check();
        if (i % 7 == 0) t.read(*rc::gen::inRange(0, 2) == 0 ? 3 : lido::journal_cursor::no_limit);
    }
    t.read(lido::journal_cursor::no_limit);
    RC_ASSERT(t.world.validate().broken == nullptr);
    RC_ASSERT(t.stage.changes().validate().broken == nullptr);
}

}  // namespace stage_property
