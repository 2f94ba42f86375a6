// A stage for the tests of the inspector's page: a few doors, some thousand coins, a boss, and commands that commit, lock and rewind. Its time
// stands still, so that a test sees what it asked for and nothing else.
#pragma once

#include <lido/entity.hpp>
#include <lido/inspect/inspector.hpp>

#include <cstdint>
#include <string>

namespace page_test {

struct door {
    bool open = false;
    float angle = 0;
    std::uint16_t hp = 100;
    lido::text<40> sign = {};
    lido::link<door> behind = {};
};
constexpr auto describe(lido::type<door>) {
    return lido::schema{1, lido::field<&door::angle>{.min = 0, .max = 120, .step = 0.5f},
                        lido::field<&door::hp>{.max = 1000}, lido::field<&door::sign>{.send = lido::seen::by_nobody}};
}

struct coin {
    std::int32_t worth = 1;
};

struct boss {
    static constexpr bool fresh = true;
    std::int32_t rage = 0;
};

class hall {
public:
    hall() {
        stage_.add<door>("door", {.history = 20});
        stage_.add<coin>("coin");
        stage_.add<boss>("boss");
        const auto gate = stage_.create<door>({.id = "gate-1"}, {.angle = 30, .sign = {"Private"}}).reference();
        static_cast<void>(stage_.create<door>({.id = "gate-2", .owner = {7}}, {.behind = stage_.link_to(gate)}));
        static_cast<void>(stage_.create<door>({.id = "<b>odd</b>/\"&? #%"}));
        static_cast<void>(stage_.create<boss>({.id = "dragon"}));
        for (int i = 0; i < 3000; ++i) {
            static_cast<void>(stage_.create<coin>({.id = "coin-" + std::to_string(i)}));
            // The journal confirms what is older than the ticks that can be taken back.
            if (i % 250 == 0) stage_.tick();
        }
        static_cast<void>(stage_.save(begin_));
    }

    void offer(lido::inspector& look) {
        look.watch("hall", stage_);
        look.command({.name = "commit", .kind = lido::command_kind::number, .label = "Commit to gate-1", .max = 1000},
                     [this](const lido::command_value& v) {
                         auto change = stage_.edit(stage_.find<door>("gate-1"));
                         change->hp = static_cast<std::uint16_t>(v.number());
                         return std::string(change.commit() ? "committed" : change.why());
                     });
        look.command({.name = "lock", .label = "Lock gate-1"}, [this](const lido::command_value&) {
            const auto got = stage_.lock(stage_.find("gate-1"), "shop <b>", lido::ticks{1'000'000});
            return std::string(got ? "locked" : got.why());
        });
        look.command({.name = "hold", .label = "Keep this moment"}, [this](const lido::command_value&) {
            return std::string(stage_.save(begin_) ? "kept" : "not kept");
        });
        look.command({.name = "rewind", .label = "Back to what was kept"}, [this](const lido::command_value&) {
            const lido::restore_result done = stage_.restore(begin_);
            return std::string(done ? "rewound" : "not rewound");
        });
        look.command({.name = "destroy", .label = "Destroy gate-2"}, [this](const lido::command_value&) {
            const auto done = stage_.destroy(stage_.find("gate-2"));
            return std::string(done ? "destroyed" : "not destroyed");
        });
    }

private:
    lido::world world_{lido::role::standalone, {.rollback = 600}};
    lido::stage stage_{world_};
    lido::snapshot begin_;
};

}  // namespace page_test
