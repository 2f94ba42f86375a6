#!/usr/bin/env python3
"""names.py SOURCE COMPILER: no public name of lido is a global one of the C library or POSIX, so that `using namespace lido` makes none
ambiguous. The exceptions have another name to go by.
"""
import re
import subprocess
import sys

source, compiler = sys.argv[1:3]
EXCEPTIONS = {"rewind", "link"}  # docs/decisions/0021: rewind_buffer, entity_link
HEADERS = "cmath csignal cstdio cstdlib cstring ctime cwchar algorithm string vector".split()
POSIX = "fcntl.h math.h pthread.h strings.h sys/mman.h sys/time.h sys/types.h unistd.h".split()

with open(source + "/docs/public_names.txt", encoding="utf-8") as file:
    names = sorted({line.split("::")[1].strip() for line in file if line.startswith("lido::")})
names = [name for name in names if re.fullmatch(r"\w+", name)]
text = "".join("#include <%s>\n" % h for h in HEADERS)
text += "".join("#if __has_include(<%s>)\n#include <%s>\n#endif\n" % (h, h) for h in POSIX)
text += "".join('#line %d "names"\nnamespace n%d { using ::%s; }\n' % (n + 1, n, name) for n, name in enumerate(names))
more = ["-ferror-limit=0"] if "clang" in compiler else ["-fmax-errors=0"]
done = subprocess.run([compiler, "-std=gnu++20", "-x", "c++", "-fsyntax-only", *more, "-"], input=text, stderr=subprocess.PIPE, text=True)
unknown = {int(n) for n in re.findall(r"^names:(\d+):.*error", done.stderr, re.M)}
clash = {name for n, name in enumerate(names) if n + 1 not in unknown}
if len(names) < 100 or clash != EXCEPTIONS:
    sys.exit("%d names; global ones are %s, and should be %s\n%s" % (len(names), sorted(clash), sorted(EXCEPTIONS), done.stderr[:1000]))
