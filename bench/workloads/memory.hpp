// Bytes of memory that the system has given for one object, element included: what is resident after N spawns less what was
// before, in a process of its own that has just begun. The list of references is not part of it.
#pragma once

#include <bench/harness/meter.hpp>
#include <bench/workloads/contender.hpp>

#include <functional>

namespace bench {

/// Bytes of this process that are in memory and belong to no file.
[[nodiscard]] double resident_bytes();

/// Gives what the heaps hold free back to the system, so that what follows is cold.
void give_back_memory();

/// What else give_back_memory() has to call, for heaps beside glibc's.
[[nodiscard]] std::vector<void (*)()>& memory_returners();

/// Calls `probe` in a child process and answers what it answered; negative when that went wrong.
[[nodiscard]] double in_a_child(const std::function<double()>& probe);

template <class C>
void memory(meter& m, std::size_t n) {
    m.report(in_a_child([n] {
        std::vector<typename C::ref> refs(n, typename C::ref{});
        benchmark::DoNotOptimize(refs.data());
        const double before = resident_bytes();
        C pool(n);
        for (std::size_t i = 0; i < n; ++i) refs[i] = pool.spawn(static_cast<std::uint32_t>(i));
        // Clang leaves out allocations that nobody looks at.
        benchmark::DoNotOptimize(&pool);
        benchmark::ClobberMemory();
        const double after = resident_bytes();
        if constexpr (!C::owns) {
            for (const auto& r : refs) pool.end(r);
        }
        return (after - before) / static_cast<double>(n);
    }));
}

}  // namespace bench
