"""TVM's primitives: `tvm_oracle python primitives.py` prints primitives.txt.

A line is the name of a method of tir.Schedule that TVM's trace records as an instruction.
"""

from tvm import tir
from tvm.tir.schedule.instruction import InstructionKind

SPELLED = {"rfactor": "RFactor", "reindex": "ReIndex", "unsafe_set_dtype": "UnsafeSetDType"}


def is_instruction(method):
    kind = SPELLED.get(method, "".join(word.capitalize() for word in method.split("_")))
    try:
        return InstructionKind.get(kind) is not None
    except Exception:  # TVM's error for a kind that it doesn't have
        return False


print("\n".join(name for name in sorted(dir(tir.Schedule)) if not name.startswith("_") and is_instruction(name)))
