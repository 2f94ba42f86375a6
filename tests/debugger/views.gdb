# Prints the variables of debuggee.cpp as the views show them; expected.txt is what must come out. X14.
source tests/debugger/start.gdb

echo --- slot pools, on every storage\n
view bullets
view pages
view lent
view own
view huge
view inside
view worn
view flags
view bare

echo \n--- rows and columns\n
view dense
view wide
view short_dense
view orbs
view few_orbs
view rows
view few_rows

echo \n--- the other shapes\n
view meshes
view few_meshes
view predicted
view foreseen
view packed
view trail
view few_trails
view numbers
view cars
view few_cars

echo \n--- what is passed around\n
view null
view first
view ended
view second
view short_handle
view never
view old_null
view old_handle
view car
view answer
view row_answer
view row
view row_pointer
view no_row_pointer
view gone_row
view refused
view lease
view row_lease
view dense_lease
view ring_lease
view car_lease
view ended_lease
view no_lease
view no_call
view call
view rejects
view grows
view grows_and_ends
view back
view no_back
view past

echo \n--- edges: moved from and to, an ellipsis, a reference, pretty, sourced twice\n
view from
view moved
set print elements 3
view many
view many_again
set print elements 200
set print pretty on
source tools/debugger/lido_gdb.py
view bullets
set print pretty off
