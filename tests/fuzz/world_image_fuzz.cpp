// Fuzzes restore() of images of a world: bytes from a stranger are refused with nothing changed, or give a world that works. Row X1.
//
// Input: byte 0 is the mode, the rest is the image.
//   mode 0      as it is
//   mode 1      sealed first: size and checksum made right, so that the fuzzer gets past them
//   mode 2..    a sound image of a lived-in world, on which the bytes act as (place, place, value) triples; sealed
#include "core/rewind/image_map.hpp"

#include <lido/core/rewind/save.hpp>
#include <lido/world/world.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

namespace {

struct guard {
    std::uint32_t health = 10;
    bool awake = true;
    lido::ref<guard> next;
    void on_acquire() { *this = guard(); }
};

struct chest : lido::pooled {
    std::vector<std::uint32_t> gold;
    void on_acquire() { gold.assign(2, 7); }
    void on_release() noexcept { gold.clear(); }
    void save(lido::image_writer& w) const {
        save_pooled(w);
        w.put(static_cast<std::uint32_t>(gold.size()));
        for (const std::uint32_t g : gold) w.put(g);
    }
    [[nodiscard]] bool load(lido::image_reader& r) {
        if (!load_pooled(r)) return false;
        const auto count = r.take<std::uint32_t>();
        if (!r.has(count, sizeof(std::uint32_t))) return false;
        for (std::uint32_t i = 0; i < count; ++i) gold.push_back(r.take<std::uint32_t>());
        return true;
    }
    void hash(lido::hasher& h) const { h.add(gold).add(in_use()); }
};

/// Its ends wait until they are certain.
struct flare {
    static constexpr auto release = lido::on_confirm;
    std::uint32_t heat = 3;
    void on_acquire() { heat = 3; }
    void hash(lido::hasher& h) const { h.add(heat); }
};

struct shift {
    std::int16_t by = 0;
    bool up = false;
    std::uint8_t more = 0;
};

[[noreturn]] void stop(const char* what) {
    std::fprintf(stderr, "world_image_fuzz: %s\n", what);
    std::abort();
}

struct game {
    lido::world world{lido::role::standalone, {.rollback = 2}};

    explicit game(bool turned = false) {
        const lido::on_full few = lido::on_full::grow_to(40);
        if (!turned)
            world.add<guard>("guard", {.prewarm = 2, .capacity = 8, .on_full = few, .leaks = lido::leaks::allow});
        world.add<flare>("flare", {.capacity = 8, .on_full = few, .leaks = lido::leaks::allow});
        world.add<chest>("chest",
                         {.capacity = 4, .on_full = lido::on_full::replace_oldest, .leaks = lido::leaks::allow});
        if (turned)
            world.add<guard>("guard", {.prewarm = 2, .capacity = 8, .on_full = few, .leaks = lido::leaks::allow});
        static_cast<void>(world.name_call<guard, shift>(
            "heal", [](guard& g, const shift& s) { g.health += static_cast<std::uint32_t>(s.up ? s.by : -s.by); }));
        static_cast<void>(world.name_call<chest>("open", [](chest& c) { c.gold.clear(); }));
        static_cast<void>(
            world.name_call<lido::world, lido::ref<guard>>("relief", [](lido::world& w, const lido::ref<guard>& g) {
                if (guard* const it = w.get(g)) it->health += 100;
            }));
    }

    void play(int ticks) {
        for (int i = 0; i < ticks; ++i) {
            if (const auto g = world.spawn<guard>()) {
                world.after(g, lido::ticks{static_cast<std::uint64_t>(i * 37 % 90 + 1)},
                            lido::named{"heal", shift{3, true}});
                world.set_lifetime(g, lido::ticks{static_cast<std::uint64_t>(i * 91 % 3000 + 2)});
                if (i % 3 == 0) world.return_to_pool(g.reference());
                if (i % 5 == 0) world.after(lido::ticks{40}, lido::named{"relief", g.reference()});
            }
            if (const auto c = world.spawn<chest>()) world.on_finished(c, lido::named{"open"});
            if (const auto f = world.spawn<flare>(); f && i % 2 == 0) world.return_to_pool(f.reference());
            world.tick();
        }
    }
};

std::vector<std::byte> image_of(const lido::world& w) {
    std::vector<std::byte> bytes;
    if (!w.save(bytes)) stop("a world whose calls have names is not written");
    return bytes;
}

void attack(unsigned mode, std::span<const std::uint8_t> input) {
    game g;
    g.play(7);
    std::vector<std::byte> image;
    if (mode < 2) {
        for (const std::uint8_t b : input) image.push_back(static_cast<std::byte>(b));
    } else {
        static const std::vector<std::byte> sound = [] {
            game lived;
            lived.play(12);
            return image_of(lived.world);
        }();
        image = sound;
        for (std::size_t i = 0; i + 2 < input.size(); i += 3)
            image[static_cast<std::size_t>(input[i] | input[i + 1] << 8) % image.size()] =
                static_cast<std::byte>(input[i + 2]);
    }
    if (mode != 0) lido::test::seal(image);

    const std::uint64_t hash = g.world.state_hash();
    const std::vector<std::byte> before = image_of(g.world);
    const lido::restore_result r = g.world.restore(image);
    if (!r) {
        if (g.world.state_hash() != hash || image_of(g.world) != before) stop("refused, and yet changed");
        if (r.what() == nullptr || r.what()[0] == 0) stop("refused without a word");
    } else {
        game twin(true);
        const std::vector<std::byte> again = image_of(g.world);
        if (!twin.world.restore(again)) stop("a restored world's image is refused");
        if (twin.world.state_hash() != g.world.state_hash()) stop("a restored world's image is of another state");
        if (image_of(twin.world) != again) stop("a restored world's image is written as another");
    }
    if (const lido::verdict sound = g.world.validate(); !sound) stop(sound.broken);
    g.play(5);
    if (const lido::verdict sound = g.world.validate(); !sound) stop(sound.broken);
    g.world.return_all();
    for (int i = 0; i < 4; ++i) g.world.tick();
    if (const lido::verdict sound = g.world.validate(); !sound) stop(sound.broken);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    // Silent: what an image refuses is expected here.
    static_cast<void>(lido::set_misuse_handler([](const lido::misuse&) {}));
    attack(data[0], {data + 1, size - 1});
    return 0;
}
