// What is said of a class of pooled objects when it joins a world: how many, for how long, where.
#pragma once

#include <lido/core/options.hpp>
#include <lido/world/ticks.hpp>

#include <cstdint>
#include <limits>

namespace lido {

/// What a program is to its game. One that plays alone is `standalone`.
enum class role : std::uint8_t { standalone, client, listen_server, dedicated_server };

[[nodiscard]] constexpr const char* to_string(role r) noexcept {
    switch (r) {
        case role::standalone: return "standalone";
        case role::client: return "client";
        case role::listen_server: return "listen server";
        case role::dedicated_server: return "dedicated server";
    }
    return "unknown";
}

/// The roles in which a class may be built: sparks need no pool on a dedicated server.
struct role_set {
    bool standalone = true;
    bool client = true;
    bool listen_server = true;
    bool dedicated_server = true;

    [[nodiscard]] constexpr bool allows(role r) const noexcept {
        switch (r) {
            case role::standalone: return standalone;
            case role::client: return client;
            case role::listen_server: return listen_server;
            case role::dedicated_server: return dedicated_server;
        }
        return false;
    }

    friend constexpr bool operator==(role_set, role_set) noexcept = default;
};

/// When idle objects are given up by themselves: once `after` ticks have passed in which no more than some were active, all but that
/// many and `margin` more go.
struct trim_rule {
    ticks after = {};  ///< 0: only when trim() is called
    std::uint32_t margin = 0;
    std::uint32_t most_a_tick = 64;  ///< objects destroyed in one tick, so that a trim is never felt

    friend constexpr bool operator==(trim_rule, trim_rule) noexcept = default;
};

/// Who says which slot and generation a life of a class has.
enum class references : std::uint8_t {
    own,    ///< the class, as it spawns
    given,  ///< somebody else, a server: lives begin by world.spawn_under() alone, and a spawn is refused
};

/// What is done about a saved game in which the objects of a class have other fields than they have in this build.
enum class changed_layout : std::uint8_t {
    refuse,  ///< the game is not loaded
    drop,    ///< it is loaded without these objects
};

/// All members have a default, so that a designated initialiser names only what differs.
struct class_settings {
    static constexpr std::uint32_t no_cap = (std::numeric_limits<std::uint32_t>::max)();

    /// Objects to make before the first spawn.
    std::uint32_t prewarm = 0;

    /// An object that has not returned by then is returned; 0: it lives as long as it likes.
    ticks max_lifetime = {};

    role_set roles = {};

    /// How many may be active before on_full decides. 0: as many as are prewarmed, at least one.
    std::uint32_t capacity = 0;

    /// By default a class grows without a cap. grow_to(n) caps it, and `.then(…)` says what comes then.
    lido::on_full on_full = lido::on_full::grow();

    lido::headroom headroom = {};

    /// The most that wait.
    std::uint32_t idle_cap = no_cap;

    /// Address space for that many objects, where it is more than the settings above need: how far configure() may raise them while
    /// the world runs.
    std::uint32_t reserve = 0;

    trim_rule trim = {};

    /// What is said of objects that are active when the world ends without world.end(). They end with their hooks whatever it is:
    /// `leave` reports as `report` does.
    lido::leaks leaks = lido::leaks::report;

    /// Whether builds with forensics compare an object that begins another life with a fresh one, of which hooks are called for it
    /// (reset_trial.hpp). Not for hooks that change what is outside of their object and their world: a random number, a log.
    bool reset_check = true;

    /// `given`: a mirror of what another process rules. No slot is ever handed out here, so what comes from there finds its own.
    lido::references references = lido::references::own;

    /// Of objects that are saved as bytes. With save() and load() of their own they decide themselves.
    lido::changed_layout changed_layout = lido::changed_layout::refuse;
};

}  // namespace lido
