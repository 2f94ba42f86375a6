# S3.9: in normal play the five pools of the engine never drop anything, over 40 000 ticks, and merging keeps the orbs far below
# their cap although bosses burst into hundreds; under overload they do drop.
execute_process(
  COMMAND "${PROGRAM}" --quiet --play normal --ticks 40000 RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE err)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "status ${status}\n${text}${err}")
endif()
# name, shape, capacity, peak, acquired, dropped, replaced
foreach(line IN ITEMS "player bullets +recycle_pool +100 +[0-9]+ +[1-9][0-9]+ +0 +0 "
                      "xp orbs +column_pool +1024 +[1-6][0-9][0-9] +[1-9][0-9]+ +0 +0 +[1-9][0-9][0-9][0-9]"
                      "particles +recycle_pool +400 +[0-9]+ +[1-9][0-9]+ +0 +0 "
                      "death debris +capped_list +60 +[0-9]+ +[1-9][0-9]+ +0 +0 "
                      "damage numbers +capped_list +15 +[0-9]+ +[1-9][0-9]+ +0 +0 "
                      "orbs merged: [1-9][0-9]* on screen, [1-9][0-9]* off screen, 0 on a full pool"
                      "gold: 12000, keys: 18; "
                      "curses undone from the history: [1-9]"
                      "normal play: 0 dropped or replaced in all pools\n"
                      "rollbacks of 7 ticks: 625, inexact: 0\n")
  if(NOT text MATCHES "${line}")
    message(FATAL_ERROR "no line like '${line}' in\n${text}")
  endif()
endforeach()

execute_process(COMMAND "${PROGRAM}" --quiet --play overload --ticks 500 OUTPUT_VARIABLE text)
if(NOT text MATCHES "overload play: [1-9][0-9]* dropped or replaced in all pools\n")
  message(FATAL_ERROR "an overload in which nothing was dropped\n${text}")
endif()
