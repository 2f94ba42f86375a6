// What is left to chance in a simulation: numbers that follow from a seed, and are the same on every machine.
#pragma once

#include <cstdint>
#include <random>

namespace lido_sim {

class chance {
public:
    explicit chance(std::uint64_t seed) : bits_(seed) {}
    /// From 0 on, below n. Pre: n is not 0.
    std::uint64_t below(std::uint64_t n) { return bits_() % n; }
    bool one_in(std::uint64_t n) { return below(n) == 0; }
    bool percent(std::uint64_t p) { return below(100) < p; }

private:
    std::mt19937_64 bits_;
};

}  // namespace lido_sim
