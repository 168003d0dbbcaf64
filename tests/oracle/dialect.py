"""Reads the program's s_tir dialect with current TVM: python dialect.py PROGRAM FOLDER…   (see ./dialect)

Every state of the lessons and the last state of every other case that isn't refused is parsed by TVM. What TVM then
prints must be the program's text again or, where TVM prints a thing differently, structurally equal to it.
"""

import importlib.util
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import quick_stack
import tvm
from tvm.script import ir as I
from tvm.script import tirx as T

# What TVM 0.27 can't read, however it is written, and why. A case that is read after all must leave this list.
SYMBOLIC = "its parser takes no symbolic shape of a parameter"
DP4A = "its parser takes no region as an argument of call_pure_extern"
# Left to do: it calls them T.cuda.mma_fill_legacy, T.ptx_legacy.mma and so on, and infers their types.
MMA = "it has other names for the calls of mma.sync and ldmatrix than TVM 0.22, which the program keeps in both dialects"
SEPARATORS = "its buffers are declared without axis_separators"
UNREADABLE = {
    "compute_at/symbolic": SYMBOLIC,
    "fuse/symbolic": SYMBOLIC,
    "split/symbolic": SYMBOLIC,
    "workloads/symbolic_matmul": SYMBOLIC,
    "pad_einsum/symbolic_rows": SYMBOLIC,
    "reindex/symbolic_rows": SYMBOLIC,
    "transform_block_layout/symbolic": SYMBOLIC,
    "transform_layout/symbolic_rows": SYMBOLIC,
    "transform_layout/symbolic_with_padding": SYMBOLIC,
    "set_axis_separator/parameter": SEPARATORS,
    "set_axis_separator/write": SEPARATORS,
    "set_axis_separator/views": SEPARATORS,
    "pad_einsum/truth_value": SEPARATORS,
    "annotate/text_of_two_lines": "TVM prints a text of several lines, which it doesn't read",
    "quirks/transform_layout_keeps_reordered_iterators": "the program uses a variable outside of its loop",
    "quirks/reverse_compute_inline_forgets_consumer": "the program reads a buffer that is gone",
    "tensorize/mma_e4m3e4m3f32_trans_b": MMA,
    "tensorize/mma_e5m2e5m2f32": MMA,
    "tensorize/mma_f16f16f16": MMA,
    "tensorize/mma_f16f16f16_trans_b": MMA,
    "tensorize/mma_f16f16f32": MMA,
    "tensorize/mma_f16f16f32_trans_a": MMA,
    "tensorize/mma_f16f16f32_trans_a_trans_b": MMA,
    "tensorize/mma_f16f16f32_trans_b": MMA,
    "tensorize/mma_i8i8i32": MMA,
    "tensorize/mma_i8i8i32_trans_b": MMA,
    "tensorize/mma_written_e4m3e4m3f32_trans_b": MMA,
    "tensorize/mma_written_f16f16f16": MMA,
    "tensorize/mma_written_f16f16f16_trans_a": MMA,
    "tensorize/mma_written_f16f16f32": MMA,
    "tensorize/mma_written_f16f16f32_trans_a_trans_b": MMA,
    "tensorize/mma_written_f16f16f32_trans_b": MMA,
    "tensorize/mma_written_i8i8i32": MMA,
    "tensorize/mma_written_i8i8i32_trans_b": MMA,
    "tensorize/mma_written_m16n8k8_f16f16f16": MMA,
    "tensorize/mma_written_m16n8k8_f16f16f32": MMA,
    "tensorize/mma_written_store_f16_shared_dyn_simple": MMA,
    "tensorize/mma_written_store_f32_shared_dyn": MMA,
    "tensorize/mma_written_store_f32_shared_dyn_simple": MMA,
    "tensorize/dp4a_s8s8s32": DP4A,
    "tensorize/dp4a_s8u8s32": DP4A,
    "tensorize/dp4a_u8s8s32": DP4A,
    "tensorize/dp4a_u8u8u32": DP4A,
}

quick_stack.install()

if hasattr(tvm.ir, "structural_equal"):
    equal = tvm.ir.structural_equal
else:

    def equal(a, b):
        try:
            tvm.ir.assert_structural_equal(a, b, map_free_vars=True)
            return True
        except ValueError:
            return False


def parsed(text, folder):
    """The IRModule that a text defines."""
    file = folder / "state.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location("state", file)
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(tvm=tvm, T=T, I=I)
    sys.modules["state"] = module  # where inspect looks for the source of a class
    spec.loader.exec_module(module)
    return module.Module


def states(program, func, schedule, every):
    command = [program, "replay", func, schedule, "--dialect", "s_tir", "--json", "--print", "each" if every else "last"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise SystemExit(f"{schedule}: status {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def judge(text, folder):
    try:
        ours = parsed(text, folder)
        printed = ours.script()
    except Exception as error:
        return "not read", f"{type(error).__name__}: {str(error)[-600:]}"
    if printed.strip() == text.strip():
        return "identical", ""
    try:
        return ("equal", "") if equal(ours, parsed(printed, folder)) else ("differs", printed)
    except Exception as error:
        return "not read back", f"TVM can't read its own text: {str(error)[-300:]}"


def main():
    program, folders = sys.argv[1], sys.argv[2:]
    totals, bad = {}, 0
    with tempfile.TemporaryDirectory() as name:
        for schedule in sorted(path for folder in folders for path in Path(folder).rglob("*.sched.py")):
            if schedule.with_name(schedule.name.replace(".sched.py", ".error.txt")).exists():
                continue
            func = schedule.with_name(schedule.name.replace(".sched.py", ".func.py"))
            for state in states(program, func, schedule, schedule.parent.name == "lessons"):
                verdict, detail = judge(state["script"], Path(name))
                case = f"{schedule.parent.name}/{schedule.name.removesuffix('.sched.py')}"
                if case in UNREADABLE:
                    verdict, detail = ("beyond TVM's parser", "") if verdict.startswith("not read") else ("read after all", "")
                totals[verdict] = totals.get(verdict, 0) + 1
                if verdict not in ("identical", "equal", "beyond TVM's parser"):
                    print(f"{case} step {state['step']}: {verdict}\n{detail}")
                    bad += 1
    print(f"TVM {tvm.__version__} reads s_tir: " + ", ".join(f"{count} {what}" for what, count in sorted(totals.items())))
    return 1 if bad or not totals else 0


if __name__ == "__main__":
    sys.exit(main())
