// Ctrl-C. A command looks at interrupted() wherever it goes on, and leaves nothing half done; what waits in a database is called back.
#pragma once

namespace lido::store {
class database;
}

namespace lido::cli {

/// SIGINT, SIGTERM and SIGHUP set the flag; the second one ends the program at once. SIGPIPE is ignored: writing says it.
void watch_signals();
[[nodiscard]] bool interrupted() noexcept;

/// While this lives, a signal also interrupts what the database is doing.
class interruptible {
public:
    explicit interruptible(store::database& db) noexcept;
    interruptible(const interruptible&) = delete;
    interruptible& operator=(const interruptible&) = delete;
    ~interruptible();
};

}  // namespace lido::cli
