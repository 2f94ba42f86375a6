// One frame of a game with N live objects: k are spawned, all are updated, k have reached their age and end.
// One operation is one frame.
//
// Ages are fixed for good: the j-th object of every frame lives lives[j] frames, these differ at random, and their sum is N. So N
// live in every frame and k end in every frame, in an order that has little to do with that of the spawns.
// Contenders with references end the objects through them; the user keeps them by age, in one ring for each j. Contenders without
// (packed, or lists of pointers that are closed up) find the objects to end during the pass, as their users do.
#pragma once

#include <bench/harness/meter.hpp>
#include <bench/workloads/contender.hpp>

namespace bench {

/// `spawned` lifetimes of at least one frame whose sum is n.
[[nodiscard]] inline std::vector<std::uint32_t> draw_lives(std::size_t n, std::size_t spawned, random_engine& random) {
    std::vector<std::uint32_t> lives(spawned, static_cast<std::uint32_t>(n / spawned));
    for (std::size_t k = 0; k < spawned * 8; ++k) {
        std::uint32_t& from = lives[below(random, spawned)];
        const std::uint32_t part = below(random, from);
        from -= part;
        lives[below(random, spawned)] += part;
    }
    return lives;
}

/// The reference of a frame that is one loop over a list: update, and close the gap where one has ended.
/// `at(i)` is the i-th object, `close(i)` ends it and moves the last one there.
template <class At, class Close>
void update_and_close(std::size_t& count, At at, Close close) {
    for (std::size_t i = 0; i < count;) {
        auto& e = at(i);
        e.update();
        if (e.is.age == e.is.tag) {
            close(i);
            --count;
        } else {
            ++i;
        }
    }
}

template <class C>
void frame(meter& m, std::size_t n, std::size_t wanted) {
    random_engine random(8);
    const std::size_t spawned = std::min(wanted, n / 10);
    const std::vector<std::uint32_t> lives = draw_lives(n, spawned, random);
    constexpr std::size_t frames = 16;  // a round: long enough to time

    if constexpr (positional<C> || !walks<C>) {
        population<C> all(n);
        std::size_t count = 0;
        const auto play = [&] {
            for (const std::uint32_t life : lives) {
                if constexpr (positional<C>) {
                    all.pool.spawn(life);
                } else {
                    all.refs.push_back(all.pool.spawn(life));
                }
            }
            count += spawned;
            if constexpr (positional<C>) {
                update_and_close(
                    count, [&](std::size_t i) -> typename C::element& { return all.pool.at(i); },
                    [&](std::size_t i) { all.pool.end_at(i); });
            } else {
                update_and_close(
                    count, [&](std::size_t i) -> typename C::element& { return *all.pool.get(all.refs[i]); },
                    [&](std::size_t i) { all.end(i); });
            }
        };
        // A frame leaves n - spawned; the longest life is over after as many frames.
        for (std::uint32_t f = 0; f < *std::max_element(lives.begin(), lives.end()) + 1; ++f) play();
        m.expect(count == n - spawned, "a frame does not hold the population");
        m.run(frames, [&] {
            for (std::size_t f = 0; f < frames; ++f) play();
        });
        m.expect(count == n - spawned, "a frame does not hold the population");
    } else {
        C pool(n);
        // The ring of the j-th: lives[j] references, the next to be replaced at first[j] + at[j].
        std::vector<typename C::ref> rings(n);
        std::vector<std::uint32_t> first(spawned), at(spawned);
        for (std::size_t j = 1; j < spawned; ++j) first[j] = first[j - 1] + lives[j - 1];
        for (std::size_t j = 0; j < spawned; ++j) {
            for (std::uint32_t k = 0; k < lives[j]; ++k) rings[first[j] + k] = pool.spawn(lives[j]);
        }
        const auto end_expired = [&] {
            for (std::size_t j = 0; j < spawned; ++j) pool.end(rings[first[j] + at[j]]);
        };
        const auto play = [&] {
            for (std::size_t j = 0; j < spawned; ++j) {
                rings[first[j] + at[j]] = pool.spawn(lives[j]);
                if (++at[j] == lives[j]) at[j] = 0;
            }
            pool.for_each([](auto& e) { e.update(); });
            end_expired();
        };
        end_expired();
        for (std::uint32_t f = 0; f < *std::max_element(lives.begin(), lives.end()) + 1; ++f) play();
        std::size_t count = 0;
        pool.for_each([&](auto&) { ++count; });
        m.expect(count == n - spawned, "a frame does not hold the population");
        m.run(frames, [&] {
            for (std::size_t f = 0; f < frames; ++f) play();
        });
        if constexpr (!C::owns) {
            for (std::size_t j = 0; j < spawned; ++j) {
                for (std::uint32_t k = 0; k < lives[j]; ++k) {
                    if (k != at[j]) pool.end(rings[first[j] + k]);
                }
            }
        }
    }
}

}  // namespace bench
