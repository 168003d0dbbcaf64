"""Values of operations on scalars by numpy: `tvm_oracle python operation_values.py` prints tests/exec/golden/operations.txt.

A line is `dtype | operation | value at 0 | … | value at 15`, of x and y as `operands` makes them. Nothing of the program
that is tested is in it: the formats of narrow floats are ml_dtypes'.
"""

import ml_dtypes
import numpy as np
from scipy import special

N = np.arange(16)
FLOATS = {
    "float16": np.float16, "bfloat16": ml_dtypes.bfloat16, "float32": np.float32, "float64": np.float64,
    "float8_e4m3fn": ml_dtypes.float8_e4m3fn, "float8_e5m2": ml_dtypes.float8_e5m2,
}
INTEGERS = {
    name: getattr(np, name) for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
}
LARGEST = {"float8_e4m3fn": 448.0, "float8_e5m2": 57344.0}

ONE = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
    "atanh": np.arctanh, "ceil": np.ceil, "cos": np.cos, "cosh": np.cosh, "erf": special.erf, "exp": np.exp,
    "exp10": lambda x: np.power(10.0, x), "exp2": np.exp2, "fabs": np.abs, "floor": np.floor, "isfinite": np.isfinite,
    "isinf": np.isinf, "isnan": np.isnan, "log": np.log, "log10": np.log10, "log1p": np.log1p, "log2": np.log2,
    "nearbyint": np.rint, "rsqrt": lambda x: 1 / np.sqrt(x), "sigmoid": special.expit, "sin": np.sin, "sinh": np.sinh,
    "sqrt": np.sqrt, "tan": np.tan, "tanh": np.tanh, "trunc": np.trunc,
}
TWO = {
    "atan2": np.arctan2, "copysign": np.copysign, "fmod": np.fmod, "hypot": np.hypot, "pow": np.power,
    "ldexp": lambda x, y: np.ldexp(x, y.astype(np.int32)),
}
OPERATORS = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "min": np.minimum, "max": np.maximum,
    "truncmod": np.fmod, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal,
    "!=": np.not_equal,
}
COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}


def operands(dtype):
    if dtype in FLOATS:
        return N * 0.25 - 1.75, 2.0 - (N * 5 % 16) * 0.25
    if dtype == "bool":
        return N % 2 == 1, N // 2 % 2 == 1
    kind = INTEGERS[dtype]
    if dtype.startswith("u"):
        return (N * 16 + 5).astype(kind), (N * 5 % 7 * 2 + 1).astype(kind)
    return (N * 13 - 100).astype(kind), (N * 5 % 7 * 2 - 7).astype(kind)


def narrowed(values, dtype):
    if dtype in LARGEST:  # CUDA's conversions stop there
        values = np.where(np.isnan(values), values, np.clip(values, -LARGEST[dtype], LARGEST[dtype]))
    return np.asarray(values, dtype=np.float64).astype(FLOATS[dtype]).astype(np.float64)


def line(dtype, name, values):
    cells = [str(int(v)) if np.asarray(v).dtype.kind in "iub" else repr(float(v)) for v in values]
    print(" | ".join([dtype, name, *cells]))


def of_floats(dtype):
    x, y = operands(dtype)
    with np.errstate(all="ignore"):
        for name, function in ONE.items():
            values = function(x)
            line(dtype, name, values if values.dtype == bool else narrowed(values, dtype))
        # Half away from zero, but in float16 and bfloat16, whose function in CUDA takes the even one.
        halves = dtype in ("float16", "bfloat16")
        line(dtype, "round", narrowed(np.rint(x) if halves else np.trunc(x + np.copysign(0.5, x)), dtype))
        for name, function in TWO.items():
            line(dtype, name, narrowed(function(x, y), dtype))
        if dtype in ("float32", "float64"):
            line(dtype, "nextafter", np.nextafter(FLOATS[dtype](x), FLOATS[dtype](y)).astype(np.float64))
        for name, function in OPERATORS.items():
            values = function(x, y)
            line(dtype, name, values if name in COMPARISONS else narrowed(values, dtype))
        line(dtype, "fma", narrowed(x * y + x, dtype))
        for to, kind in INTEGERS.items():
            if to.startswith("u"):
                line(dtype, f"cast {to}", np.trunc(np.abs(x * 16)).astype(kind))
            else:
                line(dtype, f"cast {to}", np.trunc(x * 16).astype(kind))
            if np.dtype(kind).itemsize == np.dtype(FLOATS[dtype]).itemsize:
                line(dtype, f"reinterpret {to}", x.astype(FLOATS[dtype]).view(kind))
                line(to, f"reinterpret {dtype}", x.astype(FLOATS[dtype]).astype(np.float64))
        for to in FLOATS:
            line(dtype, f"cast {to}", narrowed(narrowed(x * 300.1, dtype), to))
        line(dtype, "cast bool", x != 0)


def of_integers(dtype):
    x, y = operands(dtype)
    kind, bits = INTEGERS[dtype], np.dtype(INTEGERS[dtype]).itemsize * 8
    shift = (N % 8).astype(kind)
    unsigned = x.view(INTEGERS[f"uint{bits}"])
    with np.errstate(all="ignore"):
        for name, function in OPERATORS.items():
            if name != "/":
                line(dtype, name, function(x, y))
        line(dtype, "//", np.floor_divide(x, y))
        line(dtype, "%", np.mod(x, y))
        line(dtype, "truncdiv", np.array([int(int(a) / int(b)) for a, b in zip(x, y)], dtype=kind))
        line(dtype, "bitwise_and", x & y)
        line(dtype, "bitwise_or", x | y)
        line(dtype, "bitwise_xor", x ^ y)
        line(dtype, "bitwise_not", ~x)
        line(dtype, "shift_left", x << shift)
        line(dtype, "shift_right", x >> shift)
        line(dtype, "popcount", [int(v).bit_count() for v in unsigned])
        line(dtype, "clz", [bits - int(v).bit_length() for v in unsigned])
        # Sums that leave a narrow type, before an operation that shows their upper bits.
        line(dtype, "wrap //", np.floor_divide(x + x, kind(3)))
        line(dtype, "wrap <", np.less(x * x, x))
        line(dtype, "wrap cast", (x + x).astype(np.int64))
        line(dtype, "wrap >>", (x + x) >> kind(1))
        for to in INTEGERS:
            line(dtype, f"cast {to}", x.astype(INTEGERS[to]))
            if np.dtype(INTEGERS[to]).itemsize * 8 == bits:
                line(dtype, f"reinterpret {to}", x.view(INTEGERS[to]))
        for to in FLOATS:
            line(dtype, f"cast {to}", narrowed(x.astype(np.float64), to))
        line(dtype, "cast bool", x != 0)


def of_bools():
    x, y = operands("bool")
    for name, function in {"&": np.logical_and, "|": np.logical_or, "^": np.logical_xor}.items():
        line("bool", {"&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor"}[name], function(x, y))
    line("bool", "bitwise_not", ~x)
    line("bool", "min", x & y)
    line("bool", "max", x | y)
    line("bool", "==", x == y)
    for to in INTEGERS:
        line("bool", f"cast {to}", x.astype(INTEGERS[to]))
    for to in FLOATS:
        line("bool", f"cast {to}", x.astype(np.float64))


for dtype in FLOATS:
    of_floats(dtype)
for dtype in INTEGERS:
    of_integers(dtype)
of_bools()
