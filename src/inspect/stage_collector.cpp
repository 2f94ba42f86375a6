#include "stage_collector.hpp"

#include <lido/entity/stage/stage_base.hpp>

#include <algorithm>
#include <utility>

namespace lido::inspect {

namespace {

/// One word each: to_string() has whole sentences.
[[nodiscard]] const char* word(reader_state state) noexcept {
    switch (state) {
        case reader_state::ready: return "ready";
        case reader_state::behind: return "behind";
        case reader_state::reset: return "reset";
        case reader_state::busy: return "busy";
        case reader_state::closed: return "closed";
    }
    return "unknown";
}

void fill_classes(const stage_source& from, std::vector<entity_class_figures>& all) {
    std::size_t row = 0;
    const std::uint32_t count = from.classes(from.stage);
    for (std::uint32_t n = 0; n < count; ++n) {
        const entity_class_info c = from.class_info(from.stage, n);
        if (!c) continue;
        if (row == all.size()) all.emplace_back();
        entity_class_figures& f = all[row++];
        f.number = n;
        if (f.name != c.name) f.name = c.name;
        if (f.type != c.schema->type_name()) f.type = c.schema->type_name();
        f.revision = c.schema->revision();
        f.live = c.live;
        f.idle_cap = c.idle;
        f.history = c.history;
        f.fresh = c.fresh;
        f.changeable = c.changeable;
    }
    all.resize(row);
}

void fill_readers(const journal& from, std::vector<reader_figures>& all) {
    std::size_t row = 0;
    from.for_each_reader([&](const reader_stats& r) {
        if (row == all.size()) all.emplace_back();
        reader_figures& f = all[row];
        if (f.name != r.name) f.name = r.name;
        f.unique = std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(row),
                                [&f](const reader_figures& before) { return before.name == f.name; });
        f.what = r.what == reads::everything ? "everything" : "confirmed";
        f.state = word(r.state);
        f.lag = r.lag.entries;
        f.lag_bytes = r.lag.bytes;
        f.read = r.read;
        f.fell_behind = r.fell_behind;
        ++row;
    });
    all.resize(row);
}

void fill(const stage_source& from, stage_figures& f) {
    const stage_stats s = from.stats(from.stage);
    const journal& changes = from.changes(from.stage);
    f.now = from.now(from.stage);
    f.entities = s.entities;
    f.births = s.births;
    f.managed = s.managed;
    f.managed_waiting = s.managed_waiting;
    f.listeners = s.listeners;
    f.commits_refused = s.commits_refused;
    f.idle_overflow = s.idle_overflow;
    f.journal = changes.stats();
    f.first_open_tick = changes.first_open_tick().count;
    fill_classes(from, f.classes);
    fill_readers(changes, f.readers);
}

}  // namespace

void stage_collector::add(std::uint32_t watch, std::string name, const stage_source& source) {
    // Two of one name would be one line to Prometheus: the second becomes "stage 2".
    const auto taken = [this](const std::string& wanted) {
        return std::any_of(board_.latest.stages.begin(), board_.latest.stages.end(),
                           [&wanted](const stage_figures& s) { return s.name == wanted; });
    };
    std::string unique = name;
    for (int n = 2; taken(unique); ++n) unique = name + " " + std::to_string(n);
    stage_figures figures;
    figures.id = next_stage_++;
    figures.name = std::move(unique);
    figures.role = source.role;
    fill(source, figures);
    stages_.push_back({watch, figures.id, source});
    board_.latest.stages.push_back(std::move(figures));
}

bool stage_collector::remove(std::uint32_t watch) noexcept {
    const auto at =
        std::find_if(stages_.begin(), stages_.end(), [watch](const stage_watch& s) { return s.watch == watch; });
    if (at == stages_.end()) return false;
    std::erase_if(board_.latest.stages, [id = at->id](const stage_figures& s) { return s.id == id; });
    stages_.erase(at);
    return true;
}

void stage_collector::collect() {
    // Both are in the order in which they were added.
    for (std::size_t i = 0; i < stages_.size(); ++i) fill(stages_[i].source, board_.latest.stages[i]);
}

void stage_collector::take_jobs() {
    for (auto& j : board_.stage_jobs) jobs_.push_back(std::move(j));
    board_.stage_jobs.clear();
}

const stage_collector::stage_watch* stage_collector::find(std::uint32_t id) const noexcept {
    const auto at = std::find_if(stages_.begin(), stages_.end(), [id](const stage_watch& s) { return s.id == id; });
    return at != stages_.end() ? &*at : nullptr;
}

bool stage_collector::look(std::uint64_t now_ms) {
    const clock::time_point before = clock::now();
    if (before < next_look_) return false;
    const std::shared_ptr<stage_job> next = std::move(jobs_.front());
    jobs_.erase(jobs_.begin());
    // One that was taken before goes on; one whose reader has left is dropped.
    if (!next->move(job_state::waiting, job_state::taken) &&
        next->state.load(std::memory_order_acquire) != job_state::taken)
        return false;
    const stage_watch* const s = find(next->stage);
    next->gone = s == nullptr;
    if (s != nullptr && !next->go_on(s->source, places, now_ms)) {
        jobs_.push_back(next);
    } else {
        next->state.store(job_state::done, std::memory_order_release);
    }
    // Never so long that whoever waits is told that the program does not answer: a slice may have been interrupted.
    next_look_ = before + std::min<clock::duration>((clock::now() - before) * (look_share + 1), longest_pause);
    return next->done();
}

}  // namespace lido::inspect
