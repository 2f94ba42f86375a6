# cmake -DPROGRAM= -DSOURCE= -DWORK= -P RunExample.cmake
# Runs an example and compares what it prints, byte by byte, with the comment that ends its source:
#
#   /* Output:
#   first line
#   last line
#   */
include("${CMAKE_CURRENT_LIST_DIR}/CompareText.cmake")

file(READ "${SOURCE}" text)
string(FIND "${text}" "\n/* Output:\n" begin REVERSE)
if(begin EQUAL -1)
  message(FATAL_ERROR "${SOURCE} does not end with a comment that starts with `/* Output:`")
endif()
math(EXPR begin "${begin} + 12")
string(SUBSTRING "${text}" ${begin} -1 expected)
string(FIND "${expected}" "*/" end)
if(end EQUAL -1)
  message(FATAL_ERROR "${SOURCE}: the comment `/* Output:` does not end")
endif()
string(SUBSTRING "${expected}" 0 ${end} expected)

execute_process(COMMAND "${PROGRAM}" RESULT_VARIABLE status OUTPUT_VARIABLE actual ERROR_VARIABLE errors)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${status}:\n${actual}${errors}")
endif()
lido_compare_text("${actual}" "${expected}" "${WORK}" "${SOURCE} prints something else than its last comment says (above)")
