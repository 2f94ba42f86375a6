// An element whose end matters: it owns memory, and its hook must run once a life, when the end is confirmed and not before.
#pragma once

#include <lido/core/base/options.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace lido::test {

/// Whose hook has run, in order.
inline std::vector<int> silenced;

struct siren {
    int id = 0;
    std::string tune;  // longer than fits inside of a string, so that it owns memory

    void on_acquire(int number) {
        id = number;
        tune.assign(40, static_cast<char>('a' + number % 26));
    }
    void on_release() noexcept { silenced.push_back(id); }

    friend bool operator==(const siren&, const siren&) = default;
};

inline constexpr options confirmed{.confirmed_ends = true};

}  // namespace lido::test
