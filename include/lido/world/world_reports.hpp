// What a world says of its start, its settings and its end.
#pragma once

#include <lido/world/ref.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lido {

namespace world_detail {

/// A name in a message: what a terminal would act on is spelled out, and what is long is cut.
[[nodiscard]] inline std::string printable(std::string_view name) {
    constexpr std::size_t most = 100;
    constexpr const char* digits = "0123456789abcdef";
    std::string out;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (i == most) return out + "...";
        const auto c = static_cast<unsigned char>(name[i]);
        // C1 controls are two bytes of UTF-8, 0xc2 and one below 0xa0.
        const bool second = c >= 0x80 && c < 0xa0 && i != 0 && static_cast<unsigned char>(name[i - 1]) == 0xc2;
        if (c >= 0x20 && c != 0x7f && !second) {
            out += name[i];
        } else {
            out += {'\\', 'x', digits[c >> 4], digits[c & 15]};
        }
    }
    return out;
}

}  // namespace world_detail

/// The answer of world.add(). True when the class is there now, be it built or not.
struct added_class {
    class_number number = 0;
    bool added = false;
    std::string why;  ///< why not, why it will not be built, or why settings that were kept for it are not applied

    [[nodiscard]] explicit operator bool() const noexcept { return added; }
};

/// A class that was not built, and why.
struct skipped_class {
    std::string name;
    std::string why;
};

struct start_report {
    std::vector<std::string> built;
    std::vector<skipped_class> skipped;
    std::uint64_t objects_left = 0;  ///< of a sliced start: made by the ticks to come
};

/// How far a sliced start has come.
struct start_progress {
    std::uint64_t made = 0;
    std::uint64_t wanted = 0;
    [[nodiscard]] bool done() const noexcept { return made >= wanted; }
};

/// The answer of world.configure(). Nothing is applied when there is an error.
struct configure_report {
    std::string error;                 ///< one message; empty when there is none
    std::vector<std::string> applied;  ///< "explosion.max_lifetime is 90 now"
    std::vector<std::string> cannot;   ///< "pools.toml:5: explosion.roles cannot change while the world runs: …"
    std::vector<std::string> unused;   ///< of classes that are not there: they wait for them

    [[nodiscard]] explicit operator bool() const noexcept { return error.empty(); }
};

/// What was still active when a class or the world was ended.
struct end_report {
    struct line {
        std::string name;
        std::uint32_t active;
    };
    std::vector<line> classes;  ///< only those with active objects
    bool refused = false;       ///< asked from inside a hook, listener or timer: nothing was ended

    [[nodiscard]] std::uint64_t active() const noexcept {
        std::uint64_t sum = 0;
        for (const line& l : classes) sum += l.active;
        return sum;
    }
};

}  // namespace lido
