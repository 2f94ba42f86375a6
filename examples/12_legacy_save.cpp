// A save of an old engine: its scripts hold handles as plain numbers, its file the byte map of the pool and a record an object. The
// objects are made again under the handles they had, and the scripts go on. (S2.10.)
#include <lido/core.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

struct vehicle {
    explicit vehicle(int h) : health(h) {}
    vehicle(const vehicle&) = delete;
    vehicle& operator=(const vehicle&) = delete;
    virtual ~vehicle() = default;
    virtual std::string name() const = 0;
    int health;
};
struct bike final : vehicle {
    using vehicle::vehicle;
    std::string name() const override { return "bike"; }
};
struct truck final : vehicle {
    truck(int h, int l) : vehicle(h), load(l) {}
    std::string name() const override { return "truck with " + std::to_string(load); }
    int load;
};

// Slots as large as the largest class: a pool of the base holds all of them.
using vehicle_pool = lido::bytemap_pool<vehicle, sizeof(truck)>;

struct record {
    int kind;  // 0 bike, 1 truck
    int health;
    int load;
};

struct save_file {
    std::vector<std::uint8_t> byte_map;  // as it lay in the memory of the old engine: a byte a slot
    std::int32_t first_free;
    std::vector<record> objects;           // of the busy slots, in their order
    std::vector<std::int32_t> in_scripts;  // handles
};

/// Slot 0: a bike in its 5th life. 1: free after 126 lives. 2: a truck in its 128th, whose seed is 0 again. 3: never used.
save_file read_old_save() {
    return {{0x05, 0x80 | 126, 0x00, 0x80}, 2, {{0, 80, 0}, {1, 300, 12}}, {0x005, 0x200, 0x17e, 0x004}};
}

void look(const vehicle_pool& pool, std::int32_t handle) {
    std::printf("handle %5d: ", handle);
    if (const vehicle* v = pool.at(handle)) {
        std::printf("%s, health %d\n", v->name().c_str(), v->health);
    } else {
        std::printf("gone\n");
    }
}

}  // namespace

int main() {
    const save_file save = read_old_save();
    vehicle_pool vehicles{4, {.name = "vehicles", .leaks = lido::leaks::allow}};

    std::size_t next = 0;
    const auto loaded = vehicles.load_map(save.byte_map, save.first_free, [&](vehicle_pool::handle_type handle) {
        const record& r = save.objects.at(next++);
        if (r.kind == 0) {
            vehicles.reserve<bike>(handle, r.health);
        } else {
            vehicles.reserve<truck>(handle, r.health, r.load);
        }
    });
    std::printf("%s: %u vehicles\n", loaded.what(), static_cast<unsigned>(vehicles.size()));
    for (const std::int32_t handle : save.in_scripts) look(vehicles, handle);

    // What comes next gets the handles that the old engine would have given.
    std::printf("the next: %d\n", vehicles.acquire<bike>(100).handle().to_bits());
    std::printf("and then: %d\n", vehicles.acquire<bike>(100).handle().to_bits());
    for (auto [handle, v] : vehicles.each()) std::printf("  %d %s\n", handle.to_bits(), v.name().c_str());

    // A byte map is no promise: 128 lives on, a handle names another object. lido's own handles do not do that.
    std::printf("odds of meeting a given handle again: 1 in %.0f at best, 1 in %.0f at worst\n",
                1 / lido::best_alias_odds(4), 1 / lido::worst_alias_odds(4));

    // A map of another pool is refused, and nothing has changed.
    const std::vector<std::uint8_t> other(5, 0x80);
    std::printf("%s\n", vehicles.load_map(other, -1, [](vehicle_pool::handle_type) {}).what());
    std::printf("still %u vehicles\n", static_cast<unsigned>(vehicles.size()));
}

/* Output:
restored: 2 vehicles
handle     5: bike, health 80
handle   512: truck with 12, health 300
handle   382: gone
handle     4: gone
the next: 769
and then: 383
  5 bike
  383 bike
  512 truck with 12
  769 bike
odds of meeting a given handle again: 1 in 512 at best, 1 in 131 at worst
the byte map is of a pool with another number of slots
still 4 vehicles
*/
