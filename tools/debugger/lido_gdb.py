"""Shows lido's pools and handles in gdb (12 or later): `source lido_gdb.py`. See docs/guide/debugger_views.md.

    (gdb) print bullets
    $1 = slot_pool<bullet> "bullets": 2 of 1024 live, 1022 free, 0 retired = {[{slot 0, gen 1}] = {x = 1}, ...}

DV1. Only memory is read: nothing in the program is called, so views work on a core file and in a program that is broken.
DV2. Members are found by name, never by position.
DV3. Figures are checked against each other before anything is walked, and every walk has an end of its own: a pool that was
     written over gives a line of text and no endless list.

Sourcing it again replaces what was loaded before.
"""
import os
import sys

import gdb
import gdb.printing


REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)


def guarded(view):
    """A type whose members the debug information does not have keeps gdb's own view."""

    def make(value):
        try:
            return view(value.referenced_value() if value.type.code in REFERENCES else value)
        except (gdb.error, RuntimeError):
            return None

    return make


def load():
    # Not __file__: where another script sources this one, that is the name of the other.
    here = os.path.dirname(os.path.realpath(load.__code__.co_filename))
    # Beside this file where it is installed, one folder further down in the source tree.
    folders = [here, os.path.join(here, "gdb")]
    for name in [n for n in sys.modules if n.split(".")[0] == "lido_views"]:
        del sys.modules[name]
    wrote, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # this folder may well belong to the system
    sys.path[:0] = folders
    try:
        from lido_views.pools import VIEWS_OF_POOLS
        from lido_views.values import VIEWS_OF_VALUES, OnFullView
    finally:
        del sys.path[: len(folders)]
        sys.dont_write_bytecode = wrote
    views = gdb.printing.RegexpCollectionPrettyPrinter("lido")
    for name, view in {**VIEWS_OF_POOLS, **VIEWS_OF_VALUES}.items():
        views.add_printer(name, "^lido::%s<.*>$" % name, guarded(view))
    views.add_printer("on_full", "^lido::on_full$", guarded(OnFullView))
    gdb.printing.register_pretty_printer(None, views, replace=True)


load()
