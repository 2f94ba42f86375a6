// The slots of one pool while somebody looks at it: since when each life has been there, and how long lives last.
//
// All it knows is which generation lived in which slot at each look. So a life has a length when it was seen to begin (its slot was
// looked at before, without it) and seen to be gone; exact to the time between two looks. A life that begins and ends between two
// looks leaves only a step of the generation by two: counted as unmeasured.
#pragma once

#include "figures.hpp"

#include <lido/inspect/source.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lido::inspect {

class slot_watch {
public:
    static constexpr std::uint32_t most_cells = 65'536;

    /// A look: `call` appends every live slot to the vector it is handed.
    template <class Call>
    void look(std::uint64_t tick, Call&& call) {
        now_.clear();
        call(now_);
        compare(tick);
    }

    /// Nobody looks any more: what is known of single lives is forgotten, the counts of lengths stay.
    void rest() noexcept;

    [[nodiscard]] bool looked() const noexcept { return looks_ != 0; }
    /// Lives that the latest look saw.
    [[nodiscard]] std::size_t lives() const noexcept { return before_.size(); }
    [[nodiscard]] const lifetime_figures& lifetimes() const noexcept { return lifetimes_; }

    /// Of the latest look. Pre: there was one.
    void draw(const map_request& wish, std::uint32_t slots, map_figures& out) const;

private:
    struct known {
        std::uint64_t since = 0;
        std::uint64_t seen = 0;  ///< the number of the look that saw it last; 0: never
        std::uint32_t generation = 0;
        bool begin_known = false;
    };

    void compare(std::uint64_t tick);
    void ended(const known& life, std::uint64_t tick) noexcept;
    void measured(std::uint64_t length) noexcept;

    std::vector<known> slots_;
    std::vector<slot_life> now_;
    std::vector<slot_life> before_;
    std::uint64_t looks_ = 0;
    std::uint64_t tick_ = 0;
    lifetime_figures lifetimes_;
};

}  // namespace lido::inspect
