#include <bench/harness/instructions.hpp>

#include <bench/harness/meter.hpp>
#include <bench/harness/output.hpp>
#include <bench/harness/select.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace bench {

namespace {

constexpr const char* columns[] = {"acquire", "release", "get_hit", "iterate100", "iterate50", "churn"};

/// Runs a command to its end; its standard output is not wanted.
int run_program(const std::vector<std::string>& command) {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        execvp(arguments[0], arguments.data());
        std::_Exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The label of a dump ("workload/size/n/name/operations") and the instructions that were counted for it.
bool read_dump(const std::filesystem::path& file, std::string& label, double& instructions) {
    std::ifstream in(file);
    const std::string before = "desc: Trigger: Client Request: ";
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(before)) label = line.substr(before.size());
        if (line.starts_with("totals: ") || line.starts_with("summary: ")) {
            instructions = std::strtod(line.c_str() + line.find(' '), nullptr);
        }
    }
    return !label.empty();
}

}  // namespace

int run_under_callgrind(const run_options& options) {
    for (const chosen& c : select(options)) {
        meter m(meter::mode::instructions, 0, label_of(c));
        c.what->body(m, c.n);
    }
    return 0;
}

int count_instructions(const run_options& options, const char* program) {
    std::string folder = std::filesystem::temp_directory_path() / "lido_bench_XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) {
        std::perror("lido_bench: no temporary folder");
        return 1;
    }
    std::fprintf(stderr, "counting under callgrind, which takes a minute or two\n");
    std::vector<std::string> command{"valgrind",
                                     "--tool=callgrind",
                                     "--quiet",
                                     "--collect-atstart=no",
                                     "--combine-dumps=no",
                                     "--callgrind-out-file=" + folder + "/out",
                                     program,
                                     "--instructions-child"};
    if (!options.filter.empty()) command.insert(command.end(), {"--filter", options.filter});
    const int status = run_program(command);
    if (status != 0) {
        std::fprintf(stderr, "lido_bench: valgrind ended with status %d\n", status);
        return 1;
    }

    std::map<std::string, double> counted;  // by label without the operations
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        std::string label;
        double instructions = 0;
        if (!read_dump(file.path(), label, instructions)) continue;
        const std::size_t cut = label.rfind('/');
        counted[label.substr(0, cut)] = instructions / std::strtod(label.c_str() + cut + 1, nullptr);
    }
    std::filesystem::remove_all(folder);

    rows all;
    for (const chosen& c : select(options)) {
        row r;
        r.workload = c.what->workload;
        r.name = c.what->name;
        r.is = c.what->is;
        r.element = c.what->element;
        r.size = c.what->size;
        r.n = c.n;
        const auto found = counted.find(label_of(c));
        r.ns = found != counted.end() ? found->second : 0;
        all.push_back(r);
    }

    std::printf(
        "Instructions an operation (callgrind, elements of 16 bytes, N = 10 k, flag_pool and object_pool 1 k)\n");
    std::printf("  %-26s %-6s", "", "");
    for (const char* column : columns) std::printf(" %10s", column);
    std::printf("\n");
    std::vector<std::string> names;
    for (const kind k : {kind::limit, kind::lido, kind::peer}) {
        for (const row& r : all) {
            if (r.is == k && std::find(names.begin(), names.end(), r.name) == names.end()) names.push_back(r.name);
        }
    }
    bool complete = !all.empty();
    for (const std::string& name : names) {
        const auto any = std::find_if(all.begin(), all.end(), [&](const row& r) { return r.name == name; });
        std::printf("%s %-26s %-6s", any->is == kind::lido ? ">" : " ", name.c_str(), to_string(any->is));
        for (const char* column : columns) {
            const auto at = std::find_if(all.begin(), all.end(),
                                         [&](const row& r) { return r.name == name && r.workload == column; });
            if (at == all.end()) {
                std::printf(" %10s", "-");
            } else {
                std::printf(" %10.1f", at->ns);
                complete = complete && at->ns > 0;
            }
        }
        std::printf("\n");
    }
    if (!options.json.empty() && !write_json(options.json, all, "instructions")) {
        std::fprintf(stderr, "lido_bench: %s cannot be written\n", options.json.c_str());
        return 1;
    }
    if (!complete) std::fprintf(stderr, "lido_bench: some counts are missing\n");
    return complete ? 0 : 1;
}

}  // namespace bench
