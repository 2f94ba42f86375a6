# X14: what the views for Visual Studio would show.
source tests/debugger/start.gdb
source tests/debugger/natvis.py
