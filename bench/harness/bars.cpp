#include <bench/harness/bars.hpp>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace bench {

namespace {

struct side {
    const char* workload;
    std::size_t size;
    std::size_t n;
    const char* name;
};

/// `mine` is at most `most` times `theirs`.
struct bar {
    const char* area;
    side mine;
    double most;
    side theirs;
};

constexpr std::size_t k1 = 1'000, k10 = 10'000, k100 = 100'000, m1 = 1'000'000;

// N = 100 k and 64 bytes unless the bar says otherwise.
const std::vector<bar>& bars() {
    static const std::vector<bar> all{
        {"lifo", {"lifo", 64, k100, "slot_pool"}, 1.6, {"lifo", 64, k100, "raw LIFO"}},
        {"lifo", {"lifo", 64, k100, "slot_pool"}, 1.0, {"lifo", 64, k100, "plf::colony"}},
        {"lifo", {"lifo", 64, k100, "slot_pool"}, 1.0, {"lifo", 64, k100, "std::vector<unique_ptr>"}},
        {"churn", {"churn", 64, k100, "slot_pool"}, 2.0, {"churn", 64, k100, "raw LIFO"}},
        {"churn", {"churn", 64, k100, "slot_pool"}, 0.7, {"churn", 64, k100, "mimalloc"}},
        {"churn", {"churn", 64, k100, "slot_pool"}, 0.7, {"churn", 64, k100, "jemalloc"}},
        {"churn", {"churn", 64, k100, "slot_pool"}, 0.3, {"churn", 64, k100, "plf::colony"}},
        {"churn", {"churn", 64, m1, "slot_pool/handle32"}, 1.7, {"churn", 64, m1, "raw LIFO"}},
        {"respawn", {"respawn", 64, m1, "slot_pool"}, 1.1, {"respawn", 64, m1, "mimalloc"}},
        {"respawn", {"respawn", 64, m1, "slot_pool"}, 0.1, {"respawn", 64, m1, "boost::pool"}},
        {"respawn", {"respawn", 64, m1, "slot_pool"}, 1.2, {"respawn", 64, m1, "sequential write"}},
        {"dense", {"iterate100", 64, k100, "dense_pool"}, 1.05, {"iterate100", 64, k100, "raw array"}},
        {"dense", {"iterate50", 64, k100, "dense_pool"}, 1.05, {"iterate50", 64, k100, "raw array"}},
        {"dense", {"iterate10", 64, k100, "dense_pool"}, 1.05, {"iterate10", 64, k100, "raw array"}},
        {"dense", {"iterate1", 64, k100, "dense_pool"}, 1.05, {"iterate1", 64, k100, "raw array"}},
        {"columns", {"columns", 64, k100, "column_pool"}, 0.25, {"columns", 64, k100, "raw array"}},
        {"slots", {"iterate100", 64, k100, "slot_pool"}, 1.1, {"iterate100", 64, k100, "raw array"}},
        {"slots", {"iterate50", 64, k100, "slot_pool"}, 0.65, {"iterate50", 64, k100, "plf::colony"}},
        {"slots", {"iterate10", 64, k100, "slot_pool"}, 0.65, {"iterate10", 64, k100, "plf::colony"}},
        {"slots", {"iterate1", 64, k100, "slot_pool"}, 0.65, {"iterate1", 64, k100, "plf::colony"}},
        {"stride", {"iterate100", 256, k100, "slot_pool"}, 1.1, {"iterate100", 256, k100, "raw array/coloured"}},
        {"stride", {"get_hit", 256, k100, "slot_pool"}, 1.4, {"get_hit", 256, k100, "raw array/coloured"}},
        {"get", {"get_hit", 64, k1, "slot_pool"}, 1.3, {"get_hit", 64, k1, "raw array"}},
        {"get", {"get_hit", 64, k100, "slot_pool"}, 1.85, {"get_hit", 64, k100, "raw array"}},
        {"get", {"get_chain", 64, k1, "slot_pool"}, 1.12, {"get_chain", 64, k1, "raw array"}},
        {"get", {"get_chain", 64, k100, "slot_pool"}, 1.12, {"get_chain", 64, k100, "raw array"}},
        {"get", {"get_stale", 64, k1, "slot_pool"}, 1.0, {"get_hit", 64, k1, "slot_pool"}},
        {"get", {"get_stale", 64, k100, "slot_pool"}, 1.0, {"get_hit", 64, k100, "slot_pool"}},
        {"frame", {"frame100", 64, k10, "slot_pool"}, 1.2, {"frame100", 64, k10, "raw loop"}},
        {"frame", {"frame1000", 64, k10, "slot_pool"}, 1.2, {"frame1000", 64, k10, "raw loop"}},
        {"frame", {"frame100", 64, k10, "column_pool"}, 0.5, {"frame100", 64, k10, "raw loop"}},
        {"frame", {"frame100", 64, k10, "slot_pool"}, 0.5, {"frame100", 64, k10, "plf::colony"}},
        {"frame", {"frame1000", 64, k10, "slot_pool"}, 0.5, {"frame1000", 64, k10, "plf::colony"}},
        {"frame", {"frame100", 64, k10, "column_pool"}, 0.5, {"frame100", 64, k10, "plf::colony"}},
        {"frame", {"frame1000", 64, k10, "column_pool"}, 0.5, {"frame1000", 64, k10, "plf::colony"}},
        {"bulk", {"bulk_acquire", 64, k100, "slot_pool"}, 1.05, {"bulk_acquire", 64, k100, "std::vector"}},
        {"rewind", {"save", 64, k100, "slot_pool"}, 1.15, {"save", 64, k100, "memcpy"}},
        {"rewind", {"restore", 64, k100, "slot_pool"}, 1.15, {"restore", 64, k100, "memcpy"}},
        {"recycled", {"recycled", 64, k1, "recycle_pool"}, 0.2, {"recycled", 64, k1, "slot_pool"}},
        {"recycled", {"recycled", 64, k1, "recycle_pool"}, 0.2, {"recycled", 64, k1, "glibc new/delete"}},
        {"recycled", {"recycled", 64, k100, "recycle_pool"}, 0.2, {"recycled", 64, k100, "slot_pool"}},
        {"recycled", {"recycled", 64, k100, "recycle_pool"}, 0.2, {"recycled", 64, k100, "glibc new/delete"}},
        {"recycled", {"lifo", 64, k100, "recycle_pool"}, 1.5, {"lifo", 64, k100, "raw LIFO"}},
        {"recycled", {"churn", 64, k100, "recycle_pool"}, 1.5, {"churn", 64, k100, "raw LIFO"}},
        {"rewind", {"save_1pct", 64, k100, "slot_pool/marked"}, 0.1, {"save", 64, k100, "slot_pool"}},
    };
    return all;
}

std::string text_of(const side& s) {
    return std::string(s.workload) + " " + std::to_string(s.size) + " B " + short_count(s.n) + " " + s.name;
}

int judge(const char* area, const std::string& what, double is, double most, const char* unit) {
    const bool met = is <= most;
    char by[32] = "";
    if (!met) std::snprintf(by, sizeof by, " by %.0f %%", (is / most - 1) * 100);
    std::printf("  %-8s %-88s %7.3f%s of %.3g%s: %s%s\n", area, what.c_str(), is, unit, most, unit,
                met ? "met" : "MISSED", by);
    return met ? 0 : 1;
}

}  // namespace

int print_bars(const rows& all) {
    std::printf("\nThe bars (N = 100 k and 64 B unless said; ratio of medians in this run)\n");
    int missed = 0;
    int absent = 0;
    for (const bar& b : bars()) {
        const row* const mine = find(all, b.mine.workload, b.mine.size, b.mine.n, b.mine.name);
        const row* const theirs = find(all, b.theirs.workload, b.theirs.size, b.theirs.n, b.theirs.name);
        if (mine == nullptr || theirs == nullptr || !(theirs->ns > 0)) {
            ++absent;
            continue;
        }
        missed += judge(b.area, text_of(b.mine) + " / " + text_of(b.theirs), mine->ns / theirs->ns, b.most, "");
    }
    if (const row* r = find(all, "clear", 64, k100, "slot_pool")) {
        missed += judge("bulk", "clear 64 B 100 k slot_pool, an element", r->ns, 0.2, " ns");
    }
    missed += judge("memory", "bookkeeping a slot, slot_pool", slot_pool_bytes(), 9, " B");
    missed += judge("memory", "bookkeeping a slot, dense_pool", dense_pool_bytes(), 9, " B");
    missed += judge("memory", "bookkeeping a slot, flag_pool without generations", flag_pool_bits(), 1, " bit");
    if (absent != 0) std::printf("  %d bars have rows that this run did not measure\n", absent);
    std::printf("  not built yet, so without rows: concurrent\n");
    std::printf("  %d missed\n", missed);
    return missed;
}

}  // namespace bench
