#include "event_log.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace lido::inspect {

namespace {

struct words {
    const char* one;
    const char* many;
};

[[nodiscard]] words words_for(event_kind kind) noexcept {
    switch (kind) {
        case event_kind::refused: return {"request was refused", "requests were refused"};
        case event_kind::grown: return {"growth of the capacity", "growths of the capacity"};
        case event_kind::replaced: return {"object was replaced to make room", "objects were replaced to make room"};
        case event_kind::merged: return {"newcomer was merged", "newcomers were merged"};
        case event_kind::retired: return {"slot is out of generations", "slots are out of generations"};
        case event_kind::misuse: break;
    }
    return {"misuse", "misuses"};
}

}  // namespace

event_log::shelf::shelf() : events(most) {
    for (event& e : events) e.text.reserve(64);  // reports of misuse are longer
}

std::size_t event_log::shelf::room_for() noexcept {
    if (size < events.size()) return size++;
    const auto oldest = std::min_element(events.begin(), events.end(),
                                         [](const event& a, const event& b) { return a.number < b.number; });
    return static_cast<std::size_t>(oldest - events.begin());
}

void event_log::lose(std::uint64_t number) noexcept { lost_[lost_count_++ % most] = number; }

event& event_log::begin(shelf& on, std::size_t at, std::uint64_t tick, std::int64_t pool, event_kind kind) {
    event& e = on.events[at];
    if (e.count != 0) lose(e.number);
    e.first = next_;
    e.since = tick;
    e.pool = pool;
    e.kind = kind;
    e.count = 0;
    return e;
}

void event_log::add(std::uint64_t tick, std::uint64_t ms, std::int64_t pool, event_kind kind, std::uint64_t count,
                    std::uint32_t& where) {
    const bool goes_on = where < counted_.size && counted_.events[where].pool == pool &&
                         counted_.events[where].kind == kind && ms - counted_.events[where].ms <= apart_ms;
    if (!goes_on) where = static_cast<std::uint32_t>(counted_.room_for());
    event& e = goes_on ? counted_.events[where] : begin(counted_, where, tick, pool, kind);
    e.number = next_++;
    e.tick = tick;
    e.ms = ms;
    e.count += count;
    const words said = words_for(kind);
    char text[64];
    const int length = std::snprintf(text, sizeof text, "%" PRIu64 " %s", e.count, e.count == 1 ? said.one : said.many);
    e.text.assign(text, static_cast<std::size_t>(length));
}

void event_log::add_misuse(std::uint64_t tick, std::int64_t pool, std::uint64_t cause, std::uint64_t count, bool so_far,
                           std::string_view text) {
    const auto end = causes_.begin() + static_cast<std::ptrdiff_t>(misused_.size);
    const auto known = std::find(causes_.begin(), end, cause);
    const bool goes_on = known != end;
    const std::size_t at = goes_on ? static_cast<std::size_t>(known - causes_.begin()) : misused_.room_for();
    event& e = goes_on ? misused_.events[at] : begin(misused_, at, tick, pool, event_kind::misuse);
    causes_[at] = cause;
    e.number = next_++;
    e.tick = tick;
    e.count = so_far ? std::max(e.count, count) : e.count + count;
    e.text.assign(text);  // the latest report: its slot and its ticks are the easiest to look into
}

event_list event_log::since(std::uint64_t from) const {
    event_list list;
    list.next = next_;
    if (from == 0) {
        list.dropped = lost_count_;
    } else {
        const auto end = lost_.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(lost_count_, most));
        list.dropped = static_cast<std::uint64_t>(
            std::count_if(lost_.begin(), end, [from](std::uint64_t number) { return number >= from; }));
    }
    for (const shelf* const s : {&counted_, &misused_}) {
        for (std::size_t i = 0; i < s->size; ++i) {
            if (s->events[i].number >= from) list.events.push_back(s->events[i]);
        }
    }
    std::sort(list.events.begin(), list.events.end(),
              [](const event& a, const event& b) { return a.number < b.number; });
    return list;
}

}  // namespace lido::inspect
