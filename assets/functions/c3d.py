from tvm.script import tir as T

N = 1
D = 8
H = 28
W = 28
CI = 64
CO = 64
R = 3
S = 1
P = 1
OD = (D + 2 * P - R) // S + 1
OH = (H + 2 * P - R) // S + 1
OW = (W + 2 * P - R) // S + 1


@T.prim_func
def c3d(X: T.Buffer((N, D, H, W, CI), "float16"), F: T.Buffer((R, R, R, CI, CO), "float16"), Y: T.Buffer((N, OD, OH, OW, CO), "float32")):
    padded = T.alloc_buffer((N, D + 2 * P, H + 2 * P, W + 2 * P, CI), "float16")
    for n, d, h, w, c in T.grid(N, D + 2 * P, H + 2 * P, W + 2 * P, CI):
        with T.block("padded"):
            vn, vd, vh, vw, vc = T.axis.remap("SSSSS", [n, d, h, w, c])
            padded[vn, vd, vh, vw, vc] = T.if_then_else(P <= vd and vd < D + P and P <= vh and vh < H + P and P <= vw and vw < W + P, X[vn, vd - P, vh - P, vw - P, vc], T.float16(0))
    for n, d, h, w, co, rd, rh, rw, ci in T.grid(N, OD, OH, OW, CO, R, R, R, CI):
        with T.block("Y"):
            vn, vd, vh, vw, vco, vrd, vrh, vrw, vci = T.axis.remap("SSSSSRRRR", [n, d, h, w, co, rd, rh, rw, ci])
            with T.init():
                Y[vn, vd, vh, vw, vco] = T.float32(0)
            Y[vn, vd, vh, vw, vco] = Y[vn, vd, vh, vw, vco] + T.Cast("float32", padded[vn, vd * S + vrd, vh * S + vrh, vw * S + vrw, vci]) * T.Cast("float32", F[vrd, vrh, vrw, vci, vco])
