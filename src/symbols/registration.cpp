// Makes lido::symbols the finder of lines of whatever links it, without a line of code there.
//
//   link    lido::symbols brings the option `-u lido_symbols_register` (cmake/LidoSymbols.cmake). Nothing calls this file by
//           name, and of an archive a linker takes only what something refers to; the option is that reference.
//   load    the function runs as a constructor and sets core's pointer (checks/line_finder.hpp).
//
// G1. It runs before the globals of its program or library are initialised: 101 is the first priority that is free for programs.
//     So reports of pools that are globals have lines, too.
// G2. Who comes first stays: a library that is loaded later does not replace the finder of the program.
// G3. A shared library that is unloaded takes its finder with it. The program itself does not, see P5 in find_line.hpp.
#include "find_line.hpp"

#include <lido/core/checks/line_finder.hpp>

#include <cstdint>

// Hidden: a shared library that holds this file must not satisfy the reference of a program that is linked to it, because the two may
// have a pointer each.
extern "C" __attribute__((constructor(101), visibility("hidden"))) void lido_symbols_register() noexcept {
    lido::line_finder nobody = nullptr;
    lido::current_line_finder.compare_exchange_strong(nobody, &lido::symbols::find_line);
}

namespace lido::symbols {

namespace {

__attribute__((destructor(101))) void take_back() noexcept {
    line_finder own = &find_line;
    if (find_module(reinterpret_cast<std::uintptr_t>(own)).is_program) return;
    if (current_line_finder.compare_exchange_strong(own, nullptr)) lines_of_program.forget();
}

}  // namespace

}  // namespace lido::symbols
