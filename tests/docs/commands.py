#!/usr/bin/env python3
"""commands.py SOURCE: every `./dev …` in README, CONTRIBUTING and the documents is a subcommand, with options and words that its --help has."""
import glob
import os
import re
import subprocess
import sys

source = sys.argv[1]
pages = [os.path.join(source, "README.md"), os.path.join(source, "CONTRIBUTING.md")]
for folder in ("docs", "docs/guide", "docs/from"):
    pages += sorted(glob.glob(os.path.join(source, folder, "*.md")))
told = {}
wrong = []
count = 0


def help_of(subcommand):
    if subcommand not in told:
        done = subprocess.run([os.path.join(source, "dev"), *subcommand.split(), "--help"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        told[subcommand] = done.stdout if done.returncode == 0 else None
    return told[subcommand]


for page in pages:
    with open(page, encoding="utf-8") as file:
        text = file.read()
    # As code in a sentence, or a line of its own with a remark.
    commands = re.findall(r"`\./dev ([^`]*)`", text) + [c.split("#")[0] for c in re.findall(r"^    \./dev (.*)$", text, re.M)]
    for command in commands:
        count += 1
        words = re.split(r"[|>]", command)[0].split()
        name = words[0] if words else ""
        if name == "help":
            continue
        known = help_of(name)
        if known is None:
            wrong.append("%s: there is no ./dev %s" % (page, name))
            continue
        for word in words[1:]:
            if word == "--":
                break  # what follows goes to the program
            checked = word.startswith("--") or name == "bench"
            # The help of `run` is of building; the arena's own options are tested with it.
            if checked and word not in ("--help",) and not re.search(r"(?<![\w-])%s(?![\w-])" % re.escape(word), known):
                wrong.append("%s: ./dev %s says nothing of %s" % (page, name, word))
if count < 15:
    wrong.append("only %d commands were found" % count)
sys.exit("\n".join(wrong) or 0)
