"""Has the program open what TVM saves: tvm_oracle python saved.py PROGRAM FOLDER…

Of every case two things: its module by `tvm.ir.save_json`, whose text must be TVM's; and a tuner's database
(MetaSchedule's JSONDatabase) with the schedule as its one record, which must end in the module that TVM makes of it.

    tvm_oracle python saved.py --write SCRIPT_FOLDER DATABASE_FOLDER   makes what the tests of core/ read instead
"""

import json
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import live_tvm
import program_comparison
import tvm
from tvm import meta_schedule, tir

CASES = Path(__file__).parent / "cases"


def minified(text):
    return json.dumps(json.loads(text), separators=(",", ":"))


def database(folder, module, records):
    """Two files in the folder: one workload, and a record of each (trace, seconds of the runs or None)."""
    kept = meta_schedule.database.JSONDatabase(work_dir=str(folder))
    workload = kept.commit_workload(module)
    target = tvm.target.Target("nvidia/nvidia-a100")
    function = next(iter(module.functions.values()))
    arguments = meta_schedule.arg_info.ArgInfo.from_prim_func(function) if len(module.functions) == 1 else []
    for trace, seconds in records:
        kept.commit_tuning_record(meta_schedule.database.TuningRecord(trace, workload, seconds, target, arguments))


def opened(program, path):
    command = [*shlex.split(program), "export", str(path), "--as", "tvmscript", "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return done.stdout if done.returncode == 0 else f"status {done.returncode}: {done.stderr}"


def exchange(program, case, folder):
    module = live_tvm.new_schedule(case.module).mod
    saved = folder / "module.json"
    saved.write_text(tvm.ir.save_json(module))
    wanted = [("the saved module", module.script(), saved)]
    sch = case.scheduled
    if sch is not None:
        try:
            database(folder, module, [(sch.trace, [1e-3])])
            wanted.append(("the database", sch.mod.script(), folder))
        except Exception:  # TVM can't write a trace of everything that it applies
            pass
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda each: opened(program, each[2]), wanted))
    return len(wanted), [
        (what, program_comparison.unified_diff(text.strip(), ours.strip())[:1500])
        for (what, text, _), ours in zip(wanted, found)
        if text.strip() != ours.strip()
    ]


def write(scripts, databases):
    modules = {
        "product": "lessons/tensorcore",
        "symbolic": "split/symbolic",
        "softmax": "workloads/softmax_row_per_block",
        "convolution": "workloads/conv2d_direct",
        "two_functions": "accessors/other_function",
    }
    scripts.mkdir(parents=True, exist_ok=True)
    for name, case in modules.items():
        module = live_tvm.new_schedule(live_tvm.load_function(CASES / f"{case}.func.py")).mod
        (scripts / f"{name}.json").write_text(minified(tvm.ir.save_json(module)) + "\n")
        (scripts / f"{name}.txt").write_text(module.script() + "\n")
    # A scheduled one: thread bindings, annotations, matched buffers, calls.
    name = "lessons/tensorcore_small_tiles"
    sch = live_tvm.Case(CASES / f"{name}.func.py", CASES / f"{name}.sched.py").scheduled
    (scripts / "scheduled.json").write_text(minified(tvm.ir.save_json(sch.mod)) + "\n")
    (scripts / "scheduled.txt").write_text(sch.mod.script() + "\n")

    databases.mkdir(parents=True, exist_ok=True)
    func = CASES / "sample/perfect_tile.func.py"
    module = live_tvm.new_schedule(live_tvm.load_function(func)).mod
    records = []
    for name, seconds in (("sample/perfect_tile", [1.25e-3, 1.75e-3]), ("sample/partitioned_tile", None)):
        sch = live_tvm.Case(func, CASES / f"{name}.sched.py").scheduled
        records.append((sch.trace, seconds))
    for tile, seconds in ((8, [5e-4]), (4, [1e10])):
        sch = tir.Schedule(module)
        outer, inner = sch.split(sch.get_loops(sch.get_block("C"))[0], [None, tile])
        sch.bind(outer, "blockIdx.x")
        sch.bind(inner, "threadIdx.x")
        sch.enter_postproc()
        records.append((sch.trace, seconds))
        if tile == 8:
            (databases / "best.txt").write_text(sch.mod.script() + "\n")
    database(databases, module, records)


def write_tuned(folder):
    """Records of MetaSchedule's own design space, its last steps (postprocessors) included, and what TVM makes of each."""
    folder.mkdir(parents=True, exist_ok=True)
    module = live_tvm.new_schedule(live_tvm.load_function(CASES / "lessons/fp32_naive.func.py")).mod
    target = tvm.target.Target(
        {
            "kind": "cuda",
            "arch": "sm_80",
            "max_threads_per_block": 1024,
            "max_shared_memory_per_block": 49152,
            "thread_warp_size": 32,
        }
    )
    tuning = meta_schedule.TuneContext(
        mod=module,
        target=target,
        space_generator=meta_schedule.space_generator.PostOrderApply(),
        task_name="product",
        rand_state=42,
    )
    records = []
    for _ in range(10):
        for base in tuning.generate_design_space():
            sch = tir.Schedule(module)
            base.trace.apply_to_schedule(sch, remove_postproc=True)
            sch.enter_postproc()
            if len(records) < 2 and all(each.apply(sch) for each in tuning.space_generator.postprocs):
                records.append((sch.trace, [1e-4 * (len(records) + 1)]))
                (folder / f"{len(records)}.txt").write_text(sch.mod.script() + "\n")
    database(folder, module, records)


class Opened:
    """The judge of what a program opens of TVM's (program_comparison.judged)."""

    def __init__(self, program):
        self.program = program
        self.bad = self.count = self.things = 0
        live_tvm.register_intrinsics()

    def take(self, case):
        with tempfile.TemporaryDirectory() as name:
            some, disagreements = exchange(self.program, case, Path(name))
        self.count += 1
        self.things += some
        for what, detail in disagreements:
            self.bad += 1
            print(f"{case.schedule.parent.name}/{case.schedule.name.removesuffix('.sched.py')}: {what}\n{detail}")

    def end(self):
        print(f"saved: {self.things} modules and databases of {self.count} cases opened, {self.bad} disagreements")
        return 1 if self.bad or not self.count else 0


def main():
    if sys.argv[1] == "--write":
        live_tvm.register_intrinsics()
        write(Path(sys.argv[2]), Path(sys.argv[3]))
        write_tuned(Path(sys.argv[3]).with_name("tuned"))
        return 0
    program, folders = sys.argv[1], sys.argv[2:]
    return program_comparison.judged([Opened(program)], program_comparison.cases_of(folders))


if __name__ == "__main__":
    sys.exit(main())
