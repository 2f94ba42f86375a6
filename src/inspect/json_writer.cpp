#include "json_writer.hpp"

#include "nlohmann.hpp"
#include "stage_writer.hpp"
#include "store_writer.hpp"

#include <cstddef>

namespace lido::inspect {

namespace {

[[nodiscard]] ordered_json id_or_null(std::int64_t id) { return id == nothing ? ordered_json() : ordered_json(id); }

[[nodiscard]] ordered_json of(const pool_figures& p) {
    const pool_stats& s = p.stats;
    return {{"id", p.id},
            {"name", p.name},
            {"shape", s.shape},
            {"live", s.size},
            {"peak", s.peak},
            {"capacity", s.capacity},
            {"max_capacity", s.max_capacity},
            {"idle", s.idle},
            {"waiting_ends", s.waiting_ends},
            {"retired", s.retired},
            {"bytes", s.bytes},
            {"acquired", s.acquired},
            {"released", s.released},
            {"refused", s.refused},
            {"replaced", s.replaced},
            {"merged", s.merged},
            {"grown", s.grown},
            {"bad_releases", s.bad_releases},
            {"created", s.created},
            {"destroyed", s.destroyed},
            {"world", id_or_null(p.world)},
            {"gone", p.gone}};
}

[[nodiscard]] ordered_json of(const class_figures& c) {
    return {{"pool", c.pool},
            {"name", c.name},
            {"type", c.type},
            {"built", c.built},
            {"active", c.active},
            {"timers", c.timers},
            {"listeners", c.listeners},
            {"to_prewarm", c.to_prewarm},
            {"paused", c.paused},
            {"scale", ordered_json::array({c.scale_steps, c.scale_per})},
            {"spawned", c.spawned},
            {"returned", c.returned},
            {"expired", c.expired},
            {"destroyed", c.destroyed},
            {"replaced", c.replaced},
            {"refused", c.refused},
            {"stale_ends", c.stale_ends}};
}

[[nodiscard]] ordered_json of(const command_description& c) {
    ordered_json j = {{"name", c.name}, {"kind", to_string(c.kind)}, {"label", c.label}};
    if (c.kind == command_kind::number) {
        j["min"] = c.min;
        j["max"] = c.max;
    }
    if (c.kind == command_kind::choice) j["choices"] = c.choices;
    return j;
}

[[nodiscard]] ordered_json of(const history_figures& h) {
    return {{"period_ms", h.period_ms}, {"count", h.live.size()}, {"ms", h.ms},
            {"live", h.live},           {"acquired", h.acquired}, {"refused", h.refused},
            {"replaced", h.replaced}};
}

[[nodiscard]] ordered_json of(const lifetime_figures& l) {
    ordered_json edges = ordered_json::array();
    for (std::size_t k = 0; k < lifetime_figures::edges; ++k) edges.push_back(std::uint64_t{1} << k);
    return {{"unit", "ticks"}, {"edges", edges}, {"counts", l.counts}, {"seen", l.seen}, {"unmeasured", l.unmeasured}};
}

}  // namespace

std::string write_error(std::string_view sentence) { return text_of({{"error", sentence}}); }

std::string write_hello(const hello_figures& hello) {
    ordered_json commands = ordered_json::array();
    for (const command_description& c : hello.commands) commands.push_back(of(c));
    return text_of({{"protocol", 1},
                    {"program", hello.program},
                    {"lido", hello.version},
                    {"started_ms", hello.started_ms},
                    {"views", hello.views},
                    {"commands", commands},
                    {"token_needed", hello.token_needed}});
}

std::string write_pools(const moment& now) {
    ordered_json pools = ordered_json::array();
    for (const pool_figures& p : now.pools) pools.push_back(of(p));
    ordered_json worlds = ordered_json::array();
    for (const world_figures& w : now.worlds) {
        ordered_json classes = ordered_json::array();
        for (const class_figures& c : w.classes) classes.push_back(of(c));
        worlds.push_back({{"id", w.id}, {"name", w.name}, {"role", w.role}, {"now", w.now}, {"classes", classes}});
    }
    return text_of({{"tick", now.tick}, {"pools", pools}, {"worlds", worlds}});
}

std::string write_pool(const pool_detail& pool) {
    ordered_json j = of(pool.pool);
    j["history"] = of(pool.past);
    j["lifetimes"] = of(pool.lifetimes);
    return text_of(j);
}

std::string write_map(const map_figures& map) {
    return text_of({{"slots", map.slots},
                    {"from", map.from},
                    {"to", map.to},
                    {"per_cell", map.per_cell},
                    {"by", map.by == map_by::age ? "age" : "generation"},
                    {"newest", map.newest},
                    {"oldest", map.oldest},
                    {"cells", base64(map.cells)}});
}

std::string write_events(const event_list& list) {
    ordered_json events = ordered_json::array();
    for (const event& e : list.events) {
        events.push_back({{"number", e.number},
                          {"tick", e.tick},
                          {"pool", id_or_null(e.pool)},
                          {"kind", to_string(e.kind)},
                          {"count", e.count},
                          {"text", e.text},
                          {"first", e.first},
                          {"since", e.since}});
    }
    return text_of({{"next", list.next}, {"dropped", list.dropped}, {"events", events}});
}

std::string write_sample(const moment& now) {
    ordered_json pools = ordered_json::array();
    for (const pool_figures& p : now.pools) {
        if (p.gone) continue;
        const pool_stats& s = p.stats;
        pools.push_back({p.id, s.size, s.peak, s.capacity, s.bytes, s.acquired, s.refused, s.replaced, s.grown, s.idle,
                         s.retired, s.released, s.waiting_ends});
    }
    ordered_json worlds = ordered_json::array();
    for (const world_figures& w : now.worlds) worlds.push_back({w.id, w.now, w.timers});
    ordered_json stages = ordered_json::array();
    for (const stage_figures& s : now.stages) stages.push_back(sample_of(s));
    ordered_json stores = ordered_json::array();
    for (const store_figures& s : now.stores) stores.push_back(sample_of(s));
    return text_of({{"tick", now.tick},
                    {"ms", now.ms},
                    {"pools", pools},
                    {"worlds", worlds},
                    {"events_next", now.events_next},
                    {"stages", stages},
                    {"stores", stores}});
}

std::string write_said(std::string_view said) { return text_of({{"ok", true}, {"said", said}}); }

std::string write_bye() { return text_of({{"reason", "the program has ended"}}); }

std::string base64(const std::vector<std::uint8_t>& bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = bytes.size() - i;
        const std::uint32_t three = static_cast<std::uint32_t>(bytes[i]) << 16 |
                                    (left > 1 ? static_cast<std::uint32_t>(bytes[i + 1]) << 8 : 0u) |
                                    (left > 2 ? static_cast<std::uint32_t>(bytes[i + 2]) : 0u);
        out.push_back(digits[three >> 18 & 63]);
        out.push_back(digits[three >> 12 & 63]);
        out.push_back(left > 1 ? digits[three >> 6 & 63] : '=');
        out.push_back(left > 2 ? digits[three & 63] : '=');
    }
    return out;
}

}  // namespace lido::inspect
