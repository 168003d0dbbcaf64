"""Exchanges traces with the real TVM: tvm_oracle python traces.py PROGRAM FOLDER…

For every case that isn't refused, three ways must end in the module that TVM makes of the schedule's lines:
the program's trace JSON applied by TVM, the program's Python run by TVM unchanged, and TVM's own trace JSON, in both of
its forms, replayed by the program.
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
from tvm import tir


def said(program, *arguments):
    done = subprocess.run([*shlex.split(program), *map(str, arguments)], capture_output=True, text=True, timeout=120)
    return done.stdout if done.returncode == 0 else f"status {done.returncode}: {done.stderr}"


def applied(module, trace):
    sch = live_tvm.new_schedule(module)
    tir.schedule.Trace.apply_json_to_schedule(json.loads(trace), sch)
    return sch.mod.script()


def executed(source):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:  # TVMScript reads a class's source from its file
        file.write(source)
        file.flush()
        space = {"__name__": "exported", "__file__": file.name}
        module = type(sys)("exported")
        module.__file__ = file.name
        sys.modules["exported"] = module
        exec(compile(source, file.name, "exec"), module.__dict__)
        return module.sch.mod.script()


def exchange(program, case, folder):
    func, schedule, sch = case.func, case.schedule, case.scheduled
    if sch is None:
        return []
    wanted = sch.mod.script().strip()
    plain, graph = folder / "plain.json", folder / "graph.json"
    try:
        theirs = sch.trace.as_json()
        plain.write_text(json.dumps(live_tvm.plain(theirs)))
        graph.write_text(tvm.ir.save_json(theirs))
    except Exception as error:  # TVM can't write a trace of everything that it applies
        return [("tvm's trace", f"skipped: {str(error).splitlines()[-1][:100]}")]
    with ThreadPoolExecutor(2) as pool:
        calls = [
            pool.submit(said, program, "export", func, schedule, "--as", kind, "-o", "-") for kind in ("trace", "python")
        ] + [pool.submit(said, program, "replay", func, path, "--print", "last") for path in (plain, graph)]
        trace, python, ours_plain, ours_graph = (call.result() for call in calls)

    results = []

    def compare(what, make):
        try:
            found = make().strip()
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        if found != wanted:
            results.append((what, program_comparison.unified_diff(wanted, found)[:1500]))

    def last(text):
        steps = program_comparison.parse_steps(text)
        return steps[-1].script if steps else text

    compare("our trace in TVM", lambda: applied(case.module, trace))
    compare("our Python in TVM", lambda: executed(python))
    compare("TVM's trace in the program", lambda: last(ours_plain))
    compare("TVM's saved trace in the program", lambda: last(ours_graph))
    if trace.strip() != plain.read_text():
        results.append(("the two traces' texts", "note: they differ"))
    return results


class Exchanged:
    """The judge of a program's traces (program_comparison.judged)."""

    def __init__(self, program):
        self.program = program
        self.bad = self.count = self.other = 0
        live_tvm.register_intrinsics()

    def take(self, case):
        schedule = case.schedule
        if schedule.with_name(schedule.name.replace(".sched.py", ".error.txt")).exists():
            return
        self.count += 1
        with tempfile.TemporaryDirectory() as name:
            for what, detail in exchange(self.program, case, Path(name)):
                if detail.startswith("note"):
                    self.other += 1
                    continue
                if not detail.startswith("skipped"):
                    self.bad += 1
                print(f"{schedule.parent.name}/{schedule.name.removesuffix('.sched.py')}: {what}\n{detail}")

    def end(self):
        same = self.count - self.other
        print(f"traces: {self.count} cases exchanged, {same} with the very text of TVM's JSON, {self.bad} disagreements")
        return 1 if self.bad or not self.count else 0


def main():
    program, folders = sys.argv[1], sys.argv[2:]
    return program_comparison.judged([Exchanged(program)], program_comparison.cases_of(folders))


if __name__ == "__main__":
    sys.exit(main())
