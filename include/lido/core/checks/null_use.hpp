// `pool.get(h)->x` with a null handle, in builds with forensics: the program ends on the null pointer as in any build, and says before
// that which pool was asked, where, and which refused acquire the handle is of.
//
//   lido: an object was used that get() did not find: the handle is null; pool "bullets", looked up at homing.cpp:17; pool "bullets"
//   refused at weapons.cpp:88: full
//
// get() of a null handle is no mistake and its result is a plain pointer, so nothing can stop before the pointer is used. The lookup is
// noted, and the signal of the crash is listened to: once, and then it takes its course, to a debugger, a sanitizer, a crash reporter.
#pragma once

#include <lido/core/base/config.hpp>
#include <lido/core/checks/blame_report.hpp>
#include <lido/core/checks/place.hpp>
#include <lido/core/checks/report.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>

#if (defined(__unix__) || defined(__APPLE__)) && !defined(__wasm__)
#include <signal.h>
#define LIDO_LISTENS_TO_CRASHES 1
#else
#define LIDO_LISTENS_TO_CRASHES 0
#endif

namespace lido::detail {

#if LIDO_LISTENS_TO_CRASHES

LIDO_SHARED inline constinit std::atomic<bool> listens_to_crashes{false};
LIDO_SHARED inline struct sigaction heard_before_lido {};

/// No object reaches that far into a null pointer's page.
inline constexpr std::uintptr_t first_real_address = 65536;

LIDO_COLD inline void on_crash(int, siginfo_t* info, void*) noexcept {
    if (reinterpret_cast<std::uintptr_t>(info->si_addr) < first_real_address && last_null_lookup.pool[0] != '\0') {
        text_line text;
        text.add("lido: an object was used that get() did not find: the handle is null; ");
        add_null_lookup(text);
        std::fprintf(stderr, "%s\n", text.text());
        std::fflush(stderr);
    }
    // The faulty instruction runs again, for whom it was meant.
    static_cast<void>(sigaction(SIGSEGV, &heard_before_lido, nullptr));
}

LIDO_COLD inline void listen_to_crashes() noexcept {
    if (listens_to_crashes.exchange(true, std::memory_order_acq_rel)) return;
    struct sigaction mine {};
    mine.sa_sigaction = &on_crash;
    mine.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&mine.sa_mask);
    static_cast<void>(sigaction(SIGSEGV, &mine, &heard_before_lido));
}

#else

inline void listen_to_crashes() noexcept {}

#endif

LIDO_COLD inline void note_null_lookup(const char* pool, const void* caller) noexcept {
    if (!reports.null_uses.load(std::memory_order_relaxed)) return;
    null_lookup& to = last_null_lookup;
    std::snprintf(to.pool, sizeof(to.pool), "%s", pool);
    to.at = blamed_place ? blamed_place : source_place::returning_to(caller);
    to.after_refusal = last_refusal.why != nullptr && std::strcmp(last_refusal.pool, to.pool) == 0;
    listen_to_crashes();
}

}  // namespace lido::detail
