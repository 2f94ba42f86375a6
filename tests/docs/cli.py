#!/usr/bin/env python3
"""cli.py SOURCE LIDO WORK: docs/guide/cli.md says what the program lido does.

Each ```console block is run in a folder of the page's own, with the files that `<!-- file: NAME -->` puts before a block: what stands behind a `$ ` is
a command for bash, and the lines below it are exactly what it prints. Every option that the page names is in the help of a command, and every message
of its table is in the sources.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

source, lido, work = sys.argv[1:4]
page = os.path.join(source, "docs/guide/cli.md")
with open(page, encoding="utf-8") as file:
    text = file.read()
wrong = []

shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
tools = os.path.join(work, "bin")
os.makedirs(tools)
os.symlink(os.path.abspath(lido), os.path.join(tools, "lido"))
environment = dict(os.environ, PATH=tools + os.pathsep + os.environ["PATH"], TZ="Asia/Tokyo")
commands = 0
for name, kind, body in re.findall(r"^(?:<!-- file: (\S+) -->\n)?```(\w+)\n(.*?)^```$", text, re.M | re.S):
    if name:
        with open(os.path.join(work, name), "w", encoding="utf-8") as file:
            file.write(body)
    if kind != "console":
        continue
    for part in re.split(r"^\$ ", body, flags=re.M)[1:]:
        command, _, expected = part.partition("\n")
        done = subprocess.run(["bash", "-c", command], cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        commands += 1
        if done.stdout != expected:
            wrong.append("%s: $ %s\nprints\n%sand the page says\n%s" % (page, command, done.stdout, expected))
if commands < 10:
    wrong.append("%s: only %d commands were found" % (page, commands))


def help_of(*words):
    done = subprocess.run([lido, "store", *words, "--help"], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        wrong.append("lido store %s --help returns %d" % (" ".join(words), done.returncode))
    return done.stdout


names = re.findall(r"^  (\w+) ", help_of(), re.M)
helps = {name: help_of(name) for name in names}
known = set(re.findall(r"(?<![\w-])--[a-z-]+", "".join(helps.values())))
for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", re.sub(r"<!--.*?-->", "", text))):
    if option not in known:
        wrong.append("%s: no command has the option %s" % (page, option))
for option in known - {"--help"}:
    if option not in text:
        wrong.append("%s: nothing is said of %s" % (page, option))
for name in names:
    if text.count("`lido store %s " % name) == 0:
        wrong.append("%s: nothing is said of lido store %s" % (page, name))

# Literals that stand beside each other are one.
said = ""
for path in glob.glob(os.path.join(source, "tools/cli/**/*.cpp"), recursive=True) + glob.glob(os.path.join(source, "src/store/**/*.cpp"), recursive=True) + glob.glob(
        os.path.join(source, "include/lido/store/*.hpp")):
    with open(path, encoding="utf-8") as file:
        code = file.read()
    last = 0
    for literal in re.finditer(r'"((?:\\.|[^"\\\n])*)"', code):
        if code[last:literal.start()].strip():
            said += "\n"
        said += literal.group(1).replace('\\"', '"')
        last = literal.end()
table = text[text.index("## Messages"):text.index("## Limits")]
messages = re.findall(r"^\| `(.*?)` \|", table, re.M)
for message in messages:
    for piece in message.split("…"):
        if piece.strip() not in said:
            wrong.append("%s: nothing says '%s'" % (page, piece.strip()))
if len(messages) < 15:
    wrong.append("%s: only %d messages were found" % (page, len(messages)))
shutil.rmtree(work)
sys.exit("\n".join(wrong) or 0)
