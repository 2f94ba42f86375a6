// What a store costs: `./dev bench store`. Saves beside SQLite by hand, the game's thread, memory while the disk stands still, and a load of
// many beside SQLite's own scan.
#include "store_bench.hpp"

int main(int argc, char** argv) {
    std::vector<std::string_view> parts;
    for (int i = 1; i < argc; ++i) {
        const std::string_view a = argv[i];
        if (a == "--tiny") {
            store_bench::tiny = true;
        } else if (a == "--quick") {
            store_bench::full = false;
        } else {
            parts.push_back(a);
        }
    }
    struct part {
        std::string_view name;
        void (*run)();
    };
    constexpr part all[] = {{"saves", store_bench::saves},
                            {"game_thread", store_bench::game_thread},
                            {"memory", store_bench::memory},
                            {"loads", store_bench::loads}};
    for (const part& p : all) {
        if (parts.empty() || std::ranges::find(parts, p.name) != parts.end()) p.run();
    }
    for (const std::string_view asked : parts) {
        if (std::ranges::none_of(all, [&](const part& p) { return p.name == asked; }))
            store_bench::die("there is no part \"" + std::string(asked) + "\": saves, game_thread, memory, loads");
    }
}
