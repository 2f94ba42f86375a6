// What an inspector costs the program it is in: `./dev bench inspect`. The program is the arena, with its eight pools and twelve more;
// what is timed is sample() after each of its ticks, less what timing costs itself. Ticks during which the system ran something
// else on this core are left out; how many is the last column.
#include "simulation.hpp"

#include <lido/core.hpp>
#include <lido/inspect/inspector.hpp>
#include <lido/world/settings_file.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;

bool tiny = false;

[[nodiscard]] double nanoseconds_since(clock_type::time_point start) {
    return std::chrono::duration<double, std::nano>(clock_type::now() - start).count();
}

/// What two looks at the clock take: the median, so that the rest of the machine is not in it.
[[nodiscard]] double cost_of_timing() {
    std::vector<double> all(20'001);
    for (double& one : all) one = nanoseconds_since(clock_type::now());
    const auto middle = all.begin() + 10'000;
    std::nth_element(all.begin(), middle, all.end());
    return *middle;
}

/// A browser, more or less: reads one stream, or asks again and again.
class reader {
public:
    reader(std::uint16_t port, std::string path, bool stream)
        : thread_([this, port, path = std::move(path), stream] { run(port, path, stream); }) {}
    reader(const reader&) = delete;
    reader& operator=(const reader&) = delete;
    ~reader() {
        stop_ = true;
        thread_.join();
    }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
    void run(std::uint16_t port, const std::string& path, bool stream) {
        const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) {
            const std::string ask = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n\r\n";
            do {
                if (::send(fd, ask.data(), ask.size(), MSG_NOSIGNAL) < 0) break;
                const auto start = clock_type::now();
                // A page asks four times a second.
                while (!stop_ && (stream || clock_type::now() - start < std::chrono::milliseconds(250))) take(fd);
            } while (!stop_);
        }
        ::close(fd);
    }
    void take(int fd) {
        pollfd p{fd, POLLIN, 0};
        std::array<char, 16 * 1024> into{};
        if (::poll(&p, 1, 20) <= 0) return;
        if (const ssize_t n = ::recv(fd, into.data(), into.size(), 0); n > 0) bytes_ += static_cast<std::uint64_t>(n);
    }

    std::atomic<bool> stop_{false};
    std::atomic<std::uint64_t> bytes_{0};
    std::thread thread_;
};

struct spare {
    std::uint64_t value;
};

/// The arena and what else there is to watch.
struct program {
    arena::simulation game{1, lido::read_settings(ARENA_POOLS).table};
    std::vector<std::unique_ptr<lido::slot_pool<spare>>> more;
    lido::inspector look{{.program = "arena"}};
    std::uint64_t tick = 0;

    program() {
        look.watch("bullets", game.bullets());
        look.watch("enemies", game.enemies());
        look.watch("glitter", game.glitter());
        look.watch("shots", game.shots());
        look.watch("orbs", game.orbs());
        look.watch("particles", game.particles());
        look.watch("debris", game.debris());
        look.watch("numbers", game.numbers());
        for (int i = 0; i < 12; ++i) {
            more.push_back(std::make_unique<lido::slot_pool<spare>>(64));
            look.watch("spare " + std::to_string(i), *more.back());
        }
        for (int i = 0; i < (tiny ? 10 : 3000); ++i) game.step();
    }
};

/// How often the system took the core away from this thread.
[[nodiscard]] long times_preempted() {
    rusage used{};
    ::getrusage(RUSAGE_THREAD, &used);
    return used.ru_nivcsw + used.ru_nvcsw;
}

void play(const char* name, program& p, double timing, double seconds, const std::vector<const reader*>& readers) {
    double in_ticks = 0;
    double in_samples = 0;
    double longest = 0;
    std::uint64_t count = 0;
    const auto start = clock_type::now();
    std::uint64_t left_out = 0;
    while (nanoseconds_since(start) < seconds * 1e9) {
        const long before_tick = times_preempted();
        const auto before = clock_type::now();
        p.game.step();
        p.game.save();
        const double tick_took = nanoseconds_since(before);
        const auto now = clock_type::now();
        p.look.sample(++p.tick);
        const double took = nanoseconds_since(now);
        if (times_preempted() != before_tick) {
            ++left_out;
            continue;
        }
        in_ticks += tick_took;
        in_samples += took;
        longest = std::max(longest, took);
        ++count;
    }
    const double all = static_cast<double>(std::max<std::uint64_t>(count, 1));
    const double tick = in_ticks / all - timing;
    const double sample = std::max(in_samples / all - timing, 0.0);
    std::uint64_t bytes = 0;
    for (const reader* r : readers) bytes += r->bytes();
    std::printf("  %-44s %9.1f %10.1f %8.3f %% %9.1f %9.0f %6.2f %%\n", name, tick / 1000, sample, 100 * sample / tick,
                longest / 1000, static_cast<double>(bytes) / seconds / 1000,
                100 * static_cast<double>(left_out) / static_cast<double>(count + left_out));
}

/// Back to back, as no program calls it: what is left when everything is in the cache.
void alone(program& p) {
    const int rounds = tiny ? 1000 : 20'000'000;
    const auto start = clock_type::now();
    for (int i = 0; i < rounds; ++i) p.look.sample(++p.tick);
    std::printf("sample() back to back, nobody connected: %.2f ns\n", nanoseconds_since(start) / rounds);
}

}  // namespace

int main(int argc, char** argv) {
    tiny = argc > 1 && std::strcmp(argv[1], "--tiny") == 0;
    const double seconds = tiny ? 0.05 : 5;
    program p;
    if (!p.look.running()) {
        std::fprintf(stderr, "%s\n", p.look.error().c_str());
        return 1;
    }
    const double timing = cost_of_timing();
    alone(p);
    std::printf("\n  %-44s %9s %10s %10s %9s %9s %8s\n", "20 pools", "tick, us", "sample, ns", "share", "most, us",
                "read kB/s", "left out");
    play("nobody connected", p, timing, seconds, {});
    const std::uint16_t port = p.look.port();
    {
        const reader stream(port, "/api/v1/stream", true);
        play("one stream", p, timing, seconds, {&stream});
    }
    {
        const reader stream(port, "/api/v1/stream", true);
        const reader pools(port, "/api/v1/pools", false);
        const reader detail(port, "/api/v1/pools/7", false);
        play("a page: a stream, all pools, one in detail", p, timing, seconds, {&stream, &pools, &detail});
    }
    {
        const reader stream(port, "/api/v1/stream", true);
        const reader map(port, "/api/v1/pools/0/map", false);
        play("a stream and the map of the bullets", p, timing, seconds, {&stream, &map});
    }
    std::printf("\nbullets: %u live of %u\n", static_cast<unsigned>(p.game.bullets().size()),
                static_cast<unsigned>(p.game.bullets().capacity()));
}
