// Stores, on the program's thread: their figures for the board.
#pragma once

#include "board.hpp"

#include <lido/inspect/source.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace lido::inspect {

class store_collector {
public:
    explicit store_collector(board& shared) : board_(shared) {}

    // Pre of all: the lock of the board is held.
    void add(std::uint32_t watch, std::string name, const store_source& source);
    /// False when that watch is not of a store.
    bool remove(std::uint32_t watch) noexcept;
    void collect();

private:
    struct store_watch {
        std::uint32_t watch = 0;
        std::uint32_t id = 0;
        store_source source;
    };

    board& board_;
    std::uint32_t next_store_ = 0;
    std::vector<store_watch> stores_;
};

}  // namespace lido::inspect
