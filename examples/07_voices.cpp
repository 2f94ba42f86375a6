// Sound voices: a mixer has four, and more is going on. A full pool steals the voice that matters least, the oldest of its kind.
// (S1.8: sound channels.)
#include <lido/core.hpp>

#include <cstdint>
#include <cstdio>

namespace {

struct voice {
    const char* sound;
    int ticks;  // left to play
};

// track::priority buys the order that replace_lowest goes by.
using voice_pool = lido::slot_pool<voice, lido::options{.tracks = lido::track::priority}>;

enum : std::uint8_t { ambience = 0, steps = 4, shots = 8, speech = 12 };

}  // namespace

int main() {
    voice_pool voices{4,
                      {.name = "voices",
                       .on_full = lido::on_full::replace_lowest,
                       .leaks = lido::leaks::allow,
                       .on_evict = [](voice_pool::handle_type, voice& v) { std::printf("  stops %s\n", v.sound); }}};
    const auto play = [&voices](std::uint8_t priority, const char* sound, int ticks) {
        std::printf("play %s\n", sound);
        const auto made = voices.acquire_as({.priority = priority}, sound, ticks);
        if (!made) std::printf("  not heard: %s\n", to_string(voices.why_refused()));
        return made.handle();
    };

    const auto wind = play(ambience, "wind", 1000);
    play(steps, "left step", 3);
    play(steps, "right step", 3);
    play(shots, "shot", 5);
    play(shots, "second shot", 5);  // the wind matters least
    play(speech, "speech", 50);     // of the steps, the older one
    play(ambience, "rain", 1000);   // nothing matters as little as rain
    std::printf("the wind is %s\n", voices.contains(wind) ? "heard" : "gone");

    for (int tick = 0; tick < 5; ++tick) {
        for (voice& v : voices) --v.ticks;
        voices.release_if([](const voice& v) { return v.ticks <= 0; });
    }
    for (const voice& v : voices) std::printf("still playing: %s\n", v.sound);
    const auto stats = voices.stats();
    std::printf("stolen: %u, not heard: %u\n", static_cast<unsigned>(stats.replaced),
                static_cast<unsigned>(stats.refused));
}

/* Output:
play wind
play left step
play right step
play shot
play second shot
  stops wind
play speech
  stops left step
play rain
  not heard: full
the wind is gone
still playing: speech
stolen: 2, not heard: 1
*/
