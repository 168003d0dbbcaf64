from tvm.script import tir as T

N = 16
H = 14
W = 14
CI = 128
CO = 64
R = 4
S = 2
P = 1
B = R - 1 - P
OH = (H - 1) * S - 2 * P + R
OW = (W - 1) * S - 2 * P + R


@T.prim_func
def t2d(X: T.Buffer((N, H, W, CI), "float16"), F: T.Buffer((R, R, CI, CO), "float16"), Y: T.Buffer((N, OH, OW, CO), "float32")):
    spread = T.alloc_buffer((N, OH + R - 1, OW + R - 1, CI), "float16")
    for n, h, w, c in T.grid(N, OH + R - 1, OW + R - 1, CI):
        with T.block("spread"):
            vn, vh, vw, vc = T.axis.remap("SSSS", [n, h, w, c])
            spread[vn, vh, vw, vc] = T.if_then_else(B <= vh and vh < (H - 1) * S + B + 1 and (vh - B) % S == 0 and B <= vw and vw < (W - 1) * S + B + 1 and (vw - B) % S == 0, X[vn, (vh - B) // S, (vw - B) // S, vc], T.float16(0))
    for n, h, w, co, rh, rw, ci in T.grid(N, OH, OW, CO, R, R, CI):
        with T.block("Y"):
            vn, vh, vw, vco, vrh, vrw, vci = T.axis.remap("SSSSRRR", [n, h, w, co, rh, rw, ci])
            with T.init():
                Y[vn, vh, vw, vco] = T.float32(0)
            Y[vn, vh, vw, vco] = Y[vn, vh, vw, vco] + T.Cast("float32", spread[vn, vh + vrh, vw + vrw, vci]) * T.Cast("float32", F[R - 1 - vrh, R - 1 - vrw, vci, vco])
