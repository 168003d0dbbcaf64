from tvm.script import ir as I
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def c1d(X: T.Buffer((1, 16, 8), "float16"), F: T.Buffer((3, 8, 16), "float16"), Y: T.Buffer((1, 16, 16), "float32")):
        # with T.block("root"):
        padded = T.alloc_buffer((1, 18, 8), "float16")
        for n, w, c in T.grid(1, 18, 8):
            with T.block("padded"):
                vn, vw, vc = T.axis.remap("SSS", [n, w, c])
                T.reads(X[vn, vw - 1, vc])
                T.writes(padded[vn, vw, vc])
                padded[vn, vw, vc] = T.if_then_else(1 <= vw and vw < 17, X[vn, vw - 1, vc], T.float16(0.0))
        for n, w, co, rw, ci in T.grid(1, 16, 16, 3, 8):
            with T.block("Y"):
                vn, vw, vco, vrw, vci = T.axis.remap("SSSRR", [n, w, co, rw, ci])
                T.reads(padded[vn, vw + vrw, vci], F[vrw, vci, vco])
                T.writes(Y[vn, vw, vco])
                with T.init():
                    Y[vn, vw, vco] = T.float32(0.0)
                Y[vn, vw, vco] = Y[vn, vw, vco] + T.Cast("float32", padded[vn, vw + vrw, vci]) * T.Cast("float32", F[vrw, vci, vco])
