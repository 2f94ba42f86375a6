// mimalloc and jemalloc. Debian's libraries replace malloc when they are linked, so they are loaded at run time, apart from the
// program's own symbols, and called through pointers, which is also what a call into a shared library is.
//
// jemalloc asks for more thread-local memory than glibc keeps for libraries that come late; main() sees to that (reexec.hpp).
#include <bench/contenders/pointers.hpp>

#include <dlfcn.h>

#include <string>

namespace {

struct functions {
    void* (*take)(std::size_t) = nullptr;
    void (*give)(void*) = nullptr;
};

void (*collect_mimalloc)(bool) = nullptr;
int (*control_jemalloc)(const char*, void*, std::size_t*, void*, std::size_t) = nullptr;

functions mimalloc_calls;
functions jemalloc_calls;

template <class F>
bool resolve(void* library, const char* name, F& to) {
    to = reinterpret_cast<F>(dlsym(library, name));
    return to != nullptr;
}

/// The library must answer for memory that it gave, and not for glibc's: otherwise something else was measured.
bool load_mimalloc() {
    void* const library = dlopen("libmimalloc.so.2", RTLD_NOW | RTLD_LOCAL);
    bool (*owns)(const void*) = nullptr;
    if (library == nullptr || !resolve(library, "mi_malloc", mimalloc_calls.take) ||
        !resolve(library, "mi_free", mimalloc_calls.give) || !resolve(library, "mi_is_in_heap_region", owns) ||
        !resolve(library, "mi_collect", collect_mimalloc)) {
        const char* const why = dlerror();
        bench::missing().push_back(std::string("mimalloc: ") + (why != nullptr ? why : "not as expected"));
        return false;
    }
    void* const theirs = mimalloc_calls.take(64);
    void* const ours = ::operator new(64);
    const bool right = owns(theirs) && !owns(ours);
    mimalloc_calls.give(theirs);
    ::operator delete(ours);
    if (!right) bench::missing().emplace_back("mimalloc: the memory does not come from it");
    bench::memory_returners().push_back([] { collect_mimalloc(true); });
    return right;
}

bool load_jemalloc() {
    void* const library = dlopen("libjemalloc.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr || !resolve(library, "malloc", jemalloc_calls.take) ||
        !resolve(library, "free", jemalloc_calls.give) || !resolve(library, "mallctl", control_jemalloc)) {
        const char* const why = dlerror();
        bench::missing().push_back(std::string("jemalloc: ") + (why != nullptr ? why : "not as expected"));
        return false;
    }
    const auto allocated = [&] {
        std::uint64_t bytes = 0;
        std::size_t size = sizeof bytes;
        return control_jemalloc("thread.allocated", &bytes, &size, nullptr, 0) == 0 ? bytes : 0;
    };
    const std::uint64_t before = allocated();
    ::operator delete(::operator new(64));
    const std::uint64_t between = allocated();
    jemalloc_calls.give(jemalloc_calls.take(64));
    const bool right = between == before && allocated() == before + 64;
    if (!right) bench::missing().emplace_back("jemalloc: the memory does not come from it");
    bench::memory_returners().push_back([] {
        // 4096 is MALLCTL_ARENAS_ALL of jemalloc 5.
        control_jemalloc("thread.tcache.flush", nullptr, nullptr, nullptr, 0);
        control_jemalloc("arena.4096.purge", nullptr, nullptr, nullptr, 0);
    });
    return right;
}

template <functions& Calls>
struct heap {
    heap(std::size_t, std::size_t) {}
    void* take(std::size_t size) { return Calls.take(size); }
    void give(void* p, std::size_t) { Calls.give(p); }
};

template <class T, functions& Calls>
struct loaded : bench::pointers<T, heap<Calls>> {
    using bench::pointers<T, heap<Calls>>::pointers;
    static constexpr bool in(std::string_view workload) { return !bench::is_lookup(workload); }
};

template <class T>
using mimalloc = loaded<T, mimalloc_calls>;
template <class T>
using jemalloc = loaded<T, jemalloc_calls>;

const bool added_mimalloc = load_mimalloc() && bench::add<mimalloc>("mimalloc", bench::kind::peer);
const bool added_jemalloc = load_jemalloc() && bench::add<jemalloc>("jemalloc", bench::kind::peer);

}  // namespace
