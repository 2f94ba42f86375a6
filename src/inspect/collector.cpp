#include "collector.hpp"

#include "control_parser.hpp"

#include <lido/core/config.hpp>
#include <lido/core/misuse.hpp>

#include <algorithm>
#include <utility>

namespace lido::inspect {

// --- what is watched -----------------------------------------------------------------------------------------------------------

std::uint32_t collector::put_up(const std::string& name, std::int64_t world) {
    // Two of one name would be one line to Prometheus: the second becomes "bullets 2".
    const auto taken = [this](const std::string& wanted) {
        return std::any_of(board_.latest.pools.begin(), board_.latest.pools.end(),
                           [&wanted](const pool_figures& p) { return !p.gone && p.name == wanted; });
    };
    std::string unique = name;
    for (int n = 2; taken(unique); ++n) unique = name + " " + std::to_string(n);
    const std::uint32_t id = next_pool_++;
    pool_figures figures;
    figures.id = id;
    figures.name = std::move(unique);
    figures.world = world;
    board_.latest.pools.push_back(std::move(figures));
    board_.kept.push_back(std::make_unique<board::kept_pool>());
    return id;
}

void collector::take_down(std::uint32_t pool) noexcept {
    std::erase_if(pools_, [pool](const pool_watch& p) { return p.id == pool; });
    if (const std::size_t at = board_.place_of(pool); at != board_.latest.pools.size())
        board_.latest.pools[at].gone = true;
    const auto gone = std::count_if(board_.latest.pools.begin(), board_.latest.pools.end(),
                                    [](const pool_figures& p) { return p.gone; });
    if (static_cast<std::size_t>(gone) <= most_gone) return;
    const auto oldest = std::find_if(board_.latest.pools.begin(), board_.latest.pools.end(),
                                     [](const pool_figures& p) { return p.gone; });
    board_.kept.erase(board_.kept.begin() + (oldest - board_.latest.pools.begin()));
    board_.latest.pools.erase(oldest);
}

std::uint32_t collector::add(const std::string& name, pool_source source) {
    const pool_stats stats = source.stats(source.pool);
    const std::lock_guard lock(board_.mutex);
    pool_watch p;
    p.id = put_up(name, nothing);
    p.source = source;
    board_.latest.pools.back().stats = stats;
    watches_.push_back({next_watch_, p.id});
    pools_.push_back(std::move(p));
    return next_watch_++;
}

std::uint32_t collector::add(std::string name, world_source source) {
    const std::lock_guard lock(board_.mutex);
    world_figures figures;
    figures.id = next_world_++;
    figures.name = std::move(name);
    figures.role = source.role;
    worlds_.push_back({next_watch_, figures.id, source, {}});
    board_.latest.worlds.push_back(std::move(figures));
    collect_world(worlds_.back(), 0);
    return next_watch_++;
}

std::uint32_t collector::add(std::string name, const stage_source& source) {
    const std::lock_guard lock(board_.mutex);
    stages_.add(next_watch_, std::move(name), source);
    return next_watch_++;
}

std::uint32_t collector::add(std::string name, const store_source& source) {
    const std::lock_guard lock(board_.mutex);
    stores_.add(next_watch_, std::move(name), source);
    return next_watch_++;
}

void collector::remove(std::uint32_t watch) noexcept {
    const std::lock_guard lock(board_.mutex);
    if (stages_.remove(watch) || stores_.remove(watch)) return;
    if (const auto at = std::find_if(watches_.begin(), watches_.end(),
                                     [watch](const watch_of_pool& w) { return w.watch == watch; });
        at != watches_.end()) {
        take_down(at->pool);
        watches_.erase(at);
        return;
    }
    const auto at =
        std::find_if(worlds_.begin(), worlds_.end(), [watch](const world_watch& w) { return w.watch == watch; });
    if (at == worlds_.end()) return;
    for (const std::uint32_t pool : at->pools) {
        if (pool != no_pool) take_down(pool);
    }
    std::erase_if(board_.latest.worlds, [id = at->id](const world_figures& w) { return w.id == id; });
    worlds_.erase(at);
}

collector::pool_watch* collector::find(std::uint32_t pool) noexcept {
    const auto at = std::find_if(pools_.begin(), pools_.end(), [pool](const pool_watch& p) { return p.id == pool; });
    return at != pools_.end() ? &*at : nullptr;
}

collector::world_watch* collector::world_of(const pool_watch& p) noexcept {
    const auto at = std::find_if(worlds_.begin(), worlds_.end(),
                                 [&p](const world_watch& w) { return static_cast<std::int64_t>(w.id) == p.world; });
    return at != worlds_.end() ? &*at : nullptr;
}

// --- a tick --------------------------------------------------------------------------------------------------------------------

void collector::sample_some() {
    if (board_.attention.load(std::memory_order_relaxed)) take_jobs();
    if (looking_) look_at_slots();
    if (!map_jobs_.empty()) draw_maps();
    if (stages_.busy() && stages_.look(now_ms())) server_.wake();
    if (ticks_to_clock_ == 0) look_at_clock();
    // The last, because a command may do anything: watch, unwatch, end a world.
    if (!command_jobs_.empty()) run_commands();
}

void collector::look_at_clock() {
    const std::uint64_t ms = now_ms();
    const std::uint64_t passed = ms - clock_ms_;
    clock_ms_ = ms;
    // About every 10 to 25 ms, be that one tick or a thousand.
    if (passed > 25) {
        clock_every_ = std::max<std::uint32_t>(clock_every_ / 2, 1);
    } else if (passed < 10) {
        clock_every_ = std::min(clock_every_ * 2, most_ticks_to_clock);
    }
    ticks_to_clock_ = clock_every_;

    if (looking_) {
        looking_ = false;
        for (pool_watch& p : pools_) {
            if (p.look_until_ms > ms) {
                looking_ = true;
            } else if (p.look_until_ms != 0) {
                p.look_until_ms = 0;
                p.slots->rest();
            }
        }
    }
    const std::uint64_t periods = (ms - collected_ms_) / history::period_ms;
    if (collected_ && periods == 0) return;
    const std::unique_lock lock(board_.mutex, std::try_to_lock);
    if (!lock) {
        ticks_to_clock_ = 1;
        return;
    }
    collect(ms, collected_ ? periods : 1);
    collected_ = true;
    collected_ms_ = ms - ms % history::period_ms;
}

void collector::collect(std::uint64_t ms, std::uint64_t periods) {
    collecting_ms_ = ms;
    for (const pool_watch& p : pools_) {
        const std::size_t at = board_.place_of(p.id);
        if (p.world == nothing) update(at, p.source.stats(p.source.pool), periods);
        if (p.slots != nullptr) board_.kept[at]->lifetimes = p.slots->lifetimes();
    }
    for (world_watch& w : worlds_) collect_world(w, periods);
    stages_.collect();
    stores_.collect();
    drain_misuse();
    board_.latest.tick = tick_;
    board_.latest.ms = ms;
    board_.latest.events_next = board_.events.next();
    board_.set_number(++board_.latest.number);
    tell_server();
}

void collector::update(std::size_t at, const pool_stats& now, std::uint64_t periods) {
    const pool_stats& before = board_.latest.pools[at].stats;
    note(at, event_kind::refused, before.refused, now.refused);
    note(at, event_kind::grown, before.grown, now.grown);
    note(at, event_kind::replaced, before.replaced, now.replaced);
    note(at, event_kind::merged, before.merged, now.merged);
    note(at, event_kind::retired, before.retired, now.retired);
    board_.kept[at]->past.add(now, periods);
    board_.latest.pools[at].stats = now;
}

void collector::note(std::size_t at, event_kind kind, std::uint64_t before, std::uint64_t now) {
    if (now <= before) return;  // the same, or a rewind
    board_.events.add(tick_, collecting_ms_, board_.latest.pools[at].id, kind, now - before,
                      board_.kept[at]->going_on[static_cast<std::size_t>(kind)]);
}

void collector::collect_world(world_watch& w, std::uint64_t periods) {
    const auto found = std::find_if(board_.latest.worlds.begin(), board_.latest.worlds.end(),
                                    [&w](const world_figures& f) { return f.id == w.id; });
    world_figures& figures = *found;
    figures.now = w.source.now(w.source.world);
    figures.timers = 0;
    const std::uint32_t count = w.source.classes(w.source.world);
    w.pools.resize(count, no_pool);
    std::size_t row = 0;
    for (std::uint32_t n = 0; n < count; ++n) {
        const watched_class c = w.source.figures(w.source.world, n);
        std::uint32_t& pool = w.pools[n];
        if (c.name.empty()) {
            if (pool != no_pool) take_down(std::exchange(pool, no_pool));
            continue;
        }
        if (pool == no_pool) {
            pool_watch p;
            p.id = pool = put_up(figures.name + "/" + std::string(c.name), w.id);
            p.world = w.id;
            p.number = n;
            board_.latest.pools.back().stats = c.pool;
            pools_.push_back(std::move(p));
        }
        update(board_.place_of(pool), c.pool, periods);
        if (row == figures.classes.size()) figures.classes.emplace_back();
        class_figures& f = figures.classes[row++];
        f.pool = pool;
        if (f.name != c.name) f.name = c.name;
        if (f.type != c.type) f.type = c.type;
        static_cast<class_numbers&>(f) = c;
        f.active = c.pool.size;
        figures.timers += c.timers;
    }
    figures.classes.resize(row);
}

void collector::drain_misuse() {
    tap_.drain(misuse_);
    for (const misuse_note& n : misuse_) {
        std::int64_t id = nothing;
        for (const pool_figures& p : board_.latest.pools) {
            if (!p.gone && p.name == n.pool.data()) id = p.id;
        }
        board_.events.add_misuse(tick_, id, n.cause, n.count, n.so_far, n.text.data());
    }
    misuse_.clear();
}

// --- slots -----------------------------------------------------------------------------------------------------------------------

bool collector::look(pool_watch& p) {
    if (p.world == nothing) {
        if (p.source.look == nullptr) return false;
        p.slots->look(tick_, [&p](auto& out) { p.source.look(p.source.pool, out); });
        return true;
    }
    const world_watch* const w = world_of(p);
    if (w == nullptr || w->source.look == nullptr) return false;
    p.slots->look(tick_, [&](auto& out) { w->source.look(w->source.world, p.number, out); });
    return true;
}

void collector::look_at_slots() {
    clock::time_point now = clock::now();
    for (pool_watch& p : pools_) {
        if (p.look_until_ms == 0 || now < p.next_look) continue;
        static_cast<void>(look(p));
        if (p.slots->lives() <= lives_each_tick) continue;
        const clock::time_point after = clock::now();
        p.next_look = after + (after - now) * look_share;
        now = after;
    }
}

void collector::draw_maps() {
    for (const auto& j : map_jobs_) {
        if (!j->move(job_state::waiting, job_state::taken)) continue;
        pool_watch* const p = find(j->wish.pool);
        bool can = p != nullptr;
        if (can && p->slots == nullptr) p->slots = std::make_unique<slot_watch>();
        if (can && !p->slots->looked()) can = look(*p);
        if (can) {
            const std::uint32_t slots =
                p->world == nothing ? p->source.stats(p->source.pool).capacity
                                    : world_of(*p)->source.figures(world_of(*p)->source.world, p->number).pool.capacity;
            p->slots->draw(j->wish, slots, j->map);
        }
        j->gone = !can;
        j->state.store(job_state::done, std::memory_order_release);
    }
    map_jobs_.clear();
    server_.wake();
}

// --- what readers ask for --------------------------------------------------------------------------------------------------------

void collector::take_jobs() {
    const std::unique_lock lock(board_.mutex, std::try_to_lock);
    if (!lock) return;
    board_.attention.store(false, std::memory_order_relaxed);
    for (auto& j : board_.command_jobs) command_jobs_.push_back(std::move(j));
    board_.command_jobs.clear();
    for (auto& j : board_.map_jobs) map_jobs_.push_back(std::move(j));
    board_.map_jobs.clear();
    stages_.take_jobs();
    for (pool_watch& p : pools_) {
        const std::size_t at = board_.place_of(p.id);
        const std::uint64_t asked = std::exchange(board_.kept[at]->asked_ms, 0);
        if (asked == 0) continue;
        p.look_until_ms = asked + look_ms;
        if (p.slots == nullptr) p.slots = std::make_unique<slot_watch>();
        looking_ = true;
    }
}

void collector::run_commands() {
    std::vector<std::shared_ptr<command_job>> jobs;
    std::swap(jobs, command_jobs_);
    for (const auto& j : jobs) {
        if (!j->move(job_state::waiting, job_state::taken)) continue;
        std::function<std::string(const command_value&)> run;  // a copy: the command may replace itself
        for (const known_command& c : commands_) {
            if (c.name == j->name) run = c.run;
        }
        LIDO_TRY {
            if (run) j->said = run(j->value);
        }
        LIDO_CATCH_ALL { j->failed = true; }
        j->failed = j->failed || !run;
        j->state.store(job_state::done, std::memory_order_release);
        server_.wake();
    }
}

void collector::set_command(command_description what, std::function<std::string(const command_value&)> run) {
    if (!is_command_name(what.name) || !run) {
        report_misuse(
            {.kind = misuse_kind::bad_setting,
             .pool = "inspector",
             .what = "a command needs a name of 1 to 64 printable bytes and something to run; it is not offered"});
        return;
    }
    if (what.label.empty()) what.label = what.name;
    const auto known = std::find_if(commands_.begin(), commands_.end(),
                                    [&what](const known_command& c) { return c.name == what.name; });
    const std::lock_guard lock(board_.mutex);
    if (known != commands_.end()) {
        known->run = std::move(run);
        for (command_description& c : board_.commands) {
            if (c.name == what.name) c = what;
        }
        return;
    }
    commands_.push_back({what.name, std::move(run)});
    board_.commands.push_back(std::move(what));
}

view_board& collector::view_named(std::string_view name) {
    for (view_board* const v : views_) {
        if (v->name == name) return *v;
    }
    if (views_.size() == board::most_views) return no_view_;
    auto made = std::make_unique<view_board>();
    made->name = name;
    views_.push_back(made.get());
    const std::lock_guard lock(board_.mutex);
    board_.views.push_back(std::move(made));
    return *views_.back();
}

bool collector::wants(std::string_view view) { return view_named(view).readers.load(std::memory_order_relaxed) != 0; }

void collector::publish(std::string_view view, std::string_view json) {
    view_board& v = view_named(view);
    if (v.readers.load(std::memory_order_relaxed) == 0 || json.size() > board::most_frame) return;
    {
        const std::unique_lock lock(board_.mutex, std::try_to_lock);
        if (!lock) return;
        v.frame.assign(json);
        ++v.version;
    }
    server_.wake();
}

}  // namespace lido::inspect
