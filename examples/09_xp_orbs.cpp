// XP orbs in a column_pool: eleven fields, each an array of its own, so that every pass reads only the fields it needs. And orbs that
// merge: into a neighbour when the pool is full, and in a pass that thins out crowds before it is. (S3.1, S3.6.)
#include <lido/core.hpp>

#include <cstdint>
#include <cstdio>
#include <utility>

namespace {

struct orb {
    float x, y, vx, vy;
    std::int32_t amount;
    float radius;
    float spawn_age;
    float pull;
    float magnet_time;
    float life;
    std::uint8_t flags;
};

constexpr std::uint8_t pulled = 1;

struct player {
    float x = 0, y = 0;
    std::int32_t xp = 0;
};

using orb_pool = lido::column_pool<orb>;

/// Orbs near the player start to fly to it. `for_each` over columns is the loop that compilers turn into vector code.
void magnet(orb_pool& orbs, const player& p, float reach) {
    orbs.for_each<&orb::x, &orb::y, &orb::vx, &orb::vy, &orb::flags>(
        [&](float x, float y, float& vx, float& vy, std::uint8_t& flags) {
            const float dx = p.x - x;
            const float dy = p.y - y;
            const bool within = dx * dx + dy * dy < reach * reach;
            flags = static_cast<std::uint8_t>(within ? flags | pulled : flags);
            vx = within ? dx * 0.5f : vx;
            vy = within ? dy * 0.5f : vy;
        });
}

void move(orb_pool& orbs) {
    orbs.for_each<&orb::x, &orb::vx>([](float& x, float vx) { x += vx; });
    orbs.for_each<&orb::y, &orb::vy>([](float& y, float vy) { y += vy; });
    for (float& life : orbs.column<&orb::life>()) life -= 1.0f;  // a column is a std::span, too
}

/// Backward, the row at hand may be released: the last one moves into it, in all eleven columns, and has been visited already.
void collect(orb_pool& orbs, player& p) {
    for (const auto& row : orbs.backward()) {
        auto [x, y, vx, vy, amount, radius, age, pull, time, life, flags] = row;
        const float dx = p.x - x;
        const float dy = p.y - y;
        if (dx * dx + dy * dy > radius * radius) continue;
        p.xp += amount;
        orbs.release(row);
    }
}

std::uint32_t cull(orb_pool& orbs) {
    return orbs.release_if<&orb::life>([](float life) { return life <= 0; });
}

// --- merging ---------------------------------------------------------------------------------------------------------------

constexpr float screen = 20.0f;

bool on_screen(orb_pool::const_reference o) { return o.get<&orb::x>() < screen && o.get<&orb::y>() < screen; }

/// One rule for both ways of merging: a whole orb, or the row of one, is added to the row of another. No orb is worth more than 50.
bool add_to(const orb_pool::reference& into, std::int32_t amount) {
    if (into.get<&orb::amount>() + amount > 50) return false;
    into.get<&orb::amount>() += amount;
    return true;
}

/// Close ones on the screen, where players see it, and far ones off it.
std::uint32_t merge(orb_pool& orbs, lido::merge_pass& pass) {
    const auto where = [](const auto& row) {
        return std::pair{row.template get<&orb::x>(), row.template get<&orb::y>()};
    };
    const auto rule = [](const auto& into, const auto& from) {
        return add_to(into, from.template get<&orb::amount>());
    };
    return pass.run(orbs, 1.0f, where, rule, [](const auto& row) { return on_screen(row); }) +
           pass.run(orbs, 6.0f, where, rule, [](const auto& row) { return !on_screen(row); });
}

int worth(const orb_pool& orbs) {
    int sum = 0;
    for (const std::int32_t amount : orbs.column<&orb::amount>()) sum += amount;
    return sum;
}

orb orb_at(int i) {
    const int line = i / 40;
    return {.x = static_cast<float>(i % 40),
            .y = static_cast<float>(line),
            .vx = 0,
            .vy = 0,
            .amount = 1 + i % 3,
            .radius = 1.0f,
            .spawn_age = 0,
            .pull = 0,
            .magnet_time = 0,
            .life = static_cast<float>(3 + i % 5),
            .flags = 0};
}

}  // namespace

int main() {
    orb_pool orbs{1024, {.name = "xp orbs", .leaks = lido::leaks::allow}};
    player p;

    // A boss explodes: more orbs than there is room for. The pool is a hard wall.
    lido::handle<orb> distant;
    for (int i = 0; i < 1100; ++i) {
        const auto made = orbs.acquire(orb_at(i));
        if (i == 1019) distant = made;
    }
    std::printf("%u of %u orbs, %u dropped\n", static_cast<unsigned>(orbs.size()),
                static_cast<unsigned>(orbs.capacity()), static_cast<unsigned>(orbs.stats().refused));

    for (int tick = 1; tick <= 5; ++tick) {
        magnet(orbs, p, 8.0f);
        move(orbs);
        collect(orbs, p);
        const std::uint32_t faded = cull(orbs);
        std::printf("tick %d: %4u orbs, %3u faded, %d xp\n", tick, static_cast<unsigned>(orbs.size()),
                    static_cast<unsigned>(faded), static_cast<int>(p.xp));
    }

    // Rows move, handles follow. A whole struct comes out of a row.
    if (const auto row = orbs.get(distant)) {
        const orb whole = *row;
        std::printf("the far orb: %.0f,%.0f in row %u, worth %d\n", static_cast<double>(whole.x),
                    static_cast<double>(whole.y), static_cast<unsigned>(row->index()), static_cast<int>(whole.amount));
    }

    // For jobs: runs of rows that share no cache line with their neighbours, whatever column they write.
    orbs.for_each_chunk(100, [](orb_pool::chunk_type chunk) {
        std::printf("chunk of %u rows from %u\n", static_cast<unsigned>(chunk.size),
                    static_cast<unsigned>(chunk.first));
    });

    // The same explosion, and nothing is lost: a newcomer that finds the pool full is folded into the first orb that takes it.
    orb_pool merging{
        1024,
        {.name = "merging orbs",
         .on_full = lido::on_full::merge,
         .leaks = lido::leaks::allow,
         .merge = [](const orb_pool::reference& into, const orb& fresh) { return add_to(into, fresh.amount); }}};
    for (int i = 0; i < 1100; ++i) merging.acquire(orb_at(i));
    std::printf("%u of %u orbs, %u folded, worth %d\n", static_cast<unsigned>(merging.size()),
                static_cast<unsigned>(merging.capacity()), static_cast<unsigned>(merging.stats().merged),
                worth(merging));

    // The pass makes room for the next explosion. All its memory was taken here.
    lido::merge_pass pass{1024};
    const std::uint32_t folded = merge(merging, pass);
    std::printf("a pass folds %u: %u orbs, worth %d\n", static_cast<unsigned>(folded),
                static_cast<unsigned>(merging.size()), worth(merging));
}

/* Output:
1024 of 1024 orbs, 76 dropped
tick 1: 1018 orbs,   0 faded, 14 xp
tick 2: 1007 orbs,   0 faded, 34 xp
tick 3:  778 orbs, 190 faded, 112 xp
tick 4:  587 orbs, 191 faded, 112 xp
tick 5:  394 orbs, 193 faded, 112 xp
the far orb: 19,25 in row 1, worth 3
chunk of 128 rows from 0
chunk of 128 rows from 128
chunk of 128 rows from 256
chunk of 10 rows from 384
1024 of 1024 orbs, 76 folded, worth 2199
a pass folds 793: 231 orbs, worth 2199
*/
