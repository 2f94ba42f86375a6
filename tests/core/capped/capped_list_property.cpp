// A capped_list and a model (S3.3, S3.4, X1): a plain vector of (value, birth, priority) in row order, with the rules of removal and
// of whom a full list ends spelled out.
#include "core/property/model_run.hpp"

#include <lido/core/capped_list.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lido::test {
namespace capped_list_property {

enum class rule { reject, oldest, lowest, chosen, merge };

/// Whom settings.victim accepts, and what settings.merge folds.
[[nodiscard]] bool may_go(int value) { return value % 3 == 0; }
[[nodiscard]] bool folds(int existing, int newcomer) { return existing % 8 == newcomer % 8; }
[[nodiscard]] int folded(int existing, int newcomer) { return existing + newcomer / 8 * 8; }

struct list_model {
    struct entry {
        int value;
        std::uint64_t birth;
        std::uint8_t priority;
    };
    std::vector<entry> rows;
    std::uint64_t births = 0;
    std::uint64_t dropped = 0;
    std::uint64_t replaced = 0;
    std::uint64_t merged = 0;
    std::uint32_t peak = 0;

    void remove(std::size_t row) {
        rows[row] = rows.back();
        rows.pop_back();
    }

    [[nodiscard]] std::size_t victim(rule r, std::uint8_t priority) const {
        const auto before = [r](const entry& a, const entry& b) {
            if (r == rule::lowest && a.priority != b.priority) return a.priority < b.priority;
            return a.birth < b.birth;
        };
        std::size_t found = rows.size();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (r == rule::lowest && rows[i].priority > priority) continue;
            if (r == rule::chosen) {
                if (may_go(rows[i].value)) return i;
                continue;
            }
            if (found == rows.size() || before(rows[i], rows[found])) found = i;
        }
        return found;
    }

    /// The row of the newcomer, or -1.
    std::ptrdiff_t push(std::size_t cap, rule r, std::uint8_t asked, int value) {
        const std::uint8_t priority = std::min(asked, max_priority);
        std::size_t row = rows.size();
        if (row == cap) {
            if (r == rule::merge) {
                for (entry& e : rows) {
                    if (!folds(e.value, value)) continue;
                    e.value = folded(e.value, value);
                    ++merged;
                    return -1;
                }
            }
            row = r == rule::reject || r == rule::merge ? cap : victim(r, priority);
            if (row == cap) {
                ++dropped;
                return -1;
            }
            ++replaced;
        } else {
            rows.emplace_back();
        }
        rows[row] = {value, births++, priority};
        peak = std::max(peak, static_cast<std::uint32_t>(rows.size()));
        return static_cast<std::ptrdiff_t>(row);
    }
};

template <class List>
void compare(const List& list, const list_model& m) {
    const verdict v = list.validate();
    if (!v) RC_FAIL(v.broken);
    RC_ASSERT(list.size() == m.rows.size());
    RC_ASSERT(list.empty() == m.rows.empty());
    RC_ASSERT(list.full() == (m.rows.size() == list.capacity()));
    for (std::uint32_t row = 0; row < list.size(); ++row) RC_ASSERT(list[row].read() == m.rows[row].value);
    const pool_stats s = list.stats();
    RC_ASSERT(s.acquired == m.births);
    RC_ASSERT(s.released == m.births - m.rows.size());
    RC_ASSERT(s.refused == m.dropped);
    RC_ASSERT(s.replaced == m.replaced);
    RC_ASSERT(s.merged == m.merged);
    RC_ASSERT(s.peak == m.peak);
}

template <class List>
void agrees(rule r, on_full full) {
    using T = typename List::value_type;
    const quiet_misuse quiet;  // rows that are not there are removed on purpose
    const auto make = [full] {
        return typename List::settings_type{.on_full = full,
                                            .victim = [](const T& e) { return may_go(e.read()); },
                                            .merge =
                                                [](T& existing, const T& newcomer) {
                                                    if (!folds(existing.read(), newcomer.read())) return false;
                                                    existing.write(folded(existing.read(), newcomer.read()));
                                                    return true;
                                                }};
    };
    List list(make());
    list_model m;
    operation_dice d(*rc::gen::arbitrary<std::uint64_t>());
    std::vector<std::byte> image;
    snapshot memory;
    list.save(image);
    RC_ASSERT(list.save(memory));
    list_model by_image;
    list_model by_memory;
    const std::uint32_t bias = 5 + d.below(8);
    for (int step = 0; step < 500; ++step) {
        const std::uint32_t roll = d.below(16);
        const int value = static_cast<int>(d.below(1000));
        if (roll < bias) {
            const auto priority = static_cast<std::uint8_t>(d.below(18));
            const std::ptrdiff_t row = m.push(list.capacity(), r, priority, value);
            const T* const made = list.push_as({.priority = priority}, value);
            RC_ASSERT((made != nullptr) == (row >= 0));
            RC_ASSERT(made == nullptr || made - list.data() == row);
        } else if (roll < 13) {
            const std::uint32_t row = d.below(list.capacity() + 1);
            const bool there = row < m.rows.size();
            if (there && row % 2 == 0) {
                RC_ASSERT(list.release(list[row]));
            } else {
                RC_ASSERT(list.swap_remove(row) == there);
            }
            if (there) m.remove(row);
        } else if (roll == 13) {
            const int part = static_cast<int>(d.below(4));
            static_cast<void>(list.release_if([part](const T& e) { return e.read() % 4 == part; }));
            for (std::size_t row = m.rows.size(); row-- != 0;) {
                if (m.rows[row].value % 4 == part) m.remove(row);
            }
        } else if (roll == 14) {
            for (T& each : list.backward()) {
                if (each.read() % 5 != 0) continue;
                const auto row = static_cast<std::uint32_t>(&each - list.data());
                RC_ASSERT(list.swap_remove(row));
                m.remove(row);
            }
        } else {
            switch (d.below(6)) {
                case 0: list.save(image), by_image = m; break;
                case 1: RC_ASSERT(list.save(memory)), by_memory = m; break;
                case 2: RC_ASSERT(static_cast<bool>(list.restore(image))), m = by_image; break;
                case 3: RC_ASSERT(static_cast<bool>(list.restore(memory))), m = by_memory; break;
                case 4: list.clear(), m.rows.clear(); break;
                default: {
                    List twin(make());
                    std::vector<std::byte> now;
                    list.save(now);
                    RC_ASSERT(static_cast<bool>(twin.restore(now)));
                    RC_ASSERT(twin.state_hash() == list.state_hash());
                    compare(twin, m);
                }
            }
        }
        if (step % 8 == 0) compare(list, m);
    }
    compare(list, m);
}

constexpr options aged{.tracks = track::age};
constexpr options ranked{.tracks = track::priority};

RC_GTEST_PROP(capped_list_property, agrees_where_the_newcomer_is_dropped, ()) {
    agrees<capped_list<cell, 15>>(rule::reject, on_full::reject);
}
RC_GTEST_PROP(capped_list_property, agrees_where_the_oldest_ends, ()) {
    agrees<capped_list<owner, 12, aged>>(rule::oldest, on_full::replace_oldest);
}
RC_GTEST_PROP(capped_list_property, agrees_where_the_lowest_ends, ()) {
    agrees<capped_list<cell, 20, ranked>>(rule::lowest, on_full::replace_lowest);
}
RC_GTEST_PROP(capped_list_property, agrees_where_owners_of_the_lowest_rank_end, ()) {
    agrees<capped_list<owner, 9, ranked>>(rule::lowest, on_full::replace_lowest);
}
RC_GTEST_PROP(capped_list_property, agrees_where_a_rule_chooses, ()) {
    agrees<capped_list<owner, 10>>(rule::chosen, on_full::replace_if);
}
RC_GTEST_PROP(capped_list_property, agrees_where_newcomers_are_folded, ()) {
    agrees<capped_list<cell, 6>>(rule::merge, on_full::merge);
}
RC_GTEST_PROP(capped_list_property, agrees_where_there_is_room_for_one, ()) {
    agrees<capped_list<owner, 1, aged>>(rule::oldest, on_full::replace_oldest);
}

}  // namespace capped_list_property
}  // namespace lido::test
