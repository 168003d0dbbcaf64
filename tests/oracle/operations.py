"""What TVM makes of each operation on scalars: `tvm_oracle python operations.py` prints tests/script/golden/operations.txt.

A line is `dtypes of A and B | expression | dtype of the value | the value as TVM prints it`, or, where TVM refuses,
`dtypes | expression | refused |`.
"""

import os
import sys

import tvm.script.tir as T
from tvm import tir
from tvm.script import from_source

HALVES, WIDE = ["float16", "bfloat16"], ["float32", "float64"]
FLOAT8 = ["float8_e4m3fn", "float8_e5m2"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
ALL = HALVES + WIDE + FLOAT8 + INTEGERS + ["bool"]
UNARY = (
    "abs acos acosh asin asinh atan atanh bitwise_not ceil clz cos cosh erf exp exp10 exp2 fabs floor isfinite isinf "
    "isnan likely log log10 log1p log2 nearbyint popcount round rsqrt sigmoid sin sinh sqrt tan tanh trunc"
).split()
BINARY = (
    "atan2 bitwise_and bitwise_or bitwise_xor ceildiv copysign floordiv floormod fmod hypot ldexp max min nextafter pow "
    "shift_left shift_right truncdiv truncmod"
).split()
MIXED = [
    ("int32", "int64"), ("int32", "uint32"), ("int8", "uint8"), ("int8", "int32"), ("int64", "uint32"),
    ("bool", "int32"), ("float16", "float32"), ("float16", "bfloat16"), ("int32", "float16"), ("bool", "float32"),
    ("float8_e4m3fn", "float32"), ("float32", "int32"), ("float16", "int64"),
]
PLAIN = """T.isnan(T.float32(1.0));T.isinf(T.float32(1.0));T.isfinite(3);T.isnan(3);T.exp(1.0);T.exp(1);T.floor(1.5)
T.round(2.5);T.round(-2.5);T.nearbyint(2.5);T.trunc(-1.5);T.ceil(-1.5);T.abs(-3);T.abs(-3.5);T.fabs(-3.5);T.pow(2.0, 3.0)
T.pow(2, 3);T.bitwise_not(5);T.popcount(255);T.clz(255);T.sqrt(4.0);T.hypot(3.0, 4.0);T.likely(True);T.ceildiv(7, 3)
T.floordiv(7, -3);T.floormod(7, -3);T.truncmod(-7, 3);T.truncdiv(-7, 2);T.vscale();T.undef();T.shift_left(1, 32)
T.shift_left(T.int64(1), 40);T.bitwise_and(T.uint8(255), T.uint8(15));T.min(1, 2.0);T.Select(True, 1, 2)
T.if_then_else(True, 1, 2);T.reinterpret("int32", T.float32(1.0));T.reinterpret("float32", 1065353216)
T.Cast("int32", T.float32(2.5));T.int32(T.float32(2.7));T.cast(T.int32(300), "int8");T.uint8(-1);T.int8(300)
T.float16(1e6);T.float8_e4m3fn(500.0)"""
OF_A = [
    ("float32", "T.pow(A[vi], 2)"), ("float16", "T.pow(A[vi], 2.0)"), ("float32", "T.pow(2, A[vi])"),
    ("float16", "T.fmod(A[vi], 2.0)"), ("float32", "T.fmod(A[vi], 2)"), ("float16", "T.atan2(A[vi], 1.0)"),
    ("float64", "T.copysign(A[vi], -1.0)"), ("int32", "T.shift_left(A[vi], 33)"), ("int32", "T.shift_left(A[vi], -1)"),
    ("int8", "T.shift_right(A[vi], 9)"), ("uint8", "A[vi] << 3"), ("int64", "A[vi] >> 31"), ("int8", "A[vi] & 7"),
    ("int64", "T.clz(A[vi]) + 1"), ("int32", "~A[vi]"), ("float32", "~A[vi]"), ("int8", "-A[vi]"), ("uint8", "-A[vi]"),
    ("float32", "T.exp(x=A[vi])"), ("float32", "T.atan2(x1=A[vi], x2=A[vi])"), ("float32", "T.exp(A[vi], A[vi])"),
    ("float32", "T.atan2(A[vi])"), ("float32", "T.likely(A[vi] > T.float32(0))"), ("int32", "T.max(A[vi], 0.5)"),
    ("float16", "T.max(A[vi], 0)"), ("int32", "T.ceildiv(A[vi], 3)"), ("int32", "A[vi] // 0"), ("int32", "A[vi] % 0"),
    ("int32", "T.truncdiv(A[vi], 0)"), ("float16", "A[vi] / 2"), ("int32", "A[vi] / 2"), ("float32", "A[vi] % 2"),
    ("int32", 'T.call_intrin("int32", "tir.fma", A[vi], A[vi], A[vi])'), ("float32", 'T.call_intrin("float32", "exp", A[vi])'),
    ("float32", 'T.call_pure_extern("float32", "__expf", A[vi])'), ("int32", "T.q_multiply_shift(A[vi], A[vi], 31, 2)"),
    ("int32", "T.q_multiply_shift_per_axis(A[vi], A[vi], A[vi], A[vi], 31, 1, 0)"), ("int32", "T.isnullptr(A[vi])"),
    ("int32", "T.tvm_thread_invariant(A[vi])"), ("int32", "T.if_then_else(A[vi], 1, 2)"), ("int32", "T.Select(A[vi], 1, 2)"),
    ("int32", "T.if_then_else(A[vi] > 0, A[vi], 2.0)"), ("int32", "T.Select(A[vi] > 0, A[vi], 2.0)"),
]


def quietly(run):
    """The result of run, with what TVM prints about an error thrown away; None where it refuses."""
    saved, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        return run()
    except Exception:
        return None
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(nothing)


def function(dtypes, expression, value):
    buffers = zip([*"AB"[: len(dtypes)], "C"], [*dtypes, value])
    parameters = ", ".join(f'{name}: T.Buffer((8,), "{dtype}")' for name, dtype in buffers)
    return f"""@T.prim_func
def main({parameters}):
    for i in range(8):
        with T.block("C"):
            vi = T.axis.spatial(8, i)
            C[vi] = {expression}
"""


def line(dtypes, expression):
    def value():
        buffers = {name: tir.decl_buffer((8,), dtype, name) for name, dtype in zip("AB", dtypes)}
        found = eval(expression, {"T": T, "vi": tir.Var("vi", "int32"), **buffers})
        return "bool" if isinstance(found, bool) else "int32" if isinstance(found, int) else str(found.dtype)

    def printed(dtype):
        text = from_source(function(dtypes, expression, dtype)).script()
        return next(row.strip()[8:] for row in text.splitlines() if row.strip().startswith("C[vi] = "))

    dtype = quietly(value)
    text = quietly(lambda: printed(dtype)) if dtype else None
    print(f"{' '.join(dtypes)} | {expression} | {dtype if text else 'refused'} | {text or ''}".rstrip())


def main():
    for name in UNARY:
        for dtype in ALL:
            line([dtype], f"T.{name}(A[vi])")
    for name in BINARY:
        for dtype in ALL:
            line([dtype, dtype], f"T.{name}(A[vi], B[vi])")
        for pair in MIXED:
            line(list(pair), f"T.{name}(A[vi], B[vi])")
    for a in ALL:
        for b in ALL:
            line([a], f'T.Cast("{b}", A[vi])')
            line([a], f'T.reinterpret("{b}", A[vi])')
        line([a, a], "T.if_then_else(A[vi] < B[vi], A[vi], B[vi])")
        line([a, a], "T.Select(A[vi] < B[vi], A[vi], B[vi])")
        for name in ("min_value", "max_value", "infinity"):
            line([], f'T.{name}("{a}")')
    for expression in PLAIN.replace("\n", ";").split(";"):
        line([], expression)
    for dtype, expression in OF_A:
        line([dtype], expression)


if __name__ == "__main__":
    sys.exit(main())
