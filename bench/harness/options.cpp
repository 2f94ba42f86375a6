#include <bench/harness/options.hpp>

#include <cstdio>
#include <cstdlib>
#include <regex>
#include <string_view>

namespace bench {

namespace {

constexpr const char* help = R"(usage: lido_bench [option...]        (./dev bench builds and runs it)

Measures lido's pools, their peers and what the machine allows, in one process, in random order. docs/benchmarks.md
explains how, and how to read it.

  --quick            64-byte elements at 100 k, and what the bars need: under a minute
  --tiny             everything once and small, to see that it runs: a few seconds
                     (without either: every element at every N, about half an hour)
  --filter REGEX     only what matches somewhere in "workload/size/n/name", for example '^churn/64/100000/' or mimalloc
  --json FILE        the rows and the machine's description
  --results FOLDER   where a CSV and an SVG a workload go; "none" for nowhere
                     (default: bench/results; in a tiny or filtered run and with --best none)
  --repetitions N    default 7, quick 3, tiny 1
  --budget MS        timed milliseconds a repetition; default 20, quick 5
  --best             figures are of the fastest round instead of the median, for a machine that others use too:
                     what was never undisturbed is still wrong
  --list             names what would be measured, and ends
  instructions       counts instructions an operation under callgrind instead of time; with --json and --filter
  patterns           the cost of a spawn and a pass in flag_pool, slot_pool and dense_pool, and in the same patterns by hand,
                     over 8 to 4096 slots and occupancies; says where the crossovers are, and writes patterns.csv and
                     patterns.svg: under a minute, --quick a few seconds; all options work

Ends with status 1 when something that was to be measured has no figure, 2 on a wrong option.
)";

[[noreturn]] void wrong(const std::string& what) {
    std::fprintf(stderr, "lido_bench: %s (see --help)\n", what.c_str());
    std::exit(2);
}

}  // namespace

run_options read_options(int argc, char** argv) {
    run_options o;
    bool results_given = false;
    for (int i = 1; i < argc; ++i) {
        const std::string_view arg = argv[i];
        const auto value = [&]() -> std::string {
            if (i + 1 >= argc) wrong("option " + std::string(arg) + " needs a value");
            return argv[++i];
        };
        const auto number = [&]() -> double {
            const std::string text = value();
            char* end = nullptr;
            const double v = std::strtod(text.c_str(), &end);
            if (end == text.c_str() || *end != '\0' || !(v > 0)) wrong(std::string(arg) + " needs a positive number");
            return v;
        };
        if (arg == "--help" || arg == "-h") {
            std::fputs(help, stdout);
            std::exit(0);
        } else if (arg == "--quick") {
            o.how_much = extent::quick;
        } else if (arg == "--tiny") {
            o.how_much = extent::tiny;
        } else if (arg == "--filter") {
            o.filter = value();
            try {
                const std::regex check(o.filter);
            } catch (const std::regex_error&) {
                wrong("--filter is not a regular expression: " + o.filter);
            }
        } else if (arg == "--json") {
            o.json = value();
        } else if (arg == "--results") {
            o.results = value();
            results_given = true;
        } else if (arg == "--repetitions") {
            o.repetitions = static_cast<int>(number());
        } else if (arg == "--budget") {
            o.budget = number() / 1000;
        } else if (arg == "--best") {
            o.best = true;
        } else if (arg == "--list") {
            o.list = true;
        } else if (arg == "patterns") {
            o.patterns = true;
        } else if (arg == "instructions") {
            o.instructions = true;
        } else if (arg == "--instructions-child") {  // internal: this process runs under callgrind
            o.instructions = o.instructions_child = true;
        } else {
            wrong("unknown option: " + std::string(arg));
        }
    }
    if (o.patterns && o.instructions) wrong("either instructions or patterns");
    if (!results_given && !o.best && o.how_much != extent::tiny && o.filter.empty()) o.results = LIDO_BENCH_RESULTS;
    if (o.results == "none") o.results.clear();
    const bool full = o.how_much == extent::full;
    if (o.repetitions == 0) o.repetitions = full ? 7 : o.how_much == extent::quick ? 3 : 1;
    if (o.budget == 0) o.budget = full ? (o.patterns ? 0.006 : 0.020) : o.how_much == extent::quick ? 0.005 : 0.0;
    return o;
}

}  // namespace bench
