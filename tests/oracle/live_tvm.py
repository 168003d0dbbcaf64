"""The live TVM: reads TensorIR programs and schedules, and runs schedules step by step. What a schedule does is a `Run`."""

import ast
import dataclasses
import functools
import importlib
import importlib.util
import os
import re
import sys
import tempfile
import time
from pathlib import Path

import quick_stack
import tvm
from tvm import tir
from tvm.script import ir as I
from tvm.script import tir as T

REFUSED = 3  # exit status of a run that a refusal ended
HERE = Path(__file__).resolve().parent


class Unreadable(Exception):
    """A file that cannot be read or parsed."""


@dataclasses.dataclass
class Step:
    """One schedule line that changed the module, and the module after it."""

    line: int
    source: str
    script: str
    ms: float = 0.0


@dataclasses.dataclass
class Refusal:
    code: str
    line: int
    message: str

    def __str__(self):
        return f"error[{self.code}] line {self.line}: {self.message}"


@dataclasses.dataclass
class Run:
    """What a schedule did: the steps, and the refusal that ended it, if any."""

    steps: list
    refusal: "Refusal | None" = None
    status: int = 0


# ---------------------------------------------------------------------------------------------------------- reading


def keep_complaints():
    """TVM's parser writes what it dislikes to stderr; this keeps it for our own message instead."""
    complaints = []
    tvm.ir.diagnostics.override_renderer(lambda context: complaints.extend(context.diagnostics))
    return complaints


COMPLAINTS = keep_complaints()


def parse_script(text):
    """The IRModule that a TVMScript text defines: one prim_func or one ir_module, imports optional."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", prefix="func_", delete=False) as file:
        file.write(text)
    name = Path(file.name).stem
    try:
        spec = importlib.util.spec_from_file_location(name, file.name)
        module = importlib.util.module_from_spec(spec)
        module.__dict__.update(tvm=tvm, tir=tir, T=T, I=I)
        sys.modules[name] = module  # where inspect looks for the source of a class
        spec.loader.exec_module(module)
    except Exception as error:
        told = "; ".join(str(complaint.message).strip() for complaint in COMPLAINTS)
        COMPLAINTS.clear()
        raise Unreadable(told or f"{type(error).__name__}: {error}") from error
    finally:
        sys.modules.pop(name, None)
        os.unlink(file.name)
    found = [value for value in vars(module).values() if isinstance(value, (tir.PrimFunc, tvm.IRModule))]
    if len(found) != 1:
        raise Unreadable(f"expected one prim_func or ir_module, found {len(found)}")
    if isinstance(found[0], tvm.IRModule):
        return found[0]
    symbol = found[0].attrs["global_symbol"] if found[0].attrs and "global_symbol" in found[0].attrs else "main"
    return tvm.IRModule({symbol: found[0]})


def load_function(path):
    try:
        return parse_script(Path(path).read_text())
    except OSError as error:
        raise Unreadable(str(error)) from error


def load_schedule(path):
    """The lines of a schedule file as (number, text); comments and blank lines left out."""
    try:
        text = Path(path).read_text()
        ast.parse(text)
    except (OSError, SyntaxError) as error:
        raise Unreadable(f"{path}: {error}") from error
    lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in lines if line and not line.startswith("#")]


# ---------------------------------------------------------------------------------------------------------- running


def new_schedule(module):
    return tir.Schedule(module, seed=1, error_render_level="fast")


def register_intrinsics():
    """Importing these registers TVM's tensor intrinsics; it takes seconds, so it is done on demand."""
    importlib.import_module("tvm.tir.tensor_intrin.cuda")
    importlib.import_module("tvm.tir.tensor_intrin.dot_product_common")


def accept_constants_in_index_maps():
    """TVM prints index maps such as `lambda i, j: (0, i, j,)`, and then refuses to read the 0. Here it does."""
    original = tir.IndexMap.from_func_with_separators

    def from_func(mapping, *args, **kwargs):
        @functools.wraps(mapping)
        def with_expressions(*indices, **more):
            found = mapping(*indices, **more)
            if not isinstance(found, (tuple, list)):
                return found
            return [tir.IntImm("int32", item) if isinstance(item, int) else item for item in found]

        return original(with_expressions, *args, **kwargs)

    tir.IndexMap.from_func_with_separators = staticmethod(from_func)


accept_constants_in_index_maps()
quick_stack.install()


def error_classes():
    rows = (line.split("\t") for line in (HERE / "errors.txt").read_text().splitlines() if not line.startswith("#"))
    return [(text, name) for name, text in rows]


def refusal_of(error, line):
    """TVM tells the class of a schedule error only by its text; other errors are named by their Python class."""
    lines = str(error).strip().splitlines()
    message = (lines[0] if lines else "").strip()
    if isinstance(error, tir.ScheduleError):
        message = message.removeprefix("ScheduleError: ")
        code = next((name for text, name in error_classes() if message.startswith(text)), "ScheduleError")
        return Refusal(code, line, message)
    message = message.removeprefix(f"{type(error).__name__}: ")
    message = re.sub(r" \(0x[0-9a-f]+ vs\. 0x[0-9a-f]+\)", "", message)  # addresses differ in every run
    return Refusal(type(error).__name__, line, message)


def replay(module, lines, schedule=None):
    """Yields a Step for every line that changes the module, and a Refusal last if a line is refused."""
    sch = schedule or new_schedule(module)
    names = {"sch": sch, "T": T, "tvm": tvm, "tir": tir}
    before = sch.mod.script()
    for number, source in lines:
        if "tensorize" in source:
            register_intrinsics()
        code = compile(source, f"line {number}", "exec")
        start = time.perf_counter()
        try:
            exec(code, names)
        except (NameError, SyntaxError, AttributeError) as error:
            raise Unreadable(f"line {number}: {error}") from error
        except Exception as error:  # every refusal of TVM, whatever its class
            yield refusal_of(error, number)
            return
        ms = (time.perf_counter() - start) * 1e3
        after = sch.mod.script()
        if after != before:
            yield Step(number, source, after, ms)
        before = after


class Case:
    """A function's file and a schedule's, with what TVM makes of them: run once, whoever asks for it."""

    def __init__(self, func, schedule):
        self.func, self.schedule = Path(func), Path(schedule)

    @functools.cached_property
    def module(self):
        return load_function(self.func)

    @functools.cached_property
    def _run(self):
        steps, refusal, sch = [], None, new_schedule(self.module)
        for event in replay(None, load_schedule(self.schedule), sch):
            if isinstance(event, Refusal):
                refusal = event
            else:
                steps.append(event)
        return Run(steps, refusal, REFUSED if refusal else 0), sch

    @property
    def run(self):
        return self._run[0]

    @property
    def scheduled(self):
        """TVM's own schedule after the last line, or None when one is refused."""
        return None if self.run.refusal else self._run[1]


# -------------------------------------------------------------------------------------------------------- comparing


def difference(ours, theirs):
    """None if the two modules are structurally equal, else what TVM says of the first difference."""
    try:
        tvm.ir.assert_structural_equal(ours, theirs, map_free_vars=True)
        return None
    except ValueError as error:
        return str(error)


def plain(value):
    """TVM containers as plain Python values."""
    if isinstance(value, (tvm.ir.Array, list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (tvm.ir.Map, dict)):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tir.IntImm, tir.FloatImm)):
        return value.value
    return value if isinstance(value, (int, float, bool, type(None))) else str(value)
