// Figures as plain values: what is collected on the program's thread, kept, and written for readers.
#pragma once

#include <lido/core/stats.hpp>
#include <lido/entity/journal/stats.hpp>
#include <lido/inspect/command.hpp>
#include <lido/inspect/source.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lido::inspect {

inline constexpr std::int64_t nothing = -1;  ///< in place of an id

struct pool_figures {
    std::uint32_t id = 0;
    std::string name;
    pool_stats stats;
    std::int64_t world = nothing;
    bool gone = false;
};

struct class_figures : class_numbers {
    std::uint32_t pool = 0;
    std::string name;
    std::string type;
    std::uint32_t active = 0;
};

struct world_figures {
    std::uint32_t id = 0;
    std::string name;
    const char* role = "";
    std::uint64_t now = 0;
    std::uint64_t timers = 0;
    bool gone = false;
    std::vector<class_figures> classes;
};

struct entity_class_figures {
    std::uint32_t number = 0;
    std::string name;
    std::string type;
    std::int64_t revision = 1;
    std::uint32_t live = 0;
    std::uint32_t idle_cap = 0;  ///< that may wait for another life
    std::uint32_t history = 0;
    bool fresh = false;
    bool changeable = false;
};

/// Who reads the journal of a stage.
struct reader_figures {
    std::string name;
    bool unique = true;  ///< no reader before it has that name
    const char* what = "";
    const char* state = "";
    std::uint64_t lag = 0;  ///< entries
    std::uint64_t lag_bytes = 0;
    std::uint64_t read = 0;
    std::uint64_t fell_behind = 0;
};

struct stage_figures {
    std::uint32_t id = 0;
    std::string name;
    const char* role = "";
    std::uint64_t now = 0;
    std::uint64_t entities = 0;
    std::uint64_t births = 0;
    std::uint64_t managed = 0;
    std::uint64_t managed_waiting = 0;
    std::uint64_t listeners = 0;
    std::uint64_t commits_refused = 0;
    std::uint64_t idle_overflow = 0;
    journal_stats journal;
    std::uint64_t first_open_tick = 0;
    std::vector<entity_class_figures> classes;
    std::vector<reader_figures> readers;
};

enum class store_state : std::uint8_t {
    stopped,   ///< it saves nothing any more
    retrying,  ///< the database does not take what waits; it is tried again
    ready,
};

[[nodiscard]] constexpr const char* to_string(store_state state) noexcept {
    switch (state) {
        case store_state::stopped: return "stopped";
        case store_state::retrying: return "retrying";
        case store_state::ready: return "ready";
    }
    return "stopped";
}

struct store_figures : store_numbers {
    std::uint32_t id = 0;
    std::string name;
    std::string database;
    std::string trouble;  ///< empty where nothing is wrong

    [[nodiscard]] store_state state() const noexcept {
        if (!ready) return store_state::stopped;
        return trouble.empty() ? store_state::ready : store_state::retrying;
    }
};

/// Everything at one moment.
struct moment {
    std::uint64_t tick = 0;
    std::uint64_t ms = 0;      ///< since the inspector started
    std::uint64_t number = 0;  ///< counts moments; 0: nothing was collected yet
    std::uint64_t events_next = 0;
    std::vector<pool_figures> pools;
    std::vector<world_figures> worlds;
    std::vector<stage_figures> stages;
    std::vector<store_figures> stores;
};

enum class event_kind : std::uint8_t { refused, grown, replaced, merged, retired, misuse };

/// Those before misuse: what a pool's counters tell.
inline constexpr std::size_t counted_kinds = static_cast<std::size_t>(event_kind::misuse);

[[nodiscard]] constexpr const char* to_string(event_kind kind) noexcept {
    switch (kind) {
        case event_kind::refused: return "refused";
        case event_kind::grown: return "grown";
        case event_kind::replaced: return "replaced";
        case event_kind::merged: return "merged";
        case event_kind::retired: return "retired";
        case event_kind::misuse: return "misuse";
    }
    return "misuse";
}

/// One cause in one pool, and how often it came.
struct event {
    std::uint64_t number = 0;  ///< of its latest occurrence
    std::uint64_t first = 0;   ///< of its first: its name
    std::uint64_t tick = 0;    ///< of its latest occurrence
    std::uint64_t since = 0;   ///< tick of its first
    std::uint64_t ms = 0;      ///< of its latest, since the inspector started; not kept for misuse
    std::int64_t pool = nothing;
    event_kind kind = event_kind::misuse;
    std::uint64_t count = 0;
    std::string text;
};

struct event_list {
    std::uint64_t next = 0;
    std::uint64_t dropped = 0;  ///< asked for, and not kept any more
    std::vector<event> events;
};

struct history_figures {
    std::uint32_t period_ms = 0;
    std::uint64_t ms = 0;  ///< when the last of them ended, since the inspector started
    std::vector<std::uint64_t> live;
    std::vector<std::uint64_t> acquired;  ///< this and the next two: a period
    std::vector<std::uint64_t> refused;
    std::vector<std::uint64_t> replaced;
};

/// Lengths of lives, by powers of two.
struct lifetime_figures {
    static constexpr std::size_t edges = 24;  ///< 1, 2, 4 … 8'388'608 ticks: 38 hours at 60 a second
    std::array<std::uint64_t, edges + 1>
        counts{};                  ///< [k]: at most 2^k ticks and more than the edge before; the last: longer
    std::uint64_t seen = 0;        ///< the sum of counts
    std::uint64_t unmeasured = 0;  ///< lives that ended, whose begin or end fell between two looks or before the first
};

enum class map_by : std::uint8_t { age, generation };

struct map_request {
    std::uint32_t pool = 0;
    map_by by = map_by::age;
    std::uint32_t from = 0;
    std::uint32_t to = 0;  ///< 0: all slots
    std::uint32_t cells = 4096;
    friend bool operator==(const map_request&, const map_request&) = default;
};

struct map_figures {
    std::uint32_t slots = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t per_cell = 1;
    map_by by = map_by::age;
    std::uint64_t newest = 0;
    std::uint64_t oldest = 0;
    std::vector<std::uint8_t> cells;
};

struct hello_figures {
    std::string program;
    std::string version;
    std::uint64_t started_ms = 0;
    bool token_needed = true;
    std::vector<std::string> views;
    std::vector<command_description> commands;
};

}  // namespace lido::inspect
