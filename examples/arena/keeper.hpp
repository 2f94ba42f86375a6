// Who keeps vaults and purses from run to run, as the game sees it: it knows no files. Without one they begin anew each time.
#pragma once

#include "vaults.hpp"

#include <string>

namespace arena {

class keeper {
public:
    keeper() = default;
    keeper(const keeper&) = delete;
    keeper& operator=(const keeper&) = delete;

    /// Attaches itself to the stage, and makes entities of what is kept. What is wrong, in one line; empty when the game can begin.
    [[nodiscard]] virtual std::string open(scene_stage& of) = 0;
    /// After each tick of the stage.
    virtual void tick() = 0;
    /// Keeps what is confirmed, and lets the stage go. Does nothing when it is not open.
    virtual void close() = 0;

protected:
    ~keeper() = default;
};

}  // namespace arena
