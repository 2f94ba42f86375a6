"""Views of what is passed around: handles, what acquire() answers, leases, rows, delegates, settings, rewinds."""
import gdb

from .pools import VIEWS_OF_POOLS, DenseView
from .reading import Broken, fetched, handle_parts, handle_text, only_member, plain


def said(make):
    """What `make` says, or why it cannot."""
    try:
        return make()
    except Exception as error:  # a line of text is of more use than a stack of Python
        return "cannot be read: %s" % error


def pool_view(pool):
    for prefix, view in VIEWS_OF_POOLS.items():
        if plain(pool.type).name.startswith("lido::%s<" % prefix):
            return view(pool)
    raise Broken("%s is not known to this view" % pool.type)


class TextView:
    """A view that is one line."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return said(self.text)


class HandleView(TextView):
    def text(self):
        return handle_text(self.value)


class ObjectView(TextView):
    """One line, and the object under it: find() gives None where there is none."""

    def children(self):
        try:
            found = self.find()
            if found is not None:
                yield "[object]", found
        except Exception as error:
            yield "[object]", "cannot be read: %s" % error


def row_of(row):
    """The struct that a column_row stands for."""
    return DenseView(row["pool_"].dereference()).row(int(row["row_"])) if int(row["pool_"]) else None


class RowView(ObjectView):
    """column_row, and column_pointer, which holds one."""

    def row(self):
        return self.value["row_"] if plain(self.value.type).name.startswith("lido::column_pointer<") else self.value

    def text(self):
        row = self.row()
        if not int(row["pool_"]):
            return "null"
        there = int(row["row_"]) < int(row["pool_"].dereference()["table_"]["state_"]["rows"]["size"])
        return "row %d%s" % (int(row["row_"]), "" if there else ", which is no longer there")

    def find(self):
        return row_of(self.row())


class AcquiredView(ObjectView):
    def row_pointer(self):
        return plain(self.value["object_"].type).code == gdb.TYPE_CODE_STRUCT

    def text(self):
        object_ = self.value["object_"]
        refused = not int(object_["row_"]["pool_"] if self.row_pointer() else object_)
        return "refused" if refused else handle_text(self.value["handle_"])

    def find(self):
        object_ = self.value["object_"]
        if self.row_pointer():
            return row_of(object_["row_"])
        return fetched(object_.dereference()) if int(object_) else None


class LeaseView(ObjectView):
    def text(self):
        if not int(self.value["pool_"]):
            return "empty"
        text = "%s of %s" % (handle_text(self.value["handle_"]), pool_view(self.value["pool_"].dereference()).title())
        return text if self.find() is not None else text + ", which has ended"

    def find(self):
        parts = handle_parts(self.value["handle_"])
        if not int(self.value["pool_"]) or parts is None:
            return None
        return pool_view(self.value["pool_"].dereference()).find(*parts)


class DelegateView(TextView):
    """Whom it calls is in the name of the function behind `call_`; print /r shows it."""

    def text(self):
        return "set" if int(self.value["call_"]) else "empty"


class OnFullView(TextView):
    def text(self):
        ending = str(self.value["ending_"]).rsplit("::", maxsplit=1)[-1]
        cap = int(self.value["cap_"])
        if cap == 0:
            return ending
        growth = "grow()" if cap == 0xFFFFFFFF else "grow_to(%d)" % cap
        return growth if ending == "reject" else "%s.then(%s)" % (growth, ending)


class RewindView(TextView):
    """rewind<N> and history<N, Parts...>: which ticks are kept."""

    def ticks(self):
        if plain(self.value.type).name.startswith("lido::rewind<"):
            ring = only_member(self.value["ring_"])
            entries = [ring[i] for i in range(plain(ring.type).range()[1] + 1)]
            return sorted(int(e["tick"]) for e in entries if bool(e["kept"]))
        kept = only_member(self.value["ticks_"])
        places = plain(kept.type).range()[1] + 1
        first, count = int(self.value["first_"]), int(self.value["count_"])
        if count > places:
            raise Broken("%d ticks in a ring of %d" % (count, places))
        return [int(kept[(first + i) % places]) for i in range(count)]

    def text(self):
        ticks = self.ticks()
        return "%d ticks, %d to %d" % (len(ticks), ticks[0], ticks[-1]) if ticks else "no ticks"


VIEWS_OF_VALUES = {
    "basic_handle": HandleView,
    "bytemap_handle": HandleView,
    "acquired": AcquiredView,
    "lease": LeaseView,
    "column_row": RowView,
    "column_pointer": RowView,
    "delegate": DelegateView,
    "rewind": RewindView,
    "history": RewindView,
}
