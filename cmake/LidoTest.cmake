# Helpers for tests/CMakeLists.txt and examples/CMakeLists.txt.
#
# A preset chooses which groups it builds (LIDO_TEST_GROUPS) and how its tests are named (LIDO_TEST_PREFIX), because one
# ctest runs the tests of several presets together.
set(LIDO_ALL_TEST_GROUPS unit property golden noexcept examples readme compile_fail fuzz consumers debugger valgrind page)
set(LIDO_TEST_GROUPS all CACHE STRING "Groups of tests to build: ${LIDO_ALL_TEST_GROUPS}; or all, or none")
set(LIDO_TEST_SHARDS 0 CACHE STRING "Run each GoogleTest program in that many parts; 0: each of its cases alone")
set(LIDO_TEST_PREFIX "" CACHE STRING "Put before the name of every test")

# What the programs under test run with: a sanitizer's report is of use only with a stack.
set(lido_test_environment "ASAN_OPTIONS=detect_stack_use_after_return=1" "UBSAN_OPTIONS=print_stacktrace=1")

# lido_has_group(<variable> <group>): whether this build has that group of tests.
function(lido_has_group variable group)
  set(found OFF)
  if(LIDO_BUILD_TESTS AND (LIDO_TEST_GROUPS STREQUAL "all" OR group IN_LIST LIDO_TEST_GROUPS))
    set(found ON)
  endif()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# lido_test(<name> [RAPIDCHECK] [TIMEOUT <seconds>] <source>...): a GoogleTest program, each case of which is a test.
# `#include <support/...>` finds tests/support. Without sources there is no program.
#
# No precompiled gtest.h: with GCC 12 it saves 0.8 s a file, costs 2.6 s a program and preset, needs ccache to be made
# less strict, and would hide a test that does not include what it uses.
function(lido_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RAPIDCHECK" "TIMEOUT" "")
  if(NOT arg_UNPARSED_ARGUMENTS)
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${name} PRIVATE lido_development GTest::gtest GTest::gtest_main GTest::gmock)
  if(TARGET lido_test_support)
    target_link_libraries(${name} PRIVATE lido_test_support)
  endif()
  if(arg_RAPIDCHECK)
    target_link_libraries(${name} PRIVATE rapidcheck rapidcheck_gtest)
    if(LIDO_SANITIZE)
      # Few files, long runs: here the optimiser earns its time. GCC's tracking of variables would double that time.
      target_compile_options(${name} PRIVATE -O1 $<$<CXX_COMPILER_ID:GNU>:-fno-var-tracking-assignments>)
    endif()
  endif()
  if(LIDO_TEST_SHARDS)
    math(EXPR last "${LIDO_TEST_SHARDS} - 1")
    foreach(shard RANGE ${last})
      set(test "${LIDO_TEST_PREFIX}${name}.part${shard}")
      add_test(NAME "${test}" COMMAND ${name} --gtest_brief=1)
      set_tests_properties(
        "${test}"
        PROPERTIES TIMEOUT 900
                   ENVIRONMENT
                   "${lido_test_environment};GTEST_TOTAL_SHARDS=${LIDO_TEST_SHARDS};GTEST_SHARD_INDEX=${shard}")
    endforeach()
    return()
  endif()
  # PRE_TEST: asking each program for its cases after the build would run it once more for every link.
  gtest_discover_tests(
    ${name}
    TEST_PREFIX "${LIDO_TEST_PREFIX}"
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${lido_test_environment}")
endfunction()

# lido_plain_test(<name> COMMAND ... [TIMEOUT <seconds>]): a test that is a command.
function(lido_plain_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "COMMAND")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_test(NAME "${LIDO_TEST_PREFIX}${name}" COMMAND ${arg_COMMAND})
  set_tests_properties(
    "${LIDO_TEST_PREFIX}${name}" PROPERTIES TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${lido_test_environment}")
endfunction()

# lido_header_check(): the target lido_header_check compiles every public header alone. Twice in one file, which also
# proves the include guard. Not part of `all`: ./dev test builds it as a stage of its own.
function(lido_header_check)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/include/lido/*.hpp")
  set(sources)
  foreach(header IN LISTS headers)
    string(REPLACE "/" "_" name "${header}")
    set(source "${PROJECT_BINARY_DIR}/header_check/${name}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include <${header}>\n#include <${header}>  // NOLINT: twice on purpose\n")
    list(APPEND sources "${source}")
  endforeach()
  add_library(lido_header_check OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(lido_header_check PRIVATE lido_development)
endfunction()

# lido_compile_fail_test(<source>): two tests. The file must not compile, and the message must match the regular
# expression of its first line, `// expect: <regex>`; with LIDO_COMPILE_FAIL_CONTROL defined it must compile, so that
# nothing else in it is the reason.
function(lido_compile_fail_test source)
  get_filename_component(name "${source}" NAME_WE)
  foreach(control IN ITEMS OFF ON)
    set(test "compile_fail.${name}")
    if(control)
      string(APPEND test ".control")
    endif()
    lido_plain_test(
      ${test}
      COMMAND "${CMAKE_COMMAND}" "-DCOMPILER=${CMAKE_CXX_COMPILER}" "-DSOURCE=${source}"
              "-DINCLUDE=${PROJECT_SOURCE_DIR}/include" -DCONTROL=${control} -P
              "${PROJECT_SOURCE_DIR}/cmake/RunCompileFail.cmake")
  endforeach()
endfunction()

# lido_example(<source>): the program lido_example_<name>, and the test that it prints what its last comment says.
function(lido_example source)
  get_filename_component(name "${source}" NAME_WE)
  add_executable(lido_example_${name} "${source}")
  target_link_libraries(lido_example_${name} PRIVATE lido_development)
  lido_has_group(tested examples)
  if(tested)
    lido_plain_test(
      example.${name}
      COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:lido_example_${name}>" "-DSOURCE=${source}"
              "-DWORK=${CMAKE_CURRENT_BINARY_DIR}/output/${name}" -P "${PROJECT_SOURCE_DIR}/cmake/RunExample.cmake")
  endif()
endfunction()

# lido_readme_test(<file>): the first ```cpp block of the file is a complete program; it must compile, run and return 0.
function(lido_readme_test file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" text)
  # FIND and SUBSTRING and no regular expression or list: C++ is full of semicolons and brackets.
  string(FIND "${text}" "\n```cpp\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "${file} has no \`\`\`cpp block; its first one is compiled as a complete program")
  endif()
  math(EXPR begin "${begin} + 8")
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "\n```" end)
  if(end EQUAL -1)
    message(FATAL_ERROR "${file}: the first \`\`\`cpp block does not end")
  endif()
  string(SUBSTRING "${text}" 0 ${end} text)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/readme_snippet.cpp")
  file(GENERATE OUTPUT "${source}" CONTENT "${text}\n")
  add_executable(lido_readme_snippet "${source}")
  target_link_libraries(lido_readme_snippet PRIVATE lido_development)
  lido_plain_test(readme_snippet COMMAND lido_readme_snippet)
endfunction()

# lido_fuzz(<source> [LINK <library>]): <name>_fuzz.cpp becomes the libFuzzer program lido_<name>_fuzzer with
# LIDO_BUILD_FUZZERS, and lido_<name>_replay with the test that its corpus passes.
function(lido_fuzz source)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LINK" "")
  get_filename_component(name "${source}" NAME_WE)
  string(REGEX REPLACE "_fuzz$" "" name "${name}")
  if(LIDO_BUILD_FUZZERS)
    add_executable(lido_${name}_fuzzer "${source}")
    target_include_directories(lido_${name}_fuzzer PRIVATE "${PROJECT_SOURCE_DIR}/tests")
    target_link_libraries(lido_${name}_fuzzer PRIVATE lido_development ${arg_LINK})
    target_compile_options(lido_${name}_fuzzer PRIVATE -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all)
    target_link_options(lido_${name}_fuzzer PRIVATE -fsanitize=fuzzer,address,undefined)
    if(arg_LINK)
      # The fuzzer is led by what it sees of the code.
      target_compile_options(${arg_LINK} PRIVATE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
    endif()
  endif()
  lido_has_group(tested fuzz)
  if(tested)
    add_executable(lido_${name}_replay "${source}" "${PROJECT_SOURCE_DIR}/tests/fuzz/replay_main.cpp")
    target_include_directories(lido_${name}_replay PRIVATE "${PROJECT_SOURCE_DIR}/tests")
    target_link_libraries(lido_${name}_replay PRIVATE lido_development ${arg_LINK})
    lido_plain_test(
      fuzz_corpus.${name} COMMAND lido_${name}_replay "${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name}" TIMEOUT 300)
  endif()
endfunction()

# lido_consumer_test(<name> <mode>): tests/consumers/<name> is a project of a user; it must configure, build and run.
function(lido_consumer_test name mode)
  lido_plain_test(
    consumer.${name}
    COMMAND "${CMAKE_COMMAND}" "-DMODE=${mode}" "-DPROJECT=${PROJECT_SOURCE_DIR}/tests/consumers/${name}"
            "-DWORK=${CMAKE_CURRENT_BINARY_DIR}/consumers/${name}" "-DCOMPILER=${CMAKE_CXX_COMPILER}"
            "-DGENERATOR=${CMAKE_GENERATOR}" "-DLIDO_SOURCE=${PROJECT_SOURCE_DIR}"
            "-DLIDO_BINARY=${PROJECT_BINARY_DIR}" -P "${PROJECT_SOURCE_DIR}/cmake/RunConsumer.cmake"
    TIMEOUT 300)
endfunction()

# lido_debugger_test(<name> <script> <expected> [INSTALLED]): gdb runs the script in tests/debugger on lido_debuggee, with the
# views of the source tree or of an installed one, and must print the text of <expected>.
function(lido_debugger_test name script expected)
  cmake_parse_arguments(PARSE_ARGV 3 arg "INSTALLED" "" "")
  lido_plain_test(
    debugger.${name}
    COMMAND "${CMAKE_COMMAND}" "-DGDB=${LIDO_GDB}" "-DPROGRAM=$<TARGET_FILE:lido_debuggee>" "-DSCRIPT=${script}"
            "-DEXPECTED=${expected}" "-DINSTALLED=${arg_INSTALLED}" "-DLIDO_SOURCE=${PROJECT_SOURCE_DIR}"
            "-DLIDO_BINARY=${PROJECT_BINARY_DIR}" "-DWORK=${CMAKE_CURRENT_BINARY_DIR}/debugger/${name}" -P
            "${PROJECT_SOURCE_DIR}/tests/debugger/RunGdb.cmake")
  # A script of CMake has no exit status of its own choice, so a line that it prints takes the place of SKIP_RETURN_CODE.
  set_tests_properties("${LIDO_TEST_PREFIX}debugger.${name}" PROPERTIES SKIP_REGULAR_EXPRESSION "debugger test skipped: ")
endfunction()
