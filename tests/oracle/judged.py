"""All that the live TVM says of a program: tvm_oracle python judged.py PROGRAM FOLDER…

What `check --brief`, traces.py and saved.py do by themselves, and each case is run in TVM once for the three.
"""

import sys

import program_comparison
import saved
import traces


def main():
    program, folders = sys.argv[1], sys.argv[2:]
    judges = [program_comparison.Checked(program, True), traces.Exchanged(program), saved.Opened(program)]
    return program_comparison.judged(judges, program_comparison.cases_of(folders))


if __name__ == "__main__":
    sys.exit(main())
