// What workloads/memory.hpp needs of the system.
#include <bench/workloads/memory.hpp>

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace bench {

double resident_bytes() {
    // Counted page by page. The figures of /proc/self/statm are kept a processor each and may be off by a megabyte.
    std::FILE* const file = std::fopen("/proc/self/smaps_rollup", "r");
    if (file == nullptr) return 0;
    double kilobytes = 0;
    for (char line[256]; std::fgets(line, sizeof line, file) != nullptr;) {
        if (std::sscanf(line, "Anonymous: %lf", &kilobytes) == 1) break;  // NOLINT: 0 when it fails, which is reported
    }
    std::fclose(file);
    return kilobytes * 1024;
}

std::vector<void (*)()>& memory_returners() {
    static std::vector<void (*)()> all;
    return all;
}

void give_back_memory() {
    malloc_trim(0);
    for (void (*const give_back)() : memory_returners()) give_back();
}

double in_a_child(const std::function<double()>& probe) {
    int ends[2] = {};
    if (pipe(ends) != 0) return -1;
    const pid_t child = fork();
    if (child == 0) {
        give_back_memory();  // what a heap holds free would be given out again, and not be counted
        const double answer = probe();
        const bool sent = write(ends[1], &answer, sizeof answer) == static_cast<ssize_t>(sizeof answer);
        std::_Exit(sent ? 0 : 1);
    }
    close(ends[1]);
    double answer = -1;
    if (child < 0 || read(ends[0], &answer, sizeof answer) != static_cast<ssize_t>(sizeof answer)) answer = -1;
    close(ends[0]);
    int status = 0;
    if (child > 0) waitpid(child, &status, 0);
    return answer;
}

}  // namespace bench
