// Entities for the tests of the stage.
#pragma once

#include <lido/entity/stage/stage.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace stage_tests {

struct door {
    bool open = false;
    float angle = 0;
    std::uint16_t hp = 100;
};
constexpr auto describe(lido::type<door>) {
    return lido::schema{1, lido::field<&door::angle>{.min = 0, .max = 120, .step = 0.5f},
                        lido::field<&door::hp>{.max = 1000}};
}
inline bool valid(const door& d) { return !d.open || d.hp > 0; }

struct account {
    std::int64_t gold = 0;
};
constexpr auto describe(lido::type<account>) { return lido::schema{1, lido::field<&account::gold>{.min = 0}}; }

struct diary {
    std::vector<std::string> lines;
    /// Since the last time.
    std::vector<std::string> taken() { return std::exchange(lines, {}); }
};
inline diary heard;

/// What is told of a bullet's lives.
inline int trails_reset = 0;
struct trail {
    std::vector<int> points;
    int of_life = 0;
    void reset() noexcept {
        points.clear();
        of_life = 0;
        ++trails_reset;
    }
};
struct bullet {
    using context_type = trail;
    std::int32_t speed = 0;
};
inline bool bullet_throws = false;
inline void on_begin(const bullet& b, trail& t, const lido::entity_birth& birth) {
    heard.lines.push_back("begin " + std::string(birth.id.view()));
    if (bullet_throws) throw 7;
    t.points.push_back(b.speed);
    ++t.of_life;
}
inline void on_end(const bullet& b, trail&, lido::entity_end how) noexcept {
    heard.lines.push_back("end " + std::to_string(b.speed) + " " + lido::to_string(how));
}

struct boss {
    static constexpr bool fresh = true;
    std::int32_t hp = 1;
};

struct hall {
    lido::world world;
    lido::stage stage{world};
    hall() { add(); }
    explicit hall(std::uint32_t rollback, lido::stage_settings settings = {})
        : world(lido::role::standalone, {.rollback = rollback}), stage(world, settings) {
        add();
    }
    explicit hall(lido::role as) : world(as) { add(); }
    ~hall() { heard.lines.clear(); }
    void add() {
        heard.lines.clear();
        stage.add<door>("door", {.history = 5});
        stage.add<account>("account");
        stage.add<bullet>("bullet", {.idle = 2});
        stage.add<boss>("boss");
    }
};

using lines = std::vector<std::string>;

}  // namespace stage_tests
