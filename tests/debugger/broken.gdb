# Pools that were written over: a line of text each, never an endless list and never a stack of Python. X14.
source tests/debugger/start.gdb

echo --- one figure at a time\n
set var broken.table_.state_.capacity = 4294967295
view broken
set var broken.table_.state_.capacity = 16
set var broken.table_.state_.known = 4294967295
view broken
set var broken.table_.state_.known = 16
set var broken.table_.state_.slack = 100
view broken
set var broken.table_.state_.slack = broken.table_.state_.peak - 3
view broken
set var broken.table_.state_.slack = broken.table_.state_.peak - 2
set var broken.table_.limits_.settings_.name = (const char*)1
view broken
set var broken.table_.limits_.settings_.name = bullets.table_.limits_.settings_.name
set var broken.table_.memory_.state_.arrays[1] = (std::byte*)8
view broken
set var broken.table_.memory_.state_.arrays[2] = (std::byte*)8
view broken
set var *(void**)&lease.pool_ = (void*)16
view lease

set var wide.table_.state_.rows.size = 4294967295
view wide
set var wide.table_.state_.rows.size = 2
set var wide.table_.state_.rows.known = 1
view wide
set var trail.table_.state_.oldest = 1000
view trail
set var numbers.table_.state_.size = 16
view numbers
set var cars.table_.state_.capacity = 11
view cars
set var past.count_ = 9
view past

echo \n--- figures that agree, and are absurd: the walk ends all the same\n
set print elements unlimited
set var lent.table_.memory_.state_.max_slots = 4294967295
set var lent.table_.state_.capacity = 4294967295
set var lent.table_.state_.known = 4294967295
view lent
set print elements 200

echo \n--- noise\n
source tests/debugger/noise.py
