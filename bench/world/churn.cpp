// Random churn: of 10 000 that live, one picked at random ends and another begins. The world beside what it is to replace, new and
// delete with a vector of unique_ptr; both with the same payload and the same hooks.
#include "bench.hpp"

#include <lido/world/world.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace world_bench {

namespace {

struct blast {
    float radius = 1;
    std::uint32_t team = 0;
};

struct body {
    using payload_type = blast;
    lido::transform transform;
    float radius = 0;
    std::uint32_t team = 0;
    std::uint32_t lives = 0;
    bool used = false;

    void on_acquire(const blast& b) {
        radius = b.radius;
        team = b.team;
    }
    void set_in_use(bool on) { used = on; }
    void on_release() noexcept { ++lives; }
};

/// The same, and it owns memory that each life fills anew: what pools are for.
struct owning : body {
    using payload_type = blast;
    std::vector<std::uint32_t> path;

    void on_acquire(const blast& b) {
        body::on_acquire(b);
        path.clear();
        for (std::uint32_t i = 0; i < 8; ++i) path.push_back(b.team + i);
    }
};

struct random_order {
    std::uint32_t state = 1;
    [[nodiscard]] std::uint32_t below(std::uint32_t n) noexcept {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return static_cast<std::uint32_t>((std::uint64_t{state} * n) >> 32);
    }
};

constexpr std::uint32_t live = 10'000;
constexpr int frame = 500;

template <class T>
class by_pointer {
public:
    by_pointer() : all_(live) {
        for (auto& one : all_) one = made();
    }
    /// One goes, and the next comes at once.
    LIDO_BENCH_APART void run(int steps) {
        for (int i = 0; i < steps; ++i) {
            std::unique_ptr<T>& one = all_[order_.below(live)];
            end(one);
            one = made();
        }
    }
    /// As a frame does it: so many go, then as many come.
    LIDO_BENCH_APART void run_in_frames(int steps) {
        for (int done = 0; done < steps; done += frame) {
            for (int i = 0; i < frame; ++i) {
                std::unique_ptr<T>& one = all_[order_.below(static_cast<std::uint32_t>(all_.size()))];
                end(one);
                one = std::move(all_.back());
                all_.pop_back();
            }
            for (int i = 0; i < frame; ++i) all_.push_back(made());
        }
    }

private:
    [[nodiscard]] static std::unique_ptr<T> made() {
        auto one = std::make_unique<T>();
        one->transform = {.x = 1, .y = 2};
        one->on_acquire(blast{.radius = 3, .team = 1});
        one->set_in_use(true);
        return one;
    }
    static void end(std::unique_ptr<T>& one) {
        one->set_in_use(false);
        one->on_release();
        one.reset();
    }
    std::vector<std::unique_ptr<T>> all_;
    random_order order_;
};

template <class T>
class by_world {
public:
    explicit by_world(const lido::class_settings& settings) : all_(live) {
        world_.add<T>("it", settings);
        world_.start();
        for (auto& one : all_) one = spawned();
    }
    LIDO_BENCH_APART void run(int steps) {
        for (int i = 0; i < steps; ++i) {
            lido::ref<T>& one = all_[order_.below(live)];
            world_.return_to_pool(one);
            one = spawned();
        }
    }
    LIDO_BENCH_APART void run_in_frames(int steps) {
        for (int done = 0; done < steps; done += frame) {
            for (int i = 0; i < frame; ++i) {
                lido::ref<T>& one = all_[order_.below(static_cast<std::uint32_t>(all_.size()))];
                world_.return_to_pool(one);
                one = all_.back();
                all_.pop_back();
            }
            for (int i = 0; i < frame; ++i) all_.push_back(spawned());
        }
    }

private:
    [[nodiscard]] lido::ref<T> spawned() {
        return world_.spawn<T>({.x = 1, .y = 2}, blast{.radius = 3, .team = 1}).reference();
    }
    lido::world world_;
    std::vector<lido::ref<T>> all_;
    random_order order_;
};

}  // namespace

void churn() {
    std::printf("\nrandom churn of 10 k, ns a pair     %8s %8s %8s   bar\n", "new", "world", "ratio");
    const int steps = tiny ? 100 : 50'000;
    const auto against = [&]<class T>(T*, const std::string& name, double bar, const lido::class_settings& settings) {
        by_pointer<T> pointers;
        by_world<T> world(settings);
        compare((name + ", one by one").c_str(), bar, steps, [&] { pointers.run(steps); }, [&] { world.run(steps); });
        compare((name + ", 500 a frame").c_str(), bar, steps, [&] { pointers.run_in_frames(steps); },
                [&] { world.run_in_frames(steps); });
    };
    lido::class_settings plain{.prewarm = live, .leaks = lido::leaks::allow};
    against(static_cast<body*>(nullptr), "payload and hooks", 0.7, plain);
    against(static_cast<owning*>(nullptr), "and a vector of its own", 0.7, plain);
    lido::class_settings timed = plain;
    timed.max_lifetime = lido::ticks{600};
    against(static_cast<body*>(nullptr), "and a lifetime", 0, timed);
    lido::class_settings aged = plain;
    aged.on_full = lido::on_full::grow_to(2 * live).then(lido::on_full::replace_oldest);
    against(static_cast<body*>(nullptr), "and ages", 0, aged);
}

}  // namespace world_bench
