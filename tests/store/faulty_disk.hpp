// A disk in memory, and a VFS of SQLite that lies on it. It keeps what was written and not synced apart, so that a loss of power can be played;
// it can fail any call, and end the program in any. One thread; everything that is left to chance follows from its seed.
//
//   write ──> view, and a list of what is not synced       sync ──> the list is applied to what is durable
//   cut_power(): of the list any sectors arrive, of a truncation all or nothing; the rest is as it was      kill(): the view is what there is
//
// A later write of a sector that arrives hides an earlier one, and each arrives or does not by itself: that is every order in which a disk may
// write them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/chance.hpp"

namespace store_tests {

using lido_sim::chance;

enum class disk_call : std::uint8_t { open, read, write, sync, truncate, remove, size, lock, shared_memory };
inline constexpr std::uint32_t all_calls = 0x1ff;
[[nodiscard]] constexpr std::uint32_t only(disk_call c) noexcept {
    return std::uint32_t{1} << static_cast<unsigned>(c);
}

class faulty_disk {
public:
    struct change {
        std::uint64_t at = 0;
        std::vector<unsigned char> bytes;
        bool truncates = false;  ///< to `at`
    };
    /// What the connections to a file share.
    struct shared_regions {
        std::vector<std::unique_ptr<std::uint32_t[]>> regions;
    };
    struct handle;
    struct file {
        std::vector<unsigned char> view;
        std::vector<unsigned char> durable;
        std::vector<change> unsynced;
        bool name_is_durable = false;
        std::set<handle*> open;
        std::shared_ptr<shared_regions> shared;
    };
    struct handle {
        faulty_disk* disk = nullptr;
        std::shared_ptr<file> of;
        std::shared_ptr<shared_regions> shared;
        std::uint64_t life = 0;
        int lock = 0;
        unsigned shared_locks = 0;
        unsigned own_locks = 0;
        bool syncs_folder = false;  ///< together with its first sync
    };

    explicit faulty_disk(std::uint64_t seed);
    faulty_disk(const faulty_disk&) = delete;
    faulty_disk& operator=(const faulty_disk&) = delete;
    ~faulty_disk();

    /// For sqlite_options::vfs.
    [[nodiscard]] const std::string& vfs() const noexcept { return name_; }

    // --- what goes wrong -----------------------------------------------------------------------------------------------------

    struct fault {
        std::uint64_t in = 0;  ///< the so manieth call from now on, 1 is the next; 0: none
        std::uint64_t calls = 1;
        bool full =
            false;  ///< writes say that the disk is full, locks that somebody has them; else they say that it is broken
        std::uint32_t of = all_calls;
    };
    void fail(const fault& how) noexcept;
    /// The call of that number, from now on, is the last of the program.
    void end_in(std::uint64_t calls, bool power) noexcept;
    /// The program ends: what it wrote is there.
    void kill() noexcept;
    /// The machine ends: what was not synced is there in part.
    void cut_power() noexcept;
    [[nodiscard]] bool ended() const noexcept { return ended_; }
    /// The next program. What was open stays dead.
    void start() noexcept;

    bool lies_about_syncs = false;  ///< they say that they are done, and do nothing
    bool forgets_after_a_failed_sync =
        false;  ///< what a sync that failed was to write stays in memory, and no later sync writes it

    /// No faults as long as it lives, and nothing is counted: for who looks.
    class calm {
    public:
        explicit calm(faulty_disk& d) noexcept : disk_(d) { ++disk_.calm_; }
        calm(const calm&) = delete;
        calm& operator=(const calm&) = delete;
        ~calm() { --disk_.calm_; }

    private:
        faulty_disk& disk_;
    };

    struct figures {
        std::uint64_t calls = 0;
        std::uint64_t failed = 0;
        std::uint64_t syncs = 0;
        std::uint64_t sectors_lost = 0;
        std::uint64_t sectors_kept = 0;  ///< that were not synced
        std::uint64_t ends = 0;
    };
    [[nodiscard]] const figures& stats() const noexcept { return figures_; }

    // --- for the VFS -----------------------------------------------------------------------------------------------------------

    enum class verdict : std::uint8_t { go_on, fail, fail_full, dead };
    verdict ask(disk_call what, const handle* by) noexcept;
    [[nodiscard]] std::shared_ptr<file> find(const std::string& name) const;
    std::shared_ptr<file> make(const std::string& name);
    void remove(const std::string& name, bool synced);
    void write(file& f, const unsigned char* from, std::size_t count, std::uint64_t at);
    void truncate(file& f, std::uint64_t to);
    void sync(file& f);
    void sync_folder();
    chance& any() noexcept { return any_; }
    [[nodiscard]] std::uint64_t life() const noexcept { return life_; }

private:
    void end(bool power) noexcept;
    void lose(file& f);
    static void apply(std::vector<unsigned char>& to, const change& c, std::size_t from, std::size_t count);

    chance any_;
    std::string name_;
    std::unique_ptr<struct faulty_vfs> it_;
    std::map<std::string, std::shared_ptr<file>> files_;
    std::vector<std::pair<std::string, std::shared_ptr<file>>> removed_;  ///< and their folder was not synced
    fault fault_;
    std::uint64_t end_in_ = 0;
    bool end_by_power_ = false;
    bool ended_ = false;
    int calm_ = 0;
    std::uint64_t life_ = 1;
    figures figures_;
};

}  // namespace store_tests
