#!/usr/bin/env python3
"""snippets.py SOURCE COMPILER WORK [page...]: every ```cpp block of README, the guide and docs/from compiles and runs, as a reader would
have it.

A block that has a main() is a program: it is compiled alone, runs, returns 0 and reports nothing. Of all others one program is made per
set of headers, so that the compiler runs a few times and not a hundred. A block begins with the types and functions of the blocks before
it on its page. What a block needs beyond that stands in a comment above it, which readers of the page do not see:

    <!-- given: lido::world world; -->          declarations and statements before this block
    <!-- given below: struct enemy {}; -->      the same for every block of the page from here on
    <!-- only compiled -->                      it needs a file, or another machine: not run
    <!-- reports: a text -->                    it is about a mistake: the report has this text

What lido compiles is linked from LIDO_LIBRARIES=inspect=<archive>,settings=<archive>; without, blocks that need it are only compiled.

The headers are those that the page itself includes in its blocks; a page that includes none uses <lido/core.hpp>, README's first line.
"""
import glob
import os
import re
import subprocess
import sys

FLAGS = ["-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-Wunused-result", "-fdiagnostics-color=never"]
# Readers know the standard library, and pages do not name its headers.
STANDARD = "array cstddef cstdint cstdio cstdlib functional memory span string string_view utility vector".split()
# Compiled parts of lido, by a header that only they come with.
COMPILED = {"lido/inspect/inspector.hpp": "inspect", "lido/world/settings_file.hpp": "settings",
            "lido/store/postgres_database.hpp": "store_postgres", "lido/store/store.hpp": "store",
            "lido/store/save_game.hpp": "store"}
# A fragment ends where its game would go on.
NOT_A_REPORT = re.compile(r".*(objects? (was|were) still active when the pool ended).*")


class Block:
    def __init__(self, page, line, text, given, only_compiled, reports):
        self.page, self.line, self.text, self.given = page, line, text, given
        self.only_compiled, self.reports = only_compiled, reports
        self.name = "%s:%d" % (page, line)
        self.includes = re.findall(r"^#include <(.*)>", text, re.M)
        self.is_program = re.search(r"^int main\(", text, re.M) is not None

    def place(self):
        return '#line %d "%s"\n' % (self.line + 1, self.page)


def blocks_of(source, page):
    with open(os.path.join(source, page), encoding="utf-8") as file:
        lines = file.read().split("\n")
    found, below, given, only_compiled, reports = [], "", "", False, None
    i = 0
    while i < len(lines):
        line = lines[i]
        if line.startswith("<!--"):
            comment = line
            while "-->" not in comment:
                i += 1
                comment += "\n" + lines[i]
            word, _, rest = comment[4:comment.index("-->")].strip().partition(":")
            if word == "given":
                given += rest + "\n"
            elif word == "given below":
                below += rest + "\n"
            elif word == "only compiled":
                only_compiled = True
            elif word == "reports":
                reports = rest.strip()
        elif line.startswith("```"):
            begin = i + 1
            i += 1
            while not lines[i].startswith("```"):
                i += 1
            if line == "```cpp":
                found.append(Block(page, begin, "\n".join(lines[begin:i]), below + given, only_compiled, reports))
            given, only_compiled, reports = "", False, None
        i += 1
    return found


def chunks(text):
    """The declarations and statements of a text, each with its line."""
    depth, begin, opened, i, line = 0, 0, 0, 0, 1
    while i < len(text):
        if text.startswith("//", i):
            i = text.find("\n", i) if "\n" in text[i:] else len(text)
            continue
        if text[i] == '"':
            i += 1
            while text[i] != '"':
                i += 2 if text[i] == "\\" else 1
        elif text[i] in "({[":
            if depth == 0:
                opened = i
            depth += 1
        elif text[i] in ")}]":
            depth -= 1
        if depth == 0 and (text[i] == ";" or (text[i] == "}" and is_body(text[begin:opened]) and not re.match(r"\s*else\b", text[i + 1:]))):
            yield text[begin:i + 1], line
            line += text[begin:i + 1].count("\n")
            begin = i + 1
        i += 1
    if strip(text[begin:]).strip():
        yield text[begin:], line


def is_body(head):
    """Whether braces after this are a block or the body of a function, and not a type, an initialiser or a lambda, which a ; ends."""
    plain = strip(head).strip()
    return plain == "" or (re.search(r"(\)|\belse|\bdo|\bconst|\bnoexcept)$", plain) is not None and re.search(r"=\s*\[", plain) is None)


def strip(text):
    return re.sub(r"//[^\n]*", "", text)


def is_declaration(chunk):
    """Whether it stands outside of functions: a type, an alias, a function."""
    plain = strip(chunk).strip()
    if re.match(r"(struct \w+|class|enum|union|using|template|namespace|static_assert|inline)\b", plain):
        return True
    head = plain.split("(")[0]
    return "{" in plain and re.fullmatch(r"(?!(?:if|for|while|switch|return|do)\b)[\w:<>,&*\s]+\s[&*]?\w+", head) is not None


def split(text, first, page):
    """What stands outside of functions, and what inside; both with their lines."""
    outside, inside = "", ""
    for chunk, line in chunks(re.sub(r"^\s*…\s*$", "", text, flags=re.M)):
        body = chunk.lstrip("\n")
        placed = '#line %d "%s"\n%s\n' % (first + line + chunk[:len(chunk) - len(body)].count("\n") - 1, page, body)
        if is_declaration(chunk):
            outside += placed
        else:
            inside += placed
    return outside, inside


def without_includes(text):
    return re.sub(r"^#include.*$", "", text, flags=re.M)


def page_source(number, blocks):
    """Each block in a namespace inside of the one before it, so that it sees its types and may have others of the same name."""
    text, calls, names = "", "", []
    for n, block in enumerate(blocks):
        given_out, given_in = split(block.given, 1, "given for " + block.name)
        # What an earlier block was given is still there.
        if n > 0:
            for chunk, _ in chunks(block.given):
                if is_declaration(chunk) and any(chunk.strip() in b.given for b in blocks[:n]):
                    given_out = "".join(part for part in re.split(r"(?=^#line )", given_out, flags=re.M) if chunk.strip() not in part)
        outside, inside = split(without_includes(block.text), block.line + 1, block.page)
        name = "block_%d_%d" % (number, n)
        text += "namespace %s {\n%s%sint run() {\n%s{\n%s}\nreturn 0;\n}\n" % (name, given_out, outside, given_in, inside)
        names.append(name)
        if not block.only_compiled:
            calls += '    begin("%s"); %s::run();\n' % (block.name, "::".join(names))
    return text + "}\n" * len(blocks), calls


def run(command, what, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    if done.returncode != 0:
        sys.exit("%s: ended with %d\n%s\n%s\n%s" % (what, done.returncode, " ".join(command), done.stdout[-4000:], done.stderr[-8000:]))
    return done


def reports_in(text):
    return [line for line in text.split("\n") if line.strip() and not NOT_A_REPORT.match(line)]


def main():
    source, compiler, work = sys.argv[1:4]
    libraries = dict(pair.split("=", 1) for pair in os.environ.get("LIDO_LIBRARIES", "").split(",") if pair)
    os.makedirs(work, exist_ok=True)
    pages = sys.argv[4:] or ["README.md"] + sorted(
        os.path.relpath(p, source) for p in glob.glob(os.path.join(source, "docs/guide/*.md")) + glob.glob(os.path.join(source, "docs/from/*.md")))
    include = "-I" + os.path.join(source, "include")
    groups, count = {}, 0
    for page in pages:
        blocks = blocks_of(source, page)
        count += len(blocks)
        for block in [b for b in blocks if b.is_program]:
            path = os.path.join(work, "program.cpp")
            with open(path, "w", encoding="utf-8") as file:
                file.write(block.place() + block.text + "\n")
            compiled = {COMPILED[h] for h in block.includes if h in COMPILED}
            if block.only_compiled or compiled - set(libraries):
                run([compiler, *FLAGS, include, "-fsyntax-only", path], block.name)
                continue
            run([compiler, *FLAGS, include, path, *(libraries[n] for n in sorted(compiled)), "-pthread",
                 "-o", os.path.join(work, "program")], block.name)
            said = run([os.path.join(work, "program")], block.name)
            if said.stderr:
                sys.exit("%s reports:\n%s" % (block.name, said.stderr))
        # A program and the blocks after it are of one page, and share its headers and not its main().
        fragments = [b for b in blocks if not b.is_program]
        for b in blocks:
            if b.is_program and fragments:
                types = "".join(c for c, _ in chunks(without_includes(b.text)) if is_declaration(c) and "int main(" not in c)
                first = [f for f in fragments if f.line > b.line][:1]
                if first:
                    first[0].given = types + first[0].given
        if fragments:
            headers = tuple(sorted({i for b in blocks for i in b.includes if i.startswith("lido/")})) or ("lido/core.hpp",)
            groups.setdefault(headers, []).append(fragments)
    for number, (headers, of_pages) in enumerate(sorted(groups.items())):
        needs = {COMPILED[h] for h in headers if h in COMPILED}
        text = "".join("#include <%s>\n" % h for h in (*headers, *STANDARD))
        text += "static void begin(const char* block) { std::fprintf(stderr, \"\\n== %s\\n\", block); }\n"
        calls = ""
        for n, blocks in enumerate(of_pages):
            body, more = page_source(n, blocks)
            text += body
            calls += more
        text += "int main() {\n" + calls + "}\n"
        path = os.path.join(work, "fragments_%d.cpp" % number)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        shown = "the blocks that include " + ", ".join(headers)
        if needs - set(libraries):
            run([compiler, *FLAGS, include, "-fsyntax-only", path], shown)
            continue
        program = os.path.join(work, "fragments_%d" % number)
        run([compiler, *FLAGS, include, path, *(libraries[n] for n in sorted(needs)), "-pthread", "-o", program], shown)
        said = run([program], shown, cwd=work)
        parts = re.split(r"^== (.*)$", said.stderr, flags=re.M)
        told = dict(zip(parts[1::2], parts[2::2]))
        for block in (b for blocks in of_pages for b in blocks if not b.only_compiled):
            reports = reports_in(told[block.name])
            if block.reports is not None:
                if block.reports not in told[block.name]:
                    sys.exit("%s does not report '%s' but:\n%s" % (block.name, block.reports, told[block.name]))
            elif reports:
                sys.exit("%s reports:\n%s" % (block.name, "\n".join(reports)))
            if block.page == "README.md" and told[block.name].strip():
                sys.exit("%s prints:\n%s" % (block.name, told[block.name]))
    if len(sys.argv) == 4 and count < 50:
        sys.exit("only %d blocks were found" % count)
    print("%d blocks of %d pages" % (count, len(pages)))


main()
