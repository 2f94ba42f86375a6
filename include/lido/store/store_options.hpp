// What is said of a store when it is made. All members have a default, so that a designated initialiser names only what differs.
#pragma once

#include <lido/store/row.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace lido::store {

/// Who takes the steps of the writer.
enum class runner : std::uint8_t {
    thread,  ///< one of the store's own
    step,    ///< whoever calls step(): for simulators, which have one thread and a clock of their own
};

/// When a database that says "not now" is asked again.
struct retry_limits {
    std::chrono::milliseconds first{50};      ///< and then twice as long each time,
    std::chrono::milliseconds longest{5000};  ///< up to this
    /// After so long the changes that wait are reported as failed, once; they are kept and tried again with what comes. 0: never.
    std::chrono::milliseconds give_up{0};
};

struct store_options {
    /// How long a change may wait for others to be written with it, where its class does not say (store::set_wait).
    std::chrono::milliseconds wait{1000};

    /// Entities with changes that are not durable. Above it persistent creations are refused.
    std::size_t max_pending = std::size_t{1} << 18;

    retry_limits retry = {};

    /// How long the end of a store waits for the database.
    std::chrono::milliseconds flush_at_end{5000};

    /// Of load_all: rows that one tick() makes entities of, or finishes. A tick with so many takes a few milliseconds.
    std::uint32_t rows_a_tick = 4096;

    runner by = runner::thread;

    /// Time that only goes forward, from any moment on. Empty: the system's. Called by both threads.
    std::function<std::chrono::nanoseconds()> clock = {};
    /// What people call the time: for the columns `created` and `changed`. Empty: the system's. Called by the writer.
    std::function<wall_time()> wall_clock = {};

    /// Told in a sentence what a program should not miss: what was not saved at the end. Empty: it goes to stderr.
    std::function<void(std::string_view)> say = {};
};

}  // namespace lido::store
