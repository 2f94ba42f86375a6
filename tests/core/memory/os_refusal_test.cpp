// Promise: when the operating system itself refuses, growth fails cleanly and works again once it no longer does.
// In a child process, because a limit on memory would hit the test program too.
#include "test_layouts.hpp"

#include <gtest/gtest.h>

#if defined(__linux__) && !LIDO_PORTABLE_MEMORY

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace memory_os_refusal_test {

using namespace lido::test;

// A line of /proc/self/status in bytes, without allocating; 0 when it is not there.
std::size_t status_bytes(const char* key) {
    char text[8192] = {};
    const int file = ::open("/proc/self/status", O_RDONLY);
    if (file < 0) {
        return 0;
    }
    const auto length = ::read(file, text, sizeof text - 1);
    ::close(file);
    const char* line = length > 0 ? std::strstr(text, key) : nullptr;
    return line == nullptr ? 0 : std::strtoull(line + std::strlen(key), nullptr, 10) * 1024;
}

bool limit(int resource, std::size_t bytes) {
    rlimit now{};
    if (::getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0) {
        return false;
    }
    now.rlim_cur = bytes < now.rlim_max ? bytes : now.rlim_max;
    return ::setrlimit(static_cast<__rlimit_resource>(resource), &now) == 0;
}

// The line at which `child` returned, 0 for success.
template <class Child>
int in_child(Child child) {
    const pid_t id = ::fork();
    if (id == 0) {
        ::_exit(child());
    }
    int status = -1;
    if (id < 0 || ::waitpid(id, &status, 0) != id || !WIFEXITED(status)) {
        return 255;
    }
    return WEXITSTATUS(status);
}

TEST(os_refusal, of_a_commit_keeps_every_ready_slot) {
    if (status_bytes("VmData:") == 0) {
        GTEST_SKIP() << "/proc/self/status has no VmData";
    }
    const int step = in_child([] {
        constexpr std::size_t slots = 4000000;
        constexpr std::size_t room = std::size_t{32} << 20;
        lido::reserved_storage::memory<slot_like> memory;
        if (!memory.open(1000, slots)) {
            return 1;
        }
        if (!limit(RLIMIT_DATA, status_bytes("VmData:") + room)) {
            return 2;
        }
        std::size_t ready = memory.ready();
        fill<slot_like>(memory, ready);
        const std::size_t before = memory.bytes();
        while (memory.make_ready(ready + 1) > ready) {
            ready = memory.ready();
        }
        if (memory.ready() != ready || ready == slots) {
            return 3;
        }  // the system refused
        if (memory.bytes() - before > room) {
            return 4;
        }  // within its limit
        if (memory.bytes() - before < room / 2) {
            return 5;
        }  // and not long before it
        if (!holds_fill<slot_like>(memory, 1000)) {
            return 6;
        }
        fill<slot_like>(memory, ready);
        if (!holds_fill<slot_like>(memory, ready)) {
            return 7;
        }  // all ready slots can be touched
        if (memory.make_ready(slots) != ready) {
            return 8;
        }  // still refused, still intact
        if (!limit(RLIMIT_DATA, RLIM_INFINITY)) {
            return 9;
        }
        if (memory.make_ready(slots / 2) < slots / 2) {
            return 10;
        }  // and works again
        if (!holds_fill<slot_like>(memory, ready)) {
            return 11;
        }
        return 0;
    });
    EXPECT_EQ(step, 0);
}

TEST(os_refusal, of_pages_that_were_given_back_is_no_longer_in_the_way) {
    if (status_bytes("VmData:") == 0) {
        GTEST_SKIP() << "/proc/self/status has no VmData";
    }
    const int step = in_child([] {
        constexpr std::size_t slots = 1000000;
        lido::reserved_storage::memory<slot_like> first;
        lido::reserved_storage::memory<slot_like> second;
        if (!first.open(slots, slots) || !second.open(0, slots)) {
            return 1;
        }
        if (!limit(RLIMIT_DATA, status_bytes("VmData:") + (std::size_t{1} << 20))) {
            return 2;
        }
        if (second.make_ready(slots / 2) != 0) {
            return 3;
        }
        if (first.give_back(0) == 0) {
            return 4;
        }
        if (second.make_ready(slots / 2) < slots / 2) {
            return 5;
        }
        return 0;
    });
    EXPECT_EQ(step, 0);
}

TEST(os_refusal, of_address_space_leaves_it_closed) {
    if (status_bytes("VmSize:") == 0) {
        GTEST_SKIP() << "/proc/self/status has no VmSize";
    }
    const int step = in_child([] {
        constexpr std::size_t slots = 1000000;
        if (!limit(RLIMIT_AS, status_bytes("VmSize:") + (std::size_t{4} << 20))) {
            return 1;
        }
        lido::reserved_storage::memory<slot_like> memory;
        if (memory.open(0, slots)) {
            return 2;
        }
        if (memory.max_slots() != 0 || memory.reserved_bytes() != 0) {
            return 3;
        }
        if (!memory.open(0, 1000)) {
            return 4;
        }
        if (!limit(RLIMIT_AS, RLIM_INFINITY)) {
            return 5;
        }
        lido::reserved_storage::memory<slot_like> later;
        if (!later.open(0, slots)) {
            return 6;
        }
        return 0;
    });
    EXPECT_EQ(step, 0);
}

}  // namespace memory_os_refusal_test

#endif
