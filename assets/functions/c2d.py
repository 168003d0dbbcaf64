from tvm.script import tir as T

N = 16
H = 28
W = 28
CI = 128
CO = 128
R = 3
S = 1
P = 1
OH = (H + 2 * P - R) // S + 1
OW = (W + 2 * P - R) // S + 1


@T.prim_func
def c2d(X: T.Buffer((N, H, W, CI), "float16"), F: T.Buffer((R, R, CI, CO), "float16"), Y: T.Buffer((N, OH, OW, CO), "float32")):
    padded = T.alloc_buffer((N, H + 2 * P, W + 2 * P, CI), "float16")
    for n, h, w, c in T.grid(N, H + 2 * P, W + 2 * P, CI):
        with T.block("padded"):
            vn, vh, vw, vc = T.axis.remap("SSSS", [n, h, w, c])
            padded[vn, vh, vw, vc] = T.if_then_else(P <= vh and vh < H + P and P <= vw and vw < W + P, X[vn, vh - P, vw - P, vc], T.float16(0))
    for n, h, w, co, rh, rw, ci in T.grid(N, OH, OW, CO, R, R, CI):
        with T.block("Y"):
            vn, vh, vw, vco, vrh, vrw, vci = T.axis.remap("SSSSRRR", [n, h, w, co, rh, rw, ci])
            with T.init():
                Y[vn, vh, vw, vco] = T.float32(0)
            Y[vn, vh, vw, vco] = Y[vn, vh, vw, vco] + T.Cast("float32", padded[vn, vh * S + vrh, vw * S + vrw, vci]) * T.Cast("float32", F[vrh, vrw, vci, vco])
