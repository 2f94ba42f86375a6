// X14: what readers are told is what the pools say of themselves.
#include "client.hpp"
#include "history.hpp"

#include <lido/core.hpp>
#include <lido/world.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lido::test {
namespace inspect_figures_test {

struct thing {
    int value = 0;
};
struct other_thing {
    int value = 0;
};

[[nodiscard]] const json& named(const json& all, const std::string& name) {
    for (const json& p : all["pools"]) {
        if (p["name"].get<std::string>() == name) return p;
    }
    static const json none;
    ADD_FAILURE() << "there is no pool " << name << " in " << all.dump();
    return none;
}

template <class N>
[[nodiscard]] std::uint64_t at(const json& j, const N& key) {
    return j[key].template get<std::uint64_t>();
}

void expect_same(const json& p, const pool_stats& s) {
    EXPECT_EQ(p["shape"].get<std::string>(), s.shape);
    EXPECT_EQ(at(p, "live"), s.size);
    EXPECT_EQ(at(p, "peak"), s.peak);
    EXPECT_EQ(at(p, "capacity"), s.capacity);
    EXPECT_EQ(at(p, "max_capacity"), s.max_capacity);
    EXPECT_EQ(at(p, "idle"), s.idle);
    EXPECT_EQ(at(p, "waiting_ends"), s.waiting_ends);
    EXPECT_EQ(at(p, "retired"), s.retired);
    EXPECT_EQ(at(p, "bytes"), s.bytes);
    EXPECT_EQ(at(p, "acquired"), s.acquired);
    EXPECT_EQ(at(p, "released"), s.released);
    EXPECT_EQ(at(p, "refused"), s.refused);
    EXPECT_EQ(at(p, "replaced"), s.replaced);
    EXPECT_EQ(at(p, "merged"), s.merged);
    EXPECT_EQ(at(p, "grown"), s.grown);
    EXPECT_EQ(at(p, "bad_releases"), s.bad_releases);
    EXPECT_EQ(at(p, "created"), s.created);
    EXPECT_EQ(at(p, "destroyed"), s.destroyed);
}

TEST(inspect_figures, every_shape_is_told_as_it_says_itself) {
    slot_pool<thing> slots{2, {.name = "slots", .on_full = on_full::grow_to(64)}};
    dense_pool<thing> dense{4};
    flag_pool<thing, 4> flags;
    ring_pool<thing> ring{4};
    recycle_pool<thing> recycled{4};
    column_pool<thing> columns{4};
    flag_column_pool<thing> rows{4};
    capped_list<thing, 4> list;
    for (int i = 0; i < 6; ++i) {
        slots.acquire(i);
        dense.acquire(i);
        flags.acquire(i);
        ring.acquire(i);
        recycled.acquire(i);
        columns.acquire(i);
        rows.acquire(i);
        list.push(i);
    }
    recycled.release_if([](const thing& t) { return t.value < 2; });
    shown_program p;
    p.look.watch("slots", slots);
    p.look.watch("dense", dense);
    p.look.watch("flags", flags);
    p.look.watch("ring", ring);
    p.look.watch("recycled", recycled);
    p.look.watch("columns", columns);
    p.look.watch("rows", rows);
    p.look.watch("list", list);
    const json all = p.get("/api/v1/pools").parsed();
    expect_same(named(all, "slots"), slots.stats());
    expect_same(named(all, "dense"), dense.stats());
    expect_same(named(all, "flags"), flags.stats());
    expect_same(named(all, "ring"), ring.stats());
    expect_same(named(all, "recycled"), recycled.stats());
    expect_same(named(all, "columns"), columns.stats());
    expect_same(named(all, "rows"), rows.stats());
    expect_same(named(all, "list"), list.stats());
    EXPECT_EQ(list.stats().refused, 2u);
    EXPECT_EQ(ring.stats().replaced, 2u);
    // Every shape shows its slots, too.
    for (std::size_t id = 0; id < all["pools"].size(); ++id) {
        const json map = p.get("/api/v1/pools/" + std::to_string(id) + "/map").parsed();
        EXPECT_EQ(at(map, "slots"), at(all["pools"][id], "capacity"));
        EXPECT_NE(map["cells"].get<std::string>().find_first_not_of("A="), std::string::npos) << id;
    }
}

TEST(inspect_figures, what_changes_is_told_with_the_next_period) {
    slot_pool<thing> pool{8};
    shown_program p;
    p.look.watch("it", pool);
    p.collect();
    EXPECT_EQ(at(named(p.get("/api/v1/pools").parsed(), "it"), "live"), 0u);
    for (int i = 0; i < 9; ++i) pool.acquire(i);
    p.collect();
    expect_same(named(p.get("/api/v1/pools").parsed(), "it"), pool.stats());
}

TEST(inspect_figures, history_has_a_period_for_each_quarter_of_a_second) {
    slot_pool<thing> pool{8};
    shown_program p;
    p.look.watch("it", pool);
    p.collect();
    pool.acquire(1);
    pool.acquire(2);
    ASSERT_TRUE(play(p.look, p.tick, [&] { return at(p.get("/api/v1/pools/0").parsed()["history"], "count") >= 3; }));
    const json h = p.get("/api/v1/pools/0").parsed()["history"];
    EXPECT_EQ(at(h, "period_ms"), 250u);
    const auto live = h["live"].get<std::vector<std::uint64_t>>();
    const auto acquired = h["acquired"].get<std::vector<std::uint64_t>>();
    ASSERT_EQ(live.size(), at(h, "count"));
    ASSERT_EQ(acquired.size(), live.size());
    EXPECT_EQ(live.front(), 0u);
    EXPECT_EQ(live.back(), 2u);
    std::uint64_t sum = 0;
    for (const std::uint64_t n : acquired) sum += n;
    EXPECT_EQ(sum, 2u);
}

TEST(inspect_figures, lengths_of_lives_are_measured_while_somebody_looks) {
    slot_pool<thing> pool{8};
    shown_program p;
    p.look.watch("it", pool);
    static_cast<void>(p.get("/api/v1/pools/0/map"));  // from here on somebody looks
    p.look.sample(100);
    const auto life = pool.acquire(1);
    p.look.sample(101);
    p.look.sample(111);
    pool.release(life.handle());
    p.look.sample(117);  // 16 ticks after it was first seen
    p.tick = 117;
    ASSERT_TRUE(play(p.look, p.tick, [&] { return at(p.get("/api/v1/pools/0").parsed()["lifetimes"], "seen") == 1; }));
    const json l = p.get("/api/v1/pools/0").parsed()["lifetimes"];
    EXPECT_EQ(l["unit"].get<std::string>(), "ticks");
    EXPECT_EQ(at(l["edges"], std::size_t{4}), 16u);
    EXPECT_EQ(at(l["counts"], std::size_t{4}), 1u);
    EXPECT_EQ(l["counts"].size(), l["edges"].size() + 1);
}

TEST(inspect_figures, a_map_shows_where_things_live_and_how_old_they_are) {
    slot_pool<thing, options{.order = reuse::lowest}> pool{64};
    shown_program p;
    p.look.watch("it", pool);
    pool.acquire(0);
    static_cast<void>(p.get("/api/v1/pools/0/map"));
    const std::uint64_t from = p.tick;
    ASSERT_TRUE(play(p.look, p.tick, [&] { return p.tick == from + 50; }));
    pool.acquire(1);
    const json map = p.get("/api/v1/pools/0/map?by=age&from=0&to=4&cells=4").parsed();
    EXPECT_EQ(at(map, "slots"), 64u);
    EXPECT_EQ(at(map, "to"), 4u);
    EXPECT_EQ(at(map, "per_cell"), 1u);
    EXPECT_GE(at(map, "oldest"), 50u);
    EXPECT_LT(at(map, "newest"), at(map, "oldest"));
    // 255 the oldest, 1 the newest, nobody in the other two.
    EXPECT_EQ(map["cells"].get<std::string>(), "/wEAAA==");
    const json coarse = p.get("/api/v1/pools/0/map?cells=3").parsed();
    EXPECT_EQ(at(coarse, "per_cell"), 22u);
    EXPECT_EQ(p.get("/api/v1/pools/0/map?by=colour").status, 400);
    EXPECT_EQ(p.get("/api/v1/pools/0/map?cells=0").status, 400);
    EXPECT_EQ(p.get("/api/v1/pools/9/map").status, 404);
}

TEST(inspect_figures, events_tell_what_happened_and_are_numbered) {  // S3.5
    slot_pool<thing> pool{2, {.on_full = on_full::grow_to(4)}};
    shown_program p;
    p.look.watch("it", pool);
    p.collect();
    for (int i = 0; i < 7; ++i) pool.acquire(i);
    p.collect();
    const json all = p.get("/api/v1/events").parsed();
    ASSERT_EQ(all["events"].size(), 2u);
    EXPECT_EQ(all["events"][0]["kind"].get<std::string>(), "refused");
    EXPECT_EQ(all["events"][0]["text"].get<std::string>(), "3 requests were refused");
    EXPECT_EQ(at(all["events"][0], "count"), 3u);
    EXPECT_EQ(at(all["events"][0], "pool"), 0u);
    EXPECT_EQ(all["events"][1]["kind"].get<std::string>(), "grown");
    EXPECT_EQ(at(all, "next"), 2u);
    const json rest = p.get("/api/v1/events?after=1").parsed();
    ASSERT_EQ(rest["events"].size(), 1u);
    EXPECT_EQ(at(rest["events"][0], "number"), 1u);
    EXPECT_EQ(p.get("/api/v1/events?after=x").status, 400);
}

TEST(inspect_figures, a_rewind_gives_no_events_and_no_negative_periods) {
    slot_pool<thing> pool{1};
    shown_program p;
    p.look.watch("it", pool);
    lido::rewind<2> past;
    past.save(1, pool);
    for (int i = 0; i < 4; ++i) pool.acquire(i);
    p.collect();
    ASSERT_TRUE(past.restore(1, pool));
    p.collect();
    const json all = p.get("/api/v1/events").parsed();
    EXPECT_EQ(all["events"].size(), 1u);
    expect_same(named(p.get("/api/v1/pools").parsed(), "it"), pool.stats());
}

TEST(inspect_figures, what_a_rewind_undid_is_taken_out_of_the_last_minute) {
    slot_pool<thing> pool{1};
    inspect::history past;
    const auto sum = [&past] {
        std::uint64_t n = 0;
        for (const std::uint64_t here : past.figures().refused) n += here;
        return n;
    };
    past.add(pool.stats(), 1);
    lido::rewind<2> saved;
    // A game that predicts: every period goes back to where it was, and plays the same again.
    for (std::uint64_t tick = 1; tick <= 20; ++tick) {
        saved.save(tick, pool);
        for (int i = 0; i < 10; ++i) pool.acquire(i);
        past.add(pool.stats(), 1);
        ASSERT_TRUE(saved.restore(tick, pool));
        past.add(pool.stats(), 1);
        EXPECT_EQ(sum(), pool.stats().refused);
        for (int i = 0; i < 3; ++i) pool.acquire(i);
    }
    past.add(pool.stats(), 1);
    EXPECT_EQ(sum(), pool.stats().refused);
    EXPECT_EQ(sum(), 59u);
    // Far back, past all that is kept.
    for (int i = 0; i < 300; ++i) past.add(pool.stats(), 1);
    const slot_pool<thing> fresh{1};
    past.add(fresh.stats(), 1);
    EXPECT_EQ(sum(), 0u);
}

struct spark {
    int value = 0;
};
struct orb {
    int value = 0;
    bool merge(const orb& newcomer) {
        value += newcomer.value;
        return true;
    }
};

TEST(inspect_figures, what_a_world_replaces_or_merges_is_not_refused) {
    world w;
    w.add<spark>("spark", {.capacity = 2, .on_full = on_full::replace_oldest, .leaks = leaks::allow});
    w.add<orb>("orb", {.capacity = 2, .on_full = on_full::merge, .leaks = leaks::allow});
    w.add<thing>("thing", {.capacity = 2, .on_full = on_full::reject, .leaks = leaks::allow});
    w.start();
    shown_program p;
    p.look.watch("game", w);
    p.collect();
    for (int i = 0; i < 5; ++i) {
        w.spawn<spark>();
        w.spawn<orb>();
        w.spawn<thing>();
    }
    ASSERT_EQ(w.stats<spark>().counters.replaced, 3u);
    ASSERT_EQ(w.stats<orb>().counters.merged, 3u);
    p.collect();
    const json all = p.get("/api/v1/pools").parsed();
    const auto expect = [&](const char* name, unsigned refused, unsigned replaced, unsigned merged) {
        EXPECT_EQ(at(named(all, name), "refused"), refused) << name;
        EXPECT_EQ(at(named(all, name), "replaced"), replaced) << name;
        EXPECT_EQ(at(named(all, name), "merged"), merged) << name;
    };
    expect("game/spark", 0, 3, 0);
    expect("game/orb", 0, 0, 3);
    expect("game/thing", 3, 0, 0);
    const std::string metrics = p.get("/metrics").body;
    EXPECT_NE(metrics.find("\nlido_pool_refused_total{pool=\"game/spark\",shape=\"recycle_pool\"} 0\n"),
              std::string::npos);
    EXPECT_NE(metrics.find("\nlido_pool_replaced_total{pool=\"game/spark\",shape=\"recycle_pool\"} 3\n"),
              std::string::npos);
    std::vector<std::string> said;
    const json events = p.get("/api/v1/events").parsed();
    for (const json& e : events["events"]) said.push_back(e["pool"].dump() + " " + e["text"].get<std::string>());
    EXPECT_EQ(said, (std::vector<std::string>{"0 3 objects were replaced to make room", "1 3 newcomers were merged",
                                              "2 3 requests were refused"}));
}

TEST(inspect_figures, a_world_is_told_with_its_classes) {
    world w{role::client};
    w.add<thing>("thing", {.max_lifetime = ticks{1000}, .leaks = leaks::allow});
    w.add<other_thing>("other", {.leaks = leaks::allow});
    w.start();
    w.spawn<thing>();
    w.spawn<thing>();
    w.destroy(w.spawn<thing>().reference());
    w.spawn<other_thing>();
    w.tick();
    shown_program p;
    const watched shown = p.look.watch_scoped("game", w);
    const json all = p.get("/api/v1/pools").parsed();
    ASSERT_EQ(all["worlds"].size(), 1u);
    const json& told = all["worlds"][0];
    EXPECT_EQ(told["name"].get<std::string>(), "game");
    EXPECT_EQ(told["role"].get<std::string>(), "client");
    EXPECT_EQ(at(told, "now"), 1u);
    ASSERT_EQ(told["classes"].size(), 2u);
    const json& c = told["classes"][0];
    EXPECT_EQ(c["name"].get<std::string>(), "thing");
    EXPECT_EQ(at(c, "active"), 2u);
    EXPECT_EQ(at(c, "timers"), 2u);
    EXPECT_EQ(at(c, "spawned"), 3u);
    EXPECT_EQ(at(c, "returned"), 1u);
    EXPECT_EQ(at(c, "destroyed"), 1u);
    EXPECT_TRUE(c["built"].get<bool>());
    EXPECT_EQ(c["scale"], json::array({1, 1}));
    const json& pool = named(all, "game/thing");
    EXPECT_EQ(at(pool, "id"), at(c, "pool"));
    EXPECT_EQ(at(pool, "world"), at(told, "id"));
    expect_same(pool, w.stats("thing").pool);
    const json map = p.get("/api/v1/pools/" + std::to_string(at(pool, "id")) + "/map?cells=8&to=8").parsed();
    EXPECT_EQ(map["cells"].get<std::string>().substr(0, 3), "AQE");  // two live

    w.remove("other");
    p.collect();
    const json later = p.get("/api/v1/pools").parsed();
    EXPECT_EQ(later["worlds"][0]["classes"].size(), 1u);
    EXPECT_TRUE(named(later, "game/other")["gone"].get<bool>());
}

TEST(inspect_figures, a_class_that_joins_later_appears) {
    world w;
    shown_program p;
    p.look.watch("game", w);
    w.add<thing>("late", {.leaks = leaks::allow});
    w.spawn<thing>();
    p.collect();
    EXPECT_EQ(at(named(p.get("/api/v1/pools").parsed(), "game/late"), "live"), 1u);
    p.look.unwatch(watch_id{1});
    EXPECT_EQ(p.get("/api/v1/pools").parsed()["worlds"].size(), 0u);
}

TEST(inspect_figures, an_unwatched_pool_is_gone_and_its_id_is_not_used_again) {
    shown_program p;
    {
        slot_pool<thing> pool{4};
        const watched shown = p.look.watch_scoped("it", pool);
        EXPECT_TRUE(shown.id());
    }
    slot_pool<thing> next{4};
    p.look.watch("it", next);
    const json all = p.get("/api/v1/pools").parsed();
    ASSERT_EQ(all["pools"].size(), 2u);
    EXPECT_TRUE(all["pools"][0]["gone"].get<bool>());
    EXPECT_FALSE(all["pools"][1]["gone"].get<bool>());
    EXPECT_EQ(at(all["pools"][1], "id"), 1u);
    EXPECT_EQ(p.get("/api/v1/pools/0/map").status, 404);
    EXPECT_EQ(p.get("/api/v1/pools/0").status, 200);
}

TEST(inspect_figures, two_pools_of_one_name_are_told_apart) {
    slot_pool<thing> a{4};
    slot_pool<thing> b{4};
    shown_program p;
    p.look.watch("it", a);
    p.look.watch("it", b);
    EXPECT_EQ(p.get("/api/v1/pools").parsed()["pools"][1]["name"].get<std::string>(), "it 2");
}

TEST(inspect_figures, pools_that_came_and_went_are_forgotten_some_day) {
    slot_pool<thing> pool{4};
    shown_program p;
    for (int i = 0; i < 300; ++i) p.look.unwatch(p.look.watch("it", pool));
    const json all = p.get("/api/v1/pools").parsed();
    EXPECT_LE(all["pools"].size(), 64u);
    EXPECT_EQ(at(all["pools"].back(), "id"), 299u);
}

TEST(inspect_figures, names_that_are_not_utf_8_are_still_json) {
    slot_pool<thing> pool{4};
    shown_program p{{.program = "\xff\xfe\"quoted\""}};
    p.look.watch("\x80 \"\n<script>", pool);
    EXPECT_TRUE(p.get("/api/v1/hello").parsed().is_object());
    EXPECT_TRUE(p.get("/api/v1/pools").parsed().is_object());
}

TEST(inspect_figures, hello_says_who_it_is) {
    shown_program p{{.program = "arena"}};
    static_cast<void>(p.look.wants("field"));
    p.look.command({.name = "speed", .kind = command_kind::number, .label = "Speed", .min = 1, .max = 9},
                   [](const command_value&) { return std::string(); });
    const json h = p.get("/api/v1/hello").parsed();
    EXPECT_EQ(at(h, "protocol"), 1u);
    EXPECT_EQ(h["program"].get<std::string>(), "arena");
    EXPECT_EQ(h["lido"].get<std::string>(), "0.4.0");
    EXPECT_EQ(h["views"], json::array({"field"}));
    EXPECT_TRUE(h["token_needed"].get<bool>());
    ASSERT_EQ(h["commands"].size(), 1u);
    EXPECT_EQ(h["commands"][0]["kind"].get<std::string>(), "number");
    EXPECT_EQ(at(h["commands"][0], "max"), 9u);
}

}  // namespace inspect_figures_test
}  // namespace lido::test
