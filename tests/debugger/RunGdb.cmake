# cmake -DGDB= -DPROGRAM= -DSCRIPT= -DEXPECTED= -DINSTALLED= -DLIDO_SOURCE= -DLIDO_BINARY= -DWORK= -P RunGdb.cmake
# Runs a script of this folder in gdb and compares what it prints after the line of equal signs with a text of this folder.
# Addresses differ from run to run, and compilers name the pointer to a vtable differently: both are made the same first.
# Where gdb is missing or may not run a program (containers forbid it), the test is skipped and says why.
include("${LIDO_SOURCE}/cmake/CompareText.cmake")

if(NOT GDB)
  message("debugger test skipped: gdb was not found when the build was configured; it is the Debian package gdb")
  return()
endif()
set(views "${LIDO_SOURCE}/tools/debugger/lido_gdb.py")
if(INSTALLED)
  file(REMOVE_RECURSE "${WORK}/prefix")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" --install "${LIDO_BINARY}" --prefix "${WORK}/prefix" RESULT_VARIABLE status
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(views "${WORK}/prefix/share/lido/gdb/lido_gdb.py")
  if(NOT status EQUAL 0 OR NOT EXISTS "${views}" OR NOT EXISTS "${WORK}/prefix/share/lido/natvis/lido.natvis")
    message(FATAL_ERROR "the views were not installed:\n${output}")
  endif()
  # As <program>-gdb.py does it, which gdb loads by itself.
  file(WRITE "${WORK}/program-gdb.py" "gdb.execute('source ${views}')\n")
  set(views "${WORK}/program-gdb.py")
endif()

# No user's settings, no printers of other libraries, no symbols from the network: the text must be the same everywhere.
set(ENV{DEBUGINFOD_URLS} "")
set(ENV{LC_ALL} "C.UTF-8")
execute_process(
  COMMAND "${GDB}" --batch -nx -iex "set auto-load off" -ex "python print('python is there')" -ex "source ${views}" -x
          "tests/debugger/${SCRIPT}" "${PROGRAM}"
  WORKING_DIRECTORY "${LIDO_SOURCE}"
  RESULT_VARIABLE status
  OUTPUT_VARIABLE output
  ERROR_VARIABLE errors)
string(FIND "${output}" "\n====\n" begin)
if(begin EQUAL -1)
  if(NOT output MATCHES "python is there")
    message("debugger test skipped: this gdb has no Python:\n${errors}")
    return()
  endif()
  if(errors MATCHES "ptrace|Could not trace the inferior|Operation not permitted")
    message("debugger test skipped: gdb may not trace a program here:\n${errors}")
    return()
  endif()
  message(FATAL_ERROR "gdb did not get to the pools (${status}):\n${output}\n${errors}")
endif()
math(EXPR begin "${begin} + 6")
string(SUBSTRING "${output}" ${begin} -1 actual)
if(errors MATCHES "Error in sourced command file|Traceback|Python Exception")
  string(APPEND actual "${errors}")
endif()
string(REGEX REPLACE "0x[0-9a-f]+" "0x..." actual "${actual}")
string(REGEX REPLACE "_vptr[.$]" "_vptr." actual "${actual}")

file(READ "${LIDO_SOURCE}/tests/debugger/${EXPECTED}" expected)
lido_compare_text(
  "${actual}" "${expected}" "${WORK}"
  "gdb prints something else than tests/debugger/${EXPECTED} says (above); ${WORK}/actual.txt has it")
