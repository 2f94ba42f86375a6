# cmake -DCOMPILER= -DSOURCE= -DINCLUDE= -DPRECOMPILED=<flags> -P RunCompileFail.cmake; see lido_compile_fail_tests.
set(command "${COMPILER}" -std=c++20 -fsyntax-only "-I${INCLUDE}" ${PRECOMPILED})
# The message is matched, so it must not depend on who runs the test.
set(ENV{LC_ALL} C)
execute_process(COMMAND ${command} "${SOURCE}" RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)

file(READ "${SOURCE}" expected LIMIT 4096)
if(NOT expected MATCHES "^// expect: ([^\n]+)\n")
  message(FATAL_ERROR "${SOURCE}: the first line has to be `// expect: <regex>`")
endif()
set(expected "${CMAKE_MATCH_1}")
if(status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles, and must not")
elseif(NOT output MATCHES "${expected}")
  # Printed apart: message(FATAL_ERROR) fills paragraphs.
  message("${output}")
  message(FATAL_ERROR "${SOURCE} fails to compile, but not with a message that matches `${expected}` (above)")
endif()
