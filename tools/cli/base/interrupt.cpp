#include "interrupt.hpp"

#include <lido/store/database.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <thread>

#include "exit_code.hpp"

namespace lido::cli {
namespace {

volatile std::sig_atomic_t flag = 0;
int pipe_ends[2] = {-1, -1};
std::mutex current_lock;
store::database* current = nullptr;

extern "C" void on_signal(int) {
    if (flag != 0) ::_exit(exit_interrupted);
    flag = 1;
    const int error = errno;
    const char one = 1;
    // A handler may write and little else: a thread behind the pipe does the rest.
    if (::write(pipe_ends[1], &one, 1) < 0) errno = 0;
    errno = error;
}

void call_back() {
    char one = 0;
    for (;;) {
        const ssize_t got = ::read(pipe_ends[0], &one, 1);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return;
        const std::lock_guard guard(current_lock);
        if (current != nullptr) current->interrupt();
    }
}

}  // namespace

void watch_signals() {
    std::signal(SIGPIPE, SIG_IGN);
    if (::pipe2(pipe_ends, O_CLOEXEC) != 0) return;
    sigset_t ours;
    sigemptyset(&ours);
    for (const int which : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ours, which);
    // The thread is made with them blocked, so that they come to the one that works, and wake it from a write that waits.
    pthread_sigmask(SIG_BLOCK, &ours, nullptr);
    std::thread(call_back).detach();
    struct sigaction action {};
    action.sa_handler = &on_signal;
    for (const int which : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        // What runs behind nohup stays so.
        if (::sigaction(which, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
            ::sigaction(which, &action, nullptr);
    }
    pthread_sigmask(SIG_UNBLOCK, &ours, nullptr);
}

bool interrupted() noexcept { return flag != 0; }

interruptible::interruptible(store::database& db) noexcept {
    const std::lock_guard guard(current_lock);
    current = &db;
}

interruptible::~interruptible() {
    const std::lock_guard guard(current_lock);
    current = nullptr;
}

}  // namespace lido::cli
