// The main() of every GoogleTest program. Without LIDO_TEST_PART it is GoogleTest's own.
//
// LIDO_TEST_PART=2/8 runs every eighth case, beginning with the third: ctest runs a program in parts, because a process per case
// takes longer than the cases do. The cases run in a child process. When one of them ends that process (a crash, an abort, a
// sanitizer's finding), it is named as failed and a new child goes on with the next case, so that it hides no other.
//
// LIDO_TEST_TIMES=<file> appends a line per case, "<milliseconds> <name>", for ./dev test --times.
#include <lido/core/checks/place.hpp>
#include <lido/core/checks/report.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

namespace {

/// What the child tells its parent, which outlives it.
struct progress {
    std::size_t begun;  // cases of this part that were begun by all children
    bool finished;      // the child came to the end of its last case
};

class reporter : public testing::EmptyTestEventListener {
public:
    explicit reporter(progress* told) : told_(told) {}

    void OnTestStart(const testing::TestInfo&) override {
        if (told_ != nullptr) ++told_->begun;
        // Each case begins as in a process of its own.
        lido::set_tick(lido::no_tick);
        lido::forget_reports();
    }
    void OnTestEnd(const testing::TestInfo& test) override {
        const char* const file = std::getenv("LIDO_TEST_TIMES");
        if (file == nullptr) return;
        std::FILE* const out = std::fopen(file, "a");
        if (out == nullptr) return;
        std::fprintf(out, "%lld %s.%s\n", static_cast<long long>(test.result()->elapsed_time()), test.test_suite_name(),
                     test.name());
        std::fclose(out);
    }
    void OnTestProgramEnd(const testing::UnitTest&) override {
        if (told_ != nullptr) told_->finished = true;
    }

private:
    progress* told_;
};

std::vector<std::string> cases_of_part(std::size_t index, std::size_t count) {
    std::vector<std::string> mine;
    std::size_t number = 0;
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int s = 0; s < all.total_test_suite_count(); ++s) {
        const testing::TestSuite& suite = *all.GetTestSuite(s);
        for (int t = 0; t < suite.total_test_count(); ++t) {
            std::string name = std::string(suite.name()) + "." + suite.GetTestInfo(t)->name();
            if (name.find("DISABLED_") != std::string::npos) continue;  // GoogleTest does not run these; there are none
            if (number++ % count == index) mine.push_back(std::move(name));
        }
    }
    return mine;
}

std::string filter_of(std::span<const std::string> names) {
    std::string filter;
    for (const std::string& name : names) filter.append(filter.empty() ? "" : ":").append(name);
    return filter;
}

std::string how_it_ended(int status) {
    if (WIFSIGNALED(status)) {
        return "signal " + std::to_string(WTERMSIG(status)) + ", " + strsignal(WTERMSIG(status));
    }
    return "exit status " + std::to_string(WEXITSTATUS(status));
}

int fail(const std::string& why) {
    std::fprintf(stderr, "test_main: %s\n", why.c_str());
    return 1;
}

int run_part(const char* part) {
    std::size_t index = 0;
    std::size_t count = 0;
    if (std::sscanf(part, "%zu/%zu", &index, &count) != 2 || index >= count) {
        return fail(std::string("LIDO_TEST_PART is \"") + part + "\"; it has to be like 0/8 … 7/8");
    }
    const std::vector<std::string> mine = cases_of_part(index, count);
    void* const shared = ::mmap(nullptr, sizeof(progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return fail("no memory to share with the child process");
    progress& told = *new (shared) progress{};

    std::vector<std::string> ended_the_process;
    bool failed = false;
    while (told.begun < mine.size()) {
        const std::size_t before = told.begun;
        std::fflush(nullptr);
        const pid_t child = ::fork();
        if (child < 0) return fail("fork failed");
        if (child == 0) {
            GTEST_FLAG_SET(filter, filter_of(std::span(mine).subspan(before)));
            testing::UnitTest::GetInstance()->listeners().Append(new reporter(&told));
            return RUN_ALL_TESTS();
        }
        int status = 0;
        while (::waitpid(child, &status, 0) < 0) {
            if (errno != EINTR) return fail("waitpid failed");
        }
        if (told.finished) {
            // Failures of cases; or a finding at the very end, such as a leak.
            failed = failed || status != 0;
            if (told.begun < mine.size()) return fail("GoogleTest did not run every case of this part");
            break;
        }
        if (told.begun == before) return fail("the process ended before its first case: " + how_it_ended(status));
        ended_the_process.push_back(mine[told.begun - 1]);
        std::printf("[  FAILED  ] %s ended the process: %s\n", mine[told.begun - 1].c_str(),
                    how_it_ended(status).c_str());
    }
    // Once more at the end, where a reader looks first.
    for (const std::string& name : ended_the_process)
        std::printf("[  FAILED  ] %s (ended the process)\n", name.c_str());
    return failed || !ended_the_process.empty() ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    // A death test of the threadsafe style starts this program anew, for its one case.
    const bool in_death_test = std::any_of(argv, argv + argc, [](const char* argument) {
        return std::string_view(argument).starts_with("--gtest_internal_run_death_test");
    });
    testing::InitGoogleMock(&argc, argv);
    const char* const part = std::getenv("LIDO_TEST_PART");
    if (part != nullptr && !in_death_test) return run_part(part);
    if (!in_death_test) testing::UnitTest::GetInstance()->listeners().Append(new reporter(nullptr));
    return RUN_ALL_TESTS();
}
