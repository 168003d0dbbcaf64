#!/usr/bin/env python3
"""Whether two builds of the program export the same texts.

    exports.py record PROGRAM FOLDER     writes what PROGRAM exports of every case of cases/ (its last state) and of every
                                         state of the lessons' chapters to FOLDER
    exports.py compare FOLDER PROGRAM    names each export of PROGRAM that differs from FOLDER's; ends with 1 if one does

An export that is refused counts, too: by its error. What a change must not alter is so compared with the commit before.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
FORMATS = ["tvmscript", "s_tir", "python", "trace", "cuda"]
LESSONS = HERE.parent.parent / "assets" / "lessons"
STATES = 63  # of a chapter, at most; those that it doesn't have are refused alike


def jobs():
    for function in sorted(HERE.glob("cases/*/*.func.py")):
        name = str(function.relative_to(HERE))
        for kind in FORMATS:
            yield [name, name.replace(".func.py", ".sched.py"), "--as", kind]
    for lesson in sorted(LESSONS.glob("*/lesson.json")):
        for chapter in json.loads(lesson.read_text())["chapters"]:
            for step in range(STATES):
                for kind in ("tvmscript", "cuda"):
                    yield [lesson.parent.name, "--chapter", chapter["id"], "--step", str(step), "--as", kind]


def export(program, arguments):
    command = [program, "export", *arguments, "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=HERE)
    return f"{done.returncode}\n{done.stdout}\n{done.stderr}"


def exports(program):
    program = os.path.abspath(program)
    every = list(jobs())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return {" ".join(job): text for job, text in zip(every, pool.map(lambda j: export(program, j), every))}


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("record", "compare"):
        print(__doc__)
        return 2
    if sys.argv[1] == "record":
        folder = pathlib.Path(sys.argv[3])
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "exports.json").write_text(json.dumps(exports(sys.argv[2])))
        return 0
    before = json.loads((pathlib.Path(sys.argv[2]) / "exports.json").read_text())
    now = exports(sys.argv[3])
    different = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    for name in different:
        print("differs:", name)
    print(f"{len(now)} exports, {len(different)} differences")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
