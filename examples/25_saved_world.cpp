// A world that outlives its program: two runs on one file, a trade that is saved whole, and a link that finds its way back. (S5.9)
#include <lido/entity.hpp>
#include <lido/store/store.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

struct vault {
    std::int64_t gold = 0;
};
constexpr auto describe(lido::type<vault>) { return lido::schema{1, lido::field<&vault::gold>{.min = 0}}; }

struct gate {
    bool open = false;
    lido::link<vault> guards;
};

namespace {

using namespace std::chrono_literals;

void run(const char* file, const char* name) {
    lido::world world;
    lido::stage stage{world};
    stage.add<vault>("vault");
    stage.add<gate>("gate");
    lido::store::sqlite store{stage, file};
    if (!store) {
        std::puts(store.why());
        return;
    }
    std::printf("%s: run %d of this world\n", name, static_cast<int>(store.run()));
    store.refused.connect([](const lido::store::load_event& e) {
        std::printf("  not loaded: %.*s\n", static_cast<int>(e.why.size()), e.why.data());
    });

    // What is stored counts; the data given here is for the first time.
    const lido::entity_ref<vault> bank = stage.create<vault>({.id = "bank", .persistent = true}, {.gold = 100});
    const lido::entity_ref<gate> north = stage.create<gate>({.id = "north", .persistent = true});
    std::printf("  while it loads: %s\n", stage.lives(bank) ? "there" : "not there yet");
    store.wait_for_loads();
    std::printf("  bank has %d gold; the gate %s %s\n", static_cast<int>(stage.get(bank)->gold),
                stage.get(north)->open ? "is open and guards" : "is shut and guards",
                stage.follow(stage.get(north)->guards) == bank ? "the bank" : "nothing");

    // Both or none, in memory and on the disk.
    auto change = stage.edit(bank, north);
    change[bank].gold -= 30;
    change[north].open = !change[north].open;
    change[north].guards = stage.link_to(bank);
    if (!change.commit()) std::printf("  refused: %s\n", change.why());
    stage.tick();
    store.tick();  // a copy is taken; the disk is the writer's business
    const lido::store::flush_result saved = store.flush();
    std::printf("  saved: %s\n", saved ? "yes" : saved.why());
}

void clear() {
    for (const char* end : {"", "-wal", "-shm", "-lock"}) std::remove((std::string("25_saved_world.db") + end).c_str());
}

}  // namespace

int main() {
    const char* const file = "25_saved_world.db";
    clear();
    run(file, "monday");
    run(file, "tuesday");
    clear();
}

/* Output:
monday: run 1 of this world
  while it loads: not there yet
  bank has 100 gold; the gate is shut and guards nothing
  saved: yes
tuesday: run 2 of this world
  while it loads: not there yet
  bank has 70 gold; the gate is open and guards the bank
  saved: yes
*/
