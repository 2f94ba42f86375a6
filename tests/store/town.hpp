// Entities with a store for the tests: a stage, a store that is stepped, and a clock that stands still until it is told to go on.
#pragma once

#include <lido/entity/stage/stage.hpp>
#include <lido/store/store.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/fake_database.hpp"

namespace store_tests {

using namespace std::chrono_literals;

struct vault {
    std::int64_t gold = 0;
    lido::text<16> keeper;
};
constexpr auto describe(lido::type<vault>) { return lido::schema{1, lido::field<&vault::gold>{.min = 0}}; }

struct gate {
    bool open = false;
    lido::link<vault> guards;
    lido::link<gate> beside;
};
constexpr auto describe(lido::type<gate>) { return lido::schema{1}; }

struct spark {
    float heat = 0;
};

struct told_save {
    std::string key;
    std::uint64_t generation, version;
    lido::store::save_end end;
    bool kept;
    std::string why;
};

struct town {
    explicit town(fake_disk& on, lido::store::store_options options = {}, std::uint32_t rollback = 0,
                  lido::stage_settings settings = {.journal_bytes = std::size_t{1} << 16})
        : disk(on), world(lido::role::standalone, {.rollback = rollback}), stage(world, settings) {
        stage.add<vault>("vault");
        stage.add<gate>("gate");
        stage.add<spark>("spark");
        options.by = lido::store::runner::step;
        options.clock = [this] { return now; };
        options.wall_clock = [this] { return wall; };
        options.say = [this](std::string_view what) { said->push_back(std::string(what)); };
        store = std::make_unique<lido::store::store>(stage, std::make_unique<fake_database>(disk), options);
        store->saved.connect([this](const lido::store::save_event& e) { saved.push_back(copy(e)); });
        store->failed.connect([this](const lido::store::save_event& e) { failed.push_back(copy(e)); });
        store->refused.connect([this](const lido::store::load_event& e) {
            refused.push_back(std::string(e.of_class) + "/" + std::string(e.key) + ": " + std::string(e.why));
        });
    }
    static told_save copy(const lido::store::save_event& e) {
        return {std::string(e.key), e.generation, e.version, e.end, e.kept, std::string(e.why)};
    }

    /// A tick of the game.
    void tick() {
        stage.tick();
        store->tick();
        now += 50ms;
    }
    /// The writer works as long as it has something to do now; the game is told.
    void work() {
        while (store->step()) {
        }
        store->tick();
    }
    /// Ticks until nothing waits, or so many.
    void settle(int most = 200) {
        for (int i = 0, quiet = 0; i < most && quiet < 3; ++i) {
            tick();
            work();
            quiet = store->stats().pending == 0 && store->stats().loading == 0 ? quiet + 1 : 0;
        }
    }
    /// As often as it takes, while time goes on.
    bool flush(int most = 20) {
        for (int i = 0; i < most; ++i, now += 1s) {
            if (store->flush()) return true;
        }
        return false;
    }
    lido::entity_ref<vault> open_vault(const std::string& id, std::int64_t gold = 0) {
        const auto made = stage.create<vault>({.id = id, .persistent = true}, {.gold = gold});
        if (!made) return {};
        settle();
        return made.reference();
    }
    bool pay(lido::entity_ref<vault> who, std::int64_t gold) {
        auto e = stage.edit(who);
        e->gold += gold;
        return static_cast<bool>(e.commit());
    }
    bool move(lido::entity_ref<vault> from, lido::entity_ref<vault> to, std::int64_t gold) {
        auto e = stage.edit(from, to);
        e[from].gold -= gold;
        e[to].gold += gold;
        return static_cast<bool>(e.commit());
    }

    fake_disk& disk;
    std::chrono::nanoseconds now{1s};
    lido::store::wall_time wall = 1000;
    std::shared_ptr<std::vector<std::string>> said = std::make_shared<std::vector<std::string>>();
    std::vector<told_save> saved;
    std::vector<told_save> failed;
    std::vector<std::string> refused;
    lido::world world;
    lido::stage stage;
    std::unique_ptr<lido::store::store> store;
};

}  // namespace store_tests
