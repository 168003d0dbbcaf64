@T.prim_func
def main(Q: T.Buffer((2, 128, 3, 64), "float16"), K: T.Buffer((2, 96, 3, 64), "float16"), S: T.Buffer((2, 3, 128, 96), "float32")):
    for b, h, i, j, d in T.grid(2, 3, 128, 96, 64):
        with T.block("S"):
            vb, vh, vi, vj, vd = T.axis.remap("SSSSR", [b, h, i, j, d])
            T.reads(Q[vb, vi, vh, vd], K[vb, vj, vh, vd])
            T.writes(S[vb, vh, vi, vj])
            with T.init():
                S[vb, vh, vi, vj] = T.float32(0.0)
            S[vb, vh, vi, vj] = S[vb, vh, vi, vj] + T.Cast("float32", Q[vb, vi, vh, vd]) * T.Cast("float32", K[vb, vj, vh, vd])
