#include "serve.hpp"

#include "frame.hpp"

#include <cstdio>

#ifdef ARENA_INSPECTOR

#include <lido/inspect/inspector.hpp>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <utility>

namespace arena {

namespace {

volatile std::sig_atomic_t asked_to_end = 0;
void end_soon(int) { asked_to_end = 1; }

/// Both sides of the page: what it is shown, and what it may ask for.
class showing {
public:
    showing(session& s, lido::inspector& look) : s_(s), look_(look) {
        const simulation& game = s.game();
        look_.watch(game.bullets().name(), game.bullets());
        look_.watch(game.enemies().name(), game.enemies());
        look_.watch(game.glitter().name(), game.glitter());
        look_.watch(game.shots().name(), game.shots());
        look_.watch(game.orbs().name(), game.orbs());
        look_.watch(game.particles().name(), game.particles());
        look_.watch(game.debris().name(), game.debris());
        look_.watch(game.numbers().name(), game.numbers());
        look_.watch("world", game.scene());
        look_.watch("vaults", game.stage());
        static_cast<void>(look_.wants("arena"));
        offer_time();
        offer_trouble();
    }

    /// A sixtieth of a second.
    void run() {
        moved_ = false;
        unsigned due = s_.due();
        if (due == 0) look_.sample(s_.at());  // commands come while it stands still, too
        // A command, which runs in sample(), may stop it here and now: the frame shows the tick that was asked for.
        for (; due != 0 && !moved_; --due) {
            s_.play();
            look_.sample(s_.at());
        }
        if (look_.wants("arena")) look_.publish("arena", frame_.write(s_));
    }

private:
    using value = const lido::command_value&;

    /// What is done, and said of it; then a frame, before time goes on.
    template <class F>
    void offer(const lido::command_description& what, F&& f) {
        look_.command(what, [this, f](value v) {
            moved_ = true;
            return f(v);
        });
    }

    void offer_time() {
        using enum lido::command_kind;
        offer({.name = "pause", .kind = toggle, .label = "Pause"}, [this](value v) {
            s_.pause(v.on());
            return std::string(v.on() ? "paused" : "goes on");
        });
        offer({.name = "step", .kind = button, .label = "One tick"}, [this](value) {
            s_.pause(true);
            s_.play();
            return "tick " + std::to_string(s_.at());
        });
        offer({.name = "speed", .kind = choice, .label = "Speed", .choices = {"0.25", "0.5", "1", "2", "4", "8"}},
              [this](value v) {
                  for (const unsigned quarters : {1u, 2u, 4u, 8u, 16u, 32u}) {
                      if (v.text() == speed_text(quarters)) s_.set_speed(quarters);
                  }
                  return "speed " + std::string(speed_text(s_.speed()));
              });
        offer({.name = "seek", .kind = number, .label = "Tick", .min = 0, .max = INT64_MAX}, [this](value v) {
            const bool there = s_.seek(static_cast<std::uint64_t>(v.number()));
            return there ? "at tick " + std::to_string(s_.at())
                         : "kept are the ticks " + std::to_string(s_.oldest()) + " to " + std::to_string(s_.newest());
        });
    }

    void offer_trouble() {
        using enum lido::command_kind;
        offer({.name = "burst", .kind = choice, .label = "Burst", .choices = {crowd_names.begin(), crowd_names.end()}},
              [this](value v) {
                  if (const auto what = crowd_named(v.text())) s_.burst(*what);
                  return "far too many " + v.text() + " in tick " + std::to_string(s_.at() + 1);
              });
        offer({.name = "seed", .kind = number, .label = "New game", .min = 0, .max = 1'000'000'000}, [this](value v) {
            s_.restart(static_cast<std::uint64_t>(v.number()));
            return "a new game, seed " + std::to_string(s_.seed());
        });
    }

    session& s_;
    lido::inspector& look_;
    frame_writer frame_;
    bool moved_ = false;
};

}  // namespace

int serve(session& s, const serve_options& options) {
    using clock = std::chrono::steady_clock;
    lido::inspector_options asked{.program = "arena", .port = options.port, .allow_remote = options.allow_remote};
    if (!options.bind.empty()) asked.bind = options.bind;
    lido::inspector look(std::move(asked));
    if (!look.running()) {
        std::fprintf(stderr, "arena: %s\n", look.error().c_str());
        return 2;
    }
    showing on(s, look);
    std::signal(SIGINT, &end_soon);
    std::signal(SIGTERM, &end_soon);
    std::printf("open %s\nwhoever has this address may give commands; control and C end it\n", look.link().c_str());
    std::fflush(stdout);

    constexpr std::chrono::nanoseconds frame{1'000'000'000 / ticks_a_second};
    constexpr std::chrono::milliseconds late{250};  // behind by more than that, time is let go and not made up for
    const clock::time_point end = clock::now() + std::chrono::seconds(options.seconds);
    clock::time_point next = clock::now();
    while (asked_to_end == 0 && (options.seconds == 0 || clock::now() < end)) {
        on.run();
        next += frame;
        if (clock::now() - next > late) next = clock::now();
        std::this_thread::sleep_until(next);
    }
    std::printf("ended at tick %llu, %llu ticks played again, %s\n", static_cast<unsigned long long>(s.newest()),
                static_cast<unsigned long long>(s.checked()), s.exact() ? "all exact" : "not all exact");
    return s.exact() ? 0 : 1;
}

}  // namespace arena

#else

namespace arena {

int serve(session&, const serve_options&) {
    std::fputs("arena: this build has no inspector, which --serve needs; configure with -DLIDO_BUILD_INSPECT=ON\n",
               stderr);
    return 2;
}

}  // namespace arena

#endif
