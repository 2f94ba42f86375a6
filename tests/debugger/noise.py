"""Writes noise over every pool, many times, and looks at it: each view must be short, quick and free of Python's errors."""
import random
import time

import gdb

POOLS = (
    "bullets pages lent huge inside worn flags bare dense wide short_dense orbs few_orbs rows few_rows "
    "meshes few_meshes packed trail few_trails numbers cars few_cars lease row_lease back past answer row_answer"
).split()
ROUNDS = 12
LONGEST = 100_000  # characters: 200 elements of a few hundred
SLOWEST = 20.0  # seconds a view; the longest walk that is allowed takes about one

inferior = gdb.selected_inferior()
dice = random.Random(14)
gdb.execute("set print elements 20")
seen = 0
for name in POOLS:
    value = gdb.parse_and_eval(name)
    address, size = int(value.address), value.type.sizeof
    whole = bytes(inferior.read_memory(address, size))
    for _ in range(ROUNDS):
        noisy = bytearray(whole)
        for _ in range(dice.choice((1, 4, size))):
            noisy[dice.randrange(size)] = dice.choice((0, 1, 0x7F, 0xFF, dice.randrange(256)))
        inferior.write_memory(address, bytes(noisy))
        began = time.monotonic()
        text = gdb.execute("output %s" % name, to_string=True)
        if "Python Exception" in text or "Traceback" in text:
            print("%s: an error of Python: %s" % (name, text[:300]))
        if len(text) > LONGEST:
            print("%s: %d characters" % (name, len(text)))
        if time.monotonic() - began > SLOWEST:
            print("%s: %.0f seconds" % (name, time.monotonic() - began))
        seen += 1
    inferior.write_memory(address, whole)
print("%d noisy views" % seen)
