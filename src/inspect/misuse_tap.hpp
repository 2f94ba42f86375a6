// Misuse reports on their way to the handler that was there before: a copy of the latest of each cause is kept for
// the inspector.
//
// A handler is a plain function, so there is one tap a program, and the first inspector has it. Reports may come from any thread and
// from inside any pool: what is kept is copied into a fixed ring under a lock of its own.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace lido::inspect {

struct misuse_note {
    std::array<char, 64> pool{};
    std::array<char, 480> text{};
    std::uint64_t cause = 0;  ///< the same for reports of one kind, of one pool, in the same words, from the same place
    std::uint64_t count = 1;
    bool so_far = false;  ///< `count` is how many there were, not how many more there are
};

class misuse_tap {
public:
    misuse_tap();
    misuse_tap(const misuse_tap&) = delete;
    misuse_tap& operator=(const misuse_tap&) = delete;
    /// Brings back the handler from before, unless somebody has replaced this one since.
    ~misuse_tap();

    /// Appends what came since the last call, oldest first; never waits. Only the owner of the tap gets any.
    void drain(std::vector<misuse_note>& out);

private:
    bool owner_ = false;
};

}  // namespace lido::inspect
