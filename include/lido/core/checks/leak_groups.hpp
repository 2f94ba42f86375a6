// Objects that outlived their pool, counted by the place that acquired them.
//
// Apart from the diary because none of it depends on the pool: as part of a template it was compiled again for every type of pool.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/checks/misuse.hpp>
#include <lido/core/checks/place.hpp>
#include <lido/core/checks/report.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace lido::detail {

class leak_groups {
public:
    /// One object more that was acquired at `at`.
    void add(source_place at) noexcept {
        for (group& g : groups_) {
            if (g.count == 0) g.at = at;
            if (g.at == at) {
                ++g.count;
                return;
            }
        }
        ++others_;
    }

    /// Reports `active` objects, the places of most of them first.
    LIDO_COLD void tell(misuse m, std::uint32_t active) noexcept {
        std::sort(groups_, groups_ + most, [](const group& a, const group& b) { return a.count > b.count; });
        text_line story;
        story.add("%lu %s still active when the pool ended", static_cast<unsigned long>(active),
                  active == 1 ? "object was" : "objects were");
        const char* before = ": ";
        for (const group& g : groups_) {
            if (g.count == 0) break;
            story.add("%s%lu from ", before, static_cast<unsigned long>(g.count));
            add_place(story, g.at);
            before = ", ";
        }
        if (others_ != 0) story.add(", %lu from other places", static_cast<unsigned long>(others_));
        m.acquired = groups_[0].at;
        m.story = story.text();
        report_misuse(m);
    }

private:
    struct group {
        source_place at;
        std::uint32_t count;
    };
    static constexpr std::size_t most = 16;  // a report that is longer is not read

    group groups_[most] = {};
    std::uint32_t others_ = 0;
};

}  // namespace lido::detail
