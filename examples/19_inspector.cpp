// A program that can be looked into while it runs: open the printed address in a browser.
//
// Without arguments it plays two seconds' worth of ticks and ends. With a number it goes on for so many seconds, sixty ticks each;
// `19_inspector 600` is long enough to click around.
#include <lido/core.hpp>
#include <lido/inspect/inspector.hpp>
#include <lido/world.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

struct bullet {
    int ticks_left;
};
struct enemy {
    int hp;
};
struct spark {
    int ticks_left;
};
struct number {
    int value;
};
struct explosion {
    int size = 0;
};

/// Five pools of different shapes, and a world, that never stand still.
class game {
public:
    explicit game(lido::inspector& look) {
        look.watch("bullets", bullets_);
        look.watch("enemies", enemies_);
        look.watch("sparks", sparks_);
        look.watch("numbers", numbers_);
        look.watch("last shots", last_shots_);
        world_.add<explosion>("explosion", {.max_lifetime = lido::ticks{45}, .capacity = 32});
        look.watch("world", world_);
        look.command({.name = "pause", .kind = lido::command_kind::toggle, .label = "Pause"},
                     [this](const lido::command_value& v) {
                         paused_ = v.on();
                         return paused_ ? "paused" : "goes on";
                     });
        look.command(
            {.name = "rate", .kind = lido::command_kind::number, .label = "Bullets a tick", .min = 0, .max = 9},
            [this](const lido::command_value& v) {
                rate_ = static_cast<int>(v.number());
                return std::to_string(rate_) + " bullets a tick";
            });
        look.command({.name = "clear", .label = "Clear the sparks"}, [this](const lido::command_value&) {
            sparks_.clear();
            return std::string("cleared");
        });
    }

    void step(std::uint64_t tick) {
        if (paused_) return;
        const auto t = static_cast<int>(tick);
        for (int i = 0; i < rate_; ++i) bullets_.acquire(20 + (t * 7 + i * 13) % 90);
        bullets_.release_if([](bullet& b) { return --b.ticks_left <= 0; });
        if (t % 30 == 0) enemies_.acquire(3);
        if (t % 11 == 0) enemies_.release_if([](enemy& e) { return --e.hp <= 0; });
        for (int i = 0; i < t / 60 % 4 * 8; ++i) sparks_.acquire(10 + i % 50);
        sparks_.release_if([](spark& s) { return --s.ticks_left <= 0; });
        if (t % 3 == 0) numbers_.push(t);
        if (t % 20 == 0) numbers_.release_if([t](const number& n) { return t - n.value > 60; });
        last_shots_.acquire(t);
        if (t % 10 == 0) world_.spawn<explosion>();
        world_.tick();
    }

    /// What still flies at the end of a game is no leak.
    void end() {
        bullets_.clear();
        enemies_.clear();
        sparks_.clear();
        numbers_.clear();
        last_shots_.clear();
        world_.end();
    }

    [[nodiscard]] std::uint64_t lives() const {
        return bullets_.stats().acquired + enemies_.stats().acquired + sparks_.stats().acquired;
    }

private:
    lido::slot_pool<bullet> bullets_{64, {.name = "bullets", .on_full = lido::on_full::grow_to(1024)}};
    lido::dense_pool<enemy> enemies_{16, {.name = "enemies"}};
    lido::recycle_pool<spark> sparks_{512, {.name = "sparks"}};
    lido::capped_list<number, 32> numbers_;
    lido::ring_pool<bullet> last_shots_{128, {.name = "last shots"}};
    lido::world world_{lido::role::client};
    bool paused_ = false;
    int rate_ = 3;
};

}  // namespace

int main(int count, char** arguments) {
    lido::inspector look{{.program = "nineteen"}};
    if (!look.running()) {
        std::fprintf(stderr, "%s\n", look.error().c_str());
        return 1;
    }
    game g(look);
    const int seconds = count > 1 ? std::atoi(arguments[1]) : 0;
    if (seconds != 0) std::fprintf(stderr, "open %s\n", look.link().c_str());

    std::uint64_t tick = 0;
    auto next = std::chrono::steady_clock::now();
    const std::uint64_t ticks = seconds != 0 ? static_cast<std::uint64_t>(seconds) * 60 : 120;
    for (; tick < ticks; ++tick) {
        g.step(tick);
        look.sample(tick);  // the one line that the inspector asks for
        if (look.wants("clock")) look.publish("clock", "{\"tick\":" + std::to_string(tick) + "}");
        if (seconds != 0) std::this_thread::sleep_until(next += std::chrono::microseconds(16'667));
    }
    g.end();
    if (seconds == 0)
        std::printf("%u ticks, %u lives, looked into\n", static_cast<unsigned>(tick), static_cast<unsigned>(g.lives()));
}

/* Output:
120 ticks, 844 lives, looked into
*/
