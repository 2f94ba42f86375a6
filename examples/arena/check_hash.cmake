# X19: the final hash of a short game, fixed for all time: another compiler, build type or machine must arrive at the same one, and a
# change of the game or of a pool's order must say so here.
# In 0.1.0 it was 73238e5029979d2e: timers then lay in other lists of their wheel, in whose order a world hashes them. Then, until
# explosions got sounds and ends that wait until they are certain, daa782d7a43aeafe; and until there were vaults, doors and a boss that are
# entities, 38048dc67c256da4. The game counts refused edits by reason, in an array that is hashed with the rest, so one more reason of a
# stage is another hash, too.
set(expected "state hash 95e232e43e77904f (seed 7, 2000 ticks)")

function(play out)
  execute_process(
    COMMAND "${PROGRAM}" --quiet ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE err)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "arena ${ARGN}: status ${status}\n${text}${err}")
  endif()
  if(NOT text MATCHES "rollbacks of 7 ticks: [1-9][0-9]*, inexact: 0\n")
    message(FATAL_ERROR "arena ${ARGN}: no exact rollbacks\n${text}")
  endif()
  string(REGEX MATCH "state hash [^\n]*" hash "${text}")
  set(${out}_text "${text}" PARENT_SCOPE)
  set(${out} "${hash}" PARENT_SCOPE)
endfunction()

play(seven --seed 7 --ticks 2000)
if(NOT seven STREQUAL expected)
  message(FATAL_ERROR "got      ${seven}\nexpected ${expected}")
endif()
# A game in which each pool has been at its limits, each in its own way.
foreach(line IN ITEMS "glitter +dense_pool +512 +512 +[0-9]+ +0 +[1-9]"
                      "player bullets +recycle_pool +100 +100 +[0-9]+ +[1-9]"
                      "xp orbs +column_pool +1024 +[5-9][0-9][0-9] "
                      "particles +recycle_pool +400 +[0-9]+ +[0-9]+ +[1-9]"
                      "death debris +capped_list +60 +60 +[0-9]+ +[1-9]"
                      "damage numbers +capped_list +15 +15 +[0-9]+ +[1-9]"
                      "missile +[0-9]+ +32 +[0-9]+ +32 +0 +[0-9]+ +[1-9][0-9]* +0 +[1-9]"
                      "explosion +[0-9]+ +1[0-9] +[0-9]+ +20 +0 +[0-9]+ +0 +0 +[1-9][0-9]*\n"
                      "sound +[0-9]+ +[1-9][0-9]* +[0-9]+ +48 +0 +[0-9]+ +[1-9]"
                      "sounds: [1-9][0-9]* stopped, each once, [1-9][0-9]* play; [1-9][0-9]* were taken back by rollbacks"
                      "ember +[0-9]+ +[5-9][0-9][0-9] +[0-9]+ +[0-9]+ +[1-9]"
                      "damage_text +[0-9]+ +12 +[0-9]+ +12 +0 +[0-9]+ +[1-9][0-9]* +[1-9][0-9]* +0\n"
                      "door +6 +6 +0 +6 +[1-9][0-9]+ +0 +0 +8\n"
                      "vault +6 +6 +0 +6 +[1-9][0-9]+ +0 +[1-9][0-9]* +32\n"
                      "purse +3 +3 +0 +3 +[1-9][0-9]+ +0 +0 +8\n"
                      "boss +1 +1 +0 +[1-9][0-9]* +[1-9][0-9]* +[1-9][0-9]* +0 +8\n"
                      "against a rule of a field +[1-9]"
                      "changed meanwhile +[1-9]"
                      "locked by somebody else +[1-9]"
                      "for another reason +0\n"
                      "vaults opened: [1-9][0-9]*, keys bought: [1-9][0-9]*, done after a conflict: [1-9]"
                      "journal: [1-9][0-9]* entries in [1-9][0-9]* commits, 0 dropped; .*; [1-9][0-9]* cuts by rollbacks"
                      "gold: 12000, keys: 18; the books have [1-9][0-9]* commits"
                      "orbs merged: [1-9][0-9]* on screen, [1-9][0-9]* off screen")
  if(NOT seven_text MATCHES "${line}")
    message(FATAL_ERROR "no line like '${line}' in\n${seven_text}")
  endif()
endforeach()
play(eight --seed 8 --ticks 200)
play(again --seed 8 --ticks 200)
play(nine --seed 9 --ticks 200)
if(NOT eight STREQUAL again)
  message(FATAL_ERROR "the same seed gave two hashes: ${eight} and ${again}")
endif()
string(REGEX REPLACE " \\(.*" "" eight "${eight}")
string(REGEX REPLACE " \\(.*" "" nine "${nine}")
if(eight STREQUAL nine)
  message(FATAL_ERROR "two seeds gave one hash: ${eight}")
endif()
