#include "store_writer.hpp"

#include "stage_writer.hpp"

namespace lido::inspect {

namespace {

[[nodiscard]] ordered_json of(const store_figures& s) {
    return {{"id", s.id},
            {"name", s.name},
            {"database", s.database},
            {"state", to_string(s.state())},
            {"why", s.trouble.empty() ? ordered_json() : ordered_json(s.trouble)},
            {"run", s.run},
            {"entities", s.entities},
            {"pending", s.pending},
            {"loading", s.loading},
            {"bytes_held", s.bytes_held},
            {"durable", {{"tick", s.durable_tick}, {"commit", s.durable_commit}}},
            {"confirmed", {{"tick", s.confirmed_tick}, {"commit", s.confirmed_commit}}},
            {"saves", s.saves},
            {"coalesced", s.coalesced},
            {"superseded", s.superseded},
            {"failed", s.failed},
            {"loads", s.loads},
            {"loads_refused", s.loads_refused},
            {"transactions", s.transactions},
            {"retries", s.retries},
            {"bytes_written", s.bytes_written},
            {"snapshots", s.snapshots},
            {"creations_refused", s.creations_refused}};
}

}  // namespace

std::string write_stores(const moment& now) {
    ordered_json stores = ordered_json::array();
    for (const store_figures& s : now.stores) stores.push_back(of(s));
    return text_of({{"tick", now.tick}, {"stores", stores}});
}

ordered_json sample_of(const store_figures& s) {
    return ordered_json::array({s.id, to_string(s.state()), s.pending, s.durable_tick, s.confirmed_tick, s.entities,
                                s.loading, s.bytes_held, s.saves, s.failed, s.loads, s.loads_refused, s.retries,
                                s.transactions, s.bytes_written, s.creations_refused});
}

}  // namespace lido::inspect
