// The board between the program's thread and the server's: what was collected, and what readers ask for.
//
//   program's thread     try_lock, puts figures up, takes jobs down; never waits
//   server's thread      lock, copies what it needs, unlock; writes JSON from its copy
//
// A job is asked for by a reader and done by the program: its answer travels in the job itself, so that neither side has to hold the
// lock for it.
//
// IB1. Only the server moves a job from waiting to given_up, only the program from waiting to taken and on to done.
#pragma once

#include "event_log.hpp"
#include "figures.hpp"
#include "history.hpp"

#include <lido/inspect/command.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lido::inspect {

/// Lets the server know that something is new. Called on the program's thread.
class waker {
public:
    virtual void wake() noexcept = 0;

protected:
    ~waker() = default;
};

enum class job_state : std::uint8_t { waiting, taken, done, given_up };

struct job {
    std::atomic<job_state> state{job_state::waiting};

    [[nodiscard]] bool move(job_state from, job_state to) noexcept {
        return state.compare_exchange_strong(from, to, std::memory_order_acq_rel);
    }
    [[nodiscard]] bool done() const noexcept { return state.load(std::memory_order_acquire) == job_state::done; }
};

struct command_job : job {
    std::string name;
    command_value value;
    std::string said;
    bool failed = false;
};

struct map_job : job {
    map_request wish;
    map_figures map;
    bool gone = false;  ///< the pool ended meanwhile, or shows no slots
};

/// What somebody wants to see of a stage. Its memory is taken before the program's thread gets it.
struct stage_job : job {
    std::uint32_t stage = 0;
    bool gone = false;  ///< the stage is not shown any more

    virtual ~stage_job() = default;
    /// On the program's thread. Looks at `places` places at most; true when it has all it wants, or has looked for long enough.
    [[nodiscard]] virtual bool go_on(const stage_source& from, std::uint32_t places, std::uint64_t now_ms) = 0;
    /// On the server's thread, once it is done: empty for what is not there.
    [[nodiscard]] virtual std::string text() const = 0;
};

struct pool_detail {
    pool_figures pool;
    history_figures past;
    lifetime_figures lifetimes;
};

/// A view's latest frame, and how many read it.
struct view_board {
    std::string name;
    std::atomic<int> readers{0};
    std::string frame;
    std::uint64_t version = 0;
};

class board {
public:
    static constexpr std::size_t most_jobs = 32;  ///< that wait; more are refused
    static constexpr std::size_t most_views = 32;
    static constexpr std::size_t most_frame = 1024 * 1024;  ///< bytes

    // --- the server's side -------------------------------------------------------------------------------------------------

    [[nodiscard]] moment now() const;
    [[nodiscard]] std::uint64_t number() const noexcept { return number_.load(std::memory_order_acquire); }
    /// Empty for an id that is not there. Asks for the lengths of its lives, too.
    [[nodiscard]] std::optional<pool_detail> detail_of(std::uint32_t id, std::uint64_t now_ms);
    [[nodiscard]] std::optional<pool_figures> pool(std::uint32_t id) const;
    [[nodiscard]] event_list events_since(std::uint64_t from) const;
    void fill(hello_figures& hello) const;
    [[nodiscard]] std::optional<command_description> find_command(std::string_view name) const;
    /// False when too many wait already.
    [[nodiscard]] bool ask(std::shared_ptr<command_job> what);
    [[nodiscard]] bool ask(std::shared_ptr<map_job> what, std::uint64_t now_ms);
    [[nodiscard]] bool ask(std::shared_ptr<stage_job> what);
    [[nodiscard]] bool has_stage(std::uint32_t id) const;
    [[nodiscard]] view_board* find_view(std::string_view name);
    /// The frame if it is newer than `seen`, which then is its version.
    [[nodiscard]] bool frame_after(const view_board& view, std::uint64_t& seen, std::string& out) const;

    // --- the program's side: with the lock held ------------------------------------------------------------------------------

    struct kept_pool {
        history past;
        std::array<std::uint32_t, counted_kinds> going_on{};  ///< for event_log::add, by kind
        lifetime_figures lifetimes;
        std::uint64_t asked_ms = 0;  ///< when somebody last looked at it alone; 0: never
    };

    mutable std::mutex mutex;
    moment latest;
    std::vector<std::unique_ptr<kept_pool>> kept;  ///< beside latest.pools
    event_log events;
    std::vector<command_description> commands;
    std::vector<std::unique_ptr<view_board>> views;
    std::vector<std::shared_ptr<command_job>> command_jobs;
    std::vector<std::shared_ptr<map_job>> map_jobs;
    std::vector<std::shared_ptr<stage_job>> stage_jobs;

    /// Where a pool is in latest.pools and kept; their size when it is not there.
    [[nodiscard]] std::size_t place_of(std::uint32_t id) const noexcept;

    // --- without the lock --------------------------------------------------------------------------------------------------

    void set_number(std::uint64_t n) noexcept { number_.store(n, std::memory_order_release); }
    std::atomic<bool> attention{false};  ///< there are jobs, or somebody looks at a pool
    std::atomic<int> readers{0};         ///< streams and waiting answers: somebody to wake

private:
    std::atomic<std::uint64_t> number_{0};
};

}  // namespace lido::inspect
