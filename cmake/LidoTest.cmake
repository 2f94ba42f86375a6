# Helpers for tests/CMakeLists.txt and examples/CMakeLists.txt.
#
# A preset chooses which groups it builds (LIDO_TEST_GROUPS) and how its tests are named (LIDO_TEST_PREFIX), because one
# ctest runs the tests of several presets together.
set(LIDO_ALL_TEST_GROUPS unit threads property golden noexcept examples readme docs compile_fail fuzz consumers debugger valgrind page)
set(LIDO_TEST_GROUPS all CACHE STRING "Groups of tests to build: ${LIDO_ALL_TEST_GROUPS}; or all, or none")
set(LIDO_TEST_BATCH 8 CACHE STRING "How many test files are compiled as one; 1: each alone")
set(LIDO_HEADER_CHECK all CACHE STRING "Which headers lido_header_check reads: all, public or together")
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

# lido_test(<name> [RAPIDCHECK] [PARTS <number>] [ALONE <source>...] <source>...): a GoogleTest program.
# `#include <support/...>` finds tests/support. Without sources there is no program.
#
# The files are compiled LIDO_TEST_BATCH at a time, each batch as one: most of what a test costs is reading headers and
# instantiating the same templates. So a test file keeps its names in a namespace of its own. Files after ALONE are compiled alone
# (they define a macro before they include lido).
#
# ctest runs the program in PARTS, because a process per case takes longer than the cases do; tests/support/test_main.cpp says how a
# failing case is still named. With LIDO_TEST_CASES in the environment ctest sees each case as a test: ./dev test -R does that.
#
# No precompiled gtest.h: with GCC 12 it saves 0.8 s a file, costs 2.6 s a program and preset, needs ccache to be made
# less strict, and would hide a test that does not include what it uses.
function(lido_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RAPIDCHECK" "PARTS" "ALONE")
  set(sources ${arg_UNPARSED_ARGUMENTS} ${arg_ALONE})
  if(NOT sources)
    return()
  endif()
  if(NOT arg_PARTS)
    set(arg_PARTS 1)
  endif()
  add_executable(${name} ${sources})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${name} PRIVATE lido_development GTest::gtest GTest::gmock)
  if(TARGET lido_test_support)
    target_link_libraries(${name} PRIVATE lido_test_support)
  endif()
  if(LIDO_TEST_BATCH GREATER 1)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${LIDO_TEST_BATCH})
    set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  if(arg_RAPIDCHECK)
    target_link_libraries(${name} PRIVATE rapidcheck rapidcheck_gtest)
    if(LIDO_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # Few files, long runs: here the optimiser earns its time. GCC's tracking of variables would double that time.
      target_compile_options(${name} PRIVATE -O1 -fno-var-tracking-assignments)
    endif()
  endif()

  # What gtest_discover_tests adds to the folder's list of test files is taken back out of it, to be read on demand only.
  get_directory_property(before TEST_INCLUDE_FILES)
  # PRE_TEST: asking each program for its cases after the build would run it once more for every link.
  gtest_discover_tests(
    ${name}
    TEST_PREFIX "${LIDO_TEST_PREFIX}"
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 300
    PROPERTIES TIMEOUT 600 ENVIRONMENT "${lido_test_environment}")
  get_directory_property(after TEST_INCLUDE_FILES)
  if(before)
    list(REMOVE_ITEM after ${before})
  endif()
  set(parts "")
  math(EXPR last "${arg_PARTS} - 1")
  foreach(part RANGE ${last})
    set(test "${LIDO_TEST_PREFIX}${name}.part${part}")
    string(APPEND parts "  add_test([=[${test}]=] [=[$<TARGET_FILE:${name}>]=] --gtest_brief=1)\n"
           "  set_tests_properties([=[${test}]=] PROPERTIES TIMEOUT 900 COST 100 ENVIRONMENT "
           "[=[${lido_test_environment};LIDO_TEST_PART=${part}/${arg_PARTS};LIDO_TEST_TIMES=${PROJECT_BINARY_DIR}/times/${name}.part${part}.txt]=])\n")
  endforeach()
  set(list "${CMAKE_CURRENT_BINARY_DIR}/${name}_cases_or_parts.cmake")
  file(GENERATE OUTPUT "${list}"
       CONTENT "if(DEFINED ENV{LIDO_TEST_CASES})\n  include([=[${after}]=])\nelse()\n${parts}endif()\n")
  list(APPEND before "${list}")
  set_directory_properties(PROPERTIES TEST_INCLUDE_FILES "${before}")
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/times")
endfunction()

# lido_plain_test(<name> COMMAND ... [TIMEOUT <seconds>]): a test that is a command.
function(lido_plain_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "COMMAND")
  if(NOT arg_TIMEOUT)
    # For what hangs, not for what is slow: a loaded machine took ten times as long as an idle one.
    set(arg_TIMEOUT 900)
  endif()
  add_test(NAME "${LIDO_TEST_PREFIX}${name}" COMMAND ${arg_COMMAND})
  set_tests_properties(
    "${LIDO_TEST_PREFIX}${name}" PROPERTIES TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${lido_test_environment}")
endfunction()

# lido_syntax_check(<stamp> <source> [FLAGS <flag>...]): the file is read by the compiler with the flags of the tests, and no code is
# generated. Again only when something changed that it includes.
function(lido_syntax_check stamp source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "FLAGS")
  file(RELATIVE_PATH shown "${PROJECT_BINARY_DIR}" "${stamp}")
  # SHELL: is for CMake's own compiler runs; what follows it says how code is generated.
  set(options "$<FILTER:$<TARGET_PROPERTY:lido_development,INTERFACE_COMPILE_OPTIONS>,EXCLUDE,^SHELL:>")
  add_custom_command(
    OUTPUT "${stamp}"
    COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 "${options}"
            "-I${PROJECT_SOURCE_DIR}/include" ${arg_FLAGS} -fsyntax-only -MD -MF "${stamp}.d" -MT "${stamp}" "${source}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS "${source}"
    DEPFILE "${stamp}.d"
    COMMENT "Reading ${shown}"
    COMMAND_EXPAND_LISTS VERBATIM)
endfunction()

# lido_header_check(): the target lido_header_check reads headers alone, each twice in one file, which also proves the include
# guard. Not part of `all`. LIDO_HEADER_CHECK says which:
#   all        every header below include/
#   public     those that a user includes: include/lido/*.hpp and include/lido/<layer>/*.hpp
#   together   all of them, in one file: that they fit these flags and one another
# The library lido_all_headers is never built; through it clang-tidy learns of the headers, all in one file.
function(lido_header_check)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/include/lido/*.hpp")
  set(folder "${PROJECT_BINARY_DIR}/header_check")
  set(together "")
  foreach(header IN LISTS headers)
    string(REPLACE "/" "_" name "${header}")
    set(source "${folder}/${name}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include <${header}>\n#include <${header}>  // NOLINT: twice on purpose\n")
    string(APPEND together "#include <${header}>\n")
    if(LIDO_HEADER_CHECK STREQUAL "all" OR (LIDO_HEADER_CHECK STREQUAL "public" AND header MATCHES "^lido/([^/]+/)?[^/]+$"))
      lido_syntax_check("${folder}/${name}.ok" "${source}")
      list(APPEND stamps "${folder}/${name}.ok")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT "${folder}/together.cpp" CONTENT "${together}")
  if(LIDO_HEADER_CHECK STREQUAL "together")
    lido_syntax_check("${folder}/together.ok" "${folder}/together.cpp")
    set(stamps "${folder}/together.ok")
  endif()
  add_custom_target(lido_header_check DEPENDS ${stamps})
  add_library(lido_all_headers OBJECT EXCLUDE_FROM_ALL "${folder}/together.cpp")
  target_link_libraries(lido_all_headers PRIVATE lido_development)
endfunction()

# lido_compile_fail_tests(<source>...): each file must not compile, and the message must match the regular expression of its first
# line, `// expect: <regex>`. With LIDO_COMPILE_FAIL_CONTROL defined it must compile, so that nothing else in it is the reason: all
# files are read that way in one unit, each in a namespace of its own, as part of the build.
#
# A precompiled header here, because these files have next to nothing else: 0.3 s a file.
function(lido_compile_fail_tests)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/compile_fail")
  set(includes "#include <lido/core.hpp>\n#include <lido/world.hpp>\n#include <lido/entity.hpp>\n")
  set(controls "")
  set(number 0)
  foreach(source IN LISTS ARGN)
    # The standard headers of the files come first, outside of their namespaces.
    file(STRINGS "${source}" lines REGEX "^#include <[a-z_]+>$")
    foreach(line IN LISTS lines)
      string(APPEND includes "${line}\n")
    endforeach()
    math(EXPR number "${number} + 1")
    string(APPEND controls "namespace control_${number} {\n#include \"${source}\"\n}\n")
  endforeach()
  file(CONFIGURE OUTPUT "${folder}/controls.cpp" CONTENT "${includes}${controls}" @ONLY)
  file(CONFIGURE OUTPUT "${folder}/lido_all.hpp" CONTENT "${includes}" @ONLY)
  lido_syntax_check("${folder}/controls.ok" "${folder}/controls.cpp"
                    FLAGS -DLIDO_COMPILE_FAIL_CONTROL -w)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(compiled "${folder}/lido_all.hpp.gch")
    set(use -include "${folder}/lido_all.hpp")  # GCC looks for the .gch beside it
  else()
    set(compiled "${folder}/lido_all.hpp.pch")
    set(use -include-pch "${compiled}")
  endif()
  add_custom_command(
    OUTPUT "${folder}/lido_all.ok"
    COMMAND "${CMAKE_CXX_COMPILER}" -std=c++20 "-I${PROJECT_SOURCE_DIR}/include" -x c++-header "${folder}/lido_all.hpp" -o
            "${compiled}" -MD -MF "${folder}/lido_all.d" -MT "${folder}/lido_all.ok"
    COMMAND "${CMAKE_COMMAND}" -E touch "${folder}/lido_all.ok"
    DEPENDS "${folder}/lido_all.hpp"
    DEPFILE "${folder}/lido_all.d"
    COMMENT "A precompiled header for what must not compile"
    VERBATIM)
  add_custom_target(lido_compile_fail_controls ALL DEPENDS "${folder}/controls.ok" "${folder}/lido_all.ok")
  foreach(source IN LISTS ARGN)
    get_filename_component(name "${source}" NAME_WE)
    lido_plain_test(
      compile_fail.${name}
      COMMAND
        "${CMAKE_COMMAND}" "-DCOMPILER=${CMAKE_CXX_COMPILER}" "-DSOURCE=${source}"
        "-DINCLUDE=${PROJECT_SOURCE_DIR}/include"
        "-DPRECOMPILED=${use}" -P
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
      fuzz_corpus.${name} COMMAND lido_${name}_replay "${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name}" TIMEOUT 900)
  endif()
endfunction()

# lido_consumer_test(<name> <mode>): tests/consumers/<name> is a project of a user; it must configure, build and run.
function(lido_consumer_test name mode)
  set(has_packages OFF)
  if(TARGET lido_settings AND TARGET lido_inspect)
    set(has_packages ON)
  endif()
  lido_plain_test(
    consumer.${name}
    COMMAND "${CMAKE_COMMAND}" "-DMODE=${mode}" "-DPROJECT=${PROJECT_SOURCE_DIR}/tests/consumers/${name}"
            "-DWORK=${CMAKE_CURRENT_BINARY_DIR}/consumers/${name}" "-DCOMPILER=${CMAKE_CXX_COMPILER}"
            "-DGENERATOR=${CMAKE_GENERATOR}" "-DLIDO_SOURCE=${PROJECT_SOURCE_DIR}"
            "-DLIDO_BINARY=${PROJECT_BINARY_DIR}" "-DHAS_PACKAGES=$<BOOL:${has_packages}>" -P
            "${PROJECT_SOURCE_DIR}/cmake/RunConsumer.cmake"
    TIMEOUT 900)
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
