// A database of a store in one file: SQLite, compiled into lido::store, so that a user's files never include it.
#pragma once

#include <lido/store/database.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace lido::store {

/// What a commit that was said to be durable survives. A crash of the program alone loses nothing at any level.
enum class sync_level : std::uint8_t {
    full,    ///< a crash of the machine and a loss of power, too: the disk is waited for at each commit
    normal,  ///< after one of these the last commits may be missing, the earlier ones are whole
    off,     ///< after one of these the file may be damaged: for tests and caches
};

struct sqlite_options {
    sync_level sync = sync_level::full;
    /// How long a call waits for a lock of another program (a tool, a shell) before it says `again`, in milliseconds.
    std::uint32_t wait_for_locks = 250;
    /// Of the page cache, in bytes.
    std::uint64_t cache_bytes = std::uint64_t{16} << 20;
    /// A VFS that the program has registered with SQLite; empty: the system's. With one of its own there is no file lock.
    std::string vfs = {};
};

/// Nothing is opened yet. A path in UTF-8.
[[nodiscard]] std::unique_ptr<database> make_sqlite_database(std::string path, const sqlite_options& options = {});

}  // namespace lido::store
