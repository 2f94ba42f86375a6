# Bad arguments: one plain line on stderr, exit status 2, and nothing run.
foreach(arguments IN ITEMS "--bogus" "--ticks" "--ticks;0" "--ticks;12x" "--ticks;99999999999" "--seed;-1" "--seed;"
                           "--pools" "--play" "--play;fast" "--report" "--report;" "--port;7777" "--serve;--port;0" "--serve;--port;65536" "--serve;--bind"
                           "--store" "--serve;--store;vaults.db" "--serve;--for;0" "--serve;--for" "--serve;--bind;no.address.at.all"
                           "--pools;no_such_file.toml" "--pools;${CMAKE_CURRENT_LIST_DIR}")
  execute_process(COMMAND "${PROGRAM}" ${arguments} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT status EQUAL 2 OR NOT out STREQUAL "" OR NOT err MATCHES "^arena: [^\n]+\n$")
    message(FATAL_ERROR "arena ${arguments}: status ${status}, stdout '${out}', stderr '${err}'")
  endif()
endforeach()
execute_process(COMMAND "${PROGRAM}" --help RESULT_VARIABLE status OUTPUT_VARIABLE out)
if(NOT status EQUAL 0 OR NOT out MATCHES "^usage: arena")
  message(FATAL_ERROR "arena --help: status ${status}, stdout '${out}'")
endif()
# A build without the inspector says so.
if(NOT INSPECTOR)
  execute_process(COMMAND "${PROGRAM}" --serve --for 1 RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT status EQUAL 2 OR NOT out STREQUAL "" OR NOT err MATCHES "^arena: this build has no inspector[^\n]+\n$")
    message(FATAL_ERROR "arena --serve: status ${status}, stdout '${out}', stderr '${err}'")
  endif()
endif()

# A file of settings that is wrong: the line, and what is wrong there.
set(bad "${WORK}/bad_pools.toml")
foreach(text IN ITEMS "[class.missile]\nprewarm = -3\n" "[class.missile]\nspeed = 3\n" "[class.ghost]\nprewarm = 1\n"
                      "[class.missile]\non_full = \"merge\"\n" "[class.missile\n")
  file(WRITE "${bad}" "${text}")
  execute_process(COMMAND "${PROGRAM}" --pools "${bad}" RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT status EQUAL 2 OR NOT out STREQUAL "" OR NOT err MATCHES "^arena: [^\n]*bad_pools.toml:[12]:[^\n]+\n$")
    message(FATAL_ERROR "arena --pools with '${text}': status ${status}, stdout '${out}', stderr '${err}'")
  endif()
endforeach()

# From another directory, and with a file beside the program, which comes first.
get_filename_component(name "${PROGRAM}" NAME)
file(REMOVE_RECURSE "${WORK}/beside")
file(COPY "${PROGRAM}" DESTINATION "${WORK}/beside")
execute_process(COMMAND "${WORK}/beside/${name}" --quiet --ticks 10 WORKING_DIRECTORY / RESULT_VARIABLE status ERROR_VARIABLE err)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "arena from another directory: status ${status}, stderr '${err}'")
endif()
file(RENAME "${bad}" "${WORK}/beside/pools.toml")
execute_process(COMMAND "${WORK}/beside/${name}" --quiet --ticks 10 WORKING_DIRECTORY / RESULT_VARIABLE status ERROR_VARIABLE err)
if(NOT status EQUAL 2 OR NOT err MATCHES "beside/pools.toml:")
  message(FATAL_ERROR "arena with a wrong file beside it: status ${status}, stderr '${err}'")
endif()
file(REMOVE_RECURSE "${WORK}/beside")
