// lido_bench: see --help and docs/benchmarks.md.
#include <bench/harness/bars.hpp>
#include <bench/harness/instructions.hpp>
#include <bench/harness/options.hpp>
#include <bench/harness/output.hpp>
#include <bench/harness/patterns.hpp>
#include <bench/harness/select.hpp>
#include <bench/harness/suite.hpp>
#include <bench/harness/svg.hpp>

#include <malloc.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

/// jemalloc, loaded at run time, needs more thread-local memory than glibc keeps for that. It is set aside at the start of a
/// process only, so this one starts again with the setting for it.
void restart_with_room_for_libraries(char** argv) {
    constexpr const char* marker = "LIDO_BENCH_STARTED";
    if (std::getenv(marker) != nullptr) return;
    setenv(marker, "1", 1);
    const char* const set = std::getenv("GLIBC_TUNABLES");
    const std::string tunables =
        (set != nullptr ? std::string(set) + ":" : "") + "glibc.rtld.optional_static_tls=16384";
    setenv("GLIBC_TUNABLES", tunables.c_str(), 1);
    execv("/proc/self/exe", argv);
    std::perror("lido_bench: cannot start again; some peers will be missing");
}

int list(const bench::run_options& options) {
    for (const bench::chosen& c : bench::select(options)) std::printf("%s\n", bench::label_of(c).c_str());
    return 0;
}

bool write_files(const bench::run_options& options, const bench::rows& all) {
    bool good = true;
    if (!options.results.empty()) {
        std::error_code failed;
        std::filesystem::create_directories(options.results, failed);
        good = bench::write_csv(options.results, all) && bench::write_plots(options.results, all);
        if (!good) std::fprintf(stderr, "lido_bench: cannot write to %s\n", options.results.c_str());
    }
    if (!options.json.empty() && !bench::write_json(options.json, all)) {
        std::fprintf(stderr, "lido_bench: cannot write %s\n", options.json.c_str());
        good = false;
    }
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    const bench::run_options options = bench::read_options(argc, argv);
    restart_with_room_for_libraries(argv);
    // glibc gives freed memory at the end of its heap back to the system at once, and a round that ends all its objects would pay
    // for that: its stronger case is the one in which it does not.
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, 1 << 20);

    if (options.patterns) return bench::run_patterns(options);
    for (const std::string& name : bench::missing())
        std::fprintf(stderr, "lido_bench: not measured: %s\n", name.c_str());
    if (options.list) return list(options);
    if (options.instructions_child) return bench::run_under_callgrind(options);
    if (options.instructions) return bench::count_instructions(options, argv[0]);

    bench::print_machine();
    if (options.best) std::printf("figures     of the fastest round, not the median (--best)\n");
    std::fflush(stdout);
    const bench::rows all = bench::run(options);
    bench::print_tables(all);
    if (options.how_much != bench::extent::tiny) bench::print_bars(all);

    bool good = write_files(options, all) && bench::missing().empty();
    for (const bench::row& r : all) {
        if (std::isfinite(r.ns) && r.ns > 0) continue;
        std::fprintf(stderr, "lido_bench: no figure for %s/%zu/%zu/%s\n", r.workload.c_str(), r.size, r.n,
                     r.name.c_str());
        good = false;
    }
    if (all.empty()) {
        std::fprintf(stderr, "lido_bench: nothing was measured; the filter matches nothing\n");
        good = false;
    }
    return good ? 0 : 1;
}
