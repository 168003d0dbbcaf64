from tvm.script import ir as I
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def t2d(X: T.Buffer((1, 4, 4, 8), "float16"), F: T.Buffer((4, 4, 8, 8), "float16"), Y: T.Buffer((1, 8, 8, 8), "float32")):
        # with T.block("root"):
        spread = T.alloc_buffer((1, 11, 11, 8), "float16")
        for n, h, w, c in T.grid(1, 11, 11, 8):
            with T.block("spread"):
                vn, vh, vw, vc = T.axis.remap("SSSS", [n, h, w, c])
                T.reads(X[vn, (vh - 2) // 2, (vw - 2) // 2, vc])
                T.writes(spread[vn, vh, vw, vc])
                spread[vn, vh, vw, vc] = T.if_then_else(2 <= vh and vh < 9 and (vh - 2) % 2 == 0 and 2 <= vw and vw < 9 and (vw - 2) % 2 == 0, X[vn, (vh - 2) // 2, (vw - 2) // 2, vc], T.float16(0.0))
        for n, h, w, co, rh, rw, ci in T.grid(1, 8, 8, 8, 4, 4, 8):
            with T.block("Y"):
                vn, vh, vw, vco, vrh, vrw, vci = T.axis.remap("SSSSRRR", [n, h, w, co, rh, rw, ci])
                T.reads(spread[vn, vh + vrh, vw + vrw, vci], F[3 - vrh, 3 - vrw, vci, vco])
                T.writes(Y[vn, vh, vw, vco])
                with T.init():
                    Y[vn, vh, vw, vco] = T.float32(0.0)
                Y[vn, vh, vw, vco] = Y[vn, vh, vw, vco] + T.Cast("float32", spread[vn, vh + vrh, vw + vrw, vci]) * T.Cast("float32", F[3 - vrh, 3 - vrw, vci, vco])
