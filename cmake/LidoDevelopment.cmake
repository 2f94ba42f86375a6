# What lido's own programs (tests, examples, benchmarks) are built with. None of it reaches a user of the library:
# it hangs on the target lido_development, which is neither exported nor linked by lido::*.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "lido needs GCC 12 or later, or Clang 14 or later; this is GCC ${CMAKE_CXX_COMPILER_VERSION}")
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  message(FATAL_ERROR "lido needs GCC 12 or later, or Clang 14 or later; this is Clang ${CMAKE_CXX_COMPILER_VERSION}")
endif()

option(LIDO_WERROR "Turn warnings into errors" OFF)
option(LIDO_NO_EXCEPTIONS "Build without exceptions and RTTI, and without the tests that need GoogleTest" OFF)
set(LIDO_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=, for example address,undefined")
set(LIDO_SANITIZE_FLAGS "" CACHE STRING "Further flags after them, for example -fno-sanitize=alignment")

# Here and not in the presets, so that a machine without ccache builds with the same presets.
if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(LIDO_CCACHE ccache)
  mark_as_advanced(LIDO_CCACHE)
  if(LIDO_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${LIDO_CCACHE}")
  endif()
endif()

# -std=c++20 and not gnu++20: what compiles here has to compile elsewhere.
set(CMAKE_CXX_EXTENSIONS OFF)

add_library(lido_development INTERFACE)
target_link_libraries(lido_development INTERFACE lido::core)
target_compile_options(
  lido_development
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
            $<$<BOOL:${LIDO_WERROR}>:-Werror>
            $<$<BOOL:${LIDO_NO_EXCEPTIONS}>:-fno-exceptions>
            $<$<BOOL:${LIDO_NO_EXCEPTIONS}>:-fno-rtti>)
if(LIDO_SANITIZE)
  # Non-recovering: a finding ends the program, so no test passes beside one.
  target_compile_options(
    lido_development INTERFACE -fsanitize=${LIDO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
                               ${LIDO_SANITIZE_FLAGS})
  target_link_options(lido_development INTERFACE -fsanitize=${LIDO_SANITIZE})
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC collects its garbage after every few dozen megabytes. Not before 2 GB: a sixth less time on the large units of the tests.
  target_compile_options(lido_development INTERFACE $<$<CONFIG:Debug>:--param=ggc-min-heapsize=2000000>)
endif()
# A test program of 160 MB takes 1 s to link instead of 6.
find_program(LIDO_LLD ld.lld)
mark_as_advanced(LIDO_LLD)
if(LIDO_LLD AND LIDO_BUILD_TESTS)
  target_link_options(lido_development INTERFACE -fuse-ld=lld)
endif()
