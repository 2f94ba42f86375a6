// What one mode of checks costs. Built once a mode (bench/CMakeLists.txt); `./dev bench checks` runs them all in turn and prints the
// table of docs/guide/debugging.md. One line: the mode, then nanoseconds of each operation and bytes.
#include <lido/core.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr std::uint32_t live = 10'000;

struct body {
    float x = 0, y = 0, vx = 0, vy = 0;
    std::uint64_t more[6] = {};
};
static_assert(sizeof(body) == 64);

struct owner {
    std::vector<int> path;
    int hp = 0;
    void on_acquire(int h) {
        path.clear();
        hp = h;
    }
};

/// The next place to look at; the same in every mode.
struct dice {
    std::uint32_t state = 1;
    [[nodiscard]] std::uint32_t below(std::uint32_t n) {
        state = state * 1664525u + 1013904223u;
        return static_cast<std::uint32_t>((std::uint64_t{state} * n) >> 32);
    }
};

/// Nanoseconds each of `count` calls takes, the best of five rounds.
template <class F>
[[nodiscard]] double nanoseconds(int count, F&& f) {
    double best = 0;
    for (int round = 0; round < 5; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < count; ++i) f();
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
        const double each = took.count() / count;
        if (round == 0 || each < best) best = each;
    }
    return best;
}

template <class Pool, class Make>
[[nodiscard]] double churn(Pool& pool, int count, Make&& make) {
    std::vector<typename Pool::handle_type> handles;
    for (std::uint32_t i = 0; i < live; ++i) handles.push_back(make(pool));
    dice d;
    return nanoseconds(count, [&] {
        auto& h = handles[d.below(live)];
        pool.release(h);
        h = make(pool);
    });
}

}  // namespace

int main(int argc, char** argv) {
    const int count = argc > 2 && std::strcmp(argv[2], "--tiny") == 0 ? 100 : 400'000;
    lido::reports.leaks = false;

    lido::slot_pool<body> slots(live);
    const double slot_churn = churn(slots, count, [](auto& pool) { return pool.acquire().handle(); });

    std::vector<lido::handle<body>> handles;
    for (auto [handle, object] : slots.each()) handles.push_back(handle);
    dice d;
    float sum = 0;
    const double get = nanoseconds(count, [&] { sum += slots.get(handles[d.below(live)])->x; });

    lido::dense_pool<body> rows(live);
    const double dense_churn = churn(rows, count, [](auto& pool) { return pool.acquire().handle(); });

    lido::recycle_pool<owner> owners(live);
    const double recycle_churn = churn(owners, count, [](auto& pool) { return pool.acquire(3).handle(); });

    const std::size_t diary = lido::forensics ? 2 * sizeof(lido::detail::life_note) : 0;
    std::printf("%s %.1f %.1f %.1f %.1f %zu %zu\n", argc > 1 ? argv[1] : "mode", slot_churn, get, dense_churn,
                recycle_churn, diary, sizeof(slots));
    return sum == 0 ? 0 : 1;  // the sum is used, so that the loop is not dropped
}
