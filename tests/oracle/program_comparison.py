"""Runs a program's `replay` on a case and compares it with the live TVM, step by step and refusal by refusal."""

import difflib
import re
import shlex
import subprocess
from pathlib import Path

from live_tvm import Case, Refusal, Run, Step, Unreadable, difference, parse_script

# ---------------------------------------------------------------------------------------------------------- running


def run_program(program, func, schedule, timeout=60):
    """What `live_tvm.Case.run` is, from a program that keeps the contract of its `replay`."""
    command = [*shlex.split(program), "replay", str(func), str(schedule), "--print", "each", "--dialect", "tir"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return Run([], Refusal("timeout", 0, f"no end after {timeout} s"), -1)
    except OSError as error:
        return Run([], Refusal("cannot-start", 0, str(error)), -1)
    steps = parse_steps(done.stdout)
    found = re.search(r"^error\[(.*?)\] line (\d+): (.*)$", done.stderr, re.M)
    if found:
        return Run(steps, Refusal(found[1], int(found[2]), found[3]), done.returncode)
    if done.returncode:
        tail = (done.stderr.strip().splitlines() or [""])[-1]
        return Run(steps, Refusal(f"status {done.returncode}", 0, tail), done.returncode)
    return Run(steps)


def print_step(step):
    return f"# step {step.line}: {step.source}\n{step.script.rstrip()}\n"


def parse_steps(text):
    parts = re.split(r"^# step (\d+): (.*)\n", text, flags=re.M)[1:]
    triples = zip(parts[0::3], parts[1::3], parts[2::3])
    return [Step(int(line), source, script.strip("\n")) for line, source, script in triples]


# -------------------------------------------------------------------------------------------------------- comparing


def compare_text(expected, actual):
    """identical, equal (other names, same structure), or differs."""
    if expected.strip() == actual.strip():
        return "identical"
    if same_up_to_names(expected, actual):
        return "equal"
    try:
        return "differs" if difference(parse_script(expected), parse_script(actual)) else "equal"
    except Unreadable:  # TVM cannot read back all that it prints
        return "differs"


def same_up_to_names(expected, actual):
    """The same tokens, where one program's name always stands for the same name of the other."""
    ours, theirs = (re.findall(r"\w+|[^\w\s]", text) for text in (expected, actual))
    forth, back = {}, {}
    return len(ours) == len(theirs) and all(
        a == b and not a.isidentifier()
        or a.isidentifier() and b.isidentifier() and forth.setdefault(a, b) == b and back.setdefault(b, a) == a
        for a, b in zip(ours, theirs)
    )


def unified_diff(expected, actual):
    lines = difflib.unified_diff(expected.splitlines(), actual.splitlines(), "tvm", "program", lineterm="", n=2)
    return "\n".join(lines)


def compare_runs(expected, actual):
    """Rows (line, source, verdict, detail) for every step of either run and for how they ended."""
    rows = []
    theirs = {step.line: step for step in actual.steps}
    for step in expected.steps:
        other = theirs.pop(step.line, None)
        if other is None:
            rows.append((step.line, step.source, "missing", ""))
            continue
        verdict = compare_text(step.script, other.script)
        detail = unified_diff(step.script, other.script) if verdict == "differs" else ""
        rows.append((step.line, step.source, verdict, detail))
    rows += [(step.line, step.source, "extra", "") for step in theirs.values()]
    rows.sort(key=lambda row: row[0])
    if expected.refusal or actual.refusal:
        rows.append(compare_refusals(expected.refusal, actual.refusal))
    return rows


def compare_refusals(expected, actual):
    line = (expected or actual).line
    if expected and actual and expected.line == actual.line:
        same = expected.code == actual.code
        return (line, str(expected), "refused alike" if same else "refused", "" if same else f"program: {actual}")
    detail = f"tvm: {expected or 'no error'}\nprogram: {actual or 'no error'}"
    return (line, str(expected or actual), "refusal differs", detail)


AGREE = {"identical", "equal", "refused alike", "refused"}


def cases_of(paths):
    """FUNC SCHED, or folders that hold NAME.func.py with NAME.sched.py (a FUNC given alone means its pair)."""
    if len(paths) == 2 and all(Path(path).is_file() for path in paths):
        return [Case(*paths)]
    cases = []
    for path in map(Path, paths):
        schedules = sorted(path.rglob("*.sched.py")) if path.is_dir() else [path]
        cases += [Case(func_of(schedule), schedule) for schedule in schedules]
    return cases


def func_of(schedule):
    return schedule.with_name(schedule.name.replace(".sched.py", ".func.py"))


class Checked:
    """The judge of every step and refusal of a program: it takes cases, prints what it finds, and sums up."""

    def __init__(self, program, brief):
        self.program, self.brief = program, brief
        self.totals = {"identical": 0, "equal": 0, "differs": 0}

    def take(self, case):
        rows = compare_runs(case.run, run_program(self.program, case.func, case.schedule))
        bad = [row for row in rows if row[2] not in AGREE]
        if self.brief:
            print(f"{'ok  ' if not bad else 'FAIL'} {case.schedule.name.removesuffix('.sched.py')}")
        for line, source, verdict, detail in bad[:1] if self.brief else rows:
            print(f"{line:4}  {verdict:15}  {source[:110]}")
            if detail and not self.brief:
                print(detail)
        for row in rows:
            kind = row[2] if row[2] in ("identical", "equal") else "identical" if row[2] in AGREE else "differs"
            self.totals[kind] += 1

    def end(self):
        totals = self.totals
        print(f"{totals['identical']} identical, {totals['equal']} equal, {totals['differs']} differ")
        return 1 if totals["differs"] else 0


def judged(judges, cases):
    """Has each judge take each case; the exit status."""
    for case in cases:
        for judge in judges:
            judge.take(case)
    return max([judge.end() for judge in judges])
