"""What the views are made of: values found by name, the split of handles, the places of arrays, walks that end."""
import re

import gdb

MOST_SLOTS = 1 << 27  # slots of one search for live ones: 16 MiB of map, about a second
MOST_NAME = 64  # characters of a pool's name


class Broken(Exception):
    """What a view says instead of following figures that contradict each other."""


class Unknown(Exception):
    """What a view says of a pool that it cannot look into: another storage, or debug information with gaps."""


def require(holds, text, *figures):
    if not holds:
        raise Broken(text % figures)


# --- values and types ------------------------------------------------------------------------------------------------


def plain(type_):
    return type_.strip_typedefs().unqualified()


def type_text(type_):
    """Without the `struct` that some types come with."""
    return type_.name or str(type_)


def has_member(type_, name):
    """Static members do not count: a feature that an option switches off leaves some of these behind. Inherited ones do."""
    for f in plain(type_).fields():
        if f.is_base_class and has_member(f.type, name) or f.name == name and hasattr(f, "bitpos"):
            return True
    return False


def only_member(value):
    """Of a std::array, whatever the standard library calls it."""
    return value[next(f for f in plain(value.type).fields() if hasattr(f, "bitpos"))]


def fetched(value):
    """Read now, so that it is the view that fails where the memory is not there: gdb would stop printing altogether."""
    value.fetch_lazy()
    return value


def object_at(address, type_):
    return fetched(gdb.Value(address).cast(type_.pointer()).dereference())


def address_of(value):
    if value.address is None:
        raise Unknown("it is not in memory")
    return int(value.address)


def read(address, count):
    return bytes(gdb.selected_inferior().read_memory(address, count))


def byte_order():
    return "big" if "big" in gdb.execute("show endian", to_string=True) else "little"


def number_at(address, size):
    return int.from_bytes(read(address, size), byte_order())


def name_text(pointer):
    """A pool's name, in quotes. Byte by byte: it may be garbage, or end where its page does."""
    found = b""
    try:
        while len(found) < MOST_NAME:
            byte = read(int(pointer) + len(found), 1)
            if byte == b"\0":
                break
            found += byte
    except gdb.MemoryError:
        return '"?"' if not found else '"%s"...' % found.decode("utf-8", "replace")
    text = "".join(c if c.isprintable() else "?" for c in found.decode("utf-8", "replace"))
    return '"%s"%s' % (text, "..." if len(found) == MOST_NAME else "")


def split_arguments(text):
    """The arguments in `text`, which lie between commas that no bracket encloses."""
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "<({[") - (c in ">)}]")
        if c == "," and depth == 0:
            parts.append(text[begin:i].strip())
            begin = i + 1
    return parts + [text[begin:].strip()]


class Options:
    """The options of a pool type. GCC describes the value; Clang leaves it in the type's name only."""

    def __init__(self, pool_type, argument):
        self.value = None
        try:
            self.value = pool_type.template_argument(argument)
        except (gdb.error, RuntimeError):
            text = split_arguments(pool_type.name[pool_type.name.index("<") + 1 : -1])[argument]
            if "{" not in text:
                raise Unknown("the debug information does not have the options")
            self.texts = split_arguments(text[text.index("{") + 1 : -1])
            self.fields = [f for f in gdb.lookup_type("lido::options").fields() if hasattr(f, "bitpos")]

    def __getitem__(self, name):
        if self.value is not None:
            return int(self.value[name])
        for field, text in zip(self.fields, self.texts):
            if field.name == name:
                word = re.sub(r"^\(.*\)", "", text).split("::")[-1]
                if word in ("true", "false"):
                    return int(word == "true")
                if re.match(r"-?\d", word):
                    return int(re.match(r"-?\d+", word).group())
                return next(e.enumval for e in plain(field.type).fields() if e.name.split("::")[-1] == word)
        raise Unknown("the debug information does not have the option %s" % name)


# --- handles ---------------------------------------------------------------------------------------------------------


class Split:
    """How a handle type divides its bits."""

    def __init__(self, handle_type):
        handle_type = plain(handle_type)
        self.bytes = handle_type.template_argument(2).sizeof
        self.generation_bits = self.bytes * 8 - int(handle_type.template_argument(3))
        self.generation_bytes = 2 if self.generation_bits <= 16 else 4

    def parts(self, handle):
        bits = int(handle["bits_"])
        return bits >> self.generation_bits, bits & ((1 << self.generation_bits) - 1)


def handle_parts(handle):
    """(slot, life), or None for null. The life of a bytemap_handle is its state byte."""
    if has_member(handle.type, "number_"):
        number = int(handle["number_"])
        return (number >> 8, number & 0xFF) if number >= 0 else None
    return Split(handle.type).parts(handle) if int(handle["bits_"]) else None


def handle_text(handle):
    parts = handle_parts(handle)
    if parts is None:
        return "null"
    if has_member(handle.type, "number_"):
        return "{slot %d, seed %d%s}" % (parts[0], parts[1] & 0x7F, ", never issued" if parts[1] & 0x80 else "")
    return "{slot %d, gen %d%s}" % (*parts, "" if parts[1] & 1 else ", never issued")


# --- memory ----------------------------------------------------------------------------------------------------------


class Arrays:
    """Where the arrays of a pool are. `sizes(n)` gives (bytes, alignment) of each, as the pool's layout does for n slots;
    only inline_storage needs it, the other storages keep pointers."""

    def __init__(self, memory, storage, sizes):
        if has_member(memory.type, "raw_"):
            self.slots = int(plain(storage).template_argument(0))
            base, end, self.at = address_of(memory["raw_"]["bytes"]), 0, []
            for size, alignment in sizes(self.slots):
                end = (end + alignment - 1) // alignment * alignment if size else end
                self.at.append(base + end)
                end += size
        else:
            if not has_member(memory.type, "state_") or not has_member(memory["state_"].type, "arrays"):
                raise Unknown("the storage %s is not known to this view" % type_text(storage))
            self.slots = int(memory["state_"]["max_slots"])
            pointers = memory["state_"]["arrays"]
            self.at = [int(pointers[k]) for k in range(plain(pointers.type).range()[1] + 1)]


def map_bytes(slots):
    return (slots + 63) // 64 * 8


def set_bits(map_address, begin, end):
    """The set bits of [begin, end) of a map of 64-bit words, read a few pages at a time."""
    order, step = byte_order(), 4096
    require(end - begin <= MOST_SLOTS, "more than %d slots are not searched", MOST_SLOTS)
    for first in range(begin // 64, (end + 63) // 64, step):
        data = read(map_address + first * 8, min(step, (end + 63) // 64 - first) * 8)
        if not data.strip(b"\0"):
            continue
        for i in range(0, len(data), 8):
            bits = int.from_bytes(data[i : i + 8], order)
            while bits:
                slot = first * 64 + i * 8 + (bits & -bits).bit_length() - 1
                bits &= bits - 1
                if begin <= slot < end:
                    yield slot
