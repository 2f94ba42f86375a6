// Objects that outlived their pool, counted by the line that acquired them.
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
#include <span>
#include <utility>

namespace lido::detail {

class leak_groups {
public:
    /// One object more that was acquired at `at`.
    void add(source_place at) noexcept {
        std::uint32_t order = 0;
        for (group& g : groups_) {
            if (g.count == 0) g = {at, 0, order};
            ++order;
            if (g.at == at) {
                ++g.count;
                return;
            }
        }
        ++others_;
    }

    /// Reports `active` objects, the places of most of them first.
    LIDO_COLD void tell(misuse m, std::uint32_t active) noexcept {
        join_lines();
        std::sort(groups_, groups_ + most, [](const group& a, const group& b) {
            return a.count != b.count ? a.count > b.count : a.order < b.order;
        });
        text_line story;
        story.add("%lu %s still active when the pool ended", static_cast<unsigned long>(active),
                  active == 1 ? "object was" : "objects were");
        const char* before = ": ";
        for (std::size_t i = told; i < most; ++i) others_ += groups_[i].count;
        for (const group& g : std::span(groups_).first(told)) {
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
        std::uint32_t order;  ///< of those with one count, the first comes first
    };
    static constexpr std::size_t most = 64;  // addresses: one line may be several
    static constexpr std::size_t told = 16;  // a report that is longer is not read

    /// What was acquired on one line counts for the first of its addresses.
    void join_lines() noexcept {
        std::uint64_t lines[most] = {};
        for (std::size_t i = 0; i < most && groups_[i].count != 0; ++i) {
            lines[i] = line_of(groups_[i].at);
            for (std::size_t k = 0; k < i; ++k) {
                if (lines[k] != lines[i] || groups_[k].count == 0) continue;
                groups_[k].count += std::exchange(groups_[i].count, 0u);
                break;
            }
        }
    }

    group groups_[most] = {};
    std::uint32_t others_ = 0;
};

}  // namespace lido::detail
