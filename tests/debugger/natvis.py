"""Reads lido.natvis as Visual Studio would, as far as gdb can stand in for it: the XML, and every expression in it, evaluated
by gdb for the variables of debuggee.cpp. A member that was renamed, an array that has moved, a wrong step of a list: each
changes what is printed, which natvis_expected.txt holds. X14.

What this cannot show: what Visual Studio's own parser thinks of an expression, and how it matches the names of types.
"""
import re
import xml.etree.ElementTree

import gdb

VARIABLES = (
    "bullets pages lent huge inside worn flags bare dense wide short_dense orbs few_orbs rows few_rows "
    "meshes few_meshes packed trail few_trails numbers cars few_cars null first second short_handle old_null "
    "old_handle car answer row_answer refused lease no_lease no_call call rejects grows grows_and_ends from"
).split()
SCHEMA = "{http://schemas.microsoft.com/vstudio/debugger/natvis/2010}"
MICROSOFT = {"__int64": "long long"}
KEYWORDS = {"sizeof", "unsigned", "int", "char", "void", "true", "false"}
MOST_STEPS = 5000
evaluated, failed = set(), {}


def plain(type_):
    return type_.strip_typedefs().unqualified()


def has_field(type_, name):
    """Of its own, or of a base."""
    return any(has_field(plain(f.type), name) if f.is_base_class else f.name == name for f in type_.fields())


class Natvis:
    """The visualizer of one type, for one object."""

    def __init__(self, element, value):
        self.element, self.value, self.type = element, value, plain(value.type)
        self.intrinsics = {i.get("Name"): i.get("Expression") for i in element.findall(SCHEMA + "Intrinsic")}
        self.variables = {}

    def in_gdb(self, expression):
        """The expression with names that gdb can resolve without being inside of a member function."""
        tokens = re.findall(r"\$T\d+|[A-Za-z_]\w*|\d+|->|[<>=!]=|<<|>>|&&|\|\||\S", expression)
        out, i = [], 0
        while i < len(tokens):
            t, before = tokens[i], tokens[i - 1] if i else ""
            if t.startswith("$T"):
                argument = self.type.template_argument(int(t[2:]) - 1)
                t = (argument.name or str(argument)) if isinstance(argument, gdb.Type) else str(int(argument))
            elif re.match(r"[A-Za-z_]", t) and before not in (".", "->"):
                if t in self.intrinsics and tokens[i + 1 : i + 3] == ["(", ")"]:
                    t, i = "(%s)" % self.in_gdb(self.intrinsics[t]), i + 2
                else:
                    t = self.name(t)
            out.append(t)
            i += 1
        return " ".join(out)

    def name(self, t):
        if t in self.variables:
            return "$natvis_" + t
        if t in KEYWORDS or t in MICROSOFT:
            return MICROSOFT.get(t, t)
        if has_field(self.type, t):
            return "$natvis_self->" + t
        return plain(self.type_named(t)).name

    def type_named(self, t):
        """A type that the class names. Compilers leave aliases that nothing uses out of debug information: then it is that of the table."""
        holders = [self.type]
        while holders:
            holder = holders.pop(0)
            try:
                return gdb.lookup_type("%s::%s" % (holder.name, t))
            except gdb.error:
                holders += [plain(f.type) for f in holder.fields() if f.name == "table_" or f.is_base_class]
        raise gdb.error("no type named %s" % t)

    def evaluate(self, expression):
        gdb.set_convenience_variable("natvis_self", self.value.address)
        for name, held in self.variables.items():
            gdb.set_convenience_variable("natvis_" + name, held)
        try:
            result = gdb.parse_and_eval(self.in_gdb(expression))
        except (gdb.error, RuntimeError) as error:
            failed[expression] = "%s (%s)" % (error, self.type.name[:60])
            raise
        evaluated.add(expression)
        return result

    def holds(self, element):
        condition = element.get("Condition")
        return condition is None or bool(self.evaluate(condition))

    def text(self, display):
        """`{expression,format}` in a string, with {{ and }} for the brackets themselves."""
        out, i = "", 0
        while i < len(display):
            if display[i : i + 2] in ("{{", "}}"):
                out, i = out + display[i], i + 2
            elif display[i] == "{":
                end = display.index("}", i)
                expression, _, form = display[i + 1 : end].partition(",")
                out, i = out + self.shown(self.evaluate(expression), form), end + 1
            else:
                out, i = out + display[i], i + 1
        return out

    def shown(self, value, form=""):
        if form == "s":
            return '"%s"' % value.string()
        if form == "en":
            return str(value).rsplit("::", maxsplit=1)[-1]
        if plain(value.type).code == gdb.TYPE_CODE_PTR:
            return "an address" if int(value) else "null"
        found = visualizer(value)
        return found.line() if found else value.format_string(raw=True, symbols=False)

    def line(self):
        for display in self.element.findall(SCHEMA + "DisplayString"):
            try:
                if self.holds(display):
                    return self.text(display.text)
            except (gdb.error, RuntimeError):
                if display.get("Optional") != "true":
                    raise
        raise RuntimeError("no DisplayString of %s holds" % self.type.name)

    def lines(self):
        expand = self.element.find(SCHEMA + "Expand")
        for part in expand if expand is not None else ():
            try:
                if self.holds(part):
                    yield from list(getattr(self, part.tag[len(SCHEMA) :])(part))
            except (gdb.error, RuntimeError):
                if part.get("Optional") != "true":
                    raise
            self.variables = {}

    def Item(self, part):
        yield "%s %s" % (self.text(part.get("Name")), self.shown(self.evaluate(part.text)))

    def ArrayItems(self, part):
        size = int(self.evaluate(part.find(SCHEMA + "Size").text))
        first = self.evaluate(part.find(SCHEMA + "ValuePointer").text)
        for i in range(size):
            yield "[%d] %s" % (i, self.shown((first + i).dereference()))

    def CustomListItems(self, part):
        for variable in part.findall(SCHEMA + "Variable"):
            self.variables[variable.get("Name")] = self.evaluate(variable.get("InitialValue"))
        for _ in range(MOST_STEPS):
            went_on = yield from self.steps(part.find(SCHEMA + "Loop"))
            if not went_on:
                return
        raise RuntimeError("a list of %s does not end" % self.type.name)

    def steps(self, block):
        taken = False
        for step in block:
            tag = step.tag[len(SCHEMA) :]
            if tag == "Break":
                if self.holds(step):
                    return False
            elif tag in ("If", "Else"):
                taken = self.holds(step) if tag == "If" else not taken
                if taken:
                    yield from self.steps(step)
            elif tag == "Exec":
                name, _, expression = step.text.partition("=")
                self.variables[name.strip()] = self.evaluate(expression)
            else:
                yield from self.Item(step)
        return True


def visualizer(value):
    name = plain(value.type).name or ""
    for element in types:
        if name == element.get("Name") or name.startswith(element.get("Name").replace("<*>", "<")) and "<" in name:
            return Natvis(element, value)
    return None


def expressions(element):
    for e in element.iter():
        if e.tag is xml.etree.ElementTree.Comment:
            continue
        for key in ("Expression", "Condition", "InitialValue"):
            if e.get(key):
                yield e.get(key)
        if e.tag[len(SCHEMA) :] in ("Item", "Size", "ValuePointer"):
            yield e.text
        if e.tag[len(SCHEMA) :] == "Exec":
            yield e.text.partition("=")[2]


types = xml.etree.ElementTree.parse("tools/debugger/lido.natvis").getroot().findall(SCHEMA + "Type")
shown = set()
for variable in VARIABLES:
    view = visualizer(gdb.parse_and_eval(variable))
    shown.add(view.element.get("Name"))
    print("%s: %s" % (variable, view.line()))
    for line in view.lines():
        print("    " + line)
unseen = ["never shown: %s" % e.get("Name") for e in types if e.get("Name") not in shown]
for element in types:
    called = [i.get("Expression") for i in element.findall(SCHEMA + "Intrinsic")]  # evaluated where they are called
    for expression in expressions(element):
        if expression not in evaluated and expression not in called:
            unseen.append("never evaluated: %s of %s %s" % (expression, element.get("Name"), failed.get(expression, "")))
print("\n".join(unseen) or "every expression was evaluated")
