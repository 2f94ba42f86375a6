# lido::symbols: file and line in the reports of debug builds. Compiled, so that users' files do not parse a reader of ELF and DWARF.
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  message(FATAL_ERROR "lido::symbols reads programs as Linux has them; configure with -DLIDO_BUILD_SYMBOLS=OFF to leave it out")
endif()

add_library(
  lido_symbols STATIC
  src/symbols/find_line.cpp
  src/symbols/line_store.cpp
  src/symbols/loaded_module.cpp
  src/symbols/registration.cpp)
add_library(lido::symbols ALIAS lido_symbols)
# Position independent, so that it can be part of a plug-in.
set_target_properties(lido_symbols PROPERTIES EXPORT_NAME symbols POSITION_INDEPENDENT_CODE ON)
target_link_libraries(lido_symbols PUBLIC lido_core)

# To link it is all that a user does. No code calls the library: it registers itself with core as the program starts
# (src/symbols/registration.cpp). A linker takes nothing from an archive that nothing refers to, so this option refers to it. It
# reaches every program and shared library that links lido::symbols, also through other static libraries. Not objects instead of
# an archive: those reach only who links them directly, and in a user's own archive they would be left out again. Not a source
# that each user compiles: the same, and with the user's flags. Not --whole-archive: from CMake 3.24 on only.
target_link_options(lido_symbols INTERFACE "LINKER:-u,lido_symbols_register")

# Beside a user's sources it is compiled only if something links it.
if(NOT PROJECT_IS_TOP_LEVEL AND NOT LIDO_INSTALL)
  set_target_properties(lido_symbols PROPERTIES EXCLUDE_FROM_ALL ON)
endif()

# Warnings and sanitizers as its tests have them. Copied and not linked, because lido_development links this library: lido's own
# programs name lines in their reports. Not optimised ones, which make no reports.
if(TARGET lido_development)
  target_compile_options(lido_symbols PRIVATE "$<TARGET_PROPERTY:lido_development,INTERFACE_COMPILE_OPTIONS>")
  target_link_libraries(lido_development INTERFACE "$<$<NOT:$<CONFIG:Release>>:lido_symbols>")
endif()
