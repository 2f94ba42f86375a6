// Enemies that own a path: a recycle_pool keeps their memory from life to life, and hooks join them to the world and part them.
// (S1.8: enemies.)
#include <lido/core.hpp>

#include <cstdio>
#include <vector>

namespace {

struct enemy {
    int hit_points = 0;
    std::vector<int> path;

    void on_acquire(int hp, int goal) {
        hit_points = hp;
        path.clear();
        for (int step = 0; step <= goal; ++step) path.push_back(step);
    }
    void on_release() noexcept { hit_points = 0; }
};

struct nav_mesh {
    int agents = 0;
};

}  // namespace

int main() {
    nav_mesh mesh;
    lido::recycle_pool<enemy> enemies{8,
                                      {.name = "enemies",
                                       .idle_cap = 2,
                                       .get = [&mesh](enemy&) { ++mesh.agents; },
                                       .release = [&mesh](enemy&) { --mesh.agents; }}};

    const lido::handle<enemy> boss = enemies.acquire(100, 500);
    const int* const memory = enemies.get(boss)->path.data();
    for (int i = 0; i < 3; ++i) enemies.acquire(10, 20);
    std::printf("%d agents\n", mesh.agents);

    enemies.release(boss);
    const auto next = enemies.acquire(50, 400);
    std::printf("the next one walks in the boss's memory: %s\n", next->path.data() == memory ? "yes" : "no");
    std::printf("the boss's handle finds nobody: %s\n", !enemies.contains(boss) ? "yes" : "no");

    // Two wait at most; the others are destroyed.
    enemies.release_if([](const enemy& e) { return e.hit_points > 0; });
    const lido::pool_stats s = enemies.stats();
    std::printf("%d agents; %d wait, %d were destroyed\n", mesh.agents, static_cast<int>(s.idle),
                static_cast<int>(s.destroyed));
}

/* Output:
4 agents
the next one walks in the boss's memory: yes
the boss's handle finds nobody: yes
0 agents; 2 wait, 2 were destroyed
*/
