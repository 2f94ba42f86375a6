// Particles in a dense_pool: one span to update, removal on the way back, and a full pool that replaces its oldest.
// (S1.8: particles.)
#include <lido/core.hpp>

#include <cstdio>

namespace {

struct spark {
    int id;
    int height;
    int rise;
};

// track::age buys the order of birth, 8 bytes a slot, which replace_oldest needs.
using spark_pool = lido::dense_pool<spark, lido::options{.tracks = lido::track::age}>;

void print(const char* what, const spark_pool& sparks) {
    std::printf("%-8s", what);
    for (const spark& s : sparks.values()) std::printf(" %d@%d", s.id, s.height);
    std::printf("\n");
}

}  // namespace

int main() {
    int replaced = -1;
    spark_pool sparks{5,
                      {.name = "sparks",
                       .on_full = lido::on_full::replace_oldest,
                       .leaks = lido::leaks::allow,
                       .on_evict = [&replaced](spark_pool::handle_type, spark& s) { replaced = s.id; }}};

    lido::handle<spark> kept;
    for (int id = 0; id < 5; ++id) {
        const lido::handle<spark> h = sparks.acquire(id, 10, id % 2 == 0 ? 1 : -5);
        if (id == 4) kept = h;
    }
    print("start", sparks);

    // An update is a loop over plain memory. Nothing may be acquired or released meanwhile.
    for (spark& s : sparks.values()) s.height += s.rise;
    print("update", sparks);

    // Backward, the object at hand may be released: the last one moves into its row, and has been visited already.
    for (spark& s : sparks.backward()) {
        if (s.height < 8) sparks.release(s);
    }
    print("remove", sparks);

    // Objects move; handles follow them.
    std::printf("spark %d is at row %d now\n", sparks.get(kept)->id,
                static_cast<int>(sparks.get(kept) - sparks.data()));

    // Five more into two free rows: the oldest make room, one by one.
    for (int id = 10; id < 15; ++id) {
        replaced = -1;
        sparks.acquire(id, 0, 1);
        if (replaced >= 0) std::printf("spark %d replaces %d\n", id, replaced);
    }
    print("full", sparks);

    const lido::pool_stats s = sparks.stats();
    std::printf("%u of %u, replaced %u, refused %u\n", static_cast<unsigned>(s.size), static_cast<unsigned>(s.capacity),
                static_cast<unsigned>(s.replaced), static_cast<unsigned>(s.refused));
}

/* Output:
start    0@10 1@10 2@10 3@10 4@10
update   0@11 1@5 2@11 3@5 4@11
remove   0@11 4@11 2@11
spark 4 is at row 1 now
spark 12 replaces 0
spark 13 replaces 2
spark 14 replaces 4
full     11@0 13@0 12@0 10@0 14@0
5 of 5, replaced 3, refused 0
*/
