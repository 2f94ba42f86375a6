// Reports of requests that a full pool dropped, as seldom as settings.report_drops says.
//
//   lido: bullets: 12 requests were dropped since the last report, 340 in all; the last because: full; asked at weapons.cpp:88 tick 600
//
// Limited in ticks and counts, never by a clock: the same run makes the same reports. A rewind that plays ticks again tells nothing twice:
// only a tick that is as far away as the limit counts.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/base/options.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/place.hpp>
#include <lido/core/checks/report.hpp>

#include <cstdint>

namespace lido::detail {

/// A drop is a request that does not fit. A reserve() that may not be, and a call that is not allowed, are none.
[[nodiscard]] constexpr bool is_drop(refusal why) noexcept {
    return why == refusal::full || why == refusal::headroom || why == refusal::kind_cap || why == refusal::no_memory ||
           why == refusal::cannot_replace;
}

LIDO_COLD inline void tell_drop(const char* pool, std::uint32_t ticks, refusal why) noexcept {
    const auto [since, all] = all_drops.next(pool, ticks);
    if (since == 0) return;
    text_line story;
    const auto n = static_cast<unsigned long long>(since);
    story.add("%llu %s dropped", n, n == 1 ? "request was" : "requests were");
    if (all != since) story.add(" since the last report, %llu in all", static_cast<unsigned long long>(all));
    story.add("; %sbecause: %s", n == 1 ? "" : "the last ", to_string(why));
    const source_place asked = current_call != nullptr ? current_call->at : source_place{};
    if (asked) {
        story.add("; asked at ");
        add_place(story, asked);
    }
    add_tick(story, current_tick());
    report_misuse({.kind = misuse_kind::dropped,
                   .pool = pool,
                   .what = "requests were dropped, because the pool had no room for them",
                   .story = story.text(),
                   .count = since,
                   .used = asked});
}

}  // namespace lido::detail
