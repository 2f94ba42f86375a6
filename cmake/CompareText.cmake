# lido_compare_text(<actual> <expected> <folder> <message>): ends with the message when the two texts differ, after a diff of them;
# both are then in the folder, as actual.txt and expected.txt.
function(lido_compare_text actual expected folder complaint)
  if(actual STREQUAL expected)
    return()
  endif()
  file(WRITE "${folder}/expected.txt" "${expected}")
  file(WRITE "${folder}/actual.txt" "${actual}")
  set(difference "expected:\n${expected}\nactual:\n${actual}")
  find_program(DIFF diff)
  if(DIFF)
    execute_process(COMMAND "${DIFF}" -u expected.txt actual.txt WORKING_DIRECTORY "${folder}" OUTPUT_VARIABLE difference)
  endif()
  # Written line by line to keep its form: message(FATAL_ERROR) fills paragraphs.
  message("${difference}")
  message(FATAL_ERROR "${complaint}")
endfunction()
