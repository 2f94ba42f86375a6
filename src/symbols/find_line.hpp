// From a return address to `file:line`, in the process itself: for reports of builds with checks ("acquired weapons.cpp:88").
//
//   address -> module that is loaded there -> its file, mapped -> .debug_line -> spans (line_program.hpp) -> file and line
//
// The first lookup in a module runs through all of its lines: 10 MB of .debug_line take 0.06 s optimised and 0.16 s not, on the
// 2-core virtual machine it was written on. What it learns is kept, and the next ones take some 10 and 20 microseconds. So a
// report of hundreds of places reads the file once. Kept are the mapped file and 32 bytes for some 200 bytes of lines.
//
// A call that is the last thing a function does may become a jump at -O2; its return address is then the caller's caller.
// Not known, with module and offset set: no -g, stripped, compressed (-gz), or in a file of its own. For Linux with little-endian
// ELF only.
//
// P1. No operator new and no malloc: memory comes from mmap. Nothing is thrown.
// P2. Lines are read only from a file that is what was loaded: same segments, same notes. One that was built anew since is not
//     believed, wrong lines being worse than none. (The build id is a note; linked without one, only the layout tells.)
// P3. What is kept of a module is not used for another that was loaded in its place: P2 is checked for each lookup.
// P4. Threads: any number at once; one at a time does the work. Not for signal handlers.
// P5. What is kept is not given back at exit: reports are made until the last destructor has run.
#pragma once

#include "line_store.hpp"

#include <lido/core/checks/line_finder.hpp>

#include <cstdint>

namespace lido::symbols {

/// What the lookups of this program have read so far. Hidden: a shared library that links lido::symbols keeps its own, instead of
/// sharing the program's under its name while its code is another build's.
[[gnu::visibility("hidden")]] extern line_store lines_of_program;

/// The line of the call that returns to `return_address`.
[[nodiscard]] found_line find_line(std::uintptr_t return_address) noexcept;

}  // namespace lido::symbols
