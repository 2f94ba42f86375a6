// The figures of a store.
#pragma once

#include <lido/store/row.hpp>

#include <cstddef>
#include <cstdint>

namespace lido::store {

struct store_stats {
    const char* name = "store";
    std::size_t entities = 0;     ///< persistent ones whose creation is confirmed
    std::size_t pending = 0;      ///< entities, ended ones too, with changes that are not durable
    std::size_t loading = 0;      ///< requests for single rows
    std::size_t bytes_held = 0;   ///< copies of entities, those that wait and those of what is
    stored_position durable;      ///< what the database has whole
    stored_position confirmed;    ///< what the store has seen of the journal
    std::uint64_t saves = 0;      ///< requests that ended as durable
    std::uint64_t coalesced = 0;  ///< changes that needed no request of their own
    std::uint64_t superseded = 0;
    std::uint64_t failed = 0;  ///< taken ones, too
    std::uint64_t loads = 0;   ///< rows that became entities
    std::uint64_t loads_refused = 0;
    std::uint64_t transactions = 0;  ///< that were committed
    std::uint64_t retries = 0;
    std::uint64_t bytes_written = 0;      ///< JSON
    std::uint64_t snapshots = 0;          ///< because the reader fell behind, or the stage was reset
    std::uint64_t creations_refused = 0;  ///< above max_pending
};

}  // namespace lido::store
