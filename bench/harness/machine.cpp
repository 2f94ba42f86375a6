#include <bench/harness/machine.hpp>

#include <benchmark/benchmark.h>
#include <sys/utsname.h>
#include <boost/version.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace bench {

namespace {

std::string first_line(const std::string& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

std::string processor() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    }
    return "unknown";
}

std::string memory() {
    std::ifstream in("/proc/meminfo");
    std::string label, unit;
    double kilobytes = 0;
    if (!(in >> label >> kilobytes >> unit)) return "unknown";
    std::ostringstream text;
    text.precision(3);
    text << kilobytes / 1024 / 1024 << " GiB";
    return text.str();
}

std::string caches() {
    std::string all;
    for (int i = 0;; ++i) {
        const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
        const std::string size = first_line(folder + "size");
        if (size.empty()) break;
        const std::string type = first_line(folder + "type");
        if (!all.empty()) all += ", ";
        all.append("L").append(first_line(folder + "level"));
        if (type == "Data") all += "d";
        if (type == "Instruction") all += "i";
        all.append(" ").append(size);
    }
    return all.empty() ? "unknown" : all;
}

std::string or_unknown(const std::string& text) { return text.empty() ? "not readable" : text; }

}  // namespace

std::vector<std::pair<std::string, std::string>> describe_machine() {
    utsname system{};
    uname(&system);
#if defined(__clang__)
    const std::string compiler = "clang " __clang_version__;
#else
    const std::string compiler = "gcc " __VERSION__;
#endif
    return {
        {"cpu", processor()},
        {"cores", std::to_string(std::thread::hardware_concurrency())},
        {"caches", caches()},
        {"memory", memory()},
        {"governor", or_unknown(first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"))},
        {"huge_pages", or_unknown(first_line("/sys/kernel/mm/transparent_hugepage/enabled"))},
        {"load", or_unknown(first_line("/proc/loadavg"))},
        {"system", std::string(system.sysname) + " " + system.release},
        {"compiler", compiler},
        {"flags", LIDO_BENCH_FLAGS},
        {"boost", BOOST_LIB_VERSION},
    };
}

}  // namespace bench
