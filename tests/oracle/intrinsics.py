"""Compares our files of tensor intrinsics with those that TVM registers: intrinsics.py FOLDER

Each of ours of a name that TVM has must be TVM's: the same description and the same implementation, of equal structure. TVM's
CUDA intrinsics that no file of ours has are named. Ends with 1 where one of ours differs or is missing.
"""
import io
import re
import sys
import tokenize
from pathlib import Path

import live_tvm
import tvm
from tvm import tir

def top_level(text):
    """The parts of a file: ("value", name, text), ("table" or "forms", {name: {parameter: text}}, ""), ("function", name, text)."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith(("INTRINSICS", "FORMS")):
            rows, kind = {}, "forms" if line.startswith("FORMS") else "table"
            at += 1
            while lines[at] != "}":
                name, values = re.fullmatch(r'    "([^"]*)": \{(.*)\},', lines[at]).groups()
                rows[name] = dict(parameters(values))
                at += 1
            yield kind, rows, ""
        elif line.startswith("@T.prim_func"):
            end = at + 1
            while end < len(lines) and (not lines[end] or lines[end].startswith((" ", "def"))):
                end += 1
            yield "function", re.match(r"def (\w+)", lines[at + 1]).group(1), "\n".join(lines[at:end]) + "\n"
            at = end - 1
        elif found := re.match(r"([A-Za-z_]\w*) = (.*)", line):
            yield "value", found.group(1), found.group(2)
        at += 1


def parameters(text):
    """"key": value pairs, the values up to the comma outside of brackets."""
    at = 0
    while at < len(text):
        key = re.compile(r'"(\w+)": ').match(text, at)
        at = end = key.end()
        depth = 0
        while end < len(text) and (depth or text[end] != ","):
            depth += (text[end] in "([{") - (text[end] in ")]}")
            end += 1
        yield key.group(1), text[at:end]
        at = end + 2


def expanded(text, values):
    """The function with the parameters' values in place, by the rules of assets/intrinsics/README.md."""
    out, row, column, lines = [], 1, 0, text.splitlines(keepends=True)
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    for before, token, after in zip([None] + tokens, tokens, tokens[1:]):
        if token.type != tokenize.NAME or token.string not in values or before and before.string == "." or after.string == "=":
            continue
        while row < token.start[0]:
            out.append(lines[row - 1][column:])
            row, column = row + 1, 0
        out += [lines[row - 1][column : token.start[1]], values[token.string]]
        column = token.end[1]
    out.append(lines[row - 1][column:])
    return "".join(out + lines[row:])


def intrinsics_of(path):
    common, rows, functions, forms = {}, {}, {}, {"": {}}
    for kind, name, text in top_level(path.read_text()):
        if kind == "value":
            common[name] = text
        elif kind == "forms":
            forms = name
        elif kind == "table":
            rows = {row + end: values | {k: expanded(text, common | values) for k, text in form.items()}
                    for row, values in name.items() for end, form in forms.items()}
            functions = {}
        else:
            functions[name] = text
        if kind == "function" and len(functions) == 2:
            for intrinsic, values in rows.items():
                yield intrinsic, *(expanded(functions[part], common | values) for part in ("desc", "impl"))


def registered():
    """The names that TVM's file of CUDA intrinsics registers."""
    source = Path(sys.modules["tvm.tir.tensor_intrin.cuda"].__file__).read_text()
    quoted = set(re.findall(r'"((?:wmma|mma)_\w+)"', source))
    return sorted(name for name in quoted if tir.TensorIntrin.get(name, allow_missing=True))


def main():
    live_tvm.register_intrinsics()
    wrong, ours = 0, set()
    for path in sorted(Path(sys.argv[1]).glob("*.py")):
        for name, *texts in intrinsics_of(path):
            ours.add(name)
            theirs = tir.TensorIntrin.get(name, allow_missing=True)
            if not theirs:
                continue
            for part, text, other in zip(("desc", "impl"), texts, (theirs.desc, theirs.impl)):
                function = tvm.script.from_source(text).without_attr("global_symbol")
                if tvm.ir.structural_equal(function, other.without_attr("global_symbol")):
                    continue
                wrong += 1
                print(f"differs: {part} of {name} in {path.name}\n{function.script()}\nTVM:\n{other.script()}")
    missing = [name for name in registered() if name not in ours]
    print(f"{len(ours)} intrinsics, {wrong} functions differ from TVM's; TVM alone has: {', '.join(missing) or 'none'}")
    return 1 if wrong or missing else 0


if __name__ == "__main__":
    sys.exit(main())
