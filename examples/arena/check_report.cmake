# The report of a run: there, well-formed, the same numbers as the output, and a plain message when it cannot be written.
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

function(play report)
  execute_process(COMMAND "${PROGRAM}" --quiet ${ARGN} --report "${report}" WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE status
                  OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT status EQUAL 0 OR NOT err STREQUAL "")
    message(FATAL_ERROR "arena ${ARGN} --report ${report}: status ${status}\n${err}")
  endif()
  file(WRITE "${WORK}/output.txt" "${out}")
  execute_process(COMMAND "${CHECKER}" "${report}" output.txt WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE status ERROR_VARIABLE err)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "the report of arena ${ARGN}:\n${err}")
  endif()
endfunction()

play(long.html --seed 7 --ticks 1300)
play(long.html --seed 8 --ticks 130) # over the one before
play(short.html --ticks 1)
# Names that mean something in a page.
set(name "a<b>&'c\".toml")
configure_file("${POOLS}" "${WORK}/${name}" COPYONLY)
play(named.html --ticks 3 --pools "${name}")
file(READ "${WORK}/named.html" page)
if(NOT page MATCHES "<dd>a&lt;b&gt;&amp;&#39;c&quot;.toml</dd>")
  message(FATAL_ERROR "the name of the settings' file is not escaped")
endif()

# Later arguments win; no report, and none left behind.
execute_process(COMMAND "${PROGRAM}" --quiet --ticks 3 --report none.html --no-report WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE status
                OUTPUT_QUIET)
if(NOT status EQUAL 0 OR EXISTS "${WORK}/none.html")
  message(FATAL_ERROR "arena --no-report: status ${status}")
endif()

# Nowhere to go: said before the game, which is not played.
foreach(bad IN ITEMS "${WORK}" "${WORK}/no/such/folder/report.html")
  execute_process(COMMAND "${PROGRAM}" --report "${bad}" RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT status EQUAL 2 OR NOT out STREQUAL "" OR NOT err MATCHES "^arena: cannot write the report to [^\n]+\n$")
    message(FATAL_ERROR "arena --report ${bad}: status ${status}, stdout '${out}', stderr '${err}'")
  endif()
endforeach()
# A disk that is full at the end: the result has been printed.
if(EXISTS /dev/full)
  execute_process(COMMAND "${PROGRAM}" --quiet --ticks 3 --report /dev/full RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT status EQUAL 2 OR NOT out MATCHES "state hash" OR NOT err MATCHES "^arena: could not write the report[^\n]+\n$")
    message(FATAL_ERROR "arena --report /dev/full: status ${status}, stdout '${out}', stderr '${err}'")
  endif()
endif()
