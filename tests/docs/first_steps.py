#!/usr/bin/env python3
"""first_steps.py SOURCE COMPILER WORK: README's ways to use lido, followed as they are written, on a machine that has neither toml++ nor
nlohmann-json, with README's first program as the game.

A comment that readers do not see says where a block belongs: <!-- run: in lido -->, in a project `game`, or beside them.
"""
import os
import re
import shutil
import subprocess
import sys

source, compiler, work = (os.path.abspath(a) if os.path.sep in a else a for a in sys.argv[1:4])
# What somebody has who cloned lido; without what this test has no use for.
PARTS = ["CMakeLists.txt", "LICENSE", "cmake", "include", "src", "web", "tools/cli", "tools/debugger"]
PROJECT = "cmake_minimum_required(VERSION 3.21)\nproject(game LANGUAGES CXX)\nadd_executable(game main.cpp)\n"
BARE = """# A machine without packages: no header is found but the compiler's own.
set(CMAKE_FIND_ROOT_PATH "%s")
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
"""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def run(command, folder, what, **more):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode != 0:
        sys.exit("README: %s failed with %d:\n%s" % (what, done.returncode, done.stdout[-6000:]))
    return done.stdout


with open(os.path.join(source, "README.md"), encoding="utf-8") as file:
    readme = file.read()
program = re.search(r"^```cpp\n(.*?)^```", readme, re.M | re.S).group(1)
steps = re.findall(r"^<!-- run: (.*?) -->\n```(sh|cmake)\n(.*?)^```", readme, re.M | re.S)
if len(steps) != 5 or len(re.findall(r"^```(?:sh|cmake)$", readme, re.M)) != 5:
    sys.exit("README: %d blocks of commands say where they are run" % len(steps))

shutil.rmtree(work, ignore_errors=True)
for part in PARTS:
    whole = os.path.join(source, part)
    to = os.path.join(work, "lido", part)
    if os.path.isdir(whole):
        shutil.copytree(whole, to)
    else:
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copy(whole, to)
write(os.path.join(work, "bare.cmake"), BARE % work)
write(os.path.join(work, "main.cpp"), program)
environment = dict(os.environ, HOME=work, CXX=compiler, CMAKE_TOOLCHAIN_FILE=os.path.join(work, "bare.cmake"))
environment.pop("CMAKE_BUILD_TYPE", None)
if not shutil.which("make"):
    environment["CMAKE_GENERATOR"] = "Ninja"  # CMake's own choice needs make
tools = os.path.join(work, "tools")
os.makedirs(tools)
os.symlink(shutil.which(compiler), os.path.join(tools, "c++"))
environment["PATH"] = tools + os.pathsep + environment["PATH"]
ccache = shutil.which("ccache")
if ccache:
    environment["CMAKE_CXX_COMPILER_LAUNCHER"] = ccache
game = os.path.join(work, "game")
for where, kind, text in steps:
    if kind == "cmake":
        shutil.rmtree(game, ignore_errors=True)
        write(os.path.join(game, "CMakeLists.txt"), PROJECT + text)
        write(os.path.join(game, "main.cpp"), program)
        if where.endswith("and lido"):
            os.symlink(os.path.join(work, "lido"), os.path.join(game, "lido"))
            run(["cmake", "-S", "game", "-B", "game/build"], work, text, env=environment)
            run(["cmake", "--build", "game/build"], work, text, env=environment)
            run([os.path.join(game, "build", "game")], work, "the game beside lido's sources")
    else:
        said = run(["bash", "-e", "-c", text], os.path.join(work, "lido") if where == "in lido" else work, text, env=environment)
        if where == "in lido":
            for words in ("lido::settings is left out", "lido::inspect is left out"):
                if words not in said:
                    sys.exit("README: on a machine without packages nobody says: %s\n%s" % (words, said))
            with open(os.path.join(work, "lido/build/CMakeCache.txt"), encoding="utf-8") as file:
                if "CMAKE_BUILD_TYPE:STRING=Release" not in file.read():
                    sys.exit("README: the installed build is not the optimised one")
        elif where == "beside game":
            run([os.path.join(game, "build", "game")], work, "the game with an installed lido")
        else:
            run([os.path.join(work, "a.out")], work, "the game with copied headers")
shutil.rmtree(work)
