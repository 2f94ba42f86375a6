// Fuzzes restore() of images of a stage: bytes from a stranger are refused with nothing changed, or give a stage that works. Rows X1, S5.8.
//
// Input: byte 0 is the mode, the rest is the image.
//   mode 0, 1   as it is; 1: sealed first, that is, size and checksum made right, so that the fuzzer gets past them
//   mode 2, 3   the same for what a saved game has (lido::lasting)
//   mode 4..    a sound image of a lived-in stage, on which the bytes act as (place, place, value) triples; sealed. Odd: a saved game
#include "core/rewind/image_map.hpp"

#include <lido/core/rewind/save.hpp>
#include <lido/entity/schema/bounded_vector.hpp>
#include <lido/entity/stage/lasting.hpp>
#include <lido/entity/stage/stage.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

namespace fuzzed_stage {

struct door {
    std::uint16_t hp = 9;
    bool open = false;
    lido::link<door> next;
    lido::text<6> sign;
    lido::bounded_vector<std::uint8_t, 3> codes;
};
constexpr auto describe(lido::type<door>) { return lido::schema{2, lido::field<&door::hp>{.max = 100}}; }
inline bool valid(const door& d) { return !d.open || d.hp > 0; }
inline void migrate(lido::from_revision<1>, const lido::record& old, door& now) {
    now.hp = static_cast<std::uint16_t>(old.whole("health") % 101);
}

struct bag {
    std::vector<std::uint8_t> things;
    void save(lido::image_writer& w) const {
        w.put(static_cast<std::uint8_t>(things.size()));
        for (const std::uint8_t t : things) w.put(t);
    }
    [[nodiscard]] bool load(lido::image_reader& r) {
        const auto count = r.take<std::uint8_t>();
        for (std::uint8_t i = 0; i < count && r.ok(); ++i) things.push_back(r.take<std::uint8_t>());
        return r.ok();
    }
};
struct thief {
    using context_type = bag;
    std::int32_t speed = 1;
};
inline void on_begin(const thief&, bag& b, const lido::entity_birth&) { b.things.assign(2, 7); }
inline void on_end(const thief&, bag&, lido::entity_end) noexcept {}

struct spark {
    std::uint32_t heat = 3;
    bool hot = true;
    void on_acquire() { *this = spark(); }
};

[[noreturn]] void stop(const char* what) {
    std::fprintf(stderr, "stage_image_fuzz: %s\n", what);
    std::abort();
}

struct game {
    lido::world world{lido::role::standalone, {.rollback = 2}};
    lido::stage stage{world, {.journal_bytes = std::size_t{1} << 16}};

    explicit game(bool turned = false) {
        if (!turned) add_doors();
        stage.add<thief>("thief", {.capacity = 20, .on_full = lido::on_full::grow_to(40)});
        world.add<spark>("spark", {.capacity = 8,
                                   .on_full = lido::on_full::grow_to(40),
                                   .leaks = lido::leaks::allow,
                                   .changed_layout = lido::changed_layout::drop});
        if (turned) add_doors();
        static_cast<void>(stage.name_call<door>("shut", [this](lido::entity_ref<door> d) {
            auto change = stage.edit(d);
            change->open = false;
            static_cast<void>(change.commit());
        }));
    }
    void add_doors() { stage.add<door>("door", {.history = 3, .capacity = 20, .on_full = lido::on_full::grow_to(40)}); }

    void play(int ticks) {
        for (int i = 0; i < ticks; ++i) {
            const auto d = stage.create<door>({.id = i % 3 == 0 ? "d" + std::to_string(i) : ""});
            if (d) {
                auto change = stage.edit(d.reference());
                change->open = true;
                change->next = stage.link_to(d.reference());
                static_cast<void>(change.commit());
                static_cast<void>(
                    stage.after(d, lido::ticks{static_cast<std::uint64_t>(i % 5 + 1)}, lido::named{"shut"}));
                if (i % 4 == 0) static_cast<void>(stage.lock(d, "me", lido::ticks{3}));
                if (i % 4 == 1) static_cast<void>(stage.pool(d));
            }
            static_cast<void>(stage.create<thief>({.owner = {3}}, {.speed = i}));
            static_cast<void>(world.spawn<spark>());
            stage.tick();
        }
    }
    [[nodiscard]] std::vector<std::byte> image() const {
        std::vector<std::byte> bytes;
        if (!stage.save(bytes)) stop("a stage without what is code is not written");
        return bytes;
    }
    [[nodiscard]] std::vector<std::byte> saved_game() {
        std::vector<std::byte> bytes;
        lido::lasting all{stage};
        if (!lido::save(bytes, all)) stop("a stage is not written into a saved game");
        return bytes;
    }
    void expect_sound() const {
        if (const lido::verdict v = stage.validate(); !v) stop(v.broken);
        if (const lido::verdict v = world.validate(); !v) stop(v.broken);
        if (const lido::verdict v = stage.changes().validate(); !v) stop(v.broken);
    }
};

void attack(unsigned mode, std::span<const std::uint8_t> input) {
    game g;
    g.play(5);
    const bool lasting = mode < 4 ? mode >= 2 : mode % 2 == 1;
    std::vector<std::byte> image;
    if (mode < 4) {
        for (const std::uint8_t b : input) image.push_back(static_cast<std::byte>(b));
    } else {
        static const std::vector<std::byte> sound[2] = {[] {
                                                            game lived;
                                                            lived.play(9);
                                                            return lived.image();
                                                        }(),
                                                        [] {
                                                            game lived;
                                                            lived.play(9);
                                                            return lived.saved_game();
                                                        }()};
        image = sound[lasting ? 1 : 0];
        for (std::size_t i = 0; i + 2 < input.size(); i += 3)
            image[static_cast<std::size_t>(input[i] | input[i + 1] << 8) % image.size()] =
                static_cast<std::byte>(input[i + 2]);
    }
    if (mode % 2 == 1 || mode >= 4) lido::test::seal(image);

    const std::uint64_t hash = g.stage.state_hash();
    const std::vector<std::byte> before = g.image();
    lido::lasting all{g.stage, {.leave_out_classes = true}};
    const lido::restore_result r = lasting ? lido::restore(image, all) : g.stage.restore(image);
    if (!r) {
        if (g.stage.state_hash() != hash || g.image() != before) stop("refused, and yet changed");
        if (r.what() == nullptr || r.what()[0] == 0) stop("refused without a word");
    } else {
        g.expect_sound();
        if (lasting) all.settle();
        game twin(true);
        const std::vector<std::byte> again = g.image();
        if (!twin.stage.restore(again)) stop("a restored stage's image is refused");
        if (twin.stage.state_hash() != g.stage.state_hash()) stop("a restored stage's image is of another state");
        if (twin.image() != again) stop("a restored stage's image is written as another");
    }
    g.expect_sound();
    g.play(4);
    g.expect_sound();
}

}  // namespace fuzzed_stage

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    // Silent: what an image refuses is expected here.
    static_cast<void>(lido::set_misuse_handler([](const lido::misuse&) {}));
    fuzzed_stage::attack(data[0], {data + 1, size - 1});
    return 0;
}
