// What the journal costs, beside the least that can be done by hand: a header of 48 bytes and the changed bytes, copied into a ring of the
// same size. `./dev bench journal`. All take turns in one program; a row is the best of its rounds, and the median of the ratios.
#include <lido/entity/journal.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#define LIDO_BENCH_APART __attribute__((noinline))

namespace {

using namespace lido;

bool tiny = false;

constexpr std::size_t ring_bytes = std::size_t{1} << 20;
constexpr int each = 20'000;   // entries a round
constexpr int a_tick = 1'000;  // of these; a tick's entries are confirmed as it ends, and make room
constexpr std::uint16_t fields = 6;

/// Three floats that change, of six fields.
struct pose {
    float x, y, yaw;
};

/// By hand: no reader can be told that it fell behind, nothing is confirmed, refused or taken back.
struct by_hand {
    struct header {
        std::uint32_t size, kind;
        std::uint64_t tick, commit, entity, generation, version;
    };
    static_assert(sizeof(header) == 48);
    std::vector<std::byte> ring = std::vector<std::byte>(ring_bytes);
    std::uint64_t end = 0;
    std::uint64_t commits = 0;

    void append(std::uint64_t entity, std::uint64_t version, const pose& before, const pose& after) {
        constexpr std::uint64_t size = (sizeof(header) + 8 + 2 * sizeof(pose) + 7) & ~std::uint64_t{7};
        std::uint64_t at = end & (ring_bytes - 1);
        if (at + size > ring_bytes) {
            end += ring_bytes - at;
            at = 0;
        }
        const header h{size, 2, 7, ++commits, entity, 3, version};
        std::byte* to = ring.data() + at;
        std::memcpy(to, &h, sizeof h);
        const std::uint64_t set = 7;
        std::memcpy(to + sizeof h, &set, sizeof set);
        std::memcpy(to + sizeof h + 8, &before, sizeof before);
        std::memcpy(to + sizeof h + 8 + sizeof before, &after, sizeof after);
        end += size;
    }
};

[[nodiscard]] stamp of_entity(std::uint32_t entity, std::uint64_t version) {
    stamp s;
    s.local_class = 1;
    s.of_class = 77;
    s.entity = {entity};
    s.generation = {3};
    s.version = {version};
    return s;
}

void end_tick(journal& j, int i) {
    if (i % a_tick == a_tick - 2) static_cast<void>(j.begin_tick(j.tick() + ticks{1}));
}

/// As a stage does it: the sizes are known to the compiler.
void append_known(journal& j, std::uint32_t entity, std::uint64_t version, const pose& before, const pose& after) {
    constexpr entry_shape shape{fields, 0, sizeof(pose), sizeof(pose)};
    journal_reservation r = j.reserve(journal::bytes_of(shape));
    if (!r) return;
    entry_room room = r.add(of_entity(entity, version), shape);
    room.changed[0] = std::byte{7};
    std::memcpy(room.before.data(), &before, sizeof before);
    std::memcpy(room.after.data(), &after, sizeof after);
    r.publish();
}

LIDO_BENCH_APART void hand_round(by_hand& h) {
    pose p{1, 2, 3};
    for (int i = 0; i < each; ++i) {
        const pose before = p;
        p.x += 1;
        h.append(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(i), before, p);
    }
}
LIDO_BENCH_APART void known_round(journal& j) {
    pose p{1, 2, 3};
    for (int i = 0; i < each; ++i) {
        const pose before = p;
        p.x += 1;
        append_known(j, static_cast<std::uint32_t>(i), static_cast<std::uint64_t>(i), before, p);
        end_tick(j, i);
    }
}
LIDO_BENCH_APART void spans_round(journal& j) {
    pose p{1, 2, 3};
    const std::byte set{7};
    for (int i = 0; i < each; ++i) {
        const pose before = p;
        p.x += 1;
        static_cast<void>(j.append(of_entity(static_cast<std::uint32_t>(i), static_cast<std::uint64_t>(i)),
                                   std::as_bytes(std::span(&before, 1)), std::as_bytes(std::span(&p, 1)), {},
                                   changed_fields(&set, fields)));
        end_tick(j, i);
    }
}
/// Pairs: two entities in one commit.
LIDO_BENCH_APART void pairs_round(journal& j) {
    constexpr entry_shape shape{fields, 0, sizeof(pose), sizeof(pose)};
    pose p{1, 2, 3};
    for (int i = 0; i < each; i += 2) {
        journal_reservation r = j.reserve(2 * journal::bytes_of(shape));
        for (int k = 0; r && k < 2; ++k) {
            const pose before = p;
            p.x += 1;
            entry_room room = r.add(of_entity(static_cast<std::uint32_t>(i), static_cast<std::uint64_t>(k)), shape);
            room.changed[0] = std::byte{7};
            std::memcpy(room.before.data(), &before, sizeof before);
            std::memcpy(room.after.data(), &p, sizeof p);
        }
        r.publish();
        end_tick(j, i);
    }
}

std::uint64_t sum = 0;
LIDO_BENCH_APART void read_round(journal_cursor& c) {
    static_cast<void>(c.read([](const journal_entry& e) {
        pose p;
        std::memcpy(&p, e.after.data(), sizeof p);
        sum += static_cast<std::uint64_t>(p.x) + e.what.version.value;
    }));
}

template <class F>
[[nodiscard]] double nanoseconds(F&& f) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / each;
}

struct row {
    const char* name;
    double best = 1e30;
    std::vector<double> ratios = {};

    void add(double ns, double hand) {
        best = std::min(best, ns);
        ratios.push_back(ns / hand);
    }
    void print() {
        std::ranges::sort(ratios);
        std::printf("  %-44s %7.2f %7.2f\n", name, best, ratios[ratios.size() / 2]);
    }
};

}  // namespace

int main(int argc, char** argv) {
    tiny = argc > 1 && std::strcmp(argv[1], "--tiny") == 0;
    if (argc > 2 && std::strcmp(argv[1], "--only") == 0) {  // for perf stat: one kind of append alone, 200 rounds
        by_hand h;
        journal j({.bytes = ring_bytes});
        for (int i = 0; i < 200; ++i) {
            if (std::strcmp(argv[2], "hand") == 0) hand_round(h);
            if (std::strcmp(argv[2], "known") == 0) known_round(j);
            if (std::strcmp(argv[2], "spans") == 0) spans_round(j);
        }
        return 0;
    }
    by_hand hand;
    journal known({.bytes = ring_bytes});
    journal spans({.bytes = ring_bytes});
    journal pairs({.bytes = ring_bytes});
    journal read({.bytes = 4 * ring_bytes});
    journal_cursor reader = read.open({.what = reads::everything});
    journal_cursor confirmed = read.open();
    row by_hand_row{"by hand: 48 bytes and the fields, nothing else"};
    row known_row{"reserve, add, publish: one entry"};
    row spans_row{"append: one entry, sizes known at run time"};
    row pairs_row{"two entries a commit, per entry"};
    row read_row{"read, per entry"};
    row confirmed_row{"read confirmed, per entry"};
    const int rounds = tiny ? 1 : 101;
    for (int i = 0; i < rounds; ++i) {
        const double by = nanoseconds([&] { hand_round(hand); });
        by_hand_row.add(by, by);
        known_row.add(nanoseconds([&] { known_round(known); }), by);
        spans_row.add(nanoseconds([&] { spans_round(spans); }), by);
        pairs_row.add(nanoseconds([&] { pairs_round(pairs); }), by);
        known_round(read);
        read_row.add(nanoseconds([&] { read_round(reader); }), by);
        confirmed_row.add(nanoseconds([&] { read_round(confirmed); }), by);
    }
    std::printf("an update of 3 fields of 4 bytes, in a ring of 1 MiB that is full; ns\n  %-44s %7s %7s\n", "", "best",
                "ratio");
    for (row* r : {&by_hand_row, &known_row, &spans_row, &pairs_row, &read_row, &confirmed_row}) r->print();
    for (const journal* j : {&known, &spans, &pairs, &read}) {
        if (j->stats().refused == 0) continue;
        std::printf("a journal refused commits: the figures say nothing\n");
        return 1;
    }
    return sum == 0;
}
