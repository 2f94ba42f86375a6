// Damage numbers that float up and fade: at most 15 on the screen, in an array that lives inside its owner. The cap is the throttle.
// (S3.3.)
#include <lido/core.hpp>

#include <cstdint>
#include <cstdio>

namespace {

struct damage_number {
    int value;
    int y;
    int ticks;  // left to show
};

template <class List>
void step(List& numbers) {
    // Backward, so that the number which moves into a hole has been stepped already.
    for (damage_number& n : numbers.backward()) {
        n.y += 2;
        if (--n.ticks <= 0) numbers.release(n);
    }
}

}  // namespace

int main() {
    // The plain one drops what does not fit.
    lido::capped_list<damage_number, 15> plain{{.name = "damage numbers"}};
    for (int hit = 1; hit <= 20; ++hit) plain.push(hit, 0, 3 + hit % 4);
    std::printf("20 hits: %u shown, %u dropped\n", static_cast<unsigned>(plain.size()),
                static_cast<unsigned>(plain.dropped()));
    for (int tick = 1; tick <= 6; ++tick) {
        step(plain);
        std::printf("tick %d: %u shown\n", tick, static_cast<unsigned>(plain.size()));
    }

    // This one lets big hits take the place of small ones.
    lido::capped_list<damage_number, 3, lido::options{.tracks = lido::track::priority}> ranked{
        {.on_full = lido::on_full::replace_lowest, .leaks = lido::leaks::allow}};
    for (const int hit : {12, 80, 7, 9, 250, 3}) {
        const auto weight = static_cast<std::uint8_t>(hit >= 100 ? 2 : hit >= 10 ? 1 : 0);
        ranked.push_as({.priority = weight}, hit, 0, 10);
    }
    std::printf("the ones that matter:");
    for (const damage_number& n : ranked.values()) std::printf(" %d", n.value);
    std::printf("\n");

    // And this one adds what does not fit to what is shown.
    lido::capped_list<damage_number, 1> sum{{.on_full = lido::on_full::merge,
                                             .leaks = lido::leaks::allow,
                                             .merge = [](damage_number& shown, const damage_number& hit) {
                                                 shown.value += hit.value;
                                                 shown.ticks = hit.ticks;
                                                 return true;
                                             }}};
    for (int hit = 1; hit <= 10; ++hit) sum.push(hit, 0, 10);
    std::printf("all of them at once: %d\n", sum[0].value);
}

/* Output:
20 hits: 15 shown, 5 dropped
tick 1: 15 shown
tick 2: 15 shown
tick 3: 12 shown
tick 4: 8 shown
tick 5: 4 shown
tick 6: 0 shown
the ones that matter: 12 80 250
all of them at once: 55
*/
