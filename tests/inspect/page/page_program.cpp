// A game of a few lines for the tests of the inspector's page: pools of several shapes, one of a million slots, a world, a stage with doors
// and some thousand coins, the view "arena", and commands that make happen what the page has to show. What it draws is a function of the tick and the seed, so going
// back in time is only another number.
//
//   lido_page_program <port> <token>      prints the address of its page, and goes on until the command "end"
#include "page_hall.hpp"
#include "page_saves.hpp"

#include <lido/core.hpp>
#include <lido/inspect/inspector.hpp>
#include <lido/world.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace {

struct thing {
    int ticks_left;
};
struct explosion {
    int size = 0;
};
struct label {
    int value = 0;
};

void append(std::string& out, std::int16_t v) {
    const auto u = static_cast<std::uint16_t>(v);
    out.push_back(static_cast<char>(u & 255));
    out.push_back(static_cast<char>(u >> 8));
}

[[nodiscard]] std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t n = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            n = n << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            out.push_back(i + k > bytes.size() ? '=' : digits[n >> (18 - 6 * k) & 63]);
        }
    }
    return out;
}

/// splitmix64.
[[nodiscard]] std::uint64_t mix(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

class game {
public:
    static constexpr std::uint64_t kept = 600;  // ticks that can be gone back

    explicit game(lido::inspector& look) {
        look.watch("bullets", bullets_);
        look.watch("embers", embers_);
        look.watch("orbs", orbs_);
        look.watch("numbers", numbers_);
        look.watch("decals", decals_);
        world_.add<explosion>("explosion", {.max_lifetime = lido::ticks{45}, .capacity = 32});
        world_.add<label>("label", {.max_lifetime = lido::ticks{90}, .capacity = 16});
        look.watch("world", world_);
        hall_.offer(look);
        saves_.offer(look);
        offer_time(look);
        offer_trouble(look);
        // So that a map of a million cells has something in it.
        for (int i = 0; i < 40'000; ++i) decals_.acquire(0);
        decals_.release_if([n = 0](const thing&) mutable { return ++n % 3 == 0; });
    }

    [[nodiscard]] std::uint64_t tick() const { return now_; }
    [[nodiscard]] bool ended() const { return ended_; }

    void run() {
        due_ += paused_ ? 0 : speed_;
        for (; due_ >= 4; due_ -= 4) step();
    }

    [[nodiscard]] std::string frame() const {
        const std::uint64_t at = seen_ == 0 ? now_ : seen_;
        std::string s = "{\"tick\":" + std::to_string(now_) + ",\"hash\":\"" + hash(at) +
                        "\",\"paused\":" + (paused_ ? "true" : "false") + ",\"speed\":" + speed_text() +
                        ",\"seed\":" + std::to_string(seed_) +
                        ",\"width\":640,\"height\":360,\"oldest\":" + std::to_string(oldest()) +
                        ",\"newest\":" + std::to_string(now_) + ",\"at\":" + std::to_string(at) + ",\"groups\":[";
        const auto t = static_cast<std::int64_t>(at);
        points(s, "ship", 1, [t](std::uint32_t, std::uint64_t) { return place{320 + swing(t, 400, 220), 330}; });
        points(s, "bullet", bullets_.size(), [t](std::uint32_t i, std::uint64_t) {
            const std::int64_t age = (t * 7 + i * 23) % 330;  // ticks since it left the ship, times its speed
            return place{320 + swing(t - age / 7, 400, 220) + static_cast<int>(i % 3) * 9 - 9, 320 - age};
        });
        points(s, "ember", embers_.size(), [t](std::uint32_t, std::uint64_t r) {
            return place{static_cast<std::int64_t>((r % 640 + static_cast<std::uint64_t>(t) * (r >> 40 & 1)) % 640),
                         static_cast<std::int64_t>(
                             ((r >> 20) % 360 + static_cast<std::uint64_t>(t) * (1 + (r >> 41 & 1))) % 360)};
        });
        points(s, "orb", orbs_.size(), [t](std::uint32_t, std::uint64_t r) {
            return place{static_cast<std::int64_t>(r % 640), static_cast<std::int64_t>((r >> 20) % 160 + 190) +
                                                                 swing(t + static_cast<std::int64_t>(r & 63), 60, 4)};
        });
        points(s, "enemy", enemies, [t](std::uint32_t i, std::uint64_t) { return enemy_at(t, i); });
        points(s, "enemy_bullet", enemies * 48, [t](std::uint32_t i, std::uint64_t) {
            // Rings of sixteen, three of them on their way from every enemy.
            const std::uint32_t who = i % enemies;
            const std::int64_t ring = i / enemies / 16;
            const std::int64_t far = (t + ring * 40 + who * 17) % 120;
            const place from = enemy_at(t - far, who);
            const std::int64_t turn = (i / enemies % 16) * 25 + who * 7;
            return place{from.x + swing(turn, 400, static_cast<int>(far * 3 / 2)),
                         from.y + swing(turn + 100, 400, static_cast<int>(far * 3 / 2))};
        });
        points(s, "missile", 4, [t](std::uint32_t i, std::uint64_t) {
            const std::int64_t age = (t * 3 + i * 70) % 280;
            return place{320 + swing(t - age / 3, 400, 220) + swing(age + i * 50, 140, 30), 320 - age};
        });
        points(s, "explosion", 5, [t](std::uint32_t i, std::uint64_t) {
            return enemy_at(t - t % 40 - i, i * 5 + static_cast<std::uint32_t>(t / 40));
        });
        points(s, "text", 3, [t](std::uint32_t i, std::uint64_t) {
            const place p = enemy_at(t, i * 4);
            return place{p.x, p.y - 16};
        });
        points(s, "rumour", 3, [](std::uint32_t, std::uint64_t r) {
            return place{static_cast<std::int64_t>(r % 640), static_cast<std::int64_t>(r >> 20) % 360};
        });
        s.back() = ']';
        s += ",\"counts\":{\"bullets\":" + std::to_string(bullets_.size()) +
             ",\"embers\":" + std::to_string(embers_.size()) +
             "},\"replay\":{\"checked\":" + std::to_string(now_ / 64) + ",\"exact\":" + (exact_ ? "true" : "false") +
             "}}";
        return s;
    }

private:
    void offer_time(lido::inspector& look) {
        look.command({.name = "pause", .kind = lido::command_kind::toggle, .label = "Pause"},
                     [this](const lido::command_value& v) {
                         paused_ = v.on();
                         return std::string(paused_ ? "paused" : "goes on");
                     });
        look.command({.name = "step", .label = "Step"}, [this](const lido::command_value&) {
            paused_ = true;
            step();
            return "tick " + std::to_string(now_);
        });
        look.command({.name = "speed",
                      .kind = lido::command_kind::choice,
                      .label = "Speed",
                      .choices = {"0.25", "0.5", "1", "2", "4", "8"}},
                     [this](const lido::command_value& v) {
                         speed_ = static_cast<int>(4 * std::atof(v.text().c_str()));
                         return "speed " + v.text();
                     });
        look.command({.name = "seed", .kind = lido::command_kind::number, .label = "Seed", .min = 0, .max = 1'000'000},
                     [this](const lido::command_value& v) {
                         seed_ = static_cast<std::uint64_t>(v.number());
                         return "seed " + std::to_string(seed_);
                     });
        look.command(
            {.name = "seek", .kind = lido::command_kind::number, .label = "Seek", .min = 0, .max = 1'000'000'000},
            [this](const lido::command_value& v) {
                const auto asked = static_cast<std::uint64_t>(v.number());
                seen_ = asked >= now_ ? 0 : std::max(asked, oldest());
                if (seen_ != 0) paused_ = true;
                return "at " + std::to_string(asked);
            });
    }

    void offer_trouble(lido::inspector& look) {
        look.command({.name = "burst",
                      .kind = lido::command_kind::choice,
                      .label = "Burst",
                      .choices = {"bullets", "orbs", "numbers"}},
                     [this](const lido::command_value& v) {
                         for (int i = 0; i < 400; ++i) {
                             if (v.text() == "bullets") bullets_.acquire(50);
                             if (v.text() == "orbs") orbs_.acquire(50);
                             if (v.text() == "numbers") numbers_.acquire(50);
                         }
                         return "400 " + v.text();
                     });
        look.command({.name = "misuse", .label = "Release twice"}, [this](const lido::command_value&) {
            const lido::handle<thing> once = bullets_.acquire(5);
            bullets_.release(once);
            bullets_.release(once);
            return std::string("released twice");
        });
        look.command({.name = "inexact", .kind = lido::command_kind::toggle, .label = "Replay goes wrong"},
                     [this](const lido::command_value& v) {
                         exact_ = !v.on();
                         return std::string(exact_ ? "exact" : "not exact");
                     });
        look.command(
            {.name = "stand", .kind = lido::command_kind::number, .label = "Stand still (ms)", .min = 0, .max = 60'000},
            [this](const lido::command_value& v) {
                stand_ms_ = v.number();
                return std::string("stands still");
            });
        look.command({.name = "stats", .label = "Own stats"}, [this](const lido::command_value&) { return stats(); });
        look.command({.name = "end", .label = "End"}, [this](const lido::command_value&) {
            ended_ = true;
            return std::string("ends");
        });
    }

    void step() {
        ++now_;
        seen_ = 0;
        const auto t = static_cast<int>(now_);
        for (int i = 0; i < 2 + t / 90 % 3; ++i) bullets_.acquire(20 + (t * 7 + i * 13) % 60);
        bullets_.release_if([](thing& b) { return --b.ticks_left <= 0; });
        for (int i = 0; i < 2 + t / 70 % 5; ++i) embers_.acquire(10 + i * 9 + t % 40);
        embers_.release_if([](thing& s) { return --s.ticks_left <= 0; });
        if (t % (3 + t / 150 % 5) == 0) orbs_.acquire(120 + t % 60);
        orbs_.release_if([](thing& o) { return --o.ticks_left <= 0; });
        if (t % 9 == 0) numbers_.acquire(t);
        if (t % 10 == 0) world_.spawn<explosion>();
        if (t % 30 == 0) world_.spawn<label>();
        world_.tick();
    }

    [[nodiscard]] std::uint64_t oldest() const { return now_ > kept ? now_ - kept : 1; }

    [[nodiscard]] std::string hash(std::uint64_t at) const {
        char text[17];
        std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(mix(seed_ * 1'000'003 + at)));
        return text;
    }

    [[nodiscard]] std::string speed_text() const {
        char text[16];
        std::snprintf(text, sizeof text, "%g", speed_ / 4.0);
        return text;
    }

    struct place {
        std::int64_t x, y;
    };
    static constexpr std::uint32_t enemies = 14;

    /// From -reach to reach and back in `period` ticks: a parabola each half, which is round enough.
    [[nodiscard]] static std::int64_t swing(std::int64_t t, std::int64_t period, int reach) {
        const std::int64_t half = period / 2;
        const std::int64_t in = (t % period + period) % period;
        const std::int64_t x = in % half;
        return (in < half ? 1 : -1) * 4 * x * (half - x) * reach / (half * half);
    }
    [[nodiscard]] static place enemy_at(std::int64_t t, std::uint32_t i) {
        i %= enemies;
        return {40 + static_cast<std::int64_t>(i) * 43 + swing(t + i * 31, 300, 24),
                40 + static_cast<std::int64_t>(i * 5 % 4) * 32 + swing(t + i * 57, 220, 12)};
    }

    template <class Where>
    void points(std::string& out, const char* kind, std::uint32_t count, Where where) const {
        std::string bytes;
        for (std::uint32_t i = 0; i < count; ++i) {
            const place p = where(i, mix(seed_ + i));
            append(bytes, static_cast<std::int16_t>(p.x));
            append(bytes, static_cast<std::int16_t>(p.y));
        }
        out += std::string("{\"kind\":\"") + kind + "\",\"points\":\"" + base64(bytes) + "\"},";
    }

    [[nodiscard]] std::string stats() const {
        std::string s;
        const auto add = [&s](const char* name, const lido::pool_stats& p) {
            s += std::string(name) + " " + std::to_string(p.size) + " " + std::to_string(p.peak) + " " +
                 std::to_string(p.capacity) + " " + std::to_string(p.bytes) + " " + std::to_string(p.refused) + " " +
                 std::to_string(p.replaced) + " " + std::to_string(p.grown) + "; ";
        };
        add("bullets", bullets_.stats());
        add("embers", embers_.stats());
        add("orbs", orbs_.stats());
        add("numbers", numbers_.stats());
        add("decals", decals_.stats());
        return s;
    }

public:
    /// What the command "stand" asked for, once.
    [[nodiscard]] std::int64_t take_stand() { return std::exchange(stand_ms_, 0); }

private:
    lido::slot_pool<thing> bullets_{
        64, {.name = "bullets", .on_full = lido::on_full::grow_to(512), .leaks = lido::leaks::allow}};
    lido::recycle_pool<thing> embers_{512, {.name = "embers", .leaks = lido::leaks::allow}};
    lido::dense_pool<thing> orbs_{64, {.name = "orbs", .leaks = lido::leaks::allow}};
    lido::ring_pool<thing> numbers_{32, {.name = "numbers"}};
    lido::slot_pool<thing> decals_{1'048'576, {.name = "decals", .leaks = lido::leaks::allow}};
    lido::world world_{lido::role::client};
    page_test::hall hall_;
    page_test::saves saves_;
    std::uint64_t now_ = 0;
    std::uint64_t seen_ = 0;  // the tick that is looked back at; 0: now
    std::uint64_t seed_ = 7;
    std::int64_t stand_ms_ = 0;
    int speed_ = 4;  // quarters
    int due_ = 0;
    bool paused_ = false;
    bool exact_ = true;
    bool ended_ = false;
};

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) {
        std::fputs("usage: lido_page_program <port> <token>\n", stderr);
        return 2;
    }
    // Misuse is what some tests ask for; the inspector hears of it before this does.
    lido::set_misuse_handler([](const lido::misuse&) {});
    lido::inspector look{
        {.program = "page test", .port = static_cast<std::uint16_t>(std::atoi(arguments[1])), .token = arguments[2]}};
    if (!look.running()) {
        std::fprintf(stderr, "%s\n", look.error().c_str());
        return 1;
    }
    game g(look);
    static_cast<void>(look.wants("arena"));
    std::printf("%s\n", look.link().c_str());
    std::fflush(stdout);
    auto next = std::chrono::steady_clock::now();
    while (!g.ended()) {
        g.run();
        look.sample(g.tick());
        if (look.wants("arena")) look.publish("arena", g.frame());
        if (const std::int64_t ms = g.take_stand(); ms > 0) {
            // The program stands still, as at a breakpoint: that is what the page is to notice. No test waits by it.
            std::this_thread::sleep_for(std::chrono::milliseconds(ms));
            next = std::chrono::steady_clock::now();
        }
        std::this_thread::sleep_until(next += std::chrono::microseconds(16'667));
    }
    look.sample(g.tick());
    return 0;
}
