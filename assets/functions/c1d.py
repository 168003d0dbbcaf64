from tvm.script import tir as T

N = 16
W = 256
CI = 64
CO = 128
R = 3
S = 1
P = 1
OW = (W + 2 * P - R) // S + 1


@T.prim_func
def c1d(X: T.Buffer((N, W, CI), "float16"), F: T.Buffer((R, CI, CO), "float16"), Y: T.Buffer((N, OW, CO), "float32")):
    padded = T.alloc_buffer((N, W + 2 * P, CI), "float16")
    for n, w, c in T.grid(N, W + 2 * P, CI):
        with T.block("padded"):
            vn, vw, vc = T.axis.remap("SSS", [n, w, c])
            padded[vn, vw, vc] = T.if_then_else(P <= vw and vw < W + P, X[vn, vw - P, vc], T.float16(0))
    for n, w, co, rw, ci in T.grid(N, OW, CO, R, CI):
        with T.block("Y"):
            vn, vw, vco, vrw, vci = T.axis.remap("SSSRR", [n, w, co, rw, ci])
            with T.init():
                Y[vn, vw, vco] = T.float32(0)
            Y[vn, vw, vco] = Y[vn, vw, vco] + T.Cast("float32", padded[vn, vw * S + vrw, vci]) * T.Cast("float32", F[vrw, vci, vco])
