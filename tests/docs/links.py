#!/usr/bin/env python3
"""links.py SOURCE: every link from README, the guide and docs/from to a file of this tree, and to a heading in it, leads somewhere;
and whoever looks for a word of another system finds it in docs/from.
"""
import glob
import os
import re
import sys

source = sys.argv[1]
WORDS = ("hard cap", "soft cap", "columnar", "recycle stack", "byte map", "seed", "OAM", "parallel arrays", "lifecycle token")
wrong = []


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def anchors(path):
    """As GitHub makes them: lower case, punctuation gone, spaces to hyphens."""
    text = re.sub(r"^```.*?^```$", "", read(path), flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in re.findall(r"^#+ (.*)$", text, re.M)}


pages = [os.path.join(source, "README.md")] + sorted(
    glob.glob(os.path.join(source, "docs/guide/*.md")) + glob.glob(os.path.join(source, "docs/from/*.md")))
for page in pages:
    text = re.sub(r"^```.*?^```$", "", read(page), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), file)) if file else page
        if not os.path.exists(path):
            wrong.append("%s: %s is not there" % (page, target))
        elif anchor and anchor not in anchors(path):
            wrong.append("%s: %s has no such heading" % (page, target))

pages_from = "".join(read(p) for p in pages if os.sep + "from" + os.sep in p).lower()
wrong += ["docs/from does not have the words '%s'" % w for w in WORDS if w.lower() not in pages_from]
if len(pages) < 15:
    wrong.append("only %d pages were found" % len(pages))
sys.exit("\n".join(wrong) or 0)
