// The figures of ./dev bench patterns, and what they say: where one pattern starts to be cheaper than another.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace bench {

enum class pattern { flag, free_list, compaction };

struct pattern_name {
    pattern is = pattern::flag;
    bool lido = true;  ///< false: written by hand, without handles

    friend bool operator==(const pattern_name&, const pattern_name&) = default;
    friend bool operator<(const pattern_name& a, const pattern_name& b) {
        return std::tie(a.is, a.lido) < std::tie(b.is, b.lido);
    }
};

/// "flag_pool", "flags by hand", …
[[nodiscard]] const char* to_string(pattern_name name);

/// One contender at one size and occupancy. What was not measured is NaN, and no comparison with it holds.
struct pattern_cell {
    std::size_t live = 0;
    double spawn = std::numeric_limits<double>::quiet_NaN();   ///< ns a spawn and an end
    double update = std::numeric_limits<double>::quiet_NaN();  ///< ns a live object
    double spawn_spread = 0;
    double update_spread = 0;

    [[nodiscard]] double pass() const { return update * static_cast<double>(live); }
};

class pattern_table {
public:
    [[nodiscard]] pattern_cell& at(pattern_name name, std::size_t slots, std::size_t percent) {
        return cells_[{name, slots, percent}];
    }
    /// An empty cell where there is none.
    [[nodiscard]] const pattern_cell& get(pattern_name name, std::size_t slots, std::size_t percent) const;
    [[nodiscard]] bool has(pattern_name name) const;
    /// In rising order.
    [[nodiscard]] std::vector<std::size_t> sizes() const;
    [[nodiscard]] std::vector<std::size_t> percents() const;

private:
    std::map<std::tuple<pattern_name, std::size_t, std::size_t>, pattern_cell> cells_;
};

/// Figures closer than this part of the larger are equal: runs of one program on one machine differ by as much.
inline constexpr double equal_within = 0.05;

/// How `holds`, asked at each of `values` (rising), is said: at all, at none, up to one, from one on, or else the list.
struct run_words {
    const char* all;
    const char* none;
    const char* up_to;  ///< with %zu for the value, as the others below
    const char* from;
    const char* some;  ///< with %s for the list
};
[[nodiscard]] std::string in_words(const std::vector<std::size_t>& values, const std::vector<bool>& holds,
                                   const run_words& words);

/// How many objects may be replaced between two passes, for `packed` to be cheaper in sum than `other`: 0 when its pass saves
/// nothing, infinite when it does and its spawn is not dearer, NaN when something was not measured.
[[nodiscard]] double break_even(const pattern_cell& packed, const pattern_cell& other);

/// What the table says, a line each.
[[nodiscard]] std::vector<std::string> crossovers(const pattern_table& table);

}  // namespace bench
