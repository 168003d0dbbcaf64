"""Random schedules, compared step by step between the live TVM and a program. Start it through `tvm_oracle python`."""

import argparse
import collections
import contextlib
import io
import os
import pickle
import random
import re
import sys
import tempfile
from pathlib import Path

import functions
import live_tvm
import program_comparison

THREADS = ["blockIdx.x", "blockIdx.y", "threadIdx.x", "threadIdx.y", "threadIdx.z", "vthread.x", "vthread.y"]
SCOPES = ["shared", "shared", "local", "local", "shared.dyn", "global", "warp", "wmma.matrix_a", "registers"]
INTRINSICS = [
    "wmma_fill_16x16x16_f32", "wmma_load_16x16x16_f16_a_shared", "wmma_load_16x16x16_f16_b_trans_shared",
    "wmma_sync_16x16x16_f16f16f32_trans", "wmma_store_16x16x16_f32_global", "wmma_store_16x16x16_f32_shared",
]  # fmt: skip


class Walk:
    """One schedule as it grows, with TVM's objects behind its names."""

    def __init__(self, seed, allowed):
        self.random = random.Random(seed)
        self.allowed = allowed
        make = self.random.choice(functions.ALL)
        self.text = make(lambda: self.random.choice(functions.EXTENTS))
        self.schedule = live_tvm.new_schedule(live_tvm.parse_script(self.text))
        self.names = {"sch": self.schedule}
        self.lines = []
        self.refused = []  # (lines before, the refused line)
        self.count = 0

    # -- what there is ------------------------------------------------------------------------------------------------

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def alive(self, kind):
        found = []
        for name, value in self.names.items():
            if isinstance(value, kind):
                with contextlib.suppress(Exception):
                    self.schedule.get(value)
                    found.append(name)
        return found

    def handle(self, kind):
        names = [name for name, value in self.names.items() if isinstance(value, kind)]
        alive = self.alive(kind)
        if alive and self.random.random() < 0.97:
            return self.random.choice(alive)
        return self.random.choice(names) if names else None

    def block(self):
        return self.handle(live_tvm.tir.schedule.BlockRV)

    def loop(self):
        return self.handle(live_tvm.tir.schedule.LoopRV)

    def nest(self):
        """Names of the loops around one block, outermost first, fetching them if need be."""
        block = self.block()
        if block is None or not self.look(block):
            return []
        return self.last_loops

    def look(self, block):
        try:
            loops = self.schedule.get_loops(self.names[block])
        except Exception:
            return False
        if not loops:
            return False
        names = [self.fresh("l") for _ in loops]
        self.run(f"{', '.join(names)}{',' if len(names) == 1 else ''} = sch.get_loops({block})")
        self.last_loops = names
        return True

    def extent(self, loop):
        try:
            return int(self.schedule.get(self.names[loop]).extent)
        except Exception:
            return 8

    # -- lines --------------------------------------------------------------------------------------------------------

    def run(self, line):
        """Runs the line in TVM; a refused one is kept apart, and the schedule goes on without it."""
        before = str(self.schedule.mod) if "get_" not in line else None
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                exec(line, self.names)
        except (NameError, SyntaxError, AttributeError):
            raise
        except Exception:
            self.refused.append((list(self.lines), line))
            return before is None or str(self.schedule.mod) == before
        self.lines.append(line)
        return True

    def factors(self, loop):
        extent = self.extent(loop)
        divisors = [d for d in range(1, extent + 1) if extent % d == 0]

        def one():
            if self.random.random() < 0.6:
                return self.random.choice(divisors)
            return self.random.choice([1, 2, 3, 4, 5, 7, 8, 16, 32])

        count = self.random.choice([1, 2, 2, 2, 2, 3, 3, 4])
        factors = [one() for _ in range(count)]
        roll = self.random.random()
        if roll < 0.85:
            factors[self.random.randrange(count)] = None
        elif roll < 0.9:
            factors[self.random.randrange(count)] = self.random.choice([None, 0, -1])
        return factors

    def flags(self, line):
        if self.random.random() < 0.15:
            line += ", preserve_unit_iters=False"
        return line

    def propose(self, primitive):
        """A line of the primitive, or None when nothing suits."""
        r = self.random
        if primitive in ("parallel", "vectorize", "unroll"):
            loop = self.loop()
            return loop and f"sch.{primitive}({loop})"
        if primitive == "bind":
            loop = self.loop()
            return loop and f'sch.bind({loop}, "{r.choice(THREADS)}")'
        if primitive == "split":
            loop = self.loop()
            if not loop:
                return None
            factors = self.factors(loop)
            names = ", ".join(self.fresh("l") for _ in factors) + ("," if len(factors) == 1 else "")
            line = self.flags(f"{names} = sch.split({loop}, {factors}")
            return line + (", disable_predication=True)" if r.random() < 0.05 else ")")
        if primitive == "fuse":
            loops = self.nest()
            if len(loops) < 1:
                return None
            start = r.randrange(len(loops))
            some = loops[start : start + r.choice([1, 2, 2, 2, 3])]
            if r.random() < 0.05:
                r.shuffle(some)
            return self.flags(f"{self.fresh('l')} = sch.fuse({', '.join(some)}") + ")"
        if primitive == "reorder":
            loops = self.nest()
            if len(loops) < 2:
                return None
            some = r.sample(loops, r.randint(2, len(loops)))
            return f"sch.reorder({', '.join(some)})"
        if primitive == "add_unit_loop":
            what = self.loop() if r.random() < 0.5 else self.block()
            return what and f"{self.fresh('l')} = sch.add_unit_loop({what})"
        block = self.block()
        if block is None:
            return None
        if primitive == "look":
            self.look(block)
            return None
        if primitive in ("get_child_blocks", "get_consumers", "get_producers", "get_output_blocks"):
            try:
                found = len(getattr(self.schedule, primitive)(self.names[block]))
            except Exception:
                found = 1
            if not found:
                return None
            return f"{', '.join(self.fresh('b') for _ in range(found))}, = sch.{primitive}({block})"
        if primitive == "cache_read":
            consumers = f", consumer_blocks=[{self.block()}]" if r.random() < 0.1 else ""
            return f'{self.fresh("b")} = sch.cache_read({block}, {r.choice([0, 0, 1, 1, 2])}, "{r.choice(SCOPES)}"{consumers})'
        if primitive == "cache_write":
            return f'{self.fresh("b")} = sch.cache_write({block}, {r.choice([0, 0, 0, 1])}, "{r.choice(SCOPES)}")'
        if primitive in ("compute_at", "reverse_compute_at"):
            loop = self.loop()
            if not loop:
                return None
            more = ", preserve_unit_loops=True" if r.random() < 0.3 else ""
            more += f", index={r.choice([-2, 0, 1])}" if r.random() < 0.15 else ""
            return f"sch.{primitive}({block}, {loop}{more})"
        if primitive in ("compute_inline", "reverse_compute_inline"):
            return f"sch.{primitive}({block})"
        if primitive == "set_scope":
            return f'sch.set_scope({block}, {r.choice([0, 0, 0, 1])}, "{r.choice(SCOPES)}")'
        if primitive == "storage_align":
            return f"sch.storage_align({block}, {r.choice([0, 0, 0, 1])}, {r.choice([-2, -1, 0, 1, 3])}, {r.choice([8, 16, 32, 0])}, 8)"
        if primitive == "decompose_reduction":
            loops = self.nest()
            if not loops:
                return None
            return f"{self.fresh('b')} = sch.decompose_reduction({block if r.random() < 0.5 else self.reduction() or block}, {r.choice(loops)})"
        if primitive == "blockize":
            loop = self.loop()
            return loop and self.flags(f"{self.fresh('b')} = sch.blockize({loop}") + ")"
        if primitive == "tensorize":
            what = self.loop() if r.random() < 0.7 else block
            return what and f'sch.tensorize({what}, "{r.choice(INTRINSICS)}")'
        if primitive == "annotate":
            what = self.loop() if r.random() < 0.5 else block
            return what and f'sch.annotate({what}, "{r.choice(["note", "pragma_x"])}", {r.choice(["1", "0.5", "[1, 2]", chr(34) + "t" + chr(34)])})'
        if primitive == "unannotate":
            what = self.loop() if r.random() < 0.5 else block
            return what and f'sch.unannotate({what}, "note")'
        raise ValueError(primitive)

    def reduction(self):
        for name in self.alive(live_tvm.tir.schedule.BlockRV):
            with contextlib.suppress(Exception):
                if self.schedule.get(self.names[name]).init is not None:
                    return name
        return None

    def start(self):
        for name in re.findall(r'T\.block\("(\w+)"\)', self.text):
            block = self.fresh("b")
            self.run(f'{block} = sch.get_block("{name}")')
            self.look(block)

    def tile(self):
        """A multi-level tiling, so that the random part starts from where schedules are."""
        block = self.reduction() or self.block()
        if block is None or not self.look(block):
            return
        parts = []
        for loop in self.last_loops:
            names = [self.fresh("l"), self.fresh("l")]
            inner = self.random.choice([2, 4, 8, 16, 16])
            if not self.run(f"{names[0]}, {names[1]} = sch.split({loop}, [None, {inner}])"):
                return
            parts.append(names)
        self.run(f"sch.reorder({', '.join([p[0] for p in parts] + [p[1] for p in parts])})")

    def grow(self, length):
        self.start()
        if self.random.random() < 0.5 and {"split", "reorder"} <= set(self.allowed):
            self.tile()
        weights = {"look": 4, "split": 5, "fuse": 3, "reorder": 4, "bind": 3, "compute_at": 5, "reverse_compute_at": 4}
        weights |= {"cache_read": 3, "cache_write": 3, "decompose_reduction": 2, "blockize": 2, "tensorize": 1}
        kinds = [p for p in self.allowed]
        for _ in range(length):
            primitive = self.random.choices(kinds, [weights.get(kind, 1) for kind in kinds])[0]
            line = self.propose(primitive)
            if line and not self.run(line):
                return  # TVM changed the module although it refused; nothing after that is comparable


PRIMITIVES = [
    "look", "get_child_blocks", "get_consumers", "get_producers", "get_output_blocks", "split", "fuse", "reorder",
    "add_unit_loop", "parallel", "vectorize", "unroll", "bind", "annotate", "unannotate", "cache_read", "cache_write",
    "compute_at", "reverse_compute_at", "compute_inline", "reverse_compute_inline", "set_scope", "storage_align",
    "decompose_reduction", "blockize", "tensorize",
]  # fmt: skip


# ---------------------------------------------------------------------------------------------------------- comparing


def compare(program, text, lines, folder):
    """Rows of the comparison of one schedule; the files stay in the folder."""
    func, sched = folder / "case.func.py", folder / "case.sched.py"
    func.write_text(text)
    sched.write_text("\n".join(lines) + "\n")
    with contextlib.redirect_stderr(io.StringIO()):
        expected = live_tvm.run_tvm(func, sched)
    return program_comparison.compare_runs(expected, program_comparison.run_program(program, func, sched))


def bad(rows, strict):
    good = {"identical", "refused alike"} if strict else program_comparison.AGREE
    return [row for row in rows if row[2] not in good]


def shorten(program, text, lines, folder, strict):
    """Drops lines as long as the rest still disagrees."""
    at = len(lines) - 1
    while at >= 0:
        fewer = lines[:at] + lines[at + 1 :]
        with contextlib.suppress(live_tvm.Unreadable):
            rows = compare(program, text, fewer, folder)
            if bad(rows, strict) and not any("status 2" in str(row[3]) for row in rows):
                lines = fewer
        at -= 1
    return lines


def in_child(work):
    """What the function returns, computed in a forked process; None if that crashed, as TVM sometimes does."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(work(), pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    return pickle.loads(told) if status == 0 else None


def check_seed(seed, args, allowed, strict):
    """Verdicts of one random schedule and its refused lines, and a report on the first disagreement, or ""."""
    verdicts = collections.Counter()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        walk = Walk(seed, allowed)
        walk.grow(args.length)
        chosen = walk.refused
        if len(chosen) > args.refusals:
            chosen = walk.random.sample(chosen, args.refusals)
        for lines in [walk.lines] + [before + [line] for before, line in chosen]:
            rows = compare(args.program, walk.text, lines, folder)
            verdicts.update(row[2] for row in rows)
            wrong = bad(rows, strict)
            if not wrong:
                continue
            number, source, verdict, detail = wrong[0]
            lines = shorten(args.program, walk.text, lines[:number] if number else lines, folder, strict)
            rows = bad(compare(args.program, walk.text, lines, folder), strict)
            detail = "\n".join(row[3] for row in rows) or detail
            if args.keep:
                keep = Path(args.keep)
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"seed{seed}.func.py").write_text(walk.text)
                (keep / f"seed{seed}.sched.py").write_text("\n".join(lines) + "\n")
            report = [f"seed {seed} line {number}: {verdict}: {source}"] + ["    " + line for line in lines]
            return verdicts, "\n".join(report + ["        " + line for line in detail.splitlines()[:30]])
    return verdicts, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--seeds", default="0..100", help="first..last")
    parser.add_argument("--length", type=int, default=14, help="lines tried per schedule")
    parser.add_argument("--refusals", type=int, default=4, help="refused lines compared per schedule, at most")
    parser.add_argument("--only", default="", help="primitives, separated by commas")
    parser.add_argument("--keep", default="", help="folder for cases that disagree")
    parser.add_argument("--codes-may-differ", action="store_true")
    args = parser.parse_args()
    allowed = [p for p in PRIMITIVES if not args.only or p in args.only.split(",") or p == "look"]
    first, last = map(int, args.seeds.split(".."))
    strict = not args.codes_may_differ
    counts, failed = collections.Counter(), 0
    if "tensorize" in allowed:
        live_tvm.register_intrinsics()  # once, for all children
    for seed in range(first, last + 1):
        report = in_child(lambda: check_seed(seed, args, allowed, strict))
        if report is None:
            counts["TVM crashed"] += 1
            continue
        verdicts, text = report
        counts.update(verdicts)
        failed += bool(text)
        if text:
            print(text, flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    print(f"{last - first + 1} schedules, {failed} disagree")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
