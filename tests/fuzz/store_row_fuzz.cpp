// Fuzzes the rows that a store loads: whatever is in a database (of another build, repaired by hand, damaged), a row becomes an entity
// that keeps the rules of its class, or is refused in words; what was refused, or not changed since, is never written; and what is
// written of an entity is loaded again as it was.
//
// Input: lines. m REVISION DATA is what a knight is loaded from, without a store. b BIRTHS is the position of the database. Others are rows: K KEY REVISION STATE GENERATION VERSION BIRTH OWNER DATA, where K is k for
// a knight (three revisions, former names, `migrate`), g for a gate (links), s for a squire, and STATE is s, c or e. tests/fuzz/corpus/store_row is
// written by hand, one idea a file.
#include <lido/core/config.hpp>
#include <lido/entity/stage/stage.hpp>
#include <lido/store/store.hpp>

#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/stored_form.hpp"
#include "store/fake_database.hpp"

namespace store_row_fuzz {

using store_tests::fake_database;
using store_tests::fake_disk;
using store_tests::fake_row;

void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "store_row_fuzz: %s\n", what);
    std::abort();
}

enum class mood : std::uint8_t { calm, wary, angry };

struct sword {
    std::uint16_t kind = 0;
    std::int8_t edge = 1;
};
constexpr auto describe(lido::type<sword>) {
    return lido::schema{1, lido::field<&sword::edge>{.min = 0, .max = 99, .was = "sharpness"}};
}

/// Revision 1 had health and angle; revision 2 had hp and, of a knight with a horse, its name.
struct knight {
    std::int64_t hp = 100;
    double degrees = 0;
    lido::text<12> banner;
    lido::text<8> horse;
    mood temper = mood::calm;
    std::optional<std::int32_t> rank;
    std::array<std::int16_t, 2> at{};
    lido::bounded_vector<sword, 3> swords;
    lido::bytes<6> seal;
    bool mounted = false;
};
constexpr auto describe(lido::type<knight>) {
    return lido::schema{3, lido::field<&knight::hp>{.min = 0, .max = 1'000'000'000'000, .was = "health"},
                        lido::field<&knight::degrees>{.min = -360'000, .max = 360'000},
                        lido::field<&knight::temper>{.min = mood::calm, .max = mood::angry},
                        lido::field<&knight::rank>{.min = 0, .max = 9999}};
}
inline bool valid(const knight& k) { return k.mounted != k.horse.view().empty(); }
inline void migrate(lido::from_revision<1>, const lido::record& old, knight& now) {
#if LIDO_HAS_EXCEPTIONS
    if (old.flag("cursed")) throw 7;
#endif
    now.degrees = old.number("angle") * 90;
    if (old.raw("banner").empty()) static_cast<void>(now.banner.assign("none"));
}
inline void migrate(lido::from_revision<2>, const lido::record& old, knight& now) {
    // A text that was a number once.
    std::int64_t title = 0;
    if (old.take("banner", title)) static_cast<void>(now.banner.assign(title > 0 ? "noble" : "none"));
    now.mounted = !now.horse.view().empty();
}

struct squire {
    std::uint8_t age = 10;
    lido::text<16> name;
};
constexpr auto describe(lido::type<squire>) { return lido::schema{1, lido::field<&squire::age>{.max = 30}}; }

struct gate {
    bool open = false;
    lido::link<knight> guard;
    lido::bounded_vector<lido::link<gate>, 3> beside;
};
constexpr auto describe(lido::type<gate>) { return lido::schema{1, lido::field<&gate::guard>{.was = "keeper"}}; }

struct game {
    explicit game(fake_disk& disk) {
        stage.add<knight>("knight");
        stage.add<squire>("squire");
        stage.add<gate>("gate");
        lido::store::store_options options;
        options.by = lido::store::runner::step;
        options.clock = [this] { return now; };
        options.wall_clock = [] { return lido::store::wall_time{1000}; };
        options.say = [](std::string_view) {};
        store = std::make_unique<lido::store::store>(stage, std::make_unique<fake_database>(disk), options);
        store->refused.connect([this](const lido::store::load_event& e) {
            expect(!e.why.empty(), "a refusal without a reason");
            refused.insert({std::string(e.of_class), std::string(e.key)});
        });
        store->failed.connect([](const lido::store::save_event&) { expect(false, "a save that fails"); });
    }
    void settle() {
        for (int i = 0, quiet = 0; i < 64 && quiet < 3; ++i) {
            stage.tick();
            store->tick();
            now += std::chrono::milliseconds(500);
            while (store->step()) {
            }
            store->tick();
            quiet = store->stats().pending == 0 && store->stats().loading == 0 ? quiet + 1 : 0;
        }
        expect(store->stats().pending == 0 && store->stats().loading == 0, "what does not end");
        expect(static_cast<bool>(store->validate()), "a store that is not in order");
    }
    void load() {
        const lido::store::load_ticket all = store->load_all("");
        settle();
        const lido::store::load_progress done = store->progress(all);
        expect(done.done, "a load that does not end");
        expect(done.why.empty(), "a load that failed although each row can be told");
    }

    std::chrono::nanoseconds now{1'000'000'000};
    lido::world world;
    lido::stage stage{world, {.journal_bytes = std::size_t{1} << 18}};
    std::set<std::pair<std::string, std::string>> refused;
    std::unique_ptr<lido::store::store> store;
};

/// Any text and revision make an object that keeps the rules and is the same when it is written and read, or one reason.
void check_form(std::string_view text, std::int64_t revision) {
    const lido::class_schema& knights = lido::schema_of<knight>();
    knight k;
    std::string why;
    if (!lido::store_detail::read_entity(knights, text, revision, nullptr, &k, why)) {
        expect(!why.empty(), "a refusal without a reason");
        return;
    }
    expect(revision >= 1 && revision <= knights.revision(), "a revision that nobody knows");
    expect(!knights.first_invalid(&k), "an object that breaks the rules of its class");
    std::vector<char> room;
    const std::string_view printed = lido::store_detail::print_entity(knights, &k, nullptr, nullptr, room);
    expect(!printed.empty(), "an object that cannot be written");
    knight again;
    expect(lido::store_detail::read_entity(knights, printed, knights.revision(), nullptr, &again, why),
           "what was written is refused");
    expect((knights.changed(&k, &again) & knights.saved()).empty(), "what was written is loaded as another");
}

std::string_view word(std::string_view& line) {
    const std::size_t end = line.find(' ');
    const std::string_view w = line.substr(0, end);
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
    return w;
}
template <class N>
N number(std::string_view& line) {
    const std::string_view w = word(line);
    N n = 0;
    std::from_chars(w.data(), w.data() + w.size(), n);
    return n;
}

void read(std::string_view text, fake_disk& disk) {
    std::set<std::uint64_t> lives;
    while (!text.empty() && disk.tables.rows.size() < 24) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        const std::string_view what = word(line);
        if (what == "m") {
            const auto revision = number<std::int64_t>(line);
            check_form(line, revision);
            continue;
        }
        if (what == "b") {
            disk.tables.position.births = number<std::uint64_t>(line) >> 1;
            continue;
        }
        const char* const of = what == "k" ? "knight" : what == "g" ? "gate" : what == "s" ? "squire" : nullptr;
        const std::string key(word(line));
        // What no database takes; and one generation is one life.
        if (of == nullptr || key.empty() || key.size() > 255) continue;
        fake_row r;
        r.revision = number<std::int64_t>(line);
        const std::string_view state = word(line);
        r.state = state == "e"   ? lido::store::row_state::erased
                  : state == "c" ? lido::store::row_state::claimed
                                 : lido::store::row_state::stored;
        r.generation = number<std::uint64_t>(line) >> 1;
        r.version = number<std::uint64_t>(line) >> 1;
        r.birth = number<std::uint64_t>(line) >> 1;
        r.owner = number<std::uint64_t>(line);
        r.created = r.changed = 1;
        if (r.state == lido::store::row_state::stored) r.data = line;
        if (r.state != lido::store::row_state::claimed && !lives.insert(r.generation).second) continue;
        disk.tables.rows[{of, key}] = std::move(r);
    }
}

/// The row as a later program finds it, without who has it now.
fake_row kept(fake_row r) {
    r.epoch = 0;
    return r;
}

template <class T>
bool change(game& g, lido::any_entity_ref which, const lido::store::store& store) {
    const lido::entity_ref<T> typed = g.stage.template find<T>(g.stage.info(which).id.view());
    const T* const now = g.stage.get(typed);
    expect(now != nullptr, "an entity of another class than its row");
    expect(!lido::schema_of<T>().first_invalid(now), "an entity that breaks the rules of its class");
    expect(store.is_saved(which), "what was loaded and not changed is not saved");
    auto e = g.stage.edit(typed);
    if constexpr (std::is_same_v<T, knight>) {
        e->hp = e->hp == 5 ? 6 : 5;
    } else if constexpr (std::is_same_v<T, squire>) {
        e->age = e->age == 5 ? 6 : 5;
    } else {
        e->open = !e->open;
    }
    return static_cast<bool>(e.commit());
}

/// Of an entity, what its row must say: the text of its fields.
template <class T>
std::string said(const game& g, const std::string& key) {
    const T* const now = g.stage.get(g.stage.template find<T>(key));
    if (now == nullptr) return {};
    static char room[1 << 16];
    lido::text_writer to(room, nullptr);
    lido::schema_of<T>().store(now, to);
    expect(to.ok(), "room");
    return std::string(to.written());
}
std::string said(const game& g, const std::string& of, const std::string& key) {
    return of == "knight" ? said<knight>(g, key) : of == "squire" ? said<squire>(g, key) : std::string();
}

/// Each row is an entity, or refused, or none that is loaded.
std::vector<std::pair<std::string, std::string>> living(const game& g, const fake_disk& disk) {
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& [name, row] : disk.tables.rows) {
        if (row.state != lido::store::row_state::stored) continue;
        const lido::any_entity_ref which = g.stage.find(name.second);
        const lido::entity_info info = g.stage.info(which);
        const bool here =
            info && !g.stage.look_at(which).loading() && g.stage.class_info_of(which.class_of()).name == name.first;
        expect(here != g.refused.contains(name), "a row that is neither an entity nor refused, or both");
        if (!here) continue;
        expect(info.persistent, "an entity of a row that is not persistent");
        all.push_back(name);
    }
    return all;
}

void check(std::string_view text) {
    fake_disk disk;
    read(text, disk);
    if (disk.tables.rows.empty()) return;
    const auto before = disk.tables.rows;
    std::map<std::pair<std::string, std::string>, std::string> now;
    std::set<std::pair<std::string, std::string>> changed;
    {
        game g(disk);
        if (!*g.store) return;
        g.load();
        const auto alive = living(g, disk);
        for (const auto& [name, row] : before) expect(kept(disk.tables.rows[name]) == kept(row), "a load that writes");
        std::size_t n = 0;
        for (const auto& name : alive) {
            if (n++ % 2 != 0) continue;
            const lido::any_entity_ref which = g.stage.find(name.second);
            const bool done = name.first == "knight"   ? change<knight>(g, which, *g.store)
                              : name.first == "squire" ? change<squire>(g, which, *g.store)
                                                       : change<gate>(g, which, *g.store);
            if (done) changed.insert(name);
        }
        g.settle();
        for (const auto& [name, row] : before) {
            const fake_row& is = disk.tables.rows[name];
            if (!changed.contains(name)) {
                expect(kept(is) == kept(row), "a row that nobody changed was written");
                continue;
            }
            expect(is.version > row.version && is.generation >= row.generation, "a version that goes back");
            expect(is.state == lido::store::row_state::stored, "a row that is gone");
        }
        for (const auto& name : alive) now[name] = said(g, name.first, name.second);
        // One by one, as a game opens them: a row that was refused is refused again, and stays.
        for (const auto& name : std::set(g.refused)) {
            g.refused.clear();
            const lido::creation how{.id = name.second, .persistent = true};
            if (name.first == "knight") {
                static_cast<void>(g.stage.create<knight>(how));
            } else if (name.first == "squire") {
                static_cast<void>(g.stage.create<squire>(how));
            } else {
                static_cast<void>(g.stage.create<gate>(how));
            }
            g.settle();
            expect(kept(disk.tables.rows[name]) == kept(before.at(name)), "a row that was refused was written");
        }
    }
    // Again, as after a restart of the program.
    game g(disk);
    expect(static_cast<bool>(*g.store), "a store that cannot be opened again");
    g.load();
    for (const auto& [name, text_of] : now) {
        expect(!g.refused.contains(name), "what was written is refused");
        expect(said(g, name.first, name.second) == text_of, "what was written is loaded as another");
    }
}

}  // namespace store_row_fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    store_row_fuzz::check({reinterpret_cast<const char*>(data), size});
    return 0;
}
