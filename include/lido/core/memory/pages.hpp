// lido: address space and pages. The only file of core that depends on the operating system.
//
//   LIDO_PORTABLE_MEMORY   1 uses no operating system call: the maximum is allocated at once with operator new. Unknown
//                          platforms get this too.
//
// A source of pages is a struct of static functions, all noexcept:
//
//   on_demand            true: memory is taken by commit and returned by decommit; false: reserve already takes it all
//   page_size()          bytes, a power of two; ranges below start and end on it
//   reserve(bytes)       address space that must not be touched yet, at least page aligned; null when refused
//   commit(at, bytes)    makes a range usable, reading as zero; false when refused, and then nothing has changed
//   decommit(at, bytes)  returns the memory of a range but keeps its addresses; its content is gone
//   release(at, bytes)   ends a reservation, whole
//
// Huge pages are a source of their own, chosen by whoever knows that a pool is large: see huge_pages below.
#pragma once

#include "lido/core/base/config.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#ifndef LIDO_PORTABLE_MEMORY
#define LIDO_PORTABLE_MEMORY 0
#endif

#if LIDO_PORTABLE_MEMORY
#define LIDO_PAGES_PORTABLE 1
#elif defined(_WIN32)
#define LIDO_PAGES_WINDOWS 1
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#elif (defined(__unix__) || defined(__APPLE__)) && !defined(__EMSCRIPTEN__)
#define LIDO_PAGES_POSIX 1
#include <sys/mman.h>
#include <unistd.h>
#else
#define LIDO_PAGES_PORTABLE 1
#endif

namespace lido {

template <class P>
concept page_source = requires(void* at, std::size_t bytes) {
    { P::on_demand } -> std::convertible_to<bool>;
    { P::page_size() } noexcept -> std::same_as<std::size_t>;
    { P::reserve(bytes) } noexcept -> std::same_as<void*>;
    { P::commit(at, bytes) } noexcept -> std::same_as<bool>;
    { P::decommit(at, bytes) } noexcept;
    { P::release(at, bytes) } noexcept;
};

/// Pages that are only bookkeeping over one allocation. Always compiled, so that it is tested where it is not used.
struct portable_pages {
    static constexpr bool on_demand = false;

    static std::size_t page_size() noexcept { return 4096; }

    static void* reserve(std::size_t bytes) noexcept {
        return ::operator new(bytes, std::align_val_t{page_size()}, std::nothrow);
    }

    // Zeroed here and not in reserve: systems that do hand out memory on first touch then still do.
    static bool commit(void* at, std::size_t bytes) noexcept {
        std::memset(at, 0, bytes);
        return true;
    }

    static void decommit(void*, std::size_t) noexcept {}

    static void release(void* at, std::size_t) noexcept { ::operator delete(at, std::align_val_t{page_size()}); }
};

#if defined(LIDO_PAGES_POSIX)

struct posix_pages {
    static constexpr bool on_demand = true;

    static std::size_t page_size() noexcept {
        static const std::size_t size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        return size;
    }

    // Without MAP_NORESERVE: pages that cannot be accessed are not charged anyway, and commit() is then charged for
    // what it makes writable. With it Linux never counts these pages, and says no by killing the process at the first
    // touch.
    static void* reserve(std::size_t bytes) noexcept {
        void* at = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0);
        return at == MAP_FAILED ? nullptr : at;
    }

    static bool commit(void* at, std::size_t bytes) noexcept {
        return ::mprotect(at, bytes, PROT_READ | PROT_WRITE) == 0;
    }

    // A new mapping over the old one returns the pages and the charge for them. The usual madvise(MADV_DONTNEED) and
    // mprotect(PROT_NONE) return only the pages once one was touched: after 1 GiB was given back, Committed_AS still
    // held it (Linux 6.18). They are kept for when the system has no mapping left to give.
    static void decommit(void* at, std::size_t bytes) noexcept {
        if (::mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0) == MAP_FAILED) {
            static_cast<void>(::madvise(at, bytes, MADV_DONTNEED));
            static_cast<void>(::mprotect(at, bytes, PROT_NONE));
        }
    }

    static void release(void* at, std::size_t bytes) noexcept { static_cast<void>(::munmap(at, bytes)); }
};

using os_pages = posix_pages;

/// 2 MiB at a time, and the system is asked for one page of that size. What a pool of many megabytes gains: a cold start with a
/// 512th of the page faults, and lookups that miss the TLB less. What it costs: memory in steps of 2 MiB for every array above
/// 64 KiB, and a first touch that zeroes 2 MiB. Where the system has no huge page to give, small ones serve.
struct posix_huge_pages {
    static constexpr bool on_demand = true;

    static std::size_t page_size() noexcept { return std::size_t{2} * 1024 * 1024; }

    // The system aligns to small pages: one huge page more is asked for, and what lies outside is returned.
    static void* reserve(std::size_t bytes) noexcept {
        const std::size_t page = page_size();
        auto* const block = static_cast<std::byte*>(posix_pages::reserve(bytes + page));
        if (block == nullptr) return nullptr;
        const std::size_t before = (page - (reinterpret_cast<std::uintptr_t>(block) & (page - 1))) & (page - 1);
        if (before != 0) posix_pages::release(block, before);
        if (before != page) posix_pages::release(block + before + bytes, page - before);
        return block + before;
    }

    static bool commit(void* at, std::size_t bytes) noexcept {
        if (!posix_pages::commit(at, bytes)) return false;
#if defined(MADV_HUGEPAGE)
        static_cast<void>(::madvise(at, bytes, MADV_HUGEPAGE));  // a wish: small pages are as right
#endif
        return true;
    }

    static void decommit(void* at, std::size_t bytes) noexcept { posix_pages::decommit(at, bytes); }
    static void release(void* at, std::size_t bytes) noexcept { posix_pages::release(at, bytes); }
};

using huge_pages = posix_huge_pages;

/// One mapping for the whole of a reservation; memory comes with the first touch. For programs of thousands of pools: a process has some
/// 65 000 mappings at most (Linux), and with os_pages what is committed and what is not are two for each array. What it costs: the
/// system is not asked as a pool grows, and where it is out of memory it ends the process at a touch. Where it counts every page in
/// advance (vm.overcommit_memory 2), or locks all memory of a process (mlockall), the whole reservation counts.
struct posix_lazy_pages {
    static constexpr bool on_demand = true;

    static std::size_t page_size() noexcept { return posix_pages::page_size(); }

    static void* reserve(std::size_t bytes) noexcept {
#if defined(MAP_NORESERVE)
        constexpr int flags = MAP_PRIVATE | MAP_ANON | MAP_NORESERVE;
#else
        constexpr int flags = MAP_PRIVATE | MAP_ANON;
#endif
        void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
        if (at == MAP_FAILED) return posix_pages::reserve(bytes);  // counted in advance: in steps, then
#if defined(MADV_NOHUGEPAGE)
        static_cast<void>(::madvise(at, bytes, MADV_NOHUGEPAGE));  // 2 MiB for the first byte of each array otherwise
#endif
        return at;
    }

    static bool commit(void* at, std::size_t bytes) noexcept { return posix_pages::commit(at, bytes); }

    static void decommit(void* at, std::size_t bytes) noexcept {
#if defined(__linux__)
        static_cast<void>(::madvise(at, bytes, MADV_DONTNEED));  // reads as zero from then on
#else
        posix_pages::decommit(at, bytes);
#endif
    }

    static void release(void* at, std::size_t bytes) noexcept { posix_pages::release(at, bytes); }
};

using lazy_pages = posix_lazy_pages;

#elif defined(LIDO_PAGES_WINDOWS)

struct windows_pages {
    static constexpr bool on_demand = true;

    static std::size_t page_size() noexcept {
        static const std::size_t size = [] {
            SYSTEM_INFO info;
            ::GetSystemInfo(&info);
            return static_cast<std::size_t>(info.dwPageSize);
        }();
        return size;
    }

    static void* reserve(std::size_t bytes) noexcept {
        return ::VirtualAlloc(nullptr, bytes, MEM_RESERVE, PAGE_NOACCESS);
    }

    static bool commit(void* at, std::size_t bytes) noexcept {
        return ::VirtualAlloc(at, bytes, MEM_COMMIT, PAGE_READWRITE) != nullptr;
    }

    static void decommit(void* at, std::size_t bytes) noexcept {
        static_cast<void>(::VirtualFree(at, bytes, MEM_DECOMMIT));
    }

    static void release(void* at, std::size_t) noexcept { static_cast<void>(::VirtualFree(at, 0, MEM_RELEASE)); }
};

using os_pages = windows_pages;
using huge_pages = windows_pages;  // large pages need a privilege there that games do not have
using lazy_pages = windows_pages;  // where nobody counts mappings

#else

using os_pages = portable_pages;
using huge_pages = portable_pages;
using lazy_pages = portable_pages;

#endif

static_assert(page_source<os_pages> && page_source<huge_pages> && page_source<lazy_pages> &&
              page_source<portable_pages>);

}  // namespace lido
