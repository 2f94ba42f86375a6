#include "board.hpp"

#include <algorithm>
#include <utility>

namespace lido::inspect {

namespace {

/// Jobs whose reader gave up take no room.
template <class Job>
[[nodiscard]] bool has_room(std::vector<std::shared_ptr<Job>>& jobs) {
    std::erase_if(jobs, [](const auto& j) { return j->state.load(std::memory_order_relaxed) == job_state::given_up; });
    return jobs.size() < board::most_jobs;
}

}  // namespace

std::size_t board::place_of(std::uint32_t id) const noexcept {
    const auto at = std::lower_bound(latest.pools.begin(), latest.pools.end(), id,
                                     [](const pool_figures& p, std::uint32_t wanted) { return p.id < wanted; });
    return at != latest.pools.end() && at->id == id ? static_cast<std::size_t>(at - latest.pools.begin())
                                                    : latest.pools.size();
}

moment board::now() const {
    const std::lock_guard lock(mutex);
    return latest;
}

std::optional<pool_detail> board::detail_of(std::uint32_t id, std::uint64_t now_ms) {
    const std::lock_guard lock(mutex);
    const std::size_t at = place_of(id);
    if (at == latest.pools.size()) return {};
    kept_pool& k = *kept[at];
    if (!latest.pools[at].gone) {
        k.asked_ms = std::max<std::uint64_t>(now_ms, 1);
        attention.store(true, std::memory_order_relaxed);
    }
    pool_detail detail{latest.pools[at], k.past.figures(), k.lifetimes};
    detail.past.ms = latest.ms;
    return detail;
}

std::optional<pool_figures> board::pool(std::uint32_t id) const {
    const std::lock_guard lock(mutex);
    const std::size_t at = place_of(id);
    if (at == latest.pools.size()) return {};
    return latest.pools[at];
}

event_list board::events_since(std::uint64_t from) const {
    const std::lock_guard lock(mutex);
    return events.since(from);
}

void board::fill(hello_figures& hello) const {
    const std::lock_guard lock(mutex);
    hello.commands = commands;
    for (const auto& v : views) hello.views.push_back(v->name);
}

std::optional<command_description> board::find_command(std::string_view name) const {
    const std::lock_guard lock(mutex);
    for (const command_description& c : commands) {
        if (c.name == name) return c;
    }
    return {};
}

bool board::ask(std::shared_ptr<command_job> what) {
    const std::lock_guard lock(mutex);
    if (!has_room(command_jobs)) return false;
    command_jobs.push_back(std::move(what));
    attention.store(true, std::memory_order_relaxed);
    return true;
}

bool board::ask(std::shared_ptr<map_job> what, std::uint64_t now_ms) {
    const std::lock_guard lock(mutex);
    const std::size_t at = place_of(what->wish.pool);
    if (at == latest.pools.size() || !has_room(map_jobs)) return false;
    kept[at]->asked_ms = std::max<std::uint64_t>(now_ms, 1);
    map_jobs.push_back(std::move(what));
    attention.store(true, std::memory_order_relaxed);
    return true;
}

bool board::ask(std::shared_ptr<stage_job> what) {
    const std::lock_guard lock(mutex);
    if (!has_room(stage_jobs)) return false;
    stage_jobs.push_back(std::move(what));
    attention.store(true, std::memory_order_relaxed);
    return true;
}

bool board::has_stage(std::uint32_t id) const {
    const std::lock_guard lock(mutex);
    return std::any_of(latest.stages.begin(), latest.stages.end(), [id](const stage_figures& s) { return s.id == id; });
}

view_board* board::find_view(std::string_view name) {
    const std::lock_guard lock(mutex);
    for (const auto& v : views) {
        if (v->name == name) return v.get();
    }
    return nullptr;
}

bool board::frame_after(const view_board& view, std::uint64_t& seen, std::string& out) const {
    const std::lock_guard lock(mutex);
    if (view.version == seen) return false;
    seen = view.version;
    out = view.frame;
    return true;
}

}  // namespace lido::inspect
