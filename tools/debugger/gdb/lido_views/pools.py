"""A view for each shape of pool: one line of figures, and the live objects under their handles.

Which array is which, and where inline_storage puts them, repeats slots/slot_layout.hpp, rows/dense_layout.hpp,
columns/column_layout.hpp, ring/ring_layout.hpp and bytemap/bytemap_rewind.hpp; tests/debugger fails where it differs.
"""
import itertools

import gdb

from .reading import (
    Arrays,
    Broken,
    Options,
    Split,
    Unknown,
    address_of,
    fetched,
    has_member,
    map_bytes,
    name_text,
    number_at,
    object_at,
    plain,
    read,
    require,
    set_bits,
    type_text,
)

MOST_CHILDREN = 100_000  # live objects of one view; gdb stops at `print elements` long before
DENSE_ARRAYS = 9  # columns come after these
FLAG_ARRAYS = 5  # and of a flag_column_pool after these


class PoolView:
    """What a shape brings: its name, figures() -> (size, capacity, retired or None, a word on the free ones),
    open() -> where its arrays are, checked, live() -> (label, object)..., find(slot, life) -> the object or None."""

    def __init__(self, value):
        self.value = value
        self.type = plain(value.type)
        self.element = self.type.template_argument(0)
        self.at = value["table_"] if has_member(self.type, "table_") else value

    @property
    def state(self):
        return self.at["state_"]

    def split(self):
        return Split(self.at["limits_"]["merged_into_"].type)

    def arrays(self, sizes):
        found = Arrays(self.at["memory_"], self.type.template_argument(2), sizes)
        capacity = int(self.state["capacity"])
        require(capacity <= found.slots, "a capacity of %d in memory for %d", capacity, found.slots)
        return found

    def title(self):
        return "%s<%s>" % (self.shape, type_text(self.element))

    def checked(self):
        """The figures, when nothing contradicts them."""
        size, capacity, retired, more = self.figures()
        require(size <= capacity, "%d live objects in a capacity of %d", size, capacity)
        try:
            self.open()
        except Unknown:
            pass  # the figures can be told all the same
        return size, capacity, retired, more

    def to_string(self):
        try:
            size, capacity, retired, more = self.checked()
            name = name_text(self.at["limits_"]["settings_"]["name"])
            waiting = self.waiting()
            free = max(0, capacity - size - (retired or 0) - waiting)
            more += ", %d waiting" % waiting if waiting else ""
            text = "%s %s: %d of %d live, %d free%s" % (self.title(), name, size, capacity, free, more)
            return text if retired is None else text + ", %d retired" % retired
        except Broken as broken:
            return "%s: broken: %s" % (self.title(), broken)
        except Exception as error:  # whatever it is: a line of text is of more use than a stack of Python
            return "%s: cannot be read: %s" % (self.title(), error)

    def waiting(self):
        """Ended objects whose slots are not free yet (options::confirmed_ends)."""
        return 0

    def children(self):
        seen = 0
        try:
            size = self.checked()[0]
        except Exception:
            return  # to_string() has said it
        try:
            for seen, child in enumerate(itertools.islice(self.live(), MOST_CHILDREN + 1), 1):
                if seen > MOST_CHILDREN:
                    yield "[...]", "and more"
                    return
                yield child
            if seen != size:
                yield "[?]", "%d are marked live: a life is just beginning or ending, or the pool is broken" % seen
        except Exception as error:
            yield "[?]", str(error)


def resting_text(rest):
    count = int(rest["count"]) if has_member(rest.type, "count") else 0
    return " (%d resting)" % count if count else ""


class SlotView(PoolView):
    """slot_pool, flag_pool and recycle_pool: a map of live slots."""

    def __init__(self, value):
        super().__init__(value)
        recycles = self.type.name.startswith("lido::recycle_pool<")
        scans = not recycles and not has_member(self.state["finder"].type, "fresh")
        self.shape = "recycle_pool" if recycles else "flag_pool" if scans else "slot_pool"

    def figures(self):
        s = self.state
        if self.shape == "recycle_pool":
            return int(s["live"]), int(s["capacity"]), int(s["retired"]), ", %d idle" % int(s["idle"])
        size = (int(s["peak"]) - int(s["slack"])) % (1 << 32)
        return size, int(s["capacity"]), int(s["retired"]), resting_text(s["rest"])

    def waiting(self):
        limbo = self.state["limbo"]
        return int(limbo["count"]) if limbo.type.sizeof > 1 else 0

    def open(self):
        split = self.split()
        lives = Options(self.type, 1)["generations"] != 3  # generation_rule::none
        size = self.element.sizeof
        pad = max(64, self.element.alignof) if size % 256 == 0 else 0
        recent = has_member(self.state["finder"].type, "cached")
        cache = 256 if recent and self.state["cache"].type.sizeof == 1 else 0  # before the map, or in the state

        def sizes(n):
            return (
                (n * size + (n + 63) // 64 * pad, 1),
                (n * split.generation_bytes if lives else 0, split.generation_bytes),
                (cache + map_bytes(n), 8),
            )

        arrays = self.arrays(sizes)
        known = int(self.state["known"])
        require(known <= arrays.slots, "%d slots are known in memory for %d", known, arrays.slots)
        values, generations, occupied = arrays.at[:3]
        occupied += cache

        def life(slot):
            return number_at(generations + slot * split.generation_bytes, split.generation_bytes) if lives else 1

        return known, occupied, life, lambda slot: object_at(values + slot * size + slot // 64 * pad, self.element)

    def live(self):
        known, occupied, life, at = self.open()
        for slot in set_bits(occupied, 0, known):
            yield "[{slot %d, gen %d}]" % (slot, life(slot)), at(slot)

    def find(self, slot, life_asked):
        known, occupied, life, at = self.open()
        if slot >= known or life(slot) != life_asked or not any(True for _ in set_bits(occupied, slot, slot + 1)):
            return None
        return at(slot)


class RingView(PoolView):
    """ring_pool: from the oldest round to the newest."""

    shape = "ring_pool"

    def figures(self):
        return int(self.state["size"]), int(self.state["capacity"]), int(self.state["retired"]), ""

    def open(self):
        split, size = self.split(), self.element.sizeof

        def sizes(n):
            return ((n + 1) * size, 1), ((n + 1) * split.generation_bytes, split.generation_bytes), (map_bytes(n + 1), 8)

        values, generations, occupied = self.arrays(sizes).at[:3]
        slots, oldest, newest = int(self.state["capacity"]) + 1, int(self.state["oldest"]), int(self.state["newest"])
        if int(self.state["size"]) != 0:
            require(oldest < slots and newest < slots, "the ring goes from %d to %d of %d slots", oldest, newest, slots)

        def life(slot):
            return number_at(generations + slot * split.generation_bytes, split.generation_bytes)

        return occupied, life, lambda slot: object_at(values + slot * size, self.element)

    def live(self):
        occupied, life, at = self.open()
        slots, oldest, newest = int(self.state["capacity"]) + 1, int(self.state["oldest"]), int(self.state["newest"])
        if int(self.state["size"]) == 0:
            return
        ranges = [(oldest, newest + 1)] if oldest <= newest else [(oldest, slots), (0, newest + 1)]
        for slot in itertools.chain.from_iterable(set_bits(occupied, *r) for r in ranges):
            yield "[{slot %d, gen %d}]" % (slot, life(slot)), at(slot)

    def find(self, slot, life_asked):
        _, life, at = self.open()
        return at(slot) if slot <= int(self.state["capacity"]) and life(slot) == life_asked else None


class DenseView(PoolView):
    """dense_pool and column_pool: live rows first; a map from slots to rows and back."""

    def __init__(self, value):
        super().__init__(value)
        self.columns = self.type.name.startswith("lido::column_pool<")
        self.shape = "column_pool" if self.columns else "dense_pool"

    def figures(self):
        s, rows = self.state, self.state["rows"]
        return int(rows["size"]), int(s["capacity"]), int(rows["retired"]), resting_text(rows["rest"])

    def fields(self):
        return [f for f in plain(self.element).fields() if hasattr(f, "bitpos")]

    def sizes(self, options, split, packed):
        """The arrays of rows/dense_layout.hpp and, of a column pool, a column a field."""
        delay, aged, ranked = options["reuse_delay"], options["tracks"] != 0, options["tracks"] == 2

        def of(n):
            yield (0 if self.columns else n * self.element.sizeof), 1
            yield n * split.bytes, split.bytes
            yield n * (1 if packed else 4), 1 if packed else 4
            yield (map_bytes(n) if delay else 0), 8
            yield delay * 4, 4
            yield (n * 8 if aged else 0), 4
            yield (n * 8 if ranked else 0), 8
            yield (n if ranked else 0), 1
            yield (map_bytes(n) if options["mark_changes"] else 0), 8
            for f in self.fields() if self.columns else ():
                yield (n * f.type.sizeof + 63) // 64 * 64 + 64, max(64, f.type.alignof)

        return of

    def open(self):
        options, split = Options(self.type, 1), self.split()
        packed = split.bytes == 8 and split.generation_bits == 32 and options["max_rows"] <= 1 << 20
        arrays = self.arrays(self.sizes(options, split, packed))
        at, rows = arrays.at, self.state["rows"]
        known, size = int(rows["known"]), int(rows["size"])
        require(size <= known <= arrays.slots, "%d live rows of %d in memory for %d", size, known, arrays.slots)
        row_bits = split.bytes * 8 - split.generation_bits

        def word(i):
            return number_at(at[1] + i * split.bytes, split.bytes)

        def entry(slot):  # row and life
            w = word(slot)
            return (w >> 12 & 0xFFFFF, w >> 32) if packed else (w & ((1 << row_bits) - 1), w >> row_bits)

        def back(row):
            return word(row) & 0xFFF | number_at(at[2] + row, 1) << 12 if packed else number_at(at[2] + row * 4, 4)

        return entry, back, lambda row: self.row_at(at, row)

    def row_at(self, at, row):
        if not self.columns:
            return object_at(at[0] + row * self.element.sizeof, self.element)
        whole = bytearray(self.element.sizeof)
        for i, f in enumerate(self.fields()):
            size, begin = f.type.sizeof, f.bitpos // 8
            whole[begin : begin + size] = read(at[DENSE_ARRAYS + i] + row * size, size)
        return gdb.Value(bytes(whole), self.element)

    def row(self, row):
        return self.open()[2](row) if row < int(self.state["rows"]["size"]) else None

    def live(self):
        entry, back, object_of = self.open()
        known = int(self.state["rows"]["known"])
        for row in range(int(self.state["rows"]["size"])):
            slot = back(row)
            require(slot < known, "row %d says slot %d of %d", row, slot, known)
            yield "[{slot %d, gen %d}]" % (slot, entry(slot)[1]), object_of(row)

    def find(self, slot, life):
        entry, _, object_of = self.open()
        if slot >= int(self.state["rows"]["known"]) or entry(slot)[1] != life or life % 2 == 0:
            return None
        return object_of(entry(slot)[0])


class FlagColumnView(PoolView):
    """flag_column_pool: a map of live rows, and a column a field (columns/flag_column_layout.hpp)."""

    shape = "flag_column_pool"

    def figures(self):
        return int(self.state["size"]), int(self.state["capacity"]), int(self.state["retired"]), ""

    def fields(self):
        return [f for f in plain(self.element).fields() if hasattr(f, "bitpos")]

    def open(self):
        options, split = Options(self.type, 1), self.split()
        lives, aged, ranked = options["generations"] != 3, options["tracks"] != 0, options["tracks"] == 2

        def sizes(n):
            yield (n * split.generation_bytes if lives else 0), split.generation_bytes
            yield map_bytes(n), 8
            yield (n * 8 if aged else 0), 4
            yield (n * 8 if ranked else 0), 8
            yield (n if ranked else 0), 1
            for f in self.fields():
                yield n * f.type.sizeof, max(16, f.type.alignof)

        at = self.arrays(sizes).at

        def life(row):
            return number_at(at[0] + row * split.generation_bytes, split.generation_bytes) if lives else 1

        def object_on(row):
            whole = bytearray(self.element.sizeof)
            for i, f in enumerate(self.fields()):
                size, begin = f.type.sizeof, f.bitpos // 8
                whole[begin : begin + size] = read(at[FLAG_ARRAYS + i] + row * size, size)
            return gdb.Value(bytes(whole), self.element)

        return at[1], life, object_on

    def is_live(self, occupied, row):
        return row < int(self.state["capacity"]) and any(True for _ in set_bits(occupied, row, row + 1))

    def row(self, row):
        occupied, _, object_on = self.open()
        return object_on(row) if self.is_live(occupied, row) else None

    def live(self):
        occupied, life, object_on = self.open()
        for row in set_bits(occupied, 0, int(self.state["capacity"])):
            yield "[{slot %d, gen %d}]" % (row, life(row)), object_on(row)

    def find(self, slot, life_asked):
        occupied, life, object_on = self.open()
        return object_on(slot) if self.is_live(occupied, slot) and life(slot) == life_asked else None


class RecycledListView(PoolView):
    """recycled_list: no handles; active objects by their place in the order."""

    shape = "recycled_list"

    def figures(self):
        idle = ", %d idle" % int(self.at["idle_"])
        return int(self.state["size"]), int(self.at["limits_"]["max_capacity_"]), None, idle

    def open(self):
        size, slots = self.element.sizeof, int(self.at["slots_"])
        found = Arrays(self.at["memory_"], self.type.template_argument(2), lambda n: ((n * size, 1), (n * 4, 4), (n * 4, 4)))
        require(slots <= found.slots, "%d slots in memory for %d", slots, found.slots)
        values, order = found.at[:2]

        def at(row):
            slot = number_at(order + row * 4, 4)
            require(slot < slots, "row %d is slot %d of %d", row, slot, slots)
            return object_at(values + slot * size, self.element)

        return at

    def live(self):
        at = self.open()
        for row in range(int(self.state["size"])):
            yield "[%d]" % row, at(row)


class CappedView(PoolView):
    """capped_list: no handles, so that the place is the label."""

    shape = "capped_list"

    def figures(self):
        return int(self.state["size"]), int(self.type.template_argument(1)), None, ""

    def open(self):
        return address_of(self.at["bytes_"])

    def live(self):
        first = self.open()
        for i in range(int(self.state["size"])):
            yield "[%d]" % i, object_at(first + i * self.element.sizeof, self.element)


class BytemapView(PoolView):
    """bytemap_pool: a byte a slot; objects of polymorphic classes are shown as what they are."""

    shape = "bytemap_pool"

    def figures(self):
        return int(self.state["size"]), int(self.state["capacity"]), None, ""

    def open(self):
        stride = int(self.type.template_argument(1)) or self.element.sizeof
        capacity = int(self.state["capacity"])
        require(capacity <= 1 << 23, "a capacity of %d, and handles name 2^23 slots", capacity)
        slots, states = self.arrays(lambda n: ((n * stride, 1), (n, 1))).at
        return states, lambda slot: self.most_derived(object_at(slots + slot * stride, self.element))

    def most_derived(self, value):
        try:
            return fetched(value.cast(value.dynamic_type))
        except gdb.error:
            return value

    def live(self):
        states, at = self.open()
        capacity, step = int(self.state["capacity"]), 1 << 16
        for first in range(0, capacity, step):
            for i, state in enumerate(read(states + first, min(step, capacity - first))):
                if not state & 0x80:
                    yield "[{slot %d, seed %d}]" % (first + i, state), at(first + i)

    def find(self, slot, state):
        states, at = self.open()
        lives = slot < int(self.state["capacity"]) and not state & 0x80 and number_at(states + slot, 1) == state
        return at(slot) if lives else None


VIEWS_OF_POOLS = {
    "basic_slot_pool": SlotView,
    "recycle_pool": SlotView,
    "ring_pool": RingView,
    "dense_pool": DenseView,
    "column_pool": DenseView,
    "flag_column_pool": FlagColumnView,
    "recycled_list": RecycledListView,
    "capped_list": CappedView,
    "bytemap_pool": BytemapView,
}
