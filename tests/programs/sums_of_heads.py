@T.prim_func
def main(P: T.Buffer((2, 3, 64, 128), "float16"), V: T.Buffer((2, 128, 3, 64), "float16"), O: T.Buffer((2, 64, 3, 64), "float32")):
    for b, i, h, d, j in T.grid(2, 64, 3, 64, 128):
        with T.block("O"):
            vb, vi, vh, vd, vj = T.axis.remap("SSSSR", [b, i, h, d, j])
            T.reads(P[vb, vh, vi, vj], V[vb, vj, vh, vd])
            T.writes(O[vb, vi, vh, vd])
            with T.init():
                O[vb, vi, vh, vd] = T.float32(0.0)
            O[vb, vi, vh, vd] = O[vb, vi, vh, vd] + T.Cast("float32", P[vb, vh, vi, vj]) * T.Cast("float32", V[vb, vj, vh, vd])
